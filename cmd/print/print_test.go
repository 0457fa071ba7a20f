package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/games"
)

// printed is a leaflet as whoever builds the page reads it.
type printed struct {
	Info  struct{ Name string }
	First map[string]map[string]any
	Else  map[string][]struct {
		Choice any
		View   map[string]any
	}
}

func TestWhatIsPrintedIsWhatAnEngineShows(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	if err := print(folder, games.All()); err != nil {
		t.Fatal(err)
	}
	for _, g := range games.All() {
		name := g.About().Name
		raw, err := os.ReadFile(filepath.Join(folder, "games", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var p printed
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		if p.Info.Name != name || len(p.First) != g.About().MaxSeats-g.About().MinSeats+1 {
			t.Errorf("%s: %q with %d tables is printed", name, p.Info.Name, len(p.First))
		}
		for _, o := range g.About().Options {
			want := map[string]int{"flag": 1, "number": 1}[o.Kind]
			if got := len(p.Else[o.Name]); got != want {
				t.Errorf("%s: %d other choices of %s are printed, want %d", name, got, o.Name, want)
			}
			for _, v := range p.Else[o.Name] {
				if reflect.DeepEqual(v.Choice, o.Default) || !reflect.DeepEqual(v.View[o.Name], v.Choice) {
					t.Errorf("%s: %s chosen as %v is printed as %v", name, o.Name, v.Choice, v.View)
				}
			}
		}
		for seats, first := range p.First {
			if first["seats"] != float64(seats[0]-'0') {
				t.Errorf("%s: the table of %s is %v", name, seats, first)
			}
		}
	}
}

// What chance gives is not printed: no first view has anything that another seed
// would show otherwise.
func TestNothingThatChanceGivesIsPrinted(t *testing.T) {
	for _, g := range games.All() {
		asked := teller{engine.New(g), g.About().Name}
		first, err := asked.first(2, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn := map[string]any{"do": "new", "game": g.About().Name, "seats": 2, "options": map[string]any{}}
		for _, seed := range []string{"oak", "elm"} {
			drawn["seed"], drawn["chance"] = seed, "manual"
			var answer struct{ View view }
			if asked.ask(drawn, nil) != nil || asked.ask(map[string]any{"do": "view", "seat": "watcher"}, &answer) != nil || !reflect.DeepEqual(answer.View, first) {
				t.Errorf("%s: another seed begins otherwise", g.About().Name)
			}
		}
	}
}

// TestChoicesThatDoNotAddUpAreFound plants one.
func TestChoicesThatDoNotAddUpAreFound(t *testing.T) {
	for _, g := range games.All() {
		if g.About().Name != "treesociety" {
			continue
		}
		s, err := leafletOf(g)
		if err != nil {
			t.Fatal(err)
		}
		asked, usual := teller{engine.New(g), g.About().Name}, map[int]view{}
		for seats := 2; seats <= 4; seats++ {
			if usual[seats], err = asked.first(seats, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.holds(asked, g.About(), usual); err != nil {
			t.Error(err)
		}
		s.Else["draft"][0].View["round"] = 2.0
		if s.holds(asked, g.About(), usual) == nil {
			t.Error("a leaflet that lies is taken")
		}
	}
}

func TestFilesThatWouldNotChangeAreLeftAlone(t *testing.T) {
	folder := t.TempDir()
	list := []game.Game{games.All()[0]}
	if err := print(folder, list); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "games", list[0].About().Name+".json")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := print(folder, list); err != nil {
		t.Fatal(err)
	}
	if now, err := os.Stat(file); err != nil || !now.ModTime().Equal(old.ModTime()) {
		t.Errorf("written again, %v", err)
	}
	if err := os.WriteFile(file, append(before, ' '), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := print(folder, list); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(before) {
		t.Errorf("what changed is not written, %v", err)
	}
}

// TestKeysAreNeededWhereTheyAreDeclared: one of each kind.
func TestKeysAreNeededWhereTheyAreDeclared(t *testing.T) {
	words := wordsOf(games.All())
	for key, want := range map[string]string{
		"bosk.name": "base", "grandbois.seat.white": "base", "bot.level.name.3": "base", "engine.broken": "base", "treesociety.guild.writers": "base",
		"bosk.region.lake": "bosk", "grandbois.space.bear": "grandbois", "treesociety.row.top": "treesociety",
		"bosk.event.plant": "rest", "bosk.wind.side": "rest", "treesociety.refuse.rest": "rest", "treesociety.card.mint": "rest", "json.text": "rest", "engine.undo": "rest", "bosk.about": "rest",
		"table.paused": "online", "server.who": "online",
		"bosk.box.row": "", "box.large": "", "table.log.hash": "", "play.help": "",
	} {
		if got := words[key]; got != want {
			t.Errorf("%s is needed in %q, want %q", key, got, want)
		}
	}
	for _, g := range games.All() {
		for _, p := range g.About().Phrases {
			if _, on := words[p.Key]; on == (p.When == game.Never) {
				t.Errorf("%s, to be said %d, is in the words of the page: %v", p.Key, p.When, on)
			}
		}
	}
}
