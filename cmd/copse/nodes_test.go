package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"

	"copse/store/postgres"
	"copse/store/postgres/pgtest"
)

// wire carries bytes between a node and a part of its house, and can be cut.
type wire struct {
	on   net.Listener
	to   func() (net.Conn, error)
	mu   sync.Mutex
	cut  bool
	open map[net.Conn]bool
	all  sync.WaitGroup
}

func newWire(t *testing.T, network, address string) *wire {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{on: on, to: func() (net.Conn, error) { return net.Dial(network, address) }, open: map[net.Conn]bool{}}
	w.all.Go(w.accept)
	t.Cleanup(func() {
		_ = on.Close()
		w.set(true)
		w.all.Wait()
	})
	return w
}

func (w *wire) accept() {
	for {
		near, err := w.on.Accept()
		if err != nil {
			return
		}
		w.mu.Lock()
		to := w.to
		w.mu.Unlock()
		far, err := to()
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		if w.cut {
			_, _ = near.Close(), far.Close()
		} else {
			w.open[near], w.open[far] = true, true
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				w.all.Go(func() {
					_, _ = io.Copy(way[0], way[1])
					_, _ = near.Close(), far.Close()
				})
			}
		}
		w.mu.Unlock()
	}
}

// set cuts the wire, or mends it.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for c := range w.open {
			_ = c.Close()
		}
		clear(w.open)
	}
}

func (w *wire) addr() string { return w.on.Addr().String() }

// carrierHere starts a NATS server in this process, and says where it is.
func carrierHere(t testing.TB) string {
	t.Helper()
	s, err := natsd.NewServer(&natsd.Options{Host: "127.0.0.1", Port: natsd.RANDOM_PORT, NoLog: true, NoSigs: true})
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
	return s.Addr().String()
}

// quarter is what the nodes of a house share.
type quarter struct {
	t     *testing.T
	store string // the address of the database
	news  string
	key   string // the file of the key; empty before the first node
	args  []string
}

func newQuarter(t *testing.T) *quarter {
	t.Helper()
	return &quarter{t: t, store: pgtest.Shared(t).Database(t, "", nil), news: carrierHere(t)}
}

// base is the database as a wire leads to it.
func (q *quarter) base(w *wire) string {
	head, _, _ := strings.Cut(q.store, "?")
	return strings.Replace(head, "@/", "@"+w.addr()+"/", 1) + "?sslmode=disable"
}

// prepare is a node that is not started yet.
func (q *quarter) prepare(store, news string) *served {
	q.t.Helper()
	s := &served{t: q.t, addr: ownAddress(q.t), data: q.t.TempDir(), back: make(chan struct{})}
	s.url = "http://" + s.addr
	s.args = append([]string{"--store", store, "--news", "nats://" + news, "--drain", "0s"}, q.args...)
	if q.key != "" {
		if err := os.WriteFile(filepath.Join(s.data, keyName), read(q.t, q.key), 0o600); err != nil {
			q.t.Fatal(err)
		}
	}
	return s
}

// node starts a node.
func (q *quarter) node(store, news string) *served {
	q.t.Helper()
	s := q.prepare(store, news)
	s.start()
	if q.key == "" {
		q.key = filepath.Join(s.data, keyName)
	}
	q.t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	return s
}

// stop has a node stop in peace.
func (s *served) stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("it did not stop in peace: %v\n%s", err, s.cmd.Stderr)
	}
}

// ask asks a node once.
func (s *served) ask(path string) (status int, header http.Header, body string) {
	s.t.Helper()
	r, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := io.ReadAll(r.Body)
	if err = joined(err, r.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return r.StatusCode, r.Header, string(raw)
}

func joined(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// turns plays a game of two people, each at a node of their own, until somebody has
// enough of it; -1 for never. It gives how many moves were made.
func turns(t *testing.T, at string, people []*guest, first, most int) int {
	t.Helper()
	for n := first; most < 0 || n < first+most; n++ {
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(people[n%2].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		if len(m.ToAct) == 0 {
			return n
		}
		mover := people[m.ToAct[0]]
		if err := json.Unmarshal(mover.try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		draft, err := json.Marshal(map[string]any{"after": m.After, "moves": m.Moves[len(m.Moves)/2:][:1]})
		if err != nil {
			t.Fatal(err)
		}
		mover.try("POST", at+"/moves", string(draft), fmt.Sprint("move", n))
	}
	return first + most
}

// TestTwoNodesServeOneGame: two people play at two nodes over one database, each hears
// everything at their own, and both nodes and the database give the same game.
func TestTwoNodesServeOneGame(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a := q.node(q.store, q.news)
	b := q.node(q.store, q.news)
	people := []*guest{{served: a, over: make(chan struct{})}, {served: b, over: make(chan struct{})}}
	id := together(t, "bosk", people...)
	at := "/api/tables/" + id
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, g := range people {
		go g.follow(ctx, id)
	}
	people[0].try("POST", at+"/start", "", "start")
	turns(t, at, people, 0, -1)
	for i, g := range people {
		<-g.over
		for k, n := range g.heard {
			if k > 0 && n != g.heard[k-1]+1 {
				t.Errorf("guest %d heard %d after %d", i, n, g.heard[k-1])
			}
		}
		if g.looks != 1 {
			t.Errorf("guest %d was shown the table %d times", i, g.looks)
		}
	}
	export := runs(t, "export", id, "--url", a.url)
	for _, from := range [][]string{{"--url", b.url}, {"--store", q.store}} {
		if got := runs(t, append([]string{"export", id}, from...)...); got != export {
			t.Errorf("%v exports another game", from)
		}
	}
	fails(t, `no table is called "nowhere"`, "export", "nowhere", "--store", q.store)

	list := runs(t, "nodes", "--store", q.store, "--news", "nats://"+q.news)
	if strings.Count(list, " up ") != 2 || !strings.Contains(list, "NATS answers in ") {
		t.Errorf("the nodes are\n%s", list)
	}
	fails(t, "NATS cannot be reached", "nodes", "--store", q.store, "--news", "nats://127.0.0.1:1")
	b.stop()
	if list := runs(t, "nodes", "--store", q.store); strings.Count(list, " up ") != 1 {
		t.Errorf("of two nodes one has stopped, and they are\n%s", list)
	}
	a.stop()
	if list := runs(t, "nodes", "--store", q.store); list != "no node serves this house\n" {
		t.Errorf("all nodes have stopped, and they are\n%s", list)
	}
}

// TestAllNodesHaveOneKey: a node without the key of the house, or with another, ends
// with a message, and makes none.
func TestAllNodesHaveOneKey(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a := q.node(q.store, q.news)
	folder := t.TempDir()
	args := []string{"serve", "--addr", "127.0.0.1:0", "--data", folder, "--store", q.store, "--news", "nats://" + q.news}
	fails(t, "belongs to a house whose key is not here: copy the file", args...)
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("it leaves %v, %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(folder, keyName), []byte(strings.Repeat("00", keyLength)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, "belongs to a house with another key", args...)
	if err := os.WriteFile(filepath.Join(folder, keyName), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, "is no key", args...)
	if status, _, _ := a.ask("/readyz"); status != http.StatusOK {
		t.Errorf("the node that has the key is %d", status)
	}
}

// TestAKeyThatCameTooLateIsThrownAway: of two houses that take an empty database at the
// same moment one gets it, and the other leaves no key behind.
func TestAKeyThatCameTooLateIsThrownAway(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	socket := pgtest.Shared(t).Socket()
	w := newWire(t, "unix", socket)
	dials := 0
	w.mu.Lock()
	w.to = func() (net.Conn, error) {
		if dials++; dials == 2 { // it was asked whether the database is taken, and now it is
			other, err := postgres.Open(context.Background(), q.store, postgres.Options{Key: []byte("another")})
			if err := joined(err, other.Close()); err != nil {
				return nil, err
			}
		}
		return net.Dial("unix", socket)
	}
	w.mu.Unlock()
	folder := t.TempDir()
	_, _, err := partsFlags{Store: q.base(w)}.openStore(t.Context(), filepath.Join(folder, keyName))
	if err == nil || !isFinal(err) || !strings.Contains(err.Error(), "whose key is not here") {
		t.Errorf("who comes second is told %v", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("it leaves %v, %v", list, err)
	}
}

// TestNodesThatStartTogetherHaveOneKey: over one folder, and an empty database.
func TestNodesThatStartTogetherHaveOneKey(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	first := q.prepare(q.store, q.news)
	second := q.prepare(q.store, q.news)
	second.data = first.data
	var both sync.WaitGroup
	for _, s := range []*served{first, second} {
		both.Go(s.start)
	}
	both.Wait()
	for _, s := range []*served{first, second} {
		for status := 0; status != http.StatusOK; status, _, _ = s.ask("/readyz") { // on a busy machine the store may be slow
		}
		s.stop()
	}
	if list, err := os.ReadDir(first.data); err != nil || len(list) != 1 || list[0].Name() != keyName {
		t.Errorf("in the folder there are %v, %v", list, err)
	}
}

// TestANodeWaitsForItsDatabase: it answers that it lives, and why it does not serve, and
// tells everybody else to come back; and it serves once it may.
func TestANodeWaitsForItsDatabase(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	w := newWire(t, "unix", pgtest.Shared(t).Socket())
	w.set(true)
	s := q.prepare(q.base(w), q.news)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"serve", "--addr", s.addr, "--data", s.data}, s.args...)...)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // for a test that fails
	log := bufio.NewReader(told)
	line, err := log.ReadString('\n')
	if err != nil || !strings.Contains(line, "does not serve yet") || !strings.Contains(line, "The database cannot be reached") {
		t.Fatalf("its log says %s, %v", line, err)
	}
	if status, _, body := s.ask("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz: %d %s", status, body)
	}
	if status, _, body := s.ask("/readyz"); status != http.StatusServiceUnavailable || !strings.HasPrefix(body, "The database cannot be reached") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	for path, want := range map[string]string{"/": "Copse starts", "/api/games": `"key":"server.stops"`} {
		status, header, body := s.ask(path)
		if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || header.Get("Content-Security-Policy") == "" || !strings.Contains(body, want) {
			t.Errorf("%s: %d %v %s", path, status, header, body)
		}
	}
	if _, err := os.Stat(filepath.Join(s.data, keyName)); err == nil {
		t.Error("it has made a key of which the database does not know")
	}
	w.set(false)
	at, err := bufio.NewReader(said).ReadString('\n')
	if err != nil || !strings.HasPrefix(at, "Copse is at ") {
		t.Fatalf("it says %q, %v", at, err)
	}
	if status, _, body := s.ask("/readyz"); status != http.StatusOK {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(log)
	if err := cmd.Wait(); err != nil || bytes.Contains(rest, []byte("does not serve yet")) {
		t.Errorf("it ends with %v, and has said it again: %s", err, rest)
	}
}

// TestANodeThatWaitsCanBeStopped.
func TestANodeThatWaitsCanBeStopped(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	w := newWire(t, "unix", pgtest.Shared(t).Socket())
	w.set(true)
	s := q.prepare(q.base(w), q.news)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"serve", "--addr", s.addr, "--data", s.data}, s.args...)...)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // for a test that fails
	if _, err := bufio.NewReader(told).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// TestANodeThatIsToldToStopSaysSoFirst: for a while it serves on, and whoever asks
// whether to send people there is told no. A second signal does not wait.
func TestANodeThatIsToldToStopSaysSoFirst(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	s := q.prepare(q.store, q.news)
	s.args[len(s.args)-1] = "1h"
	s.start()
	defer func() { _ = s.cmd.Process.Kill() }() // for a test that fails
	if status, _, body := s.ask("/readyz"); status != http.StatusOK {
		t.Fatalf("before, it says %d %s", status, body)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for { // until it has heard
		status, _, body := s.ask("/readyz")
		if status == http.StatusServiceUnavailable {
			if body != "The server stops.\n" {
				t.Errorf("it says %s", body)
			}
			break
		}
	}
	for path, want := range map[string]int{"/healthz": 200, "/api/games": 200} {
		if status, _, body := s.ask(path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err == nil {
		t.Error("a second signal waits")
	}
}
