package game

import "math"

// Remembering is for games that the reference player veteran plays: Veteran is what
// players asked the game on the day on which that player was frozen. It is a Valuer,
// and a Planner, Foreseer, Believer, Narrower and Confluent where the game was one
// then, and shares nothing with those of today but the rules themselves: they are
// tuned, and strength is measured against the veteran, who must not change.
//
// It may be made anew each time it is asked for, which is once for a thought.
type Remembering interface {
	Veteran() any
}

// veteranBestOther is bestOther, frozen.
const veteranBestOther = 0.6

// VeteranAhead is Ahead, frozen.
func VeteranAhead(totals *[MaxSeats]float64, seats int, seat Seat) float64 {
	best, sum := math.Inf(-1), 0.0
	for other, points := range totals[:seats] {
		if Seat(other) != seat {
			best = max(best, points)
			sum += points
		}
	}
	return totals[seat] - float64(veteranBestOther*best) - (1-veteranBestOther)*sum/float64(seats-1)
}

// VeteranLead is the Lead of a standing, frozen.
func VeteranLead(st *Standing, seats int, seat Seat) float64 {
	best := Points(0)
	for other, score := range st.Seats[:seats] {
		if Seat(other) != seat {
			best = max(best, score.Total)
		}
	}
	lead := float64(st.Seats[seat].Total - best)
	if st.Seats[seat].Rank == 1 {
		return lead + 0.5
	}
	return lead - 0.5
}
