package hall

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"copse/store"
	"copse/table"
)

// Account is somebody who plays, here or through a program. The zero Account is
// nobody.
type Account struct {
	ID   string
	Name string
	Salt []byte
	More
}

// More is what stands beside a name.
type More struct {
	Program  bool     `json:"program,omitempty"`  // it acts by a token
	Owner    string   `json:"owner,omitempty"`    // of a program
	Programs []string `json:"programs,omitempty"` // of a person
}

// at is the person that an account is at a table.
func (a Account) at(id string) table.Person {
	if a.ID == "" {
		return table.Person{}
	}
	return table.PersonAt(id, a.ID, a.Salt)
}

// people remembers accounts, so that a move asks the store for none.
type people struct {
	mu    sync.RWMutex
	known map[string]Account
}

// mostKnown is how many accounts are remembered.
const mostKnown = 20_000

// Account is the account of an ID, or store.ErrNone.
func (h *Hall) Account(ctx context.Context, id string) (Account, error) {
	h.people.mu.RLock()
	a, ok := h.people.known[id]
	h.people.mu.RUnlock()
	if ok {
		return a, nil
	}
	p, err := h.Store.Person(ctx, id)
	if err != nil {
		return Account{}, err
	}
	a = Account{ID: p.ID, Name: p.Name, Salt: p.Salt}
	if len(p.Beside) > 0 {
		if err := json.Unmarshal(p.Beside, &a.More); err != nil {
			return Account{}, err
		}
	}
	h.people.mu.Lock()
	defer h.people.mu.Unlock()
	for other := range h.people.known {
		if len(h.people.known) < mostKnown {
			break
		}
		delete(h.people.known, other)
	}
	h.people.known[id] = a
	return a, nil
}

// AddAccount adds an account.
func (h *Hall) AddAccount(ctx context.Context, a Account) error {
	beside, err := json.Marshal(a.More)
	if err != nil {
		return err
	}
	return h.Store.AddPerson(ctx, store.Person{ID: a.ID, Name: a.Name, Salt: a.Salt, Born: h.Now(), Beside: beside})
}

// SetAccount changes an account's name and what stands beside it, and tells it
// at all open tables where it sits.
func (h *Hall) SetAccount(ctx context.Context, a Account) error {
	beside, err := json.Marshal(a.More)
	if err != nil {
		return err
	}
	if err := h.Store.SetPerson(ctx, store.Person{ID: a.ID, Name: a.Name, Beside: beside}); err != nil {
		return err
	}
	h.forget(a.ID)
	open, err := h.openOf(ctx, a.ID)
	if err != nil {
		return err
	}
	return h.each(ctx, open, func(r *room) { r.tellWho() })
}

// forget lets the account be read anew when somebody asks for it.
func (h *Hall) forget(id string) {
	h.people.mu.Lock()
	delete(h.people.known, id)
	h.people.mu.Unlock()
}

// DeleteAccount forgets somebody: gives up for them where a game goes on, gets
// up where none has begun, and takes name and salt away. Programs go too.
func (h *Hall) DeleteAccount(ctx context.Context, a Account) error {
	for _, program := range a.Programs {
		other, err := h.Account(ctx, program)
		if err == nil {
			err = h.DeleteAccount(ctx, other)
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
	}
	for {
		list, err := h.Store.Sitting(ctx, a.ID, store.MostListed)
		if err != nil {
			return err
		}
		for _, l := range list {
			if err := h.giveUp(ctx, a, l.ID); err != nil {
				return err
			}
		}
		if len(list) < store.MostListed {
			break
		}
	}
	open, err := h.openOf(ctx, a.ID)
	if err != nil {
		return err
	}
	if err := h.Store.DeletePerson(ctx, a.ID); err != nil {
		return err
	}
	h.forget(a.ID)
	return h.each(ctx, open, func(r *room) {
		for seat := range r.accounts {
			if r.accounts[seat] == a.ID {
				r.accounts[seat] = ""
			}
		}
		r.tellWho()
		r.tellPresent()
	})
}

// giveUp takes somebody from a table for good.
func (h *Hall) giveUp(ctx context.Context, a Account, id string) error {
	r, err := h.enter(ctx, id)
	if err != nil {
		if errors.Is(err, store.ErrNone) {
			return nil
		}
		return err
	}
	defer r.leave()
	person := a.at(id)
	seat := r.t.SeatOf(person)
	if seat < 0 || r.t.Over() {
		return nil
	}
	var cmd table.Command = table.Leave{Person: person}
	if r.t.Begun() {
		if r.t.People().Seats[seat].Held == table.Replaced {
			return nil
		}
		cmd = table.Resign{Person: person}
	}
	_, err = r.do(ctx, a, cmd, store.Once{})
	return err
}

// openOf are the tables at which an account sits, or sat not long ago, and which
// are open.
func (h *Hall) openOf(ctx context.Context, account string) ([]string, error) {
	list, err := h.Store.Sitting(ctx, account, store.MostListed)
	if err != nil {
		return nil, err
	}
	played, err := h.Store.Played(ctx, account, 0, 100)
	if err != nil {
		return nil, err
	}
	var ids []string
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range append(list, played...) {
		if h.rooms[l.ID] != nil {
			ids = append(ids, l.ID)
		}
	}
	return ids, nil
}

// each visits tables one after the other.
func (h *Hall) each(ctx context.Context, ids []string, visit func(*room)) error {
	for _, id := range ids {
		r, err := h.enter(ctx, id)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return err
		}
		visit(r)
		r.leave()
	}
	return nil
}
