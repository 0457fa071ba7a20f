package copse

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// asvsRows are the rows of three chapters of the OWASP Application Security Verification
// Standard 5.0.0 at the levels 1 and 2: APIs, authentication, sessions.
const asvsRows = `
4.1.1:1 4.1.2:2 4.1.3:2 4.2.1:2 4.3.1:2 4.3.2:2 4.4.1:1 4.4.2:2 4.4.3:2 4.4.4:2
6.1.1:1 6.1.2:2 6.1.3:2
6.2.1:1 6.2.2:1 6.2.3:1 6.2.4:1 6.2.5:1 6.2.6:1 6.2.7:1 6.2.8:1 6.2.9:2 6.2.10:2 6.2.11:2 6.2.12:2
6.3.1:1 6.3.2:1 6.3.3:2 6.3.4:2 6.4.1:1 6.4.2:1 6.4.3:2 6.4.4:2
6.5.1:2 6.5.2:2 6.5.3:2 6.5.4:2 6.5.5:2 6.6.1:2 6.6.2:2 6.6.3:2 6.8.1:2 6.8.2:2 6.8.3:2 6.8.4:2
7.1.1:2 7.1.2:2 7.1.3:2 7.2.1:1 7.2.2:1 7.2.3:1 7.2.4:1 7.3.1:2 7.3.2:2
7.4.1:1 7.4.2:1 7.4.3:2 7.4.4:2 7.4.5:2 7.5.1:2 7.5.2:2 7.6.1:2 7.6.2:2`

// TestEveryRowOfTheStandardIsAnswered reads docs/asvs.md: every row is there once, with one
// of three verdicts, and every test that it names exists; what is met names one.
func TestEveryRowOfTheStandardIsAnswered(t *testing.T) {
	page, err := os.ReadFile("docs/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range asvsFaults(string(page)) {
		t.Error(fault)
	}
}

// TestTheRowsCanFail proves the test above by pages that must not be.
func TestTheRowsCanFail(t *testing.T) {
	raw, err := os.ReadFile("docs/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, c := range []struct{ old, new, want string }{
		{"| 6.3.2 | 1 |", "| 6.3.9 | 1 |", "there is no row 6.3.2"},
		{"| 6.3.2 | 1 |", "| 6.3.2 | 2 |", "6.3.2 is of level 1"},
		{"| 6.8.3 | 2 |", "| 6.8.4 | 2 |", "6.8.4 is there twice"},
		{"| met | `server/bounds_test.go TestANewHouseKnowsNobody`.", "| nearly met | `server/bounds_test.go TestANewHouseKnowsNobody`.", "6.3.2 is “nearly met”"},
		{"| met | `server/bounds_test.go TestANewHouseKnowsNobody`.", "| met | By hand.", "6.3.2 is met, and no test shows it"},
		{"TestANewHouseKnowsNobody", "TestANewHouseKnowsSomebody", "there is no test TestANewHouseKnowsSomebody in server/bounds_test.go"},
		{"`server/bounds_test.go TestANew", "`server/no_test.go TestANew", "server/no_test.go"},
		{"“a name is changed for everyone, and", "“a name is changed for nobody, and", "there is no test “a name is changed for nobody"},
		{"| not applicable | there is no SAML |", "| not applicable | |", "6.8.3 does not say why"},
	} {
		if strings.Count(page, c.old) == 0 {
			t.Errorf("the page does not say %q", c.old)
		}
		if got := strings.Join(asvsFaults(strings.Replace(page, c.old, c.new, 1)), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%q is not found: %s", c.want, got)
		}
	}
}

var (
	asvsRow    = regexp.MustCompile(`^\| ([0-9]+\.[0-9]+\.[0-9]+) \|`)
	goTests    = regexp.MustCompile("`([a-z0-9_/]+_test\\.go) (Test[A-Za-z0-9]+)`")
	pageTests  = regexp.MustCompile("`(web/browser/[a-z.]+\\.test\\.mjs) “([^”]+)”`")
	namesATest = regexp.MustCompile(`Test[A-Z][A-Za-z0-9]+|\.test\.mjs|_test\.go `)
)

// asvsFaults is what is wrong with a page.
func asvsFaults(page string) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	levels := map[string]string{}
	for _, one := range strings.Fields(asvsRows) {
		row, level, _ := strings.Cut(one, ":")
		levels[row] = level
	}
	seen := map[string]bool{}
	for line := range strings.Lines(page) {
		tests := append(goTests.FindAllStringSubmatch(line, -1), pageTests.FindAllStringSubmatch(line, -1)...)
		for _, test := range tests {
			if raw, err := os.ReadFile(test[1]); err != nil {
				fault("%v", err)
			} else if !strings.Contains(string(raw), "\nfunc "+test[2]+"(") && !strings.Contains(string(raw), "\ntest('"+test[2]+"'") {
				fault("there is no test %s in %s", quotedTitle(test[2]), test[1])
			}
		}
		if rest := pageTests.ReplaceAllString(goTests.ReplaceAllString(line, ""), ""); namesATest.MatchString(rest) {
			fault("a test is named in a way that nobody checks: %s", namesATest.FindString(rest))
		}
		found := asvsRow.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		row := found[1]
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 {
			fault("%s has %d cells", row, len(cells)-2)
			continue
		}
		level, asked, verdict, how := strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3]), strings.TrimSpace(cells[4]), strings.TrimSpace(cells[5])
		switch {
		case levels[row] == "":
			fault("the standard has no row %s", row)
		case seen[row]:
			fault("%s is there twice", row)
		case levels[row] != level:
			fault("%s is of level %s", row, levels[row])
		}
		seen[row] = true
		switch {
		case verdict != "met" && verdict != "not met" && verdict != "not applicable":
			fault("%s is “%s”", row, verdict)
		case verdict == "met" && len(tests) == 0:
			fault("%s is met, and no test shows it", row)
		case how == "" || asked == "":
			fault("%s does not say why", row)
		}
	}
	for row := range levels {
		if !seen[row] {
			fault("there is no row %s", row)
		}
	}
	return faults
}

// quotedTitle is the name of a test as a page has it.
func quotedTitle(name string) string {
	if strings.Contains(name, " ") {
		return "“" + name + "”"
	}
	return name
}
