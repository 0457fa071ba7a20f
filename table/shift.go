package table

import "copse/game"

// Shifts say how far the clocks of the place whose nights a table keeps are ahead
// of UTC: first the minutes at the beginning, then, for every change that was known
// when the table was set, the minute since 1970 at which it comes and the minutes
// from then on. The log has the shifts and not the name of a place: what is decided
// about summer time in later years changes no game that has begun, and whoever
// verifies it needs no list of zones. Without shifts the nights are those of UTC.
type Shifts []int

// The bounds of shifts: no clock is further from UTC, and no place has changed its
// clocks more often in the years that are looked ahead.
const (
	furthestShift = 18 * 60
	mostShifts    = 16
)

// check is nil where these can be the shifts of a table.
func (s Shifts) check() error {
	bad := len(s) > 0 && (len(s)%2 == 0 || len(s) > 1+2*mostShifts)
	for i, n := range s {
		if i%2 == 0 {
			bad = bad || n < -furthestShift || n > furthestShift
		} else {
			bad = bad || n <= 0 || Time(n) > latest/minute || i > 1 && n <= s[i-2]
		}
	}
	if bad {
		return game.Blame("table.shifts", nil)
	}
	return nil
}

// at is how far the clocks are ahead of UTC at a moment, and until when.
func (s Shifts) at(t Time) (ahead, until Time) {
	if len(s) == 0 {
		return 0, latest
	}
	ahead = Time(s[0]) * minute
	for i := 1; i < len(s); i += 2 {
		if from := Time(s[i]) * minute; t < from {
			return ahead, from
		}
		ahead = Time(s[i+1]) * minute
	}
	return ahead, latest
}

// nights are the times at which the clocks of a table do not run.
type nights struct {
	Night
	shifts Shifts
}

func (set *Settings) nights() nights { return nights{set.Night, set.Shifts} }

// spent is how much of the time between two moments was not night.
func (n nights) spent(from, to Time) (spent Time) {
	for from < to {
		ahead, until := n.shifts.at(from)
		until = min(until, to)
		if until <= from { // this was the last moment there is
			break
		}
		spent += n.Night.spent(from+ahead, until+ahead)
		from = until
	}
	return spent
}

// after is the first moment at which so much time has been spent since from.
func (n nights) after(from, left Time) Time {
	for {
		ahead, until := n.shifts.at(from)
		if until >= latest {
			return n.Night.after(from+ahead, left) - ahead
		}
		day := n.Night.spent(from+ahead, until+ahead)
		if left <= day {
			return n.Night.after(from+ahead, left) - ahead
		}
		from, left = until, left-day
	}
}
