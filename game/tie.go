package game

import (
	"cmp"
	"slices"
)

// Tie tells of two seats with the same total which rule put one before the other,
// or that they share the rank.
type Tie struct {
	Seat  Seat   `json:"seat"`  // ranks before the other, or shares the rank with it
	Other Seat   `json:"other"` // comes next
	Key   string `json:"key"`
	Args  Args   `json:"args"`
}

// TieBreaker is for games that say by what seats of the same total are ranked.
// TieBreak is that for two seats whose totals are known and the same, the first of
// which does not rank behind the other: a declared phrase that has their numbers
// as "seat" and "other" and the number of the rule as "rule".
type TieBreaker[S any] interface {
	TieBreak(s *S, seat, other Seat) (key string, args Args)
}

// Ties begin with the best rank. While the game goes on there are none: what would
// break them may change.
func (p *position[S, M]) Ties(without ...Seat) []Tie {
	breaker, ok := any(p.rules).(TieBreaker[S])
	st := p.Standing()
	if !ok || !st.Over {
		return nil
	}
	var order []Seat
	for seat := range Seat(p.rules.Seats()) {
		if !slices.Contains(without, seat) {
			order = append(order, seat)
		}
	}
	slices.SortStableFunc(order, func(a, b Seat) int { return cmp.Compare(st.Seats[a].Rank, st.Seats[b].Rank) })
	var ties []Tie
	for i, other := range order[min(1, len(order)):] {
		if seat := order[i]; st.Seats[seat].Total == st.Seats[other].Total && st.Seats[seat].Total != Unknown {
			key, args := breaker.TieBreak(&p.s, seat, other)
			ties = append(ties, Tie{seat, other, key, args})
		}
	}
	return ties
}
