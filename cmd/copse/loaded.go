package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"

	"copse/load"
	"copse/server"
)

// loadedCommand is a server that copse load has started beside itself: the same
// server as copse serve, with a second address through which it is measured; or a
// bare one. It ends when its standard input does, so that it never outlives the
// process that started it.
type loadedCommand struct {
	Data  string `required:"" type:"path"`
	Bare  bool
	Event int `default:"600"`
	partsFlags
}

// Run serves until standard input ends.
func (c loadedCommand) Run() error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signal.Ignore(os.Interrupt) // the process that started it ends it
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // it ends in any case
		stop()
	}()
	watch, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = (&http.Server{Handler: load.Watch()}).Serve(watch) }() //nolint:gosec // for one client, which started it
	if _, err := fmt.Fprintf(os.Stdout, "Watched at http://%s\n", watch.Addr()); err != nil {
		return err
	}
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if c.Bare {
		return c.bare(ctx, on)
	}
	serve := serveCommand{Addr: on.Addr().String(), Data: c.Data, partsFlags: c.partsFlags, Log: "text", Requests: -1, Streams: -1, Tables: -1, Creates: -1, Guests: -1, Asks: -1}
	breathe()
	house, err := serve.open(ctx, newLog(os.Stderr, serve.Log, false))
	if err != nil {
		return errors.Join(err, on.Close())
	}
	return errors.Join(house.serve(ctx, address(serve.Addr, on.Addr()), os.Stdout, func(ctx context.Context) error {
		return server.Serve(ctx, on, house.server)
	}), house.close())
}

// bare serves the least there could be.
func (c loadedCommand) bare(ctx context.Context, on net.Listener) error {
	bare, err := load.NewBare(filepath.Join(c.Data, "moves"), c.Event)
	if err != nil {
		return errors.Join(err, on.Close())
	}
	if _, err := fmt.Fprintf(os.Stdout, "Bare is at http://%s\n", on.Addr()); err != nil {
		return err
	}
	return errors.Join(server.Serve(ctx, on, bare), bare.Close())
}
