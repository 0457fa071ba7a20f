package bot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// compares is a search that is about to compare turns, late in a game or early.
func compares[S, M comparable](t *testing.T, def game.Definition[S, M], seats, turn int, player string) *searcher[S, M] {
	t.Helper()
	f, moves := flatterAt(t, def, seats, func(r game.Rules[S, M], s *S) bool { return r.Turn(s) >= turn && r.ToAct(s) >= 0 })
	e, ok := level(player)
	if !ok {
		t.Fatalf("%s is no player", player)
	}
	x := newSearcher(f.mind, e)
	x.believe()
	x.outline(moves)
	x.narrow()
	return x
}

// TestAHunchIsWhatTheNetSaysAfterTheTurn, in four worlds, as often as it counts: chance and
// what is left of the turn come first, and nobody else has moved.
func TestAHunchIsWhatTheNetSaysAfterTheTurn(t *testing.T) {
	guessesRight(t, bosk.Game())
	guessesRight(t, grandbois.Game())
	guessesRight(t, treesociety.Game())
}

func guessesRight[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	t.Helper()
	rules := withNet(t, def, 3)
	x := compares(t, def, 3, 7, "level:10/hunch=9")
	if cost := x.foresee(12); cost != hunchWorlds*len(x.found)*(x.netTurns()+shortPlayout)/12 {
		t.Errorf("%s: %d turns cost %d playouts", def.Name, len(x.found), cost)
	}
	j := netFor(rules, false)
	told := 0
	for _, c := range x.found {
		var sum int64
		for n := range uint64(hunchWorlds) {
			x.lay(&c.line, n) // as playouts of that number do
			x.playTo(rules.Turn(&x.view) + 1)
			if rules.ToAct(&x.s) < 0 || rules.Turn(&x.s) != rules.Turn(&x.view)+1 || rules.ToAct(&x.s) == x.seat {
				t.Fatalf("%s: it is asked in turn %d, when it is %d's", def.Name, rules.Turn(&x.s), rules.ToAct(&x.s))
			}
			said := j.foretell(&x.s, x.seat)
			sum += parts(said.Win) + parts(x.point*said.Lead)
		}
		if c.hunch != sum/hunchWorlds*9 {
			t.Fatalf("%s: the hunch is %d where the net says %d", def.Name, c.hunch, sum)
		}
		if c.hunch != x.found[0].hunch {
			told++
		}
	}
	if told == 0 {
		t.Errorf("%s: all turns have the same hunch", def.Name)
	}
}

// TestWhoGoesByHunchesAlone: where a hunch counts for more than all playouts together, the
// turn is made of which the net thinks most.
func TestWhoGoesByHunchesAlone(t *testing.T) {
	withNet(t, bosk.Game(), 2)
	x := compares(t, bosk.Game(), 2, 9, "level:10/budget=5/hunch=100000")
	x.compare(few)
	best := slices.MaxFunc(x.found, func(a, b candidate[bosk.Move]) int { return cmp.Compare(a.hunch, b.hunch) })
	if x.order(); x.found[0].line != best.line || x.found[0].hunch != best.hunch || best.hunch == 0 {
		t.Errorf("it would make a turn of hunch %d, and not of %d", x.found[0].hunch, best.hunch)
	}
	if x.found[0].mean(x.found[0].wins) > 1 {
		t.Error("a hunch is taken for wins")
	}
}

// TestHunchesCost: who looks at turns plays fewer games on.
func TestHunchesCost(t *testing.T) {
	withNet(t, grandbois.Game(), 2)
	played := map[int]int{}
	for _, hunch := range []int{0, 40} {
		x := compares(t, grandbois.Game(), 2, 9, fmt.Sprintf("level:10/far=0/hunch=%d", hunch))
		x.compare(few)
		played[hunch] = x.mind.played
	}
	if least := played[0] / 2; played[40] >= played[0] || played[40] < least {
		t.Errorf("%d playouts with hunches, %d without", played[40], played[0])
	}
}

// TestHunchesAreLeftWhenTimeIsUp, and where the end of a game is known.
func TestHunchesAreLeftWhenTimeIsUp(t *testing.T) {
	withNet(t, bosk.Game(), 2)
	x := compares(t, bosk.Game(), 2, 9, "level:10/hunch=40")
	x.foresee(1)
	x.stopped = true
	if cost := x.foresee(1); cost != 0 || slices.ContainsFunc(x.found, func(c candidate[bosk.Move]) bool { return c.hunch != 0 }) {
		t.Errorf("time is up, and hunches count: %d", cost)
	}
	late, _ := flatterAt(t, bosk.Game(), 2, func(r game.Rules[bosk.Position, bosk.Move], s *bosk.Position) bool {
		e := efforts()[Levels-1]
		return r.ToAct(s) >= 0 && len(r.Moves(s, r.ToAct(s), nil)) > 1 && newSearcher(newMind(t.Context(), r.(game.Playable[bosk.Position, bosk.Move]), game.Begin(r, s, r.ToAct(s)), "oak"), &e).ending() == twoTurns
	})
	e := efforts()[Levels-1]
	x = newSearcher(late.mind, &e)
	x.believe()
	x.compared(x.moves())
	if len(x.found) < 2 || x.found[0].played != 1 {
		t.Fatalf("%d turns are answered, after %d games", len(x.found), x.found[0].played)
	}
	if slices.ContainsFunc(x.found, func(c candidate[bosk.Move]) bool { return c.hunch != 0 }) {
		t.Error("every answer is known, and hunches count")
	}
}

// TestHunchesNeedNoHelp: who helps has no net and wants none, and the same turn is found.
func TestHunchesNeedNoHelp(t *testing.T) {
	helped(t, bosk.Game(), "level:8/far=0/hunch=40")
	helped(t, treesociety.Game(), "level:8/far=0/hunch=40")
}

func helped[S, M comparable](t *testing.T, def game.Definition[S, M], player string) {
	t.Helper()
	g := Of(def)
	p, err := g.Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for p.Turn() < 6 || p.ToAct() < 0 || len(p.Moves()) < 2 {
		moves := p.Moves()
		if p, _, err = p.Play(p.ToAct(), moves[rng.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	ask := Ask{Player: player, Seed: "oak"}
	helper, err := g.Helper(p, ask) // before there was a net
	if err != nil {
		t.Fatal(err)
	}
	said := func(thought *Thought, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(thought.Options)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	without := said(g.Think(t.Context(), p, ask))
	withNet(t, def, 2)
	alone := said(g.Think(t.Context(), p, ask))
	under, err := g.Begin(t.Context(), p, ask, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer under.Stop()
	for len(under.Errands()) > 0 {
		var reports []json.RawMessage
		for _, e := range under.Errands() {
			report, _, err := helper.Do(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			reports = append(reports, report)
		}
		if err := under.GoOn(reports); err != nil {
			t.Fatal(err)
		}
	}
	if together := said(under.Thought(), nil); together != alone || alone == without {
		t.Errorf("%s: alone it says\n%s\nwith help\n%s\nand without hunches\n%s", def.Name, alone, together, without)
	}
}

// TestWhoHasHunches: levels 9 and 10 as the game says of their own budget, a trial as it says,
// and nobody without a net.
func TestWhoHasHunches(t *testing.T) {
	f, _ := flatterAt(t, bosk.Game(), 2, func(r game.Rules[bosk.Position, bosk.Move], s *bosk.Position) bool {
		return r.Turn(s) >= 4 && r.ToAct(s) >= 0
	})
	weight := func(player string) int {
		e, ok := level(player)
		if !ok {
			t.Fatalf("%s is no player", player)
		}
		x := newSearcher(newMind(t.Context(), f.rules, f.record, "oak"), e)
		if (x.sage != nil) != (x.weight > 0) || x.net != nil || x.netSum != 0 {
			t.Errorf("%s: %+v, %d, %+v", player, x.sage, x.weight, x.net)
		}
		return x.weight
	}
	if weight("level:10") != 0 || weight("level:9/hunch=7") != 0 {
		t.Error("there is no net, and somebody has hunches by it")
	}
	withNet(t, bosk.Game(), 2)
	for player, want := range map[string]int{"level:10": 40, "level:10/budget=9": 40, "level:10/hunch=0": 0, "level:9": 0, "level:9/budget=500": 0, "level:9/hunch=7": 7, "level:3/hunch=7": 0, "level:8/hunch=3": 3} {
		if got := weight(player); got != want {
			t.Errorf("%s: a hunch counts for %d playouts and not %d", player, got, want)
		}
	}
	if !lacks("level:9/far=0/hunch=7/former=1", f.rules) || lacks("level:9/far=0/former=1", f.rules) {
		t.Error("who has hunches by the net before the only one is not told, or who has none is")
	}
}

// TestHowGamesHaveNetsAsked: for how many playouts a hunch counts at levels 7 to 10, the
// budgets for which a net judges playouts, and for how long levels think, game by game.
func TestHowGamesHaveNetsAsked(t *testing.T) {
	says := func(r any) string {
		type asks interface {
			Trusted() (least, most int)
			Hunch(budget int) int
		}
		f := r.(asks)
		least, most := f.Trusted()
		return fmt.Sprint(f.Hunch(5), f.Hunch(13), f.Hunch(48), f.Hunch(500), ", ", least, most)
	}
	for seats, want := range map[int]struct{ bosk, grandbois, expert, treesociety string }{
		2: {"0 0 0 40, 0 0", "0 0 0 0, 5 500", "0 0 0 0, 5 500", "0 0 0 40, 0 0"},
		3: {"0 0 4 40, 500 500", "0 0 0 0, 0 0", "0 0 0 0, 0 0", "0 0 0 40, 0 0"},
		4: {"0 0 4 40, 500 500", "0 0 0 20, 500 500", "0 0 0 0, 0 0", "0 0 0 40, 0 0"},
	} {
		got := want
		got.bosk = says(bosk.New(seats, bosk.DefaultBox()))
		got.grandbois = says(grandbois.New(seats, grandbois.DefaultBox(), false))
		got.expert = says(grandbois.New(seats, grandbois.DefaultBox(), true))
		got.treesociety = says(treesociety.New(seats, treesociety.DefaultBox(), treesociety.UsualOptions()))
		if got != want {
			t.Errorf("%d seats: %+v and not %+v", seats, got, want)
		}
		for budget, want := range map[int]int{0: 0, 1: 1, 2: 2, 4: 4, 5: 2, 13: 4, 48: 16, 499: 166, 500: 500} {
			if seats != 3 {
				want = budget
			}
			if got := grandbois.New(seats, grandbois.DefaultBox(), false).Suffices(budget); got != want {
				t.Errorf("GrandBois of %d: %d ms suffice for %d, and not %d", seats, got, budget, want)
			}
		}
	}
}

// TestLevelsAskNetsInOrder: where the two best levels have hunches, that of level 9 counts for
// less, and only level 10 has a net judge playouts as well; the others have none.
func TestLevelsAskNetsInOrder(t *testing.T) {
	for _, seats := range []int{3, 4} {
		withNet(t, bosk.Game(), seats)
		f, _ := flatterAt(t, bosk.Game(), seats, func(r game.Rules[bosk.Position, bosk.Move], s *bosk.Position) bool {
			return r.ToAct(s) >= 0
		})
		for player, want := range map[string]struct {
			weight int
			judged bool
		}{"level:3": {}, "level:6": {}, "level:7": {}, "level:8": {}, "level:9": {weight: 4}, "level:9/budget=20": {weight: 4}, "level:10": {40, true}, "level:10/budget=20": {40, true}} {
			e, _ := level(player)
			x := newSearcher(f.mind, e)
			if x.weight != want.weight || (x.net != nil) != want.judged {
				t.Errorf("%s at a table of %d: a hunch counts for %d playouts, and a net judges them: %v", player, seats, x.weight, x.net != nil)
			}
		}
	}
}

// TestHowFarPlayoutsGo: as far as the game says, or as a trial says.
func TestHowFarPlayoutsGo(t *testing.T) {
	for seats, usual := range map[int]int{2: 8, 3: 0, 4: 12} { // no level judges by a net at a table of three
		withNet(t, grandbois.Game(), seats)
		for player, want := range map[string]int{"level:10": usual, "level:9/far=5": 5, "level:9/far=0": 0} {
			f, _ := flatterAt(t, grandbois.Game(), seats, func(r game.Rules[grandbois.Position, grandbois.Move], s *grandbois.Position) bool {
				return r.ToAct(s) >= 0
			})
			e, _ := level(player)
			x := newSearcher(f.mind, e)
			if x.reach != want || (x.net != nil) != (want > 0) {
				t.Errorf("%s at a table of %d: a net judges after %d turns and not %d", player, seats, x.reach, want)
			}
		}
	}
}
