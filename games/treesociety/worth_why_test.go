package treesociety

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// because fails unless the moves, by whoever is to act, are done for these
// reasons: points, key and arguments.
func because(t *testing.T, r *Rules, drawn, want string, moves ...string) {
	t.Helper()
	s := picture(t, r, drawn)
	before, seat := s, r.ToAct(&s)
	play(t, r, &s, moves...)
	var got []string
	for _, c := range r.Why(&before, &s, seat, 1-seat) {
		args, err := json.Marshal(c.Args)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%+d %s %s", c.Points, strings.TrimPrefix(c.Key, "treesociety.why."), args))
	}
	told(t, moves, got, want)
}

// told fails unless what was told of moves are these lines.
func told(t *testing.T, moves, got []string, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(got, lines) {
		t.Errorf("of %v is told\n%s\nand not\n%s", moves, strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// Founded cards score 1, on level 2 they score 2, completed 4; 20 scores two
// points a completed card from level 1 on, 21 a point for each fruit card sold,
// 22 one for each that is not.
func TestReasonsOfATurn(t *testing.T) {
	r := plainRules(t, 2, waving(15, 2), scoring(14, 1, `0`),
		scoring(20, 1, `{"times":2,"of":"completed"}`), scoring(21, 1, `{"times":1,"of":"sold","type":"apple"}`),
		scoring(22, 1, `{"times":1,"of":"unsold"}`))
	const build = `
		1: purse 1 row 17 18
		market 5 14 26 top 38 6 29
		stall 3 19 46 47 61
		turn 0 build sold 1 used`
	for name, c := range map[string]struct {
		player string
		moves  []string
		want   string
	}{
		"founded": {`0: purse 9 row 16 31`, []string{"found 5"}, `
			+1 found {"card":"architects 5","id":5,"level":1}`},
		"founded for nothing yet": {`0: purse 9 row 16 31`, []string{"found 14"}, ``},
		"founded and raised": {`0: purse 9 row 16 31`, []string{"found 5", "raise 5"}, `
			+2 found {"card":"architects 5","id":5,"level":2}`},
		"raised": {`0: purse 9 row 16 31 progress 15/1`, []string{"raise 15"}, `
			+1 raise {"card":"bankers 2","id":15,"level":2}`},
		"completed": {`0: purse 9 row 16 31 progress 15/2 completed 16`, []string{"raise 15"}, `
			+2 complete {"all":3,"banners":2,"card":"bankers 2","id":15}`},
		"completed, and counted by another": {`0: purse 9 row 16 31 progress 15/2 20/1`, []string{"raise 15"}, `
			+2 complete {"all":2,"banners":2,"card":"bankers 2","id":15}
			+2 more {"card":"bankers 7","id":20,"of":"completed","only":"none"}`},
		"discarded": {`0: purse 9 row 16 31 progress 20/1 completed 16`, []string{"discard 16"}, `
			-4 discard {"card":"bankers 3","id":16}
			-2 less {"card":"bankers 7","id":20,"of":"completed","only":"none"}`},
		"what was sold counts at rest": {`0: purse 2 row 16 31 progress 21/1 22/1`, []string{"rest", "take 3"}, `
			+1 more {"card":"bankers 8","id":21,"of":"sold","only":"apple"}
			+1 more {"card":"bankers 9","id":22,"of":"unsold","only":"none"}`},
		"nothing": {`0: purse 2 row 16 31 progress 15/1`, []string{"rest"}, ``},
	} {
		t.Run(name, func(t *testing.T) { because(t, r, c.player+build, c.want, c.moves...) })
	}
	because(t, r, `
		0: purse 2 row 1 16 31 progress 22/1
		1: purse 1 row 17 18
		market 5 14 26 top 38 6 29
		stall 3 19 46 47 61
		turn 0 sell`, `
		-1 less {"card":"bankers 9","id":22,"of":"unsold","only":"none"}`, "sell 1")
}

// TestReasonsAddUp: in whole random games the changes of every move are all of
// how the lead over each other seat has changed, in declared words. So are prospects;
// when all is over there are none.
func TestReasonsAddUp(t *testing.T) {
	declared := map[string][]string{}
	for _, p := range whyPhrases() {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	heard := map[string]bool{}
	for seats := 2; seats <= 4; seats++ {
		options := UsualOptions()
		options.Guilds = [...]uint8{0b001111, 0b111100, 0b110011}[seats-2]
		r, rng := New(seats, DefaultBox(), options), rand.New(rand.NewPCG(5, uint64(seats)))
		for range 30 {
			for s := r.Start(); r.ToAct(&s) != game.None; {
				before, seat := s, r.ToAct(&s)
				moves := r.Moves(&s, seat, nil)
				if seat != game.Chance && rng.IntN(10) > 0 {
					moves = r.Narrow(&s, seat, moves)
				}
				r.Play(&s, seat, moves[rng.IntN(len(moves))], nil)
				if seat == game.Chance {
					continue
				}
				prospects := r.Prospects(&before, &s, seat)
				for _, p := range prospects {
					if got := slices.Sorted(maps.Keys(p.Args)); !slices.Equal(got, declared[p.Key]) {
						t.Fatalf("%s is told with %v, and declared with %v", p.Key, got, declared[p.Key])
					}
					if !(math.Abs(p.Points) < 1000) {
						t.Fatalf("%s: %v points", p.Key, p.Points)
					}
					heard[p.Key] = true
				}
				if r.ToAct(&s) == game.None && len(prospects) > 0 {
					t.Fatalf("all is over, and there are prospects: %v", prospects)
				}
				was, is := r.Standing(&before), r.Standing(&s)
				for rival := range game.Seat(seats) {
					if rival == seat {
						continue
					}
					sum := game.Points(0)
					for _, c := range r.Why(&before, &s, seat, rival) {
						sum += c.Points
						if got := slices.Sorted(maps.Keys(c.Args)); !slices.Equal(got, declared[c.Key]) {
							t.Fatalf("%s is told with %v, and declared with %v", c.Key, got, declared[c.Key])
						}
						heard[c.Key] = true
					}
					gained := is.Seats[seat].Total - is.Seats[rival].Total - was.Seats[seat].Total + was.Seats[rival].Total
					if sum != gained {
						t.Fatalf("seat %d against %d: %d are told, %d gained:\n%s\n%s", seat, rival, sum, gained, r.draw(&before), r.draw(&s))
					}
				}
			}
		}
	}
	for key := range declared {
		if !heard[key] {
			t.Errorf("%s: never told in all these games", key)
		}
	}
}
