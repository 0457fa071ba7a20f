package server

import (
	"crypto/rand"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// longestName is how many characters a name may have.
const longestName = 24

// cleanName is a name in the form in which others read it, or a *game.Fault.
func cleanName(text string) (string, error) {
	name, err := table.CleanChat(text)
	if err != nil || utf8.RuneCountInString(text) > longestName || len(name) > store.LongestName {
		return "", game.Blame("server.name", game.Args{"most": longestName})
	}
	return name, nil
}

// meReply is who the client is here.
type meReply struct {
	SignedIn bool   `json:"signedIn"`
	Name     string `json:"name,omitempty"`
	Program  bool   `json:"program,omitempty"`

	Member   *table.Time `json:"member,omitempty" about:"Since when my name is kept for me; nothing for a guest."`
	Passkeys string      `json:"passkeys,omitempty" about:"Whether passkeys are offered here, or why not: the page was opened by an address, the operator has named no host, the house is called otherwise, or the page came without TLS."`
	Chimes   bool        `json:"chimes,omitempty" about:"Some browser of mine is told something though its page is shut: streams say then whether anybody looks at them (hidden)."`
	Site     string      `json:"site,omitempty" about:"What the house is called, where passkeys are not offered because it is called otherwise."`

	Until *table.Time `json:"until,omitempty" about:"When the token of a program ends."`

	Banned   *DeskMark `json:"banned,omitempty" about:"I am banned: all I may do is to read this, to download all that is mine, and to go."`
	Muted    *DeskMark `json:"muted,omitempty" about:"I may say set phrases alone, and take no other name."`
	Operator bool      `json:"operator,omitempty" about:"I am an operator of this house."`
}

// nameBody is a name for an account or a program.
type nameBody struct {
	Name string `json:"name" about:"In one line; it has something to see in it."`
}

func (c *call) me(none) (meReply, error) {
	reply := c.aboutMe(c.by)
	at, why := c.realm(c.r)
	if reply.Passkeys = why; why == passkeysOther {
		reply.Site = at.id
	}
	if c.by.ID == "" {
		return reply, nil
	}
	c.came(c.by.ID)
	if err := c.aboutPeace(&reply, c.by); err != nil {
		return reply, err
	}
	if c.pass.Kind == store.Token {
		reply.Until = timeOf(c.pass.Until)
	}
	return reply, c.renew(c)
}

// aboutMe tells who somebody is.
func (c *call) aboutMe(a hall.Account) meReply {
	if a.ID == "" {
		return meReply{}
	}
	reply := meReply{SignedIn: true, Name: a.Name, Program: a.Program}
	if a.Member != 0 {
		reply.Member = &a.Member
	}
	reply.Chimes = a.Chimes != nil && a.Chimes.On
	return reply
}

func (c *call) become(in nameBody) (meReply, error) {
	if c.by.ID != "" {
		return meReply{}, game.Refuse("", "server.signed-in", nil)
	}
	if err := c.often("guests", c.address(c.r), quota{c.limits.Guests, time.Hour, max(c.limits.Guests/2, 1)}); err != nil {
		return meReply{}, err
	}
	if err := c.newcomer(); err != nil {
		return meReply{}, err
	}
	a, err := c.newAccount(in.Name, hall.More{})
	if err == nil {
		err = c.Hall.AddAccount(c.r.Context(), a)
	}
	if err != nil {
		return meReply{}, err
	}
	c.security("guest")
	c.came(a.ID)
	_, err = c.signIn(c, a)
	return c.aboutMe(a), hall.Unsure(err)
}

// newAccount is an account to be added. Its name is none that a member has, except for
// a program of theirs: guests may share theirs, and are marked as guests.
func (c *call) newAccount(name string, more hall.More) (hall.Account, error) {
	name, err := cleanName(name)
	if err != nil {
		return hall.Account{}, err
	}
	if err := c.allowed(c.r.Context(), name); err != nil {
		return hall.Account{}, err
	}
	switch holder, err := c.Hall.NameHolder(c.r.Context(), looks(name)); {
	case err != nil:
		return hall.Account{}, err
	case holder != "" && holder != more.Owner:
		return hall.Account{}, held(hall.ErrHeld, name)
	}
	a := hall.Account{ID: c.Hall.NewID(), Name: name, Salt: make([]byte, 16), More: more}
	_, _ = rand.Read(a.Salt) // it never fails
	return a, nil
}

func (c *call) rename(in nameBody) (meReply, error) {
	name, err := cleanName(in.Name)
	if err != nil {
		return meReply{}, err
	}
	if err := c.recent(); err != nil { // a recovery code is asked for with the name, and a name that is let go may be taken
		return meReply{}, err
	}
	if err := c.unmuted(); err != nil { // a name is words of one's own
		return meReply{}, err
	}
	if err := c.allowed(c.r.Context(), name); err != nil {
		return meReply{}, err
	}
	reply := c.aboutMe(c.by)
	reply.Name = name
	return reply, held(c.Hall.Rename(c.r.Context(), c.by.ID, name, looks(name)), name)
}

func (c *call) forgetMe(none) (none, error) {
	if err := c.recent(); err != nil {
		return none{}, err
	}
	if err := c.Hall.DeleteAccount(c.r.Context(), c.by.ID); err != nil && !errors.Is(err, store.ErrNone) {
		return none{}, err
	}
	c.security("deleted")
	c.goAway()
	return none{}, nil
}

func (c *call) signOut(none) (none, error) {
	if err := c.disconnectPass(c.pass); err != nil {
		return none{}, err
	}
	if err := c.Hall.Passes().Withdraw(c.r.Context(), c.pass.Kind, c.pass.Digest); err != nil {
		return none{}, err
	}
	c.security("sign-out")
	c.goAway()
	return none{}, nil
}

func (c *call) signOutEverywhere(none) (none, error) {
	if err := c.recent(); err != nil {
		return none{}, err
	}
	if err := c.disconnect(func(string) bool { return true }); err != nil {
		return none{}, err
	}
	if err := c.Hall.Passes().SignOut(c.r.Context(), c.by.ID, store.Session, store.Link); err != nil {
		return none{}, err
	}
	c.security("sign-out everywhere")
	c.goAway()
	return none{}, nil
}

// goAway lets the browser forget who it was, and what it was told as that account.
// What it keeps itself stays: games against bots are there and nowhere else.
func (c *call) goAway() {
	c.Hall.PassesEnded(c.by.ID)
	c.setCookie(c, "", 0)
	c.w.Header().Set("Clear-Site-Data", `"cache"`)
}

// codeReply is a code that moves a seat to another device.
type codeReply struct {
	Code  string     `json:"code"`
	Until table.Time `json:"until"`
}

func (c *call) code(none) (codeReply, error) {
	if err := c.recent(); err != nil { // or a code would be a way to have signed in not long ago
		return codeReply{}, err
	}
	code, now := newCode(), c.Hall.Now()
	until := now.Add(codeTime)
	err := c.Hall.Passes().Admit(c.r.Context(), store.Pass{Digest: c.codeDigest(code), Kind: store.Link, Account: c.by.ID, Born: now, Until: until})
	if err == nil {
		c.security("code made")
	}
	return codeReply{code, table.At(until)}, err
}

// codeBody is a code that was made elsewhere.
type codeBody struct {
	Code string `json:"code" about:"Small letters, spaces and hyphens do no harm."`

	Replace *bool `json:"replace,omitempty" about:"Also where this browser is somebody else, whom it then is no longer."`
}

func (c *call) goOn(in codeBody) (meReply, error) {
	if err := c.often("codes", c.address(c.r), quota{codesAMinute, time.Minute, codesAMinute}); err != nil {
		return meReply{}, err
	}
	if c.by.ID != "" {
		link, err := c.Hall.Holder(c.r.Context(), store.Link, c.codeDigest(in.Code))
		switch {
		case errors.Is(err, store.ErrNone):
			return meReply{}, game.Refuse("", "server.code", nil)
		case err != nil:
			return meReply{}, err
		case link.Account == c.by.ID: // nothing changes
			return c.aboutMe(c.by), nil
		case in.Replace == nil || !*in.Replace:
			return meReply{}, game.Refuse("", "server.continue", game.Args{"name": c.by.Name})
		}
	}
	if err := c.guestComes(in.Code); err != nil {
		return meReply{}, err
	}
	secret, now := c.newSecret(), c.Hall.Now()
	pass, err := c.Hall.Passes().Redeem(c.r.Context(), c.codeDigest(in.Code), now, store.Pass{
		Digest: store.DigestOf(secret), Kind: store.Session, Born: now, Until: now.Add(sessionTime), Label: deviceLabel(c.r.UserAgent()),
	})
	if errors.Is(err, store.ErrNone) {
		return meReply{}, game.Refuse("", "server.code", nil)
	}
	if err != nil {
		return meReply{}, err
	}
	c.security("sign-in by code")
	a, err := c.Hall.Account(c.r.Context(), pass.Account)
	if err != nil {
		return meReply{}, hall.Unsure(err)
	}
	c.setCookie(c, secret, sessionTime)
	c.came(a.ID)
	if c.pass.Kind == store.Session { // who was here before is told nothing here any more
		if err := c.disconnectPass(c.pass); err != nil {
			return meReply{}, hall.Unsure(err)
		}
	}
	return c.aboutMe(a), hall.Unsure(c.endBefore())
}

// guestComes refuses a code of a guest who comes from a network that was banned, and
// does not use it up.
func (c *call) guestComes(code string) error {
	refused := c.newcomer()
	if refused == nil {
		return nil
	}
	link, err := c.Hall.Holder(c.r.Context(), store.Link, c.codeDigest(code))
	if errors.Is(err, store.ErrNone) {
		return game.Refuse("", "server.code", nil)
	}
	if err != nil {
		return err
	}
	a, err := c.Hall.Account(c.r.Context(), link.Account)
	if err != nil || a.Member != 0 {
		return err
	}
	return refused
}

// program is a program that plays for somebody.
type program struct {
	Program string `json:"program" about:"Its ID."`
	Name    string `json:"name"`
	Token   string `json:"token,omitempty" about:"Told once, when it is made."`

	State string      `json:"state" about:"The state of its token: soon is where it ends within two weeks."`
	Until *table.Time `json:"until,omitempty" about:"When its token ends; nothing where that is not settled before it is used."`
	Used  *table.Time `json:"used,omitempty" about:"The day on which its token was last used."`
}

// The states of a token.
const (
	tokenGood  = "good"
	tokenSoon  = "soon"
	tokenEnded = "ended"
)

// tokenState is the state of a token that has not ended.
func tokenState(pass store.Pass, now time.Time) string {
	if !pass.Until.IsZero() && pass.Until.Sub(now) <= hall.TokenWarning {
		return tokenSoon
	}
	return tokenGood
}

// timeOf is a time as it is told; nil for the zero time.
func timeOf(t time.Time) *table.Time {
	if t.IsZero() {
		return nil
	}
	at := table.At(t)
	return &at
}

// about tells of a program with a token.
func (c *call) about(a hall.Account, pass store.Pass, secret string) program {
	return program{
		Program: a.ID, Name: a.Name, Token: secret,
		State: tokenState(pass, c.Hall.Now()), Until: timeOf(pass.Until), Used: timeOf(pass.Used),
	}
}

// programsReply lists programs.
type programsReply struct {
	Programs []program `json:"programs"`
}

func (c *call) programs(none) (programsReply, error) {
	reply := programsReply{Programs: []program{}}
	for _, id := range c.by.Programs {
		a, err := c.Hall.Account(c.r.Context(), id)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return reply, err
		}
		pass, ok, err := c.Hall.Token(c.r.Context(), id)
		if err != nil {
			return reply, err
		}
		p := c.about(a, pass, "")
		if !ok {
			p.State = tokenEnded
		}
		reply.Programs = append(reply.Programs, p)
	}
	return reply, nil
}

func (c *call) addProgram(in nameBody) (program, error) {
	if _, err := cleanName(in.Name); err != nil {
		return program{}, err
	}
	if err := c.unmuted(); err != nil {
		return program{}, err
	}
	a, err := c.newAccount(in.Name, hall.More{Program: true, Owner: c.by.ID})
	if err != nil {
		return program{}, err
	}
	if err := c.Hall.AddProgram(c.r.Context(), a, func(me *hall.Account) error {
		if len(me.Programs) >= mostPrograms {
			return game.Refuse("", "server.programs", game.Args{"most": mostPrograms})
		}
		return nil
	}); err != nil {
		return program{}, err
	}
	p, err := c.newToken(a, "token made")
	return p, hall.Unsure(err) // the program is there, and can be given another
}

// newToken gives a program a token.
func (c *call) newToken(a hall.Account, event string) (program, error) {
	token := tokenPrefix + c.newSecret()
	pass, err := c.Hall.NewToken(c.r.Context(), a.ID, store.DigestOf(token))
	if err != nil {
		return program{}, err
	}
	c.security(event)
	return c.about(a, pass, token), nil
}

func (c *call) renewProgram(none) (program, error) {
	id := c.r.PathValue("program")
	if !slices.Contains(c.by.Programs, id) {
		return program{}, store.ErrNone
	}
	a, err := c.Hall.Account(c.r.Context(), id)
	if err != nil {
		return program{}, err
	}
	p, err := c.newToken(a, "token renewed")
	c.Hall.PassesEnded(id)
	return p, err
}

func (c *call) dropProgram(none) (none, error) {
	id := c.r.PathValue("program")
	if !slices.Contains(c.by.Programs, id) {
		return none{}, store.ErrNone
	}
	if err := c.Hall.DeleteAccount(c.r.Context(), id); err != nil && !errors.Is(err, store.ErrNone) {
		return none{}, err
	}
	c.security("token revoked")
	c.Hall.PassesEnded(id)
	return none{}, hall.Unsure(c.Hall.ChangeAccount(c.r.Context(), c.by.ID, func(me *hall.Account) error {
		me.Programs = slices.DeleteFunc(me.Programs, func(other string) bool { return other == id })
		return nil
	}))
}
