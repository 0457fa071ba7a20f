//go:build !wasip1

package bot

import (
	"math"

	"copse/game"
	"copse/game/sums"
)

// ismctsOf is ismcts; nil where it is left out.
func ismctsOf[S, M comparable]() func(*mind[S, M], int) []choice[M] { return ismcts[S, M] }

// ismcts searches a tree of small moves, with n playouts: single-observer
// information-set Monte Carlo tree search, as Cowling, Powley and Whitehouse
// describe it (2012). It is a reference (ReferenceVersion): it does only this, and
// always will.
//
// Every playout imagines everything hidden anew, each world as likely as any other,
// and goes down one tree for all worlds: a place in it is what was played since the
// root, whatever the world. On the way whoever is to act takes, of the moves that are
// legal in this world, one that the place has no branch for, any of them alike, and
// then the tree ends; where each has a branch, the one with the highest
//
//	mean reward of the one who acts + 0.7 · √(ln available / visits)
//
// where available counts how often the place was passed through while the move was
// legal; of equals the earlier in the order of the rules. Chance draws by its odds. From
// where the tree ends the game is played to its end at random, as flat does, and every
// branch on the way is credited with what that brings whoever took it: the reward of
// flat. The move that was taken most often is made; of equals the earlier in the order
// of the rules. A single legal move is made without any playout.
//
// Where a game says which moves only undo what was done (game.Narrower), they are left
// out below the root, and by playouts.
func ismcts[S, M comparable](m *mind[S, M], n int) []choice[M] {
	moves := m.moves()
	if len(moves) == 1 {
		return []choice[M]{{move: moves[0]}}
	}
	t := &tree[S, M]{flatter: newFlatter(m), branches: map[way[M]]int32{}, nodes: make([]node, 1, n+1)}
	for range n {
		if m.stop() {
			break
		}
		t.iterate(moves)
	}
	best, most := moves[0], int32(-1)
	for _, move := range moves {
		visits := int32(0)
		if at, ok := t.branches[way[M]{0, move}]; ok {
			visits = t.nodes[at].visits
		}
		if visits > most {
			best, most = move, visits
		}
	}
	return []choice[M]{{move: best}}
}

// exploration is how much a branch counts that was seldom taken.
const exploration = 0.7

// node is a place in the tree, and the branch that leads to it.
type node struct {
	seat      game.Seat // who took the branch
	visits    int32     // how often it was taken
	available int32     // how often it could have been
	reward    int64     // of whoever took it, in the parts of flat
}

// way is a branch: where it begins, and the move.
type way[M comparable] struct {
	from int32
	move M
}

// tree is what ismcts has found so far. Its root is node 0.
type tree[S, M comparable] struct {
	*flatter[S, M]
	branches map[way[M]]int32
	nodes    []node
	path     []int32
	known    []int32 // the branches of a place that are legal in this world
	fresh    []M     // the moves that there is no branch for
}

// iterate goes down the tree once, plays on, and notes what that brought.
func (t *tree[S, M]) iterate(moves []M) {
	t.played++
	t.s = t.view
	t.rules.Imagine(&t.s, t.seat, t.rng)
	t.path = t.path[:0]
	for at, grown := int32(0), false; !grown; {
		seat := t.rules.ToAct(&t.s)
		if seat == game.None {
			break
		}
		var move M
		switch {
		case seat == game.Chance:
			t.list = t.rules.Moves(&t.s, seat, t.list[:0])
			move = game.Outcome(t.rules, &t.s, t.list, t.rng)
			if at, grown = t.branch(at, move); grown {
				t.nodes[at].seat = seat
			}
		default:
			if at == 0 {
				t.list = append(t.list[:0], moves...)
			} else {
				t.list = t.sensible(&t.s, seat, t.list[:0])
			}
			at, move, grown = t.choose(at, seat)
		}
		t.path = append(t.path, at)
		t.rules.Play(&t.s, seat, move, nil)
	}
	t.toTheEnd()
	st := t.rules.Standing(&t.s)
	var brought [game.MaxSeats]int64
	for seat := range game.Seat(t.rules.Seats()) {
		brought[seat] = reward(&st, t.rules.Seats(), seat)
	}
	for _, at := range t.path {
		if one := &t.nodes[at]; one.seat >= 0 {
			one.visits++
			one.reward += brought[one.seat]
		}
	}
}

// branch is where a move leads to; grown tells whether that is new.
func (t *tree[S, M]) branch(from int32, move M) (to int32, grown bool) {
	to, ok := t.branches[way[M]{from, move}]
	if !ok {
		to = int32(len(t.nodes))
		t.branches[way[M]{from, move}] = to
		t.nodes = append(t.nodes, node{})
	}
	return to, !ok
}

// choose takes one of the moves that are listed, for whoever is to act at a place.
func (t *tree[S, M]) choose(at int32, seat game.Seat) (to int32, move M, grown bool) {
	t.known, t.fresh = t.known[:0], t.fresh[:0]
	for _, m := range t.list {
		if to, ok := t.branches[way[M]{at, m}]; ok {
			t.nodes[to].available++
			t.known = append(t.known, to)
		} else {
			t.fresh = append(t.fresh, m)
		}
	}
	if len(t.fresh) > 0 {
		move = t.fresh[t.rng.IntN(len(t.fresh))]
		to, _ = t.branch(at, move)
		t.nodes[to].seat, t.nodes[to].available = seat, 1
		return to, move, true
	}
	best := 0
	high := math.Inf(-1)
	for i, to := range t.known { // in the order of the moves, since none is fresh
		if bound := t.nodes[to].bound(); bound > high {
			best, high = i, bound
		}
	}
	return t.known[best], t.list[best], false
}

// bound is how good a branch may be. Each step is rounded by itself, so that no
// machine joins two of them and finds another number.
func (n *node) bound() float64 {
	visits := float64(n.visits)
	mean := float64(float64(n.reward)/rewardParts) / visits
	doubt := exploration * math.Sqrt(float64(sums.Log(float64(n.available))/visits))
	return mean + float64(doubt)
}
