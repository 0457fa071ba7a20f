package table

import "copse/game"

// result is what each seat has scored and its rank; nothing of a game that was
// abandoned. Who resigned ranks behind all who did not, whatever its stand-in
// scored, and the last to resign stands best among them.
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
