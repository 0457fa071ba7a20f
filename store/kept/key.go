package kept

import (
	"encoding/binary"

	"copse/store"
)

// Key is what is remembered of an append that may be repeated.
type Key struct {
	Key    int64
	Asked  uint32
	Till   int // the number behind the append; 0 where there is no key
	Answer []byte
}

func (k *Key) sum(of Sum) Sum {
	return of.Int(k.Key).Int(int64(k.Asked)).Int(int64(k.Till)).Bytes(k.Answer)
}

// Write is what stands beside the key of an entry: checksum, question, number,
// answer; nothing where there is no key. The checksum goes on from one of which
// table and which entry it is.
func (k *Key) Write(of Sum) []byte {
	if k.Till == 0 {
		return []byte{}
	}
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 16+len(k.Answer)), uint32(k.sum(of)))
	b = binary.BigEndian.AppendUint32(b, k.Asked)
	return append(binary.AppendUvarint(b, uint64(k.Till)), k.Answer...)
}

// ReadKey reads the key of an entry, and what Write has written beside it. Anything
// else is a *store.Damage.
func ReadKey(of Sum, number int, key int64, once []byte) (Key, error) {
	if len(once) == 0 && key == 0 {
		return Key{}, nil
	}
	if len(once) > 8 {
		till, n := binary.Uvarint(once[8:])
		if k := (Key{Key: key, Asked: binary.BigEndian.Uint32(once[4:]), Till: int(till)}); n > 0 {
			k.Answer = once[8+n:]
			if uint32(k.sum(of)) == binary.BigEndian.Uint32(once) {
				return k, nil
			}
		}
	}
	return Key{}, &store.Damage{Number: number, What: "its key does not have its checksum"}
}

// Receipt looks for a repetition among the keys of a log that is not packed:
// store.ErrReused where the key was used for something else.
func Receipt(list []Key, once store.Once) (store.Receipt, bool, error) {
	digest, asked := once.Digest()
	reused := false
	for _, k := range list {
		switch {
		case k.Key != digest || k.Till == 0:
		case k.Asked != asked:
			reused = true
		default:
			return store.Receipt{Next: k.Till, Repeated: true, Answer: k.Answer}, true, nil
		}
	}
	if reused {
		return store.Receipt{}, false, store.ErrReused
	}
	return store.Receipt{}, false, nil
}
