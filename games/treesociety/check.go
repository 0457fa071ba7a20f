package treesociety

import (
	"slices"

	"copse/game"
)

// Check says why a move is not allowed. Whether it is, the list says; why it is
// not, is found out afterwards.
func (r *Rules) Check(s *Position, seat game.Seat, m Move) error {
	toAct := r.ToAct(s)
	switch {
	case toAct == game.None:
		return refuse("6.1", "over", nil)
	case seat != toAct && toAct == game.Chance:
		return refuse("1.9", "wait", game.Args{"due": r.due(s)})
	case seat != toAct:
		return refuse("1.1", "turn", game.Args{"seat": toAct})
	}
	var room [256]Move
	if slices.Contains(r.Moves(s, seat, room[:0]), m) {
		return nil
	}
	if !r.written(m) {
		return refuse(r.dueRule(s), "unknown", game.Args{"due": r.due(s)})
	}
	if toAct == game.Chance {
		return r.noDeal(s, m)
	}
	switch s.phase {
	case drafting:
		return r.noOffer(s, m, Draft, "1.8")
	case selling:
		if m.do() == Sell {
			return refuse("2.1", "sell.row", r.fruitArgs(m.id(), nil))
		}
	case taking:
		return r.noOffer(s, m, Take, "4.1")
	case building:
		return r.noChoice(s, m)
	}
	return r.notNow(s, m)
}

//go:noinline
func refuse(rule, key string, args game.Args) error {
	return game.Refuse(rule, "treesociety.refuse."+key, args)
}

// written tells whether a move could be written down: a deed, with a card of the
// box or a row where it names one.
func (r *Rules) written(m Move) bool {
	id := int(m.id())
	switch do := m.do(); {
	case do < DealStart || int(do) > deeds:
		return false
	case do == Row:
		return id == int(bottomRow) || id == int(topRow)
	case !do.named():
		return id == 0
	case do.fruit():
		return id >= 1 && id <= len(r.box.Fruits)
	case do == Keep:
		return id >= 1 && id <= max(len(r.box.Fruits), len(r.box.Cards))
	}
	return id >= 1 && id <= len(r.box.Cards)
}

// fruit tells whether a deed names a fruit card.
func (d Deed) fruit() bool { return d == DealFruit || d == Draft || d == Sell || d == Take }

// due names the move that is to be made now.
func (r *Rules) due(s *Position) string { return r.dueDeed(s).String() }

func (r *Rules) dueDeed(s *Position) Deed {
	switch s.need {
	case needStart:
		return DealStart
	case needGuild:
		return DealGuild
	case needFruit:
		return DealFruit
	}
	switch s.phase {
	case drafting:
		return Draft
	case selling:
		return Sell
	case taking:
		return Take
	}
	switch {
	case r.wants(s):
		return Discard
	case s.job.stage == asked:
		return Use
	case s.job.stage == idle && s.acting == noAction:
		return Found
	}
	switch r.asks(s) {
	case sell:
		return Sell
	case take:
		return Take
	case refresh:
		return Row
	case discard:
		return Discard
	case drawFruit, drawGuild:
		return Keep
	case raise:
		return Raise
	}
	return Found
}

// dueRule is the rule that says what is to be done now.
func (r *Rules) dueRule(s *Position) string {
	switch {
	case s.need != needNone:
		return "1.9"
	case s.phase == drafting:
		return "1.8"
	case s.phase == selling:
		return "2.1"
	case s.phase == taking:
		return "4.1"
	case s.acting != noAction:
		return "3.15"
	case s.job.stage == demanded:
		return "3.11"
	case s.job.stage != idle:
		return "3.6"
	}
	return "3.1"
}

// notNow refuses a move that may be right at another time.
func (r *Rules) notNow(s *Position, m Move) error {
	return refuse(r.dueRule(s), "not-now", game.Args{"do": m.do().String(), "due": r.due(s)})
}

// noDeal says why a card cannot come now.
func (r *Rules) noDeal(s *Position, m Move) error {
	id := m.id()
	if m.do() != r.dueDeed(s) {
		return r.notNow(s, m)
	}
	switch m.do() {
	case DealStart:
		if !r.starts.has(id) {
			return refuse("1.5", "deal.start", r.cardArgs(id, nil))
		}
	case DealFruit:
		if s.orchard.has(id) {
			return refuse("1.7", "deal.type", r.fruitArgs(id, nil))
		}
		return refuse("1.9", "deal.fruit", r.fruitArgs(id, nil))
	}
	return refuse("1.9", "deal.guild", r.cardArgs(id, nil))
}

// noOffer says why a card of the fruit market cannot be taken.
func (r *Rules) noOffer(s *Position, m Move, due Deed, rule string) error {
	if m.do() != due {
		return r.notNow(s, m)
	}
	return refuse(rule, "take.market", r.fruitArgs(m.id(), nil))
}

// noChoice says why something cannot be done in the build phase.
func (r *Rules) noChoice(s *Position, m Move) error {
	waits := s.job.stage != idle || s.acting != noAction
	switch m.do() {
	case DealStart, DealGuild, DealFruit, Draft:
		return r.notNow(s, m)
	case Discard:
		return r.noDiscard(s, m)
	case Action:
		return r.noAction(s)
	case Use, Skip:
		if s.job.stage == asked {
			return refuse("3.6", "use", r.jobArgs(s))
		}
		return refuse("3.6", "nothing", nil)
	case Rest:
		return refuse(r.dueRule(s), "rest", game.Args{"due": r.due(s)})
	}
	if s.job.stage == asked {
		return refuse("3.6", "decide", r.jobArgs(s))
	}
	switch m.do() {
	case Sell:
		return r.noSale(s, m)
	case Found, Raise:
		if waits && !r.asksToBuild(s) {
			return r.notNow(s, m)
		}
		return r.noBuilding(s, m)
	}
	if !waits {
		return r.notNow(s, m)
	}
	switch asks := r.asks(s); {
	case m.do() == Take && asks == take:
		if slices.Contains(s.stall[:], m.id()) {
			return r.unfinished(s)
		}
		return r.noOffer(s, m, Take, "3.15")
	case m.do() == Row && asks == refresh:
		if s.holds(m.id()) {
			return r.unfinished(s)
		}
		return refuse("3.15", "row", game.Args{"row": rowWords()[m.id()-1]})
	case m.do() == Keep && asks == drawFruit:
		if s.shows(m.id()) {
			return r.unfinished(s)
		}
		return refuse("3.12", "keep.fruit", r.fruitArgs(m.id(), nil))
	case m.do() == KeepNone && asks == drawFruit:
		if left := r.clause(s).keep - s.pick.kept; left > 1 {
			return refuse("3.12", "keep.several", game.Args{"left": int(left)})
		}
		return refuse("3.12", "keep.one", nil)
	case m.do() == Keep && asks == drawGuild:
		if !s.shows(m.id()) {
			return refuse("3.12", "keep.guild", r.cardArgs(m.id(), nil))
		}
		if s.waits == mostWaiting {
			return refuse("3.12", "keep.waiting", game.Args{"most": mostWaiting})
		}
		return r.noLevel(s, m.id(), 1, r.clause(s).cut)
	}
	return r.notNow(s, m)
}

// asksToBuild tells whether an effect or the fruit action waits for a level to
// build.
func (r *Rules) asksToBuild(s *Position) bool {
	v := r.asks(s)
	return v == found || v == raise || v == build
}

// unfinished refuses what would leave something undone that was begun.
func (r *Rules) unfinished(s *Position) error {
	if s.job.stage == demanded {
		return refuse("3.11", "unfinished.demand", r.jobArgs(s))
	}
	return refuse("3.6", "unfinished", r.jobArgs(s))
}

func (r *Rules) noSale(s *Position, m Move) error {
	id := m.id()
	waits := s.acting == extraSale || s.acting == noAction && s.job.stage > asked && r.asks(s) == sell
	switch {
	case !waits && s.job.stage == idle && s.acting == noAction:
		return refuse("2.1", "sell.once", nil)
	case !waits:
		return r.notNow(s, m)
	case !s.me().row.has(id):
		return refuse("2.1", "sell.row", r.fruitArgs(id, nil))
	case s.types>>r.fruit[id&127].kind&1 != 0:
		return refuse("2.5", "sell.type", r.fruitArgs(id, nil))
	}
	return r.unfinished(s)
}

// noBuilding says why a level cannot be built.
func (r *Rules) noBuilding(s *Position, m Move) error {
	id, p := m.id(), s.me()
	c := anything(noCut)
	switch {
	case s.acting == buildNow:
		c.cut = offByAction
	case s.job.stage == doing:
		c = *r.clause(s)
	}
	at := p.at(id)
	switch {
	case m.do() == Found && c.verb == raise, m.do() == Raise && c.verb == found:
		return r.notNow(s, m)
	case m.do() == Found && at >= 0:
		return refuse("3.1", "found.progress", r.cardArgs(id, nil))
	case m.do() == Found && s.slot(id) < 0:
		return refuse("3.1", "found.market", r.cardArgs(id, nil))
	case m.do() == Raise && p.completed.has(id):
		return refuse("3.2", "raise.completed", r.cardArgs(id, nil))
	case m.do() == Raise && at < 0:
		return refuse("3.2", "raise.progress", r.cardArgs(id, nil))
	case c.guilds>>r.card[id&127].guild&1 == 0:
		return refuse("3.6", "build.guild", r.cardArgs(id, game.Args{"guild": guildNames()[r.card[id&127].guild]}))
	case m.do() == Raise && c.other != 0 && id == s.job.card:
		return refuse("3.6", "build.other", r.cardArgs(id, nil))
	}
	level := uint8(1)
	if m.do() == Raise {
		level = p.level[at] + 1
	}
	if c.levels>>(level-1)&1 == 0 {
		return refuse("3.6", "build.level", r.cardArgs(id, game.Args{"level": int(level)}))
	}
	return r.noLevel(s, id, level, c.cut)
}

// noLevel says why a level cannot be paid or put anywhere.
func (r *Rules) noLevel(s *Position, id, level, cut uint8) error {
	p := s.me()
	if len(r.card[id&127].level[(level-1)%levels].first) > 0 {
		return refuse("3.11", "demand", r.cardArgs(id, game.Args{"level": int(level)}))
	}
	if level == 1 && p.free() < 0 {
		return refuse("3.1", "places", r.cardArgs(id, game.Args{"most": places}))
	}
	slot := -1
	if level == 1 {
		slot = s.slot(id)
	}
	price := r.price(p, id, level, cut) + topCoin(slot)
	return refuse("3.3", "price", r.cardArgs(id, game.Args{
		"level": int(level), "price": price, "purse": int(p.purse), "short": price - int(p.purse),
	}))
}

func (r *Rules) noAction(s *Position) error {
	if s.sales == 0 {
		return refuse("2.2", "action.none", nil)
	}
	f := &r.fruit[s.apart[0]&127]
	name := actionNames()[f.action-1]
	switch {
	case s.spent != 0:
		return refuse("3.15", "action.spent", game.Args{"action": name})
	case s.job.stage == asked:
		return refuse("3.15", "action.between", r.jobArgs(s))
	case r.effectWaits(s) != 0:
		return refuse("3.15", "action.between", r.cardArgs(r.effectWaits(s), game.Args{"seat": s.actor, "level": 1}))
	case s.job.stage != idle && f.action == buildNow:
		return refuse("3.6", "action.build", r.jobArgs(s))
	case s.job.stage != idle && r.canAct(s, f.action):
		return r.unfinished(s)
	}
	return refuse("3.15", "action.impossible", game.Args{"action": name})
}

func (r *Rules) noDiscard(s *Position, m Move) error {
	id, p := m.id(), s.me()
	if p.at(id) < 0 && !p.completed.has(id) {
		return refuse("3.14", "discard", r.cardArgs(id, nil))
	}
	if s.acting != noAction && s.job.stage == idle {
		return refuse("3.15", "discard.action", r.cardArgs(id, game.Args{"action": actionNames()[s.acting-1]}))
	}
	return r.unfinished(s)
}
