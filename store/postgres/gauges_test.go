package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/storetest"
)

func TestGauges(t *testing.T) {
	t.Parallel()
	storetest.Gauges(t, func(t *testing.T) []store.Gauges {
		url := database(t)
		return []store.Gauges{node(t, url, Options{}), node(t, url, Options{})}
	})
}

// TestGaugesAreForgotten when everything was made up for a while ago, and one that
// nobody can have counted is none.
func TestGaugesAreForgotten(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	c, err := pgx.Connect(t.Context(), url+"&search_path=copse")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	begin := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	count := func(name string, at time.Duration) time.Duration {
		t.Helper()
		wait, err := s.Count(t.Context(), name, begin.Add(at), time.Second, 3*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	names := func() (n int) {
		t.Helper()
		if err := c.QueryRow(t.Context(), "SELECT count(*) FROM gauges").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range 10 {
		count(fmt.Sprint(i), 0)
	}
	count("late", gaugeKept)
	if n := names(); n != 11 {
		t.Errorf("there are %d gauges, want 11: a clock that is behind may still ask for them", n)
	}
	for range 3 {
		count("later", gaugeKept+2*time.Second)
	}
	if n := names(); n != 2 {
		t.Errorf("there are %d gauges, want the two that are young", n)
	}
	if wait := count("later", gaugeKept+2*time.Second); wait != time.Second {
		t.Errorf("one waits %v, want a second", wait)
	}
	if _, err := c.Exec(t.Context(), "UPDATE gauges SET at = at + (1::bigint << 60)"); err != nil {
		t.Fatal(err)
	}
	if wait := count("later", gaugeKept+2*time.Second); wait != 0 {
		t.Errorf("for a gauge of nobody one waits %v", wait)
	}
	if wait, err := s.Count(t.Context(), "never", begin, 2*time.Second, time.Second); wait != time.Second || err != nil {
		t.Errorf("what is never allowed is waited for %v, %v", wait, err)
	}
}
