package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// Every decoder of a game takes what anyone may send. The fuzz targets below hold
// all of them to this: bad input is answered by a *Fault or a *Refusal, nothing
// panics, and one can go on from what is taken.

// FuzzMoves reads anything as a move of def, and plays it in some position of a
// game where the rules allow it.
func FuzzMoves[S, M comparable](f *testing.F, def game.Definition[S, M]) {
	var met []game.Position
	for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
		for _, p := range wander(f, game.Of(def), seats) {
			met = append(met, p)
			if moves := p.Moves(); len(moves) > 0 {
				f.Add([]byte(moves[len(moves)/2]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, p := range met {
			for seat := game.Watcher; int(seat) < p.Seats(); seat++ {
				next, _, err := p.Play(seat, raw)
				answered(t, err)
				if err == nil {
					askEverything(next)
				}
			}
		}
	})
}

// FuzzViews opens anything as a view of def, and plays on to the end from what is
// taken.
func FuzzViews[S, M comparable](f *testing.F, def game.Definition[S, M]) {
	for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
		for i, p := range wander(f, game.Of(def), seats) {
			viewer := game.Seat(i % seats)
			f.Add(uint8(seats), int8(viewer), []byte(p.See(viewer).View()))
			f.Add(uint8(seats), int8(game.Watcher), []byte(p.See(game.Watcher).View()))
		}
	}
	f.Fuzz(func(t *testing.T, seats uint8, viewer int8, raw []byte) {
		p, err := game.Of(def).Open(game.Settings{Seats: int(seats)}, game.Seat(viewer), raw)
		answered(t, err)
		if err == nil {
			playOn(t, p)
		}
	})
}

// FuzzOptions begins a game with anything as its options, a box among them, and
// plays it to the end where the options are taken.
func FuzzOptions[S, M comparable](f *testing.F, def game.Definition[S, M]) {
	for _, raw := range []string{"", "null", "{}", "[]", `{"box":{}}`, `{"box":"0"}`, `{"box":7}`} {
		f.Add(uint8(def.MinSeats), []byte(raw))
	}
	for _, o := range def.Options {
		raw, err := json.Marshal(map[string]any{o.Name: o.Default})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(def.MaxSeats), raw)
	}
	if def.Box != nil {
		box, err := def.Box(json.RawMessage("{}"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(def.MinSeats), []byte(`{"box":`+string(box)+`}`))
	}
	f.Fuzz(func(t *testing.T, seats uint8, raw []byte) {
		p, err := game.Of(def).Start(game.Settings{Seats: int(seats), Options: raw})
		answered(t, err)
		if err == nil {
			playOn(t, p)
		}
	})
}

// FuzzGames replays anything as a written game of def.
func FuzzGames[S, M comparable](f *testing.F, def game.Definition[S, M]) {
	g := game.Of(def)
	for seats := def.MinSeats; seats <= def.MaxSeats; seats++ {
		text, err := transcript(g, seats, 1)
		if err != nil {
			f.Fatal(err)
		}
		lines := bytes.SplitAfter(text, []byte("\n")) // only the beginning: a whole game is too long to try often
		f.Add(bytes.Join(lines[:5], nil))
		f.Add(bytes.Join(lines[len(lines)-3:], nil))
	}
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = replay(g, text) }) // it must not panic, whatever it answers
}

// wander are some positions of a random game.
func wander(f *testing.F, g game.Game, seats int) []game.Position {
	p, err := g.Start(game.Settings{Seats: seats})
	if err != nil {
		f.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(seats), 0))
	var met []game.Position
	for ply := 0; ; ply++ {
		if ply%13 == 0 || p.ToAct() == game.None {
			met = append(met, p)
		}
		if p.ToAct() == game.None {
			return met
		}
		moves := p.Moves()
		if p, _, err = p.Play(p.ToAct(), moves[rng.IntN(len(moves))]); err != nil {
			f.Fatal(err)
		}
	}
}

// answered fails unless an error is a *Fault or a *Refusal.
func answered(t *testing.T, err error) {
	var fault *game.Fault
	var refusal *game.Refusal
	if err != nil && !errors.As(err, &fault) && !errors.As(err, &refusal) {
		t.Fatalf("answered by %v: neither a *Fault nor a *Refusal", err)
	}
}

// askEverything asks a position all there is to ask.
func askEverything(p game.Position) {
	for seat := game.Watcher; int(seat) < p.Seats(); seat++ {
		if seat == game.Watcher || seat >= 0 {
			seen := p.See(seat)
			seen.View()
			seen.Standing()
			seen.Sheet()
		}
	}
	p.Facts()
}

// playOn plays a position to its end by its own moves.
func playOn(t *testing.T, p game.Position) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range mostPlies {
		if p.ToAct() == game.None {
			askEverything(p)
			return
		}
		moves := p.Moves()
		if len(moves) == 0 {
			t.Fatalf("%v is to act and has no move in %s", p.ToAct(), p.View())
		}
		move := moves[rng.IntN(len(moves))]
		next, _, err := p.Play(p.ToAct(), move)
		if err != nil {
			t.Fatalf("%s is listed and refused: %v in %s", move, err, p.View())
		}
		p = next
	}
	t.Fatal("the game goes on for ever")
}
