package table

import "copse/game"

// result is what each seat has scored and its rank, nil for a game that was
// abandoned. A seat that resigned ranks behind all that did not, whatever its
// stand-in scored; the last to resign ranks best among those.
func (s *state) result(why Why) (totals, ranks []int) {
	if why == Abandoned {
		return nil, nil
	}
	standing := s.pos.Standing()
	for seat := range s.seats() {
		totals = append(totals, int(standing.Seats[seat].Total))
		rank := 1
		for other := range s.seats() {
			if s.ahead(&standing, other, seat) {
				rank++
			}
		}
		ranks = append(ranks, rank)
	}
	return totals, ranks
}

// ahead tells whether seat a ranks before seat b.
func (s *state) ahead(standing *game.Standing, a, b int) bool {
	outA, outB := s.chairs[a].out, s.chairs[b].out
	if outA == 0 && outB == 0 {
		return standing.Seats[a].Rank < standing.Seats[b].Rank
	}
	return outA == 0 || outB != 0 && outA > outB
}
