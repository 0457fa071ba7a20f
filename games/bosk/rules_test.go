package bosk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Every numbered rule has a test named after it. TestEveryRuleHasATest sees to
// that.

func TestRule1_1TwoToFourSeatsClockwiseFromSeat0(t *testing.T) {
	for seats := range 7 {
		p, err := game.Of(Game()).Start(game.Settings{Seats: seats})
		if ok := seats >= 2 && seats <= 4; ok != (err == nil) {
			t.Errorf("%d seats: %v", seats, err)
		} else if ok && p.ToAct() != 0 {
			t.Errorf("%d seats: seat %d begins", seats, p.ToAct())
		}
	}
	r := New(3, DefaultBox())
	s := r.Start()
	var order []game.Seat
	for column := 1; column <= 6; column++ {
		order = append(order, r.ToAct(&s))
		play(t, r, &s, fmt.Sprintf(`{"do":"plant","tree":1,"at":[%d,%d]}`, 1+column/4, column))
	}
	if want := []game.Seat{0, 1, 2, 0, 1, 2}; !slices.Equal(order, want) {
		t.Errorf("turns went %v, want %v", order, want)
	}
	if v := r.ViewJSON(&s).(View); v.Start != 0 || v.Players[0].Species != "maple" || v.Players[2].Summer == 0 {
		t.Errorf("the view shows neither Hiker nor species nor running scores: %+v", v)
	}
}

func TestRule1_2ParksOfTwelveTenAndEightAndWaterLikeAnyGround(t *testing.T) {
	for seats, side := range map[int]int{4: 12, 3: 10, 2: 8} {
		r := New(seats, DefaultBox())
		if r.side != side {
			t.Errorf("%d seats: %d squares a side, want %d", seats, r.side, side)
		}
		if len(r.region) != 8 {
			t.Errorf("%d seats: %d regions", seats, len(r.region))
		}
	}
	// The right half of this park is a lake.
	r, s := autumn(t, 2, East, `
 .    .    .    .    .    .
    +    m1   +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[1,2],"tile":3}`, `{"do":"leaf","to":[1,2]}`, `{"do":"leaf","to":[1,3]}`)
	if s.active != 1 {
		t.Errorf("%d active leaves are left after one on land and one on water, want 1", s.active)
	}
}

func TestRule1_3TreesStandWhereTrailsCross(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox())
		s := r.Start()
		places := map[[2]int8]bool{}
		for _, m := range r.Moves(&s, 0, nil) {
			places[[2]int8{m.Row, m.Column}] = true
		}
		if want := (r.side - 1) * (r.side - 1); len(places) != want {
			t.Errorf("%d seats: trees may stand at %d places, want %d", seats, len(places), want)
		}
	}
	r := New(2, DefaultBox())
	s := r.Start()
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[0,3]}`, "1.3", "bosk.plant.no-crossing", `{"at":[0,3],"most":7}`)
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[3,8]}`, "1.3", "bosk.plant.no-crossing", `{"at":[3,8],"most":7}`)
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[1000,3]}`, "1.3", "bosk.plant.no-crossing", `{"at":[1000,3],"most":7}`)
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[-1,3]}`, "1.3", "bosk.plant.no-crossing", `{"at":[-1,3],"most":7}`)
}

func TestRule1_4EightTreesEightTilesThirtyFiveLeaves(t *testing.T) {
	r := New(2, DefaultBox())
	s := r.Start()
	for _, p := range r.ViewJSON(&s).(View).Players {
		if got := fmt.Sprintf("%v %d %d", p.Hand, p.Tiles, p.Supply); got != "[1 1 2 2 3 3 4 4] [1 2 3 4 5 6 7 8] 35" {
			t.Errorf("a seat owns %s", got)
		}
	}
	play(t, r, &s,
		`{"do":"plant","tree":3,"at":[1,1]}`, `{"do":"plant","tree":3,"at":[1,2]}`,
		`{"do":"plant","tree":3,"at":[1,3]}`, `{"do":"plant","tree":3,"at":[1,4]}`)
	refused(t, r, &s, `{"do":"plant","tree":3,"at":[1,5]}`, "1.4", "bosk.plant.none-left", `{"tree":3}`)
	refused(t, r, &s, `{"do":"plant","tree":5,"at":[1,5]}`, "1.4", "bosk.plant.value", `{"tree":5}`)
	refused(t, r, &s, `{"do":"plant","tree":0,"at":[1,5]}`, "1.4", "bosk.plant.value", `{"tree":0}`)
	total := 0
	for tile := Squirrel + 1; tile <= highestTile; tile++ {
		total += tile
	}
	if total != leavesEach {
		t.Errorf("all tiles together ask for %d leaves, a seat has %d", total, leavesEach)
	}
}

func TestRule1_5EverythingIsOpenAndNothingRandom(t *testing.T) {
	r, s := autumn(t, 2, East, spread)
	for _, viewer := range []game.Seat{0, 1, game.Watcher} {
		var view Position
		if r.See(&s, viewer, &view); view != s {
			t.Errorf("%v does not see everything", viewer)
		}
	}
	if moves := r.Moves(&s, game.Chance, nil); len(moves) != 0 {
		t.Errorf("chance may do %v", moves)
	}
}

func TestRule2_1AnyRemainingTreeOnAnyFreeCrossing(t *testing.T) {
	r := New(2, parkOf(6))
	s := r.Start()
	if n := len(r.Moves(&s, 0, nil)); n != 4*25 {
		t.Errorf("the first tree can be planted in %d ways, want 4 values times 25 crossings", n)
	}
	play(t, r, &s, `{"do":"plant","tree":4,"at":[2,3]}`)
	shows(t, r, &s, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m4   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	if n := len(r.Moves(&s, 1, nil)); n != 4*24 {
		t.Errorf("the second tree can be planted in %d ways, want 4 values times 24 crossings", n)
	}
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[2,3]}`, "2.1", "bosk.plant.taken", `{"at":[2,3],"seat":0,"tree":4}`)
	refused(t, r, &s, `{"do":"wind","side":"north"}`, "2.1", "bosk.not-now", `{"do":"wind","due":"plant"}`)
	denied(t, r.Check(&s, 0, Move{Do: Plant, Piece: 1, Row: 1, Column: 1}), "2.1", "bosk.turn", `{"seat":1}`)
}

func TestRule2_2APlantedTreeNeverMoves(t *testing.T) {
	r := New(2, DefaultBox())
	s := r.Start()
	planted := map[uint8]Move{}
	for s.phase == planting {
		moves := r.Moves(&s, s.actor, nil)
		m := moves[int(s.turn)*7%len(moves)]
		planted[r.number(m.Row, m.Column)] = m
		r.Play(&s, s.actor, m, nil)
		for number, m := range planted {
			if _, tree := r.treeAt(&s, number); tree != int(m.Piece) {
				t.Fatalf("the tree of %+v has become %d", m, tree)
			}
		}
		for _, m := range r.Moves(&s, s.actor, nil) {
			if _, taken := planted[r.number(m.Row, m.Column)]; taken && m.Do == Plant {
				t.Fatalf("%+v is allowed where a tree stands", m)
			}
		}
	}
}

func TestRule2_3SummerComesWhenAllTreesStand(t *testing.T) {
	r := New(3, DefaultBox())
	s := r.Start()
	for n := range 24 {
		if s.phase != planting {
			t.Fatalf("spring ended after %d trees", n)
		}
		r.Play(&s, s.actor, r.Moves(&s, s.actor, nil)[0], nil)
	}
	if v := r.ViewJSON(&s).(View); v.Season != "summer" || r.Turn(&s) != 24 {
		t.Errorf("after the last tree it is %s, turn %d", v.Season, r.Turn(&s))
	}
}

// explained is a line of the score sheet, the one of this key with this
// argument: what each seat gets, why, and by which rule; and then the totals of
// all lines, which are those of the standing.
func explained(t *testing.T, r *Rules, s *Position, key, arg string, value any) string {
	t.Helper()
	found := ""
	totals := make([]game.Points, r.seats)
	for _, line := range r.Sheet(s) {
		for seat, points := range line.Points {
			totals[seat] += points
		}
		if line.Key == key && line.Args[arg] == value {
			found = fmt.Sprint(line.Points, " ", line.Args["why"], " ", line.Args["rule"])
		}
	}
	st := r.Standing(s)
	for seat, total := range totals {
		if score := st.Seats[seat]; score.Total != total {
			t.Errorf("seat %d has %d points, and the sheet adds up to %d", seat, score.Total, total)
		}
	}
	return fmt.Sprint(found, " ", totals)
}

// rowTrail explains a row trail.
func rowTrail(t *testing.T, r *Rules, s *Position, trail int) string {
	t.Helper()
	return explained(t, r, s, "bosk.sheet.row", "trail", trail)
}

// ground explains a region.
func ground(t *testing.T, r *Rules, s *Position, region string) string {
	t.Helper()
	return explained(t, r, s, "bosk.sheet.region", "region", region)
}

func TestRule3_1ValuesOfATrailAreAddedUp(t *testing.T) {
	r, s := autumn(t, 2, East, `
 .    .    .    .    .    .
    m1   +    m4   +    o3
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m2   +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	rows, columns := r.ViewJSON(&s).(View).Trails.Rows, r.ViewJSON(&s).(View).Trails.Columns
	if got := fmt.Sprint(rows, columns); got != "[[5 3] [0 0] [2 0] [0 0] [0 0]] [[3 0] [0 0] [4 0] [0 0] [0 3]]" {
		t.Errorf("the trails add up to %s", got)
	}
	r, s = spring(t, 2, 0, lone)
	if got := rowTrail(t, r, &s, 2); got != "[0 0] nobody 3.1 [6 0]" {
		t.Errorf("a trail without trees: %s", got)
	}
}

func TestRule3_2TwoForTheFirstOneForTheSecond(t *testing.T) {
	r, s := spring(t, 3, 1, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m3   o4   b1   b4   +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"plant","tree":3,"at":[2,5]}`)
	shows(t, r, &s, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m3   o4   b1   b4   o3
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	// Maple 3, oak 4 and 3, beech 1 and 4; and every column is 3 for who is there.
	if got := rowTrail(t, r, &s, 2); got != "[0 2 1] first-and-second 3.2 [3 8 7]" {
		t.Error(got)
	}
}

func TestRule3_3NothingForThoseTiedForSecond(t *testing.T) {
	r, s := spring(t, 3, 1, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m4   o4   b4   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"plant","tree":3,"at":[4,4]}`)
	if got := rowTrail(t, r, &s, 4); got != "[0 2 0] tied-second 3.3 [3 8 3]" {
		t.Error(got)
	}
}

func TestRule3_4ThreeForWhoIsAlone(t *testing.T) {
	r, s := spring(t, 2, 1, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m1   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	if got := rowTrail(t, r, &s, 1); got != "[0 0] nobody 3.1 [6 0]" {
		t.Error(got)
	}
	play(t, r, &s, `{"do":"plant","tree":1,"at":[1,5]}`)
	if got := rowTrail(t, r, &s, 1); got != "[0 3] alone 3.4 [6 6]" {
		t.Error(got)
	}
}

func TestRule3_5OneForEachTiedForFirst(t *testing.T) {
	r, s := spring(t, 3, 0, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m4   o1   b4   b2   +
 .    .    .    .    .    .`)
	if got := rowTrail(t, r, &s, 5); got != "[1 0 2] first-and-second 3.2 [4 3 8]" {
		t.Error(got)
	}
	play(t, r, &s, `{"do":"plant","tree":2,"at":[5,5]}`)
	if got := rowTrail(t, r, &s, 5); got != "[1 0 1] tied-first 3.5 [7 3 7]" {
		t.Error(got)
	}
}

func TestRule3_6FewestPointsStartsAutumn(t *testing.T) {
	// The maple has rows 1 and 2 to itself, the oak row 3 and row 4 (6 each). In
	// the columns their values are the same (4 each). With the last oak on 4-5
	// the maple is first in column 4 (2 to 1), and the oak alone in column 5 (3);
	// on 1-5 it is second in row 1 as well (2 to 1).
	last := `
 .    .    .    .    .    .
    m1   m2   m3   m4   +
 .    .    .    .    .    .
    m1   m2   m3   m4   +
 .    .    .    .    .    .
    o1   o2   o3   o4   +
 .    .    .    .    .    .
    o1   o2   o3   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`
	for _, c := range []struct {
		at     string
		points [2]game.Points
		start  game.Seat
		told   string
	}{
		{"[4,4]", [2]game.Points{10, 10}, 1, `bosk.event.start.summer.tie {"after":0,"points":10,"seat":1,"tied":[0,1]}`},
		{"[4,5]", [2]game.Points{11, 13}, 0, `bosk.event.start.summer {"points":11,"seat":0}`},
		{"[1,5]", [2]game.Points{10, 14}, 0, `bosk.event.start.summer {"points":10,"seat":0}`},
	} {
		r, s := spring(t, 2, 1, last)
		log := play(t, r, &s, `{"do":"plant","tree":4,"at":`+c.at+`}`)
		st := r.Standing(&s)
		if got := [2]game.Points{st.Seats[0].Total, st.Seats[1].Total}; got != c.points {
			t.Errorf("the last oak on %s: points %v, want %v", c.at, got, c.points)
		}
		if v := r.ViewJSON(&s).(View); v.Season != "summer" || v.Start != c.start || r.ToAct(&s) != c.start {
			t.Errorf("the last oak on %s: in %s the Hiker is with %d and %d acts, want %d", c.at, v.Season, v.Start, r.ToAct(&s), c.start)
		}
		e := log.Events[len(log.Events)-1]
		args, err := json.Marshal(e.Args)
		if got := e.Key + " " + string(args); err != nil || got != c.told {
			t.Errorf("the last oak on %s: told %s, want %s", c.at, got, c.told)
		}
	}
	// With more seats the ties are many.
	r := New(4, DefaultBox())
	for _, c := range []struct {
		points [4]int
		start  game.Seat // of spring
		want   game.Seat
	}{
		{[4]int{5, 4, 3, 9}, 0, 2},
		{[4]int{3, 3, 9, 9}, 0, 1}, // the previous start player comes last
		{[4]int{3, 9, 9, 3}, 0, 3},
		{[4]int{3, 9, 9, 9}, 0, 0},
		{[4]int{3, 3, 3, 3}, 0, 1},
		{[4]int{3, 3, 9, 3}, 2, 3},
	} {
		if got := r.firstWithLeast(c.start, func(seat game.Seat) int { return c.points[seat] }); got != c.want {
			t.Errorf("points %v, start player %d: seat %d starts, want %d", c.points, c.start, got, c.want)
		}
	}
}

func TestRule4_1TheWindTurnsClockwiseFromTheBoard(t *testing.T) {
	for side, want := range map[string]string{
		"north": "north east south west north east south west",
		"east":  "east south west north east south west north",
		"south": "south west north east south west north east",
		"west":  "west north east south west north east south",
	} {
		r, s := planted()
		start := s.start
		play(t, r, &s, fmt.Sprintf(`{"do":"wind","side":%q}`, side))
		v := r.ViewJSON(&s).(View)
		if got := strings.Join(v.Wind.All, " "); got != want || v.Wind.Side != side || v.Wind.Blows != side {
			t.Errorf("with the board in the %s the wind blows %s (now %s), want %s", side, got, v.Wind.Blows, want)
		}
		if s.actor != start {
			t.Errorf("seat %d begins round 1, want the start player %d", s.actor, start)
		}
	}
	r, s := planted()
	if n := len(r.Moves(&s, s.actor, nil)); n != 4 {
		t.Errorf("the wind board can be put down in %d ways", n)
	}
	refused(t, r, &s, `{"do":"wind","side":"up"}`, "4.1", "bosk.wind.side", `{"side":"up"}`)
	refused(t, r, &s, `{"do":"leaf","to":[0,0]}`, "4.1", "bosk.not-now", `{"do":"leaf","due":"wind"}`)
	denied(t, r.Check(&s, s.actor, Move{Do: Call, Piece: 9}), "4.1", "bosk.wind.side", `{"side":9}`)
}

// planted is a park of two at the end of spring, planted without a thought.
func planted() (*Rules, Position) {
	r := New(2, DefaultBox())
	s := r.Start()
	for s.phase == planting {
		moves := r.Moves(&s, s.actor, nil)
		r.Play(&s, s.actor, moves[int(s.turn)*11%len(moves)], nil)
	}
	return r, s
}

func TestRule4_2FourRoundsNameATreeFourAllowAny(t *testing.T) {
	r, s := planted()
	play(t, r, &s, `{"do":"wind","side":"south"}`)
	for s.phase != finished {
		if s.phase == shedding {
			met := map[int]bool{}
			for _, m := range r.Moves(&s, s.actor, nil) {
				_, tree := r.treeAt(&s, r.number(m.Row, m.Column))
				met[tree] = true
			}
			if s.round <= 4 && (len(met) != 1 || !met[int(s.round)]) {
				t.Errorf("round %d: trees %v may shed", s.round, met)
			}
			if s.round > 4 && len(met) != 9-int(s.round) {
				t.Errorf("round %d: trees %v may shed, and all that remain may", s.round, met)
			}
		}
		moves := r.Moves(&s, s.actor, nil)
		r.Play(&s, s.actor, moves[int(s.turn)%len(moves)], nil)
	}
	r, s = planted()
	play(t, r, &s, `{"do":"wind","side":"south"}`)
	place := r.placeOf(s.trees[s.actor][2][0])
	refused(t, r, &s, fmt.Sprintf(`{"do":"shed","at":[%d,%d],"tile":2}`, place[0], place[1]),
		"4.2", "bosk.shed.value", fmt.Sprintf(`{"at":[%d,%d],"must":1,"round":1,"tree":3}`, place[0], place[1]))
}

// spread is a park in the middle of autumn with a bit of everything.
const spread = `
 .    .    m1   .    .    .
    +    m1   +    +    +
 .    .    o1   .    .    .
    +    +    +    o4   +
 .    .    .    m2   O1   .
    m2   +    +    +    +
 .    .    .    o3   .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    o1   +    m3   +
 .    .    .    .    .    .`

func TestRule5_1ATreeAndATileEachOnce(t *testing.T) {
	r, s := autumn(t, 2, South, spread)
	refused(t, r, &s, `{"do":"shed","at":[5,5],"tile":2}`, "5.1", "bosk.shed.no-tree", `{"at":[5,5]}`)
	refused(t, r, &s, `{"do":"shed","at":[2,4],"tile":2}`, "5.1", "bosk.shed.other", `{"at":[2,4],"seat":1,"tree":4}`)
	refused(t, r, &s, `{"do":"shed","at":[0,4],"tile":2}`, "1.3", "bosk.shed.no-crossing", `{"at":[0,4],"most":5}`)
	refused(t, r, &s, `{"do":"shed","at":[4,999],"tile":2}`, "1.3", "bosk.shed.no-crossing", `{"at":[4,999],"most":5}`)
	refused(t, r, &s, `{"do":"shed","at":[5,4],"tile":9}`, "1.4", "bosk.shed.tile", `{"tile":9}`)
	refused(t, r, &s, `{"do":"shed","at":[5,4],"tile":1}`, "1.4", "bosk.shed.tile", `{"tile":1}`)
	refused(t, r, &s, `{"do":"shed","at":[5,4],"tile":"fox"}`, "1.4", "bosk.shed.tile", `{"tile":"fox"}`)
	refused(t, r, &s, `{"do":"plant","tree":1,"at":[1,1]}`, "5.1", "bosk.not-now", `{"do":"plant","due":"shed"}`)
	if n := len(r.Moves(&s, 0, nil)); n != 3*8 {
		t.Errorf("%d ways to shed, want 3 trees times 8 tiles", n)
	}
	play(t, r, &s, `{"do":"shed","at":[5,4],"tile":4}`, `{"do":"leaf","to":[5,3]}`)
	shows(t, r, &s, `
 .    .    m1   .    .    .
    +    m1   +    +    +
 .    .    o1   .    .    .
    +    +    +    o4   +
 .    .    .    m2   O1   .
    m2   +    +    +    +
 .    .    .    o3   .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    o1   +    +    +
 .    .    .    m1   .    .`)
	if s.actor != 1 || s.tiles[0]>>3&1 != 0 || s.played[0] != 4 {
		t.Errorf("after its turn seat 0 still acts (%d) or its tile is not spent", s.actor)
	}
	play(t, r, &s, `{"do":"shed","at":[5,2],"tile":2}`, `{"do":"leaf","to":[5,2]}`)
	if s.round != 6 || s.actor != 1 {
		t.Errorf("both have shed: round %d, seat %d, want round 6 and seat 1 with the lower tile", s.round, s.actor)
	}
	play(t, r, &s, `{"do":"shed","at":[2,4],"tile":3}`, `{"do":"leaf","to":[1,3]}`, `{"do":"leaf","to":[1,2]}`, `{"do":"leaf","to":[1,1]}`)
	refused(t, r, &s, `{"do":"shed","at":[3,1],"tile":4}`, "5.1", "bosk.shed.spent", `{"tile":4}`)
	s.tiles[0] &^= 1
	refused(t, r, &s, `{"do":"shed","at":[3,1],"tile":"squirrel"}`, "5.1", "bosk.shed.spent", `{"tile":"squirrel"}`)
}

// lone is a park with one tree.
const lone = `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m1   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`

func TestRule5_2TwoSquaresAtTheTreeThenThreeAhead(t *testing.T) {
	for wind, want := range map[Wind][2]string{
		North: {"[2 2] [2 3]", "[1 1] [1 2] [1 3]"},
		South: {"[3 2] [3 3]", "[4 1] [4 2] [4 3]"},
		East:  {"[2 3] [3 3]", "[1 4] [2 4] [3 4]"},
		West:  {"[2 2] [3 2]", "[1 1] [2 1] [3 1]"},
	} {
		r, s := autumn(t, 2, wind, lone)
		play(t, r, &s, `{"do":"shed","at":[3,3],"tile":8}`)
		if got := places(r.Moves(&s, 0, nil)); got != want[0] {
			t.Errorf("wind %v: the first leaf may go to %s, want %s", wind, got, want[0])
		}
		r.Play(&s, 0, r.Moves(&s, 0, nil)[0], nil)
		if got := places(r.Moves(&s, 0, nil)); got != want[1] {
			t.Errorf("wind %v: the second leaf may go to %s, want %s", wind, got, want[1])
		}
	}
	r, s := autumn(t, 2, East, lone)
	play(t, r, &s, `{"do":"shed","at":[3,3],"tile":5}`)
	refused(t, r, &s, `{"do":"leaf","to":[1,3]}`, "5.2", "bosk.leaf.first", `{"to":[1,3],"tree":[3,3],"wind":"east"}`)
	refused(t, r, &s, `{"do":"squirrel","to":[2,3]}`, "5.2", "bosk.not-now", `{"do":"squirrel","due":"leaf"}`)
	play(t, r, &s, `{"do":"leaf","to":[2,3]}`)
	refused(t, r, &s, `{"do":"leaf","to":[4,4]}`, "5.2", "bosk.leaf.ahead", `{"last":[2,3],"to":[4,4],"wind":"east"}`)
	refused(t, r, &s, `{"do":"leaf","to":[2,2]}`, "5.2", "bosk.leaf.ahead", `{"last":[2,3],"to":[2,2],"wind":"east"}`)
	shows(t, r, &s, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    *    .
    +    +    +    +    +
 .    .    .    m1   *    .
    +    +    m1   +    +
 .    .    .    .    *    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`, r.Moves(&s, 0, nil)...)
	for _, junk := range []Move{{Do: Leaf, Piece: 1, Row: 2, Column: 4}, {Do: 77}, {}} {
		denied(t, r.Check(&s, 0, junk), "5.2", "bosk.unknown", `{"due":"leaf"}`)
	}
}

func places(moves []Move) string {
	var list []string
	for _, m := range moves {
		list = append(list, fmt.Sprint([]int8{m.Row, m.Column}))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestRule5_3LeavesNeverLeaveThePark(t *testing.T) {
	r, s := autumn(t, 2, East, `
 .    .    .    .    .    .
    +    +    +    +    m4
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[1,5],"tile":6}`)
	refused(t, r, &s, `{"do":"leaf","to":[-1,5]}`, "5.3", "bosk.leaf.outside", `{"to":[-1,5]}`)
	refused(t, r, &s, `{"do":"leaf","to":[0,6]}`, "5.3", "bosk.leaf.outside", `{"to":[0,6]}`)
	refused(t, r, &s, `{"do":"leaf","to":[0,1000]}`, "5.3", "bosk.leaf.outside", `{"to":[0,1000]}`)
	log := play(t, r, &s, `{"do":"leaf","to":[0,5]}`)
	if s.actor != 1 || s.supply[0] != leavesEach-1 {
		t.Errorf("at the edge the turn ends and five leaves return: seat %d acts, %d in the supply", s.actor, s.supply[0])
	}
	if last := log.Events[1]; last.Key != "bosk.event.stop" || last.Args["left"] != 5 {
		t.Errorf("nobody is told that five leaves are left over: %v", log.Events)
	}
	// Along the upper edge the wind leaves two squares ahead of a leaf, not three.
	r, s = autumn(t, 2, East, lone)
	s.trees[0][0][0] = r.number(1, 1)
	play(t, r, &s, `{"do":"shed","at":[1,1],"tile":6}`, `{"do":"leaf","to":[0,1]}`)
	if got := places(r.Moves(&s, 0, nil)); got != "[0 2] [1 2]" {
		t.Errorf("along the edge the leaf may go to %s", got)
	}
}

func TestRule5_4BareGroundAndOwnPilesCostNothing(t *testing.T) {
	r, s := autumn(t, 2, East, `
 .    .    .    .    .    .
    m1   +    +    +    +
 .    m3   .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[1,1],"tile":3}`, `{"do":"leaf","to":[1,1]}`, `{"do":"leaf","to":[1,2]}`)
	shows(t, r, &s, `
 .    .    .    .    .    .
    m1   +    +    +    +
 .    m4   m1   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	if s.active != 1 {
		t.Errorf("%d active leaves are left of three, want 1", s.active)
	}
}

func TestRule5_5CoveringOthersCostsTheHeightOfThePile(t *testing.T) {
	r, s := autumn(t, 3, East, `
 .    .    .    .    .    .
    m1   +    +    +    +
 .    o2   b1   .    .    .
    +    +    +    +    +
 .    .    o4   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	log := play(t, r, &s, `{"do":"shed","at":[1,1],"tile":5}`, `{"do":"leaf","to":[1,1]}`)
	if s.active != 2 {
		t.Errorf("covering a pile of two leaves %d of five, want 2", s.active)
	}
	if e := log.Events[1]; e.Key != "bosk.event.cover" || e.Args["back"] != 2 || e.Args["other"] != game.Seat(1) {
		t.Errorf("the covering is told as %v", e)
	}
	refused(t, r, &s, `{"do":"leaf","to":[2,2]}`, "5.5", "bosk.leaf.price", `{"active":2,"height":4,"price":5,"seat":1,"to":[2,2]}`)
	shows(t, r, &s, `
 .    .    *    .    .    .
    m1   +    +    +    +
 .    m3   *b1  .    .    .
    +    +    +    +    +
 .    .    o4   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`, r.Moves(&s, 0, nil)...)
	play(t, r, &s, `{"do":"leaf","to":[1,2]}`)
	if s.actor != 1 || s.square[at(1, 2)] != pile(0, 2) {
		t.Errorf("the last two leaves cover a pile of one and the turn ends; seat %d acts", s.actor)
	}
}

func TestRule5_6NoLeafOnASquirrel(t *testing.T) {
	r, s := autumn(t, 2, East, `
 .    O0   .    .    .    .
    m1   +    +    +    +
 .    .    M0   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[1,1],"tile":5}`)
	refused(t, r, &s, `{"do":"leaf","to":[0,1]}`, "5.6", "bosk.leaf.squirrel", `{"seat":1,"to":[0,1]}`)
	play(t, r, &s, `{"do":"leaf","to":[1,1]}`)
	refused(t, r, &s, `{"do":"leaf","to":[1,2]}`, "5.6", "bosk.leaf.squirrel", `{"seat":0,"to":[1,2]}`)
	if got := places(r.Moves(&s, 0, nil)); got != "[0 2] [2 2]" {
		t.Errorf("around the squirrel the path may go to %s", got)
	}
}

func TestRule5_7ThePathGoesOnWhileItCan(t *testing.T) {
	r, s := autumn(t, 3, East, `
 .    .    o1   .    .    .
    m1   +    +    +    +
 .    o1   O0   o3   .    .
    +    +    +    +    +
 .    .    B0   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	// Only covering is open after the first leaf, and it must be done.
	play(t, r, &s, `{"do":"shed","at":[1,1],"tile":5}`, `{"do":"leaf","to":[1,1]}`)
	if got := places(r.Moves(&s, 0, nil)); got != "[0 2]" || s.active != 3 {
		t.Fatalf("with %d leaves the path may go to %s, want only [0 2]", s.active, got)
	}
	refused(t, r, &s, `{"do":"shed","at":[1,1],"tile":2}`, "5.2", "bosk.not-now", `{"do":"shed","due":"leaf"}`)
	play(t, r, &s, `{"do":"leaf","to":[0,2]}`, `{"do":"leaf","to":[0,3]}`)
	if s.actor != 1 {
		t.Errorf("the leaves are used up, and seat %d acts", s.actor)
	}
	// A path whose squares ahead are all closed or too dear ends, and the rest returns.
	r, s = autumn(t, 3, East, `
 .    .    o2   .    .    .
    m1   +    +    +    +
 .    .    O0   .    .    .
    +    +    +    +    +
 .    .    B0   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[1,1],"tile":3}`, `{"do":"leaf","to":[1,1]}`)
	if s.actor != 1 || s.supply[0] != leavesEach-1 {
		t.Errorf("the path cannot go on: seat %d acts, %d in the supply", s.actor, s.supply[0])
	}
	// A tree that can shed nowhere may be chosen; its turn is over at once.
	r, s = autumn(t, 3, East, `
 .    O0   .    .    .    .
    m1   +    +    +    +
 .    B0   .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	log := play(t, r, &s, `{"do":"shed","at":[1,1],"tile":8}`)
	if s.actor != 1 || s.supply[0] != leavesEach || r.standing(&s, 0) != 0 {
		t.Errorf("a closed-in tree: seat %d acts, %d in the supply, %d trees", s.actor, s.supply[0], r.standing(&s, 0))
	}
	if e := log.Events[1]; e.Key != "bosk.event.stop" || e.Args["laid"] != 0 || e.Args["left"] != 8 {
		t.Errorf("it is told as %v", e)
	}
}

func TestRule5_8TheSquirrelRunsOneTwoOrThreeSteps(t *testing.T) {
	r, s := autumn(t, 2, West, lone)
	play(t, r, &s, `{"do":"shed","at":[3,3],"tile":"squirrel"}`)
	shows(t, r, &s, `
 *    .    .    .    .    .
    +    +    +    +    +
 *    *    .    .    .    .
    +    +    +    +    +
 *    *    *    .    .    .
    +    +    m1   +    +
 *    *    *    .    .    .
    +    +    +    +    +
 *    *    .    .    .    .
    +    +    +    +    +
 *    .    .    .    .    .`, r.Moves(&s, 0, nil)...)
	refused(t, r, &s, `{"do":"squirrel","to":[2,3]}`, "5.8", "bosk.squirrel.far", `{"to":[2,3],"tree":[3,3],"wind":"west"}`)
	refused(t, r, &s, `{"do":"squirrel","to":[2,-1]}`, "5.3", "bosk.squirrel.outside", `{"to":[2,-1]}`)
	refused(t, r, &s, `{"do":"squirrel","to":[2,-1000]}`, "5.3", "bosk.squirrel.outside", `{"to":[2,-1000]}`)
	refused(t, r, &s, `{"do":"leaf","to":[2,2]}`, "5.8", "bosk.not-now", `{"do":"leaf","due":"squirrel"}`)
	denied(t, r.Check(&s, 0, Move{Do: Run, Piece: 3, Row: 2, Column: 2}), "5.8", "bosk.unknown", `{"due":"squirrel"}`)
	// It passes and covers piles for nothing, passes squirrels, and does not stay on one.
	r, s = autumn(t, 3, West, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    o7   B0   .    .    .
    +    +    m1   +    +
 .    .    O2   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[3,3],"tile":"squirrel"}`)
	refused(t, r, &s, `{"do":"squirrel","to":[2,2]}`, "5.8", "bosk.squirrel.taken", `{"seat":2,"to":[2,2]}`)
	play(t, r, &s, `{"do":"squirrel","to":[2,1]}`)
	shows(t, r, &s, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    M7   B0   .    .    .
    +    +    +    +    +
 .    .    O2   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	if s.supply[0] != leavesEach || s.actor != 1 {
		t.Errorf("the squirrel cost leaves (%d left), or the turn goes on (seat %d)", s.supply[0], s.actor)
	}
	// Where it can stay nowhere it is not placed and the turn is spent.
	r, s = autumn(t, 3, West, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 B0   .    .    .    .    .
    m1   +    +    +    +
 O0   .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	log := play(t, r, &s, `{"do":"shed","at":[3,1],"tile":"squirrel"}`)
	if s.actor != 1 || s.squirrel[0] != 0 || s.tiles[0]&1 != 0 || log.Events[1].Key != "bosk.event.no-squirrel" {
		t.Errorf("seat %d acts, squirrel at %d, told %v", s.actor, s.squirrel[0], log.Events)
	}
}

func TestRule6_1TheWindMovesOn(t *testing.T) {
	r, s := planted()
	play(t, r, &s, `{"do":"wind","side":"east"}`)
	var rounds []string
	for s.phase != finished {
		if v := r.ViewJSON(&s).(View); len(rounds) == 0 || len(rounds) < v.Round {
			rounds = append(rounds, fmt.Sprint(v.Wind.Tree, v.Wind.Blows))
		}
		r.Play(&s, s.actor, r.Moves(&s, s.actor, nil)[0], nil)
	}
	if got := strings.Join(rounds, " "); got != "1east 2south 3west 4north anyeast anysouth anywest anynorth" {
		t.Errorf("the rounds went %s", got)
	}
}

// edge is a park in which every tree sheds one leaf, to the south.
const edge = `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m1   +    o1   +    b1
 .    .    .    .    .    .`

func TestRule6_2LowestTileStartsTheNextRound(t *testing.T) {
	turn := func(column int, tile string) []string {
		deed := "leaf"
		if tile == `"squirrel"` {
			deed = "squirrel"
		}
		return []string{
			fmt.Sprintf(`{"do":"shed","at":[5,%d],"tile":%s}`, column, tile),
			fmt.Sprintf(`{"do":%q,"to":[5,%d]}`, deed, column-1),
		}
	}
	for _, c := range []struct {
		start game.Seat
		tiles [3]string
		want  game.Seat
	}{
		{0, [3]string{"5", "4", "3"}, 2},
		{0, [3]string{"5", `"squirrel"`, "2"}, 1}, // the squirrel counts as 1
		{0, [3]string{"2", "2", "8"}, 1},          // the start player comes last among those tied
		{0, [3]string{"2", "8", "2"}, 2},
		{0, [3]string{"2", "8", "8"}, 0},
		{1, [3]string{"2", "2", "8"}, 0},
		{1, [3]string{"2", "2", "2"}, 2},
		{2, [3]string{"2", "2", "2"}, 0},
	} {
		for _, round := range []uint8{5, 8} {
			r, s := autumnIn(t, round, c.start, 3, South, edge)
			for n := range 3 {
				seat := r.clockwise(c.start, n)
				play(t, r, &s, turn(int(2*seat+1), c.tiles[seat])...)
			}
			want, to := c.want, c.want
			if round == rounds { // the Hiker stays where it is
				want, to = c.start, game.None
			}
			if s.start != want || r.ToAct(&s) != to {
				t.Errorf("tiles %v in round %d, start player %d: the Hiker goes to %d and %v acts, want %d and %v",
					c.tiles, round, c.start, s.start, r.ToAct(&s), want, to)
			}
			if round == rounds {
				denied(t, r.Check(&s, 0, Move{Do: Shed}), "7.6", "bosk.over", `{}`)
			}
		}
	}
	r, s := autumn(t, 3, South, edge)
	play(t, r, &s, slices.Concat(turn(1, "2"), turn(3, `"squirrel"`), turn(5, "3"))...)
	shows(t, r, &s, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 m1   .    O0   .    b1   .`)
}

func TestRule7_1TheTopOfEachSquareCounts(t *testing.T) {
	r, s := autumn(t, 2, South, spread)
	regions := map[string]string{}
	for _, line := range r.Sheet(&s)[10:] {
		regions[line.Args["region"].(string)] = fmt.Sprint(line.Args["have"], line.Args["size"])
	}
	// Meadow: a leaf of each. Lake: the maple's pile of two against the oak's
	// pile of three and its squirrel: height does not matter.
	if regions["meadow"] != "[1 1] 18" || regions["lake"] != "[1 2] 18" {
		t.Errorf("the regions are held so: %v", regions)
	}
	r, s = autumn(t, 3, South, edge)
	if got := ground(t, r, &s, "meadow"); got != "[0 0 0] nobody 7.1 [4 4 4]" {
		t.Error(got)
	}
}

// falls lets the last leaf fall, on the meadow, and explains the meadow. The
// one tree has brought the maple 6 in summer, a row and a column to itself.
func falls(t *testing.T, r *Rules, s *Position) string {
	t.Helper()
	play(t, r, s, `{"do":"shed","at":[5,2],"tile":2}`, `{"do":"leaf","to":[5,1]}`)
	return ground(t, r, s, "meadow")
}

func TestRule7_2FiveForTheFirstThreeForTheSecond(t *testing.T) {
	r, s := autumn(t, 3, South, `
 m1   .    .    .    .    .
    +    +    +    +    +
 o3   .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    m1   +    +    +
 .    .    .    .    .    .`)
	if got := falls(t, r, &s); got != "[5 3 0] first-and-second 7.2 [11 3 0]" {
		t.Error(got)
	}
	shows(t, r, &s, `
 m1   .    .    .    .    .
    +    +    +    +    +
 o3   .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    m1   .    .    .    .`)
}

func TestRule7_3OneForEachTiedForSecond(t *testing.T) {
	r, s := autumn(t, 3, South, `
 m1   .    .    .    .    .
    +    +    +    +    +
 o3   .    .    .    .    .
    +    +    +    +    +
 B0   .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    m1   +    +    +
 .    .    .    .    .    .`)
	if got := falls(t, r, &s); got != "[5 1 1] tied-second 7.3 [11 1 1]" {
		t.Error(got)
	}
}

func TestRule7_4EightForWhoIsAlone(t *testing.T) {
	r, s := autumn(t, 3, South, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    m1   +    +    +
 .    .    .    .    .    .`)
	if got := falls(t, r, &s); got != "[8 0 0] alone 7.4 [14 0 0]" {
		t.Error(got)
	}
}

func TestRule7_5FourForEachTiedForFirst(t *testing.T) {
	r, s := autumn(t, 3, South, `
 m1   o1   .    .    .    .
    +    +    +    +    +
 o3   .    b1   .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    m1   +    +    +
 .    .    .    .    .    .`)
	if got := falls(t, r, &s); got != "[4 4 0] tied-first 7.5 [10 4 0]" {
		t.Error(got)
	}
}

func TestRule7_6TiesGoToTheSeatClosestToTheStartPlayer(t *testing.T) {
	const even = `
 .    .    .    .    m1   o1
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    m1   +    o1   +    b1
 .    .    .    .    .    .`
	for _, c := range []struct {
		start      game.Seat
		picture    string
		maple, oak int // the column of the last row to which the leaf falls
		totals     [3]game.Points
		ranks      [3]int32
		won        string
		tie        string // what told the two apart that have the same
	}{
		// Each has 4 of summer: 1 for the row that all share, 3 for a column.
		// The meadow is the maple's (8); oak and beech share the lake (4).
		{0, edge, 0, 3, [3]game.Points{12, 8, 8}, [3]int32{1, 2, 3}, `bosk.event.won {"seat":0,"total":12}`, `1 before 2: bosk.tie.closer {"other":2,"rule":"7.6","seat":1,"start":0}`},
		{2, edge, 0, 3, [3]game.Points{12, 8, 8}, [3]int32{1, 3, 2}, `bosk.event.won {"seat":0,"total":12}`, `2 before 1: bosk.tie.start {"other":1,"rule":"7.6","seat":2}`},
		// Maple and oak share the meadow (4), and all three the lake (4).
		{0, even, 0, 2, [3]game.Points{12, 12, 8}, [3]int32{1, 2, 3}, `bosk.event.won.tie {"seat":0,"total":12}`, `0 before 1: bosk.tie.start {"other":1,"rule":"7.6","seat":0}`},
		{1, even, 0, 2, [3]game.Points{12, 12, 8}, [3]int32{2, 1, 3}, `bosk.event.won.tie {"seat":1,"total":12}`, `1 before 0: bosk.tie.start {"other":0,"rule":"7.6","seat":1}`},
		{2, even, 0, 2, [3]game.Points{12, 12, 8}, [3]int32{1, 2, 3}, `bosk.event.won.tie {"seat":0,"total":12}`, `0 before 1: bosk.tie.closer {"other":1,"rule":"7.6","seat":0,"start":2}`},
	} {
		r, s := autumnIn(t, rounds, c.start, 3, South, c.picture)
		var log *game.Log
		for n := range 3 {
			seat := r.clockwise(c.start, n)
			log = play(t, r, &s,
				fmt.Sprintf(`{"do":"shed","at":[5,%d],"tile":2}`, 2*seat+1),
				fmt.Sprintf(`{"do":"leaf","to":[5,%d]}`, [...]int{c.maple, c.oak, 4}[seat]))
		}
		st := r.Standing(&s)
		var totals [3]game.Points
		var ranks [3]int32
		for seat := range totals {
			totals[seat], ranks[seat] = st.Seats[seat].Total, st.Seats[seat].Rank
		}
		if !st.Over || totals != c.totals || ranks != c.ranks {
			t.Errorf("start player %d: over %t, totals %v, ranks %v; want %v and %v", c.start, st.Over, totals, ranks, c.totals, c.ranks)
		}
		e := log.Events[len(log.Events)-1]
		args, err := json.Marshal(e.Args)
		if got := e.Key + " " + string(args); err != nil || got != c.won {
			t.Errorf("start player %d: told %s, want %s", c.start, got, c.won)
		}
		if got := gametest.Ties(t, r, &s); got != c.tie {
			t.Errorf("start player %d: the tie is told as %s, want %s", c.start, got, c.tie)
		}
	}
}

func TestEveryRuleHasATest(t *testing.T) { gametest.RulesTested(t, texts, 32) }

func TestMovesThatAreNoMoves(t *testing.T) {
	r := New(2, DefaultBox())
	for text, want := range map[string]string{
		``:                                      `json.object {}`,
		`[]`:                                    `json.object {}`,
		`{}`:                                    `json.missing {"field":"do"}`,
		`{"do":7}`:                              `json.text {"field":"do"}`,
		`{"do":"fly"}`:                          `move.do {"do":"fly","known":["plant","wind","shed","leaf","squirrel"]}`,
		`{"do":"plant","tree":1}`:               `json.missing {"field":"at"}`,
		`{"do":"plant","tree":"1","at":[1,1]}`:  `json.number {"field":"tree"}`,
		`{"do":"plant","tree":1.5,"at":[1,1]}`:  `json.number {"field":"tree"}`,
		`{"do":"plant","tree":1e30,"at":[1,1]}`: `json.range {"field":"tree","least":-2147483648,"most":2147483647}`,
		`{"do":"plant","tree":1,"at":[1]}`:      `json.pair {"field":"at"}`,
		`{"do":"plant","tree":1,"at":[1,"a"]}`:  `json.number {"field":"at"}`,
		`{"do":"plant","tree":1,"at":[1,1],"why":1}`:      `json.unknown {"field":"why"}`,
		`{"do":"plant","tree":1,"at":[1,1],"at":[1,2]}`:   `json.twice {"field":"at"}`,
		`{"do":"plant","tree":1,"at":[1,1]}{"do":"wind"}`: `json.object {}`,
		`{"do":"shed","at":[1,1],"tile":null}`:            `json.number {"field":"tile"}`,
		`{"do":"shed","at":[1,1]}`:                        `json.missing {"field":"tile"}`,
		`{"do":"wind","side":3}`:                          `json.text {"field":"side"}`,
		`{"do":"plant","tree":1e2,"at":[1,1]}`:            `bosk.plant.value {"tree":100} (rule 1.4)`,
	} {
		if _, err := r.ReadMove([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	if m, err := r.ReadMove([]byte(` {"at":[1.0, 2], "tree":3,"do":"plant"} `)); err != nil || m != (Move{Plant, 3, 1, 2}) {
		t.Errorf("order and space matter: %v %v", m, err)
	}
}

func TestFactsSayWhatAScreenShows(t *testing.T) {
	r, s := autumn(t, 2, South, spread)
	says := func(move, want string) {
		t.Helper()
		m, err := r.ReadMove([]byte(move))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(r.Facts(&s, s.actor, m))
		if err != nil || string(raw) != want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", move, raw, err, want)
		}
	}
	// Summer brought 13 and 7: rows 1, 2, 3 and column 1 to one alone, row 5 and
	// column 4 to both, column 2 tied. Both hold one square of the meadow (4
	// each); the oak holds two of the lake and the maple one (5, 3).
	says(`{"do":"shed","at":[3,1],"tile":7}`, `{"to":[[3,0],[3,1]],"totals":[20,16]}`)
	says(`{"do":"shed","at":[5,4],"tile":"squirrel"}`, `{"to":[[5,3],[5,4]],"totals":[20,16]}`)
	play(t, r, &s, `{"do":"shed","at":[3,1],"tile":7}`)
	says(`{"do":"leaf","to":[3,1]}`, `{"covers":0,"left":6,"price":1,"reach":[[4,0],[4,1],[4,2],[5,0],[5,1],[5,2],[5,3]],"region":"meadow","totals":[21,15]}`)

	// A pile of two under the wind: it costs three of seven. The lone tree had a
	// row and a column to itself (6).
	r, s = autumn(t, 2, South, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m4   +    +
 .    .    o2   M1   .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[2,3],"tile":7}`)
	says(`{"do":"leaf","to":[2,2]}`, `{"covers":2,"left":4,"price":3,"reach":[[3,1],[3,2],[3,3],[4,0],[4,1],[4,2],[4,3],[4,4],[5,0],[5,1],[5,2],[5,3],[5,4],[5,5]],"region":"meadow","totals":[22,0]}`)

	r, s = autumn(t, 2, South, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m4   +    +
 .    .    .    o1   .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	play(t, r, &s, `{"do":"shed","at":[2,3],"tile":"squirrel"}`)
	says(`{"do":"squirrel","to":[2,3]}`, `{"covers":1,"region":"lake","totals":[14,0]}`)
	says(`{"do":"squirrel","to":[2,2]}`, `{"covers":0,"region":"meadow","totals":[14,8]}`)

	// A tree from which nothing can fall leads nowhere.
	r, s = autumn(t, 3, East, `
 .    O0   .    .    .    .
    m1   +    +    +    +
 .    B0   .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .`)
	says(`{"do":"shed","at":[1,1],"tile":8}`, `{"to":[],"totals":[6,4,4]}`)

	// Two trees on a row trail: their values are added up.
	r = New(2, parkOf(6))
	s = r.Start()
	play(t, r, &s, `{"do":"plant","tree":4,"at":[2,3]}`, `{"do":"plant","tree":3,"at":[1,5]}`)
	says(`{"do":"plant","tree":2,"at":[2,5]}`, `{"column":2,"row":6,"totals":[7,5]}`)

	r, s = planted()
	points := s.summer
	says(`{"do":"wind","side":"west"}`, fmt.Sprintf(
		`{"blows":["west","north","east","south","west","north","east","south"],"totals":[%d,%d]}`, points[0], points[1]))
}
