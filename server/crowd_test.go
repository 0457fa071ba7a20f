package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
	"copse/store/sqlite"
)

// watchers look on at one table, each through a stream of its own, until they know
// that all are there.
type watchers struct {
	world   *world
	table   string
	many    int
	client  *http.Client
	told    int           // how often anybody was told who is there
	longest time.Duration // that the server has any of them wait before it comes back
	mu      sync.Mutex
}

// settle lets all of them come, each after its wait, and returns when each has
// heard that all are there. Then they hang up.
func (c *watchers) settle(t testing.TB, wait []time.Duration) {
	t.Helper()
	var all, gone sync.WaitGroup
	ctx, hangUp := context.WithCancel(context.Background())
	for i := range c.many {
		all.Add(1)
		gone.Go(func() {
			if wait != nil {
				time.Sleep(wait[i]) // as a browser does
			}
			settled := sync.OnceFunc(all.Done)
			defer settled()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.world.url+"/api/stream?table="+c.table, nil)
			if err != nil {
				t.Error(err)
				return
			}
			res, err := c.client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = res.Body.Close() }()
			want := fmt.Sprintf(`data: {"table":"%s","seats":[],"watchers":%d}`, c.table, c.many)
			lines := bufio.NewScanner(res.Body)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				switch line := lines.Text(); {
				case strings.HasPrefix(line, "retry: "):
					ms, _ := strconv.Atoi(line[len("retry: "):])
					c.mu.Lock()
					if wait != nil {
						wait[i] = time.Duration(ms) * time.Millisecond
					}
					c.longest = max(c.longest, time.Duration(ms)*time.Millisecond)
					c.mu.Unlock()
				case line == "event: present":
					c.mu.Lock()
					c.told++
					c.mu.Unlock()
				case line == want:
					settled()
				}
			}
			if ctx.Err() == nil {
				t.Error("a stream was cut")
			}
		})
	}
	all.Wait()
	hangUp()
	gone.Wait()
}

// crowded is a world with a table that many may look on at.
func crowded(t testing.TB, many int, pause time.Duration) *watchers {
	w := newWorld(t, unlimited(pause))
	c := &watchers{world: w, many: many, client: &http.Client{Transport: &http.Transport{}}}
	c.table = w.guest("Anna").table(`{"game":"bosk","seats":2}`)
	return c
}

func unlimited(pause time.Duration) setup {
	return func(h *hall.Options, s *server.Options) { s.Limits.Streams, h.Quiet = -1, pause }
}

// TestManyWatchersSettle: however many come at once, each hears how many there are,
// and no stream is cut.
func TestManyWatchersSettle(t *testing.T) {
	c := crowded(t, 120, 20*time.Millisecond)
	c.settle(t, nil)
}

// TestNotAllAtOnce: the server tells each browser another time to come back.
func TestNotAllAtOnce(t *testing.T) {
	w := newWorld(t)
	waits := map[string]bool{}
	for range 12 {
		res, err := http.Get(w.url + "/api/stream")
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(res.Body).ReadString('\n')
		_ = res.Body.Close()
		ms, wrong := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "retry: ")))
		if err != nil || wrong != nil || ms < 500 || ms > 3000 {
			t.Fatalf("it is told %q, %v", line, err)
		}
		waits[line] = true
	}
	if len(waits) < 3 { // of two thousand: once in 10^27 runs
		t.Errorf("twelve are told to come back after %v", waits)
	}
}

// BenchmarkRestart has a thousand watchers of one table, stops the server and
// starts it again: they come back when they were told to. It measures how long
// after the restart each knows that all are there, and how often each is told.
func BenchmarkRestart(b *testing.B) {
	for b.Loop() {
		file := filepath.Join(b.TempDir(), "copse.db")
		db, err := sqlite.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		const many = 1000
		w := worldOf(b, db, unlimited(0))
		c := &watchers{world: w, many: many, client: &http.Client{Transport: &http.Transport{}}}
		c.table = w.guest("Anna").table(`{"game":"bosk","seats":2}`)
		wait := make([]time.Duration, many)
		c.settle(b, wait)
		w.serve.Stop()
		again, err := sqlite.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		c.world, c.told = worldOf(b, again, unlimited(0)), 0
		begun := time.Now()
		c.settle(b, wait)
		b.ReportMetric(time.Since(begun).Seconds(), "s/settled")
		b.ReportMetric(float64(c.told)/many, "told/watcher")
	}
}
