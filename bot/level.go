package bot

import (
	"strconv"
	"strings"
)

// levelPrefix is what the name of a level begins with; its number follows, from
// 1 to Levels.
const levelPrefix = "level:"

// Levels is how many levels there are, from the weakest to the strongest.
const Levels = 10

// efforts says how hard each level thinks. The lowest compare what the moves they
// notice are worth at the end of their turn; the higher ones compare more and more
// turns by playing on from them, for longer and longer. What a level overlooks
// costs it no more than its bound, as far as it can judge, so that its mistakes are
// those of a player and not of a fool. Where whole turns are compared, one planned turn
// already takes the place of most of the others; see wholeShare.
func efforts() [Levels]effort {
	return [Levels]effort{
		{worlds: 2, width: 2, ways: 1, turns: 1, share: 0.22, bound: 6},
		{worlds: 2, width: 2, ways: 1, turns: 1, share: 0.31, bound: 5},
		{worlds: 3, width: 4, ways: 1, turns: 1, share: 0.44, bound: 4},
		{worlds: 3, width: 4, ways: 1, turns: 5, budget: 1, share: 0.55, bound: 4},
		{worlds: 3, width: 4, ways: 1, turns: 10, budget: 2, share: 0.72, bound: 4},
		{worlds: 4, width: 4, ways: 1, turns: 12, budget: 5, far: asSaid, share: 0.87, bound: 4},
		{worlds: 4, width: 4, ways: 1, turns: 20, budget: 5, far: asSaid, share: 1},
		{worlds: 5, width: 6, ways: 2, turns: 64, planned: 1, budget: 13, far: asSaid, share: 1, solve: 10_000},
		{worlds: 6, width: 6, ways: 2, turns: 120, planned: 2, budget: 48, far: asSaid, hunch: asSaid, share: 1, solve: 30_000, exact: 30_000},
		{worlds: 6, width: 6, ways: 2, turns: 250, planned: 120, budget: 500, far: asSaid, hunch: asSaid, share: 1, solve: 200_000, exact: 100_000},
	}
}

// Cost is about how many milliseconds of a core a player thinks about a turn, by
// its name alone. It serves to share cores, not to measure. A player that does not
// exist costs the most.
func Cost(player string) int {
	const plan = 2 // to plan one's own turn
	switch player {
	case Random:
		return 1
	case Easy, Greedy:
		return plan
	}
	if e, ok := level(player); ok {
		return plan + e.budget
	}
	return plan + efforts()[Levels-1].budget // players that plan everyone's turns or play many games out are among them
}

// Dear tells whether a player is dear: it costs more than the fourth level.
func Dear(player string) bool {
	return Cost(player) > Cost(levelPrefix+strconv.Itoa(lastCheap))
}

// lastCheap is the strongest level that is not dear.
const lastCheap = 4

// LevelName is the name of a level by its number.
func LevelName(n int) string { return levelPrefix + strconv.Itoa(n) }

// levelNames are the names of all levels.
func levelNames() []string {
	names := make([]string, Levels)
	for i := range names {
		names[i] = levelPrefix + strconv.Itoa(i+1)
	}
	return names
}

// level is the effort of a level; ok tells whether there is a level of that name.
func level(player string) (*effort, bool) {
	digits, ok := strings.CutPrefix(player, levelPrefix)
	if !ok {
		return nil, false
	}
	digits, changes, changed := strings.Cut(digits, trialSign)
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > Levels || strconv.Itoa(n) != digits {
		return nil, false
	}
	e := efforts()[n-1]
	return &e, !changed || e.change(changes)
}

// trialSign is what the changes begin with by which a level is tried out, such as
// level:9/budget=60/margin=0.05/far=6. Nobody meets such a player at a table.
const trialSign = "/"
