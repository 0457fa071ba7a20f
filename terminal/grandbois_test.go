package terminal

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/games/grandbois"
	"copse/i18n"
)

// woodTable is a face and a position of GrandBois, after moves that were typed.
// Clans are dealt in the order of the box, toads to the first seat.
type woodTable struct {
	*grandboisFace
	now   game.Position
	tiles []int // still to be revealed, in this order
}

func newWoodTable(t *testing.T, seats int, colour Colour, tiles ...int) *woodTable {
	t.Helper()
	now, err := game.Of(grandbois.Game()).Start(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{locale: i18n.Pick("en"), colour: colour, width: 80, roles: make([]string, seats)}
	table := &woodTable{&grandboisFace{plainFace{d}}, now, tiles}
	d.seats = table.names(now)
	for table.now.ToAct() == game.Chance {
		table.chance(t)
	}
	return table
}

// chance deals the next clan or reveals the next tile.
func (b *woodTable) chance(t *testing.T) {
	t.Helper()
	move := b.now.Moves()[0]
	if strings.Contains(string(move), "reveal") {
		move = fmt.Appendf(nil, `{"do":"reveal","tile":%d}`, b.tiles[0])
		b.tiles = b.tiles[1:]
	}
	b.play(t, move)
}

func (b *woodTable) play(t *testing.T, move json.RawMessage) {
	t.Helper()
	next, _, err := b.now.Play(b.now.ToAct(), move)
	if err != nil {
		t.Fatalf("%s: %v", move, err)
	}
	b.now = next
}

// typed plays what is typed, and what chance does after it.
func (b *woodTable) typed(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		r, ok := b.read(b.scene(b.now), line)
		if !ok {
			t.Fatalf("%q is not read as a move", line)
		}
		b.play(t, r.moves[0])
		for b.now.ToAct() == game.Chance {
			b.chance(t)
		}
	}
}

// scene is what the seat to act has before it.
func (b *woodTable) scene(since game.Position) *scene {
	now := b.now.See(b.now.ToAct())
	return &scene{now: now, since: since.See(b.now.ToAct()), moves: now.Moves()}
}

func TestTheForestGrowsInAllDirections(t *testing.T) {
	b := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36, 8, 9)
	picture(t, b.draw(b.scene(b.now)), `
The Forest: 0 of 36 tiles placed

     −1   0   1   2
 −1   ·   ·   ·   ·  −1
  0   ·   o   o   ·   0
  1   ·   o   o   ·   1
  2   ·   ·   ·   ·   2
     −1   0   1   2

The River, and 32 tiles in the pile
  2  r0      r1      r2      r3        12  r0      r1      r2      r3
    T3 ##   R1 T3   R1 R1   ## R1         C4  o   T2 C4   T1 T2    o T1
    R1 R1   R1 ##   ## T3   T3 R1         T2 T1   T1  o    o C4   C4 T2
 20  r0      r1      r2      r3        33  r0      r1      r2      r3
    L4 L1    o L4   F2  o   L1 F2         R1 T2   R1 R1   T3 R1   T2 T3
     o F2   F2 L1   L1 L4   L4  o         R1 T3   T3 T2   T2 R1   R1 R1
`)
	before := b.now
	b.typed(t, "12 -1,-1 r1")
	picture(t, strings.Split(b.draw(b.scene(before)), "\n\n")[1], `
     −2  −1   0   1   2
 −2   ·   ·   ·   ·   ·  −2
 −1   ·  T2* C4*  ·   ·  −1
  0   ·  T1*[ o]  o   ·   0
  1   ·   ·   o   o   ·   1
  2   ·   ·   ·   ·   ·   2
     −2  −1   0   1   2
`)
	before = b.now
	b.typed(t, "tower", "20 1,1", "no")
	picture(t, strings.Split(b.draw(b.scene(before)), "\n\n")[1], `
     −2  −1   0   1   2   3
 −2   ·   ·   ·   ·   ·   ·  −2
 −1   ·  T2  C4   ·   ·   ·  −1
  0   ·  T1  ^W   o   ·   ·   0
  1   ·   ·   o  L4* L1*  ·   1
  2   ·   ·   ·   o* F2*  ·   2
  3   ·   ·   ·   ·   ·   ·   3
     −2  −1   0   1   2   3
`)
}

// A forest of 38 spaces, the widest there can be, fits into 80 columns; so does
// everything narrower, in the widest spaces for which there is room.
func TestAForestOfAnyWidthFits(t *testing.T) {
	b := newWoodTable(t, 2, NoColour, 12, 20, 2, 33)
	w := b.wood(b.now, b.now)
	w.fresh[7] = true
	for wide := 2; wide <= 38; wide++ {
		w.Forest = nil
		for x := range wide {
			w.Forest = append(w.Forest, grandbois.SpaceView{X: x - 36, Y: -36, Shows: "fox-3"})
		}
		w.Forest[wide-1].Tile = 7
		lines := b.forest(w)
		if n := widest(lines); n > 80 {
			t.Errorf("%d spaces take %d columns", wide, n)
		}
		row := lines[2]
		if n := strings.Count(row, "F3"); n < wide-1 {
			t.Errorf("%d spaces, but the row shows %d: %s", wide, n, row)
		}
		if !strings.Contains(row, "F3*") && !strings.Contains(row, "f3") {
			t.Errorf("%d spaces, and none of them is new: %s", wide, row)
		}
		if labels := strings.Fields(lines[0]); len(labels) < wide/2 {
			t.Errorf("%d spaces have only the numbers %v", wide, labels)
		}
	}
	picture(t, strings.Join(b.forest(w), "\n"), `
   −36 −34 −32 −30 −28 −26 −24 −22 −20 −18 −16 −14 −12 −10  −8  −6  −4  −2   0
−37  · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · ·
−36 F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3F3f3
−35  · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · ·
   −36 −34 −32 −30 −28 −26 −24 −22 −20 −18 −16 −14 −12 −10  −8  −6  −4  −2   0
`)
}

// Colour adds to the signs and takes nothing away.
func TestColourSaysNothingThatSignsOfTheForestDoNot(t *testing.T) {
	moves := []string{"12 -1,-1 r1", "tower", "20 1,1", "no", "2 2,2 r3"}
	plain := newWoodTable(t, 3, NoColour, 12, 20, 2, 33, 36, 8, 9, 10)
	plain.typed(t, moves...)
	for _, colour := range []Colour{Colour256, FullColour} {
		painted := newWoodTable(t, 3, colour, 12, 20, 2, 33, 36, 8, 9, 10)
		painted.typed(t, moves...)
		sc := plain.scene(plain.now)
		sc.whole = true
		want := plain.draw(sc) + plain.menu(sc, "") + plain.menu(sc, "33") + plain.sheet(sc.now)
		got := painted.draw(sc) + painted.menu(sc, "") + painted.menu(sc, "33") + painted.sheet(sc.now)
		if got == want {
			t.Errorf("colour %d: nothing is coloured", colour)
		}
		trim := regexp.MustCompile(` +(\n|$)`)
		if got = trim.ReplaceAllString(escape.ReplaceAllString(got, ""), "$1"); got != want {
			t.Errorf("colour %d: without it there is left\n%s\n\nwant\n%s", colour, got, want)
		}
	}
}

// Whatever a terminal can show, a sign has enough contrast with its ground (4.5 to
// 1, as WCAG asks of text).
func TestSignsStandOutFromTheirGround(t *testing.T) {
	light := func(c ink, colour Colour) float64 {
		r, g, b := int(c>>16), int(c>>8&0xFF), int(c&0xFF)
		if i := c.index(); colour == Colour256 && i >= 232 {
			r, g, b = 8+10*(i-232), 8+10*(i-232), 8+10*(i-232)
		} else if colour == Colour256 {
			level := []int{0, 95, 135, 175, 215, 255}
			r, g, b = level[(i-16)/36], level[(i-16)/6%6], level[(i-16)%6]
		}
		linear := func(v int) float64 {
			if x := float64(v) / 255; x > 0.03928 {
				return math.Pow((x+0.055)/1.055, 2.4)
			}
			return float64(v) / 255 / 12.92
		}
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b) + 0.05
	}
	for _, colour := range []Colour{Colour256, FullColour} {
		for _, look := range slices.Concat(clanLooks(), towerLooks(), []style{clearingLook(), bearLook(), choiceStyle()}) {
			front, back := light(look.front, colour), light(look.back, colour)
			if contrast := max(front/back, back/front); contrast < 4.5 {
				t.Errorf("colour %d: %06X on %06X has a contrast of %.1f", colour, uint32(look.front), uint32(look.back), contrast)
			}
		}
	}
}

func TestTypedPlacements(t *testing.T) {
	placing := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36)
	deciding := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36)
	deciding.typed(t, "12 -1,-1 r1")
	const turned = `{"do":"place","tile":12,"x":-1,"y":0,"turn":1}`
	for _, c := range []struct {
		table *woodTable
		typed string
		want  string // "" where it is no move
	}{
		{placing, "12 -1,0 r1", turned},
		{placing, "12 −1,0 R1", turned},
		{placing, "12 -1 0 r1", turned},
		{placing, "12 -1 0 1", turned},
		{placing, "12,-1,0,1", turned},
		{placing, " 12  ( -1 , 0 )  r1 ", turned},
		{placing, "12 r1 -1,0", turned},
		{placing, "r1 12 -1,0", turned},
		{placing, "-1,0 12 r1", turned},
		{placing, "-1,0 r1 12", turned},
		{placing, "12 -1;0", `{"do":"place","tile":12,"x":-1,"y":0,"turn":0}`},
		{placing, "12 +1,0", `{"do":"place","tile":12,"x":1,"y":0,"turn":0}`},
		{placing, "999 1000,-1000 r9", `{"do":"place","tile":999,"x":1000,"y":-1000,"turn":9}`},
		{placing, "-1 0,0", `{"do":"place","tile":-1,"x":0,"y":0,"turn":0}`},
		{placing, "12 -1", ""},
		{placing, "12 r1", ""},
		{placing, "r1", ""},
		{placing, "12 0,0 r1 r2", ""},
		{placing, "12 0,0 1 r1", ""},
		{placing, "12 0,0,0,0", ""},
		{placing, "12 0,0 x", ""},
		{placing, "12 --1,0", ""},
		{placing, "12 99999,0", ""},
		{placing, "", ""},
		{placing, "y", ""},
		{placing, "n", ""},
		{placing, "Tower", `{"do":"tower"}`},
		{placing, "pass", `{"do":"pass"}`},
		{deciding, "tower", `{"do":"tower"}`},
		{deciding, "YES", `{"do":"tower"}`},
		{deciding, "y", `{"do":"tower"}`},
		{deciding, "no", `{"do":"no-tower"}`},
		{deciding, "n", `{"do":"no-tower"}`},
		{deciding, "maybe", ""},
	} {
		r, ok := c.table.read(c.table.scene(c.table.now), c.typed)
		if got := r.String(); got != c.want || ok != (c.want != "") {
			t.Errorf("%q is read as %s, %v; want %s", c.typed, got, ok, c.want)
		}
	}
}

// A tower is put up or kept, and a turn passed, by words of any language, and by
// English words everywhere; none of these words is a command.
func TestTheWordsForATower(t *testing.T) {
	for tag, words := range map[string][3]string{
		"en": {"tower yes y", "no n", "pass"},
		"fr": {"tour oui o tower y", "non n no", "passer passe pass"},
		"it": {"torre sì si SÌ s tower yes", "no n", "passo passa pass"},
	} {
		b := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36)
		b.typed(t, "12 -1,-1 r1")
		b.locale = i18n.Pick(tag)
		s := &session{desk: b.desk}
		for i, do := range []string{"tower", "no-tower", "pass"} {
			for word := range strings.FieldsSeq(words[i]) {
				r, _ := b.read(b.scene(b.now), word)
				if want := fmt.Sprintf(`{"do":%q}`, do); r.String() != want {
					t.Errorf("%s: %q is read as %s, want %s", tag, word, r, want)
				}
				if command, _ := s.command(word); command != "" {
					t.Errorf("%s: %q means %s and %s", tag, word, do, command)
				}
			}
		}
	}
}

// The number of every line in every menu is the number of its move.
func TestMenusNumberThePlacements(t *testing.T) {
	b := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36)
	sc := b.scene(b.now)
	moves := readPlacements(sc)
	numbers := regexp.MustCompile(`\[(\d+)\]`)
	for _, c := range []struct {
		only string
		want func(m grandboisMove) bool
	}{
		{"12", func(m grandboisMove) bool { return m.Tile == 12 }},
		{"r2", func(m grandboisMove) bool { return m.Turn == 2 }},
		{"12 r1", func(m grandboisMove) bool { return m.Tile == 12 && m.Turn == 1 }},
		{"-1,-1", func(m grandboisMove) bool { return m.X == -1 && m.Y == -1 }},
		{"2,2 33", func(m grandboisMove) bool { return m.Tile == 33 && m.X == 1 && m.Y == 1 }},
		{"1,1", func(m grandboisMove) bool { return m.X >= 0 && m.Y >= 0 }},
		{"7", func(grandboisMove) bool { return false }},
		{"owl", func(grandboisMove) bool { return false }},
		{"1 2 3 4", func(grandboisMove) bool { return false }},
	} {
		var want, got []string
		for i, m := range moves {
			if c.want(m) {
				want = append(want, fmt.Sprintf("[%d]", i+1))
			}
		}
		got = numbers.FindAllString(b.menu(sc, c.only), -1)
		slices.SortFunc(got, func(a, b string) int { return number(a[1:len(a)-1]) - number(b[1:len(b)-1]) })
		if !slices.Equal(got, want) {
			t.Errorf("list %s: %v, want %v", c.only, got, want)
		}
	}
	if menu := b.menu(sc, ""); !strings.Contains(menu, "[9–16]") || !strings.Contains(menu, "T1 T2") {
		t.Errorf("the list lacks a tile in a turn, or its numbers:\n%s", menu)
	}
	b.typed(t, "12 -1,-1 r1")
	if got := numbers.FindAllString(b.menu(b.scene(b.now), ""), -1); !slices.Equal(got, []string{"[1]", "[2]"}) {
		t.Errorf("a tower has the numbers %v", got)
	}
}

// What a placement covers and brings stands beside it.
func TestAListedPlacementSaysWhatItCovers(t *testing.T) {
	b := newWoodTable(t, 3, NoColour, 12, 20, 2, 33, 36, 32, 8, 9, 10)
	b.typed(t, "12 -1,-1 r1", "no", "20 1,1", "no", "36 1,-1")
	picture(t, b.menu(b.scene(b.now), "32 r2 -2,-2"), `
The number of each move, the place of its top left space, what it covers, and
what that does to your score:

32 r2      [59]  −2,−2  T2  +1
   T1 T1
   F2 F4
`)
}

// Several spaces of the same kind that are covered are counted.
func TestCoveredSpacesAreCounted(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "two clearings, one fox and one toad (twice)",
		"fr": "deux Clairières, un renard et un crapaud (deux fois)",
		"it": "due Radure, una volpe e un rospo (due volte)",
	} {
		b := newWoodTable(t, 2, NoColour, 12, 20, 2, 33, 36)
		b.locale = i18n.Pick(tag)
		said := b.tell([]game.Event{{Key: "grandbois.event.place", Args: game.Args{
			"seat": 0, "tile": 12, "x": 0, "y": 0, "turn": 0, "adds": 1,
			"covers": []string{"clearing", "fox-1", "clearing", "toad-1", "toad-1"},
		}}})
		if !strings.Contains(said[0], want) {
			t.Errorf("%s: %q lacks %q", tag, said[0], want)
		}
	}
}

// twins is GrandBois with the clans dealt as a list says, seat by seat.
type twins struct {
	game.Game
	clans []string
}

func (g twins) Start(set game.Settings) (game.Position, error) {
	p, err := g.Game.Start(set)
	return twin{p, g.clans}, err
}

type twin struct {
	game.Position
	clans []string
}

func (p twin) Draw(seed game.Seed, k int) json.RawMessage {
	move := p.Position.Draw(seed, k)
	var m struct {
		Do   string `json:"do"`
		Seat int    `json:"seat"`
	}
	mustRead(move, &m)
	if m.Do == "deal" {
		return fmt.Appendf(nil, `{"do":"deal","seat":%d,"clan":%q}`, m.Seat, p.clans[k])
	}
	return move
}

func (p twin) Play(seat game.Seat, move json.RawMessage) (game.Position, []game.Event, error) {
	next, events, err := p.Position.Play(seat, move)
	return twin{next, p.clans}, events, err
}

// curious asks, again and again, for everything that may be asked.
var curious = strings.Repeat("list\n40\nlog\nscore\nboard\nlist 0,0\n2\n99 0,0\ntower\npass\n{\"do\":\"deal\",\"seat\":1,\"clan\":\"fox\"}\nscore\nno\nundo\n40\n", 10)

// Games that differ only in what others were dealt look the same to a person, up to
// the harvest, whatever the person asks.
func TestNothingShowsTheClansOfOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seats int
		clans []string // one list a twin
	}{
		{2, []string{"fox toad lizard rabbit", "fox toad rabbit raccoon", "fox toad raccoon lizard"}},
		{3, []string{"fox toad lizard", "fox rabbit raccoon", "fox lizard toad"}},
		{4, []string{"fox toad lizard rabbit", "fox raccoon rabbit toad", "fox lizard raccoon toad"}},
	} {
		var first string
		for i, clans := range c.clans {
			g := twins{game.Of(grandbois.Game()), strings.Fields(clans)}
			screen := play(t, Config{Game: g, Seats: c.seats, Humans: 1, Seed: "twins"}, curious+wholeGame(2)+"score\n")
			asked, harvest, ended := strings.Cut(screen, "\n· "+i18n.Pick("en").Say("grandbois.event.harvest", game.Args{"left": 0}, nil))
			if !ended {
				t.Fatalf("%d seats: the game does not end", c.seats)
			}
			if i == 0 {
				first = screen
				continue
			}
			if !strings.HasPrefix(first, asked) {
				t.Errorf("%d seats: with %s something shows from line %d on", c.seats, clans, 1+strings.Count(common(first, asked), "\n"))
			}
			if strings.HasSuffix(first, harvest) {
				t.Errorf("%d seats: the harvest does not show the clans", c.seats)
			}
		}
	}
}

// With several people at one keyboard each sees their own clans and no others:
// while one person looks at the screen, it is the same in games that differ only in
// what the others were dealt.
func TestThePeopleAtAKeyboardSeeTheirOwnClansOnly(t *testing.T) {
	parts := func(clans string) (list [2]string) {
		g := twins{game.Of(grandbois.Game()), strings.Fields(clans)}
		screen := play(t, Config{Game: g, Seats: 3, Humans: 2, Seed: "hot"}, "\n"+strings.Repeat("list\nscore\nlog\nboard\n40\n1\n\n\n", 6))
		for i, part := range strings.Split(screen, "Please pass the keyboard to ")[1:] {
			list[i%2] += part
		}
		return list
	}
	base := parts("fox toad lizard")
	for clans, same := range map[string]int{"fox rabbit lizard": 0, "fox raccoon toad": 0, "lizard toad rabbit": 1, "raccoon toad fox": 1} {
		got := parts(clans)
		if got[same] != base[same] {
			t.Errorf("%s: person %d sees a difference after\n%s", clans, same+1, common(base[same], got[same]))
		}
		if got[1-same] == base[1-same] {
			t.Errorf("%s: person %d does not see their own clan", clans, 2-same)
		}
	}
	for person, clan := range []string{"fox", "toad"} {
		if said := i18n.Pick("en").Say("play.grandbois.told.clans", game.Args{"seat": person, "clans": []string{clan}}, i18n.Names("White", "Black")); !strings.Contains(base[person], said) {
			t.Errorf("person %d is not told %q", person+1, said)
		}
	}
}

// Clans of somebody's own box have letters of their own, also where they begin
// alike.
func TestAForestOfOnesOwn(t *testing.T) {
	for clans, want := range map[string]string{
		`"owl","wolf","mole","bat","newt"`:   "O2 W1",
		`"owl","otter","mole","bat","newt"`:  "A2 B1",
		`"fox","toad","rabbit","owl","bat"`:  "F2 T1",
		`"fox","toad","rabbit","owl","frog"`: "A2 B1",
	} {
		var names []string
		mustRead(json.RawMessage("["+clans+"]"), &names)
		tile := fmt.Sprintf(`{"id":1,"spaces":["%s 2","%s 1","bear","clearing"]}`, names[0], names[1])
		options := json.RawMessage(`{"box":{"clans":[` + clans + `],"tiles":[` + tile + `]}}`)
		screen := play(t, Config{Game: game.Of(grandbois.Game()), Options: options, Humans: 1, Seed: "own"}, "list\n1 1,1\ntower\nscore\n")
		if !strings.Contains(screen, "\n    "+want+"   ") {
			t.Errorf("%s: the screen lacks %q:\n%s", clans, want, screen)
		}
	}
}

func FuzzPlayGrandBois(f *testing.F) {
	for _, script := range []string{
		"12 -1,0 r1\nundo\n", "{\"do\":\"place\"}\n", "list 12 r1 0,0\nlist ,,,\nlist r\n", "1\ntower\nno\n", "12 99999999999 0\n",
		"r1r1 (((\n", "−1,−1 12\n", "\x00\xff\n\n\r\n", "sì\nnon\n", "quit",
	} {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script string) {
		screen := play(t, Config{Game: game.Of(grandbois.Game()), Seats: 2, Humans: 2, Seed: "fuzz"}, script)
		if strings.ContainsFunc(screen, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7F }) {
			t.Errorf("what was typed steers the terminal: %q", script)
		}
	})
}
