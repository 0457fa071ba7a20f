package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"copse/games"
	"copse/news"
	"copse/server"
	"copse/server/hall"
	"copse/store/sqlite"
)

// A server answers over HTTP; docs/api.md describes what can be asked. A refusal is
// a problem with a key, which every client can put into its own words.
func Example() {
	if err := aFirstVisit(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// GET /healthz: 200 ok
	// GET /api/tables/nowhere: 404 {"title":"There is no such thing here, or it is not yours to
	// POST /api/tables: 401 {"title":"Choose a name first: then you can play.","status":
}

func aFirstVisit() error {
	folder, err := os.MkdirTemp("", "copse")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	db, err := sqlite.Open(filepath.Join(folder, "copse.db"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	hub, key := news.NewHub(), []byte("of this house")
	defer hub.Close()
	h := hall.New(hall.Options{Store: db, News: hub, Games: games.All(), Key: key})
	defer h.Stop()
	s, err := server.New(server.Options{Page: page(), Hall: h, Key: key})
	if err != nil {
		return err
	}
	defer s.Stop()
	net := httptest.NewServer(s)
	defer net.Close()

	for _, ask := range []struct{ method, path, body string }{
		{"GET", "/healthz", ""},
		{"GET", "/api/tables/nowhere", ""},
		{"POST", "/api/tables", `{"game":"bosk","seats":2}`},
	} {
		request, err := http.NewRequest(ask.method, net.URL+ask.path, strings.NewReader(ask.body))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := net.Client().Do(request)
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		_ = answer.Body.Close()
		fmt.Printf("%s %s: %d %.60s\n", ask.method, ask.path, answer.StatusCode, strings.TrimSpace(string(raw)))
	}
	return nil
}
