package gametest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"testing"
)

var (
	ruleTest   = regexp.MustCompile(`^TestRule(\d)_(\d+)`)
	ruleNumber = regexp.MustCompile(`(?m)^\*\*(\d\.\d+)\*\*`)
)

// RulesTested fails unless the rules in words have so many numbered rules in every
// language, and rules_test.go has a test named after each of them and after nothing
// else.
func RulesTested(t *testing.T, texts fs.FS, rules int) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "rules_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for name := range parsed.Scope.Objects {
		if m := ruleTest.FindStringSubmatch(name); m != nil {
			tested[m[1]+"."+m[2]] = true
		}
	}
	for _, language := range []string{"en", "fr", "it"} {
		file := "rules." + language + ".md"
		text, err := fs.ReadFile(texts, file)
		if err != nil {
			t.Fatal(err)
		}
		left := maps.Clone(tested)
		numbers := ruleNumber.FindAllSubmatch(text, -1)
		if len(numbers) != rules {
			t.Errorf("%s has %d numbered rules, want %d", file, len(numbers), rules)
		}
		for _, n := range numbers {
			if !left[string(n[1])] {
				t.Errorf("%s: rule %s has no test, or comes twice", file, n[1])
			}
			delete(left, string(n[1]))
		}
		for number := range left {
			t.Errorf("%s: a test is named after rule %s, which there is not", file, number)
		}
	}
}
