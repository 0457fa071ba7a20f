package table

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"copse/game"
)

// TestGoingBackToAFork: a table goes back to a fork before every entry of a game,
// after it went on otherwise, and is in the end what its log says.
func TestGoingBackToAFork(t *testing.T) {
	r := begun(t, settings("grandbois", 2), 2)
	for rng := rand.New(rand.NewPCG(3, 4)); !r.Over(); {
		r.turn(rng)
	}
	log := r.Table.Log()
	if len(log) < 2*stride {
		t.Fatalf("a log of %d entries is too short", len(log))
	}
	now, err := Open(shelf, r.keep, log[:1])
	if err != nil {
		t.Fatal(err)
	}
	otherwise := 0
	for n := 1; n < len(log); n++ {
		fork := now.Fork()
		for _, seat := range []game.Seat{0, 1} {
			entries, err := now.Decide(Suggest{Person: now.Sitter(seat), For: Pause}, now.At()+1)
			if err != nil || len(entries) == 0 {
				continue
			}
			for _, e := range entries {
				if _, err := now.Apply(e); err != nil {
					t.Fatal(err)
				}
				otherwise++
			}
		}
		if now = fork; now.Len() != n {
			t.Fatalf("back before entry %d there are %d", n, now.Len())
		}
		if err := now.Extend(log[n]); err != nil {
			t.Fatal(err)
		}
	}
	if otherwise < stride {
		t.Errorf("it went on otherwise only %d times", otherwise)
	}
	if !bytes.Equal(now.Snapshot(), r.Snapshot()) {
		t.Error("it is not what its log says")
	}
	sameTable(r, now, 0, 1, game.Watcher)
}
