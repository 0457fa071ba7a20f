package arena_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"copse/arena"
	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// TestAMatchIsTheSameOnAnyNumberOfCores, but for the time it takes.
func TestAMatchIsTheSameOnAnyNumberOfCores(t *testing.T) {
	results := map[string]bool{}
	for _, cores := range []int{0, 1, 3} {
		m, err := arena.Of(gametest.Tiny()).Match(arena.MatchConfig{Players: []string{bot.Greedy, bot.Random, bot.Easy}, Games: 20, Seed: "acorn", Cores: cores})
		if err != nil {
			t.Fatal(err)
		}
		wins := 0.0
		m.Seconds = 0
		for i := range m.ByPlayer {
			p := &m.ByPlayer[i]
			p.MeanMS, p.MostMS = 0, 0
			wins += p.WinShare
			if p.Least > p.WinShare || p.Most < p.WinShare || p.Score.Least > p.Score.Most {
				t.Errorf("%+v", p)
			}
		}
		if math.Abs(wins-1) > 1e-9 || m.Games != 20 || m.Game != "tiny" {
			t.Errorf("%+v", m)
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		results[string(raw)] = true
	}
	if len(results) != 1 {
		t.Errorf("%d different results: %v", len(results), results)
	}
}

// TestPlayersAreAsStrongAsTheirOrderSays: each beats the one before it in both
// games. The seeds are settled, so nothing here is luck.
func TestPlayersAreAsStrongAsTheirOrderSays(t *testing.T) {
	players := bot.Players()
	for _, c := range []struct {
		arena arena.Arena
		games int // the fewer, the clearer it is
	}{{arena.Of(bosk.Game()), 40}, {arena.Of(grandbois.Game()), 6}} {
		for i := range players[1:] {
			m, err := c.arena.Match(arena.MatchConfig{Players: []string{players[i+1], players[i]}, Games: c.games, Seed: "acorn"})
			if err != nil {
				t.Fatal(err)
			}
			if m.ByPlayer[0].WinShare <= 0.5 {
				t.Errorf("%s: %s wins %.0f %% of its games against %s", m.Game, players[i+1], 100*m.ByPlayer[0].WinShare, players[i])
			}
		}
	}
}

func TestMatchesThatCannotBe(t *testing.T) {
	for _, cfg := range []arena.MatchConfig{
		{Players: []string{bot.Easy}, Games: 1},
		{Players: []string{bot.Easy, "clever"}, Games: 4},
		{Players: []string{bot.Easy, bot.Easy}, Games: 1, Options: json.RawMessage(`{"x":1}`)},
	} {
		var fault *game.Fault
		if m, err := arena.Of(bosk.Game()).Match(cfg); !errors.As(err, &fault) {
			t.Errorf("%v: %v, %v", cfg.Players, m, err)
		}
	}
}
