// Package arena plays many games at once and counts what comes of them. It
// knows no game: cmd makes an Arena of each.
package arena

import "copse/game"

// Arena is where one game is played many times, its types forgotten.
type Arena interface {
	// Sim plays random games. It fails only on settings that the game does
	// not have, with a *game.Fault.
	Sim(SimConfig) (*Sim, error)

	// Match plays games between players. It fails on settings that the game
	// does not have and players that there are not, with a *game.Fault.
	Match(MatchConfig) (*Match, error)
}

// Of makes the arena of a game.
func Of[S, M comparable](def game.Definition[S, M]) Arena { return arena[S, M]{def} }

type arena[S, M comparable] struct{ def game.Definition[S, M] }
