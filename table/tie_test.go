package table

import (
	"slices"
	"testing"

	"copse/game"
)

// When all is over, a look tells what broke the ties; who resigned ranks last
// anyway, and no rule has broken anything there. Before the end nothing is told.
func TestALookTellsWhatBrokeTies(t *testing.T) {
	met := map[string]int{}
	for n := range uint64(40) {
		rng := newRand(n, 77)
		r := begun(t, settings("tiny", 3), 3)
		if n%2 == 1 {
			r.do(Resign{somebody(0)})
		}
		for !r.Over() {
			if ties := r.Look(game.Watcher).Standing.Ties; ties != nil {
				t.Fatalf("ties are told while the game goes on: %v", ties)
			}
			r.move(rng)
		}
		standing := r.Look(game.Watcher).Standing
		var tied []game.Seat
		for _, tie := range standing.Ties {
			met[tie.Key]++
			a, b := standing.Seats[tie.Seat], standing.Seats[tie.Other]
			if a.Total != b.Total || *a.Rank > *b.Rank {
				t.Errorf("%v of %+v and %+v", tie, a, b)
			}
			tied = append(tied, tie.Seat, tie.Other)
		}
		for a := range game.Seat(3) {
			for b := range a {
				resigned := n%2 == 1 && b == 0
				if same := standing.Seats[a].Total == standing.Seats[b].Total; same && !resigned && (!slices.Contains(tied, a) || !slices.Contains(tied, b)) {
					t.Errorf("nothing is said of seats %v and %v: %+v", a, b, standing)
				}
			}
		}
		if n%2 == 1 && slices.Contains(tied, 0) {
			t.Errorf("it is told how who resigned lost a tie: %+v", standing.Ties)
		}
	}
	if met["tiny.tie.branch"] == 0 {
		t.Errorf("met are %v", met)
	}
}
