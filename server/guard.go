package server

import (
	"io"
	"net/http"
	"path"
	"strings"

	"copse/game"
)

// policy lets a page run what it came with and nothing else: no script, style,
// picture or connection from anywhere but here, nothing inline, no frame around it.
// WebAssembly is allowed for the engine.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// header is a header with its value, made once for all answers: net/http reads it, and
// whoever sets it anew puts another in its place.
type header struct {
	name  string // as net/http writes it
	value []string
}

// secured are the headers that every answer has.
var secured = []header{
	{"Content-Security-Policy", []string{policy}},
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"Permissions-Policy", []string{"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"}},
	{"Cross-Origin-Opener-Policy", []string{"same-origin"}},
	{"Cross-Origin-Resource-Policy", []string{"same-origin"}},
}

// secure sets the headers that every answer has, errors included.
func (s *Server) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for _, one := range secured {
			h[one.name] = one.value
		}
		if s.tls(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000") // a year, this host alone
		}
		next.ServeHTTP(w, r)
	})
}

// direct lets through only plain paths: none with "..", an empty step or a
// backslash.
func direct(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if plain(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		straight := path.Clean("/" + r.URL.Path)
		if straight != "/" && strings.HasSuffix(r.URL.Path, "/") {
			straight += "/"
		}
		if r.URL.Path != straight || strings.ContainsAny(straight, "\\\x00") {
			nothing(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// plain tells of nearly every plain path that it is one, at a glance.
func plain(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for i := range len(path) {
		switch c := path[i]; {
		case c == '\\' || c == 0, c == '/' && i+1 < len(path) && (path[i+1] == '/' || path[i+1] == '.'):
			return false
		}
	}
	return true
}

// nothing answers that there is nothing, in the form of the API where the API was
// asked.
func nothing(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/") {
		p, _ := problemOf(game.Refuse("", "server.path", nil))
		p.write(w, r)
		return
	}
	say(w, http.StatusNotFound, notHere)
}

// sameOrigin refuses requests that another site has a browser send here.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := protection.Check(r); err != nil {
			p, _ := problemOf(game.Refuse("", "server.origin", nil))
			p.write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onlyRead refuses requests that would change something.
func onlyRead(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			say(w, http.StatusMethodNotAllowed, "This can only be read: ask with GET or HEAD.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// say answers with one plain sentence that is not cached.
func say(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, sentence+"\n") // an error means that the client has hung up: there is nobody to tell
}
