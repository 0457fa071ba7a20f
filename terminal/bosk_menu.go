package terminal

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"copse/game"
	"copse/games/bosk"
)

// ask says what is to be chosen, with an example that is allowed: one with a number
// tile as long as there is one, since each seat has the squirrel only once.
func (f *boskFace) ask(sc *scene) string {
	p := f.park(sc)
	m := p.moves[len(p.moves)/2]
	if m.Do == "shed" && m.Tile == bosk.Squirrel {
		if i := slices.IndexFunc(p.moves, func(m boskMove) bool { return m.Tile != bosk.Squirrel }); i >= 0 {
			m = p.moves[i]
		}
	}
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
	case "wind":
		return f.windMenu(p, facts)
	case "shed":
		return f.shedMenu(p, facts)
	}
	return f.squareMenu(p, facts)
}

func squareName(at [2]int) string { return string(rune('A'+at[1])) + strconv.Itoa(at[0]+1) }

// windMenu has a line for each side, with where the wind would blow in each
// round.
func (f *boskFace) windMenu(p *park, facts []boskFacts) string {
	rounds := []string{"", f.say("play.bosk.round", nil)}
	trees := []string{"", f.say("play.bosk.tree", nil)}
	for i, tree := range p.Asks {
		rounds, trees = append(rounds, strconv.Itoa(i+1)), append(trees, f.askedTree(tree))
	}
	rows := [][]string{rounds}
	for i, m := range p.moves {
		row := []string{f.number(i), f.say("bosk.side."+m.Side, nil)}
		for _, wind := range facts[i].Blows {
			row = append(row, arrow(wind))
		}
		rows = append(rows, row)
	}
	return strings.Join(align(append(rows, trees), 0), "\n")
}

// squareMenu has a line for each square on which a leaf or the squirrel may go:
// what lies there, how many leaves it takes, and how the scores would change.
func (f *boskFace) squareMenu(p *park, facts []boskFacts) string {
	change := func(fact boskFacts, seat int) int {
		return fact.Totals[seat] - p.Players[seat].Summer - p.Players[seat].Winter
	}
	priced := p.moves[0].Do == "leaf"
	table := func(names []string) (rows [][]string, right []int) {
		head := []string{"", "", "", ""}
		if priced {
			head = append(head, f.say("play.bosk.price", nil))
		}
		rows = [][]string{head}
		for i, m := range p.moves {
			row := []string{f.number(i), squareName(m.To), f.word("bosk.region", facts[i].Region), f.underfoot(p, m, facts[i])}
			if priced {
				row = append(row, strconv.Itoa(facts[i].Price))
			}
			rows = append(rows, row)
		}
		for seat, name := range names {
			if !slices.ContainsFunc(facts, func(fact boskFacts) bool { return change(fact, seat) != 0 }) {
				continue
			}
			rows[0] = append(rows[0], p.look[seat].paint(f.colour, name))
			for i := range p.moves {
				cell := "·"
				if n := change(facts[i], seat); n != 0 {
					cell = signed(n)
				}
				rows[i+1] = append(rows[i+1], cell)
			}
		}
		if !priced && len(rows[0]) == len(head) {
			rows = rows[1:] // no heading is needed: nobody's score changes
		}
		return rows, append(from(4, len(head)+len(names)), 0)
	}
	rows, right := table(f.seats)
	if lines := align(rows, right...); widest(lines) <= f.width {
		return strings.Join(lines, "\n")
	}
	rows, right = table(p.marks)
	return strings.Join(align(narrow(rows, f.width), right...), "\n")
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

// shedMenu has a line for each tree, with where the wind lets its first leaf
// fall, and a column for each tile.
func (f *boskFace) shedMenu(p *park, facts []boskFacts) string {
	head := []string{f.say("play.bosk.shed", game.Args{"arrow": arrow(p.Wind.Blows)})}
	for _, tile := range p.Players[*p.ToAct].Tiles {
		head = append(head, f.bold(tileSign(tile)+" "))
	}
	rows := [][]string{head}
	for i := 0; i < len(p.moves); {
		at := p.moves[i].At
		args := game.Args{"tree": 0, "at": at, "squares": 0, "a": nil, "b": nil}
		for _, t := range p.Trees {
			if t.At == at {
				args["tree"] = t.Tree
			}
		}
		row := []string{""}
		for ; i < len(p.moves) && p.moves[i].At == at; i++ {
			if to := facts[i].To; p.moves[i].Tile != bosk.Squirrel && len(to) > 0 {
				args["squares"], args["a"], args["b"] = len(to), to[0], to[len(to)-1]
			}
			row = append(row, f.number(i))
		}
		row[0] = f.say("play.bosk.choice", args)
		rows = append(rows, row)
	}
	return strings.Join(align(rows, from(1, len(head))...), "\n")
}

// from are the numbers from first on, up to but not including end.
func from(first, end int) []int {
	var list []int
	for i := first; i < end; i++ {
		list = append(list, i)
	}
	return list
}

// underfoot says in words what lies where a leaf or a squirrel may go: a letter and
// a number would read like a square.
func (f *boskFace) underfoot(p *park, m boskMove, facts boskFacts) string {
	for _, q := range p.Squares {
		if q.At != m.To {
			continue
		}
		args := game.Args{"seat": q.Seat, "leaves": q.Leaves}
		if facts.Price > 1 {
			return f.say("play.bosk.over", args)
		}
		return f.say("play.bosk.on", args)
	}
	return f.say("play.bosk.free", nil)
}

var (
	squareTyped   = regexp.MustCompile(`^([a-z])([0-9]{1,3})$`)
	crossingTyped = regexp.MustCompile(`^([0-9]{1,3})-([0-9]{1,3})$`)
	numberTyped   = regexp.MustCompile(`^[0-9]{1,3}$`)
)

// read understands "3 4-7", "4-7 5", "4-7 squirrel", "north", "d5" and "d5 d4 e3",
// with words like "plant" and "at" between them.
func (f *boskFace) read(sc *scene, typed string) (reading, bool) {
	words := strings.FieldsFunc(fold(typed), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	words = slices.DeleteFunc(words, func(word string) bool { return f.means(word, "play.bosk.word.filler") })
	all := func(pattern *regexp.Regexp) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !pattern.MatchString(word) })
	}
	if len(words) == 3 && all(numberTyped) {
		words = []string{words[0], words[1] + "-" + words[2]}
	}
	switch {
	case len(words) == 0:
		return reading{}, false
	case all(squareTyped):
		return f.readSquares(sc, words), true
	case len(words) == 1:
		return f.readWord(sc, words[0])
	case len(words) == 2:
		if crossingTyped.MatchString(words[0]) {
			words[0], words[1] = words[1], words[0]
		}
		return f.readPiece(sc, words[0], words[1])
	}
	return reading{}, false
}

// readSquares reads where leaves go, one after the other, or a squirrel.
func (f *boskFace) readSquares(sc *scene, words []string) reading {
	do := "leaf"
	if path := readBosk(sc.now).Path; path != nil && path.Tile == bosk.Squirrel {
		do = "squirrel"
	}
	r := reading{words: words}
	for _, word := range words {
		at := squareTyped.FindStringSubmatch(word)
		r.moves = append(r.moves, fmt.Appendf(nil, `{"do":%q,"to":[%d,%d]}`, do, number(at[2])-1, at[1][0]-'a'))
	}
	return r
}

// readPiece reads a tree or a tile and a crossing.
func (f *boskFace) readPiece(sc *scene, piece, crossing string) (reading, bool) {
	at := crossingTyped.FindStringSubmatch(crossing)
	squirrel := f.meansSquirrel(piece, 2)
	if at == nil || !squirrel && !numberTyped.MatchString(piece) {
		return reading{}, false
	}
	row, column := number(at[1]), number(at[2])
	switch {
	case squirrel:
		return move(`{"do":"shed","at":[%d,%d],"tile":"squirrel"}`, row, column)
	case readBosk(sc.now).Season == "spring":
		return move(`{"do":"plant","tree":%d,"at":[%d,%d]}`, number(piece), row, column)
	}
	return move(`{"do":"shed","at":[%d,%d],"tile":%d}`, row, column, number(piece))
}

// readWord reads a side or its beginning, and asks for the other half where a
// crossing or the squirrel stands alone.
func (f *boskFace) readWord(sc *scene, word string) (reading, bool) {
	if at := crossingTyped.FindStringSubmatch(word); at != nil {
		return f.readCrossing(sc, [2]int{number(at[1]), number(at[2])})
	}
	var begun []string
	for _, side := range []string{"north", "east", "south", "west"} {
		key := "play.bosk.word." + side
		if f.means(word, key) {
			return move(`{"do":"wind","side":%q}`, side)
		}
		if len(word) > 1 && f.begins(word, key) {
			begun = append(begun, side)
		}
	}
	if len(begun) == 1 {
		return move(`{"do":"wind","side":%q}`, begun[0])
	}
	if moves := f.park(sc).moves; len(moves) > 0 && moves[0].Do == "shed" && f.meansSquirrel(word, 3) {
		return reading{answer: f.say("play.bosk.half.squirrel", game.Args{"at": moves[0].At})}, true
	}
	return reading{}, false
}

// readCrossing asks what is to be done at a crossing. Where nothing can be done,
// the rules say why.
func (f *boskFace) readCrossing(sc *scene, at [2]int) (reading, bool) {
	p := f.park(sc)
	moves := slices.DeleteFunc(p.moves, func(m boskMove) bool { return m.At != at })
	if len(moves) > 0 {
		m := moves[len(moves)/2]
		args := game.Args{"at": at, "tree": m.Tree, "tile": m.Tile, "tiles": p.Players[*p.ToAct].Tiles}
		return reading{answer: f.say("play.bosk.half."+m.Do, args)}, true
	}
	if p.Season == "spring" {
		return move(`{"do":"plant","tree":%d,"at":[%d,%d]}`, p.Players[*p.ToAct].Hand[0], at[0], at[1])
	}
	tile := bosk.Tile(bosk.Squirrel)
	if p.ToAct != nil && len(p.Players[*p.ToAct].Tiles) > 0 {
		tile = p.Players[*p.ToAct].Tiles[0]
	}
	raw, _ := tile.MarshalJSON() // it never fails
	return move(`{"do":"shed","at":[%d,%d],"tile":%s}`, at[0], at[1], raw)
}

// meansSquirrel tells whether a word is the squirrel or, from some letters on,
// its beginning.
func (f *boskFace) meansSquirrel(word string, letters int) bool {
	const key = "play.bosk.word.squirrel"
	return f.means(word, key) || len(word) >= letters && f.begins(word, key)
}

// number reads a number that a pattern has found.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
