package server

import (
	"net/http"
	"sync"
	"time"
)

// watchEvery is how often at most the same refusal is logged.
const watchEvery = time.Minute

// watch counts refusals that an operator wants to know of, so that somebody who is
// refused a thousand times fills no log.
type watch struct {
	mu   sync.Mutex
	seen map[string]refusals
}

// refusals is how often something was refused since it was logged last.
type refusals struct {
	at    time.Time
	times int
}

// count counts a refusal, and tells how many there were since the last that was to
// be logged; 0 where it is too early for another.
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

// security logs something that concerns who may do what. No name, address or ID
// stands in it: whoever reads logs need not know who plays.
func (s *Server) security(event string) { s.Log.Info("security", "event", event) }

// securityRefusal logs what was refused because of a limit, or a secret that is none.
func (c *call) securityRefusal(p *Problem) {
	switch {
	case p.Status == http.StatusTooManyRequests, p.Key == "server.token", p.Key == "server.code":
		if times := c.watch.count(p.Key+" "+c.end.name, c.Hall.Now()); times > 0 {
			c.Log.Warn("security", "event", "refused", "key", p.Key, "do", c.end.name, "times", times)
		}
	}
}
