package table

import "time"

// The paces by their names on the wire, for ever.
const (
	Live    = "live"    // at once, everyone at the table
	Evening = "evening" // a game for an evening, with time for tea
	Days    = "days"    // a turn now and then, over days
)

// Pace is how much time a seat has. Every seat begins with a bank; thinking
// spends it, and each turn that ends adds a step to it.
type Pace struct {
	Name string
	Bank time.Duration // at the beginning
	Step time.Duration // for every turn
	Most time.Duration // what the bank never grows beyond
	Back time.Duration // what is in the bank after the turn in which it ran out; under judgement 1, what a person who returns has at least
	Wait time.Duration // how long a table waits for people before the game

	// Patience is how long a person who is away is asked like the others when the
	// game is to go back, counted from when they left.
	Patience time.Duration

	Rest bool // no clock runs at night
}

// Paces are the paces there are, from the quickest to the slowest.
func Paces() []Pace {
	const hour, day = time.Hour, 24 * time.Hour
	return []Pace{
		{Name: Live, Bank: 10 * time.Minute, Step: 30 * time.Second, Most: 15 * time.Minute, Back: time.Minute, Wait: day, Patience: 10 * time.Minute},
		{Name: Evening, Bank: hour, Step: 2 * time.Minute, Most: 90 * time.Minute, Back: 10 * time.Minute, Wait: 7 * day, Patience: hour},
		{Name: Days, Bank: 3 * day, Step: day, Most: 5 * day, Back: 12 * hour, Wait: 30 * day, Patience: 3 * day, Rest: true},
	}
}

// paceNames are the names of all paces.
func paceNames() []string {
	var names []string
	for _, p := range Paces() {
		names = append(names, p.Name)
	}
	return names
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
