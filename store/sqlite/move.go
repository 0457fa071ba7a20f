package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"copse/store"
	"copse/store/kept"
)

var _ store.Mover = (*Store)(nil)

// House is the name of this database.
func (s *Store) House(ctx context.Context) (string, error) {
	var id []byte
	err := s.row(ctx, "SELECT id FROM house", func(scan scan) error { return scan(&id) })
	return hex.EncodeToString(id), err
}

// Moved is where everything was copied to; empty as long as it was not.
func (s *Store) Moved(ctx context.Context) (to string, err error) {
	err = s.row(ctx, "SELECT moved FROM house", func(scan scan) error { return scan(&to) })
	return to, err
}

// Move marks the database: everything was copied elsewhere, and it is not opened to be
// served any more.
func (s *Store) Move(ctx context.Context, to string) error {
	return s.write(ctx, func(t *tx) error { return t.exec("UPDATE house SET moved = ? WHERE one = 1", to) })
}

// stayed refuses a database that was marked.
func (t *tx) stayed(file string) error {
	to := ""
	err := t.row("SELECT moved FROM house", func(scan scan) error { return scan(&to) })
	if err == nil && to != "" {
		return fmt.Errorf("%w to %s: serve it from there; nothing is kept in %s any more", store.ErrMoved, to, file)
	}
	return bad(err)
}

// Settle gives a database that was filled under another name its own, once it is
// closed. There must be none of that name.
func Settle(filled, file string) error {
	if _, err := os.Lstat(filled + "-wal"); err == nil {
		return fmt.Errorf("store: %s is still in use", filled)
	}
	for _, end := range []string{"", "-wal", "-shm", "-witness"} {
		if _, err := os.Lstat(file + end); err == nil {
			return fmt.Errorf("store: %s is in the way: move it elsewhere", file+end)
		}
	}
	l := location{file: file}
	return errors.Join(remove(filled+"-witness"), l.rename(filled, file), l.syncFolder(filepath.Dir(file)))
}

// Reached is the greatest serial of all tables.
func (s *Store) Reached(ctx context.Context) (serial int64, err error) {
	err = s.row(ctx, "SELECT ifnull(max(serial), 0) FROM tables", func(scan scan) error { return scan(&serial) })
	return serial, err
}

// Pieces is how many pieces there are.
func (s *Store) Pieces(ctx context.Context) (n int, err error) {
	err = s.row(ctx, "SELECT 1 + (SELECT count(*) FROM people) + (SELECT count(*) FROM passes) + (SELECT count(*) FROM papers) + (SELECT count(*) FROM tables) + (SELECT count(*) FROM jobs)", func(scan scan) error { return scan(&n) })
	return n, err
}

// dumped is how many tables or papers are read out at once.
const dumped = 100

// dump is a database that is read out, as it was when that began.
type dump struct {
	ctx  context.Context
	tx   *sql.Tx
	each func(store.Piece) error
}

// Dump reads everything out, in one transaction that only reads.
func (s *Store) Dump(ctx context.Context, after int64, each func(store.Piece) error) error {
	tx, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.late(err)
	}
	d := &dump{ctx: ctx, tx: tx, each: each}
	err = d.people()
	for more := true; err == nil && more; {
		after, more, err = d.tables(after)
	}
	if err == nil {
		err = d.rest()
	}
	_ = tx.Rollback() // nothing was written
	return err
}

func (d *dump) rows(query string, each func(scan) error, args ...any) error {
	rows, err := d.tx.QueryContext(d.ctx, query, args...)
	if err != nil {
		return bad(err)
	}
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return bad(rows.Err())
}

// people reads accounts, passes and papers out. Nobody else is asked while a question is
// answered: each may take long.
func (d *dump) people() error {
	var list []store.Piece
	hand := func() error {
		for _, p := range list {
			if err := d.each(p); err != nil {
				return err
			}
		}
		list = list[:0]
		return nil
	}
	for last := ""; ; {
		if err := d.rows("SELECT "+accountColumns+" FROM people WHERE id > ? ORDER BY id LIMIT 1000", func(scan scan) error {
			p, err := scanAccount(scan)
			list, last = append(list, store.Piece{Account: &p}), p.ID
			return err
		}, last); err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if err := hand(); err != nil {
			return err
		}
	}
	for last := int64(0); ; {
		if err := d.rows("SELECT "+passColumns+", rowid FROM passes WHERE rowid > ? ORDER BY rowid LIMIT 1000", func(scan scan) error {
			p, err := scanPass(func(into ...any) error { return scan(append(into, &last)...) })
			list = append(list, store.Piece{Pass: &p})
			return err
		}, last); err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if err := hand(); err != nil {
			return err
		}
	}
	for kind, key := "", ""; ; {
		if err := d.rows("SELECT "+paperColumns+" FROM papers WHERE (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?", func(scan scan) error {
			p, err := scanPaper(scan)
			list, kind, key = append(list, store.Piece{Paper: &p}), p.Kind, p.Key
			return err
		}, []byte(kind), []byte(key), dumped); err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		if err := hand(); err != nil {
			return err
		}
	}
}

// tables reads some tables out, and says how far it has got and whether there may be
// more.
func (d *dump) tables(after int64) (last int64, more bool, err error) {
	var list []*store.Whole
	at := map[int64]*store.Whole{}
	if err := d.rows("SELECT "+listing+" FROM tables t WHERE t.serial > ? ORDER BY t.serial LIMIT ?", func(scan scan) error {
		l, err := scanListing(scan)
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
		if err := whole(w); err != nil {
			return last, false, named(w.ID, err)
		}
		if err := d.each(store.Piece{Table: w}); err != nil {
			return last, false, err
		}
	}
	return last, true, nil
}

// whole compares a log with its length.
func whole(w *store.Whole) error {
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

const within = "serial > ? AND serial <= ?"

func (d *dump) logs(at map[int64]*store.Whole, after, last int64) error {
	return d.rows("SELECT serial, number, at, body, sum, key, once FROM entries WHERE "+within+" ORDER BY serial, number", func(scan scan) error {
		var serial, was, key int64
		var e entry
		var once []byte
		if err := scan(&serial, &e.number, &e.at, &e.body, &was, &key, &once); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || w.Packed {
			return &store.Damage{Number: e.number, What: "it belongs to no table"}
		}
		if int64(e.sum(serial)) != was {
			return &store.Damage{Table: w.ID, Number: e.number, What: "it does not have its checksum"}
		}
		w.Log = append(w.Log, store.Entry{Number: e.number, At: store.Time(e.at), Body: e.body})
		k, err := kept.ReadKey(keySum(serial, e.number), e.number, key, once)
		if err != nil {
			return named(w.ID, err)
		}
		if k.Till > 0 {
			w.Keys = append(w.Keys, store.Key{Number: e.number, Key: k.Key, Asked: k.Asked, Till: k.Till, Answer: k.Answer})
		}
		return nil
	}, after, last)
}

func (d *dump) packs(at map[int64]*store.Whole, after, last int64) error {
	sums := map[int64]int64{}
	if err := d.rows("SELECT serial, part, log, sum FROM parts WHERE "+within+" ORDER BY serial, part", func(scan scan) error {
		var serial, part, sum int64
		var log []byte
		if err := scan(&serial, &part, &log, &sum); err != nil {
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
		if w.Packed && int64(packSum(serial, w.Pack)) != sums[serial] {
			return &store.Damage{Table: w.ID, Number: -1, What: "its packed log does not have its checksum"}
		}
	}
	return d.rows("SELECT serial, keys, until, sum FROM keys WHERE "+within, func(scan scan) error {
		var serial, was int64
		var k keys
		if err := scan(&serial, &k.list, &k.until, &was); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || int64(k.sum(serial)) != was {
			return &store.Damage{Number: -1, What: "the keys of a packed log do not have their checksum"}
		}
		w.Brief, w.Until = k.list, store.Time(k.until)
		return nil
	}, after, last)
}

// beside reads what is kept beside logs: chat and boxes.
func (d *dump) beside(at map[int64]*store.Whole, after, last int64) error {
	if err := d.rows("SELECT serial, next FROM chats WHERE "+within, func(scan scan) error {
		var serial int64
		said := 0
		err := scan(&serial, &said)
		if w := at[serial]; w != nil {
			w.Said = said
		}
		return err
	}, after, last); err != nil {
		return err
	}
	if err := d.rows("SELECT serial, number, at, person, body, key, sum FROM lines WHERE "+within+" ORDER BY serial, number", func(scan scan) error {
		var serial, key int64
		l, err := scanLine(func(into ...any) error {
			err := scan(into...)
			serial, key = *into[0].(*int64), *into[5].(*int64)
			return err
		})
		if w := at[serial]; w != nil {
			w.Lines = append(w.Lines, store.KeptLine{ChatLine: l, Key: key})
		}
		return err
	}, after, last); err != nil {
		return err
	}
	return d.rows("SELECT serial, box, boxed.sum, body FROM boxed JOIN boxes ON hash = box WHERE "+within, func(scan scan) error {
		var serial, was int64
		var hash string
		var box []byte
		if err := scan(&serial, &hash, &was, &box); err != nil {
			return err
		}
		w := at[serial]
		if w == nil || int64(boxedSum(serial, hash)) != was || store.BoxHash(box) != hash {
			return &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
		}
		w.Box = blob(box)
		return nil
	}, after, last)
}

// rest reads jobs and the pulse out.
func (d *dump) rest() error {
	var jobs []store.Job
	if err := d.rows("SELECT id, kind, name, due, tries, body, sum FROM jobs ORDER BY id", func(scan scan) error {
		j, err := scanJob(scan)
		jobs = append(jobs, j)
		return err
	}); err != nil {
		return err
	}
	for i := range jobs {
		if err := d.each(store.Piece{Job: &jobs[i]}); err != nil {
			return err
		}
	}
	var pulse store.Pulse
	if err := d.rows(lastBeat, func(scan scan) error {
		var at, away int64
		err := scanBeat(scan, &at, &away)
		pulse.At, pulse.Away = store.Time(at), time.Duration(away)*time.Millisecond
		return err
	}); err != nil {
		return err
	}
	if err := d.rows("SELECT since, until, sum FROM outages ORDER BY since", func(scan scan) error {
		since, until, err := scanOutage(scan)
		pulse.Outages = append(pulse.Outages, store.Outage{From: store.Time(since), Until: store.Time(until)})
		return err
	}); err != nil {
		return err
	}
	return d.each(store.Piece{Pulse: &pulse})
}

// Fill keeps pieces of another store, in one transaction.
func (s *Store) Fill(ctx context.Context, pieces ...store.Piece) error {
	return s.write(ctx, func(t *tx) error {
		for _, p := range pieces {
			if err := t.fill(p); err != nil {
				return fmt.Errorf("store: %s cannot be kept here: %w", p.Name(), err)
			}
		}
		return nil
	})
}

func (t *tx) fill(p store.Piece) error {
	switch {
	case p.Account != nil:
		a := p.Account
		return t.exec("INSERT INTO people ("+accountColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			a.ID, a.Name, blob(a.Salt), store.Milli(a.Born), blob(a.More), store.Milli(a.Seen), int64(accountSum(a)), a.Version)
	case p.Pass != nil:
		a := p.Pass
		return t.exec("INSERT INTO passes ("+passColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			a.Digest[:], int64(a.Kind), a.Account, store.Milli(a.Born), store.Milli(a.Until), a.Label, int64(passSum(a)), store.Milli(a.Used))
	case p.Paper != nil:
		return t.keepPaper(p.Paper, " ON CONFLICT DO NOTHING")
	case p.Table != nil:
		return t.fillTable(p.Table)
	case p.Job != nil:
		j := p.Job
		return t.exec("INSERT INTO jobs (id, kind, name, due, tries, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			j.ID, j.Kind, j.Name, store.Milli(j.Due), j.Tries, blob(j.Body), int64(jobSum(j)))
	case p.Pulse != nil:
		return t.fillPulse(p.Pulse)
	}
	return nil
}

func (t *tx) fillPulse(p *store.Pulse) error {
	for _, table := range []string{"beats", "outages"} {
		if err := t.exec("DELETE FROM " + table); err != nil {
			return err
		}
	}
	if !p.At.IsZero() {
		at, away := store.Milli(p.At), p.Away.Milliseconds()
		if err := t.exec("INSERT INTO beats (one, at, away, sum) VALUES (1, ?, ?, ?)", at, away, int64(beatSum(at, away))); err != nil {
			return err
		}
	}
	for _, o := range p.Outages {
		since, until := store.Milli(o.From), store.Milli(o.Until)
		if err := t.exec("INSERT INTO outages VALUES (?, ?, ?)", since, until, int64(outageSum(since, until))); err != nil {
			return err
		}
	}
	return nil
}

// fillTable keeps a table, unless there is one of its name or serial.
func (t *tx) fillTable(w *store.Whole) error {
	h := head{serial: w.Serial, id: w.ID, game: w.Game, next: w.Next, packed: w.Packed, seats: len(w.Sitting), seated: seated(w.Sitting, w.Over), changed: store.Milli(w.Changed)}
	about, private := blob(w.About), blob(w.Private)
	if w.Packed {
		about, private = store.Shrink(about), store.Shrink(private)
	}
	n, err := t.change(`INSERT INTO tables (serial, id, game, next, packed, seats, seated, changed, head, listed, over, turn, wake, about, beside, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		h.serial, h.id, h.game, h.next, number(h.packed), h.seats, h.seated, h.changed, int64(h.sum()),
		number(w.Listed), number(w.Over), int64(w.Turn), store.Milli(w.Wake), about, private, int64(rowSum(h.serial, &w.Row)))
	if err != nil || n == 0 {
		return err
	}
	for seat, account := range w.Sitting {
		if account == "" {
			continue
		}
		if err := t.exec("INSERT INTO seats VALUES (?, ?, ?, ?)", account, number(w.Over), h.serial, seat); err != nil {
			return err
		}
	}
	if err := t.fillLog(w); err != nil {
		return err
	}
	if w.Box != nil {
		if err := t.keepBox(h.serial, w.Box); err != nil {
			return err
		}
	}
	if w.Said > 0 {
		if err := t.exec("INSERT INTO chats VALUES (?, ?)", h.serial, w.Said); err != nil {
			return err
		}
	}
	for i := range w.Lines {
		l := &w.Lines[i]
		if err := t.exec("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)",
			h.serial, l.Number, store.Milli(l.At), l.Account, blob(l.Body), l.Key, int64(lineSum(h.serial, &l.ChatLine, l.Key))); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) fillLog(w *store.Whole) error {
	if w.Packed {
		if err := t.keep(w.Serial, w.Pack); err != nil || len(w.Brief) == 0 {
			return err
		}
		k := keys{list: w.Brief, until: store.Milli(w.Until)}
		return t.exec("INSERT INTO keys VALUES (?, ?, ?, ?)", w.Serial, k.list, k.until, int64(k.sum(w.Serial)))
	}
	used := map[int]store.Key{}
	for _, k := range w.Keys {
		used[k.Number] = k
	}
	for _, one := range w.Log {
		e := entry{number: one.Number, at: store.Milli(one.At), body: blob(one.Body)}
		k := used[one.Number]
		begins := kept.Key{Key: k.Key, Asked: k.Asked, Till: k.Till, Answer: k.Answer}
		if err := t.exec("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
			w.Serial, e.number, e.at, e.body, int64(e.sum(w.Serial)), begins.Key, begins.Write(keySum(w.Serial, e.number))); err != nil {
			return err
		}
	}
	return nil
}
