package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// looked begins a game as a stream does.
func looked(t *testing.T, g game.Game, p *plans) *copsePlay {
	t.Helper()
	first, err := g.Start(game.Settings{Seats: players})
	if err != nil {
		t.Fatal(err)
	}
	play := &copsePlay{game: g, rng: rand.New(rand.NewPCG(1, 2)), plans: p}
	for seat := range players {
		look := fmt.Appendf(nil, `{"look":{"number":3,"settings":{"version":%d,"options":{}},"view":%s}}`, g.About().Version, first.See(game.Seat(seat)).View())
		if number, err := play.hear(seat, "look", look); err != nil || number != 3 {
			t.Fatal(number, err)
		}
	}
	return play
}

// told is a move as a stream tells it.
func told(number, seat int, body []byte) []byte {
	_, move, _ := strings.Cut(strings.TrimSuffix(string(body), "]}"), `"moves":[`)
	return fmt.Appendf(nil, `{"table":"oak","number":%d,"entry":{"at":1767859200000,"do":"move","seat":%d,"move":%s},"events":[],"toAct":[0],"turn":1}`, number, seat, move)
}

// TestAPlannedGameIsPlayedToItsEnd, with a legal move each time: the rules say so.
func TestAPlannedGameIsPlayedToItsEnd(t *testing.T) {
	g := game.Of(bosk.Game())
	play := looked(t, g, &plans{})
	if !play.ahead || len(play.plan) == 0 {
		t.Fatal("Bosk has neither secrets nor chance, and is not planned")
	}
	now := play.views[0]
	for number := 4; len(play.plan) > 0; number++ {
		seat, body, over, err := play.next(number - 1)
		if err != nil || over {
			t.Fatal(over, err)
		}
		move := play.plan[0].move
		if now, _, err = now.Play(game.Seat(seat), move); err != nil {
			t.Fatal(err)
		}
		for hears := range players {
			if n, err := play.hear(hears, "entry", told(number, seat, body)); err != nil || n != number {
				t.Fatal(n, err)
			}
		}
	}
	if now.ToAct() != game.None {
		t.Error("the plan ends before the game")
	}
	if _, _, _, err := play.next(99); err == nil {
		t.Error("a game that should be over goes on in silence")
	}
	if _, err := play.hear(0, "entry", []byte(`{"table":"oak","number":100,"entry":{"at":1,"do":"end","why":"over"}}`)); err != nil || !play.over {
		t.Error(play.over, err)
	}
}

// TestAnotherMoveThanThePlannedOneIsAnError, and so is the planned one at another seat.
func TestAnotherMoveThanThePlannedOneIsAnError(t *testing.T) {
	for name, change := range map[string]func(seat int, body string) (int, string){
		"another move": func(seat int, body string) (int, string) { return seat, strings.Replace(body, `"do":"`, `"do":"x`, 1) },
		"another seat": func(seat int, body string) (int, string) { return 1 - seat, body },
		"a longer move": func(seat int, body string) (int, string) {
			return seat, strings.Replace(body, `}]}`, `,"more":1}]}`, 1)
		},
	} {
		play := looked(t, game.Of(bosk.Game()), &plans{})
		seat, body, _, err := play.next(3)
		if err != nil {
			t.Fatal(err)
		}
		seat, other := change(seat, string(body))
		if _, err := play.hear(0, "entry", told(4, seat, []byte(other))); err == nil || !strings.Contains(err.Error(), "another move was made") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhatChanceDecidesIsNotPlanned: such games are followed by their rules, as are
// those that begin from another view.
func TestWhatChanceDecidesIsNotPlanned(t *testing.T) {
	if play := looked(t, game.Of(grandbois.Game()), &plans{}); play.ahead {
		t.Error("GrandBois is planned")
	}
	var p plans
	p.first = []byte("another")
	p.lines = [][]planned{{{}}}
	if play := looked(t, game.Of(bosk.Game()), &p); play.ahead {
		t.Error("a plan from another view is played")
	}
}
