package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// furnish puts something of everything into a store.
func furnish(t *testing.T, s *Store) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range []string{"anna", "ben"} {
		must(s.AddAccount(ctx, store.Account{ID: who, Name: "The " + who, Salt: []byte("salt of " + who), Born: store.Time(1000), Seen: store.Time(1029)}))
		must(s.Admit(ctx, store.Pass{Digest: store.DigestOf(who), Kind: store.Session, Account: who, Born: store.Time(1000)}))
	}
	for i := range 12 {
		table := fmt.Sprintf("table-%d", i)
		var box []byte
		if i == 0 {
			box = []byte(`{"tiles":[1,2,3]}`)
		}
		for next := range 30 {
			body := entryOf(table, next)
			if next == 29 && i%3 == 0 { // so that a packed log has parts
				for n := range 40 {
					sum := sha256.Sum256(fmt.Append(nil, table, n))
					body = append(body, sum[:]...)
				}
			}
			_, err := s.Append(ctx, store.Append{Table: table, Next: next, At: store.Time(int64(1000 + next)), Entries: [][]byte{body},
				Row: &store.Row{Game: "bosk", Listed: i%2 == 0, Over: next == 29 && i%3 == 0, Sitting: []string{"anna", "ben"}, Turn: 1, Wake: store.Time(int64(5000 + i)), About: []byte("about " + table)},
				Box: box, Once: store.Once{Who: "anna", Key: fmt.Sprint(next), Answer: []byte("yes")}})
			must(err)
		}
		_, err := s.Say(ctx, table, store.ChatLine{Account: "anna", Body: []byte("hello at " + table)}, store.Once{})
		must(err)
		must(s.SaveSnapshot(ctx, table, store.Snapshot{Next: 30, Body: []byte("position")}))
		if i%3 == 0 {
			must(s.Pack(ctx, table, store.Time(2000)))
		}
	}
	must(s.Write(ctx, store.Paper{Kind: "note", Key: "anna's", Owner: "anna", Body: []byte("of anna"), Until: store.Time(7000)}, store.Paper{Kind: "note", Key: "house's", Body: []byte("of the house")}))
	must(s.Write(ctx, store.Paper{Kind: "note", Key: "house's", Body: []byte("of the house again"), Version: 1}))
	must(s.Plan(ctx, store.Job{Kind: "bot", Due: store.Time(9000), Body: []byte("a job")}))
}

// memory is everything that can be asked of a furnished store, question by
// question. An answer that is an error is "error: …".
func memory(s *Store) map[string]string {
	ctx, all := context.Background(), map[string]string{}
	note := func(question string, answer any, err error) {
		if all[question] = fmt.Sprintf("%+v", answer); err != nil {
			all[question] = "error: " + err.Error()
		}
	}
	for i := range 12 {
		table := fmt.Sprintf("table-%d", i)
		log, err := s.Read(ctx, table, 0)
		note("read "+table, log, err)
		l, err := s.Table(ctx, table)
		note("table "+table, l, err)
		lines, err := s.Lines(ctx, table, 0, 100)
		note("lines "+table, lines, err)
		receipt, _, err := s.Answered(ctx, table, store.Once{Who: "anna", Key: "7"})
		note("answered "+table, receipt, err)
		if shot, ok, err := s.Snapshot(ctx, table); ok || err != nil { // which may be lost
			note("snapshot "+table, shot, err)
		}
	}
	for _, who := range []string{"anna", "ben"} {
		p, err := s.Account(ctx, who)
		note("person "+who, p, err)
		pass, err := s.Pass(ctx, store.Session, store.DigestOf(who), store.Time(2000))
		note("pass "+who, pass, err)
		list, err := s.Sitting(ctx, who, 100)
		note("list sitting "+who, list, err)
		list, err = s.Played(ctx, who, 0, 100)
		note("list played "+who, list, err)
	}
	list, err := s.Listed(ctx, "", 0, 100)
	note("list listed", list, err)
	list, err = s.Listed(ctx, "bosk", 0, 100)
	note("list listed by game", list, err)
	list, err = s.Due(ctx, store.Time(9000), 100)
	note("list due", list, err)
	box, err := s.Box(ctx, store.BoxHash([]byte(`{"tiles":[1,2,3]}`)))
	note("box", box, err)
	for _, key := range []string{"anna's", "house's"} {
		p, err := s.Paper(ctx, "note", key)
		note("paper "+key, p, err)
	}
	for _, owner := range []string{"", "anna"} {
		papers, err := s.Papers(ctx, "note", owner, "", 100)
		note("list papers of "+owner, papers, err)
	}
	papers, err := s.Overdue(ctx, store.Time(9000), 100)
	note("list overdue", papers, err)
	return all
}

// harm looks at a store that was harmed: whatever it answers is true or an error,
// and if anything is not as it was, Check finds something. It tells whether the
// harm was noticed.
func harm(t *testing.T, what, file string, want map[string]string) (noticed bool) {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		return true
	}
	defer func() { _ = s.Close() }() // which is none of its business
	_, checked := s.Check(context.Background())
	for question, answer := range memory(s) {
		if answer == want[question] {
			continue
		}
		noticed = true
		// A list may be shorter where an index is damaged, which Check sees.
		if !strings.HasPrefix(answer, "error: ") && !strings.HasPrefix(question, "list ") && !strings.HasPrefix(question, "lines ") && !strings.HasPrefix(question, "answered ") {
			t.Errorf("%s: %s is answered %s, want %s", what, question, answer, want[question])
		}
		if checked == nil {
			t.Errorf("%s: %s is answered %s, want %s, and nothing is found to be damaged", what, question, answer, want[question])
		}
	}
	return noticed || checked != nil
}

// TestHarmIsFoundAndNamed turns single bits, and empties halves of pages, all
// over a database file.
func TestHarmIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copse.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	furnish(t, s)
	want := memory(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for question, answer := range want {
		if strings.HasPrefix(answer, "error: ") {
			t.Fatalf("%s: %s", question, answer)
		}
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	rng, noticed, tries := rand.New(rand.NewPCG(9, 9)), 0, 250
	if os.Getenv("COPSE_TORTURE") != "" {
		tries = 3000
	}
	for try := range tries {
		harmed := slices.Clone(whole)
		var what string
		if try%5 > 0 {
			at, bit := rng.IntN(len(harmed)), rng.IntN(8)
			harmed[at] ^= 1 << bit
			what = fmt.Sprintf("bit %d of byte %d turned", bit, at)
		} else {
			at := rng.IntN(len(harmed)/page)*page + page/2*rng.IntN(2)
			clear(harmed[at : at+page/2])
			what = fmt.Sprintf("half a page lost at %d", at)
		}
		if harm(t, what, disktest.Lay(t, map[string][]byte{"copse.db": harmed}), want) {
			noticed++
		}
	}
	if noticed < tries/3 {
		t.Errorf("of %d harms only %d were noticed: is anything looked at?", tries, noticed)
	}
	t.Logf("figures: store harmed: of %d harms %d were noticed, the others were to what nobody reads", tries, noticed)
}

// TestADamagedEntryIsNamed turns a bit in the body of a known entry.
func TestADamagedEntryIsNamed(t *testing.T) {
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
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), string(entryOf("table-4", 17)))
	b[at+50] ^= 4
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, file)
	var damage *store.Damage
	if _, err := s.Read(t.Context(), "table-4", 0); !errors.As(err, &damage) || damage.Table != "table-4" || damage.Number != 17 || !strings.Contains(err.Error(), "restore the last backup") {
		t.Errorf("reading: %v", err)
	}
	if _, err := s.Read(t.Context(), "table-4", 18); err != nil {
		t.Errorf("reading behind the damage: %v", err)
	}
	damage = nil
	if c, err := s.Check(t.Context()); !errors.As(err, &damage) || damage.Table != "table-4" || damage.Number != 17 || c.Tables != 12 {
		t.Errorf("checking: %+v, %v", c, err)
	}
	if err := s.Pack(t.Context(), "table-4", store.Time(2000)); !errors.As(err, &damage) {
		t.Errorf("damage was packed: %v", err)
	}
	// The others play on.
	if _, err := s.Append(t.Context(), store.Append{Table: "table-5", Next: 30, Entries: [][]byte{entryOf("table-5", 30)}}); err != nil {
		t.Error(err)
	}
}

// TestALostEndIsNoticed harms the log file of a database whose server was killed:
// what is missing was acknowledged, and only the witness knows.
func TestALostEndIsNoticed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copse.db")
	s, err := open(location{file: file, full: 1 << 30}) // everything stays in the log file
	if err != nil {
		t.Fatal(err)
	}
	furnish(t, s)
	want, left := memory(s), asTheyAre(t, file)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if harm(t, "nothing", disktest.Lay(t, left), want) {
		t.Fatal("a killed server's database is not as it was")
	}
	var damage *store.Damage
	lost := func(what string, change func(files map[string][]byte)) {
		t.Helper()
		files := maps.Clone(left)
		change(files)
		file := disktest.Lay(t, files)
		s, err := Open(file)
		if err == nil {
			_ = s.Close()
		}
		if !errors.As(err, &damage) || !strings.Contains(err.Error(), "-wal") {
			t.Errorf("%s: %v", what, err)
		}
		for name, was := range files { // what is left can still be looked into
			if is, err := os.ReadFile(filepath.Join(filepath.Dir(file), name)); err != nil || !bytes.Equal(is, was) {
				t.Errorf("%s: %s was changed, %v", what, name, err)
			}
		}
	}
	lost("the log file was not copied", func(files map[string][]byte) { delete(files, "copse.db-wal") })
	log := left["copse.db-wal"]
	rng := rand.New(rand.NewPCG(1, 9))
	for range 30 {
		at := rng.IntN(len(log))
		lost(fmt.Sprintf("a bit turned at %d of %d", at, len(log)), func(files map[string][]byte) {
			log := slices.Clone(log)
			log[at] ^= 1 << rng.IntN(8)
			files["copse.db-wal"] = log
		})
	}
	for _, cut := range []int{1, 100, 4096, 5000, len(log) / 2} {
		lost(fmt.Sprintf("the last %d bytes are gone", cut), func(files map[string][]byte) { files["copse.db-wal"] = log[:len(log)-cut] })
	}

	// An operator may want an older database: then they remove the witness too.
	file = disktest.Lay(t, map[string][]byte{"copse.db": left["copse.db"], "copse.db-wal": log[:len(log)/2]})
	if _, err := reopen(t, file).Check(t.Context()); err != nil {
		t.Error(err)
	}
	// A witness that cannot be read, or of another database, says nothing.
	for _, witness := range [][]byte{nil, []byte("short"), make([]byte, witnessSize)} {
		files := maps.Clone(left)
		files["copse.db-witness"] = witness
		if harm(t, "a broken witness", disktest.Lay(t, files), want) {
			t.Error("a broken witness does harm")
		}
	}
}
