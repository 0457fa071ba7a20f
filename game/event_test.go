package game_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

func TestAudienceInJSON(t *testing.T) {
	for a, want := range map[game.Audience]string{
		game.Everyone:                          `"all"`,
		game.Only(2):                           `[2]`,
		game.Only(0) | game.Only(game.Watcher): `[0,"watcher"]`,
		0:                                      `[]`,
	} {
		if got, err := a.MarshalJSON(); err != nil || string(got) != want {
			t.Errorf("%b is written %s (%v), want %s", a, got, err, want)
		}
	}
}

func TestWhoIsAddressed(t *testing.T) {
	for _, c := range []struct {
		to    game.Audience
		heard []game.Seat
	}{
		{game.Everyone, []game.Seat{0, 1, 2, 3, game.Watcher}},
		{game.Only(2), []game.Seat{2}},
		{game.Only(game.Watcher), []game.Seat{game.Watcher}},
		{game.Only(game.Chance), nil},
		{game.Only(game.None), nil},
		{game.But(1), []game.Seat{0, 2, 3, game.Watcher}},
		{game.But(game.Watcher), []game.Seat{0, 1, 2, 3}},
		{game.But(game.Chance), []game.Seat{0, 1, 2, 3, game.Watcher}},
	} {
		var heard []game.Seat
		for _, seat := range []game.Seat{0, 1, 2, 3, game.Watcher, game.Chance, game.None} {
			if c.to.Has(seat) {
				heard = append(heard, seat)
			}
		}
		if !slices.Equal(heard, c.heard) {
			t.Errorf("%08b is heard by %v, want %v", c.to, heard, c.heard)
		}
	}
}

func TestAViewerHearsItsOwnEventsInOrder(t *testing.T) {
	var log game.Log
	log.Tell("all", nil)
	log.TellTo(game.Only(1), "one", game.Args{"x": 1})
	log.TellTo(game.But(1), "others", nil)
	log.Tell("all again", nil)
	for seat, want := range map[game.Seat]string{
		0:            "[all others all again]",
		1:            "[all one all again]",
		game.Watcher: "[all others all again]",
		game.Chance:  "[]",
	} {
		keys := []string{}
		for _, e := range log.HeardBy(seat) {
			keys = append(keys, e.Key)
			if e.Args == nil {
				t.Errorf("%s has no arguments, not even none", e.Key)
			}
		}
		if got := fmt.Sprint(keys); got != want {
			t.Errorf("%v hears %s, want %s", seat, got, want)
		}
	}
	if heard := new(game.Log).HeardBy(0); heard == nil {
		t.Error("nothing heard is written as null")
	}
}

// TestOnlyThoseAtTheTableAreTold: at a table of two, everybody but the finder is
// the other seat and the watchers.
func TestOnlyThoseAtTheTableAreTold(t *testing.T) {
	p, err := game.Of(gametest.Tiny()).Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	var told []game.Event
	for _, move := range []string{
		`{"do":"shake"}`, `{"do":"fall","nut":"walnut"}`, `{"do":"dig"}`, `{"do":"find","seat":1,"mushroom":3}`,
	} {
		if p, told, err = p.Play(p.ToAct(), json.RawMessage(move)); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(told)
	want := `[{"key":"tiny.found","args":{"mushroom":3,"seat":1},"to":[1]},{"key":"tiny.hid","args":{"seat":1},"to":[0,"watcher"]}]`
	if err != nil || string(raw) != want {
		t.Errorf("told is %s (%v), want %s", raw, err, want)
	}
}
