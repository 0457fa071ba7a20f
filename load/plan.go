package load

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"sync"

	"copse/game"
)

// A client that looks for moves shares the machine with the server that is measured,
// and with a bare one nobody looks for any. So where a game has neither secrets nor
// chance, its lines of play are found before anything is measured, and what the
// streams tell is compared with them.

// mostPlans is how many lines of play are found, for all tables together.
const mostPlans = 64

// plans are lines of play from one first view.
type plans struct {
	mu    sync.Mutex
	first []byte // the view, as it was sent; nil before there is one
	lines [][]planned
}

// planned is a move of a line of play.
type planned struct {
	seat int
	move []byte
	told []byte // how an entry goes on behind its time, up to the end of the move
}

// from is a line of play from a view, or nil where none can be known before.
func (p *plans) from(view game.Position, sent []byte, rng *rand.Rand) []planned {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first == nil {
		p.first = bytes.Clone(sent)
		plan := rand.New(rand.NewPCG(rng.Uint64(), 7))
		for range mostPlans {
			line := playOut(view, plan)
			if line == nil {
				break
			}
			p.lines = append(p.lines, line)
		}
	}
	if len(p.lines) == 0 || !bytes.Equal(p.first, sent) {
		return nil
	}
	return p.lines[rng.IntN(len(p.lines))]
}

// playOut plays from a view to the end of the game, at random; nil where that takes
// more than what the view shows.
func playOut(view game.Position, rng *rand.Rand) (line []planned) {
	if view.Secrets() {
		return nil
	}
	for view.ToAct() != game.None {
		seat := view.ToAct()
		if seat < 0 {
			return nil
		}
		moves := view.Moves()
		move := moves[rng.IntN(len(moves))]
		next, _, err := view.Play(seat, move)
		if err != nil {
			return nil
		}
		told := strconv.AppendInt([]byte(`,"do":"move","seat":`), int64(seat), 10)
		told = append(append(append(told, `,"move":`...), move...), '}')
		line, view = append(line, planned{int(seat), move, told}), next
	}
	return line
}

// heard tells whether an entry is this move, and gives its number.
func (m *planned) heard(data []byte) (number int, ok bool) {
	number, rest, ok := cutNumber(data)
	if !ok {
		return 0, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"entry":{"at":`)); !ok {
		return 0, false
	}
	_, rest = cutDigits(rest)
	return number, bytes.HasPrefix(rest, m.told)
}

// cutNumber is the number of an entry and what follows it. False says that it must be
// read as JSON is.
func cutNumber(data []byte) (number int, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(data, []byte(`{"table":"`))
	if !ok {
		return 0, nil, false
	}
	_, rest, ok = bytes.Cut(rest, []byte(`","number":`))
	if !ok {
		return 0, nil, false
	}
	digits, rest := cutDigits(rest)
	number, err := strconv.Atoi(string(digits))
	return number, rest, err == nil
}

func cutDigits(data []byte) (digits, rest []byte) {
	n := 0
	for n < len(data) && data[n] >= '0' && data[n] <= '9' {
		n++
	}
	return data[:n], data[n:]
}
