// Package server speaks HTTP. It hands out the page and knows no rules: those
// run in the page's own engine.
package server

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"time"
)

// New answers all that a browser may ask for, from the files of a page as it
// was built. It reads them once.
func New(page fs.FS) (http.Handler, error) {
	site, err := readSite(page)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/healthz", onlyRead(http.HandlerFunc(health)))
	mux.Handle("/", onlyRead(site))
	return secure(direct(mux)), nil
}

// health is for whoever watches over the process.
func health(w http.ResponseWriter, _ *http.Request) {
	say(w, http.StatusOK, "ok")
}

// What a client may take its time for. A slow one gets the whole page in two
// minutes if it reads 10 kB a second.
const (
	longestHeader  = 16 << 10
	headerTime     = 10 * time.Second
	readTime       = 30 * time.Second
	writeTime      = 2 * time.Minute
	idleTime       = 2 * time.Minute
	partingMoments = 5 * time.Second // for requests under way when the server stops
)

// Serve answers on a listener until the context ends, and then lets the
// requests under way finish. It closes the listener.
func Serve(ctx context.Context, on net.Listener, handler http.Handler) error {
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    longestHeader,
	}
	stopped := make(chan error, 1)
	unwatch := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.Background(), partingMoments)
		defer cancel()
		err := srv.Shutdown(soon)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		stopped <- err
	})
	if err := srv.Serve(on); !errors.Is(err, http.ErrServerClosed) {
		unwatch()
		return err
	}
	return <-stopped
}
