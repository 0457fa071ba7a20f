package hall

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// left is how much time the seat to act has, and which seat that is.
func (h *testHall) left(hall *Hall, id string, by Account) (time.Duration, game.Seat) {
	h.Helper()
	s, err := hall.Look(h.Context(), id, by)
	h.good(err)
	if s.Look.Clock == nil || s.Look.Clock.Seat == nil {
		h.Fatalf("no clock runs: %+v", s.Look.People)
	}
	return time.Duration(s.Look.Clock.Until-table.At(hall.Now())) * time.Millisecond, *s.Look.Clock.Seat
}

// outages is how many entries of a table say that the house was away.
func (h *testHall) outages(id string) (n int) {
	h.Helper()
	log, err := h.db.Read(h.Context(), id, 0)
	h.good(err)
	for _, raw := range log {
		e, err := table.ReadEntry(raw.Body)
		h.good(err)
		if e.Do == table.ServerAway {
			n++
		}
	}
	return n
}

// TestKilledForTwentyMinutes: a server is killed for twenty minutes with five on a
// clock; nobody has timed out and five minutes are left.
func TestKilledForTwentyMinutes(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.wait(5 * time.Minute) // of ten
	h.Stop()
	h.away(20 * time.Minute)
	for range 2 { // a second start finds nothing new
		h.Hall = h.another()
		h.good(h.Begin(t.Context()))
		h.Tend(t.Context())
		h.Sweep(t.Context())
		for _, by := range people {
			if left, seat := h.left(h.Hall, id, by); left != 5*time.Minute || seat != 0 {
				t.Fatalf("seat %v has %v left", seat, left)
			}
		}
		h.Stop()
	}
	h.Hall = h.another()
	if n := h.outages(id); n != 1 {
		t.Errorf("the log tells of %d outages", n)
	}
	h.wait(4 * time.Minute)
	h.move(id, people...)
	h.wait(4 * time.Minute)
	h.Tend(t.Context())
	if left, _ := h.left(h.Hall, id, people[0]); left <= 0 {
		t.Errorf("the next has %v left", left)
	}
	h.do(id, people[1], func(p table.Person) table.Command { return table.Resign{Person: p} })
	raw, err := h.Export(t.Context(), id, people[0])
	h.good(err)
	if _, err := table.Verify(h.shelf, raw); err != nil {
		t.Errorf("the game does not verify: %v", err)
	}
}

// TestTimeRunsOutAfterAnOutageToo: after an outage a clock has what was left before
// it, and no more.
func TestTimeRunsOutAfterAnOutageToo(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.wait(5 * time.Minute)
	h.away(20 * time.Minute) // the process slept
	h.good(h.wakeUp(t.Context(), id))
	if l, err := h.db.Table(t.Context(), id); err != nil || !l.Wake.Equal(h.now.Add(5*time.Minute)) {
		t.Errorf("somebody looks at the table %v after it: %v", l.Wake.Sub(h.now), err)
	}
	h.wait(5*time.Minute - time.Millisecond)
	h.Tend(t.Context())
	if left, seat := h.left(h.Hall, id, people[0]); seat != 0 || left != time.Millisecond {
		t.Errorf("seat %v has %v left", seat, left)
	}
	h.wait(time.Millisecond)
	h.Tend(t.Context())
	s, err := h.Look(t.Context(), id, people[1])
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Away {
		t.Error("the time has not run out")
	}
}

// TestNothingComesBeforeTheOutage: whatever is done first at a table after an
// outage, the outage stands before it in the log.
func TestNothingComesBeforeTheOutage(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(h *testHall, id string, people []Account){
		"a look":  func(h *testHall, id string, people []Account) { h.left(h.Hall, id, people[0]) },
		"a move":  func(h *testHall, id string, people []Account) { h.move(id, people...) },
		"a sweep": func(h *testHall, _ string, _ []Account) { h.Sweep(h.Context()) },
		"leaving": func(h *testHall, id string, people []Account) {
			h.do(id, people[0], func(p table.Person) table.Command { return table.Leave{Person: p} })
		},
		"a stream": func(h *testHall, id string, people []Account) {
			_, err := h.Follow(h.Context(), id, people[0], h.news.Subscribe(9))
			h.good(err)
		},
	} {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		h.wait(time.Minute)
		before := h.now
		h.away(time.Hour)
		first(h, id, people)
		_, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		log, err := h.db.Read(t.Context(), id, 0)
		h.good(err)
		for _, raw := range log {
			e, err := table.ReadEntry(raw.Body)
			h.good(err)
			if e.At > table.At(before) {
				if e.Do != table.ServerAway || e.From != table.At(before) || e.At != table.At(h.now) {
					t.Errorf("%s: the first entry after the outage is %s", name, raw.Body)
				}
				break
			}
		}
		if n := h.outages(id); n != 1 {
			t.Errorf("%s: the log tells of %d outages", name, n)
		}
	}
}

// TestTwoHallsTellOfAnOutageOnce: the first of them writes it.
func TestTwoHallsTellOfAnOutageOnce(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	other := h.another()
	defer other.Stop()
	h.left(other, id, people[0])
	for range 3 {
		h.away(time.Hour)
		h.left(other, id, people[0])
		h.left(h.Hall, id, people[1])
		h.move(id, people...)
	}
	if n := h.outages(id); n != 3 {
		t.Errorf("of 3 outages the log tells %d times", n)
	}
}

// TestAShortSilenceIsNone: a silence of fifteen seconds is no outage, a longer one
// is.
func TestAShortSilenceIsNone(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.wait(time.Second)
	h.away(longestSilence)
	if left, _ := h.left(h.Hall, id, people[0]); left != 10*time.Minute-16*time.Second {
		t.Errorf("%v are left", left)
	}
	h.good(h.Beat(t.Context()))
	h.away(longestSilence + time.Millisecond)
	if left, _ := h.left(h.Hall, id, people[0]); left != 10*time.Minute-16*time.Second {
		t.Errorf("%v are left after an outage", left)
	}
}

// TestJudgement1StaysAsItWas: an old table goes on as it began.
func TestJudgement1StaysAsItWas(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.old(settings("bosk", 2))
	h.sit(id, people...)
	h.do(id, people[0], start)
	h.wait(5 * time.Minute)
	h.away(20 * time.Minute)
	h.Tend(t.Context())
	s, err := h.Look(t.Context(), id, people[1])
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Away || s.Look.Settings.Judgement != 1 || h.outages(id) != 0 {
		t.Errorf("under judgement 1 it shows %+v", s.Look.People.Seats)
	}
	h.do(id, people[0], func(p table.Person) table.Command { return table.Resign{Person: p} })
	raw, err := h.Export(t.Context(), id, people[0])
	h.good(err)
	if _, err := table.Verify(h.shelf, raw); err != nil {
		t.Error(err)
	}
	next, err := h.Rematch(t.Context(), id, people[0])
	h.good(err)
	if s, err := h.Look(t.Context(), next, people[0]); err != nil || s.Look.Settings.Judgement != table.NewestJudgement {
		t.Errorf("the rematch has judgement %d, %v", s.Look.Settings.Judgement, err)
	}
}

// old is a table as a Copse set it that knew judgement 1 alone.
func (h *testHall) old(set table.Settings) string {
	h.Helper()
	var b private
	_, _ = rand.Read(b.Secret[:]) // it never fails
	first, keep, err := table.Create(h.shelf, set, b.Secret, table.At(h.now))
	h.good(err)
	first.Settings.Judgement = 1
	first.Commitment = table.Commitment(b.Secret, first.Settings.Append(nil))
	t, err := table.Open(h.shelf, keep, [][]byte{first.Append(nil)})
	h.good(err)
	r := &room{hall: h.Hall, id: h.NewID(), t: t, private: b}
	row, _ := r.list()
	_, err = h.db.Append(h.Context(), store.Append{Table: r.id, At: h.now, Entries: t.Log(), Row: &row})
	h.good(err)
	return r.id
}

// TestAFullDiskIsAnOutage: while nothing can be written the table is shown and no
// time runs out; when it can be written again nobody has lost any time.
func TestAFullDiskIsAnOutage(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.wait(time.Minute)
	h.good(h.Beat(t.Context()))
	broken := &full{Store: h.db}
	broken.fall(store.ErrUnwritten)
	h.store = broken
	for range 20 {
		h.away(time.Minute)
		h.Tend(t.Context())
		if err := h.Beat(t.Context()); !errors.Is(err, store.ErrUnwritten) {
			t.Fatalf("a beat is answered by %v", err)
		}
		s, err := h.Look(t.Context(), id, people[0])
		h.good(err)
		if s.Look.People.Seats[0].Held != table.Human {
			t.Fatal("the time has run out")
		}
		p, last, err := h.Position(t.Context(), id, people[0])
		h.good(err)
		if _, err := h.Do(t.Context(), id, Request{By: people[0], Want: play(last, p.Moves()[0])}); !errors.Is(err, store.ErrUnwritten) {
			t.Fatalf("a move is answered by %v", err)
		}
	}
	later := h.another() // started while nothing can be written
	defer later.Stop()
	later.store = broken
	h.good(later.Begin(t.Context()))
	if _, err := later.Look(t.Context(), id, people[0]); err != nil {
		t.Errorf("the table cannot be seen: %v", err)
	}
	broken.fall(nil)
	h.Tend(t.Context())
	for _, hall := range []*Hall{h.Hall, later} {
		if left, seat := h.left(hall, id, people[0]); left != 9*time.Minute || seat != 0 {
			t.Errorf("seat %v has %v left", seat, left)
		}
	}
}

// full is a store on a disk that is full.
type full struct {
	store.Store
	ailing
}

func (f *full) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if err := f.ails(); err != nil {
		return store.Receipt{}, err
	}
	return f.Store.Append(ctx, a)
}

func (f *full) Beat(ctx context.Context, at time.Time, gap time.Duration) (time.Time, error) {
	if err := f.ails(); err != nil {
		return time.Time{}, err
	}
	return f.Store.Beat(ctx, at, gap)
}

// TestAnOutageIsNobodysAbsence: a person who could not be reached because the house
// was away is not replaced at once when it is back.
func TestAnOutageIsNobodysAbsence(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	held := func() (list []table.Holder) {
		s, err := h.Look(t.Context(), id, Account{})
		h.good(err)
		for _, at := range s.Look.People.Seats {
			list = append(list, at.Held)
		}
		return list
	}
	h.away(time.Hour)
	h.Sweep(t.Context()) // before anything else
	if got := held(); !slices.Equal(got, []table.Holder{table.Human, table.Human}) {
		t.Errorf("right after it the seats are held by %v", got)
	}
	h.wait(outOfReach)
	h.Sweep(t.Context())
	if got := held(); got[0] != table.Away {
		t.Errorf("minutes later the seats are held by %v", got)
	}
}

// TestTheWallClockIsSet: set forward it is an outage; set back, house time runs on,
// also after a restart.
func TestTheWallClockIsSet(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	hand := &hands{wall: h.now}
	start := func() *Hall {
		hall := New(Options{
			Store: h.db, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(t),
			Now: func() time.Time { return hand.wall }, Mono: func() time.Duration { return hand.mono },
		})
		h.good(hall.Begin(t.Context()))
		h.good(hall.Beat(t.Context()))
		return hall
	}
	h.Stop()
	h.Hall = start()
	id := h.begun(settings("bosk", 2), people...)
	want := func(what string, left time.Duration) {
		t.Helper()
		h.Tend(t.Context())
		if got, seat := h.left(h.Hall, id, people[0]); got != left || seat != 0 {
			t.Errorf("%s: seat %v has %v left, want %v", what, seat, got, left)
		}
	}
	beats := func(n int) {
		for range n {
			hand.pass(beatEvery)
			h.good(h.Beat(t.Context()))
		}
	}
	beats(12)
	want("after a minute", 9*time.Minute)
	hand.wall = hand.wall.Add(24 * time.Hour)
	want("set forward, before the next beat", 9*time.Minute)
	beats(1)
	want("set forward", 9*time.Minute)
	beats(11)
	want("a minute later", 8*time.Minute+5*time.Second) // the five seconds before the beat are part of the outage
	at := h.Now()
	hand.wall = hand.wall.Add(-48 * time.Hour)
	want("set back", 8*time.Minute+5*time.Second)
	beats(12)
	want("set back, a minute later", 7*time.Minute+5*time.Second)
	if got := h.Now().Sub(at); got != time.Minute {
		t.Errorf("house time went on by %v", got)
	}
	h.Stop()
	hand.mono = 0 // another process
	h.Hall = start()
	want("after a restart", 7*time.Minute+5*time.Second)
	if got := h.Now().Sub(at); got != time.Minute {
		t.Errorf("after a restart house time is %v later", got)
	}
	beats(12)
	want("and on", 6*time.Minute+5*time.Second)
}

// TestPatienceEndsByItself: a step back comes when the person who is away is no
// longer asked, though nobody does anything.
func TestPatienceEndsByItself(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora")}
		id := h.begun(settings("bosk", 4), people...)
		h.do(id, people[3], func(p table.Person) table.Command { return table.Leave{Person: p} })
		until := h.now.Add(table.Paces()[0].Patience)
		h.wait(time.Minute)
		h.move(id, people...)
		h.move(id, people...)
		h.do(id, people[1], func(p table.Person) table.Command { return table.TakeBack{Person: p, To: -1} })
		yes := func(p table.Person) table.Command { return table.Answer{Person: p, For: table.Undo, Yes: true} }
		asks := func() []table.Asking {
			s, err := h.Look(t.Context(), id, people[0])
			h.good(err)
			return s.Look.People.Asks
		}
		h.do(id, people[0], yes)
		h.do(id, people[2], yes)
		if ask := asks(); len(ask) != 1 || !slices.Equal(ask[0].Of, []game.Seat{0, 2, 3}) || ask[0].Until != table.At(until) {
			t.Fatalf("asked is %+v", ask)
		}
		if l, err := h.db.Table(t.Context(), id); err != nil || !l.Wake.Equal(until) {
			t.Errorf("somebody looks at the table at %v, not at %v: %v", l.Wake, until, err)
		}
		h.wait(until.Sub(h.now) - time.Millisecond)
		h.Tend(t.Context())
		if len(asks()) != 1 {
			t.Fatal("it is not asked any more")
		}
		if restart {
			h.Stop()
			h.Hall = h.another()
		}
		h.wait(time.Millisecond)
		if !restart { // or opening the table does it
			h.Tend(t.Context())
		}
		s, err := h.Look(t.Context(), id, people[0])
		h.good(err)
		if len(s.Look.People.Asks) != 0 || s.Look.ToAct[0] != 1 || s.Look.People.Seats[1].Undos != 1 {
			t.Errorf("when patience is over it shows %+v", s.Look.People)
		}
	}
}
