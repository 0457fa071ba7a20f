package hall

import (
	"bytes"
	"context"

	"copse/store"
	"copse/table"
)

// A log of so many entries is opened from a snapshot, and another is saved as soon
// as it has grown by so many: whenever the server dies, no more than these must be
// folded. Shorter logs take a few milliseconds.
const (
	longLog   = 2000
	longSince = 1000
)

// restore makes the table from the last snapshot and what has happened since; nil
// where there is none that fits the log: then the log makes it.
func (r *room) restore(ctx context.Context, keep table.Keep, next int) *table.Table {
	if next < longLog {
		return nil
	}
	shot, ok, err := r.hall.store.Snapshot(ctx, r.id)
	if err != nil || !ok || shot.Next < 1 || shot.Next > next {
		return nil
	}
	t, err := table.Restore(r.hall.shelf, keep, shot.Body)
	if err != nil || t.Len() != shot.Next {
		return r.unfit("it is harmed, or of another version")
	}
	tail, err := r.hall.store.Read(ctx, r.id, shot.Next-1)
	if err != nil || len(tail) == 0 || !bytes.Equal(tail[0].Body, t.Entry(shot.Next-1)) {
		return r.unfit("it does not fit the log")
	}
	for _, e := range tail[1:] {
		if err := t.Extend(e.Body); err != nil {
			return r.unfit("the log does not go on from it")
		}
	}
	r.shot = shot.Next
	return t
}

// unfit logs that a snapshot is not used.
func (r *room) unfit(why string) *table.Table {
	r.hall.log.Warn("the snapshot of a table is not used: it is made again", "table", r.id, "why", why)
	return nil
}

// snapshot is what to save of a table whose log has become long; ok is false where
// there is nothing to save.
func (r *room) snapshot() (s store.Snapshot, ok bool) {
	n := r.t.Len()
	grown := longSince
	if r.t.Over() { // it will grow no more
		grown = 1
	}
	if n < longLog || n-r.shot < grown {
		return s, false
	}
	s = store.Snapshot{Next: n, Body: r.t.Snapshot()}
	if len(s.Body) > store.LargestSnapshot {
		return s, false
	}
	r.shot = s.Next
	return s, true
}

// shoot saves a snapshot where it is time for one. The room waits for it, once in a
// thousand entries of a table that is long already.
func (r *room) shoot(ctx context.Context) {
	if s, ok := r.snapshot(); ok {
		ctx, done := r.hall.patiently(ctx)
		defer done()
		r.hall.save(ctx, r.id, s)
	}
}

// pack packs a finished log. A long one gets its snapshot again, since packing
// takes it away.
func (h *Hall) pack(ctx context.Context, id string) error {
	if err := h.store.Pack(ctx, id, h.Now()); err != nil {
		return err
	}
	if l, err := h.store.Table(ctx, id); err != nil || l.Next < longLog {
		return err
	}
	r, err := h.enter(ctx, id)
	if err != nil { // it is packed all the same
		h.trouble(ctx, "a finished game gets no snapshot", err, "table", id)
		return nil
	}
	defer r.leave()
	r.shot = 0
	r.shoot(ctx)
	return nil
}

// save saves a snapshot. It is a cache: an error is logged and forgotten.
func (h *Hall) save(ctx context.Context, id string, s store.Snapshot) {
	if err := h.store.SaveSnapshot(ctx, id, s); err != nil {
		h.trouble(ctx, "a snapshot is not saved", err, "table", id)
	}
}
