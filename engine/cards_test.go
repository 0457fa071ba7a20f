package engine_test

import (
	"encoding/json"
	"testing"

	"copse/engine"
	"copse/game"
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
		{"ok":true,"toAct":[0],"turn":0,"events":[]}
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
