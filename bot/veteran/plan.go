package veteran

import "copse/game"

// plan is a turn thought through, small move by small move. Of the positions after
// equally many moves it goes on only from the most promising. It keeps its memory
// from one turn to the next.
type plan[S, M comparable] struct {
	here, next []stage[S] // the most promising, best first
	done       stage[S]   // the best end of the turn
	ended      bool       // there is one
	moves      []M
}

// stage is a position that a plan comes to, and what it is worth to the seat that
// plans.
type stage[S any] struct {
	s     S
	worth float64
}

// finish thinks the rest of a turn of seat through from s. It goes on from at most
// width positions at a time, and leaves the best end in m.plan.done.
func (m *mind[S, M]) finish(s *S, seat game.Seat, turn, width int) {
	p := &m.plan
	p.here, p.ended = p.here[:0], false
	if m.over(s, seat, turn) {
		p.done = stage[S]{*s, m.worth(s, seat)}
		return
	}
	p.here = append(p.here, stage[S]{s: *s})
	for len(p.here) > 0 {
		p.next = p.next[:0]
		for i := range p.here {
			p.moves = m.sensible(&p.here[i].s, seat, p.moves[:0])
			for _, move := range p.moves {
				if m.stop() && (p.ended || len(p.next) > 0) {
					break // time is up: any way to the end of the turn will do
				}
				s := p.here[i].s
				m.rules.Play(&s, seat, move, nil)
				if over := m.over(&s, seat, turn); over {
					p.end(&s, m.worth(&s, seat))
				} else {
					p.goOn(&s, m.worth(&s, seat), width)
				}
			}
		}
		p.here, p.next = p.next, p.here
	}
}

// over tells whether the turn of seat is done in s. Where chance acts within the
// turn, over lets it draw.
func (m *mind[S, M]) over(s *S, seat game.Seat, turn int) bool {
	if m.rules.Turn(s) == turn {
		m.leaveToChance(s)
	}
	return m.rules.Turn(s) != turn || m.rules.ToAct(s) != seat
}

// end keeps an end of the turn if it is the best so far; of equals the first.
func (p *plan[S, M]) end(s *S, worth float64) {
	if !p.ended || worth > p.done.worth {
		p.done, p.ended = stage[S]{*s, worth}, true
	}
}

// goOn keeps a position if it is among the width most promising; of equals the
// first.
func (p *plan[S, M]) goOn(s *S, worth float64, width int) {
	n := len(p.next)
	switch {
	case n < width:
		p.next = append(p.next, stage[S]{})
	case worth <= p.next[n-1].worth:
		return
	default:
		n--
	}
	at := n
	for at > 0 && p.next[at-1].worth < worth {
		at--
	}
	copy(p.next[at+1:], p.next[at:n])
	p.next[at] = stage[S]{*s, worth}
}
