package sqlite

import (
	"bytes"
	"context"

	"copse/store"
	"copse/store/kept"
)

// recently is among how many lines of chat a key is searched.
const recently = 100

func lineSum(serial int64, l *store.ChatLine, key int64) kept.Sum {
	return kept.Sum(0).Int(serial).Int(int64(l.Number)).Int(store.Milli(l.At)).Text(l.Account).Bytes(l.Body).Int(key)
}

// Say adds a line of chat.
func (s *Store) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	if err := kept.Fits("bytes of a line", len(line.Body), store.LargestLine); err != nil {
		return store.ChatLine{}, err
	}
	var said store.ChatLine
	err := s.write(ctx, func(t *tx) (err error) {
		said, err = t.say(table, line, once)
		return err
	})
	if err != nil {
		return store.ChatLine{}, named(table, err)
	}
	return said, nil
}

func (t *tx) say(table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	h, err := t.head(table)
	if err != nil {
		return store.ChatLine{}, err
	}
	next, key := 0, int64(0)
	if err := t.rows("SELECT next FROM chats WHERE serial = ?", func(scan scan) error { return scan(&next) }, h.serial); err != nil {
		return store.ChatLine{}, err
	}
	if once.Key != "" {
		key, _ = once.Digest()
		var found *store.ChatLine
		if err := t.rows("SELECT serial, number, at, person, body, key, sum FROM lines WHERE serial = ? AND number >= ? AND key = ?", func(scan scan) error {
			said, err := scanLine(scan)
			found = &said
			return err
		}, h.serial, next-recently, key); err != nil {
			return store.ChatLine{}, err
		}
		switch {
		case found == nil:
		case found.Account != line.Account || !bytes.Equal(found.Body, line.Body):
			return store.ChatLine{}, store.ErrReused
		default:
			return *found, nil
		}
	}
	if _, err := t.account(line.Account); err != nil {
		return store.ChatLine{}, err
	}
	line.Number = next
	if err := t.exec("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)",
		h.serial, line.Number, store.Milli(line.At), line.Account, blob(line.Body), key, int64(lineSum(h.serial, &line, key))); err != nil {
		return store.ChatLine{}, err
	}
	if err := t.exec("INSERT OR REPLACE INTO chats VALUES (?, ?)", h.serial, next+1); err != nil {
		return store.ChatLine{}, err
	}
	line.At = store.Time(store.Milli(line.At)) // as it is read again
	return line, t.exec("DELETE FROM lines WHERE serial = ? AND number <= ?", h.serial, next-store.MostLines)
}

// Lines are lines of chat in order.
func (s *Store) Lines(ctx context.Context, table string, from, most int) ([]store.ChatLine, error) {
	list := []store.ChatLine{}
	err := s.rows(ctx, "SELECT serial, number, at, person, body, key, lines.sum FROM lines JOIN tables USING (serial) WHERE id = ? AND number >= ? ORDER BY number LIMIT ?", func(scan scan) error {
		l, err := scanLine(scan)
		list = append(list, l)
		return err
	}, table, from, page(most))
	if err != nil {
		return nil, named(table, err)
	}
	return list, nil
}

func scanLine(scan scan) (store.ChatLine, error) {
	var l store.ChatLine
	var serial, at, key, was int64
	if err := scan(&serial, &l.Number, &at, &l.Account, &l.Body, &key, &was); err != nil {
		return store.ChatLine{}, err
	}
	if l.At = store.Time(at); int64(lineSum(serial, &l, key)) != was {
		return store.ChatLine{}, &store.Damage{Number: -1, What: "a line of its chat does not have its checksum"}
	}
	return l, nil
}
