package arena

import (
	"cmp"
	"slices"

	"copse/game"
)

// weighing counts games for a report on balance, in their order, so that the report
// does not depend on which core played which.
type weighing struct {
	seats    int
	parts    []string
	things   []game.Thing
	combos   []string
	from, to int // rounds that a game is meant to last; 0 where it does not say
}

func (w *weighing) report(games []*played) *Balance {
	b := &Balance{Seats: w.seats, Games: len(games), Endings: []BalanceShare{}, Parts: []BalancePart{}, Outside: []Outside{}}
	for _, g := range games {
		b.Illegal += len(g.Illegal)
		for _, n := range g.Cut {
			b.Cut += n
		}
	}
	w.rounds(b, games)
	w.scores(b, games)
	w.bySeat(b, games)
	w.byGroup(b, games)
	w.byThing(b, games)
	w.byCombo(b, games)
	return b
}

// outside tells whether a value is outside its bounds, and lists it if so.
func (b *Balance) outside(what, name string, value, least, most float64) bool {
	const hair = 1e-9
	if value >= least-hair && value <= most+hair {
		return false
	}
	b.Outside = append(b.Outside, Outside{what, name, value, least, most})
	return true
}

func (w *weighing) rounds(b *Balance, games []*played) {
	r := &b.Rounds
	r.From, r.To = w.from, w.to
	if len(games) == 0 {
		return
	}
	var all []uint32
	endings := map[string]int{}
	within := 0
	for _, g := range games {
		n := g.Weighed.Rounds
		all = append(all, uint32(n))
		if n >= w.from && n <= w.to {
			within++
		}
		if why := g.Weighed.Ending; why != "" {
			endings[why]++
		}
	}
	slices.Sort(all)
	at := func(q float64) int { return int(quantile(all, q)) }
	r.Least, r.Lower, r.Median, r.Upper, r.Most = at(0), at(0.25), at(0.5), at(0.75), at(1)
	r.Within = part(within, len(games))
	if w.to > 0 {
		r.Outside = b.outside("rounds", "", float64(r.Median), float64(w.from), float64(w.to))
	}
	for why, n := range endings {
		b.Endings = append(b.Endings, BalanceShare{why, part(n, len(games))})
	}
	slices.SortFunc(b.Endings, func(x, y BalanceShare) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.Name, y.Name))
	})
}

// part is n of all as a share; 0 of none is 0.
func part(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}

func (w *weighing) scores(b *Balance, games []*played) {
	var all, winner, margin sums
	points, winners := make([]int, game.MaxParts), make([]int, game.MaxParts)
	ties, won := 0, 0
	for _, g := range games {
		if sorted := slices.Sorted(slices.Values(g.Totals)); sorted[w.seats-1] == sorted[w.seats-2] {
			ties++
		}
		best := true
		for seat, total := range g.Totals {
			all.count(total)
			wins := g.Ranks[seat] == 1
			if wins && best {
				winner.count(total)
				margin.count(g.margin(seat))
				best = false
			}
			if wins {
				won++
			}
			for i, n := range g.Weighed.Parts[seat] {
				points[i] += n
				if wins {
					winners[i] += n
				}
			}
		}
	}
	b.Score, b.Winner, b.Margin = all.spread(), winner.spread(), margin.spread()
	for i, name := range w.parts {
		b.Parts = append(b.Parts, BalancePart{name, part(points[i], all.n), part(winners[i], won)})
	}
	b.Ties.Share = part(ties, len(games))
	b.Ties.Outside = b.outside("ties", "", b.Ties.Share, 0, mostTies)
}

func (w *weighing) bySeat(b *Balance, games []*played) {
	b.BySeat = make([]BalanceSeat, w.seats)
	for seat := range b.BySeat {
		s := &b.BySeat[seat]
		won := make([]float64, len(games))
		var score sums
		for i, g := range games {
			won[i] = g.share(seat)
			score.count(g.Totals[seat])
		}
		s.WinShare, s.Score, s.Fair = estimateShare(won), score.spread(), 1/float64(w.seats)
		if len(games) > 0 {
			s.Outside = b.outside("seat", seatName(seat), s.furthest(), s.Fair-seatBound, s.Fair+seatBound)
		}
	}
}

// furthest is the end of the interval that is further from the fair share.
func (s *BalanceSeat) furthest() float64 {
	if s.Fair-s.WinShare.Least > s.WinShare.Most-s.Fair {
		return s.WinShare.Least
	}
	return s.WinShare.Most
}

// seatName counts seats from 1, as people do.
func seatName(seat int) string { return string(rune('1' + seat)) }

// each calls do for every thing that a seat met in a game.
func (w *weighing) each(games []*played, do func(number int, g *played, seat, thing int, mark game.Mark)) {
	for n, g := range games {
		for seat, marks := range g.Weighed.Marks {
			for thing, mark := range marks {
				if mark != 0 {
					do(n, g, seat, thing, mark)
				}
			}
		}
	}
}

// byGroup weighs groups. With W the weight of a thing, summed over all winners and
// all things of a group that they were not dealt,
//
//	serves = Σ W of those completed / Σ W of those offered
//
// and the bound is on serves divided by its plain mean over the groups. So it
// matters neither how many things a group has nor how often it is in play: only how
// much winners make of what they could have had.
func (w *weighing) byGroup(b *Balance, games []*played) {
	type count struct {
		games, last             int // games in which it was met, and the last of them
		offered, done, ofWinner int // offered to winners, completed by winners, and completed by winners of any group in its games
		all                     int // completed by anybody
	}
	b.ByGroup = []BalanceGroup{}
	counts := map[string]*count{}
	for _, thing := range w.things {
		if counts[thing.Group] == nil {
			counts[thing.Group] = &count{last: -1}
			b.ByGroup = append(b.ByGroup, BalanceGroup{Name: thing.Group})
		}
	}
	completed := make([]int, len(games)) // by winners, of all groups
	w.each(games, func(n int, g *played, seat, thing int, mark game.Mark) {
		if mark&game.Dealt != 0 {
			return
		}
		weight, c := w.things[thing].Weight, counts[w.things[thing].Group]
		if c.last != n {
			c.games, c.last = c.games+1, n
		}
		done := mark&game.Completed != 0
		if done {
			c.all += weight
		}
		if g.Ranks[seat] != 1 {
			return
		}
		c.offered += weight
		if done {
			c.done += weight
			completed[n] += weight
		}
	})
	// What winners completed in the games of a group is known only now.
	met := map[string]int{}
	w.each(games, func(n int, _ *played, _, thing int, mark game.Mark) {
		if name := w.things[thing].Group; mark&game.Dealt == 0 && met[name] != n+1 {
			met[name] = n + 1
			counts[name].ofWinner += completed[n]
		}
	})
	for i := range b.ByGroup {
		g := &b.ByGroup[i]
		c := counts[g.Name]
		g.Games, g.Serves, g.Share, g.Wins = c.games, part(c.done, c.offered), part(c.done, c.ofWinner), part(c.done, c.all)
		b.MeanServes += g.Serves / float64(len(b.ByGroup))
	}
	for i := range b.ByGroup {
		g := &b.ByGroup[i]
		if b.MeanServes > 0 {
			g.Ratio = g.Serves / b.MeanServes
		}
		if counts[g.Name].offered >= leastOffers {
			g.Outside = b.outside("group", g.Name, g.Ratio, 1-groupBound, 1+groupBound)
		}
	}
}

// byThing weighs things one by one. The mean of the win shares is the plain mean
// over all things that were completed often enough.
func (w *weighing) byThing(b *Balance, games []*played) {
	type count struct{ dealt, dealtDone, offered, founded, done, won int }
	counts := make([]count, len(w.things))
	w.each(games, func(_ int, g *played, seat, thing int, mark game.Mark) {
		c := &counts[thing]
		done := mark&game.Completed != 0
		if done && g.Ranks[seat] == 1 {
			c.won++
		}
		if mark&game.Dealt != 0 {
			c.dealt++
			if done {
				c.dealtDone++
			}
			return
		}
		c.offered++
		if mark&game.Founded != 0 || done {
			c.founded++
		}
		if done {
			c.done++
		}
	})
	b.ByThing = make([]BalanceThing, len(w.things))
	known := 0
	for i, thing := range w.things {
		c, t := &counts[i], &b.ByThing[i]
		completions := c.done + c.dealtDone
		*t = BalanceThing{
			Name: thing.Name, Group: thing.Group, Weight: thing.Weight, Dealt: c.dealt, DealtCompleted: part(c.dealtDone, c.dealt),
			Offered: c.offered, Founded: part(c.founded, c.offered), Completed: part(c.done, c.offered),
			Completions: completions, Wins: part(c.won, completions),
		}
		if completions >= leastOffers {
			b.MeanWins += t.Wins
			known++
		}
		if c.offered >= leastOffers {
			t.Outside = b.outside("thing", thing.Name, t.Completed, leastDone, mostDone)
		}
	}
	if known == 0 {
		return
	}
	b.MeanWins /= float64(known)
	for i := range b.ByThing {
		if t := &b.ByThing[i]; t.Completions >= leastOffers && b.MeanWins > 0 {
			t.Ratio = t.Wins / b.MeanWins
		}
	}
}

// byCombo counts combinations. One that nobody comes to is a promise of the cards
// that is not kept, so it is marked.
func (w *weighing) byCombo(b *Balance, games []*played) {
	b.ByCombo = make([]BalanceCombo, len(w.combos))
	for i, name := range w.combos {
		met, had, won := 0, 0, 0
		for _, g := range games {
			here := had
			for seat := range g.Weighed.Had {
				if !g.Weighed.Had[seat][i] {
					continue
				}
				had++
				if g.Ranks[seat] == 1 {
					won++
				}
			}
			if had > here {
				met++
			}
		}
		c := &b.ByCombo[i]
		*c = BalanceCombo{Name: name, Games: part(met, len(games)), Seats: had, Wins: part(won, had)}
		if len(games) >= leastOffers {
			c.Outside = b.outside("combination", name, c.Games, leastHad, 1)
		}
	}
}
