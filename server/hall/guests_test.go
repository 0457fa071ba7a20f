package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"copse/game"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

const ownBox = `{"box":{"species":[{"colour":"red","leaf":"larch"},{"colour":"blue","leaf":"ash"},{"colour":"white","leaf":"elm"},{"colour":"black","leaf":"oak"}]}}`

// boxes is how many boxes the store keeps for these tables.
func (h *testHall) boxes(names map[string]bool) (n int) {
	h.Helper()
	for name := range names {
		switch _, err := h.db.Box(h.Context(), name); {
		case err == nil:
			n++
		case !errors.Is(err, store.ErrNone):
			h.Fatal(err)
		}
	}
	return n
}

// kept is a store that knows which boxes it was given.
type kept struct {
	*fails
	boxes map[string]bool
}

func (k *kept) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if a.Box != nil {
		k.boxes[store.BoxHash(a.Box)] = true
	}
	return k.fails.Append(ctx, a)
}

// TestABoxGoesWithItsTable: a box that somebody brings is kept while there is a
// table that is played with it, and not where the table was not made.
func TestABoxGoesWithItsTable(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	spy := &kept{fails: &fails{Store: h.db}, boxes: map[string]bool{}}
	h.store = spy
	set := settings("bosk", 2)
	set.Options = json.RawMessage(ownBox)

	spy.err = store.ErrUnwritten
	if _, err := h.Create(t.Context(), set); !errors.Is(err, store.ErrUnwritten) {
		t.Fatalf("a table that cannot be written is made: %v", err)
	}
	spy.err = nil
	if n := h.boxes(spy.boxes); n != 0 || len(spy.boxes) != 1 {
		t.Fatalf("of a table that was not made %d boxes of %d are kept", n, len(spy.boxes))
	}
	empty := h.table(set)
	if n := h.boxes(spy.boxes); n != 1 {
		t.Fatalf("a table has %d boxes", n)
	}
	h.wait(2 * emptyTable)
	h.Tend(t.Context())
	if _, err := h.Look(t.Context(), empty, anna); !errors.Is(err, store.ErrNone) {
		t.Fatalf("a table at which nobody sat is there: %v", err)
	}
	if n := h.boxes(spy.boxes); n != 0 {
		t.Error("the box of a table that is gone is still there")
	}

	// A game that is over is opened, exported and played again with its box.
	id := h.table(set)
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "easy"} })
	h.do(id, anna, func(p table.Person) table.Command { return table.Resign{Person: p} })
	h.Tend(t.Context())
	h.wait(idleOver)
	h.Sweep(t.Context())
	if n := h.Rooms(); n != 0 {
		t.Fatalf("%d rooms are open", n)
	}
	if raw, err := h.Export(t.Context(), id, anna); err != nil || !strings.Contains(string(raw), "larch") {
		t.Errorf("the export has no box: %v", err)
	}
	if _, err := h.Rematch(t.Context(), id, anna); err != nil {
		t.Errorf("there is no rematch: %v", err)
	}
	h.wait(2 * emptyTable)
	h.Tend(t.Context())
	if n := h.boxes(spy.boxes); n != 1 {
		t.Error("the box of a finished game went with a table that nobody wanted")
	}
}

// days lets days go by. The accounts named are seen on each of them.
func (h *testHall) days(n int, there ...Account) {
	h.Helper()
	for range n {
		h.wait(24 * time.Hour)
		for _, a := range there {
			now, err := h.Account(h.Context(), a.ID)
			h.good(err)
			h.good(h.Here(h.Context(), now))
		}
	}
}

// TestGuestsWithoutAGameGo: a guest who was not here for so long is deleted, unless
// they or their programs have a game, and nobody else is.
func TestGuestsWithoutAGameGo(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	h.forgetAfter = 9 * 24 * time.Hour
	away, here, plays, played, owner, lender := h.account("away"), h.account("here"), h.account("plays"), h.account("played"), h.account("owner"), h.account("lender")
	idle, err := h.program(away.ID, "idle")
	h.good(err)
	busy, err := h.program(owner.ID, "busy")
	h.good(err)
	asks, err := h.program(lender.ID, "asks")
	h.good(err)
	set := settings("bosk", 2)
	set.Pace = table.Days
	h.begun(set, plays, busy)
	over := h.begun(set, played, here)
	for _, a := range []Account{played, here} {
		if s, err := h.Look(t.Context(), over, a); err == nil && s.Look.People.Phase == "play" {
			h.do(over, a, func(p table.Person) table.Command { return table.Resign{Person: p} })
		}
	}
	all := map[string]Account{"away": away, "here": here, "plays": plays, "played": played, "owner": owner, "lender": lender, "idle": idle, "busy": busy, "asks": asks}
	left := func(gone ...string) {
		t.Helper()
		for name, a := range all {
			want := true
			for _, other := range gone {
				want = want && name != other
			}
			if _, err := h.db.Account(t.Context(), a.ID); want && err != nil || !want && !errors.Is(err, store.ErrNone) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	h.good(h.db.Saw(t.Context(), asks.ID, h.now)) // as an upgrade does, which cannot tell programs
	h.days(8, here, asks)
	h.Sweep(t.Context())
	h.days(1, here, asks)
	h.Sweep(t.Context())
	left()
	h.days(1, here, asks)
	h.Sweep(t.Context())
	left("away", "idle")
	h.days(10)
	h.Sweep(t.Context())
	left("away", "idle", "lender", "asks") // here has a game
	h.forgetAfter = 0
	dora := h.account("dora")
	h.days(1000)
	h.Sweep(t.Context())
	if _, err := h.db.Account(t.Context(), dora.ID); err != nil {
		t.Errorf("where nobody is to be forgotten somebody is: %v", err)
	}
}

// TestAGuestWhoComesBackStays: even at the last moment; a guest who comes too late
// is nobody.
func TestAGuestWhoComesBackStays(t *testing.T) {
	h := newTestHall(t)
	h.forgetAfter = 10 * 24 * time.Hour
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	id := h.table(settings("bosk", 3))
	h.days(11, cleo)
	slow := &during{Store: h.db}
	h.store = slow
	slow.listed = func() { // anna was found to have no game
		h.good(h.Here(t.Context(), anna))
		slow.listed = func() { // ben too
			_, err := h.Sit(t.Context(), id, ben, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
			h.good(err)
		}
	}
	h.Sweep(t.Context())
	for _, a := range []Account{anna, ben, cleo} {
		if _, err := h.db.Account(t.Context(), a.ID); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
	dan := h.account("dan")
	h.days(11, anna, ben, cleo) // ben stands up when a sweep finds him away, before or after
	slow.deleted = func() {
		now, err := h.Account(t.Context(), dan.ID)
		h.good(err)
		if err := h.Here(t.Context(), now); !errors.Is(err, store.ErrNone) {
			t.Errorf("who is being forgotten is here: %v", err)
		}
	}
	h.Sweep(t.Context())
	if _, err := h.db.Account(t.Context(), dan.ID); !errors.Is(err, store.ErrNone) || slow.deleted != nil {
		t.Errorf("dan: %v", err)
	}
}

// TestForgettingIsDoneInSteps: each sweep looks at a few guests, goes on where the
// last one ended, past those who cannot be deleted, and comes back to them.
func TestForgettingIsDoneInSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // no time goes by: a chore ends in time on the slowest machine
		h := newTestHall(t)
		h.forgetAfter = 24 * time.Hour
		const many = 2*mostMissed + 7
		there := func() (n int) {
			t.Helper()
			for i := range many {
				if _, err := h.db.Account(t.Context(), fmt.Sprintf("id-guest-%d", i)); err == nil {
					n++
				}
			}
			return n
		}
		for i := range many {
			h.account(fmt.Sprintf("guest-%d", i))
		}
		h.wait(25 * time.Hour)
		h.store = unforgetful{h.db}
		for range 3 {
			h.Sweep(t.Context())
		}
		h.store = h.db
		if n := there(); n != many {
			t.Fatalf("%d are there", n)
		}
		h.Sweep(t.Context())
		if n := there(); n != many {
			t.Error("the next walk has begun at once")
		}
		h.wait(missEvery)
		for sweep, want := range []int{many - mostMissed, many - 2*mostMissed, 0} {
			h.Sweep(t.Context())
			if n := there(); n != want {
				t.Errorf("after sweep %d there are %d, want %d", sweep, n, want)
			}
		}
	})
}

// TestSomebodyIsSeenOnceADay: and a full disk costs nobody an answer.
func TestSomebodyIsSeenOnceADay(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	blind := &blind{Store: h.db}
	h.store = blind
	here := func(want int) {
		t.Helper()
		for range 3 {
			a, err := h.Account(t.Context(), anna.ID)
			h.good(err)
			h.good(h.Here(t.Context(), a))
		}
		if blind.asked != want {
			t.Errorf("it was written %d times, want %d", blind.asked, want)
		}
	}
	here(0)
	h.wait(seenEvery)
	here(1)
	h.wait(seenEvery)
	blind.err = store.ErrUnwritten
	here(2)
	h.wait(seenEvery)
	blind.err = nil
	here(3)
	if p, err := h.db.Account(t.Context(), anna.ID); err != nil || !p.Seen.Equal(h.now) {
		t.Errorf("she was seen at %v, %v", p.Seen, err)
	}
}

// blind is a store that cannot write down who is here.
type blind struct {
	store.Store
	err   error
	asked int
}

func (b *blind) Saw(ctx context.Context, person string, at time.Time) error {
	if b.asked++; b.err != nil {
		return b.err
	}
	return b.Store.Saw(ctx, person, at)
}

// TestNobodyIsMissedWhileTheHouseIsAway: for a hundred days, because it was stopped,
// because a backup from then was restored, because its clock was set ahead, or since
// before houses gave beats. Only the time counts during which the house was there to be
// come to.
func TestNobodyIsMissedWhileTheHouseIsAway(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, what := range []string{"stopped", "restored", "set ahead", "never beaten"} {
		h := newTestHall(t)
		h.forgetAfter = 10 * day
		anna := Account{ID: "id-anna", Name: "anna", Salt: []byte("salt")}
		if what == "never beaten" { // an upgrade finds her so
			h.good(h.db.AddAccount(t.Context(), store.Account{ID: anna.ID, Name: anna.Name, Salt: anna.Salt, Born: h.now, Seen: h.now}))
		} else {
			h.good(h.AddAccount(t.Context(), anna))
			h.days(6)
		}
		copied := filepath.Join(t.TempDir(), "copy.db")
		if what == "restored" {
			h.good(h.db.Backup(t.Context(), copied))
		}
		there := func(when string, want bool) {
			t.Helper()
			h.missed.next = time.Time{}
			h.Sweep(t.Context())
			if _, err := h.db.Account(t.Context(), anna.ID); want && err != nil || !want && !errors.Is(err, store.ErrNone) {
				t.Errorf("%s: %s she is answered by %v", what, when, err)
			}
		}
		h.away(100 * day)
		if what != "set ahead" {
			h.Stop()
			if what == "restored" {
				db, err := sqlite.Open(copied)
				h.good(err)
				t.Cleanup(func() { _ = db.Close() }) // tested elsewhere
				h.db = db
			}
			h.Hall = h.another()
			h.forgetAfter = 10 * day
			t.Cleanup(h.Hall.Stop)
		}
		there("at once", true)
		ben := h.account("ben") // who comes now
		left := 4
		if what == "never beaten" {
			left = 10
		}
		h.days(left)
		there("on the last day", true)
		h.days(1)
		there("after it", false)
		if left == 10 {
			continue // ben went with her
		}
		h.days(5)
		anna = ben
		there("on his last day", true)
		h.days(1)
		there("after his", false)
	}
}

// TestWhoIsHereAfterAnOutageIsSeen: the day on which somebody is here is counted from
// when the house was back, and written down once.
func TestWhoIsHereAfterAnOutageIsSeen(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	blind := &blind{Store: h.db}
	h.store = blind
	here := func(want int, when string) {
		t.Helper()
		for range 3 {
			a, err := h.Account(t.Context(), anna.ID)
			h.good(err)
			h.good(h.Here(t.Context(), a))
		}
		if blind.asked != want {
			t.Errorf("%s it was written %d times, want %d", when, blind.asked, want)
		}
	}
	h.wait(time.Hour)
	h.away(100 * seenEvery)
	here(0, "after an outage") // before the house knows how long it was
	h.wait(seenEvery - time.Hour - time.Second)
	here(0, "less than a day later")
	h.wait(time.Second)
	here(1, "a day later")
}
