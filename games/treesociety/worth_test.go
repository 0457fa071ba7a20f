package treesociety

import (
	"math"
	"math/rand/v2"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// worths are the two that judge: the one that bots go by, and the frozen one.
func worths(r *Rules) map[string]func(*Position, game.Seat) float64 {
	return map[string]func(*Position, game.Seat) float64{"worth": r.Worth, "reference": r.ReferenceWorth}
}

const elsewhere = `
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
`

// TestWhatIsWorthMore to seat 0, by both worths.
func TestWhatIsWorthMore(t *testing.T) {
	r := plainRules(t, 2, effect(23, 1, `{"while":[{"verb":"income","amount":2}]}`), effect(24, 1, `{"while":[{"verb":"better-sale","amount":2}]}`),
		scoring(20, 3, `{"times":2,"of":"completed"}`), scoring(21, 3, `{"times":3,"of":"banners","guild":"bankers"}`), waving(15, 3), scoring(15, 3, `9`))
	for name, c := range map[string][2]string{
		"one more completed":           {`0: purse 2 row 16 31 completed 30 28`, `0: purse 2 row 16 31 completed 30`},
		"one that scores more":         {`0: purse 2 row 16 31 completed 15`, `0: purse 2 row 16 31 completed 30`},
		"a level higher":               {`0: purse 2 row 16 31 progress 30/2`, `0: purse 2 row 16 31 progress 30/1`},
		"begun rather than not":        {`0: purse 2 row 16 31 progress 15/1`, `0: purse 2 row 16 31`},
		"one that counts the others":   {`0: purse 2 row 16 31 progress 20/2 completed 30 31 32`, `0: purse 2 row 16 31 progress 22/2 completed 30 31 32`},
		"one that counts its guild":    {`0: purse 2 row 16 31 progress 21/2 completed 22 25`, `0: purse 2 row 16 31 progress 33/2 completed 22 25`},
		"more coins":                   {`0: purse 4 row 16 31`, `0: purse 2 row 16 31`},
		"a fuller chest":               {`0: purse 2 chest 2 row 16 31`, `0: purse 2 row 16 31`},
		"an income":                    {`0: purse 2 row 16 31 progress 23/1`, `0: purse 2 row 16 31 progress 22/1`},
		"sales that pay more":          {`0: purse 2 row 16 31 progress 24/1`, `0: purse 2 row 16 31 progress 22/1`},
		"fruit of which there is much": {`0: purse 2 row 16 31`, `0: purse 2 row 31 62`},
		"more fruit":                   {`0: purse 2 row 16 31 50`, `0: purse 2 row 16 31`},
	} {
		for by, worth := range worths(r) {
			better, worse := picture(t, r, c[0]+elsewhere+"turn 0 sell"), picture(t, r, c[1]+elsewhere+"turn 0 sell")
			if x, y := worth(&better, 0), worth(&worse, 0); x <= y {
				t.Errorf("%s, %s: %.2f and %.2f", by, name, x, y)
			}
			if x, y := worth(&better, 1), worth(&worse, 1); x >= y {
				t.Errorf("%s, %s, to the other: %.2f and %.2f", by, name, x, y)
			}
		}
	}
}

// TestInTheLastTurnOnlyPointsCount: what cannot be completed any more is not
// begun, and coins are worth nothing.
func TestInTheLastTurnOnlyPointsCount(t *testing.T) {
	r := plainRules(t, 2, scoring(14, 1, `0`))
	const build, last = `turn 1 round 9 build sold 1 used`, "\nlast 9 banners"
	const others = `
0: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
`
	for by, worth := range worths(r) {
		s := picture(t, r, `1: purse 5 row 16 31 progress 15/1 completed 20`+others+build+last)
		raised, founded, rested := s, s, s
		play(t, r, &raised, "raise 15", "rest", "take 3")
		play(t, r, &founded, "found 14", "rest", "take 3")
		play(t, r, &rested, "rest", "take 3")
		if a, b, c := worth(&raised, 1), worth(&founded, 1), worth(&rested, 1); a < b+0.9 || math.Abs(b-c) > 0.2 {
			t.Errorf("%s: raised for a point it is worth %.2f, with something begun that scores nothing %.2f, as it was %.2f", by, a, b, c)
		}
	}
}

// TestHowManyRoundsAreLeft: fewer as banners are completed, and as many as the
// rules say once that is settled.
func TestHowManyRoundsAreLeft(t *testing.T) {
	r := plainRules(t, 2)
	before := 100.0
	for _, completed := range []string{"", " completed 30", " completed 30 31 32", " completed 30 31 32 33 34"} {
		s := picture(t, r, `0: purse 2 row 16 31`+completed+elsewhere+"turn 0 sell")
		left := r.roundsLeft(&s)
		if left >= before || left <= 1 {
			t.Errorf("with%s: %.1f rounds, before that %.1f", completed, left, before)
		}
		before = left
	}
	s := picture(t, r, `0: purse 2 row 16 31`+elsewhere+"turn 0 round 8 sell\nlast 9 banners")
	if left := r.roundsLeft(&s); left != 1 {
		t.Errorf("%v rounds after this one, and 1 is", left)
	}
}

// TestWorthOfTheEnd is the lead itself, and half a point tells who won; of a tie
// the later seat is first (6.4).
func TestWorthOfTheEnd(t *testing.T) {
	r := plainRules(t, 3)
	s := picture(t, r, `
		0: purse 2 row 16 31 completed 30 31
		1: purse 2 row 17 18 completed 32 33
		2: purse 2 row 19 20 completed 34
		market 5 14 26 top 38 6 29
		stall 3 46 61
		turn 0 sell`)
	s.phase = over
	for by, worth := range worths(r) {
		for seat, want := range []float64{-0.5, +0.5, -4.5} {
			if got := worth(&s, game.Seat(seat)); got != want {
				t.Errorf("%s, seat %d: %v, want %v", by, seat, got, want)
			}
		}
	}
}

// TestWorthAtEveryMoment walks through games: a worth is always a number, costs
// nothing and changes nothing, and between two what one gains the other loses.
func TestWorthAtEveryMoment(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		options := UsualOptions()
		options.Guilds = [...]uint8{0b001111, 0b111100, 0b110011}[seats-2]
		options.Draft = seats == 3
		r, rng := New(seats, DefaultBox(), options), rand.New(rand.NewPCG(1, uint64(seats)))
		for by, worth := range worths(r) {
			s := r.Start()
			for r.ToAct(&s) != game.None {
				before := s
				for seat := range game.Seat(seats) {
					w := worth(&s, seat)
					if math.IsNaN(w) || math.Abs(w) > 200 {
						t.Fatalf("%s, seat %d: %v", by, seat, w)
					}
					if seats == 2 && math.Abs(w+worth(&s, 1-seat)) > 1e-9 {
						t.Fatalf("%s: to one it is worth %v, to the other %v", by, w, worth(&s, 1-seat))
					}
				}
				if s != before {
					t.Fatal("asking has changed the position")
				}
				if n := gametest.Allocations(func() { worth(&s, 0) }); n != 0 {
					t.Fatalf("%s: %v allocations", by, n)
				}
				list := r.Narrow(&s, r.ToAct(&s), r.Moves(&s, r.ToAct(&s), nil))
				r.Play(&s, r.ToAct(&s), list[rng.IntN(len(list))], nil)
			}
		}
	}
}

func BenchmarkWorth(b *testing.B) {
	r := New(2, DefaultBox(), UsualOptions())
	rng := rand.New(rand.NewPCG(2, 2))
	var list []Position
	buf := make([]Move, 0, 64)
	for s := r.Start(); s.phase != over; {
		seat := r.ToAct(&s)
		if seat == game.Chance {
			buf = r.Moves(&s, seat, buf[:0])
			r.Play(&s, seat, buf[rng.IntN(len(buf))], nil)
			continue
		}
		list = append(list, s)
		buf = r.Plan(&s, seat, rng, buf[:0])
		for _, m := range buf {
			r.Play(&s, seat, m, nil)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Worth(&list[i%len(list)], 0)
	}
}

// TestADeckIsJudgedByItsOwnMeasure: what bots know was found with the first printing,
// so that one is the measure; with twice the points a coin is worth twice as much, and
// where everything costs twice as much half, and a banner twice. No deck is judged
// further off than the bound.
func TestADeckIsJudgedByItsOwnMeasure(t *testing.T) {
	changed := func(change func(*Level)) gauge {
		box := BoxOf(1)
		for i := range box.Cards {
			for k := range box.Cards[i].Levels {
				change(&box.Cards[i].Levels[k])
			}
		}
		return New(2, box, UsualOptions()).scale
	}
	double := func(l *Level) {
		if l.Points.Fixed() {
			l.Points.Number *= 2
		} else {
			l.Points.Times, l.Points.Most = 2*l.Points.Times, 2*l.Points.Most
		}
	}
	for what, c := range map[string]struct {
		change func(*Level)
		want   gauge
	}{
		"as it is":     {func(*Level) {}, gauge{1, 1}},
		"twice points": {double, gauge{2, 1}},
		"twice costs":  {func(l *Level) { l.Cost *= 2 }, gauge{0.5, 2}},
		"no points":    {func(l *Level) { l.Points = Quantity{} }, gauge{1 / farGauge, 1}},
		"no costs":     {func(l *Level) { l.Cost = 0 }, gauge{farGauge, 1 / farGauge}},
	} {
		if got := changed(c.change); math.Abs(got.coin-c.want.coin) > 1e-9 || math.Abs(got.dear-c.want.dear) > 1e-9 {
			t.Errorf("%s: %+v, not %+v", what, got, c.want)
		}
	}
	if got := New(2, BoxOf(3), UsualOptions()).scale; got != (gauge{1, 1}) {
		t.Errorf("the first printing is judged by %+v", got)
	}
}
