package hall

import (
	"strings"
	"time"

	"copse/game"
	"copse/table"
)

// foreseen is how far ahead changes of clocks are looked for when a table is set. A
// game that lasts longer goes on by the last one known.
const foreseen = 2 * 366 * 24 * time.Hour

// longestZone is how long the name of a zone may be.
const longestZone = 64

// shifts are the changes of the clocks of a zone by its name, such as
// Europe/Zurich, from a moment on; or a *game.Fault.
func shifts(zone string, now time.Time) (table.Shifts, error) {
	unknown := game.Blame("server.zone", game.Args{"zone": zone})
	if zone == "" || zone == "Local" || len(zone) > longestZone || strings.ContainsFunc(zone, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, unknown
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		return nil, unknown
	}
	at := now.In(place)
	list := table.Shifts{ahead(at)}
	for {
		_, next := at.ZoneBounds()
		if next.IsZero() || next.Sub(now) > foreseen {
			return list, nil
		}
		if at = next; ahead(at) != list[len(list)-1] { // a zone may change its name alone
			list = append(list, int(at.Unix()/60), ahead(at))
		}
	}
}

// ahead is how many minutes the clocks are ahead of UTC.
func ahead(at time.Time) int {
	_, seconds := at.Zone()
	return seconds / 60
}
