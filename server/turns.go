package server

import (
	"context"
	"math/rand/v2"
	"time"
)

// turn is whose turn it is to do something that one person does once at a time.
type turn struct {
	taken chan struct{} // it has space while nobody does it
	wants int           // who does it or waits, counted under the lock of limits
}

const (
	// turnTime is how long a node that has died keeps others waiting.
	turnTime = 5 * time.Second

	// turnEvery is how often a node asks whether another has done, at least.
	turnEvery = 20 * time.Millisecond
)

// inTurn waits until nobody does something for somebody, at any node: so that what is
// asked before is still so when it is done. Whoever waits longer than a node that has
// died keeps them is told to come again. The caller calls done.
//
// While the store does not count, or a node takes longer than its turn, two nodes may
// do it at the same time.
func (c *call) inTurn(what, who string) (done func(), err error) {
	ctx, end := context.WithTimeout(c.r.Context(), 2*turnTime)
	defer end()
	leave, ok := c.limits.enter(ctx, what+" "+who)
	if !ok {
		return nil, tooOften(turnTime)
	}
	gauges := c.gauges(what)
	if gauges == nil {
		return leave, nil
	}
	name := c.gauge(what, who)
	for {
		wait, err := gauges.Count(ctx, name, c.Hall.Now(), turnTime, turnTime)
		switch {
		case err != nil && ctx.Err() == nil:
			c.uncounted(err)
			return leave, nil
		case err == nil && wait == 0:
			return func() {
				ctx, end := context.WithTimeout(context.WithoutCancel(c.r.Context()), uncountTime)
				defer end()
				if err := gauges.Uncount(ctx, name, turnTime); err != nil {
					c.uncounted(err)
				}
				leave()
			}, nil
		}
		select {
		case <-time.After(min(wait, turnEvery+rand.N(turnEvery))):
		case <-ctx.Done():
			leave()
			return nil, tooOften(turnTime)
		}
	}
}

// enter waits for a turn at this node; not ok where the context ends before.
func (l *limits) enter(ctx context.Context, key string) (leave func(), ok bool) {
	l.mu.Lock()
	t := l.turns[key]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		l.turns[key] = t
	}
	t.wants++
	l.mu.Unlock()
	forget := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if t.wants--; t.wants == 0 {
			delete(l.turns, key)
		}
	}
	select {
	case t.taken <- struct{}{}:
		return func() {
			<-t.taken
			forget()
		}, true
	case <-ctx.Done():
		forget()
		return nil, false
	}
}
