package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"copse/peace"
	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// desk is where who may use the machine keeps the peace of a world.
func (w *world) desk() *server.Desk {
	return server.NewDesk(w.hall, []byte("the key of a server in a test"))
}

// does carries out what is ordered on the machine.
func (w *world) does(what string, c *client, why string, long time.Duration) server.DeskAct {
	w.Helper()
	act, err := w.desk().Do(w.Context(), peace.Order{Do: what, Account: w.idOf(c), Why: why}, long)
	if err != nil {
		w.Fatal(err)
	}
	return act
}

// anOperator is a member who is one.
func (w *world) anOperator(name string) (*client, *key) {
	w.Helper()
	op, k := w.guest(name), w.newKey()
	op.keepName(k)
	w.does(peace.MakeOperator, op, "to help", 0)
	return op, k
}

func (c *client) meNow() (me struct {
	SignedIn bool
	Name     string
	Banned   *struct {
		Why   string
		Until int64
	}
	Muted    *struct{ Why string }
	Operator bool
}) {
	c.Helper()
	c.ask("GET", "/api/me", "").is(c, 200).read(c, &me)
	return me
}

// keyOf is the key of a refusal.
func (r reply) key(t testing.TB) string {
	t.Helper()
	var p struct{ Key string }
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatal(err)
	}
	return p.Key
}

// operators asks for everything that operators may.
func (w *world) operators() {
	w.Helper()
	defer func(url string) { w.url = url }(w.url)
	w.url = strings.Replace(w.url, "127.0.0.1", "localhost", 1)
	op, _ := w.anOperator("Olga")
	vera, theo := w.guest("Vera"), w.guest("Theo")
	id := begun(`{"game":"bosk","seats":2}`, vera, theo)
	theo.ask("POST", "/api/tables/"+id+"/chat", `{"text":"you are all fools"}`).is(w, 201)
	vera.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"line":0,"why":"words","text":"he is rude"}`, id)).is(w, 204)
	var list struct{ Reports []server.DeskReport }
	op.ask("GET", "/api/operator/reports?all=true", "").is(w, 200).read(w, &list)
	at := fmt.Sprint("/api/operator/reports/", list.Reports[0].Number)
	op.ask("GET", at, "").is(w, 200)
	op.ask("GET", "/api/operator/people?name=the", "").is(w, 200)
	person := "/api/operator/people/" + list.Reports[0].Whom.Person
	op.ask("POST", person+"/acts", `{"do":"mute","why":"rude","days":7,"report":1}`).is(w, 201)
	op.ask("GET", person, "").is(w, 200)
	op.ask("GET", "/api/operator/acts", "").is(w, 200)
	op.ask("POST", at+"/close", `{"note":"muted for a week"}`).is(w, 204)
	op.ask("GET", "/api/me", "").is(w, 200)
	theo.ask("GET", "/api/me/download", "").is(w, 200)
	vera.ask("GET", "/api/me/download", "").is(w, 200)
}

// TestAReportArrives: with the words as they were, and nobody else sees any of it.
func TestAReportArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	ben.ask("POST", "/api/tables/"+id+"/chat", `{"text":"you fool"}`).is(t, 201)
	seen := func() string {
		all := ""
		for _, c := range []*client{anna, ben, cleo} {
			for _, path := range []string{"/api/me", "/api/tables/" + id, "/api/tables/" + id + "/chat", "/api/me/tables"} {
				all += string(c.ask("GET", path, "").is(t, 200).body)
			}
		}
		return all
	}
	before := seen()
	line := fmt.Sprintf(`{"table":%q,"line":0,"why":"words","text":"rude"}`, id)
	anna.ask("POST", "/api/reports", line).is(t, 204)
	anna.ask("POST", "/api/reports", line).is(t, 204) // twice is once
	cleo.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"seat":1,"why":"name"}`, id)).is(t, 204)
	if after := seen(); after != before {
		t.Errorf("a report changes what people see:\n%s\n%s", before, after)
	}
	ben.ask("PATCH", "/api/me", `{"name":"Innocent"}`).is(t, 200)
	list, err := w.desk().Reports(t.Context(), false, 0, 10)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	first, err := w.desk().Report(t.Context(), list[0].Number)
	if err != nil || first.Said != "you fool" || first.Name != "Ben" || first.Whom.Name != "Innocent" || first.By.Name != "Anna" || first.Text != "rude" || len(first.Around) != 1 {
		t.Errorf("%+v, %v", first, err)
	}
	for body, want := range map[string]string{
		`{"table":"` + id + `","seat":0,"why":"other"}`:                                           "server.report.self",
		`{"table":"` + id + `","line":7,"why":"other"}`:                                           "server.none",
		`{"table":"` + id + `","seat":1,"line":0,"why":"other"}`:                                  "server.whom",
		`{"name":"Ben","why":"other"}`:                                                            "server.none", // a guest's name is nobody's
		`{"why":"other"}`:                                                                         "server.whom",
		`{"table":"` + id + `","seat":1,"why":"because"}`:                                         "server.report",
		`{"table":"` + id + `","seat":1,"why":"other","text":"` + strings.Repeat("é", 501) + `"}`: "server.report",
	} {
		if got := anna.ask("POST", "/api/reports", body).key(t); got != want {
			t.Errorf("%s is refused by %s, not %s", body, got, want)
		}
	}
	private := begun(`{"game":"bosk","seats":2,"visible":"private"}`, anna, ben)
	ben.ask("POST", "/api/tables/"+private+"/chat", `{"text":"secret"}`).is(t, 201)
	cleo.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"line":0,"why":"words"}`, private)).is(t, 404)
	cleo.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"seat":1,"why":"words"}`, private)).is(t, 404)
}

func TestTenReportsADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	for n := range 11 {
		ben.ask("PATCH", "/api/me", fmt.Sprintf(`{"name":"Ben %d"}`, n)).is(t, 200)
		report := fmt.Sprintf(`{"table":%q,"seat":1,"why":"name"}`, id)
		if r, want := anna.ask("POST", "/api/reports", report), map[bool]int{true: 204, false: 429}[n < 10]; r.status != want {
			t.Errorf("report %d is answered %d", n, r.status)
		}
		if n == 5 { // what was reported before costs nothing
			anna.ask("POST", "/api/reports", report).is(t, 204)
		}
	}
	ben.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"seat":0,"why":"name"}`, id)).is(t, 204) // others are counted by themselves
}

func TestWhoIsMutedSaysSetPhrases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	robot := ben.program("Robot")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	chat := "/api/tables/" + id + "/chat"
	w.does(peace.Mute, ben, "rude", time.Hour)
	w.does(peace.Mute, ben, "rude again", 2*time.Hour) // twice: the last counts
	r := ben.ask("POST", chat, `{"text":"hello"}`)
	if r.status != 409 || r.key(t) != "server.muted" || !strings.Contains(string(r.body), dawn.Add(2*time.Hour).Format("2006-01-02 15:04 UTC")) || !strings.Contains(string(r.body), "rude again") {
		t.Errorf("%d %s", r.status, r.body)
	}
	ben.ask("POST", chat, `{"phrase":"hello"}`).is(t, 201)
	if got := ben.ask("PATCH", "/api/me", `{"name":"Benno"}`).key(t); got != "server.muted" {
		t.Errorf("another name: %s", got)
	}
	if got := ben.ask("POST", "/api/me/programs", `{"name":"Benno"}`).key(t); got != "server.muted" {
		t.Errorf("a program: %s", got)
	}
	mine := robot.table(`{"game":"bosk","seats":2}`)
	robot.sit(mine)
	if got := robot.ask("POST", "/api/tables/"+mine+"/chat", `{"text":"hello"}`).key(t); got != "server.muted" {
		t.Errorf("a program of theirs: %s", got)
	}
	if me := ben.meNow(); me.Muted == nil || me.Muted.Why != "rude again" || me.Banned != nil {
		t.Errorf("%+v", me)
	}
	anna.ask("POST", chat, `{"text":"hello"}`).is(t, 201)
	w.wait(2 * time.Hour)
	ben.ask("POST", chat, `{"text":"hello"}`).is(t, 201) // it has ended by itself
	w.does(peace.Mute, ben, "once more", 0)
	ben.ask("POST", chat, `{"text":"hello"}`).is(t, 409)
	w.does(peace.Unmute, ben, "", 0)
	ben.ask("POST", chat, `{"text":"hello"}`).is(t, 201)
}

// TestABanInMidGame: the stream ends, a stand-in plays, and all that is left is to
// read why, to take along what is theirs, and to go.
func TestABanInMidGame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Beat = time.Hour })
	anna, ben := w.guest("Anna"), w.guest("Ben")
	robot := ben.program("Robot")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	lobby := ben.table(`{"game":"bosk","seats":3}`)
	ben.sit(lobby)
	other := anna.table(`{"game":"bosk","seats":3}`)
	robot.sit(other)
	hears, robotHears := ben.listen("table="+id), robot.listen("mine=true")
	hears.next("look")
	robotHears.next("beat")
	w.does(peace.Ban, ben, "cheats", 24*time.Hour)
	<-hears.ended
	<-robotHears.ended
	if !strings.Contains(string(anna.ask("GET", "/api/tables/"+id, "").is(t, 200).body), `"held":"away"`) {
		t.Error("nobody plays for who was banned")
	}
	for _, empty := range []string{lobby, other} {
		if body := string(anna.ask("GET", "/api/tables/"+empty, "").is(t, 200).body); strings.Contains(body, `"held":"person"`) {
			t.Errorf("they still sit where no game has begun: %.400s", body)
		}
	}
	r := ben.ask("POST", "/api/tables/"+id+"/return", "")
	if r.status != 403 || r.key(t) != "server.banned" || !strings.Contains(string(r.body), "cheats") {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, a := range [][3]string{
		{"GET", "/api/tables", ""}, {"POST", "/api/tables", `{"game":"bosk","seats":2}`}, {"PATCH", "/api/me", `{"name":"Benno"}`},
		{"POST", "/api/play", `{"game":"bosk","seats":2}`}, {"POST", "/api/me/code", ""}, {"GET", "/api/stream?mine=true", ""},
	} {
		if r := ben.ask(a[0], a[1], a[2]); r.status != 403 {
			t.Errorf("%s %s is answered %d", a[0], a[1], r.status)
		}
	}
	if r := robot.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`); r.status != 403 {
		t.Errorf("a program of theirs sets a table: %d", r.status)
	}
	if me := ben.meNow(); me.Banned == nil || me.Banned.Why != "cheats" || me.Banned.Until != dawn.Add(24*time.Hour).UnixMilli() || me.Name != "Ben" {
		t.Errorf("%+v", me)
	}
	if raw := ben.ask("GET", "/api/me/download", "").is(t, 200).body; !strings.Contains(string(raw), `"do":"ban","why":"cheats"`) || !strings.Contains(string(raw), `"whole":true`) {
		t.Errorf("%.600s", raw)
	}
	w.wait(time.Minute)
	w.hall.Tend(t.Context()) // by now every node knows: it is done
	marks, err := w.hall.Peace().Marks(t.Context(), w.idOf(ben))
	if err != nil || !marks.Banned.Done {
		t.Errorf("%+v, %v", marks.Banned, err)
	}
	w.wait(24 * time.Hour)
	ben.ask("POST", "/api/tables/"+id+"/return", "").is(t, 200) // it is over
	w.does(peace.Ban, ben, "again", 0)
	ben.ask("DELETE", "/api/me", "").is(t, 204)
	if err := w.desk().Hall.Peace().Carried(t.Context(), "nobody", 1); err != nil {
		t.Error(err)
	}
}

func TestBannedWhileTheyWaitInPlayNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	anna.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(t, 200)
	w.does(peace.Ban, anna, "x", 0)
	var got struct{ State string }
	ben.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(t, 200).read(t, &got)
	if got.State != hall.Waits {
		t.Errorf("who is banned is found in Play now: %s", got.State)
	}
	w.does(peace.Unban, anna, "", 0)
	anna.ask("GET", "/api/play", "").is(t, 200).read(t, &got)
	if got.State == hall.Waits {
		t.Error("they still wait")
	}
}

// TestANameIsTakenAway: its owner gets another, and nobody may have it any more.
func TestANameIsTakenAway(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, ben := w.guest("Idiot"), w.guest("Ben")
	anna.keepName(w.newKey())
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	hears := ben.listen("table=" + id)
	hears.next("look")
	w.does(peace.Rename, anna, "an insult", 0)
	name := anna.meNow().Name
	if !strings.HasPrefix(name, "Guest ") || len(name) != len("Guest 1234") {
		t.Errorf("they are called %q", name)
	}
	if !strings.Contains(string(hears.next("who").data), name) {
		t.Error("the table is not told")
	}
	for _, again := range []string{"Idiot", "IDIOT", "ldiot", "Іdiot"} {
		if got := w.nobody().ask("POST", "/api/me", `{"name":`+quote(again)+`}`).key(t); got != "server.name.barred" {
			t.Errorf("%s: %s", again, got)
		}
		if got := ben.ask("PATCH", "/api/me", `{"name":`+quote(again)+`}`).key(t); got != "server.name.barred" {
			t.Errorf("%s: %s", again, got)
		}
	}
	anna.ask("PATCH", "/api/me", `{"name":"Idiot"}`).is(t, 409)
	if got := w.nobody().ask("POST", "/api/me", `{"name":`+quote(name)+`}`).key(t); got != "server.name.held" {
		t.Errorf("the name of a member who got a neutral one: %s", got)
	}
	anna.ask("PATCH", "/api/me", `{"name":"Anna"}`).is(t, 200)
}

// TestABanHoldsAtEveryNode: within seconds, whoever hears of it or not, and the streams
// there end.
func TestABanHoldsAtEveryNode(t *testing.T) {
	t.Parallel()
	nodes, nats := newNodes(t, 2, func(_ *hall.Options, s *server.Options) { s.Beat = time.Hour })
	for _, deaf := range []bool{false, true} {
		if deaf {
			nats.Shutdown()
		}
		anna := nodes[0].guest(fmt.Sprint("Anna ", deaf))
		there := anna.at(nodes[1])
		there.ask("GET", "/api/tables", "").is(t, 200)
		hears := there.listen("mine=true")
		hears.next("beat")
		nodes[0].does(peace.Ban, anna, "x", 0)
		anna.ask("GET", "/api/tables", "").is(t, 403) // here at once
		eventually(t, "banned", func() bool { return there.ask("GET", "/api/tables", "").status == 403 })
		<-hears.ended
		nodes[1].does(peace.Unban, there, "", 0)
		eventually(t, "unbanned", func() bool { return anna.ask("GET", "/api/tables", "").status == 200 })
		nodes[0].does(peace.Rename, anna, "x", 0)
		eventually(t, "renamed", func() bool { return strings.HasPrefix(there.meNow().Name, "Guest ") })
	}
}

// behind is a world whose clients come by a proxy.
func behindProxy(t testing.TB, change ...setup) *world {
	return newSite(t, append(change, func(_ *hall.Options, s *server.Options) {
		s.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})...)
}

// TestANetworkIsBanned: newcomers from there are told so, members come in, and the
// network is nowhere but as a hash.
func TestANetworkIsBanned(t *testing.T) {
	t.Parallel()
	w := behindProxy(t)
	from := func(address string) string { return "X-Forwarded-For: " + address }
	become := func(name, address string) (*client, reply) {
		c := w.nobody()
		r := c.ask("POST", "/api/me", `{"name":`+quote(name)+`}`, from(address))
		c.keep(r)
		return c, r
	}
	troll, r := become("Troll", "203.0.113.7")
	r.is(t, 201)
	member, r := become("Mia", "203.0.113.7")
	r.is(t, 201)
	k := w.newKey()
	member.keepName(k)
	guest, r := become("Gus", "203.0.113.7")
	r.is(t, 201)
	var code struct{ Code string }
	guest.ask("POST", "/api/me/code", "", from("203.0.113.7")).is(t, 201).read(t, &code)
	sheet, err := w.desk().Sheet(t.Context(), w.idOf(troll))
	if err != nil || sheet.Networks != 1 || sheet.Near != 2 {
		t.Errorf("%+v, %v", sheet, err)
	}
	act := w.does(peace.BanNetwork, troll, "comes again and again", 365*24*time.Hour)
	if act.Until == nil || int64(*act.Until) > dawn.Add(30*24*time.Hour).UnixMilli() {
		t.Errorf("%+v", act)
	}
	_, r = become("Troll 2", "203.0.113.7")
	if r.status != 403 || r.key(t) != "server.network" || !strings.Contains(string(r.body), "write to whoever runs this server") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := w.nobody().ask("POST", "/api/continue", `{"code":"`+code.Code+`"}`, from("203.0.113.7")); r.status != 403 {
		t.Errorf("a guest comes by a code: %d %s", r.status, r.body)
	}
	_, r = become("Neighbour", "203.0.113.8")
	r.is(t, 201)
	w.nobody().ask("POST", "/api/continue", `{"code":"`+code.Code+`"}`, from("203.0.113.8")).is(t, 200) // it was not used up
	troll.ask("GET", "/api/tables", "", from("203.0.113.7")).is(t, 200)                                 // who is here stays, unless banned by account
	a, cookie := w.nobody().knock()
	w.nobody().ask("POST", "/api/sign-in", k.answers(t, a), cookie, from("203.0.113.7")).is(t, 200)

	raw := everyPaper(t, w)
	if strings.Contains(raw, "203.0.113") {
		t.Error("an address is kept")
	}
	if !strings.Contains(raw, "network ban") {
		t.Fatalf("no ban is kept:\n%s", raw)
	}
	w.wait(30 * 24 * time.Hour)
	w.hall.Sweep(t.Context())
	if raw := everyPaper(t, w); strings.Contains(raw, "network") {
		t.Errorf("after thirty days there is still:\n%s", raw)
	}
	_, r = become("Later", "203.0.113.7")
	r.is(t, 201)
}

// everyPaper is every paper about networks.
func everyPaper(t testing.TB, w *world) string {
	t.Helper()
	all := ""
	for _, kind := range []string{"network", "network ban", "act", "marks", "known", "alias"} {
		papers, err := w.db.Papers(context.Background(), kind, "", "", store.MostListed)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range papers {
			all += p.Kind + " " + p.Key + " " + string(p.Body) + "\n"
			if kind == "act" {
				all = strings.ReplaceAll(all, `"ban network"`, `"…"`)
			}
		}
	}
	return all
}

// TestTwoHousesHashNetworksDifferently: nobody can compare what two of them keep.
func TestTwoHousesHashNetworksDifferently(t *testing.T) {
	t.Parallel()
	hashes := map[string]bool{}
	for _, key := range []string{"the key of one house", "the key of another"} {
		w := behindProxy(t, func(h *hall.Options, s *server.Options) { h.Key, s.Key = []byte(key), []byte(key) })
		for range 2 {
			w.nobody().ask("POST", "/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 203.0.113.7").is(t, 201)
		}
		papers, err := w.db.Papers(t.Context(), "network", "", "", 10)
		if err != nil || len(papers) != 2 {
			t.Fatal(len(papers), err)
		}
		for _, p := range papers {
			hash, _, _ := strings.Cut(p.Key, " ")
			hashes[hash] = true
		}
	}
	if len(hashes) != 2 {
		t.Errorf("one network in two houses, twice in each, has %d hashes", len(hashes))
	}
}

// TestOnlyOperatorsFindTheDesk: everybody else is told that there is nothing; operators
// who have not signed in for a while are asked to; and operators leave each other alone.
func TestOnlyOperatorsFindTheDesk(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	op, k := w.anOperator("Olga")
	other, _ := w.anOperator("Otto")
	anna := w.guest("Anna")
	member := w.guest("Mia")
	member.keepName(w.newKey())
	person := func(c *client) string {
		sheet, err := w.desk().Sheet(t.Context(), w.idOf(c))
		if err != nil {
			t.Fatal(err)
		}
		return "/api/operator/people/" + sheet.Person
	}
	mute := `{"do":"mute","why":"x"}`
	for _, c := range []*client{anna, member} {
		c.ask("GET", "/api/operator/reports", "").is(t, 404)
		c.ask("POST", person(anna)+"/acts", mute).is(t, 404)
		if c.meNow().Operator {
			t.Error("who is none is told to be an operator")
		}
	}
	if !op.meNow().Operator {
		t.Error("an operator is not told so")
	}
	op.ask("POST", person(anna)+"/acts", mute).is(t, 201)
	if got := op.ask("POST", person(other)+"/acts", mute).key(t); got != "server.act.operator" {
		t.Errorf("operators mute each other: %s", got)
	}
	op.ask("POST", "/api/operator/people/rubbish/acts", mute).is(t, 404)
	op.ask("POST", person(anna)+"/acts", `{"do":"operator","why":"x"}`).is(t, 400)
	op.ask("POST", person(anna)+"/acts", `{"do":"mute","why":""}`).is(t, 400)
	if got := op.ask("POST", person(anna)+"/acts", `{"do":"unban","why":"x"}`).key(t); got != "server.act.nothing" {
		t.Errorf("nothing is taken back: %s", got)
	}
	var acts struct{ Acts []server.DeskAct }
	op.ask("GET", "/api/operator/acts", "").is(t, 200).read(t, &acts)
	if a := acts.Acts[0]; a.By != "Olga" || a.Whom != "Anna" || a.Do != peace.Mute || len(acts.Acts) != 3 {
		t.Errorf("%+v", acts)
	}
	w.wait(15 * time.Minute)
	if got := op.ask("GET", "/api/operator/reports", "").key(t); got != "server.recent" {
		t.Errorf("long after the sign-in: %s", got)
	}
	op.signIn(k).is(t, 200)
	op.ask("GET", "/api/operator/reports", "").is(t, 200)
	w.does(peace.Ban, op, "even so", 0) // a ban of an operator
	op.ask("GET", "/api/operator/reports", "").is(t, 403)
	w.does(peace.Unban, op, "", 0)
	op.ask("GET", "/api/operator/reports", "").is(t, 200)
	w.does(peace.UnmakeOperator, op, "", 0)
	op.ask("GET", "/api/operator/reports", "").is(t, 404)
	if body := string(anna.ask("GET", "/api/me", "").body) + string(op.ask("GET", "/api/operator/acts", "").body); strings.Contains(body, w.idOf(anna)) {
		t.Error("the name of an account goes out")
	}
}

// TestWordsThatAreNotWelcome: in names and in chat, however they are written, and never
// as a part of others.
func TestWordsThatAreNotWelcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Words = server.UsualWords() })
	for _, bad := range []string{"Fuck", "fuсk you", "FUCK-Off", "sh1t", "f u c k", "f.u.c.k", "Enculé", "ENCULE", "stronzo!", "v\u200baffanculo", "Dj Puttana"} {
		if r := w.nobody().ask("POST", "/api/me", `{"name":`+quote(bad)+`}`); r.status != 409 || r.key(t) != "server.word" {
			t.Errorf("%q is answered %d", bad, r.status)
		}
	}
	for _, good := range []string{
		"Scunthorpe", "Dick", "Cockburn", "Fanny", "Assunta", "Sussex", "Essex", "Penistone", "Kuntz", "Shitake Fan", "Matsushita", "Hancock", "Analise", "Titus",
		"Regina", "Negroni", "Montenegro", "Troiano", "Putnam", "Reputation", "Fagiolo", "Cazzola", "Pede", "Wang", "Weiner", "Gaylord", "Connor", "Conrad", "Culotte",
		"a b c", "J R R Tolkien", "Anna", "Łukasz", "Søren", "Zoë", "日本語", "Мария", "Ελένη", "Finocchio",
	} {
		if len([]rune(good)) > 24 {
			t.Fatal(good)
		}
		w.nobody().ask("POST", "/api/me", `{"name":`+quote(good)+`}`).is(t, 201)
	}
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	if got := anna.ask("POST", "/api/tables/"+id+"/chat", `{"text":"what the fuck"}`).key(t); got != "server.word" {
		t.Error(got)
	}
	if got := anna.ask("PATCH", "/api/me", `{"name":"Fucker"}`).key(t); got != "server.word" {
		t.Error(got)
	}
	if got := anna.ask("POST", "/api/me/programs", `{"name":"Fucker"}`).key(t); got != "server.word" {
		t.Error(got)
	}
	anna.ask("POST", "/api/tables/"+id+"/chat", `{"text":"Scunthorpe, classic assassin"}`).is(t, 201)
}

// TestOurOwnWordsAreWelcome: whatever Copse itself says, in three languages, with the
// words of the games and the rules of play.
func TestOurOwnWordsAreWelcome(t *testing.T) {
	t.Parallel()
	list := server.UsualWords()
	if len(list) < 50 {
		t.Fatalf("%d words", len(list))
	}
	for _, file := range []string{
		"../i18n/en.json", "../i18n/fr.json", "../i18n/it.json", "../docs/api.md", "../docs/host.md",
		"../games/bosk/rules.fr.md", "../games/grandbois/rules.it.md", "../games/treesociety/rules.en.md", "../games/treesociety/rules.it.md", "../games/treesociety/rules.fr.md",
	} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			if server.Unwelcome(list, line) {
				t.Errorf("%s: %s", file, line)
			}
		}
	}
	if len(server.ReadWords("\n# nothing\n")) != 0 || server.Unwelcome(server.ReadWords(""), "fuck") {
		t.Error("an empty list refuses something")
	}
	if own := server.ReadWords("Gurke # a vegetable\n"); !server.Unwelcome(own, "du GURKE!") || server.Unwelcome(own, "vegetable") || server.Unwelcome(own, "Gurkensalat") {
		t.Error("a list of one's own is not read")
	}
}

func TestAHouseWithoutChat(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string][2]int{server.ChatOn: {201, 201}, server.ChatPhrases: {409, 201}, server.ChatOff: {409, 409}} {
		w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Chat = mode })
		anna, ben := w.guest("Anna"), w.guest("Ben")
		id := begun(`{"game":"bosk","seats":2}`, anna, ben)
		var games struct{ Chat string }
		w.nobody().ask("GET", "/api/games", "").is(t, 200).read(t, &games)
		if games.Chat != mode {
			t.Errorf("%s is told as %s", mode, games.Chat)
		}
		for i, body := range []string{`{"text":"hello"}`, `{"phrase":"hello"}`} {
			r := anna.ask("POST", "/api/tables/"+id+"/chat", body)
			if r.status != want[i] || r.status == 409 && r.key(t) != "server.chat" {
				t.Errorf("%s: %s is answered %d %s", mode, body, r.status, r.body)
			}
		}
		ben.ask("GET", "/api/tables/"+id+"/chat", "").is(t, 200)
	}
}

// TestReportsOfWhoIsGone: what was done stays written down, without a name.
func TestReportsOfWhoIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	ben.ask("POST", "/api/tables/"+id+"/chat", `{"text":"you fool"}`).is(t, 201)
	anna.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"line":0,"why":"words","text":"he is rude"}`, id)).is(t, 204)
	w.does(peace.Mute, ben, "rude", 0)
	for i, c := range []*client{ben, anna} {
		c.ask("DELETE", "/api/me", "").is(t, 204)
		r, err := w.desk().Report(t.Context(), 1)
		if err != nil || r.Whom != nil || r.Said != "" || r.Name != "" || len(r.Around) > 0 || (r.By == nil) != (i == 1) || (r.Text == "") != (i == 1) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	acts, err := w.desk().Acts(t.Context(), 0, 10)
	if err != nil || len(acts) != 1 || acts[0].Whom != "" || acts[0].Do != peace.Mute {
		t.Errorf("%+v, %v", acts, err)
	}
	if err := w.desk().Close(t.Context(), 1, "", "gone"); err != nil {
		t.Error(err)
	}
}

// TestFindingPeople: by how a name begins, or looks as if it did; members who were not
// here for long too; and one of several guests by a handle alone.
func TestFindingPeople(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	mia := w.guest("Mia")
	mia.keepName(w.newKey())
	w.guest("Mirjam")
	first := w.guest("Milo")
	w.guest("Milo")
	w.guest("Zoe")
	if err := w.db.Saw(t.Context(), w.idOf(mia), time.Time{}); err != nil { // nobody misses a member
		t.Fatal(err)
	}
	list, more, err := w.desk().People(t.Context(), "mI")
	if err != nil || more || len(list) != 4 || list[0].Name != "Mia" || list[0].Member == nil || list[1].Name != "Milo" {
		t.Errorf("%+v, %v, %v", list, more, err)
	}
	looked := 0
	some, more, err := w.hall.FindPeople(t.Context(), func(string) bool { looked++; return true }, 2)
	if err != nil || len(some) != 2 || !more || looked > 3 {
		t.Errorf("of many %d are found, more: %v, after %d looks, %v", len(some), more, looked, err)
	}
	if _, err := w.desk().Find(t.Context(), "Milo"); err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("one of two: %v", err)
	}
	if got, err := w.desk().Find(t.Context(), "mIА"); err != nil || got != w.idOf(mia) { // with a Cyrillic А
		t.Errorf("%q, %v", got, err)
	}
	sheet, err := w.desk().Sheet(t.Context(), w.idOf(first))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.desk().Find(t.Context(), "@"+sheet.Person); err != nil || got != w.idOf(first) || strings.Contains(sheet.Person, got) {
		t.Errorf("%q, %v", got, err)
	}
	for _, none := range []string{"@" + sheet.Person[1:], "@rubbish", "Nobody", "@"} {
		if got, err := w.desk().Find(t.Context(), none); err == nil {
			t.Errorf("%s is %q", none, got)
		}
	}
}

// TestBannedBetweenTwoGames: who is banned when the first of both sides is over plays
// the second no more.
func TestBannedBetweenTwoGames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2,"sides":true}`, anna, ben)
	rng := seeded(4)
	for anna.toAct(id) >= 0 {
		w.turn(rng, id, anna, ben)
	}
	w.does(peace.Ban, ben, "x", 0)
	w.wait(time.Minute)
	if err := w.hall.KeepPeace(t.Context()); err != nil { // which is done with them
		t.Fatal(err)
	}
	w.hall.Tend(t.Context())
	var told struct {
		Sides struct{ Games []struct{ Table string } }
	}
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &told)
	if len(told.Sides.Games) != 2 || told.Sides.Games[1].Table == "" {
		t.Fatalf("%+v", told)
	}
	look := string(anna.ask("GET", "/api/tables/"+told.Sides.Games[1].Table, "").is(t, 200).body)
	if strings.Count(look, `"held":"person"`) != 1 || !strings.Contains(look, `"held":"away"`) {
		t.Errorf("they play the next game: %.600s", look)
	}
}

// TestABarredNameIsNotKept: a guest who had the same name keeps it as a guest alone.
func TestABarredNameIsNotKept(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	anna, other := w.guest("Idiot"), w.guest("idiot")
	w.does(peace.Rename, anna, "x", 0)
	if got := other.ask("POST", "/api/me/passkey/begin", "").key(t); got != "server.name.barred" {
		t.Error(got)
	}
	other.ask("PATCH", "/api/me", `{"name":"Otto"}`).is(t, 200)
	other.ask("POST", "/api/me/passkey/begin", "").is(t, 201)
}

// TestWordsInABoxOfOnesOwn: its names are read by everybody at the table.
func TestWordsInABoxOfOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Words = server.UsualWords() })
	anna := w.guest("Anna")
	box := func(name string) string {
		return `{"game":"bosk","seats":2,"options":{"box":{"about":"mine","terrains":{"G":` + quote(name) + `}}}}`
	}
	if got := anna.ask("POST", "/api/tables", box("the shit")).key(t); got != "server.word" {
		t.Error(got)
	}
	good := anna.ask("POST", "/api/tables", box("heath"))
	if good.status != 201 {
		t.Errorf("%d %s", good.status, good.body)
	}
	w.does(peace.Mute, anna, "x", 0)
	if got := anna.ask("POST", "/api/tables", box("heath")).key(t); got != "server.muted" {
		t.Error(got)
	}
	anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`).is(t, 201)
}

// TestAnOperatorSignsSomebodyOut: every browser and every code of theirs is good for
// nothing from then on, and their streams end. Who signs in again afterwards stays, and so
// do programs, everybody else, and what was written down.
func TestAnOperatorSignsSomebodyOut(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	op, _ := w.anOperator("Olga")
	anna, ben, k := w.guest("Anna"), w.guest("Ben"), w.newKey()
	anna.keepName(k)
	robot := anna.program("Robot")
	phone := w.nobody()
	phone.signIn(k).is(t, 200)
	var made struct{ Code string }
	phone.ask("POST", "/api/me/code", "").is(t, 201).read(t, &made)
	hears := phone.listen("mine=true")
	hears.next("beat")
	sheet, err := w.desk().Sheet(t.Context(), w.idOf(anna))
	if err != nil {
		t.Fatal(err)
	}
	out := `{"do":"sign out","why":"her bag was stolen"}`
	for _, c := range []*client{ben, phone} {
		c.ask("POST", "/api/operator/people/"+sheet.Person+"/acts", out).is(t, 404)
	}
	account := w.idOf(anna)
	op.ask("POST", "/api/operator/people/"+sheet.Person+"/acts", out).is(t, 201)
	<-hears.ended
	for who, c := range map[string]*client{"anna": anna, "the phone": phone} {
		if got := c.name(); got != "" {
			t.Errorf("%s is still %q", who, got)
		}
	}
	w.nobody().ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).refuses(t, 409, "server.code")
	if anna.name() != "" || ben.name() != "Ben" || robot.name() != "Robot" || op.name() != "Olga" {
		t.Error("others are signed out, or she is not")
	}
	w.wait(time.Second)
	anna.signIn(k).is(t, 200)
	for range 3 {
		if err := w.hall.KeepPeace(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := anna.name(); got != "Anna" {
			t.Fatalf("she has signed in again, and is %q", got)
		}
		w.wait(10 * time.Second)
	}
	if marks, err := w.hall.Peace().Marks(t.Context(), account); err != nil || marks.Out != nil {
		t.Errorf("what is done is still to be done: %+v, %v", marks, err)
	}
	acts, err := w.desk().Acts(t.Context(), 0, 1)
	if err != nil || acts[0].Do != peace.SignOut || acts[0].Whom != "Anna" || acts[0].By != "Olga" {
		t.Errorf("written down is %+v, %v", acts, err)
	}
	other, _ := w.anOperator("Otto")
	otto, benno := w.idOf(other), w.idOf(ben)
	theirs, err := w.desk().Sheet(t.Context(), otto)
	if err != nil {
		t.Fatal(err)
	}
	op.ask("POST", "/api/operator/people/"+theirs.Person+"/acts", out).refuses(t, 409, "server.act.operator")
	w.does(peace.SignOut, other, "on the machine one may", 0)
	if other.name() != "" {
		t.Error("an operator cannot be signed out")
	}
	anna.ask("DELETE", "/api/me", "").is(t, 204) // while nothing is left to do, and…
	w.does(peace.SignOut, ben, "x", 0)
	for _, id := range []string{otto, benno} { // …while something is
		if err := w.hall.DeleteAccount(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.hall.KeepPeace(t.Context()); err != nil {
		t.Errorf("somebody is gone who was signed out: %v", err)
	}
}

// TestSignedOutAtEveryNodeByAnOperator: within seconds, whether the nodes hear each other
// or not, and the streams there end.
func TestSignedOutAtEveryNodeByAnOperator(t *testing.T) {
	t.Parallel()
	nodes, nats := newNodes(t, 2, func(_ *hall.Options, s *server.Options) { s.Beat = time.Hour })
	for _, deaf := range []bool{false, true} {
		if deaf {
			nats.Shutdown()
		}
		anna := nodes[0].guest(fmt.Sprint("Anna ", deaf))
		there := anna.at(nodes[1])
		if there.name() == "" {
			t.Fatal("she is not known at the other node")
		}
		hears := there.listen("mine=true")
		hears.next("beat")
		nodes[0].does(peace.SignOut, anna, "x", 0)
		if anna.name() != "" {
			t.Error("where it was done it counts at once")
		}
		<-hears.ended
		eventually(t, "signed out at the other node", func() bool { return there.name() == "" })
	}
}
