package server

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// A passkey is made and used in two requests: the first is answered with a challenge,
// the second brings what the passkey answered. Between the two nothing is kept: the
// challenge goes to the browser and back in a ticket that only this house can make, so
// the two may reach different nodes. That a challenge was answered is written with what
// comes of it, so of any number of answers to it one is good.

// ticketTime is how long a challenge may take to be answered.
const ticketTime = 10 * time.Minute

// What a ticket is good for.
const (
	toKeep   = "keep"
	toSignIn = "sign-in"
)

// ticket is a challenge on its way to a browser and back.
type ticket struct {
	For       string     `json:"for"`
	Challenge string     `json:"challenge"`
	Account   string     `json:"account,omitempty"` // whose passkey it will be
	Bound     string     `json:"bound"`             // to whom it was given, who alone may bring it back
	Until     table.Time `json:"until"`
}

func (s *Server) ticketSeal(raw string) string {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte("copse ticket 1\n" + raw))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Server) writeTicket(t ticket) (string, error) {
	t.Until = table.At(s.Hall.Now().Add(ticketTime))
	raw, err := json.Marshal(t)
	text := base64.RawURLEncoding.EncodeToString(raw)
	return text + "." + s.ticketSeal(text), err
}

// readTicket reads a ticket for something that was given to somebody.
func (s *Server) readTicket(text, use, bound string) (ticket, error) {
	bad := game.Refuse("", "server.ticket", nil)
	body, seal, ok := strings.Cut(text, ".")
	if !ok || !hmac.Equal([]byte(seal), []byte(s.ticketSeal(body))) {
		return ticket{}, bad
	}
	var t ticket
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	if err != nil || t.For != use || !hmac.Equal([]byte(t.Bound), []byte(bound)) || table.At(s.Hall.Now()) > t.Until {
		return ticket{}, bad
	}
	return t, nil
}

// challenge is what is written when a ticket is used.
func (t *ticket) challenge() hall.Challenge {
	sum := sha256.Sum256([]byte(t.Challenge))
	return hall.Challenge{Key: base64.RawURLEncoding.EncodeToString(sum[:]), Until: time.UnixMilli(int64(t.Until)).UTC()}
}

// Whether passkeys are offered to who asks, and if not, why.
const (
	passkeysOffered = "offered"
	passkeysAddress = "address"   // the page was opened by an address, which passkeys cannot be for
	passkeysHost    = "host"      // the operator has not said by --host what this house is called
	passkeysOther   = "elsewhere" // it is called otherwise
	passkeysPlain   = "plain"     // the page came without TLS
)

// realm is for whom passkeys are made: a name that the operator has given, never one that
// a request brings, and the one origin that such a request may come from.
type realm struct{ id, origin string }

// realm says for whom passkeys are made that a request asks for, or why there are none.
func (s *Server) realm(r *http.Request) (at realm, why string) {
	name := HostName(r.Host)
	if _, err := netip.ParseAddr(name); err == nil {
		return realm{}, passkeysAddress
	}
	at.id = s.realmName()
	local := name == "localhost" || strings.HasSuffix(name, ".localhost")
	if len(s.Hosts) == 0 && local {
		at.id = name
	}
	switch {
	case at.id == "":
		return at, passkeysHost
	case name != at.id && !strings.HasSuffix(name, "."+at.id):
		return at, passkeysOther
	case !s.tls(r) && !local:
		return at, passkeysPlain
	case !local && !s.knownPort(r):
		return at, passkeysHost
	}
	at.origin = "https://" + strings.ToLower(r.Host)
	if !s.tls(r) {
		at.origin = "http://" + strings.ToLower(r.Host)
	}
	return at, passkeysOffered
}

// realmName is the first name that the operator has given the house and that is no
// address; empty where there is none.
func (s *Server) realmName() string {
	for _, host := range s.Hosts {
		name := HostName(host)
		if _, err := netip.ParseAddr(name); err != nil {
			return name
		}
	}
	return ""
}

// knownPort tells whether the port that a request names is one of ours: the usual one,
// the one it came in by, or one that the operator has named. Whoever answers at another
// port of the same machine is not us, and a passkey's answer to them is not good here.
func (s *Server) knownPort(r *http.Request) bool {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil || port == "443" {
		return true
	}
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && r.TLS != nil {
		if _, ours, err := net.SplitHostPort(at.String()); err == nil && ours == port {
			return true
		}
	}
	return slices.ContainsFunc(s.Hosts, func(host string) bool {
		_, named, err := net.SplitHostPort(host)
		return err == nil && named == port
	})
}

// ceremony is the library that makes challenges and checks answers, for a request.
func (c *call) ceremony() (*webauthn.WebAuthn, error) {
	at, why := c.realm(c.r)
	if why != passkeysOffered {
		return nil, game.Refuse("", "server.passkeys", game.Args{"why": why})
	}
	resident := true
	return webauthn.New(&webauthn.Config{
		RPID: at.id, RPDisplayName: "Copse", RPOrigins: []string{at.origin},
		AttestationPreference: protocol.PreferNoAttestation, // who made it is nobody's business
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: &resident, UserVerification: protocol.VerificationRequired,
		},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore, // nothing is made of them
	})
}

// holder is a person as the library knows them.
type holder struct {
	hall.Account
	keys []hall.Passkey
}

// WebAuthnID is what a passkey calls its owner. It leads to nobody, and follows from the
// account alone: a key of the house that is changed changes no passkey.
func (h holder) WebAuthnID() []byte {
	sum := sha256.Sum256([]byte("copse passkey 1\n" + h.ID))
	return sum[:]
}

// WebAuthnName is what the owner of a passkey is called where it is kept.
func (h holder) WebAuthnName() string { return h.Name }

// WebAuthnDisplayName is the same.
func (h holder) WebAuthnDisplayName() string { return h.Name }

// WebAuthnCredentials are the passkeys.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	list := []webauthn.Credential{}
	for _, k := range h.keys {
		one := webauthn.Credential{ID: k.ID, PublicKey: k.Key, Flags: webauthn.CredentialFlagsFromMsgpByte(k.Flags), Authenticator: webauthn.Authenticator{SignCount: k.Counter}}
		for _, t := range k.Transports {
			one.Transport = append(one.Transport, protocol.AuthenticatorTransport(t))
		}
		list = append(list, one)
	}
	return list
}

// browserJSON is JSON for the browser's own functions and from them.
type browserJSON json.RawMessage

// MarshalJSON writes it as it is.
func (b browserJSON) MarshalJSON() ([]byte, error) { return json.RawMessage(b).MarshalJSON() }

// UnmarshalJSON reads it as it is.
func (b *browserJSON) UnmarshalJSON(raw []byte) error {
	return (*json.RawMessage)(b).UnmarshalJSON(raw)
}

// beginReply is a challenge.
type beginReply struct {
	Ticket  string      `json:"ticket" about:"To be sent back with the answer, within ten minutes."`
	Options browserJSON `json:"options" about:"What the browser is asked with: for PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON."`
}

func (c *call) begun(t ticket, options any) (beginReply, error) {
	raw, err := json.Marshal(options)
	if err != nil {
		return beginReply{}, err
	}
	text, err := c.writeTicket(t)
	return beginReply{Ticket: text, Options: raw}, err
}

// session is to whom a ticket for a passkey is given: the session that asks for it.
func (c *call) session() string {
	sum := sha256.Sum256(append([]byte("copse bound 1\n"), c.pass.Digest[:]...))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (c *call) beginPasskey(none) (beginReply, error) {
	ctx := c.r.Context()
	library, err := c.ceremony()
	if err != nil {
		return beginReply{}, err
	}
	if err := c.recent(); err != nil {
		return beginReply{}, err
	}
	if c.by.Member == 0 { // before a passkey is made that would be good for nothing
		if err := c.allowed(ctx, c.by.Name); err != nil { // it may have been taken away from somebody else since
			return beginReply{}, err
		}
		other, err := c.Hall.NameHolder(ctx, looks(c.by.Name))
		if err != nil {
			return beginReply{}, err
		}
		if other != "" {
			return beginReply{}, held(hall.ErrHeld, c.by.Name)
		}
	}
	keys, err := c.Hall.Passkeys(ctx, c.by.ID)
	if err != nil {
		return beginReply{}, err
	}
	if len(keys) >= hall.MostPasskeys {
		return beginReply{}, held(hall.ErrMany, "")
	}
	me := holder{c.by, keys}
	had := []protocol.CredentialDescriptor{}
	for _, one := range me.WebAuthnCredentials() {
		had = append(had, one.Descriptor())
	}
	creation, session, err := library.BeginRegistration(me, webauthn.WithExclusions(had))
	if err != nil {
		return beginReply{}, err
	}
	return c.begun(ticket{For: toKeep, Challenge: session.Challenge, Account: c.by.ID, Bound: c.session()}, creation.Response)
}

// held says in which words something is not done for a member.
func held(err error, name string) error {
	switch {
	case errors.Is(err, hall.ErrHeld):
		return game.Refuse("", "server.name.held", game.Args{"name": name})
	case errors.Is(err, hall.ErrMany):
		return game.Refuse("", "server.passkey.many", game.Args{"most": hall.MostPasskeys})
	case errors.Is(err, hall.ErrLast):
		return game.Refuse("", "server.passkey.last", nil)
	case errors.Is(err, hall.ErrSpent):
		return game.Refuse("", "server.ticket", nil)
	case errors.Is(err, store.ErrTaken):
		return game.Refuse("", "server.passkey", nil)
	}
	return err
}

// passkeyBody is a passkey that was made.
type passkeyBody struct {
	Ticket     string      `json:"ticket"`
	Credential browserJSON `json:"credential" about:"What the browser has made, as its toJSON writes it."`
	Label      *string     `json:"label,omitempty" about:"For me to know it by. The usual one is the browser and the system."`
}

// keptReply is what came of a passkey.
type keptReply struct {
	Me      meReply      `json:"me"`
	Passkey passkeyReply `json:"passkey"`
	Codes   []string     `json:"codes,omitempty" about:"Recovery codes, told once: with the first passkey."`
}

func (c *call) addPasskey(in passkeyBody) (keptReply, error) {
	ctx := c.r.Context()
	label := c.usualLabel()
	if in.Label != nil {
		clean, err := cleanName(*in.Label)
		if err != nil {
			return keptReply{}, err
		}
		label = clean
	}
	library, err := c.ceremony()
	if err != nil {
		return keptReply{}, err
	}
	if err := c.recent(); err != nil {
		return keptReply{}, err
	}
	if err := c.often("passkeys", c.by.ID, quota{passkeysAnHour, time.Hour, passkeysAnHour}); err != nil {
		return keptReply{}, err
	}
	t, err := c.readTicket(in.Ticket, toKeep, c.session())
	if err != nil {
		return keptReply{}, err
	}
	me := holder{c.by, nil}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(in.Credential)
	var made *webauthn.Credential
	if err == nil {
		made, err = library.CreateCredential(me, webauthn.SessionData{
			Challenge: t.Challenge, RelyingPartyID: library.Config.RPID, UserID: me.WebAuthnID(), UserVerification: protocol.VerificationRequired,
			CredParams: webauthn.CredentialParametersDefault(),
		}, parsed)
	}
	if err != nil || t.Account != c.by.ID {
		return keptReply{}, c.unfit(err)
	}
	k := hall.Passkey{
		Account: c.by.ID, ID: made.ID, Key: made.PublicKey, Counter: made.Authenticator.SignCount, Flags: made.Flags.MsgpByte(),
		Label: label, Born: table.At(c.Hall.Now()),
	}
	for _, transport := range made.Transport {
		if len(k.Transports) < 8 && len(transport) < 32 {
			k.Transports = append(k.Transports, string(transport))
		}
	}
	codes, digests := newRecovery(c.by.ID)
	joined, err := c.Hall.AddPasskey(ctx, k, t.challenge(), looks, digests)
	if err != nil {
		return keptReply{}, held(err, c.by.Name)
	}
	c.security("passkey added")
	reply := keptReply{Passkey: c.aboutPasskey(&k)}
	if joined {
		c.security("member")
		reply.Codes = codes
	}
	me.Account, err = c.Hall.Account(ctx, c.by.ID)
	if err == nil {
		reply.Me = c.aboutMe(me.Account)
		err = c.changeSession(me.Account)
	}
	return reply, hall.Unsure(err)
}

// usualLabel is what a passkey is called whose owner has no better name for it.
func (c *call) usualLabel() string {
	browser, system := device(c.r.UserAgent())
	label := strings.Trim(browser+", "+system, ", ")
	if label == "" {
		return "1"
	}
	return label
}

// unfit says that the answer of a passkey is not good, to the client without a reason
// and to the operator without a secret.
func (c *call) unfit(err error) error {
	why := "it is another account's"
	var known *protocol.Error
	switch {
	case errors.As(err, &known):
		why = known.Type + ": " + known.Details
	case err != nil:
		why = "it cannot be read"
	}
	if times := c.watch.count("unfit "+why, c.Hall.Now()); times > 0 {
		c.Log.Warn("security", "event", "passkey refused", "why", why, "times", times)
	}
	return game.Refuse("", "server.passkey", nil)
}

// knockName is the name of the cookie that binds a ticket to the browser that has asked
// for it while it is nobody yet.
func (c *call) knockName() string { return c.cookieName(c.r) + "-knock" }

// knock is what the cookie says; empty where there is none.
func (c *call) knock() string {
	cookie, err := c.r.Cookie(c.knockName())
	if err != nil || len(cookie.Value) != knockLength {
		return ""
	}
	sum := sha256.Sum256([]byte("copse knock 1\n" + cookie.Value))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// knockLength is how long what is in the cookie is.
const knockLength = 22

func (c *call) beginSignIn(none) (beginReply, error) {
	library, err := c.ceremony()
	if err != nil {
		return beginReply{}, err
	}
	bound := c.knock() // of another tab, whose ticket stays good
	if bound == "" {
		var raw [16]byte
		_, _ = rand.Read(raw[:]) // it never fails
		text := base64.RawURLEncoding.EncodeToString(raw[:])
		c.r.AddCookie(&http.Cookie{Name: c.knockName(), Value: text})
		bound = c.knock()
		http.SetCookie(c.w, &http.Cookie{
			Name: c.knockName(), Value: text, Path: "/", MaxAge: 24 * 60 * 60,
			HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.tls(c.r),
		})
	}
	request, session, err := library.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return beginReply{}, err
	}
	return c.begun(ticket{For: toSignIn, Challenge: session.Challenge, Bound: bound}, request.Response)
}

// signInBody is the answer of a passkey.
type signInBody struct {
	Ticket     string      `json:"ticket"`
	Credential browserJSON `json:"credential" about:"What the browser has got from the passkey, as its toJSON writes it."`
	Replace    *bool       `json:"replace,omitempty" about:"Also where this browser is somebody else, whom it then is no longer."`
}

func (c *call) signInByPasskey(in signInBody) (meReply, error) {
	ctx, q := c.r.Context(), quota{signInsAMinute, time.Minute, signInsAMinute}
	library, err := c.ceremony()
	if err != nil {
		return meReply{}, err
	}
	if err := c.often("sign-ins", c.address(c.r), q); err != nil {
		return meReply{}, err
	}
	bound := c.knock()
	t, err := c.readTicket(in.Ticket, toSignIn, bound)
	if err != nil || bound == "" {
		return meReply{}, game.Refuse("", "server.ticket", nil)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(in.Credential)
	if err != nil {
		return meReply{}, c.unfit(err)
	}
	k, err := c.Hall.UsePasskey(ctx, parsed.RawID, t.challenge(), func(k *hall.Passkey) error {
		user := holder{hall.Account{ID: k.Account}, []hall.Passkey{*k}}
		_, used, err := library.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) { return user, nil }, webauthn.SessionData{
			Challenge: t.Challenge, RelyingPartyID: library.Config.RPID, UserVerification: protocol.VerificationRequired,
		}, parsed)
		if err != nil {
			return c.unfit(err)
		}
		if used.Authenticator.CloneWarning { // its counter went back: there are two of it
			c.Log.Warn("security", "event", "a passkey counts as one that was copied")
			return game.Refuse("", "server.passkey.copied", nil)
		}
		k.Counter, k.Flags = used.Authenticator.SignCount, used.Flags.MsgpByte()
		return c.mayBecome(ctx, k.Account, in.Replace)
	})
	if errors.Is(err, store.ErrNone) { // removed, or its owner is gone
		return meReply{}, game.Refuse("", "server.passkey", nil)
	}
	if err != nil {
		return meReply{}, held(err, "")
	}
	c.giveBack(c.r, "sign-ins", c.address(c.r), q)
	c.security("sign-in by passkey")
	return c.enter(k.Account)
}

// mayBecome refuses to make somebody else of who asks, unless they want that.
func (c *call) mayBecome(ctx context.Context, account string, replace *bool) error {
	if c.by.ID == "" || c.by.ID == account || replace != nil && *replace {
		return nil
	}
	sits, err := c.Hall.SitsAt(ctx, c.by, mostListed)
	if err != nil {
		return err
	}
	return game.Refuse("", "server.replace", game.Args{"name": c.by.Name, "tables": sits})
}

// enter makes who asks somebody, by a new session: the one before is good no longer.
func (c *call) enter(account string) (meReply, error) {
	a, err := c.Hall.Account(c.r.Context(), account)
	if errors.Is(err, store.ErrNone) { // deleted a moment ago
		return meReply{}, game.Refuse("", "server.passkey", nil)
	}
	if err == nil {
		err = c.changeSession(a)
		c.came(a.ID)
	}
	return c.aboutMe(a), hall.Unsure(err)
}

// changeSession gives a browser a new session, as is right where it becomes more than it
// was, and ends the one that it had.
func (c *call) changeSession(a hall.Account) error {
	before := c.pass
	now, err := c.signIn(c, a)
	if err != nil || before.Kind != store.Session {
		return err
	}
	switch {
	case c.Doorbell == nil:
	case a.ID == c.by.ID: // its doorbell goes on
		err = c.Doorbell.Move(c.r.Context(), a.ID, sessionKey(before), sessionKey(now))
	default: // who was here before is told nothing here any more
		err = c.disconnectPass(before)
	}
	if err != nil {
		return err
	}
	return c.endBefore()
}

// endBefore ends the session that a browser had before it got another.
func (c *call) endBefore() error {
	if c.pass.Kind != store.Session {
		return nil
	}
	err := c.Hall.Passes().Withdraw(c.r.Context(), c.pass.Kind, c.pass.Digest)
	c.Hall.PassesEnded(c.by.ID)
	return err
}
