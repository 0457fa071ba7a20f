package grandbois

import (
	"math"
	"math/bits"

	"copse/game"
)

// conviction is how much a chestnut that a move brought a clan, above what it
// brought others, speaks for the mover playing that clan: the logarithm of how
// much likelier it becomes.
const conviction = 0.15

// Believe lists every way in which the clans may have been dealt. Who lays tiles
// that serve a clan is likely to play it, who covers it is not; the tiles lie in
// the forest in the order in which they were laid, and so everyone's moves can
// be read there.
func (r *Rules) Believe(view *Position, _ game.Seat, buf []Position, odds []float64) ([]Position, []float64) {
	var says [game.MaxSeats][clans + 1]float64
	r.readMoves(view, &says)
	world := *view
	world.viewer = game.None
	return r.dealOn(&world, 0, 0, &says, buf, odds)
}

// readMoves adds up what everyone's moves say for each clan.
func (r *Rules) readMoves(view *Position, says *[game.MaxSeats][clans + 1]float64) {
	s := r.blank
	before := r.served(&s)
	for k, l := range view.laid[:view.count] {
		s.lay(&r.tile[l.tile()].turned[l.turn()], int(l.x), int(l.y))
		after := r.served(&s)
		mover := r.layer(k)
		if view.stood>>k&1 != 0 {
			x, y := r.clearingOf(view, k)
			s.put(x, y, towerOf(mover))
			for c := 1; c <= clans; c++ {
				own, _ := s.around(x, y, 1<<c)
				says[mover][c] += conviction * float64(own)
			}
		}
		for c := 1; c <= clans; c++ {
			says[mover][c] += conviction * float64(after[c]-before[c])
		}
		before = after
	}
}

// served is what each clan would bring if the harvest came now.
func (r *Rules) served(s *Position) (points [clans + 1]int) {
	for c := 1; c <= clans; c++ {
		all, largest := s.tally(c)
		points[c] = perSpace*all + perGroup*largest
	}
	return points
}

// dealOn deals what is not known from seat on, clans above lowest, in every way.
func (r *Rules) dealOn(s *Position, seat game.Seat, lowest int, says *[game.MaxSeats][clans + 1]float64, buf []Position, odds []float64) ([]Position, []float64) {
	for ; int(seat) < r.seats && r.knows(s, seat); seat++ {
		lowest = 0
	}
	if int(seat) == r.seats {
		sum := 0.0
		for seat := range r.seats {
			for set := s.clans[seat]; set != 0; set &= set - 1 {
				sum += says[seat][bits.TrailingZeros8(set)]
			}
		}
		return append(buf, *s), append(odds, math.Exp(sum))
	}
	for left := r.undealt(s) &^ (1<<(lowest+1) - 1); left != 0; left &= left - 1 {
		clan := bits.TrailingZeros8(left)
		next := *s
		next.clans[seat] |= 1 << clan
		buf, odds = r.dealOn(&next, seat, clan, says, buf, odds)
	}
	return buf, odds
}
