package sqlite

import (
	"hash/crc32"
	"hash/fnv"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a row, CRC-32C, fed value by value. Every value says where
// it begins and ends, so that no two rows are fed alike.
type sum uint32

// int and text go byte by byte: what the library is given it keeps on the heap, and
// a move has some thirty of them.
func (s sum) int(v int64) sum {
	c := ^uint32(s)
	for range 8 {
		c, v = castagnoli[byte(c)^byte(v)]^c>>8, v>>8
	}
	return sum(^c)
}

func (s sum) bytes(v []byte) sum {
	return sum(crc32.Update(uint32(s.int(int64(len(v)))), castagnoli, v))
}

func (s sum) text(v string) sum {
	c := ^uint32(s.int(int64(len(v))))
	for i := range len(v) {
		c = castagnoli[byte(c)^v[i]] ^ c>>8
	}
	return sum(^c)
}

// seated is a hash of who sits at the seats of a table and whether its game is
// over: what the rows of "seats" say, and their checksum.
func seated(sitting []string, over bool) int64 {
	h := fnv.New64a()
	for _, account := range sitting {
		h.Write([]byte(account))
		h.Write([]byte{0})
	}
	h.Write([]byte{byte(number(over))})
	return int64(h.Sum64())
}
