package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/doorbell"
	"copse/game"
	"copse/push/pushtest"
	"copse/seal"
	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// bells are the doorbells of a house in a test, with a push service that reads what
// browsers are sent.
type bells struct {
	*pushtest.Service
	t    testing.TB
	rung atomic.Int64 // how often a hall wanted somebody told
	log  bytes.Buffer

	mu      sync.Mutex
	became  map[doorbell.Outcome]int
	waiting []func() // what is tried again later
}

func newBells(t testing.TB) *bells {
	return &bells{Service: pushtest.New(t), t: t, became: map[doorbell.Outcome]int{}}
}

// tallied counts what a hall wants told, before it is sent.
type tallied struct {
	hall.Doorbell
	n *atomic.Int64
}

func (c tallied) Ring(account string, chime hall.Chime) {
	c.n.Add(1)
	c.Doorbell.Ring(account, chime)
}

type unstopped struct{}

func (unstopped) Stop() bool { return true }

func testRing(t testing.TB) *seal.Ring {
	t.Helper()
	ring, err := seal.NewRing(bytes.Repeat([]byte{5}, seal.KeyLength))
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// hang has a world ring there.
func (b *bells) hang(h *hall.Options, s *server.Options) {
	bell, err := doorbell.Open(context.Background(), doorbell.Options{
		Papers: h.Store, Ring: testRing(b.t), Push: b.Options(), Now: h.Now, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
		Heed: func(o doorbell.Outcome) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.became[o]++
		},
		Later: func(_ time.Duration, do func()) doorbell.Stop {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.waiting = append(b.waiting, do)
			return unstopped{}
		},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(bell.Close)
	s.Doorbell, h.Doorbell = bell, tallied{server.Chimer{Bell: bell}, &b.rung}
}

// outcomes waits until so many messages have come to this.
func (b *bells) outcomes(o doorbell.Outcome, n int) {
	b.t.Helper()
	eventually(b.t, fmt.Sprintf("%s counted %d times", o, n), func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.became[o] >= n
	})
}

func (c *client) switchOn(b *pushtest.Browser, language string) reply {
	c.Helper()
	return c.ask("POST", "/api/me/doorbell/browsers", fmt.Sprintf(`{"subscription":%s,"language":%q,"zone":"Europe/Zurich"}`, b.Subscription(), language))
}

// told is what a browser is told.
type told struct {
	Do, Title, Body, Table string
}

func heard(t testing.TB, got pushtest.Got) (x told) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.Body), &x); err != nil {
		t.Fatalf("%v: %s", err, got.Body)
	}
	return x
}

// tend lets time pass, and has the hall do what is due.
func (w *world) tend(d time.Duration) {
	w.wait(d)
	w.hall.Tend(context.Background())
}

const overDays = `{"game":"bosk","seats":2,"pace":"days","zone":"Europe/Zurich"}`

// TestATurnIsToldOnce, in the language of the browser, with nothing that its service could
// make anything of.
func TestATurnIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	home, phone, annas := b.Browser(), b.Browser(), b.Browser()
	ben.switchOn(home, "fr").is(t, 201)
	ben2 := w.nobody() // the same person on another device
	var code struct{ Code string }
	ben.ask("POST", "/api/me/code", "").is(t, 201).read(t, &code)
	ben2.keep(ben2.ask("POST", "/api/continue", `{"code":"`+code.Code+`"}`).is(t, 200))
	ben2.switchOn(phone, "en").is(t, 201)
	anna.switchOn(annas, "it").is(t, 201)
	id := begun(overDays, anna, ben)
	rng := seeded(1)

	w.tend(5 * time.Second)
	if n := b.rung.Load(); n != 0 {
		t.Fatalf("whoever has just begun is told at once, %d times", n)
	}
	w.tend(6 * time.Second)
	if x := heard(t, b.Wait(1)[0]); x.Title != "Bosk: tocca a te" || x.Do != "turn" || x.Table != id || x.Body != "Con Ben. Restano 5 giorni." {
		t.Errorf("Anna reads %+v", x)
	}
	move(rng, id, anna, ben)
	w.tend(11 * time.Second)
	got := b.Wait(3)[1:]
	for _, g := range got {
		x := heard(t, g)
		want := told{"turn", "Bosk: it is your turn", "With Anna. 5 days left.", id}
		if g.To == home {
			want.Title, want.Body = "Bosk\u00a0: c’est à vous de jouer", "Avec Anna. Il reste 5 jours."
		}
		if x != want {
			t.Errorf("Ben reads %+v, want %+v", x, want)
		}
		if all := fmt.Sprint(g.Header); strings.Contains(all, id) || g.Header.Get("Topic") == "" || g.Header.Get("TTL") == "" || g.Header.Get("Topic") != got[0].Header.Get("Topic") {
			t.Errorf("the service is told %s", all)
		}
	}
	if got[0].To == got[1].To {
		t.Error("one browser is told twice, the other not at all")
	}
	for range 5 { // as often as one looks, and after a restart
		w.tend(time.Hour)
	}
	w.start()
	w.tend(time.Hour)
	if n := b.rung.Load(); n != 2 {
		t.Errorf("two turns were told %d times", n)
	}
	// A turn that was over before anybody was told is not told.
	move(rng, id, anna, ben)
	move(rng, id, anna, ben)
	w.tend(11 * time.Second)
	if x := heard(t, b.Wait(5)[4]); b.rung.Load() != 3 || x.Title == "" {
		t.Errorf("told %d times: %+v", b.rung.Load(), x)
	}
	if id2 := begun(overDays, ben, anna); id2 == id { // another table does not take the place of this one
		t.Error("the same table")
	}
	w.tend(11 * time.Second)
	if all := b.Wait(7); all[6].Header.Get("Topic") == got[0].Header.Get("Topic") {
		t.Error("two tables have one topic")
	}
}

// TestWhoLooksIsToldNothing: somebody who has the table open and looks at it. Who has it
// open and looks elsewhere is told.
func TestWhoLooksIsToldNothing(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	ben.switchOn(b.Browser(), "en").is(t, 201)
	id := begun(overDays, anna, ben)
	rng := seeded(2)
	looks := ben.listen("table=" + id)
	looks.next("look")
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	if n := b.rung.Load(); n != 0 {
		t.Fatalf("who looks is told %d times", n)
	}
	move(rng, id, anna, ben)
	hidden := ben.listen("hidden=true&table=" + id)
	hidden.next("look")
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	if n := b.rung.Load(); n != 0 {
		t.Fatalf("who looks in one window and not in another is told %d times", n)
	}
	looks.close()
	l := anna.listen("table=" + id) // tells when Ben has gone from one of them
	l.next("present")
	eventually(t, "Ben looks no more", func() bool { return !w.hall.Looks(id, w.account(ben)) })
	move(rng, id, anna, ben)
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	if x := heard(t, b.Wait(1)[0]); b.rung.Load() != 1 || x.Table != id {
		t.Errorf("told %d times: %+v", b.rung.Load(), x)
	}
	var me struct{ Chimes bool }
	if ben.ask("GET", "/api/me", "").read(t, &me); !me.Chimes {
		t.Error("Ben's pages do not know that they should say whether he looks")
	}
}

// account is whose cookie it is.
func (w *world) account(c *client) string {
	w.Helper()
	p, err := w.db.Pass(context.Background(), store.Session, store.DigestOf(c.cookie), dawn)
	if err != nil {
		w.Fatal(err)
	}
	return p.Account
}

// TestWhatIsToldIsAChoice: by pace, and not at night.
func TestWhatIsToldIsAChoice(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	var set struct {
		Offered        bool
		Key            string
		Browsers       []struct{ ID, Browser, Language string }
		Paces          []string
		From, To       int
		Zone           string
		Invites, Fails bool
	}
	ben.ask("GET", "/api/me/doorbell", "").is(t, 200).read(t, &set)
	if !set.Offered || len(set.Key) != 87 || fmt.Sprint(set.Paces) != "[days]" || set.From != 22*60 || set.To != 8*60 || len(set.Browsers) != 0 {
		t.Errorf("at first it is %+v", set)
	}
	ben.switchOn(b.Browser(), "en").is(t, 201).read(t, &set)
	if len(set.Browsers) != 1 || set.Zone != "Europe/Zurich" {
		t.Errorf("switched on it is %+v", set)
	}
	rng := seeded(3)
	live := begun(`{"game":"bosk","seats":2}`, anna, ben)
	move(rng, live, anna, ben)
	w.tend(time.Minute)
	if n := b.rung.Load(); n != 0 {
		t.Fatalf("of a game that is played at once Ben is told %d times", n)
	}
	ben.ask("PATCH", "/api/me/doorbell", `{"live":true,"days":false}`).is(t, 200).read(t, &set)
	if fmt.Sprint(set.Paces) != "[live]" {
		t.Errorf("chosen are %v", set.Paces)
	}
	days := begun(overDays, anna, ben)
	move(rng, days, anna, ben)
	live = begun(`{"game":"bosk","seats":2}`, anna, ben)
	move(rng, live, anna, ben)
	w.tend(20 * time.Second)
	if n := b.rung.Load(); n != 0 {
		t.Fatalf("who plays at once is told before they can have seen it, or of days: %d", n)
	}
	w.tend(11 * time.Second)
	if x := heard(t, b.Wait(1)[0]); b.rung.Load() != 1 || x.Table != live || x.Body != "With Anna. 9 minutes left." {
		t.Errorf("told %d times: %+v", b.rung.Load(), x)
	}
	ben.ask("PATCH", "/api/me/doorbell", `{"live":false,"days":true,"from":1320,"to":480}`).is(t, 200)
	w.tend(13*time.Hour + 30*time.Minute) // half past ten in the evening, where Ben is
	night := begun(overDays, anna, ben)
	move(rng, night, anna, ben)
	early := begun(overDays, anna, ben)
	move(rng, early, anna, ben)
	w.tend(time.Minute)
	w.tend(3 * time.Hour)
	move(rng, early, anna, ben) // Ben does not sleep
	w.tend(6 * time.Hour)
	if n := b.rung.Load(); n != 1 {
		t.Fatalf("in the night Ben is told %d times", n-1)
	}
	w.tend(time.Hour)
	if x := heard(t, b.Wait(2)[1]); b.rung.Load() != 2 || x.Table != night {
		t.Errorf("in the morning he is told %d times: %+v", b.rung.Load()-1, x)
	}
	w.tend(time.Hour)
	if n := b.rung.Load(); n != 2 {
		t.Errorf("and again, %d times", n)
	}
	ben.ask("PATCH", "/api/me/doorbell", `{"zone":"Mars/Olympus"}`).refuses(t, 400, "server.zone")
	ben.ask("PATCH", "/api/me/doorbell", `{"from":1440}`).refuses(t, 400, "json.range")
}

// TestTwoNodesTellATurnOnce: both look for what is due at the same time, again and again.
func TestTwoNodesTellATurnOnce(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	nodes, _ := newNodes(t, 2, b.hang)
	anna, ben := nodes[0].guest("Anna"), nodes[1].guest("Ben")
	var key [2]string
	for i, w := range nodes {
		var set struct{ Key string }
		anna.at(w).ask("GET", "/api/me/doorbell", "").is(t, 200).read(t, &set)
		key[i] = set.Key
	}
	if key[0] == "" || key[0] != key[1] {
		t.Fatalf("the nodes have the keys %v", key)
	}
	ben.switchOn(b.Browser(), "en").is(t, 201)
	id := begun(overDays, anna, ben.at(nodes[0]))
	rng := seeded(4)
	pass := func() {
		var both sync.WaitGroup
		for _, w := range nodes {
			w.wait(5 * time.Second)
		}
		for _, w := range nodes {
			both.Go(func() { w.hall.Tend(context.Background()) })
		}
		both.Wait()
	}
	turns := 0
	for range 3 {
		move(rng, id, anna, ben.at(nodes[0]))
		eventually(t, "a turn is told", func() bool {
			pass()
			return b.rung.Load() > int64(turns)
		})
		turns++
		for range 10 {
			pass()
		}
		b.Wait(turns)
		if n := b.rung.Load(); n != int64(turns) {
			t.Fatalf("%d turns were told %d times", turns, n)
		}
		move(rng, id, anna.at(nodes[1]), ben)
	}
	// Who looks at another node than the one that has the job is told nothing.
	l := ben.listen("table=" + id)
	l.next("look")
	for _, w := range nodes {
		eventually(t, "every node knows that Ben looks", func() bool { return w.hall.Looks(id, w.account(ben)) })
	}
	move(rng, id, anna, ben.at(nodes[0]))
	for range 30 {
		pass()
	}
	if n := b.rung.Load(); n != int64(turns) {
		t.Errorf("who looks at another node is told")
	}
}

// TestABrowserIsForgotten: where it has ended its subscription, with the session it was
// switched on in, and with its owner.
func TestABrowserIsForgotten(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	anna := w.guest("Anna")
	rng := seeded(5)
	account := ""
	papers := func() int {
		list, err := w.db.Papers(context.Background(), "push", "", "", 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for how, end := range map[string]func(ben *client, br *pushtest.Browser){
		"gone": func(ben *client, _ *pushtest.Browser) {
			b.Answer(func(string) (int, string) { return 410, "" })
			id := begun(overDays, anna, ben)
			move(rng, id, anna, ben)
			w.tend(time.Minute)
			b.outcomes(doorbell.Gone, 1)
			b.Answer(nil)
		},
		"removed": func(ben *client, _ *pushtest.Browser) {
			var set struct{ Browsers []struct{ ID string } }
			ben.ask("GET", "/api/me/doorbell", "").is(t, 200).read(t, &set)
			anna.ask("DELETE", "/api/me/doorbell/browsers/"+set.Browsers[0].ID, "").is(t, 404)
			ben.ask("DELETE", "/api/me/doorbell/browsers/"+set.Browsers[0].ID, "").is(t, 204)
			ben.ask("DELETE", "/api/me/doorbell/browsers/"+set.Browsers[0].ID, "").is(t, 404)
		},
		"signed out":            func(ben *client, _ *pushtest.Browser) { ben.ask("DELETE", "/api/me/session", "").is(t, 204) },
		"signed out everywhere": func(ben *client, _ *pushtest.Browser) { ben.ask("DELETE", "/api/me/sessions", "").is(t, 204) },
		"session ended": func(ben *client, _ *pushtest.Browser) {
			var list struct{ Sessions []struct{ Session string } }
			ben.ask("GET", "/api/me/sessions", "").is(t, 200).read(t, &list)
			ben.ask("DELETE", "/api/me/sessions/"+list.Sessions[0].Session, "").is(t, 204)
		},
		"somebody else there": func(ben *client, _ *pushtest.Browser) {
			var code struct{ Code string }
			anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &code)
			ben.ask("POST", "/api/continue", `{"code":"`+code.Code+`","replace":true}`).is(t, 200)
		},
		"deleted": func(ben *client, _ *pushtest.Browser) { ben.ask("DELETE", "/api/me", "").is(t, 204) },
		"session withdrawn past us": func(ben *client, _ *pushtest.Browser) { // as where a node dies between the two
			if err := w.db.Withdraw(context.Background(), store.Session, store.DigestOf(ben.cookie)); err != nil {
				t.Fatal(err)
			}
			if err := w.hall.Ring(context.Background(), account, hall.Chime{Do: hall.ChimeInvite, Game: "bosk"}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "a browser whose session is gone is forgotten", func() bool { return papers() == 0 })
		},
	} {
		ben, br := w.guest("Ben"), b.Browser()
		account = w.account(ben)
		ben.switchOn(br, "en").is(t, 201)
		if n := papers(); n != 1 {
			t.Fatalf("%s: %d browsers are kept before", how, n)
		}
		before := len(b.Got())
		end(ben, br)
		if n := papers(); n != 0 {
			t.Errorf("%s: %d browsers are kept", how, n)
		}
		if n := len(b.Got()); how != "gone" && n != before {
			t.Errorf("%s: something was sent", how)
		}
	}
	// The same browser is whose it was last switched on for.
	shared, ben, cleo := b.Browser(), w.guest("Ben"), w.guest("Cleo")
	ben.switchOn(shared, "en").is(t, 201)
	cleo.switchOn(shared, "en").is(t, 201)
	var set struct{ Browsers []struct{ ID string } }
	if ben.ask("GET", "/api/me/doorbell", "").read(t, &set); len(set.Browsers) != 0 || papers() != 1 {
		t.Errorf("Ben still has %v", set.Browsers)
	}
	id, before := begun(overDays, anna, ben), len(b.Got())
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	id = begun(overDays, anna, cleo)
	move(rng, id, anna, cleo)
	w.tend(time.Minute)
	if got := b.Wait(before + 1)[before:]; len(got) != 1 || heard(t, got[0]).Table != id {
		t.Errorf("Cleo's browser is told %v", got)
	}
	// Of too many the oldest go, and another subscription of the same browser takes its place.
	for range doorbell.MostBrowsers + 3 {
		w.wait(time.Second)
		ben.switchOn(b.Browser(), "en").is(t, 201)
	}
	if ben.ask("GET", "/api/me/doorbell", "").read(t, &set); len(set.Browsers) != doorbell.MostBrowsers {
		t.Errorf("Ben has %d browsers", len(set.Browsers))
	}
	next := b.Browser()
	cleo.ask("POST", "/api/me/doorbell/browsers", fmt.Sprintf(`{"subscription":%s,"language":"it","zone":"Europe/Rome","old":%q}`, next.Subscription(), shared.Endpoint)).is(t, 201).read(t, &set)
	if len(set.Browsers) != 1 {
		t.Errorf("Cleo has %d browsers", len(set.Browsers))
	}
	// What is mine is in the download, and what a browser is told by is not.
	raw := cleo.ask("GET", "/api/me/download", "").is(t, 200).body
	if !bytes.Contains(raw, []byte(`"doorbell":{"offered":true,"browsers":[{"id":`)) || bytes.Contains(raw, []byte(next.Endpoint)) || bytes.Contains(raw, []byte("p256dh")) {
		t.Errorf("the download says %.900s", raw)
	}
	if bytes.Contains(b.log.Bytes(), []byte("/send/")) || bytes.Contains(b.log.Bytes(), []byte(account)) {
		t.Errorf("the log says %s", b.log.String())
	}
}

// TestOnlyPushServicesCanBeNamed: an attacker would like the server to ask something of its
// own network for them. Nothing is dialled that is not on the list, whatever it looks like.
func TestOnlyPushServicesCanBeNamed(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	eve, br := w.guest("Eve"), b.Browser()
	port := strings.TrimPrefix(w.url, "http://127.0.0.1:")
	for _, endpoint := range []string{
		"http://127.0.0.1:" + port + "/api/me", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://169.254.169.254/latest/meta-data", "https://2130706433/", "https://0x7f.1/",
		"https://10.0.0.1/", "https://example.org/", "https://example.com.evil.test/", "https://evil.test/#example.com", "https://evil.test/?example.com", "https://example.com@evil.test/", "https://evil.test\\@example.com/",
		"https://example.com:22/", "https://example.com:8443/", "https://user:pass@example.com/", "https://ex\u0430mple.com/", "https://example。com/", "https://example.com./", "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "https:example.com", "//example.com/", "https://example.com/a b", "https://example.com/\nHost: evil",
		"https://fcm.googleapis.com.evil.test/", "https://xfcm.googleapis.com/", "https://push.apple.com/", "", "x", "https://example.com/" + strings.Repeat("a", 3000),
	} {
		raw, err := json.Marshal(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		sub := strings.Replace(br.Subscription(), fmt.Sprintf("%q", br.Endpoint), string(raw), 1)
		r := eve.ask("POST", "/api/me/doorbell/browsers", `{"subscription":`+sub+`,"language":"en","zone":"Europe/Zurich"}`)
		if r.status == 429 { // who tries much is slowed down
			eve = w.guest("Eve")
			r = eve.ask("POST", "/api/me/doorbell/browsers", `{"subscription":`+sub+`,"language":"en","zone":"Europe/Zurich"}`)
		}
		if r.status != 409 || !bytes.Contains(r.body, []byte("server.push.")) {
			t.Errorf("%q is answered %d %s", endpoint, r.status, r.body)
		}
	}
	eve = w.guest("Eve")
	for _, sub := range map[string]string{
		"no keys": `{"endpoint":"https://example.com/x"}`, "a short secret": `{"endpoint":"https://example.com/x","keys":{"p256dh":"BA","auth":"AA"}}`, "nothing": `{}`,
		"a point that is none": strings.Replace(br.Subscription(), `"p256dh":"B`, `"p256dh":"C`, 1),
	} {
		eve.ask("POST", "/api/me/doorbell/browsers", `{"subscription":`+sub+`,"language":"en","zone":"Europe/Zurich"}`).refuses(t, 409, "server.push.subscription")
	}
	eve.ask("POST", "/api/me/doorbell/browsers", `{"subscription":`+br.Subscription()+`,"language":"de","zone":"Europe/Zurich"}`).refuses(t, 400, "table.setting")
	eve.ask("POST", "/api/me/doorbell/browsers", `{"subscription":`+br.Subscription()+`,"language":"en","zone":"../etc/passwd"}`).refuses(t, 400, "server.zone")
	if n := len(b.Got()); n != 0 {
		t.Errorf("%d messages were sent", n)
	}
	// A service that sends one elsewhere is not followed.
	eve.switchOn(br, "en").is(t, 201)
	b.Answer(func(string) (int, string) { return http.StatusTemporaryRedirect, "" })
	var tried struct{ Outcome string }
	if eve.ask("POST", "/api/me/doorbell/try", "").is(t, 200).read(t, &tried); tried.Outcome != "refused" || len(b.Got()) != 1 {
		t.Errorf("a service that sends one elsewhere: %+v", tried)
	}
	for _, c := range []struct {
		status int
		want   string
	}{{201, "sent"}, {500, "refused"}, {410, "gone"}} {
		b.Answer(func(string) (int, string) { return c.status, "" })
		if eve.ask("POST", "/api/me/doorbell/try", "").is(t, 200).read(t, &tried); tried.Outcome != c.want {
			t.Errorf("%d: %+v", c.status, tried)
		}
	}
	eve.ask("POST", "/api/me/doorbell/try", "").refuses(t, 409, "server.push.here")
}

// TestAServiceThatAsksToWaitIsLeftAlone, and what is no longer true is not sent then.
func TestAServiceThatAsksToWaitIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	ben.switchOn(b.Browser(), "en").is(t, 201)
	id := begun(overDays, anna, ben)
	rng := seeded(6)
	again := func() int {
		b.mu.Lock()
		list := b.waiting
		b.waiting = nil
		b.mu.Unlock()
		for _, do := range list {
			do()
		}
		return len(list)
	}
	until := func(n int) {
		eventually(t, "it waits to be tried again", func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			return len(b.waiting) >= n
		})
	}
	b.Answer(func(string) (int, string) { return 429, "600" })
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	b.Wait(1)
	until(1)
	again() // too early: the service has asked for ten minutes
	until(1)
	if n := len(b.Got()); n != 1 {
		t.Fatalf("it is asked %d times", n)
	}
	b.Answer(nil)
	w.wait(11 * time.Minute)
	again()
	b.outcomes(doorbell.Sent, 1)
	move(rng, id, anna, ben)
	b.Answer(func(string) (int, string) { return 503, "60" })
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	b.Wait(3)
	until(1)
	b.Answer(nil)
	move(rng, id, anna, ben) // Ben has moved
	w.wait(11 * time.Minute)
	again()
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	b.outcomes(doorbell.Sent, 2)
	if n := len(b.Got()); n != 4 {
		t.Errorf("%d messages were sent, not 4", n)
	}
	// What may have arrived is not sent again.
	move(rng, id, anna, ben)
	b.Answer(func(string) (int, string) { return 502, "" })
	move(rng, id, anna, ben)
	w.tend(time.Minute)
	b.outcomes(doorbell.Silent, 1)
	if again() != 0 {
		t.Error("it is sent again")
	}
}

// TestChimesTellNoSecret: in two worlds that somebody cannot tell apart, they are told the
// same, letter by letter.
func TestChimesTellNoSecret(t *testing.T) {
	t.Parallel()
	told, different := 0, 0
	for _, name := range []string{"grandbois", "tiny", "treesociety"} {
		for seat := range game.Seat(2) {
			both := map[*twin]*bells{}
			heard := func(_ *twins, w *twin) []byte {
				b := both[w]
				w.tend(11 * time.Second)
				var all []byte
				for _, g := range b.Wait(int(b.rung.Load())) {
					all = append(append(all, g.Body...), '\n')
				}
				return all
			}
			tw := newTwinsWith(t, name, 2, seat, uint64(20+seat), heard, func(w *twin) setup {
				both[w] = newBells(t)
				return both[w].hang
			}, `,"pace":"days","zone":"Europe/Zurich"`)
			for _, w := range tw.both {
				w.viewer.switchOn(both[w].Browser(), "en").is(t, 201)
				w.viewer.ask("PATCH", "/api/me/doorbell", `{"from":0,"to":0}`).is(t, 200)
			}
			if err := tw.play(25); err != nil && !errors.Is(err, errApart) {
				t.Errorf("%s, seat %d: %v", name, seat, err)
			}
			one, two := tw.both[0], tw.both[1]
			told += int(both[one].rung.Load())
			if other := 1 - seat; string(one.mirror.See(other).View()) != string(two.mirror.See(other).View()) {
				different++
			}
		}
	}
	if told < 10 || different < 2 {
		t.Errorf("this proves little: %d were told, %d pairs of worlds were different", told, different)
	}
}

// rings asks for everything that is about the doorbell.
func (w *world) rings(b *bells) {
	w.Helper()
	nell := w.guest("Nell")
	var set struct{ Browsers []struct{ ID string } }
	nell.switchOn(b.Browser(), "en").is(w, 201).read(w, &set)
	nell.ask("GET", "/api/me/doorbell", "").is(w, 200)
	nell.ask("PATCH", "/api/me/doorbell", `{"evening":true}`).is(w, 200)
	nell.ask("POST", "/api/me/doorbell/try", "").is(w, 200)
	nell.ask("DELETE", "/api/me/doorbell/browsers/"+set.Browsers[0].ID, "").is(w, 204)
}

// lateStore has every job of doorbells taken by somebody else a moment before.
type lateStore struct{ store.Store }

func (s lateStore) Finish(ctx context.Context, job store.Job) error {
	if err := s.Store.Finish(ctx, job); err != nil || job.Kind != "chime" {
		return err
	}
	return store.ErrNone
}

// TestWhoComesTooLateDoesNotRing: a node that stood still until its claim had run out finds
// that the job is another's by now.
func TestWhoComesTooLateDoesNotRing(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang, func(h *hall.Options, _ *server.Options) { h.Store = lateStore{h.Store} })
	anna, ben := w.guest("Anna"), w.guest("Ben")
	ben.switchOn(b.Browser(), "en").is(t, 201)
	id := begun(overDays, anna, ben)
	move(seeded(7), id, anna, ben)
	for range 3 {
		w.tend(time.Minute)
	}
	if n := b.rung.Load(); n != 0 {
		t.Errorf("it rings %d times", n)
	}
}

// TestEachTurnOfEachGameIsToldOnce: a turn that is made in several steps, with chance in
// between, is one; a turn that comes again since somebody went back is another.
func TestEachTurnOfEachGameIsToldOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		b := newBells(t)
		w := newWorld(t, b.hang)
		anna, ben := w.guest("Anna"), w.guest("Ben")
		for _, c := range []*client{anna, ben} {
			c.switchOn(b.Browser(), "en").is(t, 201)
			c.ask("PATCH", "/api/me/doorbell", `{"from":0,"to":0}`).is(t, 200)
		}
		id := begun(`{"game":"`+name+`","seats":2,"pace":"days","zone":"Europe/Zurich","undo":"consent"}`, anna, ben)
		rng, turns, steps := seeded(8), map[string]bool{}, 0
		look := func() {
			var s struct {
				Look struct {
					Turn  int
					ToAct []int
				}
			}
			anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
			if len(s.Look.ToAct) == 0 {
				t.Fatalf("%s is over after %d steps in %d turns, which proves little", name, steps, len(turns))
			}
			turns[fmt.Sprint(s.Look)] = true
			w.tend(11 * time.Second)
			if n := b.rung.Load(); n != int64(len(turns)) {
				t.Fatalf("%s: %d turns were told %d times after %d steps", name, len(turns), n, steps)
			}
		}
		look()
		// GrandBois goes on until enough steps were no new turn. Whoever keeps a tower is
		// asked again after the next tile with a clearing: they do not run out.
		for ; steps < 20 || name == "grandbois" && steps+1-len(turns) < 6; steps++ {
			c := []*client{anna, ben}[anna.toAct(id)]
			m := c.moves(id)
			one := m.Moves[rng.IntN(len(m.Moves))]
			for _, may := range m.Moves {
				if string(may) == `{"do":"no-tower"}` {
					one = may
				}
			}
			c.ask("POST", "/api/tables/"+id+"/moves", draft(m.After, one)).is(t, 200)
			look()
		}
		// Whoever's turn is taken back has it again, and is told so; then the other.
		before := b.rung.Load()
		by, other := anna, ben
		if anna.toAct(id) == 0 {
			by, other = ben, anna
		}
		if by.ask("POST", "/api/tables/"+id+"/undo", "").status != 200 {
			continue // there is nothing that may be taken back
		}
		other.ask("POST", "/api/tables/"+id+"/answer", `{"for":"undo","yes":true}`)
		w.tend(11 * time.Second)
		if n := b.rung.Load(); n != before+1 {
			t.Errorf("%s: a turn that came again was told %d times", name, n-before)
		}
	}
}
