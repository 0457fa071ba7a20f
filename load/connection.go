package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// patience is how long an answer, or something on a stream, is waited for.
const patience = 30 * time.Second

// longestAnswer is how much of an answer is read.
const longestAnswer = 64 << 20

// connections are those to a server. Idle ones are taken again, as a proxy
// does it, so that there are as many as there are requests under way. They are
// our own because the client shares the machine with the server, and that of the
// standard library does much that is not needed here.
type connections struct {
	at *url.URL

	mu   sync.Mutex
	idle []*connection
	all  int
}

// connection is one of them, with what was read ahead and room for what is sent.
type connection struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
}

// request is what is asked for.
type request struct {
	method string
	path   string
	cookie string
	key    string // of a request that may be sent again
	body   []byte
}

// append writes the request as it goes over the wire.
func (r *request) append(dst []byte, host string) []byte {
	dst = append(append(append(dst, r.method...), ' '), r.path...)
	dst = append(append(dst, " HTTP/1.1\r\nHost: "...), host...)
	if r.cookie != "" {
		dst = append(append(dst, "\r\nCookie: "...), r.cookie...)
	}
	if r.key != "" {
		dst = append(append(dst, "\r\nIdempotency-Key: "...), r.key...)
	}
	if r.method == http.MethodPost {
		dst = append(dst, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(r.body)), 10)
	}
	return append(append(dst, "\r\n\r\n"...), r.body...)
}

// newConnections is an error where the address is none.
func newConnections(address string) (*connections, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server: give one such as http://localhost:8080", address)
	}
	return &connections{at: at}, nil
}

func (l *connections) dial(ctx context.Context) (*connection, error) {
	host := l.at.Host
	var conn net.Conn
	var err error
	if l.at.Scheme == "https" {
		if l.at.Port() == "" {
			host = net.JoinHostPort(host, "443")
		}
		conn, err = (&tls.Dialer{}).DialContext(ctx, "tcp", host)
	} else {
		if l.at.Port() == "" {
			host = net.JoinHostPort(host, "80")
		}
		conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", host)
	}
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, in: bufio.NewReaderSize(conn, 2<<10)}, nil
}

func (l *connections) take(ctx context.Context) (*connection, error) {
	l.mu.Lock()
	if n := len(l.idle); n > 0 {
		last := l.idle[n-1]
		l.idle = l.idle[:n-1]
		l.mu.Unlock()
		return last, nil
	}
	l.all++
	l.mu.Unlock()
	return l.dial(ctx)
}

func (l *connections) give(x *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = append(l.idle, x)
}

// close closes the idle ones.
func (l *connections) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.idle {
		_ = x.conn.Close()
	}
	l.idle = nil
}

// problem is an answer that says that something was not done.
type problem struct {
	status int
	body   []byte
}

func (p *problem) Error() string {
	return fmt.Sprintf("answered %d: %.300s", p.status, bytes.TrimSpace(p.body))
}

// ask sends a request and gives the answer, with the cookie that came with it.
func (l *connections) ask(ctx context.Context, r request) (body []byte, cookie string, err error) {
	x, err := l.take(ctx)
	if err != nil {
		return nil, "", err
	}
	res, err := x.send(l.at, r, patience)
	if err != nil {
		return nil, "", errors.Join(err, x.conn.Close())
	}
	body, err = io.ReadAll(io.LimitReader(res.Body, longestAnswer))
	if err != nil || res.Close {
		err = errors.Join(err, x.conn.Close())
	} else {
		l.give(x)
	}
	if err == nil && res.StatusCode >= http.StatusMultipleChoices {
		err = &problem{res.StatusCode, body}
	}
	if h := res.Header["Set-Cookie"]; h != nil {
		for _, c := range res.Cookies() {
			cookie = c.Name + "=" + c.Value
		}
	}
	return body, cookie, err
}

// send writes a request and reads the head of the answer.
func (x *connection) send(at *url.URL, r request, wait time.Duration) (*http.Response, error) {
	x.out = r.append(x.out[:0], at.Host)
	deadline := time.Time{}
	if wait > 0 {
		deadline = time.Now().Add(wait)
	}
	if err := x.conn.SetDeadline(deadline); err != nil {
		return nil, err
	}
	if _, err := x.conn.Write(x.out); err != nil {
		return nil, err
	}
	return http.ReadResponse(x.in, &http.Request{Method: r.method})
}
