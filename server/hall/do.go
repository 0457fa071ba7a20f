package hall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// How long the hall waits for an append, and how often it decides a command anew
// because another append came first.
const (
	longestAppend = 30 * time.Second
	longestShared = 8 * time.Second // likewise, where the store is another machine, which may hang
	mostTries     = 8
)

// patiently is a context in which the hall waits for the store to write, also if the
// client has hung up by now. Where the store is another machine nobody waits for
// longer than the caller may: rooms are asked how far their logs go before anything
// is shown, so what is written later does no harm.
func (h *Hall) patiently(ctx context.Context) (context.Context, context.CancelFunc) {
	if !h.several() {
		return context.WithTimeout(context.WithoutCancel(ctx), longestAppend)
	}
	until := time.Now().Add(longestShared)
	if by, ok := ctx.Deadline(); ok && by.Before(until) {
		until = by
	}
	return context.WithDeadline(context.WithoutCancel(ctx), until)
}

// ErrUnsure is wrapped by errors after which a command may have been carried out, or
// a part of it. The client learns whether it was by sending it again under its key.
var ErrUnsure = errors.New("hall: it may have been done: ask again with the same key, or look")

// Unsure wraps an error that came when the command may already have been carried out.
func Unsure(err error) error {
	if err == nil || errors.Is(err, ErrUnsure) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// unwritten tells whether the error means that the store has written nothing.
func unwritten(err error) bool {
	var conflict *store.Conflict
	var large *store.TooLarge
	for _, sure := range []error{store.ErrNone, store.ErrID, store.ErrTaken, store.ErrOver, store.ErrReused, store.ErrClosed, store.ErrUnwritten, store.ErrPapers} {
		if errors.Is(err, sure) {
			return true
		}
	}
	return errors.As(err, &conflict) || errors.As(err, &large)
}

// Request is a command that an account gives at a table.
type Request struct {
	By   Account
	Want func(table.Person) table.Command // what this person wants
	Once store.Once                       // so that it may be sent again
}

// Do carries out a request at a table. It returns when the entries are synced to
// disk, with the number of the last of them. An error is a *game.Refusal
// or a *game.Fault (which of the moves of a draft: a *table.BadMove),
// store.ErrNone where there is no such table or none that may be seen, or
// trouble with the store.
func (h *Hall) Do(ctx context.Context, id string, q Request) (int, error) {
	r, err := h.enter(ctx, id)
	if err != nil {
		return 0, err
	}
	defer r.leave()
	h.people.note(q.By)
	person := r.person(q.By)
	q.Once.Who = q.By.ID
	if !r.t.MaySee(person) { // as far as this node knows
		if err := r.catchUp(ctx); err != nil {
			return 0, err
		}
		person = r.person(q.By)
	}
	if !r.t.MaySee(person) {
		return r.before(ctx, nil, q.Once, store.ErrNone)
	}
	if seat := r.t.SeatOf(person); seat >= 0 {
		r.seen[seat] = h.Now()
	}
	return r.do(ctx, q.By, q.Want(person), q.Once)
}

// do decides the command and carries it out. After a panic the room is thrown away,
// so that nobody goes on from half a change.
func (r *room) do(ctx context.Context, by Account, cmd table.Command, once store.Once) (int, error) {
	whole := false
	defer func() {
		if !whole {
			r.discard()
		}
	}()
	number, err := r.decide(ctx, by, cmd, once)
	whole = true
	return number, err
}

func (r *room) decide(ctx context.Context, by Account, cmd table.Command, once store.Once) (int, error) {
	if _, ok := cmd.(table.Sit); ok {
		var err error
		if by, err = r.hall.answering(ctx, r.id, by); err != nil {
			return 0, err
		}
	}
	if play, ok := cmd.(table.Play); ok {
		if err := r.hear(ctx, play.After); err != nil {
			return 0, err
		}
	}
	for range mostTries {
		now, err := r.skip(ctx)
		if err != nil {
			return 0, err
		}
		entries, err := r.judged(by, cmd, table.At(now))
		if _, sits := cmd.(table.Sit); sits && err == nil {
			err = r.keepsApart(ctx, by)
		}
		if err != nil {
			if behind, err := r.behind(ctx); err != nil {
				return 0, err
			} else if behind {
				continue
			}
			return r.before(ctx, cmd, once, err)
		}
		number, err := r.carry(ctx, entries, by, once)
		var conflict *store.Conflict
		if !errors.As(err, &conflict) {
			return number, err
		}
	}
	return 0, game.Refuse("", "server.busy", nil)
}

// behind tells whether the log in the store has grown without this room, by another
// node of the house, and reads what is new. The hall asks it before it refuses a
// command: what it knows of the table may be old.
func (r *room) behind(ctx context.Context) (bool, error) {
	if r.hall.several() {
		known := r.t.Len()
		err := r.catchUp(ctx)
		return err == nil && r.t.Len() != known, err
	}
	listing, err := r.hall.store.Table(ctx, r.id)
	if err != nil || listing.Next == r.t.Len() {
		return false, err
	}
	return true, r.again(ctx)
}

// before looks for an earlier append under the key of a request that is refused now.
// If there was one, the request is a repetition and gets the first answer.
func (r *room) before(ctx context.Context, cmd table.Command, once store.Once, refused error) (int, error) {
	if once.Key != "" {
		receipt, ok, err := r.hall.store.Answered(ctx, r.id, once)
		if err != nil {
			return 0, err
		}
		if ok {
			return receipt.Next - 1, nil
		}
	}
	if play, ok := cmd.(table.Play); ok {
		if _, to, ok := r.t.Repeats(play); ok {
			return to, nil
		}
	}
	return 0, refused
}

// Answered tells whether a table has carried out this request before, under the same
// key. It is store.ErrReused where the key was used for another request.
func (h *Hall) Answered(ctx context.Context, id string, by Account, once store.Once) (bool, error) {
	once.Who = by.ID
	_, done, err := h.store.Answered(ctx, id, once)
	return done, err
}

// carry applies entries to the table, has the store write them and tells everyone.
// The room is locked until they are written, so nobody hears of them before. If the
// store does not write them, the room reads the table anew.
func (r *room) carry(ctx context.Context, entries []table.Entry, by Account, once store.Once) (int, error) {
	from := r.t.Len()
	if len(entries) == 0 {
		return from - 1, nil
	}
	was := r.turnNow()
	a := store.Append{Table: r.id, Next: from, Entries: make([][]byte, len(entries)), Once: once}
	r.keepFork()
	told, changed, now := make([][]byte, len(entries)), from == 0, unknown
	for i, e := range entries {
		step, err := r.t.Apply(e)
		if err != nil { // decided a moment ago
			r.discard()
			return 0, err
		}
		r.seat(&e, by)
		var item table.Item
		a.Entries[i] = step.Raw()
		told[i], item = r.forms(&step)
		changed = changed || item.People != nil
		now = turnStateOf(&item)
	}
	row, shown := r.row, r.shown
	if changed {
		r.seating = nil
	}
	if changed || now != r.turnState {
		row, shown = r.list()
		leased := r.lets()
		if late := row.Wake.Sub(r.row.Wake); late >= 0 && late < earlyWake && !r.row.Wake.IsZero() && !leased && !r.leased {
			row.Wake = r.row.Wake // who looks too early looks again, and the index is not sorted anew with every move
		}
		if !sameRow(&row, &r.row) {
			a.Row, r.leased = &row, leased
		}
	}
	a.At = store.Time(int64(r.t.At()))
	if r.t.Over() {
		a.Jobs = r.jobs()
	} else {
		a.Jobs = r.chimeJobs(ctx, was)
	}
	var receipt store.Receipt
	var err error
	if r.t.Over() {
		receipt, row, shown, err = r.appendEnd(ctx, a)
		a.Row = &row
	} else {
		receipt, err = r.append(ctx, a)
	}
	if err == nil && receipt.Repeated {
		if again := r.again(ctx); again != nil { // it was done all the same
			r.hall.log.Error("a table cannot be read after something was asked again", "table", r.id, "err", again)
		}
		return receipt.Next - 1, nil
	}
	if err != nil {
		if err = r.undo(ctx, err); !r.gone && r.t.Len() > from {
			r.kick() // it was written all the same, or something else was
		}
		return 0, err
	}
	before := r.row.Sitting
	r.row, r.shown, r.turnState = row, shown, now
	r.fork, r.charge = nil, r.t.Len()
	for i, body := range told {
		r.hall.news.Publish(r.entryItem(from+i, body, a.Entries[i]))
	}
	r.hall.crowd.tell(r.id, r.t.Len())
	if a.Row != nil {
		r.tellLists(before, everywhere)
		if !r.hall.crowd.none(r.id) && !slices.Equal(before, r.row.Sitting) {
			r.tellPresent() // who looked on sits now, or the other way round
		}
	}
	r.kick()
	if !r.t.Over() { // or it is packed in a moment
		r.shoot(ctx)
	}
	return receipt.Next - 1, nil
}

// append has the store write, also if the client has hung up by now. Every error but
// the store's refusals is ErrUnsure, because the writer may still write what waits in
// its queue.
func (r *room) append(ctx context.Context, a store.Append) (store.Receipt, error) {
	ctx, done := r.hall.patiently(ctx)
	defer done()
	begun := time.Now()
	receipt, err := r.hall.store.Append(ctx, a)
	if heard := r.hall.heed.Appended; heard != nil {
		heard(len(a.Entries), time.Since(begun), err)
	}
	if err != nil && !unwritten(err) {
		err = Unsure(err)
	}
	return receipt, err
}

// undo goes back to what is written, after an append failed. If that cannot be read
// and another append came first, undo says so by an error, because a command must not
// be decided on entries that are not written.
func (r *room) undo(ctx context.Context, err error) error {
	ctx, done := r.hall.patiently(ctx)
	defer done()
	if again := r.again(ctx); again != nil {
		r.hall.trouble(r.hall.life, "a table cannot be read after an append has failed", again, "table", r.id)
		var conflict *store.Conflict
		if errors.As(err, &conflict) {
			return again
		}
	}
	return err
}

// seat keeps whose account sits where, and who owns it.
func (r *room) seat(e *table.Entry, by Account) {
	switch e.Do {
	case table.Sat, table.Taken:
		r.accounts[e.Seat] = ""
		if by.ID != "" && e.Person == by.at(r.id) {
			r.private.Owners[e.Seat] = by.owner
			r.accounts[e.Seat], r.seen[e.Seat] = by.ID, r.hall.Now()
			r.meet(e.Person, by.ID)
		}
	case table.Stood, table.Kicked, table.BotSat:
		if e.Do == table.Kicked {
			r.bar(e.Seat, by)
		}
		r.accounts[e.Seat], r.private.Owners[e.Seat] = "", table.Person{}
	}
}

// meet remembers the account of somebody who sat down.
func (r *room) meet(person table.Person, account string) {
	if r.met == nil {
		r.met = map[table.Person]string{}
	}
	r.met[person] = account
}
