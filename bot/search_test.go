package bot

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// boskAt plays Bosk at random until so many turns are left and there is a choice,
// and gives the mind of the seat to act.
func boskAt(t *testing.T, seats, left int, seed uint64) *mind[bosk.Position, bosk.Move] {
	t.Helper()
	def := bosk.Game()
	r, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 5))
	s := r.Start()
	moves := r.Moves(&s, r.ToAct(&s), nil)
	for r.Turn(&s) < 16*seats+1-left || len(moves) == 1 {
		r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
		moves = r.Moves(&s, r.ToAct(&s), nil)
	}
	return newMind(context.Background(), r, game.Begin(r, &s, r.ToAct(&s)), "beech")
}

// bestEnd is the best that the rest of a turn can bring a seat, found by playing
// every move of it.
func bestEnd(m *mind[bosk.Position, bosk.Move], s *bosk.Position, seat game.Seat, part float64) (best result) {
	first := true
	for _, move := range m.rules.Moves(s, seat, nil) {
		next := *s
		m.rules.Play(&next, seat, move, nil)
		var r result
		if m.rules.ToAct(&next) == seat && m.rules.Turn(&next) == m.rules.Turn(s) {
			r = bestEnd(m, &next, seat, part)
		} else {
			st := m.rules.Standing(&next)
			r = prize(&st, m.rules.Seats(), seat, part)
		}
		if first || r.reward > best.reward {
			best, first = r, false
		}
	}
	return best
}

// TestTheLastTurnIsLookedThrough: a player makes the most of the last turn of a
// game.
func TestTheLastTurnIsLookedThrough(t *testing.T) {
	e := efforts()[Levels-1]
	for seats := 2; seats <= 4; seats++ {
		for seed := range uint64(6) {
			m := boskAt(t, seats, 1, seed)
			s := m.view
			for _, move := range search(m, &e)[0].moves() {
				m.rules.Play(&s, m.seat, move, nil)
			}
			if m.rules.ToAct(&s) != game.None {
				t.Fatalf("%d seats, game %d: it is not over", seats, seed)
			}
			st := m.rules.Standing(&s)
			got, want := prize(&st, seats, m.seat, usualPoint), bestEnd(m, &m.view, m.seat, usualPoint)
			if got != want {
				t.Errorf("%d seats, game %d: it brings %+v, and %+v could be had", seats, seed, got, want)
			}
		}
	}
}

// TestTheLastAnswerIsForeseen: in the last turn but one, what a turn is said to
// bring is what is left after the best answer to it.
func TestTheLastAnswerIsForeseen(t *testing.T) {
	e := efforts()[Levels-1]
	e.solve = 10_000_000
	e.exact = 0 // as who does not solve two rounds at once
	e.budget = 5
	for seed := range uint64(4) {
		m := boskAt(t, 2, 2, seed)
		choices := search(m, &e)
		if len(choices) < 2 {
			t.Errorf("game %d: one turn is compared with none", seed)
		}
		for _, c := range choices {
			s := m.view
			for _, move := range c.moves() {
				m.rules.Play(&s, m.seat, move, nil)
			}
			reply := bestEnd(m, &s, m.rules.ToAct(&s), usualPoint)
			if left := float64(-reply.margin / whole); c.worth != left {
				t.Errorf("game %d: %v is expected, and the best answer leaves %v", seed, c.worth, left)
			}
		}
	}
}

// TestLinesGoToTheEndOfTheTurn: or to chance, and every move of them is legal.
func TestLinesGoToTheEndOfTheTurn(t *testing.T) {
	lines(t, bosk.Game())
	lines(t, grandbois.Game())
	lines(t, treesociety.Game())
	lines(t, gametest.Tiny())
}

func lines[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	t.Helper()
	e := efforts()[5]
	for seats := 2; seats <= 4; seats++ {
		r, err := def.Rules(game.Settings{Seats: seats})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(seats), 8))
		s := r.Start()
		for r.ToAct(&s) != game.None {
			seat, moves := r.ToAct(&s), r.Moves(&s, r.ToAct(&s), nil)
			if seat == game.Chance || rng.IntN(4) > 0 {
				r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
				continue
			}
			turn := r.Turn(&s)
			choice := search(newMind(context.Background(), r, game.Begin(r, &s, seat), "larch"), &e)[0]
			for i, move := range choice.moves() {
				if i > 0 && (r.ToAct(&s) != seat || r.Turn(&s) != turn) {
					t.Fatalf("%s: move %d of a line of %d comes after the turn", def.Name, i+1, len(choice.moves()))
				}
				if err := r.Check(&s, seat, move); err != nil {
					t.Fatalf("%s: move %d of a line: %v", def.Name, i+1, err)
				}
				r.Play(&s, seat, move, nil)
			}
			if len(moves) > 1 && r.ToAct(&s) == seat && r.Turn(&s) == turn {
				t.Fatalf("%s: a line of %d moves ends within the turn", def.Name, len(choice.moves()))
			}
		}
	}
}

// BenchmarkSimulations plays on as level 10 does: a world that is believed in, the
// line of a turn, plans to the end or as far as is enough, the reward. Bosk from
// its first tree and from the start of autumn, GrandBois from its first placement
// and from its middle, Tree Society from its first sale.
func BenchmarkSimulations(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		for _, when := range []struct {
			name  string
			turns int
		}{{"spring", 0}, {"autumn", 8*seats + 1}} {
			b.Run(fmt.Sprintf("bosk-%s-%d-seats", when.name, seats), func(b *testing.B) { simulate(b, bosk.Game(), seats, when.turns) })
		}
	}
	for seats := 2; seats <= 3; seats++ {
		for _, when := range []struct {
			name  string
			turns int
		}{{"start", 0}, {"middle", 18}} {
			b.Run(fmt.Sprintf("grandbois-%s-%d-seats", when.name, seats), func(b *testing.B) { simulate(b, grandbois.Game(), seats, when.turns) })
		}
	}
	for seats := 2; seats <= 4; seats += 2 {
		b.Run(fmt.Sprintf("treesociety-start-%d-seats", seats), func(b *testing.B) { simulate(b, treesociety.Game(), seats, 0) })
	}
}

// simulate measures the playouts of level 10 from where so many turns are done.
func simulate[S, M comparable](b *testing.B, def game.Definition[S, M], seats, turns int) {
	f, moves := flatterAt(b, def, seats, func(r game.Rules[S, M], s *S) bool { return r.Turn(s) >= turns && r.ToAct(s) >= 0 })
	e := efforts()[Levels-1]
	x := newSearcher(f.mind, &e)
	x.believe()
	x.outline(moves)
	x.narrow()
	n := uint64(0)
	gametest.Rate(b, "simulation", func() {
		x.playout(&x.found[n%uint64(len(x.found))].line, n)
		n++
	})
}

// TestSteadyGamesMeetTheSame: everything that may be drawn is drawn about as often; with
// the same luck the same is drawn where one thing fewer is left, unless it is that one; what
// comes back is no likelier than anything else, and another turn draws something else.
func TestSteadyGamesMeetTheSame(t *testing.T) {
	def := treesociety.Game()
	r, err := def.Rules(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	start, outcomes := r.Start(), []treesociety.Move(nil)
	for len(outcomes) < 30 { // starting cards are dealt first
		if outcomes = r.Moves(&start, game.Chance, outcomes[:0]); len(outcomes) < 30 {
			r.Play(&start, game.Chance, outcomes[0], nil)
		}
	}
	x := newSearcher(judging(r), &effort{ends: true})
	fewer := start // as after something was drawn
	r.Play(&fewer, game.Chance, outcomes[0], nil)
	first := func(from *treesociety.Position, luck uint64) treesociety.Move {
		x.luck, x.s = luck, *from
		x.draft.begin(r.Turn(from))
		return x.firstDrawn()
	}
	later, rng := start, rand.New(rand.NewPCG(1, 2)) // a turn in which about the same is left
	for r.ToAct(&later) != game.Chance || r.Turn(&later) < 4 || len(r.Moves(&later, game.Chance, nil)) < 20 {
		moves := r.Moves(&later, r.ToAct(&later), nil)
		r.Play(&later, r.ToAct(&later), moves[rng.IntN(len(moves))], nil)
	}
	const each = 60
	times := map[treesociety.Move]int{}
	same, of, again, then := 0, 0, 0, 0
	for luck := range uint64(each * len(outcomes)) {
		drawn := first(&start, luck)
		times[drawn]++
		if x.firstDrawn() == drawn { // it has come back
			again++
		}
		if first(&later, luck) == drawn {
			then++
		}
		if drawn != outcomes[0] && slices.Contains(r.Moves(&fewer, game.Chance, nil), drawn) {
			of++
			if first(&fewer, luck) == drawn {
				same++
			}
		}
	}
	for _, m := range outcomes {
		if n := times[m]; n < each/2 || n > 2*each {
			t.Errorf("%s was drawn %d times, where %d would be fair", r.AppendMove(nil, m), n, each)
		}
	}
	if all := each * len(outcomes); again > 3*each || then > 3*each {
		t.Errorf("what comes back is drawn once more %d times of %d, and in another turn %d times", again, all, then)
	}
	if of == 0 || same != of {
		t.Errorf("%d times of %d the same was drawn where one thing fewer was left", same, of)
	}
}

// TestWorldsAreDrawnByTheirOdds: a world that is nine times as likely comes nine
// times as often.
func TestWorldsAreDrawnByTheirOdds(t *testing.T) {
	f, _ := flatterAt(t, grandbois.Game(), 2, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
		return r.Turn(s) >= 4 && r.ToAct(s) >= 0
	})
	e := efforts()[Levels-1]
	x := newSearcher(f.mind, &e)
	worlds, _ := x.believed()
	x.odds = []float64{9, 0.5, 0.5}
	x.believe()
	counts := map[grandbois.Position]int{}
	for n := range 2000 {
		x.pcg.Seed(1, uint64(n))
		x.imagine(&x.s, x.dice)
		counts[x.s]++
	}
	if n := counts[worlds[0]]; n < 1700 || n > 1900 || counts[worlds[1]] == 0 || counts[worlds[2]] == 0 {
		t.Errorf("of 2000 worlds %d, %d and %d are the three that there are", n, counts[worlds[1]], counts[worlds[2]])
	}
}

// TestMistakesAreBounded: a player that overlooks nearly everything still makes no
// move that is worth less than the best by more than its bound.
func TestMistakesAreBounded(t *testing.T) {
	e := effort{worlds: 1, width: 4, ways: 1, turns: 1000, share: 1}
	most := 0.0
	for seed := range uint64(8) {
		m := boskAt(t, 2, 10, seed)
		all := search(m, &e)
		for luck := range 12 {
			blind := effort{worlds: 1, width: 4, ways: 1, turns: 1, share: 0.03, bound: 1.5}
			other := newMind(context.Background(), m.rules, m.record, fmt.Sprint(luck))
			loss := all[0].worth - search(other, &blind)[0].worth
			most = max(most, loss)
			if loss > blind.bound+1e-9 {
				t.Errorf("game %d: it gives %.2f points away", seed, loss)
			}
		}
	}
	if most == 0 {
		t.Error("it never overlooks anything")
	}
}

// TestAPointCountsAsTheGameSays: where it says nothing as the level has it, and for who
// is tried out as they ask.
func TestAPointCountsAsTheGameSays(t *testing.T) {
	for player, want := range map[string]float64{"level:10": 0.15, "level:9/margin=0.1": 0.1, "level:9/margin=0": 0} {
		if got := pointOf(t, bosk.Game(), player); got != want {
			t.Errorf("Bosk, %s: a point counts %v, not %v", player, got, want)
		}
	}
	for player, want := range map[string]float64{"level:10": 0.05, "level:4": 0.05, "level:9/margin=0.1": 0.1, "level:9/margin=0": 0} {
		if got := pointOf(t, treesociety.Game(), player); got != want {
			t.Errorf("Tree Society, %s: a point counts %v, not %v", player, got, want)
		}
	}
}

// pointOf is what a point counts for a player at a table of three.
func pointOf[S, M comparable](t *testing.T, def game.Definition[S, M], player string) float64 {
	t.Helper()
	rules, err := def.Rules(game.Settings{Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	e, ok := level(player)
	if !ok {
		t.Fatalf("there is no %s", player)
	}
	return newSearcher(judging(rules), e).point
}

// TestHowLongLevelsThink: at a table of three of GrandBois levels 6 to 9 think for less
// than elsewhere, none for longer than the one above it, and a trial for as long as it says.
func TestHowLongLevelsThink(t *testing.T) {
	for seats := 2; seats <= game.MaxSeats; seats++ {
		f, _ := flatterAt(t, grandbois.Game(), seats, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
			return r.ToAct(s) >= 0
		})
		last := 0
		for n := 1; n <= Levels; n++ {
			e, _ := level(LevelName(n))
			time, less := timeFor(e, f.rules), seats == 3 && n >= 6 && n < Levels
			if less != (time < e.budget) || time > e.budget || time < last || (e.budget > 0) != (time > 0) {
				t.Errorf("level %d at a table of %d thinks for %d ms of %d", n, seats, time, e.budget)
			}
			last = time
		}
		for player, want := range map[string]int{"level:9/budget=48": 48, "level:8/budget=5": 5, "level:10/budget=13": 13, "level:3/budget=5": 5} {
			if e, _ := level(player); timeFor(e, f.rules) != want {
				t.Errorf("%s at a table of %d thinks for %d ms", player, seats, timeFor(e, f.rules))
			}
		}
	}
}

// TestWhoHasLessTimePlaysFewerGamesOn: what the game says is what playouts are counted by.
func TestWhoHasLessTimePlaysFewerGamesOn(t *testing.T) {
	played := func(player string) int {
		x := compares(t, grandbois.Game(), 3, 9, player)
		x.compare(few)
		return x.mind.played
	}
	less, same, usual := played("level:9"), played("level:9/budget=16"), played("level:9/budget=48")
	if less != same || less >= usual {
		t.Errorf("%d games of 16 ms, %d of level 9, %d of 48 ms", same, less, usual)
	}
}
