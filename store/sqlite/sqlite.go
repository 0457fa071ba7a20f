// Package sqlite keeps everything in one file, by SQLite without C.
//
// One goroutine writes everything over one connection. What many callers want
// written while it syncs is gathered into the next transaction: one sync
// acknowledges them all, and an error of one of them is told to that one. Reads go
// over connections of their own and see what was acknowledged.
//
// SQLite promises that a transaction is whole. Beyond that, every row carries a
// checksum, and a small file beside the database, the witness, knows the last
// transaction that was acknowledged: so a database that has lost its end, because a
// log file was damaged or left behind in copying, is not taken for a good one.
//
// After a failed sync nothing is written any more: Store.Failed tells so, and the
// next start goes on from what is on the disk.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver
	lib "modernc.org/sqlite/lib"

	"copse/store"
)

// Store is a database in a file. It keeps all that package store names.
type Store struct {
	file   string
	reads  *sql.DB
	asks   sync.Map // query → *sql.Stmt, prepared on reads
	writer *writer  // nil in a store opened to be read only
	guard  *sql.DB  // of the files, likewise
	closed atomic.Bool
}

var _ store.Store = (*Store)(nil)

// Open opens the database in a file, makes it where there is none, and brings it to
// the version that this program knows. It refuses a database that is newer, of
// another program, has lost what was acknowledged, or has moved elsewhere.
func Open(file string) (*Store, error) { return open(location{file: file}) }

// Look opens a database to read it, as a backup is read to be checked. It refuses
// to write, and refuses an old version instead of bringing it up to date.
func Look(file string) (*Store, error) {
	p := location{file: file}
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("store: there is no database to read: %w", err)
	}
	reads, err := p.connect(readers, "mode=ro")
	if err != nil {
		return nil, err
	}
	if _, err := p.known(reads, len(migrations)); err != nil {
		return nil, errors.Join(err, reads.Close())
	}
	return &Store{file: file, reads: reads}, nil
}

// location is where a database is and how it is reached.
type location struct {
	file string
	vfs  string                      // what reaches the disk; empty for the one that comes with SQLite
	sync string                      // when to sync; empty for FULL
	full int                         // pages of a full log; 0 for fullLog
	gap  time.Duration               // after a transaction; 0 for the usual, less for none
	free func() int64                // what is left on the disk; nil to ask the system
	harm func(op, file string) error // what becomes of what is done to files without SQLite; nil for nothing
}

// spared is nil, or says why something cannot be done to a file.
func (l location) spared(op, file string) error {
	if l.harm == nil {
		return nil
	}
	return l.harm(op, file)
}

// readers is how many may read at the same time.
const readers = 4

func open(l location) (*Store, error) {
	there := l.there()
	if there[""] == 0 && there["-wal"] > 0 { // which SQLite would delete
		return nil, &store.Damage{Number: -1, What: fmt.Sprintf("the file is not there or empty, but %s-wal is: put back what belongs together", l.file)}
	}
	if err := l.found(); err != nil {
		return nil, err
	}
	if err := l.examine(); err != nil {
		return nil, errors.Join(err, l.leave(there))
	}
	writes, err := l.connect(1, "")
	if err != nil {
		return nil, err
	}
	guard, err := l.connect(1, "mode=ro")
	if err != nil {
		return nil, errors.Join(err, writes.Close())
	}
	w, err := l.begin(writes, guard)
	if err != nil {
		return nil, errors.Join(err, inOrder(guard, errors.Is(err, store.ErrFailed), writes.Close))
	}
	s := &Store{file: l.file, writer: w, guard: guard}
	if s.reads, err = l.connect(readers, "_query_only=1"); err != nil {
		return nil, errors.Join(err, w.stop(), inOrder(guard, false, w.close))
	}
	return s, nil
}

// inOrder closes a database. The connection that is closed last brings all pages
// home and deletes the log file; the guard, which may only read, cannot. So after a
// failed sync the guard goes last, and the files stay as they are.
func inOrder(guard *sql.DB, failed bool, others ...func() error) error {
	var errs []error
	if !failed {
		errs = append(errs, guard.Close())
	}
	for _, other := range others {
		errs = append(errs, other())
	}
	if failed {
		errs = append(errs, guard.Close())
	}
	return errors.Join(errs...)
}

// there are the sizes of the files of a database that exist, by how their names
// end.
func (l location) there() map[string]int64 {
	sizes := map[string]int64{}
	for _, end := range []string{"", "-wal", "-shm"} {
		if about, err := os.Lstat(l.file + end); err == nil {
			sizes[end] = about.Size()
		}
	}
	return sizes
}

// leave removes what was made only to look at a database that is refused: files
// that were not there before, as long as they are empty.
func (l location) leave(before map[string]int64) error {
	var errs []error
	for end, size := range l.there() {
		if _, was := before[end]; !was && (size == 0 || end == "-shm") {
			errs = append(errs, remove(l.file+end))
		}
	}
	return errors.Join(errs...)
}

// found makes an empty file that nobody else may read, where there is none.
func (l location) found() error {
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return fmt.Errorf("store: no folder for the database: %w", err)
	}
	f, err := os.OpenFile(l.file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("store: no database can be made here: %w", err)
	}
	return errors.Join(f.Close(), l.syncFolder(filepath.Dir(l.file)))
}

// patience is how long to wait for others that look at the file, such as a backup.
const patience = 10 * time.Second

// connect makes connections to the database.
func (l location) connect(most int, how string) (*sql.DB, error) {
	q := url.Values{}
	for _, pragma := range []string{
		fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()),
		"synchronous(" + cmp.Or(l.sync, "FULL") + ")",
		"foreign_keys(1)",
		"secure_delete(1)", // a name that goes is overwritten
		"trusted_schema(0)",
		"cell_size_check(1)",
		"cache_size(-8000)",
		"wal_autocheckpoint(0)", // the writer sees to that
	} {
		q.Add("_pragma", pragma)
	}
	if l.vfs != "" {
		q.Set("vfs", l.vfs)
	}
	path, err := filepath.Abs(l.file)
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter
	}
	name := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	if how != "" {
		name.RawQuery += "&" + how
	}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("store: %s cannot be opened: %w", l.file, err)
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// known is the version of a database. It refuses what this program cannot read:
// another program's file, a newer database, and one older than asked for.
func (l location) known(db *sql.DB, least int) (version int, err error) {
	var app, objects int
	for _, ask := range []struct {
		query string
		into  *int
	}{
		{"PRAGMA application_id", &app},
		{"PRAGMA user_version", &version},
		{"SELECT count(*) FROM sqlite_schema", &objects},
	} {
		if err := db.QueryRow(ask.query).Scan(ask.into); err != nil {
			return 0, fmt.Errorf("store: %s cannot be read as a database: %w", l.file, bad(err))
		}
	}
	switch {
	case app != application && (objects > 0 || least > 0):
		return 0, fmt.Errorf("store: %s is a database of another program: give Copse a file of its own", l.file)
	case version > len(migrations):
		return 0, &store.Newer{File: l.file, Has: version, Knows: len(migrations)}
	case version < least:
		return 0, fmt.Errorf("store: %s is of version %d, and only %d can be read: open it once to bring it up to date", l.file, version, least)
	}
	return version, nil
}

// ask is a prepared question to the readers.
func (s *Store) ask(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.asks.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := s.reads.PrepareContext(ctx, query)
	if code(err) == lib.SQLITE_ERROR { // a question that was always understood
		err = &store.Damage{Number: -1, What: "what it says of its own tables is not what was written", Err: err}
	}
	if err != nil {
		return nil, s.late(err)
	}
	if other, there := s.asks.LoadOrStore(query, stmt); there {
		return other.(*sql.Stmt), stmt.Close()
	}
	return stmt, nil
}

// rows asks the readers and hands over each row of the answer.
func (s *Store) rows(ctx context.Context, query string, each func(scan) error, args ...any) error {
	stmt, err := s.ask(ctx, query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return s.late(err)
	}
	for scan := rows.Scan; rows.Next(); {
		if err := each(scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return s.late(rows.Err())
}

// row asks the readers for one row, or ErrNone.
func (s *Store) row(ctx context.Context, query string, each func(scan) error, args ...any) error {
	found := false
	err := s.rows(ctx, query, func(scan scan) error {
		found = true
		return each(scan)
	}, args...)
	if err == nil && !found {
		return store.ErrNone
	}
	return err
}

// late says of an error in reading whether it only means that the store is closed.
func (s *Store) late(err error) error {
	if err != nil && s.closed.Load() {
		return store.ErrClosed
	}
	if code(err)&0xff == lib.SQLITE_IOERR {
		return unread(err)
	}
	return bad(err)
}

type scan = func(into ...any) error

// write has something written and waits until it is synced.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if s.writer == nil {
		return fmt.Errorf("store: %s was opened to be read only", s.file)
	}
	return s.writer.write(ctx, do)
}

// Failed is closed when a sync has failed: from then on nothing is written, and the
// operator must start the store anew. Failure says why.
func (s *Store) Failed() <-chan struct{} {
	if s.writer == nil {
		return nil
	}
	return s.writer.failed
}

// Failure is nil, or why nothing is written any more.
func (s *Store) Failure() error {
	if s.writer == nil {
		return nil
	}
	return s.writer.failure()
}

// Close finishes what was begun and closes the file. After a failed sync it leaves
// the files as they are.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	reads := func() error {
		var errs []error
		s.asks.Range(func(_, stmt any) bool {
			errs = append(errs, stmt.(*sql.Stmt).Close())
			return true
		})
		return errors.Join(append(errs, s.reads.Close())...)
	}
	if s.writer == nil {
		return reads()
	}
	err := s.writer.stop()
	return errors.Join(err, inOrder(s.guard, s.Failure() != nil, s.writer.close, reads))
}

// number is an argument as SQLite has it.
func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// blob is bytes that are never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// page bounds how many rows an answer has.
func page(most int) int64 { return int64(min(max(most, 0), store.MostListed)) }

// application marks a file as Copse's: "CoPS".
const application = 0x436f5053

var applicationPragma = "PRAGMA application_id = " + strconv.Itoa(application)
