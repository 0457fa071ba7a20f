package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// theApp is the commands as main knows them.
func theApp() *kong.Application { return newApp(new(commands)).Model }

// TestTheManualIsTheDocument: docs/commands.md is what the program prints.
func TestTheManualIsTheDocument(t *testing.T) {
	t.Parallel()
	const file = "../../docs/commands.md"
	var b strings.Builder
	writeMarkdown(&b, theApp())
	if os.Getenv("COPSE_WRITE_DOCS") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || string(kept) != b.String() {
		t.Errorf("docs/commands.md is not what copse manual --as markdown prints (%v): write it by COPSE_WRITE_DOCS=1 go test -run Manual ./cmd/copse", err)
	}
}

// called is what a field of a command is called on the command line.
func called(field, tag string) string {
	if own := regexp.MustCompile(`name:"([^"]+)"`).FindStringSubmatch(tag); own != nil {
		return own[1]
	}
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(field, "$1-$2"))
}

// declared are all flags that are declared in Go, found without the parser that the
// manual and the scripts are made with: "serve --addr" and so on.
func declared(t *testing.T) (list []string) {
	t.Helper()
	source, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range source {
		if !strings.HasSuffix(file, "_test.go") {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all += string(raw)
		}
	}
	var fields func(prefix, structure string)
	fields = func(prefix, structure string) {
		body := regexp.MustCompile(`(?ms)^type ` + structure + ` struct \{(.*?)^\}`).FindStringSubmatch(all)
		if body == nil {
			if !strings.Contains(all, "type "+structure+" struct{}") {
				t.Fatalf("there is no %s", structure)
			}
			return
		}
		for _, line := range strings.Split(body[1], "\n") {
			words := strings.Fields(line)
			tag := regexp.MustCompile("`(.*)`").FindString(line)
			switch {
			case len(words) == 1 && strings.HasSuffix(words[0], "Flags"), len(words) == 1 && strings.HasSuffix(words[0], "Flag"):
				fields(prefix, words[0])
			case len(words) < 2, strings.HasPrefix(words[0], "//"), strings.Contains(tag, "hidden:"), strings.Contains(tag, `arg:""`):
			case strings.Contains(tag, `cmd:""`):
				fields(strings.TrimSpace(prefix+" "+called(words[0], tag)), words[1])
			default:
				list = append(list, strings.TrimSpace(prefix+" --"+called(words[0], tag)))
			}
		}
	}
	fields("", "commands")
	return list
}

// TestEveryFlagIsTold: in the man page, in the document and in the completion of
// every shell, at the command it belongs to.
func TestEveryFlagIsTold(t *testing.T) {
	t.Parallel()
	app := theApp()
	text := func(write func(*strings.Builder)) string {
		var b strings.Builder
		write(&b)
		return b.String()
	}
	man := text(func(b *strings.Builder) { writeMan(b, app) })
	page := text(func(b *strings.Builder) { writeMarkdown(b, app) })
	zsh := text(func(b *strings.Builder) { writeZsh(b, app) })
	fish := text(func(b *strings.Builder) { writeFish(b, app) })
	part := func(all, from, to string) string {
		_, rest, found := strings.Cut(all, from)
		if !found {
			t.Errorf("there is no %q", from)
		}
		own, _, _ := strings.Cut(rest, to)
		return own
	}
	list := declared(t)
	if len(list) < 80 || !slices.Contains(list, "box show --lang") || !slices.Contains(list, "--version") || !slices.Contains(list, "backup --data") || slices.Contains(list, "loaded --bare") {
		t.Fatalf("the flags were not found: %q", list)
	}
	var typed [][]string
	for _, one := range list {
		typed = append(typed, strings.Fields(one))
	}
	bash := completed(t, typed...)
	for i, one := range list {
		command, flag, _ := strings.Cut(one, "--")
		command = strings.TrimSpace(command)
		hyphens := `\-\-` + strings.ReplaceAll(flag, "-", `\-`)
		if command == "" {
			for name, whole := range map[string]string{"man": part(man, ".SH EVERYWHERE", ".SH"), "markdown": part(page, "# Commands", "## "), "zsh": part(zsh, "\n_copse() {", "\n}"), "fish": fish, "bash": bash[i]} {
				if !strings.Contains(whole, flag) {
					t.Errorf("%s does not tell --%s", name, flag)
				}
			}
			continue
		}
		for name, found := range map[string]bool{
			"man":      regexp.MustCompile(regexp.QuoteMeta(`.B `+hyphens) + `(\[?=|\n)`).MatchString(part(man, ".SS copse "+strings.ReplaceAll(command, "-", `\-`)+" ", ".SS ")),
			"markdown": regexp.MustCompile("\\| `--" + flag + "(\\[?=|`)").MatchString(part(page, "## copse "+command+"\n", "\n## ")),
			"zsh":      regexp.MustCompile(`'\*?--` + flag + `(=?\[)`).MatchString(part(zsh, "\n_copse_"+strings.ReplaceAll(command, " ", "_")+"() {", "\n}")),
			"fish":     regexp.MustCompile(`from ` + strings.ReplaceAll(command, " ", "; and __fish_seen_subcommand_from ") + `' -l ` + flag + ` `).MatchString(fish),
			"bash":     slices.Contains(strings.Fields(bash[i]), "--"+flag),
		} {
			if !found {
				t.Errorf("%s does not tell %s", name, one)
			}
		}
	}
}

// completed is what bash offers for the last word of each line that is typed, by the
// script as it is printed.
func completed(t *testing.T, lines ...[]string) (offers []string) {
	t.Helper()
	var b strings.Builder
	writeBash(&b, theApp())
	b.WriteString("\n")
	for _, words := range lines {
		b.WriteString("COMP_WORDS=(copse")
		for _, word := range words {
			b.WriteString(" " + quoted(word))
		}
		b.WriteString("); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _copse; echo \"${COMPREPLY[*]}\"\n")
	}
	bash := exec.Command("bash", "-u", "-c", b.String())
	bash.Dir = t.TempDir()
	var told bytes.Buffer
	bash.Stderr = &told
	out, err := bash.Output()
	offers = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || told.Len() > 0 || len(offers) != len(lines) {
		t.Fatalf("%v, %s: %d offers for %d lines", err, told.String(), len(offers), len(lines))
	}
	return offers
}

// TestBashCompletes: commands, flags, the values that there are, and files.
func TestBashCompletes(t *testing.T) {
	t.Parallel()
	cases := []struct{ typed, want string }{
		{"se", "serve"},
		{"lo", "load"}, // loaded is for copse itself
		{"box ", "show check --help --version"},
		{"box s", "show"},
		{"serve --log ", "text json"},
		{"serve --log = j", "json"},
		{"serve --log =", "text json"},
		{"serve --proxy --log t", "text"},
		{"serve --addr ", ""},
		{"play --", "--seats --option --box --humans --bots --lang --colour --seed --help --version"},
		{"play g", "grandbois"},
		{"help ver", "verify version"},
		{"box show --lang f", "fr"},
		{"completion ", "bash zsh fish --help --version"},
		{"verify serve --", "--commitment --help --version"},
	}
	var lines [][]string
	for _, c := range cases {
		lines = append(lines, strings.Split(c.typed, " "))
	}
	for i, got := range completed(t, lines...) {
		if c := cases[i]; got != c.want {
			t.Errorf("copse %s⇥ offers %q, want %q", c.typed, got, c.want)
		}
	}
}

// TestTheVersionIsThatOfTheChangelog: the newest version there is this one, and it is
// one by semver.org.
func TestTheVersionIsThatOfTheChangelog(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	versions := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)\b`).FindStringSubmatch(string(raw))
	if versions == nil || versions[1] != release {
		t.Errorf("the newest version in CHANGELOG.md is %q, and this is %s", versions, release)
	}
}

// TestWhatIsKnownOfTheBuild: the version is always told, the commit where it is known.
func TestWhatIsKnownOfTheBuild(t *testing.T) {
	for _, c := range []struct {
		b    build
		want string
	}{
		{build{}, release},
		{build{commit: "0123456789abcdef"}, release + " (0123456789ab)"},
		{build{commit: "0123456789abcdef", date: "2026-11-16T12:00:00Z"}, release + " (0123456789ab, 2026-11-16)"},
		{build{commit: "0123456789abcdef", date: "2026-11-16T12:00:00Z", changed: true}, release + " (0123456789ab.changed, 2026-11-16)"},
		{build{commit: "abc"}, release + " (abc)"},
	} {
		if got := c.b.String(); got != c.want {
			t.Errorf("%+v is told as %q, want %q", c.b, got, c.want)
		}
	}
	defer func() { commit, date, changed = "", "", "" }()
	commit, date = "fedcba9876543210", "2026-11-15T08:00:00Z"
	if got := version(); got != release+"+fedcba987654" {
		t.Errorf("the linker's commit makes %q", got)
	}
	changed = "true"
	if got := version(); got != release+"+fedcba987654.changed" || !built().changed {
		t.Errorf("changed files make %q", got)
	}
}
