package grandbois

import (
	"math"
	"math/bits"

	"copse/game"
)

// The worth by which the reference player greedy judges, frozen: worth.go as it
// stood at version 1 of the references (bot.ReferenceVersion). It is a copy on
// purpose and shares nothing with worth.go but the rules themselves, for that
// file is tuned and this one never is: strength is measured against greedy, and
// a measure that changes measures nothing. bot/testdata holds choices that fail
// with any change here.

// yardstick is a position, with methods of its own.
type yardstick Position

const (
	refLoss       = 2.2 // chestnuts that go with a covered space: its own and, most of the time, two of its group
	refHalfLife   = 8.0 // so many tiles to come make half of what may happen likely
	refTowerHope  = 9.0 // what a tower in hand brings if there is time to choose its place
	refTowerTurns = 2.0 // turns left that make half of that likely
	refTowerFills = 0.8 // what bare ground around a tower brings once something lies there
	refBestOther  = 0.6 // how much the best other counts in what a lead is over; all others share the rest
)

// refPeril is how likely a space that can be covered will be, by how many animals
// it shows, while there are tiles enough to come.
func refPeril(animals int) float64 { return [...]float64{0, 0.6, 0.35, 0.18, 0.06}[animals] }

// ReferenceWorth is the lead over the others that seat may expect at the
// harvest, for ever in the opinion of version 1.
func (r *Rules) ReferenceWorth(s *Position, seat game.Seat) float64 {
	if s.phase == over {
		return r.refFinalLead(s, seat)
	}
	left := float64(bits.OnesCount64(s.pile | s.river))
	soon := left / (left + refHalfLife) // how much may still happen
	var clan [clans + 1]float64
	for _, owned := range s.clans {
		for ; owned != 0; owned &= owned - 1 {
			c := bits.TrailingZeros8(owned)
			all, largest := s.tally(c)
			clan[c] = float64(perSpace*all + perGroup*largest)
		}
	}
	(*yardstick)(s).expectCover(soon, &clan)
	var total [game.MaxSeats]float64
	turns := left / float64(r.seats)
	for i, owned := range s.clans {
		total[i] = float64(s.towers[i]) * refTowerHope * turns / (turns + refTowerTurns)
		for ; owned != 0; owned &= owned - 1 {
			total[i] += clan[bits.TrailingZeros8(owned)]
		}
	}
	(*yardstick)(s).expectTowers(soon, &total)
	best, sum := math.Inf(-1), 0.0
	for other, points := range total[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, points)
			sum += points
		}
	}
	return total[seat] - float64(refBestOther*best) - (1-refBestOther)*sum/float64(r.seats-1)
}

// refFinalLead is the lead over the best other; a little says who won (4.5).
func (r *Rules) refFinalLead(s *Position, seat game.Seat) float64 {
	st := r.Standing(s)
	best := game.Points(0)
	for other, score := range st.Seats[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, score.Total)
		}
	}
	lead := float64(st.Seats[seat].Total - best)
	if st.Seats[seat].Rank == 1 {
		return lead + 0.5
	}
	return lead - 0.5
}

// coverable says, a bit for each column, where a row can still be covered: some
// square of two by two with the space in it has bare ground (2.2) and neither
// bear nor tower (2.5, 2.6). Nothing can come of a space that cannot any more.
func (s *yardstick) coverable(y int) uint64 {
	var places [2]uint64 // of the top left of a tile, in the row above and in this
	for i := range places {
		upper, lower := &s.rows[rowOf(y-1+i)], &s.rows[rowOf(y+i)]
		forest := (upper[0] | upper[1] | upper[2]) & (lower[0] | lower[1] | lower[2])
		barred := upper[1]&upper[2] | lower[1]&lower[2]
		places[i] = ^(forest & bits.RotateLeft64(forest, -1)) &^ (barred | bits.RotateLeft64(barred, -1))
	}
	both := places[0] | places[1]
	return both | bits.RotateLeft64(both, 1)
}

// expectCover takes from each clan what it may expect to be covered.
func (s *yardstick) expectCover(soon float64, clan *[clans + 1]float64) {
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		open := s.coverable(y) & (w[1] ^ w[2])
		if open == 0 {
			continue
		}
		kind := [mostAnimals + 1]uint64{1: open & w[1] &^ w[0], 2: open & w[1] & w[0], 3: open & w[2] &^ w[0], 4: open & w[2] & w[0]}
		for c := 1; c <= clans; c++ {
			mine := w.of(c) & open
			if mine == 0 || clan[c] == 0 {
				continue
			}
			for n := 1; n <= mostAnimals; n++ {
				clan[c] -= float64(soon * refLoss * refPeril(n) * float64(bits.OnesCount64(mine&kind[n])))
			}
		}
	}
}

// expectTowers adds what the towers in the forest may bring.
func (s *yardstick) expectTowers(soon float64, total *[game.MaxSeats]float64) {
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		for here := w.towersIn(); here != 0; here &= here - 1 {
			x := bits.TrailingZeros64(here) // on the ring
			seat := w.at(x).owner()
			own, others := (*Position)(s).around(x, y, s.clans[seat])
			bare := 0
			for row := y - 1; row <= y+1; row++ {
				w := &s.rows[rowOf(row)]
				bare += bits.OnesCount64(^(w[0] | w[1] | w[2]) & bits.RotateLeft64(7, x-1))
			}
			total[seat] += float64(perOwn*own+perOthers*others) + float64(soon*refTowerFills*float64(bare))
		}
	}
}
