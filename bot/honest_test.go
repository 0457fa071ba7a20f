package bot_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games/grandbois"
)

// Two games of GrandBois that seat 0 cannot tell apart: it plays toads in both, the
// others play other clans.
var twins = [2][]string{{"toad", "rabbit", "fox"}, {"toad", "lizard", "raccoon"}}

// tellApart plays both games move by move alike, and gives the first thought of
// seat 0, in words, that is not the same in both; "" where there is none.
func tellApart(t *testing.T, g bot.Game, player string, turns int) string {
	t.Helper()
	var p [2]game.Position
	for i, clans := range twins {
		p[i] = begin(t, g, len(clans))
		for seat, clan := range clans {
			p[i] = after(t, p[i], json.RawMessage(fmt.Sprintf(`{"do":"deal","seat":%d,"clan":%q}`, seat, clan)))
		}
	}
	for draws := 0; p[0].ToAct() != game.None && p[0].Turn() < turns; draws++ {
		var move json.RawMessage
		switch seat := p[0].ToAct(); seat {
		case game.Chance:
			move = p[0].Draw(game.Seed{Secret: []byte("birch")}, draws)
		case 0:
			seed := fmt.Sprint(draws)
			first, second := think(t, g, p[0], player, seed), think(t, g, p[1], player, seed)
			if a, b := words(t, first), words(t, second); a != b {
				return fmt.Sprintf("turn %d: %s and %s", p[0].Turn(), a, b)
			}
			move = first.Line[0]
		default:
			moves := p[0].Moves()
			move = moves[draws*7%len(moves)]
		}
		for i := range p {
			p[i] = after(t, p[i], move)
		}
	}
	return ""
}

// words is all of a thought.
func words(t *testing.T, thought *bot.Thought) string {
	t.Helper()
	raw, err := json.Marshal(thought)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestPlayersKnowNoMoreThanTheirSeat: in worlds that a seat cannot tell apart
// the same seed finds the same, down to what the options are worth and why.
func TestPlayersKnowNoMoreThanTheirSeat(t *testing.T) {
	for _, player := range everyone() {
		if found := tellApart(t, bot.Of(grandbois.Game()), player, 15); found != "" {
			t.Errorf("%s knows what it may not: %s", player, found)
		}
	}
}

// peeping are rules whose views show the clans of everyone.
type peeping struct {
	game.Playable[grandbois.Position, grandbois.Move]
}

func (peeping) See(s *grandbois.Position, _ game.Seat, view *grandbois.Position) { *view = *s }

// TestAPeepIsCaught proves the test above: with views that show too much the two
// worlds are told apart, and only then.
func TestAPeepIsCaught(t *testing.T) {
	def := grandbois.Game()
	honest := def.New
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[grandbois.Position, grandbois.Move], error) {
		r, err := honest(seats, options, version)
		return peeping{r}, err
	}
	for _, player := range []string{bot.Easy, bot.Greedy, bot.Ahead, "level:5", "flat:30", "ismcts:30"} {
		if tellApart(t, bot.Of(def), player, 15) == "" {
			t.Errorf("%s was shown what it may not know, and the test did not see it", player)
		}
	}
}
