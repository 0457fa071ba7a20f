package cluster

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestByHand has a test choose what goes wrong, and not chance.
//
// A checker that has never failed proves nothing: where nodes make a mistake on
// purpose (cmd/copse/planted.go), the checks must catch it.
func TestByHand(t *testing.T) {
	t.Parallel() // with the nemesis, and one after the other
	t.Run("a look from memory is caught", lookFromMemory)
	t.Run("a lease without a fence is caught", leaseWithoutFence)
	t.Run("a cancelled commit is caught", cancelledCommit)
	t.Run("a crash without a standby loses nothing", crashWithoutStandby)
	t.Run("two versions side by side", twoVersions)
}

// sample has people play at a house until enough has happened, or until they cannot
// go on, and checks it.
func (h *house) sample(ctx context.Context, enough func(until func(func() bool))) {
	ctx, cancel := context.WithCancel(ctx)
	h.pace = 5 * time.Millisecond
	var playing sync.WaitGroup
	for n := range 3 {
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		playing.Go(func() { h.live(ctx, nil, rng, from(allGames, n), 2, 2, false) })
	}
	var ended atomic.Bool
	go func() {
		playing.Wait()
		ended.Store(true)
	}()
	enough(func(is func() bool) {
		for !is() && !ended.Load() {
			time.Sleep(5 * time.Millisecond)
		}
	})
	cancel()
	playing.Wait()
	h.check(context.Background())
}

// caught fails unless a check has found something.
func (h *house) caught(check string) {
	h.t.Helper()
	if h.wrongs.found(check) == 0 {
		h.t.Errorf("the planted mistake %q was not caught by %q; others found: %s", h.mistake, check, h.wrongs.all())
		return
	}
	h.t.Logf("figures: the planted mistake %q was caught, after %d answers:\n%s", h.mistake, h.moved.Load(), h.wrongs.all())
}

// lookFromMemory: a node that does not ask how far a log goes shows what is long over.
func lookFromMemory(t *testing.T) {
	h := newHouse(t, 3, "memory")
	h.sample(t.Context(), func(until func(func() bool)) {
		until(func() bool { return h.wrongs.found("order") > 0 })
	})
	h.caught("order")
}

// leaseWithoutFence: a node that believes a table to be its own writes what it has
// decided on an older state.
func leaseWithoutFence(t *testing.T) {
	h := newHouse(t, 3, "lease")
	h.sample(t.Context(), func(until func(func() bool)) {
		until(func() bool { return h.wrongs.all() != "" || h.troubles.broken.Load() > 0 || h.acked.Load() >= 500 })
	})
	h.caught("acked")
}

// cancelledCommit: where a commit is cancelled while the standby is cut off, a move
// is acknowledged that is gone when the standby takes over.
func cancelledCommit(t *testing.T) {
	h := newHouse(t, 2, "cancel")
	h.sample(t.Context(), func(until func(func() bool)) {
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

// crashWithoutStandby: the primary crashes while its standby is cut off, and is given
// up for it. What only the primary had was acknowledged to nobody, and shown to
// nobody.
func crashWithoutStandby(t *testing.T) {
	h := newHouse(t, 3, "")
	h.sample(t.Context(), func(until func(func() bool)) {
		more := func() {
			n := h.acked.Load()
			until(func() bool { return h.acked.Load() >= n+20 || h.wrongs.all() != "" })
		}
		for range 2 {
			more()
			if err := h.forsake(2 * time.Second); err != nil {
				t.Error(err)
			}
		}
		more()
	})
	if said := h.wrongs.all(); said != "" {
		t.Error(said)
		h.logs(t)
	}
}

// twoVersions: nodes are replaced one after the other by the next version, under load,
// and one by this version again. Nothing is lost, and each stream goes on elsewhere.
func twoVersions(t *testing.T) {
	h := newHouse(t, 3, "")
	h.sample(t.Context(), func(until func(func() bool)) {
		more := func() {
			n := h.acked.Load()
			until(func() bool { return h.acked.Load() >= n+20 || h.wrongs.all() != "" })
		}
		more()
		for _, n := range []int{0, 1, 2, 0} {
			x := h.nodes[n]
			born := x.born.Load()
			x.deploy()
			until(func() bool { return x.born.Load() > born && x.listens() })
			more()
		}
	})
	for n, x := range h.nodes {
		if x.born.Load() != []int64{3, 2, 2}[n] || x.next != (n > 0) {
			t.Errorf("node %d was started %d times", n, x.born.Load())
		}
	}
	t.Logf("figures: nodes were replaced by the next version and back under load: %d moves were acknowledged, all are there once; no stream was away for more than %v, in %d joins", h.acked.Load(), time.Duration(h.longest.Load()).Round(time.Millisecond), h.joins.Load())
	if err := h.primary.Exec(h.primary.URL(database), "SELECT 1 FROM copse.hats"); err != nil {
		t.Errorf("the next version was never there: %v", err)
	}
	if said := h.wrongs.all(); said != "" {
		t.Error(said)
		h.logs(t)
	}
}
