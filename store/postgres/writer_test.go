package postgres

import (
	"fmt"
	"slices"
	"testing"

	"copse/store"
)

// TestABatchHasEachTableOnce: of each table the first append goes into a batch, and of
// jobs with the same name; the others wait in the order in which they came. A batch is
// sorted, and neither too long nor too large.
func TestABatchHasEachTableOnce(t *testing.T) {
	add := func(table, job string, bytes int) *work {
		x := &work{a: &store.Append{Table: table, Entries: [][]byte{make([]byte, bytes)}}}
		if job != "-" {
			x.a.Jobs = []store.Job{{Kind: "pack", Name: job}}
		}
		return x
	}
	names := func(list []*work) (names []string) {
		for _, x := range list {
			names = append(names, x.a.Table)
		}
		return names
	}
	same := func(what string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	batch, later := choose([]*work{add("oak", "-", 1), add("elm", "x", 1), add("oak", "-", 1), add("ash", "x", 1), add("fir", "", 1), add("ash", "-", 1), add("box", "", 1), add("oak", "-", 1)})
	same("the batch", names(batch), []string{"box", "elm", "fir", "oak"})
	same("who waits", names(later), []string{"oak", "ash", "ash", "oak"})
	batch, later = choose(later)
	same("the next batch", names(batch), []string{"ash", "oak"})
	same("who still waits", names(later), []string{"ash", "oak"})

	var many []*work
	for i := range mostWorks + 5 {
		many = append(many, add(fmt.Sprintf("table-%05d", i), "-", 1))
	}
	if batch, later := choose(many); len(batch) != mostWorks || len(later) != 5 {
		t.Errorf("of many %d are taken, and %d wait", len(batch), len(later))
	}
	if batch, later := choose([]*work{add("a", "-", mostBytes+1), add("b", "-", 1)}); len(batch) != 1 || len(later) != 1 {
		t.Errorf("of large ones %d are taken, and %d wait", len(batch), len(later))
	}
}
