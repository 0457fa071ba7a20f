package main

import (
	"copse/engine"
	"copse/game"
	"copse/server"
	"copse/table"
)

// wordsOf says of every key that comes from Go, and that a page may have to say,
// in which part of the page it is needed: in all of it ("base"), where the game of
// a name lies on the table, at a table on a server ("online"), or only after the
// first board ("rest"). Keys of the page itself are needed where its source says
// them: scripts/words.ts finds out.
func wordsOf(list []game.Game) map[string]string {
	words := map[string]string{}
	add := func(phrases []game.Phrase, laid, told string) {
		for _, p := range phrases {
			switch p.When {
			case game.WhenNamed:
				words[p.Key] = "base"
			case game.WhenLaid:
				words[p.Key] = laid
			case game.WhenTold:
				words[p.Key] = told
			case game.Never:
			}
		}
	}
	add(game.Faults(), "base", "rest")
	add(engine.Phrases(), "base", "rest")
	add(table.Phrases(), "online", "online")
	add(server.Phrases(), "online", "online")
	for _, g := range list {
		add(g.About().Phrases, g.About().Name, "rest")
	}
	return words
}
