package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server"
	"copse/server/hall"
	"copse/server/hall/halltest"
	"copse/store/sqlite"
	"copse/table"
)

// world is a whole server with a real store, reached over the wire. Its clock
// stands still until a test moves it.
type world struct {
	testing.TB
	url   string
	db    *sqlite.Store
	hall  *hall.Hall
	serve *server.Server
	judge *judge
	setup []setup

	mu  sync.Mutex
	now time.Time
}

// dawn is when worlds begin.
var dawn = time.UnixMilli(1_767_859_200_000).UTC()

// setup changes what a world is made of.
type setup func(*hall.Options, *server.Options)

func newWorld(t testing.TB, change ...setup) *world {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
	if err != nil {
		t.Fatal(err)
	}
	return worldOf(t, db, change...)
}

func worldOf(t testing.TB, db *sqlite.Store, change ...setup) *world {
	t.Helper()
	w := &world{TB: t, db: db, now: dawn, setup: change}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	w.start()
	return w
}

// start starts the server, or one more in the place of the one before, which then
// answers no more.
func (w *world) start() {
	w.Helper()
	t, db := w.TB, w.db
	key := []byte("the key of a server in a test")
	hub := news.NewHub()
	ho := hall.Options{Store: db, News: hub, Games: games.All(), Key: key, Cores: 1, Quiet: time.Millisecond, Random: halltest.Random(t), Now: func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}}
	so := server.Options{Page: page(), Key: key, Version: "test", Limits: server.Limits{Requests: -1, Guests: -1, Creates: -1, Asks: -1}}
	for _, c := range w.setup {
		c(&ho, &so)
	}
	tables := hall.New(ho)
	so.Hall = tables
	serve, err := server.New(so)
	if err != nil {
		t.Fatal(err)
	}
	net := httptest.NewServer(serve)
	w.hall, w.serve = tables, serve
	w.url = net.URL
	if _, measures := t.(*testing.B); !measures && w.judge == nil {
		w.judge = newJudge(t, w.nobody().ask("GET", "/api/openapi.json", "").body)
	}
	t.Cleanup(func() {
		serve.Stop()
		net.Close()
		serve.Wait()
		tables.Stop()
		hub.Close()
	})
}

func (w *world) wait(d time.Duration) {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
	if _, err := w.db.Beat(context.Background(), w.now, 1<<63-1); err != nil {
		w.Fatal(err)
	}
}

// client is somebody who asks: by a cookie, by a token, or as nobody.
type client struct {
	*world
	cookie string
	token  string
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// nobody has no account.
func (w *world) nobody() *client { return &client{world: w} }

// guest is somebody with a name.
func (w *world) guest(name string) *client {
	w.Helper()
	c := w.nobody()
	r := c.ask("POST", "/api/me", `{"name":`+quote(name)+`}`)
	r.is(w, 201)
	c.keep(r)
	return c
}

// keep keeps the cookie of an answer.
func (c *client) keep(r reply) {
	for _, cookie := range (&http.Response{Header: r.header}).Cookies() {
		if cookie.Name == "copse" {
			c.cookie = cookie.Value
		}
	}
}

// program is a program of a guest.
func (c *client) program(name string) *client {
	c.Helper()
	var made struct{ Token string }
	c.ask("POST", "/api/me/programs", `{"name":`+quote(name)+`}`).is(c, 201).read(c, &made)
	return &client{world: c.world, token: made.Token}
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

// ask sends a request, with header lines "Name: value" added.
func (c *client) ask(method, path, body string, header ...string) reply {
	c.Helper()
	r, err := c.try(method, path, body, header...)
	if err != nil {
		c.Fatal(err)
	}
	return r
}

func (c *client) try(method, path, body string, header ...string) (reply, error) {
	req, err := c.request(context.Background(), method, path, body, header...)
	if err != nil {
		return reply{}, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	r := reply{res.StatusCode, res.Header, raw}
	if err == nil && method != http.MethodHead {
		c.held(sending{method, path, body, req.Header}, r)
	}
	return r, err
}

// held makes sure that an answer is as the document says. Benchmarks do not.
func (c *client) held(a sending, r reply) {
	if c.judge == nil {
		return
	}
	if fault := c.judge.answer(a, r); fault != nil {
		c.Error(fault)
	}
}

func (c *client) request(ctx context.Context, method, path, body string, header ...string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if c.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "copse", Value: c.cookie})
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Content-Type" {
			req.Header.Del(name)
		}
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Add(name, value)
	}
	return req, nil
}

// is makes sure of the status.
func (r reply) is(t testing.TB, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("it is answered %d, not %d: %s", r.status, status, r.body)
	}
	return r
}

// refuses makes sure that it is a problem of this status and key.
func (r reply) refuses(t testing.TB, status int, key string) {
	t.Helper()
	var p server.Problem
	if err := json.Unmarshal(r.body, &p); err != nil || r.status != status || p.Key != key || p.Status != status ||
		r.header.Get("Content-Type") != "application/problem+json" || p.Title == "" || strings.HasPrefix(p.Title, key) || p.Args == nil {
		t.Errorf("it is answered %d %s, not %d %s", r.status, r.body, status, key)
	}
}

func (r reply) read(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(r.body, into); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
}

// eventually waits for what happens by itself, in a moment on a machine that does nothing
// else. What is not so after a minute never will be.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within a minute: " + what)
		}
	}
}

// seeded are random numbers that are the same every time.
func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, n)) }

// table sets a table.
func (c *client) table(settings string) string {
	c.Helper()
	var made struct{ Table string }
	c.ask("POST", "/api/tables", settings).is(c, 201).read(c, &made)
	return made.Table
}

func (c *client) sit(id string) {
	c.Helper()
	c.ask("POST", "/api/tables/"+id+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`).is(c, 200)
}

// begun is a table at which these have begun, in this order.
func begun(settings string, people ...*client) string {
	people[0].Helper()
	id := people[0].table(settings)
	for _, c := range people {
		c.sit(id)
	}
	people[0].ask("POST", "/api/tables/"+id+"/start", "").is(people[0], 200)
	return id
}

// moves is what may be done now.
type moves struct {
	After int
	ToAct []json.RawMessage
	Moves []json.RawMessage
	Facts []map[string]any
}

func (c *client) moves(id string) (m moves) {
	c.Helper()
	c.ask("GET", "/api/tables/"+id+"/moves", "").is(c, 200).read(c, &m)
	return m
}

// draft is the body of a draft.
func draft(after int, list ...json.RawMessage) string {
	raw, err := json.Marshal(map[string]any{"after": after, "moves": list})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// toAct is the seat to act, -1 for none.
func (c *client) toAct(id string) int {
	c.Helper()
	var s struct {
		Look struct{ ToAct []int }
	}
	c.ask("GET", "/api/tables/"+id, "").is(c, 200).read(c, &s)
	if len(s.Look.ToAct) == 0 {
		return -1
	}
	return s.Look.ToAct[0]
}

// move lets the one of these who is to act make any move.
func move(rng *rand.Rand, id string, people ...*client) {
	people[0].Helper()
	c := people[people[0].toAct(id)]
	m := c.moves(id)
	c.ask("POST", "/api/tables/"+id+"/moves", draft(m.After, m.Moves[rng.IntN(len(m.Moves))])).is(c, 200)
}

// event is an event of a stream.
type event struct {
	name string
	id   string
	data []byte
}

// listener hears a stream.
type listener struct {
	t      testing.TB
	events chan event
	raw    *bytes.Buffer // every byte that came, beats left out
	stop   context.CancelFunc
	ended  chan struct{}
}

// listen opens a stream.
func (c *client) listen(query string, header ...string) *listener {
	c.Helper()
	ctx, stop := context.WithCancel(context.Background())
	req, err := c.request(ctx, "GET", "/api/stream?"+query, "", header...)
	if err != nil {
		c.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" {
		c.Fatalf("a stream is answered %d %v", res.StatusCode, res.Header)
	}
	if !res.Close { // a client would ask for something else on a connection that ends
		c.Fatal("a stream does not say that its connection ends with it")
	}
	c.held(sending{"GET", "/api/stream?" + query, "", req.Header}, reply{res.StatusCode, res.Header, nil})
	l := &listener{t: c.TB, events: make(chan event, 10_000), raw: &bytes.Buffer{}, stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		defer close(l.events)
		defer func() { _ = res.Body.Close() }()
		lines := bufio.NewReader(res.Body)
		var e event
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			switch line = strings.TrimSuffix(line, "\n"); {
			case strings.HasPrefix(line, "event: "):
				e.name = line[len("event: "):]
			case strings.HasPrefix(line, "id: "):
				e.id = line[len("id: "):]
			case strings.HasPrefix(line, "data: "):
				e.data = []byte(line[len("data: "):])
			case line == "" && e.data != nil:
				if e.name != "beat" {
					fmt.Fprintf(l.raw, "%s %s %s\n", e.name, e.id, e.data)
				}
				if c.judge != nil {
					if fault := c.judge.event(e); fault != nil {
						l.t.Error(fault)
					}
				}
				select {
				case l.events <- e:
				case <-ctx.Done():
					return
				}
				e = event{}
			}
		}
	}()
	c.Cleanup(l.close)
	return l
}

// close hangs up.
func (l *listener) close() {
	l.stop()
	<-l.ended
}

// next is the next event of this name.
func (l *listener) next(name string) event {
	l.t.Helper()
	for e := range l.events {
		if e.name == name {
			return e
		}
	}
	l.t.Fatalf("the stream ended before there was any %s", name)
	return event{}
}

// heardEntry is an entry as a stream tells it.
type heardEntry struct {
	Table  string
	Number int
	Entry  struct {
		Do string
	}
	ToAct []json.RawMessage
	Look  json.RawMessage
	Who   []*hall.Who
}

func (l *listener) entry() (e heardEntry, id string) {
	l.t.Helper()
	event := l.next("entry")
	if err := json.Unmarshal(event.data, &e); err != nil {
		l.t.Fatal(err)
	}
	return e, event.id
}

// until hears entries up to a number, each once and in order, and gives the id of
// the last.
func (l *listener) until(from, number int) (id string) {
	l.t.Helper()
	for n := from; n <= number; n++ {
		var e heardEntry
		if e, id = l.entry(); e.Number != n {
			l.t.Fatalf("entry %d was told in place of %d", e.Number, n)
		}
	}
	return id
}

// verify proves an export.
func verify(t testing.TB, raw []byte) *table.Table {
	t.Helper()
	list := []game.Game{}
	list = append(list, games.All()...)
	done, err := table.Verify(table.NewShelf(list...), raw)
	if err != nil {
		t.Fatalf("the export does not verify: %v", err)
	}
	return done
}
