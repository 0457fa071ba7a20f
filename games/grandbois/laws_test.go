package grandbois

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"copse/game"
	"copse/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Game()) }

// TestLawsWhereTheForestCloses holds the laws in games that nearly all end with
// everyone passing (2.10).
func TestLawsWhereTheForestCloses(t *testing.T) {
	for _, v := range gametest.Check(played(bearBox(9), false), gametest.Config{Games: 4}) {
		t.Error(v)
	}
}

// TestGolden replays whole games that were played once and must go the same way
// for ever, with and without the expert option.
func TestGolden(t *testing.T) {
	gametest.Replay(t, Game(), "testdata/games")
	gametest.Replay(t, played(DefaultBox(), true), "testdata/expert")
}

// played is the game with another box, and for experts by itself or only where
// a table asks for it.
func played(box *Box, expert bool) game.Definition[Position, Move] {
	def := Game()
	inner := def.New
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[Position, Move], error) {
		p, err := inner(seats, options, version)
		if err != nil {
			return nil, err
		}
		return New(seats, box, expert || p.(*Rules).expert), nil
	}
	return def
}

func TestAPositionIsSmall(t *testing.T) {
	size := unsafe.Sizeof(Position{})
	t.Logf("a position takes %d bytes", size)
	if size >= 2048 {
		t.Error("a copy should stay under 2 KiB")
	}
}

// TestSamplesAreUniform draws from lists of all lengths, also from those too
// long for the law of samplers, and from one in which misses are so many that
// placements are counted in the end. Chi-square within five deviations.
func TestSamplesAreUniform(t *testing.T) {
	const each = 60
	rng := rand.New(rand.NewPCG(7, 7))
	drawn := func(r *Rules, s *Position, sample func(*Position, *rand.Rand) Move) {
		t.Helper()
		list := r.Moves(s, r.ToAct(s), nil)
		met := make(map[Move]int, len(list))
		for _, m := range list {
			met[m] = 0
		}
		for range each * len(list) {
			m := sample(s, rng)
			if _, ok := met[m]; !ok {
				t.Fatalf("%s is drawn and not listed", r.AppendMove(nil, m))
			}
			met[m]++
		}
		square := 0.0
		for _, n := range met {
			square += float64((n-each)*(n-each)) / each
		}
		free := float64(len(list) - 1)
		if math.Abs(square-free) > 5*math.Sqrt(2*free)+1 {
			t.Errorf("%d moves: chi-square %.0f with %.0f degrees of freedom", len(list), square, free)
		}
	}
	for _, expert := range []bool{false, true} {
		r := New(3, DefaultBox(), expert)
		s := r.Start()
		for r.ToAct(&s) != game.None {
			if r.ToAct(&s) >= 0 {
				drawn(r, &s, func(s *Position, rng *rand.Rand) Move { return r.Sample(s, r.ToAct(s), rng) })
			}
			if s.phase == placing {
				drawn(r, &s, r.sampleCounted)
			}
			r.Play(&s, r.ToAct(&s), r.Sample(&s, r.ToAct(&s), rng), nil)
		}
	}
	// A long row of bears with one clearing at its end: few of very many fit.
	r := New(2, bearBox(2), false)
	s := forest(t, r, "-15 -15\no"+fmt.Sprint(manyLines(30))+"\n"+fmt.Sprint(manyBears(30)), 1, 2)
	drawn(r, &s, func(s *Position, rng *rand.Rand) Move { return r.Sample(s, 0, rng) })
}

func manyLines(n int) (lines string) {
	for range n {
		lines += "\nB"
	}
	return lines
}

func manyBears(n int) (line string) {
	for range n {
		line += "B "
	}
	return line
}

// BenchmarkGames plays whole random games with the complete list of moves at
// every ply.
func BenchmarkGames(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("%d-seats", seats), func(b *testing.B) { gametest.Bench(b, Game(), seats) })
	}
	b.Run("expert", func(b *testing.B) { gametest.Bench(b, played(DefaultBox(), true), 3) })
}
