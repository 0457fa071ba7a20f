package treesociety

import (
	_ "embed" // box.json, box-2.json and box-3.json
	"slices"
	"sync"

	"copse/game"
)

//go:embed box.json
var firstPrinting []byte

//go:embed box-2.json
var secondPrinting []byte

//go:embed box-3.json
var thirdPrinting []byte

// printings are the house decks, each with the version of the rules from which on
// it is the usual one. This is the one place where a version gets a deck of its own:
// a line here and a file beside box.json. Logs name decks by their hash, so none of
// them ever changes.
func printings() []printing {
	return []printing{{from: 1, raw: firstPrinting}, {from: 4, raw: secondPrinting}, {from: 5, raw: thirdPrinting}}
}

// printing is a house deck.
type printing struct {
	from int // the version of the rules
	raw  []byte
	box  *Box
	hash string
}

// Limits of any box.
const (
	levels      = 3
	mostCards   = 127 // of guilds, and of fruit
	mostBanners = 3
	mostOfGuild = 255 // banners of all cards of a guild
	mostCost    = 12
	mostNumber  = 50 // in any quantity
	mostCoins   = 20 // to begin with, or of a fruit action
	mostClauses = 4  // of a list
	mostDrawn   = 4  // cards of one draw effect
	mostKept    = 6  // fruit of one list that keeps several of those drawn; a fruit taken counts twice
	longestName = 60

	// With so many fruit cards some are left when the game begins, however
	// many play (1.7, 1.8).
	fewestFruits = 5 + 2*3 + 1
	fewestCrowd  = 3 + 4*3 + 1 // those marked 3-4 included
)

// guildNames are the guilds on the wire, in their order (1.4).
func guildNames() []string {
	return []string{"architects", "bankers", "merchants", "writers", "botanists", "explorers"}
}

// fruitNames are the types of fruit on the wire, in their order (1.7).
func fruitNames() []string { return []string{"apple", "cherry", "grape", "blueberry", "orange"} }

// The fruit actions on the wire (3.15).
const (
	actionSell  = "sell"
	actionRow   = "row"
	actionTake  = "take"
	actionChest = "chest"
	actionBuild = "build"
)

func actionNames() []string {
	return []string{actionSell, actionRow, actionTake, actionChest, actionBuild}
}

// How many there are of each.
const (
	guilds  = 6
	types   = 5
	kinds   = 2 * types // of fruit: each type with and without the leaf
	actions = 5
)

// Box is the material of the game as data. docs/boxes.md explains it to people
// who type in cards of their own.
type Box struct {
	Game   string  `json:"game"`
	About  string  `json:"about,omitempty"`
	Coins  []Coins `json:"coins"` // by seat, to begin with (1.3)
	Cards  []Card  `json:"cards"`
	Fruits []Fruit `json:"fruits"`
}

// Coins are a purse and a chest.
type Coins struct {
	Purse int `json:"purse"`
	Chest int `json:"chest"`
}

// Card is a guild card. Its name is a word of the locale files, or shown as it
// is.
type Card struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Guild   string  `json:"guild"`
	Banners int     `json:"banners"`
	Start   bool    `json:"start,omitempty"` // one of the starting cards (1.5)
	Levels  []Level `json:"levels"`
}

// Level is a level of a guild card.
type Level struct {
	Cost   int      `json:"cost"`
	Effect *Effect  `json:"effect,omitempty"`
	Points Quantity `json:"points"`
}

// Fruit is a fruit card.
type Fruit struct {
	ID     int    `json:"id"`
	Type   string `json:"type"`
	Action string `json:"action"`
	Leaf   bool   `json:"leaf,omitempty"`  // sold for one more (2.1)
	Crowd  bool   `json:"crowd,omitempty"` // marked 3-4 (1.7)
	Coins  int    `json:"coins,omitempty"` // of the action "chest"
}

// decks are the house decks, in the order of printings. They are long and asked for all
// the time, so each is read and checked once, when it is first asked for: whoever plays
// in a browser mostly needs one. Nobody is handed one but as a copy.
var decks = func() (list []func() *printing) {
	for _, p := range printings() {
		list = append(list, sync.OnceValue(p.open))
	}
	return list
}()

// open reads and checks a house deck.
func (p printing) open() *printing {
	box, err := read(p.raw, &Box{})
	if err == nil {
		err = box.Check()
	}
	if err != nil {
		panic("treesociety: a house deck is wrong: " + err.Error())
	}
	p.box, p.hash = box, game.BoxHash(box.written())
	return &p
}

// printed are all house decks with their hashes.
func printed() (list []*printing) {
	for _, deck := range decks {
		list = append(list, deck())
	}
	return list
}

// standard is the house deck that a version of the rules has by default.
func standard(version int) *printing {
	usual := 0
	for i, p := range printings() {
		if p.from <= version {
			usual = i
		}
	}
	return decks[usual]()
}

// DefaultBox is the box that the newest version of the rules has by default.
func DefaultBox() *Box { return BoxOf(newest) }

// BoxOf is the box that a version of the rules has by default.
func BoxOf(version int) *Box { return standard(version).box.clone() }

// clone is a box of its own, down to the levels of its cards.
func (box *Box) clone() *Box {
	own := *box
	own.Coins, own.Cards, own.Fruits = slices.Clone(box.Coins), slices.Clone(box.Cards), slices.Clone(box.Fruits)
	for i := range own.Cards {
		own.Cards[i].Levels = slices.Clone(own.Cards[i].Levels)
	}
	return &own
}

// ReadBox reads a box as its owner wrote it, untrusted. What it leaves out is
// as in the box that the newest version of the rules has by default.
func ReadBox(raw game.RawMessage) (*Box, error) { return readBox(raw, newest) }

// readBox does the same for any version.
func readBox(raw game.RawMessage, version int) (*Box, error) {
	box := standard(version).box.clone()
	if string(raw) == "{}" {
		return box, nil
	}
	box, err := read(raw, box)
	if err != nil {
		return nil, err
	}
	if err := box.Check(); err != nil {
		return nil, err
	}
	return box, nil
}

// read reads JSON that is a box at least in form, strictly; what it leaves out
// comes from another.
func read(raw game.RawMessage, from *Box) (*Box, error) {
	o := game.ReadObject(raw)
	if err := o.Fault(); err != nil {
		return nil, err
	}
	box := *from
	if o.Has("game") {
		box.Game = o.Text("game")
	}
	if o.Has("about") {
		box.About = o.Text("about")
	}
	var err error
	if o.Has("coins") {
		if box.Coins, err = list(o, "coins", readCoins); err != nil {
			return nil, err
		}
	}
	if o.Has("cards") {
		if box.Cards, err = list(o, "cards", readCard); err != nil {
			return nil, err
		}
	}
	if o.Has("fruits") {
		if box.Fruits, err = list(o, "fruits", readFruit); err != nil {
			return nil, err
		}
	}
	return &box, o.Done()
}

func readCoins(raw game.RawMessage) (Coins, error) {
	o := game.ReadObject(raw)
	c := Coins{Purse: o.Number("purse"), Chest: o.Number("chest")}
	return c, o.Done()
}

func readCard(raw game.RawMessage) (Card, error) {
	o := game.ReadObject(raw)
	c := Card{
		ID: o.Number("id"), Name: o.Text("name"), Guild: o.Text("guild"), Banners: o.Number("banners"), Start: flag(o, "start"),
	}
	if err := o.Fault(); err != nil {
		return c, err
	}
	var err error
	if c.Levels, err = list(o, "levels", readLevel); err != nil {
		return c, err
	}
	return c, o.Done()
}

func readLevel(raw game.RawMessage) (Level, error) {
	o := game.ReadObject(raw)
	l := Level{Cost: o.Number("cost")}
	if err := o.Fault(); err != nil {
		return l, err
	}
	var err error
	if o.Has("effect") {
		if l.Effect, err = readEffect(o.Raw("effect")); err != nil {
			return l, at("effect", err)
		}
	}
	if o.Has("points") {
		if l.Points, err = readQuantity(o, "points"); err != nil {
			return l, err
		}
	}
	return l, o.Done()
}

func readFruit(raw game.RawMessage) (Fruit, error) {
	o := game.ReadObject(raw)
	f := Fruit{
		ID: o.Number("id"), Type: o.Text("type"), Action: o.Text("action"),
		Leaf: flag(o, "leaf"), Crowd: flag(o, "crowd"), Coins: number(o, "coins", 0),
	}
	return f, o.Done()
}

// written is the one form of a box whose hash names it. What is only said about
// the material is no part of it.
func (box *Box) written() game.RawMessage {
	material := *box
	material.About = ""
	raw, err := game.Marshal(material)
	if err != nil {
		panic("treesociety: a box cannot be written: " + err.Error()) // texts and numbers always can
	}
	return raw
}

// boxPhrases are the keys of what can be wrong with a box.
func boxPhrases() []game.Phrase {
	return game.Needed(game.Never,
		game.Say("treesociety.box.game", "path", "game"),
		game.Say("treesociety.box.coins", "path", "coins", "due"),
		game.Say("treesociety.box.cards", "path", "cards", "least", "most"),
		game.Say("treesociety.box.fruits", "path", "fruits", "least", "most"),
		game.Say("treesociety.box.id", "path", "id", "due"),
		game.Say("treesociety.box.name", "path", "most"),
		game.Say("treesociety.box.twice", "path", "name"),
		game.Say("treesociety.box.guild", "path", "guild"),
		game.Say("treesociety.box.banners", "path", "guild", "banners", "most"),
		game.Say("treesociety.box.start", "path", "guild"),
		game.Say("treesociety.box.starts", "path", "starts", "least"),
		game.Say("treesociety.box.levels", "path", "levels", "due"),
		game.Say("treesociety.box.number", "path", "number", "least", "most"),
		game.Say("treesociety.box.word", "path", "word", "words"),
		game.Say("treesociety.box.verb", "path", "verb", "verbs"),
		game.Say("treesociety.box.count", "path", "count", "counts"),
		game.Say("treesociety.box.counted", "path", "count"),
		game.Say("treesociety.box.empty", "path"),
		game.Say("treesociety.box.mixed", "path"),
		game.Say("treesociety.box.while", "path"),
		game.Say("treesociety.box.clauses", "path", "clauses", "most"),
		game.Say("treesociety.box.last", "path", "verb"),
		game.Say("treesociety.box.first", "path", "verb"),
		game.Say("treesociety.box.cleared", "path", "verb"),
		game.Say("treesociety.box.kept", "path", "fruit", "most"),
		game.Say("treesociety.box.named", "path", "levels", "most"),
		game.Say("treesociety.box.version", "path", "version", "least"),
		game.Say("treesociety.box.price", "path"),
		game.Say("treesociety.box.reduction", "path"),
		game.Say("treesociety.box.fruit", "path", "type"),
		game.Say("treesociety.box.plain", "path", "fruits", "least"),
		game.Say("treesociety.box.endless", "path", "card", "short"),
	)
}

// wrong blames a place in a box.
//
//go:noinline
func wrong(key, path string, args game.Args) error {
	if args == nil {
		args = game.Args{}
	}
	args["path"] = path
	return game.Blame("treesociety.box."+key, args)
}

// Check says what is wrong with a box and where, so that the interpreter can do
// every effect of a box that it finds good and no turn of it is endless.
func (box *Box) Check() error {
	if box.Game != "treesociety" {
		return wrong("game", "game", game.Args{"game": box.Game})
	}
	if n := len(box.Coins); n != game.MaxSeats {
		return wrong("coins", "coins", game.Args{"coins": n, "due": game.MaxSeats})
	}
	for i, c := range box.Coins {
		path := game.At("coins", i)
		if err := firstOf(within(path+".purse", c.Purse, 0, mostCoins), within(path+".chest", c.Chest, 0, mostCoins)); err != nil {
			return err
		}
	}
	return firstOf(box.checkCards(), box.checkFruits(), box.checkChains())
}

// checkCards makes sure that every guild has cards, no more than can be counted,
// that there are starting cards for all, and that each card can be played.
func (box *Box) checkCards() error {
	if n := len(box.Cards); n < guilds || n > mostCards {
		return wrong("cards", "cards", game.Args{"cards": n, "least": guilds, "most": mostCards})
	}
	names, starts, banners := map[string]bool{}, 0, map[string]int{}
	for i := range box.Cards {
		c := &box.Cards[i]
		path := game.At("cards", i)
		if err := c.check(path, i+1); err != nil {
			return err
		}
		if names[c.Name] {
			return wrong("twice", path+".name", game.Args{"name": c.Name})
		}
		names[c.Name] = true
		banners[c.Guild] += c.Banners
		if c.Start {
			starts++
		}
	}
	for _, guild := range guildNames() {
		switch n := banners[guild]; {
		case n == 0:
			return wrong("guild", "cards", game.Args{"guild": guild})
		case n > mostOfGuild:
			return wrong("banners", "cards", game.Args{"guild": guild, "banners": n, "most": mostOfGuild})
		}
	}
	if starts < game.MaxSeats { // 1.5
		return wrong("starts", "cards", game.Args{"starts": starts, "least": game.MaxSeats})
	}
	return nil
}

// check makes sure of one card.
func (c *Card) check(path string, due int) error {
	switch {
	case c.ID != due:
		return wrong("id", path+".id", game.Args{"id": c.ID, "due": due})
	case len(c.Name) > longestName || !game.Readable(c.Name):
		return wrong("name", path+".name", game.Args{"most": longestName})
	case !slices.Contains(guildNames(), c.Guild):
		return wrong("word", path+".guild", game.Args{"word": c.Guild, "words": guildNames()})
	case c.Start && c.Guild != guildNames()[0]: // 1.5
		return wrong("start", path+".start", game.Args{"guild": c.Guild})
	case len(c.Levels) != levels:
		return wrong("levels", path+".levels", game.Args{"levels": len(c.Levels), "due": levels})
	}
	if err := within(path+".banners", c.Banners, 1, mostBanners); err != nil {
		return err
	}
	for i := range c.Levels {
		l, here := &c.Levels[i], game.At(path+".levels", i)
		if err := firstOf(within(here+".cost", l.Cost, 0, mostCost), l.Points.check(here+".points", false)); err != nil {
			return err
		}
		if l.Effect == nil {
			continue
		}
		if err := l.Effect.check(here+".effect", i+1); err != nil {
			return err
		}
	}
	return nil
}

// checkVersion makes sure that a version of the rules knows the whole language of
// the cards: before version 3 a draw kept one card, and no clause named levels. A
// box that was not read has none.
func (box *Box) checkVersion(version int) error {
	if box == nil || version > 2 {
		return nil
	}
	for i := range box.Cards {
		for k := range box.Cards[i].Levels {
			e := box.Cards[i].Levels[k].Effect
			if e == nil {
				continue
			}
			for _, c := range e.Do { // no list before a level draws or builds
				if c.Keep > 1 || c.Levels != nil {
					return wrong("version", game.At(game.At("cards", i)+".levels", k), game.Args{"version": version, "least": 3})
				}
			}
		}
	}
	return nil
}

// checkFruits makes sure that a game can be dealt with any number of seats: the
// fruit market begins with different types (1.7).
func (box *Box) checkFruits() error {
	if n := len(box.Fruits); n < fewestCrowd || n > mostCards {
		return wrong("fruits", "fruits", game.Args{"fruits": n, "least": fewestCrowd, "most": mostCards})
	}
	met, plain := map[string]bool{}, 0
	for i, f := range box.Fruits {
		path := game.At("fruits", i)
		switch {
		case f.ID != i+1:
			return wrong("id", path+".id", game.Args{"id": f.ID, "due": i + 1})
		case !slices.Contains(fruitNames(), f.Type):
			return wrong("word", path+".type", game.Args{"word": f.Type, "words": fruitNames()})
		case !slices.Contains(actionNames(), f.Action):
			return wrong("word", path+".action", game.Args{"word": f.Action, "words": actionNames()})
		}
		least, most := 0, 0
		if f.Action == actionChest {
			least, most = 1, mostCoins
		}
		if err := within(path+".coins", f.Coins, least, most); err != nil {
			return err
		}
		if !f.Crowd {
			plain++
			met[f.Type] = true
		}
	}
	for _, fruit := range fruitNames() {
		if !met[fruit] {
			return wrong("fruit", "fruits", game.Args{"type": fruit})
		}
	}
	if plain < fewestFruits {
		return wrong("plain", "fruits", game.Args{"fruits": plain, "least": fewestFruits})
	}
	return nil
}
