package treesociety

import "copse/game"

// name is the name of a guild card.
func (r *Rules) name(id uint8) string { return r.box.Cards[(int(id)-1)%len(r.box.Cards)].Name }

// cardArgs adds a guild card to arguments: its name as a word, and its id.
//
//go:noinline
func (r *Rules) cardArgs(id uint8, args game.Args) game.Args {
	if args == nil {
		args = game.Args{}
	}
	args["card"], args["id"] = r.name(id), int(id)
	return args
}

// fruitArgs adds a fruit card to arguments: its type as a word, and its id.
//
//go:noinline
func (r *Rules) fruitArgs(id uint8, args game.Args) game.Args {
	if args == nil {
		args = game.Args{}
	}
	args["fruit"], args["id"] = r.box.Fruits[(int(id)-1)%len(r.box.Fruits)].Type, int(id)
	return args
}

// jobArgs are the seat, and the card and level of the effect that waits or is
// being done.
func (r *Rules) jobArgs(s *Position) game.Args {
	return r.cardArgs(s.job.card, game.Args{"seat": s.actor, "level": int(s.job.level)})
}

// rowWords are the rows of the guild market on the wire.
func rowWords() []string { return []string{"bottom", "top"} }

func rowWord(slot int) string { return rowWords()[slot/columns] }

// tellBuilt tells of a level and what was paid for it.
func (r *Rules) tellBuilt(s *Position, id, level, cut uint8, slot, price int, log *game.Log) {
	c := r.costs(s, id, level, cut, slot)
	args := r.cardArgs(id, game.Args{"seat": s.actor, "price": price, "base": c.base, "off": c.off, "extra": c.extra})
	if level == 1 {
		log.Tell("treesociety.event.found", args)
		return
	}
	args["level"] = int(level)
	log.Tell("treesociety.event.raise", args)
}

// tellCash tells of a clause that moved coins.
func (r *Rules) tellCash(s *Position, c *clause, n int, log *game.Log) {
	args := game.Args{"seat": s.actor, "coins": n}
	switch {
	case c.verb == pay:
		log.Tell("treesociety.event.pay", args)
	case c.verb == unlock:
		log.Tell("treesociety.event.unlock", args)
	case c.chest != 0:
		log.Tell("treesociety.event.gain.chest", args)
	default:
		log.Tell("treesociety.event.gain", args)
	}
}

// tellEnd tells the scores and who won (6.4).
func (r *Rules) tellEnd(s *Position, log *game.Log) {
	st := r.Standing(s)
	log.Tell("treesociety.event.over", game.Args{"rounds": int(s.round)})
	for seat := range game.Seat(r.seats) {
		score := &st.Seats[seat]
		log.Tell("treesociety.event.score", game.Args{
			"seat": seat, "inProgress": score.Parts[partProgress], "completed": score.Parts[partCompleted], "total": score.Total,
		})
	}
	for seat := range game.Seat(r.seats) {
		if st.Seats[seat].Rank != 1 {
			continue
		}
		key := "treesociety.event.won"
		for other := range st.Seats[:r.seats] {
			if game.Seat(other) != seat && st.Seats[other].Total == st.Seats[seat].Total {
				key = "treesociety.event.won.tie"
			}
		}
		log.Tell(key, game.Args{"seat": seat, "total": st.Seats[seat].Total})
	}
}
