package hall

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// When the hall looks at a table at which nothing happens.
const (
	botGrace   = 30 * time.Second    // a bot that has not moved by then is asked again
	emptyTable = time.Hour           // nobody ever sat down
	staleGame  = 30 * 24 * time.Hour // nobody is waited for, as package table has it
	earlyWake  = 30 * time.Second    // so much earlier than it needs does no harm
)

// turnState is what changes in lists from turn to turn. While it stays the same and
// everyone sits as before, the index need not be written with every move.
type turnState struct {
	toAct game.Seat
	turn  int
	until table.Time
}

// unknown is the turnState of a table that nobody has looked at.
var unknown = turnState{turn: -1}

func turnStateOf(item *table.Item) turnState {
	f := turnState{toAct: game.None, turn: item.Turn}
	if len(item.ToAct) > 0 {
		f.toAct = item.ToAct[0]
	}
	if item.Clock != nil {
		f.until = item.Clock.Until
	}
	return f
}

// about is what the index keeps for lists, besides names.
type about struct {
	Settings json.RawMessage `json:"settings"`
	Phase    string          `json:"phase"`
	Seats    json.RawMessage `json:"seats"`
	ToAct    []game.Seat     `json:"toAct"`
	Turn     int             `json:"turn"`
	Until    table.Time      `json:"until,omitempty"`
	Sides    *Sides          `json:"sides,omitempty"`
	Rated    *RatedGame      `json:"rated,omitempty"`
}

// private is what is kept of a table, besides its log, that no list shows: without
// it the log cannot be opened.
type private struct {
	Secret table.Secret
	Box    string   // the hash of a box of its own
	Zone   string   // the place whose nights it keeps
	Again  []string // whom a seat is kept for after a rematch: a table.Person of this table, or a bot as "bot:NAME"
	Owners owners   // of the programs at the table, as long as the game is not over
	owned  bool     // Owners are known: tables of earlier versions do not say them

	Barred []table.Person // owners of programs that were sent away, as long as the game is not over

	Later  []table.Secret // of the games of both sides that follow
	Before []before       // the games of both sides that came before, the first one first

	// Seen is when people were last found to look on at a node that others may not
	// hear, seat by seat; zero for never.
	Seen [game.MaxSeats]table.Time
}

// privateJSON is private as it is written.
type privateJSON struct {
	Secret string    `json:"secret"`
	Box    string    `json:"box,omitempty"`
	Zone   string    `json:"zone,omitempty"`
	Again  []string  `json:"again,omitempty"`
	Owners *[]string `json:"owners,omitempty"` // seat by seat, as far as there are any; empty for none
	Barred []string  `json:"barred,omitempty"`
	Later  []string  `json:"later,omitempty"`
	Before []before  `json:"before,omitempty"`

	Seen []table.Time `json:"seen,omitempty"` // as far as there are any
}

func (b *private) write() []byte {
	w := privateJSON{Secret: hex.EncodeToString(b.Secret[:]), Box: b.Box, Zone: b.Zone, Again: b.Again, Before: b.Before}
	for i := range b.Later {
		w.Later = append(w.Later, hex.EncodeToString(b.Later[i][:]))
	}
	if b.owned {
		list := []string{}
		for seat, owner := range b.Owners {
			if owner == (table.Person{}) {
				continue
			}
			for len(list) < seat {
				list = append(list, "")
			}
			list = append(list, owner.String())
		}
		w.Owners = &list
	}
	for _, owner := range b.Barred {
		w.Barred = append(w.Barred, owner.String())
	}
	for seat, at := range b.Seen {
		if at == 0 {
			continue
		}
		for len(w.Seen) < seat {
			w.Seen = append(w.Seen, 0)
		}
		w.Seen = append(w.Seen, at)
	}
	raw, err := json.Marshal(w)
	if err != nil {
		panic(err) // texts can always be written
	}
	return raw
}

func readPrivate(raw []byte) (b private, err error) {
	var read privateJSON
	if err := json.Unmarshal(raw, &read); err != nil {
		return b, err
	}
	var secrets []table.Secret
	for _, text := range append([]string{read.Secret}, read.Later...) {
		secret, err := hex.DecodeString(text)
		if err != nil || len(secret) != len(b.Secret) {
			return b, fmt.Errorf("a secret of %d digits", len(text))
		}
		secrets = append(secrets, table.Secret(secret))
	}
	b = private{Secret: secrets[0], Box: read.Box, Zone: read.Zone, Again: read.Again, Later: secrets[1:], Before: read.Before, owned: read.Owners != nil}
	if len(read.Seen) > len(b.Seen) {
		return b, fmt.Errorf("%d seats were seen", len(read.Seen))
	}
	copy(b.Seen[:], read.Seen)
	for _, text := range read.Barred {
		owner, ok := table.ParsePerson(text)
		if !ok {
			return b, fmt.Errorf("the owner of a program that was sent away is %q", text)
		}
		b.Barred = append(b.Barred, owner)
	}
	if !b.owned {
		return b, nil
	}
	for seat, text := range *read.Owners {
		owner, ok := table.ParsePerson(text)
		if seat >= len(b.Owners) || !ok && text != "" {
			return b, fmt.Errorf("the owner of the program at seat %d is %q", seat, text)
		}
		b.Owners[seat] = owner
	}
	return b, nil
}

// seating is what the index says of a table as long as everyone sits as before:
// it is not written anew with every turn.
type seating struct {
	phase                    string
	settings, seats, private []byte
	humans                   uint8 // seats that people hold
}

func (r *room) seatingNow() *seating {
	if r.seating != nil {
		return r.seating
	}
	people, kept := r.t.People(), r.private
	if r.t.Over() { // everything is open now
		kept.Owners, kept.owned, kept.Barred = owners{}, false, nil
		clear(kept.Seen[:])
	}
	s := &seating{phase: people.Phase, settings: r.t.Settings().Append(nil), seats: appendJSON(nil, people.Seats), private: kept.write()}
	for seat, at := range people.Seats {
		if at.Held == table.Human {
			s.humans |= 1 << seat
		}
	}
	r.seating = s
	return s
}

// list makes the row that the index keeps of the table as it is now, and the part of
// it that lists show.
func (r *room) list() (store.Row, about) {
	set, s := r.t.Settings(), r.seatingNow()
	emptied := s.phase == "lobby" && s.humans == 0 && r.t.Len() > 1 // everybody has left: who comes by a link has it listed again
	row := store.Row{
		Game: set.Game, Listed: set.Visible == table.ForAll && !r.t.Over() && !emptied, Over: r.t.Over(),
		Sitting: slices.Clone(r.accounts[:set.Seats]), Private: s.private,
	}
	a := about{Settings: s.settings, Phase: s.phase, Seats: s.seats, ToAct: []game.Seat{}, Turn: r.t.Turn()}
	if seat := r.t.ToAct(); seat >= 0 && s.phase == "play" {
		a.ToAct = []game.Seat{seat}
		row.Turn = uint16(s.humans & (1 << seat))
	}
	until, _, running := r.t.Deadline()
	if running {
		a.Until = until
	}
	a.Sides, a.Rated = r.sides(), r.rated
	row.Wake = r.wake(until, running)
	row.About = a.append(make([]byte, 0, len(a.Settings)+len(a.Seats)+usualAbout))
	return row, a
}

// usualAbout is how many bytes what lists show has beside the settings and the seats.
const usualAbout = 96

// append writes the JSON by hand, because it is written with every turn.
func (a *about) append(dst []byte) []byte {
	dst = append(append(dst, `{"settings":`...), a.Settings...)
	dst = strconv.AppendQuote(append(dst, `,"phase":`...), a.Phase)
	dst = append(append(dst, `,"seats":`...), a.Seats...)
	dst = append(dst, `,"toAct":[`...)
	for _, seat := range a.ToAct { // at most one
		dst = appendSeat(dst, seat)
	}
	dst = strconv.AppendInt(append(dst, `],"turn":`...), int64(a.Turn), 10)
	if a.Until != 0 {
		dst = strconv.AppendInt(append(dst, `,"until":`...), int64(a.Until), 10)
	}
	if a.Sides != nil {
		dst = appendJSON(append(dst, `,"sides":`...), a.Sides)
	}
	if a.Rated != nil {
		dst = appendJSON(append(dst, `,"rated":`...), a.Rated)
	}
	return append(dst, '}')
}

// wake is when the hall must look at the table if nothing happens before.
func (r *room) wake(until table.Time, running bool) time.Time {
	wake := r.wakeFor(until, running)
	if at, ok := r.t.Granted(); ok && store.Time(int64(at)).Before(wake) {
		return store.Time(int64(at))
	}
	return wake
}

func (r *room) wakeFor(until table.Time, running bool) time.Time {
	last := store.Time(int64(r.t.At()))
	switch {
	case r.t.Over():
		return time.Time{}
	case r.t.Len() == 1:
		return last.Add(emptyTable)
	case !r.t.Begun():
		return last.Add(r.t.Settings().Times().Wait)
	}
	if _, _, _, ok := r.t.Thinks(); ok {
		return last.Add(r.hall.grace())
	}
	if running {
		return store.Time(int64(until))
	}
	return last.Add(staleGame)
}

// sameRow tells whether two rows say the same, so that the index need not be written.
func sameRow(a, b *store.Row) bool {
	return a.Listed == b.Listed && a.Over == b.Over && a.Turn == b.Turn && a.Wake.Equal(b.Wake) &&
		slices.Equal(a.Sitting, b.Sitting) && bytes.Equal(a.About, b.About) && bytes.Equal(a.Private, b.Private)
}
