package terminal

import (
	"slices"

	"copse/game"
)

// Phrases are the keys that the terminal itself says, with their arguments.
func Phrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("play.welcome", "game", "players"),
		say("play.hint"),
		say("play.window", "columns", "rows"),
		say("play.seat", "number"),
		say("play.role.you"),
		say("play.people", "humans", "seats"),
		say("play.ask", "seat"),
		say("play.ask.over"),
		say("play.clear"),
		say("play.hand-over", "seat"),
		say("play.forced"),
		say("play.refused", "why", "rule", "command"),
		say("play.unknown", "typed"),
		say("play.number", "number", "most"),
		say("play.too-long", "most"),
		say("play.undo", "moves", "seat", "shown"),
		say("play.left-out", "moves"),
		say("play.undo.none"),
		say("play.not-over"),
		say("play.list.none", "only"),
		say("play.list.over"),
		say("play.log.none"),
		say("play.rule.none", "rule"),
		say("play.rule.which", "command", "rule", "section"),
		say("play.rule.unwritten"),
		say("play.total"),
		say("play.typed"),
		say("play.now"),
		say("play.seed"),
		say("play.goodbye"),
	}
	for _, role := range roles() {
		list = append(list, say(role))
	}
	for _, command := range commands() {
		list = append(list, say("play.command."+command), say("play.help."+command))
	}
	return slices.Concat(list, thinkPhrases(), boskPhrases(), grandboisPhrases(), treesocietyPhrases())
}
