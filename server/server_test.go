package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"copse/server"
)

func zipped(text string) *fstest.MapFile {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

func plain(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// page is a page as the build leaves it: compressed files stand in the place of
// plain ones, and one file has all three forms.
func page() fstest.MapFS {
	return fstest.MapFS{
		"index.html.br":         plain("<br>entrance"),
		"index.html.gz":         zipped("<p>entrance"),
		"pages.json":            plain(`{"/":{"en":["/assets/app-1.js","/assets/style-1.css"],"fr":["/assets/app-2.js"]},"/bosk/new":{},"/rules/bosk":{},"/table/*":{},"/t/*":{},"/settings":{}}`),
		"sw.js":                 plain("sw"),
		"sw.js.br":              plain("sw in br"),
		"sw.js.gz":              zipped("sw"),
		"assets/app-1.js.br":    plain("app in br"),
		"assets/app-1.js.gz":    zipped("app"),
		"assets/engine-1.wasm":  plain("\x00asm"),
		"assets/hand-1.woff2":   plain("wOF2"),
		"assets/style-1.css":    plain("p{}"),
		"assets/tree-1.svg.gz":  zipped("<svg/>"),
		"assets/.secret":        plain("secret"),
		".keep":                 plain(""),
		".git/config":           plain("secret"),
		"copse.webmanifest":     plain("{}"),
		"icon.png":              plain("png"),
		"assets/fonts/LICENSE":  plain("OFL"),
		"assets/broken-1.js.gz": plain("no gzip at all"),
	}
}

func handler(t *testing.T, files fstest.MapFS) http.Handler {
	t.Helper()
	h, err := server.New(server.Options{Page: files})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// get asks for a path, with header lines "Name: value" added.
func get(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = target
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return string(raw)
}

func TestWhatAPathAnswers(t *testing.T) {
	const kept, asked = "public, max-age=31536000, immutable", "no-cache"
	h := handler(t, page())
	for _, c := range []struct {
		path   string
		status int
		mime   string
		cache  string
		body   string
	}{
		{"/", 200, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/index.html", 200, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/bosk/new", 200, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/bosk/new/", 200, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/table/7Hq2", 200, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/bosk/", 404, "text/html; charset=utf-8", asked, "<p>entrance"}, // which shows that there is nothing
		{"/table/", 404, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/table/7Hq2/7", 404, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/v1.2/rules", 404, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/forêt", 404, "text/html; charset=utf-8", asked, "<p>entrance"},
		{"/pages.json", 404, "", "", ""},
		{"/sw.js", 200, "text/javascript; charset=utf-8", asked, "sw"},
		{"/copse.webmanifest", 200, "application/manifest+json", asked, "{}"},
		{"/icon.png", 200, "image/png", asked, "png"},
		{"/assets/app-1.js", 200, "text/javascript; charset=utf-8", kept, "app"},
		{"/assets/engine-1.wasm", 200, "application/wasm", kept, "\x00asm"},
		{"/assets/hand-1.woff2", 200, "font/woff2", kept, "wOF2"},
		{"/assets/style-1.css", 200, "text/css; charset=utf-8", kept, "p{}"},
		{"/assets/tree-1.svg", 200, "image/svg+xml; charset=utf-8", kept, "<svg/>"},
		{"/assets/fonts/LICENSE", 200, "application/octet-stream", kept, "OFL"},
		{"/healthz", 200, "text/plain; charset=utf-8", "no-store", "ok\n"},

		{"/assets/app-2.js", 404, "", "", ""},
		{"/assets/app-1.js.br", 404, "", "", ""},
		{"/assets/app-1.js.gz", 404, "", "", ""},
		{"/index.html.gz", 404, "", "", ""},
		{"/assets/", 404, "", "", ""},
		{"/assets/fonts", 404, "", "", ""},
		{"/assets/none", 404, "", "", ""},
		{"/favicon.ico", 404, "", "", ""},
		{"/.keep", 404, "", "", ""},
		{"/.git/config", 404, "text/html; charset=utf-8", asked, "<p>entrance"}, // an address like any other
		{"/assets/.secret", 404, "", "", ""},
		{"/assets/../index.html", 404, "", "", ""},
		{"/../etc/passwd", 404, "", "", ""},
		{"/bosk/../new", 404, "", "", ""},
		{"/..", 404, "", "", ""},
		{"//", 404, "", "", ""},
		{"//evil.example/", 404, "", "", ""},
		{"/bosk//new", 404, "", "", ""},
		{"/./bosk", 404, "", "", ""},
		{`/..\..\passwd`, 404, "", "", ""},
		{"/bosk\x00", 404, "", "", ""},
		{"", 404, "", "", ""},
		{"*", 404, "", "", ""},
	} {
		r := get(h, "GET", c.path)
		if r.StatusCode != c.status {
			t.Errorf("%q: %d, want %d", c.path, r.StatusCode, c.status)
			continue
		}
		if c.status == http.StatusNotFound && c.mime == "" {
			c.mime, c.cache, c.body = "text/plain; charset=utf-8", "no-store", "Copse has no such file. If a page asked for it, the page is from another version: reload it.\n"
		}
		if got := r.Header.Get("Content-Type"); got != c.mime {
			t.Errorf("%q: type %q, want %q", c.path, got, c.mime)
		}
		if got := r.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%q: cache %q, want %q", c.path, got, c.cache)
		}
		if got := body(t, r); got != c.body {
			t.Errorf("%q: %q, want %q", c.path, got, c.body)
		}
	}
}

func TestAFileTravelsAsTheClientWants(t *testing.T) {
	h := handler(t, page())
	for _, c := range []struct {
		path   string
		accept []string
		want   string // the Content-Encoding
	}{
		{"/", []string{"gzip, deflate, br, zstd"}, "br"},
		{"/", []string{"gzip, deflate"}, "gzip"},
		{"/", []string{"br"}, "br"},
		{"/", []string{"GZIP"}, "gzip"},
		{"/", []string{"x-gzip"}, "gzip"},
		{"/", []string{"gzip", "br"}, "br"}, // two lines of header
		{"/", []string{"br;q=0.5, gzip;q=0.8"}, "gzip"},
		{"/", []string{"br;q=0.5,gzip;q=0.5"}, "br"},
		{"/", []string{"br;q=0, gzip"}, "gzip"},
		{"/", []string{"br; Q=0.0 , gzip; q=0.001"}, "gzip"},
		{"/", []string{"*"}, "br"},
		{"/", []string{"*;q=0.3, br;q=0"}, "gzip"},
		{"/", []string{"identity, br;q=0.5"}, ""},
		{"/", []string{"identity;q=0, gzip;q=0.1"}, "gzip"},
		{"/", []string{"*;q=0"}, ""},
		{"/", []string{"identity;q=0"}, ""},
		{"/", []string{"zstd, deflate"}, ""},
		{"/", []string{"br;q=2, gzip;q=NaN, *;q=x"}, ""},
		{"/", []string{",;,=;q"}, ""},
		{"/", []string{""}, ""},
		{"/", nil, ""},
		{"/sw.js", []string{"br"}, "br"},
		{"/assets/tree-1.svg", []string{"br, gzip;q=0.1"}, "gzip"},
		{"/icon.png", []string{"br, gzip"}, ""},
	} {
		var lines []string
		for _, a := range c.accept {
			lines = append(lines, "Accept-Encoding: "+a)
		}
		r := get(h, "GET", c.path, lines...)
		if got := r.Header.Get("Content-Encoding"); r.StatusCode != http.StatusOK || got != c.want {
			t.Errorf("%s %q: %d %q, want %q", c.path, c.accept, r.StatusCode, got, c.want)
		}
		varies := c.path != "/icon.png"
		if got := r.Header.Get("Vary") == "Accept-Encoding"; got != varies {
			t.Errorf("%s: varies %v", c.path, got)
		}
		if n := fmt.Sprint(len(read(t, r))); r.Header.Get("Content-Length") != n {
			t.Errorf("%s %q: length %s, came %s", c.path, c.accept, r.Header.Get("Content-Length"), n)
		}
	}
}

func read(t *testing.T, r *http.Response) []byte {
	t.Helper()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestAnUnchangedFileIsNotSentAgain: a tag holds for one form of one file.
func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	h := handler(t, page())
	tags := map[string]string{}
	for _, path := range []string{"/", "/sw.js", "/icon.png", "/assets/app-1.js"} {
		for _, accept := range []string{"br", "gzip", "identity"} {
			if path == "/icon.png" && accept != "identity" {
				continue
			}
			r := get(h, "GET", path, "Accept-Encoding: "+accept)
			tag := r.Header.Get("ETag")
			if other, ok := tags[tag]; ok || !strings.HasPrefix(tag, `"`) {
				t.Errorf("%s %s has the tag %s of %s", path, accept, tag, other)
			}
			tags[tag] = path + " " + accept
		}
	}
	for tag, file := range tags {
		path, accept, _ := strings.Cut(file, " ")
		for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			for _, method := range []string{"GET", "HEAD"} {
				r := get(h, method, path, "Accept-Encoding: "+accept, "If-None-Match: "+header)
				if raw := read(t, r); r.StatusCode != http.StatusNotModified || len(raw) != 0 || r.Header.Get("ETag") != tag || r.Header.Get("Cache-Control") == "" {
					t.Errorf("%s %s, If-None-Match %s: %d, %d bytes, %v", method, file, header, r.StatusCode, len(raw), r.Header)
				}
			}
		}
		for other := range tags {
			if r := get(h, "GET", path, "Accept-Encoding: "+accept, "If-None-Match: "+other); other != tag && r.StatusCode != http.StatusOK {
				t.Errorf("%s: %d by the tag of %s", file, r.StatusCode, tags[other])
			}
		}
	}
	changed := page()
	changed["sw.js"] = plain("another")
	if a, b := get(h, "GET", "/sw.js"), get(handler(t, changed), "GET", "/sw.js"); a.Header.Get("ETag") == b.Header.Get("ETag") {
		t.Error("a changed file has the same tag")
	}
	if a, b := get(h, "GET", "/sw.js"), get(handler(t, page()), "GET", "/sw.js"); a.Header.Get("ETag") != b.Header.Get("ETag") {
		t.Error("the same file has another tag in another process")
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	h := handler(t, page())
	for _, path := range []string{"/", "/bosk/new", "/sw.js", "/assets/app-1.js"} {
		head, whole := get(h, "HEAD", path), get(h, "GET", path)
		if head.StatusCode != http.StatusOK || fmt.Sprint(head.Header) != fmt.Sprint(whole.Header) {
			t.Errorf("%s: %d %v, GET %v", path, head.StatusCode, head.Header, whole.Header)
		}
		if raw := read(t, head); len(raw) != 0 {
			t.Errorf("%s: a body of %d bytes", path, len(raw))
		}
	}
}

func TestOnlyReading(t *testing.T) {
	h := handler(t, page())
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"} {
		for _, path := range []string{"/", "/healthz", "/assets/app-1.js", "/assets/none.js"} {
			if r := get(h, method, path); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, r.StatusCode, r.Header.Get("Allow"))
			}
		}
	}
}

// TestEveryAnswerIsGuarded looks at answers of every kind.
func TestEveryAnswerIsGuarded(t *testing.T) {
	h := handler(t, page())
	for _, r := range []*http.Response{
		get(h, "GET", "/"), get(h, "GET", "/sw.js"), get(h, "HEAD", "/assets/app-1.js"), get(h, "GET", "/assets/none.js"), get(h, "GET", "/../x"),
		get(h, "POST", "/"), get(h, "GET", "/healthz"), get(h, "GET", "/", "If-None-Match: *"), get(handler(t, nil), "GET", "/"), get(h, "GET", "/assets/broken-1.js"),
	} {
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
				"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%d: %s: %q, want %q", r.StatusCode, name, got, want)
			}
		}
	}
}

func TestWithoutItsPage(t *testing.T) {
	for _, files := range []fstest.MapFS{nil, {".keep": plain("")}, {"assets/app-1.js": plain("app")}} {
		h := handler(t, files)
		for _, path := range []string{"/", "/bosk/new", "/index.html", "/assets/app-1.js"} {
			r := get(h, "GET", path)
			if got := body(t, r); r.StatusCode != http.StatusServiceUnavailable || got != "This copse was built without its page: build and start it with “make run”.\n" {
				t.Errorf("%s: %d %q", path, r.StatusCode, got)
			}
		}
		if r := get(h, "GET", "/healthz"); r.StatusCode != http.StatusOK {
			t.Errorf("healthz: %d", r.StatusCode)
		}
	}
}

func TestABrokenPageSaysSo(t *testing.T) {
	if r := get(handler(t, page()), "GET", "/assets/broken-1.js"); r.StatusCode != http.StatusInternalServerError || !strings.Contains(body(t, r), "make run") {
		t.Errorf("a broken gzip: %d", r.StatusCode)
	}
	_, err := server.New(server.Options{Page: fstest.MapFS{"index.html.br": plain("x")}})
	if err == nil || !strings.HasPrefix(err.Error(), "index.html: there is only a .br of it") {
		t.Errorf("only brotli: %v", err)
	}
	unlisted, garbled := page(), page()
	delete(unlisted, "pages.json")
	garbled["pages.json"] = plain("{")
	for _, files := range []fstest.MapFS{unlisted, garbled} {
		if _, err := server.New(server.Options{Page: files}); err == nil || !strings.Contains(err.Error(), "pages.json") {
			t.Errorf("without a list of its pages: %v", err)
		}
	}
}

// listen is a server on a port of its own: its address, what stops it, and
// where its error comes when it has ended.
func listen(t *testing.T, h http.Handler) (url string, stop context.CancelFunc, ended <-chan error) {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	end := make(chan error, 1)
	go func() { end <- server.Serve(ctx, on, h) }()
	return "http://" + on.Addr().String(), stop, end
}

// TestRequestsUnderWayAreFinished: a client that was being answered when the server
// was told to stop gets the whole answer, and nobody else gets any.
func TestRequestsUnderWayAreFinished(t *testing.T) {
	begun, goOn := make(chan bool), make(chan bool)
	url, stop, ended := listen(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-goOn
		_, _ = io.WriteString(w, "whole")
	}))
	got := make(chan string, 1)
	go func() {
		r, err := http.Get(url)
		if err != nil {
			got <- err.Error()
			return
		}
		raw, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		got <- string(raw)
	}()
	<-begun
	stop()
	for { // until nobody new is let in
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	select {
	case err := <-ended:
		t.Errorf("the server did not wait: %v", err)
	default:
	}
	close(goOn)
	if text := <-got; text != "whole" {
		t.Errorf("got %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestOverTheWire asks a real server, since paths and headers may come in other
// forms than a test makes.
func TestOverTheWire(t *testing.T) {
	t.Parallel()
	url, stop, ended := listen(t, handler(t, page()))
	for path, want := range map[string]int{
		"/": 200, "/bosk/new?seats=3": 200, "/assets/app-1.js": 200, "/assets/none.js": 404,
		"/assets/%2e%2e/index.html": 404, "/%2e%2e/%2e%2e/etc/passwd": 404, "/rules%2Fbosk": 200, "/a%00": 404, "/a%5cb": 404,
	} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, r.StatusCode, want)
		}
	}
	for request, want := range map[string]string{
		"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n":                                              "HTTP/1.1 404",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n":                    "HTTP/1.1 431",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n":                               "HTTP/1.1 405",
		"GET http://evil.example/assets/none.js HTTP/1.1\r\nHost: evil.example\r\n\r\n":                  "HTTP/1.1 404",
		"GET /table/" + strings.Repeat("a", 8<<10) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n": "HTTP/1.1 200",
		"garbage\r\n\r\n": "HTTP/1.1 400",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, request)
		answer := make([]byte, len(want))
		if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != want {
			t.Errorf("%.60q: %q %v, want %q", request, answer, err, want)
		}
		_ = conn.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func FuzzWhateverIsAsked(f *testing.F) {
	for _, seed := range [][4]string{{"GET", "/", "br", "*"}, {"HEAD", "/assets/app-1.js", "gzip;q=0.5", `W/"x"`}, {"POST", "/../x", "*;q=0", ""}} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	h, err := server.New(server.Options{Page: page()})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, path, accept, match string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Method, r.URL.Path = method, path
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("If-None-Match", match)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK, http.StatusNotModified, http.StatusNotFound, http.StatusMethodNotAllowed:
		case http.StatusInternalServerError: // the broken gzip
		default:
			t.Errorf("%q %q: %d", method, path, w.Code)
		}
		if strings.Contains(w.Body.String(), "secret") || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%q %q: %v %s", method, path, w.Header(), w.Body)
		}
	})
}
