package table

import "copse/game"

// Holder is who plays for a seat.
type Holder uint8

// The holders of a seat.
const (
	Nobody   Holder = iota
	Human           // its person
	Robot           // a bot that sat down there
	Away            // a stand-in, until its person returns
	Replaced        // a stand-in, since its person has resigned
)

// holderNames are the names of holders on the wire, for ever.
var holderNames = [...]string{Nobody: "empty", Human: "person", Robot: "bot", Away: "away", Replaced: "resigned"}

// String is the holder on the wire.
func (h Holder) String() string { return nameOf(holderNames[:], h) }

// MarshalText is the holder on the wire.
func (h Holder) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// bot tells whether a bot plays.
func (h Holder) bot() bool { return h == Robot || h == Away || h == Replaced }

// chair is a seat and what belongs to it.
type chair struct {
	holder Holder
	person Person
	nonce  Nonce  // what its first person added to chance; zero where a bot began
	player string // the bot that sat down there; empty where none did
	since  int32  // the entry since which it has this holder
	undos  int32  // how often it went back
	out    int8   // 1 for the first to resign, and so on; 0 while in play
	bank   Time   // what is left on its clock
	ranOut bool   // its time ran out in this turn: it gets some when the turn is over
	asked  Time   // while its person is away: until when they are asked if the game is to go back
}

// theirs tells whether the seat belongs to a person who has not resigned, present
// or away.
func (c *chair) theirs() bool { return c.holder == Human || c.holder == Away }

// seats are the chairs of the table.
func (s *state) seats() []chair { return s.chairs[:s.size] }

// seatOf is the seat of a person, None where they have none.
func (s *state) seatOf(person Person) game.Seat {
	if person == (Person{}) {
		return game.None
	}
	for seat := range s.seats() {
		if c := &s.chairs[seat]; c.person == person && c.holder != Nobody && c.holder != Robot {
			return game.Seat(seat)
		}
	}
	return game.None
}

// count is how many chairs pass a test.
func (s *state) count(so func(*chair) bool) int {
	n := 0
	for seat := range s.seats() {
		if so(&s.chairs[seat]) {
			n++
		}
	}
	return n
}

// present is how many people are at the table.
func (s *state) present() int {
	return s.count(func(c *chair) bool { return c.holder == Human })
}

// host is the seat of the person who has sat at the table for the longest time,
// None where nobody sits. Until the game begins the host decides about bots.
func (s *state) host() game.Seat {
	host := game.None
	for seat := range s.seats() {
		if c := &s.chairs[seat]; c.holder == Human && (host == game.None || c.since < s.chairs[host].since) {
			host = game.Seat(seat)
		}
	}
	return host
}

// sameSeating tells whether everyone sits the same way in two states and asks for
// the same.
func (s *state) sameSeating(n *state) bool {
	if s.phase != n.phase || s.paused != n.paused || s.size != n.size {
		return false
	}
	for seat := range s.seats() {
		a, b := &s.chairs[seat], &n.chairs[seat]
		if a.holder != b.holder || a.person != b.person || a.player != b.player || a.undos != b.undos || a.asked != b.asked {
			return false
		}
	}
	for w := range s.asks {
		a, b := s.asks[w], n.asks[w]
		a.declined, b.declined = 0, 0
		if a != b {
			return false
		}
	}
	return true
}
