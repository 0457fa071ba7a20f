package bosk

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Tests draw the park. Squares and crossings alternate, as they lie on the
// table: a line of squares, then a line of crossings between it and the next.
//
//	 .    .    .    m1          squares: "." is bare, "m1" a pile of one leaf
//	    +    o4   +             with a maple leaf on top, "M2" the maple
//	 .    .    M0   .           squirrel on two leaves
//	    +    +    +             crossings: "+" is free, "o4" an oak of value 4
//
// The seats are m(aple), o(ak), b(eech) and g(inkgo). In pictures with marks,
// "*" stands where a move leads, before what lies there.

const marks = "mobg"

// parkOf is a box whose parks have so many squares along a side: the left half
// is meadow, the right half lake.
func parkOf(side int) *Box {
	box := DefaultBox()
	row := strings.Repeat("G", side/2) + strings.Repeat("B", side-side/2)
	for seats := range box.Boards {
		rows := make([]string, side)
		for i := range rows {
			rows[i] = row
		}
		box.Boards[seats] = Board{Rows: rows}
	}
	return box
}

// autumn is a position in the middle of autumn drawn as a picture: trees
// stand, leaves lie, and seat 0, the start player, is to shed in a round in
// which the wind blows so and any tree may shed. Tiles are all unused, and
// summer was scored as if the trees not drawn had never stood; only what the
// picture cannot show is made up.
func autumn(t *testing.T, seats int, wind Wind, picture string) (*Rules, Position) {
	t.Helper()
	return autumnIn(t, 5, 0, seats, wind, picture)
}

// autumnIn is a position of autumn in any round and with any start player.
func autumnIn(t *testing.T, round uint8, start game.Seat, seats int, wind Wind, picture string) (*Rules, Position) {
	t.Helper()
	r, s := drawn(t, seats, picture)
	s.phase, s.round, s.start, s.actor, s.wind = shedding, round, start, start, wind
	for s.side = North; r.blows(s.side, int(round)) != wind; {
		s.side++
	}
	s.turn = uint8(seats*treesEach + 1 + seats*int(round-1))
	s.hand = [game.MaxSeats][values]uint8{}
	s.summer = r.trailPoints(&s)
	return r, s
}

// spring is a position of spring drawn as a picture: the trees not drawn are in
// hand, and seat is to plant one.
func spring(t *testing.T, seats int, seat game.Seat, picture string) (*Rules, Position) {
	t.Helper()
	r, s := drawn(t, seats, picture)
	s.actor = seat
	for owner := range seats {
		for v, pair := range s.trees[owner] {
			for _, number := range pair {
				if number != 0 {
					s.hand[owner][v]--
					s.turn++
				}
			}
		}
	}
	return r, s
}

// drawn is the park of a picture, before it is said in which season.
func drawn(t *testing.T, seats int, picture string) (*Rules, Position) {
	t.Helper()
	lines := strings.Split(strings.Trim(picture, "\n"), "\n")
	side := (len(lines) + 1) / 2
	r := New(seats, parkOf(side))
	s := r.blank
	for y, line := range lines {
		fields := strings.Fields(line)
		if want := side - y%2; len(fields) != want {
			t.Fatalf("line %d of the picture has %d fields, want %d: %q", y+1, len(fields), want, line)
		}
		for x, field := range fields {
			if field == "." || field == "+" {
				continue
			}
			seat := game.Seat(strings.Index(marks, strings.ToLower(field[:1])))
			n := int(field[1] - '0')
			if seat < 0 || len(field) != 2 || n < 0 || n > 9 {
				t.Fatalf("line %d of the picture: %q is no piece", y+1, field)
			}
			if y%2 == 1 {
				r.stand(&s, seat, n, y/2+1, x+1)
				continue
			}
			i := at(int8(y/2), int8(x))
			s.square[i] = pile(seat, n)
			if field[0] < 'a' {
				s.square[i] |= sits
				s.squirrel[seat] = i
				s.tiles[seat] &^= 1
			}
			s.control[r.terrainAt[i]][seat]++
			s.supply[seat] -= uint8(n)
		}
	}
	return r, s
}

// stand puts a tree on a crossing, in any season.
func (r *Rules) stand(s *Position, seat game.Seat, tree, row, column int) {
	number := r.number(int8(row), int8(column))
	s.free[(number-1)/64] &^= 1 << ((number - 1) % 64)
	pair := &s.trees[seat][tree-1]
	if pair[0] == 0 {
		pair[0] = number
	} else {
		pair[0], pair[1] = min(pair[0], number), max(pair[0], number)
	}
	s.sums[seat][row-1] += uint8(tree)
	s.sums[seat][maxSide-2+column] += uint8(tree)
}

// draw is the picture of a position; squares that a move of the list leads to
// bear a mark.
func (r *Rules) draw(s *Position, moves ...Move) string {
	marked := map[[2]int8]bool{}
	for _, m := range moves {
		if m.Do == Leaf || m.Do == Run {
			marked[[2]int8{m.Row, m.Column}] = true
		}
	}
	var b strings.Builder
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			piece := "."
			if q := s.square[at(row, column)]; q != bare {
				mark := marks[q.top() : q.top()+1]
				if q.squirrel() {
					mark = strings.ToUpper(mark)
				}
				piece = fmt.Sprint(mark, q.height())
			}
			if marked[[2]int8{row, column}] {
				piece = strings.TrimSuffix("*"+piece, ".")
			}
			fmt.Fprintf(&b, "%-5s", piece)
		}
		b.WriteString("\n")
		if int(row) == r.side-1 {
			break
		}
		b.WriteString("  ")
		for column := 1; column < r.side; column++ {
			piece := "+"
			if seat, tree := r.treeAt(s, r.number(row+1, int8(column))); tree != 0 {
				piece = fmt.Sprint(marks[seat:seat+1], tree)
			}
			fmt.Fprintf(&b, "%-5s", piece)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shows fails unless the position looks like the picture. Space does not count.
func shows(t *testing.T, r *Rules, s *Position, picture string, moves ...Move) {
	t.Helper()
	gametest.Same(t, r.draw(s, moves...), picture)
}

// play makes moves given as JSON, each by whoever is to act, and fails where
// one is refused.
func play(t *testing.T, r *Rules, s *Position, moves ...string) *game.Log {
	t.Helper()
	return gametest.Play[Position, Move](t, r, s, moves...)
}

// refused fails unless the move, by whoever is to act, is refused with this
// key, by this rule and with these arguments, as JSON.
func refused(t *testing.T, r *Rules, s *Position, move, rule, key, args string) {
	t.Helper()
	_, err := gametest.Ask[Position, Move](r, s, move)
	denied(t, err, rule, key, args)
}

// denied fails unless err is this refusal.
func denied(t *testing.T, err error, rule, key, args string) {
	t.Helper()
	if want := fmt.Sprintf("%s %s (rule %s)", key, args, rule); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestEveryRefusalHasATest reads which keys the tests of this package hold
// refusals to: those that stand as the key in refused and denied.
func TestEveryRefusalHasATest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	place := map[string]int{"refused": 5, "denied": 3} // of the key among the arguments
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.Ident)
			if !ok || place[name.Name] == 0 {
				return true
			}
			if key, ok := call.Args[place[name.Name]].(*ast.BasicLit); ok {
				held[strings.Trim(key.Value, "`\"")] = true
			}
			return true
		})
	}
	for _, phrase := range refusals() {
		if !held[phrase.Key] {
			t.Errorf("no test is refused with %s", phrase.Key)
		}
		delete(held, phrase.Key)
	}
	for key := range held {
		t.Errorf("a test is refused with %s, which is not declared as a refusal", key)
	}
}
