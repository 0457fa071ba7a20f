package hall

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"sync"
	"time"

	"copse/bot"
	"copse/game"
	"copse/store"
	"copse/table"
)

// longestThought is how long a bot may think, waiting for its turn not counted.
const longestThought = 10 * time.Second

// kick lets a bot think if one is to move and none thinks yet, at the node whose
// charge it is: see lease.go. The room is locked;
// the bot thinks outside it, from a position that never changes.
func (r *room) kick() {
	if r.thinking || r.hall.several() && r.charge != r.t.Len() {
		return
	}
	seat, player, from, ok := r.t.Thinks()
	if !ok {
		return
	}
	h, id, last, name := r.hall, r.id, r.t.Last(), r.t.Settings().Game
	network, person := r.payer()
	r.leased = r.lets()
	if r.leased {
		h.leases.set(id, r.row.Wake)
	}
	r.thinking = h.minds.add(h, &thought{
		table: id, network: network, person: person, cost: bot.Cost(player), dear: bot.Dear(player),
		think: func() func() {
			var seed [16]byte
			h.random("bot at "+id+" after "+strconv.Itoa(last), seed[:])
			line := h.think(name, player, letters.EncodeToString(seed[:]), from)
			return func() { h.answer(id, seat, last, line, from) }
		},
	})
}

// payer is who is charged for what bots think at the table: its host, and the
// network from which they last asked for anything.
func (r *room) payer() (network, person string) {
	host := r.t.Host()
	if host < 0 {
		return "", ""
	}
	return r.hall.people.payer(r.accounts[host])
}

// minds are the bots that think and those that wait. As many think at the same time
// as there are cores, and one more if it is cheap, so that the cheap ones never
// wait for the dear ones. On a single core the scheduler of Go lets them take
// turns.
type minds struct {
	mu       sync.Mutex
	rota     rota
	cores    int  // on which nobody thinks
	occupied bool // the slot that only cheap ones may take
}

// add has a bot think as soon as it is its turn, unless the hall stops.
func (m *minds) add(h *Hall, n *thought) bool {
	if h.life.Err() != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rota.add(n)
	m.fill(h)
	return true
}

// fill lets bots think on every free core.
func (m *minds) fill(h *Hall) {
	for m.cores > 0 {
		n := m.rota.next(false)
		if n == nil {
			return
		}
		m.cores--
		m.begin(h, n, func() { m.cores++ })
	}
	if m.occupied {
		return
	}
	if n := m.rota.next(true); n != nil {
		m.occupied = true
		m.begin(h, n, func() { m.occupied = false })
	}
}

// begin lets a bot think. free frees its core for the next, before the table is
// told: that may have to wait.
func (m *minds) begin(h *Hall, n *thought, free func()) {
	h.start(func() {
		answer := n.think()
		m.mu.Lock()
		free()
		m.fill(h)
		m.mu.Unlock()
		answer()
	})
}

// Waiting is how many bots are to think and do not think yet.
func (h *Hall) Waiting() int {
	h.minds.mu.Lock()
	defer h.minds.mu.Unlock()
	return h.minds.rota.waiting()
}

// think finds what a bot does. A bot that finds nothing, for whatever reason, makes
// any move.
func (h *Hall) think(name, player, seed string, from game.Position) (line []json.RawMessage) {
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
	thought, err := thinker.Think(ctx, from, bot.Ask{Player: player, Seed: seed})
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

// refused tells whether an error is an answer of the rules or the table, and not
// trouble with the store.
func refused(err error) bool {
	var refusal *game.Refusal
	var fault *game.Fault
	return errors.As(err, &refusal) || errors.As(err, &fault)
}

// answer brings a bot's moves to the table, where they may come too late. What was
// thought when the hall was stopped was cut short: the bot thinks anew when the
// server is back.
func (h *Hall) answer(id string, seat game.Seat, last int, line []json.RawMessage, from game.Position) {
	if h.life.Err() != nil {
		return
	}
	r, err := h.enter(h.life, id)
	if err != nil {
		if h.life.Err() == nil {
			h.log.Error("a bot has moved, and its table is not to be had", "table", id, "err", err)
		}
		return
	}
	defer r.leave()
	r.thinking = false
	h.leases.end(id)
	play := func(moves []json.RawMessage) error {
		_, err := r.do(h.life, Account{}, table.BotPlay{Seat: seat, After: last, Moves: moves}, store.Once{})
		return err
	}
	err = play(line)
	now, _, _, still := r.t.Thinks()
	if refused(err) && !r.gone && still && now == seat && r.t.Last() == last && h.life.Err() == nil {
		// Nothing has overtaken it: the moves themselves were refused.
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
