package server

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"copse/game"
)

// Porch is where clients of a server wait that may not serve yet: it answers that the
// process runs, and why it does not serve, and tells everybody to come back. Once
// there is a server it hands everything on to it.
type Porch struct {
	front  *Server // answers until there is another
	why    atomic.Pointer[string]
	behind atomic.Pointer[Server]

	mu      sync.Mutex
	stopped bool
}

// NewPorch makes a porch. Of the options it needs those by which hosts and proxies
// are known.
func NewPorch(o Options) *Porch {
	p := &Porch{front: &Server{Options: o, hosts: map[string]bool{}}}
	for _, host := range o.Hosts {
		p.front.hosts[HostName(host)] = true
	}
	p.Wait("The server starts.")
	mux := http.NewServeMux()
	mux.Handle("/healthz", onlyRead(http.HandlerFunc(health)))
	mux.Handle("/readyz", onlyRead(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusServiceUnavailable, *p.why.Load())
	})))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/") {
			problem, _ := problemOf(game.Refuse("", "server.stops", nil))
			problem.write(w, r)
			return
		}
		w.Header().Set("Retry-After", "1")
		say(w, http.StatusServiceUnavailable, "Copse starts: try again in a moment.")
	})
	p.front.handler = p.front.door(p.front.secure(p.front.named(direct(mux))))
	return p
}

// Wait says why the server may not serve, in a sentence that anybody may read.
func (p *Porch) Wait(why string) { p.why.Store(&why) }

// Open lets a server answer from now on.
func (p *Porch) Open(s *Server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		s.Stop()
	}
	p.behind.Store(s)
}

// ServeHTTP answers a request.
func (p *Porch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s := p.behind.Load(); s != nil {
		s.ServeHTTP(w, r)
		return
	}
	p.front.handler.ServeHTTP(w, r)
}

// Alive returns when nothing stands still for ever, here or in the server behind.
func (p *Porch) Alive() {
	if s := p.behind.Load(); s != nil {
		s.Alive()
	}
}

// Stop ends all streams.
func (p *Porch) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if s := p.behind.Load(); s != nil {
		s.Stop()
	}
}
