package terminal

import (
	"fmt"
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
		say("play.bosk.choice", "tree", "at", "squares", "a", "b"),
		say("play.bosk.shed", "arrow"),
		say("play.bosk.half.plant", "at", "tree", "tile", "tiles"),
		say("play.bosk.half.shed", "at", "tree", "tile", "tiles"),
		say("play.bosk.half.squirrel", "at"),
		say("play.bosk.scores", "scores", "seat"),
		say("play.bosk.on", "seat", "leaves"),
		say("play.bosk.over", "seat", "leaves"),
		say("play.bosk.leaves", "where"),
		say("play.bosk.leaf", "to", "height"),
		say("play.bosk.cover", "to", "other", "back"),
		say("play.bosk.sheet", "season"),
		say("play.bosk.row", "trail"),
		say("play.bosk.column", "trail"),
		say("play.bosk.region", "region", "size"),
	}
	for _, word := range []string{
		"hand", "tiles", "played", "round", "wind", "tree", "any", "free", "price", "rule", "now", "help",
		"word.north", "word.east", "word.south", "word.west", "word.squirrel", "word.filler",
		"why.nobody", "why.alone", "why.first-and-second", "why.tied-second", "why.tied-first",
		"typed.plant", "typed.wind", "typed.shed", "typed.leaf", "typed.path", "typed.short", "typed.list",
		"sign.tree", "sign.pile", "sign.squirrel", "sign.new", "sign.choice", "sign.sheds", "sign.nothing",
		"sign.arrow", "sign.ground", "sign.sums", "sign.change", "sign.now",
	} {
		list = append(list, say("play.bosk."+word))
	}
	return list
}

// boskFace draws the park of Bosk: rows of squares and, between them, rows of
// crossings, with squares named along the top and left and trails numbered
// along the bottom and right.
type boskFace struct{ plainFace }

// ground is how a terrain looks: a texture that tells it apart without colour, and
// its colours.
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

// choiceStyle is the look of what may be chosen.
func choiceStyle() style { return style{front: moss, back: cream, bold: true} }

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

// sign is how a square with something on it is written: whose it is, and how many
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
		return f.title(p) + "\n" + f.scores(p) + "\n\n" + board + "\n\n" + f.regions(p, sc.now.Sheet())
	}
	parts := []string{f.title(p), board, f.regions(p, sc.now.Sheet())}
	if p.ToAct != nil {
		parts = append(parts, f.players(p))
		if p.Wind != nil {
			parts[0] += "\n" + f.windBoard(p)
		}
	}
	return strings.Join(parts, "\n\n")
}

// scores says how everybody stands and who has the Hiker, which must always be in
// sight (rule 1.1).
func (f *boskFace) scores(p *park) string {
	list := make([]string, len(p.Players))
	for seat, player := range p.Players {
		list[seat] = f.seats[seat] + "\u00A0" + strconv.Itoa(player.Summer+player.Winter)
	}
	return wrap(f.say("play.bosk.scores", game.Args{"scores": list, "seat": p.Start}), f.width, "", "")
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
				most := here // the ground that most of the four around the crossing have
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

// drawPieces puts trees, leaves and squirrels on the board. A star marks what is
// new.
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
		c.put(x-1, y, "(", choiceStyle())
		c.put(x+2, y, ")", choiceStyle())
	}
	for i, m := range p.moves {
		switch m.Do {
		case "leaf", "squirrel":
			x, y := squareAt(m.To[0], m.To[1])
			text := fmt.Sprintf("[%d]", i+1)
			c.put(x+squareWide-len(text), y, text, choiceStyle())
		case "shed":
			x, y := crossingAt(m.At[0], m.At[1])
			c.put(x-1, y, "[", choiceStyle())
			c.put(x+2, y, "]", choiceStyle())
		}
	}
}

// regions names the terrains, in the order in which a reader meets them, and how
// many squares of each everybody holds, once somebody holds any.
func (f *boskFace) regions(p *park, sheet []game.SheetLine) string {
	held := map[string][]int{}
	for _, line := range sheet {
		var h heldLine
		if decode(line.Args, &h); h.Region != "" {
			held[h.Region] = h.Have
		}
	}
	var cells []string
	var rows [][]string
	seen := map[byte]bool{}
	for _, row := range p.Board {
		for _, letter := range []byte(row) {
			if seen[letter] {
				continue
			}
			seen[letter] = true
			name := p.Regions[string(letter)]
			g := groundOf(name, letter)
			cell := style{front: g.front, back: g.back}.paint(f.colour, g.texture) + " " + f.word("bosk.region", name)
			cells = append(cells, cell)
			rows = append(rows, append([]string{cell}, counts(held[name])...))
		}
	}
	if len(held) == 0 {
		return strings.Join(align(slices.Collect(slices.Chunk(cells, 4))), "\n")
	}
	lines := f.abreast(p, f.seats, rows)
	if widest(lines) > f.width || len(lines) > (len(rows)+1)/2+1 {
		lines = f.abreast(p, p.marks, rows)
	}
	return strings.Join(lines, "\n")
}

// abreast sets a table of the seats in two halves side by side, each under the
// names of the seats.
func (f *boskFace) abreast(p *park, names []string, rows [][]string) []string {
	head := []string{""}
	for seat, name := range names {
		head = append(head, p.look[seat].paint(f.colour, name))
	}
	var blocks [][]string
	for half := range slices.Chunk(rows, (len(rows)+1)/2) {
		blocks = append(blocks, align(append([][]string{head}, half...), f.seatColumns(1)...))
	}
	return abreast(blocks, f.width, 4)
}

// counts are numbers as cells of a table.
func counts(list []int) []string {
	cells := make([]string, len(list))
	for i, n := range list {
		cells[i] = "·"
		if n > 0 {
			cells[i] = strconv.Itoa(n)
		}
	}
	return cells
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
	below := [][]string{{f.say("play.bosk.hiker", game.Args{"seat": p.Start})}}
	if now := f.say("play.now", nil); p.Season != "summer" { // points are not scored yet, or those of winter are not
		note := []string{"", "", "", "", "", now, "", now, ""}
		if p.Season != "spring" {
			note[5], note[6] = "", now
		}
		rows = append(rows, note)
		below = append(below, []string{f.say("play.bosk.now", nil)})
	}
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
	return strings.Join(align(rows, 4, 5, 6, 7), "\n") + "\n" + strings.Join(abreast(below, f.width, 3), "\n")
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
