package hall

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"copse/games"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/table"
)

// TestWhatIsNotWrittenIsNotShown: while the store neither writes nor reads, a table
// that cannot be told of an outage is shown as it is written or not at all, and
// those who look on miss nothing of what is written afterwards.
func TestWhatIsNotWrittenIsNotShown(t *testing.T) {
	for _, open := range []bool{true, false} {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		h.wait(time.Minute)
		if !open {
			h.Stop()
			h.Hall = h.another()
		}
		h.away(time.Hour)
		log, err := h.db.Read(t.Context(), id, 0)
		h.good(err)
		broken := &dimming{Store: h.db, err: store.ErrUnwritten}
		h.store = broken
		reader := h.Listen(100)
		if s, err := h.Follow(t.Context(), id, people[0], reader); err == nil && s.Look.Number != len(log)-1 {
			t.Errorf("open %v: entry %d is shown, and %d are written", open, s.Look.Number, len(log))
		} else if err != nil && !errors.Is(err, store.ErrUnwritten) {
			t.Errorf("open %v: it is answered by %v", open, err)
		}
		broken.err = nil
		if n := h.Rooms(); n > 1 {
			t.Errorf("open %v: %d rooms are open", open, n)
		}
		s, err := h.Follow(t.Context(), id, people[0], reader)
		h.good(err)
		if s.Look.Number != len(log) || h.outages(id) != 1 {
			t.Errorf("open %v: then entry %d is shown, and the log tells of %d outages", open, s.Look.Number, h.outages(id))
		}
	}
}

// dimming is a store that does not write, and does not read any more once it was
// asked to write.
type dimming struct {
	store.Store
	err  error
	dark bool
}

func (d *dimming) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if d.err != nil {
		d.dark = true
		return store.Receipt{}, d.err
	}
	return d.Store.Append(ctx, a)
}

func (d *dimming) Table(ctx context.Context, id string) (store.Listing, error) {
	if d.dark && d.err != nil {
		return store.Listing{}, d.err
	}
	return d.Store.Table(ctx, id)
}

// TestNothingIsDecidedOnWhatIsNotWritten: where somebody else was first, and what
// they wrote cannot be read, nothing more is tried.
func TestNothingIsDecidedOnWhatIsNotWritten(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	p, last, err := h.Position(t.Context(), id, people[0])
	h.good(err)
	h.away(time.Hour) // which the table is told first
	trouble := errors.New("the disk does not answer")
	behind := &overtaken{Store: h.db, err: trouble}
	h.store = behind
	if _, err := h.Do(t.Context(), id, Request{By: people[0], Want: play(last, p.Moves()[0])}); !errors.Is(err, trouble) || behind.asked != 1 {
		t.Errorf("after %d appends it is answered by %v", behind.asked, err)
	}
	h.store = h.db
	h.move(id, people...)
}

// overtaken is a store in which somebody else is always first, and that does not
// say what they wrote.
type overtaken struct {
	store.Store
	err   error
	asked int
}

func (o *overtaken) Append(_ context.Context, a store.Append) (store.Receipt, error) {
	o.asked++
	return store.Receipt{}, &store.Conflict{Table: a.Table, Asked: a.Next, Next: a.Next + 1}
}

func (o *overtaken) Table(context.Context, string) (store.Listing, error) {
	return store.Listing{}, o.err
}

// TestABotThatWaitsIsNotAlwaysDue: a table whose bot waits for its turn to think is
// looked at again after a while, and does not stand before the clocks of others all
// the time.
func TestABotThatWaitsIsNotAlwaysDue(t *testing.T) {
	h, bots := slowHall(t)
	anna := h.from("10.0.0.0/24", "anna")
	h.against(anna, "level:10")
	<-bots.began
	id := h.against(anna, "level:10")
	for range 2 {
		h.wait(botGrace)
		h.Tend(t.Context())
		list, err := h.db.Due(t.Context(), h.Now(), 10)
		h.good(err)
		if len(list) > 0 {
			t.Errorf("%d tables are due still", len(list))
		}
		l, err := h.db.Table(t.Context(), id)
		if err != nil || l.Wake.After(h.Now().Add(botGrace)) {
			t.Errorf("it is looked at again %v later: %v", l.Wake.Sub(h.Now()), err)
		}
		r, err := h.enter(t.Context(), id)
		h.good(err)
		if !sameRow(&r.row, &l.Row) {
			t.Error("the room remembers another row than the index has")
		}
		r.leave()
	}
	if h.Waiting() != 1 {
		t.Errorf("%d thoughts wait", h.Waiting())
	}
	h.Stop()
}

// TestABotGoesOnThoughNobodyLooksOn: a move whose answer was lost was made, and the
// bot after it does not wait until it is late.
func TestABotGoesOnThoughNobodyLooksOn(t *testing.T) {
	h, _ := ponders(t)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	p, last, err := h.Position(t.Context(), id, anna)
	h.good(err)
	h.store = &deaf{Store: h.db, err: context.DeadlineExceeded}
	if _, err := h.Do(t.Context(), id, Request{By: anna, Want: play(last, p.Moves()[0])}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("it is answered by %v", err)
	}
	r, err := h.enter(t.Context(), id)
	h.good(err)
	seat, _, _, ok := r.t.Thinks()
	if !ok || seat != 1 || !r.thinking {
		t.Errorf("seat %v is to think: %v, and does: %v", seat, ok, r.thinking)
	}
	r.leave()
	h.Stop()
}

// TestNobodyWasMissedDuringAnOutage: a table waits for people, and a game for a
// person who plays alone, only while the house is there.
func TestNobodyWasMissedDuringAnOutage(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	empty, waiting, alone := h.table(settings("bosk", 2)), h.table(settings("bosk", 2)), h.table(settings("bosk", 2))
	h.sit(waiting, anna)
	h.sit(alone, anna)
	h.do(alone, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "random"} })
	h.wait(30 * time.Minute)
	h.Stop()
	h.away(100 * 24 * time.Hour)
	h.Hall = h.another()
	phase := func(id string) string {
		t.Helper()
		s, err := h.Look(t.Context(), id, anna)
		if errors.Is(err, store.ErrNone) {
			return "dropped"
		}
		h.good(err)
		return s.Look.People.Phase
	}
	for range 2 {
		h.Tend(t.Context())
		if a, b, c := phase(empty), phase(waiting), phase(alone); a != "lobby" || b != "lobby" || c != "play" {
			t.Fatalf("the tables are %s, %s and %s", a, b, c)
		}
		if list, err := h.db.Due(t.Context(), h.Now(), 10); err != nil || len(list) > 0 {
			t.Errorf("%d are due still: %v", len(list), err)
		}
	}
	h.wait(30 * time.Minute)
	h.Tend(t.Context())
	if a, b, c := phase(empty), phase(waiting), phase(alone); a != "dropped" || b != "lobby" || c != "play" {
		t.Errorf("an hour: the tables are %s, %s and %s", a, b, c)
	}
	h.wait(23 * time.Hour)
	h.Tend(t.Context())
	if b, c := phase(waiting), phase(alone); b != "over" || c != "play" {
		t.Errorf("a day: the tables are %s and %s", b, c)
	}
	h.wait(29 * 24 * time.Hour)
	h.Tend(t.Context())
	if c := phase(alone); c != "over" {
		t.Errorf("a month: the table is %s", c)
	}
}

// TestAClockOfJudgement1IsNotPutOff: under judgement 1 an outage counts like any other
// time, so somebody looks at the table when the time of the seat to act runs out.
func TestAClockOfJudgement1IsNotPutOff(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.old(settings("bosk", 2))
	h.sit(id, people...)
	h.do(id, people[0], start)
	begun := h.now
	h.wait(time.Minute)
	h.away(5 * time.Minute)
	h.good(h.wakeUp(t.Context(), id))
	if l, err := h.db.Table(t.Context(), id); err != nil || !l.Wake.Equal(begun.Add(10*time.Minute)) {
		t.Errorf("somebody looks at the table %v after it began: %v", l.Wake.Sub(begun), err)
	}
}

// TestHowLongTheHouseWasAway: of an outage counts the part between two moments.
func TestHowLongTheHouseWasAway(t *testing.T) {
	at := func(second int64) time.Time { return store.Time(1_000_000 + 1000*second) }
	p := pulse{}
	list := []table.Outage{{From: table.At(at(10)), To: table.At(at(20))}, {From: table.At(at(40)), To: table.At(at(70))}}
	p.away.Store(&list)
	for _, c := range []struct {
		from, to int64
		away     time.Duration
	}{{0, 100, 40}, {15, 100, 35}, {0, 50, 20}, {12, 14, 2}, {20, 40, 0}, {70, 100, 0}, {0, 5, 0}} {
		if got := p.between(at(c.from), at(c.to)); got != c.away*time.Second {
			t.Errorf("between %d and %d it was away for %v", c.from, c.to, got)
		}
	}
}

// TestHouseTimeIsThatOfTheLastBeat: a house begins no earlier than the last beat that
// the store knows, and goes on no earlier than that of another node.
func TestHouseTimeIsThatOfTheLastBeat(t *testing.T) {
	h := newTestHall(t)
	for n, beat := range []func(context.Context) error{h.Begin, h.Beat} {
		ahead := h.now.Add(time.Duration(n+1) * time.Hour)
		_, err := h.db.Beat(t.Context(), ahead, forEver)
		h.good(err)
		h.good(beat(t.Context()))
		if got := h.Now(); !got.Equal(ahead) {
			t.Errorf("house time is %v off", got.Sub(ahead))
		}
	}
}

// TestWhatIsBegunIsWrittenThoughTheClientHangsUp: also where that happens while it
// is written.
func TestWhatIsBegunIsWrittenThoughTheClientHangsUp(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	p, last, err := h.Position(t.Context(), id, people[0])
	h.good(err)
	ctx, hangUp := context.WithCancel(t.Context())
	h.store = &hungUp{Store: h.db, hangUp: hangUp}
	_, err = h.Do(ctx, id, Request{By: people[0], Want: play(last, p.Moves()[0])})
	h.good(err)
}

// hungUp is a store whose client hangs up when something is to be written.
type hungUp struct {
	store.Store
	hangUp func()
}

func (s *hungUp) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	s.hangUp()
	return s.Store.Append(ctx, a)
}

// TestNothingIsOwedToNobody: where everybody has gone nobody is told who is there,
// and the quiet time is forgotten.
func TestNothingIsOwedToNobody(t *testing.T) {
	c := crowd{at: map[string]*onlookers{}, quiet: map[string]*quiet{}}
	c.join("oak", Account{ID: "anna"}, 1, 0)
	if !c.due("oak") || c.due("oak") || !c.quietOver("oak") {
		t.Error("what is owed to somebody is not told")
	}
	c.due("oak")
	c.part("oak", Account{ID: "anna"})
	if c.quietOver("oak") || len(c.quiet) != 0 || len(c.at) != 0 {
		t.Errorf("something is owed to nobody: %v", c.quiet)
	}
}

// TestWhoWaitsForAnAccountWaitsNoLonger: while an account is being changed, and the
// store does not answer, whoever else has anything to do with accounts waits as long as
// they may, and is not held up for ever.
func TestWhoWaitsForAnAccountWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		anna, ben := h.account("anna"), h.account("ben")
		h.wait(2 * seenEvery)
		h.good(h.people.changing.hold(t.Context())) // by somebody who never ends
		for what, do := range map[string]func(context.Context) error{
			"being here": func(ctx context.Context) error { return h.Here(ctx, ben) },
			"a name": func(ctx context.Context) error {
				return h.ChangeAccount(ctx, anna.ID, func(*Account) error { return nil })
			},
			"a program": func(ctx context.Context) error {
				return h.AddProgram(ctx, Account{ID: "p", More: More{Program: true, Owner: anna.ID}}, func(*Account) error { return nil })
			},
			"a token":    func(ctx context.Context) error { _, err := h.NewToken(ctx, anna.ID, store.Digest{1}); return err },
			"a deletion": func(ctx context.Context) error { return h.DeleteAccount(ctx, anna.ID) },
		} {
			ctx, done := context.WithTimeout(t.Context(), time.Second)
			if err := do(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s is answered by %v", what, err)
			}
			done()
		}
		h.people.changing.letGo()
		h.good(h.Here(t.Context(), ben))
		h.good(h.DeleteAccount(t.Context(), anna.ID))
		h.Stop()
	})
}

// TestTimeInWhichTheHouseStandsStillIsNobodys: while the table is told of an outage the
// disk takes twenty minutes. What comes next is decided as if they had not been, since
// the house was silent then; a move, a look after the clocks, and a sweep.
func TestTimeInWhichTheHouseStandsStillIsNobodys(t *testing.T) {
	t.Parallel()
	for what, next := range map[string]func(h *testHall, id string, people []Account){
		"a move":  func(h *testHall, id string, people []Account) { h.move(id, people...) },
		"a clock": func(h *testHall, id string, _ []Account) { h.good(h.wakeUp(h.Context(), id)) },
		"a sweep": func(h *testHall, _ string, _ []Account) { h.Sweep(h.Context()) },
		"a room at last": func(h *testHall, id string, people []Account) {
			_, err := h.next().Look(h.Context(), id, people[0])
			h.good(err)
		},
	} {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		h.wait(2 * time.Minute) // of ten
		h.away(time.Hour)
		slow := &stands{Store: h.db, stand: func() { h.away(20 * time.Minute) }}
		h.store = slow
		next(h, id, people)
		if slow.stand != nil && what != "a room at last" {
			t.Fatalf("%s: the table was told of nothing", what)
		}
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		for seat, at := range s.Look.People.Seats {
			if left := time.Duration(s.Look.Clock.Left[seat]) * time.Millisecond; at.Held != table.Human || left < 8*time.Minute {
				t.Errorf("%s: seat %d is held by %v and has %v left", what, seat, at.Held, left)
			}
		}
	}
}

// stands is a store during whose first append the whole house stands still.
type stands struct {
	store.Store
	stand func()
}

func (s *stands) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	receipt, err := s.Store.Append(ctx, a)
	if stand := s.stand; stand != nil {
		s.stand = nil
		stand()
	}
	return receipt, err
}

// TestATableIsShownAsItIsReadAgain: whoever looks on has sat down meanwhile, elsewhere
// in the house, and this room finds out when it tells the table of an outage. They
// see it from their seat.
func TestATableIsShownAsItIsReadAgain(t *testing.T) {
	h := newTestHall(t)
	anna, ben, cleo := h.account("anna"), h.account("ben"), h.account("cleo")
	id := h.table(settings("bosk", 3))
	h.sit(id, anna, cleo)
	h.bots(id, anna, 2)
	h.do(id, anna, start)
	_, err := h.Look(t.Context(), id, ben)
	h.good(err)
	other := h.next()
	h.away(time.Hour)
	h.good(h.at(other, id, ben, 2))
	if you, _ := h.seated(h.Hall, id, ben); you == nil || *you != 2 {
		t.Errorf("he sees it from %v", you)
	}
}

// TestWheneverTheHouseStandsStill for twenty minutes, at whichever look at the clock on
// the way of a move: nobody pays for it.
func TestWheneverTheHouseStandsStill(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.begun(settings("bosk", 2), people...)
		h.Stop()
		looks, armed := 0, false
		h.Hall = New(Options{Store: h.db, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(t), Now: func() time.Time {
			h.mu.Lock()
			defer h.mu.Unlock()
			if armed {
				if looks++; looks == at {
					h.now = h.now.Add(20 * time.Minute)
				}
			}
			return h.now
		}})
		p, last, err := h.Position(t.Context(), id, people[0])
		h.good(err)
		h.wait(2 * time.Minute) // of ten
		h.good(h.Beat(t.Context()))
		armed = true
		h.do(id, people[0], play(last, p.Moves()[0]))
		if armed = false; looks < at {
			if at < 5 {
				t.Errorf("the clock is looked at %d times only", looks)
			}
			return
		}
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		for seat, one := range s.Look.People.Seats {
			if left := time.Duration(s.Look.Clock.Left[seat]) * time.Millisecond; one.Held != table.Human || left < 8*time.Minute {
				t.Errorf("at look %d: seat %d is held by %v and has %v left", at, seat, one.Held, left)
			}
		}
	}
}
