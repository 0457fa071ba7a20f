package sqlite

import (
	"bytes"
	"testing"
)

// FuzzKeys: whatever bytes there are, they are keys or they are not, and keys
// are written again as they were read.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{})
	f.Add(packKeys([]key{{key: 1 << 40, asked: 1 << 20, till: 3, answer: []byte("yes")}, {key: -1, till: 9}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, ok := unpackKeys(b)
		if !ok {
			return
		}
		for i := range list {
			list[i].key, list[i].asked = list[i].key<<32, list[i].asked<<16
		}
		again, ok := unpackKeys(packKeys(list))
		if !ok || len(again) != len(list) {
			t.Fatalf("%d keys have become %d", len(list), len(again))
		}
		for i, k := range again {
			if short, asked := shortKey(list[i].key, list[i].asked); k.key != short || k.asked != asked || k.till != list[i].till || !bytes.Equal(k.answer, list[i].answer) {
				t.Errorf("key %d was %+v and is %+v", i, list[i], k)
			}
		}
	})
}
