package grandbois

import "copse/game"

// whyPhrases are the reasons that GrandBois gives for a turn, with their
// arguments.
func whyPhrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		say("grandbois.why.group.more", "clan", "size"),
		say("grandbois.why.group.less", "clan", "size"),
		say("grandbois.why.spaces.more", "clan", "spaces"),
		say("grandbois.why.spaces.less", "clan", "spaces"),
		say("grandbois.why.other.more", "clan", "other", "chance"),
		say("grandbois.why.other.less", "clan", "other", "chance"),
		say("grandbois.why.other.split", "clan", "other", "chance"),
		say("grandbois.why.tower.new", "x", "y", "points"),
		say("grandbois.why.tower.now", "x", "y", "points"),
		say("grandbois.why.tower.other.more", "seat", "x", "y"),
		say("grandbois.why.tower.other.less", "seat", "x", "y"),
		say("grandbois.why.tower.other.else", "seat", "x", "y"),
	}
	for _, clan := range DefaultBox().Clans {
		list = append(list, say("grandbois.yours."+clan), say("grandbois.the."+clan))
	}
	return list
}

// Why tells of every clan that somebody plays and of every tower what they bring
// now and did not before. What lies in the forest everyone sees; who plays a clan
// is a guess, unless it is one's own.
func (r *Rules) Why(before, after *Position, seat, rival game.Seat) []game.Change {
	var list []game.Change
	add := func(owner game.Seat, c game.Change, gain int) {
		switch owner {
		case seat:
			c.Points = game.Points(gain)
		case rival:
			c.Points = -game.Points(gain)
		}
		list = append(list, c)
	}
	for clan := 1; clan <= clans; clan++ {
		owner := r.ownerOf(after, clan)
		if owner == game.None {
			continue
		}
		c, gain := r.whyClan(before, after, clan, owner == seat)
		if gain == 0 {
			continue
		}
		if c.Guess {
			c.Whose = owner
		}
		add(owner, c, gain)
	}
	for y := int(after.top); y <= int(after.bottom); y++ {
		for x := int(after.left); x <= int(after.right); x++ {
			sp := after.at(x, y)
			if sp.kind() != tower {
				continue
			}
			if c, gain := r.whyTower(before, after, x, y, sp.owner() == seat); gain != 0 {
				add(sp.owner(), c, gain)
			}
		}
	}
	return list
}

// whyClan says how a clan has grown or shrunk, and what that brings whoever plays
// it.
func (r *Rules) whyClan(before, after *Position, clan int, own bool) (game.Change, int) {
	had, hadGroup := before.tally(clan)
	has, hasGroup := after.tally(clan)
	gain := perSpace*(has-had) + perGroup*(hasGroup-hadGroup)
	args := game.Args{"clan": r.clan[clan]}
	if !own {
		key := "grandbois.why.other.more"
		switch {
		case gain < 0 && hasGroup < hadGroup:
			key = "grandbois.why.other.split"
		case gain < 0:
			key = "grandbois.why.other.less"
		}
		return game.Change{Key: key, Args: args, Guess: true}, gain
	}
	key := "grandbois.why.spaces.less"
	switch {
	case hasGroup > hadGroup:
		key, args["size"] = "grandbois.why.group.more", hasGroup
	case hasGroup < hadGroup:
		key, args["size"] = "grandbois.why.group.less", hasGroup
	case has > had:
		key, args["spaces"] = "grandbois.why.spaces.more", has-had
	default:
		args["spaces"] = had - has
	}
	return game.Change{Key: key, Args: args}, gain
}

// whyTower says what has changed around a tower, and what that brings its owner.
// What the tower of another brings hangs on its clans, so that of it only how many
// animals it sees is told.
func (r *Rules) whyTower(before, after *Position, x, y int, own bool) (game.Change, int) {
	seat := after.at(x, y).owner()
	hasOwn, hasOthers := after.around(x, y, after.clans[seat])
	stood := before.at(x, y).kind() == tower
	var hadOwn, hadOthers int
	if stood {
		hadOwn, hadOthers = before.around(x, y, before.clans[seat])
	}
	brings := perOwn*hasOwn + perOthers*hasOthers
	gain := brings - perOwn*hadOwn - perOthers*hadOthers
	args := game.Args{"x": x, "y": y}
	if own {
		key := "grandbois.why.tower.now"
		if !stood {
			key = "grandbois.why.tower.new"
		}
		args["points"] = brings
		return game.Change{Key: key, Args: args}, gain
	}
	args["seat"] = seat
	key := "grandbois.why.tower.other.else"
	switch sees := hasOwn + hasOthers - hadOwn - hadOthers; {
	case sees > 0:
		key = "grandbois.why.tower.other.more"
	case sees < 0:
		key = "grandbois.why.tower.other.less"
	}
	return game.Change{Key: key, Args: args}, gain
}
