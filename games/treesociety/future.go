package treesociety

import "math/bits"

// Looking ahead: an effect is used only if it can be done in full (3.6), a level
// with a mandatory effect is begun only if it can be built in the end (3.11). So
// whatever is begun is looked through to its end, choice by choice, on copies of
// the position. What will be drawn on the way is not known: it must be possible
// whatever that is. Of fruit every kind is tried that can come, a kind being a
// type with or without the leaf; a guild comes face down, so that its row can be
// replaced and nothing else.
//
// So nobody is ever stuck: where this says yes, one of the choices leads to a
// position where it says yes again, and so does whatever chance can draw.
//
// Version 1 looked ahead less well; future_1.go has what it did.

func trailing(w uint64) uint8 { return uint8(bits.TrailingZeros64(w)) }

// settled tells whether everything begun can still be done in full after a move
// that answers what is asked.
func (r *Rules) settled(s *Position, m Move) bool {
	if r.lastChoice(s) {
		return true
	}
	return r.leads(s, m)
}

// lastChoice tells whether nothing is left to be done after what is asked.
func (r *Rules) lastChoice(s *Position) bool {
	switch s.job.stage {
	case idle:
		return true
	case doing:
		return s.acting == noAction && int(s.job.clause)+1 == len(r.list(&s.job))
	}
	return false
}

// canLose tells whether everything begun can still be done in full without a
// guild.
func (r *Rules) canLose(s *Position, id uint8) bool {
	next := *s
	r.lose(&next, id)
	return r.canFinish(&next)
}

// canBuild tells whether a level with a mandatory effect can be built.
func (r *Rules) canBuild(s *Position, id, level, cut uint8) bool {
	next := *s
	next.acting = noAction
	next.job = job{stage: demanded, card: id, level: level, cut: cut}
	return r.canFinish(&next)
}

// canUse tells whether the effect that waits can be done in full.
func (r *Rules) canUse(s *Position) bool {
	list := r.card[s.job.card&127].level[(s.job.level-1)%levels].do
	if len(list) == 1 { // most have one clause
		return r.can(s, &list[0], s.job.card)
	}
	next := *s
	next.job.stage = doing
	return r.canFinish(&next)
}

// wants tells whether the effect that waits needs a discard before it can be done
// (3.6).
func (r *Rules) wants(s *Position) bool {
	return r.version > 2 && s.job.stage == asked && !r.canUse(s)
}

// helped tells whether the effect that waits could be done in full after one guild
// in progress is discarded, or any one where no guild is left to be drawn (3.6).
func (r *Rules) helped(s *Position) bool {
	p := s.me()
	for _, id := range p.place {
		if id != 0 && r.helps(s, id) {
			return true
		}
	}
	if !s.deck.empty() || !s.discards.empty() {
		return false
	}
	for left := p.completed; !left.empty(); left.remove(left.lowest()) {
		if r.helps(s, left.lowest()) {
			return true
		}
	}
	return false
}

// helps tells whether the effect that waits can be done in full without a guild.
func (r *Rules) helps(s *Position, id uint8) bool {
	next := *s
	r.lose(&next, id)
	return r.canUse(&next)
}

// can tells whether a clause can be done.
func (r *Rules) can(s *Position, c *clause, by uint8) bool {
	p := s.me()
	switch c.verb {
	case pay:
		return p.purse >= uint16(c.number)
	case unlock:
		return p.chest >= uint16(c.number) && (r.version > 1 || p.chest > 0)
	case sell:
		return r.canSell(s)
	case take:
		return s.offered()
	case discard:
		return r.hasLoss(p, c, by)
	case refresh:
		return s.holds(bottomRow) || s.holds(topRow)
	case drawFruit:
		return !s.orchard.empty()
	case drawGuild:
		return !s.deck.empty() || !s.discards.empty()
	case found, raise, build:
		return r.canBuildAny(s, c, by)
	}
	return true
}

// hasLoss tells whether there is a guild that a clause may discard.
func (r *Rules) hasLoss(p *player, c *clause, by uint8) bool {
	for _, id := range p.place {
		if id != 0 && c.allows(fromProgress, id, by) {
			return true
		}
	}
	if c.from&fromCompleted == 0 {
		return false
	}
	left := p.completed
	if c.other != 0 {
		left.remove(by)
	}
	return !left.empty()
}

// canFinish tells whether all that is begun can be done in full: first the fruit
// action, then the job. It may spoil the position.
func (r *Rules) canFinish(s *Position) bool {
	if s.acting != noAction {
		if s.job.stage <= asked {
			return r.canAct(s, s.acting)
		}
		return r.canChoose(s)
	}
	if s.job.stage <= asked {
		return true
	}
	list := r.list(&s.job)
	for ; int(s.job.clause) < len(list); s.job.clause++ {
		c := &list[s.job.clause]
		if s.job.drawn == 0 && !r.can(s, c, s.job.card) {
			return false
		}
		switch c.verb {
		case coins, pay, unlock:
			r.cash(s.me(), c)
			continue
		}
		if s.job.stage == doing && int(s.job.clause)+1 == len(list) {
			return true
		}
		if c.verb == drawFruit && s.job.drawn == 0 {
			if r.version > 1 {
				return r.canDraw(s, c)
			}
			s.orchard.remove(s.orchard.lowest()) // whichever will be kept
			continue
		}
		if c.verb == refresh && c.number == 2 {
			r.clear(s, bottomRow)
			r.clear(s, topRow)
			r.foresee(s)
			continue
		}
		return r.canChoose(s)
	}
	return s.job.stage == doing || r.canPay(s)
}

// canChoose tells whether one of the choices that are asked for leads to the end.
func (r *Rules) canChoose(s *Position) bool {
	switch r.asks(s) {
	case sell:
		return r.canSellOn(s)
	case take:
		for _, id := range s.stall {
			if id != 0 && r.leads(s, move(Take, id)) {
				return true
			}
		}
	case refresh:
		for row := bottomRow; row <= topRow; row++ {
			if s.holds(row) && r.leads(s, move(Row, row)) {
				return true
			}
		}
	case discard:
		return r.canLoseOn(s)
	case drawFruit:
		for _, id := range s.shown {
			if id != 0 && r.leads(s, move(Keep, id)) {
				return true
			}
		}
	}
	return false
}

// asks is the verb of what is to be chosen in the middle of a job.
func (r *Rules) asks(s *Position) verb {
	switch s.acting {
	case extraSale:
		return sell
	case freshFruit:
		return take
	case rowAway:
		return refresh
	case buildNow:
		return build
	}
	return r.clause(s).verb
}

// canSellOn tries a sale of each type. Of a type the card with the leaf is worth
// most, and no two of them differ otherwise.
func (r *Rules) canSellOn(s *Position) bool {
	var best [types]uint8
	for half, left := range s.me().row {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			f := &r.fruit[id&127]
			if b := best[f.kind%types]; b == 0 || f.leaf > r.fruit[b&127].leaf {
				best[f.kind%types] = id
			}
		}
	}
	for t, id := range best {
		if id != 0 && s.types>>t&1 == 0 && r.leads(s, move(Sell, id)) {
			return true
		}
	}
	return false
}

// canLoseOn tries to discard each guild that the clause may mean. Of completed ones
// no two with the same guild and banners differ, but for the card of the job.
func (r *Rules) canLoseOn(s *Position) bool {
	p, c := s.me(), r.clause(s)
	for _, id := range p.place {
		if id != 0 && c.allows(fromProgress, id, s.job.card) && r.leads(s, move(Discard, id)) {
			return true
		}
	}
	var tried [mostBanners + 1]uint8 // guilds, a bit each
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			if !c.allows(fromCompleted, id, s.job.card) {
				continue
			}
			if card := &r.card[id&127]; id != s.job.card {
				if tried[card.banners&3]>>card.guild&1 != 0 {
					continue
				}
				tried[card.banners&3] |= 1 << card.guild
			}
			if r.leads(s, move(Discard, id)) {
				return true
			}
		}
	}
	return false
}

// canDraw tells whether a draw of fruit leads to the end whatever is revealed. One
// of the cards is kept and the others go back, so only the kind that is kept
// makes a difference: there must be fewer cards of kinds that lead nowhere than
// are revealed. Where several are kept, reveals looks through them.
func (r *Rules) canDraw(s *Position, c *clause) bool {
	reveal := min(int(c.number), s.orchard.size())
	if c.keep > 1 {
		d := reveals{r: r, s: s, keep: min(int(c.keep), reveal)}
		return !d.fails(0, reveal)
	}
	vain := 0
	for i := range r.ofKind {
		kind := s.orchard.both(&r.ofKind[i])
		if kind.empty() {
			continue
		}
		if r.canKeep(s, kind.lowest()) {
			continue
		}
		if vain += kind.size(); vain >= reveal {
			return false
		}
	}
	return true
}

// reveals looks through what a draw of fruit that keeps several may reveal. By how
// many cards of each kind are kept it remembers what leads to the end.
type reveals struct {
	r     *Rules
	s     *Position
	keep  int
	shown [kinds]uint8 // revealed
	kept  [kinds]uint8 // of those
	known [ways]uint8  // 1 for no, 2 for yes
}

// ways is how many numbers name what is kept: a digit for each card, its kind, and
// 0 for none.
const ways = (kinds + 1) * (kinds + 1) * (kinds + 1) * (kinds + 1)

// fails tells whether so many cards of this kind and those after it can be revealed,
// beside what is, that nothing which may be kept leads to the end.
func (d *reveals) fails(kind, reveal int) bool {
	if reveal == 0 {
		return !d.leads(0, d.keep)
	}
	if kind == kinds {
		return false // there are not so many
	}
	cards := d.s.orchard.both(&d.r.ofKind[kind])
	for n := min(cards.size(), reveal); n >= 0; n-- {
		d.shown[kind] = uint8(n)
		if d.fails(kind+1, reveal-n) {
			return true
		}
	}
	return false
}

// leads tells whether so many of the revealed cards of this kind and those after
// it can be kept, beside what is, that all can be done in full.
func (d *reveals) leads(kind, keep int) bool {
	if keep == 0 {
		return d.ends()
	}
	if kind == kinds {
		return false
	}
	for n := min(int(d.shown[kind]), keep); n >= 0; n-- {
		d.kept[kind] = uint8(n)
		if d.leads(kind+1, keep-n) {
			d.kept[kind] = 0
			return true
		}
	}
	return false
}

// ends tells whether what is kept leads to the end.
func (d *reveals) ends() bool {
	way := 0
	for kind, n := range d.kept {
		for range n {
			way = way*(kinds+1) + kind + 1
		}
	}
	if met := d.known[way%ways]; met != 0 {
		return met == 2
	}
	next := *d.s
	next.job.clause++
	for kind, n := range d.kept {
		for cards := d.s.orchard.both(&d.r.ofKind[kind]); n > 0; n-- {
			id := cards.lowest()
			cards.remove(id)
			next.orchard.remove(id)
			d.r.own(next.me(), id)
			next.visible[d.r.fruit[id&127].kind%types]++
		}
	}
	yes := d.r.canFill(&next)
	d.known[way%ways] = 1 + one(yes)
	return yes
}

// canKeep tells whether a fruit card that is still in the deck leads to the end
// when it is kept.
func (r *Rules) canKeep(s *Position, id uint8) bool {
	next := *s
	next.orchard.remove(id)
	r.keepFruit(&next, id)
	return r.canFill(&next)
}

// canFill tells whether everything can be done in full whatever fills the gaps of
// the fruit market, which comes before all that is left to do (1.9).
func (r *Rules) canFill(s *Position) bool {
	gap := 0
	for gap < r.wide && s.stall[gap] != 0 {
		gap++
	}
	if gap == r.wide || s.orchard.empty() {
		return r.canFinish(s)
	}
	if !r.minds(s) {
		r.stock(s, gap, s.orchard.lowest())
		return r.canFill(s)
	}
	for i := range r.ofKind {
		kind := s.orchard.both(&r.ofKind[i])
		if !kind.empty() && !r.canStock(s, gap, kind.lowest()) {
			return false
		}
	}
	return true
}

// minds tells whether the kind of fruit that comes can make a difference. Where
// one clause is left it cannot: whether that can be done depends on how many
// cards lie there, and on what the player has.
func (r *Rules) minds(s *Position) bool {
	left := len(r.list(&s.job)) - int(s.job.clause)
	return left > 1 || left == 1 && s.job.stage == demanded
}

// canStock tells whether everything can be done in full if this card comes into a
// gap of the fruit market.
func (r *Rules) canStock(s *Position, gap int, id uint8) bool {
	next := *s
	r.stock(&next, gap, id)
	return r.canFill(&next)
}

// stock puts a fruit card into a gap of the fruit market.
func (r *Rules) stock(s *Position, gap int, id uint8) {
	s.orchard.remove(id)
	s.stall[gap] = id
	s.visible[r.fruit[id&127].kind%types]++
}

// leads tells whether an answer leads to the end.
func (r *Rules) leads(s *Position, m Move) bool {
	next := *s
	if r.version == 1 {
		r.answerFirst(&next, m)
		return r.canFinish(&next)
	}
	r.answer(&next, m)
	return r.canFill(&next)
}

// answer does what a move does that answers a choice in the middle of a job, but
// for what is drawn then.
func (r *Rules) answer(s *Position, m Move) {
	if m.do() == Keep { // a fruit card: what builds is never before the end
		r.keepFruit(s, m.id())
		return
	}
	more := r.answered(s)
	switch m.do() {
	case Sell:
		r.sellCard(s, m.id(), more)
	case Take:
		r.carry(s, m.id())
	case Row:
		r.clear(s, m.id())
		r.foresee(s)
	case Discard:
		r.lose(s, m.id())
	}
}

// answered goes on to the next clause, or ends the fruit action; it gives the
// number of the clause that was answered.
func (r *Rules) answered(s *Position) uint8 {
	if s.acting != noAction {
		s.acting = noAction
		return 0
	}
	s.job.clause++
	return r.list(&s.job)[s.job.clause-1].number
}

// foresee fills the guild market with cards that are face down.
func (r *Rules) foresee(s *Position) {
	s.slide()
	for i, id := range s.market {
		if id != 0 {
			continue
		}
		if s.deck.empty() {
			s.deck, s.discards = s.discards, set{}
		}
		if s.deck.empty() {
			return
		}
		id = s.deck.lowest()
		s.deck.remove(id)
		s.market[i] = nameless
		if r.version > 1 {
			s.market[i] |= id // it is a card among the discards when its row is replaced
		}
	}
}

// canPay tells whether the level can be built at the end of what it demands.
func (r *Rules) canPay(s *Position) bool {
	p, j := s.me(), &s.job
	if j.level > 1 {
		return p.at(j.card) >= 0 && int(p.purse) >= r.price(p, j.card, j.level, j.cut)
	}
	slot := s.slot(j.card)
	if p.free() < 0 || slot < 0 && !s.shows(j.card) {
		return false
	}
	return int(p.purse) >= r.price(p, j.card, 1, j.cut)+topCoin(slot)
}

// shows tells whether a card lies among those that were drawn.
func (s *Position) shows(card uint8) bool {
	for _, id := range s.shown {
		if id == card {
			return true
		}
	}
	return false
}
