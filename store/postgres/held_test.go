package postgres

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"copse/store"
)

// heldLine is a way to the database on which everything can be held up, and nothing
// is cut: as if the database, or the network, stood still.
type heldLine struct {
	mu   sync.Mutex
	free chan struct{} // closed while things pass
	met  chan struct{} // something was held up
}

func newHeldLine(t *testing.T) *heldLine {
	l := &heldLine{free: make(chan struct{}), met: make(chan struct{}, 1)}
	close(l.free)
	t.Cleanup(l.letGo)
	return l
}

func (l *heldLine) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = make(chan struct{})
	select {
	case <-l.met:
	default:
	}
}

func (l *heldLine) letGo() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.free:
	default:
		close(l.free)
	}
}

// pass waits until things pass.
func (l *heldLine) pass() {
	l.mu.Lock()
	free := l.free
	l.mu.Unlock()
	select {
	case <-free:
		return
	default:
	}
	select {
	case l.met <- struct{}{}:
	default:
	}
	<-free
}

// dial makes a connection over TCP to a goroutine that carries on from there.
func (l *heldLine) dial(ctx context.Context, network, address string) (net.Conn, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = on.Close() }()
	near, err := new(net.Dialer).DialContext(ctx, "tcp", on.Addr().String())
	if err != nil {
		return nil, err
	}
	mid, err := on.Accept()
	if err != nil {
		return nil, errors.Join(err, near.Close())
	}
	go func() {
		l.pass() // a database that stands still lets nobody in
		far, err := new(net.Dialer).DialContext(context.Background(), network, address)
		if err != nil {
			_ = mid.Close()
			return
		}
		go l.carry(mid, far)
		l.carry(far, mid)
	}()
	return near, nil
}

func (l *heldLine) carry(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		l.pass()
		if err != nil {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// TestADatabaseThatHangs: whoever asks is told that it is away, and need not wait for
// it; whoever gives up waiting for something to be written does not know whether it
// was, and it is written all the same; when the database goes on, so does the node.
func TestADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	url, line := database(t), newHeldLine(t)
	s, other := node(t, url, Options{dial: line.dial}), node(t, url, Options{})
	if err := errors.Join(appended(s, "oak", 0), s.AddAccount(t.Context(), store.Account{ID: "anna"})); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(t.Context(), "oak", 0); err != nil {
		t.Fatal(err)
	}
	s.patience = 10 * time.Millisecond
	line.hold()
	for range usualReaders + 1 { // also where all connections hang, and where there is none left
		if _, err := s.Read(t.Context(), "oak", 0); !errors.Is(err, store.ErrAway) {
			t.Fatalf("a question is answered by %v", err)
		}
	}
	if _, err := s.Time(t.Context()); !errors.Is(err, store.ErrAway) {
		t.Errorf("asked what time it is, it says %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Time(ended); !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrAway) {
		t.Errorf("who has hung up is told %v", err)
	}
	line.letGo()
	s.patience = time.Hour
	if log, err := s.Read(t.Context(), "oak", 0); err != nil || len(log) != 1 {
		t.Errorf("when it goes on there are %d entries, %v", len(log), err)
	}

	// givesUp does something, and gives up when it is held up on its way.
	givesUp := func(do func(context.Context) error) error {
		ctx, giveUp := context.WithCancel(t.Context())
		defer giveUp()
		line.hold()
		said := make(chan error, 1)
		go func() { said <- do(ctx) }()
		<-line.met
		giveUp()
		return <-said
	}
	if err := givesUp(func(ctx context.Context) error { return s.AddAccount(ctx, store.Account{ID: "ben"}) }); !errors.Is(err, store.ErrUnknown) || !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrUnwritten) {
		t.Errorf("who gives up is told %v", err)
	}
	line.letGo()
	for {
		_, err := other.Account(t.Context(), "ben")
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrNone) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestClosingWhileTheDatabaseHangs: a node that is told to end does, though something
// is being written; and that is written when the database goes on.
func TestClosingWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	url, line := database(t), newHeldLine(t)
	other := node(t, url, Options{})
	s, err := Open(t.Context(), url, Options{Key: houseKey, dial: line.dial, closing: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := appended(s, "oak", 0); err != nil {
		t.Fatal(err)
	}
	line.hold()
	said := make(chan error, 1)
	go func() { said <- appended(s, "oak", 1) }()
	<-line.met
	if err := s.Close(); !errors.Is(err, store.ErrAway) {
		t.Errorf("it ends with %v", err)
	}
	if err := appended(s, "oak", 2); !errors.Is(err, store.ErrClosed) {
		t.Errorf("after its end it is told %v", err)
	}
	line.letGo()
	if err := <-said; err != nil {
		t.Errorf("what was being written is answered by %v", err)
	}
	if log, err := other.Read(t.Context(), "oak", 0); err != nil || len(log) != 2 {
		t.Errorf("there are %d entries, %v", len(log), err)
	}
}

// TestAPackedTableHasNoClaim: nobody is to look at it any more.
func TestAPackedTableHasNoClaim(t *testing.T) {
	t.Parallel()
	s := node(t, database(t), Options{})
	at := store.Time(1000)
	if _, err := s.Append(t.Context(), store.Append{Table: "oak", At: at, Entries: [][]byte{entryOf("oak", 0)}, Row: &store.Row{Game: "bosk", Wake: at}}); err != nil {
		t.Fatal(err)
	}
	claims := func() (n int) {
		if err := s.reads.QueryRow(t.Context(), "SELECT count(*) FROM claims").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if list, err := s.ClaimDue(t.Context(), at, at, at.Add(time.Minute), 10); err != nil || len(list) != 1 || claims() != 1 {
		t.Fatalf("%d tables are claimed, %v", len(list), err)
	}
	if err := s.Pack(t.Context(), "oak", at); err != nil || claims() != 0 {
		t.Errorf("after it is packed there are %d claims, %v", claims(), err)
	}
}
