package table

import "copse/game"

// ask is something that a person wants of the others.
type ask struct {
	open    bool
	by      game.Seat
	to      int32 // for Undo
	agreed  uint8 // who has, as bits
	refused uint8 // whose asking was refused since the last move, as bits
}

func bit(seat game.Seat) uint8 { return 1 << seat }

// needed are those whose consent a wish of seat needs at a moment, as bits. To
// abandon the game those count too who are away: it is theirs as well. To go back
// they count until the patience of the pace is over.
func (s *state) needed(w Wish, seat game.Seat, now Time) uint8 {
	var who uint8
	for other := range game.Seat(s.size) {
		p := &s.chairs[other]
		away := p.holder == Away && (w == Abandon || w == Undo && now < p.asked)
		if other != seat && (p.holder == Human || away) {
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
	case a.refused&bit(e.Seat) != 0:
		return no("table.ask.again", game.Args{"for": e.For.String()})
	case s.needed(e.For, e.Seat, s.at) == 0: // there is nobody to ask
		return impossible(e)
	}
	*a = ask{open: true, by: e.Seat, to: int32(e.To), refused: a.refused}
	return nil
}

// answer agrees to an ask or refuses it; who asked may refuse it too.
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
		a.refused |= bit(a.by)
		a.close()
	}
	return nil
}

// close ends an ask. What was refused stays refused.
func (a *ask) close() { *a = ask{refused: a.refused} }

// lapse ends all asks, since others would have to answer now.
func (s *state) lapse() {
	for w := range s.asks {
		s.asks[w].close()
	}
}

// moved ends what a move settles: to go back was answered by going on, and
// everything may be asked again.
func (s *state) moved() {
	s.asks[Undo].close()
	for w := range s.asks {
		s.asks[w].refused = 0
	}
}
