package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

func beatSum(at, away int64) int32 { return int32(kept.Sum(0).Int(at).Int(away)) }

func outageSum(since, until int64) int32 { return int32(kept.Sum(0).Int(since).Int(until)) }

// beat is when the house was last at work, and how long it was away in all.
type beat struct{ at, away int64 }

func scanBeat(rows pgx.Rows) (b beat, err error) {
	var was int32
	if err := rows.Scan(&b.at, &b.away, &was); err != nil {
		return beat{}, err
	}
	if beatSum(b.at, b.away) != was {
		return beat{}, &store.Damage{Number: -1, What: "the last beat does not have its checksum"}
	}
	return b, nil
}

// outage is a row of "outages".
type outage struct{ since, until int64 }

func scanOutage(rows pgx.Rows) (o outage, err error) {
	var was int32
	if err := rows.Scan(&o.since, &o.until, &was); err != nil {
		return outage{}, err
	}
	if outageSum(o.since, o.until) != was {
		return outage{}, &store.Damage{Number: -1, What: "an outage does not have its checksum"}
	}
	return o, nil
}

// lastBeat is the last beat, or ErrNone.
func (s *Store) lastBeat(ctx context.Context) (b beat, err error) {
	err = s.row(ctx, "SELECT at, away, sum FROM beats", func(rows pgx.Rows) (err error) {
		b, err = scanBeat(rows)
		return err
	})
	return b, err
}

func (s *Store) outages(ctx context.Context, after int64) (list []outage, err error) {
	err = s.rows(ctx, "SELECT since, until, sum FROM outages WHERE until > $1 ORDER BY since", func(rows pgx.Rows) error {
		o, err := scanOutage(rows)
		list = append(list, o)
		return err
	}, after)
	return list, err
}

// Beat says that the house is at work. Of nodes that say so at the same time one
// finds the outage, and the others find that beat.
func (s *Store) Beat(ctx context.Context, at time.Time, gap time.Duration) (time.Time, error) {
	now := store.Milli(at)
	for range mostTries {
		last, err := s.lastBeat(ctx)
		switch {
		case errors.Is(err, store.ErrNone):
			err = s.firstBeat(ctx, now, gap.Milliseconds())
		case err != nil:
			return time.Time{}, err
		case now <= last.at:
			return store.Time(last.at), nil
		case now-last.at > gap.Milliseconds():
			err = s.back(ctx, last, now)
		default:
			err = s.change(ctx, errStale, "UPDATE beats SET at = $1, sum = $2 WHERE at = $3", now, beatSum(now, last.away), last.at)
		}
		if err == nil {
			return store.Time(now), nil
		}
		if !isStale(err) {
			return time.Time{}, err
		}
	}
	return time.Time{}, unwritten(errAgain)
}

// firstBeat is the first of all. The house was away since the last moment that the
// database knows of, if that is longer ago than it may be silent.
func (s *Store) firstBeat(ctx context.Context, now, gap int64) error {
	var last, away int64
	if err := s.row(ctx, "SELECT greatest((SELECT coalesce(max(seen), 0) FROM people WHERE seen > 0), (SELECT coalesce(max(changed), 0) FROM tables))",
		func(rows pgx.Rows) error { return rows.Scan(&last) }); err != nil {
		return err
	}
	if last != 0 && now-last > gap {
		away = now - last
	}
	return s.change(ctx, errStale, "INSERT INTO beats (one, at, away, sum) VALUES (1, $1, $2, $3) ON CONFLICT DO NOTHING", now, away, beatSum(now, away))
}

// back keeps one more outage with the beat that ends it, and drops those that no
// table needs. Outages change only together with a beat, so they are as they were
// read if the beat is.
func (s *Store) back(ctx context.Context, last beat, now int64) error {
	list, err := s.outages(ctx, 0)
	if err != nil {
		return err
	}
	var needed int64
	if err := s.row(ctx, "SELECT coalesce(min(changed), $1) FROM tables WHERE wake > 0", func(rows pgx.Rows) error { return rows.Scan(&needed) }, last.at); err != nil {
		return err
	}
	var gone []int64
	var rest []outage
	for _, o := range list {
		if o.until <= needed {
			gone = append(gone, o.since)
		} else {
			rest = append(rest, o)
		}
	}
	rest = append(rest, outage{last.at, now})
	first := outage{since: -1}
	if len(rest) > store.MostOutages { // the two earliest become one
		gone = append(gone, rest[1].since)
		first = outage{rest[0].since, rest[1].until}
	}
	away := last.away + now - last.at
	return s.change(ctx, errStale, `WITH b AS (
			UPDATE beats SET at = $1, away = $2, sum = $3 WHERE at = $4 RETURNING 1
		), d AS (
			DELETE FROM outages WHERE since = ANY($5) AND EXISTS (SELECT 1 FROM b)
		), f AS (
			UPDATE outages SET until = $6, sum = $7 WHERE since = $8 AND EXISTS (SELECT 1 FROM b)
		)
		INSERT INTO outages (since, until, sum) SELECT $4, $1, $9 FROM b`,
		now, away, beatSum(now, away), last.at, gone, first.until, outageSum(first.since, first.until), first.since, outageSum(last.at, now))
}

// LastBeat is the time of the last beat.
func (s *Store) LastBeat(ctx context.Context) (time.Time, error) {
	last, err := s.lastBeat(ctx)
	if errors.Is(err, store.ErrNone) {
		return time.Time{}, nil
	}
	return store.Time(last.at), err
}

// Away is how long the house was away in all.
func (s *Store) Away(ctx context.Context) (time.Duration, error) {
	last, err := s.lastBeat(ctx)
	if errors.Is(err, store.ErrNone) {
		return 0, nil
	}
	return time.Duration(last.away) * time.Millisecond, err
}

// Outages are those that ended after a time.
func (s *Store) Outages(ctx context.Context, after time.Time) ([]store.Outage, error) {
	list, err := s.outages(ctx, store.Milli(after))
	if err != nil {
		return nil, err
	}
	answer := []store.Outage{}
	for _, o := range list {
		answer = append(answer, store.Outage{From: store.Time(o.since), Until: store.Time(o.until)})
	}
	return answer, nil
}
