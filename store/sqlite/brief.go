package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"time"

	"copse/store"
)

// brief is what is remembered of a key once its log is packed: three bytes made
// from the key and the question together. That is enough, as nothing can be
// appended any more: one in sixteen million new requests, for each append since
// what its sender has seen, would hear "done" in place of "over".
type brief struct {
	mark   uint32
	till   int
	answer []byte
}

func markOf(key int64, asked uint32) uint32 { return mark(uint32(uint64(key)>>32), uint16(asked>>16)) }

func mark(key uint32, asked uint16) uint32 {
	return uint32(sum(0).int(int64(key)).int(int64(asked))) >> 8
}

// keys is a row of "keys": those of a packed log.
type keys struct {
	list  []byte
	until int64
}

func (k *keys) sum(serial int64) sum { return sum(0).int(serial).bytes(k.list).int(k.until) }

// writeBriefs writes keys: for each its mark; then by how much the log had grown
// since the one before, twice, and one more where there is an answer; and then the
// answer with its length.
func writeBriefs(list []brief) []byte {
	var b []byte
	before := 0
	for _, k := range list {
		b = append(b, byte(k.mark>>16), byte(k.mark>>8), byte(k.mark))
		more := uint64(k.till-before) << 1
		if len(k.answer) == 0 {
			b = binary.AppendUvarint(b, more)
		} else {
			b = binary.AppendUvarint(binary.AppendUvarint(b, more|1), uint64(len(k.answer)))
			b = append(b, k.answer...)
		}
		before = k.till
	}
	return b
}

// readBriefs reads what writeBriefs has written.
func readBriefs(b []byte) (list []brief, ok bool) {
	till := 0
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, false
		}
		k := brief{mark: uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])}
		more, n := binary.Uvarint(b[3:])
		if n <= 0 || more < 2 || more>>1 > store.LongestLog {
			return nil, false
		}
		b = b[3+n:]
		if more&1 != 0 {
			size, n := binary.Uvarint(b)
			if n <= 0 || size == 0 || size > uint64(len(b)-n) {
				return nil, false
			}
			k.answer, b = b[n:n+int(size)], b[n+int(size):]
		}
		till += int(more >> 1)
		k.till = till
		list = append(list, k)
	}
	return list, true
}

// keysSince are the keys of a log that are no older than a time, in brief.
func (s *Store) keysSince(ctx context.Context, serial int64, since time.Time) ([]byte, error) {
	var list []brief
	err := s.rows(ctx, "SELECT number, key, once FROM entries WHERE serial = ? AND at >= ? AND key <> 0 ORDER BY number", func(scan scan) error {
		k, err := scanKey(scan, serial)
		list = append(list, brief{markOf(k.key, k.asked), k.till, k.answer})
		return err
	}, serial, store.Milli(since))
	if err != nil {
		return nil, err
	}
	return writeBriefs(list), nil
}

// keysOf are the keys of a packed log that are still known.
func keysOf(rows asker, serial int64) (list []brief, err error) {
	err = rows("SELECT keys, until, sum FROM keys WHERE serial = ?", func(scan scan) error {
		var k keys
		var was int64
		if err := scan(&k.list, &k.until, &was); err != nil {
			return err
		}
		ok := int64(k.sum(serial)) == was
		if ok {
			list, ok = readBriefs(k.list)
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
			r.list = writeBriefs(known)
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
func readBriefs1(b []byte) (list []brief, ok bool) {
	till := 0
	for len(b) > 0 {
		if len(b) < 6 {
			return nil, false
		}
		k := brief{mark: mark(binary.BigEndian.Uint32(b), binary.BigEndian.Uint16(b[4:]))}
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
		k.till, k.answer = till, b[n:n+int(size)]
		list, b = append(list, k), b[n+int(size):]
	}
	return list, true
}
