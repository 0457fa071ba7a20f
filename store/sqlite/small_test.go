//go:build torture && linux

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"copse/store"
)

// smallDisk names, for a process that the test below has started in a world of files
// of its own, where to put a small disk.
const smallDisk = "COPSE_STORE_SMALL_DISK"

// TestASmallDisk meets a real disk of 40 MB: a file system in memory, which only the
// process that is started for it sees. Not every system lets us make one, so the promise
// itself is held by TestAFullDiskIsGivenTheSpaceOfTheLogFile, and this is built for
// `make torture` alone, which fails where it cannot be tried.
func TestASmallDisk(t *testing.T) {
	if at := os.Getenv(smallDisk); at != "" {
		squeeze(t, at)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestASmallDisk$", "-test.v")
	cmd.Env = append(os.Environ(), smallDisk+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "no disk can be made here") || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("this system lets nobody make a disk: run it as root, or allow user namespaces: %v\n%s", err, out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if _, figures, ok := strings.Cut(line, "figures: "); ok {
			t.Log("figures: " + strings.TrimSpace(figures))
		}
	}
}

// squeeze fills a disk of 40 MB with games, with somebody else's files beside them and
// somebody reading, until nothing more fits; then makes space.
func squeeze(t *testing.T, at string) {
	const size, ballast = 40 << 20, 12 << 20
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatalf("no disk can be made here: %v", err)
	}
	if err := syscall.Mount("tmpfs", at, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Fatalf("no disk can be made here: %v", err)
	}
	others := filepath.Join(at, "others")
	if err := os.WriteFile(others, make([]byte, ballast), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(at, "copse.db")
	s, err := open(location{file: file, gap: -1})
	if err != nil {
		t.Fatal(err)
	}
	next, body := 0, make([]byte, 30_000)
	add := func() error {
		_, err := s.Append(t.Context(), store.Append{Table: "oak", Next: next, Entries: [][]byte{body}, Row: &store.Row{Game: "bosk"}})
		if err == nil {
			next++
		}
		return err
	}
	fill := func() error {
		for {
			if err := add(); err != nil {
				return err
			}
		}
	}
	for range 20 {
		if err := add(); err != nil {
			t.Fatal(err)
		}
	}
	end := reading(t, file)
	if err := fill(); !errors.Is(err, store.ErrFull) {
		t.Fatal(err)
	}
	held := next
	end()
	if err := fill(); !errors.Is(err, store.ErrFull) {
		t.Fatal(err)
	}
	about, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if kept := about.Size(); next == held || kept < (size-ballast)*8/10 {
		t.Errorf("there is no space for more than %d entries and %d bytes", next, kept)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err = open(location{file: file, gap: -1}); err != nil { // also where there is no space
		t.Fatal(err)
	}
	full := next
	if err := fill(); !errors.Is(err, store.ErrFull) {
		t.Fatal(err)
	}
	if err := os.Remove(others); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := add(); err != nil {
			t.Fatalf("there is space again: %v", err)
		}
	}
	if log, err := s.Read(t.Context(), "oak", 0); err != nil || len(log) != next {
		t.Errorf("%d entries are there, %d were acknowledged: %v", len(log), next, err)
	}
	if _, err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("figures: small disk: 28 MB filled with %d entries, %.0f MB of them in the database; it goes on when somebody who reads is gone, and when there is space", full, float64(about.Size())/1e6)
}
