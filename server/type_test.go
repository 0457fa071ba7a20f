package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestABodyIsJSON: one that says that it is anything else, or nothing, is not read,
// in three languages; where there is no body nothing need be said.
func TestABodyIsJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.guest("Anna")
	id := begun(`{"game":"bosk","seats":2}`, anna, w.guest("Ben"))
	at := "/api/tables/" + id
	for _, good := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\"", "application/json; profile=x"} {
		anna.ask("POST", at+"/chat", `{"text":"hello"}`, "Content-Type: "+good).is(t, 201)
	}
	for _, bad := range []string{
		"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=latin1",
		"application/problem+json", "application/jsonl", "application/json, application/json", "json", "application/json; charset",
	} {
		r := anna.ask("POST", at+"/chat", `{"text":"never"}`, "Content-Type: "+bad)
		r.refuses(t, 415, "server.type")
		if r.header.Get("Accept") != "application/json" {
			t.Errorf("%s is answered with %v", bad, r.header)
		}
		// Nor is it carried out where no body is read.
		anna.ask("POST", at+"/resign", `{}`, "Content-Type: "+bad).refuses(t, 415, "server.type")
		anna.ask("PATCH", "/api/me", `{"name":"Eve"}`, "Content-Type: "+bad).refuses(t, 415, "server.type")
	}
	for tag, words := range map[string]string{"en": "Send this as JSON", "fr": "Envoyez ceci en JSON", "it": "Invia questo in JSON"} {
		if r := anna.ask("POST", at+"/chat", `{"text":"never"}`, "Content-Type: text/plain", "Accept-Language: "+tag); !strings.Contains(string(r.body), words) {
			t.Errorf("in %s it says %s", tag, r.body)
		}
	}

	// Over the wire, where a header may be left out or be there twice.
	for lines, want := range map[string]int{
		"Content-Length: 16\r\n\r\n{\"text\":\"never\"}":                                                                     415,
		"Content-Length: 16\r\nContent-Type: application/json\r\nContent-Type: application/json\r\n\r\n{\"text\":\"never\"}": 415,
		"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"text\":\"never\"}\r\n0\r\n\r\n":              415,
		"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"text\":\"hello\"}\r\n0\r\n\r\n":        201,
		"Content-Length: 0\r\n\r\n": 400, // nothing is said, of whatever type
	} {
		c := anna.dial(strings.TrimPrefix(w.url, "http://"))
		c.send("POST " + at + "/chat HTTP/1.1\r\nHost: copse\r\nCookie: copse=" + anna.cookie + "\r\n" + lines)
		res, err := http.ReadResponse(c.in, nil)
		if err != nil || res.StatusCode != want {
			t.Errorf("%q is answered %v, %v", lines, res, err)
		}
	}
	said := string(anna.ask("GET", at+"/chat", "").is(t, 200).body)
	if strings.Contains(said, "never") || strings.Count(said, "hello") != 5 {
		t.Errorf("what was said is %s", said)
	}

	// Nothing at all is of any type.
	for _, any := range []string{"", "text/plain", "application/x-www-form-urlencoded"} {
		header := []string{}
		if any != "" {
			header = append(header, "Content-Type: "+any)
		}
		anna.ask("POST", at+"/pause", "", header...).is(t, 200)
		anna.ask("POST", at+"/answer", `{"for":"pause","yes":false}`).is(t, 200)
	}
	anna.ask("GET", at, "", "Content-Type: text/plain").is(t, 200)
}
