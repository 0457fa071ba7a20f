package treesociety

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"copse/game"
)

// orchardOf leaves only these cards in the fruit deck; the others were sold by
// seat 1.
func orchardOf(r *Rules, s *Position, left ...uint8) {
	keep := set{}
	for _, id := range left {
		keep.add(id)
	}
	for _, id := range s.orchard.list() {
		if !keep.has(uint8(id)) {
			s.orchard.remove(uint8(id))
			s.player[1].pile.add(uint8(id))
			s.player[1].sold[r.fruit[id].kind]++
		}
	}
}

// opens fails unless the view of a position can be opened again or, where a path is
// given, is found impossible there.
func opens(t *testing.T, r *Rules, s *Position, path string) {
	t.Helper()
	raw, err := json.Marshal(r.ViewJSON(s))
	if err != nil {
		t.Fatal(err)
	}
	back, err := r.ReadView(raw)
	got := ""
	if fault := (*game.Fault)(nil); errors.As(err, &fault) {
		got = fault.Args["path"].(string)
	}
	if got != path || err == nil && back != *s {
		t.Errorf("version %d: %v, want %q, of\n%s", r.version, err, path, r.draw(s))
	}
}

// Map Room reveals four fruits and then makes an extra sale. Apples were sold in
// this turn, and nothing else lies in the row: the sale is certain if there are
// too few apples in the deck to reveal nothing else.
func TestRule3_6ASaleThatIsCertainDoesNotLapse(t *testing.T) {
	const mapRoom = 68
	options := UsualOptions()
	options.Guilds, options.Starts = 0b111001, false
	r := New(2, DefaultBox(), options)
	if r.name(mapRoom) != "map-room" {
		t.Fatal("card 68 is another one")
	}
	var apples, others []uint8
	for _, id := range r.blank.orchard.list() {
		if r.fruit[id].kind == 0 {
			apples = append(apples, uint8(id))
		} else {
			others = append(others, uint8(id))
		}
	}
	for _, c := range []struct {
		apples, others int
		used           bool
	}{{3, 1, true}, {3, 9, true}, {4, 1, false}, {4, 9, false}, {0, 1, true}, {1, 0, false}} {
		drawn := fmt.Sprintf(`
0: purse 9 row %d progress %d/1
1: purse 1 row %d
stall %d %d %d %d %d
turn 0 build sold %d used`, apples[0], mapRoom, others[0], others[1], others[2], others[3], others[4], others[5], apples[1])
		for _, r := range []*Rules{r, version1(r)} {
			s := tableBy(t, r, drawn)
			orchardOf(r, &s, append(append([]uint8{}, apples[2:2+c.apples]...), others[6:6+c.others]...)...)
			log := play(t, r, &s, fmt.Sprintf("raise %d", mapRoom))
			if want := c.used && r.version > 1; want {
				may(t, r, &s, "use", "skip")
			} else {
				tells(t, log, "lapse", fmt.Sprintf(`{"card":"map-room","id":%d,"level":2,"seat":0}`, mapRoom))
			}
		}
	}
}

// A card of any type is a card more: what counts unsold fruit is as certain as
// the draw. And a coin for each apple is certain if there is nothing but apples.
func TestRule3_6WhatIsDrawnCountsIfItIsCertain(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-fruit","count":2},{"verb":"coins","amount":{"times":1,"of":"unsold","most":9}},{"verb":"pay","amount":3}`),
		do(26, 1, `{"verb":"draw-fruit","count":2},{"verb":"coins","amount":{"times":1,"of":"unsold","type":"apple","most":9}},{"verb":"pay","amount":1}`))
	drawn := strings.Replace(rich, "purse 30", "purse 2", 1)
	s := picture(t, r, drawn)
	play(t, r, &s, "found 14", "use", "fruit 4", "fruit 20", "keep 20")
	shows(t, r, &s, "0: purse 0 row 16 20 31 progress 14/1 - -")
	s = picture(t, r, drawn)
	log := play(t, r, &s, "found 26")
	tells(t, log, "lapse", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
	s = picture(t, r, drawn)
	orchardOf(r, &s, 4, 5, 6, 20) // of two that are revealed one at least is an apple
	play(t, r, &s, "found 26", "use", "fruit 20", "fruit 5")
	may(t, r, &s, "keep 5", "action")
	refused(t, r, &s, "keep 20", "3.6", "unfinished", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
}

// What comes into the market is seen before something is sold: it pays for more if
// it is sure to be of a type that can be sold.
func TestRule3_6WhatFillsTheMarketPaysIfItIsCertain(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"take"},{"verb":"sell"},{"verb":"pay","amount":4}`))
	for _, c := range []struct {
		orchard []uint8
		used    bool
	}{
		{[]uint8{19, 20}, true},  // a fourth cherry
		{[]uint8{19, 34}, true},  // or a fourth grape
		{[]uint8{47, 19}, false}, // a blueberry helps nobody
		{[]uint8{19, 47}, false},
		{[]uint8{10, 19}, false}, // and apples were sold
	} {
		s := picture(t, r, strings.Replace(rich, "purse 30", "purse 2", 1))
		orchardOf(r, &s, c.orchard...)
		log := play(t, r, &s, "found 14")
		if !c.used {
			tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
			continue
		}
		may(t, r, &s, "use", "skip")
		play(t, r, &s, "use", "take 3", "fruit 19")
		may(t, r, &s, "sell 16", "action")
	}
}

// Fruit that is put back fills the market before anything else is drawn. Three
// draws need three cards then, so nothing may be taken from the market on the way
// whose gap one of them would fill.
func TestRule3_12FruitPutBackFillsTheMarketFirst(t *testing.T) {
	r := plainRules(t, 2, acting(1, "take"), do(14, 1, `{"verb":"draw-fruit","count":4},{"verb":"draw-fruit","count":2},{"verb":"draw-fruit","count":2}`),
		do(26, 1, `{"verb":"draw-fruit","count":4},{"verb":"draw-fruit","count":2}`))
	begin := func(r *Rules, card string, orchard ...uint8) Position {
		s := picture(t, r, rich)
		orchardOf(r, &s, orchard...)
		play(t, r, &s, "found "+card, "use")
		for _, id := range orchard {
			play(t, r, &s, fmt.Sprintf("fruit %d", id))
		}
		return s
	}
	s := begin(r, "14", 4, 5, 6)
	may(t, r, &s, "keep 4", "keep 5", "keep 6")
	refused(t, r, &s, "action", "3.6", "unfinished", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	s = begin(r, "14", 4, 5, 6, 7) // with a fourth there is enough
	may(t, r, &s, "keep 4", "keep 5", "keep 6", "keep 7", "action")
	play(t, r, &s, "action", "take 3", "keep 4")
	may(t, r, &s, "fruit 5", "fruit 6", "fruit 7") // for the market
	play(t, r, &s, "fruit 5", "fruit 6", "fruit 7", "keep 6", "fruit 7", "keep 7")
	shows(t, r, &s, "0: purse 28 row 3 4 6 7 16 31 progress 14/1 - -\nlast 1 fruit")
	s = begin(r, "26", 4, 5) // nor is the second of two draws dropped
	refused(t, r, &s, "action", "3.6", "unfinished", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)

	// Version 1 allowed it, and dropped the second draw of two. After three nothing
	// was left to do: there, and only there, the effect can be given up.
	old := version1(r)
	s = begin(old, "26", 4, 5)
	play(t, old, &s, "action", "take 3", "keep 4", "fruit 5")
	shows(t, old, &s, "0: purse 28 row 3 4 16 31 progress 26/1 - -\nturn 0 round 1 build sold 1 used\nlast 1 fruit")
	s = begin(old, "14", 4, 5, 6)
	play(t, old, &s, "action", "take 3")
	opens(t, old, &s, "")
	opens(t, r, &s, "view.job") // in version 2 nobody comes there
	play(t, old, &s, "keep 4", "fruit 5", "fruit 6")
	may(t, old, &s, "skip")
	opens(t, old, &s, "")
	refused(t, old, &s, "keep 6", "3.6", "unfinished", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	if quick := old.Plan(&s, 0, rand.New(rand.NewPCG(1, 1)), nil); len(quick) != 1 || quick[0] != move(Skip, 0) {
		t.Errorf("a bot would do %v", quick)
	}
	log := play(t, old, &s, "skip")
	tells(t, log, "skip", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	shows(t, old, &s, "0: purse 28 row 3 4 16 31 progress 14/1 - -\nturn 0 round 1 build sold 1 used")
	may(t, old, &s, "found 5", "found 26", "found 38", "found 6", "found 15", "raise 14", "rest")
	if !s.orchard.has(6) {
		t.Error("what was revealed does not go back")
	}
}

// Rows that are replaced twice bring their cards to the discards twice, known or
// not: so with seven cards for six places one is left to draw, with six none.
func TestRule4_3RowsReplacedTwiceAreDiscardedTwice(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"refresh","rows":2},{"verb":"refresh","rows":2},{"verb":"draw-guild","count":2}`))
	for deck, used := range map[string]bool{"30": false, "30 31": true} {
		var ids []uint8
		for _, word := range strings.Fields(deck) {
			ids = append(ids, map[string]uint8{"30": 30, "31": 31}[word])
		}
		for _, r := range []*Rules{r, version2(r), version1(r)} {
			s := picture(t, r, rich)
			rare(r, &s, ids...)
			log := play(t, r, &s, "found 14")
			if !used && r.version > 2 { // the card itself could be the seventh
				may(t, r, &s, "skip", "discard 14")
				continue
			}
			if !used || r.version == 1 {
				tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
				continue
			}
			may(t, r, &s, "use", "skip")
		}
	}
}
