package server

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"copse/game"
	"copse/server/hall"
	"copse/store"
)

// How long passes are good for.
const (
	sessionTime = 400 * 24 * time.Hour // as long as a browser keeps a cookie
	renewAfter  = 30 * 24 * time.Hour  // a session that was not used for so long is made longer
	codeTime    = 10 * time.Minute
	trustTime   = time.Minute     // how long a pass that was looked up is not looked up again
	trustSeldom = 5 * time.Second // likewise, where another node may end it: it tells so, and news may be lost
)

// cookieName is the name of the cookie that keeps a browser's seat. Over TLS it has
// a name that no other host can set.
func (s *Server) cookieName(r *http.Request) string {
	if s.tls(r) {
		return secureCookie
	}
	return plainCookie
}

// The names of the cookie, without TLS and with it.
const (
	plainCookie  = "copse"
	secureCookie = "__Host-copse"
)

// passes remembers for a moment whose a pass is, so that a move need not ask the
// store.
type passes struct {
	trust  time.Duration // how long what was looked up is remembered
	mu     sync.Mutex
	known  map[store.Digest]*trusted
	none   map[nobodys]time.Time // what was found to be nobody's, and until when that is remembered
	forgot int                   // how often somebody was: what was looked up before that is not remembered
}

type trusted struct {
	pass store.Pass
	till time.Time // after which it is looked up again; who it was stays known
	used bool      // since it was looked up
}

// nobodys is a secret that belongs to nobody.
type nobodys struct {
	kind   store.Kind
	digest store.Digest
}

// mostTrusted is how many passes are remembered, and how many secrets of nobody.
const mostTrusted = 20_000

func newPasses() passes {
	return passes{trust: trustTime, known: map[store.Digest]*trusted{}, none: map[nobodys]time.Time{}}
}

// find is a pass that is remembered. The caller hands before to keep when it has
// looked the pass up elsewhere. A pass that must be looked up again still has its
// kind.
func (p *passes) find(d store.Digest, now time.Time) (pass store.Pass, before int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.known[d]
	if t == nil {
		return store.Pass{}, p.forgot, false
	}
	t.used = true
	return t.pass, p.forgot, !now.After(t.till)
}

// Where passes are looked up every few seconds, one that is looked up takes others with
// it that were used since they were and would be looked up within soon: a question for
// many costs little more than one for one.
const (
	soon     = 2 * time.Second
	mostSoon = 256
)

// due are a session and the others that are to be looked up soon. Nobody else gets
// those others meanwhile.
func (p *passes) due(d store.Digest, now time.Time) []store.Digest {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []store.Digest{d}
	for other, t := range p.known {
		if len(list) == mostSoon {
			break
		}
		if other != d && t.used && t.pass.Kind == store.Session && !t.till.IsZero() && t.till.Sub(now) < soon {
			t.used = false
			list = append(list, other)
		}
	}
	return list
}

// nobodys tells whether a secret was found to be nobody's a moment ago.
func (p *passes) nobodys(kind store.Kind, d store.Digest, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	till, ok := p.none[nobodys{kind, d}]
	return ok && !now.After(till)
}

// lack remembers for a moment that a secret is nobody's: nobody can make a pass
// with that secret meanwhile.
func (p *passes) lack(kind store.Kind, d store.Digest, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.known[d]; t != nil && t.pass.Kind == kind {
		delete(p.known, d)
	}
	for other := range p.none {
		if len(p.none) < mostTrusted {
			break
		}
		delete(p.none, other)
	}
	p.none[nobodys{kind, d}] = now.Add(trustTime)
}

// keep remembers a pass, unless somebody was forgotten while it was looked up.
func (p *passes) keep(pass store.Pass, now time.Time, before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.forgot != before {
		return
	}
	for d := range p.known {
		if len(p.known) < mostTrusted {
			break
		}
		delete(p.known, d)
	}
	till := now.Add(p.trust)
	if !pass.Until.IsZero() && pass.Until.Before(till) {
		till = pass.Until
	}
	p.known[pass.Digest] = &trusted{pass: pass, till: till}
}

// noted remembers that a pass was used today. Where the store did not write it down that
// is tried again when the pass is looked up again, not with every request.
func (p *passes) noted(pass store.Pass, today time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.known[pass.Digest]; t != nil && t.pass.Kind == pass.Kind {
		t.pass.Used = today
	}
}

// forget makes all passes of an account be looked up again, or those of everybody
// where it has no name. Whose they were stays known: to show one is no guess.
func (p *passes) forget(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgot++
	for _, t := range p.known {
		if account == "" || t.pass.Account == account {
			t.till = time.Time{}
		}
	}
}

// passesEnded looks up anew what may have ended: passes of an account, or of
// everybody where it has no name, and whether their streams may go on.
func (s *Server) passesEnded(account string) {
	s.passes.forget(account)
	s.listeners.check(account)
}

// listeners are the streams of accounts.
type listeners struct {
	mu sync.Mutex
	by map[string]map[*stream]struct{}
}

func (l *listeners) add(s *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[string]map[*stream]struct{}{}
	}
	if l.by[s.by.ID] == nil {
		l.by[s.by.ID] = map[*stream]struct{}{}
	}
	l.by[s.by.ID][s] = struct{}{}
}

func (l *listeners) remove(s *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.by[s.by.ID], s); len(l.by[s.by.ID]) == 0 {
		delete(l.by, s.by.ID)
	}
}

// check has the streams of an account, or of all, make sure that their client is
// still who it was.
func (l *listeners) check(account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, streams := range l.by {
		if account != "" && id != account {
			continue
		}
		for s := range streams {
			s.nudges.give(doubted)
		}
	}
}

// newSecret is the secret of a pass: 144 bits that nobody can guess, and 48 by
// which this server knows its own secrets without asking the store.
func (s *Server) newSecret() string {
	var raw [secretBytes]byte
	_, _ = rand.Read(raw[:secretBytes-sealBytes]) // it never fails
	copy(raw[secretBytes-sealBytes:], s.seal(raw[:secretBytes-sealBytes]))
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// How many bytes a secret has, and how many of them are its seal.
const (
	secretBytes = 24
	sealBytes   = 6
)

func (s *Server) seal(raw []byte) []byte {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte("copse pass 1\n"))
	mac.Write(raw)
	return mac.Sum(nil)[:sealBytes]
}

// sealed tells whether this server has made a secret. Older secrets, and those of a
// server with another key, are good without a seal.
func (s *Server) sealed(secret string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(secret, tokenPrefix))
	return err == nil && len(raw) == secretBytes && hmac.Equal(raw[secretBytes-sealBytes:], s.seal(raw[:secretBytes-sealBytes]))
}

// tokenPrefix tells a token from other secrets, for programs that look for leaks.
const tokenPrefix = "copse_"

// identify finds out who asks: by a token, else by a cookie, else nobody. A client
// that shows a bad token is told so; a cookie that has run out counts as none.
func (s *Server) identify(r *http.Request) (hall.Account, store.Pass, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		token, ok := strings.CutPrefix(header, "Bearer ")
		if !ok {
			return hall.Account{}, store.Pass{}, game.Refuse("", "server.token", nil)
		}
		by, pass, err := s.lookUp(r, store.Token, strings.TrimSpace(token))
		if errors.Is(err, store.ErrNone) {
			err = game.Refuse("", "server.token", nil)
		}
		return by, pass, err
	}
	cookie, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return hall.Account{}, store.Pass{}, nil
	}
	by, pass, err := s.lookUp(r, store.Session, cookie.Value)
	if errors.Is(err, store.ErrNone) {
		return hall.Account{}, store.Pass{}, nil
	}
	return by, pass, err
}

// lookUp finds whose pass has a secret.
func (s *Server) lookUp(r *http.Request, kind store.Kind, secret string) (hall.Account, store.Pass, error) {
	ctx, d, now := r.Context(), store.DigestOf(secret), s.Hall.Now()
	pass, before, ok := s.passes.find(d, now)
	if !ok && kind == store.Session && pass.Kind == kind && s.passes.trust < trustTime {
		pass, ok = s.meetAgain(ctx, d, now, before)
	}
	if !ok || pass.Kind != kind {
		guess := pass.Kind != kind && !s.sealed(secret)
		var err error
		if pass, err = s.passOf(r, kind, d, now, guess); err != nil {
			return hall.Account{}, pass, err
		}
		if kind == store.Token {
			pass = s.Hall.UseToken(ctx, pass)
		}
		s.passes.keep(pass, now, before)
	}
	by, err := s.Hall.Account(ctx, pass.Account)
	if err == nil && kind == store.Session {
		if !sessionEnd(&by, pass).After(now) {
			return hall.Account{}, store.Pass{}, store.ErrNone
		}
		if today := now.UTC().Truncate(24 * time.Hour); hall.UsedOn(pass).Before(today) {
			pass = s.Hall.UseSession(ctx, pass) // not before it is known that it has not ended: else to show it would make it last
			s.passes.noted(pass, today)
		}
	}
	if err == nil {
		err = s.Hall.Here(ctx, by)
	}
	return by, pass, err
}

// meetAgain looks up a session that was known, and with it others that are due soon. Where
// it does not find it the session is looked up by itself, which says why.
func (s *Server) meetAgain(ctx context.Context, d store.Digest, now time.Time, before int) (pass store.Pass, ok bool) {
	due := s.passes.due(d, now)
	if len(due) == 1 {
		return store.Pass{Kind: store.Session}, false
	}
	list, err := s.Hall.Passes().Good(ctx, store.Session, due, now)
	if err != nil {
		return store.Pass{Kind: store.Session}, false
	}
	for _, one := range list {
		s.passes.keep(one, now, before)
		if one.Digest == d {
			pass, ok = one, true
		}
	}
	pass.Kind = store.Session
	return pass, ok
}

// passOf asks the store for a pass. A client guesses if it shows a secret that this
// server has not made and has not met. Each guess is counted, before the store is
// asked, and given back if it was good: a client that guesses too often does not
// reach the store any more. What another client of the same address or network
// shows is still found if this server has made it.
func (s *Server) passOf(r *http.Request, kind store.Kind, d store.Digest, now time.Time, guess bool) (store.Pass, error) {
	if s.passes.nobodys(kind, d, now) {
		return store.Pass{}, store.ErrNone
	}
	from, q := s.address(r), quota{guessesAMinute, time.Minute, guessesAMinute}
	if guess {
		if err := s.often(r, "guesses", from, q); err != nil {
			return store.Pass{}, err
		}
	}
	pass, err := s.Hall.Passes().Pass(r.Context(), kind, d, now)
	switch {
	case errors.Is(err, store.ErrNone):
		s.passes.lack(kind, d, now)
	case guess: // it was good, or nobody knows
		s.giveBack(r, "guesses", from, q)
	}
	return pass, err
}

// signIn gives a browser a session.
func (s *Server) signIn(c *call, a hall.Account) (store.Pass, error) {
	secret, now, lasts := s.newSecret(), s.Hall.Now(), sessionTime
	if a.Member != 0 {
		lasts = memberTime
	}
	pass := store.Pass{Digest: store.DigestOf(secret), Kind: store.Session, Account: a.ID, Born: now, Until: now.Add(lasts), Label: deviceLabel(c.r.UserAgent())}
	if err := s.Hall.Passes().Admit(c.r.Context(), pass); err != nil {
		return pass, err
	}
	s.setCookie(c, secret, lasts)
	return pass, nil
}

// setCookie hands a secret to the browser, or takes it away.
func (s *Server) setCookie(c *call, secret string, age time.Duration) {
	cookie := &http.Cookie{
		Name: s.cookieName(c.r), Value: secret, Path: "/", MaxAge: int(age.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.tls(c.r),
	}
	if age <= 0 {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.w, cookie)
}

// renew makes a guest's session that is used last longer.
func (s *Server) renew(c *call) error {
	now := s.Hall.Now()
	if c.pass.Kind != store.Session || c.by.Member != 0 || c.pass.Until.Sub(now) > sessionTime-renewAfter {
		return nil
	}
	cookie, err := c.r.Cookie(s.cookieName(c.r))
	if err != nil {
		return nil
	}
	err = s.Hall.Passes().Extend(c.r.Context(), store.Session, c.pass.Digest, now, now.Add(sessionTime))
	if errors.Is(err, store.ErrNone) { // it was signed out a moment ago
		return nil
	}
	if err != nil {
		return err
	}
	s.passes.forget(c.by.ID)
	s.setCookie(c, cookie.Value, sessionTime)
	return nil
}

// tokenHeader tells a program until when its token is good, when that is soon.
const tokenHeader = "Copse-Token-Until"

// warn tells a program in good time that its token ends.
func (c *call) warn() {
	if c.pass.Kind == store.Token && tokenState(c.pass, c.Hall.Now()) == tokenSoon {
		c.w.Header().Set(tokenHeader, c.pass.Until.UTC().Format(time.RFC3339))
	}
}

// codeLetters are the letters of a code that is read aloud or typed: no two look
// alike.
const codeLetters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLength makes a code of 49 bits, good for one use within minutes.
const codeLength = 10

// newCode is a code that takes its holder to another device.
func newCode() string {
	code := make([]byte, 0, codeLength)
	for len(code) < codeLength {
		var b [1]byte
		_, _ = rand.Read(b[:])                         // it never fails
		if n := int(b[0]) & 31; n < len(codeLetters) { // no letter is favoured
			code = append(code, codeLetters[n])
		}
	}
	return string(code)
}

// codeDigest is what is kept of a code. A code is short, so a key of the server
// makes it longer.
func (s *Server) codeDigest(code string) store.Digest {
	code = plainCode(code)
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte("copse code 1\n" + code))
	return store.Digest(mac.Sum(nil))
}
