package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhereARequestEnds: one that says in two ways where it ends is read in the one way
// that HTTP says, or not at all. What a proxy took for its body is never a request.
func TestWhereARequestEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	on := w.open()
	anna := w.guest("Anna")
	const body = `{"name":"Bea"}`
	chunks := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	length := func(n int) string { return fmt.Sprintf("Content-Length: %d", n) }
	hidden := anna.head("PATCH", "/api/me", length(17)) + `{"name":"Hidden"}`

	// Chunks count, and what comes behind them is the next request, wherever a length says
	// that the first one ends.
	for _, n := range []int{0, 4, len(chunks), len(chunks) + 100} {
		line := anna.dial(on.Addr().String())
		line.send(anna.head("PATCH", "/api/me", length(n), "Transfer-Encoding: chunked") + chunks + anna.head("GET", "/api/me"))
		for range 2 {
			if r, ok := line.answer("GET"); !ok || r.status != 200 || !strings.Contains(string(r.body), "Bea") {
				t.Fatalf("with a length of %d it is answered %v %d %s", n, ok, r.status, r.body)
			}
		}
	}
	// Nobody knows where these end: they are refused, and nothing is read behind them.
	for _, lines := range [][]string{
		{length(len(body)), length(len(body) + 1)},
		{fmt.Sprintf("Content-Length: %d, %d", len(body), len(body)+1)},
		{"Content-Length: +14"}, {"Content-Length: -1"}, {"Content-Length: 0x0e"}, {"Content-Length: 99999999999999999999"},
		{"Transfer-Encoding: chunked, identity"}, {"Transfer-Encoding: xchunked"}, {"Transfer-Encoding: chunked", "Transfer-Encoding: chunked"},
		{"Transfer-Encoding : chunked"}, {"Content-Length : 14"},
		{"Transfer-Encoding: \x0bchunked"},
	} {
		line := anna.dial(on.Addr().String())
		line.send(anna.head("PATCH", "/api/me", lines...) + hidden + hidden)
		if r, ok := line.answer("PATCH"); !ok || r.status < 400 || r.status == 401 {
			t.Errorf("%q is answered %v %d", lines, ok, r.status)
		}
		if r, ok := line.answer("PATCH"); ok {
			t.Errorf("%q: what comes behind it is answered %d", lines, r.status)
		}
	}
	if got := anna.name(); got != "Bea" {
		t.Errorf("she is called %s", got)
	}
}

// TestANewHouseKnowsNobody: there is no account that anybody could know of before it was
// made, and none that comes with a name.
func TestANewHouseKnowsNobody(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	for _, kind := range []string{"name", "passkey", "codes"} {
		if list, err := w.db.Papers(t.Context(), kind, "", "", 10); err != nil || len(list) != 0 {
			t.Errorf("there are %d papers of the kind %s: %v", len(list), kind, err)
		}
	}
	for _, name := range []string{"admin", "Administrator", "root", "operator", "copse", "guest", "test"} {
		w.nobody().ask("POST", "/api/recover", fmt.Sprintf(`{"name":%q,"code":"2222-2222-2222-2222-2222-2222"}`, name)).refuses(t, 409, "server.recovery")
		anna := w.guest(name) // nobody has it: it is anybody's
		if anna.name() != name {
			t.Errorf("%s is %s", name, anna.name())
		}
		anna.ask("DELETE", "/api/me", "").is(t, 204)
	}
}
