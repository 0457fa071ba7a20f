// Package disktest is a disk that fails when it is told to, and one that does not
// sync. They stand between SQLite and the real disk, for tests of what is kept on it.
package disktest

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Disk passes everything on to the real disk, but it can be told to refuse, it can
// be full, and it knows what would be left if the power failed: what was synced,
// and of the rest as much as chance wants. After a sync that fails it behaves as
// Linux does: what was to be synced can still be read, but no later sync brings
// it to the disk, and everybody who has the file open is told once.
type Disk struct {
	VFS string // by which SQLite knows it

	mu     sync.Mutex
	syncs  int // so far, of log files
	refuse Refusal
	space  int64             // bytes that all files together may have; 0 for any number
	files  map[string]*image // by path
}

// Refusal is asked before each thing that is done to a file: read, write, sync,
// truncate, delete, or share more memory. It says what SQLite is answered in place of doing it, or 0 to
// have it done.
type Refusal = func(op, file string) (rc int32)

// image is what of a file has reached the disk, and what has not yet.
type image struct {
	synced   []byte
	pending  []patch
	size     int64 // as whoever reads it sees
	failures int   // syncs that have failed
}

type patch struct {
	at   int64
	data []byte
	cut  bool // the file ends here
	lost bool // no sync will bring it to the disk
}

// opened are the files that are open through any disk, by their address in
// SQLite; ours are our methods by those that they replace.
var (
	registry sync.Mutex
	disks    = map[uintptr]*Disk{}
	opened   = map[uintptr]*opening{}
	ours     = map[uintptr]uintptr{}
	base     uintptr // SQLite's own VFS
)

type opening struct {
	disk *Disk
	path string
	real *lib.Tsqlite3_io_methods
	told int // of the failed syncs of the file
}

// at is what lies at an address outside of Go's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// address is a function as SQLite calls it. It must be one of the package: Go
// does not see that SQLite holds it.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the other way round.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// New makes a disk of its own for a test.
func New(t testing.TB) *Disk {
	t.Helper()
	d, err := register(false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Default makes a disk that SQLite takes wherever nobody names another, for a
// process that is to fail as a whole.
func Default() (*Disk, error) { return register(true) }

func register(first bool) (*Disk, error) {
	tls := libc.NewTLS()
	defer tls.Close()
	registry.Lock()
	defer registry.Unlock()
	if base == 0 {
		base = lib.Xsqlite3_vfs_find(tls, 0)
	}
	d := &Disk{VFS: fmt.Sprintf("disk-%d", len(disks)), files: map[string]*image{}}
	name, err := libc.CString(d.VFS)
	if err != nil {
		return nil, err
	}
	mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	*at[lib.Tsqlite3_vfs](mine) = *at[lib.Tsqlite3_vfs](base)
	v := at[lib.Tsqlite3_vfs](mine)
	v.FzName, v.FpNext, v.FxOpen = name, 0, address(diskOpen)
	v.FxDelete = address(diskDelete)
	standard := int32(0)
	if first {
		standard = 1
	}
	if rc := lib.Xsqlite3_vfs_register(tls, mine, standard); rc != lib.SQLITE_OK {
		return nil, fmt.Errorf("the disk was not registered: %d", rc)
	}
	disks[mine] = d
	return d, nil
}

// Wide lets more parallel tests run at once than there are cores, unless a flag
// says how many: tests of stores wait most of their time. It comes first in
// TestMain.
func Wide() error {
	const many = 8
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said || runtime.GOMAXPROCS(0) >= many {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(many))
}

// Unsynced has SQLite sync nothing wherever nobody names a disk, for the tests of
// a package that stands above a store: they cut no power, and would wait for the
// disk most of their time. Benchmarks wait for it as users do. It comes first in
// TestMain.
func Unsynced() error {
	if flag.Parse(); flag.Lookup("test.bench").Value.String() != "" {
		return nil
	}
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString("unsynced")
	if err != nil {
		return err
	}
	registry.Lock()
	defer registry.Unlock()
	if base == 0 {
		base = lib.Xsqlite3_vfs_find(tls, 0)
	}
	mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	v := at[lib.Tsqlite3_vfs](mine)
	*v = *at[lib.Tsqlite3_vfs](base)
	v.FzName, v.FpNext, v.FxOpen = name, 0, address(unsyncedOpen)
	if rc := lib.Xsqlite3_vfs_register(tls, mine, 1); rc != lib.SQLITE_OK {
		return fmt.Errorf("the disk that does not sync was not registered: %d", rc)
	}
	return nil
}

// unsynced are methods of files without their sync, by those that they replace.
var unsynced = map[uintptr]uintptr{}

func unsyncedOpen(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	type open = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	rc := function[open](at[lib.Tsqlite3_vfs](base).FxOpen)(tls, base, name, file, flags, out)
	f := at[lib.Tsqlite3_file](file)
	if rc != lib.SQLITE_OK || f.FpMethods == 0 {
		return rc
	}
	registry.Lock()
	defer registry.Unlock()
	if unsynced[f.FpMethods] == 0 {
		mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{})))
		m := at[lib.Tsqlite3_io_methods](mine)
		*m = *at[lib.Tsqlite3_io_methods](f.FpMethods)
		m.FxSync = address(unsyncedSync)
		unsynced[f.FpMethods] = mine
	}
	f.FpMethods = unsynced[f.FpMethods]
	return rc
}

func unsyncedSync(*libc.TLS, uintptr, int32) int32 { return lib.SQLITE_OK }

// Set tells a disk what to refuse from now on.
func (d *Disk) Set(refuse Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse = refuse
}

// Space tells a disk how many bytes all its files together may have; 0 for any
// number.
func (d *Disk) Space(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.space = bytes
}

// Free is how many bytes are left, -1 where there is space for any number.
func (d *Disk) Free() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.space == 0 {
		return -1
	}
	return max(d.space-d.used(), 0)
}

// Settle counts a file as written once more, as whoever reads it sees it, and synced.
func (d *Disk) Settle(file string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.files[file]; i != nil {
		i.synced, _ = os.ReadFile(file) // nothing where it is gone
		i.pending = nil
	}
}

// Forget lets go of what a disk knows, when nobody uses it any more.
func (d *Disk) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files = map[string]*image{}
}

// Never is a disk without faults.
func Never(string, string) int32 { return 0 }

// Times refuses an operation on files with an ending so many times.
func Times(n int, op, end string, rc int32) Refusal {
	return func(o, file string) int32 {
		if o != op || !strings.HasSuffix(file, end) || n == 0 {
			return 0
		}
		n--
		return rc
	}
}

// Syncs is how often log files were synced.
func (d *Disk) Syncs() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
}

// used is how many bytes all files have.
func (d *Disk) used() (bytes int64) {
	for _, i := range d.files {
		bytes += i.size
	}
	return bytes
}

// fail asks whether to refuse; then nothing happens.
func (o *opening) fail(op string) int32 {
	if o.disk.refuse == nil {
		return 0
	}
	return o.disk.refuse(op, o.path)
}

func diskOpen(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	type open = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	rc := function[open](at[lib.Tsqlite3_vfs](base).FxOpen)(tls, base, name, file, flags, out)
	f := at[lib.Tsqlite3_file](file)
	if rc != lib.SQLITE_OK || name == 0 || f.FpMethods == 0 {
		return rc
	}
	registry.Lock()
	defer registry.Unlock()
	o := &opening{disk: disks[vfs], path: libc.GoString(name), real: at[lib.Tsqlite3_io_methods](f.FpMethods)}
	if ours[f.FpMethods] == 0 {
		mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{})))
		m := at[lib.Tsqlite3_io_methods](mine)
		*m = *o.real
		m.FxRead, m.FxWrite, m.FxSync, m.FxTruncate, m.FxClose = address(diskRead), address(diskWrite), address(diskSync), address(diskTruncate), address(diskClose)
		m.FxShmMap = address(diskShare)
		ours[f.FpMethods] = mine
	}
	f.FpMethods = ours[f.FpMethods]
	opened[file] = o
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	if o.disk.files[o.path] == nil {
		there, _ := os.ReadFile(o.path)
		o.disk.files[o.path] = &image{synced: there, size: int64(len(there))}
	}
	o.told = o.disk.files[o.path].failures
	return rc
}

func diskDelete(tls *libc.TLS, vfs, name uintptr, dir int32) int32 {
	registry.Lock()
	d := disks[vfs]
	registry.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	path := libc.GoString(name)
	if d.refuse != nil {
		if rc := d.refuse("delete", path); rc != 0 {
			return rc
		}
	}
	rc := function[func(*libc.TLS, uintptr, uintptr, int32) int32](at[lib.Tsqlite3_vfs](base).FxDelete)(tls, base, name, dir)
	if rc == lib.SQLITE_OK {
		delete(d.files, path)
	}
	return rc
}

func openingOf(file uintptr) *opening {
	registry.Lock()
	defer registry.Unlock()
	return opened[file]
}

func diskRead(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	rc := o.fail("read")
	o.disk.mu.Unlock()
	if rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](o.real.FxRead)(tls, file, data, size, offset)
}

func diskWrite(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	if rc := o.fail("write"); rc != 0 {
		return rc
	}
	i := o.disk.files[o.path]
	grown := max(offset+int64(size)-i.size, 0)
	if o.disk.space > 0 && grown > 0 && o.disk.used()+grown > o.disk.space {
		return lib.SQLITE_FULL
	}
	rc := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](o.real.FxWrite)(tls, file, data, size, offset)
	if rc == lib.SQLITE_OK {
		i.size += grown
		i.pending = append(i.pending, patch{at: offset, data: append([]byte(nil), unsafe.Slice(at[byte](data), size)...)})
	}
	return rc
}

func diskTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	if rc := o.fail("truncate"); rc != 0 {
		return rc
	}
	rc := function[func(*libc.TLS, uintptr, int64) int32](o.real.FxTruncate)(tls, file, size)
	if rc == lib.SQLITE_OK {
		i := o.disk.files[o.path]
		i.size = size
		i.pending = append(i.pending, patch{at: size, cut: true})
	}
	return rc
}

func diskSync(_ *libc.TLS, file uintptr, _ int32) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	i := o.disk.files[o.path]
	if rc := o.fail("sync"); rc != 0 {
		for k := range i.pending {
			i.pending[k].lost = true
		}
		i.failures++
		o.told = i.failures
		return rc
	}
	if o.told < i.failures {
		o.told = i.failures
		return lib.SQLITE_IOERR_FSYNC
	}
	// The real one is left out: this disk counts as synced what is in the image.
	if strings.HasSuffix(o.path, "-wal") {
		o.disk.syncs++
	}
	for _, p := range i.pending {
		if !p.lost {
			i.synced = p.onto(i.synced)
		}
	}
	i.pending = nil
	return lib.SQLITE_OK
}

func diskShare(tls *libc.TLS, file uintptr, region, size, extend int32, out uintptr) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	rc := int32(0)
	if extend != 0 {
		rc = o.fail("share")
	}
	o.disk.mu.Unlock()
	if rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](o.real.FxShmMap)(tls, file, region, size, extend, out)
}

func diskClose(tls *libc.TLS, file uintptr) int32 {
	o := openingOf(file)
	registry.Lock()
	delete(opened, file)
	registry.Unlock()
	return function[func(*libc.TLS, uintptr) int32](o.real.FxClose)(tls, file)
}

func (p patch) onto(b []byte) []byte {
	end := int(p.at) + len(p.data)
	if p.cut {
		return b[:min(len(b), end)]
	}
	if len(b) < end {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[p.at:], p.data)
	return b
}

// Cut is what would be on the disk if the power failed now: of what was not
// synced nothing, everything, or what chance wants, sector by sector.
func (d *Disk) Cut(rng *rand.Rand) map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	left, mood := map[string][]byte{}, rng.IntN(3)
	for path, i := range d.files {
		b := append([]byte(nil), i.synced...)
		for _, p := range i.pending {
			if p.cut {
				if mood == 1 {
					b = p.onto(b)
				}
				continue
			}
			for from := 0; from < len(p.data); from += 512 {
				if mood == 1 || mood == 2 && rng.IntN(2) == 0 {
					b = patch{at: p.at + int64(from), data: p.data[from:min(from+512, len(p.data))]}.onto(b)
				}
			}
		}
		left[filepath.Base(path)] = b
	}
	return left
}

// Lay writes files into a new folder and is the path of the database there.
func Lay(t testing.TB, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name := range maps.Keys(files) {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "copse.db")
}
