//go:build !planted

package main

import (
	"copse/server/hall"
	"copse/store"
	"copse/store/postgres"
)

// planted is what the tests of package cluster do to a node of their own build. A
// real one has its store as it is, and the clock of its machine.
func planted(s *postgres.Store, _ string) store.Store { return s }

func plantedClock(o hall.Options) hall.Options { return o }
