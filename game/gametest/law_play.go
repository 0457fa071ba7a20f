package gametest

import (
	"errors"
	"fmt"
	"slices"

	"copse/game"
)

func lawAsking[S, M comparable](p *moment[S, M]) error {
	for _, o := range p.outlooks() {
		if err := p.asked(o); err != nil {
			return err
		}
	}
	return nil
}

// asked asks one position everything, and gives the first question that changed it.
func (p *moment[S, M]) asked(o outlook[S]) error {
	s := o.s
	var changed error
	ask := func(question string, q func()) {
		q()
		if changed == nil && s != o.s {
			changed = fmt.Errorf("%s changes %s: %s", question, o.name, difference(o.s, s))
		}
	}
	ask("ToAct", func() { p.rules.ToAct(&s) })
	ask("Turn", func() { p.rules.Turn(&s) })
	ask("Standing", func() { p.rules.Standing(&s) })
	ask("Sheet", func() { p.rules.Sheet(&s) })
	ask("ViewJSON", func() { p.rules.ViewJSON(&s) })
	for _, viewer := range p.viewers {
		ask("See", func() { p.see(&s, viewer) })
	}
	strange := p.strangers(16)
	for _, asker := range p.askers {
		ask("Moves", func() { p.rules.Moves(&s, asker, nil) })
		for _, m := range strange {
			ask("Check", func() { _ = p.rules.Check(&s, asker, m) })
		}
	}
	list := p.rules.Moves(&o.s, p.by, nil)
	for _, m := range list[:min(closeTries, len(list))] {
		ask("Check", func() { _ = p.rules.Check(&s, p.by, m) })
		ask("Reveals", func() { p.rules.Reveals(&s, m) })
		ask("Facts", func() { p.rules.Facts(&s, p.by, m) })
		if p.by == game.Chance {
			ask("Odds", func() { p.rules.Odds(&s, m) })
		}
	}
	if counter, ok := any(p.rules).(game.Counter[S]); ok {
		ask("Count", func() { counter.Count(&s) })
	}
	if sampler, ok := any(p.rules).(game.Sampler[S, M]); ok && p.by >= 0 {
		ask("Sample", func() { sampler.Sample(&s, p.by, p.rng) })
	}
	return changed
}

func lawTurn[S, M comparable](p *moment[S, M]) error {
	now := p.rules.Turn(&p.s)
	if len(p.sitting.played) == 0 && now != 0 {
		return fmt.Errorf("the game begins in turn %d", now)
	}
	if p.by >= 0 && now == p.sitting.turn && p.sitting.actor != game.None && p.sitting.actor != p.by {
		return fmt.Errorf("%v acts in turn %d, and so did %v", p.by, now, p.sitting.actor)
	}
	for i := range p.tries {
		next := &p.tries[i]
		then := p.rules.Turn(&next.next)
		if then < now || then > now+1 {
			return fmt.Errorf("turn %d is followed by turn %d after %s", now, then, p.words(next.m))
		}
		if who := p.rules.ToAct(&next.next); then == now && who >= 0 && p.by >= 0 && who != p.by {
			return fmt.Errorf("%v and, after %s, %v act in turn %d", p.by, p.words(next.m), who, now)
		}
	}
	return nil
}

func lawSilence[S, M comparable](p *moment[S, M]) error {
	for i := range p.tries {
		next := &p.tries[i]
		silent := p.s
		p.rules.Play(&silent, p.by, next.m, nil)
		if silent != next.next {
			return fmt.Errorf("%s with a log and without one: %s", p.words(next.m), difference(next.next, silent))
		}
	}
	return nil
}

func lawPhrases[S, M comparable](p *moment[S, M]) error {
	for i := range p.tries {
		for _, event := range p.tries[i].log.Events {
			if err := p.declared(event.Key, event.Args); err != nil {
				return fmt.Errorf("an event of %s: %w", p.words(p.tries[i].m), err)
			}
		}
	}
	for _, line := range p.rules.Sheet(&p.s) {
		if err := p.declared(line.Key, line.Args); err != nil {
			return fmt.Errorf("a line of the sheet: %w", err)
		}
	}
	return nil
}

func lawConserved[S, M comparable](p *moment[S, M]) error {
	counter := any(p.rules).(game.Counter[S])
	first := counter.Count(&p.sitting.first)
	for i := range p.tries {
		next := &p.tries[i]
		if count := counter.Count(&next.next); count != first {
			return fmt.Errorf("the game began with %v and after %s has %v", first, p.words(next.m), count)
		}
	}
	return nil
}

func lawReplay[S, M comparable](p *moment[S, M]) error {
	if p.by != game.None && len(p.sitting.played) < p.longest {
		return nil
	}
	replay := func() error {
		s := p.rules.Start()
		if s != p.sitting.first {
			return fmt.Errorf("Start, asked twice: %s", difference(p.sitting.first, s))
		}
		for ply, h := range p.sitting.played {
			if !slices.Contains(p.rules.Moves(&s, h.By, nil), h.Move) {
				return fmt.Errorf("replayed, ply %d is no longer listed: %s", ply, p.words(h.Move))
			}
			p.rules.Play(&s, h.By, h.Move, nil)
		}
		if s != p.s {
			return fmt.Errorf("the game and its replay: %s", difference(p.s, s))
		}
		return nil
	}
	other := make(chan error)
	go func() { other <- calmly(replay) }()
	return errors.Join(calmly(replay), <-other)
}

// lawEnds plays some games before any other law is held, to find out how long they
// are.
func lawEnds[S, M comparable](t *table[S, M]) error {
	const games = 3
	var plies int
	for range games {
		s := t.rules.Start()
		n, _, _ := game.Playout(t.rules, &s, t.rng, nil, mostPlies)
		if t.rules.ToAct(&s) != game.None {
			return fmt.Errorf("a game has not ended after %d plies", n)
		}
		plies += n
	}
	t.length = max(plies/games, 1)
	return nil
}

func lawEnd[S, M comparable](p *moment[S, M]) error {
	if p.by != game.None {
		if n := len(p.sitting.played); n >= p.longest {
			return fmt.Errorf("the game has not ended after %d plies", n)
		}
		return nil
	}
	standing := p.rules.Standing(&p.s)
	for _, o := range p.outlooks() {
		for _, asker := range p.askers {
			if list := p.rules.Moves(&o.s, asker, nil); len(list) > 0 {
				return fmt.Errorf("the game is over, but %v may still %s on %s", asker, p.words(list[0]), o.name)
			}
		}
		final := p.rules.Standing(&o.s)
		if !final.Over {
			return fmt.Errorf("nobody is to act, but the standing on %s is not the last", o.name)
		}
		if final != standing {
			return fmt.Errorf("at the end the standing on the truth and on %s: %s", o.name, difference(standing, final))
		}
	}
	return nil
}
