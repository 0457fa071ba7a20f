package treesociety

import "copse/game"

// whyPhrases are the reasons that Tree Society gives for a turn, with their
// arguments.
func whyPhrases() []game.Phrase {
	say := game.Say
	return []game.Phrase{
		say("treesociety.why.found", "card", "id", "level"),
		say("treesociety.why.raise", "card", "id", "level"),
		say("treesociety.why.complete", "card", "id", "banners", "all"),
		say("treesociety.why.discard", "card", "id"),
		say("treesociety.why.more", "card", "id", "of", "only"),
		say("treesociety.why.less", "card", "id", "of", "only"),
		say("treesociety.why.hope", "card", "id"),
		say("treesociety.why.purse", "coins"),
		say("treesociety.why.fruit", "fruit"),
	}
}

// Why tells of every card of seat what it scores now and did not before: because
// of its level, or because of what it counts. A turn changes nothing that others
// have (3.17), so the rival does not matter.
func (r *Rules) Why(before, after *Position, seat, _ game.Seat) []game.Change {
	had, has := &before.player[seat], &after.player[seat]
	held := had.cards()
	now := has.cards()
	held.join(&now)
	var list []game.Change
	for _, card := range held.list() {
		id := uint8(card)
		from, to := had.height(id), has.height(id)
		gain := r.scores(has, id, to) - r.scores(had, id, from)
		if gain == 0 {
			continue
		}
		args := r.cardArgs(id, game.Args{})
		c := game.Change{Args: args, Points: game.Points(gain)}
		switch {
		case to == from:
			c.Key = "treesociety.why.more"
			if gain < 0 {
				c.Key = "treesociety.why.less"
			}
			q := r.box.Cards[card-1].Levels[to-1].Points
			args["of"], args["only"] = string(q.Of), q.only()
		case to == 0:
			c.Key = "treesociety.why.discard"
		case to == levels:
			c.Key = "treesociety.why.complete"
			args["banners"], args["all"] = int(r.card[id&127].banners), has.waving()
		case from == 0:
			c.Key = "treesociety.why.found"
			args["level"] = int(to)
		default:
			c.Key = "treesociety.why.raise"
			args["level"] = int(to)
		}
		list = append(list, c)
	}
	return list
}

// cards are the guilds of a player, in progress and completed.
func (p *player) cards() set {
	all := p.completed
	for _, id := range p.place {
		if id != 0 {
			all.add(id)
		}
	}
	return all
}

// height is the level on which a player has a card, 0 for one that is another's or
// nobody's.
func (p *player) height(card uint8) uint8 {
	if p.completed.has(card) {
		return levels
	}
	if at := p.at(card); at >= 0 {
		return p.level[at]
	}
	return 0
}

// waving is how many banners a player has.
func (p *player) waving() int {
	all := 0
	for _, n := range p.banners {
		all += int(n)
	}
	return all
}

// scores is what a card of a player scores on a level, nothing where it has none.
func (r *Rules) scores(p *player, card, level uint8) int {
	if level == 0 {
		return 0
	}
	return r.points(p, card, level)
}
