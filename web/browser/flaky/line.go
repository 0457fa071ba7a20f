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
	mute    fate = "mute"     // nothing comes of it, not even an end
)

// line stands between clients and a server.
type line struct {
	server *url.URL
	seed   uint64
	rough  atomic.Bool
	silent atomic.Bool // connections stay, and nothing comes through them
	out    http.RoundTripper
	wait   func(time.Duration)

	mu      sync.Mutex
	clients map[string]uint64 // in the order in which they came
	count   map[string]uint64 // requests by client and kind
	fates   map[fate]int
	away    time.Time // until when nobody is reached
	alone   bool      // and until somebody has tried
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

// next is the fate of the next request of a client, and what else chance says of
// it. Streams fare worse than the rest. Of twelve other requests each bad thing
// happens to one, and two are done without an answer that is heard; so whoever
// asks that often has met them all. The lock is held.
func (l *line) next(client string, streams bool) (fate, *rand.Rand) {
	if _, ok := l.clients[client]; !ok {
		l.clients[client] = uint64(len(l.clients))
	}
	kind := " asks"
	if streams {
		kind = " streams"
	}
	n := l.count[client+kind]
	l.count[client+kind]++
	draw := func(n uint64) *rand.Rand {
		return rand.New(rand.NewPCG(l.seed<<8|l.clients[client], n<<8|uint64(len(kind)))) //nolint:gosec // it must be the same every time
	}
	if streams {
		rng := draw(n)
		if rng.IntN(100) < 70 {
			return cut, rng
		}
		return well, rng
	}
	bad := []fate{unheard, unheard, slow, lost, half, outage}
	draw(n/12).Shuffle(len(bad), func(i, j int) { bad[i], bad[j] = bad[j], bad[i] })
	rng, pair := draw(1<<32+n), draw(1<<33+n/2)
	if pair.Uint64()&1 == n&1 { // one of every two
		return bad[n%12/2], rng
	}
	return well, rng
}

func (l *line) note(f fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fates[f]++
}

// ServeHTTP carries a request to the server, or does not.
func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	streams := r.URL.Path == "/api/stream"
	if l.silent.Load() {
		l.note(mute)
		<-r.Context().Done() // whoever waits for an answer gives up
		return
	}
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
	client := ""
	if cookie, err := r.Cookie("copse"); err == nil {
		client = cookie.Value
	}
	l.mu.Lock()
	f, rng := refused, (*rand.Rand)(nil)
	if !l.alone && !time.Now().Before(l.away) {
		f, rng = l.next(client, streams)
	}
	l.alone = f == outage
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
		l.flow(w, r, answer, f, rng)
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
func (l *line) flow(w http.ResponseWriter, r *http.Request, answer *http.Response, f fate, rng *rand.Rand) {
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
		if l.silent.Load() {
			l.note(mute)
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		}
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
