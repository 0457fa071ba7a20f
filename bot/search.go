package bot

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"copse/game"
)

// effort is how hard a player searches, as data: it counts what it looks at and not
// time, so that it finds the same move on every machine.
type effort struct {
	worlds     int  // worlds that are imagined to find the turns worth comparing
	width      int  // positions from which a plan goes on at a time
	ways       int  // turns with the same first move that are compared
	turns      int  // turns that are compared by playing on
	planned    int  // turns that playouts would make, to be compared as well where whole turns are
	budget     int  // milliseconds for playing on, by the pace of the game
	own        int  // the same of the level that a trial changes; 0 where it is budget
	exactly    bool // for so long at every table
	weighed    bool // a point of margin counts so much, where a win counts 1, and not as usual:
	marginPart float64
	share      float64 // the part of the moves that the player sees at all; 1 for all
	bound      float64 // a mistake costs no more than so many points
	solve      int     // positions that may be looked at to solve the end of a game
	exact      int     // positions that may be looked at to solve the last rounds exactly
	hunch      int     // playouts for which counts what a net says right after a turn, or asSaid; 0 for none
	far        int     // turns that are played on before a net judges, or asSaid; 0 for no net
	trusting   bool    // judges by a net also where the game trusts none
	former     bool    // judges by the net that was there before the last one came
	hasty      bool    // plays as playouts do, where the game has plans
	ends       bool    // plays out to the end, also where the game says that less is enough
}

// asSaid stands for a number that the game says (game.Featurer).
const asSaid = -1

// ownBudget is the budget by which a game says whether and how it asks nets. What a level is
// trusted with it is trusted with in trials of another budget too.
func (e *effort) ownBudget() int { return cmp.Or(e.own, e.budget) }

// longestLine is how many small moves of a turn are thought of at once.
const longestLine = 20

// line is a turn, small move by small move, up to its end or to chance.
type line[M comparable] struct {
	moves [longestLine]M
	n     int
}

// outlined is a line, and the position to which it leads.
type outlined[S, M comparable] struct {
	line   line[M]
	s      S
	worth  float64
	closed bool // what comes next is no part of the line any more
}

// candidate is a turn that is compared with others.
type candidate[M comparable] struct {
	line   line[M]
	worth  float64 // the mean over the worlds in which it was found
	worlds int
	result // of all its playouts
	played int
	hunch  int64 // what the net says of it, as often as that counts beside them
}

// result is what playouts of a turn brought together, in parts of whole numbers: so
// their sum is the same in whatever order they are added, and whoever added them.
type result struct {
	reward int64
	wins   int64 // shares of the win
	margin int64
}

// whole is how many parts a win or a point is made of. A win can be shared by
// two, three or four.
const whole = 12_000_000

// parts is x in whole parts.
func parts(x float64) int64 { return int64(math.Round(x * whole)) }

func (r *result) add(o result) {
	r.reward += o.reward
	r.wins += o.wins
	r.margin += o.margin
}

// mean is what one of its playouts brought, of a sum of all of them.
func (c *candidate[M]) mean(sum int64) float64 {
	return float64(sum) / (whole * float64(max(c.played, 1)))
}

// search compares whole turns by playing games on from them. The turns are the best
// of those that a plan finds. Playouts are shared among them by sequential halving.
// Each playout draws a world from what the seat believes, and everyone plays by the
// plans of the game. All turns that are compared meet the same world and the same
// luck.
func search[S, M comparable](m *mind[S, M], e *effort) []choice[M] {
	x, forced, ended := prepare(m, e)
	if ended {
		return []choice[M]{{move: forced[0], line: forced}}
	}
	var list []choice[M]
	if e.hasty && x.planner != nil {
		list = x.hastily()
	} else {
		list = x.best(m.sensible(&m.view, m.seat, nil))
	}
	for i := range list {
		list[i].line = slices.Concat(forced, list[i].line)
		list[i].move = list[i].line[0]
	}
	if len(forced) > 0 {
		list = list[:1] // the others begin with the same moves
	}
	return list
}

// prepare makes what is forced, and works out what is believed from there on: all
// that playouts depend on. It tells whether there is nothing to choose.
func prepare[S, M comparable](m *mind[S, M], e *effort) (x *searcher[S, M], forced []M, ended bool) {
	m.believes = true
	if !m.limited {
		m.limit(safetyNet)
	}
	forced, ended = m.forced()
	x = newSearcher(m, e)
	if !ended {
		x.believe()
	}
	return x, forced, ended
}

// safetyNet ends a search that takes too long on a slow machine, where nobody has
// said how long it may take.
const safetyNet = 10 * time.Second

// forced makes the moves to which there is no alternative, as far as they go in the
// turn, and tells whether there is nothing to choose up to its end, to chance or to
// a reveal.
func (m *mind[S, M]) forced() (line []M, ended bool) {
	turn := m.rules.Turn(&m.view)
	for {
		moves := m.moves()
		if len(moves) > 1 {
			return line, false
		}
		move, before := moves[0], m.view
		line = append(line, move)
		if m.rules.Reveals(&before, move) {
			return line, true
		}
		m.rules.Play(&m.view, m.seat, move, nil)
		m.record.Hear(m.rules, &before, &m.view, m.seat, move)
		if m.rules.Turn(&m.view) != turn || m.rules.ToAct(&m.view) != m.seat {
			return line, true
		}
	}
}

// best compares what can be done, where there is a choice.
func (x *searcher[S, M]) best(moves []M) []choice[M] {
	if x.solved() {
		return x.choices()
	}
	list := x.compared(moves)
	x.stopped = x.stopped || x.hurried // it did not think as much as it usually does
	return list
}

// compared compares turns, as far as the end of the game does not decide.
func (x *searcher[S, M]) compared(moves []M) []choice[M] {
	near := x.ending()
	if near == oneTurn && x.finishGame() {
		return x.choices()
	}
	x.outline(moves)
	x.narrow()
	x.addPlanned()
	x.compare(len(moves))
	if near == twoTurns {
		x.answer()
	}
	return x.choices()
}

type searcher[S, M comparable] struct {
	*mind[S, M]
	*effort
	planner  game.Planner[S, M]
	steady   game.Steady[M] // nil where the game is not
	foreseer game.Foreseer[S]
	sampler  game.Sampler[S, M]
	net      *netJudge[S] // judges where a playout has gone far enough; nil for none
	reach    int          // after so many turns
	sage     *netJudge[S] // judges right after a turn; nil for none
	weight   int          // playouts for which that counts

	whole *wholes[S, M] // where whole turns are compared

	hidden bool      // what the view hides is imagined, and not listed
	upTo   []float64 // how likely each known world is, together with those before it

	here, next, ends []outlined[S, M]
	found            []candidate[M]

	point float64 // how much a point of margin counts, where a win counts 1
	draft draft   // of a steady game

	pcg  rand.PCG
	dice *rand.Rand
	s    S
	list []M

	hurried bool // there was no time to solve the end of the game

	ahead []M // moves of the steps by which the end of a game is looked through
}

// usualPoint is how much a point of margin counts, where a win counts 1 and the game
// does not say.
const usualPoint = 0.15

func newSearcher[S, M comparable](m *mind[S, M], e *effort) *searcher[S, M] {
	x := &searcher[S, M]{mind: m, effort: e}
	x.point = usualPoint
	if w, ok := m.rules.(game.Weigher); ok {
		x.point = w.Point()
	}
	if e.weighed {
		x.point = e.marginPart
	}
	x.planner, _ = m.rules.(game.Planner[S, M])
	if _, even := m.rules.(game.Even); even {
		x.steady, _ = m.rules.(game.Steady[M])
	}
	if !e.ends {
		x.foreseer, _ = m.rules.(game.Foreseer[S])
	}
	x.sampler, _ = m.rules.(game.Sampler[S, M])
	x.dice = rand.New(&x.pcg)
	x.equip()
	if c, ok := m.rules.(game.Confluent[M]); ok {
		x.whole = newWholes[S](c)
	}
	return x
}

// believe asks the game what the moves of others say about the hidden worlds.
func (x *searcher[S, M]) believe() {
	worlds, odds := x.believed()
	x.hidden = len(worlds) == 0 && len(x.mind.worlds(2)) > 1
	sum := 0.0
	for _, o := range odds {
		sum += o
		x.upTo = append(x.upTo, sum)
	}
}

// imagine writes a world that the seat believes in.
func (x *searcher[S, M]) imagine(s *S, rng *rand.Rand) {
	if len(x.known) == 0 {
		*s = x.view
		x.rules.Imagine(s, x.seat, rng)
		return
	}
	at := rng.Float64() * x.upTo[len(x.upTo)-1]
	i, _ := slices.BinarySearch(x.upTo, at)
	*s = x.known[min(i, len(x.known)-1)]
}

// outline finds the turns that are worth comparing, and what each is worth at its
// end without playing on.
func (x *searcher[S, M]) outline(moves []M) {
	index := map[line[M]]int{}
	var worlds []S
	for range x.effort.worlds {
		var w S
		x.imagine(&w, x.rng)
		if slices.Contains(worlds, w) && len(x.known) == 0 {
			break // nothing is hidden
		}
		worlds = append(worlds, w)
	}
	for w := range worlds {
		x.enter(w)
		plans := x.plans
		if x.whole != nil {
			plans = x.wholePlans
		}
		plans(&worlds[w], moves, func(o *outlined[S, M]) {
			i, ok := index[o.line]
			if !ok {
				i = len(x.found)
				index[o.line] = i
				x.found = append(x.found, candidate[M]{line: o.line})
			}
			c := &x.found[i]
			if c.worlds <= w {
				c.worth += o.worth
				c.worlds = w + 1
				c.played++
			}
		})
		if x.stopped {
			break
		}
	}
	if len(x.found) == 0 { // time was up before anything was found
		c := candidate[M]{played: 1}
		c.line.moves[0], c.line.n = moves[0], 1
		x.found = append(x.found, c)
	}
	for i := range x.found {
		c := &x.found[i]
		c.worlds = c.played
		c.worth /= float64(max(c.played, 1))
		c.played = 0
	}
}

// plans thinks a turn through from every first move, and reports the best few lines
// that begin with it.
func (x *searcher[S, M]) plans(world *S, moves []M, report func(*outlined[S, M])) {
	turn := x.rules.Turn(world)
	for i, move := range moves {
		if x.stop() && i > 0 {
			return
		}
		first := outlined[S, M]{s: *world}
		x.ends, x.next = x.ends[:0], x.next[:0]
		x.step(&first, move, turn)
		for len(x.next) > 0 {
			slices.SortStableFunc(x.next, byWorth)
			x.here, x.next = x.next[:min(len(x.next), x.width)], x.here[:0]
			for h := range x.here {
				x.list = x.rules.Moves(&x.here[h].s, x.seat, x.list[:0])
				for _, move := range x.list {
					if x.stop() && len(x.ends)+len(x.next) > 0 {
						break
					}
					x.step(&x.here[h], move, turn)
				}
			}
			if x.stopped && len(x.ends) > 0 {
				break
			}
		}
		slices.SortStableFunc(x.ends, byWorth)
		for e := range x.ends[:min(len(x.ends), x.ways)] {
			report(&x.ends[e])
		}
	}
}

// step goes on from a line by a move, to the end of the turn or not.
func (x *searcher[S, M]) step(from *outlined[S, M], move M, turn int) {
	o := *from
	x.rules.Play(&o.s, x.seat, move, nil)
	if !o.closed {
		o.line.moves[o.line.n] = move
		o.line.n++
		o.closed = o.line.n == longestLine || x.rules.ToAct(&o.s) == game.Chance
	}
	done := x.over(&o.s, x.seat, turn)
	o.worth = x.worth(&o.s, x.seat)
	if done {
		x.ends = append(x.ends, o)
	} else {
		x.next = append(x.next, o)
	}
}

func byWorth[S, M comparable](a, b outlined[S, M]) int { return cmp.Compare(b.worth, a.worth) }

// narrow keeps the most promising of the turns that were found in every world. A
// player that overlooks some of the moves never overlooks the best by more than its
// bound.
func (x *searcher[S, M]) narrow() {
	most := 0
	for _, c := range x.found {
		most = max(most, c.worlds)
	}
	x.found = slices.DeleteFunc(x.found, func(c candidate[M]) bool { return c.worlds < most })
	slices.SortStableFunc(x.found, func(a, b candidate[M]) int { return cmp.Compare(b.worth, a.worth) })
	if x.share < 1 {
		floor := x.found[0].worth - x.bound
		last := len(x.found) - 1
		for last > 0 && x.found[last].worth < floor {
			last--
		}
		kept := x.found[:0]
		for i, c := range x.found[:last+1] {
			if x.sees(&c.line) || i == last && len(kept) == 0 {
				kept = append(kept, c)
			}
		}
		x.found = kept
	}
	turns := x.turns
	if x.addsPlanned() {
		turns = max(1, turns/wholeShare)
	}
	x.found = x.found[:min(len(x.found), turns)]
}

// byPromise compares turns that were played on from equally often, by what that brought
// and by their hunches.
func byPromise[M comparable](a, b candidate[M]) int {
	return cmp.Compare(b.reward+b.hunch, a.reward+a.hunch)
}

// few is how many first moves make a choice that is worth all the playouts. A
// choice of fewer gets a part of them, so that the small moves within a turn do not
// cost as much as the whole turn.
const few = 16

// compare plays on from the turns.
func (x *searcher[S, M]) compare(moves int) {
	if x.budget == 0 || !x.differ() || x.stop() {
		return
	}
	if x.whole != nil {
		moves = len(x.found)
	}
	playouts, long := x.affords()
	playouts = playouts * min(moves, few) / few
	playouts = max(0, playouts-x.foresee(long))
	if x.stopped {
		return
	}
	rounds := bits.Len(uint(len(x.found) - 1))
	left, done := x.found, 0
	for range rounds {
		each := max(1, playouts/(rounds*len(left)))
		sums, ok := x.playAll(left, done, done+each)
		if !ok {
			return // a round that was not finished counts for nothing
		}
		done += each
		for i := range left {
			left[i].add(sums[i])
			left[i].played = done
		}
		slices.SortStableFunc(left, byPromise)
		left = left[:(len(left)+1)/2]
		if !x.alike(left) {
			continue
		}
		return
	}
}

// affords is how many playouts the budget is for, and how many turns one takes: one is
// made to find that out.
func (x *searcher[S, M]) affords() (playouts, turns int) {
	before := x.rules.Turn(&x.view)
	x.playout(&x.found[0].line, 0)
	turns = max(1, x.rules.Turn(&x.s)-before)
	if x.net != nil {
		turns += x.netTurns() + shortPlayout
	}
	return timeFor(x.effort, x.rules) * x.pace() / turns, turns
}

// timeFor is for how many milliseconds of playing on a player has time: as many as the game
// says suffice for its level, and in a trial of another budget exactly those.
func timeFor[S, M comparable](e *effort, rules game.Playable[S, M]) int {
	if g, ok := rules.(game.Sated); ok && !e.exactly {
		return g.Suffices(e.budget)
	}
	return e.budget
}

// pace is how many turns of playouts a millisecond is for.
func (x *searcher[S, M]) pace() int {
	if x.planner == nil {
		return unplanned
	}
	return x.planner.Pace(&x.view)
}

// netTurns is how many turns of playouts it costs to ask a net.
func (x *searcher[S, M]) netTurns() int {
	return max(1, netMicros*x.rules.Seats()*x.pace()/1000)
}

// netMicros is about how many microseconds a net takes for each seat, its features counted.
const netMicros = 5

// shortPlayout is how many turns more it costs that a playout is short: its world is drawn
// all the same, and the next turns are dearer than later ones, with more to choose from.
const shortPlayout = 2

// unplanned is the pace of a game without plans.
const unplanned = 100

// differ tells whether there is anything to choose.
func (x *searcher[S, M]) differ() bool { return !x.alike(x.found) }

// alike tells whether there is nothing to choose among candidates: all have the
// same first move. Where whole turns are compared, two candidates are a choice.
func (x *searcher[S, M]) alike(list []candidate[M]) bool {
	return len(list) < 2 || x.whole == nil && sameFirst(list)
}

func sameFirst[M comparable](list []candidate[M]) bool {
	for _, c := range list {
		if c.line.moves[0] != list[0].line.moves[0] {
			return false
		}
	}
	return true
}

// playout plays a line in world number n and goes on to the end, or as far as the
// game says is enough.
func (x *searcher[S, M]) playout(l *line[M], n uint64) result {
	x.mind.played++
	x.lay(l, n)
	if x.net == nil {
		return x.playedOn()
	}
	if x.playOut(x.reach) {
		return x.prize()
	}
	return x.foretold(x.net, x.seat)
}

// lay plays a line in world number n.
func (x *searcher[S, M]) lay(l *line[M], n uint64) {
	x.pcg.Seed(x.fate, n)
	x.luck = x.fate + n
	x.imagine(&x.s, x.dice)
	for _, move := range l.moves[:l.n] {
		x.rules.Play(&x.s, x.seat, move, nil)
	}
	if x.whole != nil {
		x.finishTurn(l, n)
	}
}

// playedOn goes on to the end, or as far as the game says is enough.
func (x *searcher[S, M]) playedOn() result {
	if x.playOut(0) {
		return x.prize()
	}
	return x.judged()
}

// prize is what the end of the game brings.
func (x *searcher[S, M]) prize() result {
	st := x.rules.Standing(&x.s)
	return prize(&st, x.rules.Seats(), x.seat, x.point)
}

// playOut plays on by plans, as far as the game says is enough or for so many turns,
// where that is not 0, and tells whether it came to the end of the game.
func (x *searcher[S, M]) playOut(turns int) bool {
	if turns == 0 {
		return x.playTo(0)
	}
	return x.playTo(x.rules.Turn(&x.s) + turns)
}

// playTo plays on by plans to the beginning of a turn or, where that is 0, as far as the
// game says is enough, and tells whether it came to the end of the game.
func (x *searcher[S, M]) playTo(turn int) bool {
	x.draft.begin(x.rules.Turn(&x.s))
	for {
		x.drawn()
		seat := x.rules.ToAct(&x.s)
		if seat == game.None {
			return true
		}
		if turn > 0 && x.rules.Turn(&x.s) >= turn || x.foreseer != nil && x.foreseer.Enough(&x.view, &x.s) {
			return false
		}
		if x.planner == nil {
			x.rules.Play(&x.s, seat, x.quick(seat), nil)
			continue
		}
		if x.steady != nil { // plans waver as in this turn of all playouts of that number
			x.pcg.Seed(x.luck, ^uint64(x.rules.Turn(&x.s)))
		}
		x.playPlan(seat)
	}
}

// drawn leaves a playout to chance until a player is to act or the game is over.
func (x *searcher[S, M]) drawn() {
	if x.steady == nil {
		x.leaveToChance(&x.s)
		return
	}
	for x.rules.ToAct(&x.s) == game.Chance {
		x.rules.Play(&x.s, game.Chance, x.firstDrawn(), nil)
	}
}

// firstDrawn is what is drawn next in a steady game: everything has its place in an order
// that is drawn anew for each turn, the same in all playouts of that number, and what is
// first of all that is left comes. So turns that are compared meet the same things even
// where not the same ones are left. What was drawn and comes back was shuffled, so then
// there is another order.
func (x *searcher[S, M]) firstDrawn() (first M) {
	d := &x.draft
	if turn := x.rules.Turn(&x.s); turn != d.turn {
		d.begin(turn)
	}
	x.buf = x.rules.Moves(&x.s, game.Chance, x.buf[:0])
	for {
		order := game.Mix(x.luck+d.shuffles<<turnBits) + uint64(d.turn)<<turnBits
		low, number := uint64(math.MaxUint64), uint64(0)
		for _, outcome := range x.buf {
			n := x.steady.Number(outcome)
			if place := game.Mix(order + n); place < low {
				first, low, number = outcome, place, n
			}
		}
		if !slices.Contains(d.drawn, number) {
			d.drawn = append(d.drawn, number)
			return first
		}
		d.shuffles++
		d.drawn = d.drawn[:0]
	}
}

// draft is what was drawn in a turn of a playout.
type draft struct {
	turn     int
	shuffles uint64   // since the turn began
	drawn    []uint64 // since the last of them
}

// begin begins with a turn.
func (d *draft) begin(turn int) { d.turn, d.shuffles, d.drawn = turn, 0, d.drawn[:0] }

// turnBits are those of the number of an outcome.
const turnBits = 32

// playPlan plays as the game plans.
func (x *searcher[S, M]) playPlan(seat game.Seat) {
	x.list = x.planner.Plan(&x.s, seat, x.dice, x.list[:0])
	for _, move := range x.list {
		x.rules.Play(&x.s, seat, move, nil)
	}
}

// perPoint is how fast an expected lead turns into a chance to win.
const perPoint = 0.1

// judged is what a game brings that was not played to its end.
func (x *searcher[S, M]) judged() result {
	worth := x.worth(&x.s, x.seat)
	r := result{wins: parts(chance(worth)), margin: parts(x.lead(&x.s))}
	r.reward = r.wins + parts(x.point*worth)
	return r
}

// foretold is the same by the net.
func (x *searcher[S, M]) foretold(by *netJudge[S], seat game.Seat) result {
	f := by.foretell(&x.s, seat)
	r := result{wins: parts(f.Win), margin: parts(f.Lead)}
	r.reward = r.wins + parts(x.point*f.Lead)
	return r
}

// tries is how many moves are looked at in a game without plans.
const tries = 3

// quick is the best of a few moves.
func (x *searcher[S, M]) quick(seat game.Seat) M {
	if x.sampler == nil {
		x.list = x.rules.Moves(&x.s, seat, x.list[:0])
	}
	var best M
	high := 0.0
	for i := range tries {
		var move M
		if x.sampler != nil {
			move = x.sampler.Sample(&x.s, seat, x.dice)
		} else {
			move = x.list[x.dice.IntN(len(x.list))]
		}
		s := x.s
		x.rules.Play(&s, seat, move, nil)
		if worth := x.valuer.Worth(&s, seat); i == 0 || worth > high {
			best, high = move, worth
		}
	}
	return best
}

// prize is what the end of a game brings a seat: its share of the win, and a little
// for each point by which it is ahead of the best other.
func prize(st *game.Standing, seats int, seat game.Seat, marginPart float64) result {
	winners, best, first := 0, game.Points(0), true
	for other, score := range st.Seats[:seats] {
		if score.Rank == 1 {
			winners++
		}
		if game.Seat(other) != seat && (first || score.Total > best) {
			best, first = score.Total, false
		}
	}
	own := &st.Seats[seat]
	r := result{margin: whole * (int64(own.Total) - int64(best))}
	if own.Rank == 1 {
		r.wins = whole / int64(winners)
	}
	r.reward = r.wins + parts(marginPart)*(r.margin/whole)
	return r
}

// order puts the best turns first.
func (x *searcher[S, M]) order() {
	slices.SortStableFunc(x.found, func(a, b candidate[M]) int {
		if a.played != b.played {
			return b.played - a.played
		}
		if a.played > 0 {
			return byPromise(a, b)
		}
		return cmp.Compare(b.worth, a.worth)
	})
}

// choices are the first moves, each once, the best first.
func (x *searcher[S, M]) choices() []choice[M] {
	x.order()
	var list []choice[M]
	last := 0.0
	for _, c := range x.found {
		move := c.line.moves[0]
		if slices.ContainsFunc(list, func(o choice[M]) bool { return o.move == move }) {
			continue
		}
		worth := c.worth
		if c.played > 0 {
			worth = c.mean(c.margin)
		}
		if len(list) > 0 && worth > last {
			continue // it was played on from less often, wins less, or is less of a hunch: its margin cannot be compared
		}
		last = worth
		list = append(list, choice[M]{
			move: move, line: slices.Clone(c.line.moves[:c.line.n]), worth: worth, judged: true,
			win: c.mean(c.wins), playedOut: c.played > 0,
		})
	}
	return list
}
