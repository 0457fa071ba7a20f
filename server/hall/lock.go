package hall

import "context"

// lock is held by one at a time, and waited for as long as a context lasts: while the
// store takes its time nobody waits for ever. It is full while somebody holds it.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

// hold waits until nobody else holds it. Who gets it must let it go.
func (l lock) hold(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// try gets it where nobody else holds it.
func (l lock) try() bool {
	select {
	case l <- struct{}{}:
		return true
	default:
		return false
	}
}

func (l lock) letGo() { <-l }
