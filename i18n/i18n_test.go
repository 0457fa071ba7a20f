package i18n_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"copse/game"
	"copse/i18n"
)

// vectors are shared with every other implementation of README.md.
type vectors struct {
	Say []struct {
		Name      string            `json:"name"`
		Locale    string            `json:"locale"`
		Key       string            `json:"key"`
		Message   string            `json:"message"`
		Words     map[string]string `json:"words"`
		Args      map[string]any    `json:"args"`
		Names     []string          `json:"names"`
		Want      string            `json:"want"`
		Malformed bool              `json:"malformed"`
	} `json:"say"`
	Pick []struct {
		Lang string `json:"lang"`
		Want string `json:"want"`
	} `json:"pick"`
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func TestVectors(t *testing.T) {
	var all vectors
	read(t, "vectors.json", &all)
	if len(all.Say) == 0 || len(all.Pick) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range all.Say {
		messages := map[string]string{}
		for key, word := range v.Words {
			messages[key] = word
		}
		if v.Key == "" {
			v.Key = "the.message"
			messages[v.Key] = v.Message
		}
		l, err := i18n.New(v.Locale, messages)
		if (err != nil) != v.Malformed {
			t.Errorf("%s: %q: malformed %v, error %v", v.Name, v.Message, v.Malformed, err)
		}
		if got := l.Say(v.Key, v.Args, i18n.Names(v.Names...)); got != v.Want && !v.Malformed {
			t.Errorf("%s: %q\nsays %q\nwant %q", v.Name, v.Message, got, v.Want)
		}
	}
	for _, v := range all.Pick {
		if got := i18n.Pick(v.Lang).Tag(); got != v.Want {
			t.Errorf("Pick(%q) is %s, want %s", v.Lang, got, v.Want)
		}
	}
}

// Arguments that the rules pass in Go count the same as those that a page gets over
// the wire.
func TestArgumentsCountAsTheirJSON(t *testing.T) {
	type tile uint8
	l, err := i18n.New("en", map[string]string{
		"plain":  "{x}",
		"plural": "{x, plural, one {# point} other {# points}}",
		"square": "{x, square}",
		"seat":   "{x, seat}",
		"list":   "{x, list}",
		"word":   "{x, word, w}",
		"signed": "{x, signed}",
	})
	if err != nil {
		t.Fatal(err)
	}
	names := i18n.Names("Ada", "Bea")
	for _, c := range []struct {
		key  string
		x    any
		want string
	}{
		{"plain", int8(-3), "−3"},
		{"plain", uint64(3), "3"},
		{"plain", tile(3), "3"},
		{"plain", game.Points(7), "7"},
		{"plain", game.Unknown, "?"},
		{"plain", json.RawMessage(`"a"`), "a"},
		{"plain", json.RawMessage(`{`), "?"},
		{"plain", func() {}, "?"},
		{"plural", tile(1), "1 point"},
		{"plural", int32(2), "2 points"},
		{"square", [2]int{4, 3}, "D5"},
		{"square", [2]int8{4, 3}, "D5"},
		{"square", []int{-1, 3}, "(−1, 3)"},
		{"square", []any{4, 3.0}, "D5"},
		{"seat", game.Seat(1), "Bea"},
		{"seat", game.Chance, "chance"},
		{"seat", game.Seat(3), "#4"},
		{"list", []int{1, 2, 3}, "1, 2 and 3"},
		{"list", [2]int{1, 2}, "1 and 2"},
		{"list", []string{"a", "b"}, "a and b"},
		{"list", []game.Seat{0, 1}, "0 and 1"},
		{"word", tile(5), "5"},
		{"signed", int16(5), "+5"},
	} {
		if got := l.Say(c.key, map[string]any{"x": c.x}, names); got != c.want {
			t.Errorf("%s of %T %v says %q, want %q", c.key, c.x, c.x, got, c.want)
		}
	}
	if got := l.Say("seat", map[string]any{"x": 0}, nil); got != "#1" {
		t.Errorf("without names seat 0 is %q, want #1", got)
	}
	if got := l.Say("no.key", nil, nil); got != "no.key" {
		t.Errorf("a missing key says %q", got)
	}
}

func TestLocalesComeEnglishFirst(t *testing.T) {
	var tags []string
	for _, l := range i18n.Locales() {
		tags = append(tags, l.Tag())
	}
	if !slices.Equal(tags, []string{"en", "fr", "it"}) {
		t.Errorf("Locales are %v", tags)
	}
}

func FuzzMessage(f *testing.F) {
	var all vectors
	raw, err := os.ReadFile("vectors.json")
	if err != nil {
		f.Fatal(err)
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		f.Fatal(err)
	}
	for _, v := range all.Say {
		args, err := json.Marshal(v.Args)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(v.Message, args)
	}
	f.Fuzz(func(t *testing.T, message string, raw []byte) {
		var args map[string]any
		if json.Unmarshal(raw, &args) != nil {
			return
		}
		for _, tag := range []string{"en", "fr", "it"} {
			l, err := i18n.New(tag, map[string]string{"k": message})
			if err != nil != (len(l.Keys()) == 0) {
				t.Errorf("%q: error %v, but %d messages", message, err, len(l.Keys()))
			}
			l.Say("k", args, nil)
			l.Slots("k")
		}
	})
}
