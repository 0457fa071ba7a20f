package bot

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// brute looks at every way in which a game may go on, and remembers nothing.
type brute[S, M comparable] struct {
	rules game.Playable[S, M]
	part  float64
	looks int
}

// brings is what the end brings everyone, from s on: whoever acts does the best for
// itself, of equals the first, and chance counts by its odds.
func (b *brute[S, M]) brings(s *S) (rewards [game.MaxSeats]int64) {
	seat := b.rules.ToAct(s)
	if seat == game.None {
		st := b.rules.Standing(s)
		for i := range game.Seat(b.rules.Seats()) {
			rewards[i] = prize(&st, b.rules.Seats(), i, b.part).reward
		}
		return rewards
	}
	odds := int64(0)
	for i, move := range b.rules.Moves(s, seat, nil) {
		if b.looks--; b.looks < 0 {
			return rewards
		}
		next := *s
		b.rules.Play(&next, seat, move, nil)
		then := b.brings(&next)
		if seat == game.Chance {
			o := int64(b.rules.Odds(s, move))
			odds += o
			for other := range then {
				rewards[other] += o * then[other]
			}
		} else if i == 0 || then[seat] > rewards[seat] {
			rewards = then
		}
	}
	if seat == game.Chance {
		for other := range rewards {
			rewards[other] /= odds
		}
	}
	return rewards
}

// near plays a game as playouts do, and gives the positions with a choice in the turn
// before whose end so many turns are left.
func near[S, M comparable](rules game.Playable[S, M], left int, seed uint64) (choices []S) {
	var on []S
	s := rules.Start()
	rng := rand.New(rand.NewPCG(seed, 11))
	planner := rules.(game.Planner[S, M])
	for rules.ToAct(&s) != game.None {
		seat := rules.ToAct(&s)
		if seat == game.Chance {
			rules.Play(&s, seat, game.Outcome(rules, &s, rules.Moves(&s, seat, nil), rand.NewPCG(seed, uint64(len(on)))), nil)
			on = append(on, s)
			continue
		}
		for _, m := range planner.Plan(&s, seat, rng, nil) {
			on = append(on, s)
			rules.Play(&s, seat, m, nil)
		}
	}
	last := rules.Turn(&s)
	for _, p := range on {
		if seat := rules.ToAct(&p); rules.Turn(&p) == last-left && seat >= 0 && len(rules.Moves(&p, seat, nil)) > 1 {
			choices = append(choices, p)
		}
	}
	return choices
}

// solvedAs compares what is found exactly with what every way shows, in some games, and
// tells in how many. Every first move must bring what it is said to, and so must its
// line.
func solvedAs[S, M comparable](t *testing.T, rules game.Playable[S, M], left, games int) (compared int) {
	t.Helper()
	e := effort{marginPart: 0.15, weighed: true, exact: 100_000}
	for seed := range uint64(games) {
		b := brute[S, M]{rules: rules, part: e.marginPart}
		choices := near(rules, left, seed)
		for len(choices) > 0 {
			b.looks = 10_000
			if b.brings(&choices[0]); b.looks >= 0 {
				break
			}
			choices = choices[1:] // too much to compare with
		}
		if len(choices) == 0 {
			continue
		}
		s := choices[0]
		seat := rules.ToAct(&s)
		x := newSearcher(newMind(context.Background(), rules, game.Begin(rules, &s, seat), "beech"), &e)
		x.believe()
		if !x.solved() {
			t.Errorf("%d seats, %d turns left, game %d: it is not solved, though every way was looked at", rules.Seats(), left, seed)
			continue
		}
		if moves := rules.Moves(&s, seat, nil); len(x.found) != len(moves) {
			t.Errorf("%d first moves are judged of %d", len(x.found), len(moves))
		}
		for _, c := range x.found {
			next := s
			for i, move := range c.line.moves[:c.line.n] {
				if err := rules.Check(&next, seat, move); err != nil {
					t.Fatalf("%d turns left, game %d: %v", left, seed, err)
				}
				rules.Play(&next, seat, move, nil)
				again := brute[S, M]{rules, e.marginPart, 1 << 30}
				if want := again.brings(&next)[seat]; i == 0 && c.reward != want || c.reward > want {
					t.Errorf("%d seats, %d turns left, game %d: it is said to bring %d, and brings %d after %d moves", rules.Seats(), left, seed, c.reward, want, i+1)
				}
			}
			if rules.Turn(&next) == rules.Turn(&s) && rules.ToAct(&next) == seat {
				t.Errorf("%d turns left, game %d: a turn is not thought of to its end", left, seed)
			}
		}
		compared++
	}
	return compared
}

// TestTheLastRoundsOfBoskAreSolved: two rounds of two, and as much as every way can be
// looked at of more.
func TestTheLastRoundsOfBoskAreSolved(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := bosk.New(seats, bosk.DefaultBox())
		for left := 1; left <= 4; left++ {
			if n := solvedAs(t, r, left, 8); n < 1 && left < 4 {
				t.Errorf("%d seats, %d turns left: nothing was compared", seats, left)
			}
		}
	}
}

// TestTheLastTurnOfTreeSocietyIsSolved: also where chance has a part in it.
func TestTheLastTurnOfTreeSocietyIsSolved(t *testing.T) {
	r := treesociety.New(2, treesociety.DefaultBox(), treesociety.UsualOptions())
	if n := solvedAs(t, r, 1, 12); n < 2 {
		t.Errorf("only %d games were compared", n)
	}
}

// TestTheLastTurnOfGrandBoisIsSolved: nobody knows the clans, so it is the best over all
// the worlds that may be true, by their odds.
func TestTheLastTurnOfGrandBoisIsSolved(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := grandbois.New(seats, grandbois.DefaultBox(), false)
		e := effort{marginPart: 0.15, weighed: true, exact: 100_000}
		compared := 0
		for seed := range uint64(8) {
			choices := near[grandbois.Position, grandbois.Move](r, 1, seed)
			if len(choices) == 0 {
				continue
			}
			s := choices[0]
			seat := r.ToAct(&s)
			m := newMind(context.Background(), r, game.Begin(r, &s, seat), "beech")
			x := newSearcher(m, &e)
			x.believe()
			if len(x.known) < 2 || !x.solved() {
				t.Fatalf("%d seats, game %d: it is not solved", seats, seed)
			}
			best, all := -1e18, 0.0
			for _, o := range x.odds {
				all += o
			}
			// Every first move and, where a tower can be built, both answers.
			var try func(l []grandbois.Move)
			try = func(l []grandbois.Move) {
				sum, over := 0.0, true
				var next []grandbois.Move
				for i, w := range x.known {
					for _, move := range l {
						r.Play(&w, seat, move, nil)
					}
					if over = r.ToAct(&w) == game.None; !over {
						next = r.Moves(&w, seat, nil)
						break
					}
					st := r.Standing(&w)
					sum += x.odds[i] * float64(prize(&st, seats, seat, e.marginPart).reward)
				}
				if over {
					best = max(best, sum/all)
				}
				for _, move := range next {
					try(append(l[:len(l):len(l)], move))
				}
			}
			for _, move := range r.Moves(&m.view, seat, nil) {
				try([]grandbois.Move{move})
			}
			x.order()
			if got := float64(x.found[0].reward); got < best-1 || got > best+1 {
				t.Errorf("%d seats, game %d: the best brings %.0f, and %.0f could be had", seats, seed, got, best)
			}
			compared++
		}
		if compared < 4 {
			t.Errorf("%d seats: only %d games were compared", seats, compared)
		}
	}
}

// TestSolvingLeavesTime: who has no time to solve the end has some left to compare turns.
func TestSolvingLeavesTime(t *testing.T) {
	r := bosk.New(2, bosk.DefaultBox())
	s := near(r, 4, 3)[0]
	ctx, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)
	defer cancel()
	x := newSearcher(newMind(ctx, r, game.Begin(r, &s, r.ToAct(&s)), "beech"), &effort{marginPart: 0.15, weighed: true, exact: 1 << 30})
	x.believe()
	until := x.deadline
	ok := x.solved()
	left := time.Until(until)
	if ok || x.deadline != until {
		t.Fatalf("solved %v, until %v of %v", ok, x.deadline, until)
	}
	if !x.hurried && left > 100*time.Millisecond || x.stopped && left > 100*time.Millisecond {
		t.Errorf("hurried %v, stopped %v with %v left", x.hurried, x.stopped, left)
	}
}

// TestWhatIsTooMuchIsNotSolved: with too few looks nothing is said to be exact.
func TestWhatIsTooMuchIsNotSolved(t *testing.T) {
	r := bosk.New(2, bosk.DefaultBox())
	s := near(r, 4, 3)[0]
	for _, looks := range []int{0, 1, 10, 100} {
		x := newSearcher(newMind(context.Background(), r, game.Begin(r, &s, r.ToAct(&s)), "beech"), &effort{marginPart: 0.15, weighed: true, exact: looks})
		x.believe()
		if x.solved() || len(x.found) > 0 {
			t.Errorf("%d looks are enough for two rounds", looks)
		}
	}
}
