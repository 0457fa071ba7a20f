package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"time"

	"copse/server"
)

type serveCommand struct {
	Addr string `default:"localhost:8080" env:"COPSE_ADDR" placeholder:"HOST:PORT" help:"Where to listen: localhost:8080, the default, is for this machine only, :8080 for everyone who can reach it."`
	Data string `env:"COPSE_DATA" placeholder:"FOLDER" type:"path" help:"Where games and names are kept; by default the folder of this user for such things."`

	partsFlags
	Drain time.Duration `env:"COPSE_DRAIN" group:"nodes" default:"3s" help:"With --store, how long a node that is told to stop still serves while /readyz says that it goes."`

	Host        []string `env:"COPSE_HOST" sep:"," placeholder:"NAME" help:"A host name that is served, such as copse.example.org; several with commas. Without it any is, but on an address for this machine only, and without --proxy, the names of this machine alone."`
	Proxy       bool     `env:"COPSE_PROXY" help:"A proxy stands before it: believe X-Forwarded-For and X-Forwarded-Proto."`
	OpenMetrics bool     `env:"COPSE_OPEN_METRICS" help:"Show /metrics to everyone, not only to this machine."`
	Log         string   `env:"COPSE_LOG" enum:"text,json" default:"text" help:"The form of the log on standard error: text or json."`
	Verbose     bool     `env:"COPSE_VERBOSE" help:"Log every request: what was asked, the status, how long it took and how many bytes it was answered with."`
	Bots        int      `env:"COPSE_BOTS" default:"0" help:"How many bots think at the same time; 0 for one a core."`

	Requests int `env:"COPSE_REQUESTS" group:"limits" default:"0" help:"Requests a second of one person, or of one address without an account. For all limits 0 is the usual, here 30, and -1 is none."`
	Streams  int `env:"COPSE_STREAMS" group:"limits" default:"0" help:"Streams that one person, or one address without an account, has open at the same time; 0 for the usual 12."`
	Tables   int `env:"COPSE_TABLES" group:"limits" default:"0" help:"Tables at which one person sits; 0 for the usual 100."`
	Creates  int `env:"COPSE_CREATES" group:"limits" default:"0" help:"Tables that one person sets in an hour; 0 for the usual 60."`
	Guests   int `env:"COPSE_GUESTS" group:"limits" default:"0" help:"Guests that come from one address in an hour; 0 for the usual 120."`
	Asks     int `env:"COPSE_ASKS" group:"limits" default:"0" help:"What one person asks for at one table in a minute, moves not counted; 0 for the usual 30."`

	GuestDays int `env:"COPSE_GUEST_DAYS" group:"limits" default:"0" help:"Days after which a guest is forgotten who has no game and does not come back; 0 for the usual 90, -1 for never."`
}

// Run hands out the page and serves the tables until it is told to stop.
func (c serveCommand) Run() error {
	// The first signal lets requests under way finish, a second one does not.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	if err := errors.Join(checkHosts(c.Host), c.check()); err != nil {
		return err
	}
	on, err := listen(c.Addr)
	if err != nil {
		return err
	}
	breathe()
	log := newLog(os.Stderr, c.Log, c.Verbose)
	if c.several() {
		return c.node(ctx, on, log)
	}
	house, err := c.open(context.Background(), log)
	if err != nil {
		return errors.Join(err, on.Close())
	}
	house.server.Local = c.local(on)
	return errors.Join(house.serve(ctx, address(c.Addr, on.Addr()), os.Stdout, func(ctx context.Context) error {
		return server.Serve(ctx, on, house.server)
	}), house.close())
}

// local tells whether only this machine can reach the server.
func (c serveCommand) local(on net.Listener) bool { return forHere(on.Addr()) && !c.Proxy }

// node serves a house together with other nodes. It answers from the beginning, and
// says why it does not serve as long as it may not; when it is told to stop, it says
// so first and goes a little later, so that whoever sends people here sends them
// elsewhere.
func (c serveCommand) node(ctx context.Context, on net.Listener, log *slog.Logger) error {
	porch := server.NewPorch(server.Options{Hosts: c.Host, Local: c.local(on), Proxy: c.Proxy})
	answering, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	answered := make(chan error, 1)
	go func() { answered <- server.Serve(answering, on, porch) }()
	house, err := c.await(ctx, porch, log)
	if house == nil {
		stop()
		return errors.Join(err, <-answered)
	}
	house.server.Local = c.local(on)
	porch.Open(house.server)
	return errors.Join(house.serve(context.WithoutCancel(ctx), address(c.Addr, on.Addr()), os.Stdout, func(working context.Context) error {
		select {
		case <-ctx.Done():
			house.server.Drain()
			log.Info("told to stop: serving a little longer", "for", c.Drain)
			time.Sleep(c.Drain)
		case <-working.Done():
		case err := <-answered:
			return err
		}
		stop()
		return <-answered
	}), house.close())
}

// How long a node waits before it tries again whether it may serve.
const (
	soonAgain = 250 * time.Millisecond
	lateAgain = 4 * time.Second
)

// await opens the house as soon as it may be served, and says why not until then. It
// gives up where no waiting helps; nil says that it was told to stop.
func (c serveCommand) await(ctx context.Context, porch *server.Porch, log *slog.Logger) (*house, error) {
	said := ""
	for wait := soonAgain; ; wait = min(2*wait, lateAgain) {
		house, err := c.open(ctx, log)
		switch {
		case err == nil:
			return house, nil
		case ctx.Err() != nil:
			return nil, nil
		case isFinal(err):
			return nil, err
		}
		why := whyNot(err)
		porch.Wait(why)
		if why != said {
			log.Warn("this node does not serve yet, and tries again until it may", "why", why, "err", err)
			said = why
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(wait):
		}
	}
}

// usualGuestDays is how long a guest without a game may stay away.
const usualGuestDays = 90

// forget is after how long a guest who does not come back is forgotten, 0 for
// never.
func (c serveCommand) forget() time.Duration {
	days := cmp.Or(c.GuestDays, usualGuestDays)
	return time.Duration(min(max(days, 0), 36_500)) * 24 * time.Hour
}

// listen listens on an address. The error says what to do where it cannot.
func listen(addr string) (net.Listener, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, misused("%q is no address: give --addr a host and a port, such as localhost:8080, or :8080 for everyone who can reach this machine", addr)
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

// forHere tells whether only this machine can reach an address.
func forHere(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// takenOnWindows is WSAEADDRINUSE, which Go does not take for EADDRINUSE.
const takenOnWindows = syscall.Errno(10048)

// address is what to type into a browser: the host that was asked for, or this
// machine where that was every address; and the port that the server got.
func address(asked string, got net.Addr) string {
	host, _, _ := net.SplitHostPort(asked) // it was listened on, so it is well formed
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(got.String())
	return "http://" + net.JoinHostPort(host, port)
}
