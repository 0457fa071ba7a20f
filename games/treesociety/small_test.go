package treesociety

import (
	"math/rand/v2"
	"os"
	"testing"
)

// smallBox is a strange deck that is nearly empty: the fewest cards of each kind
// or a few more, so that decks run out in the middle of effects. Half of them
// have lists made of what draws, takes, sells and refreshes alone, where what is
// to come decides whether an effect can be done in full.
//
// A deck for version 3 or later speaks the whole language.
func smallBox(t *testing.T, seed uint64, version int) *Box {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1213))
	box := &Box{Game: "treesociety"}
	for range 4 {
		box.Coins = append(box.Coins, Coins{rng.IntN(6), rng.IntN(3)})
	}
	drawing := rng.IntN(2) == 0
	for g, guild := range guildNames() {
		n := 1 + rng.IntN(3)
		if g == 0 {
			n = 4 + rng.IntN(3)
		}
		for range n {
			id := len(box.Cards) + 1
			c := Card{ID: id, Name: "card " + string(rune('A'+id)), Guild: guild, Banners: 1 + rng.IntN(2), Start: id <= 4}
			for k := range levels {
				l := Level{Cost: rng.IntN(4), Effect: strangeEffect(rng, k+1), Points: strangeQuantity(rng, false)}
				if drawing && rng.IntN(3) > 0 {
					l.Effect = &Effect{Do: drawingList(rng)}
				}
				c.Levels = append(c.Levels, l)
			}
			box.Cards = append(box.Cards, c)
		}
	}
	for n := range fewestCrowd + rng.IntN(8) {
		f := Fruit{ID: n + 1, Type: fruitNames()[n%types], Action: pick(rng, actionNames()...), Leaf: rng.IntN(4) == 0, Crowd: n >= fewestFruits+rng.IntN(6)}
		if n >= types && rng.IntN(2) == 0 { // some types are rare, some are nearly all there is
			f.Type = fruitNames()[min(rng.IntN(types), rng.IntN(types))]
		}
		if f.Action == actionChest {
			f.Coins = 1 + rng.IntN(3)
		}
		box.Fruits = append(box.Fruits, f)
	}
	if version > 2 {
		widen(rng, box)
	}
	return mended(t, box)
}

// drawingList is two to four clauses about cards that are still to come.
func drawingList(rng *rand.Rand) []Clause {
	for {
		var list []Clause
		for range 2 + rng.IntN(3) {
			c := strangeClause(rng)
			switch rng.IntN(4) {
			case 0:
				c = Clause{Verb: VerbDrawFruit, Count: 2 + rng.IntN(3)}
			case 1:
				c = pick(rng, Clause{Verb: VerbTake}, Clause{Verb: VerbSell, More: rng.IntN(2)}, Clause{Verb: VerbRefresh, Rows: 1})
			}
			list = append(list, c)
		}
		if checkList("", list, false) == nil {
			return list
		}
	}
}

// smallGame is a game with a small deck by its number: seats, guilds and options
// go round with it.
func smallGame(t *testing.T, seed uint64, version int) *Rules {
	t.Helper()
	options := Options{
		Guilds: [...]uint8{0b111100, 0b001111, 0b110110, 0b101101}[seed%4], Starts: seed%3 != 0, Draft: seed%5 == 0, Banners: fewBanners,
	}
	return NewVersion(2+int(seed%3), smallBox(t, seed, version), options, version)
}

// TestThePlainGameGoesTheSameWayWithSmallDecks compares every list, table and
// score of whole games with decks that run out, in all versions; whoever is to
// act has a move in all of them. COPSE_TORTURE plays 2,000 of each.
func TestThePlainGameGoesTheSameWayWithSmallDecks(t *testing.T) {
	games := uint64(20)
	if os.Getenv("COPSE_TORTURE") != "" {
		games = 2000
	}
	for version := 1; version <= newest; version++ {
		met := map[string]int{}
		for seed := range games {
			if !compare(t, smallGame(t, seed, version), seed, met) {
				return
			}
		}
		t.Logf("figures: Tree Society, version %d: %d small decks went the same way as in the plain version, a move for whoever was to act in all of them", version, games)
		t.Log(met)
	}
}
