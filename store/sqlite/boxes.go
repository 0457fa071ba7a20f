package sqlite

import (
	"context"

	"copse/store"
	"copse/store/kept"
)

func boxedSum(serial int64, box string) kept.Sum { return kept.Sum(0).Int(serial).Text(box) }

// keepBox keeps a box for a table.
func (t *tx) keepBox(serial int64, box []byte) error {
	hash := store.BoxHash(box)
	if err := t.exec("INSERT INTO boxes VALUES (?, ?) ON CONFLICT DO NOTHING", hash, blob(box)); err != nil {
		return err
	}
	return t.exec("INSERT INTO boxed VALUES (?, ?, ?)", serial, hash, int64(boxedSum(serial, hash)))
}

// dropBox takes a box away that no table has any more.
func (t *tx) dropBox(hash string) error {
	return t.exec("DELETE FROM boxes WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM boxed WHERE box = hash)", hash)
}

// Box is the box with this hash.
func (s *Store) Box(ctx context.Context, hash string) ([]byte, error) {
	var box []byte
	err := s.row(ctx, "SELECT body FROM boxes WHERE hash = ?", func(scan scan) error { return scan(&box) }, hash)
	if err == nil && store.BoxHash(box) != hash {
		err = &store.Damage{Number: -1, What: "box " + hash + " is not what its name says"}
	}
	if err != nil {
		return nil, err
	}
	return box, nil
}
