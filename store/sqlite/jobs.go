package sqlite

import (
	"context"
	"fmt"
	"time"

	"copse/store"
	"copse/store/kept"
)

func jobSum(j *store.Job) kept.Sum { return kept.Sum(0).Text(j.Kind).Text(j.Name).Bytes(j.Body) }

// Plan adds jobs.
func (s *Store) Plan(ctx context.Context, jobs ...store.Job) error {
	if err := kept.Jobs(jobs); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		for _, job := range jobs {
			if err := t.plan(job); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) plan(j store.Job) error {
	if j.Name != "" {
		if err := t.exec("DELETE FROM jobs WHERE kind = ? AND name = ? AND name <> ''", j.Kind, j.Name); err != nil {
			return err
		}
	}
	return t.exec("INSERT INTO jobs (kind, name, due, tries, body, sum) VALUES (?, ?, ?, 0, ?, ?)",
		j.Kind, j.Name, store.Milli(j.Due), blob(j.Body), int64(jobSum(&j)))
}

// Claim hands out jobs that are due. A claimed job is due again at the end of its
// time.
func (s *Store) Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]store.Job, error) {
	// Most questions find nothing, and then nothing need be written.
	due := false
	err := s.rows(ctx, "SELECT 1 FROM jobs WHERE kind = ? AND due <= ? LIMIT 1", func(scan) error {
		due = true
		return nil
	}, kind, store.Milli(now))
	if err != nil || !due || most <= 0 {
		return []store.Job{}, err
	}
	var list []store.Job
	err = s.write(ctx, func(t *tx) error {
		list = []store.Job{}
		if err := t.rows("SELECT id, kind, name, due, tries, body, sum FROM jobs WHERE kind = ? AND due <= ? ORDER BY due, id LIMIT ?", func(scan scan) error {
			j, err := scanJob(scan)
			list = append(list, j)
			return err
		}, kind, store.Milli(now), page(most)); err != nil {
			return err
		}
		for i := range list {
			list[i].Tries++
			if err := t.exec("UPDATE jobs SET due = ?, tries = ? WHERE id = ?", store.Milli(until), list[i].Tries, list[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func scanJob(scan scan) (store.Job, error) {
	var j store.Job
	var due, was int64
	if err := scan(&j.ID, &j.Kind, &j.Name, &due, &j.Tries, &j.Body, &was); err != nil {
		return store.Job{}, err
	}
	if j.Due = store.Time(due); int64(jobSum(&j)) != was {
		return store.Job{}, &store.Damage{Number: -1, What: fmt.Sprintf("job %d does not have its checksum", j.ID)}
	}
	return j, nil
}

// Finish takes a claimed job away.
func (s *Store) Finish(ctx context.Context, job store.Job) error {
	return s.own(ctx, "DELETE FROM jobs WHERE id = ? AND tries = ?", job.ID, job.Tries)
}

// Delay makes a claimed job due at another time.
func (s *Store) Delay(ctx context.Context, job store.Job, due time.Time) error {
	return s.own(ctx, "UPDATE jobs SET due = ? WHERE id = ? AND tries = ?", store.Milli(due), job.ID, job.Tries)
}

// own changes a job that is still the caller's.
func (s *Store) own(ctx context.Context, query string, args ...any) error {
	return s.write(ctx, func(t *tx) error {
		n, err := t.change(query, args...)
		if err == nil && n == 0 {
			return store.ErrNone
		}
		return err
	})
}
