package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"copse/store"
)

const (
	mostWorks  = 1024    // appends that are gathered into one statement at most
	mostBytes  = 8 << 20 // bytes of their entries, but one append may have more
	mostQueued = 4 * mostWorks

	// usualGap is how long after a batch the next one may begin. Whoever writes when
	// nobody else does waits for nothing; where many do, fewer statements carry more.
	usualGap = 2 * time.Millisecond

	// idle is after how long without a batch a connection is looked at before it is
	// used.
	idle = time.Second

	// unreachedGap is how long a writer rests after it could not reach the database.
	unreachedGap = 100 * time.Millisecond
)

// kind is what a writer does.
type kind int

const (
	growing  kind = iota // logs that there are
	founding             // tables that are new
)

// writer is one of the two goroutines of a node that append, each over a connection
// of its own. Callers put works into its queue and wait; it gathers what has come
// while it was busy, or rested, into one statement.
type writer struct {
	kind   kind
	config *pgx.ConnConfig
	conn   *pgx.Conn // nil where there is none now
	used   used
	queue  chan *work
	ended  chan struct{}
	gap    time.Duration
	sent   time.Time // when something was last sent
	stmts  int       // statements sent, for tests
}

// work is an append of one caller.
type work struct {
	ctx  context.Context
	a    *store.Append
	lost bool  // it was not written: the log is not as its writer believed
	err  error // why it was not written, or may not have been
	done chan struct{}
}

func (s *Store) begin(config *pgx.ConnConfig, gap time.Duration, kind kind) *writer {
	config = config.Copy()
	for set, to := range map[string]string{
		// The plan is made once, whatever there is in the database then. It goes from
		// the batch to the rows, by their indices: so rows are locked in the order of
		// the batch, which is the same at every node, and no two wait for each other.
		// What is looked up counts for little, what is gone through for much.
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_mergejoin": "off", "enable_bitmapscan": "off", "random_page_cost": "0", "cpu_operator_cost": "0.00001", "jit": "off",
	} {
		config.RuntimeParams[set] = to
	}
	w := &writer{kind: kind, config: config, gap: cmp.Or(gap, usualGap), queue: make(chan *work, mostQueued), ended: make(chan struct{}), used: used{of: map[string]*usedOf{}}}
	go w.loop()
	return w
}

// append has an append written and waits until it is synced or lost.
func (w *writer) append(ctx context.Context, a *store.Append) (lost bool, err error) {
	x := &work{ctx: ctx, a: a, done: make(chan struct{})}
	select {
	case w.queue <- x:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	select {
	case <-x.done:
		return x.lost, x.err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// stop does what is in the queue, then ends. Nobody puts anything in any more.
func (w *writer) stop() {
	close(w.queue)
	<-w.ended
}

// loop is the life of a writer.
func (w *writer) loop() {
	defer close(w.ended)
	var waiting []*work
	var last time.Time // when a batch ended
	for open := true; open || len(waiting) > 0; {
		if len(waiting) == 0 {
			x, more := <-w.queue
			if !more {
				break
			}
			waiting = append(waiting, x)
		}
		time.Sleep(w.gap - time.Since(last))
	gather:
		for open && len(waiting) < mostQueued {
			select {
			case x, more := <-w.queue:
				if !more {
					open = false
					break gather
				}
				waiting = append(waiting, x)
			default:
				break gather
			}
		}
		var batch []*work
		batch, waiting = choose(waiting)
		w.run(batch)
		last = time.Now()
	}
	w.drop()
}

// choose is what goes into the next batch, and what waits: of each table the first,
// as a statement sees nothing of what it does itself; likewise of jobs with the same
// name. An append with papers is a batch by itself, as papers that have changed undo
// their statement. The batch is in the order of its tables.
func choose(waiting []*work) (batch, later []*work) {
	if len(waiting[0].a.Papers) > 0 {
		return waiting[:1:1], waiting[1:]
	}
	tables, jobs, size := map[string]bool{}, map[string]bool{}, 0
	for i, x := range waiting {
		if len(batch) == mostWorks || size > mostBytes {
			later = append(later, waiting[i:]...)
			break
		}
		fits := !tables[x.a.Table] && len(x.a.Papers) == 0
		tables[x.a.Table] = true // others of this table wait for it, whatever becomes of it
		for _, j := range x.a.Jobs {
			fits = fits && (j.Name == "" || !jobs[j.Kind+"\x00"+j.Name])
		}
		if !fits {
			later = append(later, x)
			continue
		}
		for _, j := range x.a.Jobs {
			jobs[j.Kind+"\x00"+j.Name] = true
		}
		for _, e := range x.a.Entries {
			size += len(e)
		}
		batch = append(batch, x)
	}
	slices.SortFunc(batch, func(x, y *work) int { return strings.Compare(x.a.Table, y.a.Table) })
	return batch, later
}

// run writes a batch. If the database refuses it because of one of them, each is
// written by itself, and only the one that cannot be is told so.
func (w *writer) run(batch []*work) {
	batch = slices.DeleteFunc(batch, func(x *work) bool {
		if x.err = x.ctx.Err(); x.err != nil {
			close(x.done)
		}
		return x.err != nil
	})
	if len(batch) == 0 {
		return
	}
	err := w.insist(batch)
	if len(batch) > 1 && refused(err) && !stale(err) && code(err) != diskFull {
		for i := range batch {
			w.run(batch[i : i+1 : i+1])
		}
		return
	}
	for _, x := range batch {
		if err != nil {
			x.err = unwritten(beside(err))
		}
		close(x.done)
	}
}

// insist tries a batch until it is written or refused for good. It is sent again
// only where nothing was written.
func (w *writer) insist(batch []*work) error {
	var err error
	for range mostTries {
		if err = w.try(batch); err == nil || unpapered(err) {
			return err
		}
		w.used.clear()
		var far *unreached
		switch {
		case again(err):
			continue
		case errors.As(err, &far):
			time.Sleep(unreachedGap)
			return err
		}
		w.drop() // whatever it was, the next batch begins with a connection that is known to be good
		if !pgconn.SafeToRetry(err) {
			return err
		}
	}
	return err
}

// drop closes the connection.
func (w *writer) drop() {
	if w.conn != nil {
		ctx, done := context.WithTimeout(context.Background(), time.Second)
		defer done()
		_ = w.conn.Close(ctx) // it is gone anyway
		w.conn = nil
	}
}

// ping asks whether the connection is still there.
func (w *writer) ping() error {
	ctx, done := context.WithTimeout(context.Background(), connectTime)
	defer done()
	return w.conn.Ping(ctx)
}

// try sends a batch.
func (w *writer) try(batch []*work) error {
	if w.conn != nil && time.Since(w.sent) > idle && w.ping() != nil {
		w.drop() // the server has closed it meanwhile: then nothing need be unknown
	}
	w.sent = time.Now()
	if w.conn == nil {
		conn, err := pgx.ConnectConfig(context.Background(), w.config)
		if err != nil {
			return &unreached{err}
		}
		w.conn = conn
	}
	var b sheet
	query, sent := foundQuery, batch
	if w.kind == growing {
		query = growQuery
		sent = make([]*work, 0, len(batch))
		for _, x := range batch {
			x.lost = true
			if k := w.used.of[x.a.Table]; k != nil && x.a.Once.Key != "" && k.has(x.a.Once) {
				continue // a repetition, or a mistake: whoever has sent it looks which
			}
			sent = append(sent, x)
		}
		if len(sent) == 0 {
			return nil
		}
	}
	for _, x := range sent {
		x.lost = true
		b.add(x.a, w.used.of[x.a.Table])
	}
	args := b.args(w.kind)
	if papers := sent[0].a.Papers; len(papers) > 0 {
		query, args = withPapers[w.kind], append(args, paperArgs(papers)...)
	}
	w.stmts++
	rows, err := w.conn.Query(context.Background(), query, args...)
	if err != nil {
		return err
	}
	type won struct {
		n      int
		serial int64
		keys   []int64
	}
	var list []won
	for rows.Next() {
		var one won
		if err := rows.Scan(&one.n, &one.serial, &one.keys); err != nil {
			rows.Close()
			return errors.Join(store.ErrUnknown, err)
		}
		list = append(list, one)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if doubted(w.conn) {
		return errDoubt
	}
	for _, one := range list {
		x := sent[one.n-1]
		x.lost = false
		if w.kind == growing {
			w.used.learn(x.a, one.serial, one.keys)
		}
	}
	if w.kind == growing {
		for _, x := range sent {
			if x.lost { // the log is not as it was remembered, or gone
				w.used.forget(x.a.Table)
			}
		}
	}
	return nil
}
