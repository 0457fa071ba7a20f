package bosk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
)

// TestWhatIsSettledMakesNoDifference: from any point of autumn on, exactly the same can
// be played where Settle has wiped what cannot matter, again and again, and it comes to
// the same standing.
func TestWhatIsSettledMakesNoDifference(t *testing.T) {
	wiped := 0
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox())
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 8))
			s := r.Start()
			settled := s
			for n := 0; r.ToAct(&s) != game.None; n++ {
				moves := r.Moves(&s, s.actor, nil)
				if s.round > 0 {
					if s.phase == shedding && rng.IntN(8) == 0 {
						settled = s // what is wiped from here on
					}
					was := settled
					if r.Settle(&settled); settled.square != was.square {
						wiped++
					}
					if got := r.Moves(&settled, s.actor, nil); !slices.Equal(got, moves) || r.ToAct(&settled) != s.actor || r.Turn(&settled) != r.Turn(&s) {
						t.Fatalf("%d seats, game %d, round %d: %v can be played, and %v before:\n%s", seats, seed, s.round, got, moves, r.draw(&s))
					}
				}
				m := moves[rng.IntN(len(moves))]
				seat := s.actor
				r.Play(&s, seat, m, nil)
				if settled.round > 0 || s.round == 0 {
					r.Play(&settled, seat, m, nil)
				} else {
					settled = s
				}
			}
			if got, want := r.Standing(&settled), r.Standing(&s); got != want {
				t.Fatalf("%d seats, game %d: it ends with %+v, and with %+v before", seats, seed, got, want)
			}
		}
	}
	if wiped < 100 {
		t.Errorf("only %d times was anything wiped", wiped)
	}
}
