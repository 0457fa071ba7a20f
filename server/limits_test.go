package server

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"copse/game"
)

// TestAQuota lets a burst through, then one as often as it says, and tells how long
// to wait.
func TestAQuota(t *testing.T) {
	now := time.Duration(0)
	l := newLimits(Limits{})
	l.clock = func() time.Duration { return now }
	q := quota{many: 2, in: 10 * time.Second, burst: 3}
	wait := func(want int) {
		t.Helper()
		err, seconds := l.often("x", "anna", q), 0
		var refusal *game.Refusal
		if errors.As(err, &refusal) {
			seconds = refusal.Args["seconds"].(int)
		}
		if seconds != want {
			t.Errorf("at %v one waits %d seconds, want %d", now, seconds, want)
		}
	}
	for range 3 {
		wait(0)
	}
	for range 2 { // who is refused loses nothing by asking
		wait(5)
	}
	now += 3500 * time.Millisecond
	wait(2)
	now += 1500 * time.Millisecond
	wait(0)
	wait(5)
	l.giveBack("x", "anna", q)
	wait(0)
	wait(5)
	now += time.Hour
	for range 3 {
		wait(0)
	}
	wait(5)
	if err := l.often("x", "ben", q); err != nil {
		t.Errorf("ben waits for anna: %v", err)
	}
	if err := l.often("y", "anna", q); err != nil {
		t.Errorf("another thing is counted with it: %v", err)
	}
	for range 100 {
		if err := l.often("z", "anna", quota{-1, time.Second, 1}); err != nil {
			t.Fatalf("without a limit there is one: %v", err)
		}
	}
}

// TestGaugesStayFew: whoever attacks, and nobody who must wait is forgotten for it.
func TestGaugesStayFew(t *testing.T) {
	now := time.Duration(0)
	l := newLimits(Limits{})
	l.clock = func() time.Duration { return now }
	l.most = 2000
	q := quota{many: 60, in: time.Hour, burst: 30}
	wait := func(who string) bool { return l.often("x", who, q) != nil }
	for n := range 500 {
		for !wait(fmt.Sprint("guilty-", n)) {
		}
	}
	for n := range 20 * l.most {
		now += time.Microsecond
		who := fmt.Sprint("crowd-", n)
		for range 1 + n%3 {
			if wait(who) {
				t.Fatalf("%s must wait for others", who)
			}
		}
		if len(l.gauges) > l.most {
			t.Fatalf("there are %d gauges", len(l.gauges))
		}
	}
	for n := range 500 {
		if !wait(fmt.Sprint("guilty-", n)) {
			t.Fatal("who must wait is forgotten")
		}
	}
	now += time.Hour
	l.tidy(now)
	if len(l.gauges) != 0 {
		t.Errorf("of those at rest %d are remembered", len(l.gauges))
	}
}

// TestFromWhere holds for whom requests are counted: an address and a network of
// IPv4 and of IPv6, told by the peer or by a proxy.
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
		{peer: "127.0.0.1:5000", forwarded: "nonsense", proxy: true, address: "127.0.0.1", network: "127.0.0.0/24"},
		{peer: "127.0.0.1:5000", forwarded: "198.51.100.9:4711", proxy: true, address: "198.51.100.9", network: "198.51.100.0/24"},
		{peer: "127.0.0.1:5000", forwarded: "[2001:db8:9::1]:1000", proxy: true, address: "2001:db8:9::/64", network: "2001:db8:9::/48"},
		{peer: "127.0.0.1:5000", forwarded: "2001:db8:9::1", proxy: true, address: "2001:db8:9::/64", network: "2001:db8:9::/48"},
	} {
		var proxies []netip.Prefix
		if x.proxy {
			proxies = Loopback()
		}
		s := &Server{Options: Options{Proxies: proxies}}
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
