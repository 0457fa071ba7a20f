package treesociety

import "copse/game"

// The parts of a score (6.3).
const (
	partProgress = iota
	partCompleted
)

// partNames are the parts on the wire.
func partNames() []string { return []string{"inProgress", "completed"} }

// points is what a card of a player scores with its marker on a level (6.3).
func (r *Rules) points(p *player, id, level uint8) int {
	return r.amount(p, &r.card[id&127].level[(level-1)%levels].points)
}

// parts is the score of a player.
func (r *Rules) parts(p *player) (parts [game.MaxParts]game.Points) {
	for i, id := range p.place {
		if id != 0 {
			parts[partProgress] += game.Points(r.points(p, id, p.level[i]))
		}
	}
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			parts[partCompleted] += game.Points(r.points(p, uint8(half<<6)+trailing(left), levels))
		}
	}
	return parts
}

// Standing is the score as if the game ended now. Of those who are tied the seat
// later in turn order is ahead (6.4).
func (r *Rules) Standing(s *Position) game.Standing {
	st := game.Standing{Over: s.phase == over}
	for seat := range game.Seat(r.seats) {
		score := &st.Seats[seat]
		score.Parts = r.parts(&s.player[seat])
		score.Total = score.Parts[partProgress] + score.Parts[partCompleted]
	}
	st.RankBy(r.seats, func(a, b game.Seat) bool {
		one, two := st.Seats[a].Total, st.Seats[b].Total
		return one > two || one == two && a > b
	})
	return st
}

// TieBreak is how two seats with the same total are told apart: the one later in
// turn order is ahead (6.4).
func (r *Rules) TieBreak(_ *Position, seat, other game.Seat) (string, game.Args) {
	return "treesociety.tie.later", game.Args{"seat": seat, "other": other, "rule": "6.4"}
}

// Sheet explains the standing: a line for each card in progress and each
// completed card, seat by seat, with what its quantity counts.
func (r *Rules) Sheet(s *Position) []game.SheetLine {
	lines := []game.SheetLine{}
	for seat := range game.Seat(r.seats) {
		p := &s.player[seat]
		for i, id := range p.place {
			if id != 0 {
				lines = append(lines, r.line(p, seat, id, p.level[i], partProgress))
			}
		}
		for _, id := range p.completed.list() {
			lines = append(lines, r.line(p, seat, uint8(id), levels, partCompleted))
		}
	}
	return lines
}

// line is the line of the sheet for a card.
func (r *Rules) line(p *player, seat game.Seat, id, level uint8, part int) game.SheetLine {
	q := &r.card[id&127].level[(level-1)%levels].points
	line := game.SheetLine{Part: partNames()[part], Points: make([]game.Points, r.seats)}
	line.Points[seat] = game.Points(r.amount(p, q))
	line.Args = r.cardArgs(id, game.Args{"seat": seat, "level": int(level), "rule": "6.3"})
	if q.of == plain {
		line.Key = "treesociety.sheet.fixed"
		return line
	}
	line.Key = "treesociety.sheet.counted"
	printed := r.box.Cards[id-1].Levels[level-1].Points
	line.Args["of"], line.Args["only"] = string(printed.Of), printed.only()
	line.Args["count"], line.Args["times"], line.Args["per"], line.Args["most"] = r.count(p, q), int(q.times), int(q.per), int(q.most)
	return line
}

// only is the guild, the type or the place that a quantity is about.
func (q Quantity) only() string { return or(q.Guild+q.Type+q.In, noneWord) }

// cost is what a level would be paid with, as a screen shows it.
type cost struct {
	price, base, off, extra int
	by                      any // what makes it cheaper: "effect", "action" or the id of a card; nil for nothing
}

// cut is the price at which something would be built now, besides continuous
// reductions.
func (r *Rules) cut(s *Position) uint8 {
	switch {
	case s.acting == buildNow:
		return offByAction
	case s.acting != noAction:
		return noCut
	case s.job.stage == demanded:
		return s.job.cut
	case s.job.stage == doing && int(s.job.clause) < len(r.list(&s.job)):
		return r.clause(s).cut
	}
	return noCut
}

// costs works out what a level would be paid with.
func (r *Rules) costs(s *Position, id, level, cut uint8, slot int) cost {
	p, card := s.me(), &r.card[id&127]
	base := card.level[(level-1)%levels].cost
	out := cost{base: int(base), extra: topCoin(slot)}
	out.off = int(base) - r.price(p, id, level, cut)
	out.price = out.base - out.off + out.extra
	if out.off == 0 {
		return out
	}
	if int(min(saving(base, cut), base)) == out.off {
		out.by = "effect"
		if s.acting == buildNow {
			out.by = "action"
		}
		return out
	}
	kind := uint8(1)
	if level > 1 {
		kind = 2
	}
	for i, other := range p.place {
		if other == 0 {
			continue
		}
		for _, w := range r.card[other&127].level[(p.level[i]-1)%levels].while {
			applies := w.verb == cheaper && w.builds&kind != 0 && w.guilds>>card.guild&1 != 0
			if applies && int(min(saving(base, w.cut), base)) == out.off {
				out.by = int(other)
			}
		}
	}
	return out
}

// Facts says what a screen shows beside a move: what a sale pays and who adds to
// it, what a level costs and why, what rest would lose, and the total that the
// move leads to.
func (r *Rules) Facts(s *Position, seat game.Seat, m Move) game.Args {
	facts := game.Args{}
	id := m.id()
	switch m.do() {
	case DealStart, DealGuild:
		return r.cardArgs(id, facts)
	case DealFruit:
		return r.fruitArgs(id, facts)
	case Draft, Take:
		r.fruitArgs(id, facts)
	case Sell:
		r.saleFacts(s, id, facts)
	case Found, Raise:
		r.buildFacts(s, m, facts)
	case Keep:
		if r.showsFruit(s) {
			r.fruitArgs(id, facts)
		} else {
			r.cardArgs(id, facts)
			r.costFacts(s, r.costs(s, id, 1, r.clause(s).cut, -1), facts)
		}
	case Use, Skip:
		r.cardArgs(s.job.card, facts)
		facts["level"] = int(s.job.level)
	case Action:
		r.fruitArgs(s.apart[0], facts)
		f := &r.fruit[s.apart[0]&127]
		facts["action"], facts["coins"] = actionNames()[f.action-1], int(f.coins)
	case Discard:
		r.discardFacts(s, id, facts)
	case Rest:
		r.restFacts(s, facts)
	}
	next := *s
	r.Play(&next, seat, m, nil)
	parts := r.parts(&next.player[seat&3])
	facts["total"] = parts[partProgress] + parts[partCompleted]
	return facts
}

// saleFacts says what a sale pays, seat by seat.
func (r *Rules) saleFacts(s *Position, id uint8, facts game.Args) {
	var more uint8
	if s.phase == building && s.acting == noAction && s.job.stage > asked {
		more = r.clause(s).number
	}
	sale, kind := r.sale(s, id, more), r.fruit[id&127].kind%types
	r.fruitArgs(id, facts)
	seats := make([]int, r.seats)
	market := sale.seen
	for i := range seats {
		seats[i] = int(s.player[i].unsold[kind])
		market -= seats[i]
	}
	facts["coins"], facts["seats"], facts["market"], facts["leaf"] = sale.coins, seats, market, sale.leaf
	facts["bonus"], facts["more"] = sale.bonus, sale.more
	if s.phase == selling {
		f := &r.fruit[id&127]
		facts["action"], facts["chest"] = actionNames()[f.action-1], int(f.coins)
	}
}

// buildFacts says what a level costs and why.
func (r *Rules) buildFacts(s *Position, m Move, facts game.Args) {
	p, id := s.me(), m.id()
	level, slot := uint8(1), -1
	if at := p.at(id); at >= 0 {
		level = p.level[at] + 1
	} else {
		slot = s.slot(id)
	}
	r.cardArgs(id, facts)
	facts["level"] = int(level)
	facts["first"] = len(r.card[id&127].level[(level-1)%levels].first) > 0
	facts["effect"] = len(r.card[id&127].level[(level-1)%levels].do) > 0
	r.costFacts(s, r.costs(s, id, level, r.cut(s), slot), facts)
}

func (r *Rules) costFacts(s *Position, c cost, facts game.Args) {
	facts["price"], facts["cost"], facts["less"], facts["by"], facts["top"] = c.price, c.base, c.off, c.by, c.extra
	facts["left"] = int(s.me().purse) - c.price
}

// discardFacts says whether an effect asks for the discard, and what is lost.
func (r *Rules) discardFacts(s *Position, id uint8, facts game.Args) {
	p := s.me()
	r.cardArgs(id, facts)
	level, from := uint8(levels), fromCompleted
	if at := p.at(id); at >= 0 {
		level, from = p.level[at], fromProgress
	}
	facts["level"] = int(level)
	facts["points"] = r.points(p, id, level)
	facts["banners"] = 0
	if from == fromCompleted {
		facts["banners"] = int(r.card[id&127].banners)
	}
	asks := s.acting == noAction && s.job.stage > asked
	if asks {
		c := r.clause(s)
		asks = c.verb == discard && c.allows(from, id, s.job.card)
	}
	facts["asked"] = asks
	if r.wants(s) {
		facts["helps"] = r.helps(s, id) // the effect that waits can be done without it (3.6)
	}
}

// restFacts says what rest brings and loses (4.2).
func (r *Rules) restFacts(s *Position, facts game.Args) {
	p := s.me()
	have := int(p.purse) + int(p.toPurse)
	kept := min(have, int(p.keeps))
	facts["keeps"] = int(p.keeps)
	facts["lost"] = have - kept
	facts["income"] = int(p.toPurse) + int(p.toChest)
	facts["chest"] = int(p.chest) + int(p.toChest)
	facts["purse"] = kept + int(p.chest) + int(p.toChest)
	facts["unused"] = s.sales > 0 && s.spent == 0
}
