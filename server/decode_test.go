package server

import (
	"encoding/json"
	"errors"
	"testing"

	"copse/game"
	"copse/store"
)

// FuzzReadBookmarks: whatever a client sends as the last id, it is read as bookmarks
// or left out, and what is written for them reads the same.
func FuzzReadBookmarks(f *testing.F) {
	f.Add("a9nxxcf0pzk5.11.0.0")
	f.Add("a.1.w.2,b.3.1.4,a.9.0.0")
	f.Add("a.-1.0.0,,.,...,a.99999999999.0.0")
	f.Fuzz(func(t *testing.T, id string) {
		for name, p := range readBookmarks(id) {
			if !store.ValidID(name) || p.table != name || p.number < 0 || p.chat < 0 || p.viewer < game.Watcher {
				t.Fatalf("%q reads %+v", id, p)
			}
			if again := readBookmarks(string(p.append(nil)))[name]; again == nil || *again != *p {
				t.Errorf("%+v is written %s", p, p.append(nil))
			}
		}
	})
}

// FuzzRead: whatever is in a body, it is read or is a *game.Fault.
func FuzzRead(f *testing.F) {
	for _, body := range []string{`{"after":1,"moves":[{}]}`, `{"nonce":"x","seat":3}`, `{"for":"undo","yes":true}`, `{"phrase":null,"text":"x"}`, "", "null", "[", `{"after":1e99}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, into := range []any{&playBody{}, &sitBody{}, &answerBody{}, &sayBody{}, &botBody{}, &undoBody{}, &startBody{}, &nameBody{}, &codeBody{}, &none{}} {
			err := read(body, into)
			var fault *game.Fault
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("%q into %T: %v", body, into, err)
			}
			if p, ok := into.(*playBody); ok && err == nil {
				for _, m := range p.Moves {
					if !json.Valid(m) {
						t.Errorf("%q has a move %q", body, m)
					}
				}
			}
		}
	})
}

// TestNamesThatAreCleaned: what others read is one line of characters that can be
// seen.
func TestNamesThatAreCleaned(t *testing.T) {
	for text, want := range map[string]string{
		"Anna": "Anna", "  Anna  B. ": "Anna B.", "A\x00n\nna": "An na", "Łukasz 🌳": "Łukasz 🌳", "\u202eevil": "evil",
		"": "", "   ": "", "\u2800": "", "a234567890123456789012345": "",
	} {
		got, err := cleanName(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v, not %q", text, got, err, want)
		}
	}
}

// TestCodes: a code may be typed in several ways.
func TestCodes(t *testing.T) {
	s := &Server{Options: Options{Key: []byte("k")}}
	code := newCode()
	if len(code) != codeLength {
		t.Errorf("a code is %s", code)
	}
	if s.codeDigest("abcde-fghjk") != s.codeDigest("ABCDE FGHJK") || s.codeDigest("ABCDEFGHJK") == (&Server{Options: Options{Key: []byte("l")}}).codeDigest("ABCDEFGHJK") {
		t.Error("codes are not read as they should be")
	}
}
