package games_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/games"
)

// folders are the games that there are.
func folders(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, e.Name())
		}
	}
	return list
}

// TestEveryFolderIsOffered: a game is called on the wire as its folder is, and has
// a place of its own in the list.
func TestEveryFolderIsOffered(t *testing.T) {
	var names []string
	for _, g := range games.All() {
		names = append(names, g.About().Name)
	}
	if want := []string{"bosk", "grandbois", "treesociety"}; !slices.Equal(names, want) {
		t.Errorf("offered are %v, want %v in this order, for ever", names, want)
	}
	if slices.Sort(names); !slices.Equal(names, folders(t)) {
		t.Errorf("offered are %v, but there are the folders %v", names, folders(t))
	}
}

// TestAnEngineKnowsOneGame: what an engine of one game is made of has no other
// game in it, and nothing that is large and that no game needs.
func TestAnEngineKnowsOneGame(t *testing.T) {
	large := []string{"encoding/json", "fmt", "os", "crypto", "regexp", "math/big"}
	for _, name := range folders(t) {
		list := exec.Command("go", "list", "-deps", "-tags", "single,"+name, "copse/cmd/wasm")
		list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		out, err := list.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var known []string
		for dep := range strings.FieldsSeq(string(out)) {
			if dir, base := filepath.Split(dep); dir == "copse/games/" {
				known = append(known, base)
			}
			if slices.Contains(large, dep) {
				t.Errorf("the engine of %s imports %s", name, dep)
			}
		}
		if !slices.Equal(known, []string{name}) {
			t.Errorf("the engine of %s knows %v", name, known)
		}
	}
}
