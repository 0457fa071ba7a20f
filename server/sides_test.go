package server_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"copse/server"
)

// sides plays both sides to their one result.
func (w *world) sides(rng *rand.Rand, anna, ben *client) {
	w.Helper()
	id := begun(`{"game":"grandbois","seats":2,"sides":true,"visible":"open"}`, anna, ben)
	l := anna.listen("table=" + id + "&mine=true")
	for anna.toAct(id) >= 0 {
		w.turn(rng, id, anna, ben)
	}
	w.hall.Tend(w.Context())
	var told struct {
		Sides struct{ Games []struct{ Table string } }
	}
	for len(told.Sides.Games) < 2 {
		if err := json.Unmarshal(l.next("sides").data, &told); err != nil {
			w.Fatal(err)
		}
	}
	l.close()
	next := told.Sides.Games[1].Table
	anna.ask("GET", "/api/me/tables", "").is(w, 200)
	anna.ask("POST", "/api/tables/"+id+"/rematch", "").refuses(w, 409, "table.sides.follows")
	for anna.toAct(next) >= 0 {
		w.turn(rng, next, ben, anna)
	}
	w.hall.Tend(w.Context())
	for _, at := range []string{id, next} {
		var seen struct {
			Sides struct{ Result []struct{ Total, Rank int } }
		}
		anna.ask("GET", "/api/tables/"+at, "").is(w, 200).read(w, &seen)
		if len(seen.Sides.Result) != 2 {
			w.Errorf("at %s the one result is %+v", at, seen.Sides)
		}
		anna.ask("GET", "/api/tables/"+at+"/export", "").is(w, 200)
	}
	anna.ask("GET", "/api/me/played", "").is(w, 200)
}

// TestWhoComesBackIsToldOfTheNextGame: a stream that goes on hears what it missed.
func TestWhoComesBackIsToldOfTheNextGame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	id := begun(`{"game":"bosk","seats":2,"sides":true}`, anna, ben)
	rng := seeded(3)
	l := anna.listen("table=" + id)
	l.next("look")
	for anna.toAct(id) >= 0 {
		w.turn(rng, id, anna, ben)
	}
	end := l.next("entry")
	for !strings.Contains(string(end.data), `"do":"end"`) {
		end = l.next("entry")
	}
	l.close()
	w.hall.Tend(t.Context())
	l = anna.listen("table="+id, "Last-Event-ID: "+end.id)
	if e := l.next("sides"); strings.Count(string(e.data), `"table"`) != 3 {
		t.Errorf("told is %s", e.data)
	}
}

// TestBothSidesAreTwoTables: they count as such when the first is set, and a refusal
// counts nothing.
func TestBothSidesAreTwoTables(t *testing.T) {
	t.Parallel()
	w := behind(t, server.Limits{Requests: -1, Guests: -1, Creates: 6, Asks: -1})
	anna := w.guestFrom("203.0.113.1")
	both, one := `{"game":"bosk","seats":2,"sides":true}`, `{"game":"bosk","seats":2}`
	anna.ask("POST", "/api/tables", both).is(t, 201)
	anna.ask("POST", "/api/tables", both).refuses(t, 429, "server.often")
	anna.ask("POST", "/api/tables", one).is(t, 201)
	anna.ask("POST", "/api/tables", one).refuses(t, 429, "server.often")

	few := behind(t, server.Limits{Requests: -1, Guests: -1, Creates: 2, Asks: -1})
	ben := few.guestFrom("203.0.113.1")
	ben.ask("POST", "/api/tables", `{"game":"bosk","seats":4,"sides":true}`).is(t, 201) // else nobody could ever
	ben.ask("POST", "/api/tables", one).refuses(t, 429, "server.often")
}
