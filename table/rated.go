package table

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"

	"copse/game"
)

// Rated games are those from which ratings follow. Nobody asks for one: the hall sets
// them for people who want to play now. They have the usual box and options, nothing
// is taken back, nobody advises, nobody takes a seat over, nobody abandons them, and
// who sits where is drawn by the committed chance of the table.

// checkRated is nil where settings may be those of a rated game, or are of another.
func (set *Settings) checkRated() error {
	if set.Rated && (set.Undo != UndoNone || set.Hints || set.TakeOver || set.Side != 0 || set.Pace == Own || len(set.Options) > 0 && !bytes.Equal(set.Options, []byte("{}"))) {
		return game.Blame("table.rated", nil)
	}
	return nil
}

// Comer is somebody for whom a seat is drawn: a person with a nonce, or a bot.
type Comer struct {
	Person Person
	Nonce  Nonce
	Player string // of a bot
}

// DrawSeats draws who sits where, from the secret of the table and the nonces of the
// people, which they gave after they had seen the commitment. The people are taken in
// the order of their nonces, so that the log alone proves the draw, and then the bots;
// each gets the seat at the same place of a drawn order of the seats.
func DrawSeats(secret Secret, comers []Comer) []Comer {
	order := slices.Clone(comers)
	slices.SortStableFunc(order, func(a, b Comer) int {
		if bot := (a.Player != ""); bot != (b.Player != "") {
			if bot {
				return 1
			}
			return -1
		}
		return bytes.Compare(a.Nonce[:], b.Nonce[:])
	})
	seed := game.Seed{Secret: secret[:], Nonces: [][]byte{[]byte("seats")}}
	for _, c := range order {
		if c.Player == "" {
			seed.Nonces = append(seed.Nonces, bytes.Clone(c.Nonce[:]))
		}
	}
	from := seed.Numbers(0)
	seats := make([]int, len(order))
	for i := range seats {
		seats[i] = i
	}
	for i := len(seats) - 1; i > 0; i-- {
		j := below(from, uint64(i+1))
		seats[i], seats[j] = seats[j], seats[i]
	}
	drawn := make([]Comer, len(order))
	for i, c := range order {
		drawn[seats[i]] = c
	}
	return drawn
}

// below is a number below n, each as likely as any other.
func below(from rand.Source, n uint64) uint64 {
	for {
		if x := from.Uint64(); x <= ^uint64(0)-(-n%n) { // what is left over beyond the last multiple of n would favour small numbers
			return x % n
		}
	}
}

// Begin makes a table at which everyone sits, as DrawSeats has it, and the game has
// begun. first is the entry of Create.
func Begin(shelf *Shelf, keep Keep, first Entry, drawn []Comer, deal Deal, now Time) (*Table, error) {
	if len(drawn) != first.Settings.Seats {
		return nil, errors.New("table: not somebody for each seat")
	}
	first.At = min(max(now, 0), latest)
	t, err := Open(shelf, keep, [][]byte{first.Append(nil)})
	if err != nil {
		return nil, err
	}
	t.deal = deal
	s := succession{t: t, now: first.At}
	for seat, c := range drawn {
		if c.Player != "" {
			s.put(Entry{Do: BotSat, Seat: game.Seat(seat), Player: c.Player})
			continue
		}
		s.put(Entry{Do: Sat, Seat: game.Seat(seat), Person: c.Person, Nonce: c.Nonce})
		if s.first == (Person{}) {
			s.first = c.Person
		}
	}
	s.begin()
	return t, s.err
}

// seatsDrawn tells whether everyone sits where the chance of the table has put them.
func (t *Table) seatsDrawn() bool {
	var sat []Comer
	for seat := range t.now.seats() {
		c := &t.now.chairs[seat]
		sat = append(sat, Comer{Person: c.person, Nonce: c.nonce, Player: c.player})
	}
	for seat, c := range DrawSeats(t.keep.Secret, sat) {
		at := &t.now.chairs[seat]
		if (c.Player != "") != (at.player != "") || c.Nonce != at.nonce { // bots may stand for each other
			return false
		}
	}
	return true
}

// Finish is what a game came to, as ratings count it.
type Finish struct {
	Abandoned bool // nobody came any more: there are no ranks
	Seats     []FinishSeat
}

// FinishSeat is what it came to for one seat.
type FinishSeat struct {
	Player string // of a bot that sat there from the beginning; empty for a person
	Rank   int    // as the log says it; 0 where the game was abandoned
	Gone   bool   // its person was played for at the end
	Early  bool   // and has been since the first round, before everyone had had a turn
}

// Finish is what the game came to; false while it is not over.
func (t *Table) Finish() (Finish, bool) {
	s := &t.now
	if s.phase != ended || t.start < 0 {
		return Finish{}, false
	}
	f := Finish{Abandoned: s.why == Abandoned}
	_, ranks := s.result(s.why)
	for seat := range s.seats() {
		c := &s.chairs[seat]
		one := FinishSeat{Player: c.player}
		if ranks != nil {
			one.Rank = ranks[seat]
		}
		if c.player == "" {
			one.Gone = c.holder != Human
			one.Early = one.Gone && int(t.trace[c.since].turn)-int(t.trace[t.start].turn) < int(s.size)
		}
		f.Seats = append(f.Seats, one)
	}
	return f, true
}
