package treesociety

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestPlansAreMovesOfTheRules: whole games by plans alone, with every guild, each
// move legal; plans allocate nothing, and somebody who plans completes cards.
func TestPlansAreMovesOfTheRules(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		for _, guilds := range []uint8{0b001111, 0b111100, 0b110011, 0b011110} {
			options := UsualOptions()
			options.Guilds, options.Draft, options.Starts = guilds, guilds&2 == 0, guilds&1 == 0
			r := New(seats, DefaultBox(), options)
			rng := rand.New(rand.NewPCG(7, uint64(seats)))
			buf := make([]Move, 0, 256)
			completed := 0
			for range 20 {
				s := r.Start()
				for s.phase != over {
					seat := r.ToAct(&s)
					if seat == game.Chance {
						buf = r.Moves(&s, seat, buf[:0])
						r.Play(&s, seat, buf[rng.IntN(len(buf))], nil)
						continue
					}
					if n := gametest.Allocations(func() { buf = r.Plan(&s, seat, rng, buf[:0]) }); n != 0 {
						t.Fatalf("a plan allocates %v times", n)
					}
					if len(buf) == 0 {
						t.Fatalf("nothing is planned in\n%s", r.draw(&s))
					}
					for _, m := range buf {
						if err := r.Check(&s, seat, m); err != nil {
							t.Fatalf("%s: %v in\n%s", r.AppendMove(nil, m), err, r.draw(&s))
						}
						r.Play(&s, seat, m, nil)
					}
				}
				for seat := range seats {
					completed += s.player[seat].completed.size()
				}
			}
			if mean := float64(completed) / float64(20*seats); mean < 2.5 {
				t.Errorf("%d seats, guilds %06b: %.1f cards are completed in a game", seats, guilds, mean)
			}
		}
	}
}

// TestHabitsKnowTheCardsTheyMetAlone: with the newest printing and the guilds of a first
// game quick turns know each card, at tables of all sizes and whatever the other options;
// with any other deck or other guilds they take cards for what they say.
func TestHabitsKnowTheCardsTheyMetAlone(t *testing.T) {
	other := DefaultBox()
	other.Cards[0].Levels[0].Cost++
	for _, c := range []struct {
		seats   int
		version int
		options string
		known   bool
	}{
		{2, newest, `{}`, true},
		{3, newest, `{"draft":true}`, true},
		{4, newest, `{"banners":7,"startingCards":false}`, true},
		{2, newest, `{"guilds":["architects","bankers","merchants","explorers"]}`, false},
		{2, newest, `{"box":` + string(other.written()) + `}`, false},
		{2, newest - 1, `{}`, false},
		{2, 1, `{}`, false},
	} {
		r, err := Game().New(c.seats, game.RawMessage(c.options), c.version)
		if err != nil {
			t.Fatalf("%s: %v", c.options, err)
		}
		want := otherHabits()
		if c.known {
			want = usualHabits()
		}
		if got := r.(*Rules); got.habits != want || got.habit[habitRise] != float64(want[habitRise])/100 {
			t.Errorf("%d seats, version %d, %s: %v", c.seats, c.version, c.options, got.habits)
		}
	}
	known := usualHabits()
	if cards := known[habitCard:]; len(cards) != levels*usualCards || cards[0] == 0 || cards[len(cards)-1] == 0 {
		t.Errorf("habits of %d levels of cards", len(cards))
	}
	for g, first := range DefaultBox().Cards[:usualCards] {
		if first.ID != g+1 || UsualOptions().Guilds>>slices.Index(guildNames(), first.Guild)&1 == 0 {
			t.Errorf("card %d of guild %s is none of a first game", first.ID, first.Guild)
		}
	}
}

// TestEachLevelOfACardIsKnown: what habits say of a level of a card counts when that level
// is built, and no other.
func TestEachLevelOfACardIsKnown(t *testing.T) {
	made, err := Game().New(2, game.RawMessage(`{}`), newest)
	if err != nil {
		t.Fatal(err)
	}
	r := made.(*Rules)
	s := r.Start()
	now := r.now(&s)
	for _, card := range []uint8{1, 17, usualCards, usualCards + 1} {
		for level := range uint8(levels) {
			for known := range levels {
				by := r.Habits()
				const more = 5 // points
				at := habitCard + int(card-1)*levels + known
				if at < len(by) {
					by[at] += 100 * more
				}
				w := waver(8)
				wavers := 1 + keenness*(w.of(card)-0.5)
				other := r.Practise(by).(*Rules)
				got := other.gain(&s, &s.player[0], card, level, 3, &now, w) - r.gain(&s, &s.player[0], card, level, 3, &now, w)
				want := 0.0
				if known == int(level) && card <= usualCards {
					want = more * wavers
				}
				if math.Abs(got-want) > 1e-9 {
					t.Errorf("card %d, level %d: with habit %d more it gains %v, not %v", card, level+1, known+1, got, want)
				}
			}
		}
	}
}

// TestEachCardWavers by a number of its own, guilds and fruit apart, which is the same
// however many other cards are thought of.
func TestEachCardWavers(t *testing.T) {
	met := map[float64]bool{}
	sum := 0.0
	for n := range uint64(100) {
		w := waver(game.Mix(n))
		for what := range 256 {
			x := w.of(uint8(what))
			if x < 0 || x >= 1 || met[x] || x != w.of(uint8(what)) {
				t.Fatalf("waver %d of %d is %v", w, what, x)
			}
			met[x] = true
			sum += x
		}
	}
	if mean := sum / float64(len(met)); mean < 0.49 || mean > 0.51 {
		t.Errorf("the mean is %v", mean)
	}
}

// TestPlansOfStrangeDecks are moves of the rules too.
func TestPlansOfStrangeDecks(t *testing.T) {
	for _, edits := range [][]edit{
		{do(5, 1, `{"verb":"draw-fruit","count":3},{"verb":"sell"},{"verb":"take"}`), do(6, 1, `{"verb":"discard"},{"verb":"sell"}`)},
		{effect(5, 1, `{"first":[{"verb":"sell"},{"verb":"sell"}]}`), costing(5, 9, 3, 4)},
		{effect(14, 2, `{"first":[{"verb":"discard","other":true},{"verb":"take"}]}`), costing(15, 4, 4, 4), do(15, 1, `{"verb":"refresh","rows":1},{"verb":"found","less":2}`)},
		{costing(16, 4, 4, 4), do(16, 2, `{"verb":"draw-guild","count":4,"half":true}`), costing(17, 4, 4, 4), do(17, 1, `{"verb":"pay","amount":1},{"verb":"build","less":1}`)},
	} {
		r, rng := plainRules(t, 2, edits...), rand.New(rand.NewPCG(8, 1))
		var buf []Move
		for range 30 {
			s := r.Start()
			for s.phase != over {
				seat := r.ToAct(&s)
				if seat == game.Chance {
					buf = r.Moves(&s, seat, buf[:0])
					r.Play(&s, seat, buf[rng.IntN(len(buf))], nil)
					continue
				}
				buf = r.Plan(&s, seat, rng, buf[:0])
				if len(buf) == 0 {
					t.Fatalf("nothing is planned in\n%s", r.draw(&s))
				}
				for _, m := range buf {
					if err := r.Check(&s, seat, m); err != nil {
						t.Fatalf("%s: %v in\n%s", r.AppendMove(nil, m), err, r.draw(&s))
					}
					r.Play(&s, seat, m, nil)
				}
			}
		}
	}
}

// TestWhatPlayAtRandomLeavesOut: to discard of one's own free will, unless three
// are in progress; where an effect asks for a discard, all that it may mean stay.
func TestWhatPlayAtRandomLeavesOut(t *testing.T) {
	r := plainRules(t, 2, do(15, 1, `{"verb":"discard","from":"progress","other":true},{"verb":"coins","amount":2}`))
	const build = `
		1: purse 1 row 17 18
		market 5 15 26 top 38 6 29
		stall 3 19 46 47 61
		turn 0 build sold 1 used`
	discards := func(s *Position) (list []uint8) {
		moves := r.Moves(s, 0, nil)
		kept := r.Narrow(s, 0, append([]Move(nil), moves...))
		at := 0
		for _, m := range moves { // nothing else is left out, and the order stays
			if at < len(kept) && kept[at] == m {
				at++
			} else if m.do() != Discard {
				t.Errorf("%s is left out", r.AppendMove(nil, m))
			}
		}
		for _, m := range kept {
			if m.do() == Discard {
				list = append(list, m.id())
			}
		}
		return list
	}
	two := picture(t, r, `0: purse 9 row 16 31 progress 20/1 21/2 completed 30`+build)
	if got := discards(&two); len(got) != 0 {
		t.Errorf("with two in progress: %v", got)
	}
	three := picture(t, r, `0: purse 9 row 16 31 progress 20/1 21/2 22/1 completed 30`+build)
	if got := discards(&three); len(got) != 4 {
		t.Errorf("with three in progress: %v", got)
	}
	one := picture(t, r, `0: purse 9 row 16 31 progress 20/1 completed 30`+build)
	play(t, r, &one, "found 15", "use")
	if got := discards(&one); len(got) != 1 || got[0] != 20 {
		t.Errorf("where one in progress must go: %v", got)
	}
	sell := picture(t, r, `
		0: purse 9 row 1 16 31 progress 20/1
		1: purse 1 row 17 18
		market 5 15 26 top 38 6 29
		stall 3 19 46 47 61
		turn 0 sell`)
	if got := discards(&sell); len(got) != 0 {
		t.Errorf("while selling: %v", got)
	}
}

// TestWhatIsDoneForNothing: to discard and put nothing in its place, unless some
// effect may have asked for it or the turn is not at its end.
func TestWhatIsDoneForNothing(t *testing.T) {
	r := plainRules(t, 2, do(15, 1, `{"verb":"discard"},{"verb":"coins","amount":1}`))
	for _, c := range []struct {
		idle bool
		turn []Move
	}{
		{true, []Move{move(Sell, 1), move(Discard, 20), move(Rest, 0), move(Take, 3)}},
		{true, []Move{move(Sell, 1), move(Found, 14), move(Discard, 14), move(Rest, 0), move(Take, 3)}},
		{false, []Move{move(Sell, 1), move(Discard, 20), move(Found, 14), move(Rest, 0), move(Take, 3)}},
		{false, []Move{move(Sell, 1), move(Found, 15), move(Use, 0), move(Discard, 20), move(Rest, 0), move(Take, 3)}},
		{false, []Move{move(Sell, 1), move(Discard, 20), move(Action, 0), move(Row, topRow)}},
		{false, []Move{move(Sell, 1), move(Found, 14), move(Rest, 0), move(Take, 3)}},
		{false, nil},
	} {
		if got := r.Idle(c.turn); got != c.idle {
			t.Errorf("%v: %t", c.turn, got)
		}
	}
}
