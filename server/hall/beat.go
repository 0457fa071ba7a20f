package hall

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// How often the house gives a beat, and how long it may be silent before that
// counts as an outage.
const (
	beatEvery      = 5 * time.Second
	longestSilence = 15 * time.Second
	aheadOfWall    = time.Minute // so far from the wall clock the operator is told
	offsetTold     = time.Second // so far from the clock of the store, likewise
)

// pulse is what a hall knows of the beat of its house.
type pulse struct {
	lock        // held while a beat is given
	begun  bool // house time is no earlier than the last beat of all
	warned bool // the operator knows that house time is ahead

	wrong  atomic.Pointer[error]          // why the last beat could not be given; nil where it was
	lost   atomic.Int64                   // how long the house was away in all, in nanoseconds
	offset atomic.Int64                   // how far the clock of this machine was ahead of the clock of the store, in nanoseconds
	last   atomic.Int64                   // house time of the last beat, in milliseconds; 0 before the first
	away   atomic.Pointer[[]table.Outage] // outages that a table may not know of yet, the earliest first
}

// outages are those that a table may not know of yet, the earliest first.
func (p *pulse) outages() []table.Outage {
	if list := p.away.Load(); list != nil {
		return *list
	}
	return nil
}

// back is when the last outage ended.
func (p *pulse) back() time.Time {
	if list := p.outages(); len(list) > 0 {
		return store.Time(int64(list[len(list)-1].To))
	}
	return time.Time{}
}

// between is how long the house was away between two moments, counting only outages
// that a table may not know of.
func (p *pulse) between(from, to time.Time) (away time.Duration) {
	for _, o := range p.outages() {
		begun, ended := store.Time(int64(o.From)), store.Time(int64(o.To))
		if begun.Before(from) {
			begun = from
		}
		if ended.After(to) {
			ended = to
		}
		away += max(ended.Sub(begun), 0)
	}
	return away
}

// Now is house time: see clock.
func (h *Hall) Now() time.Time { return h.clock.now() }

// atWork is the time at work: house time without all outages, as of the
// last beat: between two moments of it lies how long the house was there to be come to.
// It is no time of day.
func (h *Hall) atWork() time.Time { return h.Now().Add(-time.Duration(h.pulse.lost.Load())) }

// Begin makes house time go on from the last beat in the store, where the clock of
// the machine is behind it. A server calls it first.
func (h *Hall) Begin(ctx context.Context) error {
	if err := h.pulse.hold(ctx); err != nil {
		return err
	}
	defer h.pulse.letGo()
	return h.begin(ctx)
}

// begin does so once; the caller holds the lock.
func (h *Hall) begin(ctx context.Context) error {
	if h.pulse.begun {
		return nil
	}
	last, err := h.store.LastBeat(ctx)
	if err != nil {
		return err
	}
	if _, ok := h.store.(store.Clock); ok {
		now, err := h.storeTime(ctx)
		if err != nil {
			return err
		}
		h.clock.begin(now)
	}
	h.clock.reach(last)
	h.pulse.begun = true
	return nil
}

// ErrTime says that the clock of the store cannot be read: without it a node knows
// no time.
var ErrTime = errors.New("the store does not say what time it is")

// storeTime is what the clock of the store says.
func (h *Hall) storeTime(ctx context.Context) (time.Time, error) {
	now, err := h.store.(store.Clock).Time(ctx)
	if err != nil {
		return now, fmt.Errorf("%w: %w", ErrTime, err)
	}
	offset := h.clock.wall().Sub(now)
	if was := time.Duration(h.pulse.offset.Swap(int64(offset))); offset.Abs() >= offsetTold && was.Abs() < offsetTold {
		h.log.Warn("the clock of this machine is not that of the store, which counts: set it right", "offset", offset.Round(time.Millisecond))
	}
	return now, nil
}

// Offset is how far the clock of this machine was ahead of the clock of the store at
// the last beat; 0 where the store has none.
func (h *Hall) Offset() time.Duration { return time.Duration(h.pulse.offset.Load()) }

// follow has house time go on by the clock that counts, and says how far it is ahead
// of it.
func (h *Hall) follow(ctx context.Context) (time.Duration, error) {
	if _, ok := h.store.(store.Clock); !ok {
		return h.clock.follow(), nil
	}
	now, err := h.storeTime(ctx)
	if err != nil {
		return 0, err
	}
	return h.clock.keep(now), nil
}

// Beat says once that the house is at work. A silence before it that was too long
// was an outage, and from now on every table is told of it before anything else
// happens there.
func (h *Hall) Beat(ctx context.Context) error {
	longest := longestAppend
	if h.several() {
		longest = longestShared
	}
	ctx, done := context.WithTimeout(ctx, longest)
	defer done()
	if err := h.pulse.hold(ctx); err != nil {
		return err
	}
	defer h.pulse.letGo()
	return h.beat(ctx)
}

func (h *Hall) beat(ctx context.Context) (err error) {
	defer func() {
		if h.pulse.wrong.Store(nil); err != nil {
			h.pulse.wrong.Store(&err)
		}
	}()
	if err := h.begin(ctx); err != nil {
		return err
	}
	ahead, err := h.follow(ctx)
	if err != nil {
		return err
	}
	if ahead >= aheadOfWall && !h.pulse.warned {
		h.log.Warn("the clock of this machine or of the store was set back, or was ahead once: time runs on here as if it had not been", "ahead", ahead.Round(time.Second))
	}
	h.pulse.warned = ahead >= aheadOfWall
	now := h.clock.now()
	last, err := h.store.Beat(ctx, now, longestSilence)
	if err != nil {
		return err
	}
	h.clock.reach(last) // another node is ahead
	lost, err := h.store.Away(ctx)
	if err != nil {
		return err
	}
	kept, err := h.store.Outages(ctx, time.Time{})
	if err != nil {
		return err
	}
	list := make([]table.Outage, len(kept))
	for i, o := range kept {
		list[i] = table.Outage{From: table.At(o.From), To: table.At(o.Until)}
	}
	if n := len(kept) - 1; n >= 0 && list[n].To == table.At(now) && list[n].To > table.At(h.pulse.back()) { // this beat has found it
		h.log.Warn("the house was away; no clock ran", "from", kept[n].From.UTC(), "until", kept[n].Until.UTC())
	}
	h.pulse.lost.Store(int64(lost))
	h.pulse.away.Store(&list)
	h.pulse.last.Store(max(int64(table.At(last)), int64(table.At(now))))
	return nil
}

// rouse gives a beat where the last one is so long ago that the house was away. It
// comes before everything that asks what time it is at a table.
func (h *Hall) rouse(ctx context.Context) error {
	if !h.silent() {
		return nil
	}
	if err := h.pulse.hold(ctx); err != nil {
		return err
	}
	defer h.pulse.letGo()
	if !h.silent() { // somebody else was first
		return nil
	}
	ctx, done := h.patiently(ctx)
	defer done()
	return h.beat(ctx)
}

// silent tells whether the last beat is too long ago, or there was none yet.
func (h *Hall) silent() bool { return h.silentAt(h.Now()) }

func (h *Hall) silentAt(t time.Time) bool {
	return int64(table.At(t))-h.pulse.last.Load() > longestSilence.Milliseconds()
}

// beats gives beats until the context ends or the hall is stopped.
func (h *Hall) beats(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	defer h.resign(ctx)
	for {
		if err := h.Beat(ctx); err != nil {
			h.trouble(ctx, noBeat, err)
		} else {
			h.fine(noBeat)
			h.enrol(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-h.life.Done():
			return
		case <-tick.C:
		}
	}
}

// skip makes the outages since the last entry count for nobody at the table. It
// comes before anybody is shown the table, moves at it or runs out of time.
//
// It is the moment at which the house was at work and the table knew of all outages.
// What is decided then is decided as of that moment: should the house fall silent
// right after it, because the disk is slow or the machine stands still, that is
// nobody's time either.
func (r *room) skip(ctx context.Context) (now time.Time, err error) {
	h := r.hall
	for range mostTries {
		if err := h.rouse(ctx); err != nil {
			return h.Now(), err
		}
		if now = h.Now(); h.silentAt(now) { // already again
			continue
		}
		if !h.pulse.back().After(store.Time(int64(r.t.At()))) || r.t.Over() {
			return now, nil
		}
		entries, err := r.t.Decide(table.Skip{Outages: h.pulse.outages()}, table.At(now))
		var refusal *game.Refusal
		if errors.As(err, &refusal) || err == nil && len(entries) == 0 {
			return now, nil // an outcome must follow first, and no clock runs until then; or nobody minds
		}
		if err == nil {
			_, err = r.carry(ctx, entries, Account{}, store.Once{})
		}
		var conflict *store.Conflict
		if err != nil && !errors.As(err, &conflict) {
			return now, err
		}
	}
	return now, game.Refuse("", "server.busy", nil)
}
