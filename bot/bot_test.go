package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// games are ours, and one that does not judge its positions.
func games() []bot.Game {
	return []bot.Game{bot.Of(bosk.Game()), bot.Of(grandbois.Game()), bot.Of(gametest.Tiny())}
}

// everyone are the players that people meet, except those that think for long, and
// a reference.
func everyone() []string {
	return []string{bot.Random, bot.Easy, bot.Greedy, bot.Ahead, "level:1", "level:4", "level:6", "flat:30", "ismcts:30"}
}

func begin(t testing.TB, g bot.Game, seats int) game.Position {
	t.Helper()
	p, err := g.Start(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// think asks a player, and fails where it finds nothing.
func think(t testing.TB, g bot.Game, p game.Position, player, seed string) *bot.Thought {
	t.Helper()
	thought, err := g.Think(context.Background(), p, bot.Ask{Player: player, Seed: seed, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

// after is the position to which a move leads.
func after(t testing.TB, p game.Position, move json.RawMessage) game.Position {
	t.Helper()
	next, _, err := p.Play(p.ToAct(), move)
	if err != nil {
		t.Fatalf("%s by seat %v: %v", move, p.ToAct(), err)
	}
	return next
}

// onTheWay plays until so many turns are done, chance by the seed and players by a
// bot, and shows visit every position in which a player is to act.
func onTheWay(t testing.TB, g bot.Game, seats, turns int, player string, visit func(game.Position)) game.Position {
	t.Helper()
	p := begin(t, g, seats)
	for draws := 0; p.ToAct() != game.None && (p.ToAct() == game.Chance || p.Turn() < turns); {
		if p.ToAct() == game.Chance {
			p = after(t, p, p.Draw(game.Seed{Secret: []byte("oak")}, draws))
			draws++
			continue
		}
		visit(p)
		p = after(t, p, think(t, g, p, player, fmt.Sprint(p.Turn())).Line[0])
	}
	return p
}

// TestWholeGamesByTheRules: the rules take whatever a player answers.
func TestWholeGamesByTheRules(t *testing.T) {
	for _, g := range games() {
		for seats := 2; seats <= 4; seats++ {
			t.Run(fmt.Sprint(g.About().Name, seats), func(t *testing.T) {
				t.Parallel()
				p := begin(t, g, seats)
				players := []string{"level:4", bot.Ahead, "level:6", "level:2"}[4-seats:]
				for draws, plies := 0, 0; p.ToAct() != game.None; plies++ {
					if p.ToAct() == game.Chance {
						p = after(t, p, p.Draw(game.Seed{Secret: []byte("beech")}, draws))
						draws++
						continue
					}
					thought := think(t, g, p, players[p.ToAct()], fmt.Sprint(plies))
					legal := p.Moves()
					for _, option := range thought.Options {
						if !slices.ContainsFunc(legal, func(m json.RawMessage) bool { return string(m) == string(option.Move) }) {
							t.Fatalf("%s considers %s", players[p.ToAct()], option.Move)
						}
					}
					p = after(t, p, thought.Line[0])
				}
				if !p.Standing().Over {
					t.Error("the game has not ended")
				}
			})
		}
	}
}

// TestTheSameSeedFindsTheSame: what a player finds depends only on what its seat
// sees and on the seed.
func TestTheSameSeedFindsTheSame(t *testing.T) {
	for _, g := range games() {
		differs := false
		onTheWay(t, g, 3, 9, bot.Easy, func(p game.Position) {
			for _, player := range everyone() {
				first, second := think(t, g, p, player, "ash"), think(t, g, p, player, "ash")
				if !reflect.DeepEqual(first, second) {
					t.Errorf("%s: %s found %+v, then %+v", g.About().Name, player, first, second)
				}
			}
			differs = differs || string(think(t, g, p, bot.Random, "ash").Line[0]) != string(think(t, g, p, bot.Random, "elm").Line[0])
		})
		if !differs {
			t.Errorf("%s: at random the same is played whatever the seed", g.About().Name)
		}
	}
}

func TestOptionsAreFewAndTheBestComesFirst(t *testing.T) {
	for _, g := range games() {
		p := onTheWay(t, g, 2, 8, bot.Easy, func(game.Position) {})
		for _, player := range []string{bot.Easy, bot.Greedy, bot.Ahead, "level:3", "level:5"} {
			thought := think(t, g, p, player, "")
			if n := len(thought.Options); n < 1 || n > 5 || string(thought.Options[0].Move) != string(thought.Line[0]) {
				t.Errorf("%s: %s plays %s and considers %v", g.About().Name, player, thought.Line[0], thought.Options)
			}
			plain, err := g.Think(context.Background(), p, bot.Ask{Player: player})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(plain.Options, func(a, b bot.Option) int { return int(100*b.Margin) - int(100*a.Margin) }) {
				t.Errorf("%s: %s considers %v", g.About().Name, player, plain.Options)
			}
		}
		if thought := think(t, g, p, bot.Random, ""); len(thought.Options) != 0 {
			t.Errorf("at random %v is considered", thought.Options)
		}
	}
}

// TestWhoStopsThinkingStillMoves: when time is up, a player answers with what it
// has found.
func TestWhoStopsThinkingStillMoves(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, g := range games() {
		p := onTheWay(t, g, 4, 5, bot.Random, func(game.Position) {})
		for _, player := range everyone() {
			thought, err := g.Think(stopped, p, bot.Ask{Player: player})
			if err != nil {
				t.Fatal(err)
			}
			after(t, p, thought.Line[0])
		}
	}
}

func TestWhoCannotThink(t *testing.T) {
	g := bot.Of(grandbois.Game())
	dealing := begin(t, g, 3)
	placing := onTheWay(t, g, 3, 1, bot.Random, func(game.Position) {})
	over := onTheWay(t, g, 2, 100, bot.Random, func(game.Position) {})
	for _, c := range []struct {
		p            game.Position
		player, want string
	}{
		{placing, "clever", `bot.player {"known":["random","easy","greedy","ahead","level:N","flat:N","ismcts:N","veteran"],"player":"clever"}`},
		{placing, "", `bot.player {"known":["random","easy","greedy","ahead","level:N","flat:N","ismcts:N","veteran"],"player":""}`},
		{dealing, bot.Greedy, `bot.chance {}`},
		{over, bot.Greedy, `bot.over {}`},
		{placing.See(0), bot.Greedy, `bot.seat {"seat":1}`},
		{placing.See(game.Watcher), bot.Greedy, `bot.seat {"seat":1}`},
		{placing.See(1), bot.Greedy, ``},
	} {
		_, err := g.Think(context.Background(), c.p, bot.Ask{Player: c.player})
		var fault *game.Fault
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &fault) || fault.Error() != c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
