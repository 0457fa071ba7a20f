package bot_test

import (
	"context"
	"fmt"

	"copse/bot"
	"copse/game"
	"copse/games/bosk"
)

// Two bots play a game. Each is given the record of its own seat, thinks of a
// turn, and plays it out.
func ExampleOf() {
	bosk := bot.Of(bosk.Game())
	p, err := bosk.Start(game.Settings{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	seed, draws := game.Seed{Secret: []byte("a windy day")}, 0
	for p.ToAct() != game.None {
		if p.ToAct() == game.Chance {
			p, _, err = p.Play(game.Chance, p.Draw(seed, draws))
			draws++
		} else {
			players := []string{bot.Random, bot.Greedy}
			var thought *bot.Thought
			thought, err = bosk.Think(context.Background(), p, bot.Ask{Player: players[p.ToAct()], Seed: fmt.Sprint(p.Turn())})
			for i := 0; err == nil && i < len(thought.Line); i++ {
				p, _, err = p.Play(p.ToAct(), thought.Line[i])
			}
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	standing := p.Standing()
	for seat, s := range standing.Seats[:p.Seats()] {
		fmt.Printf("seat %d: %v points, rank %d\n", seat, s.Total, s.Rank)
	}
	// Output:
	// seat 0: 27 points, rank 2
	// seat 1: 78 points, rank 1
}
