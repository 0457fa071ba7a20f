package move

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/store"
	"copse/store/postgres"
	"copse/store/postgres/pgtest"
	"copse/store/sqlite"
	"copse/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func inFile(t *testing.T) func() (store.Store, error) {
	file := filepath.Join(t.TempDir(), "copse.db")
	return func() (store.Store, error) { return sqlite.Open(file) }
}

func inDatabase(t *testing.T) func() (store.Store, error) {
	url := pgtest.Shared(t).Database(t, "", nil)
	return func() (store.Store, error) { return postgres.Open(context.Background(), url, postgres.Options{}) }
}

// intoDatabase opens a database to be filled, until that is done.
func intoDatabase(t *testing.T) func() (store.Store, error) {
	url := pgtest.Shared(t).Database(t, "", nil)
	return func() (store.Store, error) {
		s, err := postgres.Open(context.Background(), url, postgres.Options{Fill: "a"})
		if errors.Is(err, postgres.ErrNotEmpty) {
			s, err = postgres.Open(context.Background(), url, postgres.Options{})
		}
		return s, err
	}
}

// TestAHouseMoves from each kind of store to each.
func TestAHouseMoves(t *testing.T) {
	t.Parallel()
	sources := map[string]storetest.Fresh{"sqlite": inFile, "postgres": inDatabase}
	targets := map[string]storetest.Fresh{"sqlite": inFile, "postgres": intoDatabase}
	for from := range sources {
		for to := range targets {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				storetest.Moves(t, sources[from], targets[to])
			})
		}
	}
}

// open opens a store for a test.
func open(t *testing.T, how func() (store.Store, error)) store.Mover {
	t.Helper()
	s, err := how()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the tests close what they look into
	return s.(store.Mover)
}

// house has some people and many tables.
func house(t *testing.T, s store.Store, tables int) {
	t.Helper()
	if err := s.AddAccount(t.Context(), store.Account{ID: "anna", Name: "Anna", Born: store.Time(1)}); err != nil {
		t.Fatal(err)
	}
	for i := range tables {
		if _, err := s.Append(t.Context(), store.Append{Table: fmt.Sprint("t", i), At: store.Time(int64(i + 1)), Row: &store.Row{Game: "bosk", Sitting: []string{"anna"}}, Entries: [][]byte{fmt.Append(nil, i)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// stopper is a store that dies after so many calls of Fill.
type stopper struct {
	store.Mover
	left int
}

var errDead = errors.New("dead")

func (s *stopper) Fill(ctx context.Context, pieces ...store.Piece) error {
	if s.left--; s.left < 0 {
		return errDead
	}
	return s.Mover.Fill(ctx, pieces...)
}

// TestACopyThatWasKilledGoesOn wherever it was, and is whole at the end.
func TestACopyThatWasKilledGoesOn(t *testing.T) {
	t.Parallel()
	from := open(t, inFile(t))
	house(t, from.(store.Store), 3*mostPieces+7)
	for kind, to := range map[string]func() (store.Store, error){"sqlite": inFile(t), "postgres": intoDatabase(t)} {
		into := open(t, to)
		nobody, last := func(int, int) {}, -1
		for calls := 1; ; calls++ {
			err := Copy(t.Context(), from, &stopper{into, 1}, nobody)
			if reached, _ := into.Reached(t.Context()); err != nil && int(reached) <= last && calls > 2 {
				t.Fatalf("%s: it does not get on: %d", kind, reached)
			} else {
				last = int(reached)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errDead) || calls > 50 {
				t.Fatal(kind, err)
			}
			var differs *Differs
			if err := Compare(t.Context(), from, into, func(store.Piece) error { return nil }, nobody); !errors.As(err, &differs) {
				t.Fatalf("%s: half a copy compares as %v", kind, err)
			}
		}
		seen, of := 0, 0
		if err := Compare(t.Context(), from, into, func(store.Piece) error { return nil }, func(done, all int) { seen, of = done, all }); err != nil {
			t.Error(kind, err)
		}
		if seen != of || seen != 3*mostPieces+7+2 {
			t.Errorf("%s: %d of %d are told", kind, seen, of)
		}
	}
}

// TestACopyThatDiffersIsFound: a piece that is missing, changed, elsewhere or too many.
func TestACopyThatDiffersIsFound(t *testing.T) {
	t.Parallel()
	from := open(t, inFile(t))
	house(t, from.(store.Store), 5)
	nobody := func(int, int) {}
	for what, harm := range map[string]func(t *testing.T, s store.Store){
		"": func(*testing.T, store.Store) {},
		"t2 is missing": func(t *testing.T, s store.Store) {
			if err := s.Drop(t.Context(), "t2", 1); err != nil {
				t.Fatal(err)
			}
		},
		"t4 is missing": func(t *testing.T, s store.Store) {
			if err := s.Drop(t.Context(), "t4", 1); err != nil {
				t.Fatal(err)
			}
		},
		"table t3 is not the same": func(t *testing.T, s store.Store) {
			if _, err := s.Append(t.Context(), store.Append{Table: "t3", Next: 1, At: store.Time(9), Entries: [][]byte{nil}}); err != nil {
				t.Fatal(err)
			}
		},
		"person anna is not the same": func(t *testing.T, s store.Store) {
			if err := s.Saw(t.Context(), "anna", store.Time(99)); err != nil {
				t.Fatal(err)
			}
		},
		"there is person zoe": func(t *testing.T, s store.Store) {
			if err := s.AddAccount(t.Context(), store.Account{ID: "zoe", Born: store.Time(1)}); err != nil {
				t.Fatal(err)
			}
		},
		"there is job pack": func(t *testing.T, s store.Store) {
			if err := s.Plan(t.Context(), store.Job{Kind: "pack"}); err != nil {
				t.Fatal(err)
			}
		},
		"the pulse of the house is not the same": func(t *testing.T, s store.Store) {
			if _, err := s.Beat(t.Context(), store.Time(1<<40), 1); err != nil {
				t.Fatal(err)
			}
		},
	} {
		into := open(t, inFile(t))
		if err := Copy(t.Context(), from, into, nobody); err != nil {
			t.Fatal(err)
		}
		harm(t, into.(store.Store))
		err := Compare(t.Context(), from, into, func(store.Piece) error { return nil }, nobody)
		if (err == nil) != (what == "") || err != nil && !strings.Contains(err.Error(), what) {
			t.Errorf("%q: %v", what, err)
		}
	}
	into := open(t, inFile(t))
	if err := Copy(t.Context(), from, into, nobody); err != nil {
		t.Fatal(err)
	}
	if err := Compare(t.Context(), from, into, func(p store.Piece) error { return errDead }, nobody); !errors.Is(err, errDead) {
		t.Errorf("what is said of a piece counts for nothing: %v", err)
	}
}
