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
	if err != nil || utf8.RuneCountInString(name) > longestName || len(name) > store.LongestName {
		return "", game.Blame("server.name", game.Args{"most": longestName})
	}
	return name, nil
}

// meReply is who somebody is here.
type meReply struct {
	SignedIn bool   `json:"signedIn"`
	Name     string `json:"name,omitempty"`
	Program  bool   `json:"program,omitempty"`
}

// nameBody is a name for oneself or a program.
type nameBody struct {
	Name string `json:"name"`
}

func (c *call) me(none) (meReply, error) {
	if c.by.ID == "" {
		return meReply{}, nil
	}
	return meReply{true, c.by.Name, c.by.Program}, c.renew(c)
}

func (c *call) become(in nameBody) (meReply, error) {
	if c.by.ID != "" {
		return meReply{}, game.Refuse("", "server.signed-in", nil)
	}
	if err := c.often("guests", c.address(c.r), quota{c.limits.Guests, time.Hour, max(c.limits.Guests/2, 1)}); err != nil {
		return meReply{}, err
	}
	a, err := newAccount(in.Name, hall.More{})
	if err == nil {
		err = c.Hall.AddAccount(c.r.Context(), a)
	}
	if err != nil {
		return meReply{}, err
	}
	return meReply{true, a.Name, false}, c.signIn(c, a.ID)
}

// newAccount is somebody who is to be added.
func newAccount(name string, more hall.More) (hall.Account, error) {
	name, err := cleanName(name)
	if err != nil {
		return hall.Account{}, err
	}
	a := hall.Account{ID: hall.NewID(), Name: name, Salt: make([]byte, 16), More: more}
	_, _ = rand.Read(a.Salt) // it never fails
	return a, nil
}

func (c *call) rename(in nameBody) (meReply, error) {
	name, err := cleanName(in.Name)
	if err != nil {
		return meReply{}, err
	}
	return meReply{true, name, c.by.Program}, c.Hall.ChangeAccount(c.r.Context(), c.by.ID, func(a *hall.Account) error {
		a.Name = name
		return nil
	})
}

func (c *call) forgetMe(none) (none, error) {
	if err := c.Hall.DeleteAccount(c.r.Context(), c.by.ID); err != nil {
		return none{}, err
	}
	c.passes.forget(c.by.ID)
	c.setCookie(c, "", 0)
	return none{}, nil
}

func (c *call) signOut(none) (none, error) {
	if err := c.Hall.Passes().Withdraw(c.r.Context(), c.pass.Kind, c.pass.Digest); err != nil {
		return none{}, err
	}
	c.passes.forget(c.by.ID)
	c.setCookie(c, "", 0)
	return none{}, nil
}

func (c *call) signOutEverywhere(none) (none, error) {
	if err := c.Hall.Passes().SignOut(c.r.Context(), c.by.ID, store.Session, store.Link); err != nil {
		return none{}, err
	}
	c.passes.forget(c.by.ID)
	c.setCookie(c, "", 0)
	return none{}, nil
}

// codeReply is a code that moves a seat to another device.
type codeReply struct {
	Code  string     `json:"code"`
	Until table.Time `json:"until"`
}

func (c *call) code(none) (codeReply, error) {
	code, now := newCode(), c.Hall.Now()
	until := now.Add(codeTime)
	err := c.Hall.Passes().Admit(c.r.Context(), store.Pass{Digest: c.codeDigest(code), Kind: store.Link, Person: c.by.ID, Born: now, Until: until})
	return codeReply{code, table.At(until)}, err
}

// codeBody is a code that was made elsewhere.
type codeBody struct {
	Code string `json:"code"`
}

func (c *call) goOn(in codeBody) (meReply, error) {
	if err := c.often("codes", c.address(c.r), quota{codesAMinute, time.Minute, codesAMinute}); err != nil {
		return meReply{}, err
	}
	secret, now := c.newSecret(), c.Hall.Now()
	pass, err := c.Hall.Passes().Redeem(c.r.Context(), c.codeDigest(in.Code), now, store.Pass{
		Digest: store.DigestOf(secret), Kind: store.Session, Born: now, Until: now.Add(sessionTime),
	})
	if errors.Is(err, store.ErrNone) {
		return meReply{}, game.Refuse("", "server.code", nil)
	}
	if err != nil {
		return meReply{}, err
	}
	a, err := c.Hall.Account(c.r.Context(), pass.Person)
	if err != nil {
		return meReply{}, err
	}
	c.setCookie(c, secret, sessionTime)
	return meReply{true, a.Name, a.Program}, nil
}

// program is a program that plays for somebody.
type program struct {
	Program string `json:"program"` // its ID
	Name    string `json:"name"`
	Token   string `json:"token,omitempty"` // told once, when it is made
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
		reply.Programs = append(reply.Programs, program{Program: id, Name: a.Name})
	}
	return reply, nil
}

func (c *call) addProgram(in nameBody) (program, error) {
	a, err := newAccount(in.Name, hall.More{Program: true, Owner: c.by.ID})
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
	token := tokenPrefix + c.newSecret()
	err = c.Hall.Passes().Admit(c.r.Context(), store.Pass{Digest: store.DigestOf(token), Kind: store.Token, Person: a.ID, Born: c.Hall.Now()})
	return program{a.ID, a.Name, token}, err
}

func (c *call) dropProgram(none) (none, error) {
	id := c.r.PathValue("program")
	if !slices.Contains(c.by.Programs, id) {
		return none{}, store.ErrNone
	}
	if err := c.Hall.DeleteAccount(c.r.Context(), id); err != nil && !errors.Is(err, store.ErrNone) {
		return none{}, err
	}
	c.passes.forget(id)
	return none{}, c.Hall.ChangeAccount(c.r.Context(), c.by.ID, func(me *hall.Account) error {
		me.Programs = slices.DeleteFunc(me.Programs, func(other string) bool { return other == id })
		return nil
	})
}
