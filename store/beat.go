package store

import (
	"context"
	"time"
)

// Beats keeps when the house was last at work, and when it was away. The beat
// belongs to the house, whichever of its nodes gives it: while one node gives it,
// the house is not away.
type Beats interface {
	// Beat says that the house is at work at a time, and answers with the time of
	// the last beat: this one, or a later one, which it leaves as it is. Where more
	// than gap lies between the last beat and this one, that time is kept as an
	// outage, together with the beat. Before the first beat there is no outage.
	//
	// An outage is kept while there is a table that wants to be looked at
	// (Row.Wake) and was last changed before the end of the outage; others may go.
	// Of more than MostOutages the two earliest become one, with the time between
	// them.
	Beat(ctx context.Context, at time.Time, gap time.Duration) (last time.Time, err error)

	// LastBeat is the time of the last beat, the zero time where there is none.
	LastBeat(ctx context.Context) (time.Time, error)

	// Away is how long the house was away in all, up to the last beat: every outage
	// that there ever was counts, also those that are not kept any more. Before the
	// first beat it was away since anybody was last seen or anything was written, if
	// that is longer than gap. So the time since a moment, less what Away has grown
	// by, is the time during which the house was at work.
	Away(ctx context.Context) (time.Duration, error)

	// Outages are those that ended after a time, the earliest first.
	Outages(ctx context.Context, after time.Time) ([]Outage, error)
}

// Outage is a time between two beats that was too long.
type Outage struct {
	From  time.Time // the last beat before it
	Until time.Time // the first beat after it
}
