package bosk

import (
	"math"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// TestTheBestWalkIsTheBestOfAll: on parks as they come up in random games, the
// path that is found step by step brings as much as the best of all paths tried
// one by one, and the rules take it.
func TestTheBestWalkIsTheBestOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	tried := 0
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox())
		for range 6 {
			s := r.Start()
			for s.phase != finished {
				moves := r.Moves(&s, s.actor, nil)
				if s.phase == falling && rng.IntN(4) == 0 {
					compareWalks(t, r, &s)
					tried++
				}
				r.Play(&s, s.actor, moves[rng.IntN(len(moves))], nil)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d paths were tried", tried)
	}
}

func compareWalks(t *testing.T, r *Rules, s *Position) {
	t.Helper()
	var g gains
	r.appraise(s, &g)
	var w walks
	w.follow(r, s, s.actor, &g, s.last, s.laid > 0, s.wind, int(s.active))
	next, brings := *s, float32(0)
	for _, m := range w.path(r, int(s.active), nil) {
		if err := r.Check(&next, s.actor, m); err != nil {
			t.Fatalf("%v: %v", m, err)
		}
		brings += g.of(r, s, s.actor, at(m.Row, m.Column))
		r.Play(&next, s.actor, m, nil)
	}
	if want := bestOfAll(r, s, s, &g, s.actor); math.Abs(float64(brings-want)) > 1e-3 {
		t.Errorf("the walk brings %v, the best of all %v", brings, want)
	}
}

// bestOfAll tries every path, by the gains as they were at its start.
func bestOfAll(r *Rules, start, s *Position, g *gains, seat game.Seat) float32 {
	best := float32(0)
	if s.turn != start.turn || s.phase != falling {
		return 0
	}
	for _, m := range r.Moves(s, seat, nil) {
		next := *s
		gain := g.of(r, start, seat, at(m.Row, m.Column))
		r.Play(&next, seat, m, nil)
		best = max(best, gain+bestOfAll(r, start, &next, g, seat))
	}
	return best
}

// TestPlansAreMovesOfTheRules: whole games by plans alone, each move legal, and
// plans allocate nothing.
func TestPlansAreMovesOfTheRules(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox())
		rng := rand.New(rand.NewPCG(7, uint64(seats)))
		var buf []Move
		for range 20 {
			s := r.Start()
			for s.phase != finished {
				seat := s.actor
				buf = r.Plan(&s, seat, rng, buf[:0])
				if len(buf) == 0 {
					t.Fatal("a plan without a move")
				}
				for _, m := range buf {
					if err := r.Check(&s, seat, m); err != nil {
						t.Fatalf("%v: %v", m, err)
					}
					r.Play(&s, seat, m, nil)
				}
			}
		}
		s := r.Start()
		if n := testing.AllocsPerRun(50, func() {
			if s.phase == finished {
				s = r.Start()
			}
			seat := s.actor
			buf = r.Plan(&s, seat, rng, buf[:0])
			for _, m := range buf {
				r.Play(&s, seat, m, nil)
			}
		}); n != 0 {
			t.Errorf("a plan allocates %v times", n)
		}
	}
}
