package treesociety

import (
	"math/rand/v2"

	"copse/game"
)

// Narrow leaves out to discard a guild of one's own free will (3.14) unless three
// are in progress: at random it would undo what was built.
func (r *veteran) Narrow(s *Position, _ game.Seat, moves []Move) []Move {
	if s.phase != building {
		return moves
	}
	p := s.me()
	if r.law().wants(s) { // a discard that lets the effect be done
		kept := moves[:0]
		for _, m := range moves {
			if m.do() != Discard || r.law().helps(s, m.id()) {
				kept = append(kept, m)
			}
		}
		return kept
	}
	if p.free() < 0 {
		return moves
	}
	var asks *clause
	if s.acting == noAction && s.job.stage > asked && r.law().clause(s).verb == discard {
		asks = r.law().clause(s) // one must go
	}
	kept := moves[:0]
	for _, m := range moves {
		if m.do() != Discard || asks != nil && asks.allows(p.vetLies(m.id()), m.id(), s.job.card) {
			kept = append(kept, m)
		}
	}
	return kept
}

// vetLies tells where a guild of a player is, as clauses that discard name it.
func (p *player) vetLies(card uint8) uint8 {
	if p.at(card) >= 0 {
		return fromProgress
	}
	return fromCompleted
}

// How a quick turn is made: none of this is a rule.
const (
	vetBuiltIn1ms  = 200  // turns
	vetKeenness    = 0.5  // how much the gain of a level wavers
	vetSaleWavers  = 1.5  // how much a sale does, in coins
	vetFruitWavers = 0.6  // how much a fruit card to take does
	vetKeptCoin    = 0.4  // what a coin that may be kept is worth
	vetSpentCoin   = 0.12 // what one is worth that is lost at rest
	vetRoomWorth   = 1.5  // points that a guild may be worth which makes room for an effect
)

// Pace is how many turns are planned in a millisecond.
func (r *veteran) Pace(*Position) int { return vetBuiltIn1ms }

// Idle tells whether a guild is discarded, which no effect asks for, and nothing is
// founded in its place. What is built in a turn may be built in many orders
// (game.Confluent).
func (r *veteran) Idle(turn []Move) bool {
	lost, rests := false, false
	for _, m := range turn {
		switch m.do() {
		case Found, Keep:
			lost = false
		case Discard:
			lost = true
		case Rest:
			rests = true
		}
		if (m.do() == Found || m.do() == Raise || m.do() == Keep) && r.prospect[m.id()&127].loses {
			return false // it may be what the discard is for
		}
	}
	return lost && rests
}

// Plan makes one or two moves at a time: the sale that pays best, then whatever
// gains most while there is anything to gain, then rest.
func (r *veteran) Plan(s *Position, seat game.Seat, rng *rand.Rand, buf []Move) []Move {
	switch s.phase {
	case drafting:
		return append(buf, move(Draft, r.quickFruit(s, rng)))
	case selling:
		return append(buf, move(Sell, r.quickSale(s, false, rng)))
	case taking:
		return append(buf, move(Take, r.quickFruit(s, rng)))
	}
	if r.law().stuck(s) {
		return append(buf, move(Skip, 0))
	}
	if s.acting != noAction {
		c := anything(offByAction)
		return append(buf, r.quickAnswer(s, r.law().asks(s), &c, rng))
	}
	switch s.job.stage {
	case asked:
		if r.law().wants(s) {
			return append(buf, r.quickRoom(s))
		}
		if r.prospect[s.job.card&127].shun>>(s.job.level-1)&1 != 0 {
			return append(buf, move(Skip, 0))
		}
		return append(buf, move(Use, 0))
	case doing, demanded:
		c := r.law().clause(s)
		return append(buf, r.quickAnswer(s, c.verb, c, rng))
	}
	last := s.last != 0 && s.round >= s.last
	if s.spent == 0 && s.sales > 0 {
		act := r.fruit[s.apart[0]&127].action
		if act == rowAway && rng.IntN(4) != 0 || last && act != extraSale && act != buildNow {
			act = noAction
		}
		if act != noAction && r.law().canAct(s, act) {
			return append(buf, move(Action, 0))
		}
	}
	c := anything(noCut)
	if m, _ := r.quickBuild(s, &c, 0, rng); m != 0 {
		return append(buf, m)
	}
	buf = append(buf, move(Rest, 0))
	if s.offered() {
		buf = append(buf, move(Take, r.quickFruit(s, rng)))
	}
	return buf
}

// quickAnswer answers what is asked in the middle of something.
func (r *veteran) quickAnswer(s *Position, asks verb, c *clause, rng *rand.Rand) Move {
	switch asks {
	case sell:
		return move(Sell, r.quickSale(s, true, rng))
	case take:
		return move(Take, r.quickFruit(s, rng))
	case refresh:
		row := bottomRow + uint8(rng.UintN(2))
		if !s.holds(row) || !r.law().settled(s, move(Row, row)) {
			row = bottomRow + topRow - row
		}
		return move(Row, row)
	case discard:
		return move(Discard, r.quickLoss(s, c))
	case drawFruit:
		return move(Keep, s.shown[r.quickest(s, Keep, s.shown[:], rng)])
	case drawGuild:
		best, high := move(KeepNone, 0), 0.0
		for _, id := range s.shown {
			if id != 0 && r.law().mayKeep(s, c, id) {
				if g := r.gain(s, s.me(), id, 0, r.law().price(s.me(), id, 1, c.cut), rng); g > high {
					best, high = move(Keep, id), g
				}
			}
		}
		return best
	}
	m, _ := r.quickBuild(s, c, s.job.card, rng)
	if m == 0 { // it must be done: whatever loses least
		var few [slots + places]Move
		return r.law().builds(s, c, s.job.card, few[:0])[0]
	}
	return m
}

// quickBuild is the level that gains most, or nothing.
func (r *veteran) quickBuild(s *Position, c *clause, by uint8, rng *rand.Rand) (best Move, high float64) {
	p := s.me()
	if c.verb != found {
		for i, id := range p.place {
			if id == 0 || !r.law().mayRaise(s, c, by, i) {
				continue
			}
			if g := r.gain(s, p, id, p.level[i], r.law().price(p, id, p.level[i]+1, c.cut), rng); g > high {
				best, high = move(Raise, id), g
			}
		}
	}
	if c.verb == raise {
		return best, high
	}
	for slot, id := range s.market {
		if id == 0 || id >= nameless || !r.law().mayFound(s, c, id, slot) {
			continue
		}
		if g := r.gain(s, p, id, 0, r.law().price(p, id, 1, c.cut)+topCoin(slot), rng); g > high {
			best, high = move(Found, id), g
		}
	}
	return best, high
}

// gain is about what the next level of a card brings, in points, for its price.
func (r *veteran) gain(s *Position, p *player, id, level uint8, price int, rng *rand.Rand) float64 {
	c := &r.card[id&127]
	hope := &r.prospect[id&127]
	left := 3
	if s.last != 0 {
		left = int(s.last) - min(int(s.round), int(s.last))
	}
	next := level + 1
	var rise float64
	if left == 0 { // the last turn: points are all that counts
		rise = float64(r.pointsThen(p, id, next))
		if level > 0 {
			rise -= float64(r.law().points(p, id, level))
		} else {
			rise += 0.05
		}
		if next < levels { // it may go further at once
			further := float64(r.pointsThen(p, id, next+1)) - float64(r.pointsThen(p, id, next))
			if over := int(p.purse) - price - int(c.level[next].cost); over >= 0 && further > 0 {
				rise += further
			}
		}
		rise += float64(0.1 * hope.once[next-1])
	} else {
		rise = hope.value[min(left, 3)-1][next] - hope.value[min(left, 3)-1][level]
		rise += float64(r.scale.coin * vetKeptCoin * hope.once[next-1])
	}
	over := max(int(p.purse)-int(p.keeps), 0) // coins that would be lost
	cost := r.scale.coin * (float64(vetSpentCoin*float64(min(price, over))) + float64(vetKeptCoin*float64(price-min(price, over))))
	if left == 0 {
		cost = 0.02 * float64(price)
	}
	return (rise - cost) * (1 + float64(vetKeenness*(float64(rng.Float64())-0.5)))
}

// pointsThen is what a card scores on a level if it is built there now.
func (r *veteran) pointsThen(p *player, id, level uint8) int {
	c := &r.card[id&127]
	q := &c.level[(level-1)%levels].points
	if q.of == plain {
		return int(q.times)
	}
	n := r.law().amount(p, q)
	if level == levels && q.of >= ofBanners && q.of <= ofCompleted { // it counts itself
		counted := *p
		counted.completed.add(id)
		counted.banners[c.guild%guilds] += c.banners
		n = r.law().amount(&counted, q)
	}
	return n
}

// quickSale is the fruit card that pays best.
func (r *veteran) quickSale(s *Position, extra bool, rng *rand.Rand) uint8 {
	p := s.me()
	best, high := uint8(0), -1.0
	for half, left := range p.row {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			f := &r.fruit[id&127]
			t := f.kind % types
			if extra && (s.types>>t&1 != 0 || !r.law().settled(s, move(Sell, id))) {
				continue
			}
			pays := p.vetTakings(s, f) + float64(vetSaleWavers*rng.Float64())
			if !extra {
				pays += vetActionWorth(f)
			}
			if pays > high {
				best, high = id, pays
			}
		}
	}
	return best
}

// vetTakings is what a fruit card would pay a player now.
func (p *player) vetTakings(s *Position, f *fruit) float64 {
	return float64(s.visible[f.kind%types]) + float64(f.leaf) + float64(p.bonus[f.kind%types])
}

// vetActionWorth is about how many coins the action of a fruit card is worth.
func vetActionWorth(f *fruit) float64 {
	switch f.action {
	case extraSale:
		return 2
	case rowAway:
		return 0.3
	case freshFruit:
		return 1.3
	case intoChest:
		return float64(f.coins)
	}
	return 1.8
}

// quickFruit is a good card of the fruit market.
func (r *veteran) quickFruit(s *Position, rng *rand.Rand) uint8 {
	return s.stall[r.quickest(s, Take, s.stall[:], rng)]
}

// quickest is the place of a good fruit card among some; one at least is there.
func (r *veteran) quickest(s *Position, do Deed, cards []uint8, rng *rand.Rand) int {
	p := s.me()
	best, high := 0, -1.0
	for i, id := range cards {
		if id == 0 || s.phase == building && !r.law().settled(s, move(do, id)) {
			continue
		}
		f := &r.fruit[id&127]
		t := f.kind % types
		if v := p.vetTakings(s, f) - float64(0.5*float64(p.unsold[t])) + vetActionWorth(f) + float64(vetFruitWavers*rng.Float64()); v > high {
			best, high = i, v
		}
	}
	return best
}

// quickRoom discards the guild in progress that is worth least, if the effect that
// waits can be done without it and that is worth more; else it skips the effect.
func (r *veteran) quickRoom(s *Position) Move {
	p := s.me()
	best, low := move(Skip, 0), r.scale.coin*vetRoomWorth
	for i, id := range p.place {
		if id == 0 || id == s.job.card || !r.law().helps(s, id) {
			continue
		}
		if v := r.prospect[id&127].value[2][p.level[i]]; v < low {
			best, low = move(Discard, id), v
		}
	}
	return best
}

// quickLoss is the guild that a clause may discard at the least loss.
func (r *veteran) quickLoss(s *Position, c *clause) uint8 {
	var few [places + mostCards]Move
	best, low := uint8(0), 1e9
	for _, m := range r.law().losses(s, c, few[:0]) {
		v := 20.0
		if at := s.me().at(m.id()); at >= 0 {
			v = r.prospect[m.id()&127].value[2][s.me().level[at]]
		} else {
			v += float64(r.law().points(s.me(), m.id(), levels))
		}
		if v < low {
			best, low = m.id(), v
		}
	}
	return best
}
