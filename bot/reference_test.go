package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// stored is one random game, and what references chose on the way.
type stored struct {
	Game    string            `json:"game"`
	Seats   int               `json:"seats"`
	Options json.RawMessage   `json:"options"`
	Moves   []json.RawMessage `json:"moves"`
	Choices []storedChoice    `json:"choices"`
}

// storedChoice is what a player chose when so many moves had been made.
type storedChoice struct {
	After  int             `json:"after"`
	Player string          `json:"player"`
	Seed   string          `json:"seed"`
	Move   json.RawMessage `json:"move"`

	// Options are what the best moves were worth to greedy: they tell of a
	// change that was too small to alter a choice.
	Options []storedOption `json:"options,omitempty"`
}

type storedOption struct {
	Move  json.RawMessage `json:"move"`
	Worth float64         `json:"worth"`
}

// options are those of a thought, as they are stored.
func options(found *bot.Thought) []storedOption {
	var list []storedOption
	for _, o := range found.Options {
		list = append(list, storedOption{o.Move, o.Margin})
	}
	return list
}

// TestReferencesChooseWhatTheyAlwaysChose compares the references with what they
// chose on the day they were frozen. If it fails, they have been changed, and
// nothing measured against them before can be compared with anything after:
// undo the change, or make it in a player of another name. The file is never
// written again; see bot.ReferenceVersion.
func TestReferencesChooseWhatTheyAlwaysChose(t *testing.T) {
	file := fmt.Sprintf("testdata/references-%d.json", bot.ReferenceVersion)
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv(gametest.WriteGames) != "" {
		writeReferences(t, file)
		return
	}
	if err != nil {
		t.Fatalf("%v; a new version of the references is stored by %s=1 go test ./bot", err, gametest.WriteGames)
	}
	var list []stored
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, g := range list {
		t.Run(fmt.Sprintf("%s-%d-%s", g.Game, g.Seats, g.Options), func(t *testing.T) {
			p := start(t, g.Game, g.Seats, g.Options)
			made := 0
			for _, c := range g.Choices {
				for ; made < c.After; made++ {
					p = after(t, p, g.Moves[made])
				}
				got := plainly(t, known(t, g.Game), p, c.Player, c.Seed)
				if string(got.Line[0]) != string(c.Move) {
					t.Errorf("after %d moves %s with seed %q plays %s, and always played %s", c.After, c.Player, c.Seed, got.Line[0], c.Move)
				}
				if !slices.EqualFunc(options(got), c.Options, func(a, b storedOption) bool { return string(a.Move) == string(b.Move) && a.Worth == b.Worth }) {
					t.Errorf("after %d moves %s with seed %q considers %s, and always considered %s", c.After, c.Player, c.Seed, asLine(t, got.Options), asLine(t, c.Options))
				}
				seen[c.Player]++
			}
		})
	}
	for _, player := range storedPlayers() {
		if seen[player] < 50 {
			t.Errorf("only %d choices of %s are stored", seen[player], player)
		}
	}
}

func storedPlayers() []string {
	return []string{bot.Random, bot.Greedy, "flat:1", "flat:40", "flat:300"}
}

func known(t *testing.T, name string) bot.Game {
	t.Helper()
	for _, g := range []bot.Game{bot.Of(bosk.Game()), bot.Of(grandbois.Game())} {
		if g.About().Name == name {
			return g
		}
	}
	t.Fatalf("no game is called %s", name)
	return nil
}

func start(t *testing.T, name string, seats int, options json.RawMessage) game.Position {
	t.Helper()
	p, err := known(t, name).Start(game.Settings{Seats: seats, Options: options, Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plainly is what a player finds where no reasons are wanted: what a move is worth
// is told as it was judged.
func plainly(t *testing.T, g bot.Game, p game.Position, player, seed string) *bot.Thought {
	t.Helper()
	thought, err := g.Think(context.Background(), p, bot.Ask{Player: player, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

// writeReferences stores a version for ever.
func writeReferences(t *testing.T, file string) {
	t.Helper()
	var lines []string
	for _, g := range []stored{
		{Game: "bosk", Seats: 2}, {Game: "bosk", Seats: 3}, {Game: "bosk", Seats: 4},
		{Game: "grandbois", Seats: 2}, {Game: "grandbois", Seats: 3}, {Game: "grandbois", Seats: 4},
		{Game: "grandbois", Seats: 3, Options: json.RawMessage(`{"expert":true}`)},
	} {
		if g.Options == nil {
			g.Options = json.RawMessage(`{}`)
		}
		p := start(t, g.Game, g.Seats, g.Options)
		rng := rand.New(rand.NewPCG(uint64(g.Seats), uint64(len(g.Game)+len(g.Options))))
		var choices, moves []string
		for n := 0; p.ToAct() != game.None; n++ {
			list := p.Moves()
			if p.ToAct() >= 0 && len(list) > 1 && rng.IntN(4) == 0 {
				for _, player := range storedPlayers() {
					c := storedChoice{After: n, Player: player, Seed: fmt.Sprint("reference ", n)}
					found := plainly(t, known(t, g.Game), p, player, c.Seed)
					c.Move, c.Options = found.Line[0], options(found)
					choices = append(choices, asLine(t, c))
				}
			}
			move := list[rng.IntN(len(list))]
			moves = append(moves, string(move))
			p = after(t, p, move)
		}
		lines = append(lines, fmt.Sprintf("{\"game\":%q,\"seats\":%d,\"options\":%s,\"moves\":[\n%s\n],\"choices\":[\n%s\n]}",
			g.Game, g.Seats, g.Options, strings.Join(moves, ",\n"), strings.Join(choices, ",\n")))
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func asLine(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
