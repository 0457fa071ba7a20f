package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"copse/bot"
	"copse/game"
)

// MatchConfig says who plays whom.
type MatchConfig struct {
	Players  []string // one for each seat
	Options  json.RawMessage
	Games    int
	Seed     string             // the same seed brings the same result, on any number of cores
	Cores    int                // 0 for all there are
	Progress func(finished int) // called after each game by whoever played it, several at once; may be nil
}

// Match is how players fared against each other. All but the times follows from
// the seed.
type Match struct {
	Game     string        `json:"game"`
	Version  int           `json:"version"`
	Games    int           `json:"games"`
	Seed     string        `json:"seed"`
	ByPlayer []MatchPlayer `json:"byPlayer"` // as they were named
	Seconds  float64       `json:"seconds"`
}

// MatchPlayer is how one player fared.
type MatchPlayer struct {
	Player   string  `json:"player"`
	WinShare float64 `json:"winShare"` // a shared win counts in parts
	Least    float64 `json:"least"`    // with 95 in 100 the true share lies between these
	Most     float64 `json:"most"`
	Score    Spread  `json:"score"`
	MeanMS   float64 `json:"meanMs"` // time it thought for a move
	MostMS   float64 `json:"mostMs"`
}

// Match plays games between players on all cores. The first move of every seat is
// drawn at random, so that games without chance differ too. From game to game the
// players move on by one seat, and chance and first moves stay the same until
// everyone has sat everywhere: what is compared is the players, not their luck.
func (a arena[S, M]) Match(cfg MatchConfig) (*Match, error) {
	m := &match{cfg: cfg, game: bot.Of(a.def)}
	begun := time.Now()
	seats := len(cfg.Players)
	if _, err := m.game.Start(game.Settings{Seats: seats, Options: cfg.Options}); err != nil {
		return nil, err
	}
	var next, finished atomic.Int64
	results := make([]result, cfg.Games)
	failed := make([]error, cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for i := range failed {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= cfg.Games || failed[i] != nil {
					return
				}
				results[n], failed[i] = m.play(n)
				if done := finished.Add(1); cfg.Progress != nil {
					cfg.Progress(int(done))
				}
			}
		})
	}
	wg.Wait()
	if err := cmp.Or(failed...); err != nil {
		return nil, err
	}
	return &Match{
		Game: a.def.Name, Version: a.def.Version, Games: cfg.Games, Seed: cfg.Seed,
		ByPlayer: m.report(results), Seconds: time.Since(begun).Seconds(),
	}, nil
}

type match struct {
	cfg  MatchConfig
	game bot.Game
}

// result is one game, by player and not by seat.
type result struct {
	wins  [game.MaxSeats]int // in parts of shares
	score [game.MaxSeats]int
	moves [game.MaxSeats]int
	took  [game.MaxSeats]time.Duration
	most  [game.MaxSeats]time.Duration
}

func (m *match) play(n int) (result, error) {
	seats := len(m.cfg.Players)
	player := func(seat game.Seat) int { return (int(seat) + n + seats) % seats }
	seed := game.Seed{Secret: []byte(m.cfg.Seed), Nonces: [][]byte{[]byte(strconv.Itoa(n / seats))}}
	var res result
	p, err := m.game.Start(game.Settings{Seats: seats, Options: m.cfg.Options})
	if err != nil {
		return res, err
	}
	for draws, plies := 0, 0; p.ToAct() != game.None; plies++ {
		seat := p.ToAct()
		var move json.RawMessage
		switch who, begun := player(seat), time.Now(); {
		case seat == game.Chance:
			move = p.Draw(seed, draws)
			draws++
		case p.Turn() < seats:
			moves := p.Moves()
			move = moves[rand.New(seed.Numbers(longestGame+plies)).IntN(len(moves))]
		default:
			ask := bot.Ask{Player: m.cfg.Players[who], Seed: fmt.Sprint(m.cfg.Seed, n, plies)}
			thought, err := m.game.Think(context.Background(), p, ask)
			if err != nil {
				return res, err
			}
			move = thought.Move
			took := time.Since(begun)
			res.moves[who]++
			res.took[who] += took
			res.most[who] = max(res.most[who], took)
		}
		if p, _, err = p.Play(seat, move); err != nil {
			return res, fmt.Errorf("%s played %s in game %d: %w", m.cfg.Players, move, n, err)
		}
	}
	st := p.Standing()
	winners := 0
	for _, score := range st.Seats[:seats] {
		if score.Rank == 1 {
			winners++
		}
	}
	for seat, score := range st.Seats[:seats] {
		who := player(game.Seat(seat))
		res.score[who] = int(score.Total)
		if score.Rank == 1 {
			res.wins[who] = shares / winners
		}
	}
	return res, nil
}

func (m *match) report(results []result) []MatchPlayer {
	list := make([]MatchPlayer, len(m.cfg.Players))
	for i, name := range m.cfg.Players {
		var score sums
		var took, most time.Duration
		wins, moves := 0, 0
		for _, res := range results {
			score.count(res.score[i])
			wins += res.wins[i]
			moves += res.moves[i]
			took += res.took[i]
			most = max(most, res.most[i])
		}
		won := float64(wins) / shares
		least, high := interval(won, float64(len(results)))
		list[i] = MatchPlayer{
			Player: name, WinShare: won / float64(len(results)), Least: least, Most: high, Score: score.spread(),
			MeanMS: float64(took.Microseconds()) / 1000 / float64(max(1, moves)), MostMS: float64(most.Microseconds()) / 1000,
		}
	}
	return list
}

// interval is where the true share lies with 95 in 100 if so many of n games were
// won: Wilson's, which also holds where all or none were.
func interval(won, n float64) (least, most float64) {
	const z = 1.96
	p := won / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}
