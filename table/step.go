package table

import (
	"encoding/json"

	"copse/game"
)

// Step is an entry in force, ready to be told to those who may hear of it.
type Step struct {
	Number int
	Entry  Entry

	table  *Table
	raw    []byte // the entry as it is written; nil where it was not applied just now
	after  state
	events []game.Event // what the game tells of it, each event with its audience
	fresh  bool         // a view from before it leads no further
	people bool         // somebody sits otherwise than before, or asks for something else
	of     *Seated      // the seat that it is about, before the game
}

// Item is what a viewer is told of an entry. Every viewer hears every entry under
// the same number, each in the form it may hear.
type Item struct {
	Number int             `json:"number"`
	Entry  json.RawMessage `json:"entry"`
	Events []game.Event    `json:"events"`
	ToAct  []game.Seat     `json:"toAct"`            // the seat to act after it: at most one
	Turn   int             `json:"turn"`             // the turns that are done after it
	Clock  *Clock          `json:"clock,omitempty"`  // what the clocks show after it, once the game has begun
	People *People         `json:"people,omitempty"` // how everyone sits after it, where that has changed
	Look   *Look           `json:"look,omitempty"`   // the table after it, where a viewer must begin anew: at the start, after a reveal, after going back, at the end
	Of     *Seated         `json:"of,omitempty"`     // who sat down, got up or was sent away before the game: somebody else may sit there by now
}

// Heard is what a viewer, a seat or game.Watcher, is told.
func (s *Step) Heard(viewer game.Seat) Item {
	item := Item{
		Number: s.Number, Entry: s.written(viewer), Events: s.wordsFor(viewer),
		ToAct: s.after.actors(), Turn: s.after.turn(), Clock: s.table.clock(&s.after), Of: s.of,
	}
	if s.people {
		item.People = s.table.people(&s.after)
	}
	if s.fresh {
		item.Look = s.table.look(&s.after, viewer)
	}
	return item
}

// Raw is the entry as the log has it, right after Apply. It must not be changed.
func (s *Step) Raw() []byte { return s.raw }

// written is the entry as a viewer may hear it, in its one form.
func (s *Step) written(viewer game.Seat) json.RawMessage {
	if s.raw != nil && s.Alike() && s.Entry.Nonce == (Nonce{}) {
		return s.raw
	}
	heard := s.heard(viewer)
	return heard.Append(nil)
}

// Alike tells whether every viewer is told the same, so that it need be written
// only once.
func (s *Step) Alike() bool { return !s.table.first.Secrets() }

// heard is the entry as a viewer may hear it: a move as the game has it heard, and
// no nonce.
func (s *Step) heard(viewer game.Seat) Entry {
	e := s.Entry
	e.Nonce = Nonce{}
	if !e.Do.moves() || s.Alike() {
		return e
	}
	by := e.Seat
	if e.Do == Drawn {
		by = game.Chance
	}
	move, err := s.after.pos.Heard(e.Move, by, viewer)
	if err != nil {
		panic("table: a move that was made cannot be heard: " + err.Error())
	}
	e.Move = move
	return e
}

// wordsFor are the events that a viewer hears.
func (s *Step) wordsFor(viewer game.Seat) []game.Event {
	said := s.say()
	events := make([]game.Event, 0, len(said)+len(s.events))
	for _, list := range [...][]game.Event{said, s.events} {
		for _, event := range list {
			if event.To.Has(viewer) {
				events = append(events, event)
			}
		}
	}
	return events
}

// say are the events that everyone hears of an entry that is no move.
func (s *Step) say() []game.Event {
	e := &s.Entry
	if e.Do == Opened || e.Do.moves() {
		return nil
	}
	args := game.Args{}
	if e.Do.fields()&seatField != 0 {
		args["seat"] = e.Seat
	}
	switch e.Do {
	case BotSat:
		args["player"] = e.Player
	case Asked, Agreed, Declined:
		args["for"] = e.For.String()
	case Undone:
		args["times"] = s.after.chairs[e.Seat].undos
	case Resigned:
		if s.after.stopped() { // no stand-in plays on
			return []game.Event{{Key: "table.event.resign.last", Args: args, To: game.Everyone}}
		}
	case ServerAway:
		args["unit"], args["length"] = span(e.At - e.From)
	case Ended:
		return []game.Event{{Key: "table.event.end." + e.Why.String(), Args: args, To: game.Everyone}}
	}
	return []game.Event{{Key: "table.event." + e.Do.String(), Args: args, To: game.Everyone}}
}

// span is a length of time in the unit in which people would say it: seconds,
// minutes, hours or days.
func span(t Time) (unit string, n int64) {
	for _, u := range []struct {
		name       string
		size, most Time
	}{{"seconds", 1000, 2 * minute}, {"minutes", minute, 2 * 60 * minute}, {"hours", 60 * minute, 2 * day}} {
		if t < u.most {
			return u.name, int64(max((t+u.size/2)/u.size, 1))
		}
	}
	return "days", int64((t + day/2) / day)
}

// actors is the seat to act, as a list of at most one.
func (s *state) actors() []game.Seat {
	if seat := s.toAct(); seat != game.None {
		return []game.Seat{seat}
	}
	return []game.Seat{}
}

func (s *state) turn() int {
	if s.pos == nil {
		return 0
	}
	return s.pos.Turn()
}

// Replay goes through entry n and those after it, until visit returns false.
func (t *Table) Replay(n int, visit func(*Step) bool) { t.replay(max(n, 0), visit) }

// Since is what a viewer is told of entry n and all after it.
func (t *Table) Since(n int, viewer game.Seat) []Item { return t.Between(n, t.Len(), viewer) }

// Between is what a viewer is told of entry n and those after it that come before
// entry end.
func (t *Table) Between(n, end int, viewer game.Seat) []Item {
	items := []Item{}
	t.replay(max(n, 0), func(s *Step) bool {
		if s.Number < end {
			items = append(items, s.Heard(viewer))
		}
		return s.Number+1 < end
	})
	return items
}

// Hear is what a viewer is told of entry n, which must exist.
func (t *Table) Hear(n int, viewer game.Seat) (item Item) {
	t.replay(n, func(s *Step) bool {
		item = s.Heard(viewer)
		return false
	})
	return item
}
