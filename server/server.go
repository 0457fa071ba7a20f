// Package server speaks HTTP. It hands out the page, and answers for the tables of
// a hall: who asks, what they may do, in which form. It knows no rules and no SQL.
//
// The way of a move:
//
//  1. guard.go and limits.go let the request in: no other site sent it, it is
//     small enough, and its sender has not asked too often.
//  2. endpoint.go finds the endpoint in the list (list.go), has pass.go tell by
//     cookie or token who asks, and reads the body into the type that the
//     OpenAPI document shows (read.go).
//  3. play.go makes a command of it and hands it to the hall with the key that
//     makes it harmless to send again. What happens there stands in package hall.
//  4. It is answered by the number of the last entry that came of it, or by a
//     problem with key, arguments and rule (problem.go).
//  5. Everyone who looks on hears of it through their stream (stream.go).
//
// What can be asked for is one list of endpoints; the OpenAPI document
// (openapi.go), its readable form (docs.go), the routes and the test of who may
// do what are all made of it.
package server

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"copse/doorbell"
	"copse/server/hall"
	"copse/store"
)

// Options are what a server is made of.
type Options struct {
	Page fs.FS      // the page as it was built
	Hall *hall.Hall // nil: only the page is handed out

	Key     []byte   // of this server: what is derived from it nobody can guess
	Version string   // of this program, as the API tells it
	Hosts   []string // the hosts that are served; none for any
	Local   bool     // only this machine can reach the server: without Hosts, it answers to names of this machine alone
	Limits  Limits

	Words Words  // that are not welcome in names and in chat; none for nil
	Chat  string // what may be said: one of ChatModes; empty for everything

	// Proxies are the addresses of proxies that stand before the server, which say truly
	// who asks, for which host and whether by TLS; none of IPv4 is written as IPv6. Who
	// asks over a Unix socket is one too.
	Proxies []netip.Prefix

	Beat time.Duration // between two signs of life on a stream; 0 for the usual

	// Patience is how long a request waits for what keeps everything, before it is
	// answered that one should try again; 0 for the usual.
	Patience time.Duration

	Doorbell *doorbell.Bell // tells browsers something though no page is open; nil for none

	Log     *slog.Logger // nil for silence
	Figures *Figures     // nil for none
	AllSee  bool         // figures are for everyone, not only for who asks from this machine
}

// Server answers requests.
type Server struct {
	Options
	handler   http.Handler
	passes    passes
	listeners listeners
	watch     watch
	hosts     map[string]bool // as HostName writes them
	limits    limits
	desk      *Desk
	pageless  bool                  // the page was not built in
	others    map[string]*operation // what is asked for that is no endpoint, for figures

	life context.Context // of streams: until Stop
	end  context.CancelFunc
	once sync.Once

	streams  sync.WaitGroup // that are open
	draining atomic.Bool    // whoever sends people here should send them elsewhere
	unready  atomic.Pointer[string]

	unsaid sync.Once // that a proxy seems to stand before the server
}

// New makes a server. It reads the files of the page once.
func New(o Options) (*Server, error) {
	site, err := readSite(o.Page)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Chat == "" {
		o.Chat = ChatOn
	}
	if o.Beat <= 0 {
		o.Beat = usualBeat
	}
	if o.Patience <= 0 {
		o.Patience = usualPatience
	}
	s := &Server{Options: o, passes: newPasses(), limits: newLimits(o.Limits)}
	s.life, s.end = context.WithCancel(context.Background())
	s.hosts = map[string]bool{}
	for _, host := range o.Hosts {
		s.hosts[HostName(host)] = true
	}
	mux := http.NewServeMux()
	front, err := s.front(site)
	if err != nil {
		return nil, err
	}
	s.pageless = site[entrance] == nil
	if s.pageless {
		s.Log.Warn("the page is missing: " + notBuilt)
	}
	mux.Handle("/healthz", as("healthz", onlyRead(http.HandlerFunc(health))))
	mux.Handle("/", as(pageDo, onlyRead(front)))
	if o.Hall != nil {
		s.desk = NewDesk(o.Hall, o.Key)
		if o.Hall.Several() {
			s.passes.trust = trustSeldom
		}
		o.Hall.OnPasses(s.passesEnded)
		if o.Doorbell != nil {
			o.Doorbell.OnSessions(s.goodSessions)
		}
		mux.Handle("/readyz", as("readyz", onlyRead(http.HandlerFunc(s.ready))))
		s.mount(mux)
	}
	if o.Figures != nil {
		mux.Handle("/metrics", as("metrics", onlyRead(http.HandlerFunc(s.figures))))
		s.others = map[string]*operation{}
		for _, do := range []string{pageDo, documentDo, refusedDo, "healthz", "readyz", "metrics"} {
			s.others[do] = o.Figures.operation(do, true)
		}
	}
	s.handler = s.door(s.secure(s.named(direct(s.sameOrigin(mux)))))
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Forwarded-For") != "" && !s.proxied(r) {
		s.unsaid.Do(func() {
			s.Log.Warn("a request carries X-Forwarded-For, and it is not believed: if a proxy stands before Copse, name its address to copse serve by --proxy=ADDRESS (COPSE_PROXY=ADDRESS; true for one on this machine), or everyone behind it counts as one")
		})
	}
	s.note(w, r)
}

// Stop ends all streams: the clients come back when there is a server again.
func (s *Server) Stop() { s.once.Do(s.end) }

// Wait waits until all streams have ended, after Stop.
func (s *Server) Wait() { s.streams.Wait() }

// health answers that the process runs, for those who watch over it.
func health(w http.ResponseWriter, _ *http.Request) {
	say(w, http.StatusOK, "ok")
}

// Alive returns as soon as whatever all requests need can be had: where somebody holds
// it for ever no request is answered any more, and this does not return.
func (s *Server) Alive() {
	for _, lock := range []sync.Locker{&s.limits.mu, &s.passes.mu, &s.listeners.mu} {
		lock.Lock()
		lock.Unlock() //nolint:staticcheck // to have had it is all
	}
	if s.Hall != nil {
		s.Hall.Alive()
	}
}

// Drain says from now on that people should be sent elsewhere. Everything is still
// answered.
func (s *Server) Drain() { s.draining.Store(true) }

// ready answers whether the store can be read and written and the server does not
// stop, for those who send people here. The operator is told once why not, and once
// that it is over.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	why, err := s.notReady(r.Context())
	if was := s.unready.Swap(&why); was == nil || *was != why {
		switch {
		case why != "" && err != nil:
			s.Log.Error("not ready", "why", why, "err", err)
		case why == "" && was != nil:
			s.Log.Info("ready again")
		}
	}
	if why != "" {
		say(w, http.StatusServiceUnavailable, why)
		return
	}
	say(w, http.StatusOK, "ready")
}

// notReady says why nobody should be sent here, in a sentence that anybody may read;
// nothing where they may.
func (s *Server) notReady(ctx context.Context) (why string, err error) {
	if s.life.Err() != nil || s.draining.Load() {
		return "The server stops.", nil
	}
	if s.pageless {
		return notBuilt, nil
	}
	if err := s.Hall.Failure(); err != nil {
		if errors.Is(err, store.ErrMoved) || errors.Is(err, store.ErrFilling) {
			return "This node may not serve any more: see the log of the server.", err
		}
		return "The disk has failed, and nothing is written any more: see the log of the server.", err
	}
	ctx, done := context.WithTimeout(ctx, time.Second)
	defer done()
	err = s.Hall.Ready(ctx)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, store.ErrAway): // which is why, also where it was asked for the time
		return "The database cannot be reached: see the log of the server.", err
	case errors.Is(err, hall.ErrTime):
		return "The store does not say what time it is: see the log of the server.", err
	}
	return "The store does not answer: see the log of the server.", err
}

// How long a client may take. A slow one gets the whole page in two minutes if it
// reads 10 kB a second.
const (
	longestHeader  = 32 << 10 // what a stream of many tables resumes by is a header
	headerTime     = 10 * time.Second
	readTime       = 30 * time.Second
	writeTime      = 2 * time.Minute
	usualPatience  = 8 * time.Second  // the page itself gives up after ten
	longPatience   = 90 * time.Second // for what is done at many tables: it is answered before writeTime is over
	idleTime       = 2 * time.Minute
	partingMoments = 5 * time.Second // for requests under way when the server stops
)

// Serve answers on a listener until the context ends. Then it ends streams, lets
// the requests under way finish, and closes the listener.
func Serve(ctx context.Context, on net.Listener, handler http.Handler) error {
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    longestHeader,
	}
	if on.Addr().Network() == "unix" {
		on = socket{on}
	}
	if streams, ok := handler.(interface{ Stop() }); ok {
		srv.RegisterOnShutdown(streams.Stop)
	}
	stopped := make(chan error, 1)
	unwatch := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.Background(), partingMoments)
		defer cancel()
		err := srv.Shutdown(soon)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		stopped <- err
	})
	if err := srv.Serve(on); !errors.Is(err, http.ErrServerClosed) {
		unwatch()
		return err
	}
	err := <-stopped
	if streams, ok := handler.(interface{ Wait() }); ok {
		streams.Wait() // they have pipes of their own, which srv does not know
	}
	return err
}
