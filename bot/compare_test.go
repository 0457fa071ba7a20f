package bot

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"copse/game"
)

// wells is a game of one choice in a world that nobody sees: seat 0 lowers a bucket
// into a well, chance says how full it comes up, and the game is over. It writes
// down which world and which luck every bucket met.
type wells struct {
	game.Playable[drawn, int]
	seats int
	gives []game.Points // what a full bucket of each well is worth to seat 0; the others get nothing
	meets func(well int, world uint32, luck int)
}

// drawn is a well, from 1, how full the bucket came up, from 1 to fullest, and
// the world: 0 for a view.
type drawn struct {
	world      uint32
	well, luck int
}

const fullest = 1000

func (g wells) Seats() int        { return g.seats }
func (g wells) Turn(s *drawn) int { return min(s.luck, 1) }
func (g wells) ToAct(s *drawn) game.Seat {
	switch {
	case s.well == 0:
		return 0
	case s.luck == 0:
		return game.Chance
	}
	return game.None
}

func (g wells) Moves(s *drawn, _ game.Seat, buf []int) []int {
	n := len(g.gives)
	if s.well != 0 {
		n = fullest
	}
	for i := range n {
		buf = append(buf, i+1)
	}
	return buf
}
func (g wells) Odds(*drawn, int) int { return 1 }
func (g wells) Play(s *drawn, seat game.Seat, m int, _ *game.Log) {
	if seat != game.Chance {
		s.well = m
		return
	}
	s.luck = m
	g.meets(s.well, s.world, m)
}
func (g wells) Imagine(s *drawn, _ game.Seat, rng *rand.Rand) { s.world = rng.Uint32() | 1 }
func (g wells) Standing(s *drawn) game.Standing {
	st := game.Standing{Over: s.luck != 0}
	if s.well != 0 {
		st.Seats[0].Total = g.gives[s.well-1]
	}
	st.RankBy(g.seats, func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
	return st
}

// met is a world and the luck that came with it.
type met struct {
	world uint32
	luck  int
}

// lower has a search choose a well with so many playouts, and tells what the
// buckets of each well met while turns were compared.
func lower(playouts int, gives ...game.Points) (best int, all map[int][]met) {
	g := wells{seats: 2, gives: gives, meets: func(int, uint32, int) {}}
	all = map[int][]met{}
	e := effort{worlds: 1, width: 1, ways: 1, turns: len(gives), weighed: true, marginPart: 1, share: 1}
	g.meets = func(well int, world uint32, luck int) { all[well] = append(all[well], met{world, luck}) }
	x := newSearcher(newMind(context.Background(), g, game.Record[drawn, int]{}, "willow"), &e)
	x.believe()
	x.outline(x.moves())
	x.narrow()
	clear(all)
	// One playout is made to find out how long they are. A game without plans plays
	// unplanned turns a millisecond, and a choice of few moves gets a part of the
	// budget.
	x.budget = playouts * few / min(len(gives), few)
	if x.budget%unplanned != 0 {
		panic(fmt.Sprintf("%d playouts are no whole milliseconds", playouts))
	}
	x.budget /= unplanned
	x.compare(len(gives))
	first := x.found[0].line.moves[0]
	all[first] = all[first][1:]
	return x.choices()[0].move, all
}

// TestAllThatIsComparedMeetsTheSame: playout number n of every turn is played in
// the same world and with the same luck, and the next one in another. A turn that
// was dropped has met what the others met until then.
func TestAllThatIsComparedMeetsTheSame(t *testing.T) {
	_, all := lower(1600, 1, 2, 3, 4, 5, 6, 7, 8)
	longest := all[8]
	if len(all) != 8 || len(longest) < 100 {
		t.Fatalf("%d wells were compared, the best %d times", len(all), len(longest))
	}
	for well, meets := range all {
		if !slices.Equal(meets, longest[:len(meets)]) {
			t.Errorf("well %d met other worlds or other luck than well 8", well)
		}
	}
	different := map[met]bool{}
	for _, m := range longest {
		different[m] = true
	}
	if len(different) < len(longest)*9/10 {
		t.Errorf("of %d playouts only %d met something of their own", len(longest), len(different))
	}
}

// TestTurnsAreComparedByHalving: of eight turns three rounds are needed. Of 1,600
// playouts each round has 533: 66 for each of eight, 133 for each of the better
// four, 266 for each of the better two. Of five turns three rounds as well, and of
// an odd number the larger half stays.
func TestTurnsAreComparedByHalving(t *testing.T) {
	for _, c := range []struct {
		playouts int
		gives    []game.Points
		best     int
		want     []int
	}{
		{1600, []game.Points{3, 8, 1, 7, 2, 6, 4, 5}, 2, []int{66, 66 + 133 + 266, 66, 66 + 133 + 266, 66, 66 + 133, 66, 66 + 133}},
		{1500, []game.Points{5, 4, 3, 2, 1}, 1, []int{100 + 166 + 250, 100 + 166 + 250, 100 + 166, 100, 100}},
	} {
		best, all := lower(c.playouts, c.gives...)
		got := make([]int, len(c.gives))
		for well, meets := range all {
			got[well-1] = len(meets)
		}
		if best != c.best || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: the best is %d after %v, wants %d after %v", c.gives, best, got, c.best, c.want)
		}
	}
}

// TestWhatTheEndBrings: a shared win counts in equal parts, a rank behind the first
// nothing, and the margin is the lead over the best other.
func TestWhatTheEndBrings(t *testing.T) {
	for _, c := range []struct {
		totals []game.Points
		seat   game.Seat
		wins   float64
		margin float64
	}{
		{[]game.Points{10, 4}, 0, 1, 6},
		{[]game.Points{10, 4}, 1, 0, -6},
		{[]game.Points{7, 7}, 0, 0.5, 0},
		{[]game.Points{7, 7, 2}, 1, 0.5, 0},
		{[]game.Points{7, 7, 2}, 2, 0, -5},
		{[]game.Points{5, 5, 5, 5}, 3, 0.25, 0},
		{[]game.Points{-3, -5, -9}, 0, 1, 2},
	} {
		var st game.Standing
		for seat, total := range c.totals {
			st.Seats[seat].Total = total
		}
		st.RankBy(len(c.totals), func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
		got := prize(&st, len(c.totals), c.seat, 0.5)
		if want := (result{reward: parts(c.wins + 0.5*c.margin), wins: parts(c.wins), margin: parts(c.margin)}); got != want {
			t.Errorf("%v brings seat %v %+v, not %+v", c.totals, c.seat, got, want)
		}
	}
}
