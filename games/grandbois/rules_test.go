package grandbois

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Every numbered rule has a test named after it. TestEveryRuleHasATest sees to
// that.

// dealt is a game in which clans are dealt in their order, toads first, and
// these tiles lie in the river.
func dealt(t *testing.T, r *Rules, river ...int) Position {
	t.Helper()
	s := r.Start()
	for n := range r.seats * r.each {
		play(t, r, &s, fmt.Sprintf(`{"do":"deal","seat":%d,"clan":%q}`, n/r.each, r.clan[n+1]))
	}
	for _, tile := range river {
		play(t, r, &s, fmt.Sprintf(`{"do":"reveal","tile":%d}`, tile))
	}
	return s
}

// wander plays a game at random, for some plies or to its end.
func wander(r *Rules, seed uint64, plies int) Position {
	s := r.Start()
	game.Playout(r, &s, rand.New(rand.NewPCG(seed, 0)), nil, plies)
	return s
}

const toTheEnd = 1000

// writes is a list of moves as they are written.
func writes(r *Rules, moves []Move) []string {
	var list []string
	for _, m := range moves {
		list = append(list, string(r.AppendMove(nil, m)))
	}
	return list
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRule1_1TwoToFourSeatsClockwiseFromSeat0WithAllTiles(t *testing.T) {
	for seats := range 7 {
		_, err := game.Of(Game()).Start(game.Settings{Seats: seats})
		if ok := seats >= 2 && seats <= 4; ok != (err == nil) {
			t.Errorf("%d seats: %v", seats, err)
		}
	}
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		s := r.Start()
		var order []game.Seat
		rng := rand.New(rand.NewPCG(1, uint64(seats)))
		for r.ToAct(&s) != game.None {
			seat := r.ToAct(&s)
			m := r.Sample(&s, seat, rng)
			if m.do() == Place {
				order = append(order, seat)
			}
			r.Play(&s, seat, m, nil)
		}
		for k, seat := range order {
			if int(seat) != k%seats {
				t.Fatalf("%d seats: turns went %v", seats, order)
			}
		}
		if len(order) != 36 || s.pile != 0 || s.river != 0 {
			t.Errorf("%d seats: %d tiles were laid", seats, len(order))
		}
	}
	r := New(3, DefaultBox(), false)
	s := dealt(t, r, 1, 2, 3, 4)
	for _, seat := range []game.Seat{1, 2, game.Chance, game.Watcher} {
		if err := r.Check(&s, seat, move(Pass)); err == nil || err.Error() != `grandbois.turn {"seat":0} (rule 1.1)` {
			t.Errorf("%v moves out of turn: %v", seat, err)
		}
	}
	refused(t, r, &s, `{"do":"place","tile":37,"x":0,"y":0,"turn":0}`, "1.1", "grandbois.tile", `{"most":36,"tile":37}`)
	refused(t, r, &s, `{"do":"place","tile":0,"x":0,"y":0,"turn":0}`, "1.1", "grandbois.tile", `{"most":36,"tile":0}`)
	refused(t, r, &s, `{"do":"place","tile":-300,"x":0,"y":0,"turn":0}`, "1.1", "grandbois.tile", `{"most":36,"tile":-300}`)
	refused(t, r, &s, `{"do":"reveal","tile":99}`, "1.1", "grandbois.tile", `{"most":36,"tile":99}`)
	refused(t, r, &s, `{"do":"deal","seat":3,"clan":"fox"}`, "1.1", "grandbois.seat", `{"most":2,"seat":3}`)
	refused(t, r, &s, `{"do":"deal","seat":-1}`, "1.1", "grandbois.seat", `{"most":2,"seat":-1}`)
	if err := r.Check(&s, 0, placeMove(255, 0, 0, 0)); err == nil || err.Error() != `grandbois.tile {"most":36,"tile":255} (rule 1.1)` {
		t.Errorf("no such tile: %v", err)
	}
}

func TestRule1_2TheStartTileThenClansThenFourTiles(t *testing.T) {
	for seats, order := range map[int]string{
		2: "0 0 1 1 river river river river",
		3: "0 1 2 river river river river",
		4: "0 1 2 3 river river river river",
	} {
		r := New(seats, DefaultBox(), false)
		s := r.Start()
		shows(t, r, &s, `
0 0
o   o
o   o`)
		rng := rand.New(rand.NewPCG(1, 2))
		var did []string
		for r.ToAct(&s) == game.Chance {
			m := r.Sample(&s, game.Chance, rng)
			if m.do() == Deal {
				did = append(did, m.seat().String())
			} else {
				did = append(did, "river")
			}
			r.Play(&s, game.Chance, m, nil)
		}
		if got := strings.Join(did, " "); got != order {
			t.Errorf("%d seats: chance did %s, want %s", seats, got, order)
		}
		if r.ToAct(&s) != 0 || r.Turn(&s) != 0 || bits.OnesCount64(s.river) != 4 || bits.OnesCount64(s.pile) != 32 {
			t.Errorf("%d seats: seat %v begins turn %d with %d tiles in the river and %d in the pile", seats,
				r.ToAct(&s), r.Turn(&s), bits.OnesCount64(s.river), bits.OnesCount64(s.pile))
		}
	}
	r := New(3, DefaultBox(), false)
	s := r.Start()
	refused(t, r, &s, `{"do":"deal","seat":1,"clan":"fox"}`, "1.2", "grandbois.deal.seat", `{"due":0,"seat":1}`)
	refused(t, r, &s, `{"do":"reveal","tile":1}`, "1.2", "grandbois.not-now", `{"do":"reveal","due":"deal"}`)
	if err := r.Check(&s, 0, move(Pass)); err == nil || err.Error() != `grandbois.wait {"due":"deal"} (rule 1.2)` {
		t.Errorf("a seat moves before clans are dealt: %v", err)
	}
	s = dealt(t, r, 7)
	refused(t, r, &s, `{"do":"reveal","tile":7}`, "1.2", "grandbois.reveal.gone", `{"tile":7}`)
	refused(t, r, &s, `{"do":"deal","seat":0,"clan":"fox"}`, "1.2", "grandbois.not-now", `{"do":"deal","due":"reveal"}`)
	if err := r.Check(&s, 0, move(Pass)); err == nil || err.Error() != `grandbois.wait {"due":"reveal"} (rule 1.2)` {
		t.Errorf("a seat moves before the river is there: %v", err)
	}
	if err := r.Check(&s, game.Chance, revealMove(8)|1); err == nil || err.Error() != `grandbois.unknown {"due":"reveal"} (rule 1.2)` {
		t.Errorf("a tile revealed somewhere: %v", err)
	}
}

func TestRule1_3OneClanOfFiveAndOneTower(t *testing.T) {
	for seats := 3; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		s := r.Start()
		if n := len(r.Moves(&s, game.Chance, nil)); n != 5 {
			t.Errorf("%d seats: the first clan is one of %d", seats, n)
		}
		s = dealt(t, r)
		for seat := range seats {
			if bits.OnesCount8(s.clans[seat]) != 1 || s.towers[seat] != 1 {
				t.Errorf("seat %d has clans %b and %d towers", seat, s.clans[seat], s.towers[seat])
			}
		}
	}
	r := New(3, DefaultBox(), false)
	s := r.Start()
	play(t, r, &s, `{"do":"deal","seat":0,"clan":"fox"}`)
	if got := fmt.Sprint(writes(r, r.Moves(&s, game.Chance, nil))); strings.Contains(got, "fox") || strings.Count(got, "deal") != 4 {
		t.Errorf("the second clan is one of %s", got)
	}
	refused(t, r, &s, `{"do":"deal","seat":1,"clan":"fox"}`, "1.3", "grandbois.deal.gone", `{"clan":"fox"}`)
	refused(t, r, &s, `{"do":"deal","seat":1,"clan":"bear"}`, "1.3", "grandbois.deal.clan", `{"clan":"bear","clans":["toad","rabbit","fox","raccoon","lizard"]}`)
	refused(t, r, &s, `{"do":"deal","seat":1}`, "1.3", "grandbois.deal.unnamed", `{"seat":1}`)
	for _, junk := range []Move{dealMove(1, 9), dealMove(1, 1) | 1<<24, dealMove(1, 1) | 7} {
		if err := r.Check(&s, game.Chance, junk); err == nil || err.Error() != `grandbois.unknown {"due":"deal"} (rule 1.2)` {
			t.Errorf("%x: %v", junk, err)
		}
	}
}

func TestRule1_4TwoClansAndTwoTowersForTwo(t *testing.T) {
	r := New(2, DefaultBox(), false)
	s := dealt(t, r)
	for seat := range 2 {
		if bits.OnesCount8(s.clans[seat]) != 2 || s.towers[seat] != 2 {
			t.Errorf("seat %d has clans %b and %d towers", seat, s.clans[seat], s.towers[seat])
		}
	}
	if left := r.undealt(&s); left != 1<<5 {
		t.Errorf("clans %b are left over, want the lizards alone", left)
	}
}

func TestRule1_5ClansStaySecretAndEverythingElseIsOpen(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		s := wander(r, 5, 60)
		for _, viewer := range []game.Seat{game.Watcher, 0, 1} {
			var view Position
			r.See(&s, viewer, &view)
			st := r.Standing(&view)
			for seat := range game.Seat(seats) {
				own := seat == viewer
				if known := view.clans[seat] != 0; known != own {
					t.Errorf("%v knows the clans of seat %v: %t", viewer, seat, known)
				}
				if known := st.Seats[seat].Total != game.Unknown; known != own || st.Seats[seat].Rank != 0 {
					t.Errorf("%v knows the score of seat %v: %t, rank %d", viewer, seat, known, st.Seats[seat].Rank)
				}
				for _, line := range r.Sheet(&view) {
					if own && line.Points[seat] == game.Unknown {
						t.Errorf("seat %v does not know its own line %v", seat, line)
					}
				}
			}
			view.clans, view.viewer = s.clans, s.viewer
			if view != s {
				t.Errorf("%v does not see all the rest", viewer)
			}
		}
	}
	r := New(3, DefaultBox(), false)
	s := r.Start()
	log := play(t, r, &s, `{"do":"deal","seat":0,"clan":"fox"}`)
	for viewer, want := range map[game.Seat]string{
		0:            `[{"key":"grandbois.event.clan","args":{"clan":"fox","seat":0},"to":[0]}]`,
		1:            `grandbois.event.deal`,
		game.Watcher: `grandbois.event.deal`,
	} {
		if got := asJSON(t, log.HeardBy(viewer)); !strings.Contains(got, want) || viewer != 0 && strings.Contains(got, "fox") {
			t.Errorf("%v hears %s, want %s", viewer, got, want)
		}
		m := game.Hear(r, dealMove(0, 3), game.Chance, viewer)
		if got := string(r.AppendMove(nil, m)); (got == `{"do":"deal","seat":0}`) != (viewer != 0) {
			t.Errorf("%v hears %s", viewer, got)
		}
	}
	start := r.Start()
	var view Position
	r.See(&start, 1, &view)
	if got := fmt.Sprint(writes(r, r.Moves(&view, game.Chance, nil))); got != `[{"do":"deal","seat":0}]` {
		t.Errorf("seat 1 thinks possible: %s", got)
	}
	refused(t, r, &view, `{"do":"deal","seat":0,"clan":"fox"}`, "1.5", "grandbois.deal.secret", `{"seat":0}`)
}

func TestRule2_1AnyTileOfTheRiverInAnyTurn(t *testing.T) {
	r := New(3, DefaultBox(), false)
	for turn, picture := range []string{`
0 0
o   o   t4
o   f2  f2`, `
0 0
o   f2  o
o   f2  t4`, `
0 0
o   f2  f2
o   t4  o`, `
0 0
o   t4  f2
o   o   f2`} {
		s := dealt(t, r, 8, 1, 30, 2)
		play(t, r, &s, fmt.Sprintf(`{"do":"place","tile":8,"x":1,"y":0,"turn":%d}`, turn))
		shows(t, r, &s, picture)
	}
	s := dealt(t, r, 8, 1, 30, 2)
	met := map[int]int{}
	for _, m := range r.Moves(&s, 0, nil) {
		met[m.piece()]++
	}
	// Eight places around and on the start tile, four turns.
	if want := map[int]int{1: 32, 2: 32, 8: 32, 30: 32}; !reflect.DeepEqual(met, want) {
		t.Errorf("tiles can be placed so often: %v, want %v", met, want)
	}
	refused(t, r, &s, `{"do":"place","tile":3,"x":1,"y":0,"turn":0}`, "2.1", "grandbois.place.river", `{"river":[1,2,8,30],"tile":3}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":1,"y":0,"turn":4}`, "2.1", "grandbois.place.turn", `{"tile":8,"turn":4}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":1,"y":0,"turn":-1}`, "2.1", "grandbois.place.turn", `{"tile":8,"turn":-1}`)
	refused(t, r, &s, `{"do":"tower"}`, "2.1", "grandbois.not-now", `{"do":"tower","due":"place"}`)
	refused(t, r, &s, `{"do":"reveal","tile":9}`, "2.1", "grandbois.not-now", `{"do":"reveal","due":"place"}`)
	for _, junk := range []Move{0, move(7), placeMove(8, 0, 1, 0) | 1<<26, move(Pass) | 1} {
		if err := r.Check(&s, 0, junk); err == nil || err.Error() != `grandbois.unknown {"due":"place"} (rule 2.1)` {
			t.Errorf("%x: %v", junk, err)
		}
	}
}

func TestRule2_2OneTwoOrThreeSpacesOnTheForest(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := dealt(t, r, 8, 1, 30, 2)
	shows(t, r, &s, `
-1 -1
*   *   *
*   o   *o
*   *o  *o`, r.Moves(&s, 0, nil)...)
	refused(t, r, &s, `{"do":"place","tile":8,"x":0,"y":0,"turn":0}`, "2.2", "grandbois.place.inside", `{"tile":8,"x":0,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":2,"y":0,"turn":0}`, "2.2", "grandbois.place.apart", `{"tile":8,"x":2,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":64,"y":0,"turn":0}`, "2.2", "grandbois.place.apart", `{"tile":8,"x":64,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":0,"y":-39,"turn":0}`, "2.2", "grandbois.place.apart", `{"tile":8,"x":0,"y":-39}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":1000,"y":0,"turn":0}`, "2.2", "grandbois.place.apart", `{"tile":8,"x":1000,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":8,"x":0,"y":-1000,"turn":0}`, "2.2", "grandbois.place.apart", `{"tile":8,"x":0,"y":-1000}`)
	// A tile in a hole covers three spaces and adds one.
	s = forest(t, r, `
0 0
o   o   o
o   .   o
o   o   o`, 8)
	play(t, r, &s, `{"do":"place","tile":8,"x":0,"y":0,"turn":0}`)
	shows(t, r, &s, `
0 0
o   t4  o
f2  f2  o
o   o   o`)
	// One with four spaces on the forest adds nothing, even if it could cover.
	s = forest(t, r, `
0 0
o   o   o
o   o   o`, 8)
	refused(t, r, &s, `{"do":"place","tile":8,"x":1,"y":0,"turn":2}`, "2.2", "grandbois.place.inside", `{"tile":8,"x":1,"y":0}`)
}

// The forest may grow by 36 spaces in any direction: a stair up to the right,
// tile by tile on the clearing of the last, is 38 wide and 38 high.
func TestRule2_2TheForestGrowsAsFarAsThereAreTiles(t *testing.T) {
	for _, stair := range []struct {
		dx, dy, turn int
		left, top    int
	}{
		{1, -1, 0, 0, -36}, // the clearing at the top right
		{1, 1, 1, 0, 0},    // at the bottom right
		{-1, 1, 2, -36, 0}, // at the bottom left
		{-1, -1, 3, -36, -36},
	} {
		r := New(2, stairBox(), false)
		s := dealt(t, r, 1, 2, 3, 4)
		for n := 1; n <= 36; n++ {
			x, y := max(stair.dx, 0)+(n-1)*stair.dx, max(stair.dy, 0)+(n-1)*stair.dy
			if stair.dx < 0 {
				x--
			}
			if stair.dy < 0 {
				y--
			}
			play(t, r, &s, fmt.Sprintf(`{"do":"place","tile":%d,"x":%d,"y":%d,"turn":%d}`, n, x, y, stair.turn))
			if n+4 <= 36 {
				play(t, r, &s, fmt.Sprintf(`{"do":"reveal","tile":%d}`, n+4))
			}
			if s.phase == deciding {
				play(t, r, &s, `{"do":"no-tower"}`)
			}
			var view Position
			r.See(&s, 0, &view)
			if back, err := r.ReadView([]byte(asJSON(t, r.ViewJSON(&view)))); err != nil || back != view {
				t.Fatalf("stair %+v: the view after tile %d is not read back: %v", stair, n, err)
			}
		}
		if int(s.left) != stair.left || int(s.top) != stair.top || s.right-s.left != 37 || s.bottom-s.top != 37 || s.phase != over {
			t.Errorf("stair %+v: the forest goes from %d, %d to %d, %d", stair, s.left, s.top, s.right, s.bottom)
		}
		if n := len(s.spacesOf(3)); n != 72 {
			t.Errorf("stair %+v: %d spaces show foxes, want two a tile", stair, n)
		}
		foxes, largest := s.tally(3)
		if foxes != 72 || largest != len(largestGroup(s.spacesOf(3))) {
			t.Errorf("stair %+v: %d foxes, %d in the largest group", stair, foxes, largest)
		}
	}
}

func TestRule2_3AnythingCoversAClearing(t *testing.T) {
	r := New(3, boxOf("bear, fox 1, clearing, toad 4"), false)
	for turn, want := range []string{"o", "f1", "B", "t4"} {
		s := forest(t, r, `
0 0
o   o
o   o`, 1)
		play(t, r, &s, fmt.Sprintf(`{"do":"place","tile":1,"x":-1,"y":-1,"turn":%d}`, turn))
		if got := s.at(0, 0); got != spaceOf(t, want) {
			t.Errorf("turn %d covers a clearing with %v, want %s", turn, got, want)
		}
	}
}

func TestRule2_4AnimalsOnlyByMoreAnimalsOrABear(t *testing.T) {
	r := New(3, boxOf("fox 3, lizard 1, toad 2, clearing", "bear, fox 1, fox 1, fox 4"), false)
	s := forest(t, r, `
0 0
l2  f3
o   o`, 1, 2)
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, "2.4", "grandbois.cover.fewer",
		`{"there":"lizard-2","tile":1,"with":"toad-2","x":0,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":1}`, "2.4", "grandbois.cover.fewer",
		`{"there":"lizard-2","tile":1,"with":"lizard-1","x":0,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":3}`, "2.4", "grandbois.cover.clearing",
		`{"there":"lizard-2","tile":1,"with":"clearing","x":0,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":1,"x":1,"y":-1,"turn":3}`, "2.4", "grandbois.cover.fewer",
		`{"there":"fox-3","tile":1,"with":"fox-3","x":1,"y":0}`)
	three := s
	play(t, r, &three, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":2}`)
	shows(t, r, &three, `
-1 -1
t2  o   .
l1  f3  f3
.   o   o`)
	four := s // more animals of the same clan
	play(t, r, &four, `{"do":"place","tile":2,"x":1,"y":-1,"turn":0}`)
	shows(t, r, &four, `
0 -1
.   B   f1
l2  f4  f1
o   o   .`)
	byBear := s
	play(t, r, &byBear, `{"do":"place","tile":2,"x":1,"y":-1,"turn":3}`)
	if byBear.at(1, 0) != bear {
		t.Errorf("a bear does not cover three foxes")
	}
}

func TestRule2_5BearsOverEverythingButBearsAndTowers(t *testing.T) {
	r := New(3, boxOf("fox 1, fox 1, bear, fox 1", "fox 4, fox 4, fox 4, fox 4"), false)
	for under, ok := range map[string]bool{"o": true, "f1": true, "r2": true, "l3": true, "t4": true, "B": false, "T1": false} {
		s := forest(t, r, "0 0\n"+under, 1)
		if err := r.Check(&s, 0, placeMove(1, 0, -1, -1)); (err == nil) != ok {
			t.Errorf("a bear on %s: %v", under, err)
		}
	}
	s := forest(t, r, `
0 0
B   o`, 1, 2)
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, "2.5", "grandbois.cover.bear", `{"tile":1,"with":"bear","x":0,"y":0}`)
	refused(t, r, &s, `{"do":"place","tile":2,"x":-1,"y":-1,"turn":0}`, "2.5", "grandbois.cover.bear", `{"tile":2,"with":"fox-4","x":0,"y":0}`)
	shows(t, r, &s, `
0 -1
.   *
B   *o`, r.Moves(&s, 0, nil)...)
}

func TestRule2_6NothingCoversATower(t *testing.T) {
	r := New(4, boxOf("fox 4, fox 4, bear, clearing"), false)
	s := forest(t, r, `
0 0
T3  o`, 1)
	for turn := range 4 {
		refused(t, r, &s, fmt.Sprintf(`{"do":"place","tile":1,"x":-1,"y":0,"turn":%d}`, turn),
			"2.6", "grandbois.cover.tower", `{"seat":3,"tile":1,"x":0,"y":0}`)
	}
	shows(t, r, &s, `
0 -1
.   *
T3  *o`, r.Moves(&s, 0, nil)...)
}

func TestRule2_7CoveredSpacesAreGone(t *testing.T) {
	r := New(3, boxOf("rabbit 2, rabbit 2, rabbit 2, rabbit 2", "rabbit 3, rabbit 3, fox 1, fox 1"), false)
	s := forest(t, r, `
0 0
t1  t1
t1  o`, 1, 2)
	if got := parts(r, &s, 0); got != "3 6 0 0" {
		t.Errorf("three toads are worth %s", got)
	}
	play(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":0,"turn":0}`)
	shows(t, r, &s, `
-1 0
r2  r2  t1
r2  r2  o`)
	if got := parts(r, &s, 0); got != "1 2 0 0" {
		t.Errorf("one toad is left and worth %s", got)
	}
	// Three rabbits cover two: what lay under them stays gone.
	play(t, r, &s, `{"do":"place","tile":2,"x":-1,"y":-1,"turn":2}`)
	shows(t, r, &s, `
-1 -1
f1  f1  .
r3  r3  t1
r2  r2  o`)
	if v := r.forestView(&s); len(v) != 8 {
		t.Errorf("the view shows %d spaces", len(v))
	}
}

// parts is the score of a seat, part by part.
func parts(r *Rules, s *Position, seat game.Seat) string {
	p := r.Standing(s).Seats[seat].Parts
	return fmt.Sprint(p[spaces], p[group], p[towerOwn], p[towerOthers])
}

func TestRule2_8ExpertsDoNotCoverTheirOwnKind(t *testing.T) {
	box := boxOf("fox 4, toad 4, rabbit 1, lizard 1", "bear, rabbit 1, rabbit 1, rabbit 1")
	picture := `
0 0
f2  o
o   o`
	for _, expert := range []bool{false, true} {
		r := New(3, box, expert)
		s := forest(t, r, picture, 1, 2)
		sameClan := `{"do":"place","tile":1,"x":-1,"y":-1,"turn":2}`
		if expert {
			refused(t, r, &s, sameClan, "2.8", "grandbois.cover.same", `{"clan":"fox","there":"fox-2","tile":1,"with":"fox-4","x":0,"y":0}`)
		} else {
			next := s
			play(t, r, &next, sameClan)
		}
		for _, allowed := range []string{
			`{"do":"place","tile":1,"x":-1,"y":-1,"turn":1}`, // four toads
			`{"do":"place","tile":2,"x":-1,"y":-1,"turn":2}`, // a bear
		} {
			next := s
			play(t, r, &next, allowed)
		}
		refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, "2.4", "grandbois.cover.fewer",
			`{"there":"fox-2","tile":1,"with":"rabbit-1","x":0,"y":0}`)
	}
	// A tower is no animal of the clan that has its owner's number.
	r := New(3, box, true)
	s := forest(t, r, `
0 0
T2  o`, 1)
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":2}`, "2.6", "grandbois.cover.tower", `{"seat":2,"tile":1,"x":0,"y":0}`)
}

func TestRule2_9TheRiverIsRefilledBeforeTheTower(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := dealt(t, r, 8, 1, 30, 2)
	play(t, r, &s, `{"do":"place","tile":8,"x":1,"y":0,"turn":0}`)
	if r.ToAct(&s) != game.Chance || r.Turn(&s) != 0 {
		t.Fatalf("after the tile %v acts in turn %d, want chance in turn 0", r.ToAct(&s), r.Turn(&s))
	}
	if n := len(r.Moves(&s, game.Chance, nil)); n != 32 {
		t.Errorf("%d tiles may come, want 32", n)
	}
	refused(t, r, &s, `{"do":"reveal","tile":8}`, "2.9", "grandbois.reveal.gone", `{"tile":8}`)
	if err := r.Check(&s, 0, move(Tower)); err == nil || err.Error() != `grandbois.wait {"due":"reveal"} (rule 2.9)` {
		t.Errorf("a tower before the river is full: %v", err)
	}
	play(t, r, &s, `{"do":"reveal","tile":9}`)
	if r.ToAct(&s) != 0 || s.phase != deciding || !slices.Equal(tilesOf(s.river), []int{1, 2, 9, 30}) {
		t.Errorf("then %v acts, the river is %v", r.ToAct(&s), tilesOf(s.river))
	}
	play(t, r, &s, `{"do":"no-tower"}`)
	// Without a clearing on the tile the turn is over once the river is full.
	play(t, r, &s, `{"do":"place","tile":30,"x":-1,"y":-1,"turn":0}`, `{"do":"reveal","tile":10}`)
	if r.ToAct(&s) != 2 || r.Turn(&s) != 2 {
		t.Errorf("after a tile without a clearing %v acts in turn %d", r.ToAct(&s), r.Turn(&s))
	}
	// When the pile is empty the river shrinks to nothing.
	s = wander(r, 3, 4+32+2*28)
	for s.pile != 0 {
		r.Play(&s, r.ToAct(&s), r.Moves(&s, r.ToAct(&s), nil)[0], nil)
	}
	for last := 5; r.ToAct(&s) != game.None; {
		if r.ToAct(&s) == game.Chance {
			t.Fatal("chance acts, and the pile is empty")
		}
		if n := bits.OnesCount64(s.river); s.phase == placing {
			if n != last-1 {
				t.Fatalf("%d tiles in the river after %d", n, last)
			}
			last = n
		}
		r.Play(&s, r.ToAct(&s), r.Moves(&s, r.ToAct(&s), nil)[0], nil)
	}
	if s.river != 0 {
		t.Errorf("at the end the river holds %v", tilesOf(s.river))
	}
}

func TestRule2_10StuckSeatsPassInTurnAndThenComesTheHarvest(t *testing.T) {
	// Drawn: nothing but bears and a tower.
	r := New(3, DefaultBox(), false)
	s := forest(t, r, `
0 0
B   B
B   T0`, 8, 30)
	for seat := range game.Seat(3) {
		if got := fmt.Sprint(writes(r, r.Moves(&s, seat, nil))); got != `[{"do":"pass"}]` {
			t.Fatalf("seat %v may %s", seat, got)
		}
		if m := r.Sample(&s, seat, rand.New(rand.NewPCG(1, 1))); m != move(Pass) {
			t.Errorf("seat %v samples %x", seat, m)
		}
		refused(t, r, &s, `{"do":"place","tile":30,"x":1,"y":0,"turn":0}`, "2.5", "grandbois.cover.bear", `{"tile":30,"with":"raccoon-4","x":1,"y":0}`)
		if got := r.Reveals(&s, move(Pass)); got != (seat == 2) {
			t.Errorf("the pass of seat %v reveals: %t", seat, got)
		}
		if int(seat) != r.Turn(&s) {
			t.Errorf("seat %v passes in turn %d", seat, r.Turn(&s))
		}
		play(t, r, &s, `{"do":"pass"}`)
	}
	if r.ToAct(&s) != game.None || s.river != 1<<8|1<<30 || !r.Standing(&s).Over {
		t.Errorf("all have passed, and %v acts with %v in the river", r.ToAct(&s), tilesOf(s.river))
	}
	if err := r.Check(&s, 0, move(Pass)); err == nil || err.Error() != `grandbois.over {} (rule 4.1)` {
		t.Errorf("a pass after the end: %v", err)
	}
	// Played: four tiles of bears close the start tile.
	r = New(2, bearBox(7), false)
	s = dealt(t, r, 1, 2, 3, 4)
	refused(t, r, &s, `{"do":"pass"}`, "2.10", "grandbois.pass", `{"tile":1,"turn":0,"x":-1,"y":-1}`)
	play(t, r, &s,
		`{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, `{"do":"reveal","tile":5}`,
		`{"do":"place","tile":2,"x":1,"y":-1,"turn":0}`, `{"do":"reveal","tile":6}`,
		`{"do":"place","tile":3,"x":-1,"y":1,"turn":0}`, `{"do":"reveal","tile":7}`,
		`{"do":"place","tile":4,"x":1,"y":1,"turn":0}`)
	shows(t, r, &s, `
-1 -1
B   B   B   B
B   B   B   B
B   B   B   B
B   B   B   B`)
	log := play(t, r, &s, `{"do":"pass"}`, `{"do":"pass"}`)
	if log.Events[1].Key != "grandbois.event.pass" || log.Events[1].Args["seat"] != game.Seat(1) {
		t.Errorf("the pass of seat 1 is told as %v", log.Events[1])
	}
	if s.phase != over || r.Turn(&s) != 6 || log.Events[2].Key != "grandbois.event.harvest" || log.Events[2].Args["left"] != 3 {
		t.Errorf("turn %d, told %v", r.Turn(&s), log.Events)
	}
}

func TestRule3_1ATowerOnTheClearingJustLaid(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := dealt(t, r, 8, 1, 30, 2)
	play(t, r, &s, `{"do":"place","tile":8,"x":1,"y":0,"turn":1}`, `{"do":"reveal","tile":9}`)
	if got := fmt.Sprint(writes(r, r.Moves(&s, 0, nil))); got != `[{"do":"tower"} {"do":"no-tower"}]` {
		t.Errorf("seat 0 may %s", got)
	}
	refused(t, r, &s, `{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, "3.1", "grandbois.not-now", `{"do":"place","due":"tower"}`)
	refused(t, r, &s, `{"do":"pass"}`, "3.1", "grandbois.not-now", `{"do":"pass","due":"tower"}`)
	if err := r.Check(&s, 0, move(Tower)|5); err == nil || err.Error() != `grandbois.unknown {"due":"tower"} (rule 3.1)` {
		t.Errorf("a tower somewhere: %v", err)
	}
	play(t, r, &s, `{"do":"tower"}`)
	shows(t, r, &s, `
0 0
o   f2  T0
o   f2  t4`)
	if s.towers[0] != 0 || r.ToAct(&s) != 1 || r.Turn(&s) != 1 {
		t.Errorf("seat 0 has %d towers, seat %v acts in turn %d", s.towers[0], r.ToAct(&s), r.Turn(&s))
	}
	// Nobody is asked after a tile without a clearing, nor with no tower left.
	play(t, r, &s,
		`{"do":"place","tile":30,"x":-1,"y":-1,"turn":0}`, `{"do":"reveal","tile":10}`,
		`{"do":"place","tile":2,"x":-1,"y":1,"turn":0}`, `{"do":"reveal","tile":11}`,
		`{"do":"place","tile":10,"x":0,"y":-2,"turn":0}`, `{"do":"reveal","tile":12}`)
	if r.ToAct(&s) != 1 || s.phase != placing {
		t.Errorf("seat 0 has no tower left, and %v acts", r.ToAct(&s))
	}
}

func TestRule3_2OneATurnNeverElsewhereNorLaterAndAlsoAfterTheLastTile(t *testing.T) {
	r := New(2, boxOf("fox 1, fox 1, toad 1, clearing", "fox 2, fox 2, toad 2, clearing"), false)
	s := dealt(t, r, 1, 2)
	play(t, r, &s, `{"do":"place","tile":1,"x":1,"y":0,"turn":0}`, `{"do":"tower"}`)
	if s.towers[0] != 1 || r.ToAct(&s) != 1 {
		t.Errorf("after one tower seat %v acts; seat 0 has %d left", r.ToAct(&s), s.towers[0])
	}
	kept := s
	for _, decision := range []string{`{"do":"tower"}`, `{"do":"no-tower"}`} {
		s := kept
		last, err := r.ReadMove([]byte(`{"do":"place","tile":2,"x":-1,"y":-1,"turn":0}`))
		if err != nil || r.Reveals(&s, last) {
			t.Fatalf("the last tile reveals before the tower is decided (%v)", err)
		}
		r.Play(&s, 1, last, nil)
		if r.ToAct(&s) != 1 || s.phase != deciding {
			t.Fatalf("after the last tile %v acts", r.ToAct(&s))
		}
		m, err := r.ReadMove([]byte(decision))
		if err != nil || !r.Reveals(&s, m) {
			t.Errorf("the last decision does not reveal (%v)", err)
		}
		play(t, r, &s, decision)
		if r.ToAct(&s) != game.None {
			t.Errorf("after the last decision %v acts", r.ToAct(&s))
		}
	}
	// A last tile without a clearing ends the game by itself.
	r = New(2, boxOf("fox 1, fox 1, toad 1, bear"), false)
	s = dealt(t, r, 1)
	if !r.Reveals(&s, placeMove(1, 0, 1, 0)) {
		t.Error("the last tile does not reveal, and no tower can follow")
	}
	play(t, r, &s, `{"do":"place","tile":1,"x":1,"y":0,"turn":0}`)
	if r.ToAct(&s) != game.None {
		t.Errorf("after the last tile %v acts", r.ToAct(&s))
	}
}

func TestRule3_3ATowerBelongsToNoClanAndCostsNothingInHand(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := forest(t, r, `
0 0
t1  T0  t1
o   B   T1`, 8)
	if got := parts(r, &s, 0); got != "2 2 4 0" {
		t.Errorf("two toads beside the tower, joined by nothing: %s", got)
	}
	if got := parts(r, &s, 1); got != "0 0 0 1" {
		t.Errorf("one toad beside the tower: %s", got)
	}
	if got := parts(r, &s, 2); got != "0 0 0 0" || s.towers[2] != 1 {
		t.Errorf("a tower in hand is worth %s", got)
	}
}

func TestRule4_1TheHarvestRevealsClans(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		s := r.Start()
		rng := rand.New(rand.NewPCG(4, uint64(seats)))
		for {
			seat := r.ToAct(&s)
			m := r.Sample(&s, seat, rng)
			reveals := r.Reveals(&s, m)
			log := &game.Log{}
			r.Play(&s, seat, m, log)
			if ended := r.ToAct(&s) == game.None; ended != reveals {
				t.Fatalf("%d seats: that %s reveals is %t, that it ends the game %t", seats, r.AppendMove(nil, m), reveals, ended)
			}
			if !reveals {
				continue
			}
			var view Position
			r.See(&s, game.Watcher, &view)
			if view.clans != s.clans || r.Standing(&view) != r.Standing(&s) {
				t.Errorf("%d seats: after the harvest a watcher knows clans %v, want %v", seats, view.clans, s.clans)
			}
			told := asJSON(t, log.HeardBy(game.Watcher))
			for seat := range game.Seat(seats) {
				if clans := fmt.Sprintf(`"clans":%s,"seat":%d`, asJSON(t, r.clansOf(&s, seat)), seat); !strings.Contains(told, clans) {
					t.Errorf("%d seats: %s is not told: %s", seats, clans, told)
				}
			}
			break
		}
	}
	// On a view that is played on, what was never known stays unknown.
	r := New(2, boxOf("fox 1, fox 1, toad 1, bear"), false)
	s := dealt(t, r, 1)
	var view Position
	r.See(&s, 0, &view)
	log := play(t, r, &view, `{"do":"place","tile":1,"x":1,"y":0,"turn":0}`)
	st := r.Standing(&view)
	if st.Seats[0].Total == game.Unknown || st.Seats[1].Total != game.Unknown || st.Seats[0].Rank != 0 || !st.Over {
		t.Errorf("seat 0 thinks the standing is %+v", st)
	}
	if n := len(log.Events); n != 4 { // the tile, the harvest, one's own clans and score
		t.Errorf("seat 0 is told %v", log.Events)
	}
}

func TestRule4_2OneForEachSpaceTwoForEachInTheLargestGroup(t *testing.T) {
	r := New(3, DefaultBox(), false)
	for picture, want := range map[string]string{
		"0 0\nt1":                           "1 2 0 0",
		"0 0\nt4":                           "1 2 0 0", // however many animals
		"0 0\no":                            "0 0 0 0", // a clan without a visible space
		"0 0\nt1 t2\nt3 .":                  "3 6 0 0",
		"0 0\nt1 .\n. t1":                   "2 2 0 0", // not by corners
		"0 0\nt1 r1 t1\nt1 B t1\n. t1 t1":   "6 8 0 0",
		"0 0\nt1 r1 t1\nt1 B t1\nt1 t1 t1":  "7 14 0 0", // a bow, joined at its end
		"0 0\nt1 . t1 . t1\nt1 t1 t1 t1 t1": "8 16 0 0", // a comb
		"0 0\nt1 t1 t1\n. . t1\nt1 t1 t1\nt1 . .\nt1 t1 t1": "11 22 0 0",
		"-3 -7\nt1 T0 t1": "2 2 4 0",
	} {
		s := forest(t, r, picture, 8)
		if got := parts(r, &s, 0); got != want {
			t.Errorf("%s\nis worth %s, want %s", picture, got, want)
		}
	}
	s := forest(t, r, "-1 3\nt1 r1 t1\nt1 B t1\n. t1 o", 8)
	for _, line := range r.Sheet(&s)[:2] {
		want := map[string]string{
			"grandbois.sheet.spaces": `{"clan":"toad","count":5,"each":1,"rule":"4.2","spaces":[[-1,3],[1,3],[-1,4],[1,4],[0,5]]}`,
			"grandbois.sheet.group":  `{"clan":"toad","count":2,"each":2,"rule":"4.2","spaces":[[-1,3],[-1,4]]}`,
		}[line.Key]
		if got := asJSON(t, line.Args); got != want {
			t.Errorf("%s\n got %s\nwant %s", line.Key, got, want)
		}
	}
}

func TestRule4_3TwoForOwnOneForOtherClansAroundATower(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := forest(t, r, `
-2 -1
t1  t3  r2  t1
l4  T0  B   .
o   .   t1  f1`, 8)
	// Around the tower: three toads, a rabbit and a lizard, which nobody plays.
	if got := parts(r, &s, 0); got != "4 4 6 2" {
		t.Errorf("seat 0 has %s", got)
	}
	want := []string{
		`grandbois.sheet.tower.own {"count":3,"each":2,"rule":"4.3","seat":0,"spaces":[[-2,-1],[-1,-1],[0,1]],"x":-1,"y":0} [6,0,0]`,
		`grandbois.sheet.tower.others {"count":2,"each":1,"rule":"4.3","seat":0,"spaces":[[0,-1],[-2,0]],"x":-1,"y":0} [2,0,0]`,
	}
	for i, line := range r.Sheet(&s)[10:] {
		if got := fmt.Sprint(line.Key, " ", asJSON(t, line.Args), " ", asJSON(t, line.Points)); got != want[i] {
			t.Errorf("the sheet says\n%s, want\n%s", got, want[i])
		}
	}
	// Others know only which spaces lie around it.
	var view Position
	r.See(&s, 1, &view)
	secret := r.Sheet(&view)[10]
	if got := fmt.Sprint(secret.Key, " ", asJSON(t, secret.Args), " ", asJSON(t, secret.Points)); got !=
		`grandbois.sheet.tower.secret {"count":5,"each":2,"rule":"4.3","seat":0,"spaces":[[-2,-1],[-1,-1],[0,-1],[-2,0],[0,1]],"x":-1,"y":0} [null,0,0]` {
		t.Errorf("seat 1 reads %s", got)
	}
}

func TestRule4_4TwoSeatsSumClansAndBothTowersCount(t *testing.T) {
	r := New(2, DefaultBox(), false) // toads and rabbits against foxes and raccoons
	s := forest(t, r, `
0 0
t1  T0  r2  f1
t2  r1  T0  l1
r1  c1  c1  .`, 8)
	// Toads 2, group 2; rabbits 3, groups of 1, since towers stand between them
	// ... r1 at (1,1) touches neither r2 at (2,0) nor r1 at (0,2) by a side.
	// The first tower: t1, t2, r1, r2 are own. The second: r2 and r1 again own;
	// f1, l1, c1 twice are others; the towers count nothing.
	if got := parts(r, &s, 0); got != "5 6 12 4" {
		t.Errorf("seat 0 has %s", got)
	}
	if got := parts(r, &s, 1); got != "3 6 0 0" {
		t.Errorf("seat 1 has %s", got)
	}
}

func TestRule4_5TiesGoPartByPartAndThenAreShared(t *testing.T) {
	score := func(parts ...game.Points) game.Score {
		s := game.Score{Parts: [4]game.Points(parts)}
		for _, p := range parts {
			s.Total += p
		}
		return s
	}
	for _, c := range []struct{ first, second game.Score }{
		{score(9, 2, 0, 0), score(5, 4, 0, 0)}, // the total
		{score(5, 2, 0, 0), score(3, 4, 0, 0)}, // spaces
		{score(5, 4, 0, 2), score(5, 2, 4, 0)}, // group
		{score(5, 4, 4, 1), score(5, 4, 2, 3)}, // own clan around towers
	} {
		if !ahead(&c.first, &c.second) || ahead(&c.second, &c.first) {
			t.Errorf("%v does not rank before %v", c.first, c.second)
		}
	}
	// The last category alone cannot decide: whoever is level in the total and in
	// three parts is level in the fourth.
	r := New(4, DefaultBox(), false)
	for picture, want := range map[string]string{
		"0 0\nt1 . r1 . f1 . c1":             "1 1 1 1",
		"0 0\nt1 . r1 . f1 f1 . c1":          "2 2 1 2",
		"0 0\nt1 . r1 . c1":                  "1 1 4 1",
		"0 0\nt1 t1 . r1 r1 . f1 . c1":       "1 1 3 3",
		"0 0\nt1 t1 . r1 r1 . f1 . c1 c1 T3": "2 2 4 1",
		// Level down to own clan around towers: 2 + 1 for seat 0, 0 + 3 for seat 1.
		"0 0\nt1 T0 l1 . . . r1\n.\n. . . l1 T1 l1\n. . . . l1": "1 2 3 3",
	} {
		s := forest(t, r, picture, 8)
		var ranks []int32
		for _, score := range r.Standing(&s).Seats {
			ranks = append(ranks, score.Rank)
		}
		if got := strings.Trim(fmt.Sprint(ranks), "[]"); got != want {
			t.Errorf("%s\nranks %s, want %s", picture, got, want)
		}
	}
	for picture, want := range map[string]string{
		"0 0\nt1 . r1 . f1 f1": `0 and 1: grandbois.tie.shared {"other":1,"rule":"4.5","seat":0}`,
		"0 0\nt1 t1 . r1 r1 . f1 . c1": `0 and 1: grandbois.tie.shared {"other":1,"rule":"4.5","seat":0}` + "\n" +
			`2 and 3: grandbois.tie.shared {"other":3,"rule":"4.5","seat":2}`,
		"0 0\nt1 T0 l1 . . . r1\n.\n. . . l1 T1 l1\n. . . . l1": `0 before 1: grandbois.tie.part {"less":0,"more":2,"other":1,"part":"towerOwn","rule":"4.5","seat":0}` + "\n" +
			`2 and 3: grandbois.tie.shared {"other":3,"rule":"4.5","seat":2}`,
		// Four spaces apart from each other are worth as much as two side by side.
		"0 0\nt1 t1 . r1 . r1 . r1 . r1 . f1": `1 before 0: grandbois.tie.part {"less":2,"more":4,"other":0,"part":"spaces","rule":"4.5","seat":1}`,
	} {
		s := forest(t, r, picture, 8)
		s.phase = over
		if got := gametest.Ties(t, r, &s); got != want {
			t.Errorf("%s\nthe ties are told as\n%s\nwant\n%s", picture, got, want)
		}
	}
	for picture, want := range map[string]string{
		"0 0\nt1 . r1 . f1 . c1":                      `grandbois.event.shared {"seats":[0,1,2,3],"total":3}`,
		"0 0\nt1 . r1 . f1 f1":                        `grandbois.event.won {"seat":2,"total":6}`,
		"0 0\nt1 T0 l1 . r1 . T1\n. . . . . l1 l1 l1": `grandbois.event.won.tie {"seat":0,"total":6}`,
	} {
		s := forest(t, r, picture, 8)
		s.phase = over
		log := &game.Log{}
		r.tellHarvest(&s, log)
		last := log.Events[len(log.Events)-1]
		if got := last.Key + " " + asJSON(t, last.Args); got != want {
			t.Errorf("%s\nis told as %s, want %s", picture, got, want)
		}
	}
}

func TestEveryRuleHasATest(t *testing.T) { gametest.RulesTested(t, texts, 23) }

// TestEverythingThatCanBeSaidIsTested finds every key with arguments, and every
// refusal, in one of the tests or hears it in some games.
func TestEverythingThatCanBeSaidIsTested(t *testing.T) {
	heard := map[string]bool{}
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		rng := rand.New(rand.NewPCG(1, uint64(seats)))
		s, log := r.Start(), &game.Log{}
		for r.ToAct(&s) != game.None {
			var view Position
			r.See(&s, 1, &view)
			for _, line := range r.Sheet(&view) {
				heard[line.Key] = true
			}
			r.Play(&s, r.ToAct(&s), r.Sample(&s, r.ToAct(&s), rng), log)
		}
		for _, e := range log.Events {
			heard[e.Key] = true
		}
	}
	var tests strings.Builder
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, phrase := range Game().Phrases {
		_, words, _ := strings.Cut(phrase.Key, "grandbois.")
		kind, _, _ := strings.Cut(words, ".")
		if kind == "move" || phrase.Key == "grandbois.cover.times" || len(phrase.Args) == 0 && words != "over" {
			continue // what lists, screens and other sentences say
		}
		if !heard[phrase.Key] && !strings.Contains(tests.String(), phrase.Key+" ") && !strings.Contains(tests.String(), `"`+phrase.Key+`"`) {
			t.Errorf("%s is never said in a test", phrase.Key)
		}
	}
}

func TestMovesThatAreNoMoves(t *testing.T) {
	r := New(2, DefaultBox(), false)
	for text, want := range map[string]string{
		``:                        `json.object {}`,
		`[]`:                      `json.object {}`,
		`{}`:                      `json.missing {"field":"do"}`,
		`{"do":7}`:                `json.text {"field":"do"}`,
		`{"do":"fly"}`:            `move.do {"do":"fly","known":["deal","reveal","place","tower","no-tower","pass"]}`,
		`{"do":""}`:               `move.do {"do":"","known":["deal","reveal","place","tower","no-tower","pass"]}`,
		`{"do":"place","tile":1}`: `json.missing {"field":"x"}`,
		`{"do":"place","tile":"1","x":0,"y":0,"turn":0}`:            `json.number {"field":"tile"}`,
		`{"do":"place","tile":1,"x":0.5,"y":0,"turn":0}`:            `json.number {"field":"x"}`,
		`{"do":"place","tile":1,"x":1e30,"y":0,"turn":0}`:           `json.range {"field":"x","least":-2147483648,"most":2147483647}`,
		`{"do":"place","tile":1,"x":0,"y":0,"turn":0,"why":1}`:      `json.unknown {"field":"why"}`,
		`{"do":"place","tile":1,"x":0,"x":1,"y":0,"turn":0}`:        `json.twice {"field":"x"}`,
		`{"do":"place","tile":1,"x":0,"y":0,"turn":0}{"do":"pass"}`: `json.object {}`,
		`{"do":"place","tile":1e2,"x":0,"y":0,"turn":0}`:            `grandbois.tile {"most":36,"tile":100} (rule 1.1)`,
		`{"do":"place","tile":1,"x":128,"y":0,"turn":0}`:            `grandbois.place.apart {"tile":1,"x":128,"y":0} (rule 2.2)`,
		`{"do":"tower","x":1}`:                                      `json.unknown {"field":"x"}`,
		`{"do":"pass","seat":1}`:                                    `json.unknown {"field":"seat"}`,
		`{"do":"reveal"}`:                                           `json.missing {"field":"tile"}`,
		`{"do":"deal","clan":"fox"}`:                                `json.missing {"field":"seat"}`,
		`{"do":"deal","seat":0,"clan":7}`:                           `json.text {"field":"clan"}`,
		`{"do":"deal","seat":0,"clan":""}`:                          `grandbois.deal.clan {"clan":"","clans":["toad","rabbit","fox","raccoon","lizard"]} (rule 1.3)`,
	} {
		if _, err := r.ReadMove([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	text := ` {"turn":3, "y":-2,"x":-1.0, "tile":12,"do":"place"} `
	if m, err := r.ReadMove([]byte(text)); err != nil || m != placeMove(12, 3, -1, -2) {
		t.Errorf("order and space matter: %x %v", m, err)
	}
	if got := string(r.AppendMove(nil, placeMove(12, 3, -1, -2))); got != `{"do":"place","tile":12,"x":-1,"y":-2,"turn":3}` {
		t.Errorf("a move is written as %s", got)
	}
}

func TestFactsSayWhatAScreenShows(t *testing.T) {
	r := New(3, boxOf("clearing, toad 3, rabbit 1, bear", "fox 1, fox 1, fox 1, fox 1"), false)
	s := forest(t, r, `
0 0
l2  t1
o   r1`, 1, 2)
	facts := func(s *Position, text string) string {
		m, err := r.ReadMove([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, r.Facts(s, s.actor, m))
	}
	place := `{"do":"place","tile":1,"x":-1,"y":-1,"turn":3}`
	var own, other Position
	r.See(&s, 0, &own)
	r.See(&s, 1, &other)
	covers := `{"adds":3,"covers":[{"x":0,"y":0,"shows":"lizard-2"}]`
	for _, c := range []struct {
		name string
		s    *Position
		move string
		want string
	}{
		{"seat 0", &own, place, covers + `,"total":4,"tower":true}`},
		{"the truth", &s, place, covers + `,"total":4,"tower":true}`},
		{"seat 1", &other, place, covers + `,"tower":true}`},
	} {
		if got := facts(c.s, c.move); got != c.want {
			t.Errorf("%s reads %s, want %s", c.name, got, c.want)
		}
	}
	for _, s := range []*Position{&own, &other} {
		play(t, r, s, place)
	}
	for _, c := range []struct {
		name string
		s    *Position
		move string
		want string
	}{
		{"seat 0", &own, `{"do":"tower"}`, `{"others":1,"own":1,"points":3,"total":7,"x":-1,"y":0}`},
		{"seat 0", &own, `{"do":"no-tower"}`, `{"total":4}`},
		{"seat 1", &other, `{"do":"tower"}`, `{"x":-1,"y":0}`},
		{"seat 1", &other, `{"do":"no-tower"}`, `{}`},
	} {
		if got := facts(c.s, c.move); got != c.want {
			t.Errorf("%s reads of %s %s, want %s", c.name, c.move, got, c.want)
		}
	}
	start := dealt(t, r)
	if got := asJSON(t, r.Facts(&start, game.Chance, revealMove(1))); got != `{"spaces":["clearing","toad-3","rabbit-1","bear"]}` {
		t.Errorf("the facts of a tile to come are %s", got)
	}
}
