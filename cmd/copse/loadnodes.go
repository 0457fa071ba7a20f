package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5"

	"copse/load"
)

// mostNodes is how many nodes copse load starts at most.
const mostNodes = 16

// checkNodes says what is wrong with the flags for nodes.
func (c loadCommand) checkNodes() error {
	for _, n := range c.Nodes {
		if n < 1 || n > mostNodes {
			return misused("--nodes %d: between 1 and %d", n, mostNodes)
		}
	}
	if len(c.Nodes) > 0 && !c.several() {
		return misused("--nodes are over a PostgreSQL and NATS: name them with --store and --news")
	}
	if len(c.Nodes) == 0 && (c.Store != "" || c.News != "") {
		return misused("--store and --news are for --nodes: say how many, such as --nodes 1,2,3")
	}
	return c.check()
}

// measureNodes starts nodes, each in a process of its own, over a new database, and
// plays there.
func (c loadCommand) measureNodes(ctx context.Context, config load.Config, nodes int) (f *load.Figures, err error) {
	folder, err := os.MkdirTemp(c.In, "copse-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	db, err := newDatabase(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.drop()) }()
	config.URLs, config.Beside = nil, load.Database(db.process)
	var meters []load.Meter
	var children []*loadedChild
	defer func() {
		for _, child := range children {
			err = errors.Join(err, child.end())
		}
	}()
	for range nodes {
		child, err := startLoaded([]string{"loaded", "--data", folder, "--store", db.url, "--news", c.News})
		if err != nil {
			return nil, err
		}
		children = append(children, child)
		config.URLs = append(config.URLs, child.url)
		meters = append(meters, load.Counted(load.Watched(child.watch), child.url))
	}
	config.Meter = load.Together(meters...)
	return c.run(ctx, config, children[0], "."+strconv.Itoa(nodes))
}

// database is one that was made to be measured.
type database struct {
	by      *pgx.Conn // to the one that was named
	name    string
	url     string
	process int // of that connection
}

// newDatabase makes a database beside the one that an address leads to.
func newDatabase(ctx context.Context, address string) (*database, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	by, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	d := &database{by: by}
	mark := make([]byte, 8)
	_, _ = rand.Read(mark) // it never fails
	d.name = "copse_load_" + hex.EncodeToString(mark)
	at.Path = "/" + d.name
	query := at.Query()
	if query.Has("dbname") {
		query.Set("dbname", d.name)
		at.RawQuery = query.Encode()
	}
	d.url = at.String()
	err = by.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&d.process)
	if err == nil {
		_, err = by.Exec(ctx, "CREATE DATABASE "+d.name)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("a database for the measurement cannot be made: %w", err), by.Close(context.WithoutCancel(ctx)))
	}
	return d, nil
}

// drop throws the database away.
func (d *database) drop() error {
	ctx := context.Background()
	_, err := d.by.Exec(ctx, "DROP DATABASE "+d.name+" WITH (FORCE)")
	return errors.Join(err, d.by.Close(ctx))
}
