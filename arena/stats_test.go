package arena

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestStudentAsInTheTables: values that every table of the distribution has.
func TestStudentAsInTheTables(t *testing.T) {
	for _, c := range []struct{ p, degrees, want float64 }{
		{0.975, 1, 12.706205}, {0.975, 2, 4.302653}, {0.975, 5, 2.570582}, {0.975, 10, 2.228139}, {0.975, 30, 2.042272},
		{0.975, 100, 1.983972}, {0.975, 1e6, 1.959966}, {0.95, 4, 2.131847}, {0.995, 7, 3.499483}, {0.5, 3, 0},
	} {
		near(t, fmt.Sprint("student ", c.p, " ", c.degrees), student(c.p, c.degrees), c.want, 1e-5)
	}
}

// TestAnIntervalByHand: five groups with the shares 1, ½, ½, ¾, 0. The mean is
// 0.55, the squares of what they differ by add up to 0.55, so s² = 0.1375 and the
// half of the interval is 2.776445 · √(0.1375/5) = 0.460423.
func TestAnIntervalByHand(t *testing.T) {
	e := estimate([]float64{1, 0.5, 0.5, 0.75, 0})
	near(t, "mean", e.Mean, 0.55, 1e-12)
	near(t, "least", e.Least, 0.55-0.460423, 1e-5)
	near(t, "most", e.Most, 0.55+0.460423, 1e-5)
	if e = estimateShare([]float64{1, 0.5, 0.5, 0.75, 0}); e.Most != 1 {
		t.Errorf("a share goes up to %v", e.Most)
	}
	// All ten groups won: as Clopper and Pearson have it for 10 of 10.
	e = estimateShare(slices.Repeat([]float64{1}, 10))
	near(t, "ten of ten, least", e.Least, 0.691503, 1e-5)
	near(t, "ten of ten, most", e.Most, 1, 0)
	e = estimateShare(slices.Repeat([]float64{0}, 10))
	near(t, "none of ten, most", e.Most, 1-0.691503, 1e-5)
	e = estimateShare(slices.Repeat([]float64{0.5}, 10))
	if e.Least >= 0.5 || e.Most <= 0.5 || e.Least < 0.3 {
		t.Errorf("ten groups shared: %+v", e)
	}
	if e = estimateShare([]float64{1}); e.Least != 0 || e.Most != 1 {
		t.Errorf("of one group nothing follows, but %+v", e)
	}
	for _, e := range []Estimate{estimate([]float64{3}), estimate(nil)} {
		if raw, err := json.Marshal(e); err != nil || string(raw) != fmt.Sprintf(`{"mean":%v,"least":null,"most":null}`, e.Mean) {
			t.Errorf("%s, %v", raw, err)
		}
	}
}

// TestIntervalsHoldWhatTheySay draws groups of two games that tend to come out
// alike, and counts how often the interval holds the truth: about 95 in 100. An
// interval that counted every game by itself would hold it far less often.
func TestIntervalsHoldWhatTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const truth, runs, groups = 0.6, 2000, 60
	held := 0
	for range runs {
		x := make([]float64, groups)
		for g := range x {
			first := rng.Float64() < truth
			second := first
			if rng.Float64() < 0.3 {
				second = rng.Float64() < truth
			}
			for _, won := range []bool{first, second} {
				if won {
					x[g] += 0.5
				}
			}
		}
		if e := estimateShare(x); e.Least <= truth && truth <= e.Most {
			held++
		}
	}
	if share := float64(held) / runs; share < 0.935 || share > 0.97 {
		t.Errorf("the interval holds the truth in %.1f of 100", 100*share)
	}
}

func TestQuantiles(t *testing.T) {
	var list []uint32
	for n := range uint32(200) {
		list = append(list, 200-n)
	}
	if got := timesOf(list); got != (Times{Turns: 200, Median: 0.1, P99: 0.198, Most: 0.2}) {
		t.Errorf("of 1 to 200 microseconds: %+v", got)
	}
	if got := timesOf([]uint32{7000}); got != (Times{1, 7, 7, 7}) {
		t.Errorf("of one turn: %+v", got)
	}
	if got := timesOf(nil); got != (Times{}) {
		t.Errorf("of none: %+v", got)
	}
}

// TestTheLikelihoodOfWinsAndLosses: where a group is won or lost and nothing
// between, the ratio is Bernoulli's: 30 · ln(0.6/0.5) + 10 · ln(0.4/0.5).
func TestTheLikelihoodOfWinsAndLosses(t *testing.T) {
	q := SPRT{P0: 0.5, P1: 0.6, Alpha: 0.05, Beta: 0.05}
	shares := slices.Concat(slices.Repeat([]float64{1}, 30), slices.Repeat([]float64{0}, 10))
	got := q.test(shares)
	near(t, "llr", got.LLR, 30*math.Log(0.6/0.5)+10*math.Log(0.4/0.5), 0.002)
	near(t, "upper", got.Upper, math.Log(19), 1e-12)
	near(t, "lower", got.Lower, -math.Log(19), 1e-12)
	if got.Verdict != "p1" {
		t.Errorf("%+v", got)
	}
	// The other way round it is the other answer, and between the two it is open.
	if got := (SPRT{P0: 0.8, P1: 0.95, Alpha: 0.05, Beta: 0.05}).test(shares); got.Verdict != "p0" {
		t.Errorf("%+v", got)
	}
	if got := q.test(slices.Repeat([]float64{0.55}, 40)); got.Verdict != open {
		t.Errorf("%+v", got)
	}
	// Where nothing was played the ratio is even.
	near(t, "nothing played", q.test(nil).LLR, 0, 0.01)
	// Shares near each other settle it sooner than those far apart.
	if calm, wild := q.test(slices.Repeat([]float64{0.5, 0.75}, 20)), q.test(slices.Repeat([]float64{0.25, 1}, 20)); calm.LLR <= wild.LLR || wild.LLR <= 0 {
		t.Errorf("%v and %v", calm.LLR, wild.LLR)
	}
}

// TestATestErrsAsOftenAsItMay simulates matches in which one of the two answers is
// true, asks at every checkpoint, and counts wrong answers.
func TestATestErrsAsOftenAsItMay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	q := SPRT{P0: 0.5, P1: 0.6, Alpha: 0.05, Beta: 0.05}
	for truth, wrong := range map[float64]string{q.P0: "p1", q.P1: "p0"} {
		const runs = 300
		erred := 0
		for range runs {
			var shares []float64
			for {
				x := 0.0
				for range 2 {
					if rng.Float64() < truth {
						x += 0.5
					}
				}
				shares = append(shares, x)
				if len(shares)%checkpoint != 0 {
					continue
				}
				if got := q.test(shares).Verdict; got != open {
					if got == wrong {
						erred++
					}
					break
				}
			}
		}
		if share := float64(erred) / runs; share > 0.08 {
			t.Errorf("where the share is %v, %s is found in %.1f of 100", truth, wrong, 100*share)
		}
	}
}
