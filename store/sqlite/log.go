package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"copse/store"
	"copse/store/kept"
)

// Append writes entries and all that comes with them.
func (s *Store) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := kept.Append(&a); err != nil {
		return store.Receipt{}, err
	}
	var receipt store.Receipt
	err := s.write(ctx, func(t *tx) (err error) {
		receipt, err = t.append(&a)
		return err
	})
	if err != nil {
		return store.Receipt{}, named(a.Table, err)
	}
	return receipt, nil
}

// named says whose log is damaged, where that is not yet said.
func named(table string, err error) error {
	var d *store.Damage
	if errors.As(err, &d) && d.Table == "" {
		d.Table = table
	}
	return err
}

// append writes what a caller wants appended. What it remembers of the table it
// believes only as long as the row agrees; nothing is refused from memory.
func (t *tx) append(a *store.Append) (store.Receipt, error) {
	if h, ok := t.heads[a.Table]; ok {
		receipt, err := t.appendTo(h, a)
		if err == nil || t.wrote {
			return receipt, err
		}
		delete(t.heads, a.Table)
	}
	h, err := t.head(a.Table)
	if errors.Is(err, store.ErrNone) && a.Next == 0 && a.Row != nil && len(a.Entries) > 0 {
		if err := t.papersAre(a.Papers); err != nil {
			return store.Receipt{}, beside(err)
		}
		h, err = t.found(a.Table, a.Row.Game)
	}
	if err != nil {
		return store.Receipt{}, err
	}
	return t.appendTo(h, a)
}

func (t *tx) appendTo(h head, a *store.Append) (store.Receipt, error) {
	var k kept.Key
	if a.Once.Key != "" {
		k.Key, k.Asked = a.Once.Digest()
		if receipt, ok, err := t.answered(h, a.Once, k.Key); ok || err != nil {
			return receipt, err
		}
	}
	if h.packed {
		return store.Receipt{}, store.ErrOver
	}
	if h.next != a.Next {
		return store.Receipt{}, &store.Conflict{Table: a.Table, Asked: a.Next, Next: h.next}
	}
	if err := t.papersAre(a.Papers); err != nil {
		return store.Receipt{}, beside(err)
	}
	if a.Box != nil && a.Next == 0 {
		if err := t.keepBox(h.serial, a.Box); err != nil {
			return store.Receipt{}, err
		}
	}
	h.next, h.changed = a.Next+len(a.Entries), store.Milli(a.At)
	if err := t.settle(&h, a.Row); err != nil {
		return store.Receipt{}, err
	}
	for i, body := range a.Entries {
		e := entry{number: a.Next + i, at: h.changed, body: body}
		var begins kept.Key
		if i == 0 && a.Once.Key != "" {
			k.Till, k.Answer = h.next, a.Once.Answer
			begins = k
		}
		if err := t.exec("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
			h.serial, e.number, e.at, blob(e.body), int64(e.sum(h.serial)), begins.Key, begins.Write(keySum(h.serial, e.number))); err != nil {
			return store.Receipt{}, err
		}
	}
	for _, job := range a.Jobs {
		if err := t.plan(job); err != nil {
			return store.Receipt{}, err
		}
	}
	if err := t.writePapers(a.Papers); err != nil {
		return store.Receipt{}, err
	}
	t.remember(h)
	t.learn(h, a.Next, k)
	return store.Receipt{Next: h.next, Answer: a.Once.Answer}, nil
}

// entry is a row of "entries", without its key.
type entry struct {
	number int
	at     int64
	body   []byte
}

func (e *entry) sum(serial int64) kept.Sum {
	return kept.Sum(0).Int(serial).Int(int64(e.number)).Int(e.at).Bytes(e.body)
}

// answered looks for a key in a log. A key that is new is known to be so without
// looking.
func (t *tx) answered(h head, once store.Once, digest int64) (store.Receipt, bool, error) {
	if !h.packed {
		if known, err := t.knows(h, digest); err != nil || !known {
			return store.Receipt{}, false, err
		}
	}
	return answered(h, once, func(query string, each func(scan) error, args ...any) error { return t.rows(query, each, args...) })
}

// Answered looks for a key without writing anything.
func (s *Store) Answered(ctx context.Context, table string, once store.Once) (store.Receipt, bool, error) {
	if !store.ValidID(table) {
		return store.Receipt{}, false, store.ErrID
	}
	rows := func(query string, each func(scan) error, args ...any) error { return s.rows(ctx, query, each, args...) }
	for {
		h, err := readHead(rows, table)
		if errors.Is(err, store.ErrNone) || err == nil && once.Key == "" {
			return store.Receipt{}, false, nil
		}
		if err != nil {
			return store.Receipt{}, false, named(table, err)
		}
		receipt, ok, err := answered(h, once, rows)
		if ok || err != nil || h.packed {
			return receipt, ok, named(table, err)
		}
		// The log may have been packed between the two questions.
		now, err := readHead(rows, table)
		if err != nil || now.packed == h.packed {
			if errors.Is(err, store.ErrNone) {
				err = nil
			}
			return store.Receipt{}, false, named(table, err)
		}
	}
}

// asker asks for rows, in a transaction or outside.
type asker = func(query string, each func(scan) error, args ...any) error

func answered(h head, once store.Once, rows asker) (store.Receipt, bool, error) {
	if h.packed {
		list, err := keysOf(rows, h.serial)
		receipt, ok := kept.BriefReceipt(list, once)
		return receipt, ok, err
	}
	digest, _ := once.Digest()
	for _, part := range [][2]int{{once.After, store.LongestLog}, {0, once.After}} { // where it is to be looked for, and the rest
		var list []kept.Key
		if err := rows("SELECT number, key, once FROM entries WHERE serial = ? AND number >= ? AND number < ? AND key = ?", func(scan scan) error {
			k, err := scanKey(scan, h.serial)
			list = append(list, k)
			return err
		}, h.serial, part[0], part[1], digest); err != nil {
			return store.Receipt{}, false, err
		}
		if receipt, ok, err := kept.Receipt(list, once); ok || err != nil {
			return receipt, ok, err
		}
	}
	return store.Receipt{}, false, nil
}

// Read is the log from a number on.
func (s *Store) Read(ctx context.Context, table string, from int) ([]store.Entry, error) {
	entries, _, err := s.read(ctx, table, from)
	if err != nil {
		return nil, err
	}
	return entriesOf(entries), nil
}

func entriesOf(entries []entry) []store.Entry {
	log := make([]store.Entry, len(entries))
	for i, e := range entries {
		log[i] = store.Entry{Number: e.number, At: store.Time(e.at), Body: e.body}
	}
	return log
}

// read is the log from a number on, and the head that was there before it: the
// log may have grown since.
func (s *Store) read(ctx context.Context, table string, from int) ([]entry, head, error) {
	if !store.ValidID(table) {
		return nil, head{}, store.ErrID
	}
	from = max(from, 0)
	h, err := s.head(ctx, table)
	for err == nil {
		log, missing, damage := s.entries(ctx, h, from)
		if damage == nil && missing < 0 {
			return log, h, nil
		}
		// Between the two questions it may have been packed, or dropped.
		was := h
		if h, err = s.head(ctx, table); err == nil && h.serial == was.serial && h.packed == was.packed {
			if damage == nil {
				damage = &store.Damage{Number: missing, What: "it is missing"}
			}
			err = damage
		}
	}
	return nil, head{}, named(table, err)
}

func (s *Store) head(ctx context.Context, table string) (head, error) {
	return readHead(func(query string, each func(scan) error, args ...any) error { return s.rows(ctx, query, each, args...) }, table)
}

// integer is a number that was scanned as it is; 0 where damage made it something
// else, which its checksum tells.
func integer(scanned any) int64 {
	n, _ := scanned.(int64)
	return n
}

// largestSlab is how many bytes of bodies are read into one piece of memory.
const largestSlab = 1 << 15

// entries is the log from a number on, as far as it goes without a gap; missing
// is the first entry that should be there and is not, or -1.
func (s *Store) entries(ctx context.Context, h head, from int) (log []entry, missing int, err error) {
	if h.packed {
		log, err = s.unpack(ctx, h, from)
		return log, -1, err
	}
	log = make([]entry, 0, max(0, h.next-from))
	missing = -1
	var (
		number, at, was any // numbers: Scan makes texts of them on the way to anything else
		body            sql.RawBytes
		slab            []byte // where bodies lie, many beside each other
	)
	row := []any{&number, &at, &body, &was}
	err = s.rows(ctx, "SELECT number, at, body, sum FROM entries WHERE serial = ? AND number >= ? ORDER BY number", func(scan scan) error {
		if err := scan(row...); err != nil {
			return err
		}
		want, e := from+len(log), entry{number: int(integer(number)), at: integer(at), body: body}
		switch {
		case missing >= 0:
		case int64(e.sum(h.serial)) != integer(was):
			return &store.Damage{Number: e.number, What: "it does not have its checksum"}
		case e.number != want:
			missing = want
		default:
			if cap(slab)-len(slab) < len(body) {
				slab = make([]byte, 0, max(len(body), min(largestSlab, (h.next-want)*(len(body)+16))))
			}
			slab = append(slab, body...)
			e.body = slab[len(slab)-len(body) : len(slab) : len(slab)]
			log = append(log, e)
		}
		return nil
	}, h.serial, from)
	if err == nil && missing < 0 && from+len(log) < h.next {
		missing = from + len(log)
	}
	return log, missing, err
}

// Pack makes one value of a finished log.
func (s *Store) Pack(ctx context.Context, table string, now time.Time) error {
	for {
		entries, h, err := s.read(ctx, table, 0)
		if err != nil || h.packed {
			return err
		}
		packed, err := store.Pack(entriesOf(entries))
		if err != nil {
			return err
		}
		k := keys{until: store.Milli(now.Add(store.KeepKeys))}
		if k.list, err = s.keysSince(ctx, h.serial, now.Add(-store.KeepKeys)); err != nil {
			return named(table, err)
		}
		done := false
		err = s.write(ctx, func(t *tx) (err error) {
			done, err = t.pack(table, len(entries), packed, k, store.Milli(now))
			return err
		})
		if err != nil || done {
			return named(table, err)
		}
	}
}

// pack replaces the entries of a log by one value, unless there are more of them
// by now.
func (t *tx) pack(table string, entries int, log []byte, k keys, now int64) (bool, error) {
	h, err := t.head(table)
	if err != nil || h.packed || h.next != entries {
		return h.packed, err
	}
	t.forget(table)
	h.packed = true
	var about, private []byte // nobody changes them any more
	if err := t.row("SELECT about, beside FROM tables WHERE serial = ?", func(scan scan) error { return scan(&about, &private) }, h.serial); err != nil {
		return false, err
	}
	if err := t.keep(h.serial, log); err != nil {
		return false, err
	}
	steps := []struct {
		query string
		args  []any
	}{
		{"DELETE FROM entries WHERE serial = ?", []any{h.serial}},
		{"DELETE FROM snapshots WHERE serial = ?", []any{h.serial}},
		{"UPDATE tables SET packed = 1, head = ?, about = ?, beside = ? WHERE serial = ?", []any{int64(h.sum()), store.Shrink(about), store.Shrink(private), h.serial}},
		// Keys never become many: a few old ones go with each log that is packed.
		{"DELETE FROM keys WHERE serial IN (SELECT serial FROM keys WHERE until < ? ORDER BY until LIMIT 4)", []any{now}},
		{"INSERT INTO keys VALUES (?, ?, ?, ?)", []any{h.serial, k.list, k.until, int64(k.sum(h.serial))}},
	}
	if len(k.list) == 0 {
		steps = steps[:len(steps)-1]
	}
	for _, do := range steps {
		if err := t.exec(do.query, do.args...); err != nil {
			return false, err
		}
	}
	return true, nil
}
