package sqlite

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"copse/store"
)

// raw opens a file as SQLite does without us.
func raw(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// dropped takes a table away, however long its log is.
func dropped(s *Store, table string) error {
	l, err := s.Table(context.Background(), table)
	if err != nil {
		return err
	}
	return s.Drop(context.Background(), table, l.Next)
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copse.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	furnish(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db := raw(t, file)
	if _, err := db.Exec(fmt.Sprintf("PRAGMA user_version = %d", len(migrations)+1)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(file)
	for _, open := range []func(string) (*Store, error){Open, Look} {
		_, err = open(file)
		var newer *store.Newer
		if !errors.As(err, &newer) || newer.Has != len(migrations)+1 || newer.Knows != len(migrations) || !strings.Contains(err.Error(), "start the newer one") {
			t.Errorf("it says %v", err)
		}
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
		t.Error("what it does not know, it has changed")
	}
}

func TestAnotherProgramsFileIsRefused(t *testing.T) {
	folder := t.TempDir()
	theirs := filepath.Join(folder, "theirs.db")
	db := raw(t, theirs)
	if _, err := db.Exec("CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	letter := filepath.Join(folder, "letter.txt")
	if err := os.WriteFile(letter, []byte(strings.Repeat("Dear Anna, ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{theirs, letter} {
		before, _ := os.ReadFile(file)
		for _, open := range []func(string) (*Store, error){Open, Look} {
			if s, err := open(file); err == nil {
				_ = s.Close()
				t.Errorf("%s was taken for a database of Copse", file)
			}
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", file)
		}
	}
	if _, err := Look(filepath.Join(folder, "nothing.db")); err == nil {
		t.Error("nothing was taken for a database")
	}
	if _, err := os.Stat(filepath.Join(folder, "nothing.db")); err == nil {
		t.Error("looking made a database")
	}
}

// TestNobodyElseMayReadIt: there are names, salts and digests in it.
func TestNobodyElseMayReadIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data", "copse.db")
	s := reopen(t, file)
	furnish(t, s)
	for _, end := range []string{"", "-wal", "-shm", "-witness"} {
		info, err := os.Stat(file + end)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", file+end, info.Mode())
		}
	}
}

func TestMigrationsGoStepByStep(t *testing.T) {
	steps := fstest.MapFS{
		"s/0001_one.sql":   {Data: []byte("CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);")},
		"s/0002_two.sql":   {Data: []byte("ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;")},
		"s/0003_three.sql": {Data: []byte("INSERT INTO a VALUES (7, 8); INSERT INTO nowhere VALUES (1);")},
	}
	list, err := readMigrations(steps, "s")
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, filepath.Join(t.TempDir(), "copse.db"))
	db.SetMaxOpenConns(1)
	state := func() (version, rows int) {
		t.Helper()
		if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow("SELECT count(*) FROM a").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		return version, rows
	}
	var backups []int
	before := func(version int) error {
		backups = append(backups, version)
		return nil
	}
	if err := migrate(db, list[:1], before); err != nil {
		t.Fatal(err)
	}
	err = migrate(db, list, before)
	if err == nil || !strings.Contains(err.Error(), "0003_three.sql") || !strings.Contains(err.Error(), "still of version 2") {
		t.Errorf("a migration that fails says %v", err)
	}
	if version, rows := state(); version != 2 || rows != 1 {
		t.Errorf("after a failure it is of version %d with %d rows", version, rows)
	}
	list[2].sql = "INSERT INTO a VALUES (7, 8);"
	for range 2 {
		if err := migrate(db, list, before); err != nil {
			t.Fatal(err)
		}
	}
	if version, rows := state(); version != 3 || rows != 2 {
		t.Errorf("it is of version %d with %d rows", version, rows)
	}
	if fmt.Sprint(backups) != "[1 2]" {
		t.Errorf("backups were made before versions after %v", backups)
	}
	refused := errors.New("no space for a backup")
	db2 := raw(t, filepath.Join(t.TempDir(), "copse.db"))
	if err := migrate(db2, list[:1], nil); err != nil {
		t.Fatal(err)
	}
	if err := migrate(db2, list, func(int) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("without a backup it goes on: %v", err)
	}

	delete(steps, "s/0002_two.sql")
	if _, err := readMigrations(steps, "s"); err == nil {
		t.Error("a gap between migrations was not seen")
	}
}

// TestADatabaseOfVersion1IsBroughtUpToDate: nothing that can be asked of it is
// answered differently, and there is a copy from before. It is what furnish made
// with version 1.
func TestADatabaseOfVersion1IsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	packed, err := os.Open("testdata/version-1.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close() //nolint:errcheck // it was only read
	unzip, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	old, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copse.db")
	if err := os.WriteFile(file, old, 0o600); err != nil {
		t.Fatal(err)
	}
	s, fresh := reopen(t, file), reopen(t, filepath.Join(t.TempDir(), "copse.db"))
	furnish(t, fresh)
	got, want := memory(s), memory(fresh)
	delete(want, "box") // which belonged to no table
	maps.DeleteFunc(want, func(question, _ string) bool {
		return strings.Contains(question, "paper") || strings.Contains(question, "overdue")
	}) // which there were none of
	if list, err := s.Papers(t.Context(), "note", "", "", 10); err != nil || len(list) != 0 {
		t.Errorf("papers are %v, %v", list, err)
	}
	if _, err := s.Box(t.Context(), store.BoxHash([]byte(`{"tiles":[1,2,3]}`))); !errors.Is(err, store.ErrNone) {
		t.Errorf("a box without a table is still there: %v", err)
	}
	for _, question := range slices.Sorted(maps.Keys(want)) {
		if got[question] != want[question] {
			t.Errorf("%s is answered %s, want %s", question, got[question], want[question])
		}
	}
	for next := range 30 {
		receipt, ok, err := s.Answered(t.Context(), "table-3", store.Once{Who: "anna", Key: fmt.Sprint(next), After: next})
		if err != nil || !ok || receipt.Next != next+1 || string(receipt.Answer) != "yes" {
			t.Errorf("key %d of a packed log: %+v, %v, %v", next, receipt, ok, err)
		}
	}
	if c, err := s.Check(t.Context()); err != nil || c.Packed != 4 || c.Entries != 360 {
		t.Errorf("it is checked as %+v, %v", c, err)
	}
	if version := raw(t, file+".version-1").QueryRow("PRAGMA user_version"); version.Err() != nil {
		t.Errorf("there is no copy from before: %v", version.Err())
	}
	parts := 0
	if err := raw(t, file).QueryRow("SELECT max(part) FROM parts").Scan(&parts); err != nil || parts < 2 {
		t.Errorf("no packed log of this database has parts to be cut into: %v", err)
	}
}

// TestBoxesOfVersion2FindTheirTables: a table names its box in what is kept beside
// its log, compressed where the log is packed. Nobody's box goes. And whoever was
// damaged before is found damaged after.
func TestBoxesOfVersion2FindTheirTables(t *testing.T) {
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "copse.db")
	s := reopen(t, file)
	hash := func(box string) string { return store.BoxHash([]byte(box)) }
	for _, table := range []string{"going", "packed", "plain", "twin"} {
		a := store.Append{Table: table, At: store.Time(7000), Entries: [][]byte{entryOf(table, 0)}, Row: &store.Row{Game: "bosk", Over: table == "packed", Private: []byte(`{"secret":"00"}`)}}
		if table != "plain" {
			a.Box = []byte("box of " + strings.Replace(table, "twin", "going", 1))
			a.Row.Private = fmt.Appendf(nil, `{"secret":"%064d","box":%q}`, 7, hash(string(a.Box)))
		}
		if _, err := s.Append(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		s.Pack(ctx, "packed", store.Time(7000)),
		s.AddAccount(ctx, store.Account{ID: "anna", Name: "Anna", Born: store.Time(1000)}),
		s.AddAccount(ctx, store.Account{ID: "ben", Name: "Ben", Born: store.Time(9000)}),
		s.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	db := raw(t, file)
	old := func(name string, born int64, sum int) {
		t.Helper()
		p := store.Account{ID: strings.ToLower(name), Name: name, Born: store.Time(born)}
		if _, err := db.Exec("UPDATE people SET sum = ? WHERE id = ?", int64(accountSum2(&p))+int64(sum), p.ID); err != nil {
			t.Fatal(err)
		}
	}
	old("Anna", 1000, 0)
	old("Ben", 9000, 1)
	asVersion2(t, db, "INSERT INTO boxes VALUES ('"+hash("nobody's")+"', CAST('nobody''s' AS BLOB))")
	s = reopen(t, file)
	there := func(box string, want bool) {
		t.Helper()
		if _, err := s.Box(ctx, hash(box)); want && err != nil || !want && !errors.Is(err, store.ErrNone) {
			t.Errorf("%s: %v", box, err)
		}
	}
	there("nobody's", false)
	for i, table := range []string{"plain", "going", "twin", "packed"} {
		there("box of going", i < 3)
		there("box of packed", true)
		if err := dropped(s, table); err != nil {
			t.Fatal(err)
		}
	}
	there("box of going", false)
	there("box of packed", false)
	if p, err := s.Account(ctx, "anna"); err != nil || !p.Seen.Equal(store.Time(9000)) {
		t.Errorf("anna was seen at %v, %v", p.Seen, err)
	}
	var damage *store.Damage
	if _, err := s.Account(ctx, "ben"); !errors.As(err, &damage) {
		t.Errorf("ben, who was damaged: %v", err)
	}
}

// asVersion2 makes a database what version 2 knew, and closes it.
func asVersion2(t *testing.T, db *sql.DB, besides ...string) {
	t.Helper()
	for _, text := range append([]string{
		"DROP TABLE boxed", "DROP INDEX people_seen", "ALTER TABLE people DROP COLUMN seen",
		"DROP TABLE papers", "DROP TABLE claims", "ALTER TABLE house DROP COLUMN moved", "ALTER TABLE people DROP COLUMN version", "DROP TABLE beats", "DROP TABLE outages", "ALTER TABLE passes DROP COLUMN used", "PRAGMA user_version = 2",
	}, besides...) {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestNoBoxGoesWhereATableCannotBeRead: what is kept beside a packed log is damaged,
// so nobody knows which box it has. An upgrade takes none away, and the other tables
// find theirs.
func TestNoBoxGoesWhereATableCannotBeRead(t *testing.T) {
	t.Parallel()
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "copse.db")
	s := reopen(t, file)
	tables := []string{"going", "packed", "damaged"}
	for _, table := range tables {
		box := []byte("box of " + table)
		_, err := s.Append(ctx, store.Append{Table: table, At: store.Time(7000), Entries: [][]byte{entryOf(table, 0)}, Box: box,
			Row: &store.Row{Game: "bosk", Over: table != "going", Private: fmt.Appendf(nil, `{"secret":"%064d","box":%q}`, 7, store.BoxHash(box))}})
		if err == nil && table != "going" {
			err = s.Pack(ctx, table, store.Time(7000))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	asVersion2(t, raw(t, file), "UPDATE tables SET beside = x'0102030405' WHERE id = 'damaged'")
	s = reopen(t, file)
	for _, table := range tables {
		if _, err := s.Box(ctx, store.BoxHash([]byte("box of "+table))); err != nil {
			t.Errorf("the box of %s: %v", table, err)
		}
	}
	var damage *store.Damage
	if _, err := s.Table(ctx, "damaged"); !errors.As(err, &damage) {
		t.Errorf("what was damaged: %v", err)
	}
	for _, table := range tables[:2] {
		if err := dropped(s, table); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Box(ctx, store.BoxHash([]byte("box of "+table))); !errors.Is(err, store.ErrNone) {
			t.Errorf("the box of %s, which is gone: %v", table, err)
		}
	}
}
