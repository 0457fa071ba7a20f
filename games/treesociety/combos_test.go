package treesociety

import (
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
)

// TestTwentyCombinationsHaveNames: all of them are of cards of the newest printing,
// each of two cards at least that are different, and no name comes twice. A deck that
// lacks a card lacks its combinations.
func TestTwentyCombinationsHaveNames(t *testing.T) {
	names, _ := New(2, DefaultBox(), UsualOptions()).Combinations()
	if len(names) < 20 || len(names) != len(combos()) {
		t.Errorf("%d of %d combinations are of the deck", len(names), len(combos()))
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(combos()) {
		t.Error("two combinations have one name")
	}
	for _, c := range combos() {
		cards := map[string]bool{}
		for _, s := range c.cards {
			cards[s.card] = true
			if len(s.on) == 0 || slices.Max(s.on) > levels {
				t.Errorf("%s: %v", c.name, s)
			}
		}
		if len(cards) < 2 || len(cards) != len(c.cards) {
			t.Errorf("%s is of %v", c.name, c.cards)
		}
	}
	box := DefaultBox()
	for i := range box.Cards {
		if box.Cards[i].Name == "golden-bough" {
			box.Cards[i].Name = "another"
		}
	}
	few, _ := New(2, box, UsualOptions()).Combinations()
	if len(few) != len(combos())-2 || slices.Contains(few, "deep pockets") {
		t.Errorf("without the golden bough: %v", few)
	}
}

// TestTwentyCombinationsHappen: at two seats, where fewest do, twenty come about in one
// of two hundred games by the quick turns of the veteran, or more often. Levels have other favourites, so
// docs/tree-society-deck.md tells how often they have each.
func TestTwentyCombinationsHappen(t *testing.T) {
	const games, often, enough = 1500, 1500 / 200, 20
	all := everySet(2, DefaultBox())
	veterans := make([]*veteran, len(all))
	for i, r := range all {
		veterans[i] = r.Veteran().(*veteran)
	}
	names, together := all[0].Combinations()
	came := make([]int, len(names))
	for n := range games {
		rng := rand.New(rand.NewPCG(4, uint64(n)))
		r := all[n%len(all)]
		s := r.Start()
		var marks [2][]game.Mark
		for seat := range marks {
			marks[seat] = make([]game.Mark, len(r.box.Cards))
		}
		had := make([]bool, len(names))
		for who := r.ToAct(&s); who != game.None; who = r.ToAct(&s) {
			if who == game.Chance {
				r.Play(&s, who, game.Outcome(r, &s, r.Moves(&s, who, nil), rng), nil)
				continue
			}
			for _, m := range veterans[n%len(all)].Plan(&s, who, rng, nil) {
				if r.ToAct(&s) == who {
					r.Play(&s, who, m, nil)
					r.Tally(&s, who, marks[who])
					together(&s, who, marks[who], had)
				}
			}
		}
		for i := range had {
			if had[i] {
				came[i]++
			}
		}
	}
	happen := 0
	for _, n := range came {
		if n >= often {
			happen++
		}
	}
	if happen < enough {
		t.Errorf("%d of %d combinations come about: %v in %d games", happen, len(names), came, games)
	}
}

// TestACombinationIsHadTogether: its cards lie before one seat at the same time, each
// where it should be.
func TestACombinationIsHadTogether(t *testing.T) {
	r := New(2, DefaultBox(), UsualOptions())
	names, together := r.Combinations()
	id := map[string]uint8{}
	for _, c := range r.box.Cards {
		id[c.Name] = uint8(c.ID)
	}
	type card struct {
		name  string
		level uint8
	}
	had := func(mine, others []card, was ...string) []string {
		s := r.Start()
		for seat, cards := range [][]card{mine, others} {
			p := &s.player[seat]
			p.place, p.completed = [places]uint8{}, set{}
			at := 0
			for _, c := range cards {
				if c.level == levels {
					p.completed.add(id[c.name])
					continue
				}
				p.place[at], p.level[at] = id[c.name], c.level
				at++
			}
		}
		marks := make([]game.Mark, len(r.box.Cards))
		for _, name := range was {
			marks[id[name]-1] = game.Founded
		}
		found := make([]bool, len(names))
		together(&s, 0, marks, found)
		var list []string
		for i, name := range names {
			if found[i] {
				list = append(list, name)
			}
		}
		return list
	}
	hall, palace := card{"builders-hall", 1}, card{"canopy-palace", 2}
	for _, c := range []struct {
		what         string
		mine, others []card
		was          []string
		want         bool
	}{
		{"both", []card{hall, palace}, nil, nil, true},
		{"a palace that is completed", []card{hall, {"canopy-palace", 3}}, nil, nil, true},
		{"a palace on level 1", []card{hall, {"canopy-palace", 1}}, nil, nil, false},
		{"a hall on level 2", []card{{"builders-hall", 2}, palace}, nil, nil, false},
		{"one alone", []card{hall}, nil, nil, false},
		{"the other has the palace", []card{hall}, []card{palace}, nil, false},
		{"the palace was discarded", []card{hall}, nil, []string{"canopy-palace"}, false},
	} {
		if got := slices.Contains(had(c.mine, c.others, c.was...), "palace at half price"); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if mint := (card{"mint", 1}); !slices.Contains(had([]card{mint, {"moneychanger", 3}}, nil), "break the bank") || slices.Contains(had([]card{mint, {"moneychanger", 2}}, nil), "break the bank") {
		t.Error("the bank is not broken by the changer that is completed, and by no other")
	}
	soil := []card{{"compost-bin", 2}}
	if !slices.Contains(had(soil, nil, "apiary"), "old hive, new soil") {
		t.Error("a hive that was discarded is not counted")
	}
	if slices.Contains(had(soil, nil), "old hive, new soil") || slices.Contains(had(append(soil, card{"apiary", 1}), nil, "apiary"), "old hive, new soil") {
		t.Error("a hive that was never there, or still is, is counted as discarded")
	}
}

// TestWhatWasHadStays over a whole game.
func TestWhatWasHadStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	r := New(3, DefaultBox(), UsualOptions())
	names, together := r.Combinations()
	came := 0
	for range 30 {
		s := r.Start()
		var marks [3][]game.Mark
		var had [3][]bool
		for seat := range had {
			marks[seat], had[seat] = make([]game.Mark, len(r.box.Cards)), make([]bool, len(names))
		}
		for r.ToAct(&s) != game.None {
			for seat := range had {
				before := slices.Clone(had[seat])
				r.Tally(&s, game.Seat(seat), marks[seat])
				together(&s, game.Seat(seat), marks[seat], had[seat])
				for i := range before {
					if before[i] && !had[seat][i] {
						t.Fatalf("%s is gone", names[i])
					}
					if !before[i] && had[seat][i] {
						came++
					}
				}
			}
			who := r.ToAct(&s)
			if who == game.Chance {
				r.Play(&s, who, game.Outcome(r, &s, r.Moves(&s, who, nil), rng), nil)
				continue
			}
			for _, m := range r.Plan(&s, who, rng, nil) {
				r.Play(&s, who, m, nil)
			}
		}
	}
	if came == 0 {
		t.Error("in thirty games nobody had a combination")
	}
}
