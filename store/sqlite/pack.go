package sqlite

import (
	"context"

	"copse/store"
	"copse/store/kept"
)

// largestPart is how many bytes of a packed log lie in one row. For logs of one to
// five thousand bytes this leaves the fewest bytes of the pages empty.
const largestPart = 320

func packSum(serial int64, log []byte) kept.Sum { return kept.Sum(0).Int(serial).Bytes(log) }

// keep writes a packed log, part by part.
func (t *tx) keep(serial int64, log []byte) error {
	whole := int64(packSum(serial, log))
	for part := 0; part*largestPart < len(log); part++ {
		from := part * largestPart
		if err := t.exec("INSERT INTO parts VALUES (?, ?, ?, ?)", serial, part, log[from:min(from+largestPart, len(log))], whole); err != nil {
			return err
		}
		whole = 0
	}
	return nil
}

// unpack is a packed log from a number on.
func (s *Store) unpack(ctx context.Context, h head, from int) ([]entry, error) {
	var packed []byte
	var was int64
	parts, gap := 0, false
	if err := s.rows(ctx, "SELECT part, log, sum FROM parts WHERE serial = ? ORDER BY part", func(scan scan) error {
		var number int
		var part []byte
		var whole int64
		err := scan(&number, &part, &whole)
		if parts == 0 {
			was = whole
		}
		gap = gap || number != parts
		packed = append(packed, part...)
		parts++
		return err
	}, h.serial); err != nil {
		return nil, err
	}
	switch {
	case parts == 0:
		return nil, &store.Damage{Number: -1, What: "its packed log is missing"}
	case gap:
		return nil, &store.Damage{Number: -1, What: "a part of its packed log is missing"}
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
