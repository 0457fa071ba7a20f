// Package postgres keeps everything in a PostgreSQL database, for one node or for
// many that serve one house together.
//
// Nobody owns a table: an Append wins only if its writer has seen the whole log, and
// the database decides that. Each node gathers the appends of many tables into one
// statement, which is one transaction: no node holds a lock while it thinks. What is
// read for a change is read before, and the change is refused by the database where
// it is not so any more.
//
// A statement that writes runs to its end, whoever has given up waiting for it: to
// cancel it would end its wait for a synchronous standby, and what was written would
// be seen, and be lost when that standby takes over. Nothing was written where the
// database says so, or where nothing was sent; otherwise nobody knows.
package postgres

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"copse/store"
)

// Options are how a database is reached.
type Options struct {
	// Key is the key of the house. The database keeps a digest of it, and a node
	// with another key is refused. Nil where none is at hand, as to check a
	// database.
	Key []byte

	// Fill is the name of the database (store.Mover.House) of which a copy is put
	// into this one; empty for none. Nodes are refused until it is settled.
	Fill string

	Readers int // how many may read at the same time; 0 for the usual

	gap      time.Duration // after a batch; 0 for the usual, less for none
	patience time.Duration // how long a reader may hear nothing; 0 for the usual
	closing  time.Duration // how long Close waits; 0 for the usual
	dial     pgconn.DialFunc
}

// Store is a database. It keeps all that package store names.
type Store struct {
	name     string // of the database, without secrets
	reads    *pgxpool.Pool
	writes   *pgxpool.Pool // for all that is no append
	grower   *writer
	maker    *writer
	filler   *filler       // nil where nothing is copied here
	patience time.Duration // how long a reader may hear nothing; 0 for as long as they like
	closing  time.Duration // how long Close waits

	ended   chan struct{}         // closed when the database may not be served any more
	failure atomic.Pointer[error] // then: why not
	ending  sync.Once

	gate   sync.RWMutex // held to begin something, and to close
	closed bool
	works  sync.WaitGroup
}

var _ store.Store = (*Store)(nil)

// How a node behaves.
const (
	usualReaders = 8
	otherWriters = 4       // that write what is no append
	servesAs     = "copse" // what connections of a node are called
	usualPort    = 5432
	connectTime  = 5 * time.Second
	deadLine     = 10 * time.Second // after which a connection on which nothing is acknowledged is given up

	// usualPatience is how long a node waits for an answer to a question, or for the
	// next row of it: a database that hangs is one that cannot be reached. Nobody is
	// so impatient with what is written.
	usualPatience = 5 * time.Second

	// closeTime is how long Close waits for what was begun. What is still being
	// written then is written by the database or not, whether or not this node is
	// there.
	closeTime = usualPatience + 2*time.Second
)

// Open connects to a database (postgres://…), makes what is in it where it is empty,
// and brings it to the version that this program knows. It refuses a database that
// only a newer program may serve, that of a house with another key, and one that has
// moved, is being copied, or into which something is being copied. To fill one, it must
// be empty and served by nobody, or have half of that copy; it is this program's alone
// then, until it is closed.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("store: the address of the database cannot be read: %w", err)
	}
	prepare(config.ConnConfig, o)
	s := &Store{name: nameOf(config.ConnConfig), ended: make(chan struct{})}
	if o.Fill == "" {
		s.patience = cmp.Or(o.patience, usualPatience)
	} else { // what is refused is not even brought up to date
		is, name, err := peek(ctx, url)
		if err == nil {
			err = is.fillable(name, o.Fill)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := migrate(ctx, config.ConnConfig, s.name, migrations, o); err != nil {
		return nil, err
	}
	if o.Fill != "" {
		if s.filler, err = newFiller(ctx, config.ConnConfig, s.name, o, holdTime); err != nil {
			return nil, err
		}
		config.ConnConfig.RuntimeParams["application_name"] = "copse fill"
	} else {
		s.heed(config.ConnConfig)
	}
	if err := s.connect(config, o); err != nil {
		s.filler.close()
		return nil, err
	}
	return s, nil
}

// heed has the store find out that its database may not be served any more: with the
// first thing that the database refuses for that, and whenever it connects anew.
func (s *Store) heed(c *pgx.ConnConfig) {
	usual := c.OnPgError
	c.OnPgError = func(conn *pgconn.PgConn, said *pgconn.PgError) bool {
		switch said.Code {
		case movedAway:
			s.end(movedTo(said.Detail, s.name))
		case halfCopied:
			s.end(store.ErrFilling)
		}
		return usual(conn, said)
	}
	c.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if err := begin(ctx, conn); err != nil {
			return err
		}
		answers, err := conn.Exec(ctx, "SELECT moved, filling FROM house").ReadAll()
		if err == nil && (len(answers) != 1 || len(answers[0].Rows) != 1) {
			err = ErrForeign
		}
		if err != nil {
			return err
		}
		moved, filling := string(answers[0].Rows[0][0]), string(answers[0].Rows[0][1])
		switch {
		case moved != "":
			s.end(movedTo(moved, s.name))
		case filling != "":
			s.end(store.ErrFilling)
		}
		return s.Failure()
	}
}

// end lets nothing more be read or written.
func (s *Store) end(why error) {
	s.ending.Do(func() {
		s.failure.Store(&why)
		close(s.ended)
	})
}

// Failed is closed when the database may not be served any more: it has moved, or a
// copy of another is being put into it. Failure says which.
func (s *Store) Failed() <-chan struct{} { return s.ended }

// Look opens a database to read it: to copy it, to export a game, to see who serves it.
// It changes nothing, and refuses a database that is not of the version that this
// program knows, and half a copy.
func Look(ctx context.Context, url string) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("store: the address of the database cannot be read: %w", err)
	}
	is, name, err := peek(ctx, url)
	switch {
	case err != nil:
		return nil, err
	case is.version < len(migrations):
		return nil, fmt.Errorf("store: the database %s is of version %d, and only %d can be read: start a node of this version once to bring it up to date", name, is.version, len(migrations))
	case is.filling != "":
		return nil, store.ErrFilling
	}
	prepare(config.ConnConfig, Options{})
	config.ConnConfig.RuntimeParams["application_name"] = "copse look"
	s := &Store{name: name, ended: make(chan struct{})}
	return s, s.connect(config, Options{})
}

// nameOf is what a database is called, without secrets.
func nameOf(c *pgx.ConnConfig) string {
	if c.Port != usualPort {
		return fmt.Sprintf("%s at %s, port %d", c.Database, c.Host, c.Port)
	}
	return fmt.Sprintf("%s at %s", c.Database, c.Host)
}

// NameOf is what the database at an address is called, without secrets.
func NameOf(url string) (string, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return "", fmt.Errorf("store: the address of the database cannot be read: %w", err)
	}
	return "PostgreSQL " + nameOf(config.ConnConfig), nil
}

// connect makes the connections of a store.
func (s *Store) connect(config *pgxpool.Config, o Options) (err error) {
	pool := func(most int, set ...string) (*pgxpool.Pool, error) {
		c := config.Copy()
		c.MaxConns, c.MinConns = int32(most), 0
		for i := 0; i < len(set); i += 2 {
			c.ConnConfig.RuntimeParams[set[i]] = set[i+1]
		}
		return pgxpool.NewWithConfig(context.Background(), c)
	}
	if o.Readers == 0 {
		o.Readers = usualReaders
	}
	s.closing = cmp.Or(o.closing, closeTime)
	if s.reads, err = pool(o.Readers, "default_transaction_read_only", "on"); err != nil {
		return err
	}
	if s.writes, err = pool(otherWriters); err != nil {
		s.reads.Close()
		return err
	}
	s.grower = s.begin(config.ConnConfig, o.gap, growing)
	s.maker = s.begin(config.ConnConfig, o.gap, founding)
	return nil
}

// prepare sets what every connection needs, whatever the operator has set for their
// role.
func prepare(c *pgx.ConnConfig, o Options) {
	c.DialFunc = o.dial
	if c.DialFunc == nil {
		dialer := &net.Dialer{
			Timeout:         connectTime,
			KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: deadLine / 2, Interval: deadLine / 4, Count: 2},
			Control:         impatient,
		}
		c.DialFunc = dialer.DialContext
	}
	if c.ConnectTimeout == 0 || c.ConnectTimeout > connectTime {
		c.ConnectTimeout = connectTime
	}
	if c.ValidateConnect == nil { // after a failover the one that was the primary may still be there
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	for set, to := range map[string]string{
		"search_path":                         schemaName,
		"statement_timeout":                   "0", // to cancel a commit is to lose it
		"lock_timeout":                        "0",
		"idle_in_transaction_session_timeout": "60s",
		"default_transaction_isolation":       "read committed",
		"default_transaction_read_only":       "off",
		"application_name":                    servesAs,
		"timezone":                            "UTC",
		"max_parallel_workers_per_gather":     "0", // entries come in order
	} {
		c.RuntimeParams[set] = to
	}
	c.AfterConnect = begin
	c.OnNotice = heed
}

// begin has acknowledged mean synced, on the standby too where there is one, unless
// more is set already. Then it commits something: a server that has crashed shows all
// that it had written, also what its standby never got, and who has seen that would be
// told something else once the standby takes over. Commits reach a standby in their
// order, so after this one nothing is there that it lacks.
func begin(ctx context.Context, c *pgconn.PgConn) error {
	ctx, done := context.WithTimeout(ctx, connectTime) // whoever is cancelled here has written nothing
	defer done()
	_, err := c.Exec(ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')").ReadAll()
	if err == nil {
		_, err = c.Exec(ctx, "SELECT pg_logical_emit_message(true, 'copse', '')").ReadAll() // which nobody hears
	}
	if err == nil && c.CustomData()[doubtful] != nil {
		err = errDoubt
	}
	return err
}

// digestOf is what the database keeps of the house's key.
func digestOf(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("copse: the house of this database"))
	return mac.Sum(nil)
}

// enter begins something that Close waits for.
func (s *Store) enter() error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return store.ErrClosed
	}
	if err := s.Failure(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnwritten, err)
	}
	s.works.Add(1)
	return nil
}

// errSilent says that the database does not answer, though nothing has cut it off.
var errSilent = errors.New("it does not answer")

// rows asks the readers and hands over each row of the answer. Where a connection
// turns out to be gone it asks once more over another. A node does not wait long for
// a database that says nothing: whoever asked is told that it is away.
func (s *Store) rows(ctx context.Context, query string, each func(pgx.Rows) error, args ...any) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.works.Done()
	asking, silent := ctx, (*time.Timer)(nil)
	if s.patience > 0 {
		limited, stop := context.WithCancel(ctx)
		defer stop()
		asking, silent = limited, time.AfterFunc(s.patience, stop)
		defer silent.Stop()
	}
	for again := true; ; again = false {
		begun := false
		err := func() error {
			rows, err := s.reads.Query(asking, query, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				if begun = true; silent != nil {
					silent.Reset(s.patience)
				}
				if err := each(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		}()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case asking.Err() != nil:
			s.reads.Reset() // the others are probably no better
			return fmt.Errorf("%w (%w)", store.ErrAway, errSilent)
		case again && !begun && cut(err):
			s.reads.Reset()
			continue
		}
		return bad(err)
	}
}

// row asks the readers for one row, or ErrNone.
func (s *Store) row(ctx context.Context, query string, each func(pgx.Rows) error, args ...any) error {
	found := false
	err := s.rows(ctx, query, func(rows pgx.Rows) error {
		found = true
		return each(rows)
	}, args...)
	if err == nil && !found {
		return store.ErrNone
	}
	return err
}

// mostTries is how often something is tried that somebody else was quicker at, or
// that was sent over a connection that turned out to be gone.
const mostTries = 50

// errAgain says that what was read before is not so any more.
var errAgain = errors.New("store: others are quicker, again and again: try later")

// write has something done by one statement, or by several that are sent at once,
// and waits until it is synced or refused. It does not end when the caller's context
// does: whoever gives up does not know what was written. do may be called again, if
// nothing was written.
func (s *Store) write(ctx context.Context, do func(context.Context, *pgx.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer s.works.Done()
		done <- s.insist(do)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("%w (%w)", store.ErrUnknown, ctx.Err())
	}
}

func (s *Store) insist(do func(context.Context, *pgx.Conn) error) error {
	var err error
	for range mostTries {
		err = s.once(do)
		var far *unreached
		switch {
		case again(err):
			continue
		case err != nil && !errors.As(err, &far) && pgconn.SafeToRetry(err):
			s.writes.Reset() // the others may be gone too
			continue
		}
		break
	}
	return unwritten(err)
}

// once does something over one of the connections.
func (s *Store) once(do func(context.Context, *pgx.Conn) error) error {
	ctx, done := context.WithTimeout(context.Background(), connectTime)
	c, err := s.writes.Acquire(ctx)
	done()
	if err != nil {
		return &unreached{err}
	}
	defer c.Release()
	err = do(context.Background(), c.Conn())
	if doubted(c.Conn()) {
		return errors.Join(errDoubt, c.Conn().Close(context.Background()))
	}
	if stale(err) {
		return errors.Join(err, c.Conn().Close(context.Background()))
	}
	return err
}

// Failure is nil as long as the database may be served. A PostgreSQL that cannot sync
// ends itself.
func (s *Store) Failure() error {
	if why := s.failure.Load(); why != nil {
		return *why
	}
	return nil
}

// Close finishes what was begun and closes all connections. Where the database hangs
// it leaves them as they are and says so: to end them is to cancel nothing, but nobody
// waits for the answer.
func (s *Store) Close() error {
	s.gate.Lock()
	was := s.closed
	s.closed = true
	s.gate.Unlock()
	if was {
		return nil
	}
	over := time.NewTimer(s.closing)
	defer over.Stop()
	written, ended := make(chan struct{}), make(chan struct{})
	go func() {
		s.works.Wait() // whoever has begun may still put something into a queue
		s.grower.stop()
		s.maker.stop()
		close(written)
		s.reads.Close()
		s.writes.Close()
		s.filler.close()
		close(ended)
	}()
	select {
	case <-written:
	case <-over.C:
		return fmt.Errorf("%w (%w; what it was asked to write last may be written or not)", store.ErrAway, errSilent)
	}
	select {
	case <-ended:
	case <-over.C: // nothing depends on it
	}
	return nil
}

// Backup is not made here: what runs a PostgreSQL backs it up, while everything goes
// on.
func (s *Store) Backup(context.Context, string) error {
	return errors.New("store: a PostgreSQL database is not copied into a file here: use pg_dump, or the base backups and the archive of your server")
}

// blob is bytes that are never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// page bounds how many rows an answer has.
func page(most int) int { return min(max(most, 0), store.MostListed) }
