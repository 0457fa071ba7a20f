// Package bot holds the players that think. They are generic over the rules and
// know no game: what may be done they ask of game.Rules, what a position is
// worth of game.Valuer, and what they may not know they imagine. A player is
// given the view of its seat and never the truth.
package bot

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"

	"copse/game"
)

// Thinker finds moves in one game, its types forgotten.
type Thinker interface {
	// Think finds a move for the seat to act in p, from the view of that seat.
	// It ends soon after the deadline of the context or its end, with the best
	// that was found by then. It fails with a *game.Fault where there is no
	// such player or nobody to think for.
	Think(ctx context.Context, p game.Position, ask Ask) (*Thought, error)
}

// Game is a game with players that can play it.
type Game interface {
	game.Game
	Thinker
}

// Ask says who is to think.
type Ask struct {
	Player string // one of Players, such as level:5, or flat:N
	Seed   string // the same seed finds the same move, unless time ran out
}

// Thought is what a player found.
type Thought struct {
	Move    json.RawMessage
	Options []Option // the best of the moves it compared, best first
	Cut     bool     // time was up before it had thought as much as it does
}

// Option is a move that was considered.
type Option struct {
	Move  json.RawMessage `json:"move"`
	Worth float64         `json:"worth"` // the lead in points that the player expects of it, to the hundredth
}

// Phrases are the keys that players say, with their arguments.
func Phrases() []game.Phrase {
	return []game.Phrase{
		game.Say("bot.player", "player", "known"),
		game.Say("bot.playouts", "player", "least", "most"),
		game.Say("bot.over"),
		game.Say("bot.chance"),
		game.Say("bot.seat", "seat"),
	}
}

// Of forgets the types of a game and gives it players.
func Of[S, M comparable](def game.Definition[S, M]) Game {
	return thinker[S, M]{game.Of(def)}
}

type thinker[S, M comparable] struct{ game.Game }

// mostOptions is how many of the moves considered are told.
const mostOptions = 5

func (t thinker[S, M]) Think(ctx context.Context, p game.Position, ask Ask) (*Thought, error) {
	choose, err := find[S, M](ask.Player)
	if err != nil {
		return nil, err
	}
	seat := p.ToAct()
	switch {
	case seat == game.None:
		return nil, game.Blame("bot.over", nil)
	case seat == game.Chance:
		return nil, game.Blame("bot.chance", nil)
	case p.Viewer() != game.None && p.Viewer() != seat:
		return nil, game.Blame("bot.seat", game.Args{"seat": seat})
	}
	rules, view, ok := game.Look[S, M](p, seat)
	if !ok {
		panic("bot: asked about a position of another game")
	}
	m := newMind(ctx, rules, view, seat, ask.Seed)
	choices := choose(m)
	thought := &Thought{Move: rules.AppendMove(nil, choices[0].move), Options: []Option{}, Cut: m.stopped}
	for _, c := range choices[:min(len(choices), mostOptions)] {
		if c.judged {
			thought.Options = append(thought.Options, Option{Move: rules.AppendMove(nil, c.move), Worth: math.Round(100*c.worth) / 100})
		}
	}
	return thought, nil
}

// numbers makes random numbers of a seed. They are the same for all the small
// moves of a turn, so that what is imagined stays the same while it is played.
func numbers(seed string, turn int) *rand.PCG {
	sum := sha256.Sum256([]byte(seed))
	a, b := binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])
	return rand.NewPCG(a, b^uint64(turn)*0x9E3779B97F4A7C15) // odd, so no two turns meet
}
