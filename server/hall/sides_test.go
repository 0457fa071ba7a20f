package hall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// both are the settings of a table at which both sides are played.
func both(name string, seats int) table.Settings {
	set := settings(name, seats)
	set.Side = 1
	return set
}

// finish plays a game to its end.
func (h *testHall) finish(id string, list ...Account) *Sight {
	h.Helper()
	for h.move(id, list...) {
		h.wait(time.Second)
	}
	s, err := h.Look(h.Context(), id, list[0])
	h.good(err)
	return s
}

// turnedOn are the people one seat further on.
func turnedOn(list []Account) []Account {
	return append(slices.Clone(list[len(list)-1:]), list[:len(list)-1]...)
}

// followed is the table that follows, where there is one.
func (h *testHall) followed(id string, by Account) string {
	h.Helper()
	s, err := h.Look(h.Context(), id, by)
	h.good(err)
	for i, g := range s.Sides.Games[:len(s.Sides.Games)-1] {
		if g.Table == id {
			return s.Sides.Games[i+1].Table
		}
	}
	return ""
}

// totals are the points at a table that is over.
func totals(s *Sight) (list []int) {
	for _, seat := range s.Look.Standing.Seats {
		list = append(list, int(seat.Total))
	}
	return list
}

// TestBothSides: when a game of both sides is over the next has begun, with everyone
// one seat further on; and when the last is over, all tables and lists show one
// result.
func TestBothSides(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		for seats := 2; seats <= 3; seats++ {
			t.Run(fmt.Sprintf("%s-%d", name, seats), func(t *testing.T) {
				t.Parallel()
				h := newTestHall(t)
				people := []Account{h.account("anna"), h.account("ben"), h.account("cleo")}[:seats]
				id := h.begun(both(name, seats), people...)
				ids, sat := []string{id}, slices.Clone(people)
				sum := make([]int, seats) // by where they sat first
				for side := range seats {
					last := side == seats-1
					if s, err := h.Look(t.Context(), id, people[0]); err != nil || len(s.Sides.Games) != side+1 || s.Sides.Result != nil || s.Look.Settings.Side != side+1 {
						t.Fatalf("game %d shows %+v, %v", side, s.Sides, err)
					}
					s := h.finish(id, sat...)
					for seat, points := range totals(s) {
						sum[(seat-side+seats)%seats] += points
					}
					if !last && (s.Sides.Result != nil || len(s.Sides.Games) != side+1) {
						t.Errorf("before anything follows it shows %+v", s.Sides)
					}
					if _, err := h.Rematch(t.Context(), id, people[0]); !last {
						h.refused("table.sides.follows", err)
					}
					h.Tend(t.Context())
					if last {
						break
					}
					if id = h.followed(id, people[1]); id == "" {
						t.Fatal("nothing follows")
					}
					ids, sat = append(ids, id), turnedOn(sat)
					next, err := h.Look(t.Context(), id, sat[0])
					h.good(err)
					if next.Look.People.Phase != "play" || *next.You != 0 || next.Who[0].Name != sat[0].Name || next.Who[1].Name != sat[1].Name {
						t.Errorf("the next game shows %+v", next.Look.People)
					}
					if next.Sides.Games[side].Table != ids[side] || len(next.Sides.Games) != side+2 || next.Sides.Games[side+1].Totals != nil {
						t.Errorf("the next game knows %+v", next.Sides)
					}
				}
				played, err := h.Played(t.Context(), people[0], 0, 10)
				h.good(err)
				for side, id := range ids {
					s, err := h.Look(t.Context(), id, people[0])
					h.good(err)
					if len(s.Sides.Result) != seats || len(s.Sides.Games) != seats {
						t.Fatalf("table %d shows %+v", side, s.Sides)
					}
					if own := totals(s); !slices.Equal(s.Sides.Games[side].Totals, own) {
						t.Errorf("table %d shows %v as its own points, and they are %v", side, s.Sides.Games[side].Totals, own)
					}
					for seat, place := range s.Sides.Result {
						first, points := (seat-side+seats)%seats, 0
						for _, g := range s.Sides.Games {
							points += g.Totals[seat]
						}
						if place.Total != sum[first] || points != place.Total {
							t.Errorf("at table %d seat %d has %d, which are %d and should be %d", side, seat, place.Total, points, sum[first])
						}
						if best := slices.Max(sum); (place.Rank == 1) != (place.Total == best) && place.Total != best {
							t.Errorf("at table %d seat %d is rank %d with %d of %v", side, seat, place.Rank, place.Total, sum)
						}
					}
					i := slices.IndexFunc(played, func(l Summary) bool { return l.Table == id })
					if i < 0 || !slices.Equal(played[i].Sides.Result, s.Sides.Result) {
						t.Errorf("table %d is listed as %+v", side, played)
					}
				}
				if _, err := h.Rematch(t.Context(), id, people[0]); err != nil {
					t.Errorf("after all of it there is no rematch: %v", err)
				}
			})
		}
	}
}

// TestAGameOnItsOwn: nothing changes where nobody asked for both sides.
func TestAGameOnItsOwn(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	s := h.finish(id, people...)
	h.Tend(t.Context())
	l, err := h.db.Table(t.Context(), id)
	h.good(err)
	if s.Sides != nil || strings.Contains(string(l.About)+string(l.Private), "side") || strings.Contains(string(l.Private), "later") {
		t.Errorf("it shows %+v, and the index says %s %s", s.Sides, l.About, l.Private)
	}
	if list, err := h.Sitting(t.Context(), people[0], 10); err != nil || len(list) != 0 {
		t.Errorf("they sit at %+v, %v", list, err)
	}
}

// TestTheNextGameIsSetOnce: from two nodes, again and again, and after it has gone on.
func TestTheNextGameIsSetOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(both("bosk", 2), people...)
	h.finish(id, people...)
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() { errs[i] = h.nodes[i%2].followUp(t.Context(), id) })
	}
	all.Wait()
	h.good(errors.Join(errs...))
	next := h.followed(id, people[0])
	if next == "" {
		t.Fatal("nothing follows")
	}
	begun, err := h.Look(t.Context(), next, people[0])
	h.good(err)
	if !h.move(next, people[1], people[0]) {
		t.Fatal("it does not go on")
	}
	moved, err := h.Look(t.Context(), next, people[0])
	h.good(err)
	if moved.Look.Number <= begun.Look.Number {
		t.Errorf("nobody has moved: %d", moved.Look.Number)
	}
	for _, node := range h.nodes {
		h.good(node.followUp(t.Context(), id))
		node.Tend(t.Context())
	}
	if s, err := h.nodes[1].Look(t.Context(), next, people[1]); err != nil || s.Look.Number != moved.Look.Number {
		t.Errorf("set again, it is at entry %d, not %d: %v", s.Look.Number, moved.Look.Number, err)
	}
	if list, err := h.Sitting(t.Context(), people[0], 10); err != nil || len(list) != 1 || list[0].Table != next {
		t.Errorf("they sit at %+v, %v", list, err)
	}
}

// failing is a store that does not append to tables that are new.
type failing struct {
	store.Store
	mu  sync.Mutex
	off bool
}

func (f *failing) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	f.mu.Lock()
	off := f.off && a.Next == 0 && len(a.Entries) > 0
	f.mu.Unlock()
	if off {
		return store.Receipt{}, store.ErrUnwritten
	}
	return f.Store.Append(ctx, a)
}

func (f *failing) set(off bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.off = off
}

// TestTheNextGameIsNotForgotten: where it cannot be set, since the disk is full or the
// node dies, it is set later, by whoever is there.
func TestTheNextGameIsNotForgotten(t *testing.T) {
	h := newTestHall(t)
	full := &failing{Store: h.db}
	broken := New(Options{Store: full, News: news.NewHub(), Games: h.games, Key: h.key, Cores: 1, Random: halltest.Random(t), Now: h.Now})
	t.Cleanup(broken.Stop)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(both("bosk", 2), people...)
	h.finish(id, people...)
	full.set(true)
	broken.Tend(t.Context())
	if next := h.followed(id, people[0]); next != "" {
		t.Fatal("what was not written is there")
	}
	h.Tend(t.Context()) // it is claimed: nobody else tries for a while
	h.wait(packingTime + time.Second)
	h.another().Tend(t.Context())
	if next := h.followed(id, people[0]); next == "" {
		t.Error("it was forgotten")
	}
}

// TestWhoLooksOnIsToldOfTheNextGame: at the table before, at another node, by an event
// and by a look; and of the one result at all tables.
func TestWhoLooksOnIsToldOfTheNextGame(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(both("grandbois", 2), people...)
	h.finish(id, people...)
	reader := h.follows(1, id, people[1])
	list := h.nodes[1].Listen(100)
	_, err := list.Watch(news.Account(people[1].ID), nil)
	h.good(err)
	h.nodes[0].Tend(t.Context())
	var told SidesNews
	if h.event(reader, "sides", &told); told.Table != id || len(told.Sides.Games) != 2 || told.Sides.Result != nil {
		t.Fatalf("told is %+v", told)
	}
	next := told.Sides.Games[1].Table
	var mine Summary
	if h.event(list, "mine", &mine); mine.Table != next || mine.You == nil || *mine.You != 0 || len(mine.Sides.Games) != 2 {
		t.Errorf("ben’s list says %+v", mine)
	}
	there := h.follows(1, next, people[0])
	h.finish(next, people[1], people[0])
	h.nodes[0].Tend(t.Context())
	for at, reader := range map[string]news.Reader{id: reader, next: there} {
		for told.Sides = nil; told.Sides == nil || told.Sides.Result == nil; {
			h.event(reader, "sides", &told)
		}
		s, err := h.nodes[1].Look(t.Context(), at, people[0])
		h.good(err)
		if told.Table != at || !slices.Equal(told.Sides.Result, s.Sides.Result) || !slices.Equal(told.Sides.Games[0].Totals, s.Sides.Games[0].Totals) {
			t.Errorf("at %s told is %+v, shown %+v", at, told, s.Sides)
		}
	}
}

// TestGivenUp: whoever resigns a game of two has lost both, and nothing follows; of
// what all abandon there is no result.
func TestGivenUp(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	resign := func(p table.Person) table.Command { return table.Resign{Person: p} }

	id := h.begun(both("bosk", 2), people...)
	h.do(id, people[0], resign)
	h.Tend(t.Context())
	s, err := h.Look(t.Context(), id, people[0])
	h.good(err)
	if len(s.Sides.Games) != 1 || len(s.Sides.Result) != 2 || s.Sides.Result[0].Rank != 2 || s.Sides.Result[1].Rank != 1 {
		t.Errorf("resigned in the first game, it shows %+v", s.Sides)
	}
	if _, err := h.Rematch(t.Context(), id, people[1]); err != nil {
		t.Errorf("there is no rematch: %v", err)
	}

	id = h.begun(both("bosk", 2), people...)
	h.finish(id, people...)
	h.Tend(t.Context())
	next := h.followed(id, people[0])
	h.do(next, people[1], resign) // ben sits at seat 0 there
	h.Tend(t.Context())
	for at, behind := range map[string]int{id: 1, next: 0} {
		s, err := h.Look(t.Context(), at, people[0])
		h.good(err)
		if len(s.Sides.Result) != 2 || s.Sides.Result[behind].Rank != 2 {
			t.Errorf("resigned in the second game, %s shows %+v", at, s.Sides)
		}
	}

	id = h.begun(both("bosk", 2), people...)
	h.do(id, people[0], func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Abandon} })
	h.do(id, people[1], func(p table.Person) table.Command { return table.Answer{Person: p, For: table.Abandon, Yes: true} })
	h.Tend(t.Context())
	if s, err := h.Look(t.Context(), id, people[0]); err != nil || len(s.Sides.Games) != 1 || s.Sides.Result != nil || s.Look.People.Phase != "over" {
		t.Errorf("abandoned, it shows %+v, %v", s.Sides, err)
	}
}

// TestSidesBeforeTheyBegin: a table at which nobody began is closed, and nothing
// follows it.
func TestSidesBeforeTheyBegin(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	empty, waiting := h.table(both("bosk", 2)), h.table(both("bosk", 2))
	h.sit(waiting, anna)
	h.wait(48 * time.Hour)
	h.Tend(t.Context())
	h.Tend(t.Context())
	if _, err := h.Look(t.Context(), empty, anna); !errors.Is(err, store.ErrNone) {
		t.Errorf("the empty table is there: %v", err)
	}
	if s, err := h.Look(t.Context(), waiting, anna); err != nil || s.Look.People.Phase != "over" || len(s.Sides.Games) != 1 || s.Sides.Result != nil {
		t.Errorf("the other shows %+v, %v", s, err)
	}
	for _, id := range []string{empty, waiting} {
		if _, err := h.db.Table(t.Context(), h.sideID(id)); !errors.Is(err, store.ErrNone) {
			t.Errorf("something follows: %v", err)
		}
	}
}

// TestWhoIsNoMore: whoever is deleted between two games is played for, and whoever
// goes while the next one is set goes from there too.
func TestWhoIsNoMore(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben"), h.account("cleo")}
	id := h.begun(both("bosk", 3), people...)
	h.finish(id, people...)
	h.good(h.DeleteAccount(t.Context(), people[0].ID))
	h.Tend(t.Context())
	next := h.followed(id, people[1])
	s, err := h.Look(t.Context(), next, people[1])
	h.good(err)
	if at := s.Look.People.Seats[1]; at.Held != table.Robot || at.Player != "easy" || s.Who[1] != nil || *s.You != 2 {
		t.Errorf("anna’s seat is %+v", at)
	}

	people = []Account{{}, h.account("dora"), h.account("emil")}
	id = h.begun(both("bosk", 2), people[1:]...)
	h.finish(id, people[1:]...)
	gone, err := h.leave(t.Context(), people[1].ID) // she is being deleted, and it was found where she sits
	h.good(err)
	h.Tend(t.Context())
	h.Hall.left(gone.ID, gone.Leaving)
	next = h.followed(id, people[2])
	if s, err := h.Look(t.Context(), next, people[2]); err != nil || s.Look.People.Seats[1].Held != table.Replaced || s.Who[1] != nil || s.Look.People.Phase != "over" {
		t.Errorf("the next game shows %+v, %v", s.Look.People, err)
	}
	if list, err := h.db.Sitting(t.Context(), people[1].ID, 10); err != nil || len(list) != 0 {
		t.Errorf("she sits at %+v, %v", list, err)
	}
	if s, err := h.Look(t.Context(), next, people[2]); err != nil || len(s.Sides.Result) != 2 || s.Sides.Result[0].Rank != 1 {
		t.Errorf("the one result is %+v, %v", s.Sides, err)
	}
}

// TestPrivateSides: whoever may not see the one table may not see the other.
func TestPrivateSides(t *testing.T) {
	h := newTestHall(t)
	people, eve := []Account{h.account("anna"), h.account("ben")}, h.account("eve")
	set := both("grandbois", 2)
	set.Visible, set.Watchers = table.Private, false
	id := h.begun(set, people...)
	h.finish(id, people...)
	h.Tend(t.Context())
	next := h.followed(id, people[0])
	for _, at := range []string{id, next} {
		if _, err := h.Look(t.Context(), at, eve); !errors.Is(err, store.ErrNone) {
			t.Errorf("somebody else sees %s: %v", at, err)
		}
	}
	_, err := h.Sit(t.Context(), next, eve, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
	if !errors.Is(err, store.ErrNone) {
		t.Errorf("somebody else sits down: %v", err)
	}
}

// TestBotsAndProgramsPlayBothSides: bots begin by themselves, and whose program sits
// at the next table is known there.
func TestBotsAndProgramsPlayBothSides(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	program := Account{ID: "id-pruner", Name: "pruner", Salt: []byte("salt"), More: More{Program: true, Owner: anna.ID}}
	h.good(h.AddAccount(t.Context(), program))
	id := h.table(both("grandbois", 2))
	h.sit(id, program)
	h.do(id, program, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	h.playOn(id, program)
	h.Tend(t.Context())
	next := h.followed(id, program)
	_, err := h.Sit(t.Context(), next, anna, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
	h.refused("table.sight", err)
	s, err := h.Look(t.Context(), next, program)
	h.good(err)
	if *s.You != 1 || s.Look.People.Seats[0].Player != "random" {
		t.Errorf("they sit %+v", s.Look.People)
	}
	h.playOn(next, program)
	if s, err := h.Look(t.Context(), next, program); err != nil || len(s.Sides.Result) != 2 {
		t.Errorf("the one result is %+v, %v", s.Sides, err)
	}
}

// playOn plays a game against bots to its end.
func (h *testHall) playOn(id string, by Account) {
	h.Helper()
	reader := h.Listen(10_000)
	defer reader.Close()
	_, err := h.Follow(h.Context(), id, by, reader)
	h.good(err)
	for {
		s, err := h.Look(h.Context(), id, by)
		h.good(err)
		if s.Look.People.Phase == "over" {
			return
		}
		if len(s.Look.ToAct) == 0 || s.Look.ToAct[0] != *s.You {
			<-reader.Ready() // its bot thinks
			for _, ok := reader.Take(); ok; _, ok = reader.Take() {
			}
			continue
		}
		p, last, err := h.Position(h.Context(), id, by)
		h.good(err)
		moves := p.Moves()
		h.do(id, by, play(last, moves[h.rng.IntN(len(moves))]))
	}
}

// TestSidesWaitForAllNodes: while a node serves that cannot read them, nobody sets a
// table of both sides.
func TestSidesWaitForAllNodes(t *testing.T) {
	t.Parallel()
	where := &board{}
	h := newHouse(t, 0)
	node := h.another(func(o *Options) { o.Store = boarded{o.Store, where} })
	old := store.Node{ID: "before", Knows: []byte(`{"rules":{},"judgement":2}`)}
	h.good(where.Present(t.Context(), old))
	node.enrol(t.Context())
	_, err := node.Create(t.Context(), both("bosk", 2))
	h.refused("server.sides", err)
	if _, err := node.Create(t.Context(), settings("bosk", 2)); err != nil {
		t.Errorf("a game on its own cannot be set: %v", err)
	}
	h.good(where.Absent(t.Context(), old.ID))
	h.good(where.Present(t.Context(), store.Node{ID: "beside", Knows: node.knowledge()}))
	node.enrol(t.Context())
	if _, err := node.Create(t.Context(), both("bosk", 2)); err != nil {
		t.Errorf("when all can read it, it is not set: %v", err)
	}
}

// TestTheNextGameHasItsBoxAndItsNights: what is kept besides the log goes on with it.
func TestTheNextGameHasItsBoxAndItsNights(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	set := both("bosk", 2)
	set.Options = []byte(ownBox)
	set.Pace, set.Night, set.Zone = table.Days, table.Night{From: 1320, To: 480}, "Europe/Zurich"
	id := h.begun(set, people...)
	h.finish(id, people...)
	h.Tend(t.Context())
	next := h.followed(id, people[0])
	h.Hall = h.another() // which reads all of it
	was, err := h.Look(t.Context(), id, people[0])
	h.good(err)
	now := h.finish(next, people[1], people[0])
	if a, b := was.Look.Settings, now.Look.Settings; a.Box == "" || a.Box != b.Box || !slices.Equal(a.Shifts, b.Shifts) || a.Night != b.Night {
		t.Errorf("after %+v comes %+v", a, b)
	}
	h.wait(3 * 365 * 24 * time.Hour)
	again, err := h.Rematch(t.Context(), next, people[0])
	h.good(err)
	if s, err := h.Look(t.Context(), again, people[0]); err != nil || s.Look.Settings.Side != 1 || s.Look.Settings.Box != was.Look.Settings.Box || s.Look.Settings.Shifts[1] <= was.Look.Settings.Shifts[7] {
		t.Errorf("the rematch has %+v, %v", s.Look.Settings, err)
	}
	if _, err := h.Export(t.Context(), next, people[0]); err != nil {
		t.Error(err)
	}
}

// TestABotBeginsTheNextGame: at the node that sets it, without anybody waiting.
func TestABotBeginsTheNextGame(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 2)
	anna := h.account("anna")
	id := h.table(both("grandbois", 2))
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	h.playOn(id, anna)
	h.nodes[1].Tend(t.Context())
	next := h.nodes[1].sideID(id)
	r, err := h.nodes[1].enter(t.Context(), next)
	h.good(err)
	defer r.leave()
	if _, _, _, waits := r.t.Thinks(); waits && !r.thinking {
		t.Error("nobody lets the bot think")
	}
	if e, err := table.ReadEntry(r.t.Entry(0)); err != nil || e.Settings.Side != 2 {
		t.Errorf("it begins by %+v, %v", e, err)
	}
}

// TestANextGameThatIsOverAtOnce: where only who has resigned is left, it is written
// and packed, and the one result is there.
func TestANextGameThatIsOverAtOnce(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben"), h.account("cleo")}
	id := h.begun(both("bosk", 3), people...)
	h.do(id, people[0], func(p table.Person) table.Command { return table.Resign{Person: p} })
	easy := func(s *Sight) bool { return s.Look.People.Seats[s.Look.ToAct[0]].Held == table.Human }
	for {
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		if len(s.Look.ToAct) == 0 {
			break
		}
		if easy(s) {
			h.move(id, people...)
			continue
		}
		h.botMoves(id, s.Look.Number)
	}
	for _, gone := range people[1:] {
		h.good(h.DeleteAccount(t.Context(), gone.ID))
	}
	h.Tend(t.Context())
	next := h.sideID(id)
	s, err := h.Look(t.Context(), next, people[0])
	h.good(err)
	if s.Look.People.Phase != "over" || len(s.Sides.Result) != 3 || s.Sides.Result[1].Rank != 3 {
		t.Errorf("it shows %+v, %+v", s.Look.People, s.Sides)
	}
	h.Tend(t.Context())
	if l, err := h.db.Table(t.Context(), next); err != nil || !l.Packed {
		t.Errorf("it is not packed: %v", err)
	}
}

// botMoves waits until the bot that is to move after an entry has moved.
func (h *testHall) botMoves(id string, after int) {
	h.Helper()
	reader := h.Listen(1000)
	defer reader.Close()
	s, err := h.Follow(h.Context(), id, Account{}, reader)
	h.good(err)
	for s.Look.Number == after {
		<-reader.Ready()
		for _, ok := reader.Take(); ok; _, ok = reader.Take() {
		}
		s, err = h.Look(h.Context(), id, Account{})
		h.good(err)
	}
}
