package kept

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// FuzzSum: what is fed is CRC-32C of the numbers, least significant byte first,
// and of each text behind its length, as it lies in every database.
func FuzzSum(f *testing.F) {
	f.Add(int64(0), "")
	f.Add(int64(-1), "oak")
	f.Add(int64(1<<40+7), "Bosquet, über 8 bytes")
	f.Fuzz(func(t *testing.T, n int64, text string) {
		b := binary.LittleEndian.AppendUint64(nil, uint64(n))
		b = append(binary.LittleEndian.AppendUint64(b, uint64(len(text))), text...)
		want := Sum(crc32.Checksum(b, castagnoli))
		if by, in := Sum(0).Int(n).Text(text), Sum(0).Int(n).Bytes([]byte(text)); by != want || in != want {
			t.Errorf("the sums of %d and %q are %08x and %08x, want %08x", n, text, by, in, want)
		}
	})
}
