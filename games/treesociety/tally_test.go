package treesociety

import (
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
)

// tally is every card's mark for a seat, in this position alone.
func tally(r *Rules, s *Position, seat game.Seat) []game.Mark {
	marks := make([]game.Mark, len(r.box.Cards))
	r.Tally(s, seat, marks)
	return marks
}

// TestWhatIsDealtIsNotOffered: a starting card is marked as dealt before the first
// turn; in a turn the market is offered to the seat whose turn it is and to no
// other.
func TestWhatIsDealtIsNotOffered(t *testing.T) {
	r := New(2, DefaultBox(), UsualOptions())
	s := r.Start()
	rng := rand.New(rand.NewPCG(1, 2))
	var dealt [2][]game.Mark
	for r.ToAct(&s) == game.Chance {
		for seat := range game.Seat(2) {
			dealt[seat] = tally(r, &s, seat)
		}
		r.Play(&s, game.Chance, game.Outcome(r, &s, r.Moves(&s, game.Chance, nil), rng), nil)
	}
	for seat := range game.Seat(2) {
		start := s.player[seat].place[0]
		for i, mark := range dealt[seat] {
			if want := map[bool]game.Mark{true: game.Dealt}[i == int(start)-1]; mark != want {
				t.Errorf("seat %d, card %d: %b, not %b", seat, i+1, mark, want)
			}
		}
		for i, mark := range tally(r, &s, seat) {
			var want game.Mark
			switch id := uint8(i + 1); {
			case id == start:
				want = game.Founded
			case seat == 0 && slices.Contains(s.market[:], id):
				want = game.Offered
			}
			if mark != want {
				t.Errorf("in the first turn, seat %d, card %d: %b, not %b", seat, i+1, mark, want)
			}
		}
	}
	if least, most := r.Length(); r.Round(&s) != 1 || least != 8 || most != 14 {
		t.Errorf("round %d, of %d to %d", r.Round(&s), least, most)
	}
}

// TestWhatIsCompletedIsMarkedOverAGame: by the marks of random games whatever was
// completed had been founded before or dealt, and whatever was founded had been
// offered; each card that was discarded later keeps its mark.
func TestWhatIsCompletedIsMarkedOverAGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	completed, lost, drawn := 0, 0, 0
	for guilds := range uint8(40) {
		options := UsualOptions()
		options.Guilds = 0b111100
		if guilds%2 == 0 {
			options.Guilds = 0b111001
		}
		r := New(3, richBox(), options)
		s := r.Start()
		marks := make([][]game.Mark, 3)
		for seat := range marks {
			marks[seat] = make([]game.Mark, len(r.box.Cards))
		}
		for r.ToAct(&s) != game.None {
			for seat := range marks {
				before := slices.Clone(marks[seat])
				r.Tally(&s, game.Seat(seat), marks[seat])
				for i, mark := range marks[seat] {
					id := uint8(i + 1)
					if mark&game.Completed != 0 && before[i]&(game.Founded) == 0 || mark&game.Founded != 0 && before[i]&(game.Offered|game.Dealt) == 0 {
						t.Fatalf("card %d came out of nowhere: %b", id, mark)
					}
					if slices.Contains(s.shown[:], id) && s.actor == game.Seat(seat) && !r.showsFruit(&s) && s.phase == building {
						drawn++
						if mark&game.Offered == 0 {
							t.Fatalf("card %d was drawn and not offered: %b", id, mark)
						}
					}
				}
			}
			moves := r.Moves(&s, r.ToAct(&s), nil)
			r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
		}
		for seat := range marks {
			r.Tally(&s, game.Seat(seat), marks[seat])
			for i, mark := range marks[seat] {
				has := s.player[seat].completed.has(uint8(i + 1))
				if mark&game.Completed != 0 {
					completed++
					if !has {
						lost++
					}
				} else if has {
					t.Errorf("seat %d has completed card %d, which is not marked", seat, i+1)
				}
			}
		}
		if why := r.Ending(&s); why != map[uint8]string{byBanners: endBanners, byFruit: endFruit, byBanners | byFruit: endBoth}[s.end] {
			t.Errorf("ended by %s", why)
		}
	}
	if completed == 0 || lost == 0 || drawn == 0 {
		t.Errorf("%d completed, %d of them lost, %d drawn: too little to tell", completed, lost, drawn)
	}
}

// richBox is the house deck with full purses, so that random games complete cards.
func richBox() *Box {
	box := DefaultBox()
	for i := range box.Coins {
		box.Coins[i].Purse = 40
	}
	return box
}
