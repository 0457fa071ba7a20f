package grandbois

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// because fails unless the moves, by whoever is to act, are done for these
// reasons against the rival: points, key and arguments, and whose a guess is.
func because(t *testing.T, r *Rules, s Position, rival game.Seat, want string, moves ...string) {
	t.Helper()
	before, seat := s, r.ToAct(&s)
	play(t, r, &s, moves...)
	var got, lines []string
	for _, c := range r.Why(&before, &s, seat, rival) {
		args, err := json.Marshal(c.Args)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%+d %s %s", c.Points, c.Key, args)
		if c.Guess {
			line += fmt.Sprint(" of seat ", c.Whose)
		}
		got = append(got, line)
	}
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(got, lines) {
		t.Errorf("%v is done because\n%s\nand not\n%s", moves, strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// Seat 0 plays toads, seat 1 rabbits, seat 2 foxes; nobody plays raccoons and
// lizards.
func TestReasonsOfATurn(t *testing.T) {
	r := New(3, DefaultBox(), false)
	for name, c := range map[string]struct {
		picture, move string
		rival         game.Seat
		want          string
	}{
		"a group grows, and another's too": {`
			0 0
			t2 o
			f1 o`, `{"do":"place","tile":33,"x":-1,"y":-1,"turn":0}`, 1, `
			+3 grandbois.why.group.more {"clan":"toad","size":2}
			-6 grandbois.why.other.more {"clan":"rabbit"} of seat 1`},
		"who is no rival counts for nothing, but it is told": {`
			0 0
			t2 o
			f1 o`, `{"do":"place","tile":33,"x":-1,"y":-1,"turn":0}`, 2, `
			+3 grandbois.why.group.more {"clan":"toad","size":2}
			+0 grandbois.why.other.more {"clan":"rabbit"} of seat 1`},
		"a bear in the rabbits": {`
			0 0
			r2 r2 o
			o  r2 o`, `{"do":"place","tile":1,"x":1,"y":1,"turn":0}`, 1, `
			+6 grandbois.why.group.more {"clan":"toad","size":2}
			+3 grandbois.why.other.split {"clan":"rabbit"} of seat 1`},
		"a rabbit that was alone": {`
			0 0
			r2 r2 o  r1
			o  o  o  o`, `{"do":"place","tile":1,"x":3,"y":0,"turn":0}`, 1, `
			+6 grandbois.why.group.more {"clan":"toad","size":2}
			+1 grandbois.why.other.less {"clan":"rabbit"} of seat 1`},
		"one's own is covered": {`
			0 0
			t2 t2 o  t1
			o  o  o  o`, `{"do":"place","tile":5,"x":3,"y":0,"turn":0}`, 2, `
			-1 grandbois.why.spaces.less {"clan":"toad","spaces":1}
			-6 grandbois.why.other.more {"clan":"fox"} of seat 2`},
		"one's own group is": {`
			0 0
			t2 t2 o
			o  .  .`, `{"do":"place","tile":5,"x":1,"y":0,"turn":0}`, 1, `
			-3 grandbois.why.group.less {"clan":"toad","size":1}
			+0 grandbois.why.other.more {"clan":"fox"} of seat 2`},
		"one more, apart": {`
			0 0
			t2 t2 o  o
			o  o  o  o`, `{"do":"place","tile":29,"x":3,"y":1,"turn":0}`, 1, `
			+1 grandbois.why.spaces.more {"clan":"toad","spaces":1}`},
		"nobody plays these": {`
			0 0
			c3 c3
			l1 l1`, `{"do":"place","tile":20,"x":1,"y":-1,"turn":3}`, 1, `
			+0 grandbois.why.other.more {"clan":"fox"} of seat 2`},
		"around one's own tower": {`
			0 0
			T0 o
			o  o`, `{"do":"place","tile":29,"x":1,"y":1,"turn":0}`, 1, `
			+3 grandbois.why.group.more {"clan":"toad","size":1}
			+2 grandbois.why.tower.now {"points":2,"x":0,"y":0}`},
		"around another's tower": {`
			0 0
			T1 o
			o  o`, `{"do":"place","tile":29,"x":1,"y":1,"turn":0}`, 1, `
			+3 grandbois.why.group.more {"clan":"toad","size":1}
			-1 grandbois.why.tower.other.more {"seat":1,"x":0,"y":0}`},
		"a bear beside another's tower": {`
			0 0
			T1 o
			o  c1`, `{"do":"place","tile":5,"x":1,"y":1,"turn":0}`, 1, `
			+0 grandbois.why.other.more {"clan":"fox"} of seat 2
			+1 grandbois.why.tower.other.less {"seat":1,"x":0,"y":0}`},
		"rabbits for a raccoon beside the rabbits' tower": {`
			0 0
			T1 o
			o  c1`, `{"do":"place","tile":31,"x":1,"y":1,"turn":0}`, 1, `
			-6 grandbois.why.other.more {"clan":"rabbit"} of seat 1
			-1 grandbois.why.tower.other.else {"seat":1,"x":0,"y":0}`},
	} {
		t.Run(name, func(t *testing.T) {
			var tile int
			if _, err := fmt.Sscanf(c.move, `{"do":"place","tile":%d`, &tile); err != nil {
				t.Fatal(err)
			}
			because(t, r, forest(t, r, c.picture, tile), c.rival, c.want, c.move)
		})
	}
	s := forest(t, r, `
		0 0
		t2 t2 o  o
		o  o  o  o`, 29)
	play(t, r, &s, `{"do":"place","tile":29,"x":3,"y":1,"turn":0}`)
	because(t, r, s, 1, `+4 grandbois.why.tower.new {"points":4,"x":4,"y":2}`, `{"do":"tower"}`)
	because(t, r, s, 1, ``, `{"do":"no-tower"}`)
}

// TestReasonsAddUp: in whole random games the changes of every turn are all of
// how the lead over each other seat has changed, in declared words.
func TestReasonsAddUp(t *testing.T) {
	declared := map[string][]string{}
	for _, p := range whyPhrases() {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	lead := func(r *Rules, s *Position, seat, rival game.Seat) game.Points {
		st := r.Standing(s)
		return st.Seats[seat].Total - st.Seats[rival].Total
	}
	heard := map[string]bool{}
	for seats := 2; seats <= 4; seats++ {
		r, rng := New(seats, DefaultBox(), false), rand.New(rand.NewPCG(5, uint64(seats)))
		for range 30 {
			for s := r.Start(); r.ToAct(&s) != game.None; {
				before, seat := s, r.ToAct(&s)
				r.Play(&s, seat, r.sampled(&s, rng), nil)
				for rival := range game.Seat(seats) {
					if seat == game.Chance || rival == seat {
						continue
					}
					sum := game.Points(0)
					for _, c := range r.Why(&before, &s, seat, rival) {
						sum += c.Points
						args := maps.Clone(c.Args)
						if c.Guess {
							args["other"], args["chance"] = c.Whose, 50
						}
						if got := slices.Sorted(maps.Keys(args)); !slices.Equal(got, declared[c.Key]) {
							t.Fatalf("%s is told with %v, and declared with %v", c.Key, got, declared[c.Key])
						}
						heard[c.Key] = true
					}
					if want := lead(r, &s, seat, rival) - lead(r, &before, seat, rival); sum != want {
						t.Fatalf("seat %d against %d: %d are told, %d gained:\n%s\n%s", seat, rival, sum, want, r.draw(&before), r.draw(&s))
					}
				}
			}
		}
	}
	for key, args := range declared {
		if len(args) > 0 && !heard[key] {
			t.Errorf("%s: never told in all these games", key)
		}
	}
}

// sampled is a random move of whoever is to act.
func (r *Rules) sampled(s *Position, rng *rand.Rand) Move {
	moves := r.Moves(s, r.ToAct(s), nil)
	return moves[rng.IntN(len(moves))]
}

// TestReasonsKeepSecrets: in two worlds that a seat cannot tell apart the same
// turn is told in the same words; only whose a clan is and what it counts differ.
func TestReasonsKeepSecrets(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for seats := 2; seats <= 4; seats++ {
		r := New(seats, DefaultBox(), false)
		for range 20 {
			for s := r.Start(); r.ToAct(&s) != game.None; {
				before, seat := s, r.ToAct(&s)
				m := r.sampled(&s, rng)
				r.Play(&s, seat, m, nil)
				if seat == game.Chance {
					continue
				}
				var view Position
				r.See(&before, seat, &view)
				r.Imagine(&view, seat, rng)
				twin := view
				r.Play(&twin, seat, m, nil)
				words := map[string]string{} // what a thing is told as, here and there
				for _, list := range [][]game.Change{r.Why(&before, &s, seat, (seat+1)%game.Seat(seats)), r.Why(&view, &twin, seat, (seat+1)%game.Seat(seats))} {
					for _, c := range list {
						thing := fmt.Sprint(c.Args["clan"], c.Args["x"], c.Args["y"])
						told := fmt.Sprint(c.Key, c.Args, c.Guess)
						if was, ok := words[thing]; ok && was != told {
							t.Fatalf("what is the same to seat %d is told as %s and as %s", seat, was, told)
						}
						words[thing] = told
					}
				}
			}
		}
	}
}
