package server_test

import (
	"strings"
	"testing"
	"time"

	"copse/server"
	"copse/server/hall"
)

// friendOf is somebody in a list.
type friendOf struct {
	Friend, Name string
	Here, Guest  bool
}

// circle is what somebody is told of their friends.
type circle struct {
	Friends, Asks, Asked []friendOf
	Shows                *bool
	Link                 *struct{ Code string }
	Companies            []struct {
		Company, Name string
		People        []friendOf
	}
}

func (c *client) circle() (got circle) {
	c.Helper()
	c.ask("GET", "/api/friends", "").is(c, 200).read(c, &got)
	return got
}

// company lets two people find each other, and asks for everything that there is about
// friends.
func (w *world) company(anna, ben *client) {
	w.Helper()
	var made struct{ Code, Table, Company string }
	heard := ben.listen("mine=true")
	defer heard.close()
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	anna.ask("POST", "/api/friends", `{"table":"`+id+`","seat":1}`).is(w, 200)
	if e := heard.next("friends"); !strings.Contains(string(e.data), `"asked"`) {
		w.Errorf("ben hears %s", e.data)
	}
	asks := ben.circle().Asks
	ben.ask("POST", "/api/friends/"+asks[0].Friend, `{"yes":true}`).is(w, 204)
	ben.ask("PATCH", "/api/friends", `{"yes":true}`).is(w, 204)
	got := anna.circle()
	if len(got.Friends) != 1 || !got.Friends[0].Here || !got.Friends[0].Guest {
		w.Fatalf("anna is told %+v", got)
	}
	friend := got.Friends[0].Friend
	var ties struct{ Bonds []hall.Bond }
	anna.ask("GET", "/api/tables/"+id+"/bonds", "").is(w, 200).read(w, &ties)
	if len(ties.Bonds) != 1 || ties.Bonds[0] != (hall.Bond{Seat: 1, Is: hall.BondFriend}) {
		w.Errorf("ben is to anna %+v", ties)
	}
	anna.ask("POST", "/api/companies", `{"name":"We two","table":"`+id+`"}`).is(w, 201)
	anna.ask("POST", "/api/companies", `{"name":"We two","friends":["`+friend+`"],"game":"grandbois","pace":"days"}`).is(w, 201).read(w, &made)
	anna.ask("POST", "/api/companies/"+made.Company+"/table", "").is(w, 201).read(w, &made)
	if e := heard.next("friends"); !strings.Contains(string(e.data), made.Table) {
		w.Errorf("ben hears %s", e.data)
	}
	ben.ask("GET", "/api/me/invitations", "").is(w, 200)
	ben.ask("DELETE", "/api/me/invitations/"+made.Table, "").is(w, 204)
	anna.sit(made.Table)
	anna.ask("POST", "/api/tables/"+made.Table+"/invitations", `{"friends":["`+friend+`"]}`).is(w, 200)
	anna.ask("DELETE", "/api/companies/"+made.Company, "").is(w, 204)
	anna.ask("DELETE", "/api/friends/"+friend, "").is(w, 204)
	anna.ask("POST", "/api/friend-link", "").is(w, 201).read(w, &made)
	ben.ask("POST", "/api/friend-link/use", `{"code":"`+made.Code+`"}`).is(w, 200)
	ben.ask("POST", "/api/friend-link/use", `{"code":"`+made.Code+`","agree":true}`).is(w, 200)
	anna.ask("DELETE", "/api/friend-link", "").is(w, 204)
	anna.ask("POST", "/api/blocks", `{"friend":"`+anna.circle().Friends[0].Friend+`"}`).is(w, 204)
	var blocked struct{ Blocked []friendOf }
	anna.ask("GET", "/api/blocks", "").is(w, 200).read(w, &blocked)
	anna.ask("DELETE", "/api/blocks/"+blocked.Blocked[0].Friend, "").is(w, 204)
	w.nobody().ask("GET", "/api/house", "").is(w, 200)
}

// TestFriendsOverTheWire: nobody's account leaves the server, and what a list calls
// somebody is good for its owner alone.
func TestFriendsOverTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	w.company(anna, ben)
	id := begun(`{"game":"bosk","seats":3}`, anna, ben, cleo)
	for _, c := range []*client{ben, cleo} {
		c.ask("POST", "/api/friends", `{"table":"`+id+`","seat":0}`).is(t, 200)
	}
	asks := anna.circle().Asks
	if len(asks) != 2 {
		t.Fatalf("anna is asked by %+v", asks)
	}
	cleo.ask("POST", "/api/friends/"+asks[0].Friend, `{"yes":true}`).refuses(t, 404, "server.none")
	for _, f := range asks {
		anna.ask("POST", "/api/friends/"+f.Friend, `{"yes":true}`).is(t, 204)
	}
	if mine, theirs := anna.circle().Friends[0].Friend, ben.circle().Friends[0].Friend; mine == theirs {
		t.Errorf("anna and ben are both called %s", mine)
	}
	for _, body := range []string{`{}`, `{"name":"Anna","table":"x","seat":1}`, `{"table":"` + id + `"}`, `{"table":"` + id + `","seat":1,"line":1}`} {
		anna.ask("POST", "/api/friends", body).refuses(t, 409, "server.whom")
	}
	anna.ask("POST", "/api/friends", `{"name":"Nobody"}`).refuses(t, 404, "server.none")
	anna.ask("POST", "/api/friends", `{"table":"`+id+`","seat":0}`).refuses(t, 409, "server.friend.self")
	for _, body := range []string{`{"name":"We","friends":[],"game":"bosk"}`, `{"name":"","table":"` + id + `"}`, `{"name":"We","friends":[1],"game":"bosk"}`} {
		if r := anna.ask("POST", "/api/companies", body); r.status != 400 {
			t.Errorf("%s is answered %d", body, r.status)
		}
	}
	// All of it is in the download, and goes with whoever it belongs to.
	anna.ask("POST", "/api/blocks", `{"table":"`+id+`","seat":2}`).is(t, 204)
	var mine struct {
		Friends circle
		Blocked []friendOf
	}
	anna.ask("GET", "/api/me/download", "").is(t, 200).read(t, &mine)
	if len(mine.Friends.Friends) != 1 || mine.Friends.Friends[0].Name != "Ben" || len(mine.Friends.Companies) != 1 || len(mine.Blocked) != 1 || mine.Blocked[0].Name != "Cleo" {
		t.Errorf("anna downloads %+v", mine)
	}
	anna.ask("DELETE", "/api/me", "").is(t, 204)
	if got := ben.circle(); len(got.Friends) != 0 {
		t.Errorf("ben's friends are %+v", got)
	}
}

// TestNobodyAsksForEver: asks are limited by the hour.
func TestNobodyAsksForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	for range 10 {
		anna.ask("POST", "/api/friends", `{"table":"`+id+`","seat":1}`).is(t, 200)
	}
	anna.ask("POST", "/api/friends", `{"table":"`+id+`","seat":1}`).refuses(t, 429, "server.often")
}

// TestABlockFoldsWhatIsHeard: lines of somebody whom a listener blocks are told folded,
// to that listener alone.
func TestABlockFoldsWhatIsHeard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2}`, anna, ben)
	hers, his, watching := anna.listen("table="+id), ben.listen("table="+id), w.nobody().listen("table="+id)
	say := func(want bool) {
		t.Helper()
		ben.ask("POST", "/api/tables/"+id+"/chat", `{"phrase":"hello"}`).is(t, 201)
		for _, l := range []*listener{hers, his, watching} {
			e := l.next("chat")
			if folded := strings.Contains(string(e.data), `"folded":true`); folded != (want && l == hers) {
				t.Errorf("it is told %s", e.data)
			}
			if e.id == "" {
				t.Error("a line takes nobody further")
			}
		}
		w.wait(2 * time.Second)
	}
	say(false)
	anna.ask("POST", "/api/blocks", `{"table":"`+id+`","line":0}`).is(t, 204)
	say(true)
	say(true)
}

// TestTheHouseIsCounted: people once, and the game that one may watch with what a watcher
// sees of it.
func TestTheHouseIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, o *server.Options) { o.Limits.Streams = -1 })
	anna, ben, cleo := w.guest("Anna"), w.guest("Ben"), w.guest("Cleo")
	id := begun(`{"game":"grandbois","seats":2,"visible":"open"}`, anna, ben)
	anna.listen("table=" + id)
	anna.listen("mine=true")
	last := ben.listen("table=" + id)
	w.nobody().listen("table=" + id)
	anna.program("Pruner").listen("mine=true")
	var got struct {
		People, Open, Playing, Lookers int
		Watch                          *struct {
			Table string
			You   *int
		}
	}
	look := func(by *client) {
		t.Helper()
		w.wait(6 * time.Second)
		got.Watch = nil
		by.ask("GET", "/api/house", "").is(t, 200).read(t, &got)
	}
	if look(cleo); got.People != 2 || got.Playing != 1 || got.Watch == nil || got.Watch.Table != id || got.Watch.You != nil || got.Lookers != 1 {
		t.Errorf("cleo is told %+v", got)
	}
	if look(anna); got.Watch != nil {
		t.Errorf("anna is to watch herself: %+v", got)
	}
	cleo.ask("POST", "/api/blocks", `{"table":"`+id+`","seat":1}`).is(t, 204)
	if look(cleo); got.Watch != nil {
		t.Errorf("cleo is to watch somebody whom she blocks: %+v", got)
	}
	last.close()
	eventually(t, "the server notices that Ben has left", func() bool {
		look(w.nobody())
		return got.People == 1
	})
}
