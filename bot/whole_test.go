package bot

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/games/treesociety"
)

// basket is a game of one turn of one seat, beside another seat that does nothing:
// each of some fruits may be picked once, in any order, until the seat stops. A
// table says what the set is worth.
type basket struct {
	game.Playable[picks, int]
	fruits int
	worth  map[uint32]float64 // 0 where nothing is said
	narrow bool               // fruit 0 is not worth looking at
	idle   int                // a turn that ends with this fruit is idle
	asked  map[uint32]int     // how often each set was judged
}

// picks are the fruits in the basket, a bit each, and whether it is closed.
type picks struct {
	set  uint32
	done bool
}

const stop = -1

func (b basket) Idle(turn []int) bool {
	n := len(turn)
	return b.idle != 0 && n > 1 && turn[n-1] == stop && turn[n-2] == b.idle
}
func (b basket) Seats() int        { return 2 }
func (b basket) Turn(s *picks) int { return map[bool]int{true: 1}[s.done] }
func (b basket) ToAct(s *picks) game.Seat {
	if s.done {
		return game.None
	}
	return 0
}
func (b basket) Moves(s *picks, _ game.Seat, buf []int) []int {
	for f := range b.fruits {
		if s.set>>f&1 == 0 {
			buf = append(buf, f)
		}
	}
	return append(buf, stop)
}
func (b basket) Narrow(_ *picks, _ game.Seat, moves []int) []int {
	return slices.DeleteFunc(moves, func(m int) bool { return b.narrow && m == 0 })
}
func (b basket) Play(s *picks, _ game.Seat, m int, _ *game.Log) {
	if m == stop {
		s.done = true
		return
	}
	s.set |= 1 << m
}
func (b basket) Imagine(*picks, game.Seat, *rand.Rand)  {}
func (b basket) Reveals(*picks, int) bool               { return false }
func (b basket) AppendMove(buf []byte, m int) []byte    { return fmt.Append(buf, m) }
func (b basket) Standing(*picks) (st game.Standing)     { return st }
func (b basket) See(s *picks, _ game.Seat, view *picks) { *view = *s }
func (b basket) Worth(s *picks, _ game.Seat) float64 {
	if !s.done {
		b.asked[s.set]++
	}
	return b.worth[s.set]
}

// fill has a player search that looks at the best so many positions at a time, and
// gives the basket that it fills.
func (b basket) fill(e effort) uint32 {
	var s picks
	m := newMind(context.Background(), b, game.Begin(b, &s, 0), "hazel")
	for _, move := range search(m, &e)[0].moves() {
		b.Play(&s, 0, move, nil)
	}
	return s.set
}

// TestNoPlaceIsLookedAtTwice: though five fruits can be picked in 120 orders, each
// set is judged once, and the best basket is found.
func TestNoPlaceIsLookedAtTwice(t *testing.T) {
	b := basket{fruits: 5, worth: map[uint32]float64{0b10110: 7, 0b11111: 5}, asked: map[uint32]int{}}
	if got := b.fill(effort{worlds: 1, width: 100, turns: 1, share: 1}); got != 0b10110 {
		t.Errorf("basket %05b", got)
	}
	if len(b.asked) != 31 {
		t.Errorf("%d of 31 baskets were looked at", len(b.asked))
	}
	for set, n := range b.asked {
		if n != 1 {
			t.Errorf("basket %05b was looked at %d times", set, n)
		}
	}
}

// TestAFewPlacesAreGoneOnFrom: a player that goes on from one position at a time
// follows, after its first move, what is worth most at once, and misses what begins
// poorly.
func TestAFewPlacesAreGoneOnFrom(t *testing.T) {
	b := basket{fruits: 5, asked: map[uint32]int{}, worth: map[uint32]float64{
		0b00110: -1, 0b01010: -1, 0b01100: -1, 0b01110: 9, // three that are good together, but no two of them
		0b10010: 2, 0b10100: 1, 0b11000: 1,
	}}
	if got := b.fill(effort{worlds: 1, width: 100, turns: 1, share: 1}); got != 0b01110 {
		t.Errorf("with everything in view: basket %05b", got)
	}
	if got := b.fill(effort{worlds: 1, width: 1, turns: 1, share: 1}); got != 0b10010 {
		t.Errorf("with one in view: basket %05b", got)
	}
}

// TestWhatIsNotWorthLookingAt: such a move is not looked at, at the beginning of a
// turn or later (game.Narrower).
func TestWhatIsNotWorthLookingAt(t *testing.T) {
	b := basket{fruits: 4, narrow: true, asked: map[uint32]int{}, worth: map[uint32]float64{0b0111: 9, 0b1100: 3}}
	if got := b.fill(effort{worlds: 1, width: 100, turns: 1, share: 1}); got != 0b1100 {
		t.Errorf("basket %04b", got)
	}
	for set := range b.asked {
		if set&1 != 0 {
			t.Errorf("basket %04b was looked at", set)
		}
	}
}

// TestNothingIsDoneForNothing: a turn that a game calls idle is not played, though
// it is worth as much as another or more.
func TestNothingIsDoneForNothing(t *testing.T) {
	b := basket{fruits: 3, idle: 2, asked: map[uint32]int{}, worth: map[uint32]float64{0b100: 9, 0b001: 1}}
	if got := b.fill(effort{worlds: 1, width: 100, turns: 1, share: 1}); got != 0b001 {
		t.Errorf("basket %03b", got)
	}
}

// TestASmallMoveIsOverlookedForTheWholeTurn: whether a player sees a turn depends
// on its moves alone, not on their order.
func TestASmallMoveIsOverlookedForTheWholeTurn(t *testing.T) {
	b := basket{fruits: 6, worth: map[uint32]float64{}, asked: map[uint32]int{}}
	var s picks
	seen := 0
	for seed := range 60 {
		m := newMind(context.Background(), b, game.Begin(b, &s, 0), fmt.Sprint(seed))
		x := newSearcher(m, &effort{share: 0.4})
		both := line[int]{n: 2}
		both.moves[0], both.moves[1] = 3, 5
		turned := line[int]{n: 2}
		turned.moves[0], turned.moves[1] = 5, 3
		one, other := line[int]{n: 1}, line[int]{n: 1}
		one.moves[0], other.moves[0] = 3, 5
		if x.sees(&both) != x.sees(&turned) || x.sees(&both) != (x.sees(&one) && x.sees(&other)) {
			t.Errorf("seed %d: both %t, the other way round %t, each %t and %t", seed, x.sees(&both), x.sees(&turned), x.sees(&one), x.sees(&other))
		}
		if x.sees(&one) {
			seen++
		}
	}
	if seen < 30 || seen > 58 { // the cube root of 0.4 is 0.74
		t.Errorf("of 60 times a move is seen %d times", seen)
	}
}

// TestMistakesOfWholeTurnsAreBounded as those of single moves are.
func TestMistakesOfWholeTurnsAreBounded(t *testing.T) {
	m := societyAt(t, 9)
	most := 0.0
	for luck := range 40 {
		mind := func() *mind[treesociety.Position, treesociety.Move] {
			return newMind(context.Background(), m.rules, m.record, fmt.Sprint(luck))
		}
		all := search(mind(), &effort{worlds: 1, width: 4, turns: 1000, share: 1})
		blind := effort{worlds: 1, width: 4, turns: 1, share: 0.03, bound: 2}
		loss := all[0].worth - search(mind(), &blind)[0].worth
		most = max(most, loss)
		if loss > blind.bound+1e-9 {
			t.Errorf("luck %d: it gives %.2f points away", luck, loss)
		}
	}
	if most == 0 {
		t.Error("it never overlooks anything")
	}
}

// TestTurnsThatPlayoutsWouldMakeAreCompared: legal ones, none twice and none for nothing,
// beside fewer that are compared for their worth.
func TestTurnsThatPlayoutsWouldMakeAreCompared(t *testing.T) {
	m := societyAt(t, 8)
	found := func(planned int) []candidate[treesociety.Move] {
		m := newMind(context.Background(), m.rules, m.record, "elm")
		x, forced, ended := prepare(m, &effort{worlds: 1, width: 4, turns: 20, planned: planned, budget: 1, share: 1})
		if ended || len(forced) > 0 {
			t.Fatal("there is no choice")
		}
		x.outline(m.sensible(&m.view, m.seat, nil))
		x.narrow()
		x.addPlanned()
		return x.found
	}
	without, with := found(0), found(40)
	if len(without) <= 5 || len(with) <= 5 || len(with) > 5+40 {
		t.Fatalf("%d turns are compared without plans, %d with them", len(without), len(with))
	}
	if !slices.EqualFunc(with[:5], without[:5], func(a, b candidate[treesociety.Move]) bool { return a.line == b.line }) {
		t.Error("the best by their worth are not compared any more")
	}
	met := map[line[treesociety.Move]]bool{}
	for _, c := range with {
		if met[c.line] {
			t.Errorf("%v is compared twice", c.line.moves[:c.line.n])
		}
		if m.rules.(game.Confluent[treesociety.Move]).Idle(c.line.moves[:c.line.n]) {
			t.Errorf("%v is for nothing", c.line.moves[:c.line.n])
		}
		met[c.line] = true
		s := m.view
		for _, move := range c.line.moves[:c.line.n] {
			if err := m.rules.Check(&s, m.seat, move); err != nil {
				t.Fatalf("%v: %v", c.line.moves[:c.line.n], err)
			}
			m.rules.Play(&s, m.seat, move, nil)
		}
	}
	all := search(newMind(context.Background(), m.rules, m.record, "elm"), &effort{worlds: 1, width: 4, turns: 20, planned: 40, budget: 2, share: 1})
	if len(all) == 0 || !all[0].playedOut {
		t.Error("they are not played on from")
	}
}

// societyAt plays Tree Society, with its first printing, by plans for so many turns,
// and gives the mind of whoever is to act.
func societyAt(t *testing.T, turns int) *mind[treesociety.Position, treesociety.Move] {
	t.Helper()
	def := treesociety.Game()
	r, err := def.Rules(game.Settings{Seats: 2, Version: 3})
	if err != nil {
		t.Fatal(err)
	}
	planner := r.(game.Planner[treesociety.Position, treesociety.Move])
	rng := rand.New(rand.NewPCG(4, 4))
	s := r.Start()
	var list []treesociety.Move
	for r.ToAct(&s) == game.Chance || r.Turn(&s) < turns {
		if seat := r.ToAct(&s); seat == game.Chance {
			list = r.Moves(&s, seat, list[:0])
			r.Play(&s, seat, game.Outcome(r, &s, list, rng), nil)
		} else {
			list = planner.Plan(&s, seat, rng, list[:0])
			for _, move := range list {
				r.Play(&s, seat, move, nil)
			}
		}
	}
	return newMind(context.Background(), r, game.Begin(r, &s, r.ToAct(&s)), "beech")
}

// TestATurnThatChanceBreaksUpIsThoughtThrough: to its end, for a few ways in which
// chance may go on; what comes after the turn is different in every playout.
func TestATurnThatChanceBreaksUpIsThoughtThrough(t *testing.T) {
	broken, unbroken := 0, 0
	for turns := range 8 {
		m := societyAt(t, turns)
		x := newSearcher(m, &effort{worlds: 1, width: 4, turns: 200, share: 1})
		x.believe()
		x.outline(m.moves())
		turn := m.rules.Turn(&m.view)
		for i := range x.found {
			l := &x.found[i].line
			var ends [2 * wholeLucks]treesociety.Position
			for n := range ends {
				x.s, x.luck = m.view, x.fate+uint64(n)
				for _, move := range l.moves[:l.n] {
					m.rules.Play(&x.s, m.seat, move, nil)
				}
				before := x.s
				x.finishTurn(l, uint64(n))
				if x.luck != x.fate+uint64(n) {
					t.Fatal("another world is looked at afterwards")
				}
				if ends[n] = x.s; x.s == before {
					unbroken++
				} else {
					broken++
					if m.rules.Turn(&x.s) != turn+1 {
						t.Fatalf("a line of %d moves does not come to the end of the turn", l.n)
					}
				}
			}
			for n := range wholeLucks {
				if ends[n] != ends[n+wholeLucks] {
					t.Fatalf("chance goes on in more than %d ways", wholeLucks)
				}
			}
		}
	}
	if broken == 0 || unbroken == 0 {
		t.Errorf("%d turns are broken up, %d are not", broken, unbroken)
	}
}
