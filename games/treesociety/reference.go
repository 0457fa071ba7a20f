package treesociety

import (
	"math"

	"copse/game"
)

// The worth by which the reference player greedy judges, frozen: what a careful
// newcomer would count. It shares nothing with worth.go but the rules themselves,
// for that file is tuned and this one never is: strength is measured against
// greedy, and a measure that changes measures nothing. bot/testdata holds choices
// that fail with any change here.

// yardstick is a player, with methods of its own.
type yardstick player

const (
	refIncome    = 5.0 // coins of a turn
	refBanners   = 0.6 // that the seat in front completes in a round
	refLasting   = 2.0 // turns that a continuous effect lasts
	refSpare     = 0.3 // what a fruit card that is not sold next is worth of a coin
	refBestOther = 0.6 // how much the best other counts in what a lead is over; all others share the rest
)

// refCoin is what a coin is worth in points, by how many turns are left to spend
// it in.
func refCoin(turns float64) float64 {
	switch {
	case turns < 1:
		return 0.02
	case turns < 2:
		return 0.2
	case turns < 3:
		return 0.35
	}
	return 0.42
}

// ReferenceWorth is the lead over the others that seat may expect in the end, for
// ever in the opinion of version 1.
func (r *Rules) ReferenceWorth(s *Position, seat game.Seat) float64 {
	var total [game.MaxSeats]float64
	if s.phase == over {
		st := r.Standing(s)
		best := math.Inf(-1)
		for other, score := range st.Seats[:r.seats] {
			if game.Seat(other) != seat {
				best = max(best, float64(score.Total))
			}
		}
		lead := float64(st.Seats[seat].Total) - best
		if st.Seats[seat].Rank == 1 {
			return lead + 0.5
		}
		return lead - 0.5
	}
	for i := range r.seats {
		p := &s.player[i]
		total[i] = (*yardstick)(p).worth(r, s, r.refTurns(s, game.Seat(i)))
	}
	best, sum := math.Inf(-1), 0.0
	for other, points := range total[:r.seats] {
		if game.Seat(other) != seat {
			best = max(best, points)
			sum += points
		}
	}
	return total[seat] - float64(refBestOther*best) - (1-refBestOther)*sum/float64(r.seats-1)
}

// refTurns is about how many turns a seat has after this one.
func (r *Rules) refTurns(s *Position, seat game.Seat) float64 {
	now := 0.0 // 1 where its turn of this round is still to come
	if s.phase <= selling && seat >= s.actor || seat > s.actor {
		now = 1
	}
	if s.last != 0 {
		return float64(s.last-min(s.last, s.round)) + now
	}
	most := 0
	for i := range s.player[:r.seats] {
		all := 0
		for _, n := range s.player[i].banners {
			all += int(n)
		}
		most = max(most, all)
	}
	return 1 + now + float64(r.options.Banners-min(most, r.options.Banners))/refBanners
}

// worth is what a player has and may expect of its cards, coins and fruit.
func (y *yardstick) worth(r *Rules, s *Position, turns float64) float64 {
	p := (*player)(y)
	coin := refCoin(turns)
	means := float64(p.purse) + float64(p.chest)
	sum := coin * means
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			sum += float64(r.points(p, uint8(half<<6)+trailing(left), levels))
		}
	}
	means += float64(refIncome * turns)
	for i, id := range p.place {
		if id == 0 {
			continue
		}
		sum += y.card(r, id, p.level[i], coin, means)
		for _, w := range r.card[id&127].level[(p.level[i]-1)%levels].while {
			sum += float64(coin * min(turns, refLasting) * refRule(&w))
		}
	}
	if turns < 1 {
		return sum
	}
	best := 0
	for t, n := range p.unsold {
		sum += float64(coin * refSpare * float64(n))
		if n > 0 {
			best = max(best, int(s.visible[t])+int(p.bonus[t]))
		}
	}
	return sum + float64(coin*float64(best))
}

// card is what a card in progress scores where it is, or one or two levels
// further if that can be paid and is worth it.
func (y *yardstick) card(r *Rules, id, level uint8, coin, means float64) float64 {
	p, c := (*player)(y), &r.card[id&127]
	best := float64(r.points(p, id, level))
	cost := 0.0
	for next := level; next < levels; next++ {
		cost += float64(c.level[next].cost)
		if cost > means {
			break
		}
		points := float64(r.points(p, id, next+1))
		if q := &c.level[next].points; next+1 == levels && q.of >= ofBanners && q.of <= ofCompleted {
			done := *p // it counts itself
			done.completed.add(id)
			done.banners[c.guild%guilds] += c.banners
			points = float64(r.amount(&done, q))
		}
		best = max(best, points-float64(coin*cost))
	}
	return best
}

// refRule is about how many coins a continuous effect brings in a turn.
func refRule(w *while) float64 {
	n := float64(w.amount)
	few := 1.0
	if w.guilds != everything && w.verb == cheaper {
		few = 0.4
	}
	switch w.verb {
	case cheaper:
		off := float64(w.cut)
		if w.cut == half {
			off = 2
		}
		if w.builds != 3 {
			few *= 0.6
		}
		return 1.2 * off * few
	case betterSale:
		if w.types != everything {
			return 0.4 * n
		}
		return n
	case biggerPurse:
		return 0.3 * n
	}
	return n
}
