package hall

import (
	"context"
	"maps"
	"sync"
	"time"

	"copse/game"
	"copse/news"
)

// crowd is who looks on at tables. It is kept beside the rooms: whoever looks on
// does not notice that a room is thrown away and opened again.
type crowd struct {
	mu sync.Mutex
	at map[string]map[string]int // by table and account through how many streams; "" for those without an account
}

func (c *crowd) join(table, account string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[table] == nil {
		c.at[table] = map[string]int{}
	}
	c.at[table][account]++
}

func (c *crowd) part(table, account string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.at[table]
	if n := all[account]; n > 1 {
		all[account] = n - 1
		return
	}
	if delete(all, account); len(all) == 0 {
		delete(c.at, table)
	}
}

// of is who looks on at a table.
func (c *crowd) of(table string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.at[table])
}

// none tells whether nobody looks on at a table.
func (c *crowd) none(table string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.at[table]) == 0
}

// Present is who is connected.
type Present struct {
	Seats    []game.Seat `json:"seats"`
	Watchers int         `json:"watchers"` // streams of those who sit nowhere
}

func (r *room) present() Present {
	p := Present{Seats: []game.Seat{}}
	crowd := r.hall.crowd.of(r.id)
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

func (r *room) tellPresent() {
	r.hall.publish(news.Table(r.id), "present", Here{r.id, r.present()})
}

// Follow begins to look on: what it shows is the table at the moment from which
// on everything arrives at the reader. Whoever follows must part.
func (h *Hall) Follow(ctx context.Context, id string, by Account, reader news.Reader) (s *Sight, err error) {
	_, err = reader.Watch(news.Table(id), func() (next int, err error) {
		err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
			h.crowd.join(id, by.ID)
			s, next = r.sight(by, viewer), r.t.Len()
			return nil
		})
		return next, err
	})
	if err != nil {
		if s != nil {
			h.Part(id, by)
		}
		return nil, err
	}
	h.tellPresent(ctx, id)
	return s, nil
}

// tellPresent tells everyone who is connected now.
func (h *Hall) tellPresent(ctx context.Context, id string) {
	if r, err := h.enter(ctx, id); err == nil {
		r.tellPresent()
		r.leave()
	}
}

// partTime is how long somebody who goes waits to be taken note of.
const partTime = 10 * time.Second

// Part ends to look on.
func (h *Hall) Part(id string, by Account) {
	ctx, done := context.WithTimeout(context.Background(), partTime)
	defer done()
	r, err := h.enter(ctx, id)
	h.crowd.part(id, by.ID)
	if err != nil {
		return // they are gone all the same
	}
	defer r.leave()
	if seat := r.t.SeatOf(by.at(id)); seat >= 0 {
		r.seen[seat] = h.Now()
	}
	r.tellPresent()
}
