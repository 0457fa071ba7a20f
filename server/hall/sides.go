package hall

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// Both sides (table/sides.go) are a row of tables. Which table comes next follows
// from the ID of the one before, and what is needed to set it is kept beside that
// one's log. It is set by a job that is written together with the end of the game, at
// any node: the append that sets the table is the fence, so it is set once. The
// furthest table of the row knows what all the games before it came to; whoever asks
// at an earlier one is told what the index says of the furthest.

// Sides is how a table of both sides belongs to the others.
type Sides struct {
	Games  []SideGame    `json:"games"`            // those that were set, the first one first, this one among them
	Result []table.Place `json:"result,omitempty"` // the one result, once no other game follows: seat by seat of this table
}

// SideGame is one of the games.
type SideGame struct {
	Table  string `json:"table"`
	Totals []int  `json:"totals,omitempty"` // once it is over: what everyone scored, by where they sit at this table
}

// before is a game of both sides that came before another, by the seats of that one.
type before struct {
	Table string `json:"table"`
	table.Side
}

// sideID is the ID of the table of the game that follows one of both sides: always
// the same one, so that it is set once.
func (h *Hall) sideID(id string) string {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("copse side 1\n" + id))
	return letters.EncodeToString(mac.Sum(nil))[:12]
}

// sides is how the table belongs to the others, as far as it knows: those that follow
// it does not know. It is nil for a game on its own.
func (r *room) sides() *Sides {
	if r.t.Settings().Side == 0 {
		return nil
	}
	s, games := &Sides{}, []table.Side{}
	for _, b := range r.private.Before {
		s.Games = append(s.Games, SideGame{b.Table, b.Totals})
		games = append(games, b.Side)
	}
	own, played := r.t.Side()
	s.Games = append(s.Games, SideGame{r.id, own.Totals})
	if played && !r.t.Follows() {
		s.Result = table.Together(append(games, own))
	}
	return s
}

// turned is the same by the seats of a table so many games further on, or earlier.
func (s *Sides) turned(games int) *Sides {
	side := table.Side{}
	now := &Sides{}
	for _, g := range s.Games {
		side.Totals = g.Totals
		now.Games = append(now.Games, SideGame{g.Table, side.Turned(games).Totals})
	}
	for seat := range s.Result {
		n := len(s.Result)
		now.Result = append(now.Result, s.Result[((seat-games)%n+n)%n])
	}
	return now
}

// furthest is what the furthest table of the row knows, by the seats of a table that
// knows s by itself.
func (h *Hall) furthest(ctx context.Context, id string, s *Sides) (*Sides, error) {
	own := len(s.Games)
	for {
		id = h.sideID(id)
		l, err := h.store.Table(ctx, id)
		if errors.Is(err, store.ErrNone) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		var a about
		if err := json.Unmarshal(l.About, &a); err != nil {
			return s, fmt.Errorf("what the index says of table %s cannot be read: %w", id, err)
		}
		if a.Sides == nil {
			return s, fmt.Errorf("the index does not say that table %s follows another", id)
		}
		s = a.Sides.turned(own - len(a.Sides.Games))
	}
}

// findSides has a finished table say what the furthest of the row knows, if that may
// be more than it knows itself.
func (h *Hall) findSides(ctx context.Context, id string, s **Sides) (err error) {
	if *s != nil && (*s).Result == nil {
		*s, err = h.furthest(ctx, id, *s)
	}
	return err
}

// jobs are what is to be done when the game is over.
func (r *room) jobs() []store.Job {
	at := store.Time(int64(r.t.At()))
	list := []store.Job{{Kind: packing, Name: r.id, Due: at}}
	if r.t.Settings().Side > 0 {
		list = append(list, store.Job{Kind: following, Name: r.id, Due: at})
	}
	return list
}

// followUp does what is to be done when a game of both sides is over: it sets the one
// that follows, if any does, and tells those who look on at all of them how they
// stand. It may be done again: what is there already stays.
func (h *Hall) followUp(ctx context.Context, id string) error {
	r, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	next, people, err := r.successor(ctx)
	known := r.sides()
	r.leave()
	if err != nil {
		return err
	}
	if next != nil {
		if err := next.settle(ctx, people); err != nil {
			return err
		}
	}
	all, err := h.furthest(ctx, id, known)
	if err != nil {
		return err
	}
	for i, g := range all.Games {
		h.publishState(news.Table(g.Table), "sides", SidesNews{g.Table, all.turned(i + 1 - len(known.Games))})
	}
	return nil
}

// successor is the table of the game that follows, not written yet, with the people
// at it; nil where none follows, or nobody is left to play it.
func (r *room) successor(ctx context.Context) (next *room, people []Account, err error) {
	h := r.hall
	if err := r.catchUp(ctx); err != nil || !r.t.Follows() {
		return nil, nil, err
	}
	next = &room{hall: h, id: h.sideID(r.id)}
	seats := r.t.Settings().Seats
	who := make([]table.Person, seats)
	next.private = private{Box: r.private.Box, Zone: r.private.Zone, owned: true}
	for seat, id := range r.accounts[:seats] {
		if id == "" {
			continue
		}
		a, err := h.Account(ctx, id)
		if err == nil {
			a, err = h.answering(ctx, next.id, a)
		}
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		people = append(people, a)
		to := (seat + 1) % seats
		who[seat] = a.at(next.id)
		next.accounts[to], next.private.Owners[to] = id, a.owner
	}
	var deal table.Deal
	if h.deal != nil {
		deal = h.deal(next.id)
	}
	t, err := r.t.Follow(r.private.Later, func(seat game.Seat) table.Person { return who[seat] }, deal, h.now())
	if errors.Is(err, table.ErrNobody) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	next.t = t
	next.private.Secret, next.private.Later = r.private.Later[0], r.private.Later[1:]
	own, _ := r.t.Side()
	for _, b := range append(r.private.Before[:len(r.private.Before):len(r.private.Before)], before{r.id, own}) {
		next.private.Before = append(next.private.Before, before{b.Table, b.Turned(1)})
	}
	return next, people, nil
}

// settle writes a table at which the game has begun, with papers, lets its bots begin, and tells those who
// sit at it.
func (r *room) settle(ctx context.Context, people []Account, papers ...store.Paper) error {
	h := r.hall
	row, _ := r.list()
	a := store.Append{Table: r.id, At: store.Time(int64(r.t.At())), Entries: r.t.Log(), Row: &row, Box: r.t.Keep().Box, Papers: papers}
	if r.t.Over() {
		a.Jobs = r.jobs()
	} else {
		a.Jobs = r.chimeJobs(ctx, turnNow{})
	}
	_, err := r.append(ctx, a)
	var conflict *store.Conflict
	first := errors.As(err, &conflict) || errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrOver) // somebody else was
	if err != nil && !first {
		return err
	}
	for _, a := range people { // whoever deletes them may not have seen them here
		err := h.stays(ctx, a.ID)
		if errors.Is(err, store.ErrNone) {
			err = h.each(ctx, []string{r.id}, func(there *room) error { return there.giveUp(ctx, a) })
		} else if err == nil {
			err = h.outIfBanned(ctx, a, r.id)
		}
		if err != nil {
			return err
		}
	}
	if err := h.wakeUp(ctx, r.id); err != nil {
		return err
	}
	return h.each(ctx, []string{r.id}, func(there *room) error {
		there.tellLists(nil, everywhere)
		return nil
	})
}
