package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"copse/store"
)

// keyed appends one entry under a key, for something that is asked.
func keyed(s *Store, table string, next int, key, asked string) error {
	_, err := s.Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{entryOf(table, next)}, Row: &store.Row{Game: "bosk"},
		Once: store.Once{Who: "anna", Key: key, Asked: []byte(asked), After: next}})
	return err
}

// TestKeysOfOtherNodesAreNotOverlooked: a node remembers the keys of a log that it
// wrote to. What another has written since is looked through, from the first entry
// on; and another table of the same name is another table.
func TestKeysOfOtherNodesAreNotOverlooked(t *testing.T) {
	t.Parallel()
	url := database(t)
	s, other := node(t, url, Options{}), node(t, url, Options{})
	good := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for next := range 3 {
		good(keyed(s, "oak", next, fmt.Sprint("key-", next), "a leaf"))
	}
	for next := 3; next < 6; next++ {
		good(keyed(other, "oak", next, fmt.Sprint("theirs-", next), "a leaf"))
		if err := keyed(s, "oak", next+1, fmt.Sprint("theirs-", next), "a nut"); !errors.Is(err, store.ErrReused) {
			t.Errorf("a key that another node has written: %v", err)
		}
	}
	good(keyed(s, "oak", 6, "mine", "a nut"))
	for next := range 3 {
		good(keyed(s, "elm", next, fmt.Sprint("key-", next), "a leaf"))
	}
	good(keyed(other, "elm", 3, "theirs", "a leaf")) // the first that the other has written
	if err := keyed(s, "elm", 4, "theirs", "a nut"); !errors.Is(err, store.ErrReused) {
		t.Errorf("the first key that another node has written: %v", err)
	}

	// Another table comes in the place of one that is remembered.
	good(other.Drop(t.Context(), "oak", 7))
	for next := range 7 {
		good(keyed(other, "oak", next, fmt.Sprint("new-", next), "a leaf"))
	}
	if err := keyed(s, "oak", 7, "new-2", "a nut"); !errors.Is(err, store.ErrReused) {
		t.Errorf("a key of another table of the same name: %v", err)
	}
	if err := keyed(s, "oak", 7, "mine", "a leaf"); err != nil {
		t.Errorf("a key of the table that is gone: %v", err)
	}
}

// TestFewKeysAreRemembered: however many there are, a bounded number is in memory,
// and no key is taken for a new one because it is not among them.
func TestFewKeysAreRemembered(t *testing.T) {
	t.Parallel()
	s := node(t, database(t), Options{gap: -1})
	if err := keyed(s, "first", 0, "k", "a leaf"); err != nil {
		t.Fatal(err)
	}
	const most = 12
	s.grower.used.most = most // nobody appends to a log yet
	for next := range 5 {
		for table := range 6 {
			if err := keyed(s, fmt.Sprint("table-", table), next, fmt.Sprint("key-", next), "a leaf"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for table := range 6 {
		for next := range 5 {
			if err := keyed(s, fmt.Sprint("table-", table), 5, fmt.Sprint("key-", next), "a nut"); !errors.Is(err, store.ErrReused) {
				t.Errorf("a key that was used is answered %v", err)
			}
		}
	}
	if err := s.Close(); err != nil { // the writer has ended: what it remembers can be looked at
		t.Fatal(err)
	}
	u, keys := &s.grower.used, 0
	for _, one := range u.of {
		keys += len(one.keys) + 1
	}
	if keys != u.keys || keys > most {
		t.Errorf("%d keys are remembered and counted as %d", keys, u.keys)
	}
}
