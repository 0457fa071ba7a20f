package table

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"copse/game"
)

// TestNoTimeIsSpentAtNight compares the formulas of Night with looking at the clock
// every minute.
func TestNoTimeIsSpentAtNight(t *testing.T) {
	rng := newRand(1, 1)
	asleep := func(n Night, at Time) bool {
		m := int(at / minute % dayMinutes)
		if n.From <= n.To {
			return m >= n.From && m < n.To
		}
		return m >= n.From || m < n.To
	}
	for _, n := range []Night{{}, {1260, 420}, {0, 480}, {600, 660}, {1439, 1}, {1200, 0}, {120, 1080}, {5, 5}} {
		for range 40 {
			from := dawn + Time(rng.Int64N(int64(3*day/minute)))*minute
			to := from + Time(rng.Int64N(int64(3*day/minute)))*minute
			spent := Time(0)
			for at := from; at < to; at += minute {
				if !asleep(n, at) {
					spent += minute
				}
			}
			if got := n.spent(from, to); got != spent {
				t.Fatalf("%v: from %d to %d %d are spent, not %d", n, from, to, spent, got)
			}
			until := n.after(from, spent)
			if n.spent(from, until) != spent || until > to || spent > 0 && n.spent(from, until-1) != spent-1 {
				t.Fatalf("%v: %d from %d on are over at %d, of which %d are spent", n, spent, from, until, n.spent(from, until))
			}
		}
	}
}

func TestATurnSpendsTheBankAndEarnsAStep(t *testing.T) {
	rng := newRand(1, 2)
	r := begun(t, settings("bosk", 2), 2)
	pace := Paces()[0]
	until, seat, ok := r.Deadline()
	if want := r.At() + length(pace.Bank); !ok || seat != 0 || until != want {
		t.Fatalf("seat %v has until %d, %v; want %d", seat, until, ok, want)
	}
	r.wait(2 * time.Minute).turn(rng)
	if got, want := r.now.chairs[0].bank, length(pace.Bank-2*time.Minute+pace.Gain); got != want {
		t.Errorf("after two minutes %d are left, want %d", got, want)
	}
	if _, seat, _ := r.Deadline(); seat != 1 {
		t.Errorf("the clock of seat %v runs", seat)
	}
	if got := r.now.chairs[1].bank; got != length(pace.Bank) {
		t.Errorf("who waits has %d left", got)
	}
	for range 12 { // quick turns fill the bank, but not beyond Most
		r.turn(rng)
		r.turn(rng)
	}
	if got := r.now.chairs[1].bank; got != length(pace.Bank)+13*length(pace.Gain) && got != length(pace.Most) {
		t.Errorf("%d are left", got)
	}
}

func TestASeatWhoseTimeRunsOutIsPlayedByABotAndGivenBack(t *testing.T) {
	rng := newRand(1, 3)
	r := begunUnder(t, 1, settings("tiny", 3), 3)
	until, _, _ := r.Deadline()
	r.clk = until - 1
	r.refuses("table.time", Timeout{})
	r.clk = until
	r.do(Timeout{})
	if seat, player, _, ok := r.Thinks(); !ok || seat != 0 || player != "level:3" {
		t.Fatalf("seat %v thinks as %q: %v", seat, player, ok)
	}
	if _, _, ok := r.Deadline(); ok {
		t.Error("a clock runs for a bot")
	}
	r.refuses("table.no-clock", Timeout{})
	r.turn(rng) // the bot's turn
	if _, seat, ok := r.Deadline(); !ok || seat != 1 {
		t.Error("nobody's clock runs, though two people are at the table")
	}
	r.do(Return{somebody(0)})
	if got := r.now.chairs[0].bank; got != length(Paces()[0].Back) {
		t.Errorf("who returns has %d left", got)
	}
	r.turn(rng)
	r.turn(rng)
	if _, seat, ok := r.Deadline(); !ok || seat != 0 {
		t.Error("the clock of who returned does not run")
	}
}

// Under judgement 2 nobody gains by leaving.
func TestOneReturnsWithTheBankOneLeftWith(t *testing.T) {
	r := begun(t, settings("tiny", 3), 3)
	r.wait(Paces()[0].Bank - 5*time.Second).do(Leave{somebody(0)})
	r.wait(time.Hour).do(Return{somebody(0)})
	if got := r.now.chairs[0].bank; got != length(5*time.Second) {
		t.Errorf("who left with 5 seconds returns with %d", got)
	}
	if until, seat, ok := r.Deadline(); !ok || seat != 0 || until != r.clk+length(5*time.Second) {
		t.Errorf("seat %v has until %d", seat, until)
	}
}

func TestWhoRanOutHasTimeAgainWhenTheTurnIsOver(t *testing.T) {
	rng := newRand(1, 7)
	back := length(Paces()[0].Back)
	out := func() *rig {
		r := begun(t, settings("tiny", 3), 3)
		until, _, _ := r.Deadline()
		r.clk = until
		r.do(Timeout{})
		return r
	}
	r := out()
	r.refuses("table.ran-out", Return{somebody(0)}) // else the time would run out again at once
	r.turn(rng)                                     // the stand-in's turn
	if got := r.now.chairs[0].bank; got != back {
		t.Errorf("after the turn %d are left", got)
	}
	r.do(Return{somebody(0)})
	if got := r.now.chairs[0].bank; got != back {
		t.Errorf("who returns has %d left", got)
	}
	r.do(Leave{somebody(0)})
	r.do(Return{somebody(0)})
	r.turn(rng)
	r.turn(rng)
	if until, seat, ok := r.Deadline(); !ok || seat != 0 || until != r.clk+back {
		t.Errorf("the next turn of seat %v has until %d", seat, until)
	}

	r = out() // a person who comes back by moving keeps the seat, and gets no time for it
	r.move(rng)
	r = out()
	r.do(Play{Person: somebody(0), After: r.Last(), Moves: r.now.pos.Moves()[:1]})
	for r.now.toAct() == 0 {
		r.move(rng)
	}
	if got := r.now.chairs[0].bank; got != max(back, length(Paces()[0].Gain)) {
		t.Errorf("who moved after the time had run out begins the next turn with %d", got)
	}

	r = out() // a seat at which nobody plays can be returned to
	r.do(Leave{somebody(1)})
	r.do(Leave{somebody(2)})
	r.do(Return{somebody(0)})

	r = begun(t, settings("tiny", 3), 3) // a person who leaves when the time is over has run out as well
	r.wait(time.Hour).do(Leave{somebody(0)})
	r.turn(rng)
	if got := r.now.chairs[0].bank; got != back {
		t.Errorf("who left too late has %d left", got)
	}
}

// A person who ran out, and ends the turn by a move of their own, begins the next
// one with what the turn has earned or what the pace gives back, whichever is more:
// at the pace of days a turn earns more.
func TestWhoRanOutLosesNothingThatWasEarned(t *testing.T) {
	rng := newRand(1, 10)
	for _, pace := range Paces() {
		set := settings("tiny", 3)
		set.Pace = pace.Name
		r := begun(t, set, 3)
		r.clk, _, _ = r.Deadline()
		r.do(Timeout{})
		r.do(Play{Person: somebody(0), After: r.Last(), Moves: r.now.pos.Moves()[:1]})
		for r.now.toAct() == 0 {
			r.move(rng)
		}
		if got := r.now.chairs[0].bank; got != length(max(pace.Back, pace.Gain)) {
			t.Errorf("%s: the next turn begins with %d", pace.Name, got)
		}
	}
}

// A step back to another turn also ends the turn in which somebody ran out.
func TestAfterAStepBackWhoRanOutHasTimeAgain(t *testing.T) {
	rng := newRand(1, 8)
	r := begun(t, settings("bosk", 2), 2)
	r.turn(rng)
	r.turn(rng)
	r.wait(time.Hour).do(Timeout{}) // seat 0 in its second turn
	r.do(TakeBack{somebody(1), -1}) // to the first turn of seat 1
	if got := r.now.chairs[0].bank; got != 0 {
		t.Errorf("%d are left before it is granted", got)
	}
	r.do(Answer{somebody(0), Undo, true})
	if got := r.now.chairs[0].bank; got != length(Paces()[0].Back) {
		t.Errorf("%d are left", got)
	}
}

func TestNoClockRunsWhileTheServerIsAway(t *testing.T) {
	rng := newRand(1, 9)
	r := begun(t, settings("bosk", 2), 2)
	bank := length(Paces()[0].Bank)
	r.wait(5 * time.Minute)
	gone := r.clk
	r.wait(20 * time.Minute)
	skip := Skip{[]Outage{{gone, r.clk}}}
	r.wait(time.Second)
	r.wantKinds(r.do(skip), ServerAway)
	if e := r.entry(r.Len() - 1); e.From != gone || e.At != r.clk-1000 {
		t.Errorf("it was away from %d to %d", e.From, e.At)
	}
	if until, _, _ := r.Deadline(); until != r.clk-1000+bank-length(5*time.Minute) {
		t.Errorf("the time is up at %d", until)
	}
	r.refuses("table.time", Timeout{})
	r.wantKinds(r.do(skip)) // a second time changes nothing
	r.turn(rng)
	if got := r.now.chairs[0].bank; got != bank-length(5*time.Minute+time.Second)+length(Paces()[0].Gain) {
		t.Errorf("%d are left", got)
	}
	r.wantKinds(r.do(Skip{[]Outage{{gone, gone + 1}}})) // an outage of long ago

	// Several outages at once: the first began before the last entry, and the last
	// is not over yet.
	at := r.clk
	r.wait(time.Minute)
	r.do(Skip{[]Outage{{at - 5000, at + 5000}, {at + 10_000, at + 20_000}, {at + 59_000, at + 90_000}}})
	if got := r.now.chairs[1].bank; got != bank-length(44*time.Second) {
		t.Errorf("%d are left", got)
	}
	if from := r.entry(r.Len() - 3).From; from != at {
		t.Errorf("the first is since %d", from)
	}
	if !reflect.DeepEqual(r.again(), r.Table) {
		t.Error("opened again it is another table")
	}
	// Of too many outages the earliest become one, to nobody's disadvantage.
	at = r.clk
	var many []Outage
	for n := range Time(100) {
		many = append(many, Outage{at + n*20_000, at + n*20_000 + 16_000})
	}
	r.wait(time.Hour)
	if got := len(r.do(Skip{many})); got != mostOutages {
		t.Errorf("of 100 outages %d entries came", got)
	}
	if from := r.entry(r.Len() - mostOutages).From; from != at {
		t.Errorf("the first of them is since %d", from)
	}
}

// An outage that makes no difference is no entry.
func TestAnOutageWhereNoClockRunsIsNoEntry(t *testing.T) {
	outage := func(r *rig) Command {
		r.wait(time.Hour)
		return Skip{[]Outage{{r.clk - length(30*time.Minute), r.clk}}}
	}
	r := open(t, settings("tiny", 2))
	r.wantKinds(r.do(outage(r)))
	r = begun(t, settings("tiny", 2), 1) // a person who plays alone
	r.wantKinds(r.do(outage(r)))
	r = begun(t, settings("tiny", 2), 2)
	r.do(Suggest{somebody(0), Pause})
	r.do(Answer{somebody(1), Pause, true})
	r.wantKinds(r.do(outage(r)))
	r = begunUnder(t, 1, settings("tiny", 2), 2) // judgement 1 knows no outages
	r.wantKinds(r.do(outage(r)))
	r.do(Timeout{})
	if _, err := r.Apply(Entry{At: r.clk + 9, Do: ServerAway, Seat: game.None, From: r.clk}); keyOf(err) != "table.log.impossible" {
		t.Errorf("under judgement 1 it is answered by %v", err)
	}
	r = begun(t, settings("tiny", 2), 2)
	r.do(Leave{somebody(0)}) // they are asked for some minutes, and an outage is not counted among those
	until := r.now.chairs[0].asked
	r.wait(time.Minute)
	r.wantKinds(r.do(Skip{[]Outage{{r.clk - 1000, r.clk}}}), ServerAway)
	if got := r.now.chairs[0].asked; got != until+1000 {
		t.Errorf("who is away is asked until %d, not %d", got, until+1000)
	}
	r.clk = r.now.chairs[0].asked
	r.wantKinds(r.do(Skip{[]Outage{{r.clk, r.clk + 1000}}}))
}

func TestAnOutageStandsOnlyWhereItCan(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	now := r.At()
	for what, e := range map[string]Entry{
		"before the last entry":  {At: now + 10, From: now - 1},
		"without length":         {At: now + 10, From: now + 10},
		"backwards":              {At: now + 10, From: now + 11},
		"before the time itself": {At: now - 1, From: now - 5},
	} {
		e.Do, e.Seat = ServerAway, game.None
		if _, err := r.Apply(e); err == nil {
			t.Errorf("an outage %s is taken", what)
		}
	}
	lobby := open(t, settings("tiny", 2))
	if _, err := lobby.Apply(Entry{At: now + 9, Do: ServerAway, Seat: game.None, From: now + 1}); keyOf(err) != "table.log.impossible" {
		t.Errorf("an outage before the game is answered by %v", err)
	}
	if _, err := r.Apply(Entry{At: now + 10, Do: ServerAway, Seat: game.None, From: now}); err != nil {
		t.Errorf("an outage is answered by %v", err)
	}
}

func TestALengthOfTimeIsToldInItsUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "1 seconds", 16 * time.Second: "16 seconds", 119 * time.Second: "119 seconds", 2 * time.Minute: "2 minutes",
		20*time.Minute + 29*time.Second: "20 minutes", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours",
		48 * time.Hour: "2 days", 60 * time.Hour: "3 days",
	} {
		if unit, n := span(length(d)); fmt.Sprint(n, " ", unit) != want {
			t.Errorf("%v is told as %d %s, want %s", d, n, unit, want)
		}
	}
}

func TestAMoveAfterTheDeadlineIsInTimeUntilSomebodyNotices(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	r.wait(time.Hour).move(newRand(1, 4))
	if r.now.chairs[0].holder != Human {
		t.Error("the seat is handed over")
	}
}

func TestWhoPlaysWithBotsAloneHasNoClock(t *testing.T) {
	r := begun(t, settings("tiny", 3), 1)
	if _, _, ok := r.Deadline(); ok {
		t.Error("a clock runs while nobody waits")
	}
	r.wait(10 * time.Hour).do(Sit{somebody(7), 1, nonce(7), ""})
	until, seat, ok := r.Deadline()
	if !ok || seat != 0 || until != r.clk+length(Paces()[0].Bank) {
		t.Errorf("somebody sits down and waits: seat %v has until %d, %v", seat, until, ok)
	}
}

func TestAPausedTablesClocksStand(t *testing.T) {
	rng := newRand(1, 5)
	r := begun(t, settings("tiny", 2), 2)
	r.wait(time.Minute).do(Suggest{somebody(1), Pause})
	r.do(Answer{somebody(0), Pause, true})
	left := r.now.chairs[0].bank
	if _, _, ok := r.Deadline(); ok {
		t.Error("a clock runs")
	}
	moves := r.now.pos.Moves()
	r.refuses("table.paused", r.command(moves[0]))
	r.wait(50 * time.Hour).do(Resume{somebody(1)})
	if got := r.now.chairs[0].bank; got != left {
		t.Errorf("%d are left of %d", got, left)
	}
	if until, _, _ := r.Deadline(); until != r.clk+left {
		t.Errorf("the time is up at %d", until)
	}
	r.move(rng)
}

func TestInDaysNoClockRunsAtNight(t *testing.T) {
	set := settings("tiny", 2)
	set.Pace, set.Night = Days, Night{From: 20 * 60, To: 6 * 60}
	r := begun(t, set, 2) // at 8:00: 12 hours are left of this day, then 14 of each
	until, _, _ := r.Deadline()
	bank := 3 * 24
	days, rest := (bank-12)/14, (bank-12)%14 // whole days after the first, and hours of the last
	want := dawn + Time(days)*day + 22*60*minute + Time(rest)*60*minute
	if until != want {
		t.Errorf("72 hours from 8:00 are over at %v, want %v", time.UnixMilli(int64(until)).UTC(), time.UnixMilli(int64(want)).UTC())
	}
	r.clk = want - 1
	r.refuses("table.time", Timeout{})
	r.clk = want
	r.do(Timeout{})
}

func TestOnlyAPaceOfDaysHasNights(t *testing.T) {
	for _, c := range []struct {
		pace  string
		night Night
		key   string
	}{
		{Days, Night{0, 0}, ""}, {Days, Night{1260, 420}, ""}, {Days, Night{0, 961}, "table.night"}, {Days, Night{-1, 5}, "table.night"},
		{Days, Night{5, 1440}, "table.night"}, {Live, Night{1, 2}, "table.night.pace"}, {Evening, Night{1, 2}, "table.night.pace"},
	} {
		set := settings("tiny", 2)
		set.Pace, set.Night = c.pace, c.night
		if _, _, err := Create(shelf, set, Secret{}, dawn); keyOf(err) != c.key {
			t.Errorf("%s with a night %v: %v, want %q", c.pace, c.night, err, c.key)
		}
	}
}

func TestTimeNeverRunsBackwards(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	r.clk -= length(time.Hour) // the clock of the machine was set back
	r.move(newRand(1, 6))
	if last := r.entry(r.Len() - 1).At; last != dawn {
		t.Errorf("the entry is of %d", last)
	}
	e := Entry{At: dawn - 1, Do: Left, Seat: game.Seat(0)}
	if _, err := r.Apply(e); keyOf(err) != "table.log.time" {
		t.Errorf("an older entry is answered by %v", err)
	}
}

func TestATableToWhichNobodyComesIsClosed(t *testing.T) {
	r := open(t, settings("tiny", 2))
	r.do(Sit{somebody(0), 0, nonce(0), ""})
	r.wait(Paces()[0].Wait-time.Millisecond).refuses("table.in-use", Close{})
	r.wait(time.Millisecond).do(Close{})
	if !r.Over() || r.now.why != Abandoned {
		t.Error("it is not over")
	}
	r.refuses("table.over", Sit{somebody(1), 1, nonce(1), ""})

	r = begun(t, settings("tiny", 2), 2)
	r.wait(2*staleGame).refuses("table.in-use", Close{}) // somebody waits: their clock settles it
	r.do(Timeout{})
	r.wait(staleGame-time.Millisecond).refuses("table.in-use", Close{})
	r.wait(time.Millisecond).do(Close{})
}
