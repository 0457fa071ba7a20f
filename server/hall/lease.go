package hall

import (
	"context"
	"maps"
	"sync"
	"time"

	"copse/store"
)

// Where a house has several nodes a bot thinks at one of them: where the last entry
// was appended, or where the table was claimed when it was due. The row says until
// when the others leave it alone; as long as the bot thinks, or waits for its turn,
// its node moves that time on. The bot of a node that is no more is due as soon as
// the time is over, and whoever claims the table lets it think.
//
// That is who does it, and no more: should two nodes think after all, since one was
// held up, the second to append loses by the number and says nothing.
const (
	botLease   = 3 * time.Second // how long a bot is left to the node that lets it think, and a table to the node that has claimed it
	renewUnder = 2 * time.Second // with less of it left it is moved on
)

// leases are the tables at which bots think or wait here, by when others look at
// them.
type leases struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (l *leases) set(table string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[string]time.Time{}
	}
	l.until[table] = until
}

func (l *leases) end(table string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.until, table)
}

func (l *leases) all() map[string]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.until)
}

// lets tells whether it is a bot that is waited for, and another node would look
// after it if this one did not.
func (r *room) lets() bool {
	if !r.hall.several() {
		return false
	}
	_, _, _, ok := r.t.Thinks()
	return ok
}

// grace is how long a bot has until it is asked again.
func (h *Hall) grace() time.Duration {
	if h.several() {
		return botLease
	}
	return botGrace
}

// due are the tables that want to be looked at by a time: where there are several
// nodes those that nobody else looks at.
func (h *Hall) due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	if !h.several() {
		return h.store.Due(ctx, by, most)
	}
	now := h.Now()
	return h.store.ClaimDue(ctx, by, now, now.Add(botLease), most)
}

// renew keeps other nodes from the bots that think here.
func (h *Hall) renew(ctx context.Context, all *sync.WaitGroup) {
	for id, until := range h.leases.all() {
		if until.Sub(h.Now()) < renewUnder {
			h.chore(ctx, all, "lease "+id, func(ctx context.Context) error { return h.renewAt(ctx, id) })
		}
	}
}

func (h *Hall) renewAt(ctx context.Context, id string) error {
	r, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	defer r.leave()
	if !r.thinking || r.charge != r.t.Len() || !r.lets() { // it is not ours any more
		h.leases.end(id)
		return nil
	}
	row := r.row
	row.Wake = h.Now().Add(botLease)
	if err := r.write(ctx, row); err != nil {
		return err
	}
	r.leased = true
	h.leases.set(id, row.Wake)
	return nil
}
