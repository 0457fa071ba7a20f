package postgres

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

// lineSum is of a line without its number, which the database gives and adds.
func lineSum(table string, l *store.ChatLine, key int64) int32 {
	return int32(kept.Sum(0).Text(table).Int(store.Milli(l.At)).Text(l.Account).Bytes(l.Body).Int(key))
}

// sayQuery gives a line the next number of its table. Of those who speak at the same
// time one waits for the other.
const sayQuery = `WITH c AS (
		INSERT INTO chats (serial, next) SELECT serial, 1 FROM tables WHERE id = $1 ON CONFLICT (serial) DO UPDATE SET next = chats.next + 1 RETURNING serial, next - 1 AS number
	), old AS (
		DELETE FROM lines USING c WHERE lines.serial = c.serial AND lines.number <= c.number - $7
	)
	INSERT INTO lines (serial, at, key, number, sum, person, body) SELECT serial, $2, $3, number, $4::int4 # number, $5, $6 FROM c RETURNING number`

// Say adds a line of chat.
func (s *Store) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	if err := kept.Fits("bytes of a line", len(line.Body), store.LargestLine); err != nil {
		return store.ChatLine{}, err
	}
	if !store.ValidID(table) || !store.ValidID(line.Account) {
		return store.ChatLine{}, store.ErrNone
	}
	key := int64(0)
	if once.Key != "" {
		key, _ = once.Digest()
	}
	number := 0
	err := s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		err := c.QueryRow(ctx, sayQuery, table, store.Milli(line.At), key, lineSum(table, &line, key), line.Account, blob(line.Body), store.MostLines).Scan(&number)
		switch {
		case errors.Is(err, pgx.ErrNoRows), code(err) == noSuchKey:
			return store.ErrNone
		case code(err) == twice:
			return store.ErrTaken
		}
		return err
	})
	switch {
	case errors.Is(err, store.ErrTaken):
		return s.said(ctx, table, line, key)
	case err != nil:
		return store.ChatLine{}, err
	}
	line.Number, line.At = number, store.Time(store.Milli(line.At)) // as it is read again
	return line, nil
}

// said is the line that was said under a key before.
func (s *Store) said(ctx context.Context, table string, line store.ChatLine, key int64) (found store.ChatLine, err error) {
	err = s.row(ctx, "SELECT t.id, "+lineColumns+" FROM lines l JOIN tables t ON t.serial = l.serial WHERE t.id = $1 AND l.key = $2", func(rows pgx.Rows) (err error) {
		found, err = scanLine(rows)
		return err
	}, table, key)
	if err != nil {
		return store.ChatLine{}, named(table, err)
	}
	if found.Account != line.Account || !bytes.Equal(found.Body, line.Body) {
		return store.ChatLine{}, store.ErrReused
	}
	return found, nil
}

const lineColumns = "l.number, l.at, l.person, l.body, l.key, l.sum"

// scanLine reads the name of a table and a line.
func scanLine(rows pgx.Rows) (store.ChatLine, error) {
	var table string
	var l store.ChatLine
	var at, key int64
	var was int32
	if err := rows.Scan(&table, &l.Number, &at, &l.Account, &l.Body, &key, &was); err != nil {
		return store.ChatLine{}, err
	}
	if l.At = store.Time(at); lineSum(table, &l, key)^int32(l.Number) != was {
		return store.ChatLine{}, &store.Damage{Table: table, Number: -1, What: "a line of its chat does not have its checksum"}
	}
	return l, nil
}

// Lines are lines of chat in order.
func (s *Store) Lines(ctx context.Context, table string, from, most int) ([]store.ChatLine, error) {
	list := []store.ChatLine{}
	if !store.ValidID(table) {
		return list, nil
	}
	err := s.rows(ctx, "SELECT t.id, "+lineColumns+" FROM lines l JOIN tables t ON t.serial = l.serial WHERE t.id = $1 AND l.number >= $2 ORDER BY l.number LIMIT $3", func(rows pgx.Rows) error {
		l, err := scanLine(rows)
		list = append(list, l)
		return err
	}, table, from, page(most))
	if err != nil {
		return nil, named(table, err)
	}
	return list, nil
}
