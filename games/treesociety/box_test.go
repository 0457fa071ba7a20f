package treesociety

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// boxOption is the option that names the box.
func boxOption(t *testing.T) string {
	t.Helper()
	for _, o := range Game().Options {
		if o.Name == "box" {
			return o.Default.(string)
		}
	}
	t.Fatal("there is no option for a box")
	return ""
}

func TestTheBoxThatComesWithCopseIsGood(t *testing.T) {
	box := DefaultBox()
	perGuild, perType, starts, crowd := map[string]int{}, map[string]int{}, 0, map[string]int{}
	for _, c := range box.Cards {
		perGuild[c.Guild]++
		if c.Start {
			starts++
		}
	}
	for _, f := range box.Fruits {
		perType[f.Type]++
		if f.Crowd {
			crowd[f.Type]++
		}
	}
	want := "map[architects:13 bankers:12 botanists:12 explorers:12 merchants:12 writers:12] " +
		"map[apple:15 blueberry:15 cherry:15 grape:15 orange:15] map[apple:5 blueberry:5 cherry:5 grape:5 orange:5]"
	if got := fmt.Sprint(perGuild, perType, crowd); got != want || starts < 4 {
		t.Errorf("the box holds %s and %d starting cards", got, starts)
	}
	about := Game().About
	whole, err := about.Box(json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := about.Box(whole)
	if err != nil || string(again) != string(whole) {
		t.Errorf("a box read again is another: %v", err)
	}
	if hash := game.BoxHash(whole); hash != boxOption(t) {
		t.Errorf("the box has hash %s, the option says %v", hash, boxOption(t))
	}
	if len(whole) > game.LargestBox {
		t.Errorf("the box takes %d bytes, which nobody may bring", len(whole))
	}
}

// TestNobodyCanSpoilTheStandardBox: boxes are handed out as copies.
func TestNobodyCanSpoilTheStandardBox(t *testing.T) {
	box := DefaultBox()
	box.Cards[0].Name, box.Cards[0].Levels[0].Cost, box.Fruits[0].Leaf = "spoiled", 12, !box.Fruits[0].Leaf
	if game.BoxHash(DefaultBox().written()) != boxOption(t) {
		t.Error("the box that comes with Copse has changed")
	}
}

// TestTheHouseDecksNeverChange: logs name them by their hashes for ever.
func TestTheHouseDecksNeverChange(t *testing.T) {
	files := []string{"testdata/box.hash", "testdata/box-2.hash", "testdata/box-3.hash"}
	list := printed()
	if len(list) != len(files) {
		t.Fatalf("%d house decks, and %d hashes", len(list), len(files))
	}
	for i, file := range files {
		want, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) && os.Getenv(gametest.WriteGames) != "" {
			want = []byte(list[i].hash + "\n")
			err = os.WriteFile(file, want, 0o644)
		}
		if err != nil {
			t.Fatalf("%v: write it with %s=1 go test -run '^%s$'", err, gametest.WriteGames, t.Name())
		}
		if got := list[i].hash; got != strings.TrimSpace(string(want)) {
			t.Errorf("the hash of printing %d is %v; games were played with %s. A changed deck needs a new version of the rules.", i+1, got, want)
		}
	}
}

func TestABoxLeavesOutWhatStaysTheSame(t *testing.T) {
	begin := func(options string) (game.Position, error) {
		return game.Of(Game()).Start(game.Settings{Seats: 3, Options: json.RawMessage(options)})
	}
	p, err := begin(`{"box":{"coins":[{"purse":7,"chest":3},{"purse":1,"chest":0},{"purse":1,"chest":0},{"purse":1,"chest":0}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(p.View()), `"purse":7,"chest":3`) {
		t.Errorf("other coins are not taken: %s", p.View())
	}
	hash := boxOption(t)
	for options, want := range map[string]string{
		``:                                  "",
		`null`:                              "",
		`{"box":null}`:                      "",
		`{"box":{}}`:                        "",
		`{"box":{ }}`:                       "",
		`{"box":{"about":"mine"}}`:          "",
		`{"box":{"cards":null}}`:            "",
		`{"box":{"Cards":[]}}`:              "json.unknown",
		`{"box":{"about":"a","about":"b"}}`: "json.twice",
		`{"box":"` + hash + `"}`:            "",
		`{"draft":null}`:                    "",
		`{"draft":1}`:                       "json.flag",
		`{"startingCards":"no"}`:            "json.flag",
		`{"banners":"six"}`:                 "json.number",
		`{"banners":5}`:                     "json.range",
		`{"draft":true,"draft":true}`:       "json.twice",
		`{"box":"deadbeef"}`:                "box.unknown",
		`{"box":7}`:                         "json.an-object",
		`{"box":{},"more":true}`:            "json.unknown",
		`{"box":{"about":"` + strings.Repeat("x", game.LargestBox) + `"}}`: "box.large",
	} {
		_, err := begin(options)
		got := ""
		if fault := (*game.Fault)(nil); errors.As(err, &fault) {
			got = fault.Key
		}
		if got != want {
			t.Errorf("%.60s: %v, want %q", options, err, want)
		}
	}
}

// TestWhatGoesWithoutSaying: a box may say what it means anyway, and is the same.
func TestWhatGoesWithoutSaying(t *testing.T) {
	for short, long := range map[string]string{
		`{"do":[{"verb":"coins","amount":1}]}`:                                 `{"do":[{"verb":"coins","amount":1,"to":"purse"}],"first":[]}`,
		`{"do":[{"verb":"unlock"}]}`:                                           `{"do":[{"verb":"unlock","amount":0}]}`,
		`{"do":[{"verb":"sell"}]}`:                                             `{"do":[{"verb":"sell","more":0}]}`,
		`{"do":[{"verb":"discard"}]}`:                                          `{"do":[{"verb":"discard","from":"any","other":false}]}`,
		`{"do":[{"verb":"build"}]}`:                                            `{"do":[{"verb":"build","half":false,"less":0,"free":false,"other":false}]}`,
		`{"do":[{"verb":"draw-fruit","count":2}]}`:                             `{"do":[{"verb":"draw-fruit","count":2,"keep":1}]}`,
		`{"do":[{"verb":"raise","levels":[3]}]}`:                               `{"do":[{"verb":"raise","half":false,"levels":[3]}]}`,
		`{"do":[{"verb":"raise"}]}`:                                            `{"do":[{"verb":"raise","levels":null}]}`,
		`{"while":[{"verb":"income","amount":1}]}`:                             `{"while":[{"verb":"income","amount":1,"to":"chest"}]}`,
		`{"while":[{"verb":"cheaper","half":true}]}`:                           `{"while":[{"verb":"cheaper","half":true,"less":0,"build":"any"}]}`,
		`{"do":[{"verb":"coins","amount":{"times":1,"of":"coins","most":2}}]}`: `{"do":[{"verb":"coins","amount":{"times":1,"of":"coins","per":1,"most":2}}]}`,
	} {
		a, err1 := readEffect(json.RawMessage(short))
		b, err2 := readEffect(json.RawMessage(long))
		if err1 != nil || err2 != nil {
			t.Errorf("%s: %v, %v", long, err1, err2)
			continue
		}
		if one, two := asJSON(t, a), asJSON(t, b); one != short || two != short {
			t.Errorf("%s is written %s and %s", short, one, two)
		}
	}
}

// boxWith is the plain box in JSON with another card 14, or parts of it.
func boxWith(t *testing.T, change func(box, card map[string]any)) json.RawMessage {
	t.Helper()
	var box map[string]any
	if err := json.Unmarshal(plainBox(t).written(), &box); err != nil {
		t.Fatal(err)
	}
	change(box, box["cards"].([]any)[13].(map[string]any))
	raw, err := json.Marshal(box)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestWhatIsWrongWithABoxAndWhere(t *testing.T) {
	type object = map[string]any
	guildList := `["architects","bankers","merchants","writers","botanists","explorers"]`
	fruitList := `["apple","cherry","grape","blueberry","orange"]`
	for name, c := range map[string]struct {
		change func(box, card object)
		want   string
	}{
		"another game":          {func(box, _ object) { box["game"] = "chess" }, `treesociety.box.game {"game":"chess","path":"game"}`},
		"three seats":           {func(box, _ object) { box["coins"] = box["coins"].([]any)[:3] }, `treesociety.box.coins {"coins":3,"due":4,"path":"coins"}`},
		"rich":                  {func(box, _ object) { box["coins"].([]any)[1].(object)["purse"] = 21 }, `treesociety.box.number {"least":0,"most":20,"number":21,"path":"coins[1].purse"}`},
		"in debt":               {func(box, _ object) { box["coins"].([]any)[1].(object)["chest"] = -1 }, `treesociety.box.number {"least":0,"most":20,"number":-1,"path":"coins[1].chest"}`},
		"no cards":              {func(box, _ object) { box["cards"] = []any{} }, `treesociety.box.cards {"cards":0,"least":6,"most":127,"path":"cards"}`},
		"cards of text":         {func(box, _ object) { box["cards"] = "all" }, `json.list {"field":"cards"}`},
		"a card of text":        {func(box, _ object) { box["cards"].([]any)[2] = "ace" }, `json.an-object {"field":"cards[2]"}`},
		"another id":            {func(_, card object) { card["id"] = 15 }, `treesociety.box.id {"due":14,"id":15,"path":"cards[13].id"}`},
		"no name":               {func(_, card object) { card["name"] = "" }, `treesociety.box.name {"most":60,"path":"cards[13].name"}`},
		"a steering name":       {func(_, card object) { card["name"] = "a\x1bb" }, `treesociety.box.name {"most":60,"path":"cards[13].name"}`},
		"a long name":           {func(_, card object) { card["name"] = strings.Repeat("x", 61) }, `treesociety.box.name {"most":60,"path":"cards[13].name"}`},
		"a name twice":          {func(_, card object) { card["name"] = "architects 1" }, `treesociety.box.twice {"name":"architects 1","path":"cards[13].name"}`},
		"another guild":         {func(_, card object) { card["guild"] = "bakers" }, `treesociety.box.word {"path":"cards[13].guild","word":"bakers","words":` + guildList + `}`},
		"a guild without cards": {func(box, _ object) { box["cards"] = box["cards"].([]any)[:61] }, `treesociety.box.guild {"guild":"explorers","path":"cards"}`},
		"a crowd of bankers":    {crowdBankers, `treesociety.box.banners {"banners":354,"guild":"bankers","most":255,"path":"cards"}`},
		"a banker to start":     {func(_, card object) { card["start"] = true }, `treesociety.box.start {"guild":"bankers","path":"cards[13].start"}`},
		"three to start":        {func(box, _ object) { box["cards"].([]any)[0].(object)["start"] = false }, `treesociety.box.starts {"least":4,"path":"cards","starts":3}`},
		"no banner":             {func(_, card object) { card["banners"] = 0 }, `treesociety.box.number {"least":1,"most":3,"number":0,"path":"cards[13].banners"}`},
		"half a banner":         {func(_, card object) { card["banners"] = 1.5 }, `json.number {"field":"cards[13].banners"}`},
		"two levels":            {func(_, card object) { card["levels"] = card["levels"].([]any)[:2] }, `treesociety.box.levels {"due":3,"levels":2,"path":"cards[13].levels"}`},
		"no levels":             {func(_, card object) { delete(card, "levels") }, `treesociety.box.levels {"due":3,"levels":0,"path":"cards[13].levels"}`},
		"a dear level":          {func(_, card object) { card["levels"].([]any)[1].(object)["cost"] = 13 }, `treesociety.box.number {"least":0,"most":12,"number":13,"path":"cards[13].levels[1].cost"}`},
		"huge points":           {func(_, card object) { card["levels"].([]any)[1].(object)["points"] = 1000000 }, `treesociety.box.number {"least":0,"most":50,"number":1000000,"path":"cards[13].levels[1].points"}`},
		"points beyond":         {func(_, card object) { card["levels"].([]any)[1].(object)["points"] = 1e300 }, `json.range {"field":"cards[13].levels[1].points","least":-2147483648,"most":2147483647}`},
		"a field more":          {func(_, card object) { card["colour"] = "red" }, `json.unknown {"field":"cards[13].colour"}`},
		"few fruits":            {func(box, _ object) { box["fruits"] = box["fruits"].([]any)[:15] }, `treesociety.box.fruits {"fruits":15,"least":16,"most":127,"path":"fruits"}`},
		"a type missing":        {func(box, _ object) { box["fruits"] = box["fruits"].([]any)[:60] }, `treesociety.box.fruit {"path":"fruits","type":"orange"}`},
		"another fruit":         {func(box, _ object) { box["fruits"].([]any)[3].(object)["type"] = "fig" }, `treesociety.box.word {"path":"fruits[3].type","word":"fig","words":` + fruitList + `}`},
		"another action":        {func(box, _ object) { box["fruits"].([]any)[3].(object)["action"] = "steal" }, `treesociety.box.word {"path":"fruits[3].action","word":"steal","words":["sell","row","take","chest","build"]}`},
		"no coins":              {func(box, _ object) { box["fruits"].([]any)[3].(object)["coins"] = 0 }, `treesociety.box.number {"least":1,"most":20,"number":0,"path":"fruits[3].coins"}`},
		"coins of a row":        {func(box, _ object) { box["fruits"].([]any)[3].(object)["action"] = "row" }, `treesociety.box.number {"least":0,"most":0,"number":1,"path":"fruits[3].coins"}`},
		"another fruit id":      {func(box, _ object) { box["fruits"].([]any)[3].(object)["id"] = 9 }, `treesociety.box.id {"due":4,"id":9,"path":"fruits[3].id"}`},
		"all for a crowd": {func(box, _ object) {
			for i, f := range box["fruits"].([]any) {
				f.(object)["crowd"] = i%15 > 1
			}
		}, `treesociety.box.plain {"fruits":10,"least":12,"path":"fruits"}`},
	} {
		if _, err := ReadBox(boxWith(t, c.change)); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", name, err, c.want)
		}
	}
	for _, raw := range []string{``, `null`, `[]`, `{} {}`, `{"cards":`, "\x00"} {
		if _, err := ReadBox(json.RawMessage(raw)); err == nil || err.Error() != `json.object {}` {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// TestWhatIsWrongWithAnEffectAndWhere tries to break the language of effects.
func TestWhatIsWrongWithAnEffectAndWhere(t *testing.T) {
	clauses := `["coins","pay","unlock","sell","take","discard","refresh","draw-fruit","draw-guild","found","raise","build"]`
	rules := `["cheaper","better-sale","bigger-purse","income"]`
	countList := `["banners","different-guilds","majority","completed","progress","sold","unsold","types","most-sold","coins","chest"]`
	long := strings.Repeat(`{"verb":"take"},`, 4) + `{"verb":"take"}`
	one := func(clause string) string { return `{"do":[` + clause + `]}` }
	for text, want := range map[string]string{
		`7`:                            `json.object {}`,
		`[]`:                           `json.object {}`,
		`{}`:                           `treesociety.box.empty {"path":"e"}`,
		`{"do":[]}`:                    `treesociety.box.empty {"path":"e"}`,
		`{"do":7}`:                     `json.list {"field":"do"}`,
		`{"do":[7]}`:                   `json.an-object {"field":"do[0]"}`,
		`{"do":[{}]}`:                  `json.missing {"field":"do[0].verb"}`,
		`{"undo":[]}`:                  `json.unknown {"field":"undo"}`,
		`{"do":[],"do":[]}`:            `json.twice {"field":"do"}`,
		one(long):                      `treesociety.box.clauses {"clauses":5,"most":4,"path":"e.do"}`,
		one(`{"verb":"win"}`):          `treesociety.box.verb {"path":"do[0].verb","verb":"win","verbs":` + clauses + `}`,
		`{"while":[{"verb":"coins"}]}`: `treesociety.box.verb {"path":"while[0].verb","verb":"coins","verbs":` + rules + `}`,
		`{"do":[{"verb":"take"}],"while":[{"verb":"bigger-purse","amount":1}]}`:                                          `treesociety.box.mixed {"path":"e"}`,
		`{"while":[` + strings.Repeat(`{"verb":"bigger-purse","amount":1},`, 4) + `{"verb":"bigger-purse","amount":1}]}`: `treesociety.box.clauses {"clauses":5,"most":4,"path":"e.while"}`,
		one(`{"verb":"take","amount":2}`):                                                        `json.unknown {"field":"do[0].amount"}`,
		one(`{"verb":"coins"}`):                                                                  `json.missing {"field":"do[0].amount"}`,
		one(`{"verb":"coins","amount":0}`):                                                       `treesociety.box.number {"least":1,"most":50,"number":0,"path":"e.do[0].amount"}`,
		one(`{"verb":"coins","amount":-5}`):                                                      `treesociety.box.number {"least":0,"most":50,"number":-5,"path":"e.do[0].amount"}`,
		one(`{"verb":"coins","amount":"3"}`):                                                     `json.number {"field":"do[0].amount"}`,
		one(`{"verb":"coins","amount":2,"to":"bank"}`):                                           `treesociety.box.word {"path":"e.do[0].to","word":"bank","words":["chest"]}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"coins"}}`):                                `treesociety.box.number {"least":1,"most":50,"number":0,"path":"e.do[0].amount.most"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"trees","most":3}}`):                       `treesociety.box.count {"count":"trees","counts":` + countList + `,"path":"e.do[0].amount.of"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"","most":3}}`):                            `treesociety.box.count {"count":"","counts":` + countList + `,"path":"do[0].amount.of"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"coins","guild":"writers","most":3}}`):     `treesociety.box.counted {"count":"coins","path":"e.do[0].amount"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"types","most":3}}`):                       `treesociety.box.counted {"count":"types","path":"e.do[0].amount"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"types","in":"bag","most":3}}`):            `treesociety.box.word {"path":"e.do[0].amount.in","word":"bag","words":["sold","unsold","both"]}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"sold","type":"fig","most":3}}`):           `treesociety.box.word {"path":"e.do[0].amount.type","word":"fig","words":["apple","cherry","grape","blueberry","orange"]}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"coins","per":0,"most":3}}`):               `treesociety.box.number {"least":1,"most":50,"number":0,"path":"do[0].amount"}`,
		one(`{"verb":"coins","amount":{"times":99,"of":"coins","most":3}}`):                      `treesociety.box.number {"least":1,"most":50,"number":99,"path":"e.do[0].amount.times"}`,
		one(`{"verb":"coins","amount":{"times":1,"of":"coins","most":3,"more":1}}`):              `json.unknown {"field":"do[0].amount.more"}`,
		one(`{"verb":"pay","amount":0}`):                                                         `treesociety.box.number {"least":1,"most":50,"number":0,"path":"e.do[0].amount"}`,
		one(`{"verb":"unlock","amount":-1}`):                                                     `treesociety.box.number {"least":0,"most":50,"number":-1,"path":"e.do[0].amount"}`,
		one(`{"verb":"sell","more":51}`):                                                         `treesociety.box.number {"least":0,"most":50,"number":51,"path":"e.do[0].more"}`,
		one(`{"verb":"discard","from":"hand"}`):                                                  `treesociety.box.word {"path":"e.do[0].from","word":"hand","words":["progress","completed"]}`,
		one(`{"verb":"refresh","rows":3}`):                                                       `treesociety.box.number {"least":1,"most":2,"number":3,"path":"e.do[0].rows"}`,
		one(`{"verb":"draw-fruit","count":1}`):                                                   `treesociety.box.number {"least":2,"most":4,"number":1,"path":"e.do[0].count"}`,
		one(`{"verb":"draw-guild","count":5}`):                                                   `treesociety.box.number {"least":2,"most":4,"number":5,"path":"e.do[0].count"}`,
		one(`{"verb":"draw-fruit","count":3,"keep":0}`):                                          `treesociety.box.number {"least":1,"most":4,"number":0,"path":"do[0].keep"}`,
		one(`{"verb":"draw-fruit","count":3,"keep":4}`):                                          `treesociety.box.number {"least":1,"most":3,"number":4,"path":"e.do[0].keep"}`,
		one(`{"verb":"draw-guild","count":2,"keep":3}`):                                          `treesociety.box.number {"least":1,"most":2,"number":3,"path":"e.do[0].keep"}`,
		one(`{"verb":"draw-guild","count":2,"keep":-1}`):                                         `treesociety.box.number {"least":1,"most":4,"number":-1,"path":"do[0].keep"}`,
		one(`{"verb":"take","keep":2}`):                                                          `json.unknown {"field":"do[0].keep"}`,
		one(`{"verb":"draw-fruit","count":4,"keep":4},{"verb":"draw-fruit","count":3,"keep":3}`): `treesociety.box.kept {"fruit":7,"most":6,"path":"e.do[1]"}`,
		one(`{"verb":"take"},{"verb":"take"},{"verb":"draw-fruit","count":3,"keep":3}`):          `treesociety.box.kept {"fruit":7,"most":6,"path":"e.do[2]"}`,
		one(`{"verb":"take"},{"verb":"take"},{"verb":"draw-fruit","count":3,"keep":2}`):          ``,
		one(`{"verb":"take"},{"verb":"take"},{"verb":"take"},{"verb":"draw-fruit","count":3}`):   ``,
		one(`{"verb":"raise","levels":[]}`):                                                      `treesociety.box.named {"levels":0,"most":1,"path":"e.do[0].levels"}`,
		one(`{"verb":"raise","levels":[2,3]}`):                                                   `treesociety.box.named {"levels":2,"most":1,"path":"e.do[0].levels"}`,
		one(`{"verb":"raise","levels":[1]}`):                                                     `treesociety.box.number {"least":2,"most":3,"number":1,"path":"e.do[0].levels[0]"}`,
		one(`{"verb":"raise","levels":[4]}`):                                                     `treesociety.box.number {"least":2,"most":3,"number":4,"path":"e.do[0].levels[0]"}`,
		one(`{"verb":"raise","levels":3}`):                                                       `json.list {"field":"do[0].levels"}`,
		one(`{"verb":"build","levels":[3,1]}`):                                                   `treesociety.box.number {"least":4,"most":3,"number":1,"path":"e.do[0].levels[1]"}`,
		one(`{"verb":"build","levels":[1,1]}`):                                                   `treesociety.box.number {"least":2,"most":3,"number":1,"path":"e.do[0].levels[1]"}`,
		one(`{"verb":"build","levels":[1,2,3]}`):                                                 `treesociety.box.named {"levels":3,"most":2,"path":"e.do[0].levels"}`,
		one(`{"verb":"found","levels":[1]}`):                                                     `json.unknown {"field":"do[0].levels"}`,
		one(`{"verb":"found","half":true,"less":1}`):                                             `treesociety.box.price {"path":"e.do[0]"}`,
		one(`{"verb":"found","less":13}`):                                                        `treesociety.box.number {"least":0,"most":12,"number":13,"path":"e.do[0].less"}`,
		one(`{"verb":"found","guild":"bakers"}`):                                                 `treesociety.box.word {"path":"e.do[0].guild","word":"bakers","words":["architects","bankers","merchants","writers","botanists","explorers"]}`,
		one(`{"verb":"found","other":true}`):                                                     `json.unknown {"field":"do[0].other"}`,
		one(`{"verb":"found"},{"verb":"take"}`):                                                  `treesociety.box.last {"path":"e.do[0]","verb":"found"}`,
		one(`{"verb":"refresh","rows":2},{"verb":"found"}`):                                      `treesociety.box.cleared {"path":"e.do[1]","verb":"found"}`,
		`{"first":[{"verb":"raise"}]}`:                                                           `treesociety.box.first {"path":"e.first[0]","verb":"raise"}`,
		`{"first":[{"verb":"refresh","rows":1}]}`:                                                `treesociety.box.first {"path":"e.first[0]","verb":"refresh"}`,
		`{"first":[{"verb":"take"},{"verb":"sell"}]}`:                                            `treesociety.box.first {"path":"e.first[0]","verb":"take"}`,
		`{"while":[{"verb":"cheaper"}]}`:                                                         `treesociety.box.reduction {"path":"e.while[0]"}`,
		`{"while":[{"verb":"cheaper","half":true,"less":1}]}`:                                    `treesociety.box.reduction {"path":"e.while[0]"}`,
		`{"while":[{"verb":"cheaper","less":1,"build":"break"}]}`:                                `treesociety.box.word {"path":"e.while[0].build","word":"break","words":["found","raise"]}`,
		`{"while":[{"verb":"better-sale","amount":21}]}`:                                         `treesociety.box.number {"least":1,"most":20,"number":21,"path":"e.while[0].amount"}`,
		`{"while":[{"verb":"income","amount":1,"to":"hand"}]}`:                                   `treesociety.box.word {"path":"e.while[0].to","word":"hand","words":["purse"]}`,
		`{"do":[{"verb":"take"}],"first":[{"verb":"sell"}]}`:                                     ``,
	} {
		e, err := readEffect(json.RawMessage(text))
		if err == nil {
			err = e.check("e", 1)
		}
		if err == nil && want == "" {
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	e, err := readEffect(json.RawMessage(`{"while":[{"verb":"bigger-purse","amount":1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.check("e", 3); err == nil || err.Error() != `treesociety.box.while {"path":"e.while"}` {
		t.Errorf("a continuous effect on level 3: %v", err)
	}
}

// TestNoTurnIsEndless gives decks to the law against endless chains that break
// it in every way, and some that only look so.
func TestNoTurnIsEndless(t *testing.T) {
	const refreshing, drawing = `{"verb":"refresh","rows":1}`, `{"verb":"draw-guild","count":2}`
	somewhere := do(70, 3, refreshing) // so that the law concerns the deck; it costs 2 + 3 + 4
	for name, c := range map[string]struct {
		edits []edit
		want  string // the card and what is short, or nothing
	}{
		"a plain deck":            {[]edit{somewhere}, ``},
		"a free refreshment":      {[]edit{costing(14, 0, 1, 1), do(14, 1, refreshing)}, `cards[13].levels[0] 1`},
		"one that costs":          {[]edit{costing(14, 1, 1, 1), do(14, 1, refreshing)}, ``},
		"a free draw":             {[]edit{costing(14, 0, 0, 0), do(14, 3, drawing)}, `cards[13].levels[2] 1`},
		"one that brings it back": {[]edit{costing(14, 2, 1, 1), do(14, 1, refreshing+`,{"verb":"coins","amount":2,"to":"chest"}`)}, `cards[13].levels[0] 1`},
		"one that the next level pays": {
			[]edit{costing(14, 2, 0, 1), do(14, 1, refreshing), do(14, 2, `{"verb":"coins","amount":2}`)}, `cards[13].levels[1] 1`},
		"one paid by its own pay": {[]edit{costing(14, 0, 1, 1), do(14, 1, `{"verb":"pay","amount":1},`+refreshing)}, ``},
		"a pay that may be skipped": {
			[]edit{somewhere, costing(14, 0, 0, 9), do(14, 1, `{"verb":"pay","amount":2}`), do(14, 2, `{"verb":"coins","amount":2}`)}, `cards[13].levels[1] 2`},
		"a pay that must be paid": {
			[]edit{somewhere, costing(14, 0, 0, 9), effect(14, 1, `{"first":[{"verb":"pay","amount":2}]}`), do(14, 2, `{"verb":"coins","amount":2}`)}, ``},
		"a well of coins": {[]edit{somewhere, costing(14, 1, 1, 1), do(14, 1, `{"verb":"coins","amount":2}`)}, `cards[13].levels[0] 1`},
		"a well by count": {
			[]edit{somewhere, costing(14, 1, 1, 1), do(14, 1, `{"verb":"coins","amount":{"times":1,"of":"sold","most":3}}`)}, `cards[13].levels[0] 2`},
		"a well before the level":         {[]edit{somewhere, costing(14, 1, 1, 1), effect(14, 1, `{"first":[{"verb":"coins","amount":2}]}`)}, `cards[13].levels[0] 1`},
		"a well without a way back to it": {[]edit{costing(14, 0, 0, 0), do(14, 1, `{"verb":"coins","amount":9}`)}, ``},
		"an unlocked chest":               {[]edit{somewhere, costing(14, 0, 0, 0), do(14, 1, `{"verb":"unlock"}`)}, ``},
		"extra sales":                     {[]edit{somewhere, costing(14, 0, 0, 0), do(14, 1, `{"verb":"sell","more":9}`)}, ``},
		"a free level":                    {[]edit{somewhere, costing(14, 3, 1, 1), do(14, 1, `{"verb":"raise","free":true}`)}, `cards[13].levels[0] 1`},
		"a free level of one's own price": {[]edit{somewhere, costing(14, 4, 1, 1), do(14, 1, `{"verb":"raise","free":true}`)}, ``},
		"half a level":                    {[]edit{somewhere, costing(14, 1, 1, 1), do(14, 1, `{"verb":"build","half":true}`)}, `cards[13].levels[0] 1`},
		"half a founding":                 {[]edit{somewhere, costing(14, 1, 1, 1), do(14, 1, `{"verb":"found","half":true}`)}, ``},
		"one less":                        {[]edit{somewhere, costing(14, 0, 1, 1), do(14, 1, `{"verb":"build","less":1}`)}, `cards[13].levels[0] 1`},
		"free, but of a cheap guild":      {[]edit{somewhere, costing(14, 2, 1, 1), do(14, 1, `{"verb":"found","free":true,"guild":"writers"}`)}, ``},
		"a draw that costs half": {
			[]edit{costing(14, 2, 1, 1), do(14, 1, `{"verb":"draw-guild","count":2,"half":true}`)}, ``},
		"a draw that keeps two for half": {
			[]edit{costing(14, 2, 1, 1), do(14, 1, `{"verb":"draw-guild","count":2,"half":true,"keep":2}`)}, `cards[13].levels[0] 1`},
		"a draw that keeps two for half, dearer": {
			[]edit{costing(14, 3, 1, 1), do(14, 1, `{"verb":"draw-guild","count":2,"half":true,"keep":2}`)}, ``},
		"three for nothing": {
			[]edit{costing(14, 6, 1, 1), do(14, 1, `{"verb":"draw-guild","count":4,"free":true,"keep":3}`)}, `cards[13].levels[0] 13`},
		"a free second level": {
			[]edit{somewhere, costing(14, 3, 1, 1), do(14, 1, `{"verb":"raise","free":true,"levels":[2]}`)}, ``},
		"a free third level": {
			[]edit{somewhere, costing(14, 3, 1, 1), do(14, 1, `{"verb":"raise","free":true,"levels":[3]}`)}, `cards[13].levels[0] 1`},
		"a free first or second level": {
			[]edit{somewhere, costing(14, 2, 1, 1), do(14, 1, `{"verb":"build","free":true,"levels":[1,2]}`)}, `cards[13].levels[0] 1`},
		"a free first level": {
			[]edit{somewhere, costing(14, 2, 1, 1), do(14, 1, `{"verb":"build","free":true,"levels":[1]}`)}, ``},
		"a reduction makes it free": {
			[]edit{costing(14, 1, 9, 9), do(14, 1, refreshing), effect(26, 1, `{"while":[{"verb":"cheaper","less":1}]}`)}, `cards[13].levels[0] 1`},
		"a reduction of raising does not": {
			[]edit{costing(14, 1, 9, 9), do(14, 1, refreshing), effect(26, 1, `{"while":[{"verb":"cheaper","less":1,"build":"raise"}]}`)}, ``},
		"a reduction of others does not": {
			[]edit{costing(14, 1, 9, 9), do(14, 1, refreshing), effect(26, 1, `{"while":[{"verb":"cheaper","less":1,"guild":"writers"}]}`)}, ``},
		"its own reduction": {
			[]edit{costing(14, 1, 1, 0), effect(14, 1, `{"while":[{"verb":"cheaper","less":9}]}`), do(14, 2, refreshing)}, ``}, // level 1 still costs
	} {
		box := plainBox(t)
		for _, change := range c.edits {
			change(box)
		}
		got := ""
		if err := box.Check(); err != nil {
			var fault *game.Fault
			if !errors.As(err, &fault) || fault.Key != "treesociety.box.endless" {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got = fmt.Sprint(fault.Args["path"], " ", fault.Args["short"])
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestAnEndlessDeckIsEndless proves that the law is needed: what it refuses can
// go round in one turn as long as one likes.
func TestAnEndlessDeckIsEndless(t *testing.T) {
	box := plainBox(t)
	for id := 1; id <= 73; id++ {
		do(id, 1, `{"verb":"refresh","rows":1}`)(box)
		costing(id, 0, 1, 1)(box)
	}
	if err := box.Check(); err == nil {
		t.Fatal("the law does not see it")
	}
	options := UsualOptions()
	options.Starts = false
	r := New(2, box, options)
	s := tableBy(t, r, rich)
	for lap := range 1000 {
		var card uint8
		for _, id := range s.market[:columns] {
			card = max(card, id)
		}
		if r.Check(&s, 0, move(Found, card)) != nil {
			t.Fatalf("the chain ends after %d laps:\n%s", lap, r.draw(&s))
		}
		for _, m := range []Move{move(Found, card), move(Use, 0), move(Row, bottomRow)} {
			r.Play(&s, 0, m, nil)
		}
		for r.ToAct(&s) == game.Chance {
			r.Play(&s, game.Chance, r.Moves(&s, game.Chance, nil)[0], nil)
		}
		r.Play(&s, 0, move(Discard, card), nil)
	}
	if r.Turn(&s) != 0 {
		t.Error("the turn has ended")
	}
}

// crowdBankers makes a box of as many bankers' cards as there can be, with as
// many banners as a card may have.
func crowdBankers(box, card map[string]any) {
	cards := box["cards"].([]any)[:5]
	for id := len(cards) + 1; id <= mostCards; id++ {
		c := maps.Clone(card)
		c["id"], c["name"], c["guild"], c["banners"] = id, fmt.Sprint("card ", id), "bankers", mostBanners
		if last := id - (mostCards - 4); last > 0 {
			c["guild"] = guildNames()[1+last]
		}
		cards = append(cards, c)
	}
	box["cards"] = cards
}
