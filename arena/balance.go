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
	"copse/game"
)

// BalanceConfig says which games are played to weigh a game.
type BalanceConfig struct {
	Seats    int
	Player   string // the player in every seat
	Options  json.RawMessage
	Games    int
	Seed     string // the same seed brings the same result, on any number of cores
	Opening  int    // turns at the start that are drawn at random; negative for as many as the game needs
	Save     string // a file to go on from, to which finished games are added; may be empty
	Cores    int    // 0 for all there are
	Progress func(finished int)
}

// Balance is what a game does when players of one kind play it. Everything but
// Cores and Seconds follows from the seed. What is outside its bounds is marked,
// and listed in Outside. Shares are parts of 1.
type Balance struct {
	Game        string         `json:"game"`
	Version     int            `json:"version"`
	References  int            `json:"references"`
	Seats       int            `json:"seats"`
	Player      string         `json:"player"`
	Seed        string         `json:"seed"`
	Opening     int            `json:"opening"` // turns that were drawn at random
	Varied      []string       `json:"varied"`  // options of which every choice was played equally often
	Sets        int            `json:"sets"`    // how many choices those were
	Asked       int            `json:"asked"`
	Games       int            `json:"games"`
	Interrupted bool           `json:"interrupted"`
	Illegal     int            `json:"illegal"` // answers that the rules did not take
	Cut         int            `json:"cut"`     // moves that the player's own safety net cut short
	Rounds      BalanceRounds  `json:"rounds"`
	Endings     []BalanceShare `json:"endings"` // why games ended, the most frequent first
	Score       Spread         `json:"score"`   // of all seats
	Winner      Spread         `json:"winner"`  // of the winner
	Margin      Spread         `json:"margin"`  // from the winner to the next
	Parts       []BalancePart  `json:"parts"`
	Ties        BalanceTies    `json:"ties"`
	BySeat      []BalanceSeat  `json:"bySeat"`
	ByGroup     []BalanceGroup `json:"byGroup"`
	MeanServes  float64        `json:"meanServes"` // over groups
	ByThing     []BalanceThing `json:"byThing"`
	MeanWins    float64        `json:"meanWins"` // over things that were completed
	ByCombo     []BalanceCombo `json:"byCombo"`
	Outside     []Outside      `json:"outside"`
	Cores       int            `json:"cores"`
	Seconds     float64        `json:"seconds"`
}

// BalanceRounds is how long games lasted: a quarter of them at most Lower rounds,
// half at most Median, three quarters at most Upper.
type BalanceRounds struct {
	Least   int     `json:"least"`
	Lower   int     `json:"lower"`
	Median  int     `json:"median"`
	Upper   int     `json:"upper"`
	Most    int     `json:"most"`
	From    int     `json:"from"`   // rounds that a game is meant to last,
	To      int     `json:"to"`     // 0 where the game does not say
	Within  float64 `json:"within"` // the share of games that did
	Outside bool    `json:"outside"`
}

// BalanceShare is how often something was so.
type BalanceShare struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// BalancePart is a part of the score: mean points of all seats, and of winners.
type BalancePart struct {
	Name   string  `json:"name"`
	All    float64 `json:"all"`
	Winner float64 `json:"winner"`
}

// BalanceTies is how often two seats or more had the most points, whatever the
// rules say about who is ahead among them.
type BalanceTies struct {
	Share   float64 `json:"share"`
	Outside bool    `json:"outside"`
}

// BalanceSeat is how a seat fared.
type BalanceSeat struct {
	WinShare Estimate `json:"winShare"`
	Fair     float64  `json:"fair"`
	Score    Spread   `json:"score"`
	Outside  bool     `json:"outside"`
}

// BalanceGroup is how a group of things, such as a guild, served winners. A thing
// counts as much as it weighs. Things that a seat was dealt are left out, since
// nobody chose them.
type BalanceGroup struct {
	Name    string  `json:"name"`
	Games   int     `json:"games"`  // games in which a thing of it was offered
	Share   float64 `json:"share"`  // its part of what winners completed in those games
	Serves  float64 `json:"serves"` // the part of what it offered to winners that they completed
	Ratio   float64 `json:"ratio"`  // Serves to the mean of Serves over all groups
	Wins    float64 `json:"wins"`   // the part of what was completed of it that winners have
	Outside bool    `json:"outside"`
}

// BalanceThing is how a thing, such as a card, fared. A seat that was dealt it
// counts in Dealt and DealtCompleted, and besides only in Wins.
type BalanceThing struct {
	Name           string  `json:"name"`
	Group          string  `json:"group"`
	Weight         int     `json:"weight"`
	Dealt          int     `json:"dealt"`          // seats that had it from the start
	DealtCompleted float64 `json:"dealtCompleted"` // the share of them that completed it
	Offered        int     `json:"offered"`        // seats that could have taken it in a turn of their own
	Founded        float64 `json:"founded"`        // the share of them that took it
	Completed      float64 `json:"completed"`      // the share of them that completed it
	Completions    int     `json:"completions"`    // seats that completed it, dealt or not
	Wins           float64 `json:"wins"`           // the share of them that won
	Ratio          float64 `json:"ratio"`          // Wins to the mean of Wins over all things completed
	Outside        bool    `json:"outside"`
}

// BalanceCombo is how often a named combination of things came about.
type BalanceCombo struct {
	Name    string  `json:"name"`
	Games   float64 `json:"games"` // the share of games in which a seat had it
	Seats   int     `json:"seats"` // seats that had it, over all games
	Wins    float64 `json:"wins"`  // the share of them that won
	Outside bool    `json:"outside"`
}

// Outside is something that is outside its bounds.
type Outside struct {
	What  string  `json:"what"` // rounds, ties, seat, group, thing or combination
	Name  string  `json:"name"` // of what; empty for rounds and ties
	Value float64 `json:"value"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// The bounds within which a game is balanced.
const (
	seatBound   = 0.035 // a seat from its fair share: all that the interval of 95 % holds for possible
	groupBound  = 0.20  // what a group serves from the mean, as a part of it
	leastDone   = 0.04  // of those who were offered a thing,
	mostDone    = 0.50  // completed it
	mostTies    = 0.06  // games in which the most points are shared
	leastHad    = 0.01  // games in which a seat has a combination
	leastOffers = 200   // of fewer offers, completions or games nothing is said
)

// Balance plays games among players of one kind on all cores. Every deal is played
// once: mirrored seats would be the same game again. Options that are a choice of
// words and not given vary from deal to deal.
func (a arena[S, M]) Balance(ctx context.Context, cfg BalanceConfig) (_ *Balance, err error) {
	begun := time.Now()
	if _, err := a.def.Settle(cfg.Seats, 0); err != nil {
		return nil, err
	}
	sets, varied, err := variety(&a.def.About, cfg.Options)
	if err != nil {
		return nil, err
	}
	var rooms []*tables
	var what game.Tallier[S]
	for _, options := range sets {
		rules, err := a.def.Rules(game.Settings{Seats: cfg.Seats, Options: options})
		if err != nil {
			return nil, err
		}
		t, err := newTables(a.game, []string{cfg.Player}, options, cfg.Seed, cfg.Opening, cfg.Seats)
		if err != nil {
			return nil, err
		}
		t.scale = func(string) scale { return newTallying(rules) }
		what, _ = rules.(game.Tallier[S])
		rooms = append(rooms, t)
	}
	w := weighing{seats: cfg.Seats, parts: a.def.Parts}
	if what != nil {
		w.things = what.Things()
		w.from, w.to = what.Length()
		if works, ok := what.(game.Combiner[S]); ok {
			w.combos, _ = works.Combinations()
		}
	}
	players := slices.Repeat([]string{cfg.Player}, cfg.Seats)
	saved, err := openSave(cfg.Save, settings{
		Copse: "balance", Game: a.def.Name, Version: a.def.Version, Options: cfg.Options, Seats: []int{cfg.Seats}, Players: players,
		Minds: a.minds(players, rooms...), References: bot.ReferenceVersion, Seed: cfg.Seed, Opening: max(cfg.Opening, -1), weighs: true, things: len(w.things), combos: len(w.combos),
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, saved.close()) }()

	r := &run{cores: cfg.Cores, save: saved, progress: cfg.Progress, groups: make([]group, cfg.Games)}
	for i := range r.groups {
		r.groups[i] = group{deal: strconv.Itoa(i), players: players, once: true, at: rooms[i%len(rooms)]}
	}
	complete, err := r.play(ctx)
	if err != nil {
		return nil, err
	}
	b := w.report(r.results[:complete])
	b.Game, b.Version, b.References, b.Player, b.Seed = a.def.Name, a.def.Version, bot.ReferenceVersion, cfg.Player, cfg.Seed
	b.Varied, b.Sets = append([]string{}, varied...), len(sets)
	b.Opening = rooms[0].openingTurns(cfg.Seats)
	b.Asked, b.Interrupted = cfg.Games, complete < cfg.Games
	b.Cores, b.Seconds = cmp.Or(cfg.Cores, runtime.GOMAXPROCS(0)), time.Since(begun).Seconds()
	return b, nil
}
