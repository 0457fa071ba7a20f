package terminal

import (
	"os/exec"
	"strings"
	"testing"
)

// A shell reads what is printed for pasting as it was meant, and it holds nothing
// that steers a terminal.
func TestACommandCanBePasted(t *testing.T) {
	words := []string{
		"bin/copse", "play", "expert=true", "chêne", "a b", "it's", `"$HOME" \`, "", "*?[", "~", "#1", "-x;y", "a\tb", "\x1b[31m", "\xff\\'",
	}
	line := shellLine(words)
	if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		t.Errorf("%q steers the terminal", line)
	}
	if plain := "bin/copse play expert=true chêne 'a b' "; !strings.HasPrefix(line, plain) {
		t.Errorf("%s, want %s…", line, plain)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(bash, "-c", `printf '<%s>' `+line).Output()
	if want := "<" + strings.Join(words, "><") + ">"; err != nil || string(out) != want {
		t.Errorf("bash reads %q, %v, want %q", out, err, want)
	}
}
