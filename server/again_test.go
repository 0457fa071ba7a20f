package server_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// asksFor is a store that counts for which passes it is asked.
type asksFor struct {
	store.Store
	mu    sync.Mutex
	fails bool // many are not told
	alone int
	many  []int // how many each time
}

func (a *asksFor) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (store.Pass, error) {
	a.mu.Lock()
	a.alone++
	a.mu.Unlock()
	return a.Store.Pass(ctx, kind, d, now)
}

func (a *asksFor) Good(ctx context.Context, kind store.Kind, list []store.Digest, now time.Time) ([]store.Pass, error) {
	a.mu.Lock()
	a.many = append(a.many, len(list))
	fails := a.fails
	a.mu.Unlock()
	if fails {
		return nil, errors.New("the disk says no")
	}
	return a.Store.Good(ctx, kind, list, now)
}

// since is what it was asked, and begins anew.
func (a *asksFor) since() (alone int, many []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	alone, many = a.alone, a.many
	a.alone, a.many = 0, nil
	return alone, many
}

// TestSessionsAreLookedUpTogether: where another node may end them, sessions that are in
// use are looked up again every few seconds, many with one question. Whoever was signed
// out, and nobody has heard of it, is nobody then; and where many cannot be looked up,
// each is.
func TestSessionsAreLookedUpTogether(t *testing.T) {
	t.Parallel()
	asks := &asksFor{}
	nodes, _ := newNodes(t, 1, func(h *hall.Options, _ *server.Options) {
		asks.Store = h.Store
		h.Store = asks
	})
	w := nodes[0]
	const many, trust = 20, 5 * time.Second
	var guests []*client
	names := map[*client]string{}
	for i := range many {
		c := w.guest(fmt.Sprint("Guest ", i))
		guests, names[c] = append(guests, c), fmt.Sprint("Guest ", i)
	}
	idle := w.guest("Idle")
	idle.ask("GET", "/api/me", "").is(t, 200)
	all := func(gone *client) {
		t.Helper()
		for _, c := range guests {
			var me struct {
				SignedIn bool
				Name     string
			}
			c.ask("GET", "/api/me", "").is(t, 200).read(t, &me)
			if me.SignedIn == (c == gone) || me.SignedIn && me.Name != names[c] {
				t.Errorf("%s, who is signed out: %v, is %+v", names[c], c == gone, me)
			}
		}
	}
	all(nil)
	all(nil)
	asks.since()
	all(nil)
	if alone, many := asks.since(); alone != 0 || len(many) != 0 {
		t.Errorf("within seconds they are looked up %d times, and together %v", alone, many)
	}
	w.wait(trust + time.Millisecond)
	all(nil)
	if alone, times := asks.since(); alone != 0 || len(times) != 1 || times[0] != many {
		t.Errorf("after seconds they are looked up %d times, and together %v", alone, times)
	}
	all(nil)
	w.wait(trust + time.Millisecond)
	if err := w.db.Withdraw(context.Background(), store.Session, store.DigestOf(guests[7].cookie)); err != nil {
		t.Fatal(err)
	}
	all(guests[7])
	if alone, times := asks.since(); alone != 1 || len(times) != 1 || times[0] != many {
		t.Errorf("with one who is signed out they are looked up %d times, and together %v", alone, times)
	}
	guests = append(guests[:7:7], guests[8:]...)
	all(nil)
	w.wait(trust + time.Millisecond)
	asks.mu.Lock()
	asks.fails = true
	asks.mu.Unlock()
	all(nil)
	if alone, _ := asks.since(); alone != len(guests) {
		t.Errorf("where many cannot be looked up, %d of %d are", alone, len(guests))
	}
	idle.ask("GET", "/api/me", "").is(t, 200)
	if alone, _ := asks.since(); alone != 1 {
		t.Errorf("one who was not here meanwhile is looked up %d times", alone)
	}
}
