package gametest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// Ties are what a game says of the ties in a position, a line each, the best rank
// first: "0 before 1: bosk.tie.start {…}", or "0 and 1: …" of a shared rank.
func Ties[S, M comparable](tb testing.TB, r game.Rules[S, M], s *S) string {
	tb.Helper()
	st := r.Standing(s)
	var order []game.Seat
	for seat := range game.Seat(r.Seats()) {
		order = append(order, seat)
	}
	slices.SortStableFunc(order, func(a, b game.Seat) int { return cmp.Compare(st.Seats[a].Rank, st.Seats[b].Rank) })
	var lines []string
	for i, other := range order[1:] {
		seat := order[i]
		if st.Seats[seat].Total != st.Seats[other].Total {
			continue
		}
		key, args := any(r).(game.TieBreaker[S]).TieBreak(s, seat, other)
		raw, err := json.Marshal(args)
		if err != nil {
			tb.Fatal(err)
		}
		how := "before"
		if st.Seats[seat].Rank == st.Seats[other].Rank {
			how = "and"
		}
		lines = append(lines, fmt.Sprintf("%v %s %v: %s %s", seat, how, other, key, raw))
	}
	return strings.Join(lines, "\n")
}
