package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

func accountSum(p *store.Account) int32 {
	return int32(kept.Sum(0).Text(p.ID).Text(p.Name).Bytes(p.Salt).Int(store.Milli(p.Born)).Bytes(p.More).Int(store.Milli(p.Seen)).Int(p.Version))
}

const accountColumns = "id, born, seen, version, sum, name, salt, beside"

func scanAccount(rows pgx.Rows) (store.Account, error) {
	var p store.Account
	var born, seen int64
	var was int32
	var name []byte
	if err := rows.Scan(&p.ID, &born, &seen, &p.Version, &was, &name, &p.Salt, &p.More); err != nil {
		return store.Account{}, err
	}
	p.Name, p.Born, p.Seen = string(name), store.Time(born), store.Time(seen)
	if accountSum(&p) != was {
		return store.Account{}, &store.Damage{Number: -1, What: "the row of person " + p.ID + " does not have its checksum"}
	}
	return p, nil
}

// AddAccount adds an account.
func (s *Store) AddAccount(ctx context.Context, p store.Account) error {
	if err := kept.Account(&p); err != nil {
		return err
	}
	p.Version = 0
	return s.change(ctx, store.ErrTaken, "INSERT INTO people ("+accountColumns+") VALUES ($1, $2, $3, 0, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
		p.ID, store.Milli(p.Born), store.Milli(p.Seen), accountSum(&p), []byte(p.Name), blob(p.Salt), blob(p.More))
}

// change has one statement done, and answers with an error if it has changed nothing.
func (s *Store) change(ctx context.Context, nothing error, query string, args ...any) error {
	return s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		tag, err := c.Exec(ctx, query, args...)
		if err == nil && tag.RowsAffected() == 0 {
			return nothing
		}
		return err
	})
}

// Account is an account.
func (s *Store) Account(ctx context.Context, account string) (p store.Account, err error) {
	if !store.ValidID(account) {
		return store.Account{}, store.ErrNone
	}
	err = s.row(ctx, "SELECT "+accountColumns+" FROM people WHERE id = $1", func(rows pgx.Rows) (err error) {
		p, err = scanAccount(rows)
		return err
	}, account)
	return p, err
}

// Accounts are those of these accounts that there are.
func (s *Store) Accounts(ctx context.Context, accounts []string) ([]store.Account, error) {
	ids := slices.DeleteFunc(slices.Clone(accounts), func(id string) bool { return !store.ValidID(id) })
	list := make([]store.Account, 0, len(ids))
	err := s.rows(ctx, "SELECT "+accountColumns+" FROM people WHERE id = ANY($1)", func(rows pgx.Rows) error {
		p, err := scanAccount(rows)
		list = append(list, p)
		return err
	}, ids)
	if err != nil {
		return nil, err
	}
	return list, nil
}

const reviseQuery = "UPDATE people SET name = $3, beside = $4, seen = $5, version = $6, sum = $7 WHERE id = $1 AND sum = $2"

// revisePapersQuery writes papers too, if the account is changed; if they cannot be
// written, the account is not.
var revisePapersQuery = "WITH won AS (" + reviseQuery + " RETURNING 1) SELECT " + writePapers(8) + " FROM won"

// revise changes an account, if it is still as it was read; else it reads it again.
func (s *Store) revise(ctx context.Context, account string, change func(*store.Account) (bool, error), papers ...store.Paper) error {
	query, more := reviseQuery, []any(nil)
	if len(papers) > 0 {
		query, more = revisePapersQuery, paperArgs(papers)
	}
	for range mostTries {
		p, err := s.Account(ctx, account)
		if err != nil {
			return err
		}
		was := accountSum(&p)
		if yes, err := change(&p); err != nil || !yes {
			return err
		}
		err = s.change(ctx, errStale, query, append([]any{account, was, []byte(p.Name), blob(p.More), store.Milli(p.Seen), p.Version, accountSum(&p)}, more...)...)
		if !isStale(err) {
			return beside(err)
		}
	}
	return unwritten(errAgain)
}

// SetAccount changes an account's name and More, and writes papers with them.
func (s *Store) SetAccount(ctx context.Context, p store.Account, papers ...store.Paper) error {
	if err := kept.Account(&p); err != nil {
		return err
	}
	if err := kept.Papers(papers); err != nil {
		return err
	}
	return s.revise(ctx, p.ID, func(now *store.Account) (bool, error) {
		if now.Version != p.Version {
			return false, store.ErrChanged
		}
		now.Name, now.More, now.Version = p.Name, p.More, p.Version+1
		return true, nil
	}, papers...)
}

// Saw notes when an account was here.
func (s *Store) Saw(ctx context.Context, account string, at time.Time) error {
	return s.revise(ctx, account, func(now *store.Account) (bool, error) {
		if !at.IsZero() && store.Milli(at) <= store.Milli(now.Seen) {
			return false, nil
		}
		now.Seen = at
		return true, nil
	})
}

// Unseen are people who have not been here since a time.
func (s *Store) Unseen(ctx context.Context, since time.Time, after store.Account, most int) ([]store.Account, error) {
	list := []store.Account{}
	err := s.rows(ctx, "SELECT "+accountColumns+" FROM people WHERE seen > 0 AND seen < $1 AND (seen, id) > ($2, $3) ORDER BY seen, id LIMIT $4", func(rows pgx.Rows) error {
		p, err := scanAccount(rows)
		list = append(list, p)
		return err
	}, store.Milli(since), store.Milli(after.Seen), after.ID, page(most))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// deleteQuery takes an account from all its seats, and then away. It locks the tables
// first, in the order in which batches do: whoever appends there is done, or waits.
// Passes, papers and lines of chat go with the row. A seat that was taken since the statement
// began keeps the row from going: then it is done again.
const deleteQuery = `WITH t AS (
		SELECT serial FROM tables WHERE serial IN (SELECT serial FROM seats WHERE person = $1) ORDER BY id FOR NO KEY UPDATE
	), gone AS (
		DELETE FROM seats s USING t WHERE s.serial = t.serial AND s.person = $1 RETURNING s.serial, s.hash
	), left_ AS (
		UPDATE tables SET seated = tables.seated # g.xor FROM (SELECT serial, bit_xor(hash) AS xor FROM gone GROUP BY serial) g WHERE tables.serial = g.serial RETURNING 1
	)
	DELETE FROM people WHERE id = $1 AND (SELECT count(*) FROM left_) >= 0`

// DeleteAccount forgets an account.
func (s *Store) DeleteAccount(ctx context.Context, account string) error {
	if !store.ValidID(account) {
		return store.ErrNone
	}
	return s.change(ctx, store.ErrNone, deleteQuery, account)
}
