// Package sums has what is computed to choose a move, and could come out differently
// on another machine.
//
// A player chooses the same move on every machine, so nothing that a choice depends
// on may be computed differently anywhere. Sums, products, quotients and square roots
// of float64 are the same everywhere, as long as a product is rounded before it is
// added to something: float64(a*b) + c, or else some processors do both in one step.
// A test holds that for all players and games. Exponentials and logarithms are not:
// package math has its own for each processor. So here are ours, which are built of
// sums and products alone.
package sums

import "math"

const (
	ln2high = 6.93147180369123816490e-01 // ln 2 in two parts, of which the first has few digits,
	ln2low  = 1.90821492927058770002e-10 // so that a whole number of times it is exact
)

// Exp is e to the power of x, to within two units of its last digit, the same on every
// machine.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 710:
		return x * math.Inf(1) // +Inf, or NaN
	case x < -745:
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(k*ln2high)) - float64(k*ln2low) // within ln 2 / 2 of 0
	// The series of e^r; 14 terms are more than float64 can tell.
	sum := 1.0
	for n := 13.0; n > 0; n-- {
		sum = 1 + float64(float64(r*sum)/n)
	}
	return math.Ldexp(sum, int(k))
}

// Log is the natural logarithm of x, to within two units of its last digit, the same on
// every machine.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// ln m = 2 artanh z, whose series has odd powers alone; z is within 0.172 of 0.
	z := (m - 1) / (m + 1)
	square := float64(z * z)
	sum := 0.0
	for n := 25.0; n > 1; n -= 2 {
		sum = float64(square * (1/n + sum))
	}
	k := float64(e)
	return float64(k*ln2high) + (float64(k*ln2low) + 2*z + float64(2*z*sum))
}
