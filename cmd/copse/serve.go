package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"syscall"
	"time"

	"copse/server"
)

type serveCommand struct {
	Addr       string `default:"localhost:8080" env:"COPSE_ADDR" placeholder:"HOST:PORT" help:"Where to listen: localhost:8080, the default, is for this machine only, :8080 for everyone who can reach it, unix:/run/copse/copse.sock a Unix socket for a proxy. A socket that systemd hands over comes before it."`
	SocketMode string `default:"0660" env:"COPSE_SOCKET_MODE" placeholder:"MODE" help:"Who may open a Unix socket, as chmod writes it: its user and group, with 0660."`
	Data       string `env:"COPSE_DATA" placeholder:"FOLDER" type:"path" help:"Where games and names are kept; by default the folder of this user for such things."`

	partsFlags
	Drain time.Duration `env:"COPSE_DRAIN" group:"nodes" default:"3s" help:"With --store, how long a node that is told to stop still serves while /readyz says that it goes."`

	Host        []string `env:"COPSE_HOST" sep:"," placeholder:"NAME" help:"A host name that is served, such as copse.example.org; several with commas. Without it any is, but on an address for this machine only, and without --proxy, the names of this machine alone."`
	Proxy       proxies  `env:"COPSE_PROXY" placeholder:"ADDRESS,..." help:"A proxy stands before it: believe what it says about who asks (X-Forwarded-For, -Proto and -Host, or Forwarded). --proxy believes this machine alone, --proxy=10.0.0.5,fd00::/64 those addresses and ranges alone; loopback, among them, is this machine."`
	Push        string   `env:"COPSE_PUSH" placeholder:"CONTACT" help:"Whom the push services of browsers, which carry notifications, may turn to: mailto: and an address, or https:// and a page; off for no notifications. By default https:// and the first --host."`
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

	Words string `env:"COPSE_WORDS" placeholder:"FILE" type:"path" help:"Words that are not welcome in names and in chat, one a line, in place of the list that comes with Copse; an empty file refuses nothing."`
	Chat  string `env:"COPSE_CHAT" enum:"on,phrases,off" default:"on" help:"What may be said at tables: on for everything, phrases for set phrases alone, off for nothing."`

	GuestDays int `env:"COPSE_GUEST_DAYS" group:"limits" default:"0" help:"Days after which a guest is forgotten who has no game and does not come back; 0 for the usual 90, -1 for never."`
}

// Run hands out the page and serves the tables until it is told to stop.
func (c serveCommand) Run() error {
	// The first signal lets requests under way finish, a second one does not.
	ctx, stop := untilTold(os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := errors.Join(checkHosts(c.Host), checkPush(c.Push), c.check()); err != nil {
		return err
	}
	on, where, err := c.listen()
	if err != nil {
		return err
	}
	breathe()
	log := newLog(os.Stderr, c.Log, c.Verbose)
	manager := newManager(log)
	defer manager.close()
	said := make(chan struct{})
	unsaid := context.AfterFunc(ctx, func() {
		defer close(said)
		manager.say("STOPPING=1")
	})
	defer func() {
		if !unsaid() {
			<-said
		}
	}()
	if c.several() {
		return c.node(ctx, on, where, log, manager)
	}
	house, err := c.open(context.Background(), log)
	if err != nil {
		return errors.Join(err, on.Close())
	}
	house.server.Local = c.local(on)
	manager.ready(house.server.Alive)
	return errors.Join(house.serve(ctx, where, os.Stdout, func(ctx context.Context) error {
		return server.Serve(ctx, on, house.server)
	}), house.close())
}

// local tells whether only this machine can reach the server.
func (c serveCommand) local(on net.Listener) bool { return forHere(on.Addr()) && len(c.Proxy) == 0 }

// node serves a house together with other nodes. It answers from the beginning, and
// says why it does not serve as long as it may not; when it is told to stop, it says
// so first and goes a little later, so that whoever sends people here sends them
// elsewhere.
func (c serveCommand) node(ctx context.Context, on net.Listener, where string, log *slog.Logger, manager *manager) error {
	porch := server.NewPorch(server.Options{Hosts: c.Host, Local: c.local(on), Proxies: c.Proxy})
	answering, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	answered := make(chan error, 1)
	go func() { answered <- server.Serve(answering, on, porch) }()
	manager.ready(porch.Alive) // it may wait for hours, and says why to whoever asks
	house, err := c.await(ctx, porch, log)
	if house == nil {
		stop()
		return errors.Join(err, <-answered)
	}
	house.server.Local = c.local(on)
	porch.Open(house.server)
	return errors.Join(house.serve(context.WithoutCancel(ctx), where, os.Stdout, func(working context.Context) error {
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

// words are those that are not welcome here.
func (c serveCommand) words() (server.Words, error) {
	if c.Words == "" {
		return server.UsualWords(), nil
	}
	raw, err := os.ReadFile(c.Words)
	if err != nil {
		return nil, fmt.Errorf("the words that are not welcome cannot be read: %w; name another file with --words", err)
	}
	return server.ReadWords(string(raw)), nil
}
