package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"copse/store"
)

// The codes of PostgreSQL that mean something here.
const (
	noSuchColumn  = "42703" // undefined_column
	noSuchKey     = "23503" // foreign_key_violation
	twice         = "23505" // unique_violation
	serialization = "40001"
	deadlock      = "40P01"
	readOnly      = "25006"
	diskFull      = "53100"
	tooMany       = "53300" // too_many_connections
	cancelled     = "57014"
	shutDown      = "57P01"
	crashed       = "57P02"
	starting      = "57P03"
	harmedData    = "XX001"
	harmedIndex   = "XX002"
	lockTimeout   = "55P03" // lock_not_available
	noRight       = "42501" // insufficient_privilege

	// Those of Copse itself.
	movedAway  = "MV001" // by refusal
	halfCopied = "MV002" // by barrier

	// Those of write_papers.
	paperChanged = "PP001"
	paperUnowned = "PP002"
)

// code is the code of what the database has refused, "" where it did not say.
func code(err error) string {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code
	}
	return ""
}

// refused tells whether the database has said that a statement failed: nothing of it
// was written. What it says when it ends a connection may come after a commit.
func refused(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && (said.SeverityUnlocalized == "ERROR" || said.SeverityUnlocalized == "" && said.Severity == "ERROR")
}

// again tells whether a statement was refused only because of what others did at the
// same time: somebody whom it names was deleted, or it stood in a circle of those who
// wait.
func again(err error) bool {
	switch code(err) {
	case serialization, deadlock, noSuchKey:
		return refused(err)
	}
	return false
}

// cut tells whether an error means that the connection is gone.
func cut(err error) bool {
	switch code(err) {
	case "":
		var damage *store.Damage
		return !errors.As(err, &damage) && !errors.Is(err, context.Canceled) && !errors.Is(err, pgx.ErrNoRows)
	case shutDown, crashed, starting, readOnly:
		return true
	}
	return false
}

// stale tells whether a connection leads to a server that is not the primary any
// more.
func stale(err error) bool { return code(err) == readOnly }

// unreached says that the database could not be reached, so nothing was sent.
type unreached struct{ err error }

func (u *unreached) Error() string { return u.err.Error() }
func (u *unreached) Unwrap() error { return u.err }

// errDoubt says that the database has given up waiting for its standby.
var errDoubt = errors.New("the database has given up waiting for its standby: what was written may be lost when that takes over")

const doubtful = "copse doubt"

// heed is what a connection does with what the server says besides.
var heed pgconn.NoticeHandler = doubt

// doubt takes note that the database has given up waiting for its standby, as it does
// when somebody cancels a statement or ends its connection: it says so by a warning,
// and that all is well.
func doubt(c *pgconn.PgConn, said *pgconn.Notice) {
	if said.Code == cancelled || said.Code == shutDown || strings.Contains(said.Message, "synchronous replication") {
		c.CustomData()[doubtful] = true
	}
}

func doubted(c *pgx.Conn) bool {
	yes, _ := c.PgConn().CustomData()[doubtful].(bool)
	return yes
}

// harmed names damage that the database has met, and leaves other errors as they are.
func harmed(err error) error {
	switch code(err) {
	case harmedData, harmedIndex:
		return &store.Damage{Number: -1, What: "a page of the database is not what was written", Err: err}
	}
	return err
}

// bad does so of an error in reading, and says where the database is away.
func bad(err error) error {
	if away(err) {
		return fmt.Errorf("%w (%w)", store.ErrAway, err)
	}
	return harmed(err)
}

// away tells whether an error means that the database cannot be reached, or ends, or
// is not up yet.
func away(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	switch code(err) {
	case "":
		return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || err != nil && pgconn.SafeToRetry(err)
	case shutDown, crashed, starting, readOnly, tooMany:
		return true
	}
	return errors.As(err, &connect)
}

// unwritten says why nothing was written, or that nobody knows.
func unwritten(err error) error {
	var damage *store.Damage
	var conflict *store.Conflict
	var connect *pgconn.ConnectError
	var far *unreached
	switch {
	case err == nil, errors.As(err, &damage), errors.As(err, &conflict):
		return err
	case errors.Is(err, errStale), errors.Is(err, store.ErrNone), errors.Is(err, store.ErrTaken), errors.Is(err, store.ErrReused), errors.Is(err, store.ErrChanged), errors.Is(err, store.ErrPapers), errors.Is(err, store.ErrUnwritten), errors.Is(err, store.ErrUnknown):
		return err
	case errors.Is(err, errAgain):
		return fmt.Errorf("%w (%w)", store.ErrUnwritten, err)
	case errors.As(err, &connect), errors.As(err, &far):
		return fmt.Errorf("%w: the database cannot be reached (%w)", store.ErrUnwritten, err)
	case pgconn.SafeToRetry(err):
		return fmt.Errorf("%w: the connection to the database is gone (%w)", store.ErrUnwritten, err)
	case code(err) == diskFull && refused(err):
		return fmt.Errorf("%w: %w (%w)", store.ErrUnwritten, store.ErrFull, err)
	case code(err) == movedAway:
		return fmt.Errorf("%w: %w (%w)", store.ErrUnwritten, store.ErrMoved, err)
	case code(err) == halfCopied:
		return fmt.Errorf("%w: %w (%w)", store.ErrUnwritten, store.ErrFilling, err)
	case refused(err):
		if damage := harmed(err); damage != err { //nolint:errorlint // the same, not alike
			return damage
		}
		return fmt.Errorf("%w: the database refused it (%w)", store.ErrUnwritten, err)
	}
	return fmt.Errorf("%w (%w)", store.ErrUnknown, err)
}
