package treesociety

import (
	"math/bits"

	"copse/game"
)

// set is a set of cards, by id.
type set [2]uint64

func (c *set) has(id uint8) bool { return c[id>>6&1]>>(id&63)&1 != 0 }
func (c *set) add(id uint8)      { c[id>>6&1] |= 1 << (id & 63) }
func (c *set) remove(id uint8)   { c[id>>6&1] &^= 1 << (id & 63) }
func (c *set) empty() bool       { return c[0]|c[1] == 0 }
func (c *set) size() int         { return bits.OnesCount64(c[0]) + bits.OnesCount64(c[1]) }

// common is how many cards two sets have in common.
func (c *set) common(other *set) int {
	return bits.OnesCount64(c[0]&other[0]) + bits.OnesCount64(c[1]&other[1])
}

// both is what two sets have in common.
func (c *set) both(other *set) set { return set{c[0] & other[0], c[1] & other[1]} }

// lowest is the card with the lowest id of a set that is not empty.
func (c *set) lowest() uint8 {
	if c[0] != 0 {
		return uint8(bits.TrailingZeros64(c[0]))
	}
	return uint8(64 + bits.TrailingZeros64(c[1]))
}

// list is the cards of a set by id.
func (c *set) list() []int {
	all := make([]int, 0, c.size())
	for left := *c; !left.empty(); {
		id := left.lowest()
		left.remove(id)
		all = append(all, int(id))
	}
	return all
}

// Places at the table.
const (
	places   = 3 // in progress (3.1)
	columns  = 3 // of the guild market
	slots    = 2 * columns
	widest   = 5   // the fruit market of two (1.7)
	eachRow  = 3   // fruit cards to begin with (1.8)
	usually  = 2   // coins that a purse keeps at rest (4.2)
	nameless = 128 // added to a card that lies face down, where the future is looked into

	// So many effects of guilds that were kept wait at most. No deck is known in
	// which a turn comes near it.
	mostWaiting = 32
)

// Phases of the game.
const (
	starting uint8 = iota + 1 // chance deals starting cards (1.5)
	opening                   // chance deals the guild market (1.6)
	stocking                  // chance deals the fruit market (1.7)
	handing                   // chance deals fruit to seats (1.8)
	drafting                  // seats take fruit (1.8)
	selling                   // a seat must sell (2.1)
	building                  // a seat may build (3)
	taking                    // a seat takes a fruit card (4.1)
	closing                   // the guild market is filled (4.3)
	over                      // the game has ended (6)
)

// What chance is to draw.
const (
	needNone uint8 = iota
	needStart
	needGuild
	needFruit
)

// player is all that a seat has. What its guilds count and what its continuous
// effects come to follows from its cards, and is kept because it is asked for
// all the time.
type player struct {
	completed set // guilds
	row       set // fruit, face up
	pile      set // fruit sold, but for this turn (2.4)
	purse     uint16
	chest     uint16
	place     [places]uint8 // guilds in progress, 0 for a free place
	level     [places]uint8 // where their markers stand, 1 or 2

	banners [guilds]uint8 // of completed cards
	unsold  [types]uint8  // of row
	sold    [types]uint8  // of pile

	less    [2][guilds]uint8 // off what is founded, or raised, of a guild
	half    [2]uint8         // likewise, a bit a guild
	bonus   [types]uint8     // on sales
	keeps   uint8            // coins at rest
	toChest uint8            // income at rest
	toPurse uint8            // likewise
}

// Stages of a job.
const (
	idle     uint8 = iota
	asked          // a level's effect may be used or skipped (3.6)
	doing          // it is being done
	demanded       // what comes before a level is being done (3.11)
)

// job is an effect that waits or is being done. Because whatever builds comes
// last in an effect, there is never more than one (3.7), but for those of guilds that
// were kept together, which wait for each other (3.12).
type job struct {
	stage  uint8
	card   uint8
	level  uint8 // 1 to 3: whose effect it is or, where it is demanded, which is to be built
	clause uint8 // the next of its list; at its end the job waits only for chance
	cut    uint8 // the price at which the level is to be built
	drawn  uint8 // the cards of this clause are on the table
}

// drawing is a draw that keeps several cards, while it goes on (3.12). A guild that it
// keeps may demand something first: then the job is that of the guild.
type drawing struct {
	card  uint8 // whose effect draws, 0 for none
	level uint8
	kept  uint8 // cards so far, with a guild that is about to be founded
}

// Position is the table. Of the decks only which cards they hold is kept: their
// order does not exist.
type Position struct {
	player   [game.MaxSeats]player
	deck     set              // guilds to come
	discards set              // guilds
	orchard  set              // fruit to come
	market   [slots]uint8     // guilds: bottom row from the left, then top row; 0 for a gap
	stall    [widest]uint8    // fruit market from the left
	apart    [types]uint8     // fruit sold in this turn, in that order (2.4)
	shown    [mostDrawn]uint8 // cards revealed by a draw effect (3.12)
	visible  [types]uint8     // fruit in rows and market
	job      job
	pick     drawing
	waiting  [mostWaiting]uint8 // guilds that were kept together, whose effects wait: the next one last
	waits    uint8              // how many

	phase   uint8
	need    uint8 // what chance draws next
	actor   game.Seat
	turn    uint8 // turns done, those of a draft among them
	round   uint8 // from 1
	sales   uint8 // of this turn
	types   uint8 // of fruit sold in this turn, a bit each
	spent   uint8 // 1: this turn's fruit action was begun
	acting  uint8 // the fruit action that waits for its choice, 0 for none
	draws   uint8 // cards still to be revealed
	filling uint8 // 1: the guild market is being filled
	end     uint8 // why the game ends, bits
	last    uint8 // the round after which it ends, 0 while that is open
	dealt   uint8 // starting cards or fruit handed out, or draft picks
	_       [7]uint8
}

// Why a game ends (6.1, 6.2).
const (
	byBanners uint8 = 1 << iota
	byFruit
)

// Seats is the number of players.
func (r *Rules) Seats() int { return r.seats }

// Start is the table before anything was dealt.
func (r *Rules) Start() Position { return r.blank }

// ToAct is chance while something is to be drawn, then the seat whose turn it
// is, None when the game has ended.
func (r *Rules) ToAct(s *Position) game.Seat {
	switch {
	case s.need != needNone:
		return game.Chance
	case s.phase == over:
		return game.None
	}
	return s.actor
}

// Turn counts turns, and the picks of a draft.
func (r *Rules) Turn(s *Position) int { return int(s.turn) }

// me is the player whose turn it is.
func (s *Position) me() *player { return &s.player[s.actor&3] }

// at is the place of a card in progress, or -1.
func (p *player) at(card uint8) int {
	for i, c := range p.place {
		if c == card {
			return i
		}
	}
	return -1
}

// free is a free place, or -1 (3.1).
func (p *player) free() int { return p.at(0) }

// inProgress is how many guilds are.
func (p *player) inProgress() int {
	n := 0
	for _, c := range p.place {
		if c != 0 {
			n++
		}
	}
	return n
}

// slot is where a card lies in the guild market, or -1.
func (s *Position) slot(card uint8) int {
	for i, c := range s.market {
		if c == card {
			return i
		}
	}
	return -1
}

// refit works out what the continuous effects of a player come to (3.9).
func (r *Rules) refit(p *player) {
	p.less, p.half, p.bonus = [2][guilds]uint8{}, [2]uint8{}, [types]uint8{}
	p.keeps, p.toChest, p.toPurse = usually, 0, 0
	for i, c := range p.place {
		if c == 0 {
			continue
		}
		for j := range r.card[c&127].level[(p.level[i]-1)%levels].while {
			r.card[c&127].level[(p.level[i]-1)%levels].while[j].apply(p, r.version < 3)
		}
	}
}

// apply adds a rule to what a player has. Of several that make a sale better or a
// purse larger the best counts (3.4); before version 3 they added up. Each income
// is paid.
func (w *while) apply(p *player, addUp bool) {
	switch w.verb {
	case cheaper:
		for kind := range p.less {
			if w.builds>>kind&1 == 0 {
				continue
			}
			if w.cut == half {
				p.half[kind] |= w.guilds
				continue
			}
			for g := range p.less[kind] {
				if w.guilds>>g&1 != 0 {
					p.less[kind][g] = max(p.less[kind][g], w.cut)
				}
			}
		}
	case betterSale:
		for t := range p.bonus {
			if w.types>>t&1 != 0 {
				p.bonus[t] = either(p.bonus[t], w.amount, addUp)
			}
		}
	case biggerPurse:
		p.keeps = usually + either(p.keeps-usually, w.amount, addUp)
	case incomeChest:
		p.toChest += w.amount
	case incomePurse:
		p.toPurse += w.amount
	}
}

// either is the better of two effects, or both where they add up.
func either(one, other uint8, addUp bool) uint8 {
	if addUp {
		return one + other
	}
	return max(one, other)
}

// Count tells that nothing is ever lost or doubled: guilds and fruit cards,
// wherever they lie.
func (r *Rules) Count(s *Position) [8]int {
	var inPlay, fruit [mostCards + 1]int
	count := func(tally *[mostCards + 1]int, id uint8) {
		if id != 0 {
			tally[id&127]++
		}
	}
	countSet := func(tally *[mostCards + 1]int, c set) {
		for ; !c.empty(); c.remove(c.lowest()) {
			tally[c.lowest()]++
		}
	}
	countSet(&inPlay, s.deck)
	countSet(&inPlay, s.discards)
	countSet(&fruit, s.orchard)
	for _, id := range s.market {
		count(&inPlay, id)
	}
	for _, id := range s.stall {
		count(&fruit, id)
	}
	for _, id := range s.apart {
		count(&fruit, id)
	}
	for _, id := range s.shown {
		if r.showsFruit(s) {
			count(&fruit, id)
		} else {
			count(&inPlay, id)
		}
	}
	for i := range s.player[:r.seats] {
		p := &s.player[i]
		countSet(&inPlay, p.completed)
		for _, id := range p.place {
			count(&inPlay, id)
		}
		countSet(&fruit, p.row)
		countSet(&fruit, p.pile)
	}
	var counts [8]int
	for id := range inPlay {
		counts[0] += inPlay[id]
		counts[1] += fruit[id]
		if inPlay[id] > 1 || fruit[id] > 1 {
			counts[2]++
		}
	}
	if s.phase == starting { // what is left of the starting cards may go back to the box (1.5)
		counts[0] -= r.leftovers()
	}
	return counts
}
