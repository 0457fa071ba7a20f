package server

import (
	"encoding/json"
	"reflect"

	"copse/server/hall"
	"copse/table"
)

// Types that write themselves are shown in the document by types with the same
// fields.

// settingsJSON is table.Settings as it is told.
type settingsJSON struct {
	Game      string          `json:"game"`
	Version   int             `json:"version"`
	Judgement int             `json:"law,omitempty" about:"By which judgement the log is read, left out for 1: docs/log.md."`
	Seats     int             `json:"seats"`
	Options   json.RawMessage `json:"options"`
	Box       string          `json:"box,omitempty"`
	Pace      string          `json:"pace"`
	Bank      int             `json:"bank,omitempty" about:"Milliseconds; where the pace is own."`
	Step      int             `json:"step,omitempty" about:"Milliseconds; where the pace is own."`
	Night     []int           `json:"night,omitempty"`
	Shifts    []int           `json:"shifts,omitempty"`
	Undo      string          `json:"undo"`
	Visible   string          `json:"visible"`
	Watchers  bool            `json:"watchers"`
	Hints     bool            `json:"hints"`
	TakeOver  bool            `json:"takeOver"`
	StandIn   string          `json:"standIn"`
	Side      int             `json:"side,omitempty" about:"Which of the games of both sides this is, from 1; there are as many as seats."`
	Following table.Hash      `json:"following,omitempty" about:"The commitment of the game that follows it."`
	Rated     bool            `json:"rated,omitempty" about:"Ratings follow from it (docs/ratings.md); the server alone sets such tables."`
}

// entryJSON is table.Entry as it may be heard: docs/log.md says which fields go
// with what.
type entryJSON struct {
	At         table.Time      `json:"at"`
	Do         table.Kind      `json:"do"`
	Seat       int             `json:"seat,omitempty"`
	Settings   *settingsJSON   `json:"settings,omitempty"`
	Commitment table.Hash      `json:"commitment,omitempty"`
	Person     table.Person    `json:"person,omitempty"`
	Player     string          `json:"player,omitempty"`
	Draw       int             `json:"draw,omitempty"`
	Move       json.RawMessage `json:"move,omitempty"`
	Bot        bool            `json:"bot,omitempty"`
	For        table.Wish      `json:"for,omitempty"`
	To         int             `json:"to,omitempty"`
	From       table.Time      `json:"from,omitempty"`
	Why        table.Why       `json:"why,omitempty"`
	Secret     table.Secret    `json:"secret,omitempty"`
	Totals     []int           `json:"totals,omitempty"`
	Ranks      []int           `json:"ranks,omitempty"`
}

// beatEvent is a sign of life.
type beatEvent struct {
	Now  table.Time `json:"now" about:"The time of the server."`
	Next int        `json:"next" about:"Milliseconds until the next one at the latest."`
}

// streamEvent is an event of a stream, as the document describes it.
type streamEvent struct {
	name  string
	data  reflect.Type
	about string
	id    bool // it says how far the client is
}

// events are all that a stream tells.
func events() []streamEvent {
	return []streamEvent{
		{"look", reflect.TypeFor[sightEvent](), "The table as `look` shows it. Begin with this; where `again` is true start over: what was known of the table leads no further.", true},
		{"entry", reflect.TypeFor[hall.HeardEntry](), "One entry, as I may hear it; `people` and `who` where somebody sits otherwise than before, `look` where I must begin anew.", true},
		{"chat", reflect.TypeFor[hall.Said](), "One line of chat.", true},
		{"present", reflect.TypeFor[hall.Here](), "Who is connected.", false},
		{"who", reflect.TypeFor[hall.Named](), "Somebody has another name: everyone's, seat by seat.", false},
		{"next", reflect.TypeFor[hall.Next](), "There is a rematch: at table `next`.", false},
		{"sides", reflect.TypeFor[hall.SidesNews](), "Another game of both sides was set, or one is over: how they stand, as `look` shows it.", false},
		{"gone", reflect.TypeFor[hall.Gone](), "There is no such table, or none that I may see any more.", true},
		{"mine", reflect.TypeFor[hall.Summary](), "With `mine=true`: what my list says of one of my tables, at the beginning and whenever that changes.", false},
		{"friends", reflect.TypeFor[hall.FriendsNews](), "With `mine=true`: something has changed in my lists of friends and invitations, and why.", false},
		{"beat", reflect.TypeFor[beatEvent](), "A sign of life, every 15 seconds, and every 4 while it is my turn at a table that I follow. `next` says in how many milliseconds the next one comes: nothing five seconds after that, and the line is dead.", false},
	}
}
