package hall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"copse/game"
	"copse/store"
	"copse/table"
)

// Sight is a table as somebody sees it now, with who is at it.
type Sight struct {
	Table   string      `json:"table"`
	You     *game.Seat  `json:"you,omitempty"` // where the viewer sits; watchers sit nowhere
	Look    *table.Look `json:"look"`
	Who     []*Who      `json:"who"` // seat by seat; null for nobody, a bot, or somebody who is no more
	Present Present     `json:"present"`
	Chat    int         `json:"chat"`           // the number of the next line
	Next    string      `json:"next,omitempty"` // the table of the rematch
	Kept    *game.Seat  `json:"kept,omitempty"` // at the table of a rematch: the empty seat that is kept for the viewer, who sits down there by naming none

	Sides *Sides `json:"sides,omitempty"` // of a game of both sides

	Rated *RatedGame `json:"rated,omitempty"` // what a rated game that is over did to ratings; seat by seat only for those who sat there

	// Invite is what a person must bring to sit down, since the host has sent
	// somebody away: a link has it behind its #. Those at the table know it.
	Invite string `json:"invite,omitempty"`
}

// Viewer is the seat from which somebody sees the table, or a watcher.
func (s *Sight) Viewer() game.Seat {
	if s.You != nil {
		return *s.You
	}
	return game.Watcher
}

func (r *room) sight(by Account, viewer game.Seat) (*Sight, error) {
	who, err := r.who()
	if err != nil {
		return nil, err
	}
	s := &Sight{Table: r.id, Look: r.t.Look(viewer), Who: who, Present: r.present(), Chat: r.chat, Sides: r.sides(), Rated: r.rated}
	if viewer < 0 && r.rated != nil { // ratings of people who may not show them
		s.Rated = &RatedGame{Number: r.rated.Number, Why: r.rated.Why}
	}
	if viewer >= 0 {
		s.You, s.Invite = &viewer, r.t.Invite()
	} else if seat := r.kept(by); seat >= 0 && !r.t.Begun() && s.Look.People.Seats[seat].Held == table.Nobody {
		s.Kept = &seat
	}
	return s, nil
}

// kept is the seat that is kept for somebody after a rematch, game.None where none
// is.
func (r *room) kept(by Account) game.Seat {
	if by.ID == "" || len(r.private.Again) == 0 {
		return game.None
	}
	if seat := slices.Index(r.private.Again, by.at(r.id).String()); seat >= 0 {
		return game.Seat(seat)
	}
	return game.None
}

// see calls visit with a table as somebody may see it.
func (h *Hall) see(ctx context.Context, id string, by Account, visit func(r *room, viewer game.Seat) error) error {
	r, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	defer r.leave()
	h.people.note(by)
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	if _, err := r.skip(ctx); err != nil { // it is shown as it is written
		if r.gone { // it could not be read again: what is here is not what is written
			return err
		}
		h.log.Debug("a table cannot be told that the house was away", "table", id, "err", err)
	}
	viewer, err := r.viewer(by) // the table may have been read again
	if err != nil {
		return err
	}
	if viewer >= 0 {
		r.seen[viewer] = h.Now()
	}
	return visit(r, viewer)
}

// Look is a table as somebody sees it now.
func (h *Hall) Look(ctx context.Context, id string, by Account) (s *Sight, err error) {
	over := false
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) (err error) {
		over = r.t.Over()
		s, err = r.sight(by, viewer)
		return err
	})
	if err == nil && over {
		err = cmp.Or(h.findSides(ctx, id, &s.Sides), h.findNext(ctx, s))
	}
	return s, err
}

// findNext adds the table of the rematch, if there is one, to a finished game.
func (h *Hall) findNext(ctx context.Context, s *Sight) error {
	next := h.rematchID(s.Table)
	_, err := h.store.Table(ctx, next)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	s.Next = next
	return err
}

// At is a table as it was after an entry, as somebody sees it.
func (h *Hall) At(ctx context.Context, id string, by Account, number int) (l *table.Look, err error) {
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if number < 0 || number >= r.t.Len() {
			return game.Blame("server.entry", game.Args{"entry": number, "last": r.t.Len() - 1})
		}
		l = r.t.LookAt(number, viewer)
		return nil
	})
	return l, err
}

// mostTold is how many entries are told at once.
const mostTold = 200

// Since is what somebody is told of the entries from a number on, at most so
// many.
func (h *Hall) Since(ctx context.Context, id string, by Account, from, most int) (list []json.RawMessage, err error) {
	list = []json.RawMessage{}
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if from < 0 || from > r.t.Len() {
			return game.Blame("server.entry", game.Args{"entry": from, "last": r.t.Len() - 1})
		}
		for _, item := range r.t.Between(from, from+min(max(most, 0), mostTold), viewer) {
			form, err := r.form(nil, &item)
			if err != nil {
				return err
			}
			list = append(list, form)
		}
		return nil
	})
	return list, err
}

// Record is the game as somebody has lived through it.
func (h *Hall) Record(ctx context.Context, id string, by Account) (rec *table.Record, err error) {
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) (err error) {
		rec, err = r.t.Record(viewer)
		return err
	})
	return rec, err
}

// Position is the game as somebody may know it now, and the last entry that
// changed it.
func (h *Hall) Position(ctx context.Context, id string, by Account) (p game.Position, last int, err error) {
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if p, last = r.t.See(viewer), r.t.Last(); p == nil {
			return game.Refuse("", "table.lobby", nil)
		}
		return nil
	})
	return p, last, err
}

// Score is how the seats stand, and every point of it explained, as far as
// somebody may know.
func (h *Hall) Score(ctx context.Context, id string, by Account) (lines []game.SheetLine, standing *game.StandingJSON, err error) {
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		seen := r.t.See(viewer)
		if seen == nil {
			return game.Refuse("", "table.lobby", nil)
		}
		lines, standing = seen.Sheet(), r.t.Look(viewer).Standing
		return nil
	})
	return lines, standing, err
}

// Viewer is the seat from which somebody sees a table now, or a watcher.
func (h *Hall) Viewer(ctx context.Context, id string, by Account) (as game.Seat, err error) {
	err = h.see(ctx, id, by, func(_ *room, viewer game.Seat) error {
		as = viewer
		return nil
	})
	return as, err
}

// Export is a finished game.
func (h *Hall) Export(ctx context.Context, id string, by Account) (raw []byte, err error) {
	err = h.see(ctx, id, by, func(r *room, _ game.Seat) (err error) {
		raw, err = r.t.Export()
		return err
	})
	return raw, err
}

// Open are the tables that are open to everyone, the newest first, without those at which
// somebody sits from whom the asker is apart.
func (h *Hall) Open(ctx context.Context, by Account, game string, before int64, most int) ([]Summary, error) {
	apart, err := h.apartOf(ctx, by)
	if err != nil {
		return nil, err
	}
	var shown []store.Listing
	for len(shown) < most { // whoever goes on from the last one that is shown passes over none
		list, err := h.store.Listed(ctx, game, before, most)
		if err != nil {
			return nil, err
		}
		for i := range list {
			before = list[i].Serial
			ok, err := h.meets(ctx, apart, list[i].Sitting)
			if err != nil {
				return nil, err
			}
			if ok && len(shown) < most {
				shown = append(shown, list[i])
			}
		}
		if len(list) < min(most, store.MostListed) {
			break
		}
	}
	return h.summaries(ctx, shown, by, nil)
}

// Sitting are the tables at which somebody plays, first those where it is their
// turn.
func (h *Hall) Sitting(ctx context.Context, by Account, most int) ([]Summary, error) {
	list, err := h.store.Sitting(ctx, by.ID, most)
	return h.summaries(ctx, list, by, err)
}

// Summary is a table as nobody in particular sees it in lists, whether it is listed or
// not.
func (h *Hall) Summary(ctx context.Context, id string) (Summary, error) {
	l, err := h.store.Table(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	return h.summary(ctx, &l, nil, "")
}

// SitsAt is at how many tables somebody plays, at most so many.
func (h *Hall) SitsAt(ctx context.Context, by Account, most int) (int, error) {
	list, err := h.store.Sitting(ctx, by.ID, most)
	return len(list), err
}

// Played are the tables at which somebody played, the newest first.
func (h *Hall) Played(ctx context.Context, by Account, before int64, most int) ([]Summary, error) {
	list, err := h.store.Played(ctx, by.ID, before, most)
	return h.summaries(ctx, list, by, err)
}

func (h *Hall) summaries(ctx context.Context, list []store.Listing, by Account, err error) ([]Summary, error) {
	all := []Summary{}
	for i := range list {
		s, wrong := h.summary(ctx, &list[i], nil, by.ID)
		if wrong == nil && list[i].Over {
			wrong = h.findSides(ctx, s.Table, &s.Sides)
		}
		if wrong != nil {
			return nil, wrong
		}
		all = append(all, s)
	}
	return all, err
}
