package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"copse/store"
)

// code is SQLite's code of an error, 0 where the error is not SQLite's.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// bad names damage that SQLite has met, and leaves other errors as they are.
func bad(err error) error {
	switch c := code(err); {
	case c&0xff == lib.SQLITE_CORRUPT, c&0xff == lib.SQLITE_NOTADB:
		return &store.Damage{Number: -1, What: "a page of the file is not what was written", Err: err}
	case c == lib.SQLITE_IOERR_READ, c == lib.SQLITE_IOERR_SHORT_READ, c == lib.SQLITE_IOERR_CORRUPTFS:
		return unread(err)
	}
	return err
}

func unread(err error) error {
	return &store.Damage{Number: -1, What: "the disk does not give back what was written", Err: err}
}

// hopeless tells whether the disk refuses to be written, so that trying again at
// once is of no use.
func hopeless(err error) bool {
	if errors.Is(err, store.ErrUnwritten) {
		return true
	}
	switch c := code(err); c {
	case lib.SQLITE_IOERR_WRITE, lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC, lib.SQLITE_IOERR_TRUNCATE,
		lib.SQLITE_IOERR_SHMSIZE, lib.SQLITE_IOERR_SHMMAP, lib.SQLITE_IOERR_SHMOPEN:
		return true
	default:
		switch c & 0xff {
		case lib.SQLITE_FULL, lib.SQLITE_BUSY, lib.SQLITE_READONLY, lib.SQLITE_NOMEM, lib.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
}

// unsynced tells whether the disk has failed to sync. What was written since the
// last good sync may then be lost, although it can be read and although a second
// sync would succeed.
func unsynced(err error) bool {
	switch code(err) {
	case lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC:
		return true
	}
	return false
}

// full tells whether the disk is full.
func full(err error) bool { return code(err)&0xff == lib.SQLITE_FULL }

// half tells whether the last page of a transaction that could not be ended may be
// in the log file all the same. Where the disk has refused a page it is not.
func half(err error) bool {
	switch c := code(err); c {
	case lib.SQLITE_IOERR_WRITE:
		return false
	default:
		return c&0xff != lib.SQLITE_FULL && c&0xff != lib.SQLITE_BUSY
	}
}

// unwritten says why nothing was written, or that nobody knows.
func unwritten(err error) error {
	switch c := code(err); {
	case errors.Is(err, store.ErrUnknown), errors.Is(err, store.ErrUnwritten):
		return err
	case unsynced(err):
		return fmt.Errorf("%w: %w (%w)", store.ErrUnknown, store.ErrFailed, err)
	case full(err):
		return fmt.Errorf("%w: %w (%w)", store.ErrUnwritten, store.ErrFull, err)
	case c&0xff == lib.SQLITE_BUSY:
		return fmt.Errorf("%w: another program holds the database: end it (%w)", store.ErrUnwritten, err)
	case bad(err) != err: //nolint:errorlint // the same, not alike
		return bad(err)
	case c != 0:
		return fmt.Errorf("%w: the disk refused it: look at the disk and at the rights of the data folder (%w)", store.ErrUnwritten, err)
	}
	return err
}
