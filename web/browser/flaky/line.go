package main

import (
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// fate is what happens to a request.
type fate string

const (
	well    fate = "well"
	slow    fate = "slow"     // it reaches the server late
	lost    fate = "lost"     // it never does
	unheard fate = "unheard"  // it is done, and nobody hears the answer
	half    fate = "half"     // half of the answer comes
	cut     fate = "cut"      // a stream breaks off in the middle of an event
	outage  fate = "outage"   // nobody is reached for a while
	refused fate = "refused"  // during which this came
	calm    fate = "unharmed" // not rough yet, or a file of the page
)

// line stands between clients and a server.
type line struct {
	server *url.URL
	seed   uint64
	rough  atomic.Bool
	out    http.RoundTripper
	wait   func(time.Duration)

	mu      sync.Mutex
	clients map[string]uint64 // in the order in which they came
	count   map[string]uint64 // requests by client and kind
	fates   map[fate]int
	away    time.Time // until when nobody is reached
	streams map[*http.Response]func()
}

func newLine(server *url.URL, seed uint64) *line {
	return &line{
		server: server, seed: seed, out: &http.Transport{}, wait: time.Sleep,
		clients: map[string]uint64{}, count: map[string]uint64{}, fates: map[fate]int{}, streams: map[*http.Response]func(){},
	}
}

// done is how often what has happened.
func (l *line) done() map[fate]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fates
}

// chance is drawn for the nth request of a client of a kind.
func (l *line) chance(client, kind string) *rand.Rand {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.clients[client]; !ok {
		l.clients[client] = uint64(len(l.clients))
	}
	of := client + " " + kind
	l.count[of]++
	return rand.New(rand.NewPCG(l.seed<<8|l.clients[client], l.count[of]<<8|uint64(len(kind)))) //nolint:gosec // it must be the same every time
}

// fateOf is what happens to a request. Streams fare worse than the rest; what
// follows an outage is for the next one to say.
func fateOf(rng *rand.Rand, streams bool) fate {
	n := rng.IntN(100)
	if streams {
		if n < 70 {
			return cut
		}
		return well
	}
	for _, f := range []struct {
		below int
		fate  fate
	}{{14, unheard}, {24, slow}, {31, lost}, {40, half}, {46, outage}} {
		if n < f.below {
			return f.fate
		}
	}
	return well
}

func (l *line) note(f fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fates[f]++
}

// ServeHTTP carries a request to the server, or does not.
func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	streams := r.URL.Path == "/api/stream"
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		l.carry(w, r, calm, nil)
		return
	}
	if !l.rough.Load() {
		if streams { // it may become rough while it lasts
			l.carry(w, r, cut, rand.New(rand.NewPCG(l.seed, 0))) //nolint:gosec // likewise
			return
		}
		l.carry(w, r, calm, nil)
		return
	}
	client, kind := "", "asks"
	if cookie, err := r.Cookie("copse"); err == nil {
		client = cookie.Value
	}
	if streams {
		kind = "streams"
	}
	rng := l.chance(client, kind)
	f := fateOf(rng, streams)
	l.mu.Lock()
	if time.Now().Before(l.away) {
		f = refused
	}
	if f == outage {
		l.away = time.Now().Add(time.Duration(1500+rng.IntN(1500)) * time.Millisecond)
		for _, end := range l.streams {
			end()
		}
	}
	if f != cut { // that is counted when it happens
		l.fates[f]++
	}
	l.mu.Unlock()
	switch f {
	case refused, outage, lost:
		hangUp(w)
		return
	case slow:
		l.wait(time.Duration(50+rng.IntN(400)) * time.Millisecond)
	}
	l.carry(w, r, f, rng)
}

// hangUp ends a connection without a word.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// carry takes a request to the server and brings the answer, as far as it gets.
func (l *line) carry(w http.ResponseWriter, r *http.Request, f fate, rng *rand.Rand) {
	out := r.Clone(r.Context())
	out.RequestURI, out.URL.Scheme, out.URL.Host = "", l.server.Scheme, l.server.Host // Host stays as the browser said it
	answer, err := l.out.RoundTrip(out)
	if err != nil {
		hangUp(w)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	if f == unheard {
		_, _ = io.Copy(io.Discard, answer.Body)
		hangUp(w)
		return
	}
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	if r.URL.Path == "/api/stream" {
		l.flow(w, answer, f, rng)
		return
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		hangUp(w)
		return
	}
	w.WriteHeader(answer.StatusCode)
	if f == half && len(body) > 1 {
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // the rest never comes
	}
	_, _ = w.Write(body)
}

// flow brings a stream. One that is to be cut breaks off in the middle of an
// event, after some of them.
func (l *line) flow(w http.ResponseWriter, answer *http.Response, f fate, rng *rand.Rand) {
	ended := make(chan struct{})
	once := sync.OnceFunc(func() {
		close(ended)
		_ = answer.Body.Close()
	})
	l.mu.Lock()
	l.streams[answer] = once
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.streams, answer)
		l.mu.Unlock()
	}()
	w.WriteHeader(answer.StatusCode)
	out := http.NewResponseController(w)
	_ = out.Flush()
	left := 0
	if f == cut {
		left = 1 + rng.IntN(6)
	}
	for buf := make([]byte, 32<<10); ; {
		n, err := answer.Body.Read(buf)
		if n > 0 && f == cut && l.rough.Load() {
			if left--; left == 0 {
				l.note(cut)
				_, _ = w.Write(buf[:n*2/3])
				_ = out.Flush()
				panic(http.ErrAbortHandler)
			}
		}
		if n > 0 {
			_, _ = w.Write(buf[:n])
			_ = out.Flush()
		}
		select {
		case <-ended:
			panic(http.ErrAbortHandler)
		default:
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}
