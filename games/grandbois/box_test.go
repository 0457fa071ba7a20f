package grandbois

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"copse/game"
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
	bears, clearings, showing := 0, 0, map[string]int{}
	for _, tile := range box.Tiles {
		for _, word := range tile.Spaces {
			switch clan, n := plainAnimals(word); {
			case n > 0:
				showing[clan]++
			case word == "bear":
				bears++
			case word == "clearing":
				clearings++
			}
		}
	}
	// Of 36 tiles five have a bear and 24 a clearing; the clans share the other
	// 115 spaces evenly.
	if got := fmt.Sprint(len(box.Tiles), bears, clearings, showing); got != "36 5 24 map[fox:23 lizard:23 rabbit:23 raccoon:23 toad:23]" {
		t.Errorf("the box holds %s", got)
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
}

// TestTheStandardBoxNeverChanges: logs name it by its hash for ever.
func TestTheStandardBoxNeverChanges(t *testing.T) {
	want, err := os.ReadFile("testdata/box.hash")
	if err != nil {
		t.Fatal(err)
	}
	if got := boxOption(t); got != strings.TrimSpace(string(want)) {
		t.Errorf("the hash of box.json is %v; games were played with %s. A changed box needs a new version of the rules.", got, want)
	}
}

func TestABoxLeavesOutWhatStaysTheSame(t *testing.T) {
	begin := func(options string) (game.Position, error) {
		return game.Of(Game()).Start(game.Settings{Seats: 3, Options: json.RawMessage(options)})
	}
	p, err := begin(`{"box":{"tiles":[{"id":1,"spaces":["fox 1","bear","fox 2","clearing"]}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	for p.ToAct() == game.Chance {
		if p, _, err = p.Play(game.Chance, p.Moves()[0]); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.Moves()); n != 8*4 {
		t.Errorf("%d moves with a single tile, want 8 places in 4 turns", n)
	}
	if !strings.Contains(string(p.View()), `"river":[{"tile":1,"spaces":["fox-1","bear","fox-2","clearing"]}],"pile":[]`) {
		t.Errorf("the view shows other tiles: %s", p.View())
	}
	p, err = begin(`{"box":{"riverSize":2,"clans":["elk","owl","ant","eel","ape"],"tiles":[{"id":1,"spaces":["elk 1","bear","owl 2","ape 4"]}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.Moves()[0]); got != `{"do":"deal","seat":0,"clan":"elk"}` {
		t.Errorf("other clans are dealt as %s", got)
	}
	hash := boxOption(t)
	for options, want := range map[string]string{
		``:                                  "",
		`null`:                              "",
		`{"box":null}`:                      "",
		`{"box":{}}`:                        "",
		`{"box":{"tiles":null}}`:            "box.json",
		`{"box":{"Tiles":[]}}`:              "grandbois.box.tiles",
		`{"box":{"RiverSize":3}}`:           "box.json",
		`{"box":{"about":"a","about":"b"}}`: "json.twice",
		`{"box":"` + hash + `"}`:            "",
		`{"expert":true}`:                   "",
		`{"expert":null}`:                   "",
		`{"expert":1}`:                      "json.flag",
		`{"expert":true,"box":{}}`:          "",
		`{"expert":true,"expert":true}`:     "json.twice",
		`{"box":"deadbeef"}`:                "box.unknown",
		`{"box":"/etc/passwd"}`:             "box.unknown",
		`{"box":7}`:                         "json.an-object",
		`{"box":[]}`:                        "json.an-object",
		`{"box":{},"more":true}`:            "json.unknown",
		`{"box":{"more":true}}`:             "json.unknown",
		`{"box":{"tiles":[{"number":1}]}}`:  "json.unknown",
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

func TestWhatIsWrongWithABoxAndWhere(t *testing.T) {
	tile := func(spaces string) string { return `{"tiles":[{"id":1,"spaces":[` + spaces + `]}]}` }
	many := strings.Repeat(`{"id":1,"spaces":[]},`, maxTiles) + `{"id":1,"spaces":[]}`
	clanWords := `["toad","rabbit","fox","raccoon","lizard"]`
	for box, want := range map[string]string{
		`{"game":"chess"}`:                      `grandbois.box.game {"game":"chess","path":"game"}`,
		`{"game":""}`:                           `grandbois.box.game {"game":"","path":"game"}`,
		`{"clans":["toad","fox"]}`:              `grandbois.box.clans {"clans":2,"due":5,"path":"clans"}`,
		`{"clans":["a","b","c","d","e","f"]}`:   `grandbois.box.clans {"clans":6,"due":5,"path":"clans"}`,
		`{"clans":["a","b","c","d",""]}`:        `grandbois.box.clan {"clan":"","path":"clans[4]"}`,
		`{"clans":["a","b","c","big fox","e"]}`: `grandbois.box.clan {"clan":"big fox","path":"clans[3]"}`,
		`{"clans":["bear","b","c","d","e"]}`:    `grandbois.box.clan {"clan":"bear","path":"clans[0]"}`,
		`{"clans":["a","b","a","d","e"]}`:       `grandbois.box.twice {"clan":"a","path":"clans[2]"}`,
		`{"clanColours":{"toad":"blue"}}`:       `grandbois.box.colour {"clan":"rabbit","path":"clanColours"}`,
		`{"clans":["elk","owl","ant","eel","ape"],"clanColours":{"elk":"a","owl":"b","ant":"c","eel":"d","ape":"e","yak":"f"}}`: `grandbois.box.colour {"clan":"yak","path":"clanColours"}`,
		`{"clans":["elk","owl","ant","eel","ape"]}`:           `grandbois.box.space {"clans":["elk","owl","ant","eel","ape"],"path":"tiles[0].spaces[1]","space":"raccoon 3"}`,
		`{"towers":["white"]}`:                                `grandbois.box.towers {"due":4,"path":"towers","towers":1}`,
		`{"towers":["white","","grey","brown"]}`:              `grandbois.box.tower {"path":"towers[1]"}`,
		`{"riverSize":0}`:                                     `grandbois.box.river {"least":1,"most":8,"path":"riverSize","river":0}`,
		`{"riverSize":9}`:                                     `grandbois.box.river {"least":1,"most":8,"path":"riverSize","river":9}`,
		`{"riverSize":"four"}`:                                `box.json {"path":"riverSize"}`,
		`{"start":["clearing","clearing"]}`:                   `grandbois.box.spaces {"due":4,"path":"start","spaces":2}`,
		`{"start":["clearing","clearing","bear","clearing"]}`: `grandbois.box.start {"path":"start[2]","space":"bear"}`,
		`{"tiles":[]}`:                                        `grandbois.box.tiles {"least":1,"most":36,"path":"tiles","tiles":0}`,
		`{"tiles":[` + many + `]}`:                            `grandbois.box.tiles {"least":1,"most":36,"path":"tiles","tiles":37}`,
		`{"tiles":[{"id":2,"spaces":[]}]}`:                    `grandbois.box.id {"due":1,"id":2,"path":"tiles[0].id"}`,
		`{"tiles":[{"id":1}]}`:                                `grandbois.box.spaces {"due":4,"path":"tiles[0].spaces","spaces":0}`,
		`{"tiles":7}`:                                         `box.json {"path":"tiles"}`,
		tile(`"bear","bear","bear","bear","bear"`):            `grandbois.box.spaces {"due":4,"path":"tiles[0].spaces","spaces":5}`,
		tile(`"bear","bear","bear"`):                          `grandbois.box.spaces {"due":4,"path":"tiles[0].spaces","spaces":3}`,
		tile(`"bear","wolf 2","bear","bear"`):                 `grandbois.box.space {"clans":` + clanWords + `,"path":"tiles[0].spaces[1]","space":"wolf 2"}`,
		tile(`"bear","swamp","bear","bear"`):                  `grandbois.box.space {"clans":` + clanWords + `,"path":"tiles[0].spaces[1]","space":"swamp"}`,
		tile(`"bear","bear","bear","fox 5"`):                  `grandbois.box.animals {"least":1,"most":4,"path":"tiles[0].spaces[3]","space":"fox 5"}`,
		tile(`"bear","bear","bear","fox 0"`):                  `grandbois.box.animals {"least":1,"most":4,"path":"tiles[0].spaces[3]","space":"fox 0"}`,
		tile(`"bear","bear","bear","fox"`):                    `grandbois.box.animals {"least":1,"most":4,"path":"tiles[0].spaces[3]","space":"fox"}`,
		tile(`"bear","bear","bear","fox  2"`):                 `grandbois.box.animals {"least":1,"most":4,"path":"tiles[0].spaces[3]","space":"fox  2"}`,
		tile(`"bear","bear","bear","fox +2"`):                 `grandbois.box.animals {"least":1,"most":4,"path":"tiles[0].spaces[3]","space":"fox +2"}`,
		tile(`"clearing","bear","clearing","fox 1"`):          `grandbois.box.clearings {"clearings":2,"path":"tiles[0].spaces"}`,
		`{"boards":{}}`:                                       `json.unknown {"field":"boards"}`,
		`{} {}`:                                               `json.object {}`,
		`null`:                                                `json.object {}`,
		`[]`:                                                  `json.object {}`,
		``:                                                    `json.object {}`,
	} {
		if _, err := ReadBox(json.RawMessage(box)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", box, err, want)
		}
	}
}
