package postgres

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"copse/store"
	"copse/store/kept"
)

var _ store.Mover = (*Store)(nil)

// House is the name of this database.
func (s *Store) House(ctx context.Context) (string, error) {
	var id []byte
	err := s.row(ctx, "SELECT id FROM house", func(rows pgx.Rows) error { return rows.Scan(&id) })
	return hex.EncodeToString(id), err
}

// Moved is where everything was copied to; empty as long as it was not.
func (s *Store) Moved(ctx context.Context) (to string, err error) {
	err = s.row(ctx, "SELECT moved FROM house", func(rows pgx.Rows) error { return rows.Scan(&to) })
	return to, err
}

// Name is what the database is called, without secrets.
func (s *Store) Name() string { return "PostgreSQL " + s.name }

// ErrNotEmpty refuses to copy into a database in which something is kept.
var ErrNotEmpty = errors.New("store: the database is not empty: copy into a new one")

// state is what can be said of a database, of whatever version, without changing it.
type state struct {
	version        int // 0: there is nothing of Copse in it
	keyed, empty   bool
	moved, filling string
}

// papersSince is the version since which there are papers.
const papersSince = 5

// stateOf asks for it. It refuses a database that this program may not serve.
func stateOf(ctx context.Context, c *pgx.Conn, name string) (is state, err error) {
	if is.version, err = versionOf(ctx, c, name, len(migrations)); err != nil || is.version == 0 {
		is.empty = true
		return is, err
	}
	err = c.QueryRow(ctx, "SELECT h.key <> '', coalesce(to_jsonb(h)->>'moved', ''), coalesce(to_jsonb(h)->>'filling', ''), NOT EXISTS (SELECT 1 FROM people) AND NOT EXISTS (SELECT 1 FROM tables) AND NOT EXISTS (SELECT 1 FROM jobs) FROM house h").
		Scan(&is.keyed, &is.moved, &is.filling, &is.empty)
	if err == nil && is.empty && is.version >= papersSince {
		err = c.QueryRow(ctx, "SELECT NOT EXISTS (SELECT 1 FROM papers)").Scan(&is.empty)
	}
	return is, err
}

// peek connects to a database and asks for its state.
func peek(ctx context.Context, url string) (is state, name string, err error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return is, "", fmt.Errorf("store: the address of the database cannot be read: %w", err)
	}
	prepare(config.ConnConfig, Options{})
	name = nameOf(config.ConnConfig)
	c, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return is, name, bad(err)
	}
	is, err = stateOf(ctx, c, name)
	return is, name, errors.Join(bad(err), c.Close(context.WithoutCancel(ctx)))
}

// Waits tells whether a copy of a database into the one at an address was begun and not
// settled, or whether a house is there already. It changes nothing.
func Waits(ctx context.Context, url, from string) (waits, there bool, err error) {
	is, _, err := peek(ctx, url)
	return is.filling == from && is.moved == "", is.filling == "" && !is.empty, err
}

// movedTo says that everything is served from elsewhere.
func movedTo(to, name string) error {
	return fmt.Errorf("%w to %s: serve it from there; nothing is kept in %s any more", store.ErrMoved, to, name)
}

// fillable refuses a database into which a copy of another may not go.
func (is state) fillable(name, from string) error {
	switch {
	case is.moved != "":
		return movedTo(is.moved, name)
	case is.filling == "" && !is.empty:
		return ErrNotEmpty
	case is.filling != "" && is.filling != from:
		return store.ErrFilling
	}
	return nil
}

// allowed refuses a database that nobody may serve: one that has moved, one that is
// being copied, and one into which something is being copied.
func allowed(ctx context.Context, c *pgx.Conn, name string) error {
	var moved, filling string
	var free bool
	if err := c.QueryRow(ctx, "SELECT moved, filling, pg_try_advisory_xact_lock_shared($1) FROM house", int64(copying)).Scan(&moved, &filling, &free); err != nil {
		return bad(err)
	}
	switch {
	case moved != "":
		return movedTo(moved, name)
	case !free:
		return store.ErrCopied
	case filling != "":
		return store.ErrFilling
	}
	return nil
}

// unserved refuses a database that a node serves.
func unserved(ctx context.Context, c *pgx.Conn) error {
	var id string
	var host []byte
	err := c.QueryRow(ctx, "SELECT id, host FROM nodes WHERE seen >= "+millis+" - $1 ORDER BY begun, id LIMIT 1", nodeUp.Milliseconds()).Scan(&id, &host)
	switch {
	case err == nil:
		return fmt.Errorf("store: a node still serves this house, on %s (%s): stop all nodes first", host, id)
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	}
	return bad(err)
}

// everything are the tables of the schema that nodes write to.
const everything = "people, passes, papers, tables, seats, entries, parts, keys, snapshots, chats, lines, jobs, boxes, boxed, beats, outages, claims, gauges, nodes"

// Hold keeps everybody from writing, from now until it is released, as long as this
// process lives. It refuses where a node serves.
type Hold struct {
	conn *pgxpool.Conn
	tx   pgx.Tx
}

// holdTime is how long to wait for what is just being written.
const holdTime = "10s"

// Hold holds the database.
func (s *Store) Hold(ctx context.Context) (_ *Hold, err error) {
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil, bad(err)
	}
	h := &Hold{conn: conn}
	defer func() {
		if err != nil {
			h.Release()
		}
	}()
	if h.tx, err = conn.Begin(ctx); err != nil {
		return nil, bad(err)
	}
	free := false
	if err := h.tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", int64(copying)).Scan(&free); err != nil {
		return nil, bad(err)
	}
	if !free {
		return nil, store.ErrCopied
	}
	is, err := stateOf(ctx, conn.Conn(), s.name) // it may be another than when it was looked at
	switch {
	case err != nil:
		return nil, bad(err)
	case is.moved != "":
		return nil, movedTo(is.moved, s.name)
	case is.filling != "":
		return nil, store.ErrFilling
	}
	if err := unserved(ctx, conn.Conn()); err != nil {
		return nil, err
	}
	if _, err := h.tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '"+holdTime+"'; LOCK TABLE "+everything+" IN SHARE MODE"); err != nil {
		return nil, fmt.Errorf("store: somebody still writes: stop all nodes first: %w", err)
	}
	return h, nil
}

// Alone keeps every node from starting until it is released, as long as this process
// lives, while this one may write. It refuses where a node serves.
func (s *Store) Alone(ctx context.Context) (release func(), err error) {
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil, bad(err)
	}
	free := false
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(copying)).Scan(&free); err != nil {
		conn.Release()
		return nil, bad(err)
	}
	release = func() {
		if free { // ending the connection lets the lock go, whatever becomes of what is said
			_ = conn.Conn().Close(context.Background())
		}
		conn.Release()
	}
	if !free {
		err = store.ErrCopied
	} else {
		err = unserved(ctx, conn.Conn())
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// refusal is what makes a database that has moved refuse whoever still writes to it,
// such as a node that stood still meanwhile: it is told so, and ends.
const refusal = `CREATE FUNCTION has_moved() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN RAISE EXCEPTION 'this house has moved: it is served from elsewhere' USING ERRCODE = '` + movedAway + `', DETAIL = (SELECT moved FROM ` + schemaName + `.house); END $$;
	DO $$ DECLARE t text; BEGIN
		FOREACH t IN ARRAY string_to_array('` + everything + `', ', ') LOOP
			EXECUTE format('CREATE TRIGGER has_moved BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION has_moved()', t);
		END LOOP;
	END $$`

// hangUp ends the connections of nodes that believe that they serve this database. Who
// connects from then on learns that it has moved, or is half a copy, before it reads
// anything.
const hangUp = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND application_name = '" + servesAs + "'"

// Move marks the database: everything was copied elsewhere, and nobody serves it or
// writes to it any more. It releases the hold.
func (h *Hold) Move(ctx context.Context, to string) error {
	defer h.Release()
	ctx = context.WithoutCancel(ctx) // a commit that is cancelled may be seen, and be lost
	if _, err := h.tx.Exec(ctx, refusal); err != nil {
		return err
	}
	if _, err := h.tx.Exec(ctx, "UPDATE house SET moved = $1", to); err != nil {
		return err
	}
	if err := h.tx.Commit(ctx); err != nil {
		return err
	}
	_, err := h.conn.Exec(ctx, hangUp)
	return err
}

// Release lets everybody write again. It may be called twice.
func (h *Hold) Release() {
	if h.tx != nil {
		_ = h.tx.Rollback(context.Background()) // where it has ended there is nothing to undo
	}
	if h.conn != nil {
		h.conn.Release()
	}
	h.tx, h.conn = nil, nil
}

// Reached is the greatest serial of all tables.
func (s *Store) Reached(ctx context.Context) (serial int64, err error) {
	err = s.row(ctx, "SELECT coalesce(max(serial), 0) FROM tables", func(rows pgx.Rows) error { return rows.Scan(&serial) })
	return serial, err
}

// Pieces is how many pieces there are.
func (s *Store) Pieces(ctx context.Context) (n int, err error) {
	err = s.row(ctx, "SELECT 1 + (SELECT count(*) FROM people) + (SELECT count(*) FROM passes) + (SELECT count(*) FROM papers) + (SELECT count(*) FROM tables) + (SELECT count(*) FROM jobs)", func(rows pgx.Rows) error { return rows.Scan(&n) })
	return n, err
}

// dumped is how many tables or papers are read out at once.
const dumped = 100

// reading is a database that is read out, as it was when that began.
type reading struct {
	ctx  context.Context
	tx   pgx.Tx
	each func(store.Piece) error
}

// Dump reads everything out of one snapshot of the database.
func (s *Store) Dump(ctx context.Context, after int64, each func(store.Piece) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.works.Done()
	tx, err := s.reads.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return bad(err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written
	if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return bad(err)
	}
	d := &reading{ctx: ctx, tx: tx, each: each}
	err = d.people()
	for more := true; err == nil && more; {
		after, more, err = d.tables(after)
	}
	if err == nil {
		err = d.rest()
	}
	return err
}

func (d *reading) rows(query string, each func(pgx.Rows) error, args ...any) error {
	rows, err := d.tx.Query(d.ctx, query, args...)
	if err != nil {
		return bad(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return bad(rows.Err())
}

// hand hands pieces over, and gives an empty list.
func (d *reading) hand(list []store.Piece) ([]store.Piece, error) {
	for _, p := range list {
		if err := d.each(p); err != nil {
			return nil, err
		}
	}
	return list[:0], nil
}

// people reads accounts, passes and papers out.
func (d *reading) people() (err error) {
	var list []store.Piece
	for last := ""; ; {
		if err := d.rows("SELECT "+accountColumns+" FROM people WHERE id > $1 ORDER BY id LIMIT 1000", func(rows pgx.Rows) error {
			p, err := scanAccount(rows)
			list, last = append(list, store.Piece{Account: &p}), p.ID
			return err
		}, last); err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if list, err = d.hand(list); err != nil {
			return err
		}
	}
	for last := int64(0); ; {
		if err := d.rows("SELECT n, "+passColumns+" FROM passes WHERE n > $1 ORDER BY n LIMIT 1000", func(rows pgx.Rows) error {
			p, err := scanPass(numbered{rows, &last})
			list = append(list, store.Piece{Pass: &p})
			return err
		}, last); err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if list, err = d.hand(list); err != nil {
			return err
		}
	}
	for kind, key := "", ""; ; {
		if err := d.rows("SELECT "+paperColumns+" FROM papers WHERE (kind, key) > ($1, $2) ORDER BY kind, key LIMIT $3", func(rows pgx.Rows) error {
			p, err := scanPaper(rows)
			list, kind, key = append(list, store.Piece{Paper: &p}), p.Kind, p.Key
			return err
		}, []byte(kind), []byte(key), dumped); err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		if list, err = d.hand(list); err != nil {
			return err
		}
	}
}

// numbered is a row with a number before what is scanned.
type numbered struct {
	pgx.Rows
	first *int64
}

func (b numbered) Scan(into ...any) error { return b.Rows.Scan(append([]any{b.first}, into...)...) }

// tables reads some tables out, and says how far it has got and whether there may be
// more.
func (d *reading) tables(after int64) (last int64, more bool, err error) {
	var list []*store.Whole
	at := map[int64]*store.Whole{}
	if err := d.rows("SELECT "+listing+" FROM tables t WHERE t.serial > $1 ORDER BY t.serial LIMIT $2", func(rows pgx.Rows) error {
		l, err := scanListing(rows)
		w := &store.Whole{Listing: l}
		list, at[l.Serial] = append(list, w), w
		return err
	}, after, dumped); err != nil || len(list) == 0 {
		return after, false, err
	}
	last = list[len(list)-1].Serial
	for _, read := range []func(map[int64]*store.Whole, int64, int64) error{d.logs, d.packs, d.beside} {
		if err := read(at, after, last); err != nil {
			return last, false, err
		}
	}
	for _, w := range list {
		if err := isWhole(w); err != nil {
			return last, false, named(w.ID, err)
		}
		if err := d.each(store.Piece{Table: w}); err != nil {
			return last, false, err
		}
	}
	return last, true, nil
}

// isWhole compares a log with its length.
func isWhole(w *store.Whole) error {
	log, err := w.Entries()
	if err != nil {
		return &store.Damage{Number: -1, What: "its packed log cannot be read", Err: err}
	}
	for i, e := range log {
		if e.Number != i {
			return &store.Damage{Number: i, What: "it is missing"}
		}
	}
	if len(log) != w.Next {
		return &store.Damage{Number: min(len(log), w.Next), What: "it is missing"}
	}
	return nil
}

func (d *reading) logs(at map[int64]*store.Whole, after, last int64) error {
	return d.rows("SELECT serial, number, at, body, sum, key, once FROM entries WHERE serial > $1 AND serial <= $2 ORDER BY serial, number", func(rows pgx.Rows) error {
		var serial, when, key int64
		var number int
		var was int32
		var body, once []byte
		if err := rows.Scan(&serial, &number, &when, &body, &was, &key, &once); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || w.Packed {
			return &store.Damage{Number: number, What: "it belongs to no table"}
		}
		if entrySum(w.ID, number, when, body) != was {
			return &store.Damage{Table: w.ID, Number: number, What: "it does not have its checksum"}
		}
		w.Log = append(w.Log, store.Entry{Number: number, At: store.Time(when), Body: body})
		k, err := kept.ReadKey(keySum(w.ID, number), number, key, once)
		if err != nil {
			return named(w.ID, err)
		}
		if k.Till > 0 {
			w.Keys = append(w.Keys, store.Key{Number: number, Key: k.Key, Asked: k.Asked, Till: k.Till, Answer: k.Answer})
		}
		return nil
	}, after, last)
}

func (d *reading) packs(at map[int64]*store.Whole, after, last int64) error {
	sums := map[int64]int32{}
	if err := d.rows("SELECT serial, part, log, sum FROM parts WHERE serial > $1 AND serial <= $2 ORDER BY serial, part", func(rows pgx.Rows) error {
		var serial int64
		var part int
		var log []byte
		var sum int32
		if err := rows.Scan(&serial, &part, &log, &sum); err != nil {
			return err
		}
		if w := at[serial]; w != nil {
			w.Pack = append(w.Pack, log...)
		}
		if part == 0 {
			sums[serial] = sum
		}
		return nil
	}, after, last); err != nil {
		return err
	}
	for serial, w := range at {
		if w.Packed && packSum(w.ID, w.Pack) != sums[serial] {
			return &store.Damage{Table: w.ID, Number: -1, What: "its packed log does not have its checksum"}
		}
	}
	return d.rows("SELECT serial, keys, until, sum FROM keys WHERE serial > $1 AND serial <= $2", func(rows pgx.Rows) error {
		var serial, until int64
		var list []byte
		var was int32
		if err := rows.Scan(&serial, &list, &until, &was); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || keysSum(w.ID, list, until) != was {
			return &store.Damage{Number: -1, What: "the keys of a packed log do not have their checksum"}
		}
		w.Brief, w.Until = list, store.Time(until)
		return nil
	}, after, last)
}

// beside reads what is kept beside logs: chat and boxes.
func (d *reading) beside(at map[int64]*store.Whole, after, last int64) error {
	if err := d.rows("SELECT serial, next FROM chats WHERE serial > $1 AND serial <= $2", func(rows pgx.Rows) error {
		var serial int64
		said := 0
		err := rows.Scan(&serial, &said)
		if w := at[serial]; w != nil {
			w.Said = said
		}
		return err
	}, after, last); err != nil {
		return err
	}
	if err := d.rows("SELECT l.serial, t.id, "+lineColumns+" FROM lines l JOIN tables t ON t.serial = l.serial WHERE l.serial > $1 AND l.serial <= $2 ORDER BY l.serial, l.number", func(rows pgx.Rows) error {
		var serial, key int64
		l, err := scanLine(withKey{numbered{rows, &serial}, &key})
		if w := at[serial]; w != nil {
			w.Lines = append(w.Lines, store.KeptLine{ChatLine: l, Key: key})
		}
		return err
	}, after, last); err != nil {
		return err
	}
	return d.rows("SELECT o.serial, o.box, o.sum, b.body FROM boxed o JOIN boxes b ON b.hash = o.box WHERE o.serial > $1 AND o.serial <= $2", func(rows pgx.Rows) error {
		var serial int64
		var was int32
		var hash string
		var box []byte
		if err := rows.Scan(&serial, &hash, &was, &box); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || boxedSum(w.ID, hash) != was || store.BoxHash(box) != hash {
			return &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
		}
		w.Box = blob(box)
		return nil
	}, after, last)
}

// withKey is the row of a line, of which the key is wanted too.
type withKey struct {
	numbered
	key *int64
}

func (k withKey) Scan(into ...any) error {
	err := k.numbered.Scan(into...)
	*k.key = *into[5].(*int64)
	return err
}

// rest reads jobs and the pulse out.
func (d *reading) rest() error {
	var list []store.Piece
	if err := d.rows("SELECT "+jobColumns+" FROM jobs ORDER BY id", func(rows pgx.Rows) error {
		j, err := scanJob(rows)
		list = append(list, store.Piece{Job: &j})
		return err
	}); err != nil {
		return err
	}
	var pulse store.Pulse
	if err := d.rows("SELECT at, away, sum FROM beats", func(rows pgx.Rows) error {
		b, err := scanBeat(rows)
		pulse.At, pulse.Away = store.Time(b.at), time.Duration(b.away)*time.Millisecond
		return err
	}); err != nil {
		return err
	}
	if err := d.rows("SELECT since, until, sum FROM outages ORDER BY since", func(rows pgx.Rows) error {
		o, err := scanOutage(rows)
		pulse.Outages = append(pulse.Outages, store.Outage{From: store.Time(o.since), Until: store.Time(o.until)})
		return err
	}); err != nil {
		return err
	}
	_, err := d.hand(append(list, store.Piece{Pulse: &pulse}))
	return err
}

// fill queues what keeps a piece.
func fill(b *pgx.Batch, p store.Piece) {
	switch {
	case p.Account != nil:
		a := p.Account
		b.Queue("INSERT INTO people ("+accountColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
			a.ID, store.Milli(a.Born), store.Milli(a.Seen), a.Version, accountSum(a), []byte(a.Name), blob(a.Salt), blob(a.More))
	case p.Pass != nil:
		a := p.Pass
		b.Queue("INSERT INTO passes ("+passColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
			a.Digest[:], store.Milli(a.Born), store.Milli(a.Until), store.Milli(a.Used), int32(a.Kind), passSum(a), a.Account, []byte(a.Label))
	case p.Paper != nil:
		a := p.Paper
		b.Queue("INSERT INTO papers (until, version, sum, owner, kind, key, body) VALUES ($1, $2, $3, nullif($4, ''), $5, $6, $7) ON CONFLICT DO NOTHING",
			store.Milli(a.Until), a.Version, paperSum(a), a.Owner, []byte(a.Kind), []byte(a.Key), blob(a.Body))
	case p.Table != nil:
		fillTable(b, p.Table)
	case p.Job != nil:
		j := p.Job
		b.Queue("INSERT INTO jobs ("+jobColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			j.ID, []byte(j.Kind), []byte(j.Name), store.Milli(j.Due), j.Tries, blob(j.Body), jobSum(j))
	case p.Pulse != nil:
		fillPulse(b, p.Pulse)
	}
}

func fillPulse(b *pgx.Batch, p *store.Pulse) {
	b.Queue("DELETE FROM beats")
	b.Queue("DELETE FROM outages")
	if !p.At.IsZero() {
		at, away := store.Milli(p.At), p.Away.Milliseconds()
		b.Queue("INSERT INTO beats (one, at, away, sum) VALUES (1, $1, $2, $3)", at, away, beatSum(at, away))
	}
	for _, o := range p.Outages {
		since, until := store.Milli(o.From), store.Milli(o.Until)
		b.Queue("INSERT INTO outages (since, until, sum) VALUES ($1, $2, $3)", since, until, outageSum(since, until))
	}
}

// fillTable keeps a table, unless there is one of its serial. Everything of a table is
// written at once, so where its row is there the rest is too.
func fillTable(b *pgx.Batch, w *store.Whole) {
	id, serial, changed := w.ID, w.Serial, store.Milli(w.Changed)
	about, beside, game := blob(w.About), blob(w.Private), []byte(w.Game)
	if w.Packed {
		about, beside = store.Shrink(about), store.Shrink(beside)
	}
	b.Queue(`INSERT INTO tables (serial, changed, wake, seated, sat, next, head, born, sum, turn, seats, packed, listed, over, id, game, about, beside)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) ON CONFLICT (serial) DO NOTHING`,
		serial, changed, store.Milli(w.Wake), seated(id, w.Sitting, w.Over), rand.Int64(), w.Next, headSum(id, w.Next, w.Packed, changed),
		withSerial(bornSum(id, game), serial), rowSum(id, &w.Row), int32(w.Turn), len(w.Sitting), w.Packed, w.Listed, w.Over, id, blob(game), about, beside)
	for seat, account := range w.Sitting {
		if account != "" {
			b.Queue("INSERT INTO seats (serial, hash, seat, over, person) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", serial, seatHash(id, seat, account, w.Over), seat, w.Over, account)
		}
	}
	if w.Packed {
		fillPack(b, w)
	} else {
		fillLog(b, w)
	}
	if w.Box != nil {
		hash := store.BoxHash(w.Box)
		b.Queue("INSERT INTO boxes (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING", hash, w.Box)
		b.Queue("INSERT INTO boxed (serial, sum, box) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", serial, boxedSum(id, hash), hash)
	}
	if w.Said > 0 {
		b.Queue("INSERT INTO chats (serial, next) VALUES ($1, $2) ON CONFLICT DO NOTHING", serial, w.Said)
	}
	for i := range w.Lines {
		l := &w.Lines[i]
		b.Queue("INSERT INTO lines (serial, at, key, number, sum, person, body) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			serial, store.Milli(l.At), l.Key, l.Number, lineSum(id, &l.ChatLine, l.Key)^int32(l.Number), l.Account, blob(l.Body))
	}
}

func fillPack(b *pgx.Batch, w *store.Whole) {
	b.Queue(`INSERT INTO parts (serial, part, sum, log) SELECT $1::int8, p.n - 1, CASE WHEN p.n = 1 THEN $3::int4 ELSE 0 END, p.log
		FROM unnest($2::bytea[]) WITH ORDINALITY AS p (log, n) ON CONFLICT DO NOTHING`, w.Serial, slices.Collect(slices.Chunk(w.Pack, largestPart)), packSum(w.ID, w.Pack))
	if len(w.Brief) > 0 {
		until := store.Milli(w.Until)
		b.Queue("INSERT INTO keys (serial, keys, until, sum) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", w.Serial, w.Brief, until, keysSum(w.ID, w.Brief, until))
	}
}

func fillLog(b *pgx.Batch, w *store.Whole) {
	used := map[int]store.Key{}
	for _, k := range w.Keys {
		used[k.Number] = k
	}
	var at, key []int64
	var number, sum []int32
	var body, once [][]byte
	for _, e := range w.Log {
		k := used[e.Number]
		begins := kept.Key{Key: k.Key, Asked: k.Asked, Till: k.Till, Answer: k.Answer}
		at, key, number = append(at, store.Milli(e.At)), append(key, k.Key), append(number, int32(e.Number))
		sum = append(sum, entrySum(w.ID, e.Number, store.Milli(e.At), e.Body))
		body, once = append(body, blob(e.Body)), append(once, begins.Write(keySum(w.ID, e.Number)))
	}
	b.Queue(`INSERT INTO entries (serial, at, key, number, sum, body, once)
		SELECT $1::int8, e.* FROM unnest($2::int8[], $3::int8[], $4::int4[], $5::int4[], $6::bytea[], $7::bytea[]) AS e ON CONFLICT DO NOTHING`, w.Serial, at, key, number, sum, body, once)
}
