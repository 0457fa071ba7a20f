package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// together gives guests their names and sits them down at a table of their own.
func together(t *testing.T, game string, people ...*guest) (id string) {
	t.Helper()
	for i, g := range people {
		g.try("POST", "/api/me", fmt.Sprintf(`{"name":"Guest %d"}`, i), "")
	}
	var made struct{ Table string }
	if err := json.Unmarshal(people[0].try("POST", "/api/tables", fmt.Sprintf(`{"game":%q,"seats":%d}`, game, len(people)), ""), &made); err != nil {
		t.Fatal(err)
	}
	for i, g := range people {
		g.try("POST", "/api/tables/"+made.Table+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, fmt.Sprint("sit", i))
	}
	return made.Table
}

// playWhole plays a game of two guests to its end and gives its table.
func playWhole(t *testing.T, s *served, game string) string {
	t.Helper()
	people := []*guest{{served: s}, {served: s}}
	id := together(t, game, people...)
	at := "/api/tables/" + id
	people[0].try("POST", at+"/start", "", "start")
	for {
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(people[0].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		if len(m.ToAct) == 0 {
			return id
		}
		mover := people[m.ToAct[0]]
		if err := json.Unmarshal(mover.try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		draft, err := json.Marshal(map[string]any{"after": m.After, "moves": m.Moves[len(m.Moves)/2:][:1]})
		if err != nil {
			t.Fatal(err)
		}
		mover.try("POST", at+"/moves", string(draft), fmt.Sprint("move", m.After))
	}
}

// runs runs a command that must succeed.
func runs(t *testing.T, args ...string) string {
	t.Helper()
	out, told, code := copse(t, "", args...)
	if code != 0 {
		t.Fatalf("copse %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, told)
	}
	return out
}

// fails runs a command that must fail, and say why.
func fails(t *testing.T, want string, args ...string) {
	t.Helper()
	out, told, code := copse(t, "", args...)
	if code == 0 || !strings.Contains(told, want) {
		t.Errorf("copse %s: exit code %d\n%s%s\nwants %q", strings.Join(args, " "), code, out, told, want)
	}
}

// TestAGameIsExportedAndVerified: the data folder of a running server and its API
// give the same export, it verifies, and a byte that is changed anywhere is found
// and its entry named.
func TestAGameIsExportedAndVerified(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	for k, game := range []string{"bosk", "grandbois", "treesociety"} {
		id := playWhole(t, s, game)
		file := filepath.Join(t.TempDir(), game+".jsonl")
		runs(t, "export", id, "--data", s.data, "--out", file)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if through := runs(t, "export", id, "--url", s.url); through != string(raw) {
			t.Errorf("the data folder and the server export different games of %s", game)
		}
		fails(t, "is there already", "export", id, "--data", s.data, "--out", file)
		said := runs(t, "verify", file)
		if !strings.HasPrefix(said, "good: "+game+", 2 seats, ") || !strings.Contains(said, "rank 1") {
			t.Errorf("verify says %s", said)
		}
		_, commitment, _ := strings.Cut(said, "commitment ")
		commitment, _, _ = strings.Cut(commitment, "\n")
		runs(t, "verify", file, "--commitment", commitment)
		fails(t, "is another game than the one that was begun", "verify", file, "--commitment", strings.Repeat("0", 64))

		lines := bytes.SplitAfter(raw, []byte("\n"))
		for i, n := range []int{0, 1, 2, 5, len(lines) / 2, len(lines) - 2} {
			for j, part := range []int{0, len(lines[n]) / 3, len(lines[n]) - 4} {
				if (i+j+k)%3 == 0 { // the games share the tries
					continue
				}
				changed := bytes.Clone(raw)
				changed[len(bytes.Join(lines[:n], nil))+part] ^= 1
				if err := os.WriteFile(file, changed, 0o600); err != nil {
					t.Fatal(err)
				}
				where := fmt.Sprintf("does not verify: entry %d: ", n-1)
				if n == 0 {
					where = "does not verify: its first line: "
				}
				fails(t, where, "verify", file)
			}
		}
		if err := os.WriteFile(file, bytes.Join(lines[:len(lines)-3], nil), 0o600); err != nil {
			t.Fatal(err)
		}
		fails(t, "The file ends before the game does", "verify", file)
	}
	fails(t, "no such file", "verify", filepath.Join(t.TempDir(), "none"))
}

// TestOnlyWhatIsOverIsExported: and only a table that exists.
func TestOnlyWhatIsOverIsExported(t *testing.T) {
	s := serveHere(t)
	g := &guest{served: s}
	g.try("POST", "/api/me", `{"name":"Anna"}`, "")
	var made struct{ Table string }
	if err := json.Unmarshal(g.try("POST", "/api/tables", `{"game":"bosk","seats":2}`, ""), &made); err != nil {
		t.Fatal(err)
	}
	for _, from := range [][]string{{"--data", s.data}, {"--url", s.url}} {
		fails(t, "A game is exported when it is over", append([]string{"export", made.Table}, from...)...)
	}
	fails(t, `no table is called "nowhere"`, "export", "nowhere", "--data", s.data)
	fails(t, `no table is called "../key"`, "export", "../key", "--data", s.data)
	fails(t, "the server answers 404", "export", "nowhere", "--url", s.url)
	fails(t, "is no address", "export", "nowhere", "--url", "localhost")
	fails(t, "no server answers there", "export", "nowhere", "--url", "http://127.0.0.1:1")
	fails(t, "no games are kept in", "export", made.Table, "--data", t.TempDir())
}

// TestBackupWhileItRuns: the copy is whole, nothing is ever overwritten, a damaged
// copy is not restored, and a server goes on from a restored one.
func TestBackupWhileItRuns(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	id := playWhole(t, s, "bosk")
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.db")
	if said := runs(t, "backup", kept, "--data", s.data); !strings.Contains(said, "1 table (") || !strings.Contains(said, "2 people, read to the end and good") {
		t.Errorf("backup says %s", said)
	}
	fails(t, "is there already, and nothing is written over", "backup", kept, "--data", s.data)
	named := runs(t, "backup", dir, "--data", s.data)
	if file, _, _ := strings.Cut(named, ": "); filepath.Dir(file) != dir {
		t.Errorf("backup into a folder says %s", named)
	}
	fails(t, "no games are kept in", "backup", filepath.Join(dir, "other.db"), "--data", dir)
	absent := filepath.Join(dir, "absent")
	for _, to := range []string{absent + string(filepath.Separator), filepath.Join(absent, "kept.db")} {
		fails(t, "there is no folder "+absent+": make it", "backup", to, "--data", s.data)
	}
	if _, err := os.Lstat(absent); err == nil {
		t.Error("a backup that is refused has made a folder")
	}

	later := playWhole(t, s, "bosk")
	export := runs(t, "export", id, "--url", s.url)
	fails(t, "another copse serves from", "restore", kept, "--data", s.data)

	raw, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	harmed := filepath.Join(dir, "harmed.db")
	raw[bytes.LastIndex(raw, []byte("bosk"))] ^= 4
	if err := os.WriteFile(harmed, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "data")
	fails(t, "damaged", "restore", harmed, "--data", again)
	if _, err := os.Stat(filepath.Join(again, databaseName)); err == nil {
		t.Error("a damaged backup was put in place")
	}
	if said := runs(t, "restore", kept, "--data", again); !strings.Contains(said, "1 table (") {
		t.Errorf("restore says %s", said)
	}
	fails(t, "is in the way", "restore", kept, "--data", again)
	if key, theirs := read(t, filepath.Join(again, "key")), read(t, filepath.Join(s.data, "key")); !bytes.Equal(key, theirs) {
		t.Error("the restored server has another key")
	}
	fails(t, `no table is called "`+later+`"`, "export", later, "--data", again)
	s.data = again
	s.kill() // the server starts again with what was restored
	if got := runs(t, "export", id, "--url", s.url); got != export {
		t.Error("the restored server exports another game")
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestOldCopiesGo: of the copies in a folder the newest stay, each with its key, and
// nothing else there is touched; none goes where the new one is not good.
func TestOldCopiesGo(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	folder := t.TempDir()
	const other = "copse-20200101T000000Z.db.part"
	for _, name := range []string{"copse-20200101T000000Z.db", "copse-20200101T000000Z.db.key", "copse-20210101T000000Z.db", "copse-20220101T000000Z.db", "copse-20220101T000000Z.db.key", other, "notes.txt", "copse-2020.db"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "copse-20190101T000000Z.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	there := func() (names []string) {
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	before := there()
	fails(t, "no games are kept in", "backup", folder, "--keep", "1", "--data", t.TempDir())
	if got := there(); !slices.Equal(got, before) {
		t.Errorf("nothing was copied, and these are left: %q", got)
	}
	for _, wrong := range [][]string{{folder, "--keep=-1"}, {filepath.Join(folder, "x.db"), "--keep", "1"}} {
		if _, told, code := copse(t, "", append([]string{"backup", "--data", s.data}, wrong...)...); code != exitUsage || !strings.Contains(told, "--keep") {
			t.Errorf("%q: exit code %d, %s", wrong, code, told)
		}
	}
	said := runs(t, "backup", folder, "--keep", "2", "--data", s.data)
	got := there()
	var made []string
	for _, name := range got {
		if !slices.Contains(before, name) {
			made = append(made, name)
		}
	}
	want := append([]string{"copse-20190101T000000Z.db", other, "copse-20220101T000000Z.db", "copse-20220101T000000Z.db.key", "notes.txt", "copse-2020.db"}, made...)
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) || len(made) != 2 || made[1] != made[0]+".key" {
		t.Errorf("there is now %q, want %q", got, want)
	}
	if strings.Count(said, "removed") != 2 {
		t.Errorf("it says %s", said)
	}
}
