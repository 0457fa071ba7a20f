package treesociety

import "copse/game"

// comesTrue is how much of what is expected comes true, by how many rounds are left:
// whoever expects ten points more than another gets that part of them more. A test
// measures it.
func comesTrue(rounds float64) float64 {
	by := [...]float64{0.6, 0.4, 0.35, 0.25} // for every two rounds
	return by[min(len(by)-1, int(rounds)/2)]
}

// Prospects says what seat may expect of the guilds that it founded or raised, of the
// coins that it is left with and of its fruit: how much more it expects of the end than
// if only that were as it was before the turn, as far as that comes true. What is
// completed shows in the score.
func (r *Rules) Prospects(before, after *Position, seat game.Seat) (list []game.Prospect) {
	if after.phase == over {
		return nil
	}
	had, has := &before.player[seat&3], &after.player[seat&3]
	rounds := r.roundsLeft(after)
	expected := r.expect(after, seat, rounds)
	without := func(key string, args game.Args, shown int, undo func(*Position, *player)) {
		s := *after
		undo(&s, &s.player[seat&3])
		points := comesTrue(rounds) * (expected - r.expect(&s, seat, rounds) - float64(shown))
		list = append(list, game.Prospect{Key: key, Args: args, Points: points})
	}
	for i, id := range has.place {
		from := had.height(id)
		if id == 0 || from == has.level[i] {
			continue
		}
		shown := r.scores(has, id, has.level[i]) - r.scores(had, id, from)
		without("treesociety.why.hope", r.cardArgs(id, game.Args{}), shown, func(_ *Position, p *player) {
			if p.level[i] = from; from == 0 {
				p.place[i] = 0
			}
			r.refit(p)
		})
	}
	if has.purse != had.purse {
		without("treesociety.why.purse", game.Args{"coins": int(has.purse)}, 0, func(_ *Position, p *player) { p.purse = had.purse })
	}
	if has.row != had.row {
		without("treesociety.why.fruit", game.Args{"fruit": has.row.size()}, 0, func(s *Position, p *player) {
			p.row, p.pile, p.unsold, p.sold = had.row, had.pile, had.unsold, had.sold
			s.visible, s.apart = before.visible, before.apart
		})
	}
	return list
}
