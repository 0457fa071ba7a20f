package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"copse/game"
)

// SimConfig says which random games to play.
type SimConfig struct {
	Seats    int
	Options  json.RawMessage
	Games    int
	Seed     string             // the same seed brings the same result, on any number of cores
	Cores    int                // 0 for all there are
	Progress func(finished int) // called now and then with how many are finished, by several goroutines at once; may be nil
}

// Sim is what random games were like. Everything but Speed follows from the seed.
type Sim struct {
	Game      string      `json:"game"`
	Version   int         `json:"version"`
	Seats     int         `json:"seats"`
	Games     int         `json:"games"`
	Seed      string      `json:"seed"`
	Plies     Spread      `json:"plies"`     // moves of players and chance in a game
	Branching float64     `json:"branching"` // moves to choose from, a ply
	BySeat    []SimSeat   `json:"bySeat"`
	Margin    Spread      `json:"margin"` // from the first to the second
	Endless   int         `json:"endless,omitempty"`
	Speed     Measurement `json:"speed"`
}

// SimSeat is how one seat fared.
type SimSeat struct {
	WinShare float64            `json:"winShare"` // a shared win counts in parts
	Score    Spread             `json:"score"`
	Parts    map[string]float64 `json:"parts"` // mean points
}

// Spread is the mean, the standard deviation and the range of whole numbers.
type Spread struct {
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}

// Measurement is how fast the games were played; it differs from run to run.
type Measurement struct {
	Cores          int     `json:"cores"`
	Seconds        float64 `json:"seconds"`
	GamesPerSecond float64 `json:"gamesPerSecond"`
	PliesPerSecond float64 `json:"pliesPerSecond"`
}

// longestGame is how many plies a game may have. No game of ours comes near it.
const longestGame = 100_000

// batch is how many games a core takes at a time.
const batch = 64

// Sim plays random games on all cores. Each game has random numbers of its own,
// made from the seed and its number, and only whole numbers are added up, so it
// does not matter which core plays which game.
func (a arena[S, M]) Sim(cfg SimConfig) (*Sim, error) {
	rules, err := a.def.Rules(game.Settings{Seats: cfg.Seats, Options: cfg.Options})
	if err != nil {
		return nil, err
	}
	cores := cfg.Cores
	if cores <= 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	begun := time.Now()
	var next, finished atomic.Int64
	tallies := make([]tally, cores)
	var wg sync.WaitGroup
	for i := range tallies {
		wg.Go(func() {
			p := newPlayer(rules, cfg.Seed)
			for {
				first := int(next.Add(batch)) - batch
				if first >= cfg.Games {
					return
				}
				last := min(first+batch, cfg.Games)
				for n := first; n < last; n++ {
					p.play(n, &tallies[i])
				}
				done := finished.Add(int64(last - first))
				if cfg.Progress != nil {
					cfg.Progress(int(done))
				}
			}
		})
	}
	wg.Wait()
	var all tally
	for i := range tallies {
		all.add(&tallies[i])
	}
	sim := all.report(cfg.Seats, a.def.Parts)
	sim.Game, sim.Version, sim.Seed = a.def.Name, a.def.Version, cfg.Seed
	sim.Speed = measure(cores, time.Since(begun), all.games, all.plies.sum)
	return sim, nil
}

func measure(cores int, took time.Duration, games, plies int) Measurement {
	s := max(took.Seconds(), 1e-9)
	return Measurement{Cores: cores, Seconds: s, GamesPerSecond: float64(games) / s, PliesPerSecond: float64(plies) / s}
}

// player plays one random game after the other.
type player[S, M comparable] struct {
	rules game.Playable[S, M]
	start S
	s     S
	buf   []M
	key   [2]uint64
	pcg   *rand.PCG
	rng   *rand.Rand
}

func newPlayer[S, M comparable](rules game.Playable[S, M], seed string) *player[S, M] {
	sum := sha256.Sum256([]byte(seed))
	pcg := rand.NewPCG(0, 0)
	return &player[S, M]{
		rules: rules, start: rules.Start(), pcg: pcg, rng: rand.New(pcg),
		key: [2]uint64{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])},
	}
}

// play plays game number n and counts it.
func (p *player[S, M]) play(n int, t *tally) {
	p.pcg.Seed(p.key[0], p.key[1]^uint64(n)*0x9E3779B97F4A7C15) // the factor is odd, so no two games get the same numbers
	p.s = p.start
	plies, listed, buf := game.Playout(p.rules, &p.s, p.rng, p.buf, longestGame)
	p.buf = buf
	t.count(plies, listed, p.rules.Standing(&p.s), p.rules.Seats())
}

// shares is the number of parts of a win, which any number of winners can share
// evenly.
const shares = 12

// tally adds up games in whole numbers, so that the order does not matter.
type tally struct {
	games, endless, listed int
	plies, margin          sums
	wins                   [game.MaxSeats]int // in parts of shares
	score                  [game.MaxSeats]sums
	parts                  [game.MaxSeats][game.MaxParts]int
}

func (t *tally) count(plies, listed int, st game.Standing, seats int) {
	t.games++
	t.listed += listed
	t.plies.count(plies)
	if !st.Over {
		t.endless++
		return
	}
	winners, best, second := 0, math.MinInt, math.MinInt
	for _, score := range st.Seats[:seats] {
		if score.Rank == 1 {
			winners++
		}
		if total := int(score.Total); total > best {
			best, second = total, best
		} else {
			second = max(second, total)
		}
	}
	t.margin.count(best - second)
	for seat, score := range st.Seats[:seats] {
		if score.Rank == 1 {
			t.wins[seat] += shares / winners
		}
		t.score[seat].count(int(score.Total))
		for i, points := range score.Parts {
			t.parts[seat][i] += int(points)
		}
	}
}

func (t *tally) add(o *tally) {
	t.games += o.games
	t.endless += o.endless
	t.listed += o.listed
	t.plies.add(o.plies)
	t.margin.add(o.margin)
	for seat := range game.MaxSeats {
		t.wins[seat] += o.wins[seat]
		t.score[seat].add(o.score[seat])
		for i := range game.MaxParts {
			t.parts[seat][i] += o.parts[seat][i]
		}
	}
}

func (t *tally) report(seats int, parts []string) *Sim {
	sim := &Sim{Seats: seats, Games: t.games, Plies: t.plies.spread(), Margin: t.margin.spread(), Endless: t.endless}
	if t.plies.sum > 0 {
		sim.Branching = float64(t.listed) / float64(t.plies.sum)
	}
	ended := float64(max(1, t.games-t.endless))
	for seat := range seats {
		s := SimSeat{
			WinShare: float64(t.wins[seat]) / shares / ended,
			Score:    t.score[seat].spread(), Parts: map[string]float64{},
		}
		for i, part := range parts {
			s.Parts[part] = float64(t.parts[seat][i]) / ended
		}
		sim.BySeat = append(sim.BySeat, s)
	}
	return sim
}

// sums is what a Spread is computed from.
type sums struct {
	n, sum, squares, least, most int
}

func (s *sums) count(x int) { s.add(sums{1, x, x * x, x, x}) }

func (s *sums) add(o sums) {
	switch {
	case o.n == 0:
		return
	case s.n == 0:
		*s = o
		return
	}
	s.n += o.n
	s.sum += o.sum
	s.squares += o.squares
	s.least = min(s.least, o.least)
	s.most = max(s.most, o.most)
}

func (s *sums) spread() Spread {
	if s.n == 0 {
		return Spread{}
	}
	mean := float64(s.sum) / float64(s.n)
	variance := max(0, float64(s.squares)/float64(s.n)-mean*mean)
	return Spread{Mean: mean, SD: math.Sqrt(variance), Least: s.least, Most: s.most}
}
