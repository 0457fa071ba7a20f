package server

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"copse/game"
	"copse/store"
)

// Limits are how much one client may ask for. A zero is the usual limit, a negative
// number no limit. All clients of one network together may ask for ten times as
// much (inNetwork), except for the tables at which a person sits.
type Limits struct {
	Requests int // a second, for a person or, without an account, an address
	Streams  int // at the same time, likewise
	Tables   int // at which a person sits
	Creates  int // tables a person sets in an hour
	Guests   int // that come from one address in an hour
	Asks     int // of a person at one table in a minute, moves not counted
}

// usual fills in the limits that were left open.
func (l Limits) usual() Limits {
	for _, f := range []struct {
		at    *int
		usual int
	}{{&l.Requests, 30}, {&l.Streams, 12}, {&l.Tables, 100}, {&l.Creates, 60}, {&l.Guests, 120}, {&l.Asks, 30}} {
		if *f.at == 0 {
			*f.at = f.usual
		}
	}
	return l
}

// Limits that the operator cannot set.
const (
	largestBody     = 64 << 10
	largestCreate   = game.LargestBox + 16<<10 // a table may bring a box of its own
	mostFollowed    = 64                       // tables on one stream
	mostPrograms    = 20                       // of one person
	mostListed      = 100                      // tables in one answer
	linesASecond    = 1                        // of chat
	codesAMinute    = 10                       // that one address tries
	signInsAMinute  = 10                       // by passkey, from one address, that fail
	passkeysAnHour  = 20                       // that one person makes, sets of recovery codes among them
	downloadsAnHour = 4                        // of all that is one person's
	guessesAMinute  = 30                       // passes that are good for nothing, from one address
	inNetwork       = 10                       // times what one client may, all of a network together may
)

// quota is how often something may be done: so many times in a span, and burst
// times at once.
type quota struct {
	many  int // negative: as often as anyone likes
	in    time.Duration
	burst int
}

// times is a quota for several.
func (q quota) times(n int) quota { return quota{q.many * n, q.in, q.burst * n} }

// each is how long it takes until one more is allowed.
func (q quota) each() time.Duration { return q.in / time.Duration(max(q.many, 1)) }

// limits counts what clients ask for.
type limits struct {
	Limits
	clock func() time.Duration // since some moment; it never goes back

	most int // gauges there may be

	mu      sync.Mutex
	gauges  map[string]gauge // by what is counted and for whom
	streams map[string]int
	turns   map[string]*turn // by what is done one after the other and for whom
}

// gauge is how much somebody has asked for: the time at which it will be made up
// for, which never lies further ahead than a burst.
type gauge struct {
	until time.Duration
	span  time.Duration // of a burst
}

// mostGauges is how many gauges there are at most: some twenty megabytes.
const mostGauges = 100_000

func newLimits(l Limits) limits {
	begun := time.Now()
	return limits{
		Limits: l.usual(), clock: func() time.Duration { return time.Since(begun) }, most: mostGauges,
		gauges: map[string]gauge{}, streams: map[string]int{}, turns: map[string]*turn{},
	}
}

// often is nil, or says that somebody who asks so often for something must wait.
func (l *limits) often(what, who string, q quota) error {
	if q.many < 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key, now, span := what+" "+who, l.clock(), q.each()*time.Duration(q.burst)
	g, known := l.gauges[key]
	g = gauge{max(g.until, now) + q.each(), span}
	if wait := g.until - span - now; wait > 0 {
		return tooOften(wait)
	}
	if !known && len(l.gauges) >= l.most {
		l.tidy(now)
	}
	l.gauges[key] = g
	return nil
}

// giveBack takes one count back.
func (l *limits) giveBack(what, who string, q quota) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := what + " " + who
	if g, ok := l.gauges[key]; ok && q.many >= 0 {
		g.until -= q.each()
		l.gauges[key] = g
	}
}

// tidy makes space for half as many gauges as there may be. First go those at rest,
// then those that have used the smallest part of a burst: a client that must wait
// is the last to be forgotten, however many others there are.
func (l *limits) tidy(now time.Duration) {
	type load struct {
		key  string
		part float64
	}
	var list []load
	for key, g := range l.gauges {
		if g.until <= now {
			delete(l.gauges, key)
			continue
		}
		list = append(list, load{key, float64(g.until-now) / float64(g.span)})
	}
	if len(list) <= l.most/2 {
		return
	}
	slices.SortFunc(list, func(a, b load) int { return cmp.Compare(a.part, b.part) })
	for _, one := range list[:len(list)-l.most/2] {
		delete(l.gauges, one.key)
	}
}

// listen counts a stream in, for a client, which may have so many, and for its
// network unless that is empty; or it says that there are enough of them.
func (l *limits) listen(who, network string, most int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, most := range l.streamsOf(who, network, most) {
		if l.Streams >= 0 && l.streams[key] >= most {
			return game.Refuse("", "server.streams", game.Args{"most": most})
		}
	}
	for key := range l.streamsOf(who, network, most) {
		l.streams[key]++
	}
	return nil
}

// streamsOf are those for whom a stream is counted, with how many they may have.
func (l *limits) streamsOf(who, network string, most int) map[string]int {
	all := map[string]int{"client " + who: most}
	if network != "" {
		all["network "+network] = inNetwork * l.Streams
	}
	return all
}

// hangUp counts a stream out.
func (l *limits) hangUp(who, network string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.streamsOf(who, network, 0) {
		if l.streams[key]--; l.streams[key] <= 0 {
			delete(l.streams, key)
		}
	}
}

// often is nil, or says that the client must wait, because of itself or of others
// of its network.
func (s *Server) often(r *http.Request, what, who string, q quota) error {
	if err := s.count(r, what, who, s.quota(r, who, q)); err != nil {
		return err
	}
	network := s.shared(r)
	if network == "" {
		return nil
	}
	return s.count(r, what+ofNetwork, network, q.times(inNetwork))
}

// ofNetwork marks what all clients of a network have done together.
const ofNetwork = " of a network"

// wholeHouse tells whether something is counted for the whole house, where it has
// several nodes: what must not become more by asking another one. Everything else is
// counted by each node, because it is asked too often.
func wholeHouse(what string) bool {
	switch strings.TrimSuffix(what, ofNetwork) {
	case "creates", "guests", "codes", "guesses", "sits", "sign-ins", "recoveries", "passkeys", "downloads", "reports", "friend asks", "invites", "friend links", "blocks", "companies", "shows", "browsers", "doorbell":
		return true
	}
	return false
}

// gauges are where something is counted for the whole house; nil where this node
// counts it.
func (s *Server) gauges(what string) store.Gauges {
	if s.Hall == nil || !wholeHouse(what) {
		return nil
	}
	return s.Hall.Gauges()
}

// gauge is the name under which something is counted in the store, which leads to
// nobody.
func (s *Server) gauge(what, who string) string {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte("copse gauge 1\n" + what + "\n" + who))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// count is nil, or says that somebody must wait. While the store does not count this
// node does.
func (s *Server) count(r *http.Request, what, who string, q quota) error {
	if gauges := s.gauges(what); gauges != nil && q.many >= 0 {
		wait, err := gauges.Count(r.Context(), s.gauge(what, who), s.Hall.Now(), q.each(), q.each()*time.Duration(q.burst))
		switch {
		case err == nil && wait > 0:
			return tooOften(wait)
		case err == nil:
			return nil
		}
		s.uncounted(err)
	}
	return s.limits.often(what, who, q)
}

// uncount takes one count back.
func (s *Server) uncount(r *http.Request, what, who string, q quota) {
	if gauges := s.gauges(what); gauges != nil && q.many >= 0 {
		ctx, done := context.WithTimeout(context.WithoutCancel(r.Context()), uncountTime)
		defer done()
		err := gauges.Uncount(ctx, s.gauge(what, who), q.each())
		if err == nil {
			return
		}
		s.uncounted(err)
	}
	s.limits.giveBack(what, who, q)
}

// uncountTime is how long somebody waits until a count is taken back.
const uncountTime = time.Second

// uncounted tells the operator that a limit is not counted for the whole house.
func (s *Server) uncounted(err error) {
	if times := s.watch.count("gauges", s.Hall.Now()); times > 0 {
		s.Log.Error("limits are counted by each node alone", "err", err, "times", times)
	}
}

// tooOften says that somebody must wait.
func tooOften(wait time.Duration) error {
	return game.Refuse("", "server.often", game.Args{"seconds": int(math.Ceil(wait.Seconds()))})
}

// giveBack takes back what often has counted.
func (s *Server) giveBack(r *http.Request, what, who string, q quota) {
	s.uncount(r, what, who, s.quota(r, who, q))
	if network := s.shared(r); network != "" {
		s.uncount(r, what+ofNetwork, network, q.times(inNetwork))
	}
}

// quota is what a client may do that is counted by a name. A proxy of which nobody
// has told us stands for many clients, as a network does.
func (s *Server) quota(r *http.Request, who string, q quota) quota {
	if s.unannounced(r) && who == s.address(r) {
		return q.times(inNetwork)
	}
	return q
}

// unannounced tells whether a request comes from a proxy on this machine of which
// the operator has not told us.
func (s *Server) unannounced(r *http.Request) bool {
	return r.Header.Get("X-Forwarded-For") != "" && !s.proxied(r) && s.local(r)
}

// local tells whether a request comes from this machine, as far as we know.
func (s *Server) local(r *http.Request) bool {
	from := s.asker(r).address
	ip, err := netip.ParseAddr(from)
	return err == nil && ip.Unmap().IsLoopback() || from == onSocket
}

// shared is the network for which a request counts, empty for this machine: a
// request from there may have come through a proxy, from anywhere.
func (s *Server) shared(r *http.Request) string {
	if s.local(r) {
		return ""
	}
	return s.network(r)
}

// address is where a request comes from, for counting: one IPv4 address, or an IPv6
// network, since everyone has many addresses of those.
func (s *Server) address(r *http.Request) string { return s.from(r, 32, 64) }

// network is the network from which a request comes: what one provider or one
// organisation hands out to many, 256 addresses of IPv4 or a site of IPv6.
func (s *Server) network(r *http.Request) string { return s.from(r, 24, 48) }

// from is the network from which a request comes, with so many bits of an IPv4 or
// an IPv6 address. What is no address stands for itself.
func (s *Server) from(r *http.Request, old, young int) string {
	text := s.asker(r).address
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
