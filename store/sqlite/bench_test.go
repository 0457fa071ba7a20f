//go:build unix

package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"copse/store"
)

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// move is an append as a server sends it: one entry, a row, a key. When to look at the
// table stays the same for half a minute.
func move(table string, next int) store.Append {
	return store.Append{Table: table, Next: next, At: store.Time(1_767_859_200_000 + int64(next)*1000),
		Entries: [][]byte{fmt.Appendf(nil, `{"at":%d,"do":"move","seat":%d,"move":{"do":"leaf","to":[%d,%d]}}`, 1_767_859_200_000+int64(next)*1000, next%2, next%7, next%5)},
		Row: &store.Row{Game: "bosk", Sitting: []string{"anna", "ben"}, Turn: 1 << (next % 2), Wake: store.Time(1_767_859_300_000 + int64(next/30)*30_000),
			About: []byte(`{"game":"bosk","seats":2,"pace":"live","turn":12}`), Private: make([]byte, 48)},
		Once: store.Once{Who: "anna", Key: fmt.Sprint(next), Asked: []byte("asked"), After: next}}
}

func benchStore(b *testing.B) *Store {
	b.Helper()
	s, err := Open(filepath.Join(b.TempDir(), "copse.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	for _, who := range []string{"anna", "ben"} {
		if err := s.AddAccount(context.Background(), store.Account{ID: who}); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// BenchmarkAppend has so many tables append at the same time, each as soon as
// its last append was acknowledged.
func BenchmarkAppend(b *testing.B) {
	for _, tables := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			s := benchStore(b)
			next := make([]int, tables)
			took := make([][]time.Duration, tables)
			for i := range next {
				if _, err := s.Append(context.Background(), move(fmt.Sprintf("table-%d", i), 0)); err != nil {
					b.Fatal(err)
				}
				next[i] = 1
			}
			var left atomic.Int64
			left.Store(int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			cpu := cpuTime(b)
			var wg sync.WaitGroup
			for i := range tables {
				wg.Go(func() {
					table := fmt.Sprintf("table-%d", i)
					for left.Add(-1) >= 0 {
						if next[i] == 200 { // a game ends, another begins
							table, next[i] = fmt.Sprintf("table-%d-%d", i, left.Load()), 0
						}
						begin := time.Now()
						if _, err := s.Append(context.Background(), move(table, next[i])); err != nil {
							b.Error(err)
							return
						}
						took[i] = append(took[i], time.Since(begin))
						next[i]++
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			all := slices.Concat(took...)
			slices.Sort(all)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/append")
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// BenchmarkOpen reads the log of a table with 200 entries, as it lies while the
// game goes on and packed.
func BenchmarkOpen(b *testing.B) {
	s := benchStore(b)
	for _, table := range []string{"live", "packed"} {
		for next := range 200 {
			if _, err := s.Append(context.Background(), move(table, next)); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.Pack(context.Background(), "packed", time.Time{}); err != nil {
		b.Fatal(err)
	}
	for _, table := range []string{"live", "packed"} {
		b.Run(table, func(b *testing.B) {
			b.ReportAllocs()
			cpu := cpuTime(b)
			for b.Loop() {
				if log, err := s.Read(context.Background(), table, 0); err != nil || len(log) != 200 {
					b.Fatal(len(log), err)
				}
			}
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// BenchmarkLists asks what a page asks, with ten thousand tables in the file.
func BenchmarkLists(b *testing.B) {
	s := benchStore(b)
	var wg sync.WaitGroup
	for i := range 10_000 {
		wg.Go(func() {
			a := move(fmt.Sprintf("table-%d", i), 0)
			a.Row.Listed, a.Row.Over = i%100 == 0, i%3 > 0
			if i%50 > 0 {
				a.Row.Sitting = []string{"ben"}
			}
			if _, err := s.Append(context.Background(), a); err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
	for name, ask := range map[string]func() ([]store.Listing, error){
		"listed":  func() ([]store.Listing, error) { return s.Listed(context.Background(), "bosk", 0, 50) },
		"sitting": func() ([]store.Listing, error) { return s.Sitting(context.Background(), "anna", 50) },
		"played":  func() ([]store.Listing, error) { return s.Played(context.Background(), "ben", 0, 50) },
		"due":     func() ([]store.Listing, error) { return s.Due(context.Background(), store.Time(1_767_859_400_000), 50) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if list, err := ask(); err != nil || len(list) < 50 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}
