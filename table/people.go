package table

import (
	"errors"
	"slices"

	"copse/game"
)

// Sit sits a person down: before the game at an empty seat, while it goes on at
// the seat of a bot, where the settings allow that. Seat None is any such seat.
// The nonce comes from the person; it counts before the game only. Who was sent
// a link since the host sent somebody away brings its Invite.
type Sit struct {
	Person Person
	Seat   game.Seat
	Nonce  Nonce
	Invite string
}

func (c Sit) decide(d *draft) error {
	if err := d.roomy(); err != nil {
		return err
	}
	if c.Person == (Person{}) || c.Nonce == (Nonce{}) {
		return game.Blame("table.nonce", game.Args{"bytes": len(c.Nonce)})
	}
	if there := d.s.seatOf(c.Person); there >= 0 {
		return no("table.seated", game.Args{"seat": there})
	}
	if !d.t.invited(&d.s, c.Invite) && !slices.Contains(d.s.barred, c.Person) { // who is barred is told so
		return no("table.invite", nil)
	}
	free, entry := Nobody, Entry{Do: Sat, Person: c.Person, Nonce: c.Nonce, Seat: c.Seat}
	if d.s.phase == playing {
		if !d.t.settings.TakeOver {
			return no("table.take-over", nil)
		}
		free, entry = Robot, Entry{Do: Taken, Person: c.Person, Seat: c.Seat}
	}
	if c.Seat == game.None {
		for seat := range d.s.seats() {
			if d.s.chairs[seat].holder == free {
				entry.Seat = game.Seat(seat)
				return d.add(entry)
			}
		}
		return no("table.no-seat", nil)
	}
	return d.add(entry)
}

// Leave lets a person go: before the game its seat is empty again, while it goes
// on a stand-in plays until the person returns. The server gives it too, when a
// player of a live game was out of reach for long.
type Leave struct{ Person Person }

func (c Leave) decide(d *draft) error {
	seat, err := d.seat(c.Person)
	if err != nil {
		return err
	}
	if d.s.phase == lobby {
		return d.add(Entry{Do: Stood, Seat: seat})
	}
	if err := d.roomy(); err != nil {
		return err
	}
	if d.s.chairs[seat].holder == Replaced {
		return no("table.resigned", nil)
	}
	return d.add(Entry{Do: Left, Seat: seat})
}

// Return gives a person back the seat at which a stand-in plays. Who has run out of
// time waits until the stand-in has finished the turn, or makes a move.
type Return struct{ Person Person }

func (c Return) decide(d *draft) error {
	seat, err := d.seat(c.Person)
	if err != nil {
		return err
	}
	if d.s.chairs[seat].holder == Replaced {
		return no("table.resigned", nil)
	}
	if err := d.back(seat); err != nil {
		return err
	}
	if d.t.under(honestClocks) && d.s.running() == seat && d.s.chairs[seat].bank == 0 {
		return no("table.ran-out", nil) // or it would be away again at once
	}
	return nil
}

// SeatBot sits a bot down at an empty seat before the game. That there is such a
// player is for the server to know.
type SeatBot struct {
	Person Person // who wants it
	Seat   game.Seat
	Player string
}

func (c SeatBot) decide(d *draft) error {
	if err := d.roomy(); err != nil {
		return err
	}
	return c.seat(d)
}

// seat sits the bot down, however long the log is.
func (c SeatBot) seat(d *draft) error {
	if err := checkPlayer(c.Player); err != nil {
		return err
	}
	if err := d.host(c.Person); err != nil {
		return err
	}
	return d.add(Entry{Do: BotSat, Seat: c.Seat, Player: c.Player})
}

// DropBot makes the seat of a bot empty again before the game.
type DropBot struct {
	Person Person // who wants it
	Seat   game.Seat
}

func (c DropBot) decide(d *draft) error {
	if err := d.host(c.Person); err != nil {
		return err
	}
	if c.Seat >= 0 && int(c.Seat) < int(d.s.size) && d.s.chairs[c.Seat].holder == Human {
		return no("table.taken", game.Args{"seat": c.Seat})
	}
	return d.add(Entry{Do: Stood, Seat: c.Seat})
}

// Kick sends a person away before the game, who may not sit down again. Others
// sit down by a new link from then on: see Invite.
type Kick struct {
	Person Person // who wants it
	Seat   game.Seat
}

func (c Kick) decide(d *draft) error {
	if err := d.roomy(); err != nil {
		return err
	}
	if err := d.host(c.Person); err != nil {
		return err
	}
	if c.Seat == d.s.seatOf(c.Person) {
		return no("table.host.self", nil)
	}
	return d.add(Entry{Do: Kicked, Seat: c.Seat})
}

// Start begins the game. With Fill, the name of a player, the host fills the
// empty seats with such bots; where none is empty anyone at the table may begin.
type Start struct {
	Person Person
	Fill   string
}

func (c Start) decide(d *draft) error {
	if _, err := d.seat(c.Person); err != nil {
		return err
	}
	if d.s.phase != lobby {
		return no("table.begun", nil)
	}
	for seat := range d.s.seats() {
		if c.Fill == "" || d.s.chairs[seat].holder != Nobody {
			continue
		}
		if err := (SeatBot{Person: c.Person, Seat: game.Seat(seat), Player: c.Fill}).seat(d); err != nil {
			return err
		}
	}
	return d.add(Entry{Do: Started, Seat: game.None})
}

// Resign gives up for a person. A stand-in plays on, and whatever it scores the
// seat ranks behind those who did not resign. Where fewer than two seats, or no
// person's, are left in play, the game ends.
type Resign struct{ Person Person }

func (c Resign) decide(d *draft) error {
	seat, err := d.seat(c.Person)
	if err != nil {
		return err
	}
	return d.add(Entry{Do: Resigned, Seat: seat})
}

// Timeout hands the seat to act to a stand-in. The server gives it when the
// deadline has passed.
type Timeout struct{}

func (c Timeout) decide(d *draft) error {
	seat := d.s.running()
	if seat < 0 {
		return no("table.no-clock", game.Args{"seat": max(d.s.toAct(), 0)})
	}
	return d.add(Entry{Do: TimedOut, Seat: seat})
}

// Close ends a table to which nobody has come for long: before the game as long
// as its pace says, while it goes on and nobody is waited for a month. The server
// gives it.
type Close struct{}

func (c Close) decide(d *draft) error { return d.end(Abandoned, game.None) }

// Continue makes what must follow from the log as it is now. There is nothing of
// the kind as long as the entries of a command are kept together, but for a step
// back to which all have agreed who are still asked: see Granted. The server gives
// it when it opens a table, and when that time has come.
type Continue struct{}

func (c Continue) decide(d *draft) error {
	a := d.s.asks[Undo]
	if at, ok := d.t.Granted(); !ok || d.now < at || d.s.due() {
		return nil
	}
	var refusal *game.Refusal
	if err := d.grant(Undo, a.by, int(a.to)); err != nil && !errors.As(err, &refusal) {
		return err
	}
	return nil // a table is opened by this: what cannot be granted stays asked
}

// Granted is when the game will go back though somebody who is away has not
// answered: all others have agreed, and who is away is asked until then. It is not
// ok where nobody asks, where somebody at the table has not answered, and where the
// step would go behind the moment at which who is away has left.
func (t *Table) Granted() (at Time, ok bool) {
	s := &t.now
	a := &s.asks[Undo]
	if !a.open || s.phase != playing {
		return 0, false
	}
	at = s.at
	for seat := range game.Seat(s.size) {
		p := &s.chairs[seat]
		switch missing := s.needed(Undo, a.by, s.at)&^a.agreed&bit(seat) != 0; {
		case missing && p.holder == Human, p.holder == Away && a.to < p.since:
			return 0, false
		case missing:
			at = max(at, p.asked)
		}
	}
	return at, true
}

// Outage is a time during which the server was away.
type Outage struct{ From, To Time }

// Skip lets outages count for nobody, those that ended after the last entry. The
// server gives it before anything else happens at a table. Where that makes no
// difference, nothing follows from it.
type Skip struct{ Outages []Outage } // the earliest first

// mostOutages is how many entries may come of one Skip. Of more, the earliest are
// taken together, with the time between them.
const mostOutages = 16

func (c Skip) decide(d *draft) error {
	if !d.t.under(honestClocks) {
		return nil
	}
	var list []Outage
	for _, o := range c.Outages {
		if o.To > d.s.at {
			list = append(list, o)
		}
	}
	if n := len(list) - mostOutages; n > 0 {
		list[n].From = list[0].From
		list = list[n:]
	}
	for _, o := range list {
		from, to := max(o.From, d.s.at), min(o.To, d.now)
		if from >= to || !d.s.minds(from) {
			continue
		}
		if err := d.addAt(Entry{Do: ServerAway, Seat: game.None, From: from}, to); err != nil {
			return err
		}
	}
	return nil
}
