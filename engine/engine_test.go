package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
)

func newEngine() *engine.Engine {
	return engine.New(game.Of(bosk.Game()), game.Of(gametest.Tiny()))
}

// talk sends lines and fails unless the answer to each is the line under it. Where
// that line ends in … only what comes before is compared.
func talk(t *testing.T, e *engine.Engine, script string) {
	t.Helper()
	lines := strings.Split(strings.Trim(script, "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		request, want := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i+1])
		got := string(e.Answer([]byte(request)))
		if start, cut := strings.CutSuffix(want, "…"); got != want && (!cut || !strings.HasPrefix(got, start)) {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}

func TestAGameOfBoskBegins(t *testing.T) {
	talk(t, newEngine(), `
		{"do":"games"}
		{"ok":true,"games":[{"name":"bosk","seats":[2,3,4],"options":[{"name":"box","kind":"box","default":"7162…
		{"do":"new","game":"bosk","seats":2,"options":{},"chance":"manual"}
		{"ok":true,"toAct":[0],"turn":0,"events":[],…
		{"do":"moves"}
		{"ok":true,"toAct":[0],"moves":[{"do":"plant","tree":1,"at":[1,1]},{"do":"plant","tree":2,"at":[1,1]},…
		{"do":"moves","facts":true}
		{"ok":true,"toAct":[0],"moves":[{"do":"plant","tree":1,"at":[1,1]},…
		{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}
		{"ok":true,"toAct":[1],"turn":1,"events":[{"key":"bosk.event.plant","args":{"at":[4,4],"seat":0,"tree":3},"to":"all"}]}
		{"do":"standing"}
		{"ok":true,"over":false,"seats":[{"total":6,"parts":{"summer":6,"winter":0},"rank":1},{"total":0,"parts":{"summer":0,"winter":0},"rank":2}]}
		{"do":"sheet"}
		{"ok":true,"lines":[{"part":"summer","key":"bosk.sheet.row","args":{"have":[0,0],"rule":"3.1","trail":1,"why":"nobody"},"points":[0,0]},…
		{"do":"view","seat":"watcher"}
		{"ok":true,"view":{"seats":2,"season":"spring","turn":1,"round":0,"start":0,"toAct":1,…
		{"do":"undo"}
		{"ok":true,"toAct":[0]}
		{"do":"undo"}
		{"ok":false,"error":{"key":"engine.undo","args":{}}}`)
}

func TestAMoveThatIsRefusedChangesNothing(t *testing.T) {
	e := newEngine()
	talk(t, e, `
		{"do":"new","game":"bosk","seats":3}
		{"ok":true,"toAct":[0],"turn":0,"events":[],…`)
	before := string(e.Answer([]byte(`{"do":"view","seat":0}`)))
	talk(t, e, `
		{"do":"play","seat":1,"move":{"do":"plant","tree":3,"at":[4,4]}}
		{"ok":false,"refusal":{"key":"bosk.turn","args":{"seat":0},"rule":"2.1"}}
		{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[1000,4]}}
		{"ok":false,"refusal":{"key":"bosk.plant.no-crossing","args":{"at":[1000,4],"most":9},"rule":"1.3"}}
		{"do":"play","seat":"chance","move":{"do":"plant","tree":3,"at":[4,4]}}
		{"ok":false,"refusal":{"key":"bosk.turn","args":{"seat":0},"rule":"2.1"}}
		{"do":"play","seat":0,"move":{"do":"plant","tree":1e30,"at":[4,4]}}
		{"ok":false,"error":{"key":"json.range",…
		{"do":"play","seat":0,"move":{"do":"fly"}}
		{"ok":false,"error":{"key":"move.do",…
		{"do":"play","seat":0,"move":null}
		{"ok":false,"error":{"key":"json.an-object","args":{"field":"move"}}}
		{"do":"play","seat":0,"move":{}}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"move.do"}}}
		{"do":"play","seat":0,"move":{"do":"`+strings.Repeat("<", 1000)+`"}}
		{"ok":false,"error":{"key":"move.do","args":{"do":"`+strings.Repeat(`\u003c`, 100)+`…","known":…`)
	if after := string(e.Answer([]byte(`{"do":"view","seat":0}`))); after != before {
		t.Errorf("the position has changed from\n%s to\n%s", before, after)
	}
}

// TestWhateverALineHolds: each bad line is answered by one line with a key, and the
// next line works.
func TestWhateverALineHolds(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for bad, want := range map[string]string{
		"":                                      "json.object",
		" ":                                     "json.object",
		"garbage":                               "json.object",
		"\x00\xff\xfe":                          "json.object",
		"null":                                  "json.object",
		"[]":                                    "json.object",
		"7":                                     "json.object",
		`"moves"`:                               "json.object",
		`{"do":"moves"`:                         "json.object",
		`{"do":"moves"} x`:                      "json.object",
		deep:                                    "json.object",
		`{"do":` + deep + `}`:                   "json.object",
		`{}`:                                    "json.missing",
		`{"do":null}`:                           "json.text",
		`{"do":7}`:                              "json.text",
		`{"do":"dance"}`:                        "engine.do",
		`{"do":"think"}`:                        "json.missing",
		`{"DO":"moves"}`:                        "json.missing",
		`{"do":"moves","do":1}`:                 "json.twice",
		`{"do":"new"}`:                          "json.missing",
		`{"do":"new","game":"chess","seats":2}`: "engine.game",
		`{"do":"new","game":3,"seats":2}`:       "json.text",
		`{"do":"new","game":"bosk"}`:            "json.missing",
		`{"do":"new","game":"bosk","seats":1}`:  "game.seats",
		`{"do":"new","game":"bosk","seats":5}`:  "game.seats",
		`{"do":"new","game":"bosk","seats":-2}`: "game.seats",
		`{"do":"new","game":"bosk","seats":"two"}`:                       "json.number",
		`{"do":"new","game":"bosk","seats":2.5}`:                         "json.number",
		`{"do":"new","game":"bosk","seats":1e30}`:                        "json.range",
		`{"do":"new","game":"bosk","seats":1e400}`:                       "json.range",
		`{"do":"new","game":"bosk","seats":2,"options":{"expert":true}}`: "json.unknown",
		`{"do":"new","game":"bosk","seats":2,"options":[]}`:              "json.an-object",
		`{"do":"new","game":"bosk","seats":2,"version":2}`:               "game.version",
		`{"do":"new","game":"bosk","seats":2,"version":0}`:               "game.version",
		`{"do":"new","game":"bosk","seats":2,"chance":"dice"}`:           "engine.chance",
		`{"do":"new","game":"bosk","seats":2,"chance":1}`:                "json.text",
		`{"do":"new","game":"bosk","seats":2,"seed":1}`:                  "json.text",
		`{"do":"play"}`:                                                        "json.missing",
		`{"do":"play","seat":0}`:                                               "json.missing",
		`{"do":"play","seat":2,"move":{}}`:                                     "engine.seat",
		`{"do":"play","seat":-1,"move":{}}`:                                    "engine.seat",
		`{"do":"play","seat":"0","move":{}}`:                                   "engine.seat",
		`{"do":"play","seat":1e30,"move":{}}`:                                  "engine.seat",
		`{"do":"play","seat":0,"move":{}}`:                                     "json.missing",
		`{"do":"play","seat":0,"move":"plant"}`:                                "json.an-object",
		`{"do":"moves","facts":"yes"}`:                                         "json.flag",
		`{"do":"view"}`:                                                        "json.missing",
		`{"do":"view","seat":9}`:                                               "engine.seat",
		`{"do":"view","seat":"chance"}`:                                        "engine.seat",
		`{"do":"standing","seat":"x"}`:                                         "engine.seat",
		`{"do":"open"}`:                                                        "json.missing",
		`{"do":"open","game":"bosk","seats":2,"seat":0}`:                       "json.missing",
		`{"do":"open","game":"bosk","seats":2,"seat":0,"view":{}}`:             "view.impossible",
		`{"do":"open","game":"bosk","seats":2,"seat":0,"view":7}`:              "json.an-object",
		`{"do":"open","game":"bosk","seats":2,"seat":7,"view":{}}`:             "engine.seat",
		`{"do":"open","game":"bosk","seats":2,"seat":0,"view":{},"then":7}`:    "json.list",
		`{"do":"open","game":"bosk","seats":9,"seat":0,"view":{},"then":[{}]}`: "game.seats",
	} {
		e := newEngine()
		talk(t, e, `
			{"do":"new","game":"bosk","seats":2}
			{"ok":true,…`)
		answer := e.Answer([]byte(bad))
		if bytes.ContainsRune(answer, '\n') {
			t.Errorf("%.80q is answered by more than a line", bad)
		}
		var reply struct {
			OK    bool
			Error struct{ Key string }
		}
		if err := json.Unmarshal(answer, &reply); err != nil || reply.OK || reply.Error.Key != want {
			t.Errorf("%.80q: got %.200s, want %s", bad, answer, want)
		}
		talk(t, e, `
			{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}
			{"ok":true,"toAct":[1],…`)
	}
}

func TestRequestsNeedAGame(t *testing.T) {
	for _, do := range []string{"moves", "play", "undo", "view", "standing", "sheet"} {
		talk(t, newEngine(), fmt.Sprintf(`
			{"do":%q}
			{"ok":false,"error":{"key":"engine.no-game","args":{}}}`, do))
	}
}

func TestServeAnswersEveryLine(t *testing.T) {
	long := `{"do":"games","x":"` + strings.Repeat("x", 10<<20) + `"}`
	in := strings.Join([]string{
		`{"do":"games"}`, long, `{"do":"new","game":"bosk","seats":2}` + "\r", ``, `{"do":"undo"}`,
	}, "\n") // the last line has no line break
	var out bytes.Buffer
	if err := newEngine().Serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for line := range strings.Lines(out.String()) {
		var reply struct {
			OK    bool
			Error struct{ Key string }
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		keys = append(keys, fmt.Sprint(reply.OK, reply.Error.Key))
	}
	if got, want := strings.Join(keys, ", "), "true, falseengine.too-long, true, falsejson.object, falseengine.undo"; got != want {
		t.Errorf("answers: %s\nwant: %s", got, want)
	}
}

// TestServeAnswersBeforeTheNextLineIsWhole: half a request does not delay the
// answer to the one before it.
func TestServeAnswersBeforeTheNextLineIsWhole(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- newEngine().Serve(inR, outW) }()
	dec := json.NewDecoder(outR)
	var reply struct{ OK bool }
	for _, part := range []string{`{"do":"games"}` + "\n" + `{"do":`, `"games"}` + "\n"} {
		if _, err := io.WriteString(inW, part); err != nil {
			t.Fatal(err)
		}
		if err := dec.Decode(&reply); err != nil || !reply.OK {
			t.Fatalf("%v %v", reply, err)
		}
	}
	if err := inW.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestServeAnswersAtOnce: a program that waits for each answer before it asks again
// must not wait for ever.
func TestServeAnswersAtOnce(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- newEngine().Serve(inR, outW) }()
	dec := json.NewDecoder(outR)
	for range 3 {
		if _, err := io.WriteString(inW, `{"do":"games"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		var reply struct{ OK bool }
		if err := dec.Decode(&reply); err != nil || !reply.OK {
			t.Fatalf("%v %v", reply, err)
		}
	}
	if err := inW.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestServeEndsWhenNobodyListens(t *testing.T) {
	outR, outW := io.Pipe()
	if err := outR.Close(); err != nil {
		t.Fatal(err)
	}
	if err := newEngine().Serve(strings.NewReader(strings.Repeat("{}\n", 1000)), outW); err == nil {
		t.Error("nobody was told that the answers went nowhere")
	}
}

func TestChanceByHand(t *testing.T) {
	talk(t, newEngine(), `
		{"do":"new","game":"tiny","seats":2,"chance":"manual"}
		{"ok":true,"toAct":[0],…
		{"do":"play","seat":0,"move":{"do":"dig"}}
		{"ok":true,"toAct":["chance"],…
		{"do":"moves"}
		{"ok":true,"toAct":["chance"],"moves":[{"do":"find","seat":0,"mushroom":1},…
		{"do":"play","seat":0,"move":{"do":"find","seat":0,"mushroom":5}}
		{"ok":false,"refusal":{…
		{"do":"play","seat":"chance","move":{"do":"find","seat":0,"mushroom":5}}
		{"ok":true,"toAct":[0],"turn":0,"events":[{"key":"tiny.found","args":{"mushroom":5,"seat":0},"to":[0]},…
		{"do":"undo"}
		{"ok":true,"toAct":["chance"]}
		{"do":"undo"}
		{"ok":true,"toAct":[0]}`)
}

func TestChanceByItselfComesAgainTheSame(t *testing.T) {
	e := newEngine()
	ask := func(line string) string { return string(e.Answer([]byte(line))) }
	ask(`{"do":"new","game":"tiny","seats":2,"seed":"acorn"}`)
	first := ask(`{"do":"play","seat":0,"move":{"do":"shake"}}`)
	if !strings.HasPrefix(first, `{"ok":true,"toAct":[1],"turn":1,`) || !strings.Contains(first, "tiny.fell") {
		t.Fatalf("the nut did not fall by itself: %s", first)
	}
	talk(t, e, `
		{"do":"undo"}
		{"ok":true,"toAct":[0]}
		{"do":"undo"}
		{"ok":false,"error":{"key":"engine.undo","args":{}}}`)
	if again := ask(`{"do":"play","seat":0,"move":{"do":"shake"}}`); again != first {
		t.Errorf("an undone draw came differently:\n%s\n%s", first, again)
	}
	ask(`{"do":"new","game":"tiny","seats":2,"seed":"acorn"}`)
	if again := ask(`{"do":"play","seat":0,"move":{"do":"shake"}}`); again != first {
		t.Errorf("the same seed drew differently:\n%s\n%s", first, again)
	}
}

func TestARecordOpens(t *testing.T) {
	e := newEngine()
	talk(t, e, `
		{"do":"new","game":"tiny","seats":3,"chance":"manual"}
		{"ok":true,"toAct":[0],…`)
	var shown struct{ View json.RawMessage }
	if err := json.Unmarshal(e.Answer([]byte(`{"do":"view","seat":1}`)), &shown); err != nil {
		t.Fatal(err)
	}
	open := func(then string) string {
		return fmt.Sprintf(`{"do":"open","game":"tiny","seats":3,"seat":1,"options":{},"version":1,"view":%s,"then":[%s]}`, shown.View, then)
	}
	e = newEngine()
	talk(t, e, open(`{"number":4,"seat":0,"move":{"do":"dig"}},{"seat":"chance","move":{"do":"find","seat":0}},{"seat":0,"move":{"do":"nap"}}`)+`
		{"ok":true,"toAct":[1],"turn":1,"events":[{"key":"tiny.dug",…
		{"do":"moves"}
		{"ok":true,"toAct":[1],"moves":[{"do":"shake"},{"do":"dig"}]}
		{"do":"view","seat":1}
		{"ok":true,"view":…
		{"do":"view","seat":"watcher"}
		{"ok":true,"view":…
		{"do":"view","seat":0}
		{"ok":false,"error":{"key":"engine.not-yours","args":{"seat":0}}}
		{"do":"standing","seat":0}
		{"ok":false,"error":{"key":"engine.not-yours","args":{"seat":0}}}
		{"do":"standing"}
		{"ok":true,"over":false,"seats":[{"total":null,…
		{"do":"undo"}
		{"ok":true,"toAct":[0]}`)
	// A record says nothing of what somebody else found.
	talk(t, e, open(`{"seat":0,"move":{"do":"dig"}},{"seat":"chance","move":{"do":"find","seat":0,"mushroom":3}}`)+`
		{"ok":false,"refusal":…
		`+open(`{"seat":0,"move":{"do":"nap"}}`)+`
		{"ok":false,"refusal":…
		`+open(`7`)+`
		{"ok":false,"error":{"key":"json.object","args":{}},"entry":0}
		`+open(`{"seat":0,"move":{"do":"dig"}},{"seat":0,"move":{"do":"dig"},"more":1}`)+`
		{"ok":false,"error":{"key":"json.unknown","args":{"field":"more"}},"entry":1}
		`+open(`{"seat":0,"move":{"do":"dig"}},{"seat":0,"move":{"do":"dig"}}`)+`
		{"ok":false,"refusal":{"key":"tiny.turn","args":{"seat":"chance"},"rule":"1.1"},"entry":1}
		{"do":"view","seat":null}
		{"ok":false,"error":{"key":"json.missing","args":{"field":"seat"}}}
		{"do":"moves"}
		{"ok":true,"toAct":[0],"moves":[{"do":"dry"…`)
}

func TestForgedViewsAreRefused(t *testing.T) {
	e := newEngine()
	for _, line := range []string{
		`{"do":"new","game":"bosk","seats":2}`,
		`{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}`,
		`{"do":"play","seat":1,"move":{"do":"plant","tree":2,"at":[2,4]}}`,
	} {
		e.Answer([]byte(line))
	}
	var shown struct{ View json.RawMessage }
	if err := json.Unmarshal(e.Answer([]byte(`{"do":"view","seat":1}`)), &shown); err != nil {
		t.Fatal(err)
	}
	view := string(shown.View)
	open := func(view string) string {
		return string(newEngine().Answer([]byte(`{"do":"open","game":"bosk","seats":2,"seat":1,"view":` + view + `}`)))
	}
	if got := open(view); !strings.HasPrefix(got, `{"ok":true,"toAct":[0],"turn":2,`) {
		t.Fatalf("the true view does not open: %s", got)
	}
	for _, lie := range [][2]string{
		{`"turn":2`, `"turn":3`},
		{`"toAct":0`, `"toAct":1`},
		{`"toAct":0`, `"toAct":null`},
		{`"toAct":0`, `"toAct":7`},
		{`"season":"spring"`, `"season":"autumn"`},
		{`"season":"spring"`, `"season":"monsoon"`},
		{`"round":0`, `"round":3`},
		{`"round":0`, `"round":-900000`},
		{`"start":0`, `"start":1`},
		{`"start":0`, `"start":120`},
		{`"tree":3,"at":[4,4]`, `"tree":4,"at":[4,4]`},
		{`"tree":3,"at":[4,4]`, `"tree":3,"at":[4,8]`},
		{`"tree":3,"at":[4,4]`, `"tree":3,"at":[2,4]`},
		{`"tree":3,"at":[4,4]`, `"tree":3,"at":[4,4000]`},
		{`"tree":3,"at":[4,4]`, `"tree":30,"at":[4,4]`},
		{`"hand":[1,1,2,2,3,4,4]`, `"hand":[1,1,2,2,3,3,4,4]`},
		{`"hand":[1,1,2,2,3,4,4]`, `"hand":[1,1,2,2,3,9,4]`},
		{`"squares":[]`, `"squares":[{"at":[0,0],"seat":0,"leaves":1,"squirrel":false}]`},
		{`"squares":[]`, `"squares":[{"at":[0,0],"seat":0,"leaves":200,"squirrel":false}]`},
		{`"supply":35`, `"supply":34`},
		{`"summer":5`, `"summer":7`},
		{`"board":["GGGGGSSD"`, `"board":["GGGGGSSS"`},
		{`"tiles":["squirrel",2`, `"tiles":["squirrel",9`},
		{`"tiles":["squirrel",2`, `"tiles":[2`},
		{`"path":null`, `"path":{"from":[4,4],"tile":5,"active":5,"laid":0,"last":null}`},
		{`"path":null`, `"path":7`},
		{`"seats":2`, `"seats":3`},
		{`"seats":2`, `"Seats":2`},
		{`"wind":null`, `"wind":{"side":"north","blows":"north","tree":1,"all":[]}`},
	} {
		if !strings.Contains(view, lie[0]) {
			t.Errorf("the view has no %s: %s", lie[0], view)
		}
		got := open(strings.Replace(view, lie[0], lie[1], 1))
		if !strings.HasPrefix(got, `{"ok":false,"error":{"key":"view.`) {
			t.Errorf("%s for %s: %.200s", lie[1], lie[0], got)
		}
	}
}

// TestAPileIsNoHigherThanTilesWerePlayed: a higher pile would have no space for
// another leaf one day.
func TestAPileIsNoHigherThanTilesWerePlayed(t *testing.T) {
	e := newEngine()
	e.Answer([]byte(`{"do":"new","game":"bosk","seats":2}`))
	var now struct {
		ToAct []int
		Turn  int
		Moves []json.RawMessage
		View  json.RawMessage
	}
	for now.Turn < 16+1+6 {
		if err := json.Unmarshal(e.Answer([]byte(`{"do":"moves"}`)), &now); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf(`{"do":"play","seat":%d,"move":%s}`, now.ToAct[0], now.Moves[len(now.Moves)/2])
		if err := json.Unmarshal(e.Answer([]byte(line)), &now); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(e.Answer([]byte(`{"do":"view","seat":0}`)), &now); err != nil {
		t.Fatal(err)
	}
	var view bosk.View
	if err := json.Unmarshal(now.View, &view); err != nil {
		t.Fatal(err)
	}
	open := func() string {
		raw, err := json.Marshal(view)
		if err != nil {
			t.Fatal(err)
		}
		return string(newEngine().Answer(fmt.Appendf(nil, `{"do":"open","game":"bosk","seats":2,"seat":0,"view":%s}`, raw)))
	}
	if got := open(); !strings.HasPrefix(got, `{"ok":true,`) {
		t.Fatalf("the true view does not open: %s", got)
	}
	high := &view.Squares[0]
	for i := len(view.Squares) - 1; i > 0 && high.Leaves < 9; i-- { // six tiles were played
		high.Leaves += view.Squares[i].Leaves
		view.Squares = view.Squares[:i]
	}
	if got := open(); !strings.HasPrefix(got, `{"ok":false,"error":{"key":"view.impossible","args":{"path":"view.`) {
		t.Errorf("a pile of %d opens: %.200s", high.Leaves, got)
	}
}

// FuzzAnswer sends anything at all: every line gets one JSON object back, and
// the engine goes on.
func FuzzAnswer(f *testing.F) {
	for _, line := range []string{
		`{"do":"games"}`,
		`{"do":"new","game":"bosk","seats":3,"options":{},"chance":"manual"}`,
		`{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}`,
		`{"do":"open","game":"bosk","seats":2,"seat":0,"view":{"seats":2},"then":[{"seat":0,"move":{}}]}`,
		`{"do":"moves","facts":true}`, `{"do":"undo"}`, `{"do":"sheet","seat":"watcher"}`, `{"do":"standing","seat":1}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e := newEngine() // fresh, so that a find can be found again
		e.Answer([]byte(`{"do":"new","game":"bosk","seats":2}`))
		var reply struct {
			OK      *bool
			Error   *game.Fault
			Refusal *game.Refusal
		}
		answer := e.Answer(line)
		if err := json.Unmarshal(answer, &reply); err != nil || reply.OK == nil || bytes.ContainsRune(answer, '\n') {
			t.Fatalf("%q is answered by %q", line, answer)
		}
		if !*reply.OK && (reply.Error == nil) == (reply.Refusal == nil) {
			t.Fatalf("%q is answered by %q: neither error nor refusal, or both", line, answer)
		}
		if reply.Error != nil && reply.Error.Key == "engine.broken" {
			t.Fatalf("%q breaks the engine", line)
		}
		if answer := e.Answer([]byte(`{"do":"games"}`)); !bytes.HasPrefix(answer, []byte(`{"ok":true,`)) {
			t.Fatalf("after %q the engine answers %q", line, answer)
		}
	})
}

// TestAllIsWhatEverySeatKnows: whoever holds the whole game may see all of it, and
// whoever opened a record what that record knows.
func TestAllIsWhatEverySeatKnows(t *testing.T) {
	e := newEngine()
	talk(t, e, `
		{"do":"new","game":"tiny","seats":2,"chance":"manual"}
		{"ok":true,"toAct":[0],…
		{"do":"play","seat":0,"move":{"do":"dig"}}
		{"ok":true,"toAct":["chance"],…
		{"do":"play","seat":"chance","move":{"do":"find","seat":0,"mushroom":3}}
		{"ok":true,"toAct":[0],…`)
	knows := func(e *engine.Engine, seat string) string {
		t.Helper()
		var view struct {
			Squirrels []struct{ Hollow json.RawMessage }
		}
		if err := json.Unmarshal(ask(t, e, `{"do":"view","seat":%s}`, seat).View, &view); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %s", view.Squirrels[0].Hollow, view.Squirrels[1].Hollow)
	}
	for seat, want := range map[string]string{`"all"`: "[3] []", `0`: "[3] null", `1`: "null []", `"watcher"`: "null null"} {
		if got := knows(e, seat); got != want {
			t.Errorf("%s knows %s, want %s", seat, got, want)
		}
	}
	view := ask(t, e, `{"do":"view","seat":1}`).View
	opened := newEngine()
	ask(t, opened, `{"do":"open","game":"tiny","seats":2,"seat":1,"options":{},"version":1,"view":%s,"then":[]}`, view)
	if got := knows(opened, `"all"`); got != "null []" {
		t.Errorf("a record of seat 1 knows %s", got)
	}
}
