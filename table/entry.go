package table

import (
	"bytes"
	"encoding/json"

	"copse/game"
)

// Entry is one transition of a table. Its number is its place in the log. What it
// does says which fields count; the others are zero. It holds no name, no text and
// no address.
type Entry struct {
	At   Time
	Do   Kind
	Seat game.Seat // who did it; None where it was nobody at the table

	Settings   *Settings       // Opened
	Commitment Hash            // Opened
	Person     Person          // Sat, Taken
	Nonce      Nonce           // Sat
	Player     string          // BotSat
	Draw       int             // Drawn: its number along the line of play
	Move       json.RawMessage // Moved, Drawn
	Bot        bool            // Moved: by the bot at the seat
	For        Wish            // Asked, Agreed, Declined
	To         int             // Undone, Asked for Undo: the last entry of the game that stays
	From       Time            // ServerAway: since when the server was away
	Why        Why             // Ended
	Secret     Secret          // Ended
	Totals     []int           // Ended, unless abandoned: what each seat scored
	Ranks      []int           // likewise: its rank, from 1
}

// field is one field of an entry, as a bit.
type field uint16

const (
	seatField field = 1 << iota
	openingField
	personField
	nonceField
	playerField
	drawField
	moveField
	botField
	forField
	toField
	endField
	fromField
)

// fields are the fields that an entry of a kind has besides its time and its kind.
func (k Kind) fields() field {
	switch k {
	case Opened:
		return openingField
	case Sat:
		return seatField | personField | nonceField
	case Taken:
		return seatField | personField
	case BotSat:
		return seatField | playerField
	case Moved:
		return seatField | moveField | botField
	case Drawn:
		return drawField | moveField
	case Asked:
		return seatField | forField | toField
	case Agreed, Declined:
		return seatField | forField
	case Undone:
		return seatField | toField
	case Stood, Kicked, Paused, Resumed, Resigned, Left, TimedOut, Returned:
		return seatField
	case Ended:
		return endField
	case ServerAway:
		return fromField
	}
	return 0
}

// The bounds of what an entry may say.
const (
	longestEntry = 4 << 10
	longestMove  = 1 << 10
	mostNumber   = 1 << 24 // of an entry or a draw
	mostPoints   = 1 << 24
)

// sameMove tells whether two entries are the same move.
func (e *Entry) sameMove(o *Entry) bool {
	return e.Do.moves() && e.Do == o.Do && e.At == o.At && e.Seat == o.Seat && e.Draw == o.Draw && e.Bot == o.Bot && bytes.Equal(e.Move, o.Move)
}

// usualEntry is how many bytes most entries have.
const usualEntry = 160

// Append writes the entry in its one form.
func (e *Entry) Append(dst []byte) []byte {
	if dst == nil {
		dst = make([]byte, 0, usualEntry)
	}
	p, has := pen(dst), e.Do.fields()
	p.open()
	p.number("at", int64(e.At))
	p.text("do", e.Do.String())
	if has&seatField != 0 || has&endField != 0 && e.Seat >= 0 {
		p.number("seat", int64(e.Seat))
	}
	if has&openingField != 0 {
		p.name("settings")
		p = e.Settings.Append(p)
		p.hex("commitment", e.Commitment[:])
	}
	if has&personField != 0 {
		p.hex("person", e.Person[:])
	}
	if has&nonceField != 0 && e.Nonce != (Nonce{}) {
		p.hex("nonce", e.Nonce[:])
	}
	if has&playerField != 0 {
		p.text("player", e.Player)
	}
	if has&drawField != 0 {
		p.number("draw", int64(e.Draw))
	}
	if has&moveField != 0 {
		p.raw("move", e.Move)
	}
	if has&botField != 0 && e.Bot {
		p.flag("bot", true)
	}
	if has&forField != 0 {
		p.text("for", e.For.String())
	}
	if has&toField != 0 && (e.Do == Undone || e.For == Undo) {
		p.number("to", int64(e.To))
	}
	if has&fromField != 0 {
		p.number("from", int64(e.From))
	}
	if has&endField != 0 {
		p.text("why", e.Why.String())
		p.hex("secret", e.Secret[:])
		if e.Totals != nil {
			p.numbers("totals", e.Totals)
			p.numbers("ranks", e.Ranks)
		}
	}
	p.close()
	return p
}

// MarshalJSON writes the entry in its one form.
func (e *Entry) MarshalJSON() ([]byte, error) { return e.Append(nil), nil }

// ReadEntry reads an entry. It takes only what Append would write for it; anything
// else is a *game.Fault that says how far it was read.
func ReadEntry(raw []byte) (Entry, error) {
	if len(raw) > longestEntry {
		return Entry{}, game.Blame("table.entry.long", game.Args{"bytes": len(raw), "most": longestEntry})
	}
	r := eye{raw: raw}
	e := r.entry()
	if r.bad || r.at != len(raw) || !bytes.Equal(e.Append(make([]byte, 0, len(raw)+1)), raw) {
		return Entry{}, game.Blame("table.entry", game.Args{"at": min(r.at, len(raw))})
	}
	return e, nil
}

func (r *eye) entry() (e Entry) {
	e.Seat = game.None
	r.skip("{")
	r.name("at")
	e.At = Time(r.number(0, int64(latest)))
	r.name("do")
	e.Do, _ = kindOf[Kind](kindNames[:], string(r.term()))
	if e.Do == 0 {
		r.bad = true
	}
	has := e.Do.fields()
	if has&seatField != 0 {
		r.name("seat")
		e.Seat = game.Seat(r.number(0, game.MaxSeats-1))
	} else if has&endField != 0 && r.has("seat") {
		e.Seat = game.Seat(r.number(0, game.MaxSeats-1))
	}
	if has&openingField != 0 {
		r.name("settings")
		e.Settings = r.settings()
		r.name("commitment")
		r.hex(e.Commitment[:])
	}
	if has&personField != 0 {
		r.name("person")
		r.hex(e.Person[:])
		r.bad = r.bad || e.Person == Person{}
	}
	if has&nonceField != 0 {
		r.name("nonce")
		r.hex(e.Nonce[:])
		r.bad = r.bad || e.Nonce == Nonce{}
	}
	if has&playerField != 0 {
		r.name("player")
		e.Player = r.text()
		r.bad = r.bad || checkPlayer(e.Player) != nil
	}
	if has&drawField != 0 {
		r.name("draw")
		e.Draw = int(r.number(0, mostNumber))
	}
	if has&moveField != 0 {
		r.name("move")
		e.Move = r.object(longestMove)
	}
	if has&botField != 0 && r.has("bot") {
		e.Bot = r.flag()
	}
	if has&forField != 0 {
		r.name("for")
		if e.For, _ = ParseWish(string(r.term())); e.For == 0 {
			r.bad = true
		}
	}
	if has&toField != 0 && (e.Do == Undone || e.For == Undo) {
		r.name("to")
		e.To = int(r.number(0, mostNumber))
	}
	if has&fromField != 0 {
		r.name("from")
		e.From = Time(r.number(0, int64(latest)))
	}
	if has&endField != 0 {
		r.end(&e)
	}
	r.skip("}")
	return e
}

func (r *eye) end(e *Entry) {
	r.name("why")
	if e.Why, _ = kindOf[Why](whyNames[:], string(r.term())); e.Why == 0 {
		r.bad = true
	}
	r.name("secret")
	r.hex(e.Secret[:])
	if r.has("totals") {
		e.Totals = r.numbers(game.MaxSeats, -mostPoints, mostPoints)
		r.name("ranks")
		e.Ranks = r.numbers(game.MaxSeats, 1, game.MaxSeats)
	}
}
