package grandbois

import (
	"math/bits"
	"math/rand/v2"

	"copse/game"
)

// How a quick turn is made: none of this is a rule.
const (
	placeTries  = 16  // placements of which the best is taken
	placedIn1ms = 240 // turns
	farAhead    = 16  // turns after which what comes is mostly chance
)

// Pace is how many turns are planned in a millisecond.
func (r *Rules) Pace(*Position) int { return placedIn1ms }

// Suffices implements game.Sated. With three players 48 milliseconds gain little on 16, and
// 500 nothing that was seen on 48, so levels 6 to 9 have a third of their time.
func (r *Rules) Suffices(budget int) int {
	if r.seats == 3 && budget >= 5 && budget < 500 {
		return (budget + 1) / 3
	}
	return budget
}

// Enough is a number of turns.
func (r *Rules) Enough(from, s *Position) bool { return s.turn >= from.turn+farAhead }

// The habits of quick turns: what each thing about a placement counts for it, or
// against it where it is bad for the seat, in hundredths. Each is there twice: at the
// beginning of a game, and how much more it is at the end.
const (
	habitShown      = iota                // a space of one's own, by its animals
	habitTouching   = habitShown + 4      // beside another of its clan
	habitLost       = habitTouching + 1   // one's own that is covered
	habitSplit      = habitLost + 1       // and stood beside another of its clan
	habitTaken      = habitSplit + 1      // a rival's that is covered
	habitTakenApart = habitTaken + 1      // and stood beside another of its clan
	habitIdle       = habitTakenApart + 1 // nobody's that is covered
	habitGift       = habitIdle + 1       // a rival's that is shown
	habitGiftBeside = habitGift + 1       // beside another of its clan
	habitClearing   = habitGiftBeside + 1 // a clearing, for who has a tower
	habitAround     = habitClearing + 1   // a chestnut that a tower there would bring
	habitBare       = habitAround + 1     // bare ground that is covered
	habitOwnTower   = habitBare + 1       // a chestnut for a tower of one's own
	habitTheirs     = habitOwnTower + 1   // and for a rival's
	habitBear       = habitTheirs + 1     // a bear
	habitBuild      = habitBear + 1       // chestnuts for which a tower is built
	habitWait       = habitBuild + 1      // and how many more for each turn left to each tower
	habitsAtATime   = habitWait + 1
)

// habits are the numbers that quick turns go by.
type habits [2 * habitsAtATime]int16

// usualHabits were found by play: copse practise grandbois.
func usualHabits() habits {
	return habits{
		-33, -248, -139, 37, 623, 785, 186, 443, 65, -3, -232, 382, -619, 88, -132, 191, 87, -15, 405, 38,
		-98, 149, 113, 45, 407, 593, 174, -28, 410, -155, -45, -77, -367, 111, 22, 174, -19, 278, -70, 38,
	}
}

// Habits implements game.Practised.
func (r *Rules) Habits() []int16 {
	h := r.habits
	return h[:]
}

// Practise implements game.Practised.
func (r *Rules) Practise(by []int16) game.Planner[Position, Move] {
	other := *r
	copy(other.habits[:], by)
	return &other
}

// now are the habits of this moment, times maxTiles, so that they stay whole.
func (r *Rules) now(s *Position) (now [habitsAtATime]int32) {
	laid := r.tiles - bits.OnesCount64(s.pile|s.river)
	done := int32(maxTiles * laid / r.tiles)
	for i := range now {
		now[i] = maxTiles*int32(r.habits[i]) + done*int32(r.habits[habitsAtATime+i])
	}
	return now
}

// Plan takes the best of some placements by what lies there at once, and builds a
// tower where much is around it for the time that is left.
func (r *Rules) Plan(s *Position, seat game.Seat, rng *rand.Rand, buf []Move) []Move {
	now := r.now(s)
	if s.phase == deciding {
		return append(buf, r.quickTower(s, seat, &now))
	}
	var d draw
	d.survey(s)
	best := r.drawPlacement(s, &d, rng)
	if best.do() == Pass {
		return append(buf, best)
	}
	var g glance
	g.look(s, seat)
	high := r.gain(&g, best, &now)
	for range placeTries - 1 {
		m := r.drawPlacement(s, &d, rng)
		if gain := r.gain(&g, m, &now); gain > high {
			best, high = m, gain
		}
	}
	return append(buf, best)
}

// glance is the forest as a seat sees it that thinks of a placement: a bit for each
// column, by rows, of which the first is two above the forest. While a tile is still to
// be laid there is room for that on the ring.
type glance struct {
	mine, theirs, idle [ring + 4]uint64            // animals
	bare               [ring + 4]uint64            // ground
	beside             [clans + 1][ring + 4]uint64 // of spaces that show a clan, if somebody plays it
	joined             [ring + 4]uint64            // animals beside others of their clan
	own, others        [ring + 4]uint64            // around towers
	top                int
	tower              bool  // the seat has one to build
	mineSet, theirSet  uint8 // clans
}

// look looks around for a seat.
func (g *glance) look(s *Position, seat game.Seat) {
	g.top = int(s.top) - 2
	g.tower = s.towers[seat] > 0
	for i, set := range s.clans {
		if game.Seat(i) == seat {
			g.mineSet = set
		} else {
			g.theirSet |= set
		}
	}
	last := int(s.bottom) + 2 - g.top
	for i := 0; i <= last; i++ {
		w := &s.rows[rowOf(g.top+i)]
		g.idle[i] = w[1] ^ w[2]
		g.bare[i] = ^(w[0] | w[1] | w[2])
		if towers := w.towersIn(); towers != 0 {
			g.lookAtTowers(w, towers, seat, i)
		}
	}
	for set := g.mineSet | g.theirSet; set != 0; set &= set - 1 {
		c := bits.TrailingZeros8(set) & 7
		of := &g.mine
		if g.theirSet>>c&1 != 0 {
			of = &g.theirs
		}
		beside := &g.beside[c%(clans+1)]
		var above, here uint64
		for i := 0; i <= last; i++ {
			below := uint64(0)
			if i < last {
				below = s.rows[rowOf(g.top+i+1)].of(c)
			}
			near := bits.RotateLeft64(here, 1) | bits.RotateLeft64(here, -1) | above | below
			beside[i] = near
			g.joined[i] |= near & here
			of[i] |= here
			g.idle[i] &^= here
			above, here = here, below
		}
	}
}

// lookAtTowers marks what lies around the towers of a row.
func (g *glance) lookAtTowers(w *row, towers uint64, seat game.Seat, i int) {
	for ; towers != 0; towers &= towers - 1 {
		x := bits.TrailingZeros64(towers)
		around := &g.others
		if w.at(x).owner() == seat {
			around = &g.own
		}
		for row := i - 1; row <= i+1; row++ {
			around[row] |= bits.RotateLeft64(7, x-1)
		}
	}
}

// gain is about what a placement brings.
func (r *Rules) gain(g *glance, m Move, now *[habitsAtATime]int32) (sum int32) {
	t := &r.tile[m.piece()&63].turned[m.turn()]
	for i, above := range t.spaces {
		step := corner(i)
		x, y := m.x()+int(step[0]), m.y()+int(step[1])-g.top
		bit := bits.RotateLeft64(1, x)
		switch {
		case g.bare[y]&bit != 0:
			sum += now[habitBare]
		case g.mine[y]&bit != 0:
			sum -= now[habitLost]
			if g.joined[y]&bit != 0 {
				sum -= now[habitSplit]
			}
		case g.theirs[y]&bit != 0:
			sum += now[habitTaken]
			if g.joined[y]&bit != 0 {
				sum += now[habitTakenApart]
			}
		case g.idle[y]&bit != 0:
			sum += now[habitIdle]
		}
		n := above.animals()
		if n == 0 {
			if above.kind() != clearing {
				sum += now[habitBear]
			} else if g.tower {
				sum += now[habitClearing] + now[habitAround]*g.chestnuts(t, i, x, y)
			}
			continue
		}
		c := above.clan() & 7
		brings := int32(perOthers) // to a tower of one's own
		switch {
		case g.mineSet>>c&1 != 0:
			brings = perOwn
			sum += now[habitShown+(n-1)&3]
			if g.beside[c%(clans+1)][y]&bit != 0 {
				sum += now[habitTouching]
			}
		case g.theirSet>>c&1 != 0:
			sum -= now[habitGift]
			if g.beside[c%(clans+1)][y]&bit != 0 {
				sum -= now[habitGiftBeside]
			}
		}
		if g.own[y]&bit != 0 {
			sum += now[habitOwnTower] * brings
		}
		if g.others[y]&bit != 0 {
			sum -= now[habitTheirs] * (1 + int32(g.theirSet>>c&1))
		}
	}
	return sum
}

// chestnuts is what a tower would bring on the clearing of a tile, space i, that lies
// at x and y.
func (g *glance) chestnuts(t *turned, i, x, y int) int32 {
	own, all := 0, 0
	for row := y - 1; row <= y+1; row++ {
		three := bits.RotateLeft64(7, x-1)
		own += bits.OnesCount64(g.mine[row] & three)
		all += bits.OnesCount64((g.mine[row] | g.theirs[row] | g.idle[row]) & three)
	}
	for j, beside := range t.spaces {
		if j != i && beside.animals() > 0 {
			all++
			own += int(g.mineSet >> beside.clan() & 1)
		}
	}
	return int32((perOwn-perOthers)*own + perOthers*all)
}

// quickTower builds where that brings enough for the time that is left.
func (r *Rules) quickTower(s *Position, seat game.Seat, now *[habitsAtATime]int32) Move {
	x, y := r.clearingOf(s, int(s.count)-1)
	own, others := s.around(x, y, s.clans[seat])
	turns := int32(r.seats) * int32(s.towers[seat])
	left := int32(bits.OnesCount64(s.pile | s.river))
	const chestnut = 100 * maxTiles
	if chestnut*int32(perOwn*own+perOthers*others)*turns >= now[habitBuild]*turns+now[habitWait]*left {
		return move(Tower)
	}
	return move(NoTower)
}
