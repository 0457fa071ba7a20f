package store

import (
	"errors"
	"fmt"
)

// The errors of a store. They are for programs and operators; what players read is
// made from keys elsewhere.
var (
	ErrNone    = errors.New("store: there is no such thing")
	ErrTaken   = errors.New("store: there is one of that name already: choose another")
	ErrID      = errors.New("store: this cannot be the name of a table or a person: use up to 64 letters, digits, - and _")
	ErrOver    = errors.New("store: the log is packed and takes no more entries: the game is over")
	ErrReused  = errors.New("store: this key was used for another request: choose a new one")
	ErrChanged = errors.New("store: somebody else has changed it since it was read: read it again")
	ErrPaper   = errors.New("store: this is no paper that can be kept: it needs a kind and a key, and stands once among those that are written together")
	ErrPapers  = errors.New("store: somebody else has changed a paper since it was read, or its owner is gone: read the papers again and decide again")
	ErrClosed  = errors.New("store: it is closed: ask again when the server is back")

	// ErrAway is wrapped by errors that say that what keeps everything cannot be
	// reached now. It says nothing of what was written.
	ErrAway = errors.New("store: the database cannot be reached: try again")

	// ErrMoved is wrapped by errors that say that everything was copied elsewhere,
	// and is to be served from there.
	ErrMoved = errors.New("store: this house has moved")

	// ErrFilling is wrapped by errors that say that a copy of another store into this
	// one is not finished.
	ErrFilling = errors.New("store: a copy into this database is not finished: run copse copy or copse restore again as before, or drop the database")

	// ErrCopied is wrapped by errors that say that this store is being copied, or its
	// key changed.
	ErrCopied = errors.New("store: this house is being copied elsewhere, or its key is being changed: wait until copse copy or copse key rotate has ended")

	// ErrUnwritten is wrapped by errors that say that nothing was written, because
	// the disk refused it.
	ErrUnwritten = errors.New("store: nothing was written")

	// ErrFull is wrapped besides where the disk is full.
	ErrFull = errors.New("the disk is full: make room, and appends go on by themselves")

	// ErrUnknown is wrapped by errors that say that nobody knows whether something
	// was written: nobody reads it now, but it may be there at the next start.
	ErrUnknown = errors.New("store: nobody knows whether it was written: ask again under the same key")

	// ErrFailed is wrapped besides where a sync has failed, and by the error of
	// every write after that.
	ErrFailed = errors.New("the disk has failed to sync: nothing more is written until the server is started anew; check the disk")
)

// Conflict refuses an append: somebody else was first, or the caller has not heard
// everything.
type Conflict struct {
	Table string
	Asked int // the number that was expected
	Next  int // the number at which the log goes on
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("store: the log of table %s goes on at %d, not at %d: read from there and decide again", c.Table, c.Next, c.Asked)
}

// TooLarge refuses what is beyond the limits.
type TooLarge struct {
	What string
	Size int
	Most int
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("store: %s: %d is more than %d", e.What, e.Size, e.Most)
}

// Damage says that what is kept is not what was written.
type Damage struct {
	Table  string // whose log or row; empty where none can be named
	Number int    // the entry, -1 where none can be named
	What   string // what is wrong with it
	Err    error  // what was met, where something was
}

func (d *Damage) Error() string {
	where := "the database"
	switch {
	case d.Table != "" && d.Number >= 0:
		where = fmt.Sprintf("entry %d of table %s", d.Number, d.Table)
	case d.Table != "":
		where = "table " + d.Table
	}
	s := fmt.Sprintf("store: %s is damaged: %s", where, d.What)
	if d.Err != nil {
		s += " (" + d.Err.Error() + ")"
	}
	return s + "; keep a copy of the data folder, check the disk, and restore the last backup"
}

func (d *Damage) Unwrap() error { return d.Err }

// Newer refuses a database that a later Copse has written.
type Newer struct {
	File  string
	Has   int // the version of the database
	Knows int // the last one this program knows
}

func (e *Newer) Error() string {
	return fmt.Sprintf("store: %s was written by a newer Copse (database version %d, this one knows %d): start the newer one, or restore a backup from before the upgrade", e.File, e.Has, e.Knows)
}
