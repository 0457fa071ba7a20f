package gametest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"copse/game"
)

// enter plays the move also through the door: the position that game.Of makes,
// which takes every move as JSON. After a failure it does so no more.
func (t *table[S, M]) enter(by game.Seat, m M) {
	s := t.sitting
	if s.shut != nil {
		return
	}
	s.shut = calmly(func() error {
		if s.door == nil {
			first, err := t.door.Start(t.set)
			s.door = first
			return err
		}
		next, _, err := s.door.Play(by, t.rules.AppendMove(nil, m))
		if err == nil {
			s.door = next
		}
		return err
	})
}

func lawDoor[S, M comparable](p *moment[S, M]) error {
	if p.sitting.shut != nil {
		return fmt.Errorf("the game did not come so far: %w", p.sitting.shut)
	}
	if err := p.same(p.sitting.door, &p.s, game.None); err != nil {
		return fmt.Errorf("the truth: %w", err)
	}
	for i := range p.tries {
		next := &p.tries[i]
		if err := p.leads(p.sitting.door, next.m, &next.next, next.log.Events, game.None); err != nil {
			return fmt.Errorf("the truth after %s: %w", p.words(next.m), err)
		}
	}
	for i, viewer := range p.viewers {
		if err := p.shows(p.sitting.door.See(viewer), &p.views[i], viewer); err != nil {
			return fmt.Errorf("what %v sees: %w", viewer, err)
		}
	}
	return p.behindTheDoor(p.rng.IntN(len(p.viewers)))
}

// behindTheDoor opens the view of one viewer: what it lists, and what it tells of a
// move, is what the rules list and tell on that view.
func (p *moment[S, M]) behindTheDoor(i int) error {
	viewer := p.viewers[i]
	raw, err := p.viewJSON(&p.views[i])
	if err != nil {
		return err
	}
	opened, err := p.door.Open(p.set, viewer, raw)
	if err != nil {
		return fmt.Errorf("the view of %v cannot be opened: %w", viewer, err)
	}
	if err := p.same(opened, &p.views[i], viewer); err != nil {
		return fmt.Errorf("the view of %v, opened: %w", viewer, err)
	}
	for a := range p.tries {
		heard := game.Hear(p.rules, p.tries[a].m, p.by, viewer)
		then, log := p.after(&p.views[i], p.by, heard)
		events := log.Events
		if opened.Secrets() {
			events = log.HeardBy(viewer)
		}
		if err := p.leads(opened, heard, &then, events, viewer); err != nil {
			return fmt.Errorf("the view of %v after %s: %w", viewer, p.words(heard), err)
		}
	}
	return nil
}

// leads makes sure that a move through the door comes to the same position as by
// the rules, and tells the same.
func (p *moment[S, M]) leads(from game.Position, m M, to *S, told []game.Event, viewer game.Seat) error {
	if err := p.sounds(from, m); err != nil {
		return err
	}
	next, events, err := from.Play(p.by, p.rules.AppendMove(nil, m))
	if err != nil {
		return err
	}
	told = slices.Clone(told)
	for i := range told {
		told[i].To = p.atTable(told[i].To)
	}
	if err := sameEvents(told, events); err != nil {
		return err
	}
	if err := p.shows(next, to, viewer); err != nil {
		return err
	}
	return nil
}

// sounds makes sure that a move is heard through the door as the rules have it
// heard, and is said to reveal where it does.
func (p *moment[S, M]) sounds(from game.Position, m M) error {
	raw := p.rules.AppendMove(nil, m)
	for _, viewer := range p.viewers {
		want := p.rules.AppendMove(nil, game.Hear(p.rules, m, p.by, viewer))
		heard, err := from.Heard(raw, p.by, viewer)
		if err != nil {
			return fmt.Errorf("how %v hears %s: %w", viewer, raw, err)
		}
		if !bytes.Equal(heard, want) {
			return fmt.Errorf("%v hears %s of %s, and through the door %s", viewer, want, raw, heard)
		}
	}
	if want := p.rules.Reveals(&p.s, m); from.Reveals(raw) != want {
		return fmt.Errorf("that %s reveals is %t, and through the door it is not", raw, want)
	}
	return nil
}

// atTable is the part of an audience that sits at the table.
func (p *moment[S, M]) atTable(to game.Audience) game.Audience {
	if to == game.Everyone {
		return to
	}
	var here game.Audience
	for _, viewer := range p.viewers {
		if to.Has(viewer) {
			here |= game.Only(viewer)
		}
	}
	return here
}

// same makes sure that a position with its types forgotten says what the rules say
// of s.
func (p *moment[S, M]) same(door game.Position, s *S, viewer game.Seat) error {
	if err := p.shows(door, s, viewer); err != nil {
		return err
	}
	list := p.rules.Moves(s, p.by, nil)
	moves, facts := door.Moves(), door.Facts()
	if len(moves) != len(list) || len(facts) != len(list) {
		return fmt.Errorf("%d moves are listed, through the door %d with facts of %d", len(list), len(moves), len(facts))
	}
	for i, m := range list {
		if raw := p.rules.AppendMove(nil, m); !bytes.Equal(raw, moves[i]) {
			return fmt.Errorf("move %d is %s, and through the door %s", i, raw, moves[i])
		}
		want := p.rules.Facts(s, p.by, m)
		if p.rules.Reveals(s, m) {
			want["reveals"] = true
		}
		if !reflect.DeepEqual(want, facts[i]) {
			return fmt.Errorf("the facts of %s are %v, and through the door %v", moves[i], want, facts[i])
		}
	}
	if want, sheet := p.rules.Sheet(s), door.Sheet(); !reflect.DeepEqual(want, sheet) {
		return fmt.Errorf("the sheet is %v, and through the door %v", want, sheet)
	}
	if p.by == game.Chance && viewer == game.None {
		seed := game.Seed{Secret: []byte("door")}
		want := p.rules.AppendMove(nil, game.Draw(p.rules, s, seed, 1))
		if drawn := door.Draw(seed, 1); !bytes.Equal(want, drawn) {
			return fmt.Errorf("chance draws %s, and through the door %s", want, drawn)
		}
	}
	return nil
}

// shows makes sure of everything that a position says except its moves.
func (p *moment[S, M]) shows(door game.Position, s *S, viewer game.Seat) error {
	if !door.Secrets() { // then every view is the truth
		for i := range p.views {
			if p.views[i] != p.s {
				return fmt.Errorf("it is said to keep no secret, but the truth and the view of %v: %s",
					p.viewers[i], difference(p.s, p.views[i]))
			}
		}
		viewer = game.None
	}
	if door.Viewer() != viewer {
		return fmt.Errorf("it is said to be the view of %v", door.Viewer())
	}
	if a, b := p.rules.ToAct(s), door.ToAct(); a != b || door.Seats() != p.set.Seats {
		return fmt.Errorf("%v of %d is to act, and through the door %v of %d", a, p.set.Seats, b, door.Seats())
	}
	if a, b := p.rules.Turn(s), door.Turn(); a != b {
		return fmt.Errorf("this is turn %d, and through the door %d", a, b)
	}
	if a, b := p.rules.Standing(s), door.Standing(); a != b {
		return fmt.Errorf("the standing and that through the door: %s", difference(a, b))
	}
	raw, err := json.Marshal(p.rules.ViewJSON(s))
	if err != nil {
		return err
	}
	if view := door.View(); !bytes.Equal(raw, view) {
		return fmt.Errorf("it is shown as\n%s\nand through the door as\n%s", raw, view)
	}
	return nil
}
