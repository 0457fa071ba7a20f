package hall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"copse/store"
	"copse/table"
)

// calm is a table at which nobody is let go for being out of reach.
func calm() table.Settings {
	set := settings("grandbois", 2)
	set.Pace = table.Evening
	return set
}

// lengthen has a table's log grow to so many entries by people who go and come
// back, many at once, as no client can.
func (h *testHall) lengthen(id string, entries int, by Account) {
	h.Helper()
	r, err := h.enter(h.Context(), id)
	h.good(err)
	defer r.leave()
	for r.t.Len() < entries {
		var list []table.Entry
		seat := r.t.SeatOf(by.at(id))
		for range min(250, (entries-r.t.Len()+1)/2) {
			h.wait(17 * time.Millisecond)
			list = append(list, table.Entry{At: h.Hall.now(), Do: table.Left, Seat: seat}, table.Entry{At: h.Hall.now(), Do: table.Returned, Seat: seat})
		}
		_, err := r.carry(h.Context(), list, Account{}, store.Once{})
		h.good(err)
	}
}

// everything is all that a viewer can be shown of a table.
func everything(t testing.TB, h *Hall, id string, by Account) []byte {
	t.Helper()
	s, err := h.Look(t.Context(), id, by)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := h.Record(t.Context(), id, by)
	if err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal([]any{s.Look, rec})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < s.Look.Number; from += mostTold {
		list, err := h.Since(t.Context(), id, by, from, mostTold)
		if err != nil {
			t.Fatal(err)
		}
		for _, told := range list {
			all = append(all, told...)
		}
	}
	return all
}

// restored tells whether a hall opens a table from its snapshot.
func restored(h *testHall, hall *Hall, id string) bool {
	h.Helper()
	r, err := hall.enter(h.Context(), id)
	h.good(err)
	defer r.leave()
	return r.shot > 0
}

// TestALongLogIsOpenedFromASnapshot, also with what came after it, and nobody can
// tell the difference; a harmed, wrong or foreign one is passed over.
func TestALongLogIsOpenedFromASnapshot(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	id, other := h.begun(calm(), anna, ben), h.begun(calm(), anna, ben)
	for range 12 {
		h.move(id, anna, ben)
	}
	h.lengthen(id, longLog-10, ben)
	h.Sweep(t.Context())
	if _, ok, _ := h.store.Snapshot(t.Context(), id); ok {
		t.Error("a log that is not long has a snapshot")
	}
	h.lengthen(id, longLog+10, ben)
	h.lengthen(other, longLog+10, ben)
	h.Sweep(t.Context())
	good, ok, err := h.store.Snapshot(t.Context(), id)
	if err != nil || !ok {
		t.Fatalf("there is no snapshot: %v", err)
	}
	foreign, _, err := h.store.Snapshot(t.Context(), other)
	h.good(err)
	for range 6 {
		h.move(id, anna, ben)
	}
	h.Sweep(t.Context())
	if same, _, _ := h.store.Snapshot(t.Context(), id); same.Next != good.Next {
		t.Error("there is another snapshot after a few moves")
	}
	want := everything(t, h.Hall, id, anna)
	before := h.another()
	if !restored(h, before, id) {
		t.Error("the snapshot is not used")
	}
	if !bytes.Equal(everything(t, before, id, anna), want) {
		t.Error("the restored table is another")
	}

	flipped, shorter, longer := good, good, good
	flipped.Body = slices.Clone(good.Body)
	flipped.Body[len(good.Body)/2] ^= 1
	shorter.Next--
	longer.Next = 1 << 20
	later := good
	later.Body = append([]byte{good.Body[0] + 1}, good.Body[1:]...)
	for what, s := range map[string]store.Snapshot{
		"harmed": flipped, "of another table": foreign, "said to be shorter": shorter, "longer than the log": longer, "of another version": later,
		"of another history": h.stray(id, anna, ben), "nothing": {Next: good.Next}, "empty": {},
	} {
		h.good(h.store.SaveSnapshot(t.Context(), id, store.Snapshot{})) // one that has more would stay
		h.good(h.store.SaveSnapshot(t.Context(), id, s))
		next := h.another()
		if restored(h, next, id) {
			t.Errorf("a snapshot that is %s is used", what)
		}
		if !bytes.Equal(everything(t, next, id, anna), want) {
			t.Errorf("with a snapshot that is %s the table is another", what)
		}
		next.Sweep(t.Context()) // which makes it again
		if after := h.another(); !restored(h, after, id) {
			t.Errorf("after one that is %s no other is made", what)
		}
	}

	// It is the same table: a game goes on at it, and its proof holds.
	h.Hall = h.another()
	for h.move(id, anna, ben) {
	}
	raw, err := h.Export(t.Context(), id, anna)
	h.good(err)
	if _, err := table.Verify(h.shelf, raw); err != nil {
		t.Errorf("what was restored does not verify: %v", err)
	}
	want = everything(t, h.Hall, id, anna)
	h.Tend(t.Context()) // packs it
	if l, err := h.store.Table(t.Context(), id); err != nil || !l.Packed {
		t.Fatalf("it is not packed: %v", err)
	}
	if packed := h.another(); !restored(h, packed, id) || !bytes.Equal(everything(t, packed, id, anna), want) {
		t.Error("a packed log is not opened from its snapshot, or is another")
	}
	h.good(h.store.SaveSnapshot(t.Context(), id, store.Snapshot{}))
	packed := h.another()
	if restored(h, packed, id) || !bytes.Equal(everything(t, packed, id, anna), want) {
		t.Error("a packed log without a snapshot is another")
	}
	packed.Sweep(t.Context())
	if packed = h.another(); !restored(h, packed, id) {
		t.Error("a packed log that has lost its snapshot gets no other")
	}
}

// TestALongLogNeverLacksASnapshot, wherever the server dies: nobody has swept or
// stopped the hall, and what is opened anew goes on from a snapshot that is no
// more than a thousand entries old.
func TestALongLogNeverLacksASnapshot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // no time goes by: a chore ends in time on the slowest machine
		h := newTestHall(t)
		anna, ben := h.account("anna"), h.account("ben")
		id := h.begun(calm(), anna, ben)
		for entries := longLog; entries < 3*longLog; entries += 300 {
			h.lengthen(id, entries, ben)
			next := h.another()
			r, err := next.enter(t.Context(), id)
			h.good(err)
			if r.shot == 0 || r.t.Len()-r.shot >= longSince {
				t.Errorf("of %d entries the snapshot has %d", r.t.Len(), r.shot)
			}
			r.leave()
		}
		h.do(id, anna, func(p table.Person) table.Command { return table.Resign{Person: p} })
		h.Tend(t.Context())
		if l, err := h.store.Table(t.Context(), id); err != nil || !l.Packed || !restored(h, h.another(), id) {
			t.Errorf("a long log that is packed has no snapshot: %v", err)
		}
	})
}

// stray is a snapshot that this table's secret has signed, of what did not happen.
func (h *testHall) stray(id string, people ...Account) store.Snapshot {
	h.Helper()
	r, err := h.another().enter(h.Context(), id)
	h.good(err)
	defer r.leave()
	log := r.t.Log()
	t, err := table.Open(r.hall.shelf, r.t.Keep(), log[:longLog])
	h.good(err)
	entries, err := t.Decide(table.Suggest{Person: people[0].at(id), For: table.Pause}, t.At()+7)
	h.good(err)
	for _, e := range entries {
		_, err := t.Apply(e)
		h.good(err)
	}
	return store.Snapshot{Next: t.Len(), Body: t.Snapshot()}
}

// BenchmarkOpenLong is how long it takes until a table whose log has so many entries
// can be looked at: as games are, long, and as long as a log may become; with its
// snapshot, and where that is lost; while the game goes on, and packed.
func BenchmarkOpenLong(b *testing.B) {
	for _, entries := range []int{120, longLog - 1, table.MostEntries - 500} {
		h := newTestHall(b)
		anna, ben := h.account("anna"), h.account("ben")
		id := h.begun(calm(), anna, ben)
		for range 30 {
			h.move(id, anna, ben)
		}
		h.lengthen(id, entries, ben)
		open := func(b *testing.B) {
			for b.Loop() {
				if _, err := h.another().Look(b.Context(), id, anna); err != nil {
					b.Fatal(err)
				}
			}
		}
		shots := func(b *testing.B) { // as it is, and after the snapshot is lost
			if entries >= longLog {
				b.Run("snapshot", open)
				h.good(h.store.SaveSnapshot(b.Context(), id, store.Snapshot{}))
			}
			b.Run("log", open)
		}
		b.Run(fmt.Sprintf("entries=%d", entries), shots)
		if entries < longLog {
			continue
		}
		for _, by := range []Account{anna, ben} {
			h.do(id, by, func(p table.Person) table.Command { return table.Resign{Person: p} })
			if over, err := h.Look(b.Context(), id, anna); err != nil || over.Look.People.Phase == "over" {
				break
			}
		}
		h.Tend(b.Context())
		b.Run(fmt.Sprintf("entries=%d/packed", entries), shots)
	}
}
