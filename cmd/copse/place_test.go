package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPeopleMeetAcrossNodes on a real PostgreSQL and a real NATS: strangers who press
// Play now at two nodes sit at one table; who become friends at one node are friends at
// the other, and see each other there; an invitation goes from one to the other; and
// whoever blocks somebody is gone from their lists there, and is not matched with them.
func TestPeopleMeetAcrossNodes(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	anna := &guest{served: q.node(q.store, q.news), over: make(chan struct{})}
	ben := &guest{served: q.node(q.store, q.news), over: make(chan struct{})}
	people := []*guest{anna, ben}
	for n, p := range people {
		p.try("POST", "/api/me", fmt.Sprintf(`{"name":%q}`, []string{"Anna", "Ben"}[n]), "")
	}

	press := func() {
		for _, p := range people {
			p.try("POST", "/api/play", `{"game":"bosk","seats":2,"pace":"live","bots":600000}`, "")
		}
	}
	waits := func(p *guest) (state, table string) {
		var w struct{ State, Table string }
		if err := json.Unmarshal(p.try("GET", "/api/play", "", ""), &w); err != nil {
			t.Fatal(err)
		}
		if w.State == "ready" {
			p.try("POST", "/api/play/ready", nonce(), "")
		}
		return w.State, w.Table
	}
	began := time.Now()
	press()
	var tables [2]string
	within(t, "two who press at two nodes sit at one table", func() bool {
		for n, p := range people {
			_, tables[n] = waits(p)
		}
		return tables[0] != "" && tables[1] != ""
	})
	if tables[0] != tables[1] {
		t.Fatalf("they sit at %v", tables)
	}
	t.Logf("they sat at one table after %v", time.Since(began).Round(time.Millisecond))
	at := "/api/tables/" + tables[0]

	// Friends, by a link that was made at one node and used at the other.
	var link struct{ Code string }
	if err := json.Unmarshal(anna.try("POST", "/api/friend-link", "", ""), &link); err != nil {
		t.Fatal(err)
	}
	ben.try("POST", "/api/friend-link/use", fmt.Sprintf(`{"code":%q,"agree":true}`, link.Code), "")
	ben.try("PATCH", "/api/friends", `{"yes":true}`, "")
	go ben.follow(t.Context(), tables[0])
	friend := func(p *guest) (f struct {
		Friend, Name string
		Here         bool
	}) {
		list := struct{ Friends []json.RawMessage }{}
		if err := json.Unmarshal(p.try("GET", "/api/friends", "", ""), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Friends) == 1 {
			if err := json.Unmarshal(list.Friends[0], &f); err != nil {
				t.Fatal(err)
			}
		}
		return f
	}
	within(t, "a friend at another node is here", func() bool { return friend(anna).Here })
	if f := friend(anna); f.Name != "Ben" {
		t.Errorf("her friend is %+v", f)
	}

	// An invitation.
	var set struct{ Table string }
	if err := json.Unmarshal(anna.try("POST", "/api/tables", `{"game":"grandbois","seats":3,"visible":"open"}`, ""), &set); err != nil {
		t.Fatal(err)
	}
	anna.try("POST", "/api/tables/"+set.Table+"/sit", nonce(), "")
	anna.try("POST", "/api/tables/"+set.Table+"/invitations", fmt.Sprintf(`{"friends":[%q]}`, friend(anna).Friend), "")
	within(t, "an invitation is at the other node", func() bool {
		return strings.Contains(string(ben.try("GET", "/api/me/invitations", "", "")), set.Table)
	})
	within(t, "an open table is at the other node", func() bool {
		return strings.Contains(string(ben.try("GET", "/api/tables", "", "")), set.Table)
	})

	// A block, which Anna's node hears of.
	var look struct{ You int }
	if err := json.Unmarshal(ben.try("GET", at, "", ""), &look); err != nil {
		t.Fatal(err)
	}
	ben.try("POST", "/api/blocks", fmt.Sprintf(`{"table":%q,"seat":%d}`, tables[0], 1-look.You), "")
	within(t, "a friendship that ended at one node is over at the other", func() bool { return friend(anna).Name == "" })
	for what, path := range map[string]string{"the open table of who is blocked": "/api/tables", "their invitation": "/api/me/invitations"} {
		within(t, what+" is gone", func() bool { return !strings.Contains(string(ben.try("GET", path, "", "")), set.Table) })
	}
	anna.try("POST", at+"/resign", "", "")
	press()
	for range 12 { // as long as it took them to be matched, several times over
		for n, p := range people {
			if state, _ := waits(p); state != "waiting" {
				t.Fatalf("%d is %q though they are apart", n, state)
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// nonce is what somebody brings to chance.
func nonce() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	return fmt.Sprintf(`{"nonce":"%x"}`, raw)
}

// within waits until something is so, a minute at most.
func within(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it is not so after a minute", what)
		}
	}
}
