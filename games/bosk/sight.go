package bosk

// Everything in Bosk is open (1.5): Rules embeds game.Open, which gives See,
// Imagine and Reveals. What is left to say here is which views can be gone on
// from: a view comes from outside and may be forged.

import (
	"math/bits"
	"slices"

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
		var rest [2 * (maxSide - 1)]int
		for trail, sum := range s.sums[seat] {
			rest[trail] = int(sum)
		}
		for v := range values {
			for _, number := range s.trees[seat][v] {
				if number != 0 {
					c := r.crossings[number-1]
					rest[c.row-1] -= v + 1
					rest[maxSide-2+c.column] -= v + 1
				}
			}
		}
		gone := r.gone(s, seat)
		if !addUp(rest[:maxSide-1], gone) || !addUp(rest[maxSide-1:], gone) {
			return impossible("trails")
		}
	}
	return nil
}

// gone is how many trees of each value a seat had in the park and has no more.
func (r *Rules) gone(s *Position, seat int) [values]int {
	var gone [values]int
	for v := range values {
		gone[v] = 2 - int(s.hand[seat][v])
		for _, number := range s.trees[seat][v] {
			if number != 0 {
				gone[v]--
			}
		}
	}
	return gone
}

// addUp tells whether trees of these values can have stood so that they add up
// to exactly what each trail has. Nothing adds up to less than none.
func addUp(trails []int, trees [values]int) bool {
	if len(trails) == 0 {
		return trees == [values]int{}
	}
	if trails[0] == 0 {
		return addUp(trails[1:], trees)
	}
	for v := range values {
		if trees[v] > 0 && trails[0] > v {
			less := slices.Clone(trails)
			less[0] -= v + 1
			rest := trees
			rest[v]--
			if addUp(less, rest) {
				return true
			}
		}
	}
	return false
}

// checkSpring makes sure that the trees were planted in turn (2.1) and nothing
// of autumn has happened. No seat has more trees than it owns, so who has as
// many in hand as it should has planted as many as it should.
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
		if inHand != treesEach-due {
			return impossible("trees")
		}
	}
	if s.start != 0 {
		return impossible("start")
	}
	if int(s.actor) != planted%r.seats {
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
	if s.start != r.firstWithLeast(0, fewest) {
		return impossible("start")
	}
	if s.actor != s.start {
		return impossible("toAct")
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
	if s.round != 0 || s.side != 0 {
		return impossible("round")
	}
	return nil
}

// checkAutumn makes sure that turns, tiles, trees and leaves tell the same story.
func (r *Rules) checkAutumn(s *Position) error {
	s.summer = r.trailPoints(s)
	if s.round < 1 || s.round > rounds || s.side == 0 || s.phase == finished && s.round != rounds {
		return impossible("round")
	}
	if fewest := func(seat game.Seat) int { return int(s.summer[seat]) }; s.round == 1 && s.start != r.firstWithLeast(0, fewest) {
		return impossible("start")
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
	gone := r.gone(s, seat)
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
// none higher than tiles were, and every squirrel that is out, if it could stay.
func (r *Rules) checkGround(s *Position) error {
	onGround, inSupply, highest, squirrels := 0, 0, 0, 0
	var tops [game.MaxSeats]int
	for row := range int8(r.side) {
		for column := range int8(r.side) {
			q := s.square[at(row, column)]
			onGround += q.height()
			highest = max(highest, q.height())
			if q.squirrel() {
				squirrels++
			} else if q != bare {
				tops[q.top()]++
			}
		}
	}
	for seat := range r.seats {
		taken := 0
		for t := Squirrel + 1; t <= highestTile; t++ {
			if s.tiles[seat]>>(t-1)&1 == 0 {
				taken += t
				highest-- // a tile lays one leaf on a square at most
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
		if s.squirrel[seat] == 0 && squirrelOut && squirrels < 2 {
			return impossible("squares") // only two others can keep it out (5.8)
		}
		inSupply += int(s.supply[seat])
	}
	if highest > 0 || onGround+inSupply+int(s.active) != r.seats*leavesEach {
		return impossible("squares")
	}
	return nil
}

// checkPath makes sure that the path of this turn begins at a tree that may
// shed, has come where it says, and can go on.
func (r *Rules) checkPath(s *Position) error {
	owner, tree := r.treeAt(s, s.from)
	if must := r.mustShed(s); owner != s.actor || must != anyTree && int(must) != tree {
		return impossible("path.from")
	}
	if s.phase == running {
		if s.active != 0 || s.laid != 0 || !r.canRun(s) {
			return impossible("path")
		}
		return nil
	}
	tile := s.played[s.actor]
	if int(s.laid)+int(s.active) > int(tile) || s.laid == 0 && s.active != tile {
		return impossible("path.active")
	}
	from := r.crossings[s.from-1]
	if s.laid == 0 {
		s.last = from.corner + r.ways[s.wind].behind
	} else {
		row, column := rowColumn(s.last)
		here := s.square[s.last]
		if here.squirrel() || here == bare || here.top() != s.actor || steps(from, s.wind, row, column) != int(s.laid) {
			return impossible("path.last")
		}
	}
	if s.open = r.look(s); s.open == 0 {
		return impossible("path")
	}
	return nil
}
