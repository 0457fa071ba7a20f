// Package nats carries news between the nodes of a house, over NATS.
//
// Each node has a hub for its own readers. What is published at a node goes into its
// hub at once, and over NATS into the hubs of all others. NATS promises nothing about
// delivery, and nothing is asked of it: a node that has lost something, or may have,
// cuts readers off, and they read on in the log as every slow reader does.
//
//   - Numbered items that are lost are found by the next one, and the last one by
//     asking the store how far the logs of all watched tables go, every second.
//   - After a broken connection everyone at the node reads on in the log.
//   - What a newer version says and this one cannot read makes readers of its topic
//     read on in the log.
//
// States travel on a connection of their own, as many as fit, the newest of each: a
// crowd that comes and goes delays no move. They are gathered for a moment, since lists
// change with every turn. So between nodes a state may arrive
// before or after the items that were published around it.
package nats

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"

	"copse/news"
)

// Options say how a carrier is connected.
type Options struct {
	URL   string          // of the servers, with commas between them
	House string          // which house's news it is: several may share a server
	With  []client.Option // credentials, certificates
	Log   *slog.Logger

	// Heads says of each table where its log goes on. What a table is not known to
	// have is not looked for. A hall that looks for what was lost by itself, as
	// package hall does, needs no second one to do so: nil.
	Heads func(ctx context.Context, tables []string) (map[string]int, error)

	// dial makes connections for a channel, in tests.
	dial func(channel string) client.CustomDialer
}

// Carrier carries news between nodes.
type Carrier struct {
	*news.Hub // the readers of this node

	log   *slog.Logger
	heads func(context.Context, []string) (map[string]int, error)

	items  *channel
	states *channel
	ear    atomic.Pointer[news.Ear]

	stop func()
	done sync.WaitGroup

	late map[string]int // where logs went on when they were last asked for
}

var _ news.Between = (*Carrier)(nil)

const (
	// headsEvery is how often the store is asked how far the logs go. What is
	// missing then and still missing the next time is lost.
	headsEvery = time.Second

	// headsTime is how long the store may take to answer.
	headsTime = 5 * time.Second

	// mostUnsent is how many items wait to be sent, at most. A connection that takes
	// nothing for so long has lost them, and other nodes find that out.
	mostUnsent = 1 << 14

	// mostStates is how many states wait to be sent, at most.
	mostStates = 1 << 16

	// statesGap is how long after some states the next are sent. With every turn the
	// lists of two players change: sent one by one, each would wake up the server and
	// all other nodes, for what nobody looks at so closely.
	statesGap = 20 * time.Millisecond

	// writeTime is how long a connection may take nothing before it is made anew.
	writeTime = 2 * time.Second

	// pingEvery is how often a connection is asked whether it is alive. Two answers
	// that do not come end it.
	pingEvery = 2 * time.Second

	// askEvery is how often a connection is asked whether it answers, and answerTime
	// how long it may take: from then on nobody is heard, until it answers again.
	askEvery   = time.Second
	answerTime = 1500 * time.Millisecond

	// again is how long to wait before a broken connection is made anew, at least.
	again = 250 * time.Millisecond

	// closeTime is how long Close waits for what is still to be sent.
	closeTime = time.Second
)

// Open makes a carrier. It does not wait for the server: where none answers yet, the
// carrier carries within this node until one does.
func Open(o Options) (*Carrier, error) {
	if o.House == "" || strings.ContainsAny(o.House, ".*> \t\r\n") {
		return nil, fmt.Errorf("nats: %q cannot name a house", o.House)
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &Carrier{Hub: news.NewHub(), log: o.Log, heads: o.Heads, stop: stop}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if c.items, err = c.open(&o, "items", &queue{most: mostUnsent}); err == nil {
		c.states, err = c.open(&o, "states", &newest{most: mostStates})
	}
	if err != nil {
		stop()
		c.Hub.Close()
		if c.items != nil {
			c.items.conn.Close()
		}
		return nil, err
	}
	c.states.gap = statesGap
	for _, l := range []*channel{c.items, c.states} {
		c.done.Go(l.send)
		c.done.Go(func() { l.listens(ctx) })
	}
	if c.heads != nil {
		c.done.Go(func() { c.look(ctx) })
	}
	return c, nil
}

// Publish gives an item to the readers of this node, and to those of all others.
func (c *Carrier) Publish(item news.Item) {
	c.Hub.Publish(item)
	if item.State == "" {
		c.items.add(item)
	} else {
		c.states.add(item)
	}
}

// Tell gives an item to the readers of this node alone.
func (c *Carrier) Tell(item news.Item) { c.Hub.Publish(item) }

// Overhear has an ear hear what the other nodes publish.
func (c *Carrier) Overhear(ear news.Ear) { c.ear.Store(&ear) }

// lost has everyone at this node read on in the log.
func (c *Carrier) lost() {
	c.Hub.Lost()
	if ear := c.ear.Load(); ear != nil && ear.Lost != nil {
		ear.Lost()
	}
}

// Wanted says yes: nobody knows who listens at other nodes.
func (c *Carrier) Wanted(news.Topic) bool { return true }

// WantedHere tells whether anybody at this node watches a topic.
func (c *Carrier) WantedHere(topic news.Topic) bool { return c.Hub.Wanted(topic) }

// Noticed is how long it takes at most until Up says that a connection hangs, which
// may take much longer to break.
const Noticed = askEvery + answerTime

// Up tells whether other nodes hear what is published here now.
func (c *Carrier) Up() bool { return c.items.isUp() && c.states.isUp() }

// Close sends what is still to be sent, if that is quickly done, and cuts all readers
// off.
func (c *Carrier) Close() {
	c.Hub.Close()
	c.stop()
	c.items.close()
	c.states.close()
	c.done.Wait()
}

// look finds what was lost, until it is stopped.
func (c *Carrier) look(ctx context.Context) {
	ticks := time.NewTicker(headsEvery)
	defer ticks.Stop()
	var failed error
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		asking, end := context.WithTimeout(ctx, headsTime)
		err := c.lookOnce(asking)
		end()
		if err != nil && failed == nil && ctx.Err() == nil {
			c.log.Warn("nobody knows whether news of other nodes is missing", "err", err)
		}
		failed = err
	}
}

// lookOnce cuts readers off that have not heard what was in the log when it last
// asked. What is newer may still be on its way.
func (c *Carrier) lookOnce(ctx context.Context) error {
	for id, next := range c.late {
		if c.Hub.Missed(news.Table(id), next) {
			c.log.Info("news of another node was lost, and is read in the log", "table", id)
		}
	}
	tables := c.Hub.Tables()
	if len(tables) == 0 {
		return nil
	}
	heads, err := c.heads(ctx, tables)
	if err != nil {
		return err
	}
	c.late = heads
	return nil
}

// hear gives the readers of this node what another node says.
func (c *Carrier) hear(message *client.Msg) {
	item, whole, err := decode(message.Data)
	switch {
	case err != nil:
		c.log.Warn("something came over NATS that is no news", "subject", message.Subject, "err", err)
	case !whole && item.Topic == news.House():
		c.lost()
	case !whole:
		c.Hub.Doubt(item.Topic)
	default:
		c.Hub.Publish(item)
		if ear := c.ear.Load(); ear != nil && ear.Item != nil {
			ear.Item(item)
		}
	}
}

// channel is a connection on which a node says and hears one kind of news.
type channel struct {
	subject string
	conn    *client.Conn
	heard   *client.Subscription
	asked   chan struct{} // closed when the connection knows what it listens to
	up      atomic.Bool   // nothing is missed from now on
	hangs   atomic.Bool   // the server does not answer, though the connection is there
	gap     time.Duration // after what was sent, until more is

	mu      sync.Mutex
	waiting backlog
	closed  bool
	ready   chan struct{} // there is something to be sent, or no more will be
	over    chan struct{} // closed when everything is sent
}

// open connects a channel.
func (c *Carrier) open(o *Options, name string, waiting backlog) (*channel, error) {
	l := &channel{subject: "copse." + o.House + "." + name, waiting: waiting, asked: make(chan struct{}), ready: make(chan struct{}, 1), over: make(chan struct{})}
	options := slices.Concat([]client.Option{
		client.Name("copse " + name),
		client.NoEcho(),
		client.RetryOnFailedConnect(true),
		client.MaxReconnects(-1),
		client.IgnoreAuthErrorAbort(), // a server that does not let this node in may be set right again
		client.ReconnectWait(again),
		client.ReconnectJitter(again, again),
		client.ReconnectBufSize(-1), // what was not sent is read in the log
		client.PingInterval(pingEvery),
		client.MaxPingsOutstanding(2),
		client.FlusherTimeout(writeTime),
		client.DisconnectErrHandler(func(_ *client.Conn, err error) {
			l.up.Store(false)
			if err != nil {
				c.log.Warn("the connection to NATS is broken: other nodes' news comes late", "channel", name, "err", err)
			}
		}),
		client.ConnectHandler(func(conn *client.Conn) { c.back(l, conn, name) }),
		client.ReconnectHandler(func(conn *client.Conn) { c.back(l, conn, name) }),
		client.ClosedHandler(func(*client.Conn) {
			l.up.Store(false)
			if !l.ends() {
				c.log.Error("the connection to NATS is given up: other nodes' news comes late until this node is started again", "channel", name)
			}
		}),
		client.ErrorHandler(func(_ *client.Conn, sub *client.Subscription, err error) {
			if sub != nil { // this node was too slow
				c.lost()
			}
			c.log.Warn("trouble with NATS", "channel", name, "err", err)
		}),
	}, o.With)
	if o.dial != nil {
		options = append(options, client.SetCustomDialer(o.dial(name)))
	}
	var err error
	if l.conn, err = client.Connect(o.URL, options...); err != nil {
		close(l.asked)
		return nil, fmt.Errorf("nats: %w", err)
	}
	l.heard, err = l.conn.Subscribe(l.subject, c.hear)
	close(l.asked)
	if err != nil {
		l.conn.Close()
		return nil, fmt.Errorf("nats: %w", err)
	}
	return l, nil
}

// back has everyone at this node read on in the log, once nothing more is missed on a
// channel that was away.
func (c *Carrier) back(l *channel, conn *client.Conn, name string) {
	<-l.asked
	for conn.FlushTimeout(writeTime) != nil { // the server may not have heard yet what is listened to
		if !conn.IsConnected() {
			return // it will be back once more
		}
	}
	c.lost()
	l.hangs.Store(false)
	l.up.Store(true)
	c.log.Info("connected to NATS", "channel", name)
}

func (l *channel) isUp() bool { return l.up.Load() && !l.hangs.Load() }

// listens asks the server once in a while whether it answers, until the context ends:
// on a connection that hangs nobody can be heard, and it takes long to break.
func (l *channel) listens(ctx context.Context) {
	ticks := time.NewTicker(askEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if l.up.Load() {
			asking, done := context.WithTimeout(ctx, answerTime)
			l.hangs.Store(l.conn.FlushWithContext(asking) != nil)
			done()
		}
	}
}

// ends tells whether the channel is closed from here.
func (l *channel) ends() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// add lets an item be sent. It waits for nobody: what does not fit is lost.
func (l *channel) add(item news.Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.waiting.add(item)
	l.wake()
}

func (l *channel) wake() {
	select {
	case l.ready <- struct{}{}:
	default:
	}
}

// send sends what is added, until the channel is closed.
func (l *channel) send() {
	defer close(l.over)
	var buf []byte
	for range l.ready {
		for {
			l.mu.Lock()
			item, ok := l.waiting.take()
			closed := l.closed
			l.mu.Unlock()
			if !ok {
				if closed {
					return
				}
				break
			}
			buf = encode(buf[:0], &item)
			if most := l.conn.MaxPayload(); most > 0 && int64(len(buf)) > most {
				item.Raw = nil // other nodes can read it
				buf = encode(buf[:0], &item)
			}
			if most := l.conn.MaxPayload(); most > 0 && int64(len(buf)) > most {
				buf = encodeDoubt(buf[:0], item.Topic)
			}
			_ = l.conn.Publish(l.subject, buf) // what is lost is read in the log
		}
		time.Sleep(l.gap)
	}
}

// close sends what waits, as long as that does not take long, and ends the channel.
func (l *channel) close() {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.closed = true
	l.wake()
	l.mu.Unlock()
	ctx, end := context.WithTimeout(context.Background(), closeTime)
	defer end()
	select {
	case <-l.over:
		if l.conn.IsConnected() {
			_ = l.conn.FlushWithContext(ctx)
		}
	case <-ctx.Done():
	}
	l.conn.Close()
}
