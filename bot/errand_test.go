package bot

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"copse/games/bosk"
	"copse/games/treesociety"
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
	if point := usualPoint; point*whole != float64(parts(point)) {
		t.Errorf("a point counts %v parts", point*whole)
	}
	if point := pointOf(t, treesociety.Game(), "level:10"); point*whole != float64(parts(point)) {
		t.Errorf("Tree Society: a point counts %v parts", point*whole)
	}
}

// TestAnswersAreLookedAtAsFarAsOneWould: however many answers are looked at beside
// each other, those count that somebody alone has the looks for, one turn after
// the other.
func TestAnswersAreLookedAtAsFarAsOneWould(t *testing.T) {
	short := 0
	for seed := range uint64(12) {
		first := boskAt(t, 2, 2, seed)
		for _, solve := range []int{1, 4, 8, 11, 15, 21, 30, 50, 1000} {
			e := effort{worlds: 1, width: 4, ways: 2, turns: 12, marginPart: 0.15, weighed: true, share: 1, solve: solve}
			compared := func(pieces int) *searcher[bosk.Position, bosk.Move] {
				at := func() *searcher[bosk.Position, bosk.Move] {
					m := newMind(context.Background(), first.rules, first.record, "beech")
					m.limit(time.Hour) // however busy the machine is
					x, _, _ := prepare(m, &e)
					return x
				}
				x, helper := at(), at()
				x.outline(x.moves())
				x.narrow()
				x.pieces = pieces
				x.helped = func(list []errand[bosk.Move]) []report {
					reports := make([]report, len(list))
					for i := len(list) - 1; i >= 0; i-- {
						reports[i] = helper.do(&list[i])
					}
					return reports
				}
				return x
			}
			x := compared(1)
			x.order()
			var want []result
			left := solve
			for i := range x.found {
				r, ok := x.bestAnswer(&x.found[i].line, &left)
				if !ok {
					break
				}
				want = append(want, r)
			}
			if len(want) > 1 && len(want) < len(x.found) {
				short++
			}
			for _, pieces := range []int{1, 2, 5, 40} {
				x := compared(pieces)
				x.order()
				lines := map[line[bosk.Move]]int{}
				for i := range x.found {
					lines[x.found[i].line] = i
				}
				all := len(x.found)
				x.answer()
				if len(want) < 2 {
					if len(x.found) != all {
						t.Errorf("game %d, %d looks: %d of %d turns are left, and one was judged", seed, solve, len(x.found), all)
					}
					continue
				}
				got := make([]result, len(x.found))
				for i := range x.found {
					if at := lines[x.found[i].line]; at < len(got) {
						got[at] = x.found[i].result
					}
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("game %d, %d looks, %d at a time: %d turns are judged, %d by one alone", seed, solve, pieces, len(got), len(want))
				}
			}
		}
	}
	if short < 2 {
		t.Errorf("looks ran out %d times", short)
	}
}
