package postgres

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

func paperSum(p *store.Paper) int32 {
	return int32(kept.Sum(0).Text(p.Kind).Text(p.Key).Text(p.Owner).Int(store.Milli(p.Until)).Int(p.Version).Bytes(p.Body))
}

const paperColumns = "until, version, sum, coalesce(owner, ''), kind, key, body"

func scanPaper(rows pgx.Rows) (store.Paper, error) {
	var p store.Paper
	var kind, key []byte
	var until int64
	var was int32
	if err := rows.Scan(&until, &p.Version, &was, &p.Owner, &kind, &key, &p.Body); err != nil {
		return store.Paper{}, err
	}
	p.Kind, p.Key, p.Until = string(kind), string(key), store.Time(until)
	if paperSum(&p) != was {
		return store.Paper{}, &store.Damage{Number: -1, What: "paper " + p.Name() + " does not have its checksum"}
	}
	return p, nil
}

// The questions about papers.
const (
	onePaper   = "SELECT " + paperColumns + " FROM papers WHERE kind = $1 AND key = $2"
	papersOf   = "SELECT " + paperColumns + " FROM papers WHERE owner = $1 AND kind = $2 AND key > $3 ORDER BY key LIMIT $4"
	papersLike = "SELECT " + paperColumns + " FROM papers WHERE kind = $1 AND key > $2 ORDER BY key LIMIT $3"
	papersDue  = "SELECT " + paperColumns + " FROM papers WHERE until > 0 AND until <= $1 ORDER BY until, kind, key LIMIT $2"
)

// Paper is one paper.
func (s *Store) Paper(ctx context.Context, kind, key string) (p store.Paper, err error) {
	err = s.row(ctx, onePaper, func(rows pgx.Rows) (err error) {
		p, err = scanPaper(rows)
		return err
	}, []byte(kind), []byte(key))
	return p, err
}

// Papers are those of a kind, or those of a kind that somebody owns.
func (s *Store) Papers(ctx context.Context, kind, owner, after string, most int) ([]store.Paper, error) {
	switch {
	case owner == "":
		return s.papers(ctx, papersLike, []byte(kind), []byte(after), page(most))
	case !store.ValidID(owner):
		return []store.Paper{}, nil
	}
	return s.papers(ctx, papersOf, owner, []byte(kind), []byte(after), page(most))
}

// Overdue are papers whose time has come.
func (s *Store) Overdue(ctx context.Context, now time.Time, most int) ([]store.Paper, error) {
	return s.papers(ctx, papersDue, store.Milli(now), page(most))
}

func (s *Store) papers(ctx context.Context, query string, args ...any) ([]store.Paper, error) {
	list := []store.Paper{}
	err := s.rows(ctx, query, func(rows pgx.Rows) error {
		p, err := scanPaper(rows)
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
	err := s.change(ctx, nil, "SELECT "+writePapers(1), paperArgs(papers)...)
	switch code(err) {
	case paperChanged:
		return store.ErrChanged
	case paperUnowned:
		return store.ErrNone
	}
	return err
}

// unpapered tells whether something was refused for its papers alone.
func unpapered(err error) bool {
	said := code(err)
	return said == paperChanged || said == paperUnowned
}

// beside says of papers that are written with something else that they are what has
// changed, and not that.
func beside(err error) error {
	if unpapered(err) {
		return store.ErrPapers
	}
	return err
}

// writePapers is the call of the function that writes papers, whose arguments have
// numbers from first on.
func writePapers(first int) string {
	call := "write_papers("
	for i, kind := range []string{"bytea", "bytea", "text", "int8", "int8", "int4", "bytea"} {
		if i > 0 {
			call += ", "
		}
		call += "$" + strconv.Itoa(first+i) + "::" + kind + "[]"
	}
	return call + ")"
}

// paperArgs are papers as that function takes them: in the order of their keys, which
// is that of all writers.
func paperArgs(papers []store.Paper) []any {
	papers = slices.Clone(papers)
	slices.SortFunc(papers, func(a, b store.Paper) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) })
	var kinds, keys, bodies blobs
	var owners []string
	var untils, versions []int64
	var sums []int32
	for _, p := range papers {
		kinds, keys, bodies = append(kinds, []byte(p.Kind)), append(keys, []byte(p.Key)), append(bodies, blob(p.Body))
		owners, untils, versions = append(owners, p.Owner), append(untils, store.Milli(p.Until)), append(versions, p.Version)
		p.Version++ // as it is kept
		sums = append(sums, paperSum(&p))
	}
	return []any{kinds, keys, owners, untils, versions, sums, bodies}
}
