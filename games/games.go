// Package games is the list of all games, in the order in which they are
// offered. The binary and the browser's engines all take it from here, so that
// none knows a game that the others do not.
//
// Each game has a file here, named as the game is. The build tag "single" leaves
// out all games but those whose names are tags too: so is an engine made that
// knows one game, and a browser loads no other.
package games

import (
	"cmp"
	"slices"

	"copse/game"
)

// offer is a game and where it stands in the list.
type offer struct {
	place int
	game  func() game.Game
}

var offers []offer // of the files of this package, in any order

// All is every game there is, its types forgotten.
func All() []game.Game {
	inOrder := slices.SortedFunc(slices.Values(offers), func(a, b offer) int { return cmp.Compare(a.place, b.place) })
	list := make([]game.Game, len(inOrder))
	for i, o := range inOrder {
		list[i] = o.game()
	}
	return list
}
