package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/postgres/pgtest"
)

// explain is how the database would do a batch.
func explain(t *testing.T, c *pgx.Conn, query string, args int) string {
	t.Helper()
	name := fmt.Sprint("q", len(query))
	if _, err := c.Exec(t.Context(), "DEALLOCATE ALL"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "PREPARE "+name+" AS "+query); err != nil {
		t.Fatal(err)
	}
	rows, err := c.Query(t.Context(), "EXPLAIN (COSTS OFF) EXECUTE "+name+" ("+strings.TrimSuffix(strings.Repeat("NULL, ", args), ", ")+")", pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// walks tells whether an index is gone through from one end to the other.
func walks(plan string) bool {
	lines := strings.Split(plan, "\n")
	for i, line := range lines {
		if strings.Contains(line, "Scan using") && (i+1 == len(lines) || !strings.Contains(lines[i+1], "Index Cond:")) {
			return true
		}
	}
	return false
}

// TestABatchGoesByIndices: when the plan is made before there is anything, and when
// there is much (of a handful of rows the planner may read all),
// rows are found by their index in the order of the batch, and lists are joined by a
// hash.
func TestABatchGoesByIndices(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	c, err := pgx.ConnectConfig(t.Context(), s.grower.config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	look := func(when string) {
		t.Helper()
		for name, q := range map[string]struct {
			query string
			args  int
			must  []string
		}{
			"growing":              {growQuery, 31, []string{"Index Scan using tables_id_key on tables t", "Hash Full Join", "Nested Loop"}},
			"founding":             {foundQuery, 33, []string{"Hash Full Join"}},
			"growing with papers":  {withPapers[growing], 38, []string{"Index Scan using tables_id_key on tables t", "Filter: write_papers("}},
			"founding with papers": {withPapers[founding], 40, []string{"Filter: write_papers("}},
		} {
			plan := explain(t, c, q.query, q.args)
			for _, want := range q.must {
				if !strings.Contains(plan, want) {
					t.Errorf("%s %s has no %s:\n%s", when, name, want, plan)
				}
			}
			if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Merge") || walks(plan) {
				t.Errorf("%s %s walks through a table:\n%s", when, name, plan)
			}
			update, _, _ := strings.Cut(plan[strings.Index(plan, "CTE won"):], "CTE risen")
			if name == "growing" && strings.Index(update, "Function Scan on a") > strings.Index(update, "Index Scan using tables_id_key") {
				t.Errorf("%s rows are not locked in the order of the batch:\n%s", when, update)
			}
		}
	}
	look("empty,")
	for i := range 50 {
		if err := s.AddAccount(t.Context(), store.Account{ID: fmt.Sprint("person-", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := pgtest.Shared(t).Exec(url, "ANALYZE"); err != nil { // which counts no tables
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 40 {
		if err := appended(s, fmt.Sprint("few-", i), 0); err != nil {
			t.Fatal(err)
		}
	}
	look("with forty tables,")
	for i := range 600 {
		wg.Go(func() {
			if _, err := s.Append(context.Background(), store.Append{Table: fmt.Sprint("table-", i), Entries: [][]byte{nil}, Row: &store.Row{Game: "bosk", Sitting: []string{fmt.Sprint("person-", i%50)}}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	look("before anybody has counted,")
	if err := pgtest.Shared(t).Exec(url, "ANALYZE"); err != nil {
		t.Fatal(err)
	}
	look("full,")
}

// TestNoQuestionWalksThroughATable: what a page asks is answered by an index.
func TestNoQuestionWalksThroughATable(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	furnish(t, s, 30)
	c, err := pgx.Connect(t.Context(), url+"&search_path=copse&enable_seqscan=off")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	for query, args := range map[string]int{
		"SELECT " + listing + " FROM tables t WHERE listed AND t.serial < $1 ORDER BY t.serial DESC LIMIT $2":               2,
		"SELECT " + listing + " FROM tables t WHERE wake > 0 AND wake <= $1 ORDER BY wake, t.serial LIMIT $2":               2,
		"SELECT " + listing + " FROM tables t WHERE listed AND game = $1 AND t.serial < $2 ORDER BY t.serial DESC LIMIT $3": 3,
		onePaper:    2,
		papersOf:    4,
		papersLike:  3,
		papersDue:   2,
		readLog:     2,
		claimQuery:  5,
		deleteQuery: 1,
		dropQuery:   2,
		packQuery:   13,
		planQuery:   5,
		sayQuery:    7,
	} {
		if plan := explain(t, c, query, args); strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s\n%s", query, plan)
		}
	}
}

// furnish puts something of everything into a store, at so many tables.
func furnish(t testing.TB, s store.Store, tables int) {
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
	for i := range tables {
		table := fmt.Sprint("table-", i)
		var box []byte
		if i == 0 {
			box = []byte(`{"tiles":[1,2,3]}`)
		}
		for next := range 4 {
			_, err := s.Append(ctx, store.Append{Table: table, Next: next, At: store.Time(int64(1000 + next)), Entries: [][]byte{entryOf(table, next)},
				Row: &store.Row{Game: "bosk", Listed: i%2 == 0, Over: next == 3 && i%3 == 0, Sitting: []string{"anna", "ben"}, Turn: 1, Wake: store.Time(int64(5000 + i)), About: []byte("about " + table)},
				Box: box, Once: store.Once{Who: "anna", Key: fmt.Sprint(next), Answer: []byte("yes")}})
			must(err)
		}
		_, err := s.Say(ctx, table, store.ChatLine{Account: "anna", Body: []byte("hello at " + table)}, store.Once{})
		must(err)
		must(s.SaveSnapshot(ctx, table, store.Snapshot{Next: 4, Body: []byte("position")}))
		if i%3 == 0 {
			must(s.Pack(ctx, table, store.Time(2000)))
		}
	}
	must(s.Write(ctx, store.Paper{Kind: "note", Key: "anna's", Owner: "anna", Body: []byte("of anna"), Until: store.Time(7000)}, store.Paper{Kind: "note", Key: "house's", Body: []byte("of the house")}))
	must(s.Write(ctx, store.Paper{Kind: "note", Key: "house's", Body: []byte("of the house again"), Version: 1}))
	must(s.Plan(ctx, store.Job{Kind: "bot", Due: store.Time(9000), Body: []byte("a job")}))
	_, err := s.ClaimDue(ctx, store.Time(5001), store.Time(5001), store.Time(6000), 10)
	must(err)
	for _, at := range []int64{1000, 90_000} {
		_, err := s.Beat(ctx, store.Time(at), 15e9)
		must(err)
	}
}
