package table

import (
	"bytes"
	"testing"
)

// Wherever a log breaks off, Continue makes what followed.
func TestALogThatBreaksOffGoesOnAsItDid(t *testing.T) {
	t.Parallel()
	for name, seats := range map[string]int{"tiny": 3, "grandbois": 3, "treesociety": 2} {
		r, _ := finished(t, settings(name, seats))
		broken := 0
		for n := 1; n < len(r.log); n++ {
			cut, err := Open(shelf, r.keep, r.log[:n])
			if err != nil {
				t.Fatal(err)
			}
			if cut.now.due() {
				broken++
				if _, err := cut.Decide(Resign{somebody(0)}, cut.At()); keyOf(err) != "table.due" {
					t.Fatalf("%s, entry %d: somebody resigns before chance has drawn: %v", name, n, err)
				}
			}
			more, err := cut.Decide(Continue{}, cut.At())
			_, agreed := cut.Granted() // all have agreed to a step back
			if err != nil || len(more) > 0 != (cut.now.due() || agreed) {
				t.Fatalf("%s, entry %d: %d entries follow: %v", name, n, len(more), err)
			}
			for i := range more {
				if !bytes.Equal(more[i].Append(nil), r.log[n+i]) {
					t.Fatalf("%s: entry %d was\n%s\nand is\n%s", name, n+i, r.log[n+i], more[i].Append(nil))
				}
			}
		}
		if broken < 10 {
			t.Errorf("%s breaks off at %d places only", name, broken)
		}
	}
}
