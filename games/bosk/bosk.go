// Package bosk is the game Bosk by Daryl Andrews and Erica Bouyouris: in spring
// trees are planted along the trails of a park, in summer the trails are
// scored, in autumn the wind carries the leaves over the ground, in winter the
// regions are scored. The numbers in comments are those of rules.en.md.
package bosk

import (
	"cmp"
	"sync"

	"copse/game"
)

// Game is Bosk as the rest of Copse meets it.
func Game() game.Definition[Position, Move] {
	standard := game.BoxHash(DefaultBox().written())
	return game.Definition[Position, Move]{
		About: game.About{
			Name:     "bosk",
			MinSeats: 2,
			MaxSeats: 4,
			Version:  1,
			Options:  []game.Option{{Name: "box", Kind: "box", Default: standard}},
			Parts:    []string{"summer", "winter"},
			Phrases:  said(),
			Levels:   levels(),
			Texts:    texts,
			Box: func(raw game.RawMessage) (game.RawMessage, error) {
				box, err := ReadBox(raw)
				if err != nil {
					return nil, err
				}
				return box.written(), nil
			},
		},
		New: func(seats int, options game.RawMessage, _ int) (game.Playable[Position, Move], error) {
			o := game.ReadOptions(options)
			raw, err := game.TheBox(o, standard)
			if err := cmp.Or(err, o.Done()); err != nil {
				return nil, err
			}
			box, err := ReadBox(raw)
			if err != nil {
				return nil, game.Inside("box", err)
			}
			r := New(seats, box)
			r.usual = string(raw) == "{}"
			return r, nil
		},
	}
}

// Rules is the law of Bosk for a number of seats and a box. Everything in it
// is looked up, nothing changes.
type Rules struct {
	game.Open[Position, Move]

	seats   int
	usual   bool         // the box is the one that comes with the game
	side    int          // squares along a side of the park
	board   []string     // one letter a square, rows from the top
	region  []terrain    // the regions in the order in which they are scored
	sizes   []int        // squares in each region
	species []string     // what each seat plays
	wind    [rounds]gust // what each round of autumn asks

	trailPrizes, regionPrizes prizes

	// crossings lists where trees may stand, row by row: number k is the bit k
	// of Position.free and stands as k+1 in Position.trees. numberAt finds that
	// by row and column; it has 0 where no two trails cross.
	crossings []crossing
	numberAt  [maxSide][maxSide]uint8

	blank     Position                  // the park before spring
	terrainAt [gridSize]uint8           // the region of each square of the grid
	ways      [West + 1]way             // how each wind moves over the grid
	price     [game.MaxSeats][256]uint8 // leaves that a seat pays to enter a square, by what lies on it (5.4, 5.5, 5.6)

	// plantingRows holds, for each set of values in hand, a bit each, the moves
	// that plant them at each crossing. A row may be longer than the set.
	plantingRows [1 << values][128][values]Move

	outlook   outlook            // for Worth
	habits    habits             // of quick turns
	habit     [allHabits]float64 // the same, settled
	room      [128]float64       // leaves that may fall in the park from each crossing
	reference func() *refOutlook // for ReferenceWorth; made when it is asked for
}

// crossing is where two trails meet (1.3), and the square of the grid to its
// upper left.
type crossing struct {
	row, column int8
	corner      uint8
}

// way is how a wind moves over the grid: a step with it, a step across it, and
// from the upper left square of a crossing to the square behind the first.
type way struct {
	ahead, across, behind uint8
}

// New makes the rules for 2 to 4 seats and a box that ReadBox found good.
func New(seats int, box *Box) *Rules {
	board := box.board(seats)
	r := &Rules{
		seats: seats, side: len(board), board: board, region: box.regions(board), wind: box.gusts(),
		trailPrizes: trailPrizes(), regionPrizes: regionPrizes(),
	}
	r.ways = [...]way{
		North: {ahead: 256 - stride, across: 1, behind: stride},
		East:  {ahead: 1, across: stride, behind: 0},
		South: {ahead: stride, across: 1, behind: 0},
		West:  {ahead: 255, across: stride, behind: 1},
	}
	for _, species := range box.Species {
		r.species = append(r.species, species.Leaf)
	}
	r.layGround()
	r.layTrails()
	r.setPrices()
	r.lookOut()
	r.measureRoom()
	r.habits = usualHabits()
	r.settle()
	r.reference = sync.OnceValue((*yardstick)(r).lookOut)
	for seat := range game.Seat(seats) {
		r.blank.hand[seat] = [values]uint8{2, 2, 2, 2}
		r.blank.tiles[seat] = allTiles
		r.blank.supply[seat] = leavesEach
	}
	r.blank.phase = planting
	return r
}

// layGround gives every square its region and closes everything around the
// park, as if squirrels sat there: no path ever leaves it (5.3).
func (r *Rules) layGround() {
	r.sizes = make([]int, len(r.region))
	for i := range r.blank.square {
		r.blank.square[i] = closed
	}
	for row, line := range r.board {
		for column := range r.side {
			i := at(int8(row), int8(column))
			r.blank.square[i] = bare
			for n, t := range r.region {
				if t.letter == line[column] {
					r.terrainAt[i] = uint8(n)
					r.sizes[n]++
				}
			}
		}
	}
}

// layTrails numbers the crossings row by row.
func (r *Rules) layTrails() {
	for row := int8(1); int(row) < r.side; row++ {
		for column := int8(1); int(column) < r.side; column++ {
			k := len(r.crossings)
			r.crossings = append(r.crossings, crossing{row, column, at(row-1, column-1)})
			for kinds := range r.plantingRows {
				n := 0
				for v := range values {
					if kinds>>v&1 != 0 {
						r.plantingRows[kinds][k][n] = Move{Do: Plant, Piece: uint8(v + 1), Row: row, Column: column}
						n++
					}
				}
			}
			r.numberAt[row][column] = uint8(k + 1)
			r.blank.free[k/64] |= 1 << (k % 64)
		}
	}
}

// setPrices works out once what 5.4, 5.5 and 5.6 ask for any square.
func (r *Rules) setPrices() {
	for seat := range game.Seat(game.MaxSeats) {
		for what := range r.price[seat] {
			q := square(what)
			switch {
			case q.squirrel():
				r.price[seat][what] = never
			case q.height() == 0 || q.top() == seat:
				r.price[seat][what] = 1
			default:
				r.price[seat][what] = uint8(q.height()) + 1
			}
		}
	}
}
