package hall

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// Who is somebody at a seat.
type Who struct {
	Name    string `json:"name"`
	Program bool   `json:"program,omitempty"` // a program plays in this name
	Guest   bool   `json:"guest,omitempty"`   // the name is nobody's own: others may have it too
}

// who is an account as others know it.
func (a *Account) who() *Who {
	return &Who{Name: a.Name, Program: a.Program, Guest: !a.Program && a.Member == 0}
}

// HeardEntry is an entry as a viewer hears it, with the names of those at the table
// where they may have changed.
type HeardEntry struct {
	Table string `json:"table"`
	table.Item
	Who []*Who `json:"who,omitempty"` // seat by seat; null for nobody, a bot, or somebody who is no more

	// Called is the name of the person of Of; nil for a bot, for somebody who is
	// deleted, and for somebody whom the server has forgotten since they got up.
	Called *Who `json:"called,omitempty"`
}

// Numbered news of a table is an entry in every form in which somebody may hear it.
// Behind a byte of flags stands the one form for all; or how many there are, for
// each its viewer and its length, and then the forms.
const (
	alike  = 1 << 0 // there is one form
	seated = 1 << 1 // somebody sits elsewhere than before: viewers must look again who they are
	closed = 1 << 2 // nobody but those at the table may hear it
)

// Form is an entry in the form of a viewer, as JSON of a HeardEntry; ok is false
// where it is not there and must be asked for. moved tells that somebody sits
// elsewhere than before.
func Form(body []byte, viewer game.Seat) (form []byte, moved, ok bool) {
	if len(body) == 0 {
		return nil, false, false
	}
	flags := body[0]
	moved = flags&seated != 0
	if flags&closed != 0 && viewer == game.Watcher {
		return nil, moved, false
	}
	if flags&alike != 0 {
		return body[1:], moved, true
	}
	if len(body) < 2 {
		return nil, moved, false
	}
	count, head := int(body[1]), body[2:]
	found, from, end := -1, 0, 0
	size := 0
	for range count {
		if len(head) == 0 {
			return nil, moved, false
		}
		to := game.Seat(int8(head[0]))
		length, n := binary.Uvarint(head[1:])
		if n <= 0 || length > uint64(len(body)) {
			return nil, moved, false
		}
		head = head[1+n:]
		if to == viewer {
			found, from, end = size, size, size+int(length)
		}
		size += int(length)
	}
	if found < 0 || size > len(head) {
		return nil, moved, false
	}
	return head[from:end], moved, true
}

// usualForm is how many bytes most moves have as they are told.
const usualForm = 512

// forms writes an entry in every form in which somebody may hear it. It also gives
// one of them, from which what all have in common can be read.
func (r *room) forms(step *table.Step) (body []byte, item table.Item) {
	flags := byte(0)
	switch step.Entry.Do {
	case table.Sat, table.Stood, table.Kicked, table.Taken, table.BotSat:
		flags = seated
	}
	watched := r.t.Settings().Watchers || !r.t.Begun()
	if !watched {
		flags |= closed
	}
	if step.Alike() {
		item = step.Heard(game.Watcher)
		return r.appendForm(append(make([]byte, 0, usualForm), flags|alike), &item), item
	}
	viewers := []game.Seat{}
	for seat, at := range r.t.People().Seats {
		if at.Person != nil {
			viewers = append(viewers, game.Seat(seat))
		}
	}
	if watched || len(viewers) == 0 {
		viewers = append(viewers, game.Watcher)
	}
	body = []byte{flags, byte(len(viewers))}
	tail := make([]byte, 0, len(viewers)*usualForm)
	for _, viewer := range viewers {
		item = step.Heard(viewer)
		from := len(tail)
		tail = r.appendForm(tail, &item)
		body = binary.AppendUvarint(append(body, byte(viewer)), uint64(len(tail)-from))
	}
	return append(body, tail...), item
}

// appendForm writes what a viewer is told of something that happens. Where the
// names cannot be read it leaves them out, which says that nobody has another name
// than before; they are told as soon as they can be read.
func (r *room) appendForm(dst []byte, item *table.Item) []byte {
	dst, err := r.form(dst, item)
	if err != nil {
		r.nameless(err)
	}
	return dst
}

// nameless remembers that the names of those at the table are still to be told.
func (r *room) nameless(err error) {
	if !r.unnamed {
		r.hall.log.Error("the names of those at a table cannot be told yet", "table", r.id, "err", err)
	}
	r.unnamed = true
}

// form writes what a viewer is told: the JSON of a HeardEntry, by hand where that
// is quicker, since this is written for every move. With an error there are no
// names in it, since the store did not tell them.
func (r *room) form(dst []byte, item *table.Item) ([]byte, error) {
	dst = append(append(append(dst, `{"table":"`...), r.id...), `","number":`...)
	dst = strconv.AppendInt(dst, int64(item.Number), 10)
	dst = append(append(dst, `,"entry":`...), item.Entry...)
	dst = append(dst, `,"events":`...)
	if len(item.Events) == 0 {
		dst = append(dst, "[]"...)
	} else {
		dst = appendEvents(dst, item.Events)
	}
	dst = append(dst, `,"toAct":[`...)
	for _, seat := range item.ToAct { // at most one
		dst = appendSeat(dst, seat)
	}
	dst = append(dst, `],"turn":`...)
	dst = strconv.AppendInt(dst, int64(item.Turn), 10)
	if c := item.Clock; c != nil {
		for i, left := range c.Left {
			lead := `,`
			if i == 0 {
				lead = `,"clock":{"left":[`
			}
			dst = strconv.AppendInt(append(dst, lead...), int64(left), 10)
		}
		dst = append(dst, ']')
		if c.Seat != nil {
			dst = appendSeat(append(dst, `,"seat":`...), *c.Seat)
		}
		if c.Until != 0 {
			dst = strconv.AppendInt(append(dst, `,"until":`...), int64(c.Until), 10)
		}
		dst = append(dst, '}')
	}
	if item.People != nil {
		dst = appendJSON(append(dst, `,"people":`...), item.People)
	}
	if item.Look != nil {
		dst = appendJSON(append(dst, `,"look":`...), item.Look)
	}
	if item.Of != nil {
		dst = appendJSON(append(dst, `,"of":`...), item.Of)
	}
	var trouble error
	if item.People != nil || item.Look != nil {
		who, err := r.who()
		if trouble = err; err == nil {
			dst = appendJSON(append(dst, `,"who":`...), who)
		}
	}
	if called, err := r.called(item.Of); err != nil {
		trouble = err
	} else if called != nil {
		dst = appendJSON(append(dst, `,"called":`...), called)
	}
	return append(dst, '}'), trouble
}

// called is the name of the person who held a seat.
func (r *room) called(held *table.Seated) (*Who, error) {
	if held == nil || held.Person == nil {
		return nil, nil
	}
	account := r.met[*held.Person]
	if seat := r.t.SeatOf(*held.Person); seat >= 0 {
		account = r.accounts[seat]
	}
	ctx, done := context.WithTimeout(context.Background(), longestAppend)
	defer done()
	list, err := r.hall.names(ctx, []string{account})
	return list[0], err
}

// appendEvents writes events as their JSON.
func appendEvents(dst []byte, events []game.Event) []byte {
	dst = append(dst, '[')
	for i, e := range events {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(append(dst, `{"key":`...), e.Key), `,"args":{`...)
		names := make([]string, 0, 8)
		for name := range e.Args {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, name), ':')
			switch v := e.Args[name].(type) {
			case int:
				dst = strconv.AppendInt(dst, int64(v), 10)
			case string:
				dst = appendText(dst, v)
			case game.Seat:
				dst = appendSeat(dst, v)
			default:
				dst = appendJSON(dst, v)
			}
		}
		if dst = append(dst, `},"to":`...); e.To == game.Everyone {
			dst = append(dst, `"all"}`...)
		} else {
			dst = append(appendJSON(dst, e.To), '}')
		}
	}
	return append(dst, ']')
}

// appendText writes a text as its JSON.
func appendText(dst []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return appendJSON(dst, text)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}

// appendSeat writes a seat as its JSON: a number, or the name of who is none.
func appendSeat(dst []byte, seat game.Seat) []byte {
	if seat < 0 {
		return strconv.AppendQuote(dst, seat.String())
	}
	return strconv.AppendInt(dst, int64(seat), 10)
}

func appendJSON(dst []byte, v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("hall: what is told cannot be written: %v", err))
	}
	return append(dst, raw...)
}

// who is everyone at the table by name.
func (r *room) who() ([]*Who, error) {
	ctx, done := context.WithTimeout(context.Background(), longestAppend)
	defer done()
	return r.hall.names(ctx, r.accounts[:r.t.Settings().Seats])
}

// names are the names of accounts, nil for those that do not exist. A store in
// trouble is an error: somebody whose name cannot be read is not somebody who is
// deleted.
func (h *Hall) names(ctx context.Context, accounts []string) ([]*Who, error) {
	list := make([]*Who, len(accounts))
	for i, id := range accounts {
		if id == "" {
			continue
		}
		switch a, err := h.Account(ctx, id); {
		case err == nil:
			list[i] = a.who()
		case !errors.Is(err, store.ErrNone):
			return make([]*Who, len(accounts)), fmt.Errorf("the name of somebody at a table: %w", err)
		}
	}
	return list, nil
}

// News that is in no log: the name of the event, a line feed, and its JSON.

// SplitEvent splits such news into the name of the event and its JSON.
func SplitEvent(body []byte) (event string, data []byte) {
	for i, c := range body {
		if c == '\n' {
			return string(body[:i]), body[i+1:]
		}
	}
	return "", nil
}

// publish tells an event that must be heard each time.
func (h *Hall) publish(topic news.Topic, event string, data any) {
	h.news.Publish(eventItem(topic, event, data))
}

// eventItem is the news of an event that is in no log.
func eventItem(topic news.Topic, event string, data any) news.Item {
	return news.Item{Topic: topic, Number: news.Unnumbered, Body: appendJSON([]byte(event+"\n"), data)}
}

// stateItem is the news of a state.
func stateItem(topic news.Topic, event string, data any) news.Item {
	item := eventItem(topic, event, data)
	item.State = event
	return item
}

// publishState tells a state: only the newest counts.
func (h *Hall) publishState(topic news.Topic, event string, data any) {
	h.news.Publish(stateItem(topic, event, data))
}

// tellWho tells that somebody has another name, as soon as the names can be read.
func (r *room) tellWho() {
	who, err := r.who()
	if err != nil {
		r.nameless(err)
		return
	}
	r.unnamed = false
	r.hall.tell(stateItem(news.Table(r.id), "who", Named{r.id, who}))
}

// Summary is a table as lists show it.
type Summary struct {
	Table    string          `json:"table"`
	Serial   int64           `json:"serial,omitempty"` // to ask for those before it
	Changed  table.Time      `json:"changed"`
	Number   int             `json:"number"` // of the last entry
	Phase    string          `json:"phase"`
	Settings json.RawMessage `json:"settings"`
	Seats    json.RawMessage `json:"seats"`
	Who      []*Who          `json:"who"`
	ToAct    []game.Seat     `json:"toAct"`
	Turn     int             `json:"turn"`
	Until    table.Time      `json:"until,omitempty"` // when the time of who is to act will have run out
	You      *game.Seat      `json:"you,omitempty"`   // where the asker sits
	YourTurn bool            `json:"yourTurn"`
	Sides    *Sides          `json:"sides,omitempty"` // of a game of both sides
}

// summary is a table of the index as an account sees it in lists. It reads what the
// index says for lists where a is nil.
func (h *Hall) summary(ctx context.Context, l *store.Listing, a *about, account string) (Summary, error) {
	who, err := h.names(ctx, l.Sitting)
	s := Summary{Table: l.ID, Serial: l.Serial, Changed: table.Time(store.Milli(l.Changed)), Number: l.Next - 1, Who: who}
	if err != nil {
		return s, err
	}
	if a == nil {
		if err := json.Unmarshal(l.About, &a); err != nil {
			return s, fmt.Errorf("what the index says of table %s cannot be read: %w", l.ID, err)
		}
	}
	s.Settings, s.Phase, s.Seats, s.ToAct, s.Turn, s.Until, s.Sides = a.Settings, a.Phase, a.Seats, a.ToAct, a.Turn, a.Until, a.Sides
	if seat := slices.Index(l.Sitting, account); seat >= 0 && account != "" {
		you := game.Seat(seat)
		s.You, s.YourTurn = &you, l.Turn>>seat&1 != 0
	}
	return s, nil
}

// reach is how far something is told.
type reach bool

const (
	here       reach = false // at this node
	everywhere reach = true
)

// tellLists tells everyone who sits at the table, or did before, what their lists
// say of it now, where anybody listens.
func (r *room) tellLists(before []string, far reach) {
	publish, wanted := r.hall.tell, r.hall.wantedHere
	if far {
		publish, wanted = r.hall.news.Publish, r.hall.news.Wanted
	}
	var same []byte // for all, but for where they sit, which stands at its end
	told := [game.MaxSeats * 2]string{}
	for i, account := range append(slices.Clone(r.row.Sitting), before...) {
		if account == "" || slices.Contains(told[:], account) || !wanted(news.Account(account)) {
			continue
		}
		told[i] = account
		if same == nil {
			if same = r.summed(); same == nil {
				return
			}
		}
		body := slices.Clone(same)
		if i < len(r.row.Sitting) {
			body = strconv.AppendInt(append(body, `"you":`...), int64(i), 10)
			body = append(body, ',')
		}
		body = strconv.AppendBool(append(body, `"yourTurn":`...), i < len(r.row.Sitting) && r.row.Turn>>i&1 != 0)
		publish(news.Item{Topic: news.Account(account), Number: news.Unnumbered, State: "mine " + r.id, Body: append(body, '}')})
	}
}

// summed is the table as the lists of those at it show it, up to where they sit;
// nil where that cannot be told.
func (r *room) summed() []byte {
	ctx, done := context.WithTimeout(context.Background(), longestAppend)
	defer done()
	l := store.Listing{ID: r.id, Next: r.t.Len(), Changed: store.Time(int64(r.t.At())), Row: r.row}
	s, err := r.hall.summary(ctx, &l, &r.shown, "")
	if err != nil {
		r.hall.log.Error("a list cannot be told", "table", r.id, "err", err)
		return nil
	}
	return s.append(append(make([]byte, 0, len(s.Settings)+len(s.Seats)+usualForm), "mine\n"...))
}

// append writes the JSON by hand, because it is written with every turn, up to where
// it says where the asker sits.
func (s *Summary) append(dst []byte) []byte {
	dst = appendText(append(dst, `{"table":`...), s.Table)
	if s.Serial != 0 {
		dst = strconv.AppendInt(append(dst, `,"serial":`...), s.Serial, 10)
	}
	dst = strconv.AppendInt(append(dst, `,"changed":`...), int64(s.Changed), 10)
	dst = strconv.AppendInt(append(dst, `,"number":`...), int64(s.Number), 10)
	dst = appendText(append(dst, `,"phase":`...), s.Phase)
	dst = append(append(dst, `,"settings":`...), s.Settings...)
	dst = append(append(dst, `,"seats":`...), s.Seats...)
	dst = append(dst, `,"who":[`...)
	for i, who := range s.Who {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case who == nil:
			dst = append(dst, "null"...)
		case who.Program:
			dst = append(appendText(append(dst, `{"name":`...), who.Name), `,"program":true}`...)
		case who.Guest:
			dst = append(appendText(append(dst, `{"name":`...), who.Name), `,"guest":true}`...)
		default:
			dst = append(appendText(append(dst, `{"name":`...), who.Name), '}')
		}
	}
	dst = append(dst, `],"toAct":[`...)
	for _, seat := range s.ToAct { // at most one
		dst = appendSeat(dst, seat)
	}
	dst = strconv.AppendInt(append(dst, `],"turn":`...), int64(s.Turn), 10)
	if s.Until != 0 {
		dst = strconv.AppendInt(append(dst, `,"until":`...), int64(s.Until), 10)
	}
	if s.Sides != nil {
		dst = appendJSON(append(dst, `,"sides":`...), s.Sides)
	}
	return append(dst, ',')
}
