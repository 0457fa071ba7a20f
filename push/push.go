// Package push tells browsers something by way of the push service of their maker
// (RFC 8030): sealed so that only the browser can read it (RFC 8291), and signed so that
// the service knows which house it comes from (VAPID, RFC 8292).
//
// The address of a push service comes from strangers, who would like the server to ask
// something of its own network for them. So only services that are on a list are asked,
// by HTTPS alone, and only at addresses that anybody may reach: the address that was
// looked at is the one that is dialled. What they answer is hardly read, and leads
// nowhere else.
package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Limits of what is taken.
const (
	LongestEndpoint     = 2048 // bytes of an address; those of services have some 200
	largestSubscription = 8192 // bytes of a subscription as a browser says it
	LargestMessage      = 3000 // bytes of a message; services take about 4,000 of what is sealed
)

// Services are the push services of browsers: the names of hosts, or what they end in
// where they begin with a dot.
var Services = []string{
	"fcm.googleapis.com",         // Chrome, Edge on Android, Opera, Brave, Samsung Internet
	"jmt17.google.com",           // Chrome, some
	".push.services.mozilla.com", // Firefox
	".push.apple.com",            // Safari
	".notify.windows.com",        // Edge on Windows
}

// ErrSubscription refuses what is no subscription, ErrService one whose service is not
// on the list.
var (
	ErrSubscription = errors.New("push: this is no subscription of a browser")
	ErrService      = errors.New("push: this push service is not known here")
)

// Subscription is where a browser is told something, and by which keys.
type Subscription struct {
	Endpoint string
	Public   []byte // its point on P-256, uncompressed
	Auth     []byte // 16 bytes that only it and we know
}

// subscribed is a subscription as browsers say it (PushSubscription.toJSON). What else
// they say does not matter.
type subscribed struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// Read reads a subscription as a browser says it.
func Read(raw []byte) (*Subscription, error) {
	var said subscribed
	if len(raw) > largestSubscription || json.Unmarshal(raw, &said) != nil {
		return nil, ErrSubscription
	}
	s := &Subscription{Endpoint: said.Endpoint}
	var err error
	if s.Public, err = unbase(said.Keys.P256dh); err != nil {
		return nil, ErrSubscription
	}
	if s.Auth, err = unbase(said.Keys.Auth); err != nil {
		return nil, ErrSubscription
	}
	if _, err := ecdh.P256().NewPublicKey(s.Public); err != nil || len(s.Auth) != 16 {
		return nil, ErrSubscription
	}
	if _, err := endpoint(s.Endpoint); err != nil {
		return nil, err
	}
	return s, nil
}

// Write is the subscription as Read reads it.
func (s *Subscription) Write() []byte {
	var said subscribed
	said.Endpoint, said.Keys.P256dh, said.Keys.Auth = s.Endpoint, base(s.Public), base(s.Auth)
	raw, err := json.Marshal(said)
	if err != nil {
		panic(err) // texts alone
	}
	return raw
}

func base(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// unbase reads base64 with or without padding: browsers differ.
func unbase(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// endpoint is the address of a push service: HTTPS, a name as host, the usual port, and
// nothing that a proxy or a library could read in two ways.
func endpoint(text string) (*url.URL, error) {
	if len(text) > LongestEndpoint {
		return nil, ErrSubscription
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || c == '\\' {
			return nil, ErrSubscription
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" || u.Fragment != "" || u.Hostname() == "" {
		return nil, ErrSubscription
	}
	if port := u.Port(); port != "" && port != "443" || strings.HasSuffix(u.Host, ":") {
		return nil, ErrSubscription
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") || strings.Contains(host, "..") {
		return nil, ErrSubscription
	}
	for _, c := range []byte(host) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return nil, ErrSubscription
		}
	}
	return u, nil
}

// known is the entry of the list that a host belongs to; it refuses one that is on none.
func known(host string, services []string) (string, error) {
	host = strings.ToLower(host)
	for _, s := range services {
		if host == s || strings.HasPrefix(s, ".") && strings.HasSuffix(host, s) {
			return s, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrService, host)
}
