package gametest

import (
	"strings"
	"testing"

	"copse/game"
)

// Tests of rules read: picture, move, picture. What they need besides the drawing
// is the same for every game.

// Same fails unless two pictures of a position show the same. Space between pieces
// does not count.
func Same(t *testing.T, got, want string) {
	t.Helper()
	if squeeze(got) != squeeze(want) {
		t.Errorf("the table is\n%s\nand should be\n%s", got, strings.Trim(want, "\n"))
	}
}

func squeeze(picture string) string {
	var lines []string
	for line := range strings.Lines(strings.Trim(picture, "\n")) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// Ask says why a move, given as JSON and made by the seat to act, is not allowed;
// nil where it is.
func Ask[S, M comparable](r game.Playable[S, M], s *S, move string) (M, error) {
	m, err := r.ReadMove([]byte(move))
	if err == nil {
		err = r.Check(s, r.ToAct(s), m)
	}
	return m, err
}

// Play makes moves given as JSON, each by the seat to act, and fails where one is
// refused.
func Play[S, M comparable](t *testing.T, r game.Playable[S, M], s *S, moves ...string) *game.Log {
	t.Helper()
	log := &game.Log{}
	for _, text := range moves {
		m, err := Ask(r, s, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		r.Play(s, r.ToAct(s), m, log)
	}
	return log
}
