package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"sync"
	"time"
)

// A packed log is the number of its format, the DEFLATE stream of what follows, and
// the CRC-32C of both before compression: how many entries; by how many
// milliseconds each is later than the one before; then each with a line feed behind
// it. Where an entry says its own time in digits, a byte 0 stands for them. A 1
// stands before a line feed, a 0 or a 1 that the entry says itself. So only what an
// entry does not have in common with others is left to compress.
const (
	packFormat = 1

	ownTime   = 0
	literally = 1
	entryEnds = '\n'
)

// largestPack is the most that a packed log may unpack to.
const largestPack = 64 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum is the checksum of everything that is kept: CRC-32C.
func Sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

var unpackers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// Shrink compresses bytes that will not change any more, or leaves them as they are
// where that is not worth it. The first byte says which.
func Shrink(b []byte) []byte {
	out := bytes.NewBuffer([]byte{1})
	if deflate(out, b) != nil || out.Len() > len(b) {
		return append([]byte{0}, b...)
	}
	return out.Bytes()
}

// Grow is what Shrink was given, which had at most so many bytes. Anything else is
// an error.
func Grow(b []byte, most int) ([]byte, error) {
	if len(b) > 0 && b[0] == 0 && len(b)-1 <= most {
		return b[1:], nil
	}
	if len(b) == 0 || b[0] != 1 {
		return nil, errors.New("store: bytes that were made smaller cannot be read")
	}
	return inflate(b[1:], most)
}

// deflate compresses bytes.
func deflate(out *bytes.Buffer, b []byte) error {
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(out)
	if _, err := w.Write(b); err != nil {
		return err
	}
	return w.Close()
}

// inflate is what was compressed, if it had at most so many bytes.
func inflate(b []byte, most int) ([]byte, error) {
	r := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(r)
	err := r.(flate.Resetter).Reset(bytes.NewReader(b), nil)
	var raw []byte
	if err == nil {
		raw, err = io.ReadAll(io.LimitReader(r, int64(most)+1))
	}
	if err != nil {
		return nil, fmt.Errorf("store: what was compressed cannot be read: %w", err)
	}
	if len(raw) > most {
		return nil, &TooLarge{What: "bytes of what was compressed", Size: len(raw), Most: most}
	}
	return raw, nil
}

// Pack makes one value of a whole log.
func Pack(log []Entry) ([]byte, error) {
	raw := binary.AppendUvarint(nil, uint64(len(log)))
	before := int64(0)
	for i, e := range log {
		if e.Number != i {
			return nil, fmt.Errorf("store: a log with entry %d in place of %d cannot be packed", e.Number, i)
		}
		at := Milli(e.At)
		raw = binary.AppendVarint(raw, at-before)
		before = at
	}
	for _, e := range log {
		raw = append(appendEntry(raw, e), entryEnds)
	}
	if len(raw) > largestPack || len(log) > LongestLog {
		return nil, &TooLarge{What: "bytes of a log to be packed", Size: len(raw), Most: largestPack}
	}
	out := bytes.NewBuffer([]byte{packFormat})
	if err := deflate(out, raw); err != nil {
		return nil, err
	}
	return binary.BigEndian.AppendUint32(out.Bytes(), packSum(packFormat, raw)), nil
}

// digits is a time as an entry would say it; nil where that is too short to be
// worth it.
func digits(milli int64) []byte {
	if milli < 1e9 {
		return nil
	}
	return strconv.AppendInt(nil, milli, 10)
}

func appendEntry(dst []byte, e Entry) []byte {
	own := digits(Milli(e.At))
	for rest := e.Body; len(rest) > 0; {
		if own != nil && bytes.HasPrefix(rest, own) {
			dst, rest = append(dst, ownTime), rest[len(own):]
			continue
		}
		if c := rest[0]; c == ownTime || c == literally || c == entryEnds {
			dst = append(dst, literally)
		}
		dst, rest = append(dst, rest[0]), rest[1:]
	}
	return dst
}

// Unpack is the log that was packed. Anything else is an error.
func Unpack(packed []byte) ([]Entry, error) {
	if len(packed) < 5 {
		return nil, errors.New("store: a packed log is cut short")
	}
	if packed[0] != packFormat {
		return nil, fmt.Errorf("store: a log is packed in format %d, and this Copse knows %d: start the one that packed it", packed[0], packFormat)
	}
	end := len(packed) - 4
	raw, err := inflate(packed[1:end], largestPack)
	if err != nil {
		return nil, err
	}
	if packSum(packed[0], raw) != binary.BigEndian.Uint32(packed[end:]) {
		return nil, errors.New("store: a packed log does not have its checksum")
	}
	return split(raw)
}

// split reads what Pack has put together.
func split(raw []byte) ([]Entry, error) {
	wrong := errors.New("store: a packed log is not put together as it should be")
	count, n := binary.Uvarint(raw)
	if n <= 0 || count > LongestLog || count > uint64(len(raw)) {
		return nil, wrong
	}
	raw = raw[n:]
	log, at := make([]Entry, count), int64(0)
	for i := range log {
		later, n := binary.Varint(raw)
		if n <= 0 {
			return nil, wrong
		}
		raw, at = raw[n:], at+later
		log[i].Number, log[i].At = i, Time(at)
	}
	bodies := make([]byte, 0, 2*len(raw))
	for i := range log {
		from, own := len(bodies), digits(Milli(log[i].At))
		for {
			if len(raw) == 0 || len(bodies)-from > LargestEntry || len(bodies) > largestPack {
				return nil, wrong
			}
			c := raw[0]
			raw = raw[1:]
			if c == entryEnds {
				break
			}
			switch {
			case c == ownTime && own != nil:
				bodies = append(bodies, own...)
				continue
			case c == ownTime || c == literally && len(raw) == 0:
				return nil, wrong
			case c == literally:
				c, raw = raw[0], raw[1:]
			}
			bodies = append(bodies, c)
		}
		log[i].Body = bodies[from:len(bodies):len(bodies)]
	}
	if len(raw) != 0 {
		return nil, wrong
	}
	return log, nil
}

func packSum(format byte, raw []byte) uint32 {
	return crc32.Update(Sum([]byte{format}), castagnoli, raw)
}

// Milli is a time as it is kept: milliseconds since 1970, 0 for the zero time.
func Milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is the time that Milli made a number of.
func Time(milli int64) time.Time {
	if milli == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milli).UTC()
}
