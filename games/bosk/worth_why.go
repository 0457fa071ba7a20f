package bosk

import "copse/game"

// whyPhrases are the reasons that Bosk gives for a turn, with their arguments.
func whyPhrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("bosk.why.trail.alone", "way", "trail"),
		say("bosk.why.trail.take", "way", "trail", "seats"),
		say("bosk.why.trail.untie", "way", "trail", "seats"),
		say("bosk.why.trail.tie", "way", "trail", "seats"),
		say("bosk.why.trail.second", "way", "trail"),
		say("bosk.why.trail.second.from", "way", "trail", "seats"),
		say("bosk.why.trail.second.beside", "way", "trail", "seats"),
		say("bosk.why.trail.second.tie", "way", "trail", "seats"),
		say("bosk.why.region.alone", "region"),
		say("bosk.why.region.oust", "region", "seats"),
		say("bosk.why.region.take", "region", "seats"),
		say("bosk.why.region.untie", "region", "seats"),
		say("bosk.why.region.tie", "region", "seats"),
		say("bosk.why.region.second", "region"),
		say("bosk.why.region.second.from", "region", "seats"),
		say("bosk.why.region.second.beside", "region", "seats"),
		say("bosk.why.region.second.tie", "region", "seats"),
		say("bosk.why.region.lost", "region", "seats"),
		say("bosk.why.region.second.lost", "region", "seats"),
		say("bosk.why.region.less", "region", "seats"),
		say("bosk.why.region.more", "region", "seats"),
	}
	for _, name := range DefaultBox().Terrains {
		list = append(list, say("bosk.the."+name), say("bosk.in."+name))
	}
	return list
}

// rank is what a seat has of a trail or a region, from the least to the most.
type rank uint8

const (
	absent rank = iota
	behind
	secondTied
	secondAlone
	firstTied
	firstAlone
	only // nobody else is there
)

// rank finds the rank of a seat (3.1–3.5, 7.1–7.5).
func (sh *share) rank(seat game.Seat) rank {
	c, first, second := sh.judge()
	switch n := sh[seat]; {
	case n == 0:
		return absent
	case n == first:
		return [...]rank{alone: only, firstAndSecond: firstAlone, tiedSecond: firstAlone, tiedFirst: firstTied}[c]
	case n == second && c == firstAndSecond:
		return secondAlone
	case n == second && c == tiedSecond:
		return secondTied
	}
	return behind
}

// Why tells of every trail and region in which somebody gets another number of
// points than before.
func (r *Rules) Why(before, after *Position, seat, rival game.Seat) []game.Change {
	var list []game.Change
	add := func(was, is share, p *prizes, key string, args game.Args) {
		if was == is {
			return
		}
		var had, has [game.MaxSeats]uint8
		was.points(p, &had)
		is.points(p, &has)
		gain := func(seat game.Seat) game.Points { return game.Points(has[seat]) - game.Points(had[seat]) }
		kind, seats := turnout(&was, &is, r.seats, seat, rival)
		if kind == "" {
			return
		}
		if len(seats) > 0 {
			args["seats"] = seats
		}
		list = append(list, game.Change{Key: key + kind, Args: args, Points: gain(seat) - gain(rival)})
	}
	for trail := range r.side - 1 {
		for half, way := range [...]string{"row", "column"} {
			i := half*(maxSide-1) + trail
			add(r.trailShare(before, i), r.trailShare(after, i), &r.trailPrizes, "bosk.why.trail.", game.Args{"way": way, "trail": trail + 1})
		}
	}
	for n, t := range r.region {
		add(before.control[n], after.control[n], &r.regionPrizes, "bosk.why.region.", game.Args{"region": t.name})
	}
	return list
}

// turnout is what a turn of seat has done to a trail or a region, and whom it
// concerns besides; "" where it changes nothing between seat and rival. One's own
// turn never costs one a rank, so that either one has a better one or all there
// is to tell is what happens to the rival.
func turnout(was, is *share, seats int, seat, rival game.Seat) (kind string, others []game.Seat) {
	had, has := was.rank(seat), is.rank(seat)
	those := func(fits func(had, has rank) bool) (list []game.Seat) {
		for other := range game.Seat(seats) {
			if other != seat && fits(was.rank(other), is.rank(other)) {
				list = append(list, other)
			}
		}
		return list
	}
	if has == had || has <= behind {
		return ofRival(was.rank(rival), is.rank(rival), rival)
	}
	switch has {
	case only:
		if others = those(func(had, _ rank) bool { return had > absent }); others == nil {
			return "alone", nil
		}
		return "oust", others
	case firstAlone:
		if had == firstTied {
			return "untie", those(func(had, _ rank) bool { return had == firstTied })
		}
		return "take", those(func(had, _ rank) bool { return had >= firstTied })
	case firstTied:
		return "tie", those(func(_, has rank) bool { return has == firstTied })
	case secondAlone:
		if others = those(func(had, _ rank) bool { return had == only }); others != nil {
			return "second.beside", others
		}
		if others = those(func(had, has rank) bool { return had == secondAlone && has < had }); others != nil {
			return "second.from", others
		}
		return "second", nil
	}
	return "second.tie", those(func(_, has rank) bool { return has == secondTied })
}

// ofRival is what happens to the rival where one's own rank stays what it was.
func ofRival(had, has rank, rival game.Seat) (kind string, others []game.Seat) {
	others = []game.Seat{rival}
	switch {
	case has == had, has <= behind && had <= behind:
		return "", nil
	case has > had:
		return "more", others
	case had == firstAlone:
		return "lost", others
	case had == secondAlone:
		return "second.lost", others
	}
	return "less", others
}
