package gametest

import (
	"fmt"

	"copse/game"
)

func lawGuess[S, M comparable](p *moment[S, M]) error {
	counter, counts := any(p.rules).(game.Counter[S])
	for i, viewer := range p.viewers {
		world := p.imagine(&p.views[i], viewer)
		if view := p.see(&world, viewer); view != p.views[i] {
			return fmt.Errorf("the view of %v and how it sees what it imagined: %s", viewer, difference(p.views[i], view))
		}
		if counts {
			if a, b := counter.Count(&p.s), counter.Count(&world); a != b {
				return fmt.Errorf("the box holds %v, and in what %v imagined %v", a, viewer, b)
			}
		}
		if by := p.rules.ToAct(&world); by != p.by {
			return fmt.Errorf("%v is to act, and in what %v imagined it is %v", p.by, viewer, by)
		}
		if standing := p.rules.Standing(&world); unknown(standing) {
			return fmt.Errorf("what %v imagined has an unknown score: %+v", viewer, standing)
		}
		for _, m := range p.rules.Moves(&world, p.by, nil) {
			if err := p.rules.Check(&world, p.by, m); err != nil {
				return fmt.Errorf("in what %v imagined %s is listed and refused: %w", viewer, p.words(m), err)
			}
		}
		if p.rng.IntN(len(p.viewers)) > 0 {
			continue
		}
		end := world
		if plies, _, _ := game.Playout(p.rules, &end, p.rng, nil, mostPlies); p.rules.ToAct(&end) != game.None {
			return fmt.Errorf("what %v imagined does not end within %d plies", viewer, plies)
		}
		if standing := p.rules.Standing(&end); unknown(standing) {
			return fmt.Errorf("what %v imagined ends with an unknown score: %+v", viewer, standing)
		}
	}
	return nil
}

func unknown(standing game.Standing) bool {
	for _, score := range standing.Seats {
		if score.Total == game.Unknown {
			return true
		}
	}
	return false
}

const someGuesses = 64

func lawVariety[S, M comparable](p *moment[S, M]) error {
	for i, viewer := range p.viewers {
		first := p.imagine(&p.views[i], viewer)
		if first == p.s {
			continue
		}
		same := true
		for n := 1; n < someGuesses && same; n++ {
			same = p.imagine(&p.views[i], viewer) == first
		}
		if same {
			return fmt.Errorf("%d guesses of %v are all the same and differ from the truth: %s",
				someGuesses, viewer, difference(p.s, first))
		}
	}
	return nil
}

func lawUniform[S, M comparable](p *moment[S, M]) error {
	i := p.rng.IntN(len(p.viewers))
	viewer := p.viewers[i]
	worlds, all := p.behind(i)
	if !all {
		return nil
	}
	guesses, truth := 0, false
	for _, g := range worlds {
		guesses += g.times
		truth = truth || g.world == p.s
	}
	if !truth {
		return fmt.Errorf("of the %d worlds that %v imagines none is the truth", len(worlds), viewer)
	}
	for _, g := range worlds {
		if !near(g.times, guesses, len(worlds)) {
			return fmt.Errorf("of %d guesses of %v at %d worlds %d are one of them; it and the truth: %s",
				guesses, viewer, len(worlds), g.times, difference(g.world, p.s))
		}
	}
	return nil
}

// behind counts how often each world behind a view is guessed, in the order in
// which they came up. It tells whether these are all worlds: so many guesses were
// made for each that none can well be missing.
func (p *moment[S, M]) behind(i int) (worlds []guessed[S], all bool) {
	const most, each = 40, 128
	if p.worlds[i] == nil {
		known := map[S]int{}
		guess := func() {
			world := p.imagine(&p.views[i], p.viewers[i])
			n, ok := known[world]
			if !ok {
				n = len(worlds)
				known[world] = n
				worlds = append(worlds, guessed[S]{world: world})
			}
			worlds[n].times++
		}
		for range someGuesses {
			guess()
		}
		if n := len(worlds); n > 1 && n <= most {
			for range each * (n + 2) {
				guess()
			}
		}
		p.worlds[i] = worlds
	}
	return p.worlds[i], len(p.worlds[i]) <= most
}
