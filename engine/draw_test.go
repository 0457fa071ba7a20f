package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/games/grandbois"
)

// heard is what the tests of this file read of an answer.
type heard struct {
	OK     bool
	ToAct  []any
	Turn   int
	Events []json.RawMessage
	Move   json.RawMessage
	Moves  []json.RawMessage
	View   json.RawMessage
}

func ask(t *testing.T, e *engine.Engine, format string, args ...any) heard {
	t.Helper()
	request := fmt.Sprintf(format, args...)
	var h heard
	if raw := e.Answer([]byte(request)); json.Unmarshal(raw, &h) != nil || !h.OK {
		t.Fatalf("%s: %s", request, raw)
	}
	return h
}

// TestDrawnByHandAsByItself plays the same game twice from one seed: once the
// engine plays for chance, once it is asked for every draw. Only the time of the
// draws differs.
func TestDrawnByHandAsByItself(t *testing.T) {
	byItself, byHand := engine.New(game.Of(grandbois.Game())), engine.New(game.Of(grandbois.Game()))
	draws := 0
	follow := func(h heard) heard {
		for slices.Equal(h.ToAct, []any{"chance"}) {
			possible := ask(t, byHand, `{"do":"moves"}`).Moves
			next := ask(t, byHand, `{"do":"draw"}`)
			if !slices.ContainsFunc(possible, func(m json.RawMessage) bool { return string(m) == string(next.Move) }) {
				t.Fatalf("%s was drawn, and could not be: %s", next.Move, possible)
			}
			next.Events = append(h.Events, next.Events...)
			h, draws = next, draws+1
		}
		return h
	}
	a := ask(t, byItself, `{"do":"new","game":"grandbois","seats":3,"seed":"oak"}`)
	b := follow(ask(t, byHand, `{"do":"new","game":"grandbois","seats":3,"seed":"oak","chance":"manual"}`))
	for turn := 0; ; turn++ {
		if fmt.Sprint(a.ToAct, a.Turn) != fmt.Sprint(b.ToAct, b.Turn) || fmt.Sprintf("%s", a.Events) != fmt.Sprintf("%s", b.Events) {
			t.Fatalf("by itself %v %s\nby hand %v %s", a.ToAct, a.Events, b.ToAct, b.Events)
		}
		if len(a.ToAct) == 0 {
			break
		}
		moves := ask(t, byItself, `{"do":"moves"}`).Moves
		move := moves[turn*7%len(moves)]
		a = ask(t, byItself, `{"do":"play","seat":%v,"move":%s}`, a.ToAct[0], move)
		b = follow(ask(t, byHand, `{"do":"play","seat":%v,"move":%s}`, b.ToAct[0], move))
	}
	if draws < 10 {
		t.Errorf("only %d draws: too few to show anything", draws)
	}
	if a, b := ask(t, byItself, `{"do":"view","seat":0}`), ask(t, byHand, `{"do":"view","seat":0}`); string(a.View) != string(b.View) {
		t.Errorf("by itself %s\nby hand %s", a.View, b.View)
	}
}

func TestAnUndoneDrawComesAgainTheSame(t *testing.T) {
	e := newEngine()
	ask(t, e, `{"do":"new","game":"tiny","seats":2,"chance":"manual"}`) // the engine makes a seed
	ask(t, e, `{"do":"play","seat":0,"move":{"do":"shake"}}`)
	first := ask(t, e, `{"do":"draw"}`)
	for range 20 {
		ask(t, e, `{"do":"undo"}`)
		if again := ask(t, e, `{"do":"draw"}`); string(again.Move) != string(first.Move) {
			t.Fatalf("%s was drawn, and again %s", first.Move, again.Move)
		}
	}
}

// TestOutcomesPlayedByHandCount: draws are numbered along the line of play, whoever
// chose the outcomes before.
func TestOutcomesPlayedByHandCount(t *testing.T) {
	drawn, chosen := newEngine(), newEngine()
	for _, e := range []*engine.Engine{drawn, chosen} {
		ask(t, e, `{"do":"new","game":"tiny","seats":2,"chance":"manual","seed":"acorn"}`)
		ask(t, e, `{"do":"play","seat":0,"move":{"do":"shake"}}`)
	}
	ask(t, chosen, `{"do":"play","seat":"chance","move":%s}`, ask(t, drawn, `{"do":"draw"}`).Move)
	for _, e := range []*engine.Engine{drawn, chosen} {
		ask(t, e, `{"do":"play","seat":1,"move":{"do":"dig"}}`)
	}
	if a, b := ask(t, drawn, `{"do":"draw"}`), ask(t, chosen, `{"do":"draw"}`); string(a.Move) != string(b.Move) {
		t.Errorf("after a drawn outcome %s, after the same one played %s", a.Move, b.Move)
	}
}

func TestNothingToDraw(t *testing.T) {
	e := newEngine()
	talk(t, e, `
		{"do":"draw"}
		{"ok":false,"error":{"key":"engine.no-game","args":{}}}
		{"do":"new","game":"tiny","seats":2,"chance":"manual"}
		{"ok":true,"toAct":[0],…
		{"do":"draw"}
		{"ok":false,"error":{"key":"engine.no-draw","args":{}}}`)
	view := ask(t, e, `{"do":"view","seat":0}`).View
	ask(t, e, `{"do":"open","game":"tiny","seats":2,"seat":0,"view":%s,"then":[{"seat":0,"move":{"do":"dig"}}]}`, view)
	talk(t, e, `
		{"do":"draw"}
		{"ok":false,"error":{"key":"engine.no-seed","args":{}}}`)
}

func TestAGameSaysWhetherItKeepsSecrets(t *testing.T) {
	var answer struct {
		Games []struct {
			Name    string
			Secrets *bool
		}
	}
	if err := json.Unmarshal(newEngine().Answer([]byte(`{"do":"games"}`)), &answer); err != nil {
		t.Fatal(err)
	}
	for _, g := range answer.Games {
		if g.Secrets == nil || *g.Secrets != (g.Name == "tiny") {
			t.Errorf("%s: secrets %v", g.Name, g.Secrets)
		}
	}
}
