package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/store/sqlite"
	"copse/table"
)

// sufferer is a table whose two players never give up: what was not answered they
// send again under its key, and their stream goes on where it was.
type sufferer struct {
	*served
	client  *http.Client
	game    string
	rng     *rand.Rand
	cookies [2]string
	table   string
	sent    map[string][]string // by table, the moves that were acknowledged, in their order
	heard   map[string]int      // by table, the last entry that the stream told
	acks    chan<- struct{}
	longest time.Duration // the longest time from a request without an answer to the answer
}

// ask sends a request until it is answered.
func (p *sufferer) ask(ctx context.Context, who int, method, path, body, key string) ([]byte, error) {
	for begun, tries := time.Now(), 0; ; tries++ {
		p.mu.Lock()
		back := p.back
		p.mu.Unlock()
		raw, answered, err := p.once(ctx, who, method, path, body, key)
		if answered || ctx.Err() != nil {
			if tries > 0 {
				p.longest = max(p.longest, time.Since(begun))
			}
			return raw, err
		}
		select {
		case <-back:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (p *sufferer) request(ctx context.Context, who int, method, path, body, key string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if c := p.cookies[who]; c != "" {
		req.AddCookie(&http.Cookie{Name: "copse", Value: c})
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return p.client.Do(req)
}

func (p *sufferer) once(ctx context.Context, who int, method, path, body, key string) (raw []byte, answered bool, err error) {
	res, err := p.request(ctx, who, method, path, body, key)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = res.Body.Close() }()
	if raw, err = io.ReadAll(res.Body); err != nil {
		return nil, false, err
	}
	for _, c := range res.Cookies() {
		p.cookies[who] = c.Value
	}
	if res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s %s is answered %d %s", method, path, body, res.StatusCode, raw)
	}
	return raw, true, err
}

// sit sets a table and starts the game.
func (p *sufferer) sit(ctx context.Context) error {
	var made struct{ Table string }
	raw, err := p.ask(ctx, 0, "POST", "/api/tables", `{"game":"`+p.game+`","seats":2}`, "")
	if err == nil {
		err = json.Unmarshal(raw, &made)
	}
	p.table = made.Table
	for who := range p.cookies {
		if err == nil {
			_, err = p.ask(ctx, who, "POST", "/api/tables/"+p.table+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, "sit")
		}
	}
	if err == nil {
		_, err = p.ask(ctx, 0, "POST", "/api/tables/"+p.table+"/start", "", "start")
	}
	return err
}

// live plays game after game until it is told to stop.
func (p *sufferer) live(ctx context.Context, stop <-chan struct{}) error {
	for who := range p.cookies {
		if _, err := p.ask(ctx, who, "POST", "/api/me", fmt.Sprintf(`{"name":"Guest %d"}`, who), ""); err != nil {
			return err
		}
	}
	for {
		if err := p.sit(ctx); err != nil {
			return err
		}
		ended := make(chan error, 1)
		listening, hangUp := context.WithCancel(ctx)
		go func() { ended <- p.follow(listening) }()
		stopped, err := p.play(ctx, stop)
		if err != nil || stopped {
			hangUp()
			<-ended
			return err
		}
		err = <-ended // until it hears the end
		hangUp()
		if err != nil {
			return err
		}
	}
}

// play plays a game to its end, or until it is told to stop.
func (p *sufferer) play(ctx context.Context, stop <-chan struct{}) (stopped bool, err error) {
	at := "/api/tables/" + p.table + "/moves"
	for {
		select {
		case <-stop:
			return true, nil
		default:
		}
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		for range 2 { // first as anyone, to see whose move it is, then as the seat that may move
			who := 0
			if len(m.ToAct) == 1 {
				who = m.ToAct[0]
			}
			raw, err := p.ask(ctx, who, "GET", at, "", "")
			if err == nil {
				err = json.Unmarshal(raw, &m)
			}
			if err != nil {
				return false, err
			}
			if len(m.ToAct) == 0 {
				return false, nil
			}
		}
		move := m.Moves[p.rng.IntN(len(m.Moves))]
		raw, err := p.ask(ctx, m.ToAct[0], "POST", at, fmt.Sprintf(`{"after":%d,"moves":[%s]}`, m.After, move), fmt.Sprint("move", m.After))
		if err != nil {
			return false, err
		}
		var done struct{ Number int }
		if err := json.Unmarshal(raw, &done); err != nil || done.Number <= m.After {
			return false, fmt.Errorf("a move after %d is answered by %s, %w", m.After, raw, err)
		}
		p.sent[p.table] = append(p.sent[p.table], string(move))
		select {
		case p.acks <- struct{}{}:
		case <-stop:
			return true, nil
		}
	}
}

// follow hears the game of a table through any number of streams: every entry once,
// in its order.
func (p *sufferer) follow(ctx context.Context) error {
	id, last := p.table, ""
	for ctx.Err() == nil {
		p.mu.Lock()
		back := p.back
		p.mu.Unlock()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/stream?table="+id, nil)
		if err != nil {
			return err
		}
		req.AddCookie(&http.Cookie{Name: "copse", Value: p.cookies[0]})
		req.Header.Set("Last-Event-ID", last)
		if res, err := p.client.Do(req); err == nil {
			over, err := p.hear(id, bufio.NewScanner(res.Body), &last)
			_ = res.Body.Close()
			if over || err != nil {
				return err
			}
		}
		select {
		case <-back:
		case <-ctx.Done():
		}
	}
	return nil
}

// hear reads one stream, and tells whether it told the end.
func (p *sufferer) hear(id string, lines *bufio.Scanner, last *string) (over bool, err error) {
	lines.Buffer(nil, 1<<20)
	name, at := "", ""
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = rest
		}
		if rest, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			at = rest
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || name != "entry" && name != "look" {
			continue
		}
		var e struct {
			Number int
			Entry  struct{ Do string }
			Look   struct{ Number int }
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return false, err
		}
		if name == "look" {
			e.Number = e.Look.Number
			if *last != "" {
				return false, fmt.Errorf("the stream of %s began anew at %d, after %s", id, e.Number, *last)
			}
		} else if e.Number != p.heard[id]+1 {
			return false, fmt.Errorf("the stream of %s told %d after %d", id, e.Number, p.heard[id])
		}
		p.heard[id], *last = e.Number, at
		if e.Entry.Do == "end" {
			return true, nil
		}
	}
	return false, nil
}

// TestKilledUnderLoad kills a server at random moments while many play. Every move
// that was acknowledged is there, once and in its place, and nothing else is; and
// the log file of the database stays small. COPSE_TORTURE kills it 500 times.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	kills, tables := 30, 6
	if os.Getenv("COPSE_TORTURE") != "" {
		kills = 500
	}
	s := serveHere(t)
	acks, stop := make(chan struct{}, tables), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all []*sufferer
	var playing sync.WaitGroup
	for i := range tables {
		p := &sufferer{
			served: s, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, game: []string{"bosk", "grandbois", "treesociety"}[i%3],
			rng: rand.New(rand.NewPCG(9, uint64(i))), sent: map[string][]string{}, heard: map[string]int{}, acks: acks,
		}
		all = append(all, p)
		playing.Go(func() {
			if err := p.live(ctx, stop); err != nil && ctx.Err() == nil {
				t.Error(err)
				cancel()
			}
		})
	}
	rng, slowest, largest := rand.New(rand.NewPCG(10, 10)), time.Duration(0), int64(0)
	log := filepath.Join(s.data, databaseName+"-wal")
	for killed := 0; killed < kills && ctx.Err() == nil; {
		for range 1 + rng.IntN(25) {
			select {
			case <-acks:
			case <-ctx.Done():
			}
		}
		if ctx.Err() == nil {
			killed++
			if about, err := os.Stat(log); err == nil {
				largest = max(largest, about.Size())
			}
			begun := time.Now()
			s.kill()
			slowest = max(slowest, time.Since(begun))
			if kills > 100 && killed%50 == 0 {
				t.Logf("killed %d times so far", killed)
			}
		}
	}
	close(stop)
	playing.Wait()
	if t.Failed() {
		return
	}
	if largest == 0 || largest > 16<<20 {
		t.Errorf("the log file had %d bytes", largest)
	}
	moves, waited := 0, time.Duration(0)
	from, err := sqlite.Look(filepath.Join(s.data, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	for _, p := range all {
		waited = max(waited, p.longest)
		for id, sent := range p.sent {
			moves += len(sent)
			if got := movesOf(t, from, id); strings.Join(got, "\n") != strings.Join(sent, "\n") {
				t.Errorf("at table %s %d moves were acknowledged, and %d are there:\n%v\n%v", id, len(sent), len(got), sent, got)
			}
		}
	}
	if _, err := from.Check(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("figures: server killed %d times: %d moves were acknowledged, all are there once; the log file had %.1f MB at most, it was back after %v at most, and a player who was not answered waited %v at most",
		kills, moves, float64(largest)/1e6, slowest.Round(time.Millisecond), waited.Round(time.Millisecond))
}

// movesOf are the moves that a log holds.
func movesOf(t *testing.T, from *sqlite.Store, id string) (moves []string) {
	t.Helper()
	log, err := from.Read(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range log {
		e, err := table.ReadEntry(raw.Body)
		if err != nil {
			t.Fatal(err)
		}
		if e.Do == table.Moved {
			moves = append(moves, string(e.Move))
		}
	}
	return moves
}
