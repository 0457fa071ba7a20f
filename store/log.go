package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Logs keeps the logs of tables. Entries are numbered from 0 without a gap and
// never change.
type Logs interface {
	// Append writes entries behind the last one. It takes effect at one moment
	// between its call and its answer, and whoever reads after the answer sees
	// it. Where the log goes on at another number, it is refused by a
	// *Conflict; where the log is packed, by ErrOver; where the key was used
	// for something else, by ErrReused; in a packed log ErrOver will do; where
	// only the papers are not as their writer has read them, by ErrPapers. A key
	// that was used for the same before is answered as it was then, and nothing
	// is written, whatever has become of the papers.
	//
	// Any other error means that nothing is acknowledged. ErrUnwritten says
	// that nothing was written either. After ErrUnknown or a cancelled context
	// nobody knows, and whoever must know asks again with the same key.
	Append(ctx context.Context, a Append) (Receipt, error)

	// Read is the log from a number on, to its end; nothing where it ends
	// before. ErrNone says that there is no such table.
	Read(ctx context.Context, table string, from int) ([]Entry, error)

	// Answered tells what an append under this key was answered, and whether
	// there was one, without appending anything. ErrReused as in Append. A
	// table that does not exist has answered nothing.
	Answered(ctx context.Context, table string, once Once) (Receipt, bool, error)

	// Pack makes a finished log as small as it can be. Reading gives the same
	// entries as before; appending is over. Keys are kept as long as KeepKeys says. A
	// packed log may be packed again: nothing happens.
	Pack(ctx context.Context, table string, now time.Time) error
}

// KeepKeys is how long a key is remembered at least. In a log that is not
// packed it is remembered for ever.
const KeepKeys = 24 * time.Hour

// Entry is one entry of a log.
type Entry struct {
	Number int
	At     time.Time // when it was appended, as the appender said
	Body   []byte
}

// Append is what is written at once.
type Append struct {
	Table   string
	Next    int // the number that the first entry is to have; 0 makes the table
	At      time.Time
	Entries [][]byte // none where only the rest is to be written
	Row     *Row     // what lists say of the table from now on; nil leaves that as it is, and makes no table
	Box     []byte   // the box of the table, kept as long as the table is; nil for none, and only with the append that makes it
	Once    Once     // so that it may be sent again
	Jobs    []Job    // to be planned with it
	Papers  []Paper  // to be written with it, each under the Version that was read
}

// Receipt says where a log goes on after an append, which may have happened
// long ago.
type Receipt struct {
	Next     int
	Repeated bool   // the append was there already
	Answer   []byte // as it was given then
}

// Once makes an append harmless to repeat. The zero Once remembers nothing.
type Once struct {
	Who   string // in whose name: the keys of two people never meet
	Key   string // chosen by the client, unlike any other of theirs at this table
	Asked []byte // what was asked; only a digest is kept, to tell a repetition from a mistake

	// After says where to look first: an append that is repeated is not among
	// the entries before this number. A client that says the last entry it saw
	// says the same when it asks again, so it is found where the search begins.
	// A key that was used for something else is found wherever that was. 0 is
	// always right.
	After int

	Answer []byte // to be given to whoever repeats it
}

// Digest is what is kept of a key and of what was asked under it: one number
// names the key within its table, the other the question.
func (o Once) Digest() (key int64, asked uint32) {
	name := binary.AppendUvarint(make([]byte, 0, 128), uint64(len(o.Who)))
	name = append(append(name, o.Who...), o.Key...)
	k, q := sha256.Sum256(name), sha256.Sum256(o.Asked)
	return int64(binary.BigEndian.Uint64(k[:])), binary.BigEndian.Uint32(q[:])
}

// Snapshots is a cache of positions: what is in it may be gone at any time, and
// the log makes it again.
type Snapshots interface {
	// SaveSnapshot replaces the snapshot of a table, unless that has more of the
	// log: of two nodes the one behind changes nothing. What says that it has more
	// than the log counts for nothing. A snapshot without a body takes away what is
	// there, and so does packing the log; another may be saved after that.
	SaveSnapshot(ctx context.Context, table string, s Snapshot) error

	// Snapshot is the one that was saved, unless it is lost or damaged.
	Snapshot(ctx context.Context, table string) (Snapshot, bool, error)
}

// Snapshot is what the entries before a number come to.
type Snapshot struct {
	Next int
	Body []byte
}
