package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// news is an event as a player's stream told it.
type news struct {
	seat  int
	event string
	data  []byte
	at    time.Time
	err   error // the stream has ended
}

// stream is the stream of one player.
type stream struct {
	line *connection
	body io.ReadCloser
}

// listen opens a stream and tells everything that comes through it until it is
// closed.
func (l *connections) listen(ctx context.Context, path, cookie string, seat int, tell chan<- news, done <-chan struct{}) (*stream, error) {
	x, err := l.dial(ctx)
	if err != nil {
		return nil, err
	}
	res, err := x.send(l.at, request{method: http.MethodGet, path: path, cookie: cookie}, 0)
	if err != nil {
		_ = x.conn.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // as much as there is
		_ = x.conn.Close()
		return nil, &problem{res.StatusCode, body}
	}
	s := &stream{line: x, body: res.Body}
	go s.hear(seat, tell, done)
	return s, nil
}

func (s *stream) close() { _ = s.line.conn.Close() }

// hear takes the stream in.
func (s *stream) hear(seat int, tell chan<- news, done <-chan struct{}) {
	in := bufio.NewReaderSize(s.body, 2<<10)
	event := ""
	for {
		text, err := in.ReadSlice('\n')
		var long []byte
		for errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, text...)
			text, err = in.ReadSlice('\n')
		}
		if err != nil {
			select {
			case tell <- news{seat: seat, err: err}:
			case <-done:
			}
			return
		}
		if long != nil {
			text = append(long, text...)
		}
		text = bytes.TrimRight(text, "\r\n")
		if name, ok := bytes.CutPrefix(text, []byte("event: ")); ok {
			switch string(name) { // without an allocation each
			case "entry":
				event = "entry"
			case "look":
				event = "look"
			default:
				event = ""
			}
			continue
		}
		data, ok := bytes.CutPrefix(text, []byte("data: "))
		if !ok || event == "" {
			continue
		}
		select {
		case tell <- news{seat: seat, event: event, data: bytes.Clone(data), at: time.Now()}:
		case <-done:
			return
		}
	}
}
