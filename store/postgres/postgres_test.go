package postgres

import (
	"context"
	"os"
	"testing"

	"copse/store"
	"copse/store/postgres/pgtest"
	"copse/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var houseKey = []byte("the key of the house of these tests")

// database is a new database with everything but people and tables in it, and how to
// open it.
func database(tb testing.TB) (url string) {
	tb.Helper()
	return pgtest.Shared(tb).Database(tb, "copse", func(url string) error {
		s, err := Open(context.Background(), url, Options{Key: houseKey})
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// node opens a store that is closed when the test is over.
func node(tb testing.TB, url string, o Options) *Store {
	tb.Helper()
	o.Key = houseKey
	s, err := Open(context.Background(), url, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// TestStore holds the adapter to every promise of a store.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() (store.Store, error) {
		url := database(t)
		return func() (store.Store, error) {
			s, err := Open(context.Background(), url, Options{Key: houseKey, Readers: 3})
			return planted(s), err
		}
	})
}

// TestStoreWithTwoNodes holds two nodes over one database to the same promises: what
// is written at one is read at the other.
func TestStoreWithTwoNodes(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() (store.Store, error) {
		url := database(t)
		return func() (store.Store, error) {
			var both [2]store.Store
			for i := range both {
				s, err := Open(context.Background(), url, Options{Key: houseKey, Readers: 2})
				if err != nil {
					return nil, err
				}
				both[i] = s
			}
			return planted(storetest.Nodes(both[:]...)), nil
		}
	})
}
