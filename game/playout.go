package game

import "math/rand/v2"

// Playout plays s to its end by random moves, each of a complete list, and
// counts the plies of players and chance and the length of all the lists. It
// uses buf for the lists and gives it back, grown if need be. A game that does
// not end within limit plies is left there.
func Playout[S, M comparable](r Rules[S, M], s *S, rng *rand.Rand, buf []M, limit int) (plies, listed int, grown []M) {
	for ; plies < limit; plies++ {
		seat := r.ToAct(s)
		if seat == None {
			break
		}
		buf = r.Moves(s, seat, buf[:0])
		listed += len(buf)
		var m M
		if seat == Chance {
			m = Outcome(r, s, buf, rng)
		} else {
			m = buf[rng.IntN(len(buf))]
		}
		r.Play(s, seat, m, nil)
	}
	return plies, listed, buf
}
