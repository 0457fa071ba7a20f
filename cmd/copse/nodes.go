package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	client "github.com/nats-io/nats.go"

	"copse/store"
)

type nodesCommand struct {
	Store string `required:"" env:"COPSE_STORE" placeholder:"postgres://…" help:"The PostgreSQL of the nodes."`
	News  string `env:"COPSE_NEWS" placeholder:"nats://…" help:"The NATS servers of the nodes, to see whether they answer."`
}

// Run shows which nodes serve a house, as they say themselves every five seconds.
func (c nodesCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	kept, err := storeFlag{c.Store}.look(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	list, err := kept.Nodes(ctx)
	if err != nil {
		return err
	}
	now, err := kept.Time(ctx)
	if err != nil {
		return err
	}
	if err := printNodes(os.Stdout, list, now); err != nil || c.News == "" {
		return err
	}
	took, err := newsAway(c.News)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stdout, "NATS answers in %v\n", took)
	return err
}

// printNodes prints a line a node.
func printNodes(out io.Writer, list []store.Node, now time.Time) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "no node serves this house")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "node\thost\tstate\tversion\tsince\tclock\tnews") // told by Flush
	for _, n := range list {
		state, news := "up", "–"
		if !n.Up {
			state = fmt.Sprintf("silent for %v", now.Sub(n.Seen).Round(time.Second))
		}
		if n.Lag >= 0 {
			news = n.Lag.String() + " late"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", n.ID, n.Host, state, n.Version, n.Begun.Format(time.RFC3339), ahead(n.Ahead), news)
	}
	return w.Flush()
}

// ahead says how far a clock is from that of the database.
func ahead(d time.Duration) string {
	switch {
	case d.Abs() < 10*time.Millisecond:
		return "right"
	case d < 0:
		return (-d).String() + " behind"
	}
	return d.String() + " ahead"
}

// newsAway is how long the servers that carry news take to answer.
func newsAway(address string) (time.Duration, error) {
	c, err := newsOptions(address)
	if err != nil {
		return 0, mistyped(err)
	}
	conn, err := client.Connect(c.url, append(c.with, client.Name("copse nodes"))...)
	if err != nil {
		return 0, fmt.Errorf("NATS cannot be reached: %w", err)
	}
	defer conn.Close()
	took, err := conn.RTT()
	if err != nil {
		return 0, fmt.Errorf("NATS does not answer: %w", err)
	}
	return took.Round(10 * time.Microsecond), nil
}
