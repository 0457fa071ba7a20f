package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"copse/store"
)

// TestHarmIsFoundAndNamed changes each column of each kind of row by itself, as no
// program of ours would. Check finds each, and no log or row is told that is not as it
// was.
func TestHarmIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	furnish(t, s, 6)
	if _, err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), url+"&search_path=copse")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	// Columns that say nothing by themselves, or whose harm is none.
	spared := map[string]bool{"tables.sat": true, "passes.n": true, "jobs.id": true, "jobs.due": true, "jobs.tries": true, "chats.next": true, "gauges.name": true, "gauges.at": true}
	rows, err := c.Query(t.Context(), `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'copse' AND table_name NOT IN ('house', 'snapshots', 'nodes') ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c [3]string, err error) {
		return c, row.Scan(&c[0], &c[1], &c[2])
	})
	if err != nil {
		t.Fatal(err)
	}
	harmed := 0
	for _, column := range columns {
		table, name := column[0], column[1]
		if spared[table+"."+name] {
			continue
		}
		change := map[string]string{
			"bigint": name + " # 4096", "integer": name + " # 64", "boolean": "NOT " + name,
			"bytea": "set_byte(" + name + " || 'x', 0, get_byte(" + name + " || 'x', 0) # 4)",
			"text":  "'zz' || substr(" + name + ", 3)",
		}[column[2]]
		if change == "" {
			t.Errorf("nobody knows how to harm a %s", column[2])
			continue
		}
		// References are not looked at, as a turned bit in a page does not look either.
		do := func(statements ...string) error {
			return pgx.BeginFunc(t.Context(), c, func(tx pgx.Tx) error {
				for _, statement := range append([]string{"SET LOCAL session_replication_role = replica"}, statements...) {
					if _, err := tx.Exec(t.Context(), statement); err != nil {
						return fmt.Errorf("%s: %w", statement, err)
					}
				}
				return nil
			})
		}
		if err := do("CREATE TEMP TABLE was AS SELECT * FROM "+table, fmt.Sprintf("UPDATE %s SET %s = %s WHERE ctid = (SELECT min(ctid) FROM %s)", table, name, change, table)); err != nil {
			if table == "beats" && name == "one" { // which is always 1
				continue
			}
			t.Fatal(err)
		}
		harmed++
		var damage *store.Damage
		if _, err := s.Check(t.Context()); !errors.As(err, &damage) {
			t.Errorf("%s.%s is harmed, and nothing is found: %v", table, name, err)
		}
		if err := do("DELETE FROM "+table, "INSERT INTO "+table+" OVERRIDING SYSTEM VALUE SELECT * FROM was", "DROP TABLE was"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Check(t.Context()); err != nil {
		t.Errorf("not everything is as it was: %v", err)
	}
	if harmed < 60 {
		t.Errorf("only %d columns were harmed", harmed)
	}
}

// TestADamagedEntryIsNamed, the others play on.
func TestADamagedEntryIsNamed(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	furnish(t, s, 5)
	c, err := pgx.Connect(t.Context(), url+"&search_path=copse")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background()) //nolint:errcheck // the test is over
	if _, err := c.Exec(t.Context(), "UPDATE entries SET body = set_byte(body, 8, 7) WHERE number = 2 AND serial = (SELECT serial FROM tables WHERE id = 'table-4')"); err != nil {
		t.Fatal(err)
	}
	var damage *store.Damage
	if _, err := s.Read(t.Context(), "table-4", 0); !errors.As(err, &damage) || damage.Table != "table-4" || damage.Number != 2 {
		t.Errorf("reading: %v", err)
	}
	if _, err := s.Read(t.Context(), "table-4", 3); err != nil {
		t.Errorf("reading behind the damage: %v", err)
	}
	if err := s.Pack(t.Context(), "table-4", store.Time(2000)); !errors.As(err, &damage) {
		t.Errorf("damage was packed: %v", err)
	}
	if _, err := c.Exec(t.Context(), "DELETE FROM entries WHERE number = 1 AND serial = (SELECT serial FROM tables WHERE id = 'table-2')"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(t.Context(), "table-2", 0); !errors.As(err, &damage) || damage.Table != "table-2" || damage.Number != 1 {
		t.Errorf("reading what is missing: %v", err)
	}
	if err := appended(s, "table-1", 4); err != nil {
		t.Error(err)
	}
	if checked, err := s.Check(t.Context()); err == nil || strings.Count(err.Error(), "is damaged") != 2 || checked.Tables != 5 {
		t.Errorf("checking: %+v, %v", checked, err)
	}
}
