package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestEveryFate: each comes up, what is unheard of was done, and the same seed
// does the same.
func TestEveryFate(t *testing.T) {
	story := func(seed uint64) (told string, fates map[fate]int, served int) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/stream" {
				for n := range 50 {
					_, _ = fmt.Fprintf(w, "event: entry\nid: %d\ndata: {\"number\":%d}\n\n", n, n)
					_ = http.NewResponseController(w).Flush()
				}
				return
			}
			served++
			_, _ = io.WriteString(w, `{"number":`+strings.Repeat("7", 40)+`}`)
		}))
		defer server.Close()
		to, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		l := newLine(to, seed)
		l.wait = func(time.Duration) {}
		front := httptest.NewServer(l)
		defer front.Close()
		ask := func(path string) string {
			l.mu.Lock()
			l.away = time.Time{} // an outage is over with the first who tries
			l.mu.Unlock()
			answer, err := http.Post(front.URL+path, "", nil) //nolint:noctx // a test
			if err != nil {
				return " nothing"
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			return fmt.Sprintf(" %d:%v", len(body), err == nil)
		}
		if first := ask("/api/me"); first != " 51:true" || len(l.done()) != 0 {
			t.Errorf("a calm line brings %s, and has done %v", first, l.done())
		}
		l.rough.Store(true)
		for range 60 {
			told += ask("/api/me")
		}
		asked := maps.Clone(l.done())
		for range 10 {
			ask("/api/stream")
		}
		asked[cut] = l.done()[cut]
		return told, asked, served
	}
	told, fates, served := story(3)
	for _, f := range []fate{well, slow, lost, unheard, half, cut, outage, refused} {
		if fates[f] == 0 {
			t.Errorf("nothing is %s: %v", f, fates)
		}
	}
	if want := 1 + 60 - fates[lost] - fates[outage] - fates[refused]; served != want {
		t.Errorf("%d requests were served, and %d should be: %v", served, want, fates)
	}
	if n := strings.Count(told, "nothing"); n != fates[lost]+fates[outage]+fates[refused]+fates[unheard] {
		t.Errorf("%d answers were not heard: %v", n, fates)
	}
	if n := strings.Count(told, " 25:false"); n != fates[half] {
		t.Errorf("%d answers came by half: %v", n, fates)
	}
	if again, _, _ := story(3); again != told {
		t.Errorf("the same seed does\n%s\nand then\n%s", told, again)
	}
	if other, _, _ := story(4); other == told {
		t.Error("another seed does the same")
	}
}
