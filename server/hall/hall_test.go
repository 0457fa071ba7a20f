package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

// testHall is a hall with a real store and a clock that stands still.
type testHall struct {
	testing.TB
	*Hall
	db  *sqlite.Store
	mu  sync.Mutex
	now time.Time
	rng *rand.Rand
}

func newTestHall(t testing.TB) *testHall {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
	if err != nil {
		t.Fatal(err)
	}
	h := &testHall{TB: t, db: db, now: time.UnixMilli(1_767_859_200_000).UTC(), rng: rand.New(rand.NewPCG(1, 2))}
	h.Hall = h.another()
	t.Cleanup(func() {
		h.Stop()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// another is one more hall over the same store, as after a restart or on another
// node.
func (h *testHall) another() *Hall {
	return New(Options{Store: h.db, News: news.NewHub(), Games: games.All(), Key: []byte("a key of this server"), Cores: 1, Random: halltest.Random(h.TB), Now: func() time.Time {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.now
	}})
}

func (h *testHall) wait(d time.Duration) {
	h.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
	_, err := h.db.Beat(context.Background(), h.now, forEver) // the house was at work all the time
	h.good(err)
}

// away lets time pass while the house does nothing.
func (h *testHall) away(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

const forEver = time.Duration(1<<63 - 1)

func (h *testHall) good(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// refused makes sure that an error is a refusal with this key.
func (h *testHall) refused(key string, err error) {
	h.Helper()
	var refusal *game.Refusal
	var fault *game.Fault
	switch {
	case errors.As(err, &refusal) && refusal.Key == key, errors.As(err, &fault) && fault.Key == key:
	default:
		h.Fatalf("it is answered by %v, not by %s", err, key)
	}
}

func (h *testHall) account(name string) Account {
	h.Helper()
	a := Account{ID: "id-" + name, Name: name, Salt: []byte("salt of " + name)}
	h.good(h.AddAccount(h.Context(), a))
	return a
}

func settings(name string, seats int) table.Settings {
	return table.Settings{Game: name, Seats: seats, Pace: table.Live, Undo: table.UndoConsent, Visible: table.ForAll, Watchers: true, TakeOver: true, StandIn: "easy"}
}

func (h *testHall) table(set table.Settings) string {
	h.Helper()
	id, err := h.Create(h.Context(), set)
	h.good(err)
	return id
}

func (h *testHall) sit(id string, list ...Account) {
	h.Helper()
	for i, a := range list {
		_, err := h.Sit(h.Context(), id, a, table.Sit{Seat: game.None, Nonce: table.Nonce{1, byte(i)}}, store.Once{})
		h.good(err)
	}
}

func (h *testHall) do(id string, by Account, want func(table.Person) table.Command) int {
	h.Helper()
	n, err := h.Do(h.Context(), id, Request{By: by, Want: want})
	h.good(err)
	return n
}

// arriving is what a reader hears, as it comes.
func arriving(r news.Reader) iter.Seq[news.Item] {
	return func(yield func(news.Item) bool) {
		for {
			for item, ok := r.Take(); ok; item, ok = r.Take() {
				if !yield(item) {
					return
				}
			}
			if _, more := <-r.Ready(); !more {
				return
			}
		}
	}
}

func start(p table.Person) table.Command { return table.Start{Person: p} }

// begun is a table at which these people have begun.
func (h *testHall) begun(set table.Settings, list ...Account) string {
	h.Helper()
	id := h.table(set)
	h.sit(id, list...)
	h.do(id, list[0], start)
	return id
}

// move lets the one of these who is to act move, and tells whether the game goes
// on.
func (h *testHall) move(id string, list ...Account) bool {
	h.Helper()
	s, err := h.Look(h.Context(), id, list[0])
	h.good(err)
	if len(s.Look.ToAct) == 0 {
		return false
	}
	by := list[s.Look.ToAct[0]]
	p, last, err := h.Position(h.Context(), id, by)
	h.good(err)
	moves := p.Moves()
	h.do(id, by, play(last, moves[h.rng.IntN(len(moves))]))
	return true
}

func play(after int, moves ...json.RawMessage) func(table.Person) table.Command {
	return func(p table.Person) table.Command { return table.Play{Person: p, After: after, Moves: moves} }
}

// TestWholeGames plays games of people; every viewer hears every entry, and a hall
// that opens the table later shows the same.
func TestWholeGames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		h := newTestHall(t)
		people := []Account{h.account("anna"), h.account("ben")}
		id := h.table(settings(name, 2))
		reader := h.news.Subscribe(10_000)
		first, err := h.Follow(t.Context(), id, people[0], reader)
		h.good(err)
		if first.You != nil || first.Look.Number != 0 {
			t.Fatalf("before anybody sits it shows %+v", first)
		}
		h.sit(id, people...)
		h.do(id, people[0], start)
		for h.move(id, people...) {
			h.wait(time.Second)
		}
		s, err := h.Look(t.Context(), id, people[1])
		h.good(err)
		if s.Look.People.Phase != "over" || s.Who[0].Name != "anna" || s.Who[1].Name != "ben" || *s.You != 1 {
			t.Errorf("in the end it shows %+v", s)
		}
		items := map[int]int{}
		for item, ok := reader.Take(); ok; item, ok = reader.Take() {
			if item.Number == news.Unnumbered {
				continue
			}
			for _, viewer := range []game.Seat{game.Watcher, 0, 1} {
				form, _, ok := Form(item.Body, viewer)
				var told struct {
					Table  string
					Number int
				}
				if ok && (json.Unmarshal(form, &told) != nil || told.Table != id || told.Number != item.Number) {
					t.Fatalf("entry %d is told to %v as %s", item.Number, viewer, form)
				}
				if ok {
					items[item.Number]++
				}
			}
		}
		for n := 1; n <= s.Look.Number; n++ {
			if items[n] == 0 {
				t.Fatalf("entry %d was told to nobody: %v", n, items)
			}
		}
		later := h.another()
		defer later.Stop()
		then, err := later.Look(t.Context(), id, people[1])
		h.good(err)
		one, _ := json.Marshal(s.Look)
		two, _ := json.Marshal(then.Look)
		if string(one) != string(two) {
			t.Errorf("later it is\n%s\nand was\n%s", two, one)
		}
		h.Tend(t.Context()) // packs
		if l, err := h.db.Table(t.Context(), id); err != nil || !l.Packed || !l.Over || !l.Wake.IsZero() {
			t.Errorf("the finished game is listed as %+v, %v", l, err)
		}
		raw, err := later.Export(t.Context(), id, people[0])
		h.good(err)
		if _, err := table.Verify(later.shelf, raw); err != nil {
			t.Errorf("the export does not verify: %v", err)
		}
	}
}

// TestSameKeySameAnswer: a move that comes again is answered as before, whatever
// has happened since, and nothing happens twice.
func TestSameKeySameAnswer(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	s, err := h.Look(t.Context(), id, people[0])
	h.good(err)
	by := people[s.Look.ToAct[0]]
	p, last, err := h.Position(t.Context(), id, by)
	h.good(err)
	w := Request{By: by, Want: play(last, p.Moves()[0]), Once: store.Once{Key: "k1", Asked: []byte("the move"), After: last + 1}}
	first, err := h.Do(t.Context(), id, w)
	h.good(err)
	after := h.another()
	defer after.Stop()
	for range 20 {
		h.move(id, people...)
	}
	for _, hall := range []*Hall{h.Hall, after} {
		again, err := hall.Do(t.Context(), id, w)
		h.good(err)
		if again != first {
			t.Errorf("the move is answered by %d and then by %d", first, again)
		}
		other := w
		other.Once.Asked = []byte("another move")
		if _, err := hall.Do(t.Context(), id, other); !errors.Is(err, store.ErrReused) {
			t.Errorf("the same key for something else is answered by %v", err)
		}
		other.Once = store.Once{}
		if again, err := hall.Do(t.Context(), id, other); err != nil || again != first {
			t.Errorf("without a key the same move is answered by %d, %v", again, err)
		}
	}
	entries, err := h.db.Read(t.Context(), id, 0)
	h.good(err)
	if n := len(entries); n < 22 {
		t.Errorf("there are %d entries", n)
	}
}

// TestSameKeySameAnswerAfterTheEnd: what was done at a finished table is answered
// as before, packed or not; what was never done is answered that the game is over.
func TestSameKeySameAnswerAfterTheEnd(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	type done struct {
		Request
		number int
	}
	var all []done
	do := func(w Request) {
		t.Helper()
		n, err := h.Do(t.Context(), id, w)
		h.good(err)
		all = append(all, done{w, n})
	}
	for n := range 30 {
		s, err := h.Look(t.Context(), id, people[0])
		h.good(err)
		by := people[s.Look.ToAct[0]]
		p, last, err := h.Position(t.Context(), id, by)
		h.good(err)
		moves := p.Moves()
		do(Request{By: by, Want: play(last, moves[h.rng.IntN(len(moves))]), Once: store.Once{Key: fmt.Sprint(n), Asked: []byte("a move"), After: last + 1}})
	}
	do(Request{By: people[1], Want: func(p table.Person) table.Command { return table.Resign{Person: p} }, Once: store.Once{Key: "resign"}})
	check := func(when string) {
		t.Helper()
		for _, hall := range []*Hall{h.Hall, h.another()} {
			for _, w := range all {
				if n, err := hall.Do(t.Context(), id, w.Request); err != nil || n != w.number {
					t.Errorf("%s, key %s is answered by %d, %v, want %d", when, w.Once.Key, n, err, w.number)
				}
			}
			never := all[len(all)-1].Request
			never.Once.Key = "another"
			var refusal *game.Refusal
			if n, err := hall.Do(t.Context(), id, never); !errors.As(err, &refusal) || refusal.Key != "table.over" {
				t.Errorf("%s, what was never done is answered by %d, %v", when, n, err)
			}
		}
	}
	check("at the end")
	h.Tend(t.Context())
	if l, err := h.store.Table(t.Context(), id); err != nil || !l.Packed {
		t.Fatalf("it is not packed: %v", err)
	}
	check("packed")
}

// TestSameKeySameAnswerBehindAClosedDoor: a person who sat down and got up again
// before a game that nobody may watch is answered as then, and is told nothing
// else.
func TestSameKeySameAnswerBehindAClosedDoor(t *testing.T) {
	h := newTestHall(t)
	people, cleo := []Account{h.account("anna"), h.account("ben")}, h.account("cleo")
	set := settings("bosk", 3)
	set.Visible, set.Watchers = table.Private, false
	id := h.table(set)
	h.sit(id, people...)
	sit := func(key string) (int, error) {
		return h.Sit(t.Context(), id, cleo, table.Sit{Seat: game.None, Nonce: table.Nonce{7}}, store.Once{Key: key})
	}
	leave := func(key string) (int, error) {
		return h.Do(t.Context(), id, Request{By: cleo, Want: func(p table.Person) table.Command { return table.Leave{Person: p} }, Once: store.Once{Key: key}})
	}
	sat, err := sit("sit")
	h.good(err)
	left, err := leave("leave")
	h.good(err)
	h.do(id, people[0], func(p table.Person) table.Command { return table.Start{Person: p, Fill: "easy"} })
	if n, err := sit("sit"); err != nil || n != sat {
		t.Errorf("sitting down is answered by %d, %v, and was by %d", n, err, sat)
	}
	if n, err := leave("leave"); err != nil || n != left {
		t.Errorf("getting up is answered by %d, %v, and was by %d", n, err, left)
	}
	for _, ask := range []func(string) (int, error){sit, leave} {
		if _, err := ask("another"); !errors.Is(err, store.ErrNone) {
			t.Errorf("what was never done is answered by %v", err)
		}
	}
}

// TestTwoHallsAtOneTable: the second hall is refused, reads on and decides again.
func TestTwoHallsAtOneTable(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	other := h.another()
	defer other.Stop()
	halls := []*Hall{h.Hall, other}
	for n := range 60 { // each time by a hall that has not heard of the last
		_, err := halls[n%2].Do(t.Context(), id, Request{By: people[1], Want: func(p table.Person) table.Command { return table.Leave{Person: p} }})
		h.good(err)
		_, err = halls[(n+1)%2].Do(t.Context(), id, Request{By: people[1], Want: func(p table.Person) table.Command { return table.Return{Person: p} }})
		h.good(err)
	}
	entries, err := h.db.Read(t.Context(), id, 0)
	h.good(err)
	if len(entries) < 120 {
		t.Errorf("only %d entries", len(entries))
	}
}

// TestBotsPlay: bots fill a table and play it to its end with one person.
func TestBotsPlay(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	id := h.table(settings("grandbois", 3))
	reader := h.news.Subscribe(10_000)
	_, err := h.Follow(t.Context(), id, anna, reader)
	h.good(err)
	h.sit(id, anna)
	h.do(id, anna, func(p table.Person) table.Command { return table.Start{Person: p, Fill: "greedy"} })
	for {
		s, err := h.Look(t.Context(), id, anna)
		h.good(err)
		if s.Look.People.Phase == "over" {
			break
		}
		if len(s.Look.ToAct) > 0 && s.Look.ToAct[0] == 0 {
			p, last, err := h.Position(t.Context(), id, anna)
			h.good(err)
			h.do(id, anna, play(last, p.Moves()[0]))
			continue
		}
		for item := range arriving(reader) { // until a bot has moved
			if item.Number > s.Look.Number {
				break
			}
		}
	}
}

// TestABotThatBreaksDownWedgesNothing: whatever a bot does, the game goes on.
func TestABotThatBreaksDownWedgesNothing(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	id := h.table(settings("bosk", 2))
	h.sit(id, anna)
	// The bot is a player of a Copse that no longer exists.
	h.do(id, anna, func(p table.Person) table.Command { return table.SeatBot{Person: p, Seat: 1, Player: "oracle"} })
	reader := h.news.Subscribe(1000)
	_, err := h.Follow(t.Context(), id, anna, reader)
	h.good(err)
	h.do(id, anna, start)
	for moved := false; !moved; {
		s, err := h.Look(t.Context(), id, anna)
		h.good(err)
		if s.Look.ToAct[0] == 0 {
			p, last, err := h.Position(t.Context(), id, anna)
			h.good(err)
			h.do(id, anna, play(last, p.Moves()[0]))
			continue
		}
		for item := range arriving(reader) {
			if item.Number > s.Look.Number {
				moved = true
				break
			}
		}
	}
}

// TestTimeRunsOut: a stand-in plays for a person whose time ran out, also after a
// restart.
func TestTimeRunsOut(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.wait(9 * time.Minute)
	h.Tend(t.Context())
	held := func(hall *Hall) table.Holder {
		s, err := hall.Look(t.Context(), id, people[1])
		h.good(err)
		return s.Look.People.Seats[0].Held
	}
	if held(h.Hall) != table.Human {
		t.Fatal("the time ran out too early")
	}
	h.Stop()
	h.wait(2 * time.Minute)
	h.Hall = h.another()
	h.Tend(t.Context())
	if got := held(h.Hall); got != table.Away {
		t.Errorf("when the time has run out the seat is held by %v", got)
	}
}

// TestOutOfReach: a stand-in plays for a person who is away from a live game for
// long.
func TestOutOfReach(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.news.Subscribe(1000)
	_, err := h.Follow(t.Context(), id, people[0], reader)
	h.good(err)
	h.wait(outOfReach + time.Second)
	h.Sweep(t.Context())
	s, err := h.Look(t.Context(), id, people[0])
	h.good(err)
	if s.Look.People.Seats[0].Held != table.Human || s.Look.People.Seats[1].Held != table.Away {
		t.Errorf("the seats are held by %+v", s.Look.People.Seats)
	}
	h.do(id, people[1], func(p table.Person) table.Command { return table.Return{Person: p} })
}

// TestTablesThatNobodyWants: they are dropped or closed.
func TestTablesThatNobodyWants(t *testing.T) {
	h := newTestHall(t)
	anna := h.account("anna")
	empty, waiting := h.table(settings("bosk", 2)), h.table(settings("bosk", 2))
	h.sit(waiting, anna)
	list, err := h.Open(t.Context(), anna, "bosk", 0, 10)
	h.good(err)
	if len(list) != 2 || list[0].Table != waiting || list[0].Who[0].Name != "anna" || list[0].You == nil || list[1].You != nil {
		t.Errorf("listed are %+v", list)
	}
	h.wait(2 * time.Hour)
	h.Tend(t.Context())
	if _, err := h.Look(t.Context(), empty, anna); !errors.Is(err, store.ErrNone) {
		t.Errorf("the table at which nobody sat: %v", err)
	}
	h.wait(24 * time.Hour)
	h.Tend(t.Context())
	s, err := h.Look(t.Context(), waiting, anna)
	h.good(err)
	if s.Look.People.Phase != "over" {
		t.Errorf("the table at which one waited a day is %s", s.Look.People.Phase)
	}
	if list, err := h.Open(t.Context(), anna, "", 0, 10); err != nil || len(list) != 0 {
		t.Errorf("listed are %+v, %v", list, err)
	}
}

// TestRoomsAreClosedWhenNobodyComes: and opened again.
func TestRoomsAreClosedWhenNobodyComes(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	set := settings("bosk", 2)
	set.Pace = table.Days
	id := h.begun(set, people...)
	h.wait(idleRoom)
	h.Sweep(t.Context())
	if n := h.Rooms(); n != 0 {
		t.Fatalf("%d rooms are open", n)
	}
	if !h.move(id, people...) {
		t.Error("the game does not go on")
	}
}

// TestDeletedPeople: the games stay, the name goes.
func TestDeletedPeople(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben"), h.account("cleo")}
	id := h.begun(settings("grandbois", 3), people...)
	waiting := h.table(settings("bosk", 2))
	h.sit(waiting, people[0])
	_, err := h.Say(t.Context(), id, people[0], Words{Text: "  my   name is\nAnna "}, store.Once{})
	h.good(err)
	lines, err := h.Lines(t.Context(), id, people[1], 0)
	h.good(err)
	if len(lines) != 1 || lines[0].Text != "my name is Anna" || lines[0].By.Name != "anna" || *lines[0].Seat != 0 {
		t.Errorf("said was %+v", lines)
	}
	h.good(h.DeleteAccount(t.Context(), people[0].ID))
	s, err := h.Look(t.Context(), id, people[1])
	h.good(err)
	if s.Who[0] != nil || s.Look.People.Seats[0].Held != table.Replaced {
		t.Errorf("deleted, it shows %+v", s.Look.People.Seats)
	}
	if lines, err := h.Lines(t.Context(), id, people[1], 0); err != nil || len(lines) != 0 {
		t.Errorf("said is %+v, %v", lines, err)
	}
	if s, err = h.Look(t.Context(), waiting, people[1]); err != nil || s.Look.People.Seats[0].Held != table.Nobody {
		t.Errorf("where nothing has begun it shows %+v, %v", s, err)
	}
}

// TestRematch: everyone meets at the same table, one seat further on.
func TestRematch(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.table(settings("grandbois", 3))
	h.sit(id, people...)
	h.do(id, people[0], func(p table.Person) table.Command { return table.Start{Person: p, Fill: "easy"} })
	if _, err := h.Rematch(t.Context(), id, people[0]); err == nil {
		t.Error("a rematch before the end")
	}
	for _, by := range people {
		h.do(id, by, func(p table.Person) table.Command { return table.Resign{Person: p} })
	}
	one, err := h.Rematch(t.Context(), id, people[0])
	h.good(err)
	two, err := h.Rematch(t.Context(), id, people[1])
	h.good(err)
	if one != two {
		t.Fatalf("the rematch is at %s and at %s", one, two)
	}
	_, err = h.Rematch(t.Context(), id, h.account("cleo"))
	h.refused("table.stranger", err)
	if s, err := h.Look(t.Context(), id, people[1]); err != nil || s.Next != one {
		t.Errorf("the finished table shows %+v, %v", s, err)
	}
	for i, by := range people { // who comes to the table, by a look or by the stream, is told which seat is theirs
		s, err := h.Look(t.Context(), one, by)
		h.good(err)
		if s.You != nil || s.Kept == nil || *s.Kept != game.Seat(i+1) {
			t.Errorf("%s comes to the next table and sees seat %v kept", by.Name, s.Kept)
		}
	}
	if s, err := h.Look(t.Context(), one, h.account("dora")); err != nil || s.Kept != nil {
		t.Errorf("a stranger sees seat %v kept, %v", s.Kept, err)
	}
	h.sit(one, people[1], people[0])
	_, err = h.Sit(t.Context(), one, people[0], table.Sit{Seat: game.None, Nonce: table.Nonce{9}}, store.Once{})
	h.refused("table.seated", err)
	s, err := h.Look(t.Context(), one, people[0])
	h.good(err)
	if s.Kept != nil {
		t.Errorf("seat %v is kept for who sits there", *s.Kept)
	}
	if *s.You != 1 || s.Who[2].Name != "ben" || s.Look.People.Seats[0].Player != "easy" {
		t.Errorf("at the next table they sit %+v", s.Look.People)
	}
	h.do(one, people[0], start)
}

// TestAKeptSeatThatIsTaken: a person whose kept seat somebody else has taken gets
// any other.
func TestAKeptSeatThatIsTaken(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	h.do(id, people[0], func(p table.Person) table.Command { return table.Resign{Person: p} })
	next, err := h.Rematch(t.Context(), id, people[0])
	h.good(err)
	_, err = h.Sit(t.Context(), next, people[1], table.Sit{Seat: 1, Nonce: table.Nonce{1}}, store.Once{}) // anna's
	h.good(err)
	if s, err := h.Look(t.Context(), next, people[0]); err != nil || s.Kept != nil {
		t.Errorf("a seat that is taken is shown as kept: %v, %v", s.Kept, err)
	}
	h.sit(next, people[0])
	if s, err := h.Look(t.Context(), next, people[0]); err != nil || s.You == nil || *s.You != 0 {
		t.Errorf("anna sees %+v, %v", s, err)
	}
}

// TestPrivateTablesAreNotToBeSeen: once the game has begun.
func TestPrivateTablesAreNotToBeSeen(t *testing.T) {
	h := newTestHall(t)
	people, cleo := []Account{h.account("anna"), h.account("ben")}, h.account("cleo")
	set := settings("bosk", 2)
	set.Visible, set.Watchers = table.Private, false
	id := h.begun(set, people...)
	for _, err := range []error{
		func() error { _, err := h.Look(t.Context(), id, cleo); return err }(),
		func() error { _, err := h.Look(t.Context(), id, Account{}); return err }(),
		func() error { _, err := h.Do(t.Context(), id, Request{By: cleo, Want: start}); return err }(),
		func() error {
			_, err := h.Sit(t.Context(), id, cleo, table.Sit{Seat: game.None, Nonce: table.Nonce{1}}, store.Once{})
			return err
		}(),
		func() error { _, err := h.Rematch(t.Context(), id, cleo); return err }(),
		func() error { _, err := h.Lines(t.Context(), id, cleo, 0); return err }(),
		func() error { _, err := h.Follow(t.Context(), id, cleo, h.news.Subscribe(1)); return err }(),
	} {
		if !errors.Is(err, store.ErrNone) {
			t.Errorf("a stranger is answered by %v", err)
		}
	}
}

// TestStoreTrouble: what cannot be written has not happened, and the table goes on
// when it can be written.
func TestStoreTrouble(t *testing.T) {
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	broken := &fails{Store: h.db}
	h.store = broken
	s, err := h.Look(t.Context(), id, people[0])
	h.good(err)
	by := people[s.Look.ToAct[0]]
	p, last, err := h.Position(t.Context(), id, by)
	h.good(err)
	for _, trouble := range []error{store.ErrUnwritten, context.DeadlineExceeded} {
		broken.err = trouble
		if _, err := h.Do(t.Context(), id, Request{By: by, Want: play(last, p.Moves()[0])}); !errors.Is(err, trouble) {
			t.Fatalf("it is answered by %v", err)
		}
		now, err := h.Look(t.Context(), id, by)
		h.good(err)
		if now.Look.Number != s.Look.Number {
			t.Fatalf("what was not written has happened: %d, not %d", now.Look.Number, s.Look.Number)
		}
	}
	broken.err = nil
	h.do(id, by, play(last, p.Moves()[0]))
}

// fails is a store whose appends fail.
type fails struct {
	store.Store
	err error
}

func (f *fails) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if f.err != nil {
		return store.Receipt{}, f.err
	}
	return f.Store.Append(ctx, a)
}

func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		b.Run(name, func(b *testing.B) {
			h := newTestHall(b)
			people := []Account{h.account("anna"), h.account("ben"), h.account("cleo"), h.account("dora")}
			id := h.begun(settings(name, 4), people...)
			for h.move(id, people...) {
			}
			h.Tend(b.Context())
			for b.Loop() {
				r, err := h.enter(b.Context(), id)
				if err != nil {
					b.Fatal(err)
				}
				r.discard()
				r.leave()
			}
		})
	}
}
