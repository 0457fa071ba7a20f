package game_test

import (
	"encoding/json"
	"slices"
	"testing"

	"copse/game"
)

func TestRanksAreShared(t *testing.T) {
	for _, c := range []struct {
		totals []game.Points
		want   []int32
	}{
		{[]game.Points{9, 9, 5}, []int32{1, 1, 3}},
		{[]game.Points{5, 9, 9, 7}, []int32{4, 1, 1, 3}},
		{[]game.Points{9, 5, 5, 5}, []int32{1, 2, 2, 2}},
		{[]game.Points{5, 5}, []int32{1, 1}},
		{[]game.Points{-1, 0}, []int32{2, 1}},
	} {
		var st game.Standing
		for seat, total := range c.totals {
			st.Seats[seat].Total = total
		}
		st.RankBy(len(c.totals), func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
		var ranks []int32
		for _, score := range st.Seats[:len(c.totals)] {
			ranks = append(ranks, score.Rank)
		}
		if !slices.Equal(ranks, c.want) {
			t.Errorf("%v are ranked %v, want %v", c.totals, ranks, c.want)
		}
		for _, score := range st.Seats[len(c.totals):] {
			if score.Rank != 0 {
				t.Errorf("a seat that is not at the table has rank %d", score.Rank)
			}
		}
	}
}

func TestWhatIsUnknownIsNull(t *testing.T) {
	st := game.Standing{Over: true}
	st.Seats[0] = game.Score{Parts: [game.MaxParts]game.Points{3, -4}, Total: -1, Rank: 2}
	st.Seats[1] = game.Score{Parts: [game.MaxParts]game.Points{0, game.Unknown}, Total: game.Unknown}
	st.Seats[2] = game.Score{Total: 99, Rank: 1} // not at this table
	raw, err := json.Marshal(st.Wire(2, []string{"nuts", "hollow"}))
	want := `{"over":true,"seats":[{"total":-1,"parts":{"hollow":-4,"nuts":3},"rank":2},{"total":null,"parts":{"hollow":null,"nuts":0},"rank":null}]}`
	if err != nil || string(raw) != want {
		t.Errorf("%s (%v), want\n%s", raw, err, want)
	}
}
