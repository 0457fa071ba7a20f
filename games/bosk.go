//go:build !single || bosk

package games

import (
	"copse/bot"
	"copse/game"
	"copse/games/bosk"
)

func init() {
	offers = append(offers, offer{1, func() game.Game { return bot.Of(bosk.Game()) }})
}
