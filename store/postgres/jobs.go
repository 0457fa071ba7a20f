package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

// planQuery adds jobs. One with a name takes the place of the one before, and has
// another ID: whoever had claimed that has it no more.
const planQuery = `INSERT INTO jobs (due, tries, sum, kind, name, body)
	SELECT j.due, 0, j.sum, j.kind, j.name, j.body FROM unnest($1::int8[], $2::int4[], $3::bytea[], $4::bytea[], $5::bytea[]) WITH ORDINALITY AS j (due, sum, kind, name, body, n) ORDER BY j.n
	ON CONFLICT (kind, name) WHERE name <> '' DO UPDATE SET id = excluded.id, due = excluded.due, tries = 0, sum = excluded.sum, body = excluded.body`

// Plan adds jobs.
func (s *Store) Plan(ctx context.Context, jobs ...store.Job) error {
	if err := kept.Jobs(jobs); err != nil {
		return err
	}
	var b sheet
	for i := range jobs {
		if j := &jobs[i]; j.Name == "" || !replaced(jobs[i+1:], j) {
			b.job(0, j)
		}
	}
	return s.change(ctx, nil, planQuery, b.jobDue, b.jobSum, b.jobKind, b.jobName, b.jobBody)
}

const jobColumns = "id, kind, name, due, tries, body, sum"

func scanJob(rows pgx.Rows) (store.Job, error) {
	var j store.Job
	var kind, name []byte
	var due int64
	var was int32
	if err := rows.Scan(&j.ID, &kind, &name, &due, &j.Tries, &j.Body, &was); err != nil {
		return store.Job{}, err
	}
	j.Kind, j.Name, j.Due = string(kind), string(name), store.Time(due)
	if jobSum(&j) != was {
		return store.Job{}, &store.Damage{Number: -1, What: fmt.Sprintf("job %d does not have its checksum", j.ID)}
	}
	return j, nil
}

// Claim hands out jobs that are due. A claimed job is due again at the end of its
// time.
func (s *Store) Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]store.Job, error) {
	// Most questions find nothing, and then nothing need be written.
	due := false
	err := s.rows(ctx, "SELECT 1 FROM jobs WHERE kind = $1 AND due <= $2 LIMIT 1", func(pgx.Rows) error {
		due = true
		return nil
	}, []byte(kind), store.Milli(now))
	if err != nil || !due || most <= 0 {
		return []store.Job{}, err
	}
	var list []store.Job
	err = s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		rows, err := c.Query(ctx, `WITH d AS (SELECT id, due FROM jobs WHERE kind = $1 AND due <= $2 ORDER BY due, id LIMIT $3 FOR UPDATE SKIP LOCKED)
			UPDATE jobs SET due = $4, tries = tries + 1 FROM d WHERE jobs.id = d.id RETURNING jobs.id, kind, name, d.due, tries, body, sum`,
			[]byte(kind), store.Milli(now), page(most), store.Milli(until))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Job, error) { return scanJob(rows) })
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b store.Job) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

// Finish takes a claimed job away.
func (s *Store) Finish(ctx context.Context, job store.Job) error {
	return s.change(ctx, store.ErrNone, "DELETE FROM jobs WHERE id = $1 AND tries = $2", job.ID, job.Tries)
}

// Delay makes a claimed job due at another time.
func (s *Store) Delay(ctx context.Context, job store.Job, due time.Time) error {
	return s.change(ctx, store.ErrNone, "UPDATE jobs SET due = $3 WHERE id = $1 AND tries = $2", job.ID, job.Tries, store.Milli(due))
}
