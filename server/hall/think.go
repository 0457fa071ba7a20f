package hall

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"copse/bot"
	"copse/game"
	"copse/store"
	"copse/table"
)

// longestThought is how long a bot may think, waiting for a core not counted.
const longestThought = 10 * time.Second

// kick lets a bot think if one is to move and none does. The room is locked; the
// thinking is done outside, from a position that never changes.
func (r *room) kick() {
	if r.thinking {
		return
	}
	seat, player, from, ok := r.t.Thinks()
	if !ok {
		return
	}
	last, name := r.t.Last(), r.t.Settings().Game
	r.thinking = r.hall.start(func() {
		h := r.hall
		select {
		case h.cores <- struct{}{}:
		case <-h.life.Done():
			return
		}
		line := h.think(name, player, from)
		<-h.cores
		h.answer(r.id, seat, last, line, from)
	})
}

// think finds what a bot does. A bot that does not find anything, whatever the
// reason, makes any move.
func (h *Hall) think(name, player string, from game.Position) (line []json.RawMessage) {
	begun := time.Now()
	ctx, done := context.WithTimeout(h.life, longestThought)
	defer done()
	defer func() {
		if r := recover(); r != nil {
			h.log.Error("a bot has broken down; it makes any move", "game", name, "player", player, "panic", fmt.Sprint(r))
			line = anyMove(from)
		}
	}()
	thinker := h.thinkers[name]
	if thinker == nil {
		return anyMove(from)
	}
	thought, err := thinker.Think(ctx, from, bot.Ask{Player: player, Seed: rand.Text()})
	if err != nil {
		h.log.Warn("a bot cannot think; it makes any move", "game", name, "player", player, "err", err)
		return anyMove(from)
	}
	if h.heed.Thought != nil {
		h.heed.Thought(player, time.Since(begun), thought.Cut)
	}
	return thought.Line
}

// anyMove is some move of the seat to act, as far as that seat can know.
func anyMove(from game.Position) []json.RawMessage {
	moves := from.See(from.ToAct()).Moves()
	n, err := rand.Int(rand.Reader, big.NewInt(int64(len(moves))))
	if err != nil {
		panic(err) // the system has no random numbers
	}
	return moves[n.Int64() : n.Int64()+1]
}

// answer brings a bot's moves to the table, where they may come too late.
func (h *Hall) answer(id string, seat game.Seat, last int, line []json.RawMessage, from game.Position) {
	r, err := h.enter(h.life, id)
	if err != nil {
		if h.life.Err() == nil {
			h.log.Error("a bot has moved, and its table is not to be had", "table", id, "err", err)
		}
		return
	}
	defer r.leave()
	r.thinking = false
	play := func(moves []json.RawMessage) error {
		_, err := r.do(h.life, Account{}, table.BotPlay{Seat: seat, After: last, Moves: moves}, store.Once{})
		return err
	}
	err = play(line)
	now, _, _, still := r.t.Thinks()
	if err != nil && !r.gone && still && now == seat && r.t.Last() == last && h.life.Err() == nil {
		// Nothing has overtaken it: the moves themselves were not taken.
		h.log.Error("what a bot has thought of is refused; it makes any move", "table", id, "seat", seat, "err", err)
		err = play(anyMove(from))
	}
	if err != nil && !r.gone {
		h.log.Debug("a bot's move was not taken", "table", id, "seat", seat, "err", err)
		if last != r.t.Last() {
			r.kick()
		}
	}
}
