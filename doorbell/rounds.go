package doorbell

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"copse/push"
	"copse/store"
)

// How much waits, and how many work on it.
const (
	mostNotes    = 1024 // notes whose browsers were not looked up yet
	mostQueued   = 512  // messages for one service
	mostWaiting  = 1024 // messages that are tried again later
	readers      = 2    // look up browsers
	carriers     = 4    // send to one service
	mostTries    = 4    // of one message
	readTime     = 10 * time.Second
	carryTime    = 15 * time.Second
	fresh        = 10 * time.Second // for so long a note is taken to be still true
	mostRest     = 15 * time.Minute // for so long at most a service is left alone by everybody: it may have meant one browser
	quietTrouble = time.Hour        // between two lines in the log about the same service
)

// rounds are notes on their way to browsers.
type rounds struct {
	bell  *Bell
	notes chan Note

	life context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	services map[string]*service // by entry of the list of services: there are only so many
	over     bool
	sessions func(ctx context.Context, account string) (func(session string) bool, error)

	waiting atomic.Int64 // messages that are tried again later
}

// service is a push service, with what waits for it.
type service struct {
	name  string
	queue chan *message

	mu    sync.Mutex
	until time.Time // it has asked for nothing before that
	told  time.Time // when the operator was last told that it does not do
}

// message is a note on its way to one browser.
type message struct {
	note    Note
	browser string    // its ID
	at, end time.Time // when it was written, and when it is of no use any more
	tries   int
}

func (r *rounds) begin(b *Bell) {
	r.bell, r.notes, r.services = b, make(chan Note, mostNotes), map[string]*service{}
	r.life, r.stop = context.WithCancel(context.Background())
	for range readers {
		r.work.Go(r.readAll)
	}
}

func (r *rounds) end() {
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
	r.stop()
	r.work.Wait()
}

// OnSessions has the doorbell ask which sessions of an account are good before it rings at
// their browsers. What belongs to none of them is forgotten.
func (b *Bell) OnSessions(good func(ctx context.Context, account string) (func(session string) bool, error)) {
	b.rounds.mu.Lock()
	defer b.rounds.mu.Unlock()
	b.rounds.sessions = good
}

// Ring tells an account something at all its browsers. It does not wait.
func (b *Bell) Ring(n Note) {
	select {
	case b.rounds.notes <- n:
	default:
		b.Heed(Dropped)
	}
}

// readAll looks up the browsers of one note after the other.
func (r *rounds) readAll() {
	for {
		select {
		case <-r.life.Done():
			return
		case n := <-r.notes:
			r.read(n)
		}
	}
}

func (r *rounds) read(n Note) {
	ctx, done := context.WithTimeout(r.life, readTime)
	defer done()
	list, err := r.bell.Good(ctx, n.Account)
	if err != nil {
		if r.life.Err() == nil {
			r.bell.Log.Warn("nobody knows at which browsers to ring", "err", err)
			r.bell.Heed(Dropped)
		}
		return
	}
	now := r.bell.Now()
	for _, one := range list[:min(len(list), MostBrowsers)] {
		r.queue(one, &message{note: n, browser: one.ID, at: now, end: now.Add(n.TTL)})
	}
}

// Good are the browsers of an account whose session is good; the others are forgotten.
func (b *Bell) Good(ctx context.Context, account string) ([]Browser, error) {
	list, err := b.Browsers(ctx, account)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	b.rounds.mu.Lock()
	sessions := b.rounds.sessions
	b.rounds.mu.Unlock()
	if sessions == nil {
		return list, nil
	}
	good, err := sessions(ctx, account)
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for _, one := range list {
		if good(one.Session) {
			kept = append(kept, one)
		} else if err := b.tear(ctx, one); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// queue puts a message into the queue of its service.
func (r *rounds) queue(one Browser, m *message) {
	name, err := r.bell.sender.Service(one.sub)
	if err != nil { // it was on the list once
		r.bell.Heed(Refused)
		return
	}
	s := r.service(name)
	if s == nil {
		return
	}
	r.put(s, m)
}

func (r *rounds) put(s *service, m *message) {
	select {
	case s.queue <- m:
	default:
		r.bell.Heed(Dropped)
	}
}

// service is a service with those who send to it; nil where the doorbell is closed.
func (r *rounds) service(name string) *service {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil
	}
	s := r.services[name]
	if s == nil {
		s = &service{name: name, queue: make(chan *message, mostQueued)}
		r.services[name] = s
		for range carriers {
			r.work.Go(func() { r.carryAll(s) })
		}
	}
	return s
}

func (r *rounds) carryAll(s *service) {
	for {
		select {
		case <-r.life.Done():
			return
		case m := <-s.queue:
			r.carry(s, m)
		}
	}
}

// carry sends a message, or has it wait.
func (r *rounds) carry(s *service, m *message) {
	b, now := r.bell, r.bell.Now()
	if !now.Before(m.end) {
		b.Heed(Dropped)
		return
	}
	if wait := s.rest(now); wait > 0 {
		r.later(s, m, wait)
		return
	}
	ctx, done := context.WithTimeout(r.life, carryTime)
	defer done()
	m.tries++
	if old := m.tries > 1 || now.Sub(m.at) > fresh; old && m.note.Still != nil && !m.note.Still(ctx) {
		return // there is nothing to tell any more
	}
	err := b.send(ctx, m.note, m.browser, m.end.Sub(now))
	var refused *push.Refused
	switch {
	case err == nil:
		b.Heed(Sent)
	case errors.Is(err, ErrNone): // it is nobody's, or another's by now
	case errors.Is(err, push.ErrGone):
		b.Heed(Gone)
	case errors.As(err, &refused) && refused.Status >= http.StatusInternalServerError && refused.Status != http.StatusServiceUnavailable:
		b.Heed(Silent) // it may have arrived
		r.trouble(s, now, "a push service has broken down over a message", "status", refused.Status)
	case errors.As(err, &refused) && refused.After > 0 && m.tries < mostTries:
		s.pause(now.Add(min(refused.After, mostRest)))
		r.later(s, m, refused.After)
		r.trouble(s, now, "a push service asks to wait", "status", refused.Status)
	case errors.As(err, &refused):
		b.Heed(Refused)
		r.trouble(s, now, "a push service refuses a message", "status", refused.Status)
	case r.life.Err() != nil:
	default: // it may have arrived: it is not sent twice
		b.Heed(Silent)
		r.trouble(s, now, "a push service does not answer", "why", unsaid(err))
	}
}

// unsaid is what an operator may read of an error: not which browser it was about.
func unsaid(err error) string {
	switch {
	case errors.Is(err, push.ErrAddress):
		return "its address is not public"
	case errors.Is(err, context.DeadlineExceeded):
		return "it takes too long"
	}
	return "it cannot be reached"
}

// send sends a note to a browser as it is kept now: it may be somebody else's since the
// note was put into a queue.
func (b *Bell) send(ctx context.Context, n Note, browser string, ttl time.Duration) error {
	p, err := b.Papers.Paper(ctx, browserKind, browser)
	switch {
	case errors.Is(err, store.ErrNone), err == nil && p.Owner != n.Account:
		return ErrNone
	case err != nil:
		return err
	}
	one, err := b.read(p)
	if err != nil {
		return ErrNone
	}
	err = b.sender.Send(ctx, one.sub, push.Message{Body: n.Say(one.Language), Topic: n.Topic, TTL: ttl, Urgent: n.Urgent})
	if errors.Is(err, push.ErrGone) {
		if err := b.tear(ctx, one); err != nil {
			b.Log.Warn("a browser that has ended its subscription is not forgotten yet", "err", err)
		}
	}
	return err
}

// Try tells one browser of an account something at once, and says what came of it:
// ErrNone where it is not told anything, or what push.Sender.Send says.
func (b *Bell) Try(ctx context.Context, n Note, browser string) error {
	err := b.send(ctx, n, browser, n.TTL)
	var refused *push.Refused
	switch {
	case err == nil:
		b.Heed(Sent)
	case errors.Is(err, push.ErrGone):
		b.Heed(Gone)
	case errors.As(err, &refused):
		b.Heed(Refused)
	case !errors.Is(err, ErrNone):
		b.Heed(Silent)
	}
	return err
}

// later has a message wait, unless too many do.
func (r *rounds) later(s *service, m *message, wait time.Duration) {
	if !r.bell.Now().Add(wait).Before(m.end) {
		r.bell.Heed(Dropped)
		return
	}
	if r.waiting.Add(1) > mostWaiting {
		r.waiting.Add(-1)
		r.bell.Heed(Dropped)
		return
	}
	r.bell.Later(wait, func() {
		r.waiting.Add(-1)
		if r.life.Err() == nil {
			r.put(s, m)
		}
	})
}

// rest is how long the service wants to be left alone.
func (s *service) rest(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.until.Sub(now)
}

func (s *service) pause(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.until) {
		s.until = until
	}
}

// trouble tells the operator once in a while that a service does not do.
func (r *rounds) trouble(s *service, now time.Time, what string, more ...any) {
	s.mu.Lock()
	due := s.told.IsZero() || now.Sub(s.told) >= quietTrouble
	if due {
		s.told = now
	}
	s.mu.Unlock()
	if due {
		r.bell.Log.Warn(what, append([]any{"service", s.name}, more...)...)
	}
}
