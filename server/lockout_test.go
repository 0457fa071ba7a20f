package server_test

import (
	"fmt"
	"testing"

	"copse/server"
	"copse/server/hall"
)

// TestNobodyIsLockedOutByOthers: whoever tries codes and passkeys in somebody's name has to
// wait, and the one whose name it is does not.
func TestNobodyIsLockedOutByOthers(t *testing.T) {
	t.Parallel()
	w := newSite(t, func(_ *hall.Options, s *server.Options) { s.Proxies = server.Loopback() })
	anna := w.guest("Anna")
	k := w.newKey()
	codes := anna.keepName(k).Codes
	tries := func(name, code, address string) reply {
		return w.nobody().ask("POST", "/api/recover", fmt.Sprintf(`{"name":%q,"code":%q}`, name, code), from(address))
	}
	a, cookie := w.nobody().knock()
	bad := w.newKey().answers(t, a)
	for range 12 {
		tries("Anna", "2222-2222-2222-2222-2222-2222", "203.0.113.1")
		w.nobody().ask("POST", "/api/sign-in", bad, cookie, from("203.0.113.1"))
	}
	tries("Anna", codes[0], "203.0.113.1").refuses(t, 429, "server.often")
	w.nobody().ask("POST", "/api/sign-in", bad, cookie, from("203.0.113.1")).refuses(t, 429, "server.often")
	tries("Anna", codes[0], "198.51.100.1").is(t, 200)
	a, cookie = w.nobody().knock()
	w.nobody().ask("POST", "/api/sign-in", k.answers(t, a), cookie, from("198.51.100.1")).is(t, 200)
	anna.ask("GET", "/api/me", "", from("203.0.113.1")).is(t, 200) // nor is who is signed in beside them
}
