package postgres

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/postgres/pgtest"
)

// memory is what can be asked of a furnished store, question by question.
func memory(t *testing.T, s store.Store, tables int) map[string]string {
	t.Helper()
	ctx, all := t.Context(), map[string]string{}
	note := func(question string, answer any, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", question, err)
		}
		all[question] = fmt.Sprintf("%+v", answer)
	}
	for i := range tables {
		table := fmt.Sprint("table-", i)
		log, err := s.Read(ctx, table, 0)
		note("read "+table, log, err)
		l, err := s.Table(ctx, table)
		note("table "+table, l, err)
		lines, err := s.Lines(ctx, table, 0, 100)
		note("lines "+table, lines, err)
		receipt, ok, err := s.Answered(ctx, table, store.Once{Who: "anna", Key: "2"})
		note("answered "+table, fmt.Sprint(receipt, ok), err)
		shot, ok, err := s.Snapshot(ctx, table)
		note("snapshot "+table, fmt.Sprint(shot, ok), err)
	}
	for _, who := range []string{"anna", "ben"} {
		p, err := s.Account(ctx, who)
		note("person "+who, p, err)
		pass, err := s.Pass(ctx, store.Session, store.DigestOf(who), store.Time(2000))
		note("pass "+who, pass, err)
		list, err := s.Sitting(ctx, who, 100)
		note("sitting "+who, list, err)
		list, err = s.Played(ctx, who, 0, 100)
		note("played "+who, list, err)
	}
	list, err := s.Listed(ctx, "bosk", 0, 100)
	note("listed", list, err)
	list, err = s.Due(ctx, store.Time(9000), 100)
	note("due", list, err)
	box, err := s.Box(ctx, store.BoxHash([]byte(`{"tiles":[1,2,3]}`)))
	note("box", box, err)
	outages, err := s.Outages(ctx, store.Time(0))
	note("outages", outages, err)
	away, err := s.Away(ctx)
	note("away", away, err)
	list, err = s.ClaimDue(ctx, store.Time(9000), store.Time(5500), store.Time(6000), 100)
	note("claimed", list, err)
	jobs, err := s.Claim(ctx, "bot", store.Time(9000), store.Time(9001), 10)
	note("jobs", jobs, err)
	checked, err := s.Check(ctx)
	note("check", checked, err)
	return all
}

// TestVersion1IsReadForEver: a database that version 1 has written is brought up to
// date and answers everything as one that is written today. COPSE_WRITE_DATABASES=1
// writes it where it is missing; it is never overwritten.
func TestVersion1IsReadForEver(t *testing.T) {
	t.Parallel()
	const file, tables = "testdata/version-1.sql.gz", 6
	fresh := database(t)
	s := node(t, fresh, Options{})
	furnish(t, s, tables)
	packed, err := os.ReadFile(file)
	if os.IsNotExist(err) && os.Getenv("COPSE_WRITE_DATABASES") != "" {
		packed, err = dump(t, fresh, file)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	url := pgtest.Shared(t).Database(t, "", nil)
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Exec(t.Context(), string(text), pgx.QueryExecModeSimpleProtocol)
	if closed := c.Close(context.Background()); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	old := node(t, url, Options{})
	want := memory(t, s, tables)
	for question, answer := range memory(t, old, tables) {
		if answer != want[question] {
			t.Errorf("%s is answered\n%s, want\n%s", question, answer, want[question])
		}
	}
	for i := range tables { // and it goes on
		if i%3 > 0 {
			if err := appended(old, fmt.Sprint("table-", i), 4); err != nil {
				t.Error(err)
			}
		}
	}
}

// dump writes a database to a file, as statements.
func dump(t *testing.T, url, file string) ([]byte, error) {
	t.Helper()
	bin, err := pgtest.Bin()
	if err != nil {
		return nil, err
	}
	text, err := exec.Command(filepath.Join(bin, "pg_dump"), "--inserts", "--no-owner", "--no-comments", url).Output()
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, `\`) && !strings.HasPrefix(line, "--") { // which are for psql and for people
			lines = append(lines, line)
		}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, strings.Join(lines, "")); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	return packed.Bytes(), os.WriteFile(file, packed.Bytes(), 0o644)
}
