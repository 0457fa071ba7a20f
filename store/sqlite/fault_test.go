package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	lib "modernc.org/sqlite/lib"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// openOn opens a new database on a disk.
func openOn(t *testing.T, d *disktest.Disk, l location) *Store {
	t.Helper()
	l.file, l.vfs = filepath.Join(t.TempDir(), "copse.db"), d.VFS
	s, err := open(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.Set(disktest.Never)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// reopen opens what is left somewhere.
func reopen(t testing.TB, file string) *Store {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// put appends one entry at a number.
func put(s *Store, table string, next int) error {
	_, err := s.Append(context.Background(), store.Append{Table: table, Next: next, Entries: [][]byte{entryOf(table, next)}, Row: &store.Row{Game: "bosk"}})
	return err
}

func entryOf(table string, number int) []byte {
	return fmt.Appendf(nil, "entry %d of %s, %s", number, table, strings.Repeat("x", 100))
}

// length is how many entries a log has. Each must be as it was written.
func length(t *testing.T, s *Store, table string) int {
	t.Helper()
	log, err := s.Read(context.Background(), table, 0)
	if errors.Is(err, store.ErrNone) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range log {
		if string(e.Body) != string(entryOf(table, i)) {
			t.Fatalf("entry %d of %s is %s", i, table, e.Body)
		}
	}
	return len(log)
}

// acknowledged is what was acknowledged so far.
type acknowledged struct {
	mu   sync.Mutex
	next map[string]int
	all  int
}

func (a *acknowledged) add(table string, next int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next[table] = next
	a.all++
	return a.all
}

func (a *acknowledged) copy() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := map[string]int{}
	for table, n := range a.next {
		next[table] = n
	}
	return next
}

// powerCuts has many tables played at the same time, cuts the power now and then,
// and says how many acknowledged entries were gone afterwards.
func powerCuts(t *testing.T, l location) (lost int) {
	d := disktest.New(t)
	s := openOn(t, d, l)
	const players, moves, cuts = 12, 40, 24
	acks := &acknowledged{next: map[string]int{}}
	rng := rand.New(rand.NewPCG(5, 6))
	type cut struct {
		acks map[string]int
		left map[string][]byte
	}
	var mu sync.Mutex
	var taken []cut
	var wg sync.WaitGroup
	for player := range players {
		wg.Go(func() {
			table := fmt.Sprintf("table-%d", player)
			for next := range moves {
				if err := put(s, table, next); err != nil {
					t.Error(err)
					return
				}
				if acks.add(table, next+1)%(players*moves/cuts) == 0 {
					mu.Lock()
					known := acks.copy() // before the cut: what was acknowledged then must be there
					taken = append(taken, cut{known, d.Cut(rng)})
					mu.Unlock()
				}
			}
			if err := s.Pack(context.Background(), table, store.Time(1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(taken) < cuts {
		t.Fatalf("the power was cut %d times only", len(taken))
	}
	for _, c := range taken {
		after, err := Open(disktest.Lay(t, c.left))
		if err != nil {
			t.Logf("after a cut: %v", err)
			lost++
			continue
		}
		for table, next := range c.acks {
			log, err := after.Read(context.Background(), table, 0)
			if err != nil && !errors.Is(err, store.ErrNone) {
				t.Log(err)
			}
			if lost += max(0, next-len(log)); len(log) > 0 && string(log[len(log)-1].Body) != string(entryOf(table, len(log)-1)) {
				t.Errorf("the end of %s is %s", table, log[len(log)-1].Body)
			}
		}
		if _, err := after.Check(context.Background()); err != nil {
			t.Logf("after a cut: %v", err)
			lost++
		}
		if err := after.Close(); err != nil {
			t.Error(err)
		}
	}
	return lost
}

// TestWhatIsAcknowledgedSurvivesAPowerCut: while pages are brought home all the
// time.
func TestWhatIsAcknowledgedSurvivesAPowerCut(t *testing.T) {
	t.Parallel()
	for _, full := range []int{10, 200} {
		if lost := powerCuts(t, location{full: full}); lost > 0 {
			t.Errorf("with a log of %d pages %d acknowledged entries are gone", full, lost)
		}
	}
}

// TestPowerCutsAreNoticed proves the test above: without a sync for each
// transaction it must fail.
func TestPowerCutsAreNoticed(t *testing.T) {
	t.Parallel()
	if lost := powerCuts(t, location{full: 50, sync: "NORMAL"}); lost == 0 {
		t.Error("nothing was synced before it was acknowledged, and nothing was lost")
	}
}

func TestAFullDiskRefusesAndRecovers(t *testing.T) {
	d := disktest.New(t)
	s := openOn(t, d, location{full: 20})
	for next := range 5 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	d.Set(func(op, _ string) int32 {
		if op == "write" {
			return lib.SQLITE_FULL
		}
		return 0
	})
	for range 3 {
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				table, next := "oak", 5
				if i > 0 {
					table, next = fmt.Sprintf("new-%d", i), 0
				}
				if err := put(s, table, next); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFull) {
					t.Errorf("with a full disk it says %v", err)
				}
			})
		}
		wg.Wait()
		if n := length(t, s, "oak"); n != 5 {
			t.Fatalf("there are %d entries, though none was acknowledged", n)
		}
	}
	d.Set(disktest.Never)
	for next := 5; next < 60; next++ {
		if err := put(s, "oak", next); err != nil {
			t.Fatalf("there is space again: %v", err)
		}
	}
	for i := 1; i < 20; i++ {
		if n := length(t, s, fmt.Sprintf("new-%d", i)); n != 0 {
			t.Errorf("a table that was refused has %d entries", n)
		}
	}
	if _, err := s.Check(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestAFailedSyncAfterAFullDiskEndsWritingToo: the disk is full, the log file gives its
// room back, and the sync of the second try fails.
func TestAFailedSyncAfterAFullDiskEndsWritingToo(t *testing.T) {
	t.Parallel()
	d := disktest.New(t)
	s := openOn(t, d, location{full: 1 << 30, gap: -1})
	for next := range 20 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	full, cut := disktest.Times(1, "write", "-wal", lib.SQLITE_FULL), false
	fails := disktest.Times(1, "sync", "-wal", lib.SQLITE_IOERR_FSYNC)
	d.Set(func(op, file string) int32 {
		if rc := full(op, file); rc != 0 {
			return rc
		}
		if cut = cut || op == "truncate"; cut {
			return fails(op, file)
		}
		return 0
	})
	err := put(s, "oak", 20)
	if !cut || !errors.Is(err, store.ErrUnknown) || !errors.Is(err, store.ErrFailed) {
		t.Fatalf("the log file was cut: %v; it says %v", cut, err)
	}
	if err := s.Failure(); !errors.Is(err, store.ErrFailed) {
		t.Fatalf("the failure is %v", err)
	}
	<-s.Failed()
	if err := put(s, "oak", 20); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFailed) {
		t.Errorf("after it, it says %v", err)
	}
}

// TestAFailedSyncElsewhereEndsTheSecondTry: the disk is full, and while the writer wants
// the room of the log file, it hears that pages could not be synced in the background.
// Then nothing is written any more, though there would be room.
func TestAFailedSyncElsewhereEndsTheSecondTry(t *testing.T) {
	t.Parallel()
	d := disktest.New(t)
	failing := openOn(t, d, location{full: 1})
	d.Set(disktest.Times(1, "sync", "copse.db", lib.SQLITE_IOERR_FSYNC))
	if err := put(failing, "oak", 0); err != nil {
		t.Fatal(err)
	}
	<-failing.Failed()

	d = disktest.New(t)
	s := openOn(t, d, location{full: 1 << 30, gap: -1})
	for next := range 20 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.write(t.Context(), func(*tx) error { // which is under way
		s.writer.pages.asked = true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	full := disktest.Times(1, "write", "-wal", lib.SQLITE_FULL)
	d.Set(func(op, file string) int32 {
		rc := full(op, file)
		if rc != 0 {
			s.writer.pages.home <- checkpoint{log: -1, err: failing.Failure()}
		}
		return rc
	})
	if err := put(s, "oak", 20); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFailed) {
		t.Errorf("it says %v", err)
	}
	if err := s.Failure(); !errors.Is(err, store.ErrFailed) {
		t.Errorf("the failure is %v", err)
	}
	if n := length(t, s, "oak"); n != 20 {
		t.Errorf("there are %d entries", n)
	}
}

// TestADatabaseAtItsLimit meets the same in SQLite itself, which takes no page
// more.
func TestADatabaseAtItsLimit(t *testing.T) {
	t.Parallel()
	s := openOn(t, disktest.New(t), location{})
	limit := func(pages string) {
		if err := s.write(context.Background(), func(t *tx) error {
			return t.row("PRAGMA max_page_count = "+pages, func(scan scan) error { return scan(new(any)) })
		}); err != nil {
			t.Fatal(err)
		}
	}
	limit("60") // or as many as there are
	next, err := 0, error(nil)
	for ; err == nil && next < 2000; next++ {
		err = put(s, "oak", next)
	}
	next--
	if !errors.Is(err, store.ErrFull) || length(t, s, "oak") != next {
		t.Fatalf("after %d entries: %v", next, err)
	}
	limit("100000")
	if err := put(s, "oak", next); err != nil {
		t.Errorf("there is space again: %v", err)
	}
}

// TestAFailedSyncEndsWriting: those who were to be acknowledged by the sync are
// told that nobody knows, those after them that nothing was written; and nothing
// is, not even when the store is closed. Reading goes on. At the next start
// everything acknowledged is there, however the power fails.
func TestAFailedSyncEndsWriting(t *testing.T) {
	for _, end := range []string{"-wal", "copse.db"} { // a transaction, and bringing pages home
		d := disktest.New(t)
		full := 30
		if end == "-wal" {
			full = 1 << 20 // nothing is brought home meanwhile
		}
		s := openOn(t, d, location{full: full})
		next := 0
		for ; next < 10; next++ {
			if err := put(s, "oak", next); err != nil {
				t.Fatal(err)
			}
		}
		fail, late := disktest.Times(1, "sync", end, lib.SQLITE_IOERR_FSYNC), []string{}
		failed := false
		d.Set(func(op, file string) int32 {
			rc := fail(op, file)
			if failed && op != "read" && op != "share" {
				late = append(late, op+" "+filepath.Base(file))
			}
			failed = failed || rc != 0
			return rc
		})
		unknown := 0
		for s.Failure() == nil {
			switch err := put(s, "oak", next); {
			case err == nil:
				next++
			case errors.Is(err, store.ErrUnknown) && errors.Is(err, store.ErrFailed) && !errors.Is(err, store.ErrUnwritten) && end == "-wal":
				unknown++
			case !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFailed):
				t.Fatalf("%s: a failed sync is told as %v", end, err)
			}
		}
		<-s.Failed()
		if err := s.Failure(); !errors.Is(err, store.ErrFailed) || unknown != number01(end == "-wal") {
			t.Errorf("%s: after %d unknown appends: %v", end, unknown, err)
		}
		for _, table := range []string{"oak", "ash"} {
			if err := put(s, table, next); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, store.ErrFailed) || errors.Is(err, store.ErrUnknown) {
				t.Errorf("%s: after a failed sync it says %v", end, err)
			}
		}
		if n := length(t, s, "oak"); n != next {
			t.Errorf("%s: %d entries are read, %d were acknowledged", end, n, next)
		}
		rng := rand.New(rand.NewPCG(4, 4))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if end == "-wal" && len(late) > 0 { // pages that come home are not waited for by the writer
			t.Errorf("after a failed sync of %s there was %v", end, late)
		}
		for range 9 {
			after := reopen(t, disktest.Lay(t, withWitness(t, s.file, d.Cut(rng))))
			if n := length(t, after, "oak"); n < next || n > next+unknown {
				t.Errorf("%s: after a crash there are %d entries, %d were acknowledged", end, n, next)
			}
			if n := length(t, after, "ash"); n != 0 {
				t.Errorf("%s: what was refused is there", end)
			}
		}
	}
}

func number01(yes bool) int { return int(number(yes)) }

// withWitness adds the witness to what is left of a database: it is not written
// through the disk, and knows all that was acknowledged.
func withWitness(t *testing.T, file string, left map[string][]byte) map[string][]byte {
	t.Helper()
	b, err := os.ReadFile(file + "-witness")
	if err != nil {
		t.Fatal(err)
	}
	left["copse.db-witness"] = b
	return left
}

// TestAFailedSyncIsToldWhileNobodyWrites: pages come home in the background.
func TestAFailedSyncIsToldWhileNobodyWrites(t *testing.T) {
	d := disktest.New(t)
	s := openOn(t, d, location{full: 1})
	d.Set(disktest.Times(1, "sync", "copse.db", lib.SQLITE_IOERR_FSYNC))
	if err := put(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	<-s.Failed()
	if err := put(s, "oak", 1); !errors.Is(err, store.ErrFailed) {
		t.Errorf("it says %v", err)
	}
}

// TestAFailedSyncAtTheStartRefusesIt: and leaves the log file as it is.
func TestAFailedSyncAtTheStartRefusesIt(t *testing.T) {
	s := openOn(t, disktest.New(t), location{full: 1 << 30, gap: -1})
	for next := range 20 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	left := asTheyAre(t, s.file)
	for _, end := range []string{"-wal", "copse.db"} {
		d, file := disktest.New(t), disktest.Lay(t, left)
		d.Set(disktest.Times(1, "sync", end, lib.SQLITE_IOERR_FSYNC))
		if _, err := open(location{file: file, vfs: d.VFS}); !errors.Is(err, store.ErrFailed) {
			t.Errorf("%s: it says %v", end, err)
		}
		if log, err := os.ReadFile(file + "-wal"); err != nil || string(log) != string(left["copse.db-wal"]) {
			t.Errorf("%s: the log file was changed, %v", end, err)
		}
		if n := length(t, reopen(t, file), "oak"); n != 20 {
			t.Errorf("%s: there are %d entries", end, n)
		}
	}
}

// TestAFolderThatDoesNotSyncRefusesIt: the name of the log file may be lost.
func TestAFolderThatDoesNotSyncRefusesIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "copse.db")
	_, err := open(location{file: file, harm: func(op, at string) error {
		if op == "sync" && at == filepath.Dir(file) && logExists(file) {
			return errors.New("input/output error")
		}
		return nil
	}})
	if !errors.Is(err, store.ErrFailed) {
		t.Errorf("it says %v", err)
	}
	if err := put(reopen(t, file), "oak", 0); err != nil {
		t.Error(err)
	}
}

func logExists(file string) bool {
	_, err := os.Stat(file + "-wal")
	return err == nil
}

// TestAStartAfterAFailedSyncTrustsOnlyTheDisk: the log file has what can be read
// and is not on the disk. Where it cannot come home at once, because somebody reads
// it, it is written once more, so that what is acknowledged from then on does not
// depend on it.
func TestAStartAfterAFailedSyncTrustsOnlyTheDisk(t *testing.T) {
	d := disktest.New(t)
	s := openOn(t, d, location{full: 1 << 30, gap: -1})
	for next := range 5 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	d.Set(disktest.Times(1, "sync", "-wal", lib.SQLITE_IOERR_FSYNC))
	if err := put(s, "oak", 5); !errors.Is(err, store.ErrUnknown) {
		t.Fatal(err)
	}
	d.Set(disktest.Never)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	end := reading(t, s.file)
	defer end()
	again, err := open(location{file: s.file, vfs: d.VFS, full: 1 << 30, gap: -1, harm: func(op, file string) error {
		if op == "rewrite" {
			d.Settle(file)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	next := length(t, again, "oak")
	for range 5 {
		if err := put(again, "oak", next); err != nil {
			t.Fatal(err)
		}
		next++
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 9 {
		after := reopen(t, disktest.Lay(t, withWitness(t, s.file, d.Cut(rng))))
		if n := length(t, after, "oak"); n != next {
			t.Errorf("after a crash there are %d entries, %d were acknowledged", n, next)
		}
	}
}

// TestSharedMemoryThatIsRefused: the transaction is on the disk, whole, and yet it
// is undone, because readers cannot be told of it. Another is written over it;
// where that is refused too, nobody knows what a crash would leave.
func TestSharedMemoryThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, over := range []bool{true, false} { // another can be written
		d := disktest.New(t)
		s := openOn(t, d, location{full: 1 << 30, gap: -1})
		refused := false
		d.Set(func(op, file string) int32 {
			switch {
			case op == "share" && !refused:
				refused = true
				return lib.SQLITE_IOERR_SHMMAP
			case op == "write" && refused && !over:
				return lib.SQLITE_IOERR_WRITE
			}
			return 0
		})
		big := make([]byte, store.LargestEntry)
		next, err := 0, error(nil)
		for ; err == nil && next < 200; next++ {
			_, err = s.Append(t.Context(), store.Append{Table: "oak", Next: next, Entries: [][]byte{big}, Row: &store.Row{Game: "bosk"}})
		}
		next--
		want := store.ErrUnwritten
		if !over {
			want = store.ErrUnknown
		}
		if !refused || !errors.Is(err, want) || s.Failure() != nil {
			t.Fatalf("after %d entries: %v", next, err)
		}
		count := func(s *Store) int {
			log, err := s.Read(t.Context(), "oak", 0)
			if err != nil {
				t.Fatal(err)
			}
			return len(log)
		}
		if n := count(s); n != next {
			t.Errorf("%d entries are read, %d were acknowledged", n, next)
		}
		if n := count(reopen(t, disktest.Lay(t, asTheyAre(t, s.file)))); n != next && (want == store.ErrUnwritten || n != next+1) {
			t.Errorf("after a crash there are %d entries, %d were acknowledged: %v", n, next, err)
		}
		d.Set(disktest.Never)
		if _, err := s.Append(t.Context(), store.Append{Table: "oak", Next: next, Entries: [][]byte{big}, Row: &store.Row{Game: "bosk"}}); err != nil {
			t.Fatal(err)
		}
		if n := count(reopen(t, disktest.Lay(t, asTheyAre(t, s.file)))); n != next+1 {
			t.Errorf("after a crash there are %d entries, %d were acknowledged", n, next+1)
		}
	}
}

// asTheyAre are the files of a database as the system has them, without what is
// only shared memory.
func asTheyAre(t *testing.T, file string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, end := range []string{"", "-wal", "-witness"} {
		b, err := os.ReadFile(file + end)
		if err != nil {
			t.Fatal(err)
		}
		files["copse.db"+end] = b
	}
	return files
}

func TestAFailedWriteAcknowledgesNothing(t *testing.T) {
	t.Parallel()
	d := disktest.New(t)
	s := openOn(t, d, location{full: 10})
	next := 0
	for fault := range 60 {
		end := []string{"-wal", "copse.db"}[fault%2] // the log, or bringing it home
		d.Set(disktest.Times(1+fault%3, "write", end, lib.SQLITE_IOERR_WRITE))
		for range 5 {
			switch err := put(s, "oak", next); {
			case err == nil:
				next++
			case end != "-wal" || !errors.Is(err, store.ErrUnwritten):
				t.Fatalf("fault %d on %s: %v", fault, end, err)
			}
			if n := length(t, s, "oak"); n != next {
				t.Fatalf("fault %d: %d entries are there, %d were acknowledged", fault, n, next)
			}
		}
	}
	d.Set(disktest.Never)
	if _, err := s.Check(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestADiskThatCannotBeRead: it is damage and is told as such; what can be read is
// read.
func TestADiskThatCannotBeRead(t *testing.T) {
	t.Parallel()
	d := disktest.New(t)
	s := openOn(t, d, location{})
	for next := range 300 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	d.Set(disktest.Times(1<<30, "read", "", lib.SQLITE_IOERR_READ))
	var damage *store.Damage
	if _, err := s.Read(t.Context(), "oak", 0); !errors.As(err, &damage) || damage.Table != "oak" {
		t.Errorf("it says %v", err)
	}
	d.Set(disktest.Never)
	if n := length(t, s, "oak"); n != 300 {
		t.Errorf("there are %d entries", n)
	}
}

// TestOneSyncForMany has many appends wait for a busy writer: they go together.
func TestOneSyncForMany(t *testing.T) {
	d := disktest.New(t)
	s := openOn(t, d, location{})
	if err := put(s, "first", 0); err != nil { // the head of the log file is synced by itself
		t.Fatal(err)
	}
	busy, free := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.write(context.Background(), func(*tx) error {
			close(busy)
			<-free
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	<-busy
	const many = 300
	for i := range many {
		wg.Go(func() {
			if err := put(s, fmt.Sprintf("table-%d", i), 0); err != nil {
				t.Error(err)
			}
		})
	}
	for len(s.writer.queue) < many {
		runtime.Gosched()
	}
	before := d.Syncs()
	close(free)
	wg.Wait()
	if n := d.Syncs() - before; n != 1 {
		t.Errorf("%d appends took %d syncs", many, n)
	}
}

// TestOneSpoilsNobodyElse has one work write something and then fail, among others.
func TestOneSpoilsNobodyElse(t *testing.T) {
	s := openOn(t, disktest.New(t), location{})
	spoilt := errors.New("spoilt")
	busy, free := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.write(context.Background(), func(*tx) error {
			close(busy)
			<-free
			return nil
		})
	})
	<-busy
	for i := range 30 {
		wg.Go(func() {
			table := fmt.Sprintf("table-%d", i)
			if i%10 != 5 {
				if err := put(s, table, 0); err != nil {
					t.Errorf("beside a failure: %v", err)
				}
				return
			}
			if err := s.write(context.Background(), func(t *tx) error {
				if _, err := t.append(&store.Append{Table: table, Entries: [][]byte{entryOf(table, 0)}, Row: &store.Row{Game: "bosk"}}); err != nil {
					return err
				}
				return spoilt
			}); !errors.Is(err, spoilt) {
				t.Errorf("the one that fails is told %v", err)
			}
		})
	}
	for len(s.writer.queue) < 30 {
		runtime.Gosched()
	}
	close(free)
	wg.Wait()
	for i := range 30 {
		if n, want := length(t, s, fmt.Sprintf("table-%d", i)), 1; i%10 == 5 && n != 0 || i%10 != 5 && n != want {
			t.Errorf("table %d has %d entries", i, n)
		}
	}
}
