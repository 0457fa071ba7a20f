package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"
)

// A request costs much more memory than a stream that waits: buffers to read and to
// write, a goroutine with a deep stack, everything that was asked. So a stream that
// has begun goes on without its request: it takes the connection over and writes
// the chunks of the answer by itself, through a pipe.
type pipe struct {
	conn net.Conn

	mu     sync.Mutex
	ending bool // the client gets no more time
}

// settle has the stream go on without its request, or within it where that cannot
// be: the connection is no HTTP/1.1, or none at all.
func (s *stream) settle() {
	if !s.r.ProtoAtLeast(1, 1) || s.r.ProtoMajor != 1 {
		s.stay()
		return
	}
	conn, ahead, err := s.out.Hijack() // everything was flushed
	if err != nil {
		s.stay()
		return
	}
	s.unlink()
	who := s.r.WithContext(context.Background())
	who.Body = http.NoBody
	c := *s.call
	c.r, c.w, c.connection, c.then, c.body = who, nil, nil, nil, nil
	s.call, s.out, s.pipe, s.renew = &c, nil, &pipe{conn: conn}, time.Time{}
	context.AfterFunc(s.ctx, s.pipe.hurry)
	go s.live()
	go s.pipe.watch(ahead.Reader.Buffered(), s.done)
}

// live is the life of a stream that has a pipe.
func (s *stream) live() {
	defer func() {
		if fault := recover(); fault != nil {
			s.Log.Error("a stream has broken down", "err", fmt.Sprintf("%v\n%s", fault, debug.Stack()))
		}
	}()
	s.stay()
}

// mostAhead is how many bytes a client may send behind its request. Nobody reads
// them.
const mostAhead = 4 << 10

// watch waits until the client hangs up, and says so.
func (p *pipe) watch(ahead int, gone func()) {
	defer gone()
	buf := make([]byte, 16)
	for ahead <= mostAhead {
		n, err := p.conn.Read(buf)
		if err != nil {
			return
		}
		ahead += n
	}
}

// chunks are buffers in which chunks are put together.
var chunks = sync.Pool{New: func() any { return new([]byte) }}

// write sends a chunk.
func (p *pipe) write(data []byte) error {
	chunk := chunks.Get().(*[]byte)
	buf := strconv.AppendUint((*chunk)[:0], uint64(len(data)), 16)
	buf = append(append(append(buf, "\r\n"...), data...), "\r\n"...)
	_, err := p.conn.Write(buf)
	if cap(buf) <= 2*atOnce {
		*chunk = buf
		chunks.Put(chunk)
	}
	return err
}

// allow gives the client so much time to take what is sent, unless the stream ends.
func (p *pipe) allow(d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending {
		return errCut
	}
	return p.conn.SetWriteDeadline(time.Now().Add(d))
}

// hurry has the client take what is being sent, and the end of the answer, at once:
// the stream ends.
func (p *pipe) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ending = true
	_ = p.conn.SetWriteDeadline(time.Now().Add(farewell)) // a connection that is closed needs none
}

// farewell is how long the client may take to hear that nothing more comes.
const farewell = time.Second

// close ends the answer, if the client still takes anything, and the connection.
func (p *pipe) close() {
	p.hurry()
	_, _ = io.WriteString(p.conn, "0\r\n\r\n") // whoever does not hear it sees the connection end
	_ = p.conn.Close()
}
