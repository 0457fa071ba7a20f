package bosk

import (
	"math"
	"slices"
	"strconv"

	"copse/game"
)

// refusals are the keys of every Refusal, with their arguments.
func refusals() []game.Phrase {
	say := game.Say
	return []game.Phrase{
		say("bosk.over"),
		say("bosk.turn", "seat"),
		say("bosk.unknown", "due"),
		say("bosk.not-now", "do", "due"),
		say("bosk.plant.value", "tree"),
		say("bosk.plant.none-left", "tree"),
		say("bosk.plant.no-crossing", "at", "most"),
		say("bosk.plant.taken", "at", "seat", "tree"),
		say("bosk.wind.side", "side"),
		say("bosk.shed.no-crossing", "at", "most"),
		say("bosk.shed.no-tree", "at"),
		say("bosk.shed.other", "at", "seat", "tree"),
		say("bosk.shed.value", "at", "tree", "must", "round"),
		say("bosk.shed.tile", "tile"),
		say("bosk.shed.spent", "tile"),
		say("bosk.leaf.outside", "to"),
		say("bosk.leaf.first", "to", "tree", "wind"),
		say("bosk.leaf.ahead", "to", "last", "wind"),
		say("bosk.leaf.squirrel", "to", "seat"),
		say("bosk.leaf.price", "to", "seat", "height", "price", "active"),
		say("bosk.squirrel.outside", "to"),
		say("bosk.squirrel.far", "to", "tree", "wind"),
		say("bosk.squirrel.taken", "to", "seat"),
	}
}

// phrases are all the keys that Bosk says, with their arguments.
func phrases() []game.Phrase {
	say := game.Say
	list := append(refusals(),
		// Events.
		say("bosk.event.plant", "seat", "tree", "at"),
		say("bosk.event.summer", "seat", "points"),
		say("bosk.event.start.summer", "seat", "points"),
		say("bosk.event.start.summer.tie", "seat", "points", "tied", "after"),
		say("bosk.event.wind", "seat", "side"),
		say("bosk.event.round", "round", "wind", "tree"),
		say("bosk.event.shed", "seat", "tree", "at", "tile"),
		say("bosk.event.leaf", "seat", "to", "region", "height"),
		say("bosk.event.cover", "seat", "to", "region", "other", "back"),
		say("bosk.event.stop", "seat", "laid", "left"),
		say("bosk.event.squirrel", "seat", "to", "region", "height"),
		say("bosk.event.no-squirrel", "seat"),
		say("bosk.event.start.round", "seat", "tile"),
		say("bosk.event.start.round.tie", "seat", "tile", "tied", "after"),
		say("bosk.event.winter", "seat", "points", "total"),
		say("bosk.event.won", "seat", "total"),
		say("bosk.event.won.tie", "seat", "total"),
		say("bosk.tie.start", "seat", "other", "rule"),
		say("bosk.tie.closer", "seat", "other", "start", "rule"),
		// The score sheet.
		say("bosk.sheet.row", "trail", "have", "why", "rule"),
		say("bosk.sheet.column", "trail", "have", "why", "rule"),
		say("bosk.sheet.region", "region", "size", "have", "why", "rule"),
		// Words.
		say("bosk.about"),
		say("bosk.part.summer"),
		say("bosk.part.winter"),
	)
	list = append(list, game.Needed(game.WhenNamed, say("bosk.name"))...)
	list = append(list, game.Needed(game.WhenLaid, say("bosk.tile.squirrel"))...)
	for d := Plant; d <= Run; d++ {
		list = append(list, say("bosk.do."+d.String()))
	}
	for w := North; w <= West; w++ {
		list = append(list, game.Needed(game.WhenLaid, say("bosk.wind."+w.String()), say("bosk.side."+w.String()))...)
	}
	for c := nobody; c <= tiedFirst; c++ {
		list = append(list, say("bosk.why."+c.String()))
	}
	box := DefaultBox()
	for _, name := range box.Terrains {
		list = append(list, game.Needed(game.WhenLaid, say("bosk.region."+name))...)
	}
	for _, species := range box.Species {
		list = append(list, game.Needed(game.WhenNamed, say("bosk.seat."+species.Leaf))...)
	}
	return list
}

// Tile is a leaf tile on the wire: its number, or "squirrel".
type Tile uint8

// JSON writes a number, or "squirrel".
func (t Tile) JSON() ([]byte, error) { return appendTile(nil, uint8(t)), nil }

// MarshalJSON is JSON for encoding/json.
func (t Tile) MarshalJSON() ([]byte, error) { return t.JSON() }

// ReadJSON reads a number from 2 to 8, or "squirrel".
func (t *Tile) ReadJSON(raw []byte) error {
	if string(raw) == `"squirrel"` {
		*t = Squirrel
		return nil
	}
	n, err := strconv.ParseUint(string(raw), 10, 8)
	if err != nil || n <= Squirrel || n > highestTile {
		return game.Blame("view.impossible", game.Args{"path": "tile"})
	}
	*t = Tile(n)
	return nil
}

// UnmarshalJSON is ReadJSON for encoding/json.
func (t *Tile) UnmarshalJSON(raw []byte) error { return t.ReadJSON(raw) }

func appendTile(dst []byte, tile uint8) []byte {
	if tile == Squirrel {
		return append(dst, `"squirrel"`...)
	}
	return strconv.AppendUint(dst, uint64(tile), 10)
}

// asked is the tree that a round asks for, as the wire says it: a value, or "any".
func asked(tree uint8) any {
	if tree == anyTree {
		return "any"
	}
	return int(tree)
}

// AppendMove writes a move as docs/engine.md says.
func (r *Rules) AppendMove(dst []byte, m Move) []byte {
	dst = append(append(append(dst, `{"do":"`...), m.Do.String()...), '"')
	place := `,"to":[`
	switch m.Do {
	case Plant:
		dst = strconv.AppendUint(append(dst, `,"tree":`...), uint64(m.Piece), 10)
		place = `,"at":[`
	case Call:
		return append(append(append(dst, `,"side":"`...), Wind(m.Piece).String()...), `"}`...)
	case Shed:
		place = `,"at":[`
	}
	dst = strconv.AppendInt(append(dst, place...), int64(m.Row), 10)
	dst = append(strconv.AppendInt(append(dst, ','), int64(m.Column), 10), ']')
	if m.Do == Shed {
		dst = appendTile(append(dst, `,"tile":`...), m.Piece)
	}
	return append(dst, '}')
}

// ReadMove reads such a move. Numbers that no board, hand or tile could ever
// match are refused here, since a Move has no room for them.
func (r *Rules) ReadMove(raw []byte) (Move, error) {
	o := game.ReadObject(raw)
	var m Move
	var refusal error
	name := o.Text("do")
	if err := o.Fault(); err != nil {
		return m, err
	}
	switch name {
	case "plant":
		m.Do = Plant
		tree := o.Number("tree")
		if tree < 1 || tree > values {
			refusal = game.Refuse("1.4", "bosk.plant.value", game.Args{"tree": tree})
		}
		m.Piece = uint8(tree)
		place := o.Pair("at")
		if !m.put(place) && refusal == nil {
			refusal = noCrossing("bosk.plant.no-crossing", place, r.side)
		}
	case "wind":
		m.Do = Call
		side := o.Text("side")
		for w := North; w <= West; w++ {
			if w.String() == side {
				m.Piece = uint8(w)
			}
		}
		if m.Piece == 0 {
			refusal = noSide(side)
		}
	case "shed":
		m.Do = Shed
		place := o.Pair("at")
		if !m.put(place) {
			refusal = noCrossing("bosk.shed.no-crossing", place, r.side)
		}
		tile, err := readTile(o)
		if err != nil && refusal == nil {
			refusal = err
		}
		m.Piece = tile
	case "leaf", "squirrel":
		m.Do = Leaf
		key := "bosk.leaf.outside"
		if name == "squirrel" {
			m.Do = Run
			key = "bosk.squirrel.outside"
		}
		place := o.Pair("to")
		if !m.put(place) {
			refusal = game.Refuse("5.3", key, game.Args{"to": place})
		}
	default:
		return m, game.Blame("move.do", game.Args{"do": name, "known": []string{"plant", "wind", "shed", "leaf", "squirrel"}})
	}
	if err := o.Done(); err != nil {
		return Move{}, err
	}
	if refusal != nil {
		return Move{}, refusal
	}
	return m, nil
}

// readTile reads a leaf tile. The squirrel counts as 1 but goes by its name.
func readTile(o *game.Object) (uint8, error) {
	if raw := o.Raw("tile"); len(raw) > 0 && raw[0] == '"' {
		if word := o.Text("tile"); word != "squirrel" {
			return 0, noTile(word)
		}
		return Squirrel, nil
	}
	if tile := o.Number("tile"); tile <= Squirrel || tile > highestTile {
		return 0, noTile(tile)
	}
	return uint8(o.Number("tile")), nil
}

// put sets the place of a move, if a Move has room for it.
func (m *Move) put(place [2]int) bool {
	for _, n := range place {
		if n < math.MinInt8 || n > math.MaxInt8 {
			return false
		}
	}
	m.Row, m.Column = int8(place[0]), int8(place[1])
	return true
}

// View is a position in JSON: everything that lies on the table. Places are
// pairs of row and column, squares from 0 and crossings from 1.
type View struct {
	Seats   int               `json:"seats"`
	Season  string            `json:"season"`  // spring, summer (the wind board is put down), autumn, winter (the end)
	Turn    int               `json:"turn"`    // turns done
	Round   int               `json:"round"`   // of autumn, from 1; 0 before
	Start   game.Seat         `json:"start"`   // who has the Hiker
	ToAct   *game.Seat        `json:"toAct"`   // null at the end
	Asks    []any             `json:"asks"`    // the tree that each round of autumn asks for: a value or "any"
	Wind    *WindView         `json:"wind"`    // null before autumn
	Board   []string          `json:"board"`   // one letter a square
	Regions map[string]string `json:"regions"` // what the letters mean
	Players []PlayerView      `json:"players"`
	Trees   []TreeView        `json:"trees"`   // those that stand in the park
	Squares []SquareView      `json:"squares"` // those that are not bare
	Trails  TrailsView        `json:"trails"`
	Path    *PathView         `json:"path"` // null except while leaves fall or a squirrel runs
}

// WindView is the wind board.
type WindView struct {
	Side  string   `json:"side"`  // where it lies
	Blows string   `json:"blows"` // where the wind blows now
	Tree  any      `json:"tree"`  // what must shed now: a value or "any"
	All   []string `json:"all"`   // where it blows in each of the eight rounds
}

// PlayerView is what lies in front of a player.
type PlayerView struct {
	Species string `json:"species"`
	Hand    []int  `json:"hand"`   // trees still to be planted
	Tiles   []Tile `json:"tiles"`  // leaf tiles not yet used
	Played  *Tile  `json:"played"` // the tile of this round
	Supply  int    `json:"supply"` // leaf tokens left
	Summer  int    `json:"summer"` // points, as they stand
	Winter  int    `json:"winter"`
}

// TreeView is a tree in the park.
type TreeView struct {
	Seat game.Seat `json:"seat"`
	Tree int       `json:"tree"`
	At   [2]int    `json:"at"`
}

// SquareView is a square with something on it: how many leaves, whether a
// squirrel, and whose is on top.
type SquareView struct {
	At       [2]int    `json:"at"`
	Seat     game.Seat `json:"seat"`
	Leaves   int       `json:"leaves"`
	Squirrel bool      `json:"squirrel"`
}

// TrailsView holds, trail by trail, the values of each seat's trees on it; from
// summer on, as they were then.
type TrailsView struct {
	Rows    [][]int `json:"rows"`
	Columns [][]int `json:"columns"`
}

// PathView is a turn of autumn that is not finished.
type PathView struct {
	From   [2]int  `json:"from"` // the crossing of the tree that sheds
	Tile   Tile    `json:"tile"`
	Active int     `json:"active"` // active leaves left
	Laid   int     `json:"laid"`   // leaves laid so far
	Last   *[2]int `json:"last"`   // the square of the last one
}

// ViewJSON is the position as JSON.
func (r *Rules) ViewJSON(s *Position) any {
	v := View{
		Seats: r.seats, Season: r.season(s), Turn: int(s.turn), Round: int(s.round), Start: s.start,
		Board: r.board, Regions: map[string]string{},
		Trees: []TreeView{}, Squares: []SquareView{}, Trails: r.trailsView(s),
	}
	if s.phase != finished {
		v.ToAct = &s.actor
	}
	for _, g := range r.wind {
		v.Asks = append(v.Asks, asked(g.tree))
	}
	for _, t := range r.region {
		v.Regions[string(t.letter)] = t.name
	}
	if s.side != 0 {
		v.Wind = &WindView{Side: s.side.String(), Blows: s.wind.String(), Tree: asked(r.mustShed(s))}
		for round := range rounds {
			v.Wind.All = append(v.Wind.All, r.blows(s.side, round+1).String())
		}
	}
	for seat := range game.Seat(r.seats) {
		v.Players = append(v.Players, r.playerView(s, seat))
		for value, pair := range s.trees[seat] {
			for _, number := range pair {
				if number != 0 {
					v.Trees = append(v.Trees, TreeView{seat, value + 1, r.placeOf(number)})
				}
			}
		}
	}
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			if q := s.square[at(row, column)]; q != bare {
				v.Squares = append(v.Squares, SquareView{[2]int{int(row), int(column)}, q.top(), q.height(), q.squirrel()})
			}
		}
	}
	if s.from != 0 {
		v.Path = &PathView{From: r.placeOf(s.from), Tile: Tile(s.played[s.actor]), Active: int(s.active), Laid: int(s.laid)}
		if s.laid > 0 {
			row, column := rowColumn(s.last)
			v.Path.Last = &[2]int{int(row), int(column)}
		}
	}
	return v
}

func (r *Rules) season(s *Position) string {
	return [...]string{
		planting: "spring", calling: "summer", shedding: "autumn", falling: "autumn", running: "autumn", finished: "winter",
	}[s.phase]
}

func (r *Rules) placeOf(number uint8) [2]int {
	c := r.crossings[number-1]
	return [2]int{int(c.row), int(c.column)}
}

func (r *Rules) playerView(s *Position, seat game.Seat) PlayerView {
	score := r.Standing(s).Seats[seat]
	p := PlayerView{
		Species: r.species[seat], Hand: []int{}, Tiles: []Tile{}, Supply: int(s.supply[seat]),
		Summer: int(score.Parts[summer]), Winter: int(score.Parts[winter]),
	}
	for v, n := range s.hand[seat] {
		for range n {
			p.Hand = append(p.Hand, v+1)
		}
	}
	for t := uint8(Squirrel); t <= highestTile; t++ {
		if s.tiles[seat]>>(t-1)&1 != 0 {
			p.Tiles = append(p.Tiles, Tile(t))
		}
	}
	if s.played[seat] != 0 {
		tile := Tile(s.played[seat])
		p.Played = &tile
	}
	return p
}

func (r *Rules) trailsView(s *Position) TrailsView {
	list := func(first int) [][]int {
		all := make([][]int, r.side-1)
		for i := range all {
			all[i] = make([]int, r.seats)
			for seat := range r.seats {
				all[i][seat] = int(s.sums[seat][first+i])
			}
		}
		return all
	}
	return TrailsView{Rows: list(0), Columns: list(maxSide - 1)}
}

// ReadView reads a view back. Whatever it holds that follows from the rest, or
// has no room in a Position, is left for the comparison with the view that the
// rules would write.
func (r *Rules) ReadView(raw []byte) (Position, error) {
	var v View
	if err := game.Unmarshal(raw, &v); err != nil {
		return Position{}, game.Misread("view.impossible", "view", err)
	}
	s := r.blank
	switch {
	case len(v.Players) != r.seats:
		return Position{}, impossible("players")
	case !r.sits(v.Start):
		return Position{}, impossible("start")
	case v.ToAct != nil && !r.sits(*v.ToAct):
		return Position{}, impossible("toAct")
	}
	s.start = v.Start
	s.round = uint8(v.Round)
	if v.Wind != nil {
		for w := North; w <= West; w++ {
			if w.String() == v.Wind.Side {
				s.side = w
			}
		}
	}
	switch {
	case v.Season == "spring":
		s.phase = planting
	case v.Season == "summer":
		s.phase = calling
	case v.Season == "autumn" && v.Path == nil:
		s.phase = shedding
	case v.Season == "autumn" && v.Path.Tile == Squirrel:
		s.phase = running
	case v.Season == "autumn":
		s.phase = falling
	case v.Season == "winter":
		s.phase = finished
		s.actor = game.None
	default:
		return Position{}, impossible("season")
	}
	if v.ToAct != nil {
		s.actor = *v.ToAct
	}
	for _, read := range []func(*View, *Position) error{r.readPlayers, r.readTrails, r.readTrees, r.readSquares} {
		if err := read(&v, &s); err != nil {
			return Position{}, err
		}
	}
	r.readPath(&v, &s)
	return s, r.checkView(&s)
}

func (r *Rules) sits(seat game.Seat) bool { return seat >= 0 && int(seat) < r.seats }

func (r *Rules) readPlayers(v *View, s *Position) error {
	for seat, p := range v.Players {
		s.hand[seat] = [values]uint8{}
		for _, value := range p.Hand {
			if value < 1 || value > values {
				return impossible("players")
			}
			s.hand[seat][value-1]++
		}
		s.tiles[seat] = 0
		for _, t := range p.Tiles {
			s.tiles[seat] |= 1 << (t - 1)
		}
		if p.Played != nil {
			s.played[seat] = uint8(*p.Played)
		}
		s.supply[seat] = uint8(p.Supply)
	}
	return nil
}

func (r *Rules) readTrails(v *View, s *Position) error {
	for half, list := range [][][]int{v.Trails.Rows, v.Trails.Columns} {
		if len(list) != r.side-1 {
			return impossible("trails")
		}
		for trail, have := range list {
			if len(have) != r.seats {
				return impossible("trails")
			}
			for seat, sum := range have {
				s.sums[seat][half*(maxSide-1)+trail] = uint8(sum)
			}
		}
	}
	return nil
}

func (r *Rules) readTrees(v *View, s *Position) error {
	for _, t := range v.Trees {
		number := r.numberOf(t.At)
		if !r.sits(t.Seat) || t.Tree < 1 || t.Tree > values || number == 0 {
			return impossible("trees")
		}
		bit := uint64(1) << ((number - 1) % 64)
		if s.free[(number-1)/64]&bit == 0 {
			return impossible("trees")
		}
		s.free[(number-1)/64] &^= bit
		pair := &s.trees[t.Seat][t.Tree-1]
		pair[1] = number
		if slices.Sort(pair[:]); pair[0] == 0 {
			pair[0], pair[1] = pair[1], 0
		}
	}
	return nil
}

func (r *Rules) numberOf(place [2]int) uint8 {
	var m Move
	if !m.put(place) {
		return 0
	}
	return r.number(m.Row, m.Column)
}

func (r *Rules) readSquares(v *View, s *Position) error {
	for _, q := range v.Squares {
		var m Move
		if !m.put(q.At) || !r.inPark(m.Row, m.Column) || !r.sits(q.Seat) {
			return impossible("squares")
		}
		i := at(m.Row, m.Column)
		if q.Leaves == 0 && !q.Squirrel {
			return impossible("squares")
		}
		s.square[i] = pile(q.Seat, q.Leaves)
		if q.Squirrel {
			if s.squirrel[q.Seat] != 0 {
				return impossible("squares")
			}
			s.square[i] |= sits
			s.squirrel[q.Seat] = i
		}
		s.control[r.terrainAt[i]][q.Seat]++
	}
	return nil
}

func (r *Rules) readPath(v *View, s *Position) {
	if v.Path == nil {
		return
	}
	s.from = r.numberOf(v.Path.From)
	s.active, s.laid = uint8(v.Path.Active), uint8(v.Path.Laid)
	if last := v.Path.Last; last != nil {
		s.last = at(int8(last[0]), int8(last[1]))
	}
}
