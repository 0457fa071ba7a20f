package treesociety

import (
	"math"

	"copse/game"
)

// What the reference player veteran judges by, frozen: worth.go and worth_turn.go as
// they stood on the day on which level 10 became the veteran. It is a copy on
// purpose and shares nothing with them but the rules themselves, for they are tuned
// and this never is: strength is measured against the veteran, and a measure that
// changes measures nothing. bot/testdata holds choices that fail with any change here.

// material is what lies on the table, without the methods of the rules: so nothing
// that is tuned is asked by mistake.
type material Rules

// veteran is what players asked the game on that day.
type veteran struct {
	*material
	scale    vetGauge
	prospect [mostCards + 1]vetProspect
}

// law is the rules themselves.
func (r *veteran) law() *Rules { return (*Rules)(r.material) }

// Veteran implements game.Remembering.
func (r *Rules) Veteran() any {
	old := &veteran{material: (*material)(r)}
	old.scale = old.gauge()
	for _, c := range r.box.Cards {
		old.prospect[c.ID] = r.card[c.ID].vetProspects(old.scale.coin)
	}
	return old
}

// What bots hold a position for: none of this is a rule.
const (
	vetUsualSale   = 3.9  // coins that a sale brings, when nobody knows of what
	vetActionCoins = 1.3  // coins that a fruit action is worth
	vetSpareFruit  = 0.4  // coins for each fruit card over the usual three
	vetPerBanner   = 8.5  // coins that a banner takes, all told
	vetPerCard     = 12.0 // likewise a card
	vetPerTurn     = 5.6  // coins that a seat spends in a turn
	vetSunk        = 0.85 // how much of what was paid for a card counts towards its banners
	vetLasting     = 4.0  // turns that a continuous effect lasts before its card is raised, if there are as many
	vetSoldInATurn = 1.25
	vetMostInATurn = 0.35 // of the type that is sold most
)

// vetCoinWorth is what a coin that is spent on nothing in sight is worth in points,
// by how many turns are left to spend it in.
func vetCoinWorth(turns float64) float64 {
	by := [...]float64{0, 0.2, 0.34, 0.4, 0.43, 0.45}
	if turns >= float64(len(by)-1) {
		return by[len(by)-1]
	}
	if turns <= 0 {
		return 0
	}
	n := int(turns)
	return by[n] + float64((by[n+1]-by[n])*(turns-float64(n)))
}

// vetGauge is how a deck differs from the one that the numbers above were found with:
// a deck with more points for a coin, or dearer cards, is judged by its own measure.
type vetGauge struct {
	coin float64 // what a coin is worth, as a part of what it was there
	dear float64 // likewise what a banner costs, and a card
}

// What the first printing comes to, over all its cards.
const (
	vetFirstCost    = 934.0  // coins for every level
	vetFirstPoints  = 447.85 // on level 3, as foreseen
	vetFirstBanners = 109.0
	vetFarGauge     = 4.0 // no deck is judged further off than this, either way
)

// gauge measures the deck of these rules.
func (r *veteran) gauge() vetGauge {
	cost, points, banners := 0.0, 0.0, 0.0
	for i := range r.box.Cards {
		c := &r.card[r.box.Cards[i].ID]
		for l := range c.level {
			cost += float64(c.level[l].cost)
		}
		points += vetForeseen(&c.level[levels-1].points)
		banners += float64(c.banners)
	}
	points = math.Round(100*points) / 100 // so that it does not matter in which order they are added
	near := func(n float64) float64 { return min(max(n, 1/vetFarGauge), vetFarGauge) }
	return vetGauge{
		coin: near(points * vetFirstCost / max(vetFirstPoints*cost, 1)),
		dear: near(cost * vetFirstBanners / (vetFirstCost * banners)),
	}
}

// vetProspect is what a card does besides scoring, in coins, by level: when it is
// built, and each turn that its marker stays there.
type vetProspect struct {
	once [levels]float64
	each [levels]float64

	// value is what the card is good for with its marker on a level, 0 for one
	// that is still to be founded, by how many turns are left: 1, 2, or more.
	value [3][levels + 1]float64
	loses bool  // some effect of it discards a guild
	shun  uint8 // levels whose effect costs more than it brings, a bit each
}

// vetProspects looks through a card, where a coin is worth so much of the usual.
func (c *card) vetProspects(coin float64) (out vetProspect) {
	for i := range c.level {
		l := &c.level[i]
		for j := range l.first {
			out.once[i] += l.first[j].vetBrings()
			out.loses = out.loses || l.first[j].verb == discard
		}
		does := 0.0
		for j := range l.do {
			does += l.do[j].vetBrings()
			out.loses = out.loses || l.do[j].verb == discard
		}
		if does < 0 {
			out.shun |= 1 << i // it need not be used
		}
		out.once[i] += max(does, 0)
		for j := range l.while {
			out.each[i] += l.while[j].vetBrings()
		}
	}
	out.appraise(c, coin)
	return out
}

// appraise says what the card is good for on each level: what it scores there, or
// further on for what that costs.
func (out *vetProspect) appraise(c *card, gauge float64) {
	stays := [...]float64{1.3, 2.7, vetLasting} // turns that an effect lasts, where so many are left, or about
	for left := range out.value {
		coin := gauge * vetCoinWorth(float64(left+1))
		value := &out.value[left]
		value[levels] = vetForeseen(&c.level[levels-1].points)
		for l := levels - 1; l >= 0; l-- {
			if l > 0 {
				value[l] = vetForeseen(&c.level[l-1].points) + float64(coin*out.each[l-1]*stays[left])
			}
			on := value[l+1] - float64(coin*(float64(c.level[l].cost)-out.once[l]))
			if left > 0 || l == levels-1 { // one turn is hardly enough for two levels
				value[l] = max(value[l], on)
			}
		}
	}
}

// vetBrings is about how many coins a clause is worth.
func (c *clause) vetBrings() float64 {
	switch c.verb {
	case coins:
		if c.amount.of == plain {
			return float64(c.amount.times)
		}
		return 0.6 * float64(c.amount.most)
	case pay:
		return -float64(c.number)
	case unlock:
		return 0.7
	case sell:
		return 2 + float64(c.number)
	case take:
		return 1.4
	case discard:
		if c.from == fromCompleted {
			return -10
		}
		return -3.5
	case refresh:
		return 0.3
	case drawFruit:
		return float64(1.3*float64(c.keep)) + float64(0.15*float64(c.number))
	}
	off := 0.0 // whatever builds
	switch c.cut {
	case half:
		off = 2
	case free:
		off = 3.5
	default:
		off = 0.8 * float64(c.cut)
	}
	if c.verb == drawGuild {
		off = (off + 0.3) * float64(c.keep)
	}
	if c.levels != everything {
		off *= 0.7
	}
	if c.guilds != everything {
		off *= 0.5
	}
	return off
}

// vetBrings is about how many coins a rule is worth in a turn.
func (w *while) vetBrings() float64 {
	n := float64(w.amount)
	switch w.verb {
	case cheaper:
		off := float64(w.cut)
		if w.cut == half {
			off = 2
		}
		switch w.builds {
		case 1:
			off *= 0.5
		case 2:
			off *= 0.9
		default:
			off *= 1.3
		}
		if w.guilds != everything {
			off *= 0.4
		}
		return off
	case betterSale:
		if w.types != everything {
			return 0.4 * n
		}
		return 1.15 * n
	case biggerPurse:
		return 0.3 * n
	}
	return n
}

// Worth is the lead over the others that seat may expect in the end.
func (r *veteran) Worth(s *Position, seat game.Seat) float64 {
	if s.phase == over {
		st := r.law().Standing(s)
		return game.VeteranLead(&st, r.seats, seat)
	}
	var totals [game.MaxSeats]float64
	r.Forecast(s, &totals)
	return game.VeteranAhead(&totals, r.seats, seat)
}

// Forecast is what everyone may expect to have in the end: what the coins that
// they have and will have make of their cards, spent as well as can be.
func (r *veteran) Forecast(s *Position, totals *[game.MaxSeats]float64) {
	if s.phase == over {
		for seat := range s.player[:r.seats] {
			parts := r.law().parts(&s.player[seat])
			totals[seat] = float64(parts[partProgress] + parts[partCompleted])
		}
		return
	}
	rounds := r.roundsLeft(s)
	for seat := range s.player[:r.seats] {
		totals[seat] = r.expect(s, game.Seat(seat), rounds)
	}
}

// roundsLeft is about how many rounds follow this one.
func (r *veteran) roundsLeft(s *Position) float64 {
	if s.last != 0 {
		return float64(s.last) - float64(min(s.round, s.last))
	}
	soonest := 99.0
	for i := range s.player[:r.seats] {
		p := &s.player[i]
		due := r.options.Banners
		for _, n := range p.banners {
			due -= int(n)
		}
		coins := float64(r.scale.dear*vetPerBanner*float64(due)) - float64(p.purse)
		for j, id := range p.place {
			for l := range p.level[j] {
				coins -= float64(vetSunk * float64(r.card[id&127].level[l%levels].cost))
			}
		}
		soonest = min(soonest, max(coins, 0)/vetPerTurn)
	}
	fruit := float64(s.orchard.size()) / (vetSoldInATurn * float64(r.seats))
	return min(max(soonest, 0.4)+1, fruit)
}

// vetActs tells whether the turn of a seat in this round is still to come.
func (s *Position) vetActs(seat game.Seat) bool {
	return seat > s.actor || seat == s.actor && s.phase <= selling
}

// vetHoard is what a player counts on in the end.
type vetHoard struct {
	vetGrowth
	sold   [types]float64
	unsold float64
	kinds  [4]float64 // of fruit: sold, unsold, both, by the bits of a quantity
	most   float64    // of the type sold most
	coins  float64
	chest  float64
}

// vetGrowth is what comes of cards.
type vetGrowth struct {
	banners   [guilds]float64
	completed float64
	progress  float64
}

// count is how many there are of what a quantity that grows counts.
func (h *vetGrowth) count(q *quantity) float64 {
	n := 0.0
	switch q.of {
	case ofBanners:
		for g, b := range h.banners {
			if q.only>>g&1 != 0 {
				n += b
			}
		}
	case ofGuilds:
		for _, b := range h.banners {
			n += min(b, 1)
		}
	case ofMajority:
		for _, b := range h.banners {
			n = max(n, b)
		}
	case ofCompleted:
		n = h.completed
		if q.only != everything {
			n *= 0.4
		}
	case ofProgress:
		n = h.progress
	}
	return n
}

// alone is how many there are of what a quantity counts, if one card more is
// completed or stays in progress.
func (h *vetGrowth) alone(q *quantity, a *vetAim, done bool) float64 {
	now := *h
	if done {
		now.completed++
		now.banners[a.guild] += a.banners
	} else {
		now.progress += 2
	}
	return now.count(q)
}

// amount is what a quantity comes to that does not grow, or hardly.
func (h *vetHoard) amount(q *quantity) float64 {
	n := 0.0
	switch q.of {
	case plain:
		return float64(q.times)
	case ofSold:
		for t, k := range h.sold {
			if q.only>>t&1 != 0 {
				n += k
			}
		}
	case ofUnsold:
		n = h.unsold
		if q.only != everything {
			n *= 0.25
		}
	case ofTypes:
		n = h.kinds[q.only&3]
	case ofMostSold:
		n = h.most
	case ofCoins:
		n = h.coins
	case ofChest:
		n = h.chest
	default:
		n = h.vetGrowth.count(q)
	}
	return q.vetAbout(n)
}

// vetAbout is what a quantity comes to where about so many are counted.
func (q *quantity) vetAbout(n float64) float64 {
	n *= float64(q.times)
	if q.per > 1 { // rounded down, mostly
		n = max(n/float64(q.per)-float64(0.4*float64(q.times)), 0)
	}
	if q.most != 0 {
		n = min(n, float64(q.most))
	}
	return n
}

// vetGrows tells whether a quantity counts what is completed or in progress, and not
// only what is bound to come.
func (q *quantity) vetGrows() bool { return q.of >= ofBanners && q.of <= ofProgress }

// vetAim is how far a card in progress may be raised.
type vetAim struct {
	guild   uint8
	banners float64
	from    int               // its level now
	to      int               // the highest that can be meant
	cost    [levels]float64   // from here to a level, less what the levels bring
	points  [levels]float64   // what it scores there
	counts  [levels]*quantity // or what that is counted by, where it grows
}

// expect is what a seat may expect to have in the end: it raises its cards in
// progress as far as is best, and whatever is left goes into cards to come.
func (r *veteran) expect(s *Position, seat game.Seat, rounds float64) float64 {
	p := &s.player[seat]
	turns := rounds
	if s.vetActs(seat) {
		turns++
	}
	spends := turns > 0 || seat == s.actor && s.phase == building // whether it will build any more
	var h vetHoard
	budget := r.means(s, seat, p, turns, &h)
	fixed := 0.0
	var open [8]*quantity // of completed cards, those that may grow
	n := 0
	for half, left := range p.completed {
		for ; left != 0; left &= left - 1 {
			q := &r.card[(half<<6+int(trailing(left)))&127].level[levels-1].points
			if q.vetGrows() && n < len(open) {
				open[n] = q
				n++
			} else {
				fixed += h.amount(q)
			}
		}
	}
	var aims [places]vetAim
	count := 0
	grows := n > 0
	for i, id := range p.place {
		if id == 0 {
			continue
		}
		a, c, hope := &aims[count], &r.card[id&127], &r.prospect[id&127]
		count++
		a.from, a.to = int(p.level[i]), int(p.level[i])
		a.guild, a.banners = c.guild%guilds, float64(c.banners)
		cost := 0.0
		for l := a.from - 1; l < levels; l++ {
			if q := &c.level[l].points; q.vetGrows() {
				a.counts[l] = q
				grows = true
			} else {
				a.points[l] = h.amount(q)
			}
			if l < a.from {
				continue
			}
			if !spends {
				break
			}
			cost += float64(r.law().price(p, id, uint8(l+1), noCut)) - hope.once[l]
			if l+1 < levels {
				cost -= float64(hope.each[l] * min(max(turns-1, 0), vetLasting))
			}
			a.cost[l] = cost
			a.to = l + 1
		}
	}
	coin := r.scale.coin * vetCoinWorth(turns)
	h.completed = float64(p.completed.size())
	all := 0.0 // what it costs to complete everything
	for i := range aims[:count] {
		if aims[i].to > aims[i].from {
			all += aims[i].cost[aims[i].to-1]
		}
	}
	if all <= budget { // then each card is a question of its own
		var to [places]int
		left, got := budget, fixed
		for i := range aims[:count] {
			a := &aims[i]
			high := math.Inf(-1)
			for l := a.from; l <= a.to; l++ {
				points := a.points[l-1]
				if q := a.counts[l-1]; q != nil {
					points = q.vetAbout(h.alone(q, a, l == levels))
				}
				if v := points - float64(coin*a.cost[l-1]); v >= high {
					high, to[i] = v, l
				}
			}
			left -= a.cost[to[i]-1]
			got += a.points[to[i]-1]
		}
		if grows {
			got += r.grown(&h, aims[:count], &to, open[:n], left, turns)
		}
		return got + float64(coin*left)
	}
	best := 0.0
	for one := aims[0].from; one <= aims[0].to; one++ {
		for two := aims[1].from; two <= aims[1].to; two++ {
			for three := aims[2].from; three <= aims[2].to; three++ {
				left, got := budget, fixed
				to := [places]int{one, two, three}
				for i := range aims[:count] {
					left -= aims[i].cost[to[i]-1]
					got += aims[i].points[to[i]-1]
				}
				if left < 0 {
					continue
				}
				if grows {
					got += r.grown(&h, aims[:count], &to, open[:n], left, turns)
				}
				best = max(best, got+float64(coin*left))
			}
		}
	}
	return best
}

// grown is what quantities that grow come to, if cards in progress are raised to
// some levels and so many coins are left.
func (r *veteran) grown(h *vetHoard, aims []vetAim, to *[places]int, open []*quantity, left, turns float64) float64 {
	now := vetGrowth{banners: h.banners, completed: h.completed}
	for i := range aims {
		if to[i] == levels {
			now.completed++
			now.banners[aims[i].guild] += aims[i].banners
		} else {
			now.progress++
		}
	}
	if turns >= 1 {
		now.completed += left / (r.scale.dear * vetPerCard)
		for g := range now.banners {
			if r.options.Guilds>>g&1 != 0 {
				now.banners[g] += float64(left / (r.scale.dear * vetPerBanner) / playing)
			}
		}
		now.progress = min(now.progress+float64(left/4), 2.5)
	}
	got := 0.0
	for i := range aims {
		if q := aims[i].counts[to[i]-1]; q != nil {
			got += q.vetAbout(now.count(q))
		}
	}
	for _, q := range open {
		got += q.vetAbout(now.count(q))
	}
	return got
}

// means is the coins that a seat has to spend until the end; it also writes what
// else it will have.
func (r *veteran) means(s *Position, seat game.Seat, p *player, turns float64, h *vetHoard) float64 {
	first, second := 0.0, 0.0
	size := 0
	for t, n := range p.unsold {
		h.sold[t] = float64(p.sold[t]) + turns*vetSoldInATurn/types
		h.most = max(h.most, float64(p.sold[t]))
		if p.sold[t] > 0 {
			h.kinds[1]++
		}
		if p.unsold[t] > 0 {
			h.kinds[2]++
		}
		if p.sold[t]|p.unsold[t] != 0 {
			h.kinds[3]++
		}
		if n == 0 {
			continue
		}
		size += int(n)
		pays := float64(s.visible[t]) + float64(p.bonus[t])
		if pays > first {
			first, second = pays, first
		} else {
			second = max(second, pays)
		}
	}
	if seat == s.actor && s.phase == building {
		for _, id := range s.apart {
			if id != 0 {
				t := r.fruit[id&127].kind % types
				h.sold[t]++
				h.most = max(h.most, h.sold[t]-turns*vetSoldInATurn/types)
				if p.sold[t] == 0 {
					h.kinds[1]++
				}
				if p.sold[t]|p.unsold[t] == 0 {
					h.kinds[3]++
				}
			}
		}
	}
	h.unsold = float64(size)
	h.most += float64(turns * vetMostInATurn)
	h.kinds[1] += float64((types - h.kinds[1]) * min(turns*0.2, 0.8))
	h.kinds[3] += float64((types - h.kinds[3]) * min(turns*0.2, 0.8))
	for g, b := range p.banners {
		h.banners[g] = float64(b)
	}
	purse, chest := float64(p.purse), float64(p.chest)
	budget := purse + chest
	switch {
	case turns <= 0 && seat == s.actor && s.phase >= building && s.phase < closing: // the last rest is to come
		h.coins = min(purse+float64(p.toPurse), float64(p.keeps)) + chest + float64(p.toChest)
		if s.phase == building {
			budget = purse
		} else {
			budget = 0
		}
	case turns <= 0:
		h.coins, budget = purse, 0
	default:
		if seat == s.actor && s.phase == taking {
			budget = min(purse+float64(p.toPurse), float64(p.keeps)) + chest + float64(p.toChest)
		}
		h.coins = float64(0.8*float64(p.keeps)) + float64(p.toChest)
	}
	if turns <= 0 {
		return budget
	}
	budget += float64(min(turns, 1) * (first + vetActionCoins))
	if turns > 1 {
		budget += float64((turns - 1) * (vetUsualSale + vetActionCoins))
		budget += float64(0.5 * (second - 2.5))
	}
	budget += float64(min(turns, 3) / 3 * vetSpareFruit * float64(size-eachRow))
	for i, id := range p.place {
		if id != 0 {
			budget += float64(min(turns, vetLasting) * r.prospect[id&127].each[(p.level[i]-1)%levels])
		}
	}
	return max(budget, 0)
}

// vetForeseen is about what a quantity comes to in the end, as long as nobody knows
// whose it is.
func vetForeseen(q *quantity) float64 {
	if q.of == plain {
		return float64(q.times)
	}
	n := [...]float64{
		ofBanners: 5.5, ofGuilds: 2.7, ofMajority: 3, ofCompleted: 4, ofProgress: 2, ofSold: 11, ofUnsold: 3.5, ofTypes: 4, ofMostSold: 3.8,
		ofCoins: 3, ofChest: 1,
	}[q.of]
	if q.only != everything && q.of != ofTypes {
		n *= 0.35
	}
	n *= float64(q.times) / float64(q.per)
	if q.most != 0 {
		n = min(n, float64(q.most))
	}
	return n
}
