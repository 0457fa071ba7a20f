package sqlite

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a row, CRC-32C, fed value by value. What is fed says
// where it begins and ends, so that no two rows are fed alike.
type sum uint32

func (s sum) int(v int64) sum {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	return sum(crc32.Update(uint32(s), castagnoli, b[:]))
}

func (s sum) bytes(v []byte) sum {
	return sum(crc32.Update(uint32(s.int(int64(len(v)))), castagnoli, v))
}

func (s sum) text(v string) sum { return s.bytes([]byte(v)) }

// seated is a hash of who sits at the seats of a table and whether its game is
// over: what the rows of "seats" say, and their checksum.
func seated(sitting []string, over bool) int64 {
	h := fnv.New64a()
	for _, person := range sitting {
		h.Write([]byte(person))
		h.Write([]byte{0})
	}
	h.Write([]byte{byte(number(over))})
	return int64(h.Sum64())
}
