package bosk

import "copse/game"

// What each seat owns (1.4).
const (
	values     = 4  // a tree is worth 1 to 4
	treesEach  = 8  // two of each value
	leavesEach = 35 // leaf tokens; a 36th is the score marker
	anyTree    = 0  // no value is asked for (4.2)
)

// Squirrel is the leaf tile with the squirrel; the others are worth 2 to 8.
// It counts as 1 (6.2).
const Squirrel = 1

const (
	highestTile = 8
	allTiles    = 0xFF // bit t-1 is tile t
)

// Wind is where a wind blows, and a side of the park. The wind board on the
// north side makes the wind of round 1 blow north, toward row 0 (4.1).
type Wind uint8

// The four winds.
const (
	North Wind = iota + 1
	East
	South
	West
)

// String is the name of the wind on the wire.
func (w Wind) String() string {
	if w > West {
		return "unknown"
	}
	return [...]string{"", "north", "east", "south", "west"}[w]
}

// Phases of the game. Summer and winter are scored by the rules alone.
const (
	planting uint8 = iota + 1 // spring
	calling                   // the start player of autumn puts down the wind board
	shedding                  // a seat chooses tree and tile
	falling                   // its leaves fall
	running                   // its squirrel runs
	finished
)

// The squares lie in a grid of 16 a row with a closed border, so that a step
// in any direction is one addition and no path can leave the park.
const (
	stride   = 16
	gridSize = 256
)

// at is the place of a square in the grid.
func at(row, column int8) uint8 { return uint8(row+1)*stride + uint8(column+1) }

// rowColumn are the coordinates of a place in the grid.
func rowColumn(i uint8) (row, column int8) { return int8(i/stride) - 1, int8(i%stride) - 1 }

// square is what lies on a square: two bits for the seat whose leaf or squirrel
// is on top, one for a squirrel, five for the height of the pile.
type square uint8

const (
	bare   square = 0
	sits   square = 1 << 2
	closed square = sits // outside the park nothing can be entered
	never         = 255  // the price of a square that no leaf may enter
)

func pile(top game.Seat, height int) square { return square(height)<<3 | square(top) }

func (q square) top() game.Seat { return game.Seat(q & 3) }
func (q square) squirrel() bool { return q&sits != 0 }
func (q square) height() int    { return int(q >> 3) }

// Position is the park and everything on it. Nothing is hidden.
type Position struct {
	free   [2]uint64        // crossings without a tree, one bit each
	square [gridSize]square // what lies on each square

	sums    [game.MaxSeats][2 * (maxSide - 1)]uint8 // values of a seat's trees on each row trail, then on each column trail; as they were in summer from then on
	trees   [game.MaxSeats][values][2]uint8         // where the seat's trees of a value stand, as crossing number plus one, lower first; 0 for none
	hand    [game.MaxSeats][values]uint8            // trees of a value still to be planted
	control [maxRegions][game.MaxSeats]uint8        // squares of a region that a seat holds

	tiles    [game.MaxSeats]uint8 // leaf tiles not yet used
	played   [game.MaxSeats]uint8 // the leaf tile of this round, 0 before the seat's turn
	supply   [game.MaxSeats]uint8 // leaf tokens neither on the park nor active
	squirrel [game.MaxSeats]uint8 // where in the grid the seat's squirrel sits, 0 for nowhere
	summer   [game.MaxSeats]uint8 // points of summer

	phase  uint8
	round  uint8     // of autumn, 1 to 8; 0 before
	start  game.Seat // the start player: who has the Hiker
	actor  game.Seat // whose move it is
	side   Wind      // where the wind board lies, 0 before autumn
	from   uint8     // the tree that sheds, as crossing number plus one; 0 outside a turn of autumn
	last   uint8     // where in the grid the last leaf fell; before the first, the square behind the tree
	active uint8     // active leaves left
	laid   uint8     // leaves laid this turn
	open   uint8     // which of the three squares ahead a leaf can enter: bit 0 to 2 across the wind
	turn   uint8     // turns done
	wind   Wind      // where it blows this round, 0 before autumn
}

// Seats is the number of players.
func (r *Rules) Seats() int { return r.seats }

// Start is the empty park.
func (r *Rules) Start() Position { return r.blank }

// ToAct is the seat whose move it is, or None after winter.
func (r *Rules) ToAct(s *Position) game.Seat {
	if s.phase == finished {
		return game.None
	}
	return s.actor
}

// Turn counts a tree planted, the wind board put down, and a tree shed as a
// turn each.
func (r *Rules) Turn(s *Position) int { return int(s.turn) }

// clockwise is the seat n places after another.
func (r *Rules) clockwise(seat game.Seat, n int) game.Seat {
	return game.Seat((int(seat) + n) % r.seats)
}

// distance is how far seat b sits clockwise from seat a.
func (r *Rules) distance(a, b game.Seat) int { return (int(b) - int(a) + r.seats) % r.seats }

// mustShed is the value of tree that this round asks for, or anyTree (4.2).
func (r *Rules) mustShed(s *Position) uint8 { return r.wind[s.round-1].tree }

// blows is where the wind of a round blows when the wind board lies at side.
func (r *Rules) blows(side Wind, round int) Wind {
	return (side-North+Wind(r.wind[round-1].turns))%4 + North
}

// treeAt is whose tree stands on a crossing, given by number plus one, and its
// value; 0 for none.
func (r *Rules) treeAt(s *Position, number uint8) (game.Seat, int) {
	for seat := range game.Seat(r.seats) {
		for v, pair := range s.trees[seat] {
			if number != 0 && (pair[0] == number || pair[1] == number) {
				return seat, v + 1
			}
		}
	}
	return game.None, 0
}

// Count tells that nothing is ever lost: trees, tiles, leaves and squirrels,
// wherever they are. The trees that have left the park and the tiles that are
// spent are as many as turns of autumn were finished.
func (r *Rules) Count(s *Position) [8]int {
	var trees, tiles, leaves, squirrels int
	done := 0 // turns of autumn in which the tree has left the park
	if s.round > 0 {
		done = int(s.turn) - r.seats*treesEach - 1
	}
	for seat := range r.seats {
		for v := range values {
			trees += int(s.hand[seat][v])
			for _, k := range s.trees[seat][v] {
				if k != 0 {
					trees++
				}
			}
		}
		for t := range highestTile {
			tiles += int(s.tiles[seat] >> t & 1)
		}
		leaves += int(s.supply[seat])
		if s.squirrel[seat] != 0 {
			squirrels++
		}
	}
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			q := s.square[at(row, column)]
			leaves += q.height()
			if q.squirrel() {
				squirrels--
			}
		}
	}
	spent := done
	if s.phase == falling || s.phase == running {
		spent++
	}
	return [8]int{trees + done, tiles + spent, leaves + int(s.active), squirrels}
}
