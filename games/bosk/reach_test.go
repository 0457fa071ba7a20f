package bosk

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
)

// TestReachIsEverySquareOfSomePath compares what a leaf still reaches with all
// the paths there are, walked one by one.
func TestReachIsEverySquareOfSomePath(t *testing.T) {
	r := New(2, DefaultBox())
	rng := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for range 6 {
		s := r.Start()
		for r.ToAct(&s) != game.None {
			seat := r.ToAct(&s)
			moves := r.Moves(&s, seat, nil)
			for _, m := range moves {
				if m.Do != Leaf || s.active > 5 { // more leaves have too many paths
					continue
				}
				next := s
				r.Play(&next, seat, m, nil)
				walked := map[[2]int]bool{}
				walk(r, next, s.turn, seat, walked)
				reach := r.Facts(&s, seat, m)["reach"].([][2]int)
				if len(reach) != len(walked) || slices.ContainsFunc(reach, func(at [2]int) bool { return !walked[at] }) {
					raw, _ := json.Marshal(r.ViewJSON(&s))
					t.Fatalf("%v: reach is %v, paths come to %v\n%s", m, reach, walked, raw)
				}
				compared++
			}
			r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
		}
	}
	if compared < 100 {
		t.Errorf("only %d leaves were compared", compared)
	}
}

// walk notes every square that any path from here comes to.
func walk(r *Rules, s Position, turn uint8, seat game.Seat, walked map[[2]int]bool) {
	if s.turn != turn || s.phase != falling {
		return
	}
	for _, m := range r.Moves(&s, seat, nil) {
		walked[[2]int{int(m.Row), int(m.Column)}] = true
		next := s
		r.Play(&next, seat, m, nil)
		walk(r, next, turn, seat, walked)
	}
}
