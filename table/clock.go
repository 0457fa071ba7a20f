package table

import "copse/game"

// running is the seat whose clock runs, None where none does. A clock runs for a
// person who is to act while another person is at the table. Who plays with bots
// alone has no clock.
func (s *state) running() game.Seat {
	if s.paused || s.phase != playing {
		return game.None
	}
	seat := s.pos.ToAct()
	if seat < 0 || s.chairs[seat].holder != Human || s.present() < 2 {
		return game.None
	}
	return seat
}

// spend takes the time since the last entry from the clock that ran.
func (s *state) spend(night nights, now Time) {
	if seat := s.running(); seat >= 0 {
		c := &s.chairs[seat]
		c.bank = max(c.bank-night.spent(s.at, now), 0)
	}
	s.at = now
}

// pass lets time go by that counts for nobody: no clock loses it, and a person who
// is away is asked for so much longer.
func (s *state) pass(from, to Time) {
	s.at = to
	for seat := range s.seats() {
		if c := &s.chairs[seat]; c.asked > from {
			c.asked = min(c.asked+to-from, latest)
		}
	}
}

// turned begins a new turn: a seat whose time ran out in the last one gets some
// again.
func (s *state) turned(pace *Pace) {
	for seat := range s.seats() {
		if c := &s.chairs[seat]; c.ranOut {
			c.bank, c.ranOut = max(c.bank, length(pace.Back)), false
		}
	}
}

// earn gives the seat that has moved the step for its turn. Stand-ins earn nothing.
func (s *state) earn(pace *Pace) {
	if s.mover >= 0 && s.chairs[s.mover].holder == Human {
		c := &s.chairs[s.mover]
		c.bank = min(c.bank+length(pace.Gain), max(c.bank, length(pace.Most)))
	}
	s.mover = game.None
}

// minds tells whether it makes a difference that the time from a moment on counts
// for nobody: a clock runs, or somebody who is away is still asked.
func (s *state) minds(from Time) bool {
	return s.running() >= 0 || s.phase == playing && s.count(func(c *chair) bool { return c.asked > from }) > 0
}

// Clock is what the clocks show after an entry.
type Clock struct {
	Left  []Time     `json:"left"`            // what each seat has left, in milliseconds
	Seat  *game.Seat `json:"seat,omitempty"`  // the seat whose clock runs; nil where none does
	Until Time       `json:"until,omitempty"` // when the time of that seat will have run out
}

func (t *Table) clock(s *state) *Clock {
	if s.phase == lobby {
		return nil
	}
	c := &Clock{}
	for seat := range s.seats() {
		c.Left = append(c.Left, s.chairs[seat].bank)
	}
	if seat := s.running(); seat >= 0 {
		c.Seat = &seat
		c.Until = t.settings.nights().after(s.at, s.chairs[seat].bank)
	}
	return c
}

// Deadline is when the time of the seat to act runs out, and which seat that is.
// There is none while no clock runs. After the deadline a Timeout may hand the seat
// to a stand-in; a move that comes before the Timeout is still in time.
func (t *Table) Deadline() (until Time, seat game.Seat, ok bool) {
	seat = t.now.running()
	if seat < 0 {
		return 0, game.None, false
	}
	return t.settings.nights().after(t.now.at, t.now.chairs[seat].bank), seat, true
}
