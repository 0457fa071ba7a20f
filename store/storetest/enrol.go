package storetest

import (
	"testing"
	"time"

	"copse/store"
)

// Enrols holds a store to what is promised of one that knows its nodes.
func Enrols(t *testing.T, nodes store.Nodes, clock store.Clock) {
	ctx := t.Context()
	good := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	begun, err := clock.Time(ctx)
	good(err)
	good(nodes.Present(ctx, store.Node{ID: "oak", Version: "1\xff", Host: "a\x00b", Ahead: -3 * time.Second, Lag: -1, Knows: []byte("\x00no\xff")}))
	alone, err := nodes.Nodes(ctx)
	good(err)
	for now := begun; now.Sub(alone[0].Begun) < 2*time.Millisecond; { // or nobody could tell which of the two is longer there
		now, err = clock.Time(ctx)
		good(err)
	}
	good(nodes.Present(ctx, store.Node{ID: "elm", Version: "2", Host: "c", Ahead: time.Second, Lag: 7 * time.Millisecond}))
	first, err := nodes.Nodes(ctx)
	good(err)
	if len(first) != 2 || first[0].ID != "oak" || first[1].ID != "elm" {
		t.Fatalf("the nodes are %+v", first)
	}
	if n := first[0]; !n.Up || n.Version != "1\xff" || n.Host != "a\x00b" || n.Ahead != -3*time.Second || n.Lag >= 0 || string(n.Knows) != "\x00no\xff" || n.Begun.Before(begun.Truncate(time.Millisecond)) || n.Seen.Before(n.Begun) {
		t.Errorf("a node is %+v", n)
	}
	if n := first[1]; n.Lag != 7*time.Millisecond || len(n.Knows) != 0 || n.Ahead != time.Second {
		t.Errorf("the other is %+v", n)
	}
	good(nodes.Present(ctx, store.Node{ID: "oak", Version: "3", Host: "d", Lag: time.Second, Knows: []byte("more")}))
	again, err := nodes.Nodes(ctx)
	good(err)
	if n := again[0]; len(again) != 2 || n.ID != "oak" || !n.Begun.Equal(first[0].Begun) || n.Seen.Before(first[0].Seen) || n.Version != "3" || n.Host != "d" || n.Lag != time.Second || n.Ahead != 0 || string(n.Knows) != "more" {
		t.Errorf("a node that says so again is %+v", n)
	}
	good(nodes.Absent(ctx, "oak"))
	good(nodes.Absent(ctx, "oak"))
	if list, err := nodes.Nodes(ctx); err != nil || len(list) != 1 || list[0].ID != "elm" {
		t.Errorf("of two nodes one has gone: %+v, %v", list, err)
	}
	if err := nodes.Present(ctx, store.Node{ID: "no id"}); err == nil {
		t.Error("anything may be the name of a node")
	}
}
