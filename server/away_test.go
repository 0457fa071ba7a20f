package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"copse/news/nats"
	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// farStore is a store that cannot be reached for a while.
type farStore struct {
	store.Store
	away  atomic.Bool
	asked chan struct{} // a question was not answered
	fails atomic.Int64  // the question for heads after so many more fails, once
}

func (f *farStore) err() error {
	if !f.away.Load() {
		return nil
	}
	select {
	case f.asked <- struct{}{}:
	default:
	}
	return fmt.Errorf("%w (cut)", store.ErrAway)
}

func (f *farStore) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	if f.fails.Load() > 0 && f.fails.Add(-1) == 0 {
		return nil, fmt.Errorf("%w (cut once)", store.ErrAway)
	}
	return f.Store.Heads(ctx, tables)
}

func (f *farStore) Read(ctx context.Context, table string, from int) ([]store.Entry, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	return f.Store.Read(ctx, table, from)
}

func (f *farStore) Table(ctx context.Context, table string) (store.Listing, error) {
	if err := f.err(); err != nil {
		return store.Listing{}, err
	}
	return f.Store.Table(ctx, table)
}

func (f *farStore) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := f.err(); err != nil {
		return store.Receipt{}, fmt.Errorf("%w: %w", store.ErrUnwritten, err)
	}
	return f.Store.Append(ctx, a)
}

func (f *farStore) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	return f.Store.Due(ctx, by, most)
}

// TestWhileTheStoreIsAwayStreamsStay: moves and looks are answered that one should try
// again, nothing old is shown as if it were true, and the streams that are open stay,
// though their news is lost too; they go on where they were, without a gap, when the
// store is back.
func TestWhileTheStoreIsAwayStreamsStay(t *testing.T) {
	t.Parallel()
	bus := startNATS(t)
	far := &farStore{asked: make(chan struct{}, 1)}
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
	// Neither of them looks after itself: nobody but the streams asks the store.
	a := newWorld(t, carry, func(h *hall.Options, _ *server.Options) {
		far.Store, h.Store = h.Store, far
	})
	b := &world{TB: t, db: a.db, now: dawn, setup: []setup{carry}}
	b.start()
	anna, ben := a.guest("Anna"), a.guest("Ben")
	id := begun(`{"game":"grandbois","seats":2}`, anna, ben)
	rng := seeded(5)
	move(rng, id, anna, ben)
	var seen struct{ Look struct{ Number int } }
	hears := anna.listen("table=" + id)
	hears.next("look")
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
	first := seen.Look.Number

	far.away.Store(true)
	carriers[0].Lost() // so that everybody must read on in the log
	inVain := func() {
		t.Helper()
		select {
		case <-far.asked:
		case <-hears.ended:
			t.Fatal("the stream has ended")
		}
	}
	for range 3 {
		inVain()
	}
	mover := []*client{anna, ben}[anna.at(b).toAct(id)]
	m := mover.at(b).moves(id)
	turn := draft(m.After, m.Moves[0])
	for _, r := range []reply{mover.ask("POST", "/api/tables/"+id+"/moves", turn, "Idempotency-Key: one"), anna.ask("GET", "/api/tables/"+id, "")} {
		r.refuses(t, http.StatusServiceUnavailable, "server.disk")
		if r.header.Get("Retry-After") == "" {
			t.Errorf("nobody is told when to try again: %v", r.header)
		}
	}
	if r := anna.ask("GET", "/readyz", ""); r.status != http.StatusServiceUnavailable || !strings.HasPrefix(string(r.body), "The database cannot be reached") {
		t.Errorf("it says that it is %d %s", r.status, r.body)
	}
	mover.at(b).ask("POST", "/api/tables/"+id+"/moves", turn, "Idempotency-Key: two").is(t, 200)
	move(rng, id, anna.at(b), ben.at(b)) // the other node can be reached
	anna.at(b).ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
	inVain()
	far.away.Store(false)
	hears.until(first+1, seen.Look.Number)
	anna.ask("GET", "/readyz", "").is(t, 200)
	mover.ask("POST", "/api/tables/"+id+"/moves", turn, "Idempotency-Key: two").is(t, 200) // it was done elsewhere

	for step := range int64(4) { // it goes away at each step of going on
		last := seen.Look.Number
		far.away.Store(true)
		carriers[0].Lost()
		inVain()
		move(rng, id, anna.at(b), ben.at(b))
		anna.at(b).ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &seen)
		far.fails.Store(step + 1)
		far.away.Store(false)
		hears.until(last+1, seen.Look.Number)
		far.fails.Store(0)
	}
}

// TestAPorch: until there is a server it says that the process lives and why it does not
// serve, and tells everybody else to come back; then it is the server.
func TestAPorch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := server.NewPorch(server.Options{Hosts: []string{"copse.example"}})
	ask := func(method, path, host string) *httptest.ResponseRecorder {
		r := httptest.NewRecorder()
		req := httptest.NewRequest(method, path, nil)
		req.Host = host
		p.ServeHTTP(r, req)
		return r
	}
	p.Wait("The cellar is flooded.")
	for _, c := range []struct {
		method, path, host string
		status             int
		body               string
	}{
		{"GET", "/healthz", "anything", 200, "ok\n"},
		{"GET", "/readyz", "anything", 503, "The cellar is flooded.\n"},
		{"POST", "/readyz", "anything", 405, "This can only be read"},
		{"GET", "/", "copse.example", 503, "Copse starts"},
		{"GET", "/", "other.example", 421, "does not answer for this host"},
		{"GET", "/assets/x.js", "copse.example", 503, "Copse starts"},
		{"GET", "/api/games", "copse.example", 503, `"key":"server.stops"`},
		{"POST", "/api/tables", "copse.example", 503, `"key":"server.stops"`},
		{"GET", "/a/../b", "copse.example", 404, ""},
	} {
		r := ask(c.method, c.path, c.host)
		if r.Code != c.status || !strings.Contains(r.Body.String(), c.body) || r.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %d %s", c.method, c.path, r.Code, r.Body)
		}
		if c.status == 503 && c.path != "/readyz" && r.Header().Get("Retry-After") == "" {
			t.Errorf("%s: nobody is told when to come back", c.path)
		}
	}
	p.Open(w.serve)
	if r := ask("GET", "/readyz", "anything"); r.Code != 200 {
		t.Errorf("the server behind it says %d %s", r.Code, r.Body)
	}
	w.serve.Drain()
	if r := ask("GET", "/readyz", "anything"); r.Code != 503 || r.Body.String() != "The server stops.\n" {
		t.Errorf("a server that goes says %d %s", r.Code, r.Body)
	}
	if r := ask("GET", "/api/games", "anything"); r.Code != 200 {
		t.Errorf("while it goes it answers %d", r.Code)
	}

	late := server.NewPorch(server.Options{})
	late.Stop()
	other, err := server.New(server.Options{Page: fstest.MapFS{}, Hall: w.hall})
	if err != nil {
		t.Fatal(err)
	}
	late.Open(other)
	r := httptest.NewRecorder()
	late.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if r.Code != 503 {
		t.Errorf("a server that comes after the end is %d", r.Code)
	}
}

// TestAStreamThatEndsSaysWhenToComeBack: each after another time, so that not all come
// at once.
func TestAStreamThatEndsSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	req, err := anna.request(t.Context(), "GET", "/api/stream?table="+id, "")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	buf := make([]byte, 1<<16)
	heard := ""
	for !strings.Contains(heard, "event: beat") {
		n, err := res.Body.Read(buf)
		if heard += string(buf[:n]); err != nil {
			t.Fatal(err)
		}
	}
	w.serve.Stop()
	rest := ""
	for {
		n, err := res.Body.Read(buf)
		rest += string(buf[:n])
		if err != nil {
			break
		}
	}
	var wait int
	last := strings.LastIndex(rest, "retry: ") // a beat may have come before it
	if last < 0 {
		t.Fatalf("it ends with %q", rest)
	}
	if _, err := fmt.Sscanf(rest[last:], "retry: %d\n", &wait); err != nil || wait < 500 || wait > 2000 {
		t.Errorf("it ends with %q, %v", rest, err)
	}
}
