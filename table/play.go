package table

import (
	"bytes"
	"encoding/json"
	"fmt"

	"copse/game"
)

// LongestDraft is how many moves a draft may have. No turn has so many.
const LongestDraft = 256

// Play makes the moves of a draft: one or more of one seat, up to where chance
// draws. What follows an outcome is another draft.
//
// After is the last entry that the player had seen when the draft was made. Entries
// since then that do not change the game do no harm; a move or a step back makes
// the draft too late, and the refusal names it.
type Play struct {
	Person Person // who moves
	After  int
	Moves  []json.RawMessage
}

// BotPlay makes the moves of the bot at a seat. Only the server gives it.
type BotPlay struct {
	Seat  game.Seat
	After int
	Moves []json.RawMessage
}

// BadMove says which move of a draft, counted from 0, was not taken, and why.
type BadMove struct {
	Move int
	Err  error
}

// Error gives the move and why, for logs and tests.
func (b *BadMove) Error() string { return fmt.Sprintf("move %d: %v", b.Move, b.Err) }

// Unwrap is why.
func (b *BadMove) Unwrap() error { return b.Err }

func (c Play) decide(d *decision) error {
	if err := draftable(c.Moves); err != nil {
		return err
	}
	seat, err := d.player(c.Person)
	if err != nil {
		return err
	}
	return d.play(seat, c.After, c.Moves)
}

func (c BotPlay) decide(d *decision) error {
	if err := draftable(c.Moves); err != nil {
		return err
	}
	switch {
	case c.Seat < 0 || int(c.Seat) >= int(d.s.size):
		return game.Blame("table.seat", game.Args{"seats": d.s.size})
	case d.s.phase == lobby:
		return no("table.lobby", nil)
	case !d.s.chairs[c.Seat].holder.bot():
		return no("table.held", game.Args{"seat": c.Seat})
	}
	return d.play(c.Seat, c.After, c.Moves)
}

// draftable is nil where a draft may have so many moves.
func draftable(moves []json.RawMessage) error {
	switch {
	case len(moves) == 0:
		return game.Blame("table.draft.empty", nil)
	case len(moves) > LongestDraft:
		return game.Blame("table.draft.long", game.Args{"most": LongestDraft})
	}
	return nil
}

// play makes the moves of a seat.
func (d *decision) play(seat game.Seat, after int, moves []json.RawMessage) error {
	if d.s.paused {
		return no("table.paused", nil)
	}
	if err := d.overtaken(after); err != nil {
		return err
	}
	for i, raw := range moves {
		if i > 0 && d.s.toAct() == game.Chance {
			return &BadMove{i, no("table.draft.chance", nil)}
		}
		move, err := d.s.pos.Heard(raw, seat, seat)
		if err == nil && len(move) > longestMove {
			err = game.Blame("table.entry.long", game.Args{"bytes": len(move), "most": longestMove})
		}
		if err == nil {
			err = d.add(Entry{Do: Moved, Seat: seat, Move: move, Bot: d.s.chairs[seat].holder.bot()})
		}
		if err != nil {
			return &BadMove{i, err}
		}
	}
	return nil
}

// overtaken refuses a draft that something has overtaken, and says what.
func (d *decision) overtaken(after int) error {
	if after >= d.t.Len() {
		return no("table.ahead", game.Args{"entry": after, "last": d.t.Len() - 1})
	}
	if after >= int(d.t.now.last) {
		return nil
	}
	for n := max(after+1, 0); n < d.t.Len(); n++ {
		if e := d.t.entry(n); e.Do.Plays() {
			args := game.Args{"entry": n, "do": e.Do.String()}
			if e.Seat >= 0 {
				args["seat"] = e.Seat
				return no("table.overtaken.by", args)
			}
			return no("table.overtaken", args)
		}
	}
	return nil
}

// Repeats finds the moves of a draft in the log: made by the same seat, right after
// the entry that the draft had seen. Then the answer to the draft was lost, and the
// same entries are the answer again, with the outcomes and the end of the game that
// came of them.
func (t *Table) Repeats(c Play) (from, to int, ok bool) {
	seat := t.SeatOf(c.Person)
	if seat < 0 || len(c.Moves) == 0 || c.After < 0 {
		return 0, 0, false
	}
	left := c.Moves
	for n := c.After + 1; n < t.Len() && len(left) > 0; n++ {
		e := t.entry(n)
		if !e.Do.Plays() {
			continue
		}
		move, err := t.first.Heard(left[0], seat, seat)
		if err != nil || e.Do != Moved || e.Seat != seat || e.Bot || !bytes.Equal(move, e.Move) {
			return 0, 0, false
		}
		if len(left) == len(c.Moves) {
			from = n
		}
		left, to = left[1:], n
	}
	if len(left) > 0 {
		return 0, 0, false
	}
	for to+1 < t.Len() {
		if e := t.entry(to + 1); e.Do != Drawn && (e.Do != Ended || e.Seat != game.None) {
			break
		}
		to++
	}
	return from, to, true
}
