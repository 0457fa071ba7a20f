package sqlite

import (
	"bytes"
	"reflect"
	"testing"

	"copse/store/kept"
)

// FuzzKeys: whatever the bytes, they are keys or not, and keys are written again as
// they were read, whichever version they are of.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{})
	f.Add(kept.WriteBriefs([]kept.Brief{{Mark: 1 << 20, Till: 3, Answer: []byte("yes")}, {Mark: 1<<24 - 1, Till: 9}, {Till: 50_000}}))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 2, 3, 'y', 'e', 's', 6, 5, 4, 3, 2, 1, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		for version, read := range []func([]byte) ([]kept.Brief, bool){readBriefs1, kept.ReadBriefs} {
			list, ok := read(b)
			if !ok {
				continue
			}
			again, ok := kept.ReadBriefs(kept.WriteBriefs(list))
			if !ok || len(again) != len(list) {
				t.Fatalf("%d keys of version %d have become %d", len(list), version+1, len(again))
			}
			for i, k := range again {
				if k.Mark != list[i].Mark || k.Till != list[i].Till || !bytes.Equal(k.Answer, list[i].Answer) {
					t.Errorf("key %d was %+v and is %+v", i, list[i], k)
				}
			}
		}
	})
}

// TestKeysOfVersion1AreTheSame: version 1 kept of a key and a question what is
// looked for now.
func TestKeysOfVersion1AreTheSame(t *testing.T) {
	list, ok := readBriefs1([]byte{0x12, 0x34, 0x56, 0x78, 0xab, 0xcd, 2, 3, 'y', 'e', 's', 0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0})
	want := []kept.Brief{{Mark: kept.MarkOf(0x12345678<<32|99, 0xabcd<<16|77), Till: 2, Answer: []byte("yes")}, {Mark: kept.MarkOf(-1, 5), Till: 3, Answer: []byte{}}}
	if !ok || !reflect.DeepEqual(list, want) {
		t.Errorf("they are %+v, %v, want %+v", list, ok, want)
	}
}
