package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"copse/store"
	"copse/store/kept"
)

func beatSum(at, away int64) kept.Sum {
	s := kept.Sum(0).Int(at)
	if away != 0 { // rows from before there was such a column have their sum without it
		s = s.Int(away)
	}
	return s
}

func outageSum(since, until int64) kept.Sum { return kept.Sum(0).Int(since).Int(until) }

const lastBeat = "SELECT at, away, sum FROM beats"

func scanBeat(scan scan, at, away *int64) error {
	var was int64
	if err := scan(at, away, &was); err != nil {
		return err
	}
	if int64(beatSum(*at, *away)) != was {
		return &store.Damage{Number: -1, What: "the last beat does not have its checksum"}
	}
	return nil
}

func scanOutage(scan scan) (since, until int64, err error) {
	var was int64
	if err := scan(&since, &until, &was); err != nil {
		return 0, 0, err
	}
	if int64(outageSum(since, until)) != was {
		return 0, 0, &store.Damage{Number: -1, What: "an outage does not have its checksum"}
	}
	return since, until, nil
}

// leastSpace is how many bytes must be free before a house whose disk was full is at
// work again. A beat is small: it may fit where no move does.
const leastSpace = 128 << 10

// Beat says that the house is at work, which it is not while its disk is full.
func (s *Store) Beat(ctx context.Context, at time.Time, gap time.Duration) (time.Time, error) {
	var last, away int64
	err := s.write(ctx, func(t *tx) error {
		if free := t.free(); t.full && free >= 0 && free < leastSpace {
			return fmt.Errorf("%w: %w", store.ErrUnwritten, store.ErrFull)
		}
		now := store.Milli(at)
		err := t.row(lastBeat, func(scan scan) error { return scanBeat(scan, &last, &away) })
		if errors.Is(err, store.ErrNone) {
			if away, err = t.before(now, gap.Milliseconds()); err != nil {
				return err
			}
			last = now
			return t.exec("INSERT INTO beats (one, at, away, sum) VALUES (1, ?, ?, ?)", now, away, int64(beatSum(now, away)))
		}
		if err != nil || now <= last {
			return err
		}
		if now-last > gap.Milliseconds() {
			if err := t.outage(last, now); err != nil {
				return err
			}
			away += now - last
		}
		last = now
		return t.exec("UPDATE beats SET at = ?, away = ?, sum = ?", now, away, int64(beatSum(now, away)))
	})
	if err != nil {
		return time.Time{}, err
	}
	return store.Time(last), nil
}

// before is how long the house was away before its first beat: since the last moment
// that the database knows of, if that is longer ago than it may be silent.
func (t *tx) before(now, gap int64) (away int64, err error) {
	var last int64
	if err := t.row("SELECT max((SELECT ifnull(max(seen), 0) FROM people WHERE seen > 0), (SELECT ifnull(max(changed), 0) FROM tables))",
		func(scan scan) error { return scan(&last) }); err != nil || last == 0 || now-last <= gap {
		return 0, err
	}
	return now - last, nil
}

// outage keeps one more outage, and drops those that no table needs.
func (t *tx) outage(since, until int64) error {
	if err := t.exec(`DELETE FROM outages WHERE until <= (SELECT ifnull(min(changed), ?) FROM tables WHERE wake > 0)`, since); err != nil {
		return err
	}
	if err := t.exec("INSERT INTO outages VALUES (?, ?, ?)", since, until, int64(outageSum(since, until))); err != nil {
		return err
	}
	var count, first, second, end int64
	if err := t.row("SELECT count(*) FROM outages", func(scan scan) error { return scan(&count) }); err != nil || count <= store.MostOutages {
		return err
	}
	n := 0
	if err := t.rows("SELECT since, until, sum FROM outages ORDER BY since LIMIT 2", func(scan scan) (err error) {
		if n++; n == 1 {
			first, _, err = scanOutage(scan)
		} else {
			second, end, err = scanOutage(scan)
		}
		return err
	}); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM outages WHERE since = ?", second); err != nil {
		return err
	}
	return t.exec("UPDATE outages SET until = ?, sum = ? WHERE since = ?", end, int64(outageSum(first, end)), first)
}

// LastBeat is the time of the last beat.
func (s *Store) LastBeat(ctx context.Context) (time.Time, error) {
	last, _, err := s.lastBeat(ctx)
	return last, err
}

// Away is how long the house was away in all.
func (s *Store) Away(ctx context.Context) (time.Duration, error) {
	_, away, err := s.lastBeat(ctx)
	return away, err
}

func (s *Store) lastBeat(ctx context.Context) (time.Time, time.Duration, error) {
	var last, away int64
	err := s.row(ctx, lastBeat, func(scan scan) error { return scanBeat(scan, &last, &away) })
	if errors.Is(err, store.ErrNone) {
		return time.Time{}, 0, nil
	}
	if err != nil {
		return time.Time{}, 0, err
	}
	return store.Time(last), time.Duration(away) * time.Millisecond, nil
}

// Outages are those that ended after a time.
func (s *Store) Outages(ctx context.Context, after time.Time) ([]store.Outage, error) {
	list := []store.Outage{}
	err := s.rows(ctx, "SELECT since, until, sum FROM outages WHERE until > ? ORDER BY since", func(scan scan) error {
		since, until, err := scanOutage(scan)
		list = append(list, store.Outage{From: store.Time(since), Until: store.Time(until)})
		return err
	}, store.Milli(after))
	if err != nil {
		return nil, err
	}
	return list, nil
}
