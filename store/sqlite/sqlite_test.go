package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"copse/store"
	"copse/store/storetest"
)

// TestStore holds the adapter to every promise of a store.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() (store.Store, error) {
		file := filepath.Join(t.TempDir(), "copse.db")
		return func() (store.Store, error) {
			s, err := Open(file)
			return planted(s), err
		}
	})
}

// TestTwoWritersOfOneFile: as when two servers were started by mistake, one may
// have changed what the other remembers; neither loses or doubles anything.
func TestTwoWritersOfOneFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copse.db")
	both := []*Store{reopen(t, file), reopen(t, file)}
	next := 0
	for round := range 40 {
		mine, other := both[round%2], both[(round+1)%2]
		for range 1 + round%3 {
			if err := put(mine, "oak", next); err != nil {
				t.Fatal(err)
			}
			next++
		}
		var conflict *store.Conflict
		if err := put(other, "oak", next-1); !errors.As(err, &conflict) || conflict.Next != next {
			t.Fatalf("round %d: the other is told %v, and the log goes on at %d", round, err, next)
		}
	}
	table := fmt.Sprint("pack", next)
	for i, s := range both {
		if err := put(s, table, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := both[0].Pack(t.Context(), table, store.Time(1)); err != nil {
		t.Fatal(err)
	}
	if err := put(both[1], table, 2); !errors.Is(err, store.ErrOver) {
		t.Errorf("what one has packed, the other goes on with: %v", err)
	}
	if err := both[0].Drop(t.Context(), "oak", next); err != nil {
		t.Fatal(err)
	}
	if _, err := both[1].Append(t.Context(), store.Append{Table: "oak", Next: next, Entries: [][]byte{nil}}); !errors.Is(err, store.ErrNone) {
		t.Errorf("what one has dropped, the other goes on with: %v", err)
	}
	if _, err := both[1].Check(t.Context()); err != nil {
		t.Error(err)
	}
}
