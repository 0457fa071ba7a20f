package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"copse/news"
	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// wire is a bare connection to the server of a world.
type wire struct {
	*client
	conn *net.TCPConn
	in   *bufio.Reader
}

// dial connects to an address as a client.
func (c *client) dial(addr string) *wire {
	c.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = conn.Close() })
	return &wire{c, conn.(*net.TCPConn), bufio.NewReader(conn)}
}

// head is the head of a request, with header lines added.
func (c *client) head(method, path string, lines ...string) string {
	lines = append([]string{method + " " + path + " HTTP/1.1", "Host: copse", "Cookie: copse=" + c.cookie, "Content-Type: application/json"}, lines...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// send sends bytes as they are.
func (w *wire) send(text string) {
	w.Helper()
	if _, err := io.WriteString(w.conn, text); err != nil {
		w.Fatal(err)
	}
}

// halfClose closes this half of the connection: nothing more comes.
func (w *wire) halfClose() {
	w.Helper()
	if err := w.conn.CloseWrite(); err != nil {
		w.Fatal(err)
	}
}

// answer is the next answer; ok is false where the connection ends before there is
// one.
func (w *wire) answer(method string) (r reply, ok bool) {
	w.Helper()
	res, err := http.ReadResponse(w.in, &http.Request{Method: method})
	if err != nil {
		return reply{}, false
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, false
	}
	return reply{res.StatusCode, res.Header, raw}, true
}

// goOn waits until the server has begun to read the body.
func (w *wire) goOn() {
	w.Helper()
	line, err := textproto.NewReader(w.in).ReadLine()
	if err != nil || line != "HTTP/1.1 100 Continue" {
		w.Fatalf("the server does not ask for the body: %q, %v", line, err)
	}
	if _, err := w.in.ReadString('\n'); err != nil {
		w.Fatal(err)
	}
}

// late is a listener that can end the time to read on its connections.
type late struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (l *late) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		l.conns = append(l.conns, conn)
		l.mu.Unlock()
	}
	return conn, err
}

// over ends the time to read on every connection.
func (l *late) over() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.conns {
		_ = conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// open serves a world by server.Serve, as the binary does.
func (w *world) open() *late {
	w.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	l := &late{Listener: on}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l, w.serve) }()
	w.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			w.Error(err)
		}
	})
	return l
}

// name is what the client is called at the moment.
func (c *client) name() string {
	c.Helper()
	var me struct{ Name string }
	c.ask("GET", "/api/me", "").is(c, 200).read(c, &me)
	return me.Name
}

// TestWhatDoesNotComeWholeIsNotDone sends requests of which a part is missing, or
// that make no sense on the wire, in every way that HTTP allows.
func TestWhatDoesNotComeWholeIsNotDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	on := w.open()
	anna := w.guest("Anna")
	const whole = `{"name":"Bert"}`
	id := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(id)
	leave := "/api/tables/" + id + "/leave"
	long := fmt.Sprintf("Content-Length: %d", len(whole)+100)
	waits := "Expect: 100-continue"
	for name, c := range map[string]struct {
		method, path string
		lines        []string
		body         string
		end          func(*wire)
		status       int
		key          string
	}{
		"less than was said, cut off":  {"PATCH", "/api/me", []string{long}, whole, (*wire).halfClose, 400, "server.cut"},
		"less than was said, stalled":  {"PATCH", "/api/me", []string{long, waits}, whole, func(w *wire) { w.goOn(); on.over() }, 408, "server.slow"},
		"nothing of it, cut off":       {"PATCH", "/api/me", []string{long}, "", (*wire).halfClose, 400, "server.cut"},
		"nothing of it, stalled":       {"PATCH", "/api/me", []string{long, waits}, "", func(w *wire) { w.goOn(); on.over() }, 408, "server.slow"},
		"chunks cut off in a chunk":    {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "ff\r\n" + whole, (*wire).halfClose, 400, "server.cut"},
		"chunks cut off between two":   {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "f\r\n" + whole + "\r\n", (*wire).halfClose, 400, "server.cut"},
		"chunks cut off in the last":   {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "f\r\n" + whole + "\r\n0", (*wire).halfClose, 400, "server.cut"},
		"chunks that stall":            {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked", waits}, "f\r\n" + whole + "\r\n", func(w *wire) { w.goOn(); on.over() }, 408, "server.slow"},
		"a chunk without a length":     {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "xyz\r\n" + whole + "\r\n0\r\n\r\n", (*wire).halfClose, 400, "server.cut"},
		"a chunk that is too short":    {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "e\r\n" + whole + "\r\n0\r\n\r\n", (*wire).halfClose, 400, "server.cut"},
		"a length beyond all":          {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "fffffffffffffffff\r\n" + whole, (*wire).halfClose, 400, "server.cut"},
		"more than is read":            {"PATCH", "/api/me", []string{"Transfer-Encoding: chunked"}, "20000\r\n" + strings.Repeat(" ", 0x20000) + "\r\n0\r\n\r\n", func(*wire) {}, 413, "server.large"},
		"no body is wanted, cut off":   {"POST", leave, []string{"Content-Length: 10"}, "{", (*wire).halfClose, 400, "server.cut"},
		"no body is wanted, stalled":   {"POST", leave, []string{"Content-Length: 10", waits}, "{", func(w *wire) { w.goOn(); on.over() }, 408, "server.slow"},
		"no body is wanted, no chunks": {"POST", leave, []string{"Transfer-Encoding: chunked"}, "none", (*wire).halfClose, 400, "server.cut"},
		"deletion, cut off":            {"DELETE", "/api/me", []string{"Content-Length: 10"}, "", (*wire).halfClose, 400, "server.cut"},
		"a question, cut off":          {"GET", "/api/me", []string{"Content-Length: 10"}, "", (*wire).halfClose, 400, "server.cut"},
		"a stream, cut off":            {"GET", "/api/stream", []string{"Content-Length: 10"}, "", (*wire).halfClose, 400, "server.cut"},
	} {
		line := anna.dial(on.Addr().String())
		line.send(anna.head(c.method, c.path, c.lines...) + c.body)
		c.end(line)
		r, ok := line.answer(c.method)
		if !ok {
			t.Errorf("%s: the connection is closed without an answer", name)
			continue
		}
		r.refuses(t, c.status, c.key)
		if _, err := line.in.ReadByte(); !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !strings.Contains(fmt.Sprint(err), "reset") {
			t.Errorf("%s: the connection goes on: %v", name, err)
		}
		_ = line.conn.Close()
	}
	if got := anna.name(); got != "Anna" {
		t.Errorf("she is called %s", got)
	}
	var s struct{ You *int }
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
	if s.You == nil {
		t.Error("she sits no more")
	}
}

// hungUp is a server to which every client seems to have hung up: each request
// comes whole, and reaches it when its context has ended.
func (w *world) hungUp() string {
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			w.Error(err)
		}
		<-r.Context().Done()
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		w.serve.ServeHTTP(rw, r)
	}))
	w.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// TestWhatComesWholeIsDoneAndAnswered closes its half of every connection after the
// request, as many clients do: each request is done, once, and answered.
func TestWhatComesWholeIsDoneAndAnswered(t *testing.T) {
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2,"pace":"days"}`, anna, ben)
	addr := w.hungUp()
	post := func(c *client, method, path, body string, lines ...string) reply {
		t.Helper()
		line := c.dial(addr)
		line.send(c.head(method, path, append(lines, fmt.Sprintf("Content-Length: %d", len(body)))...) + body)
		line.halfClose()
		r, ok := line.answer(method)
		if !ok {
			t.Fatalf("%s %s is not answered", method, path)
		}
		c.held(sending{method, path, body, http.Header{"Content-Type": {"application/json"}}}, r)
		return r
	}
	rng := seeded(3)
	at := "/api/tables/" + id
	for turn := range 30 {
		c := []*client{anna, ben}[anna.toAct(id)]
		m := c.moves(id)
		key, body := fmt.Sprintf("Idempotency-Key: %d", turn), draft(m.After, m.Moves[rng.IntN(len(m.Moves))])
		var first, again doneReply
		post(c, "POST", at+"/moves", body, key).is(t, 200).read(t, &first)
		post(c, "POST", at+"/moves", body, key).is(t, 200).read(t, &again)
		if first.Number != m.After+1 || again != first {
			t.Fatalf("move %d is entry %d, and the same again %d", turn, first.Number, again.Number)
		}
	}
	post(anna, "PATCH", "/api/me", `{"name":"Bea"}`).is(t, 200)
	if got := anna.name(); got != "Bea" {
		t.Errorf("she is called %s", got)
	}
	post(anna, "GET", at, "").is(t, 200)
	post(anna, "POST", at+"/chat", `{"text":"hello"}`).is(t, 201)
	post(anna, "POST", at+"/pause", "").is(t, 200)
	post(ben, "POST", at+"/answer", `{"for":"pause","yes":true}`).is(t, 200)
	post(anna, "POST", at+"/moves", `{"after":0`).refuses(t, 400, "json.object")
	post(anna, "DELETE", "/api/me", "").is(t, 204)
	if r := anna.ask("GET", "/api/me", ""); strings.Contains(string(r.body), "Bea") {
		t.Errorf("she is still there: %s", r.body)
	}
}

// doneReply is the answer to what happens at a table.
type doneReply struct{ Number int }

// TestEveryWayToSendAWholeRequest sends a name in pieces, in chunks, after 100
// Continue, and by several requests in one packet.
func TestEveryWayToSendAWholeRequest(t *testing.T) {
	w := newWorld(t)
	on := w.open()
	anna := w.guest("Anna")
	line := anna.dial(on.Addr().String())
	line.send(anna.head("PATCH", "/api/me", "Expect: 100-continue", "Transfer-Encoding: chunked"))
	line.goOn()
	line.send("5\r\n{\"nam\r\n")
	line.send("9\r\ne\":\"Bea\"}\r\n0\r\n\r\n")
	r, _ := line.answer("PATCH")
	r.is(t, 200)
	if got := anna.name(); got != "Bea" {
		t.Fatalf("she is called %s", got)
	}
	many := ""
	for _, name := range []string{"Cleo", "Dora", "Emma"} {
		body := `{"name":"` + name + `"}`
		many += anna.head("PATCH", "/api/me", fmt.Sprintf("Content-Length: %d", len(body))) + body
	}
	many += anna.head("GET", "/api/me")
	line.send(many)
	line.halfClose()
	for _, name := range []string{"Cleo", "Dora", "Emma", "Emma"} {
		r, ok := line.answer("PATCH")
		if !ok || r.status != 200 || !strings.Contains(string(r.body), name) {
			t.Fatalf("%s is answered %v %d %s", name, ok, r.status, r.body)
		}
	}
	// A request that is refused before its body is asked for is not sent one.
	line = w.nobody().dial(on.Addr().String())
	line.send(w.nobody().head("PATCH", "/api/me", "Expect: 100-continue", "Content-Length: 14"))
	r, _ = line.answer("PATCH")
	r.refuses(t, 401, "server.who")
}

// TestAStreamEndsWhenItsClientGoes listens for a day, longer than any other request
// may take; then the client hangs up or the server stops, and the stream ends at
// once.
func TestAStreamEndsWhenItsClientGoes(t *testing.T) {
	for _, stops := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			hub := news.NewHub()
			defer hub.Close()
			h := hall.New(hall.Options{News: hub})
			defer h.Stop()
			s, err := server.New(server.Options{Page: page(), Hall: h, Beat: 30 * time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			ctx, hangUp := context.WithCancel(t.Context())
			defer hangUp()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/api/stream", nil))
			}()
			time.Sleep(24 * time.Hour)
			select {
			case <-ended:
				t.Fatal("the stream ends by itself")
			default:
			}
			if stops {
				s.Stop()
			} else {
				hangUp()
			}
			synctest.Wait()
			select {
			case <-ended:
			default:
				t.Errorf("the stream goes on (the server stops: %v)", stops)
				s.Stop()
				hangUp()
			}
			<-ended
		})
	}
}

// doubtful is a store that writes appends and lines, and then says that they took
// too long, as the writer's queue does when the disk is slow.
type doubtful struct {
	store.Store
	mu   sync.Mutex
	fail error // nil: it does its work
}

func (d *doubtful) trouble() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fail
}

func (d *doubtful) set(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = err
}

func (d *doubtful) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	receipt, err := d.Store.Append(ctx, a)
	if trouble := d.trouble(); err == nil && trouble != nil {
		return store.Receipt{}, trouble
	}
	return receipt, err
}

func (d *doubtful) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	said, err := d.Store.Say(ctx, table, line, once)
	if trouble := d.trouble(); err == nil && trouble != nil {
		return store.ChatLine{}, trouble
	}
	return said, err
}

func (d *doubtful) DeleteAccount(ctx context.Context, person string) error {
	if err := d.Store.DeleteAccount(ctx, person); err != nil {
		return err
	}
	return d.trouble()
}

// TestWhatMayHaveBeenWrittenIsNeverRefused loses the answer of the store in every
// way that it can be lost: the client hears 503 and asks again, and it was done
// once.
func TestWhatMayHaveBeenWrittenIsNeverRefused(t *testing.T) {
	t.Parallel()
	var db *doubtful
	w := newWorld(t, func(h *hall.Options, _ *server.Options) {
		db = &doubtful{Store: h.Store}
		h.Store = db
	})
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2,"pace":"days"}`, anna, ben)
	at := "/api/tables/" + id
	rng := seeded(5)
	for n, lost := range []error{context.DeadlineExceeded, context.Canceled, errors.New("the line to the disk broke"),
		&store.Damage{Table: id, Number: -1, What: "nobody knows"}} {
		c := []*client{anna, ben}[anna.toAct(id)]
		m := c.moves(id)
		key, body := fmt.Sprintf("Idempotency-Key: %d", n), draft(m.After, m.Moves[rng.IntN(len(m.Moves))])
		db.set(lost)
		r := c.ask("POST", at+"/moves", body, key)
		r.refuses(t, 503, "server.unsure")
		if r.header.Get("Retry-After") == "" {
			t.Error("it is not said when to ask again")
		}
		db.set(nil)
		var done doneReply
		c.ask("POST", at+"/moves", body, key).is(t, 200).read(t, &done)
		if done.Number != m.After+1 {
			t.Errorf("after %v the move is entry %d, not %d", lost, done.Number, m.After+1)
		}
		db.set(lost)
		c.ask("POST", at+"/chat", `{"text":"hello"}`, key).refuses(t, 503, "server.unsure")
		db.set(nil)
		var line hall.ChatLine
		c.ask("POST", at+"/chat", `{"text":"hello"}`, key).is(t, 201).read(t, &line)
		if line.Number != n {
			t.Errorf("after %v the line is number %d, not %d", lost, line.Number, n)
		}
	}
	// What was surely not written is said to be so.
	db.set(fmt.Errorf("%w: %w", store.ErrUnwritten, store.ErrFull))
	c := []*client{anna, ben}[anna.toAct(id)]
	m := c.moves(id)
	c.ask("POST", at+"/moves", draft(m.After, m.Moves[0])).refuses(t, 503, "server.disk")
	db.set(nil)

	carl := w.guest("Carl")
	db.set(context.DeadlineExceeded)
	carl.ask("DELETE", "/api/me", "").refuses(t, 503, "server.unsure")
	db.set(nil)
}

// TestALineSaidAgainIsTheSame asks again, later: the answer is the same.
func TestALineSaidAgainIsTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(id)
	at := "/api/tables/" + id + "/chat"
	first := anna.ask("POST", at, `{"text":"hello"}`, "Idempotency-Key: 1").is(t, 201)
	w.wait(time.Minute)
	anna.ask("POST", at, `{"text":"well"}`, "Idempotency-Key: 2").is(t, 201)
	if again := anna.ask("POST", at, `{"text":"hello"}`, "Idempotency-Key: 1").is(t, 201); string(again.body) != string(first.body) {
		t.Errorf("first it is %s, then %s", first.body, again.body)
	}
	anna.ask("POST", at, `{"text":"other"}`, "Idempotency-Key: 1").refuses(t, 422, "server.key")
	var said struct{ Lines []json.RawMessage }
	anna.ask("GET", at, "").is(t, 200).read(t, &said)
	if len(said.Lines) != 2 {
		t.Errorf("%d lines were said", len(said.Lines))
	}
}

// TestAStreamOverTheWire: in HTTP/1.1 it comes in chunks and ends as an answer does
// when the server stops; in HTTP/1.0 it comes as it is, until the connection ends.
func TestAStreamOverTheWire(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	address := strings.TrimPrefix(w.url, "http://")
	ask := func(version string) *wire {
		c := anna.dial(address)
		c.send(strings.Replace(anna.head("GET", "/api/stream?table="+id), "HTTP/1.1", version, 1))
		return c
	}
	now, before := ask("HTTP/1.1"), ask("HTTP/1.0")
	res, err := http.ReadResponse(now.in, nil)
	if err != nil || len(res.TransferEncoding) != 1 || res.TransferEncoding[0] != "chunked" {
		t.Fatalf("%+v, %v", res, err)
	}
	old, err := http.ReadResponse(before.in, nil)
	if err != nil || len(old.TransferEncoding) != 0 {
		t.Fatalf("%+v, %v", old, err)
	}
	said := make(chan string, 2)
	for _, body := range []io.ReadCloser{res.Body, old.Body} {
		go func() {
			raw, err := io.ReadAll(body)
			if err != nil {
				t.Errorf("it ends with %v", err)
			}
			said <- string(raw)
		}()
	}
	listening := anna.listen("table=" + id)
	listening.next("look")
	w.guest("Ben").sit(id)
	listening.next("entry")
	w.serve.Stop()
	w.serve.Wait()
	for range 2 {
		if raw := <-said; !strings.Contains(raw, "event: look\n") || !strings.HasSuffix(raw, "\n\n") {
			t.Errorf("it says %s", raw)
		}
	}
}

// TestAnAnswerSaysHowLongItIs, whether it is short or long: none comes in chunks but a
// stream.
func TestAnAnswerSaysHowLongItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	for _, path := range []string{"/api/me", "/api/games", "/api/tables/" + id, "/api/tables/none"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := anna.ask(method, path, "")
			if n, err := strconv.Atoi(r.header.Get("Content-Length")); err != nil || method == http.MethodGet && n != len(r.body) || n == 0 {
				t.Errorf("%s %s has %d bytes and says %q", method, path, len(r.body), r.header.Get("Content-Length"))
			}
		}
	}
}
