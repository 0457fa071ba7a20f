package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"time"

	"copse/store"
	"copse/store/kept"
)

// keys is a row of "keys": those of a packed log.
type keys struct {
	list  []byte
	until int64
}

func (k *keys) sum(serial int64) kept.Sum { return kept.Sum(0).Int(serial).Bytes(k.list).Int(k.until) }

// keysSince are the keys of a log that are no older than a time, in brief.
func (s *Store) keysSince(ctx context.Context, serial int64, since time.Time) ([]byte, error) {
	var list []kept.Brief
	err := s.rows(ctx, "SELECT number, key, once FROM entries WHERE serial = ? AND at >= ? AND key <> 0 ORDER BY number", func(scan scan) error {
		k, err := scanKey(scan, serial)
		list = append(list, kept.BriefOf(k))
		return err
	}, serial, store.Milli(since))
	if err != nil {
		return nil, err
	}
	return kept.WriteBriefs(list), nil
}

// keysOf are the keys of a packed log that are still known.
func keysOf(rows asker, serial int64) (list []kept.Brief, err error) {
	err = rows("SELECT keys, until, sum FROM keys WHERE serial = ?", func(scan scan) error {
		var k keys
		var was int64
		if err := scan(&k.list, &k.until, &was); err != nil {
			return err
		}
		ok := int64(k.sum(serial)) == was
		if ok {
			list, ok = kept.ReadBriefs(k.list)
		}
		if !ok {
			return &store.Damage{Number: -1, What: "the keys of its packed log do not have their checksum"}
		}
		return nil
	}, serial)
	return list, err
}

// shorten rewrites the keys of packed logs that version 1 of the database wrote:
// four bytes of each key and two of what was asked, by how much the log had grown,
// and the answer with its length. What cannot be read stays, and is found damaged
// as before.
func shorten(tx *sql.Tx) error {
	type row struct {
		serial int64
		keys
	}
	var list []row
	rows, err := tx.Query("SELECT serial, keys, until, sum FROM keys")
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // what went wrong is told by Err
	for rows.Next() {
		var r row
		var was int64
		if err := rows.Scan(&r.serial, &r.list, &r.until, &was); err != nil {
			return err
		}
		known, ok := readBriefs1(r.list)
		if ok && int64(r.sum(r.serial)) == was {
			r.list = kept.WriteBriefs(known)
			list = append(list, r)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, r := range list {
		if _, err := tx.Exec("UPDATE keys SET keys = ?, sum = ? WHERE serial = ?", blob(r.list), int64(r.sum(r.serial)), r.serial); err != nil {
			return err
		}
	}
	return nil
}

// readBriefs1 reads the keys of a packed log as version 1 wrote them.
func readBriefs1(b []byte) (list []kept.Brief, ok bool) {
	till := 0
	for len(b) > 0 {
		if len(b) < 6 {
			return nil, false
		}
		k := kept.Brief{Mark: kept.Mark(binary.BigEndian.Uint32(b), binary.BigEndian.Uint16(b[4:]))}
		more, n := binary.Uvarint(b[6:])
		if n <= 0 || more == 0 || more > store.LongestLog {
			return nil, false
		}
		b = b[6+n:]
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return nil, false
		}
		till += int(more)
		k.Till, k.Answer = till, b[n:n+int(size)]
		list, b = append(list, k), b[n+int(size):]
	}
	return list, true
}

// keySum is where the checksum of a key begins: of which table and entry it is.
func keySum(serial int64, number int) kept.Sum { return kept.Sum(0).Int(serial).Int(int64(number)) }

// scanKey reads number, key and once of a row of "entries".
func scanKey(scan scan, serial int64) (kept.Key, error) {
	var number int
	var key int64
	var once []byte
	if err := scan(&number, &key, &once); err != nil {
		return kept.Key{}, err
	}
	return kept.ReadKey(keySum(serial, number), number, key, once)
}
