package bot

import (
	"hash/fnv"
	"hash/maphash"
	"math/rand/v2"

	"copse/game"
	"copse/game/sums"
)

// Whole turns, for games in which the same small moves in many orders end in the
// same position (game.Confluent). A turn is thought through as elsewhere, but no
// position is looked at twice, whatever way led there, and of turns that begin
// alike many are compared.

// How many more positions of a turn a plan goes on from, and how many turns that
// begin alike are told apart.
const (
	wholeWidth = 1
	wholeWays  = 10
)

// wholeLucks is in how many ways chance goes on in the middle of a turn, to think
// the rest of the turn through.
const wholeLucks = 8

// wholeShare is how many times fewer turns are compared for their worth, where those
// that playouts would make are compared as well.
const wholeShare = 4

// wholes is the memory for it.
type wholes[S, M comparable] struct {
	game             game.Confluent[M]
	seed             maphash.Seed
	met              map[uint64]struct{} // positions that were come to, by their hash
	here, next, ends shortlist[S, M]
	rest             map[line[M]]*[wholeLucks]finished[S] // of turns that chance breaks up; nil for others
}

// finished is the end of a turn that was thought through.
type finished[S comparable] struct {
	s    S
	done bool
}

func newWholes[S, M comparable](c game.Confluent[M]) *wholes[S, M] {
	return &wholes[S, M]{game: c, seed: maphash.MakeSeed(), met: map[uint64]struct{}{}, rest: map[line[M]]*[wholeLucks]finished[S]{}}
}

// shortlist keeps the best few of what it is shown, the best first; of equals the
// first. It does not move what it keeps, since that is large.
type shortlist[S, M comparable] struct {
	kept  []outlined[S, M]
	order []int
	most  int
}

// reset empties the list and makes it keep so many.
func (l *shortlist[S, M]) reset(most int) { l.kept, l.order, l.most = l.kept[:0], l.order[:0], most }

// add keeps o if it is among the best.
func (l *shortlist[S, M]) add(o *outlined[S, M]) {
	n := len(l.order)
	if n < l.most {
		l.kept = append(l.kept, *o)
		l.order = append(l.order, n)
	} else {
		n--
		if o.worth <= l.kept[l.order[n]].worth {
			return
		}
		l.kept[l.order[n]] = *o
	}
	which := l.order[n]
	for ; n > 0 && l.kept[l.order[n-1]].worth < o.worth; n-- {
		l.order[n] = l.order[n-1]
	}
	l.order[n] = which
}

// wholePlans thinks a turn through from every first move by itself, and reports
// the best lines that begin with it, each with another end.
func (x *searcher[S, M]) wholePlans(world *S, moves []M, report func(*outlined[S, M])) {
	w, turn := x.whole, x.rules.Turn(world)
	clear(w.met)
	for i, move := range moves {
		if x.stop() && i > 0 {
			return
		}
		first := outlined[S, M]{s: *world}
		w.ends.reset(wholeWays * x.width)
		w.next.reset(wholeWidth * x.width)
		x.wholeStep(&first, move, turn)
		for len(w.next.order) > 0 {
			w.here, w.next = w.next, w.here
			w.next.reset(wholeWidth * x.width)
			for _, h := range w.here.order {
				from := &w.here.kept[h]
				x.list = x.sensible(&from.s, x.seat, x.list[:0])
				for _, move := range x.list {
					if x.stop() && len(w.ends.order)+len(w.next.order) > 0 {
						break
					}
					x.wholeStep(from, move, turn)
				}
			}
			if x.stopped && len(w.ends.order) > 0 {
				break
			}
		}
		for _, e := range w.ends.order {
			report(&w.ends.kept[e])
		}
	}
}

// wholeStep goes on by a move to a position that was not met before.
func (x *searcher[S, M]) wholeStep(from *outlined[S, M], move M, turn int) {
	w, o := x.whole, *from
	x.rules.Play(&o.s, x.seat, move, nil)
	reached := maphash.Comparable(w.seed, o.s)
	if _, met := w.met[reached]; met {
		return
	}
	w.met[reached] = struct{}{}
	if !o.closed {
		o.line.moves[o.line.n] = move
		o.line.n++
		o.closed = o.line.n == longestLine || x.rules.ToAct(&o.s) == game.Chance
	}
	o.worth = x.worth(&o.s, x.seat) // before chance, which has no part in how good a turn was
	if !x.over(&o.s, x.seat, turn) {
		w.next.add(&o)
	} else if !w.game.Idle(o.line.moves[:o.line.n]) {
		w.ends.add(&o)
	}
}

// addsPlanned tells whether turns are compared that playouts would make.
func (x *searcher[S, M]) addsPlanned() bool {
	return x.whole != nil && x.planner != nil && x.planned > 0 && x.budget > 0
}

// addPlanned adds turns to those that are compared that playouts would make, each with
// another end as far as chance has no part in it. Whoever wants to play as well as its
// playouts do must know what they would play, and the worth of a whole turn does not
// always tell. It is for players that overlook nothing.
func (x *searcher[S, M]) addPlanned() {
	if !x.addsPlanned() {
		return
	}
	known := map[line[M]]struct{}{}
	for i := range x.found {
		known[x.found[i].line] = struct{}{}
	}
	clear(x.whole.met)
	for n := range uint64(x.planned) {
		if x.stop() {
			return
		}
		c := candidate[M]{worlds: 1}
		c.worth = x.plannedTurn(n, &c.line)
		reached := maphash.Comparable(x.whole.seed, x.s)
		_, met := x.whole.met[reached]
		_, found := known[c.line]
		if met || found || x.whole.game.Idle(c.line.moves[:c.line.n]) {
			continue
		}
		x.whole.met[reached] = struct{}{}
		known[c.line] = struct{}{}
		x.found = append(x.found, c)
	}
}

// plannedTurn plays a turn by quick turns, in world number n, and says what it is worth.
// Unlike those of playouts they waver anew with each small move: they are to differ.
func (x *searcher[S, M]) plannedTurn(n uint64, l *line[M]) float64 {
	x.pcg.Seed(x.fate, n)
	x.luck = x.fate + n
	x.imagine(&x.s, x.dice)
	turn, closed := x.rules.Turn(&x.view), false
	for {
		x.list = x.planner.Plan(&x.s, x.seat, x.dice, x.list[:0])
		for _, move := range x.list {
			x.rules.Play(&x.s, x.seat, move, nil)
			if closed {
				continue
			}
			l.moves[l.n] = move
			l.n++
			closed = l.n == longestLine || x.rules.ToAct(&x.s) == game.Chance
		}
		worth := x.worth(&x.s, x.seat) // before chance, as elsewhere
		if x.over(&x.s, x.seat, turn) {
			return worth
		}
	}
}

// finishTurn goes on from a line that chance breaks up to the end of the turn, in
// playout number n. The turns with which it is compared were thought through, so
// this one must be: by the worth of each small move, and for a few ways in which
// chance may go on.
func (x *searcher[S, M]) finishTurn(l *line[M], n uint64) {
	if x.hidden || len(x.known) > 1 || x.rules.ToAct(&x.s) != game.Chance {
		return
	}
	turn, way, luck := x.rules.Turn(&x.view), n%wholeLucks, x.luck
	x.luck = x.fate + way
	rest, met := x.whole.rest[*l]
	if !met {
		if s := x.s; !x.over(&s, x.seat, turn) {
			rest = new([wholeLucks]finished[S])
		}
		x.whole.rest[*l] = rest
	}
	if rest != nil {
		f := &rest[way]
		if !f.done {
			x.over(&x.s, x.seat, turn) // chance goes on
			x.finish(&x.s, x.seat, turn, 1)
			*f = finished[S]{x.mind.plan.done.s, true}
		}
		x.s = f.s
	}
	x.luck = luck
}

// perMove is the exponent by which the share of moves that a player sees applies to
// each small move of a whole turn: the player sees a turn if it sees every move of
// it.
const perMove = 1.0 / 3

// sees tells whether a player that overlooks some of the moves sees a turn. Where
// whole turns are compared it overlooks small moves, each for the whole turn, and
// with them every turn in which they are made.
func (x *searcher[S, M]) sees(l *line[M]) bool {
	if x.whole == nil {
		return x.rng.Float64() < x.share
	}
	each := sums.Exp(perMove * sums.Log(x.share))
	for _, move := range l.moves[:l.n] {
		h := fnv.New64a()
		h.Write(x.rules.AppendMove(nil, move))
		if rand.New(rand.NewPCG(x.fate, h.Sum64())).Float64() >= each {
			return false
		}
	}
	return true
}
