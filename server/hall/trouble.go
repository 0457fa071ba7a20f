package hall

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"copse/store"
)

// What goes wrong every second is not told every second: it is told at once, then
// ever more rarely, and once more when it is over.
const (
	toldAgain    = time.Minute // after which what still goes wrong is told again, then after twice as long…
	rarelyTold   = time.Hour   // …and in the end
	mostTroubles = 1000        // that are remembered
)

// troubles are what the operator was told goes wrong.
type troubles struct {
	mu    sync.Mutex
	known map[string]trouble
}

type trouble struct {
	last  time.Time     // when it went wrong
	next  time.Time     // when it is told again
	wait  time.Duration // between the two times before
	times int           // since it was told
}

// count counts that something went wrong, and tells how often it has since it was
// told; 0 where it is too early to be told again. What has not gone wrong for as long
// as it would not have been told is over.
func (t *troubles) count(what string, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, known := t.known[what]
	if one.times++; known && now.Before(one.next) {
		one.last = now
		t.known[what] = one
		return 0
	}
	if now.Sub(one.last) > one.wait {
		one.wait, one.times = toldAgain/2, 1
	}
	if len(t.known) >= mostTroubles || t.known == nil {
		t.known = map[string]trouble{} // who has so many of them is told some twice
	}
	wait := min(2*one.wait, rarelyTold)
	t.known[what] = trouble{last: now, next: now.Add(wait), wait: wait}
	return one.times
}

// over tells whether something that went wrong before does so no more.
func (t *troubles) over(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.known[what]
	delete(t.known, what)
	return known
}

// trouble tells the operator that something goes wrong. What concerns one table or
// another is told for each of them, but for a store that writes nothing at all.
func (h *Hall) trouble(ctx context.Context, what string, err error, args ...any) {
	if ctx.Err() != nil || errors.Is(err, store.ErrClosed) {
		return
	}
	name := what
	if !errors.Is(err, store.ErrUnwritten) && len(args) > 0 {
		name = fmt.Sprint(what, args)
	}
	if times := h.troubles.count(name, h.Now()); times > 0 {
		h.log.Error(what, append(args, "err", err, "times", times)...)
	}
}

// fine tells the operator that what went wrong does so no more.
func (h *Hall) fine(what string) {
	if h.troubles.over(what) {
		h.log.Info("it is over", "trouble", what)
	}
}
