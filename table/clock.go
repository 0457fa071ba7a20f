package table

import "copse/game"

// running is the seat whose clock runs, None where none does. It runs for a
// person who is to act while another waits: who plays with bots alone may take
// all the time in the world.
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
		p := &s.chairs[seat]
		p.bank = max(p.bank-night.spent(s.at, now), 0)
	}
	s.at = now
}

// pass lets time go by that counts for nobody: it is taken from no clock, and who
// is away is asked for so much longer.
func (s *state) pass(from, to Time) {
	s.at = to
	for seat := range s.seats() {
		if p := &s.chairs[seat]; p.asked > from {
			p.asked = min(p.asked+to-from, latest)
		}
	}
}

// turned begins a new turn: who ran out of time in the last one has some again.
func (s *state) turned(pace *Pace) {
	for seat := range s.seats() {
		if p := &s.chairs[seat]; p.ranOut {
			p.bank, p.ranOut = max(p.bank, length(pace.Back)), false
		}
	}
}

// earn gives who has moved the step for its turn. Stand-ins earn nothing.
func (s *state) earn(pace *Pace) {
	if s.mover >= 0 && s.chairs[s.mover].holder == Human {
		p := &s.chairs[s.mover]
		p.bank = min(p.bank+length(pace.Step), max(p.bank, length(pace.Most)))
	}
	s.mover = game.None
}

// minds tells whether it makes a difference at the table that time from a moment
// on counts for nobody: a clock runs, or somebody who is away is still asked.
func (s *state) minds(from Time) bool {
	return s.running() >= 0 || s.phase == playing && s.count(func(p *chair) bool { return p.asked > from }) > 0
}

// Clock is what the clocks show, as of an entry.
type Clock struct {
	Left  []Time     `json:"left"`            // what each seat has left, in milliseconds
	Seat  *game.Seat `json:"seat,omitempty"`  // whose clock runs, if any does
	Until Time       `json:"until,omitempty"` // when its time will have run out
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

// Deadline is when the time of the seat to act runs out, and which it is. There
// is none while no clock runs. Once it has passed, a Timeout hands the seat to
// a stand-in; until then a move is still in time.
func (t *Table) Deadline() (until Time, seat game.Seat, ok bool) {
	seat = t.now.running()
	if seat < 0 {
		return 0, game.None, false
	}
	return t.settings.nights().after(t.now.at, t.now.chairs[seat].bank), seat, true
}
