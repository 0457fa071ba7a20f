package treesociety

import (
	"slices"
	"strconv"

	"copse/game"
)

// phrases are all the keys that Tree Society says besides those of boxes and of
// cards, with their arguments.
func phrases() []game.Phrase {
	say := game.Say
	list := []game.Phrase{
		// Refusals.
		say("treesociety.refuse.over"),
		say("treesociety.refuse.wait", "due"),
		say("treesociety.refuse.turn", "seat"),
		say("treesociety.refuse.unknown", "due"),
		say("treesociety.refuse.not-now", "do", "due"),
		say("treesociety.refuse.card", "card", "most"),
		say("treesociety.refuse.fruit", "card", "most"),
		say("treesociety.refuse.reduce"),
		say("treesociety.refuse.deal.start", "card", "id"),
		say("treesociety.refuse.deal.guild", "card", "id"),
		say("treesociety.refuse.deal.fruit", "fruit", "id"),
		say("treesociety.refuse.deal.type", "fruit", "id"),
		say("treesociety.refuse.sell.row", "fruit", "id"),
		say("treesociety.refuse.sell.once"),
		say("treesociety.refuse.sell.type", "fruit", "id"),
		say("treesociety.refuse.take.market", "fruit", "id"),
		say("treesociety.refuse.row", "row"),
		say("treesociety.refuse.keep.fruit", "fruit", "id"),
		say("treesociety.refuse.keep.guild", "card", "id"),
		say("treesociety.refuse.keep.one"),
		say("treesociety.refuse.keep.several", "left"),
		say("treesociety.refuse.keep.waiting", "most"),
		say("treesociety.refuse.found.market", "card", "id"),
		say("treesociety.refuse.found.progress", "card", "id"),
		say("treesociety.refuse.raise.completed", "card", "id"),
		say("treesociety.refuse.raise.progress", "card", "id"),
		say("treesociety.refuse.build.guild", "card", "id", "guild"),
		say("treesociety.refuse.build.other", "card", "id"),
		say("treesociety.refuse.build.level", "card", "id", "level"),
		say("treesociety.refuse.places", "card", "id", "most"),
		say("treesociety.refuse.price", "card", "id", "level", "price", "purse", "short"),
		say("treesociety.refuse.demand", "card", "id", "level"),
		say("treesociety.refuse.decide", "seat", "card", "id", "level"),
		say("treesociety.refuse.nothing"),
		say("treesociety.refuse.use", "seat", "card", "id", "level"),
		say("treesociety.refuse.unfinished", "seat", "card", "id", "level"),
		say("treesociety.refuse.unfinished.demand", "seat", "card", "id", "level"),
		say("treesociety.refuse.action.none"),
		say("treesociety.refuse.action.spent", "action"),
		say("treesociety.refuse.action.between", "seat", "card", "id", "level"),
		say("treesociety.refuse.action.build", "seat", "card", "id", "level"),
		say("treesociety.refuse.action.impossible", "action"),
		say("treesociety.refuse.discard", "card", "id"),
		say("treesociety.refuse.discard.action", "card", "id", "action"),
		say("treesociety.refuse.rest", "due"),
		// Faults of the options.
		say("treesociety.option.guild", "guild", "guilds"),
		say("treesociety.option.guilds.four", "count", "due"),
		// Events.
		say("treesociety.event.start", "seat", "card", "id"),
		say("treesociety.event.guild", "card", "id", "row", "column"),
		say("treesociety.event.fruit", "fruit", "id", "left"),
		say("treesociety.event.handed", "seat", "fruit", "id"),
		say("treesociety.event.draft", "seat", "fruit", "id"),
		say("treesociety.event.rebuilt", "left"),
		say("treesociety.event.sell", "seat", "fruit", "id", "coins", "seen", "leaf", "bonus", "action", "chest"),
		say("treesociety.event.sell.extra", "seat", "fruit", "id", "coins", "seen", "leaf", "bonus"),
		say("treesociety.event.demand", "seat", "card", "id", "level"),
		say("treesociety.event.found", "seat", "card", "id", "price", "base", "off", "extra"),
		say("treesociety.event.raise", "seat", "card", "id", "level", "price", "base", "off", "extra"),
		say("treesociety.event.complete", "seat", "card", "id", "banners", "all"),
		say("treesociety.event.triggered", "seat", "banners", "round", "last"),
		say("treesociety.event.use", "seat", "card", "id", "level"),
		say("treesociety.event.skip", "seat", "card", "id", "level"),
		say("treesociety.event.lapse", "seat", "card", "id", "level"),
		say("treesociety.event.action", "seat", "fruit", "id", "action", "coins"),
		say("treesociety.event.gain", "seat", "coins"),
		say("treesociety.event.gain.chest", "seat", "coins"),
		say("treesociety.event.pay", "seat", "coins"),
		say("treesociety.event.unlock", "seat", "coins"),
		say("treesociety.event.take", "seat", "fruit", "id"),
		say("treesociety.event.row", "seat", "row"),
		say("treesociety.event.rows", "seat"),
		say("treesociety.event.drawn.fruit", "seat", "fruit", "id"),
		say("treesociety.event.drawn.guild", "seat", "card", "id"),
		say("treesociety.event.keep.fruit", "seat", "fruit", "id"),
		say("treesociety.event.keep.guild", "seat", "card", "id"),
		say("treesociety.event.keep.fruit.more", "seat", "fruit", "id"),
		say("treesociety.event.keep.guild.more", "seat", "card", "id"),
		say("treesociety.event.keep-none", "seat"),
		say("treesociety.event.keep-enough", "seat"),
		say("treesociety.event.discard", "seat", "card", "id"),
		say("treesociety.event.discard.effect", "seat", "card", "id"),
		say("treesociety.event.rest", "seat"),
		say("treesociety.event.income", "seat", "coins"),
		say("treesociety.event.coins", "seat", "lost", "chest", "purse"),
		say("treesociety.event.run-out", "round"),
		say("treesociety.event.over", "rounds"),
		say("treesociety.event.score", "seat", "inProgress", "completed", "total"),
		say("treesociety.event.won", "seat", "total"),
		say("treesociety.event.won.tie", "seat", "total"),
		say("treesociety.tie.later", "seat", "other", "rule"),
		// The score sheet.
		say("treesociety.sheet.fixed", "seat", "card", "id", "level", "rule"),
		say("treesociety.sheet.counted", "seat", "card", "id", "level", "of", "only", "count", "times", "per", "most", "rule"),
		// Moves, for a list to choose from.
		say("treesociety.move.start", "card"),
		say("treesociety.move.guild", "card"),
		say("treesociety.move.fruit", "fruit"),
		say("treesociety.move.draft", "fruit"),
		say("treesociety.move.sell", "fruit", "coins"),
		say("treesociety.move.found", "card", "price"),
		say("treesociety.move.raise", "card", "level", "price"),
		say("treesociety.move.action", "action", "coins"),
		say("treesociety.move.use", "card"),
		say("treesociety.move.skip", "card"),
		say("treesociety.move.take", "fruit"),
		say("treesociety.move.row", "row"),
		say("treesociety.move.keep", "card"),
		say("treesociety.move.keep-none"),
		say("treesociety.move.discard", "card"),
		say("treesociety.move.rest", "lost"),
		// Words.
		say("treesociety.about"),
		say("treesociety.option.guilds"),
		say("treesociety.option.startingCards"),
		say("treesociety.option.draft"),
		say("treesociety.option.banners"),
	}
	list = append(list, game.Needed(game.WhenNamed, say("treesociety.name"))...)
	for _, seat := range seatNames() {
		list = append(list, game.Needed(game.WhenNamed, say("treesociety.seat."+seat))...)
	}
	for _, c := range counts() {
		list = append(list, say("treesociety.counted."+string(c)))
	}
	for _, only := range slices.Concat(guildNames(), fruitNames(), []string{inSold, inUnsold, inBoth}) {
		list = append(list, say("treesociety.only."+only))
	}
	for _, part := range partNames() {
		list = append(list, say("treesociety.part."+part))
	}
	for _, row := range rowWords() {
		list = append(list, game.Needed(game.WhenLaid, say("treesociety.row."+row))...)
	}
	for _, phase := range phaseNames()[1:] {
		list = append(list, say("treesociety.phase."+phase))
	}
	for d := DealStart; int(d) <= deeds; d++ {
		list = append(list, say("treesociety.do."+d.String()))
	}
	return list
}

// seatNames are what the seats are called, after trees.
func seatNames() []string { return []string{"maple", "oak", "beech", "ginkgo"} }

// AppendMove writes a move as section 7 of the rules says.
func (r *Rules) AppendMove(dst []byte, m Move) []byte {
	dst = append(append(append(dst, `{"do":"`...), m.do().String()...), '"')
	switch {
	case m.do() == Row:
		dst = append(dst, `,"row":`...)
		dst = strconv.AppendQuote(dst, rowWords()[(m.id()-1)&1])
	case m.do().named():
		dst = append(dst, `,"card":`...)
		dst = strconv.AppendInt(dst, int64(m.id()), 10)
	}
	return append(dst, '}')
}

// ReadMove reads such a move. Cards that are not in the box are refused here,
// since a Move has no room for them. So is the choice of a reduction, which the
// rules never leave open: the lowest price is always taken (3.4).
func (r *Rules) ReadMove(raw []byte) (Move, error) {
	o := game.ReadObject(raw)
	name := o.Text("do")
	if err := o.Fault(); err != nil {
		return 0, err
	}
	if name == "reduce" {
		o.Raw("by")
		if err := o.Done(); err != nil {
			return 0, err
		}
		return 0, refuse("3.4", "reduce", nil)
	}
	known := []string{}
	do := Deed(0)
	for d := DealStart; int(d) <= deeds; d++ {
		known = append(known, d.String())
		if d.String() == name {
			do = d
		}
	}
	id := 0
	switch {
	case do == 0:
		return 0, game.Blame("move.do", game.Args{"do": name, "known": known})
	case do == Row:
		word := o.Text("row")
		if err := o.Done(); err != nil {
			return 0, err
		}
		id = slices.Index(rowWords(), word) + 1
		if id == 0 {
			return 0, refuse("3.15", "row", game.Args{"row": word})
		}
	case do.named():
		id = o.Number("card")
	}
	if err := o.Done(); err != nil {
		return 0, err
	}
	if do.named() && (id < 1 || id > mostCards || !r.written(move(do, uint8(id)))) {
		if do.fruit() {
			return 0, refuse("1.7", "fruit", game.Args{"card": id, "most": len(r.box.Fruits)})
		}
		return 0, refuse("1.4", "card", game.Args{"card": id, "most": len(r.box.Cards)})
	}
	return move(do, uint8(id)), nil
}

// phaseNames are the phases on the wire.
func phaseNames() []string {
	return []string{"", "start", "market", "fruit-market", "fruit", "draft", "sell", "build", "rest", "refill", "over"}
}

// View is a position in JSON: everything that lies on the table, by the ids of
// the cards, and what is going on. What stands on the cards Printed says.
type View struct {
	Seats         int      `json:"seats"`
	Guilds        []string `json:"guilds"` // in play
	StartingCards bool     `json:"startingCards"`
	Draft         bool     `json:"draft"`
	Banners       int      `json:"banners"` // that trigger the end

	Phase string   `json:"phase"` // start, market, fruit-market, fruit, draft, sell, build, rest, refill or over
	Asked string   `json:"asked"` // the kind of move that is to be made, "build" where anything may be built, or over
	ToAct any      `json:"toAct"` // a seat or "chance"; null when over
	Actor int      `json:"actor"` // whose turn it is
	Turn  int      `json:"turn"`  // turns done; in version 1 picks of a draft among them
	Round int      `json:"round"` // from 1
	End   []string `json:"end"`   // why the game ends: "banners", "fruit"; nothing while that is open
	Last  *int     `json:"last"`  // the round after which it ends, null while that is open

	Players  []PlayerView `json:"players"`
	Market   MarketView   `json:"market"`
	Deck     []int        `json:"deck"`     // guilds to come, in no order
	Discards []int        `json:"discards"` // guilds
	Stall    []*int       `json:"stall"`    // the fruit market from the left, null for a gap
	Orchard  []int        `json:"orchard"`  // fruit to come, in no order

	Sold    []int       `json:"sold"`              // fruit sold in this turn
	Action  *ActionView `json:"action"`            // of this turn's sale, null for none
	Job     *JobView    `json:"job"`               // the effect that waits or is being done, null for none
	Shown   []int       `json:"shown"`             // cards that it has revealed
	Fruit   bool        `json:"fruit"`             // they are fruit
	Draws   int         `json:"draws"`             // how many it still reveals
	Filling bool        `json:"filling"`           // the guild market is being filled
	Waiting []int       `json:"waiting,omitempty"` // guilds that were kept together, whose effects come next, in this order

	Prices []PriceView `json:"prices"` // of fruit, type by type, for the seat whose turn it is
	Quotes []QuoteView `json:"quotes"` // what it could build, and what is missing for it
}

// PlayerView is what lies in front of a player.
type PlayerView struct {
	Name      string          `json:"name"`
	Purse     int             `json:"purse"`
	Chest     int             `json:"chest"`
	Keeps     int             `json:"keeps"`     // coins at rest
	Income    int             `json:"income"`    // coins at rest, wherever they go
	Row       []int           `json:"row"`       // fruit, face up
	Pile      []int           `json:"pile"`      // fruit sold
	Progress  []*ProgressView `json:"progress"`  // by place, null for a free one
	Completed []int           `json:"completed"` // guilds
	Banners   []int           `json:"banners"`   // of completed cards, by guild in the order of the six
	All       int             `json:"all"`       // their sum
}

// ProgressView is a guild in progress.
type ProgressView struct {
	Card  int `json:"card"`
	Level int `json:"level"` // where its marker stands, 1 or 2
}

// MarketView is the guild market, each row from the left, null for a gap.
type MarketView struct {
	Top    []*int `json:"top"`
	Bottom []*int `json:"bottom"`
}

// ActionView is the fruit action of this turn.
type ActionView struct {
	Fruit  int    `json:"fruit"` // the card
	Action string `json:"action"`
	Coins  int    `json:"coins"` // of "chest"
	State  string `json:"state"` // waiting, begun (it asks for a choice) or used
}

// States of the fruit action.
const (
	actionWaiting = "waiting"
	actionBegun   = "begun"
	actionUsed    = "used"
)

// JobView is an effect that waits or is being done.
type JobView struct {
	Stage  string    `json:"stage"`          // asked (use or skip; where View.Asked is "discard" it needs that first), doing, or demanded (before its level is paid)
	Card   int       `json:"card"`           //
	Level  int       `json:"level"`          // 1 to 3
	Clause int       `json:"clause"`         // of its list, from 0
	Verb   string    `json:"verb"`           // of that clause; nothing where use or skip is asked
	Price  any       `json:"price"`          // demanded: what the level will cost as things are, else null; in version 1 the cut
	Cut    *string   `json:"cut,omitempty"`  // demanded: what is off the price besides lasting effects: "half", "free", "less 2" or nothing; not in version 1
	Drawn  bool      `json:"drawn"`          // its cards are being drawn or on the table
	Kept   *int      `json:"kept,omitempty"` // where a draw keeps several: how many so far, with the card that is demanded something for
	By     *DrawView `json:"by,omitempty"`   // demanded: the draw that goes on afterwards
}

// DrawView is the level whose effect draws.
type DrawView struct {
	Card  int `json:"card"`
	Level int `json:"level"`
}

// terms are the words for what is off the price of a demanded level.
func (v *JobView) terms(version int) (word string, ok bool) {
	if version == 1 {
		word, ok = v.Price.(string)
		return word, ok
	}
	if v.Cut == nil {
		return "", false
	}
	return *v.Cut, true
}

// stageNames are the stages of a job on the wire.
func stageNames() []string { return []string{"", "asked", "doing", "demanded"} }

// PriceView is what a sale of a type would pay, and who adds to it (2.1).
type PriceView struct {
	Type   string `json:"type"`
	Market int    `json:"market"` // cards there
	Seats  []int  `json:"seats"`  // cards in each row
	Bonus  int    `json:"bonus"`  // by continuous effects of the seat whose turn it is
	Sold   bool   `json:"sold"`   // in this turn already (2.5)
}

// QuoteView is what a level would cost now.
type QuoteView struct {
	Card  int  `json:"card"`
	Level int  `json:"level"`
	Cost  int  `json:"cost"`  // as printed
	Less  int  `json:"less"`  // what the reduction takes off
	By    any  `json:"by"`    // what reduces it: the id of a card, "action", "effect", or null
	Top   int  `json:"top"`   // the coin for the top row
	Price int  `json:"price"` // all in all
	Short int  `json:"short"` // coins that the purse lacks for it
	Place bool `json:"place"` // there is one for it
	First bool `json:"first"` // it has a mandatory effect, which may change all this
}

const (
	overWord  = "over"
	buildWord = "build"
)

// some is a card as the wire says it, nil for none.
func some(id uint8) *int {
	if id == 0 {
		return nil
	}
	n := int(id)
	return &n
}

// ViewJSON is the position as JSON.
func (r *Rules) ViewJSON(s *Position) any {
	v := View{
		Seats: r.seats, Guilds: []string{}, StartingCards: r.options.Starts, Draft: r.options.Draft, Banners: r.options.Banners,
		Phase: phaseNames()[s.phase], Asked: r.askedFor(s), Actor: int(s.actor), Turn: r.turns(s), Round: int(s.round),
		End: []string{}, Last: some(s.last), Players: []PlayerView{}, Stall: []*int{}, Sold: []int{},
		Deck: s.deck.list(), Discards: s.discards.list(), Orchard: s.orchard.list(),
		Job: r.jobView(s), Shown: []int{}, Fruit: r.showsFruit(s), Draws: int(s.draws), Filling: s.filling != 0,
		Prices: r.prices(s), Quotes: r.quotes(s),
	}
	for g, name := range guildNames() {
		if r.options.Guilds>>g&1 != 0 {
			v.Guilds = append(v.Guilds, name)
		}
	}
	if toAct := r.ToAct(s); toAct != game.None {
		v.ToAct = toAct
	}
	for i, name := range endNames() {
		if s.end>>i&1 != 0 {
			v.End = append(v.End, name)
		}
	}
	for seat := range r.seats {
		v.Players = append(v.Players, r.playerView(seatNames()[seat], &s.player[seat]))
	}
	for i := range columns {
		v.Market.Bottom = append(v.Market.Bottom, some(s.market[i]))
		v.Market.Top = append(v.Market.Top, some(s.market[i+columns]))
	}
	for _, id := range s.stall[:r.wide] {
		v.Stall = append(v.Stall, some(id))
	}
	for _, id := range s.apart[:s.sales] {
		v.Sold = append(v.Sold, int(id))
	}
	for _, id := range s.shown {
		if id != 0 {
			v.Shown = append(v.Shown, int(id))
		}
	}
	for i := int(s.waits) - 1; i >= 0; i-- {
		v.Waiting = append(v.Waiting, int(s.waiting[i]))
	}
	if s.sales > 0 {
		f := &r.fruit[s.apart[0]&127]
		v.Action = &ActionView{Fruit: int(s.apart[0]), Action: actionNames()[f.action-1], Coins: int(f.coins), State: actionWaiting}
		if s.acting != noAction {
			v.Action.State = actionBegun
		} else if s.spent != 0 {
			v.Action.State = actionUsed
		}
	}
	return v
}

// turns is how many turns are done. A pick of a draft is none (1.8), though Turn
// counts it: another seat is next after it.
func (r *Rules) turns(s *Position) int {
	if r.version == 1 || !r.options.Draft {
		return int(s.turn)
	}
	return max(int(s.turn)-r.seats*eachRow, 0)
}

// endNames say why a game ends, in the order of their bits.
func endNames() []string { return []string{"banners", "fruit"} }

// askedFor is the kind of move that is to be made.
func (r *Rules) askedFor(s *Position) string {
	switch {
	case r.ToAct(s) == game.None:
		return overWord
	case s.need == needNone && s.phase == building && s.job.stage == idle && s.acting == noAction:
		return buildWord
	}
	return r.due(s)
}

func (r *Rules) playerView(name string, p *player) PlayerView {
	v := PlayerView{
		Name: name, Purse: int(p.purse), Chest: int(p.chest), Keeps: int(p.keeps), Income: int(p.toChest) + int(p.toPurse),
		Row: p.row.list(), Pile: p.pile.list(), Completed: p.completed.list(),
	}
	for i, id := range p.place {
		var progress *ProgressView
		if id != 0 {
			progress = &ProgressView{Card: int(id), Level: int(p.level[i])}
		}
		v.Progress = append(v.Progress, progress)
	}
	for _, n := range p.banners {
		v.Banners = append(v.Banners, int(n))
		v.All += int(n)
	}
	return v
}

// jobView is the effect that waits or is being done, nil for none.
func (r *Rules) jobView(s *Position) *JobView {
	j := &s.job
	if j.stage == idle {
		return nil
	}
	v := &JobView{
		Stage: stageNames()[j.stage], Card: int(j.card), Level: int(j.level), Clause: int(j.clause), Drawn: j.drawn != 0,
	}
	cut := cutWord(j.cut)
	switch {
	case r.version == 1:
		v.Price = cut
	case j.stage == demanded:
		v.Price = r.costs(s, j.card, j.level, j.cut, r.foundAt(s, j.card, j.level)).price
		fallthrough
	default:
		v.Cut = &cut
	}
	if s.pick.card != 0 {
		kept := int(s.pick.kept)
		v.Kept = &kept
		if j.stage == demanded {
			v.By = &DrawView{Card: int(s.pick.card), Level: int(s.pick.level)}
		}
	}
	if clauses := r.list(j); j.stage != asked && int(j.clause) < len(clauses) {
		v.Verb = string(clauseVerbs()[clauses[j.clause].verb-1])
	}
	return v
}

// prices is what sales would pay, wherever a seat chooses fruit.
func (r *Rules) prices(s *Position) []PriceView {
	list := []PriceView{}
	if s.phase < drafting || s.phase > taking {
		return list
	}
	for t, name := range fruitNames() {
		v := PriceView{Type: name, Market: int(s.visible[t]), Seats: []int{}, Bonus: int(s.me().bonus[t]), Sold: s.types>>t&1 != 0}
		for seat := range r.seats {
			n := int(s.player[seat].unsold[t])
			v.Seats = append(v.Seats, n)
			v.Market -= n
		}
		list = append(list, v)
	}
	return list
}

// quotes is what everything would cost that the seat whose turn it is could
// build: between effects whatever lies there, while an effect waits or is being
// done only what that can build.
func (r *Rules) quotes(s *Position) []QuoteView {
	list := []QuoteView{}
	if s.phase != selling && s.phase != building {
		return list
	}
	p := s.me()
	c := r.building(s)
	quote := func(id, level uint8, slot int) {
		cost := r.costs(s, id, level, c.cut, slot)
		list = append(list, QuoteView{
			Card: int(id), Level: int(level), Cost: cost.base, Less: cost.off, By: cost.by, Top: cost.extra, Price: cost.price,
			Short: max(cost.price-int(p.purse), 0), Place: level > 1 || p.free() >= 0,
			First: len(r.card[id&127].level[(level-1)%levels].first) > 0,
		})
	}
	if s.job.stage == demanded && r.version > 1 {
		quote(s.job.card, s.job.level, r.foundAt(s, s.job.card, s.job.level))
		return list
	}
	fits := func(id, level uint8) bool { return c.builds(r.card[id&127].guild, level) }
	if c.verb == found || c.verb == build {
		for slot, id := range s.market {
			if id != 0 && fits(id, 1) {
				quote(id, 1, slot)
			}
		}
	}
	if c.verb == raise || c.verb == build {
		for i, id := range p.place {
			if id != 0 && fits(id, p.level[i]+1) && (c.other == 0 || id != s.job.card) {
				quote(id, p.level[i]+1, -1)
			}
		}
	}
	if s.job.stage == doing && s.job.drawn != 0 && !r.showsFruit(s) {
		for _, id := range s.shown {
			if id != 0 {
				quote(id, 1, -1)
			}
		}
	}
	return list
}

// building is the clause by which something could be built: of the fruit action
// or the effect that waits or is being done, or one that lets build anything
// where there is none. In version 1 it was the latter also while an effect
// waited, at the price of the clause that was being done.
func (r *Rules) building(s *Position) clause {
	switch {
	case r.version == 1:
		return anything(r.cut(s))
	case s.acting == buildNow:
		return anything(offByAction)
	case s.job.stage == idle:
		return anything(noCut)
	case s.job.stage == demanded:
		return clause{cut: s.job.cut}
	}
	list := r.list(&s.job)
	return list[len(list)-1] // what builds comes last (3.7)
}

// foundAt is the slot of the guild market from which a level is founded, -1 where
// it is raised or was drawn.
func (r *Rules) foundAt(s *Position, id, level uint8) int {
	if level > 1 {
		return -1
	}
	return s.slot(id)
}

// CardView is a guild card as it is printed, and in words.
type CardView struct {
	Card
	Words []LevelWords `json:"words"` // level by level
}

// FruitView is a fruit card as it is printed, and its action in words.
type FruitView struct {
	Fruit
	Words Sentence `json:"words"`
}

// PrintedView is all that stands on the cards of a box.
type PrintedView struct {
	Cards  []CardView  `json:"cards"`
	Fruits []FruitView `json:"fruits"`
}

// Printed is what stands on the cards of the box, in the language of effects for
// whoever draws symbols, and in words.
func (r *Rules) Printed() any {
	v := PrintedView{Cards: []CardView{}, Fruits: []FruitView{}}
	for i := range r.box.Cards {
		v.Cards = append(v.Cards, CardView{r.box.Cards[i], r.box.Cards[i].Words()})
	}
	for i := range r.box.Fruits {
		v.Fruits = append(v.Fruits, FruitView{r.box.Fruits[i], r.box.Fruits[i].Words()})
	}
	return v
}

const lessWord = "less "

// cutWord is a price on the wire.
func cutWord(cut uint8) string {
	switch cut {
	case noCut:
		return ""
	case half:
		return "half"
	case free:
		return "free"
	}
	return lessWord + strconv.Itoa(int(cut))
}

// readCut reads such a price.
func readCut(word string) (uint8, bool) {
	for cut := range uint8(free + 1) {
		if cut <= mostCost || cut >= half {
			if cutWord(cut) == word {
				return cut, true
			}
		}
	}
	return 0, false
}

// ReadView reads a view back. Of it only what cannot be computed counts; what
// follows is left for the comparison with the view that the rules would write.
func (r *Rules) ReadView(raw []byte) (Position, error) {
	var v View
	if err := game.Unmarshal(raw, &v); err != nil {
		return Position{}, game.Misread("view.impossible", "view", err)
	}
	return r.readTable(&v)
}
