package gametest

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"copse/game"
)

// Tiny is a game of five minutes with everything that makes rules hard: a private
// hand, a secret draw and a public one, a reveal in mid-game and one at the end,
// turns of several moves, a score that others may not know. Its parts come in the
// order of the files of a real game: box, position, moves, play, score, sight,
// wire.
//
// # 1 The wood
//
// 1.1 Two to four squirrels sit in an oak; seat 0 begins, then clockwise.
//
// 1.2 In the tree hang six hazelnuts worth 1, four walnuts worth 2 and two
// chestnuts worth 3.
//
// 1.3 Under the leaves lie eight mushrooms, numbered 1 to 8, one of each.
//
// 1.4 Every squirrel has a hollow, into which only it may look, and a branch
// that everyone sees. How many mushrooms a hollow holds is no secret.
//
// # 2 A turn
//
// 2.1 The squirrel does one of three things: it shakes the tree, it digs, or it
// boasts.
//
// 2.2 Shake: a nut falls, any as likely as any other, and is the squirrel's.
//
// 2.3 Dig, while mushrooms lie under the leaves and the hollow holds fewer than
// two: the squirrel finds a mushroom, which nobody else sees, and hides it in
// its hollow.
//
// 2.4 Boast, with a mushroom in the hollow: the squirrel turns its hollow out
// on its branch. That was its turn.
//
// 2.5 After shaking or digging, a squirrel with a mushroom in its hollow either
// dries one, out on its branch, or naps.
//
// # 3 The snow
//
// 3.1 When the last nut has fallen and its turn is done, the snow comes: the
// game is over and all hollows are opened.
//
// 3.2 A nut scores its worth.
//
// 3.3 A mushroom on the branch scores its number; in the hollow it went damp
// and scores half of it, rounded down.
//
// 3.4 Most points win; among equals, more from the branch; then the rank is
// shared.
//
// # 4 Moves in JSON
//
// 4.1 Players: {"do":"shake"}, {"do":"dig"}, {"do":"boast"},
// {"do":"dry","mushroom":5}, {"do":"nap"}.
//
// 4.2 Chance: {"do":"fall","nut":"walnut"},
// {"do":"find","seat":1,"mushroom":5}, heard by others as
// {"do":"find","seat":1}.
//
// 4.3 A move names what it needs and nothing else.
func Tiny() game.Definition[Wood, Deed] {
	return game.Definition[Wood, Deed]{
		About: game.About{
			Name:     "tiny",
			MinSeats: 2,
			MaxSeats: game.MaxSeats,
			Version:  1,
			Parts:    []string{"nuts", "branch", "hollow"},
			Phrases: []game.Phrase{
				game.Say("tiny.over"),
				game.Say("tiny.turn", "seat"),
				game.Say("tiny.time", "asked"),
				game.Say("tiny.more"),
				game.Say("tiny.seat", "seat"),
				game.Say("tiny.nut", "nut"),
				game.Say("tiny.mushroom", "mushroom", "most"),
				game.Say("tiny.dig.leaves"),
				game.Say("tiny.dig.hollow", "most"),
				game.Say("tiny.boast.hollow"),
				game.Say("tiny.dry.hollow", "mushroom"),
				game.Say("tiny.fall.tree", "nut"),
				game.Say("tiny.find.leaves", "mushroom"),

				game.Say("tiny.shook", "seat"),
				game.Say("tiny.fell", "seat", "nut"),
				game.Say("tiny.dug", "seat"),
				game.Say("tiny.found", "seat", "mushroom"),
				game.Say("tiny.hid", "seat"),
				game.Say("tiny.dried", "seat", "mushroom"),
				game.Say("tiny.napped", "seat"),
				game.Say("tiny.boasted", "seat", "mushrooms"),
				game.Say("tiny.snowed"),

				game.Say("tiny.sheet.nuts", "nut", "worth"),
				game.Say("tiny.sheet.branch"),
				game.Say("tiny.sheet.hollow"),

				game.Say("tiny.tie.branch", "seat", "other", "rule"),
				game.Say("tiny.tie.shared", "seat", "other", "rule"),
			},
		},
		New: func(seats int, options json.RawMessage, _ int) (game.Playable[Wood, Deed], error) {
			if err := game.ReadOptions(options).Done(); err != nil {
				return nil, err
			}
			return newTiny(seats), nil
		},
	}
}

// tiny is the rules for a number of squirrels.
type tiny struct {
	seats int
	tree  [kinds + 1]uint8 // the nuts of 1.2, by kind
}

func newTiny(seats int) tiny {
	return tiny{seats: seats, tree: [kinds + 1]uint8{hazelnut: 6, walnut: 4, chestnut: 2}}
}

// The box.

// The kinds of nuts; each is worth its number (1.2).
const (
	hazelnut = 1 + iota
	walnut
	chestnut

	kinds = chestnut
)

const (
	mushrooms = 8 // 1.3
	room      = 2 // 2.3
)

// Mushrooms is a set of mushrooms: bit n-1 stands for number n.
type Mushrooms uint8

const allMushrooms Mushrooms = 1<<mushrooms - 1

func only(number uint8) Mushrooms { return 1 << (number - 1) }

func (set Mushrooms) has(number uint8) bool {
	return number >= 1 && number <= mushrooms && set&only(number) != 0
}

func (set Mushrooms) size() int { return bits.OnesCount8(uint8(set)) }

// first is the lowest number in a set that is not empty.
func (set Mushrooms) first() uint8 { return uint8(bits.TrailingZeros8(uint8(set))) + 1 }

// rest is the set without its first.
func (set Mushrooms) rest() Mushrooms { return set & (set - 1) }

// pick is a number of a set that is not empty, each as likely as the others.
func (set Mushrooms) pick(rng *rand.Rand) uint8 {
	for range rng.IntN(set.size()) {
		set = set.rest()
	}
	return set.first()
}

func (set Mushrooms) numbers() []int {
	list := make([]int, 0, set.size())
	for ; set != 0; set = set.rest() {
		list = append(list, int(set.first()))
	}
	return list
}

// The position.

// Wood is a position. It does not keep what lies under the leaves: that is whatever
// lies nowhere else. So a viewer, who does not know what others hide, takes for
// possible exactly what is possible.
type Wood struct {
	Viewer    game.Seat        // whose view this is, None for the truth
	Asked     Asked            // what must happen next
	Turns     uint8            // turns that are done
	Leaves    uint8            // how many mushrooms lie under the leaves
	Tree      [kinds + 1]uint8 // how many nuts hang in the tree, by kind
	Squirrels [game.MaxSeats]Squirrel
}

// Squirrel is what one seat owns.
type Squirrel struct {
	Nuts   [kinds + 1]uint8 // by kind
	Branch Mushrooms        // open
	Hidden uint8            // how many mushrooms the hollow holds
	Hollow Mushrooms        // which ones: secret
}

// Asked is what must happen next.
type Asked uint8

// What may be asked, of a squirrel or of chance.
const (
	AskDeed Asked = 1 + iota // 2.1: a squirrel must act
	AskNut                   // 2.2: a nut falls
	AskFind                  // 2.3: a mushroom is found
	AskRest                  // 2.5: a squirrel dries a mushroom or naps
	AskNone                  // 3.1: the game is over
)

// Seats is the number of squirrels.
func (r tiny) Seats() int { return r.seats }

// Start is the wood before the first turn.
func (r tiny) Start() Wood {
	return Wood{Viewer: game.None, Asked: AskDeed, Leaves: mushrooms, Tree: r.tree}
}

// ToAct follows from what is asked.
func (r tiny) ToAct(w *Wood) game.Seat {
	switch w.Asked {
	case AskDeed, AskRest:
		return r.squirrel(w)
	case AskNut, AskFind:
		return game.Chance
	}
	return game.None
}

// Turn counts the squirrels' turns.
func (r tiny) Turn(w *Wood) int { return int(w.Turns) }

// squirrel is the seat whose turn it is (1.1).
func (r tiny) squirrel(w *Wood) game.Seat { return game.Seat(int(w.Turns) % r.seats) }

func (w *Wood) nuts() int {
	n := 0
	for _, left := range w.Tree {
		n += int(left)
	}
	return n
}

// open tells whether this position knows the hollow of seat.
func (w *Wood) open(seat game.Seat) bool {
	return w.Viewer == game.None || w.Viewer == seat || w.Asked == AskNone
}

// unseen is every mushroom that lies under the leaves or in an unknown hollow.
func (w *Wood) unseen() Mushrooms {
	set := allMushrooms
	for i := range w.Squirrels {
		set &^= w.Squirrels[i].Branch | w.Squirrels[i].Hollow
	}
	return set
}

// dryable is every mushroom that may lie in the hollow of seat, as far as this
// position knows.
func (w *Wood) dryable(seat game.Seat) Mushrooms {
	if w.open(seat) {
		return w.Squirrels[seat].Hollow
	}
	return w.unseen()
}

// mayDig holds rule 2.3.
func (w *Wood) mayDig(seat game.Seat) bool {
	return w.Leaves > 0 && w.Squirrels[seat].Hidden < room
}

// Count counts nuts by kind and mushrooms, those in hollows once by how many
// there are and once by which.
func (r tiny) Count(w *Wood) [8]int {
	var count [8]int
	for kind := range w.Tree {
		count[kind] = int(w.Tree[kind])
	}
	byNumber, byName := int(w.Leaves), int(w.Leaves)
	for i := range w.Squirrels {
		sq := &w.Squirrels[i]
		for kind := range sq.Nuts {
			count[kind] += int(sq.Nuts[kind])
		}
		byNumber += sq.Branch.size() + int(sq.Hidden)
		byName += sq.Branch.size() + sq.Hollow.size()
	}
	count[kinds+1], count[kinds+2] = byNumber, byName
	return count
}

// Moves.

// Deed is a move: what is done, and to what.
type Deed struct {
	Do       Do
	Seat     game.Seat // who finds
	Nut      uint8     // what falls
	Mushroom uint8     // what is found or dried; 0 where the hearer may not know
}

// Do is a kind of move.
type Do uint8

// The kinds of moves (4.1, 4.2).
const (
	Shake Do = 1 + iota
	Dig
	Boast
	Dry
	Nap
	Fall
	Find
)

// Moves lists what seat may do.
func (r tiny) Moves(w *Wood, seat game.Seat, buf []Deed) []Deed {
	if seat != r.ToAct(w) {
		return buf
	}
	switch w.Asked {
	case AskDeed:
		buf = append(buf, Deed{Do: Shake})
		if w.mayDig(seat) {
			buf = append(buf, Deed{Do: Dig})
		}
		if w.Squirrels[seat].Hidden > 0 {
			buf = append(buf, Deed{Do: Boast})
		}
	case AskRest:
		for set := w.dryable(seat); set != 0; set = set.rest() {
			buf = append(buf, Deed{Do: Dry, Mushroom: set.first()})
		}
		buf = append(buf, Deed{Do: Nap})
	case AskNut:
		for kind := uint8(hazelnut); kind <= kinds; kind++ {
			if w.Tree[kind] > 0 {
				buf = append(buf, Deed{Do: Fall, Nut: kind})
			}
		}
	case AskFind:
		finder := r.squirrel(w)
		if !w.open(finder) {
			return append(buf, Deed{Do: Find, Seat: finder})
		}
		for set := w.unseen(); set != 0; set = set.rest() {
			buf = append(buf, Deed{Do: Find, Seat: finder, Mushroom: set.first()})
		}
	}
	return buf
}

// Check says why a move is not allowed.
func (r tiny) Check(w *Wood, seat game.Seat, d Deed) error {
	switch toAct := r.ToAct(w); {
	case toAct == game.None:
		return game.Refuse("3.1", "tiny.over", nil)
	case seat != toAct:
		return game.Refuse("1.1", "tiny.turn", game.Args{"seat": toAct})
	case d.Do.answers() != w.Asked:
		return game.Refuse(w.Asked.rule(), "tiny.time", game.Args{"asked": w.Asked.String()})
	}
	needs := Deed{Do: d.Do}
	var refusal *game.Refusal
	switch d.Do {
	case Dig:
		if w.Leaves == 0 {
			refusal = game.Refuse("2.3", "tiny.dig.leaves", nil)
		} else if !w.mayDig(seat) {
			refusal = game.Refuse("2.3", "tiny.dig.hollow", game.Args{"most": room})
		}
	case Boast:
		if w.Squirrels[seat].Hidden == 0 {
			refusal = game.Refuse("2.4", "tiny.boast.hollow", nil)
		}
	case Dry:
		needs.Mushroom = d.Mushroom
		if !w.dryable(seat).has(d.Mushroom) {
			refusal = game.Refuse("2.5", "tiny.dry.hollow", game.Args{"mushroom": d.Mushroom})
		}
	case Fall:
		needs.Nut = d.Nut
		if d.Nut < hazelnut || d.Nut > kinds || w.Tree[d.Nut] == 0 {
			refusal = game.Refuse("2.2", "tiny.fall.tree", game.Args{"nut": nutName(d.Nut)})
		}
	case Find:
		needs.Seat = r.squirrel(w)
		if w.open(needs.Seat) {
			needs.Mushroom = d.Mushroom
			if !w.unseen().has(d.Mushroom) {
				refusal = game.Refuse("2.3", "tiny.find.leaves", game.Args{"mushroom": d.Mushroom})
			}
		}
	}
	if refusal != nil {
		return refusal
	}
	if d != needs {
		return game.Refuse("4.3", "tiny.more", nil)
	}
	return nil
}

// answers is what must be asked when such a move is made.
func (d Do) answers() Asked {
	switch d {
	case Shake, Dig, Boast:
		return AskDeed
	case Dry, Nap:
		return AskRest
	case Fall:
		return AskNut
	case Find:
		return AskFind
	}
	return 0
}

// rule is the rule that says what must happen.
func (a Asked) rule() string { return word(a, "2.1", "2.2", "2.3", "2.5", "3.1") }

// Odds of a nut are how many of its kind hang in the tree (2.2).
func (r tiny) Odds(w *Wood, d Deed) int {
	if d.Do == Fall {
		return int(w.Tree[d.Nut])
	}
	return 1
}

// Sample draws a legal move without listing them.
func (r tiny) Sample(w *Wood, seat game.Seat, rng *rand.Rand) Deed {
	switch w.Asked {
	case AskDeed:
		deeds, n := [3]Deed{{Do: Shake}}, 1
		if w.mayDig(seat) {
			deeds[n].Do = Dig
			n++
		}
		if w.Squirrels[seat].Hidden > 0 {
			deeds[n].Do = Boast
			n++
		}
		return deeds[rng.IntN(n)]
	case AskRest:
		set := w.dryable(seat)
		if rng.IntN(set.size()+1) == 0 {
			return Deed{Do: Nap}
		}
		return Deed{Do: Dry, Mushroom: set.pick(rng)}
	case AskNut:
		for {
			if kind := uint8(hazelnut + rng.IntN(kinds)); w.Tree[kind] > 0 {
				return Deed{Do: Fall, Nut: kind}
			}
		}
	}
	found := Deed{Do: Find, Seat: r.squirrel(w)}
	if w.open(found.Seat) {
		found.Mushroom = w.unseen().pick(rng)
	}
	return found
}

// Play.

// Play makes a move. On a view it does what the viewer can know of it.
func (r tiny) Play(w *Wood, _ game.Seat, d Deed, log *game.Log) {
	seat := r.squirrel(w)
	sq := &w.Squirrels[seat]
	switch d.Do {
	case Shake:
		w.Asked = AskNut
		if log != nil {
			log.Tell("tiny.shook", game.Args{"seat": seat})
		}
	case Dig:
		w.Asked = AskFind
		if log != nil {
			log.Tell("tiny.dug", game.Args{"seat": seat})
		}
	case Boast:
		if log != nil {
			log.Tell("tiny.boasted", game.Args{"seat": seat, "mushrooms": sq.Hollow.numbers()})
		}
		sq.Branch |= sq.Hollow
		sq.Hollow, sq.Hidden = 0, 0
		r.endTurn(w, log)
	case Dry:
		sq.Branch |= only(d.Mushroom)
		sq.Hollow &^= only(d.Mushroom)
		sq.Hidden--
		if log != nil {
			log.Tell("tiny.dried", game.Args{"seat": seat, "mushroom": d.Mushroom})
		}
		r.endTurn(w, log)
	case Nap:
		if log != nil {
			log.Tell("tiny.napped", game.Args{"seat": seat})
		}
		r.endTurn(w, log)
	case Fall:
		w.Tree[d.Nut]--
		sq.Nuts[d.Nut]++
		if log != nil {
			log.Tell("tiny.fell", game.Args{"seat": seat, "nut": nutName(d.Nut)})
		}
		w.Asked = AskRest
		if sq.Hidden == 0 {
			r.endTurn(w, log)
		}
	case Find:
		w.Leaves--
		sq.Hidden++
		if d.Mushroom != 0 {
			sq.Hollow |= only(d.Mushroom)
		}
		w.Asked = AskRest
		if log != nil {
			log.TellTo(game.Only(seat), "tiny.found", game.Args{"seat": seat, "mushroom": d.Mushroom})
			log.TellTo(game.Everyone&^game.Only(seat), "tiny.hid", game.Args{"seat": seat})
		}
	}
}

// endTurn passes the turn on, or lets the snow come (3.1).
func (r tiny) endTurn(w *Wood, log *game.Log) {
	w.Turns++
	w.Asked = AskDeed
	if w.nuts() == 0 {
		w.Asked = AskNone
		if log != nil {
			log.Tell("tiny.snowed", nil)
		}
	}
}

// Score.

// Standing scores nuts, branch and hollow.
func (r tiny) Standing(w *Wood) game.Standing {
	st := game.Standing{Over: w.Asked == AskNone}
	known := true
	for seat := range game.Seat(r.seats) {
		parts := [game.MaxParts]game.Points{w.nutPoints(seat), w.branchPoints(seat), w.hollowPoints(seat)}
		total := parts[0] + parts[1] + parts[2]
		if parts[2] == game.Unknown {
			total, known = game.Unknown, false
		}
		st.Seats[seat] = game.Score{Parts: parts, Total: total}
	}
	if known {
		st.RankBy(r.seats, func(a, b game.Seat) bool { // 3.4
			if st.Seats[a].Total != st.Seats[b].Total {
				return st.Seats[a].Total > st.Seats[b].Total
			}
			return st.Seats[a].Parts[1] > st.Seats[b].Parts[1]
		})
	}
	return st
}

// TieBreak compares the branch (3.4).
func (r tiny) TieBreak(w *Wood, seat, other game.Seat) (string, game.Args) {
	args := game.Args{"seat": seat, "other": other, "rule": "3.4"}
	if w.branchPoints(seat) > w.branchPoints(other) {
		return "tiny.tie.branch", args
	}
	return "tiny.tie.shared", args
}

func (w *Wood) nutPoints(seat game.Seat) game.Points {
	points := game.Points(0)
	for kind, n := range w.Squirrels[seat].Nuts {
		points += game.Points(kind) * game.Points(n)
	}
	return points
}

func (w *Wood) branchPoints(seat game.Seat) game.Points {
	points := game.Points(0)
	for set := w.Squirrels[seat].Branch; set != 0; set = set.rest() {
		points += game.Points(set.first())
	}
	return points
}

func (w *Wood) hollowPoints(seat game.Seat) game.Points {
	if !w.open(seat) && w.Squirrels[seat].Hidden > 0 {
		return game.Unknown
	}
	points := game.Points(0)
	for set := w.Squirrels[seat].Hollow; set != 0; set = set.rest() {
		points += game.Points(set.first() / 2)
	}
	return points
}

// Sheet has a line for every kind of nut, one for branches, one for hollows.
func (r tiny) Sheet(w *Wood) []game.SheetLine {
	line := func(part string, args game.Args, points func(game.Seat) game.Points) game.SheetLine {
		l := game.SheetLine{Part: part, Key: "tiny.sheet." + part, Args: args}
		for seat := range game.Seat(r.seats) {
			l.Points = append(l.Points, points(seat))
		}
		return l
	}
	var lines []game.SheetLine
	for kind := uint8(hazelnut); kind <= kinds; kind++ {
		args := game.Args{"nut": nutName(kind), "worth": kind}
		lines = append(lines, line("nuts", args, func(seat game.Seat) game.Points {
			return game.Points(kind) * game.Points(w.Squirrels[seat].Nuts[kind])
		}))
	}
	return append(lines,
		line("branch", game.Args{}, w.branchPoints),
		line("hollow", game.Args{}, w.hollowPoints))
}

// Facts says what a drying mushroom gains and how likely a nut is.
func (r tiny) Facts(w *Wood, _ game.Seat, d Deed) game.Args {
	switch d.Do {
	case Dry:
		return game.Args{"gains": d.Mushroom - d.Mushroom/2}
	case Fall:
		return game.Args{"worth": d.Nut, "odds": [2]int{r.Odds(w, d), w.nuts()}}
	}
	return game.Args{}
}

// Sight.

// See shows everything but other hollows, and those too once the snow has come
// (1.4, 3.1).
func (r tiny) See(w *Wood, seat game.Seat, view *Wood) {
	view.Viewer = seat
	view.Asked = w.Asked
	view.Turns = w.Turns
	view.Leaves = w.Leaves
	view.Tree = w.Tree
	for i := range game.Seat(r.seats) {
		sq := &w.Squirrels[i]
		view.Squirrels[i] = Squirrel{Nuts: sq.Nuts, Branch: sq.Branch, Hidden: sq.Hidden}
		if view.open(i) {
			view.Squirrels[i].Hollow = sq.Hollow
		}
	}
}

// Heard keeps from others which mushroom was found (2.3).
func (r tiny) Heard(d Deed, _, to game.Seat) Deed {
	if d.Do == Find && d.Seat != to {
		d.Mushroom = 0
	}
	return d
}

// Reveals is true of a boast and of the move that brings the snow. A squirrel names
// the mushroom that it dries, so that every view can follow.
func (r tiny) Reveals(w *Wood, d Deed) bool {
	switch d.Do {
	case Boast:
		return true
	case Dry, Nap:
		return w.nuts() == 0
	case Fall:
		return w.nuts() == 1 && w.Squirrels[r.squirrel(w)].Hidden == 0
	}
	return false
}

// Imagine fills the hollows that the view does not know with unseen mushrooms, all
// ways equally likely.
func (r tiny) Imagine(w *Wood, _ game.Seat, rng *rand.Rand) {
	unseen := w.unseen()
	for i := range game.Seat(r.seats) {
		if w.open(i) {
			continue
		}
		sq := &w.Squirrels[i]
		for range sq.Hidden {
			number := unseen.pick(rng)
			unseen &^= only(number)
			sq.Hollow |= only(number)
		}
	}
	w.Viewer = game.None
}

// Wire.

// The names on the wire are for ever, whatever the constants are called.

func nutName(kind uint8) string { return word(kind, "hazelnut", "walnut", "chestnut") }

// String is the name of a kind of move on the wire.
func (d Do) String() string {
	return word(d, "shake", "dig", "boast", "dry", "nap", "fall", "find")
}

// String is the name of what is asked on the wire.
func (a Asked) String() string { return word(a, "deed", "nut", "find", "rest", "none") }

// word is the name of a thing that is counted from 1; empty where it has none.
func word[T ~uint8](thing T, names ...string) string {
	if thing < 1 || int(thing) > len(names) {
		return ""
	}
	return names[thing-1]
}

// AppendMove writes a move as 4.1 and 4.2 say.
func (r tiny) AppendMove(dst []byte, d Deed) []byte {
	dst = fmt.Appendf(dst, `{"do":%q`, d.Do)
	switch d.Do {
	case Fall:
		dst = fmt.Appendf(dst, `,"nut":%q`, nutName(d.Nut))
	case Find:
		dst = fmt.Appendf(dst, `,"seat":%d`, d.Seat)
	}
	if d.Mushroom != 0 {
		dst = fmt.Appendf(dst, `,"mushroom":%d`, d.Mushroom)
	}
	return append(dst, '}')
}

// ReadMove reads a move.
func (r tiny) ReadMove(raw []byte) (Deed, error) {
	o := game.ReadObject(raw)
	do := o.Text("do")
	var d Deed
	var refusal *game.Refusal
	known := []string{}
	for kind := Shake; kind <= Find; kind++ {
		known = append(known, kind.String())
		if do == kind.String() {
			d.Do = kind
		}
	}
	switch d.Do {
	case 0:
		if err := o.Fault(); err != nil {
			return Deed{}, err
		}
		return Deed{}, game.Blame("move.do", game.Args{"do": do, "known": known})
	case Dry:
		d.Mushroom, refusal = readMushroom(o)
	case Fall:
		name := o.Text("nut")
		for kind := uint8(hazelnut); kind <= kinds; kind++ {
			if name == nutName(kind) {
				d.Nut = kind
			}
		}
		if d.Nut == 0 {
			refusal = game.Refuse("1.2", "tiny.nut", game.Args{"nut": name})
		}
	case Find:
		seat := o.Number("seat")
		if o.Has("mushroom") {
			d.Mushroom, refusal = readMushroom(o)
		}
		if seat < 0 || seat >= r.seats {
			refusal = game.Refuse("1.1", "tiny.seat", game.Args{"seat": seat})
			break
		}
		d.Seat = game.Seat(seat)
	}
	if err := o.Done(); err != nil {
		return Deed{}, err
	}
	if refusal != nil {
		return Deed{}, refusal
	}
	return d, nil
}

func readMushroom(o *game.Object) (uint8, *game.Refusal) {
	number := o.Number("mushroom")
	if number < 1 || number > mushrooms {
		return 0, game.Refuse("1.3", "tiny.mushroom", game.Args{"mushroom": number, "most": mushrooms})
	}
	return uint8(number), nil
}

// woodJSON is a view on the wire. Tree and leaves are for the screen: the rules
// compute them from the rest.
type woodJSON struct {
	Viewer    json.RawMessage `json:"viewer"`
	Asked     string          `json:"asked"`
	Turn      int             `json:"turn"`
	Tree      nutsJSON        `json:"tree"`
	Leaves    int             `json:"leaves"`
	Squirrels []squirrelJSON  `json:"squirrels"`
}

type squirrelJSON struct {
	Nuts   nutsJSON `json:"nuts"`
	Branch []int    `json:"branch"`
	Hidden int      `json:"hidden"`
	Hollow []int    `json:"hollow"` // null where the viewer does not know
}

type nutsJSON struct {
	Hazelnut int `json:"hazelnut"`
	Walnut   int `json:"walnut"`
	Chestnut int `json:"chestnut"`
}

func toNutsJSON(n [kinds + 1]uint8) nutsJSON {
	return nutsJSON{Hazelnut: int(n[hazelnut]), Walnut: int(n[walnut]), Chestnut: int(n[chestnut])}
}

// ViewJSON shows a view.
func (r tiny) ViewJSON(w *Wood) any {
	viewer, err := w.Viewer.MarshalJSON()
	if err != nil {
		panic(err) // a seat can always be written
	}
	v := woodJSON{
		Viewer: viewer,
		Asked:  w.Asked.String(),
		Turn:   int(w.Turns),
		Tree:   toNutsJSON(w.Tree),
		Leaves: int(w.Leaves),
	}
	for i := range game.Seat(r.seats) {
		sq := &w.Squirrels[i]
		s := squirrelJSON{Nuts: toNutsJSON(sq.Nuts), Branch: sq.Branch.numbers(), Hidden: int(sq.Hidden)}
		if w.open(i) {
			s.Hollow = sq.Hollow.numbers()
		}
		v.Squirrels = append(v.Squirrels, s)
	}
	return v
}

// ReadView reads a view and takes it only if a game can come to it.
func (r tiny) ReadView(raw []byte) (Wood, error) {
	var v woodJSON
	if json.Unmarshal(raw, &v) != nil {
		return Wood{}, game.Blame("json.object", nil)
	}
	w, wrong := r.restore(&v)
	if wrong != "" {
		return Wood{}, game.Blame("view.impossible", game.Args{"path": "view." + wrong})
	}
	return w, nil
}

// restore makes the position of a view, or names the field that is wrong.
func (r tiny) restore(v *woodJSON) (w Wood, wrong string) {
	viewer, ok := game.ParseSeat(v.Viewer)
	if !ok || viewer != game.Watcher && (viewer < 0 || int(viewer) >= r.seats) {
		return w, "viewer"
	}
	w = r.Start()
	w.Viewer = viewer
	w.Asked = 0
	for asked := AskDeed; asked <= AskNone; asked++ {
		if v.Asked == asked.String() {
			w.Asked = asked
		}
	}
	// Every turn that is done dropped a nut, found a mushroom, or was a boast of at
	// least one.
	mostTurns := w.nuts() + mushrooms + mushrooms
	if v.Turn < 0 || v.Turn > mostTurns {
		return w, "turn"
	}
	w.Turns = uint8(v.Turn)
	if len(v.Squirrels) != r.seats {
		return w, "squirrels"
	}
	seen, hidden := Mushrooms(0), 0
	take := func(numbers []int) (set Mushrooms, ok bool) {
		for _, n := range numbers {
			if n < 1 || n > mushrooms || seen.has(uint8(n)) {
				return 0, false
			}
			seen |= only(uint8(n))
			set |= only(uint8(n))
		}
		return set, true
	}
	for i := range game.Seat(r.seats) {
		from, sq := &v.Squirrels[i], &w.Squirrels[i]
		path := fmt.Sprintf("squirrels[%d].", i)
		for kind, n := range [kinds + 1]int{
			hazelnut: from.Nuts.Hazelnut, walnut: from.Nuts.Walnut, chestnut: from.Nuts.Chestnut,
		} {
			if n < 0 || n > int(w.Tree[kind]) {
				return w, path + "nuts"
			}
			sq.Nuts[kind] = uint8(n)
			w.Tree[kind] -= uint8(n)
		}
		if sq.Branch, ok = take(from.Branch); !ok {
			return w, path + "branch"
		}
		if from.Hidden < 0 || from.Hidden > room {
			return w, path + "hidden"
		}
		sq.Hidden = uint8(from.Hidden)
		if sq.Hollow, ok = take(from.Hollow); !ok || w.open(i) != (from.Hollow != nil) {
			return w, path + "hollow"
		}
		if w.open(i) && sq.Hollow.size() != from.Hidden {
			return w, path + "hidden"
		}
		hidden += from.Hidden - sq.Hollow.size()
	}
	left := mushrooms - seen.size() - hidden
	if left < 0 {
		return w, "leaves"
	}
	w.Leaves = uint8(left)
	sq := &w.Squirrels[r.squirrel(&w)]
	switch nuts := w.nuts(); {
	case w.Asked == AskDeed && nuts > 0:
	case w.Asked == AskNut && nuts > 0:
	case w.Asked == AskFind && nuts > 0 && left > 0 && sq.Hidden < room:
	case w.Asked == AskRest && sq.Hidden > 0:
	case w.Asked == AskNone && nuts == 0:
	default:
		return w, "asked"
	}
	return w, ""
}
