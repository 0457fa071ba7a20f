package hall

import (
	"sync"
	"time"
)

// clock tells house time. It begins with what the wall clock of the machine says
// and advances by the monotonic clock, which nobody can set. It never goes back:
// when the wall clock is set back, house time runs on. When the wall clock gets
// ahead, because it was set or the machine slept, house time follows at the next
// beat, and the beat finds out whether that was an outage.
//
// Where the store has a clock (store.Clock), all nodes go by that one instead of the
// clocks of their machines. House time that is ahead of it runs slower until it is
// not.
type clock struct {
	wall func() time.Time     // what the machine says
	mono func() time.Duration // since some moment

	mu   sync.Mutex
	at   time.Time     // house time…
	read time.Duration // …when mono said this
	slow bool          // it loses a tenth, because it is ahead of the clock of the store
}

// newClock is a clock by these two. A nil wall is the machine's; a nil mono is the
// machine's too, or follows the wall that was handed in.
func newClock(wall func() time.Time, mono func() time.Duration) *clock {
	switch begun := time.Now(); {
	case wall == nil:
		wall = func() time.Time { return time.Now().Round(0) }
		if mono == nil {
			mono = func() time.Duration { return time.Since(begun) }
		}
	case mono == nil:
		first := wall()
		mono = func() time.Duration { return wall().Sub(first) }
	}
	return &clock{wall: wall, mono: mono, at: wall(), read: mono()}
}

// now is house time.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.when(c.mono())
}

// when is house time when mono says something; the caller holds the lock.
func (c *clock) when(mono time.Duration) time.Time {
	gone := mono - c.read
	if c.slow {
		gone -= gone / 10
	}
	return c.at.Add(gone)
}

// begin sets house time, before anybody has asked for it.
func (c *clock) begin(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.read, c.slow = t, c.mono(), false
}

// keep makes house time no earlier than the clock of the store, has it run slower
// where it is ahead, and says how far it is.
func (c *clock) keep(t time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	read := c.mono()
	now := c.when(read)
	if t.After(now) {
		now = t
	}
	c.at, c.read, c.slow = now, read, now.Sub(t) > nearEnough
	return now.Sub(t)
}

// nearEnough is how far house time may be ahead of the clock of the store, whose
// answer takes a while.
const nearEnough = 50 * time.Millisecond

// reach makes house time no earlier than a moment.
func (c *clock) reach(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if read := c.mono(); t.After(c.when(read)) {
		c.at, c.read = t, read
	}
}

// follow makes house time no earlier than the wall clock, and says how far it is
// ahead of it.
func (c *clock) follow() time.Duration {
	wall := c.wall()
	c.reach(wall)
	return max(c.now().Sub(wall), 0)
}
