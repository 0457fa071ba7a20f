package bot

import "copse/game"

// A hunch is what the net says of where a turn leads, right after it. It says nothing of
// what others will do about the turn, but it wavers little, where a few playouts waver
// much: so it counts for some playouts, and for less and less beside those that a turn
// comes to.

// hunchWorlds is in how many worlds a turn is looked at for a hunch.
const hunchWorlds = 4

// hunchOf is for how many playouts a hunch counts, by the effort of a player; 0 for none.
func hunchOf[S, M comparable](e *effort, rules game.Playable[S, M]) int {
	f, ok := rules.(game.Featurer[S])
	switch {
	case !ok || f.Trained() == "" || e.budget == 0:
		return 0
	case e.hunch == asSaid:
		return f.Hunch(e.ownBudget())
	}
	return e.hunch
}

// foresee gives every turn that is compared its hunch, and says how many playouts that
// costs, if one takes so many turns. Where time was up nobody has one.
func (x *searcher[S, M]) foresee(turnsOfOne int) (playouts int) {
	if x.sage == nil {
		return 0
	}
	for i := range x.found {
		c := &x.found[i]
		var sum result
		for n := range uint64(hunchWorlds) {
			if x.stop() {
				for i := range x.found {
					x.found[i].hunch = 0
				}
				return 0
			}
			sum.add(x.afterTurn(&c.line, n))
		}
		c.hunch = sum.reward / hunchWorlds * int64(x.weight)
	}
	return hunchWorlds * len(x.found) * (x.netTurns() + shortPlayout) / turnsOfOne
}

// afterTurn is what the net says at the end of a turn, in world number n.
func (x *searcher[S, M]) afterTurn(l *line[M], n uint64) result {
	x.lay(l, n)
	if x.playTo(x.rules.Turn(&x.view) + 1) {
		return x.prize()
	}
	return x.foretold(x.sage, x.seat)
}
