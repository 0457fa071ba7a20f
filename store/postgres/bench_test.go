//go:build linux

package postgres

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

	"copse/load"
	"copse/store"
	"copse/store/postgres/pgtest"
	"copse/store/sqlite"
)

// cpuTime is what this process has used.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// serverTime is what a server and all its processes have used.
func serverTime(b *testing.B, s *pgtest.Server) time.Duration {
	b.Helper()
	used, err := load.Family(s.Pid())(b.Context(), false)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.CPU * float64(time.Second))
}

// move is an append as a server sends it: one entry, a row, a key.
func move(table string, next int) store.Append {
	return store.Append{Table: table, Next: next, At: store.Time(1_767_859_200_000 + int64(next)*1000),
		Entries: [][]byte{fmt.Appendf(nil, `{"at":%d,"do":"move","seat":%d,"move":{"do":"leaf","to":[%d,%d]}}`, 1_767_859_200_000+int64(next)*1000, next%2, next%7, next%5)},
		Row: &store.Row{Game: "bosk", Sitting: []string{"anna", "ben"}, Turn: 1 << (next % 2), Wake: store.Time(1_767_859_300_000 + int64(next)),
			About: []byte(`{"game":"bosk","seats":2,"pace":"live","turn":12}`), Private: make([]byte, 48)},
		Once: store.Once{Who: "anna", Key: fmt.Sprint(next), Asked: []byte("asked"), After: next}}
}

// rival is a store that is measured, and what its database has used.
type rival struct {
	name   string
	open   func(b *testing.B) []store.Store // as many as there are nodes
	server *pgtest.Server
}

// rivals are SQLite and PostgreSQL with one node and with two, all of which sync.
func rivals(b *testing.B) []rival {
	b.Helper()
	server, err := pgtest.Start() // which syncs, as SQLite does
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	})
	nodes := func(n int) func(b *testing.B) []store.Store {
		return func(b *testing.B) (list []store.Store) {
			url := server.Database(b, "", nil)
			for range n {
				list = append(list, node(b, url, Options{}))
			}
			return list
		}
	}
	return []rival{
		{"sqlite", func(b *testing.B) []store.Store {
			s, err := sqlite.Open(filepath.Join(b.TempDir(), "copse.db"))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() {
				if err := s.Close(); err != nil {
					b.Error(err)
				}
			})
			return []store.Store{s}
		}, nil},
		{"postgres", nodes(1), server},
		{"postgres-two-nodes", nodes(2), server},
	}
}

// BenchmarkAppend has so many tables append at the same time, each as soon as its
// last append was acknowledged, in SQLite and in PostgreSQL in one run. With two nodes
// the players of each table sit at both.
func BenchmarkAppend(b *testing.B) {
	for _, r := range rivals(b) {
		for _, tables := range []int{1, 64, 1000} {
			b.Run(fmt.Sprintf("%s/tables=%d", r.name, tables), func(b *testing.B) { r.append(b, tables) })
		}
	}
}

func (r rival) append(b *testing.B, tables int) {
	stores := r.open(b)
	for _, who := range []string{"anna", "ben"} {
		if err := stores[0].AddAccount(context.Background(), store.Account{ID: who}); err != nil {
			b.Fatal(err)
		}
	}
	next := make([]int, tables)
	took := make([][]time.Duration, tables)
	var ready sync.WaitGroup
	for i := range next {
		ready.Go(func() {
			for range 2 { // so that every connection is there
				if _, err := stores[next[i]%len(stores)].Append(context.Background(), move(fmt.Sprintf("table-%d", i), next[i])); err != nil {
					b.Error(err)
				}
				next[i]++
			}
		})
	}
	ready.Wait()
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	cpu, database := cpuTime(b), time.Duration(0)
	if r.server != nil {
		database = serverTime(b, r.server)
	}
	var wg sync.WaitGroup
	for i := range tables {
		wg.Go(func() {
			table := fmt.Sprintf("table-%d", i)
			for left.Add(-1) >= 0 {
				if next[i] == 200 { // a game ends, another begins
					table, next[i] = fmt.Sprintf("table-%d-%d", i, left.Load()), 0
				}
				begin := time.Now()
				if _, err := stores[next[i]%len(stores)].Append(context.Background(), move(table, next[i])); err != nil {
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
	used := cpuTime(b) - cpu
	if r.server != nil {
		database = serverTime(b, r.server) - database
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
	b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/append")
	b.ReportMetric(float64((used+database).Microseconds())/float64(b.N), "cpu-with-database-µs/append")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}
