package bosk

import (
	"math"
	"math/bits"
	"slices"

	"copse/game"
)

// Deed is a kind of move.
type Deed uint8

// The five moves of Bosk.
const (
	Plant Deed = iota + 1 // a tree on a crossing (2.1)
	Call                  // the wind board to a side (4.1)
	Shed                  // choose a tree, by its crossing, and a leaf tile (5.1)
	Leaf                  // lay a leaf on a square (5.2)
	Run                   // the squirrel runs to a square and stays (5.8)
)

// String is the name of the deed on the wire.
func (d Deed) String() string {
	if d > Run {
		return "unknown"
	}
	return [...]string{"", "plant", "wind", "shed", "leaf", "squirrel"}[d]
}

// Move is one move. Piece is the value of a tree to plant, the side of the
// wind board or the leaf tile; Row and Column a crossing or a square. What a
// deed does not need is 0.
type Move struct {
	Do          Deed
	Piece       uint8
	Row, Column int8
}

// Moves lists what seat may do. In spring crossing by crossing and then tree by
// tree; in autumn tree by tree and then tile by tile, both rising; ahead of a
// path from left to right or from top to bottom.
func (r *Rules) Moves(s *Position, seat game.Seat, buf []Move) []Move {
	if seat != s.actor {
		return buf
	}
	switch s.phase {
	case planting:
		return r.plantings(s, buf)
	case calling:
		for side := North; side <= West; side++ {
			buf = append(buf, Move{Do: Call, Piece: uint8(side)})
		}
	case shedding:
		return r.sheddings(s, buf)
	case falling:
		way := r.ways[s.wind]
		i := s.last + way.ahead - way.across
		for b := range uint8(3) {
			if s.open>>b&1 != 0 {
				row, column := rowColumn(i)
				buf = append(buf, Move{Do: Leaf, Row: row, Column: column})
			}
			i += way.across
		}
	case running:
		return r.runs(s, buf)
	}
	return buf
}

// Odds is 1: there is no chance in Bosk (1.5).
func (r *Rules) Odds(*Position, Move) int { return 1 }

// plantings copies, for each free crossing, a row that holds the moves for the
// trees in hand; the next row covers what is too much of it.
func (r *Rules) plantings(s *Position, buf []Move) []Move {
	kinds := 0
	for v, left := range s.hand[s.actor] {
		if left > 0 {
			kinds |= 1 << v
		}
	}
	n, rows := bits.OnesCount8(uint8(kinds)), &r.plantingRows[kinds]
	used := len(buf)
	end := used + n*(bits.OnesCount64(s.free[0])+bits.OnesCount64(s.free[1]))
	buf = slices.Grow(buf, end-used+values)[:end+values]
	for w, free := range s.free {
		for ; free != 0; free &= free - 1 {
			k := w*64 + bits.TrailingZeros64(free)
			*(*[values]Move)(buf[used : used+values]) = rows[k%len(rows)]
			used += n
		}
	}
	return buf[:end]
}

func (r *Rules) sheddings(s *Position, buf []Move) []Move {
	must := r.mustShed(s)
	for v := range values {
		if must != anyTree && int(must) != v+1 {
			continue
		}
		for _, number := range s.trees[s.actor][v] {
			if number == 0 {
				break
			}
			c := r.crossings[number-1]
			m := Move{Do: Shed, Row: c.row, Column: c.column}
			for tiles := s.tiles[s.actor]; tiles != 0; tiles &= tiles - 1 {
				m.Piece = uint8(bits.TrailingZeros8(tiles)) + 1
				buf = append(buf, m)
			}
		}
	}
	return buf
}

// runs lists where the squirrel may stay: in the cone of one, two and three
// steps, wherever no other squirrel sits (5.8). The nearest come first.
func (r *Rules) runs(s *Position, buf []Move) []Move {
	from := r.crossings[s.from-1]
	for ahead := int8(1); ahead <= 3; ahead++ {
		for aside := -ahead; aside < ahead; aside++ {
			row, column := from.step(s.wind, ahead, aside)
			if r.inPark(row, column) && !s.square[at(row, column)].squirrel() {
				buf = append(buf, Move{Do: Run, Row: row, Column: column})
			}
		}
	}
	return buf
}

// step is the square so many steps ahead of a tree with the wind, and so many
// aside: -1 and 0 are the two that touch it.
func (c crossing) step(wind Wind, ahead, aside int8) (row, column int8) {
	switch wind {
	case North:
		return c.row - ahead, c.column + aside
	case South:
		return c.row + ahead - 1, c.column + aside
	case East:
		return c.row + aside, c.column + ahead - 1
	}
	return c.row + aside, c.column - ahead
}

// steps is how many steps of 5.2 lead from a tree to a square when the wind
// blows so, or tooFar. After k steps one is k rows on and may have drifted to
// either side by one square a step, the first step included.
func steps(from crossing, wind Wind, row, column int8) int {
	var ahead, aside int8
	switch wind {
	case North:
		ahead, aside = from.row-row, column-from.column
	case South:
		ahead, aside = row-from.row+1, column-from.column
	case East:
		ahead, aside = column-from.column+1, row-from.row
	case West:
		ahead, aside = from.column-column, row-from.row
	}
	if ahead < 1 || aside < -ahead || aside >= ahead {
		return tooFar
	}
	return int(ahead)
}

const tooFar = math.MaxInt8

func (r *Rules) inPark(row, column int8) bool {
	return row >= 0 && column >= 0 && int(row) < r.side && int(column) < r.side
}

// look finds which of the squares ahead a leaf can enter and pay for; before
// the first leaf there are two, after it three (5.2).
func (r *Rules) look(s *Position) uint8 {
	way := &r.ways[s.wind]
	prices := &r.price[s.actor&3]
	i := s.last + way.ahead
	var open uint8
	if prices[s.square[i]] <= s.active {
		open = 2
	}
	if prices[s.square[i+way.across]] <= s.active {
		open |= 4
	}
	if s.laid > 0 && prices[s.square[i-way.across]] <= s.active {
		open |= 1
	}
	return open
}

// Check says why a move is not allowed.
func (r *Rules) Check(s *Position, seat game.Seat, m Move) error {
	if s.phase == finished {
		return game.Refuse("7.6", "bosk.over", nil)
	}
	if seat != s.actor {
		return game.Refuse(r.turnRule(s), "bosk.turn", game.Args{"seat": s.actor})
	}
	switch {
	case m.Do == Plant && s.phase == planting:
		return r.checkPlant(s, m)
	case m.Do == Call && s.phase == calling:
		return r.checkCall(s, m)
	case m.Do == Shed && s.phase == shedding:
		return r.checkShed(s, m)
	case m.Do == Leaf && s.phase == falling:
		return r.checkLeaf(s, m)
	case m.Do == Run && s.phase == running:
		return r.checkRun(s, m)
	case m.Do < Plant || m.Do > Run:
		return game.Refuse(r.turnRule(s), "bosk.unknown", game.Args{"due": r.due(s)})
	}
	return game.Refuse(r.turnRule(s), "bosk.not-now", game.Args{"do": m.Do.String(), "due": r.due(s)})
}

// turnRule is the rule that says what is to be done now and by whom.
func (r *Rules) turnRule(s *Position) string {
	return [...]string{planting: "2.1", calling: "4.1", shedding: "5.1", falling: "5.2", running: "5.8"}[s.phase]
}

// due names the move that is to be made now.
func (r *Rules) due(s *Position) string {
	return [...]Deed{planting: Plant, calling: Call, shedding: Shed, falling: Leaf, running: Run}[s.phase].String()
}

// number is the number of a crossing plus one, or 0 where no two trails cross.
func (r *Rules) number(row, column int8) uint8 {
	if row < 1 || column < 1 || int(row) >= r.side || int(column) >= r.side {
		return 0
	}
	return r.numberAt[row][column]
}

func (r *Rules) checkPlant(s *Position, m Move) error {
	place := [2]int{int(m.Row), int(m.Column)}
	if m.Piece < 1 || m.Piece > values {
		return game.Refuse("1.4", "bosk.plant.value", game.Args{"tree": int(m.Piece)})
	}
	if s.hand[s.actor][m.Piece-1] == 0 {
		return game.Refuse("1.4", "bosk.plant.none-left", game.Args{"tree": int(m.Piece)})
	}
	number := r.number(m.Row, m.Column)
	if number == 0 {
		return noCrossing("bosk.plant.no-crossing", place, r.side)
	}
	if owner, tree := r.treeAt(s, number); tree != 0 {
		return game.Refuse("2.1", "bosk.plant.taken", game.Args{"at": place, "seat": owner, "tree": tree})
	}
	return nil
}

func noCrossing(key string, place [2]int, side int) error {
	return game.Refuse("1.3", key, game.Args{"at": place, "most": side - 1})
}

func (r *Rules) checkCall(s *Position, m Move) error {
	if m.Row != 0 || m.Column != 0 {
		return game.Refuse("4.1", "bosk.unknown", game.Args{"due": r.due(s)})
	}
	if side := Wind(m.Piece); side < North || side > West {
		return noSide(int(side))
	}
	return nil
}

func noSide(side any) error {
	return game.Refuse("4.1", "bosk.wind.side", game.Args{"side": side})
}

func (r *Rules) checkShed(s *Position, m Move) error {
	place := [2]int{int(m.Row), int(m.Column)}
	number := r.number(m.Row, m.Column)
	if number == 0 {
		return noCrossing("bosk.shed.no-crossing", place, r.side)
	}
	owner, tree := r.treeAt(s, number)
	if tree == 0 {
		return game.Refuse("5.1", "bosk.shed.no-tree", game.Args{"at": place})
	}
	if owner != s.actor {
		return game.Refuse("5.1", "bosk.shed.other", game.Args{"at": place, "seat": owner, "tree": tree})
	}
	if must := r.mustShed(s); must != anyTree && int(must) != tree {
		return game.Refuse("4.2", "bosk.shed.value", game.Args{"at": place, "tree": tree, "must": int(must), "round": int(s.round)})
	}
	if m.Piece < Squirrel || m.Piece > highestTile {
		return noTile(int(m.Piece))
	}
	if s.tiles[s.actor]>>(m.Piece-1)&1 == 0 {
		return game.Refuse("5.1", "bosk.shed.spent", game.Args{"tile": Tile(m.Piece)})
	}
	return nil
}

func noTile(tile any) error {
	return game.Refuse("1.4", "bosk.shed.tile", game.Args{"tile": tile})
}

func (r *Rules) checkLeaf(s *Position, m Move) error {
	if m.Piece != 0 {
		return game.Refuse("5.2", "bosk.unknown", game.Args{"due": r.due(s)})
	}
	place := [2]int{int(m.Row), int(m.Column)}
	if !r.inPark(m.Row, m.Column) {
		return game.Refuse("5.3", "bosk.leaf.outside", game.Args{"to": place})
	}
	i, way := at(m.Row, m.Column), r.ways[s.wind]
	first := s.last + way.ahead
	switch {
	case s.laid == 0 && i != first && i != first+way.across:
		from := r.crossings[s.from-1]
		return game.Refuse("5.2", "bosk.leaf.first", game.Args{
			"to": place, "tree": [2]int{int(from.row), int(from.column)}, "wind": s.wind.String(),
		})
	case i != first && i != first+way.across && i != first-way.across:
		row, column := rowColumn(s.last)
		return game.Refuse("5.2", "bosk.leaf.ahead", game.Args{
			"to": place, "last": [2]int{int(row), int(column)}, "wind": s.wind.String(),
		})
	}
	what := s.square[i]
	if what.squirrel() {
		return game.Refuse("5.6", "bosk.leaf.squirrel", game.Args{"to": place, "seat": what.top()})
	}
	if price := r.price[s.actor][what]; price > s.active {
		return game.Refuse("5.5", "bosk.leaf.price", game.Args{
			"to": place, "seat": what.top(), "height": what.height(), "price": int(price), "active": int(s.active),
		})
	}
	return nil
}

func (r *Rules) checkRun(s *Position, m Move) error {
	if m.Piece != 0 {
		return game.Refuse("5.8", "bosk.unknown", game.Args{"due": r.due(s)})
	}
	place := [2]int{int(m.Row), int(m.Column)}
	if !r.inPark(m.Row, m.Column) {
		return game.Refuse("5.3", "bosk.squirrel.outside", game.Args{"to": place})
	}
	from := r.crossings[s.from-1]
	if steps(from, s.wind, m.Row, m.Column) > 3 {
		return game.Refuse("5.8", "bosk.squirrel.far", game.Args{
			"to": place, "tree": [2]int{int(from.row), int(from.column)}, "wind": s.wind.String(),
		})
	}
	if what := s.square[at(m.Row, m.Column)]; what.squirrel() {
		return game.Refuse("5.8", "bosk.squirrel.taken", game.Args{"to": place, "seat": what.top()})
	}
	return nil
}
