package bosk

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"copse/game"
)

//go:embed box.json
var defaultBox []byte

// Limits of any box.
const (
	minSide      = 6
	maxSide      = 12
	maxRegions   = 8
	rounds       = 8
	maxCrossings = (maxSide - 1) * (maxSide - 1)
)

// Box is the material of the game as data: a park for each number of players,
// and the wind board.
type Box struct {
	About    string            `json:"about"`
	Terrains map[string]string `json:"terrains"` // letter on the boards → name on the wire
	Boards   map[string]Board  `json:"boards"`   // number of seats → park
	Wind     WindBoard         `json:"wind"`
	Species  []Species         `json:"species"` // by seat
}

// Board is a park: one letter a square, rows from the top.
type Board struct {
	Rows []string `json:"rows"`
}

// WindBoard is what each of the eight rounds of autumn asks (4.2).
type WindBoard struct {
	Rounds []Round `json:"rounds"`
}

// Round says which tree must shed (1 to 4, or "any") and where the wind blows
// as seen by someone who looks across the park at the wind board: "toward" it,
// "right", "away" from it or "left".
type Round struct {
	Tree  json.RawMessage `json:"tree"`
	Blows string          `json:"blows"`
}

// Species is what a seat plays: the colour of its pieces and the name of its leaf.
type Species struct {
	Colour string `json:"colour"`
	Leaf   string `json:"leaf"`
}

// terrain is a kind of ground: its letter on the board and its name on the wire.
type terrain struct {
	letter byte
	name   string
}

// gust is one round of the wind board: the tree that must shed (0 for any) and
// the quarter turns clockwise from the side where the board lies.
type gust struct {
	tree  uint8
	turns uint8
}

// DefaultBox is the box that comes with Copse.
func DefaultBox() *Box {
	var box Box
	if err := json.Unmarshal(defaultBox, &box); err != nil {
		panic(fmt.Sprintf("bosk: box.json cannot be read: %v", err))
	}
	if err := box.Check(); err != nil {
		panic(fmt.Sprintf("bosk: box.json is wrong: %v", err))
	}
	return &box
}

// Check says what is wrong with a box and where, so that rules made of a box
// it finds good never meet a position without a way on.
func (box *Box) Check() error {
	for letter, name := range box.Terrains {
		if len(letter) != 1 || name == "" {
			return fmt.Errorf("terrains: %q: a terrain is one letter and a name", letter)
		}
	}
	if len(box.Species) != game.MaxSeats {
		return fmt.Errorf("species: %d: each of %d seats plays one", len(box.Species), game.MaxSeats)
	}
	for seats := 2; seats <= game.MaxSeats; seats++ {
		if err := box.checkBoard(seats); err != nil {
			return fmt.Errorf("boards: %d: %w", seats, err)
		}
	}
	return box.checkWind()
}

func (box *Box) checkBoard(seats int) error {
	rows := box.board(seats)
	side := len(rows)
	if side < minSide || side > maxSide {
		return fmt.Errorf("%d rows: a park has %d to %d", side, minSide, maxSide)
	}
	if room := (side - 1) * (side - 1); room < seats*treesEach {
		return fmt.Errorf("%d crossings are too few for the %d trees of %d seats", room, seats*treesEach, seats)
	}
	for i, row := range rows {
		if len(row) != side {
			return fmt.Errorf("row %d: %d squares: the park is %d wide", i+1, len(row), side)
		}
		for j := range side {
			if _, ok := box.Terrains[row[j:j+1]]; !ok {
				return fmt.Errorf("row %d, square %d: no terrain has the letter %q", i+1, j+1, row[j])
			}
		}
	}
	if n := len(box.regions(rows)); n > maxRegions {
		return fmt.Errorf("%d terrains: a park has at most %d", n, maxRegions)
	}
	return nil
}

// checkWind makes sure that nobody is ever left without a tree to shed: the
// rounds that name a tree come first, and none is named more than twice.
func (box *Box) checkWind() error {
	if len(box.Wind.Rounds) != rounds {
		return fmt.Errorf("wind: %d rounds: autumn has %d", len(box.Wind.Rounds), rounds)
	}
	var named [values + 1]int
	for i, round := range box.Wind.Rounds {
		g, err := round.gust()
		if err != nil {
			return fmt.Errorf("wind: round %d: %w", i+1, err)
		}
		named[g.tree]++
		if g.tree != anyTree && named[anyTree] > 0 {
			return fmt.Errorf("wind: round %d: rounds that name a tree come before those that allow any", i+1)
		}
		if g.tree != anyTree && named[g.tree] > 2 {
			return fmt.Errorf("wind: round %d: tree %d is named a third time, a seat has two", i+1, g.tree)
		}
	}
	return nil
}

func (round Round) gust() (gust, error) {
	var g gust
	if string(round.Tree) != `"any"` {
		n, err := strconv.Atoi(string(round.Tree))
		if err != nil || n < 1 || n > values {
			return g, fmt.Errorf("tree: %s: 1 to %d or \"any\"", round.Tree, values)
		}
		g.tree = uint8(n)
	}
	quarter := map[string]uint8{"toward": 0, "right": 1, "away": 2, "left": 3}
	turns, ok := quarter[round.Blows]
	if !ok {
		return g, fmt.Errorf("blows: %q: toward, right, away or left", round.Blows)
	}
	g.turns = turns
	return g, nil
}

func (box *Box) board(seats int) []string { return box.Boards[strconv.Itoa(seats)].Rows }

func (box *Box) gusts() [rounds]gust {
	var all [rounds]gust
	for i, round := range box.Wind.Rounds {
		all[i], _ = round.gust() // Check has read them
	}
	return all
}

// regions are the terrains of a board in the order in which a reader meets
// them, from the top left.
func (box *Box) regions(rows []string) []terrain {
	var met []terrain
	seen := ""
	for _, row := range rows {
		for j := range len(row) {
			if !strings.Contains(seen, row[j:j+1]) {
				seen += row[j : j+1]
				met = append(met, terrain{row[j], box.Terrains[row[j:j+1]]})
			}
		}
	}
	return met
}
