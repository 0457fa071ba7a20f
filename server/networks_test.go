package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// noon is a clock that stands still.
func noon() time.Duration { return time.Hour }

// behind is a world behind a proxy, whose limits are counted by a clock that
// stands still.
func behind(t *testing.T, l server.Limits, change ...setup) *world {
	w := newWorld(t, append(change, func(_ *hall.Options, s *server.Options) { s.Limits, s.Proxies = l, server.Loopback() })...)
	w.serve.Clock(noon)
	return w
}

// from is the line by which a proxy says who asks.
func from(address string) string { return "X-Forwarded-For: " + address }

// guestFrom is somebody with a name who comes from an address.
func (w *world) guestFrom(address string) *client {
	w.Helper()
	c := w.nobody()
	r := c.ask("POST", "/api/me", `{"name":"Anna"}`, from(address))
	r.is(w, 201)
	c.keep(r)
	return c
}

// many asks for something from one address after the other until it is refused,
// and tells how often it was not.
func many(addresses []string, ask func(n int, address string) reply) int {
	for n, address := range addresses {
		if ask(n, address).status == 429 {
			return n
		}
	}
	return len(addresses)
}

// oldNetwork and youngNetwork are addresses of one network, of either kind.
func oldNetwork(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("203.0.113.%d", i))
	}
	return list
}

func youngNetwork(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("2001:db8:7:%x::1", i))
	}
	return list
}

// TestANetworkHasTenTimesTheLimitOfOne: many addresses of one network together do
// not take everything, and those of another do not wait for them.
func TestANetworkHasTenTimesTheLimitOfOne(t *testing.T) {
	t.Parallel()
	for _, network := range []func(int) []string{oldNetwork, youngNetwork} {
		none := server.Limits{Requests: -1, Streams: -1, Tables: -1, Creates: -1, Guests: -1, Asks: -1}
		limit := none
		limit.Requests = 2 // 4 at once
		w := behind(t, limit)
		if n := many(network(50), func(_ int, address string) reply {
			for range 3 {
				w.nobody().ask("GET", "/api/games", "", from(address))
			}
			return w.nobody().ask("GET", "/api/games", "", from(address))
		}); n != 10 {
			t.Errorf("requests: %d addresses asked four times each", n)
		}
		w.nobody().ask("GET", "/api/games", "", from("198.51.100.1")).is(t, 200)

		limit = none
		limit.Guests = 2 // one at once
		w = behind(t, limit)
		if n := many(network(20), func(_ int, address string) reply {
			return w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, from(address))
		}); n != 10 {
			t.Errorf("%d guests came from one network", n)
		}
		w.guestFrom("198.51.100.1")

		limit = none
		limit.Creates = 2
		w = behind(t, limit)
		var people []*client
		for _, address := range network(12) {
			people = append(people, w.guestFrom(address))
		}
		if n := many(network(12), func(n int, address string) reply {
			return people[n].ask("POST", "/api/tables", `{"game":"bosk","seats":2}`, from(address))
		}); n != 10 {
			t.Errorf("%d tables were set from one network", n)
		}
		people[11].ask("POST", "/api/tables", `{"game":"bosk","seats":2}`, from("198.51.100.1")).is(t, 201)

		limit = none
		limit.Streams = 1
		w = behind(t, limit)
		var streams []*listener
		for _, address := range network(10) {
			streams = append(streams, w.nobody().listen("", from(address)))
		}
		if status := w.nobody().reaches("/api/stream", from(network(11)[10])); status != 429 {
			t.Fatalf("one stream too many of a network is answered %d", status)
		}
		w.nobody().listen("", from("198.51.100.1")).close()
		for _, s := range streams {
			s.close()
		}
		for w.nobody().reaches("/api/stream", from(network(11)[10])) == 429 { // until the server has noticed
		}
	}
}

// TestThisMachineIsNoNetwork: where the operator has forgotten to say that there is
// a proxy, all come from this machine, and are limited only one by one.
func TestThisMachineIsNoNetwork(t *testing.T) {
	t.Parallel()
	var log safe
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Limits = server.Limits{Requests: 2, Guests: 2, Creates: 2, Streams: 1}
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	ticks := new(atomic.Int64)
	w.serve.Clock(func() time.Duration { return time.Duration(ticks.Load()) })
	people := make([]*client, 25)
	for n := range people {
		ticks.Add(int64(time.Hour))
		people[n] = w.guest("Anna")
	}
	ticks.Add(int64(time.Hour))
	for _, c := range people {
		c.ask("GET", "/api/me", "").is(t, 200)
		c.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`).is(t, 201)
		defer c.listen("mine=true").close()
	}

	// A client that comes through the proxy is counted as a network is.
	if n := log.count("--proxy"); n != 0 {
		t.Errorf("without a proxy it says %d times that there is one", n)
	}
	ticks.Add(int64(time.Hour))
	if n := many(oldNetwork(20), func(_ int, address string) reply {
		return w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, from(address))
	}); n != 10 {
		t.Errorf("%d guests came through a proxy that nobody had told of", n)
	}
	for _, address := range oldNetwork(10) {
		defer w.nobody().listen("", from(address)).close()
	}
	if status := w.nobody().reaches("/api/stream", from("203.0.113.11")); status != 429 {
		t.Errorf("one stream too many through such a proxy is answered %d", status)
	}
	w.nobody().ask("GET", "/", "", from("203.0.113.9"))
	if n := log.count("--proxy"); n != 1 {
		t.Errorf("it says %d times that there seems to be a proxy", n)
	}
	if log.count("203.0.113") != 0 {
		t.Error("the log tells who asked")
	}
	told := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Proxies, s.Log = server.Loopback(), slog.New(slog.NewTextHandler(&log, nil))
	})
	told.nobody().ask("GET", "/api/games", "", from("203.0.113.9")).is(t, 200)
	if n := log.count("--proxy"); n != 1 {
		t.Error("who has said that there is a proxy is told to say it")
	}
}

// asked is a store that counts how often it is asked for a pass.
type asked struct {
	store.Store
	passes atomic.Int64
}

func (a *asked) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (store.Pass, error) {
	a.passes.Add(1)
	return a.Store.Pass(ctx, kind, d, now)
}

// TestGuessingPassesIsThrottledBeforeTheStoreIsAsked: and a client that has a good
// one does not wait for one that guesses beside it.
func TestGuessingPassesIsThrottledBeforeTheStoreIsAsked(t *testing.T) {
	t.Parallel()
	const most, here, beside = 30, "203.0.113.1", "203.0.113.2"
	spy := &asked{}
	w := behind(t, server.Limits{Requests: -1, Streams: -1, Tables: -1, Creates: -1, Guests: -1, Asks: -1}, func(h *hall.Options, _ *server.Options) {
		spy.Store = h.Store
		h.Store = spy
	})
	me := func(secret, address string) reply {
		return (&client{world: w, token: secret}).ask("GET", "/api/me", "", from(address))
	}
	anna := w.guestFrom(here)
	program := anna.program("Ann’s bot")
	id := w.person(anna)
	old := func(n int) string { return fmt.Sprintf("copse_from-before-there-were-seals-%d", n) }
	for n := range 50 {
		if err := w.db.Admit(t.Context(), store.Pass{Digest: store.DigestOf(old(n)), Kind: store.Token, Account: id, Born: w.now}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 40 { // a farm of programs from before, which guess nothing
		me(old(n), here).is(t, 200)
	}

	before := spy.passes.Load()
	for n := range most {
		me(fmt.Sprint("copse_guess-", n), here).refuses(t, 401, "server.token")
	}
	for n := range 3 * most {
		me(fmt.Sprint("copse_more-", n), here).refuses(t, 429, "server.often")
	}
	if n := spy.passes.Load() - before; n != most {
		t.Errorf("the store was asked %d times", n)
	}
	for range 3 * most { // what was found to be nobody's needs no store
		me("copse_guess-7", here).refuses(t, 401, "server.token")
	}
	anna.ask("GET", "/api/me", "", from(here)).is(t, 200)
	me(program.token, here).is(t, 200)
	me(old(0), here).is(t, 200)
	w.wait(time.Hour) // now they are looked up again
	before = spy.passes.Load()
	anna.ask("GET", "/api/me", "", from(here)).is(t, 200)
	me(program.token, here).is(t, 200)
	me(old(0), here).is(t, 200)
	if n := spy.passes.Load() - before; n != 3 {
		t.Errorf("three passes were looked up %d times", n)
	}
	w.serve.Restart()
	me(program.token, here).is(t, 200)
	anna.ask("GET", "/api/me", "", from(here)).is(t, 200)
	me(old(0), here).refuses(t, 429, "server.often") // nothing tells it from a guess
	me(old(0), beside).is(t, 200)
	me(old(0), here).is(t, 200) // and now it is known again

	// A seal cannot be guessed, and the network has its limit too.
	forged := program.token[:len(program.token)-1] + "A"
	if forged == program.token {
		forged = program.token[:len(program.token)-1] + "B"
	}
	me(forged, here).refuses(t, 429, "server.often")
	guesses := 0
	for n := 2; n < 20; n++ {
		for i := range most {
			if me(fmt.Sprintf("copse_%d-%d", n, i), fmt.Sprintf("203.0.113.%d", n)).status == 401 {
				guesses++
			}
		}
	}
	if guesses != 9*most {
		t.Errorf("the others of the network could guess %d times", guesses)
	}
	me(old(45), "203.0.113.77").refuses(t, 429, "server.often")
	me(old(45), "198.51.100.1").is(t, 200)
	me(program.token, "203.0.113.77").is(t, 200)
}

// TestAStreamOfWhoCannotBeLookedUpGoesOn: others who guess end nobody's stream.
func TestAStreamOfWhoCannotBeLookedUpGoesOn(t *testing.T) {
	const here, old = "203.0.113.1", "copse_from-before-there-were-seals"
	w := behind(t, server.Limits{Requests: -1, Guests: -1}, func(_ *hall.Options, s *server.Options) { s.Beat = time.Millisecond })
	anna := w.guestFrom(here)
	if err := w.db.Admit(t.Context(), store.Pass{Digest: store.DigestOf(old), Kind: store.Token, Account: w.person(anna), Born: w.now}); err != nil {
		t.Fatal(err)
	}
	program := &client{world: w, token: old}
	l := program.listen("mine=true", from(here))
	l.next("beat")
	for n := range 31 {
		(&client{world: w, token: fmt.Sprint("copse_", n)}).ask("GET", "/api/me", "", from(here))
	}
	w.serve.Restart()
	for range 20 {
		l.next("beat")
	}
	program.ask("GET", "/api/me", "", from(here)).refuses(t, 429, "server.often")
	select {
	case <-l.ended:
		t.Error("the stream has ended")
	default:
	}
	l.close()
}

// person is the ID of a client.
func (w *world) person(c *client) string {
	w.Helper()
	pass, err := w.db.Pass(w.Context(), store.Session, store.DigestOf(c.cookie), w.now)
	if err != nil {
		w.Fatal(err)
	}
	return pass.Account
}

// TestAPassOfAnotherKindIsNone: and is none the worse for having been shown.
func TestAPassOfAnotherKindIsNone(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	program := anna.program("Ann’s bot")
	for range 2 {
		(&client{world: w, token: anna.cookie}).ask("GET", "/api/me", "").refuses(t, 401, "server.token")
		if r := (&client{world: w, cookie: program.token}).ask("GET", "/api/me", "").is(t, 200); strings.Contains(string(r.body), "Ann") {
			t.Errorf("a token is a cookie: %s", r.body)
		}
		program.ask("GET", "/api/me", "").is(t, 200)
		anna.ask("GET", "/api/me", "").is(t, 200)
	}
	anna.ask("DELETE", "/api/me/session", "").is(t, 204)
	for range 2 {
		if r := anna.ask("GET", "/api/me", "").is(t, 200); strings.Contains(string(r.body), "Anna") {
			t.Errorf("signed out, she is %s", r.body)
		}
	}
}

// TestBadTokensAreRequestsToo: the same one, again and again, does not reach the
// store, but it counts.
func TestBadTokensAreRequestsToo(t *testing.T) {
	w := behind(t, server.Limits{Requests: 2})
	bad := &client{world: w, token: "copse_bad"}
	for range 4 {
		bad.ask("GET", "/api/me", "", from("203.0.113.1")).refuses(t, 401, "server.token")
	}
	bad.ask("GET", "/api/me", "", from("203.0.113.1")).refuses(t, 429, "server.often")
	bad.ask("GET", "/api/me", "", from("203.0.113.2")).refuses(t, 401, "server.token")
}

// TestAskingAndWithdrawingIsLimited: whatever can be done and undone without end is
// limited for each person at each table, and nothing else is.
func TestAskingAndWithdrawingIsLimited(t *testing.T) {
	t.Parallel()
	limits := server.Limits{Requests: -1, Guests: -1, Creates: -1, Asks: 2}
	w := behind(t, limits)
	anna, ben := w.guestFrom("203.0.113.1"), w.guestFrom("203.0.113.2")
	id := anna.table(`{"game":"bosk","seats":2}`)
	at := func(c *client, path, body string, header ...string) reply {
		return c.ask("POST", "/api/tables/"+id+path, body, append(header, from("203.0.113.1"))...)
	}
	const nonce = `{"nonce":"000102030405060708090a0b0c0d0e0f"}`
	first := at(anna, "/sit", nonce, "Idempotency-Key: one").is(t, 200)
	at(ben, "/sit", nonce).is(t, 200)
	at(anna, "/start", "").is(t, 200)
	at(anna, "/pause", "").is(t, 200)
	at(anna, "/answer", `{"for":"pause","yes":false}`).is(t, 200)
	at(anna, "/pause", "").is(t, 200)
	for path, body := range map[string]string{
		"/sit": nonce, "/leave": "", "/return": "", "/bots": `{"seat":1,"player":"easy"}`, "/kick": `{"seat":1}`,
		"/undo": `{}`, "/pause": "", "/resume": "", "/abandon": "", "/answer": `{"for":"pause","yes":false}`,
	} {
		at(anna, path, body).refuses(t, 429, "server.often")
	}
	anna.ask("DELETE", "/api/tables/"+id+"/bots/1", "", from("203.0.113.1")).refuses(t, 429, "server.often")
	if again := at(anna, "/sit", nonce, "Idempotency-Key: one").is(t, 200); string(again.body) != string(first.body) {
		t.Errorf("what was done is answered %s and then %s", first.body, again.body)
	}
	at(anna, "/leave", "", "Idempotency-Key: new").refuses(t, 429, "server.often")

	// Everyone else, every other table and every move is as before.
	at(ben, "/answer", `{"for":"pause","yes":true}`).is(t, 200)
	at(ben, "/resume", "").is(t, 200)
	other := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(other)
	rng := seeded(1)
	for range 6 {
		move(rng, id, anna, ben)
	}
	at(anna, "/chat", `{"text":"hello"}`).is(t, 201)
	at(anna, "/resign", "").is(t, 200)

	// Many people of one network do not wear a table out either.
	id = anna.table(`{"game":"bosk","seats":4}`)
	come := 0
	for n := range 15 {
		c := w.guestFrom(fmt.Sprintf("198.51.100.%d", n))
		for range 2 {
			for path, body := range map[string]string{"/sit": nonce, "/leave": ""} {
				if c.ask("POST", "/api/tables/"+id+path, body, from(fmt.Sprintf("198.51.100.%d", n))).status != http.StatusTooManyRequests {
					come++
				}
			}
		}
	}
	if come != 40 {
		t.Errorf("they came and went %d times", come)
	}
}

// TestARematchIsATableToo: it counts for the first who asks.
func TestARematchIsATableToo(t *testing.T) {
	t.Parallel()
	w := behind(t, server.Limits{Requests: -1, Guests: -1, Creates: 2, Asks: -1})
	anna, ben := w.guestFrom("203.0.113.1"), w.guestFrom("198.51.100.1")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	anna.ask("POST", "/api/tables/"+id+"/resign", "").is(t, 200)
	anna.ask("POST", "/api/tables/"+id+"/rematch", "").refuses(t, 429, "server.often")
	ben.ask("POST", "/api/tables/"+id+"/rematch", "").is(t, 200)
	anna.ask("POST", "/api/tables/"+id+"/rematch", "").is(t, 200) // it is there
}

// TestAForgottenGuestIsNobody: their browser is told so, and begins anew.
func TestAForgottenGuestIsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(h *hall.Options, _ *server.Options) { h.Forget = 90 * 24 * time.Hour })
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	robot := ben.program("Ben’s bot")
	cleo.sit(cleo.table(`{"game":"bosk","seats":2,"pace":"days"}`))
	for range 4 {
		w.wait(30 * 24 * time.Hour)
		robot.ask("GET", "/api/me", "").is(t, 200)
		w.hall.Sweep(t.Context())
	}
	for name, c := range map[string]*client{"Anna": anna, "Ben": ben, "Cleo": cleo} {
		r := c.ask("GET", "/api/me", "").is(t, 200)
		if known := strings.Contains(string(r.body), name); known != (name != "Anna") {
			t.Errorf("%s: %s", name, r.body)
		}
	}
	anna.ask("POST", "/api/me", `{"name":"Anna"}`).is(t, 201)
}

// count is how often a text was written.
func (s *safe) count(text string) int { return strings.Count(s.String(), text) }
