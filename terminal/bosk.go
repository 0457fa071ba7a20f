package terminal

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"copse/game"
	"copse/games/bosk"
)

// boskPhrases are what the face of Bosk says beside the game's own phrases.
func boskPhrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("play.bosk.season", "season", "round", "rounds", "wind", "arrow"),
		say("play.bosk.hiker", "seat"),
		say("play.bosk.ask.plant", "seat", "tree", "at"),
		say("play.bosk.ask.wind", "seat"),
		say("play.bosk.ask.shed", "seat", "at", "tile"),
		say("play.bosk.ask.leaf", "seat", "active", "to"),
		say("play.bosk.ask.squirrel", "seat", "to"),
		say("play.bosk.numbers", "tree"),
		say("play.bosk.choice", "tree", "at"),
		say("play.bosk.on", "what"),
		say("play.bosk.over", "what", "price"),
		say("play.bosk.leaves", "where"),
		say("play.bosk.leaf", "to", "height"),
		say("play.bosk.cover", "to", "other", "back"),
		say("play.bosk.sheet", "season"),
		say("play.bosk.row", "trail"),
		say("play.bosk.column", "trail"),
		say("play.bosk.region", "region", "size"),
	}
	for _, word := range []string{
		"hand", "tiles", "played", "round", "wind", "tree", "any", "free", "rule", "help",
		"word.north", "word.east", "word.south", "word.west", "word.squirrel",
		"why.nobody", "why.alone", "why.first-and-second", "why.tied-second", "why.tied-first",
		"typed.plant", "typed.wind", "typed.shed", "typed.leaf", "typed.list",
		"sign.tree", "sign.pile", "sign.squirrel", "sign.new", "sign.choice",
	} {
		list = append(list, say("play.bosk."+word))
	}
	return list
}

// boskFace draws the park of Bosk: rows of squares and, between them, rows of
// crossings, with squares named along the top and left and trails numbered
// along the bottom and right.
type boskFace struct{ plainFace }

// ground is how a terrain looks: a texture that tells it apart without colour,
// and its tones.
type ground struct {
	texture            string // as wide as a square
	back, front, trail ink
}

// groundOf is the ground of a terrain. One of another box shows its letter.
func groundOf(name string, letter byte) ground {
	switch name {
	case "meadow":
		return ground{",','", 0x93B36A, 0x6F8E48, dark}
	case "rapids":
		return ground{"~~~~", 0x2F5B78, 0x6E9DBB, cream}
	case "sand":
		return ground{"....", 0xF1E3B2, 0xB9A562, dark}
	case "earth":
		return ground{"----", 0x463730, 0x7E695C, cream}
	case "blossom":
		return ground{"%%%%", 0xE6B5C1, 0xFFF3F3, dark}
	case "lake":
		return ground{"====", 0x74AEDB, 0xA9D2F0, dark}
	case "rock":
		return ground{"^^^^", 0x94938E, 0x757470, dark}
	case "red-ground":
		return ground{"++++", 0xA8553F, 0xC98470, cream}
	}
	return ground{texture: strings.Repeat(strings.ToLower(string(letter)), squareWide)}
}

const (
	cream ink = 0xFFFAF0
	dark  ink = 0x2A2721
	moss  ink = 0x2C6844
)

// pieceOf is how the pieces of a species look.
func pieceOf(species string) style {
	switch species {
	case "maple":
		return style{front: cream, back: 0xA31D2B, bold: true}
	case "oak":
		return style{front: dark, back: 0xD9771C, bold: true}
	case "beech":
		return style{front: cream, back: 0x5538A0, bold: true}
	case "ginkgo":
		return style{front: dark, back: 0xF7D64A, bold: true}
	}
	return style{bold: true}
}

// choiceStyle is how that looks which may be chosen.
var choiceStyle = style{front: moss, back: cream, bold: true}

// squirrelSign stands for a squirrel, on the board and among the tiles.
const squirrelSign = "&"

// boskMove is a move of Bosk as the wire has it.
type boskMove struct {
	Do   string    `json:"do"`
	Tree int       `json:"tree"`
	Side string    `json:"side"`
	At   [2]int    `json:"at"`
	To   [2]int    `json:"to"`
	Tile bosk.Tile `json:"tile"`
}

// park is a scene of Bosk, read from its JSON.
type park struct {
	bosk.View
	old   bosk.View
	moves []boskMove
	marks []string // the letter of each seat
	look  []style  // of each seat's pieces
}

func (f *boskFace) park(sc *scene) *park {
	p := &park{View: readBosk(sc.now), old: readBosk(sc.since), moves: make([]boskMove, len(sc.moves))}
	for i, raw := range sc.moves {
		mustRead(raw, &p.moves[i])
	}
	for _, player := range p.Players {
		p.look = append(p.look, pieceOf(player.Species))
	}
	p.marks = marksOf(f.seats)
	return p
}

// sign is how a square with something on it is written: whose, and how many
// leaves or a squirrel.
func (p *park) sign(q bosk.SquareView) string {
	if q.Squirrel {
		return p.marks[q.Seat] + squirrelSign
	}
	return p.marks[q.Seat] + strconv.Itoa(q.Leaves)
}

func readBosk(view game.Position) (v bosk.View) {
	mustRead(view.View(), &v)
	return v
}

// marksOf are the first letters of names or, where two are the same, numbers.
func marksOf(names []string) []string {
	var marks, numbers []string
	for i, name := range names {
		first, _ := utf8.DecodeRuneInString(name)
		marks = append(marks, string(unicode.ToUpper(first)))
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(marks)))) < len(marks) {
		return numbers
	}
	return marks
}

func (f *boskFace) names(view game.Position) []string {
	var list []string
	for _, player := range readBosk(view).Players {
		list = append(list, f.word("bosk.seat", player.Species))
	}
	return list
}

func (f *boskFace) draw(sc *scene) string {
	p := f.park(sc)
	board := strings.Join(f.board(p), "\n")
	if !sc.whole {
		return board
	}
	parts := []string{f.title(p), board, f.regions(p, sc.now.Sheet())}
	if p.ToAct != nil {
		parts = append(parts, f.players(p))
		if p.Wind != nil {
			parts = slices.Insert(parts, 1, f.windBoard(p))
		}
	}
	return strings.Join(parts, "\n\n")
}

// title says which season it is, and in autumn where the wind blows.
func (f *boskFace) title(p *park) string {
	args := game.Args{"season": p.Season, "round": p.Round, "rounds": 0, "wind": "", "arrow": ""}
	if p.Wind != nil {
		args["rounds"], args["wind"], args["arrow"] = len(p.Wind.All), p.Wind.Blows, arrow(p.Wind.Blows)
	}
	return f.bold(f.say("play.bosk.season", args))
}

func arrow(wind string) string {
	return map[string]string{"north": "↑", "east": "→", "south": "↓", "west": "←"}[wind]
}

// windBoard shows where the wind blows and which tree it asks for, round by
// round, the present round in parentheses.
func (f *boskFace) windBoard(p *park) string {
	lines := []string{f.say("play.bosk.round", nil), f.say("play.bosk.wind", nil), f.say("play.bosk.tree", nil)}
	label, wide := 0, long(f.askedTree("any"))+3
	for _, line := range lines {
		label = max(label, long(line))
	}
	for i := range lines {
		lines[i] = pad(lines[i], label+1)
	}
	for i, wind := range p.Wind.All {
		for j, cell := range []string{strconv.Itoa(i + 1), arrow(wind), f.askedTree(p.Asks[i])} {
			if i+1 == p.Round {
				cell = f.bold("(" + cell + ")")
			}
			lines[j] += centre(cell, wide)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// askedTree is what the wind board says of a tree: a value, or "any".
func (f *boskFace) askedTree(tree any) string {
	if tree == "any" {
		return f.say("play.bosk.any", nil)
	}
	return fmt.Sprint(tree)
}

// The board: a square is four characters wide, a trail one; to the left there
// is room for the number of the row.
const (
	squareWide = 4
	pitch      = squareWide + 1
	leftEdge   = 3
)

// squareAt is the left end of a square, crossingAt the place of a crossing.
func squareAt(row, column int) (x, y int) { return leftEdge + pitch*column, 1 + 2*row }

func crossingAt(row, column int) (x, y int) { return leftEdge + pitch*column - 1, 2 * row }

func (f *boskFace) board(p *park) []string {
	side, sums := len(p.Board), 0
	if p.Season == "spring" {
		sums = len(p.Players)
	}
	right, below := leftEdge+pitch*side, 2*side
	c := newCanvas(right+3+3*sums, below+1+sums)
	f.drawGround(c, p)
	for i := range side {
		x, y := squareAt(i, i)
		c.put(x+1, 0, string(rune('A'+i)), style{bold: true})
		c.put(0, y, fmt.Sprintf("%2d", i+1), style{bold: true})
		if i > 0 {
			x, y := crossingAt(i, i)
			c.put(x, below, strconv.Itoa(i), style{})
			c.put(right, y, fmt.Sprintf("%2d", i), style{})
		}
	}
	for seat := range sums {
		f.drawSums(c, p, seat, right+3+3*seat, below+1+seat)
	}
	f.drawPieces(c, p)
	f.drawChoices(c, p)
	return c.lines(f.colour)
}

// drawGround lays terrain on every square and halfway over the trails around
// it, so that in colour a region is one patch. Without colour the trails stay
// blank between the textures.
func (f *boskFace) drawGround(c *canvas, p *park) {
	last := len(p.Board) - 1
	at := func(row, column int) ground {
		letter := p.Board[min(row, last)][min(column, last)]
		return groundOf(p.Regions[string(letter)], letter)
	}
	for row := range p.Board {
		for column := range p.Board {
			here, east, south, beyond := at(row, column), at(row, column+1), at(row+1, column), at(row+1, column+1)
			x, y := squareAt(row, column)
			c.put(x, y, here.texture, style{front: here.front, back: here.back})
			if column < last {
				f.drawTrail(c, x+squareWide, y, "▌", here, east)
			}
			if row < last {
				f.drawTrail(c, x, y+1, "▀▀▀▀", here, south)
			}
			if row < last && column < last {
				most := here // of the four grounds around the crossing
				if east == beyond {
					most = east
				} else if south == beyond {
					most = south
				}
				c.put(x+squareWide, y+1, "·", style{front: most.trail, back: most.back})
			}
		}
	}
}

// drawTrail draws a stretch of trail between two grounds by characters of which
// one half is ink.
func (f *boskFace) drawTrail(c *canvas, x, y int, halves string, here, next ground) {
	st := style{front: here.back, back: next.back}
	if f.colour == NoColour || here.back == next.back {
		halves, st.front = strings.Repeat(" ", utf8.RuneCountInString(halves)), 0
	}
	c.put(x, y, halves, st)
}

// drawSums writes beside and below each trail the values of a seat's trees on
// it.
func (f *boskFace) drawSums(c *canvas, p *park, seat, right, below int) {
	sum := func(n int) string {
		if n == 0 {
			return " ·"
		}
		return fmt.Sprintf("%2d", n)
	}
	c.put(right+1, 0, p.marks[seat], p.look[seat])
	c.put(1, below, p.marks[seat], p.look[seat])
	for i := range p.Trails.Rows {
		x, y := crossingAt(i+1, i+1)
		c.put(right, y, sum(p.Trails.Rows[i][seat]), style{})
		c.put(x-1, below, sum(p.Trails.Columns[i][seat]), style{})
	}
}

// drawPieces puts trees, leaves and squirrels on the board. A star follows what
// is new.
func (f *boskFace) drawPieces(c *canvas, p *park) {
	for _, q := range p.Squares {
		text := p.sign(q)
		x, y := squareAt(q.At[0], q.At[1])
		if !slices.Contains(p.old.Squares, q) {
			text += "*"
		}
		if utf8.RuneCountInString(text) < squareWide {
			x++ // in the middle, with the ground on both sides
		}
		c.put(x, y, text, p.look[q.Seat])
	}
	for _, t := range p.Trees {
		x, y := crossingAt(t.At[0], t.At[1])
		text := p.marks[t.Seat] + strconv.Itoa(t.Tree)
		if !slices.Contains(p.old.Trees, t) {
			text += "*"
		}
		c.put(x, y, text, p.look[t.Seat])
	}
}

// drawChoices marks what may be chosen: a square by its number, a tree by
// brackets. The tree that sheds its leaves stands in parentheses.
func (f *boskFace) drawChoices(c *canvas, p *park) {
	if p.Path != nil {
		x, y := crossingAt(p.Path.From[0], p.Path.From[1])
		c.put(x-1, y, "(", choiceStyle)
		c.put(x+2, y, ")", choiceStyle)
	}
	for i, m := range p.moves {
		switch m.Do {
		case "leaf", "squirrel":
			x, y := squareAt(m.To[0], m.To[1])
			text := fmt.Sprintf("[%d]", i+1)
			c.put(x+squareWide-len(text), y, text, choiceStyle)
		case "shed":
			x, y := crossingAt(m.At[0], m.At[1])
			c.put(x-1, y, "[", choiceStyle)
			c.put(x+2, y, "]", choiceStyle)
		}
	}
}

// heldLine is a line of the score sheet of Bosk.
type heldLine struct {
	Region string `json:"region"` // "" for a trail
	Have   []int  `json:"have"`
	Why    string `json:"why"`
	Rule   string `json:"rule"`
}

// regions names the terrains, in the order in which a reader meets them, and
// who holds how much of each once there is something to hold.
func (f *boskFace) regions(p *park, sheet []game.Line) string {
	held := map[string][]int{}
	for _, line := range sheet {
		var h heldLine
		if decode(line.Args, &h); h.Region != "" {
			held[h.Region] = h.Have
		}
	}
	var cells []string
	seen := map[byte]bool{}
	for _, row := range p.Board {
		for _, letter := range []byte(row) {
			if seen[letter] {
				continue
			}
			seen[letter] = true
			name := p.Regions[string(letter)]
			g := groundOf(name, letter)
			cells = append(cells, style{front: g.front, back: g.back}.paint(f.colour, g.texture)+" "+f.word("bosk.region", name))
			if have, ok := held[name]; ok {
				cells = append(cells, f.shares(p, have))
			}
		}
	}
	return strings.Join(align(slices.Collect(slices.Chunk(cells, 4))), "\n")
}

// shares is what each seat has somewhere.
func (f *boskFace) shares(p *park, have []int) string {
	list := make([]string, len(have))
	for seat, n := range have {
		text := p.marks[seat] + strconv.Itoa(n)
		if n == 0 {
			text = " ·"
		} else {
			text = p.look[seat].paint(f.colour, text)
		}
		list[seat] = pad(text, 3)
	}
	return strings.Join(list, " ") + "   "
}

// players shows what lies before each seat, how it stands, and who is to act.
func (f *boskFace) players(p *park) string {
	hand, played := f.say("play.bosk.hand", nil), ""
	if p.Season != "spring" {
		hand, played = f.say("play.bosk.tiles", nil), f.say("play.bosk.played", nil)
	}
	rows := [][]string{{
		"", "", "", hand, played, f.say("bosk.part.summer", nil), f.say("bosk.part.winter", nil), f.say("play.total", nil), "",
	}}
	for seat, player := range p.Players {
		acts, name := "", f.seats[seat]
		if int(*p.ToAct) == seat {
			acts, name = "→", f.bold(name)
		}
		played := ""
		if player.Played != nil {
			played = tileSign(*player.Played)
		}
		rows = append(rows, []string{
			acts, p.look[seat].paint(f.colour, p.marks[seat]), name, f.hand(p, seat), played,
			strconv.Itoa(player.Summer), strconv.Itoa(player.Winter), strconv.Itoa(player.Summer + player.Winter), f.roles[seat],
		})
	}
	return strings.Join(align(rows, 4, 5, 6, 7), "\n") + "\n" + f.say("play.bosk.hiker", game.Args{"seat": p.Start})
}

// hand is what a seat has left: trees to plant in spring, tiles after it.
func (f *boskFace) hand(p *park, seat int) string {
	var list []string
	if p.Season == "spring" {
		for _, tree := range p.Players[seat].Hand {
			list = append(list, strconv.Itoa(tree))
		}
	} else {
		for _, tile := range p.Players[seat].Tiles {
			list = append(list, tileSign(tile))
		}
	}
	return strings.Join(list, " ")
}

func tileSign(t bosk.Tile) string {
	if t == bosk.Squirrel {
		return squirrelSign
	}
	return strconv.Itoa(int(t))
}

// ask says what is to be chosen, with an example that is allowed.
func (f *boskFace) ask(sc *scene) string {
	p := f.park(sc)
	m := p.moves[len(p.moves)/2]
	args := game.Args{"seat": sc.now.ToAct()}
	switch m.Do {
	case "plant":
		args["tree"], args["at"] = m.Tree, m.At
	case "shed":
		args["at"], args["tile"] = m.At, m.Tile
	case "leaf":
		args["to"], args["active"] = m.To, p.Path.Active
	case "squirrel":
		args["to"] = m.To
	}
	return f.say("play.bosk.ask."+m.Do, args)
}

// boskFacts are the facts of a move of Bosk.
type boskFacts struct {
	Totals []int    `json:"totals"`
	Blows  []string `json:"blows"`
	To     [][2]int `json:"to"`
	Region string   `json:"region"`
	Price  int      `json:"price"` // in leaves
}

func (f *boskFace) menu(sc *scene, only string) string {
	p := f.park(sc)
	facts := make([]boskFacts, len(sc.moves))
	for i, args := range sc.facts() {
		decode(args, &facts[i])
	}
	switch p.moves[0].Do {
	case "plant":
		return f.plantMenu(p, only)
	case "shed":
		return f.shedMenu(p, facts)
	}
	var rows [][]string
	for i, m := range p.moves {
		row := []string{f.number(i)}
		if m.Do == "wind" {
			row = append(row, f.say("bosk.side."+m.Side, nil))
			for _, wind := range facts[i].Blows {
				row = append(row, arrow(wind))
			}
		} else {
			row = append(row, squareName(m.To), f.word("bosk.region", facts[i].Region),
				f.underfoot(p, m, facts[i]), f.changes(p, facts[i].Totals))
		}
		rows = append(rows, row)
	}
	if p.moves[0].Do == "wind" {
		row := []string{"", f.say("play.bosk.tree", nil)}
		for _, tree := range p.Asks {
			row = append(row, f.askedTree(tree))
		}
		rows = append(rows, row)
	}
	return strings.Join(align(rows, 0), "\n")
}

func squareName(at [2]int) string { return string(rune('A'+at[1])) + strconv.Itoa(at[0]+1) }

func squareNames(list [][2]int) string {
	if len(list) == 0 {
		return "–"
	}
	names := make([]string, len(list))
	for i, at := range list {
		names[i] = squareName(at)
	}
	return strings.Join(names, " ")
}

// plantMenu shows, for each tree, the park with the number of the move on each
// free crossing.
func (f *boskFace) plantMenu(p *park, only string) string {
	trails := len(p.Board) - 1
	numbers := map[boskMove]int{}
	for i, m := range p.moves {
		numbers[m] = i + 1
	}
	var parts []string
	for _, tree := range slices.Compact(slices.Clone(p.Players[*p.ToAct].Hand)) {
		if only != "" && only != strconv.Itoa(tree) {
			continue
		}
		lines := []string{f.bold(f.say("play.bosk.numbers", game.Args{"tree": tree}))}
		head := "   "
		for column := 1; column <= trails; column++ {
			head += fmt.Sprintf("%4d", column)
		}
		lines = append(lines, head)
		for row := 1; row <= trails; row++ {
			line := fmt.Sprintf("%2d ", row)
			for column := 1; column <= trails; column++ {
				cell := "·"
				if n := numbers[boskMove{Do: "plant", Tree: tree, At: [2]int{row, column}}]; n > 0 {
					cell = strconv.Itoa(n)
				}
				line += pad(cell, -4)
			}
			lines = append(lines, line)
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// shedMenu has a line for each tree, with where its first leaf may fall, and a
// column for each tile.
func (f *boskFace) shedMenu(p *park, facts []boskFacts) string {
	head := []string{f.say("play.bosk.tiles", nil)}
	for _, tile := range p.Players[*p.ToAct].Tiles {
		head = append(head, f.bold(tileSign(tile)+" "))
	}
	rows := [][]string{head}
	for i := 0; i < len(p.moves); {
		at, tree, first := p.moves[i].At, 0, "–"
		for _, t := range p.Trees {
			if t.At == at {
				tree = t.Tree
			}
		}
		row := []string{""}
		for ; i < len(p.moves) && p.moves[i].At == at; i++ {
			if p.moves[i].Tile != bosk.Squirrel {
				first = squareNames(facts[i].To)
			}
			row = append(row, f.number(i))
		}
		row[0] = f.say("play.bosk.choice", game.Args{"tree": tree, "at": at}) + " " + arrow(p.Wind.Blows) + " " + first
		rows = append(rows, row)
	}
	return strings.Join(align(rows, 1, 2, 3, 4, 5, 6, 7, 8), "\n")
}

// underfoot says what lies where a leaf or a squirrel may go, with the signs of
// the board.
func (f *boskFace) underfoot(p *park, m boskMove, facts boskFacts) string {
	for _, q := range p.Squares {
		if q.At != m.To {
			continue
		}
		args := game.Args{"what": p.sign(q), "price": facts.Price}
		if facts.Price > 1 {
			return f.say("play.bosk.over", args)
		}
		return f.say("play.bosk.on", args)
	}
	return f.say("play.bosk.free", nil)
}

// changes says how the totals would change.
func (f *boskFace) changes(p *park, totals []int) string {
	var list []string
	for seat, player := range p.Players {
		change := totals[seat] - player.Summer - player.Winter
		if change != 0 {
			list = append(list, p.marks[seat]+" "+strings.Replace(fmt.Sprintf("%+d", change), "-", "−", 1))
		}
	}
	return strings.Join(list, "  ")
}

var (
	squareTyped   = regexp.MustCompile(`^([a-z])([0-9]{1,3})$`)
	crossingTyped = regexp.MustCompile(`^([0-9]{1,3})-([0-9]{1,3})$`)
	numberTyped   = regexp.MustCompile(`^[0-9]{1,3}$`)
)

// read knows "3 4-7", "4-7 5", "4-7 squirrel", "north" and "d5".
func (f *boskFace) read(sc *scene, typed string) (json.RawMessage, bool) {
	v := readBosk(sc.now)
	words := strings.FieldsFunc(fold(typed), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) == 3 && !slices.ContainsFunc(words, func(w string) bool { return !numberTyped.MatchString(w) }) {
		words = []string{words[0], words[1] + "-" + words[2]}
	}
	switch len(words) {
	case 1:
		return f.readWord(&v, words[0])
	case 2:
		if crossingTyped.MatchString(words[0]) {
			words[0], words[1] = words[1], words[0]
		}
		at := crossingTyped.FindStringSubmatch(words[1])
		piece := words[0]
		if at == nil || !numberTyped.MatchString(piece) && !f.means(piece, "squirrel") {
			return nil, false
		}
		row, column := number(at[1]), number(at[2])
		switch {
		case !numberTyped.MatchString(piece):
			return fmt.Appendf(nil, `{"do":"shed","at":[%d,%d],"tile":"squirrel"}`, row, column), true
		case v.Season == "spring":
			return fmt.Appendf(nil, `{"do":"plant","tree":%d,"at":[%d,%d]}`, number(piece), row, column), true
		}
		return fmt.Appendf(nil, `{"do":"shed","at":[%d,%d],"tile":%d}`, row, column, number(piece)), true
	}
	return nil, false
}

// readWord reads a square or a side. While no wind board is to be put down, a
// side must be written out: its letter may mean something else.
func (f *boskFace) readWord(v *bosk.View, word string) (json.RawMessage, bool) {
	if at := squareTyped.FindStringSubmatch(word); at != nil {
		do := "leaf"
		if v.Path != nil && v.Path.Tile == bosk.Squirrel {
			do = "squirrel"
		}
		return fmt.Appendf(nil, `{"do":%q,"to":[%d,%d]}`, do, number(at[2])-1, at[1][0]-'a'), true
	}
	if v.Season == "summer" || len(word) > 1 {
		for _, side := range []string{"north", "east", "south", "west"} {
			if f.means(word, side) {
				return fmt.Appendf(nil, `{"do":"wind","side":%q}`, side), true
			}
		}
	}
	return nil, false
}

// number reads a number that a pattern has found.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// means tells whether a word, folded, is one of those for a thing.
func (f *boskFace) means(word, thing string) bool {
	names := strings.Fields(fold(f.say("play.bosk.word."+thing, nil)))
	return word == thing || word == thing[:1] || slices.Contains(names, word)
}

// told names the line on which an event is told; those of a turn have none.
func told(event string) string {
	switch strings.TrimSuffix(event, ".tie") {
	case "bosk.event.summer", "bosk.event.start.summer":
		return "summer"
	case "bosk.event.start.round", "bosk.event.round":
		return "round"
	case "bosk.event.winter":
		return "winter"
	case "bosk.event.won":
		return "end"
	}
	return ""
}

// tell tells a turn on one line, with the path of the leaves as one sentence;
// the end of a season or a round on a line of its own.
func (f *boskFace) tell(events []game.Event) []string {
	var lines []string
	last := "none yet"
	for len(events) > 0 {
		line, n := told(events[0].Key), 0
		for n < len(events) && (events[n].Key == "bosk.event.leaf" || events[n].Key == "bosk.event.cover") {
			n++
		}
		var said string
		if n > 1 {
			said = f.path(events[:n])
		} else {
			said, n = f.say(events[0].Key, events[0].Args), 1
		}
		events = events[n:]
		if line == last {
			lines[len(lines)-1] += " " + said
		} else {
			lines = append(lines, said)
		}
		last = line
	}
	return lines
}

// path tells where leaves fell.
func (f *boskFace) path(events []game.Event) string {
	where := make([]string, len(events))
	for i, e := range events {
		where[i] = f.say("play.bosk."+strings.TrimPrefix(e.Key, "bosk.event."), e.Args)
	}
	return f.say("play.bosk.leaves", game.Args{"where": where})
}

// sheet shows every trail and region: what each seat has there, what it gets
// for it, and why.
func (f *boskFace) sheet(view game.Position) string {
	v := readBosk(view)
	head := append([]string{""}, f.seats...)
	rows := [][]string{append(head, "", f.say("play.bosk.rule", nil))}
	sum := func(part string, of func(bosk.PlayerView) int) {
		row := []string{f.bold(f.say("bosk.part."+part, nil))}
		for _, player := range v.Players {
			row = append(row, f.bold(strconv.Itoa(of(player))))
		}
		rows = append(rows, row, nil)
	}
	lines := view.Sheet()
	for i, line := range lines {
		var h heldLine
		decode(line.Args, &h)
		label := strings.Replace(line.Key, "bosk.sheet.", "play.bosk.", 1)
		row := []string{f.say(label, line.Args)}
		for seat, have := range h.Have {
			cell := "·"
			if have > 0 {
				cell = fmt.Sprintf("%d → %s", have, points(line.Points[seat]))
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, f.say("play.bosk.why."+h.Why, nil), h.Rule))
		if i+1 == len(lines) || lines[i+1].Part != line.Part {
			sum(line.Part, map[string]func(bosk.PlayerView) int{
				"summer": func(p bosk.PlayerView) int { return p.Summer },
				"winter": func(p bosk.PlayerView) int { return p.Winter },
			}[line.Part])
		}
	}
	rows = append(rows, f.totals(view))
	return wrap(f.say("play.bosk.sheet", game.Args{"season": v.Season}), f.width, "", "") + "\n\n" +
		strings.Join(align(rows, f.seatColumns(1)...), "\n")
}

func (f *boskFace) help() string {
	first := func(key string) string { return strings.Fields(f.say(key, nil))[0] }
	mark := marksOf(f.seats)[0]
	explain := func(rows ...[]string) string {
		for _, row := range rows {
			row[1] = f.say("play.bosk."+row[1], nil)
		}
		return hang(rows, f.width)
	}
	return strings.Join([]string{
		wrap(f.say("play.bosk.help", nil), f.width, "", "") + "\n",
		explain(
			[]string{"3 4-7", "typed.plant"},
			[]string{first("play.bosk.word.north"), "typed.wind"},
			[]string{"4-7 5, 4-7 " + first("play.bosk.word.squirrel"), "typed.shed"},
			[]string{"d5", "typed.leaf"},
			[]string{first("play.command.list") + " 3", "typed.list"},
		),
		explain(
			[]string{mark + "3", "sign.tree"},
			[]string{mark + "2", "sign.pile"},
			[]string{mark + squirrelSign, "sign.squirrel"},
			[]string{"*", "sign.new"},
			[]string{"[1]", "sign.choice"},
		),
	}, "\n")
}
