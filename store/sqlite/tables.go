package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"copse/store"
	"copse/store/kept"
)

// head is the first half of a row of "tables": what an append must know.
type head struct {
	serial  int64
	id      string
	game    string
	next    int
	packed  bool
	seats   int
	seated  int64
	changed int64
	was     int64 // the checksum that the row has
	sorted  sorted
}

// sorted is by what lists and those who look for due tables find a row, as this writer
// has written it; known is false where it has not. Setting these columns writes the
// indexes anew, a page each, also where they are set to what they are.
type sorted struct {
	known  bool
	listed bool
	wake   int64
}

func (h *head) sum() kept.Sum {
	return kept.Sum(0).Int(h.serial).Text(h.id).Text(h.game).Int(int64(h.next)).Int(number(h.packed)).Int(int64(h.seats)).Int(h.seated).Int(h.changed)
}

const headColumns = "t.serial, id, game, t.next, packed, seats, seated, changed, head"

// scanHead reads the columns of a head, and others behind them, and compares
// the head with its checksum.
func scanHead(scan scan, more ...any) (head, error) {
	var h head
	into := [20]any{&h.serial, &h.id, &h.game, &h.next, &h.packed, &h.seats, &h.seated, &h.changed, &h.was}
	if err := scan(append(into[:9], more...)...); err != nil {
		return head{}, err
	}
	if int64(h.sum()) != h.was {
		return head{}, &store.Damage{Table: h.id, Number: -1, What: "its row in the index does not have its checksum"}
	}
	return h, nil
}

func readHead(rows asker, table string) (h head, err error) {
	found := false
	err = rows("SELECT "+headColumns+" FROM tables t WHERE id = ?", func(scan scan) (err error) {
		h, err = scanHead(scan)
		found = true
		return err
	}, table)
	if err == nil && !found {
		err = store.ErrNone
	}
	return h, err
}

func (t *tx) head(table string) (head, error) {
	return readHead(func(query string, each func(scan) error, args ...any) error { return t.rows(query, each, args...) }, table)
}

// rowSum is the checksum of the second half of a row of "tables".
func rowSum(serial int64, r *store.Row) kept.Sum {
	return kept.Sum(0).Int(serial).Int(number(r.Listed)).Int(number(r.Over)).Int(int64(r.Turn)).Int(store.Milli(r.Wake)).Bytes(r.About).Bytes(r.Private)
}

// errStale says that a row is not as it was remembered.
var errStale = errors.New("store: the index has changed behind the writer's back")

// settle writes the row of a table, or only its head where there is no new row.
// It writes nothing if the row is not the one that it was told.
func (t *tx) settle(h *head, r *store.Row) error {
	var sitting []string
	was := h.was
	if r != nil {
		var err error
		if sitting, err = t.sit(h, r); err != nil {
			return err
		}
	}
	h.was = int64(h.sum())
	var n int64
	var err error
	if r == nil {
		n, err = t.change("UPDATE tables SET next = ?, changed = ?, head = ? WHERE serial = ? AND head = ?", h.next, h.changed, h.was, h.serial, was)
	} else { // the game is settled when the table is made
		now := sorted{known: true, listed: r.Listed, wake: store.Milli(r.Wake)}
		if h.sorted == now {
			n, err = t.change(`UPDATE tables SET next = ?, seats = ?, seated = ?, changed = ?, head = ?,
				over = ?, turn = ?, about = ?, beside = ?, sum = ? WHERE serial = ? AND head = ? AND listed = ? AND wake = ?`,
				h.next, h.seats, h.seated, h.changed, h.was,
				number(r.Over), int64(r.Turn), blob(r.About), blob(r.Private), int64(rowSum(h.serial, r)), h.serial, was, number(now.listed), now.wake)
		} else {
			n, err = t.change(`UPDATE tables SET next = ?, seats = ?, seated = ?, changed = ?, head = ?,
				listed = ?, over = ?, turn = ?, wake = ?, about = ?, beside = ?, sum = ? WHERE serial = ? AND head = ?`,
				h.next, h.seats, h.seated, h.changed, h.was,
				number(now.listed), number(r.Over), int64(r.Turn), now.wake, blob(r.About), blob(r.Private), int64(rowSum(h.serial, r)), h.serial, was)
		}
		h.sorted = now
	}
	if err == nil && n == 0 {
		err = errStale
	}
	if err != nil || sitting == nil {
		return err
	}
	if err := t.exec("DELETE FROM seats WHERE serial = ?", h.serial); err != nil {
		return err
	}
	for i, account := range sitting {
		if account == "" {
			continue
		}
		if err := t.exec("INSERT INTO seats VALUES (?, ?, ?, ?)", account, number(r.Over), h.serial, i); err != nil {
			return err
		}
	}
	return nil
}

// found makes the row of a new table. What it says is written after it.
func (t *tx) found(table, game string) (head, error) {
	h := head{id: table, game: game, seated: seated(nil, false)}
	t.wrote = true
	err := t.row(`INSERT INTO tables (id, game, next, packed, seats, seated, changed, head, listed, over, turn, wake, about, beside, sum)
		VALUES (?, ?, 0, 0, 0, ?, 0, 0, 0, 0, 0, 0, x'', x'', 0) RETURNING serial`, func(scan scan) error { return scan(&h.serial) }, h.id, h.game, h.seated)
	return h, err
}

// sit is who sits where, nil if that has not changed. An account that is deleted is
// nobody.
func (t *tx) sit(h *head, r *store.Row) ([]string, error) {
	if h.seats == len(r.Sitting) && h.seated == seated(r.Sitting, r.Over) {
		return nil, nil
	}
	sitting := make([]string, len(r.Sitting))
	for i, account := range r.Sitting {
		if account == "" {
			continue
		}
		if err := t.rows("SELECT id FROM people WHERE id = ?", func(scan scan) error { return scan(&sitting[i]) }, account); err != nil {
			return nil, err
		}
	}
	now := seated(sitting, r.Over)
	if h.seats == len(sitting) && h.seated == now {
		return nil, nil
	}
	h.seats, h.seated = len(sitting), now
	return sitting, nil
}

// listing is what a question for tables selects.
const listing = headColumns + `, listed, t.over, turn, wake, about, beside, sum,
	coalesce((SELECT group_concat(seat || ':' || person, ' ') FROM seats WHERE seats.serial = t.serial), '')`

func scanListing(scan scan, more ...any) (store.Listing, error) {
	var (
		r       store.Row
		wake    int64
		was     int64
		sitting string
	)
	h, err := scanHead(scan, append([]any{&r.Listed, &r.Over, &r.Turn, &wake, &r.About, &r.Private, &was, &sitting}, more...)...)
	if err != nil {
		return store.Listing{}, err
	}
	r.Game, r.Wake = h.game, store.Time(wake)
	if h.packed {
		var errs [2]error
		r.About, errs[0] = store.Grow(r.About, store.LargestExtra)
		r.Private, errs[1] = store.Grow(r.Private, store.LargestExtra)
		if err := errors.Join(errs[:]...); err != nil {
			return store.Listing{}, &store.Damage{Table: h.id, Number: -1, What: "its row in the index cannot be read", Err: err}
		}
	}
	if int64(rowSum(h.serial, &r)) != was {
		return store.Listing{}, &store.Damage{Table: h.id, Number: -1, What: "its row in the index does not have its checksum"}
	}
	if r.Sitting = readSitting(sitting, h.seats); seated(r.Sitting, r.Over) != h.seated {
		return store.Listing{}, &store.Damage{Table: h.id, Number: -1, What: "who sits at it is not what was written"}
	}
	return store.Listing{ID: h.id, Serial: h.serial, Next: h.next, Changed: store.Time(h.changed), Packed: h.packed, Row: r}, nil
}

// readSitting reads "0:anna 2:ben".
func readSitting(text string, seats int) []string {
	sitting := make([]string, max(0, min(seats, store.MostSeats)))
	for word := range strings.FieldsSeq(text) {
		seat, account, _ := strings.Cut(word, ":")
		if i, err := strconv.Atoi(seat); err == nil && i >= 0 && i < len(sitting) {
			sitting[i] = account
		}
	}
	return sitting
}

// list asks for tables. A damaged row is not passed over in silence.
func (s *Store) list(ctx context.Context, rest string, args ...any) ([]store.Listing, error) {
	list := []store.Listing{}
	err := s.rows(ctx, "SELECT "+listing+" FROM tables t "+rest, func(scan scan) error {
		l, err := scanListing(scan)
		list = append(list, l)
		return err
	}, args...)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Table is what the index says of one table.
func (s *Store) Table(ctx context.Context, table string) (store.Listing, error) {
	if !store.ValidID(table) {
		return store.Listing{}, store.ErrID
	}
	list, err := s.list(ctx, "WHERE id = ?", table)
	if err != nil {
		return store.Listing{}, named(table, err)
	}
	if len(list) == 0 {
		return store.Listing{}, store.ErrNone
	}
	return list[0], nil
}

// Listed are the tables for everyone.
func (s *Store) Listed(ctx context.Context, game string, before int64, most int) ([]store.Listing, error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	if game == "" {
		return s.list(ctx, "WHERE listed = 1 AND t.serial < ? ORDER BY t.serial DESC LIMIT ?", before, page(most))
	}
	return s.list(ctx, "WHERE listed = 1 AND game = ? AND t.serial < ? ORDER BY t.serial DESC LIMIT ?", game, before, page(most))
}

// Sitting are the tables at which an account sits.
func (s *Store) Sitting(ctx context.Context, account string, most int) ([]store.Listing, error) {
	return s.list(ctx, `JOIN (SELECT serial, max(turn >> seat & 1) AS mine, changed AS late FROM seats JOIN tables USING (serial)
			WHERE person = ? AND seats.over = 0 GROUP BY serial ORDER BY mine DESC, late DESC, serial DESC LIMIT ?) AS m ON m.serial = t.serial
		ORDER BY mine DESC, late DESC, t.serial DESC`, account, page(most))
}

// Played are the tables at which an account sat.
func (s *Store) Played(ctx context.Context, account string, before int64, most int) ([]store.Listing, error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	return s.list(ctx, `WHERE t.serial IN (SELECT DISTINCT serial FROM seats WHERE person = ? AND seats.over = 1 AND serial < ? ORDER BY serial DESC LIMIT ?)
		ORDER BY t.serial DESC`, account, before, page(most))
}

// Due are the tables that wanted to be looked at.
func (s *Store) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	return s.list(ctx, "WHERE wake > 0 AND wake <= ? ORDER BY wake, t.serial LIMIT ?", store.Milli(by), page(most))
}

// ClaimDue hands out tables that wanted to be looked at. A claim is of one time to
// look: it counts no more when the row says another.
func (s *Store) ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]store.Listing, error) {
	const due = `WHERE wake > 0 AND wake <= ? AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.serial = t.serial AND c.wake = t.wake AND c.until > ?)
		ORDER BY wake, t.serial LIMIT ?`
	ask := []any{store.Milli(by), store.Milli(now), page(most)}
	// Most questions find nothing, and then nothing need be written.
	list, err := s.list(ctx, due, ask...)
	if err != nil || len(list) == 0 {
		return list, err
	}
	err = s.write(ctx, func(t *tx) error {
		list = []store.Listing{}
		if err := t.rows("SELECT "+listing+" FROM tables t "+due, func(scan scan) error {
			l, err := scanListing(scan)
			list = append(list, l)
			return err
		}, ask...); err != nil {
			return err
		}
		for _, l := range list {
			c := claim{l.Serial, store.Milli(l.Wake), store.Milli(until)}
			if err := t.exec("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", c.serial, c.wake, c.until, int64(c.sum())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// claim is a row of "claims".
type claim struct{ serial, wake, until int64 }

func (c claim) sum() kept.Sum { return kept.Sum(0).Int(c.serial).Int(c.wake).Int(c.until) }

// Heads says how far tables have got.
func (s *Store) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	heads := make(map[string]store.Head, len(tables))
	ids, err := json.Marshal(tables)
	if err != nil {
		return nil, err
	}
	if err := s.rows(ctx, "SELECT "+headColumns+", ifnull(c.next, 0) FROM tables t LEFT JOIN chats c ON c.serial = t.serial WHERE id IN (SELECT value FROM json_each(?) j)", func(scan scan) error {
		said := 0
		h, err := scanHead(scan, &said)
		heads[h.id] = store.Head{Next: h.next, Said: said}
		return err
	}, string(ids)); err != nil {
		return nil, err
	}
	return heads, nil
}

// Drop takes a table away. Whatever refers to it goes with it, and its box where
// no other table has the same.
func (s *Store) Drop(ctx context.Context, table string, next int) error {
	return s.write(ctx, func(t *tx) error {
		h, err := t.head(table)
		if err != nil {
			return named(table, err)
		}
		if h.next != next {
			return &store.Conflict{Table: table, Asked: next, Next: h.next}
		}
		t.forget(table)
		box := ""
		if err := t.rows("SELECT box FROM boxed JOIN tables USING (serial) WHERE id = ?", func(scan scan) error { return scan(&box) }, table); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM tables WHERE id = ?", table); err != nil || box == "" {
			return err
		}
		return t.dropBox(box)
	})
}

// SaveSnapshot replaces the snapshot of a table by one that has no less of the log.
func (s *Store) SaveSnapshot(ctx context.Context, table string, shot store.Snapshot) error {
	if err := kept.Fits("bytes of a snapshot", len(shot.Body), store.LargestSnapshot); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		h, err := t.head(table)
		if err != nil {
			return named(table, err)
		}
		if len(shot.Body) == 0 {
			return t.exec("DELETE FROM snapshots WHERE serial = ?", h.serial)
		}
		return t.exec("INSERT INTO snapshots VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET next = excluded.next, body = excluded.body, sum = excluded.sum WHERE next <= excluded.next OR next > ?",
			h.serial, shot.Next, shot.Body, int64(shotSum(h.serial, shot)), h.next)
	})
}

func shotSum(serial int64, s store.Snapshot) kept.Sum {
	return kept.Sum(0).Int(serial).Int(int64(s.Next)).Bytes(s.Body)
}

// Snapshot is the last one saved. A damaged one is as good as none.
func (s *Store) Snapshot(ctx context.Context, table string) (store.Snapshot, bool, error) {
	var shot store.Snapshot
	var serial, was int64
	err := s.row(ctx, "SELECT serial, s.next, body, s.sum FROM snapshots s JOIN tables t USING (serial) WHERE id = ?",
		func(scan scan) error { return scan(&serial, &shot.Next, &shot.Body, &was) }, table)
	var damage *store.Damage
	if errors.Is(err, store.ErrNone) || errors.As(err, &damage) || err == nil && int64(shotSum(serial, shot)) != was {
		return store.Snapshot{}, false, nil
	}
	if err != nil {
		return store.Snapshot{}, false, err
	}
	return shot, true, nil
}
