package terminal

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"copse/i18n"
)

func TestColourIsOnlyForThoseWhoSeeIt(t *testing.T) {
	for _, c := range []struct {
		env      string
		terminal bool
		want     Colour
	}{
		{"TERM=xterm-256color", true, Colour256},
		{"TERM=xterm-256color COLORTERM=truecolor", true, FullColour},
		{"TERM=xterm COLORTERM=24bit", true, FullColour},
		{"TERM=xterm-direct", true, FullColour},
		{"TERM=xterm-256color COLORTERM=truecolor", false, NoColour},
		{"TERM=xterm-256color COLORTERM=truecolor " + noColour + "=1", true, NoColour},
		{"TERM=dumb COLORTERM=truecolor", true, NoColour},
		{"TERM=vt100", true, NoColour},
		{"TERM=linux", true, NoColour},
		{"TERM=xterm", true, Colour256},
		{"", true, NoColour},
	} {
		getenv := func(name string) string {
			for field := range strings.FieldsSeq(c.env) {
				if value, ok := strings.CutPrefix(field, name+"="); ok {
					return value
				}
			}
			return ""
		}
		if got := ColourOf(getenv, c.terminal); got != c.want {
			t.Errorf("%q, a terminal %v: colour %d, want %d", c.env, c.terminal, got, c.want)
		}
	}
}

func TestTheNearestOf256Colours(t *testing.T) {
	for c, want := range map[ink]int{0x000001: 16, 0xFFFFFF: 231, 0xFF0000: 196, 0x00D7AF: 43, 0x808080: 244, 0x585858: 240} {
		if got := c.index(); got != want {
			t.Errorf("%06X is colour %d, want %d", uint32(c), got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "· "},
		{"one two", "· one two"},
		{"one two three four", "· one two\n  three four"},
		{"unbreakableword two", "· unbreakableword\n  two"},
		{"ainsi\u00A0: deux trois", "· ainsi\u00A0: deux\n  trois"},
		{"\x1b[1mone\x1b[0m two three", "· \x1b[1mone\x1b[0m two\n  three"},
	} {
		if got := wrap(c.text, 14, "· ", "  "); got != c.want {
			t.Errorf("%q is set as %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	if got, want := fold("ÉCUREUIL Où –−’ Ñ"), "ecureuil ou --' ñ"; got != want {
		t.Errorf("folded to %q, want %q", got, want)
	}
}

func TestQuoteIsShortAndHarmless(t *testing.T) {
	for _, text := range []string{"\x1b[2J", "\xff\xfe", strings.Repeat("é", 1000), "\u202Eevil", "a\tb"} {
		got := quote(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 41 || strings.ContainsAny(got, "\x1b\t\u202E") {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestLines(t *testing.T) {
	in := newInput(strings.NewReader(" one \r\n\n"+strings.Repeat("x", 3*longestLine)+"\nt\u00A0wo"), nil)
	var got []string
	for {
		text, fits, err := in.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if !fits {
			text = "too long"
		}
		got = append(got, text)
	}
	if want := []string{"one", "", "too long", "t wo"}; !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}

func TestRulebook(t *testing.T) {
	texts := fstest.MapFS{"rules.en.md": {Data: []byte(`# Game

About it.

## 1 First

**1.1** One *stressed* word.

| a | b |
|---|---|
| one player | long words that go on |

**1.2** Two.

## 2 Second

**2.1** Three, and so on to the end of the line.
`)}}
	book := readRulebook(texts, "it")
	d := &desk{locale: i18n.Pick("en"), width: 24}
	for _, c := range []struct{ number, want string }{
		{"1.1", "1.1 One stressed word.\n\n  a           b\n  one player  long words\n              that go on"},
		{"1.2", "1.2 Two."},
		{"2", "2 Second\n\n2.1 Three, and so on to\nthe end of the line."},
		{"3", ""},
		{"1.", ""},
		{"", ""},
	} {
		if got := book.print(book.rule(c.number), d); got != c.want {
			t.Errorf("rule %s is\n%s\nwant\n%s", c.number, got, c.want)
		}
	}
	if got := book.sections(); !slices.Equal(got, []string{"1 First", "2 Second"}) {
		t.Errorf("sections %q", got)
	}
	if readRulebook(nil, "en").lines != nil || readRulebook(fstest.MapFS{}, "en").lines != nil {
		t.Error("there are rules where nobody wrote any")
	}
}
