package bot

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"copse/game"
)

// further is the reason that is left when all others are told: what the player
// expects of the turn later.
const further = "bot.why.further"

// overtaken is the reason that somebody else is the best other now.
const overtaken = "bot.why.rival"

// whyPhrases are the keys of reasons that are the same in all games.
func whyPhrases() []game.Phrase {
	return []game.Phrase{game.Say(further), game.Say(overtaken, "other")}
}

const (
	mostReasons   = 4  // that are told of what the score shows at once,
	mostProspects = 3  // and of what it will show, besides what is left
	leastPoints   = 5  // hundredths of a point that a reason must be worth to be told,
	leastProspect = 25 // and a prospect, which nobody knows so well
)

// explain says why a line is expected to lead to a margin: what it changes in the
// score at once, thing by thing, and what is left for later. Everything is the mean
// over the worlds that the seat holds possible, by their odds; in each of them the
// seat is to act and the line is legal. To the hundredth, the reasons add up from
// now, the lead as it stands before the line, to the margin.
//
// What a line changes is counted against the seat that is the best other before it.
// Where another seat is the best other after it, that is a reason of its own. Then
// come its prospects, where the game knows some. The last reason holds what is too
// little to be told, and whatever else is expected of the turns to come.
func explain[S, M comparable](rules game.Playable[S, M], worlds []S, odds []float64, seat game.Seat, line []M, margin float64) (now float64, reasons []game.Reason) {
	explainer, explains := rules.(game.Explainer[S])
	all := 0.0
	for _, o := range odds {
		all += o
	}
	prospector, foresees := rules.(game.Prospector[S])
	var l, later ledger
	for i := range worlds {
		likely := odds[i] / all
		after := worlds[i]
		for _, m := range line {
			rules.Play(&after, seat, m, nil)
		}
		was, is := rules.Standing(&worlds[i]), rules.Standing(&after)
		rival := bestOther(&was, &is, rules.Seats(), seat)
		now += float64(likely * float64(was.Seats[seat].Total-was.Seats[rival].Total))
		if foresees && len(line) > 0 {
			for _, p := range prospector.Prospects(&worlds[i], &after, seat) {
				later.add(p.Key, p.Args, float64(likely*p.Points))
			}
		}
		if !explains {
			continue
		}
		for _, c := range explainer.Why(&worlds[i], &after, seat, rival) {
			l.enter(&c, likely)
		}
		if next := bestOther(&is, &was, rules.Seats(), seat); is.Seats[next].Total > is.Seats[rival].Total {
			l.enter(&game.Change{Key: overtaken, Args: game.Args{"other": next}, Points: is.Seats[rival].Total - is.Seats[next].Total}, likely)
		}
	}
	left := hundredths(margin) - hundredths(now)
	for _, r := range append(l.largest(mostReasons, leastPoints), later.largest(mostProspects, leastProspect)...) {
		points := hundredths(r.points)
		reasons = append(reasons, game.Reason{Key: r.key, Args: r.args(), Points: float64(points) / 100})
		left -= points
	}
	reasons = append(reasons, game.Reason{Key: further, Args: game.Args{}, Points: float64(left) / 100})
	return float64(hundredths(now)) / 100, reasons
}

// bestOther is the seat besides one that has the most points; of several the one
// that has more in the other standing.
func bestOther(is, was *game.Standing, seats int, seat game.Seat) game.Seat {
	best := game.None
	for other := range game.Seat(seats) {
		if other == seat {
			continue
		}
		if best == game.None || cmp.Or(
			cmp.Compare(is.Seats[other].Total, is.Seats[best].Total),
			cmp.Compare(was.Seats[other].Total, was.Seats[best].Total)) > 0 {
			best = other
		}
	}
	return best
}

// hundredths is a number of points in hundredths.
func hundredths(points float64) int { return int(math.Round(100 * points)) }

// ledger adds up what a line changes over many worlds.
type ledger struct {
	reasons []*reason // in the order in which they were met
	byWords map[string]*reason
}

// reason is a change, told in the same words in every world in which it happens.
type reason struct {
	key    string
	known  game.Args // arguments that are the same in all worlds
	guess  bool
	points float64                // mean over all worlds
	whose  [game.MaxSeats]float64 // of a guess: how likely it is that seat's secret
}

// enter adds a change in a world with this probability.
func (l *ledger) enter(c *game.Change, likely float64) {
	r := l.add(c.Key, c.Args, float64(likely*float64(c.Points)))
	if r.guess = c.Guess; c.Guess {
		r.whose[c.Whose] += likely
	}
}

// add adds points to what is told in these words.
func (l *ledger) add(key string, args game.Args, points float64) *reason {
	words, err := game.Marshal(args) // names sorted
	if err != nil {
		panic("bot: a reason cannot be written: " + err.Error())
	}
	name := key + string(words)
	r := l.byWords[name]
	if r == nil {
		r = &reason{key: key, known: args}
		l.reasons = append(l.reasons, r)
		if l.byWords == nil {
			l.byWords = map[string]*reason{}
		}
		l.byWords[name] = r
	}
	r.points += points
	return r
}

// largest are at most so many reasons that are worth telling, the largest first.
func (l *ledger) largest(most, least int) []*reason {
	list := slices.DeleteFunc(l.reasons, func(r *reason) bool { return abs(hundredths(r.points)) < least })
	slices.SortStableFunc(list, func(a, b *reason) int {
		return cmp.Compare(abs(hundredths(b.points)), abs(hundredths(a.points)))
	})
	return list[:min(len(list), most)]
}

func abs(n int) int { return max(n, -n) }

// args are the arguments of a reason. Those of a guess say who is likeliest to hold
// the secret, and how likely that is, in percent.
func (r *reason) args() game.Args {
	args := game.Args{}
	maps.Copy(args, r.known)
	if r.guess {
		other := game.Seat(0)
		for seat := range game.Seat(game.MaxSeats) {
			if r.whose[seat] > r.whose[other] {
				other = seat
			}
		}
		args["other"], args["chance"] = other, percent(r.whose[other])
	}
	return args
}

// percent is a chance as it is told: only what is certain is 100, and what is
// possible is at least 1.
func percent(chance float64) int {
	const certain = 1 - 1e-9 // as far as a sum of odds can tell
	if chance >= certain {
		return 100
	}
	return min(max(hundredths(chance), 1), 99)
}
