package treesociety

import (
	"strconv"

	"copse/game"
)

// Trained is for a house deck with the usual options: nets are trained on its cards, and
// on the guilds of a first game. The deck is named by the version that it came with.
func (r *Rules) Trained() string {
	if !r.usual || r.version < learnedFrom || r.options != UsualOptions() {
		return ""
	}
	return "treesociety " + strconv.Itoa(standard(r.version).from) + " 1"
}

// learnedFrom is the first version that nets were trained on: it has the second
// printing.
const learnedFrom = 4

// Trusted implements game.Featurer. With two players a net wins where time is short, and
// levels would only come closer to each other by it; with more none was seen to win.
func (r *Rules) Trusted() (least, most int) { return 0, 0 }

// Reach implements game.Featurer.
func (r *Rules) Reach() int { return 8 }

// Hunch implements game.Featurer. At tables of two 30 and 50 won most of what was tried.
func (r *Rules) Hunch(budget int) int {
	if budget >= 500 {
		return 40
	}
	return 0
}

// What Features counts of each seat, of each guild in progress, and of what all share.
const (
	featuresOfASeat  = 54
	featuresOfAPlace = 6
	featuresOfAll    = 12
)

// Features counts what a net judges a table by.
func (r *Rules) Features(s *Position, seat game.Seat, buf []int16) []int16 {
	rounds := r.roundsLeft(s)
	for i := range r.seats {
		f := r.featuresOf(s, game.Seat((int(seat)+i)%r.seats), rounds)
		buf = append(buf, f[:]...)
	}
	f := [featuresOfAll]int16{
		0: parted(rounds, 8), 1: int16(s.round), 2: truth(s.last != 0),
		3: int16(s.orchard.size()), 4: int16(s.deck.size()),
		5: truth(s.phase == selling), 6: truth(s.phase == building), 7: truth(s.phase == taking),
	}
	if s.last != 0 {
		f[8] = int16(s.last) - int16(min(s.round, s.last))
	}
	first, second, cheapest := 0.0, 0.0, 0
	left := min(max(int(rounds+0.5), 1), 3)
	for slot, id := range s.market {
		if id == 0 || id >= nameless {
			continue
		}
		value := r.prospect[id&127].value[left-1][0]
		if value > first {
			first, second = value, first
		} else {
			second = max(second, value)
		}
		if price := int(r.card[id&127].level[0].cost) + topCoin(slot); cheapest == 0 || price < cheapest {
			cheapest = price
		}
	}
	f[9], f[10], f[11] = parted(first, 4), parted(second, 4), int16(cheapest)
	return append(buf, f[:]...)
}

// parted counts in so many parts.
func parted(x float64, parts int) int16 {
	n := float64(x * float64(parts))
	if n < 0 {
		return -int16(0.5 - n)
	}
	return int16(n + 0.5)
}

// truth is 1 for what is so.
func truth(so bool) int16 {
	if so {
		return 1
	}
	return 0
}

// featuresOf counts what one seat has.
func (r *Rules) featuresOf(s *Position, seat game.Seat, rounds float64) (f [featuresOfASeat]int16) {
	const banners, unsold, sold, inProgress, rest = 7, 13, 18, 23, 41
	p := &s.player[seat]
	parts := r.parts(p)
	f[0] = parted(r.expect(s, seat, rounds), 4)
	f[1], f[2] = int16(p.purse), int16(p.chest)
	f[3], f[4] = int16(parts[partProgress]), int16(parts[partCompleted])
	f[5] = int16(p.completed.size())
	for g, n := range p.banners {
		f[banners+g] = int16(n)
		f[6] += int16(n)
	}
	first, second := int16(0), int16(0)
	for t, n := range p.unsold {
		f[unsold+t], f[sold+t] = int16(n), int16(p.sold[t])
		if n == 0 {
			continue
		}
		if pays := int16(s.visible[t]) + int16(p.bonus[t]); pays > first {
			first, second = pays, first
		} else {
			second = max(second, pays)
		}
	}
	r.featuresOfProgress(p, f[inProgress:rest])
	own := f[rest:]
	own[0], own[1] = first, second
	own[2], own[3], own[4] = int16(p.keeps), int16(p.toChest), int16(p.toPurse)
	for t := range p.bonus {
		own[5] += int16(p.bonus[t])
	}
	for kind := range p.less {
		for g := range p.less[kind] {
			if r.options.Guilds>>g&1 != 0 {
				own[6+kind] += int16(p.less[kind][g])
				own[8] += int16(p.half[kind] >> g & 1)
			}
		}
	}
	own[9] = truth(s.acts(seat))
	own[10] = truth(s.actor == seat)
	own[11] = int16(seat) // the later is ahead where two are tied (6.4)
	if s.actor == seat {
		own[12] = int16(s.sales)
	}
	return f
}

// featuresOfProgress counts what guilds in progress lack and promise, the one that is
// completed for least first.
func (r *Rules) featuresOfProgress(p *player, f []int16) {
	var done [places]bool
	for range places {
		next, least := -1, 0
		for i, id := range p.place {
			if id == 0 || done[i] {
				continue
			}
			cost := 0
			for l := p.level[i] + 1; l <= levels; l++ {
				cost += r.price(p, id, l, noCut)
			}
			if next < 0 || cost < least {
				next, least = i, cost
			}
		}
		if next < 0 {
			return
		}
		done[next] = true
		id, level := p.place[next], p.level[next]
		c, hope := &r.card[id&127], &r.prospect[id&127]
		f[0], f[1] = int16(level), int16(least)
		f[2] = int16(r.price(p, id, level+1, noCut))
		f[3] = int16(r.pointsThen(p, id, levels)) - int16(r.points(p, id, level))
		f[4] = int16(c.banners)
		f[5] = parted(hope.each[(level-1)%levels], 4)
		f = f[featuresOfAPlace:]
	}
}
