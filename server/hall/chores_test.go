package hall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"copse/store"
	"copse/table"
)

// hangs is a store that does not answer for some tables, even after the caller has
// given up.
type hangs struct {
	store.Store
	mu    sync.Mutex
	at    []string
	asked map[string]int
	free  chan struct{}
}

func (s *hangs) Table(ctx context.Context, id string) (store.Listing, error) {
	s.mu.Lock()
	s.asked[id]++
	s.mu.Unlock()
	if slices.Contains(s.at, id) {
		<-s.free
	}
	return s.Store.Table(ctx, id)
}

// held is who holds the first seat of a table, by its log.
func (h *testHall) held(id string, by Account) table.Holder {
	h.Helper()
	other := h.another()
	defer other.Stop()
	s, err := other.Look(h.Context(), id, by)
	h.good(err)
	return s.Look.People.Seats[0].Held
}

// TestOneStuckTableStopsNoClock: while the room of one table is held for ever the
// time of another runs out all the same, and nothing queues up for the first.
func TestOneStuckTableStopsNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		stuck := h.begun(settings("bosk", 2), people...)
		h.wait(time.Second)
		good := h.begun(settings("bosk", 2), people...)
		r, err := h.enter(t.Context(), stuck)
		h.good(err)
		h.wait(11 * time.Minute)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		time.Sleep(2 * tendEvery)
		synctest.Wait()
		if held := h.held(good, people[1]); held != table.Away {
			t.Errorf("the seat where the time ran out is held by %v", held)
		}
		for _, later := range []time.Duration{5 * tendEvery, time.Minute} {
			time.Sleep(later)
			synctest.Wait()
			h.chores.mu.Lock()
			if n := len(h.chores.queue); n > 0 || h.chores.hands > 1 || len(h.chores.known) > 1 {
				t.Errorf("after %v %d chores wait, %d are at work, %d are known", later, n, h.chores.hands, len(h.chores.known))
			}
			h.chores.mu.Unlock()
		}
		r.leave()
		h.wait(tryAgain)
		time.Sleep(2 * tendEvery)
		synctest.Wait()
		if held := h.held(stuck, people[1]); held != table.Away {
			t.Errorf("when it is free the seat is held by %v", held)
		}
		stop()
		running.Wait()
		h.Stop()
	})
}

// TestMoreStuckTablesThanHands: the store does not answer for more tables than are
// looked at together. The others are looked at when the hall no longer waits for
// those, and each of those is asked for only once.
func TestMoreStuckTablesThanHands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		hung := &hangs{Store: h.db, asked: map[string]int{}, free: make(chan struct{})}
		for range mostHands + 2 {
			hung.at = append(hung.at, h.begun(settings("bosk", 2), people...))
			h.wait(time.Millisecond)
		}
		h.wait(time.Second)
		good := h.begun(settings("bosk", 2), people...)
		h.Stop()
		h.Hall = h.another()
		h.store = hung
		h.wait(11 * time.Minute)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		time.Sleep(choreTime + 2*tendEvery)
		synctest.Wait()
		if held := h.held(good, people[1]); held != table.Away {
			t.Errorf("the seat where the time ran out is held by %v", held)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		hung.mu.Lock()
		for _, id := range hung.at {
			if n := hung.asked[id]; n != 1 {
				t.Errorf("a table for which there is no answer was asked for %d times", n)
			}
		}
		hung.mu.Unlock()
		close(hung.free)
		synctest.Wait() // too late for who waited
		h.wait(tryAgain)
		time.Sleep(2 * tendEvery)
		synctest.Wait()
		for _, id := range hung.at {
			if held := h.held(id, people[1]); held != table.Away {
				t.Errorf("when there is an answer the seat is held by %v", held)
			}
		}
		stop()
		running.Wait()
		h.Stop()
	})
}

// TestWhatFailsIsTriedAgainLater: and not with every look.
func TestWhatFailsIsTriedAgainLater(t *testing.T) {
	h := newTestHall(t)
	tries := 0
	try := func() {
		var all sync.WaitGroup
		h.chore(t.Context(), &all, "something", func(context.Context) error {
			tries++
			return errors.New("it failed")
		})
		all.Wait()
	}
	for range 3 {
		try()
	}
	if tries != 1 {
		t.Errorf("it was tried %d times at once", tries)
	}
	if n := h.chores.skipped(h.Now()); n != 1 {
		t.Errorf("%d are put off", n)
	}
	h.wait(tryAgain)
	try()
	if tries != 2 {
		t.Errorf("it was tried %d times", tries)
	}
	h.wait(tryAgain)
	if n := h.chores.skipped(h.Now()); n != 0 {
		t.Errorf("%d are remembered", n)
	}
	h.Stop()
	try() // nobody is left to do it, and nobody waits
	if tries != 2 {
		t.Errorf("after the end it was tried %d times", tries)
	}
}

// asks is a store that remembers how many tables were asked for.
type asks struct {
	store.Store
	most int
}

func (a *asks) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	a.most = most
	return a.Store.Due(ctx, by, most)
}

// TestStuckTablesAreAskedForBesides: as many tables are looked at as if those that
// are stuck, and stay due for ever, were not there.
func TestStuckTablesAreAskedForBesides(t *testing.T) {
	h := newTestHall(t)
	asked := &asks{Store: h.db}
	h.store = asked
	h.Tend(t.Context())
	if asked.most != mostDue {
		t.Errorf("%d are asked for", asked.most)
	}
	const stuck = 30
	for n := range stuck {
		h.chores.known[fmt.Sprint("wake ", n)] = time.Time{}
	}
	h.Tend(t.Context())
	if asked.most != mostDue+stuck {
		t.Errorf("while %d are stuck, %d are asked for", stuck, asked.most)
	}
	for n := range store.MostListed {
		h.chores.known[fmt.Sprint("wake ", n)] = time.Time{}
	}
	h.Tend(t.Context())
	if asked.most != store.MostListed {
		t.Errorf("while all are stuck, %d are asked for", asked.most)
	}
}
