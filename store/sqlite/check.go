package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"copse/store"
)

// mostDamage is how many damages are named: more than enough to know.
const mostDamage = 100

// Check reads everything: SQLite looks at its pages, indices and references; then
// every row is compared with its checksum, and every log is read to its end.
func (s *Store) Check(ctx context.Context) (store.Checked, error) {
	c := check{s: s, ctx: ctx}
	for _, look := range []func() error{c.pages, c.references, c.tables, c.logs, c.rest} {
		if err := look(); err != nil {
			c.found(err)
		}
		if err := ctx.Err(); err != nil {
			return c.Checked, err
		}
	}
	return c.Checked, errors.Join(c.errs...)
}

// check is how far Check has come.
type check struct {
	store.Checked
	s    *Store
	ctx  context.Context
	ids  []string
	errs []error
}

func (c *check) found(err error) {
	if len(c.errs) < mostDamage {
		c.errs = append(c.errs, err)
	}
}

func (c *check) pages() error {
	return c.s.rows(c.ctx, "PRAGMA integrity_check(100)", func(scan scan) error {
		said := ""
		if err := scan(&said); err != nil {
			return err
		}
		if said != "ok" {
			c.found(&store.Damage{Number: -1, What: said})
		}
		return nil
	})
}

func (c *check) references() error {
	return c.s.rows(c.ctx, "PRAGMA foreign_key_check", func(scan scan) error {
		var from, to string
		var row, key any
		if err := scan(&from, &row, &to, &key); err != nil {
			return err
		}
		c.found(&store.Damage{Number: -1, What: fmt.Sprintf("a row of %s refers to nothing in %s", from, to)})
		return nil
	})
}

// tables looks at the index. A damaged row does not end it.
func (c *check) tables() error {
	return c.s.rows(c.ctx, "SELECT "+listing+", id FROM tables t", func(scan scan) error {
		id := ""
		if _, err := scanListing(scan, &id); err != nil {
			if id == "" {
				return err
			}
			c.found(named(id, err))
		}
		c.ids = append(c.ids, id)
		c.Tables++
		return nil
	})
}

func (c *check) logs() error {
	for _, id := range c.ids {
		log, h, err := c.s.read(c.ctx, id, 0)
		switch {
		case c.ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrNone): // dropped since
			continue
		case err != nil:
			c.found(err)
			continue
		}
		c.Entries += len(log)
		if h.packed {
			c.Packed++
			_, err = keysOf(func(query string, each func(scan) error, args ...any) error {
				return c.s.rows(c.ctx, query, each, args...)
			}, h.serial)
		} else {
			_, err = c.s.keysSince(c.ctx, h.serial, time.Time{})
		}
		if err != nil {
			c.found(named(id, err))
		}
	}
	return nil
}

// rest looks at everything that is neither index nor log. Snapshots are a cache and
// are not looked at.
func (c *check) rest() error {
	walk := func(query string, row func(scan) error) {
		if err := c.s.rows(c.ctx, query, func(scan scan) error {
			err := row(scan)
			var damage *store.Damage
			if errors.As(err, &damage) {
				c.found(err)
				err = nil
			}
			return err
		}); err != nil {
			c.found(err)
		}
	}
	walk("SELECT "+accountColumns+" FROM people", func(scan scan) error {
		c.People++
		_, err := scanAccount(scan)
		return err
	})
	walk("SELECT "+passColumns+" FROM passes", func(scan scan) error {
		_, err := scanPass(scan)
		return err
	})
	walk("SELECT "+paperColumns+" FROM papers", func(scan scan) error {
		_, err := scanPaper(scan)
		return err
	})
	walk("SELECT id, serial, number, at, person, body, key, lines.sum FROM lines JOIN tables USING (serial)", func(scan scan) error {
		id := ""
		_, err := scanLine(func(into ...any) error { return scan(append([]any{&id}, into...)...) })
		return named(id, err)
	})
	walk("SELECT id, kind, name, due, tries, body, sum FROM jobs", func(scan scan) error {
		_, err := scanJob(scan)
		return err
	})
	walk("SELECT serial, box, sum FROM boxed", func(scan scan) error {
		var serial, was int64
		var box string
		err := scan(&serial, &box, &was)
		if err == nil && int64(boxedSum(serial, box)) != was {
			err = &store.Damage{Number: -1, What: "whose box " + box + " is does not have its checksum"}
		}
		return err
	})
	walk(lastBeat, func(scan scan) error {
		var at, away int64
		return scanBeat(scan, &at, &away)
	})
	walk("SELECT since, until, sum FROM outages", func(scan scan) error {
		_, _, err := scanOutage(scan)
		return err
	})
	walk("SELECT serial, wake, until, sum FROM claims", func(scan scan) error {
		var claim claim
		var was int64
		err := scan(&claim.serial, &claim.wake, &claim.until, &was)
		if err == nil && int64(claim.sum()) != was {
			err = &store.Damage{Number: -1, What: "who looks at a table does not have its checksum"}
		}
		return err
	})
	walk("SELECT hash, body FROM boxes", func(scan scan) error {
		var hash string
		var box []byte
		err := scan(&hash, &box)
		if err == nil && store.BoxHash(box) != hash {
			err = &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
		}
		return err
	})
	return nil
}
