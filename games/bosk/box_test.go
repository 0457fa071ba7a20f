package bosk

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"copse/game"
)

func TestTheBoxThatComesWithCopseIsGood(t *testing.T) {
	box := DefaultBox()
	for seats, side := range map[int]int{2: 8, 3: 10, 4: 12} {
		if got := len(box.board(seats)); got != side {
			t.Errorf("the park of %d has %d rows", seats, got)
		}
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
	if hash := game.BoxHash(whole); hash != about.Options[0].Default {
		t.Errorf("the box has hash %s, the option says %v", hash, about.Options[0].Default)
	}
}

// TestTheStandardBoxNeverChanges: logs name it by its hash for ever.
func TestTheStandardBoxNeverChanges(t *testing.T) {
	want, err := os.ReadFile("testdata/box.hash")
	if err != nil {
		t.Fatal(err)
	}
	if got := Game().Options[0].Default; got != strings.TrimSpace(string(want)) {
		t.Errorf("the hash of box.json is %v; games were played with %s. A changed box needs a new version of the rules.", got, want)
	}
}

func TestABoxLeavesOutWhatStaysTheSame(t *testing.T) {
	rows := `["GGGGGG","GGGGGG","GGGGGG","BBBBBB","BBBBBB","BBBBBB"]`
	p, err := game.Of(Game()).Start(game.Settings{Seats: 2, Options: json.RawMessage(`{"box":{"boards":{"2":{"rows":` + rows + `}}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Moves()); n != 4*25 {
		t.Errorf("%d moves in a park of six by six", n)
	}
	if !strings.Contains(string(p.View()), `"board":`+rows+`,"regions":{"B":"lake","G":"meadow"}`) {
		t.Errorf("the view shows another park: %s", p.View())
	}
	hash := Game().Options[0].Default.(string)
	for options, want := range map[string]string{
		``:                       "",
		`null`:                   "",
		`{"box":null}`:           "",
		`{"box":{"about":""}}`:   "",
		`{"box":{}}`:             "",
		`{"box":"` + hash + `"}`: "",
		`{"box":"deadbeef"}`:     "box.unknown",
		`{"box":"/etc/passwd"}`:  "box.unknown",
		`{"box":7}`:              "json.an-object",
		`{"box":[]}`:             "json.an-object",
		`{"box":{},"more":true}`: "json.unknown",
		`{"box":{"more":true}}`:  "json.unknown",
		`{"box":{"about":"` + strings.Repeat("x", game.LargestBox) + `"}}`: "box.large",
	} {
		_, err := game.Of(Game()).Start(game.Settings{Seats: 3, Options: json.RawMessage(options)})
		var fault *game.Fault
		if errors.As(err, &fault) != (want != "") || fault != nil && fault.Key != want {
			t.Errorf("%.60s: %v, want %q", options, err, want)
		}
	}
}

func TestWhatIsWrongWithABoxAndWhere(t *testing.T) {
	board := func(rows string) string { return `{"boards":{"2":{"rows":` + rows + `}}}` }
	wind := func(rounds string) string { return `{"wind":{"rounds":[` + rounds + `]}}` }
	any7 := strings.Repeat(`,{"tree":"any","blows":"left"}`, 7)
	for box, want := range map[string]string{
		`{"game":"chess"}`:                       `bosk.box.game {"game":"chess","path":"game"}`,
		`{"terrains":{"GG":"meadow"}}`:           `bosk.box.terrain {"most":40,"path":"terrains[\"GG\"]"}`,
		`{"terrains":{"G":""}}`:                  `bosk.box.terrain {"most":40,"path":"terrains[\"G\"]"}`,
		`{"boards":{"5":{"rows":[]}}}`:           `bosk.box.seats {"path":"boards[\"5\"]","seats":"5"}`,
		`{"boards":{"two":{"rows":[]}}}`:         `bosk.box.seats {"path":"boards[\"two\"]","seats":"two"}`,
		board(`["GGGGG","G","G","G","G"]`):       `bosk.box.side {"least":6,"most":12,"path":"boards[\"2\"].rows","rows":5}`,
		board(`["GGGGGG","GGG","","","",""]`):    `bosk.box.row {"path":"boards[\"2\"].rows[1]","side":6,"squares":3}`,
		board(`["GGGGGG","GGGxGG","","","",""]`): `bosk.box.letter {"letter":"x","path":"boards[\"2\"].rows[1][3]"}`,
		board(`7`):                               `box.json {"path":"boards.rows"}`,
		`{"boards":{"4":{"rows":["GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG","GGGGGG"]}}}`:                                                           `bosk.box.room {"crossings":25,"path":"boards[\"4\"].rows","trees":32}`,
		`{"terrains":{"Z":"moon"},"boards":{"2":{"rows":["GNSDPBAR","ZZZZZZZZ","GGGGGGGG","GGGGGGGG","GGGGGGGG","GGGGGGGG","GGGGGGGG","GGGGGGGG"]}}}`: `bosk.box.terrains {"most":8,"path":"boards[\"2\"].rows","terrains":9}`,
		wind(``):                                 `bosk.box.rounds {"due":8,"path":"wind.rounds","rounds":0}`,
		wind(`{"tree":5,"blows":"left"}` + any7): `bosk.box.tree {"path":"wind.rounds[0].tree"}`,
		wind(`{"tree":"some","blows":"left"}` + any7):                                           `bosk.box.tree {"path":"wind.rounds[0].tree"}`,
		wind(`{"tree":1,"blows":"up"}` + any7):                                                  `bosk.box.blows {"blows":"up","path":"wind.rounds[0].blows"}`,
		wind(`{"tree":"any","blows":"left"}` + strings.Repeat(`,{"tree":1,"blows":"left"}`, 7)): `bosk.box.order {"path":"wind.rounds[1]"}`,
		`{"species":[]}`:                    `bosk.box.species {"due":4,"path":"species","species":0}`,
		`{"species":[null,null,null,null]}`: `box.json {"path":"species[0]"}`,
		`{"species":[{"colour":"red","leaf":"oak"},{"colour":"blue","leaf":"oak"},{"colour":"red","leaf":"elm"},{"colour":"red","leaf":""}]}`: `bosk.box.name {"most":40,"path":"species[1]"}`,
		`{"boards":null}`:                   `bosk.box.side {"least":6,"most":12,"path":"boards[\"2\"].rows","rows":0}`,
		`{"boards":{"02":{"rows":["?"]}}}`:  `bosk.box.seats {"path":"boards[\"02\"]","seats":"02"}`,
		`{"terrains":{"\u001b":"esc"}}`:     `bosk.box.terrain {"most":40,"path":"terrains[\"\\x1b\"]"}`,
		`{"terrains":{"G":"lake"}}`:         `bosk.box.terrain {"most":40,"path":"terrains[\"G\"]"}`,
		board(`["GGGGGé","G","","","",""]`): `bosk.box.letter {"letter":"é","path":"boards[\"2\"].rows[0][5]"}`,
		`{"Boards":{}}`:                     `box.json {"path":"Boards"}`,
		`{"about":"a","about":"b"}`:         `json.twice {"field":"about"}`,
		`{"about":null}`:                    `box.json {"path":"about"}`,
		`null`:                              `json.object {}`,
		`{"species":7}`:                     `box.json {"path":"species"}`,
		`{"tiles":[]}`:                      `json.unknown {"field":"tiles"}`,
		`[]`:                                `json.object {}`,
		``:                                  `json.object {}`,
	} {
		if _, err := ReadBox(json.RawMessage(box)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", box, err, want)
		}
	}
	thrice := wind(strings.Repeat(`{"tree":2,"blows":"left"},`, 3) + strings.TrimPrefix(strings.Repeat(`,{"tree":"any","blows":"left"}`, 5), ","))
	if _, err := ReadBox(json.RawMessage(thrice)); err == nil || err.Error() != `bosk.box.thrice {"path":"wind.rounds[2]","tree":2}` {
		t.Errorf("a tree named three times: %v", err)
	}
}
