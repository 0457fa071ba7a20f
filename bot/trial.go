//go:build !wasip1

package bot

import (
	"math"
	"strconv"
	"strings"

	"copse/game"
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
			e.budget = int(x)
		case "margin":
			e.marginPart, e.weighed = x, true
		case "far":
			e.far, e.trusting = int(x), true
		case "mix":
			e.mix = min(x, 1)
		case "keen":
			e.keen = int(x)
		case "hasty":
			e.hasty = x != 0
		case "ends":
			e.ends = x != 0
		case "planned":
			e.planned = int(x)
		case "exact":
			e.exact = int(x)
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

// playKeenly plays the best of a few turns, as the net judges them.
func (x *searcher[S, M]) playKeenly(seat game.Seat) {
	from, turn := x.s, x.rules.Turn(&x.s)
	best, high := from, int64(math.MinInt64)
	for range keenTries {
		x.s = from
		for x.rules.ToAct(&x.s) == seat && x.rules.Turn(&x.s) == turn {
			x.playPlan(seat)
		}
		if r := x.foretold(seat); r.reward > high {
			best, high = x.s, r.reward
		}
	}
	x.s = best
}

// mixed is a part of another result with the rest of this one.
func (r result) mixed(other result, part float64) result {
	share := parts(part) / 1000
	mix := func(a, b int64) int64 { return a + (b-a)/(whole/1000)*share }
	return result{mix(r.reward, other.reward), mix(r.wins, other.wins), mix(r.margin, other.margin)}
}
