package sqlite

import (
	"context"
	"errors"

	"copse/store"
)

func packSum(serial int64, log []byte) sum { return sum(0).int(serial).bytes(log) }

// unpack is a packed log from a number on.
func (s *Store) unpack(ctx context.Context, h head, from int) ([]entry, error) {
	var packed []byte
	var was int64
	err := s.row(ctx, "SELECT log, sum FROM packs WHERE serial = ?", func(scan scan) error { return scan(&packed, &was) }, h.serial)
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, &store.Damage{Number: -1, What: "its packed log is missing"}
	case err != nil:
		return nil, err
	case int64(packSum(h.serial, packed)) != was:
		return nil, &store.Damage{Number: -1, What: "its packed log does not have its checksum"}
	}
	log, err := store.Unpack(packed)
	if err != nil {
		return nil, &store.Damage{Number: -1, What: "its packed log cannot be read", Err: err}
	}
	if len(log) != h.next {
		return nil, &store.Damage{Number: min(len(log), h.next), What: "its packed log is not as long as it should be"}
	}
	entries := make([]entry, 0, len(log))
	for _, e := range log[min(from, len(log)):] {
		entries = append(entries, entry{number: e.Number, at: store.Milli(e.At), body: e.Body})
	}
	return entries, nil
}
