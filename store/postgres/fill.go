package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
)

// filler is the one connection over which a copy of another database is put into this
// one. It holds a lock as long as it lasts: so there is never a second one, and whoever
// has lost the connection, and with it the lock, can write nothing more. Whatever else
// writes to half a copy is refused by the database, see barrier.
type filler struct {
	mu   sync.Mutex
	conn *pgx.Conn
	from string // the name of the database of which this is a copy
}

// ErrFilled refuses to copy into a database into which somebody else is copying.
var ErrFilled = errors.New("store: another copse copy or restore is writing into this database: wait until it has ended")

// errSettled says that what is copied does not belong to this copy any more.
var errSettled = fmt.Errorf("%w: this database does not wait for a copy any more: somebody else has finished it", store.ErrUnwritten)

// errServed refuses to copy into a database that was opened to be served.
var errServed = errors.New("store: this database was not opened to be filled")

// barrier makes half a copy refuse whoever is not filling it: a node that has served the
// database while it was empty, or one that looked at it just before it was claimed.
const barrier = `CREATE OR REPLACE FUNCTION is_filling() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN
		IF current_setting('copse.fills', true) IS DISTINCT FROM (SELECT filling FROM ` + schemaName + `.house) THEN
			RAISE EXCEPTION 'a copy into this database is not finished' USING ERRCODE = '` + halfCopied + `';
		END IF;
		RETURN NULL;
	END $$;
	DO $$ DECLARE t text; BEGIN
		FOREACH t IN ARRAY string_to_array('` + everything + `', ', ') LOOP
			EXECUTE format('CREATE OR REPLACE TRIGGER is_filling BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION is_filling()', t);
		END LOOP;
	END $$`

// newFiller takes a database for a copy: one that is empty and that no node serves, or
// one in which half of that copy is already. It waits so long for one that was killed to
// be gone, and for what is just being written.
func newFiller(ctx context.Context, config *pgx.ConnConfig, name string, o Options, patience string) (_ *filler, err error) {
	config = config.Copy()
	config.RuntimeParams["application_name"] = "copse fill"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, bad(err)
	}
	f := &filler{conn: conn, from: o.Fill}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if _, err := conn.Exec(ctx, "SELECT set_config('copse.fills', $1, false), set_config('lock_timeout', $2, false), set_config('idle_in_transaction_session_timeout', '0', false)", o.Fill, patience); err != nil {
		return nil, bad(err)
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(filling)); err != nil {
		if code(err) == lockTimeout {
			return nil, ErrFilled
		}
		return nil, bad(err)
	}
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return f.claim(ctx, tx, name, o) }); err != nil {
		return nil, bad(err)
	}
	_, err = conn.Exec(ctx, "SELECT set_config('lock_timeout', '0', false)")
	if err == nil {
		_, err = conn.Exec(ctx, hangUp)
	}
	return f, bad(err)
}

// claim marks a database as one that is being filled, and gives it the key of the house.
// It changes nothing where it refuses.
func (f *filler) claim(ctx context.Context, tx pgx.Tx, name string, o Options) error {
	free := false
	if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock_shared($1)", int64(copying)).Scan(&free); err != nil {
		return err
	}
	if !free {
		return store.ErrCopied
	}
	if _, err := tx.Exec(ctx, "LOCK TABLE "+everything+" IN SHARE ROW EXCLUSIVE MODE"); err != nil {
		return fmt.Errorf("store: somebody still writes to %s: stop all nodes first: %w", name, err)
	}
	is, err := stateOf(ctx, f.conn, name)
	if err == nil {
		err = is.fillable(name, f.from)
	}
	if err == nil {
		err = unserved(ctx, f.conn)
	}
	if err == nil {
		err = claimHouse(ctx, f.conn, o.Key)
	}
	if err == nil {
		_, err = tx.Exec(ctx, barrier)
	}
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE house SET filling = $1", f.from)
	}
	return err
}

// fills does something to the copy, in one transaction, and waits for it. Like
// everything that writes it runs to its end, whoever has given up waiting.
func (s *Store) fills(ctx context.Context, do func(context.Context, pgx.Tx) error) error {
	if s.filler == nil {
		return errServed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer s.works.Done()
		done <- s.filler.do(do)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *filler) do(do func(context.Context, pgx.Tx) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx := context.Background()
	err := pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error {
		ours := false // whoever settles it waits for this row, or this waits for them
		if err := tx.QueryRow(ctx, "SELECT filling = $1 FROM house FOR SHARE", f.from).Scan(&ours); err != nil {
			return err
		}
		if !ours {
			return errSettled
		}
		return do(ctx, tx)
	})
	if doubted(f.conn) {
		return errors.Join(errDoubt, f.conn.Close(ctx))
	}
	return unwritten(err)
}

// close gives the lock back.
func (f *filler) close() {
	if f == nil || !f.mu.TryLock() { // what still writes ends with the process
		return
	}
	defer f.mu.Unlock()
	ctx, done := context.WithTimeout(context.Background(), time.Second)
	defer done()
	_ = f.conn.Close(ctx) // with it the lock goes
}

// Fill keeps pieces of another store, in one transaction.
func (s *Store) Fill(ctx context.Context, pieces ...store.Piece) error {
	return s.fills(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b := &pgx.Batch{}
		for _, p := range pieces {
			fill(b, p)
		}
		// What is made from now on gets later numbers.
		b.Queue("SELECT setval('serials', greatest((SELECT last_value FROM serials), (SELECT coalesce(max(serial), 0) FROM tables), 1))")
		b.Queue("SELECT setval(pg_get_serial_sequence('jobs', 'id'), greatest((SELECT coalesce(max(id), 0) FROM jobs), 1))")
		return tx.SendBatch(ctx, b).Close()
	})
}

// Clear throws away what was copied here so far.
func (s *Store) Clear(ctx context.Context) error {
	return s.fills(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "TRUNCATE "+everything)
		return err
	})
}

// Settle lets nodes serve what was copied here. Nothing more is copied after that.
func (s *Store) Settle(ctx context.Context) error {
	return s.fills(context.WithoutCancel(ctx), func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "DROP FUNCTION is_filling CASCADE"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE house SET filling = ''")
		return err
	})
}
