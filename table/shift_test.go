package table

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// TestNightsFollowTheClocksOfAPlace compares shifts with looking at the clocks of
// the place every minute, also across the nights in which they are changed.
func TestNightsFollowTheClocksOfAPlace(t *testing.T) {
	place, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	spring, autumn := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC), time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC)
	shifts := Shifts{60, int(spring.Unix() / 60), 120, int(autumn.Unix() / 60), 60}
	if err := shifts.check(); err != nil {
		t.Fatal(err)
	}
	rng := newRand(1, 9)
	for _, n := range []Night{{1320, 480}, {150, 170}, {120, 180}, {0, 480}, {1380, 150}} {
		r := nights{n, shifts}
		asleep := func(at Time) bool {
			here := time.UnixMilli(int64(at)).In(place)
			m := here.Hour()*60 + here.Minute()
			if n.From <= n.To {
				return m >= n.From && m < n.To
			}
			return m >= n.From || m < n.To
		}
		for _, change := range []time.Time{spring, autumn, spring.AddDate(0, 0, 40), spring.AddDate(0, -1, 0)} {
			for range 12 {
				from := At(change) - Time(rng.Int64N(int64(2*day/minute)))*minute
				to := from + Time(rng.Int64N(int64(4*day/minute)))*minute
				spent := Time(0)
				for at := from; at < to; at += minute {
					if !asleep(at) {
						spent += minute
					}
				}
				if got := r.spent(from, to); got != spent {
					t.Fatalf("%v: from %d to %d %d are spent, not %d", n, from, to, spent, got)
				}
				until := r.after(from, spent)
				if r.spent(from, until) != spent || until > to || spent > 0 && r.spent(from, until-1) != spent-1 {
					t.Fatalf("%v: %d from %d on are over at %d, of which %d are spent", n, spent, from, until, r.spent(from, until))
				}
			}
		}
	}
}

func TestShiftsThatCannotBe(t *testing.T) {
	for _, s := range []Shifts{{60, 1}, {1081}, {-1081}, {0, 0, 60}, {0, -5, 60}, {0, 10, 60, 10, 0}, {0, 10, 60, 9, 0}, make(Shifts, 35)} {
		set := settings("tiny", 2)
		set.Pace, set.Night, set.Shifts = Days, usualNight(), s
		if _, _, err := Create(shelf, set, Secret{}, dawn); keyOf(err) != "table.shifts" {
			t.Errorf("%v: %v", s, err)
		}
	}
	set := settings("tiny", 2)
	set.Shifts = Shifts{60}
	if _, _, err := Create(shelf, set, Secret{}, dawn); keyOf(err) != "table.night.pace" {
		t.Errorf("shifts without nights: %v", err)
	}
}

func TestWhoIsSentAwayStaysAway(t *testing.T) {
	r := open(t, settings("tiny", 3))
	for n := range 3 {
		r.do(Sit{somebody(n), -1, nonce(n), ""})
	}
	r.refuses("table.host", Kick{somebody(1), 2})
	r.refuses("table.stranger", Kick{somebody(7), 2})
	r.refuses("table.host.self", Kick{somebody(0), 0})
	r.refuses("table.seat", Kick{somebody(0), 3})
	r.do(Kick{somebody(0), 1})
	if r.SeatOf(somebody(1)) >= 0 {
		t.Error("who was sent away still sits there")
	}
	r.refuses("table.nobody", Kick{somebody(0), 1})
	r.refuses("table.barred", Sit{somebody(1), 1, nonce(1), ""})
	r.do(SeatBot{somebody(0), 1, "level:1"})
	r.refuses("table.nobody", Kick{somebody(0), 1})
	r.do(Start{Person: somebody(0)})
	r.refuses("table.begun", Kick{somebody(0), 2})
	r.refuses("table.barred", Sit{somebody(1), 1, nonce(1), ""}) // nor at the seat of a bot
	r.refuses("table.invite", Sit{somebody(4), 1, nonce(4), ""})
	r.do(Sit{somebody(4), 1, nonce(4), r.Invite()})
}

// TestTheLinkIsRenewed: a person who was sent away does not come back as somebody
// else by the link they have, neither the first one nor one renewed since.
func TestTheLinkIsRenewed(t *testing.T) {
	r := open(t, settings("tiny", 3))
	for n := range 3 {
		r.do(Sit{somebody(n), -1, nonce(n), ""})
	}
	if r.Invite() != "" {
		t.Error("the link says more before anybody was sent away")
	}
	r.do(Kick{somebody(0), 1})
	first := r.Invite()
	for _, brought := range []string{"", "somebody", first[:len(first)-1]} {
		r.refuses("table.invite", Sit{somebody(4), 1, nonce(4), brought})
	}
	r.do(Sit{somebody(4), 1, nonce(4), first})
	r.do(Kick{somebody(0), 1})
	if r.Invite() == first {
		t.Error("the link is the same after somebody else was sent away")
	}
	r.refuses("table.invite", Sit{somebody(5), 1, nonce(5), first})
	r.refuses("table.barred", Sit{somebody(4), 1, nonce(4), first})
	if again := r.again(); again.Invite() != r.Invite() {
		t.Error("the link is another when the table is opened again")
	}
	r.do(Leave{somebody(2)})
	r.do(Sit{somebody(2), 1, nonce(2), r.Invite()})

	all := settings("tiny", 2)
	all.Visible = ForAll
	r = open(t, all)
	r.do(Sit{somebody(0), 0, nonce(0), ""})
	r.do(Sit{somebody(1), 1, nonce(1), ""})
	r.do(Kick{somebody(0), 1})
	if r.Invite() != "" {
		t.Error("a table that is open to all wants a link")
	}
	r.refuses("table.barred", Sit{somebody(1), 1, nonce(1), ""})
	r.do(Sit{somebody(2), 1, nonce(2), ""})
}
