package bot_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"copse/bot"
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
	Options json.RawMessage   `json:"options"`
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
				for l := 1; l <= bot.Levels; l++ {
					if l <= 7 && i%2 != 0 || l == 8 && i%4 != 0 || l == 9 && i != len(at)/3 || l == 10 && (i != len(at)/2 || g.Seats != 2) {
						continue
					}
					c := levelChoice{Game: g.Game, Seats: g.Seats, Options: g.Options, After: n, Player: fmt.Sprint("level:", l)}
					here := p
					asked = append(asked, func(t *testing.T) levelChoice {
						thought := plainly(t, known(t, c.Game), here, c.Player, "golden")
						c.Line, c.Margin, c.Played = thought.Line, thought.Options[0].Margin, thought.Played
						return c
					})
				}
			}
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
