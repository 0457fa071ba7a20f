package bosk

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// A view comes from outside and may lie. These tests tell lies, one at a time,
// about views that are true, and say what each is blamed for: a check of
// sight.go or wire.go, or the comparison with the view that would be written.

// scene is a position that came up in a game, and the trees as they stood in
// summer, which a view of autumn no longer shows.
type scene struct {
	r       *Rules
	s       Position
	planted []TreeView
}

// met is the first position in random games of a fixed seed that is as it
// should be. The games begin with the moves given.
func met(t *testing.T, seats int, as func(*Rules, *Position) bool, begun ...string) scene {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, uint64(seats)))
	r := New(seats, DefaultBox())
	for range 20_000 {
		c := scene{r: r, s: r.Start()}
		play(t, r, &c.s, begun...)
		for ; !as(r, &c.s); c.s = after(r, c.s, rng) {
			if c.s.phase == calling {
				c.planted = c.view(t).Trees
			}
			if c.s.phase == finished {
				break
			}
		}
		if as(r, &c.s) {
			return c
		}
	}
	t.Fatal("no game comes to such a position")
	return scene{}
}

func after(r *Rules, s Position, rng *rand.Rand) Position {
	moves := r.Moves(&s, s.actor, nil)
	r.Play(&s, s.actor, moves[rng.IntN(len(moves))], nil)
	return s
}

// view is the scene as it is sent: by way of JSON, so that a lie about it
// changes nothing else.
func (c *scene) view(t *testing.T) *View {
	t.Helper()
	raw, err := json.Marshal(c.r.ViewJSON(&c.s))
	if err != nil {
		t.Fatal(err)
	}
	v := new(View)
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// opened is what a view is blamed for, or nothing where it is opened.
func opened(t *testing.T, seats int, view any) string {
	t.Helper()
	raw, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	_, err = game.Of(Game()).Open(game.Settings{Seats: seats}, game.Watcher, raw)
	if err == nil {
		return ""
	}
	var fault *game.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("a view is answered by %v", err)
	}
	path, _ := fault.Args["path"].(string)
	return strings.TrimSpace(fault.Key + " " + path)
}

// slack is how many leaves a seat got back: so many fewer are out than its
// tiles called for.
func slack(s *Position, seat game.Seat) int {
	called := 0
	for tile := Squirrel + 1; tile <= highestTile; tile++ {
		if s.tiles[seat]>>(tile-1)&1 == 0 {
			called += tile
		}
	}
	return called - leavesEach + int(s.supply[seat])
}

// covered is how many leaves of a view's seat must lie under others: so many
// more are out than squares have its leaf on top.
func covered(v *View, seat game.Seat) int {
	n := leavesEach - v.Players[seat].Supply
	for _, q := range v.Squares {
		if q.Seat == seat && !q.Squirrel {
			n--
		}
	}
	return n
}

// give lets one seat have leaves that are another's.
func give(v *View, from, to game.Seat, leaves int) {
	v.Players[from].Supply -= leaves
	v.Players[to].Supply += leaves
}

func without[T comparable](list []T, x T) []T {
	i := slices.Index(list, x)
	return slices.Delete(slices.Clone(list), i, i+1)
}

// hold adds to what a seat has on the trails of a crossing.
func (v *View) hold(seat game.Seat, at [2]int, sum int) {
	v.Trails.Rows[at[0]-1][seat] += sum
	v.Trails.Columns[at[1]-1][seat] += sum
}

// ofValue is a tree of a seat that stands, the first of its value.
func (v *View) ofValue(seat game.Seat, tree int) int {
	return slices.IndexFunc(v.Trees, func(t TreeView) bool { return t.Seat == seat && t.Tree == tree })
}

// squirrelOf is the square on which the squirrel of a seat sits.
func (v *View) squirrelOf(seat game.Seat) int {
	return slices.IndexFunc(v.Squares, func(q SquareView) bool { return q.Squirrel && q.Seat == seat })
}

// bareSquare is a square on which nothing lies, so many steps from a tree.
func (c *scene) bareSquare(n int) *[2]int {
	return c.squareWhere(func(q square, steps int) bool { return q == bare && (n == 0 || steps == n) })
}

// squareWhere is the first square of the park that is as it should be. The
// steps lead there from the tree that sheds; they are 0 where none does.
func (c *scene) squareWhere(as func(q square, steps int) bool) *[2]int {
	for row := range int8(c.r.side) {
		for column := range int8(c.r.side) {
			n := 0
			if c.s.from != 0 {
				n = steps(c.r.crossings[c.s.from-1], c.s.wind, row, column)
			}
			if as(c.s.square[at(row, column)], n) {
				return &[2]int{int(row), int(column)}
			}
		}
	}
	return nil
}

// TestViewsForPeopleToRead: nothing is hidden, so what a watcher sees is what
// all see.
func TestViewsForPeopleToRead(t *testing.T) {
	for name, c := range map[string]scene{
		"spring":   met(t, 2, func(_ *Rules, s *Position) bool { return s.turn == 5 }),
		"summer":   met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == calling }),
		"autumn":   met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == shedding && s.round == 5 && s.actor != s.start }),
		"path":     met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == falling && s.round == 4 && s.laid == 2 }),
		"squirrel": met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == running && s.round == 3 }),
		"winter":   met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == finished }),
	} {
		raw, err := json.Marshal(c.r.ViewJSON(&c.s))
		if err != nil {
			t.Fatal(err)
		}
		gametest.View(t, game.Of(Game()), game.Settings{Seats: 2}, game.Watcher, raw, "testdata/views/"+name+".json")
	}
}

// lie is what is said falsely of a scene, and what it is blamed for.
type lie struct {
	what   string
	tell   func(*View, *scene)
	blamed string
}

func TestALieAboutSpringIsFound(t *testing.T) {
	c := met(t, 2, func(_ *Rules, s *Position) bool { return s.turn == 5 })
	refutes(t, c, []lie{
		{"seven seats", func(v *View, _ *scene) { v.Seats = 7 }, "view.differs view.seats"},
		{"a player too few", func(v *View, _ *scene) { v.Players = v.Players[:1] }, "view.impossible view.players"},
		{"players too many", func(v *View, _ *scene) { v.Players = slices.Repeat(v.Players, 3) }, "view.impossible view.players"},
		{"a Hiker beyond the table", func(v *View, _ *scene) { v.Start = 2 }, "view.impossible view.start"},
		{"the Hiker of another", func(v *View, _ *scene) { v.Start = 1 }, "view.impossible view.start"},
		{"a turn beyond the table", func(v *View, _ *scene) { v.ToAct = new(game.Seat(2)) }, "view.impossible view.toAct"},
		{"the turn of another", func(v *View, _ *scene) { v.ToAct = new(game.Seat(0)) }, "view.impossible view.toAct"},
		{"no turn", func(v *View, _ *scene) { v.ToAct = nil }, "view.impossible view.toAct"},
		{"no such season", func(v *View, _ *scene) { v.Season = "monsoon" }, "view.impossible view.season"},
		{"another season", func(v *View, _ *scene) { v.Season = "autumn" }, "view.impossible view.round"},
		{"summer too early", func(v *View, _ *scene) {
			v.Season, v.Turn, v.Start = "summer", 2*treesEach, 1
			if v.Players[0].Summer < v.Players[1].Summer {
				v.Start = 0
			}
			v.ToAct = &v.Start
		}, "view.impossible view.trees"},
		{"another turn", func(v *View, _ *scene) { v.Turn++ }, "view.differs view.turn"},
		{"a round", func(v *View, _ *scene) { v.Round = 1 }, "view.impossible view.round"},
		{"a round that goes round", func(v *View, _ *scene) { v.Round = 256 }, "view.differs view.round"},
		{"a wind", func(v *View, _ *scene) { v.Wind = &WindView{Side: "north"} }, "view.impossible view.round"},
		{"a path", func(v *View, _ *scene) { v.Path = &PathView{From: v.Trees[0].At, Tile: 2, Active: 2} }, "view.differs view.path.tile"},
		{"another order of the wind", func(v *View, _ *scene) { v.Asks[0] = 2 }, "view.differs view.asks[0]"},
		{"another ground", func(v *View, _ *scene) { v.Board[3] = v.Board[2] }, "view.differs view.board[3]"},
		{"another name of a region", func(v *View, _ *scene) { v.Regions["G"] = "marsh" }, "view.differs view.regions.G"},
		{"another species", func(v *View, _ *scene) { v.Players[0].Species = "elm" }, "view.differs view.players[0].species"},
		{"points of summer", func(v *View, _ *scene) { v.Players[0].Summer++ }, "view.differs view.players[0].summer"},
		{"points of winter", func(v *View, _ *scene) { v.Players[1].Winter++ }, "view.differs view.players[1].winter"},

		{"a tree of value 0 in hand", func(v *View, _ *scene) { v.Players[0].Hand[0] = 0 }, "view.impossible view.players"},
		{"a tree of value 5 in hand", func(v *View, _ *scene) { v.Players[0].Hand[0] = 5 }, "view.impossible view.players"},
		{"a tree too many in hand", func(v *View, _ *scene) { v.Players[1].Hand = []int{1, 1, 1, 2, 2, 3} }, "view.impossible view.trees"},
		{"so many trees that they go round", func(v *View, _ *scene) {
			v.Players[0].Hand = append(v.Players[0].Hand, slices.Repeat([]int{v.Players[0].Hand[0]}, 256)...)
		}, "view.differs view.players[0].hand"},
		{"trees in another order", func(v *View, _ *scene) { slices.Reverse(v.Players[0].Hand) }, "view.differs view.players[0].hand[0]"},
		{"a tree in hand that stands, for another", func(v *View, _ *scene) {
			v.Players[0].Hand[0] = v.Trees[0].Tree
			slices.Sort(v.Players[0].Hand)
		}, "view.impossible view.trees"},
		{"a tree that has left the hand", func(v *View, _ *scene) {
			v.hold(0, [2]int{1, 1}, v.Players[0].Hand[0])
			v.Players[0].Hand = v.Players[0].Hand[1:]
		}, "view.impossible view.trees"},
		{"a tree planted out of turn", func(v *View, _ *scene) {
			for i, tree := range v.Trees {
				if has := v.Players[0].Hand; tree.Seat == 1 && slices.Contains(has, tree.Tree) {
					v.Players[0].Hand = without(has, tree.Tree)
					v.Players[1].Hand = append(v.Players[1].Hand, tree.Tree)
					v.hold(1, tree.At, -tree.Tree)
					v.hold(0, tree.At, tree.Tree)
					v.Trees[i].Seat = 0
					return
				}
			}
		}, "view.impossible view.trees"},
		{"a tree of a seat beyond the table", func(v *View, _ *scene) { v.Trees[0].Seat = 2 }, "view.impossible view.trees"},
		{"a tree of value 0", func(v *View, _ *scene) { v.Trees[0].Tree = 0 }, "view.impossible view.trees"},
		{"a tree of value 5", func(v *View, _ *scene) { v.Trees[0].Tree = 5 }, "view.impossible view.trees"},
		{"a tree at the edge", func(v *View, _ *scene) { v.Trees[0].At = [2]int{0, 3} }, "view.impossible view.trees"},
		{"a tree far away", func(v *View, _ *scene) { v.Trees[0].At = [2]int{3, 1003} }, "view.impossible view.trees"},
		{"two trees on a crossing", func(v *View, _ *scene) {
			one, two := &v.Trees[0], &v.Trees[1]
			v.hold(two.Seat, two.At, -two.Tree)
			v.hold(two.Seat, one.At, two.Tree)
			two.At = one.At
		}, "view.impossible view.trees"},
		{"a third tree of a value", func(v *View, _ *scene) {
			for _, at := range [][2]int{{7, 1}, {7, 2}, {7, 3}} {
				v.Trees = append(v.Trees, TreeView{1, 1, at})
			}
		}, "view.impossible view.trees"},
		{"a row trail more", func(v *View, _ *scene) { v.Trails.Rows = append(v.Trails.Rows, []int{0, 0}) }, "view.impossible view.trails"},
		{"column trails more", func(v *View, _ *scene) { v.Trails.Columns = slices.Repeat(v.Trails.Columns, 3) }, "view.impossible view.trails"},
		{"a trail for more seats", func(v *View, _ *scene) { v.Trails.Rows[0] = []int{0, 0, 0, 0, 0} }, "view.impossible view.trails"},
		{"more on a row trail", func(v *View, _ *scene) { v.Trails.Rows[3][0]++ }, "view.impossible view.trails"},
		{"more on a column trail", func(v *View, _ *scene) { v.Trails.Columns[3][0]++ }, "view.impossible view.trails"},
		{"less than nothing", func(v *View, _ *scene) { v.Trails.Rows[3][0] = -1 }, "view.impossible view.trails"},
		{"a sum that goes round", func(v *View, _ *scene) { v.Trails.Columns[3][0] += 256 }, "view.differs view.trails.columns[3][0]"},
		{"less than stands there", func(v *View, _ *scene) { v.hold(0, v.Trees[0].At, -1) }, "view.impossible view.trails"},

		{"a tile used", func(v *View, _ *scene) { v.Players[0].Tiles = v.Players[0].Tiles[1:] }, "view.impossible view.players"},
		{"a tile played", func(v *View, _ *scene) { v.Players[0].Played = new(Tile(5)) }, "view.impossible view.players"},
		{"a leaf out", func(v *View, _ *scene) { v.Players[0].Supply-- }, "view.impossible view.players"},
		{"a leaf on the ground", func(v *View, _ *scene) { v.Squares = []SquareView{{Leaves: 1}} }, "view.impossible view.squares"},
	})
	misread(t, c, [][3]string{
		{`"start":0`, `"start":-1`, "view.impossible view.start"},
		{`"toAct":1`, `"toAct":-1`, "view.impossible view.toAct"},
		{`"trees":[{"seat":0`, `"trees":[{"seat":-1`, "view.impossible view.trees"},
	})
}

func TestALieAboutSummerIsFound(t *testing.T) {
	c := met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == calling })
	refutes(t, c, []lie{
		{"spring still", func(v *View, _ *scene) {
			v.Season, v.Start, v.ToAct = "spring", 0, new(game.Seat(0))
		}, "view.impossible view.season"},
		{"the Hiker of another", func(v *View, _ *scene) {
			v.Start = 1 - v.Start
			v.ToAct = &v.Start
		}, "view.impossible view.start"},
		{"the turn of another", func(v *View, _ *scene) { v.ToAct = new(1 - v.Start) }, "view.impossible view.toAct"},
		{"a tree felled", func(v *View, _ *scene) { v.Trees = v.Trees[1:] }, "view.impossible view.trees"},
		{"a tile used", func(v *View, _ *scene) { v.Players[1].Tiles = v.Players[1].Tiles[1:] }, "view.impossible view.players"},
		{"a round", func(v *View, _ *scene) { v.Round = 1 }, "view.impossible view.round"},
	})
}

func TestALieAboutTheBeginningOfAutumnIsFound(t *testing.T) {
	dawn := met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == shedding })
	refutes(t, dawn, []lie{
		{"the Hiker of another", func(v *View, _ *scene) {
			v.Start = 1 - v.Start
			v.ToAct = &v.Start
		}, "view.impossible view.start"},
		{"no wind", func(v *View, _ *scene) { v.Wind = nil }, "view.impossible view.round"},
		{"a wind from nowhere", func(v *View, _ *scene) { v.Wind.Side = "up" }, "view.impossible view.round"},
		{"a wind that blows elsewhere", func(v *View, _ *scene) { v.Wind.Blows = v.Wind.All[1] }, "view.differs view.wind.blows"},
		{"another tree to shed", func(v *View, _ *scene) { v.Wind.Tree = 2 }, "view.differs view.wind.tree"},
		{"another wind to come", func(v *View, _ *scene) { v.Wind.All[7] = v.Wind.All[6] }, "view.differs view.wind.all[7]"},
		{"no round", func(v *View, _ *scene) { v.Round = 0 }, "view.impossible view.round"},
		{"a ninth round", func(v *View, _ *scene) { v.Round = 9 }, "view.impossible view.round"},
		{"the end", func(v *View, _ *scene) { v.Season, v.ToAct = "winter", nil }, "view.impossible view.round"},
	})
	// One tile has been used, and its leaves lie side by side.
	evening := met(t, 2, func(_ *Rules, s *Position) bool {
		return s.phase == shedding && s.round == 1 && s.actor != s.start && s.supply[s.start] < leavesEach-1
	})
	refutes(t, evening, []lie{
		{"a pile higher than tiles were used", func(v *View, _ *scene) {
			v.Squares[0].Leaves = len(v.Squares)
			v.Squares = v.Squares[:1]
		}, "view.impossible view.squares"},
		{"a squirrel out before its tile", func(v *View, c *scene) {
			v.Squares = append(v.Squares, SquareView{At: *c.bareSquare(0), Seat: *v.ToAct, Squirrel: true})
		}, "view.impossible view.squares"},
	})
}

func TestALieBetweenTurnsOfAutumnIsFound(t *testing.T) {
	c := met(t, 2, func(r *Rules, s *Position) bool {
		if s.phase != shedding || s.round != 6 || s.actor != 1 || s.start != 0 || s.squirrel[0] == 0 || slack(s, 0) > 0 {
			return false
		}
		v := r.ViewJSON(s).(View)
		return covered(&v, 1) > 0
	})
	refutes(t, c, []lie{
		{"a Hiker beyond the table", func(v *View, _ *scene) { v.Start = 2 }, "view.impossible view.start"},
		{"a turn beyond the table", func(v *View, _ *scene) { v.ToAct = new(game.Seat(3)) }, "view.impossible view.toAct"},
		{"a turn undone", func(v *View, _ *scene) { v.Players[0].Played = nil }, "view.impossible view.players"},
		{"a turn foretold", func(v *View, _ *scene) {
			used := Tile(Squirrel)
			for slices.Contains(v.Players[1].Tiles, used) {
				used++
			}
			v.Players[1].Played = &used
		}, "view.impossible view.players"},
		{"a tile played and not used", func(v *View, _ *scene) {
			p := &v.Players[0]
			p.Tiles = append(p.Tiles[1:], *p.Played)
		}, "view.impossible view.players"},
		{"a tile used too early", func(v *View, _ *scene) {
			v.Players[1].Tiles = v.Players[1].Tiles[1:]
		}, "view.impossible view.players"},
		{"a tile twice", func(v *View, _ *scene) {
			v.Players[1].Tiles = append(v.Players[1].Tiles, v.Players[1].Tiles[0])
		}, "view.differs view.players[1].tiles"},
		{"a tree in hand again", func(v *View, c *scene) {
			v.Players[1].Hand = []int{1}
			for _, tree := range c.planted {
				if tree.Seat == 1 && tree.Tree == 1 && !slices.Contains(v.Trees, tree) {
					v.hold(1, tree.At, -1)
					return
				}
			}
		}, "view.impossible view.players"},
		{"a tree felled too early", func(v *View, _ *scene) { v.Trees = v.Trees[1:] }, "view.impossible view.trees"},
		{"a tree that stands again", func(v *View, c *scene) {
			for _, tree := range c.planted {
				if !slices.Contains(v.Trees, tree) {
					v.Trees = append(v.Trees, tree)
					return
				}
			}
		}, "view.impossible view.trees"},
		{"leaves that no tile called for", func(v *View, _ *scene) { give(v, 0, 1, 1) }, "view.impossible view.players"},
		{"a leaf from nowhere", func(v *View, _ *scene) { v.Squares[0].Leaves++ }, "view.impossible view.squares"},
		{"a leaf lost", func(v *View, _ *scene) { v.Players[1].Supply++ }, "view.impossible view.squares"},
		{"a supply that goes round", func(v *View, _ *scene) { v.Players[1].Supply += 256 }, "view.differs view.players[1].supply"},
		{"a supply below nothing", func(v *View, _ *scene) { v.Players[1].Supply = -1 }, "view.impossible view.players"},
		{"a squirrel that has run away", func(v *View, _ *scene) {
			i := v.squirrelOf(0)
			if v.Squares[i].Squirrel = false; v.Squares[i].Leaves == 0 {
				v.Squares = slices.Delete(v.Squares, i, i+1)
			}
		}, "view.impossible view.squares"},
		{"two squirrels of a seat", func(v *View, c *scene) {
			v.Squares = append(v.Squares, SquareView{At: *c.bareSquare(0), Seat: 0, Squirrel: true})
		}, "view.impossible view.squares"},
		{"a leaf outside the park", func(v *View, _ *scene) {
			v.Squares = append(v.Squares, SquareView{At: [2]int{-1, 0}, Leaves: 1})
		}, "view.impossible view.squares"},
		{"a leaf far away", func(v *View, _ *scene) {
			v.Squares = append(v.Squares, SquareView{At: [2]int{0, 1000}, Leaves: 1})
		}, "view.impossible view.squares"},
		{"a square of a seat beyond the table", func(v *View, _ *scene) { v.Squares[0].Seat = 2 }, "view.impossible view.squares"},
		{"a square held by nothing", func(v *View, c *scene) {
			v.Squares = append(v.Squares, SquareView{At: *c.bareSquare(0), Seat: 1})
		}, "view.impossible view.squares"},
		{"a square twice", func(v *View, _ *scene) { v.Squares = slices.Insert(v.Squares, 0, v.Squares[0]) }, "view.differs view.squares"},
		{"a pile that goes round", func(v *View, _ *scene) { v.Squares[0].Leaves += 32 }, "view.differs view.squares[0].leaves"},
		{"a pile of less than nothing", func(v *View, _ *scene) { v.Squares[0].Leaves = -1 }, "view.impossible view.squares"},
		{"squares in another order", func(v *View, _ *scene) { slices.Reverse(v.Squares) }, "view.differs view.squares[0].at[0]"},
		{"the season of a path", func(v *View, _ *scene) { v.Path = &PathView{From: v.Trees[0].At, Tile: 2, Active: 2} }, "view.impossible view.players"},
	})
	if blamed := opened(t, 2, "no view"); blamed != "view.impossible view" {
		t.Errorf("what is no view at all is blamed for %q", blamed)
	}
	misread(t, c, [][3]string{
		{`"tiles":[`, `"tiles":[9,`, "view.impossible tile"},
		{`"tiles":[`, `"tiles":[0,`, "view.impossible tile"},
		{`"tiles":[`, `"tiles":[null,`, "view.impossible tile"},
		{`"tiles":[`, `"tiles":["acorn",`, "view.impossible tile"},
		{`"supply":`, `"supply":"x","old":`, "view.impossible view.players.supply"},
		{`"supply":`, `"more":1,"supply":`, "view.differs view.players[0].more"},
		{`"supply":`, `"Supply":`, "view.differs view.players[0].Supply"},
		{`"supply":`, `"supply":35,"supply":`, "json.twice"},
		{`"squares":[{"at":`, `"squares":[{"at":[0,0],"seat":-1,"leaves":1,"squirrel":false},{"at":`, "view.impossible view.squares"},
	})
}

func TestALieAboutAPathIsFound(t *testing.T) {
	c := met(t, 2, func(r *Rules, s *Position) bool {
		if s.phase != falling || s.actor != 0 || s.laid == 0 || s.round < 3 || s.round > 4 || s.squirrel[0] == 0 || slack(s, 0) == 0 {
			return false
		}
		c := scene{r: r, s: *s}
		other := c.squareWhere(func(q square, n int) bool { return q != bare && !q.squirrel() && q.top() == 1 && n == int(s.laid) })
		own := c.squareWhere(func(q square, n int) bool { return q != bare && !q.squirrel() && q.top() == 0 && n != int(s.laid) })
		return other != nil && own != nil && c.bareSquare(int(s.laid)) != nil
	})
	refutes(t, c, []lie{
		{"a path from nowhere", func(v *View, _ *scene) { v.Path.From = [2]int{0, 0} }, "view.impossible view.path.from"},
		{"a path from a free crossing", func(v *View, c *scene) {
			for _, tree := range c.planted {
				if !slices.Contains(v.Trees, tree) {
					v.Path.From = tree.At
				}
			}
		}, "view.impossible view.path.from"},
		{"a path from another's tree", func(v *View, c *scene) {
			v.Path.From = v.Trees[v.ofValue(1, int(c.s.round))].At
		}, "view.impossible view.path.from"},
		{"a path from a tree that is not due", func(v *View, c *scene) {
			v.Path.From = v.Trees[v.ofValue(0, 7-int(c.s.round))].At
		}, "view.impossible view.path.from"},
		{"another tile", func(v *View, _ *scene) { v.Path.Tile = v.Path.Tile%highestTile + 1 }, "view.differs view.path.tile"},
		{"a squirrel's path", func(v *View, _ *scene) { v.Path.Tile = Squirrel }, "view.impossible view.squares"},
		{"a leaf more than the tile has", func(v *View, _ *scene) {
			for v.Path.Laid+v.Path.Active <= int(v.Path.Tile) {
				v.Path.Active++
				v.Players[0].Supply--
			}
		}, "view.impossible view.path.active"},
		{"leaves that go round", func(v *View, _ *scene) { v.Path.Active += 256 }, "view.differs view.path.active"},
		{"a path that goes round", func(v *View, _ *scene) { v.Path.Laid += 256 }, "view.differs view.path.laid"},
		{"a path of all but all leaves there can be", func(v *View, _ *scene) { v.Path.Laid = 255 }, "view.impossible view.path.active"},
		{"a path that can go nowhere", func(v *View, _ *scene) {
			v.Players[0].Supply += v.Path.Active
			v.Path.Active = 0
		}, "view.impossible view.path"},
		{"no last leaf", func(v *View, _ *scene) { v.Path.Last = nil }, "view.impossible view.path.last"},
		{"a last leaf outside the park", func(v *View, _ *scene) { v.Path.Last[1] = -1 }, "view.impossible view.path.last"},
		{"a last leaf that goes round", func(v *View, _ *scene) { v.Path.Last[0] += 256 }, "view.differs view.path.last[0]"},
		{"a last leaf on bare ground", func(v *View, c *scene) { v.Path.Last = c.bareSquare(int(c.s.laid)) }, "view.impossible view.path.last"},
		{"a last leaf under another's", func(v *View, c *scene) {
			v.Path.Last = c.squareWhere(func(q square, n int) bool {
				return q != bare && !q.squirrel() && q.top() == 1 && n == int(c.s.laid)
			})
		}, "view.impossible view.path.last"},
		{"a last leaf of another turn", func(v *View, c *scene) {
			v.Path.Last = c.squareWhere(func(q square, n int) bool {
				return q != bare && !q.squirrel() && q.top() == 0 && n != int(c.s.laid)
			})
		}, "view.impossible view.path.last"},
		{"a last leaf under a squirrel", func(v *View, _ *scene) {
			i := v.squirrelOf(0)
			if v.Squares[i].Squirrel = false; v.Squares[i].Leaves == 0 {
				v.Squares = slices.Delete(v.Squares, i, i+1)
			}
			for i := range v.Squares {
				if v.Squares[i].At == *v.Path.Last {
					v.Squares[i].Squirrel = true
				}
			}
		}, "view.impossible view.path.last"},
		{"a tree that stands again, for one not yet due", func(v *View, c *scene) {
			v.Trees = slices.Delete(v.Trees, v.ofValue(1, 4), v.ofValue(1, 4)+1)
			for _, tree := range c.planted {
				if tree.Seat == 1 && tree.Tree == 1 && !slices.Contains(v.Trees, tree) {
					v.Trees = append(v.Trees, tree)
				}
			}
		}, "view.impossible view.trees"},
	})
	late := met(t, 2, func(r *Rules, s *Position) bool {
		if s.phase != falling || s.actor != 0 {
			return false
		}
		v := r.ViewJSON(s).(View)
		return slack(s, 1) > covered(&v, 0)-int(s.active)
	})
	refutes(t, late, []lie{
		{"active leaves on the ground already", func(v *View, _ *scene) {
			give(v, 1, 0, covered(v, 0)-v.Path.Active+1)
		}, "view.impossible view.players"},
	})
	first := met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == falling && s.laid == 0 })
	refutes(t, first, []lie{
		{"a leaf that has gone before the first", func(v *View, _ *scene) {
			v.Path.Active--
			v.Players[*v.ToAct].Supply++
		}, "view.impossible view.path.active"},
		{"a last leaf before the first", func(v *View, _ *scene) { v.Path.Last = &[2]int{} }, "view.differs view.path.last"},
	})
}

func TestALieWhileTheSquirrelRunsIsFound(t *testing.T) {
	c := met(t, 2, func(_ *Rules, s *Position) bool { return s.phase == running && slack(s, s.actor) > 0 })
	refutes(t, c, []lie{
		{"leaves that fall", func(v *View, _ *scene) {
			v.Path.Active++
			v.Players[*v.ToAct].Supply--
		}, "view.impossible view.path"},
		{"leaves that fell", func(v *View, _ *scene) { v.Path.Laid, v.Path.Last = 1, &[2]int{} }, "view.impossible view.path"},
		{"a last leaf", func(v *View, _ *scene) { v.Path.Last = &[2]int{} }, "view.differs view.path.last"},
		{"a number tile", func(v *View, _ *scene) { v.Path.Tile = 5 }, "view.impossible view.squares"},
		{"a squirrel that sits already", func(v *View, c *scene) {
			v.Squares = append(v.Squares, SquareView{At: *c.bareSquare(0), Seat: *v.ToAct, Squirrel: true})
		}, "view.impossible view.squares"},
	})
}

func TestALieAboutWinterIsFound(t *testing.T) {
	c := met(t, 2, func(r *Rules, s *Position) bool {
		if s.phase != finished {
			return false
		}
		v := r.ViewJSON(s).(View)
		return covered(&v, 0)+1 <= v.Players[1].Supply
	})
	refutes(t, c, []lie{
		{"someone to act", func(v *View, _ *scene) { v.ToAct = new(game.Seat(0)) }, "view.differs view.toAct"},
		{"a path", func(v *View, c *scene) { v.Path = &PathView{From: c.planted[0].At, Tile: 2} }, "view.impossible view.path"},
		{"a tree that never stood", func(v *View, c *scene) {
			tree := c.planted[0]
			v.hold(tree.Seat, tree.At, -tree.Tree)
		}, "view.impossible view.trails"},
		{"leaves of another on top", func(v *View, _ *scene) { give(v, 1, 0, covered(v, 0)+1) }, "view.impossible view.players"},
		{"the Hiker of another", func(v *View, _ *scene) { v.Start = 1 - v.Start }, ""}, // nothing lies there that would tell
	})
}

// TestASquirrelThatFoundNoPlace: two squirrels at the edge keep out a third
// (5.8), so it is neither in its hollow nor in the park.
func TestASquirrelThatFoundNoPlace(t *testing.T) {
	c := met(t, 3, func(_ *Rules, s *Position) bool { return s.phase == calling && s.start == 0 },
		`{"do":"plant","tree":1,"at":[2,3]}`, `{"do":"plant","tree":1,"at":[2,4]}`, `{"do":"plant","tree":1,"at":[1,3]}`)
	play(t, c.r, &c.s, `{"do":"wind","side":"north"}`,
		`{"do":"shed","at":[2,3],"tile":"squirrel"}`, `{"do":"squirrel","to":[0,2]}`,
		`{"do":"shed","at":[2,4],"tile":"squirrel"}`, `{"do":"squirrel","to":[0,3]}`)
	refutes(t, c, []lie{
		{"a squirrel that runs nowhere", func(v *View, _ *scene) {
			v.Path = &PathView{From: [2]int{1, 3}, Tile: Squirrel}
			v.Players[2].Tiles = v.Players[2].Tiles[1:]
			v.Players[2].Played = new(Tile(Squirrel))
		}, "view.impossible view.path"},
	})
	play(t, c.r, &c.s, `{"do":"shed","at":[1,3],"tile":"squirrel"}`)
	if c.s.round != 2 || c.s.squirrel[2] != 0 {
		t.Fatalf("the third squirrel has found a place, or it is round %d", c.s.round)
	}
	refutes(t, c, nil)
}

// refutes makes sure that the scene as it is can be opened, and that each lie
// about it is blamed as it should be.
func refutes(t *testing.T, c scene, lies []lie) {
	t.Helper()
	if blamed := opened(t, c.r.seats, c.view(t)); blamed != "" {
		t.Fatalf("the truth is blamed for %s", blamed)
	}
	for _, l := range lies {
		v := c.view(t)
		l.tell(v, &c)
		if blamed := opened(t, c.r.seats, v); blamed != l.blamed {
			t.Errorf("%s: blamed for %q, want %q", l.what, blamed, l.blamed)
		}
	}
}

// misread changes the text of a true view: the first of each three into the
// second is blamed for the third.
func misread(t *testing.T, c scene, lies [][3]string) {
	t.Helper()
	raw, err := json.Marshal(c.view(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lies {
		if !strings.Contains(string(raw), l[0]) {
			t.Fatalf("the view has no %s: %s", l[0], raw)
		}
		spoiled := strings.Replace(string(raw), l[0], l[1], 1)
		if blamed := opened(t, c.r.seats, json.RawMessage(spoiled)); blamed != l[2] {
			t.Errorf("%s is blamed for %q, want %q", l[1], blamed, l[2])
		}
	}
}
