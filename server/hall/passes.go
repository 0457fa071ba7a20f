package hall

import (
	"bytes"
	"context"
	"errors"
	"time"

	"copse/store"
)

// How long the token of a program is good for, and how long before its end its
// owner and the program are warned.
const (
	TokenTime    = 365 * 24 * time.Hour
	TokenWarning = 14 * 24 * time.Hour
)

// Holder is the pass of this kind and digest that has not run out, or
// store.ErrNone.
func (h *Hall) Holder(ctx context.Context, kind store.Kind, d store.Digest) (store.Pass, error) {
	return h.store.Pass(ctx, kind, d, h.Now())
}

// Token is the token of a program; ok is false where it has none that is still
// good.
func (h *Hall) Token(ctx context.Context, program string) (pass store.Pass, ok bool, err error) {
	list, err := h.store.Passes(ctx, program, store.Token, h.Now())
	if err != nil || len(list) == 0 {
		return store.Pass{}, false, err
	}
	return list[len(list)-1], true, nil
}

// NewToken gives a program the token of this digest; earlier ones are good no
// longer. Of two at the same time one stays, at whichever nodes they were given.
// store.ErrNone says that there is no such program.
func (h *Hall) NewToken(ctx context.Context, program string, d store.Digest) (store.Pass, error) {
	if err := h.people.changing.hold(ctx); err != nil {
		return store.Pass{}, err
	}
	defer h.people.changing.letGo()
	now := h.Now()
	pass := store.Pass{Digest: d, Kind: store.Token, Account: program, Born: now, Until: now.Add(TokenTime)}
	if err := h.store.Admit(ctx, pass); err != nil {
		return store.Pass{}, err
	}
	all, err := h.store.Passes(ctx, program, store.Token, now)
	if err != nil {
		return store.Pass{}, Unsure(err)
	}
	newest := pass
	for _, p := range all {
		if c := p.Born.Compare(newest.Born); c > 0 || c == 0 && bytes.Compare(p.Digest[:], newest.Digest[:]) > 0 {
			newest = p
		}
	}
	if !h.several() { // nobody else has given it one
		newest = pass
	}
	for _, p := range all {
		if p.Digest == newest.Digest {
			continue
		}
		if err := h.store.Withdraw(ctx, store.Token, p.Digest); err != nil {
			return store.Pass{}, Unsure(err)
		}
	}
	return pass, nil
}

// UsedOn is the day on which a session was last used, as far as anybody noted it.
func UsedOn(pass store.Pass) time.Time {
	if pass.Used.After(pass.Born) {
		return pass.Used
	}
	return pass.Born.UTC().Truncate(24 * time.Hour)
}

// UseSession notes that a session is used, once a day, and gives it as it is then. A
// store that does not write keeps nobody out.
func (h *Hall) UseSession(ctx context.Context, pass store.Pass) store.Pass {
	now := h.Now()
	today := now.UTC().Truncate(24 * time.Hour)
	if !UsedOn(pass).Before(today) {
		return pass
	}
	if err := h.store.Use(ctx, store.Session, pass.Digest, now, today); err != nil {
		if !errors.Is(err, store.ErrNone) { // ended a moment ago
			h.log.Error("the use of a session is not noted", "err", err)
		}
		return pass
	}
	pass.Used = today
	return pass
}

// UseToken notes that a token is used, once a day, and gives the token as it is
// then. A token from before tokens had an end gets one now. A store that does not
// write keeps no program from asking: the use is noted another time.
func (h *Hall) UseToken(ctx context.Context, pass store.Pass) store.Pass {
	now := h.Now()
	if today := now.UTC().Truncate(24 * time.Hour); pass.Used.Before(today) {
		if err := h.store.Use(ctx, store.Token, pass.Digest, now, today); err != nil {
			if !errors.Is(err, store.ErrNone) { // withdrawn a moment ago
				h.log.Error("the use of a token is not noted", "err", err)
			}
			return pass
		}
		pass.Used = today
	}
	if until := now.Add(TokenTime); pass.Until.IsZero() {
		if err := h.store.Extend(ctx, store.Token, pass.Digest, now, until); err != nil {
			h.log.Error("a token gets no end", "err", err)
			return pass
		}
		pass.Until = until
	}
	return pass
}
