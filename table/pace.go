package table

import (
	"time"

	"copse/game"
)

// The paces by their names on the wire, for ever.
const (
	Live    = "live"    // at once, everyone at the table
	Evening = "evening" // a game for an evening, with time for tea
	Days    = "days"    // a turn now and then, over days
	Own     = "own"     // bank and gain as the settings say
)

// Pace is how much time a seat has. Every seat begins with a bank; thinking
// spends it, and each turn that ends adds a gain to it.
type Pace struct {
	Name string
	Bank time.Duration // at the beginning
	Gain time.Duration // for every turn
	Most time.Duration // what the bank never grows beyond
	Back time.Duration // what is in the bank after the turn in which it ran out; under judgement 1, what a person who returns has at least
	Wait time.Duration // how long a table waits for people before the game

	// Patience is how long a person who is away is asked like the others when the
	// game is to go back, counted from when they left.
	Patience time.Duration

	Rest bool // no clock runs at night
	Near bool // everyone is expected to stay at the table: who is out of reach for some minutes is played for
}

// Paces are the paces that have a name, from the quickest to the slowest. Own is
// none of them: its figures are the table's.
func Paces() []Pace {
	const hour, day = time.Hour, 24 * time.Hour
	return []Pace{
		{Name: Live, Bank: 10 * time.Minute, Gain: 30 * time.Second, Most: 15 * time.Minute, Back: time.Minute, Wait: day, Patience: 10 * time.Minute, Near: true},
		{Name: Evening, Bank: hour, Gain: 2 * time.Minute, Most: 90 * time.Minute, Back: 10 * time.Minute, Wait: 7 * day, Patience: hour},
		{Name: Days, Bank: 3 * day, Gain: day, Most: 5 * day, Back: 12 * hour, Wait: 30 * day, Patience: 3 * day, Rest: true},
	}
}

// The limits of a pace of one's own. They may grow and never shrink: a log within
// them must stay one.
const (
	LeastBank = time.Minute
	MostBank  = 14 * 24 * time.Hour
	MostGain  = 7 * 24 * time.Hour

	NearBelow = time.Hour      // bank and gain of a table that is played at once
	RestFrom  = 24 * time.Hour // bank and gain of a table that is played over days
)

// OwnPace is the pace of a table that chose bank and gain itself. The rest follows
// from these two, as it would for the paces that have a name.
func OwnPace(bank, gain time.Duration) Pace {
	const day = 24 * time.Hour
	p := Pace{
		Name: Own, Bank: bank, Gain: gain,
		Most:     bank + max(bank/2, 2*gain),
		Back:     max(bank/10, gain/2, 30*time.Second).Truncate(time.Second),
		Patience: min(max(bank, gain, 5*time.Minute), 3*day),
		Wait:     7 * day,
	}
	switch whole := bank + gain; {
	case whole < NearBelow:
		p.Wait, p.Near = day, true
	case whole >= RestFrom:
		p.Wait, p.Rest = 30*day, true
	}
	return p
}

// Times is how much time a seat has by these settings.
func (set *Settings) Times() Pace {
	if set.Pace == Own {
		return OwnPace(set.Bank.duration(), set.Gain.duration())
	}
	pace, _ := paceOf(set.Pace)
	return pace
}

// checkPace is nil where there is such a pace. A pace that has a name brings its
// own figures; whole seconds are enough for everybody.
func (set *Settings) checkPace() error {
	whole := func(t Time) bool { return t%second == 0 }
	switch {
	case set.Pace != Own && (set.Bank != 0 || set.Gain != 0):
		return game.Blame("table.pace.named", game.Args{"pace": set.Pace})
	case set.Pace != Own:
		return nil
	case set.Bank < length(LeastBank) || set.Bank > length(MostBank) || !whole(set.Bank):
		return game.Blame("table.bank", game.Args{"minutes": int(LeastBank / time.Minute), "days": int(MostBank / (24 * time.Hour))})
	case set.Gain < 0 || set.Gain > length(MostGain) || !whole(set.Gain):
		return game.Blame("table.step", game.Args{"days": int(MostGain / (24 * time.Hour))})
	}
	return nil
}

// PaceNames are the names of all paces on the wire, for ever.
func PaceNames() []string {
	var names []string
	for _, p := range Paces() {
		names = append(names, p.Name)
	}
	return append(names, Own)
}

// paceOf is the pace of that name.
func paceOf(name string) (Pace, bool) {
	for _, p := range Paces() {
		if p.Name == name {
			return p, true
		}
	}
	return Pace{}, false
}
