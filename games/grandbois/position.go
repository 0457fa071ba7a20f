package grandbois

import (
	"math/bits"

	"copse/game"
)

// space is what one space shows: its kind in three bits and, above them, the
// clan of its animals or, for a tower, the seat it belongs to, from 1.
type space uint8

// The kinds of spaces, from what anything may cover to what nothing may (2.3 to
// 2.6).
const (
	ground   space = iota // no forest
	clearing              // nothing stands there
	_                     // one animal
	_                     // two
	_                     // three
	_                     // four
	bear
	tower // on a clearing
)

func animals(clan uint8, n int) space { return space(n+1) | space(clan)<<3 }
func towerOf(seat game.Seat) space    { return tower | space(seat+1)<<3 }

func (sp space) kind() space      { return sp & 7 }
func (sp space) clan() uint8      { return uint8(sp >> 3) }
func (sp space) owner() game.Seat { return game.Seat(sp>>3) - 1 }

// animals is how many there are, 0 for anything else.
func (sp space) animals() int {
	if kind := sp.kind(); kind > clearing && kind < bear {
		return int(kind) - 1
	}
	return 0
}

// covers tells whether a space may lie on another (2.3 to 2.6, 2.8). On bare
// ground anything may.
func covers(over, under space, expert bool) bool {
	switch under.kind() {
	case ground, clearing:
		return true
	case bear, tower:
		return false
	}
	switch {
	case over.kind() == bear:
		return true
	case expert && over.clan() == under.clan():
		return false
	}
	return over.animals() > under.animals()
}

// perTile is the number of spaces of a tile.
const perTile = 4

// corner is where space i of a tile lies, clockwise from the top left, as steps
// to the right and down.
func corner(i int) [2]int8 { return [perTile][2]int8{{0, 0}, {1, 0}, {1, 1}, {0, 1}}[i] }

// The forest lies on a ring of rows, each a ring of 64 columns: whichever way it
// grows, it never meets itself, since it is at most 2 + 36 spaces wide and high
// and one row and one column always stay bare.
const (
	ring       = 2 + maxTiles + 1
	planes     = 6
	mostSpaces = perTile + 3*maxTiles // every tile covers at least one
)

// row is a row of the forest: plane p holds, a bit for each column, bit p of
// every space. So a question is asked of all the spaces of a row at once.
type row [planes]uint64

// Phases of the game.
const (
	dealing  uint8 = iota + 1 // chance deals clans (1.3)
	drawing                   // chance reveals a tile of the river (1.2, 2.9)
	placing                   // a seat takes a tile, or must pass (2.1, 2.10)
	deciding                  // a seat places a tower, or not (3.1)
	over                      // the harvest is in (4.1)
)

// laying is a tile that was laid: where its top left space lies, its id times
// four and its quarter turns.
type laying struct {
	x, y int8
	what uint8
}

func (l laying) tile() int { return int(l.what >> 2) }
func (l laying) turn() int { return int(l.what & 3) }

// Position is the table. What lies in rows, left to bottom, towers and river
// follows from the tiles laid, and is kept because it is asked for all the
// time. Of the pile only which tiles it holds is kept: its order does not exist.
type Position struct {
	rows  [ring]row
	pile  uint64           // bit t is tile t
	river uint64           // likewise
	stood uint64           // bit k: a tower was put on the clearing of laid[k]
	laid  [maxTiles]laying // in the order in which they were laid, seat by seat

	left, top, right, bottom int8 // the outermost columns and rows of the forest

	towers [game.MaxSeats]uint8 // towers not yet placed
	clans  [game.MaxSeats]uint8 // bit c: the seat plays clan c; secret

	viewer game.Seat // whose view this is, None for the truth
	actor  game.Seat // whose turn it is
	phase  uint8
	turn   uint8 // turns done
	count  uint8 // tiles laid
	dealt  uint8 // clans dealt, to seat 0 first
	passes uint8 // seats that had to pass (2.10)
	_      uint8
}

// Seats is the number of players.
func (r *Rules) Seats() int { return r.seats }

// Start is the start tile alone; clans and river are still to be dealt.
func (r *Rules) Start() Position { return r.blank }

// ToAct is chance while clans are dealt and tiles revealed, then the seat whose
// turn it is, None after the harvest.
func (r *Rules) ToAct(s *Position) game.Seat {
	switch s.phase {
	case dealing, drawing:
		return game.Chance
	case over:
		return game.None
	}
	return s.actor
}

// Turn counts a tile laid, with the tower after it, or a pass as a turn.
func (r *Rules) Turn(s *Position) int { return int(s.turn) }

// dealtTo is how many clans a seat has been dealt (1.2).
func (r *Rules) dealtTo(s *Position, seat game.Seat) int {
	return min(max(int(s.dealt)-int(seat)*r.each, 0), r.each)
}

// knows tells whether this position knows all the clans that a seat was dealt.
func (r *Rules) knows(s *Position, seat game.Seat) bool {
	return bits.OnesCount8(s.clans[seat]) == r.dealtTo(s, seat)
}

// rowOf is where a row lies on the ring: rows above 0 come from its end. No row
// is further out than that.
func rowOf(y int) int { return y + y>>63&ring }

// inForest tells whether a space lies between the outermost rows and columns.
func (s *Position) inForest(x, y int) bool {
	return x >= int(s.left) && x <= int(s.right) && y >= int(s.top) && y <= int(s.bottom)
}

// at is what a space shows, any space at all.
func (s *Position) at(x, y int) space {
	if !s.inForest(x, y) {
		return ground
	}
	return s.rows[rowOf(y)].at(x)
}

func (w *row) at(x int) space {
	column := uint(x) & 63
	var sp space
	for p, plane := range w {
		sp |= space(plane>>column&1) << p
	}
	return sp
}

// put makes a space show something else.
func (s *Position) put(x, y int, sp space) {
	w, bit := &s.rows[rowOf(y)], uint64(1)<<(uint(x)&63)
	for p := range w {
		w[p] &^= bit
		if sp>>p&1 != 0 {
			w[p] |= bit
		}
	}
}

// lay puts a tile on the forest: two columns of two rows.
func (s *Position) lay(t *turned, x, y int) {
	pair := bits.RotateLeft64(3, x)
	upper, lower := &s.rows[rowOf(y)], &s.rows[rowOf(y+1)]
	for p, bit := range t.planes {
		upper[p] = upper[p]&^pair | bits.RotateLeft64(uint64(bit&3), x)
		lower[p] = lower[p]&^pair | bits.RotateLeft64(uint64(bit>>2), x)
	}
	s.left, s.right = min(s.left, int8(x)), max(s.right, int8(x+1))
	s.top, s.bottom = min(s.top, int8(y)), max(s.bottom, int8(y+1))
}

// clearingOf is where the clearing of the tile that was laid as number k lies.
func (r *Rules) clearingOf(s *Position, k int) (x, y int) {
	l := s.laid[k]
	step := r.tile[l.tile()].turned[l.turn()].clear
	return int(l.x + step[0]), int(l.y + step[1])
}

// layer is the seat that laid tile number k: they do it in turn, and after the
// first pass nobody does.
func (r *Rules) layer(k int) game.Seat { return game.Seat(k % r.seats) }

// Count tells that nothing is ever lost: tiles in pile, river and forest; towers
// in hand and in the forest; clans dealt and left over, none twice; bears, which
// nothing covers.
func (r *Rules) Count(s *Position) [8]int {
	tiles := bits.OnesCount64(s.pile|s.river) + int(s.count)
	towers, bears := 0, 0
	given, all := 0, uint8(0)
	for seat := range r.seats {
		towers += int(s.towers[seat])
		given += bits.OnesCount8(s.clans[seat])
		all |= s.clans[seat]
	}
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		bears += bits.OnesCount64(w[1] & w[2] &^ w[0])
		towers += bits.OnesCount64(w.towersIn())
	}
	for left := s.pile | s.river; left != 0; left &= left - 1 {
		bears += r.tile[bits.TrailingZeros64(left)].bears
	}
	return [8]int{tiles, towers, bits.OnesCount8(all) - given, given - int(s.dealt), bears}
}
