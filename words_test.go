package copse

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// TestEveryWordLivesWhereTheTableSays reads the table of words in ARCHITECTURE.md.
// What it names must exist, and each of its words must be used there.
func TestEveryWordLivesWhereTheTableSays(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := wordRows(string(text))
	if len(rows) < 40 {
		t.Fatalf("the table has only %d rows: it was not found", len(rows))
	}
	tree, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, row := range rows {
		for _, fault := range row.faults(tree) {
			t.Error(fault)
		}
		for _, word := range row.words {
			if told[word] {
				t.Errorf("%q stands in the table twice: one word means one thing", word)
			}
			told[word] = true
		}
	}
}

// TestTheTableOfWordsCanFail proves the test above by rows that must not be.
func TestTheTableOfWordsCanFail(t *testing.T) {
	tree, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	const begin = "## Words\n\n| word | what it means | where it lives |\n|---|---|---|\n"
	for row, want := range map[string]string{
		"| wish | a | `table.Wish` |":                    "",
		"| turn state | a | `hall/row.go` |":             "",
		"| house time | a | `server/hall/clock.go` |":    "",
		"| box | a | `games/*/box.go` |":                 "",
		"| heard | a | `table.Step.Heard` |":             "",
		"| draft | a | `table/play.go`, the page |":      "",
		"| wish | a | `table.Wisp` |":                    "`table.Wisp` does not exist",
		"| wish | a | `table.Step.Wish` |":               "`table.Step.Wish` does not exist",
		"| wish | a | `hall/turns.go` |":                 "`hall/turns.go` does not exist",
		"| wish | a | `tables` |":                        "`tables` does not exist",
		"| wizard | a | `table` |":                       `"wizard" is not used in table`,
		"| wish, wizard | a | `table.Wish`, `server` |":  `"wizard" is not used in table.Wish, server`,
		"| box | a | `games/*/fox.go` |":                 "`games/*/fox.go` does not exist",
		"| wish | a | nowhere |":                         `"wish" has no place`,
		"| turn mood | a | `hall/row.go`, `game.Seat` |": `"turn mood" is not used in hall/row.go, game.Seat`,
	} {
		got := ""
		for _, r := range wordRows(begin + row + "\n\nAfter.\n") {
			got = strings.Join(r.faults(tree), "; ")
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", row, got, want)
		}
	}
}

// wordRow is a row of the table: words, and the places where they live.
type wordRow struct{ words, places []string }

var quoted = regexp.MustCompile("`([^`]+)`")

// wordRows are the rows of the first table under the heading Words.
func wordRows(text string) (rows []wordRow) {
	_, text, _ = strings.Cut(text, "## Words\n")
	begun := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 5 {
			if begun {
				break
			}
			continue
		}
		if begun = true; strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "word" {
			continue
		}
		row := wordRow{}
		for word := range strings.SplitSeq(cells[1], ",") {
			row.words = append(row.words, strings.TrimSpace(word))
		}
		for _, name := range quoted.FindAllStringSubmatch(strings.Join(cells[3:], "|"), -1) {
			row.places = append(row.places, name[1])
		}
		rows = append(rows, row)
	}
	return rows
}

// faults says which places of the row do not exist, and which words are used in
// none of them.
func (r wordRow) faults(tree []source) (list []string) {
	if len(r.places) == 0 {
		return []string{fmt.Sprintf("%q has no place", strings.Join(r.words, ", "))}
	}
	var found []source
	for _, place := range r.places {
		at := lookUp(tree, place)
		if len(at) == 0 {
			list = append(list, "`"+place+"` does not exist")
		}
		found = append(found, at...)
	}
	for _, word := range r.words {
		if len(found) > 0 && !slices.ContainsFunc(found, func(s source) bool { return s.uses(word) }) {
			list = append(list, fmt.Sprintf("%q is not used in %s", word, strings.Join(r.places, ", ")))
		}
	}
	return list
}

// lookUp finds the files that a place means: a file or the files of a folder, by the
// end of its path, where * stands for any step; or those of the package of
// package.Name or package.Type.Member, one of which must declare it.
func lookUp(tree []source, place string) (found []source) {
	if before, member, dotted := strings.Cut(place, "."); dotted && !strings.Contains(place, "/") && unicode.IsUpper(rune(member[0])) {
		for _, s := range tree {
			if path.Base(path.Dir(s.file)) == before && path.Ext(s.file) == ".go" {
				found = append(found, s)
			}
		}
		if !slices.ContainsFunc(found, func(s source) bool { return s.declares[member] }) {
			return nil
		}
		return found
	}
	for _, s := range tree {
		for _, at := range []string{s.file, path.Dir(s.file)} {
			if ends(at, place) {
				found = append(found, s)
			}
		}
	}
	return found
}

// ends tells whether the last steps of a path are these.
func ends(at, steps string) bool {
	have, want := strings.Split(at, "/"), strings.Split(steps, "/")
	if len(have) < len(want) {
		return false
	}
	for i, step := range have[len(have)-len(want):] {
		if ok, err := path.Match(want[i], step); err != nil || !ok {
			return false
		}
	}
	return true
}

// source is a file of the repository: what it declares, the words of its
// identifiers, and its comments.
type source struct {
	file     string
	declares map[string]bool // Name, and Type.Member
	words    map[string]bool // identifiers word by word, such as "turn state"
	comments string
}

// uses tells whether a word is part of an identifier of the file. A phrase of
// several words may stand in a comment instead.
func (s source) uses(word string) bool {
	word = strings.ToLower(word)
	if s.words[word] || s.words[word+"s"] || s.words[word+"es"] {
		return true
	}
	return strings.Contains(word, " ") && strings.Contains(s.comments, word)
}

var pieces = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// learn adds an identifier, and every row of words in it.
func (s source) learn(identifier string) {
	list := pieces.FindAllString(identifier, -1)
	for i := range list {
		for j := i + 1; j <= len(list); j++ {
			s.words[strings.ToLower(strings.Join(list[i:j], " "))] = true
		}
	}
}

// readTree reads the source of the repository, once: Go, and the scripts of the page.
var readTree = sync.OnceValues(func() (tree []source, err error) {
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"node_modules", "tools", "testdata", "dist", "build"}, d.Name())) {
			return filepath.SkipDir
		}
		s := source{file: filepath.ToSlash(file), declares: map[string]bool{}, words: map[string]bool{}}
		switch path.Ext(file) {
		case ".go":
			err = s.readGo()
		case ".ts", ".svelte":
			var raw []byte
			if raw, err = os.ReadFile(file); err == nil {
				for _, name := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(string(raw), -1) {
					s.learn(name)
				}
			}
		default:
			return nil
		}
		tree = append(tree, s)
		return err
	})
	return tree, err
})

func (s *source) readGo() error {
	parsed, err := parser.ParseFile(token.NewFileSet(), s.file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, group := range parsed.Comments {
		s.comments += strings.ToLower(strings.Join(strings.Fields(group.Text()), " ")) + "\n"
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			s.learn(n.Name)
		case *ast.FuncDecl:
			s.declares[n.Name.Name] = true
			if n.Recv != nil {
				s.declares[receiver(n.Recv.List[0].Type)+"."+n.Name.Name] = true
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				s.declares[name.Name] = true
			}
		case *ast.TypeSpec:
			s.declares[n.Name.Name] = true
			var fields *ast.FieldList
			switch of := n.Type.(type) {
			case *ast.StructType:
				fields = of.Fields
			case *ast.InterfaceType:
				fields = of.Methods
			default:
				return true
			}
			for _, f := range fields.List {
				for _, name := range f.Names {
					s.declares[n.Name.Name+"."+name.Name] = true
				}
			}
		}
		return true
	})
	return nil
}

// receiver is the type of a receiver, without its pointer and its parameters.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
