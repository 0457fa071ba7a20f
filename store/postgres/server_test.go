package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
	"copse/store/postgres/pgtest"
)

// own is a server for one test alone.
func own(t *testing.T, settings ...string) *pgtest.Server {
	t.Helper()
	server, err := pgtest.Start(settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// until asks until something is so. How long that takes is nobody's promise.
func until(t *testing.T, url, query string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // it was only to look
	for so := false; !so; {
		if err := conn.QueryRow(t.Context(), query).Scan(&so); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}

// standbyWaitedFor commits until a commit waits for the standby: the setting is known
// to those who commit some time after it was made.
func standbyWaitedFor(t *testing.T, url string) {
	t.Helper()
	look, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close(context.Background()) //nolint:errcheck // it was only to look
	for waits := false; !waits; {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = conn.Exec(context.Background(), "CREATE TABLE commit_that_waits (); DROP TABLE commit_that_waits") // it is ended, or has ended
		}()
		for ended := false; !ended && !waits; {
			if err := look.QueryRow(t.Context(), "SELECT count(*) > 0 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'", conn.PgConn().PID()).Scan(&waits); err != nil {
				t.Fatal(err)
			}
			select {
			case <-done:
				ended = true
			default:
			}
		}
		if waits {
			if _, err := look.Exec(t.Context(), "SELECT pg_terminate_backend($1)", int32(conn.PgConn().PID())); err != nil {
				t.Fatal(err)
			}
		}
		<-done
		_ = conn.Close(context.Background()) // it may be ended
	}
}

// TestNobodyCancelsACommit: while the standby is away a commit waits. Whoever hangs up
// meanwhile does not end that wait: what they sent is not seen before the standby has
// it. And where an operator ends the wait, nothing is acknowledged.
func TestNobodyCancelsACommit(t *testing.T) {
	t.Parallel()
	server := own(t, pgtest.Quick...)
	url := server.Database(t, "", nil)
	s, other := node(t, url, Options{}), node(t, url, Options{})
	if err := appended(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	if err := appended(s, "oak", 1); err != nil {
		t.Fatal(err)
	}
	if err := s.AddAccount(t.Context(), store.Account{ID: "ben"}); err != nil {
		t.Fatal(err)
	}
	standby := func(name string) {
		t.Helper()
		if err := server.Exec(url, "SET synchronous_commit = local", "ALTER SYSTEM SET synchronous_standby_names = '"+name+"'", "SELECT pg_reload_conf()"); err != nil {
			t.Fatal(err)
		}
		until(t, url, "SELECT current_setting('synchronous_standby_names') = '"+name+"'")
		if name != "" {
			standbyWaitedFor(t, url)
		}
	}
	waiting := func(n int) {
		t.Helper()
		until(t, url, fmt.Sprintf("SELECT count(*) = %d FROM pg_stat_activity WHERE wait_event = 'SyncRep'", n))
	}
	there := func(want int) {
		t.Helper()
		if log, err := other.Read(t.Context(), "oak", 0); err != nil || len(log) != want {
			t.Errorf("there are %d entries, want %d, %v", len(log), want, err)
		}
	}
	there(2) // over a connection that is open: while the standby is away none is made
	standby("far")
	ctx, hangUp := context.WithCancel(t.Context())
	answers := make(chan error)
	once := store.Once{Who: "anna", Key: "2"}
	go func() {
		_, err := s.Append(ctx, store.Append{Table: "oak", Next: 2, Entries: [][]byte{entryOf("oak", 2)}, Once: once})
		answers <- err
	}()
	go func() { answers <- s.AddAccount(ctx, store.Account{ID: "anna"}) }()
	waiting(2)
	hangUp()
	for range 2 {
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("who hangs up is told %v", err)
		}
	}
	waiting(2)
	there(2)
	if _, err := other.Account(t.Context(), "anna"); !errors.Is(err, store.ErrNone) {
		t.Errorf("somebody is seen whom the standby does not have: %v", err)
	}
	standby("")
	until(t, url, "SELECT count(*) = 3 FROM copse.entries")
	there(3)
	if _, ok, err := s.Answered(t.Context(), "oak", once); !ok || err != nil {
		t.Errorf("what was written is answered %v, %v", ok, err)
	}

	for _, end := range []string{"pg_cancel_backend", "pg_terminate_backend"} {
		if err := s.AddAccount(t.Context(), store.Account{ID: end}); err != nil { // likewise
			t.Fatal(err)
		}
		standby("far")
		log, err := other.Read(t.Context(), "oak", 0)
		if err != nil {
			t.Fatal(err)
		}
		go func() { answers <- appended(s, "oak", len(log)) }()
		go func() { answers <- s.SetAccount(t.Context(), store.Account{ID: "ben", Version: int64(len(log) - 3)}) }()
		waiting(2)
		if err := server.Exec(url, "SELECT "+end+"(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := <-answers; !errors.Is(err, store.ErrUnknown) {
				t.Errorf("after %s it is answered %v", end, err)
			}
		}
		standby("")
		if err := appended(s, "oak", len(log)); err != nil { // under the same key
			t.Errorf("after %s, asked again: %v", end, err)
		}
		there(len(log) + 1)
	}
}

// TestWhatTheStandbyLacksIsNotShown: a server that crashes while a commit waits for
// the standby has it when it is back, and the standby does not. Nobody is shown it, or
// told that it was written, before the standby has it too.
func TestWhatTheStandbyLacksIsNotShown(t *testing.T) {
	t.Parallel()
	settings := append([]string{"synchronous_standby_names=standby"}, pgtest.Quick...)
	first := own(t, settings...)
	conninfo := "host=" + filepath.Dir(first.Socket()) + " user=copse application_name="
	second, err := first.Standby(conninfo+"standby", settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Stop() })
	url := first.Database(t, "", nil)
	s := node(t, url, Options{})
	for n := range 2 {
		if err := appended(s, "oak", n); err != nil {
			t.Fatal(err)
		}
	}
	if err := second.Halt(false); err != nil {
		t.Fatal(err)
	}
	answer := make(chan error)
	go func() { answer <- appended(s, "oak", 2) }()
	until(t, url, "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
	if err := first.Restart(false); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; !errors.Is(err, store.ErrUnknown) {
		t.Errorf("what was not answered is told %v", err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the test is over
	var there int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM copse.entries").Scan(&there); err != nil || there != 3 {
		t.Fatalf("the server that has crashed shows %d entries, %v: this proves nothing", there, err)
	}
	shown := make(chan error)
	go func() {
		log, err := s.Read(t.Context(), "oak", 0)
		if err == nil {
			t.Errorf("%d entries are shown, and the standby has 2", len(log))
		}
		shown <- err
	}()
	until(t, url, "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'") // an operator cancels what waits for the standby
	if err := first.Exec(url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
		t.Fatal(err)
	}
	<-shown
	if err := appended(s, "oak", 2); err == nil { // again, under its key
		t.Error("it is acknowledged, and the standby does not have it")
	}
	if err := second.Resume(); err != nil {
		t.Fatal(err)
	}
	for { // as soon as the standby has caught up
		if log, err := s.Read(t.Context(), "oak", 0); err == nil {
			if len(log) != 3 {
				t.Errorf("%d entries are shown", len(log))
			}
			break
		}
	}
	if err := appended(s, "oak", 2); err != nil {
		t.Error(err)
	}
}

// TestACrashedServerLosesNothing crashes the database again and again while two nodes
// append at the same tables. What was acknowledged is there once, what was not
// written is not there.
func TestACrashedServerLosesNothing(t *testing.T) {
	t.Parallel()
	server := own(t, pgtest.Quick...)
	url := server.Database(t, "", nil)
	nodes := []*Store{node(t, url, Options{}), node(t, url, Options{})}
	const tables = 12
	crashes := 2
	if os.Getenv("COPSE_TORTURE") != "" {
		crashes = 40
	}
	for i := range tables {
		if err := appended(nodes[0], fmt.Sprint("oak-", i), 0); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var mu sync.Mutex
	acknowledged, unwritten, told := map[string]bool{}, map[string]bool{}, [2]int{}
	grown := make(chan struct{}, 1) // something was acknowledged
	for i := range 2 * tables {
		wg.Go(func() {
			s, table, next := nodes[i%2], fmt.Sprint("oak-", i/2), 1
			for n := 0; ctx.Err() == nil; n++ {
				word := fmt.Sprintf("%d.%d", i, n)
				receipt, err := s.Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{[]byte(word)}, Once: store.Once{Who: "x", Key: word, After: next}})
				var conflict *store.Conflict
				mu.Lock()
				switch {
				case err == nil:
					acknowledged[table+" "+word] = true
					next = receipt.Next
					select {
					case grown <- struct{}{}:
					default:
					}
				case errors.As(err, &conflict):
					next = conflict.Next
				case errors.Is(err, store.ErrUnwritten):
					unwritten[table+" "+word] = true
					told[0]++
				case errors.Is(err, store.ErrUnknown):
					told[1]++
				default: // a question that could not be asked, after an append that was not written
					told[0]++
				}
				mu.Unlock()
			}
		})
	}
	for range crashes {
		for range 20 {
			<-grown
		}
		if err := server.Restart(false); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		<-grown
	}
	stop()
	wg.Wait()
	for i := range tables {
		table := fmt.Sprint("oak-", i)
		log, err := nodes[0].Read(t.Context(), table, 0)
		if err != nil {
			t.Fatal(err)
		}
		times := map[string]int{}
		for _, e := range log[1:] {
			word := table + " " + string(e.Body)
			times[word]++
			if unwritten[word] {
				t.Errorf("%s was not written, and is there", word)
			}
			if times[word] > 1 {
				t.Errorf("%s is there %d times", word, times[word])
			}
		}
		for word := range acknowledged {
			if strings.HasPrefix(word, table+" ") && times[word] != 1 {
				t.Errorf("%s was acknowledged, and is there %d times", word, times[word])
			}
		}
	}
	if _, err := nodes[1].Check(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("figures: PostgreSQL crashed %d times under two nodes: %d appends were acknowledged, all are there once; %d were told to be unwritten and are not there, of %d nobody knew", crashes, len(acknowledged), told[0], told[1])
}

// TestSerialsBecomeVisibleInOrder: a table that is just being made keeps those with a
// later serial from being seen before it.
func TestSerialsBecomeVisibleInOrder(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	conn, err := pgx.Connect(t.Context(), url+"&search_path=copse")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the test is over
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	made := func(table string) *store.Append {
		return &store.Append{Table: table, Entries: [][]byte{entryOf(table, 0)}, Row: &store.Row{Game: "bosk", Listed: true}}
	}
	var b sheet
	b.add(made("first"), nil)
	if _, err := tx.Exec(t.Context(), foundQuery, b.args(founding)...); err != nil { // as another node does
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := s.Append(context.Background(), *made("second"))
		done <- err
	}()
	until(t, url, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
		OR EXISTS (SELECT 1 FROM copse.tables WHERE id = 'second')`)
	if list, err := s.Listed(t.Context(), "", 0, 10); err != nil || len(list) != 0 {
		t.Errorf("there are %d tables, %v", len(list), err)
	}
	if err := appended(s, "third", 5); !errors.Is(err, store.ErrNone) { // who makes no table waits for nobody
		t.Error(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if list, err := s.Listed(t.Context(), "", 0, 10); err != nil || len(list) != 2 || list[0].ID != "second" || list[1].ID != "first" {
		t.Errorf("tables are %v, %v", list, err)
	}
}

// TestNoTwoBatchesWaitForEachOther: two nodes append at the same tables at once, in
// batches, and the database never has to break a circle.
func TestNoTwoBatchesWaitForEachOther(t *testing.T) {
	t.Parallel()
	url := database(t)
	nodes := []*Store{node(t, url, Options{gap: time.Millisecond}), node(t, url, Options{gap: time.Millisecond})}
	for _, who := range []string{"anna", "ben"} {
		if err := nodes[0].AddAccount(t.Context(), store.Account{ID: who}); err != nil {
			t.Fatal(err)
		}
	}
	const tables, rounds = 40, 15
	var wg sync.WaitGroup
	for i := range tables {
		table := fmt.Sprint("table-", i*7%tables) // in no order
		if err := appended(nodes[0], table, 0); err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			wg.Go(func() {
				for next, won := 1, 0; won < rounds; {
					_, err := nodes[n].Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{entryOf(table, next)},
						Row: &store.Row{Game: "bosk", Sitting: [][]string{{"anna", "ben"}, {"ben", "anna"}}[next%2]}})
					var conflict *store.Conflict
					switch {
					case err == nil:
						next++
						won++
					case errors.As(err, &conflict):
						next = conflict.Next
					default:
						t.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	noCircles(t, url)
	for i := range tables {
		if log, err := nodes[0].Read(t.Context(), fmt.Sprint("table-", i), 0); err != nil || len(log) != 1+2*rounds {
			t.Errorf("table %d has %d entries, %v", i, len(log), err)
		}
	}
	if _, err := nodes[1].Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// noCircles fails if the database had to break a circle of those who wait.
func noCircles(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the test is over
	var circles int
	if err := conn.QueryRow(t.Context(), "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&circles); err != nil || circles != 0 {
		t.Errorf("the database has broken %d circles, %v", circles, err)
	}
}

// TestDeletingStandsInNoCircle: people are deleted while tables change at which they
// sit, and neither waits for the other for ever.
func TestDeletingStandsInNoCircle(t *testing.T) {
	t.Parallel()
	url := database(t)
	nodes := []*Store{node(t, url, Options{gap: time.Millisecond}), node(t, url, Options{gap: time.Millisecond})}
	const tables, rounds = 20, 8
	next := make([]int, tables)
	for round := range rounds {
		var guests []string
		for g := range 4 {
			guests = append(guests, fmt.Sprintf("guest-%d-%d", round, g))
			if err := nodes[g%2].AddAccount(t.Context(), store.Account{ID: guests[g]}); err != nil {
				t.Fatal(err)
			}
		}
		append := func(i int) error {
			table := fmt.Sprint("table-", i)
			_, err := nodes[i%2].Append(context.Background(), store.Append{Table: table, Next: next[i], Entries: [][]byte{entryOf(table, next[i])},
				Row: &store.Row{Game: "bosk", Sitting: []string{guests[(i+next[i])%4], guests[(i+next[i]+1)%4]}}})
			next[i]++
			return err
		}
		for i := range tables {
			if err := append(i); err != nil {
				t.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		for i := range tables {
			wg.Go(func() {
				for range 6 {
					if err := append(i); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for g, guest := range guests {
			wg.Go(func() {
				if err := nodes[g%2].DeleteAccount(context.Background(), guest); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	noCircles(t, url)
	if _, err := nodes[0].Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestOneRefusalFailsNobodyElse: an append that the database itself refuses is told
// so, and those that were sent with it are written.
func TestOneRefusalFailsNobodyElse(t *testing.T) {
	t.Parallel()
	url := database(t)
	if err := pgtest.Shared(t).Exec(url, "ALTER TABLE copse.entries ADD CHECK (body <> 'poison')"); err != nil {
		t.Fatal(err)
	}
	s := node(t, url, Options{gap: time.Second / 4}) // so that they come together, however slowly they set out
	for _, next := range []int{0, 1} {
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				table, body := fmt.Sprint("table-", i), []byte("leaf")
				if i == 7 && next == 1 || i == 8 && next == 0 {
					body = []byte("poison")
				}
				_, err := s.Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{body}, Row: &store.Row{Game: "bosk"}})
				switch {
				case i == 8 && next == 1:
					if !errors.Is(err, store.ErrNone) {
						t.Errorf("a table that was refused: %v", err)
					}
				case string(body) == "poison":
					if !errors.Is(err, store.ErrUnwritten) || errors.Is(err, store.ErrUnknown) {
						t.Errorf("what the database refuses is answered %v", err)
					}
				case err != nil:
					t.Errorf("beside it: %v", err)
				}
			})
		}
		wg.Wait()
	}
	if log, err := s.Read(t.Context(), "table-7", 0); err != nil || len(log) != 1 {
		t.Errorf("there are %d entries, %v", len(log), err)
	}
	if sent := s.grower.stmts; sent < 3 || sent > 45 {
		t.Errorf("%d statements were sent: the appends did not come together", sent)
	}
}

// behind has something done at another node and not yet committed, lets this one run
// into it, and commits it then.
func behind(t *testing.T, url string, other func(tx pgx.Tx) error, this func() error) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url+"&search_path=copse")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the test is over
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := other(tx); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- this() }()
	until(t, url, "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return <-done
}

// TestWhoSitsIsDecidedByTheLast: a row without an entry does not move the log on. One
// that is written elsewhere while an append waits for it changes the seats that the
// append has found: it must not be gone by what was there before.
func TestWhoSitsIsDecidedByTheLast(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	for _, who := range []string{"anna", "ben"} {
		if err := s.AddAccount(t.Context(), store.Account{ID: who}); err != nil {
			t.Fatal(err)
		}
	}
	for i, after := range [][]string{{"", ""}, {"anna", ""}, {"", "anna"}, {"ben", "anna"}} {
		table := fmt.Sprint("oak-", i)
		sit := func(next int, who []string, entries ...[]byte) store.Append {
			return store.Append{Table: table, Next: next, Entries: entries, Row: &store.Row{Game: "bosk", Sitting: who}}
		}
		for next := range 2 {
			if _, err := s.Append(t.Context(), sit(next, []string{"anna", ""}, entryOf(table, next))); err != nil {
				t.Fatal(err)
			}
		}
		var b sheet
		row := sit(2, []string{"anna", "ben"})
		b.add(&row, nil)
		if err := behind(t, url, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), growQuery, b.args(growing)...)
			return err
		}, func() error {
			_, err := s.Append(context.Background(), sit(2, after, entryOf(table, 2)))
			return err
		}); err != nil {
			t.Error(err)
		}
		if l, err := s.Table(t.Context(), table); err != nil || fmt.Sprint(l.Sitting) != fmt.Sprint(after) {
			t.Errorf("at the table sit %q, %v, want %q", l.Sitting, err, after)
		}
	}
	if _, err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestATableThatIsJustPackedIsDroppedWhole: nothing of it is left.
func TestATableThatIsJustPackedIsDroppedWhole(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	if err := appended(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	w, err := s.read(t.Context(), readWhole, "oak", 0)
	if err != nil {
		t.Fatal(err)
	}
	keys := kept.WriteBriefs([]kept.Brief{{Mark: 7, Till: 1}})
	packed, err := store.Pack(w.log)
	if err != nil {
		t.Fatal(err)
	}
	if err := behind(t, url, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), packQuery, "oak", w.next, w.sum, headSum("oak", w.next, true, w.changed), store.Shrink(w.about), store.Shrink(w.beside),
			[][]byte{packed}, packSum("oak", packed), keys, 1, keysSum("oak", keys, 1), w.changed, 0)
		return err
	}, func() error { return s.Drop(context.Background(), "oak", 1) }); err != nil {
		t.Error(err)
	}
	if _, err := s.Table(t.Context(), "oak"); !errors.Is(err, store.ErrNone) {
		t.Errorf("it is there: %v", err)
	}
	if _, err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestALogThatHasGrownIsNotPacked: an entry that is appended while a log is packed is
// not lost, though the row of its table says nothing else.
func TestALogThatHasGrownIsNotPacked(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	for next := range 2 {
		if err := appended(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	var b sheet
	b.add(&store.Append{Table: "oak", Next: 2, At: store.Time(1000), Entries: [][]byte{entryOf("oak", 2)}}, nil)
	if err := behind(t, url, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), growQuery, b.args(growing)...)
		return err
	}, func() error { return s.Pack(context.Background(), "oak", store.Time(2000)) }); err != nil {
		t.Error(err)
	}
	if log, err := s.Read(t.Context(), "oak", 0); err != nil || len(log) != 3 {
		t.Errorf("there are %d entries, %v", len(log), err)
	}
	if l, err := s.Table(t.Context(), "oak"); err != nil || !l.Packed {
		t.Errorf("it is %+v, %v", l, err)
	}
}
