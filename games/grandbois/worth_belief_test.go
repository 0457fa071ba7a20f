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
		var records []game.Record[Position, Move]
		for seat := range game.Seat(seats) {
			records = append(records, game.Begin(r, &s, seat))
		}
		for s.phase != over {
			if s.phase == placing {
				for seat := range game.Seat(seats) {
					var view Position
					r.See(&s, seat, &view)
					worlds, odds := r.Believe(&records[seat], nil, nil)
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
			before, by, moves := s, r.ToAct(&s), r.Moves(&s, r.ToAct(&s), nil)
			m := moves[rng.IntN(len(moves))]
			r.Play(&s, by, m, nil)
			for i := range records {
				records[i].Hear(r, &before, &s, by, m)
			}
		}
	}
}

// TestWhoServesAClanIsBelievedToPlayIt: those who always lay what is best for their
// own clan are found out before the game ends, and sooner by who has heard every
// move, and so knows what they could have done instead, than by who sees only what
// lies there.
func TestWhoServesAClanIsBelievedToPlayIt(t *testing.T) {
	heard, seen := foundOut(t, 9)
	if heard < 0.5 || heard < seen+0.05 { // by chance alone it would be 1 in 12
		t.Errorf("after 9 tiles the truth is held for %.2f likely by who heard everything, %.2f by who sees the forest", heard, seen)
	}
	if heard, seen = foundOut(t, 18); heard < 0.8 || seen < 0.5 {
		t.Errorf("after 18 tiles the truth is held for %.2f likely by who heard everything, %.2f by who sees the forest", heard, seen)
	}
}

// foundOut is how likely seat 0 holds the truth for, by its whole record and by the
// forest alone, when so many tiles were laid, the mean over some games.
func foundOut(t *testing.T, tiles int) (heard, seen float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 9))
	r := New(3, DefaultBox(), false)
	const games = 10
	for range games {
		s := r.Start()
		whole := game.Begin(r, &s, 0)
		for int(s.count) < tiles || s.phase != placing {
			moves := r.Moves(&s, r.ToAct(&s), nil)
			best := moves[rng.IntN(len(moves))]
			if s.phase == placing {
				high := -1
				for _, m := range moves {
					next := s
					r.Play(&next, s.actor, m, nil)
					all, largest := next.tally(clanOf(s.clans[s.actor]))
					if points := all + 2*largest; points > high {
						best, high = m, points
					}
				}
			}
			before, by := s, r.ToAct(&s)
			r.Play(&s, by, best, nil)
			whole.Hear(r, &before, &s, by, best)
		}
		now := game.Begin(r, &s, 0)
		heard += held(r, &whole, &s) / games
		seen += held(r, &now, &s) / games
	}
	return heard, seen
}

// held is how likely a record holds the truth for.
func held(r *Rules, rec *game.Record[Position, Move], truth *Position) float64 {
	worlds, odds := r.Believe(rec, nil, nil)
	right, sum := 0.0, 0.0
	for i := range worlds {
		sum += odds[i]
		if worlds[i].clans == truth.clans {
			right += odds[i]
		}
	}
	return right / sum
}

func clanOf(set uint8) int {
	c := 0
	for set>>c&1 == 0 {
		c++
	}
	return c
}
