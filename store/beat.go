package store

import (
	"context"
	"time"
)

// Beats keeps when the house was last at work, and when it was away. The beat is
// the house's, whichever of its nodes gives it: as long as one does, it is not away.
type Beats interface {
	// Beat says that the house is at work at a time, and answers with the time of
	// the last beat there is now: this one, or a later one, which it leaves as it
	// is. Where more than gap lies between the last beat and this one, that time
	// is kept as an outage, with the beat or not at all. Before the first beat
	// there is none.
	//
	// An outage is kept as long as a table that wants to be looked at (Row.Wake)
	// was changed last before its end; others may go. Of more than MostOutages
	// the two earliest become one, with the time between them.
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
