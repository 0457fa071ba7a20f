package bot

import (
	"context"
	"math/rand/v2"
	"testing"

	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// walk is a game of two: in a turn a seat takes so many steps, each to the left or
// to the right. A table says what the way of all steps so far is worth to seat 0,
// and it is worth as much less to seat 1.
type walk struct {
	game.Playable[walked, int]
	steps int                // in a turn
	turns int                // in the game
	worth map[walked]float64 // 0 where nothing is said
}

// walked is the way so far: its steps as the digits 1 for left and 2 for right.
type walked int

func (w walk) length(s walked) int {
	n := 0
	for ; s > 0; s /= 10 {
		n++
	}
	return n
}

func (w walk) Seats() int         { return 2 }
func (w walk) Turn(s *walked) int { return w.length(*s) / w.steps }
func (w walk) ToAct(s *walked) game.Seat {
	if w.Turn(s) == w.turns {
		return game.None
	}
	return game.Seat(w.Turn(s) % 2)
}
func (w walk) Moves(_ *walked, _ game.Seat, buf []int) []int   { return append(buf, 1, 2) }
func (w walk) Play(s *walked, _ game.Seat, m int, _ *game.Log) { *s = *s*10 + walked(m) }
func (w walk) Imagine(*walked, game.Seat, *rand.Rand)          {}
func (w walk) Worth(s *walked, seat game.Seat) float64 {
	if seat == 1 {
		return -w.worth[*s]
	}
	return w.worth[*s]
}

func first(choose chooser[walked, int], w walk) int {
	return choose(newMind(context.Background(), w, game.Record[walked, int]{}, ""))[0].move
}

// TestATurnIsPlannedToItsEnd: the first step to the left looks better, but two
// steps to the right lead further.
func TestATurnIsPlannedToItsEnd(t *testing.T) {
	w := walk{steps: 3, turns: 1, worth: map[walked]float64{1: 5, 2: 1, 11: 5, 111: 5, 222: 9}}
	for name, choose := range map[string]chooser[walked, int]{Greedy: greedy[walked, int], Ahead: ahead[walked, int]} {
		if got := first(choose, w); got != 2 {
			t.Errorf("%s goes %d first", name, got)
		}
	}
}

// TestOfEqualsTheFirst: where everything is worth the same, the order of the rules
// decides.
func TestOfEqualsTheFirst(t *testing.T) {
	if got := first(greedy[walked, int], walk{steps: 2, turns: 2}); got != 1 {
		t.Errorf("greedy goes %d first", got)
	}
}

// TestAheadAsksWhatTheOtherMakesOfIt: the left is worth more, but not after the
// other's turn.
func TestAheadAsksWhatTheOtherMakesOfIt(t *testing.T) {
	w := walk{steps: 1, turns: 2, worth: map[walked]float64{1: 5, 2: 1, 11: 5, 12: -5, 21: 1, 22: 1}}
	if got := first(greedy[walked, int], w); got != 1 {
		t.Errorf("greedy goes %d", got)
	}
	if got := first(ahead[walked, int], w); got != 2 {
		t.Errorf("ahead goes %d", got)
	}
}

// TestTimeThatIsUpIsNoticed: a player looks at little more once time is up.
func TestTimeThatIsUpIsNoticed(t *testing.T) {
	notices(t, bosk.Game(), 4)
	notices(t, grandbois.Game(), 4)
}

func notices[S, M comparable](t *testing.T, def game.Definition[S, M], seats int) {
	t.Helper()
	r, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	s, rng := r.Start(), rand.New(rand.NewPCG(1, 2))
	for r.Turn(&s) < 5*seats || r.ToAct(&s) == game.Chance {
		moves := r.Moves(&s, r.ToAct(&s), nil)
		r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
	}
	for _, player := range []string{Easy, Greedy, Ahead, "level:1", "level:10"} {
		stopped, stop := context.WithCancel(context.Background())
		stop()
		m := newMind(stopped, r, game.Begin(r, &s, r.ToAct(&s)), "")
		choose, err := find[S, M](player)
		if err != nil {
			t.Fatal(err)
		}
		choose(m)
		if m.looked > 100 {
			t.Errorf("%s: %s looked at %d positions after its time was up", def.Name, player, m.looked)
		}
	}
}
