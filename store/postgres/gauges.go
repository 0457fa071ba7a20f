package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
)

var (
	_ store.Gauges = (*Store)(nil)
	_ store.Clock  = (*Store)(nil)
)

// Time is the time of the database, which is the same for all nodes.
func (s *Store) Time(ctx context.Context) (now time.Time, err error) {
	err = s.row(ctx, "SELECT clock_timestamp()", func(rows pgx.Rows) error { return rows.Scan(&now) })
	return now, err
}

const (
	// gaugeKept is how long a gauge outlives the moment at which everything is made
	// up for: the clocks of nodes are not the same to the millisecond.
	gaugeKept = time.Minute

	// gaugeAhead is how much further ahead than any count has set it a gauge may
	// lie. One beyond that is damaged, or the clock was set back: it counts as none.
	gaugeAhead = time.Hour
)

// countGauge counts once more, and throws away a few gauges that are long past. The
// second column is the gauge as it was before, which others may have changed since.
const countGauge = `WITH old AS (
		DELETE FROM gauges WHERE name IN (SELECT name FROM gauges WHERE at < $5 AND name <> $1 ORDER BY at LIMIT 4 FOR UPDATE SKIP LOCKED)
	), counted AS (
		INSERT INTO gauges AS g (name, at) SELECT $1, $2::bigint + $3 WHERE $3 <= $4
		ON CONFLICT (name) DO UPDATE SET at = greatest(CASE WHEN g.at <= $6 THEN g.at ELSE 0 END, $2) + $3
		WHERE greatest(CASE WHEN g.at <= $6 THEN g.at ELSE 0 END, $2) + $3 <= $2 + $4
		RETURNING 1
	)
	SELECT EXISTS (SELECT 1 FROM counted), coalesce((SELECT at FROM gauges WHERE name = $1), 0)`

// Count counts one more under a name, if it is allowed.
func (s *Store) Count(ctx context.Context, name string, now time.Time, each, span time.Duration) (wait time.Duration, err error) {
	at := now.UnixNano()
	for range mostTries {
		counted, was := false, int64(0)
		err := s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
			return c.QueryRow(ctx, countGauge, name, at, int64(each), int64(span), at-int64(gaugeKept), at+int64(span+gaugeAhead)).Scan(&counted, &was)
		})
		switch wait := time.Duration(max(was, at)-at) + each - span; {
		case err != nil:
			return 0, err
		case counted:
			return 0, nil
		case wait > 0:
			return wait, nil
		}
		// Somebody else has counted meanwhile: the gauge is read anew.
	}
	return 0, unwritten(errAgain)
}

// Uncount takes one count back.
func (s *Store) Uncount(ctx context.Context, name string, each time.Duration) error {
	return s.write(ctx, func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, "UPDATE gauges SET at = at - $2 WHERE name = $1", name, int64(each))
		return err
	})
}
