package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"copse/game"
	"copse/news"
	"copse/peace"
	"copse/store"
	"copse/table"
)

// friendsAre makes sure who somebody's friends are, by name.
func (h *testHall) friendsAre(by Account, want ...string) []Friend {
	h.Helper()
	list, err := h.Friends(h.Context(), by)
	h.good(err)
	h.named(by.Name+"'s friends", list, want...)
	return list
}

func (h *testHall) named(what string, list []Friend, want ...string) {
	h.Helper()
	got := []string{}
	for _, f := range list {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, append([]string{}, want...)) {
		h.Fatalf("%s are %v, not %v", what, got, want)
	}
}

// asksAre makes sure who wants to be somebody's friend, and whom they asked.
func (h *testHall) asksAre(by Account, asks, asked []string) (in, out []Friend) {
	h.Helper()
	in, out, err := h.Asks(h.Context(), by)
	h.good(err)
	h.named("who asks "+by.Name, in, asks...)
	h.named("whom "+by.Name+" asks", out, asked...)
	return in, out
}

// asks lets somebody ask another.
func (h *testHall) asks(by, whom Account, want string) {
	h.Helper()
	if got, err := h.AskFriend(h.Context(), by, whom); err != nil || got != want {
		h.Fatalf("%s asks %s and is told %q, %v", by.Name, whom.Name, got, err)
	}
}

// befriended makes two people friends.
func (h *testHall) befriended(a, b Account) {
	h.Helper()
	h.asks(a, b, FriendAsked)
	h.asks(b, a, FriendsNow)
}

// papers are all papers that people have among themselves.
func (h *testHall) papers() (list []string) {
	h.Helper()
	for _, kind := range []string{friendPaper, askPaper, linkPaper, seenPaper, blockPaper, invitePaper, companyPaper} {
		some, err := h.db.Papers(h.Context(), kind, "", "", store.MostListed)
		h.good(err)
		for i := range some {
			list = append(list, some[i].Name())
		}
	}
	return list
}

// TestFriendsAskAndAnswer: who asks is told nothing but that, whatever is made of it.
func TestFriendsAskAndAnswer(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.member("ben")
	h.asks(anna, ben, FriendAsked)
	h.asks(anna, ben, FriendAsked) // once more
	in, _ := h.asksAre(ben, []string{"anna"}, nil)
	h.asksAre(anna, nil, []string{"ben"})
	h.good(h.AnswerAsk(t.Context(), ben, in[0].Friend, false))
	h.asksAre(ben, nil, nil)
	_, out := h.asksAre(anna, nil, []string{"ben"}) // as if it had not been answered
	if err := h.AnswerAsk(t.Context(), ben, in[0].Friend, true); !errors.Is(err, store.ErrNone) {
		t.Errorf("it is answered twice: %v", err)
	}
	h.good(h.Unfriend(t.Context(), anna, out[0].Friend)) // she takes it back, and asks again
	h.asksAre(anna, nil, nil)
	h.asks(anna, ben, FriendAsked)
	h.asksAre(anna, nil, []string{"ben"})
	h.asksAre(ben, nil, nil) // who said no is not asked again…
	h.wait(askTime + time.Hour)
	h.asksAre(anna, nil, nil)
	h.asks(anna, ben, FriendAsked)
	in, _ = h.asksAre(ben, []string{"anna"}, nil) // …for thirty days
	h.good(h.AnswerAsk(t.Context(), ben, in[0].Friend, true))
	h.friendsAre(anna, "ben")
	list := h.friendsAre(ben, "anna")
	h.asksAre(anna, nil, nil)
	h.asks(anna, ben, FriendsNow)
	h.good(h.Unfriend(t.Context(), ben, list[0].Friend))
	h.friendsAre(anna)
	h.friendsAre(ben)
	if err := h.Unfriend(t.Context(), ben, list[0].Friend); !errors.Is(err, store.ErrNone) {
		t.Errorf("it ends twice: %v", err)
	}
	if left := h.papers(); len(left) != 0 {
		t.Errorf("there is left: %v", left)
	}
	// Both ask at the same moment: either answer is one for both.
	_, err := h.writeAsk(t.Context(), anna, ben)
	h.good(err)
	_, err = h.writeAsk(t.Context(), ben, anna)
	h.good(err)
	h.asks(anna, ben, FriendsNow)
	h.friendsAre(ben, "anna")
	h.asksAre(anna, nil, nil)
	h.asksAre(ben, nil, nil)
	_, err = h.AskFriend(t.Context(), anna, anna)
	h.refused("server.friend.self", err)
	_, err = h.AskFriend(t.Context(), anna, Account{ID: "p", More: More{Program: true, Owner: ben.ID}})
	h.refused("server.friend.program", err)
}

// TestWhoChangesTheirMindAgrees: whoever said no and then asks is a friend at once.
func TestWhoChangesTheirMindAgrees(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	h.asks(anna, ben, FriendAsked)
	in, _ := h.asksAre(ben, []string{"anna"}, nil)
	h.good(h.AnswerAsk(t.Context(), ben, in[0].Friend, false))
	h.asks(ben, anna, FriendsNow)
	h.friendsAre(anna, "ben")
	if got := len(h.papers()); got != 2 {
		t.Errorf("a friendship is %d papers: %v", got, h.papers())
	}
}

// TestFriendsHaveLimits: of friends, and of those who have not answered.
func TestFriendsHaveLimits(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.account("anna")
	var others []Account
	for n := range MostFriends + 1 {
		others = append(others, h.account(fmt.Sprintf("other%03d", n)))
	}
	for _, other := range others[:MostAsks] {
		h.asks(anna, other, FriendAsked)
	}
	_, err := h.AskFriend(t.Context(), anna, others[MostAsks])
	h.refused("server.friend.asks", err)
	for _, other := range others[:MostFriends] {
		if state, err := h.AskFriend(t.Context(), other, anna); err != nil || state == FriendAsked {
			in, _, err := h.Asks(t.Context(), anna)
			h.good(err)
			h.good(h.AnswerAsk(t.Context(), anna, in[0].Friend, true))
		}
	}
	list, err := h.Friends(t.Context(), anna)
	h.good(err)
	if len(list) != MostFriends {
		t.Fatalf("anna has %d friends", len(list))
	}
	_, err = h.AskFriend(t.Context(), anna, others[MostFriends])
	h.refused("server.friends", err)
	h.asks(others[MostFriends], anna, FriendAsked)
	in, _, err := h.Asks(t.Context(), anna)
	h.good(err)
	h.refused("server.friends", h.AnswerAsk(t.Context(), anna, in[0].Friend, true))
	// Who is asked by more people than are shown does not see the last ones.
	ben := h.account("ben")
	for _, other := range others[:MostAsks+5] {
		h.asks(other, ben, FriendAsked)
	}
	if in, _, err = h.Asks(t.Context(), ben); err != nil || len(in) != MostAsks {
		t.Errorf("ben is asked by %d, %v", len(in), err)
	}
}

// TestALinkMakesFriends: once for each person, until it ends or is withdrawn.
func TestALinkMakesFriends(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	link, err := h.NewFriendLink(t.Context(), anna)
	h.good(err)
	by := func(who Account, code string, agree bool) (string, error) {
		f, state, err := h.ByLink(t.Context(), who, code, agree)
		if err == nil && f.Name != "anna" {
			t.Errorf("it is the link of %+v", f)
		}
		return state, err
	}
	if got, err := by(ben, link.Code, false); err != nil || got != FriendAsked {
		t.Fatalf("who only looks is told %q, %v", got, err)
	}
	h.friendsAre(ben)
	for range 2 {
		if got, err := by(ben, link.Code, true); err != nil || got != FriendsNow {
			t.Fatalf("who agrees is told %q, %v", got, err)
		}
	}
	list := h.friendsAre(ben, "anna")
	h.friendsAre(anna, "ben")
	h.good(h.Unfriend(t.Context(), ben, list[0].Friend))
	none := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, store.ErrNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = by(ben, link.Code, true)
	none("a link is used twice", err)
	_, err = by(anna, link.Code, true)
	h.refused("server.friend.self", err)
	forged := []byte(link.Code)
	forged[20] ^= 1
	for _, code := range []string{"", string(forged), link.Code[:12], link.Code + "0", "............................"} {
		_, err = by(cleo, code, true)
		none("code "+code, err)
	}
	later, err := h.NewFriendLink(t.Context(), anna)
	h.good(err)
	_, err = by(cleo, link.Code, true)
	none("the one before", err)
	h.wait(linkTime)
	_, err = by(cleo, later.Code, true)
	none("it has ended", err)
	third, err := h.NewFriendLink(t.Context(), anna)
	h.good(err)
	if mine, err := h.FriendLinkOf(t.Context(), anna); err != nil || mine == nil || *mine != third {
		t.Errorf("her link is %v, %v", mine, err)
	}
	h.good(h.EndFriendLink(t.Context(), anna))
	_, err = by(cleo, third.Code, true)
	none("it was withdrawn", err)
	fourth, err := h.NewFriendLink(t.Context(), anna)
	h.good(err)
	h.good(h.Block(t.Context(), anna, cleo))
	_, err = by(cleo, fourth.Code, true)
	none("anna blocks cleo", err)
	h.friendsAre(cleo)
}

// TestABlockKeepsTwoApart, whoever of them blocks: at open tables and in lists, as
// friends, and for their programs.
func TestABlockKeepsTwoApart(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	program := Account{ID: "program", Name: "pruner", Salt: []byte("x"), More: More{Program: true, Owner: ben.ID}}
	h.good(h.AddProgram(t.Context(), program, func(*Account) error { return nil }))
	h.befriended(anna, ben)
	h.good(h.Show(t.Context(), ben, true))
	open := func(by Account) int {
		t.Helper()
		list, err := h.Open(t.Context(), by, "", 0, 10)
		h.good(err)
		return len(list)
	}
	id := h.table(settings("bosk", 3))
	h.sit(id, anna)
	going := h.begun(settings("bosk", 2), anna, ben)
	sits := func(who Account, at string) error {
		_, err := h.Sit(t.Context(), at, who, table.Sit{Seat: game.None, Nonce: table.Nonce{7}}, store.Once{})
		return err
	}
	if n := open(ben); n != 2 {
		t.Fatalf("before, ben sees %d tables", n)
	}
	h.good(h.Block(t.Context(), anna, ben))
	h.good(h.Block(t.Context(), anna, ben)) // once more
	h.friendsAre(anna)
	h.friendsAre(ben)
	for _, who := range []Account{ben, program} {
		h.refused("server.apart", sits(who, id))
		if n := open(who); n != 0 {
			t.Errorf("%s sees %d tables of anna", who.Name, n)
		}
	}
	if n := open(cleo); n != 2 {
		t.Errorf("cleo sees %d tables", n)
	}
	h.move(going, anna, ben) // the game goes on
	h.move(going, anna, ben)
	hers := h.table(settings("bosk", 3))
	h.sit(hers, ben)
	h.refused("server.apart", sits(anna, hers))
	secret := settings("bosk", 3)
	secret.Visible = table.ByLink
	linked := h.table(secret)
	h.sit(linked, anna, ben) // who hands out a link chooses who comes
	h.asks(ben, anna, FriendAsked)
	h.asksAre(ben, nil, []string{"anna"})
	h.asksAre(anna, nil, nil)
	_, err := h.AskFriend(t.Context(), anna, ben)
	h.refused("server.blocked", err)
	list, err := h.Blocks(t.Context(), anna)
	h.good(err)
	h.named("whom anna blocks", list, "ben")
	if theirs, err := h.Blocks(t.Context(), ben); err != nil || len(theirs) != 0 {
		t.Errorf("ben is told %v, %v", theirs, err)
	}
	h.good(h.Unblock(t.Context(), anna, list[0].Friend))
	h.friendsAre(anna)
	h.good(sits(ben, id))
	if err := h.Unblock(t.Context(), anna, list[0].Friend); !errors.Is(err, store.ErrNone) {
		t.Errorf("unblocked twice: %v", err)
	}
	// Who blocks a program blocks that alone, and nothing tells whose it is.
	h.good(h.Block(t.Context(), cleo, program))
	list, err = h.Blocks(t.Context(), cleo)
	h.good(err)
	h.named("whom cleo blocks", list, "pruner")
	for _, who := range []Account{ben, program} {
		if apart, err := h.Apart(t.Context(), who, cleo); err != nil || apart != who.Program {
			t.Errorf("%s is apart from cleo: %v, %v", who.Name, apart, err)
		}
	}
	alone := h.table(settings("bosk", 3))
	h.sit(alone, cleo)
	h.refused("server.apart", sits(program, alone))
	h.good(sits(ben, alone))
	bonds, err := h.BondsAt(t.Context(), alone, cleo)
	h.good(err)
	if len(bonds) != 1 || bonds[0].Is != BondNone {
		t.Errorf("what tells who owns the program: %+v", bonds)
	}
	if is, err := h.BondWith(t.Context(), cleo, program); err != nil || is != BondBlocked {
		t.Errorf("the program is %s, %v", is, err)
	}
	h.refused("server.friend.self", h.Block(t.Context(), ben, program))
	h.good(h.DeleteAccount(t.Context(), program.ID))
	list, err = h.Blocks(t.Context(), cleo)
	h.good(err)
	h.named("whom cleo blocks", list)
	h.refused("server.friend.self", h.Block(t.Context(), ben, ben))
}

// TestPlayNowNeverMatchesThemWhoAreApart, also where one blocks the other while they wait
// or after they were matched.
func TestPlayNowNeverMatchesThemWhoAreApart(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "waiting", "matched"} {
		h := newTestHall(t)
		other := h.another()
		defer other.Stop()
		anna, ben, cleo := h.member("anna"), h.member("ben"), h.member("cleo")
		if when == "before" {
			h.good(h.Block(t.Context(), anna, ben))
		}
		h.wants(anna, want(2, time.Minute))
		switch when {
		case "before":
			h.wants(ben, want(2, time.Minute))
		case "waiting":
			h.good(h.Block(t.Context(), ben, anna)) // of which what he presses at the other node knows
			_, err := other.PlayNow(t.Context(), ben, want(2, time.Minute))
			h.good(err)
		case "matched":
			h.wants(ben, want(2, time.Minute))
			h.waitsIn(h.Hall, WaitsCome, anna)
			h.good(h.Block(t.Context(), ben, anna))
			h.come(h.Hall, anna, 1)
			h.come(h.Hall, ben, 2)
		}
		for range 3 {
			h.wait(300 * time.Millisecond)
			h.waitsIn(h.Hall, Waits, anna)
			h.waitsIn(other, Waits, ben)
		}
		h.wants(cleo, want(2, time.Minute))
		if got := h.waitsIn(h.Hall, WaitsCome, anna); got.People != 2 { // she waits longest
			t.Errorf("%s: cleo is matched in %+v", when, got)
		}
		h.waitsIn(other, Waits, ben)
	}
}

// TestMatchingStaysQuickWithManyBlocks: a thousand wait, each apart from five hundred.
func TestMatchingStaysQuickWithManyBlocks(t *testing.T) {
	apart := make([]map[string]bool, 1000)
	for i := range apart {
		apart[i] = map[string]bool{}
		for n := 1; n <= MostBlocks/2; n++ {
			apart[i][fmt.Sprint((i+n)%1000)] = true
			apart[i][fmt.Sprint((i-n+1000)%1000)] = true
		}
	}
	var list []waiter
	for i := range apart {
		list = append(list, waiter{account: fmt.Sprint(i), Want: want(2, time.Minute), mean: 1500, since: table.Time(i), seen: 2000, apart: apart[i]})
	}
	begun := worked(t)
	got := matches(2000, list)
	if took := worked(t) - begun; took > time.Second { // it takes a twentieth of one
		t.Errorf("it took %v", took)
	}
	for _, m := range got {
		if len(m) == 2 && apart[index(m[0].account)][m[1].account] {
			t.Errorf("%s meets %s", m[0].account, m[1].account)
		}
	}
	if len(got) < 400 {
		t.Errorf("there are %d matches of 1000", len(got))
	}
}

func index(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// TestWhoIsDeletedIsInNobodysList, and takes along what they did.
func TestWhoIsDeletedIsInNobodysList(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo, dora := h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora")
	h.befriended(anna, ben)
	h.asks(cleo, ben, FriendAsked)
	h.asks(ben, dora, FriendAsked)
	eve := h.account("eve")
	h.good(h.Block(t.Context(), eve, ben))
	id := h.table(settings("bosk", 3))
	h.sit(id, anna)
	list := h.friendsAre(anna, "ben")
	if n, err := h.Invite(t.Context(), id, anna, []string{list[0].Friend}); err != nil || n != 1 {
		t.Fatalf("%d are invited, %v", n, err)
	}
	_, err := h.NewCompany(t.Context(), anna, "the two", []string{list[0].Friend}, json.RawMessage(`{"game":"bosk","seats":2}`))
	h.good(err)
	_, err = h.NewFriendLink(t.Context(), ben)
	h.good(err)
	h.good(h.DeleteAccount(t.Context(), ben.ID))
	if left := h.papers(); len(left) != 1 { // anna's company
		t.Errorf("there is left: %v", left)
	}
	h.friendsAre(anna)
	h.asksAre(cleo, nil, nil)
	h.asksAre(dora, nil, nil)
	if list, err := h.Blocks(t.Context(), eve); err != nil || len(list) != 0 {
		t.Errorf("eve blocks %v, %v", list, err)
	}
	companies, err := h.Companies(t.Context(), anna, nil)
	h.good(err)
	if len(companies) != 1 || len(companies[0].People) != 0 {
		t.Errorf("anna's companies are %+v", companies)
	}
	if left := h.papers(); len(left) != 1 {
		t.Errorf("there is left: %v", left)
	}
	// What was written at the last moment goes when somebody reads it.
	h.good(h.db.Write(t.Context(), store.Paper{Kind: askPaper, Key: between(ben.ID, anna.ID), Owner: anna.ID, Body: []byte(`{"at":1}`), Until: h.Now().Add(time.Hour)}))
	h.asksAre(anna, nil, nil)
	if left := h.papers(); len(left) != 1 {
		t.Errorf("there is left: %v", left)
	}
}

// TestFriendsSeeWhoIsHere, at whichever node, where they are let.
func TestFriendsSeeWhoIsHere(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	h.befriended(anna, ben)
	leave := h.Arrive(ben)
	again := h.Arrive(ben) // another window
	h.Arrive(Account{ID: "program", More: More{Program: true}})
	h.Arrive(Account{})
	here := func(want bool) {
		t.Helper()
		if list := h.friendsAre(anna, "ben"); list[0].Here != want {
			t.Errorf("ben is here: %v", list[0].Here)
		}
	}
	people := func(want int) {
		t.Helper()
		h.wait(2 * time.Second)
		if house, err := h.House(t.Context(), cleo); err != nil || house.People != want {
			t.Errorf("%d people are here, %v", house.People, err)
		}
	}
	here(false) // nobody asked him
	people(1)
	h.good(h.Show(t.Context(), ben, true))
	here(true)
	leave()
	here(true)
	again()
	here(false)
	people(0)
	defer h.Arrive(ben)()
	h.good(h.Show(t.Context(), ben, false))
	here(false)
	h.good(h.Show(t.Context(), ben, true))
	h.befriended(ben, cleo) // a friend who comes later sees it too
	if list := h.friendsAre(cleo, "ben"); !list[0].Here {
		t.Error("cleo does not see that ben is here")
	}
}

// TestFriendsAreInvited to tables where there is room for them, and dismiss it.
func TestFriendsAreInvited(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	h.befriended(anna, ben)
	friend := h.friendsAre(anna, "ben")[0].Friend
	reader := h.news.Subscribe(10)
	_, err := reader.Watch(news.Account(ben.ID), nil)
	h.good(err)
	set := settings("bosk", 2)
	set.Visible = table.ByLink
	id := h.table(set)
	_, err = h.Invite(t.Context(), id, anna, []string{friend})
	h.refused("table.stranger", err)
	h.sit(id, anna)
	for n := range 2 {
		if got, err := h.Invite(t.Context(), id, anna, []string{friend}); err != nil || got != 1-n {
			t.Fatalf("%d are invited, %v", got, err)
		}
	}
	if _, err := h.Invite(t.Context(), id, anna, []string{"nobody"}); !errors.Is(err, store.ErrNone) {
		t.Errorf("nobody is invited: %v", err)
	}
	item, ok := reader.Take()
	if event, data := SplitEvent(item.Body); !ok || event != "friends" || string(data) != `{"why":"invited","by":{"name":"anna","guest":true},"table":"`+id+`"}` {
		t.Errorf("ben hears %s", item.Body)
	}
	invited := func(want int) {
		t.Helper()
		list, err := h.Invitations(t.Context(), ben)
		h.good(err)
		if len(list) != want || want > 0 && (list[0].Table != id || list[0].By.Name != "anna" || list[0].Free != 1) {
			t.Fatalf("ben has %+v", list)
		}
	}
	invited(1)
	h.sit(id, cleo) // the table is full, and then it is not
	invited(0)
	h.do(id, cleo, func(p table.Person) table.Command { return table.Leave{Person: p} })
	invited(1)
	h.sit(id, ben) // he comes, and thinks better of it
	invited(0)
	h.do(id, ben, func(p table.Person) table.Command { return table.Leave{Person: p} })
	_, err = h.Invite(t.Context(), id, anna, []string{friend})
	h.good(err)
	invited(1)
	h.good(h.Dismiss(t.Context(), ben, id))
	invited(0)
	if err := h.Dismiss(t.Context(), ben, id); !errors.Is(err, store.ErrNone) {
		t.Errorf("dismissed twice: %v", err)
	}
	_, err = h.Invite(t.Context(), id, anna, []string{friend})
	h.good(err)
	invited(1)
	h.good(h.Block(t.Context(), ben, anna))
	invited(0)
	if _, err := h.Invite(t.Context(), id, anna, []string{friend}); !errors.Is(err, store.ErrNone) {
		t.Errorf("who blocks her is invited: %v", err)
	}
}

// TestACompanyIsKept with the settings of a table and those friends who sat there.
func TestACompanyIsKept(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	h.befriended(anna, ben)
	id := h.begun(settings("grandbois", 3), anna, ben, cleo)
	friends, raw, err := h.CompanyAt(t.Context(), id, anna)
	h.good(err)
	made, err := h.NewCompany(t.Context(), anna, "Tuesday", friends, raw)
	h.good(err)
	if made.Game != "grandbois" || made.Seats != 3 || made.Pace != table.Live {
		t.Errorf("it is %+v", made)
	}
	h.named("the company", made.People, "ben") // cleo is no friend
	set, err := table.ReadSettings(raw)
	h.good(err)
	h.good(h.CheckSettings(set))
	for _, by := range []Account{ben, cleo} {
		if _, _, err := h.Company(t.Context(), by, made.ID); !errors.Is(err, store.ErrNone) {
			t.Errorf("%s gets it: %v", by.Name, err)
		}
		if err := h.DropCompany(t.Context(), by, made.ID); !errors.Is(err, store.ErrNone) {
			t.Errorf("%s drops it: %v", by.Name, err)
		}
	}
	_, err = h.NewCompany(t.Context(), anna, "Nobody", []string{"nobody"}, raw)
	h.refused("server.company.people", err)
	next, err := h.Create(t.Context(), set)
	h.good(err)
	if n, err := h.InviteCompany(t.Context(), next, anna, made); err != nil || n != 1 {
		t.Errorf("%d are invited, %v", n, err)
	}
	h.good(h.DropCompany(t.Context(), anna, made.ID))
	if list, err := h.Companies(t.Context(), anna, nil); err != nil || len(list) != 0 {
		t.Errorf("there is left %v, %v", list, err)
	}
}

// TestTheLiveliestGame is one where people are, and nobody's who is apart from who asks.
func TestTheLiveliestGame(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo, dora, eve := h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora"), h.account("eve")
	watch := func(by Account, want string) House {
		t.Helper()
		h.wait(liveEvery)
		house, err := h.House(t.Context(), by)
		h.good(err)
		got := ""
		if house.Watch != nil {
			got = house.Watch.Table
		}
		if got != want {
			t.Fatalf("%s is shown %q, not %q", by.Name, got, want)
		}
		return house
	}
	follow := func(id string, by Account) {
		t.Helper()
		_, err := h.Follow(t.Context(), id, by, h.Listen(100))
		h.good(err)
	}
	h.table(settings("bosk", 3))
	quiet := h.begun(settings("bosk", 2), anna, ben)
	busy := h.begun(settings("bosk", 2), cleo, dora)
	closed := settings("bosk", 2)
	closed.Watchers = false
	shut := h.begun(closed, anna, dora)
	if house := watch(eve, ""); house.Playing != 3 || house.Open != 1 {
		t.Errorf("the house is %+v", house)
	}
	follow(shut, anna)
	follow(shut, dora)
	watch(eve, "")
	follow(quiet, anna)
	watch(eve, quiet)
	watch(anna, "") // it is her own
	follow(busy, cleo)
	follow(busy, eve)
	if house := watch(eve, busy); house.Lookers != 1 {
		t.Errorf("%d look on", house.Lookers)
	}
	h.good(h.Block(t.Context(), dora, eve))
	watch(eve, quiet)
	for range 4 {
		h.move(quiet, anna, ben)
	}
	watch(Account{}, quiet)
	h.wait(3 * time.Minute)
	watch(eve, "")
}

// TestBondsAtATable: what each of the others is to who asks. A program does not tell
// that its owner is blocked, which would tell whose it is.
func TestBondsAtATable(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo, dora := h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora")
	program := Account{ID: "program", Name: "pruner", Salt: []byte("x"), More: More{Program: true, Owner: dora.ID}}
	h.good(h.AddProgram(t.Context(), program, func(*Account) error { return nil }))
	h.befriended(anna, ben)
	h.asks(cleo, anna, FriendAsked)
	h.good(h.Block(t.Context(), dora, anna))
	h.good(h.Block(t.Context(), anna, dora))
	set := settings("bosk", 4)
	set.Visible = table.ByLink
	id := h.begun(set, ben, anna, cleo, program)
	for _, c := range []struct {
		by   Account
		want string
	}{
		{anna, "[{0 friend} {2 asks} {3 none}]"},
		{ben, "[{1 friend} {2 none} {3 none}]"},
		{cleo, "[{0 none} {1 asked} {3 none}]"},
	} {
		got, err := h.BondsAt(t.Context(), id, c.by)
		h.good(err)
		if fmt.Sprint(got) != c.want {
			t.Errorf("to %s they are %v, not %s", c.by.Name, got, c.want)
		}
	}
}

// TestBlockedLinesAreFolded for who blocks, and for nobody else.
func TestBlockedLinesAreFolded(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	id := h.begun(settings("bosk", 2), anna, ben)
	if _, err := h.Say(t.Context(), id, ben, Words{Text: "rude"}, store.Once{}); err != nil {
		t.Fatal(err)
	}
	h.good(h.Block(t.Context(), anna, ben))
	for _, c := range []struct {
		by   Account
		want bool
	}{{anna, true}, {ben, false}, {Account{}, false}} {
		lines, err := h.Lines(t.Context(), id, c.by, 0)
		h.good(err)
		if len(lines) != 1 || lines[0].Folded != c.want {
			t.Errorf("%s reads %+v", c.by.Name, lines)
		}
	}
}

// TestBlocksAndFriendsAtTheSameMoment: whoever is late learns what there is.
func TestBlocksAndFriendsAtTheSameMoment(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	h.asks(anna, ben, FriendAsked)
	in, _ := h.asksAre(ben, []string{"anna"}, nil)
	ask, err := h.db.Paper(t.Context(), askPaper, between(ben.ID, anna.ID))
	h.good(err)
	h.good(h.Block(t.Context(), anna, ben)) // while ben's yes is on its way
	if err := h.befriend(context.Background(), ben, anna, torn(ask)); !errors.Is(err, store.ErrNone) {
		t.Errorf("he agrees all the same: %v", err)
	}
	if err := h.AnswerAsk(t.Context(), ben, in[0].Friend, true); !errors.Is(err, store.ErrNone) {
		t.Errorf("he agrees later: %v", err)
	}
	h.friendsAre(ben)
}

// rung is a doorbell that notes what it is to tell.
type rung struct{ chimes []Chime }

func (r *rung) Ring(_ string, c Chime) { r.chimes = append(r.chimes, c) }

// TestWhoIsInvitedHearsTheDoorbell: once, with the game and who invites; who has not
// asked for it hears nothing; and what was dismissed is not told later.
func TestWhoIsInvitedHearsTheDoorbell(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	bell := &rung{}
	h.doorbell = bell
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	h.befriended(anna, ben)
	h.befriended(anna, cleo)
	h.good(h.ChangeAccount(t.Context(), ben.ID, func(a *Account) error {
		a.Chimes = &Chimes{On: true, Invites: true}
		return nil
	}))
	id := h.table(settings("bosk", 4))
	h.sit(id, anna)
	for _, f := range h.friendsAre(anna, "ben", "cleo") {
		for range 2 {
			_, err := h.Invite(t.Context(), id, anna, []string{f.Friend})
			h.good(err)
		}
	}
	if len(bell.chimes) != 1 {
		t.Fatalf("it rang %d times: %+v", len(bell.chimes), bell.chimes)
	}
	c := bell.chimes[0]
	if c.Do != ChimeInvite || c.Table != id || c.Game != "bosk" || !slices.Equal(c.With, []string{"anna"}) || !c.Still(t.Context()) {
		t.Errorf("it told %+v", c)
	}
	h.good(h.Dismiss(t.Context(), ben, id))
	if c.Still(t.Context()) {
		t.Error("what was dismissed is still told")
	}
}

// beforehand is a store in which something happens just before papers are written, once.
type beforehand struct {
	store.Store
	first func()
}

func (m *beforehand) Write(ctx context.Context, papers ...store.Paper) error {
	if first := m.first; first != nil {
		m.first = nil
		first()
	}
	return m.Store.Write(ctx, papers...)
}

// TestAFriendshipAndABlockAtTheSameMoment: only one of them is written, whichever of the
// two comes first, and whoever blocks has blocked.
func TestAFriendshipAndABlockAtTheSameMoment(t *testing.T) {
	t.Parallel()
	for _, later := range []string{"friendship", "block"} {
		h := newTestHall(t)
		other := h.another()
		defer other.Stop()
		anna, ben := h.account("anna"), h.account("ben")
		link, err := h.NewFriendLink(t.Context(), ben)
		h.good(err)
		befriends := func(at *Hall) error {
			_, state, err := at.ByLink(t.Context(), anna, link.Code, true)
			if err == nil && state != FriendsNow {
				err = store.ErrNone
			}
			return err
		}
		blocks := func(at *Hall) error { return at.Block(t.Context(), ben, anna) }
		if later == "friendship" {
			h.store = &beforehand{Store: h.db, first: func() { h.good(blocks(other)) }}
			if err := befriends(h.Hall); err == nil {
				t.Error("they are friends, and one blocks the other")
			}
		} else {
			h.store = &beforehand{Store: h.db, first: func() { h.good(befriends(other)) }}
			h.good(blocks(h.Hall))
		}
		for _, key := range []string{between(anna.ID, ben.ID), between(ben.ID, anna.ID)} {
			if _, err := h.db.Paper(t.Context(), friendPaper, key); !errors.Is(err, store.ErrNone) {
				t.Errorf("%s later: a friendship stands: %v", later, err)
			}
		}
		if apart, err := h.Apart(t.Context(), anna, ben); err != nil || !apart {
			t.Errorf("%s later: they are apart: %v, %v", later, apart, err)
		}
	}
}

// TestWhoIsBannedAsksNobody: as long as the ban counts nobody finds what they ask, and
// nobody is invited by them.
func TestWhoIsBannedAsksNobody(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	h.befriended(anna, cleo)
	h.asks(ben, anna, FriendAsked)
	id := h.table(settings("bosk", 3))
	h.sit(id, cleo)
	friends, err := h.Friends(t.Context(), cleo)
	h.good(err)
	_, err = h.Invite(t.Context(), id, cleo, []string{friends[0].Friend})
	h.good(err)
	finds := func(asked, invited int) {
		t.Helper()
		asks, _, err := h.Asks(t.Context(), anna)
		h.good(err)
		list, err := h.Invitations(t.Context(), anna)
		h.good(err)
		if len(asks) != asked || len(list) != invited {
			t.Errorf("anna finds %d asks and %d invitations", len(asks), len(list))
		}
	}
	finds(1, 1)
	for _, a := range []Account{ben, cleo} {
		_, err := h.Carry(t.Context(), peace.Order{Do: peace.Ban, Account: a.ID, Why: "x"}, nil, nil)
		h.good(err)
	}
	finds(0, 0)
	for _, a := range []Account{ben, cleo} {
		_, err := h.Carry(t.Context(), peace.Order{Do: peace.Unban, Account: a.ID, Why: "x"}, nil, nil)
		h.good(err)
	}
	finds(1, 1)
}
