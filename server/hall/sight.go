package hall

import (
	"context"
	"errors"
	"slices"

	"copse/game"
	"copse/store"
	"copse/table"
)

// Secrets stay with their seat. Whoever has held a seat of a game with secrets
// since it began has seen it from there, and so has the owner of a program that
// held it, and every program of that owner: none of them may sit down anywhere
// else, whatever has become of the seat. And whoever plays with a program of their
// own, or with two of them, does so where nobody else plays. And whoever was sent
// away from a table does not come back as the owner or as the program. The log does
// not know whose program sits at a table, so it cannot say any of this: the hall
// does.
//
// Two accounts of one person, one in each of two browsers, are two people here.

// owners are whose programs sit at a table, or did when they were deleted: seat by
// seat the owner as the person it is at this table, which leads to nobody once the
// owner is deleted. It is zero for everybody else.
type owners [game.MaxSeats]table.Person

// answering is the account with the person who answers for it at a table: for a
// program its owner, for everybody else they themselves.
func (h *Hall) answering(ctx context.Context, id string, by Account) (Account, error) {
	if by.Owner == "" {
		by.owner = table.Person{}
		return by, nil
	}
	owner, err := h.Account(ctx, by.Owner)
	by.owner = owner.at(id)
	return by, err
}

// answers is the person who answers for a seat; zero for a bot's and an empty one.
func (r *room) answers(seat int) table.Person {
	if owner := r.private.Owners[seat]; owner != (table.Person{}) {
		return owner
	}
	return r.t.Sitter(game.Seat(seat))
}

// answersFor is the person who answers for an account that sits down.
func (r *room) answersFor(by Account) table.Person {
	if by.owner != (table.Person{}) {
		return by.owner
	}
	return by.at(r.id)
}

// sighted refuses a person who wants to sit down and has seen the secrets of another
// seat.
func (r *room) sighted(by Account, sit table.Sit) error {
	if !r.t.Secrets() || !r.t.Begun() || r.t.Over() {
		return nil
	}
	own := r.t.SeatOf(sit.Person)
	if own >= 0 && (sit.Seat == own || sit.Seat == game.None) && r.t.People().Seats[own].Held != table.Replaced {
		return nil // they sit there: the table tells them so
	}
	who := r.answersFor(by)
	if who == (table.Person{}) {
		return nil // nobody: the table tells them so
	}
	for seat := range r.t.Settings().Seats {
		if r.answers(seat) == who {
			return game.Refuse("", "table.sight", game.Args{"seat": game.Seat(seat)})
		}
	}
	return nil
}

// fair refuses entries after which a person and a program of theirs would play at one
// table with other people. It is the last to sit down who is refused: the second of
// the two, or the other person.
func (r *room) fair(by Account, entries []table.Entry) error {
	seats := map[table.Person]int{} // of everybody who answers for one
	for seat := range r.t.Settings().Seats {
		if who := r.answers(seat); who != (table.Person{}) {
			seats[who]++
		}
	}
	asked, comes := false, table.Person{}
	for i := range entries {
		switch entries[i].Do {
		case table.Sat, table.Taken:
			comes = r.answersFor(by)
			seats[comes]++
			asked = true
		case table.Started:
			asked = true
		}
	}
	if !asked || len(seats) < 2 {
		return nil
	}
	if seats[comes] > 1 {
		return game.Refuse("", "table.program", nil)
	}
	for _, n := range seats {
		if n > 1 {
			return game.Refuse("", "table.pair", nil)
		}
	}
	return nil
}

// mostBarred is how many owners are remembered whose programs were sent away.
const mostBarred = 500

// bar remembers whose program was sent away from a seat, since owner and program are
// one there. Who sends a program of their own away stays.
func (r *room) bar(seat game.Seat, by Account) {
	owner := r.private.Owners[seat]
	if host := r.t.SeatOf(by.at(r.id)); owner == (table.Person{}) || host >= 0 && r.answers(int(host)) == owner || slices.Contains(r.private.Barred, owner) {
		return
	}
	list := append(slices.Clip(r.private.Barred), owner)
	r.private.Barred = list[max(len(list)-mostBarred, 0):]
}

// welcome refuses entries by which a person sits down whose owner or program was sent
// away. The table itself refuses the person who was.
func (r *room) welcome(by Account, entries []table.Entry) error {
	for i := range entries {
		if do := entries[i].Do; do != table.Sat && do != table.Taken {
			continue
		}
		if who := r.answersFor(by); r.t.Barred(who) || slices.Contains(r.private.Barred, who) {
			return game.Refuse("", "table.barred.with", nil)
		}
	}
	return nil
}

// judged gives the entries that follow from a command at a moment, or the hall's or
// the table's refusal.
func (r *room) judged(by Account, cmd table.Command, now table.Time) ([]table.Entry, error) {
	if sit, ok := cmd.(table.Sit); ok {
		if err := r.sighted(by, sit); err != nil {
			return nil, err
		}
	}
	entries, err := r.t.Decide(cmd, now)
	if err == nil {
		err = r.welcome(by, entries)
	}
	if err == nil {
		err = r.fair(by, entries)
	}
	return entries, err
}

// findOwners finds whose programs sit at a table that was written before this was
// kept.
func (r *room) findOwners(ctx context.Context) error {
	for seat, id := range r.accounts {
		if id == "" {
			continue
		}
		by, err := r.hall.Account(ctx, id)
		if err == nil {
			by, err = r.hall.answering(ctx, r.id, by)
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
		if err == nil {
			r.private.Owners[seat] = by.owner
		}
	}
	r.private.owned = true
	return nil
}
