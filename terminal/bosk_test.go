package terminal

import (
	"regexp"
	"strings"
	"testing"

	"copse/game"
	"copse/games/bosk"
	"copse/i18n"
)

// boskTable is a face and a position for two, after moves that were typed.
type boskTable struct {
	*boskFace
	now game.Position
}

func newBoskTable(t *testing.T, colour Colour, typed ...string) *boskTable {
	t.Helper()
	now, err := game.Of(bosk.Game()).Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{locale: i18n.Pick("en"), colour: colour, width: 80, roles: make([]string, 2)}
	table := &boskTable{&boskFace{plainFace{d}}, now}
	d.seats = table.names(now)
	for _, line := range typed {
		for move := range strings.SplitSeq(line, ", ") {
			table.play(t, move)
		}
	}
	return table
}

func (b *boskTable) play(t *testing.T, typed string) {
	t.Helper()
	r, ok := b.read(b.scene(b.now), typed)
	if !ok || len(r.moves) != 1 {
		t.Fatalf("%q is not read as a move", typed)
	}
	next, _, err := b.now.Play(b.now.ToAct(), r.moves[0])
	if err != nil {
		t.Fatalf("%q: %v", typed, err)
	}
	b.now = next
}

// drawn is the board alone.
func (b *boskTable) drawn(since game.Position) string {
	return strings.Join(b.board(b.park(b.scene(since))), "\n")
}

func (b *boskTable) scene(since game.Position) *scene {
	return &scene{now: b.now, since: since, moves: b.now.Moves()}
}

// spring plants all trees: Maple's on the left, Oak's on the right.
const spring = "1 5-3, 1 5-6, 1 6-3, 1 6-6, 2 5-1, 2 7-5, 2 7-1, 2 1-5, 3 1-3, 3 1-4, 3 2-3, 3 2-4, 4 3-1, 4 3-7, 4 4-1, 4 4-7"

func picture(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.Trim(want, "\n"); got != want {
		t.Errorf("drawn\n%s\n\nwant\n%s", got, want)
	}
}

func TestTheBoardInSpring(t *testing.T) {
	b := newBoskTable(t, NoColour, "3 4-4, 1 4-5")
	before := b.now
	b.play(t, "4 1-7")
	picture(t, b.drawn(before), `
    A    B    C    D    E    F    G    H       M  O
 1 ,',' ,',' ,',' ,',' ,',' .... .... ----
       ·    ·    ·    ·    ·    ·    M4*    1  4  ·
 2 ~~~~ ~~~~ ,',' .... .... .... ---- ----
       ·    ·    ·    ·    ·    ·    ·      2  ·  ·
 3 ~~~~ ~~~~ ,',' .... .... .... ---- ----
       ·    ·    ·    ·    ·    ·    ·      3  ·  ·
 4 ~~~~ ~~~~ ~~~~ ==== ==== ---- ---- %%%%
       ·    ·    ·    M3   O1   ·    ·      4  3  1
 5 ^^^^ ^^^^ ^^^^ ==== ==== %%%% %%%% %%%%
       ·    ·    ·    ·    ·    ·    ·      5  ·  ·
 6 ^^^^ ^^^^ ^^^^ ++++ ==== ==== ==== %%%%
       ·    ·    ·    ·    ·    ·    ·      6  ·  ·
 7 ^^^^ ^^^^ ^^^^ ++++ ++++ %%%% ==== %%%%
       ·    ·    ·    ·    ·    ·    ·      7  ·  ·
 8 ++++ ++++ ++++ ++++ ++++ ==== %%%% %%%%
       1    2    3    4    5    6    7
 M     ·    ·    ·    3    ·    ·    4
 O     ·    ·    ·    ·    1    ·    ·
`)
}

func TestTheBoardInAutumn(t *testing.T) {
	b := newBoskTable(t, NoColour, spring, "north", "5-3 s", "d5")
	before := b.now
	b.play(t, "6-6 5")
	b.play(t, "f6")
	b.play(t, "f5")
	picture(t, b.drawn(before), `
    A    B    C    D    E    F    G    H
 1 ,',' ,',' ,',' ,',' ,',' .... .... ----
       ·    ·    M3   O3   O2   ·    ·      1
 2 ~~~~ ~~~~ ,',' .... .... .... ---- ----
       ·    ·    M3   O3   ·    ·    ·      2
 3 ~~~~ ~~~~ ,',' .... .... .... ---- ----
       M4   ·    ·    ·    ·    ·    O4     3
 4 ~~~~ ~~~~ ~~~~ ==== =[1] -[2] -[3] %%%%
       M4   ·    ·    ·    ·    ·    O4     4
 5 ^^^^ ^^^^ ^^^^ =M&= ==== %O1* %%%% %%%%
       M2   ·    ·    ·    ·    O1   ·      5
 6 ^^^^ ^^^^ ^^^^ ++++ ==== =O1* ==== %%%%
       ·    ·    M1   ·    ·   (O1)  ·      6
 7 ^^^^ ^^^^ ^^^^ ++++ ++++ %%%% ==== %%%%
       M2   ·    ·    ·    O2   ·    ·      7
 8 ++++ ++++ ++++ ++++ ++++ ==== %%%% %%%%
       1    2    3    4    5    6    7
`)
}

func TestTheTreesThatMayBeChosenStandInBrackets(t *testing.T) {
	b := newBoskTable(t, NoColour, spring, "w")
	board := b.drawn(b.now)
	mark := b.names(b.now)[b.now.ToAct()][:1]
	if strings.Count(board, "["+mark+"1]") != 2 || strings.Count(board, "[") != 2 {
		t.Errorf("in round 1 the two trees of value 1 may be chosen:\n%s", board)
	}
}

// A pile of ten leaves or more keeps its number, its owner and its star.
func TestAHighPile(t *testing.T) {
	f, c := newBoskTable(t, NoColour), newCanvas(80, 40)
	p := f.park(&scene{now: f.now, since: f.now})
	p.Squares = []bosk.SquareView{{At: [2]int{0, 0}, Seat: 1, Leaves: 12}, {At: [2]int{0, 1}, Seat: 0, Leaves: 28}}
	p.old.Squares = p.Squares[:1]
	f.drawGround(c, p)
	f.drawPieces(c, p)
	if got, want := c.lines(NoColour)[1][3:13], ",O12 M28* "; got != want {
		t.Errorf("drawn %q, want %q", got, want)
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Colour adds to the signs and takes nothing away: without colour, and without the
// half blocks in which two grounds meet, the same is left.
func TestColourSaysNothingThatSignsDoNot(t *testing.T) {
	for _, colour := range []Colour{Colour256, FullColour} {
		plain := newBoskTable(t, NoColour, spring, "n")
		painted := newBoskTable(t, colour, spring, "n")
		for _, whole := range []bool{false, true} {
			sc := plain.scene(plain.now)
			sc.whole = whole
			want := plain.draw(sc) + plain.menu(sc, "") + plain.sheet(sc.now)
			got := painted.draw(sc) + painted.menu(sc, "") + painted.sheet(sc.now)
			if got == want {
				t.Errorf("colour %d: nothing is coloured", colour)
			}
			got = strings.NewReplacer("▀", " ", "▌", " ").Replace(escape.ReplaceAllString(got, ""))
			trim := regexp.MustCompile(` +(\n|$)`)
			if got = trim.ReplaceAllString(got, "$1"); got != want {
				t.Errorf("colour %d: without it there is left\n%s\n\nwant\n%s", colour, got, want)
			}
		}
	}
}

// String is what was read: moves, or an answer.
func (r reading) String() string {
	list := []string{}
	for _, m := range r.moves {
		list = append(list, string(m))
	}
	return r.answer + strings.Join(list, " ")
}

func TestTypedMoves(t *testing.T) {
	inSpring := newBoskTable(t, NoColour)
	inSummer := newBoskTable(t, NoColour, spring)
	inAutumn := newBoskTable(t, NoColour, spring, "n")
	for _, c := range []struct {
		table *boskTable
		typed string
		want  string // "" where it is no move
	}{
		{inSpring, "3 4-7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "4-7 3", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "3 4 7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, " 3,  4–7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "99 0-999", `{"do":"plant","tree":99,"at":[0,999]}`},
		{inSpring, "D5", `{"do":"leaf","to":[4,3]}`},
		{inSpring, "north", `{"do":"wind","side":"north"}`},
		{inSpring, "n", `{"do":"wind","side":"north"}`},
		{inSpring, "no", `{"do":"wind","side":"north"}`},
		{inSpring, "plant 3 4-7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "Plant tree 3 at 4-7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "3 at 4-7", `{"do":"plant","tree":3,"at":[4,7]}`},
		{inSpring, "4-7", "4-7 is a crossing: type a tree’s value before it, for example: 3 4-7"},
		{inSpring, "9-9", `{"do":"plant","tree":1,"at":[9,9]}`},
		{inSpring, "d5 e6,f7", `{"do":"leaf","to":[4,3]} {"do":"leaf","to":[5,4]} {"do":"leaf","to":[6,5]}`},
		{inSpring, "d5 4-7", ""},
		{inSpring, "plant", ""},
		{inSpring, "3 4-7 5", ""},
		{inSpring, "squirrel", ""},
		{inSpring, "d", ""},
		{inSpring, "d0005", ""},
		{inSpring, "", ""},
		{inSummer, "N", `{"do":"wind","side":"north"}`},
		{inSummer, "s", `{"do":"wind","side":"south"}`},
		{inSummer, "West", `{"do":"wind","side":"west"}`},
		{inSummer, "we", `{"do":"wind","side":"west"}`},
		{inSummer, "up", ""},
		{inSummer, "5-3", `{"do":"shed","at":[5,3],"tile":"squirrel"}`},
		{inAutumn, "5-3 7", `{"do":"shed","at":[5,3],"tile":7}`},
		{inAutumn, "7 5-3", `{"do":"shed","at":[5,3],"tile":7}`},
		{inAutumn, "5-3 squirrel", `{"do":"shed","at":[5,3],"tile":"squirrel"}`},
		{inAutumn, "S 5-3", `{"do":"shed","at":[5,3],"tile":"squirrel"}`},
		{inAutumn, "& 5-3", `{"do":"shed","at":[5,3],"tile":"squirrel"}`},
		{inAutumn, "5-3 sq", `{"do":"shed","at":[5,3],"tile":"squirrel"}`},
		{inAutumn, "5-3 fox", ""},
		{inAutumn, "5-3", "Which tile for the tree at 5-3? You have squirrel, 2, 3, 4, 5, 6, 7 and 8. Type for example: 5-3 5"},
		{inAutumn, "1-1", `{"do":"shed","at":[1,1],"tile":"squirrel"}`},
		{inAutumn, "squirrel", "For which tree is the squirrel? Type its crossing too, for example: 5-3 squirrel"},
	} {
		r, ok := c.table.read(c.table.scene(c.table.now), c.typed)
		if got := r.String(); got != c.want || ok != (c.want != "") {
			t.Errorf("%q is read as %s, %v; want %s", c.typed, got, ok, c.want)
		}
	}
}

// A path may be typed at once: the leaves that can be laid stay, the first square
// that cannot have one ends it, and it is taken back leaf by leaf.
func TestAPathOnOneLine(t *testing.T) {
	planted := strings.ReplaceAll(spring, ", ", "\n") + "\nnorth\n"
	cfg := Config{Game: game.Of(bosk.Game()), Humans: 2, Seed: "path"}
	for _, c := range []struct{ typed, want string }{
		{"5-3 5\nc5 d4 c3\n", "\n· Leaves fall on C5, D4 and C3.\n"},
		{"5-3 5\nc5 d4 h8 c3\n", "\n· Leaves fall on C5 and D4.\nThe path cannot go from D4 to H8"},
		{"5-3 5\nc5 d4 h8 c3\n", "\nThe rest of the line was not played: h8 c3\n"},
		{"5-3 5\nh8 c5\n", "\nThe rest of the line was not played: h8 c5\n"},
		{"5-3 2\nc5 d4 c3\n", "\nThe rest of the line was not played: c3\n"},
		{"5-3 5\nc5 d4 c3\nundo\n", "\n1 move taken back: Maple chooses again.\n\nAutumn, round 1 of 8: the wind blows north ↑\nPoints if scored now: Maple"},
		{"5-3 5\nc5 d4 c3\nundo\nundo\nc4\n", "\n· Maple lays a leaf on C4 ("},
	} {
		if screen := play(t, cfg, planted+c.typed); !strings.Contains(screen, c.want) {
			t.Errorf("%q lacks %q:\n%s", c.typed, c.want, screen[strings.Index(screen, "> 5-3")+1:])
		}
	}
}

// What could be taken for a square is said in words, and the names of the seats
// stand above the columns.
func TestTheListOfSquares(t *testing.T) {
	b := newBoskTable(t, NoColour, spring, "north", "5-3 s", "d5", "6-6 5", "f6", "f5")
	p := b.park(b.scene(b.now))
	facts := make([]boskFacts, len(p.moves))
	for i, args := range b.scene(b.now).facts() {
		decode(args, &facts[i])
	}
	p.Squares = []bosk.SquareView{{At: p.moves[0].To, Seat: 0, Leaves: 1}, {At: p.moves[1].To, Seat: 1, Leaves: 2}}
	facts[0].Price = 2
	picture(t, b.squareMenu(p, facts), `
                                          leaves  Maple  Oak
[1]  E4  lake        covers Maple’s leaf       2     −1   +1
[2]  F4  dark earth  on Oak’s pile of 2        1      ·   +8
[3]  G4  dark earth  empty                     1      ·   +8
`)
}

// The score and the Hiker are always in sight (rule 1.1), the wind as well.
func TestWhileLeavesFallEverythingStaysInSight(t *testing.T) {
	b := newBoskTable(t, NoColour, spring, "north", "5-3 5")
	drawn := b.draw(b.scene(b.now))
	for _, want := range []string{"Autumn, round 1 of 8: the wind blows north ↑\n", "Maple\u00A014", "Hiker: Maple", "dark earth      ·    ·"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is not in sight:\n%s", want, drawn)
		}
	}
}

// Points that are not scored yet are marked: those of summer in spring, those of
// winter in autumn, and the total in both.
func TestPointsThatMayStillChange(t *testing.T) {
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"3 4-4"}, `
             trees in hand      Summer  Winter   Total
                                if now          if now
   M  Maple  1 1 2 2 3 4 4           6       0       6
→  O  Oak    1 1 2 2 3 3 4 4         0       0       0
Hiker: Maple   “if now”: as if the season were scored now
`},
		{[]string{spring}, `
             leaf tiles left  played  Summer  Winter  Total
→  M  Maple  & 2 3 4 5 6 7 8              14       0     14
   O  Oak    & 2 3 4 5 6 7 8              20       0     20
Hiker: Maple
`},
		{[]string{spring, "north"}, `
             leaf tiles left  played  Summer  Winter   Total
                                              if now  if now
→  M  Maple  & 2 3 4 5 6 7 8              14       0      14
   O  Oak    & 2 3 4 5 6 7 8              20       0      20
Hiker: Maple   “if now”: as if the season were scored now
`},
	} {
		b := newBoskTable(t, NoColour, c.typed...)
		picture(t, b.players(b.park(b.scene(b.now))), c.want)
	}
}

// The list of winds has the rounds, the list of trees the squares to which they
// blow.
func TestTheListsOfWindsAndTrees(t *testing.T) {
	b := newBoskTable(t, NoColour, spring)
	picture(t, b.menu(b.scene(b.now), ""), `
     round       1  2  3  4  5    6    7    8
[1]  north side  ↑  →  ↓  ←  ↑    →    ↓    ←
[2]  east side   →  ↓  ←  ↑  →    ↓    ←    ↑
[3]  south side  ↓  ←  ↑  →  ↓    ←    ↑    →
[4]  west side   ←  ↑  →  ↓  ←    ↑    →    ↓
     tree        1  2  3  4  any  any  any  any
`)
	b.play(t, "west")
	picture(t, b.menu(b.scene(b.now), ""), `
wind ←, leaf tiles left   &     2     3     4     5     6     7     8
Tree 1 at 5-3: C5 or C6  [1]   [2]   [3]   [4]   [5]   [6]   [7]   [8]
Tree 1 at 6-3: C6 or C7  [9]  [10]  [11]  [12]  [13]  [14]  [15]  [16]
`)
	if ask := b.ask(b.scene(b.now)); strings.Contains(ask, "squirrel") {
		t.Errorf("the example spends the squirrel: %s", ask)
	}
}

// The number of every line in every menu is the number of its move.
func TestMenusNumberTheList(t *testing.T) {
	numbers := regexp.MustCompile(`\[(\d+)\]`)
	b := newBoskTable(t, NoColour)
	sc := b.scene(b.now)
	if menu := b.menu(sc, "3"); !strings.Contains(menu, "\n 4   87  91  95  99") {
		t.Errorf("crossing 4-4 with tree 3 is move 99:\n%s", menu)
	}
	if string(sc.moves[98]) != `{"do":"plant","tree":3,"at":[4,4]}` {
		t.Errorf("move 99 is %s", sc.moves[98])
	}
	if b.menu(sc, "7") != "" {
		t.Error("there is a menu for a tree that nobody has")
	}
	for _, typed := range []string{spring, "e", "1"} {
		if typed == "1" {
			next, _, err := b.now.Play(b.now.ToAct(), b.now.Moves()[3])
			if err != nil {
				t.Fatal(err)
			}
			b.now = next
		} else {
			for move := range strings.SplitSeq(typed, ", ") {
				b.play(t, move)
			}
		}
		sc := b.scene(b.now)
		if found := numbers.FindAllString(b.menu(sc, ""), -1); len(found) != len(sc.moves) {
			t.Errorf("%d moves, but the menu numbers %v", len(sc.moves), found)
		}
	}
}

// A box of somebody's own shows its terrains by their letters, and its own wind.
func TestABoxOfOnesOwn(t *testing.T) {
	board := `["MMMMMM","MMMMMM","MMMMMM","MMMMMM","MMMMMM","MMMMMM"]`
	options := []byte(`{"box":{"terrains":{"M":"moor"},"boards":{"2":{"rows":` + board + `},"3":{"rows":` + board + `},"4":{"rows":` +
		strings.ReplaceAll(strings.Replace(board, "[", `["MMMMMMM",`, 1), `"MMMMMM"`, `"MMMMMMM"`) + `}}}}`)
	screen := play(t, Config{Game: game.Of(bosk.Game()), Options: options, Humans: 1, Seed: "moor"}, "3 1-1\n")
	for _, want := range []string{" 1 mmmm mmmm mmmm mmmm mmmm mmmm\n       M3", "mmmm moor"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}
