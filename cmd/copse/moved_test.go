package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/store"
	"copse/store/postgres"
	"copse/store/postgres/pgtest"
	"copse/store/sqlite"
)

// lived is a server at which something has happened: a game that is over, one that goes
// on with a chat, and its people.
func lived(t *testing.T, s *served) (over, going string, people []*guest) {
	t.Helper()
	over = playWhole(t, s, "bosk")
	people = []*guest{{served: s}, {served: s}}
	going = together(t, "grandbois", people...)
	at := "/api/tables/" + going
	people[0].try("POST", at+"/start", "", "start")
	people[1].try("POST", at+"/chat", `{"text":"good luck"}`, "luck")
	turns(t, at, people, 0, 3)
	return over, going, people
}

// goesOn plays on at another server, as the same people.
func goesOn(t *testing.T, at *served, going string, people []*guest, first int) {
	t.Helper()
	for _, g := range people {
		g.served = at
		var me struct{ Name string }
		if err := json.Unmarshal(g.try("GET", "/api/me", "", ""), &me); err != nil || !strings.HasPrefix(me.Name, "Guest") {
			t.Errorf("who was signed in is now %q, %v", me.Name, err)
		}
	}
	var table struct {
		Chat int
	}
	raw := people[0].try("GET", "/api/tables/"+going, "", "")
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	if lines := people[0].try("GET", "/api/tables/"+going+"/chat", "", ""); !bytes.Contains(lines, []byte("good luck")) {
		t.Errorf("the chat is %s", lines)
	}
	turns(t, "/api/tables/"+going, people, first, 2)
}

// TestAHouseMovesThereAndBack: from a file into a PostgreSQL and back, with everything;
// what was left is served by nobody, and every game verifies.
func TestAHouseMovesThereAndBack(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	over, going, people := lived(t, s)
	export := runs(t, "export", over, "--url", s.url)
	q := newQuarter(t)
	fails(t, "another copse serves from "+s.data+" or copies it: stop it, or choose another folder with --from", "copy", "--from", s.data, "--to", q.store)
	s.stop()
	said := runs(t, "copy", "--from", s.data, "--to", q.store)
	if !strings.Contains(said, "2 tables (") || !strings.Contains(said, "compared and good") || !strings.Contains(said, s.data+" has moved to PostgreSQL") {
		t.Errorf("copy says %s", said)
	}
	fails(t, "this house has moved to PostgreSQL", "serve", "--addr", "127.0.0.1:0", "--data", s.data)
	fails(t, "there is nothing to copy any more", "copy", "--from", s.data, "--to", q.store)
	other := pgtest.Shared(t).Database(t, "", nil)
	fails(t, "has moved to PostgreSQL", "copy", "--from", s.data, "--to", other)

	q.key = filepath.Join(s.data, keyName)
	a := q.node(q.store, q.news)
	goesOn(t, a, going, people, 3)
	if got := runs(t, "export", over, "--store", q.store); got != export {
		t.Error("the game that was over is another in the database")
	}
	back := filepath.Join(t.TempDir(), "back")
	fails(t, "the key of the house is missing", "copy", "--from", q.store, "--to", back)
	fails(t, "a node still serves this house", "copy", "--from", q.store, "--to", back, "--key", q.key)
	fails(t, "is not empty", "copy", "--from", fresh(t), "--to", q.store)
	if list, err := os.ReadDir(back); err == nil {
		for _, f := range list {
			if f.Name() == databaseName {
				t.Error("what was refused has made a database")
			}
		}
	}
	a.stop()
	wrong := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(wrong, []byte(strings.Repeat("00", keyLength)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, "is not the key of this house", "copy", "--from", q.store, "--to", back, "--key", wrong)
	said = runs(t, "copy", "--from", q.store, "--to", back, "--key", q.key)
	if !strings.Contains(said, "2 tables (") || !strings.Contains(said, "copse serve --data "+back) {
		t.Errorf("copy says %s", said)
	}
	fails(t, "this house has moved to "+back, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", a.data}, a.args...)...)
	if err := pgtest.Shared(t).Exec(q.store, "DELETE FROM copse.seats"); err == nil || !strings.Contains(err.Error(), "this house has moved") {
		t.Errorf("a node that stood still writes to a database that has moved: %v", err)
	}
	s.data = back
	s.start()
	goesOn(t, s, going, people, 5)
	if got := runs(t, "export", over, "--url", s.url); got != export {
		t.Error("the game that was over is another in the file")
	}
	if list, err := os.ReadDir(back); err != nil || len(list) > 7 {
		t.Errorf("the folder has %v, %v", list, err)
	}
}

// houseIn is the name of the house in a data folder.
func houseIn(t *testing.T, folder string) string {
	t.Helper()
	from, err := sqlite.Look(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	name, err := from.House(t.Context())
	if err := joined(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// fresh is a data folder with a house in it that nobody serves.
func fresh(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	s, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := s.Append(t.Context(), store.Append{Table: fmt.Sprint("t", i), At: store.Time(1), Row: &store.Row{Game: "bosk"}, Entries: [][]byte{[]byte("{}")}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestACopyIsServedByOneAlone: wherever a copy was killed, never both are served, and
// it is finished by making it again.
func TestACopyIsServedByOneAlone(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	folder := fresh(t)
	if _, _, err := serverKey(filepath.Join(folder, keyName)); err != nil {
		t.Fatal(err)
	}
	q.key = filepath.Join(folder, keyName)
	house := houseIn(t, folder)
	key, err := readKey(q.key)
	if err != nil {
		t.Fatal(err)
	}
	// It was killed in the middle: the copy is served by nobody, the source still is.
	half, err := postgres.Open(t.Context(), q.store, postgres.Options{Key: key, Fill: house})
	if err != nil {
		t.Fatal(err)
	}
	if err := joined(half.Fill(t.Context(), store.Piece{Table: &store.Whole{Listing: store.Listing{ID: "t0", Serial: 1, Next: 1, Changed: store.Time(1), Row: store.Row{Game: "bosk"}}, Log: []store.Entry{{At: store.Time(1), Body: []byte("{}")}}}}), half.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), q.store, postgres.Options{Key: key}); err == nil || whyNot(err) != "A copy into the database is not finished: see the log of the server." {
		t.Errorf("half a copy is opened: %v", err)
	}
	fails(t, "a copy into this database is not finished", "copy", "--from", fresh(t), "--to", q.store, "--key", q.key)
	runs(t, "copy", "--from", folder, "--to", q.store)
	// It was killed when the source was marked and the copy not settled.
	if err := unsettle(t, q.store, house); err != nil {
		t.Fatal(err)
	}
	fails(t, "this house has moved to PostgreSQL", "serve", "--addr", "127.0.0.1:0", "--data", folder)
	if _, err := postgres.Open(t.Context(), q.store, postgres.Options{Key: key}); err == nil {
		t.Error("a copy is opened that is not settled")
	}
	runs(t, "copy", "--from", folder, "--to", q.store)
	a := q.node(q.store, q.news)
	a.stop()

	// The same the other way.
	back := t.TempDir()
	from, err := postgres.Look(t.Context(), q.store)
	if err != nil {
		t.Fatal(err)
	}
	name, err := from.House(t.Context())
	if err := joined(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	runs(t, "copy", "--from", q.store, "--to", back, "--key", q.key)
	unsettled := filepath.Join(back, databaseName+".of-"+name)
	if err := os.Rename(filepath.Join(back, databaseName), unsettled); err != nil {
		t.Fatal(err)
	}
	runs(t, "copy", "--from", q.store, "--to", back, "--key", q.key)
	checked, err := checkBackup(t.Context(), filepath.Join(back, databaseName))
	if err != nil || checked.Tables != 3 {
		t.Errorf("at the end there are %+v, %v", checked, err)
	}
	fails(t, "is in the way: copy into an empty folder", "copy", "--from", fresh(t), "--to", back)
}

// unsettle makes a database what it was before its copy was settled.
func unsettle(t *testing.T, url, house string) error {
	return pgtest.Shared(t).Exec(url, "UPDATE copse.house SET filling = '"+house+"'", "CREATE FUNCTION copse.is_filling() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
}

// TestAGameThatDoesNotVerifyDoesNotMove: the copy is refused, the table is named, and
// the house stays where it is.
func TestAGameThatDoesNotVerifyDoesNotMove(t *testing.T) {
	t.Parallel()
	folder := fresh(t)
	s, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), store.Append{Table: "forged", At: store.Time(1), Row: &store.Row{Game: "bosk", Over: true}, Entries: [][]byte{[]byte(`{"do":"end"}`)}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	to := pgtest.Shared(t).Database(t, "", nil)
	fails(t, "table forged", "copy", "--from", folder, "--to", to)
	if _, err := postgres.Open(t.Context(), to, postgres.Options{}); err == nil {
		t.Error("what does not verify may be served")
	}
	if s, err = sqlite.Open(filepath.Join(folder, databaseName)); err != nil {
		t.Fatalf("the house is not served any more: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWhileAHouseIsCopiedNobodyServesIt.
func TestWhileAHouseIsCopiedNobodyServesIt(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a := q.node(q.store, q.news)
	a.stop()
	from, err := postgres.Look(t.Context(), q.store)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }() // it is closed below where all goes well
	hold, err := from.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key, err := readKey(q.key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), q.store, postgres.Options{Key: key}); whyNot(err) != "The database is being copied: see the log of the server." {
		t.Errorf("a node that starts is told %v", err)
	}
	if _, err := from.Hold(t.Context()); err == nil {
		t.Error("two copy it at the same time")
	}
	if err := pgtest.Shared(t).Exec(q.store, "SET lock_timeout = '10ms'", "INSERT INTO copse.gauges VALUES ('x', 1)"); err == nil || !strings.Contains(err.Error(), "lock timeout") {
		t.Errorf("somebody writes meanwhile: %v", err)
	}
	hold.Release()
	a.start() // who has given up lets everybody in again
	a.stop()
}

// TestBackupOfADatabase: it is of one moment, while nodes serve; it is restored into a
// folder and into another database.
func TestBackupOfADatabase(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a := q.node(q.store, q.news)
	over, going, people := lived(t, a)
	export := runs(t, "export", over, "--url", a.url)
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.db")
	if err := os.WriteFile(kept+".filled", []byte("of a try that was killed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := runs(t, "backup", kept, "--store", q.store, "--data", a.data); !strings.Contains(said, "2 tables (") || !strings.Contains(said, "read to the end and good") {
		t.Errorf("backup says %s", said)
	}
	fails(t, "is there already", "backup", kept, "--store", q.store, "--data", a.data)
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("it leaves %v, %v", list, err)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info.Mode(), err)
	}
	bare := filepath.Join(dir, "bare.db")
	if _, told, code := copse(t, "", "backup", bare, "--store", q.store, "--data", t.TempDir()); code != 0 || !strings.Contains(told, "the key of the house is not in") {
		t.Errorf("without the key: %d, %s", code, told)
	}

	folder := filepath.Join(t.TempDir(), "data")
	runs(t, "restore", kept, "--data", folder)
	if got := runs(t, "export", over, "--data", folder); got != export {
		t.Error("the file has another game")
	}
	other := &quarter{t: t, store: pgtest.Shared(t).Database(t, "", nil), news: q.news}
	said := runs(t, "restore", kept, "--store", other.store)
	if !strings.Contains(said, "2 tables (") {
		t.Errorf("restore says %s", said)
	}
	fails(t, "is not empty", "restore", kept, "--store", other.store)
	fails(t, "is not empty", "restore", kept, "--store", q.store)
	other.key = kept + ".key"
	b := other.node(other.store, other.news)
	goesOn(t, b, going, people, 3)
	raw := read(t, kept)
	raw[bytes.LastIndex(raw, []byte("bosk"))] ^= 4
	harmed := filepath.Join(dir, "harmed.db")
	if err := os.WriteFile(harmed, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, "damaged", "restore", harmed, "--store", pgtest.Shared(t).Database(t, "", nil))
}
