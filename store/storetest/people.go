package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/store"
)

func people(t *testing.T, h *trial) {
	anna := store.Account{ID: "anna", Name: "Anna ‘Ännchen’ 木", Salt: []byte{0, 1, 2}, Born: day, More: []byte("{}"), Seen: after(3)}
	h.good(h.AddAccount(h.ctx, anna))
	if err := h.AddAccount(h.ctx, store.Account{ID: "anna", Name: "Another"}); !errors.Is(err, store.ErrTaken) {
		t.Errorf("a second anna: %v", err)
	}
	same := func() {
		t.Helper()
		if p, err := h.Account(h.ctx, "anna"); err != nil || fmt.Sprintf("%+v", p) != fmt.Sprintf("%+v", anna) {
			t.Errorf("anna is %+v, %v", p, err)
		}
	}
	same()
	h.good(h.SetAccount(h.ctx, store.Account{ID: "anna", Name: "Anne", Salt: []byte("new"), Born: after(1), More: []byte("{1}")}))
	anna.Name, anna.More, anna.Version = "Anne", []byte("{1}"), 1 // the rest stays
	same()
}

func unseen(t *testing.T, h *trial) {
	for id, at := range map[string]int{"anna": 5, "ben": 3, "cleo": 3, "dan": 9, "eve": 7} {
		h.good(h.AddAccount(h.ctx, store.Account{ID: id, Name: "The " + id, Born: day, Seen: after(at)}))
	}
	h.account("robot") // nobody misses it
	missed := func(want string, since, most int) {
		t.Helper()
		got, last := "", store.Account{}
		for {
			list, err := h.Unseen(h.ctx, after(since), last, most)
			h.good(err)
			if len(list) > most {
				t.Fatalf("of at most %d there came %d", most, len(list))
			}
			if len(list) == 0 {
				break
			}
			for _, p := range list {
				got += p.ID + " "
				if kept, err := h.Account(h.ctx, p.ID); err != nil || fmt.Sprintf("%+v", kept) != fmt.Sprintf("%+v", p) {
					t.Errorf("missed is %+v, kept %+v, %v", p, kept, err)
				}
			}
			last = list[len(list)-1]
		}
		if got != want {
			t.Errorf("since %d, %d at a time, there are missed %q, want %q", since, most, got, want)
		}
	}
	for most := range 6 {
		missed("ben cleo anna eve ", 8, most+1)
	}
	missed("", 3, 10)
	missed("ben cleo ", 4, 10)
	h.good(h.Saw(h.ctx, "ben", after(8)))
	h.good(h.Saw(h.ctx, "anna", after(2))) // news that came late
	h.good(h.Saw(h.ctx, "cleo", time.Time{}))
	missed("", 4, 10)
	missed("anna eve ben ", 9, 1)
	h.good(h.Saw(h.ctx, "cleo", after(1)))
	missed("cleo anna eve ben ", 9, 2)
	h.good(h.DeleteAccount(h.ctx, "eve"))
	missed("cleo anna ben ", 9, 2)
	if err := h.Saw(h.ctx, "eve", after(20)); !errors.Is(err, store.ErrNone) {
		t.Errorf("a ghost is seen: %v", err)
	}
	h.leave()
	h.enter()
	missed("cleo anna ben ", 9, 10)
	checkedWhole(t, h)
}

func forgotten(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	h.found("oak", 3, store.Row{Game: "bosk", Sitting: []string{"anna", "ben"}, Turn: 1})
	h.found("elm", 3, store.Row{Game: "bosk", Sitting: []string{"ben", "anna"}, Over: true})
	h.good(h.Pack(h.ctx, "elm", day))
	for i, who := range []string{"anna", "ben", "anna"} {
		_, err := h.Say(h.ctx, "oak", store.ChatLine{Account: who, Body: fmt.Append(nil, "line ", i)}, store.Once{})
		h.good(err)
	}
	for i, kind := range []store.Kind{store.Session, store.Link, store.Token} {
		h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf(fmt.Sprint(i)), Kind: kind, Account: "anna", Born: day}))
	}
	h.good(h.DeleteAccount(h.ctx, "anna"))

	if _, err := h.Account(h.ctx, "anna"); !errors.Is(err, store.ErrNone) {
		t.Errorf("she is still known: %v", err)
	}
	for i, kind := range []store.Kind{store.Session, store.Link, store.Token} {
		if _, err := h.Pass(h.ctx, kind, store.DigestOf(fmt.Sprint(i)), day); !errors.Is(err, store.ErrNone) {
			t.Errorf("a pass of kind %d is still good: %v", kind, err)
		}
	}
	lines, err := h.Lines(h.ctx, "oak", 0, 10)
	if err != nil || len(lines) != 1 || string(lines[0].Body) != "line 1" {
		t.Errorf("in the chat there are %v, %v", lines, err)
	}
	h.ids("")(h.Sitting(h.ctx, "anna", 10))
	h.ids("")(h.Played(h.ctx, "anna", 0, 10))
	h.ids("oak ")(h.Sitting(h.ctx, "ben", 10))
	h.log("oak", 3) // the games stay
	h.log("elm", 3)
	if l, err := h.Table(h.ctx, "elm"); err != nil || fmt.Sprintf("%q", l.Sitting) != `["ben" ""]` {
		t.Errorf("at elm sit %q, %v", l.Sitting, err)
	}

	// The others play on, even if the one who appends has not heard of it.
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 3, At: day, Entries: [][]byte{body("oak", 3)}, Row: &store.Row{Game: "bosk", Sitting: []string{"anna", "ben"}, Turn: 2}})
	h.good(err)
	if said, err := h.Say(h.ctx, "oak", store.ChatLine{Account: "ben", Body: []byte("anyone?")}, store.Once{}); err != nil || said.Number != 3 {
		t.Errorf("the next line is number %d, %v: numbers must grow", said.Number, err)
	}
	if _, err := h.Say(h.ctx, "oak", store.ChatLine{Account: "anna"}, store.Once{}); !errors.Is(err, store.ErrNone) {
		t.Errorf("a ghost speaks: %v", err)
	}
	h.account("anna") // somebody else of that name has nothing of hers
	h.ids("")(h.Sitting(h.ctx, "anna", 10))
	checkedWhole(t, h)
}

func passes(t *testing.T, h *trial) {
	h.account("anna")
	p := store.Pass{Digest: store.DigestOf("secret"), Kind: store.Session, Account: "anna", Born: day, Until: after(10), Label: "phone"}
	h.good(h.Admit(h.ctx, p))
	if err := h.Admit(h.ctx, p); !errors.Is(err, store.ErrTaken) {
		t.Errorf("the same pass twice: %v", err)
	}
	got, err := h.Pass(h.ctx, store.Session, p.Digest, after(9))
	if err != nil || got != p {
		t.Errorf("the pass is %+v, %v", got, err)
	}
	for what, ask := range map[string]func() (store.Pass, error){
		"too late":       func() (store.Pass, error) { return h.Pass(h.ctx, store.Session, p.Digest, after(10)) },
		"another kind":   func() (store.Pass, error) { return h.Pass(h.ctx, store.Token, p.Digest, day) },
		"another secret": func() (store.Pass, error) { return h.Pass(h.ctx, store.Session, store.DigestOf("Secret"), day) },
	} {
		if p, err := ask(); !errors.Is(err, store.ErrNone) {
			t.Errorf("%s: %+v, %v", what, p, err)
		}
	}
	h.good(h.Extend(h.ctx, store.Session, p.Digest, after(9), after(30)))
	if got, err := h.Pass(h.ctx, store.Session, p.Digest, after(29)); err != nil || !got.Until.Equal(after(30)) {
		t.Errorf("extended, it is %+v, %v", got, err)
	}
	if err := h.Extend(h.ctx, store.Session, p.Digest, after(30), after(60)); !errors.Is(err, store.ErrNone) {
		t.Errorf("a pass that has run out is extended: %v", err)
	}
	if got, err := h.Pass(h.ctx, store.Session, p.Digest, after(29)); err != nil || !got.Used.IsZero() {
		t.Errorf("nobody has noted its use: %+v, %v", got, err)
	}
	h.good(h.Use(h.ctx, store.Session, p.Digest, after(9), after(8)))
	if got, err := h.Pass(h.ctx, store.Session, p.Digest, after(29)); err != nil || !got.Used.Equal(after(8)) || !got.Until.Equal(after(30)) {
		t.Errorf("used, it is %+v, %v", got, err)
	}
	if list, err := h.Passes(h.ctx, "anna", store.Session, after(9)); err != nil || len(list) == 0 || !list[0].Used.Equal(after(8)) {
		t.Errorf("listed, it is %+v, %v", list, err)
	}
	if err := h.Use(h.ctx, store.Session, p.Digest, after(30), after(30)); !errors.Is(err, store.ErrNone) {
		t.Errorf("a pass that has run out is used: %v", err)
	}
	h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf("for ever"), Kind: store.Token, Account: "anna", Born: day}))
	if _, err := h.Pass(h.ctx, store.Token, store.DigestOf("for ever"), day.Add(1e6*time.Hour)); err != nil {
		t.Errorf("a pass without an end has run out: %v", err)
	}
	h.good(h.Withdraw(h.ctx, store.Session, store.DigestOf("for ever"))) // there is none of that kind
	if list, err := h.Passes(h.ctx, "anna", store.Token, day); err != nil || len(list) != 1 {
		t.Errorf("tokens: %v, %v", list, err)
	}
	h.good(h.Withdraw(h.ctx, store.Token, store.DigestOf("for ever")))
	h.good(h.Withdraw(h.ctx, store.Token, store.DigestOf("for ever")))
	if list, err := h.Passes(h.ctx, "anna", store.Token, day); err != nil || len(list) != 0 {
		t.Errorf("tokens: %v, %v", list, err)
	}
}

func links(t *testing.T, h *trial) {
	h.account("anna")
	for round := range 5 {
		link := store.DigestOf(fmt.Sprint("link ", round))
		h.good(h.Admit(h.ctx, store.Pass{Digest: link, Kind: store.Link, Account: "anna", Born: day, Until: after(10)}))
		if _, err := h.Redeem(h.ctx, link, after(10), store.Pass{Digest: store.DigestOf("late")}); !errors.Is(err, store.ErrNone) {
			t.Errorf("a link that has run out: %v", err)
		}
		if _, err := h.Pass(h.ctx, store.Session, link, day); !errors.Is(err, store.ErrNone) {
			t.Errorf("a link is taken for a session: %v", err)
		}
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				session := store.Pass{Digest: store.DigestOf(fmt.Sprint("session ", round, i)), Born: day, Until: after(1000), Label: "tablet"}
				got, err := h.Redeem(h.ctx, link, after(1), session)
				if err == nil {
					won.Add(1)
					session.Account, session.Kind = "anna", store.Session
					if kept, err := h.Pass(h.ctx, store.Session, session.Digest, after(2)); err != nil || got != session || kept != session {
						t.Errorf("redeemed: %+v, kept: %+v, %v", got, kept, err)
					}
				} else if !errors.Is(err, store.ErrNone) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("a link was redeemed %d times", won.Load())
		}
		if _, err := h.Redeem(h.ctx, link, after(1), store.Pass{Digest: store.DigestOf(fmt.Sprint("second ", round))}); !errors.Is(err, store.ErrNone) {
			t.Errorf("a link that was redeemed is good again: %v", err)
		}
	}
	if list, err := h.Passes(h.ctx, "anna", store.Session, after(2)); err != nil || len(list) != 5 {
		t.Errorf("there are %d sessions, %v", len(list), err)
	}
	token := store.Pass{Digest: store.DigestOf("token"), Kind: store.Token, Account: "anna", Born: day}
	h.good(h.Admit(h.ctx, token))
	if _, err := h.Redeem(h.ctx, token.Digest, day, store.Pass{Digest: store.DigestOf("x")}); !errors.Is(err, store.ErrNone) {
		t.Errorf("a token is taken for a link: %v", err)
	}
}

func signOut(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	for i := range 6 {
		kind := []store.Kind{store.Session, store.Link, store.Token}[i%3]
		h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf(fmt.Sprint("anna", i)), Kind: kind, Account: "anna", Born: day}))
		h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf(fmt.Sprint("ben", i)), Kind: kind, Account: "ben", Born: day}))
	}
	h.good(h.SignOut(h.ctx, "anna", store.Session, store.Link))
	for who, want := range map[string][3]int{"anna": {0, 0, 2}, "ben": {2, 2, 2}} {
		for i, kind := range []store.Kind{store.Session, store.Link, store.Token} {
			if list, err := h.Passes(h.ctx, who, kind, day); err != nil || len(list) != want[i] {
				t.Errorf("%s has %d passes of kind %d, %v, want %d", who, len(list), kind, err, want[i])
			}
		}
	}
}

func manyPasses(t *testing.T, h *trial) {
	h.account("anna")
	for i := range store.MostPasses + 5 {
		h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf(fmt.Sprint(i)), Kind: store.Session, Account: "anna", Born: after(i), Label: fmt.Sprint(i)}))
	}
	list, err := h.Passes(h.ctx, "anna", store.Session, day)
	h.good(err)
	if len(list) != store.MostPasses || list[0].Label != "5" {
		t.Errorf("there are %d, the oldest is %s", len(list), list[0].Label)
	}
}

// manyAsked: accounts and passes that are asked for together are those that would be
// found one by one, each once.
func manyAsked(t *testing.T, h *trial) {
	for _, id := range []string{"anna", "ben", "carla"} {
		h.good(h.AddAccount(h.ctx, store.Account{ID: id, Name: "The name of " + id, Salt: []byte(id), Born: day, More: []byte("{}")}))
	}
	digest := func(i int) store.Digest { return store.DigestOf(fmt.Sprint("pass ", i)) }
	for i, p := range []store.Pass{
		{Kind: store.Session, Account: "anna"},
		{Kind: store.Session, Account: "ben", Until: after(5), Label: "a phone"},
		{Kind: store.Token, Account: "ben"},
		{Kind: store.Session, Account: "carla", Until: after(50)},
		{Kind: store.Session, Account: "carla"},
	} {
		p.Digest, p.Born = digest(i), day
		if err := h.Admit(h.ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Withdraw(h.ctx, store.Session, digest(4)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind store.Kind
		ask  []int
		now  time.Time
		good []int
	}{
		{store.Session, nil, day, nil},
		{store.Session, []int{99}, day, nil},
		{store.Session, []int{0, 1, 2, 3, 4, 99}, day, []int{0, 1, 3}},
		{store.Session, []int{3, 1, 0}, after(5), []int{0, 3}}, // one has run out
		{store.Session, []int{3}, after(5), []int{3}},
		{store.Token, []int{0, 1, 2, 3, 4}, day, []int{2}},
	} {
		var ask []store.Digest
		for _, i := range c.ask {
			ask = append(ask, digest(i))
		}
		list, err := h.Good(h.ctx, c.kind, ask, c.now)
		if err != nil || len(list) != len(c.good) {
			t.Errorf("of the passes %v those that are good are %v, not %v: %v", c.ask, list, c.good, err)
		}
		for _, i := range c.good {
			one, err := h.Pass(h.ctx, c.kind, digest(i), c.now)
			if err != nil || !slices.Contains(list, one) {
				t.Errorf("of the passes %v, %v is not among those that are good, %v: %v", c.ask, one, list, err)
			}
		}
	}
	if err := h.DeleteAccount(h.ctx, "carla"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ask, there []string }{
		{nil, nil},
		{[]string{"carla", "nobody", "", "no\x00ID"}, nil},
		{[]string{"ben", "carla", "anna"}, []string{"anna", "ben"}},
		{[]string{"ben"}, []string{"ben"}},
	} {
		list, err := h.Accounts(h.ctx, c.ask)
		if err != nil || len(list) != len(c.there) {
			t.Errorf("of the accounts %q there are %v, not %q: %v", c.ask, list, c.there, err)
		}
		for _, id := range c.there {
			one, err := h.Account(h.ctx, id)
			if err != nil || !slices.ContainsFunc(list, func(a store.Account) bool { return reflect.DeepEqual(a, one) }) {
				t.Errorf("of the accounts %q, %v is not among those that there are, %v: %v", c.ask, one, list, err)
			}
		}
	}
	if list, err := h.Good(h.ctx, store.Session, []store.Digest{digest(0), digest(3)}, day); err != nil || len(list) != 1 {
		t.Errorf("passes of an account that is deleted: %v %v", list, err)
	}
}
