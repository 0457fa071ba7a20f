package copse

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryPackageFitsIn32Bits checks the types of everything as a compiler for a
// machine of 32 bits does, where an int is half as long: in a few seconds, as nothing
// is compiled for one. `make portable` does compile it.
func TestEveryPackageFitsIn32Bits(t *testing.T) {
	t.Parallel()
	all := packages(t)
	own := 0
	for _, p := range all {
		if p.ImportPath != "copse" && !strings.HasPrefix(p.ImportPath, "copse/") {
			continue
		}
		own++
		for _, fault := range faultsIn32(t, all, p.ImportPath, p.files()) {
			t.Error(fault)
		}
	}
	if own < 25 {
		t.Errorf("only %d packages were looked at", own)
	}
}

// TestFittingCanFail proves the test above by what only a long int can hold.
func TestFittingCanFail(t *testing.T) {
	t.Parallel()
	all := packages(t)
	for source, want := range map[string]bool{
		"package p\nfunc f(n int) bool { return n > 1<<31 }":                true,
		"package p\nfunc f(n int64) bool { return n > 1<<31 }":              false,
		"package p\nconst most = 1 << 40\nvar n = most":                     true,
		"package p\nimport \"math\"\nvar n int = math.MaxInt":               false,
		"package p\nimport \"time\"\nvar d = 3 * 365 * 24 * time.Hour":      false,
		"package p\nimport \"time\"\nvar d = int(3 * 365 * 24 * time.Hour)": true,
	} {
		if faults := faultsIn32(t, all, "p", map[string]any{"p.go": source}); (len(faults) > 0) != want {
			t.Errorf("%s: faults %v", source, faults)
		}
	}
}

// listed is a package as `go list` tells of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// files are the files of a package, to be read.
func (l listed) files() map[string]any {
	files := map[string]any{}
	for _, name := range l.GoFiles {
		files[filepath.Join(l.Dir, name)] = nil
	}
	return files
}

// packages are all packages of Copse and what they import, by path, as they were
// compiled for this machine.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...")
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v, %s", err, told.String())
	}
	all := map[string]listed{}
	for from := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := from.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// faultsIn32 are what a compiler for a machine of 32 bits says of files, or of what
// is given in their place.
func faultsIn32(t *testing.T, all map[string]listed, path string, files map[string]any) (faults []string) {
	t.Helper()
	_, faults = checkIn32(t, all, path, files)
	return faults
}

func checkIn32(t *testing.T, all map[string]listed, path string, files map[string]any) (_ *types.Package, faults []string) {
	t.Helper()
	set := token.NewFileSet()
	var parsed []*ast.File
	for file, source := range files {
		one, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, one)
	}
	compiled := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
	config := types.Config{
		Importer: imports(func(path string) (*types.Package, error) {
			switch path {
			case "math", "math/bits", "strconv": // they say how long an int is
				p, _ := checkIn32(t, all, path, all[path].files())
				return p, nil
			}
			return compiled.Import(path)
		}),
		Sizes: types.SizesFor("gc", "386"),
		Error: func(err error) { faults = append(faults, err.Error()) },
	}
	checked, _ := config.Check(path, set, parsed, nil) // each error was told
	return checked, faults
}

// imports is a function that finds packages.
type imports func(path string) (*types.Package, error)

// Import finds a package.
func (i imports) Import(path string) (*types.Package, error) { return i(path) }
