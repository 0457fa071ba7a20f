package hall

import (
	"context"
	"errors"
	"sync"
	"time"

	"copse/store"
)

// Guests come without being asked who they are, so most never come back. A guest
// who has no game, and was not here for as long as the operator says
// (Options.Forget), is deleted as if they had asked for it. That is counted in time during which the
// house was at work: while it was away nobody could come, and a backup that is
// restored, or a clock that is set ahead, makes nobody go.
const (
	seenEvery  = 24 * time.Hour // how often it is written down that somebody is here
	mostMissed = 50             // people who are looked at in one sweep
	missEvery  = time.Hour      // between two walks through all who are missed
)

// missed is how far the hall has come among those who do not come back.
type missed struct {
	mu   sync.Mutex
	last store.Account // who was looked at last
	next time.Time     // when the next walk begins
}

// Here notes that somebody is here, once a day. A person whose program is here
// counts as here. store.ErrNone says that they are being deleted.
func (h *Hall) Here(ctx context.Context, by Account) error {
	if by.Program {
		owner, err := h.Account(ctx, by.Owner)
		if errors.Is(err, store.ErrNone) {
			return nil // of a program that is deleted in a moment
		}
		if err != nil {
			return err
		}
		by = owner
	}
	if by.ID == "" || h.atWork().Sub(by.Seen) < seenEvery {
		return nil
	}
	if err := h.rouse(ctx); err != nil { // nobody knows how long the house was away
		h.trouble(ctx, notNoted, err)
		return nil
	}
	now := h.atWork()
	if now.Sub(by.Seen) < seenEvery {
		return nil
	}
	if err := h.people.changing.hold(ctx); err != nil {
		return err
	}
	defer h.people.changing.letGo()
	if h.people.leaving[by.ID] > 0 {
		return store.ErrNone
	}
	err := h.store.Saw(ctx, by.ID, now)
	h.people.mu.Lock()
	if a, ok := h.people.known[by.ID]; ok { // where it could not be written it is not tried with every request
		seen := &remembered{Account: a.Account}
		seen.Seen = now
		seen.used.Store(true)
		h.people.known[by.ID] = seen
	}
	h.people.mu.Unlock()
	if err != nil && !errors.Is(err, store.ErrNone) {
		h.trouble(ctx, notNoted, err)
		return nil
	}
	if err == nil && h.several() { // whoever deletes them elsewhere may not have seen that they are here
		a, err := h.readAccount(ctx, by.ID)
		if err == nil && h.leaves(&a) {
			err = store.ErrNone
		}
		return err
	}
	return err
}

// forgetGuests goes on through the guests who are missed, some in each sweep.
func (h *Hall) forgetGuests(ctx context.Context) {
	if h.forgetAfter <= 0 || !h.missed.mu.TryLock() {
		return
	}
	defer h.missed.mu.Unlock()
	if err := h.rouse(ctx); err != nil {
		h.trouble(ctx, noGuests, err)
		return
	}
	now := h.atWork()
	if now.Before(h.missed.next) {
		return
	}
	since := now.Add(-h.forgetAfter)
	list, err := h.store.Unseen(ctx, since, h.missed.last, mostMissed)
	if err != nil {
		h.trouble(ctx, noGuests, err)
		return
	}
	h.fine(noGuests)
	for _, p := range list {
		if ctx.Err() != nil {
			return
		}
		h.missed.last = p
		if err := h.miss(ctx, p.ID, since); err != nil && !errors.Is(err, store.ErrNone) {
			h.trouble(ctx, "a guest who does not come back is not forgotten", err)
		}
	}
	if len(list) < mostMissed {
		h.missed.last, h.missed.next = store.Account{}, now.Add(missEvery)
	}
}

// miss deletes a guest who was not seen since a time and has no game.
func (h *Hall) miss(ctx context.Context, id string, since time.Time) error {
	a, err := h.readAccount(ctx, id)
	if err != nil {
		return err
	}
	if a.Program || a.Member != 0 { // it goes with its owner; a member's name is kept for them
		return h.store.Saw(ctx, id, time.Time{})
	}
	idle := func(a *Account) (bool, error) {
		if !a.Seen.Before(since) {
			return false, nil
		}
		for _, one := range append([]string{a.ID}, a.Programs...) {
			if plays, err := h.plays(ctx, one); err != nil || plays {
				return false, err
			}
		}
		return true, nil
	}
	if yes, err := idle(&a); err != nil || !yes {
		return err
	}
	return h.deleteIf(ctx, id, idle)
}

// plays tells whether somebody sits at a table, whether its game goes on or is
// over.
func (h *Hall) plays(ctx context.Context, id string) (bool, error) {
	sitting, err := h.store.Sitting(ctx, id, 1)
	if err != nil || len(sitting) > 0 {
		return true, err
	}
	played, err := h.store.Played(ctx, id, 0, 1)
	return len(played) > 0, err
}
