package bot

import (
	"slices"
	"testing"
)

// TestWhatPlayersCost: no level costs less than the one before, levels up to the
// fourth are cheap, and a player that looks further than its own turn is dear.
func TestWhatPlayersCost(t *testing.T) {
	before := 0
	for _, name := range levelNames() {
		if cost := Cost(name); cost < before || cost < 1 {
			t.Errorf("%s costs %d, the level before it %d", name, cost, before)
		}
		before = Cost(name)
	}
	var cheap []string
	for _, name := range append(Players(), "flat:1000", "oracle", "level:11") {
		if !Dear(name) {
			cheap = append(cheap, name)
		}
	}
	if want := []string{Random, Easy, Greedy, "level:1", "level:2", "level:3", "level:4"}; !slices.Equal(cheap, want) {
		t.Errorf("cheap are %v, not %v", cheap, want)
	}
}
