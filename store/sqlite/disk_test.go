package sqlite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// disk stands between SQLite and the real disk. It passes everything on, but
// it can be told to refuse, it can be full, and it knows what would be left if
// the power failed: what was synced, and of the rest as much as chance wants.
type disk struct {
	vfs string

	mu     sync.Mutex
	syncs  int                              // so far, of log files
	refuse func(op, file string) (rc int32) // what to answer in place of doing it; 0 to do it
	files  map[string]*image                // by path
}

// image is what of a file has reached the disk, and what has not yet.
type image struct {
	synced  []byte
	pending []patch
}

type patch struct {
	at   int64
	data []byte
	cut  bool // the file ends here
}

// opened are the files that are open through any disk, by their address in
// SQLite; ours are our methods by those that they replace.
var (
	registry sync.Mutex
	disks    = map[uintptr]*disk{}
	opened   = map[uintptr]*opening{}
	ours     = map[uintptr]uintptr{}
	base     uintptr // SQLite's own VFS
)

type opening struct {
	disk *disk
	path string
	real *lib.Tsqlite3_io_methods
}

// at is what lies at an address outside of Go's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// address is a function as SQLite calls it. It must be one of the package: Go
// does not see that SQLite holds it.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the other way round.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// newDisk makes a disk of its own for a test.
func newDisk(t *testing.T) *disk {
	t.Helper()
	tls := libc.NewTLS()
	t.Cleanup(tls.Close)
	registry.Lock()
	defer registry.Unlock()
	if base == 0 {
		base = lib.Xsqlite3_vfs_find(tls, 0)
	}
	d := &disk{vfs: fmt.Sprintf("disk-%d", len(disks)), files: map[string]*image{}}
	name, err := libc.CString(d.vfs)
	if err != nil {
		t.Fatal(err)
	}
	mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	*at[lib.Tsqlite3_vfs](mine) = *at[lib.Tsqlite3_vfs](base)
	v := at[lib.Tsqlite3_vfs](mine)
	v.FzName, v.FpNext, v.FxOpen = name, 0, address(diskOpen)
	v.FxDelete = address(diskDelete)
	if rc := lib.Xsqlite3_vfs_register(tls, mine, 0); rc != lib.SQLITE_OK {
		t.Fatalf("the disk was not registered: %d", rc)
	}
	disks[mine] = d
	return d
}

// set tells a disk what to refuse from now on.
func (d *disk) set(refuse func(op, file string) int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse = refuse
}

// never is a disk without faults.
func never(string, string) int32 { return 0 }

// times refuses an operation on files with an ending so many times.
func times(n int, op, end string, rc int32) func(string, string) int32 {
	return func(o, file string) int32 {
		if o != op || !strings.HasSuffix(file, end) || n == 0 {
			return 0
		}
		n--
		return rc
	}
}

func (d *disk) synced() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
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
		ours[f.FpMethods] = mine
	}
	f.FpMethods = ours[f.FpMethods]
	opened[file] = o
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	if o.disk.files[o.path] == nil {
		there, _ := os.ReadFile(o.path)
		o.disk.files[o.path] = &image{synced: there}
	}
	return rc
}

func diskDelete(tls *libc.TLS, vfs, name uintptr, dir int32) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr, int32) int32](at[lib.Tsqlite3_vfs](base).FxDelete)(tls, base, name, dir)
	if rc == lib.SQLITE_OK {
		registry.Lock()
		d := disks[vfs]
		registry.Unlock()
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.files, libc.GoString(name))
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
	rc := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](o.real.FxWrite)(tls, file, data, size, offset)
	if rc == lib.SQLITE_OK {
		i := o.disk.files[o.path]
		i.pending = append(i.pending, patch{at: offset, data: append([]byte(nil), unsafe.Slice(at[byte](data), size)...)})
	}
	return rc
}

func diskTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	rc := function[func(*libc.TLS, uintptr, int64) int32](o.real.FxTruncate)(tls, file, size)
	if rc == lib.SQLITE_OK {
		i := o.disk.files[o.path]
		i.pending = append(i.pending, patch{at: size, cut: true})
	}
	return rc
}

func diskSync(_ *libc.TLS, file uintptr, _ int32) int32 {
	o := openingOf(file)
	o.disk.mu.Lock()
	defer o.disk.mu.Unlock()
	if rc := o.fail("sync"); rc != 0 {
		return rc
	}
	// The real one is left out: this disk counts as synced what is in the image.
	if strings.HasSuffix(o.path, "-wal") {
		o.disk.syncs++
	}
	i := o.disk.files[o.path]
	for _, p := range i.pending {
		i.synced = p.onto(i.synced)
	}
	i.pending = nil
	return lib.SQLITE_OK
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

// cut is what would be on the disk if the power failed now: of what was not
// synced nothing, everything, or what chance wants, sector by sector.
func (d *disk) cut(rng *rand.Rand) map[string][]byte {
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

// lay writes files into a new folder and is the path of the database there.
func lay(t *testing.T, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name := range maps.Keys(files) {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "copse.db")
}
