package table

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"copse/game"
)

// restored is the table of a rig's snapshot.
func restored(r *rig) *Table {
	r.Helper()
	t, err := Restore(shelf, r.keep, r.Snapshot())
	if err != nil {
		r.Fatalf("a snapshot of %d entries: %v", r.Len(), err)
	}
	return t
}

// bare is a state without its position, to be compared.
func bare(s state) state {
	s.pos = nil
	return s
}

// sameTable makes sure that two tables differ in nothing that can be asked of them.
func sameTable(r *rig, got *Table, viewers ...game.Seat) {
	r.Helper()
	same(r.TB, "the log", got.Log(), r.Table.Log())
	same(r.TB, "marks", got.trace, r.trace)
	same(r.TB, "the state", bare(got.now), bare(r.now))
	same(r.TB, "the beginning", got.start, r.start)
	same(r.TB, "settings", got.settings, r.settings)
	same(r.TB, "the commitment", got.commitment, r.commitment)
	same(r.TB, "states that are kept", len(got.stops), len(r.stops))
	for i := range got.stops {
		same(r.TB, "a state that is kept", bare(got.stops[i]), bare(r.stops[i]))
	}
	for _, viewer := range viewers {
		same(r.TB, "the look", got.Look(viewer), r.Look(viewer))
		same(r.TB, "what is told", got.Since(0, viewer), r.Since(0, viewer))
		was, _ := r.Record(viewer)
		is, _ := got.Record(viewer)
		same(r.TB, "the record", is, was)
	}
}

// TestGoingOnFromASnapshot: what follows at the restored table is what follows at
// the other. Random games make sure that nothing else tells the two apart.
func TestGoingOnFromASnapshot(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tiny", "bosk", "grandbois", "treesociety"} {
		for seed := range uint64(4) {
			seats := 2 + int(seed%3)
			r := begun(t, settings(name, seats), seats)
			rng, patience := newRand(seed, 5), 0
			for n := range 200 {
				if r.Over() {
					break
				}
				if n%25 == int(seed) {
					r.Table = restored(r)
				}
				if cmd := usual(r, rng, &patience); cmd != nil {
					_ = r.try(cmd)
				}
			}
			sameTable(r, r.again(), 0, 1, game.Watcher)
			sameTable(r, restored(r), 0, 1, game.Watcher)
		}
	}
}

// TestASnapshotBeforeTheGame restores a lobby, and a table that was closed there.
func TestASnapshotBeforeTheGame(t *testing.T) {
	r := open(t, settings("bosk", 3))
	sameTable(r, restored(r), game.Watcher)
	for range 40 {
		r.do(Sit{Person: Person{1}, Seat: 1, Nonce: Nonce{1}})
		r.do(Leave{Person{1}})
	}
	sameTable(r, restored(r), game.Watcher)
	r.wait(100 * 24 * time.Hour).do(Close{})
	sameTable(r, restored(r), game.Watcher)
}

// TestNothingIsMissingFromASnapshot fails when somebody adds a field and does not
// write it.
func TestNothingIsMissingFromASnapshot(t *testing.T) {
	for of, fields := range map[reflect.Type]int{
		reflect.TypeFor[state](): 15, reflect.TypeFor[chair](): 10, reflect.TypeFor[ask](): 5, reflect.TypeFor[waypoint](): 4, reflect.TypeFor[Table](): 15, // what was decided is of the moment, and in none
	} {
		if of.NumField() != fields {
			t.Errorf("%v has %d fields: write the new one into snapshots, raise their version, and count it here", of, of.NumField())
		}
	}
}

// TestAHarmedSnapshotIsNone: a snapshot is refused whichever byte is not as it was,
// and where it is of another table or another version.
func TestAHarmedSnapshotIsNone(t *testing.T) {
	r := played(t, "grandbois", 2, 40)
	good := r.Snapshot()
	for i := range good {
		for _, harm := range []byte{1, 0x80} {
			bad := bytes.Clone(good)
			bad[i] ^= harm
			if _, err := Restore(shelf, r.keep, bad); !errors.Is(err, ErrSnapshot) {
				t.Fatalf("byte %d is another, and it is answered %v", i, err)
			}
		}
	}
	for n := range len(good) {
		if _, err := Restore(shelf, r.keep, good[:n]); !errors.Is(err, ErrSnapshot) {
			t.Fatalf("cut after %d bytes it is answered %v", n, err)
		}
	}
	other := r.keep
	other.Secret[0]++
	if _, err := Restore(shelf, other, good); !errors.Is(err, ErrSnapshot) {
		t.Errorf("of another table: %v", err)
	}
	later := bytes.Clone(good[:len(good)-32])
	later[0] = snapshotVersion + 1
	if _, err := Restore(shelf, r.keep, append(later, r.keep.sign(later)...)); !errors.Is(err, ErrSnapshot) {
		t.Errorf("of a later version: %v", err)
	}
}

// FuzzRestore: whatever was signed is restored or refused.
func FuzzRestore(f *testing.F) {
	r := played(f, "bosk", 2, 30)
	packed := r.Snapshot()
	z := flate.NewReader(bytes.NewReader(packed[1 : len(packed)-32]))
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(z); err != nil {
		f.Fatal(err)
	}
	f.Add(raw.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(_ *testing.T, raw []byte) {
		got := &Table{shelf: shelf, keep: r.keep}
		if err := got.restore(raw); err == nil {
			_ = got.Look(game.Watcher)
		}
	})
}

// long is a table whose log has so many entries: people who go and come back, and
// turns taken back, more than in any game that people play.
func long(tb testing.TB, name string, entries int) *rig {
	tb.Helper()
	r := begun(tb, settings(name, 2), 2)
	rng := newRand(7, uint64(entries))
	for range 20 {
		r.turn(rng)
	}
	for r.Len() < entries {
		seat := r.now.toAct()
		moves := r.now.pos.Moves()
		r.do(Play{Person: r.person(seat), After: r.Last(), Moves: []json.RawMessage{moves[rng.IntN(len(moves))]}})
		if r.Over() {
			tb.Fatal("the game has ended")
		}
		r.do(TakeBack{Person: r.person(seat), To: -1})
		r.do(Answer{Person: r.person(1 - seat), For: Undo, Yes: true})
		r.do(Leave{r.person(seat)})
		r.do(Return{r.person(seat)})
	}
	return r
}

// BenchmarkRestore opens a table with a long log from its snapshot, and from the
// log alone.
func BenchmarkRestore(b *testing.B) {
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		r := long(b, name, MostEntries-100)
		b.Run(name+"/snapshot", func(b *testing.B) {
			shot := r.Snapshot()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Restore(shelf, r.keep, shot); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Len()), "entries")
			b.ReportMetric(float64(len(shot)), "bytes")
		})
		b.Run(name+"/log", func(b *testing.B) {
			for b.Loop() {
				if _, err := Open(shelf, r.keep, r.log); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/write", func(b *testing.B) {
			for b.Loop() {
				r.Snapshot()
			}
		})
	}
}

// TestASnapshotKnowsWhoRanOut: a seat that gets time again when the turn is over
// gets it at the restored table too.
func TestASnapshotKnowsWhoRanOut(t *testing.T) {
	r := begun(t, settings("tiny", 3), 3)
	r.clk, _, _ = r.Deadline()
	r.do(Timeout{})
	sameTable(r, restored(r), 0, 1, game.Watcher)
	r.Table = restored(r)
	r.turn(newRand(1, 11))
	if got := r.now.chairs[0].bank; got != length(Paces()[0].Back) {
		t.Errorf("after the turn %d are left", got)
	}
}
