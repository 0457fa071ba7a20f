package treesociety

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
)

// strangeBox is a deck that nobody would print: any verb on any level, with any
// numbers, as long as Check finds it good. It speaks the language of versions 1 and
// 2: old games are replayed with such decks.
func strangeBox(t *testing.T, seed uint64) *Box {
	t.Helper()
	return strange(t, rand.New(rand.NewPCG(seed, 77)))
}

// strangerBox speaks the whole language.
func strangerBox(t *testing.T, seed uint64) *Box {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 78))
	box := strange(t, rng)
	widen(rng, box)
	return mended(t, box)
}

// widen lets half of the clauses that draw keep several, and half of those that
// raise or build name levels.
func widen(rng *rand.Rand, box *Box) {
	for i := range box.Cards {
		for k := range box.Cards[i].Levels {
			e := box.Cards[i].Levels[k].Effect
			if e == nil {
				continue
			}
			before := slices.Clone(e.Do)
			for n := range e.Do {
				wider(rng, &e.Do[n])
			}
			if checkList("", e.Do, false) != nil { // too much to look through
				e.Do = before
			}
		}
	}
}

func wider(rng *rand.Rand, c *Clause) {
	if rng.IntN(2) == 0 {
		return
	}
	switch c.Verb {
	case VerbDrawFruit, VerbDrawGuild:
		c.Keep = 2 + rng.IntN(c.Count-1)
	case VerbRaise:
		c.Levels = []int{2 + rng.IntN(2)}
	case VerbBuild:
		c.Levels = pick(rng, []int{1}, []int{2}, []int{3}, []int{1, 2}, []int{1, 3}, []int{2, 3})
	}
}

func strange(t *testing.T, rng *rand.Rand) *Box {
	t.Helper()
	box := plainBox(t)
	for i := range box.Cards {
		c := &box.Cards[i]
		c.Banners = 1 + rng.IntN(3)
		for k := range c.Levels {
			c.Levels[k] = Level{Cost: rng.IntN(5), Effect: strangeEffect(rng, k+1), Points: strangeQuantity(rng, false)}
		}
	}
	for i := range box.Fruits {
		f := &box.Fruits[i]
		f.Action, f.Coins, f.Leaf = actionNames()[rng.IntN(actions)], 0, rng.IntN(3) == 0
		if f.Action == actionChest {
			f.Coins = 1 + rng.IntN(3)
		}
	}
	return mended(t, box)
}

// crowdedBox is a small deck of cheap cards whose effects found, draw and raise, and
// often demand something first, for rich players.
func crowdedBox(t *testing.T, seed uint64) *Box {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 79))
	box := smallBox(t, seed, newest)
	for i := range box.Coins {
		box.Coins[i] = Coins{8 + rng.IntN(8), 6}
	}
	for i := range box.Cards {
		for k := range box.Cards[i].Levels {
			l := &box.Cards[i].Levels[k]
			l.Cost = rng.IntN(3)
			switch rng.IntN(6) {
			case 0:
				l.Effect = nil
				continue
			case 1:
				l.Effect = &Effect{Do: []Clause{{Verb: VerbCoins, Amount: Quantity{Number: 2}, To: chestWord}}}
				continue
			}
			c := pick(rng,
				Clause{Verb: VerbDrawGuild, Count: 3, Keep: 2}, Clause{Verb: VerbDrawGuild, Count: 4, Keep: 3, Less: 1}, Clause{Verb: VerbDrawGuild, Count: 2},
				Clause{Verb: VerbFound}, Clause{Verb: VerbFound, Half: true}, Clause{Verb: VerbRaise, Levels: []int{3}}, Clause{Verb: VerbRaise, Levels: []int{2}, Less: 1},
				Clause{Verb: VerbBuild, Levels: []int{1, 3}}, Clause{Verb: VerbDrawFruit, Count: 3, Keep: 2})
			l.Effect = &Effect{Do: []Clause{c}}
			if c.Verb == VerbDrawFruit && rng.IntN(2) == 0 {
				l.Effect.Do = append(l.Effect.Do, Clause{Verb: VerbSell})
			}
			if k == 0 && rng.IntN(3) == 0 {
				l.Effect.First = []Clause{pick(rng, Clause{Verb: VerbDiscard}, Clause{Verb: VerbPay, Amount: Quantity{Number: 1}}, Clause{Verb: VerbSell}, Clause{Verb: VerbTake})}
			}
		}
	}
	return mended(t, box)
}

// mended is a deck in which whatever could go on for ever is made dearer, or
// loses its effect.
func mended(t *testing.T, box *Box) *Box {
	t.Helper()
	for {
		err := box.Check()
		if err == nil {
			return box
		}
		var fault *game.Fault
		var card, level int
		if !errors.As(err, &fault) || fault.Key != "treesociety.box.endless" {
			t.Fatalf("a strange deck is wrong in itself: %v", err)
		}
		if _, err := fmt.Sscanf(fault.Args["path"].(string), "cards[%d].levels[%d]", &card, &level); err != nil {
			t.Fatal(err)
		}
		l := &box.Cards[card].Levels[level]
		if l.Cost += fault.Args["short"].(int); l.Cost > mostCost {
			l.Cost, l.Effect = 2, nil
		}
	}
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

func strangeEffect(rng *rand.Rand, level int) *Effect {
	switch rng.IntN(6) {
	case 0:
		return nil
	case 1:
		if level == levels {
			return nil
		}
		e := &Effect{}
		for range 1 + rng.IntN(3) {
			e.While = append(e.While, strangeRule(rng))
		}
		return e
	case 2:
		e := &Effect{First: strangeList(rng, true)}
		if rng.IntN(2) == 0 {
			e.Do = strangeList(rng, false)
		}
		return e
	}
	return &Effect{Do: strangeList(rng, false)}
}

// strangeList is one to four clauses in an order that is allowed.
func strangeList(rng *rand.Rand, first bool) []Clause {
	n := 1 + rng.IntN(4)
	for {
		var list []Clause
		for range n {
			list = append(list, strangeClause(rng))
		}
		if checkList("", list, first) == nil {
			return list
		}
		n = 1 + rng.IntN(4)
	}
}

func strangeClause(rng *rand.Rand) Clause {
	c := Clause{Verb: pick(rng, clauseVerbs()...)}
	switch c.Verb {
	case VerbCoins:
		if c.Amount = strangeQuantity(rng, true); c.Amount.Fixed() {
			c.Amount.Number = 1 + rng.IntN(3)
		}
		c.To = pick(rng, "", chestWord)
	case VerbPay:
		c.Amount.Number = 1 + rng.IntN(3)
	case VerbUnlock:
		c.Amount.Number = rng.IntN(3)
	case VerbSell:
		c.More = rng.IntN(3)
	case VerbDiscard:
		c.From, c.Other = pick(rng, "", progressWord, completedWord), rng.IntN(2) == 0
	case VerbRefresh:
		c.Rows = 1 + rng.IntN(2)
	case VerbDrawFruit, VerbDrawGuild:
		c.Count = 2 + rng.IntN(3)
	}
	if c.Verb.builds() {
		switch rng.IntN(4) {
		case 0:
			c.Half = true
		case 1:
			c.Less = 1 + rng.IntN(4)
		case 2:
			c.Free = true
		}
		if c.Verb != VerbDrawGuild && rng.IntN(3) == 0 {
			c.Guild = pick(rng, guildNames()...)
		}
		c.Other = c.Verb != VerbFound && c.Verb != VerbDrawGuild && rng.IntN(2) == 0
	}
	return c
}

func strangeRule(rng *rand.Rand) Rule {
	rule := Rule{Verb: pick(rng, ruleVerbs()...)}
	switch rule.Verb {
	case VerbCheaper:
		if rule.Half = rng.IntN(2) == 0; !rule.Half {
			rule.Less = 1 + rng.IntN(3)
		}
		rule.Build, rule.Guild = pick(rng, "", foundWord, raiseWord), pick(rng, append(guildNames(), "", "")...)
	case VerbBetterSale:
		rule.Amount, rule.Type = 1+rng.IntN(3), pick(rng, append(fruitNames(), "", "")...)
	case VerbBiggerPurse:
		rule.Amount = 1 + rng.IntN(mostCoins)
	case VerbIncome:
		rule.Amount, rule.To = 1+rng.IntN(4), pick(rng, "", purseWord)
	}
	return rule
}

func strangeQuantity(rng *rand.Rand, coins bool) Quantity {
	if rng.IntN(2) == 0 {
		return Quantity{Number: rng.IntN(8)}
	}
	q := Quantity{Times: 1 + rng.IntN(3), Of: pick(rng, counts()...), Per: 1 + rng.IntN(3)}
	switch q.Of {
	case CountBanners, CountCompleted:
		q.Guild = pick(rng, append(guildNames(), "")...)
	case CountSold, CountUnsold:
		q.Type = pick(rng, append(fruitNames(), "")...)
	case CountTypes:
		q.In = pick(rng, inSold, inUnsold, inBoth)
	}
	if coins || rng.IntN(2) == 0 {
		q.Most = 1 + rng.IntN(6)
	}
	return q
}

// TestLawsWithStrangeDecks holds the laws where the language of effects is used
// to its bounds.
func TestLawsWithStrangeDecks(t *testing.T) {
	for seed := range uint64(3) {
		options := UsualOptions()
		options.Guilds, options.Draft = [...]uint8{0b111100, 0b101011, 0b011110}[seed], seed == 1
		def := played(strangeBox(t, seed), options)
		def.MinSeats = 2 + int(seed)
		def.MaxSeats = def.MinSeats
		for _, v := range gametest.Check(def, gametest.Config{Games: 1}) {
			t.Error(v)
		}
	}
}

// TestStrangeDecksComeToAnEnd plays many decks to their end, and no turn of them
// is longer than what its coins can pay for.
func TestStrangeDecksComeToAnEnd(t *testing.T) {
	longest := 0
	for seed := range uint64(30) {
		r := New(2+int(seed%3), strangeBox(t, seed), Options{Guilds: 0b111111 &^ (3 << (seed % 5)), Starts: true, Banners: 6})
		s, rng := r.Start(), rand.New(rand.NewPCG(seed, 1))
		turn, began := 0, 0
		var buf []Move
		for ply := 0; r.ToAct(&s) != game.None; ply++ {
			if r.Turn(&s) != turn {
				turn, began = r.Turn(&s), ply
			}
			if longest = max(longest, ply-began); ply-began > 2000 || ply > 60_000 {
				t.Fatalf("seed %d: turn %d goes on for ever:\n%s", seed, turn, r.draw(&s))
			}
			by := r.ToAct(&s)
			buf = r.Moves(&s, by, buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d: %v has no move in\n%s", seed, by, r.draw(&s))
			}
			m := buf[rng.IntN(len(buf))]
			if by >= 0 && (m.do() == Rest || m.do() == Skip) { // build as long as it goes
				m = buf[rng.IntN(len(buf))]
			}
			r.Play(&s, by, m, nil)
		}
	}
	t.Logf("the longest turn had %d moves", longest)
}
