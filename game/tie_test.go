package game_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// ranked is the tiny game with a standing of its own.
type ranked struct {
	game.Playable[gametest.Wood, gametest.Deed]
	standing game.Standing
}

func (r ranked) Standing(*gametest.Wood) game.Standing { return r.standing }

func (ranked) TieBreak(_ *gametest.Wood, seat, other game.Seat) (string, game.Args) {
	return "tie", game.Args{"seat": seat, "other": other}
}

// silent breaks ties, but does not say how.
type silent struct {
	game.Playable[gametest.Wood, gametest.Deed]
}

func start(t *testing.T, seats int, change func(game.Playable[gametest.Wood, gametest.Deed]) game.Playable[gametest.Wood, gametest.Deed]) game.Position {
	t.Helper()
	def := gametest.Tiny()
	make := def.New
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[gametest.Wood, gametest.Deed], error) {
		r, err := make(seats, options, version)
		return change(r), err
	}
	p, err := game.Of(def).Start(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Ties are told of neighbours in rank, when all is over, and not of seats that are
// left out: those around them are neighbours then.
func TestTiesAreToldOfNeighbours(t *testing.T) {
	seat := func(total game.Points, rank int32) game.Score { return game.Score{Total: total, Rank: rank} }
	for _, c := range []struct {
		over    bool
		seats   []game.Score
		without []game.Seat
		want    string
	}{
		{true, []game.Score{seat(9, 1), seat(5, 2)}, nil, ``},
		{false, []game.Score{seat(9, 1), seat(9, 2)}, nil, ``},
		{true, []game.Score{seat(9, 1), seat(9, 2)}, nil, `0-1 `},
		{true, []game.Score{seat(9, 2), seat(9, 1)}, nil, `1-0 `},
		{true, []game.Score{seat(5, 3), seat(9, 2), seat(9, 1), seat(5, 4)}, nil, `2-1 0-3 `},
		{true, []game.Score{seat(9, 3), seat(9, 1), seat(9, 2)}, nil, `1-2 2-0 `},
		{true, []game.Score{seat(9, 3), seat(9, 1), seat(9, 2)}, []game.Seat{2}, `1-0 `},
		{true, []game.Score{seat(9, 1), seat(9, 2)}, []game.Seat{0}, ``},
		{true, []game.Score{seat(9, 1), seat(9, 2)}, []game.Seat{0, 1}, ``},
		{true, []game.Score{seat(game.Unknown, 0), seat(game.Unknown, 0)}, nil, ``},
	} {
		p := start(t, len(c.seats), func(r game.Playable[gametest.Wood, gametest.Deed]) game.Playable[gametest.Wood, gametest.Deed] {
			st := game.Standing{Over: c.over}
			copy(st.Seats[:], c.seats)
			return ranked{r, st}
		})
		got := ""
		for _, tie := range p.Ties(c.without...) {
			if tie.Key != "tie" || tie.Args["seat"] != tie.Seat || tie.Args["other"] != tie.Other {
				t.Errorf("it is told as %+v", tie)
			}
			got += fmt.Sprintf("%v-%v ", tie.Seat, tie.Other)
		}
		if got != c.want {
			t.Errorf("%v without %v: ties are %q, want %q", c.seats, c.without, got, c.want)
		}
	}
}

// A game need not say how ties are broken.
func TestNobodyHasToTellOfTies(t *testing.T) {
	p := start(t, 2, func(r game.Playable[gametest.Wood, gametest.Deed]) game.Playable[gametest.Wood, gametest.Deed] {
		return silent{r}
	})
	if ties := p.Ties(); ties != nil {
		t.Errorf("ties are %v", ties)
	}
}
