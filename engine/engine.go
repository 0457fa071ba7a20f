// Package engine speaks with other programs: one JSON object a line in, one a line
// out, over any game. It is to these games what UCI is to chess. It knows no game:
// cmd hands it the games. docs/engine.md describes the protocol.
package engine

import (
	"copse/game"
)

// Engine holds one game in play and everything that led to it, and answers
// requests. It is not for use by several goroutines at once.
type Engine struct {
	games []game.Game

	about game.About
	line  []game.Position // every position from the first to the present
	acted []game.Seat     // the seat that made the move to line[i+1]
	auto  bool            // the engine itself plays for chance
	seed  game.Seed       // where chance comes from; its secret is empty after a record was opened

	thinking *thinking // a thought that waits for its errands; nil where there is none
	helper   *helper   // does errands for another engine; nil before the first errand
}

// New makes an engine that knows these games.
func New(games ...game.Game) *Engine { return &Engine{games: games} }

// now is the present position; nil before a game is begun.
func (e *Engine) now() game.Position {
	if len(e.line) == 0 {
		return nil
	}
	return e.line[len(e.line)-1]
}

// begin forgets the game in play, and what was thought about it, and starts another.
func (e *Engine) begin(about game.About, first game.Position) {
	e.letGo()
	e.about = about
	e.line = []game.Position{first}
	e.acted = nil
}

// play makes a move, and lets chance follow where the engine plays for it. A
// refused move changes nothing.
func (e *Engine) play(seat game.Seat, move game.RawMessage) ([]game.Event, error) {
	next, events, err := e.now().Play(seat, move)
	if err != nil {
		return nil, err
	}
	e.line = append(e.line, next)
	e.acted = append(e.acted, seat)
	more, err := e.leaveToChance()
	return append(events, more...), err
}

// leaveToChance draws until a player is to act.
func (e *Engine) leaveToChance() ([]game.Event, error) {
	events := []game.Event{}
	for e.auto && e.now().ToAct() == game.Chance {
		_, told, err := e.draw()
		if err != nil {
			return nil, err
		}
		events = append(events, told...)
	}
	return events, nil
}

// undo takes back the last player's move with the outcomes after it or, where
// chance is played by hand, the last move. It tells whether there was one.
func (e *Engine) undo() bool {
	last := len(e.acted) - 1
	for e.auto && last >= 0 && e.acted[last] == game.Chance {
		last--
	}
	if last < 0 {
		return false
	}
	e.line = e.line[:last+1]
	e.acted = e.acted[:last]
	return true
}
