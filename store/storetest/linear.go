package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"copse/store"
)

// asked and answered are one call on a log, as the checker sees it.
type asked struct {
	read  bool
	next  int    // of an append: the number expected; of a read: from where
	entry string // of an append
}

type answered struct {
	won  bool
	next int    // where the log goes on
	log  string // of a read: what it says, entry after entry
}

// logModel is what a log must look like to everyone: appends and reads one
// after another. Its state is the list of its entries.
var logModel = porcupine.Model{
	Init: func() any { return []string{"0"} },
	Step: func(state, input, output any) (bool, any) {
		log, in, out := state.([]string), input.(asked), output.(answered)
		switch {
		case in.read:
			return out.log == fmt.Sprint(log[min(in.next, len(log)):]), log
		case in.next != len(log):
			return !out.won && out.next == len(log), log
		}
		return out.won && out.next == len(log)+1, append(log[:len(log):len(log)], in.entry)
	},
	Equal:             func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) },
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
}

// linearizable has many writers and readers at one log at the same time, and finds
// an order that explains all that they were told, or fails.
func linearizable(t *testing.T, h *trial) {
	const clients, calls = 6, 60
	_, err := h.Append(h.ctx, store.Append{Table: "oak", Entries: [][]byte{[]byte("0")}, Row: &store.Row{Game: "bosk"}})
	h.good(err)
	var (
		clock   atomic.Int64 // only its order counts
		mu      sync.Mutex
		history []porcupine.Operation
		wg      sync.WaitGroup
	)
	for client := range clients {
		wg.Go(func() {
			rng, next := rand.New(rand.NewPCG(7, uint64(client))), 1
			for call := range calls {
				in := asked{read: rng.IntN(3) == 0, next: next, entry: fmt.Sprintf("%d.%d", client, call)}
				if in.read {
					in.next = max(0, next-3)
				} else if rng.IntN(8) == 0 {
					in.next = max(0, next+rng.IntN(5)-2)
				}
				begin := clock.Add(1)
				out, err := perform(h, in)
				end := clock.Add(1)
				if err != nil {
					t.Errorf("%+v: %v", in, err)
					return
				}
				next = max(next, out.next)
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: client, Input: in, Call: begin, Output: out, Return: end})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if !porcupine.CheckOperations(logModel, history) {
		t.Errorf("no order explains what %d clients were told in %d calls", clients, len(history))
	}
}

func perform(h *trial, in asked) (answered, error) {
	if in.read {
		log, err := h.Read(h.ctx, "oak", in.next)
		list := []string{}
		for _, e := range log {
			list = append(list, string(e.Body))
		}
		return answered{next: in.next + len(log), log: fmt.Sprint(list)}, err
	}
	receipt, err := h.Append(h.ctx, store.Append{Table: "oak", Next: in.next, Entries: [][]byte{[]byte(in.entry)}})
	var conflict *store.Conflict
	if errors.As(err, &conflict) {
		return answered{next: conflict.Next}, nil
	}
	return answered{won: true, next: receipt.Next}, err
}
