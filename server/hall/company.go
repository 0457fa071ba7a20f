package hall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// Friends are invited to a table at which one sits. A company is some friends with what
// they usually play: one press sets a table for them and invites them all.

// The kinds of these papers, for ever.
const (
	invitePaper  = "invite"  // key: who is invited, and the table; owner: who invites
	companyPaper = "company" // key: an ID; owner: whose company it is
)

// Limits of companies and invitations.
const (
	MostCompanies  = 20
	MostInCompany  = game.MaxSeats - 1
	mostInvites    = 20                 // that wait for one person
	inviteTime     = 7 * 24 * time.Hour // after which an invitation ends, however slow the game is
	LongestCompany = 24                 // characters of the name of a company
)

// Invitation is that a friend invites somebody to a table.
type Invitation struct {
	Table string     `json:"table"`
	Code  string     `json:"invite,omitempty"` // what somebody must bring to sit down, since the host has sent somebody away
	By    Who        `json:"by"`
	At    table.Time `json:"at"`
	Game  string     `json:"game"`
	Seats int        `json:"seats"`
	Free  int        `json:"free"` // seats that are empty
}

// Invite invites friends to a table at which one sits and the game has not begun, and
// says how many of them: who was invited before, or has more invitations than are kept,
// is passed over.
func (h *Hall) Invite(ctx context.Context, id string, by Account, friends []string) (int, error) {
	list, err := h.Friends(ctx, by)
	if err != nil {
		return 0, err
	}
	var whom []string
	for _, name := range friends {
		i := slices.IndexFunc(list, func(f Friend) bool { return f.Friend == name })
		if i < 0 {
			return 0, store.ErrNone
		}
		whom = append(whom, list[i].account)
	}
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if viewer < 0 {
			return game.Refuse("", "table.stranger", nil)
		}
		if r.t.Begun() || r.empty() == 0 {
			return game.Refuse("", "server.invite.full", nil)
		}
		whom = slices.DeleteFunc(whom, func(account string) bool { return slices.Contains(r.accounts[:], account) })
		return nil
	})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, account := range whom {
		switch invited, err := h.invite(ctx, id, by, account); {
		case err != nil:
			return n, err
		case invited:
			n++
		}
	}
	return n, nil
}

// InviteCompany invites the friends of a company to a table that was set for them.
func (h *Hall) InviteCompany(ctx context.Context, id string, by Account, c Company) (n int, err error) {
	for _, f := range c.People {
		invited, err := h.invite(ctx, id, by, f.account)
		if err != nil {
			return n, err
		}
		if invited {
			n++
		}
	}
	return n, nil
}

// CheckSettings is nil where a table can be set so.
func (h *Hall) CheckSettings(set table.Settings) error {
	h.newest(&set)
	_, _, err := table.Create(h.shelf, set, table.Secret{}, h.now())
	return err
}

// empty is how many seats of a table are empty.
func (r *room) empty() (n int) {
	for _, seat := range r.t.People().Seats {
		if seat.Held == table.Nobody {
			n++
		}
	}
	return n
}

func (h *Hall) invite(ctx context.Context, id string, by Account, account string) (bool, error) {
	p, err := h.paperOr(ctx, invitePaper, between(account, id), by.ID)
	if err != nil || p.Version > 0 {
		return false, err
	}
	waiting, err := h.inList(ctx, invitePaper, account, mostInvites)
	if err != nil || len(waiting) >= mostInvites {
		return false, err
	}
	if p.Body, err = json.Marshal(h.now()); err != nil {
		return false, err
	}
	p.Until = h.Now().Add(inviteTime)
	err = h.store.Write(ctx, p)
	if errors.Is(err, store.ErrChanged) || errors.Is(err, store.ErrNone) {
		return false, nil // somebody else has invited them, or they are no more
	}
	if err == nil {
		h.tellFriend(account, NewsInvited, &by, id)
		h.ringInvited(ctx, id, by, account)
	}
	return err == nil, err
}

// ringInvited tells somebody who was invited though no page of theirs is open. Where it
// cannot be told they find the invitation when they come.
func (h *Hall) ringInvited(ctx context.Context, id string, by Account, account string) {
	sum, err := h.Summary(ctx, id)
	var set table.Settings
	if err == nil {
		err = json.Unmarshal(sum.Settings, &set)
	}
	if err == nil {
		err = h.Ring(ctx, account, Chime{Do: ChimeInvite, Table: id, Game: set.Game, With: []string{by.Name}, Still: func(ctx context.Context) bool {
			_, err := h.store.Paper(ctx, invitePaper, between(account, id))
			return err == nil
		}})
	}
	if err != nil {
		h.log.Debug("somebody who was invited is not told by the doorbell", "table", id, "err", err)
	}
}

// Invitations are those that wait for somebody, the newest first. One to a table that is
// gone or full, whose game has begun, or at which they sit is gone. Where the host has sent
// somebody away, an invitation is only good from who sits there, and for who was not sent
// away: else they would learn the new link by one from before.
func (h *Hall) Invitations(ctx context.Context, by Account) ([]Invitation, error) {
	papers, err := h.inList(ctx, invitePaper, by.ID, mostInvites)
	if err != nil {
		return nil, err
	}
	apart, err := h.apartFrom(ctx, by.ID)
	if err != nil {
		return nil, err
	}
	list, gone := []Invitation{}, []store.Paper{}
	for _, p := range papers {
		ban, err := h.Banned(ctx, Account{ID: p.Owner})
		if err != nil {
			return nil, err
		}
		if ban != nil { // it is there again when the ban ends
			continue
		}
		if apart[p.Owner] { // it was written while one of them blocked the other
			gone = append(gone, torn(p))
			continue
		}
		_, id := ofTwo(&p)
		inv := Invitation{Table: id}
		host, err := h.Account(ctx, p.Owner)
		if err == nil && !p.Until.After(h.Now()) {
			err = store.ErrNone
		}
		if err == nil {
			err = cmp.Or(json.Unmarshal(p.Body, &inv.At), h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
				set := r.t.Settings()
				inv.By, inv.Code, inv.Game, inv.Seats, inv.Free = *host.who(), r.t.Invite(), set.Game, set.Seats, r.empty()
				sent := inv.Code != "" && r.t.SeatOf(host.at(r.id)) < 0
				if viewer >= 0 || r.t.Begun() || sent || r.t.Barred(by.at(r.id)) {
					return store.ErrNone
				}
				return nil
			}))
		}
		if errors.Is(err, store.ErrNone) {
			gone = append(gone, torn(p))
			continue
		}
		if err != nil {
			return nil, err
		}
		if inv.Free > 0 { // else somebody may get up again
			list = append(list, inv)
		}
	}
	slices.SortStableFunc(list, func(a, b Invitation) int { return cmp.Compare(b.At, a.At) })
	h.tear(ctx, gone)
	return list, nil
}

// Dismiss takes an invitation to a table from somebody's list.
func (h *Hall) Dismiss(ctx context.Context, by Account, id string) error {
	p, err := h.store.Paper(ctx, invitePaper, between(by.ID, id))
	if err != nil {
		return err
	}
	if err = h.store.Write(ctx, torn(p)); errors.Is(err, store.ErrChanged) {
		return nil
	}
	return err
}

// uninvite takes away what two people have invited each other to.
func (h *Hall) uninvite(ctx context.Context, a, b string) error {
	for _, two := range [][2]string{{a, b}, {b, a}} {
		papers, err := h.inList(ctx, invitePaper, two[0], store.MostListed)
		if err != nil {
			return err
		}
		papers = slices.DeleteFunc(papers, func(p store.Paper) bool { return p.Owner != two[1] })
		for i := range papers {
			papers[i] = torn(papers[i])
		}
		h.tear(ctx, papers)
	}
	return nil
}

// company is what is kept of a company.
type company struct {
	Name     string          `json:"name"`
	People   []string        `json:"people"` // what friends are called in one's list, which leads to nobody once they are deleted
	Settings json.RawMessage `json:"settings"`
	At       table.Time      `json:"at"`
}

// Company is some friends with what they usually play.
type Company struct {
	ID     string   `json:"company"`
	Name   string   `json:"name"`
	People []Friend `json:"people"`
	Game   string   `json:"game"`
	Seats  int      `json:"seats"`
	Pace   string   `json:"pace"`

	settings json.RawMessage
}

// readCompany makes a company of a paper. Who is no friend any more is not in it.
func readCompany(p *store.Paper, friends []Friend) (Company, error) {
	var kept company
	if err := json.Unmarshal(p.Body, &kept); err != nil {
		return Company{}, err
	}
	c := Company{ID: p.Key, Name: kept.Name, People: []Friend{}, settings: kept.Settings}
	var set struct {
		Game  string
		Seats int
		Pace  string
	}
	if err := json.Unmarshal(kept.Settings, &set); err != nil {
		return c, err
	}
	c.Game, c.Seats, c.Pace = set.Game, set.Seats, cmp.Or(set.Pace, table.Live)
	for _, f := range friends {
		if slices.Contains(kept.People, f.Friend) {
			c.People = append(c.People, f)
		}
	}
	return c, nil
}

// Companies are somebody's companies, by name.
func (h *Hall) Companies(ctx context.Context, by Account, friends []Friend) ([]Company, error) {
	papers, err := h.store.Papers(ctx, companyPaper, by.ID, "", MostCompanies)
	list := []Company{}
	for i := range papers {
		c, err := readCompany(&papers[i], friends)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b Company) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return list, err
}

// NewCompany keeps a company: friends by what they are called in one's list, and the
// settings of a table as somebody would set it.
func (h *Hall) NewCompany(ctx context.Context, by Account, name string, friends []string, settings json.RawMessage) (Company, error) {
	list, err := h.Friends(ctx, by)
	if err != nil {
		return Company{}, err
	}
	kept := company{Name: name, Settings: settings, At: h.now(), People: []string{}}
	for _, f := range list {
		if slices.Contains(friends, f.Friend) {
			kept.People = append(kept.People, f.Friend)
		}
	}
	if len(kept.People) != len(friends) || len(friends) == 0 {
		return Company{}, game.Refuse("", "server.company.people", nil)
	}
	papers, err := h.store.Papers(ctx, companyPaper, by.ID, "", MostCompanies)
	if err != nil {
		return Company{}, err
	}
	if len(papers) >= MostCompanies {
		return Company{}, game.Refuse("", "server.companies", game.Args{"most": MostCompanies})
	}
	p := store.Paper{Kind: companyPaper, Key: h.NewID(), Owner: by.ID}
	if p.Body, err = json.Marshal(kept); err != nil {
		return Company{}, err
	}
	if err := h.store.Write(ctx, p); err != nil {
		return Company{}, err
	}
	return readCompany(&p, list)
}

// CompanyAt is what a company of those at a table would be: its settings as somebody
// would set it, and which of one's friends sit there.
func (h *Hall) CompanyAt(ctx context.Context, id string, by Account) (friends []string, settings json.RawMessage, err error) {
	list, err := h.Friends(ctx, by)
	if err != nil {
		return nil, nil, err
	}
	err = h.see(ctx, id, by, func(r *room, viewer game.Seat) error {
		if viewer < 0 {
			return game.Refuse("", "table.stranger", nil)
		}
		for _, f := range list {
			if slices.Contains(r.accounts[:r.t.Settings().Seats], f.account) {
				friends = append(friends, f.Friend)
			}
		}
		set := r.t.Settings()
		asked := map[string]any{"game": set.Game, "seats": set.Seats, "pace": set.Pace, "undo": set.Undo, "options": set.Options, "hints": set.Hints, "sides": set.Side > 0}
		if set.Pace == table.Own {
			asked["bank"], asked["step"] = int64(set.Bank), int64(set.Gain)
		}
		settings, err = json.Marshal(asked)
		return err
	})
	return friends, settings, err
}

// Bond is what somebody at a table is to the one who asks.
type Bond struct {
	Seat game.Seat `json:"seat"`
	Is   string    `json:"is"`
}

// What somebody else is to one, for ever.
const (
	BondNone    = "none"
	BondFriend  = "friend"
	BondAsked   = "asked" // I asked them
	BondAsks    = "asks"  // they asked me
	BondBlocked = "blocked"
)

// BondNames are these words.
func BondNames() []string { return []string{BondNone, BondFriend, BondAsked, BondAsks, BondBlocked} }

// BondsAt is what the others at a table are to somebody, seat by seat. Bots and empty seats
// are left out, and so are they themselves.
func (h *Hall) BondsAt(ctx context.Context, id string, by Account) ([]Bond, error) {
	var seats []string
	if err := h.see(ctx, id, by, func(r *room, _ game.Seat) error {
		seats = slices.Clone(r.accounts[:r.t.Settings().Seats])
		return nil
	}); err != nil {
		return nil, err
	}
	bond, err := h.bondsOf(ctx, by)
	if err != nil {
		return nil, err
	}
	accounts, err := h.many(ctx, slices.DeleteFunc(slices.Clone(seats), func(id string) bool { return id == "" }))
	if err != nil {
		return nil, err
	}
	list := []Bond{}
	for seat, account := range seats {
		if a, ok := accounts[account]; ok && account != by.ID {
			list = append(list, Bond{game.Seat(seat), bond(a)})
		}
	}
	return list, nil
}

// BondWith is what somebody else is to one.
func (h *Hall) BondWith(ctx context.Context, by, whom Account) (string, error) {
	bond, err := h.bondsOf(ctx, by)
	if err != nil {
		return "", err
	}
	return bond(whom), nil
}

// bondsOf gives what tells what others are to somebody.
func (h *Hall) bondsOf(ctx context.Context, by Account) (func(Account) string, error) {
	friends, err := h.Friends(ctx, by)
	if err != nil {
		return nil, err
	}
	asks, asked, err := h.Asks(ctx, by)
	if err != nil {
		return nil, err
	}
	blocked, err := h.folds(ctx, by)
	if err != nil {
		return nil, err
	}
	return func(a Account) string {
		has := func(list []Friend) bool {
			return slices.ContainsFunc(list, func(f Friend) bool { return f.account == a.ID })
		}
		switch {
		case blocked[a.ID]: // as who they are here: a program does not tell whose it is
			return BondBlocked
		case has(friends):
			return BondFriend
		case has(asks):
			return BondAsks
		case has(asked):
			return BondAsked
		}
		return BondNone
	}, nil
}

// Company is one of somebody's companies, with its settings.
func (h *Hall) Company(ctx context.Context, by Account, id string) (Company, json.RawMessage, error) {
	p, err := h.companyPaper(ctx, by, id)
	if err != nil {
		return Company{}, nil, err
	}
	friends, err := h.Friends(ctx, by)
	if err != nil {
		return Company{}, nil, err
	}
	c, err := readCompany(&p, friends)
	return c, c.settings, err
}

func (h *Hall) companyPaper(ctx context.Context, by Account, id string) (store.Paper, error) {
	p, err := h.store.Paper(ctx, companyPaper, id)
	if err == nil && p.Owner != by.ID {
		err = store.ErrNone
	}
	return p, err
}

// DropCompany forgets a company.
func (h *Hall) DropCompany(ctx context.Context, by Account, id string) error {
	p, err := h.companyPaper(ctx, by, id)
	if err == nil {
		err = h.store.Write(ctx, torn(p))
	}
	if errors.Is(err, store.ErrChanged) {
		return nil
	}
	return err
}
