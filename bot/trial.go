//go:build !wasip1

package bot

import (
	"cmp"
	"strconv"
	"strings"
)

// How much trials may count, so that sums of it are whole numbers of 64 bits.
const (
	mostMargin = 1e4 // a point of the lead, beside a win
	mostHunch  = 1e5 // a hunch, beside a playout
)

// change makes changes, and tells whether all of them can be made.
func (e *effort) change(changes string) bool {
	for _, one := range strings.Split(changes, trialSign) {
		name, text, _ := strings.Cut(one, "=")
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= 1e6) { // NaN is neither
			return false
		}
		switch name {
		case "budget":
			e.budget, e.own, e.exactly = int(x), cmp.Or(e.own, e.budget), true
		case "margin":
			if x > mostMargin {
				return false
			}
			e.marginPart, e.weighed = x, true
		case "far":
			e.far, e.trusting = int(x), true
		case "hunch":
			if x > mostHunch {
				return false
			}
			e.hunch = int(x)
		case "former":
			e.former = x != 0
			e.trusting = e.trusting || e.former
		case "hasty":
			e.hasty = x != 0
		case "ends":
			e.ends = x != 0
		case "planned":
			e.planned = int(x)
		case "exact":
			e.exact = int(x)
		case "share":
			if x == 0 || x > 1 {
				return false
			}
			e.share = x
		case "bound":
			e.bound = x
		case "turns":
			e.turns = max(1, int(x))
		default:
			return false
		}
	}
	return true
}

// hastily is the first move of a plan, as playouts make them.
func (x *searcher[S, M]) hastily() []choice[M] {
	x.pcg.Seed(x.fate, 0)
	x.imagine(&x.s, x.dice)
	line := x.planner.Plan(&x.s, x.seat, x.dice, nil)[:1]
	return []choice[M]{{move: line[0], line: line}}
}
