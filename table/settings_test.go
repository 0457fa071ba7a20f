package table

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestSettingsAreReadWithWhatIsUsual(t *testing.T) {
	for text, want := range map[string]string{
		`{"game":"tiny","seats":2}`: `{"game":"tiny","version":1,"law":2,"seats":2,"options":{},"pace":"live","undo":"consent",` +
			`"visible":"link","watchers":true,"hints":false,"takeOver":false,"standIn":"level:3"}`,
		`{"game":"tiny","seats":2,"takeOver":true}`: `{"game":"tiny","version":1,"law":2,"seats":2,"options":{},"pace":"live","undo":"consent",` +
			`"visible":"link","watchers":true,"hints":false,"takeOver":true,"standIn":"level:3"}`,
		`{"game":"tiny","seats":4,"pace":"days","undo":"none","visible":"private","hints":true,"takeOver":false,"standIn":"greedy","version":1}`: `{"game":"tiny",` +
			`"version":1,"law":2,"seats":4,"options":{},"pace":"days","night":[1260,420],"undo":"none","visible":"private","watchers":false,` +
			`"hints":true,"takeOver":false,"standIn":"greedy"}`,
		`{"game":"tiny","seats":2,"pace":"days","night":[0,0],"watchers":false}`: `{"game":"tiny","version":1,"law":2,"seats":2,"options":{},"pace":"days","undo":"consent",` +
			`"visible":"link","watchers":false,"hints":false,"takeOver":false,"standIn":"level:3"}`,
	} {
		set, err := ReadSettings([]byte(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := string(open(t, set).Settings().Append(nil)); got != want {
			t.Errorf("%s is written\n%s\nwant\n%s", text, got, want)
		}
	}
}

// In games with secrets bots keep their seats unless the table says otherwise.
func TestSeatsOfBotsAreTakenWhereNothingIsSecret(t *testing.T) {
	kinds := map[bool]int{}
	for _, g := range shelf.games {
		name, seats := g.About().Name, g.About().MinSeats
		for said, want := range map[string]func(secrets bool) bool{
			``:                  func(secrets bool) bool { return !secrets },
			`,"takeOver":true`:  func(bool) bool { return true },
			`,"takeOver":false`: func(bool) bool { return false },
		} {
			set, err := ReadSettings(fmt.Appendf(nil, `{"game":%q,"seats":%d%s}`, name, seats, said))
			if err != nil {
				t.Fatal(err)
			}
			made := open(t, set)
			kinds[made.Secrets()]++
			if got := made.Settings().TakeOver; got != want(made.Secrets()) {
				t.Errorf("%s%s: takeOver is %v", name, said, got)
			}
			old := *made.Settings() // a table that is set like this one keeps what it says
			old.TakeOver = true
			if !open(t, old).Settings().TakeOver {
				t.Errorf("%s: what a table said is lost at the next", name)
			}
		}
	}
	if kinds[true] == 0 || kinds[false] == 0 {
		t.Errorf("games with and without secrets: %v", kinds)
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	for text, key := range map[string]string{
		``: "json.object", `[]`: "json.object", `{}`: "json.missing", `{"game":"tiny"}`: "json.missing",
		`{"game":"chess","seats":2}`: "table.game", `{"game":"tiny","seats":5}`: "game.seats", `{"game":"tiny","seats":"2"}`: "json.number",
		`{"game":"tiny","seats":2,"version":9}`: "game.version", `{"game":"tiny","seats":2,"pace":"fast"}`: "table.setting",
		`{"game":"tiny","seats":2,"undo":"free"}`: "table.setting", `{"game":"tiny","seats":2,"visible":"all"}`: "table.setting",
		`{"game":"tiny","seats":2,"hints":1}`: "json.flag", `{"game":"tiny","seats":2,"colour":"red"}`: "json.unknown",
		`{"game":"tiny","seats":2,"standIn":"Éva"}`: "table.player", `{"game":"tiny","seats":2,"standIn":""}`: "table.player",
		`{"game":"tiny","seats":2,"options":[]}`: "json.object", `{"game":"tiny","seats":2,"options":{"x":1}}`: "json.unknown",
		`{"game":"tiny","seats":2,"options":{"a\"b":1}}`: "json.unknown", `{"game":"tiny","seats":2,"options":{"box":{}}}`: "json.unknown",
		`{"game":"bosk","seats":2,"options":{"box":7}}`: "json.an-object", `{"game":"bosk","seats":2,"options":{"box":"ab"}}`: "box.unknown",
		`{"game":"bosk","seats":2,"options":{"box":{"game":"go"}}}`: "bosk.box.", `{"game":"grandbois","seats":2,"options":{"expert":1}}`: "json.flag",
		`{"game":"grandbois","seats":2,"options":{"x":"` + strings.Repeat("y", longestOptions) + `"}}`: "table.options",
	} {
		set, err := ReadSettings([]byte(text))
		if err == nil {
			_, _, err = Create(shelf, set, Secret{}, dawn)
		}
		if !strings.HasPrefix(keyOf(err), key) {
			t.Errorf("%.80s is answered by %v, want %s", text, err, key)
		}
	}
}

func TestOptionsHaveOneForm(t *testing.T) {
	set := settings("grandbois", 2)
	set.Options = json.RawMessage(` { "expert" : true , "box" : null } `)
	if got := string(open(t, set).Settings().Options); got != `{"expert":true}` {
		t.Errorf("they are written %s", got)
	}
}

// Many tables share one shelf.
func TestAShelfServesManyAtOnce(t *testing.T) {
	many := NewShelf(shelf.games...)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			if _, _, err := Create(many, settings("bosk", 2+n%3), Secret{}, dawn); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
