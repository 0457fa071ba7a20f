package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asks asks a server as somebody, who is nobody before they get a cookie.
func (g *guest) asks(method, path, body string) (status int, answer string) {
	g.t.Helper()
	req, err := http.NewRequest(method, g.url+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	if g.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "copse", Value: g.cookie})
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	for _, c := range res.Cookies() {
		g.cookie = c.Value
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// soon waits until an answer has a status: seconds on a machine that does nothing else,
// and a minute at most.
func (g *guest) soon(want int, method, path, body string) {
	g.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		status, answer := g.asks(method, path, body)
		if status == want {
			return
		}
		if time.Now().After(end) {
			g.t.Fatalf("%s %s is answered %d, not %d, for a minute: %s", method, path, status, want, answer)
		}
	}
}

// TestOrdersWhileAServerRuns: they are in force when the command ends; and without a
// server they are in force when there is one again.
func TestOrdersWhileAServerRuns(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	anna, ben := &guest{served: s}, &guest{served: s}
	for name, g := range map[string]*guest{"Anna": anna, "Ben": ben} {
		if status, answer := g.asks("POST", "/api/me", `{"name":"`+name+`"}`); status != 201 {
			t.Fatal(status, answer)
		}
	}
	_, raw := anna.asks("POST", "/api/tables", `{"game":"bosk","seats":2}`)
	var made struct{ Table string }
	if err := json.Unmarshal([]byte(raw), &made); err != nil {
		t.Fatal(err)
	}
	if status, answer := ben.asks("POST", "/api/tables/"+made.Table+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`); status != 200 {
		t.Fatal(status, answer)
	}
	if status, answer := anna.asks("POST", "/api/reports", `{"table":"`+made.Table+`","seat":0,"why":"name","text":"a bad name"}`); status != 204 {
		t.Fatal(status, answer)
	}
	at := []string{"--data", s.data}
	with := func(args ...string) []string { return append(args, at...) }
	if out := runs(t, with("reports")...); !strings.Contains(out, "Ben") || !strings.Contains(out, "Anna") || !strings.Contains(out, "open") {
		t.Error(out)
	}
	if out := runs(t, with("reports", "show", "1")...); !strings.Contains(out, "a bad name") {
		t.Error(out)
	}
	fails(t, "there is no report 2", with("reports", "show", "2")...)
	runs(t, with("reports", "close", "1", "--note", "seen")...)
	fails(t, "closed before", with("reports", "close", "1")...)
	if out := runs(t, with("reports")...); out != "no reports\n" {
		t.Error(out)
	}
	if out := runs(t, with("reports", "--all")...); !strings.Contains(out, "closed") {
		t.Error(out)
	}

	if status, _ := ben.asks("GET", "/api/tables", ""); status != 200 {
		t.Fatal(status)
	}
	runs(t, with("people", "ban", "ben", "--why", "too loud", "--for", "7d")...)
	if status, answer := ben.asks("GET", "/api/tables", ""); status != 403 || !strings.Contains(answer, "too loud") {
		t.Errorf("banned, and answered %d: %s", status, answer)
	}
	if _, look := anna.asks("GET", "/api/tables/"+made.Table, ""); strings.Contains(look, `"held":"person"`) {
		t.Errorf("who is banned still sits there: %.300s", look)
	}
	if out := runs(t, with("people", "show", "Ben")...); !strings.Contains(out, "banned until") || !strings.Contains(out, "this machine") {
		t.Error(out)
	}
	fails(t, `nobody here is called "Cleo"`, with("people", "mute", "Cleo", "--why", "x")...)
	fails(t, "operators are members", with("people", "operator", "Anna", "--on")...)
	fails(t, "nothing to take back", with("people", "unmute", "Anna")...)
	if _, told, code := copse(t, "", with("people", "mute", "Anna", "--why", "x", "--for", "soon")...); code != exitUsage || !strings.Contains(told, "7d") {
		t.Errorf("exit code %d: %s", code, told)
	}
	var acts deskAnswer
	if err := json.Unmarshal([]byte(runs(t, with("people", "acts", "--json")...)), &acts); err != nil || len(acts.Acts) != 1 || acts.Acts[0].Why != "too loud" {
		t.Errorf("%+v, %v", acts, err)
	}
	info, err := os.Lstat(filepath.Join(s.data, deskName))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can open the desk: %v, %v", info, err)
	}

	s.stop()
	if _, err := os.Lstat(filepath.Join(s.data, deskName)); err == nil {
		t.Error("the desk is there although nobody serves")
	}
	runs(t, with("people", "unban", "Ben", "--why", "enough")...)
	runs(t, with("people", "rename", "Anna", "--why", "a bad name")...)
	s.start()
	if status, answer := ben.asks("GET", "/api/tables", ""); status != 200 {
		t.Errorf("%d %s", status, answer)
	}
	if _, me := anna.asks("GET", "/api/me", ""); !strings.Contains(me, `"name":"Guest `) {
		t.Error(me)
	}
	if status, answer := (&guest{served: s}).asks("POST", "/api/me", `{"name":"Аnna"}`); status != 409 { // with a Cyrillic А
		t.Errorf("%d %s", status, answer)
	}
}

// TestOrdersToAHouseOfNodes: a command writes to the database, and every node knows
// within seconds.
func TestOrdersToAHouseOfNodes(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	a, b := q.node(q.store, q.news), q.node(q.store, q.news)
	anna := &guest{served: a}
	if status, answer := anna.asks("POST", "/api/me", `{"name":"Anna"}`); status != 201 {
		t.Fatal(status, answer)
	}
	there := &guest{served: b, cookie: anna.cookie}
	there.soon(200, "GET", "/api/tables", "")
	_, raw := anna.asks("POST", "/api/tables", `{"game":"bosk","seats":2}`)
	var made struct{ Table string }
	if err := json.Unmarshal([]byte(raw), &made); err != nil {
		t.Fatal(err)
	}
	if status, answer := anna.asks("POST", "/api/tables/"+made.Table+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`); status != 200 {
		t.Fatal(status, answer)
	}
	at := []string{"--store", q.store, "--data", a.data}
	runs(t, append([]string{"people", "ban", "Anna", "--why", "x"}, at...)...)
	anna.soon(403, "GET", "/api/tables", "")
	there.soon(403, "GET", "/api/tables", "")
	nobody := &guest{served: b}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, look := nobody.asks("GET", "/api/tables/"+made.Table, ""); !strings.Contains(look, `"held":"person"`) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("who is banned still sits there")
		}
	}
	cleo := &guest{served: a}
	if status, answer := cleo.asks("POST", "/api/me", `{"name":"Cleo"}`); status != 201 {
		t.Fatal(status, answer)
	}
	elsewhere := &guest{served: b, cookie: cleo.cookie}
	elsewhere.soon(200, "GET", "/api/me/sessions", "")
	if out := runs(t, append([]string{"people", "sign-out", "Cleo", "--why", "x"}, at...)...); !strings.Contains(out, "sign out Cleo") {
		t.Error(out)
	}
	elsewhere.soon(401, "GET", "/api/me/sessions", "")
	cleo.soon(401, "GET", "/api/me/sessions", "")
	runs(t, append([]string{"people", "unban", "Anna"}, at...)...)
	runs(t, append([]string{"people", "rename", "Anna", "--why", "x"}, at...)...)
	there.soon(200, "GET", "/api/tables", "")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, me := there.asks("GET", "/api/me", ""); strings.Contains(me, `"name":"Guest `) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the other node does not know the new name")
		}
	}
}

func TestAHouseWithItsOwnWords(t *testing.T) {
	t.Parallel()
	list := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(list, []byte("gurke\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, addr: ownAddress(t), data: t.TempDir(), back: make(chan struct{}), args: []string{"--words", list, "--chat", "off"}}
	s.url = "http://" + s.addr
	s.start()
	t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	for name, want := range map[string]int{"Gurke": 409, "Gurken": 201} {
		if status, answer := (&guest{served: s}).asks("POST", "/api/me", `{"name":"`+name+`"}`); status != want {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if _, games := (&guest{served: s}).asks("GET", "/api/games", ""); !strings.Contains(games, `"chat":"off"`) {
		t.Errorf("%.300s", games)
	}
	fails(t, "--words", "serve", "--addr", "localhost:0", "--data", t.TempDir(), "--words", filepath.Join(t.TempDir(), "none"))
}
