package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"copse/store"
)

// TestABackupIsWholeWhilePlayGoesOn copies a database that is written to, by the
// store itself and as another process would, and goes on from the copy.
func TestABackupIsWholeWhilePlayGoesOn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "copse.db")
	s := reopen(t, file)
	furnish(t, s)
	acks := &acknowledged{next: map[string]int{}}
	stop, ready := make(chan struct{}), make(chan struct{}, 6)
	var wg sync.WaitGroup
	for player := range 6 {
		wg.Go(func() {
			table := fmt.Sprintf("game-%d", player)
			for next := 0; ; next++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := put(s, table, next); err != nil {
					t.Error(err)
					return
				}
				acks.add(table, next+1)
				if next == 3 {
					ready <- struct{}{}
				}
			}
		})
	}
	for range 6 {
		<-ready
	}
	for i, backup := range []func(string) error{
		func(to string) error { return s.Backup(context.Background(), to) },
		func(to string) error { return Backup(context.Background(), file, to) },
	} {
		to := filepath.Join(folder, fmt.Sprintf("backup-%d.db", i))
		known := acks.copy()
		if err := backup(to); err != nil {
			t.Fatal(err)
		}
		if err := backup(to); err == nil {
			t.Error("a backup was written over another")
		}
		looked, err := Look(to)
		if err != nil {
			t.Fatal(err)
		}
		checked, err := looked.Check(context.Background())
		if err != nil || checked.Tables != 18 {
			t.Errorf("the copy: %+v, %v", checked, err)
		}
		for table, next := range known {
			if n := length(t, looked, table); n < next {
				t.Errorf("of %s %d entries were acknowledged, and the copy has %d", table, next, n)
			}
		}
		if err := put(looked, "oak", 0); err == nil {
			t.Error("what was opened to be read was written")
		}
		if err := looked.Close(); err != nil {
			t.Fatal(err)
		}

		if _, err := Restore(context.Background(), to, file); err == nil {
			t.Fatal("a database was restored over one that is there")
		}
		elsewhere := filepath.Join(folder, fmt.Sprint(i), "copse.db")
		restored, err := Restore(context.Background(), to, elsewhere)
		if err != nil || restored != checked {
			t.Fatalf("restored: %+v, %v", restored, err)
		}
		again := reopen(t, elsewhere)
		if n := length(t, again, "game-0"); put(again, "game-0", n) != nil {
			t.Error("a restored game does not go on")
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*.part*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	close(stop)
	wg.Wait()
}

func TestADamagedBackupIsNotRestored(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := reopen(t, filepath.Join(folder, "copse.db"))
	furnish(t, s)
	backup := filepath.Join(folder, "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	b[bytes.Index(b, entryOf("table-4", 17))+40] ^= 1
	if err := os.WriteFile(backup, b, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(folder, "elsewhere", "copse.db")
	var damage *store.Damage
	if _, err := Restore(t.Context(), backup, elsewhere); !errors.As(err, &damage) {
		t.Errorf("a damaged backup: %v", err)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("something was put there all the same")
	}
}
