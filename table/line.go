package table

import (
	"slices"

	"copse/game"
)

// waypoint is what the table remembers of every entry, so that it finds the way back
// without playing the game again.
type waypoint struct {
	tip   int32     // the entry at the end of the line of play after it
	draws uint16    // how often chance had drawn along that line
	turn  uint16    // turns done
	actor game.Seat // who was to act
}

// before is the entry of the game before entry n on the same line.
func (t *Table) before(n int) int { return int(t.trace[n-1].tip) }

// onLine tells whether entry n is part of the line that ends at tip.
func (t *Table) onLine(tip, n int) bool {
	for at := tip; at >= t.began(); at = t.before(at) {
		if at == n {
			return true
		}
		if at == t.began() {
			break
		}
	}
	return false
}

// began is the entry with which the game began.
func (t *Table) began() int { return int(t.start) }

// mayUndo is nil where seat may ask that the game goes back to entry to: the entry
// is on the line of play, seat was to move after it, and nobody has left since then
// who is away and no longer asked.
func (t *Table) mayUndo(s *state, seat game.Seat, to int) error {
	switch {
	case t.settings.Undo == UndoNone:
		return no("table.undo.none", nil)
	case to < t.began() || to >= int(s.tip) || !t.onLine(int(s.tip), to) || t.trace[to].actor != seat:
		return no("table.undo.to", game.Args{"entry": to})
	}
	for other := range s.seats() {
		if c := &s.chairs[other]; c.holder == Away && to < int(c.since) && s.at >= c.asked {
			return no("table.undo.away", game.Args{"seat": other})
		}
	}
	return nil
}

// lastTurn is the entry to go back to, so that seat can make its last turn again,
// or what it has confirmed of this one.
func (t *Table) lastTurn(s *state, seat game.Seat) (to int, ok bool) {
	at := int(s.tip)
	for at > t.began() {
		at = t.before(at)
		if t.trace[at].actor != seat {
			continue
		}
		turn := t.trace[at].turn
		for to = at; at > t.began(); {
			at = t.before(at)
			if t.trace[at].turn != turn {
				break
			}
			if t.trace[at].actor == seat {
				to = at
			}
		}
		return to, true
	}
	return 0, false
}

// positionAt is the position after entry n, which must be an entry of the game. It
// plays on from the nearest position that is kept.
func (t *Table) positionAt(n int) game.Position {
	var way []int
	pos := t.kept(n)
	for at := n; pos == nil; pos = t.kept(at) {
		way = append(way, at)
		at = t.before(at)
	}
	for _, at := range slices.Backward(way) {
		e := t.entry(at)
		seat := e.Seat
		if e.Do == Drawn {
			seat = game.Chance
		}
		next, _, err := pos.Play(seat, e.Move)
		if err != nil {
			panic("table: a move that was made cannot be made again: " + err.Error())
		}
		pos = next
	}
	return pos
}

// kept is the position after entry n if it is kept, else nil.
func (t *Table) kept(n int) game.Position {
	if n == t.began() {
		return t.first
	}
	if int(t.now.tip) == n {
		return t.now.pos
	}
	for i := range t.stops {
		if s := &t.stops[i]; int(s.tip) == n && s.pos != nil {
			return s.pos
		}
	}
	return nil
}
