package table

import (
	"encoding/json"

	"copse/game"
)

// People is how everyone sits at a table.
type People struct {
	Phase string     `json:"phase"`          // lobby, play, paused or over
	Host  *game.Seat `json:"host,omitempty"` // who decides about bots, before the game
	Seats []Seated   `json:"seats"`
	Asks  []Asking   `json:"asks"`  // what is asked and not yet answered by all
	Hints bool       `json:"hints"` // those at the table may ask for advice
}

// Seated is who holds a seat.
type Seated struct {
	Held   Holder  `json:"held"`
	Person *Person `json:"person,omitempty"` // whose seat it is
	Player string  `json:"player,omitempty"` // the bot that plays there now
	Undos  int     `json:"undos"`            // how often it went back
}

// Asking is a wish that the others have not all answered yet.
type Asking struct {
	For    string      `json:"for"`
	Seat   game.Seat   `json:"seat"`
	To     *int        `json:"to,omitempty"` // the entry to go back to
	Agreed []game.Seat `json:"agreed"`
	Of     []game.Seat `json:"of"`              // whose consent it needs
	Until  Time        `json:"until,omitempty"` // when those of them who are away are no longer asked
}

func (t *Table) people(s *state) *People {
	p := &People{Phase: s.phaseName(), Seats: []Seated{}, Asks: []Asking{}, Hints: t.hints(s)}
	if host := s.host(); s.phase == lobby && host >= 0 {
		p.Host = &host
	}
	for seat := range game.Seat(s.size) {
		p.Seats = append(p.Seats, *t.seated(s, seat))
	}
	for w := Undo; w <= wishes; w++ {
		a := s.asks[w]
		if !a.open {
			continue
		}
		asking := Asking{For: w.String(), Seat: a.by, Agreed: seatsOf(a.agreed), Of: seatsOf(s.needed(w, a.by, s.at))}
		if to := int(a.to); w == Undo {
			asking.To, asking.Until = &to, s.askedUntil(asking.Of)
		}
		p.Asks = append(p.Asks, asking)
	}
	return p
}

func (t *Table) seated(s *state, seat game.Seat) *Seated {
	c := s.chairs[seat]
	seated := &Seated{Held: c.holder, Player: t.playerAt(s, seat), Undos: int(c.undos)}
	if c.person != (Person{}) {
		seated.Person = &c.person
	}
	return seated
}

// askedUntil is when the last of these seats that are away is no longer asked.
func (s *state) askedUntil(seats []game.Seat) (until Time) {
	for _, seat := range seats {
		until = max(until, s.chairs[seat].asked)
	}
	return until
}

// seatsOf lists seats given as bits.
func seatsOf(bits uint8) []game.Seat {
	list := []game.Seat{}
	for seat := range game.Seat(game.MaxSeats) {
		if bits&bit(seat) != 0 {
			list = append(list, seat)
		}
	}
	return list
}

func (s *state) phaseName() string {
	switch {
	case s.phase == lobby:
		return inLobby
	case s.phase == ended:
		return isOver
	case s.paused:
		return isPaused
	}
	return inPlay
}

// The names of the phases on the wire, for ever.
const (
	inLobby  = "lobby"
	inPlay   = "play"
	isPaused = "paused"
	isOver   = "over"
)

// PhaseNames are the names of all phases on the wire.
func PhaseNames() []string { return []string{inLobby, inPlay, isPaused, isOver} }

// People is how everyone sits now.
func (t *Table) People() *People { return t.people(&t.now) }

// Look is the whole table as a viewer may see it after an entry. A viewer begins
// with one, and gets another where its view leads no further.
type Look struct {
	Number     int                `json:"number"` // of the entry
	Last       int                `json:"last"`   // of the last entry that changed the game, -1 for none
	Settings   *Settings          `json:"settings"`
	Commitment Hash               `json:"commitment"`
	People     *People            `json:"people"`
	ToAct      []game.Seat        `json:"toAct"`
	Turn       int                `json:"turn"`
	Clock      *Clock             `json:"clock,omitempty"`
	View       json.RawMessage    `json:"view,omitempty"`     // once the game has begun
	Standing   *game.StandingJSON `json:"standing,omitempty"` // as far as the viewer knows; when all is over, the result
}

func (t *Table) look(s *state, viewer game.Seat) *Look {
	l := &Look{
		Number: int(s.next) - 1, Last: int(s.last), Settings: t.settings, Commitment: t.commitment,
		People: t.people(s), ToAct: s.actors(), Turn: s.turn(), Clock: t.clock(s),
	}
	if s.pos != nil {
		seen := s.pos.See(viewer)
		standing := t.standing(s, seen)
		l.View, l.Standing = seen.View(), &standing
	}
	return l
}

// standing is how the seats stand. While the game goes on it is what a viewer
// knows; when all is over it is the truth, with ranks that count who resigned.
func (t *Table) standing(s *state, seen game.Position) game.StandingJSON {
	if s.phase != ended {
		standing := seen.Standing()
		return standing.Wire(int(s.size), t.parts)
	}
	standing := s.pos.Standing()
	wire := standing.Wire(int(s.size), t.parts)
	wire.Over = true
	var resigned []game.Seat // they rank behind all others, whatever the rules say
	for seat := range game.Seat(s.size) {
		if s.chairs[seat].out != 0 {
			resigned = append(resigned, seat)
		}
	}
	_, ranks := s.result(s.why)
	if ranks != nil {
		wire.Ties = s.pos.Ties(resigned...)
	}
	for seat := range wire.Seats {
		wire.Seats[seat].Rank = nil
		if ranks != nil {
			rank := int32(ranks[seat])
			wire.Seats[seat].Rank = &rank
		}
	}
	return wire
}

// Look is the table now.
func (t *Table) Look(viewer game.Seat) *Look { return t.look(&t.now, viewer) }

// LookAt is the table after entry n, which there must be.
func (t *Table) LookAt(n int, viewer game.Seat) (l *Look) {
	t.replay(n, func(s *Step) bool {
		l = t.look(&s.after, viewer)
		return false
	})
	return l
}

// See is the game as a viewer may know it now, to ask for moves, facts, standing
// and score sheet; nil before it has begun.
func (t *Table) See(viewer game.Seat) game.Position {
	if t.now.pos == nil {
		return nil
	}
	return t.now.pos.See(viewer)
}

// Record is a game as a viewer lived it, in the form in which an engine opens it:
// what the viewer saw at first, at the beginning or after the last reveal, and
// every move since as the viewer heard it.
type Record struct {
	Game    string          `json:"game"`
	Version int             `json:"version"`
	Seats   int             `json:"seats"`
	Options json.RawMessage `json:"options"`
	Seat    game.Seat       `json:"seat"`
	View    json.RawMessage `json:"view"`
	Then    []Recorded      `json:"then"`
	From    int             `json:"from"` // the entry after which it was seen so
	Last    int             `json:"last"` // the last entry that changed the game
}

// Recorded is a move of a record with the number of its entry, so that a client
// that is not so far yet can stop where it is.
type Recorded struct {
	Number int `json:"number"`
	game.HeardMove
}

// Record is what a viewer has lived through along the line of play. Before the game
// it is refused.
func (t *Table) Record(viewer game.Seat) (*Record, error) {
	if t.now.pos == nil {
		return nil, no("table.lobby", nil)
	}
	options := t.settings.Options
	if t.keep.Box != nil {
		var err error
		if options, err = withBox(options, t.keep.Box); err != nil {
			return nil, err
		}
	}
	first, moves := t.now.pos.Record(viewer)
	then, at := make([]Recorded, len(moves)), int(t.now.tip)
	for i := len(moves) - 1; i >= 0; i-- {
		then[i] = Recorded{at, moves[i]}
		at = t.before(at)
	}
	return &Record{
		Game: t.settings.Game, Version: t.settings.Version, Seats: t.settings.Seats, Options: options,
		Seat: viewer, View: first.View(), Then: then, From: at, Last: t.Last(),
	}, nil
}
