package hall

import (
	"encoding/json"
	"errors"

	"copse/game"
	"copse/store"
	"copse/table"
)

// While nodes are replaced one after the other, two versions of the program serve one
// house, and any node must be able to serve any table. So nobody sets a table that a
// node which serves cannot read: a new version of a game's rules, or a new judgement,
// is used when the last node that does not know it has gone.

// known is what tables a node can read: by the name of a game the newest version of
// its rules, the newest judgement, and whether it can read games of both sides.
type known struct {
	Rules     map[string]int `json:"rules"`
	Judgement int            `json:"judgement"`
	Sides     bool           `json:"sides"`
	Rated     bool           `json:"rated"` // and rated games
}

// knowledge is what tables this node can read, as it says to others.
func (h *Hall) knowledge() []byte {
	k := known{map[string]int{}, table.NewestJudgement, true, true}
	for _, g := range h.games {
		about := g.About()
		k.Rules[about.Name] = about.Version
	}
	raw, _ := json.Marshal(k) // it cannot fail
	return raw
}

// agree notes what every node that serves can read. One that does not say so, or not
// so that it can be understood here, is not waited for: it may be of any version.
func (h *Hall) agree(nodes []store.Node) {
	all := known{Rules: map[string]int{}, Judgement: table.NewestJudgement, Sides: true, Rated: true}
	for _, n := range nodes {
		var k known
		if !n.Up || n.ID == h.node || json.Unmarshal(n.Knows, &k) != nil {
			continue
		}
		for name, version := range k.Rules {
			if least, ok := all.Rules[name]; !ok || version < least {
				all.Rules[name] = version
			}
		}
		if k.Judgement > 0 {
			all.Judgement = min(all.Judgement, k.Judgement)
		}
		all.Sides, all.Rated = all.Sides && k.Sides, all.Rated && k.Rated
	}
	h.agreed.Store(&all)
}

// newest sets the version and the judgement of a new table where nobody chose them:
// the newest that every node can read.
func (h *Hall) newest(set *table.Settings) {
	set.Judgement = table.NewestJudgement
	all := h.agreed.Load()
	if all == nil {
		return
	}
	set.Judgement = all.Judgement
	if set.Version != 0 {
		return
	}
	g, err := h.shelf.Game(set.Game)
	if err != nil {
		return // whoever creates it finds that too
	}
	if least, ok := all.Rules[set.Game]; ok && least >= 1 && least < g.About().Version {
		set.Version = least
	}
}

// maySides refuses games of both sides while a node that serves could not read them.
func (h *Hall) maySides(set *table.Settings) error {
	if all := h.agreed.Load(); set.Side > 0 && all != nil && !all.Sides {
		return game.Refuse("", "server.sides", nil)
	}
	return nil
}

// mayRate tells whether every node that serves can read rated games.
func (h *Hall) mayRate() bool {
	all := h.agreed.Load()
	return all == nil || all.Rated
}

// ErrNewer says that a table was set by a newer program, and that this one cannot read
// it.
var ErrNewer = errors.New("hall: the table is of a newer version of Copse than this one")

// beyond is why a log cannot be read: ErrNewer where it asks for what only a newer
// program can know.
func beyond(err error) error {
	var fault *game.Fault
	if errors.As(err, &fault) {
		switch fault.Key {
		case "game.version", "table.law", "table.game":
			return errors.Join(ErrNewer, err)
		}
	}
	return err
}
