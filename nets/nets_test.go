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

// before are the nets that were wanted before any had come, by level, game and seats.
var before []string

func TestMain(m *testing.M) {
	before = wanted()
	if err := nets.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestNetsAreWanted: levels ask for nets where those were seen to win, and nobody else
// does; each net that is asked for has come, and is asked for no more. None is large.
func TestNetsAreWanted(t *testing.T) {
	var want, names []string
	for _, at := range []struct {
		game, net, options string
		seats, first       int
	}{
		{"bosk", "bosk-1-of-2", "{}", 2, 10},
		{"bosk", "bosk-1-of-3", "{}", 3, 9},
		{"bosk", "bosk-1-of-4", "{}", 4, 9},
		{"grandbois", "grandbois-1-of-2", "{}", 2, 6},
		{"grandbois", "grandbois-1-of-2", expert, 2, 6},
		{"grandbois", "grandbois-1-of-4", "{}", 4, 10},
		{"treesociety", "treesociety-5-1-of-2", "{}", 2, 10},
		{"treesociety", "treesociety-5-1-of-3", "{}", 3, 10},
		{"treesociety", "treesociety-5-1-of-4", "{}", 4, 10},
	} {
		for l := at.first; l <= bot.Levels; l++ {
			want = append(want, fmt.Sprintf("level:%d at %s of %d, %s: %s", l, at.game, at.seats, at.options, at.net))
		}
		if file := at.net + ".net"; !slices.Contains(names, file) {
			names = append(names, file)
		}
	}
	if !slices.Equal(before, want) {
		t.Errorf("wanted are\n%s\nand not\n%s", strings.Join(before, "\n"), strings.Join(want, "\n"))
	}
	if after := wanted(); len(after) > 0 {
		t.Errorf("%v are wanted and have not come", after)
	}
	files, err := filepath.Glob("*.net")
	if err != nil || !slices.Equal(files, names) {
		t.Errorf("there are %v, and wanted are %v: %v", files, names, err)
	}
	for _, file := range files {
		if raw, err := os.ReadFile(file); err != nil || len(raw) > mostBytes {
			t.Errorf("%s: %d bytes, %v", file, len(raw), err)
		}
	}
}

// expert are the options of another game by the same net.
const expert = `{"expert":true}`

// wanted are all nets that anyone wants at usual tables and those of the expert game. At
// one with a box of its own nobody wants any.
func wanted() (all []string) {
	for _, g := range games.All() {
		options := []string{"{}"}
		if g.About().Name == "grandbois" {
			options = append(options, expert, `{"box":{"riverSize":3}}`)
		}
		for seats := g.About().MinSeats; seats <= g.About().MaxSeats; seats++ {
			players := []string{"greedy", "random"}
			for l := 1; l <= bot.Levels; l++ {
				players = append(players, bot.LevelName(l))
			}
			for _, chosen := range options {
				p := begun(g, game.Settings{Seats: seats, Options: game.RawMessage(chosen)})
				for _, player := range players {
					name, err := g.(bot.Sharer).Wants(p, player)
					if err != nil {
						panic(err)
					}
					if name != "" {
						all = append(all, fmt.Sprintf("%s at %s of %d, %s: %s", player, g.About().Name, seats, chosen, name))
					}
				}
			}
		}
	}
	return all
}

// begun is a game in which somebody is to act.
func begun(g game.Game, settings game.Settings) game.Position {
	p, err := g.Start(settings)
	if err != nil {
		panic(err)
	}
	return untilSomebodyActs(p)
}

func untilSomebodyActs(p game.Position) game.Position {
	for p.ToAct() == game.Chance {
		p = played(p, game.Chance, p.Moves()[0])
	}
	return p
}

func played(p game.Position, seat game.Seat, move game.RawMessage) game.Position {
	p, _, err := p.Play(seat, move)
	if err != nil {
		panic(err)
	}
	return p
}

// choice is what a level does that judges by a net.
type choice struct {
	Game   string
	Option string `json:",omitempty"`
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
		walk := func(seats int, options string) {
			p := begun(g, game.Settings{Seats: seats, Options: game.RawMessage(options)})
			for n := 0; p.ToAct() != game.None; n++ {
				if n%9 == 5 {
					player := bot.LevelName(bot.Levels - n/9%5)
					if g.About().Name == "bosk" && seats > 2 {
						player = bot.LevelName(9 + n/9%2) // those below do without
					}
					thought := think(p, player)
					addUp(t, thought)
					c := choice{g.About().Name, options, seats, p.Turn(), player, thought.Line, thought.Options[0].Margin, thought.Played}
					line, err := json.Marshal(c)
					if err != nil {
						t.Fatal(err)
					}
					lines = append(lines, string(line))
				}
				for _, move := range think(p, "level:1").Line {
					p = played(p, p.ToAct(), move)
				}
				p = untilSomebodyActs(p)
			}
		}
		for seats := g.About().MinSeats; seats <= g.About().MaxSeats; seats++ {
			walk(seats, "")
		}
		if g.About().Name == "grandbois" {
			walk(2, expert)
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
