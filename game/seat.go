package game

import (
	"strconv"
)

// Seat is a seat at the table, counted from 0 in turn order, or one of the three
// that are no player: Chance, None and Watcher.
type Seat int8

// The seats that are no player.
const (
	None    Seat = -1 // nobody: the game is over
	Chance  Seat = -2 // chance: it deals, draws and reveals
	Watcher Seat = -3 // somebody who looks on, and may know what everybody knows
)

// The smallest and the largest number of players of any game.
const (
	MinSeats = 2
	MaxSeats = 4
)

// String gives the seat as the protocol writes it.
func (s Seat) String() string {
	switch s {
	case None:
		return "none"
	case Chance:
		return "chance"
	case Watcher:
		return "watcher"
	}
	return strconv.Itoa(int(s))
}

// JSON writes a player as a number and the others as their name.
func (s Seat) JSON() ([]byte, error) {
	if s >= 0 {
		return []byte(s.String()), nil
	}
	return Marshal(s.String())
}

// MarshalJSON is JSON for encoding/json.
func (s Seat) MarshalJSON() ([]byte, error) { return s.JSON() }

// ParseSeat reads a seat as the protocol writes it: a number, "chance" or
// "watcher". The caller says whether the table has such a seat.
func ParseSeat(raw RawMessage) (Seat, bool) {
	switch string(raw) {
	case `"chance"`:
		return Chance, true
	case `"watcher"`:
		return Watcher, true
	}
	n, err := strconv.ParseInt(string(raw), 10, 8)
	if err != nil || n < 0 {
		return None, false
	}
	return Seat(n), true
}
