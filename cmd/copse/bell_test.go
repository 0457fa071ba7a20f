package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wishes asks a server for something as whoever has a cookie.
func wishes(t *testing.T, method, url, cookie, body string, status int, into any) (set string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	good(t, err)
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	good(t, err)
	raw, err := io.ReadAll(answer.Body)
	good(t, err, answer.Body.Close())
	if answer.StatusCode != status {
		t.Fatalf("%s %s is answered %d %s", method, url, answer.StatusCode, raw)
	}
	if into != nil {
		good(t, json.Unmarshal(raw, into))
	}
	set, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	return set
}

// rung is how somebody's doorbell is set.
type rung struct {
	Offered  bool
	Key      string
	Browsers []struct{ ID string }
}

const someBrowser = `{"subscription":{"endpoint":"https://fcm.googleapis.com/fcm/send/secret-of-the-browser","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}},"language":"en","zone":"Europe/Zurich"}`

// TestTheDoorbellOutlivesItsKey: browsers that were switched on stay so when the key of the
// house is changed; with a copy that has no key nobody can ring at them, and nothing is
// thrown away unless somebody says so.
func TestTheDoorbellOutlivesItsKey(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	cookie := wishes(t, "POST", s.url+"/api/me", "", `{"name":"Anna"}`, 201, nil)
	var before, now rung
	wishes(t, "POST", s.url+"/api/me/doorbell/browsers", cookie, someBrowser, 201, &before)
	if !before.Offered || len(before.Browsers) != 1 || len(before.Key) != 87 {
		t.Fatalf("it is %+v", before)
	}
	s.stop()
	if said := fmt.Sprint(s.cmd.Stderr); strings.Contains(said, "secret-of-the-browser") || strings.Contains(said, "googleapis") {
		t.Errorf("the log says %s", said)
	}
	for _, file := range []string{databaseName, databaseName + "-wal"} {
		if raw, err := os.ReadFile(filepath.Join(s.data, file)); err == nil && strings.Contains(string(raw), "secret-of-the-browser") {
			t.Errorf("%s says where a browser is told something", file)
		}
	}
	if said := runs(t, "key", "rotate", "--data", s.data); !strings.Contains(said, "a new key seals 2 secrets") {
		t.Errorf("it says %s", said)
	}
	s.start()
	if wishes(t, "GET", s.url+"/api/me/doorbell", cookie, "", 200, &now); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Errorf("with the new key it is %+v, before %+v", now, before)
	}
	s.stop()

	copied := filepath.Join(t.TempDir(), "copied.db")
	runs(t, "backup", "--without-key", "--data", s.data, copied)
	back := &served{t: t, addr: ownAddress(t), data: filepath.Join(t.TempDir(), "back"), back: make(chan struct{})}
	back.url = "http://" + back.addr
	runs(t, "restore", "--data", back.data, copied)
	back.start()
	t.Cleanup(func() { _, _ = back.cmd.Process.Kill(), back.cmd.Wait() })
	if wishes(t, "GET", back.url+"/api/me/doorbell", cookie, "", 200, &now); now.Offered || len(now.Browsers) != 0 {
		t.Errorf("without its key it is %+v", now)
	}
	wishes(t, "POST", back.url+"/api/me/doorbell/browsers", cookie, someBrowser, 409, nil)
	back.stop()
	if said := fmt.Sprint(back.cmd.Stderr); !strings.Contains(said, "nobody is told that it is their turn") {
		t.Errorf("it says %s", said)
	}
	own := read(t, filepath.Join(back.data, keyName))
	good(t, os.WriteFile(filepath.Join(back.data, keyName), read(t, filepath.Join(s.data, keyName)), 0o600))
	back.start()
	if wishes(t, "GET", back.url+"/api/me/doorbell", cookie, "", 200, &now); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Errorf("with its key it is %+v, before %+v", now, before)
	}
	back.stop()
	good(t, os.WriteFile(filepath.Join(back.data, keyName), own, 0o600))
	runs(t, "key", "rotate", "--lost", "--data", back.data)
	back.start()
	if wishes(t, "GET", back.url+"/api/me/doorbell", cookie, "", 200, &now); !now.Offered || now.Key == before.Key || len(now.Browsers) != 0 {
		t.Errorf("given up it is %+v", now)
	}
	back.stop()
	back.args = []string{"--push=off"}
	back.start()
	if wishes(t, "GET", back.url+"/api/me/doorbell", cookie, "", 200, &now); now.Offered {
		t.Errorf("switched off it is %+v", now)
	}
	back.stop()
}

func TestOnlySomebodyCanBeTurnedTo(t *testing.T) {
	t.Parallel()
	for contact, fine := range map[string]bool{
		"": true, "off": true, "mailto:oak@copse.example": true, "https://copse.example": true, "https://copse.example/about": true,
		"oak@copse.example": false, "mailto:": false, "mailto:oak": false, "http://copse.example": false, "https://": false, "on": false, "mailto:oak@copse.example\" x": false,
	} {
		if err := checkPush(contact); (err == nil) != fine {
			t.Errorf("%q: %v", contact, err)
		}
	}
	for _, c := range []struct {
		serve serveCommand
		want  string
	}{
		{serveCommand{}, usualContact}, {serveCommand{Host: []string{"copse.example", "b.example"}}, "https://copse.example"}, {serveCommand{Host: []string{"copse.example"}, Push: "mailto:oak@copse.example"}, "mailto:oak@copse.example"},
	} {
		if got := c.serve.subject(); got != c.want {
			t.Errorf("%+v: %s", c.serve, got)
		}
	}
}
