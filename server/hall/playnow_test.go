package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"copse/games"
	"copse/news"
	"copse/rating"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// member is an account whose name is kept.
func (h *testHall) member(name string) Account {
	h.Helper()
	a := Account{ID: "id-" + name, Name: name, Salt: []byte("salt of " + name), More: More{Member: 1}}
	h.good(h.AddAccount(h.Context(), a))
	return a
}

func want(seats int, bots time.Duration) Want {
	return Want{Game: "bosk", Seats: seats, Pace: table.Live, Rated: true, Bots: table.Time(bots.Milliseconds())}
}

// wants presses Play now.
func (h *testHall) wants(by Account, w Want) Waiting {
	h.Helper()
	got, err := h.PlayNow(h.Context(), by, w)
	h.good(err)
	return got
}

// waitsIn makes sure how it stands for somebody, as they are told when they ask.
func (h *testHall) waitsIn(hall *Hall, state string, by Account) Waiting {
	h.Helper()
	got, err := hall.Waits(h.Context(), by)
	h.good(err)
	if got.State != state {
		h.Fatalf("%s: it stands %+v, and should be %s", by.Name, got, state)
	}
	return got
}

// come says that somebody is there.
func (h *testHall) come(hall *Hall, by Account, nonce byte) Waiting {
	h.Helper()
	got, err := hall.Come(h.Context(), by, table.Nonce{nonce, 1})
	h.good(err)
	return got
}

// rated sets a rated game of these people, and gives them by their seats.
func (h *testHall) rated(people ...Account) (string, []Account) {
	h.Helper()
	for _, a := range people {
		h.wants(a, want(len(people), time.Minute))
	}
	for range 8 { // until the window is wide enough
		for _, a := range people {
			_, err := h.Waits(h.Context(), a)
			h.good(err)
		}
		if got, err := h.Waits(h.Context(), people[0]); err == nil && got.State == WaitsCome {
			break
		}
		h.wait(4 * time.Second)
	}
	id := ""
	for i, a := range people {
		id = h.come(h.Hall, a, byte(i+1)).Table
	}
	if id == "" {
		h.Fatal("there is no table")
	}
	bySeat := make([]Account, len(people))
	for _, a := range people {
		s, err := h.Look(h.Context(), id, a)
		h.good(err)
		bySeat[*s.You] = a
	}
	return id, bySeat
}

// results are all results, checked by their logs.
func (h *testHall) results() []rating.Result {
	h.Helper()
	list, err := Results(h.Context(), h.db, 0, store.MostListed)
	h.good(err)
	c, shelf := &rating.Checker{}, table.NewShelf(games.All()...)
	for _, r := range list {
		log, err := FinishedGame(h.Context(), h.db, shelf, r.Table, r.Edition)
		h.good(err)
		for _, wrong := range c.Check(r, log) {
			h.Errorf("result %d: %s", r.Number, wrong)
		}
	}
	return list
}

// TestTwoStrangersAtTwoNodes press Play now at the same time: they sit at one table
// as soon as both have said that they are there.
func TestTwoStrangersAtTwoNodes(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	other := h.another()
	defer other.Stop()
	anna, ben := h.member("anna"), h.member("ben")
	if got := h.wants(anna, want(2, time.Minute)); got.State != Waits || got.People != 1 || !got.Rated || got.Bots-got.Since != 60_000 {
		t.Fatalf("one waits: %+v", got)
	}
	got, err := other.PlayNow(t.Context(), ben, want(2, time.Minute))
	h.good(err)
	if got.State != WaitsCome || got.People != 2 || got.Promise == nil {
		t.Fatalf("two: %+v", got)
	}
	h.waitsIn(h.Hall, WaitsCome, anna)
	if got := h.come(other, ben, 1); got.State != WaitsCome || got.Came != 1 || !got.You {
		t.Fatalf("one has come: %+v", got)
	}
	made := h.come(h.Hall, anna, 2)
	if made.State != WaitsOver || made.Table == "" {
		t.Fatalf("both have come: %+v", made)
	}
	if there := h.waitsIn(other, WaitsOver, ben); there.Table != made.Table {
		t.Errorf("ben is sent to %s, anna to %s", there.Table, made.Table)
	}
	s, err := other.Look(t.Context(), made.Table, ben)
	h.good(err)
	set := s.Look.Settings
	if s.Look.People.Phase != "play" || !set.Rated || set.Undo != table.UndoNone || set.TakeOver || set.Hints || set.Visible != table.ForAll {
		t.Errorf("the table is %+v", set)
	}
	if s.Look.Commitment != *got.Promise {
		t.Error("the commitment is another than the one that was shown before anybody came")
	}
	h.wait(2 * time.Minute)
	h.waitsIn(h.Hall, WaitsNot, anna)
}

// TestARatedGameToItsEnd: everybody's rating moves by what is told, results are
// numbered, and the export proves who sits where.
func TestARatedGameToItsEnd(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.member("anna"), h.member("ben"), h.member("cleo")}
	for n := range 2 {
		id, bySeat := h.rated(people...)
		s := h.finish(id, bySeat...)
		if s.Rated == nil || s.Rated.Number != int64(n+1) || len(s.Rated.Seats) != 3 {
			t.Fatalf("a rated game ends with %+v", s.Rated)
		}
		for seat, got := range s.Rated.Seats {
			if n == 0 && (got.Before != 1500 || (got.Rank == 1) != (got.After > 1500 && got.After == max(s.Rated.Seats[0].After, s.Rated.Seats[1].After, s.Rated.Seats[2].After))) {
				t.Errorf("seat %d: %+v", seat, got)
			}
			list, err := h.Standings(t.Context(), bySeat[seat].ID)
			h.good(err)
			if len(list) != 1 || points(list[0].Mean) != got.After || list[0].Games != n+1 || len(list[0].Past) != n+1 {
				t.Errorf("seat %d has %+v, and was told %+v", seat, list, got)
			}
		}
		export, err := h.Export(t.Context(), id, people[0])
		h.good(err)
		if _, err := table.Verify(table.NewShelf(games.All()...), export); err != nil {
			t.Error(err)
		}
		later := h.next()
		s, err = later.Look(t.Context(), id, people[0])
		h.good(err)
		if s.Rated == nil || s.Rated.Number != int64(n+1) {
			t.Errorf("after a restart it says %+v", s.Rated)
		}
	}
	if list := h.results(); len(list) != 2 {
		t.Errorf("there are %d results", len(list))
	}
	pool, err := PoolStandings(t.Context(), h.db, rating.Pool{Game: "bosk", Version: 1, Pace: table.Live})
	h.good(err)
	if len(pool) != 3 || pool[0].Mean < pool[2].Mean {
		t.Errorf("the pool is %+v", pool)
	}
}

// TestSeatsThatWereNotDrawnAreFound: a rated log in which people sit elsewhere than
// chance has put them does not verify.
func TestSeatsThatWereNotDrawnAreFound(t *testing.T) {
	t.Parallel()
	shelf := table.NewShelf(games.All()...)
	set := table.Settings{Game: "bosk", Seats: 3, Pace: table.Live, Undo: table.UndoNone, Visible: table.ForAll, Watchers: true, StandIn: "level:3", Rated: true}
	secret := table.Secret{7}
	first, keep, err := table.Create(shelf, set, secret, 1)
	if err != nil {
		t.Fatal(err)
	}
	comers := []table.Comer{{Person: table.Person{1}, Nonce: table.Nonce{9}}, {Person: table.Person{2}, Nonce: table.Nonce{5}}, {Player: "level:2"}}
	drawn := table.DrawSeats(secret, comers)
	for _, swap := range []bool{false, true} {
		if swap {
			drawn[0], drawn[1], drawn[2] = drawn[1], drawn[2], drawn[0]
		}
		made, err := table.Begin(shelf, keep, first, drawn, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, person := range []table.Person{{1}, {2}} {
			entries, err := made.Decide(table.Resign{Person: person}, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if _, err := made.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
			if made.Over() {
				break
			}
		}
		export, err := made.Export()
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Verify(shelf, export)
		if found := err != nil; found != swap {
			t.Errorf("swapped %v: %v", swap, err)
		}
	}
}

// TestEveryOrderOfSeatsIsDrawn about as often as any other.
func TestEveryOrderOfSeatsIsDrawn(t *testing.T) {
	count := map[string]int{}
	for n := range 6000 {
		drawn := table.DrawSeats(table.Secret{byte(n), byte(n >> 8)}, []table.Comer{{Nonce: table.Nonce{1}}, {Nonce: table.Nonce{2}}, {Player: "level:1"}})
		count[fmt.Sprint(drawn[0].Nonce[0], drawn[1].Nonce[0], drawn[2].Nonce[0])]++
	}
	for order, n := range count {
		if n < 880 || n > 1120 { // four standard deviations of 29
			t.Errorf("%s comes %d times of 6000", order, n)
		}
	}
	if len(count) != 6 {
		t.Errorf("there are %d orders", len(count))
	}
}

// TestWhoLeavesRanksLast: who resigns after the first round loses; in the first round
// it counts for nobody.
func TestWhoLeavesRanksLast(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.member("anna"), h.member("ben")}
	resign := func(p table.Person) table.Command { return table.Resign{Person: p} }
	id, bySeat := h.rated(people...)
	h.do(id, bySeat[0], resign)
	s, err := h.Look(t.Context(), id, bySeat[1])
	h.good(err)
	if s.Rated == nil || s.Rated.Number != 0 || s.Rated.Why != rating.LeftEarly {
		t.Errorf("left in the first round: %+v", s.Rated)
	}
	id, bySeat = h.rated(people...)
	for range 40 {
		h.move(id, bySeat...)
	}
	_, err = h.Do(t.Context(), id, Request{By: bySeat[0], Want: func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Abandon} }})
	h.refused("table.rated.abandon", err)
	h.do(id, bySeat[0], resign)
	s, err = h.Look(t.Context(), id, bySeat[1])
	h.good(err)
	if s.Rated == nil || s.Rated.Number != 1 || s.Rated.Seats[0].Rank != 2 || s.Rated.Seats[0].After >= 1500 || s.Rated.Seats[1].After <= 1500 {
		t.Errorf("resigned: %+v", s.Rated)
	}
	h.results()
}

// TestTheFourthGameOfADayDoesNotCount, and the next day one does again.
func TestTheFourthGameOfADayDoesNotCount(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.member("anna"), h.member("ben")}
	one := func() *RatedGame {
		id, bySeat := h.rated(people...)
		for range 40 {
			h.move(id, bySeat...)
		}
		h.do(id, bySeat[1], func(p table.Person) table.Command { return table.Resign{Person: p} })
		s, err := h.Look(t.Context(), id, people[0])
		h.good(err)
		return s.Rated
	}
	for n := range 4 {
		got := one()
		if counts := n < 3; got.Seats[0].Repeat == counts || (got.Seats[0].After != got.Seats[0].Before) != counts {
			t.Errorf("game %d of the day: %+v", n+1, got)
		}
	}
	h.wait(24 * time.Hour)
	if got := one(); got.Seats[0].Repeat {
		t.Errorf("the day after: %+v", got)
	}
	if list := h.results(); len(list) != 5 {
		t.Errorf("there are %d results", len(list))
	}
}

// end is a rated game, and somebody who will end it.
type end struct {
	id string
	by Account
}

// aboutToEnd are rated games of two members each, after some moves.
func (h *testHall) aboutToEnd(games, moves int) (ends []end) {
	h.Helper()
	for n := range games {
		id, bySeat := h.rated(h.member(fmt.Sprint("a", n)), h.member(fmt.Sprint("b", n)))
		for range moves {
			h.move(id, bySeat...)
		}
		ends = append(ends, end{id, bySeat[0]})
	}
	return ends
}

// TestGamesThatEndAtTheSameTime get numbers without a gap and each its own, at two
// nodes, and nobody's rating is lost.
func TestGamesThatEndAtTheSameTime(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	other := h.another()
	defer other.Stop()
	ends := h.aboutToEnd(6, 40)
	var all sync.WaitGroup
	for i, e := range ends {
		all.Go(func() {
			_, err := []*Hall{h.Hall, other}[i%2].Do(context.Background(), e.id, Request{By: e.by, Want: func(p table.Person) table.Command { return table.Resign{Person: p} }})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list := h.results(); len(list) != len(ends) {
		t.Errorf("%d games have ended, and there are %d results", len(ends), len(list))
	}
}

// rival is a store in which something happens just before papers are appended.
type rival struct {
	store.Store
	first func()
}

func (r *rival) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if first := r.first; first != nil && len(a.Papers) > 0 {
		r.first = nil
		first()
	}
	return r.Store.Append(ctx, a)
}

// TestAGameThatEndsABitLaterIsJudgedAnew: another rated game takes the number after
// this one was judged.
func TestAGameThatEndsABitLaterIsJudgedAnew(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	resign := func(p table.Person) table.Command { return table.Resign{Person: p} }
	var ids []string
	var by []Account
	for n := range 2 {
		id, bySeat := h.rated(h.member(fmt.Sprint("a", n)), h.member(fmt.Sprint("b", n)))
		for range 40 {
			h.move(id, bySeat...)
		}
		ids, by = append(ids, id), append(by, bySeat[0])
	}
	late := New(Options{Store: &rival{h.db, func() { h.do(ids[1], by[1], resign) }}, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(t), Now: func() time.Time { return h.now }})
	defer late.Stop()
	_, err := late.Do(t.Context(), ids[0], Request{By: by[0], Want: resign})
	h.good(err)
	s, err := late.Look(t.Context(), ids[0], by[0])
	h.good(err)
	if list := h.results(); len(list) != 2 || list[0].Table != ids[1] || s.Rated.Number != 2 {
		t.Errorf("the results are %+v, and the late one is told %+v", list, s.Rated)
	}
}

// TestDeletionKeepsThePseudonym: name and ratings go, results stay and still check.
func TestDeletionKeepsThePseudonym(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	id, bySeat := h.rated(anna, ben)
	h.finish(id, bySeat...)
	list, err := h.Standings(t.Context(), anna.ID)
	h.good(err)
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	if left, err := h.Standings(t.Context(), anna.ID); err != nil || len(left) != 0 {
		t.Errorf("of somebody who was deleted is left %+v, %v", left, err)
	}
	found := false
	for _, r := range h.results() {
		for _, s := range r.Seats {
			found = found || s.Who == list[0].Who
		}
	}
	if !found {
		t.Error("the pseudonym is gone from the results")
	}
	// Deleted in the middle of a game: it ends, and counts for who is left.
	cleo := h.member("cleo")
	id, bySeat = h.rated(ben, cleo)
	for range 40 {
		h.move(id, bySeat...)
	}
	h.good(h.DeleteAccount(t.Context(), cleo.ID))
	s, err := h.Look(t.Context(), id, ben)
	h.good(err)
	if s.Rated == nil || s.Rated.Number != 2 {
		t.Errorf("a game of somebody who was deleted ends with %+v", s.Rated)
	}
	h.results()
}

// TestWhoDoesNotComeIsTakenOut, and who has come waits on as long as they have.
func TestWhoDoesNotComeIsTakenOut(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	since := h.wants(anna, want(2, time.Minute)).Since
	h.wants(ben, want(2, time.Minute))
	h.come(h.Hall, anna, 1)
	for range 5 {
		h.wait(5 * time.Second)
		_, err := h.Waits(t.Context(), anna)
		h.good(err)
	}
	if got := h.waitsIn(h.Hall, Waits, anna); got.Since != since || got.People != 1 {
		t.Errorf("who has come waits on: %+v", got)
	}
	h.waitsIn(h.Hall, WaitsOut, ben)
	if got := h.wants(ben, want(2, time.Minute)); got.State != WaitsCome { // not punished twice
		t.Errorf("who comes back is told %+v", got)
	}
	h.come(h.Hall, ben, 1)
	if got := h.come(h.Hall, anna, 2); got.State != WaitsOver {
		t.Errorf("both have come: %+v", got)
	}
}

// TestLeavingTheQueue: while one waits, while one is matched, and by closing the page.
func TestLeavingTheQueue(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	h.wants(anna, want(2, time.Minute))
	h.good(h.StopWaiting(t.Context(), anna))
	h.waitsIn(h.Hall, WaitsNot, anna)
	h.good(h.StopWaiting(t.Context(), anna)) // again does no harm
	h.wants(anna, want(2, time.Minute))
	h.wants(ben, want(2, time.Minute))
	h.come(h.Hall, ben, 1)
	h.good(h.StopWaiting(t.Context(), anna))
	h.waitsIn(h.Hall, WaitsNot, anna)
	h.waitsIn(h.Hall, Waits, ben)
	cleo := h.member("cleo") // who leaves takes nobody along who still had time to come
	if got := h.wants(cleo, want(2, time.Minute)); got.State != WaitsCome {
		t.Fatalf("%+v", got)
	}
	h.good(h.StopWaiting(t.Context(), ben))
	h.waitsIn(h.Hall, Waits, cleo)
	h.good(h.StopWaiting(t.Context(), cleo))
	h.wants(ben, want(2, time.Minute))
	h.wait(20 * time.Second) // ben has closed the page
	if got := h.wants(anna, want(2, time.Minute)); got.State != Waits || got.People != 1 {
		t.Errorf("with somebody who is not there: %+v", got)
	}
	h.waitsIn(h.Hall, WaitsNot, ben)
}

// TestDeletedWhileWaiting: nobody is matched with somebody who is no more, and a match
// with them is given up.
func TestDeletedWhileWaiting(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben, cleo := h.member("anna"), h.member("ben"), h.member("cleo")
	h.wants(anna, want(2, time.Minute))
	h.good(h.DeleteAccount(t.Context(), anna.ID))
	if got := h.wants(ben, want(2, time.Minute)); got.State != Waits {
		t.Fatalf("with somebody who is no more: %+v", got)
	}
	h.wants(cleo, want(2, time.Minute))
	h.come(h.Hall, cleo, 1)
	h.good(h.DeleteAccount(t.Context(), cleo.ID))
	h.waitsIn(h.Hall, Waits, ben) // at once
	for _, kind := range []string{bidPaper, matchPaper} {
		list, err := h.db.Papers(t.Context(), kind, "", "", 10)
		h.good(err)
		for _, p := range list {
			if bytes.Contains(p.Body, []byte(`"account":"`+cleo.ID)) || p.Owner == cleo.ID {
				t.Errorf("paper %s still knows somebody who is no more", p.Name())
			}
		}
	}
	if got := h.come(h.Hall, ben, 1); got.State != Waits || got.Table != "" {
		t.Errorf("matched with somebody who is no more: %+v", got)
	}
}

// TestTwoTabsAreOneWait: pressing twice keeps the place in the queue, and nobody plays
// against themselves.
func TestTwoTabsAreOneWait(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	first := h.wants(anna, want(2, time.Minute))
	h.wait(3 * time.Second)
	again := h.wants(anna, want(2, 30*time.Second))
	if again.State != Waits || again.Since != first.Since || again.People != 1 || again.Bots-again.Since != 30_000 {
		t.Errorf("pressed again: %+v", again)
	}
	other := want(3, time.Minute)
	if got := h.wants(anna, other); got.Seats != 3 || got.Since == first.Since {
		t.Errorf("another wish: %+v", got)
	}
}

// TestBotsOfOnesOwnStrength sit down when the time of one's choice is over.
func TestBotsOfOnesOwnStrength(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	h.wants(anna, want(4, 10*time.Second))
	h.wait(5 * time.Second)
	h.waitsIn(h.Hall, Waits, anna)
	h.wait(5 * time.Second)
	h.waitsIn(h.Hall, WaitsCome, anna)
	id := h.come(h.Hall, anna, 1).Table
	s, err := h.Look(t.Context(), id, anna)
	h.good(err)
	a := rating.For(rating.Edition, "bosk", 1, 4)
	_, err = h.Do(t.Context(), id, Request{By: anna, Want: func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Abandon} }})
	h.refused("table.rated.abandon", err)
	bots := 0
	for _, seat := range s.Look.People.Seats {
		if seat.Player == fmt.Sprint("level:", a.Near(1500)) {
			bots++
		}
	}
	if bots != 3 || !s.Look.Settings.Rated {
		t.Errorf("there are %d bots of her strength: %+v", bots, s.Look.People.Seats)
	}
	if got := h.wants(h.member("ben"), want(4, time.Minute)); got.Usual != 10_000 {
		t.Errorf("it usually takes %d", got.Usual)
	}
}

// TestGuestsPlayUnrated, and members meet them where they want that.
func TestGuestsPlayUnrated(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	guest, anna := h.account("gast"), h.member("anna")
	if got := h.wants(guest, want(2, time.Minute)); got.Rated {
		t.Fatalf("a guest plays rated: %+v", got)
	}
	if got := h.wants(anna, want(2, time.Minute)); got.State != Waits {
		t.Fatalf("a member who wants a rated game meets a guest: %+v", got)
	}
	casual := want(2, time.Minute)
	casual.Rated = false
	if got := h.wants(anna, casual); got.State != WaitsCome {
		t.Fatalf("a member who does not: %+v", got)
	}
	h.come(h.Hall, guest, 1)
	id := h.come(h.Hall, anna, 2).Table
	s, err := h.Look(t.Context(), id, anna)
	h.good(err)
	if s.Look.Settings.Rated {
		t.Error("it is rated")
	}
	h.do(id, anna, func(p table.Person) table.Command { return table.Resign{Person: p} })
	if s, err = h.Look(t.Context(), id, anna); err != nil || s.Rated != nil || len(h.results()) != 0 {
		t.Errorf("an unrated game says %+v, %v", s.Rated, err)
	}
}

// TestNonsenseIsRefused before anybody waits for it.
func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	for key, w := range map[string]Want{
		"table.setting": {Game: "bosk", Seats: 2, Pace: "own"},
		"json.range":    {Game: "bosk", Seats: 2, Pace: "live", Bots: -1},
		"table.game":    {Game: "chess", Seats: 2, Pace: "live"},
		"game.seats":    {Game: "bosk", Seats: 9, Pace: "live"},
	} {
		if _, err := h.PlayNow(t.Context(), anna, w); err == nil {
			t.Errorf("%+v is taken", w)
		} else if key != "game.seats" {
			h.refused(key, err)
		}
	}
	h.waitsIn(h.Hall, WaitsNot, anna)
}

// TestASecretOfAMatchIsShownToNobody: what is told of a match does not hold it.
func TestASecretOfAMatchIsShownToNobody(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna := h.member("anna")
	got := h.wants(anna, want(2, 0))
	p, err := h.db.Papers(t.Context(), matchPaper, "", "", 10)
	if err != nil || len(p) != 1 {
		t.Fatal(len(p), err)
	}
	m, err := matchOf(p[0])
	h.good(err)
	if bytes.Contains(appendJSON(nil, got), []byte(m.Secret)) || m.Secret == "" {
		t.Error("the secret is told")
	}
	if _, err := h.readBid(t.Context(), "nobody"); err != nil && !errors.Is(err, store.ErrNone) {
		t.Error(err)
	}
}

// TestPlayNowInAHouseOfSeveral: people at two nodes that hear each other play a rated
// game, each move at another node, and both are shown what it did.
func TestPlayNowInAHouseOfSeveral(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna, ben := h.member("anna"), h.member("ben")
	one, two := h.at(0), h.at(1)
	one.wants(anna, want(2, time.Minute))
	two.wants(ben, want(2, time.Minute))
	h.waitsIn(h.nodes[0], WaitsCome, anna)
	h.come(h.nodes[0], anna, 1)
	id := h.come(h.nodes[1], ben, 2).Table
	h.waitsIn(h.nodes[0], WaitsOver, anna)
	s, err := h.nodes[0].Look(t.Context(), id, anna)
	h.good(err)
	bySeat := []Account{anna, ben}
	if *s.You == 1 {
		bySeat = []Account{ben, anna}
	}
	for n := range 40 {
		h.at(n%2).move(id, bySeat...)
	}
	two.do(id, bySeat[0], func(p table.Person) table.Command { return table.Resign{Person: p} })
	for node := range h.nodes {
		s, err := h.nodes[node].Look(t.Context(), id, anna)
		h.good(err)
		if s.Rated == nil || s.Rated.Number != 1 {
			t.Errorf("node %d shows %+v", node, s.Rated)
		}
	}
	h.results()
}

// TestNobodyIsKeptFromPlaying by somebody who presses Play now and never comes: after
// two such matches they meet no more, and bots sit down as they were to.
func TestNobodyIsKeptFromPlaying(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		t.Run(fmt.Sprint("leaves ", leaves), func(t *testing.T) {
			t.Parallel()
			h := newTestHall(t)
			anna, ben := h.member("anna"), h.member("ben")
			h.wants(anna, want(2, 10*time.Second))
			inVain := 0
			for range 60 {
				h.wait(3 * time.Second)
				if got, err := h.Waits(t.Context(), ben); err != nil || got.State == WaitsNot || got.State == WaitsOut {
					h.good(err)
					h.wants(ben, want(2, 10*time.Minute))
				}
				got, err := h.Waits(t.Context(), anna)
				h.good(err)
				if got.State == WaitsCome && !got.You {
					if got.People == 2 {
						inVain++
					}
					if got = h.come(h.Hall, anna, byte(inVain)); got.State == WaitsCome && leaves {
						h.good(h.StopWaiting(t.Context(), ben))
					}
				}
				if got.State == WaitsOver {
					if inVain > mostMissing {
						t.Errorf("anna was matched with ben %d times", inVain)
					}
					return
				}
			}
			t.Error("anna never plays")
		})
	}
}

// TestOneBrokenMatchIsNobodyElsesTrouble, nor is a bid that cannot be read.
func TestOneBrokenMatchIsNobodyElsesTrouble(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	h.good(h.db.Write(t.Context(),
		store.Paper{Kind: matchPaper, Key: "a", Body: []byte("{")},
		store.Paper{Kind: matchPaper, Key: "b", Body: []byte(`{"first":{},"secret":"zz","people":[]}`)},
		store.Paper{Kind: bidPaper, Key: "c", Body: []byte("{")},
	))
	anna, ben := h.member("anna"), h.member("ben")
	h.wants(anna, want(2, time.Minute))
	if got := h.wants(ben, want(2, time.Minute)); got.State != WaitsCome {
		t.Errorf("they are told %+v", got)
	}
}

// TestALongQueueIsMatchedInSeveralLooks: whoever asks makes some of the matches, and
// those who ask next go on, without anybody waiting for the clock.
func TestALongQueueIsMatchedInSeveralLooks(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	const people = 200
	for i := range people {
		a := h.member(fmt.Sprint("one-", i))
		b := &bid{Game: "bosk", Seats: 2, Pace: table.Live, Rated: true, Bots: 60_000, Mean: 1500, Since: h.Hall.now(), Seen: h.Hall.now(), paper: store.Paper{Kind: bidPaper, Key: a.ID, Owner: a.ID}}
		p, err := b.write(until(b.Since + lostBid))
		h.good(err)
		h.good(h.db.Write(t.Context(), p))
	}
	longest, looks := time.Duration(0), 0
	for made := 0; made < people/2; looks++ {
		begun := time.Now()
		h.good(h.matchUp(t.Context(), false))
		longest = max(longest, time.Since(begun))
		list, err := h.db.Papers(t.Context(), matchPaper, "", "", store.MostListed)
		h.good(err)
		if made = len(list); looks > people {
			t.Fatalf("after %d looks there are %d matches", looks, made)
		}
	}
	t.Logf("%d looks, the longest took %v", looks, longest)
}

// alwaysLate is a store in which something else is quicker whenever papers are appended,
// so many times.
type alwaysLate struct {
	store.Store
	late int
}

func (s *alwaysLate) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if s.late > 0 && len(a.Papers) > 0 {
		s.late--
		return store.Receipt{}, store.ErrPapers
	}
	return s.Store.Append(ctx, a)
}

// TestAnEndIsNeverGivenUp: however many games end before it, a game ends, with its
// result.
func TestAnEndIsNeverGivenUp(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	one := h.aboutToEnd(1, 4)[0]
	late := &alwaysLate{h.db, 120}
	h.store = late
	h.do(one.id, one.by, resign)
	if list := h.results(); len(list) != 1 || late.late != 0 {
		t.Errorf("there are %d results, and %d others would have been quicker", len(list), late.late)
	}
}

// TestManyGamesEndAtOnce: two hundred rated games end at the same moment, at two nodes,
// and nobody is told to try again.
func TestManyGamesEndAtOnce(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	other := h.another()
	defer other.Stop()
	ends := h.aboutToEnd(200, 4)
	var all sync.WaitGroup
	for i, e := range ends {
		all.Go(func() {
			if _, err := []*Hall{h.Hall, other}[i%2].Do(context.Background(), e.id, Request{By: e.by, Want: resign}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list := h.results(); len(list) != len(ends) {
		t.Errorf("%d games have ended, and there are %d results", len(ends), len(list))
	}
}

// TestAGameThatEndedBeforeMidnight and is judged after one that ended later counts
// among those of its own day, and forgets none of either day.
func TestAGameThatEndedBeforeMidnight(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	anna, ben := h.member("anna"), h.member("ben")
	pool := rating.Pool{Game: "bosk", Version: 1, Pace: table.Live}
	s, err := h.standing(t.Context(), pool, anna.ID)
	h.good(err)
	const today = 20_000
	for range 3 {
		s.metOn(today)[ben.ID]++
	}
	s.metOn(today + 1)["cleo"]++
	s.metOn(today)["dora"]++ // late
	if got := s.metOn(today); got[ben.ID] != 3 || got["dora"] != 1 || got["cleo"] != 0 {
		t.Errorf("the day before is remembered as %v", got)
	}
	if got := s.metOn(today + 1); got["cleo"] != 1 || got[ben.ID] != 0 || s.Day != today+1 {
		t.Errorf("the day itself is remembered as %v", got)
	}
	if got := s.metOn(today + 9); len(got) != 0 || len(s.Eve) != 0 {
		t.Errorf("days later %v and %v are remembered", got, s.Eve)
	}

	// The same through games: three count, one of the next day is judged in between,
	// and the fourth of the first day does not count.
	one := func() (string, []Account) {
		id, bySeat := h.rated(anna, ben)
		for range 4 {
			h.move(id, bySeat...)
		}
		return id, bySeat
	}
	for range 3 {
		id, bySeat := one()
		h.do(id, bySeat[0], resign)
	}
	fourth, bySeat := one()
	next, nextSeats := one()
	day := h.Now().Truncate(24 * time.Hour)
	ahead := New(Options{Store: h.db, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(t), Now: func() time.Time { return day.Add(24*time.Hour + time.Second) }})
	defer ahead.Stop()
	_, err = ahead.Do(t.Context(), next, Request{By: nextSeats[0], Want: resign})
	h.good(err)
	h.do(fourth, bySeat[0], resign)
	list := h.results() // which are checked
	if len(list) != 5 || list[3].Seats[0].Repeat || !list[4].Seats[0].Repeat || rating.Day(list[3].At) != rating.Day(list[4].At)+1 {
		t.Errorf("the results are %+v", list)
	}
}

// TestInACrowdNobodyLooksBeforeItIsTime: who presses the button is matched with the next
// look, and has not to read what everybody else wants.
func TestInACrowdNobodyLooksBeforeItIsTime(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	for n := range mostAtOnce + 1 { // who did not come, and are matched with nobody
		a := h.member(fmt.Sprint("crowd", n))
		one := &bid{Game: "bosk", Seats: 2, Pace: table.Live, Since: 1, Seen: 1, Out: true, paper: store.Paper{Kind: bidPaper, Key: a.ID, Owner: a.ID}}
		p, err := one.write(h.now.Add(time.Hour))
		h.good(err)
		h.good(h.db.Write(t.Context(), p))
	}
	anna, ben := h.member("anna"), h.member("ben")
	rare := want(2, time.Minute)
	rare.Game = "grandbois"
	h.wait(time.Second)
	h.wants(anna, rare)
	looks := h.matcher.looks()
	if got := h.wants(ben, rare); got.State != Waits || h.matcher.looks() != looks {
		t.Errorf("in a crowd a press looks at once: %+v", got)
	}
	h.wait(longestRest)
	h.waitsIn(h.Hall, WaitsCome, anna)
	h.waitsIn(h.Hall, WaitsCome, ben)
}
