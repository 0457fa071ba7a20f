package sqlite

import (
	"encoding/binary"

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
// answer; nil where there is no key.
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
