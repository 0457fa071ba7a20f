package treesociety

import (
	"encoding/json"
	"errors"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestViewForAHumanToRead compares what everybody sees in the middle of an effect
// with a file that somebody has read.
func TestViewForAHumanToRead(t *testing.T) {
	r, s := midEffect(t)
	raw, err := json.Marshal(r.ViewJSON(&s))
	if err != nil {
		t.Fatal(err)
	}
	options := UsualOptions()
	options.Starts = false
	gametest.View(t, game.Of(played(r.box, options)), game.Settings{Seats: 2}, 0, raw, "testdata/views/effect.json")
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
		"no job":                     {&s, func(v object) { v["job"] = nil }, ``}, // as if there had been none
		"another stage":              {&s, func(v object) { v["job"].(object)["stage"] = "asked" }, `view.impossible view.job`},
		"a stage that there is not":  {&s, func(v object) { v["job"].(object)["stage"] = "done" }, `view.impossible view.job`},
		"an effect of nothing":       {&s, func(v object) { v["job"].(object)["level"] = 2 }, `view.impossible view.job.clause`},
		"past its end":               {&s, func(v object) { v["job"].(object)["clause"] = 3 }, `view.impossible view.job.clause`},
		"at its end":                 {&s, func(v object) { v["job"].(object)["clause"] = 2 }, `view.impossible view.job.clause`},
		"a price":                    {&s, func(v object) { v["job"].(object)["price"] = "free" }, `view.impossible view.job.price`},
		"a price that there is not":  {&s, func(v object) { v["job"].(object)["price"] = "less 13" }, `view.impossible view.job`},
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
