package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

// Append writes entries and all that comes with them.
func (s *Store) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := kept.Append(&a); err != nil {
		return store.Receipt{}, err
	}
	if err := ctx.Err(); err != nil {
		return store.Receipt{}, err
	}
	for range mostTries {
		w := s.grower
		if a.Next == 0 && a.Row != nil && len(a.Entries) > 0 { // no log goes on at 0
			w = s.maker
		}
		if err := s.enter(); err != nil {
			return store.Receipt{}, err
		}
		lost, err := w.append(ctx, &a)
		s.works.Done()
		if err != nil {
			return store.Receipt{}, named(a.Table, err)
		}
		if !lost {
			return store.Receipt{Next: a.Next + len(a.Entries), Answer: a.Once.Answer}, nil
		}
		if receipt, err := s.why(ctx, &a); !errors.Is(err, errAgain) {
			return receipt, named(a.Table, err)
		}
	}
	return store.Receipt{}, unwritten(errAgain)
}

// why is how an append is answered that was not written: as it was before, or why
// not; errAgain where it could be written now.
func (s *Store) why(ctx context.Context, a *store.Append) (store.Receipt, error) {
	h, list, err := s.look(ctx, a.Table, a.Once)
	if err != nil {
		return store.Receipt{}, err
	}
	if a.Once.Key != "" {
		if receipt, ok, err := list.receipt(h, a.Once); ok || err != nil {
			return receipt, err
		}
	}
	switch {
	case h.packed:
		return store.Receipt{}, store.ErrOver
	case h.next != a.Next:
		return store.Receipt{}, &store.Conflict{Table: a.Table, Asked: a.Next, Next: h.next}
	}
	return store.Receipt{}, errAgain
}

// named says whose log is damaged, where that is not yet said.
func named(table string, err error) error {
	var d *store.Damage
	if errors.As(err, &d) && d.Table == "" {
		d.Table = table
	}
	return err
}

// head is what the row of a table says of its log.
type head struct {
	next    int
	packed  bool
	changed int64
}

// check compares a head with its checksum.
func (h head) check(table string, was int32) error {
	if headSum(table, h.next, h.packed, h.changed) != was {
		return &store.Damage{Table: table, Number: -1, What: "its row in the index does not have its checksum"}
	}
	return nil
}

// known are the keys of a log among which one is looked for.
type known struct {
	keys   []kept.Key   // of a log that goes on
	briefs []kept.Brief // of a packed one
}

func (k *known) receipt(h head, once store.Once) (store.Receipt, bool, error) {
	if h.packed {
		receipt, ok := kept.BriefReceipt(k.briefs, once)
		return receipt, ok, nil
	}
	return kept.Receipt(k.keys, once)
}

// look reads the head of a table, and where a key was used in its log, at one moment.
func (s *Store) look(ctx context.Context, table string, once store.Once) (h head, k known, err error) {
	digest, _ := once.Digest()
	err = s.row(ctx, `SELECT t.next, t.packed, t.changed, t.head, e.number, e.key, e.once, k.keys, k.until, k.sum
		FROM tables t LEFT JOIN entries e ON e.serial = t.serial AND e.key = $2 LEFT JOIN keys k ON k.serial = t.serial WHERE t.id = $1`, func(rows pgx.Rows) error {
		var was int32
		var number, sum *int32
		var key, until *int64
		var beside, list []byte
		if err := rows.Scan(&h.next, &h.packed, &h.changed, &was, &number, &key, &beside, &list, &until, &sum); err != nil {
			return err
		}
		if err := h.check(table, was); err != nil {
			return err
		}
		if number != nil && key != nil {
			one, err := kept.ReadKey(keySum(table, int(*number)), int(*number), *key, beside)
			if err != nil {
				return err
			}
			k.keys = append(k.keys, one)
		}
		if sum != nil && until != nil {
			k.briefs, err = readKeys(table, list, *until, *sum)
		}
		return err
	}, table, digest)
	return h, k, err
}

func keysSum(table string, list []byte, until int64) int32 {
	return int32(kept.Sum(0).Text(table).Bytes(list).Int(until))
}

// readKeys reads a row of "keys".
func readKeys(table string, list []byte, until int64, was int32) ([]kept.Brief, error) {
	briefs, ok := kept.ReadBriefs(list)
	if !ok || keysSum(table, list, until) != was {
		return nil, &store.Damage{Number: -1, What: "the keys of its packed log do not have their checksum"}
	}
	return briefs, nil
}

// Answered looks for a key without writing anything.
func (s *Store) Answered(ctx context.Context, table string, once store.Once) (store.Receipt, bool, error) {
	if !store.ValidID(table) {
		return store.Receipt{}, false, store.ErrID
	}
	h, k, err := s.look(ctx, table, once)
	if errors.Is(err, store.ErrNone) || err == nil && once.Key == "" {
		return store.Receipt{}, false, nil
	}
	if err != nil {
		return store.Receipt{}, false, named(table, err)
	}
	return k.receipt(h, once)
}

// whole is a log as it was read, with its row.
type whole struct {
	head
	log    []store.Entry
	keys   []kept.Key
	about  []byte
	beside []byte
	sum    int32
}

const (
	theHead  = -1 // in place of the number of an entry
	thePack  = -2
	theTable = `WITH t AS MATERIALIZED (SELECT serial, next, packed, changed, head, about, beside, sum FROM tables WHERE id = $1)`
	aPack    = ` UNION ALL SELECT -2, 0, max(p.sum) FILTER (WHERE p.part = 0), string_agg(p.log, '' ORDER BY p.part), 0, true, 0, NULL, 0 FROM t JOIN parts p ON p.serial = t.serial WHERE t.packed HAVING max(p.sum) FILTER (WHERE p.part = 0) IS NOT NULL`
	readLog  = theTable + ` SELECT -1, changed, head, NULL::bytea, next, packed, 0::bigint, NULL::bytea, 0 FROM t` + aPack +
		` UNION ALL (SELECT e.number, e.at, e.sum, e.body, 0, false, 0, NULL, 0 FROM t JOIN entries e ON e.serial = t.serial WHERE e.number >= $2 AND NOT t.packed ORDER BY e.number)`
	readWhole = theTable + ` SELECT -1, changed, head, about, next, packed, 0::bigint, beside, sum FROM t` + aPack +
		` UNION ALL (SELECT e.number, e.at, e.sum, e.body, 0, false, e.key, e.once, 0 FROM t JOIN entries e ON e.serial = t.serial WHERE e.number >= $2 AND NOT t.packed ORDER BY e.number)`
)

// Read is the log from a number on.
func (s *Store) Read(ctx context.Context, table string, from int) ([]store.Entry, error) {
	if !store.ValidID(table) {
		return nil, store.ErrID
	}
	w, err := s.read(ctx, readLog, table, max(from, 0))
	if err != nil {
		return nil, named(table, err)
	}
	return w.log, nil
}

// read is a log from a number on, as it was at one moment, with its keys and its row
// where the query asks for them.
func (s *Store) read(ctx context.Context, query, table string, from int) (w whole, err error) {
	w.log = []store.Entry{}
	var packed []byte
	var packedSum int32
	err = s.row(ctx, query, func(rows pgx.Rows) error {
		var number, next int
		var at, key int64
		var sum, rest int32
		var body, once []byte
		var isPacked bool
		if err := rows.Scan(&number, &at, &sum, &body, &next, &isPacked, &key, &once, &rest); err != nil {
			return err
		}
		switch number {
		case theHead:
			w.head = head{next: next, packed: isPacked, changed: at}
			w.about, w.beside, w.sum = body, once, rest
			if !isPacked {
				w.log = make([]store.Entry, 0, max(0, next-from))
			}
			return w.check(table, sum)
		case thePack:
			packed, packedSum = blob(body), sum
			return nil
		}
		want := from + len(w.log)
		if entrySum(table, number, at, body) != sum {
			return &store.Damage{Number: number, What: "it does not have its checksum"}
		}
		if number != want {
			return &store.Damage{Number: want, What: "it is missing"}
		}
		w.log = append(w.log, store.Entry{Number: number, At: store.Time(at), Body: body})
		if len(once) > 0 || key != 0 {
			k, err := kept.ReadKey(keySum(table, number), number, key, once)
			if err != nil {
				return err
			}
			w.keys = append(w.keys, k)
		}
		return nil
	}, table, from)
	switch {
	case err != nil:
		return whole{}, err
	case w.packed:
		w.log, err = unpack(table, packed, packedSum, w.next, from)
	case from+len(w.log) < w.next:
		err = &store.Damage{Number: from + len(w.log), What: "it is missing"}
	}
	return w, err
}

func packSum(table string, log []byte) int32 { return int32(kept.Sum(0).Text(table).Bytes(log)) }

// largestPart is how many bytes of a packed log lie in one row: eight of them fill a
// page.
const largestPart = 960

// unpack is a packed log from a number on.
func unpack(table string, packed []byte, was int32, next, from int) ([]store.Entry, error) {
	if packed == nil {
		return nil, &store.Damage{Number: -1, What: "its packed log is missing"}
	}
	if packSum(table, packed) != was {
		return nil, &store.Damage{Number: -1, What: "its packed log does not have its checksum"}
	}
	log, err := store.Unpack(packed)
	if err != nil {
		return nil, &store.Damage{Number: -1, What: "its packed log cannot be read", Err: err}
	}
	if len(log) != next {
		return nil, &store.Damage{Number: min(len(log), next), What: "its packed log is not as long as it should be"}
	}
	return log[min(from, len(log)):], nil
}

// packQuery replaces the entries of a log by one value, unless its row has changed
// since it was read. Keys never become many: a few old ones go with each log.
const packQuery = `WITH t AS (
		UPDATE tables SET packed = true, head = $4, about = $5, beside = $6 WHERE id = $1 AND next = $2 AND sum = $3 AND changed = $12 AND NOT packed RETURNING serial
	), e AS (
		DELETE FROM entries USING t WHERE entries.serial = t.serial
	), s AS (
		DELETE FROM snapshots USING t WHERE snapshots.serial = t.serial
	), c AS (
		DELETE FROM claims USING t WHERE claims.serial = t.serial
	), p AS (
		INSERT INTO parts (serial, part, sum, log) SELECT t.serial, p.n - 1, CASE WHEN p.n = 1 THEN $8::int4 ELSE 0 END, p.log FROM t, unnest($7::bytea[]) WITH ORDINALITY AS p (log, n)
	), old AS (
		DELETE FROM keys WHERE serial IN (SELECT serial FROM keys WHERE until < $13 ORDER BY until LIMIT 4 FOR UPDATE SKIP LOCKED) AND EXISTS (SELECT 1 FROM t)
	), k AS (
		INSERT INTO keys (serial, keys, until, sum) SELECT serial, $9, $10, $11 FROM t WHERE $9 <> ''::bytea
	)
	SELECT serial FROM t`

// Pack makes one value of a finished log.
func (s *Store) Pack(ctx context.Context, table string, now time.Time) error {
	if !store.ValidID(table) {
		return store.ErrID
	}
	for range mostTries {
		w, err := s.read(ctx, readWhole, table, 0)
		if err != nil || w.packed {
			return named(table, err)
		}
		packed, err := store.Pack(w.log)
		if err != nil {
			return err
		}
		var briefs []kept.Brief
		for _, k := range w.keys {
			if at := w.log[w.begins(k)].At; !at.Before(store.Time(store.Milli(now.Add(-store.KeepKeys)))) {
				briefs = append(briefs, kept.BriefOf(k))
			}
		}
		list, until := blob(kept.WriteBriefs(briefs)), store.Milli(now.Add(store.KeepKeys))
		done := false
		err = s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
			tag, err := c.Exec(ctx, packQuery, table, w.next, w.sum, headSum(table, w.next, true, w.changed), store.Shrink(w.about), store.Shrink(w.beside),
				slices.Collect(slices.Chunk(packed, largestPart)), packSum(table, packed), list, until, keysSum(table, list, until), w.changed, store.Milli(now))
			done = tag.RowsAffected() > 0
			return err
		})
		if err != nil || done {
			return named(table, err)
		}
	}
	return unwritten(errAgain)
}

// begins is the entry at which the append of a key begins: the keys are in order,
// and each knows the number behind it.
func (w *whole) begins(k kept.Key) int { return min(max(k.Till-1, 0), len(w.log)-1) }
