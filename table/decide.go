package table

import "copse/game"

// Command is what somebody wants to happen at a table.
type Command interface {
	decide(d *decision) error
}

// decision is what would follow from a command: the entries so far, and the table
// after them.
type decision struct {
	t       *Table
	s       state
	now     Time
	entries []Entry
	moves   []Step // the entries as they were folded, as far as they are moves
}

// Decide says which entries follow from a command, outcomes of chance and the end
// of the game included. They go into the log all together or not at all, and are
// applied then. A command that is refused (*game.Refusal), or makes no sense
// (*game.Fault), changes nothing; nor does Decide itself. It remembers the moves that
// it has made, for Apply.
//
// Decide does not notice that a command comes again because its answer was lost:
// the server keeps the answer under the key that came with the command. Where that
// is lost too, Repeats finds the moves in the log.
func (t *Table) Decide(cmd Command, now Time) ([]Entry, error) {
	d := &decision{t: t, s: t.now, now: min(max(now, t.now.at), latest)}
	if t.now.phase == ended {
		return nil, no("table.over", nil)
	}
	if _, going := cmd.(Continue); t.now.due() && !going {
		return nil, no("table.due", nil)
	}
	if err := cmd.decide(d); err != nil {
		return nil, err
	}
	if err := d.follow(); err != nil {
		return nil, err
	}
	t.decided = d.moves
	return d.entries, nil
}

// add adds an entry, if it may stand there.
func (d *decision) add(e Entry) error { return d.addAt(e, d.now) }

// addAt adds an entry with another time than now.
func (d *decision) addAt(e Entry, at Time) error {
	e.At = at
	step, err := d.t.fold(&d.s, &e)
	if err != nil {
		return err
	}
	if e.Do.moves() && len(d.moves) == len(d.entries) {
		d.moves = append(d.moves, step)
	}
	d.s = step.after
	d.entries = append(d.entries, e)
	return nil
}

// follow lets chance draw as long as it is to act, and ends the game when it is
// over.
func (d *decision) follow() error {
	for d.s.toAct() == game.Chance {
		if err := d.add(Entry{Do: Drawn, Seat: game.None, Draw: int(d.s.draws), Move: d.t.draw(&d.s)}); err != nil {
			return err
		}
	}
	switch {
	case d.s.phase != playing:
		return nil
	case d.s.pos.ToAct() == game.None:
		return d.end(Over, game.None)
	case d.s.stopped():
		return d.end(GivenUp, game.None)
	}
	return nil
}

// end ends the game.
func (d *decision) end(why Why, by game.Seat) error {
	totals, ranks := d.s.result(why)
	return d.add(Entry{Do: Ended, Seat: by, Why: why, Secret: d.t.keep.Secret, Totals: totals, Ranks: ranks})
}

// seat is the seat of a person, who must have one.
func (d *decision) seat(person Person) (game.Seat, error) {
	seat := d.s.seatOf(person)
	if seat < 0 {
		return seat, no("table.stranger", nil)
	}
	return seat, nil
}

// player is the seat of a person who has not resigned. A person who was away is
// back by acting.
func (d *decision) player(person Person) (game.Seat, error) {
	seat, err := d.seat(person)
	if err != nil {
		return seat, err
	}
	switch {
	case d.s.phase == lobby:
		return seat, no("table.lobby", nil)
	case d.s.chairs[seat].holder == Replaced:
		return seat, no("table.resigned", nil)
	case d.s.chairs[seat].holder == Away:
		return seat, d.back(seat)
	}
	return seat, nil
}

// back gives a person who was away the seat back.
func (d *decision) back(seat game.Seat) error {
	if int(d.s.next) >= 2*MostEntries && d.s.chairs[seat].holder == Away {
		return no("table.full", game.Args{"most": 2 * MostEntries})
	}
	return d.add(Entry{Do: Returned, Seat: seat})
}

// host makes sure that the game has not begun and that the person is the host.
func (d *decision) host(person Person) error {
	if _, err := d.seat(person); err != nil {
		return err
	}
	if d.s.phase != lobby {
		return no("table.begun", nil)
	}
	if host := d.s.host(); d.s.seatOf(person) != host {
		return no("table.host", game.Args{"seat": host})
	}
	return nil
}

// mayGrow makes sure that the log is short enough for an entry that is no part of
// the game.
func (d *decision) mayGrow() error {
	if int(d.s.next) >= MostEntries {
		return no("table.full", game.Args{"most": MostEntries})
	}
	return nil
}
