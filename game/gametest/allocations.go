package gametest

import "testing"

// Allocations is how often f allocates: the least of a few runs, since a run may
// also count what the rest of this process allocates. f is run twice or more.
func Allocations(f func()) float64 {
	const tries = 3
	least := testing.AllocsPerRun(1, f)
	for i := 1; i < tries && least > 0; i++ {
		least = min(least, testing.AllocsPerRun(1, f))
	}
	return least
}
