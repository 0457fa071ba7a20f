package hall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// A house may have several nodes, each with a hall over the same store. Nobody owns
// a table: an append under the number that its writer expects is the fence, and
// whoever is late reads on and decides anew. So what a room remembers may be old at
// any time, and nothing is shown from it before the store was asked how far the log
// goes.
//
// What the room lacks it has often heard already: news carries the entry itself to
// the halls of other nodes. An entry that does not fit counts for nothing, and the
// rest of the log is read, from where the room is.
//
// Where the carrier is no news.Between the house has one node: rooms are never
// behind, and nobody is asked.

// several tells whether the house may have other nodes.
func (h *Hall) several() bool { return h.between != nil }

// Several tells whether the house may have other nodes, which may have changed what
// this one remembers.
func (h *Hall) Several() bool { return h.several() }

// Gauges are where limits are counted that hold for the whole house; nil where this
// node counts them by itself.
func (h *Hall) Gauges() store.Gauges {
	if !h.several() {
		return nil
	}
	gauges, _ := h.store.(store.Gauges)
	return gauges
}

// tell gives news to the readers of this node alone: what other nodes find out, they
// tell theirs.
func (h *Hall) tell(item news.Item) {
	if h.several() {
		h.between.Tell(item)
	} else {
		h.news.Publish(item)
	}
}

// wantedHere tells whether a reader of this node watches a topic.
func (h *Hall) wantedHere(topic news.Topic) bool {
	if h.several() {
		return h.between.WantedHere(topic)
	}
	return h.news.Wanted(topic)
}

// inbox is what a room has heard of its log from other nodes and has not applied:
// entries with their numbers, without a gap.
type inbox struct {
	mu   sync.Mutex
	list []news.Item
}

// mostHeard is how many entries an inbox keeps. A room that nobody enters for longer
// reads them.
const mostHeard = 64

func (b *inbox) add(item news.Item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.list); n > 0 {
		last := b.list[n-1].Number
		if item.Number <= last {
			return
		}
		if item.Number > last+1 || n >= mostHeard {
			b.list = nil
		}
	}
	b.list = append(b.list, news.Item{Number: item.Number, Raw: bytes.Clone(item.Raw)}) // without the rest of its message
}

// reaches tells whether it has all entries from a number to another.
func (b *inbox) reaches(from, to int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.list)
	return n > 0 && b.list[0].Number <= from && b.list[n-1].Number >= to
}

// between takes out what comes before an end, and gives what goes on at a number.
// What comes later stays: an append is applied as a whole, when the store is known
// to have it.
func (b *inbox) between(next, end int) []news.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.list
	if i := slices.IndexFunc(list, func(item news.Item) bool { return item.Number >= end }); i >= 0 {
		list, b.list = list[:i:i], list[i:]
	} else {
		b.list = nil
	}
	if i := slices.IndexFunc(list, func(item news.Item) bool { return item.Number == next }); i >= 0 {
		return list[i:]
	}
	return nil
}

// overhear hears what another node publishes. It waits for no room.
func (h *Hall) overhear(item news.Item) {
	id := item.Topic.ID()
	switch {
	case item.Topic == news.House():
		h.hearNode(item.Body)
	case item.Topic != news.Table(id):
	case item.Number != news.Unnumbered:
		h.crowd.heard(id, item.Number)
		if len(item.Raw) == 0 {
			return
		}
		h.mu.Lock()
		r := h.rooms[id]
		h.mu.Unlock()
		if r != nil {
			r.heard.add(item)
		}
	case item.State == "":
		if event, data := SplitEvent(item.Body); event == "chat" {
			var line struct{ Number int }
			if json.Unmarshal(data, &line) == nil {
				h.crowd.heardLine(id, line.Number)
			}
		}
	}
}

// catchUp makes the room know the whole log. It asks the store once after the room
// was entered, and not at all where the house has one node.
func (r *room) catchUp(ctx context.Context) error {
	if !r.hall.several() || r.asked {
		return nil
	}
	return r.ask(ctx, r.hall.tell)
}

// ask asks the store how far the log goes, and goes on to there. What is new is told
// by publish.
func (r *room) ask(ctx context.Context, publish func(news.Item)) error {
	heads, err := r.hall.store.Heads(ctx, []string{r.id})
	if err != nil {
		return err
	}
	head, ok := heads[r.id]
	if !ok {
		r.discard()
		return store.ErrNone
	}
	r.chat = max(r.chat, head.Said)
	if err := r.grow(ctx, head.Next, publish); err != nil {
		r.discard()
		return err
	}
	r.asked = true
	return nil
}

// hear makes the room know the log up to an entry that somebody says they have seen,
// where it has heard all of that: whoever published it had it from the store. Nobody
// need be asked for it then, and what is decided is compared by the store.
func (r *room) hear(ctx context.Context, entry int) error {
	if !r.hall.several() || entry < r.t.Len() || !r.heard.reaches(r.t.Len(), entry) {
		return nil
	}
	err := r.grow(ctx, entry+1, r.hall.tell)
	if err != nil {
		r.discard()
	}
	return err
}

// grow applies what other nodes have written before a number: what was heard, and
// the rest from the store.
func (r *room) grow(ctx context.Context, next int, publish func(news.Item)) error {
	from := r.t.Len()
	switch {
	case next == from:
		return nil
	case next < from:
		return fmt.Errorf("table %s has %d entries, and had %d", r.id, next, from) // another was made under its name: it is opened anew
	}
	before, sat, now := r.row, r.accounts, r.hall.Now()
	seen := func(e *table.Entry) {
		if e.Seat >= 0 && int(e.Seat) < len(r.seen) {
			r.seen[e.Seat] = now
		}
	}
	for _, item := range r.heard.between(from, next) {
		e, err := table.ReadEntry(item.Raw)
		if err != nil || seats(e.Do) || r.t.ExtendBy(e, item.Raw) != nil {
			break
		}
		seen(&e)
	}
	if known := r.t.Len(); known < next {
		if err := r.readOn(ctx); err != nil {
			return err
		}
		for n := known; n < r.t.Len(); n++ {
			if e, err := table.ReadEntry(r.t.Entry(n)); err == nil {
				seen(&e)
			}
		}
	} else {
		r.seating = nil
		r.row, r.shown = r.list()
	}
	r.turnState, r.seating = unknown, nil
	for seat, account := range r.accounts {
		if account == "" {
			continue
		}
		if account != sat[seat] {
			r.seen[seat] = now
		}
		r.meet(r.t.Sitter(game.Seat(seat)), account)
	}
	r.retell(publish)
	if !sameRow(&before, &r.row) {
		r.tellLists(before.Sitting, here)
	}
	if sat != r.accounts && !r.hall.crowd.none(r.id) {
		r.tellPresent()
	}
	return nil
}

// readOn reads the log from where the room is to its end, with what the index says
// of it.
func (r *room) readOn(ctx context.Context) error {
	listing, err := r.hall.store.Table(ctx, r.id)
	if err != nil {
		return err
	}
	tail, err := r.hall.store.Read(ctx, r.id, r.t.Len())
	if err != nil {
		return err
	}
	for _, e := range tail {
		if e.Number >= listing.Next { // the index says less than that
			break
		}
		if err := r.t.Extend(e.Body); err != nil {
			return fmt.Errorf("the log of table %s does not go on from what is known of it: %w", r.id, err)
		}
	}
	if r.t.Len() != listing.Next {
		return fmt.Errorf("the log of table %s ends at %d, not at %d", r.id, r.t.Len(), listing.Next)
	}
	return r.know(ctx, listing)
}

// seats tells whether such an entry changes who sits at the table, which it does not
// say by account, or what is kept besides the log.
func seats(do table.Kind) bool {
	switch do {
	case table.Opened, table.Sat, table.Stood, table.Kicked, table.BotSat, table.Taken, table.Ended:
		return true
	}
	return false
}

// fork is what a room was before it applied entries that are not written yet.
type fork struct {
	t        *table.Table
	accounts [game.MaxSeats]string
	private  private
}

// keepFork keeps the room as it is, to go back to.
func (r *room) keepFork() {
	if r.hall.several() {
		r.fork = &fork{r.t.Fork(), r.accounts, r.private}
	}
}

// back goes back to the fork, if there is one.
func (r *room) back() {
	if f := r.fork; f != nil {
		r.t, r.accounts, r.private, r.fork = f.t, f.accounts, f.private, nil
		r.turnState, r.seating = unknown, nil
	}
}

// lookAround finds what news has lost: entries and lines of chat that were there
// when it last looked, and that those who look on here have not been told since.
func (h *Hall) lookAround(ctx context.Context) *sync.WaitGroup {
	all := &sync.WaitGroup{}
	if !h.several() {
		return all
	}
	h.lost.mu.Lock()
	before := h.lost.heads
	h.lost.heads = nil
	h.lost.mu.Unlock()
	for id, head := range before {
		if entries, lines := h.crowd.behind(id, head); entries || lines {
			h.chore(ctx, all, "news "+id, func(ctx context.Context) error { return h.findLost(ctx, id, lines) })
		}
	}
	tables := h.crowd.tables()
	if len(tables) == 0 {
		return all
	}
	asking, done := context.WithTimeout(ctx, choreTime)
	defer done()
	heads, err := h.store.Heads(asking, tables)
	if err != nil {
		h.trouble(ctx, noHeads, err)
		return all
	}
	h.fine(noHeads)
	h.lost.mu.Lock()
	h.lost.heads = heads
	h.lost.mu.Unlock()
	return all
}

// lost is where the logs of tables went on when the hall last looked.
type lost struct {
	mu    sync.Mutex
	heads map[string]store.Head
}

// findLost tells those who look on at a table what they were not told.
func (h *Hall) findLost(ctx context.Context, id string, lines bool) error {
	r, err := h.enter(ctx, id)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.leave()
	if err := r.catchUp(ctx); err != nil && !errors.Is(err, store.ErrNone) {
		return err
	}
	if r.gone {
		return nil
	}
	r.retell(h.tell) // the room knew it, and nobody was told
	if !lines {
		return nil
	}
	from, ok := h.crowd.unsaid(id)
	if !ok {
		return nil
	}
	said, _, err := h.lines(ctx, id, from, r.accounts[:])
	if err != nil {
		return err
	}
	for _, line := range said {
		h.tell(eventItem(news.Table(id), "chat", Said{id, line}))
		h.crowd.heardLine(id, line.Number)
	}
	h.crowd.said(id, r.chat)
	return nil
}

// heard notes that those who look on were told an entry by another node.
func (c *crowd) heard(table string, number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if all := c.at[table]; all != nil && all.next == number {
		all.next++
	}
}

// heardLine notes that those who look on were told a line of chat.
func (c *crowd) heardLine(table string, number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if all := c.at[table]; all != nil && all.line == number {
		all.line++
	}
}

// said notes that those who look on were told all lines before a number.
func (c *crowd) said(table string, next int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if all := c.at[table]; all != nil {
		all.line = max(all.line, next)
	}
}

// unsaid is the first line that those who look on were not told; false where nobody
// looks on.
func (c *crowd) unsaid(table string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.at[table]
	if all == nil {
		return 0, false
	}
	return all.line, true
}

// behind tells whether those who look on at a table were not told entries or lines
// before its head.
func (c *crowd) behind(table string, head store.Head) (entries, lines bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.at[table]
	if all == nil {
		return false, false
	}
	return all.next < head.Next, all.line < head.Said
}

// tables are those at which somebody looks on.
func (c *crowd) tables() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.at))
}
