package table

import (
	"slices"
	"time"

	"copse/game"
)

// no says that the table does not allow something now.
func no(key string, args game.Args) *game.Refusal { return game.Refuse("", key, args) }

// impossible says that an entry cannot stand where it stands. No command leads
// to it, so the log was changed.
func impossible(e *Entry) *game.Fault {
	return game.Blame("table.log.impossible", game.Args{"do": e.Do.String()})
}

// staleGame is how long nothing must have happened in a game in which nobody is
// waited for until it can be closed. Before the game it is up to the pace.
const staleGame = 30 * 24 * time.Hour

// fold is the table after one more entry: the whole law of a table. It takes an
// entry only where it may stand, so that a log proves itself; who may give a
// command is for the command to say. Of chance it asks only what is possible:
// that it was the draw of the seed is for Verify.
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
	case Asked, Agreed, Refused, Undone, Paused, Resumed:
		if p := &n.chairs[e.Seat]; p.holder != Human {
			return impossible(e)
		}
		return t.talk(n, e, step)
	}
	return t.comeAndGo(n, e)
}

// gather is what happens before the game.
func (t *Table) gather(n *state, e *Entry, step *Step) error {
	var p *chair
	if e.Do != Started {
		p = &n.chairs[e.Seat]
	}
	switch {
	case e.Do == Started:
		return t.begin(n, e, step)
	case e.Do == Stood || e.Do == Kicked:
		if p.holder == Nobody || e.Do == Kicked && p.holder != Human {
			return no("table.nobody", game.Args{"seat": e.Seat})
		}
		if e.Do == Kicked {
			n.barred = append(slices.Clip(n.barred), p.person)
		}
		*p = chair{}
		return nil
	case p.holder != Nobody:
		return no("table.taken", game.Args{"seat": e.Seat})
	case e.Do == BotSat:
		*p = chair{holder: Robot, player: e.Player, since: n.next - 1}
		return nil
	}
	if there := n.seatOf(e.Person); there >= 0 {
		return no("table.seated", game.Args{"seat": there})
	}
	if slices.Contains(n.barred, e.Person) {
		return no("table.barred", nil)
	}
	*p = chair{holder: Human, person: e.Person, nonce: e.Nonce, since: n.next - 1}
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
	if n.present() == 0 { // a game needs a person to begin it
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

// talk is what people ask of each other, and what comes of it.
func (t *Table) talk(n *state, e *Entry, step *Step) error {
	switch e.Do {
	case Agreed, Refused:
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
	case e.For == Pause && n.paused:
		return no("table.paused", nil)
	}
	return nil
}

// comeAndGo is what happens to those at the table while the game goes on.
func (t *Table) comeAndGo(n *state, e *Entry) error {
	p := &n.chairs[e.Seat]
	switch e.Do {
	case Left:
		if p.holder != Human {
			return no("table.gone", game.Args{"seat": e.Seat})
		}
		t.away(n, p)
	case TimedOut:
		if n.running() != e.Seat {
			return no("table.no-clock", game.Args{"seat": e.Seat})
		}
		if p.bank > 0 {
			return no("table.time", game.Args{"seat": e.Seat})
		}
		t.away(n, p)
	case Returned:
		if p.holder != Away {
			return no("table.there", nil)
		}
		if !t.under(honestClocks) {
			p.bank = max(p.bank, length(t.pace.Back))
		}
		p.holder, p.since, p.asked = Human, n.next-1, 0
		return nil
	case Resigned:
		if !p.theirs() {
			return no("table.resigned", nil)
		}
		n.outs++
		p.holder, p.out, p.asked = Replaced, n.outs, 0
	case Taken:
		if there := n.seatOf(e.Person); there >= 0 {
			return no("table.seated", game.Args{"seat": there})
		}
		if slices.Contains(n.barred, e.Person) {
			return no("table.barred", nil)
		}
		if p.holder != Robot {
			return no("table.taken", game.Args{"seat": e.Seat})
		}
		if !t.settings.TakeOver {
			return no("table.take-over", nil)
		}
		p.holder, p.person, p.bank = Human, e.Person, length(t.pace.Bank)
	default:
		return impossible(e)
	}
	p.since = n.next - 1
	n.lapse()
	return nil
}

// away hands the seat of a person to a stand-in until it returns.
func (t *Table) away(n *state, p *chair) {
	p.holder = Away
	p.ranOut = t.under(honestClocks) && p.bank == 0
	if t.under(askTheAbsent) {
		p.asked = min(n.at+length(t.pace.Patience), latest)
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

// stale tells whether a table can be closed after so long without an entry.
func (t *Table) stale(n *state, idle Time) bool {
	if n.phase == lobby {
		return idle >= length(t.pace.Wait)
	}
	return idle >= length(staleGame) && n.running() == game.None
}
