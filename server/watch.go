package server

import (
	"net/http"
	"sync"
	"time"
)

// watchEvery is how often at most the same refusal is logged.
const watchEvery = time.Minute

// watch counts refusals of which an operator wants to know, so that a client that
// is refused a thousand times does not fill the log.
type watch struct {
	mu   sync.Mutex
	seen map[string]refusals
}

// refusals is how often something was refused since it was logged last.
type refusals struct {
	at    time.Time
	times int
}

// count counts a refusal, and says how many there were since the last that was
// logged; 0 where it is too early to log another.
func (w *watch) count(what string, now time.Time) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == nil {
		w.seen = map[string]refusals{}
	}
	r, known := w.seen[what]
	r.times++
	if known && now.Sub(r.at) < watchEvery {
		w.seen[what] = r
		return 0
	}
	w.seen[what] = refusals{at: now}
	return r.times
}

// security logs something that concerns who may do what, without a name, address or
// ID: whoever reads logs need not know who plays.
func (s *Server) security(event string) { s.Log.Info("security", "event", event) }

// securityRefusal logs what was refused because of a limit, or of a secret that is
// nobody's.
func (c *call) securityRefusal(p *Problem) {
	switch {
	case p.Status == http.StatusTooManyRequests, p.Key == "server.token", p.Key == "server.code", p.Key == "server.recovery", p.Key == "server.ticket":
		if times := c.watch.count(p.Key+" "+c.end.name, c.Hall.Now()); times > 0 {
			c.Log.Warn("security", "event", "refused", "key", p.Key, "do", c.end.name, "times", times)
		}
	}
}
