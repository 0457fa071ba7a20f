package arena

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"copse/game"
)

// PractiseConfig says how the habits of plans are practised.
type PractiseConfig struct {
	Seats    int
	Options  json.RawMessage
	Blank    bool    // begin with habits that are all 0, and not with those of the game
	Rounds   int     // in each of which habits are changed
	Groups   int     // of games in a round: a deal, with every seat once
	Pace     float64 // how far a round goes, beside what is usual; 0 for 1
	Seed     string  // the same seed finds the same habits, on any number of cores
	Cores    int     // 0 for all there are
	Progress func(finished int)
}

// Practice is what came of it.
type Practice struct {
	Habits []int16 // the mean of those of the last quarter of the rounds
	Games  int     // by which they were compared with those of the game, on deals of their own
	Wins   float64 // the share of the wins of one seat that goes by them, among seats that go by those of the game
	Margin float64 // its mean lead over the best other
}

// How habits are practised. Every round draws a step for each of them, and has the
// habits with that step play the habits with the opposite one: by as much as the first
// win, the step is taken (evolution strategies with antithetic steps). Steps shorten
// towards the end.
const (
	firstStep, lastStep = 30.0, 9.0 // the standard deviation of a step, in hundredths
	firstPace, lastPace = 18.0, 3.6 // how much of a step is taken that wins clearly
	fewHabits           = 40        // with more of them less of it is taken: each step is owed to all
	forOutcome          = 2000      // groups by which the outcome is compared with what was there
	largestHabit        = 30_000    // none is further from 0
)

// errNoPractice says that nothing would be learned.
var errNoPractice = errors.New("there must be a round, and a group of games in it")

// errNoHabits says that there is nothing to practise.
var errNoHabits = errors.New("the plans of the game go by no habits")

// Practise finds habits for the plans of a game, by games that are played by plans
// alone.
func (a arena[S, M]) Practise(ctx context.Context, cfg PractiseConfig) (Practice, error) {
	rules, err := a.def.Rules(game.Settings{Seats: cfg.Seats, Options: cfg.Options})
	if err != nil {
		return Practice{}, err
	}
	p, ok := rules.(game.Practised[S, M])
	if cfg.Rounds < 1 || cfg.Groups < 1 {
		return Practice{}, errNoPractice
	}
	if !ok {
		return Practice{}, errNoHabits
	}
	g := gym[S, M]{rules: rules, practised: p, seed: numbered(cfg.Seed), cores: cfg.Cores}
	if g.cores == 0 {
		g.cores = runtime.GOMAXPROCS(0)
	}
	began := p.Habits()
	rng := rand.New(rand.NewPCG(g.seed, 1))
	habits, mean := make([]float64, len(began)), make([]float64, len(began))
	for i, h := range began {
		if !cfg.Blank {
			habits[i] = float64(h)
		}
	}
	if cfg.Pace == 0 {
		cfg.Pace = 1
	}
	last := cfg.Rounds - max(1, cfg.Rounds/4)
	step := make([]float64, len(habits))
	share := cfg.Pace * min(1, fewHabits/float64(len(habits)))
	for round := range cfg.Rounds {
		done := float64(round) / float64(cfg.Rounds)
		wide := firstStep + float64((lastStep-firstStep)*done)
		pace := share * (firstPace + float64((lastPace-firstPace)*done))
		for i := range step {
			step[i] = rng.NormFloat64()
		}
		to, fro := moved(habits, step, wide), moved(habits, step, -wide)
		_, margin, err := g.match(ctx, to, fro, uint64(round*cfg.Groups), cfg.Groups)
		if err != nil {
			return Practice{}, err
		}
		by := pace * math.Tanh(margin) // a lead of a point or two is clear
		for i := range habits {
			habits[i] += float64(by * step[i])
			if round >= last {
				mean[i] += habits[i] / float64(cfg.Rounds-last)
			}
		}
		if cfg.Progress != nil {
			cfg.Progress(round + 1)
		}
	}
	out := Practice{Habits: moved(mean, step, 0), Games: forOutcome * cfg.Seats}
	out.Wins, out.Margin, err = g.match(ctx, out.Habits, began, afresh, forOutcome)
	return out, err
}

// numbered is a number made of a text.
func numbered(seed string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return h.Sum64()
}

// afresh is the number of the first deal of those that nothing was practised on.
const afresh = 1 << 40

// moved are whole numbers a step away from habits.
func moved(habits, step []float64, by float64) []int16 {
	whole := make([]int16, len(habits))
	for i := range whole {
		whole[i] = int16(math.Round(min(max(habits[i]+float64(by*step[i]), -largestHabit), largestHabit)))
	}
	return whole
}

// gym is where plans play each other.
type gym[S, M comparable] struct {
	rules     game.Playable[S, M]
	practised game.Practised[S, M]
	seed      uint64
	cores     int
}

// takings are what came of games, in whole numbers, so that it is the same in any order.
type takings struct {
	wins   int64 // in twelfths
	margin int64
	games  int64
}

// planners are one that goes by the first habits, and one that goes by the second.
func (g *gym[S, M]) planners(one, others []int16) [2]game.Planner[S, M] {
	return [2]game.Planner[S, M]{g.practised.Practise(one), g.practised.Practise(others)}
}

// match has one who goes by the first habits play others who go by the second, and
// gives its share of the wins and its margin. When the context ends it fails.
func (g *gym[S, M]) match(ctx context.Context, one, others []int16, from uint64, groups int) (wins, margin float64, err error) {
	sums := make([]takings, min(g.cores, groups))
	var all sync.WaitGroup
	for core := range sums {
		all.Go(func() {
			players := g.planners(one, others)
			for n := core; n < groups && ctx.Err() == nil; n += len(sums) {
				got := g.group(players, from+uint64(n))
				sums[core].wins += got.wins
				sums[core].margin += got.margin
				sums[core].games += got.games
			}
		})
	}
	all.Wait()
	var total takings
	for _, s := range sums {
		total.wins += s.wins
		total.margin += s.margin
		total.games += s.games
	}
	games := float64(total.games)
	return float64(total.wins) / (12 * games), float64(total.margin) / games, ctx.Err()
}

// group plays a deal once for each seat that the first may have.
func (g *gym[S, M]) group(players [2]game.Planner[S, M], deal uint64) (of takings) {
	seats := g.rules.Seats()
	for own := range seats {
		st := g.play(players, game.Seat(own), deal)
		winners, best := int64(0), game.Points(math.MinInt16)
		for other, score := range st.Seats[:seats] {
			if score.Rank == 1 {
				winners++
			}
			if other != own {
				best = max(best, score.Total)
			}
		}
		if st.Seats[own].Rank == 1 {
			of.wins += 12 / winners
		}
		of.margin += int64(st.Seats[own].Total) - int64(best)
		of.games++
	}
	return of
}

// play plays a game by plans.
func (g *gym[S, M]) play(players [2]game.Planner[S, M], own game.Seat, deal uint64) game.Standing {
	luck := rand.New(rand.NewPCG(g.seed, deal<<1))
	dice := rand.New(rand.NewPCG(g.seed, deal<<1|1))
	s := g.rules.Start()
	var moves []M
	for {
		seat := g.rules.ToAct(&s)
		switch seat {
		case game.None:
			return g.rules.Standing(&s)
		case game.Chance:
			moves = g.rules.Moves(&s, seat, moves[:0])
			g.rules.Play(&s, seat, game.Outcome(g.rules, &s, moves, luck), nil)
			continue
		}
		who := 1
		if seat == own {
			who = 0
		}
		moves = slices.Grow(moves[:0], 32)
		for _, m := range players[who].Plan(&s, seat, dice, moves) {
			g.rules.Play(&s, seat, m, nil)
		}
	}
}
