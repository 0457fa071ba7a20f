package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"copse/server"
)

// attempt and outcome are one request at a table, as the checker sees it.
type attempt struct {
	look  bool
	after int    // of a draft: the last entry of the game that it has seen
	draft string // who moves, and what is sent
}

type outcome struct {
	done   bool // the draft was played, now or before
	number int  // of the last entry of the game, as it was told
}

// counter is a table as the checker sees it: the last entry of the game, and what
// the drafts that were played have led to.
type counter struct {
	last   int
	played map[string]int
}

// tableModel is what a table must look like to everyone: one draft after the other.
// A draft is played only where nothing has happened since it was made; sent again
// it is answered as before.
func tableModel(first int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return counter{first, map[string]int{}} },
		Step: func(state, input, output any) (bool, any) {
			c, in, out := state.(counter), input.(attempt), output.(outcome)
			if in.look {
				return out.number == c.last, c
			}
			if before, ok := c.played[in.draft]; ok {
				return out.done && out.number == before, c
			}
			if in.after != c.last {
				return !out.done, c
			}
			played := maps.Clone(c.played)
			played[in.draft] = out.number
			return out.done && out.number > c.last, counter{out.number, played}
		},
		Equal: func(a, b any) bool {
			one, two := a.(counter), b.(counter)
			return one.last == two.last && maps.Equal(one.played, two.played)
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
}

// history is what everyone was told, with the order in which it was asked for
// and answered.
type history struct {
	clock atomic.Int64 // only its order counts
	mu    sync.Mutex
	calls []porcupine.Operation
	won   map[string]bool // drafts that were played
}

func (h *history) record(client int, in attempt, ask func() outcome) outcome {
	begin := h.clock.Add(1)
	out := ask()
	end := h.clock.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, porcupine.Operation{ClientId: client, Input: in, Call: begin, Output: out, Return: end})
	if out.done {
		h.won[in.draft] = true
	}
	return out
}

// played is how many drafts were.
func (h *history) played() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.won)
}

// TestManyAtOneTable: two people with three windows each move, move late, and send
// again, all at once; one order of all requests explains what each was told. They
// go on until enough was played, whoever runs first.
func TestManyAtOneTable(t *testing.T) {
	const windows, calls, enough = 3, 40, 20
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	h := history{won: map[string]bool{}}
	var wg sync.WaitGroup
	first := people[0].moves(id).After
	for n := range windows * len(people) {
		seat := n % len(people)
		wg.Go(func() { people[seat].hurry(&h, n, seat, id, calls, enough) })
	}
	wg.Wait()
	if len(h.won) < enough || len(h.calls) < windows*len(people)*calls {
		t.Fatalf("of %d requests %d were moves that counted: that proves nothing", len(h.calls), len(h.won))
	}
	if !porcupine.CheckOperations(tableModel(first), h.calls) {
		t.Errorf("no order explains what %d windows were told in %d requests", windows*len(people), len(h.calls))
	}
	var done []int
	for i, call := range h.calls {
		if call.Output.(outcome).done {
			done = append(done, i)
		}
	}
	h.calls[done[len(done)/2]].Output = outcome{} // one word that is not true, and nothing explains it
	if porcupine.CheckOperations(tableModel(first), h.calls) {
		t.Error("a lie was believed")
	}
}

// hurry looks and moves without waiting for anybody, so often at least, and until
// everybody together has played so many drafts.
func (c *client) hurry(h *history, window, seat int, id string, calls, enough int) {
	rng := rand.New(rand.NewPCG(uint64(window), 1))
	var m moves
	var last attempt
	for n := 0; n < calls || h.played() < enough && !c.Failed(); n++ {
		h.record(window, attempt{look: true}, func() outcome {
			m = c.moves(id)
			return outcome{number: m.After}
		})
		if len(m.Moves) > 0 && string(m.ToAct[0]) == fmt.Sprint(seat) && rng.IntN(4) > 0 {
			body := draft(m.After, m.Moves[rng.IntN(len(m.Moves))])
			last = attempt{after: m.After, draft: fmt.Sprint(seat, body)}
		}
		if last.draft == "" {
			continue
		}
		h.record(window, last, func() outcome { return c.send(id, last.draft[1:]) })
	}
}

// send posts a draft: it is played, or refused since something has happened.
func (c *client) send(id, body string) outcome {
	r := c.ask("POST", "/api/tables/"+id+"/moves", body)
	if r.status == http.StatusOK {
		var done struct{ Number int }
		r.read(c, &done)
		return outcome{done: true, number: done.Number}
	}
	var p server.Problem
	if err := json.Unmarshal(r.body, &p); err != nil || r.status != http.StatusConflict {
		c.Errorf("a draft is answered %d %s", r.status, r.body)
	}
	return outcome{}
}
