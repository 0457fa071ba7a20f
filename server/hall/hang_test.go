package hall

import (
	"context"
	"strings"
	"testing"
	"time"

	"copse/news"
	"copse/news/nats"
	"copse/store"
)

// headless is a store that does not say how far logs go, until the test is over.
type headless struct {
	store.Store
	over chan struct{}
}

func (s headless) Heads(context.Context, []string) (map[string]store.Head, error) {
	<-s.over
	return nil, store.ErrAway
}

// TestANodeWhoseStoreHangsIsThere: it goes on giving signs, so that nobody believes
// that those who look on there are gone.
func TestANodeWhoseStoreHangsIsThere(t *testing.T) {
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.follows(0, id, anna)
	over := make(chan struct{})
	defer close(over)
	h.nodes[0].store = headless{h.db, over}
	signs := make(chan struct{}, 100)
	h.road.set(func() {
		h.road.loses = func(item news.Item) bool {
			if item.State == "node "+h.nodes[0].node && strings.HasPrefix(string(item.Body), "node") {
				signs <- struct{}{}
			}
			return false
		}
	})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	go h.nodes[0].Run(ctx)
	for range 3 {
		select {
		case <-signs:
		case <-time.After(time.Minute): // who waits for the store waits for ever
			t.Fatal("it gives no sign while it waits for its store")
		}
	}
}

// TestAHungLineIsNoticedInTime: before another node would be taken for gone.
func TestAHungLineIsNoticedInTime(t *testing.T) {
	if peerTime-peerEvery <= nats.Noticed {
		t.Errorf("a line that hangs is noticed after %v, and a node is gone after %v", nats.Noticed, peerTime)
	}
}
