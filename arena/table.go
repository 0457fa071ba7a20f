package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"copse/bot"
	"copse/game"
)

// group is a deal and those who play it. It is played once in every rotation: in
// rotation r player i sits in seat (i+r) mod seats, so everyone has every seat once
// with the same opening and the same numbers for chance. What the deal gives a seat
// it gives everyone in turn, so the group as a whole says who plays better. It is
// the unit of all statistics: its games are not independent of each other, groups
// are.
type group struct {
	deal    string // its name, from which everything random in it is made
	players []string
	once    bool    // everyone is the same player, so it is played only in the first rotation
	at      *tables // where it is played; nil where all groups are played at the same tables
}

// rotations is how often it is played.
func (g *group) rotations() int {
	if g.once {
		return 1
	}
	return len(g.players)
}

// seatOf is the seat of player i, playerAt the player in a seat.
func (g *group) seatOf(i, rotation int) int { return (i + rotation) % len(g.players) }
func (g *group) playerAt(seat, rotation int) int {
	return (seat - rotation + len(g.players)) % len(g.players)
}

// played is one finished game, as it is saved: everything by seat.
type played struct {
	Deal     string     `json:"deal"`
	Rotation int        `json:"rotation"`
	Totals   []int      `json:"totals"`
	Ranks    []int      `json:"ranks"`
	Turns    [][]uint32 `json:"us"`                // how long each turn took that the player thought about, in microseconds
	Cut      []int      `json:"cut,omitempty"`     // moves that time cut short; nil where there are none
	Illegal  []Illegal  `json:"illegal,omitempty"` // answers that the rules did not take
	Weighed  *weighed   `json:"weighed,omitempty"` // what else was counted, where the balance of a game is measured
}

// Illegal is an answer that the rules did not take. A legal move was drawn at
// random in its place, and the game went on.
type Illegal struct {
	Player string `json:"player"`
	Seat   int    `json:"seat"`
	Turn   int    `json:"turn"`
	Move   string `json:"move"`
	Why    string `json:"why"`
}

// tables is where games are played.
type tables struct {
	game    bot.Game
	options json.RawMessage
	seed    string
	opening int                              // turns; negative for as many as the game needs
	start   [game.MaxSeats + 1]game.Position // by number of seats, made once
	scale   func(deal string) scale          // weighs a game; nil where only its result counts
	instead func(turn int) string            // who plays a turn in the place of whose it is, "" for nobody; may be nil
}

// newTables makes tables; a *game.Fault says what is wrong with the settings, or who cannot
// play at one of them.
func newTables(g bot.Game, players []string, options json.RawMessage, seed string, opening int, seats ...int) (*tables, error) {
	t := &tables{game: g, options: options, seed: seed, opening: opening}
	for _, n := range seats {
		p, err := g.Start(game.Settings{Seats: n, Options: options})
		if err != nil {
			return nil, err
		}
		for _, name := range players {
			if err := g.Ready(p, name); err != nil {
				return nil, err
			}
		}
		t.start[n] = p
	}
	return t, nil
}

// minds is by what levels play at these tables; see bot.Minds.
func (a arena[S, M]) minds(players []string, rooms ...*tables) string {
	var starts []game.Position
	for _, t := range rooms {
		for _, p := range t.start {
			if p != nil {
				starts = append(starts, p)
			}
		}
	}
	return bot.Minds[S, M](a.def.Name, players, starts...)
}

// Takes implements Arena.
func (a arena[S, M]) Takes(net []byte, table game.Settings) error {
	p, err := a.game.Start(table)
	if err != nil {
		return err
	}
	return bot.NetFits[S, M](net, p)
}

// openingTurns is how many turns at the start of a game are drawn at random. A game
// that begins with chance differs from deal to deal by itself. In any other every
// seat's first turn is drawn, or players that always do the same would play the
// same game for ever.
func (t *tables) openingTurns(seats int) int {
	switch {
	case t.opening >= 0:
		return t.opening
	case t.start[seats].ToAct() == game.Chance:
		return 0
	}
	return seats
}

// The uses of the numbers of a deal: chance counts its draws from 0; the opening,
// moves in the place of illegal ones, and turns at which judges are asked count from here on.
const (
	openingNumbers = longestGame
	insteadNumbers = 2 * longestGame
	askedNumbers   = 3 * longestGame
)

// errNothing blames a player that answers without a move.
var errNothing = errors.New("the player named no move")

// play plays a group in one rotation. It fails when the context ends before the
// game does.
func (t *tables) play(ctx context.Context, g *group, rotation int) (*played, error) {
	seats := len(g.players)
	seed := game.Seed{Secret: []byte(t.seed), Nonces: [][]byte{[]byte(g.deal)}}
	res := &played{Deal: g.deal, Rotation: rotation, Turns: make([][]uint32, seats)}
	thought := make([]int, seats) // the last turn each seat thought about, from 1
	var line []json.RawMessage    // what the seat to act has thought of and not yet done
	p, opening := t.start[seats], t.openingTurns(seats)
	var weighing scale
	if t.scale != nil {
		weighing = t.scale(g.deal)
	}
	hear := func(by game.Seat, move json.RawMessage) {
		if weighing != nil {
			weighing.hear(by, move)
		}
	}
	for draws, plies := 0, 0; p.ToAct() != game.None; plies++ {
		if plies > longestGame {
			return nil, fmt.Errorf("a game of %v has not ended after %d moves (deal %s, rotation %d)", g.players, plies, g.deal, rotation)
		}
		seat, turn := p.ToAct(), p.Turn()
		switch {
		case seat == game.Chance:
			move := p.Draw(seed, draws)
			p = must(p.Play(seat, move))
			hear(seat, move)
			draws++
			continue
		case turn < opening:
			move := atRandom(p, seed.Numbers(openingNumbers+plies))
			p = must(p.Play(seat, move))
			hear(seat, move)
			continue
		}
		player := g.players[g.playerAt(int(seat), rotation)]
		if t.instead != nil {
			player = cmp.Or(t.instead(turn), player)
		}
		var err error
		if len(line) == 0 {
			begun := time.Now()
			var found *bot.Thought
			found, err = t.game.Think(ctx, p, bot.Ask{Player: player, Seed: fmt.Sprint(t.seed, " ", g.deal, " ", rotation, " ", plies)})
			took := uint32(min(time.Since(begun).Microseconds(), 1<<32-1))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if times := &res.Turns[seat]; thought[seat] == turn+1 {
				(*times)[len(*times)-1] += took
			} else {
				thought[seat] = turn + 1
				*times = append(*times, took)
			}
			if err == nil {
				line = found.Line
				if found.Cut {
					if res.Cut == nil {
						res.Cut = make([]int, seats)
					}
					res.Cut[seat]++
				}
			}
		}
		var next game.Position
		var move json.RawMessage
		if err == nil && len(line) == 0 {
			err = errNothing
		}
		if err == nil {
			move, line = line[0], line[1:]
			next, _, err = p.Play(seat, move)
		}
		if err != nil {
			res.Illegal = append(res.Illegal, Illegal{Player: player, Seat: int(seat), Turn: turn, Move: string(move), Why: err.Error()})
			move, line = atRandom(p, seed.Numbers(insteadNumbers+plies)), nil
			next = must(p.Play(seat, move))
		}
		hear(seat, move)
		if next.ToAct() != seat || next.Turn() != turn {
			line = nil // what was planned beyond the turn is dropped
		}
		p = next
	}
	st := p.Standing()
	for _, score := range st.Seats[:seats] {
		res.Totals = append(res.Totals, int(score.Total))
		res.Ranks = append(res.Ranks, int(score.Rank))
	}
	if weighing != nil {
		var err error
		if res.Weighed, err = weighing.weighed(); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// atRandom is any of the legal moves.
func atRandom(p game.Position, numbers rand.Source) json.RawMessage {
	moves := p.Moves()
	return moves[rand.New(numbers).IntN(len(moves))]
}

// must is the position after a move that the rules themselves listed.
func must(p game.Position, _ []game.Event, err error) game.Position {
	if err != nil {
		panic(fmt.Sprintf("arena: the rules refuse their own move: %v", err))
	}
	return p
}

// share is the part of the win that a seat has: all of rank 1 share it evenly.
func (p *played) share(seat int) float64 {
	if p.Ranks[seat] != 1 {
		return 0
	}
	winners := 0
	for _, rank := range p.Ranks {
		if rank == 1 {
			winners++
		}
	}
	return 1 / float64(winners)
}

// margin is the lead of a seat over the best other.
func (p *played) margin(seat int) int {
	best, first := 0, true
	for other, total := range p.Totals {
		if other != seat && (first || total > best) {
			best, first = total, false
		}
	}
	return p.Totals[seat] - best
}
