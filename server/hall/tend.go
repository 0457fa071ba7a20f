package hall

import (
	"context"
	"errors"
	"sync"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// How often the hall looks after itself, and what it looks for.
const (
	tendEvery   = time.Second
	sweepEvery  = 15 * time.Second
	mostDue     = 200
	idleRoom    = 15 * time.Minute // a room in which nothing happens is closed
	idleOver    = time.Minute      // likewise, where the game is over
	outOfReach  = 3 * time.Minute  // who is away so long from a live game is played for
	outOfLobby  = 10 * time.Minute // who is away so long before a live game that is open to all gives the seat free
	packing     = "pack"           // the kind of job that packs a finished log
	following   = "follow"         // the kind of job that sets the game that follows one of both sides
	packingTime = time.Minute
)

// What may go wrong for long.
const (
	noJobs     = "no jobs can be had"
	nothingDue = "nobody knows which tables are due"
	noNode     = "this node cannot say that it serves: operators do not see it"
	noBeat     = "the house cannot say that it is at work: until it can, no clock runs"
	notNoted   = "it cannot be written down that somebody is here"
	noGuests   = "nobody knows which guests do not come back"
	notSeen    = "nobody knows who looks on at a table at other nodes"
	noHeads    = "nobody knows whether news of other nodes is missing"
)

// Run looks after the tables until the context ends or the hall is stopped.
func (h *Hall) Run(ctx context.Context) {
	h.start(func() { h.beats(ctx) })
	if h.several() {
		h.start(func() { h.signs(ctx) })
		h.start(func() { h.seeks(ctx) })
	} else {
		h.wakeUntil(ctx, h.Now().Add(botGrace)) // bots that were to move when the server stopped; where there are other nodes they may think there
	}
	tick, sweep := time.NewTicker(tendEvery), time.NewTicker(sweepEvery)
	defer tick.Stop()
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.life.Done():
			return
		case <-tick.C:
			h.tend(ctx)
		case <-sweep.C:
			h.sweep(ctx)
		}
	}
}

// Tend does once what is due: it looks at tables that want it, and packs finished
// logs. It waits until that is done.
func (h *Hall) Tend(ctx context.Context) { h.tend(ctx).Wait() }

// tend begins to do what is due. Whoever waits for the result waits for all of it.
func (h *Hall) tend(ctx context.Context) *sync.WaitGroup {
	all := h.wakeUntil(ctx, h.Now())
	h.renew(ctx, all)
	h.chore(ctx, all, "peace", h.KeepPeace)
	err := h.jobs(ctx, all, packing, h.pack, "a finished game is not packed")
	if err == nil {
		err = h.jobs(ctx, all, following, h.followUp, "the game that follows another is not set")
	}
	if err == nil {
		err = h.chimes(ctx, all)
	}
	if err != nil {
		h.trouble(ctx, noJobs, err)
		return all
	}
	h.fine(noJobs)
	return all
}

// jobs begins to do the jobs of a kind that are due.
func (h *Hall) jobs(ctx context.Context, all *sync.WaitGroup, kind string, do func(ctx context.Context, table string) error, undone string) error {
	asking, done := context.WithTimeout(ctx, choreTime)
	defer done()
	jobs, err := h.store.Claim(asking, kind, h.Now(), h.Now().Add(packingTime), mostDue)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		h.chore(ctx, all, kind+" "+job.Name, func(ctx context.Context) error {
			err := do(ctx, job.Name)
			if err == nil || errors.Is(err, store.ErrNone) {
				err = h.store.Finish(ctx, job)
			}
			if err != nil && !errors.Is(err, store.ErrNone) {
				h.trouble(ctx, undone, err, "table", job.Name)
				return err
			}
			return nil
		})
	}
	return nil
}

// chore starts a chore, one of several that somebody may wait for. It has not failed
// where another node was quicker: what is still to be done can be done at once.
func (h *Hall) chore(ctx context.Context, all *sync.WaitGroup, name string, do func(context.Context) error) {
	all.Add(1)
	h.chores.add(ctx, h, name, all.Done, func(ctx context.Context) error {
		if err := do(ctx); !quicker(err) {
			return err
		}
		return nil
	})
}

// quicker tells whether something was not written since another node has written
// something else.
func quicker(err error) bool {
	var conflict *store.Conflict
	return errors.As(err, &conflict)
}

// wakeUntil begins to look at every table that wants it by a time. Tables that are
// stuck stay due; the limit does not count them.
func (h *Hall) wakeUntil(ctx context.Context, by time.Time) *sync.WaitGroup {
	all := &sync.WaitGroup{}
	asking, done := context.WithTimeout(ctx, choreTime)
	defer done()
	list, err := h.due(asking, by, min(mostDue+h.chores.skipped(h.Now()), store.MostListed))
	if err != nil {
		h.trouble(ctx, nothingDue, err)
		return all
	}
	h.fine(nothingDue)
	for _, l := range list {
		h.chore(ctx, all, "wake "+l.ID, func(ctx context.Context) error {
			err := h.wakeUp(ctx, l.ID)
			if err != nil && !quicker(err) && !errors.Is(err, store.ErrNone) {
				h.trouble(h.life, "a table cannot be looked at", err, "table", l.ID)
				return err
			}
			return nil
		})
	}
	return all
}

// wakeUp does at one table what is due.
func (h *Hall) wakeUp(ctx context.Context, id string) error {
	r, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	defer r.leave()
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	now, err := r.skip(ctx)
	if err != nil {
		return err
	}
	r.charge = r.t.Len()
	if r.t.Len() == 1 && !now.Before(r.later(store.Time(int64(r.t.At())).Add(emptyTable), now)) {
		next := r.t.Len()
		r.discard()
		return h.store.Drop(ctx, id, next) // unless somebody has come, at another node
	}
	if at, ok := r.t.Granted(); ok && table.At(now) >= at { // who is away is not asked any more
		if _, err := r.do(ctx, Account{}, table.Continue{}, store.Once{}); err != nil {
			return err
		}
	}
	if until, _, ok := r.t.Deadline(); ok && table.At(now) >= until {
		if _, err := r.do(ctx, Account{}, table.Timeout{}, store.Once{}); err != nil {
			return err
		}
	}
	r.kick()
	row, _ := r.list()
	if _, _, running := r.t.Deadline(); !running {
		row.Wake = r.later(row.Wake, now)
	}
	if r.thinking && !row.Wake.After(now) {
		row.Wake = now.Add(h.grace()) // its bot waits for its turn: others are not to wait until it is looked at
	}
	if row.Wake.After(now) || r.t.Over() {
		if row.Wake.Equal(r.row.Wake) || r.t.Over() {
			return nil
		}
		if err := r.write(ctx, row); err != nil {
			return err
		}
		if r.leased = r.thinking && r.lets(); r.leased {
			h.leases.set(id, row.Wake)
		}
		return nil
	}
	var refusal *game.Refusal
	if _, err := r.do(ctx, Account{}, table.Close{}, store.Once{}); !errors.As(err, &refusal) {
		return err
	}
	row, _ = r.list()
	row.Wake = now.Add(botGrace) // whatever it was, it is not to be asked every second
	return r.write(ctx, row)
}

// later is a time until which a table waits for people, put off by as long as the
// house was away since the last entry: nobody could come then.
func (r *room) later(until, now time.Time) time.Time {
	if until.IsZero() {
		return until
	}
	return until.Add(r.hall.pulse.between(store.Time(int64(r.t.At())), now))
}

// write has the index say something else without an entry.
func (r *room) write(ctx context.Context, row store.Row) error {
	_, err := r.append(ctx, store.Append{Table: r.id, Next: r.t.Len(), At: store.Time(int64(r.t.At())), Row: &row})
	if err != nil {
		return r.undo(ctx, err)
	}
	r.row = row
	return nil
}

// Sweep closes rooms in which nothing happens, keeps snapshots of long logs,
// replaces people who were out of reach for long by bots, deletes guests who do not
// come back, and tears up what was spent. It waits until that is done.
func (h *Hall) Sweep(ctx context.Context) { h.sweep(ctx).Wait() }

func (h *Hall) sweep(ctx context.Context) *sync.WaitGroup {
	all := &sync.WaitGroup{}
	h.chore(ctx, all, "guests", func(ctx context.Context) error {
		h.forgetGuests(ctx)
		return nil
	})
	h.chore(ctx, all, "papers", h.tearOverdue)
	h.mu.Lock()
	rooms := make([]*room, 0, len(h.rooms))
	for _, r := range h.rooms {
		rooms = append(rooms, r)
	}
	h.mu.Unlock()
	for _, r := range rooms {
		h.chore(ctx, all, "sweep "+r.id, func(ctx context.Context) error {
			r.sweep(ctx)
			return nil
		})
	}
	return all
}

// sweep does for one room what Sweep does for all. Where somebody is in the room
// there is nothing to do.
func (r *room) sweep(ctx context.Context) {
	h := r.hall
	select {
	case r.lock <- struct{}{}:
	default:
		return
	}
	if !r.gone && r.t != nil {
		r.absent(ctx)
	}
	idle := idleRoom
	if r.t != nil && r.t.Over() {
		idle = idleOver
	}
	shot, long := store.Snapshot{}, false
	if !r.gone && r.t != nil {
		shot, long = r.snapshot()
	}
	if !r.gone && !r.thinking && h.crowd.none(r.id) && h.Now().Sub(r.used) >= idle {
		r.discard()
	}
	r.leave()
	if long {
		h.save(ctx, r.id, shot)
	}
}

// absent replaces people who were out of reach for long of a game that is played at
// once, wherever they could have been reached.
func (r *room) absent(ctx context.Context) {
	if !r.t.Settings().Times().Near || r.t.Over() {
		return
	}
	now, err := r.skip(ctx)
	if err != nil {
		return
	}
	r.sawHere(ctx, now)
	if !r.hall.within() { // nobody knows who is at another node
		for seat := range r.seen {
			r.seen[seat] = now
		}
		return
	}
	if len(r.away(now)) == 0 {
		return
	}
	if r.hall.alone() && now.Sub(store.Time(int64(r.t.At()))) < 2*sawEvery { // the last to write may have written over what another node has seen
		return
	}
	if err := r.sawThere(ctx); err != nil {
		r.hall.trouble(ctx, notSeen, err, "table", r.id)
		return
	}
	for _, seat := range r.away(now) {
		at := r.t.People().Seats[seat]
		if at.Held != table.Human {
			continue
		}
		if _, err := r.do(ctx, Account{}, table.Leave{Person: *at.Person}, store.Once{}); err != nil {
			r.hall.log.Debug("somebody who is out of reach is not let go", "table", r.id, "seat", seat, "err", err)
		}
		if r.gone {
			return
		}
	}
}

// away are the seats of people who are out of reach for too long.
func (r *room) away(now time.Time) (seats []game.Seat) {
	for _, seat := range r.present().Seats {
		r.seen[seat] = now
	}
	set := r.t.Settings()
	long, people := outOfReach, r.t.People()
	switch {
	case people.Phase == "lobby" && set.Visible == table.ForAll:
		long = outOfLobby
	case people.Phase != "play" || present(people) < 2:
		return nil // who plays alone may take a walk
	}
	back := r.hall.pulse.back() // nobody was to be reached before
	for seat, at := range people.Seats {
		if at.Held == table.Human && now.Sub(r.seen[seat]) >= long && now.Sub(back) >= long {
			seats = append(seats, game.Seat(seat))
		}
	}
	return seats
}

// present is how many people play for themselves.
func present(people *table.People) (n int) {
	for _, at := range people.Seats {
		if at.Held == table.Human {
			n++
		}
	}
	return n
}
