package arena_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/arena"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
)

// TestSimIsTheSameOnAnyNumberOfCores: whichever core plays which game, the result
// is that of the seed.
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

// TestSimByHand plays the games of a simulation again, one after the other with the
// same random numbers, and computes every figure plainly from the list of results.
func TestSimByHand(t *testing.T) {
	byHand(t, gametest.Tiny(), 2, "acorn-17", true)
	byHand(t, gametest.Tiny(), 4, "acorn-75", true)
	byHand(t, gametest.Tiny(), 3, "acorn-282", true)
	byHand(t, bosk.Game(), 3, "acorn", false)
}

func byHand[S, M comparable](t *testing.T, def game.Definition[S, M], seats int, seed string, shared bool) {
	t.Helper()
	const games = 20
	r, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	var plies, margins []int
	listed, sharedWins := 0, 0
	scores := make([][]int, seats)
	wins := make([]float64, seats)
	parts := make([]map[string]float64, seats)
	for seat := range parts {
		parts[seat] = map[string]float64{}
	}
	key := sha256.Sum256([]byte(seed))
	for n := range uint64(games) {
		high, low := binary.BigEndian.Uint64(key[:8]), binary.BigEndian.Uint64(key[8:16])
		rng := rand.New(rand.NewPCG(high, low^n*0x9E3779B97F4A7C15))
		s := r.Start()
		made, choices, _ := game.Playout(r, &s, rng, nil, 1_000)
		st := r.Standing(&s)
		plies = append(plies, made)
		listed += choices
		var totals, winners []int
		for seat, score := range st.Seats[:seats] {
			totals = append(totals, int(score.Total))
			scores[seat] = append(scores[seat], int(score.Total))
			if score.Rank == 1 {
				winners = append(winners, seat)
			}
			for i, part := range def.Parts {
				parts[seat][part] += float64(score.Parts[i]) / games
			}
		}
		for _, seat := range winners {
			wins[seat] += 1 / float64(len(winners)) / games
		}
		if len(winners) > 1 {
			sharedWins++
		}
		slices.Sort(totals)
		margins = append(margins, totals[seats-1]-totals[seats-2])
	}
	if shared && sharedWins == 0 {
		t.Errorf("seed %s: no game has more than one winner, so nothing is held about sharing", seed)
	}

	sim, err := arena.Of(def).Sim(arena.SimConfig{Seats: seats, Games: games, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	if sim.Game != def.Name || sim.Version != def.Version || sim.Seats != seats || sim.Games != games || sim.Seed != seed || sim.Endless != 0 {
		t.Errorf("it is said to be %+v", sim)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, by hand %v", what, got, want)
		}
	}
	spread := func(what string, got arena.Spread, list []int) {
		t.Helper()
		mean, variance := 0.0, 0.0
		for _, x := range list {
			mean += float64(x) / games
		}
		for _, x := range list {
			variance += (float64(x) - mean) * (float64(x) - mean) / games
		}
		near(what+", mean", got.Mean, mean)
		near(what+", deviation", got.SD, math.Sqrt(variance))
		if got.Least != slices.Min(list) || got.Most != slices.Max(list) {
			t.Errorf("%s: from %d to %d, by hand %v", what, got.Least, got.Most, list)
		}
	}
	spread("plies", sim.Plies, plies)
	spread("margin", sim.Margin, margins)
	made := 0
	for _, n := range plies {
		made += n
	}
	near("branching", sim.Branching, float64(listed)/float64(made))
	if len(sim.BySeat) != seats {
		t.Fatalf("%d seats are reported of %d", len(sim.BySeat), seats)
	}
	for seat, s := range sim.BySeat {
		near("win share", s.WinShare, wins[seat])
		spread("score", s.Score, scores[seat])
		if len(s.Parts) != len(def.Parts) {
			t.Errorf("the parts are %v", s.Parts)
		}
		for part, mean := range parts[seat] {
			near(part, s.Parts[part], mean)
		}
	}
	if v := sim.Speed; v.Cores < 1 || v.Seconds <= 0 ||
		math.Abs(v.GamesPerSecond*v.Seconds-games) > 1e-6 || math.Abs(v.PliesPerSecond*v.Seconds-float64(made)) > 1e-6 {
		t.Errorf("the speed is %+v", v)
	}
}

// TestSimOfManyBatches: more games than a core takes at a time are all played, each
// once.
func TestSimOfManyBatches(t *testing.T) {
	for _, games := range []int{0, 1, 64, 65, 200} {
		sim, err := arena.Of(gametest.Tiny()).Sim(arena.SimConfig{Seats: 2, Games: games, Seed: "x", Cores: 3})
		if err != nil || sim.Games != games {
			t.Errorf("%d games are played of %d: %v", sim.Games, games, err)
		}
	}
}
