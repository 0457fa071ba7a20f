package server_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/peace"
	"copse/server"
	"copse/server/hall"
)

// TestAProgramIsBannedWithItsOwner: whoever is reported by what a program of theirs did
// does not hide behind it, and an operator's program is as safe as the operator.
func TestAProgramIsBannedWithItsOwner(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	op, _ := w.anOperator("Olga")
	other, _ := w.anOperator("Otto")
	anna, ben := w.guest("Anna"), w.guest("Ben")
	robot, ottos := ben.program("Robot"), other.program("Ottobot")
	id := anna.table(`{"game":"bosk","seats":3}`)
	for _, c := range []*client{anna, robot, ottos} {
		c.sit(id)
	}
	for seat := range 2 {
		anna.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"seat":%d,"why":"name"}`, id, seat+1)).is(t, 204)
	}
	var list struct{ Reports []server.DeskReport }
	op.ask("GET", "/api/operator/reports", "").is(t, 200).read(t, &list)
	act := func(report int, do string) reply {
		return op.ask("POST", "/api/operator/people/"+list.Reports[report].Whom.Person+"/acts", fmt.Sprintf(`{"do":%q,"why":"x"}`, do))
	}
	if r := act(1, peace.Ban); r.status != 409 || r.key(t) != "server.act.operator" {
		t.Errorf("an operator bans another by a program: %d %s", r.status, r.body)
	}
	act(0, peace.Mute).is(t, 201)
	if ben.meNow().Muted == nil {
		t.Error("whose program is muted is not")
	}
	act(0, peace.Rename).is(t, 201)
	if me := ben.meNow(); me.Name != "Ben" {
		t.Errorf("the name of a program is taken away, and its owner is called %s", me.Name)
	}
	act(0, peace.Ban).is(t, 201)
	if ben.meNow().Banned == nil {
		t.Error("whose program is banned is not")
	}
	if r := robot.ask("GET", "/api/tables", ""); r.status != 403 {
		t.Errorf("a program that was banned is answered %d", r.status)
	}
	var sheet server.DeskSheet
	if op.ask("GET", "/api/operator/people/"+list.Reports[0].Whom.Person, "").is(t, 200).read(t, &sheet); sheet.Banned == nil {
		t.Error("operators do not see that it is banned")
	}
}

// TestTheDoorbellIsTriedNoMoreAtTwoNodes: every try asks something of somebody else's
// machine, and every browser that is added is written.
func TestTheDoorbellIsTriedNoMoreAtTwoNodes(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	gauges := map[string]time.Time{}
	b := newBells(t)
	nodes, _ := newNodes(t, 2, func(h *hall.Options, s *server.Options) {
		h.Store = counting{h.Store, &mu, gauges, nil}
		b.hang(h, s)
	})
	anna := nodes[0].guest("Anna")
	many := func(most int, ask func(c *client) reply) (often int) {
		for n := range most {
			if ask(anna.at(nodes[n%2])).status == 429 {
				often++
			}
		}
		return often
	}
	home := b.Browser()
	if often := many(40, func(c *client) reply { return c.switchOn(home, "en") }); often != 10 {
		t.Errorf("a browser is added 40 times, and refused %d times", often)
	}
	if often := many(16, func(c *client) reply { return c.ask("POST", "/api/me/doorbell/try", "") }); often != 6 {
		t.Errorf("the doorbell is tried 16 times, and refused %d times", often)
	}
	if often := many(60, func(c *client) reply { return c.ask("PATCH", "/api/friends", `{"yes":true}`) }); often != 10 {
		t.Errorf("it is chosen 60 times who is seen, and refused %d times", often)
	}
}

// TestWhoIsBannedMayGoAndNothingElse asks for everything as somebody who is banned, and as
// a program of theirs. A new operation that they may ask for must be named here.
func TestWhoIsBannedMayGoAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	may := map[string]bool{}
	for _, id := range strings.Fields("games me forget signOut signOutEverywhere continue programs sessions endSession mine passkeys beginSignIn signIn recover") {
		may[id] = true
	}
	banned := func() (*client, *client) {
		ben := w.guest("Ben")
		robot := ben.program("Robot")
		w.does(peace.Ban, ben, "cheats", 0)
		return ben, robot
	}
	ben, robot := banned()
	for id, op := range operations(t, w) {
		path := op.path
		for strings.Contains(path, "{") {
			before, rest, _ := strings.Cut(path, "{")
			_, after, _ := strings.Cut(rest, "}")
			path = before + "1" + after
		}
		if may[id] {
			ben, robot = banned()
		}
		if r := ben.ask(op.method, path, rows[id].body); may[id] == (r.status == 403) || !may[id] && r.key(t) != "server.banned" {
			t.Errorf("%s is answered %d: %.200s", id, r.status, r.body)
		}
		if r := robot.ask(op.method, path, rows[id].body); r.status != 403 && r.status != 401 && id != "games" && id != "me" && id != "continue" {
			t.Errorf("%s is answered %d to a program: %.200s", id, r.status, r.body)
		}
		if may[id] {
			ben, robot = banned()
		}
	}
}

// TestAGuestIsNoOperator, whatever is written of them: whoever has the cookie of a guest
// has signed in by nothing. And nobody reports themselves by a program.
func TestAGuestIsNoOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	w.does(peace.MakeOperator, anna, "by mistake", 0)
	anna.ask("GET", "/api/operator/reports", "").is(t, 404)
	robot := ben.program("Robot")
	id := begun(`{"game":"bosk","seats":2}`, anna, robot)
	if got := ben.ask("POST", "/api/reports", fmt.Sprintf(`{"table":%q,"seat":1,"why":"name"}`, id)).key(t); got != "server.report.self" {
		t.Errorf("a program of one's own is reported: %s", got)
	}
}
