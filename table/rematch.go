package table

// Again is who should sit at a seat of the next table.
type Again struct {
	Person Person // zero for a bot
	Player string // of a bot
}

// Rematch is a table like this one for another game: the same settings, and
// everyone a seat further on, so that another begins. Who resigned or was away
// is asked like the others. At the next table they are other persons: whoever
// knows the accounts must say which.
func (t *Table) Rematch() (Settings, []Again, error) {
	if !t.Over() || !t.Begun() || t.now.pos == nil {
		return Settings{}, nil, no("table.rematch", nil)
	}
	again := make([]Again, t.now.size)
	for seat := range t.now.seats() {
		p := &t.now.chairs[seat]
		next := &again[(seat+1)%len(again)]
		if p.holder == Robot {
			next.Player = p.player
		} else {
			next.Person = p.person
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
	set.Box = ""
	return set, again, nil
}
