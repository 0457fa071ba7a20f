package bot

import "copse/game"

// How hard ahead thinks. It counts the positions that it looks at, not time, so
// that it finds the same move on every machine that is quick enough.
const (
	aheadWorlds = 4
	aheadWidth  = 16
	aheadMoves  = 8      // first moves from which it plays on
	aheadLooks  = 16_000 // positions at which it looks in doing so, more or less
)

// ahead plans its own turn and then plays on from the most promising first moves:
// everyone, itself included, makes of each turn what is best for them at its end.
// It takes the move that is worth most then.
func ahead[S, M comparable](m *mind[S, M]) []choice[M] {
	worlds := m.worlds(aheadWorlds)
	choices := m.judge(worlds, aheadWidth)
	best(choices)
	few := min(aheadMoves, len(choices))
	if few == 1 {
		return choices
	}
	looks := aheadLooks / (few * len(worlds))
	turns := 0 // it plays on from the others as far as from the first move
	seen := 0
	for i := range choices[:few] {
		sum := 0.0
		for w := range worlds {
			m.enter(w)
			s := worlds[w]
			m.rules.Play(&s, m.seat, choices[i].move, nil)
			m.finish(&s, m.seat, m.rules.Turn(&worlds[w]), aheadWidth)
			s = m.plan.done.s
			if turns == 0 {
				turns = m.farthest(s, looks)
			}
			m.playOn(&s, turns)
			sum += m.worth(&s, m.seat)
		}
		if m.stopped {
			break
		}
		choices[i].worth = sum / float64(len(worlds))
		seen++
	}
	if seen < 2 {
		return choices
	}
	choices = choices[:seen] // the others were judged without playing on and cannot be compared
	best(choices)
	return choices
}

// farthest is how many turns can be played on from s with so many looks: to the end
// of the game, or in whole rounds, one at least. So no seat has had a
// turn more than another when positions are compared.
func (m *mind[S, M]) farthest(s S, looks int) int {
	before, turns, round := m.looked, 0, m.rules.Seats()
	for m.playOn(&s, 1) {
		turns++
		if m.looked-before > looks {
			return max(turns/round, 1)*round - 1
		}
	}
	return turns + 1
}

// playOn plays so many turns, and tells whether the game had so many left.
func (m *mind[S, M]) playOn(s *S, turns int) bool {
	for range turns {
		m.leaveToChance(s)
		seat := m.rules.ToAct(s)
		if seat == game.None || m.stopped {
			return false
		}
		m.finish(s, seat, m.rules.Turn(s), 1)
		*s = m.plan.done.s
	}
	return true
}
