package postgres

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

// listing is what a question for tables selects.
const listing = `t.serial, t.id, t.game, t.born, t.next, t.packed, t.changed, t.head, t.listed, t.over, t.turn, t.wake, t.about, t.beside, t.sum, t.seats, t.seated,
	coalesce((SELECT string_agg(s.seat || ':' || s.person, ' ') FROM seats s WHERE s.serial = t.serial), '')`

func scanListing(rows pgx.Rows) (l store.Listing, err error) {
	var h head
	var game []byte
	var born, was, sum int32
	var wake, seatedSum int64
	var turn, seats int
	var sitting string
	if err := rows.Scan(&l.Serial, &l.ID, &game, &born, &h.next, &h.packed, &h.changed, &was, &l.Listed, &l.Over, &turn, &wake, &l.About, &l.Private, &sum, &seats, &seatedSum, &sitting); err != nil {
		return l, err
	}
	damage := func(what string, err error) (store.Listing, error) {
		return l, &store.Damage{Table: l.ID, Number: -1, What: what, Err: err}
	}
	l.Game, l.Turn, l.Wake, l.Next, l.Packed, l.Changed = string(game), uint16(turn), store.Time(wake), h.next, h.packed, store.Time(h.changed)
	if err := h.check(l.ID, was); err != nil {
		return l, err
	}
	if h.packed {
		var errs [2]error
		l.About, errs[0] = store.Grow(l.About, store.LargestExtra)
		l.Private, errs[1] = store.Grow(l.Private, store.LargestExtra)
		if err := errors.Join(errs[:]...); err != nil {
			return damage("its row in the index cannot be read", err)
		}
	}
	l.Sitting = readSitting(sitting, seats)
	if withSerial(bornSum(l.ID, game), l.Serial) != born || rowSum(l.ID, &l.Row) != sum || int(l.Turn) != turn {
		return damage("its row in the index does not have its checksum", nil)
	}
	if seated(l.ID, l.Sitting, l.Over) != seatedSum {
		return damage("who sits at it is not what was written", nil)
	}
	return l, nil
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
	err := s.rows(ctx, "SELECT "+listing+" FROM tables t "+rest, func(rows pgx.Rows) error {
		l, err := scanListing(rows)
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
	list, err := s.list(ctx, "WHERE id = $1", table)
	if err != nil {
		return store.Listing{}, named(table, err)
	}
	if len(list) == 0 {
		return store.Listing{}, store.ErrNone
	}
	return list[0], nil
}

// Heads says how far tables have got.
func (s *Store) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	heads := make(map[string]store.Head, len(tables))
	ids := slices.DeleteFunc(slices.Clone(tables), func(id string) bool { return !store.ValidID(id) })
	err := s.rows(ctx, "SELECT t.id, t.next, t.packed, t.changed, t.head, coalesce(c.next, 0) FROM tables t LEFT JOIN chats c ON c.serial = t.serial WHERE t.id = ANY($1)", func(rows pgx.Rows) error {
		var h head
		var id string
		var was int32
		var said int
		if err := rows.Scan(&id, &h.next, &h.packed, &h.changed, &was, &said); err != nil {
			return err
		}
		heads[id] = store.Head{Next: h.next, Said: said}
		return h.check(id, was)
	}, ids)
	if err != nil {
		return nil, err
	}
	return heads, nil
}

// Listed are the tables for everyone.
func (s *Store) Listed(ctx context.Context, game string, before int64, most int) ([]store.Listing, error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	if game == "" {
		return s.list(ctx, "WHERE listed AND t.serial < $1 ORDER BY t.serial DESC LIMIT $2", before, page(most))
	}
	return s.list(ctx, "WHERE listed AND game = $1 AND t.serial < $2 ORDER BY t.serial DESC LIMIT $3", []byte(game), before, page(most))
}

// Sitting are the tables at which an account sits.
func (s *Store) Sitting(ctx context.Context, account string, most int) ([]store.Listing, error) {
	return s.list(ctx, `JOIN (SELECT serial, max(turn >> seat & 1) AS mine, changed AS late FROM seats JOIN tables USING (serial)
			WHERE person = $1 AND NOT seats.over GROUP BY serial, changed ORDER BY mine DESC, late DESC, serial DESC LIMIT $2) AS m ON m.serial = t.serial
		ORDER BY mine DESC, late DESC, t.serial DESC`, account, page(most))
}

// Played are the tables at which an account sat.
func (s *Store) Played(ctx context.Context, account string, before int64, most int) ([]store.Listing, error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	return s.list(ctx, `JOIN (SELECT DISTINCT serial FROM seats WHERE person = $1 AND seats.over AND serial < $2 ORDER BY serial DESC LIMIT $3) AS m ON m.serial = t.serial
		ORDER BY t.serial DESC`, account, before, page(most))
}

// Due are the tables that wanted to be looked at.
func (s *Store) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	return s.list(ctx, "WHERE wake > 0 AND wake <= $1 ORDER BY wake, t.serial LIMIT $2", store.Milli(by), page(most))
}

func claimSum(serial, wake, until int64) int32 {
	return int32(kept.Sum(0).Int(serial).Int(wake).Int(until))
}

// claimQuery takes tables that were found to be due, as far as nobody has been
// quicker: whose row is just being written is left for the next time.
const claimQuery = `WITH due AS (
		SELECT t.serial, d.wake, d.sum FROM unnest($1::int8[], $2::int8[], $3::int4[]) AS d (serial, wake, sum) JOIN tables t ON t.serial = d.serial AND t.wake = d.wake
		ORDER BY t.serial FOR NO KEY UPDATE OF t SKIP LOCKED
	)
	INSERT INTO claims (serial, wake, until, sum) SELECT serial, wake, $4, sum FROM due
	ON CONFLICT (serial) DO UPDATE SET wake = excluded.wake, until = excluded.until, sum = excluded.sum WHERE claims.wake <> excluded.wake OR claims.until <= $5
	RETURNING serial`

// ClaimDue hands out tables that wanted to be looked at. A claim is of one time to
// look: it counts no more when the row says another.
func (s *Store) ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]store.Listing, error) {
	list, err := s.list(ctx, `WHERE wake > 0 AND wake <= $1 AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.serial = t.serial AND c.wake = t.wake AND c.until > $2)
		ORDER BY wake, t.serial LIMIT $3`, store.Milli(by), store.Milli(now), page(most))
	if err != nil || len(list) == 0 {
		return list, err
	}
	var serials, wakes []int64
	var sums []int32
	for _, l := range list {
		serials, wakes = append(serials, l.Serial), append(wakes, store.Milli(l.Wake))
		sums = append(sums, claimSum(l.Serial, store.Milli(l.Wake), store.Milli(until)))
	}
	var mine []int64
	if err := s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		rows, err := c.Query(ctx, claimQuery, serials, wakes, sums, store.Milli(until), store.Milli(now))
		if err == nil {
			mine, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		}
		return err
	}); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(l store.Listing) bool { return !slices.Contains(mine, l.Serial) }), nil
}

// dropQuery takes a table away, and its box where no other table has the same. What
// is written with every move has no reference and is named here; if the log was packed
// since the statement began, it would not see the parts, and is done again.
const dropQuery = `WITH t AS (
		DELETE FROM tables WHERE id = $1 AND next = $2 AND packed = (SELECT o.packed FROM tables o WHERE o.id = $1) RETURNING serial
	), e AS (
		DELETE FROM entries USING t WHERE entries.serial = t.serial
	), p AS (
		DELETE FROM parts USING t WHERE parts.serial = t.serial
	), k AS (
		DELETE FROM keys USING t WHERE keys.serial = t.serial
	), b AS (
		DELETE FROM boxed USING t WHERE boxed.serial = t.serial RETURNING boxed.serial, box
	), x AS (
		DELETE FROM boxes USING b WHERE boxes.hash = b.box AND NOT EXISTS (SELECT 1 FROM boxed o WHERE o.box = b.box AND o.serial <> b.serial)
	)
	SELECT serial FROM t`

// Drop takes a table away at which nobody has played.
func (s *Store) Drop(ctx context.Context, table string, next int) error {
	for range mostTries {
		done := false
		if err := s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
			tag, err := c.Exec(ctx, dropQuery, table, next)
			done = tag.RowsAffected() > 0
			return err
		}); err != nil || done {
			return err
		}
		h, _, err := s.look(ctx, table, store.Once{})
		if err != nil {
			return named(table, err)
		}
		if h.next != next {
			return &store.Conflict{Table: table, Asked: next, Next: h.next}
		}
	}
	return unwritten(errAgain)
}

func shotSum(table string, shot store.Snapshot) int32 {
	return int32(kept.Sum(0).Text(table).Int(int64(shot.Next)).Bytes(shot.Body))
}

// SaveSnapshot replaces the snapshot of a table by one that has no less of the log.
func (s *Store) SaveSnapshot(ctx context.Context, table string, shot store.Snapshot) error {
	if err := kept.Fits("bytes of a snapshot", len(shot.Body), store.LargestSnapshot); err != nil {
		return err
	}
	query, args := `WITH t AS (SELECT serial, next FROM tables WHERE id = $1), i AS (
			INSERT INTO snapshots (serial, next, body, sum) SELECT serial, $2, $3, $4 FROM t
			ON CONFLICT (serial) DO UPDATE SET next = excluded.next, body = excluded.body, sum = excluded.sum
			WHERE snapshots.next <= excluded.next OR snapshots.next > (SELECT next FROM t)
		)
		SELECT serial FROM t`, []any{table, shot.Next, shot.Body, shotSum(table, shot)}
	if len(shot.Body) == 0 {
		query, args = "WITH t AS (SELECT serial FROM tables WHERE id = $1), d AS (DELETE FROM snapshots USING t WHERE snapshots.serial = t.serial) SELECT serial FROM t", []any{table}
	}
	return s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		tag, err := c.Exec(ctx, query, args...)
		if err == nil && tag.RowsAffected() == 0 {
			return store.ErrNone
		}
		return err
	})
}

// Snapshot is the one that was saved. A damaged one is as good as none.
func (s *Store) Snapshot(ctx context.Context, table string) (store.Snapshot, bool, error) {
	var shot store.Snapshot
	var was int32
	err := s.row(ctx, "SELECT s.next, s.body, s.sum FROM snapshots s JOIN tables t ON t.serial = s.serial WHERE t.id = $1",
		func(rows pgx.Rows) error { return rows.Scan(&shot.Next, &shot.Body, &was) }, table)
	var damage *store.Damage
	if errors.Is(err, store.ErrNone) || errors.As(err, &damage) || err == nil && shotSum(table, shot) != was {
		return store.Snapshot{}, false, nil
	}
	if err != nil {
		return store.Snapshot{}, false, err
	}
	return shot, true, nil
}
