package storetest

import (
	"testing"

	"github.com/anishathalye/porcupine"
)

// TestTheCheckerCanFail proves the model of a log by histories that must not be: a
// lost append, a double one, a reader who sees the past, a wrong number told.
func TestTheCheckerCanFail(t *testing.T) {
	op := func(client int, in asked, begin int64, out answered, end int64) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: in, Call: begin, Output: out, Return: end}
	}
	for name, history := range map[string][]porcupine.Operation{
		"lost": {
			op(0, asked{next: 1, entry: "a"}, 1, answered{won: true, next: 2}, 2),
			op(1, asked{read: true}, 3, answered{next: 1, log: "[0]"}, 4),
		},
		"double": {
			op(0, asked{next: 1, entry: "a"}, 1, answered{won: true, next: 2}, 4),
			op(1, asked{next: 1, entry: "b"}, 2, answered{won: true, next: 2}, 3),
		},
		"past": {
			op(0, asked{next: 1, entry: "a"}, 1, answered{won: true, next: 2}, 9),
			op(1, asked{read: true}, 2, answered{next: 2, log: "[0 a]"}, 3),
			op(2, asked{read: true}, 4, answered{next: 1, log: "[0]"}, 5),
		},
		"wrong number": {
			op(0, asked{next: 5, entry: "a"}, 1, answered{next: 3}, 2),
		},
	} {
		if porcupine.CheckOperations(logModel, history) {
			t.Errorf("nothing is wrong with %q", name)
		}
	}
}
