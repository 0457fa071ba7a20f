// Package played has whole games as tables log them, to weigh what a store keeps of
// a game that is over.
package played

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/store"
	"copse/table"
)

// Sitting is a whole game as a table logs it: what was appended at once, and
// when.
type Sitting struct {
	Game    string
	seats   int
	about   []byte // what lists say of it
	appends [][][]byte
	At      []table.Time
}

// Play plays a whole game, by random moves or by a player. People take a few
// seconds for a turn; secrets are as random as in a real game.
func Play(tb testing.TB, g game.Game, seats int, player string, number uint64) *Sitting {
	tb.Helper()
	shelf, rng, name := table.NewShelf(g), rand.New(rand.NewPCG(number, uint64(seats))), g.About().Name
	noise := func(what string) [32]byte { return sha256.Sum256(fmt.Append(nil, what, name, seats, number)) }
	now := table.Time(1_767_859_200_000)
	first, keep, err := table.Create(shelf, table.Settings{Game: name, Seats: seats, Pace: table.Live, Undo: table.UndoConsent,
		Visible: table.ByLink, Watchers: true, TakeOver: true, StandIn: "level:3"}, noise("secret"), now)
	if err != nil {
		tb.Fatal(err)
	}
	s := &Sitting{Game: name, seats: seats, appends: [][][]byte{{first.Append(nil)}}, At: []table.Time{now}}
	t, err := table.Open(shelf, keep, s.appends[0])
	if err != nil {
		tb.Fatal(err)
	}
	do := func(cmd table.Command) {
		tb.Helper()
		now += table.Time(1000 + rng.IntN(20_000))
		list, err := t.Decide(cmd, now)
		if err != nil {
			tb.Fatal(err)
		}
		var written [][]byte
		for _, e := range list {
			if _, err := t.Apply(e); err != nil {
				tb.Fatal(err)
			}
			written = append(written, e.Append(nil))
		}
		s.appends, s.At = append(s.appends, written), append(s.At, now)
	}
	person := func(seat int) (p table.Person) {
		sum := noise(fmt.Sprint("person", seat))
		copy(p[:], sum[:])
		return p
	}
	for seat := range seats {
		sum := noise(fmt.Sprint("nonce", seat))
		do(table.Sit{Person: person(seat), Seat: game.Seat(seat), Nonce: table.Nonce(sum[:16])})
	}
	do(table.Start{Person: person(0)})
	for !t.Over() {
		seat := t.See(game.Watcher).ToAct()
		p := t.See(seat)
		line := []json.RawMessage{}
		if player == "random" {
			moves := p.Moves()
			line = append(line, moves[rng.IntN(len(moves))])
		} else {
			thought, err := g.(bot.Thinker).Think(context.Background(), p, bot.Ask{Player: player, Seed: fmt.Sprint(number)})
			if err != nil {
				tb.Fatal(err)
			}
			line = thought.Line
		}
		do(table.Play{Person: person(int(seat)), After: t.Last(), Moves: line})
	}
	about, err := json.Marshal(map[string]any{"settings": t.Settings(), "phase": "over", "seats": t.People().Seats, "toAct": []int{}, "turn": 18})
	if err != nil {
		tb.Fatal(err)
	}
	s.about = about
	return s
}

// Keep appends a game as a server does, with keys, rows and people: its first
// append, which makes the table, or those after it.
func (s *Sitting) Keep(to store.Logs, id string, people []string, first bool) error {
	next := 0
	for i, a := range s.appends {
		if first != (i == 0) {
			next += len(a)
			continue
		}
		receipt, err := to.Append(context.Background(), store.Append{Table: id, Next: next, At: store.Time(int64(s.At[i])), Entries: a,
			Row: &store.Row{Game: s.Game, Over: i == len(s.appends)-1, Sitting: people[:s.seats], Turn: 1 << (i % s.seats),
				About: s.about, Private: fmt.Appendf(nil, `{"secret":"%x"}`, sha256.Sum256([]byte(id)))},
			Once: store.Once{Who: people[0], Key: fmt.Sprint(id, i), After: next}})
		if err != nil {
			return err
		}
		next = receipt.Next
	}
	return nil
}

// Log is the game as a store reads it.
func (s *Sitting) Log() (log []store.Entry) {
	for i, a := range s.appends {
		for _, body := range a {
			log = append(log, store.Entry{Number: len(log), At: store.Time(int64(s.At[i])), Body: body})
		}
	}
	return log
}

// All plays games of every kind with two, three and four seats, two by random moves
// and two by a greedy player each.
func All(tb testing.TB) (all []*Sitting) {
	tb.Helper()
	for _, g := range games.All() {
		for seats := 2; seats <= 4; seats++ {
			for _, player := range []string{"random", "greedy"} {
				for number := range uint64(2) {
					all = append(all, Play(tb, g, seats, player, number))
				}
			}
		}
	}
	return all
}
