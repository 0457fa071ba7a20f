package hall

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"copse/game"
	"copse/news"
	"copse/store"
)

// crowd is who looks on at tables. It is kept apart from the rooms: whoever looks
// on does not notice that a room is thrown away and opened again.
type crowd struct {
	mu    sync.Mutex
	at    map[string]*onlookers // by table; none without anybody
	quiet map[string]*quiet     // by table at which it was told not long ago who is there
}

// onlookers are those who look on at one table.
type onlookers struct {
	by     map[string]int // by account through how many streams; "" for those without an account
	hidden map[string]int // likewise, of those whose page nobody looks at
	next   int            // the number of the first entry that they were not told
	line   int            // the number of the first line of chat that they were not told
}

// quiet is a time in which the hall does not tell again who is at a table.
type quiet struct {
	owed bool // somebody came or went meanwhile: it is told afterwards
}

// join adds somebody who looks on at a table that has so many entries and lines of
// chat.
func (c *crowd) join(table string, by Account, entries, lines int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[table] == nil {
		c.at[table] = &onlookers{by: map[string]int{}, next: entries, line: lines}
	}
	c.at[table].by[by.ID]++
	if by.Hidden {
		if c.at[table].hidden == nil {
			c.at[table].hidden = map[string]int{}
		}
		c.at[table].hidden[by.ID]++
	}
}

func (c *crowd) part(table string, by Account) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.at[table]
	if all == nil {
		return
	}
	if n := all.hidden[by.ID]; by.Hidden && n > 1 {
		all.hidden[by.ID] = n - 1
	} else if by.Hidden {
		delete(all.hidden, by.ID)
	}
	if n := all.by[by.ID]; n > 1 {
		all.by[by.ID] = n - 1
		return
	}
	if delete(all.by, by.ID); len(all.by) == 0 {
		delete(c.at, table)
	}
}

// of is who looks on at a table.
func (c *crowd) of(table string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[table] == nil {
		return nil
	}
	return maps.Clone(c.at[table].by)
}

// ofHidden is who follows a table and does not look.
func (c *crowd) ofHidden(table string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[table] == nil {
		return nil
	}
	return maps.Clone(c.at[table].hidden)
}

// tell says from which entry on those who look on must be told of a table that has
// so many entries, and takes them as told; so many where nobody looks on.
func (c *crowd) tell(table string, entries int) (from int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.at[table]
	if all == nil {
		return entries
	}
	from, all.next = all.next, entries
	return from
}

// none tells whether nobody looks on at a table.
func (c *crowd) none(table string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at[table] == nil
}

// due tells whether the hall may tell now who is at a table. If not, it is owed,
// and told when the quiet time is over.
func (c *crowd) due(table string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.quiet[table]; p != nil {
		p.owed = true
		return false
	}
	c.quiet[table] = &quiet{}
	return true
}

// quietOver ends a quiet time and tells whether something is owed: then the next
// one has begun.
func (c *crowd) quietOver(table string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.quiet[table]
	if !p.owed || c.at[table] == nil { // or there is nobody to be told
		delete(c.quiet, table)
		return false
	}
	p.owed = false
	return true
}

// owe makes the hall tell once more, since it could not.
func (c *crowd) owe(table string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.quiet[table]; p != nil {
		p.owed = true
	}
}

// Present is who is connected.
type Present struct {
	Seats    []game.Seat `json:"seats"`
	Watchers int         `json:"watchers"` // streams of those who sit nowhere
}

func (r *room) present() Present {
	p := Present{Seats: []game.Seat{}}
	crowd := r.hall.everybody(r.id)
	for seat, account := range r.accounts[:r.t.Settings().Seats] {
		if account != "" && crowd[account] > 0 {
			p.Seats = append(p.Seats, game.Seat(seat))
			delete(crowd, account)
		}
	}
	for _, n := range crowd {
		p.Watchers += n
	}
	return p
}

// usualQuiet is how long it takes until the hall may tell again who is at a table:
// however many come and go, everyone hears of it once in that time.
const usualQuiet = time.Second

// tellPresent tells everyone who is connected: now, or when the quiet time is over.
// The room is locked.
func (r *room) tellPresent() {
	if r.hall.crowd.due(r.id) {
		r.publishPresent()
		r.hall.afterQuiet(r.id)
	}
}

func (r *room) publishPresent() {
	r.hall.tell(stateItem(news.Table(r.id), "present", Here{r.id, r.present()}))
}

// afterQuiet waits until the quiet time is over, and tells who is at a table if
// that is owed.
func (h *Hall) afterQuiet(id string) {
	time.AfterFunc(h.quiet, func() {
		if !h.crowd.quietOver(id) {
			return
		}
		h.start(func() {
			ctx, done := context.WithTimeout(h.life, partTime)
			defer done()
			r, err := h.enter(ctx, id)
			switch {
			case err == nil:
				r.publishPresent()
				r.leave()
			case !errors.Is(err, store.ErrNone):
				h.crowd.owe(id) // the last is always told
			}
			h.afterQuiet(id)
		})
	})
}

// Follow begins to look on: it shows the table at the moment from which on
// everything arrives at the reader. Whoever follows must Part in the end.
func (h *Hall) Follow(ctx context.Context, id string, by Account, reader news.Reader) (*Sight, error) {
	joined := false
	s, err := h.watch(ctx, id, by, reader, func(r *room) {
		joined = true
		h.crowd.join(id, by, r.t.Len(), r.chat)
	})
	if err != nil {
		if joined {
			h.Part(id, by)
		}
		return nil, err
	}
	h.tellNodes(id)
	h.tellPresent(ctx, id)
	return s, nil
}

// Resume goes on looking on with another reader, for somebody who follows.
func (h *Hall) Resume(ctx context.Context, id string, by Account, reader news.Reader) (*Sight, error) {
	return h.watch(ctx, id, by, reader, func(*room) {})
}

func (h *Hall) watch(ctx context.Context, id string, by Account, reader news.Reader, here func(*room)) (s *Sight, err error) {
	over := false
	_, err = reader.Watch(news.Table(id), func() (next int, err error) {
		err = h.see(ctx, id, by, func(r *room, viewer game.Seat) (err error) {
			here(r)
			next, over = r.t.Len(), r.t.Over()
			s, err = r.sight(by, viewer)
			return err
		})
		return next, err
	})
	if err == nil && over {
		err = h.findSides(ctx, id, &s.Sides)
	}
	if err == nil && over && h.several() { // that there is one may have been told to nobody here
		err = h.findNext(ctx, s)
	}
	return s, err
}

// tellPresent tells everyone who is connected, as soon as that may be told. It
// enters the room only where it may be told now.
func (h *Hall) tellPresent(ctx context.Context, id string) {
	if h.crowd.due(id) {
		h.presentNow(ctx, id)
	}
}

// presentNow tells everyone who is connected, and begins a quiet time.
func (h *Hall) presentNow(ctx context.Context, id string) {
	if r, err := h.enter(ctx, id); err == nil {
		r.publishPresent()
		r.leave()
	} else {
		h.crowd.owe(id)
	}
	h.afterQuiet(id)
}

// partTime is how long Part waits for the room. A server that stops waits for all who
// part.
const partTime = 3 * time.Second

// Part ends looking on.
func (h *Hall) Part(id string, by Account) {
	ctx, done := context.WithTimeout(context.Background(), partTime)
	defer done()
	if by.ID == "" { // they sit nowhere
		h.crowd.part(id, by)
		h.tellNodes(id)
		h.tellPresent(ctx, id)
		return
	}
	r, err := h.enter(ctx, id)
	h.crowd.part(id, by)
	h.tellNodes(id)
	if err != nil { // they are gone all the same
		h.tellPresent(ctx, id)
		return
	}
	defer r.leave()
	if seat := r.t.SeatOf(by.at(id)); seat >= 0 {
		r.seen[seat] = h.Now()
	}
	r.tellPresent()
}
