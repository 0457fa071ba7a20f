package table

import "copse/game"

// Phrases are the keys that a table says, with their arguments.
func Phrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		// What cannot be a table.
		say("table.game", "game", "known"),
		say("table.setting", "field", "value", "known"),
		say("table.pace.named", "pace"),
		say("table.bank", "minutes", "days"),
		say("table.step", "days"),
		say("table.night", "most"),
		say("table.night.pace", "pace"),
		say("table.shifts"),
		say("table.private"),
		say("table.sides"),
		say("table.rated"),
		say("table.rated.abandon"),
		say("table.law", "law", "known"),
		say("table.player"),
		say("table.options", "bytes", "most"),
		// Sitting down and getting up.
		say("table.seat", "seats"),
		say("table.nonce", "bytes"),
		say("table.taken", "seat"),
		say("table.seated", "seat"),
		say("table.nobody", "seat"),
		say("table.barred"),
		say("table.barred.with"),
		say("table.invite"),
		say("table.host.self"),
		say("table.no-seat"),
		say("table.take-over"),
		say("table.sight", "seat"),
		say("table.program"),
		say("table.pair"),
		say("table.stranger"),
		say("table.host", "seat"),
		say("table.empty", "seats"),
		say("table.lobby"),
		say("table.begun"),
		say("table.over"),
		say("table.gone", "seat"),
		say("table.there"),
		say("table.resigned"),
		say("table.full", "most"),
		say("table.rematch"),
		say("table.sides.follows"),
		// Moves.
		say("table.paused"),
		say("table.not-paused"),
		say("table.held", "seat"),
		say("table.due"),
		say("table.draft.empty"),
		say("table.draft.long", "most"),
		say("table.draft.chance"),
		say("table.overtaken", "entry", "do"),
		say("table.overtaken.by", "entry", "do", "seat"),
		say("table.ahead", "entry", "last"),
		// What is asked of the others.
		say("table.wish", "known"),
		say("table.ask.open", "for", "seat"),
		say("table.ask.again", "for"),
		say("table.ask.none", "for"),
		say("table.ask.own"),
		say("table.ask.agreed"),
		say("table.undo.none"),
		say("table.undo.nothing"),
		say("table.undo.to", "entry"),
		say("table.undo.away", "seat"),
		// Clocks.
		say("table.no-clock", "seat"),
		say("table.time", "seat"),
		say("table.ran-out"),
		say("table.in-use"),
		// What happened.
		say("table.event.sit", "seat"),
		say("table.event.stand", "seat"),
		say("table.event.kick", "seat"),
		say("table.event.bot", "seat", "player"),
		say("table.event.start"),
		say("table.event.ask", "seat", "for"),
		say("table.event.agree", "seat", "for"),
		say("table.event.refuse", "seat", "for"),
		say("table.event.undo", "seat", "times"),
		say("table.event.pause", "seat"),
		say("table.event.resume", "seat"),
		say("table.event.resign", "seat"),
		say("table.event.resign.last", "seat"),
		say("table.event.leave", "seat"),
		say("table.event.timeout", "seat"),
		say("table.event.return", "seat"),
		say("table.event.take", "seat"),
		say("table.event.outage", "unit", "length"),
		// Chat.
		say("table.chat.long", "most"),
		say("table.chat.empty"),
		say("table.chat.phrase", "known"),
	}
	list = append(list, game.Needed(game.Never,
		// Logs and exports.
		say("table.entry", "at"),
		say("table.entry.long", "bytes", "most"),
		say("table.log.empty"),
		say("table.log.time"),
		say("table.log.impossible", "do"),
		say("table.log.seats"),
		say("table.log.secret"),
		say("table.log.hash"),
		say("table.log.draw", "draw"),
		say("table.log.standing"),
		say("table.export"),
		say("table.export.head"),
		say("table.export.format", "format", "known"),
		say("table.export.short"),
		say("table.export.long", "bytes", "most"),
		say("table.box", "hash"),
	)...)
	for _, why := range whyNames[Over:] {
		list = append(list, say("table.event.end."+why))
	}
	for _, pace := range PaceNames() {
		list = append(list, say("table.pace."+pace))
	}
	for _, saying := range Sayings() {
		list = append(list, say("table.phrase."+saying))
	}
	return list
}
