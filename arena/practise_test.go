package arena

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// gymOf is a gym for a game.
func gymOf[S, M comparable](t *testing.T, def game.Definition[S, M], seats int) *gym[S, M] {
	t.Helper()
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return &gym[S, M]{rules: rules, practised: rules.(game.Practised[S, M]), seed: 5, cores: 2}
}

// TestPracticeFindsHabits: from nothing, a little practice wins against nothing, and the
// same seed finds the same on any number of cores.
func TestPracticeFindsHabits(t *testing.T) {
	cfg := PractiseConfig{Seats: 2, Blank: true, Rounds: 60, Groups: 12, Seed: "yew", Cores: 1}
	shown := 0
	cfg.Progress = func(n int) { shown = n }
	p, err := Of(grandbois.Game()).Practise(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if shown != cfg.Rounds || p.Games != 2*forOutcome {
		t.Errorf("%d rounds were shown, %d games compared", shown, p.Games)
	}
	g := gymOf(t, grandbois.Game(), 2)
	if wins, _, _ := g.match(t.Context(), p.Habits, make([]int16, len(p.Habits)), 0, 300); wins < 0.7 {
		t.Errorf("after practice %.2f of the games are won against none", wins)
	}
	wins, margin, _ := g.match(t.Context(), p.Habits, g.practised.Habits(), afresh, 300)
	if p.Wins > 0.5 || p.Wins < wins-0.1 || p.Wins > wins+0.1 || p.Margin > 0 || margin > 0 {
		t.Errorf("a little practice wins %.2f by %.1f against the habits of the game; others find %.2f by %.1f", p.Wins, p.Margin, wins, margin)
	}
	cfg.Cores, cfg.Progress = 3, nil
	again, err := Of(grandbois.Game()).Practise(t.Context(), cfg)
	if err != nil || !slices.Equal(again.Habits, p.Habits) || again.Wins != p.Wins {
		t.Errorf("on three cores: %v, %v; on one %v", again, err, p)
	}
	cfg.Seed = "ash"
	if other, err := Of(grandbois.Game()).Practise(t.Context(), cfg); err != nil || slices.Equal(other.Habits, p.Habits) {
		t.Errorf("another seed finds the same, or %v", err)
	}
}

// TestThePaceOfPractice: what a round does to habits is as large as the pace says, and
// smaller where there are very many of them.
func TestThePaceOfPractice(t *testing.T) {
	far := func(e Arena, pace float64) (sum float64) {
		p, err := e.Practise(t.Context(), PractiseConfig{Seats: 2, Blank: true, Rounds: 1, Groups: 2, Seed: "yew", Pace: pace})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range p.Habits {
			sum += math.Abs(float64(h))
		}
		return sum / float64(len(p.Habits))
	}
	few, many := Of(grandbois.Game()), Of(treesociety.Game())
	one, ten := far(few, 1), far(few, 10)
	if one < 5 || ten < 9*one || ten > 11*one || far(few, 0) != one {
		t.Errorf("at a pace of 1 a round goes %.1f far, at 10 %.1f", one, ten)
	}
	if less := far(many, 1); less > one/2 || less == 0 {
		t.Errorf("with many habits a round goes %.1f far, with few %.1f", less, one)
	}
}

// TestPracticeEnds when nobody waits for it: before it begins, in the middle, and while
// the outcome is compared.
func TestPracticeEnds(t *testing.T) {
	cfg := PractiseConfig{Seats: 2, Rounds: 5, Groups: 2}
	for after := range cfg.Rounds + 1 {
		ctx, stop := context.WithCancel(t.Context())
		last := 0
		cfg.Progress = func(n int) {
			if last = n; n == after {
				stop()
			}
		}
		if after == 0 {
			stop()
		}
		if _, err := Of(bosk.Game()).Practise(ctx, cfg); !errors.Is(err, context.Canceled) || last != after {
			t.Errorf("after %d rounds: %v in round %d", after, err, last)
		}
		stop()
	}
}

// TestNothingToPractise: no rounds, no games, and a game without habits are refused.
func TestNothingToPractise(t *testing.T) {
	for _, cfg := range []PractiseConfig{{Seats: 2, Groups: 2}, {Seats: 2, Rounds: 2}} {
		if _, err := Of(bosk.Game()).Practise(t.Context(), cfg); !errors.Is(err, errNoPractice) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	if _, err := Of(gametest.Tiny()).Practise(t.Context(), PractiseConfig{Seats: 2, Rounds: 2, Groups: 2}); !errors.Is(err, errNoHabits) {
		t.Error(err)
	}
}

// TestWholeHabits are rounded, and none is too large.
func TestWholeHabits(t *testing.T) {
	got := moved([]float64{1.4, -1.6, 29_990, -29_990, 10}, []float64{0, 0, 1, -1, -2}, 20)
	if want := []int16{1, -2, largestHabit, -largestHabit, -30}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestHabitsAreBetterThanWhatWasWeighedByHand: quick turns win against those of the
// veteran, at tables of all sizes.
func TestHabitsAreBetterThanWhatWasWeighedByHand(t *testing.T) {
	t.Run("bosk", func(t *testing.T) { againstTheVeteran(t, bosk.Game(), 1.1) })
	t.Run("grandbois", func(t *testing.T) { againstTheVeteran(t, grandbois.Game(), 1.6) })
	t.Run("treesociety", func(t *testing.T) { againstTheVeteran(t, treesociety.Game(), 1.3) })
}

// againstTheVeteran has quick turns play those of the veteran.
func againstTheVeteran[S, M comparable](t *testing.T, def game.Definition[S, M], least float64) {
	for seats := 2; seats <= 4; seats++ {
		g := gymOf(t, def, seats)
		old := g.rules.(game.Remembering).Veteran().(game.Planner[S, M])
		wins, games := 0.0, 0.0
		for deal := range uint64(300) {
			got := g.group([2]game.Planner[S, M]{g.practised, old}, deal)
			wins += float64(got.wins) / 12
			games += float64(got.games)
		}
		share := wins / games * float64(seats)
		t.Logf("%d seats: %.2f of the fair share", seats, share)
		if share < least {
			t.Errorf("%d seats: only %.2f of the fair share", seats, share)
		}
	}
}

// TestAnyHabitsPlayByTheRules: whatever the habits are, plans are moves of the rules, and
// games end.
func TestAnyHabitsPlayByTheRules(t *testing.T) {
	t.Run("bosk", func(t *testing.T) { anyHabits(t, bosk.Game()) })
	t.Run("grandbois", func(t *testing.T) { anyHabits(t, grandbois.Game()) })
	t.Run("treesociety", func(t *testing.T) { anyHabits(t, treesociety.Game()) })
}

func anyHabits[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		g := gymOf(t, def, 2+n%3)
		habits := g.practised.Habits()
		for i := range habits {
			switch n % 4 {
			case 0:
				habits[i] = 0
			case 1:
				habits[i] = int16(2*rng.IntN(2)-1) * largestHabit
			default:
				habits[i] = int16(rng.IntN(2000) - 1000)
			}
		}
		if slices.Equal(habits, g.practised.Habits()) {
			t.Fatal("to change what a game says of its habits changed the game")
		}
		p, s, dice := g.practised.Practise(habits), g.rules.Start(), rand.New(rand.NewPCG(1, uint64(n)))
		var moves []M
		for g.rules.ToAct(&s) != game.None {
			seat := g.rules.ToAct(&s)
			if seat == game.Chance {
				moves = g.rules.Moves(&s, seat, moves[:0])
				g.rules.Play(&s, seat, game.Outcome(g.rules, &s, moves, dice), nil)
				continue
			}
			moves = p.Plan(&s, seat, dice, moves[:0])
			if len(moves) == 0 {
				t.Fatalf("no plan by %v", habits)
			}
			for _, m := range moves {
				if err := g.rules.Check(&s, seat, m); err != nil {
					t.Fatalf("%v by %v: %v", m, habits, err)
				}
				g.rules.Play(&s, seat, m, nil)
			}
		}
	}
}

// TestWhoKnowsTheCardsWins: in Tree Society quick turns that know each card win against
// those that take cards for what they say, which serve other guilds, at tables of all sizes
// and with the other options.
func TestWhoKnowsTheCardsWins(t *testing.T) {
	def := treesociety.Game()
	rules := func(seats int, options string) game.Playable[treesociety.Position, treesociety.Move] {
		r, err := def.Rules(game.Settings{Seats: seats, Options: game.RawMessage(options)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	type practised = game.Practised[treesociety.Position, treesociety.Move]
	others := rules(2, `{"guilds":["writers","botanists","explorers","bankers"]}`).(practised).Habits()
	for _, options := range []string{`{}`, `{"draft":true}`, `{"banners":7}`, `{"startingCards":false}`} {
		for seats := 2; seats <= 4; seats++ {
			r := rules(seats, options)
			g := gym[treesociety.Position, treesociety.Move]{rules: r, practised: r.(practised), seed: 6, cores: 2}
			wins, margin, err := g.match(t.Context(), g.practised.Habits(), others, 0, 300)
			t.Logf("%s, %d seats: %.2f of the fair share, by %.1f points", options, seats, wins*float64(seats), margin)
			if err != nil || wins*float64(seats) < 1.1 {
				t.Errorf("%s, %d seats: %.2f of the fair share, %v", options, seats, wins*float64(seats), err)
			}
		}
	}
}
