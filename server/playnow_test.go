package server_test

import (
	"testing"

	"copse/server/hall"
)

// waitingReply is what is told of a wait.
type waitingReply struct {
	State, Table string
	Rated        bool
}

// waits is how it stands, as somebody is told.
func (w *world) waits(by *client, state string) (got waitingReply) {
	w.Helper()
	by.ask("GET", "/api/play", "").is(w, 200).read(w, &got)
	if got.State != state {
		w.Fatalf("%s is told %+v, not %s", by.cookie[:min(6, len(by.cookie))], got, state)
	}
	return got
}

// matched lets two guests play now, from the button to the table.
func (w *world) matched(anna, ben *client) string {
	w.Helper()
	w.waits(anna, hall.WaitsNot)
	var got waitingReply
	anna.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(w, 200).read(w, &got)
	if got.State != hall.Waits || got.Rated {
		w.Fatalf("a guest who presses the button is told %+v", got)
	}
	ben.ask("POST", "/api/play", `{"game":"bosk","seats":2,"pace":"live","bots":0}`).is(w, 200)
	w.waits(anna, hall.WaitsCome)
	anna.ask("DELETE", "/api/play", "").is(w, 204)
	w.waits(anna, hall.WaitsNot)
	anna.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(w, 200)
	ben.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(w, 200)
	for i, by := range []*client{anna, ben} {
		w.waits(by, hall.WaitsCome)
		by.ask("POST", "/api/play/ready", `{"nonce":"`+[]string{"000102030405060708090a0b0c0d0e0f", "ff0102030405060708090a0b0c0d0e0f"}[i]+`"}`).is(w, 200)
	}
	table := w.waits(anna, hall.WaitsOver).Table
	if other := w.waits(ben, hall.WaitsOver).Table; other != table || table == "" {
		w.Fatalf("anna is sent to %q, ben to %q", table, other)
	}
	anna.ask("GET", "/api/me/ratings", "").is(w, 200)
	return table
}

// TestTwoGuestsPlayNow from the button to the table, where both are seated and play.
func TestTwoGuestsPlayNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := w.matched(anna, ben)
	var look struct{ You int }
	if anna.ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &look); look.You == 1 {
		anna, ben = ben, anna
	}
	w.turn(seeded(1), id, anna, ben)
	w.nobody().ask("GET", "/api/tables/"+id, "").is(t, 200) // it is open to watchers
	for _, body := range []string{`{"game":"bosk","seats":9}`, `{"game":"chess","seats":2}`, `{"game":"bosk","seats":2,"bots":-1}`, `{"game":"bosk","seats":2,"pace":"own"}`, `{}`} {
		if r := anna.ask("POST", "/api/play", body); r.status != 400 {
			t.Errorf("%s is answered %d", body, r.status)
		}
	}
}

// TestRatingsAreMine: what a rated game did is in the download of everybody who played it.
func TestRatingsAreMine(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	people := []*client{w.guest("Anna"), w.guest("Ben")}
	for _, by := range people {
		by.keepName(w.newKey())
		by.ask("POST", "/api/play", `{"game":"bosk","seats":2}`).is(t, 200)
	}
	for i, by := range people {
		w.waits(by, hall.WaitsCome)
		by.ask("POST", "/api/play/ready", `{"nonce":"`+[]string{"000102030405060708090a0b0c0d0e0f", "ff0102030405060708090a0b0c0d0e0f"}[i]+`"}`).is(t, 200)
	}
	id := w.waits(people[0], hall.WaitsOver).Table
	seated := people
	var look struct{ You int }
	if people[0].ask("GET", "/api/tables/"+id, "").is(t, 200).read(t, &look); look.You == 1 {
		seated = []*client{people[1], people[0]}
	}
	rng := seeded(1)
	for range 4 { // past the first round, in which leaving rates nobody
		w.turn(rng, id, seated...)
	}
	people[1].ask("POST", "/api/tables/"+id+"/resign", "").is(t, 200)
	for i, by := range people {
		var mine struct {
			Ratings []struct {
				Game        string
				Mean, Games int
				Past        []struct{ Table string }
			}
		}
		by.ask("GET", "/api/me/download", "").is(t, 200).read(t, &mine)
		if len(mine.Ratings) != 1 || mine.Ratings[0].Games != 1 || mine.Ratings[0].Game != "bosk" || len(mine.Ratings[0].Past) != 1 || mine.Ratings[0].Past[0].Table != id {
			t.Fatalf("person %d downloads %+v", i, mine)
		}
		if won := mine.Ratings[0].Mean > 1500; won != (i == 0) {
			t.Errorf("person %d has %d points", i, mine.Ratings[0].Mean)
		}
	}
}
