package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// ranges are addresses and ranges of proxies.
func ranges(list ...string) (all []netip.Prefix) {
	for _, one := range list {
		all = append(all, netip.MustParsePrefix(one))
	}
	return all
}

// lines are a request from somewhere with headers.
func lines(from string, header ...string) *http.Request {
	r := httptest.NewRequest("GET", "http://copse.example/", nil)
	r.RemoteAddr = from
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// TestOnlyProxiesThatAreNamedSayWhoAsks: lists are read from the right, past those
// proxies alone, and whatever else stands there changes nothing.
func TestOnlyProxiesThatAreNamedSayWhoAsks(t *testing.T) {
	const client, liar, edge, near, far = "203.0.113.7", "6.6.6.6", "10.1.2.3", "127.0.0.1:5000", "198.51.100.1:5000"
	for _, x := range []struct {
		from   string
		header []string
		want   asker
	}{
		// Whoever is not named is who they are.
		{far, []string{"X-Forwarded-For: " + client, "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example"}, asker{"198.51.100.1", "", ""}},
		{far, []string{"Forwarded: for=" + client + ";proto=https"}, asker{"198.51.100.1", "", ""}},
		{"10.0.0.1:5000", []string{"X-Forwarded-For: " + client}, asker{"10.0.0.1", "", ""}},
		{"nonsense", []string{"X-Forwarded-For: " + client}, asker{"nonsense", "", ""}},
		{"[2001:db8:2::1]:5000", []string{"X-Forwarded-For: " + client}, asker{"2001:db8:2::1", "", ""}},

		// Those that are named say who asks them, also those of IPv6 and those on a socket.
		{near, []string{"X-Forwarded-For: " + client, "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example"}, asker{client, "https", "a.example"}},
		{edge + ":1", []string{"X-Forwarded-For: " + client}, asker{client, "", ""}},
		{"[::ffff:10.1.2.3]:1", []string{"X-Forwarded-For: ::ffff:" + client}, asker{client, "", ""}},
		{"[2001:db8:1::5]:1", []string{"X-Forwarded-For: " + client}, asker{client, "", ""}},
		{"[fe80::1%eth0]:1", []string{"X-Forwarded-For: fe80::2%eth0"}, asker{"fe80::2", "", ""}},
		{onSocket, []string{"X-Forwarded-For: " + client, "X-Forwarded-Proto: https"}, asker{client, "https", ""}},
		{onSocket, nil, asker{onSocket, "", ""}},
		{near, nil, asker{"127.0.0.1", "", ""}},

		// What a client writes stands before what the proxies write.
		{near, []string{"X-Forwarded-For: " + liar + ", " + client}, asker{client, "", ""}},
		{near, []string{"X-Forwarded-For: " + liar, "X-Forwarded-For: " + client}, asker{client, "", ""}},
		{near, []string{"X-Forwarded-For: " + edge + ", " + liar + ", " + client}, asker{client, "", ""}},

		// Several in a row, each of which must be named.
		{near, []string{"X-Forwarded-For: " + liar + "," + client + "," + edge + ",2001:db8:1::9"}, asker{client, "", ""}},
		{near, []string{"X-Forwarded-For: " + client + ", 10.9.9.9"}, asker{"10.9.9.9", "", ""}},
		{near, []string{"X-Forwarded-For: " + client + ", " + edge, "X-Forwarded-Proto: https, http"}, asker{client, "https", ""}},
		{near, []string{"X-Forwarded-For: " + client + ", " + edge, "X-Forwarded-Proto: https"}, asker{client, "https", ""}},
		{near, []string{"X-Forwarded-For: " + client, "X-Forwarded-Proto: https, http", "X-Forwarded-Host: b.example, a.example"}, asker{client, "http", "a.example"}},
		{near, []string{"X-Forwarded-For: " + edge}, asker{edge, "", ""}}, // it asks for itself

		// What is no address is nobody: the proxy that wrote it counts itself.
		{near, []string{"X-Forwarded-For: " + client + ", unknown"}, asker{"127.0.0.1", "", ""}},
		{near, []string{"X-Forwarded-For: " + client + ", "}, asker{"127.0.0.1", "", ""}},
		{near, []string{"X-Forwarded-For: "}, asker{"127.0.0.1", "", ""}},
		{near, []string{"X-Forwarded-For: " + client + ", 1.2.3.4.5, " + edge}, asker{edge, "", ""}},

		// Forwarded says the same in its own way.
		{near, []string{"Forwarded: for=" + client + ";proto=https;host=a.example"}, asker{client, "https", "a.example"}},
		{near, []string{`Forwarded: For="[2001:db8:9::1]:4711" ; by=_x;Proto="https"`}, asker{"2001:db8:9::1", "https", ""}},
		{near, []string{`Forwarded: for=` + liar + `;proto=ftp, for="` + client + `:5";proto=https, for=` + edge + `;proto=http`}, asker{client, "https", ""}},
		{near, []string{"Forwarded: for=" + liar, "Forwarded: for=" + client}, asker{client, "", ""}},
		{near, []string{`Forwarded: for="x,for=` + liar + `", for=` + client}, asker{client, "", ""}},
		{near, []string{`Forwarded: for="\"` + liar + `", for="203.0.113.\7"`}, asker{client, "", ""}},
		{near, []string{"Forwarded: for=unknown;proto=https"}, asker{"127.0.0.1", "https", ""}},
		{near, []string{"Forwarded: for=_hidden"}, asker{"127.0.0.1", "", ""}},
		{near, []string{`Forwarded: for="` + liar + `, for=` + client}, asker{"127.0.0.1", "", ""}},
		{near, []string{`Forwarded: for="` + client + `"x`}, asker{"127.0.0.1", "", ""}},
		{near, []string{"Forwarded: for=" + liar + ";x, for=" + client}, asker{"127.0.0.1", "", ""}},
		{near, []string{`Forwarded: for=6"6, for=` + client}, asker{"127.0.0.1", "", ""}},
		{near, []string{"Forwarded: nonsense"}, asker{"127.0.0.1", "", ""}},
		{near, []string{"Forwarded: nonsense, for=" + client}, asker{"127.0.0.1", "", ""}},
		{near, []string{"Forwarded: "}, asker{"127.0.0.1", "", ""}},

		// Where both are there they must agree on who asks.
		{near, []string{"Forwarded: for=" + client + ";proto=http", "X-Forwarded-For: " + client, "X-Forwarded-Proto: https"}, asker{client, "https", ""}},
		{near, []string{"Forwarded: for=" + liar, "X-Forwarded-For: " + client, "X-Forwarded-Proto: https"}, asker{"127.0.0.1", "https", ""}},
		{near, []string{"Forwarded: for=" + client, "X-Forwarded-For: " + liar}, asker{"127.0.0.1", "", ""}},
	} {
		s := &Server{Options: Options{Proxies: append(Loopback(), ranges("10.1.0.0/16", "2001:db8:1::/48", "fe80::1/128")...)}}
		if got := s.asker(lines(x.from, x.header...)); got != x.want {
			t.Errorf("%s with %q: %+v, want %+v", x.from, x.header, got, x.want)
		}
	}
	plain := &Server{}
	if got := plain.asker(lines(near, "X-Forwarded-For: "+client, "X-Forwarded-Proto: https")); got != (asker{"127.0.0.1", "", ""}) {
		t.Errorf("without a proxy: %+v", got)
	}
	if got := plain.asker(lines(onSocket, "X-Forwarded-For: "+client)); got.address != client {
		t.Errorf("on a socket: %+v", got)
	}
}

// TestTheHostThatTheClientAskedFor: a proxy may put its own in its place, and say so;
// nobody else can.
func TestTheHostThatTheClientAskedFor(t *testing.T) {
	s := &Server{Options: Options{Proxies: Loopback()}}
	for _, x := range []struct{ from, host, forwarded, want string }{
		{"127.0.0.1:1", "127.0.0.1:8080", "copse.example:8443", "copse.example:8443"},
		{"127.0.0.1:1", "localhost", "[2001:db8::1]:443", "[2001:db8::1]:443"},
		{"127.0.0.1:1", "[::1]:8080", "copse.example", "copse.example"},
		{"127.0.0.1:1", "copse", "copse.example", "copse.example"},
		{onSocket, "localhost", "copse.example", "copse.example"},
		{"127.0.0.1:1", "localhost", "", "localhost"},
		{"127.0.0.1:1", "localhost", "copse.example/x", "localhost"},
		{"127.0.0.1:1", "localhost", "a b", "localhost"},
		{"127.0.0.1:1", "localhost", `"><script>`, "localhost"},
		{"127.0.0.1:1", "localhost", strings.Repeat("a", 256), "localhost"},
		{"127.0.0.1:1", "evil.example", "copse.example", "evil.example"}, // a site that has its name lead here
		{"203.0.113.1:1", "203.0.113.9", "copse.example", "203.0.113.9"},
	} {
		var got string
		r := lines(x.from, "X-Forwarded-Host: "+x.forwarded)
		r.Host = x.host
		s.door(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Host })).ServeHTTP(httptest.NewRecorder(), r)
		if got != x.want {
			t.Errorf("%s asks for %s, which is said to be %q: it is taken for %s", x.from, x.host, x.forwarded, got)
		}
		if r.Host != x.host {
			t.Error("the request itself was changed")
		}
	}
}

// TestTheHostIsKnownAtTheDoor: to a server, and while there is none yet.
func TestTheHostIsKnownAtTheDoor(t *testing.T) {
	o := Options{Page: fstest.MapFS{}, Hosts: []string{"copse.example"}, Proxies: Loopback()}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]http.Handler{"a server": s, "a porch": NewPorch(o)} {
		for from, misdirected := range map[string]bool{"127.0.0.1:1": false, onSocket: false, "203.0.113.1:1": true} {
			r, w := lines(from, "X-Forwarded-Host: copse.example"), httptest.NewRecorder()
			r.Host = "localhost:8080"
			if h.ServeHTTP(w, r); (w.Code == http.StatusMisdirectedRequest) != misdirected {
				t.Errorf("%s answers %s with %d", name, from, w.Code)
			}
		}
	}
}

// TestASocketIsNoNetwork: whoever asks over it, and for nobody else, is this machine.
func TestASocketIsNoNetwork(t *testing.T) {
	s := &Server{}
	if got := s.shared(lines(onSocket)); got != "" {
		t.Errorf("the socket counts for the network %q", got)
	}
	if got := s.shared(lines(onSocket, "X-Forwarded-For: 203.0.113.7")); got != "203.0.113.0/24" {
		t.Errorf("who asks over it counts for the network %q", got)
	}
}

// TestFiguresAreForNobodyElse: whatever says that it was forwarded was not asked for
// here, believed or not.
func TestFiguresAreForNobodyElse(t *testing.T) {
	s, err := New(Options{Page: fstest.MapFS{}, Figures: NewFigures(), Proxies: Loopback()})
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]int{"127.0.0.1:1": 200, "[::1]:1": 200, onSocket: 200, "203.0.113.1:1": 403, "nonsense": 403} {
		for _, header := range []string{"", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https", "X-Forwarded-Host: localhost", "X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1", "Via: 1.1 x", "X-Forwarded-Server: x", "X-Forwarded-Port: 443", "CF-Connecting-IP: 127.0.0.1", "True-Client-IP: 127.0.0.1", "X-Client-IP: 127.0.0.1", "X-Forwarded-For: "} {
			r, w := lines(from, header), httptest.NewRecorder()
			r.URL.Path = "/metrics"
			if header != "" {
				want = 403
			}
			if s.ServeHTTP(w, r); w.Code != want {
				t.Errorf("%s with %q is answered %d", from, header, w.Code)
			}
		}
	}
}

// TestAServerThatStandsStillIsNotAlive: whichever of the locks is held that every
// request needs.
func TestAServerThatStandsStillIsNotAlive(t *testing.T) {
	s, err := New(Options{Page: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	porch := NewPorch(Options{})
	porch.Alive()
	porch.Open(s)
	for n, lock := range []sync.Locker{&s.limits.mu, &s.passes.mu, &s.listeners.mu} {
		for _, alive := range []func(){s.Alive, porch.Alive} {
			lock.Lock()
			back := make(chan struct{})
			go func() {
				defer close(back)
				alive()
			}()
			for range 1000 {
				runtime.Gosched()
			}
			select {
			case <-back:
				t.Errorf("lock %d is held, and it is said to live", n)
			default:
			}
			lock.Unlock()
			<-back
		}
	}
}

// FuzzForwarded: whatever a header says, who asks is an address, or the one who sent
// it, and what a client wrote before the proxy changes nothing.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{"for=1.2.3.4", `for="[::1]:80";proto=https`, `for="\"`, "a=b,c=d;e", ",", `"`, "=", "for=;,", `for="a"b`} {
		f.Add(seed, seed)
	}
	s := &Server{Options: Options{Proxies: Loopback()}}
	f.Fuzz(func(t *testing.T, usual, standard string) {
		for _, header := range [][]string{{"X-Forwarded-For: " + usual}, {"Forwarded: " + standard}, {"X-Forwarded-For: " + usual, "Forwarded: " + standard}} {
			got := s.asker(lines("127.0.0.1:1", header...)).address
			if ip, err := netip.ParseAddr(got); err != nil || ip.Zone() != "" {
				t.Errorf("%q: %q is no address", header, got)
			}
			if got := s.asker(lines("203.0.113.1:1", header...)); got != (asker{address: "203.0.113.1"}) {
				t.Errorf("%q of somebody: %+v", header, got)
			}
		}
		if got := s.asker(lines("127.0.0.1:1", "X-Forwarded-For: "+usual+", 203.0.113.7")).address; got != "203.0.113.7" {
			t.Errorf("%q before the client: %s", usual, got)
		}
		switch got := s.asker(lines("127.0.0.1:1", "Forwarded: "+standard+", for=203.0.113.7")).address; got {
		case "203.0.113.7", "127.0.0.1":
		default:
			t.Errorf("%q before the client: %s", standard, got)
		}
	})
}
