package bosk

import (
	"math/bits"

	"copse/game"
)

// Trained is for the park that comes with the game: a net was trained on its regions.
func (r *Rules) Trained() string {
	if !r.usual {
		return ""
	}
	return "bosk 1"
}

// Trusted implements game.Featurer. With two players a net wins where time is short and
// nothing where it is not, so levels would only come closer to each other by it. With more,
// a playout of so many turns tells less than it costs, and more time adds next to nothing:
// there a net for its playouts is what the best level has before the others.
func (r *Rules) Trusted() (least, most int) {
	if r.seats == 2 {
		return 0, 0
	}
	return 500, 500
}

// Reach implements game.Featurer.
func (r *Rules) Reach() int { return 8 }

// Hunch implements game.Featurer. At tables of two 30 and 50 won most of what was tried.
// With more, a hunch alone does about as much as a net for playouts, and a level that had
// either was not told from the best: so the second best has a slight one.
func (r *Rules) Hunch(budget int) int {
	switch {
	case budget >= 500:
		return 40
	case budget >= 48 && r.seats > 2:
		return 4
	}
	return 0
}

// What Features counts of each seat, and of what all share.
const (
	featuresOfASeat = 46
	featuresOfAll   = 4
)

// Features counts what a net judges a park by. What is expected is counted in eighths
// of a point or of a leaf.
func (r *Rules) Features(s *Position, seat game.Seat, buf []int16) []int16 {
	var trails, ground [game.MaxSeats]float64
	spring := s.phase == planting
	if spring {
		r.expectTrails(s, &trails)
	} else {
		for at, points := range s.summer {
			trails[at] = float64(points)
		}
	}
	var coming [game.MaxSeats][maxRegions]float64
	r.expectLeaves(s, &coming)
	r.expectControl(s, &coming, &ground)
	var single, high [game.MaxSeats]int16 // squares by what a leaf pays there
	if !spring {
		for row := range r.side {
			for _, q := range s.square[at(int8(row), 0):][:r.side] {
				switch n := q.height(); {
				case n == 1:
					single[q.top()]++
				case n > 1:
					high[q.top()]++
				}
			}
		}
	}
	for i := range r.seats {
		at := r.clockwise(seat, i)
		f := [featuresOfASeat]int16{0: eighths(trails[at]), 1: eighths(ground[at]), 2: single[at], 3: high[at]}
		r.featuresOf(s, at, &coming[at], &f)
		buf = append(buf, f[:]...)
	}
	planted := 0
	if spring {
		planted = int(s.turn)
	}
	return append(buf, int16(s.phase), int16(planted), int16(s.round), int16(s.active))
}

// eighths counts in eighths.
func eighths(x float64) int16 { return int16(float64(x*8) + 0.5) }

// featuresOf counts what one seat has. The first four are left to the caller.
func (r *Rules) featuresOf(s *Position, seat game.Seat, coming *[maxRegions]float64, f *[featuresOfASeat]int16) {
	const held, more, hand, standing, tiles, trails, rest = 4, 12, 20, 24, 28, 36, 40
	for n := range r.region {
		f[held+n] = int16(s.control[n][seat])
		f[more+n] = eighths(coming[n])
	}
	for v := range values {
		f[hand+v] = int16(s.hand[seat][v])
		for _, number := range s.trees[seat][v] {
			if number != 0 && number != s.from {
				f[standing+v]++
			}
		}
	}
	for t := range highestTile {
		f[tiles+t] = int16(s.tiles[seat] >> t & 1)
	}
	if s.phase == planting {
		for trail := range r.side - 1 {
			for _, sh := range [2]share{r.trailShare(s, trail), r.trailShare(s, maxSide-1+trail)} {
				r.featuresOfTrail(&sh, seat, f[trails:rest])
			}
		}
	}
	f[rest] = int16(s.supply[seat])
	f[rest+1] = truth(s.squirrel[seat] != 0)
	f[rest+2] = truth(s.played[seat] != 0)
	f[rest+3] = truth(s.actor == seat)
	f[rest+4] = int16(r.distance(s.start, seat)) // who acts when
	f[rest+5] = int16(bits.OnesCount8(s.tiles[seat]))
}

// featuresOfTrail counts how a seat stands on a trail: alone, first, level, behind.
func (r *Rules) featuresOfTrail(sh *share, seat game.Seat, f []int16) {
	own, best := sh[seat], uint8(0)
	for other, n := range sh[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, n)
		}
	}
	switch {
	case own == 0:
	case best == 0:
		f[0]++
	case own > best:
		f[1]++
	case own == best:
		f[2]++
	default:
		f[3]++
	}
}

// truth is 1 for what is so.
func truth(so bool) int16 {
	if so {
		return 1
	}
	return 0
}
