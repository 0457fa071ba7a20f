// Package doorbell tells people something though no page of theirs is open. Today it
// rings at browsers, by way of their push services (package push); whoever uses it knows
// a Note and an account, and would not notice if mail or webhooks came beside it.
//
// It keeps its things as sealed papers: the key by which push services know the house,
// and where the browsers of each account are told something. A Note is sent at most once
// to each of them: what a service has refused and wants to have again later is sent again
// as long as it is still true, what may have arrived is not.
//
// Nobody waits for it. Notes wait in queues that have an end, one for each service, so
// that a slow one holds up no other, and what does not fit is dropped and counted.
package doorbell

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"copse/push"
	"copse/seal"
	"copse/store"
)

// The kinds of papers, which package seal knows as sealed.
const (
	browserKind = "push"  // key: a hash of where its service is told; of the account whose browser it is
	keyKind     = "vapid" // of the house
	keyKey      = "house"
)

// MostBrowsers is how many browsers of one account are told something. Of more the oldest
// go.
const MostBrowsers = 10

// Options are what a doorbell is made of.
type Options struct {
	Papers store.Papers
	Ring   *seal.Ring // what seals the papers

	// Push is how messages are sent. Its Key is the house's, and is found by Open.
	Push push.Options

	// Heed is told what became of each message, for figures; it must not block.
	Heed func(Outcome)

	Log   *slog.Logger                     // nil for silence
	Now   func() time.Time                 // nil for the clock on the wall
	Later func(time.Duration, func()) Stop // nil for time.AfterFunc
}

// Stop keeps what was to be done later from being done.
type Stop interface{ Stop() bool }

// Outcome is what became of a message.
type Outcome string

// The outcomes, as figures count them.
const (
	Sent    Outcome = "sent"    // its service has taken it
	Refused Outcome = "refused" // its service has not, and it is not tried again
	Silent  Outcome = "silent"  // its service did not answer, and nobody knows
	Gone    Outcome = "gone"    // the browser has ended its subscription, which is forgotten
	Dropped Outcome = "dropped" // it was one too many, or too late
)

// Outcomes are all of them.
func Outcomes() []Outcome { return []Outcome{Sent, Refused, Silent, Gone, Dropped} }

// Note is something that somebody is told.
type Note struct {
	Account string
	Topic   string                         // a note takes the place of one with the same topic that was not read yet; at most 32 letters, digits, - and _
	TTL     time.Duration                  // after which it is of no use
	Urgent  bool                           // it wakes a phone that saves its battery
	Say     func(language string) []byte   // what a browser of this language is told
	Still   func(ctx context.Context) bool // whether it is still true, asked before it is tried again; nil where it always is
}

// Browser is a browser of somebody that is told something.
type Browser struct {
	ID       string // what it is called; no secret
	Session  string // in which it was switched on
	Label    string // for its owner to know it by
	Language string
	Born     time.Time

	sub   *push.Subscription
	paper store.Paper // as it is kept
}

// kept is a browser in its paper.
type kept struct {
	Subscription json.RawMessage `json:"subscription"`
	Session      string          `json:"session"`
	Label        string          `json:"label,omitempty"`
	Language     string          `json:"language"`
	Born         int64           `json:"born"`
}

// ErrNone says that there is no such browser.
var ErrNone = errors.New("doorbell: there is no such browser")

// Bell is a doorbell at work.
type Bell struct {
	Options
	key    *push.Key
	sender *push.Sender
	rounds rounds
}

// Open finds the key of the house, or makes it: of several nodes that make one at the
// same time all have the same. seal.ErrKey or seal.ErrSeal says that it is there and
// cannot be opened.
func Open(ctx context.Context, o Options) (*Bell, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Heed == nil {
		o.Heed = func(Outcome) {}
	}
	if o.Later == nil {
		o.Later = func(d time.Duration, do func()) Stop { return time.AfterFunc(d, do) }
	}
	b := &Bell{Options: o}
	var err error
	if b.key, err = b.houseKey(ctx); err != nil {
		return nil, err
	}
	o.Push.Key = b.key
	b.sender = push.New(o.Push)
	b.rounds.begin(b)
	return b, nil
}

// Close ends everything that is under way, and waits for it. What was not sent by then is
// not sent.
func (b *Bell) Close() {
	b.rounds.end()
	b.sender.Close()
}

// houseKey is the key by which push services know the house.
func (b *Bell) houseKey(ctx context.Context) (*push.Key, error) {
	for {
		p, err := b.Papers.Paper(ctx, keyKind, keyKey)
		if err == nil {
			if p, err = b.Options.Ring.OpenPaper(p); err != nil {
				return nil, err
			}
			return push.ReadKey(p.Body)
		}
		if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
		key, err := push.NewKey()
		if err != nil {
			return nil, err
		}
		err = b.Papers.Write(ctx, b.Options.Ring.Paper(store.Paper{Kind: keyKind, Key: keyKey, Body: key.Private()}))
		if err == nil {
			return key, nil
		}
		if !errors.Is(err, store.ErrChanged) { // else another node was quicker
			return nil, err
		}
	}
}

// Public is the public half of the key of the house, which browsers subscribe by.
func (b *Bell) Public() []byte { return b.key.Public() }

// nameOf is what a browser is called: whoever knows where it is told something knows the
// name, and nobody finds that out from the name.
func nameOf(endpoint string) string {
	sum := sha256.Sum256([]byte("copse doorbell 1\n" + endpoint))
	return hex.EncodeToString(sum[:16])
}

// Add has a browser told what its account is told, as it says itself where
// (push.Read says what it may say). It was another account's before where that used the
// same browser: it is so no longer.
func (b *Bell) Add(ctx context.Context, account string, said []byte, session, label, language string) (Browser, error) {
	sub, err := push.Read(said)
	if err == nil {
		err = b.sender.Takes(sub)
	}
	if err != nil {
		return Browser{}, err
	}
	one := Browser{ID: nameOf(sub.Endpoint), Session: session, Label: label, Language: language, Born: b.Now(), sub: sub}
	for {
		p, err := b.Papers.Paper(ctx, browserKind, one.ID)
		if err != nil && !errors.Is(err, store.ErrNone) {
			return Browser{}, err
		}
		if was, err := b.read(p); err == nil && p.Owner == account {
			one.Born = was.Born
		}
		one.paper = store.Paper{Kind: browserKind, Key: one.ID, Owner: account, Version: p.Version}
		if err := b.write(ctx, &one); !errors.Is(err, store.ErrChanged) {
			if err == nil {
				err = b.thin(ctx, account, one.ID)
			}
			return one, err
		}
	}
}

// thin takes the oldest browsers away where there are too many; never the one that came
// last.
func (b *Bell) thin(ctx context.Context, account, last string) error {
	list, err := b.Browsers(ctx, account)
	if err != nil || len(list) <= MostBrowsers {
		return err
	}
	list = slices.DeleteFunc(list, func(one Browser) bool { return one.ID == last })
	for _, one := range list[MostBrowsers-1:] {
		if err := b.tear(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// write keeps a browser.
func (b *Bell) write(ctx context.Context, one *Browser) error {
	body, err := json.Marshal(kept{one.sub.Write(), one.Session, one.Label, one.Language, one.Born.UnixMilli()})
	if err != nil {
		return err
	}
	p := one.paper
	p.Body = body
	if err := b.Papers.Write(ctx, b.Options.Ring.Paper(p)); err != nil {
		return err
	}
	one.paper.Version++
	return nil
}

// read opens the paper of a browser.
func (b *Bell) read(p store.Paper) (Browser, error) {
	open, err := b.Options.Ring.OpenPaper(p)
	if err != nil {
		return Browser{}, err
	}
	var k kept
	if err := json.Unmarshal(open.Body, &k); err != nil {
		return Browser{}, fmt.Errorf("paper %s: %w", p.Name(), err)
	}
	sub, err := push.Read(k.Subscription)
	if err != nil {
		return Browser{}, err
	}
	return Browser{ID: p.Key, Session: k.Session, Label: k.Label, Language: k.Language, Born: time.UnixMilli(k.Born), sub: sub, paper: p}, nil
}

// mostRead is how many papers of an account are looked at: a few more than there may be,
// in case two nodes have added some at the same time.
const mostRead = 4 * MostBrowsers

// Browsers are those of an account, the newest first. What cannot be opened is not among
// them.
func (b *Bell) Browsers(ctx context.Context, account string) ([]Browser, error) {
	papers, err := b.Papers.Papers(ctx, browserKind, account, "", mostRead)
	if err != nil {
		return nil, err
	}
	list := []Browser{}
	for _, p := range papers {
		if one, err := b.read(p); err == nil {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(x, y Browser) int { return y.Born.Compare(x.Born) })
	return list, nil
}

// tear forgets a browser, unless it is another's by now.
func (b *Bell) tear(ctx context.Context, one Browser) error {
	p := one.paper
	p.Body, p.Owner, p.Until = nil, "", time.Time{}
	if err := b.Papers.Write(ctx, p); err != nil && !errors.Is(err, store.ErrChanged) {
		return err
	}
	return nil
}

// Drop has a browser of an account told nothing any more; ErrNone where it has no such
// one.
func (b *Bell) Drop(ctx context.Context, account, browser string) error {
	n, err := b.DropWhere(ctx, account, func(one Browser) bool { return one.ID == browser })
	if err == nil && n == 0 {
		err = ErrNone
	}
	return err
}

// DropEndpoint forgets where a browser was told something before, if it was this
// account's: it has another subscription now.
func (b *Bell) DropEndpoint(ctx context.Context, account, endpoint string) error {
	err := b.Drop(ctx, account, nameOf(endpoint))
	if errors.Is(err, ErrNone) {
		return nil
	}
	return err
}

// DropWhere has those browsers of an account told nothing any more, and says how many
// they were.
func (b *Bell) DropWhere(ctx context.Context, account string, which func(Browser) bool) (n int, err error) {
	list, err := b.Browsers(ctx, account)
	if err != nil {
		return 0, err
	}
	for _, one := range list {
		if !which(one) {
			continue
		}
		if err := b.tear(ctx, one); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Move has the browsers that were switched on in one session belong to another of the same
// account.
func (b *Bell) Move(ctx context.Context, account, from, to string) error {
	list, err := b.Browsers(ctx, account)
	if err != nil {
		return err
	}
	for _, one := range list {
		if one.Session != from {
			continue
		}
		one.Session = to
		one.paper.Owner = account
		if err := b.write(ctx, &one); err != nil && !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return nil
}
