package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"copse/news/nats"
	"copse/server"
	"copse/server/hall"
	"copse/store"
	"copse/store/storetest"
)

// startNATS starts a NATS server in this process.
func startNATS(t testing.TB) *natsserver.Server {
	t.Helper()
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s
}

// newNodes are so many servers over one store, with real news between them. Each
// looks after itself, as cmd has it do.
func newNodes(t testing.TB, n int, change ...setup) ([]*world, *natsserver.Server) {
	t.Helper()
	s := startNATS(t)
	var nodes []*world
	for i := range n {
		carrier, err := nats.Open(nats.Options{URL: s.ClientURL(), House: "bosk"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(carrier.Close)
		eventually(t, "a carrier is up", carrier.Up)
		all := append([]setup{func(h *hall.Options, _ *server.Options) { h.News = carrier }}, change...)
		if i == 0 {
			nodes = append(nodes, newWorld(t, all...))
		} else {
			w := &world{TB: t, db: nodes[0].db, now: dawn, setup: all}
			w.start()
			nodes = append(nodes, w)
		}
		ctx, stop := context.WithCancel(context.Background())
		var run sync.WaitGroup
		run.Go(func() { nodes[i].hall.Run(ctx) })
		t.Cleanup(func() {
			stop()
			run.Wait()
		})
	}
	return nodes, s
}

// at is the same client at another node.
func (c *client) at(w *world) *client { return &client{world: w, cookie: c.cookie, token: c.token} }

// TestStreamsOfManyNodes: two play, each at a node of their own and the next move
// always at another; each hears every entry once, in order. They go on when NATS is
// gone, and the last entry arrives then too.
func TestStreamsOfManyNodes(t *testing.T) {
	t.Parallel()
	nodes, bus := newNodes(t, 2)
	anna, ben := nodes[0].guest("Anna"), nodes[1].guest("Ben")
	id := anna.table(`{"game":"grandbois","seats":2}`)
	anna.sit(id)
	ben.sit(id)
	hears := []*listener{anna.listen("table=" + id), ben.listen("table=" + id)}
	look := func(c *client) (number int) {
		var s struct{ Look struct{ Number int } }
		c.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
		return s.Look.Number
	}
	first := look(anna)
	anna.ask("POST", "/api/tables/"+id+"/start", "").is(t, 200)
	for _, l := range hears { // each sees both
		for both := false; !both; {
			var here struct{ Seats []int }
			if err := json.Unmarshal(l.next("present").data, &here); err != nil {
				t.Fatal(err)
			}
			both = len(here.Seats) == 2
		}
	}
	rng := seeded(3)
	play := func(turns int) int {
		for turn := range turns {
			w := nodes[turn%2]
			if anna.toAct(id) < 0 {
				break
			}
			move(rng, id, anna.at(w), ben.at(w))
			if a, b := look(anna), look(ben); a != b {
				t.Fatalf("one node shows entry %d, the other %d", a, b)
			}
		}
		return look(anna)
	}
	last := play(12)
	// What was told before presence was heard has passed: count on from there.
	heard := func(l *listener, from, to int) {
		t.Helper()
		for n := from; n < to; {
			e, _ := l.entry()
			if e.Number != n+1 && n != first {
				t.Fatalf("after entry %d comes %d", n, e.Number)
			}
			n = e.Number
		}
	}
	for _, l := range hears {
		heard(l, first, last)
	}
	bus.Shutdown()
	play(6)
	move(rng, id, anna, ben.at(nodes[0])) // nobody asks at the other node
	now := look(anna)
	for _, l := range hears {
		heard(l, last, now)
	}
}

// TestSignedOutAtEveryNode: a session that is ended at one node is ended at the
// other, with its stream, and so is the token of a program and a person who is
// deleted; a new name is known there at once.
func TestSignedOutAtEveryNode(t *testing.T) {
	t.Parallel()
	nodes, _ := newNodes(t, 2, func(_ *hall.Options, s *server.Options) { s.Beat = time.Hour })
	me := func(c *client) (name string) {
		var m struct{ Name string }
		c.ask("GET", "/api/me", "").is(t, 200).read(t, &m)
		return m.Name
	}
	soon := func(is func() bool) { // news takes a moment
		t.Helper()
		eventually(t, "news of it at the other node", is)
	}
	anna := nodes[0].guest("Anna")
	there := anna.at(nodes[1])
	if me(there) != "Anna" {
		t.Fatal("she is not known at the other node")
	}
	anna.ask("PATCH", "/api/me", `{"name":"Anne"}`).is(t, 200)
	soon(func() bool { return me(there) == "Anne" })

	robot := anna.program("Robot")
	robotThere := robot.at(nodes[1])
	robotHears := robotThere.listen("mine=true")
	robotHears.next("beat")
	var list struct{ Programs []struct{ Program string } }
	anna.ask("GET", "/api/me/programs", "").is(t, 200).read(t, &list)
	anna.ask("DELETE", "/api/me/programs/"+list.Programs[0].Program, "").is(t, 204)
	<-robotHears.ended
	soon(func() bool { return robotThere.ask("GET", "/api/me", "").status == 401 })

	hears := there.listen("mine=true")
	hears.next("beat")
	anna.ask("DELETE", "/api/me/sessions", "").is(t, 204)
	<-hears.ended
	soon(func() bool { return me(there) == "" })

	ben := nodes[0].guest("Ben")
	benHears := ben.at(nodes[1]).listen("mine=true")
	benHears.next("beat")
	ben.ask("DELETE", "/api/me", "").is(t, 204)
	<-benHears.ended
	soon(func() bool { return me(ben.at(nodes[1])) == "" })
}

// counting is a store that counts for the whole house, as one for many nodes does.
type counting struct {
	store.Store
	mu     *sync.Mutex
	gauges map[string]time.Time
	broken *bool
}

func (c counting) Count(_ context.Context, name string, now time.Time, each, span time.Duration) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil && *c.broken {
		return 0, fmt.Errorf("no answer")
	}
	until := c.gauges[name]
	if until.Before(now) {
		until = now
	}
	until = until.Add(each)
	if wait := until.Add(-span).Sub(now); wait > 0 {
		return wait, nil
	}
	c.gauges[name] = until
	return 0, nil
}

func (c counting) Uncount(_ context.Context, name string, each time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until, ok := c.gauges[name]; ok {
		c.gauges[name] = until.Add(-each)
	}
	return nil
}

func TestTheStoreOfTheTestsCounts(t *testing.T) {
	storetest.Gauges(t, func(*testing.T) []store.Gauges {
		c := counting{mu: &sync.Mutex{}, gauges: map[string]time.Time{}}
		return []store.Gauges{c, c}
	})
}

// TestLimitsOfTheHouse: what is limited for the whole house is no more for whoever
// asks another node, to the last one: guests, codes, guesses and tables. What is
// counted leads to nobody. While the store does not count each node does.
func TestLimitsOfTheHouse(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	gauges, broken := map[string]time.Time{}, false
	nodes, _ := newNodes(t, 2, func(h *hall.Options, s *server.Options) {
		h.Store = counting{h.Store, &mu, gauges, &broken}
		s.Limits = server.Limits{Requests: -1, Streams: -1, Tables: 3, Creates: 8, Guests: 6, Asks: -1}
	})
	allowed := func(most int, ask func(w *world) reply) (done, often int) {
		t.Helper()
		for n := range most {
			switch r := ask(nodes[n%2]); {
			case r.status < 300:
				done++
			case r.status == 429:
				often++
			}
		}
		return done, often
	}
	anna := nodes[0].guest("Anna")
	if done, often := allowed(10, func(w *world) reply { return w.nobody().ask("POST", "/api/me", `{"name":"Guest"}`) }); done != 2 || often != 8 {
		t.Errorf("after the first, %d guests come and %d are refused, want 2 and 8", done, often)
	}
	if done, often := allowed(10, func(w *world) reply { return anna.at(w).ask("POST", "/api/tables", `{"game":"bosk","seats":2}`) }); done != 4 || often != 6 {
		t.Errorf("%d tables are set and %d refused, want 4 and 6", done, often)
	}
	if _, often := allowed(16, func(w *world) reply { return w.nobody().ask("POST", "/api/continue", `{"code":"AAAAAAAAAA"}`) }); often != 6 {
		t.Errorf("of 16 codes %d are refused for being too many, want 6", often)
	}
	n := 0
	if _, often := allowed(40, func(w *world) reply {
		n++
		return (&client{world: w, token: fmt.Sprint("a guess ", n)}).ask("GET", "/api/me", "")
	}); often != 10 {
		t.Errorf("of 40 guesses %d are refused for being too many, want 10", often)
	}
	mu.Lock()
	for name := range maps.Keys(gauges) {
		if len(name) != 32 {
			t.Errorf("it is counted under %q", name)
		}
	}
	broken = true
	mu.Unlock()
	if done, often := allowed(10, func(w *world) reply { return w.nobody().ask("POST", "/api/me", `{"name":"Guest"}`) }); done != 6 || often != 4 {
		t.Errorf("while the store does not count %d guests come and %d are refused, want 6 and 4", done, often)
	}
}

// TestSittingDownAtManyNodesAtOnce: whoever sits down at many tables at the same
// time sits at as many as they may, at every node, and is told so of each. While the
// store does not count they sit at no more.
func TestSittingDownAtManyNodesAtOnce(t *testing.T) {
	t.Parallel()
	t.Run("one node", func(t *testing.T) { sitsAtOnce(t, 1, false) })
	t.Run("two nodes", func(t *testing.T) { sitsAtOnce(t, 2, false) })
	t.Run("nobody counts", func(t *testing.T) { sitsAtOnce(t, 2, true) })
}

// turns is a store that counts how often somebody has had a turn, which they give
// back.
type turns struct {
	counting
	taken, given *atomic.Int64
}

func (s turns) Count(ctx context.Context, name string, now time.Time, each, span time.Duration) (time.Duration, error) {
	wait, err := s.counting.Count(ctx, name, now, each, span)
	if err == nil && wait == 0 && each == span {
		s.taken.Add(1)
	}
	return wait, err
}

func (s turns) Uncount(ctx context.Context, name string, each time.Duration) error {
	s.given.Add(1)
	return s.counting.Uncount(ctx, name, each)
}

func sitsAtOnce(t *testing.T, many int, broken bool) {
	const most, rounds = 3, 6 // chance has a part in who meets whom
	var mu sync.Mutex
	var taken, given atomic.Int64
	gauges := map[string]time.Time{}
	nodes, _ := newNodes(t, many, func(h *hall.Options, s *server.Options) {
		if many > 1 {
			h.Store = turns{counting{h.Store, &mu, gauges, &broken}, &taken, &given}
		}
		s.Limits.Tables = most
	})
	anna, ben := nodes[0].guest("Anna"), nodes[0].guest("Ben")
	var tables []string
	for range 16 {
		tables = append(tables, ben.table(`{"game":"bosk","seats":2}`))
	}
	who := nodes[0].idOf(anna)
	for range rounds {
		var wg sync.WaitGroup
		var sat atomic.Int64
		for i, id := range tables {
			wg.Go(func() {
				r, err := anna.at(nodes[i%many]).try("POST", "/api/tables/"+id+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`)
				switch {
				case err != nil:
					t.Error(err)
				case r.status == 200:
					sat.Add(1)
				case r.status != 429:
					t.Errorf("she is answered %d %s", r.status, r.body)
				}
			})
		}
		wg.Wait()
		list, err := nodes[0].db.Sitting(t.Context(), who, 20)
		if err != nil || len(list) > most || int(sat.Load()) != len(list) || !broken && len(list) != most {
			t.Errorf("she sits at %d tables and was told so of %d, %v", len(list), sat.Load(), err)
		}
		for _, one := range list {
			if r := anna.ask("POST", "/api/tables/"+one.ID+"/leave", ""); r.status != 200 {
				t.Fatalf("getting up is answered %d %s", r.status, r.body)
			}
		}
	}
	if want := int64(rounds * len(tables)); many > 1 && !broken && (taken.Load() != want || given.Load() != want) {
		t.Errorf("she had %d turns and gave %d back, want %d", taken.Load(), given.Load(), want)
	}
}

// idOf is the account of a client.
func (w *world) idOf(c *client) string {
	w.Helper()
	pass, err := w.db.Pass(w.Context(), store.Session, store.DigestOf(c.cookie), dawn)
	if err != nil {
		w.Fatal(err)
	}
	return pass.Account
}
