package store

import (
	"context"
	"time"
)

// Papers keeps what else a house knows: small documents that the store does not
// understand, each under its kind and its key. A key exists once, so a paper can also
// hold a name against a second taker.
type Papers interface {
	// Paper is one paper, or ErrNone.
	Paper(ctx context.Context, kind, key string) (Paper, error)

	// Papers are those of a kind in the order of their keys, beginning behind a key;
	// the empty one to begin. With an owner only theirs are meant.
	Papers(ctx context.Context, kind, owner, after string, most int) ([]Paper, error)

	// Write writes all of these papers or none, each under the Version that its
	// writer has read: zero where there is none yet. ErrChanged says that one of
	// them is another by now, ErrNone that an owner is no account.
	Write(ctx context.Context, papers ...Paper) error

	// Overdue are papers whose Until is not later than a time, the earliest first.
	Overdue(ctx context.Context, now time.Time, most int) ([]Paper, error)
}

// Paper is a small document. Whoever writes one gives the Version that was read.
// A paper without a Body is torn up: it is gone, and the next writer begins at
// Version zero again.
type Paper struct {
	Kind    string // 1 to LongestName bytes
	Key     string // 1 to LongestName bytes
	Owner   string // an account, with which the paper goes; empty for the house's own
	Body    []byte // at most LargestExtra bytes
	Until   time.Time
	Version int64 // how often it was written
}
