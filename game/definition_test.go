package game_test

import (
	"encoding/json"
	"errors"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

func TestSettle(t *testing.T) {
	about := gametest.Tiny().About
	for _, c := range []struct {
		seats, version int
		want           string
	}{
		{2, 0, ""}, {4, 1, ""},
		{1, 0, `game.seats {"least":2,"most":4,"seats":1}`},
		{5, 0, `game.seats {"least":2,"most":4,"seats":5}`},
		{2, 2, `game.version {"newest":1,"version":2}`},
		{2, -1, `game.version {"newest":1,"version":-1}`},
	} {
		version, err := about.Settle(c.seats, c.version)
		if c.want == "" && (err != nil || version != 1) || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%d seats, version %d: %d %v, want %q", c.seats, c.version, version, err, c.want)
		}
	}
}

// TestRulesAreMadeForSettledSettings: New is called only with seats and versions
// that exist, and never with version 0.
func TestRulesAreMadeForSettledSettings(t *testing.T) {
	def := gametest.Tiny()
	asked := 0
	made := def.New
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[gametest.Wood, gametest.Deed], error) {
		asked++
		if seats != 3 || string(options) != `{"x":1}` || version != 1 {
			t.Errorf("asked for %d seats, options %s, version %d", seats, options, version)
		}
		return made(seats, nil, version)
	}
	r, err := def.Rules(game.Settings{Seats: 3, Options: json.RawMessage(`{"x":1}`)})
	if err != nil || r.Seats() != 3 || asked != 1 {
		t.Errorf("rules %v, asked for %d times: %v", r, asked, err)
	}
	for _, set := range []game.Settings{{Seats: 9}, {Seats: 2, Version: 7}} {
		var fault *game.Fault
		if _, err := def.Rules(set); !errors.As(err, &fault) || asked != 1 {
			t.Errorf("%+v is answered by %v", set, err)
		}
		if _, err := game.Of(def).Start(set); !errors.As(err, &fault) {
			t.Errorf("%+v begins: %v", set, err)
		}
		if _, err := game.Of(def).Open(set, 0, nil); !errors.As(err, &fault) {
			t.Errorf("%+v is opened: %v", set, err)
		}
	}
}

func TestNoFaultIsDeclaredTwice(t *testing.T) {
	met := map[string]bool{}
	for _, phrase := range game.Faults() {
		if met[phrase.Key] {
			t.Errorf("%s is declared twice", phrase.Key)
		}
		met[phrase.Key] = true
	}
}

func TestAViewIsOfSomebodyAtTheTable(t *testing.T) {
	g, set := game.Of(gametest.Tiny()), game.Settings{Seats: 2}
	p, err := g.Start(set)
	if err != nil {
		t.Fatal(err)
	}
	for viewer, want := range map[game.Seat]string{
		0: "", 1: "", game.Watcher: "",
		2: `view.impossible {"path":"seat"}`, game.Chance: `view.impossible {"path":"seat"}`, game.None: `view.impossible {"path":"seat"}`,
	} {
		opened, err := g.Open(set, viewer, p.See(viewer).View())
		switch {
		case want == "" && (err != nil || opened.Viewer() != viewer):
			t.Errorf("the view of %v: %v", viewer, err)
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("the view of %v: %v, want %s", viewer, err, want)
		}
	}
	if _, err := g.Open(set, 0, p.See(1).View()); err == nil || err.Error() != `view.differs {"path":"view.squirrels[0].hollow"}` {
		t.Errorf("the view of seat 1 is opened for seat 0: %v", err)
	}
}
