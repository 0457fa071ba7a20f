package table

import (
	"testing"

	"copse/game"
)

// others are all moves of whoever is to act, as commands.
func (r *rig) others() (list []Command) {
	for _, move := range r.now.pos.Moves() {
		list = append(list, r.command(move))
	}
	return list
}

// TestADecidedMoveIsMadeOnce: what Decide has folded Apply takes over, and the table is
// what its log says.
func TestADecidedMoveIsMadeOnce(t *testing.T) {
	eachGame(t, func(t *testing.T, name string, seats int) {
		r, rng := begun(t, settings(name, seats), 2), newRand(1, uint64(seats))
		for n := 0; n < 2*stride && !r.Over(); n++ {
			moves := r.now.pos.Moves()
			entries, err := r.Decide(r.command(moves[rng.IntN(len(moves))]), r.clk)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if was := r.decided; e.Do.moves() && (len(was) == 0 || was[0].Number != r.Len()) {
					t.Fatalf("entry %d was decided, and is folded again", r.Len())
				}
				step, err := r.Apply(e)
				if err != nil {
					t.Fatal(err)
				}
				r.log = append(r.log, e.Append(nil))
				r.told = append(r.told, step)
			}
			if r.decided != nil {
				t.Fatalf("after entry %d something is still decided", r.Len())
			}
		}
		sameTable(r, r.again(), 0, 1, game.Watcher)
	})
}

// TestWhatWasDecidedCountsOnlyNext: what is applied may be older than the last decision,
// or decided at another time, or come after something else. Then it is folded as if
// nothing had been decided.
func TestWhatWasDecidedCountsOnlyNext(t *testing.T) {
	r := begun(t, settings("bosk", 2), 2)
	rng := newRand(3, 4)
	for range 3 {
		r.move(rng)
	}
	decide := func(cmd Command, at Time) []Entry {
		t.Helper()
		entries, err := r.Decide(cmd, at)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	apply := func(entries []Entry) {
		t.Helper()
		for _, e := range entries {
			if _, err := r.Apply(e); err != nil {
				t.Fatal(err)
			}
			r.log = append(r.log, e.Append(nil))
		}
		sameTable(r, r.again(), 0, 1, game.Watcher)
	}
	for n := range 6 {
		all := r.others()
		one := decide(all[0], r.clk)
		switch n % 3 {
		case 0: // another move is decided, and the first is made
			decide(all[len(all)-1], r.clk)
			apply(one)
		case 1: // the same move, a second later
			later := decide(all[0], r.clk+1000)
			r.clk += 1000
			decide(all[0], r.clk-500)
			apply(later)
		case 2: // something else comes first
			pause := decide(Suggest{Person: somebody(0), For: []Wish{Pause, Abandon}[n/3]}, r.clk)
			decide(all[0], r.clk)
			apply(pause)
			apply(one)
		}
	}
	fork := r.Fork()
	decide(r.others()[0], r.clk)
	if fork.decided != nil || r.Fork().decided != nil {
		t.Error("a fork goes on from what another table has decided")
	}
}
