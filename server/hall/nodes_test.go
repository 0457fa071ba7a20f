package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// road carries news between the halls of a house, as a test wants it: at once, when
// the test says so, or not at all.
type road struct {
	mu    sync.Mutex
	ends  []*roadEnd
	late  bool                 // what is published waits for arrive
	loses func(news.Item) bool // what is lost; nil for nothing
	queue []func()
}

// roadEnd is the carrier of one node.
type roadEnd struct {
	*news.Hub
	road *road
	ear  news.Ear
	away bool // nothing comes or goes
}

func (r *road) end() *roadEnd {
	e := &roadEnd{Hub: news.NewHub(), road: r}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, e)
	return e
}

func (e *roadEnd) Tell(item news.Item)          { e.Hub.Publish(item) }
func (e *roadEnd) Overhear(ear news.Ear)        { e.ear = ear }
func (e *roadEnd) Wanted(t news.Topic) bool     { return true }
func (e *roadEnd) WantedHere(t news.Topic) bool { return e.Hub.Wanted(t) }

func (e *roadEnd) Up() bool {
	e.road.mu.Lock()
	defer e.road.mu.Unlock()
	return !e.away
}

func (e *roadEnd) Publish(item news.Item) {
	e.Hub.Publish(item)
	r := e.road
	r.mu.Lock()
	var now []func()
	for _, other := range r.ends {
		if other == e || e.away || other.away || r.loses != nil && r.loses(item) {
			continue
		}
		arrive := func() {
			other.Hub.Publish(item)
			other.ear.Item(item)
		}
		if r.late {
			r.queue = append(r.queue, arrive)
		} else {
			now = append(now, arrive)
		}
	}
	r.mu.Unlock()
	for _, arrive := range now {
		arrive()
	}
}

// arrive lets everything arrive that is on its way.
func (r *road) arrive() {
	r.mu.Lock()
	queue := r.queue
	r.queue = nil
	r.mu.Unlock()
	for _, arrive := range queue {
		arrive()
	}
}

// set changes how the road is.
func (r *road) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// cut breaks the line of a node, or mends it.
func (e *roadEnd) cut(away bool) {
	e.road.set(func() { e.away = away })
	if !away {
		e.Hub.Lost()
		e.ear.Lost()
	}
}

// counted is a store that counts what is asked of it.
type counted struct {
	store.Store
	mu  sync.Mutex
	got map[string]int
	cut int // entries that were read
}

func (c *counted) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.got == nil {
		c.got = map[string]int{}
	}
	c.got[what]++
}

// since gives the counts, and begins anew.
func (c *counted) since() (map[string]int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	got, cut := c.got, c.cut
	c.got, c.cut = map[string]int{}, 0
	return got, cut
}

func (c *counted) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	c.count("Heads")
	return c.Store.Heads(ctx, tables)
}

func (c *counted) Table(ctx context.Context, id string) (store.Listing, error) {
	c.count("Table")
	return c.Store.Table(ctx, id)
}

func (c *counted) Read(ctx context.Context, id string, from int) ([]store.Entry, error) {
	list, err := c.Store.Read(ctx, id, from)
	c.mu.Lock()
	c.cut += len(list)
	c.mu.Unlock()
	c.count("Read")
	return list, err
}

func (c *counted) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	list, err := c.Store.Due(ctx, by, most)
	for range list {
		c.count("due")
	}
	return list, err
}

func (c *counted) ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]store.Listing, error) {
	list, err := c.Store.ClaimDue(ctx, by, now, until, most)
	for range list {
		c.count("due")
	}
	return list, err
}

func (c *counted) Account(ctx context.Context, id string) (store.Account, error) {
	c.count("Account")
	return c.Store.Account(ctx, id)
}

// house is a house of several nodes over one store.
type house struct {
	*testHall // the first node
	road      *road
	nodes     []*Hall
	ends      []*roadEnd
	stores    []*counted
}

func newHouse(t testing.TB, nodes int, change ...func(*Options)) *house {
	t.Helper()
	h := &house{testHall: newTestHall(t), road: &road{}}
	for range nodes {
		h.another(change...)
	}
	if nodes > 0 {
		h.Hall = h.nodes[0]
	}
	return h
}

// another is one more node.
func (h *house) another(change ...func(*Options)) *Hall {
	end, st := h.road.end(), &counted{Store: h.db}
	o := Options{Store: st, News: end, Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Quiet: time.Nanosecond, Random: halltest.Random(h.TB), Now: func() time.Time {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.now
	}}
	for _, c := range change {
		c(&o)
	}
	node := New(o)
	h.nodes, h.ends, h.stores = append(h.nodes, node), append(h.ends, end), append(h.stores, st)
	h.Cleanup(node.Stop)
	return node
}

// at is somebody who asks at a node.
func (h *house) at(node int) *testHall {
	return &testHall{TB: h.TB, Hall: h.nodes[node], db: h.db, rng: h.rng}
}

// passes lets time pass at all nodes but those that are dead, a second at a time.
func (h *house) passes(d time.Duration, dead ...int) {
	h.Helper()
	for range int(d / time.Second) {
		h.wait(time.Second)
		for i, node := range h.nodes {
			if !slices.Contains(dead, i) {
				node.sign()
			}
		}
	}
}

// follows has somebody look on at a node.
func (h *house) follows(node int, id string, by Account) news.Reader {
	h.Helper()
	reader := h.nodes[node].Listen(1000)
	_, err := h.nodes[node].Follow(h.Context(), id, by, reader)
	h.good(err)
	return reader
}

// numbers are the entries that a reader at a node hears up to a number. Where it may
// be cut off it goes on from the log, as a stream does.
func (h *house) numbers(node int, id string, reader news.Reader, last int, mayCut bool) (list []int) {
	h.Helper()
	for len(list) == 0 || list[len(list)-1] < last {
		item, ok := reader.Take()
		if !ok {
			if err := reader.Err(); errors.Is(err, news.ErrGap) && mayCut {
				reader = h.nodes[node].Listen(1000)
				s, err := h.nodes[node].Resume(h.Context(), id, Account{}, reader)
				h.good(err)
				for n := len(list) + 1; n <= s.Look.Number; n++ {
					list = append(list, n)
				}
				continue
			} else if err != nil {
				h.Fatalf("after %v the reader is cut off: %v", list, err)
			}
			h.ready(reader, fmt.Sprint("after ", list, " nothing"))
			continue
		}
		if item.Raw != nil {
			h.Fatalf("a reader gets entry %d itself", item.Number)
		}
		if item.Number != news.Unnumbered {
			list = append(list, item.Number)
		}
	}
	return list
}

// ready waits until there is something to be heard. What never comes fails the test,
// and does not hang it.
func (h *house) ready(reader news.Reader, what string) {
	h.Helper()
	never := time.NewTimer(time.Minute)
	defer never.Stop()
	select {
	case <-reader.Ready():
	case <-never.C:
		h.Fatalf("%s is heard", what)
	}
}

// event is the next news of a name that a reader hears.
func (h *house) event(reader news.Reader, name string, into any) {
	h.Helper()
	for {
		item, ok := reader.Take()
		if !ok {
			if err := reader.Err(); err != nil {
				h.Fatalf("no %s is heard: %v", name, err)
			}
			h.ready(reader, "no "+name)
			continue
		}
		event, data := SplitEvent(item.Body)
		if item.Number == news.Unnumbered && event == name {
			h.good(json.Unmarshal(data, into))
			return
		}
	}
}

// present waits until a reader is told that these seats are there.
func (h *house) present(reader news.Reader, seats ...game.Seat) {
	h.Helper()
	for {
		var here Here
		if h.event(reader, "present", &here); slices.Equal(here.Seats, seats) {
			return
		}
	}
}

func ints(from, to int) (list []int) {
	for n := from; n < to; n++ {
		list = append(list, n)
	}
	return list
}

// carriers are the roads on which a house must keep what it promises.
var carriers = map[string]func(*road){
	"perfect": func(*road) {},
	"lossy": func(r *road) {
		rng := rand.New(rand.NewPCG(7, 8))
		r.loses = func(news.Item) bool { return rng.IntN(3) == 0 }
	},
	"late": func(r *road) { r.late = true },
	"none": func(r *road) { r.loses = func(news.Item) bool { return true } },
}

// TestAnyNodeAnyTable: a game is played with every move at another node than the one
// before, over a road that carries everything, loses a third, carries late, or
// nothing at all. Every look shows the whole log, and whoever looks on, wherever,
// hears every entry once and in order.
func TestAnyNodeAnyTable(t *testing.T) {
	t.Parallel()
	for name, set := range carriers {
		for _, played := range []string{"bosk", "grandbois"} {
			t.Run(name+" "+played, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, 3)
				h.road.set(func() { set(h.road) })
				people := []Account{h.account("anna"), h.account("ben")}
				id := h.at(2).table(settings(played, 2))
				readers := make([]news.Reader, 3)
				for i := range readers {
					readers[i] = h.follows(i, id, Account{})
				}
				h.at(0).sit(id, people[0])
				_, err := h.nodes[1].Sit(t.Context(), id, people[1], table.Sit{Seat: game.None, Nonce: table.Nonce{2}}, store.Once{})
				h.good(err)
				h.at(2).do(id, people[0], start)
				for turn := 0; ; turn++ {
					node := h.at(turn % 3)
					if !node.move(id, people...) {
						break
					}
					h.wait(time.Second)
					if turn%7 == 3 {
						h.road.arrive()
					}
					l, err := h.db.Table(t.Context(), id)
					h.good(err)
					for i, other := range h.nodes {
						s, err := other.Look(t.Context(), id, people[turn%2])
						h.good(err)
						if s.Look.Number != l.Next-1 {
							t.Fatalf("node %d shows entry %d, and the log goes on at %d", i, s.Look.Number, l.Next)
						}
					}
				}
				var looks [3]string
				last := 0
				for i, node := range h.nodes {
					s, err := node.Look(t.Context(), id, people[0])
					h.good(err)
					last = s.Look.Number
					s.Present = Present{}
					raw, err := json.Marshal(s)
					h.good(err)
					looks[i] = string(raw)
				}
				if looks[0] != looks[1] || looks[1] != looks[2] {
					t.Errorf("the nodes show the table differently:\n%s\n%s\n%s", looks[0], looks[1], looks[2])
				}
				h.road.arrive()
				for i, reader := range readers {
					if got := h.numbers(i, id, reader, last, name == "lossy"); !slices.Equal(got, ints(1, last+1)) {
						t.Errorf("at node %d %v is heard, not every entry up to %d", i, got, last)
					}
				}
			})
		}
	}
}

// TestTheLastOneIsFound: what news has lost is found though nothing follows it: an
// entry and a line of chat.
func TestTheLastOneIsFound(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.follows(1, id, people[1])
	h.road.set(func() { h.road.loses = func(item news.Item) bool { return true } })
	h.at(0).move(id, people...)
	_, err := h.nodes[0].Say(t.Context(), id, people[0], Words{Text: "hello"}, store.Once{Key: "k"})
	h.good(err)
	l, err := h.db.Table(t.Context(), id)
	h.good(err)
	for range 2 { // what is missing the first time may be on its way
		h.nodes[1].lookAround(t.Context()).Wait()
	}
	for got := 0; got < l.Next-1; {
		item, ok := reader.Take()
		if !ok {
			t.Fatalf("heard is up to %d, of %d: %v", got, l.Next-1, reader.Err())
		}
		got = max(got, item.Number)
	}
	var said Said
	h.event(reader, "chat", &said)
	if said.Text != "hello" || said.Number != 0 || said.By.Name != "anna" {
		t.Errorf("heard is %+v", said)
	}
	// Found once, it is not told again, and neither is what was heard.
	h.road.set(func() { h.road.loses = nil })
	_, err = h.nodes[0].Say(t.Context(), id, people[0], Words{Text: "again"}, store.Once{})
	h.good(err)
	if h.event(reader, "chat", &said); said.Text != "again" {
		t.Errorf("heard is %+v", said)
	}
	for range 3 {
		h.nodes[1].lookAround(t.Context()).Wait()
	}
	for item, ok := reader.Take(); ok; item, ok = reader.Take() {
		if event, _ := SplitEvent(item.Body); item.Number != news.Unnumbered || event == "chat" {
			t.Errorf("told again is %d %s", item.Number, item.Body)
		}
	}
}

// TestALineSaidAgainIsTold: a line whose news was lost with its answer is told when it
// is said again, at whichever node; one that was taken away with its speaker is not
// looked for.
func TestALineSaidAgainIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.follows(1, id, people[1])
	say := func(node int, lost bool) {
		t.Helper()
		h.road.set(func() { h.road.loses = func(news.Item) bool { return lost } })
		if line, err := h.nodes[node].Say(t.Context(), id, people[0], Words{Text: "hello"}, store.Once{Key: "k"}); err != nil || line.Number != 0 {
			t.Fatalf("line %d is said, %v", line.Number, err)
		}
	}
	say(0, true)
	_, err := h.nodes[1].Look(t.Context(), id, people[1]) // it knows that there is a line
	h.good(err)
	say(1, false)
	var said Said
	if h.event(reader, "chat", &said); said.Text != "hello" {
		t.Errorf("heard is %+v", said)
	}
	h.road.set(func() { h.road.loses = func(news.Item) bool { return true } })
	_, err = h.nodes[0].Say(t.Context(), id, people[0], Words{Text: "bye"}, store.Once{})
	h.good(err)
	h.good(h.nodes[0].DeleteAccount(t.Context(), people[0].ID))
	for range 2 {
		h.nodes[1].lookAround(t.Context()).Wait()
	}
	heads, err := h.db.Heads(t.Context(), []string{id})
	h.good(err)
	if _, lines := h.nodes[1].crowd.behind(id, heads[id]); lines || heads[id].Said != 2 {
		t.Errorf("a line that is gone is looked for, of %d", heads[id].Said)
	}
}

// TestCatchingUpReadsTheTail: a node that is behind reads what it lacks and no more,
// and nothing where it has heard it; one that lost a race goes on from what it had.
func TestCatchingUpReadsTheTail(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	for range 20 {
		h.at(0).move(id, people...)
	}
	look := func() *Sight {
		s, err := h.nodes[1].Look(t.Context(), id, people[0])
		h.good(err)
		return s
	}
	look()
	h.stores[1].since()
	before := look().Look.Number
	if got, read := h.stores[1].since(); got["Heads"] != 1 || got["Table"]+got["Read"]+read > 0 {
		t.Errorf("to look at what is known the store is asked %v", got)
	}
	h.at(0).move(id, people...)
	if n := look().Look.Number; n <= before {
		t.Fatalf("entry %d is shown", n)
	}
	if got, _ := h.stores[1].since(); got["Table"]+got["Read"] > 0 {
		t.Errorf("what was heard is read: %v", got)
	}
	for _, lose := range []bool{true, false} { // an entry before them is missing
		h.road.set(func() { h.road.loses = func(news.Item) bool { return lose } })
		h.at(0).move(id, people...)
	}
	known := h.nodes[1].rooms[id].t.Len()
	now := look().Look.Number
	if got, read := h.stores[1].since(); got["Read"] != 1 || read != now+1-known {
		t.Errorf("of %d entries that were missed it reads %d: %v", now+1-known, read, got)
	}
	// Both move at the same time: the one that is late goes on from what it had.
	h.road.set(func() { h.road.loses = func(news.Item) bool { return true } })
	r, err := h.nodes[1].enter(t.Context(), id)
	h.good(err)
	h.at(0).move(id, people...)
	h.stores[1].since()
	behind := r.t.Len()
	entries, err := r.t.Decide(table.Suggest{Person: people[0].at(id), For: table.Pause}, h.nodes[1].now())
	h.good(err)
	var conflict *store.Conflict
	if _, err := r.carry(t.Context(), entries, people[0], store.Once{}); !errors.As(err, &conflict) {
		t.Fatalf("it is answered by %v", err)
	}
	l, err := h.db.Table(t.Context(), id)
	h.good(err)
	if _, read := h.stores[1].since(); r.gone || r.t.Len() != l.Next || read != l.Next-behind {
		t.Errorf("of %d entries %d are read, and %d are known", l.Next-behind, read, r.t.Len())
	}
	r.leave()
}

// TestWhoSitsIsPresentThere: somebody who looks on at one node and sits down at
// another is at their seat for those who look on, wherever.
func TestWhoSitsIsPresentThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	reader := h.follows(1, id, Account{})
	h.follows(1, id, anna)
	h.present(reader)
	h.at(0).sit(id, anna)
	_, err := h.nodes[1].Look(t.Context(), id, anna)
	h.good(err)
	h.present(reader, 0)
}

// TestWhatTheIndexSaysIsKnown: a node that has heard a move knows what the index says
// since, or it would leave out what it writes with its own.
func TestWhatTheIndexSaysIsKnown(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	for n := range 8 {
		_, err := h.nodes[1].Look(t.Context(), id, people[0])
		h.good(err)
		h.at(0).move(id, people...)
		_, err = h.nodes[1].Look(t.Context(), id, people[0])
		h.good(err)
		l, err := h.db.Table(t.Context(), id)
		h.good(err)
		r := h.nodes[1].rooms[id]
		if string(r.row.About) != string(l.About) || r.row.Turn != l.Turn || !slices.Equal(r.row.Sitting, l.Sitting) {
			t.Fatalf("after move %d the index says\n%s\nand is known to say\n%s", n, l.About, r.row.About)
		}
	}
}

// TestOneNodeAsksNobody: where the house has one node, neither a look nor a move
// asks the store anything.
func TestOneNodeAsksNobody(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	st := &counted{Store: h.db}
	h.store = st
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.move(id, people...)
	st.since()
	for range 6 {
		h.move(id, people...)
	}
	if got, _ := st.since(); len(got) > 0 {
		t.Errorf("it asks %v", got)
	}
}

// TestAwayAtOneNodeIsNotAway: two who play, each at a node of their own, are both
// there, however long they think; whoever goes is away at every node, and is played
// for.
func TestAwayAtOneNodeIsNotAway(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	anna, ben := h.follows(0, id, people[0]), h.follows(1, id, people[1])
	h.present(anna, 0, 1)
	h.present(ben, 0, 1)
	holds := func(seat int) table.Holder {
		s, err := h.nodes[0].Look(t.Context(), id, Account{})
		h.good(err)
		return s.Look.People.Seats[seat].Held
	}
	sweep := func(dead ...int) {
		for i, node := range h.nodes {
			if !slices.Contains(dead, i) {
				node.Sweep(t.Context())
			}
		}
	}
	for range 20 {
		h.passes(15 * time.Second)
		sweep()
	}
	if holds(0) != table.Human || holds(1) != table.Human {
		t.Fatal("somebody who looks on at another node counts as away")
	}
	for _, node := range h.nodes {
		if s, err := node.Look(t.Context(), id, people[0]); err != nil || !slices.Equal(s.Present.Seats, []game.Seat{0, 1}) {
			t.Errorf("present is %v, %v", s.Present, err)
		}
	}
	h.nodes[1].Part(id, people[1])
	h.present(anna, 0)
	for range 20 {
		h.passes(15 * time.Second)
		sweep()
	}
	if holds(0) != table.Human || holds(1) == table.Human {
		t.Error("somebody who is gone for long is waited for, or the other is not")
	}
}

// TestTheDeadAreGone: who was at a node that is no more is gone after a few seconds,
// and who was at one that says goodbye is gone at once.
func TestTheDeadAreGone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 3)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	anna := h.follows(0, id, people[0])
	h.follows(1, id, people[1])
	h.follows(2, id, Account{})
	h.present(anna, 0, 1)
	h.passes(5 * time.Second)
	h.passes(3*time.Second, 1)
	if s, _ := h.nodes[0].Look(t.Context(), id, people[0]); len(s.Present.Seats) != 2 || s.Present.Watchers != 1 {
		t.Errorf("after three seconds of silence there are %v", s.Present)
	}
	h.passes(2*time.Second, 1)
	h.present(anna, 0)
	h.nodes[2].Stop()
	if s, _ := h.nodes[0].Look(t.Context(), id, people[0]); s.Present.Watchers != 0 {
		t.Errorf("after a goodbye there are %v", s.Present)
	}
	h.passes(time.Second, 2)
	h.present(anna, 0, 1) // it only stood still, and tells everything anew
	// Whoever stood still has heard nobody, and does not take them for dead.
	h.road.set(func() { h.road.late = true })
	h.passes(6*time.Second, 1, 2)
	h.nodes[1].sign()
	if s, _ := h.nodes[1].Look(t.Context(), id, people[0]); len(s.Present.Seats) != 2 {
		t.Errorf("a node that stood still shows %v", s.Present)
	}
}

// TestNewsAwayMakesNobodyAway: while the line between nodes is broken, those on the
// other side of it are neither shown as gone nor played for; also where a node hears
// nobody of one that goes on.
func TestNewsAwayMakesNobodyAway(t *testing.T) {
	t.Parallel()
	for _, both := range []bool{true, false} {
		h := newHouse(t, 3)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		anna := h.follows(0, id, people[0])
		h.follows(1, id, people[1])
		h.present(anna, 0, 1)
		h.passes(40 * time.Second)
		h.ends[1].cut(true)
		if both {
			h.ends[0].cut(true)
		}
		for range 60 { // longer than anybody doubts that a node is gone
			h.passes(15 * time.Second)
			for _, node := range h.nodes {
				node.Sweep(t.Context())
			}
		}
		s, err := h.nodes[0].Look(t.Context(), id, people[0])
		h.good(err)
		if held := s.Look.People.Seats; held[0].Held != table.Human || held[1].Held != table.Human {
			t.Fatalf("with the line of both broken %v, somebody is played for", both)
		}
		if both && len(s.Present.Seats) != 2 {
			t.Errorf("present is %v", s.Present)
		}
		h.nodes[1].Part(id, people[1])
		h.ends[0].cut(false)
		h.ends[1].cut(false)
		for range 60 {
			h.passes(15 * time.Second)
			h.nodes[0].Sweep(t.Context())
		}
		s, err = h.nodes[0].Look(t.Context(), id, people[0])
		h.good(err)
		if held := s.Look.People.Seats; held[1].Held == table.Human {
			t.Error("somebody who is gone is waited for, though news is back")
		}
	}
}

// TestACutOffNodePlaysForNobody: a node whose line is broken does not know who is at
// the others, and has nobody played for.
func TestACutOffNodePlaysForNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 1)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	anna := h.follows(0, id, people[0])
	held := func() table.Holder {
		for range 20 {
			h.passes(15 * time.Second)
			h.nodes[0].Sweep(t.Context())
		}
		s, err := h.nodes[0].Look(t.Context(), id, Account{})
		h.good(err)
		return s.Look.People.Seats[1].Held
	}
	h.present(anna, 0)
	h.ends[0].cut(true)
	if held() != table.Human {
		t.Error("ben is played for, and may be at another node")
	}
	h.ends[0].cut(false)
	if held() == table.Human {
		t.Error("ben is nowhere, and is waited for")
	}
}

// TestNobodyIsDroppedWithTheirTable: a node that still knows an empty table does not
// drop it when somebody has sat down at another.
func TestNobodyIsDroppedWithTheirTable(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	h.road.set(func() { h.road.loses = func(news.Item) bool { return true } })
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	r, err := h.nodes[1].enter(t.Context(), id) // it knows the table
	h.good(err)
	r.leave()
	h.wait(emptyTable)
	// Anna sits down after the other node has looked how far the log goes.
	h.stores[1].Store = &sitsMeanwhile{Store: h.db, sit: func() { h.at(0).sit(id, anna) }}
	h.nodes[1].Tend(t.Context())
	if failed := h.nodes[1].chores.known["wake "+id]; !failed.IsZero() {
		t.Error("that somebody has come is taken for trouble")
	}
	s, err := h.nodes[0].Look(t.Context(), id, anna)
	if err != nil || s.You == nil {
		t.Fatalf("she sits nowhere: %+v, %v", s, err)
	}
	if s, err = h.nodes[1].Look(t.Context(), id, anna); err != nil || s.You == nil {
		t.Errorf("at the other node she sits nowhere: %+v, %v", s, err)
	}
}

// TestWhoIsSlowerHasNotFailed: a node that looks at a table while another writes there
// is not in trouble, and looks again as soon as there is anything to look at.
func TestWhoIsSlowerHasNotFailed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	log := &said{}
	h.nodes[1].log = slog.New(slog.NewTextHandler(log, nil))
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	listing, err := h.db.Table(t.Context(), id)
	h.good(err)
	listing.Wake = h.nodes[0].Now() // who looks now looks too early, and has the index say so
	_, err = h.db.Append(t.Context(), store.Append{Table: id, Next: listing.Next, At: listing.Changed, Row: &listing.Row})
	h.good(err)
	met := false
	h.stores[1].Store = &movesMeanwhile{Store: h.db, move: func() {
		if !met {
			met = true
			h.at(0).move(id, people...)
		}
	}}
	h.nodes[1].Tend(t.Context())
	if !met {
		t.Fatal("the index was not written: this proves nothing")
	}
	if failed, known := h.nodes[1].chores.known["wake "+id]; known {
		t.Errorf("that another was quicker is taken for trouble until %v", failed)
	}
	if list := log.lines("cannot be looked at"); len(list) > 0 {
		t.Errorf("the operator is told %q", list)
	}
}

// movesMeanwhile is a store in which something happens just before the index is to
// say something else.
type movesMeanwhile struct {
	store.Store
	move func()
}

func (m *movesMeanwhile) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if len(a.Entries) == 0 {
		m.move()
	}
	return m.Store.Append(ctx, a)
}

// sitsMeanwhile is a store in which something happens just before a table is
// dropped.
type sitsMeanwhile struct {
	store.Store
	sit func()
}

func (s *sitsMeanwhile) Drop(ctx context.Context, id string, next int) error {
	s.sit()
	return s.Store.Drop(ctx, id, next)
}

// TestAccountsHoldAcrossNodes: a name that was changed at one node is the name at
// all, at once where news arrives and soon where it is lost; whoever is deleted is
// gone everywhere, and sits nowhere.
func TestAccountsHoldAcrossNodes(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		h := newHouse(t, 2)
		anna, ben := h.account("anna"), h.account("ben")
		id := h.begun(settings("bosk", 2), anna, ben)
		reader := h.follows(1, id, ben)
		if a, err := h.nodes[1].Account(t.Context(), anna.ID); err != nil || a.Name != "anna" {
			t.Fatal(a, err)
		}
		h.road.set(func() { h.road.loses = func(news.Item) bool { return lost } })
		h.good(h.nodes[0].ChangeAccount(t.Context(), anna.ID, func(a *Account) error {
			a.Name = "Anne"
			return nil
		}))
		if lost {
			h.wait(knownTime)
		} else {
			var named Named
			if h.event(reader, "who", &named); named.Who[0].Name != "Anne" {
				t.Errorf("told is %+v", named.Who[0])
			}
		}
		if s, err := h.nodes[1].Look(t.Context(), id, ben); err != nil || s.Who[0].Name != "Anne" {
			t.Errorf("shown is %+v, %v", s.Who[0], err)
		}
		h.good(h.nodes[0].DeleteAccount(t.Context(), anna.ID))
		if lost {
			h.wait(knownTime)
		} else {
			var named Named
			for h.event(reader, "who", &named); named.Who[0] != nil; {
				h.event(reader, "who", &named)
			}
		}
		if a, err := h.nodes[1].Account(t.Context(), anna.ID); !errors.Is(err, store.ErrNone) {
			t.Errorf("at the other node she is %+v, %v", a, err)
		}
		s, err := h.nodes[1].Look(t.Context(), id, ben)
		if err != nil || s.Who[0] != nil || s.Look.People.Seats[0].Held != table.Replaced {
			t.Errorf("at the table she is %+v, %v", s.Look.People.Seats[0], err)
		}
	}
}

// TestProgramsOfManyNodes: of programs that are added at two nodes at the same time
// all are listed, and no more than are allowed.
func TestProgramsOfManyNodes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	const each, most = 10, 15
	var wg sync.WaitGroup
	var mu sync.Mutex
	added := 0
	for n, node := range h.nodes {
		wg.Go(func() {
			for i := range each {
				p := Account{ID: fmt.Sprintf("program-%d-%d", n, i), More: More{Program: true, Owner: anna.ID}}
				err := node.AddProgram(t.Context(), p, func(owner *Account) error {
					if len(owner.Programs) >= most {
						return game.Refuse("", "server.programs", nil)
					}
					return nil
				})
				if err == nil {
					mu.Lock()
					added++
					mu.Unlock()
				} else if !refused(err) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, node := range h.nodes {
		a, err := node.Account(t.Context(), anna.ID)
		if err != nil || len(a.Programs) != most || added != most {
			t.Errorf("of %d programs that were added %d are listed: %v", added, len(a.Programs), err)
		}
	}
}

// TestWhoIsDeletedElsewhereSitsNowhere: while an account is deleted at one node it
// neither sits down nor changes at another; if that fails it can again, also where
// the node has died over it.
func TestWhoIsDeletedElsewhereSitsNowhere(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	sit := func() error {
		_, err := h.nodes[1].Sit(t.Context(), id, anna, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
		return err
	}
	rename := func() error {
		return h.nodes[1].ChangeAccount(t.Context(), anna.ID, func(a *Account) error { a.Name += "!"; return nil })
	}
	a, err := h.nodes[0].leave(t.Context(), anna.ID)
	h.good(err)
	if err := sit(); !errors.Is(err, store.ErrNone) {
		t.Errorf("she sits down: %v", err)
	}
	if s, err := h.nodes[1].Look(t.Context(), id, Account{}); err != nil || s.Look.People.Seats[0].Held != table.Nobody {
		t.Errorf("there sits %+v, %v", s.Look.People.Seats[0], err)
	}
	if err := rename(); !errors.Is(err, store.ErrNone) {
		t.Errorf("she changes: %v", err)
	}
	h.nodes[0].left(anna.ID, a.Leaving) // it could not be done
	h.good(rename())
	if _, err = h.nodes[0].leave(t.Context(), anna.ID); err != nil {
		t.Fatal(err)
	}
	h.wait(leavingTime) // the node has died
	h.good(rename())
	h.good(sit())
	h.good(h.nodes[1].DeleteAccount(t.Context(), anna.ID))
	if list, err := h.db.Sitting(t.Context(), anna.ID, 10); err != nil || len(list) != 0 {
		t.Errorf("she sits at %v, %v", list, err)
	}
}

// TestARematchIsOne: whoever asks for it, at whichever node, gets the same table,
// and those who look on elsewhere are told.
func TestARematchIsOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	for h.move(id, people...) {
		h.wait(time.Second)
	}
	reader := h.follows(1, id, people[1])
	one, err := h.nodes[0].Rematch(t.Context(), id, people[0])
	h.good(err)
	two, err := h.nodes[1].Rematch(t.Context(), id, people[1])
	if err != nil || one != two {
		t.Errorf("the rematch is %s and %s, %v", one, two, err)
	}
	var next Next
	if h.event(reader, "next", &next); next.Next != one {
		t.Errorf("told is %+v", next)
	}
	if s, err := h.nodes[1].Look(t.Context(), id, people[1]); err != nil || s.Next != one {
		t.Errorf("shown is %q, %v", s.Next, err)
	}
	// Who missed it is shown it when they come back.
	again := h.nodes[1].Listen(10)
	if s, err := h.nodes[1].Resume(t.Context(), id, people[1], again); err != nil || s.Next != one {
		t.Errorf("whoever comes back is shown %q, %v", s.Next, err)
	}
}

// TestChatKeepsItsOrder: lines of two nodes are numbered as they were said; of a
// line whose answer was lost everybody hears, and nobody twice.
func TestChatKeepsItsOrder(t *testing.T) {
	t.Parallel()
	for name, set := range carriers {
		h := newHouse(t, 2)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		reader := h.follows(0, id, people[0])
		h.road.set(func() { set(h.road) })
		for n := range 20 {
			line, err := h.nodes[n%2].Say(t.Context(), id, people[n%2], Words{Text: fmt.Sprint(n)}, store.Once{Key: fmt.Sprint(n)})
			if err != nil || line.Number != n {
				t.Fatalf("%s: line %d has number %d, %v", name, n, line.Number, err)
			}
			if n == 13 { // its answer was lost, and it is said again at the other node
				line, err := h.nodes[0].Say(t.Context(), id, people[1], Words{Text: "13"}, store.Once{Key: "13"})
				if err != nil || line.Number != n {
					t.Fatalf("%s: said again line %d has number %d, %v", name, n, line.Number, err)
				}
			}
		}
		h.road.arrive()
		for range 2 {
			h.nodes[0].lookAround(t.Context()).Wait()
		}
		next := 0
		for item, ok := reader.Take(); ok; item, ok = reader.Take() { // as a stream hears it
			event, data := SplitEvent(item.Body)
			if item.Number != news.Unnumbered || event != "chat" {
				continue
			}
			var said Said
			h.good(json.Unmarshal(data, &said))
			if said.Number > next {
				lines, err := h.nodes[0].Lines(t.Context(), id, people[0], next)
				h.good(err)
				for _, line := range lines {
					if line.Number == next && line.Number < said.Number {
						next++
					}
				}
			}
			if said.Number == next {
				next++
			}
		}
		if next != 20 {
			t.Errorf("%s: heard are the lines before %d", name, next)
		}
		for _, node := range h.nodes {
			if s, err := node.Look(t.Context(), id, people[1]); err != nil || s.Chat != 20 {
				t.Errorf("%s: the next line is %d, %v", name, s.Chat, err)
			}
		}
	}
}

// TestWhatIsToldOnceMore: that somebody has come is heard within seconds though it
// was lost, and that somebody has gone a while later.
func TestWhatIsToldOnceMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.passes(2 * time.Second) // they know each other
	there := func() int {
		s, err := h.nodes[1].Look(t.Context(), id, anna)
		h.good(err)
		return s.Present.Watchers
	}
	lose := func(all bool) {
		h.road.set(func() {
			h.road.loses = func(item news.Item) bool { return all && !slices.Contains([]string{"node " + h.node}, item.State) }
		})
	}
	lose(true)
	h.follows(0, id, Account{})
	if there() != 0 {
		t.Fatal("nothing was lost")
	}
	lose(false)
	h.passes(crowdEvery * time.Second)
	if there() != 1 {
		t.Error("who has come is not there")
	}
	h.passes(2 * crowdTime)
	if there() != 1 {
		t.Error("who is there has gone")
	}
	lose(true)
	h.nodes[0].Part(id, Account{})
	h.passes(3 * time.Second)
	if there() != 1 {
		t.Error("nothing was lost of who has gone")
	}
	h.passes(crowdTime)
	if there() != 0 {
		t.Error("who has gone is there")
	}
}

// TestComingAndGoingIsToldNowAndThen: however many come and go in a second, the other
// nodes are told a few times, and what is so in the end.
func TestComingAndGoingIsToldNowAndThen(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	id := h.table(settings("bosk", 2))
	h.passes(2 * time.Second)
	told := 0
	h.road.set(func() {
		h.road.loses = func(item news.Item) bool {
			if event, _ := SplitEvent(item.Body); event == "crowd" {
				told++
			}
			return false
		}
	})
	for range 20 {
		h.follows(0, id, Account{})
	}
	for range 13 {
		h.nodes[0].Part(id, Account{})
	}
	h.passes(time.Second)
	s, err := h.nodes[1].Look(t.Context(), id, Account{})
	if err != nil || s.Present.Watchers != 7 {
		t.Errorf("there are %v, %v", s.Present, err)
	}
	if told > 3 {
		t.Errorf("it is told %d times", told)
	}
}

// TestLostNewsForgetsAccounts: what other nodes may have changed while nothing was
// heard is read anew, and the server is told that any pass may have ended.
func TestLostNewsForgetsAccounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	var ended []string
	h.nodes[1].OnPasses(func(account string) { ended = append(ended, account) })
	name := func() string {
		a, err := h.nodes[1].Account(t.Context(), anna.ID)
		h.good(err)
		return a.Name
	}
	name()
	h.ends[1].cut(true)
	h.good(h.nodes[0].ChangeAccount(t.Context(), anna.ID, func(a *Account) error { a.Name = "Anne"; return nil }))
	h.nodes[0].PassesEnded(anna.ID)
	if name() != "anna" || len(ended) > 0 {
		t.Fatal("it was heard all the same")
	}
	h.ends[1].cut(false)
	if name() != "Anne" || !slices.Equal(ended, []string{""}) {
		t.Errorf("she is called %s, and the passes of %q may have ended", name(), ended)
	}
	h.nodes[0].PassesEnded(anna.ID)
	if !slices.Equal(ended, []string{"", anna.ID}) {
		t.Errorf("the passes of %q may have ended", ended)
	}
}

// TestOneTokenStays: of two tokens that a program is given at two nodes at the same
// time one is good, and everybody agrees which.
func TestOneTokenStays(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	h.account("anna")
	h.good(h.nodes[0].AddProgram(t.Context(), Account{ID: "robot", More: More{Program: true, Owner: "id-anna"}}, func(*Account) error { return nil }))
	for round := range 5 {
		var wg sync.WaitGroup
		for i, node := range h.nodes {
			wg.Go(func() {
				if _, err := node.NewToken(t.Context(), "robot", store.DigestOf(fmt.Sprint(round, i))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if list, err := h.db.Passes(t.Context(), "robot", store.Token, h.Now()); err != nil || len(list) != 1 {
			t.Errorf("%d tokens are good, %v", len(list), err)
		}
	}
}

// TestAGuestWhoComesBackTooLate: whoever is seen at one node while another deletes
// them is told so, and not that they are here.
func TestAGuestWhoComesBackTooLate(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	a, err := h.nodes[1].Account(t.Context(), anna.ID)
	h.good(err)
	if _, err := h.nodes[0].leave(t.Context(), anna.ID); err != nil {
		t.Fatal(err)
	}
	h.wait(seenEvery)
	a.Leaving = 0
	h.good(h.nodes[0].set(t.Context(), anna.ID, func(a *Account) error {
		a.Leaving = table.At(h.Now().Add(leavingTime)) // it has just begun
		return nil
	}))
	if err := h.nodes[1].Here(t.Context(), a); !errors.Is(err, store.ErrNone) {
		t.Errorf("she is here: %v", err)
	}
}

// TestAnInboxHasNoGap: what does not follow begins anew, and what is too much is
// read.
func TestAnInboxHasNoGap(t *testing.T) {
	var b inbox
	add := func(numbers ...int) {
		for _, n := range numbers {
			b.add(news.Item{Number: n, Raw: []byte{byte(n)}})
		}
	}
	end := 1000
	want := func(from int, want ...int) {
		t.Helper()
		var got []int
		for _, item := range b.between(from, end) {
			got = append(got, item.Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %d on there is %v, want %v", from, got, want)
		}
		if len(b.list) > 0 {
			t.Error("something is left")
		}
	}
	want(0)
	add(3, 4, 4, 3, 5)
	want(4, 4, 5)
	add(3, 4, 6, 7)
	want(6, 6, 7)
	add(3, 4, 6)
	want(4)
	add(3)
	want(2)
	add(ints(0, mostHeard+2)...)
	want(0)
	add(ints(0, mostHeard+2)...)
	want(mostHeard+1, mostHeard+1)

	// What comes after the end stays for later.
	add(3, 4, 5, 6)
	for _, step := range []struct {
		from, end int
		gives     []int
	}{{3, 3, nil}, {3, 5, []int{3, 4}}, {4, 5, nil}, {5, 6, []int{5}}, {6, 9, []int{6}}, {6, 9, nil}} {
		var got []int
		for _, item := range b.between(step.from, step.end) {
			got = append(got, item.Number)
		}
		if !slices.Equal(got, step.gives) {
			t.Errorf("from %d to %d there is %v, want %v", step.from, step.end, got, step.gives)
		}
	}
}

// TestNobodySeesHalfAnAppend: of a move and the outcome that follows it at once, a
// node has heard the first and not yet the second when it is asked. It shows the game
// as it was before both, or as it is after them.
func TestNobodySeesHalfAnAppend(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("treesociety", 2), people...)
	length := func() int {
		l, err := h.db.Table(t.Context(), id)
		h.good(err)
		return l.Next
	}
	for n := range 60 {
		_, err := h.nodes[1].Look(t.Context(), id, people[0])
		h.good(err)
		ends := []int{length()}
		h.road.set(func() { h.road.late = true })
		for range 2 {
			h.at(0).move(id, people...)
			ends = append(ends, length())
		}
		h.road.mu.Lock()
		queue := h.road.queue
		h.road.queue, h.road.late = nil, false
		h.road.mu.Unlock()
		some := n % (len(queue) + 1)
		for _, arrive := range queue[:some] {
			arrive()
		}
		r, err := h.nodes[1].enter(t.Context(), id)
		h.good(err)
		h.good(r.grow(t.Context(), ends[1], func(news.Item) {})) // the store was asked between the two
		if got := r.t.Len(); !slices.Contains(ends, got) {
			t.Errorf("after %d of %d items it has %d entries, and appends end at %v", some, len(queue), got, ends)
		}
		r.leave()
		for _, arrive := range queue[some:] {
			arrive()
		}
	}
}
