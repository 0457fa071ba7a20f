package gametest

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"copse/game"
)

// Bench plays whole random games, standing included, and reports how many of
// them one second of one core's time is worth, however busy the machine is:
//
//	games/cpu-s   games in a second of CPU time
//	plies/game    moves of players and of chance in a game
//	moves/ply     legal moves at a ply
//	allocs/ply    allocations a ply; a game that keeps the laws has none
func Bench[S, M comparable](b *testing.B, def game.Definition[S, M], seats int) {
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, uint64(seats)))
	s, buf := new(S), make([]M, 0, 1<<14)
	games, plies, listed := 0, 0, 0

	// Nothing here makes garbage: the collector would only clean up after others.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := cpuTime()
	for b.Loop() {
		*s = rules.Start()
		var n, all int
		n, all, buf = game.Playout(rules, s, rng, buf, mostPlies)
		if standing := rules.Standing(s); !standing.Over {
			b.Fatalf("a game has not ended after %d plies", n)
		}
		games++
		plies += n
		listed += all
	}
	spent := cpuTime() - begin
	runtime.ReadMemStats(&after)

	b.ReportMetric(float64(games)/spent.Seconds(), "games/cpu-s")
	b.ReportMetric(float64(plies)/float64(games), "plies/game")
	b.ReportMetric(float64(listed)/float64(plies), "moves/ply")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(plies), "allocs/ply")
}

// Rate does something over and over, and reports how often one second of one core's
// time is enough for it, however busy the machine is:
//
//	<unit>s/cpu-s   times in a second of CPU time
//	allocs/<unit>   allocations each time
func Rate(b *testing.B, unit string, do func()) {
	do() // the first time may allocate what the others reuse
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	n := 0
	runtime.ReadMemStats(&before)
	begin := cpuTime()
	for b.Loop() {
		do()
		n++
	}
	spent := cpuTime() - begin
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(n)/spent.Seconds(), unit+"s/cpu-s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(n), "allocs/"+unit)
}
