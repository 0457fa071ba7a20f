package bosk

import (
	"math"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// better fails unless the first position is worth more to seat than the second.
func better(t *testing.T, r *Rules, seat game.Seat, a, b *Position) {
	t.Helper()
	if x, y := r.Worth(a, seat), r.Worth(b, seat); x <= y {
		t.Errorf("to seat %d this is worth %.2f:\n%s\nand this %.2f, which is no less:\n%s", seat, x, r.draw(a), y, r.draw(b))
	}
}

// The park of these tests is half meadow, half lake.
const evenPark = `
 m1   .    .    o1   .    .
    m1   +    +    +    +
 o1   .    .    m1   .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    m4   o4   +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    o1
 .    .    .    .    .    .
`

func TestARegionThatChangesHandsIsWorthIt(t *testing.T) {
	r, even := autumn(t, 2, South, evenPark)
	flip := even // a maple leaf covers the oak's in the meadow
	i := at(1, 0)
	flip.square[i] = pile(0, 2)
	flip.control[r.terrainAt[i]][1]--
	flip.control[r.terrainAt[i]][0]++
	better(t, r, 0, &flip, &even)
	better(t, r, 1, &even, &flip)

	bare := even // a leaf more where both have one
	i = at(4, 4)
	bare.square[i] = pile(0, 1)
	bare.control[r.terrainAt[i]][0]++
	better(t, r, 0, &bare, &even)
	better(t, r, 0, &flip, &bare) // but covering takes one away besides
}

// TestALeadIsWorthMoreTheLaterItIs: in the last round little can happen to it.
func TestALeadIsWorthMoreTheLaterItIs(t *testing.T) {
	lead := func(round uint8) float64 {
		r, s := autumnIn(t, round, 0, 2, South, evenPark)
		s.tiles[0], s.tiles[1] = 1<<(9-round)-1, 1<<(9-round)-1
		s.control[0][0]++
		return r.Worth(&s, 0)
	}
	if early, late := lead(5), lead(8); early >= late || early <= 0 {
		t.Errorf("the same lead is worth %.2f in round 5 and %.2f in round 8", early, late)
	}
}

func TestTilesLeftAreWorthSomething(t *testing.T) {
	r, s := autumn(t, 2, South, evenPark)
	spent := s
	spent.tiles[0] &^= 1 << 7 // the 8 is gone for nothing
	better(t, r, 0, &s, &spent)
}

// TestATreeThatCannotReachIsWorthLess: with the wind to the north a tree in the
// south has the park before it.
func TestATreeThatCannotReachIsWorthLess(t *testing.T) {
	const north, south = `
 .    .    .    .    .    .
    +    +    m4   +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    o4   +    +    +    +
 .    .    .    .    .    .
`, `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    o4   +    m4   +    +
 .    .    .    .    .    .
`
	r, near := autumnIn(t, 4, 0, 2, North, north)
	_, far := autumnIn(t, 4, 0, 2, North, south)
	for _, s := range []*Position{&near, &far} {
		s.summer = [game.MaxSeats]uint8{}
		s.tiles[0], s.tiles[1] = 0x1F, 0x1F
	}
	better(t, r, 0, &far, &near)
}

func TestInSpringATrailThatIsHeldIsWorthMore(t *testing.T) {
	const trails = `
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    o3   +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
    +    +    +    +    +
 .    .    .    .    .    .
`
	r, s := spring(t, 2, 0, trails)
	after := func(move string) *Position {
		next := s
		play(t, r, &next, move)
		return &next
	}
	better(t, r, 0, after(`{"do":"plant","tree":4,"at":[2,4]}`), after(`{"do":"plant","tree":1,"at":[2,4]}`))
	better(t, r, 0, after(`{"do":"plant","tree":3,"at":[4,4]}`), after(`{"do":"plant","tree":3,"at":[5,5]}`)) // the corner reaches little
}

// TestWorthOfTheEnd is the lead itself, and half a point tells who is ahead.
func TestWorthOfTheEnd(t *testing.T) {
	r, s := autumn(t, 3, South, evenPark)
	s.phase, s.actor = finished, game.None
	s.summer = [game.MaxSeats]uint8{10, 12, 3}
	st := r.Standing(&s)
	for seat := range game.Seat(3) {
		want := float64(st.Seats[seat].Total-max(st.Seats[(seat+1)%3].Total, st.Seats[(seat+2)%3].Total)) - 0.5
		if st.Seats[seat].Rank == 1 {
			want++
		}
		if got := r.Worth(&s, seat); got != want {
			t.Errorf("seat %d: %v, want %v", seat, got, want)
		}
	}
}

// TestWorthAtEveryMoment walks through games: a worth is always a number, costs
// nothing and changes nothing, and between two what one gains the other loses.
func TestWorthAtEveryMoment(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r, rng := New(seats, DefaultBox()), rand.New(rand.NewPCG(1, uint64(seats)))
		for s := r.Start(); r.ToAct(&s) != game.None; {
			before := s
			for seat := range game.Seat(seats) {
				w := r.Worth(&s, seat)
				if math.IsNaN(w) || math.Abs(w) > 100 {
					t.Fatalf("seat %d: %v", seat, w)
				}
				if seats == 2 && math.Abs(w+r.Worth(&s, 1-seat)) > 1e-9 {
					t.Fatalf("to one it is worth %v, to the other %v", w, r.Worth(&s, 1-seat))
				}
			}
			if s != before {
				t.Fatal("asking has changed the position")
			}
			moves := r.Moves(&s, s.actor, nil)
			r.Play(&s, s.actor, moves[rng.IntN(len(moves))], nil)
		}
		s := r.Start()
		if n := testing.AllocsPerRun(10, func() { r.Worth(&s, 0) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
