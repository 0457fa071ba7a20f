package treesociety

import (
	"slices"

	"copse/game"
)

// Nothing is hidden but the order of the decks, which does not exist before it
// is needed (5.1): Rules embeds game.Open. What is left to see to is that a view
// from outside is a position that the rules can go on from.

// impossible blames a part of a view that no game of Tree Society can show.
func impossible(path string) error {
	return game.Blame("view.impossible", game.Args{"path": "view." + path})
}

// Bounds of what a view may claim. No game comes near them: with the richest
// deck a turn builds the levels of twelve new cards and of three in progress, 42,
// each with eight clauses that bring 50 coins, and at rest a purse begins anew.
const (
	mostPurse = 40_000
	mostTurns = mostCards + game.MaxSeats*eachRow
)

// reading is a view that is being read: the cards that are accounted for so far.
type reading struct {
	r      *Rules
	s      Position
	guilds set // met
	fruits set
	err    error
}

// readTable makes a position of a view.
func (r *Rules) readTable(v *View) (Position, error) {
	t := &reading{r: r}
	s := &t.s
	phase := slices.Index(phaseNames()[1:], v.Phase) + 1
	if phase == 0 {
		return Position{}, impossible("phase")
	}
	s.phase = uint8(phase)
	if v.Seats != r.seats || len(v.Players) != r.seats {
		return Position{}, impossible("seats")
	}
	for _, read := range []func(*View){t.readPlayers, t.readMarkets, t.readTurn, t.readJob, t.readEnd} {
		if read(v); t.err != nil {
			return Position{}, t.err
		}
	}
	if err := t.whole(); err != nil {
		return Position{}, err
	}
	if err := t.sound(); err != nil {
		return Position{}, err
	}
	return t.s, nil
}

// blame keeps the first thing found impossible.
//
//go:noinline
func (t *reading) blame(path string) {
	if t.err == nil {
		t.err = impossible(path)
	}
}

// guild meets a guild card.
func (t *reading) guild(path string, id int) uint8 {
	if id < 1 || id > len(t.r.box.Cards) || t.guilds.has(uint8(id)) {
		t.blame(path)
		return 0
	}
	t.guilds.add(uint8(id))
	return uint8(id)
}

// fruit meets a fruit card.
func (t *reading) fruit(path string, id int) uint8 {
	if id < 1 || id > len(t.r.box.Fruits) || !t.r.blank.orchard.has(uint8(id)) || t.fruits.has(uint8(id)) {
		t.blame(path)
		return 0
	}
	t.fruits.add(uint8(id))
	return uint8(id)
}

// small reads a number within bounds.
func (t *reading) small(path string, n, most int) int {
	if n < 0 || n > most {
		t.blame(path)
		return 0
	}
	return n
}

func (t *reading) readPlayers(v *View) {
	for seat := range v.Players {
		in, p, path := &v.Players[seat], &t.s.player[seat], game.At("players", seat)
		p.purse = uint16(t.small(path+".purse", in.Purse, mostPurse))
		p.chest = uint16(t.small(path+".chest", in.Chest, mostPurse))
		for i, card := range in.Row {
			if id := t.fruit(game.At(path+".row", i), card); id != 0 {
				t.r.own(p, id)
				t.s.visible[t.r.fruit[id].kind]++
			}
		}
		for i, card := range in.Pile {
			if id := t.fruit(game.At(path+".pile", i), card); id != 0 {
				p.pile.add(id)
				p.sold[t.r.fruit[id].kind]++
			}
		}
		if len(in.Progress) != places {
			t.blame(path + ".progress")
			return
		}
		for i, g := range in.Progress {
			if g == nil {
				continue
			}
			here := game.At(path+".progress", i)
			if g.Level < 1 || g.Level >= levels {
				t.blame(here + ".level")
				return
			}
			p.place[i], p.level[i] = t.guild(here, g.Card), uint8(g.Level)
		}
		for i, card := range in.Completed {
			if id := t.guild(game.At(path+".completed", i), card); id != 0 {
				p.completed.add(id)
				p.banners[t.r.card[id].guild] += t.r.card[id].banners
			}
		}
		if t.err != nil {
			return
		}
		t.r.refit(p)
	}
}

func (t *reading) readMarkets(v *View) {
	s := &t.s
	if len(v.Market.Bottom) != columns || len(v.Market.Top) != columns {
		t.blame("market")
		return
	}
	if len(v.Stall) != t.r.wide {
		t.blame("stall")
		return
	}
	for i, card := range slices.Concat(v.Market.Bottom, v.Market.Top) {
		if card != nil {
			s.market[i] = t.guild(game.At("market."+rowWord(i), i%columns), *card)
		}
	}
	for i, card := range v.Stall {
		if card == nil {
			continue
		}
		if id := t.fruit(game.At("stall", i), *card); id != 0 {
			s.stall[i] = id
			s.visible[t.r.fruit[id].kind]++
		}
	}
	for i, id := range v.Deck {
		s.deck.add(t.guild(game.At("deck", i), id))
	}
	for i, id := range v.Discards {
		s.discards.add(t.guild(game.At("discards", i), id))
	}
	for i, id := range v.Orchard {
		s.orchard.add(t.fruit(game.At("orchard", i), id))
	}
}

// readTurn reads whose turn it is, and what was sold in it.
func (t *reading) readTurn(v *View) {
	s := &t.s
	s.actor = game.Seat(t.small("actor", v.Actor, t.r.seats-1))
	s.turn = uint8(t.small("turn", v.Turn, mostTurns) + t.picked())
	s.round = uint8(t.small("round", v.Round, mostTurns))
	if len(v.Sold) > types {
		t.blame("sold")
		return
	}
	for i, card := range v.Sold {
		id := t.fruit(game.At("sold", i), card)
		kind := t.r.fruit[id].kind
		if id == 0 || s.types>>kind&1 != 0 {
			t.blame(game.At("sold", i))
			return
		}
		s.apart[i], s.types = id, s.types|1<<kind
		s.sales++
	}
	if (v.Action != nil) != (s.sales > 0) || s.sales > 0 && s.phase != building {
		t.blame("action")
		return
	}
	if v.Action == nil {
		return
	}
	action := t.r.fruit[s.apart[0]].action
	switch v.Action.State {
	case actionWaiting:
	case actionUsed:
		s.spent = 1
	case actionBegun:
		s.spent, s.acting = 1, action
		if action == intoChest {
			t.blame("action.state")
		}
	default:
		t.blame("action.state")
	}
}

// picked is how many cards were drafted, where the turns of a view do not count
// that.
func (t *reading) picked() int {
	r, s := t.r, &t.s
	switch {
	case r.version == 1 || !r.options.Draft || s.phase < drafting:
		return 0
	case s.phase > drafting:
		return r.seats * eachRow
	}
	n := 0
	for seat := range r.seats {
		n += s.player[seat].row.size()
	}
	return min(n, r.seats*eachRow)
}

// readJob reads the effect that waits or is being done, and what it has drawn.
func (t *reading) readJob(v *View) {
	s := &t.s
	s.draws = uint8(t.small("draws", v.Draws, mostDrawn))
	s.filling = one(v.Filling)
	if v.Job != nil {
		t.readStage(v.Job)
	}
	if len(v.Shown) > mostDrawn {
		t.blame("shown")
	}
	t.readWaiting(v)
	if t.err != nil {
		return
	}
	for i, card := range v.Shown {
		path := game.At("shown", i)
		if t.r.showsFruit(s) {
			s.shown[i] = t.fruit(path, card)
		} else {
			s.shown[i] = t.guild(path, card)
		}
	}
}

// readWaiting reads the guilds that were kept together and whose effects wait. They
// may have been discarded since.
func (t *reading) readWaiting(v *View) {
	s := &t.s
	n := len(v.Waiting)
	due := int(s.pick.kept) // of them by the draw that goes on
	if s.job.stage == demanded && due > 0 {
		due--
	}
	if n > mostWaiting || n > 0 && t.r.version < 3 || !t.showsFruit() && n < due {
		t.blame("waiting")
		return
	}
	for i, card := range v.Waiting {
		if card < 1 || card > len(t.r.box.Cards) || !t.r.blank.deck.has(uint8(card)) {
			t.blame(game.At("waiting", i))
			return
		}
		s.waiting[n-1-i] = uint8(card)
	}
	s.waits = uint8(n)
}

// showsFruit tells whether fruit is drawn.
func (t *reading) showsFruit() bool { return t.r.showsFruit(&t.s) }

// readPick reads how far a draw is that keeps several: that of the job or, where a
// guild that it keeps demands something, another.
func (t *reading) readPick(in *JobView) {
	j := &t.s.job
	by := job{stage: doing, card: j.card, level: j.level, clause: j.clause}
	if in.By != nil {
		if j.stage != demanded || j.level != 1 || in.By.Card < 1 || in.By.Card > len(t.r.box.Cards) || in.By.Level < 1 || in.By.Level > levels {
			t.blame("job.by")
			return
		}
		by.card, by.level = uint8(in.By.Card), uint8(in.By.Level)
		by.clause = uint8(len(t.r.list(&by)) - 1)
	}
	list := t.r.list(&by)
	several := int(by.clause) < len(list) && list[by.clause].keep > 1 && (j.drawn != 0 || in.By != nil && list[by.clause].verb == drawGuild)
	if several != (in.Kept != nil) {
		t.blame("job.kept")
		return
	}
	if !several {
		return
	}
	least, most := 0, int(list[by.clause].keep)-1
	if in.By != nil {
		least, most = 1, most+1
	}
	if *in.Kept < least || *in.Kept > most {
		t.blame("job.kept")
		return
	}
	t.s.pick = drawing{card: by.card, level: by.level, kept: uint8(*in.Kept)}
}

func (t *reading) readStage(in *JobView) {
	j := &t.s.job
	stage := slices.Index(stageNames(), in.Stage)
	word, ok := in.terms(t.r.version)
	cut, known := readCut(word)
	if stage <= int(idle) || !ok || !known || in.Card < 1 || in.Card > len(t.r.box.Cards) || in.Level < 1 || in.Level > levels || t.s.phase != building {
		t.blame("job")
		return
	}
	*j = job{stage: uint8(stage), card: uint8(in.Card), level: uint8(in.Level), cut: cut, drawn: one(in.Drawn)}
	list := t.r.list(j)
	if in.Clause < 0 || in.Clause > len(list) || len(list) == 0 {
		t.blame("job.clause")
		return
	}
	j.clause = uint8(in.Clause)
	draws := in.Clause < len(list) && (list[in.Clause].verb == drawFruit || list[in.Clause].verb == drawGuild)
	switch {
	case in.Drawn && !draws:
		t.blame("job.drawn")
	case j.stage == asked && (in.Clause != 0 || in.Drawn),
		in.Clause == len(list) && t.s.acting != noAction: // the end is only waited for while chance draws
		t.blame("job.clause")
	case j.stage != demanded && cut != noCut:
		t.blame(map[bool]string{true: "job.price", false: "job.cut"}[t.r.version == 1])
	default:
		t.readPick(in)
	}
}

// readEnd reads how far the end is.
func (t *reading) readEnd(v *View) {
	s := &t.s
	for _, name := range v.End {
		i := slices.Index(endNames(), name)
		if i < 0 {
			t.blame("end")
			return
		}
		s.end |= 1 << i
	}
	if v.Last != nil {
		s.last = uint8(t.small("last", *v.Last, mostTurns+1))
	}
	ahead := int(s.last) - int(s.round)
	switch {
	case s.end == 0 && s.last != 0,
		s.end != 0 && ahead != 0 && ahead != 1,
		s.end&byFruit != 0 && (ahead != 0 || !s.orchard.empty()),
		s.phase == over && (s.end == 0 || ahead != 0):
		t.blame("last")
	}
}

// whole makes sure that every card of the game is somewhere, once.
func (t *reading) whole() error {
	if t.fruits != t.r.blank.orchard {
		return impossible("orchard")
	}
	due := t.r.blank.deck
	if t.r.leftovers() > 0 && t.s.phase > starting {
		met := t.guilds
		met[0] &= t.r.starts[0]
		met[1] &= t.r.starts[1]
		if met.size() != t.r.seats {
			return impossible("deck")
		}
		due.without(&t.r.starts)
		due.join(&met)
	}
	if t.guilds != due {
		return impossible("deck")
	}
	return nil
}

// sound makes sure that the rules can go on: whatever goes on by itself has gone
// on, and what was begun can be finished.
func (t *reading) sound() error {
	r, s := t.r, &t.s
	if s.phase < drafting {
		return t.setUp()
	}
	picks := 0
	if r.options.Draft {
		picks = r.seats * eachRow
	}
	turn := (int(s.round)-1)*r.seats + int(s.actor) + picks
	switch {
	case s.phase == drafting:
		if err := t.drafted(); err != nil {
			return err
		}
		turn = int(s.dealt)
	case s.phase == over:
		turn += r.seats
	}
	if s.round < 1 || turn != int(s.turn) || s.phase == over && s.actor != 0 {
		return impossible("turn")
	}
	if !t.drawsFit() {
		return impossible("shown")
	}
	probe := *s
	if s.draws > 0 && r.showsFruit(s) { // what is being drawn is as good as in the deck
		for _, id := range s.shown {
			if id != 0 {
				probe.orchard.add(id)
			}
		}
		probe.shown, probe.job.drawn, probe.pick = [mostDrawn]uint8{}, 0, drawing{}
	}
	if s.filling != 0 { // and a market that is being filled is as good as full
		r.foresee(&probe)
	}
	if s.job.stage == asked && (s.acting != noAction || !r.canUse(s) && !(r.version > 2 && r.helped(s))) || !r.goesOn(s, &probe) {
		return impossible("job")
	}
	if s.job.stage == demanded && !t.buildable() {
		return impossible("job")
	}
	if s.phase == selling && s.me().row.empty() || s.phase == taking && !s.offered() {
		return impossible("phase")
	}
	probe = *s
	r.next(&probe, nil)
	s.need = probe.need // it follows from the rest
	if probe != *s {
		return impossible("phase")
	}
	if s.phase == closing && s.need == needNone {
		return impossible("phase")
	}
	return nil
}

// goesOn tells whether what was begun can be finished, by a position in which
// whatever is being drawn is as good as drawn.
func (r *Rules) goesOn(s, probe *Position) bool {
	if r.version > 1 {
		return r.canFill(probe)
	}
	return r.canFinish(probe) || r.stuck(s)
}

// buildable makes sure that a level that is to be built is the next of its card.
func (t *reading) buildable() bool {
	p, j := t.s.me(), &t.s.job
	if at := p.at(j.card); at >= 0 {
		return p.level[at]+1 == j.level
	}
	return j.level == 1
}

// drawsFit makes sure that cards are drawn, or being drawn, only where a clause
// has said so.
func (t *reading) drawsFit() bool {
	r, s := t.r, &t.s
	n := 0
	for _, id := range s.shown {
		if id != 0 {
			n++
		}
	}
	j, kept := &s.job, int(s.pick.kept)
	if j.stage == doing && j.drawn != 0 {
		due := n + int(s.draws)
		return due+kept <= int(r.clause(s).number) && due > 0 && (s.draws == 0 || kept == 0)
	}
	switch {
	case s.draws != 0:
		return false
	case n == 0:
		return s.pick.card == 0
	case j.stage != demanded || j.level != 1 || !s.shows(j.card):
		return false
	case s.pick.card == 0:
		return n == 1
	}
	by := job{stage: doing, card: s.pick.card, level: s.pick.level}
	list := r.list(&by)
	c := &list[len(list)-1]
	return n+kept-1 <= int(c.number) && (kept < int(c.keep) || n == 1)
}

// setUp plays the beginning once more, card by card as they lie (1.9).
func (t *reading) setUp() error {
	r, want := t.r, &t.s
	s := r.Start()
	for s != *want {
		var m Move
		switch s.need {
		case needStart:
			m = move(DealStart, want.player[s.dealt&3].place[0])
		case needGuild:
			m = move(DealGuild, want.market[s.slot(0)])
		case needFruit:
			if s.phase == stocking {
				m = move(DealFruit, want.stall[slices.Index(s.stall[:], 0)])
				break
			}
			left := want.player[int(s.dealt)/eachRow&3].row
			left.without(&s.player[int(s.dealt)/eachRow&3].row)
			if left.empty() {
				return t.settle(s)
			}
			m = move(DealFruit, left.lowest())
		}
		if r.Check(&s, game.Chance, m) != nil {
			return t.settle(s)
		}
		r.Play(&s, game.Chance, m, nil)
		if s.phase >= drafting {
			return impossible("phase")
		}
	}
	return nil
}

// settle takes the beginning as far as it was played: whatever a view shows
// besides shows in the comparison.
func (t *reading) settle(s Position) error {
	if s.phase != t.s.phase {
		return impossible("phase")
	}
	t.s = s
	return nil
}

// drafted makes sure of the order of a draft (1.8).
func (t *reading) drafted() error {
	r, s := t.r, &t.s
	s.dealt = s.turn
	for seat := range r.seats {
		if s.player[seat].row.size() != (int(s.dealt)+r.seats-1-seat)/r.seats {
			return impossible("turn")
		}
	}
	if int(s.dealt) >= r.seats*eachRow+1 || s.round != 1 || int(s.actor) != int(s.dealt)%r.seats || !r.options.Draft {
		return impossible("turn")
	}
	return nil
}
