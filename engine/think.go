package engine

import (
	"context"
	"time"

	"copse/bot"
	"copse/game"
)

// The time that a player may take, in milliseconds. A player that is given none
// ends by itself.
const (
	leastTime = 1
	mostTime  = 600_000
)

// answerThink has a player find what the seat to act would do. The player gets the
// record of that seat and no more.
func (e *Engine) answerThink(o *game.Object) (reply, error) {
	ask := bot.Ask{Player: o.Text("player"), Seed: string(randomSecret()), Explain: true}
	if o.Has("seed") {
		ask.Seed = o.Text("seed")
	}
	ctx := context.Background()
	if o.Has("ms") {
		ms := o.Number("ms")
		if err := o.Fault(); err != nil {
			return reply{}, err
		}
		if ms < leastTime || ms > mostTime {
			return reply{}, game.Blame("json.range", game.Args{"field": "ms", "least": leastTime, "most": mostTime})
		}
		ctx = until{ctx, time.Now().Add(time.Duration(ms) * time.Millisecond)}
	}
	if err := o.Fault(); err != nil {
		return reply{}, err
	}
	thinker := e.thinker()
	if thinker == nil {
		return reply{}, game.Blame("engine.no-bots", game.Args{"game": e.about.Name})
	}
	thought, err := thinker.Think(ctx, e.now(), ask)
	if err != nil {
		return reply{}, err
	}
	return reply{
		ToAct: toAct(e.now()), Move: thought.Line[0], Line: thought.Line, Now: &thought.Now, Options: thought.Options, Cut: thought.Cut, Played: thought.Played,
	}, nil
}

// until is a context with a deadline and no timer: players look at the deadline
// themselves.
type until struct {
	context.Context
	deadline time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.deadline, true }

// thinker is the game in play, if it has players; else nil.
func (e *Engine) thinker() bot.Thinker {
	for _, g := range e.games {
		if t, ok := g.(bot.Thinker); ok && g.About().Name == e.about.Name {
			return t
		}
	}
	return nil
}
