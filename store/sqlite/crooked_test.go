package sqlite

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/store"
)

// plant is the variable of the environment that says, in a process that the test
// below has started, what its store does wrong.
const plant = "COPSE_STORE_PLANT"

// crooked is a store that does something wrong.
type crooked struct {
	store.Store
	bug string

	mu sync.Mutex
	n  int
}

func planted(s store.Store) store.Store {
	if bug := os.Getenv(plant); bug != "" {
		return &crooked{Store: s, bug: bug}
	}
	return s
}

func (c *crooked) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	c.mu.Lock()
	c.n++
	n := c.n
	c.mu.Unlock()
	switch {
	case c.bug == "forgets an append" && n%25 == 0:
		return store.Receipt{Next: a.Next + len(a.Entries), Answer: a.Once.Answer}, nil
	case c.bug == "forgets keys":
		a.Once = store.Once{}
	case c.bug == "forgets jobs":
		a.Jobs = nil
	case c.bug == "writes papers first":
		papers := a.Papers
		a.Papers = nil
		if err := c.Store.Write(ctx, papers...); err != nil {
			return store.Receipt{}, store.ErrPapers
		}
	}
	receipt, err := c.Store.Append(ctx, a)
	var conflict *store.Conflict
	if c.bug == "lets the second win" && errors.As(err, &conflict) && conflict.Next > 0 {
		a.Next = conflict.Next
		return c.Store.Append(ctx, a)
	}
	return receipt, err
}

func (c *crooked) Read(ctx context.Context, table string, from int) ([]store.Entry, error) {
	log, err := c.Store.Read(ctx, table, from)
	if c.bug == "reads the past" && from == 0 && len(log) > 0 {
		log = log[:len(log)-1]
	}
	return log, err
}

func (c *crooked) Redeem(ctx context.Context, link store.Digest, now time.Time, session store.Pass) (store.Pass, error) {
	p, err := c.Store.Redeem(ctx, link, now, session)
	if err == nil && c.bug == "redeems twice" {
		err = c.Admit(ctx, store.Pass{Digest: link, Kind: store.Link, Account: p.Account, Born: p.Born, Until: p.Until})
	}
	return p, err
}

func (c *crooked) DeleteAccount(ctx context.Context, person string) error {
	p, err := c.Account(ctx, person)
	if err == nil && c.bug == "remembers" {
		p.Name = ""
		return c.SetAccount(ctx, p)
	}
	return c.Store.DeleteAccount(ctx, person)
}

func (c *crooked) Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]store.Job, error) {
	if c.bug == "hides no job" {
		until = now
	}
	return c.Store.Claim(ctx, kind, now, until, most)
}

func (c *crooked) SetAccount(ctx context.Context, a store.Account, papers ...store.Paper) error {
	if c.bug == "names without papers" {
		if err := c.Store.SetAccount(ctx, a); err != nil || len(papers) == 0 {
			return err
		}
		return c.Store.Write(ctx, papers...)
	}
	return c.Store.SetAccount(ctx, a, papers...)
}

func (c *crooked) Write(ctx context.Context, papers ...store.Paper) error {
	for i := range papers {
		if c.bug == "disowns papers" {
			papers[i].Owner = ""
		}
	}
	err := c.Store.Write(ctx, papers...)
	for c.bug == "lets the second paper win" && errors.Is(err, store.ErrChanged) {
		for i := range papers {
			now, _ := c.Paper(ctx, papers[i].Kind, papers[i].Key)
			papers[i].Version = now.Version
		}
		err = c.Store.Write(ctx, papers...)
	}
	return err
}

// TestTheSuiteCanFail has stores do something wrong, and the test of the promise
// that they break must fail.
func TestTheSuiteCanFail(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for bug, promise := range map[string]string{
		"forgets an append":         "ManyTablesAtOnce",
		"writes papers first":       "PapersAreWrittenWithAnAppend",
		"names without papers":      "ANameAndItsPaperChangeTogether",
		"lets the second paper win": "OfManyWhoWriteAPaperOneWins",
		"disowns papers":            "PapersGoWithTheirOwner",
		"forgets keys":              "AnAppendMayBeRepeated",
		"forgets jobs":              "AnAppendIsWholeOrNotAtAll",
		"lets the second win":       "ASecondWriterLosesAndIsTold",
		"reads the past":            "ReadsAndAppendsAreLinearizable",
		"redeems twice":             "ALinkIsGoodOnce",
		"remembers":                 "ADeletedPersonIsForgotten",
		"hides no job":              "JobsAreDoneAtLeastOnce",
	} {
		cmd := exec.Command(self, "-test.run", "^TestStore$/^"+promise+"$", "-test.timeout", "60s")
		cmd.Env = append(os.Environ(), plant+"="+bug)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), promise) {
			t.Errorf("a store that %s passes %s:\n%s", bug, promise, out)
		}
	}
}
