package server_test

import (
	"testing"

	"copse/bot"
	"copse/game"
	"copse/server"
	"copse/server/hall"
)

// older is a game as an earlier Copse knew it: without its last version.
type older struct {
	game.Game
	bot.Thinker
}

func (o older) About() game.About {
	about := o.Game.About()
	about.Version--
	return about
}

// TestATableOfANewerCopse: a server that cannot read a table says that it is too old,
// and not that who asks did something wrong; another may answer in its place.
func TestATableOfANewerCopse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	id := anna.table(`{"game":"treesociety","seats":2}`)
	before := &world{TB: t, db: w.db, now: dawn, setup: []setup{func(h *hall.Options, _ *server.Options) {
		for i, g := range h.Games {
			if g.About().Name == "treesociety" {
				h.Games[i] = older{g, g.(bot.Thinker)}
			}
		}
	}}}
	before.start()
	there := anna.at(before)
	for method, path := range map[string]string{"GET": "", "POST": "/sit"} {
		body := ""
		if method == "POST" {
			body = `{"nonce":"000102030405060708090a0b0c0d0e0f"}`
		}
		a := there.ask(method, "/api/tables/"+id+path, body)
		a.refuses(t, 503, "server.older")
		if a.header.Get("Retry-After") == "" {
			t.Error("it does not say when to try again")
		}
	}
	there.ask("GET", "/api/stream?table="+id, "").refuses(t, 503, "server.older") // who follows comes back elsewhere
	there.ask("GET", "/api/me/tables", "").is(t, 200)
	anna.ask("GET", "/api/tables/"+id, "").is(t, 200)
}
