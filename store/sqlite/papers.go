package sqlite

import (
	"context"
	"errors"
	"time"

	"copse/store"
	"copse/store/kept"
)

func paperSum(p *store.Paper) kept.Sum {
	return kept.Sum(0).Text(p.Kind).Text(p.Key).Text(p.Owner).Int(store.Milli(p.Until)).Int(p.Version).Bytes(p.Body)
}

const paperColumns = "kind, key, ifnull(owner, ''), until, version, sum, body"

func scanPaper(scan scan) (store.Paper, error) {
	var p store.Paper
	var kind, key []byte
	var until, was int64
	if err := scan(&kind, &key, &p.Owner, &until, &p.Version, &was, &p.Body); err != nil {
		return store.Paper{}, err
	}
	p.Kind, p.Key, p.Until = string(kind), string(key), store.Time(until)
	if int64(paperSum(&p)) != was {
		return store.Paper{}, &store.Damage{Number: -1, What: "paper " + p.Name() + " does not have its checksum"}
	}
	return p, nil
}

// Paper is one paper.
func (s *Store) Paper(ctx context.Context, kind, key string) (p store.Paper, err error) {
	err = s.row(ctx, "SELECT "+paperColumns+" FROM papers WHERE kind = ? AND key = ?", func(scan scan) (err error) {
		p, err = scanPaper(scan)
		return err
	}, []byte(kind), []byte(key))
	return p, err
}

// Papers are those of a kind, or those of a kind that somebody owns.
func (s *Store) Papers(ctx context.Context, kind, owner, after string, most int) ([]store.Paper, error) {
	if owner != "" {
		return s.papers(ctx, "owner = ? AND kind = ? AND key > ? ORDER BY key LIMIT ?", owner, []byte(kind), []byte(after), page(most))
	}
	return s.papers(ctx, "kind = ? AND key > ? ORDER BY key LIMIT ?", []byte(kind), []byte(after), page(most))
}

// Overdue are papers whose time has come.
func (s *Store) Overdue(ctx context.Context, now time.Time, most int) ([]store.Paper, error) {
	return s.papers(ctx, "until > 0 AND until <= ? ORDER BY until, kind, key LIMIT ?", store.Milli(now), page(most))
}

func (s *Store) papers(ctx context.Context, which string, args ...any) ([]store.Paper, error) {
	list := []store.Paper{}
	err := s.rows(ctx, "SELECT "+paperColumns+" FROM papers WHERE "+which, func(scan scan) error {
		p, err := scanPaper(scan)
		list = append(list, p)
		return err
	}, args...)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Write writes papers, all or none.
func (s *Store) Write(ctx context.Context, papers ...store.Paper) error {
	if err := kept.Papers(papers); err != nil || len(papers) == 0 {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		if err := t.papersAre(papers); err != nil {
			return err
		}
		return t.writePapers(papers)
	})
}

// papersAre tells whether papers are as their writer has read them: ErrChanged where
// one is not, ErrNone where an owner is no account. Whoever writes them with something
// else asks before anything is written, so that a refusal undoes nothing of others.
func (t *tx) papersAre(papers []store.Paper) error {
	for i := range papers {
		p := &papers[i]
		version := int64(0)
		err := t.row("SELECT "+paperColumns+" FROM papers WHERE kind = ? AND key = ?", func(scan scan) error {
			was, err := scanPaper(scan)
			version = was.Version
			return err
		}, []byte(p.Kind), []byte(p.Key))
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
		if version != p.Version {
			return store.ErrChanged
		}
		if p.Owner != "" && len(p.Body) > 0 {
			if _, err := t.account(p.Owner); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside says of papers that are written with something else that they are what has
// changed, and not that.
func beside(err error) error {
	if errors.Is(err, store.ErrChanged) || errors.Is(err, store.ErrNone) {
		return store.ErrPapers
	}
	return err
}

// writePapers writes papers that papersAre has looked at.
func (t *tx) writePapers(papers []store.Paper) error {
	for _, p := range papers {
		if len(p.Body) == 0 {
			if err := t.exec("DELETE FROM papers WHERE kind = ? AND key = ?", []byte(p.Kind), []byte(p.Key)); err != nil {
				return err
			}
			continue
		}
		p.Version++
		if err := t.keepPaper(&p, " ON CONFLICT (kind, key) DO UPDATE SET owner = excluded.owner, until = excluded.until, version = excluded.version, sum = excluded.sum, body = excluded.body"); err != nil {
			return err
		}
	}
	return nil
}

// keepPaper adds a paper as it is.
func (t *tx) keepPaper(p *store.Paper, conflict string) error {
	return t.exec("INSERT INTO papers (kind, key, owner, until, version, sum, body) VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?)"+conflict,
		[]byte(p.Kind), []byte(p.Key), p.Owner, store.Milli(p.Until), p.Version, int64(paperSum(p)), blob(p.Body))
}
