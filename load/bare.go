package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
)

// Bare is the least that could serve two players at a table: it takes a move by
// HTTP, writes it to a file and syncs that, tells both players through their
// streams, and answers. It knows no rules, no people and no past. As any server
// would, it writes moves that come together with one sync.
type Bare struct {
	mux   http.ServeMux
	event int // bytes of what a stream is told of a move
	file  *os.File
	queue chan *bareWrite
	ended chan error

	mu     sync.Mutex
	tables []*bareTable
}

type bareTable struct {
	mu     sync.Mutex
	number int
	ears   []chan []byte
}

type bareWrite struct {
	body []byte
	err  error
	done chan struct{}
}

// NewBare keeps moves in a new file; events are of a size.
func NewBare(file string, event int) (*Bare, error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	const most = 1024
	b := &Bare{event: event, file: f, queue: make(chan *bareWrite, most), ended: make(chan error, 1)}
	b.mux.HandleFunc("POST /bare", b.set)
	b.mux.HandleFunc("GET /bare/{table}", b.stream)
	b.mux.HandleFunc("POST /bare/{table}", b.move)
	go b.write(most)
	return b, nil
}

// ServeHTTP answers a request.
func (b *Bare) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.mux.ServeHTTP(w, r) }

// Close ends writing. Nothing may be asked any more.
func (b *Bare) Close() error {
	close(b.queue)
	return errors.Join(<-b.ended, b.file.Close())
}

// write writes what has come, and syncs once.
func (b *Bare) write(most int) {
	var err error
	batch, buf := []*bareWrite{}, []byte{}
	for x := range b.queue {
		batch, buf = append(batch[:0], x), append(buf[:0], x.body...)
		for more := true; more && len(batch) < most; {
			select {
			case x, open := <-b.queue:
				if more = open; open {
					batch, buf = append(batch, x), append(buf, x.body...)
				}
			default:
				more = false
			}
		}
		if _, err = b.file.Write(buf); err == nil {
			err = b.file.Sync()
		}
		for _, x := range batch {
			x.err = err
			close(x.done)
		}
	}
	b.ended <- err
}

func (b *Bare) set(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tables = append(b.tables, &bareTable{})
	bareAnswer(w, fmt.Appendf(nil, `{"table":%d}`, len(b.tables)-1))
}

func bareAnswer(w http.ResponseWriter, raw []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	_, _ = w.Write(raw) // who hangs up does not want to know
}

func (b *Bare) table(w http.ResponseWriter, r *http.Request) *bareTable {
	n, err := strconv.Atoi(r.PathValue("table"))
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil || n < 0 || n >= len(b.tables) {
		http.NotFound(w, r)
		return nil
	}
	return b.tables[n]
}

// largestMove is more than any move has.
const largestMove = 64 << 10

func (b *Bare) move(w http.ResponseWriter, r *http.Request) {
	t := b.table(w, r)
	if t == nil {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestMove))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &bareWrite{body: append(body, '\n'), done: make(chan struct{})}
	b.queue <- x
	if <-x.done; x.err != nil {
		http.Error(w, x.err.Error(), http.StatusInternalServerError)
		return
	}
	t.number++
	event := fmt.Appendf(nil, "event: entry\nid: %s.%d\ndata: {\"number\":%d,\"pad\":\"", r.PathValue("table"), t.number, t.number)
	event = append(event, bytes.Repeat([]byte("x"), max(0, b.event-len(`{"number":12,"pad":""}`)))...)
	event = append(event, "\"}\n\n"...)
	for _, ear := range t.ears {
		select {
		case ear <- event:
		default: // who is slow misses it, and the load says so
		}
	}
	bareAnswer(w, fmt.Appendf(nil, `{"number":%d}`, t.number))
}

func (b *Bare) stream(w http.ResponseWriter, r *http.Request) {
	t := b.table(w, r)
	if t == nil {
		return
	}
	ear, out := make(chan []byte, 16), http.NewResponseController(w)
	t.mu.Lock()
	t.ears = append(t.ears, ear)
	first := fmt.Appendf(nil, "event: look\ndata: {\"number\":%d}\n\n", t.number)
	t.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	for event := first; ; {
		if _, err := w.Write(event); err != nil {
			return
		}
		if err := out.Flush(); err != nil {
			return
		}
		select {
		case event = <-ear:
		case <-r.Context().Done():
			return
		}
	}
}

// bare is such a server as a client sees it.
type bare struct{}

func (bare) set(ctx context.Context, doors [players]*connections, _ uint64) (*venue, error) {
	raw, _, err := doors[0].ask(ctx, request{method: "POST", path: "/bare"})
	if err != nil {
		return nil, err
	}
	var made struct{ Table int }
	if err := json.Unmarshal(raw, &made); err != nil {
		return nil, err
	}
	at := "/bare/" + strconv.Itoa(made.Table)
	return &venue{
		streams: [players]string{at, at}, moves: at, play: &barePlay{},
		cookies: [players]string{barePass, barePass},
		begin:   func(context.Context) (int, error) { return 0, nil },
	}, nil
}

// barePass is as long as a pass of Copse.
const barePass = "copse=0123456789abcdefghijklmnopqrstuv"

// barePlay is no game: the players take turns.
type barePlay struct{ body []byte }

func (*barePlay) hear(_ int, _ string, data []byte) (int, error) { return readNumber(data) }

func (p *barePlay) next(after int) (int, []byte, bool, error) {
	p.body = fmt.Appendf(p.body[:0], `{"after":%d,"moves":[{"do":"leaf","to":[4,3]}]}`, after)
	return after % players, p.body, false, nil
}
