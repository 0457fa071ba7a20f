// Package pushtest is a push service for tests, with browsers that read what they are
// sent: by RFC 8188 and 8291, and written apart from what seals it.
package pushtest

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"copse/push"
	"copse/push/pushtest/reader"
)

// Host is the name that the service has, which is that of its certificate.
const Host = "example.com"

// Service is a push service.
type Service struct {
	t   testing.TB
	srv *httptest.Server

	mu       sync.Mutex
	browsers map[string]*Browser // by path
	got      []Got
	answer   func(path string) (status int, retryAfter string)
	changed  chan struct{} // closed when something comes
}

// Got is a message that has come.
type Got struct {
	To     *Browser
	Header http.Header
	Body   string // as its browser reads it
	Status int    // that it was answered with
}

// Browser is a browser that has subscribed.
type Browser struct {
	Endpoint string
	private  *ecdh.PrivateKey
	auth     []byte
}

// New starts a push service.
func New(t testing.TB) *Service {
	t.Helper()
	s := &Service{t: t, browsers: map[string]*Browser{}, changed: make(chan struct{})}
	s.srv = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.srv.EnableHTTP2 = true
	s.srv.StartTLS()
	t.Cleanup(s.srv.Close)
	return s
}

// Options are how one sends to this service and to none else.
func (s *Service) Options() push.Options {
	roots := x509.NewCertPool()
	roots.AddCert(s.srv.Certificate())
	_, port, err := net.SplitHostPort(s.srv.Listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	return push.Options{
		Subject: "mailto:oak@copse.example", Services: append([]string{Host}, push.Services...), Roots: roots, Port: port,
		Reach: func(a netip.Addr) bool { return a.IsLoopback() },
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
	}
}

// Answer has the service answer so; nil for taking everything.
func (s *Service) Answer(do func(path string) (status int, retryAfter string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = do
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever sent it has hung up, as a house does that stops: nothing has come
	}
	s.mu.Lock()
	b, answer := s.browsers[r.URL.Path], s.answer
	s.mu.Unlock()
	got := Got{To: b, Header: r.Header, Status: http.StatusCreated}
	if b == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	plain, err := b.read(raw)
	if err != nil {
		s.t.Errorf("a browser cannot read what it is sent: %v", err)
	}
	got.Body = string(plain)
	if answer != nil {
		var after string
		if got.Status, after = answer(r.URL.Path); after != "" {
			w.Header().Set("Retry-After", after)
		}
	}
	s.mu.Lock()
	s.got = append(s.got, got)
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	w.WriteHeader(got.Status)
}

// Got is everything that has come.
func (s *Service) Got() []Got {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Got(nil), s.got...)
}

// Wait waits until so many have come, and gives all that have.
func (s *Service) Wait(n int) []Got {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		s.mu.Lock()
		got, changed := append([]Got(nil), s.got...), s.changed
		s.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-changed:
		case <-late:
			s.t.Fatalf("%d messages have come, not %d", len(got), n)
		}
	}
}

// Browser is a new browser that subscribes at this service.
func (s *Service) Browser() *Browser {
	s.t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &Browser{private: private, auth: make([]byte, 16)}
	_, _ = rand.Read(b.auth) // it never fails
	path := "/send/" + base(b.private.PublicKey().Bytes()[1:17])
	b.Endpoint = "https://" + Host + path
	s.mu.Lock()
	s.browsers[path] = b
	s.mu.Unlock()
	return b
}

func base(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// Subscription is what the browser says of itself, as PushSubscription.toJSON does.
func (b *Browser) Subscription() string { return b.At(b.Endpoint) }

// At is the same with another endpoint.
func (b *Browser) At(endpoint string) string {
	return fmt.Sprintf(`{"endpoint":%q,"expirationTime":null,"keys":{"p256dh":%q,"auth":%q}}`, endpoint, base(b.private.PublicKey().Bytes()), base(b.auth))
}

// read reads a message.
func (b *Browser) read(raw []byte) ([]byte, error) { return reader.Read(b.private, b.auth, raw) }
