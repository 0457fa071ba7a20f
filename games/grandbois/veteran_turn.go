package grandbois

import (
	"math/bits"
	"math/rand/v2"

	"copse/game"
)

// How a quick turn is made: none of this is a rule.
const (
	vetPlaceTries   = 3   // placements of which the best is taken
	vetOwnSpace     = 1.0 // a space that shows a clan of one's own
	vetOwnTouching  = 1.5 // beside another of the same clan
	vetOwnCovered   = 2.0 // what goes with one that is covered
	vetOtherCovered = 0.5 // what it brings to cover one of another clan: it may be a rival's
	vetGoodTower    = 7   // chestnuts around a tower that are not waited for any longer
	vetPlacedIn1ms  = 600 // turns
	vetFarAhead     = 16  // turns after which what comes is mostly chance
)

// Pace is how many turns are planned in a millisecond.
func (r *veteran) Pace(*Position) int { return vetPlacedIn1ms }

// Enough is a number of turns.
func (r *veteran) Enough(from, s *Position) bool { return s.turn >= from.turn+vetFarAhead }

// Plan takes the best of a few placements by what lies there at once, and builds
// a tower where much is around it or time runs out.
func (r *veteran) Plan(s *Position, seat game.Seat, rng *rand.Rand, buf []Move) []Move {
	if s.phase == deciding {
		return append(buf, r.quickTower(s, seat))
	}
	best, high := r.law().samplePlacement(s, rng), 0.0
	if best.do() == Pass {
		return append(buf, best)
	}
	for i := range vetPlaceTries {
		m := best
		if i > 0 {
			m = r.law().samplePlacement(s, rng)
		}
		if gain := r.gain(s, s.clans[seat], m); i == 0 || gain > high {
			best, high = m, gain
		}
	}
	return append(buf, best)
}

// gain is what a placement brings someone with these clans at once.
func (r *veteran) gain(s *Position, own uint8, m Move) float64 {
	t := &r.tile[m.piece()&63].turned[m.turn()]
	sum := 0.0
	for i, above := range t.spaces {
		step := corner(i)
		x, y := m.x()+int(step[0]), m.y()+int(step[1])
		if below := s.rows[rowOf(y)].at(x); below.animals() > 0 {
			if own>>below.clan()&1 != 0 {
				sum -= vetOwnCovered
			} else {
				sum += vetOtherCovered
			}
		}
		if above.animals() == 0 || own>>above.clan()&1 == 0 {
			continue
		}
		sum += vetOwnSpace
		clan := int(above.clan())
		bit := bits.RotateLeft64(1, x)
		beside := s.rows[rowOf(y)].of(clan)
		if bits.RotateLeft64(beside, 1)&bit != 0 || bits.RotateLeft64(beside, -1)&bit != 0 ||
			s.rows[rowOf(y-1)].of(clan)&bit != 0 || s.rows[rowOf(y+1)].of(clan)&bit != 0 {
			sum += vetOwnTouching
		}
	}
	return sum
}

// quickTower builds where it is good, or while there is time.
func (r *veteran) quickTower(s *Position, seat game.Seat) Move {
	x, y := r.law().clearingOf(s, int(s.count)-1)
	own, others := s.around(x, y, s.clans[seat])
	left := bits.OnesCount64(s.pile|s.river) / r.seats
	if perOwn*own+perOthers*others >= vetGoodTower || left <= 2*int(s.towers[seat]) {
		return move(Tower)
	}
	return move(NoTower)
}
