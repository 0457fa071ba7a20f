package treesociety

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// What version 3 reads in the printed rules and earlier versions did not.

// Lookout makes cherries 2 dearer, Jam Kitchen every sale by 1: a cherry brings 2
// more, an apple 1. Before version 3 they added up.
func TestRule3_4BetterSalesDoNotAddUp(t *testing.T) {
	const lookout, jamKitchen = 5, 28
	for version, want := range map[int]string{2: "3 1", 3: "2 1"} {
		r := NewVersion(2, standard(1).box, UsualOptions(), version)
		p := player{place: [3]uint8{lookout, jamKitchen}, level: [3]uint8{1, 1}}
		r.refit(&p)
		if got := fmt.Sprint(p.bonus[1], p.bonus[0]); got != want {
			t.Errorf("version %d: cherries and apples bring %s more", version, got)
		}
	}
	// On one card too, and on top of it the leaf and what the effect adds.
	r := plainRules(t, 2, leafy(31), effect(14, 1, `{"while":[{"verb":"better-sale","amount":3},{"verb":"better-sale","amount":2,"type":"grape"}]}`),
		do(26, 1, `{"verb":"sell","more":4}`))
	s := picture(t, r, `
0: purse 10 row 16 31 progress 14/1
1: purse 1 row 2
market 5 15 26 top 38 6 16
stall 3 18 33 46 61
turn 0 build sold 1 used`)
	log := play(t, r, &s, "found 26", "use", "sell 31")
	tells(t, log, "sell.extra", `{"bonus":7,"coins":10,"fruit":"grape","id":31,"leaf":1,"seat":0,"seen":2}`)
}

func TestRule3_4TheLargestPurseCounts(t *testing.T) {
	r := plainRules(t, 2, effect(14, 1, `{"while":[{"verb":"bigger-purse","amount":3},{"verb":"bigger-purse","amount":1}]}`),
		effect(15, 1, `{"while":[{"verb":"bigger-purse","amount":4},{"verb":"income","amount":1},{"verb":"income","amount":2}]}`),
		effect(16, 1, `{"while":[{"verb":"bigger-purse","amount":2},{"verb":"income","amount":5,"to":"purse"}]}`))
	drawn := `
0: purse 3 chest 1 row 16 31 progress 14/1 15/1 16/1
1: purse 1 row 2
market 5 25 26 top 38 6 17
stall 3 18 33 46 61
turn 0 build sold 1 used`
	s := picture(t, r, drawn)
	log := play(t, r, &s, "rest", "take 3")
	tells(t, log, "income", `{"coins":8,"seat":0}`)                    // each is paid before coins are counted:
	tells(t, log, "coins", `{"chest":4,"lost":2,"purse":10,"seat":0}`) // of 8 in the purse 6 are kept, and the chest held 1 + 3
	old := version2(r)
	s = picture(t, old, drawn)
	log = play(t, old, &s, "rest", "take 3")
	tells(t, log, "coins", `{"chest":4,"lost":0,"purse":12,"seat":0}`)
}

// full is a table at which no place of seat 0 is free.
const full = `
0: purse 30 row 16 31 progress 14/1 15/1 16/1 completed 20 21
1: purse 1 chest 1 row 2 17 32
market 5 25 26 top 38 6 17
stall 3 18 33 46 61
turn 0 build sold 1`

// An effect that could be done after one guild in progress is discarded waits for
// that, whatever is discarded in the end.
func TestRule3_6AnEffectWaitsForADiscard(t *testing.T) {
	r := plainRules(t, 2, do(14, 2, `{"verb":"found","less":2}`), acting(1, "take"))
	s := picture(t, r, full)
	log := play(t, r, &s, "raise 14")
	for _, e := range log.Events {
		if strings.HasSuffix(e.Key, "lapse") {
			t.Error("it lapses")
		}
	}
	may(t, r, &s, "skip", "discard 14", "discard 15", "discard 16", "discard 20", "discard 21")
	opens(t, r, &s, "")
	refused(t, r, &s, "use", "3.6", "use", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
	refused(t, r, &s, "action", "3.15", "action.between", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
	refused(t, r, &s, "found 5", "3.6", "decide", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
	refused(t, r, &s, "rest", "3.6", "rest", `{"due":"discard"}`)
	var v View
	if raw := asJSON(t, r.ViewJSON(&s)); json.Unmarshal([]byte(raw), &v) != nil || v.Asked != "discard" || v.Job.Stage != "asked" {
		t.Errorf("the view asks for %s", v.Asked)
	}
	for id, want := range map[uint8]bool{14: true, 15: true, 20: false} {
		if got := r.Facts(&s, 0, move(Discard, id))["helps"]; got != want {
			t.Errorf("discarding %d helps: %v", id, got)
		}
	}
	skipped := s
	play(t, r, &skipped, "skip")
	shows(t, r, &skipped, "0: purse 27 row 16 31 progress 14/2 15/1 16/1 completed 20 21\nturn 0 round 1 build sold 1")
	play(t, r, &s, "discard 20") // it helps nothing, and is judged anew
	may(t, r, &s, "skip", "discard 14", "discard 15", "discard 16", "discard 21")
	self := s
	play(t, r, &s, "discard 15")
	may(t, r, &s, "use", "skip", "discard 14", "discard 16", "discard 21")
	if _, told := r.Facts(&s, 0, move(Discard, 16))["helps"]; told {
		t.Error("nothing needs help any more")
	}
	play(t, r, &s, "use", "found 5")
	shows(t, r, &s, "0: purse 27 row 16 31 progress 14/2 5/1 16/1 completed 21\ndiscards 15 20")
	play(t, r, &self, "discard 14", "use", "found 5") // the card itself: its effect survives it
	shows(t, r, &self, "0: purse 27 row 16 31 progress 5/1 15/1 16/1 completed 21\ndiscards 14 20")
}

// After a discard an effect may lapse too: here the price is met only as long as
// 15 makes it cheaper.
func TestRule3_6AfterADiscardAnEffectMayLapse(t *testing.T) {
	r := plainRules(t, 2, do(14, 2, `{"verb":"found"}`), effect(15, 1, `{"while":[{"verb":"cheaper","less":2,"build":"found"}]}`))
	s := picture(t, r, strings.Replace(full, "purse 30", "purse 3", 1))
	play(t, r, &s, "raise 14")
	may(t, r, &s, "skip", "discard 14", "discard 15", "discard 16", "discard 20", "discard 21")
	log := play(t, r, &s, "discard 15")
	tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
	// Where the one guild whose discard would free a place makes nothing cheaper it
	// could never be paid, and lapses at once.
	s = picture(t, r, strings.Replace(full, "purse 30", "purse 3", 1))
	s.player[0].level[1] = 2
	r.refit(&s.player[0])
	log = play(t, r, &s, "raise 14")
	tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
}

// A completed guild is a discard that can help only where no guild is left to be
// drawn.
func TestRule3_6ACompletedGuildHelpsWhereNoGuildIsLeft(t *testing.T) {
	r := plainRules(t, 2, do(22, 3, `{"verb":"draw-guild","count":2}`))
	const drawn = `
0: purse 30 row 16 31 progress 22/2 completed 20
1: purse 1 chest 1 row 2 17 32
market 5 25 26 top 38 6 17
stall 3 18 33 46 61
turn 0 build sold 1 used`
	s := picture(t, r, drawn)
	rare(r, &s)
	play(t, r, &s, "raise 22")
	may(t, r, &s, "skip", "discard 20", "discard 22")
	self := s
	play(t, r, &s, "discard 20", "use", "guild 20")
	may(t, r, &s, "keep 20", "keep-none", "discard 22")
	play(t, r, &self, "discard 22", "use", "guild 22", "keep 22") // it draws itself
	shows(t, r, &self, "0: purse 24 row 16 31 progress 22/1 - - completed 20\nturn 0 round 1 build sold 1 used")
	// A discard that is not asked for is never supposed: with a guild in the deck
	// the draw of two rows that takes it all lapses, though a completed guild could
	// be the one to draw.
	r = plainRules(t, 2, do(22, 3, `{"verb":"refresh","rows":2},{"verb":"draw-guild","count":2}`))
	s = picture(t, r, drawn)
	rare(r, &s)
	s.discards.add(s.market[0])
	s.market[0] = 0
	log := play(t, r, &s, "raise 22")
	tells(t, log, "lapse", `{"card":"bankers 9","id":22,"level":3,"seat":0}`)
}

// several is a deck in which card 14 draws three guilds and keeps two, for a coin
// less, on level 1. Of writers 39 and 41 have an effect, and 40 demands a sale.
func several(t *testing.T, edits ...edit) *Rules {
	t.Helper()
	r := plainRules(t, 2, append([]edit{
		costing(14, 3, 3, 4), do(14, 1, `{"verb":"draw-guild","count":3,"keep":2,"less":1}`),
		do(39, 1, `{"verb":"coins","amount":1}`),
		effect(40, 1, `{"first":[{"verb":"sell"}],"do":[{"verb":"coins","amount":1,"to":"chest"}]}`),
		do(41, 1, `{"verb":"found"}`),
	}, edits...)...)
	return r
}

func TestRule3_12SeveralGuildsAreKeptOneAfterTheOther(t *testing.T) {
	r := several(t, acting(1, "take"))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "use", "guild 39", "guild 40", "guild 42")
	may(t, r, &s, "keep 39", "keep 40", "keep 42", "keep-none", "action")
	opens(t, r, &s, "")
	told := play(t, r, &s, "keep 39") // paid and founded at once; its effect waits
	tells(t, told, "keep.guild.more", `{"card":"writers 2","id":39,"seat":0}`)
	shows(t, r, &s, "0: purse 26 row 16 31 progress 14/1 39/1 -\nturn 0 round 1 build sold 1 doing 14/1 kept 1 then 39")
	may(t, r, &s, "keep 40", "keep 42", "keep-none")
	opens(t, r, &s, "")
	refused(t, r, &s, "action", "3.15", "action.between", `{"card":"writers 2","id":39,"level":1,"seat":0}`)
	refused(t, r, &s, "keep 39", "3.12", "keep.guild", `{"card":"writers 2","id":39}`)
	enough := s
	tells(t, play(t, r, &enough, "keep-none"), "keep-enough", `{"seat":0}`) // one may be enough
	shows(t, r, &enough, "turn 0 round 1 build sold 1 asked 39/1")
	if !enough.deck.has(40) || !enough.deck.has(42) || enough.pick != (drawing{}) {
		t.Error("the rest is not shuffled back")
	}
	told = play(t, r, &s, "keep 40") // it demands a sale, before it is paid
	tells(t, told, "keep.guild", `{"card":"writers 3","id":40,"seat":0}`)
	shows(t, r, &s, "turn 0 round 1 build sold 1 demanded 40/1 by 14/1 kept 1 then 39")
	opens(t, r, &s, "")
	if !s.deck.has(42) {
		t.Error("with the last that is kept the rest is not shuffled back")
	}
	log := play(t, r, &s, "sell 16")
	tells(t, log, "found", `{"base":2,"card":"writers 3","extra":0,"id":40,"off":1,"price":1,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 31 progress 14/1 39/1 40/1\nturn 0 round 1 build sold 1 16 asked 39/1 then 40")
	opens(t, r, &s, "")
	refused(t, r, &s, "rest", "3.6", "rest", `{"due":"use"}`)
	play(t, r, &s, "use")
	shows(t, r, &s, "turn 0 round 1 build sold 1 16 asked 40/1")
	play(t, r, &s, "use")
	shows(t, r, &s, "0: purse 29 chest 1 row 31 progress 14/1 39/1 40/1\nturn 0 round 1 build sold 1 16")
}

// The effect of a kept guild that builds is finished with what it has built before
// the next one that was kept is asked (3.7).
func TestRule3_12WhatAKeptGuildBuildsComesBeforeTheNext(t *testing.T) {
	r := several(t, do(5, 1, `{"verb":"coins","amount":2}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "use", "guild 41", "guild 39", "guild 42", "keep 41", "keep 39")
	shows(t, r, &s, "0: purse 25 row 16 31 progress 14/1 41/1 39/1\nturn 0 round 1 build sold 1 asked 41/1 then 39")
	may(t, r, &s, "skip", "discard 14", "discard 41", "discard 39") // no place is free
	play(t, r, &s, "discard 14", "use", "found 5")
	shows(t, r, &s, "turn 0 round 1 build sold 1 asked 5/1 then 39")
	may(t, r, &s, "use", "skip")
	opens(t, r, &s, "")
	play(t, r, &s, "discard 39", "use") // a waiting effect survives its card
	shows(t, r, &s, "turn 0 round 1 build sold 1 asked 39/1")
	play(t, r, &s, "use")
	shows(t, r, &s, "0: purse 26 row 16 31 progress 5/1 41/1 -\nturn 0 round 1 build sold 1")
}

func TestRule3_12KeepingSeveralStopsWhereNothingIsLeft(t *testing.T) {
	r := several(t)
	s := picture(t, r, rich)
	rare(r, &s, 42)
	play(t, r, &s, "found 14", "use", "guild 42")
	may(t, r, &s, "keep 42", "keep-none", "action")
	tells(t, play(t, r, &s, "keep 42"), "keep.guild", `{"card":"writers 5","id":42,"seat":0}`) // fewer were there
	shows(t, r, &s, "0: purse 26 row 16 31 progress 14/1 42/1 -\nturn 0 round 1 build sold 1")
	// A kept guild needs a place, which a discard after the reveal may make.
	s = picture(t, r, strings.Replace(strings.Replace(full, "14/1", "27/1", 1), "market 5", "market 14", 1))
	play(t, r, &s, "discard 27", "found 14", "use", "guild 42", "guild 43", "guild 44")
	may(t, r, &s, "keep-none", "action")
	refused(t, r, &s, "keep 42", "3.1", "places", `{"card":"writers 5","id":42,"most":3}`)
	play(t, r, &s, "discard 15")
	may(t, r, &s, "keep 42", "keep 43", "keep 44", "keep-none", "action")
	play(t, r, &s, "keep 43")
	may(t, r, &s, "keep-none", "action") // nothing waits: 43 has a dash
	// So many effects may wait and no more.
	s = picture(t, r, rich)
	play(t, r, &s, "found 14", "use", "guild 42", "guild 43", "guild 44")
	for i := range s.waiting {
		s.waiting[i] = 39
	}
	s.waits = mostWaiting - 1
	may(t, r, &s, "keep 42", "keep 43", "keep 44", "keep-none")
	s.waits = mostWaiting
	may(t, r, &s, "keep-none")
	refused(t, r, &s, "keep 42", "3.12", "keep.waiting", `{"most":32}`)
}

func TestRule3_12SeveralFruitCardsAreKept(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-fruit","count":3,"keep":2},{"verb":"sell"}`), acting(1, "build"))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "use", "fruit 4", "fruit 34", "fruit 47")
	may(t, r, &s, "keep 4", "keep 34", "keep 47")
	refused(t, r, &s, "keep-none", "3.12", "keep.several", `{"left":2}`)
	opens(t, r, &s, "")
	tells(t, play(t, r, &s, "keep 4"), "keep.fruit.more", `{"fruit":"apple","id":4,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 4 16 31 progress 14/1 - -\nturn 0 round 1 build sold 1 doing 14/1 kept 1")
	opens(t, r, &s, "")
	may(t, r, &s, "keep 34", "keep 47")
	refused(t, r, &s, "keep-none", "3.12", "keep.one", `{}`)
	refused(t, r, &s, "keep 4", "3.12", "keep.fruit", `{"fruit":"apple","id":4}`)
	tells(t, play(t, r, &s, "keep 47"), "keep.fruit", `{"fruit":"blueberry","id":47,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 4 16 31 47 progress 14/1 - -\nturn 0 round 1 build sold 1 doing 14/1")
	if !s.orchard.has(34) || s.pick != (drawing{}) {
		t.Error("the rest is not shuffled back")
	}
	play(t, r, &s, "sell 47")
	// All that were revealed, where there are fewer; the deck is not empty as long as
	// something may go back, and is when all was kept (6.2).
	s = lastFruit(t, r, rich)
	play(t, r, &s, "found 14", "use", "fruit 4")
	if s.end != 0 {
		t.Error("the game ends in mid-draw")
	}
	play(t, r, &s, "keep 4")
	if s.end != byFruit || s.pick != (drawing{}) {
		t.Error("there is fruit left")
	}
}

// Whatever is revealed, two of it must lead to the end. Here two sales follow, apples
// were sold and nothing else lies in the row: two types besides apples must be
// among any four cards.
func TestRule3_6KeepingSeveralIsLookedThrough(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-fruit","count":4,"keep":2},{"verb":"sell"},{"verb":"sell"}`))
	for _, c := range []struct {
		left []uint8
		want bool
	}{
		{[]uint8{4, 5, 19, 34}, true},           // all are revealed
		{[]uint8{4, 5, 19, 20}, false},          // of one type only
		{[]uint8{4, 5, 6, 19, 34}, false},       // the grape may stay in the deck
		{[]uint8{4, 5, 19, 34, 35}, false},      // and so may the cherry
		{[]uint8{4, 5, 19, 34, 47}, true},       // one of three types may
		{[]uint8{19, 20, 34, 35, 47}, true},     //
		{[]uint8{4, 19, 20, 21, 22, 34}, false}, // four cherries
		{[]uint8{19, 20, 21, 34, 35, 36}, true}, // never four of a type
	} {
		s := picture(t, r, `
0: purse 30 row 2
1: purse 1 chest 1 row 17 32
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 build sold 1 used`)
		s.player[1].pile = s.orchard
		for _, id := range c.left {
			s.player[1].pile.remove(id)
		}
		s.orchard = set{}
		for _, id := range c.left {
			s.orchard.add(id)
		}
		want := slow(r, &s, 14)
		play(t, r, &s, "found 14")
		if got := s.job.stage == asked; got != c.want || got != want {
			t.Errorf("%v: the effect can be used: %v, want %v, and the plain version says %v", c.left, got, c.want, want)
		}
	}
}

// slow is whether the effect of level 1 of a card can be used after it is founded,
// as the plain version finds out.
func slow(r *Rules, s *Position, id int) bool {
	g := newPlainTable(r.box, r.seats, r.options, r.version)
	g.phase, g.actor = "build", int(s.actor)
	g.orchard, g.deck = map[int]bool{}, map[int]bool{}
	for _, id := range s.orchard.list() {
		g.orchard[id] = true
	}
	for i := range s.stall[:r.wide] {
		g.stall[i] = int(s.stall[i])
	}
	for seat := range g.players {
		p := &s.player[seat]
		g.players[seat].purse = int(p.purse)
		for _, id := range p.row.list() {
			g.players[seat].row[id] = true
		}
	}
	g.sold, g.used = []int{int(s.apart[0])}, true
	g.me().places[0] = plainGuild{id, 1}
	g.tasks = []plainTask{{kind: "ask", card: id, level: 1}}
	return g.usable()
}

// Page 5 of the printed rules has an effect that builds a level, named by its sign,
// of another guild for half its cost.
func TestRule3_6AnEffectMayNameTheLevelsItBuilds(t *testing.T) {
	r := plainRules(t, 2, do(14, 2, `{"verb":"raise","half":true,"other":true,"levels":[3]}`), do(26, 1, `{"verb":"build","free":true,"levels":[1,3]}`))
	s := picture(t, r, strings.Replace(full, "15/1 16/1", "15/2 16/1", 1))
	play(t, r, &s, "raise 14", "use")
	may(t, r, &s, "raise 15", "action")
	refused(t, r, &s, "raise 16", "3.6", "build.level", `{"card":"bankers 3","id":16,"level":2}`)
	refused(t, r, &s, "raise 14", "3.6", "build.other", `{"card":"bankers 1","id":14}`)
	if quotes := r.quotes(&s); len(quotes) != 1 || quotes[0].Card != 15 || quotes[0].Level != 3 || quotes[0].Price != 2 {
		t.Errorf("what it can build is quoted as %v", quotes)
	}
	play(t, r, &s, "raise 15")
	shows(t, r, &s, "0: purse 25 row 16 31 progress 14/2 - 16/1 completed 15 20 21")
	play(t, r, &s, "found 26", "use")
	may(t, r, &s, "raise 14", "action") // to level 3; no place is free for a first level
	play(t, r, &s, "raise 14")
	// Where no card stands below a named level it lapses.
	s = picture(t, r, full)
	log := play(t, r, &s, "raise 14")
	tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":2,"seat":0}`)
}

// Versions 1 and 2 do not know the whole language, so no table of theirs is set with
// a deck that speaks it.
func TestADeckMayNeedVersion3(t *testing.T) {
	for _, clause := range []string{`{"verb":"draw-fruit","count":2,"keep":2}`, `{"verb":"raise","levels":[3]}`} {
		box := plainBox(t, do(14, 2, clause))
		options := json.RawMessage(`{"box":` + string(box.written()) + `}`)
		for version := 1; version <= newest; version++ {
			_, err := game.Of(Game()).Start(game.Settings{Seats: 2, Options: options, Version: version})
			got := fmt.Sprint(err)
			want := fmt.Sprintf(`treesociety.box.version {"least":3,"path":"box.cards[13].levels[1]","version":%d}`, version)
			if version > 2 {
				want = "<nil>"
			}
			if got != want {
				t.Errorf("version %d: %s, want %s", version, got, want)
			}
		}
	}
}

// Every version has a deck by default, which is there for ever, and what a box
// leaves out is as in that one.
func TestEveryVersionHasADeck(t *testing.T) {
	about := Game().About
	for version := 1; version <= newest; version++ {
		hash := about.UsualBox(version)
		whole, err := about.ReadBox(json.RawMessage("{}"), version)
		if err != nil || game.BoxHash(whole) != hash {
			t.Errorf("version %d has the box %s, and {} is %s: %v", version, hash, game.BoxHash(whole), err)
		}
		for _, options := range []string{"", `{"box":{}}`, `{"box":"` + hash + `"}`, `{"box":` + string(whole) + `}`} {
			if got, own, err := about.BoxOf(json.RawMessage(options), version); got != hash || own != nil || err != nil {
				t.Errorf("version %d, %.40s: %s, %v", version, options, got, err)
			}
		}
	}
	if got := about.UsualBox(newest); got != boxOption(t) {
		t.Errorf("the newest version has %s, the option says %s", got, boxOption(t))
	}
	list := printed()
	if !slices.IsSortedFunc(list, func(a, b *printing) int { return a.from - b.from }) || list[0].from != 1 || standard(1) != list[0] {
		t.Error("the decks are not in the order of their versions, from the first")
	}
	// Tables of version 3 were begun with the first printing, those of version 4 with the
	// second, and their logs do not hold it: every printing needs a version of its own.
	for version, printing := range []int{1: 0, 2: 0, 3: 0, 4: 1, 5: 2} {
		if version > 0 && standard(version) != list[printing] {
			t.Errorf("version %d has the deck %s by default", version, standard(version).hash)
		}
	}
	one := *standard(1).box
	coins := json.RawMessage(`{"box":{"coins":[{"purse":7,"chest":3},{"purse":1,"chest":0},{"purse":1,"chest":0},{"purse":1,"chest":0}]}}`)
	one.Coins = []Coins{{7, 3}, {1, 0}, {1, 0}, {1, 0}}
	if hash, own, err := about.BoxOf(coins, 1); err != nil || string(own) != string(one.written()) || hash != game.BoxHash(own) {
		t.Errorf("other coins: %s, %v", hash, err)
	}
}
