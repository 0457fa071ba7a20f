//go:build !single || grandbois

package games

import (
	"copse/bot"
	"copse/game"
	"copse/games/grandbois"
)

func init() {
	offers = append(offers, offer{2, func() game.Game { return bot.Of(grandbois.Game()) }})
}
