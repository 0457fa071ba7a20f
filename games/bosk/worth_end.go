package bosk

import (
	"math/bits"

	"copse/game"
)

// Settle wipes what cannot matter any more in autumn: squares that no leaf or squirrel
// to come can reach, whatever is chosen. What they count for is in control.
func (r *Rules) Settle(s *Position) {
	if s.round == 0 || s.phase == finished {
		return
	}
	var reach [gridSize]bool
	for seat := range game.Seat(r.seats) {
		r.mayReach(s, seat, &reach)
	}
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			if i := at(row, column); !reach[i] {
				s.square[i] = bare
			}
		}
	}
	s.squirrel, s.supply = [game.MaxSeats]uint8{}, [game.MaxSeats]uint8{} // nothing is decided by them
	s.laid = min(s.laid, 1)                                               // whether a path has begun
	if s.round == rounds {
		s.played = [game.MaxSeats]uint8{} // nobody begins another round
	}
}

// mayReach marks the squares that a seat may come to in the rounds that are left.
func (r *Rules) mayReach(s *Position, seat game.Seat, reach *[gridSize]bool) {
	first := int(s.round)
	if s.phase == falling && s.actor == seat {
		r.markPath(s.last, s.wind, int(s.active), reach)
	}
	if s.phase == running && s.actor == seat {
		r.markPath(r.crossings[s.from-1].corner+r.ways[s.wind].behind, s.wind, 3, reach)
	}
	if s.played[seat] != 0 || r.done(s, seat) {
		first++
	}
	most := bits.Len8(s.tiles[seat]) // of the highest tile left
	if s.tiles[seat]&1 != 0 {
		most = max(most, 3) // a squirrel runs as far
	}
	if most == 0 {
		return
	}
	for round := first; round <= rounds; round++ {
		wind, must := r.blows(s.side, round), r.wind[round-1].tree
		for v, pair := range s.trees[seat] {
			if must != anyTree && int(must) != v+1 {
				continue
			}
			for _, number := range pair {
				if number != 0 && number != s.from {
					r.markPath(r.crossings[number-1].corner+r.ways[wind].behind, wind, most, reach)
				}
			}
		}
	}
}

// done tells whether a seat has had its turn of this round, or is in the middle of it.
func (r *Rules) done(s *Position, seat game.Seat) bool {
	here, actor := r.distance(s.start, seat), r.distance(s.start, s.actor)
	return here < actor || here == actor && s.phase != shedding
}

// markPath marks where a path of so many steps may go from a square, the one behind a
// tree where it has not begun.
func (r *Rules) markPath(from uint8, wind Wind, steps int, reach *[gridSize]bool) {
	way := &r.ways[wind]
	row := from
	for step := 1; step <= steps; step++ {
		row += way.ahead
		for aside := -step; aside <= step; aside++ {
			reach[row+uint8(aside)*way.across] = true
		}
	}
}
