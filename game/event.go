package game

// Event is something that happened, for its audience: a key with arguments that the
// locale files turn into a sentence.
type Event struct {
	Key  string   `json:"key"`
	Args Args     `json:"args"`
	To   Audience `json:"to"`
}

// Audience is the set of those who hear an event.
type Audience uint8

// Everyone is every seat and every watcher.
const Everyone Audience = 0xFF

const watchers Audience = 1 << 7

// Only is an audience of one: a seat, or all watchers. Chance and None hear
// nothing.
func Only(seat Seat) Audience {
	switch {
	case seat == Watcher:
		return watchers
	case seat < 0:
		return 0
	}
	return 1 << seat
}

// But is everyone except one seat.
func But(seat Seat) Audience { return Everyone &^ Only(seat) }

// at is the part of the audience that a table of so many seats has.
func (a Audience) at(seats int) Audience {
	if a == Everyone {
		return a
	}
	return a & (1<<seats - 1 | watchers)
}

// Has tells whether the audience has a seat, or watchers.
func (a Audience) Has(seat Seat) bool { return a&Only(seat) != 0 }

// JSON writes "all" or the list of seats.
func (a Audience) JSON() ([]byte, error) {
	if a == Everyone {
		return []byte(`"all"`), nil
	}
	list := []Seat{}
	for seat := range Seat(MaxSeats) {
		if a.Has(seat) {
			list = append(list, seat)
		}
	}
	if a.Has(Watcher) {
		list = append(list, Watcher)
	}
	return Marshal(list)
}

// MarshalJSON is JSON for encoding/json.
func (a Audience) MarshalJSON() ([]byte, error) { return a.JSON() }

// Log collects what happens while moves are played. Rules build the arguments of an
// event only where there is a log.
type Log struct {
	Events []Event
}

// Tell tells everyone.
func (l *Log) Tell(key string, args Args) { l.TellTo(Everyone, key, args) }

// TellTo tells only an audience.
func (l *Log) TellTo(to Audience, key string, args Args) {
	if args == nil {
		args = Args{}
	}
	l.Events = append(l.Events, Event{Key: key, Args: args, To: to})
}

// HeardBy are the events that seat may hear.
func (l *Log) HeardBy(seat Seat) []Event {
	heard := []Event{}
	for _, e := range l.Events {
		if e.To.Has(seat) {
			heard = append(heard, e)
		}
	}
	return heard
}
