package treesociety

import (
	"slices"

	"copse/game"
)

// combo is a combination of guild cards that has a name: how far each of them is,
// all at the same time and before one seat.
type combo struct {
	name  string
	cards []stand
}

// stand is where a card of a combination must be: its marker on one of these
// levels, 3 for a completed card, or gone for one that was founded and discarded.
type stand struct {
	card string
	on   []uint8
}

// gone is the level of a card that the seat has discarded.
const gone = 0

// Where the cards of a combination are.
func lasts() []uint8     { return []uint8{1} }
func begun() []uint8     { return []uint8{1, 2, 3} }
func raised() []uint8    { return []uint8{2, 3} }
func done() []uint8      { return []uint8{3} }
func on2() []uint8       { return []uint8{2} }
func halfway() []uint8   { return []uint8{1, 2} }
func discarded() []uint8 { return []uint8{gone} }

// combos are the combinations that docs/tree-society-deck.md speaks of. Those of
// which a deck lacks a card are not in it.
func combos() []combo {
	return []combo{
		// A raise that raises, at a reduction each.
		{"stairs in the joinery", []stand{{"spiral-stair", raised()}, {"joinery", begun()}}},
		// The dearest raises of the guild cost half.
		{"palace at half price", []stand{{"builders-hall", lasts()}, {"canopy-palace", raised()}}},
		// The crane pays for the tower.
		{"crane and tower", []stand{{"squirrel-crane", lasts()}, {"trunk-tower", raised()}}},
		// Incomes are paid each (3.4).
		{"toll and water", []stand{{"toll-gate", lasts()}, {"water-wheel", halfway()}}},
		{"living on interest", []stand{{"savings-bank", halfway()}, {"toll-gate", lasts()}}},
		// Coins that may be kept are points in the end.
		{"deep pockets", []stand{{"treasury", on2()}, {"golden-bough", raised()}}},
		{"strong and golden", []stand{{"strongbox", begun()}, {"golden-bough", raised()}}},
		// What was put away for tomorrow is spent today.
		{"break the bank", []stand{{"mint", begun()}, {"moneychanger", done()}}},
		{"the grove's own mint", []stand{{"mint", begun()}, {"grove-bank", raised()}}},
		// Each of several sales of a turn pays more.
		{"jam all night", []stand{{"jam-kitchen", halfway()}, {"night-market", begun()}}},
		{"jam at the fair", []stand{{"jam-kitchen", halfway()}, {"great-fair", raised()}}},
		{"jam under the hammer", []stand{{"jam-kitchen", halfway()}, {"auction-house", raised()}}},
		{"cider at auction", []stand{{"cider-house", begun()}, {"auction-house", raised()}}},
		// Take, sell, take, sell; and the types sold count for both.
		{"all the fair", []stand{{"juice-press", begun()}, {"great-fair", raised()}}},
		// The same guilds count for both.
		{"talk of the town", []stand{{"gazette", begun()}, {"green-theatre", raised()}}},
		// The bookshop pays for what the writers count.
		{"books for the library", []stand{{"bookshop", lasts()}, {"great-library", raised()}}},
		{"books for the archive", []stand{{"bookshop", lasts()}, {"archive", begun()}}},
		// A card for nothing, and every card counts.
		{"post and academy", []stand{{"letter-box", begun()}, {"academy", raised()}}},
		// What has served goes on the compost.
		{"old hive, new soil", []stand{{"apiary", discarded()}, {"compost-bin", raised()}}},
		{"pawned and grafted", []stand{{"pawnshop", begun()}, {"grafting-bench", raised()}}},
		// Fruit that is not sold counts for both.
		{"everything under glass", []stand{{"tree-nursery", begun()}, {"greenhouse", raised()}}},
		// The school makes raises of the guild cheaper, and the orchard counts its banners.
		{"pruned orchard", []stand{{"pruning-school", lasts()}, {"hanging-orchard", begun()}}},
		// Explorers found explorers, at half price.
		{"seen from the observatory", []stand{{"observatory", lasts()}, {"unknown-lands", begun()}}},
		{"camp of the expedition", []stand{{"base-camp", begun()}, {"expedition", raised()}}},
		// Unfinished work scores for both.
		{"roped together", []stand{{"rope-team", begun()}, {"expedition", raised()}}},
		// The inn pays the way.
		{"inn below the summit", []stand{{"wayside-inn", lasts()}, {"summit-club", begun()}}},
	}
}

// Combinations are those of the deck.
func (r *Rules) Combinations() (names []string, together func(s *Position, seat game.Seat, marks []game.Mark, had []bool)) {
	type place struct {
		id uint8
		on []uint8
	}
	ids := map[string]uint8{}
	for i := range r.box.Cards {
		ids[r.box.Cards[i].Name] = uint8(r.box.Cards[i].ID)
	}
	var needs [][]place
	for _, c := range combos() {
		var list []place
		for _, s := range c.cards {
			if id := ids[s.card]; id != 0 {
				list = append(list, place{id, s.on})
			}
		}
		if len(list) == len(c.cards) {
			names, needs = append(names, c.name), append(needs, list)
		}
	}
	return names, func(s *Position, seat game.Seat, marks []game.Mark, had []bool) {
		p := &s.player[seat]
		for i, list := range needs {
			had[i] = had[i] || !slices.ContainsFunc(list, func(n place) bool { return !slices.Contains(n.on, p.stands(n.id, marks[n.id-1])) })
		}
	}
}

// stands is the level that a player has a card on, 3 for one that is completed, or
// gone for one that it had; never is none of these.
func (p *player) stands(id uint8, mark game.Mark) uint8 {
	const never = levels + 1
	if p.completed.has(id) {
		return levels
	}
	if at := p.at(id); at >= 0 {
		return p.level[at]
	}
	if mark&(game.Founded|game.Dealt) != 0 {
		return gone
	}
	return never
}
