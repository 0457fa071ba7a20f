// Package arena plays many games at once and counts what comes of them: random
// games, matches between players, ladders of many players, and how well balanced a
// game is. It knows no game: cmd makes an Arena of each.
package arena

import (
	"context"
	"io"

	"copse/bot"
	"copse/game"
)

// Arena is where one game is played many times, its types forgotten.
type Arena interface {
	// Sim plays random games. It fails only on settings that the game does
	// not have, with a *game.Fault.
	Sim(SimConfig) (*Sim, error)

	// Match plays games between players. It fails on settings that the game
	// does not have and players that there are not, with a *game.Fault, and
	// where what it shall go on from is of another match. When the context
	// ends it gives what is known by then.
	Match(context.Context, MatchConfig) (*Match, error)

	// Ladder plays everyone against everyone and rates them. It fails and
	// ends as Match does.
	Ladder(context.Context, LadderConfig) (*Ladder, error)

	// Balance plays games among players of one kind and says what the game
	// itself does: how long it lasts, which seat, which group and which card
	// wins. It fails and ends as Match does.
	Balance(context.Context, BalanceConfig) (*Balance, error)

	// Judge plays games among players of one kind and says how well judges
	// foretell their ends. It fails and ends as Match does.
	Judge(context.Context, JudgeConfig) (*Judging, error)

	// SelfPlay plays games among players of one kind and writes positions of
	// them to learn from; it gives how many games it has written. When the
	// context ends those are the first of all.
	SelfPlay(context.Context, SelfPlayConfig, io.Writer) (games int, err error)

	// Takes fails where no player at a table with such settings could ask a net, and
	// says which could be asked there. Whether one does is up to the player.
	Takes(net []byte, table game.Settings) error

	// Practise finds habits for the plans of the game. When the context ends it
	// fails.
	Practise(context.Context, PractiseConfig) (Practice, error)
}

// Of makes the arena of a game.
func Of[S, M comparable](def game.Definition[S, M]) Arena { return arena[S, M]{def, bot.Of(def)} }

type arena[S, M comparable] struct {
	def  game.Definition[S, M]
	game bot.Game // def with those who play it
}
