package kept

import (
	"encoding/binary"

	"copse/store"
)

// Brief is what is remembered of a key once its log is packed: three bytes made
// from the key and the question together. That is enough, as nothing can be
// appended any more: one in sixteen million new requests, for each append since
// what its sender has seen, would hear "done" in place of "over".
type Brief struct {
	Mark   uint32
	Till   int
	Answer []byte
}

// BriefOf is what is remembered of a key.
func BriefOf(k Key) Brief { return Brief{MarkOf(k.Key, k.Asked), k.Till, k.Answer} }

// MarkOf is made from a key and a question.
func MarkOf(key int64, asked uint32) uint32 { return Mark(uint32(uint64(key)>>32), uint16(asked>>16)) }

// Mark is made from the parts of a key and a question that count for it.
func Mark(key uint32, asked uint16) uint32 {
	return uint32(Sum(0).Int(int64(key)).Int(int64(asked))) >> 8
}

// WriteBriefs writes keys: for each its mark; then by how much the log had grown
// since the one before, twice, and one more where there is an answer; and then the
// answer with its length.
func WriteBriefs(list []Brief) []byte {
	var b []byte
	before := 0
	for _, k := range list {
		b = append(b, byte(k.Mark>>16), byte(k.Mark>>8), byte(k.Mark))
		more := uint64(k.Till-before) << 1
		if len(k.Answer) == 0 {
			b = binary.AppendUvarint(b, more)
		} else {
			b = binary.AppendUvarint(binary.AppendUvarint(b, more|1), uint64(len(k.Answer)))
			b = append(b, k.Answer...)
		}
		before = k.Till
	}
	return b
}

// ReadBriefs reads what WriteBriefs has written.
func ReadBriefs(b []byte) (list []Brief, ok bool) {
	till := 0
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, false
		}
		k := Brief{Mark: uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])}
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
			k.Answer, b = b[n:n+int(size)], b[n+int(size):]
		}
		till += int(more >> 1)
		k.Till = till
		list = append(list, k)
	}
	return list, true
}

// BriefReceipt looks for a repetition among the keys of a packed log.
func BriefReceipt(list []Brief, once store.Once) (store.Receipt, bool) {
	digest, asked := once.Digest()
	for _, k := range list {
		if k.Mark == MarkOf(digest, asked) && k.Till > once.After {
			return store.Receipt{Next: k.Till, Repeated: true, Answer: k.Answer}, true
		}
	}
	return store.Receipt{}, false
}
