package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"copse/store"
)

// A profile is what a member's page tells. What others read there is the member's
// choice, which is a paper of theirs: an account is written by nodes of older versions
// too, which would forget what they do not know, and what was hidden would be shown.

// shownPaper is the kind of that paper; its key is the account. It is for ever.
const shownPaper = "shown"

// Shown is what others see of a member, besides the name.
type Shown struct {
	Rating  bool `json:"rating"`  // their ratings, and how those went from day to day
	Results bool `json:"results"` // how their games came out, counted
	Games   bool `json:"games"`   // their finished games at open tables, one by one
	Closed  bool `json:"closed"`  // games at closed tables are counted among the results
}

// usuallyShown is what others see where a member has not chosen.
func usuallyShown() Shown { return Shown{Rating: true, Results: true, Games: true} }

// Anything tells whether others see anything besides the name.
func (s Shown) Anything() bool { return s.Rating || s.Results || s.Games }

func (h *Hall) shown(ctx context.Context, account string) (Shown, store.Paper, error) {
	s := usuallyShown()
	p, err := h.store.Paper(ctx, shownPaper, account)
	if errors.Is(err, store.ErrNone) {
		return s, store.Paper{Kind: shownPaper, Key: account, Owner: account}, nil
	}
	if err == nil {
		if wrong := json.Unmarshal(p.Body, &s); wrong != nil { // and nothing is shown that may be hidden
			return Shown{}, p, fmt.Errorf("what is shown %s: %w", p.Name(), wrong)
		}
	}
	return s, p, err
}

// Shown is what others see of somebody now.
func (h *Hall) Shown(ctx context.Context, account string) (Shown, error) {
	s, _, err := h.shown(ctx, account)
	return s, err
}

// ChangeShown changes what others see of somebody, and gives what that is then. change
// gets what they see now: of two changes at the same time neither is lost.
func (h *Hall) ChangeShown(ctx context.Context, account string, change func(*Shown)) (Shown, error) {
	for {
		s, p, err := h.shown(ctx, account)
		if err != nil {
			return s, err
		}
		change(&s)
		if p.Body, err = json.Marshal(s); err != nil {
			return s, err
		}
		if err = h.store.Write(ctx, p); !errors.Is(err, store.ErrChanged) {
			return s, err
		}
	}
}

// MemberCalled is the member who has a name of these looks, as the store has them now:
// store.ErrNone where nobody has it, or they are being deleted.
func (h *Hall) MemberCalled(ctx context.Context, looks []string) (Account, error) {
	id, err := h.NameHolder(ctx, looks)
	if err == nil && id == "" {
		err = store.ErrNone
	}
	if err != nil {
		return Account{}, err
	}
	a, err := h.readAccount(ctx, id)
	if err == nil && (a.Member == 0 || h.leaves(&a)) {
		err = store.ErrNone
	}
	return a, err
}
