package treesociety

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// plainTable is Tree Society once more, written for reading: each function says
// the rule whose number it bears and does it the long way, on lists and maps of
// cards as they stand in the box. Whether something can be done in full it finds
// out by doing it, on copies on which whatever could be drawn comes: each fruit
// card, and guilds face down. In version 1 all of it came face down. It shares with Rules the box, the options and the wire, on which moves and tables
// are compared, and no code or table.
type plainTable struct {
	box     *Box
	seats   int
	options Options
	version int

	phase string // as the wire names it
	actor int
	round int
	turn  int
	dealt int

	players  []plainPlayer
	market   [6]int // bottom row from the left, then top row; 0 is a gap
	stall    []int  // 0 is a gap
	deck     map[int]bool
	discards map[int]bool
	orchard  map[int]bool

	sold    []int // in this turn
	used    bool  // the fruit action
	tasks   []plainTask
	shown   []int // revealed by a draw effect
	reveal  int   // cards that are still to be revealed
	filling bool  // the guild market is being filled

	enough bool // somebody had enough banners
	ranOut bool // of fruit
	last   int

	blind   bool // whatever is drawn comes face down
	took    bool // a card of the fruit market was just taken
	unknown int  // cards that have come so; they are −1, −2, …
}

type plainPlayer struct {
	purse, chest int
	row, pile    map[int]bool
	places       [3]plainGuild
	completed    map[int]bool
}

type plainGuild struct{ card, level int }

// plainTask is something that was begun: "ask" whether an effect is used, a
// "list" of clauses of a card, or the fruit "action". A list that comes before a
// level has the level and its price. What was begun last lies on top and is
// finished first.
type plainTask struct {
	kind   string
	card   int
	level  int
	list   []Clause
	at     int
	drawn  bool
	kept   []int // by the draw that the list is at, where it keeps several
	builds bool  // the level, when the list is done
	price  Clause
	action string
	judged bool // an "ask": it was found that the effect does not lapse
}

func newPlainTable(box *Box, seats int, options Options, version int) *plainTable {
	g := &plainTable{
		box: box, seats: seats, options: options, version: version, round: 1,
		deck: map[int]bool{}, discards: map[int]bool{}, orchard: map[int]bool{}, stall: make([]int, map[int]int{2: 5, 3: 4, 4: 3}[seats]),
	}
	for seat := range seats { // 1.3
		g.players = append(g.players, plainPlayer{
			purse: box.Coins[seat].Purse, chest: box.Coins[seat].Chest, row: map[int]bool{}, pile: map[int]bool{}, completed: map[int]bool{},
		})
	}
	for _, c := range box.Cards { // 1.4, 1.5
		if options.Guilds>>slices.Index(guildNames(), c.Guild)&1 != 0 || c.Start && options.Starts {
			g.deck[c.ID] = true
		}
	}
	for _, f := range box.Fruits { // 1.7
		if seats > 2 || !f.Crowd {
			g.orchard[f.ID] = true
		}
	}
	g.phase = "market"
	if options.Starts {
		g.phase = "start"
	}
	return g
}

func (g *plainTable) clone() *plainTable {
	next := *g
	next.players = slices.Clone(g.players)
	for i := range next.players {
		p := &next.players[i]
		p.row, p.pile, p.completed = maps.Clone(p.row), maps.Clone(p.pile), maps.Clone(p.completed)
	}
	next.stall, next.sold, next.tasks, next.shown = slices.Clone(g.stall), slices.Clone(g.sold), slices.Clone(g.tasks), slices.Clone(g.shown)
	next.deck, next.discards, next.orchard = maps.Clone(g.deck), maps.Clone(g.discards), maps.Clone(g.orchard)
	return &next
}

func (g *plainTable) me() *plainPlayer      { return &g.players[g.actor] }
func (g *plainTable) card(id int) *Card     { return &g.box.Cards[id-1] }
func (g *plainTable) level(id, n int) Level { return g.box.Cards[id-1].Levels[n-1] }

// kind is the type of a fruit card; one that is face down has none.
func (g *plainTable) kind(id int) string {
	if id < 0 {
		return ""
	}
	return g.box.Fruits[id-1].Type
}

func (g *plainTable) top() *plainTask {
	if len(g.tasks) == 0 {
		return nil
	}
	return &g.tasks[len(g.tasks)-1]
}

func (g *plainTable) pop() { g.tasks = g.tasks[:len(g.tasks)-1] }

// next is a card from a deck that is face down.
func (g *plainTable) hidden(from map[int]bool) int {
	delete(from, slices.Min(slices.Collect(maps.Keys(from))))
	g.unknown++
	return -g.unknown
}

// guildsLeft makes the discards a new deck where it is empty (4.3).
func (g *plainTable) guildsLeft() bool {
	if len(g.deck) == 0 {
		g.deck, g.discards = g.discards, map[int]bool{}
	}
	return len(g.deck) > 0
}

// needs is what chance is to draw now, nothing where nobody waits for it (1.9).
func (g *plainTable) needs() string {
	switch g.phase {
	case "start":
		if g.dealt < g.seats {
			return "start"
		}
		return ""
	case "market":
		if slices.Contains(g.market[:], 0) && g.guildsLeft() {
			return "guild"
		}
		return ""
	case "fruit":
		if g.dealt < 3*g.seats {
			return "fruit"
		}
		return ""
	}
	if g.reveal > 0 {
		if g.clause().Verb == VerbDrawFruit {
			if len(g.orchard) > 0 {
				return "fruit"
			}
		} else if g.guildsLeft() {
			return "guild"
		}
		g.reveal = 0
	}
	if slices.Contains(g.stall, 0) && len(g.orchard) > 0 {
		return "fruit"
	}
	if g.filling && slices.Contains(g.market[:], 0) && g.guildsLeft() {
		return "guild"
	}
	g.filling = false
	return ""
}

// clause is the one that a list is at.
func (g *plainTable) clause() *Clause {
	t := g.top()
	return &t.list[t.at]
}

// goOn does whatever needs no decision.
func (g *plainTable) goOn() {
	for {
		if need := g.needs(); need != "" {
			if !g.blind {
				return
			}
			g.drawBlind(need)
			continue
		}
		drawing := slices.ContainsFunc(g.tasks, func(t plainTask) bool { return t.drawn && t.list[t.at].Verb == VerbDrawFruit })
		if len(g.orchard) == 0 && !drawing && !g.ranOut && slices.Contains([]string{"sell", "build", "rest", "refill"}, g.phase) { // 6.2
			g.ranOut = true
			if g.last == 0 || g.last > g.round {
				g.last = g.round
			}
		}
		switch g.phase {
		case "start":
			if g.options.Guilds&1 == 0 { // 1.5
				for _, c := range g.box.Cards {
					if c.Start {
						delete(g.deck, c.ID)
					}
				}
			}
			g.phase, g.dealt = "market", 0
		case "market":
			g.phase = "fruit-market"
		case "fruit-market":
			g.phase = "fruit"
			if g.options.Draft {
				g.phase = "draft"
			}
		case "fruit":
			g.actor, g.dealt = 0, 0
			g.beginTurn()
		case "draft":
			if g.dealt < 3*g.seats {
				return
			}
			g.actor, g.dealt = 0, 0
			g.beginTurn()
		case "build":
			t := g.top()
			if t != nil && t.kind == "ask" && !t.judged && !g.blind { // one that waited for others
				g.lapse()
				continue
			}
			if t == nil || t.kind != "list" || !g.step() {
				return
			}
		case "refill":
			g.endTurn()
		default:
			return
		}
	}
}

// drawBlind draws a card face down.
func (g *plainTable) drawBlind(need string) {
	switch {
	case g.reveal > 0 && need == "fruit":
		g.shown = append(g.shown, g.hidden(g.orchard))
		g.reveal--
	case g.reveal > 0:
		g.shown = append(g.shown, g.hidden(g.deck))
		g.reveal--
	case need == "fruit":
		g.stall[slices.Index(g.stall, 0)] = g.hidden(g.orchard)
	default:
		g.market[slices.Index(g.market[:], 0)] = g.hidden(g.deck)
	}
}

// step does a clause that asks nothing, or ends a list; it tells whether it did.
func (g *plainTable) step() bool {
	t, p := g.top(), g.me()
	if t.at == len(t.list) {
		done := *t
		g.pop()
		if done.builds {
			g.build(done.card, done.level, done.price)
		}
		return true
	}
	switch c := t.list[t.at]; c.Verb {
	case VerbCoins: // 1.2
		n := g.amount(p, c.Amount)
		if c.To == "chest" {
			p.chest += n
		} else {
			p.purse += n
		}
	case VerbPay:
		p.purse -= c.Amount.Number
	case VerbUnlock:
		n := c.Amount.Number
		if n == 0 {
			n = p.chest
		}
		p.chest -= n
		p.purse += n
	case VerbRefresh:
		if c.Rows == 1 {
			return false
		}
		g.clearRow(0)
		g.clearRow(3)
		g.slide()
		g.filling = true
	case VerbDrawFruit, VerbDrawGuild: // 3.12
		if !t.drawn {
			t.drawn, g.reveal = true, c.Count
			return true
		}
		if len(g.shown) > 0 {
			return false
		}
		t.drawn = false
	default:
		return false
	}
	t.at++
	return true
}

func (g *plainTable) clearRow(from int) {
	for i := from; i < from+3; i++ {
		if g.market[i] > 0 || g.market[i] < 0 && g.version > 1 { // version 1 lost what it did not know
			g.discards[g.market[i]] = true
		}
		g.market[i] = 0
	}
}

// slide lets the top row slide straight down (4.3).
func (g *plainTable) slide() {
	for i := range 3 {
		if g.market[i] == 0 {
			g.market[i], g.market[i+3] = g.market[i+3], 0
		}
	}
}

// possible tells whether the next clause of a list can be done at all.
func (g *plainTable) possible() bool {
	t, p := g.top(), g.me()
	switch c := t.list[t.at]; c.Verb {
	case VerbPay:
		return p.purse >= c.Amount.Number
	case VerbUnlock:
		return p.chest >= c.Amount.Number && (p.chest > 0 || g.version > 1)
	case VerbRefresh:
		return g.market != [6]int{}
	case VerbDrawFruit:
		return t.drawn || len(g.orchard) > 0
	case VerbDrawGuild:
		return t.drawn || len(g.deck)+len(g.discards) > 0
	}
	return true
}

// canEnd tells whether all that was begun can be done in full (3.6, 3.11), by
// trying everything.
func (g *plainTable) canEnd() bool {
	g = g.clone()
	g.blind = true
	for {
		t := g.top()
		if g.phase != "build" || t == nil || t.kind == "ask" {
			return true
		}
		switch need := g.needs(); {
		case need == "fruit" && g.version > 1:
			return g.canEndWithAny()
		case need == "fruit" && g.reveal == 0 && !g.took: // version 1 forgot such gaps
		case need != "":
			g.took = false
			g.drawBlind(need)
			continue
		}
		g.took = false
		if t.kind == "list" {
			if t.at < len(t.list) && !g.possible() {
				return false
			}
			if t.at == len(t.list) && t.builds && !g.canPay(t.card, t.level, t.price) {
				return false
			}
			if g.step() {
				continue
			}
		}
		for _, m := range g.answers() {
			next := g.clone()
			if next.begin(m); next.canEnd() {
				return true
			}
		}
		return false
	}
}

// canEndWithAny tells whether all can be done in full whichever fruit card comes
// next. Cards that look the same and do the same are tried once, and of those
// that are revealed together one order.
func (g *plainTable) canEndWithAny() bool {
	if len(g.orchard) > 12 && g.canEndWithNone() {
		return true
	}
	tried := map[string]bool{}
	last := ""
	if n := len(g.shown); g.reveal > 0 && n > 0 && g.shown[n-1] > 0 {
		last = g.look(g.shown[n-1])
	}
	for _, id := range slices.Sorted(maps.Keys(g.orchard)) {
		look := g.look(id)
		if tried[look] || look < last && g.enoughFrom(last) {
			continue
		}
		tried[look] = true
		next := g.clone()
		if next.begin(fmt.Sprintf(`{"do":"fruit","card":%d}`, id)); !next.canEnd() {
			return false
		}
	}
	return true
}

// look is all that makes a difference between fruit cards once they lie there.
func (g *plainTable) look(id int) string {
	return fmt.Sprint(g.kind(id), id > 0 && g.box.Fruits[id-1].Leaf)
}

// enoughFrom tells whether the cards of this look and those after it suffice for
// all that is still to be revealed: then the others come in another order.
func (g *plainTable) enoughFrom(look string) bool {
	n := 0
	for id := range g.orchard {
		if g.look(id) >= look {
			n++
		}
	}
	return n >= g.reveal
}

// canEndWithNone tells whether all can be done in full even if fruit that comes
// stayed face down. Then it can be done with any card, because a card more in a
// row or in the market is never worth less than nothing. With full decks it
// spares trying millions of them; small ones are tried card by card.
func (g *plainTable) canEndWithNone() bool {
	g = g.clone()
	g.drawBlind("fruit")
	return g.canEnd()
}

// canPay tells whether a level can be paid and has a place (3.1 to 3.3).
func (g *plainTable) canPay(card, level int, price Clause) bool {
	p := g.me()
	if level > 1 {
		return slices.Contains(p.places[:], plainGuild{card, level - 1}) && p.purse >= g.price(card, level, price)
	}
	here := slices.Contains(g.market[:], card) || slices.Contains(g.shown, card)
	return here && slices.Contains(p.places[:], plainGuild{}) && p.purse >= g.price(card, level, price)
}

// price is what a level costs (3.4).
func (g *plainTable) price(card, level int, clause Clause) int {
	cost := g.level(card, level).Cost
	prices := []int{cost}
	reduce := func(half bool, less int, free bool) {
		switch {
		case half:
			prices = append(prices, cost-cost/2)
		case free:
			prices = append(prices, 0)
		default:
			prices = append(prices, max(cost-less, 0))
		}
	}
	reduce(clause.Half, clause.Less, clause.Free)
	for _, rule := range g.rules(g.me()) {
		if rule.Verb != VerbCheaper || rule.Guild != "" && rule.Guild != g.card(card).Guild {
			continue
		}
		if rule.Build == "" || rule.Build == "found" && level == 1 || rule.Build == "raise" && level > 1 {
			reduce(rule.Half, rule.Less, false)
		}
	}
	price := slices.Min(prices)
	if level == 1 && slices.Contains(g.market[3:], card) {
		price++
	}
	return price
}

// rules are the continuous effects of a player (3.9).
func (g *plainTable) rules(p *plainPlayer) []Rule {
	var list []Rule
	for _, at := range p.places {
		if at.card != 0 {
			if e := g.level(at.card, at.level).Effect; e != nil {
				list = append(list, e.While...)
			}
		}
	}
	return list
}

// amount is what a quantity comes to (6.3).
func (g *plainTable) amount(p *plainPlayer, q Quantity) int {
	if q.Of == "" {
		return q.Number
	}
	n := g.count(p, q) / q.Per * q.Times
	if q.Most > 0 {
		n = min(n, q.Most)
	}
	return n
}

func (g *plainTable) count(p *plainPlayer, q Quantity) int {
	banners := map[string]int{}
	cards := 0
	for id := range p.completed {
		banners[g.card(id).Guild] += g.card(id).Banners
		if q.Guild == "" || q.Guild == g.card(id).Guild {
			cards++
		}
	}
	most := func(of map[string]int) int { return slices.Max(append(slices.Collect(maps.Values(of)), 0)) }
	sold, unsold := g.byType(p.pile), g.byType(p.row)
	all := func(of map[string]int, only string) (n int) {
		for name, k := range of {
			if only == "" || only == name {
				n += k
			}
		}
		return n
	}
	switch q.Of {
	case CountBanners:
		return all(banners, q.Guild)
	case CountGuilds:
		return len(banners)
	case CountMajority:
		return most(banners)
	case CountCompleted:
		return cards
	case CountProgress:
		n := 0
		for _, at := range p.places {
			if at.card != 0 {
				n++
			}
		}
		return n
	case CountSold:
		return all(sold, q.Type)
	case CountUnsold:
		return all(unsold, q.Type)
	case CountTypes:
		met := map[string]bool{}
		if q.In != "unsold" {
			for name := range sold {
				met[name] = true
			}
		}
		if q.In != "sold" {
			for name := range unsold {
				met[name] = true
			}
		}
		return len(met)
	case CountMostSold:
		return most(sold)
	case CountCoins:
		return p.purse
	case CountChest:
		return p.chest
	}
	panic("nobody can count " + q.Of)
}

// byType counts fruit; what is face down counts for nothing.
func (g *plainTable) byType(cards map[int]bool) map[string]int {
	n := map[string]int{}
	for id := range cards {
		if id > 0 {
			n[g.kind(id)]++
		}
	}
	return n
}

// moves is all that may be done now, as section 7 writes it, sorted.
func (g *plainTable) moves() []string {
	var list []string
	say := func(do string, ids ...int) {
		for _, id := range ids {
			list = append(list, fmt.Sprintf(`{"do":%q,"card":%d}`, do, id))
		}
	}
	keys := func(m map[int]bool) []int { return slices.Collect(maps.Keys(m)) }
	switch need := g.needs(); {
	case need == "start":
		for id := range g.deck {
			if g.card(id).Start {
				say("start", id)
			}
		}
	case need == "guild":
		say("guild", keys(g.deck)...)
	case need == "fruit" && g.phase == "fruit-market": // 1.7
		for id := range g.orchard {
			if !slices.ContainsFunc(g.stall, func(lies int) bool { return lies != 0 && g.kind(lies) == g.kind(id) }) {
				say("fruit", id)
			}
		}
	case need == "fruit":
		say("fruit", keys(g.orchard)...)
	case g.phase == "draft":
		say("draft", g.offered()...)
	case g.phase == "sell":
		say("sell", keys(g.me().row)...)
	case g.phase == "rest":
		say("take", g.offered()...)
	case g.phase == "build":
		list = g.choices()
	}
	slices.Sort(list)
	return list
}

func (g *plainTable) offered() []int {
	return slices.DeleteFunc(slices.Clone(g.stall), func(id int) bool { return id == 0 })
}

// choices is what may be done in the build phase: whatever leaves all that was
// begun possible.
func (g *plainTable) choices() []string {
	var tries []string
	t := g.top()
	switch {
	case t == nil:
		tries = append(g.levels(Clause{Verb: VerbBuild}, 0), `{"do":"rest"}`)
	case t.kind == "ask":
		tries = []string{`{"do":"skip"}`}
		if g.version < 3 || g.usable() {
			tries = append(tries, `{"do":"use"}`)
		}
	default:
		tries = g.answers()
	}
	if g.mayAct() {
		tries = append(tries, `{"do":"action"}`)
	}
	for _, at := range g.me().places { // 3.14
		if at.card != 0 {
			tries = append(tries, fmt.Sprintf(`{"do":"discard","card":%d}`, at.card))
		}
	}
	for id := range g.me().completed {
		tries = append(tries, fmt.Sprintf(`{"do":"discard","card":%d}`, id))
	}
	slices.Sort(tries)
	var list []string
	for _, m := range slices.Compact(tries) {
		if t == nil && m == `{"do":"rest"}` || t != nil && t.kind == "ask" {
			list = append(list, m)
			continue
		}
		next := g.clone()
		next.blind = true
		if next.begin(m); next.canEnd() {
			list = append(list, m)
		}
	}
	if len(list) == 0 && g.version == 1 {
		list = append(list, `{"do":"skip"}`)
	}
	return list
}

// mayAct tells whether a fruit action waits and may be begun now (3.15).
func (g *plainTable) mayAct() bool {
	if len(g.sold) == 0 || g.used {
		return false
	}
	for _, t := range g.tasks { // not between a level and its effect
		guilds := t.drawn && t.list[t.at].Verb == VerbDrawGuild
		if t.kind == "ask" || guilds && slices.ContainsFunc(t.kept, g.does) {
			return false
		}
	}
	if t := g.top(); t != nil {
		return t.kind == "list" && g.box.Fruits[g.sold[0]-1].Action != "build"
	}
	return true
}

// does tells whether level 1 of a card has an effect that is used or skipped.
func (g *plainTable) does(id int) bool {
	e := g.level(id, 1).Effect
	return e != nil && len(e.Do) > 0
}

// levels is what a clause of a card lets build, as far as it can be paid or
// demands something first.
func (g *plainTable) levels(c Clause, by int) []string {
	var list []string
	fits := func(id int) bool { return c.Guild == "" || c.Guild == g.card(id).Guild }
	may := func(id, level int) bool {
		if c.Levels != nil && !slices.Contains(c.Levels, level) {
			return false
		}
		e := g.level(id, level).Effect
		return e != nil && len(e.First) > 0 || g.canPay(id, level, c)
	}
	if c.Verb != VerbRaise {
		for _, id := range g.market {
			if id > 0 && fits(id) && may(id, 1) {
				list = append(list, fmt.Sprintf(`{"do":"found","card":%d}`, id))
			}
		}
	}
	if c.Verb != VerbFound {
		for _, at := range g.me().places {
			if at.card != 0 && fits(at.card) && !(c.Other && at.card == by) && may(at.card, at.level+1) {
				list = append(list, fmt.Sprintf(`{"do":"raise","card":%d}`, at.card))
			}
		}
	}
	return list
}

// answers is everything that answers what the task on top asks for.
func (g *plainTable) answers() []string {
	t := g.top()
	c := Clause{Verb: map[string]Verb{"sell": VerbSell, "take": VerbTake, "row": VerbRefresh, "build": VerbBuild}[t.action], Rows: 1, Less: 2}
	if t.kind == "list" {
		c = t.list[t.at]
	}
	var list []string
	say := func(do string, id int) { list = append(list, fmt.Sprintf(`{"do":%q,"card":%d}`, do, id)) }
	switch c.Verb {
	case VerbSell: // 2.5
		for id := range g.me().row {
			if id > 0 && !slices.ContainsFunc(g.sold, func(sold int) bool { return g.kind(sold) == g.kind(id) }) {
				say("sell", id)
			}
		}
	case VerbTake:
		for _, id := range g.offered() {
			say("take", id)
		}
	case VerbRefresh:
		if g.market[0] != 0 || g.market[1] != 0 || g.market[2] != 0 {
			list = append(list, `{"do":"row","row":"bottom"}`)
		}
		if g.market[3] != 0 || g.market[4] != 0 || g.market[5] != 0 {
			list = append(list, `{"do":"row","row":"top"}`)
		}
	case VerbDiscard:
		for _, id := range g.discardable(c, t.card) {
			say("discard", id)
		}
	case VerbDrawFruit:
		for _, id := range g.shown {
			say("keep", id)
		}
	case VerbDrawGuild:
		list = append(list, `{"do":"keep-none"}`)
		for _, id := range g.shown {
			if id < 0 || c.Keep > 1 && g.waiting() == 32 {
				continue
			}
			if e := g.level(id, 1).Effect; e != nil && len(e.First) > 0 || g.canPay(id, 1, c) {
				say("keep", id)
			}
		}
	default:
		return g.levels(c, t.card)
	}
	return list
}

// discardable are the guilds that a clause of a card may discard.
func (g *plainTable) discardable(c Clause, by int) []int {
	var list []int
	for _, at := range g.me().places {
		if at.card != 0 && c.From != "completed" && !(c.Other && at.card == by) {
			list = append(list, at.card)
		}
	}
	for id := range g.me().completed {
		if c.From != "progress" && !(c.Other && id == by) {
			list = append(list, id)
		}
	}
	return list
}

// apply makes a move, and goes on to the next decision or draw.
func (g *plainTable) apply(m string) {
	g.begin(m)
	g.goOn()
	g.took = false
}

// begin makes a move.
func (g *plainTable) begin(m string) {
	o := game.ReadObject([]byte(m))
	do, id := o.Text("do"), 0
	if o.Has("card") {
		id = o.Number("card")
	}
	p, t := g.me(), g.top()
	answer := func() Clause { // the clause that is answered; it is done with
		if t.kind == "action" {
			g.pop()
			return Clause{Less: 2}
		}
		c := t.list[t.at]
		t.at++
		return c
	}
	switch do {
	case "start":
		delete(g.deck, id)
		g.players[g.dealt].places[0] = plainGuild{id, 1}
		g.dealt++
	case "guild":
		delete(g.deck, id)
		if g.reveal > 0 {
			g.shown = append(g.shown, id)
			g.reveal--
		} else {
			g.market[slices.Index(g.market[:], 0)] = id
		}
	case "fruit":
		delete(g.orchard, id)
		switch {
		case g.phase == "fruit":
			g.players[g.dealt/3].row[id] = true
			g.dealt++
		case g.reveal > 0:
			g.shown = append(g.shown, id)
			g.reveal--
		default:
			g.stall[slices.Index(g.stall, 0)] = id
		}
	case "draft":
		g.carry(id)
		g.dealt++
		g.turn++
		g.actor = (g.actor + 1) % g.seats
	case "sell":
		more := 0
		if g.phase == "build" {
			more = answer().More
		}
		g.phase = "build"
		g.sell(id, more)
	case "found", "raise":
		price := Clause{}
		if t != nil {
			price = answer()
			if len(g.tasks) > 0 && t.kind == "list" {
				g.pop()
			}
		}
		g.raise(id, price)
	case "action":
		f := g.box.Fruits[g.sold[0]-1]
		g.used = true
		if f.Action == "chest" {
			p.chest += f.Coins
		} else {
			g.tasks = append(g.tasks, plainTask{kind: "action", action: f.Action})
		}
	case "use":
		*t = plainTask{kind: "list", card: t.card, level: t.level, list: g.level(t.card, t.level).Effect.Do}
	case "skip":
		if t.kind == "ask" {
			g.pop()
			break
		}
		for _, id := range g.shown { // in version 1, where nothing else could be done
			if t.kind == "list" && t.list[t.at].Verb == VerbDrawGuild {
				g.deck[id] = true
			} else {
				g.orchard[id] = true
			}
		}
		g.shown, g.tasks = nil, nil
	case "take":
		if g.phase == "build" {
			answer()
		}
		g.carry(id)
		g.took = true
		if g.phase == "rest" {
			g.rest()
		}
	case "row":
		answer()
		g.clearRow(map[string]int{"bottom": 0, "top": 3}[o.Text("row")])
		g.slide()
		g.filling = true
	case "keep":
		if c := t.list[t.at]; c.Keep > 1 {
			g.keepSeveral(id, c)
		} else {
			g.keep(id, answer())
		}
	case "keep-none":
		g.endDraw(g.deck)
	case "discard":
		if t != nil && t.kind == "list" && t.at < len(t.list) && t.list[t.at].Verb == VerbDiscard && slices.Contains(g.discardable(t.list[t.at], t.card), id) {
			t.at++
		}
		g.discard(id)
	case "rest":
		for _, sold := range g.sold { // 4.1
			p.pile[sold] = true
		}
		g.sold, g.used, g.phase = nil, false, "rest"
		if len(g.offered()) == 0 {
			g.rest()
		}
	}
}

func (g *plainTable) carry(id int) {
	g.stall[slices.Index(g.stall, id)] = 0
	g.me().row[id] = true
}

// sell pays for every visible card of the type (2.1).
func (g *plainTable) sell(id, more int) {
	seen := 0
	for _, p := range g.players {
		seen += g.byType(p.row)[g.kind(id)]
	}
	for _, lies := range g.stall {
		if lies > 0 && g.kind(lies) == g.kind(id) {
			seen++
		}
	}
	p := g.me()
	best := 0
	for _, rule := range g.rules(p) {
		if rule.Verb != VerbBetterSale || rule.Type != "" && rule.Type != g.kind(id) {
			continue
		}
		if best = max(best, rule.Amount); g.version < 3 {
			more += rule.Amount
		}
	}
	if g.version > 2 { // 3.4
		more += best
	}
	if g.box.Fruits[id-1].Leaf {
		more++
	}
	p.purse += seen + more
	delete(p.row, id)
	g.sold = append(g.sold, id)
}

// raise builds the next level of a card; what it demands comes first (3.11).
func (g *plainTable) raise(id int, price Clause) {
	level := 1
	for _, at := range g.me().places {
		if at.card == id {
			level = at.level + 1
		}
	}
	if e := g.level(id, level).Effect; e != nil && len(e.First) > 0 {
		g.tasks = append(g.tasks, plainTask{kind: "list", card: id, level: level, list: e.First, builds: true, price: price})
		return
	}
	g.build(id, level, price)
}

// build pays, then moves the marker (3.5), then asks about the effect (3.6).
func (g *plainTable) build(id, level int, price Clause) {
	p := g.me()
	p.purse -= g.price(id, level, price)
	if level == 1 {
		if slot := slices.Index(g.market[:], id); slot >= 0 {
			g.market[slot] = 0
		} else {
			g.shown = slices.DeleteFunc(g.shown, func(shown int) bool { return shown == id })
		}
		p.places[slices.Index(p.places[:], plainGuild{})] = plainGuild{id, 1}
	} else {
		at := slices.Index(p.places[:], plainGuild{id, level - 1})
		p.places[at].level = level
		if level == 3 { // 3.13
			p.places[at] = plainGuild{}
			p.completed[id] = true
			if g.count(p, Quantity{Of: CountBanners}) >= g.options.Banners && !g.enough { // 6.1
				g.enough = true
				if g.last == 0 {
					g.last = g.round + 1
				}
			}
		}
	}
	if t := g.top(); t != nil && t.drawn { // 3.12: it was kept with others
		t.kept = append(slices.Clone(t.kept), id)
		if len(g.shown) == 0 {
			g.endDraw(g.deck)
		}
		return
	}
	if e := g.level(id, level).Effect; e != nil && len(e.Do) > 0 {
		g.tasks = append(g.tasks, plainTask{kind: "ask", card: id, level: level})
		g.lapse()
	}
}

// usable tells whether the effect that waits can be done in full.
func (g *plainTable) usable() bool {
	next := g.clone()
	next.begin(`{"do":"use"}`)
	return next.canEnd()
}

// lapse forgets the effect that waits if it cannot be done in full, nor could be
// after a discard (3.6).
func (g *plainTable) lapse() {
	t := g.top()
	if t == nil || t.kind != "ask" || g.blind {
		return
	}
	t.judged = true
	if g.usable() || g.version > 2 && g.usableAfterADiscard() {
		return
	}
	g.pop()
}

// usableAfterADiscard tells whether the effect that waits could be done in full
// after one guild in progress is discarded or, where deck and discards are empty,
// any one guild (3.6).
func (g *plainTable) usableAfterADiscard() bool {
	var tries []int
	for _, at := range g.me().places {
		if at.card != 0 {
			tries = append(tries, at.card)
		}
	}
	if len(g.deck)+len(g.discards) == 0 {
		tries = append(tries, slices.Collect(maps.Keys(g.me().completed))...)
	}
	return slices.ContainsFunc(tries, func(id int) bool {
		next := g.clone()
		next.blind = true // so that nothing lapses
		next.discard(id)
		next.blind = false
		return next.usable()
	})
}

// waiting is how many guilds were kept whose effects wait.
func (g *plainTable) waiting() int {
	n := 0
	for _, t := range g.tasks {
		n += len(t.kept)
		if t.kind == "ask" {
			n++
		}
	}
	return n
}

// keepSeveral keeps one of the drawn cards where several may be (3.12): fruit at
// once, a guild when it is paid and founded.
func (g *plainTable) keepSeveral(id int, c Clause) {
	t := g.top()
	last := len(t.kept)+1 == c.Keep
	back := g.deck
	if c.Verb == VerbDrawFruit {
		back = g.orchard
	}
	if last {
		for _, other := range g.shown {
			if other != id {
				back[other] = true
			}
		}
		g.shown = []int{id}
	}
	if c.Verb == VerbDrawGuild {
		g.raise(id, c)
		return
	}
	t.kept = append(slices.Clone(t.kept), id)
	g.shown = slices.DeleteFunc(slices.Clone(g.shown), func(shown int) bool { return shown == id })
	g.me().row[id] = true
	if len(g.shown) == 0 {
		t.at++
		t.drawn, t.kept = false, nil
	}
}

// endDraw shuffles what was drawn back and ends the effect; then come the effects
// of the guilds that were kept, in that order.
func (g *plainTable) endDraw(back map[int]bool) {
	for _, id := range g.shown {
		back[id] = true
	}
	g.shown = nil
	kept := g.top().kept
	g.pop()
	for _, id := range slices.Backward(kept) {
		if g.does(id) {
			g.tasks = append(g.tasks, plainTask{kind: "ask", card: id, level: 1})
		}
	}
}

// keep keeps a drawn card and shuffles the rest back (3.12).
func (g *plainTable) keep(id int, c Clause) {
	fruit := c.Verb == VerbDrawFruit
	for _, other := range g.shown {
		switch {
		case other == id:
		case fruit:
			g.orchard[other] = true
		default:
			g.deck[other] = true
		}
	}
	if fruit {
		g.top().drawn = false
		g.shown = nil
		g.me().row[id] = true
		return
	}
	g.shown = []int{id}
	g.pop()
	g.raise(id, c)
}

func (g *plainTable) discard(id int) {
	p := g.me()
	g.discards[id] = true
	delete(p.completed, id)
	for i, at := range p.places {
		if at.card == id {
			p.places[i] = plainGuild{}
		}
	}
	g.lapse()
}

// rest counts the coins (4.2), then the market is filled (4.3).
func (g *plainTable) rest() {
	p := g.me()
	keep, largest := 2, 0
	for _, rule := range g.rules(p) {
		switch {
		case rule.Verb == VerbBiggerPurse:
			largest = max(largest, rule.Amount)
			if g.version < 3 {
				keep += rule.Amount
			}
		case rule.Verb == VerbIncome && rule.To == "purse":
			p.purse += rule.Amount
		case rule.Verb == VerbIncome:
			p.chest += rule.Amount
		}
	}
	if g.version > 2 { // 3.4
		keep += largest
	}
	p.purse = min(p.purse, keep) + p.chest
	p.chest = 0
	g.slide()
	g.filling = true
	g.phase = "refill"
}

func (g *plainTable) beginTurn() {
	g.phase = "sell"
	if len(g.me().row) == 0 { // 2.3
		g.phase = "build"
	}
}

func (g *plainTable) endTurn() {
	g.turn++
	g.actor = (g.actor + 1) % g.seats
	if g.actor == 0 {
		if g.last != 0 && g.round >= g.last { // 6.1, 6.2
			g.phase = "over"
			return
		}
		g.round++
	}
	g.beginTurn()
}

// scores are the points of all seats, and their ranks (6.3, 6.4).
func (g *plainTable) scores() string {
	type score struct{ seat, progress, completed int }
	var list []score
	for seat := range g.players {
		p, s := &g.players[seat], score{seat: seat}
		for _, at := range p.places {
			if at.card != 0 {
				s.progress += g.amount(p, g.level(at.card, at.level).Points)
			}
		}
		for id := range p.completed {
			s.completed += g.amount(p, g.level(id, 3).Points)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b score) int {
		return cmp.Or(cmp.Compare(b.progress+b.completed, a.progress+a.completed), cmp.Compare(b.seat, a.seat))
	})
	return fmt.Sprint(list)
}

// draw is the table as Rules draws it.
func (g *plainTable) draw(need string) string {
	var b strings.Builder
	ids := func(name string, cards map[int]bool) {
		if len(cards) == 0 {
			return
		}
		fmt.Fprintf(&b, " %s", name)
		for _, id := range slices.Sorted(maps.Keys(cards)) {
			fmt.Fprintf(&b, " %d", id)
		}
	}
	gaps := func(cards []int) {
		for _, id := range cards {
			if id == 0 {
				b.WriteString(" -")
			} else {
				fmt.Fprintf(&b, " %d", id)
			}
		}
	}
	for seat := range g.players {
		p := &g.players[seat]
		fmt.Fprintf(&b, "%d: purse %d", seat, p.purse)
		if p.chest > 0 {
			fmt.Fprintf(&b, " chest %d", p.chest)
		}
		ids("row", p.row)
		ids("pile", p.pile)
		if p.places != [3]plainGuild{} {
			b.WriteString(" progress")
			for _, at := range p.places {
				if at.card == 0 {
					b.WriteString(" -")
				} else {
					fmt.Fprintf(&b, " %d/%d", at.card, at.level)
				}
			}
		}
		ids("completed", p.completed)
		b.WriteString("\n")
	}
	b.WriteString("market")
	gaps(g.market[:3])
	b.WriteString(" top")
	gaps(g.market[3:])
	b.WriteString("\nstall")
	gaps(g.stall)
	b.WriteString("\n")
	if len(g.discards) > 0 {
		b.WriteString("discards")
		ids("", g.discards)
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "turn %d round %d %s", g.actor, g.round, g.phase)
	if len(g.sold) > 0 {
		b.WriteString(" sold")
		gaps(g.sold)
	}
	if g.used {
		b.WriteString(" used")
	}
	if need != "" {
		fmt.Fprintf(&b, " draws %s", need)
	}
	var jobs, later string
	for i, t := range slices.Backward(g.tasks) {
		below := i < len(g.tasks)-1 && g.tasks[len(g.tasks)-1].kind != "action" || i < len(g.tasks)-2
		switch {
		case t.kind == "action":
			jobs = fmt.Sprintf(" action %s", t.action)
		case t.kind == "ask" && below:
			later += fmt.Sprintf(" then %d", t.card)
		case t.kind == "ask":
			jobs = fmt.Sprintf(" asked %d/%d", t.card, t.level) + jobs
		case t.builds:
			jobs = fmt.Sprintf(" demanded %d/%d", t.card, t.level) + jobs
		case below:
			jobs += fmt.Sprintf(" by %d/%d", t.card, t.level)
		default:
			jobs = fmt.Sprintf(" doing %d/%d", t.card, t.level) + jobs
		}
		if t.drawn && t.list[t.at].Keep > 1 {
			jobs += fmt.Sprintf(" kept %d", len(t.kept))
			if t.list[t.at].Verb == VerbDrawGuild {
				for _, id := range t.kept {
					if g.does(id) {
						later += fmt.Sprintf(" then %d", id)
					}
				}
			}
		}
	}
	b.WriteString(jobs + later + "\n")
	if g.last != 0 {
		fmt.Fprintf(&b, "last %d", g.last)
		if g.enough {
			b.WriteString(" banners")
		}
		if g.ranOut {
			b.WriteString(" fruit")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// compare plays a random game with both and fails at the first difference.
func compare(t *testing.T, r *Rules, seed uint64, met map[string]int) bool {
	t.Helper()
	g := newPlainTable(r.box, r.seats, r.options, r.version)
	g.goOn()
	s, rng := r.Start(), rand.New(rand.NewPCG(seed, uint64(r.seats)))
	for ply := 0; ; ply++ {
		need := g.needs()
		if fast, plain := r.draw(&s), g.draw(need); fast != plain {
			t.Errorf("seed %d, %d seats, guilds %06b, ply %d: the table is\n%s\nand the plain one\n%s", seed, r.seats, r.options.Guilds, ply, fast, plain)
			return false
		}
		st := r.Standing(&s)
		var ranked []string
		for rank := int32(1); int(rank) <= r.seats; rank++ {
			for seat := range r.seats {
				if score := st.Seats[seat]; score.Rank == rank {
					ranked = append(ranked, fmt.Sprintf("{%d %d %d}", seat, score.Parts[partProgress], score.Parts[partCompleted]))
				}
			}
		}
		if fast, plain := fmt.Sprint(ranked), g.scores(); fast != plain {
			t.Errorf("seed %d, ply %d: scores %s, plain %s", seed, ply, fast, plain)
			return false
		}
		by := r.ToAct(&s)
		list := r.Moves(&s, by, nil)
		var fast []string
		for _, m := range list {
			fast = append(fast, string(r.AppendMove(nil, m)))
		}
		slices.Sort(fast)
		if plain := g.moves(); !slices.Equal(fast, plain) {
			t.Errorf("seed %d, %d seats, ply %d: moves\n%v\nplain\n%v\nin\n%s", seed, r.seats, ply, fast, plain, r.draw(&s))
			return false
		}
		if by == game.None {
			return true
		}
		if len(list) == 0 {
			t.Errorf("seed %d, %d seats, ply %d: %v has no move in\n%s", seed, r.seats, ply, by, r.draw(&s))
			return false
		}
		m := list[rng.IntN(len(list))]
		if by >= 0 && m.do() == Discard && rng.IntN(4) > 0 { // guilds would never last
			m = list[rng.IntN(len(list))]
		}
		met[m.do().String()]++
		wanted, waited := r.wants(&s), s.job.stage
		if wanted && m.do() == Discard {
			met["discard for an effect"]++
			if m.id() == s.job.card {
				met["its own card discarded for an effect"]++
			}
		}
		if m.do() == Keep && s.pick.kept > 0 {
			met[map[bool]string{true: "kept several fruit", false: "kept several guilds"}[r.showsFruit(&s)]]++
		}
		if s.pick.card != 0 && s.job.stage == demanded {
			met["demanded while others are kept"]++
		}
		if s.waits > 0 && s.pick.card == 0 {
			met["effects wait"]++
			if s.job.stage == doing {
				met["effects wait in mid-effect"]++
			}
		}
		if m.do() == Raise && s.job.stage == doing && r.clause(&s).levels != everything {
			met["raised to a named level"]++
		}
		if s.job.stage == demanded {
			met["demanded"]++
		}
		if s.job.stage > asked && s.acting != noAction {
			met["action in mid-effect"]++
		}
		if s.job.stage > asked && m.do() == Discard {
			met["discard in mid-effect"]++
		}
		r.Play(&s, by, m, nil)
		switch {
		case m.do() != Discard || waited != asked:
		case s.job.stage == idle:
			met["lapsed after a discard"]++
		case wanted && s.job.stage == asked && !r.wants(&s):
			met["used after a discard"]++
		case !wanted && r.wants(&s):
			met["a discard more after a discard"]++
		}
		g.apply(string(r.AppendMove(nil, m)))
	}
}

// TestThePlainGameGoesTheSameWay compares every list, table and score of whole
// games, with the house deck and all choices of guilds and options.
func TestThePlainGameGoesTheSameWay(t *testing.T) {
	met := map[string]int{}
	seed := uint64(0)
	for guilds := range uint8(1 << guilds) {
		if bits.OnesCount8(guilds) != playing {
			continue
		}
		seed++
		options := Options{Guilds: guilds, Starts: seed%2 == 0, Draft: seed%3 == 0, Banners: 6 + int(seed%2)}
		if !compare(t, NewVersion(2+int(seed%3), DefaultBox(), options, newest-int(seed&1)), seed, met) {
			return
		}
	}
	t.Log(met)
}

// TestThePlainGameGoesTheSameWayWithStrangeDecks does the same with decks that
// hold every verb on every level, and makes sure that the rare corners were met.
func TestThePlainGameGoesTheSameWayWithStrangeDecks(t *testing.T) {
	met := map[string]int{}
	games := uint64(12)
	if os.Getenv("COPSE_TORTURE") != "" {
		games = 1000
	}
	for seed := range games {
		version, box := newest, strangerBox(t, seed)
		if seed%3 == 2 {
			version, box = 2, strangeBox(t, seed)
		}
		options := Options{Guilds: [...]uint8{0b111100, 0b001111, 0b110110, 0b111010}[seed%4], Starts: seed%2 == 0, Draft: seed%5 == 0, Banners: 6}
		if !compare(t, NewVersion(2+int(seed/3%3), box, options, version), seed, met) {
			return
		}
	}
	for _, corner := range []string{"use", "skip", "keep", "keep-none", "row", "demanded", "action in mid-effect", "discard in mid-effect"} {
		if met[corner] == 0 {
			t.Errorf("no game came to %s: %v", corner, met)
		}
	}
	t.Log(met)
}

// TestThePlainGameGoesTheSameWayWithCrowdedDecks does the same with decks in which
// effects found and draw more than there are places, and makes sure that the rare
// corners of version 3 were met. COPSE_TORTURE plays 2,000 of them.
func TestThePlainGameGoesTheSameWayWithCrowdedDecks(t *testing.T) {
	games := uint64(40)
	if os.Getenv("COPSE_TORTURE") != "" {
		games = 2000
	}
	met := map[string]int{}
	for seed := range games {
		options := Options{
			Guilds: [...]uint8{0b111100, 0b001111, 0b110110, 0b111010}[seed%4], Starts: seed%2 == 0, Banners: manyBanners,
		}
		if !compare(t, New(2+int(seed%3), crowdedBox(t, seed), options), seed, met) {
			return
		}
	}
	for _, corner := range []string{
		"discard for an effect", "used after a discard", "lapsed after a discard", "its own card discarded for an effect",
		"kept several fruit", "kept several guilds", "demanded while others are kept", "effects wait", "effects wait in mid-effect",
		"raised to a named level",
	} {
		if met[corner] == 0 {
			t.Errorf("no game came to %s: %v", corner, met)
		}
	}
	t.Logf("figures: Tree Society: %d crowded decks went the same way as in the plain version", games)
	t.Log(met)
}
