package hall

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"copse/store"
	"copse/table"
)

// A member is somebody who comes back by a passkey. What is kept of members besides
// their accounts are papers: one for each look of their name, which holds it against
// others; one for each passkey; one with the digests of their recovery codes. All of
// them go with the account.

// The kinds of these papers, and of what says that a challenge was answered. They are
// for ever.
const (
	nameKind    = "name"
	passkeyKind = "passkey"
	codesKind   = "codes"
	spentKind   = "spent"
)

// MostPasskeys is how many passkeys one member has at most.
const MostPasskeys = 20

// Why something is not done for a member.
var (
	ErrHeld  = errors.New("hall: a member has this name, or one that looks like it: choose another")
	ErrSpent = errors.New("hall: this challenge was answered before: begin again")
	ErrMany  = errors.New("hall: there are as many passkeys as a member may have: remove one first")
	ErrLast  = errors.New("hall: it is the last passkey: say that it is meant")
)

// Passkey is what is kept of a passkey. It holds no secret: that stays where the passkey
// was made.
type Passkey struct {
	Account    string     `json:"-"`
	ID         []byte     `json:"id"`
	Key        []byte     `json:"key"`     // with which its answers are checked
	Counter    uint32     `json:"counter"` // the highest that it has told
	Flags      byte       `json:"flags"`   // as it told them when it was made, and last
	Transports []string   `json:"transports,omitempty"`
	Label      string     `json:"label"`
	Born       table.Time `json:"born"`
	Used       table.Time `json:"used,omitempty"` // the day on which it last let somebody in

	version int64
}

// Name is what a passkey is called where it is listed.
func (k *Passkey) Name() string { return passkeyName(k.ID) }

func passkeyName(id []byte) string {
	sum := sha256.Sum256(id) // which may be longer than a key of a paper
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (k *Passkey) paper() (store.Paper, error) {
	raw, err := json.Marshal(k)
	return store.Paper{Kind: passkeyKind, Key: k.Name(), Owner: k.Account, Body: raw, Version: k.version}, err
}

func readPasskey(p *store.Paper) (k Passkey, err error) {
	err = json.Unmarshal(p.Body, &k)
	k.Account, k.version = p.Owner, p.Version
	return k, err
}

// Challenge is what a passkey answers once.
type Challenge struct {
	Key   string
	Until time.Time // when it is good for nothing in any case
}

func (c Challenge) paper() store.Paper {
	return store.Paper{Kind: spentKind, Key: c.Key, Body: []byte("1"), Until: c.Until}
}

// fresh is nil for a challenge that was not answered yet, else ErrSpent.
func (h *Hall) fresh(ctx context.Context, c Challenge) error {
	_, err := h.store.Paper(ctx, spentKind, c.Key)
	switch {
	case err == nil:
		return ErrSpent
	case errors.Is(err, store.ErrNone):
		return nil
	}
	return err
}

// keptOn is how long a paper stays after its end: whoever just reads one finds it whole.
const keptOn = time.Hour

// tearOverdue tears up papers that nobody needs any more, whatever they are: challenges
// that were answered and would be refused as too late, bids and matches of Play now at
// which nobody looked since.
func (h *Hall) tearOverdue(ctx context.Context) error {
	list, err := h.store.Overdue(ctx, h.Now().Add(-keptOn), store.MostListed)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(list, store.MostPapers) {
		for i := range some {
			some[i].Body = nil
		}
		if err := h.store.Write(ctx, some...); err != nil && !errors.Is(err, store.ErrChanged) { // another node does it
			return err
		}
	}
	return nil
}

// NameHolder is the member who has a name with one of these looks; empty for none.
func (h *Hall) NameHolder(ctx context.Context, looks []string) (account string, err error) {
	for _, look := range looks {
		p, err := h.store.Paper(ctx, nameKind, look)
		if err == nil {
			return p.Owner, nil
		}
		if !errors.Is(err, store.ErrNone) {
			return "", err
		}
	}
	return "", nil
}

// hold holds the looks of a name for a member, and lets go of those it had before.
func (h *Hall) hold(ctx context.Context, a *Account, looks []string) error {
	for _, look := range looks {
		p, err := h.store.Paper(ctx, nameKind, look)
		switch {
		case err == nil && p.Owner != a.ID:
			return ErrHeld
		case errors.Is(err, store.ErrNone):
			a.papers = append(a.papers, store.Paper{Kind: nameKind, Key: look, Owner: a.ID, Body: []byte("1")})
		case err != nil:
			return err
		}
	}
	had, err := h.store.Papers(ctx, nameKind, a.ID, "", store.MostPapers)
	for _, p := range had {
		if !slices.Contains(looks, p.Key) {
			p.Body = nil
			a.papers = append(a.papers, p)
		}
	}
	return err
}

// Rename gives somebody another name, of these looks: one that no member has. A
// member's is held for them from then on.
func (h *Hall) Rename(ctx context.Context, id, name string, looks []string) error {
	return h.ChangeAccount(ctx, id, func(a *Account) error {
		a.Name = name
		if a.Member != 0 {
			return h.hold(ctx, a, looks)
		}
		holder, err := h.NameHolder(ctx, looks)
		if err == nil && holder != "" {
			err = ErrHeld
		}
		return err
	})
}

// Passkeys are those of a member, in the order in which they were made.
func (h *Hall) Passkeys(ctx context.Context, account string) ([]Passkey, error) {
	papers, err := h.store.Papers(ctx, passkeyKind, account, "", MostPasskeys)
	list := []Passkey{}
	for i := range papers {
		k, err := readPasskey(&papers[i])
		if err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	slices.SortStableFunc(list, func(a, b Passkey) int { return int(a.Born - b.Born) })
	return list, err
}

// AddPasskey adds a passkey that has answered a challenge. It makes a guest a member:
// looks are those of a name, and digests those of the recovery codes that they get with
// their first passkey. joined tells that they are a member from now on.
func (h *Hall) AddPasskey(ctx context.Context, k Passkey, c Challenge, looks func(name string) []string, digests []string) (joined bool, err error) {
	err = h.ChangeAccount(ctx, k.Account, func(a *Account) error {
		joined = a.Member == 0
		if err := h.fresh(ctx, c); err != nil {
			return err
		}
		had, err := h.Passkeys(ctx, a.ID)
		if err != nil {
			return err
		}
		if len(had) >= MostPasskeys {
			return ErrMany
		}
		paper, err := k.paper()
		if err != nil {
			return err
		}
		if _, err := h.store.Paper(ctx, passkeyKind, paper.Key); !errors.Is(err, store.ErrNone) {
			if err == nil { // somebody has it: no two passkeys that were made honestly are alike
				err = store.ErrTaken
			}
			return err
		}
		a.papers = append(a.papers, paper, c.paper())
		if !joined {
			return nil
		}
		a.Member = h.now()
		codes, err := (&Codes{Account: a.ID, Born: h.now(), Left: digests}).paper()
		if err != nil {
			return err
		}
		a.papers = append(a.papers, codes)
		return h.hold(ctx, a, looks(a.Name))
	})
	return joined, err
}

// UsePasskey notes that a passkey lets somebody in. check gets it as it is now, says
// whether its answer is good, and notes what it told.
func (h *Hall) UsePasskey(ctx context.Context, id []byte, c Challenge, check func(*Passkey) error) (Passkey, error) {
	for {
		if err := h.fresh(ctx, c); err != nil {
			return Passkey{}, err
		}
		p, err := h.store.Paper(ctx, passkeyKind, passkeyName(id))
		if err != nil {
			return Passkey{}, err
		}
		k, err := readPasskey(&p)
		if err == nil {
			err = check(&k)
		}
		if err != nil {
			return Passkey{}, err
		}
		k.Used = table.At(h.Now().UTC().Truncate(24 * time.Hour))
		paper, err := k.paper()
		if err == nil {
			err = h.store.Write(ctx, paper, c.paper())
		}
		if !errors.Is(err, store.ErrChanged) {
			return k, err
		}
	}
}

// passkey is one of the passkeys of a member by its name, or store.ErrNone.
func (h *Hall) passkey(ctx context.Context, account, name string) (Passkey, error) {
	p, err := h.store.Paper(ctx, passkeyKind, name)
	if err == nil && p.Owner != account {
		err = store.ErrNone
	}
	if err != nil {
		return Passkey{}, err
	}
	return readPasskey(&p)
}

// LabelPasskey gives a passkey of a member another label.
func (h *Hall) LabelPasskey(ctx context.Context, account, name, label string) (Passkey, error) {
	for {
		k, err := h.passkey(ctx, account, name)
		if err != nil {
			return k, err
		}
		k.Label = label
		paper, err := k.paper()
		if err == nil {
			err = h.store.Write(ctx, paper)
		}
		if !errors.Is(err, store.ErrChanged) {
			return k, err
		}
	}
}

// RemovePasskey removes a passkey of a member. The last one it removes only if that is
// meant, also where two are removed at the same time.
func (h *Hall) RemovePasskey(ctx context.Context, account, name string, meant bool) error {
	return h.ChangeAccount(ctx, account, func(a *Account) error {
		k, err := h.passkey(ctx, account, name)
		if err != nil {
			return err
		}
		all, err := h.Passkeys(ctx, account)
		if err != nil {
			return err
		}
		if len(all) == 1 && !meant {
			return ErrLast
		}
		a.papers = append(a.papers, store.Paper{Kind: passkeyKind, Key: name, Owner: account, Version: k.version})
		return nil
	})
}

// Codes are the recovery codes of a member: digests of those that were not used yet.
type Codes struct {
	Account string     `json:"-"`
	Born    table.Time `json:"born"`
	Left    []string   `json:"left"`

	version int64
}

func (c *Codes) paper() (store.Paper, error) {
	raw, err := json.Marshal(c)
	return store.Paper{Kind: codesKind, Key: c.Account, Owner: c.Account, Body: raw, Version: c.version}, err
}

// Codes are the recovery codes of an account; none are left where it never had any.
func (h *Hall) Codes(ctx context.Context, account string) (Codes, error) {
	c := Codes{Account: account}
	p, err := h.store.Paper(ctx, codesKind, account)
	if errors.Is(err, store.ErrNone) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	c.version = p.Version
	return c, json.Unmarshal(p.Body, &c)
}

// changeCodes changes the recovery codes of an account.
func (h *Hall) changeCodes(ctx context.Context, account string, change func(*Codes) error) error {
	for {
		c, err := h.Codes(ctx, account)
		if err == nil {
			err = change(&c)
		}
		if err != nil {
			return err
		}
		paper, err := c.paper()
		if err == nil {
			err = h.store.Write(ctx, paper)
		}
		if !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
}

// NewCodes gives a member recovery codes of these digests in place of all others.
func (h *Hall) NewCodes(ctx context.Context, account string, digests []string) error {
	return h.changeCodes(ctx, account, func(c *Codes) error {
		c.Born, c.Left = h.now(), digests
		return nil
	})
}

// UseCode uses a recovery code of this digest up: of any number of callers one gets it,
// all others get store.ErrNone.
func (h *Hall) UseCode(ctx context.Context, account, digest string) error {
	return h.changeCodes(ctx, account, func(c *Codes) error {
		i := slices.Index(c.Left, digest)
		if i < 0 {
			return store.ErrNone
		}
		c.Left = slices.Delete(c.Left, i, i+1)
		return nil
	})
}
