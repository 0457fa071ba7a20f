package server_test

import (
	"context"
	"encoding/json"
	"testing"

	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// mumbles is a store that keeps what is said; the first time its answer is lost.
type mumbles struct {
	store.Store
	said int
}

func (m *mumbles) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	said, err := m.Store.Say(ctx, table, line, once)
	if m.said++; err == nil && m.said == 1 {
		return store.ChatLine{}, context.DeadlineExceeded
	}
	return said, err
}

// TestALineWhoseAnswerWasLostIsHeard: when the next one is said.
func TestALineWhoseAnswerWasLostIsHeard(t *testing.T) {
	w := newWorld(t, func(h *hall.Options, _ *server.Options) { h.Store = &mumbles{Store: h.Store} })
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	id := begun(`{"game":"bosk","seats":2}`, people...)
	l := w.nobody().listen("table=" + id)
	l.next("look")
	if r := people[0].ask("POST", "/api/tables/"+id+"/chat", `{"text":"one"}`); r.status < 500 {
		t.Fatalf("it is answered %d %s", r.status, r.body)
	}
	people[1].ask("POST", "/api/tables/"+id+"/chat", `{"text":"two"}`).is(t, 201)
	for n, want := range []string{"one", "two"} {
		var line struct {
			Number int
			Text   string
		}
		if err := json.Unmarshal(l.next("chat").data, &line); err != nil || line.Number != n || line.Text != want {
			t.Errorf("line %d is %+v, %v", n, line, err)
		}
	}
}
