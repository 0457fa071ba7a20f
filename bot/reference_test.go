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
	"testing/synctest"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// stored is one random game, and what references chose on the way.
type stored struct {
	Game    string            `json:"game"`
	Seats   int               `json:"seats"`
	Options json.RawMessage   `json:"options"`
	Box     string            `json:"box,omitempty"` // a file beside it, where the box of the game may still change
	Moves   []json.RawMessage `json:"moves"`
	Choices []storedChoice    `json:"choices"`
}

// storedChoice is what a player chose after so many moves.
type storedChoice struct {
	After  int             `json:"after"`
	Player string          `json:"player"`
	Seed   string          `json:"seed"`
	Move   json.RawMessage `json:"move"`

	// Options are what the best moves were worth to greedy: they show a change that
	// was too small to alter a choice.
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
// nothing measured against them before can be compared with anything after: undo
// the change, or make it in a player of another name. The file is never written
// again; see bot.ReferenceVersion.
func TestReferencesChooseWhatTheyAlwaysChose(t *testing.T) {
	for file, games := range map[string][]stored{
		"references-%d-ismcts.json": {
			{Game: "bosk", Seats: 2}, {Game: "bosk", Seats: 4}, {Game: "grandbois", Seats: 2}, {Game: "grandbois", Seats: 3},
			{Game: "treesociety", Seats: 2}, {Game: "treesociety", Seats: 3}, {Game: "treesociety", Seats: 4},
			{Game: "grandbois", Seats: 3, Options: json.RawMessage(`{"expert":true}`)},
		},
		"references-%d-veteran.json": {
			{Game: "bosk", Seats: 2}, {Game: "bosk", Seats: 3}, {Game: "bosk", Seats: 4},
			{Game: "grandbois", Seats: 2}, {Game: "grandbois", Seats: 3}, {Game: "grandbois", Seats: 4},
			{Game: "grandbois", Seats: 3, Options: json.RawMessage(`{"expert":true}`)},
			{Game: "treesociety", Seats: 2}, {Game: "treesociety", Seats: 3}, {Game: "treesociety", Seats: 4},
		},
		"references-%d.json": {
			{Game: "bosk", Seats: 2}, {Game: "bosk", Seats: 3}, {Game: "bosk", Seats: 4},
			{Game: "grandbois", Seats: 2}, {Game: "grandbois", Seats: 3}, {Game: "grandbois", Seats: 4},
			{Game: "grandbois", Seats: 3, Options: json.RawMessage(`{"expert":true}`)},
		},
		"references-%d-treesociety.json": {
			{Game: "treesociety", Seats: 2}, {Game: "treesociety", Seats: 3}, {Game: "treesociety", Seats: 4},
			{Game: "treesociety", Seats: 2, Options: json.RawMessage(`{"guilds":["writers","botanists","explorers","bankers"]}`)},
		},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			players := []string{bot.Random, bot.Greedy, "flat:1", "flat:40", "flat:300"}
			if strings.Contains(file, "ismcts") {
				players = []string{"ismcts:1", "ismcts:60", "ismcts:400"}
			}
			if strings.Contains(file, "veteran") {
				players = []string{"veteran/budget=2", "veteran/budget=6/margin=0.05", bot.Veteran}
			}
			alwaysChose(t, "testdata/"+fmt.Sprintf(file, bot.ReferenceVersion), games, players)
		})
	}
}

// alwaysChose compares with one file, or stores it once where there is none.
func alwaysChose(t *testing.T, file string, games []stored, players []string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv(gametest.WriteGames) != "" {
		writeReferences(t, file, games, players)
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
			p := g.start(t)
			made := 0
			for _, c := range g.Choices {
				for ; made < c.After; made++ {
					p = after(t, p, g.Moves[made])
				}
				var got *bot.Thought
				// In a bubble no time goes by: a busy machine cuts nobody short.
				synctest.Test(t, func(t *testing.T) { got = plainly(t, known(t, g.Game), p, c.Player, c.Seed) })
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
	for _, player := range players {
		least := 50
		if player == bot.Veteran {
			least = 3 // it takes its time
		}
		if seen[player] < least {
			t.Errorf("only %d choices of %s are stored", seen[player], player)
		}
	}
}

func known(t *testing.T, name string) bot.Game {
	t.Helper()
	for _, g := range []bot.Game{bot.Of(bosk.Game()), bot.Of(grandbois.Game()), bot.Of(treesociety.Game())} {
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

// start begins the game that is stored, with the box that it was stored with.
func (g *stored) start(t *testing.T) game.Position {
	t.Helper()
	if g.Box == "" {
		return start(t, g.Game, g.Seats, g.Options)
	}
	options := map[string]json.RawMessage{}
	if err := json.Unmarshal(g.Options, &options); err != nil {
		t.Fatal(err)
	}
	box, err := os.ReadFile("testdata/" + g.Box)
	if err != nil {
		t.Fatal(err)
	}
	options["box"] = box
	return start(t, g.Game, g.Seats, json.RawMessage(asLine(t, options)))
}

// plainly is what a player finds where no reasons are wanted: then what a move is
// worth is told as it was judged.
func plainly(t *testing.T, g bot.Game, p game.Position, player, seed string) *bot.Thought {
	t.Helper()
	thought, err := g.Think(context.Background(), p, bot.Ask{Player: player, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

// writeReferences stores a version for ever. Every other move is greedy's, so that
// the games are sensible.
func writeReferences(t *testing.T, file string, games []stored, players []string) {
	t.Helper()
	var lines []string
	for _, g := range games {
		if g.Options == nil {
			g.Options = json.RawMessage(`{}`)
		}
		if g.Game == "treesociety" {
			g.Box = "treesociety-box.json"
		}
		p := g.start(t)
		rng := rand.New(rand.NewPCG(uint64(g.Seats), uint64(len(g.Game)+len(g.Options))))
		var choices, moves []string
		var on []game.Position // the way
		for p.ToAct() != game.None {
			list := p.Moves()
			move := list[rng.IntN(len(list))]
			if p.ToAct() >= 0 && rng.IntN(2) == 0 {
				move = plainly(t, known(t, g.Game), p, bot.Greedy, "").Line[0]
			}
			on, moves = append(on, p), append(moves, string(move))
			p = after(t, p, move)
		}
		asked := false // the veteran, who is asked once, in the middle of a game of two
		for n, p := range on {
			every := 26
			if slices.Contains(players, bot.Veteran) && g.Game != "treesociety" {
				every = 4
				if n >= len(on)-8 {
					every = 1 // the end of a game is solved
				}
			}
			if p.ToAct() < 0 || len(p.Moves()) < 2 || rng.IntN(every) != 0 {
				continue
			}
			for _, player := range players {
				if player == bot.Veteran {
					if asked || g.Seats != 2 || n < 20 {
						continue
					}
					asked = true
				}
				c := storedChoice{After: n, Player: player, Seed: fmt.Sprint("reference ", n)}
				found := plainly(t, known(t, g.Game), p, player, c.Seed)
				c.Move, c.Options = found.Line[0], options(found)
				choices = append(choices, asLine(t, c))
			}
		}
		lines = append(lines, fmt.Sprintf("{\"game\":%q,\"seats\":%d,\"options\":%s,\"box\":%q,\"moves\":[\n%s\n],\"choices\":[\n%s\n]}",
			g.Game, g.Seats, g.Options, g.Box, strings.Join(moves, ",\n"), strings.Join(choices, ",\n")))
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
