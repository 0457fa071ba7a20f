package table

import (
	"slices"

	"copse/game"
)

// mark is what is remembered of every entry, so that the way back is found
// without playing the game again.
type mark struct {
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

// mayUndo is nil where seat may want the game to go back to entry to: on the
// line of play, where it was to move, and not behind the back of somebody who
// has gone away since and is not asked.
func (t *Table) mayUndo(s *state, seat game.Seat, to int) error {
	switch {
	case t.settings.Undo == UndoNone:
		return no("table.undo.none", nil)
	case to < t.began() || to >= int(s.tip) || !t.onLine(int(s.tip), to) || t.trace[to].actor != seat:
		return no("table.undo.to", game.Args{"entry": to})
	}
	for other := range s.seats() {
		if p := &s.chairs[other]; p.holder == Away && to < int(p.since) && s.at >= p.asked {
			return no("table.undo.away", game.Args{"seat": other})
		}
	}
	return nil
}

// lastTurn is the entry to go back to so that seat can make its last turn, or
// what it has confirmed of this one, again.
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

// positionAt is the position after entry n, which is one of the game. It is
// found by playing on from the nearest that is kept.
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
