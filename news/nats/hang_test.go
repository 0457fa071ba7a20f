package nats

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"

	"copse/news"
)

// heldWire is how connections to NATS are made on which a test holds up what the
// server says, and cuts nothing.
type heldWire struct {
	mu    sync.Mutex
	free  chan struct{} // closed while things pass
	after []byte        // what the server says is held up once it has said this; nil for nothing
	dials atomic.Int64
	pings atomic.Int64
}

func newHeldWire(t *testing.T) *heldWire {
	w := &heldWire{free: make(chan struct{})}
	close(w.free)
	t.Cleanup(w.letGo)
	return w
}

func (w *heldWire) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = make(chan struct{})
}

func (w *heldWire) letGo() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after = nil
	select {
	case <-w.free:
	default:
		close(w.free)
	}
}

func (w *heldWire) dial(string) client.CustomDialer {
	return dialer(func(network, address string) (net.Conn, error) {
		w.dials.Add(1)
		c, err := net.Dial(network, address)
		return &heldConn{c, w}, err
	})
}

type heldConn struct {
	net.Conn
	wire *heldWire
}

func (c *heldConn) Write(p []byte) (int, error) {
	c.wire.pings.Add(int64(bytes.Count(p, []byte("PING\r\n"))))
	return c.Conn.Write(p)
}

func (c *heldConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.wire.mu.Lock()
	free := c.wire.free
	if c.wire.after != nil && bytes.Contains(p[:n], c.wire.after) { // from the next on
		c.wire.after, c.wire.free = nil, make(chan struct{})
	}
	c.wire.mu.Unlock()
	<-free
	return n, err
}

// seldom has NATS itself not notice that nothing comes.
var seldom = []client.Option{client.PingInterval(time.Hour)}

// TestAConnectionThatHangs is noticed long before it breaks, and is good again when it
// goes on: nothing was lost on it.
func TestAConnectionThatHangs(t *testing.T) {
	s, wire := start(t, 0), newHeldWire(t)
	a, b := node(t, s, Options{}), node(t, s, Options{dial: wire.dial, With: seldom})
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	wire.hold()
	a.Publish(news.Item{Topic: oak, Number: 0})
	until(t, "nobody notices that the connection hangs", func() bool { return !b.Up() })
	wire.letGo()
	connected(t, b)
	if got := take(t, r); got.Number != 0 || r.Err() != nil {
		t.Errorf("%d arrives, %v", got.Number, r.Err())
	}
	if n := wire.dials.Load(); n != 2 {
		t.Errorf("there were %d connections", n)
	}
}

// TestASlowBeginning: a connection whose first answer takes longer than one waits for
// it is good when the answer comes.
func TestASlowBeginning(t *testing.T) {
	s, wire := start(t, 0), newHeldWire(t)
	a := node(t, s, Options{})
	wire.after = []byte("PONG\r\n")
	b, err := Open(Options{URL: s.ClientURL(), House: "bosk", dial: func(channel string) client.CustomDialer {
		if channel == "items" {
			return wire.dial(channel)
		}
		return dialer(net.Dial)
	}, With: seldom})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	r := reading(t, b, news.Table("oak"), 0)
	until(t, "it is not asked again", func() bool { return wire.pings.Load() >= 3 }) // to connect, and twice whether it is heard
	if b.Up() {
		t.Error("it is up, and nobody has said so")
	}
	wire.letGo()
	connected(t, b)
	if err := cut(r); err == nil {
		t.Error("nobody was told to read on")
	}
	r = reading(t, b, news.Table("oak"), 0)
	a.Publish(news.Item{Topic: news.Table("oak"), Number: 0})
	take(t, r)
	if n := wire.dials.Load(); n != 1 {
		t.Errorf("there were %d connections", n)
	}
}

// TestAServerThatLetsNobodyIn for a while, since its passwords are wrong, is tried
// again until it does.
func TestAServerThatLetsNobodyIn(t *testing.T) {
	with := func(port int, password string) *server.Server {
		vacant(t, port)
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, Username: "copse", Password: password})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("the NATS server does not start")
		}
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		return s
	}
	var asked atomic.Int64
	s := with(server.RANDOM_PORT, "right")
	c := node(t, s, Options{With: []client.Option{client.UserInfoHandler(func() (string, string) {
		asked.Add(1)
		return "copse", "right"
	})}})
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	s = with(port, "wrong")
	before := asked.Load()
	until(t, "it is given up", func() bool { return asked.Load() >= before+10 || c.items.conn.IsClosed() })
	if c.Up() || c.items.conn.IsClosed() || c.states.conn.IsClosed() {
		t.Error("a node that is not let in gives up, or believes that it is heard")
	}
	s.Shutdown()
	s.WaitForShutdown()
	with(port, "right")
	connected(t, c)
}
