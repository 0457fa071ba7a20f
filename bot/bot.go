// Package bot holds the players that think. They are generic over the rules and
// know no game: they ask game.Rules what may be done and game.Valuer what a
// position is worth, and they imagine what they may not know. A player gets the
// record of its seat, what the seat saw and heard, and never the truth.
package bot

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"copse/game"
)

// Thinker finds moves in one game, its types forgotten.
type Thinker interface {
	// Think finds what the seat to act in p would do, from the record of that seat.
	// It ends soon after the context or its deadline, with the best that was found
	// by then. It fails with a *game.Fault where there is no such player, or no
	// seat to think for.
	Think(ctx context.Context, p game.Position, ask Ask) (*Thought, error)
}

// Sharer is a Thinker whose thoughts can be shared.
type Sharer interface {
	Thinker

	// Begin begins to think as Think does, for somebody who has helpers: where there
	// is much to do it is divided into errands, about so many at a time.
	Begin(ctx context.Context, p game.Position, ask Ask, pieces int) (*Thinking, error)

	// Helper does the errands of whoever thinks about the same position with the
	// same player and seed.
	Helper(p game.Position, ask Ask) (Helper, error)

	// Wants is the name of the net by which a player would judge at such a table, were
	// it there; empty where it is, where the player judges by none, and where there is no
	// seat to think for. It fails with a *game.Fault where there is no such player.
	Wants(p game.Position, player string) (string, error)
}

// Game is a game with players that can play it.
type Game interface {
	game.Game
	Sharer

	// Ready fails with a *game.Fault where there is no such player, and where it cannot
	// play at the table of p for want of a net.
	Ready(p game.Position, player string) error
}

// Ask says which player is to think, and how.
type Ask struct {
	Player  string // one of Players, such as level:5, or flat:N
	Seed    string // the same seed finds the same move, unless time ran out
	Explain bool   // reasons are wanted, which cost a little time
}

// Thought is what a player found.
type Thought struct {
	// Line is what the player does now: its moves up to the end of the turn, or to
	// where something new comes to light; one at least. They are thought of once
	// and then played, without asking again.
	Line    []game.RawMessage
	Now     float64  // the lead as it stands now, as far as the seat knows; only with Explain
	Options []Option // the best of the turns it compared, best first, each with another first move
	Cut     bool     // time was up before the player had thought as much as it usually does
	Played  int      // games that were played on to compare turns
}

// Option is a turn that was considered.
type Option struct {
	Move    game.RawMessage   `json:"move"`              // the first move of the line
	Line    []game.RawMessage `json:"line"`              // up to the end of the turn, or as far as it was thought of
	Margin  float64           `json:"margin"`            // the lead in points that the player expects in the end, to the hundredth
	Win     *float64          `json:"win,omitempty"`     // the chance to win; nil where no games were played out
	Reasons []game.Reason     `json:"reasons,omitempty"` // only with Explain; they add up to Margin less Now
}

// Phrases are the keys that players say, with their arguments.
func Phrases() []game.Phrase {
	return append(append(whyPhrases(), levelPhrases()...),
		game.Say("bot.player", "player", "known"),
		game.Say("bot.playouts", "player", "kind", "least", "most"),
		game.Say("bot.judge", "judge", "known"),
		game.Say("bot.former", "player"),
		game.Say("bot.net", "judge"),
		game.Say("bot.over"),
		game.Say("bot.chance"),
		game.Say("bot.seat", "seat"),
		game.Say("bot.errand", "path"),
		game.Say("bot.report", "path"),
		game.Say("bot.reports", "errands", "reports"),
		game.Say("bot.no-errands"),
	)
}

// Of forgets the types of a game and gives it players.
func Of[S, M comparable](def game.Definition[S, M]) Game {
	return thinker[S, M]{game.Of(def)}
}

type thinker[S, M comparable] struct{ game.Game }

// mostOptions is how many of the options are told.
const mostOptions = 5

func (t thinker[S, M]) Think(ctx context.Context, p game.Position, ask Ask) (*Thought, error) {
	m, choose, err := t.mind(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	return m.think(choose, ask.Explain), nil
}

// mind is that of the seat to act, and the way in which it is to choose.
func (t thinker[S, M]) mind(ctx context.Context, p game.Position, ask Ask) (*mind[S, M], chooser[S, M], error) {
	choose, err := find[S, M](ask.Player)
	if err != nil {
		return nil, nil, err
	}
	seat := p.ToAct()
	switch {
	case seat == game.None:
		return nil, nil, game.Blame("bot.over", nil)
	case seat == game.Chance:
		return nil, nil, game.Blame("bot.chance", nil)
	case p.Viewer() != game.None && p.Viewer() != seat:
		return nil, nil, game.Blame("bot.seat", game.Args{"seat": seat})
	}
	rules, rec, ok := game.Recall[S, M](p, seat)
	if !ok {
		panic("bot: asked about a position of another game")
	}
	if lacks(ask.Player, rules) {
		return nil, nil, noFormer(ask.Player)
	}
	return newMind(ctx, rules, rec, ask.Seed), choose, nil
}

// think chooses, and tells what was found.
func (m *mind[S, M]) think(choose chooser[S, M], explain bool) *Thought {
	rec := m.record
	choices := choose(m)
	m.from(rec)
	thought := &Thought{Line: wire(m.rules, choices[0].moves()), Options: []Option{}, Cut: m.stopped, Played: m.played}
	for _, c := range choices[:min(len(choices), mostOptions)] {
		if c.judged {
			thought.Options = append(thought.Options, m.option(&c))
		}
	}
	if explain {
		m.explain(thought, choices)
	}
	return thought
}

// option is a choice as it is told.
func (m *mind[S, M]) option(c *choice[M]) Option {
	o := Option{Line: wire(m.rules, c.moves()), Margin: hundredth(c.worth)}
	o.Move = o.Line[0]
	if c.playedOut {
		win := hundredth(c.win)
		o.Win = &win
	}
	return o
}

// explain adds the reasons, in the worlds in which the player thought: those it
// believes in, or some that it imagines. For an option that was not played out the
// margin is what its line leads to.
func (m *mind[S, M]) explain(t *Thought, choices []choice[M]) {
	var worlds []S
	var odds []float64
	if m.believes {
		worlds, odds = m.believed()
	}
	if len(worlds) == 0 {
		worlds = m.worlds(explainWorlds)
		odds = slices.Repeat([]float64{1}, len(worlds))
	}
	t.Now, _ = explain(m.rules, worlds, odds, m.seat, nil, 0)
	for i := range t.Options {
		o, c := &t.Options[i], &choices[i]
		if !c.playedOut {
			o.Margin = hundredth(m.leadsTo(worlds, odds, c.moves()))
		}
		_, o.Reasons = explain(m.rules, worlds, odds, m.seat, c.moves(), o.Margin)
	}
}

// leadsTo is how far the seat may expect to be ahead of the best other after a
// line: the mean over the worlds.
func (m *mind[S, M]) leadsTo(worlds []S, odds []float64, line []M) float64 {
	sum, all := 0.0, 0.0
	for i, s := range worlds {
		for _, move := range line {
			m.rules.Play(&s, m.seat, move, nil)
		}
		sum += float64(odds[i] * m.lead(&s))
		all += odds[i]
	}
	return sum / all
}

// explainWorlds is how many worlds a player without beliefs imagines to explain
// itself.
const explainWorlds = 12

// wire is a line of moves as JSON.
func wire[S, M comparable](rules game.Playable[S, M], line []M) []game.RawMessage {
	list := make([]game.RawMessage, len(line))
	for i, m := range line {
		list[i] = rules.AppendMove(nil, m)
	}
	return list
}

// hundredth rounds a number to what is told of it.
func hundredth(x float64) float64 { return math.Round(100*x) / 100 }

// numbers makes random numbers from a seed. They are the same for all the small
// moves of a turn, so that what is imagined stays the same while the turn is
// played.
func numbers(seed string, turn int) *rand.PCG {
	sum := game.Sum256([]byte(seed))
	a, b := binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])
	return rand.NewPCG(a, b^uint64(turn)*0x9E3779B97F4A7C15) // the factor is odd, so no two turns get the same numbers
}
