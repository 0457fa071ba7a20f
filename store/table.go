package store

import (
	"context"
	"time"
)

// Tables is the index of tables: what can be asked without reading logs. Append
// writes it together with the log.
type Tables interface {
	// Table is what the index says of one table, or ErrNone.
	Table(ctx context.Context, table string) (Listing, error)

	// Heads says how far each of many tables has got. A table that does not exist
	// is not among them.
	Heads(ctx context.Context, tables []string) (map[string]Head, error)

	// Listed are the tables that are listed for everyone, of one game or, where
	// game is empty, of all; the newest first. before is the Serial of the last one
	// that the caller knows, 0 to begin. Whoever goes on from page to page passes
	// over no table: where a Serial is seen, all smaller ones are there too, also
	// when tables are made at several nodes at the same time.
	Listed(ctx context.Context, game string, before int64, most int) ([]Listing, error)

	// Sitting are the tables at which an account sits and the game goes on: first
	// those where it is their turn, then the last changed first.
	Sitting(ctx context.Context, account string, most int) ([]Listing, error)

	// Played are the tables at which an account sat when the game ended, the
	// newest first; before as in Listed.
	Played(ctx context.Context, account string, before int64, most int) ([]Listing, error)

	// Due are the tables that wanted to be looked at by a time, the earliest first.
	// Asking changes nothing; the Append that follows a look does.
	Due(ctx context.Context, by time.Time, most int) ([]Listing, error)

	// ClaimDue hands out tables that wanted to be looked at by a time, the earliest
	// first, and hides them from everybody who asks so: until the Append after which
	// a table wants to be looked at another time, or else until the claim has run
	// out. now says which claims have run out, until when the new ones will. No two
	// calls get the same table before that. A claim says who is to look, and guards
	// nothing: whoever is late loses by the number of the Append.
	ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]Listing, error)

	// Drop takes a table away with everything that belongs to it, for tables at
	// which nobody ever played. Where the log goes on at another number than next,
	// it is refused by a *Conflict: somebody has come. ErrNone says that there is
	// no such table.
	Drop(ctx context.Context, table string, next int) error
}

// Row is what the index says of a table. The store reads only what it sorts and
// selects by.
type Row struct {
	Game    string    // which game, to list by
	Listed  bool      // for everyone to see
	Over    bool      // the game has ended
	Sitting []string  // who sits at each seat; empty for nobody, a bot, or an account that is deleted
	Turn    uint16    // bit n: seat n is to act
	Wake    time.Time // when somebody must look at the table though nothing happens; zero for never
	About   []byte    // what lists show
	Private []byte    // what no list shows: what is needed to open the log and is no entry
}

// Listing is a table as the index knows it.
type Listing struct {
	ID      string
	Serial  int64 // grows from table to table
	Next    int   // the number at which its log goes on
	Changed time.Time
	Packed  bool
	Row
}

// Head is how far a table has got.
type Head struct {
	Next int // the number at which its log goes on
	Said int // the number of the next line of its chat
}
