package bot

// How easy easy is.
const (
	easyWorlds = 2
	easyWidth  = 2
	easySees   = 3 // it sees one move in so many
	easyBound  = 3 // it makes no move outside the better third
)

// easy sees only a part of the moves, drawn at random, and takes the best of them,
// but never a bad one: its mistakes are bounded.
func easy[S, M comparable](m *mind[S, M]) []choice[M] {
	choices := m.judge(m.worlds(easyWorlds), easyWidth)
	best(choices)
	bound := (len(choices) + easyBound - 1) / easyBound
	if bound < 2 {
		bound = min(2, len(choices))
	}
	for i := range choices[:bound] {
		if m.rng.IntN(easySees) == 0 || i == bound-1 {
			return choices[i:]
		}
	}
	return choices
}
