package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"copse/bot"
	"copse/engine"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// thinking is an engine whose games have players, except the last.
func thinking() *engine.Engine {
	tiny := gametest.Tiny()
	return engine.New(bot.Of(bosk.Game()), bot.Of(grandbois.Game()), game.Of(tiny))
}

func TestThink(t *testing.T) {
	talk(t, thinking(), `
		{"do":"think","player":"greedy"}
		{"ok":false,"error":{"key":"engine.no-game","args":{}}}
		{"do":"new","game":"bosk","seats":2}
		{"ok":true,"toAct":[0],"turn":0,"events":[]}
		{"do":"think","player":"greedy","seed":"oak"}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think","player":"random","ms":50}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think","player":"ahead","ms":1,"seed":""}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think","player":"easy","ms":null,"seed":null}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think"}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"player"}}}
		{"do":"think","player":7}
		{"ok":false,"error":{"key":"json.text","args":{"field":"player"}}}
		{"do":"think","player":"level:11"}
		{"ok":false,"error":{"key":"bot.player","args":{"known":["random","easy","greedy","ahead","level:N","flat:N"],"player":"level:11"}}}
		{"do":"think","player":"level:2","ms":50,"seed":"oak"}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think","player":"`+strings.Repeat("x", 1000)+`"}
		{"ok":false,"error":{"key":"bot.player","args":{"known":["random","easy","greedy","ahead","level:N","flat:N"],"player":"`+strings.Repeat("x", 100)+`…"}}}
		{"do":"think","player":"easy","ms":0}
		{"ok":false,"error":{"key":"json.range","args":{"field":"ms","least":1,"most":600000}}}
		{"do":"think","player":"easy","ms":600001}
		{"ok":false,"error":{"key":"json.range","args":{"field":"ms","least":1,"most":600000}}}
		{"do":"think","player":"easy","ms":1.5}
		{"ok":false,"error":{"key":"json.number","args":{"field":"ms"}}}
		{"do":"think","player":"easy","ms":"long"}
		{"ok":false,"error":{"key":"json.number","args":{"field":"ms"}}}
		{"do":"think","player":"easy","seed":1}
		{"ok":false,"error":{"key":"json.text","args":{"field":"seed"}}}
		{"do":"standing"}
		{"ok":true,"over":false,"seats":[{"total":0,…
		{"do":"new","game":"grandbois","seats":3,"chance":"manual"}
		{"ok":true,"toAct":["chance"],"turn":0,"events":[]}
		{"do":"think","player":"easy"}
		{"ok":false,"error":{"key":"bot.chance","args":{}}}
		{"do":"new","game":"tiny","seats":3}
		{"ok":true,"toAct":[0],…
		{"do":"think","player":"easy"}
		{"ok":false,"error":{"key":"engine.no-bots","args":{"game":"tiny"}}}`)
}

// thought is what an engine answers to think.
type thought struct {
	OK      bool
	ToAct   []json.RawMessage
	Move    json.RawMessage
	Options []struct {
		Move  json.RawMessage
		Worth float64
	}
	Error game.Fault
}

func think(t *testing.T, e *engine.Engine, request string) thought {
	t.Helper()
	var th thought
	if err := json.Unmarshal(e.Answer([]byte(request)), &th); err != nil {
		t.Fatal(err)
	}
	return th
}

// TestAGamePlayedByThinking plays what think answers, to the end; after that there
// is nothing to think about.
func TestAGamePlayedByThinking(t *testing.T) {
	for _, name := range []string{"bosk", "grandbois"} {
		e := thinking()
		e.Answer(fmt.Appendf(nil, `{"do":"new","game":%q,"seats":2,"seed":"oak"}`, name))
		for plies := 0; ; plies++ {
			th := think(t, e, `{"do":"think","player":"greedy","seed":"ash"}`)
			if !th.OK {
				if th.Error.Key != "bot.over" || plies < 36 {
					t.Errorf("%s: after %d moves %v", name, plies, th.Error)
				}
				break
			}
			if len(th.Options) == 0 || string(th.Options[0].Move) != string(th.Move) {
				t.Errorf("%s: it plays %s of %v", name, th.Move, th.Options)
			}
			played := e.Answer(fmt.Appendf(nil, `{"do":"play","seat":%s,"move":%s}`, th.ToAct[0], th.Move))
			if !strings.HasPrefix(string(played), `{"ok":true`) {
				t.Fatalf("%s: %s was refused: %s", name, th.Move, played)
			}
		}
	}
}

// TestThinkingFromARecord: an engine that opened the record of a seat finds what
// the seat itself would find at the table, and cannot think for another.
func TestThinkingFromARecord(t *testing.T) {
	const ask = `{"do":"think","player":"greedy","seed":"ash"}`
	table, seat := thinking(), thinking()
	table.Answer([]byte(`{"do":"new","game":"grandbois","seats":3,"seed":"oak"}`))
	var seen struct{ View json.RawMessage }
	if err := json.Unmarshal(table.Answer([]byte(`{"do":"view","seat":0}`)), &seen); err != nil {
		t.Fatal(err)
	}
	open := func(viewer string, view json.RawMessage) {
		t.Helper()
		request := fmt.Appendf(nil, `{"do":"open","game":"grandbois","seats":3,"seat":%s,"view":%s}`, viewer, view)
		if answer := seat.Answer(request); !strings.HasPrefix(string(answer), `{"ok":true`) {
			t.Fatalf("%s", answer)
		}
	}
	open("0", seen.View)
	if at, from := table.Answer([]byte(ask)), seat.Answer([]byte(ask)); string(at) != string(from) {
		t.Errorf("at the table %s\nfrom the record %s", at, from)
	}
	if err := json.Unmarshal(table.Answer([]byte(`{"do":"view","seat":1}`)), &seen); err != nil {
		t.Fatal(err)
	}
	open("1", seen.View)
	talk(t, seat, ask+`
		{"ok":false,"error":{"key":"bot.seat","args":{"seat":0}}}`)
}
