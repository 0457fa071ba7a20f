//go:build !single || treesociety

package games

import (
	"copse/bot"
	"copse/game"
	"copse/games/treesociety"
)

func init() {
	offers = append(offers, offer{3, func() game.Game { return bot.Of(treesociety.Game()) }})
}
