package grandbois

import (
	"bytes"
	_ "embed" // box.json
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"copse/game"
)

//go:embed box.json
var defaultBox []byte

// Limits of any box.
const (
	clans       = 5
	maxTiles    = 36
	maxRiver    = 8
	mostAnimals = 4
	longestName = 40
)

// Box is the material of the game as data. A space is "clearing", "bear", or a
// clan and how many of its animals it shows, "fox 2". docs/boxes.md explains
// it to people who draw their own.
type Box struct {
	Game        string            `json:"game"`
	About       string            `json:"about,omitempty"`
	Clans       []string          `json:"clans"`
	ClanColours map[string]string `json:"clanColours"`
	Towers      []string          `json:"towers"` // by seat
	RiverSize   int               `json:"riverSize"`
	Start       []string          `json:"start"`
	Tiles       []Tile            `json:"tiles"`
}

// Tile is a tile with its four spaces, clockwise from the top left.
type Tile struct {
	ID     int      `json:"id"`
	Spaces []string `json:"spaces"`
}

// DefaultBox is the box that comes with Copse.
func DefaultBox() *Box {
	box, err := ReadBox(game.RawMessage("{}"))
	if err != nil {
		panic("grandbois: box.json is wrong: " + err.Error())
	}
	return box
}

// ReadBox reads a box as its owner wrote it, untrusted. What it leaves out is
// as in the box that comes with Copse; the colours of clans go over to other
// clans in their order.
func ReadBox(raw game.RawMessage) (*Box, error) {
	standard, err := decode(defaultBox, &Box{})
	if err != nil {
		return nil, err
	}
	box, err := decode(raw, &Box{Game: standard.Game, About: standard.About, RiverSize: standard.RiverSize})
	if err != nil {
		return nil, err
	}
	box.complete(standard)
	if err := box.Check(); err != nil {
		return nil, err
	}
	if err := game.Within("box.json", "", raw, box.whole()); err != nil {
		return nil, err
	}
	return box, nil
}

// complete takes over the lists that were left out.
func (box *Box) complete(from *Box) {
	if box.Clans == nil {
		box.Clans = from.Clans
	}
	if box.ClanColours == nil {
		box.ClanColours = map[string]string{}
		for i, clan := range box.Clans[:min(clans, len(box.Clans))] {
			box.ClanColours[clan] = from.ClanColours[from.Clans[i]]
		}
	}
	if box.Towers == nil {
		box.Towers = from.Towers
	}
	if box.Start == nil {
		box.Start = from.Start
	}
	if box.Tiles == nil {
		box.Tiles = from.Tiles
	}
}

// decode reads JSON that is a box at least in form, into one that has what it
// may leave out.
func decode(raw game.RawMessage, box *Box) (*Box, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		return nil, game.Blame("json.object", nil)
	}
	rest, err := game.ReadKnown(raw, box)
	if err != nil {
		return nil, game.Misread("box.json", "", err)
	}
	if len(bytes.TrimLeft(rest, " \t\r\n")) > 0 {
		return nil, game.Blame("json.object", nil)
	}
	return box, nil
}

// written is the one form of a box whose hash names it. What is only said about
// the material is no part of it.
func (box *Box) written() game.RawMessage {
	material := *box
	material.About = ""
	raw, err := game.Marshal(material)
	if err != nil {
		panic("grandbois: a box cannot be written: " + err.Error()) // texts and numbers always can
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
		panic("grandbois: a box cannot be written: " + err.Error()) // texts and numbers always can
	}
	return raw
}

// boxPhrases are the keys of what can be wrong with a box.
func boxPhrases() []game.Phrase {
	return game.Needed(game.Never,
		game.Say("grandbois.box.game", "path", "game"),
		game.Say("grandbois.box.clans", "path", "clans", "due"),
		game.Say("grandbois.box.clan", "path", "clan"),
		game.Say("grandbois.box.twice", "path", "clan"),
		game.Say("grandbois.box.colour", "path", "clan"),
		game.Say("grandbois.box.towers", "path", "towers", "due"),
		game.Say("grandbois.box.tower", "path"),
		game.Say("grandbois.box.river", "path", "river", "least", "most"),
		game.Say("grandbois.box.start", "path", "space"),
		game.Say("grandbois.box.tiles", "path", "tiles", "least", "most"),
		game.Say("grandbois.box.id", "path", "id", "due"),
		game.Say("grandbois.box.spaces", "path", "spaces", "due"),
		game.Say("grandbois.box.space", "path", "space", "clans"),
		game.Say("grandbois.box.animals", "path", "space", "least", "most"),
		game.Say("grandbois.box.clearings", "path", "clearings"),
	)
}

// wrong blames a place in a box.
func wrong(key, path string, args game.Args) error {
	if args == nil {
		args = game.Args{}
	}
	args["path"] = path
	return game.Blame("grandbois.box."+key, args)
}

// Check says what is wrong with a box and where, so that the forest of a box
// it finds good never outgrows the grid and a turn never asks for more than one
// tower.
func (box *Box) Check() error {
	if box.Game != "grandbois" {
		return wrong("game", "game", game.Args{"game": box.Game})
	}
	if err := box.checkClans(); err != nil {
		return err
	}
	if n := len(box.Towers); n != game.MaxSeats {
		return wrong("towers", "towers", game.Args{"towers": n, "due": game.MaxSeats})
	}
	for i, name := range box.Towers {
		if !named(name) {
			return wrong("tower", game.At("towers", i), nil)
		}
	}
	if n := box.RiverSize; n < 1 || n > maxRiver {
		return wrong("river", "riverSize", game.Args{"river": n, "least": 1, "most": maxRiver})
	}
	if n := len(box.Start); n != perTile {
		return wrong("spaces", "start", game.Args{"spaces": n, "due": perTile})
	}
	for i, word := range box.Start {
		if word != clearingWord {
			return wrong("start", game.At("start", i), game.Args{"space": word})
		}
	}
	if n := len(box.Tiles); n < 1 || n > maxTiles {
		return wrong("tiles", "tiles", game.Args{"tiles": n, "least": 1, "most": maxTiles})
	}
	for i, t := range box.Tiles {
		if err := box.checkTile(game.At("tiles", i), i+1, t); err != nil {
			return err
		}
	}
	return nil
}

// named tells whether a name can be shown and read.
func named(name string) bool { return len(name) <= longestName && game.Readable(name) }

// checkClans makes sure of five names that cannot be taken for anything else.
func (box *Box) checkClans() error {
	if n := len(box.Clans); n != clans {
		return wrong("clans", "clans", game.Args{"clans": n, "due": clans})
	}
	for i, clan := range box.Clans {
		path := game.At("clans", i)
		strange := strings.ContainsFunc(clan, func(letter rune) bool { return !unicode.IsLetter(letter) })
		if clan == "" || len(clan) > longestName || strange || clan == clearingWord || clan == bearWord {
			return wrong("clan", path, game.Args{"clan": clan})
		}
		if slices.Index(box.Clans, clan) < i {
			return wrong("twice", path, game.Args{"clan": clan})
		}
		if !named(box.ClanColours[clan]) {
			return wrong("colour", "clanColours", game.Args{"clan": clan})
		}
	}
	for _, clan := range slices.Sorted(maps.Keys(box.ClanColours)) {
		if !slices.Contains(box.Clans, clan) {
			return wrong("colour", "clanColours", game.Args{"clan": clan})
		}
	}
	return nil
}

func (box *Box) checkTile(path string, due int, t Tile) error {
	if t.ID != due {
		return wrong("id", path+".id", game.Args{"id": t.ID, "due": due})
	}
	if n := len(t.Spaces); n != perTile {
		return wrong("spaces", path+".spaces", game.Args{"spaces": n, "due": perTile})
	}
	clearings := 0
	for i, word := range t.Spaces {
		sp, err := box.space(game.At(path+".spaces", i), word)
		if err != nil {
			return err
		}
		if sp == clearing {
			clearings++
		}
	}
	if clearings > 1 { // 3.1
		return wrong("clearings", path+".spaces", game.Args{"clearings": clearings})
	}
	return nil
}

// The words for spaces without a clan.
const (
	clearingWord = "clearing"
	bearWord     = "bear"
)

// space reads the word for a space.
func (box *Box) space(path, word string) (space, error) {
	switch word {
	case clearingWord:
		return clearing, nil
	case bearWord:
		return bear, nil
	}
	name, number, _ := strings.Cut(word, " ")
	clan := slices.Index(box.Clans, name) + 1
	if clan == 0 {
		return 0, wrong("space", path, game.Args{"space": word, "clans": box.Clans})
	}
	n, err := strconv.Atoi(number)
	if err != nil || len(number) != 1 || n < 1 || n > mostAnimals {
		return 0, wrong("animals", path, game.Args{"space": word, "least": 1, "most": mostAnimals})
	}
	return animals(uint8(clan), n), nil
}

// spaces are four spaces that Check has read.
func (box *Box) spaces(words []string) [4]space {
	var list [4]space
	for i, word := range words {
		list[i], _ = box.space("", word)
	}
	return list
}
