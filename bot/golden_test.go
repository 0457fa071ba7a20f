package bot_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"copse/bot"
	"copse/game"
)

// writeLevels is the variable of the environment with which the choices of the
// levels are stored anew. Levels are tuned, so unlike those of the references their
// choices may change, but only on purpose:
//
//	COPSE_WRITE_LEVELS=1 go test -run LevelsChoose ./bot
const writeLevels = "COPSE_WRITE_LEVELS"

// levelChoice is what a level did in a position of a stored game.
type levelChoice struct {
	Game    string            `json:"game"`
	Seats   int               `json:"seats"`
	Options json.RawMessage   `json:"options,omitempty"`
	Now     bool              `json:"now,omitempty"` // a game of the newest version, as ofNow plays it
	After   int               `json:"after"`
	Player  string            `json:"player"`
	Line    []json.RawMessage `json:"line"`
	Margin  float64           `json:"margin"` // what it expects: it shows changes that are too small to alter the choice
	Played  int               `json:"played"` // games it played on to see
}

// TestLevelsChooseWhatIsStored compares what the levels do in positions of the
// games that the references are stored with. Whoever changes a level, or what a
// game says its positions are worth, sees here what that changes, and stores it
// anew on purpose.
func TestLevelsChooseWhatIsStored(t *testing.T) {
	const file = "testdata/levels.json"
	var want []levelChoice
	if os.Getenv(writeLevels) == "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
	}
	got := levelChoices(t)
	if os.Getenv(writeLevels) != "" {
		lines := make([]string, len(got))
		for i, c := range got {
			lines[i] = asLine(t, c)
		}
		if err := os.WriteFile(file, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(got) != len(want) {
		t.Fatalf("%d choices are made and %d are stored: store them anew by %s=1", len(got), len(want), writeLevels)
	}
	for i, c := range got {
		if now, then := asLine(t, c), asLine(t, want[i]); now != then {
			t.Errorf("it is now %s\nand was   %s\nif that is meant, store it anew by %s=1", now, then, writeLevels)
		}
	}
}

// levelChoices has every level choose in some positions of every stored game: the
// quick ones in many, the slow ones in few.
func levelChoices(t *testing.T) []levelChoice {
	t.Helper()
	var asked []func(*testing.T) levelChoice
	ask := func(c levelChoice, i, of int, p game.Position) {
		for l := 1; l <= bot.Levels; l++ {
			if l <= 7 && i%2 != 0 || l == 8 && i%4 != 0 || l == 9 && i != of/3 || l == 10 && (i != of/2 || c.Seats != 2) {
				continue
			}
			c := c
			c.Player = fmt.Sprint("level:", l)
			asked = append(asked, func(t *testing.T) levelChoice {
				thought := plainly(t, known(t, c.Game), p, c.Player, "golden")
				c.Line, c.Margin, c.Played = thought.Line, thought.Options[0].Margin, thought.Played
				return c
			})
		}
	}
	for _, file := range []string{"testdata/references-1.json", "testdata/references-1-treesociety.json"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []stored
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		for _, g := range list {
			var at []int
			for _, c := range g.Choices {
				if !slices.Contains(at, c.After) {
					at = append(at, c.After)
				}
			}
			p, made := g.start(t), 0
			for i, n := range at {
				for ; made < n; made++ {
					p = after(t, p, g.Moves[made])
				}
				ask(levelChoice{Game: g.Game, Seats: g.Seats, Options: g.Options, After: n}, i, len(at), p)
			}
		}
	}
	for seats := 2; seats <= game.MaxSeats; seats++ {
		on := ofNow(t, "treesociety", seats)
		for i, n := range slices.Sorted(maps.Keys(on)) {
			ask(levelChoice{Game: "treesociety", Seats: seats, After: n, Now: true}, i, len(on), on[n])
		}
	}
	got := make([]levelChoice, len(asked))
	t.Run("choices", func(t *testing.T) {
		const parts = 4 // as many at once as there are cores, in whatever order
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for i := part; i < len(asked); i += parts {
					// In a bubble no time goes by while somebody thinks: a busy machine cuts
					// nobody short.
					synctest.Test(t, func(t *testing.T) { got[i] = asked[i](t) })
				}
			})
		}
	})
	return got
}

// ofNow plays a game of the newest version with the usual options, half at random and half
// as greedy does, and gives every thirtieth position in which there is something to choose,
// by how many moves led there. Stored games are of version 1, which knows nothing of what
// was learned about the decks since.
func ofNow(t *testing.T, name string, seats int) map[int]game.Position {
	t.Helper()
	p, err := known(t, name).Start(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	on, rng := map[int]game.Position{}, rand.New(rand.NewPCG(uint64(seats), 5))
	for n, choices := 0, 0; p.ToAct() != game.None; n++ {
		list := p.Moves()
		move := list[rng.IntN(len(list))]
		if p.ToAct() >= 0 {
			if len(list) > 1 {
				if choices++; choices%30 == 0 {
					on[n] = p
				}
			}
			if rng.IntN(2) == 0 {
				move = plainly(t, known(t, name), p, bot.Greedy, "").Line[0]
			}
		}
		p = after(t, p, move)
	}
	return on
}
