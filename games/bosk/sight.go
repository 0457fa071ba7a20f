package bosk

// Everything in Bosk is open (1.5): Rules embeds game.Open, which gives See,
// Imagine and Reveals. What is left to say here is which views can be gone on
// from: a view comes from outside and may be forged.

import (
	"math/bits"

	"copse/game"
)

// impossible blames a part of a view that no game of Bosk can show.
func impossible(path string) error {
	return game.Blame("view.impossible", game.Args{"path": "view." + path})
}

// checkView makes sure that a position read from a view could come up in a
// game, as far as the rules lean on it: whoever is to act has a move, nothing
// is owned twice, and what was used in autumn is as much as was played.
func (r *Rules) checkView(s *Position) error {
	for seat := range r.seats {
		for v := range values {
			standing := 0
			for _, number := range s.trees[seat][v] {
				if number != 0 {
					standing++
				}
			}
			if int(s.hand[seat][v])+standing > 2 {
				return impossible("trees")
			}
		}
	}
	if err := r.checkTrails(s); err != nil {
		return err
	}
	switch s.phase {
	case planting:
		return r.checkSpring(s)
	case calling:
		return r.checkSummer(s)
	}
	return r.checkAutumn(s)
}

// checkTrails makes sure that the sums of the trails are those of the trees:
// exactly while all stand, and later no less than of those that still do.
func (r *Rules) checkTrails(s *Position) error {
	for seat := range r.seats {
		var least [2 * (maxSide - 1)]uint8
		planted, onRows, onColumns := 0, 0, 0
		for v := range values {
			planted += (v + 1) * int(2-s.hand[seat][v])
			for _, number := range s.trees[seat][v] {
				if number != 0 {
					c := r.crossings[number-1]
					least[c.row-1] += uint8(v + 1)
					least[maxSide-2+c.column] += uint8(v + 1)
				}
			}
		}
		for trail, sum := range s.sums[seat] {
			if sum < least[trail] {
				return impossible("trails")
			}
			if trail < maxSide-1 {
				onRows += int(sum)
			} else {
				onColumns += int(sum)
			}
		}
		if onRows != planted || onColumns != planted {
			return impossible("trails")
		}
	}
	return nil
}

// checkSpring makes sure that the trees were planted in turn (2.1) and nothing
// of autumn has happened.
func (r *Rules) checkSpring(s *Position) error {
	planted := 0
	for seat := range r.seats {
		planted += r.standing(s, seat)
	}
	if planted >= r.seats*treesEach {
		return impossible("season")
	}
	for seat := range r.seats {
		due := planted / r.seats
		if seat < planted%r.seats {
			due++
		}
		inHand := 0
		for _, n := range s.hand[seat] {
			inHand += int(n)
		}
		if r.standing(s, seat) != due || inHand != treesEach-due {
			return impossible("trees")
		}
	}
	if s.start != 0 || int(s.actor) != planted%r.seats {
		return impossible("toAct")
	}
	s.turn = uint8(planted)
	return r.checkUntouched(s)
}

// checkSummer makes sure that all trees stand and that whoever has the fewest
// points is to put down the wind board.
func (r *Rules) checkSummer(s *Position) error {
	for seat := range r.seats {
		if r.standing(s, seat) != treesEach {
			return impossible("trees")
		}
	}
	s.summer = r.trailPoints(s)
	fewest := func(seat game.Seat) int { return int(s.summer[seat]) }
	if s.start != r.firstWithLeast(0, fewest) || s.actor != s.start {
		return impossible("start")
	}
	s.turn = uint8(r.seats * treesEach)
	return r.checkUntouched(s)
}

// checkUntouched makes sure that no leaf has fallen yet.
func (r *Rules) checkUntouched(s *Position) error {
	for seat := range r.seats {
		if s.tiles[seat] != allTiles || s.played[seat] != 0 || s.supply[seat] != leavesEach {
			return impossible("players")
		}
	}
	if s.square != r.blank.square {
		return impossible("squares")
	}
	if s.round != 0 || s.side != 0 || s.from != 0 {
		return impossible("round")
	}
	return nil
}

// checkAutumn makes sure that turns, tiles, trees and leaves tell the same story.
func (r *Rules) checkAutumn(s *Position) error {
	s.summer = r.trailPoints(s)
	if s.round < 1 || s.round > rounds || s.side < North || s.side > West {
		return impossible("round")
	}
	s.wind = r.blows(s.side, int(s.round))
	inTurn := s.phase == falling || s.phase == running
	done := r.seats // turns finished in this round
	if s.phase != finished {
		done = r.distance(s.start, s.actor)
	}
	s.turn = uint8(r.seats*treesEach + 1 + r.seats*int(s.round-1) + done)
	for n := range r.seats {
		seat := r.clockwise(s.start, n)
		turns, used := int(s.round)-1, int(s.round)-1
		if n < done {
			turns, used = turns+1, used+1
		} else if n == done && inTurn {
			used++
		}
		if (s.played[seat] != 0) != (used == int(s.round)) || s.played[seat] != 0 && s.tiles[seat]>>(s.played[seat]-1)&1 != 0 {
			return impossible("players")
		}
		if bits.OnesCount8(s.tiles[seat]) != rounds-used {
			return impossible("players")
		}
		if s.hand[seat] != [values]uint8{} {
			return impossible("players")
		}
		if !r.shedInOrder(s, int(seat), turns) {
			return impossible("trees")
		}
	}
	if err := r.checkGround(s); err != nil {
		return err
	}
	if inTurn {
		return r.checkPath(s)
	}
	if s.from != 0 {
		return impossible("path")
	}
	return nil
}

// shedInOrder tells whether the trees that seat has left fit the turns it has
// had: a round that names a tree took one of that value (4.2).
func (r *Rules) shedInOrder(s *Position, seat, turns int) bool {
	if r.standing(s, seat) != treesEach-turns {
		return false
	}
	var gone [values]int
	for v := range values {
		for _, number := range s.trees[seat][v] {
			if number == 0 {
				gone[v]++
			}
		}
	}
	for _, g := range r.wind[:turns] {
		if g.tree != anyTree {
			gone[g.tree-1]--
		}
	}
	for _, n := range gone {
		if n < 0 {
			return false
		}
	}
	return true
}

func (r *Rules) standing(s *Position, seat int) int {
	n := 0
	for v := range values {
		for _, number := range s.trees[seat][v] {
			if number != 0 {
				n++
			}
		}
	}
	return n
}

// checkGround makes sure that no more leaves lie in the park than were played,
// and one squirrel a seat at most.
func (r *Rules) checkGround(s *Position) error {
	onGround, inSupply := 0, 0
	var tops [game.MaxSeats]int
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			q := s.square[at(row, column)]
			onGround += q.height()
			if q != bare && !q.squirrel() {
				tops[q.top()]++
			}
		}
	}
	for seat := range r.seats {
		taken := 0
		for t := Squirrel + 1; t <= highestTile; t++ {
			if s.tiles[seat]>>(t-1)&1 == 0 {
				taken += t
			}
		}
		out := leavesEach - int(s.supply[seat])
		if game.Seat(seat) == s.actor {
			out -= int(s.active)
		}
		if out < tops[seat] || leavesEach-int(s.supply[seat]) > taken {
			return impossible("players")
		}
		squirrelOut := s.tiles[seat]&1 == 0 && (s.phase != running || game.Seat(seat) != s.actor)
		if s.squirrel[seat] != 0 && !squirrelOut {
			return impossible("squares")
		}
		inSupply += int(s.supply[seat])
	}
	if onGround+inSupply+int(s.active) != r.seats*leavesEach {
		return impossible("squares")
	}
	return nil
}

// checkPath makes sure that the path of this turn begins at a tree that may
// shed, has come where it says, and can go on.
func (r *Rules) checkPath(s *Position) error {
	if s.from == 0 {
		return impossible("path.from")
	}
	owner, tree := r.treeAt(s, s.from)
	if must := r.mustShed(s); owner != s.actor || must != anyTree && int(must) != tree {
		return impossible("path.from")
	}
	tile := s.played[s.actor]
	if s.phase == running {
		if tile != Squirrel || s.active != 0 || s.laid != 0 || s.last != 0 || !r.canRun(s) {
			return impossible("path")
		}
		return nil
	}
	if tile == Squirrel || s.active == 0 || s.laid+s.active > tile {
		return impossible("path")
	}
	from := r.crossings[s.from-1]
	if s.laid == 0 {
		if s.last != 0 || s.active != tile {
			return impossible("path.last")
		}
		s.last = from.corner + r.ways[s.wind].behind
	} else {
		row, column := rowColumn(s.last)
		here := s.square[s.last]
		if s.last == 0 || here.squirrel() || here == bare || here.top() != s.actor || steps(from, s.wind, row, column) != int(s.laid) {
			return impossible("path.last")
		}
	}
	if s.open = r.look(s); s.open == 0 {
		return impossible("path")
	}
	return nil
}
