package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"

	"copse/server"
	"copse/server/hall"
)

// newSite is a world that is reached by the name localhost, where passkeys are offered.
func newSite(t testing.TB, change ...setup) *world {
	t.Helper()
	w := newWorld(t, change...)
	w.url = strings.Replace(w.url, "127.0.0.1", "localhost", 1)
	return w
}

// key is a passkey of somebody, with where it was made.
type key struct {
	at   virtualwebauthn.RelyingParty
	auth virtualwebauthn.Authenticator
	cred virtualwebauthn.Credential
}

func (w *world) newKey() *key {
	return &key{
		at:   virtualwebauthn.RelyingParty{Name: "Copse", ID: "localhost", Origin: w.url},
		auth: virtualwebauthn.NewAuthenticator(), cred: newCredential(),
	}
}

// newCredential is a key as passkeys have them. The package leaves out the zeros with which
// one coordinate in 256 begins, which no passkey does: such keys are passed over.
func newCredential() virtualwebauthn.Credential {
	for {
		if c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(c.Key.AttestationData()) == 77 {
			return c
		}
	}
}

// challenge is a challenge.
type challenge struct {
	Ticket  string
	Options json.RawMessage
}

// kept is what came of a passkey.
type kept struct {
	Me struct {
		Name   string
		Member int64
	}
	Passkey struct{ Passkey, Label string }
	Codes   []string
}

// made is the body that brings a passkey.
func (k *key) made(t testing.TB, a challenge) string {
	t.Helper()
	options, err := virtualwebauthn.ParseAttestationOptions(string(a.Options))
	if err != nil {
		t.Fatal(err)
	}
	k.auth.Options.UserHandle = []byte(options.UserID)
	return fmt.Sprintf(`{"ticket":%q,"credential":%s}`, a.Ticket, virtualwebauthn.CreateAttestationResponse(k.at, k.auth, k.cred, *options))
}

// answers is the body that brings a passkey's answer.
func (k *key) answers(t testing.TB, a challenge) string {
	t.Helper()
	options, err := virtualwebauthn.ParseAssertionOptions(string(a.Options))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"ticket":%q,"credential":%s}`, a.Ticket, virtualwebauthn.CreateAssertionResponse(k.at, k.auth, k.cred, *options))
}

func replacing(body string) string { return strings.TrimSuffix(body, "}") + `,"replace":true}` }

// begin asks for a challenge for a new passkey.
func (c *client) begin() (a challenge) {
	c.Helper()
	c.ask("POST", "/api/me/passkey/begin", "").is(c, 201).read(c, &a)
	return a
}

// knock asks for a challenge to sign in, and keeps the cookie that comes with it.
func (c *client) knock() (a challenge, cookie string) {
	c.Helper()
	r := c.ask("POST", "/api/sign-in/begin", "").is(c, 201)
	r.read(c, &a)
	for _, one := range (&http.Response{Header: r.header}).Cookies() {
		if one.Name == "copse-knock" {
			if !one.HttpOnly || one.SameSite != http.SameSiteStrictMode {
				c.Errorf("the cookie is %v", one)
			}
			cookie = "Cookie: copse-knock=" + one.Value
		}
	}
	if cookie == "" {
		c.Fatal("there is no cookie")
	}
	return a, cookie
}

// keepName makes a guest a member.
func (c *client) keepName(k *key) (made kept) {
	c.Helper()
	r := c.ask("POST", "/api/me/passkeys", k.made(c, c.begin())).is(c, 201)
	r.read(c, &made)
	c.keep(r)
	return made
}

// signIn signs somebody in by a passkey.
func (c *client) signIn(k *key) reply {
	c.Helper()
	a, cookie := c.knock()
	r := c.ask("POST", "/api/sign-in", k.answers(c, a), cookie)
	if r.status == 200 {
		c.keep(r)
	}
	return r
}

// members asks for everything that members may.
func (w *world) members() {
	w.Helper()
	defer func(url string) { w.url = url }(w.url)
	w.url = strings.Replace(w.url, "127.0.0.1", "localhost", 1)
	dora, k := w.guest("Dora"), w.newKey()
	made := dora.keepName(k)
	at := "/api/me/passkeys/" + made.Passkey.Passkey
	dora.ask("PATCH", at, `{"label":"Phone"}`).is(w, 200)
	dora.ask("POST", "/api/me/codes", "").is(w, 201).read(w, &made)
	w.nobody().ask("POST", "/api/recover", fmt.Sprintf(`{"name":"Dora","code":%q}`, made.Codes[0])).is(w, 200)
	w.nobody().signIn(k).is(w, 200)
	dora.ask("GET", "/api/me/passkeys", "").is(w, 200)
	dora.ask("GET", "/api/me/download", "").is(w, 200)
	w.profiles(dora)
	var list struct {
		Sessions []struct {
			Session string
			Here    bool
		}
	}
	dora.ask("GET", "/api/me/sessions", "").is(w, 200).read(w, &list)
	for _, s := range list.Sessions {
		if !s.Here {
			dora.ask("DELETE", "/api/me/sessions/"+s.Session, "").is(w, 204)
		}
	}
	dora.ask("DELETE", at+"?last=true", "").is(w, 204)
}

// TestAGuestKeepsTheirName: in two requests, games, programs and all; and comes back in
// another browser without a word.
func TestAGuestKeepsTheirName(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	bot := anna.program("Pruner")
	before := anna.cookie
	k := w.newKey()
	made := anna.keepName(k)
	if made.Me.Name != "Anna" || made.Me.Member != dawn.UnixMilli() || len(made.Codes) != 8 || made.Passkey.Label == "" {
		t.Errorf("it is answered %+v", made)
	}
	if anna.cookie == before {
		t.Error("the session is the one of before")
	}
	old := &client{world: w, cookie: before}
	if old.name() != "" {
		t.Error("the session of before is still good")
	}
	elsewhere := w.nobody()
	elsewhere.signIn(k).is(t, 200)
	if elsewhere.name() != "Anna" {
		t.Error("somebody else came back")
	}
	for _, c := range []*client{anna, elsewhere} {
		var mine struct{ Tables []struct{ Table string } }
		c.ask("GET", "/api/me/tables", "").is(t, 200).read(t, &mine)
		if len(mine.Tables) != 1 || mine.Tables[0].Table != id {
			t.Errorf("the games are %v", mine)
		}
	}
	bot.ask("GET", "/api/me", "").is(t, 200)
	var look struct {
		Who []hall.Who
	}
	ben.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &look)
	if look.Who[0].Guest || !look.Who[1].Guest {
		t.Errorf("guests are marked so: %+v", look.Who)
	}
}

// TestAChallengeIsGoodOnce: for the browser that challenge for it, for what it challenge, soon.
func TestAChallengeIsGoodOnce(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	k, other := w.newKey(), w.newKey()
	a := anna.begin()
	ben.ask("POST", "/api/me/passkeys", other.made(t, a)).refuses(t, 409, "server.ticket") // another session
	late := anna.begin()
	body := k.made(t, a)
	r := anna.ask("POST", "/api/me/passkeys", body).is(t, 201)
	anna.keep(r)
	anna.ask("POST", "/api/me/passkeys", body).refuses(t, 409, "server.ticket")
	anna.ask("POST", "/api/me/passkeys", other.made(t, late)).refuses(t, 409, "server.ticket") // of the session before
	again := anna.begin()
	w.wait(10*time.Minute + time.Second)
	anna.ask("POST", "/api/me/passkeys", other.made(t, again)).refuses(t, 409, "server.ticket")

	c := w.nobody()
	b, cookie := c.knock()
	answer := k.answers(t, b)
	c.ask("POST", "/api/sign-in", answer).refuses(t, 409, "server.ticket") // finish without the browser that began
	_, strange := c.knock()
	c.ask("POST", "/api/sign-in", answer, strange).refuses(t, 409, "server.ticket")
	c.ask("POST", "/api/sign-in", strings.Replace(answer, b.Ticket, again.Ticket, 1), cookie).refuses(t, 409, "server.ticket")
	c.ask("POST", "/api/sign-in", strings.Replace(answer, b.Ticket, b.Ticket[:len(b.Ticket)-3]+"AAA", 1), cookie).refuses(t, 409, "server.ticket")
	var got sync.Map
	var all sync.WaitGroup
	for range 5 { // at the same time
		all.Go(func() {
			r := c.ask("POST", "/api/sign-in", answer, cookie)
			n, _ := got.LoadOrStore(r.status, new(sync.Map))
			n.(*sync.Map).Store(&r, true)
		})
	}
	all.Wait()
	count := func(status int) (n int) {
		if m, ok := got.Load(status); ok {
			m.(*sync.Map).Range(func(any, any) bool { n++; return true })
		}
		return n
	}
	if count(200) != 1 || count(409) != 4 {
		t.Errorf("of five answers to one challenge %d are good and %d refused", count(200), count(409))
	}
	w.wait(10*time.Minute + time.Second)
	c.ask("POST", "/api/sign-in", answer, cookie).refuses(t, 409, "server.ticket")
	w.wait(time.Hour)
	w.hall.Sweep(t.Context()) // what was spent is torn up once the ticket is too old in any case
	if left, err := w.db.Papers(t.Context(), "spent", "", "", 10); err != nil || len(left) != 0 {
		t.Errorf("%d challenges are still noted: %v", len(left), err)
	}
}

// TestWhatAPasskeyMustSay: where it is, who it is, that somebody was there and was known.
func TestWhatAPasskeyMustSay(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	for name, spoil := range map[string]func(*key){
		"other origin": func(k *key) { k.at.Origin = "http://localhost:1" },
		"other site":   func(k *key) { k.at.ID = "example.org" },
		"not verified": func(k *key) { k.auth.Options.UserNotVerified = true },
		"not present":  func(k *key) { k.auth.Options.UserNotPresent = true },
	} {
		anna := w.guest("Anna " + name)
		k := w.newKey()
		good := *k
		spoil(k)
		anna.ask("POST", "/api/me/passkeys", k.made(t, anna.begin())).refuses(t, 409, "server.passkey")
		anna.keepName(&good)
		good.auth.Options.UserHandle = good.auth.Options.UserHandle[:]
		spoil(&good)
		w.nobody().signIn(&good).refuses(t, 409, "server.passkey")
	}
	anna, ben := w.guest("Anna"), w.guest("Ben")
	k, l := w.newKey(), w.newKey()
	anna.keepName(k)
	ben.keepName(l)
	l.auth.Options.UserHandle = k.auth.Options.UserHandle
	w.nobody().signIn(l).refuses(t, 409, "server.passkey") // says that it is Anna's
	stolen := *k
	stolen.cred.Key = l.cred.Key
	w.nobody().signIn(&stolen).refuses(t, 409, "server.passkey")                                  // signs with another key
	ben.ask("POST", "/api/me/passkeys", k.made(t, ben.begin())).refuses(t, 409, "server.passkey") // which is Anna's
	for _, rubbish := range []string{`{}`, `[]`, `"x"`, `{"id":"","rawId":"","type":"public-key","response":{}}`} {
		a, cookie := w.nobody().knock()
		if r := w.nobody().ask("POST", "/api/sign-in", fmt.Sprintf(`{"ticket":%q,"credential":%s}`, a.Ticket, rubbish), cookie); r.status != 409 && r.status != 400 {
			t.Errorf("%s is answered %d", rubbish, r.status)
		}
	}
}

// TestAPasskeyThatWasCopied: its counter goes back.
func TestAPasskeyThatWasCopied(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	k := w.newKey()
	k.cred.Counter = 5
	w.guest("Anna").keepName(k)
	w.nobody().signIn(k).refuses(t, 409, "server.passkey.copied")
	k.cred.Counter = 6
	w.nobody().signIn(k).is(t, 200)
	w.nobody().signIn(k).refuses(t, 409, "server.passkey.copied")
}

// TestAccountsAreNeverMerged: who is somebody here is challenge first.
func TestAccountsAreNeverMerged(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	k := w.newKey()
	codes := anna.keepName(k).Codes
	for i, way := range []func(c *client) (path, body, cookie string){
		func(c *client) (string, string, string) {
			a, cookie := c.knock()
			return "/api/sign-in", k.answers(t, a), cookie
		},
		func(*client) (string, string, string) {
			return "/api/recover", fmt.Sprintf(`{"name":"anna","code":%q}`, strings.ToLower(codes[0])), "X: y"
		},
	} {
		guest := w.guest(fmt.Sprint("Guest ", i))
		id := guest.table(`{"game":"bosk","seats":2}`)
		guest.sit(id)
		path, body, cookie := way(guest)
		r := guest.ask("POST", path, body, cookie)
		r.refuses(t, 409, "server.replace")
		if !strings.Contains(string(r.body), `"tables":1`) {
			t.Errorf("it is not said what becomes of the seat: %s", r.body)
		}
		before := guest.cookie
		r = guest.ask("POST", path, replacing(body), cookie).is(t, 200) // with the same challenge, the same code
		guest.keep(r)
		if guest.name() != "Anna" {
			t.Error("nobody came back")
		}
		if (&client{world: w, cookie: before}).name() != "" {
			t.Error("the browser is still the guest")
		}
		var mine struct{ Tables []any }
		guest.ask("GET", "/api/me/tables", "").is(t, 200).read(t, &mine)
		if len(mine.Tables) != 0 {
			t.Error("the guest's seat is Anna's")
		}
	}
	anna.signIn(k).is(t, 200) // as oneself nothing is challenge
}

// TestMembersNamesAreTheirs: look-alikes too, from both sides.
func TestMembersNamesAreTheirs(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, early := w.guest("Anna"), w.guest("ANNA")
	anna.keepName(w.newKey())
	w.nobody().ask("POST", "/api/me", `{"name":"Аnna"}`).refuses(t, 409, "server.name.held") // with a Cyrillic А
	ben := w.guest("Ben")
	ben.ask("PATCH", "/api/me", `{"name":"anna"}`).refuses(t, 409, "server.name.held")
	ben.ask("POST", "/api/me/programs", `{"name":"Anna"}`).refuses(t, 409, "server.name.held")
	anna.ask("POST", "/api/me/programs", `{"name":"Anna"}`).is(t, 201) // which is marked as a program
	early.ask("POST", "/api/me/passkey/begin", "").refuses(t, 409, "server.name.held")
	early.ask("PATCH", "/api/me", `{"name":"Anne"}`).is(t, 200)
	late := early.begin()
	w.guest("Anne").keepName(w.newKey()) // between begin and finish
	early.ask("POST", "/api/me/passkeys", w.newKey().made(t, late)).refuses(t, 409, "server.name.held")
	anna.ask("PATCH", "/api/me", `{"name":"Hanna"}`).is(t, 200)
	anna.ask("PATCH", "/api/me", `{"name":"Anne"}`).refuses(t, 409, "server.name.held")
	w.guest("Anna") // which is nobody's now
	w.nobody().ask("POST", "/api/me", `{"name":"hanna"}`).refuses(t, 409, "server.name.held")
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	w.guest("Hanna")
}

// TestPasskeysOneByOne: a label, the day of use, and never the last one by mistake.
func TestPasskeysOneByOne(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	k, l := w.newKey(), w.newKey()
	first := anna.keepName(k)
	second := anna.keepName(l)
	if second.Codes != nil {
		t.Error("codes are told twice")
	}
	at := func(p string) string { return "/api/me/passkeys/" + p }
	anna.ask("PATCH", at(second.Passkey.Passkey), `{"label":"The blue phone"}`).is(t, 200)
	ben.ask("PATCH", at(second.Passkey.Passkey), `{"label":"Mine"}`).is(t, 404)
	ben.ask("DELETE", at(second.Passkey.Passkey), "").is(t, 404)
	var list struct {
		Passkeys []struct {
			Passkey, Label string
			Used           int64
		}
		Codes int
	}
	w.nobody().signIn(l).is(t, 200)
	anna.ask("GET", "/api/me/passkeys", "").is(t, 200).read(t, &list)
	if len(list.Passkeys) != 2 || list.Codes != 8 || list.Passkeys[0].Used != 0 && list.Passkeys[1].Used != 0 {
		t.Errorf("they are %+v", list)
	}
	for _, p := range list.Passkeys {
		if p.Passkey == second.Passkey.Passkey && (p.Label != "The blue phone" || p.Used != dawn.Truncate(24*time.Hour).UnixMilli()) {
			t.Errorf("it is %+v", p)
		}
	}
	anna.ask("DELETE", at(first.Passkey.Passkey), "").is(t, 204)
	w.nobody().signIn(k).refuses(t, 409, "server.passkey")
	anna.ask("DELETE", at(second.Passkey.Passkey), "").refuses(t, 409, "server.passkey.last")
	w.wait(20 * time.Minute)
	anna.ask("DELETE", at(second.Passkey.Passkey)+"?last=true", "").refuses(t, 409, "server.recent")
	anna.ask("POST", "/api/me/codes", "").refuses(t, 409, "server.recent")
	anna.ask("POST", "/api/me/passkey/begin", "").refuses(t, 409, "server.recent")
	anna.ask("DELETE", "/api/me", "").refuses(t, 409, "server.recent")
	anna.ask("POST", "/api/me/code", "").refuses(t, 409, "server.recent")
	anna.ask("PATCH", "/api/me", `{"name":"Hanna"}`).refuses(t, 409, "server.recent")
	ben.ask("PATCH", "/api/me", `{"name":"Benno"}`).is(t, 200) // a guest has nothing to sign in with
	anna.signIn(l).is(t, 200)
	anna.ask("DELETE", at(second.Passkey.Passkey)+"?last=true", "").is(t, 204)
	w.nobody().signIn(l).refuses(t, 409, "server.passkey")
}

// TestRecoveryCodesAreGoodOnce: and only those that were made last.
func TestRecoveryCodesAreGoodOnce(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	anna.ask("POST", "/api/me/codes", "").refuses(t, 409, "server.member")
	codes := anna.keepName(w.newKey()).Codes
	use := func(name, code string) reply {
		return w.nobody().ask("POST", "/api/recover", fmt.Sprintf(`{"name":%q,"code":%q}`, name, code))
	}
	use("Anna", codes[0]).is(t, 200)
	use("Anna", codes[0]).refuses(t, 409, "server.recovery")
	use("Nobody", codes[1]).refuses(t, 409, "server.recovery")
	use("ANNA", strings.ToLower(strings.ReplaceAll(codes[1], "-", " "))).is(t, 200)
	var made struct{ Codes []string }
	anna.ask("POST", "/api/me/codes", "").is(t, 201).read(t, &made)
	use("Anna", codes[2]).refuses(t, 409, "server.recovery")
	use("Anna", made.Codes[7]).is(t, 200)
	raw, err := w.db.Papers(t.Context(), "codes", "", "", 10)
	if err != nil || len(raw) != 1 || strings.Contains(string(raw[0].Body), made.Codes[0]) {
		t.Errorf("the codes are kept as they are: %v", err)
	}
}

// TestGuessingIsNoUse: two thousand tries reach what is kept a few times.
func TestGuessingIsNoUse(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	k := w.newKey()
	anna.keepName(k)
	many, sent := map[int]int{}, map[int]int{}
	a, cookie := w.nobody().knock()
	answer := w.newKey().answers(t, a)
	began := time.Now()
	for range 1000 {
		many[w.nobody().ask("POST", "/api/recover", `{"name":"Anna","code":"2222-2222-2222-2222"}`).status]++
		sent[w.nobody().ask("POST", "/api/sign-in", answer, cookie).status]++
	}
	most := 10 * (2 + int(time.Since(began)/time.Minute))
	if many[409] > most || many[409]+many[429] != 1000 || sent[409] > most || sent[409]+sent[429] != 1000 {
		t.Errorf("1000 tries each are answered %v and %v", many, sent)
	}
}

// TestSessionsOneByOne: they say which browser it was, end one by one, and a member's
// end for good.
func TestSessionsOneByOne(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	k := w.newKey()
	anna.keepName(k)
	phone := w.nobody()
	a, cookie := phone.knock()
	phone.keep(phone.ask("POST", "/api/sign-in", k.answers(t, a), cookie, "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1").is(t, 200))
	w.wait(48 * time.Hour)
	phone.name()
	type session struct {
		Session, Browser, System string
		Used, Until              int64
		Here                     bool
	}
	var list struct{ Sessions []session }
	anna.ask("GET", "/api/me/sessions", "").is(t, 200).read(t, &list)
	var other session
	for _, s := range list.Sessions {
		if !s.Here {
			other = s
		}
	}
	today := dawn.Add(48 * time.Hour).Truncate(24 * time.Hour).UnixMilli()
	if len(list.Sessions) != 2 || other.Browser != "Safari" || other.System != "iPhone" || other.Used != today || other.Until != today+(30*24*time.Hour).Milliseconds() {
		t.Errorf("they are %+v", list)
	}
	ben := w.guest("Ben")
	ben.ask("DELETE", "/api/me/sessions/"+other.Session, "").is(t, 404)
	anna.ask("DELETE", "/api/me/sessions/"+other.Session, "").refuses(t, 409, "server.recent") // whoever finds a browser open ends no other
	anna.ask("DELETE", "/api/me/sessions", "").refuses(t, 409, "server.recent")
	if phone.name() != "Anna" {
		t.Error("it has ended all the same")
	}
	anna.signIn(k).is(t, 200)
	anna.ask("DELETE", "/api/me/sessions/"+other.Session, "").is(t, 204)
	if phone.name() != "" || anna.name() != "Anna" {
		t.Error("another session has ended")
	}
	for range 5 { // used all the while
		w.wait(20 * 24 * time.Hour)
		anna.name()
		ben.name()
	}
	if anna.name() != "" || ben.name() != "Ben" {
		t.Errorf("after a season Anna is %q and Ben %q", anna.name(), ben.name())
	}
	anna.signIn(k).is(t, 200)
	w.wait(time.Hour)
	anna.ask("DELETE", "/api/me/session", "").is(t, 204) // here one is always let go
	if anna.name() != "" {
		t.Error("she is still here")
	}
}

// TestASessionThatRestsEnds: a member's after a month without use, however often it is
// shown afterwards; a guest's does not, since it is all that a guest has.
func TestASessionThatRestsEnds(t *testing.T) {
	t.Parallel()
	for _, many := range []bool{false, true} { // as a node of several, passes are looked up together
		w := newSite(t)
		anna, ben := w.guest("Anna"), w.guest("Ben")
		k := w.newKey()
		anna.keepName(k)
		if many {
			w.serve.Several()
		}
		for range 8 { // used now and then, at once with another's
			w.wait(10 * 24 * time.Hour)
			for range 2 {
				ben.name()
				if anna.name() != "Anna" {
					t.Fatal("it has ended though it was used")
				}
			}
		}
		anna.signIn(k).is(t, 200)
		w.wait(31 * 24 * time.Hour)
		for range 2 {
			if anna.name() != "" {
				t.Error("it has not ended")
			}
			anna.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
			w.wait(time.Hour)
		}
		if ben.name() != "Ben" {
			t.Error("a guest is lost")
		}
		anna.signIn(k).is(t, 200)
		var list struct{ Sessions []any }
		if anna.ask("GET", "/api/me/sessions", "").is(t, 200).read(t, &list); len(list.Sessions) != 1 {
			t.Errorf("there are %d", len(list.Sessions))
		}
	}
}

// TestASessionOfAGuestEndsAsAMembersDoes: also one on another device, of before.
func TestASessionOfAGuestEndsAsAMembersDoes(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, tablet := w.guest("Anna"), w.nobody()
	var made struct{ Code string }
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	tablet.keep(tablet.ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).is(t, 200))
	w.wait(60 * 24 * time.Hour)
	anna.keepName(w.newKey())
	for range 4 { // used all the while
		w.wait(22 * 24 * time.Hour)
		if tablet.name() != "Anna" {
			t.Error("it has ended before its time")
		}
	}
	w.wait(3 * 24 * time.Hour)
	if tablet.name() != "" {
		t.Error("it goes on for ever")
	}
}

// TestMembersAreNotForgotten: a guest who stays away is, a member is not.
func TestMembersAreNotForgotten(t *testing.T) {
	t.Parallel()
	w := newSite(t, func(ho *hall.Options, _ *server.Options) { ho.Forget = 10 * 24 * time.Hour })
	anna, ben := w.guest("Anna"), w.guest("Ben")
	anna.keepName(w.newKey())
	for range 20 {
		w.wait(24 * time.Hour)
		w.hall.Sweep(t.Context())
	}
	if anna.name() != "Anna" || ben.name() != "" {
		t.Errorf("Anna is %q and Ben %q", anna.name(), ben.name())
	}
}

// TestProgramsAreNoMembers: a token opens none of it.
func TestProgramsAreNoMembers(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	k := w.newKey()
	code := anna.keepName(k).Codes[0]
	bot := anna.program("Pruner")
	for _, path := range []string{"GET /api/me/passkeys", "POST /api/me/passkey/begin", "POST /api/me/codes", "GET /api/me/sessions", "GET /api/me/download", "POST /api/sign-in/begin"} {
		method, path, _ := strings.Cut(path, " ")
		bot.ask(method, path, "").refuses(t, 403, "server.person")
	}
	bot.ask("POST", "/api/recover", fmt.Sprintf(`{"name":"Anna","code":%q}`, code)).refuses(t, 403, "server.person")
	a, cookie := w.nobody().knock()
	bot.ask("POST", "/api/sign-in", k.answers(t, a), cookie).refuses(t, 403, "server.person")
}

// TestWhereThereAreNoPasskeys: the page is told why.
func TestWhereThereAreNoPasskeys(t *testing.T) {
	t.Parallel()
	hosts := func(list ...string) setup {
		if len(list) > 0 {
			list = append(list, "127.0.0.1") // by which a test finds the document
		}
		return func(_ *hall.Options, so *server.Options) { so.Hosts, so.Proxies = list, server.Loopback() }
	}
	for _, c := range []struct {
		set    setup
		header []string
		want   string
	}{
		{hosts(), nil, "address"},
		{hosts(), []string{"Host: localhost:99"}, "offered"},
		{hosts(), []string{"Host: copse.example.org", "X-Forwarded-Proto: https"}, "host"},
		{hosts("copse.example.org", "192.0.2.1"), []string{"Host: copse.example.org"}, "plain"},
		{hosts("192.0.2.1", "copse.example.org"), []string{"Host: copse.example.org", "X-Forwarded-Proto: https"}, "offered"},
		{hosts("example.org", "copse.example.org"), []string{"Host: copse.example.org", "X-Forwarded-Proto: https"}, "offered"},
		{hosts("copse.example.org", "other.example"), []string{"Host: other.example", "X-Forwarded-Proto: https"}, "elsewhere"},
		{hosts("copse.example.org"), []string{"Host: copse.example.org:444", "X-Forwarded-Proto: https"}, "host"},
		{hosts("copse.example.org:444"), []string{"Host: copse.example.org:444", "X-Forwarded-Proto: https"}, "offered"},
		{hosts("192.0.2.1"), []string{"Host: 192.0.2.1"}, "address"},
	} {
		w := newWorld(t, c.set)
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.url+"/api/me", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range c.header {
			name, value, _ := strings.Cut(line, ": ")
			req.Header.Set(name, value)
			if name == "Host" {
				req.Host = value
			}
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var me struct{ Passkeys, Site string }
		if err := json.NewDecoder(res.Body).Decode(&me); err != nil || me.Passkeys != c.want || (me.Site == "copse.example.org") != (c.want == "elsewhere") {
			t.Errorf("%v is told %+v, not %s: %v", c.header, me, c.want, err)
		}
		_ = res.Body.Close()
	}
}

// TestAllThatIsMine: what I downloaded is whole, has my games and lines, verifies, and has
// nothing of others.
func TestAllThatIsMine(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	anna.program("Pruner")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	anna.ask("POST", "/api/tables/"+id+"/chat", `{"text":"I like trees"}`).is(t, 201)
	w.wait(2 * time.Second)
	ben.ask("POST", "/api/tables/"+id+"/chat", `{"text":"A secret of Ben"}`).is(t, 201)
	ben.ask("POST", "/api/tables/"+id+"/resign", "").is(t, 200)
	open := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(open)
	anna.keepName(w.newKey())
	r := anna.ask("GET", "/api/me/download", "").is(t, 200)
	var mine struct {
		Me struct {
			Name  string
			Codes int
		}
		Passkeys, Sessions, Programs []any
		Playing                      []string
		Games                        []struct {
			Table, Export string
			Said          []any
		}
		Whole bool
	}
	r.read(t, &mine)
	if !mine.Whole || mine.Me.Name != "Anna" || mine.Me.Codes != 8 || len(mine.Passkeys) != 1 || len(mine.Sessions) != 1 || len(mine.Programs) != 1 ||
		len(mine.Playing) != 1 || len(mine.Games) != 1 || mine.Games[0].Table != id || len(mine.Games[0].Said) != 1 {
		t.Errorf("it is %s", r.body)
	}
	verify(t, []byte(mine.Games[0].Export))
	for _, secret := range []string{"secret of Ben", anna.cookie, "Ben"} {
		if strings.Contains(string(r.body), secret) {
			t.Errorf("%q is in it", secret)
		}
	}
	for range 3 {
		anna.ask("GET", "/api/me/download", "").is(t, 200)
	}
	anna.ask("GET", "/api/me/download", "").refuses(t, 429, "server.often")
}

// TestDeletedWithAllPapers: nothing of a member stays, also in the middle of a ceremony.
func TestDeletedWithAllPapers(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna := w.guest("Anna")
	k := w.newKey()
	code := anna.keepName(k).Codes[0]
	c := w.nobody()
	a, cookie := c.knock()
	answer, more := k.answers(t, a), w.newKey().made(t, anna.begin())
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	c.ask("POST", "/api/sign-in", answer, cookie).refuses(t, 409, "server.passkey")
	c.ask("POST", "/api/recover", fmt.Sprintf(`{"name":"Anna","code":%q}`, code)).refuses(t, 409, "server.recovery")
	anna.ask("POST", "/api/me/passkeys", more).is(t, 401)
	for _, kind := range []string{"name", "passkey", "codes"} {
		if left, err := w.db.Papers(t.Context(), kind, "", "", 10); err != nil || len(left) != 0 {
			t.Errorf("there are %d papers of kind %s: %v", len(left), kind, err)
		}
	}
}

// TestACeremonyAtTwoNodes: it begins at one and ends at the other, and is spent at both.
func TestACeremonyAtTwoNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const host = "Host: localhost:7000" // where the proxy before them is
	one := w.url
	w.start() // another server on the same store; the first one goes on
	two := w.url
	at := func(url string) { w.url = url }
	k := w.newKey()
	k.at.Origin = "http://localhost:7000"
	at(one)
	anna := w.guest("Anna")
	var a challenge
	anna.ask("POST", "/api/me/passkey/begin", "", host).is(t, 201).read(t, &a)
	at(two)
	anna.ask("POST", "/api/me/passkeys", k.made(t, a), host).is(t, 201)
	c := w.nobody()
	r := c.ask("POST", "/api/sign-in/begin", "", host).is(t, 201)
	r.read(t, &a)
	cookie := "Cookie: copse-knock=" + (&http.Response{Header: r.header}).Cookies()[0].Value
	at(one)
	body := k.answers(t, a)
	c.ask("POST", "/api/sign-in", body, host, cookie).is(t, 200)
	at(two)
	c.ask("POST", "/api/sign-in", body, host, cookie).refuses(t, 409, "server.ticket")
}
