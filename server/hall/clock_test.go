package hall

import (
	"testing"
	"time"
)

// hands are a wall clock and a monotonic clock that a test sets.
type hands struct {
	wall time.Time
	mono time.Duration
}

func (h *hands) clock() *clock {
	return newClock(func() time.Time { return h.wall }, func() time.Duration { return h.mono })
}

// pass lets both run.
func (h *hands) pass(d time.Duration) { h.wall, h.mono = h.wall.Add(d), h.mono+d }

func TestHouseTimeAdvancesByTheMonotonicClock(t *testing.T) {
	noon := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	h := &hands{wall: noon, mono: 7 * time.Hour}
	c := h.clock()
	want := func(what string, since time.Duration) {
		t.Helper()
		if got := c.now().Sub(noon); got != since {
			t.Errorf("%s: house time is %v after noon, want %v", what, got, since)
		}
	}
	ahead := func(what string, want time.Duration) {
		t.Helper()
		if got := c.follow(); got != want {
			t.Errorf("%s: it is %v ahead of the wall, want %v", what, got, want)
		}
	}
	want("at first", 0)
	h.pass(time.Minute)
	want("a minute later", time.Minute)
	ahead("a minute later", 0)

	h.wall = h.wall.Add(-2 * time.Hour) // set back
	want("set back", time.Minute)
	ahead("set back", 2*time.Hour)
	want("set back and followed", time.Minute)
	h.pass(time.Minute)
	want("it runs on", 2*time.Minute)

	h.wall = h.wall.Add(3 * time.Hour) // set forward: an hour ahead of the house
	want("set forward, before the next beat", 2*time.Minute)
	ahead("set forward", 0)
	want("set forward, after it", time.Hour+2*time.Minute)

	c.reach(noon) // long ago
	want("reaching back", time.Hour+2*time.Minute)
	c.reach(noon.Add(5 * time.Hour))
	want("reaching on", 5*time.Hour)
	h.pass(time.Second)
	want("and on", 5*time.Hour+time.Second)
}

func TestTheMachinesClockIsAClock(t *testing.T) {
	c := newClock(nil, nil)
	if first := c.now(); c.now().Before(first) || first.IsZero() {
		t.Errorf("it is %v, then %v", first, c.now())
	}
	if c.follow() >= aheadOfWall {
		t.Error("house time is far ahead of the machine's")
	}
}
