package sqlite

import (
	"context"
	"errors"
	"time"

	"copse/store"
	"copse/store/kept"
)

func accountSum(p *store.Account) kept.Sum {
	s := kept.Sum(0).Text(p.ID).Text(p.Name).Bytes(p.Salt).Int(store.Milli(p.Born)).Bytes(p.More).Int(store.Milli(p.Seen))
	if p.Version != 0 { // rows from before there was such a column have their sum without it
		s = s.Int(p.Version)
	}
	return s
}

const accountColumns = "id, name, salt, born, beside, seen, sum, version"

func scanAccount(scan scan) (store.Account, error) {
	var p store.Account
	var born, seen, was int64
	if err := scan(&p.ID, &p.Name, &p.Salt, &born, &p.More, &seen, &was, &p.Version); err != nil {
		return store.Account{}, err
	}
	p.Born, p.Seen = store.Time(born), store.Time(seen)
	if int64(accountSum(&p)) != was {
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
	return s.write(ctx, func(t *tx) error {
		n, err := t.change("INSERT INTO people ("+accountColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING",
			p.ID, p.Name, blob(p.Salt), store.Milli(p.Born), blob(p.More), store.Milli(p.Seen), int64(accountSum(&p)))
		if err == nil && n == 0 {
			return store.ErrTaken
		}
		return err
	})
}

// Account is an account.
func (s *Store) Account(ctx context.Context, account string) (p store.Account, err error) {
	err = s.row(ctx, "SELECT "+accountColumns+" FROM people WHERE id = ?", func(scan scan) (err error) {
		p, err = scanAccount(scan)
		return err
	}, account)
	return p, err
}

// Accounts are those of these accounts that there are.
func (s *Store) Accounts(ctx context.Context, accounts []string) ([]store.Account, error) {
	list := make([]store.Account, 0, len(accounts))
	for _, id := range accounts {
		p, err := s.Account(ctx, id)
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

// account is an account as the transaction sees it.
func (t *tx) account(account string) (p store.Account, err error) {
	err = t.row("SELECT "+accountColumns+" FROM people WHERE id = ?", func(scan scan) (err error) {
		p, err = scanAccount(scan)
		return err
	}, account)
	return p, err
}

// SetAccount changes an account's name and More, and writes papers with them.
func (s *Store) SetAccount(ctx context.Context, p store.Account, papers ...store.Paper) error {
	if err := kept.Account(&p); err != nil {
		return err
	}
	if err := kept.Papers(papers); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		was, err := t.account(p.ID)
		if err != nil {
			return err
		}
		if was.Version != p.Version {
			return store.ErrChanged
		}
		if err := t.papersAre(papers); err != nil {
			return beside(err)
		}
		was.Name, was.More, was.Version = p.Name, p.More, was.Version+1
		if err := t.exec("UPDATE people SET name = ?, beside = ?, version = ?, sum = ? WHERE id = ?", was.Name, blob(was.More), was.Version, int64(accountSum(&was)), was.ID); err != nil {
			return err
		}
		return t.writePapers(papers)
	})
}

// Saw notes when an account was here.
func (s *Store) Saw(ctx context.Context, account string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		p, err := t.account(account)
		if err != nil || !at.IsZero() && !at.After(p.Seen) {
			return err
		}
		p.Seen = at
		return t.exec("UPDATE people SET seen = ?, sum = ? WHERE id = ?", store.Milli(at), int64(accountSum(&p)), p.ID)
	})
}

// Unseen are people who have not been here since a time.
func (s *Store) Unseen(ctx context.Context, since time.Time, after store.Account, most int) ([]store.Account, error) {
	list := []store.Account{}
	err := s.rows(ctx, "SELECT "+accountColumns+" FROM people WHERE seen > 0 AND seen < ? AND (seen, id) > (?, ?) ORDER BY seen, id LIMIT ?", func(scan scan) error {
		p, err := scanAccount(scan)
		list = append(list, p)
		return err
	}, store.Milli(since), store.Milli(after.Seen), after.ID, page(most))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// DeleteAccount forgets an account. Passes, papers and lines of chat go with the
// row.
func (s *Store) DeleteAccount(ctx context.Context, account string) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.row("SELECT id FROM people WHERE id = ?", func(scan) error { return nil }, account); err != nil {
			return err
		}
		if err := t.leave(account); err != nil {
			return err
		}
		return t.exec("DELETE FROM people WHERE id = ?", account)
	})
}

// leave takes an account from all their seats.
func (t *tx) leave(account string) error {
	var list []store.Listing
	if err := t.rows("SELECT "+listing+" FROM tables t WHERE t.serial IN (SELECT serial FROM seats WHERE person = ?)", func(scan scan) error {
		l, err := scanListing(scan)
		list = append(list, l)
		return err
	}, account); err != nil {
		return err
	}
	clear(t.heads)
	for _, l := range list {
		for i := range l.Sitting {
			if l.Sitting[i] == account {
				l.Sitting[i] = ""
			}
		}
		h := head{serial: l.Serial, id: l.ID, game: l.Game, next: l.Next, packed: l.Packed, seats: len(l.Sitting), seated: seated(l.Sitting, l.Over), changed: store.Milli(l.Changed)}
		if err := t.exec("UPDATE tables SET seated = ?, head = ? WHERE serial = ?", h.seated, int64(h.sum()), h.serial); err != nil {
			return err
		}
	}
	return t.exec("DELETE FROM seats WHERE person = ?", account)
}
