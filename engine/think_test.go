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
		{"ok":true,"toAct":[0],"turn":0,"events":[],…
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
		{"ok":false,"error":{"key":"bot.player","args":{"known":["random","easy","greedy","ahead","level:N","flat:N","ismcts:N","veteran"],"player":"level:11"}}}
		{"do":"think","player":"level:2","ms":50,"seed":"oak"}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think","player":"`+strings.Repeat("x", 1000)+`"}
		{"ok":false,"error":{"key":"bot.player","args":{"known":["random","easy","greedy","ahead","level:N","flat:N","ismcts:N","veteran"],"player":"`+strings.Repeat("x", 100)+`…"}}}
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
		{"ok":true,"toAct":["chance"],"turn":0,"events":[],…
		{"do":"think","player":"easy"}
		{"ok":false,"error":{"key":"bot.chance","args":{}}}
		{"do":"new","game":"tiny","seats":3}
		{"ok":true,"toAct":[0],…
		{"do":"think","player":"easy"}
		{"ok":false,"error":{"key":"engine.no-bots","args":{"game":"tiny"}}}`)
}

// TestWants: who would ask a net says which, where it has none; nonsense is
// refused as by think, and where nobody can think nothing is wanted.
func TestWants(t *testing.T) {
	talk(t, thinking(), `
		{"do":"wants","player":"level:10"}
		{"ok":false,"error":{"key":"engine.no-game","args":{}}}
		{"do":"new","game":"bosk","seats":3}
		{"ok":true,"toAct":[0],"turn":0,"events":[],…
		{"do":"wants","player":"level:10"}
		{"ok":true,"net":"bosk-1-of-3"}
		{"do":"wants","player":"level:5"}
		{"ok":true}
		{"do":"wants","player":"greedy"}
		{"ok":true}
		{"do":"wants"}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"player"}}}
		{"do":"wants","player":7}
		{"ok":false,"error":{"key":"json.text","args":{"field":"player"}}}
		{"do":"wants","player":"level:11"}
		{"ok":false,"error":{"key":"bot.player",…
		{"do":"new","game":"bosk","seats":2}
		{"ok":true,"toAct":[0],"turn":0,"events":[],…
		{"do":"wants","player":"level:10"}
		{"ok":true,"net":"bosk-1-of-2"}
		{"do":"wants","player":"level:9"}
		{"ok":true}
		{"do":"new","game":"grandbois","seats":2,"chance":"manual"}
		{"ok":true,"toAct":["chance"],"turn":0,"events":[],…
		{"do":"wants","player":"level:10"}
		{"ok":true}
		{"do":"new","game":"tiny","seats":3}
		{"ok":true,"toAct":[0],…
		{"do":"wants","player":"level:10"}
		{"ok":false,"error":{"key":"engine.no-bots","args":{"game":"tiny"}}}`)
	// A watcher cannot think for who is to act, nor can another seat.
	for _, viewer := range []string{`"watcher"`, "1"} {
		e := thinking()
		e.Answer([]byte(`{"do":"new","game":"grandbois","seats":2,"seed":"oak"}`))
		var shown struct{ View json.RawMessage }
		if err := json.Unmarshal(e.Answer([]byte(`{"do":"view","seat":`+viewer+`}`)), &shown); err != nil {
			t.Fatal(err)
		}
		talk(t, e, fmt.Sprintf(`
		{"do":"open","game":"grandbois","seats":2,"seat":%s,"options":{},"version":1,"view":%s,"then":[]}
		{"ok":true,"toAct":[0],…
		{"do":"wants","player":"level:10"}
		{"ok":true}`, viewer, shown.View))
	}
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

// errands is what an engine answers to who thinks with others.
type errands struct {
	OK      bool
	Errands []json.RawMessage
	Report  json.RawMessage
	Error   game.Fault
}

func answered(t *testing.T, e *engine.Engine, request string, args ...any) (errands, string) {
	t.Helper()
	raw := e.Answer(fmt.Appendf(nil, request, args...))
	var a errands
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	return a, string(raw)
}

// TestThinkingTogether: errands that other engines do, which have opened the
// record of the seat, lead to what think answers to somebody alone.
func TestThinkingTogether(t *testing.T) {
	for _, name := range []string{"bosk", "grandbois"} {
		leader := thinking()
		leader.Answer(fmt.Appendf(nil, `{"do":"new","game":%q,"seats":2,"seed":"oak"}`, name))
		for range 7 { // into a game in which something was heard
			th := think(t, leader, `{"do":"think","player":"level:1","seed":"ash"}`)
			leader.Answer(fmt.Appendf(nil, `{"do":"play","seat":%s,"move":%s}`, th.ToAct[0], th.Move))
		}
		const who = `"player":"level:9","seed":"ash","ms":600000`
		var seen struct{ View, Then json.RawMessage }
		var next struct{ ToAct []int }
		if err := json.Unmarshal(leader.Answer([]byte(`{"do":"moves"}`)), &next); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(leader.Answer(fmt.Appendf(nil, `{"do":"record","seat":%d}`, next.ToAct[0])), &seen); err != nil {
			t.Fatal(err)
		}
		var helpers []*engine.Engine
		for range 2 {
			helper := thinking()
			if a, raw := answered(t, helper, `{"do":"open","game":%q,"seats":2,"seat":%d,"view":%s,"then":%s}`, name, next.ToAct[0], seen.View, seen.Then); !a.OK {
				t.Fatal(raw)
			}
			helpers = append(helpers, helper)
		}
		_, alone := answered(t, leader, `{"do":"think",%s}`, who)
		a, raw := answered(t, leader, `{"do":"think",%s,"errands":5}`, who)
		rounds := 0
		for ; len(a.Errands) > 0; rounds++ {
			reports := make([]json.RawMessage, len(a.Errands))
			for i, errand := range a.Errands {
				by := append(helpers, leader)[i%3]
				done, raw := answered(t, by, `{"do":"errand",%s,"errand":%s}`, who, errand)
				if !done.OK {
					t.Fatal(raw)
				}
				reports[i] = done.Report
			}
			if lost, raw := answered(t, leader, `{"do":"think-on","reports":[]}`); lost.Error.Key != "bot.reports" {
				t.Errorf("no reports are answered by %s", raw)
			}
			all, err := json.Marshal(reports)
			if err != nil {
				t.Fatal(err)
			}
			if a, raw = answered(t, leader, `{"do":"think-on","reports":%s}`, all); !a.OK {
				t.Fatal(raw)
			}
		}
		if rounds < 3 || raw != alone {
			t.Errorf("%s: after %d rounds together %s\nalone %s", name, rounds, raw, alone)
		}
		if again, raw := answered(t, leader, `{"do":"think-on","reports":[]}`); again.Error.Key != "bot.no-errands" {
			t.Errorf("after the thought %s", raw)
		}
	}
}

// TestErrandsOfAnotherPosition: a thought waits for its errands while nothing is
// played, and is forgotten then; who asks for another gets that one.
func TestErrandsOfAnotherPosition(t *testing.T) {
	e := thinking()
	const ask = `{"do":"think","player":"level:9","seed":"ash","ms":600000,"errands":3}`
	e.Answer([]byte(`{"do":"new","game":"bosk","seats":2}`))
	first, _ := answered(t, e, ask)
	if len(first.Errands) == 0 {
		t.Fatal("there are no errands")
	}
	e.Answer([]byte(`{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}`))
	if a, raw := answered(t, e, `{"do":"think-on","reports":[{},{},{}]}`); a.Error.Key != "bot.no-errands" {
		t.Errorf("after a move %s", raw)
	}
	if a, raw := answered(t, e, `{"do":"errand","player":"level:9","seed":"ash","errand":%s}`, first.Errands[0]); a.OK && a.Report == nil {
		t.Errorf("the errand of another position: %s", raw)
	}
	// What a helper knows is of one position, one player and one seed.
	busy := thinking()
	for _, c := range []struct{ before, player, seed string }{
		{`{"do":"new","game":"bosk","seats":2}`, "level:9", "ash"},
		{"", "level:9", "elm"},
		{"", "level:8", "elm"},
		{`{"do":"play","seat":0,"move":{"do":"plant","tree":4,"at":[5,5]}}`, "level:8", "elm"},
		{`{"do":"undo"}`, "level:9", "ash"},
	} {
		fresh := thinking()
		fresh.Answer([]byte(`{"do":"new","game":"bosk","seats":2}`))
		for _, one := range []*engine.Engine{busy, fresh} {
			if one == busy || strings.Contains(c.before, "play") {
				one.Answer([]byte(c.before))
			}
		}
		errand := fmt.Sprintf(`{"do":"errand","player":%q,"seed":%q,"errand":{"number":1,"lines":[[{"do":"plant","tree":2,"at":[3,3]}]],"to":9,"ms":600000}}`, c.player, c.seed)
		a, got := answered(t, busy, "%s", errand)
		if _, want := answered(t, fresh, "%s", errand); got != want || !a.OK {
			t.Errorf("%+v: who has done other errands finds %s, who has not %s", c, got, want)
		}
	}
	second, _ := answered(t, e, ask)
	third, _ := answered(t, e, ask)
	if len(second.Errands) == 0 || len(third.Errands) != len(second.Errands) {
		t.Errorf("%d errands, then %d", len(second.Errands), len(third.Errands))
	}
	e.Answer([]byte(`{"do":"undo"}`))
	talk(t, e, `
		{"do":"think","player":"level:9","errands":0}
		{"ok":false,"error":{"key":"json.range","args":{"field":"errands","least":1,"most":1000}}}
		{"do":"think","player":"level:9","errands":1001}
		{"ok":false,"error":{"key":"json.range","args":{"field":"errands","least":1,"most":1000}}}
		{"do":"think","player":"level:9","errands":"many"}
		{"ok":false,"error":{"key":"json.number","args":{"field":"errands"}}}
		{"do":"think","player":"level:5","seed":"ash","errands":3}
		{"ok":true,"toAct":[0],"move":{"do":"plant",…
		{"do":"think-on"}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"reports"}}}
		{"do":"think-on","reports":7}
		{"ok":false,"error":{"key":"json.list","args":{"field":"reports"}}}
		{"do":"errand","player":"level:9","errand":{}}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"seed"}}}
		{"do":"errand","player":"level:9","seed":"ash"}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"errand"}}}
		{"do":"errand","player":"level:9","seed":"ash","errand":7}
		{"ok":false,"error":{"key":"json.an-object","args":{"field":"errand"}}}
		{"do":"errand","player":"level:9","seed":"ash","errand":{}}
		{"ok":false,"error":{"key":"bot.errand","args":{"path":"errand.lines"}}}
		{"do":"errand","player":"level:9","seed":"ash","errand":{"number":1,"lines":[[{"do":"leaf","to":[0,0]}]],"to":5,"ms":100}}
		{"ok":false,"refusal":{"key":"bosk.not-now","args":{"do":"leaf","due":"plant"},"rule":…
		{"do":"errand","player":"greedy","seed":"ash","errand":{}}
		{"ok":false,"error":{"key":"bot.no-errands","args":{}}}
		{"do":"errand","player":"oracle","seed":"ash","errand":{}}
		{"ok":false,"error":{"key":"bot.player",…
		{"do":"errand","player":"level:9","seed":"ash","errand":{"number":4,"lines":[[{"do":"plant","tree":3,"at":[4,4]}]],"to":2,"ms":600000}}
		{"ok":true,"report":{"number":4,"sums":[[…`)
}
