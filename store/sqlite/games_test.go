package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"copse/games"
	"copse/store"
	"copse/store/storetest/played"
)

// TestAFinishedGameIsSmall keeps whole games of every kind, packs them as they end,
// and measures how much the file has grown for each: for everything that is kept of
// it, its keys too.
func TestAFinishedGameIsSmall(t *testing.T) {
	t.Parallel()
	if all := weighed(t).onDisk; all > 4096 {
		t.Errorf("a finished game takes %d bytes on average, and may take 4096", all)
	}
}

// BenchmarkFinishedGame reports the same as figures: bytes on average of the log,
// of the packed log, of the file with the index and the keys, and of the file when
// the keys are forgotten, a day after the end.
func BenchmarkFinishedGame(b *testing.B) {
	for b.Loop() {
		w := weighed(b)
		b.ReportMetric(float64(w.entries), "entries/game")
		b.ReportMetric(float64(w.raw), "log-bytes/game")
		b.ReportMetric(float64(w.packed), "packed-bytes/game")
		b.ReportMetric(float64(w.onDisk), "disk-bytes/game")
		b.ReportMetric(float64(w.later), "disk-bytes-later/game")
	}
}

// weight is how large finished games are on average.
type weight struct{ entries, raw, packed, onDisk, later int }

// copies is how often each game is kept: few games would largely fit into pages
// that an empty database has too.
const copies = 4

func weighed(t testing.TB) weight {
	t.Helper()
	var w weight
	var all []*played.Sitting
	for _, g := range games.All() {
		for seats := 2; seats <= 4; seats++ {
			for _, player := range []string{"random", "greedy"} {
				size := 0
				for number := range uint64(2) {
					one := played.Play(t, g, seats, player, number)
					log := one.Log()
					small, err := store.Pack(log)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range log {
						w.raw += len(e.Body)
					}
					w.entries += len(log)
					w.packed += len(small)
					size += len(small)
					all = append(all, one)
				}
				t.Logf("%s, %d seats, %s: %d bytes packed", g.About().Name, seats, player, size/2)
			}
		}
	}
	w.entries, w.raw, w.packed = w.entries/len(all), w.raw/len(all), w.packed/len(all)
	w.onDisk, w.later = onDisk(t, all, 0), onDisk(t, all, store.KeepKeys+time.Hour)
	t.Logf("%d games of %d entries and %d bytes on average: packed %d bytes, with the index and the keys %d bytes of the file, a day later %d",
		len(all), w.entries, w.raw, w.packed, w.onDisk, w.later)
	return w
}

// onDisk is how many bytes of the file a game takes on average that was packed so
// long after its end. Tables are made and packed in order, so that the file is the
// same every time; in between they are played all at once, as at a server.
func onDisk(t testing.TB, all []*played.Sitting, later time.Duration) int {
	t.Helper()
	s := newScale(t)
	each := func(do func(one *played.Sitting, id string) error) {
		t.Helper()
		for i := range copies * len(all) {
			if err := do(all[i%len(all)], fmt.Sprintf("%018d", i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	each(func(one *played.Sitting, id string) error { return one.Keep(s.Store, id, s.people, true) })
	var playing sync.WaitGroup
	errs := make(chan error, copies*len(all))
	each(func(one *played.Sitting, id string) error {
		playing.Go(func() { errs <- one.Keep(s.Store, id, s.people, false) })
		return nil
	})
	playing.Wait()
	each(func(*played.Sitting, string) error { return <-errs })
	each(func(one *played.Sitting, id string) error {
		if err := s.Pack(t.Context(), id, store.Time(int64(one.At[len(one.At)-1])).Add(later)); err != nil {
			return err
		}
		if log, err := s.Read(t.Context(), id, 0); err != nil || !reflect.DeepEqual(log, one.Log()) {
			return fmt.Errorf("a packed game of %s reads differently: %w", one.Game, err)
		}
		return nil
	})
	return s.grown(t) / (copies * len(all))
}

// scale is a store that is weighed.
type scale struct {
	*Store
	people []string
	empty  int
}

func newScale(t testing.TB) *scale {
	t.Helper()
	s := &scale{Store: reopen(t, filepath.Join(t.TempDir(), "copse.db"))}
	for i := range 5 {
		id := fmt.Sprintf("person%014d", i)
		s.people = append(s.people, id)
		if err := s.AddAccount(t.Context(), store.Account{ID: id, Name: "Somebody", Salt: make([]byte, 16)}); err != nil {
			t.Fatal(err)
		}
	}
	s.empty = s.weigh(t)
	return s
}

// weigh is how large the file is without gaps.
func (s *scale) weigh(t testing.TB) int {
	t.Helper()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(backup)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}

// grown is by how much it has become larger.
func (s *scale) grown(t testing.TB) int { return s.weigh(t) - s.empty }
