package treesociety

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"copse/game"
)

// everySet is the rules of a deck with each set of four guilds.
func everySet(seats int, box *Box) (rules []*Rules) {
	for guilds := range uint8(1 << guilds) {
		if bits.OnesCount8(guilds) == playing {
			options := UsualOptions()
			options.Guilds = guilds
			rules = append(rules, New(seats, box, options))
		}
	}
	return rules
}

// quickly plays games of a deck by quick turns, those that bots played games out with
// when decks were searched for (the veteran's, which never change), through all sets of four guilds, and counts who wins, how often the most points are
// shared, and the rounds.
func quickly(box *Box, seats, games int) (wins []float64, ties float64, rounds int) {
	rules := everySet(seats, box)
	veterans := make([]*veteran, len(rules))
	for i, r := range rules {
		veterans[i] = r.Veteran().(*veteran)
	}
	wins = make([]float64, seats)
	var lasted []int
	var turn []Move
	for n := range games {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		r := rules[n%len(rules)]
		s := r.Start()
		for who := r.ToAct(&s); who != game.None; who = r.ToAct(&s) {
			if who == game.Chance {
				r.Play(&s, who, game.Outcome(r, &s, r.Moves(&s, who, nil), rng), nil)
				continue
			}
			turn = veterans[n%len(rules)].Plan(&s, who, rng, turn[:0])
			for _, m := range turn {
				if r.ToAct(&s) == who {
					r.Play(&s, who, m, nil)
				}
			}
		}
		st := r.Standing(&s)
		var totals []int
		for seat, score := range st.Seats[:seats] {
			if score.Rank == 1 {
				wins[seat] += 100 / float64(games)
			}
			totals = append(totals, int(score.Total))
		}
		slices.Sort(totals)
		if totals[seats-1] == totals[seats-2] {
			ties += 100 / float64(games)
		}
		lasted = append(lasted, r.Round(&s))
	}
	slices.Sort(lasted)
	return wins, ties, lasted[games/2]
}

// TestSeatsByQuickTurns: by quick turns no seat of the newest printing is further from
// its fair share than 5 points in 1,500 games, while the first seat of the first
// printing is, at three and four seats; ties are rare, and games last as long as they
// are meant to. It is how decks were searched for; with COPSE_QUICK=FILE it tells the
// figures of any deck, from 6,000 games or as many as COPSE_GAMES says:
//
//	COPSE_QUICK=box.json COPSE_GAMES=30000 go test ./games/treesociety -run QuickTurns -v
func TestSeatsByQuickTurns(t *testing.T) {
	if file := os.Getenv("COPSE_QUICK"); file != "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		box, err := ReadBox(raw)
		if err != nil {
			t.Fatal(err)
		}
		games := 6000
		if many := os.Getenv("COPSE_GAMES"); many != "" {
			if games, err = strconv.Atoi(many); err != nil || games < 1 {
				t.Fatalf("COPSE_GAMES=%s", many)
			}
		}
		for seats := 2; seats <= 4; seats++ {
			wins, ties, rounds := quickly(box, seats, games)
			text := ""
			for _, share := range wins {
				text += strconv.FormatFloat(share, 'f', 1, 64) + " "
			}
			t.Logf("%d seats win %s%%; most points shared %.1f %%; median of %d rounds", seats, text, ties, rounds)
		}
		return
	}
	const near = 5.0
	for seats := 2; seats <= 4; seats++ {
		fair := 100 / float64(seats)
		wins, ties, rounds := quickly(DefaultBox(), seats, 1500)
		if slices.Max(wins) > fair+near || slices.Min(wins) < fair-near || ties > 5 || rounds < leastRounds || rounds > mostRounds {
			t.Errorf("%d seats win %.1f %%, %.1f %% are ties, and half of the games last %d rounds", seats, wins, ties, rounds)
		}
		if wins, _, _ := quickly(BoxOf(1), seats, 1500); seats > 2 && wins[0] > fair-near {
			t.Errorf("%d seats of the first printing win %.1f %%: this test would not see it", seats, wins)
		}
	}
}
