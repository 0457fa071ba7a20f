package hall

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// dark is a store that, while it is dark, neither writes nor reads.
type dark struct {
	store.Store
	ailing
}

func (d *dark) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := d.ails(); err != nil {
		return store.Receipt{}, err
	}
	return d.Store.Append(ctx, a)
}

func (d *dark) Table(ctx context.Context, id string) (store.Listing, error) {
	if err := d.ails(); err != nil {
		return store.Listing{}, err
	}
	return d.Store.Table(ctx, id)
}

// ailing is the trouble that a store has until it is cured of it, while others use
// it.
type ailing struct {
	mu  sync.Mutex
	err error
}

func (a *ailing) ails() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// fall gives it a trouble; nil cures it.
func (a *ailing) fall(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

// TestPresenceOutlivesARoom: a room that was thrown away because the store was in
// trouble counts the same people when it is opened again. Nobody who is there is
// replaced, and a person who goes is gone.
func TestPresenceOutlivesARoom(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.Listen(1000)
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
		broken.fall(store.ErrUnwritten)
		if _, err := h.Do(t.Context(), id, Request{By: people[1], Want: func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Pause} }}); !errors.Is(err, store.ErrUnwritten) {
			t.Fatalf("it is answered by %v", err)
		}
		if n := h.Rooms(); n != 0 {
			t.Fatalf("%d rooms are open", n)
		}
	}
	fall()
	broken.fall(nil)
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
	broken.fall(nil)
	present()
	h.wait(idleRoom)
	h.Sweep(t.Context())
	if n := h.Rooms(); n != 0 {
		t.Errorf("%d rooms are open, and nobody looks on", n)
	}
}

// TestWhoLooksOnIsThere: up to the moment when they hang up, though that cannot be
// noted in the room.
func TestWhoLooksOnIsThere(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.Listen(1000)
	for _, by := range people {
		_, err := h.Follow(t.Context(), id, by, reader)
		h.good(err)
	}
	h.wait(outOfReach)
	h.Sweep(t.Context())
	h.crowd.part(id, people[0]) // as where the room is taken for longer than who goes can wait
	h.Sweep(t.Context())
	s, err := h.Look(t.Context(), id, people[1])
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Human {
		t.Errorf("who has just gone is played for: %+v", s.Look.People.Seats)
	}
}

// heardPresent is what a reader hears of who is present.
func heardPresent(reader news.Reader) (list []string) {
	for item, ok := reader.Take(); ok; item, ok = reader.Take() {
		if event, data := SplitEvent(item.Body); item.Number == news.Unnumbered && event == "present" {
			list = append(list, string(data))
		}
	}
	return list
}

// TestPresenceIsToldOnceASecond: the first who comes is told at once; of all who
// come and go after that the result is told when the second is over. It cuts
// nobody's stream, and when nobody comes nothing is told.
func TestPresenceIsToldOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		defer h.Stop()
		id := h.table(settings("bosk", 2))
		reader := h.Listen(1)
		is := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			for i := range want {
				want[i] = `{"table":"` + id + `","seats":[],"watchers":` + want[i] + `}`
			}
			if got := heardPresent(reader); !slices.Equal(got, want) {
				t.Errorf("%s it is told %q, not %q", when, got, want)
			}
			if err := reader.Err(); err != nil {
				t.Fatal(err)
			}
		}
		follow := func(many int, reader news.Reader) {
			t.Helper()
			for range many {
				_, err := h.Follow(t.Context(), id, Account{}, reader)
				h.good(err)
			}
		}
		follow(1, reader)
		is("at once", "1")
		follow(999, h.Listen(1))
		is("when many come")
		time.Sleep(usualQuiet)
		is("after a second", "1000")
		for range 300 {
			h.Part(id, Account{})
		}
		time.Sleep(usualQuiet - 1)
		is("when many go")
		time.Sleep(1)
		is("after another second", "700")
		time.Sleep(10 * usualQuiet)
		is("when nobody comes")
		follow(1, h.Listen(1))
		is("after a while", "701")
	})
}

// TestTheLastIsToldThoughTheStoreWasInTrouble: though it was when it was to be
// told.
func TestTheLastIsToldThoughTheStoreWasInTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		defer h.Stop()
		anna := h.account("anna")
		broken := &dark{Store: h.db}
		h.store = broken
		id := h.table(settings("bosk", 2))
		reader := h.Listen(1)
		for range 2 {
			_, err := h.Follow(t.Context(), id, anna, reader)
			h.good(err)
		}
		time.Sleep(2 * usualQuiet)
		heardPresent(reader)
		r, err := h.enter(t.Context(), id)
		h.good(err)
		broken.fall(store.ErrUnwritten)
		r.discard()
		r.leave()
		h.Part(id, anna)
		time.Sleep(5 * usualQuiet)
		if told := heardPresent(reader); len(told) != 0 {
			t.Errorf("in trouble it is told %q", told)
		}
		broken.fall(nil)
		time.Sleep(2 * usualQuiet)
		synctest.Wait()
		if told := heardPresent(reader); len(told) != 1 || told[0] != `{"table":"`+id+`","seats":[],"watchers":1}` {
			t.Errorf("after the trouble it is told %q", told)
		}
	})
}
