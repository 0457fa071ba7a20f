package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	lib "modernc.org/sqlite/lib"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// keyed appends one entry under a key, for something that is asked.
func keyed(s *Store, table string, next int, key, asked string) error {
	_, err := s.Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{entryOf(table, next)}, Row: &store.Row{Game: "bosk"},
		Once: store.Once{Who: "anna", Key: key, Asked: []byte(asked), After: next}})
	return err
}

// remembered is what the writer remembers of keys: of how many tables, and whether
// their number is counted right.
func remembered(t *testing.T, s *Store) (tables, keys int) {
	t.Helper()
	if err := s.write(t.Context(), func(tx *tx) error {
		for _, u := range tx.used.of {
			keys += len(u.keys)
		}
		if tables = len(tx.used.of); keys != tx.used.keys {
			t.Errorf("%d keys are remembered and counted as %d", keys, tx.used.keys)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return tables, keys
}

// TestFewKeysAreRemembered: however many there are, a bounded number is in memory,
// and no key is taken for a new one because it is not among them.
func TestFewKeysAreRemembered(t *testing.T) {
	t.Parallel()
	s := openOn(t, disktest.New(t), location{gap: -1})
	const most = 10
	if err := s.write(t.Context(), func(tx *tx) error {
		tx.used.most = most
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for next := range 5 {
		for table := range 8 {
			if err := keyed(s, fmt.Sprint("table-", table), next, fmt.Sprint("key-", next), "a leaf"); err != nil {
				t.Fatal(err)
			}
			if _, keys := remembered(t, s); keys > most {
				t.Fatalf("%d keys are remembered", keys)
			}
		}
	}
	for table := range 8 {
		for next := range 5 {
			if err := keyed(s, fmt.Sprint("table-", table), 5, fmt.Sprint("key-", next), "a nut"); !errors.Is(err, store.ErrReused) {
				t.Errorf("a key that was used is answered %v", err)
			}
		}
	}
	if err := s.Drop(t.Context(), "table-7", 5); err != nil {
		t.Fatal(err)
	}
	if err := keyed(s, "table-7", 0, "key-1", "a nut"); err != nil {
		t.Errorf("a new table of the same name: %v", err)
	}
}

// TestAKeyThatWasNotWrittenIsNew: what was undone because the disk refused it is not
// remembered, whatever is written in its place; and what another process has
// written is not overlooked.
func TestAKeyThatWasNotWrittenIsNew(t *testing.T) {
	t.Parallel()
	d := disktest.New(t)
	s := openOn(t, d, location{gap: -1})
	for next := range 3 {
		if err := keyed(s, "oak", next, fmt.Sprint("key-", next), "a leaf"); err != nil {
			t.Fatal(err)
		}
	}
	d.Set(disktest.Times(1<<30, "write", "-wal", lib.SQLITE_IOERR_WRITE))
	if err := keyed(s, "oak", 3, "undone", "a leaf"); !errors.Is(err, store.ErrUnwritten) {
		t.Fatal(err)
	}
	d.Set(disktest.Never)
	if tables, _ := remembered(t, s); tables != 0 {
		t.Errorf("after a transaction was undone keys of %d tables are remembered", tables)
	}
	if err := keyed(s, "oak", 3, "undone", "a nut"); err != nil {
		t.Errorf("a key that was not written: %v", err)
	}

	other := reopen(t, s.file) // as another process that writes would
	if err := keyed(other, "oak", 4, "theirs", "a leaf"); err != nil {
		t.Fatal(err)
	}
	if err := keyed(s, "oak", 4, "theirs", "a nut"); !errors.Is(err, store.ErrReused) {
		t.Errorf("a key that another process has written, at a number that is past: %v", err)
	}
	if err := keyed(s, "oak", 5, "theirs", "a nut"); !errors.Is(err, store.ErrReused) {
		t.Errorf("a key that another process has written: %v", err)
	}
	if err := keyed(s, "oak", 5, "mine", "a nut"); err != nil {
		t.Error(err)
	}
	if err := s.write(t.Context(), func(tx *tx) error {
		if u := tx.used.of["oak"]; u == nil || u.next != 6 || len(u.keys) != 6 {
			t.Errorf("the log would be looked through again: %+v", u)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := other.Drop(t.Context(), "oak", 6); err != nil { // and another comes in its place
		t.Fatal(err)
	}
	for next := range 6 {
		if err := keyed(other, "oak", next, fmt.Sprint("new-", next), "a leaf"); err != nil {
			t.Fatal(err)
		}
	}
	if err := keyed(s, "oak", 6, "new-2", "a nut"); !errors.Is(err, store.ErrReused) {
		t.Errorf("a key of a table of the same name: %v", err)
	}
}
