package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/seal"
	"copse/store"
	"copse/store/postgres"
	"copse/store/sqlite"
)

// good ends a test that cannot go on.
func good(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// sealSecrets puts so many sealed papers into a store.
func sealSecrets(t *testing.T, s store.Store, ring *seal.Ring, many int) {
	t.Helper()
	good(t, s.AddAccount(t.Context(), store.Account{ID: "anna"}))
	good(t, s.Write(t.Context(), ring.Paper(store.Paper{Kind: "vapid", Key: "house", Body: []byte("secret vapid")})))
	for n := range many {
		good(t, s.Write(t.Context(), ring.Paper(store.Paper{Kind: "push", Key: fmt.Sprintf("%05d", n), Owner: "anna", Body: fmt.Append(nil, "secret ", n)})))
	}
}

// opened opens all of them.
func opened(t *testing.T, s store.Papers, ring *seal.Ring, many int) {
	t.Helper()
	p, err := s.Paper(t.Context(), "vapid", "house")
	good(t, err)
	p, err = ring.OpenPaper(p)
	if err != nil || string(p.Body) != "secret vapid" {
		t.Errorf("the key of the house for push is %q, %v", p.Body, err)
	}
	for n := range many {
		p, err := s.Paper(t.Context(), "push", fmt.Sprintf("%05d", n))
		good(t, err)
		if p, err = ring.OpenPaper(p); err != nil || p.Owner != "anna" || string(p.Body) != fmt.Sprint("secret ", n) {
			t.Fatalf("secret %d is %+v, %v", n, p, err)
		}
	}
}

// sealedHouse is a data folder with a key and so many secrets.
func sealedHouse(t *testing.T, many int) (folder string, ring *seal.Ring) {
	t.Helper()
	folder = t.TempDir()
	_, _, err := serverKey(filepath.Join(folder, keyName))
	good(t, err)
	ring, err = readRing(filepath.Join(folder, keyName))
	good(t, err)
	s, err := sqlite.Open(filepath.Join(folder, databaseName))
	good(t, err)
	sealSecrets(t, s, ring, many)
	good(t, s.Close())
	return folder, ring
}

// looked opens all secrets of a data folder with the key file that is there.
func looked(t *testing.T, folder string, many int) *seal.Ring {
	t.Helper()
	ring, err := readRing(filepath.Join(folder, keyName))
	good(t, err)
	s, err := sqlite.Look(filepath.Join(folder, databaseName))
	good(t, err)
	opened(t, s, ring, many)
	good(t, s.Close())
	return ring
}

// TestTheKeyIsRotated, and the house goes on with it: what came from the first key still
// does.
func TestTheKeyIsRotated(t *testing.T) {
	t.Parallel()
	const many = 7
	folder, first := sealedHouse(t, many)
	file := filepath.Join(folder, keyName)
	said := runs(t, "key", "rotate", "--data", folder)
	if !strings.Contains(said, "a new key seals 8 secrets") {
		t.Errorf("it says %s", said)
	}
	second := looked(t, folder, many)
	if second.Len() != 2 || second.Current() == first.Current() || !bytes.Equal(second.House(), first.House()) {
		t.Errorf("there are %d keys", second.Len())
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it is %v, %v", info.Mode(), err)
	}
	runs(t, "key", "rotate", "--data", folder)
	third := looked(t, folder, many)
	if third.Len() != 2 || third.Has(second.Current()) || !bytes.Equal(third.House(), first.House()) {
		t.Errorf("there are %d keys, and the one before is among them: %v", third.Len(), third.Has(second.Current()))
	}
	for _, raw := range []string{folder} {
		list, err := os.ReadDir(raw)
		good(t, err)
		for _, f := range list {
			if strings.Contains(f.Name(), ".part") {
				t.Errorf("%s is left", f.Name())
			}
			if text, _ := os.ReadFile(filepath.Join(folder, f.Name())); bytes.Contains(text, []byte("secret vapid")) {
				t.Errorf("%s says a secret", f.Name())
			}
		}
	}

	s := &served{t: t, addr: ownAddress(t), data: folder, back: make(chan struct{})}
	s.url = "http://" + s.addr
	s.start()
	t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	fails(t, "another copse serves from", "key", "rotate", "--data", folder)
	s.stop()
	looked(t, folder, many)

	// Moved, or put back from a backup, it has all keys.
	copied := filepath.Join(t.TempDir(), "copied.db")
	runs(t, "backup", "--data", folder, copied)
	back := filepath.Join(t.TempDir(), "back")
	runs(t, "restore", "--data", back, copied)
	if ring := looked(t, back, many); !ring.Equal(third) {
		t.Error("what was restored has other keys")
	}
	to := filepath.Join(t.TempDir(), "moved")
	runs(t, "copy", "--from", back, "--to", to)
	if ring := looked(t, to, many); !ring.Equal(third) {
		t.Error("what has moved has other keys")
	}
}

// TestABackupWithoutTheKeyOpensNothing: with its key it does. Without it the rest of the
// house goes on, and what cannot be opened is given up only when somebody says so.
func TestABackupWithoutTheKeyOpensNothing(t *testing.T) {
	t.Parallel()
	const many = 3
	folder, first := sealedHouse(t, many)
	runs(t, "key", "rotate", "--data", folder)
	to := t.TempDir()
	copied := filepath.Join(to, "copied.db")
	runs(t, "backup", "--without-key", "--data", folder, copied)
	list, err := os.ReadDir(to)
	if err != nil || len(list) != 1 {
		t.Errorf("beside the copy there are %v, %v", list, err)
	}
	if raw := read(t, copied); bytes.Contains(raw, []byte("secret vapid")) || bytes.Contains(raw, first.House()) {
		t.Error("the copy says a secret")
	}
	back := filepath.Join(to, "back")
	runs(t, "restore", "--data", back, copied)
	fails(t, "the key of this server cannot be read", "key", "rotate", "--data", back)
	s := &served{t: t, addr: ownAddress(t), data: back, back: make(chan struct{})}
	s.url = "http://" + s.addr
	s.start() // with a key of its own
	t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	s.stop()
	if said := fmt.Sprint(s.cmd.Stderr); !strings.Contains(said, "what was sealed with the key of this server cannot be opened") {
		t.Errorf("it says %s", said)
	}
	fails(t, "was changed by copse key rotate", "key", "rotate", "--data", back)
	own := read(t, filepath.Join(back, keyName))

	// With the key that was kept elsewhere everything is there.
	good(t, os.WriteFile(filepath.Join(back, keyName), read(t, filepath.Join(folder, keyName)), 0o600))
	looked(t, back, many)
	// Or it is given up.
	good(t, os.WriteFile(filepath.Join(back, keyName), own, 0o600))
	if said := runs(t, "key", "rotate", "--lost", "--data", back); !strings.Contains(said, "seals 0 secrets") {
		t.Errorf("it says %s", said)
	}
	s.start()
	s.stop()
	if said := fmt.Sprint(s.cmd.Stderr); strings.Contains(said, "cannot be opened") {
		t.Errorf("it says %s", said)
	}
}

// TestAWrongKeyChangesNothing: that of another house.
func TestAWrongKeyChangesNothing(t *testing.T) {
	t.Parallel()
	const many = 4
	folder, _ := sealedHouse(t, many)
	other, _ := sealedHouse(t, 0)
	file := filepath.Join(folder, keyName)
	right, wrong := read(t, file), read(t, filepath.Join(other, keyName))
	good(t, os.WriteFile(file, wrong, 0o600))
	fails(t, "5 of 5 secrets cannot be opened with the keys in "+file, "key", "rotate", "--data", folder)
	if !bytes.Equal(read(t, file), wrong) {
		t.Error("the key file has changed")
	}
	good(t, os.WriteFile(file, []byte("no key\n"), 0o600))
	fails(t, "is no key", "key", "rotate", "--data", folder)
	good(t, os.WriteFile(file, right, 0o600))
	looked(t, folder, many)
}

// TestRotatingMayBeKilled at any moment: every secret opens with the key file that is
// there, and running it again finishes it.
func TestRotatingMayBeKilled(t *testing.T) {
	t.Parallel()
	const many, kills = 150, 4
	folder, first := sealedHouse(t, many)
	file := filepath.Join(folder, keyName)
	exe, err := os.Executable()
	good(t, err)
	for n := range kills {
		cmd := exec.Command(exe, "key", "rotate", "--data", folder)
		cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
		good(t, cmd.Start())
		for {
			raw := read(t, file)
			ring, err := seal.Parse(raw)
			good(t, err) // it is whole at every moment
			if n == 0 && ring.Len() > 1 {
				break // the new key was just written
			}
			s, err := sqlite.Look(filepath.Join(folder, databaseName))
			good(t, err)
			is, err := ring.Look(context.Background(), s)
			good(t, err, s.Close())
			if is.Lost > 0 {
				t.Errorf("%d secrets open with no key", is.Lost)
			}
			if ring.Len() > 1 && (is.All-is.Old >= n*many/kills || is.Old == 0) {
				break
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed, or has ended just before
		ring := looked(t, folder, many)
		if !bytes.Equal(ring.House(), first.House()) || ring.Len() > 2 {
			t.Errorf("after kill %d there are %d keys", n, ring.Len())
		}
	}
	before := looked(t, folder, many)
	runs(t, "key", "rotate", "--data", folder)
	ring := looked(t, folder, many)
	s, err := sqlite.Look(filepath.Join(folder, databaseName))
	good(t, err)
	is, err := ring.Look(t.Context(), s)
	good(t, err, s.Close())
	if is.Old != 0 || is.All != many+1 || ring.Len() != 2 {
		t.Errorf("in the end there are %+v and %d keys, before it %d", is, ring.Len(), before.Len())
	}
}

// TestNodesShareANewKey: it is made while none serves. A node that has the old one is
// told so, and serves with the new one.
func TestNodesShareANewKey(t *testing.T) {
	t.Parallel()
	const many = 5
	q := newQuarter(t)
	q.args = []string{"--push=off"} // all that is sealed is what the test seals
	a := q.node(q.store, q.news)
	b := q.node(q.store, q.news)
	file := filepath.Join(a.data, keyName)
	first, err := readRing(file)
	good(t, err)
	rotate := []string{"key", "rotate", "--store", q.store, "--data", a.data}
	fails(t, "a node still serves this house", rotate...)
	kept, err := postgres.Open(t.Context(), q.store, postgres.Options{Key: first.House()})
	good(t, err)
	sealSecrets(t, kept, first, many)
	a.stop()
	fails(t, "a node still serves this house", rotate...)
	b.stop()
	release, err := kept.Alone(t.Context())
	good(t, err)
	fails(t, "its key is being changed", rotate...)
	release()
	if ring, err := readRing(file); err != nil || !ring.Equal(first) {
		t.Errorf("what was refused has changed the key: %v", err)
	}
	if said := runs(t, rotate...); !strings.Contains(said, "seals 6 secrets. Copy it to the data folder of every node") {
		t.Errorf("it says %s", said)
	}
	second, err := readRing(file)
	good(t, err)
	opened(t, kept, second, many)
	a.start()
	fails(t, "was changed by copse key rotate", append([]string{"serve", "--addr", "127.0.0.1:0", "--data", b.data}, b.args...)...)
	copied := filepath.Join(t.TempDir(), "copied.db")
	fails(t, "was changed by copse key rotate", "backup", "--store", q.store, "--data", b.data, copied)
	good(t, os.WriteFile(filepath.Join(b.data, keyName), read(t, file), 0o600))
	b.start()
	runs(t, "backup", "--store", q.store, "--data", b.data, copied)
	if !bytes.Equal(read(t, keyBeside(copied)), read(t, file)) {
		t.Error("beside the backup there is another key")
	}
	bare := filepath.Join(t.TempDir(), "bare.db")
	runs(t, "backup", "--without-key", "--store", q.store, "--data", b.data, bare)
	if _, err := os.Stat(keyBeside(bare)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the key is there: %v", err)
	}
	a.stop()
	// A node that stood still meanwhile ends as soon as it looks.
	p, err := kept.Paper(t.Context(), "seal", "current")
	good(t, err)
	p.Body = []byte("another!")
	good(t, kept.Write(t.Context(), p))
	if err := b.cmd.Wait(); err == nil || !strings.Contains(fmt.Sprint(b.cmd.Stderr), "the key of this house was changed, and the node stops") {
		t.Errorf("a node with an old key goes on, or ends without a word: %v\n%s", err, b.cmd.Stderr)
	}
	id := second.Current()
	p.Body, p.Version = id[:], p.Version+1
	good(t, kept.Write(t.Context(), p))
	good(t, kept.Close())
	back := filepath.Join(t.TempDir(), "back")
	runs(t, "copy", "--from", q.store, "--to", back, "--key", file)
	if ring := looked(t, back, many); !ring.Equal(second) {
		t.Error("what has moved has other keys")
	}
}
