package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"copse/server"
	"copse/server/hall"
)

// headed is a page whose entrance has a head, where cards belong.
func headed() fstest.MapFS {
	files := page()
	delete(files, "index.html.br")
	delete(files, "index.html.gz")
	files["index.html"] = plain("<html><head><title>Copse</title></head><body>entrance</body></html>")
	for _, name := range []string{"card.png", "card-bosk.png", "card-grandbois.png"} {
		files[name] = plain("png")
	}
	return files
}

// visit asks for a page as a browser does, or as who shows what is behind a link.
func visit(t *testing.T, h http.Handler, path, language string) (status int, robots, text string) {
	t.Helper()
	r := httptest.NewRequest("GET", "http://copse.example"+path, nil)
	r.Header.Set("Accept-Language", language)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if vary := strings.Join(w.Header().Values("Vary"), ", "); vary != "Accept-Language, Accept-Encoding" {
		t.Errorf("%s varies by %q", path, vary)
	}
	return w.Code, w.Header().Get("X-Robots-Tag"), w.Body.String()
}

// onCard fails unless a page shows something on its card.
func onCard(t *testing.T, text, property, content string) {
	t.Helper()
	if tag := fmt.Sprintf(`<meta property="%s" content="%s" />`, property, content); !strings.Contains(text, tag) {
		t.Errorf("%s is missing in\n%s", tag, text)
	}
}

// TestWhatALinkShows: the game, its seats and who sits there, in the language of who
// asks, whatever somebody's name is; of a private table nothing, and of one that is
// not there that it is not.
func TestWhatALinkShows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Page = headed() })
	anna, ben := w.guest(`Anna "><script>`), w.guest("Ben")
	id := anna.table(`{"game":"bosk","seats":3}`)
	see := func(path, language string) string {
		t.Helper()
		status, robots, text := visit(t, w.serve, path, language)
		if status != 200 || (robots == "noindex") != strings.HasPrefix(path, "/t/") || !strings.Contains(text, "<body>entrance") {
			t.Errorf("%s is answered %d, robots %q, %s", path, status, robots, text)
		}
		return text
	}
	text := see("/t/"+id, "en")
	onCard(t, text, "og:title", "Bosk: a table for 3")
	onCard(t, text, "og:description", "All seats are free. A name is all you need to sit down.")
	onCard(t, text, "og:url", "http://copse.example/t/"+id)
	onCard(t, text, "og:image", "http://copse.example/card-bosk.png")
	if !strings.Contains(text, "<title>Bosk: a table for 3</title>") {
		t.Errorf("its title is not its own: %s", text)
	}
	anna.sit(id)
	text = see("/t/"+id, "en")
	onCard(t, text, "og:description", "Here Anna &#34;&gt;&lt;script&gt;. 2 seats are free: a name is all you need to sit down.")
	if strings.Contains(text, "<script>") {
		t.Errorf("a name is not a name: %s", text)
	}
	ben.sit(id)
	onCard(t, see("/t/"+id, "it"), "og:description", "Al tavolo: Anna &#34;&gt;&lt;script&gt; e Ben. Un posto è libero: per sedersi basta un nome.")
	anna.ask("POST", "/api/tables/"+id+"/bots", `{"seat":2,"player":"greedy"}`).is(t, 200)
	onCard(t, see("/t/"+id, "en"), "og:description", "Here Anna &#34;&gt;&lt;script&gt; and Ben. The game is about to begin.")
	anna.ask("POST", "/api/tables/"+id+"/start", "").is(t, 200)
	onCard(t, see("/t/"+id, "fr"), "og:description", "À la table\u00a0: Anna &#34;&gt;&lt;script&gt; et Ben. La partie a commencé.")

	private := anna.table(`{"game":"grandbois","seats":2,"visible":"private"}`)
	anna.sit(private)
	if text := see("/t/"+private, "en"); strings.Contains(text, "Anna") || strings.Contains(text, "GrandBois: a table") {
		t.Errorf("of a private table a link shows %s", text)
	}
	onCard(t, see("/bosk/new", "en"), "og:title", "Bosk · Copse")
	onCard(t, see("/rules/bosk", "en"), "og:image", "http://copse.example/card-bosk.png")
	onCard(t, see("/", "fr"), "og:image", "http://copse.example/card.png")
	onCard(t, see("/settings", "fr"), "og:title", "Copse\u00a0: des jeux de société sur les arbres")

	for _, path := range []string{"/t/nosuchtable1", "/t/" + strings.Repeat("x", 5000), "/nothing", "/t/" + id + "/x"} {
		status, robots, text := visit(t, w.serve, path, "en")
		if status != 404 || robots != "noindex" || !strings.Contains(text, "<body>entrance") {
			t.Errorf("%.40s is answered %d, robots %q, %.100s", path, status, robots, text)
		}
	}
}

// TestALinkWhileTheStoreIsAway: the page comes as ever, since the table may be there.
func TestALinkWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	far := &farStore{}
	w := newWorld(t, func(h *hall.Options, s *server.Options) {
		s.Page = headed()
		far.Store = h.Store
		h.Store = far
	})
	far.away.Store(true)
	status, _, text := visit(t, w.serve, "/t/abcdefghijkl", "en")
	if status != 200 {
		t.Errorf("it is answered %d", status)
	}
	onCard(t, text, "og:title", "Copse: board games about trees")
}

// TestManyLinks: whoever asks for more of them than they may ask for anything is
// answered without a question to the store.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Page = headed()
		s.Limits.Requests = 2
	})
	statuses := map[int]int{}
	for range 20 {
		status, _, _ := visit(t, w.serve, "/t/nosuchtable1", "en")
		statuses[status]++
	}
	if statuses[404] == 0 || statuses[200] == 0 {
		t.Errorf("of twenty in a row they are answered %v", statuses)
	}
}

// TestTheHandbookIsServed: its pages answer under their names without an ending, and
// what is none of them is no page.
func TestTheHandbookIsServed(t *testing.T) {
	t.Parallel()
	files := headed()
	files["docs/index.html"] = plain("all documents")
	files["docs/api.html"] = plain("how to play by programs")
	files["docs/bot.py"] = plain("import json")
	s, err := server.New(server.Options{Page: files})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path   string
		status int
		mime   string
		text   string
	}{
		{"/docs", 200, "text/html; charset=utf-8", "all documents"},
		{"/docs/", 200, "text/html; charset=utf-8", "all documents"},
		{"/docs/api", 200, "text/html; charset=utf-8", "how to play by programs"},
		{"/docs/api/", 200, "text/html; charset=utf-8", "how to play by programs"},
		{"/docs/bot.py", 200, "application/octet-stream", "import json"},
		{"/docs/bot", 404, "text/html; charset=utf-8", "entrance"},
		{"/docs/api/x", 404, "text/html; charset=utf-8", "entrance"},
		{"/docsapi", 404, "text/html; charset=utf-8", "entrance"},
		{"/api.html", 404, "text/plain; charset=utf-8", "no such file"},
		{"/docs/api.md", 404, "text/plain; charset=utf-8", "no such file"},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", test.path, nil))
		if mime := w.Header().Get("Content-Type"); w.Code != test.status || mime != test.mime || !strings.Contains(w.Body.String(), test.text) {
			t.Errorf("%s is answered %d, %s: %s", test.path, w.Code, mime, w.Body)
		}
	}
	r := httptest.NewRequest("POST", "/docs", nil)
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != 405 {
		t.Errorf("POST is answered %d", w.Code)
	}
}

// TestAPageNamesItsFiles: whoever comes to a page is told with which files it begins, in
// their language; who comes to a page that names none, or to no page, is told of none.
func TestAPageNamesItsFiles(t *testing.T) {
	h := handler(t, page())
	for _, c := range []struct{ path, language, link string }{
		{"/", "en", "</assets/app-1.js>; rel=modulepreload, </assets/style-1.css>; rel=preload; as=style; crossorigin"},
		{"/", "fr-CH, en", "</assets/app-2.js>; rel=modulepreload"},
		{"/", "it", ""},
		{"/settings", "en", ""},
		{"/nowhere", "en", ""},
		{"/sw.js", "en", ""},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Header.Set("Accept-Language", c.language)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if link := w.Header().Get("Link"); link != c.link {
			t.Errorf("%s in %s: %q", c.path, c.language, link)
		}
	}
}
