package bot

import "slices"

// How hard greedy thinks.
const (
	greedyWorlds = 6
	greedyWidth  = 8
)

// greedy plans its own turn and takes what is worth most at its end; of equals the
// first in the order of the rules. It is a reference (ReferenceVersion) and never
// tuned: it judges by the game's ReferenceWorth, which stays as it is when Worth is
// improved.
func greedy[S, M comparable](m *mind[S, M]) []choice[M] {
	m.judgeByReference()
	choices := m.judge(m.worlds(greedyWorlds), greedyWidth)
	best(choices)
	return choices
}

// judge says of each move what it is worth if the rest of the turn is played well:
// the mean over the worlds. It leaves out moves for which there was no time.
func (m *mind[S, M]) judge(worlds []S, width int) []choice[M] {
	moves := m.sensible(&m.view, m.seat, nil)
	choices := make([]choice[M], len(moves))
	for i, move := range moves {
		choices[i].move = move
		if m.stop() && i > 0 {
			continue
		}
		sum := 0.0
		for w := range worlds {
			m.enter(w)
			sum += m.judgeIn(&worlds[w], move, width)
		}
		choices[i].worth, choices[i].judged = sum/float64(len(worlds)), true
	}
	return choices
}

// judgeIn is what a move is worth in one world.
func (m *mind[S, M]) judgeIn(world *S, move M, width int) float64 {
	s := *world
	m.rules.Play(&s, m.seat, move, nil)
	m.finish(&s, m.seat, m.rules.Turn(world), width)
	return m.plan.done.worth
}

// best puts the best choices first, those not judged last.
func best[M comparable](choices []choice[M]) {
	slices.SortStableFunc(choices, func(a, b choice[M]) int {
		switch {
		case a.judged != b.judged:
			if a.judged {
				return -1
			}
			return 1
		case a.worth > b.worth:
			return -1
		case a.worth < b.worth:
			return 1
		}
		return 0
	})
}
