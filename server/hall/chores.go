package hall

import (
	"context"
	"sync"
	"time"
)

// chores are what the hall does by itself, a few at a time, so that one table that
// is stuck holds up no other. A chore that takes longer than choreTime is asked to
// end and gives its slot to the next, whether it ends or not; it is not begun again
// before it has ended. A chore that fails is not tried again for a while.
type chores struct {
	mu    sync.Mutex
	known map[string]time.Time // by name: zero for those that wait or are under way, else when it may be tried again
	queue []chore
	hands int // how many are at work
}

type chore struct {
	ctx  context.Context
	name string
	do   func(context.Context) error
	over func()
}

const (
	mostHands = 8                // chores at the same time
	choreTime = 10 * time.Second // after which nobody waits for a chore
	tryAgain  = 5 * time.Second  // after which what has failed is tried again
)

// add has a chore done, unless it already waits or is under way, or has failed not
// long ago. It calls over when the chore has ended, and at once where nothing is to
// be done.
func (c *chores) add(ctx context.Context, h *Hall, name string, over func(), do func(context.Context) error) {
	c.mu.Lock()
	if again, known := c.known[name]; known && (again.IsZero() || h.Now().Before(again)) {
		c.mu.Unlock()
		over()
		return
	}
	c.known[name] = time.Time{}
	c.queue = append(c.queue, chore{ctx, name, do, over})
	c.mu.Unlock()
	c.hire(h)
}

// hire sets one more goroutine to work, where there is anything to do.
func (c *chores) hire(h *Hall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hands >= mostHands || len(c.queue) == 0 {
		return
	}
	c.hands++
	if !h.start(func() { c.work(h) }) {
		c.hands--
		c.drop()
	}
}

// drop forgets all chores that wait, since the hall stops.
func (c *chores) drop() {
	for _, one := range c.queue {
		delete(c.known, one.name)
		one.over()
	}
	c.queue = nil
}

// work does the chores that wait. A goroutine that is held up by a chore is
// replaced.
func (c *chores) work(h *Hall) {
	for {
		c.mu.Lock()
		if h.life.Err() != nil {
			c.drop()
		}
		if len(c.queue) == 0 {
			c.hands--
			c.mu.Unlock()
			return
		}
		one := c.queue[0]
		c.queue = c.queue[1:]
		c.mu.Unlock()

		limit, done := context.WithTimeout(one.ctx, choreTime)
		replaced := make(chan struct{})
		replace := context.AfterFunc(limit, func() {
			defer close(replaced)
			c.mu.Lock()
			c.hands--
			c.mu.Unlock()
			c.hire(h)
		})
		err := one.do(limit)
		held := !replace()
		done()
		c.mu.Lock()
		delete(c.known, one.name)
		if err != nil {
			c.known[one.name] = h.Now().Add(tryAgain)
		}
		c.mu.Unlock()
		one.over()
		if held { // somebody else has this slot
			<-replaced
			return
		}
	}
}

// skipped is how many chores would not be begun now, since they wait, are under way
// or have failed. It forgets those that may be tried again.
func (c *chores) skipped(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, again := range c.known {
		if !again.IsZero() && !now.Before(again) {
			delete(c.known, name)
		}
	}
	return len(c.known)
}
