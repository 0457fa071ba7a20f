package sqlite

import (
	"context"
	"encoding/binary"
	"time"

	"copse/store"
)

// key is what is remembered of an append that may be repeated.
type key struct {
	key    int64
	asked  uint32
	till   int // the number behind the append; 0 where there is no key
	answer []byte
}

func (k *key) sum(serial int64, number int) sum {
	return sum(0).int(serial).int(int64(number)).int(k.key).int(int64(k.asked)).int(int64(k.till)).bytes(k.answer)
}

// write is what stands beside the key in "entries": checksum, question, number,
// answer; nothing where there is no key.
func (k *key) write(serial int64, number int) []byte {
	if k.till == 0 {
		return []byte{}
	}
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 16+len(k.answer)), uint32(k.sum(serial, number)))
	b = binary.BigEndian.AppendUint32(b, k.asked)
	return append(binary.AppendUvarint(b, uint64(k.till)), k.answer...)
}

// scanKey reads number, key and once of a row of "entries".
func scanKey(scan scan, serial int64) (key, error) {
	var k key
	var number int
	var b []byte
	if err := scan(&number, &k.key, &b); err != nil {
		return key{}, err
	}
	if len(b) == 0 && k.key == 0 {
		return key{}, nil
	}
	if len(b) > 8 {
		till, n := binary.Uvarint(b[8:])
		if k.asked, k.till = binary.BigEndian.Uint32(b[4:]), int(till); n > 0 {
			k.answer = b[8+n:]
			if uint32(k.sum(serial, number)) == binary.BigEndian.Uint32(b) {
				return k, nil
			}
		}
	}
	return key{}, &store.Damage{Number: number, What: "its key does not have its checksum"}
}

// keys is a row of "keys": those of a packed log. Of each key it has four bytes,
// and two of what was asked. That is enough, as nothing can be appended any
// more: one in four billion new keys would hear "done" in place of "over".
type keys struct {
	list  []byte
	until int64
}

func (k *keys) sum(serial int64) sum { return sum(0).int(serial).bytes(k.list).int(k.until) }

func shortKey(key int64, asked uint32) (int64, uint32) {
	return int64(uint64(key) >> 32), asked >> 16
}

// packKeys writes keys down: for each as much as is kept of it and of the
// question, by how much the log had grown since the one before, and the answer.
func packKeys(list []key) []byte {
	var b []byte
	before := 0
	for _, k := range list {
		short, asked := shortKey(k.key, k.asked)
		b = binary.BigEndian.AppendUint32(b, uint32(short))
		b = binary.BigEndian.AppendUint16(b, uint16(asked))
		b = binary.AppendUvarint(b, uint64(k.till-before))
		b = binary.AppendUvarint(b, uint64(len(k.answer)))
		b = append(b, k.answer...)
		before = k.till
	}
	return b
}

// unpackKeys is what packKeys has written.
func unpackKeys(b []byte) (list []key, ok bool) {
	till := 0
	for len(b) > 0 {
		if len(b) < 6 {
			return nil, false
		}
		k := key{key: int64(binary.BigEndian.Uint32(b)), asked: uint32(binary.BigEndian.Uint16(b[4:]))}
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

// keysSince are the keys of a log that are no older than a time, packed.
func (s *Store) keysSince(ctx context.Context, serial int64, since time.Time) ([]byte, error) {
	var list []key
	err := s.rows(ctx, "SELECT number, key, once FROM entries WHERE serial = ? AND at >= ? AND key <> 0 ORDER BY number", func(scan scan) error {
		k, err := scanKey(scan, serial)
		list = append(list, k)
		return err
	}, serial, store.Milli(since))
	return packKeys(list), err
}

// readKeys are the keys that are still known of a packed log.
func readKeys(rows asker, serial int64) (list []key, err error) {
	err = rows("SELECT keys, until, sum FROM keys WHERE serial = ?", func(scan scan) error {
		var k keys
		var was int64
		if err := scan(&k.list, &k.until, &was); err != nil {
			return err
		}
		ok := int64(k.sum(serial)) == was
		if ok {
			list, ok = unpackKeys(k.list)
		}
		if !ok {
			return &store.Damage{Number: -1, What: "the keys of its packed log do not have their checksum"}
		}
		return nil
	}, serial)
	return list, err
}
