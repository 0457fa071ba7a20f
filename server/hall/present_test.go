package hall

import (
	"context"
	"errors"
	"slices"
	"testing"

	"copse/game"
	"copse/store"
	"copse/table"
)

// dark is a store that does neither write nor read, while it is dark.
type dark struct {
	store.Store
	err error
}

func (d *dark) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if d.err != nil {
		return store.Receipt{}, d.err
	}
	return d.Store.Append(ctx, a)
}

func (d *dark) Table(ctx context.Context, id string) (store.Listing, error) {
	if d.err != nil {
		return store.Listing{}, d.err
	}
	return d.Store.Table(ctx, id)
}

// TestPresenceOutlivesARoom: a room that is thrown away since the store was in
// trouble counts the same people when it is opened again. Nobody who is there is
// played for, and who goes is gone.
func TestPresenceOutlivesARoom(t *testing.T) {
	h := newHouse(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.news.Subscribe(1000)
	for _, by := range []Account{people[0], people[0], {}} { // she looks on from two screens, and a stranger does
		_, err := h.Follow(t.Context(), id, by, reader)
		h.good(err)
	}
	broken := &dark{Store: h.db}
	h.store = broken
	present := func(want ...game.Seat) {
		t.Helper()
		s, err := h.Look(t.Context(), id, Account{})
		h.good(err)
		if !slices.Equal(s.Present.Seats, want) {
			t.Fatalf("present are %+v, not %v", s.Present, want)
		}
	}
	fall := func() {
		t.Helper()
		broken.err = store.ErrUnwritten
		if _, err := h.Do(t.Context(), id, Wish{By: people[1], Want: func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Pause} }}); !errors.Is(err, store.ErrUnwritten) {
			t.Fatalf("it is answered by %v", err)
		}
		if n := h.Rooms(); n != 0 {
			t.Fatalf("%d rooms are open", n)
		}
	}
	fall()
	broken.err = nil
	present(0)
	h.wait(outOfReach)
	h.Sweep(t.Context())
	s, err := h.Look(t.Context(), id, Account{})
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Human || s.Look.People.Seats[1].Held != table.Away || s.Present.Watchers != 1 {
		t.Fatalf("the seats are held by %+v, and present are %+v", s.Look.People.Seats, s.Present)
	}
	h.Part(id, people[0])
	present(0)
	fall()
	h.Part(id, people[0]) // nobody can open the table at that moment
	h.Part(id, Account{})
	broken.err = nil
	present()
	h.wait(idleRoom)
	h.Sweep(t.Context())
	if n := h.Rooms(); n != 0 {
		t.Errorf("%d rooms are open, and nobody looks on", n)
	}
}

// TestWhoLooksOnIsThere, up to the moment when they hang up, though that cannot
// be noted in the room.
func TestWhoLooksOnIsThere(t *testing.T) {
	h := newHouse(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.news.Subscribe(1000)
	for _, by := range people {
		_, err := h.Follow(t.Context(), id, by, reader)
		h.good(err)
	}
	h.wait(outOfReach)
	h.Sweep(t.Context())
	h.crowd.part(id, people[0].ID) // as where the room is taken for longer than who goes can wait
	h.Sweep(t.Context())
	s, err := h.Look(t.Context(), id, people[1])
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Human {
		t.Errorf("who has just gone is played for: %+v", s.Look.People.Seats)
	}
}
