// Package treesociety is the game Tree Society by Matthew Dunstan and Brett J.
// Gilbert: guilds of the treetops are founded and raised with what fruit brings, each level works once or as long as
// it lasts, and what is completed waves its banners. The numbers in comments are
// those of rules.en.md.
package treesociety

import (
	"cmp"
	"slices"

	"copse/game"
)

// Game is Tree Society as the rest of Copse meets it.
func Game() game.Definition[Position, Move] {
	return game.Definition[Position, Move]{
		About: game.About{
			Name:     "treesociety",
			MinSeats: 2,
			MaxSeats: 4,
			Version:  newest,
			Options: []game.Option{
				{Name: "guilds", Kind: "words", Default: guildNames()[:playing], Choices: guildNames()},
				{Name: "startingCards", Kind: "flag", Default: true},
				{Name: "draft", Kind: "flag", Default: false},
				{Name: "banners", Kind: "number", Default: fewBanners, Choices: []int{fewBanners, manyBanners}},
				{Name: "box", Kind: "box", Default: standard(newest).hash},
			},
			Parts:   partNames(),
			Phrases: said(),
			Levels:  measured(),
			Texts:   texts,
			Box:     func(raw game.RawMessage) (game.RawMessage, error) { return rewrite(raw, newest) },
			Printing: func(version int) (string, func(game.RawMessage) (game.RawMessage, error)) {
				return standard(version).hash, func(raw game.RawMessage) (game.RawMessage, error) { return rewrite(raw, version) }
			},
		},
		New: func(seats int, options game.RawMessage, version int) (game.Playable[Position, Move], error) {
			o := game.ReadOptions(options)
			chosen, err := readOptions(o)
			if err != nil {
				return nil, err
			}
			raw, err := game.TheBox(o, standard(version).hash)
			if err := cmp.Or(err, o.Done()); err != nil {
				return nil, err
			}
			box, err := readBox(raw, version)
			if err := cmp.Or(err, box.checkVersion(version)); err != nil {
				return nil, game.Inside("box", err)
			}
			r := NewVersion(seats, box, chosen, version)
			r.usual = string(raw) == "{}"
			r.settleHabits()
			return r, nil
		},
	}
}

// rewrite reads a box beside the usual one of a version, and writes the whole box in
// the one form whose hash names it.
func rewrite(raw game.RawMessage, version int) (game.RawMessage, error) {
	box, err := readBox(raw, version)
	if err != nil {
		return nil, err
	}
	return box.written(), nil
}

// newest is the newest version of the rules. What version 1 did otherwise stands
// in future_1.go, and beside what wire.go shows now. Up to version 2 better sales
// and larger purses added up (3.4), and an effect lapsed that needed a discard
// (3.6); the cards could neither keep several of those drawn nor name levels. The
// rules of versions 4 and 5 are those of version 3; 4 has the second printing of the
// deck, and 5 the third.
const newest = 5

// Of the options.
const (
	playing     = 4 // guilds of a game (1.4)
	fewBanners  = 6 // that trigger the end (6.1)
	manyBanners = 7
)

// Options are what a table chose.
type Options struct {
	Guilds  uint8 // a bit each, in the order of the box; four of six (1.4)
	Starts  bool  // every seat begins with a starting card (1.5)
	Draft   bool  // fruit is drafted (1.8)
	Banners int   // that trigger the end (6.1)
}

// UsualOptions are those of a first game.
func UsualOptions() Options {
	return Options{Guilds: 1<<playing - 1, Starts: true, Banners: fewBanners}
}

// readOptions reads what stands in the options besides the box.
func readOptions(o *game.Object) (Options, error) {
	chosen := UsualOptions()
	if o.Has("guilds") {
		var err error
		if chosen.Guilds, err = readGuilds(o.Raw("guilds")); err != nil {
			return chosen, err
		}
	}
	if o.Has("startingCards") {
		chosen.Starts = o.Flag("startingCards")
	}
	if o.Has("draft") {
		chosen.Draft = o.Flag("draft")
	}
	if o.Has("banners") {
		chosen.Banners = o.Number("banners")
	}
	if err := o.Fault(); err != nil {
		return chosen, err
	}
	if chosen.Banners < fewBanners || chosen.Banners > manyBanners {
		return chosen, game.Blame("json.range", game.Args{"field": "banners", "least": fewBanners, "most": manyBanners})
	}
	return chosen, nil
}

// readGuilds reads the names of four different guilds, in any order.
func readGuilds(raw game.RawMessage) (uint8, error) {
	var names []string
	if game.Unmarshal(raw, &names) != nil || names == nil {
		return 0, game.Blame("json.list", game.Args{"field": "guilds"})
	}
	chosen := uint8(0)
	for _, name := range names {
		i := slices.Index(guildNames(), name)
		if i < 0 || chosen>>i&1 != 0 {
			return 0, game.Blame("treesociety.option.guild", game.Args{"guild": name, "guilds": guildNames()})
		}
		chosen |= 1 << i
	}
	if len(names) != playing {
		return 0, game.Blame("treesociety.option.guilds.four", game.Args{"count": len(names), "due": playing})
	}
	return chosen, nil
}

// Rules is the law of Tree Society for a number of seats, a box and options.
// Everything in it is looked up, nothing changes.
type Rules struct {
	game.Open[Position, Move]

	seats   int
	options Options
	box     *Box
	version int
	usual   bool // the box is the one that comes with the version
	wide    int  // the fruit market (1.7)

	card    [mostCards + 1]card
	fruit   [mostCards + 1]fruit
	starts  set         // starting cards
	ofGuild [guilds]set // guild cards
	ofType  [types]set  // fruit cards
	ofKind  [kinds]set  // likewise, those with the leaf after those without
	fruits  int         // fruit cards in the game
	blank   Position    // before anything happened

	scale    gauge                   // by which bots judge the deck
	prospect [mostCards + 1]prospect // what bots hope of a card
	habits   habits                  // of quick turns
	habit    [allHabits]float64      // the same, settled
}

// card is a guild card as the interpreter knows it.
type card struct {
	level   [levels]level
	guild   uint8
	banners uint8
}

// level is a level of a guild card.
type level struct {
	first, do []clause
	while     []while
	points    quantity
	cost      uint8
}

// fruit is a fruit card.
type fruit struct {
	kind   uint8 // its type
	action uint8 // from 1
	leaf   uint8 // coins
	coins  uint8
}

// The fruit actions, in the order of actionNames.
const (
	noAction uint8 = iota
	extraSale
	rowAway
	freshFruit
	intoChest
	buildNow
)

// offByAction is how much cheaper the fruit action builds (3.15).
const offByAction = 2

// New makes the newest rules for 2 to 4 seats, a box that ReadBox found good, and
// options.
func New(seats int, box *Box, options Options) *Rules { return NewVersion(seats, box, options, newest) }

// NewVersion makes the rules of a version, from 1 to the newest.
func NewVersion(seats int, box *Box, options Options, version int) *Rules {
	r := &Rules{seats: seats, options: options, box: box, version: version, wide: 7 - seats}
	s := &r.blank
	for i := range box.Cards {
		r.print(&box.Cards[i])
	}
	r.settleHabits()
	r.scale = r.gauge()
	for i := range box.Cards {
		id := box.Cards[i].ID
		r.prospect[id] = r.card[id].prospects(r.scale.coin)
	}
	for g := range r.ofGuild {
		if options.Guilds>>g&1 != 0 {
			s.deck.join(&r.ofGuild[g])
		}
	}
	for i := range box.Fruits {
		f := &box.Fruits[i]
		id := uint8(f.ID)
		kind := slices.Index(fruitNames(), f.Type)
		r.fruit[id] = fruit{kind: uint8(kind), action: uint8(slices.Index(actionNames(), f.Action) + 1), coins: uint8(f.Coins)}
		if f.Leaf {
			r.fruit[id].leaf = 1
		}
		r.ofKind[kind+types*int(r.fruit[id].leaf)].add(id)
		r.ofType[kind].add(id)
		if seats > 2 || !f.Crowd { // 1.7
			s.orchard.add(id)
		}
	}
	r.fruits = s.orchard.size()
	for seat := range seats {
		p := &s.player[seat]
		p.purse, p.chest = uint16(box.Coins[seat].Purse), uint16(box.Coins[seat].Chest)
		p.keeps = usually
	}
	s.phase = opening
	if options.Starts {
		s.phase = starting
		s.deck.join(&r.starts)
	}
	s.round = 1
	r.next(s, nil)
	return r
}

// join adds the cards of another set.
func (c *set) join(other *set) {
	c[0] |= other[0]
	c[1] |= other[1]
}

// without removes the cards of another set.
func (c *set) without(other *set) {
	c[0] &^= other[0]
	c[1] &^= other[1]
}

// leftovers is how many starting cards go back to the box (1.5).
func (r *Rules) leftovers() int {
	if !r.options.Starts || r.options.Guilds&1 != 0 {
		return 0
	}
	return r.starts.size() - r.seats
}

// print makes a card that the interpreter can read of one of the box.
func (r *Rules) print(c *Card) {
	guild := slices.Index(guildNames(), c.Guild)
	out := &r.card[c.ID]
	out.guild, out.banners = uint8(guild), uint8(c.Banners)
	r.ofGuild[guild].add(uint8(c.ID))
	if c.Start {
		r.starts.add(uint8(c.ID))
	}
	for i, l := range c.Levels {
		lv := &out.level[i]
		lv.cost, lv.points = uint8(l.Cost), quantityOf(l.Points)
		if l.Effect == nil {
			continue
		}
		for _, clause := range l.Effect.First {
			lv.first = append(lv.first, clauseOf(&clause))
		}
		for _, clause := range l.Effect.Do {
			lv.do = append(lv.do, clauseOf(&clause))
		}
		for _, rule := range l.Effect.While {
			lv.while = append(lv.while, whileOf(&rule))
		}
	}
}

// verb is what a clause does, as a number.
type verb uint8

// The verbs of clauses, in the order of clauseVerbs.
const (
	coins verb = iota + 1
	pay
	unlock
	sell
	take
	discard
	refresh
	drawFruit
	drawGuild
	found
	raise
	build
)

// The verbs of rules.
const (
	cheaper verb = iota + 1
	betterSale
	biggerPurse
	incomeChest
	incomePurse
)

// Where a guild is discarded from, bits.
const (
	fromProgress uint8 = 1 << iota
	fromCompleted
)

// Prices besides so many coins less, which are their own number (3.4).
const (
	noCut uint8 = 0
	half  uint8 = 100
	free  uint8 = 101
)

// clause is a clause as the interpreter reads it.
type clause struct {
	verb   verb
	number uint8    // pay, unlock, sell: coins; refresh: rows; draws: cards
	keep   uint8    // draws: how many of the cards may be kept
	levels uint8    // that may be built, a bit each from level 1
	cut    uint8    // the price at which something is built
	guilds uint8    // that may be built, a bit each
	from   uint8    // where is discarded from
	other  uint8    // 1: not this card
	chest  uint8    // 1: coins go to the chest
	amount quantity // coins
}

// anything is a clause that lets build any level, at a price.
func anything(cut uint8) clause {
	return clause{verb: build, guilds: everything, levels: everything, cut: cut}
}

// builds tells whether the clause may build a level of a guild.
func (c *clause) builds(guild, level uint8) bool {
	return c.guilds>>guild&1 != 0 && c.levels>>(level-1)&1 != 0
}

// while is a rule as the interpreter reads it.
type while struct {
	verb   verb
	cut    uint8
	builds uint8 // bit 0 what is founded, bit 1 what is raised
	guilds uint8 // a bit each
	types  uint8 // likewise
	amount uint8
}

// What a quantity counts, in the order of counts.
const (
	plain uint8 = iota
	ofBanners
	ofGuilds
	ofMajority
	ofCompleted
	ofProgress
	ofSold
	ofUnsold
	ofTypes
	ofMostSold
	ofCoins
	ofChest
)

// quantity is a quantity as the interpreter reads it.
type quantity struct {
	of    uint8
	times uint8 // or the plain number
	per   uint8
	most  uint8 // 0 is no limit
	only  uint8 // guilds or types that count, a bit each; of types: 1 sold, 2 unsold
}

const everything = 0xFF

// bit is the bit of a name, all of them for none.
func bit(name string, names []string) uint8 {
	if name == "" {
		return everything
	}
	return 1 << slices.Index(names, name)
}

func quantityOf(q Quantity) quantity {
	if q.Fixed() {
		return quantity{times: uint8(q.Number)}
	}
	out := quantity{
		of: uint8(slices.Index(counts(), q.Of) + 1), times: uint8(q.Times), per: uint8(q.Per), most: uint8(q.Most), only: everything,
	}
	switch out.of {
	case ofBanners, ofCompleted:
		out.only = bit(q.Guild, guildNames())
	case ofSold, ofUnsold:
		out.only = bit(q.Type, fruitNames())
	case ofTypes:
		out.only = map[string]uint8{inSold: 1, inUnsold: 2, inBoth: 3}[q.In]
	}
	return out
}

func cutOf(isHalf bool, less int, isFree bool) uint8 {
	switch {
	case isHalf:
		return half
	case isFree:
		return free
	}
	return uint8(less)
}

func one(yes bool) uint8 {
	if yes {
		return 1
	}
	return 0
}

func clauseOf(c *Clause) clause {
	out := clause{
		verb:   verb(slices.Index(clauseVerbs(), c.Verb) + 1),
		cut:    cutOf(c.Half, c.Less, c.Free),
		guilds: bit(c.Guild, guildNames()),
		levels: everything,
		from:   fromProgress | fromCompleted,
		other:  one(c.Other),
		chest:  one(c.To == chestWord),
		amount: quantityOf(c.Amount),
	}
	switch c.Verb {
	case VerbPay, VerbUnlock:
		out.number = uint8(c.Amount.Number)
	case VerbSell:
		out.number = uint8(c.More)
	case VerbRefresh:
		out.number = uint8(c.Rows)
	case VerbDrawFruit, VerbDrawGuild:
		out.number, out.keep = uint8(c.Count), uint8(c.kept())
	case VerbRaise, VerbBuild:
		if c.Levels != nil {
			out.levels = 0
		}
		for _, level := range c.Levels {
			out.levels |= 1 << (level - 1)
		}
	}
	switch c.From {
	case progressWord:
		out.from = fromProgress
	case completedWord:
		out.from = fromCompleted
	}
	return out
}

func whileOf(rule *Rule) while {
	out := while{
		cut: cutOf(rule.Half, rule.Less, false), builds: 3, amount: uint8(rule.Amount),
		guilds: bit(rule.Guild, guildNames()), types: bit(rule.Type, fruitNames()),
	}
	switch rule.Build {
	case foundWord:
		out.builds = 1
	case raiseWord:
		out.builds = 2
	}
	switch rule.Verb {
	case VerbCheaper:
		out.verb = cheaper
	case VerbBetterSale:
		out.verb = betterSale
	case VerbBiggerPurse:
		out.verb = biggerPurse
	case VerbIncome:
		out.verb = incomeChest
		if rule.To == purseWord {
			out.verb = incomePurse
		}
	}
	return out
}

// amount is what a quantity comes to for a player.
func (r *Rules) amount(p *player, q *quantity) int {
	if q.of == plain {
		return int(q.times)
	}
	n := r.count(p, q) / int(q.per) * int(q.times)
	if q.most != 0 {
		n = min(n, int(q.most))
	}
	return n
}

// count is how many there are of what a quantity counts (6.3).
func (r *Rules) count(p *player, q *quantity) int {
	n := 0
	switch q.of {
	case ofBanners:
		for g, b := range p.banners {
			if q.only>>g&1 != 0 {
				n += int(b)
			}
		}
	case ofGuilds:
		for _, b := range p.banners {
			n += int(min(b, 1))
		}
	case ofMajority:
		n = int(slices.Max(p.banners[:]))
	case ofCompleted:
		if q.only == everything {
			return p.completed.size()
		}
		for g := range r.ofGuild {
			if q.only>>g&1 != 0 {
				n += p.completed.common(&r.ofGuild[g])
			}
		}
	case ofProgress:
		n = p.inProgress()
	case ofSold:
		for t, k := range p.sold {
			if q.only>>t&1 != 0 {
				n += int(k)
			}
		}
	case ofUnsold:
		for t, k := range p.unsold {
			if q.only>>t&1 != 0 {
				n += int(k)
			}
		}
	case ofTypes:
		for t := range p.sold {
			if q.only&1 != 0 && p.sold[t] > 0 || q.only&2 != 0 && p.unsold[t] > 0 {
				n++
			}
		}
	case ofMostSold:
		n = int(slices.Max(p.sold[:]))
	case ofCoins:
		n = int(p.purse)
	case ofChest:
		n = int(p.chest)
	}
	return n
}
