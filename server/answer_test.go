package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"copse/server"
	"copse/server/hall"
)

// TestEveryRequestIsCountedAndLogged: endpoints, files, documents, health checks and
// what is refused before anybody is asked, each once, with milliseconds and bytes.
func TestEveryRequestIsCountedAndLogged(t *testing.T) {
	var log safe
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w := newWorld(t, func(h *hall.Options, s *server.Options) {
		s.Log, s.Figures, s.Hosts = logger, server.NewFigures(), []string{"127.0.0.1"}
	})
	before := len(log.lines())
	nobody := w.nobody()
	asked := []struct {
		method, path string
		header       []string
		status       int
		do           string
		bytes        int // -1 where it is not known beforehand
	}{
		{"GET", "/api/games", nil, 200, "games", -1},
		{"GET", "/api/me/tables", nil, 401, "myTables", -1},
		{"GET", "/icon.png", nil, 200, "page", 3},
		{"HEAD", "/icon.png", nil, 200, "page", 0},
		{"GET", "/t/secretname", nil, 404, "page", -1},
		{"GET", "/no.png", nil, 404, "page", -1},
		{"POST", "/", nil, 405, "page", -1},
		{"GET", "/api/docs.css", nil, 200, "document", -1},
		{"GET", "/healthz", nil, 200, "healthz", 3},
		{"GET", "/readyz", nil, 200, "readyz", 6},
		{"GET", "/api/nothing", nil, 404, "refused", -1},
		{"PUT", "/api/me", nil, 405, "refused", -1},
		{"POST", "/api/me", []string{"Sec-Fetch-Site: cross-site"}, 403, "refused", -1},
		{"GET", "//icon.png", nil, 404, "refused", -1},
	}
	sizes := []int{}
	for _, a := range asked {
		sizes = append(sizes, len(nobody.ask(a.method, a.path, "", append(a.header, "Accept-Encoding: identity")...).is(t, a.status).body))
	}
	lines := log.lines()[before:]
	if len(lines) != len(asked) {
		t.Fatalf("%d lines for %d requests:\n%s", len(lines), len(asked), strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		a := asked[i]
		var said struct {
			Msg, Do, Method string
			Status          int
			Ms              *float64
			Bytes           *int
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatal(err)
		}
		if said.Msg != "answered" || said.Do != a.do || said.Method != a.method || said.Status != a.status || said.Ms == nil || said.Bytes == nil {
			t.Errorf("%s %s is logged as %s", a.method, a.path, line)
			continue
		}
		if *said.Bytes != sizes[i] || a.bytes >= 0 && *said.Bytes != a.bytes {
			t.Errorf("%s %s has %d bytes, and %d are logged", a.method, a.path, sizes[i], *said.Bytes)
		}
		if strings.Contains(line, "secretname") {
			t.Errorf("the log names a table: %s", line)
		}
	}
	figures := string(nobody.ask("GET", "/metrics", "").is(t, 200).body)
	for _, want := range []string{
		`copse_answers_total{do="games",status="200"} 1`, `copse_answers_total{do="myTables",status="401"} 1`,
		`copse_answers_total{do="page",status="200"} 2`, `copse_answers_total{do="page",status="404"} 2`, `copse_answers_total{do="page",status="405"} 1`,
		`copse_answers_total{do="refused",status="403"} 1`, `copse_answers_total{do="refused",status="404"} 2`, `copse_answers_total{do="refused",status="405"} 1`,
		`copse_answers_total{do="healthz",status="200"} 1`, `copse_answers_total{do="readyz",status="200"} 1`,
		`copse_answer_seconds_count{do="games",status="200"} 1`, `copse_answer_seconds_count{do="page",status="404"} 2`,
	} {
		if !strings.Contains(figures, want+"\n") {
			t.Errorf("the figures lack %s:\n%s", want, strings.Join(regexp.MustCompile(`(?m)^copse_answers_total.*$`).FindAllString(figures, -1), "\n"))
		}
	}
	if again := string(nobody.ask("GET", "/metrics", "").is(t, 200).body); !strings.Contains(again, `copse_answers_total{do="metrics",status="200"} 1`) {
		t.Error("asking for figures is not counted")
	}
}

// lines are what was logged, line by line.
func (s *safe) lines() (list []string) {
	for line := range strings.Lines(s.String()) {
		list = append(list, line)
	}
	return list
}

// TestWithoutVerboseNothingIsLogged: a request leaves no line.
func TestWithoutVerboseNothingIsLogged(t *testing.T) {
	var log safe
	logger := slog.New(slog.NewTextHandler(&log, nil))
	w := newWorld(t, func(_ *hall.Options, s *server.Options) { s.Log = logger })
	w.nobody().ask("GET", "/api/games", "").is(t, 200)
	w.nobody().ask("GET", "/icon.png", "").is(t, 200)
	if log.String() != "" {
		t.Errorf("it is logged: %s", log.String())
	}
}

// TestDocumentsTravelCompressed: to whoever takes them so, and under a tag of their
// own.
func TestDocumentsTravelCompressed(t *testing.T) {
	w := newWorld(t)
	nobody := w.nobody()
	for _, path := range []string{"/api/openapi.json", "/api/docs", "/api/docs.css"} {
		plain := nobody.ask("GET", path, "", "Accept-Encoding: identity").is(t, 200)
		packed := nobody.ask("GET", path, "", "Accept-Encoding: br, gzip").is(t, 200)
		if packed.header.Get("Content-Encoding") != "gzip" || plain.header.Get("Content-Encoding") != "" || packed.header.Get("Vary") != "Accept-Encoding" || plain.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: packed %v, plain %v", path, packed.header, plain.header)
		}
		if len(plain.body) > 4096 && len(packed.body)*3 > len(plain.body) {
			t.Errorf("%s travels in %d bytes of %d", path, len(packed.body), len(plain.body))
		}
		r, err := gzip.NewReader(bytes.NewReader(packed.body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, plain.body) {
			t.Errorf("%s: unpacked it is another: %v", path, err)
		}
		tag := packed.header.Get("ETag")
		if tag == plain.header.Get("ETag") || tag == "" {
			t.Errorf("%s: both have the tag %s", path, tag)
		}
		nobody.ask("GET", path, "", "Accept-Encoding: gzip", "If-None-Match: "+tag).is(t, http.StatusNotModified)
		nobody.ask("GET", path, "", "Accept-Encoding: identity", "If-None-Match: "+tag).is(t, 200)
	}
}

// TestAServerWithoutItsPageIsNotReady: it warns at the start, and nobody is sent
// there.
func TestAServerWithoutItsPageIsNotReady(t *testing.T) {
	var log safe
	w := newWorld(t, func(_ *hall.Options, s *server.Options) {
		s.Page, s.Log = fstest.MapFS{".keep": plain("")}, slog.New(slog.NewTextHandler(&log, nil))
	})
	const why = "This copse was built without its page"
	if got := string(w.nobody().ask("GET", "/readyz", "").is(t, 503).body); !strings.HasPrefix(got, why) {
		t.Errorf("it says %q", got)
	}
	w.nobody().ask("GET", "/healthz", "").is(t, 200)
	w.nobody().ask("GET", "/api/games", "").is(t, 200)
	if got := log.String(); strings.Count(got, "level=WARN") != 1 || !strings.Contains(got, why) {
		t.Errorf("at the start it logs %q", got)
	}
}
