package sqlite

import (
	"context"

	"copse/store"
)

// KeepBox keeps a box under its hash.
func (s *Store) KeepBox(ctx context.Context, box []byte) error {
	if err := within(limit{"bytes of a box", len(box), store.LargestBox}); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		return t.exec("INSERT INTO boxes VALUES (?, ?) ON CONFLICT DO NOTHING", store.BoxHash(box), blob(box))
	})
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
