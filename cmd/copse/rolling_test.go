package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"copse/games"
	"copse/store/postgres/pgtest"
	"copse/table"
)

// wanderer is a person who goes to another node where theirs does not answer, as a
// browser behind a proxy does.
type wanderer struct {
	t      *testing.T
	nodes  []*served
	cookie string

	mu   sync.Mutex
	here int // the node that answered last

	log []string // of the stream: "up", "hint 700", "entry 7", "down", "refused"
}

// at is the node that is asked next; gone says that the last one did not answer.
func (w *wanderer) at(gone bool) *served {
	w.mu.Lock()
	defer w.mu.Unlock()
	if gone {
		w.here = (w.here + 1) % len(w.nodes)
	}
	return w.nodes[w.here]
}

// try asks until somebody answers. Nothing is lost by asking again: it has its key.
func (w *wanderer) try(method, path, body, key string) []byte {
	for node := w.at(false); ; node = w.at(true) {
		w.mu.Lock()
		g := &guest{served: node, cookie: w.cookie}
		w.mu.Unlock()
		raw, err := g.once(method, path, body, key)
		if err == nil {
			w.mu.Lock()
			w.cookie = g.cookie
			w.mu.Unlock()
			return raw
		}
		if w.t.Context().Err() != nil {
			return nil
		}
	}
}

// follow hears a table until its game is over.
func (w *wanderer) follow(ctx context.Context, id string, done chan<- struct{}) {
	defer close(done)
	last, node := "", w.at(false)
	w.mu.Lock()
	cookie := w.cookie
	w.mu.Unlock()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, node.url+"/api/stream?table="+id, nil)
		if err != nil {
			w.t.Error(err)
			return
		}
		req.AddCookie(&http.Cookie{Name: "copse", Value: cookie})
		req.Header.Set("Last-Event-ID", last)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			if err == nil {
				_ = res.Body.Close()
			}
			w.log = append(w.log, "refused")
		} else {
			w.log = append(w.log, "up")
			over := w.hear(bufio.NewReader(res.Body), &last)
			_ = res.Body.Close()
			if over {
				return
			}
			w.log = append(w.log, "down")
		}
		for i, other := range w.nodes { // the next one
			if other == node {
				node = w.nodes[(i+1)%len(w.nodes)]
				break
			}
		}
	}
}

func (w *wanderer) hear(lines *bufio.Reader, last *string) (over bool) {
	name, id := "", ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		line = strings.TrimSpace(line)
		if wait, ok := strings.CutPrefix(line, "retry: "); ok {
			w.log = append(w.log, "hint "+wait)
		}
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = rest
		}
		if rest, ok := strings.CutPrefix(line, "id: "); ok {
			id = rest
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		switch name {
		case "look":
			*last = id
			w.log = append(w.log, "look")
		case "entry":
			*last = id
			var e struct {
				Number int
				Entry  struct{ Do string }
			}
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				w.t.Error(err)
				return true
			}
			w.log = append(w.log, fmt.Sprint("entry ", e.Number))
			if e.Entry.Do == "end" {
				return true
			}
		}
	}
}

// judge reads what a stream has gone through: it tells every entry once and in order,
// and after it has gone down it is back at the other node, after the time that it was
// told and no more than two tries: that is less than three seconds.
func (w *wanderer) judge(last int) (downs int) {
	next, hint, refused, looks := -1, 0, 0, 0
	for i, what := range w.log {
		var n int
		switch {
		case what == "look":
			looks++
		case what == "refused":
			if refused++; refused > 2 {
				w.t.Errorf("nobody takes the stream: %v", w.log[max(0, i-8):i+1])
			}
		case what == "up":
			if wait := hint + 250*refused; wait > 3000 {
				w.t.Errorf("the stream is away for %d ms", wait)
			}
			refused = 0
		case what == "down":
			downs++
			if i == 0 || !strings.HasPrefix(w.log[i-1], "hint ") {
				w.t.Errorf("a stream has ended without a word: %v", w.log[max(0, i-4):i+1])
			}
		case count1(what, "hint %d", &n):
			hint = n
		case count1(what, "entry %d", &n):
			if next >= 0 && n != next {
				w.t.Errorf("entry %d is told in place of %d", n, next)
			}
			next = n + 1
		}
	}
	if looks != 1 || next != last+1 {
		w.t.Errorf("the table was shown %d times, and told up to %d of %d", looks, next-1, last)
	}
	return downs
}

func count1(text, form string, n *int) bool {
	_, err := fmt.Sscanf(text, form, n)
	return err == nil
}

// TestARollingRestart: two nodes are stopped and started one after the other while a
// game is played. No move is lost or doubled, every stream is soon back at the other
// node, where it goes on, and all are sent away in order.
func TestARollingRestart(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	nodes := []*served{q.node(q.store, q.news), q.node(q.store, q.news)}
	people := []*wanderer{{t: t, nodes: nodes}, {t: t, nodes: nodes, here: 1}}
	var made struct{ Table string }
	for i, p := range people {
		p.try("POST", "/api/me", fmt.Sprintf(`{"name":"Guest %d"}`, i), "")
	}
	if err := json.Unmarshal(people[0].try("POST", "/api/tables", `{"game":"bosk","seats":2}`, "table"), &made); err != nil {
		t.Fatal(err)
	}
	at := "/api/tables/" + made.Table
	for _, p := range people {
		p.try("POST", at+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, "sit")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var ends []chan struct{}
	for _, p := range people {
		end := make(chan struct{})
		ends = append(ends, end)
		go p.follow(ctx, made.Table, end)
	}
	people[0].try("POST", at+"/start", "", "start")
	acknowledged := 0
	for n := 0; ; n++ {
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(people[n%2].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		if len(m.ToAct) == 0 {
			break
		}
		mover := people[m.ToAct[0]]
		if err := json.Unmarshal(mover.try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		draft := fmt.Sprintf(`{"after":%d,"moves":[%s]}`, m.After, m.Moves[len(m.Moves)/2])
		var rolling sync.WaitGroup
		if n == 3 || n == 6 { // while a move is on its way
			node := nodes[n/3-1]
			rolling.Go(func() {
				node.stop()
				node.start()
			})
		}
		mover.try("POST", at+"/moves", draft, fmt.Sprint("move", n))
		rolling.Wait()
		acknowledged++
	}
	for _, end := range ends {
		<-end
	}
	export := runs(t, "export", made.Table, "--store", q.store)
	played, err := table.Verify(table.NewShelf(games.All()...), []byte(export))
	if err != nil {
		t.Fatal(err)
	}
	if moves := strings.Count(export, `"do":"move"`); moves != acknowledged || acknowledged < 7 {
		t.Errorf("%d moves were acknowledged, and %d are there", acknowledged, moves)
	}
	downs := 0
	for _, p := range people {
		downs += p.judge(played.Len() - 1)
	}
	if downs < 2 {
		t.Errorf("streams went down %d times: nothing was proven", downs)
	}
}

// TestAPartIsPulled: while the database is cut off, moves are answered that one should
// try again, and a stream stays; while NATS is, everything goes on, and is told at the
// other node too.
func TestAPartIsPulled(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	base := newWire(t, "unix", pgtest.Shared(t).Socket())
	bus := newWire(t, "tcp", q.news)
	a := q.node(q.base(base), bus.addr())
	b := q.node(q.store, bus.addr())
	people := []*guest{{served: a, over: make(chan struct{})}, {served: b, over: make(chan struct{})}}
	id := together(t, "bosk", people...)
	at := "/api/tables/" + id
	people[0].try("POST", at+"/start", "", "start")
	turns(t, at, people, 0, 2)
	stream := func(g *guest) *bufio.Reader {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+"/api/stream?table="+id, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.AddCookie(&http.Cookie{Name: "copse", Value: g.cookie})
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return bufio.NewReader(res.Body)
	}
	// told reads a stream until it tells an entry; where the stream ends that fails.
	told := func(lines *bufio.Reader, number int) {
		t.Helper()
		for want := fmt.Sprintf(`"number":%d,`, number); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("a stream has ended: %v", err)
			}
			if strings.HasPrefix(line, "data: ") && strings.Contains(line, want) {
				return
			}
		}
	}
	hears := []*bufio.Reader{stream(people[0]), stream(people[1])}
	number := func() int {
		var m struct{ After int }
		if err := json.Unmarshal(people[1].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		return m.After
	}
	for _, lines := range hears {
		told(lines, number())
	}

	base.set(true)
	for method, path := range map[string]string{"POST": at + "/moves", "GET": at} {
		req, err := http.NewRequest(method, a.url+path, strings.NewReader(`{"after":1,"moves":[{}]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.AddCookie(&http.Cookie{Name: "copse", Value: people[0].cookie})
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
			t.Errorf("without its database a node answers %s with %d %v", method, res.StatusCode, res.Header)
		}
	}
	if status, _, body := a.ask("/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("without its database a node is ready: %s", body)
	}
	if status, _, _ := a.ask("/healthz"); status != http.StatusOK {
		t.Errorf("without its database a node is not well: %d", status)
	}
	both := []*guest{{served: b, cookie: people[0].cookie}, people[1]}
	turns(t, at, both, 2, 2)
	told(hears[1], number())
	base.set(false)
	told(hears[0], number())

	bus.set(true)
	turns(t, at, people, 4, 3)
	for _, lines := range hears {
		told(lines, number())
	}
	bus.set(false)
	turns(t, at, people, 7, 1)
	for _, lines := range hears {
		told(lines, number())
	}
}
