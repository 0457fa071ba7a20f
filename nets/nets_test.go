package nets_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/nets"
)

// mostBytes is how large a net may be. It travels compressed, which makes it smaller.
const mostBytes = 100_000

// TestNetsAreWanted: every net that comes with Copse is small, and one that a level asks
// for by its name at a usual table, and no more once it is there; and every net that is
// asked for there has come. The first levels and what is not a level ask for none. At
// other tables nobody asks for one that is here: it would not fit.
func TestNetsAreWanted(t *testing.T) {
	files, err := filepath.Glob("*.net")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no nets: %v", err)
	}
	for _, file := range files {
		if about, err := os.Stat(file); err != nil || about.Size() > mostBytes {
			t.Errorf("%s: %v bytes, %v", file, about.Size(), err)
		}
	}
	for _, g := range games.All() {
		set, ok := map[string]game.Settings{
			"grandbois":   {Seats: 2, Options: game.RawMessage(`{"expert":true}`)},
			"treesociety": {Seats: 3, Version: 4},
		}[g.About().Name]
		if !ok {
			continue
		}
		if name := g.(bot.Sharer).Wants(begun(t, g, set), bot.LevelName(8)); name == "" || slices.Contains(files, name+".net") {
			t.Errorf("%s: %q is wanted where another is needed", g.About().Name, name)
		}
	}
	before := wanted(t)
	if err := nets.Use(); err != nil {
		t.Fatal(err)
	}
	if after := wanted(t); len(after) > 0 {
		t.Errorf("%v are wanted and have not come", after)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".net")
		if !slices.Contains(before, name) {
			t.Errorf("nobody wants %s", name)
		}
	}
}

// wanted are the names of all nets that anyone wants at usual tables.
func wanted(t *testing.T) (all []string) {
	t.Helper()
	for _, g := range games.All() {
		for seats := g.About().MinSeats; seats <= g.About().MaxSeats; seats++ {
			p := begun(t, g, game.Settings{Seats: seats})
			for l := 1; l <= bot.Levels; l++ {
				name := g.(bot.Sharer).Wants(p, bot.LevelName(l))
				if name == "" {
					continue
				}
				if !strings.HasPrefix(name, g.About().Name+"-") || !strings.HasSuffix(name, fmt.Sprintf("-of-%d", seats)) || l < 6 {
					t.Errorf("%s of %d: level %d wants %s", g.About().Name, seats, l, name)
				}
				all = append(all, name)
			}
			for _, other := range []string{"greedy", "random", "nobody", ""} {
				if name := g.(bot.Sharer).Wants(p, other); name != "" {
					t.Errorf("%q wants %s", other, name)
				}
			}
		}
	}
	return all
}

// begun is a game in which somebody is to act.
func begun(t *testing.T, g game.Game, settings game.Settings) game.Position {
	t.Helper()
	p, err := g.Start(settings)
	if err != nil {
		t.Fatal(err)
	}
	return untilSomebodyActs(t, p)
}

func untilSomebodyActs(t *testing.T, p game.Position) game.Position {
	t.Helper()
	for p.ToAct() == game.Chance {
		p = played(t, p, game.Chance, p.Moves()[0])
	}
	return p
}

func played(t *testing.T, p game.Position, seat game.Seat, move game.RawMessage) game.Position {
	t.Helper()
	p, _, err := p.Play(seat, move)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// choice is what a level does that judges by a net.
type choice struct {
	Game   string
	Seats  int
	Turn   int
	Player string
	Line   []json.RawMessage
	Margin float64
	Played int
}

// writeChoices is the variable of the environment with which choices are stored anew,
// after nets or levels were changed on purpose:
//
//	COPSE_WRITE_LEVELS=1 go test -run ChooseByNets ./nets
const writeChoices = "COPSE_WRITE_LEVELS"

// TestLevelsChooseByNetsWhatIsStored: the same net has the same level choose the same, on
// every machine, and expect the same to the last digit. Its reasons add up to what it
// expects, as without a net.
func TestLevelsChooseByNetsWhatIsStored(t *testing.T) {
	const file = "testdata/choices.json"
	if err := nets.Use(); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithDeadline(t.Context(), time.Now().Add(time.Hour)) // nobody is cut short, however busy the machine is
	defer end()
	var lines []string
	for _, g := range games.All() {
		think := func(p game.Position, player string) *bot.Thought {
			thought, err := g.(bot.Sharer).Think(ctx, p, bot.Ask{Player: player, Seed: "stored", Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			return thought
		}
		for seats := g.About().MinSeats; seats <= g.About().MaxSeats; seats++ {
			p := begun(t, g, game.Settings{Seats: seats})
			for n := 0; p.ToAct() != game.None; n++ {
				if n%9 == 5 {
					player := bot.LevelName(6 + n/9%3)
					thought := think(p, player)
					addUp(t, thought)
					c := choice{g.About().Name, seats, p.Turn(), player, thought.Line, thought.Options[0].Margin, thought.Played}
					line, err := json.Marshal(c)
					if err != nil {
						t.Fatal(err)
					}
					lines = append(lines, string(line))
				}
				for _, move := range think(p, "level:1").Line {
					p = played(t, p, p.ToAct(), move)
				}
				p = untilSomebodyActs(t, p)
			}
		}
	}
	got := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	if os.Getenv(writeChoices) != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	stored := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(stored) || line != stored[i] {
			t.Fatalf("it is now %s\nand was   %s\nif that is meant, store it anew by %s=1", line, strings.Join(stored[min(i, len(stored)-1):min(i+1, len(stored))], ""), writeChoices)
		}
	}
}

// addUp: the reasons of a turn are what separates the lead that is expected from the lead
// as it stands, to the hundredth.
func addUp(t *testing.T, thought *bot.Thought) {
	t.Helper()
	hundredths := func(x float64) int { return int(math.Round(100 * x)) }
	for _, o := range thought.Options {
		sum := 0
		for _, r := range o.Reasons {
			sum += hundredths(r.Points)
		}
		if want := hundredths(o.Margin) - hundredths(thought.Now); sum != want || o.Win != nil && (*o.Win < 0 || *o.Win > 1) {
			t.Errorf("from %v to %v it is %d hundredths, and %v are %d", thought.Now, o.Margin, want, o.Reasons, sum)
		}
	}
}
