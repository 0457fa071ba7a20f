package hall

import (
	"context"
	"time"

	"copse/game"
	"copse/news"
)

// Present is who is connected.
type Present struct {
	Seats    []game.Seat `json:"seats"`
	Watchers int         `json:"watchers"` // streams of those who sit nowhere
}

func (r *room) present() Present {
	p := Present{Seats: []game.Seat{}}
	sits := map[string]bool{}
	for seat, account := range r.accounts[:r.t.Settings().Seats] {
		if account != "" && r.streams[account] > 0 {
			p.Seats = append(p.Seats, game.Seat(seat))
			sits[account] = true
		}
	}
	for account, n := range r.streams {
		if !sits[account] {
			p.Watchers += n
		}
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
			if r.streams == nil {
				r.streams = map[string]int{}
			}
			r.streams[by.ID]++
			s, next = r.sight(viewer), r.t.Len()
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
	if err != nil {
		return // a table that is not open has nobody who looks on
	}
	defer r.leave()
	if r.streams[by.ID] == 0 {
		return // it was closed and opened again since
	}
	if r.streams[by.ID]--; r.streams[by.ID] == 0 {
		delete(r.streams, by.ID)
	}
	if seat := r.t.SeatOf(by.at(id)); seat >= 0 {
		r.seen[seat] = h.Now()
	}
	r.tellPresent()
}
