package grandbois

import (
	"math"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// better fails unless the first picture is worth more to seat than the second.
// So many tiles are still to come.
func better(t *testing.T, r *Rules, seat game.Seat, left int, a, b string) {
	t.Helper()
	worth := func(picture string) float64 {
		s := forest(t, r, picture)
		s.pile = 1<<(left+1) - 2
		return r.Worth(&s, seat)
	}
	if x, y := worth(a), worth(b); x <= y {
		t.Errorf("to seat %d this is worth %.2f:%s\nand this %.2f, which is no less:%s", seat, x, a, y, b)
	}
}

// Of three, seat 0 plays toads, seat 1 rabbits, seat 2 foxes.
func TestWhatIsWorthMore(t *testing.T) {
	r := New(3, DefaultBox(), false)
	for name, c := range map[string][2]string{
		"one more of one's own": {`
			0 0
			t2 t2 r2
			f2 o  r2`, `
			0 0
			t2 o  r2
			f2 o  r2`},
		"one less of another's": {`
			0 0
			t2 t2 B
			f2 o  r2`, `
			0 0
			t2 t2 r2
			f2 o  r2`},
		"a group rather than two": {`
			0 0
			t2 t2 o  r2
			f2 o  o  r2`, `
			0 0
			t2 o  t2 r2
			f2 o  o  r2`},
		"four animals that little can cover": {`
			0 0
			t4 o  r2
			f2 o  r2`, `
			0 0
			t1 o  r2
			f2 o  r2`},
		"a space that nothing can cover any more": {`
			0 0
			o  r2 o
			r2 t1 o
			f2 o  f2`, `
			0 0
			t1 r2 o
			r2 o  o
			f2 o  f2`},
		"a tower among one's own": {`
			0 0
			t2 t2 t2 t2
			t2 T0 t2 t2
			t2 t2 t2 f2`, `
			0 0
			t2 t2 t2 t2
			t2 t2 t2 t2
			t2 t2 f2 T0`},
	} {
		t.Run(name, func(t *testing.T) { better(t, r, 0, 20, c[0], c[1]) })
	}
}

// TestAPoorPlaceForATowerIsLeft while better ones may come, and taken at the end.
func TestAPoorPlaceForATowerIsLeft(t *testing.T) {
	r := New(3, DefaultBox(), false)
	const kept, built = `
		0 0
		t2 t2 r2
		f2 o  r2
		B  B  B`, `
		0 0
		t2 t2 r2
		f2 T0 r2
		B  B  B`
	better(t, r, 0, 25, kept, built)
	better(t, r, 0, 1, built, kept)
}

func TestWhatCanBeCovered(t *testing.T) {
	r := New(3, DefaultBox(), false)
	// Beside the bear and the tower no tile finds room, and what has forest all
	// around it can never be covered.
	s := forest(t, r, `
		0 0
		t2 t2 t2 t2
		B  t2 t2 T1
		t2 t2 t2 t2`)
	want := []string{"xxxx", "    ", "xxxx"}
	for y, line := range want {
		for x := range line {
			if got := s.coverable(y)>>x&1 != 0; got != (line[x] == 'x') {
				t.Errorf("space %d %d: %t", x, y, got)
			}
		}
	}
}

// TestWorthOfTheEnd is the lead itself, and half a chestnut tells who won.
func TestWorthOfTheEnd(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := forest(t, r, `
		0 0
		t2 t2 r2
		f2 o  r2`)
	s.phase = over
	for seat, want := range []float64{-0.5 + 1, -0.5 + 1, -3.5} { // 6, 6 and 3: the first two share the rank
		if got := r.Worth(&s, game.Seat(seat)); got != want {
			t.Errorf("seat %d: %v, want %v", seat, got, want)
		}
	}
}

// TestWorthAtEveryMoment walks through games: a worth is always a number, costs
// nothing and changes nothing, and between two what one gains the other loses.
func TestWorthAtEveryMoment(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		r, rng := New(seats, DefaultBox(), false), rand.New(rand.NewPCG(1, uint64(seats)))
		s := r.Start()
		for r.ToAct(&s) != game.None {
			before := s
			for seat := range game.Seat(seats) {
				w := r.Worth(&s, seat)
				if math.IsNaN(w) || math.Abs(w) > 200 {
					t.Fatalf("seat %d: %v", seat, w)
				}
				if seats == 2 && math.Abs(w+r.Worth(&s, 1-seat)) > 1e-9 {
					t.Fatalf("to one it is worth %v, to the other %v", w, r.Worth(&s, 1-seat))
				}
			}
			if s != before {
				t.Fatal("asking has changed the position")
			}
			r.Play(&s, r.ToAct(&s), r.Sample(&s, r.ToAct(&s), rng), nil)
		}
		if n := testing.AllocsPerRun(10, func() { r.Worth(&s, 0) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
