package hall

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"copse/news"
	"copse/store"
)

// asksFor is a store that notes for which accounts it is asked, one by one and
// together.
type asksFor struct {
	store.Store
	fails error // what many are answered with

	mu    sync.Mutex
	alone []string
	many  [][]string
}

func (a *asksFor) Account(ctx context.Context, id string) (store.Account, error) {
	a.mu.Lock()
	a.alone = append(a.alone, id)
	a.mu.Unlock()
	return a.Store.Account(ctx, id)
}

func (a *asksFor) Accounts(ctx context.Context, ids []string) ([]store.Account, error) {
	a.mu.Lock()
	a.many = append(a.many, ids)
	a.mu.Unlock()
	if a.fails != nil {
		return nil, a.fails
	}
	return a.Store.Accounts(ctx, ids)
}

// TestAccountsAreReadAgainTogether: where another node may change them, accounts that
// are in use are read again in time, many with one question; those that nobody asks for
// are not; and what was read is what others have made of it.
func TestAccountsAreReadAgainTogether(t *testing.T) {
	t.Parallel()
	for _, fails := range []error{nil, errors.New("the disk says no")} {
		asks := &asksFor{fails: fails}
		h := newHouse(t, 2, func(o *Options) {
			if asks.Store == nil {
				asks.Store = o.Store
				o.Store = asks
			}
		})
		node := h.nodes[0]
		var all []Account
		for i := range 20 {
			all = append(all, h.account(fmt.Sprint("somebody-", i)))
		}
		idle := h.account("idle")
		ask := func(a Account, want string) {
			t.Helper()
			got, err := node.Account(t.Context(), a.ID)
			if errors.Is(err, store.ErrNone) {
				got.Name = "gone"
			} else if err != nil {
				t.Fatal(err)
			}
			if got.Name != want {
				t.Errorf("%s is called %q, not %q", a.ID, got.Name, want)
			}
		}
		for _, a := range append([]Account{idle}, all...) {
			ask(a, a.Name)
		}
		h.wait(time.Second)
		for _, a := range all {
			ask(a, a.Name)
		}
		// Other nodes change and delete some, and nobody hears of it.
		h.road.set(func() { h.road.loses = func(news.Item) bool { return true } })
		h.good(h.nodes[1].ChangeAccount(t.Context(), all[3].ID, func(a *Account) error {
			a.Name = "Another"
			return nil
		}))
		h.good(h.nodes[1].DeleteAccount(t.Context(), all[4].ID))
		h.wait(knownTime - time.Second)
		asks.alone, asks.many = nil, nil
		for i, a := range all {
			want := a.Name
			switch i {
			case 3:
				want = "Another"
			case 4:
				want = "gone"
			}
			ask(a, want)
		}
		if fails == nil && (len(asks.many) != 1 || len(asks.many[0]) != len(all) || len(asks.alone) != 1 || asks.alone[0] != all[4].ID) {
			t.Errorf("they were asked for by %d questions, %q, and one by one %q", len(asks.many), asks.many, asks.alone)
		}
		if fails != nil && len(asks.alone) != len(all) {
			t.Errorf("where many are not told, %d of %d were asked for", len(asks.alone), len(all))
		}
		for _, list := range asks.many {
			for _, id := range list {
				if id == idle.ID {
					t.Error("somebody for whom nobody asks is read again")
				}
			}
		}
		ask(idle, "idle")
		if last := asks.alone[len(asks.alone)-1]; last != idle.ID {
			t.Errorf("the last one asked for is %s", last)
		}
	}
}

// TestWhatIsReadWhileSomebodyChangesIsNotRemembered: also where many are read.
func TestWhatIsReadWhileSomebodyChangesIsNotRemembered(t *testing.T) {
	t.Parallel()
	p := &people{known: map[string]*remembered{}}
	now := time.UnixMilli(1)
	p.remember(Account{ID: "anna", Name: "Anna"}, now, 0)
	p.forgot++
	p.remember(Account{ID: "anna", Name: "Anne"}, now, 0)
	p.remember(Account{ID: "ben"}, now, 0)
	if p.known["anna"].Name != "Anna" || p.known["ben"] != nil {
		t.Errorf("remembered are %v", p.known)
	}
}
