package table

import (
	"slices"
	"time"

	"copse/game"
)

// no refuses something that the table does not allow now.
func no(key string, args game.Args) *game.Refusal { return game.Refuse("", key, args) }

// impossible blames an entry that cannot stand where it stands. No command leads to
// it, so the log was changed.
func impossible(e *Entry) *game.Fault {
	return game.Blame("table.log.impossible", game.Args{"do": e.Do.String()})
}

// staleGame is how long nothing must have happened before a game is closed in which
// nobody is waited for. Before the game the pace says how long.
const staleGame = 30 * 24 * time.Hour

// fold makes the table after one more entry. It holds all that a log must keep to:
// an entry is taken only where it may stand, so that a log proves itself. Who may
// give a command the command itself says. Of chance fold asks only that the outcome
// is possible; Verify makes sure that it was the draw of the seed.
func (t *Table) fold(s *state, e *Entry) (Step, error) {
	step := Step{Number: int(s.next), Entry: *e, table: t, after: *s}
	n := &step.after
	switch {
	case s.phase == ended:
		return step, no("table.over", nil)
	case e.At < s.at:
		return step, game.Blame("table.log.time", nil)
	case s.next == 0 != (e.Do == Opened):
		return step, impossible(e)
	}
	idle := e.At - s.at
	if e.Do == ServerAway {
		if !t.under(honestClocks) || s.phase != playing || e.From < s.at || e.From >= e.At {
			return step, impossible(e)
		}
		n.spend(t.settings.nights(), e.From)
		n.pass(e.From, e.At)
	} else {
		n.spend(t.settings.nights(), e.At)
	}
	n.next++
	if err := t.foldInto(n, e, idle, &step); err != nil {
		return step, err
	}
	step.people = !s.sameSeating(n)
	switch e.Do {
	case Sat, BotSat:
		step.of = t.seated(n, e.Seat)
	case Stood, Kicked:
		step.of = t.seated(s, e.Seat)
	}
	return step, nil
}

func (t *Table) foldInto(n *state, e *Entry, idle Time, step *Step) error {
	if e.Do == Opened {
		n.size, n.mover, n.last = int8(e.Settings.Seats), game.None, -1
		return nil
	}
	if e.Do.fields()&seatField != 0 && (e.Seat < 0 || int(e.Seat) >= int(n.size)) {
		return game.Blame("table.seat", game.Args{"seats": n.size})
	}
	switch e.Do {
	case Sat, Stood, Kicked, BotSat, Started:
		if n.phase != lobby {
			return no("table.begun", nil)
		}
		return t.gather(n, e, step)
	case Ended:
		return t.end(n, e, idle, step)
	}
	if n.phase == lobby {
		return no("table.lobby", nil)
	}
	if n.stopped() || n.due() && e.Do != Moved && e.Do != Drawn {
		return impossible(e)
	}
	switch e.Do {
	case ServerAway:
		return nil
	case Moved, Drawn:
		return t.play(n, e, step)
	case Asked, Agreed, Declined, Undone, Paused, Resumed:
		if c := &n.chairs[e.Seat]; c.holder != Human {
			return impossible(e)
		}
		return t.talk(n, e, step)
	}
	return t.comeAndGo(n, e)
}

// gather folds what happens before the game.
func (t *Table) gather(n *state, e *Entry, step *Step) error {
	var c *chair
	if e.Do != Started {
		c = &n.chairs[e.Seat]
	}
	switch {
	case e.Do == Started:
		return t.begin(n, e, step)
	case e.Do == Stood || e.Do == Kicked:
		if c.holder == Nobody || e.Do == Kicked && c.holder != Human {
			return no("table.nobody", game.Args{"seat": e.Seat})
		}
		if e.Do == Kicked {
			n.barred = append(slices.Clip(n.barred), c.person)
		}
		*c = chair{}
		return nil
	case c.holder != Nobody:
		return no("table.taken", game.Args{"seat": e.Seat})
	case e.Do == BotSat:
		*c = chair{holder: Robot, player: e.Player, since: n.next - 1}
		return nil
	}
	if there := n.seatOf(e.Person); there >= 0 {
		return no("table.seated", game.Args{"seat": there})
	}
	if slices.Contains(n.barred, e.Person) {
		return no("table.barred", nil)
	}
	*c = chair{holder: Human, person: e.Person, nonce: e.Nonce, since: n.next - 1}
	return nil
}

// begin begins the game.
func (t *Table) begin(n *state, e *Entry, step *Step) error {
	empty := []game.Seat{}
	for seat := range n.seats() {
		if n.chairs[seat].holder == Nobody {
			empty = append(empty, game.Seat(seat))
		}
		n.chairs[seat].bank = length(t.pace.Bank)
	}
	if len(empty) > 0 {
		return no("table.empty", game.Args{"seats": len(empty)})
	}
	if n.present() == 0 { // a person must begin it
		return impossible(e)
	}
	n.phase, n.pos = playing, t.first
	n.tip, n.last = n.next-1, n.next-1
	step.fresh = true
	return nil
}

// play makes a move of a seat or of chance.
func (t *Table) play(n *state, e *Entry, step *Step) error {
	seat := game.Chance
	switch {
	case e.Do == Drawn:
		if e.Draw != int(n.draws) {
			return impossible(e)
		}
		n.draws++
	case n.paused:
		return no("table.paused", nil)
	case e.Bot != n.chairs[e.Seat].holder.bot():
		return no("table.held", game.Args{"seat": e.Seat})
	default:
		seat = e.Seat
	}
	turn := n.pos.Turn()
	next, events, err := n.pos.Play(seat, e.Move)
	if err != nil {
		return game.Inside("move", err)
	}
	step.events, step.fresh = events, t.first.Secrets() && n.pos.Reveals(e.Move)
	n.pos = next
	n.tip, n.last = n.next-1, n.next-1
	if seat >= 0 {
		n.mover = seat
	}
	if next.Turn() != turn {
		n.earn(&t.pace)
		if t.under(honestClocks) {
			n.turned(&t.pace)
		}
	}
	n.moved()
	return nil
}

// talk folds what people ask of each other, and what comes of it.
func (t *Table) talk(n *state, e *Entry, step *Step) error {
	switch e.Do {
	case Agreed, Declined:
		return n.answer(e)
	case Resumed:
		if !n.paused {
			return no("table.not-paused", nil)
		}
		n.paused = false
		return nil
	case Asked:
		if err := t.mayAsk(n, e); err != nil {
			return err
		}
		return n.ask(e)
	case Paused:
		if n.paused {
			return no("table.paused", nil)
		}
		if !n.granted(Pause, e.Seat, 0, n.at) {
			return impossible(e)
		}
		n.paused = true
		n.asks[Pause].close()
		return nil
	}
	if err := t.mayUndo(n, e.Seat, e.To); err != nil {
		return err
	}
	if !n.granted(Undo, e.Seat, e.To, n.at) {
		return impossible(e)
	}
	turn := n.pos.Turn()
	n.pos = t.positionAt(e.To)
	if t.under(honestClocks) && n.pos.Turn() != turn {
		n.turned(&t.pace)
	}
	n.tip, n.last = int32(e.To), n.next-1
	n.draws = int32(t.trace[e.To].draws)
	n.mover = game.None
	n.chairs[e.Seat].undos++
	n.moved()
	step.fresh = true
	return nil
}

// mayAsk is nil where what is asked for could be granted.
func (t *Table) mayAsk(n *state, e *Entry) error {
	switch {
	case e.For == Undo:
		return t.mayUndo(n, e.Seat, e.To)
	case e.For == Abandon && t.settings.Rated:
		return no("table.rated.abandon", nil)
	case e.For == Pause && n.paused:
		return no("table.paused", nil)
	}
	return nil
}

// comeAndGo folds what happens to the people at the table during the game.
func (t *Table) comeAndGo(n *state, e *Entry) error {
	c := &n.chairs[e.Seat]
	switch e.Do {
	case Left:
		if c.holder != Human {
			return no("table.gone", game.Args{"seat": e.Seat})
		}
		t.away(n, c)
	case TimedOut:
		if n.running() != e.Seat {
			return no("table.no-clock", game.Args{"seat": e.Seat})
		}
		if c.bank > 0 {
			return no("table.time", game.Args{"seat": e.Seat})
		}
		t.away(n, c)
	case Returned:
		if c.holder != Away {
			return no("table.there", nil)
		}
		if !t.under(honestClocks) {
			c.bank = max(c.bank, length(t.pace.Back))
		}
		c.holder, c.since, c.asked = Human, n.next-1, 0
		return nil
	case Resigned:
		if !c.theirs() {
			return no("table.resigned", nil)
		}
		n.outs++
		c.holder, c.out, c.asked = Replaced, n.outs, 0
	case Taken:
		if there := n.seatOf(e.Person); there >= 0 {
			return no("table.seated", game.Args{"seat": there})
		}
		if slices.Contains(n.barred, e.Person) {
			return no("table.barred", nil)
		}
		if c.holder != Robot {
			return no("table.taken", game.Args{"seat": e.Seat})
		}
		if !t.settings.TakeOver {
			return no("table.take-over", nil)
		}
		c.holder, c.person, c.bank = Human, e.Person, length(t.pace.Bank)
	default:
		return impossible(e)
	}
	c.since = n.next - 1
	n.lapse()
	return nil
}

// away hands the seat of a person to a stand-in until the person returns.
func (t *Table) away(n *state, c *chair) {
	c.holder = Away
	c.ranOut = t.under(honestClocks) && c.bank == 0
	if t.under(askTheAbsent) {
		c.asked = min(n.at+length(t.pace.Patience), latest)
	}
}

// end ends the table.
func (t *Table) end(n *state, e *Entry, idle Time, step *Step) error {
	switch {
	case e.Seat >= game.Seat(n.size):
		return impossible(e)
	case e.Why == Over && n.phase == playing && n.pos.ToAct() == game.None && e.Seat < 0:
	case e.Why == GivenUp && n.phase == playing && n.stopped() && e.Seat < 0:
	case e.Why == Abandoned && e.Seat >= 0 && n.phase == playing && n.chairs[e.Seat].holder == Human && n.granted(Abandon, e.Seat, 0, n.at):
	case e.Why == Abandoned && e.Seat < 0:
		if !t.stale(n, idle) {
			return no("table.in-use", nil)
		}
	default:
		return impossible(e)
	}
	if Commitment(e.Secret, t.written) != t.commitment {
		return game.Blame("table.log.secret", nil)
	}
	totals, ranks := n.result(e.Why)
	if !slices.Equal(e.Totals, totals) || !slices.Equal(e.Ranks, ranks) || (e.Totals == nil) != (totals == nil) {
		return game.Blame("table.log.standing", nil)
	}
	n.phase, n.paused, n.why = ended, false, e.Why
	n.lapse()
	step.fresh = n.pos != nil
	return nil
}

// stale tells whether a table can be closed when it has had no entry for so long.
func (t *Table) stale(n *state, idle Time) bool {
	if n.phase == lobby {
		return idle >= length(t.pace.Wait)
	}
	return idle >= length(staleGame) && n.running() == game.None
}
