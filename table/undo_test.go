package table

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"copse/game"
)

func raw(moves ...string) (list []json.RawMessage) {
	for _, m := range moves {
		list = append(list, json.RawMessage(m))
	}
	return list
}

// says lets whoever is to act make these moves.
func (r *rig) says(moves ...string) []Kind {
	r.Helper()
	return r.do(r.command(raw(moves...)...))
}

func (r *rig) wantKinds(got []Kind, want ...Kind) {
	r.Helper()
	if !slices.Equal(got, want) {
		r.Fatalf("the log goes on with %v, want %v", got, want)
	}
}

func TestAgainstBotsAloneGoingBackIsFree(t *testing.T) {
	rng := newRand(2, 1)
	r := begun(t, settings("bosk", 3), 1)
	r.refuses("table.undo.nothing", TakeBack{somebody(0), -1})
	before := r.now.pos.View()
	r.turn(rng)
	r.turn(rng) // a bot's turn
	r.wantKinds(r.do(TakeBack{somebody(0), -1}), Undone)
	if string(r.now.pos.View()) != string(before) {
		t.Error("the game is not where it was")
	}
	if got := r.People().Seats[0].Undos; got != 1 {
		t.Errorf("it went back %d times", got)
	}
	r.refuses("table.undo.nothing", TakeBack{somebody(0), -1})
	for range 3 * 9 {
		r.turn(rng)
	}
	back := 1
	for r.try(TakeBack{somebody(0), -1}) == nil { // back and back again, to the beginning
		back++
	}
	if got := r.People().Seats[0].Undos; got != back || back < 9 {
		t.Errorf("it went back %d times, and %d are counted", back, got)
	}
	if string(r.now.pos.View()) != string(before) {
		t.Error("the game is not where it began")
	}
	if !reflect.DeepEqual(r.again(), r.Table) {
		t.Error("opened again it is another table")
	}
}

func TestGoingBackNeedsTheConsentOfThePeople(t *testing.T) {
	rng := newRand(2, 2)
	r := begun(t, settings("bosk", 3), 3)
	r.turn(rng)
	r.wantKinds(r.do(TakeBack{somebody(0), -1}), Asked)
	ask := r.People().Asks
	if len(ask) != 1 || ask[0].Seat != 0 || *ask[0].To != r.began() || !slices.Equal(ask[0].Of, []game.Seat{1, 2}) {
		t.Errorf("asked is %+v", ask)
	}
	r.refuses("table.ask.open", TakeBack{somebody(0), -1})
	r.refuses("table.ask.own", Answer{somebody(0), Undo, true})
	r.refuses("table.stranger", Answer{somebody(9), Undo, true})
	r.wantKinds(r.do(Answer{somebody(2), Undo, true}), Agreed)
	r.refuses("table.ask.agreed", Answer{somebody(2), Undo, true})
	r.wantKinds(r.do(Answer{somebody(1), Undo, true}), Agreed, Undone)
	if r.now.toAct() != 0 || r.Last() != r.Len()-1 {
		t.Error("seat 0 is not to move again")
	}

	r.turn(rng)
	r.do(TakeBack{somebody(0), -1})
	r.wantKinds(r.do(Answer{somebody(1), Undo, false}), Declined)
	r.refuses("table.ask.none", Answer{somebody(2), Undo, true})
	r.refuses("table.ask.again", TakeBack{somebody(0), -1})
	r.turn(rng) // after the next move it may be asked again
	r.do(TakeBack{somebody(0), -1})
	r.wantKinds(r.do(Answer{somebody(0), Undo, false}), Declined) // who asked may withdraw it
	r.do(TakeBack{somebody(0), -1})
	r.turn(rng) // going on is an answer too
	if len(r.People().Asks) != 0 {
		t.Error("it is still asked")
	}
}

func TestNobodyGoesBackWhereTheTableSaysNo(t *testing.T) {
	set := settings("bosk", 2)
	set.Undo = UndoNone
	r := begun(t, set, 1)
	r.turn(newRand(2, 3))
	r.refuses("table.undo.none", TakeBack{somebody(0), -1})
	r.refuses("table.undo.none", TakeBack{somebody(0), r.began()})
}

func TestOneGoesBackOnlyToWhereOneWasToMove(t *testing.T) {
	r := begun(t, settings("tiny", 2), 1)
	r.says(`{"do":"shake"}`)
	for n := range r.Len() + 2 {
		if n == r.began() {
			continue
		}
		r.refuses("table.undo.to", TakeBack{somebody(0), n})
	}
	r.do(TakeBack{somebody(0), r.began()})
	r.says(`{"do":"dig"}`) // the turn goes on after an outcome
	mid := int(r.now.tip)
	r.says(`{"do":"nap"}`)
	r.says(`{"do":"shake"}`) // the bot's move
	r.do(TakeBack{somebody(0), mid})
	if got, want := string(r.now.pos.Moves()[1]), `{"do":"nap"}`; got != want {
		t.Errorf("one may do %s", got)
	}
	r.refuses("table.undo.to", TakeBack{somebody(0), mid})
	if to, ok := r.lastTurn(&r.now, 0); !ok || to != r.began() {
		t.Errorf("the turn began at %d", to)
	}
}

func TestAnUndoneDrawComesAgainTheSame(t *testing.T) {
	for _, name := range []string{"tiny", "grandbois", "treesociety"} {
		rng := newRand(2, 4)
		r := begun(t, settings(name, 2), 1)
		for range 6 {
			r.turn(rng)
		}
		if r.now.toAct() != 0 {
			t.Fatal("the wrong seat is to move")
		}
		var moves []json.RawMessage
		began := r.Len()
		for turn := r.now.turn(); r.now.turn() == turn; {
			moves = append(moves, r.now.pos.Moves()[0])
			r.do(r.command(moves[len(moves)-1]))
		}
		first := drawnIn(r, began)
		r.do(TakeBack{somebody(0), -1})
		from := r.Len()
		for _, m := range moves {
			r.do(r.command(m))
		}
		again := drawnIn(r, from)
		if len(again) == 0 || !slices.Equal(again, first) {
			t.Errorf("%s: chance gave %v and then %v", name, first, again)
		}
	}
}

// drawnIn are the outcomes of chance from an entry on.
func drawnIn(r *rig, from int) (list []string) {
	for n := from; n < r.Len(); n++ {
		if e := r.entry(n); e.Do == Drawn {
			list = append(list, string(e.Move))
		}
	}
	return list
}

func TestNobodyGoesBackBehindTheBackOfSomebodyAway(t *testing.T) {
	rng := newRand(2, 5)
	r := begunUnder(t, 1, settings("bosk", 2), 2)
	r.turn(rng)
	r.turn(rng)
	r.do(Leave{somebody(1)})
	r.refuses("table.undo.away", TakeBack{somebody(0), -1})
	r.turn(rng)
	r.turn(rng) // the stand-in's turn
	r.refuses("table.undo.away", TakeBack{somebody(0), r.began()})
	r.refuses("table.undo.away", TakeBack{somebody(0), -1}) // the turn began before they left
	r.turn(rng)
	r.turn(rng)
	r.wantKinds(r.do(TakeBack{somebody(0), -1}), Undone)
}

// Under judgement 2 a person who is away is asked too, until the patience of the
// pace is over.
func TestWhoIsAwayIsAskedUntilPatienceIsOver(t *testing.T) {
	for _, pace := range Paces() {
		rng := newRand(2, 8)
		set := settings("bosk", 3)
		set.Pace = pace.Name
		r := begun(t, set, 3)
		for range 3 {
			r.turn(rng)
		}
		r.do(Leave{somebody(1)})
		left := r.clk
		for range 4 { // until seat 0 has had a turn that began since they left
			r.turn(rng)
		}
		r.clk = left + length(pace.Patience) - 1
		r.wantKinds(r.do(TakeBack{somebody(0), -1}), Asked)
		ask := r.People().Asks[0]
		if !slices.Equal(ask.Of, []game.Seat{1, 2}) || ask.Until != left+length(pace.Patience) {
			t.Fatalf("%s: asked is %+v", pace.Name, ask)
		}
		if at, ok := r.Granted(); ok {
			t.Fatalf("%s: it is granted at %d, and seat 2 has not answered", pace.Name, at)
		}
		r.wantKinds(r.do(Answer{somebody(2), Undo, true}), Agreed) // a person who is away has a say
		r.wantKinds(r.do(Continue{}))
		at, ok := r.Granted()
		if !ok || at != left+length(pace.Patience) {
			t.Fatalf("%s: it is granted at %d, %v", pace.Name, at, ok)
		}
		undone := Entry{At: at - 1, Do: Undone, Seat: 0, To: *ask.To}
		if _, err := r.Apply(undone); keyOf(err) != "table.log.impossible" {
			t.Fatalf("%s: a log may go back a moment too early: %v", pace.Name, err)
		}
		r.clk = at
		r.wantKinds(r.do(Continue{}), Undone)
		if _, ok := r.Granted(); ok {
			t.Errorf("%s: it is granted once more", pace.Name)
		}
		r.turn(rng)
		r.wantKinds(r.do(TakeBack{somebody(0), -1}), Asked)
		if of := r.People().Asks[0].Of; !slices.Equal(of, []game.Seat{2}) {
			t.Errorf("%s: asked are %v, and the patience for seat 1 is over", pace.Name, of)
		}
		r.wantKinds(r.do(Answer{somebody(2), Undo, true}), Agreed, Undone)
	}
}

// A person who is away may say yes or no by coming back, also to a step behind the
// moment at which they left; later nobody goes there without them.
func TestGoingBackBehindWhoIsAwayNeedsThem(t *testing.T) {
	rng := newRand(2, 9)
	away := func() *rig {
		r := begun(t, settings("bosk", 2), 2)
		r.turn(rng)
		r.turn(rng)
		r.do(Leave{somebody(1)})
		return r
	}
	r := away()
	r.wantKinds(r.do(TakeBack{somebody(0), -1}), Asked)
	r.wantKinds(r.do(Answer{somebody(1), Undo, true}), Returned, Agreed, Undone)

	r = away()
	r.do(TakeBack{somebody(0), -1})
	r.wantKinds(r.do(Answer{somebody(1), Undo, false}), Returned, Declined)

	r = away()
	r.do(TakeBack{somebody(0), -1})
	if _, ok := r.Granted(); ok {
		t.Error("a step back behind who is away comes by itself")
	}
	r.wait(Paces()[0].Patience)
	r.wantKinds(r.do(Continue{}))
	r.do(Answer{somebody(0), Undo, false})
	r.refuses("table.undo.away", TakeBack{somebody(0), -1})
	r.turn(rng)
	r.turn(rng)
	r.refuses("table.undo.away", TakeBack{somebody(0), r.began()})
	r.turn(rng)
	r.turn(rng)
	r.wantKinds(r.do(TakeBack{somebody(0), -1}), Undone)
}

// Patience is counted from the last time a person left, and ends when they resign.
func TestPatienceBeginsWithLeaving(t *testing.T) {
	rng := newRand(2, 10)
	r := begun(t, settings("bosk", 3), 3)
	for range 3 {
		r.turn(rng)
	}
	until, _, _ := r.Deadline()
	r.clk = until
	r.do(Timeout{}) // seat 0
	if got := r.now.chairs[0].asked; got != until+length(Paces()[0].Patience) {
		t.Errorf("who has run out of time is asked until %d", got)
	}
	r.wait(9 * time.Minute).do(Leave{somebody(1)})
	r.do(Return{somebody(1)})
	if got := r.now.chairs[1].asked; got != 0 {
		t.Errorf("who is back is asked as somebody away until %d", got)
	}
	r.wait(time.Minute).do(Leave{somebody(1)})
	if got := r.now.chairs[1].asked; got != r.clk+length(Paces()[0].Patience) {
		t.Errorf("who leaves again is asked until %d", got)
	}
	r.do(Resign{somebody(1)})
	if r.now.needed(Undo, 2, r.clk) != 0 || r.now.minds(r.clk) {
		t.Error("who has resigned is asked")
	}
}

func TestAMoveOvertakesADraftAndTalkDoesNot(t *testing.T) {
	rng := newRand(2, 6)
	r := begun(t, settings("tiny", 3), 3)
	draft := Play{Person: somebody(0), After: r.Last(), Moves: r.now.pos.Moves()[:1]}
	r.do(Leave{somebody(2)})
	r.do(Suggest{somebody(1), Pause})
	r.do(Return{somebody(2)})
	from := r.Len()
	r.do(draft)
	if got := r.kinds(from); got[0] != Moved {
		t.Errorf("the draft is %v", got)
	}
	r.refuses("table.overtaken.by", draft)
	draft.After = r.Len()
	r.refuses("table.ahead", draft)
	for r.now.toAct() == 0 {
		r.move(rng)
	}

	late := r.command(raw(`{"do":"shake"}`)...)
	r.do(TakeBack{somebody(0), -1})
	r.do(Answer{somebody(1), Undo, true})
	r.do(Answer{somebody(2), Undo, true})
	_, err := r.Decide(late, r.clk)
	var refusal *game.Refusal
	if !errors.As(err, &refusal) || refusal.Key != "table.overtaken.by" || refusal.Args["do"] != "undo" || refusal.Args["seat"] != game.Seat(0) {
		t.Errorf("a draft from before the step back is answered by %v", err)
	}
}

func TestADraftIsTakenWholeOrNotAtAll(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	r.refuses("table.draft.empty", r.command())
	r.refuses("table.draft.long", r.command(make([]json.RawMessage, LongestDraft+1)...))
	r.refuses("table.draft.chance", r.command(raw(`{"do":"shake"}`, `{"do":"nap"}`)...))
	r.refuses("json.object", r.command(raw(`nonsense`)...))
	r.refuses("tiny.time", r.command(raw(`{"do":"nap"}`)...))
	_, err := r.Decide(r.command(raw(`{"do":"shake"}`, `{"do":"nap"}`)...), r.clk)
	var bad *BadMove
	if !errors.As(err, &bad) || bad.Move != 1 {
		t.Errorf("the second move is bad, and it is said: %v", err)
	}
	r = begun(t, settings("bosk", 2), 2)
	r.refuses("bosk.turn", r.command(raw(`{"do":"plant","tree":1,"at":[1,1]}`, `{"do":"plant","tree":2,"at":[2,2]}`)...))
	r.wantKinds(r.says(` { "tree" : 1 , "do" : "plant", "at":[1,1.0]} `), Moved)
	if got, want := string(r.entry(r.Len()-1).Move), `{"do":"plant","tree":1,"at":[1,1]}`; got != want {
		t.Errorf("the log has %s, not %s", got, want)
	}
	r.refuses("bosk.turn", Play{Person: somebody(0), After: r.Last(), Moves: raw(`{"do":"plant","tree":1,"at":[1,2]}`)})
}

func TestARepeatedDraftIsFoundInTheLog(t *testing.T) {
	rng := newRand(2, 7)
	r := begun(t, settings("bosk", 2), 2)
	for r.now.turn() < 20 { // until a turn has several moves
		r.turn(rng)
	}
	mine, other := r.now.toAct(), 1-r.now.toAct()
	before, draft := r.Len(), Play{Person: r.person(mine), After: r.Last()}
	for turn := r.now.turn(); r.now.turn() == turn; {
		m := r.now.pos.Moves()[0]
		draft.Moves = append(draft.Moves, m)
		r.do(r.command(m))
	}
	if from, to, ok := r.Repeats(draft); !ok || from != before || to != r.Len()-1 {
		t.Errorf("it is found from %d to %d: %v", from, to, ok)
	}
	r.turn(rng)
	r.do(Leave{somebody(0)})
	if _, _, ok := r.Repeats(draft); !ok {
		t.Error("it is not found later")
	}
	for name, spoil := range map[string]func(*Play){
		"another":       func(p *Play) { p.Person = r.person(other) },
		"a stranger":    func(p *Play) { p.Person = somebody(9) },
		"nobody":        func(p *Play) { p.Person = Person{} },
		"another place": func(p *Play) { p.After-- },
		"more moves":    func(p *Play) { p.Moves = append(slices.Clone(p.Moves), p.Moves[0]) },
		"no moves":      func(p *Play) { p.Moves = nil },
		"another last move": func(p *Play) {
			p.Moves = append(slices.Clone(p.Moves[:len(p.Moves)-1]), raw(`{"do":"leaf","to":[0,0]}`)...)
		},
	} {
		other := draft
		spoil(&other)
		if _, _, ok := r.Repeats(other); ok {
			t.Errorf("%s is found too", name)
		}
	}
}

// TestARefusalOutlivesTheAskingOfOthers: whose asking was refused does not ask again
// before the next move, though somebody else has asked since and given it up.
func TestARefusalOutlivesTheAskingOfOthers(t *testing.T) {
	r := open(t, settings("tiny", 3))
	for n := range 3 {
		r.do(Sit{somebody(n), -1, nonce(n), ""})
	}
	r.do(Start{Person: somebody(0)})
	r.do(Suggest{somebody(0), Pause})
	r.do(Answer{somebody(1), Pause, false})
	r.refuses("table.ask.again", Suggest{somebody(0), Pause})
	r.do(Suggest{somebody(2), Pause})
	r.do(Answer{somebody(2), Pause, false})
	r.refuses("table.ask.again", Suggest{somebody(0), Pause})
	r.do(Suggest{somebody(2), Pause}) // who gave it up was not refused
}
