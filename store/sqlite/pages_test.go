package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	lib "modernc.org/sqlite/lib"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// logSize is how large the log file of a database is.
func logSize(t testing.TB, file string) int64 {
	t.Helper()
	about, err := os.Stat(file + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return about.Size()
}

// reading begins to read a database, as a backup does in another process, until end
// is called.
func reading(t *testing.T, file string) (end func()) {
	t.Helper()
	db, err := location{file: file}.connect(1, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.QueryRow("SELECT count(*) FROM entries").Scan(new(int)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatAKilledServerLeftComesHomeAtTheStart: before anything is written.
func TestWhatAKilledServerLeftComesHomeAtTheStart(t *testing.T) {
	s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1})
	const many = 100
	for next := range many {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	left := asTheyAre(t, s.file)
	if len(left["copse.db-wal"]) < many*logFrame {
		t.Fatalf("the log file has %d bytes only", len(left["copse.db-wal"]))
	}
	file := disktest.Lay(t, left)
	after := reopen(t, file)
	if size := logSize(t, file); size > 0 {
		t.Errorf("after the start the log file has %d bytes", size)
	}
	if n := length(t, after, "oak"); n != many {
		t.Errorf("there are %d entries", n)
	}

	// Somebody may read at that moment: then the pages come home later, counted
	// from what was there.
	file = disktest.Lay(t, left)
	end := reading(t, file)
	busy, err := open(location{file: file, full: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	if size := logSize(t, file); size < many*logFrame {
		t.Errorf("somebody reads, and the log file has %d bytes", size)
	}
	end()
	for next := many; next < many+40 && logSize(t, file) > 50*logFrame*2; next++ {
		if err := put(busy, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	if size := logSize(t, file); size > 50*logFrame*2 {
		t.Errorf("nobody reads any more, and the log file has %d bytes", size)
	}
}

// TestTheLogFileStaysSmall: whatever is written, also while others read now and
// then.
func TestTheLogFileStaysSmall(t *testing.T) {
	const most = 40
	s := openOn(t, disktest.New(t), location{full: most, gap: -1})
	next := 0
	write := func() {
		t.Helper()
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
		next++
	}
	for range 12 {
		for range 50 {
			write()
		}
		reading(t, s.file)()
	}
	// Pages come home while others are written, so a few more may be: it is never for
	// long that they come faster than they go.
	for range 300 {
		if logSize(t, s.file) <= 2*most*logFrame {
			return
		}
		write()
	}
	t.Errorf("the log file has %d pages", logSize(t, s.file)/logFrame)
}

// TestSomebodyWhoReadsForLong: the log file grows, since what they read is in it;
// writing goes on, and once they are gone the file is small again.
func TestSomebodyWhoReadsForLong(t *testing.T) {
	t.Parallel()
	const most = 40
	s := openOn(t, disktest.New(t), location{full: most, gap: -1})
	next := 0
	write := func(n int) {
		t.Helper()
		for range n {
			if err := put(s, "oak", next); err != nil {
				t.Fatal(err)
			}
			next++
		}
	}
	write(20)
	end := reading(t, s.file)
	write(300)
	if size := logSize(t, s.file); size < 300*logFrame {
		t.Errorf("somebody reads, and the log file has %d pages", size/logFrame)
	}
	if n := length(t, s, "oak"); n != next {
		t.Errorf("there are %d entries of %d", n, next)
	}
	end()
	for range 300 {
		if write(1); logSize(t, s.file) <= 2*most*logFrame {
			break
		}
	}
	if size := logSize(t, s.file); size > 2*most*logFrame {
		t.Errorf("nobody reads any more, and the log file has %d pages", size/logFrame)
	}
	if n := length(t, s, "oak"); n != next {
		t.Errorf("there are %d entries of %d", n, next)
	}
}

// TestAFullDiskIsGivenTheSpaceOfTheLogFile: as long as what is kept has space, nobody
// is refused. Where it has none an append is refused, and writing goes on when
// there is some.
func TestAFullDiskIsGivenTheSpaceOfTheLogFile(t *testing.T) {
	t.Parallel()
	for _, full := range []int{1 << 30, 100} { // pages come home for the sake of space alone, and by themselves too
		squeezed(t, full)
	}
}

func squeezed(t *testing.T, full int) {
	t.Helper()
	d := disktest.New(t)
	s := openOn(t, d, location{full: full, gap: -1, free: d.Free})
	size := func(end string) int64 {
		about, err := os.Stat(s.file + end)
		if err != nil {
			t.Fatal(err)
		}
		return about.Size()
	}
	const space = 3 << 20
	d.Space(space)
	body, next := make([]byte, 10_000), 0
	add := func() error {
		_, err := s.Append(context.Background(), store.Append{Table: "oak", Next: next, Entries: [][]byte{body}, Row: &store.Row{Game: "bosk"}})
		if err == nil {
			next++
		}
		return err
	}
	there := func() int {
		log, err := s.Read(t.Context(), "oak", 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(log)
	}
	fill := func() {
		t.Helper()
		var err error
		for err == nil && next < 2000 {
			err = add()
		}
		if !errors.Is(err, store.ErrFull) || !errors.Is(err, store.ErrUnwritten) {
			t.Fatalf("after %d entries: %v", next, err)
		}
		if n := there(); n != next {
			t.Errorf("%d entries are there, %d were acknowledged", n, next)
		}
	}
	fill()
	if size("") < space*9/10 {
		t.Errorf("of %d bytes the database has %d, and there is no space for more", space, size(""))
	}
	fill() // it stays so

	// Somebody reads: the log file cannot give its space back before they end.
	d.Space(2 * space)
	for range 20 {
		if err := add(); err != nil {
			t.Fatalf("there is space again: %v", err)
		}
	}
	end := reading(t, s.file)
	fill()
	had := size("-wal")
	end()
	if err := add(); err != nil || size("-wal") >= had {
		t.Errorf("nobody reads any more: the log file had %d bytes and has %d: %v", had, size("-wal"), err)
	}
	fill()
	if size("") < 2*space*9/10 {
		t.Errorf("of %d bytes the database has %d, and there is no space for more", 2*space, size(""))
	}
	d.Space(4 * space)
	if err := add(); err != nil {
		t.Errorf("there is space again: %v", err)
	}
	if n := there(); n != next {
		t.Errorf("%d entries are there, %d were acknowledged", n, next)
	}
	if _, err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAServerStartsOnAFullDisk: it reads, refuses to write, and goes on by itself
// when there is space.
func TestAServerStartsOnAFullDisk(t *testing.T) {
	s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1})
	for next := range 100 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	left := asTheyAre(t, s.file)
	d, file := disktest.New(t), disktest.Lay(t, left)
	d.Space(1) // it has more already: no file can grow
	full, err := open(location{file: file, vfs: d.VFS})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	if n := length(t, full, "oak"); n != 100 {
		t.Errorf("there are %d entries", n)
	}
	if err := put(full, "oak", 100); !errors.Is(err, store.ErrFull) {
		t.Errorf("it says %v", err)
	}
	d.Space(0)
	if err := put(full, "oak", 100); err != nil {
		t.Error(err)
	}
	if n := length(t, full, "oak"); n != 101 {
		t.Errorf("there are %d entries", n)
	}
}

// folder is every file of a folder, with what is in it.
func folder(t *testing.T, path string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// TestARefusedDatabaseIsNotTouched: none of its files is, whether or not they lie
// there as a killed server left them.
func TestARefusedDatabaseIsNotTouched(t *testing.T) {
	s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1})
	for next := range 50 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	whole := func() map[string][]byte {
		files := asTheyAre(t, s.file)
		shm, err := os.ReadFile(s.file + "-shm")
		if err != nil {
			t.Fatal(err)
		}
		files["copse.db-shm"] = shm
		return files
	}
	set := func(query string) {
		t.Helper()
		if err := s.write(context.Background(), func(t *tx) error {
			t.wrote = true
			return t.exec(query)
		}); err != nil {
			t.Fatal(err)
		}
	}
	good := whole()
	cases := map[string]map[string][]byte{}
	change := func(name string, files map[string][]byte, how func(map[string][]byte)) {
		files = maps.Clone(files)
		how(files)
		cases[name] = files
		files = maps.Clone(files)
		delete(files, "copse.db-shm")
		cases[name+", without shared memory"] = files
	}
	change("the end of the log file is gone", good, func(f map[string][]byte) {
		f["copse.db-wal"] = f["copse.db-wal"][:len(f["copse.db-wal"])/2]
	})
	change("the log file is gone", good, func(f map[string][]byte) { delete(f, "copse.db-wal") })
	change("the log file is empty", good, func(f map[string][]byte) { f["copse.db-wal"] = nil })
	change("the log file is its header alone", good, func(f map[string][]byte) { f["copse.db-wal"] = f["copse.db-wal"][:headerOfLog] })
	change("the database is gone", good, func(f map[string][]byte) { delete(f, "copse.db") })
	change("only the witness is left", good, func(f map[string][]byte) {
		delete(f, "copse.db")
		delete(f, "copse.db-wal")
		delete(f, "copse.db-shm")
	})
	set(fmt.Sprintf("PRAGMA user_version = %d", len(migrations)+1))
	change("it is newer", whole(), func(map[string][]byte) {})
	set(fmt.Sprintf("PRAGMA user_version = %d", len(migrations)))
	set("PRAGMA application_id = 7")
	change("it is another program's", whole(), func(map[string][]byte) {})
	set(applicationPragma)
	set("UPDATE house SET id = x'00'")
	change("it has lost its name", whole(), func(f map[string][]byte) { delete(f, "copse.db-witness") })
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		file := disktest.Lay(t, cases[name])
		before := folder(t, filepath.Dir(file))
		for range 2 {
			if s, err := Open(file); err == nil {
				_ = s.Close()
				t.Errorf("%s: it is not refused", name)
			}
			after := folder(t, filepath.Dir(file))
			for end := range maps.Keys(after) {
				if was, there := before[end]; !there || was != after[end] {
					t.Errorf("%s: %s was changed (there before: %v)", name, end, there)
				}
			}
			if len(after) != len(before) {
				t.Errorf("%s: there were %d files, and there are %d", name, len(before), len(after))
			}
		}
	}
	file := disktest.Lay(t, good)
	if n := length(t, reopen(t, file), "oak"); n != 50 {
		t.Errorf("what is good has %d entries", n)
	}
}

// TestAClosedDatabaseIsOneFile: whether or not anybody has read it.
func TestAClosedDatabaseIsOneFile(t *testing.T) {
	for _, read := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "copse.db")
		s, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := put(s, "oak", 0); err != nil {
			t.Fatal(err)
		}
		if read && length(t, s, "oak") != 1 {
			t.Error("it is not there")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if logExists(file) {
			t.Errorf("the log file is still there (read: %v)", read)
		}
	}
}

// TestKilledAfterTheHeaderOfTheLogFile: SQLite writes the header of a new log file,
// waits for its sync and then writes the first page. A process that is killed in
// between leaves a log file with nothing behind its header, and a start goes on
// from it.
func TestKilledAfterTheHeaderOfTheLogFile(t *testing.T) {
	s := reopen(t, filepath.Join(t.TempDir(), "copse.db"))
	if err := put(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s.file) // whose log file is empty
	left := asTheyAre(t, s.file)
	shm, err := os.ReadFile(s.file + "-shm")
	if err != nil {
		t.Fatal(err)
	}
	left["copse.db-shm"] = shm
	if err := put(s, "oak", 1); err != nil {
		t.Fatal(err)
	}
	whole := asTheyAre(t, s.file)
	left["copse.db-wal"] = whole["copse.db-wal"][:headerOfLog]

	after, err := Open(disktest.Lay(t, left))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = after.Close() }() // tested elsewhere
	if n := length(t, after, "oak"); n != 1 {
		t.Errorf("it has %d entries", n)
	}
	if err := put(after, "oak", 1); err != nil {
		t.Error(err)
	}

	// Where another process lives, the first page comes while we look.
	d, file := disktest.New(t), disktest.Lay(t, left)
	if err := os.WriteFile(file+"-witness", whole["copse.db-witness"], 0o600); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	d.Set(func(op, _ string) int32 {
		if op == "read" {
			once.Do(func() {
				if err := os.WriteFile(file+"-wal", whole["copse.db-wal"], 0o600); err != nil {
					t.Error(err)
				}
			})
		}
		return 0
	})
	if other, err := open(location{file: file, vfs: d.VFS}); err != nil {
		t.Error(err)
	} else {
		if n := length(t, other, "oak"); n != 2 {
			t.Errorf("beside another process it has %d entries", n)
		}
		_ = other.Close() // tested elsewhere
	}
}

// TestABeatDoesNotFitWhereAMoveDoesNot: a house whose disk is full is not at work,
// though a beat is small enough for what is left; when there is space it is.
func TestABeatDoesNotFitWhereAMoveDoesNot(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(1 << 30)
	d := disktest.New(t)
	s := openOn(t, d, location{free: free.Load})
	beat := func(at int64) error {
		_, err := s.Beat(t.Context(), store.Time(at), 15*time.Second)
		return err
	}
	if err := errors.Join(put(s, "oak", 0), beat(1000)); err != nil {
		t.Fatal(err)
	}
	free.Store(leastSpace - 1)
	if err := beat(2000); err != nil {
		t.Fatalf("little space, and nothing was refused: %v", err)
	}
	d.Set(func(op, file string) int32 {
		if op == "write" {
			return lib.SQLITE_FULL
		}
		return 0
	})
	if err := put(s, "oak", 1); !errors.Is(err, store.ErrFull) {
		t.Fatalf("a full disk: %v", err)
	}
	d.Set(nil)
	if err := beat(3000); !errors.Is(err, store.ErrFull) || !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("after a move that did not fit a beat is answered %v", err)
	}
	free.Store(leastSpace)
	if err := beat(4000); err != nil {
		t.Errorf("there is space again: %v", err)
	}
	if err := put(s, "oak", 1); err != nil {
		t.Error(err)
	}
}

// TestTheDiskIsAskedSeldomWhileItHasSpace: what is left is asked for with every
// transaction only where that is little.
func TestTheDiskIsAskedSeldomWhileItHasSpace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left        int64 // beyond what the log file needs to come home
		least, most int   // how often it is asked in a hundred transactions
	}{
		{1 << 40, 1, 6},
		{100 * logFrame, 80, 100}, // a page or two more at a time
		{0, 80, 100},
	} {
		asked := 0
		var there atomic.Pointer[Store]
		s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1, free: func() int64 {
			asked++
			s := there.Load()
			if s == nil {
				return -1
			}
			return int64(s.writer.pages.log)*logFrame + spareSpace + c.left
		}})
		there.Store(s)
		for next := range 100 {
			if err := put(s, "oak", next); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.write(context.Background(), func(*tx) error { // the writer stands still meanwhile
			if asked < c.least || asked > c.most {
				t.Errorf("with %d bytes left the disk was asked %d times, not %d to %d", c.left, asked, c.least, c.most)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAMoveWritesNoIndex: as long as lists find a table as before, an append writes
// the page of its log, that of its row and that of the house; and what lists find it by
// is right all the same, whatever came before.
func TestAMoveWritesNoIndex(t *testing.T) {
	t.Parallel()
	s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1})
	next := 0
	move := func(listed bool, wake int64) (pages int) {
		t.Helper()
		before, _ := counted(t, s)
		if _, err := s.Append(context.Background(), store.Append{Table: "oak", Next: next, Entries: [][]byte{{'x'}}, At: store.Time(int64(next) + 1),
			Row: &store.Row{Game: "bosk", Listed: listed, Wake: store.Time(wake), About: fmt.Appendf(nil, "turn %d", next)}}); err != nil {
			t.Fatal(err)
		}
		next++
		after, _ := counted(t, s)
		if list, err := s.Due(context.Background(), store.Time(wake), 10); err != nil || (len(list) == 1) != (wake > 0) || wake > 0 && !list[0].Wake.Equal(store.Time(wake)) {
			t.Errorf("after move %d what is due at %d is %v %v", next, wake, list, err)
		}
		if list, err := s.Due(context.Background(), store.Time(wake-1), 10); err != nil || len(list) != 0 {
			t.Errorf("after move %d what is due before %d is %v %v", next, wake, list, err)
		}
		if list, err := s.Listed(context.Background(), "bosk", 0, 10); err != nil || (len(list) == 1) != listed || listed && string(list[0].About) != fmt.Sprintf("turn %d", next-1) {
			t.Errorf("after move %d the lists say %v %v", next, list, err)
		}
		return after - before
	}
	const bare = 3
	move(true, 1000)
	for range 3 {
		if pages := move(true, 1000); pages != bare {
			t.Errorf("a move of a listed table writes %d pages, not %d", pages, bare)
		}
	}
	if pages := move(true, 2000); pages <= bare {
		t.Errorf("another time to look at it writes %d pages", pages)
	}
	if pages := move(true, 2000); pages != bare {
		t.Errorf("the same time again writes %d pages, not %d", pages, bare)
	}
	if pages := move(false, 2000); pages <= bare {
		t.Errorf("to be listed no more writes %d pages", pages)
	}
	move(false, 0)
	if pages := move(false, 0); pages != bare {
		t.Errorf("a move of a table that nobody looks for writes %d pages, not %d", pages, bare)
	}
	move(true, 3000)
	// Another process changes the row, and not the head: what is remembered counts no more.
	if err := s.write(context.Background(), func(tx *tx) error {
		return tx.exec("UPDATE tables SET wake = 5, listed = 0 WHERE id = 'oak'")
	}); err != nil {
		t.Fatal(err)
	}
	move(true, 3000)
}
