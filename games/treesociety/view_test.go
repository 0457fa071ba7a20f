package treesociety

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestViewForAHumanToRead compares what everybody sees in the middle of an effect
// with a file that somebody has read.
func TestViewForAHumanToRead(t *testing.T) {
	newer, s := midEffect(t)
	for version, r := range map[int]*Rules{1: version1(newer), 2: newer} {
		raw, err := json.Marshal(r.ViewJSON(&s))
		if err != nil {
			t.Fatal(err)
		}
		path := map[int]string{1: "testdata/views/effect.json", 2: "testdata/views/effect-2.json"}[version]
		gametest.View(t, game.Of(played(r.box, r.options)), game.Settings{Seats: 2, Version: version}, 0, raw, path)
	}
}

// midEffect is a position with a bit of everything: the sold fruit's action waits
// for its choice while an effect does, and there are prices and reductions.
func midEffect(t *testing.T) (*Rules, Position) {
	t.Helper()
	r := plainRules(t, 2, acting(1, "sell"), leafy(16), effect(15, 1, `{"while":[{"verb":"cheaper","half":true},{"verb":"better-sale","amount":1}]}`),
		do(14, 1, `{"verb":"sell","more":1},{"verb":"raise","less":1,"other":true}`))
	s := picture(t, r, `
0: purse 9 chest 2 row 16 31 46 pile 61 62 progress 15/1 - 20/2 completed 27 39
1: purse 1 chest 1 row 2 17 32 progress 28/1
market 5 14 26 top 38 - 29
stall 3 18 33 47 63
discards 40 41
turn 0 round 3 build sold 1`)
	play(t, r, &s, "found 14", "use", "action")
	return r, s
}

// quoted are the cards of a view's quotes with their prices.
func quoted(r *Rules, s *Position) string {
	var list []string
	for _, q := range r.ViewJSON(s).(View).Quotes {
		list = append(list, fmt.Sprintf("%d/%d for %d", q.Card, q.Level, q.Price))
	}
	return strings.Join(list, ", ")
}

// While an effect waits or is being done, quotes show what it can build and
// nothing else.
func TestQuotesShowWhatAnEffectCanBuild(t *testing.T) {
	r := plainRules(t, 2, acting(1, "sell"), acting(4, "build"), costing(14, 2, 2, 2),
		do(14, 1, `{"verb":"sell"},{"verb":"found","less":1,"guild":"merchants"}`), do(14, 2, `{"verb":"raise","half":true,"other":true}`),
		do(14, 3, `{"verb":"coins","amount":1}`), do(26, 1, `{"verb":"draw-guild","count":2,"less":1}`),
		do(27, 1, `{"verb":"build","guild":"writers"}`), effect(38, 1, `{"first":[{"verb":"sell"}]}`))
	drawn := strings.Replace(rich, "row 16 31", "row 16 31 47 progress 15/1", 1)
	drawn = strings.Replace(drawn, "6 15", "6 27", 1)
	asks := func(s *Position, want string) {
		t.Helper()
		if got := quoted(r, s); got != want {
			t.Errorf("quotes are %s, want %s, in\n%s", got, want, r.draw(s))
		}
	}
	s := picture(t, r, drawn)
	const all = "5/1 for 2, 14/1 for 2, 26/1 for 2, 38/1 for 3, 6/1 for 3, 27/1 for 3, 15/2 for 3"
	asks(&s, all)
	play(t, r, &s, "found 14") // asked: use or skip
	asks(&s, "26/1 for 1, 27/1 for 2")
	play(t, r, &s, "use") // asked for the sale before it
	asks(&s, "26/1 for 1, 27/1 for 2")
	play(t, r, &s, "action") // and for another sale before that
	asks(&s, "26/1 for 1, 27/1 for 2")
	play(t, r, &s, "sell 16", "sell 31")
	asks(&s, "26/1 for 1, 27/1 for 2")
	play(t, r, &s, "found 26")
	asks(&s, "") // what it draws is not known yet
	play(t, r, &s, "use", "guild 40", "guild 41")
	asks(&s, "40/1 for 1, 41/1 for 1")
	play(t, r, &s, "discard 15", "keep-none")
	asks(&s, "5/1 for 2, 38/1 for 3, 6/1 for 3, 27/1 for 3, 14/2 for 2, 26/2 for 3")
	play(t, r, &s, "raise 14") // another card for half
	asks(&s, "26/2 for 2")
	play(t, r, &s, "skip", "raise 14") // coins
	asks(&s, "")
	play(t, r, &s, "use", "found 27") // of one guild
	asks(&s, "38/1 for 3")
	play(t, r, &s, "use", "found 38") // which demands a sale first
	asks(&s, "38/1 for 3")
	// The fruit action is no effect: it builds anything, or nothing is changed by it.
	s = picture(t, r, drawn)
	play(t, r, &s, "action")
	asks(&s, all)
	s = picture(t, r, strings.Replace(drawn, "sold 1", "sold 4", 1))
	play(t, r, &s, "action")
	asks(&s, "5/1 for 0, 14/1 for 0, 26/1 for 0, 38/1 for 1, 6/1 for 1, 27/1 for 1, 15/2 for 1")
}

// The price of a job is what the demanded level will cost as things are.
func TestTheJobsPriceIsWhatTheLevelWillCost(t *testing.T) {
	r := plainRules(t, 2, costing(38, 6, 1, 1), effect(38, 1, `{"first":[{"verb":"discard"}]}`), do(14, 1, `{"verb":"found","less":1}`),
		effect(15, 1, `{"while":[{"verb":"cheaper","half":true}]}`))
	s := picture(t, r, strings.Replace(strings.Replace(rich, "row 16 31", "row 16 31 progress 15/1", 1), "6 15", "6 29", 1))
	play(t, r, &s, "found 14", "use", "found 38")
	if job := r.ViewJSON(&s).(View).Job; job.Price != 4 || *job.Cut != "less 1" { // half of 6, and the coin for the top row
		t.Errorf("the price is %v (%s)", job.Price, *job.Cut)
	}
	if job := version1(r).ViewJSON(&s).(View).Job; job.Price != "less 1" || job.Cut != nil {
		t.Errorf("the price of version 1 is %v", job.Price)
	}
	after := s
	play(t, r, &after, "discard 14")
	shows(t, r, &after, "0: purse 25 row 16 31 progress 15/1 38/1 -")
	play(t, r, &s, "discard 15") // what made it cheap is gone
	shows(t, r, &s, "0: purse 23 row 16 31 progress 38/1 14/1 -")
	play(t, r, &s, "rest")
	if job := r.ViewJSON(&s).(View).Job; job != nil {
		t.Errorf("a job at rest: %v", job)
	}
	s = picture(t, r, strings.Replace(rich, "6 15", "6 29", 1))
	play(t, r, &s, "found 14")
	if job := r.ViewJSON(&s).(View).Job; job.Price != nil || *job.Cut != "" {
		t.Errorf("nothing is demanded, and the price is %v", job.Price)
	}
}

// The turns of a view are turns: picks of a draft are none.
func TestTheTurnsOfAViewAreThoseThatAreDone(t *testing.T) {
	options := UsualOptions()
	options.Draft = true
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), options)
		s, rng := r.Start(), rand.New(rand.NewPCG(12, uint64(seats)))
		rested := 0
		for r.ToAct(&s) != game.None {
			by := r.ToAct(&s)
			list := r.Moves(&s, by, nil)
			m := list[rng.IntN(len(list))]
			before := s
			r.Play(&s, by, m, nil)
			if s.phase > drafting && before.phase > drafting && r.Turn(&s) > r.Turn(&before) {
				rested++
			}
			if got := r.ViewJSON(&s).(View).Turn; got != rested {
				t.Fatalf("%d turns are done, and the view says %d in\n%s", rested, got, r.draw(&s))
			}
		}
		if rested != int(s.round)*seats {
			t.Errorf("%d turns in %d rounds of %d seats", rested, s.round, seats)
		}
	}
}

// The income of a player is all that its lasting effects bring when it rests,
// wherever it goes; what is in the purse then is counted with it (3.9, 4.2).
func TestTheIncomeIsWhatRestBrings(t *testing.T) {
	r := plainRules(t, 2, effect(20, 1, `{"while":[{"verb":"income","amount":2},{"verb":"income","amount":3,"to":"purse"}]}`),
		effect(21, 1, `{"while":[{"verb":"income","amount":4}]}`), effect(27, 1, `{"while":[{"verb":"bigger-purse","amount":2}]}`))
	s := picture(t, r, strings.Replace(rich, "purse 30 row 16 31", "purse 5 chest 1 row 16 31 progress 20/1 21/1 27/1", 1))
	if me := r.ViewJSON(&s).(View).Players[0]; me.Income != 9 || me.Keeps != 4 {
		t.Errorf("the income is %d, and %d are kept", me.Income, me.Keeps)
	}
	facts := r.Facts(&s, 0, move(Rest, 0))
	for name, want := range map[string]any{"income": 9, "lost": 4, "keeps": 4, "chest": 7, "purse": 11} {
		if facts[name] != want {
			t.Errorf("%s is %v, want %v", name, facts[name], want)
		}
	}
	play(t, r, &s, "rest")
	log := play(t, r, &s, "take 3")
	tells(t, log, "income", `{"coins":9,"seat":0}`)
	tells(t, log, "coins", `{"chest":7,"lost":4,"purse":11,"seat":0}`)
}

// TestForgedViewsAreRefused changes views that were sent in every way that would
// help or hurt somebody, and names where each is caught.
func TestForgedViewsAreRefused(t *testing.T) {
	r, s := midEffect(t)
	quietly := picture(t, r, quiet)
	begun := r.Start()
	ended := wander(r, 9, toTheEnd)
	type object = map[string]any
	player := func(v object, seat int) object { return v["players"].([]any)[seat].(object) }
	for name, c := range map[string]struct {
		s     *Position
		forge func(v object)
		want  string
	}{
		"as it was sent":             {&s, func(object) {}, ``},
		"as it was sent, to sell":    {&quietly, func(object) {}, ``},
		"as it was sent, begun":      {&begun, func(object) {}, ``},
		"as it was sent, over":       {&ended, func(object) {}, ``},
		"another phase":              {&s, func(v object) { v["phase"] = "sell" }, `view.impossible view.action`},
		"no phase":                   {&s, func(v object) { v["phase"] = "feast" }, `view.impossible view.phase`},
		"more seats":                 {&s, func(v object) { v["seats"] = 3 }, `view.impossible view.seats`},
		"another actor":              {&s, func(v object) { v["actor"] = 1 }, `view.impossible view.turn`},
		"no such actor":              {&s, func(v object) { v["actor"] = 2 }, `view.impossible view.actor`},
		"a later turn":               {&s, func(v object) { v["turn"] = 5 }, `view.impossible view.turn`},
		"turns without end":          {&s, func(v object) { v["turn"] = 254 }, `view.impossible view.turn`},
		"an earlier round":           {&s, func(v object) { v["round"] = 0 }, `view.impossible view.turn`},
		"a full purse":               {&s, func(v object) { player(v, 0)["purse"] = 40001 }, `view.impossible view.players[0].purse`},
		"debts":                      {&s, func(v object) { player(v, 0)["chest"] = -1 }, `view.impossible view.players[0].chest`},
		"a purse that keeps all":     {&s, func(v object) { player(v, 0)["keeps"] = 9 }, `view.differs view.players[0].keeps`},
		"somebody else's fruit":      {&s, func(v object) { player(v, 0)["row"] = []any{16, 31, 2} }, `view.impossible view.players[1].row[0]`},
		"no fruit card":              {&s, func(v object) { player(v, 0)["row"] = []any{16, 31, 76} }, `view.impossible view.players[0].row[2]`},
		"fruit for a crowd":          {&s, func(v object) { player(v, 0)["row"] = []any{16, 31, 15} }, `view.impossible view.players[0].row[2]`},
		"fruit gone":                 {&s, func(v object) { player(v, 0)["row"] = []any{16} }, `view.impossible view.orchard`},
		"a guild gone":               {&s, func(v object) { player(v, 0)["completed"] = []any{27} }, `view.impossible view.deck`},
		"a guild twice":              {&s, func(v object) { player(v, 0)["completed"] = []any{27, 39, 40} }, `view.impossible view.discards[0]`},
		"a guild of another game":    {&s, func(v object) { player(v, 0)["completed"] = []any{27, 50} }, `view.impossible view.deck`},
		"a fourth place":             {&s, func(v object) { player(v, 0)["progress"] = []any{nil, nil, nil, nil} }, `view.impossible view.players[0].progress`},
		"level 3 in progress":        {&s, func(v object) { player(v, 0)["progress"].([]any)[2].(object)["level"] = 3 }, `view.impossible view.players[0].progress[2].level`},
		"banners":                    {&s, func(v object) { player(v, 0)["all"] = 6 }, `view.differs view.players[0].all`},
		"a narrow market":            {&s, func(v object) { v["market"].(object)["top"] = []any{38, nil} }, `view.impossible view.market`},
		"a wide stall":               {&s, func(v object) { v["stall"] = append(v["stall"].([]any), nil) }, `view.impossible view.stall`},
		"sold the same type twice":   {&s, func(v object) { v["sold"] = []any{1, 4}; v["orchard"] = v["orchard"].([]any)[1:] }, `view.impossible view.sold[1]`},
		"no sale":                    {&s, func(v object) { v["sold"] = []any{}; v["action"] = nil }, `view.impossible view.orchard`},
		"an action without a sale":   {&quietly, func(v object) { v["action"] = object{"state": "waiting"} }, `view.impossible view.action`},
		"the action again":           {&s, func(v object) { v["action"].(object)["state"] = "again" }, `view.impossible view.action.state`},
		"another action":             {&s, func(v object) { v["action"].(object)["action"] = "build" }, `view.differs view.action.action`},
		"no job":                     {&s, func(v object) { v["job"] = nil }, `view.differs view.quotes`},
		"another stage":              {&s, func(v object) { v["job"].(object)["stage"] = "asked" }, `view.impossible view.job`},
		"a stage that there is not":  {&s, func(v object) { v["job"].(object)["stage"] = "done" }, `view.impossible view.job`},
		"an effect of nothing":       {&s, func(v object) { v["job"].(object)["level"] = 2 }, `view.impossible view.job.clause`},
		"past its end":               {&s, func(v object) { v["job"].(object)["clause"] = 3 }, `view.impossible view.job.clause`},
		"at its end":                 {&s, func(v object) { v["job"].(object)["clause"] = 2 }, `view.impossible view.job.clause`},
		"a price":                    {&s, func(v object) { v["job"].(object)["price"] = 0 }, `view.differs view.job.price`},
		"cheaper":                    {&s, func(v object) { v["job"].(object)["cut"] = "free" }, `view.impossible view.job.cut`},
		"no cut":                     {&s, func(v object) { delete(v["job"].(object), "cut") }, `view.impossible view.job`},
		"a cut that there is not":    {&s, func(v object) { v["job"].(object)["cut"] = "less 13" }, `view.impossible view.job`},
		"drawn":                      {&s, func(v object) { v["job"].(object)["drawn"] = true }, `view.impossible view.job.drawn`},
		"to draw":                    {&s, func(v object) { v["draws"] = 2 }, `view.impossible view.shown`},
		"shown":                      {&s, func(v object) { v["shown"] = []any{41}; v["discards"] = []any{40} }, `view.impossible view.shown`},
		"filling":                    {&s, func(v object) { v["filling"] = true }, `view.differs view.asked`},
		"the last round":             {&s, func(v object) { v["last"] = 4 }, `view.impossible view.last`},
		"the end in sight":           {&s, func(v object) { v["end"] = []any{"banners"}; v["last"] = 9 }, `view.impossible view.last`},
		"the end for no reason":      {&s, func(v object) { v["end"] = []any{"boredom"} }, `view.impossible view.end`},
		"fruit that has not run out": {&s, func(v object) { v["end"] = []any{"fruit"}; v["last"] = 3 }, `view.impossible view.last`},
		"over":                       {&quietly, func(v object) { v["phase"] = "over" }, `view.impossible view.last`},
		"prices":                     {&s, func(v object) { v["prices"].([]any)[0].(object)["bonus"] = 9 }, `view.differs view.prices[0].bonus`},
		"a quote":                    {&s, func(v object) { v["quotes"].([]any)[0].(object)["price"] = 0 }, `view.differs view.quotes[0].price`},
		"another first card":         {&begun, func(v object) { v["market"].(object)["bottom"] = []any{nil, 5, nil}; v["deck"] = v["deck"].([]any)[1:] }, `view.impossible view.deck[3]`},
	} {
		raw, err := json.Marshal(r.ViewJSON(c.s))
		if err != nil {
			t.Fatal(err)
		}
		var v object
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		c.forge(v)
		if raw, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
		options := UsualOptions()
		options.Starts = false
		_, err = game.Of(played(r.box, options)).Open(game.Settings{Seats: 2}, 0, raw)
		got := ""
		if fault := (*game.Fault)(nil); errors.As(err, &fault) {
			got = fault.Key + " " + fault.Args["path"].(string)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
