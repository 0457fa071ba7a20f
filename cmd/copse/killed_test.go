package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/games"
	"copse/store/sqlite"
	"copse/table"
)

// served is a real `copse serve` in a process of its own, which can be killed and
// started again at the same address with the same data.
type served struct {
	t    *testing.T
	url  string
	addr string
	data string
	args []string // besides

	mu   sync.Mutex
	cmd  *exec.Cmd
	back chan struct{} // closed when the server answers again
}

func serveHere(t *testing.T) *served {
	t.Helper()
	s := &served{t: t, addr: ownAddress(t), data: t.TempDir(), back: make(chan struct{})}
	s.url = "http://" + s.addr
	s.start()
	t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	return s
}

// addresses counts the addresses that were tried, so that tests that run at the
// same time get different ones.
var addresses atomic.Int64

// ownAddress is an address that nobody else gets while the server is dead: its port
// is below those that systems hand out to programs that ask for any.
func ownAddress(t *testing.T) string {
	t.Helper()
	const least, many = 20_000, 10_000
	for range many {
		on, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", least+(os.Getpid()+int(addresses.Add(1)))%many))
		if err != nil {
			continue // taken
		}
		addr := on.Addr().String()
		if err := on.Close(); err != nil {
			t.Fatal(err)
		}
		return addr
	}
	t.Fatal("no port is free")
	return ""
}

// start starts the server and waits until it says where it is.
func (s *served) start() {
	s.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"serve", "--addr", s.addr, "--data", s.data, "--requests=-1"}, s.args...)...)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(said, "Copse is at ") {
		s.t.Fatalf("it said %q, %v, and %s", said, err, told.String())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cmd = cmd
	close(s.back)
	s.back = make(chan struct{})
}

// kill kills the server, and starts it again.
func (s *served) kill() {
	s.mu.Lock()
	cmd := s.cmd
	s.mu.Unlock()
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // Wait reports that it was killed
	s.start()
}

// guest is a person at that server.
type guest struct {
	*served
	cookie string
	heard  []int // the numbers of the entries that the streams told
	looks  int
	last   string // the last id of an event
	over   chan struct{}
}

// try sends a request, again and again until there is an answer.
func (g *guest) try(method, path, body, key string) []byte {
	for {
		g.mu.Lock()
		back := g.back
		g.mu.Unlock()
		raw, err := g.once(method, path, body, key)
		if err == nil {
			return raw
		}
		select {
		case <-back: // by now, or soon
		case <-g.t.Context().Done():
			return nil
		default:
		}
	}
}

func (g *guest) once(method, path, body, key string) ([]byte, error) {
	req, err := http.NewRequest(method, g.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if g.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "copse", Value: g.cookie})
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusServiceUnavailable {
		return nil, fmt.Errorf("%s", raw)
	}
	if res.StatusCode >= 300 {
		g.t.Errorf("%s %s %s is answered %d %s", method, path, body, res.StatusCode, raw)
	}
	for _, c := range res.Cookies() {
		g.cookie = c.Value
	}
	return raw, nil
}

// follow hears a table through any number of streams, until the game ends.
func (g *guest) follow(ctx context.Context, id string) {
	defer close(g.over)
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url+"/api/stream?table="+id, nil)
		if err != nil {
			g.t.Error(err)
			return
		}
		req.AddCookie(&http.Cookie{Name: "copse", Value: g.cookie})
		req.Header.Set("Last-Event-ID", g.last)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			continue // the server is being started again
		}
		done := g.hear(bufio.NewReader(res.Body))
		_ = res.Body.Close()
		if done {
			return
		}
	}
}

// hear reads a stream, and tells whether it told the end.
func (g *guest) hear(lines *bufio.Reader) bool {
	var name, last string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = rest
		}
		if rest, ok := strings.CutPrefix(line, "id: "); ok {
			last = rest
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || name != "entry" && name != "look" {
			continue
		}
		g.last = last
		if name == "look" {
			g.looks++
			continue
		}
		var e struct {
			Number int
			Entry  struct{ Do string }
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			g.t.Error(err)
			return true
		}
		g.heard = append(g.heard, e.Number)
		if e.Entry.Do == "end" {
			return true
		}
	}
}

// TestKilledInMidGame: the server dies again and again while two people play. Every
// move that was acknowledged is there once, what was not is sent again with its
// key, and each stream goes on where it was.
func TestKilledInMidGame(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	rng := rand.New(rand.NewPCG(7, 7))
	people := []*guest{{served: s, over: make(chan struct{})}, {served: s, over: make(chan struct{})}}
	id := together(t, "bosk", people...)
	at := "/api/tables/" + id
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, g := range people {
		go g.follow(ctx, id)
	}
	people[0].try("POST", at+"/start", "", "start")
	kills, acknowledged := 0, 0
	for n := 0; ; n++ {
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(people[0].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		if len(m.ToAct) == 0 {
			break
		}
		draft, err := json.Marshal(map[string]any{"after": m.After, "moves": m.Moves[rng.IntN(len(m.Moves)):][:1]})
		if err != nil {
			t.Fatal(err)
		}
		var dying sync.WaitGroup
		if n%8 == 3 { // while the move is on its way
			kills++
			dying.Go(s.kill)
		}
		var done struct{ Number int }
		if err := json.Unmarshal(people[m.ToAct[0]].try("POST", at+"/moves", string(draft), fmt.Sprint("move", n)), &done); err != nil {
			t.Fatal(err)
		}
		dying.Wait()
		if done.Number <= m.After {
			t.Fatalf("a move after %d is answered by %d", m.After, done.Number)
		}
		acknowledged++
	}
	for _, g := range people {
		<-g.over
	}
	export := people[0].try("GET", at+"/export", "", "")
	log, err := table.Verify(table.NewShelf(games.All()...), export)
	if err != nil {
		t.Fatal(err)
	}
	moves := bytes.Count(export, []byte(`"do":"move"`))
	if moves != acknowledged || kills < 5 {
		t.Errorf("%d moves were acknowledged, %d are there, after %d deaths", acknowledged, moves, kills)
	}
	for i, g := range people {
		for k, n := range g.heard {
			if k > 0 && n != g.heard[k-1]+1 {
				t.Errorf("guest %d heard %d after %d", i, n, g.heard[k-1])
			}
		}
		if g.looks != 1 || g.heard[len(g.heard)-1] != log.Len()-1 {
			t.Errorf("guest %d was shown the table %d times and heard up to %d of %d", i, g.looks, g.heard[len(g.heard)-1], log.Len()-1)
		}
	}
}

// TestKilledForTwentyMinutes: a server dies with five minutes on a clock and is
// started again twenty minutes later; the clock shows five minutes. The test does
// not wait: it gives the store the beats that there would have been, and house time
// goes on from the last of them.
func TestKilledForTwentyMinutes(t *testing.T) {
	s := serveHere(t)
	people := []*guest{{served: s}, {served: s}}
	id := together(t, "bosk", people...)
	at := "/api/tables/" + id
	people[0].try("POST", at+"/start", "", "start")

	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // Wait reports that it was killed
	db, err := sqlite.Open(filepath.Join(s.data, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	log, err := db.Read(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	died := log[len(log)-1].At.Add(5 * time.Minute)
	back := died.Add(20 * time.Minute)
	for _, beat := range []struct {
		at  time.Time
		gap time.Duration
	}{{died, time.Hour}, {back, 15 * time.Second}} { // the house was at work until it died, and then away
		if _, err := db.Beat(t.Context(), beat.at, beat.gap); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()

	var seen struct {
		Look struct {
			Number int
			Clock  struct {
				Left  []int64
				Seat  *int
				Until int64
			}
			People struct{ Seats []struct{ Held string } }
		}
	}
	if err := json.Unmarshal(people[1].try("GET", at, "", ""), &seen); err != nil {
		t.Fatal(err)
	}
	const left = 5 * time.Minute
	if seat := seen.Look.Clock.Seat; seat == nil || seen.Look.Clock.Left[*seat] != left.Milliseconds() || seen.Look.Clock.Until != back.Add(left).UnixMilli() {
		t.Errorf("the clocks show %+v", seen.Look.Clock)
	}
	for seat, p := range seen.Look.People.Seats {
		if p.Held != "person" {
			t.Errorf("seat %d is held by %s", seat, p.Held)
		}
	}
	if seen.Look.Number != len(log) {
		t.Errorf("%d entries came", seen.Look.Number+1-len(log))
	}
}
