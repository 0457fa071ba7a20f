package treesociety

import (
	"math/rand/v2"

	"copse/game"
)

// Narrow leaves out to discard a guild of one's own free will (3.14) unless three
// are in progress: at random it would undo what was built.
func (r *Rules) Narrow(s *Position, _ game.Seat, moves []Move) []Move {
	if s.phase != building {
		return moves
	}
	p := s.me()
	if r.wants(s) { // a discard that lets the effect be done
		kept := moves[:0]
		for _, m := range moves {
			if m.do() != Discard || r.helps(s, m.id()) {
				kept = append(kept, m)
			}
		}
		return kept
	}
	if p.free() < 0 {
		return moves
	}
	var asks *clause
	if s.acting == noAction && s.job.stage > asked && r.clause(s).verb == discard {
		asks = r.clause(s) // one must go
	}
	kept := moves[:0]
	for _, m := range moves {
		if m.do() != Discard || asks != nil && asks.allows(p.lies(m.id()), m.id(), s.job.card) {
			kept = append(kept, m)
		}
	}
	return kept
}

// lies tells where a guild of a player is, as clauses that discard name it.
func (p *player) lies(card uint8) uint8 {
	if p.at(card) >= 0 {
		return fromProgress
	}
	return fromCompleted
}

// How a quick turn is made: none of this is a rule.
const (
	builtIn1ms  = 200  // turns
	keenness    = 1.5  // how much the gain of a level wavers
	saleWavers  = 1.5  // how much a sale does, in coins
	fruitWavers = 2.0  // how much a fruit card to take does
	rowsAway    = 0.25 // how often a row of guilds is cleared away where that can be done
	roomWorth   = 1.5  // points that a guild may be worth which makes room for an effect
)

// The habits of quick turns: what each thing about a level that is built counts, in
// hundredths, before anybody has banners, and how much more it is once somebody has
// all of them.
const (
	habitRise      = iota            // by how many points the card is good for more
	habitOnce      = habitRise + 1   // coins that the effect brings at once
	habitSpent     = habitOnce + 1   // against it: coins of the price that would be lost at rest
	habitKept      = habitSpent + 1  // and those that would be kept
	habitFound     = habitKept + 1   // a card is founded
	habitCrowd     = habitFound + 1  // for each that is in progress already
	habitRaise     = habitCrowd + 1  // a card is raised
	habitEach      = habitRaise + 1  // coins that it brings a turn
	habitDone      = habitEach + 1   // it is completed
	habitBanner    = habitDone + 1   // for each of its banners
	habitPoints    = habitBanner + 1 // points that it scores at once
	habitsBuilding = habitPoints + 1
)

// Other habits: of the last turn, of sales, and of fruit to take.
const (
	habitLastFound   = 2*habitsBuilding + iota         // in the last turn, a card that is founded,
	habitLastOnce                                      // what the effect brings at once,
	habitLastCoin                                      // and against it a coin of the price
	habitSaleUnsold                                    // to sell what one has so many of
	habitFruitPays                                     // to take what would pay so many coins,
	habitFruitUnsold                                   // or what one has so many of
	habitFruitAction                                   // what an action counts there
	habitAction                                        // coins that each action is worth; for the chest, each coin of it
	habitCard        = habitAction + int(buildNow) + 1 // to build a level of a card, one by one
	allHabits        = habitCard + usualCards*levels
)

// usualCards is how many cards the guilds of a first game have: the first of the deck.
const usualCards = 49

// habits are the numbers that quick turns go by.
type habits [allHabits]int16

// otherHabits serve with any deck and any guilds. They were found by play, with every
// card taken for what it says.
func otherHabits() habits {
	return habits{
		46, 200, 30, 174, 51, -89, 407, 391, 668, 408, 20,
		-111, 86, -61, -17, 189, 46, 225, 250, -15, 105, 261,
		123, 34, -86, 19, 356, -464, 97,
		-203, 435, 16, 389, 497, 425,
	}
}

// usualHabits were found by play: copse practise treesociety. They know each card of the
// guilds of a first game in the newest printing, and serve with those alone; the other
// options make no difference to that.
func usualHabits() habits {
	return habits{
		-127, 165, -3, 90, -145, -292, 711, 894, 970, 524, 57,
		122, 142, 95, 192, 510, 390, 856, -274, 90, 81, 211,
		-203, -10, -18, -3, 671, -814, 240,
		354, 776, 432, 636, 455, 804,
		7, 5, -37, -558, -287, 127, 560, -813, 306, -641, -62, -702, -746, 611, -15,
		-687, -563, -116, -706, 870, -588, -1035, -712, -961, -1130, -738, 192, -918, -217, -816,
		633, 624, 248, -111, 297, 97, -471, 864, 561, 698, -617, -17, -350, 8, -224,
		-703, 378, 228, 412, 564, 621, 203, 385, 137, 126, 386, 106, 393, 117, 726,
		159, 371, 290, -164, 604, -1, 451, -741, -542, 303, 1006, -748, -876, 2, 995,
		1135, 249, 24, 418, -455, 428, 788, -376, 40, 670, 133, 983, 960, 326, -449,
		-739, 497, 132, 462, 294, -83, -624, 54, 428, -998, -488, -1042, -156, -840, -515,
		393, 33, 630, 561, -646, 275, 79, -189, -489, 659, -63, 111, 307, -343, 213,
		117, -279, -807, 123, 432, -659, -137, -503, -710, -285, 392, 818, 1006, 553, 503,
		185, 353, -603, 747, 398, -119, 682, 988, 263, -71, 47, -812,
	}
}

// settleHabits chooses habits for the deck and the guilds.
func (r *Rules) settleHabits() {
	r.habits = otherHabits()
	if r.usual && standard(r.version).from == knownFrom && r.options.Guilds == UsualOptions().Guilds {
		r.habits = usualHabits()
	}
	r.settle()
}

// knownFrom is the version whose printing the habits of single cards were found with.
const knownFrom = 5

// Habits implements game.Practised.
func (r *Rules) Habits() []int16 {
	h := r.habits
	return h[:]
}

// Practise implements game.Practised.
func (r *Rules) Practise(by []int16) game.Planner[Position, Move] {
	other := *r
	copy(other.habits[:], by)
	other.settle()
	return &other
}

// settle makes of the habits, in hundredths, what they count.
func (r *Rules) settle() {
	for i, n := range r.habits {
		r.habit[i] = float64(n) / 100
	}
}

// waver is a number from which come those by which all wavers that a quick turn thinks
// of: each card by its own, so that a turn that thinks of a card more thinks the same of
// all others.
type waver uint64

// What wavers: the guild of a number, the fruit of a number with this beside it, and what
// is neither.
const (
	ofFruit     = 128
	ofRowsAway  = 0       // whether a row is cleared away
	ofWhichRows = ofFruit // and which
)

// of is a number from 0 to below 1.
func (w waver) of(what uint8) float64 {
	return float64(float64(game.Mix(uint64(w)+uint64(what))>>11) / (1 << 53))
}

// Number implements game.Steady.
func (r *Rules) Number(m Move) uint64 { return uint64(m) }

// Point implements game.Weigher: with a hundred points a few are little.
func (r *Rules) Point() float64 { return 0.05 }

// urges are the habits of building at a moment.
type urges [habitsBuilding]float64

// now is how much the habits of building count, by how far the one with the most
// banners has come.
func (r *Rules) now(s *Position) (now urges) {
	most := 0
	for i := range s.player[:r.seats] {
		n := 0
		for _, b := range s.player[i].banners {
			n += int(b)
		}
		most = max(most, n)
	}
	late := min(1, float64(most)/float64(max(r.options.Banners, 1)))
	for i := range now {
		now[i] = r.habit[i] + float64(late*r.habit[habitsBuilding+i])
	}
	return now
}

// Pace is how many turns are planned in a millisecond.
func (r *Rules) Pace(*Position) int { return builtIn1ms }

// Idle tells whether a guild is discarded, which no effect asks for, and nothing is
// founded in its place. What is built in a turn may be built in many orders
// (game.Confluent).
func (r *Rules) Idle(turn []Move) bool {
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
func (r *Rules) Plan(s *Position, seat game.Seat, rng *rand.Rand, buf []Move) []Move {
	w := waver(rng.Uint64())
	switch s.phase {
	case drafting:
		return append(buf, move(Draft, r.quickFruit(s, w)))
	case selling:
		return append(buf, move(Sell, r.quickSale(s, false, w)))
	case taking:
		return append(buf, move(Take, r.quickFruit(s, w)))
	}
	if r.stuck(s) {
		return append(buf, move(Skip, 0))
	}
	if s.acting != noAction {
		c := anything(offByAction)
		return append(buf, r.quickAnswer(s, r.asks(s), &c, w))
	}
	switch s.job.stage {
	case asked:
		if r.wants(s) {
			return append(buf, r.quickRoom(s))
		}
		if r.prospect[s.job.card&127].shun>>(s.job.level-1)&1 != 0 {
			return append(buf, move(Skip, 0))
		}
		return append(buf, move(Use, 0))
	case doing, demanded:
		c := r.clause(s)
		return append(buf, r.quickAnswer(s, c.verb, c, w))
	}
	last := s.last != 0 && s.round >= s.last
	if s.spent == 0 && s.sales > 0 {
		act := r.fruit[s.apart[0]&127].action
		if act == rowAway && w.of(ofRowsAway) >= rowsAway || last && act != extraSale && act != buildNow {
			act = noAction
		}
		if act != noAction && r.canAct(s, act) {
			return append(buf, move(Action, 0))
		}
	}
	c := anything(noCut)
	if m, _ := r.quickBuild(s, &c, 0, w); m != 0 {
		return append(buf, m)
	}
	buf = append(buf, move(Rest, 0))
	if s.offered() {
		buf = append(buf, move(Take, r.quickFruit(s, w)))
	}
	return buf
}

// quickAnswer answers what is asked in the middle of something.
func (r *Rules) quickAnswer(s *Position, asks verb, c *clause, w waver) Move {
	switch asks {
	case sell:
		return move(Sell, r.quickSale(s, true, w))
	case take:
		return move(Take, r.quickFruit(s, w))
	case refresh:
		row := bottomRow + uint8(2*w.of(ofWhichRows))
		if !s.holds(row) || !r.settled(s, move(Row, row)) {
			row = bottomRow + topRow - row
		}
		return move(Row, row)
	case discard:
		return move(Discard, r.quickLoss(s, c))
	case drawFruit:
		return move(Keep, s.shown[r.quickest(s, Keep, s.shown[:], w)])
	case drawGuild:
		best, high, now := move(KeepNone, 0), 0.0, r.now(s)
		for _, id := range s.shown {
			if id != 0 && r.mayKeep(s, c, id) {
				if g := r.gain(s, s.me(), id, 0, r.price(s.me(), id, 1, c.cut), &now, w); g > high {
					best, high = move(Keep, id), g
				}
			}
		}
		return best
	}
	m, _ := r.quickBuild(s, c, s.job.card, w)
	if m == 0 { // it must be done: whatever loses least
		var few [slots + places]Move
		return r.builds(s, c, s.job.card, few[:0])[0]
	}
	return m
}

// quickBuild is the level that gains most, or nothing.
func (r *Rules) quickBuild(s *Position, c *clause, by uint8, w waver) (best Move, high float64) {
	p, now := s.me(), r.now(s)
	if c.verb != found {
		for i, id := range p.place {
			if id == 0 || !r.mayRaise(s, c, by, i) {
				continue
			}
			if g := r.gain(s, p, id, p.level[i], r.price(p, id, p.level[i]+1, c.cut), &now, w); g > high {
				best, high = move(Raise, id), g
			}
		}
	}
	if c.verb == raise {
		return best, high
	}
	for slot, id := range s.market {
		if id == 0 || id >= nameless || !r.mayFound(s, c, id, slot) {
			continue
		}
		if g := r.gain(s, p, id, 0, r.price(p, id, 1, c.cut)+topCoin(slot), &now, w); g > high {
			best, high = move(Found, id), g
		}
	}
	return best, high
}

// gain is about what the next level of a card brings for its price.
func (r *Rules) gain(s *Position, p *player, id, level uint8, price int, now *urges, w waver) float64 {
	left := 3
	if s.last != 0 {
		left = min(int(s.last)-min(int(s.round), int(s.last)), left)
	}
	wavers := 1 + float64(keenness*(w.of(id)-0.5))
	if left == 0 {
		return r.lastGain(p, id, level, price) * wavers
	}
	c, hope, coin := &r.card[id&127], &r.prospect[id&127], r.scale.coin
	next := level + 1
	value := &hope.value[left-1]
	lost := min(price, max(int(p.purse)-int(p.keeps), 0)) // coins that would be lost
	sum := float64(now[habitRise]*(value[next]-value[level])) + float64(now[habitOnce]*float64(coin*hope.once[next-1]))
	sum -= float64(coin * (float64(now[habitSpent]*float64(lost)) + float64(now[habitKept]*float64(price-lost))))
	points := float64(r.pointsThen(p, id, next))
	each := 0.0
	if level == 0 {
		sum += now[habitFound] + float64(now[habitCrowd]*float64(p.inProgress()))
	} else {
		sum += now[habitRaise]
		each = -hope.each[level-1]
		points -= float64(r.points(p, id, level))
	}
	if next == levels {
		sum += now[habitDone] + float64(now[habitBanner]*float64(c.banners))
	} else {
		each += hope.each[next-1]
	}
	sum += float64(now[habitEach]*float64(coin*each)) + float64(now[habitPoints]*points)
	if id <= usualCards {
		sum += r.habit[habitCard+int(id-1)*levels+int(level)]
	}
	return sum * wavers
}

// lastGain is the same in the last turn: points are what counts.
func (r *Rules) lastGain(p *player, id, level uint8, price int) float64 {
	next := level + 1
	rise := float64(r.pointsThen(p, id, next))
	if level > 0 {
		rise -= float64(r.points(p, id, level))
	} else {
		rise += r.habit[habitLastFound]
	}
	if next < levels { // it may go further at once
		further := float64(r.pointsThen(p, id, next+1)) - float64(r.pointsThen(p, id, next))
		if over := int(p.purse) - price - int(r.card[id&127].level[next].cost); over >= 0 && further > 0 {
			rise += further
		}
	}
	return rise + float64(r.habit[habitLastOnce]*r.prospect[id&127].once[next-1]) - float64(r.habit[habitLastCoin]*float64(price))
}

// pointsThen is what a card scores on a level if it is built there now.
func (r *Rules) pointsThen(p *player, id, level uint8) int {
	c := &r.card[id&127]
	q := &c.level[(level-1)%levels].points
	if q.of == plain {
		return int(q.times)
	}
	n := r.amount(p, q)
	if level == levels && q.of >= ofBanners && q.of <= ofCompleted { // it counts itself
		counted := *p
		counted.completed.add(id)
		counted.banners[c.guild%guilds] += c.banners
		n = r.amount(&counted, q)
	}
	return n
}

// quickSale is the fruit card that pays best.
func (r *Rules) quickSale(s *Position, extra bool, w waver) uint8 {
	p := s.me()
	best, high := uint8(0), -1e9
	for half, left := range p.row {
		for ; left != 0; left &= left - 1 {
			id := uint8(half<<6) + trailing(left)
			f := &r.fruit[id&127]
			t := f.kind % types
			if extra && (s.types>>t&1 != 0 || !r.settled(s, move(Sell, id))) {
				continue
			}
			pays := p.takings(s, f) + float64(saleWavers*w.of(ofFruit|id)) + float64(r.habit[habitSaleUnsold]*float64(p.unsold[t]))
			if !extra {
				pays += r.actionWorth(f)
			}
			if pays > high {
				best, high = id, pays
			}
		}
	}
	return best
}

// takings is what a fruit card would pay a player now.
func (p *player) takings(s *Position, f *fruit) float64 {
	return float64(s.visible[f.kind%types]) + float64(f.leaf) + float64(p.bonus[f.kind%types])
}

// actionWorth is about how many coins the action of a fruit card is worth.
func (r *Rules) actionWorth(f *fruit) float64 {
	worth := r.habit[habitAction+int(f.action%(buildNow+1))]
	if f.action == intoChest {
		worth *= float64(f.coins)
	}
	return worth
}

// quickFruit is a good card of the fruit market.
func (r *Rules) quickFruit(s *Position, w waver) uint8 {
	return s.stall[r.quickest(s, Take, s.stall[:], w)]
}

// quickest is the place of a good fruit card among some; one at least is there.
func (r *Rules) quickest(s *Position, do Deed, cards []uint8, w waver) int {
	p := s.me()
	best, high := 0, -1e9
	for i, id := range cards {
		if id == 0 || s.phase == building && !r.settled(s, move(do, id)) {
			continue
		}
		f := &r.fruit[id&127]
		t := f.kind % types
		v := float64(r.habit[habitFruitPays]*p.takings(s, f)) + float64(r.habit[habitFruitUnsold]*float64(p.unsold[t]))
		v += float64(r.habit[habitFruitAction]*r.actionWorth(f)) + float64(fruitWavers*w.of(ofFruit|id))
		if v > high {
			best, high = i, v
		}
	}
	return best
}

// quickRoom discards the guild in progress that is worth least, if the effect that
// waits can be done without it and that is worth more; else it skips the effect.
func (r *Rules) quickRoom(s *Position) Move {
	p := s.me()
	best, low := move(Skip, 0), r.scale.coin*roomWorth
	for i, id := range p.place {
		if id == 0 || id == s.job.card || !r.helps(s, id) {
			continue
		}
		if v := r.prospect[id&127].value[2][p.level[i]]; v < low {
			best, low = move(Discard, id), v
		}
	}
	return best
}

// quickLoss is the guild that a clause may discard at the least loss.
func (r *Rules) quickLoss(s *Position, c *clause) uint8 {
	var few [places + mostCards]Move
	best, low := uint8(0), 1e9
	for _, m := range r.losses(s, c, few[:0]) {
		v := 20.0
		if at := s.me().at(m.id()); at >= 0 {
			v = r.prospect[m.id()&127].value[2][s.me().level[at]]
		} else {
			v += float64(r.points(s.me(), m.id(), levels))
		}
		if v < low {
			best, low = m.id(), v
		}
	}
	return best
}
