package arena

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestATieIsEveryOrder: of three seats the last two share the second rank.
func TestATieIsEveryOrder(t *testing.T) {
	got := rankings([]int{7, 8, 9}, []int{1, 2, 2}, 1)
	if len(got) != 2 || got[0].weight != 0.5 || got[1].weight != 0.5 || got[0].order[0] != 7 || got[0].order[1] == got[1].order[1] {
		t.Errorf("%v", got)
	}
	if got := rankings([]int{0, 1, 2, 3}, []int{1, 1, 1, 1}, 2); len(got) != 24 || math.Abs(got[0].weight-2.0/24) > 1e-12 {
		t.Errorf("four that share are %d orders of %v", len(got), got[0].weight)
	}
	if got := rankings([]int{4, 5, 6}, []int{3, 1, 2}, 1); len(got) != 1 || got[0].order[0] != 5 || got[0].order[1] != 6 || got[0].order[2] != 4 {
		t.Errorf("%v", got)
	}
}

// TestStrengthsAreFound makes rankings as often as the model says of strengths 1,
// 2, 4 and 8, at tables of two to four, and finds the strengths again.
func TestStrengthsAreFound(t *testing.T) {
	truth := []float64{1, 2, 4, 8}
	for _, tables := range [][][]int{
		{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}}, {{0, 1, 2, 3}}, {{0, 1}, {1, 2, 3}},
	} {
		var list []ranking
		for _, table := range tables {
			orders(table, 0, func(order []int) {
				p := 1.0
				for k := range order {
					left := 0.0
					for _, i := range order[k:] {
						left += truth[i]
					}
					p *= truth[order[k]] / left
				}
				list = append(list, ranking{append([]int(nil), order...), 1e7 * p})
			})
		}
		got := strengths(len(truth), list, nil)
		for i := range truth {
			near(t, "strength", got[i]/got[0], truth[i], 1e-3)
		}
	}
}

// TestTheFitIsTheLikeliest: where the algorithm ends, the likelihood has no slope.
func TestTheFitIsTheLikeliest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var list []ranking
	for range 60 {
		list = append(list, ranking{rng.Perm(5)[:2+rng.IntN(3)], 0.5 + rng.Float64()})
	}
	log := func(gamma []float64) float64 {
		sum := 0.0
		for i := range gamma {
			sum += anchor / 2 * (math.Log(gamma[i]) - 2*math.Log(gamma[i]+1))
		}
		for _, r := range list {
			for k := range r.order {
				left := 0.0
				for _, i := range r.order[k:] {
					left += gamma[i]
				}
				sum += r.weight * math.Log(gamma[r.order[k]]/left)
			}
		}
		return sum
	}
	gamma := strengths(5, list, nil)
	for i := range gamma {
		up, down := append([]float64(nil), gamma...), append([]float64(nil), gamma...)
		up[i] *= 1 + 1e-4
		down[i] *= 1 - 1e-4
		near(t, "slope", (log(up)-log(down))/2e-4, 0, 1e-5)
	}
}

// TestRatings: three wins to one are 400·log10(3) = 191 apart, a player that never
// lost has a rating too, and more groups make a rating more certain.
func TestRatings(t *testing.T) {
	few := [][]ranking{}
	for range 25 {
		few = append(few, rankings([]int{0, 1}, []int{1, 2}, 3), rankings([]int{0, 1}, []int{2, 1}, 1))
	}
	many := [][]ranking{}
	for range 20 {
		many = append(many, few...)
	}
	a, b := ratings(2, few, "x"), ratings(2, many, "x")
	near(t, "difference", b[0].Mean-b[1].Mean, 400*math.Log10(3), 1)
	near(t, "mean", b[0].Mean+b[1].Mean, 0, 1e-9)
	if width := func(e Estimate) float64 { return e.Most - e.Least }; width(a[0]) < 3*width(b[0]) || width(b[0]) <= 0 {
		t.Errorf("%+v of few, %+v of many", a, b)
	}
	if again := ratings(2, few, "x"); again[0] != a[0] || again[1] != a[1] {
		t.Errorf("%+v, then %+v", a, again)
	}
	never := ratings(3, [][]ranking{rankings([]int{0, 1}, []int{1, 2}, 1), rankings([]int{0, 1}, []int{1, 2}, 1)}, "x")
	if !(never[0].Mean > never[2].Mean && never[2].Mean > never[1].Mean) || math.IsInf(never[0].Most, 0) || math.IsNaN(never[0].Mean) {
		t.Errorf("one won all, one none, one did not play: %+v", never)
	}
}
