package table

import "copse/game"

// Night is when no clock runs, in minutes of the day: of UTC, or of the place that
// the table's Shifts tell of. It may begin before midnight and end after it.
// Without a night From and To are the same.
type Night struct {
	From int
	To   int
}

// The longest night, so that a clock runs for some hours every day. A table that
// names none has the usual one: from 21:00 to 7:00.
const (
	longestNight = 16 * 60
	dayMinutes   = 24 * 60
)

func usualNight() Night { return Night{From: 21 * 60, To: 7 * 60} }

// minutes is how long the night lasts.
func (n Night) minutes() int { return (n.To - n.From + dayMinutes) % dayMinutes }

// check is nil where this can be a night of a table.
func (n Night) check() error {
	if n.From < 0 || n.From >= dayMinutes || n.To < 0 || n.To >= dayMinutes || n.minutes() > longestNight {
		return game.Blame("table.night", game.Args{"most": longestNight / 60})
	}
	return nil
}

// waking is how much of a day is not night.
func (n Night) waking() Time { return day - Time(n.minutes())*minute }

// awake is how much of the time between the beginning of 1970 and t was not night.
func (n Night) awake(t Time) Time {
	days, now := t/day, t%day
	from, to := Time(n.From)*minute, Time(n.To)*minute
	slept := min(max(now-from, 0), max(to-from, 0))
	if from > to { // over midnight
		slept = min(now, to) + max(now-from, 0)
	}
	return days*n.waking() + now - slept
}

// spent is how much of the time between two moments was not night.
func (n Night) spent(from, to Time) Time { return n.awake(to) - n.awake(from) }

// after is the first moment at which so much time has been spent since from.
func (n Night) after(from, left Time) Time {
	if left <= 0 {
		return from
	}
	total := n.awake(from) + left - 1 // the last moment but one, so that the result never falls on the end of a night
	days, now := total/n.waking(), total%n.waking()
	begins, ends := Time(n.From)*minute, Time(n.To)*minute
	switch {
	case begins > ends: // the day lies between the end of one night and the beginning of the next
		now += ends
	case now >= begins:
		now += ends - begins
	}
	return days*day + now + 1
}
