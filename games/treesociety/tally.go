package treesociety

import "copse/game"

// How many rounds a game is meant to last.
const (
	leastRounds = 8
	mostRounds  = 14
)

// Why a game ended, in a word (6.1, 6.2).
const (
	endBanners = "banners"
	endFruit   = "fruit"
	endBoth    = "both"
)

// Things are the guild cards, which weigh as much as their banners.
func (r *Rules) Things() []game.Thing {
	list := make([]game.Thing, len(r.box.Cards))
	for i := range list {
		c := &r.box.Cards[i]
		list[i] = game.Thing{Name: c.Name, Group: c.Guild, Weight: c.Banners}
	}
	return list
}

// Tally marks the cards of a seat: its starting card as dealt; those in the guild
// market or drawn, while it sells and builds, as offered; those in progress as
// founded; and those it has completed.
func (r *Rules) Tally(s *Position, seat game.Seat, marks []game.Mark) {
	mark := func(id uint8, m game.Mark) {
		if id != 0 {
			marks[id-1] |= m
		}
	}
	p := &s.player[seat]
	if s.phase < selling {
		mark(p.place[0], game.Dealt)
		return
	}
	for _, id := range p.place {
		mark(id, game.Founded)
	}
	for _, id := range p.completed.list() {
		mark(uint8(id), game.Completed)
	}
	if s.actor != seat || s.phase != selling && s.phase != building {
		return
	}
	for _, id := range s.market {
		mark(id, game.Offered)
	}
	if !r.showsFruit(s) {
		for _, id := range s.shown {
			mark(id, game.Offered)
		}
	}
}

// Round is the round that is played, from 1.
func (r *Rules) Round(s *Position) int { return int(s.round) }

// Length is how many rounds a game is meant to last.
func (r *Rules) Length() (least, most int) { return leastRounds, mostRounds }

// Ending is whether banners ended the game, or the fruit, or both.
func (r *Rules) Ending(s *Position) string {
	switch s.end {
	case byBanners:
		return endBanners
	case byFruit:
		return endFruit
	}
	return endBoth
}
