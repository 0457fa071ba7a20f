package hall

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// What people are to each other is papers. Each stands under two accounts: first the one
// whose list it is in, then the one whose act it is, who owns it. So both lists are one
// question to the store, and what somebody did goes with them. A friendship is two
// papers, each in the list of one and owned by the other, and both are written at once.

// The kinds of these papers, for ever.
const (
	friendPaper = "friend"      // key: in whose list, and who the friend is
	askPaper    = "friend-ask"  // key: who is asked, and who asks
	linkPaper   = "friend-link" // key: an ID; owner: whose friend one becomes by it
	turnPaper   = "bond-turn"   // key: a hash of two accounts; written by whoever makes friends of them, or blocks
	seenPaper   = "seen"        // key and owner: an account; whether friends see when it is here
)

// Limits of friends.
const (
	MostFriends = 200
	MostAsks    = 50                  // of one person that wait for an answer; likewise of those who wait for theirs
	askTime     = 30 * 24 * time.Hour // after which an ask ends, and somebody who said no may be asked again
	linkTime    = 30 * 24 * time.Hour // after which a link of friendship ends
	mostUsed    = 300                 // people who may use one link
)

// What came of asking for friendship, for ever.
const (
	FriendAsked = "asked"
	FriendsNow  = "friends"
)

// between is the key of a paper that is in the list of one account and is the act of
// another.
func between(of, by string) string { return of + " " + by }

// inList are the papers of a kind in the list of an account, at most so many.
func (h *Hall) inList(ctx context.Context, kind, of string, most int) (list []store.Paper, err error) {
	for after := between(of, ""); len(list) < most; {
		some, err := h.store.Papers(ctx, kind, "", after, min(most-len(list), store.MostListed))
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			if !strings.HasPrefix(p.Key, between(of, "")) {
				return list, nil
			}
			list, after = append(list, p), p.Key
		}
		if len(some) < store.MostListed {
			break
		}
	}
	return list, nil
}

// ofTwo is the account in whose list a paper is, and what comes behind it.
func ofTwo(p *store.Paper) (of, rest string) {
	of, rest, _ = strings.Cut(p.Key, " ")
	return of, rest
}

// turnOf is a paper that whoever changes what two people are to each other reads first
// and writes with the change: so of a friendship and a block that are written at the same
// moment, at any nodes, one is refused and decided anew. It is kept for an hour.
func (h *Hall) turnOf(ctx context.Context, by, other string) (store.Paper, error) {
	two := sha256.Sum256([]byte(between(min(by, other), max(by, other))))
	p, err := h.paperOr(ctx, turnPaper, hex.EncodeToString(two[:16]), by) // which leads to nobody once one of them is gone
	p.Owner, p.Body, p.Until = by, []byte("1"), h.Now().Add(time.Hour)
	return p, err
}

// paperOr is one paper, or an empty one to be written under this key.
func (h *Hall) paperOr(ctx context.Context, kind, key, owner string) (store.Paper, error) {
	p, err := h.store.Paper(ctx, kind, key)
	if errors.Is(err, store.ErrNone) {
		return store.Paper{Kind: kind, Key: key, Owner: owner}, nil
	}
	return p, err
}

// friendship is what is kept of a friend in somebody's list.
type friendship struct {
	Since table.Time `json:"since"`
	Shows bool       `json:"shows,omitempty"` // the friend lets them see when they are here
}

// friendAsk is what is kept of an ask for friendship.
type friendAsk struct {
	At     table.Time `json:"at"`
	No     bool       `json:"no,omitempty"`     // it was declined: who asked is not told
	Hidden bool       `json:"hidden,omitempty"` // who asked has taken it back; it stays because it was declined
}

// friendLink is what is kept of a link of friendship.
type friendLink struct {
	At   table.Time `json:"at"`
	Used []string   `json:"used,omitempty"` // who has used it, as persons that lead to nobody
}

// Friend is somebody in a list of friends, of asks or of those who are blocked, as its
// owner knows them.
type Friend struct {
	Friend string `json:"friend"` // what they are called in my lists, and nowhere else
	Who
	Since table.Time `json:"since"`
	Here  bool       `json:"here,omitempty"` // they are here now, and let me see it

	account string
}

// FriendsNews is that something has changed in my lists of friends.
type FriendsNews struct {
	Why   string `json:"why"`
	By    *Who   `json:"by,omitempty"`
	Table string `json:"table,omitempty"` // to which I am invited
}

// Why something has changed in a list of friends, for ever.
const (
	NewsAsked   = "asked"   // somebody wants to be my friend
	NewsFriends = "friends" // somebody is my friend now
	NewsInvited = "invited" // a friend invites me to a table
)

// FriendsWhy are these reasons.
func FriendsWhy() []string { return []string{NewsAsked, NewsFriends, NewsInvited} }

// tellFriend tells somebody that something in their lists has changed.
func (h *Hall) tellFriend(account string, why string, by *Account, table string) {
	if topic := news.Account(account); h.news.Wanted(topic) {
		h.publish(topic, "friends", FriendsNews{Why: why, By: by.who(), Table: table})
	}
}

// known is what somebody is called in the lists of another: it names nobody anywhere
// else, and nobody at all once they are deleted.
func (a *Account) known(to string) string {
	return table.PersonAt("friends of "+to, a.ID, a.Salt).String()
}

// many are accounts by ID; those that do not exist are not among them.
func (h *Hall) many(ctx context.Context, ids []string) (map[string]Account, error) {
	found, missing := map[string]Account{}, []string{}
	h.people.mu.RLock()
	before := h.people.forgot
	for _, id := range ids {
		if a := h.people.known[id]; a != nil && (!h.several() || h.Now().Sub(a.read) < knownTime) {
			found[id] = a.Account
		} else {
			missing = append(missing, id)
		}
	}
	h.people.mu.RUnlock()
	now := h.Now()
	for some := range slices.Chunk(missing, mostSoon) {
		list, err := h.store.Accounts(ctx, some)
		if err != nil {
			return nil, err
		}
		for i := range list {
			a, err := accountOf(&list[i])
			if err != nil {
				return nil, err
			}
			h.people.remember(a, now, before)
			found[a.ID] = a
		}
	}
	return found, nil
}

// friendsOf makes a list of papers one of people. other says whom a paper is about. Who
// does not exist any more is left out, and their paper torn up.
func (h *Hall) friendsOf(ctx context.Context, me string, papers []store.Paper, other func(*store.Paper) string, fill func(*Friend, []byte) error) ([]Friend, error) {
	ids := make([]string, len(papers))
	for i := range papers {
		ids[i] = other(&papers[i])
	}
	accounts, err := h.many(ctx, ids)
	if err != nil {
		return nil, err
	}
	list, gone := []Friend{}, []store.Paper{}
	for i := range papers {
		a, ok := accounts[ids[i]]
		if !ok {
			gone = append(gone, torn(papers[i]))
			continue
		}
		f := Friend{Friend: a.known(me), Who: *a.who(), account: a.ID}
		if err := fill(&f, papers[i].Body); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b Friend) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Friend, b.Friend))
	})
	h.tear(ctx, gone)
	return list, nil
}

// tear tears up papers that nobody needs; where that cannot be done now, somebody else
// finds them again.
func (h *Hall) tear(ctx context.Context, papers []store.Paper) {
	for some := range slices.Chunk(papers, store.MostPapers) {
		if err := h.store.Write(ctx, some...); err != nil && !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNone) {
			h.trouble(ctx, "papers of people who are no more cannot be torn up", err)
			return
		}
	}
}

func ownerOf(p *store.Paper) string { return p.Owner }
func listOf(p *store.Paper) string  { of, _ := ofTwo(p); return of }

// Friends are somebody's friends, by name.
func (h *Hall) Friends(ctx context.Context, by Account) ([]Friend, error) {
	papers, err := h.inList(ctx, friendPaper, by.ID, store.MostListed)
	if err != nil {
		return nil, err
	}
	apart, err := h.apartFrom(ctx, by.ID)
	if err != nil {
		return nil, err
	}
	papers = slices.DeleteFunc(papers, func(p store.Paper) bool { return apart[p.Owner] })
	list, err := h.friendsOf(ctx, by.ID, papers, ownerOf, func(f *Friend, body []byte) error {
		var kept friendship
		err := json.Unmarshal(body, &kept)
		f.Since, f.Here = kept.Since, kept.Shows && h.IsHere(f.account)
		return err
	})
	return list, err
}

// Asks are those who want to be somebody's friend, and those whom they asked.
func (h *Hall) Asks(ctx context.Context, by Account) (asks, asked []Friend, err error) {
	read := func(papers []store.Paper, other func(*store.Paper) string, left func(*friendAsk) bool) ([]Friend, error) {
		now := h.Now()
		papers = slices.DeleteFunc(papers, func(p store.Paper) bool {
			var a friendAsk
			return json.Unmarshal(p.Body, &a) != nil || left(&a) || !p.Until.After(now)
		})
		return h.friendsOf(ctx, by.ID, papers, other, func(f *Friend, body []byte) error {
			var a friendAsk
			err := json.Unmarshal(body, &a)
			f.Since = a.At
			return err
		})
	}
	in, err := h.inList(ctx, askPaper, by.ID, store.MostListed)
	if err != nil {
		return nil, nil, err
	}
	state, err := h.inForce(ctx)
	if err != nil {
		return nil, nil, err
	}
	in = slices.DeleteFunc(in, func(p store.Paper) bool { return state.Marks[p.Owner].BannedAt(h.Now()) != nil }) // they ask again when the ban ends
	out, err := h.store.Papers(ctx, askPaper, by.ID, "", store.MostListed)
	if err != nil {
		return nil, nil, err
	}
	if asks, err = read(in, ownerOf, func(a *friendAsk) bool { return a.No }); err != nil {
		return nil, nil, err
	}
	asked, err = read(out, listOf, func(a *friendAsk) bool { return a.Hidden })
	return asks, asked, err
}

// AskFriend asks somebody whether they want to be a friend, or agrees where they have
// asked themselves. Whoever was declined, or is blocked, is told no more than that they
// have asked.
func (h *Hall) AskFriend(ctx context.Context, by, whom Account) (string, error) {
	switch {
	case whom.Program:
		return "", game.Refuse("", "server.friend.program", nil)
	case whom.ID == by.ID:
		return "", game.Refuse("", "server.friend.self", nil)
	}
	if err := h.mayMeet(ctx, by, whom); err != nil {
		return "", err
	}
	for range mostTries {
		if _, err := h.store.Paper(ctx, friendPaper, between(by.ID, whom.ID)); err == nil {
			return FriendsNow, nil
		} else if !errors.Is(err, store.ErrNone) {
			return "", err
		}
		theirs, err := h.paperOr(ctx, askPaper, between(by.ID, whom.ID), whom.ID)
		if err != nil {
			return "", err
		}
		if theirs.Version > 0 && theirs.Until.After(h.Now()) {
			var a friendAsk
			if err := json.Unmarshal(theirs.Body, &a); err != nil {
				return "", err
			}
			if !a.Hidden { // also where it was declined before: who changes their mind agrees
				return FriendsNow, h.befriend(ctx, by, whom, torn(theirs))
			}
		}
		tell, err := h.writeAsk(ctx, by, whom)
		if errors.Is(err, store.ErrChanged) {
			continue
		}
		if err == nil && tell {
			h.tellFriend(whom.ID, NewsAsked, &by, "")
		}
		return FriendAsked, err
	}
	return "", game.Refuse("", "server.busy", nil)
}

// writeAsk writes that somebody asks another, and says whether the other is to be told.
func (h *Hall) writeAsk(ctx context.Context, by, whom Account) (tell bool, err error) {
	p, err := h.paperOr(ctx, askPaper, between(whom.ID, by.ID), by.ID)
	if err != nil {
		return false, err
	}
	a := friendAsk{At: h.now()}
	if p.Version > 0 && p.Until.After(h.Now()) {
		if err := json.Unmarshal(p.Body, &a); err != nil || !a.Hidden {
			return false, err // they have asked before: it is the same ask
		}
		a.Hidden, a.At = false, h.now()
	} else {
		_, asked, err := h.Asks(ctx, by)
		if err != nil {
			return false, err
		}
		if len(asked) >= MostAsks {
			return false, game.Refuse("", "server.friend.asks", game.Args{"most": MostAsks})
		}
		if err := h.roomForFriend(ctx, by.ID, "server.friends"); err != nil {
			return false, err
		}
		waiting, _, err := h.Asks(ctx, whom)
		if err != nil {
			return false, err
		}
		apart, err := h.Apart(ctx, by, whom)
		if err != nil {
			return false, err
		}
		a.No = apart || len(waiting) >= MostAsks
		p.Until = h.Now().Add(askTime)
	}
	if p.Body, err = json.Marshal(a); err != nil {
		return false, err
	}
	return !a.No, h.store.Write(ctx, p)
}

// roomForFriend refuses, by a key, whoever has as many friends as one may have.
func (h *Hall) roomForFriend(ctx context.Context, account, key string) error {
	list, err := h.inList(ctx, friendPaper, account, MostFriends)
	if err == nil && len(list) >= MostFriends {
		err = game.Refuse("", key, game.Args{"most": MostFriends})
	}
	return err
}

// mayMeet refuses somebody who blocks the other: they must unblock them first.
func (h *Hall) mayMeet(ctx context.Context, by, whom Account) error {
	_, err := h.store.Paper(ctx, blockPaper, between(whom.root(), by.root()))
	switch {
	case err == nil:
		return game.Refuse("", "server.blocked", nil)
	case errors.Is(err, store.ErrNone):
		return nil
	}
	return err
}

// befriend makes two people friends, and writes what goes with it.
func (h *Hall) befriend(ctx context.Context, by, whom Account, with store.Paper) error {
	for _, a := range []Account{by, whom} {
		if err := h.stays(ctx, a.ID); err != nil {
			return err
		}
	}
	turn, err := h.turnOf(ctx, by.ID, whom.ID)
	if err != nil {
		return err
	}
	if apart, err := h.Apart(ctx, by, whom); err != nil || apart {
		return cmp.Or(err, store.ErrNone)
	}
	if err := h.roomForFriend(ctx, by.ID, "server.friends"); err != nil {
		return err
	}
	if err := h.roomForFriend(ctx, whom.ID, "server.friends.other"); err != nil {
		return err
	}
	papers := []store.Paper{with, turn}
	for _, two := range [][2]Account{{by, whom}, {whom, by}} {
		of, friend := two[0].ID, two[1].ID
		shows, err := h.Shows(ctx, two[1])
		if err != nil {
			return err
		}
		p, err := h.paperOr(ctx, friendPaper, between(of, friend), friend)
		if err != nil {
			return err
		}
		if p.Body, err = json.Marshal(friendship{h.now(), shows != nil && *shows}); err != nil {
			return err
		}
		papers = append(papers, p)
		ask, err := h.paperOr(ctx, askPaper, between(of, friend), friend)
		if err != nil {
			return err
		}
		if ask.Version > 0 && (ask.Kind != with.Kind || ask.Key != with.Key) {
			papers = append(papers, torn(ask))
		}
	}
	err = h.store.Write(ctx, papers...)
	if errors.Is(err, store.ErrChanged) { // somebody did something about it at the same moment
		return game.Refuse("", "server.busy", nil)
	}
	if err != nil {
		return err
	}
	h.tellFriend(whom.ID, NewsFriends, &by, "")
	for _, two := range [][2]Account{{by, whom}, {whom, by}} { // who chose otherwise meanwhile did not find this friendship
		if err := h.showTo(ctx, two[0].ID, two[1]); err != nil {
			return Unsure(err)
		}
	}
	return nil
}

// showTo says in the list of one friend what somebody has chosen.
func (h *Hall) showTo(ctx context.Context, friend string, by Account) error {
	shows, err := h.Shows(ctx, by)
	if err != nil {
		return err
	}
	p, err := h.store.Paper(ctx, friendPaper, between(friend, by.ID))
	if errors.Is(err, store.ErrNone) {
		return nil // they are friends no longer
	}
	if err == nil {
		err = h.showIn(ctx, p, shows != nil && *shows)
	}
	return err
}

// AnswerAsk says yes or no to somebody who wants to be a friend. Who is told no is not
// told so.
func (h *Hall) AnswerAsk(ctx context.Context, by Account, friend string, yes bool) error {
	asks, _, err := h.Asks(ctx, by)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(asks, func(f Friend) bool { return f.Friend == friend })
	if i < 0 {
		return store.ErrNone
	}
	whom, err := h.Account(ctx, asks[i].account)
	if err != nil {
		return err
	}
	p, err := h.store.Paper(ctx, askPaper, between(by.ID, whom.ID))
	if err != nil {
		return err
	}
	if yes {
		return h.befriend(ctx, by, whom, torn(p))
	}
	var a friendAsk
	if err := json.Unmarshal(p.Body, &a); err != nil {
		return err
	}
	a.No, p.Until = true, h.Now().Add(askTime)
	if p.Body, err = json.Marshal(a); err != nil {
		return err
	}
	if err = h.store.Write(ctx, p); errors.Is(err, store.ErrChanged) {
		return nil // they took it back, or the same was said in another tab
	}
	return err
}

// Unfriend ends a friendship, or takes an ask back.
func (h *Hall) Unfriend(ctx context.Context, by Account, friend string) error {
	whom, err := h.friend(ctx, by, friend)
	if err != nil {
		return err
	}
	for range mostTries {
		papers, err := h.bonds(ctx, by.ID, whom)
		if err != nil || len(papers) == 0 {
			return err
		}
		if err := h.store.Write(ctx, papers...); !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return game.Refuse("", "server.busy", nil)
}

// friend is somebody in one's lists, by what they are called there.
func (h *Hall) friend(ctx context.Context, by Account, friend string) (account string, err error) {
	list, err := h.Friends(ctx, by)
	if err != nil {
		return "", err
	}
	asks, asked, err := h.Asks(ctx, by)
	if err != nil {
		return "", err
	}
	for _, f := range slices.Concat(list, asks, asked) {
		if f.Friend == friend {
			return f.account, nil
		}
	}
	return "", store.ErrNone
}

// InLists is somebody in one's lists of friends and asks, by what they are called there.
func (h *Hall) InLists(ctx context.Context, by Account, friend string) (Account, error) {
	id, err := h.friend(ctx, by, friend)
	if err != nil {
		return Account{}, err
	}
	return h.Account(ctx, id)
}

// bonds are the papers to write so that one account is no friend of another and does not
// ask them. That it was declined is remembered.
func (h *Hall) bonds(ctx context.Context, by, whom string) (papers []store.Paper, err error) {
	for _, key := range []string{between(by, whom), between(whom, by)} {
		p, err := h.store.Paper(ctx, friendPaper, key)
		if err == nil {
			papers = append(papers, torn(p))
		} else if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
	}
	p, err := h.store.Paper(ctx, askPaper, between(whom, by))
	if errors.Is(err, store.ErrNone) {
		return papers, nil
	}
	var a friendAsk
	if err == nil {
		err = json.Unmarshal(p.Body, &a)
	}
	if err != nil {
		return nil, err
	}
	if !a.No {
		return append(papers, torn(p)), nil
	}
	a.Hidden = true
	p.Body, err = json.Marshal(a)
	return append(papers, p), err
}

// Shows is whether somebody's friends see when they are here; nil where they were never
// asked, which is no.
func (h *Hall) Shows(ctx context.Context, by Account) (*bool, error) {
	p, err := h.store.Paper(ctx, seenPaper, by.ID)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var yes bool
	err = json.Unmarshal(p.Body, &yes)
	return &yes, err
}

// Show says whether somebody's friends see when they are here, in all their lists. Of two
// who say so at the same time, in two tabs, the last one counts in every list.
func (h *Hall) Show(ctx context.Context, by Account, yes bool) error {
	if err := h.keepSeen(ctx, by, yes); err != nil {
		return err
	}
	for range mostTries {
		papers, err := h.store.Papers(ctx, friendPaper, by.ID, "", store.MostListed)
		if err != nil {
			return Unsure(err)
		}
		for _, p := range papers { // one by one: what changes meanwhile holds up no other
			if err := h.showIn(ctx, p, yes); err != nil {
				return Unsure(err)
			}
		}
		now, err := h.Shows(ctx, by)
		if err != nil || now == nil || *now == yes {
			return Unsure(err)
		}
		yes = *now
	}
	return Unsure(game.Refuse("", "server.busy", nil))
}

// keepSeen keeps whether somebody's friends see when they are here.
func (h *Hall) keepSeen(ctx context.Context, by Account, yes bool) error {
	body, err := json.Marshal(yes)
	if err != nil {
		return err
	}
	for range mostTries {
		p, err := h.paperOr(ctx, seenPaper, by.ID, by.ID)
		if err != nil {
			return err
		}
		p.Body = body
		if err := h.store.Write(ctx, p); !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return game.Refuse("", "server.busy", nil)
}

// showIn says in the list of one friend whether they see somebody.
func (h *Hall) showIn(ctx context.Context, p store.Paper, yes bool) error {
	for range mostTries {
		var kept friendship
		if err := json.Unmarshal(p.Body, &kept); err != nil {
			return err
		}
		if kept.Shows == yes {
			return nil
		}
		kept.Shows = yes
		var err error
		if p.Body, err = json.Marshal(kept); err != nil {
			return err
		}
		if err = h.store.Write(ctx, p); !errors.Is(err, store.ErrChanged) {
			return err
		}
		if p, err = h.store.Paper(ctx, friendPaper, p.Key); errors.Is(err, store.ErrNone) {
			return nil // they are friends no longer
		} else if err != nil {
			return err
		}
	}
	return game.Refuse("", "server.busy", nil)
}

// FriendLink is a link of friendship: whoever has its code may become a friend of who
// made it.
type FriendLink struct {
	Code  string     `json:"code"`
	Until table.Time `json:"until"`
}

// linkCode is the code of a link: its ID and what this house alone can make of that, so
// that nobody who reads the store can use a link.
func (h *Hall) linkCode(id string) string {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("copse friend link 1\n" + id))
	return id + letters.EncodeToString(mac.Sum(nil))[:16]
}

// linkLength is how many letters a code has.
const linkLength = 12 + 16

// link is the link of an account; nil where there is none.
func (h *Hall) link(ctx context.Context, account string) (*store.Paper, error) {
	list, err := h.store.Papers(ctx, linkPaper, account, "", 1)
	if err != nil || len(list) == 0 || !list[0].Until.After(h.Now()) {
		return nil, err
	}
	return &list[0], nil
}

// FriendLinkOf is somebody's link of friendship; nil where they have none.
func (h *Hall) FriendLinkOf(ctx context.Context, by Account) (*FriendLink, error) {
	p, err := h.link(ctx, by.ID)
	if err != nil || p == nil {
		return nil, err
	}
	return &FriendLink{h.linkCode(p.Key), table.Time(store.Milli(p.Until))}, nil
}

// NewFriendLink makes somebody's link of friendship, in the place of the one before.
func (h *Hall) NewFriendLink(ctx context.Context, by Account) (FriendLink, error) {
	if err := h.EndFriendLink(ctx, by); err != nil {
		return FriendLink{}, err
	}
	body, err := json.Marshal(friendLink{At: h.now()})
	if err != nil {
		return FriendLink{}, err
	}
	p := store.Paper{Kind: linkPaper, Key: h.NewID(), Owner: by.ID, Body: body, Until: h.Now().Add(linkTime)}
	err = h.store.Write(ctx, p)
	return FriendLink{h.linkCode(p.Key), table.Time(store.Milli(p.Until))}, err
}

// EndFriendLink withdraws somebody's links of friendship.
func (h *Hall) EndFriendLink(ctx context.Context, by Account) error {
	for range mostTries {
		list, err := h.store.Papers(ctx, linkPaper, by.ID, "", store.MostPapers)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			list[i] = torn(list[i])
		}
		if err := h.store.Write(ctx, list...); err != nil && !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	return game.Refuse("", "server.busy", nil)
}

// ByLink is whose link of friendship a code is of, and makes two people friends if the
// one who has it agrees. A person uses a link once: who was a friend by it and is no
// longer asks like anybody else. store.ErrNone says that it is no good, whatever the
// reason.
func (h *Hall) ByLink(ctx context.Context, by Account, code string, agree bool) (Friend, string, error) {
	if len(code) != linkLength || !hmac.Equal([]byte(h.linkCode(code[:12])), []byte(code)) {
		return Friend{}, "", store.ErrNone
	}
	for range mostTries {
		p, err := h.store.Paper(ctx, linkPaper, code[:12])
		if err == nil && !p.Until.After(h.Now()) {
			err = store.ErrNone
		}
		if err != nil {
			return Friend{}, "", err
		}
		whom, err := h.Account(ctx, p.Owner)
		if err != nil {
			return Friend{}, "", err
		}
		f := Friend{Friend: whom.known(by.ID), Who: *whom.who(), Since: h.now()}
		if whom.ID == by.ID {
			return f, "", game.Refuse("", "server.friend.self", nil)
		}
		if err := h.mayMeet(ctx, by, whom); err != nil {
			return f, "", err
		}
		if apart, err := h.Apart(ctx, by, whom); err != nil || apart {
			return Friend{}, "", cmp.Or(err, store.ErrNone) // as if it had been withdrawn
		}
		if _, err := h.store.Paper(ctx, friendPaper, between(by.ID, whom.ID)); err == nil {
			return f, FriendsNow, nil
		} else if !errors.Is(err, store.ErrNone) {
			return f, "", err
		}
		var kept friendLink
		if err := json.Unmarshal(p.Body, &kept); err != nil {
			return f, "", err
		}
		mine := by.at(p.Key).String()
		if slices.Contains(kept.Used, mine) || len(kept.Used) >= mostUsed {
			return Friend{}, "", store.ErrNone
		}
		if !agree {
			return f, FriendAsked, nil
		}
		kept.Used = append(kept.Used, mine)
		if p.Body, err = json.Marshal(kept); err != nil {
			return f, "", err
		}
		err = h.befriend(ctx, by, whom, p)
		var refused *game.Refusal
		if errors.As(err, &refused) && refused.Key == "server.busy" {
			continue
		}
		return f, FriendsNow, err
	}
	return Friend{}, "", game.Refuse("", "server.busy", nil)
}

// tearBonds tears up what others wrote about somebody who is being deleted. What they
// wrote themselves goes with their account.
func (h *Hall) tearBonds(ctx context.Context, account string) error {
	for _, kind := range []string{friendPaper, askPaper, blockPaper, invitePaper} {
		for {
			list, err := h.inList(ctx, kind, account, store.MostListed)
			if err != nil {
				return err
			}
			for some := range slices.Chunk(list, store.MostPapers) {
				for i := range some {
					some[i] = torn(some[i])
				}
				if err := h.store.Write(ctx, some...); err != nil && !errors.Is(err, store.ErrChanged) {
					return err
				}
			}
			if len(list) < store.MostListed {
				break
			}
		}
	}
	return nil
}
