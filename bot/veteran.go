//go:build !wasip1

package bot

import (
	"copse/bot/veteran"
)

// veteranOf is the way in which the veteran chooses, with changes where there are any;
// nil where they cannot be made.
func veteranOf[S, M comparable](changes string) chooser[S, M] {
	usual := veteran.Usual()
	e := effort{budget: usual.Budget, marginPart: usual.Margin}
	if changes != "" {
		asked := e
		if !asked.change(changes) {
			return nil
		}
		e.budget, e.own, e.exactly, e.marginPart, e.weighed = asked.budget, asked.own, asked.exactly, asked.marginPart, asked.weighed
		if asked != e {
			return nil // it is frozen but for those two
		}
	}
	return func(m *mind[S, M]) []choice[M] {
		m.believes = true
		found := veteran.Think(m.ctx, m.rules, m.record, m.seed, veteran.Effort{Budget: e.budget, Margin: e.marginPart})
		m.stopped, m.played = found.Cut, found.Played
		list := make([]choice[M], len(found.Choices))
		for i, c := range found.Choices {
			list[i] = choice[M]{move: c.Line[0], line: c.Line, worth: c.Worth, judged: c.Judged, win: c.Win, playedOut: c.PlayedOut}
		}
		return list
	}
}
