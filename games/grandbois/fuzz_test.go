package grandbois

import (
	"testing"

	"copse/game/gametest"
)

func FuzzMoves(f *testing.F)   { gametest.FuzzMoves(f, Game()) }
func FuzzViews(f *testing.F)   { gametest.FuzzViews(f, Game()) }
func FuzzOptions(f *testing.F) { gametest.FuzzOptions(f, Game()) }
func FuzzGames(f *testing.F)   { gametest.FuzzGames(f, Game()) }
