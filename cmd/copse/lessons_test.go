package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhoIsRefusedKeepsTheFile: lessons that cannot be leave a file that was there as it was,
// and none where there was none.
func TestWhoIsRefusedKeepsTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.lessons")
	if err := os.WriteFile(file, []byte("oak"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, code := copse(t, "", "lessons", "bosk", "--player", "nobody", "--games", "1", "--out", file)
	if raw, err := os.ReadFile(file); code != exitUsage || err != nil || string(raw) != "oak" || !strings.Contains(said, "nobody") {
		t.Errorf("%d, %q, %v: %s", code, raw, err, said)
	}
	for _, wrong := range []string{"--playouts=0", "--playouts=99999999", "--part=NaN", "--stray=NaN", "--option=expert=true", "--seats=5"} {
		_, said, code := copse(t, "", "lessons", "bosk", "--player", "random", "--games", "1", wrong, "--out", file)
		if raw, err := os.ReadFile(file); code != exitUsage || err != nil || string(raw) != "oak" || strings.HasPrefix(wrong, "--playouts") && !strings.Contains(said, "between 1 and") {
			t.Errorf("%s: %d, %q, %v: %s", wrong, code, raw, err, said)
		}
	}
	other := filepath.Join(t.TempDir(), "new.lessons")
	if _, said, code := copse(t, "", "lessons", "bosk", "--player", "level:9/former=1", "--games", "1", "--out", other); code != exitUsage || !strings.Contains(said, "--net") {
		t.Errorf("%d: %s", code, said)
	}
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
	if _, said, code := copse(t, "", "lessons", "bosk", "--player", "random", "--games", "1", "--playouts", "1", "--out", other); code != 0 {
		t.Errorf("%d: %s", code, said)
	}
	if raw, err := os.ReadFile(other); err != nil || len(raw) == 0 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

// TestLessonsEndWhenTold: after an interrupt the file has whole games, and it is said of how
// many there are.
func TestLessonsEndWhenTold(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "part.lessons")
	out, told, err := interrupted(t, func() bool { // some games are on disk
		info, err := os.Stat(file)
		return err == nil && info.Size() > 1<<20
	}, "lessons", "bosk", "--player", "greedy", "--games", "100000", "--playouts", "1", "--out", file)
	if err != nil {
		t.Errorf("%v: %s", err, told)
	}
	var games int
	if _, err := fmt.Sscanf(strings.TrimPrefix(out, file), ": %d games (interrupted, 100000 were asked for)", &games); err != nil || games < 1 {
		t.Errorf("%s: %v", out, err)
	}
}

// TestWhoCannotPlayAtTheTerminal is told before the first turn, and that the command line is
// to blame. Where no bot sits nobody is asked whether it can.
func TestWhoCannotPlayAtTheTerminal(t *testing.T) {
	out, said, code := copse(t, "", "play", "grandbois", "--humans", "0", "--bots", "level:9/former=1", "--lang", "en")
	if code != 2 || out != "" || !strings.Contains(said, "copse arena --net") {
		t.Errorf("%d: %s%s", code, out, said)
	}
	out, said, _ = copse(t, "", "play", "grandbois", "--seats", "2", "--humans", "2", "--bots", "level:9/former=1", "--lang", "en")
	if strings.Contains(said, "--net") || out == "" {
		t.Errorf("two people play without a bot, and %s%s", out, said)
	}
}
