package cluster

import (
	"errors"
	"io"
	"math"
	"net"
	"sync"
	"testing"
	"time"
)

// deadLine is after how long a connection over which nothing comes is reset, as TCP
// does by itself where nothing is acknowledged (TCP_USER_TIMEOUT).
const deadLine = 10 * time.Second

// weather is what happens on a link.
type weather struct {
	cut      bool          // connections are reset, and none can be made
	up, down bool          // what is sent, or what is answered, does not arrive
	slow     time.Duration // each piece takes so long
}

// link is a way from one part to another, over TCP. What happens on it is what all
// mishaps together want.
type link struct {
	name string
	on   net.Listener
	to   func() (network, address string)

	mu      sync.Mutex
	mishaps map[*weather]bool
	now     weather
	changed chan struct{} // closed when the weather changes
	conns   map[net.Conn]bool
	closed  bool
	work    sync.WaitGroup
}

func newLink(t *testing.T, name string, to func() (network, address string)) *link {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{name: name, on: on, to: to, mishaps: map[*weather]bool{}, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	l.work.Go(l.serve)
	t.Cleanup(l.close)
	return l
}

func (l *link) port() int { return l.on.Addr().(*net.TCPAddr).Port }

func (l *link) serve() {
	for {
		c, err := l.on.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if l.weather().cut {
			reset(c)
			continue
		}
		l.work.Go(func() { l.join(c) })
	}
}

// join carries between a connection and where the link leads.
func (l *link) join(near net.Conn) {
	network, address := l.to()
	far, err := net.Dial(network, address)
	if err != nil {
		reset(near)
		return
	}
	if !l.keep(near, far) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { l.carry(near, far, func(w weather) bool { return w.up }) })
	both.Go(func() { l.carry(far, near, func(w weather) bool { return w.down }) })
	both.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, near)
	delete(l.conns, far)
}

// keep notes two connections, so that they can be reset; false where they are.
func (l *link) keep(near, far net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.now.cut {
		reset(near)
		reset(far)
		return false
	}
	l.conns[near], l.conns[far] = true, true
	return true
}

// carry carries in one direction until one of the ends is gone.
func (l *link) carry(from, to net.Conn, held func(weather) bool) {
	defer reset(from)
	defer reset(to)
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if !l.pass(held) {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// pass waits until something may go on; false where the connection is dead.
func (l *link) pass(held func(weather) bool) bool {
	dead := time.NewTimer(deadLine)
	defer dead.Stop()
	for {
		l.mu.Lock()
		now, changed, closed := l.now, l.changed, l.closed
		l.mu.Unlock()
		switch {
		case closed || now.cut:
			return false
		case held(now):
			select {
			case <-changed:
			case <-dead.C:
				return false
			}
		default:
			time.Sleep(now.slow)
			return true
		}
	}
}

func (l *link) weather() weather {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// begin begins a mishap, and gives what ends it.
func (l *link) begin(w weather) (end func()) {
	l.mu.Lock()
	l.mishaps[&w] = true
	l.forecast()
	l.mu.Unlock()
	if w.cut {
		l.reset()
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.mishaps, &w)
		l.forecast()
	}
}

// forecast is the weather that all mishaps make; the caller holds the lock.
func (l *link) forecast() {
	l.now = weather{}
	for w := range l.mishaps {
		l.now.cut, l.now.up, l.now.down = l.now.cut || w.cut, l.now.up || w.up, l.now.down || w.down
		l.now.slow = max(l.now.slow, w.slow)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// reset ends all connections.
func (l *link) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		reset(c)
	}
}

func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	close(l.changed)
	l.changed = make(chan struct{})
	l.mu.Unlock()
	_ = l.on.Close()
	l.reset()
	l.work.Wait()
}

// reset ends a connection so that the other end is told at once.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// caller talks to an echo, for tests of links.
type caller struct{ net.Conn }

func newEcho(t *testing.T) string {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = on.Close() })
	go func() {
		for {
			c, err := on.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	return on.Addr().String()
}

func dial(t *testing.T, l *link) caller {
	t.Helper()
	c, err := net.Dial("tcp", l.on.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return caller{c}
}

func (c caller) say(text string) { _, _ = io.WriteString(c, text) } // it is cut, or not

// hears tells whether a byte comes within some time.
func (c caller) hears(within time.Duration) bool {
	_ = c.SetReadDeadline(time.Now().Add(within))
	n, _ := c.Read(make([]byte, 1))
	return n == 1
}

func (c caller) answers(text string) bool {
	c.say(text)
	return c.hears(math.MaxInt32 * time.Second)
}
