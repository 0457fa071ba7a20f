package nats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"

	"copse/news"
	"copse/news/newstest"
)

// start starts a NATS server in this process; port 0 is any.
func start(t testing.TB, port int) *server.Server {
	t.Helper()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	vacant(t, port)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
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

// vacant waits until a server can listen at a port where one has been before: meanwhile
// it may be that from which somebody else has called.
func vacant(t testing.TB, port int) {
	t.Helper()
	if port == server.RANDOM_PORT {
		return
	}
	until(t, "the port is taken", func() bool {
		on, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		return err == nil && on.Close() == nil
	})
}

// node opens a carrier and waits until it is connected.
func node(t testing.TB, s *server.Server, o Options) *Carrier {
	t.Helper()
	o.URL = s.ClientURL()
	if o.House == "" {
		o.House = "bosk"
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	connected(t, c)
	return c
}

// connected waits until a node misses nothing.
func connected(t testing.TB, c *Carrier) {
	t.Helper()
	until(t, "the node is not connected", c.Up)
}

// until waits for something to become true.
func until(t testing.TB, otherwise string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(otherwise)
		}
	}
}

// pair publishes at one node and is read at another.
type pair struct {
	*Carrier // where it is read
	from     *Carrier

	mu    sync.Mutex
	marks int
}

func (p *pair) Publish(item news.Item)       { p.from.Publish(item) }
func (p *pair) Wanted(topic news.Topic) bool { return p.from.Wanted(topic) }

func (p *pair) Close() {
	p.from.Close()
	p.Carrier.Close()
}

// Settle publishes a mark on either channel and waits until it is heard.
func (p *pair) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks++
	r := p.Subscribe(2)
	defer r.Close()
	topic := news.Account(fmt.Sprint("mark ", p.marks))
	if _, err := r.Watch(topic, nil); err != nil {
		panic(err)
	}
	p.Publish(news.Item{Topic: topic, Number: news.Unnumbered})
	p.Publish(news.Item{Topic: topic, Number: news.Unnumbered, State: "mark"})
	for heard := 0; heard < 2; {
		<-r.Ready()
		for _, ok := r.Take(); ok; _, ok = r.Take() {
			heard++
		}
	}
}

// TestPromises holds the carrier to every promise: published at one node and read at
// another, and both at the same.
func TestPromises(t *testing.T) {
	s := start(t, 0)
	house := 0
	t.Run("TwoNodes", func(t *testing.T) {
		newstest.Run(t, func(t *testing.T) news.Carrier {
			house++
			o := Options{House: fmt.Sprint("house", house)}
			return &pair{from: node(t, s, o), Carrier: node(t, s, o)}
		})
	})
	t.Run("OneNode", func(t *testing.T) {
		newstest.Run(t, func(t *testing.T) news.Carrier {
			house++
			return node(t, s, Options{House: fmt.Sprint("house", house)})
		})
	})
}

// reading watches a table at a node, from a number on.
func reading(t *testing.T, c *Carrier, topic news.Topic, next int) news.Reader {
	t.Helper()
	r := c.Subscribe(100)
	t.Cleanup(r.Close)
	if _, err := r.Watch(topic, func() (int, error) { return next, nil }); err != nil {
		t.Fatal(err)
	}
	return r
}

// take waits for an item.
func take(t *testing.T, r news.Reader) news.Item {
	t.Helper()
	for {
		if item, ok := r.Take(); ok {
			return item
		}
		if _, open := <-r.Ready(); !open {
			t.Fatal(r.Err())
		}
	}
}

// cut waits until a reader is cut off, and says why.
func cut(r news.Reader) error {
	for range r.Ready() {
	}
	return r.Err()
}

// TestTheLossOfTheLastItemIsNoticed: the log has grown, no news came of it, and
// whoever reads it is told by the second question. What is on its way is not lost.
func TestTheLossOfTheLastItemIsNoticed(t *testing.T) {
	s := start(t, 0)
	oak, elm := news.Table("oak"), news.Table("elm")
	heads := map[string]int{"oak": 5, "elm": 3}
	var fail error
	asked := []int{}
	b := node(t, s, Options{})
	b.heads = func(_ context.Context, tables []string) (map[string]int, error) {
		asked = append(asked, len(tables))
		return heads, fail
	}
	look := func() {
		if err := b.lookOnce(t.Context()); err != nil && fail == nil {
			t.Error(err)
		}
	}
	look()
	if len(asked) != 0 {
		t.Error("nobody reads anything, and the store is asked")
	}
	slow, inStep, mine := reading(t, b, oak, 4), reading(t, b, elm, 3), b.Subscribe(1)
	if _, err := mine.Watch(news.Account("oak"), nil); err != nil {
		t.Fatal(err)
	}
	look()
	if slow.Err() != nil {
		t.Error("what may be on its way is taken for lost")
	}
	b.Hub.Publish(news.Item{Topic: oak, Number: 4})
	look()
	if slow.Err() != nil {
		t.Error("what has come is taken for lost")
	}
	heads["oak"] = 6
	look()
	heads["oak"] = 7
	fail = errors.New("the store is away")
	look()
	if err := slow.Err(); !errors.Is(err, news.ErrGap) {
		t.Errorf("the last item was lost, and the reader is told %v", err)
	}
	look()
	if inStep.Err() != nil || mine.Err() != nil {
		t.Errorf("readers who have missed nothing are told %v and %v", inStep.Err(), mine.Err())
	}
	if len(asked) != 5 || asked[0] != 2 || asked[4] != 1 {
		t.Errorf("the store is asked for so many tables: %v", asked)
	}
}

// TestWhatIsLostIsLookedForByItself: nobody has to ask.
func TestWhatIsLostIsLookedForByItself(t *testing.T) {
	s := start(t, 0)
	b := node(t, s, Options{Heads: func(context.Context, []string) (map[string]int, error) {
		return map[string]int{"oak": 1}, nil
	}})
	if err := cut(reading(t, b, news.Table("oak"), 0)); !errors.Is(err, news.ErrGap) {
		t.Errorf("the reader is told %v", err)
	}
}

// TestABrokenConnection: while NATS is away a node carries what is its own, and
// nobody waits; when it is back everyone reads on in the log, and hears the others
// again.
func TestABrokenConnection(t *testing.T) {
	s := start(t, 0)
	oak := news.Table("oak")
	a, b := node(t, s, Options{}), node(t, s, Options{})
	r := reading(t, b, oak, 0)
	a.Publish(news.Item{Topic: oak, Number: 0})
	take(t, r)
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	until(t, "a broken connection is not noticed", func() bool { return !a.Up() && !b.Up() })
	for n := 1; n <= 2*mostUnsent; n++ {
		a.Publish(news.Item{Topic: oak, Number: n})
		a.Publish(news.Item{Topic: oak, Number: news.Unnumbered, State: fmt.Sprint(n % 100)})
	}
	b.Publish(news.Item{Topic: oak, Number: 1})
	if got := take(t, r); got.Number != 1 {
		t.Errorf("at its own node %d arrives", got.Number)
	}
	start(t, port)
	connected(t, a)
	connected(t, b)
	if err := cut(r); !errors.Is(err, news.ErrGap) {
		t.Errorf("after the outage the reader is told %v", err)
	}
	r = reading(t, b, oak, 9)
	a.Publish(news.Item{Topic: oak, Number: 9})
	if got := take(t, r); got.Number != 9 {
		t.Errorf("after the outage %d arrives", got.Number)
	}
}

// TestANodeStartsWithoutNATS, and hears the others when it is there.
func TestANodeStartsWithoutNATS(t *testing.T) {
	s := start(t, 0)
	url, port := s.ClientURL(), s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	oak := news.Table("oak")
	b, err := Open(Options{URL: url, House: "bosk"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.Up() {
		t.Error("without a server it is up")
	}
	r := reading(t, b, oak, 0)
	b.Publish(news.Item{Topic: oak, Number: 0})
	take(t, r)
	a := node(t, start(t, port), Options{})
	connected(t, b)
	if err := cut(r); !errors.Is(err, news.ErrGap) {
		t.Errorf("who came before the connection is told %v", err)
	}
	r = reading(t, b, oak, 1)
	a.Publish(news.Item{Topic: oak, Number: 1})
	take(t, r)
}

// TestWhatCannotBeReadIsReadInTheLog: from a newer version, or too large for a
// message.
func TestWhatCannotBeReadIsReadInTheLog(t *testing.T) {
	s := start(t, 0)
	a, b := node(t, s, Options{}), node(t, s, Options{})
	oak, anna := news.Table("oak"), news.Account("anna")
	for what, publish := range map[string]func(topic news.Topic){
		"a newer version": func(topic news.Topic) {
			raw := append(encode(nil, &news.Item{Topic: topic, Number: 7}), "and more"...)
			raw[0] = versionRaw + 1
			if err := a.items.conn.Publish(a.items.subject, raw); err != nil {
				t.Error(err)
			}
		},
		"too large": func(topic news.Topic) {
			a.Publish(news.Item{Topic: topic, Number: news.Unnumbered, Body: make([]byte, 2<<20)})
		},
	} {
		for _, topic := range []news.Topic{oak, anna} {
			r, other := reading(t, b, topic, 0), reading(t, b, news.Table("elm"), 0)
			publish(topic)
			if err := cut(r); !errors.Is(err, news.ErrGap) {
				t.Errorf("%s, %v: the reader is told %v", what, topic, err)
			}
			if other.Err() != nil {
				t.Errorf("%s, %v: somebody else is told %v", what, topic, other.Err())
			}
		}
	}
}

// TestHallsOverhear: the ear of a node hears what others publish, with the entries
// themselves, and nothing of its own; what is told at one node stays there.
func TestHallsOverhear(t *testing.T) {
	s := start(t, 0)
	a, b := node(t, s, Options{}), node(t, s, Options{})
	heard, lost := make(chan news.Item, 100), make(chan struct{}, 100)
	b.Overhear(news.Ear{Item: func(item news.Item) { heard <- item }, Lost: func() { lost <- struct{}{} }})
	a.Overhear(news.Ear{Item: func(item news.Item) { t.Errorf("it hears itself, or what another node alone was told: %+v", item) }})
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	b.Tell(news.Item{Topic: oak, Number: news.Unnumbered, Body: []byte("here alone")})
	if got := take(t, r); string(got.Body) != "here alone" {
		t.Errorf("it is told %q", got.Body)
	}
	for _, want := range []news.Item{
		{Topic: oak, Number: 0, Body: []byte("a leaf"), Raw: []byte("the leaf itself")},
		{Topic: oak, Number: 1, Body: make([]byte, 900<<10), Raw: make([]byte, 200<<10)}, // too large together
		{Topic: news.House(), Number: news.Unnumbered, State: "node", Body: []byte("here")},
		{Topic: news.House(), Number: news.Unnumbered, Body: []byte("changed")},
	} {
		a.Publish(want)
		got := <-heard
		if len(want.Raw)+len(want.Body) > 1<<20 {
			want.Raw = nil
		}
		if got.Topic != want.Topic || got.Number != want.Number || got.State != want.State || !bytes.Equal(got.Raw, want.Raw) || !bytes.Equal(got.Body, want.Body) {
			t.Errorf("heard is %v %d, %d bytes and %d", got.Topic, got.Number, len(got.Body), len(got.Raw))
		}
		if want.Topic == oak {
			if got := take(t, r); got.Number != want.Number || got.Raw != nil {
				t.Errorf("a reader gets %d with %d bytes of the entry", got.Number, len(got.Raw))
			}
		}
	}
	if len(lost) > 0 {
		t.Error("something is said to be lost")
	}
	raw := encode(nil, &news.Item{Topic: news.House(), Number: news.Unnumbered})
	raw[0] = versionRaw + 1
	if err := a.items.conn.Publish(a.items.subject, raw); err != nil {
		t.Fatal(err)
	}
	<-lost
}

// TestGarbageIsNoNews: whatever comes over the connection, nobody is cut off by it.
func TestGarbageIsNoNews(t *testing.T) {
	s := start(t, 0)
	a := node(t, s, Options{})
	var told bytes.Buffer
	b := node(t, s, Options{Log: slog.New(slog.NewTextHandler(&told, nil))})
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	for _, raw := range []string{"", "\x00", "\x01\x09nothing.x", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x01\x09table.oak", "\x01\x09table.oak\x03\x00", "\x02\x09table.oak\x00\x00", "\x02\x09table.oak\x00\x00\x00", "\x02\x09table.oak\x00\x00\x05raw"} {
		if err := a.items.conn.Publish(a.items.subject, []byte(raw)); err != nil {
			t.Fatal(err)
		}
	}
	a.Publish(news.Item{Topic: oak, Number: 0})
	take(t, r)
	if n := strings.Count(told.String(), "no news"); n != 9 {
		t.Errorf("of 9 pieces of garbage %d are told", n)
	}
}

// slowHand is a log that holds up whoever writes to it.
type slowHand struct{ held chan struct{} }

func (s slowHand) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("no news")) {
		<-s.held
	}
	return len(p), nil
}

// TestANodeThatIsTooSlow has lost something, and everyone there reads on in the log.
func TestANodeThatIsTooSlow(t *testing.T) {
	s := start(t, 0)
	hand := slowHand{make(chan struct{})}
	a, b := node(t, s, Options{}), node(t, s, Options{Log: slog.New(slog.NewTextHandler(hand, nil))})
	if err := b.items.heard.SetPendingLimits(2, -1); err != nil {
		t.Fatal(err)
	}
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	if err := a.items.conn.Publish(a.items.subject, []byte("garbage")); err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		a.Publish(news.Item{Topic: oak, Number: n})
	}
	err := cut(r)
	close(hand.held)
	if _, heard := r.Take(); heard || !errors.Is(err, news.ErrGap) {
		t.Errorf("the reader is told %v", err)
	}
}

// TestHousesDoNotMix on one server.
func TestHousesDoNotMix(t *testing.T) {
	s := start(t, 0)
	a, b, other := node(t, s, Options{House: "one"}), node(t, s, Options{House: "one"}), node(t, s, Options{House: "two"})
	oak := news.Table("oak")
	here, there := reading(t, b, oak, 0), reading(t, other, oak, 0)
	a.Publish(news.Item{Topic: oak, Number: 0, Body: []byte("secret")})
	take(t, here)
	mark := &pair{from: node(t, s, Options{House: "two"}), Carrier: other}
	mark.Settle()
	if got, ok := there.Take(); ok || there.Err() != nil {
		t.Errorf("another house hears %q, %v", got.Body, there.Err())
	}
	for _, name := range []string{"", "a.b", "*", ">", "a b"} {
		if c, err := Open(Options{URL: s.ClientURL(), House: name}); err == nil {
			c.Close()
			t.Errorf("a house may be called %q", name)
		}
	}
}

// stuck is a network on which nothing gets through once it is stuck.
type stuck struct {
	net.Conn
	now, over <-chan struct{}
}

func (s stuck) Write(p []byte) (int, error) {
	select {
	case <-s.now:
		<-s.over
		return 0, net.ErrClosed
	default:
		return s.Conn.Write(p)
	}
}

type dialer func(network, address string) (net.Conn, error)

func (d dialer) Dial(network, address string) (net.Conn, error) { return d(network, address) }

// TestPresenceSharesNoQueueWithMoves: the channel of the states takes nothing any more,
// a crowd comes and goes, and moves arrive all the same; nobody waits, and no more is
// kept than the newest of each.
func TestPresenceSharesNoQueueWithMoves(t *testing.T) {
	s := start(t, 0)
	now, over := make(chan struct{}), make(chan struct{})
	a := node(t, s, Options{dial: func(channel string) client.CustomDialer {
		return dialer(func(network, address string) (net.Conn, error) {
			conn, err := net.Dial(network, address)
			if channel == "states" && err == nil {
				conn = stuck{conn, now, over}
			}
			return conn, err
		})
	}})
	defer close(over)
	b := node(t, s, Options{})
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	close(now)
	for n := range 50 {
		for i := range 2000 {
			a.Publish(news.Item{Topic: oak, Number: news.Unnumbered, State: fmt.Sprint(i % 500), Body: make([]byte, 1000)})
		}
		a.Publish(news.Item{Topic: oak, Number: n})
		if got := take(t, r); got.Number != n {
			t.Fatalf("%d was to come, and %+v has", n, got)
		}
	}
	a.states.mu.Lock()
	defer a.states.mu.Unlock()
	if n := len(a.states.waiting.(*newest).order); n > 500 {
		t.Errorf("%d states wait", n)
	}
}

// What lists say changes with every turn, and is gathered before it is sent: other nodes
// are not woken up for each of them. The last one always arrives.
func TestStatesAreGathered(t *testing.T) {
	s := start(t, 0)
	here, there := node(t, s, Options{}), node(t, s, Options{})
	const changes = 100
	var mu sync.Mutex
	heard, last := 0, ""
	there.Overhear(news.Ear{Item: func(item news.Item) {
		mu.Lock()
		defer mu.Unlock()
		heard, last = heard+1, string(item.Body)
	}})
	begun := time.Now()
	for i := range changes {
		here.Publish(news.Item{Topic: news.Account("anna"), Number: news.Unnumbered, State: "mine", Body: fmt.Append(nil, i)})
		until(t, "nothing is sent", func() bool { return i%2 == 0 || time.Since(begun) > time.Duration(i)*time.Millisecond })
	}
	until(t, "the last one does not arrive", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return last == fmt.Sprint(changes-1)
	})
	if most := int(time.Since(begun)/statesGap) + 2; heard > most {
		t.Errorf("%d changes were told %d times, and not %d times at most", changes, heard, most)
	}
}

// TestNoMoreWaitsThanMay.
func TestNoMoreWaitsThanMay(t *testing.T) {
	for name, b := range map[string]backlog{"items": &queue{most: 3}, "states": &newest{most: 3}} {
		for n := range 5 {
			b.add(news.Item{Topic: news.Table("oak"), Number: n, State: fmt.Sprint(n)})
		}
		b.add(news.Item{Topic: news.Table("oak"), Number: 9, State: "1"})
		var got []int
		for item, ok := b.take(); ok; item, ok = b.take() {
			got = append(got, item.Number)
		}
		want := map[string]string{"items": "[0 1 2]", "states": "[0 9 2]"}[name]
		if fmt.Sprint(got) != want {
			t.Errorf("of the %s %v are kept, want %v", name, got, want)
		}
	}
}

// TestWhatWasPublishedIsSentBeforeTheEnd.
func TestWhatWasPublishedIsSentBeforeTheEnd(t *testing.T) {
	s := start(t, 0)
	a, b := node(t, s, Options{}), node(t, s, Options{})
	oak := news.Table("oak")
	r := reading(t, b, oak, 0)
	for n := range 100 {
		a.Publish(news.Item{Topic: oak, Number: n})
	}
	a.Close()
	a.Publish(news.Item{Topic: oak, Number: 100})
	for n := range 100 {
		if got := take(t, r); got.Number != n {
			t.Fatalf("%d was to come, and %d has", n, got.Number)
		}
	}
}

// FuzzDecode: whatever comes is an item, a doubt or garbage, and an item is written
// as it was read.
func FuzzDecode(f *testing.F) {
	f.Add(encode(nil, &news.Item{Topic: news.Table("oak"), Number: 3, Body: []byte("a leaf")}))
	f.Add(encode(nil, &news.Item{Topic: news.Account(""), Number: news.Unnumbered, State: "mine"}))
	f.Add(encode(nil, &news.Item{Topic: news.Table("oak"), Number: 4, Body: []byte("a leaf"), Raw: []byte("the leaf itself")}))
	f.Add(encode(nil, &news.Item{Topic: news.House(), Number: news.Unnumbered, State: "node", Body: []byte("here")}))
	f.Add(encodeDoubt(nil, news.Table("oak")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		item, whole, err := decode(raw)
		if err != nil || !whole {
			return
		}
		again, whole, err := decode(encode(nil, &item))
		if err != nil || !whole || again.Topic != item.Topic || again.Number != item.Number || again.State != item.State || !bytes.Equal(again.Body, item.Body) || !bytes.Equal(again.Raw, item.Raw) {
			t.Errorf("%+v becomes %+v, %v", item, again, err)
		}
	})
}
