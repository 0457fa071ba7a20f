package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/postgres/pgtest"
)

// filled opens a database to put a copy into it.
func filled(t *testing.T, url, from string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, Options{Key: houseKey, Fill: from})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the tests close what they look into
	return s
}

var somebody = store.Piece{Account: &store.Account{ID: "anna", Name: "Anna", Born: store.Time(1)}}

// TestOneCopyAtATime: a second one does not begin before the first has ended, and what
// has lost its connection writes nothing more, though it goes on.
func TestOneCopyAtATime(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), database(t)
	server := pgtest.Shared(t)
	first := filled(t, url, "abc")
	type opened struct {
		s   *Store
		err error
	}
	second := make(chan opened, 1)
	go func() {
		s, err := Open(ctx, url, Options{Key: houseKey, Fill: "abc"})
		second <- opened{s, err}
	}()
	// The second one waits for the lock; the first then loses its connection.
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }() // it has only asked
	for waits := false; !waits; {
		select {
		case o := <-second:
			t.Fatalf("two copy into one database: %v", o.err)
		default:
		}
		if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Fill(ctx, somebody); err != nil {
		t.Fatal(err)
	}
	if err := server.Exec(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted) AND datname = current_database()"); err != nil {
		t.Fatal(err)
	}
	o := <-second
	if o.err != nil {
		t.Fatal(o.err)
	}
	defer func() { _ = o.s.Close() }() // it is closed below
	if err := first.Fill(ctx, store.Piece{Account: &store.Account{ID: "ghost", Born: store.Time(1)}}); err == nil {
		t.Error("who has lost the lock still writes")
	}
	if err := first.Settle(ctx); err == nil {
		t.Error("who has lost the lock settles the copy")
	}
	if err := errors.Join(o.s.Settle(ctx), o.s.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, url, Options{Key: houseKey})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Account(ctx, "anna"); err != nil {
		t.Errorf("what was copied is gone: %v", err)
	}
	if _, err := s.Account(ctx, "ghost"); !errors.Is(err, store.ErrNone) {
		t.Errorf("what came too late is there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestASecondCopyIsRefused where the first does not end.
func TestASecondCopyIsRefused(t *testing.T) {
	t.Parallel()
	url := database(t)
	filled(t, url, "abc")
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	prepare(config, Options{})
	if _, err := newFiller(t.Context(), config, "here", Options{Key: houseKey, Fill: "abc"}, "10ms"); !errors.Is(err, ErrFilled) {
		t.Errorf("a second copy is told %v", err)
	}
}

// TestACopyThatWasSettledTakesNothingMore: not even from who still has the lock.
func TestACopyThatWasSettledTakesNothingMore(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := filled(t, url, "abc")
	if err := pgtest.Shared(t).Exec(url, "UPDATE copse.house SET filling = ''"); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func() error{
		"fill":   func() error { return s.Fill(t.Context(), somebody) },
		"clear":  func() error { return s.Clear(t.Context()) },
		"settle": func() error { return s.Settle(t.Context()) },
	} {
		if err := do(); !errors.Is(err, errSettled) || !errors.Is(err, store.ErrUnwritten) {
			t.Errorf("%s is told %v", what, err)
		}
	}
}

// TestACopyIsBegunAnew: what was thrown away can be copied once more.
func TestACopyIsBegunAnew(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := filled(t, database(t), "abc")
	for range 2 {
		if err := errors.Join(s.Fill(ctx, somebody, store.Piece{Job: &store.Job{ID: 7, Kind: "pack"}})); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Pieces(ctx); err != nil || n != 3 {
			t.Errorf("%d pieces, %v", n, err)
		}
		if err := s.Clear(ctx); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Pieces(ctx); err != nil || n != 1 {
			t.Errorf("%d pieces are left, %v", n, err)
		}
	}
}

// TestNoCopyIntoWhatIsServed: neither where a node has said that it serves, nor where
// it has not said so yet: then the database refuses what it writes, and it ends.
func TestNoCopyIntoWhatIsServed(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), database(t)
	open := func() *Store {
		s, err := Open(ctx, url, Options{Key: houseKey})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // nothing was written that must be waited for
		if _, err := s.Time(ctx); err != nil {
			t.Fatal(err)
		}
		return s
	}
	node, reader := open(), open()
	if err := node.Present(ctx, store.Node{ID: "oak", Host: "here"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, url, Options{Key: houseKey, Fill: "abc"}); err == nil || !strings.Contains(err.Error(), "a node still serves this house, on here (oak)") {
		t.Errorf("a copy into what is served is told %v", err)
	}
	if other, err := Open(ctx, url, Options{Key: houseKey}); err != nil {
		t.Errorf("what was refused has changed the database: %v", err)
	} else if err := other.Close(); err != nil {
		t.Error(err)
	}
	if err := node.Absent(ctx, "oak"); err != nil {
		t.Fatal(err)
	}
	filled(t, url, "abc")
	select {
	case <-node.Failed():
		t.Error("it has ended by itself")
	default:
	}
	if _, err := node.Append(ctx, store.Append{Table: "oak", At: store.Time(1), Row: &store.Row{Game: "bosk"}, Entries: [][]byte{nil}}); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFilling) {
		t.Errorf("half a copy takes an append: %v", err)
	}
	<-node.Failed()
	if err := node.Failure(); !errors.Is(err, store.ErrFilling) {
		t.Errorf("it has failed for %v", err)
	}
	if _, err := node.Time(ctx); !errors.Is(err, store.ErrFilling) {
		t.Errorf("half a copy is read: %v", err)
	}
	if _, err := reader.Time(ctx); err == nil {
		t.Error("half a copy is read by who had it open")
	}
	<-reader.Failed()
}

// TestARefusedCopyChangesNothing: not the key of the database, nor whether it may be
// served.
func TestARefusedCopyChangesNothing(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), pgtest.Shared(t).Database(t, "", nil)
	s, err := Open(ctx, url, Options{}) // a house whose key nobody has named yet
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.AddAccount(ctx, *somebody.Account), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, url, Options{Key: houseKey, Fill: "abc"}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a house is written over: %v", err)
	}
	if taken, err := Taken(ctx, url); err != nil || taken {
		t.Errorf("what was refused has set the key: %v", err)
	}
	if s, err = Open(ctx, url, Options{}); err != nil {
		t.Fatalf("what was refused has changed the database: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestARefusedCopyMigratesNothing: what nodes of the version before serve stays theirs.
func TestARefusedCopyMigratesNothing(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), pgtest.Shared(t).Database(t, "", nil)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	prepare(config, Options{})
	if err := migrate(ctx, config, "old", migrations[:2], Options{Key: houseKey}); err != nil {
		t.Fatal(err)
	}
	if err := pgtest.Shared(t).Exec(url, "INSERT INTO copse.people VALUES ('anna', 1, 1, 0, 0, '', '', '')"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, url, Options{Key: houseKey, Fill: "abc"}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a house is written over: %v", err)
	}
	if is, _, err := peek(ctx, url); err != nil || is.version != 2 {
		t.Errorf("it is of version %d now, %v", is.version, err)
	}
}

// TestWhoHasItOpenLearnsThatItHasMoved: with the first thing that it writes, and when it
// connects anew; then nothing is read either.
func TestWhoHasItOpenLearnsThatItHasMoved(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), database(t)
	open := func() *Store {
		s, err := Open(ctx, url, Options{Key: houseKey})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // nothing was written that must be waited for
		if _, err := s.Time(ctx); err != nil {
			t.Fatal(err)
		}
		return s
	}
	reads, writes := open(), open()
	from, err := Look(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }() // it has only read
	hold, err := from.Hold(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := hold.Move(ctx, "the moon"); err != nil {
		t.Fatal(err)
	}
	if _, err := reads.Time(ctx); err == nil {
		t.Error("what has moved is still read")
	}
	if err := writes.AddAccount(ctx, *somebody.Account); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("what has moved takes somebody: %v", err)
	}
	for _, s := range []*Store{reads, writes} {
		<-s.Failed()
		if err := s.Failure(); !errors.Is(err, store.ErrMoved) || !strings.Contains(err.Error(), "to the moon") {
			t.Errorf("it has failed for %v", err)
		}
		if _, err := s.Account(ctx, "anna"); !errors.Is(err, store.ErrMoved) {
			t.Errorf("what has moved is still read: %v", err)
		}
	}
}

// TestNobodyCopiesHalfACopy: nor one that has moved meanwhile.
func TestNobodyCopiesHalfACopy(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), database(t)
	from, err := Look(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }() // it has only read
	into := filled(t, url, "abc")
	if _, err := from.Hold(ctx); !errors.Is(err, store.ErrFilling) {
		t.Errorf("half a copy is held: %v", err)
	}
	if err := errors.Join(into.Settle(ctx), into.Close()); err != nil {
		t.Fatal(err)
	}
	hold, err := from.Hold(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := hold.Move(ctx, "the moon"); err != nil {
		t.Fatal(err)
	}
	if _, err := from.Hold(ctx); !errors.Is(err, store.ErrMoved) {
		t.Errorf("what has moved is held: %v", err)
	}
}

// TestARoleThatMayMakeNothing is told so.
func TestARoleThatMayMakeNothing(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t, "", nil)
	if err := Prepare(t.Context(), asNobody(t, url)); !errors.Is(err, ErrRole) {
		t.Errorf("it is told %v", err)
	}
}

// asNobody is a database as a role reaches it that may make nothing there.
func asNobody(t *testing.T, url string) string {
	t.Helper()
	if err := pgtest.Shared(t).Exec(url, "DO $$ BEGIN CREATE ROLE nobody LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"); err != nil {
		t.Fatal(err)
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(url, "postgres://"+config.User+"@", "postgres://nobody@", 1)
}
