package treesociety

import (
	"copse/game"
)

// Deed is a kind of move.
type Deed uint8

// The moves of Tree Society (section 7 of the rules): chance's three, then those
// of players.
const (
	DealStart Deed = iota + 1 // a starting card (1.5)
	DealGuild                 // a guild card
	DealFruit                 // a fruit card
	Draft                     // take a fruit card before the game (1.8)
	Sell                      // a fruit card (2.1, 2.5)
	Found                     // a guild (3.1)
	Raise                     // a guild by a level (3.2)
	Action                    // begin the fruit action (3.15)
	Use                       // the effect of the level just built (3.6)
	Skip                      // it
	Take                      // a fruit card of the market
	Row                       // of the guild market goes away
	Keep                      // a card that was drawn (3.12)
	KeepNone                  // of the guilds that were drawn
	Discard                   // a guild (3.14)
	Rest                      // end the turn (4)
)

const deeds = int(Rest)

// String is the name of the deed on the wire.
func (d Deed) String() string {
	return [32]string{
		"", "start", "guild", "fruit", "draft", "sell", "found", "raise", "action", "use", "skip", "take", "row", "keep", "keep-none",
		"discard", "rest",
	}[d&31]
}

// named tells whether a deed names a card.
func (d Deed) named() bool {
	switch d {
	case Action, Use, Skip, Row, KeepNone, Rest:
		return false
	}
	return true
}

// Rows of the guild market, as moves name them.
const (
	bottomRow uint8 = iota + 1
	topRow
)

// Move is a move in one word: the Deed above, and below it the card that it
// names, or the row.
type Move uint16

func move(do Deed, id uint8) Move { return Move(do)<<8 | Move(id) }

func (m Move) do() Deed  { return Deed(m >> 8) }
func (m Move) id() uint8 { return uint8(m) }

// Odds is 1: every card is in the box once.
func (r *Rules) Odds(*Position, Move) int { return 1 }

// Even says that all outcomes are as likely, wherever chance acts.
func (r *Rules) Even() {}

// Moves lists what seat may do: cards by where they lie, or by id; in the build
// phase what is to be chosen first, then the fruit action, then what may be
// discarded, and rest.
func (r *Rules) Moves(s *Position, seat game.Seat, buf []Move) []Move {
	if seat != r.ToAct(s) {
		return buf
	}
	switch s.need {
	case needStart:
		left := s.deck
		left[0] &= r.starts[0]
		left[1] &= r.starts[1]
		return each(DealStart, &left, buf)
	case needGuild:
		return each(DealGuild, &s.deck, buf)
	case needFruit:
		if s.phase == stocking {
			left := r.newTypes(s)
			return each(DealFruit, &left, buf)
		}
		return each(DealFruit, &s.orchard, buf)
	}
	switch s.phase {
	case drafting:
		return s.offers(Draft, buf)
	case selling:
		return each(Sell, &s.me().row, buf)
	case taking:
		return s.offers(Take, buf)
	case building:
		return r.choices(s, buf)
	}
	return buf
}

// each appends a deed for every card of a set.
func each(do Deed, cards *set, buf []Move) []Move {
	for half, left := range cards {
		base := move(do, uint8(half<<6))
		for ; left != 0; left &= left - 1 {
			buf = append(buf, base+Move(trailing(left)))
		}
	}
	return buf
}

// offers appends a deed for every card of the fruit market.
func (s *Position) offers(do Deed, buf []Move) []Move {
	for _, id := range s.stall {
		if id != 0 {
			buf = append(buf, move(do, id))
		}
	}
	return buf
}

// newTypes is the fruit of types that the market does not show yet (1.7).
func (r *Rules) newTypes(s *Position) set {
	left := s.orchard
	for _, id := range s.stall {
		if id != 0 {
			left.without(&r.ofType[r.fruit[id&127].kind%types])
		}
	}
	return left
}

// choices lists what may be done in the build phase.
func (r *Rules) choices(s *Position, buf []Move) []Move {
	n := len(buf)
	buf = r.doable(s, buf)
	if len(buf) == n && r.version == 1 { // it alone can come to that
		buf = append(buf, move(Skip, 0))
	}
	return buf
}

// doable lists what leaves everything possible that was begun.
func (r *Rules) doable(s *Position, buf []Move) []Move {
	switch {
	case s.acting != noAction:
		buf = r.actionChoices(s, buf)
	case s.job.stage == idle:
		buf = r.free(s, buf)
	case s.job.stage == asked:
		if !r.wants(s) { // else a guild must be discarded first (3.6)
			buf = append(buf, move(Use, 0))
		}
		buf = append(buf, move(Skip, 0))
	default:
		buf = r.clauseChoices(s, buf)
	}
	if r.mayAct(s) {
		buf = append(buf, move(Action, 0))
	}
	buf = r.discards(s, buf)
	if s.job.stage == idle && s.acting == noAction {
		buf = append(buf, move(Rest, 0))
	}
	return buf
}

// free lists the levels that may be built.
func (r *Rules) free(s *Position, buf []Move) []Move {
	c := anything(noCut)
	return r.builds(s, &c, 0, buf)
}

// builds lists the levels that a clause of a card lets build.
func (r *Rules) builds(s *Position, c *clause, by uint8, buf []Move) []Move {
	if c.verb != raise {
		for slot, id := range s.market {
			if id != 0 && id < nameless && r.mayFound(s, c, id, slot) {
				buf = append(buf, move(Found, id))
			}
		}
	}
	if c.verb != found {
		for i, id := range s.me().place {
			if id != 0 && r.mayRaise(s, c, by, i) {
				buf = append(buf, move(Raise, id))
			}
		}
	}
	return buf
}

// mayFound tells whether a card of the market may be founded by a clause.
func (r *Rules) mayFound(s *Position, c *clause, id uint8, slot int) bool {
	card := &r.card[id&127]
	if !c.builds(card.guild, 1) {
		return false
	}
	p := s.me()
	if card.level[0].first != nil {
		return r.canBuild(s, id, 1, c.cut)
	}
	return p.free() >= 0 && int(p.purse) >= r.price(p, id, 1, c.cut)+topCoin(slot)
}

// mayRaise tells whether a card in progress may be raised by a clause of a card.
func (r *Rules) mayRaise(s *Position, c *clause, by uint8, place int) bool {
	p := s.me()
	id := p.place[place]
	card := &r.card[id&127]
	next := p.level[place] + 1
	if !c.builds(card.guild, next) || c.other != 0 && id == by {
		return false
	}
	if card.level[(next-1)%levels].first != nil {
		return r.canBuild(s, id, next, c.cut)
	}
	return int(p.purse) >= r.price(p, id, next, c.cut)
}

// topCoin is what the top row costs more (3.4).
func topCoin(slot int) int {
	if slot >= columns {
		return 1
	}
	return 0
}

// price is what a level costs with the one best reduction, without the coin for
// the top row (3.4, 3.5).
func (r *Rules) price(p *player, id, level, cut uint8) int {
	card := &r.card[id&127]
	cost := card.level[(level-1)%levels].cost
	kind := 0
	if level > 1 {
		kind = 1
	}
	off := max(saving(cost, cut), p.less[kind][card.guild%guilds])
	if p.half[kind]>>card.guild&1 != 0 {
		off = max(off, cost/2)
	}
	return int(cost - min(off, cost))
}

// saving is what a price takes off a cost: half of it, rounded down, all of it,
// or a number.
func saving(cost, cut uint8) uint8 {
	switch cut {
	case half:
		return cost / 2
	case free:
		return cost
	}
	return cut
}

// discards lists the guilds that may be discarded (3.14). Where a clause asks for
// a discard, those it may mean are listed by it.
func (r *Rules) discards(s *Position, buf []Move) []Move {
	p := s.me()
	var asks *clause
	bound := s.job.stage > asked || s.acting != noAction
	if s.acting == noAction && s.job.stage > asked {
		if c := r.clause(s); c.verb == discard {
			asks = c
		}
	}
	for _, id := range p.place {
		if id == 0 || asks != nil && asks.allows(fromProgress, id, s.job.card) || bound && !r.canLose(s, id) {
			continue
		}
		buf = append(buf, move(Discard, id))
	}
	if p.completed.empty() {
		return buf
	}
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			if asks != nil && asks.allows(fromCompleted, id, s.job.card) || bound && !r.canLose(s, id) {
				continue
			}
			buf = append(buf, move(Discard, id))
		}
	}
	return buf
}

// allows tells whether a clause that discards may mean a card.
func (c *clause) allows(from, id, by uint8) bool {
	return c.from&from != 0 && (c.other == 0 || id != by)
}

// actionChoices lists what a fruit action asks for.
func (r *Rules) actionChoices(s *Position, buf []Move) []Move {
	switch s.acting {
	case extraSale:
		return r.sales(s, buf)
	case freshFruit:
		return r.takes(s, buf)
	case rowAway:
		return r.rows(s, buf)
	case buildNow:
		c := anything(offByAction)
		return r.builds(s, &c, 0, buf)
	}
	return buf
}

// clause is the one whose choice is waited for.
func (r *Rules) clause(s *Position) *clause {
	list := r.list(&s.job)
	return &list[int(s.job.clause)%len(list)]
}

// list is the list of clauses that a job is at.
func (r *Rules) list(j *job) []clause {
	l := &r.card[j.card&127].level[(j.level-1)%levels]
	if j.stage == demanded {
		return l.first
	}
	return l.do
}

// clauseChoices lists what a clause asks for.
func (r *Rules) clauseChoices(s *Position, buf []Move) []Move {
	c := r.clause(s)
	switch c.verb {
	case sell:
		return r.sales(s, buf)
	case take:
		return r.takes(s, buf)
	case refresh:
		return r.rows(s, buf)
	case discard:
		return r.losses(s, c, buf)
	case drawFruit:
		for _, id := range s.shown {
			if id != 0 && r.settled(s, move(Keep, id)) {
				buf = append(buf, move(Keep, id))
			}
		}
		return buf
	case drawGuild:
		for _, id := range s.shown {
			if id != 0 && r.mayKeep(s, c, id) {
				buf = append(buf, move(Keep, id))
			}
		}
		return append(buf, move(KeepNone, 0))
	case found, raise, build:
		return r.builds(s, c, s.job.card, buf)
	}
	return buf
}

// mayKeep tells whether a guild that was drawn may be founded (3.12).
func (r *Rules) mayKeep(s *Position, c *clause, id uint8) bool {
	p := s.me()
	if c.keep > 1 && s.waits == mostWaiting {
		return false
	}
	if r.card[id&127].level[0].first != nil {
		return r.canBuild(s, id, 1, c.cut)
	}
	return p.free() >= 0 && int(p.purse) >= r.price(p, id, 1, c.cut)
}

// sales lists extra sales: of types not sold in this turn (2.5).
func (r *Rules) sales(s *Position, buf []Move) []Move {
	for half, left := range s.me().row {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			if s.types>>r.fruit[id&127].kind&1 == 0 && r.settled(s, move(Sell, id)) {
				buf = append(buf, move(Sell, id))
			}
		}
	}
	return buf
}

// takes lists fruit of the market.
func (r *Rules) takes(s *Position, buf []Move) []Move {
	for _, id := range s.stall {
		if id != 0 && r.settled(s, move(Take, id)) {
			buf = append(buf, move(Take, id))
		}
	}
	return buf
}

// rows lists the rows of the guild market that hold a card, the bottom one first.
func (r *Rules) rows(s *Position, buf []Move) []Move {
	for row := bottomRow; row <= topRow; row++ {
		if s.holds(row) && r.settled(s, move(Row, row)) {
			buf = append(buf, move(Row, row))
		}
	}
	return buf
}

// holds tells whether a row of the guild market holds a card.
func (s *Position) holds(row uint8) bool {
	cards := s.market[:columns]
	if row == topRow {
		cards = s.market[columns:]
	}
	return cards[0]|cards[1]|cards[2] != 0
}

// losses lists the guilds that a clause may discard.
func (r *Rules) losses(s *Position, c *clause, buf []Move) []Move {
	p := s.me()
	for _, id := range p.place {
		if id != 0 && c.allows(fromProgress, id, s.job.card) && r.settled(s, move(Discard, id)) {
			buf = append(buf, move(Discard, id))
		}
	}
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			if c.allows(fromCompleted, id, s.job.card) && r.settled(s, move(Discard, id)) {
				buf = append(buf, move(Discard, id))
			}
		}
	}
	return buf
}

// mayAct tells whether the fruit action may be begun (3.15): not between a level
// and its effect, not where something begun could no longer be finished, and
// nothing is built in the middle of an effect (3.6).
func (r *Rules) mayAct(s *Position) bool {
	if s.spent != 0 || s.sales == 0 || s.job.stage == asked || r.effectWaits(s) != 0 {
		return false
	}
	if s.acting != noAction {
		return false
	}
	action := r.fruit[s.apart[0]&127].action
	switch {
	case s.job.stage == idle:
		return r.canAct(s, action)
	case action == buildNow:
		return false
	case action == intoChest:
		return true // a fuller chest hinders nothing
	}
	next := *s
	next.acting = action
	return r.canFinish(&next)
}

// canAct tells whether a fruit action has anything to choose.
func (r *Rules) canAct(s *Position, action uint8) bool {
	switch action {
	case extraSale:
		return r.canSell(s)
	case rowAway:
		return s.holds(bottomRow) || s.holds(topRow)
	case freshFruit:
		return s.offered()
	case buildNow:
		c := anything(offByAction)
		return r.canBuildAny(s, &c, 0)
	}
	return true
}

// canSell tells whether there is a card of a type not sold in this turn.
func (r *Rules) canSell(s *Position) bool {
	p := s.me()
	for t, n := range p.unsold {
		if n > 0 && s.types>>t&1 == 0 {
			return true
		}
	}
	return false
}

// offered tells whether the fruit market holds a card.
func (s *Position) offered() bool {
	return s.stall[0]|s.stall[1]|s.stall[2]|s.stall[3]|s.stall[4] != 0
}

// canBuildAny tells whether a clause has a level to build.
func (r *Rules) canBuildAny(s *Position, c *clause, by uint8) bool {
	if c.verb != raise {
		for slot, id := range s.market {
			if id != 0 && id < nameless && r.mayFound(s, c, id, slot) {
				return true
			}
		}
	}
	if c.verb != found {
		for i, id := range s.me().place {
			if id != 0 && r.mayRaise(s, c, by, i) {
				return true
			}
		}
	}
	return false
}
