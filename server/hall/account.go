package hall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"copse/store"
	"copse/table"
)

// Account is somebody who plays, directly or as a program. The zero Account is
// nobody.
type Account struct {
	ID   string
	Name string
	Salt []byte
	More

	Seen    time.Time     // when it was last here, as Hall.atWork counts; zero for a program
	version int64         // of what is kept, as it was read
	Network string        // from which it asks just now; never kept
	Hidden  bool          // it listens and does not look, as far as a stream knows; never kept
	owner   table.Person  // of a program that sits down at a table, as the person it is there; never kept
	read    time.Time     // when it was; never kept
	papers  []store.Paper // that are written with it, or it is not; never kept
}

// More is what is kept of an account besides its name.
type More struct {
	Program  bool     `json:"program,omitempty"`  // it acts by a token
	Owner    string   `json:"owner,omitempty"`    // of a program
	Programs []string `json:"programs,omitempty"` // of a person

	// Member is since when the account's name is kept for it: it can be come back to
	// by a passkey, and no look-alike of the name is given to anybody else. Zero for a
	// guest and for a program.
	Member table.Time `json:"member,omitempty"`

	// Chimes are what somebody wants to be told though no page of theirs is open; nil
	// where they never said so.
	Chimes *Chimes `json:"chimes,omitempty"`

	// Leaving is until when it counts as being deleted, where the house has several
	// nodes: it neither changes nor sits down at any of them. A node that has died
	// over it leaves it as it was.
	Leaving table.Time `json:"leaving,omitempty"`
}

// at is the person that an account is at a table.
func (a Account) at(id string) table.Person {
	if a.ID == "" {
		return table.Person{}
	}
	return table.PersonAt(id, a.ID, a.Salt)
}

// people remembers accounts, so that a move need not ask the store for any.
type people struct {
	mu     sync.RWMutex
	known  map[string]*remembered
	forgot int // how often somebody was: what was read before that is not remembered

	from map[string]origin // by account, of those who asked for anything not long ago

	changing lock           // held from the reading of an account to the writing of what it became
	leaving  map[string]int // who is being deleted, by how many at the same time; written by who holds both locks
}

// remembered is an account as it was read.
type remembered struct {
	Account
	used atomic.Bool // since it was read
}

// origin is who is charged for the work that an account causes.
type origin struct{ network, person string }

// note remembers the network from which somebody asks. What a program asks counts
// for its owner.
func (p *people) note(by Account) {
	if by.ID == "" || by.Network == "" {
		return
	}
	now := origin{by.Network, by.ID}
	if by.Owner != "" {
		now.person = by.Owner
	}
	p.mu.RLock()
	same := p.from[by.ID] == now
	p.mu.RUnlock()
	if same {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for other := range p.from {
		if len(p.from) < mostKnown {
			break
		}
		delete(p.from, other)
	}
	p.from[by.ID] = now
}

// lose forgets from where somebody asked.
func (p *people) lose(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.from, account)
}

// payer is who is charged for an account: its person, and the network from which it
// last asked, where that is known.
func (p *people) payer(account string) (network, person string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if o, ok := p.from[account]; ok {
		return o.network, o.person
	}
	if a := p.known[account]; a != nil && a.Owner != "" {
		return "", a.Owner
	}
	return "", account
}

// How many accounts are remembered, and for how long where another node may change
// them: it tells so, and news may be lost.
const (
	mostKnown = 20_000
	knownTime = 10 * time.Second
)

// An account that is read again takes others with it that were used since they were
// read and would be read again within soon: a question for many costs little more than
// one for one.
const (
	soon     = 3 * time.Second
	mostSoon = 256
)

// leavingTime is how long an account counts as being deleted.
const leavingTime = 2 * time.Minute

// Account is the account of an ID, or store.ErrNone.
func (h *Hall) Account(ctx context.Context, id string) (Account, error) {
	h.people.mu.RLock()
	a := h.people.known[id]
	before := h.people.forgot
	if a != nil && (!h.several() || h.Now().Sub(a.read) < knownTime) {
		defer h.people.mu.RUnlock()
		if !a.used.Load() {
			a.used.Store(true)
		}
		return a.Account, nil
	}
	h.people.mu.RUnlock()
	now := h.Now()
	if a != nil {
		if due := h.people.due(id, now); len(due) > 1 {
			return h.readMany(ctx, id, due, now, before)
		}
	}
	one, err := h.readAccount(ctx, id)
	if err != nil {
		return Account{}, err
	}
	h.people.remember(one, now, before)
	return one, nil
}

// due are an account and the others that are to be read again soon. Nobody else gets
// those others meanwhile.
func (p *people) due(id string, now time.Time) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := []string{id}
	for other, a := range p.known {
		if len(list) == mostSoon {
			break
		}
		if other != id && now.Sub(a.read) > knownTime-soon && a.used.CompareAndSwap(true, false) {
			list = append(list, other)
		}
	}
	return list
}

// remember keeps an account as it was read at a time, unless somebody was forgotten
// since: it may have changed since it was read.
func (p *people) remember(a Account, read time.Time, before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.forgot != before {
		return
	}
	for other := range p.known {
		if len(p.known) < mostKnown {
			break
		}
		delete(p.known, other)
	}
	a.read = read
	p.known[a.ID] = &remembered{Account: a}
}

// readMany reads an account, and others that are to be read again soon. If they cannot
// be read together, the one is read by itself.
func (h *Hall) readMany(ctx context.Context, id string, due []string, now time.Time, before int) (Account, error) {
	list, err := h.store.Accounts(ctx, due)
	if err != nil {
		return h.readAccount(ctx, id)
	}
	var found *Account
	for i := range list {
		a, err := accountOf(&list[i])
		if err != nil {
			continue // whoever asks for it is told
		}
		h.people.remember(a, now, before)
		if a.ID == id {
			found = &a
		}
	}
	if found == nil {
		return h.readAccount(ctx, id)
	}
	return *found, nil
}

// readAccount is the account as the store has it now.
func (h *Hall) readAccount(ctx context.Context, id string) (Account, error) {
	p, err := h.store.Account(ctx, id)
	if err != nil {
		return Account{}, err
	}
	return accountOf(&p)
}

// accountOf is an account as it is kept.
func accountOf(p *store.Account) (Account, error) {
	a := Account{ID: p.ID, Name: p.Name, Salt: p.Salt, Seen: p.Seen, version: p.Version}
	if len(p.More) > 0 {
		if err := json.Unmarshal(p.More, &a.More); err != nil {
			return Account{}, err
		}
	}
	return a, nil
}

// AddAccount adds an account.
func (h *Hall) AddAccount(ctx context.Context, a Account) error {
	more, err := json.Marshal(a.More)
	if err != nil {
		return err
	}
	p := store.Account{ID: a.ID, Name: a.Name, Salt: a.Salt, Born: h.Now(), More: more}
	if !a.Program {
		if err := h.rouse(ctx); err != nil { // or the first thing that is known of them would be wrong
			return err
		}
		p.Seen = h.atWork()
	}
	return h.store.AddAccount(ctx, p)
}

// AddProgram adds an account that is a program, and lists it with its owner, if
// allow, which gets the owner as they are now, permits it. There is never a program
// that its owner does not list.
func (h *Hall) AddProgram(ctx context.Context, a Account, allow func(owner *Account) error) error {
	if err := h.people.changing.hold(ctx); err != nil {
		return err
	}
	defer h.people.changing.letGo()
	if err := h.change(ctx, a.Owner, func(owner *Account) error {
		if err := allow(owner); err != nil {
			return err
		}
		owner.Programs = append(owner.Programs, a.ID)
		return nil
	}); err != nil {
		return err
	}
	err := h.AddAccount(ctx, a)
	if err == nil {
		return nil
	}
	return Unsure(errors.Join(err, h.change(context.WithoutCancel(ctx), a.Owner, func(owner *Account) error {
		owner.Programs = slices.DeleteFunc(owner.Programs, func(id string) bool { return id == a.ID })
		return nil
	})))
}

// ChangeAccount changes an account's name and what else is kept of it, and tells
// all open tables at which it sits. change gets the account as it is now: of two
// changes at the same time neither is lost.
func (h *Hall) ChangeAccount(ctx context.Context, id string, change func(*Account) error) error {
	err := h.people.changing.hold(ctx)
	if err == nil {
		err = h.change(ctx, id, change)
		h.people.changing.letGo()
	}
	if err != nil {
		return err
	}
	return Unsure(h.rename(ctx, id))
}

// rename tells those who look on here that somebody at their tables has changed.
func (h *Hall) rename(ctx context.Context, id string) error {
	open, err := h.openOf(ctx, id)
	if err != nil {
		return err
	}
	return h.each(ctx, open, func(r *room) error {
		r.tellWho()
		return nil
	})
}

// heardAccount is told that an account was changed or deleted at another node.
func (h *Hall) heardAccount(a accountNews) {
	h.forget(a.Account)
	if a.Gone {
		h.people.lose(a.Account)
		h.passesChanged(a.Account)
	}
	h.start(func() {
		ctx, done := context.WithTimeout(h.life, longestAppend)
		defer done()
		var err error
		if a.Gone { // where they sat the store knows no more
			err = h.detach(ctx, a.Account)
		} else {
			err = h.rename(ctx, a.Account)
		}
		if err != nil {
			h.trouble(ctx, "a table cannot be told that somebody has changed", err)
		}
	})
}

// detach forgets at all open tables where somebody sat. That is no use of a table: it
// is closed when it would have been.
func (h *Hall) detach(ctx context.Context, account string) error {
	h.mu.Lock()
	rooms := slices.Collect(maps.Values(h.rooms))
	h.mu.Unlock()
	for _, r := range rooms {
		select {
		case r.lock <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !r.gone && r.t != nil {
			r.detach(account)
		}
		r.leave()
	}
	return nil
}

// change changes an account; the caller holds the lock. An account that is being
// deleted does not exist any more.
func (h *Hall) change(ctx context.Context, id string, change func(*Account) error) error {
	if h.people.leaving[id] > 0 {
		return store.ErrNone
	}
	err := h.set(ctx, id, func(a *Account) error {
		if h.leaves(a) {
			return store.ErrNone
		}
		return change(a)
	})
	if err == nil {
		h.forget(id)
		h.tellHouse("account", "", accountNews{Account: id})
	}
	return err
}

// set writes what an account becomes. Where another node was first it is read again,
// and what was allowed may not be any more.
func (h *Hall) set(ctx context.Context, id string, change func(*Account) error) error {
	for {
		a, err := h.readAccount(ctx, id)
		if err != nil {
			return err
		}
		if err := change(&a); err != nil {
			return err
		}
		more, err := json.Marshal(a.More)
		if err != nil {
			return err
		}
		err = h.store.SetAccount(ctx, store.Account{ID: a.ID, Name: a.Name, More: more, Version: a.version}, a.papers...)
		if !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrPapers) {
			return err
		}
	}
}

// leaves tells whether an account is being deleted, at whichever node.
func (h *Hall) leaves(a *Account) bool { return a.Leaving > h.now() }

// forget drops a remembered account, so that it is read anew.
func (h *Hall) forget(id string) {
	h.people.mu.Lock()
	defer h.people.mu.Unlock()
	delete(h.people.known, id)
	h.people.forgot++
}

// DeleteAccount forgets somebody: it resigns their games that go on, takes them
// from tables whose game has not begun, and deletes name and salt. Their programs
// go too. store.ErrNone says that there is no such account, or no longer one.
func (h *Hall) DeleteAccount(ctx context.Context, id string) error {
	return h.deleteIf(ctx, id, func(*Account) (bool, error) { return true, nil })
}

// deleteIf forgets somebody if they are still to be forgotten when it begins. From
// then on they neither change nor sit down anywhere.
func (h *Hall) deleteIf(ctx context.Context, id string, still func(*Account) (bool, error)) error {
	a, err := h.leave(ctx, id)
	if err != nil {
		return err
	}
	defer h.left(id, a.Leaving)
	if yes, err := still(&a); err != nil || !yes {
		return err
	}
	if err := h.takeAway(ctx, a); !errors.Is(err, store.ErrNone) {
		return Unsure(err) // some of it may be done
	}
	if _, err := h.readAccount(ctx, id); !errors.Is(err, store.ErrNone) {
		return Unsure(cmp.Or(err, store.ErrNone)) // it was something else that is not there
	}
	return store.ErrNone
}

// takeAway deletes an account that has begun to leave.
func (h *Hall) takeAway(ctx context.Context, a Account) error {
	id := a.ID
	for _, program := range a.Programs { // there will be no more
		if err := h.DeleteAccount(ctx, program); err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
	}
	for seen, more := map[string]bool{}, true; more; { // one that was given up is listed no more
		list, err := h.store.Sitting(ctx, id, store.MostListed)
		if err != nil {
			return err
		}
		more = false
		for _, l := range list {
			if seen[l.ID] {
				continue
			}
			seen[l.ID], more = true, true
			if err := h.each(ctx, []string{l.ID}, func(r *room) error { return r.giveUp(ctx, a) }); err != nil {
				return err
			}
		}
	}
	if err := h.tearBonds(ctx, id); err != nil {
		return err
	}
	if err := h.StopWaiting(ctx, a); err != nil { // who was matched with them waits no longer for them
		return err
	}
	open, err := h.openOf(ctx, id)
	if err != nil {
		return err
	}
	if err := h.store.DeleteAccount(ctx, id); err != nil {
		return err
	}
	h.forget(id)
	h.people.lose(id)
	h.passesChanged(id)
	h.tellHouse("account", "", accountNews{Account: id, Gone: true})
	return h.each(ctx, open, func(r *room) error {
		r.detach(id)
		return nil
	})
}

// leave marks an account as being deleted, and gives it as it is then: from here on
// it does not change, and if it is about to sit down it gets up again.
func (h *Hall) leave(ctx context.Context, id string) (Account, error) {
	if err := h.people.changing.hold(ctx); err != nil {
		return Account{}, err
	}
	defer h.people.changing.letGo()
	var a Account
	var err error
	if h.several() {
		err = h.set(ctx, id, func(now *Account) error {
			now.Leaving = table.At(h.Now().Add(leavingTime))
			a = *now
			return nil
		})
	} else {
		a, err = h.readAccount(ctx, id)
	}
	if err == nil {
		h.people.mu.Lock()
		h.people.leaving[id]++
		h.people.mu.Unlock()
	}
	return a, err
}

// left ends what leave has begun, which was to count until a time. An account that could not be deleted is there
// again.
func (h *Hall) left(id string, until table.Time) {
	_ = h.people.changing.hold(context.Background()) // whatever has become of who asked
	defer h.people.changing.letGo()
	h.people.mu.Lock()
	h.people.leaving[id]--
	last := h.people.leaving[id] == 0
	if last {
		delete(h.people.leaving, id)
	}
	h.people.mu.Unlock()
	if !last || !h.several() {
		return
	}
	ctx, done := context.WithTimeout(context.Background(), longestAppend)
	defer done()
	if err := h.set(ctx, id, func(a *Account) error {
		if a.Leaving != until {
			return store.ErrNone // another node deletes it
		}
		a.Leaving = 0
		return nil
	}); err != nil && !errors.Is(err, store.ErrNone) {
		h.log.Warn("an account that could not be deleted stays as good as deleted for a while", "err", err)
	}
	h.forget(id)
}

// stays is nil for an account that exists and is not being deleted, else
// store.ErrNone.
func (h *Hall) stays(ctx context.Context, id string) error {
	h.people.mu.RLock()
	leaving := h.people.leaving[id] > 0
	h.people.mu.RUnlock()
	if leaving {
		return store.ErrNone
	}
	if h.several() {
		a, err := h.readAccount(ctx, id)
		if err == nil && h.leaves(&a) {
			err = store.ErrNone
		}
		return err
	}
	_, err := h.Account(ctx, id) // forgotten before it was taken from those who leave
	return err
}

// giveUp takes somebody from the table for good.
func (r *room) giveUp(ctx context.Context, a Account) error {
	person := a.at(r.id)
	seat := r.t.SeatOf(person)
	if seat >= 0 && !r.t.Over() && r.t.People().Seats[seat].Held != table.Replaced {
		var cmd table.Command = table.Leave{Person: person}
		if r.t.Begun() {
			cmd = table.Resign{Person: person}
		}
		if _, err := r.do(ctx, a, cmd, store.Once{}); err != nil {
			return err
		}
	}
	if !r.detach(a.ID) || r.t.Over() { // what is over may be packed already
		return nil
	}
	row, _ := r.list()
	before := r.row.Sitting
	if err := r.write(ctx, row); err != nil {
		return err
	}
	r.tellLists(before, everywhere)
	return nil
}

// detach forgets whose seat it was, and tells whether it was anybody's.
func (r *room) detach(account string) bool {
	seat := slices.Index(r.accounts[:], account)
	if seat < 0 {
		return false
	}
	r.accounts[seat] = ""
	r.tellWho()
	r.tellPresent()
	return true
}

// openOf are the open tables at which an account sits, or sat not long ago.
func (h *Hall) openOf(ctx context.Context, account string) ([]string, error) {
	list, err := h.store.Sitting(ctx, account, store.MostListed)
	if err != nil {
		return nil, err
	}
	played, err := h.store.Played(ctx, account, 0, 100)
	if err != nil {
		return nil, err
	}
	var ids []string
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range append(list, played...) {
		if h.rooms[l.ID] != nil || !h.crowd.none(l.ID) {
			ids = append(ids, l.ID)
		}
	}
	return ids, nil
}

// each visits tables one after the other.
func (h *Hall) each(ctx context.Context, ids []string, visit func(*room) error) error {
	for _, id := range ids {
		r, err := h.enter(ctx, id)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err == nil {
			err = visit(r)
			r.leave()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
