package arena

import (
	"encoding/json"
	"math"
	"slices"
)

// Estimate is a mean, and the interval that holds the true value with 95 in 100.
// After a single group the interval is infinite.
type Estimate struct {
	Mean, Least, Most float64
}

// MarshalJSON writes null for a bound that is not known.
func (e Estimate) MarshalJSON() ([]byte, error) {
	bound := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Mean  float64  `json:"mean"`
		Least *float64 `json:"least"`
		Most  *float64 `json:"most"`
	}{e.Mean, bound(e.Least), bound(e.Most)})
}

// confidence is how sure an interval is, on both sides together.
const confidence = 0.95

// estimate is the mean of something that was measured once for each group, with its
// interval. The group is the unit: the games of a group share opening, chance and
// players, so they are no more independent than the two halves of one game; groups
// are. With G groups, x the mean over each and m the mean of all,
//
//	s² = Σ (x - m)² / (G - 1)        how much groups differ
//	m ± t · s / √G                   t: 97.5 % of Student's distribution, G - 1 degrees
//
// which asks nothing of the games within a group. If mirrored games balance each
// other out, groups differ less than games, and the interval is narrower than one
// that counts games; if they repeat each other, it is wider.
func estimate(x []float64) Estimate {
	if len(x) == 0 {
		return Estimate{0, math.Inf(-1), math.Inf(1)}
	}
	n := float64(len(x))
	mean := sum(x) / n
	if len(x) == 1 { // one group says nothing of how groups differ
		return Estimate{mean, math.Inf(-1), math.Inf(1)}
	}
	squares := 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	half := student(1-(1-confidence)/2, n-1) * math.Sqrt(squares/(n-1)/n)
	return Estimate{mean, mean - half, mean + half}
}

// estimateShare is the same for shares from 0 to 1. Groups that have all come out
// alike (everything won) say nothing of how they differ, and their interval would
// have no width. But what has never happened in G groups can still happen: with
// 97.5 in 100 in less than d = 1 - 0.025^(1/G) of them (as Clopper and Pearson have
// it). If in so many of them the share were 0, or 1, the mean would be m (1 - d),
// or m + (1 - m) d: the interval goes at least so far.
func estimateShare(x []float64) Estimate {
	e := estimate(x)
	if len(x) == 0 {
		return Estimate{0, 0, 1}
	}
	unseen := 1 - math.Pow((1-confidence)/2, 1/float64(len(x)))
	e.Least = max(0, min(e.Least, e.Mean*(1-unseen)))
	e.Most = min(1, max(e.Most, e.Mean+(1-e.Mean)*unseen))
	return e
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// student is the value that Student's distribution with so many degrees of freedom
// stays below with probability p, which is at least a half.
func student(p, degrees float64) float64 {
	low, high := 0.0, 1.0
	for studentBelow(high, degrees) < p {
		high *= 2
	}
	for range 200 {
		if middle := (low + high) / 2; studentBelow(middle, degrees) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// studentBelow is the probability that Student's distribution stays below t, which
// is at least 0.
func studentBelow(t, degrees float64) float64 {
	return 1 - beta(degrees/(degrees+t*t), degrees/2, 0.5)/2
}

// beta is the regularised incomplete beta function, by its continued fraction
// (Lentz's method), on the side on which that converges quickly.
func beta(x, a, b float64) float64 {
	if x <= 0 || x >= 1 {
		return min(1, max(0, x))
	}
	if x > (a+1)/(a+b+2) {
		return 1 - beta(1-x, b, a)
	}
	logAB, _ := math.Lgamma(a + b)
	logA, _ := math.Lgamma(a)
	logB, _ := math.Lgamma(b)
	front := math.Exp(logAB-logA-logB+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	away := func(v float64) float64 { // keeps a number away from zero
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 500; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+even*d), away(1+even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+odd*d), away(1+odd/c)
		f *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return front * f
}

// quantile is the least of the sorted numbers that at least a part q of them does
// not exceed; 0 where there are none.
func quantile(sorted []uint32, q float64) uint32 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// Times is how long turns took, in milliseconds. A turn is all of its small moves
// that the player thought about.
type Times struct {
	Turns  int     `json:"turns"`
	Median float64 `json:"median"`
	P99    float64 `json:"p99"` // 99 of 100 turns took no longer
	Most   float64 `json:"most"`
}

// timesOf sorts the microseconds of turns.
func timesOf(us []uint32) Times {
	slices.Sort(us)
	ms := func(q float64) float64 { return float64(quantile(us, q)) / 1000 }
	return Times{Turns: len(us), Median: ms(0.5), P99: ms(0.99), Most: ms(1)}
}

// SPRT is a question: does the first player named win a share of P0, or of P1?
// A match that asks it ends as soon as the answer is clear.
type SPRT struct {
	P0    float64 `json:"p0"`
	P1    float64 `json:"p1"`
	Alpha float64 `json:"alpha"` // how often P1 may be the answer where P0 is true
	Beta  float64 `json:"beta"`  // how often P0 may be the answer where P1 is true
}

// Test is how a question stands: LLR is the logarithm of how much likelier the
// results are with P1 than with P0. Above Upper P1 is the answer, below Lower P0.
type Test struct {
	SPRT
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Verdict string  `json:"verdict"` // p0, p1, or open
}

// open is the verdict while the question is not settled.
const open = "open"

// checkpoint is after how many groups a question is asked again. It is always asked
// at the same groups, so that the answer is the same on any number of cores.
const checkpoint = 8

// test asks the question of the shares of groups: Wald's sequential test, with a
// generalised likelihood ratio. Nothing is known of how the shares of groups are
// spread (a tie, two games won, one of two…), so for each of the two means it finds
// the spread over the shares that occurred which makes the results likeliest. The
// likelihoods are those of groups, not of games; see estimate.
func (q SPRT) test(shares []float64) Test {
	t := Test{SPRT: q, Lower: math.Log(q.Beta / (1 - q.Alpha)), Upper: math.Log((1 - q.Beta) / q.Alpha), Verdict: open}
	counts := spread(shares)
	t.LLR = likeliest(counts, q.P1) - likeliest(counts, q.P0)
	switch {
	case t.LLR >= t.Upper:
		t.Verdict = "p1"
	case t.LLR <= t.Lower:
		t.Verdict = "p0"
	}
	return t
}

// counted is a value and how often it occurred.
type counted struct{ value, count float64 }

// spread counts the values, from the lowest to the highest. 0 and 1 are taken to
// have occurred a little, so that there is always a spread with a given mean.
func spread(values []float64) []counted {
	const little = 1e-3
	sorted := slices.Sorted(slices.Values(values))
	list := []counted{{0, little}}
	for _, v := range sorted {
		if last := &list[len(list)-1]; v-last.value < 1e-9 {
			last.count++
		} else {
			list = append(list, counted{v, 1})
		}
	}
	if last := &list[len(list)-1]; 1-last.value < 1e-9 {
		last.count += little
	} else {
		list = append(list, counted{1, little})
	}
	return list
}

// likeliest is the logarithm of the greatest likelihood that the counted values
// can have with a given mean, up to a constant that does not depend on the mean.
// By Lagrange the likeliest spread gives value x of share f the probability
// f / (1 + k (x - mean)), where k is such that the mean is as given:
// Σ f (x - mean) / (1 + k (x - mean)) = 0, which falls in k.
func likeliest(list []counted, mean float64) float64 {
	// All probabilities are above 0 for k between these.
	low, high := -1/(list[len(list)-1].value-mean), 1/(mean-list[0].value)
	for range 200 {
		k := (low + high) / 2
		slope := 0.0
		for _, c := range list {
			slope += c.count * (c.value - mean) / (1 + k*(c.value-mean))
		}
		if slope > 0 {
			low = k
		} else {
			high = k
		}
	}
	k, log := (low+high)/2, 0.0
	for _, c := range list {
		log -= c.count * math.Log(1+k*(c.value-mean))
	}
	return log
}
