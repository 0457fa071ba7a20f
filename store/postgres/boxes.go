package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"copse/store"
	"copse/store/kept"
)

func boxedSum(table, box string) int32 { return int32(kept.Sum(0).Text(table).Text(box)) }

// Box is the box with this hash.
func (s *Store) Box(ctx context.Context, hash string) ([]byte, error) {
	var box []byte
	err := s.row(ctx, "SELECT body FROM boxes WHERE hash = $1", func(rows pgx.Rows) error { return rows.Scan(&box) }, hash)
	if err == nil && store.BoxHash(box) != hash {
		err = &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
	}
	if err != nil {
		return nil, err
	}
	return box, nil
}
