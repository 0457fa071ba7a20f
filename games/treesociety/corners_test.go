package treesociety

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/game"
)

// readTests is the text of all tests of this package.
func readTests(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	return all.String()
}

// An effect builds in a chain while three guilds are in progress: a raise
// completes a card, whose effect founds another into the place that it leaves,
// whose effect raises a third.
func TestAChainWhileThreeAreInProgress(t *testing.T) {
	r := plainRules(t, 2, do(15, 2, `{"verb":"raise","free":true,"other":true}`), do(16, 3, `{"verb":"found","half":true}`),
		do(26, 1, `{"verb":"raise","less":1}`), do(28, 2, `{"verb":"coins","amount":2}`))
	s := picture(t, r, `
0: purse 7 row 16 31 progress 15/1 16/2 28/1
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
	play(t, r, &s, "raise 15", "use")
	may(t, r, &s, "raise 16", "raise 28")
	play(t, r, &s, "raise 16") // free, and completed
	shows(t, r, &s, "0: purse 4 row 16 31 progress 15/2 - 28/1 completed 16\nturn 0 round 1 build sold 1 used asked 16/3")
	play(t, r, &s, "use", "found 26", "use")
	shows(t, r, &s, "0: purse 3 row 16 31 progress 15/2 26/1 28/1 completed 16")
	may(t, r, &s, "raise 15", "raise 26", "raise 28")
	play(t, r, &s, "raise 28", "use")
	shows(t, r, &s, "0: purse 3 row 16 31 progress 15/2 26/1 28/2 completed 16\nturn 0 round 1 build sold 1 used")
}

func TestACompletedCardCountsItself(t *testing.T) {
	r := plainRules(t, 2, waving(15, 3), do(15, 3, `{"verb":"coins","amount":{"times":1,"of":"banners","most":9}}`),
		scoring(15, 3, `{"times":2,"of":"completed","guild":"bankers"}`))
	s := picture(t, r, `
0: purse 4 row 16 31 progress 15/2
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
	play(t, r, &s, "raise 15", "use")
	shows(t, r, &s, "0: purse 3 row 16 31 completed 15")
	if got := r.Standing(&s).Seats[0].Total; got != 2 {
		t.Errorf("%d points", got)
	}
}

func TestHalfOfAnOddCostAndTheTopRowsCoin(t *testing.T) {
	r := plainRules(t, 2, costing(38, 5, 1, 1), do(14, 1, `{"verb":"found","half":true}`))
	s := picture(t, r, strings.Replace(rich, "purse 30", "purse 6", 1))
	play(t, r, &s, "found 14", "use")
	log := play(t, r, &s, "found 38")
	tells(t, log, "found", `{"base":5,"card":"writers 1","extra":1,"id":38,"off":2,"price":4,"seat":0}`)
	shows(t, r, &s, "0: purse 0 row 16 31 progress 14/1 38/1 -")
}

func TestOfTwoReductionsOneApplies(t *testing.T) {
	for clause, want := range map[string]int{
		`{"verb":"found","less":1}`:    6 - 3, // the continuous half is better
		`{"verb":"found","less":4}`:    6 - 4, // the clause is better
		`{"verb":"found","half":true}`: 6 - 3, // half of half there is not
		`{"verb":"found","free":true}`: 0,
		`{"verb":"found"}`:             6 - 3,
	} {
		r := plainRules(t, 2, costing(26, 6, 1, 1), do(14, 1, clause),
			effect(15, 1, `{"while":[{"verb":"cheaper","half":true,"build":"found"},{"verb":"cheaper","less":2,"build":"found"}]}`))
		s := picture(t, r, `
0: purse 30 row 16 31 progress 15/1
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
		play(t, r, &s, "found 14", "use")
		before := s.player[0].purse
		play(t, r, &s, "found 26")
		if got := int(before - s.player[0].purse); got != want {
			t.Errorf("%s: %d coins, want %d", clause, got, want)
		}
	}
}

func TestADiscountLargerThanTheCost(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"build","less":9}`))
	s := picture(t, r, strings.Replace(rich, "purse 30", "purse 3", 1))
	play(t, r, &s, "found 14", "use")
	may(t, r, &s, "found 5", "found 26", "found 38", "found 6", "found 15", "raise 14", "action")
	log := play(t, r, &s, "found 38") // nothing, and the coin for the top row
	tells(t, log, "found", `{"base":2,"card":"writers 1","extra":1,"id":38,"off":2,"price":1,"seat":0}`)
	shows(t, r, &s, "0: purse 0 row 16 31 progress 14/1 38/1 -")
}

// An effect of which the last part cannot be done cannot be used at all, whatever
// comes before it.
func TestAnEffectThatCannotBeDoneInFull(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"coins","amount":5},{"verb":"discard","other":true},{"verb":"raise","other":true}`),
		do(26, 1, `{"verb":"sell"},{"verb":"sell"}`))
	drawn := `
0: purse 20 row 16 31 progress 27/1
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`
	s := picture(t, r, drawn)
	log := play(t, r, &s, "found 14") // one other card: it cannot be both discarded and raised
	tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	s = picture(t, r, strings.Replace(drawn, "27/1", "27/1 completed 30", 1))
	play(t, r, &s, "found 14", "use")
	may(t, r, &s, "discard 30", "discard 14") // the other must stay to be raised; this one is free to go
	refused(t, r, &s, "discard 27", "3.6", "unfinished", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	log = play(t, r, &s, "discard 30")
	tells(t, log, "discard.effect", `{"card":"merchants 5","id":30,"seat":0}`)
	play(t, r, &s, "raise 27")
	// Two sales need two types that were not sold.
	s = picture(t, r, drawn)
	play(t, r, &s, "found 26", "use", "sell 31", "sell 16")
	s = picture(t, r, strings.Replace(drawn, "row 16 31", "row 16 20", 1))
	log = play(t, r, &s, "found 26")
	tells(t, log, "lapse", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
}

// The proceeds of a mandatory effect pay for its level: coins, a sale, a place.
func TestAMandatoryEffectPaysForItself(t *testing.T) {
	r := plainRules(t, 2, effect(14, 2, `{"first":[{"verb":"coins","amount":4},{"verb":"pay","amount":1}]}`),
		effect(26, 1, `{"first":[{"verb":"discard","from":"progress"}]}`), effect(27, 2, `{"first":[{"verb":"discard"}]}`),
		effect(5, 1, `{"first":[{"verb":"unlock"},{"verb":"take"}]}`))
	s := picture(t, r, `
0: purse 1 chest 2 row 16 31 progress 14/1 15/1 27/1
1: purse 1 row 17 18
market 5 20 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
	may(t, r, &s, "raise 14", "rest") // 26 costs 2, 27 costs 3, and there is no place for 5
	refused(t, r, &s, "found 5", "3.11", "demand", `{"card":"architects 5","id":5,"level":1}`)
	play(t, r, &s, "raise 14")
	shows(t, r, &s, "0: purse 1 chest 2 row 16 31 progress 14/2 15/1 27/1\nturn 0 round 1 build sold 1 used")
	s.player[0].purse = 3
	may(t, r, &s, "found 26", "raise 15", "raise 27", "rest")
	other := s
	play(t, r, &other, "raise 27")
	may(t, r, &other, "discard 14", "discard 15") // what is to be raised must stay
	play(t, r, &other, "discard 14")
	shows(t, r, &other, "0: purse 0 chest 2 row 16 31 progress - 15/1 27/2")
	play(t, r, &s, "found 26", "discard 15")
	shows(t, r, &s, "0: purse 1 chest 2 row 16 31 progress 14/2 26/1 27/1")
	play(t, r, &s, "discard 14", "found 5") // the chest pays; a fruit is taken, and drawn for, before the level is paid
	play(t, r, &s, "take 46")
	shows(t, r, &s, "0: purse 3 row 16 31 46 progress - 26/1 27/1\nturn 0 round 1 build sold 1 used draws fruit demanded 5/1")
	log := play(t, r, &s, "fruit 4")
	tells(t, log, "found", `{"base":2,"card":"architects 5","extra":0,"id":5,"off":0,"price":2,"seat":0}`)
	shows(t, r, &s, "0: purse 1 row 16 31 46 progress 5/1 26/1 27/1")
}

// rare is a deck that is nearly empty: all but the last cards were completed by
// seat 1.
func rare(r *Rules, s *Position, deck ...uint8) {
	for _, id := range s.deck.list() {
		s.player[1].completed.add(uint8(id))
	}
	s.deck = set{}
	for _, id := range deck {
		s.player[1].completed.remove(id)
		s.deck.add(id)
	}
}

func TestTheGuildDeckRunsOutInMidTurn(t *testing.T) {
	r := plainRules(t, 2, acting(1, "row"))
	s := picture(t, r, rich)
	rare(r, &s, 30)
	log := play(t, r, &s, "found 14", "discard 14", "found 38", "action", "row top")
	if s.deck.size() != 1 || s.discards.size() != 3 {
		t.Fatal("the deck is rebuilt before a card must be drawn")
	}
	tells(t, log, "discard", `{"card":"bankers 1","id":14,"seat":0}`)
	log = play(t, r, &s, "guild 30")
	tells(t, log, "rebuilt", `{"left":3}`) // 14, 6 and 15
	play(t, r, &s, "guild 14", "guild 6", "guild 15")
	shows(t, r, &s, "market 5 30 26 top 14 6 15\nturn 0 round 1 build sold 1 used")
}

func TestTheGuildDeckRunsOutInMidEffect(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-guild","count":3}`), do(26, 1, `{"verb":"refresh","rows":2},{"verb":"draw-guild","count":2}`))
	s := picture(t, r, rich)
	rare(r, &s, 30)
	play(t, r, &s, "found 5", "discard 5", "found 14", "use", "guild 30") // then from the discards
	may(t, r, &s, "guild 5")
	play(t, r, &s, "guild 5")
	may(t, r, &s, "keep 30", "keep 5", "keep-none", "action") // fewer are revealed
	play(t, r, &s, "keep-none")
	// Nothing is left at all.
	s = picture(t, r, rich)
	rare(r, &s)
	play(t, r, &s, "found 14")
	may(t, r, &s, "skip", "discard 14")
	play(t, r, &s, "skip")
	// Before version 3 no discard was waited for.
	s = picture(t, version2(r), rich)
	rare(r, &s)
	r = version2(r)
	log := play(t, r, &s, "found 14")
	tells(t, log, "lapse", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	// A refreshment takes everything there is: what would be drawn after it is not
	// there, so the effect cannot be done in full.
	log = play(t, r, &s, "found 26")
	tells(t, log, "lapse", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
	// With three cards more two gaps of six are filled before one is left to draw.
	s = picture(t, r, rich)
	rare(r, &s, 30, 31)
	log = play(t, r, &s, "found 26", "use")
	tells(t, log, "rows", `{"seat":0}`)
	play(t, r, &s, "guild 30", "guild 31", "guild 5", "guild 6", "guild 14", "guild 15")
	may(t, r, &s, "guild 38")
	play(t, r, &s, "guild 38")
	may(t, r, &s, "keep 38", "keep-none", "action")
}

func TestTheFruitDeckRunsOut(t *testing.T) {
	// In an effect that draws three where one is left.
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-fruit","count":3}`), do(26, 1, `{"verb":"take"}`), do(5, 1, `{"verb":"draw-fruit","count":2}`))
	s := lastFruit(t, r, rich)
	play(t, r, &s, "found 14", "use", "fruit 4")
	may(t, r, &s, "keep 4", "action")
	if s.end != 0 {
		t.Error("the effect is not finished yet")
	}
	log := play(t, r, &s, "keep 4")
	tells(t, log, "run-out", `{"round":1}`)
	log = play(t, r, &s, "found 5") // nothing left to draw
	tells(t, log, "lapse", `{"card":"architects 5","id":5,"level":1,"seat":0}`)
	log = play(t, r, &s, "found 26", "use", "take 3") // and the market is not refilled
	tells(t, log, "take", `{"fruit":"apple","id":3,"seat":0}`)
	shows(t, r, &s, "stall - 18 33 46 61\nlast 1 fruit")
	// In the refill of an effect, in the middle of the turn.
	s = lastFruit(t, r, rich)
	play(t, r, &s, "found 26", "use", "take 3", "fruit 4")
	shows(t, r, &s, "turn 0 round 1 build sold 1\nlast 1 fruit")
	may(t, r, &s, "found 5", "found 14", "found 38", "found 6", "found 15", "raise 26", "action", "rest")
}

func TestARowActionAfterPurchases(t *testing.T) {
	r := plainRules(t, 2, acting(1, "row"))
	s := picture(t, r, rich)
	play(t, r, &s, "found 5", "found 14", "found 26") // the bottom row is empty
	play(t, r, &s, "action")
	may(t, r, &s, "row top")
	refused(t, r, &s, "row bottom", "3.15", "row", `{"row":"bottom"}`)
	play(t, r, &s, "row top", "guild 30", "guild 31", "guild 32", "guild 33", "guild 34", "guild 35")
	shows(t, r, &s, "market 30 31 32 top 33 34 35\ndiscards 6 15 38")
	s = picture(t, r, rich)
	play(t, r, &s, "found 14", "found 38", "action", "row bottom")
	shows(t, r, &s, "market - 6 15 top - - -\ndiscards 5 26") // what is above slides first
	play(t, r, &s, "guild 30", "guild 31", "guild 32", "guild 33")
	shows(t, r, &s, "market 30 6 15 top 31 32 33")
	// All six are gone, and the deck with them: there is no row to discard.
	s = picture(t, r, rich)
	s.market = [slots]uint8{}
	refused(t, r, &s, "action", "3.15", "action.impossible", `{"action":"row"}`)
}

func TestADiscardWhileAnEffectWaits(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"coins","amount":2}`), do(26, 1, `{"verb":"raise","free":true}`), do(5, 1, `{"verb":"discard"},{"verb":"coins","amount":9}`))
	s := picture(t, r, strings.Replace(rich, "row 16 31", "row 16 31 progress 27/1", 1))
	play(t, r, &s, "found 14")
	may(t, r, &s, "use", "skip", "discard 14", "discard 27")
	play(t, r, &s, "discard 14") // the effect survives the loss of its card
	may(t, r, &s, "use", "skip", "discard 27")
	play(t, r, &s, "use")
	shows(t, r, &s, "0: purse 30 row 16 31 progress 27/1 - -\ndiscards 14")
	// An effect that can no longer be done lapses.
	play(t, r, &s, "found 26", "discard 27")
	may(t, r, &s, "use", "skip", "discard 26")
	log := play(t, r, &s, "discard 26")
	tells(t, log, "lapse", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
	// In the middle of an effect what it needs stays; what it asks for answers it.
	play(t, r, &s, "found 5", "use")
	may(t, r, &s, "discard 5", "action")
	play(t, r, &s, "discard 5")
	shows(t, r, &s, "0: purse 35 row 16 31\nturn 0 round 1 build sold 1")
}

// While an effect waits for its choice the fruit action may be used, if the
// effect can still be finished; but nothing is built in between.
func TestAFruitActionInTheMiddleOfAnEffect(t *testing.T) {
	r := plainRules(t, 2, acting(1, "sell"), acting(4, "build"), acting(5, "row"), acting(6, "take"),
		do(14, 1, `{"verb":"sell","more":2}`), do(26, 1, `{"verb":"found","less":1,"guild":"writers"}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "use", "action")
	may(t, r, &s, "sell 16", "sell 31")
	play(t, r, &s, "sell 16") // for the action
	may(t, r, &s, "sell 31")
	play(t, r, &s, "sell 31") // for the effect
	shows(t, r, &s, "0: purse 36 progress 14/1 - -\nturn 0 round 1 build sold 1 16 31 used")
	// One card is left to sell: the effect needs it.
	s = picture(t, r, strings.Replace(rich, "row 16 31", "row 16", 1))
	play(t, r, &s, "found 14", "use")
	may(t, r, &s, "sell 16")
	refused(t, r, &s, "action", "3.6", "unfinished", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	// Nothing else is built.
	s = picture(t, r, strings.Replace(rich, "sold 1", "sold 4", 1))
	play(t, r, &s, "found 14", "use")
	refused(t, r, &s, "action", "3.6", "action.build", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	// The row with the only writer must stay.
	s = picture(t, r, strings.Replace(rich, "sold 1", "sold 5", 1))
	play(t, r, &s, "found 26", "use", "action")
	may(t, r, &s, "row bottom")
	refused(t, r, &s, "row top", "3.6", "unfinished", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
	play(t, r, &s, "row bottom", "guild 39", "guild 30", "guild 31")
	may(t, r, &s, "found 38", "found 39") // and what has come may be founded too
}

func TestSixBannersByTheLastSeatOfARound(t *testing.T) {
	r := plainRules(t, 2, waving(22, 3))
	drawn := `
0: purse 20 row 16 31 progress 23/2
1: purse 20 row 17 18 progress 22/2 completed 24 25 27
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 1 round 4 build sold 1 used`
	s := picture(t, r, drawn)
	play(t, r, &s, "raise 22")
	shows(t, r, &s, "last 5 banners")
	play(t, r, &s, "rest", "take 3", "fruit 4")
	shows(t, r, &s, "turn 0 round 5 sell\nlast 5 banners")
	play(t, r, &s, "sell 16", "rest", "take 4", "fruit 7", "sell 17", "rest", "take 7", "fruit 8")
	if r.ToAct(&s) != game.None {
		t.Errorf("exactly one more round is played:\n%s", r.draw(&s))
	}
}

func TestSixBannersByTwoSeatsInOneRound(t *testing.T) {
	r := plainRules(t, 2, waving(22, 3), waving(23, 3))
	s := picture(t, r, `
0: purse 20 row 16 31 progress 23/2 completed 15 20 21
1: purse 20 row 17 18 progress 22/2 completed 24 25 27
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 round 4 build sold 1 used`)
	play(t, r, &s, "raise 23", "rest", "take 3", "fruit 4", "sell 17")
	log := play(t, r, &s, "raise 22")
	for _, e := range log.Events {
		if e.Key == "treesociety.event.triggered" {
			t.Error("the end is triggered twice")
		}
	}
	shows(t, r, &s, "last 5 banners\nturn 1 round 4 build sold 17")
	// In the last round it changes nothing either.
	s = picture(t, r, `
0: purse 20 row 16 31 progress 23/2 completed 15 20 21
1: purse 20 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 round 5 build sold 1 used
last 5 banners`)
	play(t, r, &s, "raise 23")
	shows(t, r, &s, "last 5 banners")
}

func TestFallingBelowSixAgain(t *testing.T) {
	r := plainRules(t, 2, waving(22, 3))
	s := picture(t, r, `
0: purse 20 row 16 31 progress 22/2 completed 24 25 27
1: purse 20 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 round 4 build sold 1 used`)
	play(t, r, &s, "raise 22", "discard 22", "discard 24")
	shows(t, r, &s, "0: purse 16 row 16 31 completed 25 27\nlast 5 banners")
}

func TestTheGameEndsInBothWaysAtOnce(t *testing.T) {
	r := plainRules(t, 2, waving(22, 3), do(22, 3, `{"verb":"take"}`))
	drawn := `
0: purse 20 row 16 31 progress 22/2 completed 24 25 27
1: purse 20 row 2 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 round 4 build sold 1 used`
	s := lastFruit(t, r, drawn)
	play(t, r, &s, "raise 22")
	shows(t, r, &s, "last 5 banners")
	play(t, r, &s, "use", "take 3", "fruit 4") // even though one more round was due
	shows(t, r, &s, "last 4 banners fruit")
	// The other way round: fruit first, then banners, in one turn.
	r = plainRules(t, 2, waving(22, 3), do(22, 2, `{"verb":"take"}`))
	s = lastFruit(t, r, strings.Replace(drawn, "22/2", "22/1", 1))
	play(t, r, &s, "raise 22", "use", "take 3", "fruit 4")
	shows(t, r, &s, "last 4 fruit")
	play(t, r, &s, "raise 22", "rest", "take 4")
	shows(t, r, &s, "last 4 banners fruit\nturn 1 round 4 sell")
	play(t, r, &s, "sell 2", "rest", "take 19")
	if r.ToAct(&s) != game.None || s.round != 4 {
		t.Errorf("the game goes on:\n%s", r.draw(&s))
	}
}
