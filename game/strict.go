package game

import (
	"bytes"
	"errors"
	"maps"
	"slices"
)

// Unmarshal is lenient: it takes names in any case and twice, and null for
// anything. What comes from outside and must mean one thing only is compared with
// what would be written for it.

// Same makes sure that a JSON text from outside says exactly what is written for
// it; key blames the path of the first difference.
func Same(key, root string, outside, written RawMessage) error {
	if bytes.Equal(outside, written) { // as a client sends back what it was sent
		return nil
	}
	return strict(key, root, outside, written, false)
}

// Within makes sure that everything a JSON text from outside says is also in what
// is written for it, which may say more.
func Within(key, root string, outside, written RawMessage) error {
	return strict(key, root, outside, written, true)
}

func strict(key, root string, outside, written RawMessage, less bool) error {
	if name := repeated(outside); name != "" {
		return Blame("json.twice", Args{"field": name})
	}
	out, err1 := decodeAny(outside)
	want, err2 := decodeAny(written)
	if errors.Join(err1, err2) != nil {
		return Blame("json.object", nil)
	}
	path, same := differ(root, want, out, less)
	switch {
	case same:
		return nil
	case path == "":
		return Blame("json.object", nil)
	}
	return Blame(key, Args{"path": path})
}

func decodeAny(raw RawMessage) (v any, err error) {
	at := skipSpace(raw, 0)
	if _, ok := scan(raw, at, 0); !ok {
		return nil, errNoJSON
	}
	v, _ = (&reader{text: raw, at: at}).any(func(text string) any { return numeral(text) })
	return v, nil
}

// differ finds where two decoded texts first differ. With less, objects of got may
// leave out fields that those of want have.
func differ(path string, want, got any, less bool) (string, bool) {
	below := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return path, false
		}
		names := slices.Sorted(maps.Keys(g))
		if !less {
			names = slices.AppendSeq(names, maps.Keys(w))
			slices.Sort(names)
		}
		for _, name := range slices.Compact(names) {
			wv, in := w[name]
			gv, out := g[name]
			if in != out {
				return below(name), false
			}
			if at, same := differ(below(name), wv, gv, less); !same {
				return at, false
			}
		}
		return "", true
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return path, false
		}
		for i := range w {
			if at, same := differ(At(path, i), w[i], g[i], false); !same {
				return at, false
			}
		}
		return "", true
	}
	return path, want == got // a text, a number, a flag or nothing
}

// repeated is a name that stands twice in an object of a JSON text, at any
// depth; "" for none.
func repeated(raw RawMessage) string {
	r := &reader{text: raw}
	for {
		r.at = skipSpace(raw, r.at)
		if _, ok := scan(raw, r.at, 0); !ok {
			return ""
		}
		if name := r.repeated(); name != "" {
			return name
		}
	}
}

func (r *reader) repeated() string {
	switch r.text[r.at] {
	case '{':
		names := map[string]bool{}
		for r.next('{', '}') {
			name := r.name()
			if names[name] {
				return name
			}
			names[name] = true
			if deeper := r.repeated(); deeper != "" {
				return deeper
			}
		}
	case '[':
		for r.next('[', ']') {
			if deeper := r.repeated(); deeper != "" {
				return deeper
			}
		}
	default:
		r.skip()
	}
	return ""
}
