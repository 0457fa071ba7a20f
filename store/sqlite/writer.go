package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	driver "modernc.org/sqlite"

	"copse/store"
)

// mostWorks is how much is gathered into one transaction at most.
const mostWorks = 1024

// usualGap is how long after a transaction the next one may begin at the latest; it
// may where the writer has rested for as long as the last one took. Whoever writes
// when nobody else does waits for nothing; where many do, fewer transactions
// carry more of them, and a sync costs as much for one as for ten. A shorter rest
// would be no shorter: a machine that has nothing else to do wakes up once in a
// millisecond.
const usualGap = time.Millisecond

// writer is the one goroutine that writes. Callers put works into its queue and
// wait; it gathers what has come while it was busy, or rested, into one
// transaction.
type writer struct {
	db    *sql.DB // one connection
	tx    *tx
	queue chan *work
	ended chan struct{}
	gap   time.Duration

	gate   sync.RWMutex // held to put something into the queue, and to close it
	closed bool

	batch   int64 // the number of the last transaction
	witness *witness
	pages   *pages

	once   sync.Once
	failed chan struct{} // closed when a sync has failed
	why    error         // to be read after that
}

// work is what one caller wants done in a transaction, with those of others.
type work struct {
	ctx  context.Context
	do   func(*tx) error // an error before anything was written is the caller's alone; after that it undoes everything
	err  error
	done chan struct{}
}

// begin brings the database up to date and starts to write.
func (l location) begin(db, guard *sql.DB) (*writer, error) {
	if err := l.prepare(db, guard); err != nil {
		return nil, err
	}
	w := &writer{db: db, gap: cmp.Or(l.gap, usualGap), queue: make(chan *work, mostWorks), ended: make(chan struct{}), failed: make(chan struct{})}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	w.tx = &tx{conn: conn, stmts: map[string]*sql.Stmt{}, changes: map[string]sqldriver.StmtExecContext{}, heads: map[string]head{}, used: used{of: map[string]*usedOf{}}}
	if err := w.tx.stayed(l.file); err != nil {
		return nil, errors.Join(err, w.tx.close())
	}
	if w.witness, err = l.meet(w.tx); err != nil {
		return nil, errors.Join(err, w.tx.close())
	}
	log := w.tx.beginAnew("TRUNCATE") // after the migrations
	if err = log.err; !unsynced(err) {
		err = nil
		if !log.whole() { // the process before this one may have ended because a sync of it failed
			if err = l.rewrite(l.file + "-wal"); err != nil {
				err = fmt.Errorf("store: %w (%w)", store.ErrFailed, err)
			}
		}
	}
	if err == nil {
		w.pages, err = l.turn(max(log.log, 0), w.fail)
	}
	if err == nil {
		w.tx.free = w.pages.free
	}
	if err != nil {
		return nil, errors.Join(unwritten(err), w.witness.close(), w.tx.close())
	}
	go w.loop()
	return w, nil
}

// prepare brings home what a process that was killed has left in the log file,
// however often that has happened, and brings the database to the last version.
// A full disk, or somebody who reads, may be in the way of the first: that is
// tried again with every transaction that finds no space.
func (l location) prepare(db, guard *sql.DB) error {
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return bad(err)
	}
	mode := ""
	if err = conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		err = unwritten(err)
	} else if mode != "wal" {
		err = fmt.Errorf("store: the file system of %s has no shared memory, which SQLite needs: choose another folder", l.file)
	} else if _, err = l.known(guard, 0); err == nil { // from now on it holds the file
		if c := beginAnew(conn, "TRUNCATE"); unsynced(c.err) {
			err = unwritten(c.err)
		}
	}
	if err := errors.Join(err, conn.Close()); err != nil {
		return err
	}
	if err := migrate(db, migrations, func(version int) error {
		kept := fmt.Sprintf("%s.version-%d", l.file, version)
		return errors.Join(remove(kept), l.backup(ctx, kept))
	}); err != nil {
		return err
	}
	if err := l.syncFolder(filepath.Dir(l.file)); err != nil { // the name of the log file: SQLite does not tell where that fails
		return fmt.Errorf("store: %w (%w)", store.ErrFailed, err)
	}
	return nil
}

// fail notes, for ever, that a sync has failed: what was written before it may
// be lost although it can be read, and so nothing is written any more.
func (w *writer) fail(err error) {
	w.once.Do(func() {
		w.why = fmt.Errorf("store: %w (%w)", store.ErrFailed, err)
		close(w.failed)
	})
}

// failure is nil, or why nothing is written any more.
func (w *writer) failure() error {
	select {
	case <-w.failed:
		return w.why
	default:
		return nil
	}
}

// write has a work done and waits until it is synced, or for ever undone.
func (w *writer) write(ctx context.Context, do func(*tx) error) error {
	x := &work{ctx: ctx, do: do, done: make(chan struct{})}
	w.gate.RLock()
	if w.closed {
		w.gate.RUnlock()
		return store.ErrClosed
	}
	select {
	case w.queue <- x:
		w.gate.RUnlock()
	case <-ctx.Done():
		w.gate.RUnlock()
		return ctx.Err()
	}
	select {
	case <-x.done:
		return x.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loop is the life of the writer.
func (w *writer) loop() {
	defer close(w.ended)
	batch := make([]*work, 0, mostWorks)
	var last time.Time     // when a transaction ended
	var took time.Duration // and how long it took
	for x := range w.queue {
		time.Sleep(min(w.gap, took) - time.Since(last))
		batch = append(batch[:0], x)
	gather:
		for len(batch) < mostWorks {
			select {
			case x, open := <-w.queue:
				if !open {
					break gather
				}
				batch = append(batch, x)
			default:
				break gather
			}
		}
		begun := time.Now()
		w.run(batch)
		last = time.Now()
		took = last.Sub(begun)
		clear(batch)
		if w.failure() == nil {
			if err := w.pages.count(w.tx); err != nil {
				w.fail(err)
			}
		}
	}
}

// run does a batch in one transaction. If one of it spoils the transaction,
// each is done in one of its own, and only the one that cannot be is told so.
// After a failed sync nothing is done at all.
func (w *writer) run(batch []*work) {
	var err error
	if why := w.failure(); why != nil {
		err = fmt.Errorf("%w: %w", store.ErrUnwritten, why)
	} else {
		err = w.fit(batch)
	}
	if err != nil && len(batch) > 1 && !hopeless(err) {
		for i := range batch {
			w.run(batch[i : i+1])
		}
		return
	}
	for _, x := range batch {
		if err != nil {
			x.err = unwritten(err)
			w.tx.full = w.tx.full || errors.Is(x.err, store.ErrFull)
		}
		close(x.done)
	}
}

// fit tries a batch, and once more if the disk is full and the log file gives
// some of its space back.
func (w *writer) fit(batch []*work) error {
	space, broken := w.pages.space(w.tx)
	if broken == nil && !space {
		return fmt.Errorf("%w: %w", store.ErrUnwritten, store.ErrFull)
	}
	if broken == nil {
		err := w.try(batch)
		if !full(err) {
			return w.heed(err)
		}
		if space, broken = w.pages.reclaim(w.tx); broken == nil && !space {
			return err
		}
	}
	if broken == nil {
		return w.heed(w.try(batch))
	}
	w.fail(broken)
	return fmt.Errorf("%w: %w", store.ErrUnwritten, w.why)
}

// heed looks whether what a transaction has met is the end of writing.
func (w *writer) heed(err error) error {
	if unsynced(err) {
		w.fail(err)
	}
	return err
}

// try does a batch in one transaction, all or nothing.
func (w *writer) try(batch []*work) error {
	if err := w.tx.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	wrote := false
	for _, x := range batch {
		if x.err = x.ctx.Err(); x.err != nil {
			continue
		}
		w.tx.wrote = false
		x.err = x.do(w.tx)
		if x.err != nil && (w.tx.wrote || code(x.err) != 0) { // SQLite may have undone everything by itself
			w.tx.rollback()
			return x.err
		}
		wrote = wrote || w.tx.wrote
	}
	if !wrote {
		_ = w.tx.exec("ROLLBACK") // of nothing
		return nil
	}
	return w.commit()
}

// commit ends a transaction: when it returns without an error everything in it
// is on the disk.
func (w *writer) commit() error {
	if err := w.count(); err != nil {
		w.tx.rollback()
		return err
	}
	if err := w.tx.exec("COMMIT"); err != nil {
		w.tx.rollback()
		if unsynced(err) {
			return err
		}
		if unburied := w.bury(); unburied != nil && (half(err) || unsynced(unburied)) {
			if unsynced(unburied) {
				w.fail(unburied)
			}
			return fmt.Errorf("%w (%w)", store.ErrUnknown, err)
		}
		return err
	}
	w.batch++
	w.witness.saw(w.batch)
	w.tx.full = false
	return nil
}

// count gives the transaction the next number. The last one is remembered; where
// that is not so any more, it is read again.
func (w *writer) count() error {
	const add = "UPDATE house SET batch = batch + 1 WHERE one = 1 AND batch = ?"
	n, err := w.tx.change(add, w.batch)
	if err != nil || n == 1 {
		return err
	}
	if err := w.tx.row("SELECT batch FROM house", func(scan scan) error { return scan(&w.batch) }); err != nil {
		return err
	}
	return w.tx.exec(add, w.batch)
}

// bury makes sure that a transaction that could not be ended stays undone. Its
// pages may be in the log file, whole even where only the memory that is shared
// by readers was refused, and after a crash they would count; so another
// transaction is written over them.
func (w *writer) bury() error {
	if err := w.tx.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := w.tx.exec("UPDATE house SET batch = batch + 1 WHERE one = 1")
	if err == nil {
		err = w.tx.exec("COMMIT")
	}
	if err != nil {
		w.tx.rollback()
	}
	return err
}

// stop does what is in the queue, then ends.
func (w *writer) stop() error {
	w.gate.Lock()
	w.closed = true
	close(w.queue)
	w.gate.Unlock()
	<-w.ended
	return w.pages.close()
}

// close lets go of the database, after stop.
func (w *writer) close() error {
	return errors.Join(w.tx.close(), w.db.Close(), w.witness.close())
}

// tx is the transaction that is being written, on the one connection.
type tx struct {
	conn    *sql.Conn
	stmts   map[string]*sql.Stmt                 // that ask
	changes map[string]sqldriver.StmtExecContext // that write
	args    []sqldriver.NamedValue               // of the one that writes now
	heads   map[string]head                      // of tables written to lately, as their rows are
	used    used                                 // likewise
	wrote   bool                                 // something, since it was last set to false
	full    bool                                 // the last thing that was to be written did not fit on the disk
	free    func() int64                         // bytes left on the disk, -1 where that is not known
}

// mostHeads is how many tables are remembered.
const mostHeads = 10_000

func (t *tx) remember(h head) {
	if len(t.heads) >= mostHeads {
		clear(t.heads)
	}
	t.heads[h.id] = h
}

// forget lets a table be read anew.
func (t *tx) forget(table string) {
	delete(t.heads, table)
	t.used.forget(table)
}

func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if stmt, ok := t.stmts[query]; ok {
		return stmt, nil
	}
	stmt, err := t.conn.PrepareContext(context.Background(), query)
	if err == nil {
		t.stmts[query] = stmt
	}
	return stmt, err
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.change(query, args...)
	return err
}

// change is how many rows a statement has changed. It hands the statement to the
// driver itself: package sql takes as long for its part as SQLite does for a row, and
// there is nothing for it to do where one goroutine has one connection.
func (t *tx) change(query string, args ...any) (n int64, err error) {
	err = t.conn.Raw(func(conn any) error {
		stmt, err := t.changing(conn, query)
		if err != nil {
			return err
		}
		t.args = t.args[:0]
		for i, arg := range args {
			value, err := valueOf(arg)
			if err != nil {
				return err
			}
			t.args = append(t.args, sqldriver.NamedValue{Ordinal: i + 1, Value: value})
		}
		result, err := stmt.ExecContext(context.Background(), t.args)
		clear(t.args)
		if err != nil {
			t.wrote = true // who knows
			return err
		}
		n, err = result.RowsAffected()
		t.wrote = t.wrote || n > 0
		return err
	})
	return n, err
}

// changing is a statement that writes, prepared once.
func (t *tx) changing(conn any, query string) (sqldriver.StmtExecContext, error) {
	if stmt, ok := t.changes[query]; ok {
		return stmt, nil
	}
	prepares, ok := conn.(sqldriver.ConnPrepareContext)
	if !ok {
		return nil, errors.New("store: the driver does not prepare statements")
	}
	prepared, err := prepares.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(sqldriver.StmtExecContext)
	if !ok {
		return nil, errors.Join(errors.New("store: the driver does not execute statements"), prepared.Close())
	}
	t.changes[query] = stmt
	return stmt, nil
}

// valueOf is an argument as drivers take it.
func valueOf(arg any) (sqldriver.Value, error) {
	switch arg := arg.(type) {
	case int64, []byte, string:
		return arg, nil
	case int:
		return int64(arg), nil
	}
	return sqldriver.DefaultParameterConverter.ConvertValue(arg)
}

// row asks for one row, or ErrNone.
func (t *tx) row(query string, each func(scan) error, args ...any) error {
	found := false
	err := t.rows(query, func(scan scan) error {
		found = true
		return each(scan)
	}, args...)
	if err == nil && !found {
		return store.ErrNone
	}
	return err
}

func (t *tx) rows(query string, each func(scan) error, args ...any) error {
	stmt, err := t.stmt(query)
	if err != nil {
		return err
	}
	rows, err := stmt.Query(args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return rows.Err()
}

// rollback undoes the transaction. SQLite may have done so by itself, and then
// there is none.
func (t *tx) rollback() {
	clear(t.heads)
	t.used.clear()
	_ = t.exec("ROLLBACK")
}

func (t *tx) close() error {
	var errs []error
	for _, stmt := range t.stmts {
		errs = append(errs, stmt.Close())
	}
	errs = append(errs, t.conn.Raw(func(any) error {
		for _, stmt := range t.changes {
			errs = append(errs, stmt.(sqldriver.Stmt).Close())
		}
		return nil
	}))
	return errors.Join(append(errs, t.conn.Close())...)
}

// written is how many pages the connection has written since it was last asked.
func (t *tx) written() (pages int, err error) {
	err = t.conn.Raw(func(conn any) error {
		status, ok := conn.(driver.DBStatus)
		if !ok {
			return errors.New("store: the driver does not count pages")
		}
		pages, _, err = status.Status(driver.DBStatusCacheWrite, true)
		return err
	})
	return pages, err
}
