package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/store"
)

var _ store.Nodes = (*Store)(nil)

// How long after a node has last said that it serves it counts as up, and how long it
// is listed.
const (
	nodeUp   = 15 * time.Second
	nodeKept = 10 * time.Minute
)

// millis is what time it is, as rows have it.
const millis = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

// Present says that a node serves.
func (s *Store) Present(ctx context.Context, n store.Node) error {
	if !store.ValidID(n.ID) {
		return store.ErrID
	}
	lag := n.Lag.Milliseconds()
	if n.Lag < 0 {
		lag = -1
	}
	return s.change(ctx, nil, `WITH old AS (
			DELETE FROM nodes WHERE id IN (SELECT id FROM nodes WHERE seen < `+millis+` - $6 AND id <> $1 LIMIT 100 FOR UPDATE SKIP LOCKED)
		)
		INSERT INTO nodes (id, begun, seen, ahead, lag, version, host, knows) VALUES ($1, `+millis+`, `+millis+`, $2, $3, $4, $5, $7)
		ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, ahead = excluded.ahead, lag = excluded.lag, version = excluded.version, host = excluded.host, knows = excluded.knows`,
		n.ID, n.Ahead.Milliseconds(), lag, []byte(n.Version), []byte(n.Host), nodeKept.Milliseconds(), append([]byte{}, n.Knows...))
}

// Absent says that a node serves no more.
func (s *Store) Absent(ctx context.Context, id string) error {
	return s.change(ctx, nil, "DELETE FROM nodes WHERE id = $1", id)
}

// Nodes are the nodes that have said that they serve.
func (s *Store) Nodes(ctx context.Context) ([]store.Node, error) {
	list := []store.Node{}
	err := s.rows(ctx, "SELECT id, begun, seen, "+millis+", ahead, lag, version, host, knows FROM nodes ORDER BY begun, id", func(rows pgx.Rows) error {
		var n store.Node
		var begun, seen, now, ahead, lag int64
		var version, host []byte
		if err := rows.Scan(&n.ID, &begun, &seen, &now, &ahead, &lag, &version, &host, &n.Knows); err != nil {
			return err
		}
		n.Begun, n.Seen, n.Up = store.Time(begun), store.Time(seen), now-seen <= nodeUp.Milliseconds()
		n.Ahead, n.Lag = time.Duration(ahead)*time.Millisecond, time.Duration(lag)*time.Millisecond
		n.Version, n.Host = string(version), string(host)
		if now-seen <= nodeKept.Milliseconds() {
			list = append(list, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
