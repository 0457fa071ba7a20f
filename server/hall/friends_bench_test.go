package hall

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"copse/store"
)

// BenchmarkCircles: lists of somebody with as many friends and blocks as one may have, who
// is blocked by a thousand, in a house of ten thousand people and a thousand open tables.
func BenchmarkCircles(b *testing.B) {
	h := newTestHall(b)
	const people, tables = 10_000, 1000
	id := func(n int) string { return fmt.Sprintf("id%05d", n) }
	for n := range people {
		h.good(h.AddAccount(b.Context(), Account{ID: id(n), Name: id(n), Salt: []byte(id(n))}))
	}
	raw, err := json.Marshal(friendship{Since: 1, Shows: true})
	h.good(err)
	write := func(kind, of, by string, body []byte) {
		h.good(h.db.Write(b.Context(), store.Paper{Kind: kind, Key: between(of, by), Owner: by, Body: body}))
	}
	for n := 1; n <= MostFriends; n++ {
		write(friendPaper, id(0), id(n), raw)
		write(friendPaper, id(n), id(0), raw)
	}
	for n := range MostBlocks {
		write(blockPaper, id(1000+n), id(0), []byte(`{"at":1}`))
	}
	for n := range 1000 {
		write(blockPaper, id(0), id(2000+n), []byte(`{"at":1}`))
	}
	for n := range tables {
		t := h.table(settings("bosk", 2))
		h.sit(t, Account{ID: id(4000 + n), Salt: []byte(id(4000 + n))})
	}
	me := Account{ID: id(0), Name: id(0), Salt: []byte(id(0))}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"friends", func() error { _, err := h.Friends(b.Context(), me); return err }},
		{"blocks", func() error { _, err := h.Blocks(b.Context(), me); return err }},
		{"open", func() error { _, err := h.Open(b.Context(), me, "", 0, 100); return err }},
		{"open for the first time", func() error { h.parted(me.ID); _, err := h.Open(b.Context(), me, "", 0, 100); return err }},
		{"house", func() error { _, err := h.House(b.Context(), me); return err }},
		{"house, looked at anew", func() error { h.away(liveEvery); _, err := h.House(b.Context(), me); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			longest := time.Duration(0)
			for b.Loop() {
				begun := time.Now()
				h.good(c.do())
				longest = max(longest, time.Since(begun))
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
		})
	}
}
