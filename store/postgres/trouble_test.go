package postgres

import (
	"errors"
	"io"
	"testing"

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
