package rating

import "math"

// Levels is how many levels of bots there are.
const Levels = 10

// Anchors are how strong the levels are at tables of one size, in points whose mean is
// 1500, from level 1 on.
type Anchors struct {
	Edition  int // which edition of the anchors; results name it
	Game     string
	Version  int // of the rules
	Seats    int
	Stretch  float64 // how many times as many points an advantage takes at this size, compared with all sizes
	Points   [Levels]float64
	Measured int // up to this level all were measured at this size with these rules; above it they are taken to be as far apart as those below; 0 where it is the nearest that was measured
}

// For are the anchors of an edition for a game, a version of its rules and a number of
// seats. What was not measured so is taken from the nearest that was, and says so:
// the same size under other rules, newest first, then a table of two. A game of which
// nothing is known has levels a hundred points apart.
func For(edition int, name string, version, seats int) Anchors {
	var best *Anchors
	list := anchors()
	near := func(a *Anchors) [3]int {
		n := [3]int{0, 0, a.Version}
		if a.Seats == seats {
			n[0] = 1
		}
		if a.Version == version {
			n[1] = 1
		}
		return n
	}
	for i := range list {
		a := &list[i]
		if a.Edition == edition && a.Game == name && (a.Seats == seats || a.Seats == 2) && (best == nil || less(near(best), near(a))) {
			best = a
		}
	}
	if best == nil {
		even := Anchors{Edition: edition, Game: name, Version: version, Seats: seats, Stretch: 1}
		for i := range even.Points {
			even.Points[i] = float64(1050 + 100*i)
		}
		return even
	}
	found := *best
	if found.Version != version || found.Seats != seats {
		found.Version, found.Seats, found.Measured = version, seats, 0
	}
	return found
}

func less(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Player is a level as it counts at a table. A level beyond those that there are is
// the nearest.
func (a *Anchors) Player(level int) Player {
	return Player{Rating{Mean: a.Points[min(max(level, 1), Levels)-1]}, true}
}

// Near is the level that is nearest to so many points.
func (a *Anchors) Near(points float64) int {
	best := 0
	for i, p := range a.Points {
		if math.Abs(p-points) < math.Abs(a.Points[best]-points) {
			best = i
		}
	}
	return best + 1
}

// Between are the levels that somebody is as strong as, as far as is known: those
// nearest to the ends of the interval.
func (a *Anchors) Between(r Rating) (least, most int) { return a.Near(r.Least()), a.Near(r.Most()) }
