// Package rating says how strong people are, from how they ranked at tables of two to
// four, ties included. The model is Plackett and Luce's: the winner is drawn from all
// at the table, each as likely as its strength among theirs, then the second from
// those left. What is known of a person is a normal distribution, and a game changes
// it as Weng and Lin found (Journal of Machine Learning Research 12, 2011, 267–300,
// algorithm 4), which OpenSkill made known.
//
// Points are those of the arena: 400 more is ten to one. How much a lead in strength
// counts depends on how many sit at the table (in Bosk it is nearly everything at two,
// and little at four), so 400 is ten to one at a table of the middling size, and the
// stretch of a size says how many times as many points it takes there. On the same
// scale stand the ten levels of the bots, as the arena has measured them; they are
// anchors, which no game moves. So what is known of a person is an interval on a scale
// that anybody can play against.
//
// Everything here is pure, and the same on every machine: whoever has the results
// can compute all ratings again.
package rating

import (
	"math"

	"copse/game/sums"
)

// Rating is what is known of somebody's strength: about Mean points, and as far off as
// Spread, one standard deviation, says. Both are in whole hundredths, so that they are
// written and read without a loss.
type Rating struct {
	Mean   float64 `json:"mean"`
	Spread float64 `json:"spread"`
}

// The model. The mean of the levels is 1500 points (see anchors.go).
const (
	startMean   = 1500
	startSpread = 250 // the levels themselves are some 200 to 250 apart from their mean

	// scale is how many points make e to one where the stretch is 1: 400 / ln 10.
	scale = 173.71779276130073

	// doubt is how much of a variance counts as luck of the day. A logistic curve of
	// scale s is as wide as a normal one of variance π²s²/3, so 3/π² = 0.30 would do if
	// everybody's errors were their own; those who meet each other share theirs. Of 0.3,
	// 0.45, 0.65 and 1, which Weng and Lin have, the intervals held what they say at
	// 0.45 and 0.65 in the simulation of rating_test.go.
	doubt = 0.5

	// drift is how far somebody's strength is taken to wander from game to game, in
	// points: without it a rating would one day stand still. With it the spread of
	// somebody who plays on ends at about 50.
	drift = 6

	// leastLeft is the least part of a variance that one game leaves, as OpenSkill has it.
	leastLeft = 0.0001

	// wide is how many spreads an interval goes to either side: it holds 95 of 100.
	wide = 1.96
)

// Start is what is known of somebody who has not played.
func Start() Rating { return Rating{startMean, startSpread} }

// Least and Most are the ends of the interval that holds the true strength in 95 of
// 100 cases, as far as the model goes.
func (r Rating) Least() float64 { return r.Mean - float64(wide*r.Spread) }

// Most is the upper end of that interval.
func (r Rating) Most() float64 { return r.Mean + float64(wide*r.Spread) }

// Player is somebody at a table, before the game.
type Player struct {
	Rating
	Fixed bool // an anchor: it counts for the others, and no game changes it
}

// After is what is known of everybody after a game in which they ranked so: 1 for the
// first, and the same number for those who share a rank. Anchors stay as they were.
//
// Of Weng and Lin's formulas, with people as teams of one:
//
//	c² = Σ (σ²/2 + β²)                            over all at the table
//	p(i,q) = e^(μi/c) / Σ e^(μs/c)                over all s that rank no better than q
//	Ω = Σ (1 if i = q) − p(i,q), each divided by how many share the rank of q    over all q that rank no worse than i
//	Δ = Σ p(i,q) (1 − p(i,q)), likewise divided
//	μ ← μ + σ²/c · Ω          σ² ← σ² · (1 − σ²/c² · Δ)
//
// β, the luck of the day, is chosen such that c is the scale of points times the
// stretch for people who are known exactly: that is what the arena has measured at
// tables of this size, and else a person of one strength would have another rating at
// each size. The half of σ² is doubt, see there. The factor γ, by which Weng and Lin leave it open how quickly a spread shrinks, is 1:
// then it shrinks by what a game tells, and the interval holds what it says (the test
// measures that).
func After(stretch float64, players []Player, ranks []int) []Rating {
	before := make([]Rating, len(players))
	known := float64(float64(scale*stretch) * float64(scale*stretch))
	for i, p := range players {
		before[i] = p.Rating
		if p.Fixed {
			before[i].Spread = 0
			continue
		}
		before[i].Spread = math.Sqrt(float64(p.Spread*p.Spread) + drift*drift)
		known += float64(doubt * float64(before[i].Spread*before[i].Spread))
	}
	after := plackettLuce(before, ranks, math.Sqrt(known))
	for i, p := range players {
		if p.Fixed {
			after[i] = p.Rating
			continue
		}
		after[i] = Rating{hundredths(after[i].Mean), hundredths(after[i].Spread)}
	}
	return after
}

// plackettLuce is one step of Weng and Lin's algorithm 4 with γ = 1.
func plackettLuce(before []Rating, ranks []int, c float64) []Rating {
	n := len(before)
	strength := make([]float64, n)
	for i, r := range before {
		strength[i] = sums.Exp((r.Mean - before[0].Mean) / c) // what counts is the difference, which stays small
	}
	after := make([]Rating, n)
	for i, r := range before {
		omega, delta := 0.0, 0.0
		for q := range before {
			if ranks[q] > ranks[i] {
				continue
			}
			left, shared := 0.0, 0.0
			for s := range before {
				if ranks[s] >= ranks[q] {
					left += strength[s]
				}
				if ranks[s] == ranks[q] {
					shared++
				}
			}
			p := strength[i] / left
			if i == q {
				omega += (1 - p) / shared
			} else {
				omega -= p / shared
			}
			delta += float64(p*(1-p)) / shared
		}
		variance := float64(r.Spread * r.Spread)
		after[i] = Rating{
			Mean:   r.Mean + float64(variance/c*omega),
			Spread: math.Sqrt(float64(variance * max(1-float64(variance/float64(c*c)*delta), leastLeft))),
		}
	}
	return after
}

// hundredths is a number of points in whole hundredths.
func hundredths(x float64) float64 { return math.Round(x*100) / 100 }
