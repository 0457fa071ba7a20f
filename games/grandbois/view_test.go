package grandbois

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// writeViews is the environment variable under which views that are missing in
// testdata are written.
const writeViews = "COPSE_WRITE_VIEWS"

// TestViewsForAHumanToRead compares what each seat and a watcher see in the
// middle of a game with files that somebody has read: the clans are the only
// difference, and nobody sees those of others.
func TestViewsForAHumanToRead(t *testing.T) {
	r := New(3, DefaultBox(), false)
	s := wander(r, 6, 46)
	for name, viewer := range map[string]game.Seat{"seat-0": 0, "seat-1": 1, "seat-2": 2, "watcher": game.Watcher} {
		var view Position
		r.See(&s, viewer, &view)
		shown, err := json.MarshalIndent(r.ViewJSON(&view), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		shown = append(compact(shown), '\n')
		path := filepath.Join("testdata", "views", name+".json")
		want, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) && os.Getenv(writeViews) != "" {
			want, err = shown, os.MkdirAll(filepath.Dir(path), 0o755)
			if err == nil {
				err = os.WriteFile(path, shown, 0o644)
			}
		}
		if err != nil {
			t.Fatalf("%v: write it with %s=1 go test -run %s", err, writeViews, t.Name())
		}
		if !bytes.Equal(shown, want) {
			t.Errorf("%s is not what %v sees now:\n%s", path, viewer, shown)
		}
		if _, err := game.Of(Game()).Open(game.Settings{Seats: 3}, viewer, want); err != nil {
			t.Errorf("%s cannot be opened: %v", path, err)
		}
	}
}

// compact writes what is innermost (a space, a tile, a player) on one line.
func compact(indented []byte) []byte {
	var lines []string
	for line := range strings.Lines(string(indented)) {
		line = strings.TrimRight(line, "\n")
		deep := len(line) - len(strings.TrimLeft(line, " "))
		if last := len(lines) - 1; deep > 4 || deep == 4 && strings.HasPrefix(line[4:], "}") {
			if strings.HasSuffix(lines[last], ",") {
				lines[last] += " "
			}
			lines[last] += strings.TrimLeft(line, " ")
			continue
		}
		lines = append(lines, line)
	}
	return []byte(strings.Join(lines, "\n"))
}

// middle is a position with a bit of everything: seat 0 has put up a tower, seat
// 1 is to decide about one.
func middle(t *testing.T) (*Rules, Position) {
	t.Helper()
	r := New(3, DefaultBox(), false)
	s := dealt(t, r, 8, 1, 30, 9)
	play(t, r, &s,
		`{"do":"place","tile":8,"x":1,"y":0,"turn":1}`, `{"do":"reveal","tile":10}`, `{"do":"tower"}`,
		`{"do":"place","tile":9,"x":-1,"y":-1,"turn":2}`, `{"do":"reveal","tile":11}`)
	shows(t, r, &s, `
-1 -1
l4  t2  .   .
t2  o   f2  T0
.   o   f2  t4`)
	return r, s
}

// TestForgedViewsAreRefused changes views that were sent in every way that would
// help or hurt somebody, and names where each is caught.
func TestForgedViewsAreRefused(t *testing.T) {
	r, s := middle(t)
	placing := s
	play(t, r, &placing, `{"do":"no-tower"}`)
	drawn := placing
	play(t, r, &drawn, `{"do":"place","tile":11,"x":0,"y":1,"turn":0}`)
	ended := wander(r, 9, toTheEnd)
	begun := r.Start()
	type object = map[string]any
	list := func(v any, field string) []any { return v.(object)[field].([]any) }
	item := func(v any, field string, i int) object { return list(v, field)[i].(object) }
	for name, c := range map[string]struct {
		s     *Position
		forge func(v object)
		want  string
	}{
		"as it was sent":              {&s, func(object) {}, ``},
		"as it was sent, to place":    {&placing, func(object) {}, ``},
		"as it was sent, to reveal":   {&drawn, func(object) {}, ``},
		"as it was sent, over":        {&ended, func(object) {}, ``},
		"as it was sent, begun":       {&begun, func(object) {}, ``},
		"another seat's view":         {&s, func(v object) { v["viewer"] = 1 }, `view.impossible view.players[0].clans`},
		"no such viewer":              {&s, func(v object) { v["viewer"] = 3 }, `view.impossible view.viewer`},
		"the truth":                   {&s, func(v object) { v["viewer"] = "none" }, `view.impossible view.viewer`},
		"chance":                      {&s, func(v object) { v["viewer"] = "chance" }, `view.impossible view.viewer`},
		"more seats":                  {&s, func(v object) { v["seats"] = 4 }, `view.impossible view.seats`},
		"a player missing":            {&s, func(v object) { v["players"] = list(v, "players")[:2] }, `view.impossible view.seats`},
		"expert":                      {&s, func(v object) { v["expert"] = true }, `view.differs view.expert`},
		"another's clan":              {&s, func(v object) { item(v, "players", 1)["clans"] = []any{"fox"} }, `view.impossible view.players[1].clans`},
		"two clans":                   {&s, func(v object) { item(v, "players", 0)["clans"] = []any{"fox", "toad"} }, `view.impossible view.players[0].clans`},
		"no clan":                     {&s, func(v object) { item(v, "players", 0)["clans"] = []any{} }, `view.impossible view.players[0].clans`},
		"own clan unknown":            {&s, func(v object) { item(v, "players", 0)["clans"] = nil }, `view.impossible view.players[0].clans`},
		"no such clan":                {&s, func(v object) { item(v, "players", 0)["clans"] = []any{"bear"} }, `view.impossible view.players[0].clans`},
		"clans not yet dealt":         {&s, func(v object) { item(v, "players", 2)["dealt"] = 0 }, `view.impossible view.asked`},
		"clans dealt out of order":    {&begun, func(v object) { item(v, "players", 2)["dealt"] = 1 }, `view.impossible view.players[0].dealt`},
		"too many clans":              {&s, func(v object) { item(v, "players", 0)["dealt"] = 200 }, `view.impossible view.players[0].dealt`},
		"a clan twice at the end":     {&ended, func(v object) { item(v, "players", 1)["clans"] = item(v, "players", 0)["clans"] }, `view.impossible view.players[1].clans`},
		"a clan unknown at the end":   {&ended, func(v object) { item(v, "players", 1)["clans"] = nil }, `view.impossible view.players[1].clans`},
		"a tower more":                {&s, func(v object) { item(v, "players", 1)["towers"] = 2 }, `view.differs view.players[1].towers`},
		"a tower back in hand":        {&s, func(v object) { item(v, "players", 0)["towers"] = 1 }, `view.differs view.players[0].towers`},
		"a tower without a clearing":  {&ended, func(v object) { item(v, "laid", tileWithout(v))["tower"] = true }, `view.impossible`},
		"a tower before the decision": {&s, func(v object) { item(v, "laid", 1)["tower"] = true }, `view.impossible view.asked`},
		"a tower taken away":          {&s, func(v object) { item(v, "laid", 0)["tower"] = false }, `view.differs view.`},
		"a space that shows more":     {&s, func(v object) { item(v, "forest", 0)["shows"] = "toad-4" }, `view.differs view.forest[0].shows`},
		"a space too few":             {&s, func(v object) { v["forest"] = list(v, "forest")[1:] }, `view.differs view.forest`},
		"a space that is no object":   {&s, func(v object) { list(v, "forest")[0] = 7 }, `view.impossible view.forest`},
		"a tile moved":                {&s, func(v object) { item(v, "laid", 1)["x"] = -2 }, `view.impossible view.laid[1]`},
		"a tile far away":             {&s, func(v object) { item(v, "laid", 1)["x"] = 62 }, `view.impossible view.laid[1]`},
		"a tile very far away":        {&s, func(v object) { item(v, "laid", 1)["y"] = int64(1 << 40) }, `view.impossible view.laid[1]`},
		"a tile turned":               {&s, func(v object) { item(v, "laid", 1)["turn"] = 0 }, `view.differs view.`},
		"a tile turned too often":     {&s, func(v object) { item(v, "laid", 1)["turn"] = 4 }, `view.impossible view.laid[1].turn`},
		"a tile laid twice":           {&s, func(v object) { item(v, "laid", 1)["tile"] = 8 }, `view.impossible view.laid[1].tile`},
		"no such tile":                {&s, func(v object) { item(v, "laid", 1)["tile"] = 37 }, `view.impossible view.laid[1].tile`},
		"by another seat":             {&s, func(v object) { item(v, "laid", 1)["seat"] = 0 }, `view.differs view.laid[1].seat`},
		"a tile in river and forest":  {&s, func(v object) { item(v, "river", 0)["tile"] = 8 }, `view.impossible view.river[0].tile`},
		"another tile in the river":   {&s, func(v object) { item(v, "river", 0)["tile"] = 2 }, `view.differs view.`},
		"a tile too few in the river": {&s, func(v object) { v["river"] = list(v, "river")[1:] }, `view.impossible view.asked`},
		"a tile too many":             {&s, func(v object) { v["river"] = append(list(v, "river"), list(v, "pile")[0]) }, `view.impossible view.river`},
		"a tile with other spaces":    {&s, func(v object) { list(item(v, "river", 0), "spaces")[0] = "fox-4" }, `view.differs view.river[0].spaces[0]`},
		"a tile less to come":         {&s, func(v object) { v["pile"] = list(v, "pile")[1:] }, `view.differs view.pile`},
		"nothing to decide":           {&s, func(v object) { v["asked"] = "place" }, `view.differs view.`},
		"a tower to decide":           {&placing, func(v object) { v["asked"] = "tower" }, `view.differs view.`},
		"a tower to decide too late":  {&drawn, func(v object) { v["asked"] = "tower" }, `view.impossible view.asked`},
		"a tile to reveal":            {&placing, func(v object) { v["asked"] = "reveal" }, `view.impossible view.asked`},
		"clans to deal":               {&s, func(v object) { v["asked"] = "deal" }, `view.impossible view.asked`},
		"over":                        {&placing, func(v object) { v["asked"] = "over" }, `view.impossible view.asked`},
		"not over":                    {&ended, func(v object) { v["asked"] = "place" }, `view.impossible view.asked`},
		"nothing asked":               {&s, func(v object) { v["asked"] = "" }, `view.impossible view.asked`},
		"a pass where a tile fits":    {&placing, func(v object) { v["passes"] = 1 }, `view.impossible view.passes`},
		"passes below none":           {&placing, func(v object) { v["passes"] = -1 }, `view.impossible view.passes`},
		"another turn":                {&s, func(v object) { v["turn"] = 4 }, `view.differs view.turn`},
		"another seat's turn":         {&s, func(v object) { v["toAct"] = 0 }, `view.differs view.toAct`},
		"another clearing":            {&s, func(v object) { v["clearing"] = object{"x": 0, "y": 1} }, `view.differs view.clearing.y`},
		"a word for a number":         {&s, func(v object) { v["passes"] = "none" }, `view.impossible view.passes`},
		"a field more":                {&s, func(v object) { v["secret"] = 1 }, `view.differs view.secret`},
		"a field less":                {&s, func(v object) { delete(v, "clearing") }, `view.differs view.clearing`},
	} {
		var view Position
		r.See(c.s, 0, &view)
		var v object
		if err := json.Unmarshal([]byte(asJSON(t, r.ViewJSON(&view))), &v); err != nil {
			t.Fatal(err)
		}
		c.forge(v)
		p, err := game.Of(Game()).Open(game.Settings{Seats: 3}, 0, json.RawMessage(asJSON(t, v)))
		got := ""
		if fault := (*game.Fault)(nil); errors.As(err, &fault) {
			got = fault.Key + " " + fault.Args["path"].(string)
		} else if p == nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// tileWithout is the first tile laid that shows no clearing.
func tileWithout(v map[string]any) int {
	for i, laid := range v["laid"].([]any) {
		if !slices.Contains(laid.(map[string]any)["spaces"].([]any), any("clearing")) {
			return i
		}
	}
	return -1
}

// TestAStuckTableCanBeOpened goes round through JSON at every pass.
func TestAStuckTableCanBeOpened(t *testing.T) {
	r := New(3, bearBox(5), false)
	s := dealt(t, r, 1, 2, 3, 4)
	play(t, r, &s,
		`{"do":"place","tile":1,"x":-1,"y":-1,"turn":0}`, `{"do":"reveal","tile":5}`,
		`{"do":"place","tile":2,"x":1,"y":-1,"turn":0}`, `{"do":"place","tile":3,"x":-1,"y":1,"turn":0}`,
		`{"do":"place","tile":4,"x":1,"y":1,"turn":0}`)
	for passes := 0; ; passes++ {
		var view Position
		r.See(&s, 1, &view)
		raw := asJSON(t, r.ViewJSON(&view))
		if back, err := r.ReadView([]byte(raw)); err != nil || back != view {
			t.Fatalf("after %d passes the view is not read back: %v", passes, err)
		}
		more := strings.Replace(raw, `"passes":`, `"passes":1`, 1) // ten more
		if _, err := r.ReadView([]byte(more)); err == nil {
			t.Errorf("after %d passes the view of ten more is taken", passes)
		}
		if s.phase == over {
			break
		}
		play(t, r, &s, `{"do":"pass"}`)
	}
}
