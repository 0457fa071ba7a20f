package main

import (
	"strings"

	"copse/arena"
	"copse/bot"
	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// entry is a game as the commands know it.
type entry struct {
	game  bot.Game
	arena arena.Arena
}

// enter forgets the types of a game, for all code that knows no game.
func enter[S, M comparable](def game.Definition[S, M]) entry {
	return entry{game: bot.Of(def), arena: arena.Of(def)}
}

// registry is all the games that there are. A screen has a file for each besides.
func registry() []entry {
	return []entry{
		enter(bosk.Game()),
		enter(grandbois.Game()),
		enter(treesociety.Game()),
	}
}

// find is the game with that name, or an error that says which there are.
func find(name string) (entry, error) {
	var known []string
	for _, e := range registry() {
		if e.game.About().Name == name {
			return e, nil
		}
		known = append(known, e.game.About().Name)
	}
	return entry{}, misused("no game is called %q; there is %s", name, strings.Join(known, ", "))
}
