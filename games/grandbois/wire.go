package grandbois

import (
	"math"
	"math/bits"
	"slices"
	"strconv"

	"copse/game"
)

// phrases are all the keys that GrandBois says, with their arguments.
func phrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		// Refusals.
		say("grandbois.over"),
		say("grandbois.turn", "seat"),
		say("grandbois.wait", "due"),
		say("grandbois.unknown", "due"),
		say("grandbois.not-now", "do", "due"),
		say("grandbois.seat", "seat", "most"),
		say("grandbois.tile", "tile", "most"),
		say("grandbois.place.river", "tile", "river"),
		say("grandbois.place.turn", "tile", "turn"),
		say("grandbois.place.apart", "tile", "x", "y"),
		say("grandbois.place.inside", "tile", "x", "y"),
		say("grandbois.cover.tower", "tile", "x", "y", "seat"),
		say("grandbois.cover.bear", "tile", "x", "y", "with"),
		say("grandbois.cover.clearing", "tile", "x", "y", "with", "there"),
		say("grandbois.cover.fewer", "tile", "x", "y", "with", "there"),
		say("grandbois.cover.same", "tile", "x", "y", "with", "there", "clan"),
		say("grandbois.pass", "tile", "x", "y", "turn"),
		say("grandbois.deal.seat", "seat", "due"),
		say("grandbois.deal.clan", "clan", "clans"),
		say("grandbois.deal.gone", "clan"),
		say("grandbois.deal.unnamed", "seat"),
		say("grandbois.deal.secret", "seat"),
		say("grandbois.reveal.gone", "tile"),
		// Events.
		say("grandbois.event.clan", "seat", "clan"),
		say("grandbois.event.deal", "seat"),
		say("grandbois.event.reveal", "tile", "left"),
		say("grandbois.event.place", "seat", "tile", "x", "y", "turn", "covers", "adds"),
		say("grandbois.cover.times", "word", "times"), // in it, of spaces that look alike
		say("grandbois.event.tower", "seat", "x", "y"),
		say("grandbois.event.no-tower", "seat"),
		say("grandbois.event.pass", "seat"),
		say("grandbois.event.harvest", "left"),
		say("grandbois.event.clans", "seat", "clans"),
		say("grandbois.event.score", "seat", "spaces", "group", "towerOwn", "towerOthers", "total"),
		say("grandbois.event.won", "seat", "total"),
		say("grandbois.event.won.tie", "seat", "total"),
		say("grandbois.event.shared", "seats", "total"),
		say("grandbois.tie.part", "seat", "other", "part", "more", "less", "rule"),
		say("grandbois.tie.shared", "seat", "other", "rule"),
		// The score sheet.
		say("grandbois.sheet.spaces", "clan", "spaces", "count", "each", "rule"),
		say("grandbois.sheet.group", "clan", "spaces", "count", "each", "rule"),
		say("grandbois.sheet.tower.secret", "seat", "x", "y", "spaces", "count", "each", "rule"),
		say("grandbois.sheet.tower.none", "seat", "rule"),
		say("grandbois.sheet.tower.own", "seat", "x", "y", "spaces", "count", "each", "rule"),
		say("grandbois.sheet.tower.others", "seat", "x", "y", "spaces", "count", "each", "rule"),
		// Moves, for a list to choose from.
		say("grandbois.move.deal", "seat", "clan"),
		say("grandbois.move.reveal", "tile"),
		say("grandbois.move.place", "tile", "x", "y", "turn"),
		say("grandbois.move.tower"),
		say("grandbois.move.no-tower"),
		say("grandbois.move.pass"),
		// Words.
		say("grandbois.about"),
		say("grandbois.option.expert"),
		say("grandbois.part.spaces"),
		say("grandbois.part.group"),
		say("grandbois.part.towerOwn"),
		say("grandbois.part.towerOthers"),
	}
	list = append(list, game.Needed(game.WhenNamed, say("grandbois.name"))...)
	list = append(list, game.Needed(game.WhenLaid, say("grandbois.space."+clearingWord), say("grandbois.space."+bearWord))...)
	for d := Deal; d <= Pass; d++ {
		list = append(list, say("grandbois.do."+d.String()))
	}
	box := DefaultBox()
	for i, clan := range box.Clans {
		list = append(list, game.Needed(game.WhenLaid, say("grandbois.clan."+clan))...)
		for n := 1; n <= mostAnimals; n++ {
			list = append(list, game.Needed(game.WhenLaid, say("grandbois.space."+word(box.Clans, animals(uint8(i+1), n))))...)
		}
	}
	for _, name := range box.Towers {
		list = append(list, game.Needed(game.WhenNamed, say("grandbois.seat."+name))...)
	}
	return list
}

// word is a space on the wire: "clearing", "bear", or a clan and how many of its
// animals: "fox-2". Under a tower lies a clearing.
func word(clans []string, sp space) string {
	switch sp.kind() {
	case ground:
		return ""
	case clearing, tower:
		return clearingWord
	case bear:
		return bearWord
	}
	return clans[sp.clan()-1] + "-" + strconv.Itoa(sp.animals())
}

func (r *Rules) word(sp space) string { return word(r.clan[1:], sp) }

func (r *Rules) words(list [perTile]space) []string {
	words := make([]string, 0, perTile)
	for _, sp := range list {
		words = append(words, r.word(sp))
	}
	return words
}

// clansOf lists the clans of a seat.
func (r *Rules) clansOf(s *Position, seat game.Seat) []string {
	list := []string{}
	for set := s.clans[seat]; set != 0; set &= set - 1 {
		list = append(list, r.clan[bits.TrailingZeros8(set)])
	}
	return list
}

// AppendMove writes a move as section 5 of the rules says.
func (r *Rules) AppendMove(dst []byte, m Move) []byte {
	dst = append(append(append(dst, `{"do":"`...), m.do().String()...), '"')
	number := func(name string, n int) {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	switch m.do() {
	case Deal:
		number("seat", int(m.seat()))
		if clan := m.piece(); clan > 0 && clan <= clans {
			dst = append(dst, `,"clan":`...)
			dst = strconv.AppendQuote(dst, r.clan[clan])
		}
	case Reveal:
		number("tile", m.piece())
	case Place:
		number("tile", m.piece())
		number("x", m.x())
		number("y", m.y())
		number("turn", m.turn())
	}
	return append(dst, '}')
}

// ReadMove reads such a move. Numbers that no tile, forest or seat could ever
// match are refused here, since a Move has no room for them.
func (r *Rules) ReadMove(raw []byte) (Move, error) {
	o := game.ReadObject(raw)
	name := o.Text("do")
	if err := o.Fault(); err != nil {
		return 0, err
	}
	var m Move
	var refusal error
	switch name {
	case Deal.String():
		m, refusal = r.readDeal(o)
	case Reveal.String():
		tile := o.Number("tile")
		if m = revealMove(tile); tile < 1 || tile > r.tiles {
			refusal = r.noTile(tile)
		}
	case Place.String():
		m, refusal = r.readPlace(o)
	case Tower.String():
		m = move(Tower)
	case NoTower.String():
		m = move(NoTower)
	case Pass.String():
		m = move(Pass)
	default:
		known := []string{}
		for d := Deal; d <= Pass; d++ {
			known = append(known, d.String())
		}
		return 0, game.Blame("move.do", game.Args{"do": name, "known": known})
	}
	if err := o.Done(); err != nil {
		return 0, err
	}
	if refusal != nil {
		return 0, refusal
	}
	return m, nil
}

func (r *Rules) readDeal(o *game.Object) (Move, error) {
	seat, clan := o.Number("seat"), 0
	if o.Has("clan") {
		name := o.Text("clan")
		if clan = slices.Index(r.clan[1:], name) + 1; clan == 0 {
			return 0, r.noClan(name)
		}
	}
	if seat < 0 || seat >= r.seats {
		return 0, game.Refuse("1.1", "grandbois.seat", game.Args{"seat": seat, "most": r.seats - 1})
	}
	return dealMove(game.Seat(seat), clan), nil
}

func (r *Rules) readPlace(o *game.Object) (Move, error) {
	tile, x, y, turn := o.Number("tile"), o.Number("x"), o.Number("y"), o.Number("turn")
	switch {
	case tile < 1 || tile > r.tiles:
		return 0, r.noTile(tile)
	case turn < 0 || turn > 3:
		return 0, game.Refuse("2.1", "grandbois.place.turn", game.Args{"tile": tile, "turn": turn})
	case !fitsByte(x) || !fitsByte(y):
		return 0, apart(tile, x, y)
	}
	return placeMove(tile, turn, x, y), nil
}

func fitsByte(n int) bool { return n >= math.MinInt8 && n <= math.MaxInt8 }

// View is a position in JSON: everything that lies on the table, as far as its
// viewer may know. Every tile is once in laid, river or pile.
type View struct {
	Seats    int             `json:"seats"`
	Viewer   game.RawMessage `json:"viewer"` // a seat or "watcher"
	Expert   bool            `json:"expert"`
	Clans    []string        `json:"clans"`    // of the box, played or not
	Asked    string          `json:"asked"`    // what is to be done: deal, reveal, place, tower; or over
	ToAct    any             `json:"toAct"`    // a seat or "chance"; null when over
	Turn     int             `json:"turn"`     // turns done
	Passes   int             `json:"passes"`   // seats that had to pass
	Clearing *PlaceView      `json:"clearing"` // where the tower goes that is to be decided, else null
	Players  []PlayerView    `json:"players"`
	Forest   []SpaceView     `json:"forest"` // every space, row by row from the top
	Laid     []LaidView      `json:"laid"`   // every tile but the start tile, in the order in which they were laid
	River    []TileView      `json:"river"`
	Pile     []TileView      `json:"pile"` // in no order: what is still to come
}

// PlaceView is a place in the forest.
type PlaceView struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// PlayerView is what lies in front of a player.
type PlayerView struct {
	Tower  string   `json:"tower"`  // what its towers are called
	Towers int      `json:"towers"` // not yet placed
	Dealt  int      `json:"dealt"`  // how many clans it has
	Clans  []string `json:"clans"`  // which, null where the viewer may not know
}

// SpaceView is a space of the forest.
type SpaceView struct {
	X     int    `json:"x"`
	Y     int    `json:"y"`
	Shows string `json:"shows"` // "clearing", "bear", or clan and animals: "fox-2"
	Tile  int    `json:"tile"`  // the tile on top, 0 for the start tile
	Tower *int   `json:"tower"` // whose tower stands there, null for none
}

// TileView is a tile with its spaces, clockwise from the top left.
type TileView struct {
	Tile   int      `json:"tile"`
	Spaces []string `json:"spaces"`
}

// LaidView is a tile in the forest: where its top left space lies, its clockwise
// quarter turns, and its spaces as they lie now.
type LaidView struct {
	Seat   game.Seat `json:"seat"`
	Tile   int       `json:"tile"`
	X      int       `json:"x"`
	Y      int       `json:"y"`
	Turn   int       `json:"turn"`
	Tower  bool      `json:"tower"` // its seat put a tower on it
	Spaces []string  `json:"spaces"`
}

// ViewJSON is the position as JSON.
func (r *Rules) ViewJSON(s *Position) any {
	viewer, err := s.viewer.MarshalJSON()
	if err != nil {
		panic("grandbois: a seat cannot be written: " + err.Error()) // it always can
	}
	v := View{
		Seats: r.seats, Viewer: viewer, Expert: r.expert, Clans: r.clan[1:], Asked: r.asked(s), Turn: int(s.turn), Passes: int(s.passes),
		Players: []PlayerView{}, Laid: []LaidView{}, Forest: r.forestView(s),
		River: r.tileViews(s.river), Pile: r.tileViews(s.pile),
	}
	if toAct := r.ToAct(s); toAct != game.None {
		v.ToAct = toAct
	}
	if s.phase == deciding {
		x, y := r.clearingOf(s, int(s.count-1))
		v.Clearing = &PlaceView{x, y}
	}
	for seat := range game.Seat(r.seats) {
		p := PlayerView{Tower: r.towers[seat], Towers: int(s.towers[seat]), Dealt: r.dealtTo(s, seat)}
		if r.knows(s, seat) && (s.sees(seat) || s.clans[seat] != 0) {
			p.Clans = r.clansOf(s, seat)
		}
		v.Players = append(v.Players, p)
	}
	for k, l := range s.laid[:s.count] {
		v.Laid = append(v.Laid, LaidView{
			Seat: r.layer(k), Tile: l.tile(), X: int(l.x), Y: int(l.y), Turn: l.turn(), Tower: s.stood>>k&1 != 0,
			Spaces: r.words(r.tile[l.tile()].turned[l.turn()].spaces),
		})
	}
	return v
}

const overWord = "over"

// asked is what is to be done.
func (r *Rules) asked(s *Position) string {
	if s.phase == over {
		return overWord
	}
	return r.due(s)
}

func (r *Rules) tileViews(set uint64) []TileView {
	list := []TileView{}
	for _, id := range tilesOf(set) {
		list = append(list, TileView{id, r.words(r.tile[id].turned[0].spaces)})
	}
	return list
}

func (r *Rules) forestView(s *Position) []SpaceView {
	top := map[[2]int]int{}
	for _, l := range s.laid[:s.count] {
		for i := range perTile {
			step := corner(i)
			top[[2]int{int(l.x + step[0]), int(l.y + step[1])}] = l.tile()
		}
	}
	list := []SpaceView{}
	for y := int(s.top); y <= int(s.bottom); y++ {
		for x := int(s.left); x <= int(s.right); x++ {
			sp := s.at(x, y)
			if sp == ground {
				continue
			}
			view := SpaceView{X: x, Y: y, Shows: r.word(sp), Tile: top[[2]int{x, y}]}
			if sp.kind() == tower {
				owner := int(sp.owner())
				view.Tower = &owner
			}
			list = append(list, view)
		}
	}
	return list
}

// ReadView reads a view back by playing it again: tile by tile as they were
// laid, each where the rules allow it. What follows from that is left for the
// comparison with the view that the rules would write. So a view that is taken
// could have come up in a game, every bit of it.
func (r *Rules) ReadView(raw []byte) (Position, error) {
	var v View
	if err := game.Unmarshal(raw, &v); err != nil {
		return Position{}, game.Misread("view.impossible", "view", err)
	}
	s := r.blank
	if v.Seats != r.seats || len(v.Players) != r.seats {
		return Position{}, impossible("seats")
	}
	viewer, ok := game.ParseSeat(v.Viewer)
	if !ok || viewer != game.Watcher && (viewer < 0 || int(viewer) >= r.seats) {
		return Position{}, impossible("viewer")
	}
	s.viewer = viewer
	for _, read := range []func(*View, *Position) error{r.readLaid, r.readRiver, r.readPhase, r.readPlayers} {
		if err := read(&v, &s); err != nil {
			return Position{}, err
		}
	}
	return s, nil
}
