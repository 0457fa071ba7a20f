package treesociety

import "copse/game"

// Play makes a legal move; only the seat to act has one.
func (r *Rules) Play(s *Position, _ game.Seat, m Move, log *game.Log) {
	switch m.do() {
	case DealStart:
		r.dealStart(s, m.id(), log)
	case DealGuild:
		r.dealGuild(s, m.id(), log)
	case DealFruit:
		r.dealFruit(s, m.id(), log)
	case Draft:
		r.draft(s, m.id(), log)
	case Sell:
		r.sell(s, m.id(), log)
	case Found, Raise:
		r.begin(s, m.id(), log)
	case Action:
		r.act(s, log)
	case Use:
		s.job.stage = doing
		if log != nil {
			log.Tell("treesociety.event.use", r.jobArgs(s))
		}
	case Skip:
		if log != nil {
			log.Tell("treesociety.event.skip", r.jobArgs(s))
		}
		r.giveUp(s)
	case Take:
		r.take(s, m.id(), log)
	case Row:
		r.row(s, m.id(), log)
	case Keep:
		r.keep(s, m.id(), log)
	case KeepNone:
		r.keepNone(s, log)
	case Discard:
		r.discard(s, m.id(), log)
	case Rest:
		r.rest(s, log)
	}
	r.next(s, log)
}

// next goes on to the next decision or draw. What is to be drawn comes first
// (1.9): what an effect reveals, the fruit market, the guild market. Asked again
// it changes nothing.
func (r *Rules) next(s *Position, log *game.Log) {
	for {
		s.need = r.needs(s, log)
		if s.need != needNone {
			return
		}
		if s.orchard.empty() && s.end&byFruit == 0 && s.phase >= selling && !r.showsFruit(s) {
			r.runOut(s, log)
		}
		switch s.phase {
		case starting:
			if r.leftovers() > 0 {
				s.deck.without(&r.starts)
			}
			s.phase, s.dealt = opening, 0
		case opening:
			s.phase = stocking
		case stocking:
			s.phase = handing
			if r.options.Draft {
				s.phase = drafting
			}
		case handing:
			r.beginTurns(s)
		case drafting:
			if int(s.dealt) < r.seats*eachRow {
				return
			}
			r.beginTurns(s)
		case building:
			if s.waits > 0 && s.acting == noAction && s.job.stage == idle {
				r.wake(s, log)
				continue
			}
			if s.acting != noAction || s.job.stage <= asked || r.work(s, log) {
				return
			}
		case closing:
			r.endTurn(s, log)
		default:
			return
		}
	}
}

// needs is what is to be drawn now.
func (r *Rules) needs(s *Position, log *game.Log) uint8 {
	switch s.phase {
	case starting:
		if int(s.dealt) < r.seats {
			return needStart
		}
		return needNone
	case opening:
		return r.guildNeed(s, log)
	case handing:
		if int(s.dealt) < r.seats*eachRow {
			return needFruit
		}
		return needNone
	}
	if s.draws > 0 {
		if r.showsFruit(s) {
			if !s.orchard.empty() {
				return needFruit
			}
		} else if r.drawable(s, log) {
			return needGuild
		}
		s.draws = 0
	}
	if !s.orchard.empty() {
		for _, id := range s.stall[:r.wide] {
			if id == 0 {
				return needFruit
			}
		}
	}
	if s.filling != 0 {
		return r.guildNeed(s, log)
	}
	return needNone
}

// guildNeed asks for guilds while the market has gaps and there are any (4.3).
func (r *Rules) guildNeed(s *Position, log *game.Log) uint8 {
	if s.slot(0) >= 0 && r.drawable(s, log) {
		return needGuild
	}
	s.filling = 0
	return needNone
}

// drawable makes sure that a guild can be drawn: an empty deck is rebuilt from
// the discards, and never before (4.3).
func (r *Rules) drawable(s *Position, log *game.Log) bool {
	if s.deck.empty() && !s.discards.empty() {
		s.deck, s.discards = s.discards, set{}
		if log != nil {
			log.Tell("treesociety.event.rebuilt", game.Args{"left": s.deck.size()})
		}
	}
	return !s.deck.empty()
}

// showsFruit tells whether the cards that are drawn, or being drawn, are fruit.
func (r *Rules) showsFruit(s *Position) bool {
	return s.job.stage == doing && s.job.drawn != 0 && r.clause(s).verb == drawFruit
}

// runOut ends the game with this round: there is no more fruit (6.2).
func (r *Rules) runOut(s *Position, log *game.Log) {
	s.end |= byFruit
	if s.last == 0 || s.last > s.round {
		s.last = s.round
	}
	if log != nil {
		log.Tell("treesociety.event.run-out", game.Args{"round": int(s.round)})
	}
}

func (r *Rules) dealStart(s *Position, id uint8, log *game.Log) {
	seat := s.dealt
	s.deck.remove(id)
	p := &s.player[seat&3]
	p.place[0], p.level[0] = id, 1
	r.refit(p)
	s.dealt++
	if log != nil {
		log.Tell("treesociety.event.start", r.cardArgs(id, game.Args{"seat": game.Seat(seat)}))
	}
}

func (r *Rules) dealGuild(s *Position, id uint8, log *game.Log) {
	s.deck.remove(id)
	if s.draws > 0 {
		s.show(id)
		if log != nil {
			log.Tell("treesociety.event.drawn.guild", r.cardArgs(id, game.Args{"seat": s.actor}))
		}
		return
	}
	slot := s.slot(0)
	s.market[slot] = id
	if log != nil {
		log.Tell("treesociety.event.guild", r.cardArgs(id, game.Args{"row": rowWord(slot), "column": slot % columns}))
	}
}

// show puts a drawn card on the table.
func (s *Position) show(id uint8) {
	s.draws--
	for i, lies := range s.shown {
		if lies == 0 {
			s.shown[i] = id
			return
		}
	}
}

func (r *Rules) dealFruit(s *Position, id uint8, log *game.Log) {
	s.orchard.remove(id)
	switch {
	case s.phase == handing:
		seat := game.Seat(int(s.dealt) / eachRow)
		r.own(&s.player[seat&3], id)
		s.visible[r.fruit[id&127].kind%types]++
		s.dealt++
		if log != nil {
			log.Tell("treesociety.event.handed", r.fruitArgs(id, game.Args{"seat": seat}))
		}
	case s.draws > 0:
		s.show(id)
		if log != nil {
			log.Tell("treesociety.event.drawn.fruit", r.fruitArgs(id, game.Args{"seat": s.actor}))
		}
	default:
		for i, lies := range s.stall {
			if lies == 0 {
				s.stall[i] = id
				break
			}
		}
		s.visible[r.fruit[id&127].kind%types]++
		if log != nil {
			log.Tell("treesociety.event.fruit", r.fruitArgs(id, game.Args{"left": s.orchard.size()}))
		}
	}
}

// own puts a fruit card into a face-up row.
func (r *Rules) own(p *player, id uint8) {
	p.row.add(id)
	p.unsold[r.fruit[id&127].kind%types]++
}

// carry moves a card of the fruit market to the row of the player whose turn it
// is.
func (r *Rules) carry(s *Position, id uint8) {
	for i, lies := range s.stall {
		if lies == id {
			s.stall[i] = 0
			break
		}
	}
	r.own(s.me(), id)
}

func (r *Rules) draft(s *Position, id uint8, log *game.Log) {
	r.carry(s, id)
	s.dealt++
	s.turn++
	if log != nil {
		log.Tell("treesociety.event.draft", r.fruitArgs(id, game.Args{"seat": s.actor}))
	}
	if s.actor++; int(s.actor) == r.seats {
		s.actor = 0
	}
}

// beginTurns begins the first turn.
func (r *Rules) beginTurns(s *Position) {
	s.dealt = 0
	s.actor = 0
	r.beginTurn(s)
}

// beginTurn lets a seat sell, or build where it has nothing to sell (2.3).
func (r *Rules) beginTurn(s *Position) {
	s.phase = selling
	if s.me().row.empty() {
		s.phase = building
	}
}

func (r *Rules) sell(s *Position, id uint8, log *game.Log) {
	var more uint8
	extra := s.phase == building
	switch {
	case s.acting != noAction:
		s.acting = noAction
	case extra:
		more = r.clause(s).number
		s.job.clause++
		if s.sales == 0 {
			s.spent = 1 // without a sale before it there is no fruit action (2.3, 2.5)
		}
	default:
		s.phase = building
	}
	if log != nil {
		sale := r.sale(s, id, more)
		args := r.fruitArgs(id, game.Args{
			"seat": s.actor, "coins": sale.coins, "seen": sale.seen, "leaf": sale.leaf, "bonus": sale.bonus + sale.more,
		})
		if extra {
			log.Tell("treesociety.event.sell.extra", args)
		} else {
			args["action"] = actionNames()[r.fruit[id&127].action-1]
			args["chest"] = int(r.fruit[id&127].coins)
			log.Tell("treesociety.event.sell", args)
		}
	}
	r.sellCard(s, id, more)
}

// proceeds are what a sale pays and for what (2.1).
type proceeds struct{ coins, seen, leaf, bonus, more int }

func (r *Rules) sale(s *Position, id, more uint8) proceeds {
	f := &r.fruit[id&127]
	out := proceeds{
		seen: int(s.visible[f.kind%types]), leaf: int(f.leaf), bonus: int(s.me().bonus[f.kind%types]), more: int(more),
	}
	out.coins = out.seen + out.leaf + out.bonus + out.more
	return out
}

// sellCard sells a fruit card of the player whose turn it is.
func (r *Rules) sellCard(s *Position, id, more uint8) {
	p, f := s.me(), &r.fruit[id&127]
	t := f.kind % types
	p.purse += uint16(s.visible[t]) + uint16(f.leaf) + uint16(p.bonus[t]) + uint16(more)
	p.row.remove(id)
	p.unsold[t]--
	s.visible[t]--
	s.apart[s.sales%types] = id
	s.sales++
	s.types |= 1 << t
}

// begin begins to build a level: what it demands comes first (3.11).
func (r *Rules) begin(s *Position, id uint8, log *game.Log) {
	cut := noCut
	switch {
	case s.acting != noAction:
		cut = offByAction
		s.acting = noAction
	case s.job.stage == doing:
		cut = r.clause(s).cut
		s.job = job{}
	}
	r.erect(s, id, cut, log)
}

// erect builds the next level of a card, or begins with what it demands.
func (r *Rules) erect(s *Position, id, cut uint8, log *game.Log) {
	level := uint8(1)
	if at := s.me().at(id); at >= 0 {
		level = s.me().level[at] + 1
	}
	if len(r.card[id&127].level[(level-1)%levels].first) > 0 {
		s.job = job{stage: demanded, card: id, level: level, cut: cut}
		if log != nil {
			log.Tell("treesociety.event.demand", r.jobArgs(s))
		}
		return
	}
	r.raise(s, id, level, cut, log)
}

// raise pays for a level and moves the marker (3.5); then the level's effect is
// asked for or, where it cannot be done, lapses (3.6).
func (r *Rules) raise(s *Position, id, level, cut uint8, log *game.Log) {
	p, card := s.me(), &r.card[id&127]
	slot := -1
	if level == 1 {
		slot = s.slot(id)
	}
	price := r.price(p, id, level, cut) + topCoin(slot)
	if log != nil {
		r.tellBuilt(s, id, level, cut, slot, price, log)
	}
	p.purse -= uint16(price)
	at := p.at(id)
	if level == 1 {
		at = p.free()
		if slot >= 0 {
			s.market[slot] = 0
		} else {
			s.hide(id)
		}
		p.place[at%places] = id
	}
	if at >= 0 && at < places {
		p.level[at] = level
		if level == levels {
			p.place[at], p.level[at] = 0, 0
			r.complete(s, p, id, log)
		}
	}
	if len(card.level[(level-1)%levels].while) > 0 || level > 1 && len(card.level[(level-2)%levels].while) > 0 {
		r.refit(p)
	}
	s.job = job{}
	if s.pick.card != 0 {
		r.keepOn(s, id)
		return
	}
	r.ask(s, id, level, log)
}

// ask asks for the effect of a level that was built, if it has one.
func (r *Rules) ask(s *Position, id, level uint8, log *game.Log) {
	if len(r.card[id&127].level[(level-1)%levels].do) == 0 {
		return
	}
	s.job = job{stage: asked, card: id, level: level}
	r.lapse(s, log)
}

// lapse forgets the effect that waits if it cannot be done in full, nor after a
// discard (3.6). Before version 3 no discard was waited for.
func (r *Rules) lapse(s *Position, log *game.Log) {
	if s.job.stage != asked || r.canUse(s) || r.version > 2 && r.helped(s) {
		return
	}
	if log != nil {
		log.Tell("treesociety.event.lapse", r.jobArgs(s))
	}
	s.job = job{}
}

// complete completes a card: it counts at once, and six banners trigger the end
// (3.13, 6.1).
func (r *Rules) complete(s *Position, p *player, id uint8, log *game.Log) {
	card := &r.card[id&127]
	p.completed.add(id)
	p.banners[card.guild%guilds] += card.banners
	all := 0
	for _, n := range p.banners {
		all += int(n)
	}
	if log != nil {
		log.Tell("treesociety.event.complete", r.cardArgs(id, game.Args{
			"seat": s.actor, "banners": int(card.banners), "all": all,
		}))
	}
	if all < r.options.Banners || s.end&byBanners != 0 {
		return
	}
	s.end |= byBanners
	if s.last == 0 {
		s.last = s.round + 1
	}
	if log != nil {
		log.Tell("treesociety.event.triggered", game.Args{"seat": s.actor, "banners": all, "round": int(s.round), "last": int(s.last)})
	}
}

// act begins the fruit action (3.15).
func (r *Rules) act(s *Position, log *game.Log) {
	s.spent = 1
	f := &r.fruit[s.apart[0]&127]
	if log != nil {
		log.Tell("treesociety.event.action", r.fruitArgs(s.apart[0], game.Args{
			"seat": s.actor, "action": actionNames()[f.action-1], "coins": int(f.coins),
		}))
	}
	if f.action == intoChest {
		s.me().chest += uint16(f.coins)
		return
	}
	s.acting = f.action
}

// work does what it can of the clauses of a job and tells whether it waits for a
// choice.
func (r *Rules) work(s *Position, log *game.Log) bool {
	list := r.list(&s.job)
	if int(s.job.clause) >= len(list) {
		if s.job.stage == demanded {
			r.raise(s, s.job.card, s.job.level, s.job.cut, log)
		} else {
			s.job = job{}
		}
		return s.job.stage == asked
	}
	c := &list[s.job.clause]
	switch c.verb {
	case coins, pay, unlock:
		n := r.cash(s.me(), c)
		if log != nil {
			r.tellCash(s, c, n, log)
		}
		s.job.clause++
		return false
	case refresh:
		if c.number == 1 {
			return true
		}
		if log != nil {
			log.Tell("treesociety.event.rows", game.Args{"seat": s.actor})
		}
		r.clear(s, bottomRow)
		r.clear(s, topRow)
		s.slide()
		s.filling = 1
		s.job.clause++
		return false
	case drawFruit, drawGuild:
		if s.job.drawn == 0 {
			s.job.drawn, s.draws = 1, c.number
			if c.keep > 1 {
				s.pick = drawing{card: s.job.card, level: s.job.level}
			}
			return false
		}
		if s.shown[0] == 0 { // nothing was left to draw
			s.job.drawn, s.pick = 0, drawing{}
			s.job.clause++
			return false
		}
	}
	return true
}

// cash does a clause that only moves coins, and says how many.
func (r *Rules) cash(p *player, c *clause) int {
	switch c.verb {
	case coins:
		n := r.amount(p, &c.amount)
		if c.chest != 0 {
			p.chest += uint16(n)
		} else {
			p.purse += uint16(n)
		}
		return n
	case pay:
		p.purse -= uint16(c.number)
	case unlock:
		n := uint16(c.number)
		if n == 0 {
			n = p.chest
		}
		p.chest -= n
		p.purse += n
		return int(n)
	}
	return int(c.number)
}

// take takes a card of the fruit market: at rest, by the fruit action, or by a
// clause.
func (r *Rules) take(s *Position, id uint8, log *game.Log) {
	r.carry(s, id)
	if log != nil {
		log.Tell("treesociety.event.take", r.fruitArgs(id, game.Args{"seat": s.actor}))
	}
	switch {
	case s.phase == taking:
		r.close(s, log)
	case s.acting != noAction:
		s.acting = noAction
	default:
		s.job.clause++
	}
}

// row discards a row of the guild market; the rest slides, and all gaps are
// filled (3.15).
func (r *Rules) row(s *Position, row uint8, log *game.Log) {
	if s.acting != noAction {
		s.acting = noAction
	} else {
		s.job.clause++
	}
	if log != nil {
		log.Tell("treesociety.event.row", game.Args{"seat": s.actor, "row": rowWords()[row-1]})
	}
	r.clear(s, row)
	s.slide()
	s.filling = 1
}

// clear puts a row of the guild market on the discard pile.
func (r *Rules) clear(s *Position, row uint8) {
	from := 0
	if row == topRow {
		from = columns
	}
	for i := from; i < from+columns; i++ {
		if id := s.market[i] &^ nameless; id != 0 {
			s.discards.add(id)
		}
		s.market[i] = 0
	}
}

// slide lets the top row fall straight down into gaps (4.3).
func (s *Position) slide() {
	for i := range columns {
		if s.market[i] == 0 {
			s.market[i], s.market[i+columns] = s.market[i+columns], 0
		}
	}
}

// keep keeps a card that was drawn; the others are shuffled back (3.12).
func (r *Rules) keep(s *Position, id uint8, log *game.Log) {
	if r.clause(s).verb == drawFruit {
		if log != nil {
			log.Tell("treesociety.event.keep.fruit"+r.andMore(s), r.fruitArgs(id, game.Args{"seat": s.actor}))
		}
		r.keepFruit(s, id)
		return
	}
	if log != nil {
		log.Tell("treesociety.event.keep.guild"+r.andMore(s), r.cardArgs(id, game.Args{"seat": s.actor}))
	}
	c := r.clause(s)
	if s.keeps() == c.keep { // the last
		s.hide(id)
		putBack(s, &s.deck)
		s.shown[0] = id
	}
	s.job = job{}
	r.erect(s, id, c.cut, log)
}

// andMore is the end of the key of what is told of a card that is kept, where more
// may be kept after it and so nothing goes back yet.
func (r *Rules) andMore(s *Position) string {
	if s.pick.card != 0 && s.pick.kept+1 < r.clause(s).keep && s.shown[1] != 0 {
		return ".more"
	}
	return ""
}

// keeps counts a card that is kept, with those before it.
func (s *Position) keeps() uint8 {
	if s.pick.card == 0 {
		return 1
	}
	s.pick.kept++
	return s.pick.kept
}

// hide takes a card away from those that were drawn.
func (s *Position) hide(id uint8) {
	n := 0
	for _, lies := range s.shown {
		if lies != id {
			s.shown[n] = lies
			n++
		}
	}
	for ; n < mostDrawn; n++ {
		s.shown[n] = 0
	}
}

// putBack shuffles the cards that were drawn and not kept into their deck.
func putBack(s *Position, deck *set) {
	for i, id := range s.shown {
		if id != 0 {
			deck.add(id)
			s.shown[i] = 0
		}
	}
}

// keepFruit puts one of the drawn fruit cards into the row. With the last that is
// kept the rest goes back, and the clause is done.
func (r *Rules) keepFruit(s *Position, id uint8) {
	s.hide(id)
	r.own(s.me(), id)
	s.visible[r.fruit[id&127].kind%types]++
	if s.keeps() < r.clause(s).keep && s.shown[0] != 0 {
		return
	}
	putBack(s, &s.orchard)
	s.job.drawn, s.pick = 0, drawing{}
	s.job.clause++
}

// keepOn lets the effect of a guild wait that was kept and founded, behind those
// kept before it, and goes on with the draw (3.12), which ends where no card is left.
func (r *Rules) keepOn(s *Position, id uint8) {
	at := int(s.waits - s.pick.kept + 1)
	copy(s.waiting[at+1:], s.waiting[at:s.waits])
	s.waiting[at] = id
	s.waits++
	s.job = job{stage: doing, card: s.pick.card, level: s.pick.level, drawn: 1}
	s.job.clause = uint8(len(r.list(&s.job)) - 1)
}

// wake asks for the effect of the guild that has waited longest of those kept
// together.
func (r *Rules) wake(s *Position, log *game.Log) {
	s.waits--
	id := s.waiting[s.waits]
	s.waiting[s.waits] = 0
	r.ask(s, id, 1, log)
}

// effectWaits is the next guild that was kept and whose effect waits, 0 for none.
func (r *Rules) effectWaits(s *Position) uint8 {
	for i := int(s.waits) - 1; i >= 0; i-- {
		if id := s.waiting[i]; len(r.card[id&127].level[0].do) > 0 {
			return id
		}
	}
	return 0
}

func (r *Rules) keepNone(s *Position, log *game.Log) {
	if log != nil {
		key := "treesociety.event.keep-none"
		if s.pick.kept > 0 {
			key = "treesociety.event.keep-enough"
		}
		log.Tell(key, game.Args{"seat": s.actor})
	}
	putBack(s, &s.deck)
	s.job, s.pick = job{}, drawing{}
}

// discard discards a guild: because a clause asks for it, or of one's own free
// will (3.14).
func (r *Rules) discard(s *Position, id uint8, log *game.Log) {
	p := s.me()
	key := "treesociety.event.discard"
	if s.acting == noAction && s.job.stage > asked {
		from := fromCompleted
		if p.at(id) >= 0 {
			from = fromProgress
		}
		if c := r.clause(s); c.verb == discard && c.allows(from, id, s.job.card) {
			s.job.clause++
			key = "treesociety.event.discard.effect"
		}
	}
	if log != nil {
		log.Tell(key, r.cardArgs(id, game.Args{"seat": s.actor}))
	}
	r.lose(s, id)
	r.lapse(s, log)
}

// lose puts a guild of the player whose turn it is on the discard pile.
func (r *Rules) lose(s *Position, id uint8) {
	p := s.me()
	s.discards.add(id)
	if at := p.at(id); at >= 0 {
		fit := len(r.card[id&127].level[(p.level[at]-1)%levels].while) > 0
		p.place[at], p.level[at] = 0, 0
		if fit {
			r.refit(p)
		}
		return
	}
	card := &r.card[id&127]
	p.completed.remove(id)
	p.banners[card.guild%guilds] -= card.banners
}

// rest begins the rest: what was sold goes to the pile for good (4.1).
func (r *Rules) rest(s *Position, log *game.Log) {
	p := s.me()
	if log != nil {
		log.Tell("treesociety.event.rest", game.Args{"seat": s.actor})
	}
	for i, id := range s.apart {
		if id != 0 {
			p.pile.add(id)
			p.sold[r.fruit[id&127].kind%types]++
			s.apart[i] = 0
		}
	}
	s.sales, s.types, s.spent = 0, 0, 0
	s.phase = taking
	if !s.offered() {
		r.close(s, log)
	}
}

// close counts the coins (4.2) and lets the guild market slide and be filled
// (4.3).
func (r *Rules) close(s *Position, log *game.Log) {
	p := s.me()
	before := *p
	p.purse += uint16(p.toPurse)
	p.chest += uint16(p.toChest)
	lost := p.purse - min(p.purse, uint16(p.keeps))
	p.purse += p.chest - lost
	p.chest = 0
	if log != nil {
		if n := int(before.toPurse) + int(before.toChest); n > 0 {
			log.Tell("treesociety.event.income", game.Args{"seat": s.actor, "coins": n})
		}
		log.Tell("treesociety.event.coins", game.Args{
			"seat": s.actor, "lost": int(lost), "chest": int(before.chest) + int(before.toChest), "purse": int(p.purse),
		})
	}
	s.slide()
	s.filling = 1
	s.phase = closing
}

// endTurn passes the turn on clockwise; after the last round the game is over
// (6.1, 6.2).
func (r *Rules) endTurn(s *Position, log *game.Log) {
	s.turn++
	if s.actor++; int(s.actor) == r.seats {
		s.actor = 0
		if s.last != 0 && s.round >= s.last {
			s.phase = over
			if log != nil {
				r.tellEnd(s, log)
			}
			return
		}
		s.round++
	}
	r.beginTurn(s)
}
