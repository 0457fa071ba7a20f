package table

import (
	"fmt"
	"testing"
	"time"
)

const wholeDay = 24 * time.Hour

// own are settings with a pace of their own.
func own(seats int, bank, step time.Duration) Settings {
	set := settings("tiny", seats)
	set.Pace, set.Bank, set.Gain = Own, length(bank), length(step)
	return set
}

// What follows from bank and step is what the paces with a name have, but for what
// is given back in an evening, which is rounder than that.
func TestAPaceOfOnesOwnIsLikeTheOthers(t *testing.T) {
	for _, named := range Paces() {
		derived := OwnPace(named.Bank, named.Gain)
		derived.Name = named.Name
		if named.Name == Evening {
			if derived.Back != 6*time.Minute {
				t.Errorf("an evening would give %s back", derived.Back)
			}
			derived.Back = named.Back
		}
		if derived != named {
			t.Errorf("%s would be\n%+v\nand is\n%+v", named.Name, derived, named)
		}
	}
}

func TestWhatFollowsFromBankAndGain(t *testing.T) {
	for _, want := range []Pace{
		{Bank: time.Minute, Gain: 0, Most: 90 * time.Second, Back: 30 * time.Second, Wait: wholeDay, Patience: 5 * time.Minute, Near: true},
		{Bank: 59 * time.Minute, Gain: 59 * time.Second, Most: 5310 * time.Second, Back: 354 * time.Second, Wait: wholeDay, Patience: 59 * time.Minute, Near: true},
		{Bank: 59 * time.Minute, Gain: time.Minute, Most: 5310 * time.Second, Back: 354 * time.Second, Wait: 7 * wholeDay, Patience: 59 * time.Minute},
		{Bank: time.Minute, Gain: wholeDay - time.Minute - time.Second, Most: 2*wholeDay - time.Minute - 2*time.Second, Back: 43169 * time.Second, Wait: 7 * wholeDay, Patience: wholeDay - 61*time.Second},
		{Bank: 12 * time.Hour, Gain: 12 * time.Hour, Most: 36 * time.Hour, Back: 6 * time.Hour, Wait: 30 * wholeDay, Patience: 12 * time.Hour, Rest: true},
		{Bank: MostBank, Gain: MostGain, Most: 28 * wholeDay, Back: 84 * time.Hour, Wait: 30 * wholeDay, Patience: 3 * wholeDay, Rest: true},
	} {
		want.Name = Own
		if got := OwnPace(want.Bank, want.Gain); got != want {
			t.Errorf("%s and %s make\n%+v, want\n%+v", want.Bank, want.Gain, got, want)
		}
	}
}

// The clocks of a table go by its own figures, and so does a table that is read
// again from its log.
func TestClocksGoByBankAndGain(t *testing.T) {
	r := begun(t, own(2, 3*time.Minute, 20*time.Second), 2)
	if until, _, ok := r.Deadline(); !ok || until != r.At()+3*minute {
		t.Fatalf("the first clock runs out at %d", until)
	}
	r.wait(time.Minute).turn(newRand(1, 1))
	if got := r.now.chairs[0].bank; got != 2*minute+20*second {
		t.Errorf("after a minute's turn there is %d left", got)
	}
	again := r.again()
	if until, _, _ := again.Deadline(); until != r.At()+3*minute || string(again.Settings().Append(nil)) != string(r.Settings().Append(nil)) {
		t.Errorf("read again, it is %+v until %d", again.Settings(), until)
	}
	r.clk = r.At() + 3*minute
	r.do(Timeout{})
	r.turn(newRand(1, 2))
	if got := r.now.chairs[1].bank; got != 30*second {
		t.Errorf("who ran out has %d back", got)
	}
}

func TestOnlyAPaceOfOnesOwnHasBankAndGain(t *testing.T) {
	for text, want := range map[string]string{
		`"pace":"own","bank":600000,"step":30000`:         "",
		`"pace":"own","bank":60000,"step":0`:              "",
		`"pace":"own","bank":1209600000,"step":604800000`: "",
		`"pace":"own"`:                                                 "json.missing",
		`"pace":"own","bank":600000`:                                   "json.missing",
		`"pace":"own","step":1000`:                                     "json.missing",
		`"pace":"own","bank":"5 min","step":1000`:                      "json.number",
		`"pace":"own","bank":59000,"step":0`:                           "table.bank",
		`"pace":"own","bank":1209601000,"step":0`:                      "table.bank",
		`"pace":"own","bank":60500,"step":0`:                           "table.bank",
		`"pace":"own","bank":-600000,"step":0`:                         "table.bank",
		`"pace":"own","bank":60000,"step":-1000`:                       "table.step",
		`"pace":"own","bank":60000,"step":1`:                           "table.step",
		`"pace":"own","bank":60000,"step":604801000`:                   "table.step",
		`"pace":"live","bank":600000`:                                  "table.pace.named",
		`"step":30000`:                                                 "table.pace.named",
		`"pace":"live","bank":0`:                                       "table.pace.named",
		`"pace":"days","step":0`:                                       "table.pace.named",
		`"pace":"fast","bank":600000`:                                  "table.setting",
		`"pace":"days","bank":600000,"step":30000`:                     "table.pace.named",
		`"pace":"own","bank":600000,"step":30000,"night":[0,60]`:       "table.night.pace",
		`"pace":"own","bank":600000,"step":30000,"zone":"Europe/Rome"`: "table.night.pace",
		`"pace":"own","bank":86400000,"step":0,"night":[0,60]`:         "",
	} {
		set, err := ReadSettings(fmt.Appendf(nil, `{"game":"tiny","seats":2,%s}`, text))
		if err == nil {
			_, _, err = Create(shelf, set, Secret{}, dawn)
		}
		if keyOf(err) != want {
			t.Errorf("%s is answered by %v, want %q", text, err, want)
		}
	}
}

// A slow table has nights unless it says otherwise, a quick one has none.
func TestASlowPaceOfOnesOwnHasNights(t *testing.T) {
	for text, want := range map[string]Night{
		`"bank":86400000,"step":0`:                 usualNight(),
		`"bank":86399000,"step":0`:                 {},
		`"bank":43200000,"step":43200000`:          usualNight(),
		`"bank":86400000,"step":0,"night":[0,0]`:   {},
		`"bank":86400000,"step":0,"night":[60,90]`: {60, 90},
	} {
		set, err := ReadSettings(fmt.Appendf(nil, `{"game":"tiny","seats":2,"pace":"own",%s}`, text))
		if err != nil || set.Night != want {
			t.Errorf("%s has the night %v, %v", text, set.Night, err)
		}
	}
}

// A rematch is played at the same pace.
func TestARematchKeepsBankAndGain(t *testing.T) {
	r := begun(t, own(2, 3*time.Minute, 20*time.Second), 2)
	r.do(Resign{somebody(0)})
	set, _, err := r.Rematch()
	if err != nil || set.Bank != 3*minute || set.Gain != 20*second || set.Pace != Own {
		t.Errorf("it has %+v, %v", set, err)
	}
}

// A log whose settings say bank and step where nobody may is none.
func TestALogKeepsToThePaceToo(t *testing.T) {
	for _, set := range []Settings{own(2, time.Second, 0), own(2, time.Minute, -time.Second), own(2, time.Minute, MostGain+time.Second)} {
		set.Version, set.Judgement, set.Options, set.usualTakeOver = 1, NewestJudgement, []byte("{}"), false
		e := Entry{At: dawn, Do: Opened, Seat: -1, Settings: &set, Commitment: Commitment(Secret{}, set.Append(nil))}
		if _, err := Open(shelf, Keep{}, [][]byte{e.Append(nil)}); err == nil {
			t.Errorf("%s is taken", set.Append(nil))
		}
	}
}
