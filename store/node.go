package store

import (
	"context"
	"time"
)

// Nodes are the nodes that serve a house, as they say themselves: for operators, and
// so that nobody sets tables that another node cannot read. A store for one node need
// not be one.
type Nodes interface {
	// Present says that a node serves, by the clock of the store. Of nodes that have
	// not said so for long the rows go.
	Present(ctx context.Context, n Node) error

	// Absent says that a node serves no more.
	Absent(ctx context.Context, id string) error

	// Nodes are those that have said so, the longest there first.
	Nodes(ctx context.Context) ([]Node, error)
}

// Node is one process that serves a house.
type Node struct {
	ID      string
	Version string // of its program
	Host    string // the name of its machine
	Begun   time.Time
	Seen    time.Time // when it last said so
	Up      bool      // that was not long ago
	Ahead   time.Duration
	Knows   []byte        // what tables it can read, in words of the hall; empty where it does not say
	Lag     time.Duration // how long the news of others takes to it; less than 0 where it hears none
}
