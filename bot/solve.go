package bot

import (
	"cmp"
	"slices"

	"copse/game"
)

// How the end of a game is solved: where nothing is hidden and nothing is left to
// chance, the last turn of a game is looked through to its last move, and the turn
// before it with every answer to it.

// ending is what is left of a game when a turn is compared.
type ending int

const (
	farOff   ending = iota // many turns, chance, or something hidden
	oneTurn                // the turn that is thought of is the last
	twoTurns               // one more follows it
)

// ending tells how near the end is, by playing on once. Where that met neither
// chance nor a doubt about the world, the rules of the games we have settle how
// many turns are left.
func (x *searcher[S, M]) ending() ending {
	if x.solve == 0 || len(x.known) > 1 || x.hidden {
		return farOff
	}
	before := x.rules.Turn(&x.view)
	s := x.view
	for x.rules.Turn(&s) <= before+2 {
		seat := x.rules.ToAct(&s)
		switch seat {
		case game.None:
			return ending(x.rules.Turn(&s) - before)
		case game.Chance:
			return farOff
		}
		x.list = x.rules.Moves(&s, seat, x.list[:0])
		x.rules.Play(&s, seat, x.list[0], nil)
	}
	return farOff
}

// through looks a turn of seat through, every move of it and every one after, and
// shows each position in which it ends. It stops when it has looked at as many
// positions as it may, and tells whether it looked at all.
func (x *searcher[S, M]) through(s *S, seat game.Seat, turn int, l *line[M], looks *int, show func(*line[M], *S)) bool {
	from := len(x.ahead) // the moves of all the steps on the way lie one after the other
	x.ahead = x.rules.Moves(s, seat, x.ahead)
	defer func() { x.ahead = x.ahead[:from] }()
	for i := from; i < len(x.ahead); i++ {
		move := x.ahead[i]
		if *looks <= 0 || x.stop() {
			return false
		}
		*looks--
		next, longer := *s, *l
		x.rules.Play(&next, seat, move, nil)
		if longer.n < longestLine {
			longer.moves[longer.n] = move
			longer.n++
		}
		if x.rules.ToAct(&next) != seat || x.rules.Turn(&next) != turn {
			show(&longer, &next)
		} else if !x.through(&next, seat, turn, &longer, looks, show) {
			return false
		}
	}
	return true
}

// finishGame finds the best last turn by looking at all of them. It tells whether
// it could.
func (x *searcher[S, M]) finishGame() bool {
	looks := x.solve
	best := map[M]candidate[M]{}
	var order []M
	var none line[M]
	done := x.through(&x.view, x.seat, x.rules.Turn(&x.view), &none, &looks, func(l *line[M], end *S) {
		first := l.moves[0]
		old, met := best[first]
		if !met {
			order = append(order, first)
		}
		st := x.rules.Standing(end)
		if r := prize(&st, x.rules.Seats(), x.seat, x.point); !met || r.reward > old.reward {
			best[first] = candidate[M]{line: *l, result: r, played: 1}
		}
	})
	if !done {
		return false
	}
	x.found = x.found[:0]
	for _, first := range order {
		x.found = append(x.found, best[first])
	}
	return true
}

// answer looks at every answer to the turns that did best, and judges them by what
// is left then: the seat that answers does the best for itself. It judges as many
// turns as it can, the best first, and drops the others.
func (x *searcher[S, M]) answer() {
	x.order()
	var answered []result
	for left := x.solve; left > 0 && len(answered) < len(x.found); {
		var list []errand[M]
		for _, c := range x.found[len(answered):min(len(answered)+max(x.pieces, 1), len(x.found))] {
			list = append(list, errand[M]{lines: []line[M]{c.line}, looks: left})
		}
		reports, ok := x.send(list)
		if !ok {
			break
		}
		for _, r := range reports {
			if len(r.looked) == 0 || r.looked[0] > left {
				left = 0 // it would have been looked at no further, whoever did the others
				break
			}
			left -= r.looked[0]
			answered = append(answered, r.results[0])
		}
	}
	if len(answered) < 2 {
		return
	}
	x.found = x.found[:len(answered)]
	for i := range x.found {
		x.found[i].result, x.found[i].played, x.found[i].hunch = answered[i], 1, 0 // nothing is left to be guessed
	}
	slices.SortStableFunc(x.found, func(a, b candidate[M]) int { return cmp.Compare(b.reward, a.reward) })
}

// bestAnswer is what a turn brings after the answer to it that is best for whoever
// answers. It tells whether looks were enough to find that.
func (x *searcher[S, M]) bestAnswer(l *line[M], looks *int) (brings result, ok bool) {
	s := x.view
	for _, move := range l.moves[:l.n] {
		x.rules.Play(&s, x.seat, move, nil)
	}
	seat := x.rules.ToAct(&s)
	var reply result
	met := false
	var none line[M]
	ok = x.through(&s, seat, x.rules.Turn(&s), &none, looks, func(_ *line[M], end *S) {
		st := x.rules.Standing(end)
		if r := prize(&st, x.rules.Seats(), seat, x.point); !met || r.reward > reply.reward {
			reply, met = r, true
			brings = prize(&st, x.rules.Seats(), x.seat, x.point)
		}
	})
	return brings, ok
}
