// Package veteran is the reference player veteran: level 10 as it stood when it was
// frozen, in November 2026, with all that it depends on. It is a copy on purpose and
// shares nothing with package bot, for that is tuned and this never is: the strength
// of learned players is measured against it, and a measure that changes measures
// nothing. Choices that fail with any change here are stored in bot/testdata. What a
// game says about its positions is frozen by the game (game.Remembering).
//
// It is pruned of what it never did: it knows no nets, overlooks nothing, and nobody
// helps it.
package veteran

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"copse/game"
)

// Effort is how hard it thinks. Only what is here may be asked of it otherwise.
type Effort struct {
	Budget int     // milliseconds for playing on, by the pace of the game
	Margin float64 // how much a point of margin counts, where a win counts 1
}

// Usual is the effort of the veteran by itself.
func Usual() Effort { return Effort{Budget: 500, Margin: 0.15} }

// What else it goes by.
const (
	mostWorlds = 6       // worlds that are imagined to find the turns worth comparing
	width      = 6       // positions from which a plan goes on at a time
	ways       = 2       // turns with the same first move that are compared
	mostTurns  = 250     // turns that are compared by playing on
	mostLooks  = 200_000 // positions that may be looked at to solve the end of a game
)

// safetyNet ends a search that takes too long on a slow machine, where nobody has
// said how long it may take.
const safetyNet = 10 * time.Second

// Thought is what the veteran found.
type Thought[M any] struct {
	Choices []Choice[M] // the first moves that it considered, the best first; one at least
	Cut     bool        // time was up before it had thought as much as it usually does
	Played  int         // games that were played on
}

// Choice is a move, and what it is worth where that was asked.
type Choice[M any] struct {
	Line      []M     // the move and what would follow it in the turn
	Worth     float64 // in points of lead
	Judged    bool    // Worth was asked
	Win       float64 // the chance to win
	PlayedOut bool    // games were played out, so Win and Worth are means over them
}

// Think finds what the seat of a record would do. Where the game remembers nothing it
// is asked as it is today.
func Think[S, M comparable](ctx context.Context, rules game.Playable[S, M], rec game.Record[S, M], seed string, e Effort) Thought[M] {
	m := newMind(ctx, rules, rec, seed)
	list := search(m, e)
	return Thought[M]{Choices: list, Cut: m.stopped, Played: m.played}
}

// numbers makes random numbers from a seed, the same for all the small moves of a
// turn.
func numbers(seed string, turn int) *rand.PCG {
	sum := game.Sum256([]byte(seed))
	a, b := binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])
	return rand.NewPCG(a, b^uint64(turn)*0x9E3779B97F4A7C15)
}
