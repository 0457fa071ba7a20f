package table

// Again is who should sit at a seat of the next table.
type Again struct {
	Person Person // zero for a bot
	Player string // of a bot
}

// Rematch is a table like this one for another game: the same settings, and
// everyone a seat further on, so that another begins. People who resigned or were
// away have a seat there like the others. At the next table they are other persons:
// the caller, who knows the accounts, must say which.
func (t *Table) Rematch() (Settings, []Again, error) {
	if !t.Over() || !t.Begun() || t.now.pos == nil {
		return Settings{}, nil, no("table.rematch", nil)
	}
	if t.Follows() {
		return Settings{}, nil, no("table.sides.follows", nil)
	}
	again := make([]Again, t.now.size)
	for seat := range t.now.seats() {
		c := &t.now.chairs[seat]
		next := &again[(seat+1)%len(again)]
		if c.holder == Robot {
			next.Player = c.player
		} else {
			next.Person = c.person
		}
	}
	set := *t.settings
	if t.keep.Box != nil {
		options, err := withBox(set.Options, t.keep.Box)
		if err != nil {
			return Settings{}, nil, err
		}
		set.Options = options
	}
	set.Box, set.Rated = "", false                     // whom one plays for ratings one does not choose
	set.Side, set.Following = min(set.Side, 1), Hash{} // both sides once more
	return set, again, nil
}
