package server

import (
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// What is asked for that is no endpoint, as figures and the log call it.
const (
	pageDo     = "page"
	documentDo = "document"
	refusedDo  = "refused" // nobody was asked: another host, another site, nothing there, another method
)

// answer notes what becomes of a request that may be none for an endpoint. Those
// count themselves and write past it, so that a move costs nothing more.
type answer struct {
	http.ResponseWriter
	do     string // what was asked for; empty where an endpoint has counted it
	status int
	bytes  int
}

// answers are those that are not in use.
var answers = sync.Pool{New: func() any { return new(answer) }}

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (a *answer) Write(raw []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(raw)
	a.bytes += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// as says what a handler is asked for.
func as(do string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, ok := w.(*answer); ok {
			a.do = do
		}
		next.ServeHTTP(w, r)
	})
}

// unnoted is the writer of an endpoint, which counts by itself.
func unnoted(w http.ResponseWriter) http.ResponseWriter {
	if a, ok := w.(*answer); ok {
		a.do = ""
		return a.ResponseWriter
	}
	return w
}

// note answers a request, and notes what became of it unless an endpoint did.
func (s *Server) note(w http.ResponseWriter, r *http.Request) {
	a := answers.Get().(*answer)
	*a = answer{ResponseWriter: w, do: refusedDo}
	begun := time.Now()
	defer func() {
		if a.do != "" {
			if a.status == 0 {
				a.status = http.StatusOK // nothing was written: net/http answers so
			}
			took := time.Since(begun)
			if s.Figures != nil {
				s.others[a.do].count(a.status, took)
			}
			s.logAnswer(r, a.do, a.status, took, a.bytes)
		}
		*a = answer{}
		answers.Put(a)
	}()
	s.handler.ServeHTTP(a, r)
}

// logAnswer logs that a request was answered. No name, address or ID is in it, so it
// says what was asked for by the name of that.
func (s *Server) logAnswer(r *http.Request, do string, status int, took time.Duration, bytes int) {
	if !s.Log.Enabled(r.Context(), slog.LevelDebug) {
		return
	}
	s.Log.LogAttrs(r.Context(), slog.LevelDebug, "answered", slog.String("do", do), slog.String("method", r.Method), slog.Int("status", status),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.Int("bytes", bytes))
}

// length is how many bytes an answer has by its header; 0 where that does not say so.
func length(h http.Header) int {
	n, _ := strconv.Atoi(h.Get("Content-Length"))
	return n
}
