// Package games is the list of all games, in the order in which they are
// offered. The binary and the browser's engine both take it from here, so that
// neither knows a game that the other does not.
package games

import (
	"copse/bot"
	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// All is every game there is, its types forgotten.
func All() []game.Game {
	return []game.Game{
		bot.Of(bosk.Game()),
		bot.Of(grandbois.Game()),
		bot.Of(treesociety.Game()),
	}
}
