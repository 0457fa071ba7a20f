package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// crew thinks with helpers that are not to be relied on: every errand is given to
// any of them, some of which die of it, some errands are done twice, and reports
// come in any order, read and written by a program whose numbers are all floats.
type crew struct {
	t       *testing.T
	g       bot.Game
	p       game.Position
	ask     bot.Ask
	helpers []bot.Helper
	rng     *rand.Rand
	rounds  int
}

// patient is a context in which nobody is cut short, however busy the machine is.
func patient(t testing.TB) context.Context {
	t.Helper()
	ctx, end := context.WithDeadline(context.Background(), time.Now().Add(time.Hour))
	t.Cleanup(end)
	return ctx
}

// alone is what one finds who has no help.
func alone(t *testing.T, g bot.Game, p game.Position, ask bot.Ask) string {
	t.Helper()
	thought, err := g.Think(patient(t), p, ask)
	if err != nil {
		t.Fatal(err)
	}
	return words(t, thought)
}

func (c *crew) do(errand json.RawMessage) json.RawMessage {
	c.t.Helper()
	i := c.rng.IntN(len(c.helpers))
	if c.helpers[i] == nil || c.rng.IntN(9) == 0 { // it has died, and another comes
		c.helpers[i] = helper(c.t, c.g, c.p, c.ask)
	}
	report, cut, err := c.helpers[i].Do(context.Background(), asFloats(c.t, errand))
	if err != nil || cut {
		c.t.Fatalf("%.300s: %v %v", errand, cut, err)
	}
	return asFloats(c.t, report)
}

// think is what the whole crew finds.
func (c *crew) think(pieces int) *bot.Thought {
	c.t.Helper()
	under, err := c.g.Begin(patient(c.t), c.p, c.ask, pieces)
	if err != nil {
		c.t.Fatal(err)
	}
	defer under.Stop()
	for len(under.Errands()) > 0 {
		c.rounds++
		errands := slices.Clone(under.Errands())
		c.rng.Shuffle(len(errands), func(i, j int) { errands[i], errands[j] = errands[j], errands[i] })
		var reports []json.RawMessage
		for _, e := range errands {
			report := c.do(e)
			if c.rng.IntN(5) == 0 {
				if again := c.do(e); string(again) != string(report) {
					c.t.Errorf("%.300s\nfinds %s\nand   %s", e, report, again)
				}
			}
			reports = append(reports, report)
		}
		c.rng.Shuffle(len(reports), func(i, j int) { reports[i], reports[j] = reports[j], reports[i] })
		if err := under.GoOn(reports); err != nil {
			c.t.Fatal(err)
		}
	}
	return under.Thought()
}

func helper(t testing.TB, g bot.Game, p game.Position, ask bot.Ask) bot.Helper {
	t.Helper()
	h, err := g.Helper(p, ask)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// asFloats writes JSON as a program does that knows no whole numbers.
func asFloats(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shareable are positions of a game in which there is something to share, spread
// over it.
func shareable(t *testing.T, g bot.Game, seats int, visit func(game.Position)) {
	t.Helper()
	n := 0
	onTheWay(t, g, seats, 1000, "level:1", func(p game.Position) {
		if n++; n%11 == 3*seats%11 {
			visit(p)
		}
	})
}

// TestTheSameTurnWithAnyNumberOfHelpers: one, two, three or seven, in any number
// of pieces, whoever dies and whatever comes first: every word of the thought is
// the same as when one thinks alone.
func TestTheSameTurnWithAnyNumberOfHelpers(t *testing.T) {
	for _, g := range []bot.Game{bot.Of(bosk.Game()), bot.Of(grandbois.Game()), bot.Of(treesociety.Game()), bot.Of(gametest.Tiny())} {
		for seats := 2; seats <= 4; seats++ {
			t.Run(fmt.Sprint(g.About().Name, seats), func(t *testing.T) {
				t.Parallel()
				rounds := 0
				rng := rand.New(rand.NewPCG(uint64(seats), 3))
				shareable(t, g, seats, func(p game.Position) {
					for i, player := range []string{"level:4", "level:7"} {
						ask := bot.Ask{Player: player, Seed: fmt.Sprint(p.Turn()), Explain: true}
						alone := alone(t, g, p, ask)
						helpers := []int{1, 2, 3, 7}[(rounds+i)%4]
						c := &crew{t: t, g: g, p: p, ask: ask, helpers: make([]bot.Helper, helpers), rng: rng}
						pieces := 1 + rng.IntN(40)
						if together := words(t, c.think(pieces)); together != alone {
							t.Errorf("turn %d, %s, %d helpers, %d pieces:\n     %s\nalone %s", p.Turn(), player, helpers, pieces, together, alone)
						}
						rounds += c.rounds
					}
				})
				if rounds < 5 && g.About().Name != "tiny" {
					t.Errorf("%d rounds of errands in a whole game", rounds)
				}
			})
		}
	}
}

// TestTheLastAnswerIsSharedToo: in the last turn but one of Bosk every answer to
// the best turns is looked at, as many as one would look at alone.
func TestTheLastAnswerIsSharedToo(t *testing.T) {
	g, looked := bot.Of(bosk.Game()), 0
	onTheWay(t, g, 2, 1000, "level:1", func(p game.Position) {
		if p.Turn() != 31 {
			return
		}
		for _, seed := range []string{"oak", "ash"} {
			ask := bot.Ask{Player: "level:8", Seed: seed, Explain: true}
			alone := alone(t, g, p, ask)
			for _, pieces := range []int{1, 3, 50} {
				c := &crew{t: t, g: g, p: p, ask: ask, helpers: make([]bot.Helper, 3), rng: rand.New(rand.NewPCG(4, uint64(pieces)))}
				if together := words(t, c.think(pieces)); together != alone {
					t.Errorf("%d pieces:\n     %s\nalone %s", pieces, together, alone)
				}
			}
			under, err := g.Begin(patient(t), p, ask, 3)
			if err != nil {
				t.Fatal(err)
			}
			for len(under.Errands()) > 0 {
				var reports []json.RawMessage
				for _, e := range under.Errands() {
					if strings.Contains(string(e), `"looks"`) {
						looked++
					}
					report, _, err := helper(t, g, p, ask).Do(context.Background(), e)
					if err != nil {
						t.Fatal(err)
					}
					reports = append(reports, report)
				}
				if err := under.GoOn(reports); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if looked == 0 {
		t.Error("no errand was about answers")
	}
}

// waiting is a thought in the middle of a game of Bosk that waits for its first
// errands, with a helper and who is to think.
func waiting(t testing.TB, pieces int) (*bot.Thinking, bot.Helper) {
	t.Helper()
	g := bot.Of(bosk.Game())
	p, ask := onTheWay(t, g, 2, 20, "level:1", func(game.Position) {}), bot.Ask{Player: "level:6", Seed: "elm"}
	under, err := g.Begin(patient(t), p, ask, pieces)
	if err != nil {
		t.Fatal(err)
	}
	if len(under.Errands()) != pieces || under.Thought() != nil {
		t.Fatalf("%d errands, and already %v", len(under.Errands()), under.Thought())
	}
	return under, helper(t, g, p, ask)
}

// reportsOf has all errands done.
func reportsOf(t testing.TB, under *bot.Thinking, h bot.Helper) []json.RawMessage {
	t.Helper()
	var reports []json.RawMessage
	for _, e := range under.Errands() {
		report, _, err := h.Do(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, report)
	}
	return reports
}

// TestNoReportCountsTwiceOrIsLost: who gives another list of reports than that of
// the errands is told so, and the thought waits on as if nothing had been given.
func TestNoReportCountsTwiceOrIsLost(t *testing.T) {
	under, h := waiting(t, 3)
	first := reportsOf(t, under, h)
	as := func(old, by string) []json.RawMessage {
		changed := strings.Replace(string(first[1]), old, by, 1)
		if changed == string(first[1]) {
			t.Fatalf("there is no %s in %s", old, changed)
		}
		return []json.RawMessage{first[0], json.RawMessage(changed), first[2]}
	}
	for _, c := range []struct {
		reports []json.RawMessage
		want    string
	}{
		{nil, `bot.reports {"errands":3,"reports":0}`},
		{first[:2], `bot.reports {"errands":3,"reports":2}`},
		{append(slices.Clone(first), first[0]), `bot.reports {"errands":3,"reports":4}`},
		{[]json.RawMessage{first[0], first[1], first[1]}, `bot.report {"path":"report.number"}`},
		{as(`"number":1`, `"number":3`), `bot.report {"path":"report.number"}`},
		{as(`"number":1`, `"number":-1`), `bot.report {"path":"report.number"}`},
		{as(`"number":1`, `"number":"1"`), `bot.report {"path":"report.number"}`},
		{as(`"number":1`, `"Number":1`), `bot.report {"path":"report.Number"}`},
		{as(`"number":1`, `"number":1,"number":1`), `json.twice {"field":"number"}`},
		{as(`"number":1`, `"number":1,"more":1`), `bot.report {"path":"report.more"}`},
		{as(`"sums":[[`, `"sums":[[1,2,3],[`), `bot.report {"path":"report.sums"}`},
		{as(`"sums":[[`, `"sums":[["x",`), `bot.report {"path":"report.sums"}`},
		{as(`"sums":[[`, `"sums":[[0.5,`), `bot.report {"path":"report.sums"}`},
		{as(`{"number":1,"sums"`, `{"number":1,"suns"`), `bot.report {"path":"report.suns"}`},
		{[]json.RawMessage{first[0], first[1], []byte(`nonsense`)}, `json.object {}`},
	} {
		if err := under.GoOn(c.reports); fmt.Sprint(err) != c.want {
			t.Errorf("%s\n is answered by %v, not %s", c.reports, err, c.want)
		}
	}
	if err := under.GoOn(first); err != nil {
		t.Fatal(err)
	}
	if len(under.Errands()) == 0 {
		t.Fatal("there is but one round")
	}
	if err := under.GoOn(first); fmt.Sprint(err) != `bot.report {"path":"report.number"}` {
		t.Errorf("reports of the round before are answered by %v", err)
	}
	for len(under.Errands()) > 0 {
		if err := under.GoOn(reportsOf(t, under, h)); err != nil {
			t.Fatal(err)
		}
	}
	if under.Thought() == nil || under.Thought().Cut {
		t.Errorf("it ends with %+v", under.Thought())
	}
	if err := under.GoOn(first); fmt.Sprint(err) != `bot.no-errands {}` {
		t.Errorf("after the thought: %v", err)
	}
}

// TestAnErrandIsOfItsPosition: a helper does nothing that the seat may not play,
// and nothing without end.
func TestAnErrandIsOfItsPosition(t *testing.T) {
	under, h := waiting(t, 1)
	defer under.Stop()
	good := string(under.Errands()[0])
	for _, c := range []struct{ old, by, want string }{
		{good, `7`, `bot.errand {"path":"errand"}`},
		{good, `{"number":1,"lines":[]}`, `bot.errand {"path":"errand.lines"}`},
		{good, `{"number":1,"lines":[[]],"to":5,"ms":100}`, `bot.errand {"path":"errand.lines"}`},
		{`"lines":[[`, `"lines":[` + strings.Repeat("[],", 1000) + `[`, `bot.errand {"path":"errand.lines"}`},
		{`"lines":[[`, `"lines":[[` + strings.Repeat("{},", 20), `bot.errand {"path":"errand.lines"}`},
		{`"lines":[[{"do":"shed"`, `"lines":[[{"do":"dance"`, `move.do {"do":"dance"`},
		{`"lines":[[{"do":"shed"`, `"lines":[[{"do":"leaf","to":[0,0]},{"do":"shed"`, `bosk.not-now {"do":"leaf"`},
		{`]],"to":`, `]],"from":-1,"to":`, `bot.errand {"path":"errand.to"}`},
		{`]],"to":`, `]],"from":1000,"to":`, `bot.errand {"path":"errand.to"}`},
		{`]],"to":`, `]],"to":1000000`, `bot.errand {"path":"errand.to"}`},
		{`]],"to":`, `]],"looks":5,"to":`, `bot.errand {"path":"errand.to"}`},
		{`]],"to":`, `]],"looks":-5,"to":`, `bot.errand {"path":"errand.looks"}`},
		{`]],"to":`, `]],"looks":1000001,"to":`, `bot.errand {"path":"errand.looks"}`},
		{`"ms":`, `"ms":-`, `bot.errand {"path":"errand.ms"}`},
		{`"ms":`, `"ms":99999999`, `bot.errand {"path":"errand.ms"}`},
		{`"ms":`, `"ms":"`, `json.object {}`},
	} {
		bad := strings.Replace(good, c.old, c.by, 1)
		report, _, err := h.Do(context.Background(), json.RawMessage(bad))
		if bad == good || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.200s\n is answered by %s %v, not %s", bad, report, err, c.want)
		}
	}
	if _, cut, err := h.Do(context.Background(), json.RawMessage(good)); cut || err != nil {
		t.Errorf("after all that: %v %v", cut, err)
	}
	var endless struct {
		Number int                 `json:"number"`
		Lines  [][]json.RawMessage `json:"lines"`
		To     int                 `json:"to"`
		MS     int                 `json:"ms"`
	}
	if err := json.Unmarshal([]byte(good), &endless); err != nil {
		t.Fatal(err)
	}
	endless.Lines, endless.To, endless.MS = endless.Lines[:1], 1_000_000, 1
	raw, err := json.Marshal(endless)
	if err != nil {
		t.Fatal(err)
	}
	if report, cut, err := h.Do(context.Background(), raw); !cut || err != nil {
		t.Errorf("a million playouts in a millisecond: %s %v", report, err)
	}
}

// TestWhoSharesNothing has no helpers: references, and who has but one move.
func TestWhoSharesNothing(t *testing.T) {
	g := bot.Of(bosk.Game())
	p := begin(t, g, 2)
	for _, player := range []string{bot.Random, bot.Easy, bot.Greedy, bot.Ahead, "flat:10", "ismcts:10"} {
		under, err := g.Begin(context.Background(), p, bot.Ask{Player: player, Seed: "elm"}, 5)
		if err != nil || under.Thought() == nil || len(under.Errands()) > 0 {
			t.Errorf("%s: %v", player, err)
		}
		if _, err := g.Helper(p, bot.Ask{Player: player}); fmt.Sprint(err) != `bot.no-errands {}` {
			t.Errorf("%s: %v", player, err)
		}
	}
	var fault *game.Fault
	if _, err := g.Helper(p, bot.Ask{Player: "oracle"}); !errors.As(err, &fault) || fault.Key != "bot.player" {
		t.Errorf("a helper of nobody: %v", err)
	}
}

// TestTimeIsUpForHelpersToo: an errand says how long whoever thinks will wait; what
// is cut counts for nothing, and what was found before it is played.
func TestTimeIsUpForHelpersToo(t *testing.T) {
	g := bot.Of(bosk.Game())
	p, ask := onTheWay(t, g, 2, 20, "level:1", func(game.Position) {}), bot.Ask{Player: "level:6", Seed: "elm"}
	under, err := g.Begin(patient(t), p, ask, 2)
	if err != nil {
		t.Fatal(err)
	}
	var first struct{ MS int }
	if err := json.Unmarshal(under.Errands()[0], &first); err != nil || first.MS < 1 || first.MS > 3_600_000 {
		t.Errorf("it waits for %d ms: %v", first.MS, err)
	}
	h := helper(t, g, p, ask)
	gone, stop := context.WithCancel(context.Background())
	stop()
	late, cut, err := h.Do(gone, under.Errands()[1])
	if err != nil || !cut || string(late) != `{"number":1,"cut":true}` {
		t.Errorf("nobody waits, and it reports %s %v %v", late, cut, err)
	}
	good, _, err := helper(t, g, p, ask).Do(context.Background(), under.Errands()[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := under.GoOn([]json.RawMessage{late, good}); err != nil {
		t.Fatal(err)
	}
	thought := under.Thought()
	if thought == nil || !thought.Cut || len(thought.Line) == 0 || thought.Options[0].Win != nil {
		t.Errorf("it ends with %+v", thought)
	}
}

// TestWhoIsStoppedThinksNoMore.
func TestWhoIsStoppedThinksNoMore(t *testing.T) {
	under, h := waiting(t, 2)
	reports := reportsOf(t, under, h)
	under.Stop()
	under.Stop()
	if err := under.GoOn(reports); fmt.Sprint(err) != `bot.no-errands {}` || len(under.Errands()) > 0 || under.Thought() != nil {
		t.Errorf("it goes on: %v", err)
	}
}

// FuzzErrand hands anything at all to a helper for whom nobody waits: it refuses,
// or reports.
func FuzzErrand(f *testing.F) {
	under, h := waiting(f, 2)
	for _, errand := range under.Errands() {
		f.Add([]byte(errand))
	}
	f.Add([]byte(`{"number":1,"lines":[[{"do":"shed","at":[2,7],"tile":8}]],"looks":5,"ms":100}`))
	gone, stop := context.WithCancel(context.Background())
	stop()
	f.Fuzz(func(t *testing.T, raw []byte) {
		report, cut, err := h.Do(gone, raw)
		if err == nil && !json.Valid(report) || err != nil && (report != nil || cut) {
			t.Errorf("%q is answered by %q, %v, %v", raw, report, cut, err)
		}
	})
}

// FuzzReports gives anything at all in place of a report: it is refused, or is as
// good as the one that it stands for.
func FuzzReports(f *testing.F) {
	under, h := waiting(f, 1)
	f.Add([]byte(reportsOf(f, under, h)[0]))
	f.Add([]byte(`{"number":0,"cut":true}`))
	under.Stop()
	f.Fuzz(func(t *testing.T, raw []byte) {
		under, _ := waiting(t, 1)
		defer under.Stop()
		if err := under.GoOn([]json.RawMessage{raw}); err != nil && (len(under.Errands()) != 1 || under.Thought() != nil) {
			t.Errorf("%q is refused by %v, and nothing waits any more", raw, err)
		}
	})
}
