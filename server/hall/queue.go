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
	doubt float64 // how far off that may be
	since table.Time
	seen  table.Time // when they last asked how it stands

	missed map[string]int  // who did not come to a match with them, and how often
	apart  map[string]bool // whom they never meet
}

// How people are matched.
const (
	firstWindow = 120                    // points that two may be apart at once, besides what is in doubt…
	widening    = 15                     // …and as many more each second…
	widest      = 30 * table.Time(1000)  // …until everybody will do
	unheard     = 6 * table.Time(1000)   // who has not asked for so long is not matched
	lostBid     = 15 * table.Time(1000)  // and after so long does not wait any more
	readyTime   = 20 * table.Time(1000)  // to say that one is there
	tellTable   = time.Minute            // how long somebody is told which table it became
	tellOut     = 30 * time.Second       // likewise, that they were taken out
	touchEvery  = 2 * table.Time(1000)   // how often it is written down that somebody still waits
	matchEvery  = 250 * time.Millisecond // how often a node looks for matches, at most
	restFor     = 4                      // and it rests so many times as long as it took to look
	longestRest = 2 * time.Second        // but not longer than that
	longestLook = 100 * time.Millisecond // who asks is held up so long at most by matches being written; the next one goes on
	mostLooked  = 1000                   // people of a queue who are looked at
	mostMissing = 2                      // times that one may fail to come to the same person while they wait: nobody is kept from playing by somebody who never comes
	mostNoted   = 50                     // people of whom that is remembered
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

// distance is how many points two are apart for certain: somebody of whom little is known
// may be as strong as nearly anybody, and does not wait for their equals.
func (w *waiter) distance(other *waiter) float64 {
	return math.Abs(w.mean-other.mean) - math.Hypot(w.doubt, other.doubt)
}

// matches says who plays with whom now. Whoever has waited longest is served first: by
// those nearest in strength who are within the window of either. Where they are too
// few, they begin all the same once the time is over that the first one wanted to wait
// for people, and bots take the other seats. Everybody is in one match at most. Of a
// queue that is very long those who have waited longest are looked at; the others have
// their turn when these have gone.
func matches(now table.Time, list []waiter) [][]waiter {
	queues := map[string][]waiter{}
	for _, w := range list {
		if now-w.seen <= unheard {
			queues[queueKey(w.Want)] = append(queues[queueKey(w.Want)], w)
		}
	}
	var found [][]waiter
	for _, queue := range queues {
		slices.SortFunc(queue, sooner)
		found = append(found, matchesIn(now, queue[:min(len(queue), mostLooked)])...)
	}
	slices.SortFunc(found, func(a, b []waiter) int { return sooner(a[0], b[0]) })
	return found
}

// sooner orders those who wait by how long they have.
func sooner(a, b waiter) int {
	return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.account, b.account))
}

// matchesIn says who of one queue plays with whom, who has waited longest first.
func matchesIn(now table.Time, queue []waiter) (found [][]waiter) {
	taken, windows := make([]bool, len(queue)), make([]float64, len(queue))
	for i := range queue {
		windows[i] = window(now - queue[i].since)
	}
	for i := range queue {
		first := &queue[i]
		if taken[i] {
			continue
		}
		var near []int
		for j := range queue {
			other := &queue[j]
			if j != i && !taken[j] && first.distance(other) <= max(windows[i], windows[j]) && !inVain(first, other) {
				near = append(near, j)
			}
		}
		slices.SortStableFunc(near, func(a, b int) int {
			return cmp.Compare(math.Abs(queue[a].mean-first.mean), math.Abs(queue[b].mean-first.mean))
		})
		those := []int{i}
		for _, j := range near {
			if len(those) == first.Seats {
				break
			}
			if !slices.ContainsFunc(those, func(k int) bool { return inVain(&queue[k], &queue[j]) }) {
				those = append(those, j)
			}
		}
		if len(those) < first.Seats && now-first.since < first.Bots {
			continue
		}
		var match []waiter
		for _, j := range those {
			match, taken[j] = append(match, queue[j]), true
		}
		found = append(found, match)
	}
	return found
}

// inVain tells whether two are apart, or were matched often enough while one of them did
// not come.
func inVain(a, b *waiter) bool {
	return a.apart[b.account] || b.apart[a.account] || a.missed[b.account] >= mostMissing || b.missed[a.account] >= mostMissing
}

// together tells whether two wants are for one queue.
func together(a, b Want) bool {
	return a.Game == b.Game && a.Seats == b.Seats && a.Pace == b.Pace && a.Rated == b.Rated
}
