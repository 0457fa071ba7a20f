package hall

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/game"
	"copse/store"
	"copse/table"
)

// family is a person with two programs.
type family struct{ owner, one, two Account }

func (h *testHall) family(name string) (f family) {
	h.Helper()
	f.owner = h.account(name)
	var err error
	f.one, err = h.program(f.owner.ID, name+"-one")
	h.good(err)
	f.two, err = h.program(f.owner.ID, name+"-two")
	h.good(err)
	return f
}

// bots sits bots down at seats, as the host wants it.
func (h *testHall) bots(id string, host Account, seats ...game.Seat) {
	h.Helper()
	for _, seat := range seats {
		h.do(id, host, func(p table.Person) table.Command { return table.SeatBot{Person: p, Seat: seat, Player: "easy"} })
	}
}

// at sits somebody down at a seat of a table of a hall, or says why not.
func (h *testHall) at(hall *Hall, id string, by Account, seat game.Seat) error {
	_, err := hall.Sit(h.Context(), id, by, table.Sit{Seat: seat, Nonce: table.Nonce{3, byte(seat)}}, store.Once{})
	return err
}

// next is another hall over the same store, until the test ends.
func (h *testHall) next() *Hall {
	next := h.another()
	h.Cleanup(next.Stop)
	return next
}

// seated is everyone at a table as an account sees it, and where that sits.
func (h *testHall) seated(hall *Hall, id string, by Account) (*game.Seat, []table.Seated) {
	h.Helper()
	s, err := hall.Look(h.Context(), id, by)
	h.good(err)
	return s.You, s.Look.People.Seats
}

// TestNobodySeesAGameFromTwoSeats: whoever has held a seat of a game with secrets,
// or whose owner or program has, takes no other one, whatever has become of the
// seat and whoever reads the table next.
func TestNobodySeesAGameFromTwoSeats(t *testing.T) {
	t.Parallel()
	type role struct {
		name string
		of   func(*testHall, family) Account
	}
	roles := []role{
		{"the owner", func(_ *testHall, f family) Account { return f.owner }},
		{"the program", func(_ *testHall, f family) Account { return f.one }},
		{"the other program", func(_ *testHall, f family) Account { return f.two }},
		{"a new program", func(h *testHall, f family) Account {
			a, err := h.program(f.owner.ID, fmt.Sprint("new-", h.rng.Uint64()))
			h.good(err)
			return a
		}},
	}
	became := map[string]func(*testHall, string, Account){
		"plays": func(*testHall, string, Account) {},
		"is away": func(h *testHall, id string, a Account) {
			h.do(id, a, func(p table.Person) table.Command { return table.Leave{Person: p} })
		},
		"resigned": func(h *testHall, id string, a Account) {
			h.do(id, a, func(p table.Person) table.Command { return table.Resign{Person: p} })
		},
		"is deleted": func(h *testHall, _ string, a Account) {
			if a.Program { // with an owner everything is gone
				h.good(h.DeleteAccount(h.Context(), a.ID))
			}
		},
	}
	later := map[string]func(*testHall, string) *Hall{
		"at once": func(h *testHall, _ string) *Hall { return h.Hall },
		"when the room was opened anew": func(h *testHall, id string) *Hall {
			r, err := h.enter(h.Context(), id)
			h.good(err)
			r.discard()
			r.leave()
			return h.Hall
		},
		"after a restart": func(h *testHall, _ string) *Hall { return h.next() },
	}
	for what, become := range became {
		h := newTestHall(t)
		ben, cleo := h.account("ben"), h.account("cleo")
		for n, holder := range roles[:2] {
			for _, takes := range []bool{false, true} {
				f := h.family(fmt.Sprintf("anna-%d-%v", n, takes))
				by := holder.of(h, f)
				set := settings("grandbois", 4)
				set.Pace = table.Evening
				id := h.table(set)
				h.sit(id, ben)
				if takes {
					h.bots(id, ben, 1, 2, 3)
				} else {
					h.sit(id, by)
					h.bots(id, ben, 2, 3)
				}
				h.do(id, ben, start)
				if takes {
					h.good(h.at(h.Hall, id, by, 1))
				}
				become(h, id, by)
				for when, open := range later {
					hall := open(h, id)
					for _, r := range roles {
						asks := r.of(h, f)
						if what == "is deleted" && asks.ID == by.ID {
							continue
						}
						name := fmt.Sprintf("%s, who took it: %v, %s; %s asks %s", holder.name, takes, what, r.name, when)
						h.noOtherSeat(name, hall, id, asks, asks.ID == by.ID, cleo)
					}
				}
				if you, _ := h.seated(h.Hall, id, ben); *you != 0 {
					t.Errorf("ben sits at %v", *you)
				}
			}
		}
	}
}

// noOtherSeat makes sure that somebody who has seen a game from seat 1 gets no
// other one, and sees what they saw before: as that seat if it is their own, else
// as a stranger.
func (h *testHall) noOtherSeat(name string, hall *Hall, id string, asks Account, own bool, stranger Account) {
	h.Helper()
	want := everything(h, hall, id, stranger)
	if own {
		r, err := hall.enter(h.Context(), id)
		h.good(err)
		view := r.t.See(1).View()
		r.leave()
		s, err := hall.Look(h.Context(), id, asks)
		h.good(err)
		if s.You == nil || *s.You != 1 || !bytes.Equal(s.Look.View, view) {
			h.Errorf("%s: they see it from %v", name, s.You)
		}
		want = everything(h, hall, id, asks)
	}
	for _, seat := range []game.Seat{2, game.None} {
		err := h.at(hall, id, asks, seat)
		key := "table.sight"
		if _, seats := h.seated(hall, id, asks); own && seat == game.None && seats[1].Held != table.Replaced {
			key = "table.seated"
		}
		if !strings.Contains(fmt.Sprint(err), key) {
			h.Errorf("%s: at seat %v it is answered %v, not %s", name, seat, err, key)
		}
	}
	if got := everything(h, hall, id, asks); !bytes.Equal(got, want) {
		h.Errorf("%s: they see something else than before", name)
	}
}

// TestALongGameIsSeenFromOneSeat, where the table is opened from a snapshot.
func TestALongGameIsSeenFromOneSeat(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	f, ben := h.family("anna"), h.account("ben")
	set := calm()
	set.Seats = 3
	id := h.table(set)
	h.sit(id, ben, f.one)
	h.bots(id, ben, 2)
	h.do(id, ben, start)
	h.lengthen(id, longLog+longSince, f.one)
	hall := h.next()
	if !restored(h, hall, id) {
		t.Error("it is not opened from a snapshot")
	}
	for _, by := range []Account{f.owner, f.one, f.two} {
		h.refused("table.sight", h.at(hall, id, by, 2))
	}
}

// TestTimeThatRanOutIsNoWayToAnotherSeat, for whose time it was and for theirs.
func TestTimeThatRanOutIsNoWayToAnotherSeat(t *testing.T) {
	h := newTestHall(t)
	f, ben := h.family("anna"), h.account("ben")
	id := h.table(settings("grandbois", 3))
	h.sit(id, f.owner, ben)
	h.bots(id, f.owner, 2)
	h.do(id, f.owner, start)
	h.wait(time.Hour)
	h.Tend(t.Context())
	you, seats := h.seated(h.Hall, id, f.owner)
	if *you != 0 || seats[0].Held != table.Away {
		t.Fatalf("at seat %v sits %v", *you, seats[0].Held)
	}
	for _, by := range []Account{f.owner, f.one, f.two} {
		h.refused("table.sight", h.at(h.Hall, id, by, 2))
	}
}

// TestWhoGotUpBeforeTheGameHasSeenNothing: their programs, or owners, may take a seat
// later; not those of who was sent away.
func TestWhoGotUpBeforeTheGameHasSeenNothing(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	ben := h.account("ben")
	away := map[string]func(id string, a Account){
		"got up": func(id string, a Account) {
			h.do(id, a, func(p table.Person) table.Command { return table.Leave{Person: p} })
		},
		"was sent away": func(id string, _ Account) {
			h.do(id, ben, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
		},
	}
	n := 0
	for what, goes := range away {
		n++
		for _, program := range []bool{false, true} {
			f := h.family(fmt.Sprintf("anna-%d-%v", n, program))
			first, second := f.owner, f.one
			if program {
				first, second = second, first
			}
			id := h.table(settings("grandbois", 3))
			h.sit(id, ben, first)
			goes(id, first)
			h.bots(id, ben, 1, 2)
			h.do(id, ben, start)
			if what == "was sent away" {
				h.refused("table.barred.with", h.at(h.next(), id, second, 1))
				continue
			}
			if err := h.at(h.next(), id, second, 1); err != nil {
				t.Errorf("whose owner or program %s is answered %v", what, err)
			}
			h.refused("table.sight", h.at(h.Hall, id, f.two, 2))
		}
	}
}

// TestASeatThatWasSeenIsTakenOnce: who sends it again by the same key is answered
// as before, and nobody is in the way of strangers.
func TestASeatThatWasSeenIsTakenOnce(t *testing.T) {
	h := newTestHall(t)
	f, ben, cleo := h.family("anna"), h.account("ben"), h.account("cleo")
	id := h.table(settings("grandbois", 4))
	h.sit(id, ben)
	h.bots(id, ben, 1, 2, 3)
	h.do(id, ben, start)
	sit := func(by Account, seat game.Seat) (int, error) {
		return h.Sit(t.Context(), id, by, table.Sit{Seat: seat, Nonce: table.Nonce{5}}, store.Once{Key: "sits", Asked: []byte{byte(seat)}})
	}
	first, err := sit(f.one, 2)
	h.good(err)
	if again, err := sit(f.one, 2); err != nil || again != first {
		t.Errorf("the same again is answered %d %v, not %d", again, err, first)
	}
	_, err = h.Sit(t.Context(), id, f.one, table.Sit{Seat: 2, Nonce: table.Nonce{6}}, store.Once{})
	h.refused("table.seated", err)
	_, err = h.Sit(t.Context(), id, Account{}, table.Sit{Seat: 3, Nonce: table.Nonce{6}}, store.Once{})
	h.refused("table.nonce", err)
	_, err = sit(f.owner, 1)
	h.refused("table.sight", err)
	h.good(h.at(h.Hall, id, cleo, 1))
}

// TestASeatOfAnOpenGameTellsNothing: where there are no secrets somebody may take
// a bot's seat beside a program of their own.
func TestASeatOfAnOpenGameTellsNothing(t *testing.T) {
	h := newTestHall(t)
	f := h.family("anna")
	id := h.table(settings("bosk", 3))
	h.sit(id, f.owner)
	h.bots(id, f.owner, 1, 2)
	h.do(id, f.owner, start)
	h.good(h.at(h.Hall, id, f.one, 1))
	h.refused("table.pair", h.at(h.Hall, id, h.account("ben"), 2))
}

// TestWhoPlaysWithTheirProgramPlaysAlone: before the game and during it, and
// whoever comes last is refused.
func TestWhoPlaysWithTheirProgramPlaysAlone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois"} {
		h := newTestHall(t)
		f, ben, cleo := h.family("anna"), h.account("ben"), h.account("cleo")
		other := h.next()
		sits := func(id string, by Account, key string) {
			t.Helper()
			for _, hall := range []*Hall{h.Hall, other} { // which has the room open since before
				err := h.at(hall, id, by, game.None)
				if key == "" {
					h.good(err)
					return
				}
				h.refused(key, err)
			}
		}
		up := func(id string, by Account) {
			h.do(id, by, func(p table.Person) table.Command { return table.Leave{Person: p} })
		}
		fresh := func() string {
			id := h.table(settings(name, 4))
			for _, hall := range []*Hall{h.Hall, other} {
				_, err := hall.Look(t.Context(), id, ben)
				h.good(err)
			}
			return id
		}
		all := []Account{f.owner, f.one, f.two}
		for i, first := range all {
			second, third := all[(i+1)%3], all[(i+2)%3]

			id := fresh() // alone they are as many as they like
			sits(id, first, "")
			sits(id, second, "")
			sits(id, third, "")
			sits(id, ben, "table.pair")
			up(id, first)
			sits(id, ben, "table.pair")
			up(id, second)
			sits(id, ben, "")
			sits(id, first, "table.program")
			up(id, third)
			sits(id, first, "")
			sits(id, cleo, "")
			sits(id, second, "table.program")
			h.bots(id, ben, 3)
			h.do(id, cleo, start)

			id = fresh() // where others play each of them is one
			sits(id, ben, "")
			sits(id, first, "")
			sits(id, second, "table.program")
			h.bots(id, ben, 2, 3)
			h.do(id, ben, start)
			key := "table.program"
			if name == "grandbois" {
				key = "table.sight"
			}
			sits(id, second, key)
			h.do(id, first, func(p table.Person) table.Command { return table.Resign{Person: p} })
			sits(id, third, key)
			sits(id, cleo, "")

			id = fresh() // during the game too
			sits(id, first, "")
			sits(id, second, "")
			h.bots(id, first, 2, 3)
			h.do(id, first, start)
			sits(id, ben, "table.pair")
			h.do(id, second, func(p table.Person) table.Command { return table.Resign{Person: p} })
			sits(id, ben, "table.pair")
		}
	}
}

// earlier makes of the row of a table what an earlier version has written.
func (h *testHall) earlier(id string) {
	h.Helper()
	l, err := h.db.Table(h.Context(), id)
	h.good(err)
	var kept map[string]json.RawMessage
	h.good(json.Unmarshal(l.Private, &kept))
	if kept["owners"] == nil {
		h.Fatalf("private of the table is %s", l.Private)
	}
	delete(kept, "owners")
	row := l.Row
	row.Private, err = json.Marshal(kept)
	h.good(err)
	_, err = h.db.Append(h.Context(), store.Append{Table: id, Next: l.Next, At: l.Changed, Row: &row})
	h.good(err)
}

// TestTablesOfEarlierVersions: where a program and its owner sat down with others
// the game cannot begin until one gets up; where it has begun it goes on, and
// nobody of them takes another seat.
func TestTablesOfEarlierVersions(t *testing.T) {
	h := newTestHall(t)
	f, ben := h.family("anna"), h.account("ben")
	unowned := f.one
	unowned.Owner = "" // as if nobody asked
	lobby := h.table(settings("grandbois", 3))
	h.sit(lobby, ben, f.owner, unowned)
	running := h.table(settings("grandbois", 4))
	h.sit(running, ben, unowned)
	h.bots(running, ben, 2, 3)
	h.do(running, ben, start)
	both := h.table(settings("grandbois", 3))
	h.sit(both, ben, f.owner, unowned)
	h.do(both, ben, start)
	for _, id := range []string{lobby, running, both} {
		h.earlier(id)
	}
	t.Cleanup(h.Hall.Stop)
	h.Hall = h.another()

	_, err := h.Do(t.Context(), lobby, Request{By: ben, Want: start})
	h.refused("table.pair", err)
	h.do(lobby, f.one, func(p table.Person) table.Command { return table.Leave{Person: p} })
	h.bots(lobby, ben, 2)
	h.do(lobby, ben, start)

	h.refused("table.sight", h.at(h.Hall, running, f.owner, 2))
	h.good(h.DeleteAccount(t.Context(), f.one.ID)) // whose seat it was is known all the same
	h.refused("table.sight", h.at(h.Hall, running, f.owner, 2))
	h.refused("table.sight", h.at(h.next(), running, f.owner, 2))
	if !h.move(both, ben, f.owner) {
		t.Error("a game that went on does not")
	}
}

// TestWhoOwnsAProgramIsKeptWhileTheGameGoesOn and no longer, and in a form that
// leads to nobody who is deleted.
func TestWhoOwnsAProgramIsKeptWhileTheGameGoesOn(t *testing.T) {
	h := newTestHall(t)
	f, ben := h.family("anna"), h.account("ben")
	id := h.table(settings("grandbois", 2))
	private := func() string {
		l, err := h.db.Table(t.Context(), id)
		h.good(err)
		if strings.Contains(string(l.Private), f.owner.ID) {
			t.Errorf("private of the table is who it was: %s", l.Private)
		}
		return string(l.Private)
	}
	if got := private(); !strings.Contains(got, `"owners":[]`) {
		t.Errorf("private of a new table is %s", got)
	}
	h.sit(id, f.one, ben)
	h.do(id, ben, start)
	if got, want := private(), `"owners":["`+f.owner.at(id).String()+`"]`; !strings.Contains(got, want) {
		t.Errorf("private of the table is %s, without %s", got, want)
	}
	h.do(id, ben, func(p table.Person) table.Command { return table.Resign{Person: p} })
	if got := private(); strings.Contains(got, "owners") || strings.Contains(got, f.owner.at(id).String()) {
		t.Errorf("private of a finished game is %s", got)
	}
	h.refused("table.over", h.at(h.Hall, id, f.owner, 1))
	h.refused("table.over", h.at(h.next(), id, f.owner, 1))
}

// TestWhatIsPrivateOfATable is read as it is written, and nothing else.
func TestWhatIsPrivateOfATable(t *testing.T) {
	b := private{Secret: table.Secret{1}, Box: "box", Zone: "Europe/Zurich", Again: []string{"bot:easy"}, owned: true}
	for seat := range b.Owners {
		raw := b.write()
		if len(raw) > store.LargestExtra {
			t.Errorf("it takes %d bytes", len(raw))
		}
		got, err := readPrivate(raw)
		if err != nil || got.Owners != b.Owners || !got.owned || got.Secret != b.Secret || got.Box != b.Box || got.Zone != b.Zone || !slices.Equal(got.Again, b.Again) {
			t.Errorf("%s is read as %+v, %v", raw, got, err)
		}
		b.Owners[len(b.Owners)-1-seat][3] = byte(seat + 1)
	}
	secret := `{"secret":"` + strings.Repeat("00", 32) + `"`
	if got, err := readPrivate([]byte(secret + `}`)); err != nil || got.owned {
		t.Errorf("what an earlier version has written is read as %+v, %v", got, err)
	}
	for _, owners := range []string{`["x"]`, `["00"]`, `[7]`, `["","","","","","","","",""]`, `["` + strings.Repeat("0", 32) + `"]`} {
		if got, err := readPrivate([]byte(secret + `,"owners":` + owners + `}`)); err == nil {
			t.Errorf("%s is read as %+v", owners, got.Owners)
		}
	}
}

// TestOwnerAndProgramAreSentAwayTogether: whoever was sent away from a table does not
// sit down there again as the owner, as the program or as another program, before the
// game or at the seat of a bot, and whoever reads the table next. Others do, and a
// host who sends a program of their own away stays.
func TestOwnerAndProgramAreSentAwayTogether(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	ben, cleo := h.account("ben"), h.account("cleo")
	for n, sent := range []string{"the owner", "the program"} {
		f := h.family(fmt.Sprint("anna-", n))
		by := f.owner
		if sent == "the program" {
			by = f.one
		}
		id := h.table(settings("bosk", 3))
		h.sit(id, ben, by)
		h.do(id, ben, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
		barred := func(hall *Hall, seat game.Seat, when string) {
			t.Helper()
			late, err := h.program(f.owner.ID, fmt.Sprint("late-", h.rng.Uint64()))
			h.good(err)
			for who, a := range map[string]Account{"the owner": f.owner, "the program": f.one, "the other program": f.two, "a new program": late} {
				want := "table.barred.with"
				if who == sent {
					want = "table.barred"
				}
				var refusal *game.Refusal
				if err := h.at(hall, id, a, seat); !errors.As(err, &refusal) || refusal.Key != want {
					t.Errorf("%s was sent away; %s, %s is answered %v", sent, when, who, err)
				}
			}
		}
		barred(h.Hall, 1, "at once")
		barred(h.next(), 1, "after a restart")
		h.do(id, ben, func(p table.Person) table.Command { return table.Leave{Person: p} })
		h.sit(id, ben, cleo)
		barred(h.Hall, 2, "when another sat down")
	}

	// At the seat of a bot.
	f := h.family("dora")
	id := h.table(settings("bosk", 3))
	h.sit(id, ben, f.one)
	h.do(id, ben, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
	h.bots(id, ben, 1, 2)
	h.do(id, ben, start)
	for _, hall := range []*Hall{h.Hall, h.next()} {
		h.refused("table.barred.with", h.at(hall, id, f.owner, 1))
		h.refused("table.barred.with", h.at(hall, id, f.two, 2))
	}
	h.good(h.at(h.Hall, id, cleo, 1))

	// A program of one's own.
	f = h.family("emil")
	id = h.table(settings("bosk", 3))
	h.sit(id, f.owner, f.one)
	h.do(id, f.owner, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
	h.sit(id, f.two)
	h.do(id, f.owner, func(p table.Person) table.Command { return table.Leave{Person: p} })
	h.good(h.at(h.Hall, id, f.owner, 2))

	// Once the game is over nobody can tell whose program it was.
	id = h.table(settings("bosk", 2))
	h.sit(id, ben, f.two)
	h.do(id, ben, func(p table.Person) table.Command { return table.Kick{Person: p, Seat: 1} })
	kept := func() string {
		l, err := h.db.Table(t.Context(), id)
		h.good(err)
		return string(l.Private)
	}
	if owner := f.owner.at(id).String(); !strings.Contains(kept(), owner) {
		t.Error("nothing is kept of whose program was sent away")
	}
	h.bots(id, ben, 1)
	h.do(id, ben, start)
	h.do(id, ben, func(p table.Person) table.Command { return table.Resign{Person: p} })
	if strings.Contains(kept(), "barred") {
		t.Error("what is kept when the game is over says whose program was sent away")
	}
}

// TestWhoWasSentAwayIsBounded: what is kept of a table stays small, and the newest
// are remembered.
func TestWhoWasSentAwayIsBounded(t *testing.T) {
	h := newTestHall(t)
	ben := h.account("ben")
	id := h.table(settings("bosk", 2))
	h.sit(id, ben)
	r, err := h.enter(t.Context(), id)
	h.good(err)
	defer r.leave()
	for n := range mostBarred + 10 {
		r.private.Owners[1] = table.Person{1, byte(n), byte(n >> 8)}
		r.bar(1, ben)
		r.bar(1, ben) // twice is once
	}
	if n := len(r.private.Barred); n != mostBarred || r.private.Barred[n-1] != r.private.Owners[1] {
		t.Errorf("%d are remembered", n)
	}
	raw := r.private.write()
	if len(raw) > store.LargestExtra/2 {
		t.Errorf("they take %d bytes", len(raw))
	}
	if again, err := readPrivate(raw); err != nil || !slices.Equal(again.Barred, r.private.Barred) {
		t.Errorf("they are read again as %d: %v", len(again.Barred), err)
	}
}
