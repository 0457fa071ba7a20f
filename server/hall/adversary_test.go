package hall

import (
	"context"
	"errors"
	"testing"
	"time"

	"copse/game"
	"copse/peace"
	"copse/store"
	"copse/table"
)

// TestAnInvitationTellsNoNewLink: whoever was sent away learns the new link neither by an
// invitation of theirs to somebody else nor by one that they had themselves.
func TestAnInvitationTellsNoNewLink(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo, dora := h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora")
	h.befriended(ben, cleo)
	h.befriended(anna, ben)
	h.befriended(anna, dora)
	invite := func(id string, by Account, whom string) {
		t.Helper()
		for _, f := range h.friendsOfName(by, whom) {
			if n, err := h.Invite(t.Context(), id, by, []string{f}); err != nil || n != 1 {
				t.Fatalf("%s invites %d, %v", by.Name, n, err)
			}
		}
	}
	invited := func(by Account, want int) {
		t.Helper()
		list, err := h.Invitations(t.Context(), by)
		h.good(err)
		if len(list) != want {
			t.Errorf("%s has %+v", by.Name, list)
		}
		if want > 0 && list[0].Code == "" {
			t.Errorf("%s is not told the new link", by.Name)
		}
	}
	set := settings("bosk", 3)
	set.Visible = table.ByLink
	id := h.table(set)
	h.sit(id, anna)
	invite(id, anna, "ben")
	invite(id, anna, "dora")
	h.sit(id, ben)
	invite(id, ben, "cleo")
	h.do(id, anna, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
	invited(dora, 1) // whom the host wants there
	invited(cleo, 0)
	invited(ben, 0)
}

// friendsOfName are what those friends of somebody are called in their list who have a
// name.
func (h *testHall) friendsOfName(by Account, name string) (list []string) {
	h.Helper()
	all, err := h.Friends(h.Context(), by)
	h.good(err)
	for _, f := range all {
		if f.Name == name {
			list = append(list, f.Friend)
		}
	}
	return list
}

// meanwhile is a store that lets something happen once, before a paper of a kind is
// written.
type meanwhile struct {
	store.Store
	kind string
	do   func()
}

func (m *meanwhile) Write(ctx context.Context, papers ...store.Paper) error {
	for i := range papers {
		if do := m.do; do != nil && papers[i].Kind == m.kind {
			m.do = nil
			do()
		}
	}
	return m.Store.Write(ctx, papers...)
}

// TestWhoIsSeenWhileItIsChosen: whatever happens at the same moment, friends see what was
// chosen last.
func TestWhoIsSeenWhileItIsChosen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind string
		act  func(h *testHall, anna, ben Account)
		then bool // what ben chooses meanwhile
	}{
		"a friendship": {friendPaper, func(h *testHall, anna, ben Account) { h.befriended(anna, ben) }, false},
		"another tab": {seenPaper, func(h *testHall, anna, ben Account) {
			h.befriended(anna, ben)
			h.good(h.Show(h.Context(), ben, false))
		}, true},
		"another tab, later": {friendPaper, func(h *testHall, anna, ben Account) {
			m := h.store.(*meanwhile)
			do := m.do
			m.do = nil
			h.befriended(anna, ben)
			m.do = do
			h.good(h.Show(h.Context(), ben, false))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTestHall(t)
			anna, ben := h.account("anna"), h.account("ben")
			h.good(h.Show(t.Context(), ben, true))
			defer h.Arrive(ben)()
			h.store = &meanwhile{Store: h.db, kind: c.kind, do: func() { h.good(h.Show(t.Context(), ben, c.then)) }}
			c.act(h, anna, ben)
			chosen, err := h.Shows(t.Context(), ben)
			h.good(err)
			if list := h.friendsAre(anna, "ben"); list[0].Here != *chosen {
				t.Errorf("ben has chosen %v, and anna sees %v", *chosen, list[0].Here)
			}
		})
	}
}

// stuck is a store in which nothing can be written to one table.
type stuck struct {
	store.Store
	table string
}

func (s *stuck) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if a.Table == s.table {
		return store.Receipt{}, errors.New("its disk is broken")
	}
	return s.Store.Append(ctx, a)
}

// TestOneTableKeepsNobodyHere: who is banned leaves all tables that can be left, and so
// does everybody else who is banned.
func TestOneTableKeepsNobodyHere(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	broken := &stuck{Store: h.db}
	h.store = broken
	anna := h.account("anna")
	var ids []string
	var banned []Account
	for _, name := range []string{"ben", "cleo", "dora"} {
		a := h.account(name)
		banned = append(banned, a)
		for range 3 {
			id := h.table(settings("bosk", 3))
			h.sit(id, anna, a)
			ids = append(ids, id)
		}
	}
	broken.table = ids[1]
	for _, a := range banned {
		_, err := h.Carry(t.Context(), peace.Order{Do: peace.Ban, Account: a.ID, Why: "x"}, nil, nil)
		h.good(err)
	}
	if err := h.KeepPeace(t.Context()); err == nil {
		t.Error("nobody is told that somebody cannot be got up")
	}
	for i, id := range ids {
		s, err := h.Look(t.Context(), id, anna)
		h.good(err)
		if sits := s.Look.People.Seats[1].Held == table.Human; sits != (id == broken.table) {
			t.Errorf("table %d: who is banned sits there: %v", i, sits)
		}
	}
	broken.table = ""
	h.wait(outTime)
	h.good(h.KeepPeace(t.Context()))
	if s, err := h.Look(t.Context(), ids[1], anna); err != nil || s.Look.People.Seats[1].Held == table.Human {
		t.Errorf("they still sit where they could not get up: %v", err)
	}
}

// unended is a store in which for a while nobody's sessions can be ended.
type unended struct {
	store.Store
	broken bool
}

func (s *unended) SignOut(ctx context.Context, account string, kinds ...store.Kind) error {
	if s.broken {
		return errors.New("its disk is broken")
	}
	return s.Store.SignOut(ctx, account, kinds...)
}

func (s *unended) Withdraw(ctx context.Context, kind store.Kind, d store.Digest) error {
	if s.broken {
		return errors.New("its disk is broken")
	}
	return s.Store.Withdraw(ctx, kind, d)
}

// TestSignedOutHalfWay: an operator's order that was written down and not carried out is
// carried out later, by whichever hall; who has signed in since stays signed in.
func TestSignedOutHalfWay(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []bool{false, true} {
		h := newTestHall(t)
		broken := &unended{Store: h.db, broken: true}
		h.store = broken
		anna := h.account("anna")
		admit := func(secret string, kind store.Kind) {
			h.good(h.db.Admit(t.Context(), store.Pass{Digest: store.DigestOf(secret), Kind: kind, Account: anna.ID, Born: h.Now(), Until: h.Now().Add(time.Hour)}))
		}
		admit("before", store.Session)
		admit("code", store.Link)
		admit("robot", store.Token)
		h.good(h.KeepPeace(t.Context()))
		if _, err := h.Carry(t.Context(), peace.Order{Do: peace.SignOut, Account: anna.ID, Why: "x"}, nil, nil); err == nil {
			t.Error("nobody is told that sessions go on")
		}
		if err := h.KeepPeace(t.Context()); err == nil {
			t.Error("nobody is told that sessions still go on")
		}
		h.wait(time.Second)
		admit("after", store.Session)
		broken.broken = false
		hall := h.Hall
		if elsewhere {
			hall = h.another()
			defer hall.Stop()
		}
		for range 2 {
			h.good(hall.KeepPeace(t.Context()))
			h.wait(outTime)
		}
		for secret, kind := range map[string]store.Kind{"before": store.Session, "code": store.Link, "robot": store.Token, "after": store.Session} {
			_, err := h.db.Pass(t.Context(), kind, store.DigestOf(secret), h.Now())
			if good := secret == "robot" || secret == "after"; good != (err == nil) {
				t.Errorf("elsewhere %v, %s: %v", elsewhere, secret, err)
			}
		}
		if marks, err := h.Peace().Marks(t.Context(), anna.ID); err != nil || marks.Out != nil {
			t.Errorf("it is to be done again: %+v, %v", marks, err)
		}
	}
}

// TestABanInARatedGame: a stand-in plays on, and the result stands: who is banned was
// played for at its end.
func TestABanInARatedGame(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	id, seats := h.rated(anna, ben)
	for range 40 {
		h.move(id, seats...)
		h.wait(time.Second)
	}
	_, err := h.Carry(t.Context(), peace.Order{Do: peace.Ban, Account: ben.ID, Why: "x"}, nil, nil)
	h.good(err)
	h.good(h.KeepPeace(t.Context()))
	h.do(id, anna, func(p table.Person) table.Command { return table.Resign{Person: p} })
	s, err := h.Look(t.Context(), id, anna)
	h.good(err)
	list := h.results()
	if len(list) != 1 || s.Rated == nil || s.Rated.Number != 1 {
		t.Fatalf("%+v %+v", list, s.Rated)
	}
	for seat, one := range list[0].Seats {
		if !one.Gone || s.Rated.Seats[seat].After > 1500 {
			t.Errorf("seat %d: %+v, told %+v", seat, one, s.Rated.Seats[seat])
		}
	}
}

// TestWhoIsAwayAtTheEndHasNotWon: what a stand-in wins is nobody's result, counted at the
// end or later.
func TestWhoIsAwayAtTheEndHasNotWon(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	id := h.begun(settings("bosk", 2), anna, ben)
	h.do(id, anna, func(p table.Person) table.Command { return table.Leave{Person: p} })
	h.do(id, ben, func(p table.Person) table.Command { return table.Resign{Person: p} })
	for _, later := range []bool{false, true} {
		if later {
			h.uncounted(anna)
		}
		c := h.careerOf(anna)
		list, _, err := h.CareerGames(t.Context(), anna.ID, c, false, 0, 9)
		h.good(err)
		if len(c.Rows) != 1 || c.Rows[0].Gone != 1 || c.Rows[0].Won != 0 || len(list) != 1 || !list[0].Gone {
			t.Errorf("later %v: %+v %+v", later, c.Rows, list)
		}
	}
}

// TestNothingLeadsToWhoIsDeleted: what others keep does not hold the account either.
func TestNothingLeadsToWhoIsDeleted(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	robot, err := h.program(ben.ID, "robot")
	h.good(err)
	cleo := h.account("cleo")
	h.befriended(anna, ben)
	link, err := h.NewFriendLink(t.Context(), cleo)
	h.good(err)
	_, _, err = h.ByLink(t.Context(), ben, link.Code, true)
	h.good(err)
	id := h.begun(settings("bosk", 2), anna, ben)
	friends, raw, err := h.CompanyAt(t.Context(), id, anna)
	h.good(err)
	made, err := h.NewCompany(t.Context(), anna, "We", friends, raw)
	h.good(err)
	h.named("the company", made.People, "ben")
	h.good(h.Block(t.Context(), cleo, robot))
	h.good(h.DeleteAccount(t.Context(), ben.ID))
	list, err := h.Companies(t.Context(), anna, h.friendsAre(anna))
	h.good(err)
	if len(list) != 1 || len(list[0].People) != 0 {
		t.Errorf("%+v", list)
	}
	if found := h.holds(ben.ID, robot.ID); len(found) > 0 {
		t.Errorf("there still is %v", found)
	}
}

// TestALinkOfWhoIsApart is to them as if it had been withdrawn, whether they agree or only
// ask whose it is.
func TestALinkOfWhoIsApart(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	link, err := h.NewFriendLink(t.Context(), anna)
	h.good(err)
	h.good(h.Block(t.Context(), anna, ben))
	for _, agree := range []bool{false, true} {
		if f, _, err := h.ByLink(t.Context(), ben, link.Code, agree); !errors.Is(err, store.ErrNone) || f.Name != "" {
			t.Errorf("agree %v: %+v, %v", agree, f, err)
		}
	}
}

// TestAProgramOfWhoIsApart is as far away as its owner: in lists, as the liveliest game
// and at open tables.
func TestAProgramOfWhoIsApart(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	robot, err := h.program(ben.ID, "robot")
	h.good(err)
	id := h.table(settings("bosk", 3))
	h.sit(id, robot)
	seen := func(want int) {
		t.Helper()
		if list, err := h.Open(t.Context(), anna, "", 0, 10); err != nil || len(list) != want {
			t.Errorf("anna sees %d tables, %v", len(list), err)
		}
	}
	seen(1)
	h.good(h.Block(t.Context(), anna, ben))
	seen(0)
	_, err = h.Sit(t.Context(), id, anna, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
	h.refused("server.apart", err)
}
