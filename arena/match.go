package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"time"

	"copse/bot"
)

// MatchConfig says who plays whom.
type MatchConfig struct {
	Players  []string // one for each seat; a name may come more than once
	Options  json.RawMessage
	Games    int           // rounded up, so that everyone has every seat equally often
	Seed     string        // the same seed brings the same result, on any number of cores
	Opening  int           // turns at the start that are drawn at random; negative for as many as the game needs
	Limit    time.Duration // a turn that takes longer is late; 0 for no limit
	SPRT     *SPRT         // ends the match when it is settled; for two different players
	Save     string        // a file to go on from, to which finished games are added; may be empty
	Cores    int           // 0 for all there are
	Progress func(finished int)
}

// Match is how players fared against each other. Everything but what depends on
// time follows from the seed.
type Match struct {
	Game        string        `json:"game"`
	Version     int           `json:"version"`
	References  int           `json:"references"`
	Seats       int           `json:"seats"`
	Players     []string      `json:"players"`
	Seed        string        `json:"seed"`
	Opening     int           `json:"opening"` // turns that were drawn at random
	Asked       int           `json:"asked"`   // games to be played at most
	Games       int           `json:"games"`   // games that were played and count
	Groups      int           `json:"groups"`  // groups that those games are in
	Interrupted bool          `json:"interrupted"`
	ByPlayer    []MatchPlayer `json:"byPlayer"` // each name once, in the order of Players
	BySeat      []Estimate    `json:"bySeat"`   // the win share of each seat, whoever sat there
	SPRT        *Test         `json:"sprt,omitempty"`
	LimitMS     float64       `json:"limitMs,omitempty"`
	Illegal     []Illegal     `json:"illegal,omitempty"` // the first few
	Cores       int           `json:"cores"`
	Seconds     float64       `json:"seconds"`
}

// MatchPlayer is how one player fared, for each seat it had.
type MatchPlayer struct {
	Player   string   `json:"player"`
	Seats    int      `json:"seats"`    // how many seats of a table it had
	WinShare Estimate `json:"winShare"` // of one of its seats; a shared win counts in parts
	Margin   Estimate `json:"margin"`   // its lead over the best other
	Score    Spread   `json:"score"`
	TurnMS   Times    `json:"turnMs"`
	Illegal  int      `json:"illegal"` // answers that the rules did not take
	Late     int      `json:"late"`    // turns over the limit
	Cut      int      `json:"cut"`     // moves that a player's own safety net cut short
}

// mostIllegal is how many illegal answers a report shows.
const mostIllegal = 10

// Unfit says that what was asked for can never be played, and what could.
type Unfit struct{ why string }

// Error says why.
func (u *Unfit) Error() string { return u.why }

// errDifferent says, to whoever runs the match, what a sequential test needs.
var errDifferent error = &Unfit{"a sequential test compares two: name two different players, each as often as you like"}

// Match plays groups between players on all cores.
func (a arena[S, M]) Match(ctx context.Context, cfg MatchConfig) (_ *Match, err error) {
	begun := time.Now()
	seats := len(cfg.Players)
	if _, err := a.def.Settle(seats, 0); err != nil {
		return nil, err
	}
	names := distinct(cfg.Players)
	if cfg.SPRT != nil && len(names) != 2 {
		return nil, errDifferent
	}
	at, err := newTables(a.game, cfg.Players, cfg.Options, cfg.Seed, cfg.Opening, seats)
	if err != nil {
		return nil, err
	}
	saved, err := openSave(cfg.Save, settings{
		Copse: "match", Game: a.def.Name, Version: a.def.Version, Options: cfg.Options, Seats: []int{seats}, Players: cfg.Players,
		Minds: a.minds(cfg.Players, at), References: bot.ReferenceVersion, Seed: cfg.Seed, Opening: max(cfg.Opening, -1),
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, saved.close()) }()

	r := &run{tables: at, cores: cfg.Cores, save: saved, progress: cfg.Progress}
	r.groups = make([]group, (cfg.Games+seats-1)/seats)
	for i := range r.groups {
		r.groups[i] = group{deal: strconv.Itoa(i), players: cfg.Players}
	}
	var asked []float64 // by group, the shares of the player that the test is about
	settled := false
	if cfg.SPRT != nil {
		r.settled = func(groups int) bool {
			asked = append(asked, r.shareOf(groups-1, names[0]))
			settled = (groups%checkpoint == 0 || groups == len(r.groups)) && cfg.SPRT.test(asked).Verdict != open
			return settled
		}
	}
	complete, err := r.play(ctx)
	if err != nil {
		return nil, err
	}
	m := &Match{
		Game: a.def.Name, Version: a.def.Version, References: bot.ReferenceVersion, Seats: seats, Players: cfg.Players, Seed: cfg.Seed,
		Opening: at.openingTurns(seats), Asked: len(r.results), Games: r.first[complete], Groups: complete,
		LimitMS: float64(cfg.Limit.Microseconds()) / 1000, Cores: cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0)),
	}
	for _, name := range names {
		m.ByPlayer = append(m.ByPlayer, r.report(complete, name, cfg.Limit))
	}
	m.BySeat = r.bySeat(complete, seats)
	for _, res := range r.results[:m.Games] {
		m.Illegal = append(m.Illegal, res.Illegal...)
	}
	m.Illegal = m.Illegal[:min(len(m.Illegal), mostIllegal)]
	if cfg.SPRT != nil {
		t := cfg.SPRT.test(asked)
		if !settled {
			t.Verdict = open // between two checkpoints there is no verdict
		}
		m.SPRT = &t
	}
	m.Interrupted = complete < len(r.groups) && !settled
	m.Seconds = time.Since(begun).Seconds()
	return m, nil
}

// distinct is each name once, in the order in which they come.
func distinct(names []string) []string {
	var list []string
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// each visits every game of a group with every seat that a player had in it.
func (r *run) each(group int, player string, visit func(res *played, seat int)) {
	g := &r.groups[group]
	for rotation, res := range r.games(group) {
		for i, name := range g.players {
			if name == player {
				visit(res, g.seatOf(i, rotation))
			}
		}
	}
}

// shareOf is the win share of a player in a group, the mean over its seats and
// games.
func (r *run) shareOf(group int, player string) float64 {
	total, n := 0.0, 0
	r.each(group, player, func(res *played, seat int) {
		total += res.share(seat)
		n++
	})
	return total / float64(n)
}

// marginOf is the lead of a player in a group, the mean over its seats and games.
func (r *run) marginOf(group int, player string) float64 {
	total, n := 0, 0
	r.each(group, player, func(res *played, seat int) {
		total += res.margin(seat)
		n++
	})
	return float64(total) / float64(n)
}

// report counts the first so many groups for one player.
func (r *run) report(groups int, player string, limit time.Duration) MatchPlayer {
	p := MatchPlayer{Player: player}
	var score sums
	var us []uint32
	var won, lead []float64
	for g := range groups {
		if !slices.Contains(r.groups[g].players, player) {
			continue
		}
		won = append(won, r.shareOf(g, player))
		lead = append(lead, r.marginOf(g, player))
		r.each(g, player, func(res *played, seat int) {
			score.count(res.Totals[seat])
			for _, took := range res.Turns[seat] {
				us = append(us, took)
				if limit > 0 && time.Duration(took)*time.Microsecond > limit {
					p.Late++
				}
			}
			if res.Cut != nil {
				p.Cut += res.Cut[seat]
			}
			for _, wrong := range res.Illegal {
				if wrong.Seat == seat {
					p.Illegal++
				}
			}
		})
	}
	if len(r.groups) > 0 {
		for _, name := range r.groups[0].players {
			if name == player {
				p.Seats++
			}
		}
	}
	p.WinShare, p.Margin, p.Score, p.TurnMS = estimateShare(won), estimate(lead), score.spread(), timesOf(us)
	return p
}

// bySeat is the win share of each seat in the first so many groups.
func (r *run) bySeat(groups, seats int) []Estimate {
	list := make([]Estimate, seats)
	for seat := range list {
		won := make([]float64, groups)
		for g := range won {
			for _, res := range r.games(g) {
				won[g] += res.share(seat) / float64(seats)
			}
		}
		list[seat] = estimateShare(won)
	}
	return list
}
