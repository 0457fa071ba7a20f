package grandbois

import (
	"math/rand/v2"
	"testing"

	"copse/game"
)

// TestBeliefsListEveryWorldOnce: at any point of a game every seat lists as many
// worlds as there are deals that fit, all different, all of which look to it
// like its view.
func TestBeliefsListEveryWorldOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		want := map[int]int{2: 3, 3: 12, 4: 24}[seats]
		s := r.Start()
		for s.phase != over {
			if s.phase == placing {
				for seat := range game.Seat(seats) {
					var view Position
					r.See(&s, seat, &view)
					rec := game.Begin(r, &s, seat)
					worlds, odds := r.Believe(&rec, nil, nil)
					if len(worlds) != want || len(odds) != want {
						t.Fatalf("%d seats: %d worlds, %d odds", seats, len(worlds), len(odds))
					}
					seen := map[[game.MaxSeats]uint8]bool{}
					for i := range worlds {
						var again Position
						r.See(&worlds[i], seat, &again)
						if again != view || seen[worlds[i].clans] || !(odds[i] > 0) {
							t.Fatalf("%d seats: world %d does not fit", seats, i)
						}
						seen[worlds[i].clans] = true
					}
				}
			}
			moves := r.Moves(&s, r.ToAct(&s), nil)
			r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
		}
	}
}

// TestWhoServesAClanIsBelievedToPlayIt: someone who always lays what is best for
// its own clan is found out before the game ends.
func TestWhoServesAClanIsBelievedToPlayIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	r := New(3, DefaultBox(), false)
	right, all := 0.0, 0.0
	for range 10 {
		s := r.Start()
		for s.count < 18 || s.phase != placing {
			moves := r.Moves(&s, r.ToAct(&s), nil)
			best := moves[rng.IntN(len(moves))]
			if s.phase == placing {
				high := -1
				for _, m := range moves {
					next := s
					r.Play(&next, s.actor, m, nil)
					all, largest := next.tally(int(clanOf(s.clans[s.actor])))
					if points := all + 2*largest; points > high {
						best, high = m, points
					}
				}
			}
			r.Play(&s, r.ToAct(&s), best, nil)
		}
		rec := game.Begin(r, &s, 0)
		worlds, odds := r.Believe(&rec, nil, nil)
		sum := 0.0
		for i := range odds {
			sum += odds[i]
		}
		for i := range odds {
			if worlds[i].clans == s.clans {
				right += odds[i] / sum
			}
		}
		all++
	}
	if right/all < 0.5 { // by chance alone it would be 1 in 12
		t.Errorf("the truth is held for %.2f likely", right/all)
	}
}

func clanOf(set uint8) int {
	c := 0
	for set>>c&1 == 0 {
		c++
	}
	return c
}
