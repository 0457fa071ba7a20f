package postgres

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/postgres/pgtest"
	"copse/store/storetest/played"
)

// TestAFinishedGameIsSmall keeps whole games of every kind, packs them as they end,
// and measures how much the database has grown for each when nothing of it lies in
// gaps: for everything that is kept of it, its keys too.
func TestAFinishedGameIsSmall(t *testing.T) {
	t.Parallel()
	all := played.All(t)
	// Somebody who looks, as the vacuum that comes by itself does, keeps what is
	// deleted from going.
	server := own(t, append(pgtest.Quick, "autovacuum=off")...)
	now, later := onDisk(t, server.Database(t, "", nil), all, 0), onDisk(t, server.Database(t, "", nil), all, store.KeepKeys+time.Hour)
	t.Logf("%d games: %d bytes each with index, seats and keys, a day later %d", len(all), now, later)
	// As in SQLite, whose bound is 4096, and an eighth more: a row takes 28 bytes here
	// before it says anything, and a game has some eight.
	if now > 4096*9/8 {
		t.Errorf("a finished game takes %d bytes on average, and may take %d", now, 4096*9/8)
	}
	if later >= now {
		t.Errorf("a day later it takes %d bytes, and %d at the end: are there no keys?", later, now)
	}
}

// copies is how often each game is kept, before it is weighed for the first time and
// between that and the second: the first page of everything is not weighed.
const copies = 2

// onDisk is how many bytes a game takes on average that was packed so long after its
// end.
func onDisk(t *testing.T, url string, all []*played.Sitting, later time.Duration) int {
	t.Helper()
	s := node(t, url, Options{})
	var people []string
	for i := range 5 {
		id := fmt.Sprintf("person%014d", i)
		people = append(people, id)
		if err := s.AddAccount(t.Context(), store.Account{ID: id, Name: "Somebody", Salt: make([]byte, 16)}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	weigh := func() (bytes int) {
		t.Helper()
		if _, err := c.Exec(t.Context(), "VACUUM FULL"); err != nil {
			t.Fatal(err)
		}
		if err := c.QueryRow(t.Context(), "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'copse' AND c.relkind = 'r'").Scan(&bytes); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	var wg sync.WaitGroup
	first := 0
	for i := range 2 * copies * len(all) {
		if i == copies*len(all) {
			wg.Wait()
			first = weigh()
		}
		wg.Go(func() {
			one, id := all[i%len(all)], fmt.Sprintf("%018d", i)
			for _, first := range []bool{true, false} {
				if err := one.Keep(s, id, people, first); err != nil {
					t.Error(err)
					return
				}
			}
			if err := s.Pack(t.Context(), id, store.Time(int64(one.At[len(one.At)-1])).Add(later)); err != nil {
				t.Error(err)
			}
			if log, err := s.Read(t.Context(), id, 0); err != nil || !reflect.DeepEqual(log, one.Log()) {
				t.Errorf("a packed game of %s reads differently: %v", one.Game, err)
			}
		})
	}
	wg.Wait()
	second := weigh()
	return (second - first) / (copies * len(all))
}
