package table

import "copse/game"

// phase is how far a table has come.
type phase uint8

const (
	lobby phase = iota
	playing
	ended
)

// state is a table after some entry. It is a value: whoever keeps one keeps it
// unchanged.
type state struct {
	next   int32 // the number of the entry to come
	last   int32 // the last entry that changed the game
	tip    int32 // the entry at the end of the line of play
	draws  int32 // how often chance has drawn along it
	phase  phase
	paused bool
	why    Why       // why the game has ended; 0 while it has not
	size   int8      // how many seats
	outs   int8      // how many have resigned
	mover  game.Seat // who has moved in this turn; None as long as nobody has
	at     Time      // of the last entry
	pos    game.Position
	chairs [game.MaxSeats]chair
	barred []Person // whom the host has sent away: they may not sit down again
	asks   [wishes + 1]ask
}

// toAct is whose move it is: a seat, Chance, or None.
func (s *state) toAct() game.Seat {
	if s.phase != playing {
		return game.None
	}
	return s.pos.ToAct()
}

// due tells whether something must follow before anybody may act: an outcome, or
// the end.
func (s *state) due() bool {
	return s.phase == playing && (s.pos.ToAct() < 0 || s.stopped())
}

// stopped tells whether the game must end because people have resigned: fewer than
// two seats are in play, or no person's.
func (s *state) stopped() bool {
	return s.outs > 0 &&
		(int(s.size-s.outs) < 2 || s.count((*chair).theirs) == 0)
}
