package table

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestChatIsCleaned(t *testing.T) {
	for text, want := range map[string]string{
		"  Well\tplayed,\n  Bea! ":                     "Well played, Bea!",
		"caffè è già finito – ça va ?":                 "caffè è già finito – ça va ?",
		"e\u0301toile":                                 "e\u0301toile",
		"👩\u200d🌾 and 🌳\ufe0f":                         "👩\u200d🌾 and 🌳\ufe0f",
		"a\x00b\x1b[31mc\u202ed\u2066e":                "ab[31mcde",
		"z\u0300\u0301\u0302\u0303\u0304\u0305\u0306y": "z\u0300\u0301\u0302\u0303y",
		"bad \xff\xfe bytes":                           "bad bytes",
		strings.Repeat("é", LongestChat):               strings.Repeat("é", LongestChat),
		"\ue000private":                                "private",
	} {
		if got, err := CleanChat(text); err != nil || got != want {
			t.Errorf("%q is read as %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", " \n\t ", "\u200b\u2060", "\u200d", "\u0301", "\u3164", "\u2800"} {
		if got, err := CleanChat(text); keyOf(err) != "table.chat.empty" {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	for _, text := range []string{strings.Repeat("x", LongestChat+1), strings.Repeat("x ", LongestChat)} {
		if got, err := CleanChat(text); keyOf(err) != "table.chat.long" {
			t.Errorf("%.20q is read as %q, %v", text, got, err)
		}
	}
}

func FuzzChat(f *testing.F) {
	for _, text := range []string{"Hello!", "\u202e", "👩\u200d🌾", "a\n\nb", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean, err := CleanChat(text)
		if err != nil {
			return
		}
		if again, err := CleanChat(clean); err != nil || again != clean {
			t.Fatalf("%q becomes %q and then %q, %v", text, clean, again, err)
		}
		if !utf8.ValidString(clean) || utf8.RuneCountInString(clean) > LongestChat || strings.ContainsAny(clean, "\n\r\x1b\u202e") {
			t.Fatalf("%q becomes %q", text, clean)
		}
	})
}

func TestADozenPhrasesCanBeSaid(t *testing.T) {
	if n := len(Sayings()); n != 12 {
		t.Errorf("there are %d", n)
	}
	for _, name := range Sayings() {
		if err := CheckSaying(name); err != nil {
			t.Error(err)
		}
	}
	if keyOf(CheckSaying("money")) != "table.chat.phrase" {
		t.Error("money can be said")
	}
}
