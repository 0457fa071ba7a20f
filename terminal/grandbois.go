package terminal

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"copse/game"
	"copse/games/grandbois"
)

// grandboisPhrases are what the face of GrandBois says beside the game's own
// phrases.
func grandboisPhrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("play.grandbois.title", "laid", "all", "over", "expert"),
		say("play.grandbois.river", "pile"),
		say("play.grandbois.ask.place", "seat", "typed", "tile"),
		say("play.grandbois.ask.tower", "seat", "x", "y"),
		say("play.grandbois.list", "moves", "tile"),
		say("play.grandbois.fits", "places"),
		say("play.grandbois.tower", "own", "others", "points"),
		say("play.grandbois.told.clans", "seat", "clans"),
		say("play.grandbois.told.secret", "others"),
		say("play.grandbois.told.river", "tiles", "left"),
		say("play.grandbois.told.place", "seat", "tile", "x", "y", "turn", "covers"),
		say("play.grandbois.told.cover", "space", "times"),
		say("play.grandbois.told.reveal", "tile", "left"),
		say("play.grandbois.sheet", "over"),
	}
	for _, word := range []string{
		"towers", "clans", "spaces", "group", "largest", "own", "others", "clearing", "bear", "new", "listed", "no-tower", "help",
		"mark.toad", "mark.rabbit", "mark.fox", "mark.raccoon", "mark.lizard",
		"word.tower", "word.no-tower", "word.pass",
		"typed.place", "typed.straight", "typed.tower", "typed.list", "typed.tile", "typed.turn", "typed.at",
		"sign.animals", "sign.clearing", "sign.bear", "sign.tower", "sign.new", "sign.choice", "sign.now",
	} {
		list = append(list, say("play.grandbois."+word))
	}
	return list
}

// grandboisFace draws the forest of GrandBois, which grows in all directions,
// with its coordinates along the edges and the river below it.
type grandboisFace struct{ plainFace }

// clanLooks are how the spaces of the clans look, in the order of the box.
func clanLooks() []style {
	return []style{
		{front: 0x0B2440, back: 0x6FA3DC}, // toads
		{front: 0x5C1533, back: 0xE296B4}, // rabbits
		{front: 0x1D3F14, back: 0x7FAE62}, // foxes
		{front: 0xFFFAF0, back: 0xB84A35}, // raccoons
		{front: 0x5A3D00, back: 0xF3CF45}, // lizards
	}
}

// towerLooks are how the towers of the seats look.
func towerLooks() []style {
	return []style{
		{front: dark, back: 0xFBF7EC, bold: true},
		{front: cream, back: 0x26221E, bold: true},
		{front: cream, back: 0x5B7286, bold: true},
		{front: cream, back: 0x7A4F2B, bold: true},
	}
}

func clearingLook() style { return style{front: 0x6B5B2A, back: 0xF8F2DA} }

func bearLook() style { return style{front: 0xF8E9CF, back: 0x3B302A} }

func bareLook() style { return style{front: 0x857657} }

// The signs of spaces that show no clan.
const (
	clearingSign = "o"
	bearSign     = "##"
	towerSign    = "^" // followed by whose tower it is
	bareSign     = "·"
)

// wood is a scene of GrandBois, read from its JSON.
type wood struct {
	grandbois.View
	clans []clanCount
	marks []string     // of each seat
	fresh map[int]bool // tiles that are new to the viewer
}

// clanCount is a clan, its letter, and how much of it is to be seen.
type clanCount struct {
	name, letter  string
	spaces, group int
}

// grandboisLine is what is read of a line of the score sheet.
type grandboisLine struct {
	Clan  string `json:"clan"` // "" for a tower
	Seat  int    `json:"seat"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	Count int    `json:"count"`
	Each  int    `json:"each"`
}

func readGrandbois(view game.Position) (v grandbois.View) {
	mustRead(view.View(), &v)
	return v
}

func (f *grandboisFace) wood(now, since game.Position) *wood {
	w := &wood{View: readGrandbois(now), marks: marksOf(f.seats), fresh: map[int]bool{}}
	for _, laid := range w.Laid[len(readGrandbois(since).Laid):] {
		w.fresh[laid.Tile] = true
	}
	for _, line := range now.Sheet() {
		var l grandboisLine
		switch decode(line.Args, &l); line.Key {
		case "grandbois.sheet.spaces":
			w.clans = append(w.clans, clanCount{name: l.Clan, spaces: l.Count})
		case "grandbois.sheet.group":
			w.clans[len(w.clans)-1].group = l.Count
		}
	}
	f.letter(w.clans)
	return w
}

// letter gives each clan its letter. In somebody's own box clans that begin alike
// are lettered in their order.
func (f *grandboisFace) letter(clans []clanCount) {
	taken := map[string]bool{}
	for i, clan := range clans {
		first := []rune(f.word("play.grandbois.mark", clan.name))[0]
		clans[i].letter = string(unicode.ToUpper(first))
		taken[clans[i].letter] = true
	}
	if len(taken) < len(clans) {
		for i := range clans {
			clans[i].letter = string(rune('A' + i))
		}
	}
}

// clan finds a clan by its name.
func (w *wood) clan(name string) int {
	return slices.IndexFunc(w.clans, func(c clanCount) bool { return c.name == name })
}

// sign is how a space is written, and how it looks. It does not say whose tower
// stands there.
func (w *wood) sign(shows string) (string, style) {
	switch shows {
	case "clearing":
		return clearingSign, clearingLook()
	case "bear":
		return bearSign, bearLook()
	}
	name, animals, _ := strings.Cut(shows, "-")
	i := w.clan(name)
	return w.clans[i].letter + animals, clanLooks()[i]
}

// badge is the sign of the towers of a seat.
func (f *grandboisFace) badge(w *wood, seat int) string {
	return towerLooks()[seat].paint(f.colour, towerSign+w.marks[seat])
}

func (f *grandboisFace) names(view game.Position) []string {
	var list []string
	for _, player := range readGrandbois(view).Players {
		list = append(list, f.word("grandbois.seat", player.Tower))
	}
	return list
}

func (f *grandboisFace) draw(sc *scene) string {
	w := f.wood(sc.now, sc.since)
	parts := []string{f.title(w), strings.Join(f.forest(w), "\n")}
	if len(w.River) > 0 {
		parts = append(parts, f.river(w))
	}
	if sc.whole {
		parts = append(parts, f.census(w), f.players(w, sc.now))
	}
	return strings.Join(parts, "\n\n")
}

func (f *grandboisFace) title(w *wood) string {
	return f.bold(f.say("play.grandbois.title", game.Args{
		"laid": len(w.Laid), "all": len(w.Laid) + len(w.River) + len(w.Pile), "over": w.Asked == "over", "expert": w.Expert,
	}))
}

// whole is a number as the screen shows it.
func whole(n int) string { return strings.Replace(strconv.Itoa(n), "-", "−", 1) }

// coordinates is where a space lies, as it is shown and typed.
func coordinates(x, y int) string { return whole(x) + "," + whole(y) }

// placement is how a tile to be laid is typed.
func placement(tile, x, y, turn int) string {
	typed := strconv.Itoa(tile) + " " + coordinates(x, y)
	if turn > 0 {
		typed += " r" + strconv.Itoa(turn)
	}
	return typed
}

// grid is how the forest lies on the screen: which spaces are shown, and how wide
// one is. It shows the ground around the forest, where tiles may come to lie. A
// wide forest has narrow spaces, so that one of 38 spaces, the widest there can be,
// still fits into 80 columns.
type grid struct {
	left, top, right, bottom int
	cell                     int  // how wide a space is
	labels                   int  // every so many columns one has its number
	both                     bool // there is room for the numbers of rows on the right too
}

// rowLabel is the room for the number of a row.
const rowLabel = 4

func gridOf(forest []grandbois.SpaceView, width int) grid {
	g := grid{left: forest[0].X, right: forest[0].X, top: forest[0].Y, bottom: forest[0].Y}
	for _, sp := range forest {
		g.left, g.right = min(g.left, sp.X), max(g.right, sp.X)
		g.top, g.bottom = min(g.top, sp.Y), max(g.bottom, sp.Y)
	}
	g.left, g.top, g.right, g.bottom = g.left-1, g.top-1, g.right+1, g.bottom+1
	for g.cell = 4; g.cell > 2 && rowLabel+g.cell*g.columns() > width; {
		g.cell--
	}
	if rowLabel+g.cell*g.columns() > width {
		g.left, g.right = g.left+1, g.right-1
	}
	g.both = 2*rowLabel+g.cell*g.columns() <= width
	longest := max(long(whole(g.left)), long(whole(g.right)))
	for g.labels = 1; g.labels*g.cell <= longest; {
		g.labels++
	}
	return g
}

func (g *grid) columns() int { return g.right - g.left + 1 }

// at is the left end of a space; its two characters begin at sign.
func (g *grid) at(x, y int) (left, line int) { return rowLabel + g.cell*(x-g.left), 1 + y - g.top }

func (g *grid) sign() int { return (g.cell - 2) / 2 }

// forest draws the forest. A star marks what is new; where there is no space for a
// star, its letters are small. The clearing that waits for a tower stands in
// brackets.
func (f *grandboisFace) forest(w *wood) []string {
	g := gridOf(w.Forest, f.width)
	last := g.bottom - g.top + 2
	c := newCanvas(rowLabel+g.cell*g.columns()+rowLabel, last+1)
	for y := g.top; y <= g.bottom; y++ {
		_, line := g.at(0, y)
		c.put(0, line, pad(whole(y), 1-rowLabel), style{bold: true})
		if g.both {
			c.put(rowLabel+g.cell*g.columns(), line, pad(whole(y), 1-rowLabel), style{bold: true})
		}
		for x := g.left; x <= g.right; x++ {
			left, line := g.at(x, y)
			c.put(left+g.sign()+1, line, bareSign, bareLook())
		}
	}
	for x := g.left; x <= g.right; x++ {
		if x%g.labels == 0 {
			left, _ := g.at(x, 0)
			left += g.sign() + 2 - long(whole(x))
			c.put(left, 0, whole(x), style{bold: true})
			c.put(left, last, whole(x), style{bold: true})
		}
	}
	for _, sp := range w.Forest {
		f.drawSpace(c, &g, w, sp)
	}
	return c.lines(f.colour)
}

func (f *grandboisFace) drawSpace(c *canvas, g *grid, w *wood, sp grandbois.SpaceView) {
	left, line := g.at(sp.X, sp.Y)
	sign, look := w.sign(sp.Shows)
	c.put(left, line, strings.Repeat(" ", g.cell), look)
	if sp.Tower != nil {
		sign = towerSign + w.marks[*sp.Tower]
		c.put(left+g.sign(), line, sign, towerLooks()[*sp.Tower])
	} else {
		look.bold = true
		c.put(left+g.sign(), line, pad(sign, -2), look)
	}
	if w.Clearing != nil && *w.Clearing == (grandbois.PlaceView{X: sp.X, Y: sp.Y}) {
		c.put(left, line, "[", choiceStyle())
		c.put(left+g.cell-1, line, "]", choiceStyle())
		return
	}
	switch {
	case !w.fresh[sp.Tile]:
	case g.cell > 2:
		c.put(left+g.sign()+2, line, "*", look)
	case sp.Tower == nil:
		c.put(left, line, strings.ToLower(pad(sign, -2)), look)
	}
}

// spacesOf are the spaces of a tile after some quarter turns, clockwise from
// the top left, as the view lists them.
func spacesOf(tile grandbois.TileView, turn int) [4]string {
	var list [4]string
	for i := range list {
		list[i] = tile.Spaces[(i-turn+4)%4]
	}
	return list
}

// A tile on the screen: two spaces wide and high, three characters a space.
const (
	tileCell = 3
	tileWide = 2 * tileCell
)

// drawTile draws a tile as it looks after some quarter turns.
func (f *grandboisFace) drawTile(c *canvas, w *wood, x, y int, tile grandbois.TileView, turn int) {
	for i, shows := range spacesOf(tile, turn) {
		sign, look := w.sign(shows)
		look.bold = true
		step := [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}}[i]
		c.put(x+tileCell*step[0], y+step[1], pad(pad(sign, -2), tileCell), look)
	}
}

// river shows the tiles to choose from, each in its four turns.
func (f *grandboisFace) river(w *wood) string {
	const number, gap = 4, 2 // characters
	const wide = number + 4*(tileWide+gap)
	abreast := max(1, (f.width+gap)/(wide+gap))
	c := newCanvas(abreast*(wide+gap), 3*((len(w.River)+abreast-1)/abreast))
	for i, tile := range w.River {
		x, y := i%abreast*(wide+gap), i/abreast*3
		c.put(x, y, pad(strconv.Itoa(tile.Tile), 1-number), style{bold: true})
		for turn := range 4 {
			left := x + number + turn*(tileWide+gap)
			c.put(left+1, y, "r"+strconv.Itoa(turn), style{})
			f.drawTile(c, w, left, y+1, tile, turn)
		}
	}
	head := f.say("play.grandbois.river", game.Args{"pile": len(w.Pile)})
	return f.bold(head) + "\n" + strings.Join(c.lines(f.colour), "\n")
}

// census tells how much of each clan can be seen, which everybody may know, and
// what the other signs mean.
func (f *grandboisFace) census(w *wood) string {
	rows := [][]string{{""}, {f.say("play.grandbois.spaces", nil)}, {f.say("play.grandbois.largest", nil)}}
	for _, clan := range w.clans {
		rows[0] = append(rows[0], f.clanName(w, clan.name))
		rows[1] = append(rows[1], strconv.Itoa(clan.spaces))
		rows[2] = append(rows[2], strconv.Itoa(clan.group))
	}
	legend := []string{
		clearingLook().paint(f.colour, pad(clearingSign, -2)) + " " + f.say("play.grandbois.clearing", nil),
		bearLook().paint(f.colour, bearSign) + " " + f.say("play.grandbois.bear", nil),
	}
	if len(w.fresh) > 0 {
		legend = append(legend, "* "+f.say("play.grandbois.new", nil))
	}
	table := align(rows, 1, 2, 3, 4, 5)
	return strings.Join(append(table, strings.Join(legend, "   ")), "\n")
}

// clanName is a clan with its letter.
func (f *grandboisFace) clanName(w *wood, name string) string {
	i := w.clan(name)
	look := clanLooks()[i]
	look.bold = true
	return look.paint(f.colour, w.clans[i].letter) + " " + f.word("grandbois.clan", name)
}

// players shows what lies before each seat as far as the viewer may know, and
// who is to act.
func (f *grandboisFace) players(w *wood, now game.Position) string {
	rows := [][]string{{"", "", "", f.say("play.grandbois.towers", nil), f.say("play.grandbois.clans", nil), f.say("play.total", nil), ""}}
	if w.Asked != "over" {
		rows = append(rows, []string{"", "", "", "", "", f.say("play.now", nil)})
	}
	standing := now.Standing()
	for seat, player := range w.Players {
		acts, name := "", f.seats[seat]
		if int(now.ToAct()) == seat {
			acts, name = "→", f.bold(name)
		}
		clans := "?"
		if player.Clans != nil {
			list := make([]string, len(player.Clans))
			for i, clan := range player.Clans {
				list[i] = f.clanName(w, clan)
			}
			clans = strings.Join(list, ", ")
		}
		rows = append(rows, []string{
			acts, f.badge(w, seat), name, strconv.Itoa(player.Towers), clans, points(standing.Seats[seat].Total), f.roles[seat],
		})
	}
	return strings.Join(align(rows, 3, 5), "\n")
}

// grandboisMove is a move of GrandBois as the wire has it.
type grandboisMove struct {
	Do   string `json:"do"`
	Tile int    `json:"tile"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Turn int    `json:"turn"`
}

func readPlacements(sc *scene) []grandboisMove {
	list := make([]grandboisMove, len(sc.moves))
	for i, raw := range sc.moves {
		mustRead(raw, &list[i])
	}
	return list
}

// ask says what is to be chosen, with an example that is allowed: where there
// is one, a tile that is turned.
func (f *grandboisFace) ask(sc *scene) string {
	args := game.Args{"seat": sc.now.ToAct()}
	moves := readPlacements(sc)
	m := moves[len(moves)/2]
	if m.Do != "place" {
		clearing := readGrandbois(sc.now).Clearing
		args["x"], args["y"] = clearing.X, clearing.Y
		return f.say("play.grandbois.ask.tower", args)
	}
	if i := slices.IndexFunc(moves[len(moves)/2:], func(m grandboisMove) bool { return m.Turn > 0 }); i >= 0 {
		m = moves[len(moves)/2+i]
	}
	args["tile"], args["typed"] = m.Tile, placement(m.Tile, m.X, m.Y, m.Turn)
	return f.say("play.grandbois.ask.place", args)
}

// grandboisFacts are the facts of a move of GrandBois.
type grandboisFacts struct {
	Covers []grandbois.Covered `json:"covers"`
	Own    int                 `json:"own"`
	Others int                 `json:"others"`
	Points int                 `json:"points"`
	Total  int                 `json:"total"`
}

// menu shows, for each tile, how many places it has in each turn and the numbers of
// those moves. It shows the moves one by one where there are few of them, or where
// tiles, turns or places are asked for.
func (f *grandboisFace) menu(sc *scene, only string) string {
	w, moves := f.wood(sc.now, sc.since), readPlacements(sc)
	if moves[0].Do != "place" {
		return f.towerMenu(sc, moves)
	}
	if only == "" && len(moves) > shortMenu {
		return f.summary(w, moves)
	}
	wanted, ok := readFilter(only)
	if !ok {
		return ""
	}
	facts := sc.facts()
	total := int(sc.now.Standing().Seats[sc.now.ToAct()].Total)
	var blocks [][]string
	for _, tile := range w.River {
		for turn := range 4 {
			var rows [][]string
			for i, m := range moves {
				if m.Tile != tile.Tile || m.Turn != turn || !wanted.fits(m) {
					continue
				}
				var fact grandboisFacts
				decode(facts[i], &fact)
				rows = append(rows, []string{f.number(i), coordinates(m.X, m.Y), f.over(w, fact.Covers), signed(fact.Total - total)})
			}
			if rows != nil {
				blocks = append(blocks, f.placements(w, tile, turn, rows))
			}
		}
	}
	if blocks == nil {
		return ""
	}
	return wrap(f.say("play.grandbois.listed", nil), f.width, "", "") + "\n\n" +
		strings.Join(abreast(blocks, f.width, placementGap), "\n")
}

// placementGap is the room between lists of placements that stand side by side.
const placementGap = 4

func signed(n int) string {
	if n > 0 {
		return "+" + whole(n)
	}
	return whole(n)
}

// over is what a tile would cover, in signs.
func (f *grandboisFace) over(w *wood, covers []grandbois.Covered) string {
	list := make([]string, len(covers))
	for i, c := range covers {
		sign, look := w.sign(c.Shows)
		list[i] = look.paint(f.colour, sign)
	}
	return strings.Join(list, " ")
}

// placements lists the places of a tile in one turn beside its picture, as many
// columns as fit.
func (f *grandboisFace) placements(w *wood, tile grandbois.TileView, turn int, rows [][]string) []string {
	const left = 3 + tileWide + 2
	entries := align(rows, 0, 3)
	wide := widest(entries) + placementGap
	columns := max(1, (f.width-left+placementGap)/wide)
	high := max((len(entries)+columns-1)/columns, 3)
	c := newCanvas(left, high)
	c.put(0, 0, pad(strconv.Itoa(tile.Tile), -2)+" r"+strconv.Itoa(turn), style{bold: true})
	f.drawTile(c, w, 3, 1, tile, turn)
	lines := c.lines(f.colour)
	for i, entry := range entries {
		line := &lines[i%high]
		*line = pad(*line, left+i/high*wide) + entry
	}
	return lines
}

// summary shows each tile in its four turns, with the number of places and the
// numbers of the moves.
func (f *grandboisFace) summary(w *wood, moves []grandboisMove) string {
	const number, wide = 4, 18
	parts := []string{wrap(f.say("play.grandbois.list", game.Args{"moves": len(moves), "tile": moves[0].Tile}), f.width, "", "")}
	for _, tile := range w.River {
		c := newCanvas(number+4*wide, 4)
		c.put(0, 0, pad(strconv.Itoa(tile.Tile), 1-number), style{bold: true})
		for turn := range 4 {
			var first, last, places int
			for i, m := range moves {
				if m.Tile == tile.Tile && m.Turn == turn {
					if places == 0 {
						first = i + 1
					}
					last = i + 1
					places++
				}
			}
			x := number + wide*turn
			c.put(x+1, 0, "r"+strconv.Itoa(turn)+"  "+f.say("play.grandbois.fits", game.Args{"places": places}), style{})
			f.drawTile(c, w, x, 1, tile, turn)
			if places > 0 {
				c.put(x+tileWide+1, 2, fmt.Sprintf("[%d–%d]", first, last), style{})
			}
		}
		parts = append(parts, strings.TrimRight(strings.Join(c.lines(f.colour), "\n"), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// towerMenu says what a tower would bring.
func (f *grandboisFace) towerMenu(sc *scene, moves []grandboisMove) string {
	var rows [][]string
	for i, args := range sc.facts() {
		var fact grandboisFacts
		decode(args, &fact)
		word := strings.Fields(f.say("play.grandbois.word."+moves[i].Do, nil))[0]
		said := f.say("play.grandbois.no-tower", nil)
		if moves[i].Do == "tower" {
			said = f.say("play.grandbois.tower", game.Args{"own": fact.Own, "others": fact.Others, "points": fact.Points})
		}
		rows = append(rows, []string{f.number(i), word, said})
	}
	return strings.Join(align(narrow(rows, f.width), 0), "\n")
}

// filter is what the player wants to see of the list.
type filter struct {
	tile, turn int // −1 for any
	at         []int
}

// fits tells whether a move lays the tile in this way and over this space.
func (q *filter) fits(m grandboisMove) bool {
	return (q.tile < 0 || m.Tile == q.tile) && (q.turn < 0 || m.Turn == q.turn) &&
		(q.at == nil || (q.at[0] == m.X || q.at[0] == m.X+1) && (q.at[1] == m.Y || q.at[1] == m.Y+1))
}

// readFilter reads "12", "r1", "0,1" and any of them together.
func readFilter(typed string) (filter, bool) {
	numbers, turn, ok := readTyped(typed)
	q := filter{tile: -1, turn: turn}
	switch len(numbers) {
	case 0:
	case 1:
		q.tile = numbers[0]
	case 2:
		q.at = numbers
	case 3:
		q.tile, q.at = numbers[0], numbers[1:]
	default:
		ok = false
	}
	return q, ok
}

var (
	wholeTyped = regexp.MustCompile(`^[+-]?[0-9]{1,4}$`)
	turnTyped  = regexp.MustCompile(`^r[0-9]{1,3}$`)
	pairTyped  = regexp.MustCompile(`^([^,]+,[^,]+) +([^, ]+)$`)
	commaTyped = regexp.MustCompile(` *[,;] *`)
)

// readTyped reads numbers, and a turn, −1 where there is none. Blanks, commas
// and brackets may stand between them; a pair may come before a single number.
func readTyped(typed string) (numbers []int, turn int, ok bool) {
	typed = strings.NewReplacer("(", " ", ")", " ").Replace(fold(typed))
	typed = strings.TrimSpace(commaTyped.ReplaceAllString(typed, ","))
	turn = -1
	var rest []string
	for _, word := range strings.Fields(typed) {
		if turnTyped.MatchString(word) && turn < 0 {
			turn = number(word[1:])
		} else {
			rest = append(rest, word)
		}
	}
	typed = pairTyped.ReplaceAllString(strings.Join(rest, " "), "$2 $1")
	for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' }) {
		if !wholeTyped.MatchString(word) {
			return nil, turn, false
		}
		numbers = append(numbers, number(word))
	}
	return numbers, turn, true
}

// read understands "12 -1,0 r1", "12 -1,0", "12 -1 0 1", "tower", "no" and "pass".
func (f *grandboisFace) read(sc *scene, typed string) (reading, bool) {
	n, turn, ok := readTyped(typed)
	if ok && len(n) == 4 && turn < 0 {
		n, turn = n[:3], n[3]
	} else if turn < 0 {
		turn = 0
	}
	if ok && len(n) == 3 {
		return move(`{"do":"place","tile":%d,"x":%d,"y":%d,"turn":%d}`, n[0], n[1], n[2], turn)
	}
	for _, do := range []string{"tower", "no-tower", "pass"} {
		// A single letter may mean something else while no tower is to be decided.
		if f.means(fold(typed), "play.grandbois.word."+do) && (len(typed) > 1 || readGrandbois(sc.now).Asked == "tower") {
			return move(`{"do":%q}`, do)
		}
	}
	return reading{}, false
}

// tell tells a turn on one line; the first deal and river, the harvest of each seat
// and who won on lines of their own.
func (f *grandboisFace) tell(events []game.Event) []string {
	var lines []string
	last := "none yet"
	for len(events) > 0 {
		said, n, told := f.sentence(events)
		events = events[n:]
		if told == last {
			lines[len(lines)-1] += " " + said
		} else {
			lines = append(lines, said)
		}
		last = told
	}
	return lines
}

// grandboisEvent is what is read of the arguments of an event.
type grandboisEvent struct {
	Seat int    `json:"seat"`
	Clan string `json:"clan"`
	Tile int    `json:"tile"`
	Left int    `json:"left"`

	Covers []string `json:"covers"`
}

// covered says what a tile covers, with a count where it covers several of the
// same.
func (f *grandboisFace) covered(spaces []string) []string {
	var list []string
	for i, space := range spaces {
		if slices.Contains(spaces[:i], space) {
			continue
		}
		times := 0
		for _, other := range spaces {
			if other == space {
				times++
			}
		}
		list = append(list, f.say("play.grandbois.told.cover", game.Args{"space": space, "times": times}))
	}
	return list
}

// sentence says the first n of some events, and on which line they are told.
func (f *grandboisFace) sentence(events []game.Event) (said string, n int, line string) {
	var e grandboisEvent
	decode(events[0].Args, &e)
	switch key := strings.TrimPrefix(events[0].Key, "grandbois.event."); key {
	case "clan", "deal":
		n = run(events, "grandbois.event.clan", "grandbois.event.deal")
		return f.dealt(events[:n]), n, "deal"
	case "reveal":
		if n = run(events, events[0].Key); n > 1 {
			return f.firstRiver(events[:n]), n, "river"
		}
		return f.say("play.grandbois.told.reveal", game.Args{"tile": e.Tile, "left": e.Left}), 1, "turn"
	case "place":
		args := maps.Clone(events[0].Args)
		args["covers"] = f.covered(e.Covers)
		return f.say("play.grandbois.told.place", args), 1, "turn"
	case "tower", "no-tower", "pass":
		line = "turn"
	case "clans", "score":
		line = "harvest of " + strconv.Itoa(e.Seat)
	case "harvest":
		line = key
	default:
		line = "end"
	}
	return f.say(events[0].Key, events[0].Args), 1, line
}

// run is how many events from the first on have one of these keys.
func run(events []game.Event, keys ...string) int {
	for i, e := range events {
		if !slices.Contains(keys, e.Key) {
			return i
		}
	}
	return len(events)
}

// dealt says what the listener was dealt, and that nobody else's clans are known.
func (f *grandboisFace) dealt(events []game.Event) string {
	var clans []string
	args := game.Args{}
	for _, event := range events {
		if event.Key == "grandbois.event.clan" {
			var e grandboisEvent
			decode(event.Args, &e)
			clans = append(clans, e.Clan)
			args["seat"], args["clans"] = e.Seat, clans
		}
	}
	secret := f.say("play.grandbois.told.secret", game.Args{"others": clans != nil})
	if clans == nil {
		return secret
	}
	return f.say("play.grandbois.told.clans", args) + " " + secret
}

// firstRiver says which tiles are revealed before the first turn.
func (f *grandboisFace) firstRiver(events []game.Event) string {
	var e grandboisEvent
	tiles := make([]int, len(events))
	for i, event := range events {
		decode(event.Args, &e)
		tiles[i] = e.Tile
	}
	return f.say("play.grandbois.told.river", game.Args{"tiles": tiles, "left": e.Left})
}

// sheet shows every clan and every tower: how many spaces count, how much each, and
// for whom; then the parts of the score.
func (f *grandboisFace) sheet(view game.Position) string {
	w := f.wood(view, view)
	head := func(cells ...string) []string {
		row := []string{""}
		for _, cell := range cells {
			row = append(row, f.say("play.grandbois."+cell, nil))
		}
		return row
	}
	rows := [][]string{append(head("spaces", "group"), f.seats...)}
	lines, towers := view.Sheet(), false
	for len(lines) > 0 {
		var l grandboisLine
		decode(lines[0].Args, &l)
		n := 2 // a clan or a tower has two lines
		switch {
		case lines[0].Key == "grandbois.sheet.tower.none":
		case l.Clan != "":
			rows = append(rows, f.sheetRow(f.clanName(w, l.Clan), lines[:n]))
		default:
			if !towers {
				towers = true
				rows = append(rows, head("own", "others"))
			}
			rows = append(rows, f.sheetRow(f.badge(w, l.Seat)+" "+coordinates(l.X, l.Y), lines[:n]))
		}
		lines = lines[n:]
	}
	rows = append(rows, nil)
	labels := []string{}
	standing := view.Standing()
	for i, part := range []string{"spaces", "group", "towerOwn", "towerOthers"} {
		labels = append(labels, f.say("grandbois.part."+part, nil))
		row := []string{"", "", ""}
		for _, score := range standing.Seats[:view.Seats()] {
			row = append(row, points(score.Parts[i]))
		}
		rows = append(rows, row)
	}
	total := f.totals(view)
	labels = append(labels, total[0])
	rows = append(rows, append([]string{"", "", ""}, total[1:]...))
	return wrap(f.say("play.grandbois.sheet", game.Args{"over": w.Asked == "over"}), f.width, "", "") + "\n\n" +
		strings.Join(f.labelled(rows, labels), "\n")
}

// labelled sets a sheet whose last rows leave their first three cells blank, and
// writes a label across those.
func (f *grandboisFace) labelled(rows [][]string, labels []string) []string {
	blank := 2 + 2 // the blanks between the cells
	for i := range 3 {
		wide := 0
		for _, row := range rows {
			if row != nil {
				wide = max(wide, long(row[i]))
			}
		}
		blank += wide
		if i == 0 {
			rows[0][0] = strings.Repeat(" ", wide)
		}
	}
	rows[0][0] += strings.Repeat(" ", max(0, widest(labels)-blank))
	lines := align(rows, append(f.seatColumns(3), 1, 2)...)
	for i, label := range labels {
		line := &lines[len(lines)-len(labels)+i]
		*line = label + (*line)[long(label):]
	}
	return lines
}

// sheetRow is a row of the sheet: its two lines as count and worth, and their
// points together. Where the clans of a seat are not known, the worth of the spaces
// around its tower is not known either.
func (f *grandboisFace) sheetRow(label string, lines []game.SheetLine) []string {
	row := []string{label}
	sums := make([]game.Points, len(f.seats))
	for i, line := range lines {
		var l grandboisLine
		decode(line.Args, &l)
		cell := fmt.Sprintf("%d × %d", l.Count, l.Each)
		if line.Key == "grandbois.sheet.tower.secret" {
			cell = []string{fmt.Sprintf("%d × ?", l.Count), ""}[i]
		}
		row = append(row, cell)
		for seat, p := range line.Points {
			if p == game.Unknown || sums[seat] == game.Unknown {
				sums[seat] = game.Unknown
			} else {
				sums[seat] += p
			}
		}
	}
	for _, sum := range sums {
		if sum == 0 {
			row = append(row, "·")
		} else {
			row = append(row, points(sum))
		}
	}
	return row
}

func (f *grandboisFace) help() string {
	first := func(key string) string { return strings.Fields(f.say(key, nil))[0] }
	list, mark := first("play.command.list"), marksOf(f.seats)[0]
	explain := func(rows ...[]string) string {
		for _, row := range rows {
			row[1] = f.say("play.grandbois."+row[1], nil)
		}
		return hang(rows, f.width)
	}
	return strings.Join([]string{
		wrap(f.say("play.grandbois.help", nil), f.width, "", "") + "\n",
		explain(
			[]string{placement(12, -1, 0, 1), "typed.place"},
			[]string{placement(12, -1, 0, 0), "typed.straight"},
			[]string{first("play.grandbois.word.tower") + ", " + first("play.grandbois.word.no-tower"), "typed.tower"},
			[]string{list, "typed.list"},
			[]string{list + " 12", "typed.tile"},
			[]string{list + " 12 r1", "typed.turn"},
			[]string{list + " 0,1", "typed.at"},
		),
		explain(
			[]string{f.say("play.grandbois.mark.fox", nil) + "2", "sign.animals"},
			[]string{clearingSign, "sign.clearing"},
			[]string{bearSign, "sign.bear"},
			[]string{towerSign + mark, "sign.tower"},
			[]string{"*", "sign.new"},
			[]string{"[" + clearingSign + "]", "sign.choice"},
			[]string{f.say("play.now", nil), "sign.now"},
		),
	}, "\n")
}
