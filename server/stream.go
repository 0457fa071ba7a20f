package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"copse/game"
	"copse/news"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// A stream carries what happens at all the tables that a client follows, as
// server-sent events. The id of an event says how far the client is at each table.
// A client that comes back with the last one (Last-Event-ID) hears what it missed
// and nothing twice; one that cannot go on from there is shown the table anew.
//
// A client for which more has happened than is kept for it goes on from the log in
// the same way, and its stream stays: however much others do, only a client that
// reads nothing any more is cut off.
const (
	usualBeat  = 15 * time.Second
	turnBeat   = 4 * time.Second         // while it is the client's turn, so that it soon knows of a dead line
	soonest    = 500 * time.Millisecond  // after which a browser comes back
	latest     = 2000 * time.Millisecond // likewise: not all at once after a restart
	sendTime   = 20 * time.Second        // a client that takes nothing for so long, or three quarters of it, is cut off
	unheard    = 32                      // items kept for a client that is slow
	mostCaught = 200                     // entries that are told again; who has missed more looks anew
)

// streamEndpoint is the stream in the list.
func streamEndpoint() endpoint {
	return endpoint{
		name: "stream", method: get, path: "/api/stream", group: "Stream", who: anyone, mime: eventStream, status: http.StatusOK,
		about: "What happens at all the tables that I follow, as server-sent events.",
		more:  "Whoever sends back the last `id` as `Last-Event-ID` hears what was missed.",
		query: []parameter{
			{name: "table", kind: "string", many: true, about: "A table to follow."},
			{name: "mine", kind: "boolean", about: "Besides, what my list of tables says of each when that changes."},
			{name: "hidden", kind: "boolean", about: "Nobody looks at the page that listens: so its doorbell may ring."},
		},
		answer: (*call).stream,
	}
}

// bookmark is how far a client is at a table.
type bookmark struct {
	table  string
	number int // of the last entry it was told
	viewer game.Seat
	chat   int  // the number of the next line
	acts   bool // the client is to act there
}

// stream is a client that listens.
type stream struct {
	*call
	who       string // for whom it is counted
	network   string // likewise; empty for none
	ctx       context.Context
	done      context.CancelFunc
	asking    context.Context // in which the store is asked; ctx, once it has begun
	undo      func() bool     // lets the server stop without us
	leaves    func()          // they are here no longer
	unlink    func() bool     // likewise the request
	reader    news.Reader
	asked     []string             // the tables it follows
	last      map[string]*bookmark // where the client was when it came
	mine      bool
	bookmarks []*bookmark
	pulse     *time.Timer              // until the next sign of life
	beats     chan struct{}            // one is due
	pace      time.Duration            // between two of them
	nudges    nudges                   // what else concerns it
	admission time.Time                // when it was last asked whether the client is still who it was
	checking  bool                     // it is being asked…
	recheck   bool                     // …and has to be once more
	away      bool                     // the store cannot be reached
	sending   sync.Mutex               // held while something is sent
	out       *http.ResponseController // nil once it has a pipe of its own
	pipe      *pipe                    // nil as long as it is a request
	renew     time.Time                // when the client gets more time to take what is sent
	buf       []byte
}

// nudge is something that concerns a stream and is no news.
type nudge uint32

const (
	ended    nudge = 1 << iota // it is over
	doubted                    // it may be that the client is no longer who it was
	admitted                   // that was asked, and the client may listen on
	refused                    // likewise, and may not
)

// nudges are those that a stream has not heeded yet. They share a channel: a stream
// waits anew after every event, and what that costs grows with the channels.
type nudges struct {
	there chan struct{}
	all   atomic.Uint32
}

// give adds one. It waits for nobody.
func (n *nudges) give(one nudge) {
	n.all.Or(uint32(one))
	signal(n.there)
}

// take takes all that there are.
func (n *nudges) take() nudge { return nudge(n.all.Swap(0)) }

// signal lets somebody receive, once, and waits for nobody.
func signal(ready chan struct{}) {
	select {
	case ready <- struct{}{}:
	default:
	}
}

func (c *call) stream() error {
	c.r = c.r.WithContext(c.connection) // a stream takes as long as the client listens
	tables := c.r.URL.Query()["table"]
	asked := slices.Compact(slices.Sorted(slices.Values(tables)))
	mine, err := c.flag("mine")
	if err == nil {
		c.by.Hidden, err = c.flag("hidden")
	}
	if err != nil {
		return err
	}
	switch {
	case len(tables) > mostFollowed:
		return game.Blame("server.watched", game.Args{"most": mostFollowed})
	case mine && c.by.ID == "":
		return game.Refuse("", "server.who", nil)
	case c.life.Err() != nil:
		return hall.ErrStopped
	}
	if c.r.Method == http.MethodHead { // there is nothing to listen to
		c.w.Header().Set("Content-Type", eventStreamText)
		c.begin(http.StatusOK)
		return nil
	}
	who := c.client()
	network := c.shared(c.r)
	if err := c.limits.listen(who, network, c.quota(c.r, who, quota{many: c.limits.Streams}).many); err != nil {
		return err
	}
	s := &stream{call: c, who: who, network: network, asked: asked, mine: mine, reader: c.Hall.Listen(unheard), out: http.NewResponseController(c.w), beats: make(chan struct{}, 1), nudges: nudges{there: make(chan struct{}, 1)}}
	if s.by.ID != "" {
		s.listeners.add(s)
	}
	s.leaves = c.Hall.Arrive(c.by)
	ctx, cancel := context.WithCancel(context.Background())
	s.ctx, s.done = ctx, func() {
		cancel()
		s.nudges.give(ended)
	}
	s.undo, s.unlink = context.AfterFunc(c.life, s.done), context.AfterFunc(c.connection, s.done)
	s.streams.Add(1)
	if c.Figures != nil {
		c.Figures.streams.Inc()
	}
	switch err := s.open(); {
	case err == nil:
	case c.status == 0: // nothing was sent: it is answered like anything else
		if s.ctx.Err() != nil {
			err = hall.ErrStopped
		}
		s.close()
		return err
	case unreachable(err): // it stays, and goes on when the store is back
		s.away = true
	default:
		s.over(err)
		s.close()
		return nil
	}
	// Streams are many and last long: the goroutine that waits for news has a stack
	// as small as possible, and nothing of the request but who asked.
	c.then = s.settle
	return nil
}

// close ends everything that the stream has begun.
func (s *stream) close() {
	defer s.streams.Done()
	s.undo()
	s.unlink()
	s.done()
	if s.pipe != nil {
		s.pipe.close()
	}
	s.reader.Close()
	for _, p := range s.bookmarks {
		s.Hall.Part(p.table, s.by)
	}
	s.leaves()
	s.limits.hangUp(s.who, s.network)
	s.listeners.remove(s)
	if s.Figures != nil {
		s.Figures.streams.Dec()
	}
}

// open begins with everything that the client must know at first. The answer begins
// with the first of it: where the store cannot be reached there is none.
func (s *stream) open() error {
	if err := s.out.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	s.buf = appendRetry(s.buf)
	s.last = readBookmarks(s.r.Header.Get("Last-Event-ID"))
	asking, done := context.WithTimeout(s.ctx, s.Patience)
	defer done()
	s.asking = asking
	err := s.attach()
	s.asking = s.ctx
	if s.pace = s.paceNow(); err != nil {
		return err
	}
	s.beat()
	return s.flush()
}

// unreachable tells whether an error means that the store did not answer: it may when
// it is asked again.
func unreachable(err error) bool {
	for _, one := range []error{store.ErrAway, store.ErrUnwritten, store.ErrUnknown, hall.ErrUnsure, context.DeadlineExceeded} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// attach begins with everything that the client follows, or goes on where it was,
// until nothing is missed between that and what the reader hears.
func (s *stream) attach() error {
	for {
		err := s.attachOnce()
		if err == nil {
			s.last = nil
		}
		if !behind(err) {
			return err
		}
		s.reader.Close()
		s.reader = s.Hall.Listen(unheard)
	}
}

// behind tells that a reader was cut off, and everything can be read from the log.
func behind(err error) bool { return errors.Is(err, news.ErrSlow) || errors.Is(err, news.ErrGap) }

func (s *stream) attachOnce() error {
	if s.mine {
		if err := s.followMine(); err != nil {
			return err
		}
	}
	for _, id := range slices.Clone(s.asked) {
		var err error
		if i := s.at(id); i >= 0 {
			err = s.resume(s.bookmarks[i])
		} else {
			err = s.follow(id, s.last[id])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stay listens until the client hangs up or the server stops.
func (s *stream) stay() {
	defer s.close()
	s.pulse = time.AfterFunc(s.pace, func() { signal(s.beats) })
	defer s.pulse.Stop()
	s.admission = time.Now()
	s.over(s.listen())
	s.done()                 // whatever is still asked need not be answered
	if s.life.Err() != nil { // all who listen here come back, and not at once
		s.buf = appendRetry(s.buf[:0])
		if s.pipe != nil {
			s.pipe.hurry()
		}
		_ = s.send(s.buf) // who does not hear it was told before
	}
}

// appendRetry says after how long a browser comes back: each after another time.
func appendRetry(dst []byte) []byte {
	return fmt.Appendf(dst, "retry: %d\n\n", (soonest + rand.N(latest-soonest)).Milliseconds())
}

// over ends a stream. A client that hangs up or is cut off comes back.
func (s *stream) over(err error) {
	if err != nil && s.ctx.Err() == nil && !errors.Is(err, news.ErrSlow) && !errors.Is(err, news.ErrStopped) && !errors.Is(err, errCut) {
		s.Log.Error("a stream has broken off", "err", err)
	}
}

// errCut says that a client reads nothing any more.
var errCut = errors.New("server: the client takes nothing")

// flush sends what was written.
func (s *stream) flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	err := s.hand(s.buf)
	if s.buf = s.buf[:0]; cap(s.buf) > 1<<10 { // most have nothing to say for long
		s.buf = nil
	}
	return err
}

// hand sends whole events, one caller's after the other's.
func (s *stream) hand(events []byte) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.status == 0 {
		h := s.w.Header()
		h.Set("Content-Type", eventStreamText)
		h.Set("X-Accel-Buffering", "no") // for proxies that would wait for more
		if s.r.ProtoMajor == 1 {
			h.Set("Connection", "close") // nothing else can be asked on it: it ends with the stream (pipe.go)
		}
		s.begin(http.StatusOK)
	}
	if now := time.Now(); now.After(s.renew) { // not with every event: it is no small part of its price
		if err := s.allow(sendTime); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return errCut
		}
		s.renew = now.Add(sendTime / 4)
	}
	if s.send(events) != nil {
		return errCut
	}
	return nil
}

// allow gives the client so much time to take what is sent.
func (s *stream) allow(d time.Duration) error {
	if s.pipe != nil {
		return s.pipe.allow(d)
	}
	return s.out.SetWriteDeadline(time.Now().Add(d))
}

func (s *stream) send(events []byte) error {
	if s.pipe != nil {
		return s.pipe.write(events)
	}
	if _, err := s.w.Write(events); err != nil {
		return err
	}
	return s.out.Flush()
}

// event writes an event. Events that take a client further carry the id.
func (s *stream) event(name string, data []byte, further bool) {
	s.buf = append(append(append(s.buf, "event: "...), name...), '\n')
	if further {
		s.buf = append(s.buf, "id: "...)
		for i, p := range s.bookmarks {
			if i > 0 {
				s.buf = append(s.buf, ',')
			}
			s.buf = p.append(s.buf)
		}
		s.buf = append(s.buf, '\n')
	}
	s.buf = append(append(append(s.buf, "data: "...), data...), "\n\n"...)
}

// tell writes an event with a value as JSON.
func (s *stream) tell(name string, data any, further bool) error {
	raw, err := json.Marshal(data)
	if err == nil {
		s.event(name, raw, further)
	}
	return err
}

func (b *bookmark) append(dst []byte) []byte {
	dst = append(append(dst, b.table...), '.')
	dst = append(strconv.AppendInt(dst, int64(b.number), 10), '.')
	if b.viewer < 0 {
		dst = append(dst, 'w', '.')
	} else {
		dst = append(strconv.AppendInt(dst, int64(b.viewer), 10), '.')
	}
	return strconv.AppendInt(dst, int64(b.chat), 10)
}

// longestBookmarks is how many bytes of an id are read.
const longestBookmarks = 16 << 10

// readBookmarks reads the id of an event. It leaves out what cannot be read: those
// tables begin anew.
func readBookmarks(id string) map[string]*bookmark {
	all := map[string]*bookmark{}
	if len(id) > longestBookmarks {
		return all
	}
	for text := range strings.SplitSeq(id, ",") {
		part := strings.Split(text, ".")
		if len(part) != 4 || !store.ValidID(part[0]) {
			continue
		}
		number, err1 := strconv.ParseUint(part[1], 10, 31)
		chat, err2 := strconv.ParseUint(part[3], 10, 31)
		viewer, err3 := game.Watcher, error(nil)
		if part[2] != "w" {
			n, err := strconv.ParseUint(part[2], 10, 7)
			viewer, err3 = game.Seat(n), err
		}
		if errors.Join(err1, err2, err3) == nil {
			all[part[0]] = &bookmark{table: part[0], number: int(number), viewer: viewer, chat: int(chat)}
		}
	}
	return all
}

// sightEvent is a table as a client begins with it.
type sightEvent struct {
	Again bool `json:"again"` // start over: what was known of this table leads no further
	*hall.Sight
}

// follow begins with a table, or goes on where the client was.
func (s *stream) follow(id string, last *bookmark) error {
	sight, err := s.Hall.Follow(s.asking, id, s.by, s.reader)
	if errors.Is(err, store.ErrNone) {
		return s.gone(id)
	}
	if err != nil {
		return err
	}
	now := &bookmark{table: id}
	s.bookmarks = append(s.bookmarks, now)
	return s.goOn(now, last, sight)
}

// resume goes on with a table that the client follows, where it is.
func (s *stream) resume(b *bookmark) error {
	sight, err := s.Hall.Resume(s.asking, b.table, s.by, s.reader)
	if err != nil {
		return s.lost(b.table, err)
	}
	last := *b
	return s.goOn(b, &last, sight)
}

// goOn takes a client from where it was to where the table is: it tells what the
// client missed, or shows the table anew.
func (s *stream) goOn(now, last *bookmark, sight *hall.Sight) error {
	id := now.table
	now.number, now.viewer, now.chat = sight.Look.Number, sight.Viewer(), sight.Chat
	now.acts = slices.Contains(sight.Look.ToAct, now.viewer)
	missed := -1
	if last != nil {
		missed = now.number - last.number
	}
	if missed < 0 || missed > mostCaught || last.viewer != now.viewer {
		if err := s.tell("look", sightEvent{last != nil, sight}, true); err != nil {
			return err
		}
		return s.flush()
	}
	said := now.chat
	now.chat = min(last.chat, said) // who is cut off in between comes back for the rest
	if missed > 0 {
		list, err := s.Hall.Since(s.asking, id, s.by, last.number+1, missed)
		if err != nil {
			*now = *last // it was told nothing of it
			return err
		}
		for i, told := range list {
			now.number = last.number + 1 + i
			s.event("entry", told, true)
		}
	}
	if now.chat < said {
		if err := s.catchUp(now, said); err != nil {
			return err
		}
	}
	// What is no entry is told as it is now.
	if err := s.tell("who", hall.Named{Table: id, Who: sight.Who}, false); err != nil {
		return err
	}
	if err := s.tell("present", hall.Here{Table: id, Present: sight.Present}, false); err != nil {
		return err
	}
	if sight.Next != "" {
		if err := s.tell("next", hall.Next{Table: id, Next: sight.Next}, false); err != nil {
			return err
		}
	}
	if sight.Sides != nil {
		if err := s.tell("sides", hall.SidesNews{Table: id, Sides: sight.Sides}, false); err != nil {
			return err
		}
	}
	return s.flush()
}

// catchUp tells the lines that were said since, up to a number.
func (s *stream) catchUp(now *bookmark, end int) error {
	lines, err := s.Hall.Lines(s.asking, now.table, s.by, now.chat)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if line.Number >= end { // it arrives by itself
			break
		}
		now.chat = line.Number + 1
		if err := s.tell("chat", hall.Said{Table: now.table, ChatLine: line}, true); err != nil {
			return err
		}
	}
	now.chat = max(now.chat, end)
	return nil
}

// gone says that there is no such table, or none for this client any more.
func (s *stream) gone(id string) error {
	s.reader.Ignore(news.Table(id))
	s.asked = slices.DeleteFunc(s.asked, func(other string) bool { return other == id })
	if i := s.at(id); i >= 0 {
		s.bookmarks = slices.Delete(s.bookmarks, i, i+1)
		s.Hall.Part(id, s.by)
	}
	return s.tell("gone", hall.Gone{Table: id}, true)
}

func (s *stream) at(id string) int {
	return slices.IndexFunc(s.bookmarks, func(b *bookmark) bool { return b.table == id })
}

// followMine tells what the client's list of tables says, now and when it changes.
func (s *stream) followMine() error {
	if _, err := s.reader.Watch(news.Account(s.by.ID), nil); err != nil {
		return err
	}
	list, err := s.Hall.Sitting(s.asking, s.by, store.MostListed)
	if err != nil {
		return err
	}
	for _, summary := range list {
		if err := s.tell("mine", summary, false); err != nil {
			return err
		}
	}
	return s.flush()
}

// beat is a sign of life, with the time for clocks and when the next one comes.
func (s *stream) beat() { s.buf = s.appendBeat(s.buf) }

func (s *stream) appendBeat(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, "event: beat\ndata: {\"now\":"...), int64(table.At(s.Hall.Now())), 10)
	dst = strconv.AppendInt(append(dst, ",\"next\":"...), s.pace.Milliseconds(), 10)
	return append(dst, "}\n\n"...)
}

// meanwhile does something for which the store may be asked, and gives signs of life
// until it is done: whoever listens is not to believe that the line is dead.
func (s *stream) meanwhile(do func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				done <- fmt.Errorf("broken down: %v\n%s", fault, debug.Stack())
			}
		}()
		done <- do()
	}()
	for {
		select {
		case err := <-done:
			return err
		case <-s.beats:
			s.pulse.Reset(s.pace)
			s.check()
			if s.hand(s.appendBeat(nil)) != nil {
				s.done()
				return errors.Join(<-done, errCut)
			}
		}
	}
}

// paceNow is how far apart signs of life are: closer while the client is to act at one
// of its tables, since then it must know whether the line is dead.
func (s *stream) paceNow() time.Duration {
	if slices.ContainsFunc(s.bookmarks, func(b *bookmark) bool { return b.acts }) {
		return min(turnBeat, s.Beat)
	}
	return s.Beat
}

// keepPulse gives a sign of life at once where they come at another pace from now on.
func (s *stream) keepPulse() {
	if pace := s.paceNow(); pace != s.pace {
		s.pace = pace
		s.pulse.Reset(pace)
		s.check()
		s.beat()
	}
}

// check makes sure once in a usual beat that the client is still who it was: not with
// every quick one, since that asks the store.
func (s *stream) check() {
	if now := time.Now(); now.Sub(s.admission) >= s.Beat-min(turnBeat, s.Beat)/2 {
		s.admission = now
		s.ask()
	}
}

// ask asks whether the client is still who it was. What comes of it is heard by
// a nudge: the store may take its time, and signs of life do not wait for it.
func (s *stream) ask() {
	if s.recheck = s.checking; s.checking || s.by.ID == "" {
		return
	}
	s.checking = true
	go func() {
		found := admitted // as long as nobody knows better
		defer func() {
			if fault := recover(); fault != nil {
				s.Log.Error("a stream has broken down", "err", fmt.Sprintf("%v\n%s", fault, debug.Stack()))
			}
			s.nudges.give(found)
		}()
		if !s.admitted() {
			found = refused
		}
	}()
}

// heed does what nudges are for. False ends the stream.
func (s *stream) heed(all nudge) bool {
	if all&(ended|refused) != 0 {
		return false
	}
	if all&admitted != 0 {
		if s.checking = false; s.recheck {
			s.ask()
		}
	}
	if all&doubted != 0 {
		s.ask()
	}
	return true
}

// acts tells whether a viewer is to act after an entry, by the JSON that it is told.
func acts(form []byte, viewer game.Seat) bool {
	_, after, ok := bytes.Cut(form, []byte(`,"toAct":[`))
	seat, _, _ := bytes.Cut(after, []byte{']'})
	return ok && viewer >= 0 && string(seat) == strconv.Itoa(int(viewer))
}

// admitted tells whether the listener is still who it was: not signed out, not
// deleted, and no program whose token has ended. While that cannot be found out
// they stay.
func (s *stream) admitted() bool {
	if s.by.ID == "" {
		return true
	}
	ctx, done := context.WithTimeout(s.ctx, s.Patience)
	defer done()
	by, _, err := s.identify(s.r.WithContext(ctx))
	if err == nil && by.ID != "" {
		if ban, err := s.Hall.Banned(ctx, by); err == nil && ban != nil {
			return false
		}
	}
	var refusal *game.Refusal
	known := err == nil || errors.As(err, &refusal) && refusal.Key != "server.often"
	return by.ID == s.by.ID || !known
}

// listen tells what happens until the client hangs up. While the store cannot be
// reached the stream stays, with what the client knows, and goes on from there when
// it can be.
func (s *stream) listen() error {
	for {
		over := s.reader.Err()
		more := false
		var err error
		if !s.away {
			more, err = s.hearSome()
		}
		if err == nil {
			s.keepPulse()
			err = s.flush()
		}
		if err == nil && !more {
			err = over
			if s.away { // what was heard meanwhile is in the log
				s.reader.Close()
				s.reader = s.Hall.Listen(unheard)
			}
			if s.away || behind(err) {
				err = s.meanwhile(s.attach)
				more = true // than was looked for
			}
		}
		if s.away = unreachable(err) && !errors.Is(err, errCut) && s.ctx.Err() == nil; s.away {
			more, err = false, s.flush()
		}
		if err != nil {
			return err
		}
		ready := s.reader.Ready()
		if more {
			ready = always
		}
		if s.away {
			ready = nil
		}
		again := s.again(s.away)
		select {
		case <-ready:
		case <-again:
		case <-s.beats:
			s.pulse.Reset(s.pace)
			s.check()
			s.beat()
		case <-s.nudges.there:
			if !s.heed(s.nudges.take()) {
				return nil
			}
		}
	}
}

// awayTime is how long a stream waits before it asks a store again that could not be
// reached.
const awayTime = time.Second

// again is when a store is to be asked again that is away, each stream at another
// moment; never where it is not.
func (s *stream) again(away bool) <-chan time.Time {
	if !away {
		return nil
	}
	return time.After(awayTime/2 + rand.N(awayTime/2))
}

// atOnce is how many bytes are gathered before they are sent.
const atOnce = 8 << 10

// always is a channel that can always be received from.
var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// hearSome tells what there is, as much as is sent together, and whether there may
// be more.
func (s *stream) hearSome() (more bool, err error) {
	for len(s.buf) < atOnce {
		item, ok := s.reader.Take()
		if !ok {
			return false, nil
		}
		if err := s.hear(item); err != nil {
			return true, err
		}
	}
	return true, nil
}

// hear tells one item.
func (s *stream) hear(item news.Item) error {
	if item.Number == news.Unnumbered {
		return s.hearUnnumbered(item.Body)
	}
	id := item.Topic.ID()
	i := s.at(id)
	if i < 0 || item.Number <= s.bookmarks[i].number {
		return nil
	}
	b := s.bookmarks[i]
	form, moved, ok := hall.Form(item.Body, b.viewer)
	if moved {
		viewer := b.viewer
		if err := s.meanwhile(func() (err error) {
			viewer, err = s.Hall.Viewer(s.ctx, id, s.by)
			return err
		}); err != nil {
			return s.lost(id, err)
		}
		if viewer != b.viewer {
			return s.lookAnew(b)
		}
	}
	if !ok {
		var list []json.RawMessage
		if err := s.meanwhile(func() (err error) {
			list, err = s.Hall.Since(s.ctx, id, s.by, item.Number, 1)
			return err
		}); err != nil || len(list) == 0 {
			return s.lost(id, err)
		}
		form = list[0]
	}
	b.number = item.Number
	b.acts = acts(form, b.viewer)
	s.event("entry", form, true)
	return nil
}

// lost stops following a table that is not for this client any more.
func (s *stream) lost(id string, err error) error {
	if err == nil || errors.Is(err, store.ErrNone) {
		return s.gone(id)
	}
	return err
}

// lookAnew shows a table to somebody who sits elsewhere than before.
func (s *stream) lookAnew(b *bookmark) error {
	var sight *hall.Sight
	if err := s.meanwhile(func() (err error) {
		sight, err = s.Hall.Look(s.ctx, b.table, s.by)
		return err
	}); err != nil {
		return s.lost(b.table, err)
	}
	b.number, b.viewer, b.chat = sight.Look.Number, sight.Viewer(), max(b.chat, sight.Chat)
	b.acts = slices.Contains(sight.Look.ToAct, b.viewer)
	return s.tell("look", sightEvent{true, sight}, true)
}

// hearUnnumbered tells the client what is in no log.
func (s *stream) hearUnnumbered(body []byte) error {
	event, data := hall.SplitEvent(body)
	if event != "chat" {
		s.event(event, data, false)
		return nil
	}
	var line struct {
		Table  string
		Number int
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	i := s.at(line.Table)
	if i < 0 || line.Number < s.bookmarks[i].chat {
		return nil
	}
	if line.Number > s.bookmarks[i].chat { // something was said and not told, such as a line whose answer was lost
		if err := s.meanwhile(func() error { return s.catchUp(s.bookmarks[i], line.Number) }); err != nil {
			return s.lost(line.Table, err)
		}
	}
	if !s.Hall.FoldsNothing(s.by) { // it is read as they may see it
		if err := s.meanwhile(func() error { return s.catchUp(s.bookmarks[i], line.Number+1) }); err != nil {
			return s.lost(line.Table, err)
		}
		return nil
	}
	s.bookmarks[i].chat = line.Number + 1
	s.event(event, bytes.Clone(data), true)
	return nil
}
