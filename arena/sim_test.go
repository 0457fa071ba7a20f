package arena_test

import (
	"encoding/json"
	"math"
	"testing"

	"copse/arena"
	"copse/game/gametest"
	"copse/games/bosk"
)

// TestSimIsTheSameOnAnyNumberOfCores: whoever plays which game, the result is
// that of the seed.
func TestSimIsTheSameOnAnyNumberOfCores(t *testing.T) {
	results := map[string]bool{}
	for _, cores := range []int{1, 2, 3, 8} {
		sim, err := arena.Of(gametest.Tiny()).Sim(arena.SimConfig{Seats: 3, Games: 1001, Seed: "acorn", Cores: cores})
		if err != nil {
			t.Fatal(err)
		}
		sim.Speed = arena.Measurement{}
		raw, err := json.Marshal(sim)
		if err != nil {
			t.Fatal(err)
		}
		results[string(raw)] = true
	}
	if len(results) != 1 {
		t.Errorf("%d different results: %v", len(results), results)
	}
	other, err := arena.Of(gametest.Tiny()).Sim(arena.SimConfig{Seats: 3, Games: 1001, Seed: "beechnut"})
	if err != nil {
		t.Fatal(err)
	}
	other.Speed, other.Seed = arena.Measurement{}, "acorn"
	if raw, _ := json.Marshal(other); results[string(raw)] {
		t.Error("another seed brings the same games")
	}
}

func TestSimAddsUp(t *testing.T) {
	seen := 0
	sim, err := arena.Of(bosk.Game()).Sim(arena.SimConfig{Seats: 4, Games: 500, Seed: "1", Cores: 1, Progress: func(done int) { seen = done }})
	if err != nil {
		t.Fatal(err)
	}
	wins := 0.0
	for seat, s := range sim.BySeat {
		wins += s.WinShare
		if sum := s.Parts["summer"] + s.Parts["winter"]; math.Abs(sum-s.Score.Mean) > 1e-9 {
			t.Errorf("seat %d: the parts add up to %v, the score is %v", seat, sum, s.Score.Mean)
		}
		if s.Score.Least > s.Score.Most || s.Score.SD <= 0 {
			t.Errorf("seat %d: %+v", seat, s.Score)
		}
	}
	if math.Abs(wins-1) > 1e-9 || sim.Games != 500 || sim.Endless != 0 || seen != 500 {
		t.Errorf("win shares add up to %v over %d games, progress came to %d", wins, sim.Games, seen)
	}
	if sim.Plies.Least < 8*4+1+8*4 || sim.Branching < 1 {
		t.Errorf("plies %+v, branching %v", sim.Plies, sim.Branching)
	}
}

func TestSimRefusesSettingsThatAreNot(t *testing.T) {
	for _, cfg := range []arena.SimConfig{{Seats: 1, Games: 1}, {Seats: 5, Games: 1}, {Seats: 2, Games: 1, Options: json.RawMessage(`{"x":1}`)}} {
		if _, err := arena.Of(bosk.Game()).Sim(cfg); err == nil {
			t.Errorf("%+v is played", cfg)
		}
	}
}
