package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"syscall"

	"copse/server"
	"copse/web"
)

type serveCommand struct {
	Addr string `default:"localhost:8080" env:"COPSE_ADDR" placeholder:"HOST:PORT" help:"Where to listen: localhost:8080, the default, is for this machine only, :8080 for everyone who can reach it."`
}

// Run hands out the page until it is told to stop.
func (c serveCommand) Run() error {
	handler, err := server.New(web.Site())
	if err != nil {
		return err
	}
	// A first signal lets requests under way finish, a second one does not.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return serve(ctx, c.Addr, handler, os.Stdout)
}

// serve listens, says where, and answers until the context ends.
func serve(ctx context.Context, addr string, handler http.Handler, out io.Writer) error {
	on, err := listen(addr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "Copse is at %s\n", address(addr, on.Addr())); err != nil {
		return errors.Join(err, on.Close())
	}
	return server.Serve(ctx, on, handler)
}

// listen takes the port of an address, or says what to do where it cannot.
func listen(addr string) (net.Listener, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: give --addr a host and a port, such as localhost:8080, or :8080 for everyone who can reach this machine", addr)
	}
	on, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, takenOnWindows):
		return nil, fmt.Errorf("port %s is taken: stop what listens there or choose another with --addr", port)
	case err != nil:
		return nil, fmt.Errorf("cannot listen: %w; choose another address with --addr", err)
	}
	return on, nil
}

// takenOnWindows is WSAEADDRINUSE, which is no EADDRINUSE to Go.
const takenOnWindows = syscall.Errno(10048)

// address is what to type into a browser: the host that was asked for, or this
// machine where it was every address there is; and the port that was got.
func address(asked string, got net.Addr) string {
	host, _, _ := net.SplitHostPort(asked) // it was listened on
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(got.String())
	return "http://" + net.JoinHostPort(host, port)
}
