//go:build unix

package grandbois

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"copse/game"
)

// BenchmarkPlayouts plays from the middle of a game, after 18 of 36 tiles, to
// its end by samples, standing included, as a bot does.
func BenchmarkPlayouts(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("%d-seats", seats), func(b *testing.B) {
			r := New(seats, DefaultBox(), false)
			rng := rand.New(rand.NewPCG(1, uint64(seats)))
			var from [16]Position
			for i := range from {
				s := r.Start()
				for s.count < 18 || s.phase != placing {
					if s.phase == over { // stuck (2.10)
						s = r.Start()
					}
					r.Play(&s, r.ToAct(&s), r.Sample(&s, r.ToAct(&s), rng), nil)
				}
				from[i] = s
			}
			b.ReportAllocs()
			n := 0
			begin := cpuTime(b)
			for b.Loop() {
				s := from[n%len(from)]
				n++
				for {
					seat := r.ToAct(&s)
					if seat == game.None {
						break
					}
					r.Play(&s, seat, r.Sample(&s, seat, rng), nil)
				}
				if !r.Standing(&s).Over {
					b.Fatal("a playout did not end")
				}
			}
			b.ReportMetric(float64(n)/(cpuTime(b)-begin).Seconds(), "playouts/cpu-s")
		})
	}
}

// cpuTime is the time that this process has kept cores busy: on a machine with
// other work to do the clock would tell nothing.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
