package copse

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// choosers are the packages that what a player chooses is computed in, and what a
// rating becomes.
var choosers = []string{"./bot", "./game", "./game/sums", "./games", "./games/bosk", "./games/grandbois", "./games/treesociety", "./rating"}

// fused is a step by which a processor multiplies and adds at once, as the compiler
// lists it.
var fused = regexp.MustCompile(`\(([^()]+\.go:\d+)\)\s+FN?M(?:ADD|SUB)[DS]?\s`)

// TestNoProductIsFusedWithASum: on processors that can multiply and add in one step,
// the compiler does so where a product is not rounded first. The sum then has other
// bits, and a player may choose another move there. Write float64(a*b) + c.
func TestNoProductIsFusedWithASum(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, choosers...)...)
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, listing)
	}
	if !bytes.Contains(listing, []byte("FMULD")) || !bytes.Contains(listing, []byte("FADDD")) {
		t.Fatal("nothing is multiplied or added: this is no listing")
	}
	var where []string
	for _, found := range fused.FindAllSubmatch(listing, -1) {
		where = append(where, string(found[1]))
	}
	slices.Sort(where)
	for _, at := range slices.Compact(where) {
		t.Errorf("%s: a product is fused with a sum", at)
	}
}

// alike are the functions of package math that give the same bits on every machine.
var alike = []string{
	"Abs", "Ceil", "Copysign", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "NaN", "Round", "Signbit", "Sqrt", "Trunc",
}

// TestChoicesUseNoMathOfTheMachine: package math computes exponentials and the like in
// another way on each processor; package game/sums does not.
func TestChoicesUseNoMathOfTheMachine(t *testing.T) {
	t.Parallel()
	looked := 0
	for _, folder := range choosers {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				s, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if of, ok := s.X.(*ast.Ident); ok && of.Name == "math" && of.Obj == nil {
					looked++
					if !slices.Contains(alike, s.Sel.Name) {
						t.Errorf("%s: math.%s: use package game/sums", set.Position(s.Pos()), s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if looked < 10 {
		t.Errorf("package math is used %d times: that cannot be", looked)
	}
}
