package sqlite

import (
	"context"
	"errors"
	"time"

	"copse/store"
	"copse/store/kept"
)

func passSum(p *store.Pass) kept.Sum {
	s := kept.Sum(0).Bytes(p.Digest[:]).Int(int64(p.Kind)).Text(p.Account).Int(store.Milli(p.Born)).Int(store.Milli(p.Until)).Text(p.Label)
	if !p.Used.IsZero() { // rows from before there was such a column have their sum without it
		s = s.Int(store.Milli(p.Used))
	}
	return s
}

const passColumns = "digest, kind, person, born, until, note, sum, used"

// valid selects passes by a kind and a time.
const valid = "kind = ? AND (until = 0 OR until > ?)"

func scanPass(scan scan) (store.Pass, error) {
	var p store.Pass
	var digest []byte
	var born, until, was, used int64
	if err := scan(&digest, &p.Kind, &p.Account, &born, &until, &p.Label, &was, &used); err != nil {
		return store.Pass{}, err
	}
	copy(p.Digest[:], digest)
	p.Born, p.Until, p.Used = store.Time(born), store.Time(until), store.Time(used)
	if int64(passSum(&p)) != was {
		return store.Pass{}, &store.Damage{Number: -1, What: "a pass of person " + p.Account + " does not have its checksum"}
	}
	return p, nil
}

// Admit adds a pass.
func (s *Store) Admit(ctx context.Context, p store.Pass) error {
	if err := kept.Fits("bytes of a label", len(p.Label), store.LongestName); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error { return t.admit(p) })
}

func (t *tx) admit(p store.Pass) error {
	if _, err := t.account(p.Account); err != nil {
		return err
	}
	n, err := t.change("INSERT INTO passes ("+passColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		p.Digest[:], int64(p.Kind), p.Account, store.Milli(p.Born), store.Milli(p.Until), p.Label, int64(passSum(&p)), store.Milli(p.Used))
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrTaken
	}
	if err := t.exec(`DELETE FROM passes WHERE digest IN (SELECT digest FROM passes WHERE person = ? AND kind = ? ORDER BY born DESC, rowid DESC LIMIT -1 OFFSET ?)`,
		p.Account, int64(p.Kind), store.MostPasses); err != nil {
		return err
	}
	// Passes that have run out go, a few with each new one.
	return t.exec("DELETE FROM passes WHERE digest IN (SELECT digest FROM passes WHERE until > 0 AND until <= ? ORDER BY until LIMIT 4)", store.Milli(p.Born))
}

// Pass is a pass that has not run out.
func (s *Store) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (p store.Pass, err error) {
	err = s.row(ctx, "SELECT "+passColumns+" FROM passes WHERE digest = ? AND "+valid, func(scan scan) (err error) {
		p, err = scanPass(scan)
		return err
	}, d[:], int64(kind), store.Milli(now))
	return p, err
}

// Good are those of these passes that have not run out.
func (s *Store) Good(ctx context.Context, kind store.Kind, passes []store.Digest, now time.Time) ([]store.Pass, error) {
	list := make([]store.Pass, 0, len(passes))
	for _, d := range passes {
		p, err := s.Pass(ctx, kind, d, now)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// Passes are an account's passes of one kind.
func (s *Store) Passes(ctx context.Context, account string, kind store.Kind, now time.Time) ([]store.Pass, error) {
	list := []store.Pass{}
	err := s.rows(ctx, "SELECT "+passColumns+" FROM passes WHERE person = ? AND "+valid+" ORDER BY born, rowid", func(scan scan) error {
		p, err := scanPass(scan)
		list = append(list, p)
		return err
	}, account, int64(kind), store.Milli(now))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// take is a pass that has not run out, as the transaction sees it.
func (t *tx) take(kind store.Kind, d store.Digest, now time.Time) (p store.Pass, err error) {
	err = t.row("SELECT "+passColumns+" FROM passes WHERE digest = ? AND "+valid, func(scan scan) (err error) {
		p, err = scanPass(scan)
		return err
	}, d[:], int64(kind), store.Milli(now))
	return p, err
}

// Extend moves the end of a pass.
func (s *Store) Extend(ctx context.Context, kind store.Kind, d store.Digest, now, until time.Time) error {
	return s.write(ctx, func(t *tx) error {
		p, err := t.take(kind, d, now)
		if err != nil {
			return err
		}
		p.Until = until
		return t.exec("UPDATE passes SET until = ?, sum = ? WHERE digest = ?", store.Milli(until), int64(passSum(&p)), d[:])
	})
}

// Use notes when a pass was last used.
func (s *Store) Use(ctx context.Context, kind store.Kind, d store.Digest, now, day time.Time) error {
	return s.write(ctx, func(t *tx) error {
		p, err := t.take(kind, d, now)
		if err != nil {
			return err
		}
		p.Used = day
		return t.exec("UPDATE passes SET used = ?, sum = ? WHERE digest = ?", store.Milli(day), int64(passSum(&p)), d[:])
	})
}

// Redeem turns a link into a session, once.
func (s *Store) Redeem(ctx context.Context, link store.Digest, now time.Time, session store.Pass) (store.Pass, error) {
	if err := kept.Fits("bytes of a label", len(session.Label), store.LongestName); err != nil {
		return store.Pass{}, err
	}
	session.Kind = store.Session
	err := s.write(ctx, func(t *tx) error {
		p, err := t.take(store.Link, link, now)
		if err != nil {
			return err
		}
		session.Account = p.Account
		if err := t.admit(session); err != nil {
			return err
		}
		return t.exec("DELETE FROM passes WHERE digest = ?", link[:])
	})
	if err != nil {
		return store.Pass{}, err
	}
	return session, nil
}

// Withdraw ends one pass.
func (s *Store) Withdraw(ctx context.Context, kind store.Kind, d store.Digest) error {
	return s.write(ctx, func(t *tx) error {
		return t.exec("DELETE FROM passes WHERE digest = ? AND kind = ?", d[:], int64(kind))
	})
}

// SignOut ends all of an account's passes of these kinds.
func (s *Store) SignOut(ctx context.Context, account string, kinds ...store.Kind) error {
	return s.write(ctx, func(t *tx) error {
		for _, kind := range kinds {
			if err := t.exec("DELETE FROM passes WHERE person = ? AND kind = ?", account, int64(kind)); err != nil {
				return err
			}
		}
		return nil
	})
}
