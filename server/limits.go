package server

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"copse/game"
)

// Limits are how much one client may ask for. A zero is the usual, a negative
// number no limit.
type Limits struct {
	Requests int // a second, for a person or, without an account, an address
	Streams  int // at the same time, likewise
	Tables   int // at which a person sits
	Creates  int // tables a person sets in an hour
	Guests   int // that come from one address in an hour
}

// usual fills in what was left open.
func (l Limits) usual() Limits {
	for _, f := range []struct {
		at    *int
		usual int
	}{{&l.Requests, 30}, {&l.Streams, 12}, {&l.Tables, 100}, {&l.Creates, 60}, {&l.Guests, 120}} {
		if *f.at == 0 {
			*f.at = f.usual
		}
	}
	return l
}

// What is not up to the operator.
const (
	largestBody   = 64 << 10
	largestCreate = game.LargestBox + 16<<10 // a table may bring a box of its own
	mostFollowed  = 64                       // tables on one stream
	mostPrograms  = 20                       // of one person
	mostListed    = 100                      // tables in one answer
	linesASecond  = 1                        // of chat
	codesAMinute  = 10                       // that one address tries
)

// limits counts what clients ask for.
type limits struct {
	Limits
	mu       sync.Mutex
	gauges   map[string]*rate.Limiter // by what is counted and for whom
	streams  map[string]int
	lastTidy time.Time
}

// mostGauges is after how many of them those that are at rest are thrown away.
const mostGauges = 10_000

func newLimits(l Limits) limits {
	return limits{Limits: l.usual(), gauges: map[string]*rate.Limiter{}, streams: map[string]int{}}
}

// often is nil, or says that who asks so often for something must wait: at most
// so many in a time, burst at once.
func (l *limits) often(what, who string, many int, in time.Duration, burst int) error {
	if many < 0 {
		return nil
	}
	key, now := what+" "+who, time.Now()
	l.mu.Lock()
	g := l.gauges[key]
	if g == nil {
		if len(l.gauges) >= mostGauges && now.Sub(l.lastTidy) > time.Second {
			l.tidy(now)
		}
		g = rate.NewLimiter(rate.Limit(float64(many)/in.Seconds()), burst)
		l.gauges[key] = g
	}
	l.mu.Unlock()
	wait := g.ReserveN(now, 1)
	if delay := wait.DelayFrom(now); delay > 0 {
		wait.CancelAt(now)
		return game.Refuse("", "server.often", game.Args{"seconds": int(math.Ceil(delay.Seconds()))})
	}
	return nil
}

// tidy forgets who has not asked for long: their gauge is full again.
func (l *limits) tidy(now time.Time) {
	l.lastTidy = now
	for key, g := range l.gauges {
		if g.TokensAt(now) >= float64(g.Burst()) {
			delete(l.gauges, key)
		}
	}
}

// listen counts a stream in, or says that there are enough of them.
func (l *limits) listen(who string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Streams >= 0 && l.streams[who] >= l.Streams {
		return game.Refuse("", "server.streams", game.Args{"most": l.Streams})
	}
	l.streams[who]++
	return nil
}

// hangUp counts a stream out.
func (l *limits) hangUp(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[who]--; l.streams[who] <= 0 {
		delete(l.streams, who)
	}
}

// address is from where a request comes, for counting: one address of the old
// kind, or a network of the new, since everyone has many of those.
func (s *Server) address(r *http.Request) string { return s.from(r, 32, 64) }

// network is the network from which a request comes: what one provider or one
// organisation hands out to many, 256 addresses of the old kind or a site of the
// new.
func (s *Server) network(r *http.Request) string { return s.from(r, 24, 48) }

// from is the network of so many bits, of the old kind of addresses or the new,
// from which a request comes. What is no address stands for itself.
func (s *Server) from(r *http.Request, old, young int) string {
	text := r.RemoteAddr
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	if s.Proxy {
		lines := r.Header.Values("X-Forwarded-For")
		if len(lines) > 0 {
			last := lines[len(lines)-1]
			text = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
		}
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return text
	}
	ip = ip.Unmap().WithZone("")
	bits := old
	if ip.Is6() {
		bits = young
	}
	if bits == ip.BitLen() {
		return ip.String()
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return text
	}
	return network.String()
}

// tls tells whether the browser speaks TLS, to us or to the proxy.
func (s *Server) tls(r *http.Request) bool {
	return r.TLS != nil || s.Proxy && r.Header.Get("X-Forwarded-Proto") == "https"
}
