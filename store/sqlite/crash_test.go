package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	lib "modernc.org/sqlite/lib"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// fault is how a disk fails at its nth write, sync, truncation, deletion, rename or
// growth of shared memory.
type fault struct {
	name string
	// answer is what the disk answers to the kth operation, counted from the one at
	// which it fails.
	answer func(op string, k int) int32
}

// broken is what SQLite is told where an operation fails.
var broken = map[string]int32{
	"write": lib.SQLITE_IOERR_WRITE, "sync": lib.SQLITE_IOERR_FSYNC, "truncate": lib.SQLITE_IOERR_TRUNCATE, "delete": lib.SQLITE_IOERR_DELETE,
	"share": lib.SQLITE_IOERR_SHMMAP, "rename": lib.SQLITE_IOERR, "rewrite": lib.SQLITE_IOERR,
}

func faults() []fault {
	return []fault{
		{"it dies", func(op string, _ int) int32 { return broken[op] }},
		{"it fails once", func(op string, k int) int32 {
			if k > 0 {
				return 0
			}
			return broken[op]
		}},
		{"it is full for a while", func(op string, k int) int32 {
			if k < 12 && op == "write" {
				return lib.SQLITE_FULL
			}
			return 0
		}},
		{"it fails twice", func(op string, k int) int32 {
			if k > 1 {
				return 0
			}
			return broken[op]
		}},
	}
}

// crash is one life of a database on a disk that fails at one point.
type crash struct {
	t       *testing.T
	file    string
	disk    *disktest.Disk
	at      location
	next    map[string]int  // of each table: what was acknowledged
	unknown map[string]bool // the last append of it may be there
	backup  map[string]int  // what was acknowledged when the backup was made; nil where none was

	mu    sync.Mutex
	point int // how much is still done before the disk fails
	fault fault
	asked int
}

// meet is what becomes of one operation of the disk.
func (c *crash) meet(op string) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if op == "read" {
		return 0
	}
	k := c.asked - c.point
	c.asked++
	if k < 0 || c.fault.answer == nil {
		return 0
	}
	return c.fault.answer(op, k)
}

// open starts the store as a process would, and once more where the first start has
// failed.
func (c *crash) open() *Store {
	for range 2 {
		if s, err := open(c.at); err == nil {
			return s
		}
	}
	return nil
}

// did notes how an append was answered. Every error must say what it means.
func (c *crash) did(table string, err error) {
	switch {
	case err == nil:
		c.next[table]++
		c.unknown[table] = false
	case errors.Is(err, store.ErrUnknown):
		c.unknown[table] = true
	case !errors.Is(err, store.ErrUnwritten):
		c.t.Errorf("%s: an append to %s is answered %v", c, table, err)
	}
}

func (c *crash) String() string { return fmt.Sprintf("%s at %d", c.fault.name, c.point) }

// live does what a server does: it starts, writes, packs, makes a backup, stops,
// and starts again. Where the disk has failed for good it is started anew.
func (c *crash) live() {
	ctx := context.Background()
	for round := range 3 {
		s := c.open()
		if s == nil {
			return
		}
		for table := range c.unknown { // by now it is known: what is read after a start stays
			n := length(c.t, s, table)
			if n < c.next[table] || n > c.next[table]+number01(c.unknown[table]) {
				c.t.Errorf("%s: after a start %s has %d entries, %d were acknowledged (one more unknown: %v)", c, table, n, c.next[table], c.unknown[table])
			}
			c.next[table], c.unknown[table] = n, false
		}
		for i := range 10 {
			if s.Failure() != nil {
				break
			}
			table := []string{"oak", "ash", "elm"}[i%3]
			c.did(table, put(s, table, c.next[table]))
		}
		packed := fmt.Sprintf("packed-%d", round)
		for range 3 {
			c.did(packed, put(s, packed, c.next[packed]))
		}
		if c.next[packed] == 3 {
			if err := s.Pack(ctx, packed, store.Time(1)); err != nil && !errors.Is(err, store.ErrUnknown) && !errors.Is(err, store.ErrUnwritten) {
				c.t.Errorf("%s: packing is answered %v", c, err)
			}
		}
		if round == 1 {
			to := c.file + ".backup"
			if err := c.at.backup(ctx, to); err == nil {
				c.backup = map[string]int{}
				for table, next := range c.next {
					c.backup[table] = next
				}
			} else if left, _ := filepath.Glob(to + "*"); len(left) > 0 {
				c.t.Errorf("%s: a backup that failed has left %v", c, left)
			}
		}
		_ = s.Close() // which fails where the disk does
	}
}

// judge looks at what the power cut has left: everything acknowledged is there, and
// nothing that was refused, unless nobody knew.
func (c *crash) judge(s *Store) {
	c.t.Helper()
	for table, next := range c.next {
		n := length(c.t, s, table)
		if most := next + number01(c.unknown[table]); n < next || n > most {
			c.t.Errorf("%s: %s has %d entries, %d were acknowledged (one more unknown: %v)", c, table, n, next, c.unknown[table])
		}
	}
	if _, err := s.Check(context.Background()); err != nil {
		c.t.Errorf("%s: %v", c, err)
	}
}

// crashAt lets a disk fail at a point, cuts the power, and looks at what is left.
// It says how many operations the disk was asked for.
func crashAt(t *testing.T, seed map[string][]byte, point int, f fault, rng *rand.Rand) int {
	t.Helper()
	folder, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	d := disktest.New(t)
	defer d.Forget()
	c := &crash{t: t, file: filepath.Join(folder, "copse.db"), disk: d, point: point, fault: f, next: map[string]int{"oak": seeded}, unknown: map[string]bool{}}
	for name, b := range seed {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.at = location{file: c.file, vfs: d.VFS, full: 12, gap: -1, free: func() int64 { return -1 }, harm: func(op, file string) error {
		if rc := c.meet(op); rc != 0 {
			return fmt.Errorf("%s of %s: %d", op, filepath.Base(file), rc)
		}
		if op == "rewrite" {
			d.Settle(file)
		}
		return nil
	}}
	d.Set(func(op, _ string) int32 { return c.meet(op) })
	c.live()
	asked := c.asked
	left := withWitness(t, c.file, d.Cut(rng))
	for name := range left {
		if strings.Contains(name, "backup") {
			delete(left, name) // it is looked at as it is
		}
	}
	after := filepath.Join(folder, "after")
	if err := os.Mkdir(after, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, b := range left {
		if err := os.WriteFile(filepath.Join(after, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open(location{file: filepath.Join(after, "copse.db"), sync: "OFF", gap: -1}) // nobody cuts the power again
	if err != nil {
		t.Fatalf("%s: it does not open: %v", c, err)
	}
	c.judge(s)
	if err := s.Close(); err != nil {
		t.Errorf("%s: %v", c, err)
	}
	if c.backup != nil {
		s, err := Look(c.file + ".backup")
		if err != nil {
			t.Fatalf("%s: the backup: %v", c, err)
		}
		c.next, c.unknown = c.backup, map[string]bool{}
		c.judge(s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	return asked
}

// seeded is how many entries the table oak has at the beginning, most of them in the
// log file that a killed process has left.
const seeded = 20

// TestCrashedAtEveryPoint lets the disk fail at its nth write, sync, truncation,
// deletion and rename, in several ways, and cuts the power after that. COPSE_TORTURE
// does so at each of them, 10,000 times in all.
func TestCrashedAtEveryPoint(t *testing.T) {
	if _, err := os.Stat("/dev/shm"); err == nil {
		t.Setenv("TMPDIR", "/dev/shm") // what reaches the disk is what disktest says
	}
	s := openOn(t, disktest.New(t), location{full: 1 << 30})
	for next := range seeded {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	seed := asTheyAre(t, s.file)
	rng := rand.New(rand.NewPCG(12, 17))
	every, least := 41, 0
	if os.Getenv("COPSE_TORTURE") != "" {
		every, least = 1, 10_000
	}
	ways := crashAt(t, seed, 1<<30, fault{}, rng)
	points := 0
	for turn := 0; turn == 0 || points < least; turn++ {
		for i, f := range faults() {
			for point := (turn + 7*i) % every; point < ways; point += every {
				crashAt(t, seed, point, f, rng)
				points++
				if t.Failed() {
					t.Fatalf("after %d points", points)
				}
				if least > 0 && points%1000 == 0 {
					t.Logf("crashed at %d points so far", points)
				}
			}
		}
	}
	if points < 40 {
		t.Errorf("only %d points of %d were tried", points, ways)
	}
	t.Logf("figures: store crashed at %d points (each of %d writes, syncs, truncations, deletions and renames of three lives, in %d ways): everything acknowledged was there, nothing refused, every check passed", points, ways, len(faults()))
}
