package treesociety

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// Every numbered rule has a test named after it. TestEveryRuleHasATest sees to
// that. The hard corners have their own in corners_test.go.

// wander plays a game at random, for some plies or to its end.
func wander(r *Rules, seed uint64, plies int) Position {
	s := r.Start()
	game.Playout(r, &s, rand.New(rand.NewPCG(seed, 0)), nil, plies)
	return s
}

const toTheEnd = 2000

// quiet is a table at which seat 0 is to sell and nothing is going on.
const quiet = `
0: purse 1 row 1 16 31
1: purse 1 chest 1 row 2 17 32
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 sell`

// rich is the same in the build phase, with a full purse.
const rich = `
0: purse 30 row 16 31
1: purse 1 chest 1 row 2 17 32
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 build sold 1`

func TestRule1_1TwoToFourSeatsClockwiseFromSeat0(t *testing.T) {
	for seats := range 7 {
		_, err := game.Of(Game()).Start(game.Settings{Seats: seats})
		if ok := seats >= 2 && seats <= 4; ok != (err == nil) {
			t.Errorf("%d seats: %v", seats, err)
		}
	}
	for seats := 2; seats <= 4; seats++ {
		r := plainRules(t, seats)
		s, rng := r.Start(), rand.New(rand.NewPCG(1, uint64(seats)))
		var order []game.Seat
		for r.ToAct(&s) != game.None {
			list := r.Moves(&s, r.ToAct(&s), nil)
			m := list[rng.IntN(len(list))]
			if m.do() == Rest {
				order = append(order, r.ToAct(&s))
			}
			r.Play(&s, r.ToAct(&s), m, nil)
		}
		for k, seat := range order {
			if int(seat) != k%seats {
				t.Fatalf("%d seats: turns went %v", seats, order)
			}
		}
	}
	r := plainRules(t, 2)
	s := picture(t, r, quiet)
	for _, seat := range []game.Seat{1, game.Chance, game.Watcher} {
		if err := r.Check(&s, seat, move(Sell, 1)); err == nil || err.Error() != `treesociety.refuse.turn {"seat":0} (rule 1.1)` {
			t.Errorf("%v moves out of turn: %v", seat, err)
		}
	}
}

func TestJunkIsNoMove(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, quiet)
	for _, m := range []Move{0, 1, 0xFFFF, move(Sell, 0), move(Sell, 76), move(Found, 74), move(Rest, 1), move(Row, 0), move(Row, 3), move(Deed(17), 1), move(Keep, 200)} {
		if err := r.Check(&s, 0, m); err == nil || err.Error() != `treesociety.refuse.unknown {"due":"sell"} (rule 2.1)` {
			t.Errorf("%x: %v", m, err)
		}
	}
}

func TestRule1_2CoinsGoToThePurseUnlessTheChestIsNamed(t *testing.T) {
	r := plainRules(t, 2,
		do(5, 1, `{"verb":"coins","amount":3}`), do(14, 1, `{"verb":"coins","amount":3,"to":"chest"}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 5", "use", "found 14", "use")
	shows(t, r, &s, `0: purse 29 chest 3 row 16 31 progress 5/1 14/1 -`)
}

func TestRule1_3StartingCoinsBySeat(t *testing.T) {
	r := New(4, DefaultBox(), UsualOptions())
	s := r.Start()
	for seat, want := range [][2]uint16{{1, 0}, {1, 1}, {2, 0}, {2, 1}} {
		if p := &s.player[seat]; p.purse != want[0] || p.chest != want[1] {
			t.Errorf("seat %d begins with %d and %d", seat, p.purse, p.chest)
		}
	}
}

func TestRule1_4FourOfSixGuilds(t *testing.T) {
	start := func(options string) ([]string, error) {
		p, err := game.Of(Game()).Start(game.Settings{Seats: 2, Options: json.RawMessage(options)})
		if err != nil {
			return nil, err
		}
		var v View
		if err := json.Unmarshal(p.View(), &v); err != nil {
			t.Fatal(err)
		}
		if n := len(v.Deck); n < 48 || n > 49+4 {
			t.Errorf("%s: the deck has %d cards", options, n)
		}
		return v.Guilds, nil
	}
	for options, want := range map[string]string{
		``: `[architects bankers merchants writers]`,
		`{"guilds":["explorers","botanists","writers","bankers"]}`: `[bankers writers botanists explorers]`,
	} {
		if got, err := start(options); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v", options, got, err)
		}
	}
	for options, want := range map[string]string{
		`{"guilds":["bankers","writers","merchants"]}`:              `treesociety.option.guilds.four {"count":3,"due":4}`,
		`{"guilds":["bankers","writers","merchants","bankers"]}`:    `treesociety.option.guild {"guild":"bankers","guilds":["architects","bankers","merchants","writers","botanists","explorers"]}`,
		`{"guilds":["bankers","writers","merchants","beekeepers"]}`: `treesociety.option.guild {"guild":"beekeepers","guilds":["architects","bankers","merchants","writers","botanists","explorers"]}`,
		`{"guilds":"bankers"}`:                                      `json.list {"field":"guilds"}`,
	} {
		if _, err := start(options); err == nil || err.Error() != want {
			t.Errorf("%s: %v", options, err)
		}
	}
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	refused(t, r, &s, `{"do":"found","card":74}`, "1.4", "card", `{"card":74,"most":73}`)
	refused(t, r, &s, `{"do":"found","card":-2}`, "1.4", "card", `{"card":-2,"most":73}`)
	refused(t, r, &s, `{"do":"found","card":300}`, "1.4", "card", `{"card":300,"most":73}`)
}

func TestRule1_5StartingCards(t *testing.T) {
	for _, architects := range []bool{true, false} {
		options := UsualOptions()
		if !architects {
			options.Guilds = 0b111100
		}
		box := plainBox(t, effect(1, 1, `{"while":[{"verb":"better-sale","amount":1}]}`), do(2, 1, `{"verb":"coins","amount":3}`))
		r := New(2, box, options)
		s := r.Start()
		may(t, r, &s, "start 1", "start 2", "start 3", "start 4")
		refused(t, r, &s, "start 5", "1.5", "deal.start", `{"card":"architects 5","id":5}`)
		play(t, r, &s, "start 2")
		may(t, r, &s, "start 1", "start 3", "start 4")
		play(t, r, &s, "start 1")
		shows(t, r, &s, "0: purse 1 progress 2/1 - -\n1: purse 1 chest 1 progress 1/1 - -") // unpaid, no standard effect
		if s.player[1].bonus[0] != 1 {
			t.Error("a continuous effect does not hold")
		}
		if left := s.deck.has(3); left != architects {
			t.Errorf("architects in play: %t, but a starting card left over is in the deck: %t", architects, left)
		}
	}
	options := UsualOptions()
	options.Guilds = 0b111100
	r := New(2, plainBox(t), options)
	s := tableBy(t, r, `
0: purse 5 row 16 31 progress 1/1
1: purse 1 row 2 17 32 progress 2/1
market 26 38 50 top 62 27 39
stall 3 18 33 46 61
turn 0 build sold 1`)
	play(t, r, &s, "discard 1")
	shows(t, r, &s, "discards 1")
	r = plainRules(t, 3)
	s = r.Start()
	if s.phase != opening || !s.deck.has(1) {
		t.Error("without the option starting cards are like others")
	}
}

func TestRule1_6TheGuildMarketShowsTwoRowsOfThree(t *testing.T) {
	r := plainRules(t, 2)
	s := r.Start()
	play(t, r, &s, "guild 5", "guild 14", "guild 26", "guild 38", "guild 6")
	shows(t, r, &s, "market 5 14 26 top 38 6 -")
	play(t, r, &s, "guild 15")
	shows(t, r, &s, "market 5 14 26 top 38 6 15")
}

func TestRule1_7TheFruitMarketBeginsWithDifferentTypes(t *testing.T) {
	for seats, wide := range map[int]int{2: 5, 3: 4, 4: 3} {
		for seed := range uint64(20) {
			r := plainRules(t, seats)
			s := r.Start()
			rng := rand.New(rand.NewPCG(seed, 1))
			for s.phase <= stocking {
				list := r.Moves(&s, game.Chance, nil)
				r.Play(&s, game.Chance, list[rng.IntN(len(list))], nil)
			}
			met := map[uint8]bool{}
			for _, id := range s.stall {
				if id != 0 {
					met[r.fruit[id].kind] = true
				}
			}
			if len(met) != wide {
				t.Errorf("%d seats: %v has %d types", seats, s.stall, len(met))
			}
			if n := s.orchard.size() + wide; n != map[int]int{2: 50, 3: 75, 4: 75}[seats] {
				t.Errorf("%d seats play with %d fruit cards", seats, n)
			}
		}
	}
	r := plainRules(t, 2)
	s := r.Start()
	play(t, r, &s, "guild 5", "guild 14", "guild 26", "guild 38", "guild 6", "guild 15", "fruit 1", "fruit 16")
	refused(t, r, &s, "fruit 2", "1.7", "deal.type", `{"fruit":"apple","id":2}`)
	refused(t, r, &s, "fruit 30", "1.9", "deal.fruit", `{"fruit":"cherry","id":30}`) // marked 3-4
	refused(t, r, &s, `{"do":"fruit","card":76}`, "1.7", "fruit", `{"card":76,"most":75}`)
	// Later it is refilled with whatever is drawn, at once.
	s = picture(t, r, strings.Replace(quiet, "sell", "take", 1))
	play(t, r, &s, "take 46", "fruit 4")
	shows(t, r, &s, "stall 3 18 33 4 61")
}

func TestRule1_8ThreeFruitCardsDealtOrDrafted(t *testing.T) {
	r := plainRules(t, 2)
	s := r.Start()
	play(t, r, &s, "guild 5", "guild 14", "guild 26", "guild 38", "guild 6", "guild 15",
		"fruit 3", "fruit 18", "fruit 33", "fruit 46", "fruit 61", "fruit 1", "fruit 16", "fruit 31", "fruit 2", "fruit 17", "fruit 32")
	shows(t, r, &s, quiet[1:strings.Index(quiet, "turn")]+"turn 0 round 1 sell")
	options := UsualOptions()
	options.Starts, options.Draft = false, true
	r = New(2, plainBox(t), options)
	s = r.Start()
	play(t, r, &s, "guild 5", "guild 14", "guild 26", "guild 38", "guild 6", "guild 15", "fruit 3", "fruit 18", "fruit 33", "fruit 46", "fruit 61")
	may(t, r, &s, "draft 3", "draft 18", "draft 33", "draft 46", "draft 61")
	refused(t, r, &s, "draft 1", "1.8", "take.market", `{"fruit":"apple","id":1}`)
	refused(t, r, &s, "take 3", "1.8", "not-now", `{"do":"take","due":"draft"}`)
	play(t, r, &s, "draft 18", "fruit 1")
	shows(t, r, &s, "0: purse 1 row 18\nstall 3 1 33 46 61")
	if r.ToAct(&s) != 1 || r.Turn(&s) != 1 {
		t.Errorf("then %v picks in turn %d", r.ToAct(&s), r.Turn(&s))
	}
	play(t, r, &s, "draft 1", "fruit 2", "draft 3", "fruit 4", "draft 2", "fruit 5", "draft 4", "fruit 6", "draft 5", "fruit 7")
	shows(t, r, &s, "0: purse 1 row 3 4 18\n1: purse 1 chest 1 row 1 2 5\nstall 6 7 33 46 61\nturn 0 round 1 sell")
}

func TestRule1_9ChanceDrawsInAFixedOrderBeforeTheNextDecision(t *testing.T) {
	r := New(3, plainBox(t), UsualOptions())
	s := r.Start()
	var order []string
	for r.ToAct(&s) == game.Chance {
		order = append(order, r.due(&s))
		m := r.Moves(&s, game.Chance, nil)[0]
		if err := r.Check(&s, 0, m); err == nil || err.Error() != fmt.Sprintf(`treesociety.refuse.wait {"due":%q} (rule 1.9)`, r.due(&s)) {
			t.Fatalf("seat 0 does not wait for chance: %v", err)
		}
		r.Play(&s, game.Chance, m, nil)
	}
	want := strings.Repeat("start ", 3) + strings.Repeat("guild ", 6) + strings.Repeat("fruit ", 4+9)
	if got := strings.Join(order, " ") + " "; got != want {
		t.Errorf("chance drew %s", got)
	}
	// At rest: first fruit, then guilds.
	r = plainRules(t, 2)
	s = picture(t, r, rich)
	play(t, r, &s, "found 14", "rest", "take 46")
	refused(t, r, &s, "guild 30", "1.9", "not-now", `{"do":"guild","due":"fruit"}`)
	play(t, r, &s, "fruit 4")
	refused(t, r, &s, "fruit 5", "1.9", "not-now", `{"do":"fruit","due":"guild"}`)
	refused(t, r, &s, "guild 5", "1.9", "deal.guild", `{"card":"architects 5","id":5}`)
	refused(t, r, &s, "guild 50", "1.9", "deal.guild", `{"card":"botanists 1","id":50}`)
	play(t, r, &s, "guild 30")
	shows(t, r, &s, "market 5 6 26 top 38 30 15\nturn 1 round 1 sell")
}

func TestRule2_1ASaleCountsWhatIsVisible(t *testing.T) {
	r := plainRules(t, 2, leafy(16), acting(1, "row"))
	s := picture(t, r, `
0: purse 1 row 1 4 16
1: purse 1 row 2 5 32
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 sell`)
	may(t, r, &s, "sell 1", "sell 4", "sell 16")
	facts := r.Facts(&s, 0, move(Sell, 1))
	if got := asJSON(t, facts); got != `{"action":"row","bonus":0,"chest":0,"coins":5,"fruit":"apple","id":1,"leaf":0,"market":1,"more":0,"seats":[2,2],"total":0}` {
		t.Errorf("facts of a sale: %s", got)
	}
	refused(t, r, &s, "sell 2", "2.1", "sell.row", `{"fruit":"apple","id":2}`)
	refused(t, r, &s, "found 5", "2.1", "not-now", `{"do":"found","due":"sell"}`)
	refused(t, r, &s, "rest", "2.1", "not-now", `{"do":"rest","due":"sell"}`)
	refused(t, r, &s, "discard 5", "2.1", "not-now", `{"do":"discard","due":"sell"}`)
	one := s
	log := play(t, r, &one, "sell 1") // two of each seat and one in the market
	tells(t, log, "sell", `{"action":"row","bonus":0,"chest":0,"coins":5,"fruit":"apple","id":1,"leaf":0,"seat":0,"seen":5}`)
	shows(t, r, &one, "0: purse 6 row 4 16\nturn 0 round 1 build sold 1")
	play(t, r, &s, "sell 16") // its own, one in the market, and the leaf
	shows(t, r, &s, "0: purse 4 row 1 4\nturn 0 round 1 build sold 16")
	refused(t, r, &s, "sell 1", "2.1", "sell.once", `{}`)
}

func TestRule2_2TheFruitActionOfTheSaleIsThereOnce(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, quiet)
	play(t, r, &s, "sell 1", "action")
	shows(t, r, &s, "0: purse 4 chest 1 row 16 31")
	refused(t, r, &s, "action", "3.15", "action.spent", `{"action":"chest"}`)
}

func TestRule2_3WithoutFruitNothingIsSold(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, `
0: purse 30 row 16
1: purse 2
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 take`)
	play(t, r, &s, "take 3", "fruit 1")
	shows(t, r, &s, "turn 1 round 1 build")
	may(t, r, &s, "found 5", "found 14", "found 26", "rest")
	refused(t, r, &s, "action", "2.2", "action.none", `{}`)
	play(t, r, &s, "rest", "take 1", "fruit 2")
	shows(t, r, &s, "1: purse 2 row 1\nturn 0 round 2 sell")

	// An extra sale is no sale that gives an action, though it is the first (2.5).
	r = plainRules(t, 2, do(5, 1, `{"verb":"take"},{"verb":"sell"}`))
	s = picture(t, r, `
0: purse 30 row 16
1: purse 2
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 1 build`)
	play(t, r, &s, "found 5", "use", "take 3", "fruit 1", "sell 3")
	may(t, r, &s, "found 14", "found 26", "discard 5", "rest")
	refused(t, r, &s, "action", "3.15", "action.spent", `{"action":"chest"}`)
}

func TestRule2_4ASoldCardLiesApartUntilRest(t *testing.T) {
	r := plainRules(t, 2,
		do(5, 1, `{"verb":"coins","amount":{"times":1,"of":"sold","most":9}}`),
		do(14, 1, `{"verb":"coins","amount":{"times":1,"of":"unsold","most":9}}`))
	s := picture(t, r, `
0: purse 10 row 1 16 31 pile 61 62
1: purse 1 row 2
market 5 14 26 top 38 6 15
stall 3 18 33 46 63
turn 0 sell`)
	play(t, r, &s, "sell 1", "found 5", "use", "found 14", "use")
	shows(t, r, &s, "0: purse 13 row 16 31 pile 61 62 progress 5/1 14/1 -") // 10 + 3 − 2 + 2 − 2 + 2
	if s.visible[0] != 2 {
		t.Errorf("%d apples are visible after the sale", s.visible[0])
	}
	play(t, r, &s, "rest")
	shows(t, r, &s, "0: purse 13 row 16 31 pile 1 61 62 progress 5/1 14/1 -")
}

func TestRule2_5AnExtraSaleIsOfAnotherType(t *testing.T) {
	r := plainRules(t, 2, do(5, 1, `{"verb":"sell","more":1}`), acting(1, "sell"))
	s := picture(t, r, `
0: purse 5 row 1 4 16 31
1: purse 1 row 2
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 sell`)
	play(t, r, &s, "sell 1", "found 5", "use")
	may(t, r, &s, "sell 16", "sell 31", "action")
	refused(t, r, &s, "sell 4", "2.5", "sell.type", `{"fruit":"apple","id":4}`)
	refused(t, r, &s, "sell 2", "2.1", "sell.row", `{"fruit":"apple","id":2}`)
	log := play(t, r, &s, "sell 16") // two visible and one more
	tells(t, log, "sell.extra", `{"bonus":1,"coins":3,"fruit":"cherry","id":16,"leaf":0,"seat":0,"seen":2}`)
	play(t, r, &s, "action", "sell 31")
	shows(t, r, &s, "0: purse 12 row 4 progress 5/1 - -\nturn 0 round 1 build sold 1 16 31 used") // 5 + 4 − 2 + 3 + 2
	// Nothing of another type: it cannot be used, and lapses.
	s = picture(t, r, `
0: purse 5 row 1 4
1: purse 1 row 2
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 sell`)
	log = play(t, r, &s, "sell 1", "found 5")
	tells(t, log, "lapse", `{"card":"architects 5","id":5,"level":1,"seat":0}`)
	may(t, r, &s, "found 14", "found 26", "found 38", "found 6", "found 15", "raise 5", "rest")
	refused(t, r, &s, "action", "3.15", "action.impossible", `{"action":"sell"}`)
}

func TestRule3_1FoundFromTheMarketAtMostThree(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	refused(t, r, &s, "found 30", "3.1", "found.market", `{"card":"merchants 5","id":30}`)
	log := play(t, r, &s, "found 14", "found 26", "found 38")
	tells(t, log, "found", `{"base":2,"card":"bankers 1","extra":0,"id":14,"off":0,"price":2,"seat":0}`)
	shows(t, r, &s, "0: purse 23 row 16 31 progress 14/1 26/1 38/1\nmarket 5 - - top - 6 15")
	refused(t, r, &s, "found 5", "3.1", "places", `{"card":"architects 5","id":5,"most":3}`)
	refused(t, r, &s, "found 14", "3.1", "found.progress", `{"card":"bankers 1","id":14}`)
	refused(t, r, &s, "draft 3", "3.1", "not-now", `{"do":"draft","due":"found"}`)
	may(t, r, &s, "raise 14", "raise 26", "raise 38", "action", "rest")
}

func TestRule3_2RaiseLevelByLevelAllInOneTurn(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	refused(t, r, &s, "raise 14", "3.2", "raise.progress", `{"card":"bankers 1","id":14}`)
	log := play(t, r, &s, "found 14", "raise 14")
	tells(t, log, "raise", `{"base":3,"card":"bankers 1","extra":0,"id":14,"level":2,"off":0,"price":3,"seat":0}`)
	shows(t, r, &s, "0: purse 25 row 16 31 progress 14/2 - -")
	log = play(t, r, &s, "raise 14")
	tells(t, log, "complete", `{"all":1,"banners":1,"card":"bankers 1","id":14,"seat":0}`)
	shows(t, r, &s, "0: purse 21 row 16 31 completed 14")
	refused(t, r, &s, "raise 14", "3.2", "raise.completed", `{"card":"bankers 1","id":14}`)
}

func TestRule3_3OnlyThePursePays(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, `
0: purse 2 chest 9 row 16 31 progress 14/1
1: purse 9
market 5 - 26 top 38 6 15
stall 3 18 33 46 61
turn 0 build sold 1 used`)
	may(t, r, &s, "found 5", "found 26", "rest")
	refused(t, r, &s, "raise 14", "3.3", "price", `{"card":"bankers 1","id":14,"level":2,"price":3,"purse":2,"short":1}`)
	refused(t, r, &s, "found 38", "3.3", "price", `{"card":"writers 1","id":38,"level":1,"price":3,"purse":2,"short":1}`)
}

func TestRule3_4OneReductionThenTheTopRowsCoin(t *testing.T) {
	r := plainRules(t, 2, costing(38, 5, 5, 5), costing(26, 5, 5, 5),
		effect(14, 1, `{"while":[{"verb":"cheaper","half":true}]}`),
		effect(15, 1, `{"while":[{"verb":"cheaper","less":1,"build":"found","guild":"writers"}]}`))
	s := picture(t, r, `
0: purse 30 row 16 31 progress 14/1 15/1
1: purse 9
market 5 26 6 top 38 7 27
stall 3 18 33 46 61
turn 0 build sold 1 used`)
	for _, c := range []struct {
		id   uint8
		want string
	}{
		{38, `{"by":14,"card":"writers 1","cost":5,"effect":false,"first":false,"id":38,"left":26,"less":2,"level":1,"price":4,"top":1,"total":3}`}, // half of 5 rounded up, and the top row
		{26, `{"by":14,"card":"merchants 1","cost":5,"effect":false,"first":false,"id":26,"left":27,"less":2,"level":1,"price":3,"top":0,"total":3}`},
		{7, `{"by":14,"card":"architects 7","cost":2,"effect":false,"first":false,"id":7,"left":28,"less":1,"level":1,"price":2,"top":1,"total":3}`},
	} {
		if got := asJSON(t, r.Facts(&s, 0, move(Found, c.id))); got != c.want {
			t.Errorf("%d: %s", c.id, got)
		}
	}
	refused(t, r, &s, `{"do":"reduce","by":14}`, "3.4", "reduce", `{}`)
	// Without the half, one less for writers that are founded.
	s.player[0].place[0], s.player[0].level[0] = 0, 0
	r.refit(&s.player[0])
	if got := r.price(s.me(), 38, 1, noCut); got != 4 {
		t.Errorf("one less: %d", got)
	}
	if got := r.price(s.me(), 38, 2, noCut); got != 5 {
		t.Errorf("it is for what is founded: %d", got)
	}
	if got := r.price(s.me(), 26, 1, noCut); got != 5 {
		t.Errorf("it is for writers: %d", got)
	}
}

func TestRule3_5PayFirstThenTheMarkerMoves(t *testing.T) {
	r := plainRules(t, 2, effect(14, 1, `{"while":[{"verb":"cheaper","less":2}]}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14") // not for its own level
	shows(t, r, &s, "0: purse 28 row 16 31 progress 14/1 - -")
	play(t, r, &s, "raise 14") // but for the raising of its own card
	shows(t, r, &s, "0: purse 27 row 16 31 progress 14/2 - -")
	play(t, r, &s, "raise 14") // and then no more
	shows(t, r, &s, "0: purse 23 row 16 31 completed 14")
}

func TestRule3_6AnEffectIsUsedAtOnceAndInFullOrSkipped(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"coins","amount":3},{"verb":"pay","amount":1},{"verb":"coins","amount":2,"to":"chest"}`),
		do(26, 1, `{"verb":"unlock","amount":2}`), do(5, 1, `{"verb":"unlock"}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14")
	may(t, r, &s, "use", "skip")
	refused(t, r, &s, "found 26", "3.6", "decide", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	refused(t, r, &s, "rest", "3.6", "rest", `{"due":"use"}`)
	used := s
	log := play(t, r, &used, "use")
	tells(t, log, "use", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	tells(t, log, "gain", `{"coins":3,"seat":0}`)
	tells(t, log, "pay", `{"coins":1,"seat":0}`)
	tells(t, log, "gain.chest", `{"coins":2,"seat":0}`)
	shows(t, r, &used, "0: purse 30 chest 2 row 16 31 progress 14/1 - -")
	log = play(t, r, &used, "found 26", "use")
	tells(t, log, "unlock", `{"coins":2,"seat":0}`)
	shows(t, r, &used, "0: purse 30 row 16 31 progress 14/1 26/1 -")
	log = play(t, r, &s, "skip")
	tells(t, log, "skip", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 16 31 progress 14/1 - -")
	refused(t, r, &s, "use", "3.6", "nothing", `{}`)
	refused(t, r, &s, "skip", "3.6", "nothing", `{}`)
	log = play(t, r, &s, "found 26") // there are no two coins in an empty chest
	tells(t, log, "lapse", `{"card":"merchants 1","id":26,"level":1,"seat":0}`)
}

// An empty chest can be emptied, as coins can be gained for something that one has
// none of: both bring 0.
func TestRule3_6AnEmptyChestIsEmptiedForNothing(t *testing.T) {
	edits := []edit{do(5, 1, `{"verb":"unlock"}`), do(26, 1, `{"verb":"coins","amount":{"times":1,"of":"completed","most":3}}`),
		do(14, 1, `{"verb":"unlock"},{"verb":"raise"}`)}
	r := plainRules(t, 2, edits...)
	s := picture(t, r, rich)
	play(t, r, &s, "found 5")
	may(t, r, &s, "use", "skip")
	log := play(t, r, &s, "use")
	tells(t, log, "unlock", `{"coins":0,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 16 31 progress 5/1 - -")
	play(t, r, &s, "found 26")
	may(t, r, &s, "use", "skip")
	log = play(t, r, &s, "use")
	tells(t, log, "gain", `{"coins":0,"seat":0}`)
	play(t, r, &s, "found 14", "use") // and what comes after it is not lost
	may(t, r, &s, "raise 5", "raise 26", "raise 14", "action")
	// In version 1 it lapsed.
	old := version1(r)
	s = picture(t, old, rich)
	log = play(t, old, &s, "found 5")
	tells(t, log, "lapse", `{"card":"architects 5","id":5,"level":1,"seat":0}`)
}

func TestRule3_7AnEffectThatBuildsIsFinishedFirst(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"coins","amount":1},{"verb":"found","free":true,"guild":"merchants"}`),
		do(26, 1, `{"verb":"raise","less":2,"other":true}`), do(14, 2, `{"verb":"coins","amount":5}`))
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "use")
	may(t, r, &s, "found 26", "action")
	refused(t, r, &s, "found 5", "3.6", "build.guild", `{"card":"architects 5","guild":"architects","id":5}`)
	refused(t, r, &s, "raise 14", "3.6", "not-now", `{"do":"raise","due":"found"}`)
	play(t, r, &s, "found 26", "use")
	may(t, r, &s, "raise 14", "action")
	refused(t, r, &s, "raise 26", "3.6", "build.other", `{"card":"merchants 1","id":26}`)
	play(t, r, &s, "raise 14", "use")
	shows(t, r, &s, "0: purse 33 row 16 31 progress 14/2 26/1 -\nturn 0 round 1 build sold 1") // 30 − 2 + 1 − 0 − 1 + 5
}

func TestRule3_8ADashDoesNothing(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	log := play(t, r, &s, "found 14")
	if len(log.Events) != 1 || s.job.stage != idle {
		t.Errorf("%v", log.Events)
	}
}

func TestRule3_9ContinuousEffectsHoldWhileTheMarkerStays(t *testing.T) {
	r := plainRules(t, 2, effect(14, 1, `{"while":[{"verb":"better-sale","amount":2,"type":"cherry"},{"verb":"bigger-purse","amount":3}]}`),
		effect(26, 2, `{"while":[{"verb":"better-sale","amount":1},{"verb":"income","amount":1},{"verb":"income","amount":2,"to":"purse"}]}`))
	s := picture(t, r, `
0: purse 10 row 1 16 31 progress 14/1 26/2
1: purse 1 row 2
market 5 15 27 top 38 6 16
stall 3 18 33 46 61
turn 0 sell`)
	one := s
	play(t, r, &one, "sell 16") // two cherries, and 2 more: the better of 2 and 1
	shows(t, r, &one, "0: purse 14 row 1 31 progress 14/1 26/2 -")
	play(t, r, &s, "sell 1") // three apples and 1 more
	shows(t, r, &s, "0: purse 14 row 16 31 progress 14/1 26/2 -")
	if got := asJSON(t, r.Facts(&s, 0, move(Rest, 0))); got != `{"chest":1,"income":3,"keeps":5,"lost":11,"purse":6,"total":3,"unused":true}` {
		t.Errorf("facts of rest: %s", got)
	}
	gone := s
	play(t, r, &gone, "discard 14", "discard 26")
	if p := gone.me(); p.keeps != usually || p.bonus != [types]uint8{} || p.toChest+p.toPurse != 0 {
		t.Error("continuous effects outlast their cards")
	}
	log := play(t, r, &s, "rest", "take 3")
	tells(t, log, "income", `{"coins":3,"seat":0}`)
	tells(t, log, "coins", `{"chest":1,"lost":11,"purse":6,"seat":0}`)
	for level := 1; level <= 2; level++ { // raised, a card has the effect of its new level only
		p := player{place: [3]uint8{14, 26}, level: [3]uint8{uint8(level), uint8(level)}}
		r.refit(&p)
		if want := [...]uint8{5, 2}[level-1]; p.keeps != want {
			t.Errorf("on level %d a purse keeps %d", level, p.keeps)
		}
	}
	e := Effect{While: []Rule{{Verb: VerbBiggerPurse, Amount: 1}}}
	if err := e.check("", 3); err == nil {
		t.Error("level 3 may have a continuous effect")
	}
}

func TestRule3_10PointsAreOnlyCountedAtTheEnd(t *testing.T) {
	r := plainRules(t, 2, scoring(14, 1, `{"times":2,"of":"coins","per":3}`))
	s := picture(t, r, rich)
	log := play(t, r, &s, "found 14")
	if len(log.Events) != 1 {
		t.Errorf("%v", log.Events)
	}
	if got := r.Standing(&s).Seats[0].Total; got != 18 { // 28 coins: nine times three
		t.Errorf("%d points", got)
	}
}

func TestRule3_11AMandatoryEffectComesBeforeTheLevelIsPaid(t *testing.T) {
	r := plainRules(t, 2, effect(14, 1, `{"first":[{"verb":"discard","other":true},{"verb":"sell"}],"do":[{"verb":"coins","amount":1}]}`))
	s := picture(t, r, `
0: purse 0 row 16 31 progress 15/1 27/1 28/1 completed 39
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 33 46 61
turn 0 build sold 1 used`)
	may(t, r, &s, "found 14", "rest") // 0 coins, but a sale brings enough
	log := play(t, r, &s, "found 14")
	tells(t, log, "demand", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	may(t, r, &s, "discard 15", "discard 27", "discard 28") // a completed card frees no place
	refused(t, r, &s, "discard 39", "3.11", "unfinished.demand", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	refused(t, r, &s, "rest", "3.11", "rest", `{"due":"discard"}`)
	play(t, r, &s, "discard 27")
	may(t, r, &s, "sell 16", "sell 31", "discard 15", "discard 28", "discard 39")
	log = play(t, r, &s, "sell 31")
	tells(t, log, "found", `{"base":2,"card":"bankers 1","extra":0,"id":14,"off":0,"price":2,"seat":0}`)
	shows(t, r, &s, "0: purse 0 row 16 progress 15/1 14/1 28/1 completed 39\nturn 0 round 1 build sold 1 31 used asked 14/1")
	// A sale that brings too little is not offered, and where none is enough the
	// card cannot be founded.
	r = plainRules(t, 2, effect(14, 1, `{"first":[{"verb":"sell"}]}`), costing(14, 4, 1, 1))
	drawn := `
0: purse 0 row 16 31
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`
	s = picture(t, r, drawn)
	play(t, r, &s, "found 14")
	may(t, r, &s, "sell 16")
	refused(t, r, &s, "sell 31", "3.11", "unfinished.demand", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	s = picture(t, r, strings.Replace(drawn, "row 17 18", "row 17 34", 1))
	refused(t, r, &s, "found 14", "3.11", "demand", `{"card":"bankers 1","id":14,"level":1}`)
}

func TestRule3_12DrawEffectsRevealAllThenOneIsKept(t *testing.T) {
	r := plainRules(t, 2, do(14, 1, `{"verb":"draw-fruit","count":3}`), do(26, 1, `{"verb":"draw-guild","count":2,"half":true}`),
		costing(30, 3, 1, 1), do(30, 1, `{"verb":"coins","amount":1}`))
	s := picture(t, r, rich)
	log := play(t, r, &s, "found 14", "use", "fruit 4", "fruit 5", "fruit 62")
	tells(t, log, "drawn.fruit", `{"fruit":"orange","id":62,"seat":0}`)
	may(t, r, &s, "keep 4", "keep 5", "keep 62", "action")
	refused(t, r, &s, "keep 6", "3.12", "keep.fruit", `{"fruit":"apple","id":6}`)
	refused(t, r, &s, "keep-none", "3.12", "keep.one", `{}`)
	before := s.orchard.size()
	log = play(t, r, &s, "keep 62")
	tells(t, log, "keep.fruit", `{"fruit":"orange","id":62,"seat":0}`)
	shows(t, r, &s, "0: purse 28 row 16 31 62 progress 14/1 - -")
	if s.orchard.size() != before+2 || s.visible[4] != 2 {
		t.Error("the others are not shuffled back, or the kept one is not visible")
	}
	log = play(t, r, &s, "found 26", "use", "guild 30", "guild 31")
	tells(t, log, "drawn.guild", `{"card":"merchants 5","id":30,"seat":0}`)
	may(t, r, &s, "keep 30", "keep 31", "keep-none", "action")
	refused(t, r, &s, "keep 32", "3.12", "keep.guild", `{"card":"merchants 7","id":32}`)
	refused(t, r, &s, "found 30", "3.6", "not-now", `{"do":"found","due":"keep"}`)
	none := s
	log = play(t, r, &none, "keep-none")
	tells(t, log, "keep-none", `{"seat":0}`)
	if !none.deck.has(30) || !none.deck.has(31) {
		t.Error("what was drawn is not shuffled back")
	}
	if got := asJSON(t, r.Facts(&s, 0, move(Keep, 30))); got != `{"by":"effect","card":"merchants 5","cost":3,"id":30,"left":24,"less":1,"price":2,"top":0,"total":3}` {
		t.Errorf("facts of a guild to keep: %s", got)
	}
	log = play(t, r, &s, "keep 30")
	tells(t, log, "keep.guild", `{"card":"merchants 5","id":30,"seat":0}`)
	tells(t, log, "found", `{"base":3,"card":"merchants 5","extra":0,"id":30,"off":1,"price":2,"seat":0}`)
	shows(t, r, &s, "0: purse 24 row 16 31 62 progress 14/1 26/1 30/1\nturn 0 round 1 build sold 1 asked 30/1")
	// It needs a place, and coins; keeping none is always possible.
	s = picture(t, r, `
0: purse 2 row 16 31 progress 15/1 27/1
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
	play(t, r, &s, "found 26", "use", "guild 30", "guild 31")
	may(t, r, &s, "keep-none")
	refused(t, r, &s, "keep 31", "3.1", "places", `{"card":"merchants 6","id":31,"most":3}`)
}

func TestRule3_13ACompletedCardCountsAtOnceAndLeavesFirst(t *testing.T) {
	r := plainRules(t, 2, do(15, 3, `{"verb":"coins","amount":{"times":2,"of":"banners","most":9}},{"verb":"found","free":true}`),
		do(16, 2, `{"verb":"found","free":true}`), waving(15, 2))
	drawn := `
0: purse 9 row 16 31 progress 15/2 16/1 28/1
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`
	s := picture(t, r, drawn)
	play(t, r, &s, "raise 15", "use") // 9 − 4 + 2 banners of its own, twice
	shows(t, r, &s, "0: purse 9 row 16 31 progress - 16/1 28/1 completed 15\nturn 0 round 1 build sold 1 used doing 15/3")
	play(t, r, &s, "found 5")
	shows(t, r, &s, "0: purse 9 row 16 31 progress 5/1 16/1 28/1 completed 15")
	// An effect of level 1 or 2 founds into a place that is free, or that a discard
	// makes.
	s = picture(t, r, drawn)
	play(t, r, &s, "raise 16")
	may(t, r, &s, "skip", "discard 15", "discard 16", "discard 28")
	play(t, r, &s, "discard 28", "use", "found 5")
	shows(t, r, &s, "0: purse 6 row 16 31 progress 15/2 16/2 5/1")
	// Before version 3 no discard was waited for.
	old := version2(r)
	s = picture(t, old, drawn)
	log := play(t, old, &s, "raise 16")
	tells(t, log, "lapse", `{"card":"bankers 3","id":16,"level":2,"seat":0}`)
}

func TestRule3_14DiscardAnyGuildAtAnyDecisionOfTheBuildPhase(t *testing.T) {
	r := plainRules(t, 2, effect(15, 1, `{"while":[{"verb":"bigger-purse","amount":1}]}`))
	s := picture(t, r, `
0: purse 9 row 16 31 progress 15/1 16/2 completed 20 21
1: purse 1 row 17 18 progress 30/1
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 build sold 1 used`)
	may(t, r, &s, "found 5", "found 14", "found 26", "found 38", "found 6", "found 29", "raise 15", "raise 16",
		"discard 15", "discard 16", "discard 20", "discard 21", "rest")
	refused(t, r, &s, "discard 30", "3.14", "discard", `{"card":"merchants 5","id":30}`)
	if got := asJSON(t, r.Facts(&s, 0, move(Discard, 20))); got != `{"asked":false,"banners":1,"card":"bankers 7","id":20,"level":3,"points":4,"total":7}` {
		t.Errorf("facts of a discard: %s", got)
	}
	log := play(t, r, &s, "discard 15", "discard 21")
	tells(t, log, "discard", `{"card":"bankers 2","id":15,"seat":0}`)
	shows(t, r, &s, "0: purse 9 row 16 31 progress - 16/2 - completed 20\ndiscards 15 21")
	play(t, r, &s, "found 14")
	shows(t, r, &s, "0: purse 7 row 16 31 progress 14/1 16/2 - completed 20")
}

func TestRule3_15TheFiveFruitActions(t *testing.T) {
	r := plainRules(t, 2, acting(1, "row"), acting(2, "take"), acting(3, "build"), acting(4, "sell"), do(14, 1, `{"verb":"coins","amount":1}`))
	begin := func(fruit int) Position {
		return picture(t, r, fmt.Sprintf(`
0: purse 30 row 16 31
1: purse 1 row 17
market 5 14 26 top 38 6 15
stall 7 18 33 46 61
turn 0 build sold %d`, fruit))
	}
	s := begin(1)
	log := play(t, r, &s, "found 26", "action")
	tells(t, log, "action", `{"action":"row","coins":0,"fruit":"apple","id":1,"seat":0}`)
	may(t, r, &s, "row bottom", "row top")
	refused(t, r, &s, "take 7", "3.15", "not-now", `{"do":"take","due":"row"}`)
	refused(t, r, &s, "rest", "3.15", "rest", `{"due":"row"}`)
	refused(t, r, &s, `{"do":"row","row":"middle"}`, "3.15", "row", `{"row":"middle"}`)
	log = play(t, r, &s, "row bottom")
	tells(t, log, "row", `{"row":"bottom","seat":0}`)
	shows(t, r, &s, "market 38 6 15 top - - -\ndiscards 5 14")
	play(t, r, &s, "guild 30", "guild 31", "guild 32")
	shows(t, r, &s, "market 38 6 15 top 30 31 32")

	s = begin(2)
	play(t, r, &s, "action")
	may(t, r, &s, "take 7", "take 18", "take 33", "take 46", "take 61")
	refused(t, r, &s, "take 8", "3.15", "take.market", `{"fruit":"apple","id":8}`)
	play(t, r, &s, "take 46", "fruit 8")
	shows(t, r, &s, "0: purse 30 row 16 31 46\nstall 7 18 33 8 61")

	s = begin(3)
	play(t, r, &s, "action")
	may(t, r, &s, "found 5", "found 14", "found 26", "found 38", "found 6", "found 15")
	play(t, r, &s, "found 38") // two less, and the top row
	shows(t, r, &s, "0: purse 29 row 16 31 progress 38/1 - -\nturn 0 round 1 build sold 3 used")

	s = begin(4)
	play(t, r, &s, "action")
	may(t, r, &s, "sell 16", "sell 31")
	play(t, r, &s, "sell 16")
	shows(t, r, &s, "0: purse 33 row 31\nturn 0 round 1 build sold 4 16 used")

	s = begin(5)
	play(t, r, &s, "found 14") // not between a level and its effect
	refused(t, r, &s, "action", "3.15", "action.between", `{"card":"bankers 1","id":14,"level":1,"seat":0}`)
	play(t, r, &s, "use", "action")
	shows(t, r, &s, "0: purse 29 chest 1 row 16 31 progress 14/1 - -\nturn 0 round 1 build sold 5 used")

	s = begin(1)
	play(t, r, &s, "rest") // unused, it is lost
	refused(t, r, &s, "action", "4.1", "not-now", `{"do":"action","due":"take"}`)
	// Where a fruit action builds, what it needs is not discarded.
	s = picture(t, r, `
0: purse 1 row 16 31 progress 20/1
1: purse 1 row 17
market 5 14 26 top 38 6 15
stall 7 18 33 46 61
turn 0 build sold 3`)
	s.market = [slots]uint8{}
	play(t, r, &s, "action")
	refused(t, r, &s, "discard 20", "3.15", "discard.action", `{"action":"build","card":"bankers 7","id":20}`)
	may(t, r, &s, "raise 20")
	s.acting, s.spent = noAction, 0
	play(t, r, &s, "discard 20")
	refused(t, r, &s, "action", "3.15", "action.impossible", `{"action":"build"}`)
}

func TestRule3_16GapsStayUntilRestOrARowAction(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	play(t, r, &s, "found 5", "found 26", "action")
	shows(t, r, &s, "market - 14 - top 38 6 15")
	play(t, r, &s, "rest")
	shows(t, r, &s, "market - 14 - top 38 6 15")
}

func TestRule3_17NoEffectTouchesAnotherSeat(t *testing.T) {
	r := New(3, DefaultBox(), Options{Guilds: 0b111100, Starts: true, Banners: 6})
	s, rng := r.Start(), rand.New(rand.NewPCG(3, 3))
	for r.ToAct(&s) != game.None {
		by := r.ToAct(&s)
		list := r.Moves(&s, by, nil)
		before := s
		r.Play(&s, by, list[rng.IntN(len(list))], nil)
		for seat := range game.Seat(3) {
			if by >= 0 && seat != by && s.player[seat] != before.player[seat] {
				t.Fatalf("a move of %v changed what %v has", by, seat)
			}
		}
	}
}

func TestRule4_1RestTakesExactlyOneFruit(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	play(t, r, &s, "rest")
	shows(t, r, &s, "0: purse 30 row 16 31 pile 1")
	may(t, r, &s, "take 3", "take 18", "take 33", "take 46", "take 61")
	refused(t, r, &s, "take 16", "4.1", "take.market", `{"fruit":"cherry","id":16}`)
	refused(t, r, &s, "found 5", "4.1", "not-now", `{"do":"found","due":"take"}`)
	play(t, r, &s, "take 33")
	shows(t, r, &s, "0: purse 2 row 16 31 33 pile 1\nstall 3 18 - 46 61\nturn 0 round 1 refill draws fruit")
	// An empty market: nothing is taken.
	var gone []string
	for id := 4; id <= 75; id++ {
		if id%15 < 11 && id%15 > 0 && id != 16 && id != 31 && id != 17 && id != 32 {
			gone = append(gone, fmt.Sprint(id))
		}
	}
	s = picture(t, r, `
0: purse 3 row 16 31
1: purse 1 chest 1 row 2 17 32
market 5 14 26 top 38 6 15
gone 3 `+strings.Join(gone, " ")+`
turn 0 build sold 1
last 1 fruit`)
	play(t, r, &s, "rest")
	shows(t, r, &s, "0: purse 2 row 16 31 pile 1\nturn 1 round 1 sell")
}

func TestRule4_2KeepTwoCoinsThenTheChestMovesUncapped(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, strings.Replace(rich, "purse 30", "purse 5 chest 7", 1))
	log := play(t, r, &s, "rest", "take 3")
	tells(t, log, "coins", `{"chest":7,"lost":3,"purse":9,"seat":0}`)
	shows(t, r, &s, "0: purse 9 row 3 16 31 pile 1")
}

func TestRule4_3TheTopRowSlidesDownThenGapsAreFilled(t *testing.T) {
	r := plainRules(t, 2)
	s := picture(t, r, rich)
	play(t, r, &s, "found 14", "found 26", "found 15", "rest", "take 3", "fruit 4")
	shows(t, r, &s, "market 5 6 - top 38 - -") // the top right is gone, so nothing slides there
	play(t, r, &s, "guild 30", "guild 31", "guild 32")
	shows(t, r, &s, "market 5 6 30 top 38 31 32")
	// An empty deck is rebuilt from all discards when a card must be drawn.
	s = picture(t, r, rich)
	s.discards = s.deck
	s.deck = set{}
	s.discards.remove(30)
	s.deck.add(30)
	play(t, r, &s, "found 5", "found 14", "discard 5", "rest", "take 3", "fruit 4")
	may(t, r, &s, "guild 30")
	log := play(t, r, &s, "guild 30")
	tells(t, log, "rebuilt", `{"left":43}`)
	if !s.discards.empty() || !s.deck.has(5) {
		t.Error("the discards are not the new deck")
	}
	// Both are empty: gaps stay.
	s = picture(t, r, rich)
	for _, id := range s.deck.list() {
		s.player[1].completed.add(uint8(id))
	}
	s.deck = set{}
	play(t, r, &s, "found 5", "rest", "take 3", "fruit 4")
	shows(t, r, &s, "market 38 14 26 top - 6 15\nturn 1 round 1 sell")
}

func TestRule5_1EverythingIsOpen(t *testing.T) {
	r := plainRules(t, 3)
	s := wander(r, 5, 120)
	for seat := game.Watcher; seat < 3; seat++ {
		var view Position
		r.See(&s, seat, &view)
		if view != s {
			t.Errorf("%v sees something else", seat)
		}
	}
	if p, err := game.Of(Game()).Start(game.Settings{Seats: 2}); err != nil || p.Secrets() {
		t.Errorf("the game keeps secrets: %v", err)
	}
}

func TestRule6_1SixBannersAndOneMoreRound(t *testing.T) {
	for banners := fewBanners; banners <= manyBanners; banners++ {
		options := UsualOptions()
		options.Starts, options.Banners = false, banners
		r := New(2, plainBox(t, waving(20, 3), waving(21, 2)), options)
		s := picture(t, r, fmt.Sprintf(`
0: purse 20 row 16 31 progress 22/2 23/2 completed 20 21
1: purse 1 row 17 18
market 5 14 26 top 38 6 29
stall 3 19 46 47 61
turn 0 round 4 build sold 1 used`))
		log := play(t, r, &s, "raise 22")
		if banners == fewBanners {
			tells(t, log, "triggered", `{"banners":6,"last":5,"round":4,"seat":0}`)
			shows(t, r, &s, "last 5 banners")
			continue
		}
		if s.end != 0 {
			t.Error("six banners are enough")
		}
		log = play(t, r, &s, "raise 23")
		tells(t, log, "triggered", `{"banners":7,"last":5,"round":4,"seat":0}`)
	}
	_, err := game.Of(Game()).Start(game.Settings{Seats: 2, Options: json.RawMessage(`{"banners":8}`)})
	if err == nil || err.Error() != `json.range {"field":"banners","least":6,"most":7}` {
		t.Errorf("eight banners: %v", err)
	}
}

// lastFruit is a table whose fruit deck holds one more card, the apple 4.
func lastFruit(t *testing.T, r *Rules, drawn string) Position {
	t.Helper()
	s := tableBy(t, r, drawn)
	for _, id := range s.orchard.list() {
		if id != 4 {
			s.player[1].pile.add(uint8(id))
			s.player[1].sold[r.fruit[id].kind]++
		}
	}
	s.orchard = set{}
	s.orchard.add(4)
	return s
}

func TestRule6_2TheGameEndsWithTheRoundInWhichFruitRunsOut(t *testing.T) {
	r := plainRules(t, 2)
	s := lastFruit(t, r, strings.Replace(rich, "turn 0", "turn 0 round 6", 1))
	log := play(t, r, &s, "rest", "take 3", "fruit 4")
	tells(t, log, "run-out", `{"round":6}`)
	shows(t, r, &s, "turn 1 round 6 sell\nlast 6 fruit")
	log = play(t, r, &s, "sell 2", "rest", "take 4") // nothing to refill with; the last rest is played in full
	shows(t, r, &s, "1: purse 3 row 4 17 32 pile "+strings.Trim(fmt.Sprint(s.player[1].pile.list()), "[]"))
	if r.ToAct(&s) != game.None || !r.Standing(&s).Over {
		t.Error("the game is not over")
	}
	tells(t, log, "over", `{"rounds":6}`)
	if err := r.Check(&s, 0, move(Rest, 0)); err == nil || err.Error() != `treesociety.refuse.over {} (rule 6.1)` {
		t.Errorf("after the end: %v", err)
	}
}

func TestRule6_3WhatCardsScore(t *testing.T) {
	for _, c := range []struct {
		points string
		want   int
	}{
		{`3`, 3},
		{`{"times":1,"of":"banners"}`, 1 + 2 + 1 + 3},
		{`{"times":2,"of":"banners","guild":"bankers"}`, 2 * 3},
		{`{"times":1,"of":"different-guilds"}`, 3},
		{`{"times":1,"of":"majority"}`, 3},
		{`{"times":3,"of":"completed"}`, 12},
		{`{"times":1,"of":"completed","guild":"merchants"}`, 1},
		{`{"times":1,"of":"completed","guild":"explorers"}`, 0},
		{`{"times":1,"of":"progress"}`, 2},
		{`{"times":1,"of":"sold"}`, 4},
		{`{"times":1,"of":"sold","type":"apple"}`, 2},
		{`{"times":1,"of":"unsold"}`, 3},
		{`{"times":1,"of":"unsold","type":"grape"}`, 1},
		{`{"times":1,"of":"types","in":"sold"}`, 3},
		{`{"times":1,"of":"types","in":"unsold"}`, 3},
		{`{"times":1,"of":"types","in":"both"}`, 4},
		{`{"times":1,"of":"most-sold"}`, 2},
		{`{"times":1,"of":"coins"}`, 9},
		{`{"times":2,"of":"coins","per":4}`, 4},
		{`{"times":2,"of":"coins","per":4,"most":3}`, 3},
		{`{"times":1,"of":"chest"}`, 5},
	} {
		r := plainRules(t, 2, scoring(20, 3, c.points), scoring(21, 3, "0"), scoring(27, 3, "0"), scoring(40, 3, "0"),
			scoring(14, 2, "7"), scoring(15, 1, "5"), waving(21, 2), waving(40, 3))
		s := picture(t, r, `
0: purse 9 chest 5 row 16 31 46 pile 1 2 17 47 progress 14/2 15/1 completed 20 21 27 40
1: purse 1 row 18
market 5 16 26 top 38 6 29
stall 3 19 48 49 61
turn 0 sell`)
		if line := r.Sheet(&s)[2]; c.points == `{"times":2,"of":"coins","per":4,"most":3}` {
			want := `{"part":"completed","key":"treesociety.sheet.counted","args":{"card":"bankers 7","count":9,"id":20,"level":3,"most":3,` +
				`"of":"coins","only":"none","per":4,"rule":"6.3","seat":0,"times":2},"points":[3,0]}`
			if got := asJSON(t, line); got != want {
				t.Errorf("the sheet says %s", got)
			}
		}
		st := r.Standing(&s)
		if got := st.Seats[0].Parts; got[partCompleted] != game.Points(c.want) || got[partProgress] != 7+5 {
			t.Errorf("%s: %v, want %d", c.points, got, c.want)
		}
	}
}

func TestRule6_4TiesGoToTheLaterSeat(t *testing.T) {
	r := plainRules(t, 4)
	s := picture(t, r, `
0: purse 1 row 16 progress 14/2
1: purse 1 row 17 progress 15/2
2: purse 1 row 18 progress 20/1
3: purse 1 row 19 progress 21/1
market 5 24 26 top 38 6 29
stall 3 48 49
turn 0 sell`)
	st := r.Standing(&s)
	for seat, rank := range []int32{2, 1, 4, 3} {
		if st.Seats[seat].Rank != rank {
			t.Errorf("seat %d has rank %d", seat, st.Seats[seat].Rank)
		}
	}
	log := &game.Log{}
	s.phase = over
	r.tellEnd(&s, log)
	tells(t, log, "won.tie", `{"seat":1,"total":2}`)
	want := `1 before 0: treesociety.tie.later {"other":0,"rule":"6.4","seat":1}` + "\n" + `3 before 2: treesociety.tie.later {"other":2,"rule":"6.4","seat":3}`
	if got := gametest.Ties(t, r, &s); got != want {
		t.Errorf("the ties are told as\n%s\nwant\n%s", got, want)
	}
	tells(t, log, "score", `{"completed":0,"inProgress":1,"seat":2,"total":1}`)
	s.player[0].level[0] = 1
	log = &game.Log{}
	r.tellEnd(&s, log)
	tells(t, log, "won", `{"seat":1,"total":2}`)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestEveryRuleHasATest(t *testing.T) { gametest.RulesTested(t, texts, 39) }

// TestEverythingThatCanBeSaidIsTested finds every refusal and every event in one
// of the tests or hears it in some games.
func TestEverythingThatCanBeSaidIsTested(t *testing.T) {
	heard := map[string]bool{}
	for seed, guilds := range []uint8{0b001111, 0b111100, 0b110101} {
		options := UsualOptions()
		options.Guilds = guilds
		options.Draft = seed == 1
		r := New(2+seed, DefaultBox(), options)
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		for range 3 {
			s, log := r.Start(), &game.Log{}
			for r.ToAct(&s) != game.None {
				list := r.Moves(&s, r.ToAct(&s), nil)
				r.Play(&s, r.ToAct(&s), list[rng.IntN(len(list))], log)
			}
			for _, e := range log.Events {
				heard[e.Key] = true
			}
			for _, line := range r.Sheet(&s) {
				heard[line.Key] = true
			}
		}
	}
	tests := readTests(t)
	for _, p := range slices.Concat(phrases(), boxPhrases()) {
		parts := strings.SplitN(p.Key, ".", 3)
		switch parts[1] {
		case "refuse", "event", "box", "sheet":
			if !heard[p.Key] && !strings.Contains(tests, `"`+parts[2]+`"`) && !strings.Contains(tests, p.Key+" ") && !strings.Contains(tests, p.Key+`"`) {
				t.Errorf("%s is never heard and in no test", p.Key)
			}
		}
	}
}
