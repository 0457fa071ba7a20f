package grandbois

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// TestPlansAreMovesOfTheRules: whole games by plans alone, each move legal, and
// plans allocate nothing.
func TestPlansAreMovesOfTheRules(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		for _, expert := range []bool{false, true} {
			r := New(seats, DefaultBox(), expert)
			rng := rand.New(rand.NewPCG(7, uint64(seats)))
			buf := make([]Move, 0, 64)
			for range 20 {
				s := r.Start()
				for s.phase != over {
					seat := r.ToAct(&s)
					if seat == game.Chance {
						buf = r.Moves(&s, seat, buf[:0])
						r.Play(&s, seat, game.Outcome(r, &s, buf, rng), nil)
						continue
					}
					if n := gametest.Allocations(func() { buf = r.Plan(&s, seat, rng, buf[:0]) }); n != 0 {
						t.Fatalf("a plan allocates %v times", n)
					}
					for _, m := range buf {
						if err := r.Check(&s, seat, m); err != nil {
							t.Fatalf("%v: %v", m, err)
						}
						r.Play(&s, seat, m, nil)
					}
				}
			}
		}
	}
}

// TestWhatAPlacementBrings: at a glance it is what it is space by space.
func TestWhatAPlacementBrings(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for n := range 60 {
		r := New(2+n%3, DefaultBox(), n%2 == 0)
		var now [habitsAtATime]int32
		for i := range now {
			now[i] = int32(rng.IntN(1_000_000) - 500_000)
		}
		s := r.Start()
		for s.phase != over {
			seat := r.ToAct(&s)
			if seat >= 0 && s.phase == placing {
				var g glance
				g.look(&s, seat)
				for range 5 {
					m := r.samplePlacement(&s, rng)
					if m.do() != Place {
						break
					}
					if got, want := r.gain(&g, m, &now), spaceBySpace(r, &s, seat, m, &now); got != want {
						t.Fatalf("%v brings %d, space by space %d", m, got, want)
					}
				}
			}
			r.Play(&s, seat, r.Sample(&s, seat, rng), nil)
		}
	}
}

// TestWhatAPlacementBringsInALongForest: in forests that only grow downwards, upwards, to
// the right or to the left a glance sees what lies at the far ends as it sees the rest.
func TestWhatAPlacementBringsInALongForest(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	r := New(2, DefaultBox(), false)
	var now [habitsAtATime]int32
	for i := range now {
		now[i] = int32(rng.IntN(1_000_000) - 500_000)
	}
	for way, far := range map[string]func(m Move) int{
		"down":  func(m Move) int { return m.y() },
		"up":    func(m Move) int { return -m.y() },
		"right": func(m Move) int { return m.x() },
		"left":  func(m Move) int { return -m.x() },
	} {
		s := r.Start()
		for s.phase != over {
			seat := r.ToAct(&s)
			moves := r.Moves(&s, seat, nil)
			if seat < 0 || s.phase != placing || moves[0].do() != Place {
				r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
				continue
			}
			var g glance
			g.look(&s, seat)
			farthest := moves[0]
			for _, m := range moves {
				if far(m) > far(farthest) {
					farthest = m
				}
				if got, want := r.gain(&g, m, &now), spaceBySpace(r, &s, seat, m, &now); got != want {
					t.Fatalf("%s, %d tiles: %v brings %d, space by space %d", way, s.count, m, got, want)
				}
			}
			r.Play(&s, seat, farthest, nil)
		}
		if long := max(s.right-s.left, s.bottom-s.top); long < 30 {
			t.Errorf("%s: the forest is only %d spaces long", way, long+1)
		}
	}
}

// spaceBySpace says the same without looking at rows.
func spaceBySpace(r *Rules, s *Position, seat game.Seat, m Move, now *[habitsAtATime]int32) (sum int32) {
	t := &r.tile[m.piece()].turned[m.turn()]
	plays := func(clan uint8) (own, rival bool) {
		for i, set := range s.clans {
			if set>>clan&1 != 0 {
				own, rival = own || game.Seat(i) == seat, rival || game.Seat(i) != seat
			}
		}
		return own, rival
	}
	beside := func(clan uint8, x, y int) bool {
		for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if sp := s.at(x+d[0], y+d[1]); sp.animals() > 0 && sp.clan() == clan {
				return true
			}
		}
		return false
	}
	for i, above := range t.spaces {
		x, y := m.x()+int(corner(i)[0]), m.y()+int(corner(i)[1])
		below := s.at(x, y)
		if below == ground {
			sum += now[habitBare]
		}
		if below.animals() > 0 {
			own, rival := plays(below.clan())
			near := beside(below.clan(), x, y)
			switch {
			case own:
				sum -= now[habitLost]
				if near {
					sum -= now[habitSplit]
				}
			case rival:
				sum += now[habitTaken]
				if near {
					sum += now[habitTakenApart]
				}
			default:
				sum += now[habitIdle]
			}
		}
		switch n := above.animals(); {
		case above.kind() == bear:
			sum += now[habitBear]
		case n == 0 && s.towers[seat] > 0:
			next := *s
			next.lay(t, m.x(), m.y())
			own, others := next.around(x, y, s.clans[seat])
			covered, coveredOthers := int32(0), int32(0) // what is covered still counts in a quick turn
			for j := range t.spaces {
				if sp := s.at(m.x()+int(corner(j)[0]), m.y()+int(corner(j)[1])); sp.animals() > 0 {
					if mine, _ := plays(sp.clan()); mine {
						covered++
					} else {
						coveredOthers++
					}
				}
			}
			sum += now[habitClearing] + now[habitAround]*(perOwn*(int32(own)+covered)+perOthers*(int32(others)+coveredOthers))
		case n > 0:
			own, rival := plays(above.clan())
			brings := int32(perOthers)
			if own {
				brings = perOwn
				sum += now[habitShown+n-1]
				if beside(above.clan(), x, y) {
					sum += now[habitTouching]
				}
			} else if rival {
				sum -= now[habitGift]
				if beside(above.clan(), x, y) {
					sum -= now[habitGiftBeside]
				}
			}
			ofOwn, ofOthers := false, false
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if sp := s.at(x+dx, y+dy); sp.kind() == tower {
						ofOwn = ofOwn || sp.owner() == seat
						ofOthers = ofOthers || sp.owner() != seat
					}
				}
			}
			if ofOwn {
				sum += now[habitOwnTower] * brings
			}
			if ofOthers && rival {
				sum -= 2 * now[habitTheirs]
			} else if ofOthers {
				sum -= now[habitTheirs]
			}
		}
	}
	return sum
}

// TestWhatTheMomentMakesOfHabits: those of the beginning when no tile is laid, both when
// all are, however many there are; and a tower waits for more chestnuts the more time
// is left for each.
func TestWhatTheMomentMakesOfHabits(t *testing.T) {
	r := New(2, DefaultBox(), false)
	s := r.Start()
	first, last := r.now(&s), s
	last.pile, last.river = 0, 0
	end := r.now(&last)
	for i := range first {
		if a, b := int32(r.habits[i]), int32(r.habits[habitsAtATime+i]); first[i] != maxTiles*a || end[i] != maxTiles*(a+b) {
			t.Errorf("habit %d is %d at first and %d at last", i, first[i], end[i])
		}
	}
	for s.phase != deciding { // a tower may be built
		rng := rand.New(rand.NewPCG(1, uint64(s.count)))
		r.Play(&s, r.ToAct(&s), r.Sample(&s, r.ToAct(&s), rng), nil)
	}
	seat := r.ToAct(&s)
	x, y := r.clearingOf(&s, int(s.count)-1)
	own, others := s.around(x, y, s.clans[seat])
	brings := int32(100 * maxTiles * (perOwn*own + perOthers*others))
	left := int32(bits.OnesCount64(s.pile | s.river))
	var now [habitsAtATime]int32
	for _, one := range []struct {
		build, wait int32
		want        Deed
	}{{brings, 0, Tower}, {brings + 1, 0, NoTower}, {brings - 100*left, 100 * 2 * int32(s.towers[seat]), Tower}, {brings - 100*left + 1, 100 * 2 * int32(s.towers[seat]), NoTower}} {
		now[habitBuild], now[habitWait] = one.build, one.wait
		if got := r.quickTower(&s, seat, &now); got.do() != one.want {
			t.Errorf("%+v: %v", one, got)
		}
	}
}
