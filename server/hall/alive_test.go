package hall

import (
	"runtime"
	"sync"
	"testing"
)

// TestAHallThatStandsStillIsNotAlive: whichever of the locks is held that all tables
// or all bots need.
func TestAHallThatStandsStillIsNotAlive(t *testing.T) {
	h := New(Options{})
	for n, lock := range []sync.Locker{&h.mu, &h.gate, &h.minds.mu} {
		lock.Lock()
		back := make(chan struct{})
		go func() {
			defer close(back)
			h.Alive()
		}()
		for range 1000 {
			runtime.Gosched()
		}
		select {
		case <-back:
			t.Errorf("lock %d is held, and it is said to live", n)
		default:
		}
		lock.Unlock()
		<-back
	}
}
