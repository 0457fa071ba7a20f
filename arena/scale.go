package arena

import (
	"encoding/json"
	"fmt"

	"copse/game"
)

// scale weighs one game: it sees every move of it, those of chance too.
type scale interface {
	hear(by game.Seat, move json.RawMessage)
	weighed() (*weighed, error) // when the game is over
}

// weighed is what is counted of a game besides its result, as it is saved:
// everything by seat. A report on balance is made of it alone.
type weighed struct {
	Rounds int       `json:"rounds"`
	Ending string    `json:"ending"` // why it ended, as the game says it
	Parts  [][]int   `json:"parts"`  // points, in the order of the game's parts
	Marks  []marking `json:"marks"`  // of the things of the game
	Had    []having  `json:"had"`    // combinations of them; nothing where the game names none

	judged []judged // where judges were asked, which is never saved
}

// having is the combinations that one seat had; in JSON a text with 1 for each it
// had, and 0 for the others.
type having []bool

// MarshalText writes a digit for each combination.
func (h having) MarshalText() ([]byte, error) {
	text := make([]byte, len(h))
	for i, had := range h {
		text[i] = '0'
		if had {
			text[i] = '1'
		}
	}
	return text, nil
}

// UnmarshalText reads such a text.
func (h *having) UnmarshalText(text []byte) error {
	*h = make(having, len(text))
	for i, c := range text {
		if c != '0' && c != '1' {
			return fmt.Errorf("%q is neither 0 nor 1", c)
		}
		(*h)[i] = c == '1'
	}
	return nil
}

// marking is the marks of one seat; in JSON a text with a digit for each thing.
type marking []game.Mark

// digits write marks, which have four bits.
const digits = "0123456789abcdef"

// MarshalText writes a digit for each thing.
func (m marking) MarshalText() ([]byte, error) {
	text := make([]byte, len(m))
	for i, mark := range m {
		text[i] = digits[mark&0xf]
	}
	return text, nil
}

// UnmarshalText reads such a text.
func (m *marking) UnmarshalText(text []byte) error {
	*m = make(marking, len(text))
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9':
			(*m)[i] = game.Mark(c - '0')
		case c >= 'a' && c <= 'f':
			(*m)[i] = game.Mark(c-'a') + 10
		default:
			return fmt.Errorf("%q is no mark", c)
		}
	}
	return nil
}

// fits tells whether what was read from a file can be counted.
func (w *weighed) fits(seats, things, combinations int) bool {
	if w == nil || w.Rounds < 0 || w.Rounds > longestGame || len(w.Parts) != seats || len(w.Marks) != seats || len(w.Had) != seats && combinations > 0 {
		return false
	}
	for seat := range seats {
		if len(w.Parts[seat]) != game.MaxParts || len(w.Marks[seat]) != things || combinations > 0 && len(w.Had[seat]) != combinations {
			return false
		}
	}
	return true
}

// tallying is a scale that plays the game along, with its types. A game that is no
// Tallier has no things, and a round of it is one turn of every seat.
type tallying[S, M comparable] struct {
	rules game.Playable[S, M]
	what  game.Tallier[S] // nil where the game is none
	s     S
	marks []marking
	had   []having // nil where nothing is combined

	together func(s *S, seat game.Seat, marks []game.Mark, had []bool)
}

func newTallying[S, M comparable](rules game.Playable[S, M]) *tallying[S, M] {
	t := &tallying[S, M]{rules: rules, s: rules.Start(), marks: make([]marking, rules.Seats())}
	t.what, _ = rules.(game.Tallier[S])
	for seat := range t.marks {
		t.marks[seat] = marking{}
		if t.what != nil {
			t.marks[seat] = make(marking, len(t.what.Things()))
		}
	}
	if works, ok := t.what.(game.Combiner[S]); ok {
		var names []string
		names, t.together = works.Combinations()
		for range t.marks {
			t.had = append(t.had, make(having, len(names)))
		}
	}
	t.look()
	return t
}

// look marks what holds now.
func (t *tallying[S, M]) look() {
	if t.what == nil {
		return
	}
	for seat := range t.marks {
		t.what.Tally(&t.s, game.Seat(seat), t.marks[seat])
		if t.together != nil {
			t.together(&t.s, game.Seat(seat), t.marks[seat], t.had[seat])
		}
	}
}

func (t *tallying[S, M]) hear(by game.Seat, move json.RawMessage) {
	m, err := t.rules.ReadMove(move)
	if err == nil {
		err = t.rules.Check(&t.s, by, m)
	}
	if err != nil {
		panic(fmt.Sprintf("arena: the rules refuse a move that was played: %v", err))
	}
	t.rules.Play(&t.s, by, m, nil)
	t.look()
}

func (t *tallying[S, M]) weighed() (*weighed, error) {
	seats := t.rules.Seats()
	w := &weighed{Rounds: (t.rules.Turn(&t.s) + seats - 1) / seats, Marks: t.marks, Had: t.had}
	if t.what != nil {
		w.Rounds, w.Ending = t.what.Round(&t.s), t.what.Ending(&t.s)
	}
	st := t.rules.Standing(&t.s)
	for _, score := range st.Seats[:seats] {
		parts := make([]int, game.MaxParts)
		for i, points := range score.Parts {
			parts[i] = int(points)
		}
		w.Parts = append(w.Parts, parts)
	}
	return w, nil
}
