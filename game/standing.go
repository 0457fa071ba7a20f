package game

import (
	"math"
	"strconv"
)

// Points is a score, or Unknown.
type Points int32

// Unknown stands where a viewer may not know a score. In JSON it is null.
const Unknown Points = math.MinInt32

// MaxParts is the largest number of parts in which any game scores.
const MaxParts = 4

// JSON writes a number, or null for what is unknown.
func (p Points) JSON() ([]byte, error) {
	if p == Unknown {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(p), 10), nil
}

// MarshalJSON is JSON for encoding/json.
func (p Points) MarshalJSON() ([]byte, error) { return p.JSON() }

// Score is how one seat stands: points in the parts that the game's Definition
// names, their total, and the rank from 1, or 0 where it cannot be known.
type Score struct {
	Parts [MaxParts]Points
	Total Points
	Rank  int32
}

// Standing is how all seats stand. It holds no pointer, so that bots can ask for it
// at the end of every playout without allocating.
type Standing struct {
	Over  bool
	Seats [MaxSeats]Score
}

// Lead is how far a seat is ahead of the best other when all is over. A seat of
// rank 1 gets half a point more and any other half a point less, so that the lead
// tells who has won where points are equal.
func (st *Standing) Lead(seats int, seat Seat) float64 {
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

// StandingJSON is a standing as the wire says it.
type StandingJSON struct {
	Over  bool        `json:"over"`
	Seats []ScoreJSON `json:"seats"`
	Ties  []Tie       `json:"ties,omitempty"` // what broke ties when all is over: Wire leaves that to Position.Ties
}

// ScoreJSON is the score of a seat as the wire says it; what is unknown is null.
type ScoreJSON struct {
	Total Points            `json:"total"`
	Parts map[string]Points `json:"parts"`
	Rank  *int32            `json:"rank"`
}

// Wire is the standing of so many seats with its parts by name.
func (st *Standing) Wire(seats int, parts []string) StandingJSON {
	wire := StandingJSON{Over: st.Over}
	for _, score := range st.Seats[:seats] {
		s := ScoreJSON{Total: score.Total, Parts: map[string]Points{}}
		for i, part := range parts {
			s.Parts[part] = score.Parts[i]
		}
		if score.Rank > 0 {
			s.Rank = &score.Rank
		}
		wire.Seats = append(wire.Seats, s)
	}
	return wire
}

// RankBy gives the first n seats their ranks: ahead tells whether seat a stands
// before seat b. Seats of which neither is ahead share the better rank.
func (st *Standing) RankBy(n int, ahead func(a, b Seat) bool) {
	for a := range Seat(n) {
		rank := int32(1)
		for b := range Seat(n) {
			if b != a && ahead(b, a) {
				rank++
			}
		}
		st.Seats[a].Rank = rank
	}
}

// SheetLine is one line of a score sheet: what is scored, as a key with arguments,
// in which part of the score, and what each seat has of it.
type SheetLine struct {
	Part   string   `json:"part"`
	Key    string   `json:"key"`
	Args   Args     `json:"args"`
	Points []Points `json:"points"`
}
