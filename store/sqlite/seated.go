package sqlite

import "hash/fnv"

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
