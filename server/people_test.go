package server_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
)

// TestAGuest: a guest plays at once, with a name that is cleaned.
func TestAGuest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var me struct {
		SignedIn bool
		Name     string
	}
	w.nobody().ask("GET", "/api/me", "").is(t, 200).read(t, &me)
	if me.SignedIn {
		t.Error("nobody is signed in")
	}
	r := w.nobody().ask("POST", "/api/me", `{"name":"  Anna\n\u202e of the  forest "}`).is(t, 201)
	cookie := r.header.Get("Set-Cookie")
	for _, want := range []string{"copse=", "Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=34560000"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie lacks %s: %s", want, cookie)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Errorf("without TLS the cookie is lost: %s", cookie)
	}
	anna := w.nobody()
	anna.keep(r)
	anna.ask("GET", "/api/me", "").read(t, &me)
	if me.Name != "Anna of the forest" || !me.SignedIn {
		t.Errorf("she is %+v", me)
	}
	id := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(id)
	l := w.nobody().listen("table=" + id)
	l.next("look")
	anna.ask("PATCH", "/api/me", `{"name":"Beech"}`).is(t, 200)
	if e := l.next("who"); !strings.Contains(string(e.data), "Beech") {
		t.Errorf("others are told %s", e.data)
	}
	w.wait(40 * 24 * time.Hour)
	if r := anna.ask("GET", "/api/me", "").is(t, 200); r.header.Get("Set-Cookie") == "" {
		t.Error("a session that is used is not made longer")
	}
	w.wait(401 * 24 * time.Hour)
	anna.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
}

// TestBehindAProxy: nobody else can set the cookie, and everyone counts for
// themselves.
func TestBehindAProxy(t *testing.T) {
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Proxies = server.Loopback()
		s.Limits = server.Limits{Guests: 2, Requests: -1}
	})
	r := w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-Proto: https", "X-Forwarded-For: 10.0.0.1, 203.0.113.1")
	cookie := r.header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "__Host-copse=") || !strings.Contains(cookie, "Secure") || strings.Contains(cookie, "Domain") {
		t.Errorf("the cookie is %s", cookie)
	}
	secret := strings.TrimPrefix(strings.Split(cookie, ";")[0], "__Host-copse=")
	var me struct{ SignedIn bool }
	w.nobody().ask("GET", "/api/me", "", "X-Forwarded-Proto: https", "Cookie: __Host-copse="+secret).read(t, &me)
	if !me.SignedIn {
		t.Error("the cookie is not taken")
	}
	w.nobody().ask("GET", "/api/me", "", "X-Forwarded-Proto: https", "Cookie: copse="+secret).read(t, &me)
	if me.SignedIn {
		t.Error("a cookie that another host may have set is taken")
	}
	w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 203.0.113.1").refuses(t, 429, "server.often")
	w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 203.0.113.1, 203.0.113.2").is(t, 201)
	w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 2001:db8::1").is(t, 201)
	w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 2001:db8::2").refuses(t, 429, "server.often")
}

// TestGoingOnElsewhere: a code is good once, and for ten minutes.
func TestGoingOnElsewhere(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(id)
	var made struct {
		Code  string
		Until int64
	}
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	phone := w.nobody()
	r := phone.ask("POST", "/api/continue", `{"code":"`+strings.ToLower(made.Code[:5])+" - "+made.Code[5:]+`"}`).is(t, 200)
	phone.keep(r)
	var sight struct{ You *int }
	phone.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &sight)
	if sight.You == nil || *sight.You != 0 {
		t.Errorf("on the phone she sits at %v", sight.You)
	}
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).refuses(t, 409, "server.code")
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	w.wait(11 * time.Minute)
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).refuses(t, 409, "server.code")
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	phone.ask("DELETE", "/api/me/sessions", "").is(t, 204)
	for _, c := range []*client{anna, phone} {
		c.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
	}
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).refuses(t, 409, "server.code")
	for range 12 { // nobody tries them all
		r = w.nobody().ask("POST", "/api/continue", `{"code":"2222222222"}`)
	}
	r.refuses(t, 429, "server.often")
	if r.header.Get("Retry-After") == "" {
		t.Error("nobody says when to try again")
	}
}

// TestSigningOut: here, it leaves other devices alone.
func TestSigningOut(t *testing.T) {
	w := newWorld(t)
	anna := w.guest("Anna")
	var made struct{ Code string }
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	phone := w.nobody()
	phone.keep(phone.ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).is(t, 200))
	anna.ask("DELETE", "/api/me/session", "").is(t, 204)
	anna.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
	phone.ask("GET", "/api/me/tables", "").is(t, 200)
}

// TestDeletingMe: the game stays, the name goes.
func TestDeletingMe(t *testing.T) {
	w := newWorld(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	robot := anna.program("Pruner")
	id := begun(`{"game":"bosk","seats":3}`, anna, ben, cleo)
	l := ben.listen("table=" + id)
	l.next("look")
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	anna.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.who")
	robot.ask("GET", "/api/me/tables", "").refuses(t, 401, "server.token")
	e, _ := l.entry()
	if e.Entry.Do != "resign" {
		t.Errorf("the others are told of %s", e.Entry.Do)
	}
	var s struct{ Who []*hall.Who }
	ben.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
	if s.Who[0] != nil || s.Who[1].Name != "Ben" {
		t.Errorf("there sit %+v", s.Who)
	}
}

// TestPrograms: they play in their own name, and everyone sees what they are.
func TestPrograms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	robot := anna.program("Pruner")
	var list struct {
		Programs []struct{ Program, Name, Token string }
	}
	anna.ask("GET", "/api/me/programs", "").is(t, 200).read(t, &list)
	if len(list.Programs) != 1 || list.Programs[0].Name != "Pruner" || list.Programs[0].Token != "" {
		t.Errorf("her programs are %+v", list)
	}
	id := begun(`{"game":"bosk","seats":2}`, anna, robot)
	var s struct{ Who []*hall.Who }
	w.nobody().ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &s)
	if s.Who[0].Program || !s.Who[1].Program || s.Who[1].Name != "Pruner" {
		t.Errorf("there sit %+v %+v", s.Who[0], s.Who[1])
	}
	w.guest("Ben").ask("DELETE", "/api/me/programs/"+list.Programs[0].Program, "").refuses(t, 404, "server.none")
	anna.ask("DELETE", "/api/me/programs/"+list.Programs[0].Program, "").is(t, 204)
	robot.ask("GET", "/api/me", "").refuses(t, 401, "server.token")
	for i := range 20 {
		anna.program(fmt.Sprint("P", i))
	}
	anna.ask("POST", "/api/me/programs", `{"name":"x"}`).refuses(t, 429, "server.programs")
}

// TestLimits: nobody takes everything.
func TestLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Limits = server.Limits{Requests: -1, Streams: 2, Tables: 2, Creates: 6, Guests: 4}
	})
	anna := w.guest("Anna")
	for range 2 {
		anna.sit(anna.table(`{"game":"bosk","seats":2}`))
	}
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`).refuses(t, 429, "server.tables")
	ben := w.guest("Ben")
	for range 3 {
		ben.table(`{"game":"bosk","seats":2}`)
	}
	ben.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`).refuses(t, 429, "server.often")
	w.nobody().ask("POST", "/api/me", `{"name":"Cleo"}`).refuses(t, 429, "server.often")
	one, _ := anna.listen("mine=true"), anna.listen("mine=true")
	anna.ask("GET", "/api/stream?mine=true", "").refuses(t, 429, "server.streams")
	one.close()
	for anna.reaches("/api/stream?mine=true") == 429 { // until the server has noticed
	}

	busy := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Limits = server.Limits{Requests: 2} })
	cleo := busy.guest("Cleo")
	statuses := map[int]int{}
	for range 30 {
		statuses[cleo.ask("GET", "/api/me", "").status]++
	}
	if statuses[200] == 0 || statuses[429] == 0 {
		t.Errorf("of 30 requests at once there were answered %v", statuses)
	}
}

// TestSittingDownTwiceAtTheLimit: the last table at which somebody may sit is not
// one too many when the same request comes again.
func TestSittingDownTwiceAtTheLimit(t *testing.T) {
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Limits.Tables = 2 })
	anna, ben := w.guest("Anna"), w.guest("Ben")
	one, two, three := ben.table(`{"game":"bosk","seats":2}`), ben.table(`{"game":"bosk","seats":2}`), ben.table(`{"game":"bosk","seats":2}`)
	sit := func(id, nonce string, header ...string) reply {
		return anna.ask("POST", "/api/tables/"+id+"/sit", `{"nonce":"`+nonce+`05060708090a0b0c0d0e0f"}`, header...)
	}
	anna.sit(one)
	first := sit(two, "0001020304", "Idempotency-Key: mine").is(t, 200)
	if again := sit(two, "0001020304", "Idempotency-Key: mine").is(t, 200); string(again.body) != string(first.body) {
		t.Errorf("it is answered %s and then %s", first.body, again.body)
	}
	sit(two, "0011223344", "Idempotency-Key: mine").refuses(t, 422, "server.key")
	sit(three, "0001020304", "Idempotency-Key: mine").refuses(t, 429, "server.tables")
	sit(three, "0001020304").refuses(t, 429, "server.tables")
}

// reaches is the status of a stream, which is closed at once.
func (c *client) reaches(path string, header ...string) int {
	c.Helper()
	req, err := c.request(c.Context(), "GET", path, "", header...)
	if err != nil {
		c.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// TestNoSecretIsLogged: the log has no cookie, token, code, name or line.
func TestNoSecretIsLogged(t *testing.T) {
	var log safe
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w := newWorld(t, func(h *hall.Options, s *server.Options) {
		h.Log, s.Log, s.Figures = logger, logger, server.NewFigures()
	})
	anna := w.guest("Annabella")
	robot := anna.program("Prunerella")
	id := begun(`{"game":"bosk","seats":2}`, anna, robot)
	var made struct{ Code string }
	anna.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).is(t, 200)
	anna.ask("POST", "/api/tables/"+id+"/chat", `{"text":"a whispered line"}`).is(t, 201)
	anna.ask("POST", "/api/tables/"+id+"/moves", `{"rubbish": "of mine"}`).is(t, 400)
	text := log.String()
	for _, secret := range []string{anna.cookie, robot.token, made.Code, "Annabella", "Prunerella", "whispered", "rubbish"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log has %q in it:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "do=play") {
		t.Errorf("the log says nothing:\n%s", text)
	}
	figures := string(w.nobody().ask("GET", "/metrics", "").is(t, 200).body)
	for _, want := range []string{`copse_answers_total{do="play",status="400"} 1`, "copse_streams 0", "go_goroutines"} {
		if !strings.Contains(figures, want) {
			t.Errorf("the figures lack %s", want)
		}
	}
	w.nobody().ask("GET", "/metrics", "", "X-Forwarded-For: 203.0.113.1").is(t, 403)
}

// safe is a text that several may write.
type safe struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *safe) Write(raw []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(raw)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestMyTables: first those where it is my turn, and what changes is told.
func TestMyTables(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	one := begun(`{"game":"bosk","seats":2}`, people...)
	two := begun(`{"game":"grandbois","seats":2}`, people...)
	l := people[1].listen("mine=true")
	type mine struct {
		Table    string
		You      int
		YourTurn bool
		Phase    string
		Number   int
	}
	for range 2 {
		l.next("mine")
	}
	for seat := people[0].toAct(one); people[0].toAct(one) == seat; { // until the turn passes
		m := people[seat].moves(one)
		people[seat].ask("POST", "/api/tables/"+one+"/moves", draft(m.After, m.Moves[0])).is(t, 200)
	}
	turn := people[0].toAct(one)
	var told mine
	for told.Table != one || told.YourTurn != (turn == 1) {
		if err := json.Unmarshal(l.next("mine").data, &told); err != nil {
			t.Fatal(err)
		}
	}
	if told.You != 1 || told.Phase != "play" {
		t.Errorf("Ben is told %+v", told)
	}
	var list struct{ Tables []mine }
	people[turn].ask("GET", "/api/me/tables", "").is(t, 200).read(t, &list)
	if len(list.Tables) != 2 || !list.Tables[0].YourTurn {
		t.Errorf("the list is %+v", list)
	}
	people[0].ask("POST", "/api/tables/"+two+"/resign", "").is(t, 200)
	people[0].ask("GET", "/api/me/played", "").is(t, 200).read(t, &list)
	if len(list.Tables) != 1 || list.Tables[0].Table != two || list.Tables[0].Phase != "over" {
		t.Errorf("played were %+v", list)
	}
	var next struct{ Table string }
	l = people[1].listen("table=" + two)
	l.next("look")
	people[0].ask("POST", "/api/tables/"+two+"/rematch", "").is(t, 200).read(t, &next)
	if e := l.next("next"); !strings.Contains(string(e.data), next.Table) {
		t.Errorf("Ben is told %s", e.data)
	}
}
