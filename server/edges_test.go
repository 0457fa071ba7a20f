package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// TestADraftSentAgainIsAnsweredAsTheFirst: with its key or without, at once, after
// others have moved, and when the game is over and packed; with the outcomes of
// chance that followed.
func TestADraftSentAgainIsAnsweredAsTheFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	people := []*client{anna, ben}
	type sent struct {
		by   *client
		body string
		done doneReply
	}
	var all []sent
	id := begun(`{"game":"treesociety","seats":2,"pace":"days","undo":"none"}`, anna, ben)
	at, rng := "/api/tables/"+id+"/moves", seeded(11)
	again := func(n int, keyed bool) {
		t.Helper()
		s := all[n]
		var done doneReply
		key := fmt.Sprintf("Idempotency-Key: %d", n)
		if !keyed {
			key = fmt.Sprintf("Idempotency-Key: other-%d", n)
		}
		s.by.ask("POST", at, s.body, key).is(t, 200).read(t, &done)
		if done != s.done {
			t.Fatalf("draft %d was answered by %d, and sent again (its key: %v) by %d", n, s.done.Number, keyed, done.Number)
		}
	}
	drawn := 0
	for turn := 0; ; turn++ {
		now := anna.toAct(id)
		if now < 0 {
			break
		}
		c := people[now]
		m := c.moves(id)
		s := sent{by: c, body: draft(m.After, m.Moves[rng.IntN(len(m.Moves))])}
		c.ask("POST", at, s.body, fmt.Sprintf("Idempotency-Key: %d", turn)).is(t, 200).read(t, &s.done)
		if s.done.Number > m.After+1 {
			drawn++
		}
		all = append(all, s)
		if s.done.Number > m.After+1 || turn%40 == 0 {
			again(turn, true)
			again(turn, false)
			again(turn/2, false)
		}
	}
	if drawn == 0 {
		t.Fatal("chance never drew")
	}
	w.hall.Tend(t.Context()) // packs
	for n := len(all) - 5; n < len(all); n++ {
		again(n, true)
		again(n, false)
	}
}

// TestWhoIsSomebodyHereIsAskedBeforeGoingOnAsAnother: a link that somebody sends
// does not take the seats of this browser away.
func TestWhoIsSomebodyHereIsAskedBeforeGoingOnAsAnother(t *testing.T) {
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	var made struct{ Code string }
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	with := func(more string) string { return `{"code":"` + made.Code + `"` + more + `}` }
	for _, more := range []string{"", `,"replace":false`} {
		r := ben.ask("POST", "/api/continue", with(more))
		r.refuses(t, 409, "server.continue")
		if !strings.Contains(string(r.body), "Ben") || r.header.Get("Set-Cookie") != "" {
			t.Errorf("he hears %s and gets %q", r.body, r.header.Get("Set-Cookie"))
		}
	}
	ben.ask("POST", "/api/continue", `{"code":"2222222222"}`).refuses(t, 409, "server.code")
	if r := anna.ask("POST", "/api/continue", with("")).is(t, 200); r.header.Get("Set-Cookie") != "" || !strings.Contains(string(r.body), "Anna") {
		t.Errorf("who is the same already gets %q: %s", r.header.Get("Set-Cookie"), r.body)
	}
	before := &client{world: w, cookie: ben.cookie}
	ben.keep(ben.ask("POST", "/api/continue", with(`,"replace":true`)).is(t, 200))
	if got := ben.name(); got != "Anna" {
		t.Errorf("he is %s", got)
	}
	if got := before.name(); got != "" {
		t.Errorf("the session of before is still %s", got)
	}
}

// TestOnlyNamedHostsAreServed: no site can point its name at this server and read
// what is here.
func TestOnlyNamedHostsAreServed(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		local bool
		host  string
		good  bool
	}{
		{nil, false, "anything.example", true},
		{nil, false, "", true},
		{nil, true, "localhost", true},
		{nil, true, "LocalHost:8080", true},
		{nil, true, "copse.localhost:8080", true},
		{nil, true, "127.0.0.1:8080", true},
		{nil, true, "127.8.9.1", true},
		{nil, true, "[::1]:8080", true},
		{nil, true, "[::1]", true},
		{nil, true, "localhost.", true},
		{nil, true, "evil.example", false},
		{nil, true, "evil.example:8080", false},
		{nil, true, "localhost.evil.example", false},
		{nil, true, "notlocalhost", false},
		{nil, true, "127.0.0.1.evil.example", false},
		{nil, true, "192.168.1.7:8080", false},
		{nil, true, "", false},
		{[]string{"Copse.example", "trees.example"}, true, "copse.example", true},
		{[]string{"Copse.example", "trees.example"}, false, "COPSE.example.:443", true},
		{[]string{"Copse.example", "trees.example"}, false, "trees.example:80", true},
		{[]string{"Copse.example", "trees.example"}, false, "www.trees.example", false},
		{[]string{"Copse.example", "trees.example"}, true, "localhost", false},
		{[]string{"::1"}, false, "[::1]:8080", true},
	} {
		h, err := server.New(server.Options{Page: page(), Hosts: c.hosts, Local: c.local})
		if err != nil {
			t.Fatal(err)
		}
		for path, exempt := range map[string]bool{"/": false, "/api/me": false, "/sw.js": false, "/healthz": true} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = c.host
			got := httptest.NewRecorder()
			h.ServeHTTP(got, r)
			if want := c.good || exempt; (got.Code != http.StatusMisdirectedRequest) != want {
				t.Errorf("%v (local: %v): %s at %q is answered %d", c.hosts, c.local, path, c.host, got.Code)
			}
			if got.Code == http.StatusMisdirectedRequest && !strings.Contains(got.Body.String(), "--host") {
				t.Errorf("it is not said what to do: %s", got.Body)
			}
		}
	}
}

// TestWhoComesByTLSStaysWithIt: if the proxy that says so can be believed.
func TestWhoComesByTLSStaysWithIt(t *testing.T) {
	for from, believed := range map[string]bool{"192.0.2.0/24": true, "127.0.0.0/8": false} { // it comes from 192.0.2.1
		h, err := server.New(server.Options{Page: page(), Proxies: []netip.Prefix{netip.MustParsePrefix(from)}})
		if err != nil {
			t.Fatal(err)
		}
		for proto, want := range map[string]bool{"https": believed, "HTTPS": believed, "http": false, "": false, "https, http": false, "http, https": believed} {
			if got := get(h, "GET", "/", "X-Forwarded-Proto: "+proto).Header.Get("Strict-Transport-Security"); (got == "max-age=31536000") != want {
				t.Errorf("behind a proxy from %s, by %q: %q", from, proto, got)
			}
		}
	}
}

// TestWhoGoesLeavesNoCacheBehind: and loses nothing that the browser keeps.
func TestWhoGoesLeavesNoCacheBehind(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/api/me/session", "/api/me/sessions", "/api/me"} {
		if got := w.guest("Anna").ask("DELETE", path, "").is(t, 204).header.Get("Clear-Site-Data"); got != `"cache"` {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got := w.guest("Anna").ask("GET", "/api/me", "").header.Get("Clear-Site-Data"); got != "" {
		t.Errorf("who stays loses %s", got)
	}
}

// programsOf are somebody's programs as the page shows them.
func (c *client) programsOf() (list []struct {
	Program, Name, Token, State string
	Until, Used                 int64
}) {
	c.Helper()
	var reply struct{ Programs json.RawMessage }
	c.ask("GET", "/api/me/programs", "").is(c, 200).read(c, &reply)
	if err := json.Unmarshal(reply.Programs, &list); err != nil {
		c.Fatal(err)
	}
	return list
}

// TestATokenEndsAndIsRenewed: it is used, warned of, ended, renewed.
func TestATokenEndsAndIsRenewed(t *testing.T) {
	var db *counted
	w := newWorld(t, func(h *hall.Options, _ *server.Options) {
		db = &counted{Store: h.Store}
		h.Store = db
	})
	anna := w.guest("Anna")
	robot := anna.program("Pruner")
	const day = 24 * time.Hour
	made := w.now
	if p := anna.programsOf()[0]; p.State != "good" || p.Until != made.Add(hall.TokenTime).UnixMilli() || p.Used != 0 {
		t.Errorf("a new one is %+v", p)
	}
	w.wait(10 * day)
	var me struct{ Until int64 }
	for range 3 {
		r := robot.ask("GET", "/api/me", "").is(t, 200)
		r.read(t, &me)
		if r.header.Get("Copse-Token-Until") != "" || me.Until != made.Add(hall.TokenTime).UnixMilli() {
			t.Errorf("the program is warned already: %v %s", r.header, r.body)
		}
		w.wait(2 * time.Minute) // until it is looked up again
	}
	if got := db.times(); got != 1 {
		t.Errorf("in a day its use is noted %d times", got)
	}
	if p := anna.programsOf()[0]; p.Used != made.Add(10*day).Truncate(day).UnixMilli() {
		t.Errorf("it was used at %v", time.UnixMilli(p.Used))
	}
	w.wait(day)
	robot.ask("GET", "/api/me", "").is(t, 200)
	if got := db.times(); got != 2 {
		t.Errorf("on the second day its use was noted %d times", got)
	}
	till := made.Add(hall.TokenTime)
	w.wait(till.Add(-14*day - time.Second).Sub(w.now))
	if p := anna.programsOf()[0]; p.State != "good" {
		t.Errorf("it is %s too early", p.State)
	}
	w.wait(time.Second)
	if p := anna.programsOf()[0]; p.State != "soon" {
		t.Errorf("two weeks before its end it is %s", p.State)
	}
	if got := robot.ask("GET", "/api/me", "").is(t, 200).header.Get("Copse-Token-Until"); got != till.UTC().Format(time.RFC3339) {
		t.Errorf("the program is warned by %q", got)
	}
	w.wait(14 * day)
	robot.ask("GET", "/api/me", "").refuses(t, 401, "server.token")
	p := anna.programsOf()[0]
	if p.State != "ended" || p.Name != "Pruner" {
		t.Errorf("after its end it is %+v", p)
	}
	at := "/api/me/programs/" + p.Program + "/token"
	w.guest("Ben").ask("POST", at, "").refuses(t, 404, "server.none")
	var renewed struct{ Program, Name, Token, State string }
	anna.ask("POST", at, "").is(t, 201).read(t, &renewed)
	if renewed.Program != p.Program || renewed.Name != "Pruner" || renewed.State != "good" || renewed.Token == robot.token {
		t.Errorf("it is renewed as %+v", renewed)
	}
	old, fresh := robot, &client{world: w, token: renewed.Token}
	old.ask("GET", "/api/me", "").refuses(t, 401, "server.token")
	fresh.ask("GET", "/api/me", "").is(t, 200)
	fresh.ask("POST", at, "").refuses(t, 403, "server.person") // or a stolen one would never end
	anna.ask("POST", at, "").is(t, 201)
	fresh.ask("GET", "/api/me", "").refuses(t, 401, "server.token") // at once
}

// TestATokenFromBeforeTheyEndedGetsAnEnd: a year after it is used next.
func TestATokenFromBeforeTheyEndedGetsAnEnd(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	robot := anna.program("Pruner")
	id := anna.programsOf()[0].Program
	old := store.Pass{Digest: store.DigestOf("copse_old"), Kind: store.Token, Account: id, Born: w.now}
	if err := w.db.Withdraw(t.Context(), store.Token, store.DigestOf(robot.token)); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Admit(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if p := anna.programsOf()[0]; p.State != "good" || p.Until != 0 {
		t.Errorf("before it is used it is %+v", p)
	}
	w.wait(1000 * 24 * time.Hour)
	anna = w.guest("Anna") // hers has run out
	(&client{world: w, token: "copse_old"}).ask("GET", "/api/me", "").is(t, 200)
	pass, err := w.db.Pass(t.Context(), store.Token, old.Digest, w.now)
	if err != nil || !pass.Until.Equal(w.now.Add(hall.TokenTime)) {
		t.Errorf("when it was used it ends at %v, %v", pass.Until, err)
	}
}

// counted counts how often the use of a pass is noted.
type counted struct {
	store.Store
	mu   sync.Mutex
	uses int
}

func (c *counted) Use(ctx context.Context, kind store.Kind, d store.Digest, now, day time.Time) error {
	c.mu.Lock()
	if kind == store.Token {
		c.uses++
	}
	c.mu.Unlock()
	return c.Store.Use(ctx, kind, d, now, day)
}

func (c *counted) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.uses
}

// TestWhatConcernsSafetyIsLogged: without a name, an address or a secret, and in
// few lines however often it happens.
func TestWhatConcernsSafetyIsLogged(t *testing.T) {
	var log syncBuffer
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
		s.Limits.Guests = 12
	})
	anna, ben := w.guest("Annabella"), w.guest("Benedict")
	robot := anna.program("Prunerella")
	p := anna.programsOf()[0]
	var made struct{ Code, Token string }
	anna.ask("POST", "/api/me/programs/"+p.Program+"/token", "").is(t, 201).read(t, &made)
	anna.ask("DELETE", "/api/me/programs/"+p.Program, "").is(t, 204)
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	phone := w.nobody()
	phone.keep(phone.ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).is(t, 200))
	for range 20 {
		robot.ask("GET", "/api/me", "").refuses(t, 401, "server.token")
		w.nobody().ask("POST", "/api/me", `{"name":"Crowd"}`)
	}
	w.wait(time.Minute)
	robot.ask("GET", "/api/me", "").refuses(t, 401, "server.token")
	phone.ask("DELETE", "/api/me/session", "").is(t, 204)
	ben.ask("DELETE", "/api/me/sessions", "").is(t, 204)
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	text := log.String()
	for event, times := range map[string]int{
		"guest": -1, `"token made"`: 1, `"token renewed"`: 1, `"token revoked"`: 1, `"code made"`: 1, `"sign-in by code"`: 1,
		"sign-out\n": 1, `"sign-out everywhere"`: 1, "deleted": 1,
		"refused key=server.token do=me times=1\n": 1, "refused key=server.token do=me times=20\n": 1, "refused key=server.often do=become times=1\n": 1,
	} {
		if got := strings.Count(text, "msg=security event="+event); got != times && (times >= 0 || got == 0) {
			t.Errorf("%s is logged %d times, not %d:\n%s", event, got, times, text)
		}
	}
	for _, secret := range []string{"Annabella", "Benedict", "Prunerella", "Crowd", p.Program, made.Token, made.Code, robot.token, anna.cookie, "127.0.0.1"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log says %q:\n%s", secret, text)
		}
	}
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("the log has %d lines", n)
	}
}

// syncBuffer is a buffer that several may write to.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
