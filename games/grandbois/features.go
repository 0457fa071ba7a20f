package grandbois

import (
	"math"
	"math/bits"

	"copse/game"
)

// Trained is for the box that comes with the game: a net was trained on its tiles. The
// expert game is judged by the same net, which wins there too.
func (r *Rules) Trained() string {
	if !r.usual {
		return ""
	}
	return "grandbois 1"
}

// Trusted implements game.Featurer. With three players no level won by a net, with four
// only the one that has the most time.
func (r *Rules) Trusted() (least, most int) {
	switch {
	case r.seats == 2:
		return 5, 500
	case r.seats == game.MaxSeats && !r.expert:
		return 500, 500
	}
	return 0, 0
}

// Reach implements game.Featurer. With four players little is decided in eight turns.
func (r *Rules) Reach() int {
	if r.seats == game.MaxSeats {
		return 12
	}
	return 8
}

// Hunch implements game.Featurer. With two and three players nothing was gained by it.
func (r *Rules) Hunch(budget int) int {
	if r.seats == game.MaxSeats && !r.expert && budget >= 500 {
		return 20
	}
	return 0
}

// What Features counts of each seat, and of what all share.
const (
	featuresOfASeat = 21
	featuresOfAll   = 4
)

// Features counts what a net judges a forest by.
func (r *Rules) Features(s *Position, seat game.Seat, buf []int16) []int16 {
	var totals [game.MaxSeats]float64
	r.Forecast(s, &totals)
	for i := range r.seats {
		at := (int(seat) + i) % r.seats
		f := r.featuresOf(s, game.Seat(at))
		f[0] = int16(math.Round(4 * totals[at]))
		buf = append(buf, f[:]...)
	}
	decides, clearings := 0, 0
	if s.phase == deciding {
		decides = 1
	}
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		clearings += bits.OnesCount64(w[0] &^ w[1] &^ w[2])
	}
	return append(buf, int16(bits.OnesCount64(s.pile)), int16(bits.OnesCount64(s.river)), int16(decides), int16(clearings))
}

// featuresOf counts what one seat has. The first is left to the caller.
func (r *Rules) featuresOf(s *Position, seat game.Seat) (f [featuresOfASeat]int16) {
	for set := s.clans[seat]; set != 0; set &= set - 1 {
		c := bits.TrailingZeros8(set)
		all, largest := s.tally(c)
		f[1] += int16(all)
		f[2] += int16(largest)
		f[3] = max(f[3], int16(largest))
		for tiles, k := range [...]uint64{s.pile, s.river} {
			for ; k != 0; k &= k - 1 {
				f[4+tiles] += int16(r.tile[bits.TrailingZeros64(k)].shows[c&7])
			}
		}
	}
	for y := int(s.top); y <= int(s.bottom); y++ {
		r.featuresOfRow(s, seat, y, &f)
	}
	f[19] = int16(s.towers[seat])
	if s.actor == seat && s.phase != over {
		f[20] = 1
	}
	return f
}

// featuresOfRow counts what lies in a row for a seat: its spaces by what may cover them,
// what lies beside them, and its towers with what stands around them.
func (r *Rules) featuresOfRow(s *Position, seat game.Seat, y int, f *[featuresOfASeat]int16) {
	w := &s.rows[rowOf(y)]
	mine := s.mine(seat, y)
	open := s.coverable(y)
	kind := [mostAnimals + 1]uint64{1: w[1] &^ w[2] &^ w[0], 2: w[1] &^ w[2] & w[0], 3: w[2] &^ w[1] &^ w[0], 4: w[2] &^ w[1] & w[0]}
	for n := 1; n <= mostAnimals; n++ {
		f[5+n] += int16(bits.OnesCount64(mine & open & kind[n]))
	}
	f[10] += int16(bits.OnesCount64(mine &^ open))
	beside := (bits.RotateLeft64(mine, 1) | bits.RotateLeft64(mine, -1) | s.mine(seat, y-1) | s.mine(seat, y+1)) &^ mine
	f[11] += int16(bits.OnesCount64(beside &^ (w[0] | w[1] | w[2])))      // bare ground
	f[12] += int16(bits.OnesCount64(beside & w[0] &^ w[1] &^ w[2]))       // clearings
	f[13] += int16(bits.OnesCount64(beside & open & (kind[1] | kind[2]))) // others that are soon covered
	f[14] += int16(bits.OnesCount64(beside & w[1] & w[2]))                // bears and towers
	for here := w.towersIn(); here != 0; here &= here - 1 {
		x := bits.TrailingZeros64(here) // on the ring
		if w.at(x).owner() != seat {
			continue
		}
		own, others := s.around(x, y, s.clans[seat])
		f[15] += int16(own)
		f[16] += int16(others)
		for row := y - 1; row <= y+1; row++ {
			w := &s.rows[rowOf(row)]
			three := bits.RotateLeft64(7, x-1)
			f[17] += int16(bits.OnesCount64(^(w[0] | w[1] | w[2]) & three))
			if animals := (w[1] ^ w[2]) & three; animals != 0 {
				f[18] += int16(bits.OnesCount64(s.coverable(row) & animals))
			}
		}
	}
}

// mine says, a bit for each column, where a row shows animals of a seat's clans.
func (s *Position) mine(seat game.Seat, y int) (mine uint64) {
	for set := s.clans[seat]; set != 0; set &= set - 1 {
		mine |= s.rows[rowOf(y)].of(bits.TrailingZeros8(set))
	}
	return mine
}
