package server

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// onSocket is how the other end of a Unix socket is called, which has no address.
// Only those can open one whom the operator lets, so it is taken for a proxy.
const onSocket = "@"

// Loopback are the addresses of this machine.
func Loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// believes tells whether the word of an address is taken on who asks.
func (s *Server) believes(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	for _, proxies := range s.Proxies {
		if proxies.Contains(ip) {
			return true
		}
	}
	return false
}

// proxied tells whether a request comes from a proxy that can be believed. What
// anybody else says about who they are says nothing.
func (s *Server) proxied(r *http.Request) bool {
	if r.RemoteAddr == onSocket {
		return true
	}
	if len(s.Proxies) == 0 {
		return false
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && s.believes(from.Addr())
}

// forwards tells whether a request says of itself that it came through a proxy,
// believed or not.
func forwards(r *http.Request) bool {
	for name := range r.Header {
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "X-Original-Host":
			return true
		}
		if strings.HasPrefix(name, "X-Forwarded-") || strings.HasPrefix(name, "Cf-") || strings.HasPrefix(name, "X-Envoy-") {
			return true
		}
	}
	return false
}

// asker is who asks, and what they asked for, as the proxy says to which they speak.
type asker struct {
	address string // without a port
	proto   string // empty where nobody says so
	host    string // likewise
}

// asker follows a request back through the proxies that can be believed: each names
// who has asked it, the last one last. Whoever is named and is no such proxy asks;
// what stands before them they have written themselves. Where a proxy names no
// address it counts itself: else a client that can have anything named would be
// somebody else each time.
//
// Proxies set X-Forwarded-For or Forwarded, and most pass on whichever they do not
// set as the client has sent it. So where both are there and name different clients
// neither is believed, and the proxy counts itself.
func (s *Server) asker(r *http.Request) asker {
	peer := asker{address: withoutPort(r.RemoteAddr)}
	if !s.proxied(r) {
		return peer
	}
	usual := peer
	lines, passed := r.Header["X-Forwarded-For"], 0
	for named := range backwards(lines) {
		ip, ok := namedAddress(named)
		if !ok {
			break
		}
		usual.address = ip.String()
		if !s.believes(ip) {
			break
		}
		passed++
	}
	usual.proto = fromRight(r.Header["X-Forwarded-Proto"], passed)
	usual.host = fromRight(r.Header["X-Forwarded-Host"], passed)
	if r.Header["Forwarded"] == nil {
		return usual
	}
	standard := peer
	for hops := readForwarded(r.Header["Forwarded"]); len(hops) > 0; hops = hops[:len(hops)-1] {
		hop := hops[len(hops)-1]
		standard.proto, standard.host = hop.proto, hop.host
		ip, ok := namedAddress(hop.address)
		if !ok {
			break
		}
		standard.address = ip.String()
		if !s.believes(ip) {
			break
		}
	}
	if len(lines) > 0 && usual.address != standard.address {
		standard.address = peer.address
	}
	return asker{standard.address, cmp.Or(usual.proto, standard.proto), cmp.Or(usual.host, standard.host)}
}

// backwards are the values of a header that is a list, from the right.
func backwards(lines []string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := len(lines) - 1; i >= 0; i-- {
			for rest, comma := lines[i], 0; comma >= 0; {
				comma = strings.LastIndexByte(rest, ',')
				if !yield(strings.TrimSpace(rest[comma+1:])) {
					return
				}
				rest = rest[:max(comma, 0)]
			}
		}
	}
}

// fromRight is the value of a header that so many proxies have written behind, or
// the first of all where they write nothing behind it; empty where there is none.
func fromRight(lines []string, passed int) (value string) {
	for value = range backwards(lines) {
		if passed == 0 {
			break
		}
		passed--
	}
	return value
}

// namedAddress is the address that a proxy names, with or without brackets and port.
func namedAddress(text string) (netip.Addr, bool) {
	text = withoutPort(text)
	if inner, found := strings.CutPrefix(text, "["); found {
		text = strings.TrimSuffix(inner, "]")
	}
	ip, err := netip.ParseAddr(text)
	return ip.Unmap().WithZone(""), err == nil
}

// withoutPort is an address without its port, where it has one.
func withoutPort(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		return host
	}
	return text
}

// readForwarded reads Forwarded (RFC 7239): a hop for each proxy, in which quotes may
// stand around what is told. What cannot be read is a hop that tells nothing, like all
// before it: whoever wrote that may have meant to write the next one too.
func readForwarded(lines []string) (hops []asker) {
	text := strings.Join(lines, ",")
	for more := true; more; {
		var hop asker
		for {
			var name, value string
			var ok bool
			name, text, ok = strings.Cut(text, "=")
			if !ok || strings.ContainsAny(name, `",;`) {
				return []asker{{}}
			}
			value, text, ok = quoted(text)
			if !ok {
				return []asker{{}}
			}
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "for":
				hop.address = value
			case "proto":
				hop.proto = value
			case "host":
				hop.host = value
			}
			if text == "" || text[0] == ',' {
				break
			}
			text = text[1:] // a semicolon: the same hop goes on
		}
		hops = append(hops, hop)
		more = text != ""
		text = strings.TrimPrefix(text, ",")
	}
	return hops
}

// quoted is the value with which a text begins, in quotes or not, and what comes
// behind it: a comma, a semicolon or nothing.
func quoted(text string) (value, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text+";", ",;")
		value = strings.TrimSpace(text[:end])
		return value, text[end:], !strings.Contains(value, `"`)
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			rest = strings.TrimLeft(text[i+1:], " \t")
			return b.String(), rest, rest == "" || rest[0] == ',' || rest[0] == ';'
		case '\\':
			if i++; i == len(text) {
				return "", "", false
			}
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}

// tls tells whether the browser speaks TLS, to us or to the proxy.
func (s *Server) tls(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(s.asker(r).proto, "https")
}

// door has a request name the host that its client has asked for, where a proxy that
// can be believed has put another in its place: an address, or a name without a dot.
// Other hosts stay as they are: most proxies pass X-Forwarded-Host on as it came, and
// a site that has its own name lead here must not be able to name another.
func (s *Server) door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if inward(r.Host) {
			if host := s.asker(r).host; host != "" && wellFormed(host) {
				r = r.WithContext(r.Context())
				r.Host = host
			}
		}
		next.ServeHTTP(w, r)
	})
}

// inward tells whether a host is one by which machines ask each other: no site can
// have it for its own.
func inward(host string) bool {
	name := HostName(host)
	_, err := netip.ParseAddr(name)
	return err == nil || !strings.Contains(name, ".")
}

// wellFormed tells whether a host has nothing but what the name or address of a host,
// and a port, are made of.
func wellFormed(host string) bool {
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._:[]", c) >= 0:
		default:
			return false
		}
	}
	return len(host) <= 255
}

// socket is a listener whose other ends have no address, whatever file they have
// bound themselves to.
type socket struct{ net.Listener }

func (l socket) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return unnamed{conn}, nil
}

// unnamed is a connection on a Unix socket.
type unnamed struct{ net.Conn }

func (unnamed) RemoteAddr() net.Addr { return &net.UnixAddr{Name: onSocket, Net: "unix"} }
