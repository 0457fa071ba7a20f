package server_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/news/nats"
	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// hungStore is a store that answers some questions only when a test lets it.
type hungStore struct {
	store.Store
	mu   sync.Mutex
	held []string      // what is not answered
	free chan struct{} // closed when it is
	met  chan string   // something was asked that is not answered
}

// hold has it answer some questions no more.
func (h *hungStore) hold(what ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held, h.free, h.met = what, make(chan struct{}), make(chan string, 1000)
}

func (h *hungStore) letGo() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = nil
	close(h.free)
}

func (h *hungStore) pass(ctx context.Context, what string) error {
	h.mu.Lock()
	held, free, met := slices.Contains(h.held, what), h.free, h.met
	h.mu.Unlock()
	if !held {
		return nil
	}
	met <- what
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hungStore) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (store.Pass, error) {
	if err := h.pass(ctx, "Pass"); err != nil {
		return store.Pass{}, err
	}
	return h.Store.Pass(ctx, kind, d, now)
}

func (h *hungStore) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	if err := h.pass(ctx, "Heads"); err != nil {
		return nil, err
	}
	return h.Store.Heads(ctx, tables)
}

func (h *hungStore) Sitting(ctx context.Context, account string, most int) ([]store.Listing, error) {
	if err := h.pass(ctx, "Sitting"); err != nil {
		return nil, err
	}
	return h.Store.Sitting(ctx, account, most)
}

func (h *hungStore) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := h.pass(ctx, "Append"); err != nil {
		return store.Receipt{}, err
	}
	return h.Store.Append(ctx, a)
}

func (h *hungStore) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	if err := h.pass(ctx, "Say"); err != nil {
		return store.ChatLine{}, err
	}
	return h.Store.Say(ctx, table, line, once)
}

// TestWhileTheStoreHangs nobody waits for it for long: what is asked is answered that
// one should try again, what may have been written that it may; streams go on giving
// the signs of life that they promise, and go on where they were when it is back.
func TestWhileTheStoreHangs(t *testing.T) {
	t.Parallel()
	bus, hung := startNATS(t), &hungStore{}
	var carriers []*nats.Carrier
	carry := func(h *hall.Options, _ *server.Options) {
		c, err := nats.Open(nats.Options{URL: bus.ClientURL(), House: "bosk"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		eventually(t, "a carrier is up", c.Up)
		carriers = append(carriers, c)
		h.News = c
	}
	a := newWorld(t, carry)
	hangs := func(patience, beat time.Duration) *world {
		w := &world{TB: t, db: a.db, now: dawn, setup: []setup{carry, func(h *hall.Options, s *server.Options) {
			hung.Store, h.Store, s.Patience, s.Beat = h.Store, hung, patience, beat
		}}}
		w.start()
		return w
	}
	b := hangs(time.Minute, 5*time.Millisecond)
	anna, ben := a.guest("Anna"), a.guest("Ben")
	id := begun(`{"game":"grandbois","seats":2}`, anna, ben)
	rng := seeded(7)
	var seen struct{ Look struct{ Number int } }
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
	first := seen.Look.Number
	hears := anna.at(b).listen("table=" + id)
	hears.next("look")

	hung.hold("Pass", "Heads")
	carriers[1].Lost() // so that the stream must read on, and make sure of its client
	b.hall.PassesEnded("")
	for met := map[string]bool{}; len(met) < 2; {
		met[<-hung.met] = true
	}
	for range 20 { // more than can have been under way
		hears.next("beat")
	}
	move(rng, id, anna, ben)
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)

	// Whoever asks anything is answered.
	hasty := anna.at(hangs(10*time.Millisecond, 0))
	for _, path := range []string{"/api/tables/" + id, "/api/me/tables", "/api/stream?table=" + id, "/api/stream?mine=true"} {
		r := hasty.ask("GET", path, "")
		r.refuses(t, http.StatusServiceUnavailable, "server.disk")
		if r.header.Get("Retry-After") == "" {
			t.Errorf("%s: nobody is told when to try again: %v", path, r.header)
		}
	}
	hung.letGo()
	hears.until(first+1, seen.Look.Number)

	// Also a stream whose client is known, but not what it begins with. Whoever may
	// have done something is told that they may have.
	mover := []*client{anna, ben}[anna.toAct(id)]
	m := mover.moves(id)
	turn := draft(m.After, m.Moves[0])
	for what, ask := range map[string]func(c *client) reply{
		"Sitting": func(c *client) reply { return c.ask("GET", "/api/stream?mine=true", "") },
		"Append":  func(c *client) reply { return c.ask("POST", "/api/tables/"+id+"/moves", turn, "Idempotency-Key: one") },
		"Say": func(c *client) reply {
			return c.ask("POST", "/api/tables/"+id+"/chat", `{"text":"Hello"}`, "Idempotency-Key: two")
		},
	} {
		key := "server.disk"
		if what == "Append" || what == "Say" {
			key = "server.unsure"
		}
		for patience := 250 * time.Millisecond; ; patience *= 2 { // until that is enough for all that is answered
			w := hangs(patience, 0)
			hung.hold(what)
			r := ask(mover.at(w))
			reached := len(hung.met) > 0
			hung.letGo()
			if reached {
				r.refuses(t, http.StatusServiceUnavailable, key)
				break
			}
		}
	}
	mover.ask("POST", "/api/tables/"+id+"/moves", turn, "Idempotency-Key: one").is(t, 200)
}

// clockless is a store whose clock cannot be read while it is away.
type clockless struct{ *farStore }

func (c clockless) Time(context.Context) (time.Time, error) { return dawn, c.err() }

// TestWhyANodeIsNotReady: what is told is that the database is away, and not what it
// was asked first; a node is ready again as soon as the database is back, whenever the
// next beat is. Requests that fail meanwhile do not fill the log.
func TestWhyANodeIsNotReady(t *testing.T) {
	t.Parallel()
	far := &farStore{asked: make(chan struct{}, 1)}
	var log lines
	w := newWorld(t, func(h *hall.Options, s *server.Options) {
		far.Store, h.Store, s.Log = h.Store, clockless{far}, slog.New(slog.NewTextHandler(&log, nil))
	})
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	if err := w.hall.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	anna.ask("GET", "/readyz", "").is(t, 200)
	far.away.Store(true)
	if err := w.hall.Beat(t.Context()); !errors.Is(err, hall.ErrTime) {
		t.Fatal(err)
	}
	if r := anna.ask("GET", "/readyz", ""); r.status != http.StatusServiceUnavailable || !strings.HasPrefix(string(r.body), "The database cannot be reached") {
		t.Errorf("it says that it is %d %s", r.status, r.body)
	}
	for range 3 {
		anna.ask("POST", "/api/tables/"+id+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`).refuses(t, http.StatusServiceUnavailable, "server.disk")
	}
	if n := log.count("not answered"); n != 1 {
		t.Errorf("three requests that fail are told %d times", n)
	}
	far.away.Store(false)
	anna.ask("GET", "/readyz", "").is(t, 200)
}

// lines is a log.
type lines struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *lines) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.all.String(), what)
}
