package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// TestTheTreeTakesWhatBringsMost: as flat does, but that most playouts go where it is
// good.
func TestTheTreeTakesWhatBringsMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		seats int
		bears [][][game.MaxSeats]game.Points
		want  int
	}{
		{"a narrow win before a close loss", 2, [][][game.MaxSeats]game.Points{sure(50, 51), sure(2, 1)}, 2},
		{"the lead is over the best other", 3, [][][game.MaxSeats]game.Points{sure(9, 8, 1), sure(90, 7, 7)}, 2},
		{"most of the wins before half", 2, [][][game.MaxSeats]game.Points{{{9, 0}, {0, 9}}, {{9, 0}, {9, 0}, {0, 9}}}, 2},
	} {
		g := bushes{seats: c.seats, bears: c.bears, count: map[int]int{}}
		m := newMind(context.Background(), g, game.Record[picked, int]{}, "hazel")
		got := ismcts(m, 600)[0].move
		most, sum := 0, 0
		for _, n := range g.count {
			most, sum = max(most, n), sum+n
		}
		if got != c.want || g.count[got] != most || sum != 600 || m.played != 600 {
			t.Errorf("%s: picks %d after %v, wants %d", c.name, got, g.count, c.want)
		}
	}
	for _, seed := range []string{"oak", "ash", "elm", "yew"} { // whichever came first
		g := bushes{seats: 2, bears: [][][game.MaxSeats]game.Points{sure(6, 5), sure(6, 5)}, count: map[int]int{}}
		if got := ismcts(newMind(context.Background(), g, game.Record[picked, int]{}, seed), 2)[0].move; got != 1 || g.count[2] != 1 {
			t.Errorf("of equals it picks %d after %v", got, g.count)
		}
	}
	g := bushes{seats: 2, bears: [][][game.MaxSeats]game.Points{sure(1, 5)}, count: map[int]int{}}
	if got := ismcts(newMind(context.Background(), g, game.Record[picked, int]{}, ""), 100)[0].move; got != 1 || len(g.count) > 0 {
		t.Errorf("the only move: picks %d after %v", got, g.count)
	}
}

// duel is a game of two moves: seat 0 goes left or right, seat 1 answers. On the left
// most answers are good for seat 0, and one is bad; on the right all are a little good.
// Who answers takes the bad one.
type duel struct{ game.Playable[dueled, int] }

type dueled struct{ first, second int }

func (duel) Seats() int         { return 2 }
func (duel) Turn(s *dueled) int { return min(s.first, 1) + min(s.second, 1) }
func (duel) ToAct(s *dueled) game.Seat {
	switch {
	case s.first == 0:
		return 0
	case s.second == 0:
		return 1
	}
	return game.None
}
func (duel) Moves(s *dueled, _ game.Seat, buf []int) []int {
	if s.first == 0 {
		return append(buf, 1, 2)
	}
	return append(buf, 1, 2, 3, 4, 5)
}
func (duel) Play(s *dueled, _ game.Seat, m int, _ *game.Log) {
	if s.first == 0 {
		s.first = m
	} else {
		s.second = m
	}
}
func (duel) Imagine(*dueled, game.Seat, *rand.Rand) {}
func (duel) Standing(s *dueled) game.Standing {
	st := game.Standing{Over: true}
	st.Seats[0].Total = 3
	if s.first == 2 {
		st.Seats[0].Total = 1
	} else if s.second == 4 {
		st.Seats[0].Total = -9
	}
	st.RankBy(2, func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
	return st
}

// TestTheTreeKnowsWhoAnswers: flat believes that the other answers at random; in the
// tree whoever answers takes what is good for them.
func TestTheTreeKnowsWhoAnswers(t *testing.T) {
	t.Parallel()
	mind := func() *mind[dueled, int] {
		return newMind(context.Background(), duel{}, game.Record[dueled, int]{}, "hazel")
	}
	if got := ismcts(mind(), 2000)[0].move; got != 2 {
		t.Errorf("it goes %d, into what the other likes", got)
	}
}

// TestBoundsCountWhatWasThere: a branch that was seldom available is not taken for one
// that was seldom wanted.
func TestBoundsCountWhatWasThere(t *testing.T) {
	t.Parallel()
	seldom := node{visits: 4, available: 4, reward: 4 * rewardParts / 2}
	passed := node{visits: 4, available: 400, reward: 4 * rewardParts / 2}
	if seldom.bound() >= passed.bound() {
		t.Errorf("%v for a branch that was always taken, %v for one that was passed by", seldom.bound(), passed.bound())
	}
	if want := 0.5 + 0.7*math.Sqrt(math.Log(400)/4); math.Abs(passed.bound()-want) > 1e-12 {
		t.Errorf("the bound is %v, not %v", passed.bound(), want)
	}
}

// TestATreeWithoutTime makes a move all the same.
func TestATreeWithoutTime(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	g := bushes{seats: 2, bears: [][][game.MaxSeats]game.Points{sure(1, 5), sure(9, 5)}, count: map[int]int{}}
	if got := ismcts(newMind(stopped, g, game.Record[picked, int]{}, ""), 100)[0].move; got != 1 || len(g.count) > 0 {
		t.Errorf("without any time: picks %d after %v", got, g.count)
	}
}
