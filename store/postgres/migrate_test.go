package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/postgres/pgtest"
)

// bring brings a database to a list of migrations, as a program that knows them does.
func bring(t *testing.T, url string, list []migration) error {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	prepare(config, Options{})
	return migrate(t.Context(), config, "it", list, Options{})
}

// TestManyNodesMigrateOnce: nodes that start at the same time over an empty database
// all find it whole.
func TestManyNodesMigrateOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t, "", nil)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			s, err := Open(context.Background(), url, Options{Key: houseKey})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	until(t, url, fmt.Sprintf("SELECT count(*) = 1 AND max(version) = %d AND max(least) = %d FROM copse.house", len(migrations), len(migrations)-1))
}

// TestTheVersionBeforeGoesOn: while nodes are replaced one after the other, those of
// the version before serve what the next has left, and no others.
func TestTheVersionBeforeGoesOn(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	later := append(migrations[:len(migrations):len(migrations)], migration{"next", "ALTER TABLE people ADD COLUMN hat int NOT NULL DEFAULT 0"}, migration{"after", "CREATE TABLE hats ()"})
	if err := bring(t, url, later[:len(later)-1]); err != nil {
		t.Fatal(err)
	}
	again := node(t, url, Options{})
	for i, s := range []*Store{s, again} { // one that was there, one that has started since
		if err := s.AddAccount(t.Context(), store.Account{ID: []string{"anna", "ben"}[i]}); err != nil {
			t.Error(err)
		}
		if err := appended(s, "oak", i); err != nil {
			t.Error(err)
		}
	}
	if _, err := again.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := bring(t, url, later); err != nil {
		t.Fatal(err)
	}
	var newer *store.Newer
	if _, err := Open(t.Context(), url, Options{Key: houseKey}); !errors.As(err, &newer) || newer.Has != len(later) || newer.Knows != len(migrations) || !strings.Contains(err.Error(), "start the newer one") {
		t.Errorf("a database of the version after the next: %v", err)
	}
	until(t, url, "SELECT to_regclass('copse.hats') IS NOT NULL")
}

// TestAFailedMigrationIsUndone, and the version before is still there.
func TestAFailedMigrationIsUndone(t *testing.T) {
	t.Parallel()
	url := database(t)
	wrong := append(migrations[:len(migrations):len(migrations)], migration{"wrong.sql", "CREATE TABLE hats (); SELECT 1/0"})
	if err := bring(t, url, wrong); err == nil || !strings.Contains(err.Error(), "wrong.sql failed and was undone") {
		t.Errorf("it says %v", err)
	}
	until(t, url, fmt.Sprintf("SELECT to_regclass('copse.hats') IS NULL AND version = %d FROM copse.house", len(migrations)))
	if err := appended(node(t, url, Options{}), "oak", 0); err != nil {
		t.Error(err)
	}
}

// TestMigrationsHaveNoGap: their names say their order.
func TestMigrationsHaveNoGap(t *testing.T) {
	files := fstest.MapFS{"schema/0001_a.sql": {Data: []byte("SELECT 1")}, "schema/0003_b.sql": {Data: []byte("SELECT 1")}}
	if _, err := readMigrations(files, "schema"); err == nil || !strings.Contains(err.Error(), "0002_") {
		t.Errorf("it says %v", err)
	}
}

// TestAnotherHouseIsRefused: the database knows its house by a digest of the key.
func TestAnotherHouseIsRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t, "", nil)
	open := func(key []byte) error {
		s, err := Open(t.Context(), url, Options{Key: key})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	for _, step := range []struct {
		key  string
		want error
	}{{"", nil}, {"ours", nil}, {"theirs", ErrHouse}, {"ours", nil}, {"", nil}} {
		var key []byte
		if step.key != "" {
			key = []byte(step.key)
		}
		if err := open(key); !errors.Is(err, step.want) {
			t.Errorf("with the key %q it is answered %v", step.key, err)
		}
	}
	until(t, url, "SELECT octet_length(key) = 32 AND position('ours'::bytea IN key) = 0 FROM copse.house")
}

// TestWhatTheRoleSetsDoesNotCount: an operator's settings for the role neither end
// statements nor make them less than durable.
func TestWhatTheRoleSetsDoesNotCount(t *testing.T) {
	t.Parallel()
	url := database(t)
	name := url[strings.LastIndex(url[:strings.Index(url, "?")], "/")+1 : strings.Index(url, "?")]
	var set []string
	for _, to := range []string{"statement_timeout = 1", "synchronous_commit = off", "default_transaction_isolation = 'serializable'", "default_transaction_read_only = on"} {
		set = append(set, "ALTER DATABASE "+name+" SET "+to)
	}
	if err := pgtest.Shared(t).Exec(url, set...); err != nil {
		t.Fatal(err)
	}
	s := node(t, url, Options{})
	for next := range 3 {
		if err := appended(s, "oak", next); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddAccount(t.Context(), store.Account{ID: "anna"}); err != nil {
		t.Fatal(err)
	}
	const ask = "SELECT current_setting('statement_timeout') || ' ' || current_setting('synchronous_commit') || ' ' || current_setting('default_transaction_isolation')"
	var said string
	if err := s.writes.QueryRow(t.Context(), ask).Scan(&said); err != nil || said != "0 on read committed" {
		t.Errorf("a writer has %s, %v", said, err)
	}
	var far string
	c, err := pgx.ConnectConfig(t.Context(), s.grower.config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	if err := c.QueryRow(t.Context(), ask).Scan(&far); err != nil || far != "0 on read committed" {
		t.Errorf("the one that appends has %s, %v", far, err)
	}
}
