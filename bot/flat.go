package bot

import (
	"math/bits"
	"slices"

	"copse/game"
)

// flat plays every move to the end of the game at random, many times, and takes the
// one that did best. It is a reference (ReferenceVersion): it does only this, and
// always will.
//
// Its n playouts are shared among the moves by sequential halving. There are ⌈log2
// moves⌉ rounds, and each has the same part of the n: in a round every move that is
// left is played out equally often, ⌊n / (rounds · moves left)⌋ times but once at
// least, and then the better half of them, rounded up, stays. With fewer playouts
// than moves in the first rounds, more than n are made. What a move brought in
// earlier rounds still counts: all that are left have had equally many playouts, so
// their sums compare like means. Of equals the one that is earlier in the order of
// the rules stays.
//
// Every playout imagines everything hidden anew. Where a game says which moves only
// undo what was done (game.Narrower), playouts leave those out.
func flat[S, M comparable](m *mind[S, M], n int) []choice[M] {
	moves := m.moves()
	f := newFlatter(m)
	left := make([]arm, len(moves))
	for i := range left {
		left[i].move = i
	}
	rounds := bits.Len(uint(len(moves) - 1)) // ⌈log2 moves⌉
	for range rounds {
		each := max(1, n/(rounds*len(left)))
		for i := range left {
			left[i].next = left[i].reward
			for range each {
				if m.stop() {
					return f.choices(moves, left)
				}
				left[i].next += f.playout(moves[left[i].move])
			}
		}
		for i := range left {
			left[i].reward = left[i].next
		}
		slices.SortFunc(left, func(a, b arm) int {
			switch {
			case a.reward > b.reward:
				return -1
			case a.reward < b.reward:
				return 1
			}
			return a.move - b.move
		})
		left = left[:(len(left)+1)/2]
	}
	return f.choices(moves, left)
}

// arm is a move by its place in the list, and what its playouts brought in all;
// next is the sum of a round under way, which time may still cut short.
type arm struct {
	move         int
	reward, next int64
}

// The reward of a playout is the share of the win and a thousandth of the margin,
// in whole parts: a win can be shared by two, three or four, and sums of whole
// numbers are the same on every machine.
const (
	rewardParts  = 12 * 1000
	rewardMargin = rewardParts / 1000 // a point of margin
)

// flatter makes playouts. It keeps its memory from one to the next, so that they
// allocate nothing.
type flatter[S, M comparable] struct {
	*mind[S, M]
	sampler game.Sampler[S, M] // nil where the game has none
	s       S
	list    []M
}

func newFlatter[S, M comparable](m *mind[S, M]) *flatter[S, M] {
	f := &flatter[S, M]{mind: m}
	f.sampler, _ = m.rules.(game.Sampler[S, M])
	return f
}

// playout imagines a world, makes a move in it, and plays on at random to the end
// of the game. It gives the reward.
func (f *flatter[S, M]) playout(move M) int64 {
	f.played++
	f.s = f.view
	f.rules.Imagine(&f.s, f.seat, f.rng)
	f.rules.Play(&f.s, f.seat, move, nil)
	f.toTheEnd()
	st := f.rules.Standing(&f.s)
	return reward(&st, f.rules.Seats(), f.seat)
}

// toTheEnd plays on at random.
func (f *flatter[S, M]) toTheEnd() {
	for {
		seat := f.rules.ToAct(&f.s)
		if seat == game.None {
			return
		}
		var m M
		switch {
		case seat == game.Chance:
			f.list = f.rules.Moves(&f.s, seat, f.list[:0])
			m = game.Outcome(f.rules, &f.s, f.list, f.rng)
		case f.sampler != nil:
			m = f.sampler.Sample(&f.s, seat, f.rng)
		default:
			f.list = f.sensible(&f.s, seat, f.list[:0])
			m = f.list[f.rng.IntN(len(f.list))]
		}
		f.rules.Play(&f.s, seat, m, nil)
	}
}

// reward is what the end of a game brings a seat: its share of the win, divided
// evenly among all of rank 1, and a thousandth of its lead over the best other.
func reward(st *game.Standing, seats int, seat game.Seat) int64 {
	winners, best, first := 0, game.Points(0), true
	for other, score := range st.Seats[:seats] {
		if score.Rank == 1 {
			winners++
		}
		if game.Seat(other) != seat && (first || score.Total > best) {
			best, first = score.Total, false
		}
	}
	own := &st.Seats[seat]
	sum := rewardMargin * (int64(own.Total) - int64(best))
	if own.Rank == 1 {
		sum += rewardParts / int64(winners)
	}
	return sum
}

// choices puts the moves that are left first, in their order. It judges none of
// them: a reference explains nothing.
func (f *flatter[S, M]) choices(moves []M, left []arm) []choice[M] {
	list := make([]choice[M], len(left))
	for i, a := range left {
		list[i].move = moves[a.move]
	}
	return list
}
