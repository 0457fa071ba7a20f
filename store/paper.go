package store

import (
	"context"
	"fmt"
	"time"
)

// Papers keeps what else a house knows: small documents that the store does not
// understand, each under its kind and its key. There is at most one under a key, so a
// paper can also hold a name against a second taker.
type Papers interface {
	// Paper is one paper, or ErrNone.
	Paper(ctx context.Context, kind, key string) (Paper, error)

	// Papers are those of a kind in the order of their keys, byte by byte, beginning
	// behind a key; the empty one to begin. With an owner only theirs are meant.
	Papers(ctx context.Context, kind, owner, after string, most int) ([]Paper, error)

	// Write writes all of these papers or none, each under the Version that its
	// writer has read: zero where there is none yet. ErrChanged says that one of
	// them is another by now, ErrNone that an owner is no account, ErrPaper that one
	// can never be written. Append and SetAccount write papers in the same way, and
	// say ErrPapers in place of ErrChanged and ErrNone.
	Write(ctx context.Context, papers ...Paper) error

	// Overdue are papers whose Until is not later than a time, the earliest first;
	// those of one time by kind and key. The store does nothing about them.
	Overdue(ctx context.Context, now time.Time, most int) ([]Paper, error)
}

// Paper is a small document. Whoever writes one gives the Version that was read, and
// it is kept under the next one. A paper without a Body is torn up: it is gone, and the
// next writer begins at Version zero again.
type Paper struct {
	Kind    string // 1 to LongestName bytes
	Key     string // likewise
	Owner   string // an account, with which the paper goes; empty for the house's own, which outlive everybody
	Body    []byte // at most LargestExtra bytes
	Until   time.Time
	Version int64 // how often it was written
}

// Name says which paper it is, for messages: a key may hold any bytes.
func (p *Paper) Name() string { return fmt.Sprintf("%q of kind %q", p.Key, p.Kind) }
