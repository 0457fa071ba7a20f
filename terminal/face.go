package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/game"
	"copse/i18n"
)

// face is how one game looks and talks at a terminal. It gets views, moves and
// facts and adds no rule to them: it never decides what is allowed, only how it is
// shown and typed.
type face interface {
	// names are what the seats are called.
	names(view game.Position) []string

	// draw shows the table.
	draw(sc *scene) string

	// ask says what is to be chosen, and how it may be typed.
	ask(sc *scene) string

	// menu shows the moves with their numbers; where only is not empty, only those
	// that this word of the player's picks out.
	menu(sc *scene, only string) string

	// read makes moves of what was typed, where it looks like moves. The rules say
	// whether they are allowed.
	read(sc *scene, typed string) (reading, bool)

	// tell says what happened within one turn, in a few lines.
	tell(events []game.Event) []string

	// sheet explains the score.
	sheet(view game.Position) string

	// help says how moves are typed and what the signs mean.
	help() string
}

// reading is what was made of a line: moves, or an answer where half of a move is
// missing.
type reading struct {
	moves  []json.RawMessage
	words  []string // how each move was typed, where there are several
	answer string
}

// move is a reading of one move.
func move(format string, args ...any) (reading, bool) {
	return reading{moves: []json.RawMessage{fmt.Appendf(nil, format, args...)}}, true
}

// scene is what a viewer has before them.
type scene struct {
	now   game.Position // the position as the viewer may know it
	since game.Position // the same, earlier: what has changed since is marked as new
	moves []json.RawMessage
	whole bool // with everything that lies around the table
}

// facts are what is shown beside each of the moves. They are asked for only when
// they are shown: a list may be long.
func (sc *scene) facts() []game.Args { return sc.now.Facts() }

// desk is what every face writes with.
type desk struct {
	locale *i18n.Locale
	colour Colour
	width  int
	seats  []string // what the seats are called
	roles  []string // who plays each seat, in a word; empty where nobody need be told
}

// say is a phrase in the language of the desk.
func (d *desk) say(key string, args game.Args) string {
	return d.locale.Say(key, args, i18n.Names(d.seats...))
}

func (d *desk) bold(text string) string { return style{bold: true}.paint(d.colour, text) }

// number is the number of move i in a menu.
func (d *desk) number(i int) string {
	return choiceStyle().paint(d.colour, fmt.Sprintf("[%d]", i+1))
}

// word is the name of a word of the wire; the word itself where it has none, as in
// somebody's own box.
func (d *desk) word(prefix, word string) string {
	if said := d.say(prefix+"."+word, nil); said != prefix+"."+word {
		return said
	}
	return quote(word)
}

// wordsOf are the words of a key, folded, in the language of the desk and in
// English.
func (d *desk) wordsOf(key string) []string {
	return strings.Fields(fold(d.say(key, nil) + " " + i18n.Pick("en").Say(key, nil, nil)))
}

// means tells whether a folded word is one of those of a key.
func (d *desk) means(word, key string) bool { return slices.Contains(d.wordsOf(key), word) }

// begins tells whether a folded word is the beginning of one of those of a key.
func (d *desk) begins(word, key string) bool {
	return slices.ContainsFunc(d.wordsOf(key), func(name string) bool { return strings.HasPrefix(name, word) })
}

// newFace is the face of a game, a plain one where the game has none of its own.
func newFace(name string, d *desk) face {
	switch name {
	case "bosk":
		return &boskFace{plainFace{d}}
	case "grandbois":
		return &grandboisFace{plainFace{d}}
	case "treesociety":
		return &treesocietyFace{plainFace: plainFace{d}}
	}
	return &plainFace{d}
}

// plainFace shows any game as the protocol writes it.
type plainFace struct{ *desk }

func (f *plainFace) names(view game.Position) []string {
	list := make([]string, view.Seats())
	for i := range list {
		list[i] = f.say("play.seat", game.Args{"number": i + 1})
	}
	return list
}

func (f *plainFace) draw(sc *scene) string {
	var b bytes.Buffer
	if json.Indent(&b, sc.now.View(), "", "  ") != nil {
		return string(sc.now.View())
	}
	return b.String()
}

func (f *plainFace) ask(sc *scene) string {
	return f.say("play.ask", game.Args{"seat": sc.now.ToAct()})
}

func (f *plainFace) menu(sc *scene, only string) string {
	var list []string
	for i, m := range sc.moves {
		if strings.Contains(fold(string(m)), fold(only)) {
			list = append(list, fmt.Sprintf("[%d] %s", i+1, m))
		}
	}
	return strings.Join(list, "\n")
}

func (f *plainFace) read(*scene, string) (reading, bool) { return reading{}, false }

func (f *plainFace) tell(events []game.Event) []string {
	said := make([]string, len(events))
	for i, e := range events {
		said[i] = f.say(e.Key, e.Args)
	}
	return []string{strings.Join(said, " ")}
}

func (f *plainFace) sheet(view game.Position) string {
	rows := [][]string{append([]string{""}, f.seats...)}
	for _, line := range view.Sheet() {
		row := []string{f.say(line.Key, line.Args)}
		for _, p := range line.Points {
			row = append(row, points(p))
		}
		rows = append(rows, row)
	}
	rows = append(rows, f.totals(view))
	return strings.Join(align(rows, f.seatColumns(1)...), "\n")
}

// totals is the last row of a score sheet.
func (f *plainFace) totals(view game.Position) []string {
	row := []string{f.say("play.total", nil)}
	standing := view.Standing()
	for _, score := range standing.Seats[:view.Seats()] {
		row = append(row, points(score.Total))
	}
	return row
}

// points is a score as text; one that the viewer may not know is a question mark.
func points(p game.Points) string {
	if p == game.Unknown {
		return "?"
	}
	return strconv.Itoa(int(p))
}

// seatColumns are the columns of the seats in a table, from the first one on.
func (f *plainFace) seatColumns(first int) []int {
	list := make([]int, len(f.seats))
	for i := range list {
		list[i] = first + i
	}
	return list
}

func (f *plainFace) help() string { return wrap(f.say("play.typed", nil), f.width, "", "") + "\n" }

// mustRead reads what the rules have written.
func mustRead(raw json.RawMessage, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic(fmt.Sprintf("terminal: the rules wrote %s: %v", raw, err))
	}
}

// decode reads arguments of an event, a fact or a line into a struct, as they
// would come over the wire.
func decode(args game.Args, into any) {
	raw, err := json.Marshal(args)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		panic(fmt.Sprintf("terminal: %v cannot be read as %T: %v", args, into, err))
	}
}
