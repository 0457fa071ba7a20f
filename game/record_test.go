package game_test

import (
	"math/rand/v2"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestARecordComesToThePresentView follows games as every seat and as a watcher,
// from the first position and from one in the middle.
func TestARecordComesToThePresentView(t *testing.T) {
	def := gametest.Tiny()
	r, err := def.Rules(game.Settings{Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	viewers := []game.Seat{0, 1, 2, game.Watcher}
	kept, begunAnew := 0, 0
	for n := range uint64(20) {
		rng := rand.New(rand.NewPCG(n, 3))
		s := r.Start()
		var records []game.Record[gametest.Wood, gametest.Deed]
		for ply := 0; r.ToAct(&s) != game.None; ply++ {
			if ply == int(n) { // a viewer that comes late begins late
				for _, viewer := range viewers {
					records = append(records, game.Begin(r, &s, viewer))
				}
			}
			by, before := r.ToAct(&s), s
			moves := r.Moves(&s, by, nil)
			m := moves[rng.IntN(len(moves))]
			r.Play(&s, by, m, nil)
			for i := range records {
				rec := &records[i]
				had := len(rec.Then)
				rec.Hear(r, &before, &s, by, m)
				if r.Reveals(&before, m) {
					begunAnew++
					if len(rec.Then) != 0 {
						t.Fatalf("the record of %v goes on after a secret was turned open", rec.Seat)
					}
				} else if last := rec.Then[len(rec.Then)-1]; len(rec.Then) != had+1 || last.By != by || last.Move != game.Hear(r, m, by, rec.Seat) {
					t.Fatalf("%v has heard %+v of %+v", rec.Seat, last, m)
				} else if last.Move != m {
					kept++
				}
				var view gametest.Wood
				if r.See(&s, rec.Seat, &view); rec.Now(r) != view || rec.Seat != viewers[i] {
					t.Fatalf("the record of %v comes to another view", rec.Seat)
				}
			}
		}
	}
	if kept == 0 || begunAnew == 0 {
		t.Errorf("in twenty games %d moves were kept from somebody and %d records begun anew", kept, begunAnew)
	}
}

// TestWithoutAHearerEveryoneHearsEverything: an urn has nothing to hide.
func TestWithoutAHearerEveryoneHearsEverything(t *testing.T) {
	if m := game.Hear(urn{outcomes: 3}, 2, game.Chance, 1); m != 2 {
		t.Errorf("2 is heard as %d", m)
	}
}

// TestAPlayoutIsLeftAtItsLimit counts a playout by hand.
func TestAPlayoutIsLeftAtItsLimit(t *testing.T) {
	def := gametest.Tiny()
	r, err := def.Rules(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Start()
	buf := make([]gametest.Deed, 0, 64)
	plies, listed, grown := game.Playout(r, &s, rand.New(rand.NewPCG(1, 1)), buf, 1)
	first := r.Start()
	if want := len(r.Moves(&first, 0, nil)); plies != 1 || listed != want || cap(grown) != 64 {
		t.Errorf("%d plies with %d moves listed, and a buffer of %d; want 1 with %d", plies, listed, cap(grown), want)
	}
	if plies, listed, _ := game.Playout(r, &s, nil, nil, 0); plies != 0 || listed != 0 {
		t.Errorf("%d plies and %d moves within none", plies, listed)
	}
}
