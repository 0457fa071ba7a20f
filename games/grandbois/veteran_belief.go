package grandbois

import (
	"math/bits"
	"math/rand/v2"

	"copse/game"
	"copse/game/sums"
)

// How moves are read: none of this is a rule.
const (
	vetAlternatives = 24   // placements with which the one that was made is compared
	vetOthersPart   = 0.5  // how much a chestnut of another clan takes from one of the mover's
	vetTowerSays    = 0.15 // what a space of a clan beside a new tower says for it
	vetUnseenSays   = 0.15 // what a chestnut says where it is not known what else could be done
	vetManners      = 3
)

// vetEager is how a player may play: the logarithm of how much likelier a placement
// is that brings a chestnut more. Some take what serves them at once, others look
// further; which of them somebody is shows in the moves like the clan itself.
func vetEager() [vetManners]float64 { return [vetManners]float64{0.08, 0.2, 0.45} }

// vetHints is what everyone's moves say for each set of clans: the logarithm of how
// likely they are for somebody who plays it in each manner.
type vetHints [game.MaxSeats][1 << (clans + 1)][vetManners]float64

// of is what the moves of a seat say for a set, whatever its manner.
func (h *vetHints) of(seat int, set uint8) float64 {
	says := &h[seat][set]
	most := max(says[0], says[1], says[2])
	sum := 0.0
	for _, s := range says {
		sum += sums.Exp(s - most)
	}
	return most + sums.Log(sum)
}

// add says the same for every manner.
func (h *vetHints) add(seat game.Seat, set uint, says float64) {
	for i := range h[seat][set] {
		h[seat][set][i] += float64(says)
	}
}

// Believe lists every way in which the clans may have been dealt. Who plays a
// clan lays tiles that serve it: each placement is compared with others that
// could have been made instead, and is so much likelier for a clan as it serves
// it better than they. What a record does not go back to is read from the tiles
// as they lie, in the order in which they were laid.
func (r *veteran) Believe(rec *game.Record[Position, Move], buf []Position, odds []float64) ([]Position, []float64) {
	var says vetHints
	r.readForest(&rec.First, &says)
	world := rec.First
	for _, h := range rec.Then {
		if h.By >= 0 && h.By != rec.Seat {
			switch h.Move.do() {
			case Place:
				r.readPlacement(&world, h.By, h.Move, &says)
			case Tower:
				x, y := r.law().clearingOf(&world, int(world.count)-1)
				r.readTower(&world, h.By, x, y, &says)
			}
		}
		r.law().Play(&world, h.By, h.Move, nil)
	}
	world.viewer = game.None
	return r.dealOn(&world, 0, 0, &says, buf, odds)
}

// readPlacement adds what a placement says, compared with some that were
// possible too; which is the same whenever it is read.
func (r *veteran) readPlacement(s *Position, by game.Seat, m Move, says *vetHints) {
	before := r.served(s)
	luck := rand.New(rand.NewPCG(uint64(s.count), uint64(m)))
	var gains [1 << (clans + 1)][vetAlternatives + 1]float64
	for i := range vetAlternatives + 1 {
		other := m
		if i > 0 {
			other = r.law().samplePlacement(s, luck)
		}
		if other.do() != Place {
			return
		}
		next := *s
		next.lay(&r.tile[other.piece()&63].turned[other.turn()], other.x(), other.y())
		after := r.served(&next)
		var gain [clans + 1]float64
		all := 0.0
		for c := 1; c <= clans; c++ {
			gain[c] = float64(after[c] - before[c])
			all += gain[c]
		}
		for set := range vetSets(r.each) {
			own, n := 0.0, 0
			for left := set; left != 0; left &= left - 1 {
				own += gain[bits.TrailingZeros(left)]
				n++
			}
			gains[set][i] = own - vetOthersPart*(all-own)/float64(clans-n)
		}
	}
	for set := range vetSets(r.each) {
		for manner, eager := range vetEager() {
			sum := 0.0
			for _, gain := range gains[set] {
				sum += sums.Exp(eager * (gain - gains[set][0]))
			}
			says[by][set][manner] -= sums.Log(sum)
		}
	}
}

// vetSets are the sets of so many clans, a bit for each.
func vetSets(each int) func(yield func(uint) bool) {
	return func(yield func(uint) bool) {
		for set := uint(2); set < 1<<(clans+1); set += 2 {
			if bits.OnesCount(set) == each && !yield(set) {
				return
			}
		}
	}
}

// readTower adds what a tower says for the clans around it.
func (r *veteran) readTower(s *Position, by game.Seat, x, y int, says *vetHints) {
	for set := range vetSets(r.each) {
		own, _ := s.around(x, y, uint8(set))
		says.add(by, set, vetTowerSays*float64(own))
	}
}

// readForest adds what the tiles that lie say for whoever laid them.
func (r *veteran) readForest(view *Position, says *vetHints) {
	s := r.blank
	before := r.served(&s)
	for k, l := range view.laid[:view.count] {
		s.lay(&r.tile[l.tile()].turned[l.turn()], int(l.x), int(l.y))
		after := r.served(&s)
		mover := r.law().layer(k)
		if view.stood>>k&1 != 0 {
			x, y := r.law().clearingOf(view, k)
			s.put(x, y, towerOf(mover))
			r.readTower(&s, mover, x, y, says)
		}
		for set := range vetSets(r.each) {
			for left := set; left != 0; left &= left - 1 {
				c := bits.TrailingZeros(left)
				says.add(mover, set, vetUnseenSays*float64(after[c]-before[c]))
			}
		}
		before = after
	}
}

// served is what each clan would bring if the harvest came now.
func (r *veteran) served(s *Position) (points [clans + 1]int) {
	for c := 1; c <= clans; c++ {
		all, largest := s.tally(c)
		points[c] = perSpace*all + perGroup*largest
	}
	return points
}

// dealOn deals what is not known from seat on, clans above lowest, in every way.
func (r *veteran) dealOn(s *Position, seat game.Seat, lowest int, says *vetHints, buf []Position, odds []float64) ([]Position, []float64) {
	for ; int(seat) < r.seats && r.law().knows(s, seat); seat++ {
		lowest = 0
	}
	if int(seat) == r.seats {
		sum := 0.0
		for seat := range r.seats {
			sum += says.of(seat, s.clans[seat])
		}
		return append(buf, *s), append(odds, sums.Exp(sum))
	}
	for left := r.law().undealt(s) &^ (1<<(lowest+1) - 1); left != 0; left &= left - 1 {
		clan := bits.TrailingZeros8(left)
		next := *s
		next.clans[seat] |= 1 << clan
		buf, odds = r.dealOn(&next, seat, clan, says, buf, odds)
	}
	return buf, odds
}
