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
