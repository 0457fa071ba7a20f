package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"copse/store/sqlite/disktest"
)

// counted is how many pages the writer believes to be in the log file, and at how
// many it asks for them to be brought home.
func counted(t *testing.T, s *Store) (log, due int) {
	t.Helper()
	if err := s.write(context.Background(), func(*tx) error {
		log, due = s.writer.pages.log, s.writer.pages.due
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return log, due
}

// until writes until pages were brought home, or something stood in the way, and
// nobody has taken note of it yet.
func until(t *testing.T, s *Store, next *int, most int) {
	t.Helper()
	for logSize(t, s.file)/logFrame < int64(most) {
		if err := put(s, "oak", *next); err != nil {
			t.Fatal(err)
		}
		*next++
	}
	for g := s.writer.pages; ; *next++ {
		var told []checkpoint
		if err := s.write(context.Background(), func(*tx) error { // the writer stands still meanwhile
			if g.asked {
				told = append(told, <-g.home)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if told != nil {
			g.home <- told[0]
			return
		}
		if err := put(s, "oak", *next); err != nil { // somebody has taken note already
			t.Fatal(err)
		}
	}
}

// TestPagesOfOthersAreCounted: another process writes to the log file too, while
// somebody reads it. What counts is what is there, not what this process has written:
// else the log file would take room that its pages need to come home.
func TestPagesOfOthersAreCounted(t *testing.T) {
	t.Parallel()
	const most = 40
	s := openOn(t, disktest.New(t), location{full: most, gap: -1})
	if err := put(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	end := reading(t, s.file)
	other, err := open(location{file: s.file, full: 1 << 30, gap: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }() // tested elsewhere
	for next := range 60 {
		if err := put(other, "elm", next); err != nil {
			t.Fatal(err)
		}
	}
	theirs, own := logSize(t, s.file)/logFrame, 1
	for {
		if err := put(s, "oak", own); err != nil {
			t.Fatal(err)
		}
		own++
		log, due := counted(t, s)
		if int64(log) > theirs { // a checkpoint was taken note of
			if there := int(logSize(t, s.file) / logFrame); log < there-1 || log > there || due > log+most/8 {
				t.Errorf("%d pages are in the log file, %d are counted, and at %d they are asked for", there, log, due)
			}
			break
		}
		if own > 10*most {
			t.Fatalf("%d pages are in the log file, and %d are counted", logSize(t, s.file)/logFrame, log)
		}
	}
	end()
}

// TestALogFileThatDoesNotBeginAnewIsCountedOn: somebody begins to read the end of the
// log file at the moment at which the writer brings the last pages home. All are in the
// database then, but the log file goes on, and so does the count of its pages.
func TestALogFileThatDoesNotBeginAnewIsCountedOn(t *testing.T) {
	t.Parallel()
	const most = 40
	d := disktest.New(t)
	s := openOn(t, d, location{full: most, gap: -1})
	next := 0
	for range 3 {
		if err := put(s, "oak", next); err != nil {
			t.Fatal(err)
		}
		next++
	}
	early := reading(t, s.file) // so that most pages are still to come home
	until(t, s, &next, most)
	early()
	held, free := make(chan struct{}), make(chan struct{})
	var once sync.Once
	d.Set(func(op, file string) int32 {
		if op == "write" && strings.HasSuffix(file, filepath.Base(s.file)) {
			once.Do(func() {
				close(held)
				<-free
			})
		}
		return 0
	})
	if err := put(s, "oak", next); err != nil { // whoever writes brings the rest home
		t.Fatal(err)
	}
	next++
	<-held
	late := reading(t, s.file)
	close(free)
	log, due := counted(t, s)
	late()
	if there := int(logSize(t, s.file) / logFrame); log != there || due > log+most/8 {
		t.Errorf("%d pages are in the log file, %d are counted, and at %d they are asked for", there, log, due)
	}
}

// TestEveryTransactionIsCounted, also after another process has written: the witness
// knows the number that the database has, so that none of them can be lost unnoticed.
func TestEveryTransactionIsCounted(t *testing.T) {
	t.Parallel()
	s := reopen(t, filepath.Join(t.TempDir(), "copse.db"))
	other := reopen(t, s.file)
	batch := func() (n int64) {
		t.Helper()
		if err := s.row(t.Context(), "SELECT batch FROM house", func(scan scan) error { return scan(&n) }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	begun := batch()
	for next := range 6 {
		for n, one := range []*Store{s, other, other} {
			if err := put(one, "oak", 3*next+n); err != nil {
				t.Fatal(err)
			}
			want := begun + int64(3*next+n) + 1
			if _, seen, ok := (location{file: s.file}).testimony(); batch() != want || !ok || seen != want {
				t.Fatalf("after %d transactions the database has number %d, and its witness %d", want-begun, batch(), seen)
			}
		}
	}
}
