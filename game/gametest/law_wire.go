package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/game"
)

func lawJSON[S, M comparable](p *moment[S, M]) error {
	done := make(map[M]bool, len(p.list))
	for _, m := range p.list {
		if err := p.wired(m); err != nil {
			return err
		}
		done[m] = true
		if _, err := json.Marshal(p.rules.Facts(&p.s, p.by, m)); err != nil {
			return fmt.Errorf("the facts of %s cannot be written: %w", p.words(m), err)
		}
		for _, viewer := range p.viewers {
			heard := game.Hear(p.rules, m, p.by, viewer)
			if done[heard] {
				continue
			}
			if err := p.wired(heard); err != nil {
				return fmt.Errorf("as %v hears it: %w", viewer, err)
			}
			done[heard] = true
		}
	}
	for i, viewer := range p.viewers {
		raw, err := p.viewJSON(&p.views[i])
		if err != nil {
			return fmt.Errorf("the view of %v: %w", viewer, err)
		}
		back, err := p.rules.ReadView(raw)
		if err != nil {
			return fmt.Errorf("the view of %v is not taken back: %w\n%s", viewer, err, raw)
		}
		if back != p.views[i] {
			return fmt.Errorf("the view of %v before and after JSON: %s\n%s", viewer, difference(p.views[i], back), raw)
		}
		if twin, ok := p.twin(i); ok {
			view := p.see(&twin, viewer)
			if other, err := p.viewJSON(&view); err != nil || !bytes.Equal(raw, other) {
				return fmt.Errorf("the view of %v, and the same view of another world: %s\n%s", viewer, raw, other)
			}
		}
	}
	_, err := p.viewJSON(&p.s)
	return err
}

// wired makes sure that a move survives being written as JSON and read again.
func (p *moment[S, M]) wired(m M) error {
	const before = "before"
	text := p.rules.AppendMove([]byte(before), m)
	raw, ok := bytes.CutPrefix(text, []byte(before))
	if !ok {
		return fmt.Errorf("AppendMove of %+v touches what was in the buffer: %s", m, text)
	}
	if again := p.rules.AppendMove(nil, m); !bytes.Equal(raw, again) {
		return fmt.Errorf("%+v is written as %s and as %s", m, raw, again)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return fmt.Errorf("%+v is written as %s, which is no object: %w", m, raw, err)
	}
	sorted, err := json.MarshalIndent(fields, "", " ")
	if err != nil {
		return err
	}
	for _, form := range [][]byte{raw, sorted} {
		back, err := p.rules.ReadMove(form)
		if err != nil {
			return fmt.Errorf("%+v is written as %s and not read back: %w", m, form, err)
		}
		if back != m {
			return fmt.Errorf("%+v is written as %s and read back as %+v", m, form, back)
		}
	}
	return nil
}

// viewJSON is a view in JSON. It must come out the same twice.
func (p *moment[S, M]) viewJSON(view *S) (json.RawMessage, error) {
	raw, err := json.Marshal(p.rules.ViewJSON(view))
	if err != nil {
		return nil, fmt.Errorf("a view cannot be written: %w", err)
	}
	if again, _ := json.Marshal(p.rules.ViewJSON(view)); !bytes.Equal(raw, again) {
		return nil, fmt.Errorf("a view is written as %s and as %s", raw, again)
	}
	return raw, nil
}

func lawOpen[S, M comparable](p *moment[S, M]) error {
	erased := game.Of(p.def)
	for i, viewer := range p.viewers {
		raw, err := p.viewJSON(&p.views[i])
		if err != nil {
			return err
		}
		opened, err := erased.Open(p.set, viewer, raw)
		if err != nil {
			return fmt.Errorf("the view of %v cannot be opened: %w\n%s", viewer, err, raw)
		}
		if view := opened.View(); !bytes.Equal(view, raw) {
			return fmt.Errorf("the view of %v was sent as\n%s\nand is, opened,\n%s", viewer, raw, view)
		}
		if a, b := opened.ToAct(), opened.Turn(); a != p.by || b != p.rules.Turn(&p.s) {
			return fmt.Errorf("the view of %v, opened, has %v to act in turn %d", viewer, a, b)
		}
		var list []json.RawMessage
		for _, m := range p.rules.Moves(&p.views[i], p.by, nil) {
			list = append(list, p.rules.AppendMove(nil, m))
		}
		if !slices.EqualFunc(list, opened.Moves(), func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			return fmt.Errorf("the view of %v lists %s and, opened, %s", viewer, list, opened.Moves())
		}
		if a, b := p.rules.Standing(&p.views[i]), opened.Standing(); a != b {
			return fmt.Errorf("the standing on the view of %v before and after it is opened: %s", viewer, difference(a, b))
		}
	}
	return nil
}

func lawGarbage[S, M comparable](t *table[S, M]) error {
	for _, raw := range []string{
		"", " ", "null", "true", "0", "-1", `"do"`, "[]", "[[]]", "{}", "{", "}", `{"do"`, `{"do":}`, `{"do":1}`,
		`{"do":null}`, `{"do":""}`, `{"do":"no such thing"}`, `{"do":{"do":"do"}}`, "{}{}", "\x00", "\xff\xfe",
		strings.Repeat("[", 20_000), strings.Repeat(`{"do":`, 20_000), `{"do":"` + strings.Repeat("x", 1<<16) + `"}`,
	} {
		if err := t.readGarbage([]byte(raw)); err != nil {
			return err
		}
	}
	return nil
}

// readGarbage reads bytes that are neither a move nor a view as both.
func (t *table[S, M]) readGarbage(raw []byte) error {
	some := raw[:min(len(raw), 80)]
	if err := calmly(func() error {
		m, err := t.rules.ReadMove(raw)
		if err == nil {
			return fmt.Errorf("it is taken as %+v", m)
		}
		return t.blamed(err)
	}); err != nil {
		return fmt.Errorf("ReadMove of %q: %w", some, err)
	}
	if err := calmly(func() error {
		_, err := t.rules.ReadView(raw)
		if err == nil {
			return fmt.Errorf("it is taken")
		}
		return t.blamed(err)
	}); err != nil {
		return fmt.Errorf("ReadView of %q: %w", some, err)
	}
	return nil
}

// blamed makes sure that an error is a declared *Fault or *Refusal.
func (t *table[S, M]) blamed(err error) error {
	var fault *game.Fault
	if errors.As(err, &fault) && fault != nil {
		return t.declared(fault.Key, fault.Args)
	}
	var refusal *game.Refusal
	if errors.As(err, &refusal) && refusal != nil {
		if refusal.Rule == "" {
			return fmt.Errorf("refusal %s names no rule", refusal.Key)
		}
		return t.declared(refusal.Key, refusal.Args)
	}
	return fmt.Errorf("it is answered with a %T, neither a *Fault nor a *Refusal", err)
}

func lawFaults[S, M comparable](p *moment[S, M]) error {
	const moves, views = 24, 8
	for range moves {
		if len(p.list) == 0 {
			break
		}
		raw := p.spoiled(p.rules.AppendMove(nil, p.list[p.rng.IntN(len(p.list))]))
		if err := p.takeMove(&p.s, p.by, raw); err != nil {
			return err
		}
	}
	for range views {
		i := p.rng.IntN(len(p.viewers))
		raw, err := json.Marshal(p.rules.ViewJSON(&p.views[i]))
		if err != nil {
			return err
		}
		if err := p.takeView(p.viewers[i], p.spoiled(raw)); err != nil {
			return err
		}
	}
	return nil
}

// takeMove reads JSON that may be a move and checks it, whatever it is.
func (t *table[S, M]) takeMove(s *S, by game.Seat, raw []byte) error {
	err := calmly(func() error {
		m, err := t.rules.ReadMove(raw)
		if err != nil {
			return t.blamed(err)
		}
		_ = t.rules.Check(s, by, m)
		return nil
	})
	if err != nil {
		return fmt.Errorf("the move %s: %w", raw, err)
	}
	return nil
}

// takeView reads JSON that may be a view and goes on from it.
func (t *table[S, M]) takeView(viewer game.Seat, raw []byte) error {
	err := calmly(func() error {
		s, err := t.rules.ReadView(raw)
		if err != nil {
			return t.blamed(err)
		}
		if err := t.goOn(s); err != nil {
			return err
		}
		if _, err := game.Of(t.def).Open(t.set, viewer, raw); err != nil {
			return t.blamed(err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("the view %s of %v: %w", raw, viewer, err)
	}
	return nil
}

// goOn asks a view that was taken everything, and plays on from it until something
// is revealed, for which it would need a fresh view.
func (t *table[S, M]) goOn(s S) error {
	const plies = 8
	for range plies {
		by := t.rules.ToAct(&s)
		t.rules.Turn(&s)
		t.rules.Sheet(&s)
		if over := t.rules.Standing(&s).Over; over != (by == game.None) {
			return fmt.Errorf("it is taken, but then %v is to act and that the game is over is %t", by, over)
		}
		view := t.see(&s, t.viewers[t.rng.IntN(len(t.viewers))])
		if _, err := json.Marshal(t.rules.ViewJSON(&view)); err != nil {
			return fmt.Errorf("it is taken, but then cannot be written: %w", err)
		}
		list := t.rules.Moves(&s, by, nil)
		if by == game.None {
			return nil
		}
		if len(list) == 0 {
			return fmt.Errorf("it is taken, but then %v has no move", by)
		}
		m := list[t.rng.IntN(len(list))]
		if err := t.rules.Check(&s, by, m); err != nil {
			return fmt.Errorf("it is taken, but then %s is listed and refused: %w", t.words(m), err)
		}
		t.rules.Facts(&s, by, m)
		reveals := t.rules.Reveals(&s, m)
		t.rules.Play(&s, by, m, nil)
		if reveals {
			return nil
		}
	}
	return nil
}

// spoiled is JSON with a little change: in its text, or of a value somewhere in it.
func (t *table[S, M]) spoiled(raw []byte) []byte {
	rng := t.rng
	raw = slices.Clone(raw)
	at := rng.IntN(len(raw))
	switch rng.IntN(6) {
	case 0:
		raw[at] = byte(rng.Uint32())
		return raw
	case 1:
		return raw[:at]
	case 2:
		return slices.Delete(raw, at, at+1)
	case 3:
		return slices.Insert(raw, at, []byte(`{}[],:"0-1e.`)[rng.IntN(12)])
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	t.learnWords(v)
	spoiled, err := json.Marshal(t.spoil(v))
	if err != nil {
		return raw
	}
	return spoiled
}

// learnWords keeps the words of the wire, to put them where they do not belong.
func (t *table[S, M]) learnWords(v any) {
	const most = 64
	switch v := v.(type) {
	case string:
		if len(t.vocabulary) < most && !slices.Contains(t.vocabulary, v) {
			t.vocabulary = append(t.vocabulary, v)
		}
	case []any:
		for _, element := range v {
			t.learnWords(element)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			t.learnWords(v[name])
		}
	}
}

// spoil changes one value somewhere in v.
func (t *table[S, M]) spoil(v any) any {
	rng := t.rng
	strange := []any{nil, true, false, -1, 0, 1, 2, 3, 5, 7, 127, 128, 255, 256, 1000, int64(1 << 31), 1e300, 0.5,
		"", "x", "watcher", "chance", []any{}, []any{1, 2}, []any{nil}, map[string]any{}}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		names := slices.Sorted(maps.Keys(v))
		name := names[rng.IntN(len(names))]
		switch rng.IntN(16) {
		case 0:
			delete(v, name)
		case 1:
			v["x"] = strange[rng.IntN(len(strange))]
		case 2:
			v[name] = v[names[rng.IntN(len(names))]]
		default:
			v[name] = t.spoil(v[name])
		}
		return v
	case []any:
		if len(v) == 0 {
			break
		}
		i := rng.IntN(len(v))
		switch rng.IntN(16) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return append(v, v[i])
		case 2:
			j := rng.IntN(len(v))
			v[i], v[j] = v[j], v[i]
		default:
			v[i] = t.spoil(v[i])
		}
		return v
	case float64:
		if rng.IntN(2) == 0 {
			return v + float64(rng.IntN(5)-2)
		}
	case string:
		if rng.IntN(2) == 0 {
			return t.vocabulary[rng.IntN(len(t.vocabulary))]
		}
	}
	return strange[rng.IntN(len(strange))]
}
