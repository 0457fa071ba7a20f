package table

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"copse/game"
)

// played is the table of a random game after so many moves, or at its end.
func played(tb testing.TB, name string, seats, moves int) *rig {
	tb.Helper()
	r := begun(tb, settings(name, seats), seats)
	rng := newRand(uint64(seats), uint64(moves))
	for n := 0; n < moves && !r.Over(); n++ {
		r.move(rng)
	}
	return r
}

// benchGames are the games that benchmarks play.
func benchGames(b *testing.B, run func(b *testing.B, name string, seats int)) {
	for _, g := range []struct {
		name  string
		seats int
	}{{"bosk", 2}, {"bosk", 4}, {"grandbois", 2}, {"grandbois", 4}, {"treesociety", 2}, {"treesociety", 4}} {
		b.Run(fmt.Sprintf("%s-%d", g.name, g.seats), func(b *testing.B) { run(b, g.name, g.seats) })
	}
}

// BenchmarkOpen folds the log of a finished game.
func BenchmarkOpen(b *testing.B) {
	benchGames(b, func(b *testing.B, name string, seats int) {
		r := played(b, name, seats, 1000)
		bytes := 0
		for _, e := range r.log {
			bytes += len(e)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Open(shelf, r.keep, r.log); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(r.log)), "entries")
		b.ReportMetric(float64(bytes), "logbytes")
	})
}

// BenchmarkMove takes a move from the command to what two players and a watcher are
// told.
func BenchmarkMove(b *testing.B) {
	benchGames(b, func(b *testing.B, name string, seats int) {
		script := played(b, name, seats, 1000)
		r := played(b, name, seats, 0)
		fresh := *r.again()
		b.ReportAllocs()
		for n := r.Len(); b.Loop(); n++ {
			for ; n < len(script.log) && script.entry(n).Do != Moved; n++ {
			}
			if n >= len(script.log) {
				r.Table, n = r.again(), fresh.Len()
			}
			e := script.entry(n)
			entries, err := r.Decide(Play{Person: r.person(e.Seat), After: r.Last(), Moves: []json.RawMessage{e.Move}}, r.clk)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				step, err := r.Apply(e)
				if err != nil {
					b.Fatal(err)
				}
				for _, viewer := range []game.Seat{0, 1, game.Watcher} {
					step.Heard(viewer)
				}
			}
		}
	})
}

// BenchmarkMemory measures what a table in mid-game takes of memory.
func BenchmarkMemory(b *testing.B) {
	benchGames(b, func(b *testing.B, name string, seats int) {
		moves := 0
		for r := played(b, name, seats, 1000); moves == 0; {
			for n := range r.log {
				if r.entry(n).Do == Moved {
					moves++
				}
			}
		}
		r := played(b, name, seats, moves*7/10)
		const many = 200
		for b.Loop() {
			tables := make([]*Table, many)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range tables {
				t, err := Open(shelf, r.keep, r.log)
				if err != nil {
					b.Fatal(err)
				}
				tables[i] = t
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/many/1024, "KiB/table")
			runtime.KeepAlive(tables)
		}
		b.ReportMetric(float64(len(r.log)), "entries")
	})
}
