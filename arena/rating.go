package arena

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"copse/game"
)

// A ranking is the end of a game as Plackett and Luce see it: the winner is drawn
// from all at the table, each as likely as its strength among theirs, then the
// second from those left, and so on. With two players that is Bradley and Terry,
// and what Elo's numbers mean.

// ranking is players, by number, from the first to the last, and how much it
// counts.
type ranking struct {
	order  []int
	weight float64
}

// rankings are the orders that a result stands for. Seats that share a rank are
// taken in each of their orders, all counting the same, so a tie of two is half a
// win for each.
func rankings(who, ranks []int, weight float64) []ranking {
	bySeat := make([]int, len(who))
	for i := range bySeat {
		bySeat[i] = i
	}
	var list []ranking
	orders(bySeat, 0, func(order []int) {
		for i := range order[1:] {
			if ranks[order[i]] > ranks[order[i+1]] {
				return
			}
		}
		r := ranking{order: make([]int, len(order))}
		for i, seat := range order {
			r.order[i] = who[seat]
		}
		list = append(list, r)
	})
	for i := range list {
		list[i].weight = weight / float64(len(list))
	}
	return list
}

// orders visits all orders of what stands from i on; at most 24 of them.
func orders(list []int, i int, visit func([]int)) {
	if i == len(list) {
		visit(list)
		return
	}
	for j := i; j < len(list); j++ {
		list[i], list[j] = list[j], list[i]
		orders(list, i+1, visit)
		list[i], list[j] = list[j], list[i]
	}
}

// anchor is how many ties with an average player everyone is taken to have played.
// It matters only to those who have won everything or nothing: without it their
// rating would be infinite.
const anchor = 1.0

// strengths fits Plackett and Luce's model to rankings of n players by Hunter's
// MM algorithm (The Annals of Statistics 32, 2004, 384–406). Each step raises the
// likelihood: the new strength of a player is how often it was drawn, divided by
// how often it could have been, each time weighed by one over the strengths of
// all that were left:
//
//	γ ← Σ drawn / Σ 1 / (γ of all that were left)
//
// from is where it begins; nil for equals. The strength of an average player is 1.
func strengths(n int, list []ranking, from []float64) []float64 {
	gamma := slices.Clone(from)
	if gamma == nil {
		gamma = make([]float64, n)
		for i := range gamma {
			gamma[i] = 1
		}
	}
	drawn := make([]float64, n)
	for i := range drawn {
		drawn[i] = anchor / 2
	}
	for _, r := range list {
		for _, i := range r.order[:len(r.order)-1] { // the last is not drawn but left over
			drawn[i] += r.weight
		}
	}
	chances := make([]float64, n)
	for range 10_000 {
		for i := range chances {
			chances[i] = anchor / (gamma[i] + 1)
		}
		for _, r := range list {
			var left [game.MaxSeats + 1]float64 // the strength of those from a place on
			for k := len(r.order) - 1; k >= 0; k-- {
				left[k] = left[k+1] + gamma[r.order[k]]
			}
			sum := 0.0 // what the draws so far add to those who were still there
			for k, i := range r.order {
				if k < len(r.order)-1 {
					sum += r.weight / left[k]
				}
				chances[i] += sum
			}
		}
		moved := 0.0
		for i := range gamma {
			next := drawn[i] / chances[i]
			moved = max(moved, math.Abs(math.Log(next/gamma[i])))
			gamma[i] = next
		}
		if moved < 1e-9 {
			break
		}
	}
	return gamma
}

// elo turns strengths into ratings with a mean of 0: at a table of two, 400 more
// is ten to one.
func elo(gamma []float64) []float64 {
	list := make([]float64, len(gamma))
	for i, g := range gamma {
		list[i] = 400 * math.Log10(g)
	}
	mean := sum(list) / float64(len(list))
	for i := range list {
		list[i] -= mean
	}
	return list
}

// resamples is how often ratings are fitted to groups weighed anew.
const resamples = 300

// ratings fits ratings to groups of rankings and says how far they can be trusted:
// the fit is repeated with every group weighed at random, by an exponential number
// of mean 1 (the Bayesian bootstrap), and the interval holds 95 in 100 of the
// ratings. As everywhere the group is the unit. The result follows from the seed.
func ratings(n int, groups [][]ranking, seed string) []Estimate {
	// Equal rankings are counted together: there are far fewer of them than games.
	number := map[string]int{}
	var kinds []ranking
	use := make([][]counted, len(groups)) // kinds by number with their weight, by group
	for g, list := range groups {
		for _, r := range list {
			var name strings.Builder
			for _, i := range r.order {
				name.WriteString(strconv.Itoa(i) + " ")
			}
			k, ok := number[name.String()]
			if !ok {
				k = len(kinds)
				number[name.String()] = k
				kinds = append(kinds, ranking{order: r.order})
			}
			use[g] = append(use[g], counted{float64(k), r.weight})
		}
	}
	fit := func(weight func() float64, from []float64) []float64 {
		for k := range kinds {
			kinds[k].weight = 0
		}
		for _, list := range use {
			w := weight()
			for _, u := range list {
				kinds[int(u.value)].weight += w * u.count
			}
		}
		return strengths(n, kinds, from)
	}
	found := fit(func() float64 { return 1 }, nil)
	rng := rand.New(game.Seed{Secret: []byte(seed)}.Numbers(0))
	samples := make([][]float64, n)
	for range resamples {
		for i, r := range elo(fit(rng.ExpFloat64, found)) {
			samples[i] = append(samples[i], r)
		}
	}
	list := make([]Estimate, n)
	for i, r := range elo(found) {
		slices.Sort(samples[i])
		side := int(math.Round((1 - confidence) / 2 * resamples))
		list[i] = Estimate{r, min(r, samples[i][side]), max(r, samples[i][resamples-1-side])}
	}
	return list
}
