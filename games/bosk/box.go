package bosk

import (
	_ "embed" // box.json
	"maps"
	"slices"
	"strconv"
	"strings"

	"copse/game"
)

//go:embed box.json
var defaultBox []byte

// Limits of any box.
const (
	minSide    = 6
	maxSide    = 12
	maxRegions = 8
	rounds     = 8
)

// Box is the material of the game as data: a park for each number of players,
// and the wind board. docs/boxes.md explains it to people who draw their own.
type Box struct {
	Game     string            `json:"game"`
	About    string            `json:"about,omitempty"`
	Terrains map[string]string `json:"terrains"` // letter on the boards → name on the wire
	Boards   map[string]Board  `json:"boards"`   // number of seats → park
	Wind     WindBoard         `json:"wind"`
	Species  []Species         `json:"species"` // by seat
}

// Board is a park: one letter a square, rows from the top.
type Board struct {
	Rows   []string `json:"rows"`
	Source string   `json:"source,omitempty"` // where it was read off
}

// WindBoard is what each of the eight rounds of autumn asks (4.2).
type WindBoard struct {
	Rounds []Round `json:"rounds"`
	About  string  `json:"about,omitempty"`
	Source string  `json:"source,omitempty"`
}

// Round says which tree must shed (1 to 4, or "any") and where the wind blows
// as seen by someone who looks across the park at the wind board: "toward" it,
// "right", "away" from it or "left".
type Round struct {
	Tree  game.RawMessage `json:"tree"`
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
	box, err := ReadBox(game.RawMessage("{}"))
	if err != nil {
		panic("bosk: box.json is wrong: " + err.Error())
	}
	return box
}

// ReadBox reads a box as its owner wrote it, untrusted. What it leaves out is
// as in the box that comes with Copse.
func ReadBox(raw game.RawMessage) (*Box, error) {
	box := &Box{}
	for _, layer := range []game.RawMessage{defaultBox, raw} {
		if _, err := game.ReadKnown(layer, box); err != nil {
			return nil, game.Misread("box.json", "", err)
		}
	}
	if err := box.Check(); err != nil {
		return nil, err
	}
	if err := game.Within("box.json", "", raw, box.whole()); err != nil {
		return nil, err
	}
	return box, nil
}

// written is the one form of a box whose hash names it. What is only said about
// the material is no part of it.
func (box *Box) written() game.RawMessage {
	material := *box
	material.About, material.Wind.About, material.Wind.Source = "", "", ""
	material.Boards = map[string]Board{}
	for seats, board := range box.Boards {
		material.Boards[seats] = Board{Rows: board.Rows}
	}
	raw, err := game.Marshal(material)
	if err != nil {
		panic("bosk: a box cannot be written: " + err.Error()) // Check let nothing through that cannot
	}
	return raw
}

// whole is a box with all that is said about it.
func (box *Box) whole() game.RawMessage {
	raw, err := game.Marshal(struct {
		*Box
		About string `json:"about"` // also where it is empty
	}{box, box.About})
	if err != nil {
		panic("bosk: a box cannot be written: " + err.Error()) // Check let nothing through that cannot
	}
	return raw
}

// boxPhrases are the keys of what can be wrong with a box.
func boxPhrases() []game.Phrase {
	return game.Needed(game.Never,
		game.Say("bosk.box.game", "path", "game"),
		game.Say("bosk.box.terrain", "path", "most"),
		game.Say("bosk.box.name", "path", "most"),
		game.Say("bosk.box.side", "path", "rows", "least", "most"),
		game.Say("bosk.box.seats", "path", "seats"),
		game.Say("bosk.box.room", "path", "crossings", "trees"),
		game.Say("bosk.box.row", "path", "squares", "side"),
		game.Say("bosk.box.letter", "path", "letter"),
		game.Say("bosk.box.terrains", "path", "terrains", "most"),
		game.Say("bosk.box.rounds", "path", "rounds", "due"),
		game.Say("bosk.box.tree", "path"),
		game.Say("bosk.box.blows", "path", "blows"),
		game.Say("bosk.box.order", "path"),
		game.Say("bosk.box.thrice", "path", "tree"),
		game.Say("bosk.box.species", "path", "species", "due"),
	)
}

// wrong blames a place in a box.
func wrong(key, path string, args game.Args) error {
	if args == nil {
		args = game.Args{}
	}
	args["path"] = path
	return game.Blame("bosk.box."+key, args)
}

// Check says what is wrong with a box and where, so that rules made of a box
// it finds good never meet a position without a way on.
func (box *Box) Check() error {
	if box.Game != "bosk" {
		return wrong("game", "game", game.Args{"game": box.Game})
	}
	names := map[string]bool{}
	for _, letter := range slices.Sorted(maps.Keys(box.Terrains)) {
		name := box.Terrains[letter]
		if len(letter) != 1 || letter[0] <= ' ' || letter[0] > '~' || !named(name) || names[name] {
			return wrong("terrain", "terrains["+strconv.Quote(letter)+"]", game.Args{"most": longestName})
		}
		names[name] = true
	}
	for _, seats := range slices.Sorted(maps.Keys(box.Boards)) {
		if !slices.Contains([]string{"2", "3", "4"}, seats) {
			return wrong("seats", "boards["+strconv.Quote(seats)+"]", game.Args{"seats": seats})
		}
	}
	for seats := 2; seats <= game.MaxSeats; seats++ {
		if err := box.checkBoard("boards["+strconv.Quote(strconv.Itoa(seats))+"].rows", seats); err != nil {
			return err
		}
	}
	if err := box.checkWind(); err != nil {
		return err
	}
	return box.checkSpecies()
}

// named tells whether a name can be shown and read.
func named(name string) bool { return len(name) <= longestName && game.Readable(name) }

func (box *Box) checkSpecies() error {
	if n := len(box.Species); n != game.MaxSeats {
		return wrong("species", "species", game.Args{"species": n, "due": game.MaxSeats})
	}
	leaves := map[string]bool{}
	for i, species := range box.Species {
		if !named(species.Leaf) || !named(species.Colour) || leaves[species.Leaf] {
			return wrong("name", game.At("species", i), game.Args{"most": longestName})
		}
		leaves[species.Leaf] = true
	}
	return nil
}

const longestName = 40

func (box *Box) checkBoard(path string, seats int) error {
	rows := box.board(seats)
	side := len(rows)
	if side < minSide || side > maxSide {
		return wrong("side", path, game.Args{"rows": side, "least": minSide, "most": maxSide})
	}
	if room := (side - 1) * (side - 1); room < seats*treesEach {
		return wrong("room", path, game.Args{"crossings": room, "trees": seats * treesEach})
	}
	for i, row := range rows {
		for j, letter := range []rune(row) {
			if _, ok := box.Terrains[string(letter)]; !ok {
				return wrong("letter", game.At(game.At(path, i), j), game.Args{"letter": string(letter)})
			}
		}
		if len(row) != side {
			return wrong("row", game.At(path, i), game.Args{"squares": len(row), "side": side})
		}
	}
	if n := len(box.regions(rows)); n > maxRegions {
		return wrong("terrains", path, game.Args{"terrains": n, "most": maxRegions})
	}
	return nil
}

// checkWind makes sure that nobody is ever left without a tree to shed: the
// rounds that name a tree come first, and none is named more than twice.
func (box *Box) checkWind() error {
	if n := len(box.Wind.Rounds); n != rounds {
		return wrong("rounds", "wind.rounds", game.Args{"rounds": n, "due": rounds})
	}
	var named [values + 1]int
	for i, round := range box.Wind.Rounds {
		path := game.At("wind.rounds", i)
		g, err := round.gust(path)
		if err != nil {
			return err
		}
		named[g.tree]++
		if g.tree != anyTree && named[anyTree] > 0 {
			return wrong("order", path, nil)
		}
		if g.tree != anyTree && named[g.tree] > 2 {
			return wrong("thrice", path, game.Args{"tree": int(g.tree)})
		}
	}
	return nil
}

func (round Round) gust(path string) (gust, error) {
	var g gust
	if string(round.Tree) != `"any"` {
		n, err := strconv.Atoi(string(round.Tree))
		if err != nil || n < 1 || n > values {
			return g, wrong("tree", path+".tree", nil)
		}
		g.tree = uint8(n)
	}
	turns := slices.Index([]string{"toward", "right", "away", "left"}, round.Blows)
	if turns < 0 {
		return g, wrong("blows", path+".blows", game.Args{"blows": round.Blows})
	}
	g.turns = uint8(turns)
	return g, nil
}

func (box *Box) board(seats int) []string { return box.Boards[strconv.Itoa(seats)].Rows }

func (box *Box) gusts() [rounds]gust {
	var all [rounds]gust
	for i, round := range box.Wind.Rounds {
		all[i], _ = round.gust("") // Check has read them
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
