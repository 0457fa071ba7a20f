package table

import "copse/game"

// ask is a wish of a person that the others have not all answered yet.
type ask struct {
	open     bool
	by       game.Seat
	to       int32 // the entry to go back to; for Undo
	agreed   uint8 // the seats that have agreed, as bits
	declined uint8 // the seats whose asking was declined since the last move, as bits
}

func bit(seat game.Seat) uint8 { return 1 << seat }

// needed are the seats whose consent a wish of seat needs at a moment, as bits. To
// abandon the game those who are away count too: it is their game as well. To go
// back they count until the patience of the pace is over.
func (s *state) needed(w Wish, seat game.Seat, now Time) uint8 {
	var who uint8
	for other := range game.Seat(s.size) {
		c := &s.chairs[other]
		away := c.holder == Away && (w == Abandon || w == Undo && now < c.asked)
		if other != seat && (c.holder == Human || away) {
			who |= bit(other)
		}
	}
	return who
}

// granted tells whether a wish of seat may come true at a moment.
func (s *state) granted(w Wish, seat game.Seat, to int, now Time) bool {
	need := s.needed(w, seat, now)
	a := &s.asks[w]
	return need == 0 || a.open && a.by == seat && (w != Undo || int(a.to) == to) && a.agreed&need == need
}

// ask opens an ask.
func (s *state) ask(e *Entry) error {
	a := &s.asks[e.For]
	switch {
	case a.open:
		return no("table.ask.open", game.Args{"for": e.For.String(), "seat": a.by})
	case a.declined&bit(e.Seat) != 0:
		return no("table.ask.again", game.Args{"for": e.For.String()})
	case s.needed(e.For, e.Seat, s.at) == 0: // nobody is there to be asked
		return impossible(e)
	}
	*a = ask{open: true, by: e.Seat, to: int32(e.To), declined: a.declined}
	return nil
}

// answer agrees to an ask or declines it. The person who asked may withdraw it by
// declining.
func (s *state) answer(e *Entry) error {
	a := &s.asks[e.For]
	switch {
	case !a.open:
		return no("table.ask.none", game.Args{"for": e.For.String()})
	case e.Do == Agreed && a.by == e.Seat:
		return no("table.ask.own", nil)
	case e.Do == Agreed && a.agreed&bit(e.Seat) != 0:
		return no("table.ask.agreed", nil)
	case e.Do == Agreed:
		a.agreed |= bit(e.Seat)
	case a.by == e.Seat:
		a.close()
	default:
		a.declined |= bit(a.by)
		a.close()
	}
	return nil
}

// close ends an ask. It still remembers whose asking was declined.
func (a *ask) close() { *a = ask{declined: a.declined} }

// lapse ends all asks, since other people would have to answer now.
func (s *state) lapse() {
	for w := range s.asks {
		s.asks[w].close()
	}
}

// moved ends what a move settles: going on was the answer to going back, and
// everything may be asked again.
func (s *state) moved() {
	s.asks[Undo].close()
	for w := range s.asks {
		s.asks[w].declined = 0
	}
}
