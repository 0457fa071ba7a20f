// Package store says what Copse keeps, and what every store promises. It knows no
// game and no table: a log is a row of numbered entries, an entry is bytes, and
// what lists of tables show is written beside it.
//
// The promises, which storetest holds every adapter to:
//
//   - A log is written by Append alone, under the number that its writer
//     expects to be next. A second writer loses and is told the number.
//   - Acknowledged means synced: what a call has answered survives the death of
//     the process and of the machine. What it refused is not there. Where a
//     sync has failed nobody can say so: ErrUnknown tells that, and Failure
//     that nothing more is written.
//   - All that an Append carries (entries, row, key, jobs, papers) is written, or
//     nothing of it.
//   - Damage is found when it is read and named, never served as good.
//   - A store has no clock: whoever asks says what time it is. Times are kept to
//     the millisecond, and the zero time stays zero.
//
// What only a store for many nodes needs stands apart: it may know the time (Clock)
// and count for the whole house (Gauges).
//
// The interfaces are small and stand side by side, so that each part of the
// server asks for what it needs. The adapter for one node is store/sqlite, the one for
// many nodes that share a database is store/postgres.
package store

import "context"

// Limits of what is kept. Beyond them a call is refused by a *TooLarge; a
// server that checks its input never meets one.
const (
	LongestID       = 64      // bytes of the name of a table or an account
	LargestEntry    = 1 << 18 // bytes of an entry, so that a box of one's own fits
	MostEntries     = 1000    // entries of one append
	LongestLog      = 50_000  // entries of a log
	MostSeats       = 16      // seats at a table
	LargestExtra    = 1 << 16 // bytes of each thing that is kept besides a log or a name
	LargestAnswer   = 1 << 10 // bytes of the answer kept under a key
	LargestSnapshot = 1 << 20 // bytes of a snapshot
	LargestLine     = 1 << 12 // bytes of a line of chat
	LargestJob      = 1 << 14 // bytes of what a job says
	LargestBox      = 1 << 17 // bytes of a box
	LongestName     = 256     // bytes of an account's name, a label, a kind of job, a kind or a key of a paper
	MostLines       = 1000    // lines of chat kept at a table: the oldest go
	MostPasses      = 100     // passes of one kind that an account holds: the oldest go
	MostListed      = 1000    // rows that one question is answered with
	MostPapers      = 16      // papers that are written at once
	MostOutages     = 200     // outages kept: of more the earliest are taken together
)

// ValidID tells whether a text may name a table or an account: 1 to LongestID letters
// and digits of ASCII, - and _, so that it needs no quoting anywhere. Any other is
// refused with ErrID.
func ValidID(id string) bool {
	for _, c := range []byte(id) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return len(id) >= 1 && len(id) <= LongestID
}

// Store is everything that an adapter must keep.
type Store interface {
	Logs
	Snapshots
	Tables
	People
	Passes
	Chat
	Jobs
	Boxes
	Beats
	Papers
	Keeper
}

// Keeper is for whoever runs a store.
type Keeper interface {
	// Check reads everything and compares it with its checksums. The error names
	// every damage found, each a *Damage, as far as anything is left to read.
	Check(ctx context.Context) (Checked, error)

	// Backup writes a whole and consistent copy to a file that does not exist yet,
	// while everything goes on. The copy is synced when it returns. A store that is
	// no file may refuse, and say how it is backed up.
	Backup(ctx context.Context, file string) error

	// Failure is nil as long as something can be written. Once a sync has failed it
	// says so for ever, wrapping ErrFailed: what the disk was given since the last
	// good sync may be lost although it can be read, so nothing is written on top
	// of it. The next start goes on from what is on the disk. Where others share the
	// store it may wrap ErrMoved or ErrFilling instead: it is not served from here any
	// more, or not yet, and nothing is read either.
	Failure() error

	// Close finishes what was begun, refuses the rest with ErrClosed, and closes
	// everything.
	Close() error
}

// Checked is how much Check has read.
type Checked struct {
	Tables  int
	Entries int // in logs and in packed logs
	Packed  int // logs that are packed
	People  int
}
