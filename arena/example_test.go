package arena_test

import (
	"context"
	"fmt"

	"copse/arena"
	"copse/games/bosk"
)

// A match plays every deal in every rotation of the players. The same seed brings
// the same result, on any number of cores.
func ExampleOf() {
	m, err := arena.Of(bosk.Game()).Match(context.Background(), arena.MatchConfig{
		Players: []string{"greedy", "random"}, Games: 10, Seed: "an example", Opening: -1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range m.ByPlayer {
		fmt.Printf("%s has won %.0f %% of %d games\n", p.Player, 100*p.WinShare.Mean, m.Games)
	}
	// Output:
	// greedy has won 100 % of 10 games
	// random has won 0 % of 10 games
}
