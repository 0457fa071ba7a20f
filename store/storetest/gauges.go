package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/store"
)

// Gauges holds a store that counts for a whole house to what it promises. fresh
// gives its nodes, which are all over one store.
func Gauges(t *testing.T, fresh func(t *testing.T) []store.Gauges) {
	const each, span = 5 * time.Second, 15 * time.Second // three at once
	t.Run("ABurstThenOneAfterTheOther", func(t *testing.T) {
		nodes, n := fresh(t), 0
		wait := func(name string, at, want time.Duration) {
			t.Helper()
			n++
			if got, err := nodes[n%len(nodes)].Count(t.Context(), name, day.Add(at), each, span); err != nil || got != want {
				t.Errorf("at %v one waits %v for %s, want %v: %v", at, got, name, want, err)
			}
		}
		for range 3 {
			wait("oak", 0, 0)
		}
		for range 2 { // who is refused loses nothing by asking
			wait("oak", 0, 5*time.Second)
		}
		wait("elm", 0, 0) // nothing else is counted with it
		wait("oak", 3500*time.Millisecond, 1500*time.Millisecond)
		wait("oak", 5*time.Second, 0)
		wait("oak", 5*time.Second, 5*time.Second)
		if err := nodes[0].Uncount(t.Context(), "oak", each); err != nil {
			t.Error(err)
		}
		wait("oak", 5*time.Second, 0)
		wait("oak", 5*time.Second, 5*time.Second)
		for range 3 {
			wait("oak", time.Hour, 0)
		}
		wait("oak", time.Hour, 5*time.Second)
		wait("oak", time.Hour-time.Second, 6*time.Second) // the clock of another node is behind
		if err := nodes[0].Uncount(t.Context(), "nothing that was counted", each); err != nil {
			t.Error(err)
		}
	})
	t.Run("OfManyAtTheSameTimeNoMoreAreCounted", func(t *testing.T) {
		nodes := fresh(t)
		for round := range 5 {
			var wg sync.WaitGroup
			var counted atomic.Int32
			for i := range 24 {
				wg.Go(func() {
					wait, err := nodes[i%len(nodes)].Count(t.Context(), fmt.Sprint("oak ", round), day, each, span)
					switch {
					case err != nil:
						t.Error(err)
					case wait == 0:
						counted.Add(1)
					}
				})
			}
			wg.Wait()
			if n := counted.Load(); n != 3 {
				t.Errorf("of 24 at the same time %d are counted, want 3", n)
			}
		}
	})
}
