package hall

import (
	"cmp"
	"math"
	"slices"
	"time"

	"copse/table"
)

// Who wants to play now waits in a queue until a match is made, by the pure function
// below. A queue is for one game, number of seats, pace, and for rated games or others.

// Want is what somebody who wants to play now wants.
type Want struct {
	Game  string
	Seats int
	Pace  string
	Rated bool       // only members can
	Bots  table.Time // how long to wait for people before bots sit at what is empty, in milliseconds
}

// waiter is somebody who waits.
type waiter struct {
	account string
	Want
	mean  float64 // of their rating
	since table.Time
	seen  table.Time // when they last asked how it stands
}

// How people are matched.
const (
	firstWindow = 120                    // points that two may be apart at once…
	widening    = 15                     // …and as many more each second…
	widest      = 30 * table.Time(1000)  // …until everybody will do
	unheard     = 6 * table.Time(1000)   // who has not asked for so long is not matched
	lostBid     = 15 * table.Time(1000)  // and after so long does not wait any more
	readyTime   = 20 * table.Time(1000)  // to say that one is there
	tellTable   = time.Minute            // how long somebody is told which table it became
	tellOut     = 30 * time.Second       // likewise, that they were taken out
	touchEvery  = 2 * table.Time(1000)   // how often it is written down that somebody still waits
	matchEvery  = 250 * time.Millisecond // how often a node looks for matches, at most
)

// MostBots is how long somebody may want to wait for people, in milliseconds.
const MostBots = 10 * 60 * 1000

// window is how many points somebody may be apart from another after a wait.
func window(waited table.Time) float64 {
	if waited >= widest {
		return math.Inf(1)
	}
	return firstWindow + widening*float64(max(waited, 0))/1000
}

// matches says who plays with whom now. Whoever has waited longest is served first: by
// those nearest in strength who are within the window of either. Where they are too
// few, they begin all the same once the time is over that the first one wanted to wait
// for people, and bots take the other seats. Everybody is in one match at most.
func matches(now table.Time, list []waiter) [][]waiter {
	queue := slices.Clone(list)
	slices.SortStableFunc(queue, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.account, b.account))
	})
	taken := map[string]bool{}
	var found [][]waiter
	for _, first := range queue {
		if taken[first.account] || now-first.seen > unheard {
			continue
		}
		var near []waiter
		for _, other := range queue {
			if other.account == first.account || taken[other.account] || now-other.seen > unheard || !together(first.Want, other.Want) {
				continue
			}
			if math.Abs(other.mean-first.mean) <= max(window(now-first.since), window(now-other.since)) {
				near = append(near, other)
			}
		}
		slices.SortStableFunc(near, func(a, b waiter) int {
			return cmp.Compare(math.Abs(a.mean-first.mean), math.Abs(b.mean-first.mean))
		})
		if len(near) < first.Seats-1 && now-first.since < first.Bots {
			continue
		}
		match := append([]waiter{first}, near[:min(len(near), first.Seats-1)]...)
		for _, w := range match {
			taken[w.account] = true
		}
		found = append(found, match)
	}
	return found
}

// together tells whether two wants are for one queue.
func together(a, b Want) bool {
	return a.Game == b.Game && a.Seats == b.Seats && a.Pace == b.Pace && a.Rated == b.Rated
}
