package grandbois

import (
	"math/bits"

	"copse/game"
)

// Play makes a legal move; only the seat to act has one. On a view it does what
// the viewer can know of it.
func (r *Rules) Play(s *Position, _ game.Seat, m Move, log *game.Log) {
	switch m.do() {
	case Deal:
		r.deal(s, m, log)
	case Reveal:
		r.reveal(s, m, log)
	case Place:
		r.place(s, m, log)
	case Tower, NoTower:
		r.decide(s, m, log)
	case Pass:
		r.pass(s, log)
	}
}

func (r *Rules) deal(s *Position, m Move, log *game.Log) {
	seat, clan := m.seat(), m.piece()
	if clan != 0 {
		s.clans[seat%game.MaxSeats] |= 1 << clan
	}
	s.dealt++
	if int(s.dealt) == r.seats*r.each {
		s.phase = drawing
	}
	if log != nil {
		if clan != 0 {
			log.TellTo(game.Only(seat), "grandbois.event.clan", game.Args{"seat": seat, "clan": r.clan[clan]})
		}
		log.TellTo(game.But(seat), "grandbois.event.deal", game.Args{"seat": seat})
	}
}

func (r *Rules) reveal(s *Position, m Move, log *game.Log) {
	bit := uint64(1) << m.piece()
	s.pile &^= bit
	s.river |= bit
	if log != nil {
		log.Tell("grandbois.event.reveal", game.Args{"tile": m.piece(), "left": bits.OnesCount64(s.pile)})
	}
	switch {
	case s.count > 0: // 2.9
		r.askForTower(s, log)
	case bits.OnesCount64(s.river) == min(r.river, r.tiles): // 1.2
		s.phase = placing
	}
}

func (r *Rules) place(s *Position, m Move, log *game.Log) {
	id, x, y := m.piece(), m.x(), m.y()
	t := &r.tile[id&63].turned[m.turn()]
	if log != nil {
		covered := r.covered(s, t, x, y)
		words := make([]string, 0, perTile)
		for _, c := range covered {
			words = append(words, c.Shows)
		}
		log.Tell("grandbois.event.place", game.Args{
			"seat": s.actor, "tile": id, "x": x, "y": y, "turn": m.turn(),
			"covers": words, "adds": perTile - len(words),
		})
	}
	s.lay(t, x, y)
	s.laid[s.count%maxTiles] = laying{int8(x), int8(y), uint8(id<<2 | m.turn())}
	s.count++
	s.river &^= 1 << id
	if s.pile != 0 {
		s.phase = drawing
		return
	}
	r.askForTower(s, log)
}

// mayBuild tells whether the tile just laid and the towers left allow a tower
// (3.1).
func (r *Rules) mayBuild(s *Position, tile int) bool {
	return r.tile[tile&63].clearing && s.towers[s.actor%game.MaxSeats] > 0
}

// askForTower lets the seat decide about a tower, or ends its turn.
func (r *Rules) askForTower(s *Position, log *game.Log) {
	if r.mayBuild(s, s.laid[(s.count-1)%maxTiles].tile()) {
		s.phase = deciding
		return
	}
	r.endTurn(s, log)
}

func (r *Rules) decide(s *Position, m Move, log *game.Log) {
	if m.do() == Tower {
		x, y := r.build(s)
		if log != nil {
			log.Tell("grandbois.event.tower", game.Args{"seat": s.actor, "x": x, "y": y})
		}
	} else if log != nil {
		log.Tell("grandbois.event.no-tower", game.Args{"seat": s.actor})
	}
	r.endTurn(s, log)
}

// build puts a tower on the clearing of the tile just laid (3.1).
func (r *Rules) build(s *Position) (x, y int) {
	k := int(s.count - 1)
	x, y = r.clearingOf(s, k)
	s.put(x, y, towerOf(s.actor))
	s.stood |= 1 << k
	s.towers[s.actor]--
	return x, y
}

func (r *Rules) pass(s *Position, log *game.Log) {
	if log != nil {
		log.Tell("grandbois.event.pass", game.Args{"seat": s.actor})
	}
	s.passes++
	r.endTurn(s, log)
}

// endTurn passes the turn on clockwise or, when the river is empty or every seat
// had to pass, begins the harvest (4.1, 2.10).
func (r *Rules) endTurn(s *Position, log *game.Log) {
	s.turn++
	s.phase = placing
	if s.actor++; int(s.actor) == r.seats {
		s.actor = 0
	}
	if s.river == 0 || int(s.passes) == r.seats {
		s.phase = over
		if log != nil {
			r.tellHarvest(s, log)
		}
	}
}

// tellHarvest tells who played what, as far as it is known here, and who won.
func (r *Rules) tellHarvest(s *Position, log *game.Log) {
	log.Tell("grandbois.event.harvest", game.Args{"left": bits.OnesCount64(s.river | s.pile)})
	st := r.Standing(s)
	for seat := range game.Seat(r.seats) {
		if score := &st.Seats[seat]; r.knows(s, seat) {
			log.Tell("grandbois.event.clans", game.Args{"seat": seat, "clans": r.clansOf(s, seat)})
			log.Tell("grandbois.event.score", game.Args{
				"seat": seat, "spaces": score.Parts[spaces], "group": score.Parts[group],
				"towerOwn": score.Parts[towerOwn], "towerOthers": score.Parts[towerOthers], "total": score.Total,
			})
		}
	}
	r.tellWinners(&st, log)
}

// tellWinners tells who won and whether ties had to be broken (4.5).
func (r *Rules) tellWinners(st *game.Standing, log *game.Log) {
	var winners []game.Seat
	best := game.Unknown
	for seat := range game.Seat(r.seats) {
		if st.Seats[seat].Rank == 1 {
			winners = append(winners, seat)
			best = st.Seats[seat].Total
		}
	}
	level := 0
	for _, score := range st.Seats[:r.seats] {
		if score.Total == best {
			level++
		}
	}
	switch {
	case len(winners) > 1:
		log.Tell("grandbois.event.shared", game.Args{"seats": winners, "total": best})
	case len(winners) == 1 && level > 1:
		log.Tell("grandbois.event.won.tie", game.Args{"seat": winners[0], "total": best})
	case len(winners) == 1:
		log.Tell("grandbois.event.won", game.Args{"seat": winners[0], "total": best})
	}
}
