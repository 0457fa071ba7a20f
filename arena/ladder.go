package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"copse/bot"
	"copse/game"
)

// LadderConfig says who plays on a ladder.
type LadderConfig struct {
	Players  []string // at least two, each once
	Seats    []int    // sizes of tables; those with more seats than there are players are left out
	Options  json.RawMessage
	Games    int           // at each size of table, rounded up to whole groups
	Seed     string        // the same seed brings the same result, on any number of cores
	Opening  int           // turns at the start that are drawn at random; negative for as many as the game needs
	Limit    time.Duration // a turn that takes longer is late; 0 for no limit
	Save     string        // a file to go on from, to which finished games are added; may be empty
	Cores    int           // 0 for all there are
	Progress func(finished, all int)
}

// Ladder is how many players fared against each other. Everything but what depends
// on time follows from the seed.
type Ladder struct {
	Game        string         `json:"game"`
	Version     int            `json:"version"`
	References  int            `json:"references"`
	Players     []string       `json:"players"`
	Seed        string         `json:"seed"`
	Asked       int            `json:"asked"`
	Games       int            `json:"games"`
	Interrupted bool           `json:"interrupted"`
	Tables      []LadderTable  `json:"tables"` // by size, and all sizes together
	Pairs       []LadderPair   `json:"pairs"`  // at tables of two, everyone against everyone
	ByPlayer    []LadderPlayer `json:"byPlayer"`
	LimitMS     float64        `json:"limitMs,omitempty"`
	Illegal     []Illegal      `json:"illegal,omitempty"` // the first few
	Cores       int            `json:"cores"`
	Seconds     float64        `json:"seconds"`
}

// LadderTable is the result of the tables of one size.
type LadderTable struct {
	Seats   int      `json:"seats"` // 0 for all sizes together
	Games   int      `json:"games"`
	Groups  int      `json:"groups"`
	Ratings []Rating `json:"ratings"` // the best first
}

// Rating is how strong a player is: 400 more is ten to one at a table of two. The
// mean of a table is 0.
type Rating struct {
	Player   string   `json:"player"`
	Rating   Estimate `json:"rating"`
	Games    int      `json:"games"`
	WinShare Estimate `json:"winShare"`
	Margin   Estimate `json:"margin"`
}

// LadderPair is how one player fared against another at tables of two.
type LadderPair struct {
	Player   string   `json:"player"`
	Other    string   `json:"other"`
	Games    int      `json:"games"`
	WinShare Estimate `json:"winShare"` // of the first
	Margin   Estimate `json:"margin"`
}

// LadderPlayer is how long a player thought, and what it did wrong.
type LadderPlayer struct {
	Player  string `json:"player"`
	TurnMS  Times  `json:"turnMs"`
	Illegal int    `json:"illegal"`
	Late    int    `json:"late"`
	Cut     int    `json:"cut"`
}

// Ladder plays tables of every size on all cores. At tables of two everyone plays
// everyone equally often; at larger ones mixed tables are drawn from the seed, and
// everyone sits equally often.
func (a arena[S, M]) Ladder(ctx context.Context, cfg LadderConfig) (_ *Ladder, err error) {
	begun := time.Now()
	n := len(cfg.Players)
	if n < 2 || len(distinct(cfg.Players)) != n {
		return nil, &Unfit{fmt.Sprintf("a ladder has at least two players, each named once, not %v", cfg.Players)}
	}
	var sizes []int
	for _, seats := range cfg.Seats {
		if _, err := a.def.Settle(seats, 0); err != nil {
			return nil, err
		}
		if seats <= n && !slices.Contains(sizes, seats) {
			sizes = append(sizes, seats)
		}
	}
	if len(sizes) == 0 {
		return nil, &Unfit{fmt.Sprintf("%d players fill no table of %v: name more of them, or smaller tables", n, cfg.Seats)}
	}
	slices.Sort(sizes)
	at, err := newTables(a.game, cfg.Players, cfg.Options, cfg.Seed, cfg.Opening, sizes...)
	if err != nil {
		return nil, err
	}
	saved, err := openSave(cfg.Save, settings{
		Copse: "ladder", Game: a.def.Name, Version: a.def.Version, Options: cfg.Options, Seats: sizes, Players: cfg.Players,
		Minds: a.minds(cfg.Players, at), References: bot.ReferenceVersion, Seed: cfg.Seed, Opening: max(cfg.Opening, -1),
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, saved.close()) }()

	r := &run{tables: at, cores: cfg.Cores, save: saved, groups: schedule(cfg.Players, sizes, cfg.Games, cfg.Seed)}
	if cfg.Progress != nil {
		r.progress = func(finished int) { cfg.Progress(finished, len(r.results)) }
	}
	complete, err := r.play(ctx)
	if err != nil {
		return nil, err
	}
	l := &Ladder{
		Game: a.def.Name, Version: a.def.Version, References: bot.ReferenceVersion, Players: cfg.Players, Seed: cfg.Seed,
		Asked: len(r.results), Games: r.first[complete], Interrupted: complete < len(r.groups), Pairs: []LadderPair{},
		LimitMS: float64(cfg.Limit.Microseconds()) / 1000, Cores: cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0)),
	}
	for _, seats := range sizes {
		l.Tables = append(l.Tables, r.table(complete, seats, cfg.Players, cfg.Seed))
	}
	if len(sizes) > 1 {
		l.Tables = append(l.Tables, r.table(complete, 0, cfg.Players, cfg.Seed))
	}
	if sizes[0] == 2 {
		l.Pairs = r.pairs(complete, cfg.Players)
	}
	for _, name := range cfg.Players {
		p := r.report(complete, name, cfg.Limit)
		l.ByPlayer = append(l.ByPlayer, LadderPlayer{name, p.TurnMS, p.Illegal, p.Late, p.Cut})
	}
	for _, res := range r.results[:l.Games] {
		l.Illegal = append(l.Illegal, res.Illegal...)
	}
	l.Illegal = l.Illegal[:min(len(l.Illegal), mostIllegal)]
	l.Seconds = time.Since(begun).Seconds()
	return l, nil
}

// schedule is who plays whom, groups of all sizes mixed evenly, so that a ladder
// that is interrupted has played some of each. Which players a group has depends on
// its deal and the seed alone: with more games the first ones stay the same.
func schedule(players []string, sizes []int, games int, seed string) []group {
	type slot struct {
		when float64
		group
	}
	var slots []slot
	for _, seats := range sizes {
		draw := drawer(players, seats, seed)
		n := (games + seats - 1) / seats
		for i := range n {
			slots = append(slots, slot{(float64(i) + 0.5) / float64(n), group{deal: fmt.Sprintf("%d/%d", seats, i), players: draw()}})
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return cmp.Compare(a.when, b.when) })
	groups := make([]group, len(slots))
	for i := range slots {
		groups[i] = slots[i].group
	}
	return groups
}

// drawer draws tables of so many seats. For two it deals out all pairs before any
// comes again. For more it shuffles the players and seats them one table after the
// other; those who are left over sit at the next, with others of the next shuffle.
func drawer(players []string, seats int, seed string) func() []string {
	rng := rand.New(game.Seed{Secret: []byte(seed), Nonces: [][]byte{[]byte("tables")}}.Numbers(seats))
	if seats == 2 {
		var pairs [][]string
		return func() []string {
			if len(pairs) == 0 {
				for i, a := range players {
					for _, b := range players[i+1:] {
						pairs = append(pairs, []string{a, b})
					}
				}
				rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			}
			pair := pairs[0]
			pairs = pairs[1:]
			return pair
		}
	}
	var line []string
	return func() []string {
		for len(line) < seats {
			next := slices.Clone(players)
			rng.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			// Those left over come first; nobody sits twice at a table.
			for i, need := 0, seats-len(line); i < need; i++ {
				for j := i; slices.Contains(line, next[i]) && j < len(next); j++ {
					next[i], next[j] = next[j], next[i]
				}
			}
			line = append(line, next...)
		}
		table := line[:seats:seats]
		line = line[seats:]
		rng.Shuffle(seats, func(i, j int) { table[i], table[j] = table[j], table[i] })
		return table
	}
}

// table rates the players by the groups of one size among the first so many, or by
// all of them.
func (r *run) table(groups, seats int, players []string, seed string) LadderTable {
	t := LadderTable{Seats: seats}
	number := map[string]int{}
	for i, name := range players {
		number[name] = i
	}
	var list [][]ranking
	won, lead := make([][]float64, len(players)), make([][]float64, len(players))
	games := make([]int, len(players))
	for g := range groups {
		names := r.groups[g].players
		if seats != 0 && len(names) != seats {
			continue
		}
		t.Groups++
		t.Games += len(names)
		var of []ranking
		for rotation, res := range r.games(g) {
			who := make([]int, len(names))
			for seat := range who {
				who[seat] = number[names[r.groups[g].playerAt(seat, rotation)]]
			}
			of = append(of, rankings(who, res.Ranks, 1)...)
		}
		list = append(list, of)
		for _, name := range names {
			i := number[name]
			won[i] = append(won[i], r.shareOf(g, name))
			lead[i] = append(lead[i], r.marginOf(g, name))
			games[i] += len(names)
		}
	}
	for i, rating := range ratings(len(players), list, seed) {
		t.Ratings = append(t.Ratings, Rating{players[i], rating, games[i], estimateShare(won[i]), estimate(lead[i])})
	}
	slices.SortStableFunc(t.Ratings, func(a, b Rating) int { return cmp.Compare(b.Rating.Mean, a.Rating.Mean) })
	return t
}

// pairs says how everyone fared against everyone else at tables of two.
func (r *run) pairs(groups int, players []string) []LadderPair {
	list := []LadderPair{}
	for _, a := range players {
		for _, b := range players {
			var won, lead []float64
			for g := range groups {
				if names := r.groups[g].players; a != b && len(names) == 2 && slices.Contains(names, a) && slices.Contains(names, b) {
					won = append(won, r.shareOf(g, a))
					lead = append(lead, r.marginOf(g, a))
				}
			}
			if len(won) > 0 {
				list = append(list, LadderPair{a, b, 2 * len(won), estimateShare(won), estimate(lead)})
			}
		}
	}
	return list
}
