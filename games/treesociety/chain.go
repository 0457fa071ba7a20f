package treesociety

import (
	"slices"

	"copse/game"
)

// The law against endless chains.
//
// A turn ends unless levels are built in it without end, because effects come
// from levels, extra sales are at most five (2.5) and the fruit action is one.
// The cards on the table at some moment have at most 27 levels left to build
// (six in the market and three in progress), so a turn without end needs new
// cards without end, and those come from clauses that refresh the market or
// draw guilds, besides the one row of a fruit action. A deck without such a
// clause has no endless turn.
//
// In other decks take purse and chest together. Call it a visit when a card is
// founded in this turn, until it is discarded or the turn ends; it is built up from
// level 1. A card that is discarded, by the effect of its own level too (3.6), and
// that comes back to the table is paid anew: that is another visit. For each level
//
//	least = its cost without the best continuous reduction that can apply to it
//	gain  = the coins its clauses can bring at most, without those it makes one
//	        pay, and the most that the price of its building clause can save, as
//	        often as that clause may build: once, or for each guild it may keep
//
// A level that is built for the price of a clause pays least without that
// saving or more, since reductions do not add up (3.4) and the saving is among
// the gains of the level with the clause. The effect of a level is used at most
// once each time that the level is built, however long it waits and whether its
// card is still there. So all that a turn spends and wins comes to at least the
// sum of least − gain over the levels that were built, but for what is bounded
// anyway: sales, the fruit action, and the cards that were in progress before,
// each as long as it stays. An effect may be skipped, so a gain below 0 counts as
// 0; only one that must be done, or that refreshes or draws, counts as it is.
//
// The law: over the first one, two or three levels of any card the sum is never
// below 0, and it is at least 1 where one of them refreshes or draws. A visit ends
// after one, two or three levels, so none wins a coin, and one that refreshes or
// draws costs one. New cards come from such visits alone, a few from each, so a
// turn without end would have such visits without end, and coins end. A discard
// that an effect waits for brings no coin and needs a guild, which came by a visit
// or was there before: discards end too.

// checkChains makes sure that no turn is endless.
func (box *Box) checkChains() error {
	turning := false
	for i := range box.Cards {
		for k := range box.Cards[i].Levels {
			turning = turning || box.Cards[i].Levels[k].turns()
		}
	}
	if !turning {
		return nil
	}
	cheaper := box.reductions()
	for i := range box.Cards {
		c := &box.Cards[i]
		sum := 0    // with what is best used or skipped
		extra := -1 // how much more it costs at least to refresh or draw on the way
		for k := range c.Levels {
			l := &c.Levels[k]
			must, may := l.gain(box, i)
			sum += box.least(cheaper, i, k) - must - max(may, 0)
			if l.turns() {
				if more := max(-may, 0); extra < 0 || more < extra {
					extra = more
				}
			}
			short := -sum
			if extra >= 0 {
				short = max(short, 1-sum-extra)
			}
			if short > 0 {
				return wrong("endless", game.At(game.At("cards", i)+".levels", k), game.Args{"card": c.Name, "short": short})
			}
		}
	}
	return nil
}

// turns tells whether the level brings guilds to light.
func (l *Level) turns() bool {
	if l.Effect == nil {
		return false
	}
	for _, c := range l.Effect.Do {
		if c.Verb.turns() {
			return true
		}
	}
	return false
}

// gain is what a level can bring at most: what its mandatory clauses bring, and
// what its effect brings if it is used.
func (l *Level) gain(box *Box, card int) (must, may int) {
	if l.Effect == nil {
		return 0, 0
	}
	for _, c := range l.Effect.First {
		must += c.gain(box, card)
	}
	for _, c := range l.Effect.Do {
		may += c.gain(box, card)
	}
	return must, may
}

// gain is what a clause of a card can bring at most.
func (c *Clause) gain(box *Box, card int) int {
	switch {
	case c.Verb == VerbCoins && c.Amount.Fixed():
		return c.Amount.Number
	case c.Verb == VerbCoins:
		return c.Amount.Most
	case c.Verb == VerbPay:
		return -c.Amount.Number
	case c.Verb.builds():
		return c.saving(box, card) * c.kept()
	}
	return 0
}

// saving is the most that the price of a building clause can save: on the
// dearest level that it may build.
func (c *Clause) saving(box *Box, card int) int {
	best := 0
	for i := range box.Cards {
		t := &box.Cards[i]
		if c.Guild != "" && c.Guild != t.Guild || c.Other && i == card {
			continue
		}
		for k := range t.Levels {
			l := &t.Levels[k]
			if k == 0 && c.Verb == VerbRaise || k > 0 && (c.Verb == VerbFound || c.Verb == VerbDrawGuild) {
				continue
			}
			if c.Levels != nil && !slices.Contains(c.Levels, k+1) {
				continue
			}
			switch {
			case c.Free:
				best = max(best, l.Cost)
			case c.Half:
				best = max(best, l.Cost/2)
			default:
				best = max(best, min(c.Less, l.Cost))
			}
		}
	}
	return best
}

// reduction is a continuous reduction and where it stands.
type reduction struct {
	rule        *Rule
	card, level int
}

// reductions are all the continuous reductions of the deck.
func (box *Box) reductions() []reduction {
	var list []reduction
	for i := range box.Cards {
		for k, l := range box.Cards[i].Levels {
			if l.Effect == nil {
				continue
			}
			for n := range l.Effect.While {
				if rule := &l.Effect.While[n]; rule.Verb == VerbCheaper {
					list = append(list, reduction{rule, i, k})
				}
			}
		}
	}
	return list
}

// least is the cost of a level without the best continuous reduction that can
// apply to it: one of another card, or of a level below it (3.5).
func (box *Box) least(cheaper []reduction, card, level int) int {
	t := &box.Cards[card]
	cost, best := t.Levels[level].Cost, 0
	for _, by := range cheaper {
		if own := by.card == card && by.level >= level; !own && by.rule.reduces(t.Guild, level) {
			best = max(best, by.rule.saving(cost))
		}
	}
	return cost - best
}

// reduces tells whether a rule makes a level of a guild cheaper, counted from 0.
func (rule *Rule) reduces(guild string, level int) bool {
	if rule.Guild != "" && rule.Guild != guild {
		return false
	}
	return rule.Build == "" || (rule.Build == foundWord) == (level == 0)
}

// saving is what a reduction takes off a cost (3.4).
func (rule *Rule) saving(cost int) int {
	if rule.Half {
		return cost / 2
	}
	return min(rule.Less, cost)
}
