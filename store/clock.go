package store

import (
	"context"
	"time"
)

// Clock is a store that knows what time it is, for all nodes of a house alike. A
// store need not be one: where it is, nodes go by it and not by their machines.
type Clock interface {
	// Time is what time it is now.
	Time(ctx context.Context) (time.Time, error)
}
