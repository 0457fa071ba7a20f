package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// swallowing is a proxy before a server that answers the first move by 200 and
// nothing, and does not pass it on: a client that does not read the answer waits
// for ever.
func swallowing(t *testing.T, to string) string {
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	var once sync.Once
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		swallowed := false
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/moves") {
			once.Do(func() { swallowed = true })
		}
		if !swallowed {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestTheExampleBotPlaysAWholeGame: against a person, over the real API.
func TestTheExampleBotPlaysAWholeGame(t *testing.T) {
	t.Parallel()
	const file = "../../examples/bot.py"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte("\n")); n >= 60 {
		t.Errorf("the example has %d lines, and a bot needs fewer than 60", n)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("there is no Python 3 here, which Copse itself does not need: the example was not tried")
		return
	}
	s := serveHere(t)
	anna := &guest{served: s, over: make(chan struct{})}
	var made struct{ Table, Token string }
	for _, ask := range [][2]string{{"/api/me", `{"name":"Anna"}`}, {"/api/me/programs", `{"name":"Pruner"}`}, {"/api/tables", `{"game":"grandbois","seats":2}`}} {
		if err := json.Unmarshal(anna.try("POST", ask[0], ask[1], ""), &made); err != nil {
			t.Fatal(err)
		}
	}
	at := "/api/tables/" + made.Table
	anna.try("POST", at+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, "sit")
	bot := exec.Command(python, file, swallowing(t, s.url), made.Table)
	bot.Env = append(os.Environ(), "COPSE_TOKEN="+made.Token)
	var out bytes.Buffer
	bot.Stdout, bot.Stderr = &out, &out
	if err := bot.Start(); err != nil {
		t.Fatalf("the example needs Python 3: %v", err)
	}
	go anna.follow(t.Context(), made.Table)
	rng := rand.New(rand.NewPCG(8, 8))
	started := false
	for playing := true; playing; {
		var look struct {
			Look struct {
				ToAct  []int
				People struct {
					Phase string
					Seats []struct{ Held string }
				}
			}
		}
		if err := json.Unmarshal(anna.try("GET", at, "", ""), &look); err != nil {
			t.Fatal(err)
		}
		switch people := look.Look.People; {
		case people.Phase == "over":
			playing = false
		case !started && people.Seats[1].Held == "person":
			anna.try("POST", at+"/start", "", "start")
			started = true
		case len(look.Look.ToAct) == 1 && look.Look.ToAct[0] == 0:
			var m struct {
				After int
				Moves []json.RawMessage
			}
			if err := json.Unmarshal(anna.try("GET", at+"/moves", "", ""), &m); err != nil {
				t.Fatal(err)
			}
			draft, err := json.Marshal(map[string]any{"after": m.After, "moves": m.Moves[rng.IntN(len(m.Moves)):][:1]})
			if err != nil {
				t.Fatal(err)
			}
			anna.try("POST", at+"/moves", string(draft), "")
		}
	}
	if err := bot.Wait(); err != nil || !bytes.Contains(out.Bytes(), []byte(`"over": true`)) {
		t.Errorf("the bot ended with %v and said %s", err, out.String())
	}
}
