package cluster

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// A checker that has never failed proves nothing: each of these tests has nodes make
// a mistake on purpose (cmd/copse/planted.go), and the checks must catch it.

// sample has people play at a house until enough has happened, and checks it.
func (h *house) sample(ctx context.Context, enough func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	h.pace = 5 * time.Millisecond
	var playing sync.WaitGroup
	for n := range 3 {
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		playing.Go(func() { h.live(ctx, nil, rng, from(allGames, n), 2, 2, false) })
	}
	enough(ctx)
	cancel()
	playing.Wait()
	h.check(context.Background())
}

// until waits until something is so.
func until(is func() bool) {
	for !is() {
		time.Sleep(5 * time.Millisecond)
	}
}

// caught fails unless one of these checks has found something.
func (h *house) caught(checks ...string) {
	h.t.Helper()
	for _, check := range checks {
		if h.wrongs.found(check) > 0 {
			h.t.Logf("figures: the planted mistake %q was caught, after %d answers:\n%s", h.mistake, h.moved.Load(), h.wrongs.all())
			return
		}
	}
	h.t.Errorf("the planted mistake %q was not caught by %v; other checks: %s", h.mistake, checks, h.wrongs.all())
}

// TestALookFromMemoryIsCaught: a node that does not ask how far a log goes shows what
// is long over.
func TestALookFromMemoryIsCaught(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 3, "memory")
	h.sample(t.Context(), func(context.Context) { until(func() bool { return h.moved.Load() >= 150 }) })
	h.caught("order")
}

// TestALeaseWithoutAFenceIsCaught: a node that believes a table to be its own writes
// what it has decided on an older state.
func TestALeaseWithoutAFenceIsCaught(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 3, "lease")
	h.sample(t.Context(), func(context.Context) {
		until(func() bool { return h.wrongs.all() != "" || h.troubles.broken.Load() > 0 || h.acked.Load() >= 500 })
	})
	h.caught("acked")
}

// TestACancelledCommitIsCaught: where a commit is cancelled while the standby is cut
// off, a move is acknowledged that is gone when the standby takes over.
func TestACancelledCommitIsCaught(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2, "cancel")
	h.sample(t.Context(), func(context.Context) {
		until(func() bool { return h.acked.Load() >= 10 })
		h.gate.Lock() // nothing is under way
		end := h.replica.begin(weather{cut: true})
		h.cuts.Store(1)
		h.gate.Unlock()
		until(func() bool { return h.late.Load() > 0 })
		if err := h.failOver(); err != nil {
			t.Error(err)
		}
		end()
	})
	h.caught("acked")
}
