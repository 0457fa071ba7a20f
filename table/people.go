package table

import (
	"errors"
	"slices"

	"copse/game"
)

// Sit sits a person down: before the game at an empty seat, during the game at the
// seat of a bot, where the settings allow that. Seat None is any such seat. The
// nonce comes from the person; it counts only before the game. Where the host has
// sent somebody away, the person brings the Invite of the link.
type Sit struct {
	Person Person
	Seat   game.Seat
	Nonce  Nonce
	Invite string
}

func (c Sit) decide(d *decision) error {
	if err := d.mayGrow(); err != nil {
		return err
	}
	if c.Person == (Person{}) || c.Nonce == (Nonce{}) {
		return game.Blame("table.nonce", game.Args{"bytes": len(c.Nonce)})
	}
	if there := d.s.seatOf(c.Person); there >= 0 {
		return no("table.seated", game.Args{"seat": there})
	}
	if !d.t.invited(&d.s, c.Invite) && !slices.Contains(d.s.barred, c.Person) { // a person who is barred is told so, whatever the invite
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

// Leave lets a person go. Before the game the seat is empty again; during the game
// a stand-in plays until the person returns. The server gives it too, when a player
// of a live game was out of reach for long.
type Leave struct{ Person Person }

func (c Leave) decide(d *decision) error {
	seat, err := d.seat(c.Person)
	if err != nil {
		return err
	}
	if d.s.phase == lobby {
		return d.add(Entry{Do: Stood, Seat: seat})
	}
	if err := d.mayGrow(); err != nil {
		return err
	}
	if d.s.chairs[seat].holder == Replaced {
		return no("table.resigned", nil)
	}
	return d.add(Entry{Do: Left, Seat: seat})
}

// Return gives a person back the seat at which a stand-in plays. A person whose
// time has run out waits until the stand-in has finished the turn, or makes a move.
type Return struct{ Person Person }

func (c Return) decide(d *decision) error {
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
		return no("table.ran-out", nil) // else the person would be away again at once
	}
	return nil
}

// SeatBot sits a bot down at an empty seat before the game. The server knows which
// players there are; the table does not.
type SeatBot struct {
	Person Person // who wants it
	Seat   game.Seat
	Player string
}

func (c SeatBot) decide(d *decision) error {
	if err := d.mayGrow(); err != nil {
		return err
	}
	return c.seat(d)
}

// seat sits the bot down, also where the log is full.
func (c SeatBot) seat(d *decision) error {
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

func (c DropBot) decide(d *decision) error {
	if err := d.host(c.Person); err != nil {
		return err
	}
	if c.Seat >= 0 && int(c.Seat) < int(d.s.size) && d.s.chairs[c.Seat].holder == Human {
		return no("table.taken", game.Args{"seat": c.Seat})
	}
	return d.add(Entry{Do: Stood, Seat: c.Seat})
}

// Kick sends a person away before the game, who may not sit down again. From then
// on others sit down by a new link: see Invite.
type Kick struct {
	Person Person // who wants it
	Seat   game.Seat
}

func (c Kick) decide(d *decision) error {
	if err := d.mayGrow(); err != nil {
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

// Start begins the game. With Fill, the name of a player, the host fills the empty
// seats with such bots. Where no seat is empty anyone at the table may begin.
type Start struct {
	Person Person
	Fill   string
}

func (c Start) decide(d *decision) error {
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

// Resign gives up for a person. A stand-in plays on, and whatever it scores, the
// seat ranks behind those that did not resign. Where fewer than two seats are left
// in play, or no person's, the game ends.
type Resign struct{ Person Person }

func (c Resign) decide(d *decision) error {
	seat, err := d.seat(c.Person)
	if err != nil {
		return err
	}
	return d.add(Entry{Do: Resigned, Seat: seat})
}

// Timeout hands the seat to act to a stand-in. The server gives it when the
// deadline has passed.
type Timeout struct{}

func (c Timeout) decide(d *decision) error {
	seat := d.s.running()
	if seat < 0 {
		return no("table.no-clock", game.Args{"seat": max(d.s.toAct(), 0)})
	}
	return d.add(Entry{Do: TimedOut, Seat: seat})
}

// Close ends a table to which nobody has come for long: before the game after as
// long as its pace says, during a game in which nobody is waited for after a month.
// The server gives it.
type Close struct{}

func (c Close) decide(d *decision) error { return d.end(Abandoned, game.None) }

// Continue makes what must follow from the log as it is now. As long as the entries
// of a command are kept together nothing must, but for a step back: it may follow
// later, when all who are still asked have agreed (see Granted). The server gives
// it when it opens a table, and when that time has come.
type Continue struct{}

func (c Continue) decide(d *decision) error {
	a := d.s.asks[Undo]
	if at, ok := d.t.Granted(); !ok || d.now < at || d.s.due() {
		return nil
	}
	var refusal *game.Refusal
	if err := d.grant(Undo, a.by, int(a.to)); err != nil && !errors.As(err, &refusal) {
		return err
	}
	return nil // Continue opens a table: what cannot be granted stays asked
}

// Granted is when the game will go back although a person who is away has not
// answered: all others have agreed, and the person is asked until then. It is not
// ok where nobody asks, where somebody at the table has not answered, and where the
// step would go behind the moment at which the person left.
func (t *Table) Granted() (at Time, ok bool) {
	s := &t.now
	a := &s.asks[Undo]
	if !a.open || s.phase != playing {
		return 0, false
	}
	at = s.at
	for seat := range game.Seat(s.size) {
		c := &s.chairs[seat]
		switch missing := s.needed(Undo, a.by, s.at)&^a.agreed&bit(seat) != 0; {
		case missing && c.holder == Human, c.holder == Away && a.to < c.since:
			return 0, false
		case missing:
			at = max(at, c.asked)
		}
	}
	return at, true
}

// Outage is a time during which the server was away.
type Outage struct{ From, To Time }

// Skip makes the outages that ended after the last entry count for nobody. The
// server gives it before anything else happens at a table. Nothing follows from it
// where it makes no difference.
type Skip struct{ Outages []Outage } // the earliest first

// mostOutages is how many entries may follow from one Skip. Of more outages the
// earliest become one, with the time between them.
const mostOutages = 16

func (c Skip) decide(d *decision) error {
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
