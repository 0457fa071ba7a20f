package server

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// passkeyReply is one of my passkeys.
type passkeyReply struct {
	Passkey string      `json:"passkey" about:"What it is called here."`
	Label   string      `json:"label"`
	Born    table.Time  `json:"born"`
	Used    *table.Time `json:"used,omitempty" about:"The day on which it last let me in."`
	Synced  bool        `json:"synced" about:"It is kept on several devices of mine, as it said itself."`
}

// backedUp is the flag of a passkey that is kept in more than one place.
const backedUp = 1 << 4

func (c *call) aboutPasskey(k *hall.Passkey) passkeyReply {
	reply := passkeyReply{Passkey: k.Name(), Label: k.Label, Born: k.Born, Synced: k.Flags&backedUp != 0}
	if k.Used != 0 {
		reply.Used = &k.Used
	}
	return reply
}

// passkeysReply is how I can come back.
type passkeysReply struct {
	Passkeys []passkeyReply `json:"passkeys"`
	Codes    int            `json:"codes" about:"How many recovery codes are left."`
	Made     *table.Time    `json:"made,omitempty" about:"When the recovery codes were made."`
}

func (c *call) passkeys(none) (passkeysReply, error) {
	reply := passkeysReply{Passkeys: []passkeyReply{}}
	list, err := c.Hall.Passkeys(c.r.Context(), c.by.ID)
	if err != nil {
		return reply, err
	}
	for i := range list {
		reply.Passkeys = append(reply.Passkeys, c.aboutPasskey(&list[i]))
	}
	codes, err := c.Hall.Codes(c.r.Context(), c.by.ID)
	if reply.Codes = len(codes.Left); codes.Born != 0 {
		reply.Made = &codes.Born
	}
	return reply, err
}

// labelBody is what a passkey is called by its owner.
type labelBody struct {
	Label string `json:"label"`
}

func (c *call) labelPasskey(in labelBody) (passkeyReply, error) {
	label, err := cleanName(in.Label)
	if err != nil {
		return passkeyReply{}, err
	}
	k, err := c.Hall.LabelPasskey(c.r.Context(), c.by.ID, c.r.PathValue("passkey"), label)
	return c.aboutPasskey(&k), err
}

func (c *call) removePasskey(none) (none, error) {
	meant, err := c.flag("last")
	if err == nil {
		err = c.recent()
	}
	if err == nil {
		err = held(c.Hall.RemovePasskey(c.r.Context(), c.by.ID, c.r.PathValue("passkey"), meant), "")
	}
	if err == nil {
		c.security("passkey removed")
	}
	return none{}, err
}

// recentTime is how long ago a member may have signed in who changes how they come
// back, or goes.
const recentTime = 15 * time.Minute

// recent refuses a member who has not signed in not long ago: whoever finds an open
// browser shall neither take the account over nor delete it. A guest has nothing to
// sign in with, and neither has a member without passkeys and codes.
func (c *call) recent() error {
	if c.by.Member == 0 || c.Hall.Now().Sub(c.pass.Born) < recentTime {
		return nil
	}
	keys, err := c.Hall.Passkeys(c.r.Context(), c.by.ID)
	if err != nil {
		return err
	}
	codes, err := c.Hall.Codes(c.r.Context(), c.by.ID)
	if err != nil || len(keys) == 0 && len(codes.Left) == 0 {
		return err
	}
	return game.Refuse("", "server.recent", game.Args{"minutes": int(recentTime.Minutes())})
}

// How many recovery codes somebody gets, and how many letters each has: 117 bits, which
// nobody guesses, whoever reads the digests and however long they try. With fewer than
// 112 a digest would have to be one that takes long to compute. Codes of before had 16
// letters, and stay good.
const (
	recoveryCodes  = 8
	recoveryLength = 24
)

// newRecovery makes recovery codes for an account, and what is kept of them.
func newRecovery(account string) (codes, digests []string) {
	for range recoveryCodes {
		code := make([]byte, 0, recoveryLength+recoveryLength/4)
		for n := 0; n < recoveryLength; {
			var b [1]byte
			_, _ = rand.Read(b[:]) // it never fails
			i := int(b[0]) & 31
			if i >= len(codeLetters) { // no letter is favoured
				continue
			}
			if n > 0 && n%4 == 0 {
				code = append(code, '-')
			}
			code = append(code, codeLetters[i])
			n++
		}
		codes = append(codes, string(code))
		digests = append(digests, recoveryDigest(account, string(code)))
	}
	return codes, digests
}

// recoveryDigest is what is kept of a recovery code. It needs no key of the house: so
// codes that lie in a drawer stay good when that is changed.
func recoveryDigest(account, code string) string {
	sum := sha256.Sum256([]byte("copse recovery 1\n" + account + "\n" + plainCode(code)))
	return hex.EncodeToString(sum[:])
}

// codesReply is recovery codes.
type codesReply struct {
	Codes []string `json:"codes" about:"Each is good once. They are told once."`
}

func (c *call) makeCodes(none) (codesReply, error) {
	if c.by.Member == 0 {
		return codesReply{}, game.Refuse("", "server.member", nil)
	}
	if err := c.recent(); err != nil {
		return codesReply{}, err
	}
	if err := c.often("passkeys", c.by.ID, quota{passkeysAnHour, time.Hour, passkeysAnHour}); err != nil {
		return codesReply{}, err
	}
	codes, digests := newRecovery(c.by.ID)
	if err := c.Hall.NewCodes(c.r.Context(), c.by.ID, digests); err != nil {
		return codesReply{}, err
	}
	c.security("recovery codes made")
	return codesReply{codes}, nil
}

// recoverBody is a recovery code and whose it is.
type recoverBody struct {
	Name string `json:"name" about:"The member's name."`
	Code string `json:"code" about:"Small letters, spaces and hyphens do no harm."`

	Replace *bool `json:"replace,omitempty" about:"Also where this browser is somebody else, whom it then is no longer."`
}

// recoverMe answers alike for a name that nobody has and a code that is not good.
func (c *call) recoverMe(in recoverBody) (meReply, error) {
	if _, err := cleanName(in.Name); err != nil {
		return meReply{}, err
	}
	ctx, q := c.r.Context(), quota{codesAMinute, time.Minute, codesAMinute}
	if err := c.often("recoveries", c.address(c.r), q); err != nil {
		return meReply{}, err
	}
	bad := game.Refuse("", "server.recovery", nil)
	account, err := c.Hall.NameHolder(ctx, looks(in.Name))
	if err != nil {
		return meReply{}, err
	}
	digest := recoveryDigest(account, in.Code)
	codes := hall.Codes{}
	if account != "" {
		if codes, err = c.Hall.Codes(ctx, account); err != nil {
			return meReply{}, err
		}
	}
	if !slices.Contains(codes.Left, digest) {
		return meReply{}, bad
	}
	if err := c.mayBecome(ctx, account, in.Replace); err != nil { // which spends no code
		return meReply{}, err
	}
	if err := c.Hall.UseCode(ctx, account, digest); errors.Is(err, store.ErrNone) {
		return meReply{}, bad
	} else if err != nil {
		return meReply{}, err
	}
	c.giveBack(c.r, "recoveries", c.address(c.r), q)
	c.security("sign-in by recovery code")
	return c.enter(account)
}

// How long a session is good for that nobody ends.
//
// A guest has nothing but the cookie: a session that ended while it is used would take
// the account with it. So it lasts as long as browsers keep cookies, from the last use
// on. A member signs in with one touch: their sessions end for good after a season, used
// or not, and after a month without use, so that a browser that was lent, sold or
// forgotten somewhere does not stay open for ever.
const (
	memberTime = 90 * 24 * time.Hour
	memberRest = 30 * 24 * time.Hour
)

// sessionEnd is when a session ends that is not used any more.
func sessionEnd(a *hall.Account, pass store.Pass) time.Time {
	if a.Member == 0 {
		return pass.Until
	}
	born, used := pass.Born, hall.UsedOn(pass)
	if joined := time.UnixMilli(int64(a.Member)); joined.After(born) { // a session of when they were a guest
		born = joined
	}
	if born.After(used) {
		used = born
	}
	end := born.Add(memberTime)
	if rest := used.Add(memberRest); rest.Before(end) {
		end = rest
	}
	if !pass.Until.IsZero() && pass.Until.Before(end) {
		return pass.Until
	}
	return end
}

// sessionReply is a browser in which I am signed in.
type sessionReply struct {
	Session string     `json:"session" about:"What it is called here."`
	Browser string     `json:"browser,omitempty" about:"Such as Firefox, where that is known."`
	System  string     `json:"system,omitempty" about:"Such as Linux, where that is known."`
	Born    table.Time `json:"born"`
	Used    table.Time `json:"used" about:"The day on which it was last used."`
	Until   table.Time `json:"until" about:"When it ends if it is not used any more. While it is, a guest's is made longer, a member's up to 90 days after they signed in."`
	Here    bool       `json:"here" about:"It is the one that asks."`
}

// sessionsReply lists browsers.
type sessionsReply struct {
	Sessions []sessionReply `json:"sessions"`
}

// sessionName is what a session is called where it is listed; nobody gets in by it.
func sessionName(d store.Digest) string {
	sum := sha256.Sum256(append([]byte("copse session 1\n"), d[:]...))
	return hex.EncodeToString(sum[:12])
}

func (c *call) sessions(none) (sessionsReply, error) {
	now := c.Hall.Now()
	list, err := c.Hall.Passes().Passes(c.r.Context(), c.by.ID, store.Session, now)
	reply := sessionsReply{Sessions: []sessionReply{}}
	for _, p := range list {
		end := sessionEnd(&c.by, p)
		if !end.After(now) {
			continue
		}
		browser, system := labelled(p.Label)
		reply.Sessions = append(reply.Sessions, sessionReply{
			Session: sessionName(p.Digest), Browser: browser, System: system, Born: table.At(p.Born),
			Used: table.At(hall.UsedOn(p)), Until: table.At(end), Here: p.Digest == c.pass.Digest,
		})
	}
	slices.SortStableFunc(reply.Sessions, func(a, b sessionReply) int { return int(b.Used/86_400_000 - a.Used/86_400_000) })
	return reply, err
}

func (c *call) endSession(none) (none, error) {
	list, err := c.Hall.Passes().Passes(c.r.Context(), c.by.ID, store.Session, c.Hall.Now())
	if err != nil {
		return none{}, err
	}
	i := slices.IndexFunc(list, func(p store.Pass) bool { return sessionName(p.Digest) == c.r.PathValue("session") })
	if i < 0 {
		return none{}, store.ErrNone
	}
	if list[i].Digest != c.pass.Digest { // to sign out here is always possible
		if err := c.recent(); err != nil {
			return none{}, err
		}
	}
	if err := c.disconnectPass(list[i]); err != nil {
		return none{}, err
	}
	if err := c.Hall.Passes().Withdraw(c.r.Context(), store.Session, list[i].Digest); err != nil {
		return none{}, err
	}
	c.security("session ended")
	if list[i].Digest == c.pass.Digest {
		c.goAway()
		return none{}, nil
	}
	c.Hall.PassesEnded(c.by.ID)
	return none{}, nil
}

// plainCode is a code as it is compared: in capitals, without spaces and hyphens.
func plainCode(code string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, code))
}
