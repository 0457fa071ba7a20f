package sqlite

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/store"
)

// TestNoQuestionWalksThroughATable asks SQLite how it would answer every statement
// that a store has used: always by an index.
func TestNoQuestionWalksThroughATable(t *testing.T) {
	t.Parallel()
	s := reopen(t, filepath.Join(t.TempDir(), "copse.db"))
	furnish(t, s)
	memory(s)
	ctx := context.Background()
	passed := store.Pass{Digest: store.DigestOf("link"), Kind: store.Link, Account: "anna", Born: store.Time(1)}
	for _, err := range []error{
		s.Admit(ctx, passed),
		s.Use(ctx, store.Link, passed.Digest, store.Time(1), store.Time(2)),
		s.Extend(ctx, store.Link, passed.Digest, store.Time(1), store.Time(2000)),
		func() error {
			_, err := s.Redeem(ctx, passed.Digest, store.Time(1), store.Pass{Digest: store.DigestOf("new")})
			return err
		}(),
		func() error { _, err := s.Passes(ctx, "anna", store.Session, store.Time(1)); return err }(),
		s.Withdraw(ctx, store.Session, store.DigestOf("new")),
		s.SignOut(ctx, "anna", store.Session),
		s.SetAccount(ctx, store.Account{ID: "anna"}, store.Paper{Kind: "name", Key: "anna", Owner: "anna", Body: []byte("x")}),
		s.Write(ctx, store.Paper{Kind: "name", Key: "anna", Version: 1}),
		s.Plan(ctx, store.Job{Kind: "bot", Name: "x", Due: store.Time(1)}),
		func() error {
			list, err := s.Claim(ctx, "bot", store.Time(1e6), store.Time(2e6), 10)
			if err != nil {
				return err
			}
			if err := s.Delay(ctx, list[0], store.Time(1)); err != nil {
				return err
			}
			return s.Finish(ctx, list[1])
		}(),
		func() error {
			_, err := s.Say(ctx, "table-1", store.ChatLine{Account: "ben"}, store.Once{Key: "k"})
			return err
		}(),
		s.Saw(ctx, "anna", store.Time(5)),
		func() error { _, err := s.Unseen(ctx, store.Time(9), store.Account{}, 10); return err }(),
		func() error {
			_, err := s.ClaimDue(ctx, store.Time(9000), store.Time(9000), store.Time(9999), 10)
			return err
		}(),
		func() error { _, err := s.Heads(ctx, []string{"table-1", "table-0"}); return err }(),
		s.DeleteAccount(ctx, "anna"),
		s.Drop(ctx, "table-1", 30),
		s.Drop(ctx, "table-0", 30),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	queries := []string{}
	s.asks.Range(func(query, _ any) bool {
		queries = append(queries, query.(string))
		return true
	})
	if err := s.write(ctx, func(t *tx) error {
		queries = slices.AppendSeq(slices.AppendSeq(queries, maps.Keys(t.stmts)), maps.Keys(t.changes))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, query := range queries {
		if strings.HasPrefix(query, "BEGIN") || strings.HasPrefix(query, "COMMIT") || strings.HasPrefix(query, "ROLLBACK") || strings.Contains(query, "FROM house") {
			continue
		}
		rows, err := s.reads.Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		looked++
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			// m is what Sitting has already narrowed down, j what Heads was asked for.
			if strings.HasPrefix(detail, "SCAN ") && detail != "SCAN m" && !strings.HasPrefix(detail, "SCAN j ") && detail != "SCAN CONSTANT ROW" {
				t.Errorf("%s\n\t%s", query, detail)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if looked < 40 {
		t.Errorf("only %d statements were looked at", looked)
	}
}
