package table

import (
	"testing"
	"time"

	"copse/game"
)

// What the formulas of Night say is what comes of looking at the clock every
// minute.
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
	if got, want := r.now.places[0].bank, length(pace.Bank-2*time.Minute+pace.Step); got != want {
		t.Errorf("after two minutes %d are left, want %d", got, want)
	}
	if _, seat, _ := r.Deadline(); seat != 1 {
		t.Errorf("the clock of seat %v runs", seat)
	}
	if got := r.now.places[1].bank; got != length(pace.Bank) {
		t.Errorf("who waits has %d left", got)
	}
	for range 12 { // quick turns fill the bank, but not beyond its brim
		r.turn(rng)
		r.turn(rng)
	}
	if got := r.now.places[1].bank; got != length(pace.Bank)+13*length(pace.Step) && got != length(pace.Most) {
		t.Errorf("%d are left", got)
	}
}

func TestASeatWhoseTimeRunsOutIsPlayedByABotAndGivenBack(t *testing.T) {
	rng := newRand(1, 3)
	r := begun(t, settings("tiny", 3), 3)
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
	r.turn(rng) // the bot's
	if _, seat, ok := r.Deadline(); !ok || seat != 1 {
		t.Error("nobody's clock runs, though two people are at the table")
	}
	r.do(Return{somebody(0)})
	if got := r.now.places[0].bank; got != length(Paces()[0].Back) {
		t.Errorf("who returns has %d left", got)
	}
	r.turn(rng)
	r.turn(rng)
	if _, seat, ok := r.Deadline(); !ok || seat != 0 {
		t.Error("the clock of who returned does not run")
	}
}

func TestAMoveAfterTheDeadlineIsInTimeUntilSomebodyNotices(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	r.wait(time.Hour).move(newRand(1, 4))
	if r.now.places[0].holder != Human {
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
	left := r.now.places[0].bank
	if _, _, ok := r.Deadline(); ok {
		t.Error("a clock runs")
	}
	moves := r.now.pos.Moves()
	r.refuses("table.paused", r.command(moves[0]))
	r.wait(50 * time.Hour).do(Resume{somebody(1)})
	if got := r.now.places[0].bank; got != left {
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
	r.wait(2*staleGame).refuses("table.in-use", Close{}) // somebody waits: the clock settles it
	r.do(Timeout{})
	r.wait(staleGame-time.Millisecond).refuses("table.in-use", Close{})
	r.wait(time.Millisecond).do(Close{})
}
