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

// headless is a store that does not say how far logs go, as long as one waits.
type headless struct{ store.Store }

func (headless) Heads(ctx context.Context, _ []string) (map[string]store.Head, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestANodeWhoseStoreHangsIsThere: it goes on giving signs, so that nobody believes
// that those who look on there are gone.
func TestANodeWhoseStoreHangsIsThere(t *testing.T) {
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.follows(0, id, anna)
	h.nodes[0].store = headless{h.db}
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
		case <-time.After(choreTime - time.Second): // as long as the store was waited for
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
