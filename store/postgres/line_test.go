package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"copse/store"
)

// badLine is a way to the database that fails as it is told.
type badLine struct {
	mu   sync.Mutex
	fail string // what happens to the next thing that is sent; "" for nothing
	met  int    // how often it has failed
}

func (b *badLine) set(fail string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail, b.met = fail, 0
}

func (b *badLine) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	fail := b.fail
	if fail != "" {
		b.met++
	}
	if fail != "no way" {
		b.fail = ""
	}
	return fail
}

func (b *badLine) dial(ctx context.Context, network, address string) (net.Conn, error) {
	b.mu.Lock()
	away := b.fail == "no way"
	b.mu.Unlock()
	if away {
		return nil, errors.New("there is no way to the database")
	}
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &badConn{Conn: c, line: b}, nil
}

type badConn struct {
	net.Conn
	line *badLine
	gone bool
}

var errGone = errors.New("the line is gone")

func (c *badConn) Write(p []byte) (int, error) {
	if c.gone {
		return 0, errGone
	}
	switch fail := c.line.take(); fail {
	case "nothing is sent", "no way":
		c.gone = true
		return 0, errors.Join(errGone, c.Conn.Close())
	case "half is sent":
		c.gone = true
		n, _ := c.Conn.Write(p[:len(p)/2])
		return n, errors.Join(errGone, c.Conn.Close())
	case "the answer is lost":
		n, err := c.Conn.Write(p)
		if err == nil {
			_, err = c.Conn.Read(make([]byte, 1)) // so that it is done
		}
		c.gone = true
		return n, errors.Join(err, c.Conn.Close())
	}
	return c.Conn.Write(p)
}

func (c *badConn) Read(p []byte) (int, error) {
	if c.gone {
		return 0, errGone
	}
	return c.Conn.Read(p)
}

// appended appends one entry under a key.
func appended(s store.Store, table string, next int) error {
	_, err := s.Append(context.Background(), store.Append{Table: table, Next: next, At: store.Time(1000), Entries: [][]byte{entryOf(table, next)}, Row: &store.Row{Game: "bosk"},
		Once: store.Once{Who: "anna", Key: fmt.Sprint(next), Asked: []byte("a leaf"), After: next, Answer: []byte("yes")}})
	return err
}

func entryOf(table string, next int) []byte {
	return fmt.Appendf(nil, `{"at":%q,"number":%d}`, table, next)
}

// TestWhatALostLineMeans: where nothing was sent it is sent again; where there is no
// way at all nothing was written; where an answer is lost nobody knows, and whoever
// asks again under the same key learns it.
func TestWhatALostLineMeans(t *testing.T) {
	t.Parallel()
	url, line := database(t), &badLine{}
	s, other := node(t, url, Options{dial: line.dial}), node(t, url, Options{})
	next := 0
	there := func(want int) {
		t.Helper()
		if log, err := other.Read(t.Context(), "oak", 0); err != nil || len(log) != want {
			t.Fatalf("there are %d entries, want %d, %v", len(log), want, err)
		}
	}
	write := func() error { return appended(s, "oak", next) }
	for range 3 { // the connections are there, and know their statements
		if err := write(); err != nil {
			t.Fatal(err)
		}
		next++
	}
	line.set("nothing is sent")
	if err := write(); err != nil || line.met != 1 {
		t.Errorf("where nothing was sent it is answered %v after %d failures", err, line.met)
	}
	next++
	there(next)

	line.set("no way")
	if err := write(); !errors.Is(err, store.ErrUnwritten) || errors.Is(err, store.ErrUnknown) {
		t.Errorf("without a way to the database it is answered %v", err)
	}
	line.set("")
	there(next)
	if err := write(); err != nil {
		t.Errorf("when the way is there again: %v", err)
	}
	next++

	for _, fail := range []string{"half is sent", "the answer is lost"} {
		line.set(fail)
		if err := write(); !errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrUnwritten) {
			t.Errorf("where %s it is answered %v", fail, err)
		}
		if line.met != 1 {
			t.Errorf("the line has failed %d times: what was sent was sent again", line.met)
		}
		if fail == "the answer is lost" {
			there(next + 1)
		} else {
			there(next)
		}
		if err := write(); err != nil {
			t.Errorf("asked again under the same key where %s: %v", fail, err)
		}
		next++
		there(next)
	}
}

// TestOtherWritesOverALostLine: what is no append means the same by its errors.
func TestOtherWritesOverALostLine(t *testing.T) {
	t.Parallel()
	line := &badLine{}
	s := node(t, database(t), Options{dial: line.dial})
	add := func(n int) error { return s.AddAccount(t.Context(), store.Account{ID: fmt.Sprint("person-", n)}) }
	for n := range 2 {
		if err := add(n); err != nil {
			t.Fatal(err)
		}
	}
	line.set("nothing is sent")
	if err := add(2); err != nil {
		t.Errorf("where nothing was sent: %v", err)
	}
	if err := add(2); !errors.Is(err, store.ErrTaken) {
		t.Errorf("the same person twice: %v", err)
	}
	line.set("the answer is lost")
	if err := add(3); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("where the answer is lost: %v", err)
	}
	if err := add(3); !errors.Is(err, store.ErrTaken) {
		t.Errorf("what nobody knew was written, and is told to be %v", err)
	}
	line.set("no way")
	s.writes.Reset()
	if err := add(4); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("without a way to the database: %v", err)
	}
	line.set("")
	if err := add(4); err != nil {
		t.Error(err)
	}
	// A question is asked again over another connection.
	if _, err := s.Account(t.Context(), "person-1"); err != nil {
		t.Fatal(err)
	}
	for _, fail := range []string{"the answer is lost", "nothing is sent", "half is sent"} {
		line.set(fail)
		if _, err := s.Account(t.Context(), "person-1"); err != nil || line.met == 0 {
			t.Errorf("a question where %s: %v", fail, err)
		}
	}
}
