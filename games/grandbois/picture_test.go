package grandbois

import (
	"fmt"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Tests draw the forest, a field a space, from the top left. The line above the
// picture says which space comes first.
//
//	-1 0
//	.   f2  o       "." is bare ground, "o" a clearing, "f2" two foxes
//	B   o   T1      "B" is a bear, "T1" a tower of seat 1
//
// The clans are t(oad), r(abbit), f(ox), (ra)c(coon) and l(izard). In pictures
// with marks, "*" stands where the top left of a tile may lie, before what lies
// there.

const clanMarks = " trfcl"

// forest is a position drawn as a picture: seat 0 is to place one of these tiles
// of the river, the pile is empty and clans are dealt in their order, toads to
// seat 0. Which tiles lie in the forest the picture does not say.
func forest(t *testing.T, r *Rules, picture string, river ...int) Position {
	t.Helper()
	s := r.blank
	s.rows = [ring]row{}
	lines := strings.Split(strings.Trim(picture, "\n"), "\n")
	var x0, y0 int
	if _, err := fmt.Sscan(lines[0], &x0, &y0); err != nil {
		t.Fatalf("the picture does not begin with its first space: %q", lines[0])
	}
	s.left, s.top, s.right, s.bottom = int8(x0), int8(y0), int8(x0), int8(y0)
	for dy, line := range lines[1:] {
		for dx, field := range strings.Fields(line) {
			x, y := x0+dx, y0+dy
			s.right, s.bottom = max(s.right, int8(x)), max(s.bottom, int8(y))
			s.put(x, y, spaceOf(t, field))
			if sp := s.at(x, y); sp.kind() == tower {
				s.towers[sp.owner()]--
			}
		}
	}
	s.pile = 0
	for _, tile := range river {
		s.river |= 1 << tile
	}
	s.phase = placing
	s.dealt = uint8(r.seats * r.each)
	for n := range r.seats * r.each {
		s.clans[n/r.each] |= 2 << n
	}
	return s
}

func spaceOf(t *testing.T, field string) space {
	t.Helper()
	mark, number := field[:1], 0
	if len(field) == 2 {
		number = int(field[1] - '0')
	}
	switch clan := strings.Index(clanMarks, mark); {
	case field == ".":
		return ground
	case field == "o":
		return clearing
	case field == "B":
		return bear
	case mark == "T" && number < game.MaxSeats:
		return towerOf(game.Seat(number))
	case clan > 0 && number >= 1 && number <= mostAnimals:
		return animals(uint8(clan), number)
	}
	t.Fatalf("%q is no space", field)
	return ground
}

// draw is the picture of a position; spaces on which the top left of a tile may
// lie bear a mark.
func (r *Rules) draw(s *Position, moves ...Move) string {
	marked := map[[2]int]bool{}
	left, top := int(s.left), int(s.top)
	right, bottom := int(s.right), int(s.bottom)
	for _, m := range moves {
		if m.do() == Place {
			marked[[2]int{m.x(), m.y()}] = true
			left, top = min(left, m.x()), min(top, m.y())
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d\n", left, top)
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			field := "."
			switch sp := s.at(x, y); sp.kind() {
			case ground:
			case clearing:
				field = "o"
			case bear:
				field = "B"
			case tower:
				field = fmt.Sprint("T", sp.owner())
			default:
				field = fmt.Sprint(clanMarks[sp.clan():sp.clan()+1], sp.animals())
			}
			if marked[[2]int{x, y}] {
				field = strings.TrimSuffix("*"+field, ".")
			}
			fmt.Fprintf(&b, "%-4s", field)
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
	if want := fmt.Sprintf("%s %s (rule %s)", key, args, rule); err == nil || err.Error() != want {
		t.Errorf("%s:\n got %v\nwant %s", move, err, want)
	}
}
