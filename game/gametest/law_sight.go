package gametest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"copse/game"
)

func lawView[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		if again := p.see(&p.views[i], viewer); again != p.views[i] {
			return fmt.Errorf("the view of %v and its view of it: %s", viewer, difference(p.views[i], again))
		}
	}
	return nil
}

func lawOwnView[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		if viewer < 0 {
			continue
		}
		truth, own := p.rules.Moves(&p.s, viewer, nil), p.rules.Moves(&p.views[i], viewer, nil)
		if !slices.Equal(truth, own) {
			return fmt.Errorf("%v has %d moves on the truth and %d on its view, or others, or in another order",
				viewer, len(truth), len(own))
		}
	}
	return nil
}

func lawOwnRefusals[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		if viewer < 0 {
			continue
		}
		for _, m := range p.strangers(24) {
			truth, own := p.rules.Check(&p.s, viewer, m), p.rules.Check(&p.views[i], viewer, m)
			if !reflect.DeepEqual(truth, own) {
				return fmt.Errorf("%v is answered on %+v in two ways, and on its own view in the second: %w",
					viewer, m, errors.Join(truth, own))
			}
		}
	}
	return nil
}

func lawHeard[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		thought := p.rules.Moves(&p.views[i], p.by, nil)
		possible := make(map[M]bool, len(thought))
		for _, m := range thought {
			possible[m] = true
		}
		for _, m := range p.list {
			heard := game.Hear(p.rules, m, p.by, viewer)
			if !possible[heard] {
				return fmt.Errorf("%v hears %s of the move %s of %v, which is not listed on its view",
					viewer, p.words(heard), p.words(m), p.by)
			}
			if again := game.Hear(p.rules, heard, p.by, viewer); again != heard {
				return fmt.Errorf("%v hears %s, and of that %s", viewer, p.words(heard), p.words(again))
			}
		}
	}
	return nil
}

func lawPossible[S, M comparable](p *moment[S, M]) error {
	i := p.rng.IntN(len(p.viewers))
	viewer := p.viewers[i]
	worlds, all := p.behind(i)
	if !all {
		return nil
	}
	heard := map[M]bool{}
	for _, g := range worlds {
		for _, m := range p.rules.Moves(&g.world, p.by, nil) {
			heard[game.Hear(p.rules, m, p.by, viewer)] = true
		}
	}
	for _, m := range p.rules.Moves(&p.views[i], p.by, nil) {
		if !heard[m] {
			return fmt.Errorf("the view of %v lists %s for %v, but none of the %d worlds behind it does",
				viewer, p.words(m), p.by, len(worlds))
		}
	}
	return nil
}

func lawDiscreet[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		for a := range p.tries {
			for b := range a {
				one, two := &p.tries[a], &p.tries[b]
				if one.next == two.next || one.views[i] != two.views[i] ||
					!reflect.DeepEqual(one.log.HeardBy(viewer), two.log.HeardBy(viewer)) {
					continue
				}
				h1, h2 := game.Hear(p.rules, one.m, p.by, viewer), game.Hear(p.rules, two.m, p.by, viewer)
				if h1 != h2 {
					return fmt.Errorf("%v may not know %s from %s, but hears %s and %s",
						viewer, p.words(one.m), p.words(two.m), p.words(h1), p.words(h2))
				}
			}
		}
	}
	return nil
}

func lawCommute[S, M comparable](p *moment[S, M]) error {
	for a := range p.tries {
		next := &p.tries[a]
		if next.reveals {
			continue
		}
		for i, viewer := range p.viewers {
			heard := game.Hear(p.rules, next.m, p.by, viewer)
			if then, _ := p.after(&p.views[i], p.by, heard); then != next.views[i] {
				return fmt.Errorf("what %v sees after %s and its view after %s: %s",
					viewer, p.words(next.m), p.words(heard), difference(next.views[i], then))
			}
		}
	}
	return nil
}

func lawEcho[S, M comparable](p *moment[S, M]) error {
	for a := range p.tries {
		next := &p.tries[a]
		if next.reveals {
			continue
		}
		for i, viewer := range p.viewers {
			heard := game.Hear(p.rules, next.m, p.by, viewer)
			_, log := p.after(&p.views[i], p.by, heard)
			if err := sameEvents(next.log.HeardBy(viewer), log.HeardBy(viewer)); err != nil {
				return fmt.Errorf("%v hears of %s and, on its view, of %s: %w",
					viewer, p.words(next.m), p.words(heard), err)
			}
		}
	}
	return nil
}

func sameEvents(a, b []game.Event) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d events and %d", len(a), len(b))
	}
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			return fmt.Errorf("event %d is %+v and %+v", i, a[i], b[i])
		}
	}
	return nil
}

func lawRecord[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		if now := p.sitting.records[i].Now(p.rules); now != p.views[i] {
			return fmt.Errorf("the view of %v and what its record comes to: %s", viewer, difference(p.views[i], now))
		}
	}
	return nil
}

func lawExistence[S, M comparable](p *moment[S, M]) error {
	turn := p.rules.Turn(&p.s)
	for _, o := range p.outlooks()[1:] {
		if by := p.rules.ToAct(&o.s); by != p.by {
			return fmt.Errorf("%v is to act, and on %s %v", p.by, o.name, by)
		}
		if t := p.rules.Turn(&o.s); t != turn {
			return fmt.Errorf("this is turn %d, and on %s %d", turn, o.name, t)
		}
	}
	for a := range p.tries {
		next := &p.tries[a]
		for i, viewer := range p.viewers {
			heard := game.Hear(p.rules, next.m, p.by, viewer)
			if reveals := p.rules.Reveals(&p.views[i], heard); reveals != next.reveals {
				return fmt.Errorf("that %s reveals is %t, and on the view of %v, who hears %s, %t",
					p.words(next.m), next.reveals, viewer, p.words(heard), reveals)
			}
		}
	}
	return nil
}

func lawExistenceInTwins[S, M comparable](p *moment[S, M]) error {
	return p.inTwins(func(viewer game.Seat, next *try[S, M], twin *S, m M) error {
		if by := p.rules.ToAct(twin); by != p.by {
			return fmt.Errorf("%v is to act, and in a world that looks the same to %v it is %v", p.by, viewer, by)
		}
		if a, b := p.rules.Turn(&p.s), p.rules.Turn(twin); a != b {
			return fmt.Errorf("this is turn %d, and in a world that looks the same to %v it is turn %d", a, viewer, b)
		}
		if reveals := p.rules.Reveals(twin, m); reveals != next.reveals {
			return fmt.Errorf("that %s reveals is %t, and in a world that looks the same to %v %t",
				p.words(next.m), next.reveals, viewer, reveals)
		}
		if next.reveals {
			return nil
		}
		then, log := p.after(twin, p.by, m)
		if a, b := p.rules.ToAct(&next.next), p.rules.ToAct(&then); a != b {
			return fmt.Errorf("after %s %v is to act, and in a world that looks the same to %v it is %v",
				p.words(next.m), a, viewer, b)
		}
		if a, b := p.rules.Turn(&next.next), p.rules.Turn(&then); a != b {
			return fmt.Errorf("after %s this is turn %d, and in a world that looks the same to %v turn %d",
				p.words(next.m), a, viewer, b)
		}
		if a, b := len(next.log.HeardBy(viewer)), len(log.HeardBy(viewer)); a != b {
			return fmt.Errorf("%v hears %d events of %s, and in a world that looks the same to it %d",
				viewer, a, p.words(next.m), b)
		}
		return nil
	})
}

func lawTwins[S, M comparable](p *moment[S, M]) error {
	return p.inTwins(func(viewer game.Seat, next *try[S, M], twin *S, m M) error {
		if next.reveals {
			return nil
		}
		then, log := p.after(twin, p.by, m)
		view := next.views[slices.Index(p.viewers, viewer)]
		if other := p.see(&then, viewer); other != view {
			return fmt.Errorf("after %s %v sees whether it was in this world or, as %s, in another: %s",
				p.words(next.m), viewer, p.words(m), difference(view, other))
		}
		if err := sameEvents(next.log.HeardBy(viewer), log.HeardBy(viewer)); err != nil {
			return fmt.Errorf("after %s %v hears whether it was in this world or, as %s, in another: %w",
				p.words(next.m), viewer, p.words(m), err)
		}
		return nil
	})
}

// inTwins calls meet with every move that is tried and a move that sounds the same
// to a viewer in a world that looks the same to it. A move that shows what only
// this world holds has no such twin.
func (p *moment[S, M]) inTwins(meet func(viewer game.Seat, next *try[S, M], twin *S, m M) error) error {
	const most = 3
	for i, viewer := range p.viewers {
		twin, ok := p.twin(i)
		if !ok {
			continue
		}
		list := p.rules.Moves(&twin, p.by, nil)
		for a := range p.tries {
			next := &p.tries[a]
			heard := game.Hear(p.rules, next.m, p.by, viewer)
			met := 0
			for _, m := range list {
				if met == most || game.Hear(p.rules, m, p.by, viewer) != heard {
					continue
				}
				met++
				if err := meet(viewer, next, &twin, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
