package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/move"
	"copse/store/postgres"
	"copse/store/postgres/pgtest"
	"copse/store/sqlite"
)

// keyed is a data folder with a house in it that nobody serves, and the key of it.
func keyed(t *testing.T) (folder, key string) {
	t.Helper()
	folder = fresh(t)
	key = filepath.Join(folder, keyName)
	if _, _, err := serverKey(key); err != nil {
		t.Fatal(err)
	}
	return folder, key
}

// halfWay copies some of a house, and is killed.
func halfWay(t *testing.T, from, to string) {
	t.Helper()
	ctx := t.Context()
	kept, err := sqlite.Look(filepath.Join(from, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	key, err := readKey(filepath.Join(from, keyName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var into interface {
		store.Mover
		Close() error
	}
	if isDatabase(to) {
		into, err = postgres.Open(ctx, to, postgres.Options{Key: key, Fill: houseIn(t, from)})
	} else {
		into, err = sqlite.Open(halfName(to, houseIn(t, from)))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := joined(move.Copy(ctx, kept, into, func(int, int) {}), into.Close(), kept.Close()); err != nil {
		t.Fatal(err)
	}
}

// lists are the names in a folder.
func lists(t *testing.T, folder string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// TestHalfACopyIsNoHouse: nobody serves it, copies it away, backs it up or restores
// something into it, and another house does not go there either.
func TestHalfACopyIsNoHouse(t *testing.T) {
	t.Parallel()
	from, key := keyed(t)
	to := pgtest.Shared(t).Database(t, "", nil)
	halfWay(t, from, to)
	const half = "a copy into this database is not finished"
	away := filepath.Join(t.TempDir(), "away")
	fails(t, half, "copy", "--from", to, "--to", away, "--key", key)
	fails(t, half, "backup", t.TempDir(), "--store", to, "--data", from)
	fails(t, half, "export", "t0", "--store", to)
	fails(t, half, "nodes", "--store", to)
	if list := lists(t, away); len(list) > 0 {
		t.Errorf("what was refused has made %v", list)
	}
	kept := filepath.Join(t.TempDir(), "kept.db")
	runs(t, "backup", kept, "--data", fresh(t))
	fails(t, half, "restore", kept, "--store", to)

	folder := t.TempDir()
	halfWay(t, from, folder)
	of := "a copy into " + folder + " is not finished: run copse copy again as before, or delete " + halfName(folder, houseIn(t, from))
	before := lists(t, folder)
	fails(t, of, "serve", "--addr", "127.0.0.1:0", "--data", folder)
	fails(t, of, "copy", "--from", folder, "--to", pgtest.Shared(t).Database(t, "", nil))
	fails(t, of, "backup", t.TempDir(), "--data", folder)
	fails(t, of, "restore", kept, "--data", folder)
	fails(t, of, "copy", "--from", fresh(t), "--to", folder)
	if after := lists(t, folder); fmt.Sprint(after) != fmt.Sprint(append(before, "lock")) {
		t.Errorf("there were %v, and are %v", before, after)
	}
	runs(t, "copy", "--from", from, "--to", folder)
	if list := strings.Join(lists(t, folder), " "); list != "copse.db key lock" {
		t.Errorf("at the end there are %s", list)
	}
}

// TestNoCopyWhereANodeServes, with the key of the house, over a database that is empty.
func TestNoCopyWhereANodeServes(t *testing.T) {
	t.Parallel()
	from, key := keyed(t)
	q := newQuarter(t)
	q.key, q.args = key, []string{"--push=off"} // which leaves the database empty
	a := q.node(q.store, q.news)
	// It says so with its first beat, and that may not have been yet.
	if err := pgtest.Shared(t).Exec(q.store, "INSERT INTO copse.nodes VALUES ('oak', 1, (extract(epoch FROM clock_timestamp()) * 1000)::int8, 0, -1, '', 'here')"); err != nil {
		t.Fatal(err)
	}
	fails(t, "a node still serves this house", "copy", "--from", from, "--to", q.store)
	if status, _, body := a.ask("/readyz"); status != http.StatusOK {
		t.Errorf("the node is %d, %s", status, body)
	}
	// It stands still, so that nobody knows of it.
	if err := joined(a.cmd.Process.Signal(syscall.SIGSTOP), pgtest.Shared(t).Exec(q.store, "DELETE FROM copse.nodes")); err != nil {
		t.Fatal(err)
	}
	halfWay(t, from, q.store)
	if err := a.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Wait(); err == nil {
		t.Error("it ends in peace")
	}
	if told := fmt.Sprint(a.cmd.Stderr); !strings.Contains(told, "a copy is being put into the database, and the node stops") {
		t.Errorf("it says %s", told)
	}
	runs(t, "copy", "--from", from, "--to", q.store)
}

// TestANodeThatStoodStillEnds when its house has moved meanwhile, and says where to.
func TestANodeThatStoodStillEnds(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a := q.node(q.store, q.news)
	people := []*guest{{served: a}, {served: a}}
	id := together(t, "bosk", people...)
	people[0].try("GET", "/api/tables/"+id, "", "")
	if err := joined(a.cmd.Process.Signal(syscall.SIGSTOP), pgtest.Shared(t).Exec(q.store, "DELETE FROM copse.nodes")); err != nil {
		t.Fatal(err)
	}
	back := filepath.Join(t.TempDir(), "back")
	runs(t, "copy", "--from", q.store, "--to", back, "--key", q.key)
	if err := a.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if r, err := http.Get(a.url + "/api/tables/" + id); err == nil { // what it remembers
		if r.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("it shows the old house: %d", r.StatusCode)
		}
		_ = r.Body.Close() // nothing is read
	}
	if err := a.cmd.Wait(); err == nil {
		t.Error("it ends in peace")
	}
	if told := fmt.Sprint(a.cmd.Stderr); !strings.Contains(told, "this house has moved to "+back+": serve it from there") {
		t.Errorf("it says %s", told)
	}
}

// TestACopyThatIsLost is not taken for one that waits: what is empty is not let be
// served in its place.
func TestACopyThatIsLost(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	const lost = "and the copy is not there"

	from, _ := keyed(t)
	to := filepath.Join(t.TempDir(), "to")
	runs(t, "copy", "--from", from, "--to", to)
	fails(t, "there is nothing to copy any more", "copy", "--from", from, "--to", to)
	if err := os.Rename(to, to+".lost"); err != nil {
		t.Fatal(err)
	}
	fails(t, lost, "copy", "--from", from, "--to", to)
	if list := lists(t, to); len(list) > 0 {
		t.Errorf("what was refused has made %v", list)
	}

	from, _ = keyed(t)
	base := server.Database(t, "", nil)
	runs(t, "copy", "--from", from, "--to", base)
	config, err := pgx.ParseConfig(base)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Exec(server.URL("postgres"), "DROP DATABASE "+config.Database+" WITH (FORCE)", "CREATE DATABASE "+config.Database); err != nil {
		t.Fatal(err)
	}
	fails(t, lost, "copy", "--from", from, "--to", base)
	untouched(t, base)

	// What waits there must be the copy: here it is another house, half-way.
	halfWay(t, from, base)
	if err := server.Exec(base, "SET copse.fills = '"+houseIn(t, from)+"'", "DELETE FROM copse.entries WHERE serial = 2", "DELETE FROM copse.tables WHERE serial = 2"); err != nil {
		t.Fatal(err)
	}
	fails(t, "is missing", "copy", "--from", from, "--to", base)
	if _, err := postgres.Open(t.Context(), base, postgres.Options{}); !errors.Is(err, store.ErrFilling) {
		t.Errorf("what is not the copy is opened: %v", err)
	}
}

// untouched says that a database has nothing of Copse in it.
func untouched(t *testing.T, url string) {
	t.Helper()
	if err := pgtest.Shared(t).Exec(url, "DO $$ BEGIN ASSERT to_regnamespace('copse') IS NULL; END $$"); err != nil {
		t.Errorf("what was refused has made something: %v", err)
	}
}

// TestARefusedCopySpoilsNothing: where it was to go is as it was.
func TestARefusedCopySpoilsNothing(t *testing.T) {
	t.Parallel()
	from, _ := keyed(t)
	runs(t, "copy", "--from", from, "--to", filepath.Join(t.TempDir(), "to"))
	base, folder := pgtest.Shared(t).Database(t, "", nil), filepath.Join(t.TempDir(), "other")
	fails(t, "has moved to", "copy", "--from", from, "--to", base)
	untouched(t, base)
	fails(t, "has moved to", "copy", "--from", from, "--to", folder)
	if _, err := os.Lstat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was refused has made the folder: %v", err)
	}
	fails(t, "this house has moved to", "backup", t.TempDir(), "--data", from)
	// A backup that was made of it all the same brings no second house about.
	fails(t, "this house has moved to", "restore", filepath.Join(from, databaseName), "--store", base)
	untouched(t, base)
	fails(t, "this house has moved to", "restore", filepath.Join(from, databaseName), "--data", filepath.Join(t.TempDir(), "again"))
}

// TestNoBackupOfADatabaseThatHasMoved.
func TestNoBackupOfADatabaseThatHasMoved(t *testing.T) {
	t.Parallel()
	from, key := keyed(t)
	base := pgtest.Shared(t).Database(t, "", nil)
	runs(t, "copy", "--from", from, "--to", base)
	runs(t, "copy", "--from", base, "--to", filepath.Join(t.TempDir(), "back"), "--key", key)
	fails(t, "make the backup there", "backup", t.TempDir(), "--store", base, "--data", from)
}

// TestACopyGoesOnThoughTheHouseDidToo: it was broken off, the house was served on, and
// the copy is made again. What was copied before is not what it is now.
func TestACopyGoesOnThoughTheHouseDidToo(t *testing.T) {
	t.Parallel()
	for kind, to := range map[string]string{"file": t.TempDir(), "database": pgtest.Shared(t).Database(t, "", nil)} {
		from, _ := keyed(t)
		halfWay(t, from, to)
		s, err := sqlite.Open(filepath.Join(from, databaseName))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Append(t.Context(), store.Append{Table: "t1", Next: 1, At: store.Time(2), Entries: [][]byte{[]byte("{}")}})
		if err := joined(err, s.Drop(t.Context(), "t0", 1), s.Close()); err != nil {
			t.Fatal(err)
		}
		out, told, code := copse(t, "", "copy", "--from", from, "--to", to)
		if code != 0 || !strings.Contains(told, "everything is copied anew") || !strings.Contains(out, "2 tables (") || !strings.Contains(out, "with 3 entries") {
			t.Errorf("%s: exit code %d\n%s%s", kind, code, out, told)
		}
		fails(t, "this house has moved", "serve", "--addr", "127.0.0.1:0", "--data", from)
	}
}

// TestACopyThatIsNoGood says what to do away with.
func TestACopyThatIsNoGood(t *testing.T) {
	t.Parallel()
	folder, _ := keyed(t)
	from, err := copyCommand{From: folder}.folderSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.close() }() // it has only read
	for to, want := range map[string]string{t.TempDir(): "delete /", pgtest.Shared(t).Database(t, "", nil): "drop the database"} {
		for times := 1; times <= 2; times++ { // it begins anew where there was something before
			into, err := copyCommand{To: to}.target(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			err = into.fill(t.Context(), from, func() error {
				compared++
				return &move.Differs{Piece: "table t0", What: "is not the same"}
			})
			if err == nil || !strings.Contains(err.Error(), "the copy of table t0 is not the same: nothing has moved; check both disks, then "+want) || compared != times {
				t.Errorf("%s: compared %d times, and it is told %v", to, compared, err)
			}
			if err := into.close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAKeyThatOthersCanRead is refused by a node, and by what takes it from one.
func TestAKeyThatOthersCanRead(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	q.node(q.store, q.news).stop()
	folder := t.TempDir()
	file := filepath.Join(folder, keyName)
	if err := joined(os.WriteFile(file, read(t, q.key), 0o600), os.Chmod(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	want := "others can read " + file + ": chmod 600"
	fails(t, want, "serve", "--addr", "127.0.0.1:0", "--data", folder, "--store", q.store, "--news", "nats://"+q.news)
	fails(t, want, "backup", t.TempDir(), "--store", q.store, "--data", folder)
	fails(t, want, "copy", "--from", q.store, "--to", filepath.Join(t.TempDir(), "to"), "--key", file)
}

// TestNoKeyWithoutAHouse: a node whose role may make nothing in the database makes no
// key either, and says what is wrong.
func TestNoKeyWithoutAHouse(t *testing.T) {
	t.Parallel()
	base := pgtest.Shared(t).Database(t, "", nil)
	if err := pgtest.Shared(t).Exec(base, "DO $$ BEGIN CREATE ROLE nobody LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), keyName)
	_, _, err := partsFlags{Store: strings.Replace(base, "copse@", "nobody@", 1)}.openStore(t.Context(), file)
	if whyNot(err) != "The database does not let the role of this node make what it needs: see the log of the server." || isFinal(err) {
		t.Errorf("it is told %v", err)
	}
	if list := lists(t, filepath.Dir(file)); len(list) > 0 {
		t.Errorf("it has made %v", list)
	}
}

// TestKilledWhileItCopies: a copy is killed at chosen moments, in the middle and between
// the last two steps, and is whole at the end.
func TestKilledWhileItCopies(t *testing.T) {
	t.Parallel()
	ctx, folder := t.Context(), t.TempDir()
	from, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	const tables = 1500
	var pieces []store.Piece
	for i := range tables {
		pieces = append(pieces, store.Piece{Table: &store.Whole{
			Listing: store.Listing{ID: fmt.Sprint("t", i), Serial: int64(i + 1), Next: 1, Changed: store.Time(1), Row: store.Row{Game: "bosk"}},
			Log:     []store.Entry{{At: store.Time(1), Body: []byte("{}")}},
		}})
	}
	if err := joined(from.Fill(ctx, pieces...), from.Close()); err != nil {
		t.Fatal(err)
	}
	to := pgtest.Shared(t).Database(t, "", nil)
	if err := postgres.Prepare(ctx, to); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(ctx, to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }() // the database goes with the test
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := conn.Exec(ctx, query, args...); err != nil {
			t.Fatal(err)
		}
	}
	// At table number "at", or where it is to be served if that is 0, the copy waits
	// for a lock.
	const lock = 42
	do("CREATE TABLE public.stop (at bigint)")
	do("INSERT INTO public.stop VALUES (-1)")
	do(`CREATE FUNCTION public.stops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF (SELECT at FROM public.stop) = coalesce((to_jsonb(NEW)->>'serial')::bigint, 0) THEN PERFORM pg_advisory_xact_lock(42); END IF;
		RETURN NEW;
	END $$`)
	do("CREATE TRIGGER stops BEFORE INSERT ON copse.tables FOR EACH ROW EXECUTE FUNCTION public.stops()")
	do("CREATE TRIGGER stops BEFORE UPDATE ON copse.house FOR EACH ROW WHEN (OLD.filling <> '' AND NEW.filling = '') EXECUTE FUNCTION public.stops()")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills, reached := 0, int64(-1)
	for _, at := range []int64{150, 700, 1500, 0} {
		do("SELECT pg_advisory_lock($1)", lock)
		do("UPDATE public.stop SET at = $1", at)
		cmd := exec.Command(exe, "copy", "--from", folder, "--to", to)
		cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for waits := false; !waits; {
			select {
			case err := <-ended:
				t.Fatalf("it ended before %d: %v, %s", at, err, &said)
			default:
			}
			if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted)", lock).Scan(&waits); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		kills++
		<-ended
		do("SELECT pg_advisory_unlock($1)", lock)
		was := reached
		if err := conn.QueryRow(ctx, "SELECT coalesce(max(serial), 0) FROM copse.tables").Scan(&reached); err != nil || reached < was || at > 0 && reached >= at {
			t.Errorf("killed at %d, it got from %d to %d, %v", at, was, reached, err)
		}
		if _, err := postgres.Open(ctx, to, postgres.Options{}); !errors.Is(err, store.ErrFilling) {
			t.Errorf("killed at %d, it is opened: %v", at, err)
		}
		moved := sqliteMoved(t, folder)
		if (moved != "") != (at == 0) {
			t.Errorf("killed at %d, the house has moved to %q", at, moved)
		}
	}
	do("UPDATE public.stop SET at = -1")
	runs(t, "copy", "--from", folder, "--to", to)
	checked, err := postgres.Look(ctx, to)
	if err != nil {
		t.Fatal(err)
	}
	all, err := checked.Check(ctx)
	if err := joined(err, checked.Close()); err != nil || all.Tables != tables || kills != 4 {
		t.Errorf("after %d deaths there are %+v, %v", kills, all, err)
	}
}

// sqliteMoved is where the house of a folder has moved to.
func sqliteMoved(t *testing.T, folder string) string {
	t.Helper()
	s, err := sqlite.Look(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := s.Moved(t.Context())
	if err := joined(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return moved
}
