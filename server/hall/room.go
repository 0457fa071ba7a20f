package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// room is an open table with who is at it. Only the holder of the lock may touch
// it.
type room struct {
	hall *Hall
	id   string
	lock chan struct{} // full while somebody is in
	gone bool          // it is in the hall no more: look again

	t         *table.Table // nil: not read yet
	accounts  [game.MaxSeats]string
	met       map[table.Person]string // the accounts of those who sat down here since the room was opened; never kept
	row       store.Row               // as it was written last
	shown     about                   // what lists show of it
	rated     *RatedGame              // what a rated game that is over did to ratings
	seating   *seating                // nil: to be written anew
	turnState turnState               // as of the last entry
	private   private
	chat      int // the number of the next line
	shot      int // how many entries the snapshot has that was saved last

	heard   inbox     // what other nodes have told of its log
	asked   bool      // how far the log goes, since the room was entered
	fork    *fork     // the room before it applied what is not written yet
	charge  int       // with so many entries it is this node that lets a bot think: it has appended the last one, or has claimed the table
	noted   time.Time // when it was written down who looks on here, because others may not hear it…
	notedAt int       // …and with how many entries
	leased  bool      // the row says until when another node leaves the bot to this one

	thinking bool // a bot does
	unnamed  bool // the names of those at the table are still to be told
	used     time.Time
	seen     [game.MaxSeats]time.Time // when the person of a seat last did anything, or was found to look on
}

// enter finds the room of a table, waits until nobody is in, and opens the table
// where it is not open yet. The caller must leave it.
func (h *Hall) enter(ctx context.Context, id string) (*room, error) {
	if !store.ValidID(id) {
		return nil, store.ErrNone
	}
	for {
		h.mu.Lock()
		r := h.rooms[id]
		if r == nil {
			r = &room{hall: h, id: id, lock: make(chan struct{}, 1)}
			h.rooms[id] = r
			h.live.Add(1)
		}
		h.mu.Unlock()
		if err := r.take(ctx); err != nil {
			return nil, err
		}
		if r.gone {
			r.leave()
			continue
		}
		r.used = h.Now()
		if r.t != nil {
			if r.unnamed {
				r.tellWho()
			}
			return r, nil
		}
		if err := r.open(ctx); err != nil {
			r.discard()
			r.leave()
			return nil, err
		}
		return r, nil
	}
}

// take waits until nobody is in. Mostly nobody is, and then nobody has to know either
// when the context ends.
func (r *room) take(ctx context.Context) error {
	select {
	case r.lock <- struct{}{}:
		return nil
	default:
	}
	select {
	case r.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave lets the next one in.
func (r *room) leave() {
	r.asked = false
	<-r.lock
}

// discard throws the room away: the next one to come reads the table anew. The hall
// still knows who looks on.
func (r *room) discard() {
	r.hall.mu.Lock()
	defer r.hall.mu.Unlock()
	if !r.gone {
		r.gone = true
		delete(r.hall.rooms, r.id)
		r.hall.live.Add(-1)
	}
}

// open reads the table, and makes what must follow from its log.
func (r *room) open(ctx context.Context) error {
	h, begun := r.hall, time.Now()
	listing, err := h.store.Table(ctx, r.id)
	if err != nil {
		return err
	}
	if err := r.read(ctx, listing); err != nil {
		return err
	}
	r.asked = true
	if r.retell(h.tell) {
		r.tellLists(nil, here)
	}
	r.unnamed = !h.crowd.none(r.id) // they may have been told something without names
	for seat := range r.seen {
		r.seen[seat] = h.Now()
	}
	if err := r.rise(ctx); err != nil {
		return err
	}
	if h.heed.Opened != nil {
		h.heed.Opened(time.Since(begun))
	}
	return nil
}

// read makes the table from its log.
func (r *room) read(ctx context.Context, listing store.Listing) error {
	h := r.hall
	kept, err := readPrivate(listing.Private)
	if err != nil {
		return fmt.Errorf("what is kept besides the log of table %s cannot be read: %w", r.id, err)
	}
	keep := table.Keep{Secret: kept.Secret}
	if kept.Box != "" {
		if keep.Box, err = h.store.Box(ctx, kept.Box); err != nil {
			return fmt.Errorf("the box of table %s: %w", r.id, err)
		}
	}
	t := r.restore(ctx, keep, listing.Next)
	if t == nil {
		if t, err = r.gather(ctx, keep); err != nil {
			return err
		}
	}
	if h.deal != nil {
		t.DealBy(h.deal(r.id))
	}
	r.t = t
	if err := r.know(ctx, listing); err != nil {
		return err
	}
	lines, err := h.store.Lines(ctx, r.id, 0, store.MostLines)
	if err != nil {
		return err
	}
	r.chat = 0
	if len(lines) > 0 {
		r.chat = lines[len(lines)-1].Number + 1
	}
	return nil
}

// know takes over what the index says of the table.
func (r *room) know(ctx context.Context, listing store.Listing) error {
	kept, err := readPrivate(listing.Private)
	if err != nil {
		return fmt.Errorf("what is kept besides the log of table %s cannot be read: %w", r.id, err)
	}
	r.private, r.row, r.turnState, r.seating = kept, listing.Row, unknown, nil
	if err := json.Unmarshal(listing.About, &r.shown); err != nil {
		return fmt.Errorf("what the index says of table %s: %w", r.id, err)
	}
	r.rated = r.shown.Rated
	r.accounts = [game.MaxSeats]string{}
	copy(r.accounts[:], listing.Sitting)
	if !kept.owned && !r.t.Over() {
		return r.findOwners(ctx)
	}
	return nil
}

// gather makes a table from its whole log.
func (r *room) gather(ctx context.Context, keep table.Keep) (*table.Table, error) {
	entries, err := r.hall.store.Read(ctx, r.id, 0)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, store.ErrNone
	}
	log := make([][]byte, len(entries))
	for i, e := range entries {
		log[i] = e.Body
	}
	r.shot = 0
	t, err := table.Open(r.hall.shelf, keep, log)
	if err != nil {
		return nil, fmt.Errorf("the log of table %s: %w", r.id, beyond(err))
	}
	return t, nil
}

// again reads the table anew after somebody else has written, or where nobody knows
// what was written. Those who look on stay, and are told what is new.
func (r *room) again(ctx context.Context) error {
	if r.hall.several() { // what is known is good, without what was not written
		r.back()
		err := r.ask(ctx, r.hall.news.Publish)
		if err != nil {
			r.discard()
		}
		return err
	}
	before := r.row
	listing, err := r.hall.store.Table(ctx, r.id)
	if err == nil {
		err = r.read(ctx, listing)
	}
	if err != nil {
		r.discard() // whoever opens it tells
		return err
	}
	if !sameRow(&before, &r.row) {
		r.tellLists(before.Sitting, here)
	}
	if r.retell(r.hall.tell) {
		r.kick()
	}
	return nil
}

// retell tells those who look on of entries that are written and were not told,
// such as those of an append whose answer was lost, and says whether there were
// any. Entries have numbers, so a client that has heard of them in another way
// hears nothing twice.
func (r *room) retell(publish func(news.Item)) bool {
	end := r.t.Len()
	from := r.hall.crowd.tell(r.id, end)
	if from >= end {
		return false
	}
	if end-from > mostTold {
		from = end - 1 // whoever misses something before it reads that in the log
	}
	r.t.Replay(from, func(step *table.Step) bool {
		body, _ := r.forms(step)
		publish(r.entryItem(step.Number, body, r.t.Entry(step.Number)))
		return true
	})
	return true
}

// entryItem is the news of an entry, for the readers of all nodes and for their
// halls.
func (r *room) entryItem(number int, forms, raw []byte) news.Item {
	item := news.Item{Topic: news.Table(r.id), Number: number, Body: forms}
	if r.hall.several() {
		item.Raw = raw
	}
	return item
}

// rise makes what must follow from the log as it is, and lets a bot go on that was
// to move when the server stopped.
func (r *room) rise(ctx context.Context) error {
	if r.t.Over() {
		return nil
	}
	now, err := r.skip(ctx)
	if err != nil {
		r.hall.trouble(ctx, "a table cannot be told that the house was away", err, "table", r.id)
		if r.gone { // it could not be read again either: what is here is not what is written
			return err
		}
		return nil // it is shown as it is written, and nothing happens there before
	}
	entries, err := r.t.Decide(table.Continue{}, table.At(now))
	if err == nil && len(entries) > 0 {
		_, err = r.carry(ctx, entries, Account{}, store.Once{})
	}
	var conflict *store.Conflict
	if err != nil && (r.gone || !errors.As(err, &conflict)) { // or another node was first
		return err
	}
	r.kick()
	return nil
}

// person is the person that an account is at the table. For those who sit at it
// that need not be computed again.
func (r *room) person(by Account) table.Person {
	for seat, id := range r.accounts[:r.t.Settings().Seats] {
		if id == by.ID && id != "" {
			return r.t.Sitter(game.Seat(seat))
		}
	}
	return by.at(r.id)
}

// viewer is how an account looks at the table: from its seat, or as a watcher;
// ErrNone where it may not look at all.
func (r *room) viewer(by Account) (game.Seat, error) {
	person := r.person(by)
	if !r.t.MaySee(person) {
		return game.None, store.ErrNone
	}
	if seat := r.t.SeatOf(person); seat >= 0 {
		return seat, nil
	}
	return game.Watcher, nil
}
