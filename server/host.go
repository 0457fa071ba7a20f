package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"copse/game"
)

// notThisHost says to the operator how a host comes to be served.
const notThisHost = "Copse does not answer for this host name. Whoever runs it names the hosts that it serves: copse serve --host NAME, with --proxy where a proxy stands before it."

// HostName is a host in the form in which it is compared: without port, brackets, a
// dot at its end and capitals.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// here tells whether a host name always means this machine, so that no other site
// can use it.
func here(name string) bool {
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback() || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// served tells whether requests to a host are answered. A page elsewhere may point
// its own name at this machine, and then browsers take us for that site: so where
// only this machine can reach us, we answer only to names of this machine.
func (s *Server) served(host string) bool {
	name := HostName(host)
	if len(s.hosts) > 0 {
		return s.hosts[name]
	}
	return !s.Local || here(name)
}

// named refuses requests to other hosts, except health checks, which ask by
// whatever address they have.
func (s *Server) named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/readyz", "/metrics":
		default:
			if s.served(r.Host) {
				break
			}
			if strings.HasPrefix(r.URL.Path, "/api/") {
				p, _ := problemOf(game.Refuse("", "server.host", nil))
				p.write(w, r)
				return
			}
			say(w, http.StatusMisdirectedRequest, notThisHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}
