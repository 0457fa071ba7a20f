package hall

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// patient is a game whose bots think until the test lets them find a move, however
// long that takes.
type patient struct {
	game.Game
	began chan struct{} // one more begins to think
	found chan struct{} // lets one of them find a move
	stop  chan struct{} // closed when the test is over
}

func (p patient) Think(_ context.Context, from game.Position, _ bot.Ask) (*bot.Thought, error) {
	select {
	case p.began <- struct{}{}:
	case <-p.stop:
	}
	select {
	case <-p.found:
	case <-p.stop:
	}
	return &bot.Thought{Line: from.Moves()[:1]}, nil
}

// thinkers is a house whose bots think when the test lets them, node by node.
type thinkers struct {
	*house
	bots []patient
	told []*bytes.Buffer // what the operator of each node is told
}

func newThinkers(t *testing.T, nodes int) *thinkers {
	h := &thinkers{house: newHouse(t, 0)}
	for range nodes {
		h.add()
	}
	h.Hall = h.nodes[0]
	return h
}

func (h *thinkers) add() {
	s := patient{Game: games.All()[0], began: make(chan struct{}), found: make(chan struct{}), stop: make(chan struct{})}
	told := &bytes.Buffer{}
	h.another(func(o *Options) {
		o.Games = []game.Game{s}
		o.Log = slog.New(slog.NewTextHandler(told, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	h.Cleanup(func() { close(s.stop) })
	h.bots, h.told = append(h.bots, s), append(h.told, told)
}

// thinking is at which nodes bots think, and have not found anything.
func (h *thinkers) thinking() (nodes []int) {
	for i, node := range h.nodes {
		node.mu.Lock()
		tables := slices.Collect(maps.Keys(node.rooms))
		node.mu.Unlock()
		for _, id := range tables {
			r, err := node.enter(h.Context(), id)
			h.good(err)
			if r.thinking {
				nodes = append(nodes, i)
			}
			r.leave()
		}
	}
	return nodes
}

// tends lets a second pass and every node but the dead do what is due, the newest
// first.
func (h *thinkers) tends(seconds int, dead ...int) {
	h.Helper()
	for range seconds {
		h.wait(time.Second)
		for i, node := range slices.Backward(h.nodes) {
			if !slices.Contains(dead, i) {
				node.sign()
				node.Tend(h.Context())
			}
		}
	}
}

// find lets the bot at a node find its move, and waits until the table has heard of
// it.
func (h *thinkers) find(node int, id string) {
	h.Helper()
	n := h.nodes[node]
	r, err := n.enter(h.Context(), id)
	h.good(err)
	before := r.t.Len()
	r.leave()
	<-h.bots[node].began
	h.bots[node].found <- struct{}{}
	for { // it has moved, or does not think any more
		r, err := n.enter(h.Context(), id)
		h.good(err)
		done := !r.thinking || r.t.Len() != before
		r.leave()
		if done {
			return
		}
	}
}

// TestABotThinksOnce: a bot thinks where its turn has begun and nowhere else, however
// many nodes know the table, open it, look at it or start anew, and however long it
// takes.
func TestABotThinksOnce(t *testing.T) {
	t.Parallel()
	h := newThinkers(t, 2)
	anna := h.account("anna")
	id := h.against(anna, "level:1")
	if got := h.thinking(); !slices.Equal(got, []int{0}) {
		t.Fatalf("bots think at %v", got)
	}
	for i := range h.nodes {
		_, err := h.nodes[i].Look(t.Context(), id, anna)
		h.good(err)
	}
	if got := h.thinking(); !slices.Equal(got, []int{0}) {
		t.Fatalf("after they have looked bots think at %v", got)
	}
	h.add() // a node that has just been started
	h.nodes[2].sign()
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { h.nodes[2].Run(ctx) })
	h.tends(30)
	if got := h.thinking(); !slices.Equal(got, []int{0}) {
		t.Fatalf("after half a minute bots think at %v", got)
	}
	stop()
	run.Wait()
	before, err := h.db.Table(t.Context(), id)
	h.good(err)
	h.find(0, id)
	after, err := h.db.Table(t.Context(), id)
	h.good(err)
	if after.Next <= before.Next {
		t.Fatal("it has not moved")
	}
	h.tends(2)
	if got := h.thinking(); len(got) > 0 {
		t.Errorf("after its move bots think at %v", got)
	}
	// The next turn has its own time, however short the one before was.
	for range 3 {
		p, n, err := h.Position(t.Context(), id, anna)
		h.good(err)
		h.do(id, anna, play(n, p.Moves()[0]))
		h.tends(2)
		if got := h.thinking(); !slices.Equal(got, []int{0}) {
			t.Fatalf("after a move of hers bots think at %v", got)
		}
		h.find(0, id)
	}
}

// TestABotAfterABot: a bot that is to move after another has its own time, however
// soon that of the other would have been over.
func TestABotAfterABot(t *testing.T) {
	t.Parallel()
	h := newThinkers(t, 2)
	anna := h.account("anna")
	set := settings("bosk", 3)
	set.Pace = table.Days
	id := h.table(set)
	_, err := h.Sit(t.Context(), id, anna, table.Sit{Seat: 2, Nonce: table.Nonce{1}}, store.Once{})
	h.good(err)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "level:1"} })
	h.tends(1)
	h.find(0, id)
	if got := h.thinking(); !slices.Equal(got, []int{0}) {
		t.Fatalf("bots think at %v", got)
	}
	l, err := h.db.Table(t.Context(), id)
	h.good(err)
	if left := l.Wake.Sub(h.Now()); left != botLease {
		t.Errorf("its time is over in %v", left)
	}
}

// TestADeadNodesBotIsThoughtFor: the bot of a node that is no more thinks at one
// other within five seconds. Should the node not be dead after all, its bot comes
// too late, and nobody is told of trouble.
func TestADeadNodesBotIsThoughtFor(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		h := newThinkers(t, 3)
		h.road.set(func() { h.road.loses = func(news.Item) bool { return lost } })
		anna := h.account("anna")
		id := h.against(anna, "level:1")
		h.tends(7)
		h.tends(5, 0)
		got := h.thinking()
		slices.Sort(got)
		if len(got) != 2 || got[0] != 0 {
			t.Fatalf("after five seconds bots think at %v", got)
		}
		other := got[1]
		h.tends(20, 0)
		if got := h.thinking(); len(got) != 2 {
			t.Fatalf("after a while bots think at %v", got)
		}
		before, err := h.db.Table(t.Context(), id)
		h.good(err)
		h.find(other, id)
		after, err := h.db.Table(t.Context(), id)
		h.good(err)
		if after.Next <= before.Next {
			t.Fatal("it has not moved")
		}
		h.find(0, id) // it only stood still
		h.tends(5)
		last, err := h.db.Table(t.Context(), id)
		h.good(err)
		if last.Next != after.Next {
			t.Errorf("after a move of %d entries there are %d", after.Next, last.Next)
		}
		if got := h.thinking(); len(got) > 0 {
			t.Errorf("in the end bots think at %v", got)
		}
		for i, told := range h.told {
			if strings.Contains(told.String(), "bot") || strings.Contains(told.String(), "level=ERROR") {
				t.Errorf("the operator of node %d is told: %s", i, told)
			}
		}
		// The person moves at the node that stood still, and the bot answers there.
		p, n, err := h.nodes[0].Position(t.Context(), id, anna)
		h.good(err)
		h.do(id, anna, play(n, p.Moves()[0]))
		if s, err := h.nodes[0].Look(t.Context(), id, anna); err == nil && slices.Contains(s.Look.ToAct, 0) {
			if got := h.thinking(); !slices.Equal(got, []int{0}) {
				t.Errorf("then bots think at %v", got)
			}
		}
	}
}

// TestAClockRunsOutOnce: of many nodes one tells a table that somebody's time has
// run out, and a node that has heard of nothing tells it no second time.
func TestAClockRunsOutOnce(t *testing.T) {
	t.Parallel()
	for name, set := range carriers {
		h := newHouse(t, 3)
		h.road.set(func() { set(h.road) })
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		for _, node := range h.nodes {
			_, err := node.Look(t.Context(), id, people[0])
			h.good(err)
		}
		h.wait(20 * time.Minute)
		var wg sync.WaitGroup
		for _, node := range h.nodes {
			wg.Go(func() { node.Tend(t.Context()) })
		}
		wg.Wait()
		looked := 0
		for i, node := range h.nodes {
			got, _ := h.stores[i].since()
			looked += got["due"]
			node.Stop() // the bot that plays on
		}
		if looked != 1 {
			t.Errorf("%s: %d nodes have looked", name, looked)
		}
		log, err := h.db.Read(t.Context(), id, 0)
		h.good(err)
		out := 0
		for _, e := range log {
			entry, err := table.ReadEntry(e.Body)
			h.good(err)
			if entry.Do == table.TimedOut {
				out++
			}
		}
		if out != 1 {
			t.Errorf("%s: time has run out %d times", name, out)
		}
	}
}

// TestOneNodeAliveIsTheHouseAlive: a node that gives no beat while another does is no
// outage, however long; with none it is one, and every node knows it.
func TestOneNodeAliveIsTheHouseAlive(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	for _, node := range h.nodes {
		h.good(node.Beat(t.Context()))
	}
	for range 30 {
		h.away(10 * time.Second)
		h.good(h.nodes[0].Beat(t.Context()))
	}
	s, err := h.nodes[1].Look(t.Context(), id, people[0])
	h.good(err)
	if list, err := h.db.Outages(t.Context(), time.Time{}); err != nil || len(list) > 0 || len(h.nodes[1].pulse.outages()) > 0 {
		t.Errorf("there were outages: %v, %v", list, err)
	}
	if n := s.Look.Number; n != h.nodes[1].rooms[id].t.Len()-1 {
		t.Errorf("shown is %d", n)
	}
	before := s.Look.Number
	h.away(time.Minute)
	for i := range h.nodes { // the one finds it, the other hears of it
		s, err := h.nodes[1-i].Look(t.Context(), id, people[0])
		h.good(err)
		if s.Look.Number != before+1 {
			t.Errorf("node %d shows entry %d after an outage, not %d", 1-i, s.Look.Number, before+1)
		}
	}
	if list, err := h.db.Outages(t.Context(), time.Time{}); err != nil || len(list) != 1 {
		t.Errorf("outages are %v, %v", list, err)
	}
}

// clocked is a store that knows what time it is.
type clocked struct {
	store.Store
	mu  sync.Mutex
	now time.Time
	err error
}

func (c *clocked) Time(context.Context) (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.err
}

// TestNodesGoByTheClockOfTheStore: whatever the clocks of their machines say; carried
// on by their monotonic clocks, never back, and slower where one was ahead.
func TestNodesGoByTheClockOfTheStore(t *testing.T) {
	t.Parallel()
	db := newTestHall(t).db
	noon := time.UnixMilli(1_767_859_200_000).UTC()
	st := &clocked{Store: db, now: noon}
	var told bytes.Buffer
	node := func(off time.Duration) (*Hall, *hands) {
		hands := &hands{wall: noon.Add(off)}
		h := New(Options{Store: st, News: (&road{}).end(), Key: []byte("k"), Random: halltest.Random(t), Now: func() time.Time { return hands.wall }, Mono: func() time.Duration { return hands.mono },
			Log: slog.New(slog.NewTextHandler(&told, nil))})
		t.Cleanup(h.Stop)
		return h, hands
	}
	fast, fastHands := node(time.Hour)
	slow, slowHands := node(-time.Hour)
	pass := func(d time.Duration) {
		st.mu.Lock()
		st.now = st.now.Add(d)
		st.mu.Unlock()
		fastHands.pass(d)
		slowHands.pass(d)
	}
	want := func(what string, since time.Duration) {
		t.Helper()
		for _, h := range []*Hall{fast, slow} {
			if got := h.Now().Sub(noon); got != since {
				t.Errorf("%s: it is %v after noon, want %v", what, got, since)
			}
		}
	}
	for _, h := range []*Hall{fast, slow} {
		if err := h.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want("at first", 0)
	if fast.Offset() != time.Hour || slow.Offset() != -time.Hour || strings.Count(told.String(), "clock of this machine") != 2 {
		t.Errorf("the clocks are %v and %v off, and the operator is told %s", fast.Offset(), slow.Offset(), told.String())
	}
	pass(5 * time.Second)
	want("between beats", 5*time.Second)
	st.set(st.now.Add(10*time.Second), nil)
	for _, h := range []*Hall{fast, slow} {
		if err := h.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want("the store is ahead", 15*time.Second)
	st.set(noon, nil) // it was set back
	if err := fast.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := fast.Now().Sub(noon); got != 15*time.Second {
		t.Errorf("house time goes back to %v", got)
	}
	pass(10 * time.Second)
	if got := fast.Now().Sub(noon); got != 24*time.Second {
		t.Errorf("ahead of the store, ten seconds take it to %v", got)
	}
	pass(30 * time.Second)
	if err := fast.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	pass(time.Second)
	if got, want := fast.Now().Sub(noon), 51*time.Second+900*time.Millisecond; got != want {
		t.Errorf("still ahead of it, it is %v, not %v", got, want)
	}
	st.set(noon.Add(time.Minute), nil)
	if err := fast.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	pass(time.Second)
	if got := fast.Now().Sub(noon); got != 61*time.Second {
		t.Errorf("with it again, it is %v", got)
	}
	trouble := errors.New("no answer")
	st.set(noon, trouble)
	if err := fast.Beat(t.Context()); !errors.Is(err, trouble) {
		t.Errorf("a beat without a time: %v", err)
	}
	if err := fast.Ready(t.Context()); !errors.Is(err, trouble) {
		t.Errorf("a node that cannot have the time is ready: %v", err)
	}
}

func (c *clocked) set(now time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.err = now, err
}
