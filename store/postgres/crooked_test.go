package postgres

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"copse/store"
	"copse/store/postgres/pgtest"
)

// plant is the variable of the environment that says, in a process that the test
// below has started, what its store does wrong.
const plant = "COPSE_STORE_PLANT"

// crooked is a store that does wrong what many nodes need.
type crooked struct {
	store.Store
	bug string
}

func planted(s store.Store) store.Store {
	if bug := os.Getenv(plant); bug != "" && s != nil {
		return &crooked{Store: s, bug: bug}
	}
	return s
}

func (c *crooked) Drop(ctx context.Context, table string, next int) error {
	if c.bug == "drops in spite of the number" {
		if l, err := c.Table(ctx, table); err == nil {
			next = l.Next
		}
	}
	return c.Store.Drop(ctx, table, next)
}

func (c *crooked) SetAccount(ctx context.Context, a store.Account, papers ...store.Paper) error {
	err := c.Store.SetAccount(ctx, a, papers...)
	for c.bug == "lets the second change win" && errors.Is(err, store.ErrChanged) {
		now, _ := c.Account(ctx, a.ID)
		a.Version = now.Version
		err = c.Store.SetAccount(ctx, a, papers...)
	}
	return err
}

func (c *crooked) ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]store.Listing, error) {
	if c.bug == "hands out what is claimed" {
		return c.Due(ctx, by, most)
	}
	return c.Store.ClaimDue(ctx, by, now, until, most)
}

func (c *crooked) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	heads, err := c.Store.Heads(ctx, tables)
	if c.bug == "forgets what was said" {
		for id, h := range heads {
			heads[id] = store.Head{Next: h.Next}
		}
	}
	return heads, err
}

func (c *crooked) SaveSnapshot(ctx context.Context, table string, s store.Snapshot) error {
	if c.bug == "goes back to an old snapshot" && len(s.Body) > 0 {
		_ = c.Store.SaveSnapshot(ctx, table, store.Snapshot{})
	}
	return c.Store.SaveSnapshot(ctx, table, s)
}

func (c *crooked) Listed(ctx context.Context, game string, before int64, most int) ([]store.Listing, error) {
	list, err := c.Store.Listed(ctx, game, before, most)
	if c.bug == "passes over a table" && before > 0 && len(list) > 1 {
		list = list[1:]
	}
	return list, err
}

// TestTheNewLawsCanFail has stores do something wrong, and the test of the promise
// that they break must fail.
func TestTheNewLawsCanFail(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for bug, promise := range map[string]string{
		"drops in spite of the number": "WhereSomebodyHasComeNothingIsDropped",
		"lets the second change win":   "OfTwoChangesNeitherIsLost",
		"hands out what is claimed":    "DueTablesAreClaimedOnce",
		"forgets what was said":        "HeadsOfManyTables",
		"goes back to an old snapshot": "SnapshotsAreACache",
		"passes over a table":          "PagesPassOverNoTable",
	} {
		cmd := exec.Command(self, "-test.run", "^TestStore$/^"+promise+"$", "-test.timeout", "120s")
		cmd.Env = append(os.Environ(), plant+"="+bug, pgtest.Shared(t).Env())
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--- FAIL: TestStore/"+promise) {
			t.Errorf("a store that %s passes %s:\n%s", bug, promise, out)
		}
	}
}
