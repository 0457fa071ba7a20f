package server

import (
	"net/http/httptest"
	"testing"
)

// TestFromWhere holds for whom requests are counted: an address and a network of
// the old kind of addresses and of the new, told by the peer or by a proxy.
func TestFromWhere(t *testing.T) {
	for _, x := range []struct {
		peer, forwarded  string
		proxy            bool
		address, network string
	}{
		{peer: "203.0.113.77:5000", address: "203.0.113.77", network: "203.0.113.0/24"},
		{peer: "[::ffff:203.0.113.77]:5000", address: "203.0.113.77", network: "203.0.113.0/24"},
		{peer: "[2001:db8:1:2:3::4]:5000", address: "2001:db8:1:2::/64", network: "2001:db8:1::/48"},
		{peer: "[fe80::1%eth0]:5000", address: "fe80::/64", network: "fe80::/48"},
		{peer: "@", address: "@", network: "@"},
		{peer: "127.0.0.1:5000", forwarded: "198.51.100.9", address: "127.0.0.1", network: "127.0.0.0/24"},
		{peer: "127.0.0.1:5000", forwarded: "6.6.6.6, 198.51.100.9", proxy: true, address: "198.51.100.9", network: "198.51.100.0/24"},
		{peer: "127.0.0.1:5000", forwarded: "nonsense", proxy: true, address: "nonsense", network: "nonsense"},
	} {
		s := &Server{Options: Options{Proxy: x.proxy}}
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = x.peer
		if x.forwarded != "" {
			r.Header.Set("X-Forwarded-For", x.forwarded)
		}
		if got := s.address(r); got != x.address {
			t.Errorf("%s, forwarded %q: the address is %s, not %s", x.peer, x.forwarded, got, x.address)
		}
		if got := s.network(r); got != x.network {
			t.Errorf("%s, forwarded %q: the network is %s, not %s", x.peer, x.forwarded, got, x.network)
		}
	}
}
