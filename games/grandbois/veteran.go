package grandbois

import (
	"math/bits"

	"copse/game"
)

// What the reference player veteran judges by, frozen: worth.go, worth_turn.go and worth_belief.go as
// they stood on the day on which level 10 became the veteran. It is a copy on
// purpose and shares nothing with them but the rules themselves, for they are tuned
// and this never is: strength is measured against the veteran, and a measure that
// changes measures nothing. bot/testdata holds choices that fail with any change here.

// material is what lies on the table, without the methods of the rules: so nothing
// that is tuned is asked by mistake.
type material Rules

// veteran is what players asked the game on that day.
type veteran struct {
	*material
}

// law is the rules themselves.
func (r *veteran) law() *Rules { return (*Rules)(r.material) }

// Veteran implements game.Remembering.
func (r *Rules) Veteran() any {
	return &veteran{(*material)(r)}
}

// What bots hold a position for: none of this is a rule.
const (
	vetLoss       = 2.2 // chestnuts that go with a covered space: its own and, most of the time, two of its group
	vetHalfLife   = 8.0 // so many tiles to come make half of what may happen likely
	vetTowerHope  = 9.0 // what a tower in hand brings if there is time to choose its place
	vetTowerTurns = 2.0 // turns left that make half of that likely
	vetTowerFills = 0.8 // what bare ground around a tower brings once something lies there
)

// vetPeril is how likely a space that can be covered will be, by how many animals
// it shows, while there are tiles enough to come.
func vetPeril(animals int) float64 { return [...]float64{0, 0.6, 0.35, 0.18, 0.06}[animals] }

// Worth is the lead over the others that seat may expect at the harvest.
func (r *veteran) Worth(s *Position, seat game.Seat) float64 {
	if s.phase == over {
		st := r.law().Standing(s)
		return game.VeteranLead(&st, r.seats, seat)
	}
	var totals [game.MaxSeats]float64
	r.Forecast(s, &totals)
	return game.VeteranAhead(&totals, r.seats, seat)
}

// Forecast is what everyone may expect to have at the harvest.
func (r *veteran) Forecast(s *Position, totals *[game.MaxSeats]float64) {
	if s.phase == over {
		st := r.law().Standing(s)
		for seat, score := range st.Seats {
			totals[seat] = float64(score.Total)
		}
		return
	}
	left := float64(bits.OnesCount64(s.pile | s.river))
	soon := left / (left + vetHalfLife) // how much may still happen
	var clan [clans + 1]float64
	for _, owned := range s.clans {
		for ; owned != 0; owned &= owned - 1 {
			c := bits.TrailingZeros8(owned)
			all, largest := s.tally(c)
			clan[c] = float64(perSpace*all + perGroup*largest)
		}
	}
	s.vetExpectCover(soon, &clan)
	turns := left / float64(r.seats)
	for i, owned := range s.clans {
		totals[i] = float64(s.towers[i]) * vetTowerHope * turns / (turns + vetTowerTurns)
		for ; owned != 0; owned &= owned - 1 {
			totals[i] += clan[bits.TrailingZeros8(owned)]
		}
	}
	s.vetExpectTowers(soon, totals)
}

// vetCoverable says, a bit for each column, where a row can still be covered: some
// square of two by two with the space in it has bare ground (2.2) and neither
// bear nor tower (2.5, 2.6). Nothing can come of a space that cannot any more.
func (s *Position) vetCoverable(y int) uint64 {
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

// vetExpectCover takes from each clan what it may expect to be covered.
func (s *Position) vetExpectCover(soon float64, clan *[clans + 1]float64) {
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		open := s.vetCoverable(y) & (w[1] ^ w[2])
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
				clan[c] -= float64(soon * vetLoss * vetPeril(n) * float64(bits.OnesCount64(mine&kind[n])))
			}
		}
	}
}

// vetExpectTowers adds what the towers in the forest may bring.
func (s *Position) vetExpectTowers(soon float64, total *[game.MaxSeats]float64) {
	for y := int(s.top); y <= int(s.bottom); y++ {
		w := &s.rows[rowOf(y)]
		for here := w.towersIn(); here != 0; here &= here - 1 {
			x := bits.TrailingZeros64(here) // on the ring
			seat := w.at(x).owner()
			own, others := s.around(x, y, s.clans[seat])
			bare := 0
			for row := y - 1; row <= y+1; row++ {
				w := &s.rows[rowOf(row)]
				bare += bits.OnesCount64(^(w[0] | w[1] | w[2]) & bits.RotateLeft64(7, x-1))
			}
			total[seat] += float64(perOwn*own+perOthers*others) + float64(soon*vetTowerFills*float64(bare))
		}
	}
}
