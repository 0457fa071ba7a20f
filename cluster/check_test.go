package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/anishathalye/porcupine"

	"copse/game"
	"copse/games"
	"copse/store"
	"copse/store/postgres"
	"copse/table"
)

// The checks. Each has a name, so that a planted mistake is known by what has caught
// it.
//
//	acked    every draft that was acknowledged is in the log, once, where it was said
//	         to be, and nobody's draft is there that was not sent
//	order    one order of all requests explains what everyone was told (porcupine)
//	stream   every stream told every entry once, in its order, and the same
//	verify   a finished game proves itself by its export
//	chat     every line that was acknowledged is there once, in an order that can be
//	clock    a clock that has run out has done so once
//	log      what the store keeps is whole
//	alive    no node has ended by itself
//	answer   nobody was told anything that makes no sense

// check checks everything.
func (h *house) check(ctx context.Context) {
	err := h.look(func(from *postgres.Store) error {
		for _, s := range h.sittings {
			if err := s.check(ctx, from); err != nil {
				return err
			}
		}
		if _, err := from.Check(ctx); err != nil {
			h.wrongs.add("log", "%v", err)
		}
		return nil
	})
	if err != nil {
		h.wrongs.add("log", "%v", err)
	}
}

// logOf is the log of a table.
type logOf struct {
	entries []table.Entry
	last    []int // by entry, the last one up to it that changed the game
}

func readLog(ctx context.Context, from *postgres.Store, id string) (l logOf, err error) {
	raw, err := from.Read(ctx, id, 0)
	if err != nil {
		return l, err
	}
	for n, one := range raw {
		e, err := table.ReadEntry(one.Body)
		if err != nil {
			return l, fmt.Errorf("entry %d: %w", n, err)
		}
		last := 0
		if n > 0 {
			last = l.last[n-1]
		}
		switch e.Do {
		case table.Started, table.Moved, table.Drawn, table.Undone:
			last = n
		}
		l.entries, l.last = append(l.entries, e), append(l.last, last)
	}
	return l, nil
}

func (s *sitting) wrong(check, format string, args ...any) {
	s.in.wrongs.add(check, "table %s (%s): "+format, append([]any{s.id, s.game}, args...)...)
}

func (s *sitting) check(ctx context.Context, from *postgres.Store) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, err := readLog(ctx, from, s.id)
	if errors.Is(err, store.ErrNone) {
		s.wrong("acked", "it was set, and is not there")
		return nil
	}
	if err != nil {
		return err
	}
	firsts := s.checkAcked(log)
	s.checkOrder(log, firsts)
	s.checkStreams(log)
	if err := s.checkChat(ctx, from); err != nil {
		return err
	}
	s.checkClocks(log)
	return nil
}

// checkClocks counts how often the clock of each seat has run out: of who sleeps
// once, of others who are quick at no other table.
func (s *sitting) checkClocks(log logOf) {
	times := map[game.Seat]int{}
	for _, e := range log.entries {
		if e.Do == table.TimedOut {
			times[e.Seat]++
		}
	}
	for seat, n := range times {
		if n > 1 || !s.sleep {
			s.wrong("clock", "the clock of seat %d has run out %d times", seat, n)
		}
	}
	if s.sleep && s.over && times[game.Seat(s.sleeper)] != 1 {
		s.wrong("clock", "the clock of who sleeps has run out %d times", times[game.Seat(s.sleeper)])
	}
}

// checkAcked finds the entries of every draft, by the first of them.
func (s *sitting) checkAcked(log logOf) map[int]int {
	firsts, whose := map[int]int{}, map[int]asked{} // by the last entry of a draft the first; by its first what it was
	for _, a := range s.asked {
		if a.what != played {
			continue
		}
		if a.number >= len(log.entries) {
			s.wrong("acked", "a draft after %d was acknowledged as entry %d, and the log has %d", a.after, a.number, len(log.entries))
			continue
		}
		first := a.number
		for first > a.after && (log.entries[first].Do != table.Moved || log.entries[first].Bot) {
			first--
		}
		e := &log.entries[first]
		if first <= a.after || int(e.Seat) != a.seat || string(e.Move) != a.move {
			s.wrong("acked", "%s of seat %d after %d was acknowledged as entry %d, and there is %s by seat %d", a.move, a.seat, a.after, a.number, e.Move, e.Seat)
			continue
		}
		if log.last[first-1] != a.after {
			s.wrong("acked", "a draft that was made after %d was played after %d", a.after, log.last[first-1])
		}
		if b, ok := whose[first]; ok && (b.move != a.move || b.number != a.number) {
			s.wrong("acked", "entry %d is two drafts, %+v and %+v", first, b, a)
		}
		whose[first], firsts[a.number] = a, first
	}
	unknown := 0
	for n, e := range log.entries {
		if e.Do != table.Moved || e.Bot {
			continue
		}
		if _, ok := whose[n]; !ok {
			if unknown++; s.over || unknown > 1 { // of one that was sent when the test ended nobody waited for the answer
				s.wrong("acked", "entry %d, %s by seat %d, is nobody's", n, e.Move, e.Seat)
			}
		}
	}
	return firsts
}

// checkOrder looks for one order of all requests that explains what everyone was
// told. What bots and chance did comes from the log: it happened after what it stands
// behind was asked for, and before anybody was told.
func (s *sitting) checkOrder(log logOf, firsts map[int]int) {
	if !porcupine.CheckOperations(tableModel(log), s.operations(log, firsts)) {
		s.wrong("order", "no order explains what was told in %d requests", len(s.asked))
	}
}

// step is something that happens to a table, for the checker.
type step struct {
	what   what
	from   int // of a draft, and of what the house does: its first entry
	after  int
	number int
}

func (s *sitting) operations(log logOf, firsts map[int]int) []porcupine.Operation {
	end := int64(math.MaxInt64)
	var all []porcupine.Operation
	by := make([]int64, len(log.entries)) // when what makes an entry was asked for, at the earliest
	mine := make([]bool, len(log.entries))
	for _, a := range s.asked {
		x := step{what: a.what, after: a.after, number: a.number}
		if a.what == played {
			first, ok := firsts[a.number]
			if !ok {
				continue // it is wrong anyway
			}
			x.from = first
			for n := first; n <= a.number; n++ {
				if !mine[n] || a.begin < by[n] {
					mine[n], by[n] = true, a.begin
				}
			}
		}
		all = append(all, porcupine.Operation{ClientId: a.person, Input: x, Call: a.begin, Return: a.end})
	}
	earliest := int64(0)
	for n := range log.entries {
		if mine[n] {
			earliest = max(earliest, by[n])
			continue
		}
		latest := end
		if at, ok := s.told[n]; ok {
			latest = at
		}
		all = append(all, porcupine.Operation{ClientId: 1000 + n, Input: step{what: played, from: n, number: n, after: -1}, Call: earliest, Return: max(latest, earliest)})
	}
	return all
}

// tableModel is what a table must look like to everyone: one thing after the other.
// Its state is the number of its last entry.
func tableModel(log logOf) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return -1 },
		Step: func(state, input, _ any) (bool, any) {
			last, x := state.(int), input.(step)
			changed := -1
			if last >= 0 {
				changed = log.last[last]
			}
			switch x.what {
			case looked:
				return x.number == last, last
			case listed:
				return x.number == changed, last
			case refused:
				return x.after != changed || last >= 0 && log.entries[last].Do == table.Ended, last
			}
			if last >= x.number { // sent again
				return x.after >= 0, last
			}
			return last == x.from-1, x.number
		},
		DescribeOperation: func(input, _ any) string { return fmt.Sprintf("%+v", input) },
	}
}

// checkStreams compares what streams told with the log.
func (s *sitting) checkStreams(log logOf) {
	for n, k := range s.heard {
		if n >= len(log.entries) {
			s.wrong("stream", "entry %d was told, and the log has %d", n, len(log.entries))
			continue
		}
		e := &log.entries[n]
		if e.Do.String() != k.do || k.seat >= 0 && int(e.Seat) != k.seat {
			s.wrong("stream", "entry %d was told as %+v, and is %s by seat %d", n, k, e.Do, e.Seat)
		}
	}
	for i, h := range s.hearers {
		if s.over && (!h.ends || h.number != len(log.entries)-1) {
			s.wrong("stream", "client %d has heard up to %d of %d", i, h.number, len(log.entries)-1)
		}
	}
}

// checkChat compares what was said with what is kept.
func (s *sitting) checkChat(ctx context.Context, from *postgres.Store) error {
	lines, err := from.Lines(ctx, s.id, 0, store.MostLines)
	if err != nil {
		return err
	}
	at := map[string][]int{}
	for _, l := range lines {
		var words struct{ Text string }
		if err := json.Unmarshal(l.Body, &words); err != nil {
			return err
		}
		at[words.Text] = append(at[words.Text], l.Number)
	}
	for i, a := range s.said {
		if got := at[a.text]; len(got) != 1 || got[0] != a.number {
			s.wrong("chat", "%q was acknowledged as line %d, and is there as %v", a.text, a.number, got)
		}
		for _, b := range s.said[:i] {
			if a.end < b.begin && a.number > b.number || b.end < a.begin && b.number > a.number {
				s.wrong("chat", "%q and %q are there in the wrong order", a.text, b.text)
			}
		}
	}
	return nil
}

// prove has every finished game prove itself, asked at any node.
func (h *house) prove(ctx context.Context, p *person) {
	shelf := table.NewShelf(games.All()...)
	for _, s := range h.sittings {
		if !s.over {
			continue
		}
		a, ok := p.must(ctx, "GET", s.path("/export"), "", "")
		if !ok {
			s.wrong("verify", "it cannot be had")
			continue
		}
		proven, err := table.Verify(shelf, a.body)
		if err != nil {
			s.wrong("verify", "%v", err)
			continue
		}
		s.mu.Lock()
		for i, hears := range s.hearers {
			if hears.number != proven.Len()-1 {
				s.wrong("verify", "client %d has heard up to %d, and what is proven ends at %d", i, hears.number, proven.Len()-1)
			}
		}
		s.mu.Unlock()
	}
}
