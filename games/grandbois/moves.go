package grandbois

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"copse/game"
)

// Deed is a kind of move.
type Deed uint8

// The moves of GrandBois (section 5 of the rules): chance's two, then those of
// players.
const (
	Deal    Deed = iota + 1 // a clan to a seat (1.3)
	Reveal                  // a tile of the pile (1.2, 2.9)
	Place                   // a tile of the river (2.1)
	Tower                   // on the clearing of the tile just laid (3.1)
	NoTower                 // keep it
	Pass                    // nothing fits (2.10)
)

// String is the name of the deed on the wire.
func (d Deed) String() string {
	return [...]string{"", "deal", "reveal", "place", "tower", "no-tower", "pass", ""}[d&7]
}

// Move is one move in one word, because lists of them are long. From its lowest
// bit it holds
//
//	8 bits  x of the top left space of a tile to place, with its sign
//	8 bits  y, likewise
//	8 bits  the tile to place or reveal, or the clan that is dealt, 0 where the
//	        hearer may not know it
//	2 bits  clockwise quarter turns of a tile to place
//	3 bits  the seat to which a clan is dealt
//	3 bits  the Deed
//
// and 0 for whatever its deed does not need.
type Move uint32

func move(do Deed) Move { return Move(do) << 29 }

func placeMove(tile, turn, x, y int) Move {
	return move(Place) | Move(turn&3)<<24 | Move(uint8(tile))<<16 | Move(uint8(y))<<8 | Move(uint8(x))
}

func revealMove(tile int) Move { return move(Reveal) | Move(uint8(tile))<<16 }

func dealMove(seat game.Seat, clan int) Move {
	return move(Deal) | Move(seat&7)<<26 | Move(uint8(clan))<<16
}

func (m Move) do() Deed        { return Deed(m >> 29) }
func (m Move) seat() game.Seat { return game.Seat(m >> 26 & 7) }
func (m Move) turn() int       { return int(m >> 24 & 3) }
func (m Move) piece() int      { return int(m >> 16 & 0xFF) }
func (m Move) x() int          { return int(int8(m)) }
func (m Move) y() int          { return int(int8(m >> 8)) }

// Moves lists what seat may do. Tiles to place come tile by tile, then turn by
// turn, then row by row from the top and in a row from the left.
func (r *Rules) Moves(s *Position, seat game.Seat, buf []Move) []Move {
	if seat != r.ToAct(s) {
		return buf
	}
	switch s.phase {
	case dealing:
		to := r.dealee(s)
		if !s.sees(to) {
			return append(buf, dealMove(to, 0))
		}
		for left := r.undealt(s); left != 0; left &= left - 1 {
			buf = append(buf, dealMove(to, bits.TrailingZeros8(left)))
		}
	case drawing:
		for pile := s.pile; pile != 0; pile &= pile - 1 {
			buf = append(buf, revealMove(bits.TrailingZeros64(pile)))
		}
	case placing:
		before := len(buf)
		if buf = r.placements(s, buf); len(buf) == before {
			buf = append(buf, move(Pass))
		}
	case deciding:
		buf = append(buf, move(Tower), move(NoTower))
	}
	return buf
}

// Odds is 1: every clan and every tile is in the box once.
func (r *Rules) Odds(*Position, Move) int { return 1 }

// dealee is the seat that is dealt the next clan (1.2).
func (r *Rules) dealee(s *Position) game.Seat { return game.Seat(int(s.dealt) / r.each) }

// undealt is every clan, a bit each, that nobody has been dealt for all that
// this position knows.
func (r *Rules) undealt(s *Position) uint8 {
	left := uint8(1<<(clans+1) - 2)
	for _, owned := range s.clans {
		left &^= owned
	}
	return left
}

// sees tells whether this position is the truth or the view of seat.
func (s *Position) sees(seat game.Seat) bool { return s.viewer == game.None || s.viewer == seat }

// A strip is the forest with the bare ground around it, row after row from the
// one above the topmost, each from the column before the leftmost, as one long
// line of bits. The column after the rightmost needs no place of its own: what
// follows there is the bare start of the next row.
type strip [32]uint64

// stripWords is how many words of a strip can be in use.
const stripWords = (ring*(ring+1) + 63) / 64

// add puts the spaces of a row where they begin.
func (st *strip) add(at int, spaces uint64) {
	word, shift := at>>6, at&63
	st[word&31] |= spaces << shift
	st[(word+1)&31] |= spaces >> 1 >> (63 - shift)
}

// stripped lays the first planes of the forest out in strips. A row has stride
// bits, the whole of it length.
func (s *Position) stripped(strips []strip) (stride, length int) {
	stride = int(s.right-s.left) + 2
	length = stride + 1 // a bare row, and a bare column
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		for p := range strips {
			strips[p].add(length, bits.RotateLeft64(w[p%planes], -int(s.left)))
		}
		length += stride
	}
	return stride, length
}

// adjacent is what lies to the right of 64 spaces of a strip, below them, and
// below to the right, given the next 64.
func adjacent(here, next uint64, stride int) (right, below, both uint64) {
	n := stride & 63
	return here>>1 | next<<63, here>>n | next<<1<<(63-n), here>>1>>n | next<<(63-n)
}

// edges are where a tile would cover some forest and add some (2.2), given where
// there is forest, or where there is none.
func edges(here, next uint64, stride int) uint64 {
	right, below, both := adjacent(here, next, stride)
	return (here | right | below | both) &^ (here & right & below & both)
}

// shade says of 64 spaces in a line, a bit each, where a space of each class may
// lie, bare ground included.
type shade struct {
	open [32]uint64 // by class
	bare uint64     // no forest
}

// cast makes the shade of a word of the strip.
func (sh *shade) cast(strips *[planes]strip, word int, expert bool) {
	b0, b1, b2 := strips[0][word], strips[1][word], strips[2][word]
	sh.bare = ^(b0 | b1 | b2)
	sh.open[weak] = ^(b1 | b2)
	sh.open[two] = ^(b2 | b1&b0)
	sh.open[three] = ^b2
	sh.open[four] = ^(b2 & (b1 | b0))
	sh.open[strong] = ^(b2 & b1)
	if !expert {
		return
	}
	c0, c1, c2 := strips[3][word], strips[4][word], strips[5][word]
	clan := [clans]uint64{c0 &^ (c1 | c2), c1 &^ (c0 | c2), c0 & c1 &^ c2, c2 &^ (c0 | c1), c0 & c2 &^ c1}
	for i, same := range clan {
		same &= b1 ^ b2 // animals, and no towers
		sh.open[ofClans+3*i] = sh.open[two] &^ same
		sh.open[ofClans+3*i+1] = sh.open[three] &^ same
		sh.open[ofClans+3*i+2] = sh.open[four] &^ same
	}
}

// room is where every tile of the river fits, in every turn.
type room struct {
	offers [4 * maxRiver]Move // a tile in a turn, as a move without its place
	n      int                // how many there are
	words  int                // of the strip
	stride int                // bits a row
	left   int                // of the first column
	top    int                // of the first row
	edge   int                // spaces on which the top left of a tile may lie at all (2.2)

	// places has, for each offer, a bit for each space of the strip on which
	// its top left space may lie.
	places [4 * maxRiver][stripWords]uint64
}

// find fills the room. 64 spaces of the forest are asked at once where a space
// of each class may lie; the answers for the four corners of a tile, each
// shifted to where its top left would be, are together where the tile fits.
func (r *Rules) find(s *Position, rm *room) {
	var strips [planes]strip
	kinds := ofClans
	if r.expert {
		kinds = classes
	}
	stride, length := s.stripped(strips[:r.planes])
	rm.stride, rm.words = stride, (length+63)>>6
	rm.left, rm.top = int(s.left)-1, int(s.top)-1
	var class [4 * maxRiver][perTile]uint8
	for river := s.river; river != 0; river &= river - 1 {
		id := bits.TrailingZeros64(river)
		for turn := range 4 {
			class[rm.n%len(class)] = r.tile[id&63].turned[turn].class
			rm.offers[rm.n%len(rm.offers)] = placeMove(id, turn, 0, 0)
			rm.n++
		}
	}
	var shades [2]shade
	var open [perTile][32]uint64 // by corner and class
	here, next := &shades[0], &shades[1]
	here.cast(&strips, 0, r.expert)
	for word := range rm.words % stripWords {
		next.cast(&strips, word+1, r.expert)
		for c := range kinds {
			open[0][c&31] = here.open[c&31]
			open[1][c&31], open[3][c&31], open[2][c&31] = adjacent(here.open[c&31], next.open[c&31], stride)
		}
		edge := edges(here.bare, next.bare, stride)
		rm.edge += bits.OnesCount64(edge)
		for o := range class[:rm.n] {
			c := &class[o]
			rm.places[o][word] = edge & open[0][c[0]&31] & open[1][c[1]&31] & open[2][c[2]&31] & open[3][c[3]&31]
		}
		here, next = next, here
	}
}

// at is the placement of an offer at a bit of the strip.
func (rm *room) at(offer, bit int) Move {
	y := bit / rm.stride
	return rm.offers[offer] | Move(uint8(rm.top+y))<<8 | Move(uint8(rm.left+bit-y*rm.stride))
}

// count is how many placements there are.
func (rm *room) count() int {
	n := 0
	for o := range rm.n {
		for _, places := range rm.places[o][:rm.words] {
			n += bits.OnesCount64(places)
		}
	}
	return n
}

// nth is placement number n of the list, from 0.
func (rm *room) nth(n int) Move {
	for o := range rm.n {
		for word, places := range rm.places[o][:rm.words] {
			if here := bits.OnesCount64(places); n >= here {
				n -= here
				continue
			}
			for ; n > 0; n-- {
				places &= places - 1
			}
			return rm.at(o, word*64+bits.TrailingZeros64(places))
		}
	}
	return move(Pass)
}

// reciprocal makes a multiplication of the division of a bit of a strip by its
// stride, without the lowest twenty bits. It is exact for all of them.
func reciprocal(stride int) int { return 1<<20/stride + 1 }

// placements appends all placements: tile by tile, turn by turn, then row by row
// from the top and in a row from the left.
func (r *Rules) placements(s *Position, buf []Move) []Move {
	var rm room
	r.find(s, &rm)
	buf = slices.Grow(buf, rm.n*rm.edge)
	n, added := 0, buf[len(buf):cap(buf)]
	left, top, stride := rm.left, rm.top, rm.stride
	reciprocal := reciprocal(stride)
	for o, m := range rm.offers[:rm.n] {
		for word, places := range rm.places[o][:rm.words] {
			for ; places != 0 && n < len(added); places &= places - 1 {
				bit := word*64 + bits.TrailingZeros64(places)
				y := bit * reciprocal >> 20
				added[n] = m | Move(uint8(top+y))<<8 | Move(uint8(left+bit-y*stride))
				n++
			}
		}
	}
	return buf[:len(buf)+n]
}

// somePlacement is a placement, if there is any (2.10).
func (r *Rules) somePlacement(s *Position) (some Move, ok bool) {
	var rm room
	r.find(s, &rm)
	return rm.nth(0), rm.count() > 0
}

// fits tells whether a tile may lie with its top left space there, as placements
// would list it.
func (r *Rules) fits(s *Position, t *turned, x, y int) bool {
	near := x >= int(s.left)-1 && x <= int(s.right) && y >= int(s.top)-1 && y <= int(s.bottom)
	return near && r.lies(s, t, x, y)
}

// lies is the same for a place at the forest or in it.
func (r *Rules) lies(s *Position, t *turned, x, y int) bool {
	upper, lower := &s.rows[rowOf(y)], &s.rows[rowOf(y+1)]
	// under has four bits of a plane: the spaces above from the left, then below.
	under := func(p int) uint8 {
		return uint8(bits.RotateLeft64(upper[p], -x)&3 | bits.RotateLeft64(lower[p], -x)&3<<2)
	}
	b0, b1, b2 := under(0), under(1), under(2)
	if forest := b0 | b1 | b2; forest == 0 || forest == 15 { // 2.2
		return false
	}
	q0, q1, q2 := t.power[0], t.power[1], t.power[2]
	if stronger := b2&^q2 | ^(b2^q2)&(b1&^q1|^(b1^q1)&(b0&^q0)); stronger != 0 {
		return false
	}
	if !r.expert {
		return true
	}
	other := (under(3) ^ t.planes[3]) | (under(4) ^ t.planes[4]) | (under(5) ^ t.planes[5])
	return (b1^b2)&^other == 0 // 2.8
}

// Sample draws a legal move, each as likely as any other.
func (r *Rules) Sample(s *Position, _ game.Seat, rng *rand.Rand) Move {
	switch s.phase {
	case dealing:
		to := r.dealee(s)
		if !s.sees(to) {
			return dealMove(to, 0)
		}
		return dealMove(to, nth(uint64(r.undealt(s)), rng))
	case drawing:
		return revealMove(nth(s.pile, rng))
	case placing:
		return r.samplePlacement(s, rng)
	}
	return move(Tower) + Move(rng.Uint32()&1)<<29
}

// nth is one of the bits of a set, each as likely as any other.
func nth(set uint64, rng *rand.Rand) int {
	for n := rng.IntN(bits.OnesCount64(set)); n > 0; n-- {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// edge lists where a tile may lie at all (2.2), as bits of the strip. There are
// never more than four places for each of the 112 spaces of a forest.
func (s *Position) edge(list *[512]uint16) (n, stride int) {
	var forest strip
	stride = int(s.right-s.left) + 2
	length := stride + 1
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		forest.add(length, bits.RotateLeft64(w[0]|w[1]|w[2], -int(s.left)))
		length += stride
	}
	for word := range (length + 63) >> 6 & 31 {
		for edge := edges(forest[word], forest[(word+1)&31], stride); edge != 0; edge &= edge - 1 {
			list[n&511] = uint16(word<<6 | bits.TrailingZeros64(edge))
			n++
		}
	}
	return n, stride
}

// manyTries is after how many misses in a row placements are counted.
const manyTries = 300

// samplePlacement draws a space, a tile and a turn until they fit: whatever fits
// is as likely as anything else that does.
func (r *Rules) samplePlacement(s *Position, rng *rand.Rand) Move {
	var d draw
	d.survey(s)
	return r.drawPlacement(s, &d, rng)
}

// draw is what placements are drawn from.
type draw struct {
	edge       [512]uint16
	n, stride  int
	tiles      [maxRiver]uint8
	offers     int // tiles in four turns each
	surplus    int
	reciprocal int
	mask       int
}

// survey looks at the edge of the forest and at the river.
func (d *draw) survey(s *Position) {
	d.n, d.stride = s.edge(&d.edge)
	for river := s.river; river != 0; river &= river - 1 {
		d.tiles[d.offers>>2%maxRiver] = uint8(bits.TrailingZeros64(river))
		d.offers += 4
	}
	// At most five bits for tile and turn, sixteen for the space: those times n,
	// without the lowest sixteen of the product, are a space. The numbers that
	// would make some of them more likely than others are passed over.
	d.surplus, d.reciprocal = 1<<16%d.n, reciprocal(d.stride)
	d.mask = 1<<bits.Len(uint(d.offers-1)) - 1
}

// drawPlacement draws one.
func (r *Rules) drawPlacement(s *Position, d *draw, rng *rand.Rand) Move {
	var u uint64
	for try := range manyTries {
		if try%3 == 0 {
			u = rng.Uint64()
		}
		product, offer := int(u&0xFFFF)*d.n, int(u>>16)&d.mask
		u >>= 21
		if offer >= d.offers || product&0xFFFF < d.surplus {
			continue
		}
		bit := int(d.edge[product>>16&511])
		row := bit * d.reciprocal >> 20
		x, y := int(s.left)-1+bit-row*d.stride, int(s.top)-1+row
		id, turn := int(d.tiles[offer>>2%maxRiver]), offer&3
		if r.lies(s, &r.tile[id&63].turned[turn], x, y) {
			return placeMove(id, turn, x, y)
		}
	}
	return r.sampleCounted(s, rng)
}

// sampleCounted counts the placements and takes one, or passes.
func (r *Rules) sampleCounted(s *Position, rng *rand.Rand) Move {
	var rm room
	r.find(s, &rm)
	if n := rm.count(); n > 0 {
		return rm.nth(rng.IntN(n))
	}
	return move(Pass)
}

// Check says why a move is not allowed.
func (r *Rules) Check(s *Position, seat game.Seat, m Move) error {
	if s.phase == over {
		return game.Refuse("4.1", "grandbois.over", nil)
	}
	if toAct := r.ToAct(s); seat != toAct {
		if toAct == game.Chance {
			return game.Refuse(r.turnRule(s), "grandbois.wait", game.Args{"due": r.due(s)})
		}
		return game.Refuse("1.1", "grandbois.turn", game.Args{"seat": toAct})
	}
	do := m.do()
	switch {
	case do.String() == "":
		return r.unknown(s)
	case do == Deal && s.phase == dealing:
		return r.checkDeal(s, m)
	case do == Reveal && s.phase == drawing:
		return r.checkReveal(s, m)
	case do == Place && s.phase == placing:
		return r.checkPlace(s, m)
	case do == Pass && s.phase == placing:
		return r.checkPass(s, m)
	case (do == Tower || do == NoTower) && s.phase == deciding:
		if m != move(do) {
			return r.unknown(s)
		}
		return nil
	}
	return game.Refuse(r.turnRule(s), "grandbois.not-now", game.Args{"do": do.String(), "due": r.due(s)})
}

// unknown refuses what is no move at all.
func (r *Rules) unknown(s *Position) error {
	return game.Refuse(r.turnRule(s), "grandbois.unknown", game.Args{"due": r.due(s)})
}

// turnRule is the rule that says what is to be done now.
func (r *Rules) turnRule(s *Position) string {
	switch {
	case s.phase == dealing, s.phase == drawing && s.count == 0:
		return "1.2"
	case s.phase == drawing:
		return "2.9"
	case s.phase == deciding:
		return "3.1"
	}
	return "2.1"
}

// due names the move that is to be made now.
func (r *Rules) due(s *Position) string {
	return [...]Deed{dealing: Deal, drawing: Reveal, placing: Place, deciding: Tower}[s.phase].String()
}

func (r *Rules) checkDeal(s *Position, m Move) error {
	to, clan := r.dealee(s), m.piece()
	switch {
	case m != dealMove(m.seat(), clan):
		return r.unknown(s)
	case m.seat() != to:
		return game.Refuse("1.2", "grandbois.deal.seat", game.Args{"seat": m.seat(), "due": to})
	case !s.sees(to) && clan != 0:
		return game.Refuse("1.5", "grandbois.deal.secret", game.Args{"seat": to})
	case s.sees(to) && clan == 0:
		return game.Refuse("1.3", "grandbois.deal.unnamed", game.Args{"seat": to})
	case clan > clans:
		return r.unknown(s)
	case s.sees(to) && r.undealt(s)>>clan&1 == 0:
		return game.Refuse("1.3", "grandbois.deal.gone", game.Args{"clan": r.clan[clan]})
	}
	return nil
}

// noClan refuses a clan that is not in the box.
func (r *Rules) noClan(clan string) error {
	return game.Refuse("1.3", "grandbois.deal.clan", game.Args{"clan": clan, "clans": r.clan[1:]})
}

func (r *Rules) checkReveal(s *Position, m Move) error {
	tile := m.piece()
	switch {
	case m != revealMove(tile):
		return r.unknown(s)
	case tile < 1 || tile > r.tiles:
		return r.noTile(tile)
	case s.pile>>tile&1 == 0:
		return game.Refuse(r.turnRule(s), "grandbois.reveal.gone", game.Args{"tile": tile})
	}
	return nil
}

// noTile refuses a tile that is not in the box.
func (r *Rules) noTile(tile int) error {
	return game.Refuse("1.1", "grandbois.tile", game.Args{"tile": tile, "most": r.tiles})
}

func (r *Rules) checkPass(s *Position, m Move) error {
	if m != move(Pass) {
		return r.unknown(s)
	}
	if some, ok := r.somePlacement(s); ok {
		return game.Refuse("2.10", "grandbois.pass", game.Args{
			"tile": some.piece(), "x": some.x(), "y": some.y(), "turn": some.turn(),
		})
	}
	return nil
}

func (r *Rules) checkPlace(s *Position, m Move) error {
	tile, x, y := m.piece(), m.x(), m.y()
	switch {
	case m != placeMove(tile, m.turn(), x, y):
		return r.unknown(s)
	case tile < 1 || tile > r.tiles:
		return r.noTile(tile)
	case s.river>>tile&1 == 0:
		return game.Refuse("2.1", "grandbois.place.river", game.Args{"tile": tile, "river": tilesOf(s.river)})
	}
	t := &r.tile[tile].turned[m.turn()]
	if r.fits(s, t, x, y) {
		return nil
	}
	forest := 0
	var refusal error
	for i, above := range t.spaces {
		px, py := x+int(corner(i)[0]), y+int(corner(i)[1])
		below := s.at(px, py)
		if below != ground {
			forest++
		}
		if refusal == nil && !covers(above, below, r.expert) {
			refusal = r.noCover(tile, px, py, above, below)
		}
	}
	switch forest {
	case 0:
		return apart(tile, x, y)
	case perTile:
		return game.Refuse("2.2", "grandbois.place.inside", game.Args{"tile": tile, "x": x, "y": y})
	}
	return refusal
}

// apart refuses a tile that covers nothing of the forest.
func apart(tile, x, y int) error {
	return game.Refuse("2.2", "grandbois.place.apart", game.Args{"tile": tile, "x": x, "y": y})
}

// noCover says why a space of a tile may not lie on one of the forest.
func (r *Rules) noCover(tile, x, y int, above, below space) error {
	args := game.Args{"tile": tile, "x": x, "y": y}
	switch below.kind() {
	case tower:
		args["seat"] = below.owner()
		return game.Refuse("2.6", "grandbois.cover.tower", args)
	case bear:
		args["with"] = r.word(above)
		return game.Refuse("2.5", "grandbois.cover.bear", args)
	}
	args["with"], args["there"] = r.word(above), r.word(below)
	switch {
	case above == clearing:
		return game.Refuse("2.4", "grandbois.cover.clearing", args)
	case above.animals() <= below.animals():
		return game.Refuse("2.4", "grandbois.cover.fewer", args)
	}
	args["clan"] = r.clan[below.clan()]
	return game.Refuse("2.8", "grandbois.cover.same", args)
}

// tilesOf lists a set of tiles.
func tilesOf(set uint64) []int {
	list := make([]int, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}
