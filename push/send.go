package push

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"
)

// Options are how messages are sent.
type Options struct {
	Key      *Key
	Subject  string   // how whoever runs a service reaches the operator: mailto:… or https://…
	Services []string // nil for Services

	// For tests, which have a push service of their own; nil for the usual.
	Reach  func(netip.Addr) bool                                        // which addresses may be dialled
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error) // the addresses of a name
	Roots  *x509.CertPool                                               // whose certificates are believed
	Now    func() time.Time
	Port   string // at which services listen, in place of 443

	timeout time.Duration
}

// Sender sends messages. It may be used at the same time.
type Sender struct {
	options Options
	client  *http.Client
}

// How long and how much one waits for a service.
const (
	sendTime       = 10 * time.Second
	largestAnswer  = 4 << 10 // bytes that are read of an answer
	largestHeaders = 16 << 10
	mostIdle       = 4 // connections to one service that are kept for the next message
)

// New makes a sender.
func New(o Options) *Sender {
	if o.Services == nil {
		o.Services = Services
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.timeout == 0 {
		o.timeout = sendTime
	}
	return &Sender{options: o, client: &http.Client{
		Timeout: o.timeout,
		Transport: &http.Transport{
			Proxy:                  nil, // it would dial for us, whatever it likes
			DialContext:            newGuard(o).dial,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTime,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // an answer is as long as it is
			MaxIdleConnsPerHost:    mostIdle,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: largestHeaders,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close lets go of connections that are kept.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// Takes refuses a subscription to which nothing would be sent: ErrService.
func (s *Sender) Takes(sub *Subscription) error {
	_, err := s.Service(sub)
	return err
}

// Service is the entry of the list of services that a subscription belongs to: there are
// only so many of them, whatever strangers name.
func (s *Sender) Service(sub *Subscription) (string, error) {
	u, err := endpoint(sub.Endpoint)
	if err != nil {
		return "", err
	}
	return known(u.Hostname(), s.options.Services)
}

// Message is what a browser is told.
type Message struct {
	Body   []byte
	Topic  string        // a message takes the place of one with the same topic that was not delivered yet; at most 32 letters, digits, - and _
	TTL    time.Duration // how long the service keeps it for a browser that is off
	Urgent bool          // wakes a phone that saves its battery
}

// ErrGone says that a subscription is over: the browser has ended it, or was reset.
var ErrGone = errors.New("push: the subscription is over")

// Refused says that a push service did not take a message.
type Refused struct {
	Status int
	After  time.Duration // when to try again at the earliest; 0 where that helps nothing
}

func (r *Refused) Error() string {
	if r.After > 0 {
		return fmt.Sprintf("push: the service answers %d: try again after %v", r.Status, r.After)
	}
	return fmt.Sprintf("push: the service refuses it with %d", r.Status)
}

// Send sends a message: ErrGone where the subscription is over, a *Refused where the
// service does not take it, ErrService, ErrSubscription or ErrAddress where nothing was
// sent at all. Errors name the host of a service, and never the rest of an address.
func (s *Sender) Send(ctx context.Context, sub *Subscription, m Message) error {
	if err := s.Takes(sub); err != nil {
		return err
	}
	if !topical(m.Topic) {
		return fmt.Errorf("push: %q is no topic", m.Topic)
	}
	to, err := endpoint(sub.Endpoint)
	if err != nil {
		return err
	}
	sealed, err := Seal(sub, m.Body)
	if err != nil {
		return err
	}
	who, err := s.options.Key.authorize(to, s.options.Subject, s.options.Now())
	if err != nil {
		return err
	}
	if s.options.Port != "" {
		to.Host = to.Hostname() + ":" + s.options.Port
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(sealed))
	if err != nil {
		return ErrSubscription
	}
	for name, value := range map[string]string{
		"Authorization": who, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
		"TTL": strconv.FormatInt(max(0, int64(m.TTL/time.Second)), 10), "Urgency": map[bool]string{true: "high", false: "normal"}[m.Urgent],
		"Topic": m.Topic, "User-Agent": "Copse",
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return s.failed(ctx, to.Hostname(), err)
	}
	_, _ = io.CopyN(io.Discard, answer.Body, largestAnswer) // so that the connection can be used again
	_ = answer.Body.Close()                                 // all was said
	return judge(answer)
}

// failed says why nothing was answered. What the library says has the whole address in
// it, which is a secret of the browser.
func (s *Sender) failed(ctx context.Context, host string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrAddress):
		return fmt.Errorf("%w: %s", ErrAddress, host)
	}
	var cause interface{ Unwrap() error }
	if errors.As(err, &cause) && cause.Unwrap() != nil {
		err = cause.Unwrap()
	}
	return fmt.Errorf("push: %s does not answer: %w", host, err)
}

// topical tells whether a text may be a topic.
func topical(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return len(text) <= 32
}

// How long to wait where a service asks for it: what it says, within bounds.
const (
	leastWait = time.Minute
	mostWait  = 24 * time.Hour
)

// judge is what an answer means.
func judge(answer *http.Response) error {
	status := answer.StatusCode
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return ErrGone
	case status == http.StatusTooManyRequests, status >= 500:
		wait := leastWait
		if said, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && said > 0 {
			wait = min(max(time.Duration(min(said, int(mostWait/time.Second)))*time.Second, leastWait), mostWait)
		}
		return &Refused{Status: status, After: wait}
	}
	return &Refused{Status: status}
}
