package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"copse/store"
)

// mostDamage is how many damages are named: more than enough to know.
const mostDamage = 100

// Check reads everything: every row is compared with its checksum, every log is read
// to its end, and what has no reference is looked for its table.
func (s *Store) Check(ctx context.Context) (store.Checked, error) {
	c := check{s: s, ctx: ctx}
	for _, look := range []func() error{c.tables, c.logs, c.references, c.rest} {
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

// walk hands over each row of an answer. Damage does not end it.
func (c *check) walk(query string, row func(pgx.Rows) error) {
	if err := c.s.rows(c.ctx, query, func(rows pgx.Rows) error {
		err := row(rows)
		var damage *store.Damage
		if errors.As(err, &damage) {
			c.found(err)
			return nil
		}
		return err
	}); err != nil {
		c.found(err)
	}
}

func (c *check) tables() error {
	c.walk("SELECT "+listing+" FROM tables t", func(rows pgx.Rows) error {
		l, err := scanListing(rows)
		c.ids = append(c.ids, l.ID)
		c.Tables++
		return err
	})
	return nil
}

func (c *check) logs() error {
	for _, id := range c.ids {
		w, err := c.s.read(c.ctx, readWhole, id, 0)
		switch {
		case c.ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrNone): // dropped since
			continue
		case err != nil:
			c.found(named(id, err))
			continue
		}
		c.Entries += len(w.log)
		if w.packed {
			c.Packed++
		}
	}
	return nil
}

// references looks for what belongs to no table, also where the database should know.
func (c *check) references() error {
	for _, of := range []string{"entries", "parts", "keys", "seats", "lines", "chats", "boxed", "claims"} {
		c.walk("SELECT DISTINCT serial FROM "+of+" o WHERE NOT EXISTS (SELECT 1 FROM tables t WHERE t.serial = o.serial) LIMIT 10", func(rows pgx.Rows) error {
			var serial int64
			if err := rows.Scan(&serial); err != nil {
				return err
			}
			return &store.Damage{Number: -1, What: fmt.Sprintf("rows of %s belong to a table %d that is not there", of, serial)}
		})
	}
	c.walk("SELECT DISTINCT owner FROM papers p WHERE owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM people WHERE id = p.owner) LIMIT 10", func(rows pgx.Rows) error {
		owner := ""
		if err := rows.Scan(&owner); err != nil {
			return err
		}
		return &store.Damage{Number: -1, What: "papers belong to a person " + owner + " who is not there"}
	})
	return nil
}

// rest looks at everything that is neither index nor log. Snapshots are a cache and
// are not looked at.
func (c *check) rest() error {
	c.walk("SELECT "+accountColumns+" FROM people", func(rows pgx.Rows) error {
		c.People++
		_, err := scanAccount(rows)
		return err
	})
	c.walk("SELECT "+passColumns+" FROM passes", func(rows pgx.Rows) error {
		_, err := scanPass(rows)
		return err
	})
	c.walk("SELECT "+paperColumns+" FROM papers", func(rows pgx.Rows) error {
		_, err := scanPaper(rows)
		return err
	})
	c.walk("SELECT t.id, k.keys, k.until, k.sum FROM keys k JOIN tables t ON t.serial = k.serial", func(rows pgx.Rows) error {
		var id string
		var list []byte
		var until int64
		var was int32
		if err := rows.Scan(&id, &list, &until, &was); err != nil {
			return err
		}
		_, err := readKeys(id, list, until, was)
		return named(id, err)
	})
	c.walk("SELECT t.id, "+lineColumns+" FROM lines l JOIN tables t ON t.serial = l.serial", func(rows pgx.Rows) error {
		_, err := scanLine(rows)
		return err
	})
	c.walk("SELECT t.id, s.seat, s.person, s.over, s.hash FROM seats s JOIN tables t ON t.serial = s.serial", func(rows pgx.Rows) error {
		var id, person string
		var seat int
		var over bool
		var was int64
		err := rows.Scan(&id, &seat, &person, &over, &was)
		if err == nil && seatHash(id, seat, person, over) != was {
			err = &store.Damage{Table: id, Number: -1, What: "who sits at it is not what was written"}
		}
		return err
	})
	c.walk("SELECT "+jobColumns+" FROM jobs", func(rows pgx.Rows) error {
		_, err := scanJob(rows)
		return err
	})
	c.walk("SELECT t.id, b.box, b.sum FROM boxed b JOIN tables t ON t.serial = b.serial", func(rows pgx.Rows) error {
		var id, box string
		var was int32
		err := rows.Scan(&id, &box, &was)
		if err == nil && boxedSum(id, box) != was {
			err = &store.Damage{Table: id, Number: -1, What: "whose box " + box + " is does not have its checksum"}
		}
		return err
	})
	c.walk("SELECT at, away, sum FROM beats", func(rows pgx.Rows) error {
		_, err := scanBeat(rows)
		return err
	})
	c.walk("SELECT since, until, sum FROM outages", func(rows pgx.Rows) error {
		_, err := scanOutage(rows)
		return err
	})
	c.walk("SELECT serial, wake, until, sum FROM claims", func(rows pgx.Rows) error {
		var serial, wake, until int64
		var was int32
		err := rows.Scan(&serial, &wake, &until, &was)
		if err == nil && claimSum(serial, wake, until) != was {
			err = &store.Damage{Number: -1, What: "who looks at a table does not have its checksum"}
		}
		return err
	})
	c.walk("SELECT hash, body FROM boxes", func(rows pgx.Rows) error {
		var hash string
		var box []byte
		err := rows.Scan(&hash, &box)
		if err == nil && store.BoxHash(box) != hash {
			err = &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
		}
		return err
	})
	return nil
}
