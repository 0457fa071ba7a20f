package table

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

func TestPeopleSitDownWhereASeatIsFree(t *testing.T) {
	r := open(t, settings("tiny", 3))
	r.refuses("table.stranger", Start{Person: somebody(0)})
	r.do(Sit{somebody(0), 1, nonce(0), ""})
	r.refuses("table.seated", Sit{somebody(0), 2, nonce(0), ""})
	r.refuses("table.taken", Sit{somebody(1), 1, nonce(1), ""})
	r.refuses("table.seat", Sit{somebody(1), 3, nonce(1), ""})
	r.refuses("table.seat", Sit{somebody(1), game.Chance, nonce(1), ""})
	r.refuses("table.nonce", Sit{somebody(1), 0, Nonce{}, ""})
	r.refuses("table.nonce", Sit{Person{}, 0, nonce(1), ""})
	r.do(Sit{somebody(1), game.None, nonce(1), ""})
	if r.SeatOf(somebody(1)) != 0 || r.SeatOf(somebody(2)) != game.None {
		t.Error("they sit elsewhere")
	}
	r.refuses("table.empty", Start{Person: somebody(0)})
	r.do(Sit{somebody(2), game.None, nonce(2), ""})
	r.refuses("table.no-seat", Sit{somebody(3), game.None, nonce(3), ""})
	r.wantKinds(r.do(Leave{somebody(2)}), Stood)
	r.do(Sit{somebody(3), game.None, nonce(3), ""})
	r.refuses("table.lobby", r.playAs(3))
	r.do(Start{Person: somebody(3)}) // where no seat is empty anyone may begin
	r.refuses("table.begun", Start{Person: somebody(3)})
	r.refuses("table.stranger", r.playAs(2))
	r.refuses("table.stranger", Play{After: r.Last(), Moves: raw(`{"do":"shake"}`)})
}

// playAs is a move of somebody.
func (r *rig) playAs(n int) Play {
	return Play{Person: somebody(n), After: r.Last(), Moves: raw(`{"do":"shake"}`)}
}

func TestWhoHasSatLongestDecidesAboutBots(t *testing.T) {
	r := open(t, settings("tiny", 4))
	r.do(Sit{somebody(0), 2, nonce(0), ""})
	r.do(Sit{somebody(1), 0, nonce(1), ""})
	if host := r.People().Host; host == nil || *host != 2 {
		t.Errorf("seat %v decides", host)
	}
	r.refuses("table.host", SeatBot{somebody(1), 1, "greedy"})
	r.refuses("table.player", SeatBot{somebody(0), 1, "Greedy!"})
	r.do(SeatBot{somebody(0), 1, "greedy"})
	r.refuses("table.taken", SeatBot{somebody(0), 1, "greedy"})
	r.refuses("table.taken", DropBot{somebody(0), 0})
	r.refuses("table.nobody", DropBot{somebody(0), 3})
	r.refuses("table.host", DropBot{somebody(1), 1})
	r.do(DropBot{somebody(0), 1})
	r.refuses("table.host", Start{Person: somebody(1), Fill: "greedy"})
	r.do(Leave{somebody(0)})
	r.wantKinds(r.do(Start{Person: somebody(1), Fill: "level:9"})[:4], BotSat, BotSat, BotSat, Started)
	r.refuses("table.begun", SeatBot{somebody(1), 1, "greedy"})
}

func TestPeopleTakeTheSeatsOfBotsWhereThatWasAgreed(t *testing.T) {
	r := begun(t, settings("tiny", 3), 1)
	r.refuses("table.seated", Sit{somebody(0), 1, nonce(1), ""})
	r.refuses("table.taken", Sit{somebody(5), 0, nonce(1), ""})
	draws := r.seed(&r.now)
	r.wantKinds(r.do(Sit{somebody(5), game.None, nonce(5), ""}), Taken)
	if r.SeatOf(somebody(5)) != 1 {
		t.Error("it does not sit there")
	}
	same(t, "chance", draws, r.seed(&r.now))
	r.do(Sit{somebody(6), 2, nonce(6), ""})
	r.refuses("table.no-seat", Sit{somebody(7), game.None, nonce(7), ""})

	set := settings("tiny", 3)
	set.TakeOver = false
	r = begun(t, set, 1)
	r.refuses("table.take-over", Sit{somebody(5), 1, nonce(1), ""})
}

func TestABotPlaysForWhoLeavesUntilItReturns(t *testing.T) {
	rng := newRand(3, 1)
	r := begun(t, settings("tiny", 2), 2)
	r.wantKinds(r.do(Leave{somebody(0)}), Left)
	r.refuses("table.gone", Leave{somebody(0)})
	r.refuses("table.taken", Sit{somebody(5), 0, nonce(5), ""}) // the seat still belongs to somebody
	seat, player, _, ok := r.Thinks()
	if !ok || seat != 0 || player != "level:3" {
		t.Fatalf("seat %v thinks as %q: %v", seat, player, ok)
	}
	r.move(rng)
	if e := r.entry(r.Last()); r.trace[r.Last()-1].actor == 0 && e.Do == Moved && !e.Bot {
		t.Error("the log does not say that it was a bot")
	}
	r.do(Return{somebody(0)})
	r.refuses("table.there", Return{somebody(0)})
	if _, _, _, ok := r.Thinks(); ok {
		t.Error("a bot still thinks")
	}
	r.refuses("table.held", BotPlay{Seat: 0, After: r.Last(), Moves: raw(`{"do":"shake"}`)})

	r = begun(t, settings("tiny", 2), 2)
	r.do(Leave{somebody(0)})
	kinds := r.do(Play{Person: somebody(0), After: r.Last(), Moves: raw(`{"do":"dig"}`)})
	r.wantKinds(kinds[:2], Returned, Moved) // a person who moves is back
}

func TestBotsWaitForPeople(t *testing.T) {
	r := begun(t, settings("tiny", 2), 1)
	r.says(`{"do":"shake"}`)
	if seat, player, _, ok := r.Thinks(); !ok || seat != 1 || player != "greedy" {
		t.Fatalf("seat %v thinks as %q: %v", seat, player, ok)
	}
	r.do(Leave{somebody(0)})
	if _, _, _, ok := r.Thinks(); ok {
		t.Error("bots play among themselves")
	}
}

func TestWhoResignsRanksBehindAllWhoDidNot(t *testing.T) {
	rng := newRand(3, 2)
	r := begun(t, settings("tiny", 4), 4)
	r.turn(rng)
	r.do(Resign{somebody(1)})
	r.refuses("table.resigned", Resign{somebody(1)})
	r.refuses("table.resigned", TakeBack{somebody(1), -1})
	r.refuses("table.resigned", Return{somebody(1)})
	r.refuses("table.resigned", Leave{somebody(1)})
	if seat, player, _, ok := r.Thinks(); !ok || seat != 1 || player != "level:3" {
		t.Errorf("seat %v thinks as %q: %v", seat, player, ok)
	}
	if r.SeatOf(somebody(1)) != 1 {
		t.Error("it has lost its seat at the table")
	}
	r.turn(rng)
	r.do(Resign{somebody(3)})
	for !r.Over() {
		r.move(rng)
	}
	end := r.entry(r.Len() - 1)
	standing := r.now.pos.Standing()
	for seat, rank := range end.Ranks {
		want := map[int]int{1: 4, 3: 3}[seat]
		if want == 0 {
			want = 1
			if other := 2 - seat; standing.Seats[other].Rank < standing.Seats[seat].Rank {
				want = 2
			}
		}
		if rank != want {
			t.Errorf("seat %d ranks %d, want %d", seat, rank, want)
		}
		if end.Totals[seat] != int(standing.Seats[seat].Total) {
			t.Errorf("seat %d has %d points", seat, end.Totals[seat])
		}
		if shown := r.Look(0).Standing.Seats[seat].Rank; shown == nil || int(*shown) != want {
			t.Errorf("seat %d is shown as %v", seat, shown)
		}
	}
}

func TestTheGameEndsWhenTooFewAreLeftInPlay(t *testing.T) {
	r := begun(t, settings("grandbois", 2), 2)
	r.wantKinds(r.do(Resign{somebody(0)}), Resigned, Ended)
	end := r.entry(r.Len() - 1)
	if end.Why != GivenUp || !slices.Equal(end.Ranks, []int{2, 1}) {
		t.Errorf("it ends %v with ranks %v", end.Why, end.Ranks)
	}
	r = begun(t, settings("tiny", 4), 2) // bots do not play on alone
	r.wantKinds(r.do(Resign{somebody(0)}), Resigned)
	r.wantKinds(r.do(Resign{somebody(1)}), Resigned, Ended)
	if got := r.entry(r.Len() - 1).Ranks; got[0] != 4 || got[1] != 3 || got[2] > 2 || got[3] > 2 {
		t.Errorf("the ranks are %v", got)
	}
	for n, want := range map[int]string{r.Len() - 3: "table.event.resign", r.Len() - 2: "table.event.resign.last"} { // the game ends by it, so no bot plays on
		if events := r.Hear(n, game.Watcher).Events; len(events) != 1 || events[0].Key != want {
			t.Errorf("of entry %d is told %v, not %s", n, events, want)
		}
	}
}

func TestLinesBeforeTheGameTellOfWhoSatThere(t *testing.T) {
	r := open(t, settings("tiny", 2))
	r.do(Sit{somebody(0), 0, nonce(0), ""})
	r.do(Sit{somebody(1), 1, nonce(1), ""})
	r.do(Kick{somebody(0), 1})
	r.do(SeatBot{somebody(0), 1, "level:2"})
	r.do(DropBot{somebody(0), 1})
	r.do(Sit{somebody(2), 1, nonce(2), r.Invite()})
	r.do(Leave{somebody(0)})
	one := func(n int) *Seated { p := somebody(n); return &Seated{Held: Human, Person: &p} }
	bot := &Seated{Held: Robot, Player: "level:2"}
	for n, want := range []*Seated{nil, one(0), one(1), one(1), bot, bot, one(2), one(0)} {
		if got := r.Hear(n, game.Watcher).Of; !reflect.DeepEqual(got, want) {
			t.Errorf("entry %d tells of %+v, not of %+v", n, got, want)
		}
	}
}

func TestAGameIsAbandonedByAllTogether(t *testing.T) {
	r := begun(t, settings("tiny", 3), 3)
	r.do(Leave{somebody(2)})
	r.do(Suggest{somebody(0), Abandon})
	r.wantKinds(r.do(Answer{somebody(1), Abandon, true}), Agreed)
	r.refuses("table.stranger", Answer{somebody(9), Abandon, true})
	r.wantKinds(r.do(Answer{somebody(2), Abandon, true}), Returned, Agreed, Ended) // the game is theirs too
	end := r.entry(r.Len() - 1)
	if end.Why != Abandoned || end.Ranks != nil || end.Seat != 0 {
		t.Errorf("it ends %+v", end)
	}
	if rank := r.Look(game.Watcher).Standing.Seats[0].Rank; rank != nil {
		t.Errorf("seat 0 ranks %d", *rank)
	}
	r.refuses("table.over", r.playAs(0))

	r = begun(t, settings("tiny", 3), 1)
	r.wantKinds(r.do(Suggest{somebody(0), Abandon}), Ended)
	r = begun(t, settings("tiny", 3), 1)
	r.refuses("table.wish", Suggest{somebody(0), Undo})
	r.refuses("table.wish", Answer{somebody(0), 9, true})
	r.wantKinds(r.do(Suggest{somebody(0), Pause}), Paused)
	r.refuses("table.paused", Suggest{somebody(0), Pause})
	r.wantKinds(r.do(Resume{somebody(0)}), Resumed)
	r.refuses("table.not-paused", Resume{somebody(0)})
}

func TestWhoComesOrGoesEndsWhatWasAsked(t *testing.T) {
	for name, cmd := range map[string]Command{
		"leaves": Leave{somebody(1)}, "resigns": Resign{somebody(1)}, "sits down": Sit{somebody(7), 3, nonce(7), ""},
	} {
		r := begun(t, settings("tiny", 4), 3)
		r.do(Suggest{somebody(0), Pause})
		r.do(Suggest{somebody(2), Abandon})
		r.do(cmd)
		if asks := r.People().Asks; len(asks) > 0 {
			t.Errorf("somebody %s, and still it is asked for %v", name, asks)
		}
	}
}

func TestARematchRotatesTheSeats(t *testing.T) {
	r := begun(t, settings("tiny", 3), 2)
	if _, _, err := r.Rematch(); keyOf(err) != "table.rematch" {
		t.Errorf("before the end: %v", err)
	}
	r.do(Resign{somebody(0)})
	r.do(Leave{somebody(1)})
	for !r.Over() {
		r.do(Return{somebody(1)})
		for !r.Over() {
			r.move(newRand(3, 3))
		}
	}
	set, again, err := r.Rematch()
	if err != nil {
		t.Fatal(err)
	}
	want := []Again{{Player: "greedy"}, {Person: somebody(0)}, {Person: somebody(1)}}
	if !slices.Equal(again, want) {
		t.Errorf("they sit as %v", again)
	}
	next := open(t, set)
	same(t, "the settings", next.Settings(), r.Settings())
}

func TestWatchersLookOnWhereTheyMay(t *testing.T) {
	set := settings("tiny", 2)
	set.Visible, set.Watchers = Private, false
	r := open(t, set)
	if !r.MaySee(somebody(9)) {
		t.Error("who has the link cannot see whether to sit down")
	}
	r = begun(t, set, 2)
	if r.MaySee(somebody(9)) || !r.MaySee(somebody(1)) || r.MaySee(Person{}) {
		t.Error("a private table is seen by others, or not by its own")
	}
	if r = begun(t, settings("tiny", 2), 2); !r.MaySee(somebody(9)) {
		t.Error("no watcher may look on")
	}
	set.Watchers = true
	if _, _, err := Create(shelf, set, Secret{}, dawn); keyOf(err) != "table.private" {
		t.Errorf("private with watchers: %v", err)
	}
}

func TestHintsAreForOneAloneOrForAll(t *testing.T) {
	r := begun(t, settings("tiny", 3), 1)
	if !r.Hints() {
		t.Error("alone with bots there are none")
	}
	r.do(Sit{somebody(5), game.None, nonce(5), ""})
	if r.Hints() || r.People().Hints {
		t.Error("there are some though they were not agreed on")
	}
	r.do(Leave{somebody(5)}) // they may return
	if r.Hints() {
		t.Error("there are some behind the back of somebody away")
	}
	set := settings("tiny", 3)
	set.Hints = true
	if r = begun(t, set, 2); !r.Hints() {
		t.Error("there are none though they were agreed on")
	}
}

func TestALogDoesNotGrowForEver(t *testing.T) {
	r := begun(t, settings("tiny", 2), 2)
	for r.Len() < MostEntries {
		r.do(Leave{somebody(1)})
		r.do(Return{somebody(1)})
	}
	r.refuses("table.full", Leave{somebody(1)})
	r.refuses("table.full", Suggest{somebody(1), Pause})
	r.refuses("table.full", TakeBack{somebody(1), -1})
	rng := newRand(3, 4)
	for !r.Over() {
		r.move(rng)
	}
}

// A log that is full before the game ends nothing: the people who are there begin
// with bots.
func TestAFullLogBeforeTheGame(t *testing.T) {
	r := open(t, settings("tiny", 3))
	r.do(Sit{Person: somebody(0), Seat: 0, Nonce: Nonce{1}})
	for r.Len() < MostEntries {
		r.do(Sit{Person: somebody(1), Seat: 1, Nonce: Nonce{2}})
		r.do(Leave{somebody(1)})
	}
	r.refuses("table.full", Sit{Person: somebody(1), Seat: 1, Nonce: Nonce{2}})
	r.refuses("table.full", SeatBot{somebody(0), 1, "level:3"})
	r.refuses("table.empty", Start{somebody(0), ""})
	r.do(Start{somebody(0), "level:3"})
	rng := newRand(3, 4)
	for !r.Over() {
		r.move(rng)
	}
}

// TestComingBackEndsToo: under judgement 1 a person whose time runs out again and
// again comes back twenty thousand times, and then a bot plays to the end. Under
// judgement 2 they come back once a turn.
func TestComingBackEndsToo(t *testing.T) {
	r := begunUnder(t, 1, settings("tiny", 2), 2)
	for {
		until, _, _ := r.Deadline()
		r.clk = until
		r.do(Timeout{})
		if r.Len() >= 2*MostEntries {
			break
		}
		r.do(Return{somebody(0)})
	}
	r.refuses("table.full", Return{somebody(0)})
	r.refuses("table.full", Answer{somebody(0), Pause, false})
	rng := newRand(3, 4)
	for !r.Over() {
		r.move(rng)
	}
}

func TestAPersonIsAnotherAtEveryTable(t *testing.T) {
	salt := []byte("salt")
	a := PersonAt("one", "ada", salt)
	for name, b := range map[string]Person{
		"table": PersonAt("two", "ada", salt), "account": PersonAt("one", "bea", salt), "salt": PersonAt("one", "ada", []byte("pepper")),
		"boundary": PersonAt("onea", "da", salt),
	} {
		if a == b {
			t.Errorf("with another %s it is the same person", name)
		}
	}
	if again, ok := ParsePerson(a.String()); !ok || again != a || PersonAt("one", "ada", salt) != a {
		t.Error("it is not itself")
	}
	for _, text := range []string{"", strings.ToUpper(a.String()), a.String() + "0", Person{}.String(), "zz"} {
		if _, ok := ParsePerson(text); ok {
			t.Errorf("%q is a person", text)
		}
	}
}
