package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"copse/game"
)

// What a viewer is sent depends on nothing that it may not know. Two tables that
// look the same to it are played side by side: the same commitment, the same
// commands at the same times, but another secret, other nonces of the others, and,
// wherever a move or an outcome is heard without its secret, another one that
// sounds the same. Every byte that the viewer can get must be equal.

// twins are two such tables.
type twins struct {
	viewer game.Seat
	one    *rig
	two    *rig
	rng    *rand.Rand
	leak   leak
	sent   int // bytes compared
}

// leak is what a careless table would send besides.
type leak func(r *rig, step *Step, viewer game.Seat) any

// errApart says that the worlds may be told apart from here on.
var errApart = errors.New("the worlds can be told apart")

// errDiffer says that they could be told apart earlier than they may.
type errDiffer struct{ what, one, two string }

func (e *errDiffer) Error() string { return fmt.Sprintf("%s:\n%s\n%s", e.what, e.one, e.two) }

func newTwins(tb testing.TB, name string, seats int, viewer game.Seat, rng *rand.Rand, leaking leak) *twins {
	tb.Helper()
	t := &twins{viewer: viewer, rng: rng, leak: leaking}
	set := settings(name, seats)
	t.one = open(tb, set)
	other, err := Open(shelf, Keep{Secret: Secret{9, 9, 9}}, t.one.log)
	if err != nil {
		tb.Fatal(err)
	}
	t.two = &rig{TB: tb, Table: other, log: t.one.log, clk: dawn}
	return t
}

// both gives the two tables a command each and compares what the viewer gets.
func (t *twins) both(one, two Command) error {
	first, err1 := t.one.Decide(one, t.one.clk)
	second, err2 := t.two.Decide(two, t.two.clk)
	if errors.Is(err1, errNoTwin) || errors.Is(err2, errNoTwin) {
		return errNoTwin
	}
	if err1 == nil && keyOf(err2) == "table.log.secret" && first[len(first)-1].Do == Ended {
		return errApart // the end tells the secret, which is another in the second world
	}
	if err := t.compare("a refusal", answer(err1), answer(err2)); err != nil {
		return err
	}
	if len(first) != len(second) {
		return &errDiffer{"entries", fmt.Sprint(len(first)), fmt.Sprint(len(second))}
	}
	for i := range first {
		a, err1 := t.one.Apply(first[i])
		b, err2 := t.two.Apply(second[i])
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if a.fresh && a.Entry.Do != Started && a.Entry.Do != Undone {
			return errApart
		}
		if err := t.listen(&a, &b); err != nil {
			return err
		}
	}
	return t.ask()
}

// listen compares what the viewer is told of an entry.
func (t *twins) listen(a, b *Step) error {
	if err := t.compare("what is told", a.Heard(t.viewer), b.Heard(t.viewer)); err != nil {
		return err
	}
	if t.leak == nil {
		return nil
	}
	return t.compare("the leak", t.leak(t.one, a, t.viewer), t.leak(t.two, b, t.viewer))
}

// ask compares what the viewer gets by asking.
func (t *twins) ask() error {
	type got struct {
		Look     *Look
		People   *People
		Record   *Record
		Hints    bool
		MaySee   bool
		Last     int
		Len      int
		Until    Time
		View     json.RawMessage
		Moves    []json.RawMessage
		Facts    []game.Args
		Sheet    []game.SheetLine
		Standing any
		Export   any
		Since    []Item
	}
	get := func(r *rig) (g got) {
		g = got{
			Look: r.Look(t.viewer), People: r.People(), Hints: r.Hints(), MaySee: r.MaySee(somebody(9)),
			Last: r.Last(), Len: r.Len(), Since: r.Since(r.Len()-3, t.viewer),
		}
		g.Record, _ = r.Record(t.viewer)
		g.Until, _, _ = r.Deadline()
		if seen := r.See(t.viewer); seen != nil {
			g.View, g.Moves, g.Facts, g.Sheet, g.Standing = seen.View(), seen.Moves(), seen.Facts(), seen.Sheet(), seen.Standing()
		}
		_, err := r.Export()
		g.Export = answer(err)
		return g
	}
	if err := t.compare("what is asked", get(t.one), get(t.two)); err != nil {
		return err
	}
	return t.meddle()
}

// meddle lets the viewer try what it may not do, and compares the answers.
func (t *twins) meddle() error {
	me := somebody(int(t.viewer))
	if t.viewer == game.Watcher {
		me = somebody(9)
	}
	tries := []Command{
		Play{Person: me, After: t.one.Last(), Moves: []json.RawMessage{[]byte(`{"do":"dry","mushroom":3}`)}},
		Play{Person: me, After: t.one.Last() - 1, Moves: []json.RawMessage{[]byte(`{"do":"nap"}`)}},
		Play{Person: me, After: 0, Moves: []json.RawMessage{[]byte(`{"do":"shake"}`), []byte(`{"do":"nap"}`)}},
		BotPlay{Seat: 0, After: t.one.Last(), Moves: []json.RawMessage{[]byte(`{"do":"find","seat":0,"mushroom":2}`)}},
		TakeBack{Person: me, To: t.rng.IntN(t.one.Len())}, Answer{me, Undo, true}, Return{me}, Timeout{}, Close{},
	}
	for _, cmd := range tries {
		first, err1 := t.one.Decide(cmd, t.one.clk)
		second, err2 := t.two.Decide(cmd, t.two.clk)
		if err := t.compare("an answer", answer(err1), answer(err2)); err != nil {
			return err
		}
		if len(first) != len(second) {
			return &errDiffer{"what would follow", fmt.Sprint(first), fmt.Sprint(second)}
		}
	}
	return nil
}

// answer is an error as the API sends it.
func answer(err error) any {
	sent := map[string]any{}
	var bad *BadMove
	if errors.As(err, &bad) {
		sent["move"] = bad.Move
	}
	var refusal *game.Refusal
	var fault *game.Fault
	switch {
	case errors.As(err, &refusal):
		sent["why"] = refusal
	case errors.As(err, &fault):
		sent["why"] = fault
	case err != nil:
		sent["why"] = err.Error()
	}
	return sent
}

func (t *twins) compare(what string, a, b any) error {
	one, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	t.sent += len(one)
	if string(one) != string(two) {
		return &errDiffer{what, string(one), string(two)}
	}
	return nil
}

// errNoTwin says that a move or an outcome has no counterpart in the other world.
var errNoTwin = errors.New("nothing sounds the same in the other world")

// partner is a move or an outcome of the second world that sounds to the viewer
// like a move of by in the first.
func (t *twins) partner(one, two game.Position, by game.Seat, move json.RawMessage) (json.RawMessage, error) {
	want, err := one.Heard(move, by, t.viewer)
	if err != nil {
		return nil, err
	}
	var fit []json.RawMessage
	for _, m := range two.Moves() {
		if heard, err := two.Heard(m, by, t.viewer); err == nil && string(heard) == string(want) {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return nil, errNoTwin
	}
	return fit[t.rng.IntN(len(fit))], nil
}

// play plays on until the worlds may be told apart.
func (t *twins) play() error {
	var outcomes []json.RawMessage // of the first world, with where they came up
	var places []game.Position
	t.one.DealBy(func(p game.Position, _ int) json.RawMessage {
		list := p.Moves()
		m := list[t.rng.IntN(len(list))]
		outcomes, places = append(outcomes, m), append(places, p)
		return m
	})
	missed := false
	t.two.DealBy(func(p game.Position, _ int) json.RawMessage {
		m, err := t.partner(places[0], p, game.Chance, outcomes[0])
		outcomes, places = outcomes[1:], places[1:]
		if err != nil {
			missed = true
			return p.Moves()[0]
		}
		return m
	})
	give := func(one, two Command) error {
		outcomes, places, missed = nil, nil, false
		if t.rehearse(one, two); missed {
			return errNoTwin
		}
		outcomes, places = nil, nil
		return t.both(one, two)
	}
	seats := t.one.settings.Seats
	for seat := range seats {
		mine := game.Seat(seat) == t.viewer
		two := nonce(100 + seat)
		if mine {
			two = nonce(seat)
		}
		err := t.both(Sit{somebody(seat), game.Seat(seat), nonce(seat), ""}, Sit{somebody(seat), game.Seat(seat), two, ""})
		if err != nil {
			return err
		}
	}
	start := Start{Person: somebody(0)}
	for !t.one.Begun() { // until both worlds can deal the same to the viewer
		if err := give(start, start); err != nil && !errors.Is(err, errNoTwin) {
			return err
		}
	}
	for tries := 0; tries < 2000; tries++ {
		t.one.wait(time.Second)
		t.two.wait(time.Second)
		one, two, err := t.next(seats)
		if err == nil {
			err = give(one, two)
		}
		if err != nil && !errors.Is(err, errNoTwin) {
			return err
		}
	}
	return nil
}

// rehearse finds out whether all outcomes of a command have a partner. Decide draws
// at random, so the same numbers are used once more when it counts.
func (t *twins) rehearse(one, two Command) {
	seed := t.rng.Uint64()
	*t.rng = *newRand(seed, 1)
	_, err := t.one.Decide(one, t.one.clk)
	if err == nil {
		_, _ = t.two.Decide(two, t.two.clk)
	}
	*t.rng = *newRand(seed, 1)
}

// next is a command for each of the worlds that sounds the same.
func (t *twins) next(seats int) (one, two Command, err error) {
	anybody := somebody(t.rng.IntN(seats))
	var cmd Command
	switch t.rng.IntN(24) {
	case 0:
		cmd = TakeBack{Person: anybody, To: -1}
	case 1, 2, 3:
		cmd = Answer{anybody, Undo, t.rng.IntN(4) > 0}
	case 4:
		cmd = Leave{anybody}
	case 5, 6:
		cmd = Return{anybody}
	}
	if cmd != nil {
		return cmd, cmd, nil
	}
	seat := t.one.now.toAct()
	moves := t.one.now.pos.Moves()
	m := moves[t.rng.IntN(len(moves))]
	other, err := t.partner(t.one.now.pos, t.two.now.pos, seat, m)
	if err != nil {
		return nil, nil, err
	}
	return t.one.command(m), t.two.command(other), nil
}

// eachTwins plays twins for all viewers at all tables of two games with secrets,
// until visit returns false.
func eachTwins(tb testing.TB, leaking leak, visit func(name string, t *twins, err error) bool) {
	for _, name := range []string{"tiny", "grandbois"} {
		for seats := 2; seats <= 4; seats++ {
			for viewer := -1; viewer < seats; viewer++ {
				v := game.Seat(viewer)
				if viewer < 0 {
					v = game.Watcher
				}
				t := newTwins(tb, name, seats, v, newRand(uint64(seats), uint64(viewer+2)), leaking)
				if !visit(name, t, t.play()) {
					return
				}
			}
		}
	}
}

func TestNothingTellsWhatAViewerMayNotKnow(t *testing.T) {
	t.Parallel()
	differ, long := 0, 0
	eachTwins(t, nil, func(name string, tw *twins, err error) bool {
		if err != nil && !errors.Is(err, errApart) {
			t.Fatalf("%s, %d seats, viewer %v, after %d entries: %v", name, tw.one.settings.Seats, tw.viewer, tw.one.Len(), err)
		}
		if string(tw.one.now.pos.View()) != string(tw.two.now.pos.View()) {
			differ++
		}
		if tw.one.Len() > 30 {
			long++
		}
		t.Logf("%s, %d seats, viewer %v: %d entries, %d bytes", name, tw.one.settings.Seats, tw.viewer, tw.one.Len(), tw.sent)
		return true
	})
	if differ < 15 || long < 12 {
		t.Errorf("of 24 pairs of worlds only %d were different and %d long: this proves little", differ, long)
	}
}

// TestPlantedLeaksAreCaught proves the test above.
func TestPlantedLeaksAreCaught(t *testing.T) {
	t.Parallel()
	for name, leaking := range map[string]leak{
		"a move in full":       func(_ *rig, s *Step, _ game.Seat) any { return s.Entry.Move },
		"an entry in full":     func(_ *rig, s *Step, _ game.Seat) any { return &s.Entry },
		"everyone's events":    func(_ *rig, s *Step, _ game.Seat) any { return s.events },
		"the position":         func(r *rig, _ *Step, _ game.Seat) any { return position(r).View() },
		"the standing":         func(r *rig, _ *Step, _ game.Seat) any { return position(r).Standing() },
		"the score sheet":      func(r *rig, _ *Step, _ game.Seat) any { return position(r).Sheet() },
		"the moves of another": func(r *rig, _ *Step, _ game.Seat) any { return position(r).Moves() },
		"the view of another":  func(r *rig, _ *Step, v game.Seat) any { return position(r).See((v + 4) % 2).View() },
		"a nonce": func(r *rig, _ *Step, _ game.Seat) any {
			return r.now.chairs[0].nonce.String() + r.now.chairs[1].nonce.String()
		},
		"the secret":            func(r *rig, _ *Step, _ game.Seat) any { return r.keep.Secret },
		"the hash of the entry": func(r *rig, _ *Step, _ game.Seat) any { return Chain(r.keep.Secret, r.Table.Log())[r.Len()-1] },
		"a hash without a salt": func(r *rig, _ *Step, _ game.Seat) any { return Chain(Secret{}, r.Table.Log())[r.Len()-1] },
		"the size of the log":   func(r *rig, _ *Step, _ game.Seat) any { return len(fmt.Sprintf("%s", r.Table.Log())) },
	} {
		caught := false
		eachTwins(t, leaking, func(_ string, _ *twins, err error) bool {
			var differ *errDiffer
			caught = errors.As(err, &differ) && differ.what == "the leak"
			return !caught
		})
		if !caught {
			t.Errorf("%s is not caught", name)
		}
	}
}

// position is the truth; before the game, the first position.
func position(r *rig) game.Position {
	if r.now.pos == nil {
		return r.first
	}
	return r.now.pos
}
