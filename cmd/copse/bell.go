package main

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"copse/doorbell"
	"copse/push"
	"copse/seal"
	"copse/server"
	"copse/store"
)

// noPush is what --push says for no notifications.
const noPush = "off"

// usualContact is what push services are told by a house that has no name, such as one on
// this machine alone. They want something, and it must mislead nobody.
const usualContact = "https://copse.invalid"

// checkPush says what is wrong with whom push services may write to.
func checkPush(contact string) error {
	if contact == "" || contact == noPush {
		return nil
	}
	u, err := url.Parse(contact)
	if err == nil && (u.Scheme == "mailto" && strings.Contains(u.Opaque, "@") || u.Scheme == "https" && u.Host != "") && !strings.ContainsAny(contact, " \"\\") {
		return nil
	}
	return misused("%q is nobody to write to: give --push an address such as mailto:oak@copse.example, a page such as https://copse.example, or off", contact)
}

// subject is whom push services may write to.
func (c serveCommand) subject() string {
	switch {
	case c.Push != "":
		return c.Push
	case len(c.Host) > 0:
		return "https://" + c.Host[0]
	}
	return usualContact
}

// hang hangs up the doorbell, which tells people that it is their turn. Where its key
// cannot be opened it stays silent: a new one would be of no use to any browser that has
// the old one.
func (h *house) hang(ctx context.Context, c serveCommand, figures *server.Figures) (err error) {
	if c.Push == noPush {
		return nil
	}
	if err := h.ring.Fits(ctx, h.store); errors.Is(err, seal.ErrOld) {
		return h.silent(err) // what it sealed nobody else could open
	} else if err != nil {
		return err
	}
	h.bell, err = doorbell.Open(ctx, doorbell.Options{
		Papers: h.store, Ring: h.ring, Push: push.Options{Subject: c.subject()}, Heed: figures.Pushed, Log: h.log,
	})
	var damage *store.Damage
	if errors.Is(err, seal.ErrKey) || errors.Is(err, seal.ErrSeal) || errors.Is(err, push.ErrKey) || errors.As(err, &damage) { // games go on without it
		return h.silent(err)
	}
	return err
}

// silent says why the doorbell does not ring.
func (h *house) silent(why error) error {
	h.bell = nil
	h.log.Warn("nobody is told that it is their turn: what is sealed for it cannot be opened. Bring back the key file that belongs to this house, or give up what it sealed with copse key rotate --lost", "err", why)
	return nil
}
