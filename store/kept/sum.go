package kept

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum is the checksum of a row, CRC-32C, fed value by value. Every value says where
// it begins and ends, so that no two rows are fed alike.
type Sum uint32

// Int feeds a number. Int and Text go byte by byte: what the library is given it
// keeps on the heap, and a move has some thirty of them.
func (s Sum) Int(v int64) Sum {
	c := ^uint32(s)
	for range 8 {
		c, v = castagnoli[byte(c)^byte(v)]^c>>8, v>>8
	}
	return Sum(^c)
}

// Bytes feeds bytes behind their length.
func (s Sum) Bytes(v []byte) Sum {
	return Sum(crc32.Update(uint32(s.Int(int64(len(v)))), castagnoli, v))
}

// Text feeds a text behind its length.
func (s Sum) Text(v string) Sum {
	c := ^uint32(s.Int(int64(len(v))))
	for i := range len(v) {
		c = castagnoli[byte(c)^v[i]] ^ c>>8
	}
	return Sum(^c)
}
