package load

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// loaded puts a bare server under load, with something before it, for longer and longer
// until enough has happened: a busy machine gets little done in a short time.
func loaded(t *testing.T, before func(http.Handler) http.Handler, enough func(*Figures) bool) (f *Figures, written int) {
	t.Helper()
	for long := 200 * time.Millisecond; long < time.Minute; long *= 2 {
		if f, written = loadedFor(t, long, before); enough(f) {
			break
		}
	}
	return f, written
}

func loadedFor(t *testing.T, long time.Duration, before func(http.Handler) http.Handler) (*Figures, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "moves")
	bare, err := NewBare(file, 300)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(before(bare))
	watch := httptest.NewServer(Watch())
	defer watch.Close()
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	f, err := Run(ctx, Config{URLs: []string{s.URL}, Tables: 4, For: long, Seed: 1, Meter: Watched(watch.URL)})
	if err != nil {
		t.Fatal(err)
	}
	s.CloseClientConnections()
	s.Close()
	if err := bare.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return f, bytes.Count(raw, []byte("\n"))
}

// TestEveryMoveIsHeardAndWritten at a server that does what it should.
func TestEveryMoveIsHeardAndWritten(t *testing.T) {
	f, written := loaded(t, func(h http.Handler) http.Handler { return h }, func(f *Figures) bool { return f.Moves > 0 })
	if f.Errors != 0 || f.Moves == 0 || written < f.Moves {
		t.Errorf("%d moves, %d written, %d errors: %v", f.Moves, written, f.Errors, f.Faults)
	}
	if f.P50 <= 0 || f.P99 < f.P50 || f.Most < f.P99 || f.ServerCPU <= 0 || f.Event < 250 || f.Event > 350 {
		t.Errorf("these cannot be: %+v", f)
	}
}

// TestTroubleIsCounted: what a server refuses is an error, and the load goes on.
// The first move is refused, however slow the server is, and each tenth after it.
func TestTroubleIsCounted(t *testing.T) {
	var n atomic.Int64
	f, _ := loaded(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.Count(r.URL.Path, "/") > 1 && n.Add(1)%10 == 1 {
				http.Error(w, "broken", http.StatusInternalServerError)
				return
			}
			h.ServeHTTP(w, r)
		})
	}, func(f *Figures) bool { return f.Moves > 0 && f.Errors > 0 })
	if f.Errors == 0 || f.Moves == 0 || len(f.Faults) == 0 || !strings.Contains(f.Faults[0], "answered 500: broken") {
		t.Errorf("%d moves and %d errors: %v", f.Moves, f.Errors, f.Faults)
	}
}

// TestAnEntryThatIsLeftOutIsFound, and one that comes twice.
func TestAnEntryThatIsLeftOutIsFound(t *testing.T) {
	for name, told := range map[string][]string{"left out": {"1", "3"}, "twice": {"1", "1"}} {
		s := &sitting{run: &run{}, venue: &venue{play: &barePlay{}}, news: make(chan news, unheard)}
		for _, number := range told {
			for seat := range players {
				s.news <- news{seat: seat, event: "entry", data: []byte(`{"number":` + number + `}`)}
			}
		}
		if err := s.await(t.Context(), 3, nil); err == nil || !strings.Contains(err.Error(), "heard entry") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, url := range []string{"", "localhost:8080", "ftp://localhost", "http://"} {
		if _, err := Run(t.Context(), Config{URLs: []string{url}, Tables: 1, For: time.Second}); err == nil || !strings.Contains(err.Error(), "is no address") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestQuantiles(t *testing.T) {
	var times []time.Duration
	for i := range 1000 {
		times = append(times, time.Duration(i+1)*time.Millisecond)
	}
	for share, want := range map[float64]float64{0.5: 501, 0.99: 991, 1: 1000} {
		if got := quantile(times, share); got != want {
			t.Errorf("%v of 1 to 1000 ms: %v", share, got)
		}
	}
	if quantile(nil, 0.5) != 0 {
		t.Error("of nothing")
	}
}

// TestTheMiddleOfSpans: half of all lie below it, and within a span they lie evenly.
func TestTheMiddleOfSpans(t *testing.T) {
	before := []Span{{0.001, 100}, {0.002, 100}, {0.005, 100}}
	for _, c := range []struct {
		after []Span
		want  float64
	}{
		{[]Span{{0.001, 100}, {0.002, 200}, {0.005, 200}}, 0.0015},
		{[]Span{{0.001, 110}, {0.002, 120}, {0.005, 200}}, 0.003125},
		{[]Span{{0.001, 200}, {0.002, 200}, {0.005, 200}}, 0.0005},
		{before, 0},
		{nil, 0},
	} {
		if got := middle(addSpans(c.after, before, -1)); c.after != nil && math.Abs(got-c.want) > 1e-9 || c.after == nil && got != 0 {
			t.Errorf("%v: %v, want %v", c.after, got, c.want)
		}
	}
	if got := middle(addSpans(addSpans(nil, before, 1), before, 1)); got != 0.0005 {
		t.Errorf("of two alike: %v", got)
	}
}
