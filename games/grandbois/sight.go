package grandbois

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"copse/game"
)

// See shows everything but the clans of others, and those too after the harvest
// (1.5, 4.1).
func (r *Rules) See(s *Position, seat game.Seat, view *Position) {
	view.viewer = seat
	// The table: what lies there for everyone to see.
	view.rows = s.rows
	view.left, view.top, view.right, view.bottom = s.left, s.top, s.right, s.bottom
	view.laid, view.count, view.stood = s.laid, s.count, s.stood
	view.river, view.pile = s.river, s.pile
	view.towers = s.towers
	// Whose turn it is, and what for.
	view.phase, view.actor, view.turn, view.passes = s.phase, s.actor, s.turn, s.passes
	// How many clans were dealt, and one's own.
	view.dealt = s.dealt
	for i := range game.Seat(r.seats) {
		if i == seat || s.phase == over {
			view.clans[i] = s.clans[i]
		}
	}
}

// Heard keeps from others which clan was dealt to a seat (1.5).
func (r *Rules) Heard(m Move, _, to game.Seat) Move {
	if m.do() == Deal && m.seat() != to {
		return dealMove(m.seat(), 0)
	}
	return m
}

// Reveals is true of the move with which the harvest begins, and of no other:
// the last tile where no tower can follow, the decision about a tower after it,
// or the last of the passes.
func (r *Rules) Reveals(s *Position, m Move) bool {
	switch m.do() {
	case Place:
		return s.pile == 0 && bits.OnesCount64(s.river) == 1 && !r.mayBuild(s, m.piece())
	case Tower, NoTower:
		return s.river == 0
	case Pass:
		return int(s.passes) == r.seats-1
	}
	return false
}

// Imagine gives those whose clans the view does not know others that are left,
// every way as likely as any other.
func (r *Rules) Imagine(view *Position, _ game.Seat, rng *rand.Rand) {
	for seat := range game.Seat(r.seats) {
		for !r.knows(view, seat) {
			view.clans[seat] |= 1 << nth(uint64(r.undealt(view)), rng)
		}
	}
	view.viewer = game.None
}

// impossible blames a part of a view that no game of GrandBois can show.
func impossible(path string) error {
	return game.Blame("view.impossible", game.Args{"path": "view." + path})
}

// readLaid lays the tiles of a view one after the other, and the towers on them.
func (r *Rules) readLaid(v *View, s *Position) error {
	for k, l := range v.Laid {
		path := game.At("laid", k)
		if l.Tile < 1 || l.Tile > r.tiles || s.pile>>l.Tile&1 == 0 {
			return impossible(path + ".tile")
		}
		if l.Turn < 0 || l.Turn > 3 {
			return impossible(path + ".turn")
		}
		t := &r.tile[l.Tile].turned[l.Turn]
		if !r.fits(s, t, l.X, l.Y) {
			return impossible(path)
		}
		s.pile &^= 1 << l.Tile
		s.lay(t, l.X, l.Y)
		s.laid[k] = laying{int8(l.X), int8(l.Y), uint8(l.Tile<<2 | l.Turn)}
		s.count++
		if !l.Tower {
			continue
		}
		if s.actor = r.layer(k); !r.mayBuild(s, l.Tile) {
			return impossible(path + ".tower")
		}
		r.build(s)
	}
	return nil
}

// readRiver takes the tiles of the river out of the pile. Which were revealed
// first does not matter: any that is in the river now can have been there when
// each of the tiles was laid.
func (r *Rules) readRiver(v *View, s *Position) error {
	if len(v.River) > r.river {
		return impossible("river")
	}
	for i, t := range v.River {
		if t.Tile < 1 || t.Tile > r.tiles || s.pile>>t.Tile&1 == 0 {
			return impossible(game.At("river", i) + ".tile")
		}
		s.pile &^= 1 << t.Tile
		s.river |= 1 << t.Tile
	}
	return nil
}

// readPhase makes sure that what is asked fits the tiles laid and revealed, and
// finds out whose turn it is.
func (r *Rules) readPhase(v *View, s *Position) error {
	if v.Passes < 0 || v.Passes > r.seats {
		return impossible("passes")
	}
	for phase := dealing; phase <= over; phase++ {
		if s.phase = phase; r.asked(s) == v.Asked {
			break
		}
	}
	s.passes = uint8(v.Passes)
	s.turn = s.count + s.passes
	if s.phase == deciding || s.phase == drawing && s.count > 0 {
		s.turn--
	}
	s.actor = game.Seat(int(s.turn) % r.seats)
	if r.asked(s) != v.Asked || !r.inPhase(s) {
		return impossible("asked")
	}
	if s.passes > 0 {
		if _, can := r.somePlacement(s); can {
			return impossible("passes")
		}
	}
	return nil
}

// inPhase tells whether the tiles laid and revealed fit the phase.
func (r *Rules) inPhase(s *Position) bool {
	revealed := bits.OnesCount64(s.river)
	full := min(r.river, r.tiles-int(s.count))
	last := int(s.count) - 1
	undecided := last >= 0 && s.stood>>last&1 == 0
	switch s.phase {
	case dealing:
		return s.passes == 0 && s.count == 0 && revealed == 0
	case drawing:
		if s.count == 0 {
			return s.passes == 0 && revealed < full
		}
		return s.passes == 0 && s.pile != 0 && revealed == r.river-1 && undecided
	case placing:
		return int(s.passes) < r.seats && revealed == full && revealed > 0
	case deciding:
		return s.passes == 0 && revealed == full && undecided && r.mayBuild(s, s.laid[last].tile())
	}
	return revealed == full && (s.passes == 0 && full == 0 || int(s.passes) == r.seats && full > 0)
}

// readPlayers makes sure that clans were dealt in order, that the viewer knows
// its own and, before the harvest, no others.
func (r *Rules) readPlayers(v *View, s *Position) error {
	for seat, p := range v.Players {
		if p.Dealt < 0 || p.Dealt > r.each {
			return impossible(game.At("players", seat) + ".dealt")
		}
		s.dealt += uint8(p.Dealt)
	}
	if all := int(s.dealt) == r.seats*r.each; all == (s.phase == dealing) {
		return impossible("asked")
	}
	for seat, p := range v.Players {
		if p.Dealt != r.dealtTo(s, game.Seat(seat)) {
			return impossible(game.At("players", seat) + ".dealt")
		}
		path := game.At("players", seat) + ".clans"
		open := s.phase == over || game.Seat(seat) == s.viewer
		if open != (p.Clans != nil) || open && len(p.Clans) != p.Dealt {
			return impossible(path)
		}
		for _, name := range p.Clans {
			clan := slices.Index(r.clan[1:], name) + 1
			if clan == 0 || r.undealt(s)>>clan&1 == 0 {
				return impossible(path)
			}
			s.clans[seat] |= 1 << clan
		}
	}
	return nil
}
