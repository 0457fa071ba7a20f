package hall

import (
	"context"
	"errors"
	"testing"
	"time"

	"copse/store"
)

// TestWhatIsNotWrittenIsNotShown: while the store neither writes nor reads, a table
// that cannot be told of an outage is shown as it is written or not at all, and
// whoever looks on misses nothing of what is written afterwards.
func TestWhatIsNotWrittenIsNotShown(t *testing.T) {
	for _, open := range []bool{true, false} {
		h := newHouse(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		h.wait(time.Minute)
		if !open {
			h.Stop()
			h.Hall = h.another()
		}
		h.away(time.Hour)
		log, err := h.db.Read(t.Context(), id, 0)
		h.good(err)
		broken := &dimming{Store: h.db, err: store.ErrUnwritten}
		h.store = broken
		reader := h.Listen(100)
		if s, err := h.Follow(t.Context(), id, people[0], reader); err == nil && s.Look.Number != len(log)-1 {
			t.Errorf("open %v: entry %d is shown, and %d are written", open, s.Look.Number, len(log))
		} else if err != nil && !errors.Is(err, store.ErrUnwritten) {
			t.Errorf("open %v: it is answered by %v", open, err)
		}
		broken.err = nil
		if n := h.Rooms(); n > 1 {
			t.Errorf("open %v: %d rooms are open", open, n)
		}
		s, err := h.Follow(t.Context(), id, people[0], reader)
		h.good(err)
		if s.Look.Number != len(log) || h.outages(id) != 1 {
			t.Errorf("open %v: then entry %d is shown, and the log tells of %d outages", open, s.Look.Number, h.outages(id))
		}
	}
}

// dimming is a store that does not write, and does not read any more once it was
// asked to write.
type dimming struct {
	store.Store
	err  error
	dark bool
}

func (d *dimming) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if d.err != nil {
		d.dark = true
		return store.Receipt{}, d.err
	}
	return d.Store.Append(ctx, a)
}

func (d *dimming) Table(ctx context.Context, id string) (store.Listing, error) {
	if d.dark && d.err != nil {
		return store.Listing{}, d.err
	}
	return d.Store.Table(ctx, id)
}

// TestNothingIsDecidedOnWhatIsNotWritten: where somebody else was first, and what they
// did cannot be read, nothing more is tried.
func TestNothingIsDecidedOnWhatIsNotWritten(t *testing.T) {
	h := newHouse(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	p, last, err := h.Position(t.Context(), id, people[0])
	h.good(err)
	h.away(time.Hour) // which the table is told first
	trouble := errors.New("the disk does not answer")
	behind := &overtaken{Store: h.db, err: trouble}
	h.store = behind
	if _, err := h.Do(t.Context(), id, Wish{By: people[0], Want: play(last, p.Moves()[0])}); !errors.Is(err, trouble) || behind.asked != 1 {
		t.Errorf("after %d appends it is answered by %v", behind.asked, err)
	}
	h.store = h.db
	h.move(id, people...)
}

// overtaken is a store in which somebody else is always first, and that does not say
// what they did.
type overtaken struct {
	store.Store
	err   error
	asked int
}

func (o *overtaken) Append(_ context.Context, a store.Append) (store.Receipt, error) {
	o.asked++
	return store.Receipt{}, &store.Conflict{Table: a.Table, Asked: a.Next, Next: a.Next + 1}
}

func (o *overtaken) Table(context.Context, string) (store.Listing, error) {
	return store.Listing{}, o.err
}
