package engine

import (
	"copse/game"
)

// answerDraw plays what the seed holds for chance. A client that plays chance by
// hand in this way decides when it happens, not what: a page turns a tile up at its
// own pace, and the game is still the one of its seed.
func (e *Engine) answerDraw(*game.Object) (reply, error) {
	if e.seed.Secret == nil {
		return reply{}, game.Blame("engine.no-seed", nil)
	}
	if e.now().ToAct() != game.Chance {
		return reply{}, game.Blame("engine.no-draw", nil)
	}
	outcome, events, err := e.draw()
	if err != nil {
		return reply{}, err
	}
	r := e.news(events)
	r.Move = outcome
	return r, nil
}

// draw makes chance's next move by the seed. Draws are numbered along the line of
// play, so an undone one comes again the same.
func (e *Engine) draw() (game.RawMessage, []game.Event, error) {
	draws := 0
	for _, seat := range e.acted {
		if seat == game.Chance {
			draws++
		}
	}
	outcome := e.now().Draw(e.seed, draws)
	next, events, err := e.now().Play(game.Chance, outcome)
	if err != nil {
		return nil, nil, err
	}
	e.line = append(e.line, next)
	e.acted = append(e.acted, game.Chance)
	return outcome, events, nil
}
