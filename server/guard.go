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

// secure sets the headers that every answer has, errors included.
func (s *Server) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
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
