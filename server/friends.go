package server

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"copse/game"
	"copse/server/hall"
	"copse/table"
)

// How often one person may do what others notice.
const (
	friendAsksAnHour = 20
	invitesAnHour    = 40
	linksAnHour      = 20
	blocksAnHour     = 100
)

// hourly is nil, or says that somebody has done something too often in an hour.
func (c *call) hourly(what string, many int) error {
	return c.often(what, c.by.ID, quota{many, time.Hour, max(many/2, 1)})
}

// friendsReply are my friends, and what there is to know about them.
type friendsReply struct {
	Friends   []hall.Friend    `json:"friends"`
	Asks      []hall.Friend    `json:"asks" about:"Who want to be my friends."`
	Asked     []hall.Friend    `json:"asked" about:"Whom I asked, and who have not agreed."`
	Shows     *bool            `json:"shows,omitempty" about:"Whether my friends see when I am here; left out where I was never asked, which is no."`
	Link      *hall.FriendLink `json:"link,omitempty" about:"My link of friendship, where I have one: /friends#CODE on this server."`
	Companies []hall.Company   `json:"companies"`
}

func (c *call) friends(none) (reply friendsReply, err error) {
	ctx := c.r.Context()
	if reply.Friends, err = c.Hall.Friends(ctx, c.by); err != nil {
		return reply, err
	}
	if reply.Asks, reply.Asked, err = c.Hall.Asks(ctx, c.by); err != nil {
		return reply, err
	}
	if reply.Shows, err = c.Hall.Shows(ctx, c.by); err != nil {
		return reply, err
	}
	if reply.Link, err = c.Hall.FriendLinkOf(ctx, c.by); err != nil {
		return reply, err
	}
	reply.Companies, err = c.Hall.Companies(ctx, c.by, reply.Friends)
	return reply, err
}

// friendReply is what came of asking for friendship.
type friendReply struct {
	State string `json:"state"`
	Name  string `json:"name" about:"Who it is."`
	Guest bool   `json:"guest,omitempty" about:"The name is nobody's own."`
}

func (c *call) askFriend(in whomBody) (friendReply, error) {
	if err := c.hourly("friend asks", friendAsksAnHour); err != nil {
		return friendReply{}, err
	}
	whom, err := c.whom(in)
	if err != nil {
		return friendReply{}, err
	}
	state, err := c.Hall.AskFriend(c.r.Context(), c.by, whom)
	return friendReply{State: state, Name: whom.Name, Guest: whom.Member == 0}, err
}

// yesBody says yes or no.
type yesBody struct {
	Yes bool `json:"yes"`
}

func (c *call) answerFriend(in yesBody) (none, error) {
	return none{}, c.Hall.AnswerAsk(c.r.Context(), c.by, c.r.PathValue("friend"), in.Yes)
}

func (c *call) dropFriend(none) (none, error) {
	return none{}, c.Hall.Unfriend(c.r.Context(), c.by, c.r.PathValue("friend"))
}

func (c *call) beSeen(in yesBody) (none, error) {
	if err := c.hourly("shows", blocksAnHour); err != nil {
		return none{}, err
	}
	return none{}, c.Hall.Show(c.r.Context(), c.by, in.Yes)
}

func (c *call) makeFriendLink(none) (hall.FriendLink, error) {
	if err := c.hourly("friend links", linksAnHour); err != nil {
		return hall.FriendLink{}, err
	}
	return c.Hall.NewFriendLink(c.r.Context(), c.by)
}

func (c *call) endFriendLink(none) (none, error) {
	return none{}, c.Hall.EndFriendLink(c.r.Context(), c.by)
}

// linkBody is a link of friendship that somebody was sent.
type linkBody struct {
	Code  string `json:"code" about:"What the link says behind its #."`
	Agree *bool  `json:"agree,omitempty" about:"I want to be a friend of who made it; else I am told who that is."`
}

func (c *call) useFriendLink(in linkBody) (friendReply, error) {
	if err := c.often("codes", c.address(c.r), quota{codesAMinute, time.Minute, codesAMinute}); err != nil {
		return friendReply{}, err
	}
	f, state, err := c.Hall.ByLink(c.r.Context(), c.by, in.Code, in.Agree != nil && *in.Agree)
	return friendReply{State: state, Name: f.Name, Guest: f.Guest}, err
}

// blocksReply are those whom I block.
type blocksReply struct {
	Blocked []hall.Friend `json:"blocked"`
}

func (c *call) blocks(none) (blocksReply, error) {
	list, err := c.Hall.Blocks(c.r.Context(), c.by)
	return blocksReply{list}, err
}

func (c *call) block(in whomBody) (none, error) {
	if err := c.hourly("blocks", blocksAnHour); err != nil {
		return none{}, err
	}
	whom, err := c.whom(in)
	if err != nil {
		return none{}, err
	}
	return none{}, c.Hall.Block(c.r.Context(), c.by, whom)
}

func (c *call) unblock(none) (none, error) {
	return none{}, c.Hall.Unblock(c.r.Context(), c.by, c.r.PathValue("friend"))
}

// inviteBody are friends.
type inviteBody struct {
	Friends []json.RawMessage `json:"friends" about:"As friends names them."`
}

// invitedReply is how many were invited.
type invitedReply struct {
	Invited int `json:"invited" about:"How many: who has been invited to this table before is not invited again."`
}

// named are texts in a list.
func named(list []json.RawMessage) ([]string, error) {
	names := []string{}
	for _, raw := range list {
		var name string
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, game.Blame("json.text", game.Args{"field": "friends"})
		}
		names = append(names, name)
	}
	if len(names) < 1 || len(names) > hall.MostInCompany {
		return nil, game.Blame("json.range", game.Args{"field": "friends", "least": 1, "most": hall.MostInCompany})
	}
	return names, nil
}

func (c *call) invite(in inviteBody) (invitedReply, error) {
	names, err := named(in.Friends)
	if err != nil {
		return invitedReply{}, err
	}
	if err := c.hourly("invites", invitesAnHour); err != nil {
		return invitedReply{}, err
	}
	n, err := c.Hall.Invite(c.r.Context(), c.table(), c.by, names)
	return invitedReply{n}, err
}

// invitationsReply are my invitations.
type invitationsReply struct {
	Invitations []hall.Invitation `json:"invitations"`
}

func (c *call) invitations(none) (invitationsReply, error) {
	list, err := c.Hall.Invitations(c.r.Context(), c.by)
	return invitationsReply{list}, err
}

func (c *call) dismiss(none) (none, error) {
	return none{}, c.Hall.Dismiss(c.r.Context(), c.by, c.table())
}

// companyBody is a company to be kept: friends with a game, or those of a table.
type companyBody struct {
	Name    string             `json:"name"`
	Friends *[]json.RawMessage `json:"friends,omitempty" about:"As friends names them; with a game."`
	Game    *string            `json:"game,omitempty"`
	Seats   *int               `json:"seats,omitempty" about:"Usually as many as there are people."`
	Pace    *string            `json:"pace,omitempty" about:"Usually live."`
	Table   *string            `json:"table,omitempty" about:"Or a table at which I sit or sat: its settings, and my friends there."`
}

func (c *call) makeCompany(in companyBody) (company hall.Company, err error) {
	name, err := table.CleanChat(in.Name)
	if err != nil || utf8.RuneCountInString(in.Name) > hall.LongestCompany {
		return company, game.Blame("server.name", game.Args{"most": hall.LongestCompany})
	}
	if err := c.hourly("companies", linksAnHour); err != nil {
		return company, err
	}
	var friends []string
	var settings json.RawMessage
	switch {
	case in.Table != nil && in.Friends == nil && in.Game == nil && in.Seats == nil && in.Pace == nil:
		friends, settings, err = c.Hall.CompanyAt(c.r.Context(), *in.Table, c.by)
	case in.Table == nil && in.Friends != nil && in.Game != nil:
		if friends, err = named(*in.Friends); err != nil {
			return company, err
		}
		asked := map[string]any{"game": *in.Game, "seats": len(friends) + 1}
		if in.Seats != nil {
			asked["seats"] = *in.Seats
		}
		if in.Pace != nil {
			asked["pace"] = *in.Pace
		}
		settings, err = json.Marshal(asked)
	default:
		err = game.Refuse("", "server.company.people", nil)
	}
	if err == nil {
		_, err = c.companySettings(settings, len(friends))
	}
	if err != nil {
		return company, err
	}
	return c.Hall.NewCompany(c.r.Context(), c.by, name, friends, settings)
}

// companySettings are the settings of the table of a company, at which all of it fit.
func (c *call) companySettings(raw json.RawMessage, friends int) (table.Settings, error) {
	set, err := table.ReadSettings(raw)
	if err == nil {
		err = c.Hall.CheckSettings(set)
	}
	if err == nil && friends >= set.Seats {
		err = game.Refuse("", "server.company.people", nil)
	}
	return set, err
}

func (c *call) dropCompany(none) (none, error) {
	return none{}, c.Hall.DropCompany(c.r.Context(), c.by, c.r.PathValue("company"))
}

// companyTableReply is the table that was set for a company.
type companyTableReply struct {
	Table   string `json:"table"`
	Invited int    `json:"invited"`
}

func (c *call) playCompany(none) (companyTableReply, error) {
	company, raw, err := c.Hall.Company(c.r.Context(), c.by, c.r.PathValue("company"))
	if err != nil {
		return companyTableReply{}, err
	}
	if len(company.People) == 0 {
		return companyTableReply{}, game.Refuse("", "server.company.people", nil)
	}
	set, err := c.companySettings(raw, len(company.People))
	if err != nil {
		return companyTableReply{}, err
	}
	if err := c.hourly("invites", invitesAnHour); err != nil {
		return companyTableReply{}, err
	}
	if err := c.moreTables(set.Games()); err != nil {
		return companyTableReply{}, err
	}
	if err := c.oneMoreSeat(); err != nil {
		return companyTableReply{}, err
	}
	id, err := c.Hall.Create(c.r.Context(), set)
	if err != nil {
		return companyTableReply{}, err
	}
	n, err := c.Hall.InviteCompany(c.r.Context(), id, c.by, company)
	return companyTableReply{id, n}, hall.Unsure(err) // the table is there
}

func (c *call) house(none) (hall.House, error) { return c.Hall.House(c.r.Context(), c.by) }

// bondsReply is what the others at a table are to me.
type bondsReply struct {
	Bonds []hall.Bond `json:"bonds"`
}

func (c *call) bonds(none) (bondsReply, error) {
	list, err := c.Hall.BondsAt(c.r.Context(), c.table(), c.by)
	return bondsReply{list}, err
}

// friendEndpoints are what can be asked about friends.
func friendEndpoints() []endpoint {
	conflict, gone := 409, 404
	return []endpoint{
		on(endpoint{name: "friends", method: get, path: "/api/friends", group: "Friends", about: "My friends, who wants to be one, and whom I asked.", who: persons,
			more: "`here` is told of those who let me see it. Nobody is called by an account: `friend` is what somebody is called in my lists, and nowhere else."}, (*call).friends),
		on(endpoint{name: "askFriend", refuses: []int{conflict, gone}, method: post, path: "/api/friends", group: "Friends", about: "Ask somebody whether they want to be my friend.", who: persons,
			more: "Where they have asked me, we are friends at once. Otherwise `state` is `asked`, whatever they make of it: somebody who says no is not asked again for 30 days, and I am not told."}, (*call).askFriend),
		on(endpoint{name: "beSeen", refuses: []int{conflict}, method: patch, path: "/api/friends", group: "Friends", about: "Whether my friends see when I am here.", who: persons}, (*call).beSeen),
		on(endpoint{name: "answerFriend", refuses: []int{conflict}, method: post, path: "/api/friends/{friend}", group: "Friends", about: "Say yes or no to somebody who wants to be my friend.", who: persons}, (*call).answerFriend),
		on(endpoint{name: "dropFriend", refuses: []int{conflict}, method: del, path: "/api/friends/{friend}", group: "Friends", about: "End a friendship, or take back that I asked.", who: persons}, (*call).dropFriend),
		on(endpoint{name: "makeFriendLink", refuses: []int{conflict}, method: post, path: "/api/friend-link", group: "Friends", about: "A link of friendship, in the place of the one before.", status: 201, who: persons,
			more: "Whoever opens it and agrees is my friend. It ends after 30 days, and each person uses it once. The link is `/friends#CODE` on this server."}, (*call).makeFriendLink),
		on(endpoint{name: "endFriendLink", refuses: []int{conflict}, method: del, path: "/api/friend-link", group: "Friends", about: "Withdraw my link of friendship.", who: persons}, (*call).endFriendLink),
		on(endpoint{name: "useFriendLink", refuses: []int{conflict, gone}, method: post, path: "/api/friend-link/use", group: "Friends", about: "Whose link of friendship it is, and to agree to it.", who: persons}, (*call).useFriendLink),
		on(endpoint{name: "blocks", method: get, path: "/api/blocks", group: "Friends", about: "Whom I block.", who: persons}, (*call).blocks),
		on(endpoint{name: "block", refuses: []int{conflict, gone}, method: post, path: "/api/blocks", group: "Friends", about: "Block somebody: neither of us sees or meets the other at open tables or by Play now.", who: persons,
			more: "Friendship, asks and invitations between us are gone, and what they say is folded for me. They are not told. Games that go on go on; at a table that is reached by a link alone both may sit. Their programs are blocked too, and whoever blocks a program blocks its owner."}, (*call).block),
		on(endpoint{name: "unblock", method: del, path: "/api/blocks/{friend}", group: "Friends", about: "Unblock somebody, as `blocks` names them.", who: persons}, (*call).unblock),
		on(endpoint{name: "invitations", method: get, path: "/api/me/invitations", group: "Friends", about: "Tables to which friends invite me, the newest first.", who: persons}, (*call).invitations),
		on(endpoint{name: "dismiss", method: del, path: "/api/me/invitations/{table}", group: "Friends", about: "Take an invitation from my list.", who: persons}, (*call).dismiss),
		on(endpoint{name: "invite", refuses: []int{conflict}, method: post, path: atTable + "/invitations", group: "Friends", about: "Invite friends to a table at which I sit.", who: persons}, (*call).invite),
		on(endpoint{name: "bonds", method: get, path: atTable + "/bonds", group: "Friends", about: "What the others at a table are to me: friends, asked, asking, blocked, or nothing yet.", who: persons}, (*call).bonds),
		on(endpoint{name: "makeCompany", refuses: []int{conflict, gone}, method: post, path: "/api/companies", group: "Friends", about: "Keep some friends with what we usually play.", status: 201, who: persons}, (*call).makeCompany),
		on(endpoint{name: "dropCompany", method: del, path: "/api/companies/{company}", group: "Friends", about: "Forget a company.", who: persons}, (*call).dropCompany),
		on(endpoint{name: "playCompany", refuses: []int{conflict}, method: post, path: "/api/companies/{company}/table", group: "Friends", about: "The usual four: set their table, and invite all of them.", status: 201, who: persons,
			more: "Nobody sits at it yet: `sit` down next."}, (*call).playCompany),
		on(endpoint{name: "house", method: get, path: "/api/house", group: "Tables", about: "How many people are here, how many open tables there are, and the liveliest game.",
			more: "People are counted once, however many windows they have open. The liveliest game is one that is open to everyone and at which I do not sit: docs/people.md says how it is chosen."}, (*call).house),
	}
}
