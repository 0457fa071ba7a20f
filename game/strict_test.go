package game_test

import (
	"encoding/json"
	"testing"

	"copse/game"
)

func TestWhatFromOutsideIsNotWhatIsWritten(t *testing.T) {
	for _, c := range []struct {
		outside, written string
		same, within     string // what is blamed
	}{
		{`{"a":1,"b":[2,{"c":null}]}`, ` {"b":[2,{"c":null}],"a":1} `, "", ""},
		{`{"a":2}`, `{"a":1}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":1.0}`, `{"a":1}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":"1"}`, `{"a":1}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":null}`, `{"a":1}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":null}`, `{"a":[]}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":null}`, `{"a":{}}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":{}}`, `{"a":null}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"A":1}`, `{"a":1}`, `k {"path":"r.A"}`, `k {"path":"r.A"}`},
		{`{}`, `{"a":null}`, `k {"path":"r.a"}`, ``},
		{`{"a":null}`, `{}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"b":{"x":1}}`, `{"a":1,"b":{"x":1,"y":2}}`, `k {"path":"r.a"}`, ``},
		{`{"b":2,"c":3}`, `{"b":1,"c":1}`, `k {"path":"r.b"}`, `k {"path":"r.b"}`},
		{`{"a":[1,2]}`, `{"a":[1,3]}`, `k {"path":"r.a[1]"}`, `k {"path":"r.a[1]"}`},
		{`{"a":[1]}`, `{"a":[1,2]}`, `k {"path":"r.a"}`, `k {"path":"r.a"}`},
		{`{"a":[{"x":1}]}`, `{"a":[{"x":1,"y":2}]}`, `k {"path":"r.a[0].y"}`, `k {"path":"r.a[0].y"}`},
		{`[]`, `{}`, `k {"path":"r"}`, `k {"path":"r"}`},
		{`{"a":1,"a":1}`, `{"a":1}`, `json.twice {"field":"a"}`, `json.twice {"field":"a"}`},
		{`{"a":[{"b":{}},{"c":1,"d":[],"c":1}]}`, `{}`, `json.twice {"field":"c"}`, `json.twice {"field":"c"}`},
		{`[{"a":{"b":1}},{"a":{"b":1}}]`, `[{"a":{"b":1}},{"a":{"b":1}}]`, ``, ``},
		{`["a","a",{"a":"a","b":"a"}]`, `["a","a",{"a":"a","b":"a"}]`, ``, ``},
		{`{"a":{"a":1},"b":{"a":1}}`, `{"a":{"a":1},"b":{"a":1}}`, ``, ``},
		{`{`, `{}`, `json.object {}`, `json.object {}`},
		{``, `{}`, `json.object {}`, `json.object {}`},
	} {
		outside, written := json.RawMessage(c.outside), json.RawMessage(c.written)
		if got := said(game.Same("k", "r", outside, written)); got != c.same {
			t.Errorf("%s for %s: %q, want %q", c.outside, c.written, got, c.same)
		}
		if got := said(game.Within("k", "r", outside, written)); got != c.within {
			t.Errorf("%s within %s: %q, want %q", c.outside, c.written, got, c.within)
		}
	}
	// Without a root a path begins with its first name; a value without any name is
	// no object.
	for outside, want := range map[string]string{`{"a":[2]}`: `k {"path":"a[0]"}`, `7`: `json.object {}`} {
		if got := said(game.Same("k", "", json.RawMessage(outside), json.RawMessage(`{"a":[1]}`))); got != want {
			t.Errorf("%s: %q, want %q", outside, got, want)
		}
	}
}
