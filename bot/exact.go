package bot

import (
	"hash/maphash"
	"math"
	"time"

	"copse/game"
)

// How the end of a game is solved exactly: every way in which it may go on is looked
// at, whoever acts does the best for itself, of equals the first in the order of the
// rules, and chance counts by its odds. No position is looked at twice. Where that is
// more than may be looked at, nothing is solved, and turns are compared as elsewhere.

// endedIn is what the end of a game brings everyone, and all of it that is told to
// the seat that thinks.
type endedIn struct {
	reward [game.MaxSeats]int64
	own    result
}

// exact solves what is left of one game.
type exact[S, M comparable] struct {
	x       *searcher[S, M]
	settler game.Settler[S]
	last    int // the turn with which the game must have ended
	looks   int
	seed    maphash.Seed
	met     map[uint64]endedIn
	moves   []M // of all the steps on the way, one after the other
}

func newExact[S, M comparable](x *searcher[S, M], last, looks int) *exact[S, M] {
	e := &exact[S, M]{x: x, last: last, looks: looks, seed: maphash.MakeSeed(), met: map[uint64]endedIn{}}
	e.settler, _ = x.rules.(game.Settler[S])
	return e
}

// brings is what the end of the game brings, from s on. It tells whether it could be
// found out.
func (e *exact[S, M]) brings(s *S) (endedIn, bool) {
	rules := e.x.rules
	seat := rules.ToAct(s)
	if seat == game.None {
		return e.end(s), true
	}
	if e.settler != nil {
		e.settler.Settle(s)
	}
	key := maphash.Comparable(e.seed, *s)
	if known, ok := e.met[key]; ok {
		return known, true
	}
	if e.looks <= 0 || rules.Turn(s) > e.last || e.x.stop() {
		return endedIn{}, false
	}
	from := len(e.moves)
	e.moves = rules.Moves(s, seat, e.moves)
	defer func() { e.moves = e.moves[:from] }()
	var sum endedIn
	odds := int64(0)
	for i := from; i < len(e.moves); i++ {
		move := e.moves[i]
		e.looks--
		next := *s
		rules.Play(&next, seat, move, nil)
		then, ok := e.brings(&next)
		if !ok {
			return endedIn{}, false
		}
		switch {
		case seat == game.Chance:
			o := int64(rules.Odds(s, move))
			odds += o
			sum.add(&then, o)
		case i == from || then.reward[seat] > sum.reward[seat]:
			sum = then
		}
	}
	if seat == game.Chance {
		sum.share(odds)
	}
	e.met[key] = sum
	return sum, true
}

// end is what a game that is over brings.
func (e *exact[S, M]) end(s *S) (end endedIn) {
	st := e.x.rules.Standing(s)
	for seat := range game.Seat(e.x.rules.Seats()) {
		r := prize(&st, e.x.rules.Seats(), seat, e.x.point)
		end.reward[seat] = r.reward
		if seat == e.x.seat {
			end.own = r
		}
	}
	return end
}

// add adds so many times what another end brings.
func (b *endedIn) add(o *endedIn, times int64) {
	for seat := range b.reward {
		b.reward[seat] += times * o.reward[seat]
	}
	b.own.add(result{times * o.own.reward, times * o.own.wins, times * o.own.margin})
}

// share divides what ends bring together among so many.
func (b *endedIn) share(among int64) {
	for seat := range b.reward {
		b.reward[seat] /= among
	}
	b.own = result{b.own.reward / among, b.own.wins / among, b.own.margin / among}
}

// exactTime is the part of the time that is left which may be spent on solving the end:
// where a slow machine does not come to it, turns are still compared.
const exactTime = 3

// solved finds the best turn exactly, and tells whether it could.
func (x *searcher[S, M]) solved() bool {
	if x.exact == 0 || x.hidden {
		return false
	}
	until := x.deadline
	if x.limited {
		x.deadline = time.Now().Add(time.Until(until) / exactTime)
	}
	ok := x.solveEnd()
	x.deadline = until
	if x.stopped && x.ctx.Err() == nil && (!x.limited || time.Now().Before(until)) {
		x.stopped, x.hurried = false, true
	}
	return ok
}

// solveEnd gives each first move with the best that can follow it, and tells whether
// that could be found.
func (x *searcher[S, M]) solveEnd() bool {
	if len(x.known) > 0 {
		return x.believedEnd()
	}
	last, looks := x.lastTurn(x.view)
	if looks == 0 {
		return false
	}
	e := newExact(x, last, looks)
	moves := x.rules.Moves(&x.view, x.seat, nil)
	var found []candidate[M]
	for _, move := range moves {
		s := x.view
		c := candidate[M]{played: 1}
		c.line.moves[0], c.line.n = move, 1
		x.rules.Play(&s, x.seat, move, nil)
		then, ok := e.brings(&s)
		if !ok {
			return false
		}
		c.result = then.own
		e.follow(&s, &c.line, then.own.reward)
		found = append(found, c)
	}
	x.found = found
	return true
}

// follow adds to a line what is best for the rest of the turn, where that brings so
// much.
func (e *exact[S, M]) follow(s *S, l *line[M], reward int64) {
	rules, turn := e.x.rules, e.x.rules.Turn(&e.x.view)
	for found := true; found && l.n < longestLine && rules.ToAct(s) == e.x.seat && rules.Turn(s) == turn; {
		found = false
		for _, move := range rules.Moves(s, e.x.seat, nil) {
			next := *s
			rules.Play(&next, e.x.seat, move, nil)
			then, ok := e.brings(&next)
			if !ok || then.own.reward != reward {
				continue // all of them were looked at, so it is another that brings as much
			}
			l.moves[l.n], *s = move, next
			l.n++
			found = true
			break
		}
	}
}

// exactRounds is how many rounds before the end of a game may be solved.
const exactRounds = 2

// chancePart is the part of the looks that is left where chance is still to come: there
// much more is looked at in vain.
const chancePart = 5

// lastTurn is the turn with which the game ends, and how much may be looked at to solve
// what is left; 0 where the end is not near. It is found by playing on once: two rounds
// may be left, or a single turn where chance is still to come. Should the game go on for
// longer after other moves, nothing is solved.
func (x *searcher[S, M]) lastTurn(s S) (turn, looks int) {
	before, looks := x.rules.Turn(&s), x.exact
	near := before + exactRounds*x.rules.Seats()
	for x.rules.Turn(&s) <= near {
		seat := x.rules.ToAct(&s)
		switch seat {
		case game.None:
			return x.rules.Turn(&s), looks
		case game.Chance:
			near, looks = before+1, x.exact/chancePart
		}
		x.list = x.rules.Moves(&s, seat, x.list[:0])
		x.rules.Play(&s, seat, x.list[0], nil)
	}
	return 0, 0
}

// believedEnd finds the best last turn where something is hidden and every world is
// known that may be true: what each turn brings in all of them, by their odds. It tells
// whether it could.
func (x *searcher[S, M]) believedEnd() bool {
	before := x.rules.Turn(&x.view)
	if last, looks := x.lastTurn(x.known[0]); last != before+1 || looks < x.exact {
		return false
	}
	looks := x.exact / len(x.known)
	best := map[M]candidate[M]{}
	var order []M
	var none line[M]
	over := true
	done := x.through(&x.known[0], x.seat, before, &none, &looks, func(l *line[M], _ *S) {
		r, ended := x.expected(l)
		over = over && ended
		first := l.moves[0]
		old, met := best[first]
		if !met {
			order = append(order, first)
		}
		if !met || r.reward > old.reward {
			best[first] = candidate[M]{line: *l, result: r, played: 1}
		}
	})
	if !done || !over {
		return false
	}
	x.found = x.found[:0]
	for _, first := range order {
		x.found = append(x.found, best[first])
	}
	return true
}

// expected is what a last turn brings in all the worlds that are believed in, by their
// odds, and whether the game is over then.
func (x *searcher[S, M]) expected(l *line[M]) (mean result, over bool) {
	reward, wins, margin, all := 0.0, 0.0, 0.0, 0.0
	for i, s := range x.known {
		for _, move := range l.moves[:l.n] {
			x.rules.Play(&s, x.seat, move, nil)
		}
		if x.rules.ToAct(&s) != game.None {
			return result{}, false
		}
		st := x.rules.Standing(&s)
		r := prize(&st, x.rules.Seats(), x.seat, x.point)
		reward += float64(x.odds[i] * float64(r.reward))
		wins += float64(x.odds[i] * float64(r.wins))
		margin += float64(x.odds[i] * float64(r.margin))
		all += x.odds[i]
	}
	return result{int64(math.Round(reward / all)), int64(math.Round(wins / all)), int64(math.Round(margin / all))}, true
}
