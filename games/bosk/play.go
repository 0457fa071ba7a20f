package bosk

import "copse/game"

// Play makes a legal move; only the seat to act has one.
func (r *Rules) Play(s *Position, _ game.Seat, m Move, log *game.Log) {
	switch m.Do {
	case Plant:
		r.plant(s, m, log)
	case Call:
		r.call(s, m, log)
	case Shed:
		r.shed(s, m, log)
	case Leaf:
		r.lay(s, m, log)
	case Run:
		r.run(s, m, log)
	}
}

func (r *Rules) plant(s *Position, m Move, log *game.Log) {
	seat, v := s.actor, m.Piece-1
	number := r.numberAt[m.Row][m.Column]
	s.free[(number-1)/64] &^= 1 << ((number - 1) % 64)
	s.hand[seat][v]--
	s.sums[seat][m.Row-1] += m.Piece
	s.sums[seat][maxSide-2+m.Column] += m.Piece
	pair := &s.trees[seat][v]
	if pair[0] == 0 || pair[0] > number {
		pair[0], pair[1] = number, pair[0]
	} else {
		pair[1] = number
	}
	s.turn++
	s.actor = r.clockwise(seat, 1)
	if log != nil {
		log.Tell("bosk.event.plant", game.Args{"seat": seat, "tree": int(m.Piece), "at": [2]int{int(m.Row), int(m.Column)}})
	}
	if int(s.turn) == r.seats*treesEach {
		r.scoreSummer(s, log)
	}
}

// scoreSummer scores the trails and gives the Hiker to whoever has the fewest
// points (3.6).
func (r *Rules) scoreSummer(s *Position, log *game.Log) {
	s.summer = r.trailPoints(s)
	s.phase = calling
	was, fewest := s.start, func(seat game.Seat) int { return int(s.summer[seat]) }
	s.start = r.firstWithLeast(was, fewest)
	s.actor = s.start
	if log != nil {
		for seat := range game.Seat(r.seats) {
			log.Tell("bosk.event.summer", game.Args{"seat": seat, "points": int(s.summer[seat])})
		}
		r.tellStart(s, log, "bosk.event.start.summer", was, fewest, game.Args{"points": int(s.summer[s.start])})
	}
}

// tellStart tells who has the Hiker now and why. Of several with the least it
// tells who they were, and after whom they were counted.
func (r *Rules) tellStart(s *Position, log *game.Log, key string, was game.Seat, of func(game.Seat) int, args game.Args) {
	tied := []game.Seat{}
	for seat := range game.Seat(r.seats) {
		if of(seat) == of(s.start) {
			tied = append(tied, seat)
		}
	}
	args["seat"] = s.start
	if len(tied) > 1 {
		key += ".tie"
		args["tied"], args["after"] = tied, was
	}
	log.Tell(key, args)
}

// firstWithLeast is the seat with the least of something. Of those tied it is
// the first clockwise from the seat after the start player, who comes last
// (3.6, 6.2).
func (r *Rules) firstWithLeast(start game.Seat, of func(game.Seat) int) game.Seat {
	best := r.clockwise(start, 1)
	for n := 2; n <= r.seats; n++ {
		if seat := r.clockwise(start, n); of(seat) < of(best) {
			best = seat
		}
	}
	return best
}

func (r *Rules) call(s *Position, m Move, log *game.Log) {
	s.side = Wind(m.Piece)
	s.turn++
	if log != nil {
		log.Tell("bosk.event.wind", game.Args{"seat": s.actor, "side": s.side.String()})
	}
	r.beginRound(s, log)
}

func (r *Rules) beginRound(s *Position, log *game.Log) {
	s.round++
	s.phase = shedding
	s.wind = r.blows(s.side, int(s.round))
	s.actor = s.start
	s.played = [game.MaxSeats]uint8{}
	if log != nil {
		log.Tell("bosk.event.round", game.Args{"round": int(s.round), "wind": s.wind.String(), "tree": asked(r.mustShed(s))})
	}
}

func (r *Rules) shed(s *Position, m Move, log *game.Log) {
	seat := s.actor
	s.from = r.numberAt[m.Row][m.Column]
	s.tiles[seat] &^= 1 << (m.Piece - 1)
	s.played[seat] = m.Piece
	if log != nil {
		_, tree := r.treeAt(s, s.from)
		log.Tell("bosk.event.shed", game.Args{
			"seat": seat, "tree": tree, "at": [2]int{int(m.Row), int(m.Column)}, "tile": Tile(m.Piece),
		})
	}
	if m.Piece == Squirrel {
		s.phase = running
		if !r.canRun(s) {
			if log != nil {
				log.Tell("bosk.event.no-squirrel", game.Args{"seat": seat})
			}
			r.endTurn(s, log)
		}
		return
	}
	s.phase = falling
	s.active = m.Piece
	s.supply[seat] -= m.Piece
	s.last = r.crossings[s.from-1].corner + r.ways[s.wind].behind
	r.goOn(s, log)
}

// canRun tells whether the squirrel can stay anywhere.
func (r *Rules) canRun(s *Position) bool {
	i := r.crossings[s.from-1].corner + r.ways[s.wind].behind + r.ways[s.wind].ahead
	if !s.square[i].squirrel() || !s.square[i+r.ways[s.wind].across].squirrel() {
		return true
	}
	var room [12]Move
	return len(r.runs(s, room[:0])) > 0
}

// goOn finds where the path can go, and ends the turn if nowhere (5.7).
func (r *Rules) goOn(s *Position, log *game.Log) {
	s.open = r.look(s)
	if s.open != 0 {
		return
	}
	if log != nil && s.active > 0 {
		log.Tell("bosk.event.stop", game.Args{"seat": s.actor, "laid": int(s.laid), "left": int(s.active)})
	}
	r.endTurn(s, log)
}

func (r *Rules) lay(s *Position, m Move, log *game.Log) {
	seat, i := s.actor, at(m.Row, m.Column)
	was := s.square[i]
	price := r.price[seat&3][was]
	s.active -= price
	s.supply[seat] += price - 1
	held := &s.control[r.terrainAt[i]%maxRegions]
	if was != bare {
		held[was.top()]--
	}
	held[seat&3]++
	s.square[i] = pile(seat, was.height()+1)
	s.last = i
	s.laid++
	if log != nil {
		args := game.Args{"seat": seat, "to": [2]int{int(m.Row), int(m.Column)}, "region": r.region[r.terrainAt[i]].name}
		if price == 1 {
			args["height"] = was.height() + 1
			log.Tell("bosk.event.leaf", args)
		} else {
			args["other"], args["back"] = was.top(), int(price)-1
			log.Tell("bosk.event.cover", args)
		}
	}
	r.goOn(s, log)
}

func (r *Rules) run(s *Position, m Move, log *game.Log) {
	seat, i := s.actor, at(m.Row, m.Column)
	was := s.square[i]
	held := &s.control[r.terrainAt[i]]
	if was != bare {
		held[was.top()]--
	}
	held[seat]++
	s.square[i] = pile(seat, was.height()) | sits
	s.squirrel[seat] = i
	if log != nil {
		log.Tell("bosk.event.squirrel", game.Args{
			"seat": seat, "to": [2]int{int(m.Row), int(m.Column)}, "region": r.region[r.terrainAt[i]].name, "height": was.height(),
		})
	}
	r.endTurn(s, log)
}

// endTurn takes the tree off the park, gives left-over leaves back and passes
// the turn on; after the last seat the round ends.
func (r *Rules) endTurn(s *Position, log *game.Log) {
	seat := s.actor
	for v := range s.trees[seat] {
		pair := &s.trees[seat][v]
		if pair[0] == s.from {
			pair[0], pair[1] = pair[1], 0
		} else if pair[1] == s.from {
			pair[1] = 0
		}
	}
	s.free[(s.from-1)/64] |= 1 << ((s.from - 1) % 64)
	s.supply[seat] += s.active
	s.from, s.last, s.active, s.laid, s.open = 0, 0, 0, 0, 0
	s.turn++
	s.phase = shedding
	s.actor = r.clockwise(seat, 1)
	if s.actor == s.start {
		r.endRound(s, log)
	}
}

// endRound gives the Hiker to whoever played the lowest tile and turns the wind
// (6.1, 6.2), or scores winter after the eighth round.
func (r *Rules) endRound(s *Position, log *game.Log) {
	if s.round == rounds {
		s.phase = finished
		s.actor = game.None
		if log != nil {
			r.tellWinter(s, log)
		}
		return
	}
	was, lowest := s.start, func(seat game.Seat) int { return int(s.played[seat]) }
	s.start = r.firstWithLeast(was, lowest)
	if log != nil {
		r.tellStart(s, log, "bosk.event.start.round", was, lowest, game.Args{"tile": Tile(s.played[s.start])})
	}
	r.beginRound(s, log)
}

func (r *Rules) tellWinter(s *Position, log *game.Log) {
	st := r.Standing(s)
	for seat := range game.Seat(r.seats) {
		log.Tell("bosk.event.winter", game.Args{
			"seat": seat, "points": int(st.Seats[seat].Parts[winter]), "total": int(st.Seats[seat].Total),
		})
	}
	for seat := range game.Seat(r.seats) {
		if st.Seats[seat].Rank != 1 {
			continue
		}
		tied := false
		for other := range game.Seat(r.seats) {
			tied = tied || other != seat && st.Seats[other].Total == st.Seats[seat].Total
		}
		key := "bosk.event.won"
		if tied {
			key = "bosk.event.won.tie"
		}
		log.Tell(key, game.Args{"seat": seat, "total": int(st.Seats[seat].Total)})
	}
}
