package sqlite

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestLibcIsTheOneThatSQLiteWasTranslatedFor: with another version SQLite may
// corrupt memory, and nothing else would notice.
func TestLibcIsTheOneThatSQLiteWasTranslatedFor(t *testing.T) {
	version := regexp.MustCompile(`(?m)^\s*(?:require )?modernc\.org/libc (v\S+)`)
	ask := func(format, module string) string {
		t.Helper()
		out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", module, err)
		}
		return strings.TrimSpace(string(out))
	}
	theirs, err := os.ReadFile(ask("{{.GoMod}}", "modernc.org/sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	want := version.FindSubmatch(theirs)
	if want == nil {
		t.Fatal("SQLite's go.mod names no libc")
	}
	if got := ask("{{.Version}}", "modernc.org/libc"); got != string(want[1]) {
		t.Errorf("modernc.org/libc is %s, and SQLite needs %s: go get modernc.org/libc@%s", got, want[1], want[1])
	}
}
