package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
)

// fullLog is how many pages are written to the log file before they are brought
// home into the database file: 32 MB. The pages of busy tables are written again
// and again, and come home once; and so much is read in a moment at the start.
const fullLog = 8000

// pages brings what was written to the log file home into the database file,
// over a connection of its own and while writing goes on, so that no move waits
// for it. Then little is left, and the writer does that itself between two
// transactions: after it the log file begins anew.
type pages struct {
	db    *sql.DB
	full  chan struct{} // asks for it
	home  chan struct{} // tells that it was done
	ended chan struct{}

	most    int
	written int  // since the log file was last empty
	asked   bool // and not yet told
}

func (p place) turn() (*pages, error) {
	db, err := p.connect(1, "")
	if err != nil {
		return nil, err
	}
	g := &pages{db: db, most: cmp.Or(p.full, fullLog), full: make(chan struct{}, 1), home: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() {
		defer close(g.ended)
		for range g.full {
			_ = g.checkpoint(db.QueryRow) // what cannot be done now is done the next time
			g.home <- struct{}{}
		}
	}()
	return g, nil
}

// count is called by the writer after each transaction.
func (g *pages) count(t *tx) {
	if n, err := t.written(); err == nil {
		g.written += n
	}
	select {
	case <-g.home:
		g.asked = false
		if g.checkpoint(func(query string, args ...any) *sql.Row {
			return t.conn.QueryRowContext(context.Background(), query, args...)
		}) == nil {
			g.written = 0
		} else {
			g.written /= 2 // and so not at once again
		}
	default:
	}
	if g.written >= g.most && !g.asked {
		g.asked = true
		g.full <- struct{}{}
	}
}

// checkpoint brings home what no reader still needs as it was. It never waits.
func (*pages) checkpoint(ask func(query string, args ...any) *sql.Row) error {
	var busy, log, home int
	if err := ask("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &log, &home); err != nil {
		return err
	}
	if busy != 0 || home < log {
		return errors.New("store: somebody still reads")
	}
	return nil
}

func (g *pages) close() error {
	close(g.full)
	<-g.ended
	return g.db.Close()
}
