package hall

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"copse/store"
)

// register is a store that is told who serves.
type register struct {
	store.Store
	mu   sync.Mutex
	said []store.Node
	gone []string
	err  error
	busy func(context.Context) // takes its time
}

func (r *register) Present(ctx context.Context, n store.Node) error {
	if r.busy != nil {
		r.busy(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, n)
	return r.err
}

func (r *register) Absent(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = append(r.gone, id)
	return nil
}

func (r *register) Nodes(context.Context) ([]store.Node, error) { return nil, nil }

// last is what was said last.
func (r *register) last() (n store.Node, times int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.said) > 0 {
		n = r.said[len(r.said)-1]
	}
	return n, len(r.said)
}

// TestANodeSaysThatItServes: with its version and machine, and how long the signs of
// others took since it last said so; and when it stops it says that too.
func TestANodeSaysThatItServes(t *testing.T) {
	t.Parallel()
	var list []*register
	h := newHouse(t, 2, func(o *Options) {
		r := &register{Store: o.Store}
		list = append(list, r)
		o.Store, o.Version, o.Host = r, "v9", "oak"
	})
	a, said := h.nodes[0], list[0]
	a.enrol(t.Context())
	if n, _ := said.last(); n.ID != a.node || n.Version != "v9" || n.Host != "oak" || n.Lag >= 0 {
		t.Errorf("before it hears anybody it says %+v", n)
	}
	h.nodes[1].sign()
	a.enrol(t.Context())
	if n, _ := said.last(); n.Lag != 0 {
		t.Errorf("news that is there at once took %v", n.Lag)
	}
	h.road.set(func() { h.road.late = true })
	h.nodes[1].sign()
	h.wait(70 * time.Millisecond)
	h.road.arrive()
	h.nodes[1].sign()
	h.road.arrive()
	a.enrol(t.Context())
	if n, _ := said.last(); n.Lag != 70*time.Millisecond {
		t.Errorf("news that took 70 ms took %v", n.Lag)
	}
	a.enrol(t.Context())
	if n, _ := said.last(); n.Lag >= 0 {
		t.Errorf("where nothing was heard since, it took %v", n.Lag)
	}
	a.hearNode([]byte("node\n{\"node\":\"of an earlier version\"}"))
	a.enrol(t.Context())
	if n, _ := said.last(); n.Lag >= 0 {
		t.Errorf("a sign that does not say when it was given took %v", n.Lag)
	}
	said.err = errors.New("no space")
	a.enrol(t.Context()) // nothing else suffers

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	_, before := said.last()
	go func() {
		defer close(ended)
		a.beats(ctx)
	}()
	for now := before; now == before; _, now = said.last() { // with the first beat
		time.Sleep(time.Millisecond)
	}
	stop()
	<-ended
	if len(said.gone) != 1 || said.gone[0] != a.node {
		t.Errorf("it has gone as %v", said.gone)
	}
}

// TestWhoStopsWhileItSaysThatItServesIsGone: what is being said arrives before the
// farewell, and is not given up half-way, after which it might be heard last.
func TestWhoStopsWhileItSaysThatItServesIsGone(t *testing.T) {
	t.Parallel()
	var said *register
	h := newHouse(t, 1, func(o *Options) {
		said = &register{Store: o.Store}
		o.Store = said
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said.busy = func(saying context.Context) {
		stop()
		select {
		case <-saying.Done():
			t.Error("it is given up")
		case <-time.After(50 * time.Millisecond):
		}
	}
	h.nodes[0].beats(ctx)
	if len(said.said) != 1 || len(said.gone) != 1 {
		t.Errorf("it has said %v and gone as %v", said.said, said.gone)
	}
}

// TestANodeAloneSaysNothing: a house of one node has nobody to tell apart.
func TestANodeAloneSaysNothing(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	r := &register{Store: h.db}
	h.Hall.store = r
	h.enrol(t.Context())
	h.resign(t.Context())
	if len(r.said)+len(r.gone) != 0 {
		t.Errorf("it says %v, %v", r.said, r.gone)
	}
}
