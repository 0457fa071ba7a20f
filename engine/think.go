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

// Into how many errands at a time a thought may be divided, and what a player must
// cost for that to be worth the messages.
const (
	mostPieces  = 1000
	leastShared = 50
)

// thinking is a thought under way, and what it is about.
type thinking struct {
	*bot.Thinking
	at game.Position
}

// helper does errands for whoever thinks about the same.
type helper struct {
	bot.Helper
	at  game.Position
	ask bot.Ask
}

// Learn has players judge by a net wherever it fits.
func Learn(net []byte) error { return bot.AddNet(net) }

// answerWants names the net that a player would judge by here, where it is not there
// yet. Who has it hands it to Learn before the player thinks or helps.
func (e *Engine) answerWants(o *game.Object) (reply, error) {
	player := o.Text("player")
	if err := o.Fault(); err != nil {
		return reply{}, err
	}
	thinker, err := e.thinker()
	if err != nil {
		return reply{}, err
	}
	net, err := thinker.Wants(e.now(), player)
	return reply{Net: net}, err
}

// answerThink has a player find what the seat to act would do. The player gets the
// record of that seat and no more. Whoever has helpers says so and gets errands,
// until all of them are done.
func (e *Engine) answerThink(o *game.Object) (reply, error) {
	ask, err := readAsk(o)
	if err != nil {
		return reply{}, err
	}
	ask.Explain = true
	pieces := 0
	if o.Has("errands") {
		if pieces, err = number(o, "errands", 1, mostPieces); err != nil {
			return reply{}, err
		}
	}
	ctx := context.Background()
	if o.Has("ms") {
		ms, err := number(o, "ms", leastTime, mostTime)
		if err != nil {
			return reply{}, err
		}
		ctx = until{ctx, time.Now().Add(time.Duration(ms) * time.Millisecond)}
	}
	thinker, err := e.thinker()
	if err != nil {
		return reply{}, err
	}
	if pieces == 0 || bot.Cost(ask.Player) < leastShared {
		t, err := thinker.Think(ctx, e.now(), ask)
		if err != nil {
			return reply{}, err
		}
		return e.found(t), nil
	}
	begun, err := thinker.Begin(ctx, e.now(), ask, pieces)
	if err != nil {
		return reply{}, err
	}
	e.letGo()
	e.thinking = &thinking{begun, e.now()}
	return e.waitOrTell(), nil
}

// answerThinkOn takes the reports of all errands, and goes on with the thought.
func (e *Engine) answerThinkOn(o *game.Object) (reply, error) {
	reports := []game.RawMessage{}
	if game.Unmarshal(o.Raw("reports"), &reports) != nil && o.Fault() == nil {
		return reply{}, game.Blame("json.list", game.Args{"field": "reports"})
	}
	if err := o.Fault(); err != nil {
		return reply{}, err
	}
	if e.thinking == nil || e.thinking.at != e.now() {
		return reply{}, game.Blame("bot.no-errands", nil)
	}
	if err := e.thinking.GoOn(reports); err != nil {
		return reply{}, err
	}
	return e.waitOrTell(), nil
}

// waitOrTell is what is to be done first or, where nothing is, what was found.
func (e *Engine) waitOrTell() reply {
	if errands := e.thinking.Errands(); len(errands) > 0 {
		return reply{ToAct: toAct(e.now()), Errands: errands}
	}
	t := e.thinking.Thought()
	e.letGo()
	return e.found(t)
}

// found is the answer to who asked for a thought.
func (e *Engine) found(t *bot.Thought) reply {
	return reply{
		ToAct: toAct(e.now()), Move: t.Line[0], Line: t.Line, Now: &t.Now, Options: t.Options, Cut: t.Cut, Played: t.Played,
	}
}

// letGo ends a thought under way.
func (e *Engine) letGo() {
	if e.thinking != nil {
		e.thinking.Stop()
		e.thinking = nil
	}
}

// answerErrand does an errand for somebody who thinks about the same position with
// the same player and seed.
func (e *Engine) answerErrand(o *game.Object) (reply, error) {
	ask, err := readAsk(o)
	if err != nil {
		return reply{}, err
	}
	if !o.Has("seed") {
		return reply{}, game.Blame("json.missing", game.Args{"field": "seed"})
	}
	errand, err := object(o, "errand")
	if err != nil {
		return reply{}, err
	}
	if h := e.helper; h == nil || h.at != e.now() || h.ask != ask {
		thinker, err := e.thinker()
		if err != nil {
			return reply{}, err
		}
		does, err := thinker.Helper(e.now(), ask)
		if err != nil {
			return reply{}, err
		}
		e.helper = &helper{does, e.now(), ask}
	}
	report, cut, err := e.helper.Do(context.Background(), errand)
	if cut {
		e.helper = nil
	}
	return reply{Report: report}, err
}

// until is a context with a deadline and no timer: players look at the deadline
// themselves.
type until struct {
	context.Context
	deadline time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.deadline, true }

// readAsk reads who is to think.
func readAsk(o *game.Object) (bot.Ask, error) {
	ask := bot.Ask{Player: o.Text("player"), Seed: string(randomSecret())}
	if o.Has("seed") {
		ask.Seed = o.Text("seed")
	}
	return ask, o.Fault()
}

// number reads a field that must be within bounds.
func number(o *game.Object, field string, least, most int) (int, error) {
	n := o.Number(field)
	if err := o.Fault(); err != nil {
		return 0, err
	}
	if n < least || n > most {
		return 0, game.Blame("json.range", game.Args{"field": field, "least": least, "most": most})
	}
	return n, nil
}

// thinker is the game in play, if it has players; else a *game.Fault.
func (e *Engine) thinker() (bot.Sharer, error) {
	for _, g := range e.games {
		if t, ok := g.(bot.Sharer); ok && g.About().Name == e.about.Name {
			return t, nil
		}
	}
	return nil, game.Blame("engine.no-bots", game.Args{"game": e.about.Name})
}
