package grandbois

import (
	"math/rand/v2"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestPlansAreMovesOfTheRules: whole games by plans alone, each move legal, and
// plans allocate nothing.
func TestPlansAreMovesOfTheRules(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		for _, expert := range []bool{false, true} {
			r := New(seats, DefaultBox(), expert)
			rng := rand.New(rand.NewPCG(7, uint64(seats)))
			buf := make([]Move, 0, 64)
			for range 20 {
				s := r.Start()
				for s.phase != over {
					seat := r.ToAct(&s)
					if seat == game.Chance {
						buf = r.Moves(&s, seat, buf[:0])
						r.Play(&s, seat, game.Outcome(r, &s, buf, rng), nil)
						continue
					}
					if n := gametest.Allocations(func() { buf = r.Plan(&s, seat, rng, buf[:0]) }); n != 0 {
						t.Fatalf("a plan allocates %v times", n)
					}
					for _, m := range buf {
						if err := r.Check(&s, seat, m); err != nil {
							t.Fatalf("%v: %v", m, err)
						}
						r.Play(&s, seat, m, nil)
					}
				}
			}
		}
	}
}
