package bot

import (
	"fmt"
	"testing"
)

// TestErrandsAreAllOfTheWork: however playouts are divided, each of each line is
// in one errand, none is in two, and no errand is much longer than another.
func TestErrandsAreAllOfTheWork(t *testing.T) {
	for lines := 1; lines <= 60; lines += 1 + lines/7 {
		for _, from := range []int{0, 5} {
			for playouts := 1; playouts <= 50; playouts += 1 + playouts/4 {
				for pieces := 0; pieces < 70; pieces += 1 + pieces/5 {
					tell := fmt.Sprintf("%d lines, playouts %d to %d in %d pieces", lines, from, from+playouts, pieces)
					list := make([]line[int], lines)
					for i := range list {
						list[i].moves[0], list[i].n = i, 1
					}
					done, least, most := make([]int, lines*playouts), lines*playouts, 0
					errands := divide(list, from, from+playouts, pieces)
					for _, e := range errands {
						least, most = min(least, e.playouts()), max(most, e.playouts())
						for _, l := range e.lines {
							for n := e.from; n < e.to; n++ {
								done[l.moves[0]*playouts+n-from]++
							}
						}
					}
					for what, n := range done {
						if n != 1 {
							t.Errorf("%s: playout %d of line %d is made %d times", tell, from+what%playouts, what/playouts, n)
						}
					}
					if len(errands) > max(pieces, 1) || least == 0 || most > least+max(playouts, lines) {
						t.Errorf("%s: %d errands of %d to %d playouts", tell, len(errands), least, most)
					}
				}
			}
		}
	}
}

// TestSumsAreExact: what finished games bring is added up in whole parts, so that
// no order of adding gives another sum.
func TestSumsAreExact(t *testing.T) {
	for winners := int64(1); winners <= 4; winners++ {
		if whole%winners != 0 {
			t.Errorf("a win cannot be shared by %d", winners)
		}
	}
	for level, e := range efforts() {
		if part := e.marginPart * whole; part != float64(parts(e.marginPart)) {
			t.Errorf("level %d: a point counts %v parts", level+1, part)
		}
	}
}
