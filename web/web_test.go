package web_test

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"copse/web"
)

// mostBytes is how large an engine may be as it travels, with the rules of old in
// it: a board waits for it.
const mostBytes = 900_000

// TestEveryEngineTravelsLight looks at the page as it was built.
func TestEveryEngineTravelsLight(t *testing.T) {
	engines, err := fs.Glob(web.Site(), "assets/engine-*.wasm.br")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir("../games")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		found := 0
		for _, engine := range engines {
			if !strings.HasPrefix(path.Base(engine), "engine-"+folder.Name()+"-") {
				continue
			}
			found++
			info, err := fs.Stat(web.Site(), engine)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() > mostBytes || info.Size() < mostBytes/10 {
				t.Errorf("the engine of %s travels in %d bytes, at most %d are allowed", folder.Name(), info.Size(), mostBytes)
			}
		}
		if found != 1 {
			t.Errorf("the page has %d engines that play %s: run make build", found, folder.Name())
		}
	}
}
