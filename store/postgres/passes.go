package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

func passSum(p *store.Pass) int32 {
	return int32(kept.Sum(0).Bytes(p.Digest[:]).Int(int64(p.Kind)).Text(p.Account).Int(store.Milli(p.Born)).Int(store.Milli(p.Until)).Text(p.Label).Int(store.Milli(p.Used)))
}

const passColumns = "digest, born, until, used, kind, sum, person, note"

func scanPass(rows pgx.Rows) (store.Pass, error) {
	var p store.Pass
	var digest, note []byte
	var born, until, used int64
	var kind, was int32
	if err := rows.Scan(&digest, &born, &until, &used, &kind, &was, &p.Account, &note); err != nil {
		return store.Pass{}, err
	}
	copy(p.Digest[:], digest)
	p.Kind, p.Label, p.Born, p.Until, p.Used = store.Kind(kind), string(note), store.Time(born), store.Time(until), store.Time(used)
	if passSum(&p) != was {
		return store.Pass{}, &store.Damage{Number: -1, What: "a pass of person " + p.Account + " does not have its checksum"}
	}
	return p, nil
}

// admitting are the statements that add a pass, sent at once: of too many the oldest
// go, and a few that have run out. With a link, it is taken away for it, or nothing
// is done.
func admitting(p *store.Pass, link []byte, now time.Time) *pgx.Batch {
	b := &pgx.Batch{}
	values := []any{p.Digest[:], store.Milli(p.Born), store.Milli(p.Until), store.Milli(p.Used), int32(p.Kind), passSum(p), p.Account, []byte(p.Label)}
	if link == nil {
		b.Queue("INSERT INTO passes ("+passColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", values...)
	} else {
		b.Queue(`WITH gone AS (DELETE FROM passes WHERE digest = $9 AND kind = $10 AND person = $7 AND (until = 0 OR until > $11) RETURNING 1)
			INSERT INTO passes (`+passColumns+`) SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM gone`, append(values, link, int32(store.Link), store.Milli(now))...)
	}
	b.Queue("DELETE FROM passes WHERE digest IN (SELECT digest FROM passes WHERE person = $1 AND kind = $2 ORDER BY born DESC, n DESC OFFSET $3)", p.Account, int32(p.Kind), store.MostPasses)
	b.Queue("DELETE FROM passes WHERE digest IN (SELECT digest FROM passes WHERE until > 0 AND until <= $1 ORDER BY until LIMIT 4 FOR UPDATE SKIP LOCKED)", store.Milli(p.Born))
	return b
}

// admit adds a pass: ErrTaken where the digest is taken, ErrNone where there is no
// such account or no such link.
func (s *Store) admit(ctx context.Context, p *store.Pass, link []byte, now time.Time) error {
	return s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		results := c.SendBatch(ctx, admitting(p, link, now))
		tag, err := results.Exec()
		if closed := results.Close(); err == nil {
			err = closed
		}
		switch code(err) {
		case "":
			if err == nil && tag.RowsAffected() == 0 {
				return store.ErrNone
			}
		case noSuchKey:
			return store.ErrNone
		case twice:
			return store.ErrTaken
		}
		return err
	})
}

// Admit adds a pass.
func (s *Store) Admit(ctx context.Context, p store.Pass) error {
	if err := kept.Fits("bytes of a label", len(p.Label), store.LongestName); err != nil {
		return err
	}
	if !store.ValidID(p.Account) {
		return store.ErrNone
	}
	return s.admit(ctx, &p, nil, p.Born)
}

// valid selects passes by a kind and a time.
const valid = "kind = $2 AND (until = 0 OR until > $3)"

// Pass is a pass that has not run out.
func (s *Store) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (p store.Pass, err error) {
	err = s.row(ctx, "SELECT "+passColumns+" FROM passes WHERE digest = $1 AND "+valid, func(rows pgx.Rows) (err error) {
		p, err = scanPass(rows)
		return err
	}, d[:], int32(kind), store.Milli(now))
	return p, err
}

// Good are those of these passes that have not run out.
func (s *Store) Good(ctx context.Context, kind store.Kind, passes []store.Digest, now time.Time) ([]store.Pass, error) {
	digests := make([][]byte, len(passes))
	for i := range passes {
		digests[i] = passes[i][:]
	}
	list := make([]store.Pass, 0, len(passes))
	err := s.rows(ctx, "SELECT "+passColumns+" FROM passes WHERE digest = ANY($1) AND "+valid, func(rows pgx.Rows) error {
		p, err := scanPass(rows)
		list = append(list, p)
		return err
	}, digests, int32(kind), store.Milli(now))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Passes are an account's passes of one kind.
func (s *Store) Passes(ctx context.Context, account string, kind store.Kind, now time.Time) ([]store.Pass, error) {
	list := []store.Pass{}
	if !store.ValidID(account) {
		return list, nil
	}
	err := s.rows(ctx, "SELECT "+passColumns+" FROM passes WHERE person = $1 AND "+valid+" ORDER BY born, n", func(rows pgx.Rows) error {
		p, err := scanPass(rows)
		list = append(list, p)
		return err
	}, account, int32(kind), store.Milli(now))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// revisePass changes a pass, if it is still as it was read; else it reads it again.
func (s *Store) revisePass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time, change func(*store.Pass)) error {
	for range mostTries {
		p, err := s.Pass(ctx, kind, d, now)
		if err != nil {
			return err
		}
		was := passSum(&p)
		change(&p)
		err = s.change(ctx, errStale, "UPDATE passes SET until = $3, used = $4, sum = $5 WHERE digest = $1 AND sum = $2", d[:], was, store.Milli(p.Until), store.Milli(p.Used), passSum(&p))
		if !isStale(err) {
			return err
		}
	}
	return unwritten(errAgain)
}

// Extend moves the end of a pass.
func (s *Store) Extend(ctx context.Context, kind store.Kind, d store.Digest, now, until time.Time) error {
	return s.revisePass(ctx, kind, d, now, func(p *store.Pass) { p.Until = until })
}

// Use notes when a pass was last used.
func (s *Store) Use(ctx context.Context, kind store.Kind, d store.Digest, now, day time.Time) error {
	return s.revisePass(ctx, kind, d, now, func(p *store.Pass) { p.Used = day })
}

// Redeem turns a link into a session, once.
func (s *Store) Redeem(ctx context.Context, link store.Digest, now time.Time, session store.Pass) (store.Pass, error) {
	if err := kept.Fits("bytes of a label", len(session.Label), store.LongestName); err != nil {
		return store.Pass{}, err
	}
	p, err := s.Pass(ctx, store.Link, link, now)
	if err != nil {
		return store.Pass{}, err
	}
	session.Kind, session.Account = store.Session, p.Account
	if err := s.admit(ctx, &session, link[:], now); err != nil {
		return store.Pass{}, err
	}
	return session, nil
}

// Withdraw ends one pass.
func (s *Store) Withdraw(ctx context.Context, kind store.Kind, d store.Digest) error {
	return s.change(ctx, nil, "DELETE FROM passes WHERE digest = $1 AND kind = $2", d[:], int32(kind))
}

// SignOut ends all of an account's passes of these kinds.
func (s *Store) SignOut(ctx context.Context, account string, kinds ...store.Kind) error {
	if !store.ValidID(account) {
		return nil
	}
	list := make([]int32, len(kinds))
	for i, kind := range kinds {
		list[i] = int32(kind)
	}
	return s.change(ctx, nil, "DELETE FROM passes WHERE person = $1 AND kind = ANY($2)", account, list)
}

// errStale says that a row is not as it was read.
var errStale = errors.New("store: the row has changed since it was read")

func isStale(err error) bool { return errors.Is(err, errStale) }
