package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"copse/store"
)

// TestWhatAnErrorSays: nothing was written only where the database says that the
// statement failed, or where nothing was sent. What it says when it ends a connection
// may come after a commit.
func TestWhatAnErrorSays(t *testing.T) {
	said := func(severity, code string) error {
		return &pgconn.PgError{Severity: "FEHLER", SeverityUnlocalized: severity, Code: code}
	}
	for _, one := range []struct {
		err  error
		want error
	}{
		{said("ERROR", "23514"), store.ErrUnwritten},
		{said("ERROR", diskFull), store.ErrFull},
		{said("ERROR", readOnly), store.ErrUnwritten},
		{said("FATAL", shutDown), store.ErrUnknown},
		{said("PANIC", crashed), store.ErrUnknown},
		{io.ErrUnexpectedEOF, store.ErrUnknown},
		{errDoubt, store.ErrUnknown},
		{&unreached{io.EOF}, store.ErrUnwritten},
		{errAgain, store.ErrUnwritten},
		{store.ErrNone, store.ErrNone},
	} {
		err := unwritten(one.err)
		unknown := one.want == store.ErrUnknown //nolint:errorlint // the same, not alike
		if !errors.Is(err, one.want) || errors.Is(err, store.ErrUnknown) != unknown || unknown && errors.Is(err, store.ErrUnwritten) {
			t.Errorf("%v is told as %v", one.err, err)
		}
	}
	var damage *store.Damage
	if err := unwritten(said("ERROR", harmedData)); !errors.As(err, &damage) {
		t.Errorf("a harmed page is told as %v", err)
	}
}

// TestWhatIsAway: a connection that ends or cannot be made, and a server that is not up;
// what the database says of a statement, and what a caller does, is not.
func TestWhatIsAway(t *testing.T) {
	for _, one := range []struct {
		err  error
		away bool
	}{
		{io.EOF, true},
		{io.ErrUnexpectedEOF, true},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, true},
		{&pgconn.PgError{Severity: "FATAL", Code: starting}, true},
		{&pgconn.PgError{Severity: "FATAL", Code: shutDown}, true},
		{&pgconn.PgError{Severity: "FATAL", Code: tooMany}, true},
		{&pgconn.PgError{Severity: "ERROR", Code: readOnly}, true},
		{&pgconn.PgError{Severity: "ERROR", Code: "42601"}, false},
		{&pgconn.PgError{Severity: "ERROR", Code: harmedData}, false},
		{context.Canceled, false},
		{pgx.ErrNoRows, false},
		{&store.Damage{What: "it is"}, false},
		{nil, false},
	} {
		if err := bad(one.err); errors.Is(err, store.ErrAway) != one.away {
			t.Errorf("%v is told as %v", one.err, err)
		}
	}
	var damage *store.Damage
	if err := bad(&pgconn.PgError{Severity: "ERROR", Code: harmedData}); !errors.As(err, &damage) {
		t.Errorf("a harmed page is told as %v", err)
	}
}
