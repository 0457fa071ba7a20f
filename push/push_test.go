package push

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/push/pushtest/reader"
)

func decode(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := unbase(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestTheExampleOfTheStandard is that of RFC 8291, appendix A, to the byte.
func TestTheExampleOfTheStandard(t *testing.T) {
	own, err := ecdh.P256().NewPrivateKey(decode(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	s := &Subscription{
		Public: decode(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
		Auth:   decode(t, "BTBZMqHH6r4Tts7J_aSIgg"),
	}
	got, err := seal(s, []byte("When I grow up, I want to be a watermelon"), own, decode(t, "DGv6ra1nlYgDCS1FRnbzlw"), 0)
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if base(got) != want {
		t.Errorf("it is\n%s, want\n%s", base(got), want)
	}
	// And the reader of these tests reads it: it was not written to agree with ours alone.
	b := &browser{auth: s.Auth}
	if b.private, err = ecdh.P256().NewPrivateKey(decode(t, "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")); err != nil {
		t.Fatal(err)
	}
	if plain, err := b.read(decode(t, want)); err != nil || string(plain) != "When I grow up, I want to be a watermelon" {
		t.Errorf("it reads %q, %v", plain, err)
	}
}

// browser is who is told something.
type browser struct {
	private *ecdh.PrivateKey
	auth    []byte
}

func newBrowser(t testing.TB) *browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{private: private, auth: make([]byte, 16)}
	_, _ = rand.Read(b.auth)
	return b
}

// subscription is what it would send to a house.
func (b *browser) subscription(t testing.TB, endpoint string) *Subscription {
	t.Helper()
	s, err := Read(fmt.Appendf(nil, `{"endpoint":%q,"expirationTime":null,"keys":{"p256dh":%q,"auth":%q}}`, endpoint, base(b.private.PublicKey().Bytes()), base(b.auth)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read reads a message, as RFC 8188 and 8291 say.
func (b *browser) read(raw []byte) ([]byte, error) { return reader.Read(b.private, b.auth, raw) }

// service is a push service that keeps what it is sent.
type service struct {
	*httptest.Server
	mu     sync.Mutex
	got    []*http.Request
	bodies [][]byte
	answer http.HandlerFunc // nil: it takes everything
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.got, s.bodies = append(s.got, r), append(s.bodies, raw)
		s.mu.Unlock()
		if s.answer != nil {
			s.answer(w, r)
			return
		}
		w.WriteHeader(http.StatusCreated)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// sender sends to that service alone, which has the name of its certificate.
func (s *service) sender(t *testing.T, change func(*Options)) *Sender {
	t.Helper()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Key: key, Subject: "mailto:oak@copse.example", Services: []string{"example.com"}, Roots: roots, Port: port,
		Reach: func(a netip.Addr) bool { return a.IsLoopback() },
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
		Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
	}
	if change != nil {
		change(&o)
	}
	sender := New(o)
	t.Cleanup(sender.Close)
	return sender
}

// TestABrowserReadsWhatItIsSent, and its service knows who has sent it.
func TestABrowserReadsWhatItIsSent(t *testing.T) {
	t.Parallel()
	s, b := newService(t), newBrowser(t)
	sender := s.sender(t, nil)
	sub := b.subscription(t, "https://example.com/send/abc?x=1")
	lengths := map[int]bool{}
	for _, body := range []string{"", `{"table":"oak"}`, strings.Repeat("ü", 400)} {
		if err := sender.Send(t.Context(), sub, Message{Body: []byte(body), Topic: "oak_-9", TTL: 90 * time.Minute, Urgent: body == ""}); err != nil {
			t.Fatal(err)
		}
		last := len(s.got) - 1
		if got, err := b.read(s.bodies[last]); err != nil || string(got) != body {
			t.Errorf("it reads %q, %v, want %q", got, err, body)
		}
		if _, err := newBrowser(t).read(s.bodies[last]); err == nil {
			t.Error("another browser reads it")
		}
		lengths[len(s.bodies[last])] = true
		r := s.got[last]
		urgency := map[bool]string{true: "high", false: "normal"}[body == ""]
		if r.Method != "POST" || r.URL.String() != "/send/abc?x=1" || r.Header.Get("TTL") != "5400" || r.Header.Get("Topic") != "oak_-9" || r.Header.Get("Content-Encoding") != "aes128gcm" || r.Header.Get("Urgency") != urgency {
			t.Errorf("it is asked %s %s %v", r.Method, r.URL, r.Header)
		}
		signed(t, r.Header.Get("Authorization"), sender.options.Key)
	}
	if len(lengths) != 1 {
		t.Errorf("how long a message is can be told: %v", lengths)
	}
	if err := sender.Send(t.Context(), sub, Message{Body: make([]byte, LargestMessage)}); err != nil || len(s.bodies[len(s.bodies)-1]) > recordSize {
		t.Errorf("the largest message: %v, %d bytes", err, len(s.bodies[len(s.bodies)-1]))
	}
	before := s.count()
	for what, m := range map[string]Message{"too large": {Body: make([]byte, LargestMessage+1)}, "a topic with a space": {Topic: "a b"}, "a long topic": {Topic: strings.Repeat("a", 33)}} {
		if err := sender.Send(t.Context(), sub, m); err == nil {
			t.Errorf("%s is sent", what)
		}
	}
	if s.count() != before {
		t.Error("what cannot be sent was sent")
	}
}

// signed checks a signature as a push service does.
func signed(t *testing.T, header string, key *Key) {
	t.Helper()
	token, public, ok := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !ok || len(parts) != 3 || public != base(key.Public()) {
		t.Fatalf("it says %q", header)
	}
	point, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decode(t, public))
	if err != nil {
		t.Fatal(err)
	}
	sum, signature := sha256.Sum256([]byte(parts[0]+"."+parts[1])), decode(t, parts[2])
	if len(signature) != 64 || !ecdsa.Verify(point, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature is wrong")
	}
	var head struct{ Typ, Alg string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := errors.Join(json.Unmarshal(decode(t, parts[0]), &head), json.Unmarshal(decode(t, parts[1]), &claims)); err != nil {
		t.Fatal(err)
	}
	if head.Alg != "ES256" || head.Typ != "JWT" || claims.Aud != "https://example.com" || claims.Sub != "mailto:oak@copse.example" || claims.Exp != 1_800_000_000+12*3600 {
		t.Errorf("it claims %+v %+v", head, claims)
	}
}

func TestAKeyIsReadAgain(t *testing.T) {
	t.Parallel()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadKey(key.Private())
	if err != nil || !bytes.Equal(again.Public(), key.Public()) || len(key.Public()) != 65 || len(key.Private()) != 32 {
		t.Errorf("read again it is another: %v", err)
	}
	for _, raw := range [][]byte{nil, make([]byte, 32), make([]byte, 31), bytes.Repeat([]byte{255}, 32), make([]byte, 33)} {
		if _, err := ReadKey(raw); !errors.Is(err, ErrKey) {
			t.Errorf("%x: %v", raw, err)
		}
	}
}

// TestAnswersMeanSomething to whoever sends.
func TestAnswersMeanSomething(t *testing.T) {
	t.Parallel()
	s, b := newService(t), newBrowser(t)
	sender := s.sender(t, nil)
	sub := b.subscription(t, "https://example.com/send/abc")
	for _, c := range []struct {
		status int
		after  string
		gone   bool
		wait   time.Duration
	}{
		{status: 200}, {status: 201}, {status: 202}, {status: 404, gone: true}, {status: 410, gone: true},
		{status: 400}, {status: 403}, {status: 413}, {status: 304},
		{status: 429, wait: time.Minute}, {status: 503, after: "600", wait: 10 * time.Minute}, {status: 500, after: "1", wait: time.Minute}, {status: 429, after: "99999999999", wait: 24 * time.Hour}, {status: 429, after: "-5", wait: time.Minute}, {status: 502, after: "soon", wait: time.Minute},
	} {
		s.answer = func(w http.ResponseWriter, _ *http.Request) {
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			w.WriteHeader(c.status)
		}
		err := sender.Send(t.Context(), sub, Message{})
		var refused *Refused
		switch {
		case c.status < 300:
			if err != nil {
				t.Errorf("%d: %v", c.status, err)
			}
		case c.gone:
			if !errors.Is(err, ErrGone) {
				t.Errorf("%d: %v", c.status, err)
			}
		default:
			if !errors.As(err, &refused) || refused.Status != c.status || refused.After != c.wait {
				t.Errorf("%d after %q: %v", c.status, c.after, err)
			}
		}
	}
}

// TestNobodyIsLedElsewhere: a redirect is not followed, an answer without an end is not
// read to it, and a service that hangs holds nobody up.
func TestNobodyIsLedElsewhere(t *testing.T) {
	t.Parallel()
	s, other, b := newService(t), newService(t), newBrowser(t)
	sub := b.subscription(t, "https://example.com/send/secret-of-the-browser")
	sender := s.sender(t, nil)
	for _, status := range []int{301, 302, 303, 307, 308} {
		s.answer = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) }
		var refused *Refused
		if err := sender.Send(t.Context(), sub, Message{}); !errors.As(err, &refused) || refused.Status != status {
			t.Errorf("a redirect: %v", err)
		}
	}
	if other.count() > 0 {
		t.Error("a redirect was followed")
	}
	written := make(chan int, 1)
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		n := 0
		for some := make([]byte, 1<<16); n < 1<<28; {
			m, err := w.Write(some)
			if n += m; err != nil {
				break
			}
		}
		written <- n
	}
	if err := sender.Send(t.Context(), sub, Message{}); err != nil {
		t.Errorf("an answer without an end: %v", err)
	}
	if n := <-written; n >= 1<<28 {
		t.Errorf("%d bytes of it were taken", n)
	}
	s.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X", strings.Repeat("x", 2*largestHeaders))
	}
	if err := sender.Send(t.Context(), sub, Message{}); err == nil {
		t.Error("headers without an end are taken")
	}
	s.answer = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	err := s.sender(t, func(o *Options) { o.timeout = 50 * time.Millisecond }).Send(t.Context(), sub, Message{})
	if err == nil || strings.Contains(err.Error(), "secret-of-the-browser") || !strings.Contains(err.Error(), "example.com") {
		t.Errorf("a service that hangs: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sender.Send(ctx, sub, Message{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// A certificate of another name, or that nobody has signed.
	for what, change := range map[string]func(*Options){"nobody's certificate": func(o *Options) { o.Roots = x509.NewCertPool() }, "another's": func(o *Options) { o.Services = []string{"elsewhere.test"} }} {
		sub := sub
		if what == "another's" {
			sub = b.subscription(t, "https://elsewhere.test/send")
		}
		before := s.count()
		if err := s.sender(t, change).Send(t.Context(), sub, Message{}); err == nil || s.count() != before {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestOnlyPublicAddressesAreDialled: the one that was looked at is the one that is
// dialled, also where a name leads elsewhere the next time.
func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	t.Parallel()
	s, b := newService(t), newBrowser(t)
	sub := b.subscription(t, "https://example.com/send/abc")
	for what, list := range map[string][]string{
		"loopback": {"127.0.0.1"}, "one of two": {"93.184.216.34", "127.0.0.1"}, "mapped": {"::ffff:127.0.0.1"}, "private": {"10.1.2.3"}, "none": {},
	} {
		looks := 0
		sender := s.sender(t, func(o *Options) {
			o.Reach = nil
			o.Lookup = func(context.Context, string) (all []netip.Addr, err error) {
				looks++
				for _, text := range list {
					all = append(all, netip.MustParseAddr(text))
				}
				return all, nil
			}
		})
		err := sender.Send(t.Context(), sub, Message{})
		if err == nil || len(list) > 0 && !errors.Is(err, ErrAddress) || looks != 1 {
			t.Errorf("%s: %v after %d looks", what, err, looks)
		}
	}
	// The dialler looks by itself too, whoever has looked before.
	asked := 0
	sender := s.sender(t, func(o *Options) {
		o.Reach = func(netip.Addr) bool { asked++; return asked == 1 }
	})
	if err := sender.Send(t.Context(), sub, Message{}); !errors.Is(err, ErrAddress) || asked != 2 {
		t.Errorf("what is dialled is not looked at: %v, %d", err, asked)
	}
	if s.count() > 0 {
		t.Error("it was dialled")
	}
}

func TestWhichAddressesArePublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"93.184.216.34": true, "1.1.1.1": true, "142.250.1.1": true, "100.63.255.255": true, "100.128.0.0": true, "172.15.0.1": true, "172.32.0.1": true,
		"2a00:1450:4001:80b::200a": true, "2606:4700::1111": true, "2001:4860:4860::8888": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "100.127.255.255": false, "127.0.0.1": false, "127.255.255.254": false, "169.254.169.254": false,
		"172.16.0.1": false, "172.31.255.255": false, "192.0.0.1": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false, "198.19.255.255": false,
		"198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:93.184.216.34": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::93.184.216.34": false, "64:ff9b::7f00:1": false, "64:ff9b::5db8:d822": false, "64:ff9b:1::1": false,
		"100::1": false, "2001::1": false, "2001:db8::1": false, "2001:10::1": false, "2002:7f00:1::1": false, "3fff::1": false, "fc00::1": false, "fd12::1": false, "fe80::1": false, "fe80::1%eth0": false, "2606:4700::1111%eth0": false, "fec0::1": false, "ff02::1": false, "5f00::1": false,
	} {
		if got := Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address is one")
	}
}

// TestOnlyKnownServicesAreTaken: an address is read in one way, or not at all.
func TestOnlyKnownServicesAreTaken(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	sender := New(Options{})
	for _, good := range []string{
		"https://fcm.googleapis.com/fcm/send/abc:def", "https://fcm.googleapis.com:443/x", "https://FCM.googleapis.com/x", "https://updates.push.services.mozilla.com/wpush/v2/x", "https://web.push.apple.com/x", "https://wns2-par02p.notify.windows.com/w/?token=x",
	} {
		if err := sender.Takes(b.subscription(t, good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, other := range []string{
		"https://example.com/x", "https://fcm.googleapis.com.example.com/x", "https://evilfcm.googleapis.com/x", "https://push.services.mozilla.com/x", "https://evilpush.apple.com/x", "https://localhost/x", "https://fcm.googleapis.co/x",
	} {
		if err := sender.Takes(b.subscription(t, other)); !errors.Is(err, ErrService) {
			t.Errorf("%s: %v", other, err)
		}
		if err := sender.Send(t.Context(), b.subscription(t, other), Message{}); !errors.Is(err, ErrService) { // it may have been on the list when it was taken
			t.Errorf("%s is sent: %v", other, err)
		}
	}
	for _, wrong := range []string{
		"", "x", "http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "https:fcm.googleapis.com/x", "https:///x", "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:/x", "https://fcm.googleapis.com:22/x",
		"https://user@fcm.googleapis.com/x", "https://fcm.googleapis.com@127.0.0.1/x", "https://fcm.googleapis.com#@127.0.0.1/x", "https://127.0.0.1/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://fcm.googleapis.com./x", "https://.push.apple.com/x", "https://a..push.apple.com/x",
		"https://fcm.googleapis.com\\@127.0.0.1/x", "https://fcm.googleapis.com/x y", "https://fcm.googleapis.com/x\n", "https://fcm。googleapis.com/x", "https://fcm%2egoogleapis.com/x", "https://fcm.googleapis.com/" + strings.Repeat("x", LongestEndpoint), "//fcm.googleapis.com/x",
	} {
		if _, err := endpoint(wrong); !errors.Is(err, ErrSubscription) {
			t.Errorf("%q: %v", wrong, err)
		}
		if err := sender.Send(t.Context(), &Subscription{Endpoint: wrong}, Message{}); !errors.Is(err, ErrSubscription) {
			t.Errorf("%q is sent: %v", wrong, err)
		}
	}
}

func TestOnlySubscriptionsAreRead(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	sub := b.subscription(t, "https://fcm.googleapis.com/x")
	if again, err := Read(sub.Write()); err != nil || again.Endpoint != sub.Endpoint || !bytes.Equal(again.Public, sub.Public) || !bytes.Equal(again.Auth, sub.Auth) {
		t.Errorf("written and read it is %+v, %v", again, err)
	}
	good := string(sub.Write())
	public, auth := base(sub.Public), base(sub.Auth)
	if _, err := Read([]byte(strings.Replace(good, auth, auth+"==", 1))); err != nil {
		t.Errorf("with padding: %v", err)
	}
	for what, text := range map[string]string{
		"nothing": "", "no JSON": "{", "a list": "[]", "no keys": `{"endpoint":"https://fcm.googleapis.com/x"}`, "a number": `{"endpoint":5}`,
		"a short secret": strings.Replace(good, auth, auth[:20], 1), "no point": strings.Replace(good, public, base(make([]byte, 65)), 1), "no base64": strings.Replace(good, auth, "!", 1),
		"a point elsewhere": strings.Replace(good, public, base(append([]byte{4}, bytes.Repeat([]byte{1}, 64)...)), 1), "much": good + strings.Repeat(" ", largestSubscription), "another scheme": strings.Replace(good, "https", "http", 1),
	} {
		if _, err := Read([]byte(text)); !errors.Is(err, ErrSubscription) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzRead: whatever is sent, it is a subscription that can be sealed for, or refused.
func FuzzRead(f *testing.F) {
	b := newBrowser(f)
	f.Add(b.subscription(f, "https://fcm.googleapis.com/fcm/send/x").Write())
	f.Add([]byte(`{"endpoint":"https://a.push.apple.com:443/?#","keys":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Read(raw)
		if err != nil {
			if !errors.Is(err, ErrSubscription) {
				t.Error(err)
			}
			return
		}
		if _, err := Seal(s, []byte("x")); err != nil {
			t.Error(err)
		}
		if again, err := Read(s.Write()); err != nil || again.Endpoint != s.Endpoint {
			t.Error(err)
		}
	})
}
