package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// late is a store that reads a person and, the first time, is held up before it
// answers.
type late struct {
	store.Store
	read, say chan struct{}
	held      atomic.Bool
}

func (l *late) Account(ctx context.Context, id string) (store.Account, error) {
	p, err := l.Store.Account(ctx, id)
	if l.held.CompareAndSwap(false, true) {
		close(l.read)
		<-l.say
	}
	return p, err
}

// TestWhatChangesWhileItIsReadIsNotRemembered: a person who takes another name, or
// is deleted, while they are being read is not remembered as they were.
func TestWhatChangesWhileItIsReadIsNotRemembered(t *testing.T) {
	for what, change := range map[string]func(*testHall, Account) error{
		"renamed": func(h *testHall, a Account) error {
			return h.ChangeAccount(t.Context(), a.ID, func(a *Account) error {
				a.Name = "annika"
				return nil
			})
		},
		"deleted": func(h *testHall, a Account) error { return h.DeleteAccount(t.Context(), a.ID) },
	} {
		h := newTestHall(t)
		anna := h.account("anna")
		slow := &late{Store: h.db, read: make(chan struct{}), say: make(chan struct{})}
		h.store = slow
		var asking sync.WaitGroup
		asking.Go(func() {
			if a, err := h.Account(t.Context(), anna.ID); err != nil || a.Name != "anna" {
				t.Errorf("she was %+v, %v", a, err)
			}
		})
		<-slow.read
		h.good(change(h, anna))
		close(slow.say)
		asking.Wait()
		if a, err := h.Account(t.Context(), anna.ID); a.Name == "anna" {
			t.Errorf("%s, she is still %+v, %v", what, a, err)
		}
	}
}

// TestNoChangeOfAnAccountIsLost: though many come at once.
func TestNoChangeOfAnAccountIsLost(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	const many = 20
	var changing sync.WaitGroup
	for n := range many {
		changing.Go(func() {
			if err := h.ChangeAccount(t.Context(), anna.ID, func(a *Account) error {
				a.Programs = append(a.Programs, fmt.Sprint("program-", n))
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
	changing.Wait()
	if a, err := h.Account(t.Context(), anna.ID); err != nil || len(a.Programs) != many {
		t.Errorf("of %d programs %v are hers, %v", many, a.Programs, err)
	}
}

// during is a store that lets something happen in the middle of a deletion, once.
type during struct {
	store.Store
	listed, deleted func()
}

func (d *during) Sitting(ctx context.Context, person string, most int) ([]store.Listing, error) {
	list, err := d.Store.Sitting(ctx, person, most)
	if do := d.listed; do != nil {
		d.listed = nil
		do()
	}
	return list, err
}

func (d *during) DeleteAccount(ctx context.Context, person string) error {
	if do := d.deleted; do != nil {
		d.deleted = nil
		do()
	}
	return d.Store.DeleteAccount(ctx, person)
}

// program adds a program of somebody.
func (h *testHall) program(owner, name string) (Account, error) {
	a := Account{ID: "id-" + name, Name: name, Salt: []byte("salt of " + name), More: More{Program: true, Owner: owner}}
	return a, h.AddProgram(h.Context(), a, func(*Account) error { return nil })
}

// nobody makes sure that there is no such account.
func (h *testHall) nobody(ids ...string) {
	h.Helper()
	for _, id := range ids {
		if p, err := h.db.Account(h.Context(), id); !errors.Is(err, store.ErrNone) {
			h.Errorf("%s is still there: %+v, %v", id, p, err)
		}
	}
}

// TestNoProgramOutlivesItsOwner: also one of which the deletion has not heard, or
// that is added meanwhile.
func TestNoProgramOutlivesItsOwner(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	for _, name := range []string{"early", "late"} {
		_, err := h.program(anna.ID, name)
		h.good(err)
	}
	h.store = &during{Store: h.db, listed: func() {
		if _, err := h.program(anna.ID, "meanwhile"); !errors.Is(err, store.ErrNone) {
			t.Errorf("a program of somebody who is being deleted: %v", err)
		}
	}, deleted: func() {
		if err := h.ChangeAccount(t.Context(), anna.ID, func(*Account) error { return nil }); !errors.Is(err, store.ErrNone) {
			t.Errorf("a change of somebody who is being deleted: %v", err)
		}
	}}
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	h.nobody(anna.ID, "id-early", "id-late", "id-meanwhile")
	if _, err := h.program(anna.ID, "after"); !errors.Is(err, store.ErrNone) {
		t.Errorf("a program of somebody who is no more: %v", err)
	}
	h.nobody("id-after")
}

// TestADeletionThatFailsCanBeRepeated: until it is done, everything may still be as
// before.
func TestADeletionThatFailsCanBeRepeated(t *testing.T) {
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	id := h.begun(settings("bosk", 2), anna, ben)
	h.store = &unforgetful{Store: h.db}
	if err := h.DeleteAccount(t.Context(), anna.ID); !errors.Is(err, store.ErrUnwritten) || !errors.Is(err, ErrUnsure) { // she has given up her game
		t.Fatalf("it is answered by %v", err)
	}
	h.store = h.db
	h.good(h.ChangeAccount(t.Context(), anna.ID, func(a *Account) error {
		a.Name = "annika"
		return nil
	}))
	h.sit(h.table(settings("bosk", 2)), anna)
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	h.nobody(anna.ID)
	if s, err := h.Look(t.Context(), id, ben); err != nil || s.Who[0] != nil {
		t.Errorf("deleted, she is %+v, %v", s, err)
	}
}

// unforgetful is a store that deletes nobody.
type unforgetful struct{ store.Store }

func (unforgetful) DeleteAccount(context.Context, string) error { return store.ErrUnwritten }

// TestWhoIsBeingDeletedSitsDownNowhere: no seat is held by somebody who does not
// exist.
func TestWhoIsBeingDeletedSitsDownNowhere(t *testing.T) {
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	id := h.table(settings("bosk", 2))
	h.sit(id, ben)
	h.store = &during{Store: h.db, deleted: func() {
		_, err := h.Sit(t.Context(), id, anna, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
		if !errors.Is(err, store.ErrNone) {
			t.Errorf("who is being deleted sits down: %v", err)
		}
	}}
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	s, err := h.Look(t.Context(), id, ben)
	h.good(err)
	if s.Look.People.Seats[1].Held != table.Nobody {
		t.Errorf("the seat is held by %+v", s.Look.People.Seats[1])
	}
}

// few is a store that lists few tables at a time.
type few struct{ store.Store }

func (f few) Sitting(ctx context.Context, person string, most int) ([]store.Listing, error) {
	return f.Store.Sitting(ctx, person, min(most, 2))
}

// TestDeletedFromMoreTablesThanAreListedAtOnce: each table is given up once, also
// where others play on.
func TestDeletedFromMoreTablesThanAreListedAtOnce(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben"), h.account("cleo")}
	var begun, waiting []string
	for n := range 5 {
		h.wait(time.Second)
		begun = append(begun, h.begun(settings("bosk", 3), people...))
		if n%2 == 0 {
			waiting = append(waiting, h.table(settings("bosk", 2)))
			h.sit(waiting[n/2], people[0])
		}
	}
	h.do(begun[4], people[0], func(p table.Person) table.Command { return table.Resign{Person: p} })
	h.wait(time.Second)
	h.store = few{h.db}
	h.good(h.DeleteAccount(t.Context(), people[0].ID))
	for _, id := range begun {
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		if held := s.Look.People.Seats[0].Held; held != table.Replaced || s.Who[0] != nil {
			t.Errorf("where others play on her seat is held by %v", held)
		}
		resigned := 0
		entries, err := h.db.Read(t.Context(), id, 0)
		h.good(err)
		for _, e := range entries {
			if strings.Contains(string(e.Body), `"do":"resign"`) {
				resigned++
			}
		}
		if resigned != 1 {
			t.Errorf("she has resigned %d times", resigned)
		}
	}
	for _, id := range waiting {
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		if held := s.Look.People.Seats[0].Held; held != table.Nobody {
			t.Errorf("where nothing has begun her seat is held by %v", held)
		}
	}
}

// TestNothingIsLeftOfADeletedPerson: in the whole database only games are left,
// which tell nobody whose they were: no name, no ID, no salt, no line.
func TestNothingIsLeftOfADeletedPerson(t *testing.T) {
	h := newTestHall(t)
	anna := Account{ID: "anna-who-is-nobody-else", Name: "Annabella of the forest", Salt: []byte("the salt of Annabella")}
	h.good(h.AddAccount(t.Context(), anna))
	program := Account{ID: "prunerella-her-program", Name: "Prunerella", Salt: []byte("the salt of Prunerella"), More: More{Program: true, Owner: anna.ID}}
	h.good(h.AddProgram(t.Context(), program, func(*Account) error { return nil }))
	for n, id := range []string{anna.ID, anna.ID, program.ID} {
		h.good(h.db.Admit(t.Context(), store.Pass{Digest: store.Digest{byte(n)}, Kind: store.Kind(n + 1), Account: id, Born: h.now, Label: "a note of Annabella"}))
	}
	ben := h.account("ben")
	for _, play := range []bool{true, false} { // finished and gone on with, begun, waiting
		id := h.begun(settings("bosk", 2), anna, ben)
		_, err := h.Say(t.Context(), id, anna, Words{Text: "Annabella was here"}, store.Once{Key: "said"})
		h.good(err)
		if !play {
			break
		}
		_, err = h.Do(t.Context(), id, Request{By: ben, Want: func(p table.Person) table.Command { return table.Resign{Person: p} }, Once: store.Once{Key: "resigned"}})
		h.good(err)
		next, err := h.Rematch(t.Context(), id, ben)
		h.good(err)
		h.Tend(t.Context()) // packs
		h.sit(next, ben)
	}
	h.sit(h.table(settings("grandbois", 3)), anna, program)
	h.begun(settings("grandbois", 2), program, ben)
	traces := []string{anna.ID, "Annabella", program.ID, "Prunerella"}
	if got := h.holds(traces...); len(got) < len(traces) {
		t.Fatalf("before she is deleted the database holds only %q", got)
	}
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	if got := h.holds(traces...); len(got) > 0 {
		t.Errorf("when she is deleted the database holds %q", got)
	}
}

// holds are those of these texts that are anywhere in a copy of the database.
func (h *testHall) holds(texts ...string) (found []string) {
	h.Helper()
	file := filepath.Join(h.TempDir(), "copy.db")
	h.good(h.db.Backup(h.Context(), file))
	raw, err := os.ReadFile(file)
	h.good(err)
	for _, text := range texts {
		if bytes.Contains(raw, []byte(text)) {
			found = append(found, text)
		}
	}
	return found
}
