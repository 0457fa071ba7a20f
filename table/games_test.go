package table

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"copse/game"
)

// TestALogOpenedAgainIsTheTable plays whole games with everything that people do at
// tables, in any order, at any time, refused or not. The log says all that came of
// it: opened again it is the same table, and the finished game verifies.
func TestALogOpenedAgainIsTheTable(t *testing.T) {
	t.Parallel()
	declared := map[string][]string{}
	for _, p := range slices.Concat(Phrases(), game.Faults()) {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	for _, g := range shelf.games {
		for _, p := range g.About().Phrases {
			declared[p.Key] = slices.Sorted(slices.Values(p.Args))
		}
	}
	met := map[Kind]int{}
	ends := map[Why]int{}
	eachGame(t, func(t *testing.T, name string, seats int) {
		rounds := uint64(6)
		if name == "treesociety" { // its games take as long as many of the others
			rounds = 1
		}
		for n := range rounds {
			rng := newRand(uint64(seats), n)
			set := settings(name, seats)
			set.Pace = PaceNames()[rng.IntN(3)]
			if n == 3 {
				set.Pace, set.Bank, set.Gain = Own, second*Time(60+rng.IntN(2*86400)), second*Time(1+rng.IntN(86400))
			}
			if set.Times().Rest {
				set.Night = Night{From: rng.IntN(dayMinutes), To: 0}
				set.Night.To = (set.Night.From + rng.IntN(longestNight)) % dayMinutes
				if set.Night.minutes() > 0 && n%2 == 0 {
					change := int(dawn/minute) + rng.IntN(3*dayMinutes)
					set.Shifts = Shifts{60, change, 120, change + rng.IntN(9*dayMinutes) + 1, -90}
				}
			}
			judgement := NewestJudgement
			if n%3 == 2 { // a log from before there was another judgement
				judgement = 1
			}
			r := openUnder(t, judgement, set)
			crowd(r, rng, func(err error) {
				key, args := keyOf(err), argsOf(err)
				if want, ok := declared[key]; !ok || !slices.Equal(want, args) {
					t.Fatalf("%q is said with %q and declared with %q", key, args, want)
				}
			})
			for n := range r.log {
				met[r.entry(n).Do]++
			}
			ends[r.now.why]++
			export, err := r.Export()
			if err != nil {
				t.Fatal(err)
			}
			proven, err := Verify(shelf, export)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(proven, r.Table) {
				t.Fatal("the table that was verified is another")
			}
		}
	})
	t.Log(met, ends)
	for _, k := range Kinds() {
		if met[k] == 0 {
			t.Errorf("no entry %q came up in any of the games", k)
		}
	}
	for why := Over; why <= Abandoned; why++ {
		if ends[why] == 0 {
			t.Errorf("no game ended %q", why)
		}
	}
}

// argsOf are the names of the arguments of a refusal or a fault, sorted.
func argsOf(err error) []string {
	var refusal *game.Refusal
	var fault *game.Fault
	var args game.Args
	switch {
	case errors.As(err, &refusal):
		args = refusal.Args
	case errors.As(err, &fault):
		args = fault.Args
	}
	return slices.Sorted(maps.Keys(args))
}

// crowd plays a game to its end as a crowd of people would. It reports every
// refusal.
func crowd(r *rig, rng *rand.Rand, refused func(error)) {
	r.Helper()
	seats := r.settings.Seats
	anybody := func() Person { return somebody(rng.IntN(seats + 2)) }
	anySeat := func() game.Seat { return game.Seat(rng.IntN(seats+2) - 1) }
	patience := 20 * seats
	for step := 0; !r.Over(); step++ {
		if step > 20_000 {
			r.Fatal("the game does not end")
		}
		r.wait(time.Duration(rng.Int64N(int64(r.pace.Gain) / 2)))
		var cmd Command
		switch rng.IntN(60) {
		case 0:
			cmd = Leave{anybody()}
		case 1:
			cmd = Return{anybody()}
		case 2, 3, 4:
			cmd = TakeBack{Person: anybody(), To: -1}
		case 5:
			cmd = TakeBack{Person: anybody(), To: rng.IntN(r.Len() + 1)}
		case 6, 7, 8, 9:
			cmd = Answer{anybody(), Wish(rng.IntN(4)), rng.IntN(2) > 0}
		case 10:
			cmd = Suggest{anybody(), Wish(rng.IntN(4))}
			if rng.IntN(4) > 0 {
				cmd = Suggest{anybody(), Pause}
			}
		case 11, 12:
			cmd = Resume{anybody()}
		case 13:
			if rng.IntN(2) == 0 {
				cmd = Resign{anybody()}
			}
		case 14, 15:
			cmd = Sit{anybody(), anySeat(), nonce(rng.IntN(9)), ""}
		case 16:
			cmd = SeatBot{anybody(), anySeat(), "level:1"}
		case 17:
			cmd = DropBot{anybody(), anySeat()}
		case 18:
			cmd = Close{}
		case 19:
			cmd = Timeout{}
			if until, _, ok := r.Deadline(); ok && rng.IntN(4) == 0 {
				r.clk = max(r.clk, until-Time(rng.IntN(2)))
			}
		case 20:
			cmd = Continue{}
		case 21:
			cmd = Play{Person: anybody(), After: rng.IntN(r.Len()+3) - 1, Moves: raw(`{"do":"nap"}`)}
		case 24:
			if rng.IntN(3) == 0 {
				cmd = Suggest{anybody(), Abandon}
			}
		case 23:
			from := r.At() - Time(rng.Int64N(int64(length(r.pace.Gain))))
			to := from + Time(rng.Int64N(int64(length(r.pace.Bank))))
			r.clk = max(r.clk, to-Time(rng.IntN(1000)))
			cmd = Skip{[]Outage{{from, to}, {to + 1000, to + 2000}}}
		case 22:
			cmd = BotPlay{Seat: anySeat(), After: r.Last(), Moves: raw(`{"do":"nap"}`)}
		default:
			cmd = usual(r, rng, &patience)
		}
		for w := Undo; w <= wishes; w++ { // people mostly answer
			if a := r.now.asks[w]; a.open && rng.IntN(2) == 0 {
				if of := seatsOf(r.now.needed(w, a.by, r.clk)); len(of) > 0 {
					cmd = Answer{r.person(of[rng.IntN(len(of))]), w, rng.IntN(4) > 0}
				}
			}
		}
		if host := r.now.host(); !r.Begun() && host >= 0 && step%9 == 4 { // the host sends somebody away, who does not come back
			cmd = Kick{r.person(host), game.Seat(step % seats)}
		}
		if cmd == nil {
			continue
		}
		before := *r.Table
		from := r.Len()
		if err := r.try(cmd); err != nil {
			refused(err)
			if !reflect.DeepEqual(before, *r.Table) {
				r.Fatalf("%T%+v is refused and changes the table", cmd, cmd)
			}
			continue
		}
		if rng.IntN(8+r.Len()/20) == 0 || r.Over() { // not often: a long log takes its time
			if !reflect.DeepEqual(r.again(), r.Table) {
				r.Fatalf("the table is another when its log is opened again after %T%+v", cmd, cmd)
			}
		}
		if rng.IntN(8) == 0 && r.Len() > from {
			compareTelling(r, from, rng)
		}
		if r.Len()%40 == 0 || r.Over() {
			sameTable(r, restored(r), 0, game.Watcher)
		}
	}
	compareTelling(r, 0, rng)
}

// usual is what people do most: they sit down, begin, and play on.
func usual(r *rig, rng *rand.Rand, patience *int) Command {
	if !r.Begun() {
		if *patience--; *patience > 0 && rng.IntN(3) > 0 {
			return Sit{somebody(rng.IntN(r.settings.Seats)), game.None, nonce(rng.IntN(9)), ""}
		}
		if host := r.now.host(); host >= 0 {
			return Start{Person: r.person(host), Fill: "greedy"}
		}
		return Sit{somebody(0), game.None, nonce(1), ""}
	}
	if r.now.paused || r.now.present() == 0 {
		seat := rng.IntN(r.settings.Seats)
		return Resume{r.now.chairs[seat].person}
	}
	moves := r.now.pos.Moves()
	return r.command(moves[rng.IntN(len(moves))])
}

// compareTelling makes sure that what was told at once is also what is told later.
func compareTelling(r *rig, from int, rng *rand.Rand) {
	r.Helper()
	viewer := game.Seat(rng.IntN(r.settings.Seats+1) - 1)
	if viewer < 0 {
		viewer = game.Watcher
	}
	items := r.Since(from, viewer)
	if len(items) != r.Len()-from {
		r.Fatalf("%d entries are told as %d", r.Len()-from, len(items))
	}
	for i, item := range items {
		if n := from + i; n > 0 {
			step := &r.told[n-1]
			same(r.TB, "what is told later", step.Heard(viewer), item)
			if step.Alike() {
				same(r.TB, "what is said to be alike", step.Heard(game.Watcher), item)
			}
		}
	}
	n := from + rng.IntN(len(items))
	same(r.TB, "one of them", r.Hear(n, viewer), items[n-from])
	same(r.TB, "the table as it is", r.Look(viewer), r.LookAt(r.Len()-1, viewer))
	compareRecord(r, viewer)
}

// compareRecord makes sure that the moves of a record are those of the entries
// whose numbers they have, and that its first view is what was seen then.
func compareRecord(r *rig, viewer game.Seat) {
	r.Helper()
	rec, err := r.Record(viewer)
	if err != nil {
		return // before the game
	}
	same(r.TB, "where a record begins", string(r.LookAt(rec.From, viewer).View), string(rec.View))
	same(r.TB, "where a record ends", rec.Last, r.Last())
	for _, move := range rec.Then {
		var e struct{ Move json.RawMessage }
		if err := json.Unmarshal(r.Hear(move.Number, viewer).Entry, &e); err != nil {
			r.Fatal(err)
		}
		same(r.TB, "a move of a record", string(e.Move), string(move.Move))
	}
}
