package server

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestAPipeWritesChunks, and says at the end that nothing more comes.
func TestAPipeWritesChunks(t *testing.T) {
	here, there := net.Pipe()
	p := &pipe{conn: here}
	go func() {
		for _, data := range []string{"a", strings.Repeat("b", 300), strings.Repeat("c", 5*atOnce), "d"} {
			if err := p.write([]byte(data)); err != nil {
				t.Error(err)
			}
		}
		p.close()
	}()
	raw, err := io.ReadAll(there)
	want := "1\r\na\r\n12c\r\n" + strings.Repeat("b", 300) + "\r\na000\r\n" + strings.Repeat("c", 5*atOnce) + "\r\n1\r\nd\r\n0\r\n\r\n"
	if err != nil || string(raw) != want {
		t.Errorf("%d bytes came, want %d: %v", len(raw), len(want), err)
	}
}

// TestAPipeWaitsForNobodyAtTheEnd: a client that takes nothing keeps no server from
// stopping, and gets no more time afterwards.
func TestAPipeWaitsForNobodyAtTheEnd(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close() //nolint:errcheck // the test is over
	p := &pipe{conn: here}
	if err := p.allow(time.Hour); err != nil {
		t.Fatal(err)
	}
	begun, ended := make(chan struct{}), make(chan error)
	go func() {
		close(begun)
		ended <- p.write([]byte("a"))
	}()
	<-begun
	p.hurry()
	if err := <-ended; err == nil {
		t.Error("what nobody has taken is said to be sent")
	}
	if err := p.allow(time.Hour); err == nil {
		t.Error("a client gets more time though the stream ends")
	}
	p.close()
}

// TestAPipeIsWatched: whoever hangs up is gone, and so is whoever sends much behind
// the request; a few bytes do no harm.
func TestAPipeIsWatched(t *testing.T) {
	for _, c := range []struct {
		ahead, sent int
		gone        bool
	}{{0, 0, false}, {0, mostAhead, false}, {0, mostAhead + 1, true}, {mostAhead, 1, true}, {mostAhead + 1, 0, true}} {
		here, there := net.Pipe()
		gone := make(chan struct{})
		go (&pipe{conn: here}).watch(c.ahead, func() { close(gone) })
		if c.sent > 0 {
			if _, err := there.Write(make([]byte, c.sent)); err != nil { // taken, when it returns
				t.Error(err)
			}
		}
		if c.gone {
			<-gone
		} else {
			select {
			case <-gone:
				t.Errorf("%d bytes and %d more end a stream", c.ahead, c.sent)
			default:
			}
		}
		_ = there.Close()
		<-gone
		_ = here.Close()
	}
}
