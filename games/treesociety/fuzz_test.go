package treesociety

import (
	"encoding/json"
	"errors"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

func FuzzMoves(f *testing.F)   { gametest.FuzzMoves(f, Game()) }
func FuzzViews(f *testing.F)   { gametest.FuzzViews(f, Game()) }
func FuzzOptions(f *testing.F) { gametest.FuzzOptions(f, Game()) }
func FuzzGames(f *testing.F)   { gametest.FuzzGames(f, Game()) }

// FuzzEffects puts anything as an effect on a card that everybody begins with,
// and plays the game to its end if the box is taken.
func FuzzEffects(f *testing.F) {
	for _, c := range DefaultBox().Cards {
		for _, l := range c.Levels {
			if raw, err := json.Marshal(l.Effect); err == nil && l.Effect != nil {
				f.Add(uint8(l.Cost), raw)
			}
		}
	}
	whole := DefaultBox()
	f.Fuzz(func(t *testing.T, cost uint8, raw []byte) {
		e, err := readEffect(raw)
		var fault *game.Fault
		if err != nil {
			if !errors.As(err, &fault) {
				t.Fatalf("answered by %v", err)
			}
			return
		}
		box := whole.clone()
		for i := range box.Cards {
			if c := &box.Cards[i]; c.Start {
				c.Levels[0].Effect, c.Levels[1].Effect, c.Levels[2].Effect = e, e, e
				c.Levels[1].Cost = int(cost)
			}
		}
		if err := box.Check(); err != nil {
			if !errors.As(err, &fault) {
				t.Fatalf("answered by %v", err)
			}
			return
		}
		again, err := ReadBox(box.written())
		if err != nil || string(again.written()) != string(box.written()) {
			t.Fatalf("a box that was written is not read back: %v", err)
		}
		r := New(2, box, UsualOptions())
		s := wander(r, uint64(cost), 20_000)
		if r.ToAct(&s) != game.None {
			t.Fatalf("the game goes on for ever with %s", raw)
		}
	})
}
