package table

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// shelf serves all tests. It is made once, so that positions of equal tables are
// equal to the bit.
var shelf = NewShelf(game.Of(gametest.Tiny()), game.Of(bosk.Game()), game.Of(grandbois.Game()), game.Of(treesociety.Game()))

// dawn is when tables are opened in tests: a Thursday, at 8:00.
const dawn = Time(1_767_859_200_000)

// somebody is a person of the tests.
func somebody(n int) Person { return Person{0: byte(n), 15: 7} }

func nonce(n int) Nonce { return Nonce{0: byte(n), 15: 9} }

// rig is a table with its log, as a server has it.
type rig struct {
	testing.TB
	*Table
	log  [][]byte // shadows Table.Log
	clk  Time
	told []Step
}

// settings of a usual table.
func settings(name string, seats int) Settings {
	return Settings{
		Game: name, Seats: seats, Pace: Live, Undo: UndoConsent, Visible: ByLink,
		Watchers: true, TakeOver: true, StandIn: "level:3",
	}
}

func open(tb testing.TB, set Settings) *rig {
	tb.Helper()
	return openUnder(tb, NewestJudgement, set)
}

// openUnder opens a table as it was set when a judgement was the newest.
func openUnder(tb testing.TB, judgement int, set Settings) *rig {
	tb.Helper()
	first, keep, err := Create(shelf, set, Secret{1, 2, 3}, dawn)
	if err != nil {
		tb.Fatal(err)
	}
	first.Settings.Judgement = judgement
	first.Commitment = Commitment(keep.Secret, first.Settings.Append(nil))
	log := [][]byte{first.Append(nil)}
	t, err := Open(shelf, keep, log)
	if err != nil {
		tb.Fatal(err)
	}
	return &rig{TB: tb, Table: t, log: log, clk: dawn}
}

// begun is a table at which so many people sit, and bots at the other seats.
func begun(tb testing.TB, set Settings, people int) *rig {
	tb.Helper()
	return begunUnder(tb, NewestJudgement, set, people)
}

func begunUnder(tb testing.TB, judgement int, set Settings, people int) *rig {
	tb.Helper()
	r := openUnder(tb, judgement, set)
	for n := range people {
		r.do(Sit{Person: somebody(n), Seat: game.Seat(n), Nonce: nonce(n)})
	}
	r.do(Start{Person: somebody(0), Fill: "greedy"})
	return r
}

// wait lets time pass.
func (r *rig) wait(d time.Duration) *rig {
	r.clk += length(d)
	return r
}

// try gives a command, and appends the entries that follow.
func (r *rig) try(cmd Command) error {
	entries, err := r.Decide(cmd, r.clk)
	if err != nil {
		return err
	}
	for _, e := range entries {
		step, err := r.Apply(e)
		if err != nil {
			return err
		}
		r.log = append(r.log, e.Append(nil))
		r.told = append(r.told, step)
	}
	return nil
}

// do gives a command that must be carried out, and says which entries follow.
func (r *rig) do(cmd Command) []Kind {
	r.Helper()
	from := r.Len()
	if err := r.try(cmd); err != nil {
		r.Fatalf("%T%+v is refused: %v", cmd, cmd, err)
	}
	return r.kinds(from)
}

func (r *rig) kinds(from int) []Kind {
	list := []Kind{}
	for n := from; n < r.Len(); n++ {
		list = append(list, r.entry(n).Do)
	}
	return list
}

// refuses gives a command that must be refused by this key and change nothing.
func (r *rig) refuses(key string, cmd Command) {
	r.Helper()
	before := *r.Table
	err := r.try(cmd)
	if got := keyOf(err); got != key {
		r.Fatalf("%T%+v is answered by %v, not by %s", cmd, cmd, err, key)
	}
	if !reflect.DeepEqual(before, *r.Table) {
		r.Fatalf("%T%+v is refused and changes the table", cmd, cmd)
	}
}

// keyOf is the key of a refusal or a fault.
func keyOf(err error) string {
	var refusal *game.Refusal
	var fault *game.Fault
	switch {
	case errors.As(err, &refusal):
		return refusal.Key
	case errors.As(err, &fault):
		return fault.Key
	case err != nil:
		return "neither refused nor blamed: " + err.Error()
	}
	return ""
}

// person is whose seat it is.
func (r *rig) person(seat game.Seat) Person { return r.now.chairs[seat].person }

// command is a move of whoever is to act, person or bot.
func (r *rig) command(move ...json.RawMessage) Command {
	seat := r.now.toAct()
	if r.now.chairs[seat].holder.bot() {
		return BotPlay{Seat: seat, After: r.Last(), Moves: move}
	}
	return Play{Person: r.person(seat), After: r.Last(), Moves: move}
}

// move lets whoever is to act make any move.
func (r *rig) move(rng *rand.Rand) {
	r.Helper()
	moves := r.now.pos.Moves()
	r.do(r.command(moves[rng.IntN(len(moves))]))
}

// turn lets whoever is to act move until its turn is over.
func (r *rig) turn(rng *rand.Rand) {
	r.Helper()
	for turn := r.now.turn(); !r.Over() && r.now.turn() == turn; {
		r.move(rng)
	}
}

// again opens the table anew from its log.
func (r *rig) again() *Table {
	r.Helper()
	t, err := Open(shelf, r.keep, r.log)
	if err != nil {
		r.Fatal(err)
	}
	return t
}

func newRand(a, b uint64) *rand.Rand { return rand.New(rand.NewPCG(a, b)) }

// eachGame runs a test at a table of each game.
func eachGame(t *testing.T, run func(t *testing.T, name string, seats int)) {
	for _, g := range shelf.games {
		about := g.About()
		for seats := about.MinSeats; seats <= about.MaxSeats; seats++ {
			t.Run(about.Name+"-"+string(rune('0'+seats)), func(t *testing.T) { run(t, about.Name, seats) })
		}
	}
}

func same(tb testing.TB, what string, a, b any) {
	tb.Helper()
	one, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	if err := errors.Join(err1, err2); err != nil {
		tb.Fatal(err)
	}
	if !slices.Equal(one, two) {
		tb.Fatalf("%s:\n%s\n%s", what, one, two)
	}
}
