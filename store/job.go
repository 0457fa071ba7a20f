package store

import (
	"context"
	"time"
)

// Jobs keeps what is to be done later and must not be forgotten, such as packing a
// log. Each job is done at least once.
type Jobs interface {
	// Plan adds jobs, all or none. A job with a name takes the place of the one
	// of its kind with the same name.
	Plan(ctx context.Context, jobs ...Job) error

	// Claim hands out jobs of a kind that are due, the earliest first, and hides
	// them until the time by which they must be finished; after it they are due
	// again. No two claims get the same job before that.
	Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]Job, error)

	// Finish takes a claimed job away; Delay makes it due at another time. ErrNone
	// says that the job was claimed or planned anew since, and is no longer the
	// caller's.
	Finish(ctx context.Context, job Job) error
	Delay(ctx context.Context, job Job, due time.Time) error
}

// Job is something to be done.
type Job struct {
	ID    int64 // given by the store
	Kind  string
	Name  string // within its kind; may be empty
	Due   time.Time
	Tries int // how often it was claimed, this time included
	Body  []byte
}
