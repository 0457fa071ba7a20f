package bosk

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// reasons are the changes between two positions, one a line: points, key and
// arguments.
func reasons(t *testing.T, r *Rules, before, after *Position, seat, rival game.Seat) string {
	t.Helper()
	var lines []string
	for _, c := range r.Why(before, after, seat, rival) {
		args, err := json.Marshal(c.Args)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%+d %s %s", c.Points, strings.TrimPrefix(c.Key, "bosk.why."), args))
	}
	return strings.Join(lines, "\n")
}

// because fails unless the moves, by whoever is to act, are done for these
// reasons against the rival.
func because(t *testing.T, r *Rules, s Position, rival game.Seat, want string, moves ...string) {
	t.Helper()
	before, seat := s, r.ToAct(&s)
	play(t, r, &s, moves...)
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if got, want := reasons(t, r, &before, &s, seat, rival), strings.Join(lines, "\n"); got != want {
		t.Errorf("%v is done because\n%s\nand not\n%s", moves, got, want)
	}
}

func TestReasonsOfSpring(t *testing.T) {
	r, s := spring(t, 3, 0, `
 .    .    .    .    .    .
    o4   b2   +    +    +
 .    .    .    .    .    .
    +    o3   +    +    m3
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    b1   +    m2   b2
 .    .    .    .    .    .
    o1   +    +    +    +
 .    .    .    .    .    .
`)
	for _, c := range []struct {
		move  string
		rival game.Seat
		want  string
	}{
		// Nobody is on row trail 3; column trail 4 was the maple's alone already.
		{`{"do":"plant","tree":1,"at":[3,4]}`, 1, `
			+3 trail.alone {"trail":3,"way":"row"}`},
		// The oak had row trail 5 to itself: 1 point for each, and 2 lost to it.
		{`{"do":"plant","tree":1,"at":[5,5]}`, 1, `
			+3 trail.tie {"seats":[1],"trail":5,"way":"row"}`},
		// A tie is worth to the maple what second place was, but it costs the beech one.
		{`{"do":"plant","tree":1,"at":[4,3]}`, 2, `
			+3 trail.alone {"trail":3,"way":"column"}
			+1 trail.tie {"seats":[2],"trail":4,"way":"row"}`},
		{`{"do":"plant","tree":4,"at":[4,3]}`, 2, `
			+3 trail.alone {"trail":3,"way":"column"}
			+2 trail.take {"seats":[2],"trail":4,"way":"row"}`},
		// The oak had column trail 1 to itself, and is tied with the maple on row trail 2.
		{`{"do":"plant","tree":1,"at":[2,1]}`, 1, `
			+2 trail.second.beside {"seats":[1],"trail":1,"way":"column"}
			+1 trail.untie {"seats":[1],"trail":2,"way":"row"}`},
		// Nothing for a tied second place, and nothing for the beech any more.
		{`{"do":"plant","tree":2,"at":[1,4]}`, 2, `
			+1 trail.second.tie {"seats":[2],"trail":1,"way":"row"}`},
		{`{"do":"plant","tree":3,"at":[1,4]}`, 2, `
			+2 trail.second.from {"seats":[2],"trail":1,"way":"row"}`},
		// Between two who are tied.
		{`{"do":"plant","tree":4,"at":[3,2]}`, 2, `
			+3 trail.take {"seats":[1,2],"trail":2,"way":"column"}
			+3 trail.alone {"trail":3,"way":"row"}`},
		{`{"do":"plant","tree":3,"at":[3,2]}`, 2, `
			+1 trail.tie {"seats":[1,2],"trail":2,"way":"column"}
			+3 trail.alone {"trail":3,"way":"row"}`},
	} {
		t.Run(c.move, func(t *testing.T) { because(t, r, s, c.rival, c.want, c.move) })
	}
	play(t, r, &s, `{"do":"plant","tree":2,"at":[1,4]}`, `{"do":"plant","tree":1,"at":[5,3]}`, `{"do":"plant","tree":1,"at":[3,3]}`)
	because(t, r, s, 2, `
		+1 trail.second {"trail":1,"way":"row"}`, `{"do":"plant","tree":1,"at":[1,5]}`)
}

// The park is half meadow, half lake. The maple has the trees, the wind blows
// south.
func TestReasonsOfAutumn(t *testing.T) {
	r, s := autumn(t, 3, South, `
 .    .    .    .    .    .
    m1   +    +    m4   +
 .    o1   .    .    o1   .
    +    +    +    +    +
 b1   .    .    .    o1   .
    +    +    o4   b4   +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
`)
	for _, c := range []struct {
		moves []string
		rival game.Seat
		want  string
	}{
		// 5 for the meadow; those who had 4 each for their tie have 1 each now.
		{[]string{`{"do":"shed","at":[1,1],"tile":2}`, `{"do":"leaf","to":[1,0]}`, `{"do":"leaf","to":[2,1]}`}, 1, `
			+8 region.take {"region":"meadow","seats":[1,2]}`},
		// The beech's only leaf is covered.
		{[]string{`{"do":"shed","at":[1,1],"tile":3}`, `{"do":"leaf","to":[1,0]}`, `{"do":"leaf","to":[2,0]}`}, 2, `
			+9 region.take {"region":"meadow","seats":[1,2]}`},
		// The oak had the lake to itself.
		{[]string{`{"do":"shed","at":[1,4],"tile":2}`, `{"do":"leaf","to":[1,3]}`, `{"do":"leaf","to":[2,3]}`}, 1, `
			+8 region.tie {"region":"lake","seats":[1]}`},
		{[]string{`{"do":"shed","at":[1,4],"tile":2}`, `{"do":"leaf","to":[1,3]}`, `{"do":"leaf","to":[2,2]}`}, 1, `
			+4 region.tie {"region":"meadow","seats":[1,2]}
			+6 region.second.beside {"region":"lake","seats":[1]}`},
		{[]string{`{"do":"shed","at":[1,4],"tile":4}`, `{"do":"leaf","to":[1,4]}`, `{"do":"leaf","to":[2,4]}`}, 1, `
			+16 region.oust {"region":"lake","seats":[1]}`},
		{[]string{`{"do":"shed","at":[1,4],"tile":"squirrel"}`, `{"do":"squirrel","to":[1,4]}`}, 1, `
			+8 region.tie {"region":"lake","seats":[1]}`},
	} {
		t.Run(strings.Join(c.moves, " "), func(t *testing.T) { because(t, r, s, c.rival, c.want, c.moves...) })
	}
}

// TestReasonsOfRegions goes by what maple, oak, beech and ginkgo hold of the
// meadow before a turn of the maple and after it.
func TestReasonsOfRegions(t *testing.T) {
	r := New(4, parkOf(6))
	for _, c := range []struct {
		was, is [game.MaxSeats]uint8
		rival   game.Seat
		want    string
	}{
		{[4]uint8{0, 0, 0, 0}, [4]uint8{2, 0, 0, 0}, 1, `+8 region.alone {"region":"meadow"}`},
		{[4]uint8{2, 0, 0, 0}, [4]uint8{3, 0, 0, 0}, 1, ``},
		{[4]uint8{2, 1, 0, 1}, [4]uint8{4, 0, 0, 0}, 1, `+4 region.oust {"region":"meadow","seats":[1,3]}`},
		{[4]uint8{2, 2, 0, 0}, [4]uint8{3, 2, 0, 0}, 1, `+2 region.untie {"region":"meadow","seats":[1]}`},
		{[4]uint8{1, 2, 2, 0}, [4]uint8{3, 2, 2, 0}, 3, `+5 region.take {"region":"meadow","seats":[1,2]}`},
		{[4]uint8{0, 1, 4, 0}, [4]uint8{2, 1, 4, 0}, 1, `+6 region.second.from {"region":"meadow","seats":[1]}`},
		{[4]uint8{0, 1, 4, 0}, [4]uint8{1, 1, 4, 0}, 1, `+3 region.second.tie {"region":"meadow","seats":[1]}`},
		{[4]uint8{1, 1, 4, 0}, [4]uint8{2, 1, 4, 0}, 1, `+3 region.second {"region":"meadow"}`},
		{[4]uint8{1, 1, 4, 0}, [4]uint8{2, 1, 4, 0}, 2, `+2 region.second {"region":"meadow"}`},
		// One's own place stays; what remains to tell is the rival's.
		{[4]uint8{3, 2, 1, 0}, [4]uint8{4, 1, 1, 0}, 1, `+2 region.second.lost {"region":"meadow","seats":[1]}`},
		{[4]uint8{3, 2, 1, 0}, [4]uint8{4, 1, 1, 0}, 2, `-1 region.more {"region":"meadow","seats":[2]}`},
		{[4]uint8{3, 2, 1, 0}, [4]uint8{4, 1, 1, 0}, 3, ``},
		{[4]uint8{0, 3, 2, 0}, [4]uint8{1, 2, 2, 0}, 1, `+1 region.lost {"region":"meadow","seats":[1]}`},
		{[4]uint8{0, 3, 3, 0}, [4]uint8{1, 2, 3, 0}, 1, `+1 region.less {"region":"meadow","seats":[1]}`},
	} {
		var before, after Position
		before.control[0], after.control[0] = c.was, c.is
		if got := reasons(t, r, &before, &after, 0, c.rival); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.was, c.is, got, c.want)
		}
	}
}

// lead is how far seat is ahead of rival.
func lead(r *Rules, s *Position, seat, rival game.Seat) game.Points {
	st := r.Standing(s)
	return st.Seats[seat].Total - st.Seats[rival].Total
}

// TestReasonsAddUp: in whole random games the changes of every move and of every
// turn are all of how the lead over each other seat has changed, in declared
// words.
func TestReasonsAddUp(t *testing.T) {
	declared := map[string][]string{}
	for _, p := range whyPhrases() {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	for seats := 2; seats <= 4; seats++ {
		r, rng := New(seats, DefaultBox()), rand.New(rand.NewPCG(5, uint64(seats)))
		for range 30 {
			s := r.Start()
			for began := s; r.ToAct(&s) != game.None; began = s {
				seat, turn := r.ToAct(&s), r.Turn(&s)
				for r.Turn(&s) == turn {
					moves := r.Moves(&s, seat, nil)
					r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
				}
				for rival := range game.Seat(seats) {
					if rival == seat {
						continue
					}
					sum := game.Points(0)
					for _, c := range r.Why(&began, &s, seat, rival) {
						sum += c.Points
						if got := slices.Sorted(maps.Keys(c.Args)); !slices.Equal(got, declared[c.Key]) {
							t.Fatalf("%s is told with %v, and declared with %v", c.Key, got, declared[c.Key])
						}
					}
					if want := lead(r, &s, seat, rival) - lead(r, &began, seat, rival); sum != want {
						t.Fatalf("seat %d against %d: %d are told, %d gained:\n%s\n%s", seat, rival, sum, want, r.draw(&began), r.draw(&s))
					}
				}
			}
		}
	}
}
