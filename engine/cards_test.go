package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/treesociety"
)

// A screen that draws cards asks what stands on them: of the house deck before a
// game, of the box of the table during one.
func TestWhatStandsOnTheCards(t *testing.T) {
	e := engine.New(game.Of(bosk.Game()), game.Of(treesociety.Game()))
	talk(t, e, `
		{"do":"cards"}
		{"ok":false,"error":{"key":"engine.no-game","args":{}}}
		{"do":"cards","game":"chess"}
		{"ok":false,"error":{"key":"engine.game","args":{"game":"chess","known":["bosk","treesociety"]}}}
		{"do":"cards","game":7}
		{"ok":false,"error":{"key":"json.text","args":{"field":"game"}}}
		{"do":"cards","game":"bosk"}
		{"ok":false,"error":{"key":"engine.no-cards","args":{"game":"bosk"}}}
		{"do":"new","game":"bosk","seats":2}
		{"ok":true,"toAct":[0],"turn":0,"events":[],…
		{"do":"cards"}
		{"ok":false,"error":{"key":"engine.no-cards","args":{"game":"bosk"}}}
		{"do":"cards","game":"treesociety"}
		{"ok":true,"printed":{"cards":[{"id":1,"name":"…`)
	deck := game.Of(treesociety.Game())
	whole, err := deck.About().Box(json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	var box map[string]any
	if err := json.Unmarshal(whole, &box); err != nil {
		t.Fatal(err)
	}
	box["cards"].([]any)[0].(map[string]any)["name"] = "my own card"
	request, err := json.Marshal(map[string]any{"do": "new", "game": "treesociety", "seats": 2, "options": map[string]any{"box": box}})
	if err != nil {
		t.Fatal(err)
	}
	e.Answer(request)
	talk(t, e, `
		{"do":"cards"}
		{"ok":true,"printed":{"cards":[{"id":1,"name":"my own card",…
		{"do":"cards","game":"treesociety"}
		{"ok":true,"printed":{"cards":[{"id":1,"name":"rope-bridge",…`)
}

// TestANewGameSaysItsVersionAndItsBox: so whoever keeps moves knows what they were
// made by.
func TestANewGameSaysItsVersionAndItsBox(t *testing.T) {
	deck := game.Of(treesociety.Game())
	e := engine.New(deck, game.Of(gametest.Tiny()))
	about := deck.About()
	begun := func(more string) (version int, box string) {
		var reply struct {
			Version int    `json:"version"`
			Box     string `json:"box"`
		}
		raw := e.Answer([]byte(`{"do":"new","seed":"oak",` + more + `}`))
		if err := json.Unmarshal(raw, &reply); err != nil {
			t.Fatal(err)
		}
		return reply.Version, reply.Box
	}
	usual := about.UsualBox(about.Version)
	for more, want := range map[string]int{
		`"game":"treesociety","seats":2`:                                      about.Version,
		`"game":"treesociety","seats":3,"version":1`:                          1,
		`"game":"treesociety","seats":4,"version":2`:                          2,
		`"game":"treesociety","seats":2,"options":{"box":{}}`:                 about.Version,
		`"game":"treesociety","seats":2,"options":{"box":"` + usual + `"}`:    about.Version,
		`"game":"treesociety","seats":2,"options":{"box":{"about":"mine"}}`:   about.Version,
		`"game":"treesociety","seats":2,"version":3,"options":{"draft":true}`: 3,
	} {
		if version, box := begun(more); version != want || box != about.UsualBox(want) {
			t.Errorf("%s: version %d with box %s", more, version, box)
		}
	}
	own := `{"coins":[{"purse":7,"chest":3},{"purse":1,"chest":0},{"purse":1,"chest":0},{"purse":1,"chest":0}]}`
	written, err := about.Box(json.RawMessage(own))
	if err != nil {
		t.Fatal(err)
	}
	if _, box := begun(`"game":"treesociety","seats":2,"options":{"box":` + own + `}`); box != game.BoxHash(written) || box == usual {
		t.Errorf("a box of one's own has the hash %s", box)
	}
	if version, box := begun(`"game":"tiny","seats":2`); version != 1 || box != "" {
		t.Errorf("a game without boxes: version %d, box %q", version, box)
	}
	if raw := string(e.Answer([]byte(`{"do":"undo"}`))); strings.Contains(raw, "version") || strings.Contains(raw, "box") {
		t.Errorf("another reply says %s", raw)
	}
}
