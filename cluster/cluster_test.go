package cluster

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// number is a number that the environment names, or the usual one.
func number(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is no number: %v", name, err)
	}
	return n
}

// TestANemesis: whatever happens to three nodes and to what they share, no move that
// was acknowledged is lost or doubled, everyone is told the same in an order that can
// be, streams miss nothing, and every finished game proves itself. COPSE_TORTURE has
// a thousand mishaps within an hour, COPSE_MISHAPS so many, COPSE_SEED other ones.
func TestANemesis(t *testing.T) {
	t.Parallel()
	many, long, tables := 40, 1, 4
	span := 45 * time.Second
	if os.Getenv("COPSE_TORTURE") != "" {
		many, long, tables, span = 1000, 20, 8, 55*time.Minute
	}
	if n := number(t, "COPSE_MISHAPS", many); n != many {
		span = span * time.Duration(n) / time.Duration(many)
		long = max(1, long*n/many)
		many = n
	}
	seed := uint64(number(t, "COPSE_SEED", 14))
	h := newHouse(t, 3, "")
	h.wrongs.first = make(chan struct{})
	if os.Getenv("COPSE_TORTURE") != "" {
		h.pace = 150 * time.Millisecond
	}
	todo := plan(seed, many, long, len(h.nodes), span)
	var text strings.Builder
	for _, f := range todo {
		fmt.Fprintln(&text, f)
	}
	t.Logf("COPSE_SEED=%d: %d mishaps in %v:\n%s", seed, many, span, &text)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := make(chan struct{})
	rng := rand.New(rand.NewPCG(seed, 15))
	var playing sync.WaitGroup
	for n := range tables {
		rng := rand.New(rand.NewPCG(rng.Uint64(), uint64(n)))
		shape := [][2]int{{2, 2}, {1, 2}, {2, 3}, {1, 3}}[n%4] // people, seats
		playing.Go(func() { h.live(ctx, stop, rng, from(allGames, n), shape[0], shape[1], false) })
	}
	playing.Go(func() { h.live(ctx, stop, rand.New(rand.NewPCG(seed, 16)), allGames[:1], 2, 2, true) })
	var done atomic.Int64
	go func() { // what is wrong ends everything
		select {
		case <-h.wrongs.first:
			cancel()
		case <-ctx.Done():
		}
	}()
	ticking := time.NewTicker(30 * time.Second)
	defer ticking.Stop()
	go func() {
		for {
			select {
			case <-ticking.C:
				fmt.Printf("so far %d mishaps, %d moves, %d games%s\n", done.Load(), h.acked.Load(), h.finished.Load(), h.open())
			case <-ctx.Done():
				return
			}
		}
	}()
	begun := time.Now()
	h.nemesis(todo, &done, ctx.Done())
	took := time.Since(begun)
	close(stop)
	playing.Wait()
	h.prove(ctx, h.newPerson(rng))
	h.check(context.Background())
	if said := h.wrongs.all(); said != "" {
		t.Errorf("COPSE_SEED=%d, after %d mishaps:\n%s", seed, done.Load(), said)
		h.logs(t)
	}
	if h.acked.Load() < int64(many) || h.finished.Load() < int64(tables) || h.followed.Load() == 0 {
		t.Errorf("%d moves in %d games, %d of them of both sides, prove nothing", h.acked.Load(), h.finished.Load(), h.followed.Load())
	}
	h.figures(t, seed, todo, took)
}

// mostOpen is how many games that go on are named.
const mostOpen = 3

// open is which games go on, and how far each has got.
func (h *house) open() (text string) {
	h.tables.Lock()
	defer h.tables.Unlock()
	many := 0
	for _, s := range h.sittings {
		s.mu.Lock()
		if !s.over {
			many++
			text += fmt.Sprintf(", %s at table %s told %d entries", s.game, s.id, len(s.told))
		}
		s.mu.Unlock()
	}
	if many > mostOpen {
		return ""
	}
	return text
}

// figures tells what happened.
func (h *house) figures(t *testing.T, seed uint64, todo []mishap, took time.Duration) {
	t.Helper()
	kinds, longest := map[string]int{}, 0
	for _, f := range todo {
		what, _, _ := strings.Cut(f.what, ":")
		kinds[what]++
		if f.long == 30*time.Second {
			longest++
		}
	}
	var list []string
	for _, what := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, fmt.Sprintf("%d %s", kinds[what], what))
	}
	born := int64(0)
	for _, x := range h.nodes {
		born += x.born.Load()
	}
	asked, entries, lines := 0, 0, 0
	for _, s := range h.sittings {
		asked += len(s.asked)
		entries += len(s.told)
		lines += len(s.said)
	}
	t.Logf("figures: three nodes, %d mishaps in %v (seed %d; %s; %d of 30 s): %d moves were acknowledged, all are there once; %d answers at %d tables have one order, %d entries and %d lines were told without a hole over %d streams, %d finished games verify, %d of which followed another of both sides; nodes were started %d times; clients asked again %d times without an answer, %d times after 503 or 429 and %d times after 500 %v",
		len(todo), took.Round(time.Second), seed, strings.Join(list, ", "), longest, h.acked.Load(), asked, len(h.sittings), entries, lines, h.joins.Load(), h.finished.Load(), h.followed.Load(), born,
		h.troubles.silent.Load(), h.troubles.busy.Load(), h.troubles.broken.Load(), h.troubles.said)
}

// logs shows what nodes have said last.
func (h *house) logs(t *testing.T) {
	t.Helper()
	for _, x := range h.nodes {
		raw, err := os.ReadFile(filepath.Join(x.folder, "log"))
		if err != nil {
			t.Log(err)
			continue
		}
		if len(raw) > 4000 {
			raw = raw[len(raw)-4000:]
		}
		t.Logf("node %d said last:\n%s", x.n, raw)
	}
}
