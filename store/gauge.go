package store

import (
	"context"
	"time"
)

// Gauges count how often something is done, for limits that hold for a whole house,
// whichever of its nodes is asked. A store for one node need not be one: its server
// counts by itself.
type Gauges interface {
	// Count counts one more under a name, at a time, if it is allowed. A gauge is
	// the time at which everything that was counted will be made up for: each counts
	// for a while, and the gauge never lies further ahead of now than span. Where it
	// would, nothing is counted, and wait is how long it takes until one more is
	// allowed; it is 0 where it was counted. Of any number of calls at the same
	// time, at whichever nodes, no more are counted than that.
	//
	// A gauge that now has passed may be forgotten.
	Count(ctx context.Context, name string, now time.Time, each, span time.Duration) (wait time.Duration, err error)

	// Uncount takes one count back.
	Uncount(ctx context.Context, name string, each time.Duration) error
}
