package bot

import (
	"context"
	"iter"
	"math"
	"time"

	"copse/game"
)

// Thinking is a thought under way whose errands somebody has done: as long as
// there are Errands it waits for what they find, and then there is a Thought. It
// is not for use by several goroutines at once.
type Thinking struct {
	errands []game.RawMessage
	thought *Thought

	next func() ([]game.RawMessage, bool)
	stop func()
	take func([]game.RawMessage) error // reads reports, for whoever waits for them
}

// Errands are what is to be done now, in any order and by anyone: Helper.Do says
// what each finds. There are none once the thought is there.
func (t *Thinking) Errands() []game.RawMessage { return t.errands }

// Thought is what the player found, the same as by Thinker.Think; nil while there
// are errands.
func (t *Thinking) Thought() *Thought { return t.thought }

// GoOn takes the reports of all errands, in any order, and thinks on. Where they
// are not those it fails with a *game.Fault, and waits for them as before.
func (t *Thinking) GoOn(reports []game.RawMessage) error {
	if len(t.errands) == 0 {
		return game.Blame("bot.no-errands", nil)
	}
	if err := t.take(reports); err != nil {
		return err
	}
	t.errands = nil // should it break, nothing waits any more
	t.errands, _ = t.next()
	return nil
}

// Stop ends it for good. Whoever lets go of a thought under way must call it.
func (t *Thinking) Stop() {
	thought := t.thought
	t.stop()
	t.errands, t.thought = nil, thought // what it came to in a hurry is nothing
}

// Helper does the errands of somebody who thinks.
type Helper interface {
	// Do does an errand and gives its report. What is no errand of that player in
	// that position is a *game.Fault. A report that says cut has not been done: time
	// was up. The helper is not to be used again then.
	Do(ctx context.Context, errand game.RawMessage) (report game.RawMessage, cut bool, err error)
}

// errandJSON is an errand as it travels. Numbers tell the errands of a thought
// apart, those of earlier rounds too.
type errandJSON struct {
	Number int                 `json:"number"`
	Lines  [][]game.RawMessage `json:"lines"`
	From   int                 `json:"from,omitempty"`
	To     int                 `json:"to,omitempty"`
	Looks  int                 `json:"looks,omitempty"`
	Net    uint32              `json:"net,omitempty"` // the sum of the net that judges
	MS     int                 `json:"ms"`            // for which whoever thinks waits
}

// reportJSON is a report as it travels. Its numbers are exact in a program that
// knows no whole numbers above 2^53.
type reportJSON struct {
	Number int        `json:"number"`
	Sums   [][3]int64 `json:"sums,omitempty"` // of reward, wins and margin, by line
	Looked []int      `json:"looked,omitempty"`
	Cut    bool       `json:"cut,omitempty"`
}

// What an errand may ask for at most, besides mostPlayouts: more than any player
// does.
const (
	mostLines = 1000
	mostLooks = 1_000_000
)

// Begin implements Thinker.
func (t thinker[S, M]) Begin(ctx context.Context, p game.Position, ask Ask, pieces int) (*Thinking, error) {
	m, choose, err := t.mind(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	var (
		th      Thinking
		number  int // of the first of the errands
		sent    []errand[M]
		reports []report
	)
	m.pieces = pieces
	th.next, th.stop = iter.Pull(func(yield func([]game.RawMessage) bool) {
		m.helped = func(list []errand[M]) []report {
			number += len(sent)
			sent = list
			if !yield(m.writeErrands(list, number)) {
				m.stopped = true // nobody waits for it any more
				return nil
			}
			return reports
		}
		th.thought = m.think(choose, ask.Explain)
	})
	th.take = func(raw []game.RawMessage) (err error) {
		reports, err = readReports(raw, sent, number)
		return err
	}
	th.errands, _ = th.next()
	return &th, nil
}

// writeErrands gives errands the form in which they travel, numbered from first.
func (m *mind[S, M]) writeErrands(list []errand[M], first int) []game.RawMessage {
	raw := make([]game.RawMessage, len(list))
	ms := max(1, int(time.Until(m.deadline).Milliseconds()))
	for i, e := range list {
		out := errandJSON{Number: first + i, Lines: make([][]game.RawMessage, len(e.lines)), From: e.from, To: e.to, Looks: e.looks, Net: m.netSum, MS: ms}
		for j := range e.lines {
			out.Lines[j] = wire(m.rules, e.lines[j].moves[:e.lines[j].n])
		}
		raw[i] = written(out)
	}
	return raw
}

// readReports reads the reports of errands numbered from first, one of each, and
// puts them in order.
func readReports[M comparable](raw []game.RawMessage, sent []errand[M], first int) ([]report, error) {
	reports, met := make([]report, len(sent)), make([]bool, len(sent))
	if len(raw) != len(sent) {
		return nil, game.Blame("bot.reports", game.Args{"errands": len(sent), "reports": len(raw)})
	}
	for _, one := range raw {
		var in reportJSON
		if err := game.Unmarshal(one, &in); err != nil {
			return nil, game.Misread("bot.report", "report", err)
		}
		if err := game.Same("bot.report", "report", one, written(in)); err != nil {
			return nil, err
		}
		i := in.Number - first
		if i < 0 || i >= len(sent) || met[i] {
			return nil, game.Blame("bot.report", game.Args{"path": "report.number"})
		}
		met[i] = true
		r, e := &reports[i], &sent[i]
		r.cut = in.Cut
		switch {
		case r.cut:
		case e.looks == 0 && len(in.Sums) != len(e.lines), e.looks > 0 && len(in.Sums) > len(e.lines):
			return nil, game.Blame("bot.report", game.Args{"path": "report.sums"})
		case e.looks > 0 && len(in.Looked) != len(in.Sums):
			return nil, game.Blame("bot.report", game.Args{"path": "report.looked"})
		}
		for _, sum := range in.Sums {
			r.results = append(r.results, result{reward: sum[0], wins: sum[1], margin: sum[2]})
		}
		r.looked = in.Looked
	}
	return reports, nil
}

// Helper implements Thinker.
func (t thinker[S, M]) Helper(p game.Position, ask Ask) (Helper, error) {
	m, _, err := t.mind(context.Background(), p, ask)
	if err != nil {
		return nil, err
	}
	e, ok := level(ask.Player)
	if !ok {
		return nil, game.Blame("bot.no-errands", nil)
	}
	x, _, ended := prepare(m, e)
	if ended {
		return nil, game.Blame("bot.no-errands", nil)
	}
	return helper[S, M]{x}, nil
}

type helper[S, M comparable] struct{ *searcher[S, M] }

// Do implements Helper.
func (h helper[S, M]) Do(ctx context.Context, raw game.RawMessage) (game.RawMessage, bool, error) {
	var in errandJSON
	if err := game.Unmarshal(raw, &in); err != nil {
		return nil, false, game.Misread("bot.errand", "errand", err)
	}
	if in.Net != 0 && in.Net != h.netSum {
		h.equip() // it may have come since
	}
	e, err := h.readErrand(&in)
	if err != nil {
		return nil, false, err
	}
	if net := h.net; in.Net == 0 { // who thinks began before the net was there
		h.net = nil
		defer func() { h.net = net }()
	}
	h.clock = newClock(ctx)
	h.limit(time.Duration(in.MS) * time.Millisecond)
	r := h.do(&e)
	out := reportJSON{Number: in.Number, Looked: r.looked, Cut: r.cut}
	for _, sum := range r.results {
		out.Sums = append(out.Sums, [3]int64{sum.reward, sum.wins, sum.margin})
	}
	return written(out), r.cut, nil
}

// readErrand reads an errand. Its lines must be such as the seat may play.
func (h helper[S, M]) readErrand(in *errandJSON) (e errand[M], err error) {
	bad := func(path string) error { return game.Blame("bot.errand", game.Args{"path": "errand." + path}) }
	n := in.To - in.From
	switch {
	case len(in.Lines) == 0 || len(in.Lines) > mostLines:
		return e, bad("lines")
	case in.Looks < 0 || in.Looks > mostLooks:
		return e, bad("looks")
	case in.Looks > 0 && (in.From != 0 || in.To != 0):
		return e, bad("to")
	case in.Looks == 0 && (in.From < 0 || in.To > mostPlayouts || n < 1 || n*len(in.Lines) > mostPlayouts):
		return e, bad("to")
	case in.Net != 0 && in.Net != h.netSum:
		return e, bad("net")
	case in.MS < 1 || in.MS > math.MaxInt32:
		return e, bad("ms")
	}
	e = errand[M]{from: in.From, to: in.To, looks: in.Looks, lines: make([]line[M], len(in.Lines))}
	for i, moves := range in.Lines {
		if len(moves) == 0 || len(moves) > longestLine {
			return e, bad("lines")
		}
		s := h.view
		for _, raw := range moves {
			move, err := h.rules.ReadMove(raw)
			if err != nil {
				return e, err
			}
			if err := h.rules.Check(&s, h.seat, move); err != nil {
				return e, err
			}
			h.rules.Play(&s, h.seat, move, nil)
			l := &e.lines[i]
			l.moves[l.n] = move
			l.n++
		}
	}
	return e, nil
}

// written is the JSON of something that can always be written.
func written(v any) game.RawMessage {
	raw, err := game.Marshal(v)
	if err != nil {
		panic("bot: " + err.Error())
	}
	return raw
}
